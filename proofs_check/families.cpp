// SPDX-License-Identifier: MIT
#include "proofs_check/families.hpp"

#include <utility>

namespace gammascope::proofs {
namespace {

std::uint64_t take(std::uint64_t& index, std::uint64_t base) {
  return std::exchange(index, index / base) % base;
}

/// Of {0, …, n-1}; the bias is below 2^-60.
std::uint64_t below(std::mt19937_64& bits, std::uint64_t n) { return bits() % n; }

TinyProcess larger(std::uint64_t index) {
  std::mt19937_64 bits(0x9e3779b97f4a7c15ULL + index);
  const std::size_t states = 2 + below(bits, 2), tokens = 2 + below(bits, 2);
  const bool ends = below(bits, 2) == 0, leaks = below(bits, 4) == 0;
  TinyProcess p;
  p.length = states + tokens == 4 ? 4 : 3;
  p.initial = random_row(bits, states, 12);
  for (std::size_t s = 0; s < states; ++s) {
    p.student.push_back(random_row(bits, tokens, tokens + below(bits, 37)));
    p.teacher.push_back(random_row(bits, tokens, tokens + below(bits, 37)));
    if (leaks)
      for (Q& x : p.teacher.back()) x *= q(3, 4);
    auto& next = p.next.emplace_back();
    for (std::size_t a = 0; a < tokens; ++a)
      next.push_back(static_cast<std::uint32_t>(below(bits, states + (ends ? 1 : 0))));
  }
  return p;
}

/// One state, X = -log r with probability p, else e with E exp(X) = 1.
TinyProcess two_point(const Q& p, const Q& r) {
  return {{Q(1)}, {{p, 1 - p}}, {{p / r, 1 - p / r}}, {{0, 0}}, 3};
}

/// State 0 with probability p loses log r at every token, state 1 nothing.
TinyProcess frozen_loss(const Q& p, const Q& r) {
  return {{p, 1 - p}, {{Q(1)}, {Q(1)}}, {{1 / r}, {Q(1)}}, {{0}, {1}}, 3};
}

/// Every token loses log r; ends at each with probability h.
TinyProcess constant_loss(const Q& h, const Q& r) {
  return {{Q(1)}, {{1 - h, h}}, {{(1 - h) / r, h / r}}, {{0, 1}}, 3};
}

/// One token of large positive X = log(gain), probability p; else very negative.
TinyProcess large_gain(const Q& p, const Q& rest) {
  return {{Q(1)}, {{p, 1 - p}}, {{1 - rest, rest}}, {{1, 1}}, 3};
}

}  // namespace

Family sixths(std::vector<std::size_t> lengths) {
  std::string list;
  for (const std::size_t t : lengths) list += (list.empty() ? "" : ", ") + std::to_string(t);
  const std::uint64_t size = 101250 * lengths.size();
  auto at = [lengths = std::move(lengths)](std::uint64_t index) {
    TinyProcess p;
    p.length = lengths[take(index, lengths.size())];
    p.initial = take(index, 2) == 0 ? std::vector<Q>{Q(1), Q(0)} : std::vector<Q>{q(1, 3), q(2, 3)};
    for (int s = 0; s < 2; ++s) {
      const auto student = static_cast<long>(1 + take(index, 5));
      const auto teacher = static_cast<long>(1 + take(index, 5));
      p.student.push_back({q(student, 6), q(6 - student, 6)});
      p.teacher.push_back({q(teacher, 6), q(6 - teacher, 6)});
      const auto first = static_cast<std::uint32_t>(take(index, 3));
      p.next.push_back({first, static_cast<std::uint32_t>(take(index, 3))});
    }
    return p;
  };
  return {
      "2 states, 2 tokens, probabilities k/6, all next maps with end, 1 or 2 prompts, T = " + list,
      size,
      std::move(at)};
}

Family random_larger(std::uint64_t size) {
  return {"random: 2-3 states, 2-3 tokens, T = 3-4, denominators to 40", size, larger};
}

Family extremal() {
  std::vector<TinyProcess> all;
  for (const Q& p : {q(1, 1000), q(1, 50), q(1, 10), q(3, 10), q(1, 2)})
    for (const Q& r : {q(11, 10), q(3, 2), q(3), q(20), q(148)}) {
      if (p < r / (1 + r)) all.push_back(two_point(p, r));
      all.push_back(frozen_loss(p, r));
      all.push_back(constant_loss(p, r));
    }
  for (const Q& p : {q(1353, 10000), q(27, 200), q(3, 10), q(368, 1000)})
    for (const Q& rest : {q(1, 10), q(1, 1000), q(1, 10000000)}) all.push_back(large_gain(p, rest));
  const auto size = all.size();
  return {"extremal: frozen loss, two-point, constant loss with end, large gain; T = 3",
          size,
          [all = std::move(all)](std::uint64_t i) { return all[i]; }};
}

std::vector<Q> random_row(std::mt19937_64& bits, std::size_t n, std::uint64_t d) {
  std::vector<std::uint64_t> parts(n, 1);
  for (std::uint64_t k = n; k < d; ++k) ++parts[below(bits, n)];
  std::vector<Q> row;
  for (const std::uint64_t k : parts) row.push_back(Q(k) / Q(d < n ? n : d));
  return row;
}

std::vector<std::vector<Q>> all_rows(std::size_t n, long d, long least) {
  std::vector<std::vector<Q>> rows;
  std::vector<long> parts(n, least);
  const auto fill = [&](const auto& self, std::size_t i, long left) -> void {
    if (i + 1 == n) {
      if (left < least) return;
      parts[i] = left;
      auto& row = rows.emplace_back();
      for (const long k : parts) row.push_back(q(k, d));
      return;
    }
    for (long k = least; k <= left; ++k) {
      parts[i] = k;
      self(self, i + 1, left - k);
    }
  };
  fill(fill, 0, d);
  return rows;
}

}  // namespace gammascope::proofs
