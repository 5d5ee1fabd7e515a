// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all samples share: options, error checks, device arrays, seeded random
// numbers, comparison with the CPU reference, timing and reports. Host code
// only; the kernels are in the samples themselves. See docs/samples.md.

#ifndef BARRICADE_SAMPLES_COMMON_SAMPLE_H
#define BARRICADE_SAMPLES_COMMON_SAMPLE_H

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include <cuda_runtime.h>

/// Ends the program with one line and exit code 3 if a runtime call failed.
#define CUDA_CHECK(call) sample::checkCuda((call), #call, __FILE__, __LINE__)

namespace sample {

/// Exit codes of every sample. 77 is what test runners take for "skipped".
enum ExitCode {
  Right = 0,
  Wrong = 1,
  BadUsage = 2,
  CudaFailed = 3,
  NoGpu = 77
};

inline void checkCuda(cudaError_t error, const char *call, const char *file,
                      int line) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call,
               cudaGetErrorString(error));
  std::exit(CudaFailed);
}

/// The smallest number of parts of `size` elements that cover `total`.
template <typename T> constexpr T ceilDiv(T total, T size) {
  return total / size + (total % size != 0);
}

/// Splitmix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number
/// Generators", OOPSLA 2014): the same numbers for a seed on every machine.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// A whole number in [0, bound); the bias is below bound / 2^64.
  uint64_t below(uint64_t bound) { return next() % bound; }

  /// A number in [-1, 1).
  float real() { return float(next() >> 40) * (2.0f / (1 << 24)) - 1.0f; }

private:
  uint64_t state;
};

inline std::vector<float> randomReals(size_t n, Random &random) {
  std::vector<float> values(n);
  for (float &value : values)
    value = random.real();
  return values;
}

/// An array in device memory that frees itself.
template <typename T> class DeviceArray {
public:
  explicit DeviceArray(size_t n) : count(n) {
    // At least one byte, so that an empty array still has an address.
    CUDA_CHECK(cudaMalloc(&elements, std::max<size_t>(bytes(), 1)));
  }
  explicit DeviceArray(const std::vector<T> &values)
      : DeviceArray(values.size()) {
    upload(values);
  }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;
  ~DeviceArray() { cudaFree(elements); }

  T *data() const { return elements; }
  size_t bytes() const { return count * sizeof(T); }

  void upload(const std::vector<T> &values) {
    if (values.empty())
      return;
    CUDA_CHECK(cudaMemcpy(elements, values.data(),
                          std::min(count, values.size()) * sizeof(T),
                          cudaMemcpyHostToDevice));
  }
  void copy(const DeviceArray &from) {
    CUDA_CHECK(cudaMemcpy(elements, from.elements,
                          std::min(bytes(), from.bytes()),
                          cudaMemcpyDeviceToDevice));
  }
  std::vector<T> download() const {
    std::vector<T> values(count);
    CUDA_CHECK(
        cudaMemcpy(values.data(), elements, bytes(), cudaMemcpyDeviceToHost));
    return values;
  }
  void fill(int byte) { CUDA_CHECK(cudaMemset(elements, byte, bytes())); }

  /// Fills with bytes that no right result has (a NaN in floating point), so
  /// that an element that a kernel forgets is seen.
  void poison() { fill(0xff); }

private:
  T *elements = nullptr;
  size_t count;
};

/// Counts the elements for which same(got, want, index) is false and prints
/// the first. A difference in length counts as a mismatch, too.
template <typename T, typename Same>
size_t countMismatches(const char *what, const std::vector<T> &got,
                       const std::vector<T> &want, Same same) {
  if (got.size() != want.size()) {
    std::fprintf(stderr, "%s: %zu elements, should be %zu\n", what, got.size(),
                 want.size());
    return 1;
  }
  size_t mismatches = 0;
  for (size_t i = 0; i < want.size(); ++i) {
    if (same(got[i], want[i], i))
      continue;
    if (mismatches++ == 0)
      std::fprintf(stderr, "%s[%zu] is %.9g, should be %.9g\n", what, i,
                   double(got[i]), double(want[i]));
  }
  return mismatches;
}

template <typename T>
size_t countMismatches(const char *what, const std::vector<T> &got,
                       const std::vector<T> &want) {
  return countMismatches(what, got, want,
                         [](T g, T w, size_t) { return g == w; });
}

/// A sample: its options, its timed runs and its report.
class Program {
public:
  Program(const char *name, const char *summary)
      : name(name), summary(summary) {
    option("runs", runs, "timed runs", 1, 1000000);
    option("warmup", warmup, "runs before the timed ones", 0, 1000000);
    option("seed", seed, "seed of the random input", 0, INT64_MAX);
    flag("check-all", checkAll,
         "check the result of every run, not only the last");
    flag("json", json, "print the report as JSON");
  }

