// SPDX-License-Identifier: MIT
#include "proofs_check/sweep.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

#include "proofs_check/ball.hpp"

namespace gammascope::proofs {
namespace {

constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t block = 64;

std::uint64_t stride(std::uint64_t size) {
  auto s = static_cast<std::uint64_t>(0.6180339887 * static_cast<double>(size));
  for (s = std::max<std::uint64_t>(s, 1); std::gcd(s, size) != 1;) ++s;
  return s;
}

}  // namespace

Sample Sample::of(const Run& run, std::uint64_t size, std::uint64_t quick) {
  return {size, run.quick ? std::min(size, quick) : size};
}

std::uint64_t Sample::member(std::uint64_t i) const noexcept {
  if (take == size) return i;
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<Wide>(i) * stride(size) % size);
}

std::string Sample::text() const {
  return take == size ? "all " + std::to_string(size)
                      : std::to_string(take) + " of " + std::to_string(size) + " evenly spread";
}

void sweep(const Run& run,
           const Sample& sample,
           const std::function<Verdict(std::uint64_t)>& decide,
           Outcome& outcome) {
  std::atomic<std::uint64_t> next{0}, cases{0}, first_bad{none};
  std::mutex mutex;
  std::string found;
  std::exception_ptr error;
  const auto work = [&](bool reports) {
    try {
      for (;;) {
        const std::uint64_t begin = next.fetch_add(block);
        // Blocks below a counterexample are finished, so that the first one is found.
        if (begin >= sample.take || begin > first_bad) return;
        for (std::uint64_t i = begin; i < std::min(sample.take, begin + block); ++i) {
          if (i > first_bad) return;
          Verdict verdict = decide(sample.member(i));
          cases += verdict.cases;
          if (!verdict.counterexample) continue;
          const std::lock_guard lock(mutex);
          if (i < first_bad) {
            first_bad = i;
            found = std::move(*verdict.counterexample);
          }
        }
        if (reports && run.progress)
          run.progress(static_cast<double>(begin) / static_cast<double>(sample.take));
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
      first_bad = 0;  // the others stop
    }
  };
  std::vector<std::thread> helpers;
  for (unsigned k = 1; k < run.threads && k * block < sample.take; ++k)
    helpers.emplace_back([&] {
      work(false);
      Ball::release_thread();
    });
  work(true);
  for (std::thread& helper : helpers) helper.join();
  if (error) std::rethrow_exception(error);
  outcome.checked += cases;
  if (first_bad != none && !outcome.counterexample) outcome.counterexample = std::move(found);
}

}  // namespace gammascope::proofs
