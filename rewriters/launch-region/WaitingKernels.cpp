// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/launch-region/WaitingKernels.h"
#include "matchers/facts/DeviceCalls.h"
#include "matchers/launch-overlap/Profit.h"
#include "matchers/source/FunctionId.h"
#include "matchers/source/SourcePlaces.h"
#include "rewriters/grid-barrier/KernelSite.h"
#include "rewriters/launch-region/LaunchCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include <memory>

using namespace clang;

namespace barricade::launch_overlap {

using launch_region::addShared;
using launch_region::isIncludedWithin;
using launch_region::LaunchRegion;
using launch_region::RegionLaunch;

/// The definition of \p Kernel that a linker chooses may be another unit's.
static bool isShared(const FunctionDecl &Kernel) {
  return Kernel.isExternallyVisible() &&
         (Kernel.isInlined() || Kernel.isTemplateInstantiation());
}

/// Whether \p Kernel, of the device pass \p Pass, can wait, in all builds.
static WaitingKernel inspectInAllBuilds(const FunctionDecl &Kernel,
                                        const Program &Whole,
                                        const PassView &Pass,
                                        const ConstantEscapes &Constants,
                                        OtherBuilds &Others) {
  WaitingKernel Inspected = inspectWaiting(Kernel, Whole, Pass, Constants);
  // The kernel's own name matters where it is launched.
  const auto MayAddTo = [&](const Decl &Part) {
    return Part.getCanonicalDecl() !=
               spelledFunction(Kernel).getCanonicalDecl() &&
           Part.getCanonicalDecl() != Kernel.getCanonicalDecl() &&
           Others.mayAdd(Part, spelledLocation(Kernel));
  };
  const bool ChoosesCode = llvm::any_of(
      Inspected.Parts, [](const Decl *Part) { return choosesCode(*Part); });
  for (const Decl *Part : Inspected.Parts)
    if (Others.mayReplace(*Part, spelledLocation(Kernel)) || MayAddTo(*Part) ||
        Others.mayRespell(*Part, isShared(Kernel), ChoosesCode))
      Inspected.Blockers.push_back(
          blocker(ReasonId::OtherVersion, Part->getLocation()));
  return Inspected;
}

bool becomesElse(const Finding &Own, const Finding &Other) {
  using Kind = FunctionChange::Kind;
  return Own.meets(Kind::Waits, Other,
                   {Kind::Step, Kind::LogicalThreads, Kind::Cut});
}

WaitingKernels::WaitingKernels(const Program &P, const RuleOptions &Options)
    : Whole(P), Host(*P.host()), SM(Host.Context->getSourceManager()),
      Source(*Host.Context), Constants(P), Others(Host),
      Steps(P, Options.GpuSync) {
  for (const PassView &Pass : P.Passes)
    if (Pass.IsDevice)
      Passes.emplace_back(
          Pass, [this, &P, Builds = std::make_shared<OtherBuilds>(Pass)](
                    const FunctionDecl &Kernel, const PassView &Its) {
            return inspectInAllBuilds(Kernel, P, Its, Constants, *Builds);
          });
}

//===----------------------------------------------------------------------===//
// Whether a kernel can wait
//===----------------------------------------------------------------------===//

void WaitingKernels::check(const LaunchRegion &R, const RegionLaunch &L,
                           Finding &F) {
  const SourceLocation Where = L.Call->getBeginLoc();
  if (!L.Kernel)
    return addReason(blocker(ReasonId::KernelNotVisible, Where), SM, F);
  checkDevice(*L.Kernel, Where, F);
  if (mayNameAnother(L))
    addReason(blocker(ReasonId::OtherVersion, Where), SM, F);
  checkText(R, *L.Kernel, F);
  if (F.Reasons.empty() && isPromised(*L.Kernel))
    checkStep(L, F);
}

bool WaitingKernels::canWait(const LaunchRegion &R, const RegionLaunch &L) {
  Finding WhyNot;
  check(R, L, WhyNot);
  return WhyNot.Reasons.empty();
}

bool WaitingKernels::keepsLoads(const RegionLaunch &L) {
  return !isAny(*L.Kernel, [](const WaitingKernel &K, const PassView &Pass) {
    return Profit::losesReadOnlyLoads(K, *Pass.Context);
  });
}

/// Some instance of \p Kernel, in some pass, passes \p Test.
bool WaitingKernels::isAny(
    const FunctionDecl &Kernel,
    llvm::function_ref<bool(const WaitingKernel &, const PassView &)> Test) {
  return llvm::any_of(Passes, [&](auto &Pass) {
    return llvm::any_of(
        Pass.findAll(grid_barrier::keyOf(Kernel)),
        [&](const WaitingKernel *Found) { return Test(*Found, Pass.pass()); });
  });
}

/// Why it cannot, or another instance of its template, which then would as
/// well.
void WaitingKernels::checkDevice(const FunctionDecl &Kernel,
                                 SourceLocation Launch, Finding &F) {
  const grid_barrier::FunctionKey Key = grid_barrier::keyOf(Kernel);
  for (auto &Pass : Passes) {
    if (!Pass.find(Key))
      addReason(blocker(ReasonId::KernelNotVisible, Launch), SM, F);
    for (const WaitingKernel *Found : Pass.findAll(Key))
      addReasons(Found->Blockers, Pass.sourceManager(), F);
  }
}

/// Some instance of \p Kernel may be read ahead by what it promises.
bool WaitingKernels::isPromised(const FunctionDecl &Kernel) {
  return isAny(Kernel, [](const WaitingKernel &K, const PassView &) {
    return !K.Promises.empty();
  });
}

/// Adds these promises to \p F as reasons.
void WaitingKernels::refusePromises(const FunctionDecl &Kernel, Finding &F) {
  for (auto &Pass : Passes)
    for (const WaitingKernel *Found : Pass.findAll(grid_barrier::keyOf(Kernel)))
      addReasons(Found->Promises, Pass.sourceManager(), F);
}

/// Whether the kernel's body can be kept from its promises.
void WaitingKernels::checkStep(const RegionLaunch &L, Finding &F) {
  Finding Step;
  if (!firstGridWait(spelledFunction(*L.Kernel))) {
    Steps.writeWaiting(*L.Kernel, L.Call->getBeginLoc(), SM, Step);
    if (Step.Reasons.empty())
      return;
  }
  refusePromises(*L.Kernel, F);
  for (const Reason &Why : Step.Reasons)
    F.Reasons.back().Notes.push_back(
        {Why.Where,
         "its body cannot become a function of its own: " + Why.Text});
}

/// Where macros are set otherwise, the name may stand for another kernel.
bool WaitingKernels::mayNameAnother(const RegionLaunch &L) {
  const SourceLocation Where = L.Call->getBeginLoc();
  const FunctionDecl &Spelled = spelledFunction(*L.Kernel);
  const auto *Name = dyn_cast<DeclRefExpr>(L.Callee->IgnoreParenImpCasts());
  return Others.mayReplace(Spelled, Where) ||
         Others.mayAdd(Spelled, Where, Name && Name->hasQualifier()) ||
         Others.mayRespellName(Spelled, L.Callee->getBeginLoc(),
                               L.Callee->getEndLoc()) ||
         llvm::any_of(partsOf(*L.Callee, Host, Constants),
                      [&](const Decl *Part) {
                        return Others.mayReplace(*Part, Where) ||
                               Others.mayAdd(*Part, Where) ||
                               Others.mayRespell(*Part, /*IsShared=*/false,
                                                 choosesCode(*Part));
                      });
}

void WaitingKernels::checkText(const LaunchRegion &R,
                               const FunctionDecl &Kernel, Finding &F) const {
  const FunctionDecl &Spelled = spelledFunction(Kernel);
  const auto *Body = dyn_cast_or_null<CompoundStmt>(Spelled.getBody());
  const auto Refuse = [&](ReasonId Id) {
    addReason(blocker(Id, Spelled.getLocation()), SM, F);
  };
  if (!Body || !SourceText::isWritable(Body->getLBracLoc()))
    return Refuse(ReasonId::InMacro);
  if (Spelled.isConstexpr())
    Refuse(ReasonId::DeviceFunction);
  if (isIncludedWithin(Spelled))
    Refuse(ReasonId::IncludedWithin);
  if (Whole.IsEditable && !firstGridWait(Spelled) &&
      !Whole.IsEditable(placeOf(Body->getLBracLoc(), SM).File))
    Refuse(ReasonId::HeaderKernel);
  const grid_barrier::KernelSite Site =
      grid_barrier::siteBefore(*R.Function, Source);
  if (grid_barrier::hasOtherVersion(Kernel, Site, Source) ||
      Source.hasDirectiveBetween(SM.getExpansionLoc(Spelled.getBeginLoc()),
                                 Body->getLBracLoc()))
    Refuse(ReasonId::OtherVersion);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

void WaitingKernels::write(const RegionLaunch &L, Finding &F) {
  const FunctionDecl &Kernel = spelledFunction(*L.Kernel);
  if (firstGridWait(Kernel))
    return;
  if (isPromised(*L.Kernel))
    Steps.writeWaiting(*L.Kernel, L.Call->getBeginLoc(), SM, F);
  else
    writeWait(Kernel, F);
  const FunctionChange Change{FunctionChange::Kind::Waits, functionId(Kernel)};
  if (!llvm::is_contained(F.Changes, Change))
    F.Changes.push_back(Change);
}

void WaitingKernels::writeWait(const FunctionDecl &Kernel, Finding &F) const {
  const auto &Body = *cast<CompoundStmt>(Kernel.getBody());
  const SourceLocation Open = Body.getLBracLoc();
  const std::string Wait = grid_barrier::WaitStatement.str();
  const bool HasLines =
      !Body.body_empty() &&
      !Source.onOneLine(Open, (*Body.body_begin())->getBeginLoc());
  const SourceLocation After = Source.afterToken(Open);
  Edit E =
      HasLines
          ? Source.insertion(
                Source.afterTrailingComment(After),
                Source.lineEnding(Open).str() +
                    Source.deeper(Open, (*Body.body_begin())->getBeginLoc()) +
                    Wait)
          : Source.insertion(After, " " + Wait);
  addShared(std::move(E), F);
}

} // namespace barricade::launch_overlap
