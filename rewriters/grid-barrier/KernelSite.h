// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a rule adds a kernel that calls steps, and how it writes the calls.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_KERNELSITE_H
#define BARRICADE_REWRITERS_GRIDBARRIER_KERNELSITE_H

#include "rewriters/Rule.h"
#include "rewriters/SourceText.h"
#include "rewriters/grid-barrier/StepText.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace clang {
class ASTContext;
class Expr;
class FunctionDecl;
class FunctionTemplateDecl;
class Preprocessor;
} // namespace clang

namespace barricade::grid_barrier {

/// A place for a kernel beside a host function.
struct KernelSite {
  clang::SourceLocation Place;
  llvm::StringRef NewLine;
  std::string Margin; ///< Of the host function.
  std::string Unit;   ///< One level more.
};

/// The place in front of \p Function and of the comments that belong to it.
KernelSite siteBefore(const clang::FunctionDecl &Function,
                      const SourceText &Source);

/// The template that \p Function is an instance of, as written; else null.
const clang::FunctionTemplateDecl *
spelledTemplate(const clang::FunctionDecl &Function);

/// The text from \p Begin to \p End is compiled whenever the kernel's place is,
/// as it stands: no directive is in it, and no pragma right before it.
bool isUndirected(clang::SourceLocation Begin, clang::SourceLocation End,
                  const KernelSite &Site, const SourceText &Source);

/// Where macros are set otherwise, \p Kernel may be another than what \p
/// Source, at \p Site, sees: it stands under a condition, which the site does
/// not, that has another branch, or beside another definition of the name.
bool hasOtherVersion(const clang::FunctionDecl &Kernel, const KernelSite &Site,
                     const SourceText &Source);

/// In what \p Edits write of the runtime's words, a macro of the program's
/// would expand, wherever it is defined.
/// \p IsOfOtherBuild: so would one that another build has.
bool meetsMacros(llvm::ArrayRef<Edit> Edits, clang::Preprocessor &PP,
                 llvm::function_ref<bool(llvm::StringRef)> IsOfOtherBuild);

/// The inclusions in the kernel's file that \p Strategy needs: the runtime
/// header and, before it, what it takes up where it is there. None where they
/// are there already.
std::vector<Edit> runtimeInclusions(SyncStrategy Strategy, RuntimeHeader Header,
                                    const KernelSite &Site,
                                    const SourceText &Source,
                                    clang::Preprocessor &PP);

/// Of the kernels that a rule adds. Their names are new in one translation
/// unit; another may choose the same.
inline constexpr llvm::StringLiteral KernelLinkage = "static ";

/// Each name in \p Text, which holds in the namespace of \p Kernel where that
/// is declared, means beside \p Host what it means there.
bool meansTheSame(llvm::StringRef Text, const clang::FunctionDecl &Kernel,
                  const clang::FunctionDecl &Host);

/// A name in \p Text, which is said from outside of all namespaces, begins with
/// one that a namespace around \p Host has as well, or that a directive brings
/// there: beside that function it may mean something else.
bool isHiddenBeside(const clang::FunctionDecl &Host, llvm::StringRef Text);

/// For what a block calls a step.
struct StepRange {
  /// The logical grid of which the block takes its share; empty: for itself.
  std::string Grid;
  /// The size of logical blocks that is not the block's; empty: it is.
  std::string BlockSize;
  /// The variable for a logical block, or for a logical thread.
  std::string Block, Thread;
};

/// What a step is given for a parameter of its kernel's.
struct StepArgument {
  std::string Text;
  /// Nothing is read through it, and it need not have a pointer's type: `0`.
  bool IsNull;
  /// A compiler may know its value, once or in each iteration of a loop that it
  /// unrolls.
  bool MayBeKnown = false;
};

/// The list of \p Kernels, by their names, that the runtime's functions take:
/// of \p First and maybe others.
std::string kernelList(llvm::ArrayRef<std::string> Kernels,
                       const clang::FunctionDecl &First);

/// `x` of `{x}`, where that has the value of a parameter that is no class:
/// templates deduce nothing from braces. Else \p Argument.
const clang::Expr &withoutBraces(const clang::Expr &Argument);

/// \p Argument of a launch, which spells it \p Text.
StepArgument asSpelled(const clang::Expr &Argument, std::string Text,
                       clang::ASTContext &Context);

/// Calls \p Step, in the scope \p Qualifier, for all of \p Range. Each line but
/// the first is indented by \p Margin.
std::string stepStatement(const StepText &Step, llvm::StringRef Qualifier,
                          llvm::ArrayRef<StepArgument> Arguments,
                          llvm::StringRef TemplateArguments,
                          const StepRange &Range, llvm::StringRef Margin,
                          const KernelSite &Site);

} // namespace barricade::grid_barrier

#endif
