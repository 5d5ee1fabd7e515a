// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/StepCache.h"
#include "matchers/artificial-barrier/Reasons.h"
#include "matchers/facts/DeviceFunctions.h"
#include "matchers/host/UnitUses.h"
#include "matchers/source/FunctionId.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/UserDeclarations.h"
#include "rewriters/FirstFree.h"
#include "rewriters/GiveWay.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace barricade::grid_barrier {

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

StepCache::StepCache(const Program &P, SyncStrategy Strategy)
    : Context(*P.host()->Context), Strategy(Strategy),
      LacksCudaLibrary(P.LacksCudaLibrary), Views(P), Fresh(Context) {}

void StepCache::takeLogicalThreads(const FunctionDecl &Kernel) {
  Shapes[keyOf(Kernel).first].LogicalThreads = true;
}

/// What the kernel promises of its parameters is to be said of its step alone.
static void hidePromises(const StepKernel &Step, StepShape &Shape) {
  Shape.Hidden.resize(Step.Kernel->getNumParams());
  for (const ParmVarDecl *P : Step.Promised)
    Shape.Hidden.set(P->getFunctionScopeIndex());
}

void StepCache::takeWait(const FunctionDecl &Kernel) {
  const FunctionKey Key = keyOf(Kernel);
  Shapes[Key.first].Waits = true;
  for (DevicePass &Device : Views.passes())
    for (const StepKernel *Step : Device.findAll(Key))
      hidePromises(*Step, Shapes[Key.first]);
}

bool StepCache::waits(const FunctionDecl &Kernel) const {
  const auto Shape = Shapes.find(keyOf(Kernel).first);
  return Shape != Shapes.end() && Shape->second.Waits;
}

void StepCache::write(const FunctionDecl &Kernel, SourceLocation Launch,
                      const SourceManager &HostSM, Finding &F) {
  const FunctionKey Key = keyOf(Kernel);
  if (!Context.getLangOpts().CPlusPlus17)
    addReason(blocker(ReasonId::Language, Launch), HostSM, F);
  if (Strategy == SyncStrategy::Cooperative && LacksCudaLibrary &&
      !isNameTaken("cooperative_groups", Context))
    addReason(blocker(ReasonId::GroupsHeader, Launch), HostSM, F);
  if (meetsOtherNames())
    addReason(blocker(ReasonId::RuntimeName, Launch), HostSM, F);
  for (DevicePass &Device : Views.passes()) {
    const StepKernel *Step = Device.find(Key);
    if (!Step) {
      addReason(blocker(ReasonId::KernelNotVisible, Launch), HostSM, F);
      continue;
    }
    addReasons(Step->Blockers, Device.sourceManager(), F);
    for (const ReadOnlyLoad &Load : Step->ReadOnlyLoads)
      addReason(blocker(ReasonId::ReadOnlyLoad, Load.Where),
                Device.sourceManager(), F);
    if (F.Reasons.empty())
      writeText(*Step, Key, Device, F);
  }
}

/// It also stands in the way of a step that only its own kernel calls, once.
static bool isOfText(const Blocker &H) {
  static constexpr ReasonId OfText[] = {
      ReasonId::ReadOnlyLoad, ReasonId::RestrictOption, ReasonId::FunctionName,
      ReasonId::KernelFriend, ReasonId::ParameterType,  ReasonId::KernelShape};
  return llvm::any_of(OfText, [&](ReasonId Id) {
    return H.Why.Id == ReasonTable[unsigned(Id)].Id;
  });
}

void StepCache::checkWaiting(const FunctionKey &Key, DevicePass &Device,
                             Finding &F) {
  for (const StepKernel *Step : Device.findAll(Key)) {
    for (const Blocker &H : llvm::make_filter_range(Step->Blockers, isOfText))
      addReason(H, Device.sourceManager(), F);
    for (const ReadOnlyLoad &Load : Step->ReadOnlyLoads)
      addReason(blocker(ReasonId::ReadOnlyLoad, Load.Where),
                Device.sourceManager(), F);
  }
}

void StepCache::writeWaiting(const FunctionDecl &Kernel, SourceLocation Launch,
                             const SourceManager &HostSM, Finding &F) {
  const FunctionKey Key = keyOf(Kernel);
  Shapes[Key.first].IsOnlyOfKernel = true;
  takeWait(Kernel);
  for (DevicePass &Device : Views.passes())
    checkWaiting(Key, Device, F);
  for (DevicePass &Device : Views.passes())
    if (const StepKernel *Step = Device.find(Key); !Step)
      addReason(blocker(ReasonId::KernelNotVisible, Launch), HostSM, F);
    else if (F.Reasons.empty())
      writeText(*Step, Key, Device, F);
}

