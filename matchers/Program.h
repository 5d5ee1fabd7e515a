// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A translation unit as rules see it: the ASTs of its passes, all alive at
// once.

#ifndef BARRICADE_MATCHERS_PROGRAM_H
#define BARRICADE_MATCHERS_PROGRAM_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <functional>
#include <string>

namespace clang {
class ASTContext;
class Preprocessor;
} // namespace clang

namespace barricade {

class OtherUnits;

/// One parsed pass of a CUDA source.
struct PassView {
  clang::ASTContext *Context = nullptr;
  clang::Preprocessor *PP = nullptr;
  bool IsDevice = false;
  unsigned Sm = 0; ///< Architecture of a device pass, 90 for sm_90.
};

/// All passes of one translation unit and what its command line says of it.
struct Program {
  llvm::SmallVector<PassView, 3> Passes;
  /// Device code of other translation units may call into this one (-rdc).
  bool RelocatableDeviceCode = false;
  /// Knows what they do, for whoever asks matchers/OtherUnits.h; null: nobody.
  const OtherUnits *Others = nullptr;
  /// nvcc's --restrict: pointer parameters of kernels do not alias.
  bool RestrictKernelPointers = false;
  /// The device may flush or approximate single precision (-use_fast_math).
  bool FastMath = false;
  /// The build asks for warnings of parameters that a function does not use.
  bool WarnsOfUnusedParameters = false;
  /// The build's compiler does not find what <cooperative_groups.h> includes.
  bool LacksCudaLibrary = false;
  /// The first option of the host compiler that may change what the host's
  /// floating-point arithmetic gives, or any arithmetic; empty: there is none.
  std::string HostFloatOption, HostOption;
  /// artificial-barrier takes what references lead to for the same in all
  /// threads: for tests of what catches that.
  bool IgnoreReferences = false;
  /// Every architecture the build names, not only those parsed.
  llvm::SmallVector<unsigned, 4> TargetSms;
  /// Whether a rewrite that changes the file of this name may be made at all;
  /// empty: any may be. Where less can be done without, rules ask.
  std::function<bool(llvm::StringRef File)> IsEditable;

  const PassView *host() const {
    for (const PassView &P : Passes)
      if (!P.IsDevice)
        return &P;
    return nullptr;
  }
};

} // namespace barricade

#endif
