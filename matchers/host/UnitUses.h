// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user's code of a translation unit calls anywhere, for questions
// whose answer is no single function's: whether something in it may hold a
// stream up, or change how the host rounds.

#ifndef BARRICADE_MATCHERS_HOST_UNITUSES_H
#define BARRICADE_MATCHERS_HOST_UNITUSES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace barricade::host {

class UnitUses {
public:
  /// Reads all that the user wrote.
  explicit UnitUses(clang::ASTContext &Context);

  /// Work in a stream may wait for what the host or another stream does: host
  /// functions, operations on memory, functions that are found at run time.
  bool mayHoldUpStreams() const;
  /// Of these, host functions and waits that are named as such: a library that
  /// only finds functions at run time has none.
  bool putsHostIntoStreams() const;
  /// Memory that host and device reach alike is made or named.
  bool sharesMemory() const;
  /// Memory that the host had before may become the device's, too.
  bool registersMemory() const;
  /// The host's rounding mode, or the like, is set, or assembly may do so.
  bool setsFloatingEnvironment() const;
  /// Constant memory is known by its address, so that kernels may write it.
  bool takesSymbolAddresses() const;
  /// Device code may write what it is given of constant memory.
  bool mayWriteConstants() const { return PointsAtConstants; }

  /// Functions may be left by `longjmp` and its likes, which destroy nothing.
  bool jumpsFar() const { return JumpsFar || Functions.contains("longjmp"); }

  /// A stream other than a local variable is given a buffer, a locale or a
  /// stream to flush, whose functions may be the user's:
  /// `std::cout.rdbuf(&own)`.
  bool redirectsStreams() const {
    return RedirectsStreams || Functions.contains("rdbuf");
  }

  /// A declaration of the user's has a name that the runtime's header needs for
  /// itself.
  bool hasRuntimeNames() const { return HasRuntimeNames; }
  /// The same for the header of cooperative groups, which the strategy of that
  /// name brings into the program.
  bool hasGroupsNames() const { return HasGroupsNames; }

private:
  bool anyName(llvm::ArrayRef<llvm::StringRef> Prefixes) const;
  void addOfOtherBuilds(clang::ASTContext &Context);

  /// Names of those that are named anywhere, and all that may be one elsewhere.
  llvm::StringSet<> Functions;
  bool NamesManaged = false, PointsAtConstants = false, HasRuntimeNames = false,
       HasGroupsNames = false, JumpsFar = false, HasHostAsm = false,
       RedirectsStreams = false;
};

/// UnitUses(Context).redirectsStreams(), found out once.
bool redirectsStreams(clang::ASTContext &Context);

} // namespace barricade::host

#endif