  /// Adds `--key N`, a whole number from min to max; N may be written 2^K.
  template <typename T>
  void option(const char *key, T &value, const char *help, int64_t min,
              int64_t max) {
    static_assert(std::is_integral<T>::value, "a whole number");
    options.push_back(
        {key,
         std::string(help) + " (" + std::to_string(min) + " .. " +
             std::to_string(max) + ", default " + std::to_string(value) + ")",
         /*TakesValue=*/true,
         [&value, min, max](const char *text) {
           int64_t number;
           if (!parseInteger(text, number) || number < min || number > max)
             return false;
           value = T(number);
           return true;
         },
         [&value] { return std::to_string(value); }});
  }

  /// Adds `--key TEXT`.
  void text(const char *key, std::string &value, const char *help) {
    options.push_back({key, help, /*TakesValue=*/true,
                       [&value](const char *given) {
                         value = given;
                         return true;
                       },
                       [&value] { return quote(value); }});
  }

  /// Adds `--key`, off unless given.
  void flag(const char *key, bool &value, const char *help) {
    options.push_back({key, help, /*TakesValue=*/false,
                       [&value](const char *) { return value = true; },
                       [&value] { return value ? "true" : "false"; }});
  }

  /// Reads the command line. Ends the program on --help (0) and on bad usage
  /// (2).
  void parse(int argc, char **argv) {
    for (int i = 1; i < argc; ++i) {
      std::string argument = argv[i];
      if (argument == "--help")
        printHelp();
      size_t equals = argument.find('=');
      const Option &found = find(argument.substr(0, equals));
      bool inlineValue = equals != std::string::npos;
      if (!found.takesValue && inlineValue)
        usageError(argument + ": takes no value");
      const char *text = "";
      if (inlineValue)
        text = argv[i] + equals + 1;
      else if (found.takesValue) {
        if (++i == argc)
          usageError(argument + ": needs a value");
        text = argv[i];
      }
      if (!found.set(text))
        usageError("--" + found.key + ": bad value '" + text +
                   "': " + found.help);
    }
  }

  /// Ends the program with one line and exit code 2.
  [[noreturn]] void usageError(const std::string &message) const {
    std::fprintf(stderr, "%s: %s (see --help)\n", name.c_str(),
                 message.c_str());
    std::exit(BadUsage);
  }

  /// Ends the program with one line and exit code 77 where there is no GPU.
  void requireGpu() const {
    int devices = 0;
    cudaError_t error = cudaGetDeviceCount(&devices);
    if (error == cudaSuccess && devices > 0)
      return;
    std::fprintf(stderr, "%s: no CUDA GPU here: %s\n", name.c_str(),
                 error == cudaSuccess ? "no device"
                                      : cudaGetErrorString(error));
    std::exit(NoGpu);
  }

  /// Adds a number to the report, for example the bytes that a run moves.
  void fact(const char *key, double value) { facts.push_back({key, value}); }

  /// What the CPU computes by itself, timed: `sequential_ms` in the report, for
  /// speed-ups over a plain program of one thread.
  template <typename Compute> auto sequential(Compute compute) {
    const auto begin = std::chrono::steady_clock::now();
    auto result = compute();
    fact("sequential_ms", std::chrono::duration<double, std::milli>(
                              std::chrono::steady_clock::now() - begin)
                              .count());
    return result;
  }

  /// The result is not compared with the CPU's; the report does not call it
  /// right.
  void leaveUnchecked() { unchecked = true; }

  uint64_t randomSeed() const { return seed; }
  bool wantsJson() const { return json; }

  /// Runs prepare(), work(), check() warmup + runs times and times work() by
  /// CUDA events. check() returns the number of wrong elements; it is called
  /// after the last run, or after each with --check-all. Prints the report.
  template <typename Prepare, typename Work, typename Check>
  int run(Prepare prepare, Work work, Check check) {
    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    std::vector<double> times;
    size_t mismatches = 0;
    for (int i = 1 - warmup; i <= runs && mismatches == 0; ++i) {
      prepare();
      CUDA_CHECK(cudaDeviceSynchronize());
      CUDA_CHECK(cudaEventRecord(start));
      work();
      CUDA_CHECK(cudaEventRecord(stop));
      CUDA_CHECK(cudaEventSynchronize(stop));
      CUDA_CHECK(cudaGetLastError());
      float ms = 0;
      CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
      if (i >= 1)
        times.push_back(ms);
      if (checkAll || i == runs)
        mismatches = check();
    }
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
    report(times, mismatches);
    return mismatches == 0 ? Right : Wrong;
  }

private:
  struct Option {
    std::string key;
    std::string help;
    bool takesValue;
    std::function<bool(const char *)> set;
    std::function<std::string()> show;
  };

