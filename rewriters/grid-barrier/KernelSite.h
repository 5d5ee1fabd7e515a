// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a rule adds a kernel that calls steps, and how it writes the calls.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_KERNELSITE_H
#define BARRICADE_REWRITERS_GRIDBARRIER_KERNELSITE_H

#include "rewriters/SourceText.h"
#include "rewriters/grid-barrier/StepText.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace clang {
class DeclRefExpr;
class FunctionDecl;
} // namespace clang

namespace barricade::grid_barrier {

/// A place for a kernel beside a host function.
struct KernelSite {
  clang::SourceLocation Place;
  llvm::StringRef NewLine;
  std::string Margin; ///< Of the host function.
  std::string Unit;   ///< One level more.
};

/// The place in front of \p Function, which no macro begins, and of the
/// comments that belong to it.
KernelSite siteBefore(const clang::FunctionDecl &Function,
                      const SourceText &Source);

/// `static ` for a kernel that only \p Function launches, unless others may see
/// that function, too.
llvm::StringRef linkageBeside(const clang::FunctionDecl &Function);

/// `ns::` of `ns::kernel<8>`, as the launch spells it; nothing where a macro
/// does.
std::optional<llvm::StringRef> qualifierOf(const clang::DeclRefExpr &Callee,
                                           const SourceText &Source);

/// Calls \p Step, in the scope \p Qualifier, for the block's share of \p Grid,
/// whose blocks the variable \p Block stands for; where \p Grid is empty, for
/// the block itself. Each line but the first is indented by \p Margin.
std::string stepStatement(const StepText &Step, llvm::StringRef Qualifier,
                          llvm::ArrayRef<std::string> Arguments,
                          llvm::StringRef TemplateArguments,
                          llvm::StringRef Grid, llvm::StringRef Block,
                          llvm::StringRef Margin, const KernelSite &Site);

} // namespace barricade::grid_barrier

#endif
