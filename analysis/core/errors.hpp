// SPDX-License-Identifier: MIT
// What can go wrong, by whose fault: one class per exit status (architecture.md, CLI). Nothing in a
// library prints or exits. Tests: tests/analysis/core/test_errors.cpp
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace gammascope {

/// Exit statuses of every verb.
enum class ExitStatus : int {
  ok = 0,
  failed = 1,       ///< a claim failed, or the doctor found an error
  no_evidence = 2,  ///< inconclusive, identity or degenerate
  usage = 64,
  bad_data = 65,
  no_input = 66,
  unavailable = 69,  ///< another program, such as gnuplot, is missing
  internal = 70,
  interrupted = 130,
};

/// What is wrong with a datum, and where. A value first: a log with one bad line is not a broken
/// program.
struct DataError {
  std::string file;       ///< as the user gave it; "-" is standard input
  std::int64_t line = 0;  ///< 1-based; 0: the file as a whole
  std::string
      field;  ///< as spelled in the file, e.g. "teacher_logprobs[17]" (0-based); may be empty
  std::string rule;  ///< the rule broken, as a sentence: "a log-probability must not be positive"

  /// "FILE:LINE: field: rule"
  [[nodiscard]] std::string message() const {
    std::string text = file;
    if (line > 0) text += ":" + std::to_string(line);
    text += ": ";
    if (!field.empty()) text += field + ": ";
    return text + rule;
  }
};

/// Base of all errors that a program ends with; `status` is the exit status.
class Error : public std::runtime_error {
 public:
  Error(ExitStatus status, const std::string& what) : std::runtime_error(what), status_(status) {}
  [[nodiscard]] ExitStatus status() const noexcept { return status_; }

 private:
  ExitStatus status_;
};

/// 64: an option that is not there, or a value that it cannot have.
class UsageError : public Error {
 public:
  explicit UsageError(const std::string& what) : Error(ExitStatus::usage, what) {}
};

/// 65: the file is there and says something it must not.
class BadData : public Error {
 public:
  explicit BadData(DataError error)
      : Error(ExitStatus::bad_data, error.message()), error_(std::move(error)) {}
  [[nodiscard]] const DataError& error() const noexcept { return error_; }

 private:
  DataError error_;
};

/// 66: no such file, or not readable (or not writable, for an output).
class NoInput : public Error {
 public:
  explicit NoInput(const std::string& what) : Error(ExitStatus::no_input, what) {}
};

/// 69: a program is missing; the message names it and its package.
class Unavailable : public Error {
 public:
  explicit Unavailable(const std::string& what) : Error(ExitStatus::unavailable, what) {}
};

/// 130: the user pressed ctrl-C; thrown at a safe point, so nothing is half-written.
class Interrupted : public Error {
 public:
  Interrupted() : Error(ExitStatus::interrupted, "interrupted") {}
};

}  // namespace gammascope