  static bool parseInteger(const char *text, int64_t &number) {
    if (std::strncmp(text, "2^", 2) == 0) {
      if (!parseInteger(text + 2, number) || number < 0 || number > 62)
        return false;
      number = int64_t(1) << number;
      return true;
    }
    char *end = nullptr;
    errno = 0;
    number = std::strtoll(text, &end, 10);
    return end != text && *end == '\0' && errno == 0;
  }

  /// As a JSON string.
  static std::string quote(const std::string &text) {
    std::string quoted = "\"";
    for (char c : text) {
      char escaped[8];
      if (c == '"' || c == '\\' || (c >= 0 && c < ' ')) {
        std::snprintf(escaped, sizeof escaped, "\\u%04x", unsigned(c));
        quoted += escaped;
      } else {
        quoted += c;
      }
    }
    return quoted + '"';
  }

  const Option &find(const std::string &argument) const {
    for (const Option &option : options)
      if (argument == "--" + option.key)
        return option;
    usageError("unknown option '" + argument + "'");
  }

  [[noreturn]] void printHelp() const {
    std::printf("%s: %s\n\nOptions:\n", name.c_str(), summary.c_str());
    for (const Option &option : options)
      std::printf("  %-20s %s\n",
                  ("--" + option.key + (option.takesValue ? " X" : "")).c_str(),
                  option.help.c_str());
    std::printf("  %-20s this text\n", "--help");
    std::printf("\nA number may be written 2^K. Exit code: 0 right, 1 wrong "
                "result, 2 bad usage,\n3 a CUDA call failed, 77 no GPU.\n");
    std::exit(Right);
  }

  /// The p-quantile by linear interpolation between the sorted times.
  static double quantile(const std::vector<double> &sorted, double p) {
    if (sorted.empty())
      return NAN;
    double at = p * double(sorted.size() - 1);
    size_t low = size_t(at);
    size_t high = std::min(low + 1, sorted.size() - 1);
    return sorted[low] + (at - double(low)) * (sorted[high] - sorted[low]);
  }

  void report(const std::vector<double> &times, size_t mismatches) const {
    std::vector<double> sorted = times;
    std::sort(sorted.begin(), sorted.end());
    if (json)
      reportJson(times, sorted, mismatches);
    else
      reportText(sorted, mismatches);
  }

  void reportText(const std::vector<double> &sorted, size_t mismatches) const {
    std::printf("%s:", name.c_str());
    for (const Option &option : options)
      std::printf(" %s=%s", option.key.c_str(), option.show().c_str());
    for (const Fact &fact : facts)
      std::printf("\n  %s: %.10g", fact.key, fact.value);
    if (unchecked)
      std::printf("\n  result: not checked");
    else if (mismatches == 0)
      std::printf("\n  result: right");
    else
      std::printf("\n  result: WRONG, %zu mismatches", mismatches);
    if (!sorted.empty())
      std::printf("\n  time: median %.4f ms, quartiles %.4f .. %.4f ms, "
                  "%zu runs",
                  quantile(sorted, 0.5), quantile(sorted, 0.25),
                  quantile(sorted, 0.75), sorted.size());
    std::printf("\n");
  }

  void reportJson(const std::vector<double> &times,
                  const std::vector<double> &sorted, size_t mismatches) const {
    std::printf("{\"sample\": \"%s\", \"options\": {", name.c_str());
    const char *comma = "";
    for (const Option &option : options) {
      std::printf("%s\"%s\": %s", comma, option.key.c_str(),
                  option.show().c_str());
      comma = ", ";
    }
    std::printf("}, \"facts\": {");
    comma = "";
    for (const Fact &fact : facts) {
      std::printf("%s\"%s\": %.10g", comma, fact.key, fact.value);
      comma = ", ";
    }
    std::printf("}, \"correct\": %s, \"mismatches\": %zu, \"times_ms\": [",
                unchecked         ? "null"
                : mismatches == 0 ? "true"
                                  : "false",
                mismatches);
    comma = "";
    for (double time : times) {
      std::printf("%s%.6f", comma, time);
      comma = ", ";
    }
    std::printf("]");
    if (!sorted.empty())
      std::printf(", \"min_ms\": %.6f, \"q1_ms\": %.6f, \"median_ms\": %.6f, "
                  "\"q3_ms\": %.6f, \"max_ms\": %.6f",
                  sorted.front(), quantile(sorted, 0.25), quantile(sorted, 0.5),
                  quantile(sorted, 0.75), sorted.back());
    std::printf("}\n");
  }

  struct Fact {
    const char *key;
    double value;
  };

  std::string name;
  std::string summary;
  std::vector<Option> options;
  std::vector<Fact> facts;
  int runs = 10;
  int warmup = 2;
  uint64_t seed = 1;
  bool checkAll = false;
  bool json = false;
  bool unchecked = false;
};

} // namespace sample

#endif // BARRICADE_SAMPLES_COMMON_SAMPLE_H
