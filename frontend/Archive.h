// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values as bytes and back, for files that only this very program reads. Each
// struct names its members once, in an `archive` function that serves both
// ways:
//
//   template <typename A> void archive(A &Archive, Point &P) {
//     auto &[X, Y] = P; // does not compile when a member is added
//     Archive(X, Y);
//   }

#ifndef BARRICADE_FRONTEND_ARCHIVE_H
#define BARRICADE_FRONTEND_ARCHIVE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Endian.h"
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace barricade {

class ArchiveWriter {
public:
  template <typename... Ts> void operator()(Ts &...Values) {
    (write(Values), ...);
  }
  std::string take() { return std::move(Bytes); }

private:
  void number(uint64_t N) {
    char Raw[8];
    llvm::support::endian::write64le(Raw, N);
    Bytes.append(Raw, sizeof(Raw));
  }

  void write(std::string &Text) {
    number(Text.size());
    Bytes += Text;
  }
  void write(double &D) { number(llvm::bit_cast<uint64_t>(D)); }
  template <typename T> void write(std::vector<T> &Values) {
    number(Values.size());
    for (T &Each : Values)
      write(Each);
  }
  template <typename T> void write(std::optional<T> &Value) {
    number(Value.has_value());
    if (Value)
      write(*Value);
  }
  template <typename... Ts> void write(std::variant<Ts...> &Value) {
    number(Value.index());
    std::visit([&](auto &Held) { write(Held); }, Value);
  }
  template <typename T> void write(T &Value) {
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
      number(static_cast<uint64_t>(Value));
    else
      archive(*this, Value);
  }

  std::string Bytes;
};

/// Reads what a writer wrote. Bytes that are none of its end in failed(), never
/// in a crash or in a value larger than the bytes.
class ArchiveReader {
public:
  explicit ArchiveReader(llvm::StringRef Bytes) : Rest(Bytes) {}

  template <typename... Ts> void operator()(Ts &...Values) {
    (read(Values), ...);
  }
  /// Whether anything lacked or is left over.
  bool failed() const { return Failed || !Rest.empty(); }

private:
  uint64_t number() {
    llvm::StringRef Raw = bytes(8);
    return Raw.empty() ? 0 : llvm::support::endian::read64le(Raw.data());
  }
  llvm::StringRef bytes(uint64_t Count) {
    if (Count > Rest.size()) {
      Failed = true;
      Rest = {};
      return {};
    }
    llvm::StringRef Result = Rest.take_front(Count);
    Rest = Rest.drop_front(Count);
    return Result;
  }

  void read(std::string &Text) { Text = bytes(number()).str(); }
  void read(double &D) { D = llvm::bit_cast<double>(number()); }
  template <typename T> void read(std::vector<T> &Values) {
    // Each takes a byte at least, so a wrong count ends with the bytes.
    for (uint64_t Left = number(); Left && !Rest.empty(); --Left)
      read(Values.emplace_back());
  }
  template <typename T> void read(std::optional<T> &Value) {
    if (number())
      read(Value.emplace());
  }
  template <typename... Ts> void read(std::variant<Ts...> &Value) {
    uint64_t Index = number(), Next = 0;
    ((Next++ == Index ? read(Value.template emplace<Ts>()) : void()), ...);
  }
  template <typename T> void read(T &Value) {
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
      Value = static_cast<T>(number());
    else
      archive(*this, Value);
  }

  llvm::StringRef Rest;
  bool Failed = false;
};

} // namespace barricade

#endif
