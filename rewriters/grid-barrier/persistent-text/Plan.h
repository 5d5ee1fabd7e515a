// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is decided before any text of a persistent kernel is written, and what
// all of its parts are written from. Each question is a file of its own. Those
// that fill the plan, in this order:
//
//   Place.cpp          where do the kernel and its launch stand
//   Captures.cpp       where does it begin, which variables does it take
//   Grids.cpp          may it have fewer blocks than the loop's launches
//   Names.cpp          what are the new variables called
//   Stretches.cpp      which launches can be one, where they stay launches
//
// Those that write from it:
//
//   Kernel.cpp         the kernel around the loop
//   DeviceLoop.cpp     the loop in it, with steps for launches
//   Launch.cpp         with what is it launched
//   Grids.cpp          with how many blocks
//   LaunchInstead.cpp  the launch in front of the loop
//   Takeover.cpp       the launch within it
//   AfterLaunch.cpp    what follows the launch, in which order
//   Checks.cpp         which checks are among that
//   Stretches.cpp      what makes several launches one
//   Moved.cpp          which statements of the loop are, or come before
//
// And what these are made of:
//
//   Expressions.cpp    how is an expression written there
//   Variables.cpp      how is a variable declared there, who asks for it
//   LoopText.cpp       where do statements stand in the loop's text
//   HostLoop.cpp       the loop on the host without its launches
//   UntilWait.cpp      the same, as far as it comes before it waits
//
// For PersistentText alone: what is asked from outside is there.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_PLAN_H
#define BARRICADE_REWRITERS_GRIDBARRIER_PERSISTENTTEXT_PLAN_H

#include "matchers/facts/VariableFacts.h"
#include "rewriters/OtherBuilds.h"
#include "rewriters/SourceText.h"
#include "rewriters/grid-barrier/Continuation.h"
#include "rewriters/grid-barrier/KernelSite.h"
#include "rewriters/grid-barrier/PersistentText.h"
#include "rewriters/grid-barrier/TemplateText.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <optional>

namespace barricade::grid_barrier::persistent {

struct Plan {
  /// What text cannot be written for is added to \p Blockers.
  Plan(const RelaunchLoop &L, const dependence::LoopScopes &Scopes,
       const PersistentNames &Names, StepTexts StepOf, const PassView &Host,
       std::vector<Blocker> &Blockers)
      : L(L), Scopes(Scopes), Names(Names), StepOf(StepOf),
        Context(*Host.Context), PP(*Host.PP), SM(Context.getSourceManager()),
        Source(Context), Uses(L.Loop), Others(Host), Blockers(Blockers) {}

  void refuse(ReasonId Id, clang::SourceLocation Where) const {
    Blockers.push_back(blocker(Id, Where));
  }

  /// The kernel may have fewer blocks than the loop's launches, each of which
  /// runs some of theirs in turn.
  bool mayClamp() const { return Names.LogicalBlocks || !Parts.empty(); }

  /// In the loop's text.
  unsigned offset(clang::SourceLocation Where) const {
    return SM.getFileOffset(Where) - SM.getFileOffset(Begin);
  }

  const RelaunchLoop &L;
  const dependence::LoopScopes &Scopes;
  const PersistentNames &Names;
  StepTexts StepOf;
  clang::ASTContext &Context;
  clang::Preprocessor &PP;
  const clang::SourceManager &SM;
  const SourceText Source;
  const facts::VariableFacts Uses; ///< In the loop.
  OtherBuilds Others;
  std::vector<Blocker> &Blockers;

  // Where it stands.
  KernelSite Site;
  clang::SourceLocation Begin, End; ///< The loop; End is one past it.
  std::string Indent;               ///< Of the loop.

  // What the kernel takes.
  std::optional<TemplateText> OfTemplate; ///< Of the function, if it is one.
  /// In an instance of a template: its variables, as the template has them.
  llvm::DenseMap<const clang::VarDecl *, const clang::VarDecl *>
      SpelledVariables;
  /// How the loop goes on, where the kernel takes it over; else the kernel
  /// does all of it.
  std::optional<Continuation> Continued;
  llvm::SmallVector<const clang::VarDecl *, 8> Captures;
  /// The loop's kernels, if it may have fewer blocks than their launches where
  /// it is no worse than they.
  std::string Parts;

  // What is called how.
  llvm::StringSet<> Words;  ///< Of the loop: no new name is one of these.
  std::string Barrier;      ///< The kernel's first parameter.
  std::string BetweenSteps; ///< Its barrier between steps, if some is narrow.
  /// Its parameter for the grid of all launches, if it may have fewer blocks.
  std::string WholeGrid;
  /// By launch: the number of its kernel, where it may be a step of a stretch.
  std::vector<std::optional<unsigned>> Numbers;
  /// Its parameters for grids that the host computes before, by their texts.
  llvm::MapVector<std::string, std::string, std::map<std::string, unsigned>>
      HostGrids;
  std::string Waits; ///< The host's, for whether the loop waits, if asked.
  /// What the host gets back, and through which variable.
  std::vector<std::pair<const clang::VarDecl *, std::string>> Results;
};

} // namespace barricade::grid_barrier::persistent

#endif