bool StepCache::meetsOtherNames() {
  if (!MeetsOtherNames) {
    const host::UnitUses Uses(Context);
    MeetsOtherNames =
        Uses.hasRuntimeNames() ||
        (Strategy == SyncStrategy::Cooperative && Uses.hasGroupsNames());
  }
  return *MeetsOtherNames;
}

void StepCache::writeText(const StepKernel &Step, const FunctionKey &Key,
                          const DevicePass &Device, Finding &F) {
  const StepShape Shape = Shapes[Key.first];
  // Another instance of a template whose threads stand alone.
  if (Shape.LogicalThreads && !Step.ThreadsStandAlone)
    addReason(blocker(ReasonId::IndexScope, Step.Kernel->getLocation()),
              Device.sourceManager(), F);
  StepText Text =
      writeStep(Step, Device.pass(), stepName(*Step.Kernel, Key.first), Shape);
  addReasons(Text.Blockers, Device.sourceManager(), F);
  auto [It, New] = Texts.try_emplace(Key.first, Text);
  if (!New && It->second.Edits != Text.Edits)
    addReason(blocker(ReasonId::PassesDiffer, Step.Kernel->getLocation()),
              Device.sourceManager(), F);
  // Instances of a template may make different promises.
  It->second.Promised |= Text.Promised;
  It->second.Values |= Text.Values;
  It->second.Products.add(Text.Products);
  for (Edit &E : Text.Edits) {
    E.WithOthers = Edit::Meeting::Shared;
    if (!llvm::is_contained(F.Edits, E))
      F.Edits.push_back(std::move(E));
  }
}

std::vector<const StepKernel *> StepCache::stepsOf(const FunctionDecl &Kernel) {
  return Views.of(Kernel);
}

const StepText &StepCache::textOf(const FunctionDecl &Kernel) const {
  return Texts.at(keyOf(Kernel).first);
}

void StepCache::addChanges(const FunctionDecl &Kernel, Finding &F) {
  const FunctionKey Key = keyOf(Kernel);
  const auto Add = [&](FunctionChange::Kind What, const FunctionDecl &Changed) {
    FunctionChange Change{What, functionId(Changed)};
    if (!llvm::is_contained(F.Changes, Change))
      F.Changes.push_back(std::move(Change));
  };
  for (const StepKernel *Step : stepsOf(Kernel))
    for (const FunctionDecl *Function : Step->Functions) {
      Add(FunctionChange::Kind::Step, *Function);
      if (Shapes[Key.first].LogicalThreads)
        Add(FunctionChange::Kind::LogicalThreads, *Function);
    }
  if (Shapes[Key.first].Waits)
    Add(FunctionChange::Kind::Waits, spelledFunction(Kernel));
}

std::string StepCache::stepName(const FunctionDecl &Kernel,
                                const Place &Where) {
  auto [It, New] = Names.try_emplace(Where);
  if (New)
    It->second = freshName(Kernel.getNameAsString() + "_step");
  return It->second;
}

//===----------------------------------------------------------------------===//
// Artificial barriers in steps
//===----------------------------------------------------------------------===//

/// A barrier of \p Loop's would not stand where \p Maker makes steps.
static bool losesThreads(const Finding &Loop, const Finding &Maker) {
  using Kind = FunctionChange::Kind;
  return Loop.meets(Kind::BarrierAfterExits, Maker, {Kind::Step}) ||
         Loop.meets(Kind::Barrier, Maker, {Kind::LogicalThreads});
}

void suppressConflictingBarriers(llvm::StringRef RuleId,
                                 std::vector<Finding> &Findings) {
  using artificial_barrier::ReasonId;
  const ReasonInfo &Why =
      artificial_barrier::ReasonTable[unsigned(ReasonId::BecomesStep)];
  for (const Finding &Maker : Findings) {
    if (Maker.Rule != RuleId || !Maker.applies())
      continue;
    for (Finding &Loop : Findings)
      if (Loop.Rule == "artificial-barrier" &&
          Loop.Outcome == Verdict::Rewrite && losesThreads(Loop, Maker))
        leave(Loop, "take an artificial barrier", Why, Maker.Where);
  }
}

} // namespace barricade::grid_barrier
