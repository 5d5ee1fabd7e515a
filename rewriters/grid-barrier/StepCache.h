// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps that a rule makes of a program's kernels: one for each kernel,
// however many launches become calls of it, and the same in every pass.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_STEPCACHE_H
#define BARRICADE_REWRITERS_GRIDBARRIER_STEPCACHE_H

#include "matchers/Finding.h"
#include "matchers/grid-barrier/StepViews.h"
#include "rewriters/Rule.h"
#include "rewriters/UnitNames.h"
#include "rewriters/grid-barrier/StepText.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class SourceManager;
} // namespace clang

namespace barricade::grid_barrier {

class StepCache {
public:
  /// \p P must have a host pass and outlive the book.
  StepCache(const Program &P, SyncStrategy Strategy);

  /// The step of \p Kernel will take threadIdx and blockDim, too. Said before
  /// the step is written.
  void takeLogicalThreads(const clang::FunctionDecl &Kernel);

  /// \p Kernel will wait for the grid before. Said before the step is written.
  void takeWait(const clang::FunctionDecl &Kernel);

  /// That has been said.
  bool waits(const clang::FunctionDecl &Kernel) const;

  /// Makes a step of \p Kernel, a definition of the host pass that is launched
  /// at \p Launch. Every device pass has its own view of the kernel, and all
  /// must agree. Adds the edits to \p F, or the reasons why there are none.
  void write(const clang::FunctionDecl &Kernel, clang::SourceLocation Launch,
             const clang::SourceManager &HostSM, Finding &F);

  /// Lets \p Kernel, which is launched at \p Launch, wait for the grid before
  /// and then call its body as a step, to which no promise (`__restrict__`) of
  /// the kernel's leads, so that nothing is read before the wait. Adds the
  /// edits to \p F, or the reasons why there are none.
  void writeWaiting(const clang::FunctionDecl &Kernel,
                    clang::SourceLocation Launch,
                    const clang::SourceManager &HostSM, Finding &F);

  /// What the device passes know of a kernel that all of them have.
  std::vector<const StepKernel *> stepsOf(const clang::FunctionDecl &Kernel);

  /// The step of a kernel for which write() found nothing to object.
  const StepText &textOf(const clang::FunctionDecl &Kernel) const;

  /// Says in \p F what becomes of the functions that the step of \p Kernel
  /// consists of; suppressConflictingBarriers asks for it.
  void addChanges(const clang::FunctionDecl &Kernel, Finding &F);

  /// A name that nothing in the translation unit has, and that is not given
  /// again.
  std::string freshName(llvm::StringRef Base) { return Fresh.fresh(Base); }

private:
  /// Of all instances of a template.
  void checkWaiting(const FunctionKey &Key, DevicePass &Device, Finding &F);
  void writeText(const StepKernel &Step, const FunctionKey &Key,
                 const DevicePass &Device, Finding &F);
  std::string stepName(const clang::FunctionDecl &Kernel, const Place &Where);
  /// The program has names that the headers of the written text need.
  bool meetsOtherNames();

  clang::ASTContext &Context;
  const SyncStrategy Strategy;
  const bool LacksCudaLibrary;
  /// Asked once.
  std::optional<bool> MeetsOtherNames;
  StepViews Views;
  std::map<Place, StepText> Texts;
  std::map<Place, std::string> Names;
  std::map<Place, StepShape> Shapes;
  UnitNames Fresh;
};

/// A thread that returned from a step has not exited: it would be missed at an
/// artificial barrier in it. Logical threads cannot meet at all. Holds back
/// such barriers in what findings of the rule \p RuleId make steps of.
void suppressConflictingBarriers(llvm::StringRef RuleId,
                                 std::vector<Finding> &Findings);

} // namespace barricade::grid_barrier

#endif
