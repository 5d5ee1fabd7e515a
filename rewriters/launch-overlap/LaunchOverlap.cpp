// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule launch-overlap: from regions of launches to findings. Of
//
//   for (int step = 0; step < steps; ++step)
//     core<<<grid, block>>>(newer, older);
//
// it makes
//
//   barricade::OverlappedLaunches overlap;
//   for (int step = 0; step < steps; ++step)
//     overlap.launch(core, grid, block, 0, nullptr, newer, older);
//
// where core's first statement waits for the grid before. If core reads through
// `__restrict__`, it becomes a step of a kernel that waits
// (rewriters/grid-barrier/StepText.h).

#include "rewriters/launch-overlap/LaunchOverlap.h"
#include "matchers/DeviceFunctions.h"
#include "matchers/FunctionId.h"
#include "matchers/SourcePlaces.h"
#include "matchers/Statements.h"
#include "matchers/UserDeclarations.h"
#include "matchers/launch-overlap/WaitingKernel.h"
#include "rewriters/GiveWay.h"
#include "rewriters/Macros.h"
#include "rewriters/OtherBuilds.h"
#include "rewriters/SourceText.h"
#include "rewriters/UnitNames.h"
#include "rewriters/grid-barrier/DeviceKernels.h"
#include "rewriters/grid-barrier/KernelSite.h"
#include "rewriters/grid-barrier/StepBook.h"
#include "rewriters/launch-region/LaunchCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace clang;

namespace barricade {
namespace {

using namespace launch_overlap;
using launch_region::addShared;
using launch_region::isIncludedWithin;
using launch_region::LaunchCalls;
using launch_region::LaunchRegion;
using launch_region::RegionLaunch;

constexpr llvm::StringLiteral RuleId = "launch-overlap";
/// What is saved of a launch at least (H200, docs/results/launch-overlap).
constexpr double SavedMicroseconds = 0.6;

/// The definition of \p Kernel that a linker chooses may be another unit's.
bool isShared(const FunctionDecl &Kernel) {
  return Kernel.isExternallyVisible() &&
         (Kernel.isInlined() || Kernel.isTemplateInstantiation());
}

/// Whether \p Kernel, of the device pass \p Pass, can wait, in all builds.
WaitingKernel inspectInAllBuilds(const FunctionDecl &Kernel,
                                 const Program &Whole, const PassView &Pass,
                                 const ConstantEscapes &Constants) {
  WaitingKernel Inspected = inspectWaiting(Kernel, Whole, Pass, Constants);
  OtherBuilds Others(Pass);
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
      Inspected.Hindrances.push_back(
          hindrance(ReasonId::OtherVersion, Part->getLocation()));
  return Inspected;
}

/// What the device passes say of kernels.
class Kernels {
public:
  explicit Kernels(const Program &Whole) : Constants(Whole) {
    for (const PassView &Pass : Whole.Passes)
      if (Pass.IsDevice)
        Passes.emplace_back(Pass, [this, &Whole](const FunctionDecl &Kernel,
                                                 const PassView &Its) {
          return inspectInAllBuilds(Kernel, Whole, Its, Constants);
        });
  }

  /// Adds to \p F why \p Kernel, which is launched at \p Launch, cannot wait:
  /// it or another instance of its template, which then would as well.
  void check(const FunctionDecl &Kernel, SourceLocation Launch,
             const SourceManager &HostSM, Finding &F) {
    const grid_barrier::FunctionKey Key = grid_barrier::keyOf(Kernel);
    for (auto &Pass : Passes) {
      if (!Pass.find(Key))
        addReason(hindrance(ReasonId::KernelNotVisible, Launch), HostSM, F);
      for (const WaitingKernel *Found : Pass.findAll(Key))
        addReasons(Found->Hindrances, Pass.sourceManager(), F);
    }
  }

  /// Some instance of \p Kernel may be read ahead by what it promises.
  bool isPromised(const FunctionDecl &Kernel) {
    return llvm::any_of(Passes, [Key =
                                     grid_barrier::keyOf(Kernel)](auto &Pass) {
      return llvm::any_of(Pass.findAll(Key), [](const WaitingKernel *Found) {
        return !Found->Promises.empty();
      });
    });
  }

  /// Adds these promises to \p F as reasons.
  void refusePromises(const FunctionDecl &Kernel, Finding &F) {
    for (auto &Pass : Passes)
      for (const WaitingKernel *Found :
           Pass.findAll(grid_barrier::keyOf(Kernel)))
        addReasons(Found->Promises, Pass.sourceManager(), F);
  }

  llvm::SetVector<const Decl *> partsOf(const DeclRefExpr &Name,
                                        const PassView &Pass) const {
    return launch_overlap::partsOf(Name, Pass, Constants);
  }

private:
  const ConstantEscapes Constants;
  std::vector<grid_barrier::DeviceKernels<WaitingKernel>> Passes;
};

class Search {
public:
  Search(const Program &P, const RuleOptions &Options)
      : Host(*P.host()), Context(*Host.Context), SM(Context.getSourceManager()),
        Source(Context), Options(Options), Calls(P), OfDevice(P),
        Steps(P, Options.GpuSync), Names(Context) {}

  void run(const LaunchRegion &R, std::vector<Finding> &Findings) {
    Finding Whole = start(R, *R.First, *R.Last);
    Calls.checkPlace(R, Whole);
    if (!Whole.Reasons.empty())
      return Findings.push_back(refused(std::move(Whole)));
    std::vector<const RegionLaunch *> Waiting;
    for (const RegionLaunch &L : R.Launches) {
      Finding Alone = start(R, *L.Call, *L.Call);
      Alone.Subject = "launch";
      checkLaunch(R, L, Alone);
      if (Alone.Reasons.empty())
        Waiting.push_back(&L);
      else
        Findings.push_back(refused(std::move(Alone)));
    }
    if (!mayFollowOneAnother(Waiting))
      return;
    write(R, Waiting, Whole);
    Findings.push_back(std::move(Whole));
  }

private:
  Finding start(const LaunchRegion &R, const Stmt &First,
                const Stmt &Last) const {
    Finding F;
    F.Rule = RuleId.str();
    F.Where = placeOf(First.getBeginLoc(), SM);
    F.End = placeAfterToken(Last.getEndLoc(), SM, Context.getLangOpts());
    F.Function = R.Function->getQualifiedNameAsString();
    return F;
  }

  static Finding refused(Finding F) {
    F.Outcome = Verdict::Refused;
    if (F.Subject.empty())
      F.Subject = "launches";
    F.Message = F.Subject + " cannot overlap the " +
                (F.Subject == "launch" ? "one before: " : "ones before: ") +
                F.Reasons.front().Text;
    return F;
  }

  static bool
  mayFollowOneAnother(llvm::ArrayRef<const RegionLaunch *> Launches) {
    return Launches.size() > 1 ||
           (!Launches.empty() && Launches.front()->IsInLoop);
  }

  //===--- One launch -----------------------------------------------------===//

  void checkLaunch(const LaunchRegion &R, const RegionLaunch &L, Finding &F) {
    const SourceLocation Where = L.Call->getBeginLoc();
    const auto Refuse = [&](ReasonId Id, SourceLocation At) {
      addReason(hindrance(Id, At), SM, F);
    };
    if (!Calls.checkLaunch(L, F))
      return;
    if (!L.Kernel)
      return Refuse(ReasonId::KernelNotVisible, Where);
    OfDevice.check(*L.Kernel, Where, SM, F);
    if (mayNameAnother(L))
      Refuse(ReasonId::OtherVersion, Where);
    checkKernelText(R, *L.Kernel, F);
    if (F.Reasons.empty() && OfDevice.isPromised(*L.Kernel))
      checkStep(L, F);
  }

  /// Whether the kernel's body can be kept from its promises.
  void checkStep(const RegionLaunch &L, Finding &F) {
    Finding Step;
    if (!waitsFirst(spelledFunction(*L.Kernel))) {
      Steps.writeWaiting(*L.Kernel, L.Call->getBeginLoc(), SM, Step);
      if (Step.Reasons.empty())
        return;
    }
    OfDevice.refusePromises(*L.Kernel, F);
    for (const Reason &Why : Step.Reasons)
      F.Reasons.back().Notes.push_back(
          {Why.Where,
           "its body cannot become a function of its own: " + Why.Text});
  }

  /// Where macros are set otherwise, the name may stand for another kernel.
  bool mayNameAnother(const RegionLaunch &L) const {
    const SourceLocation Where = L.Call->getBeginLoc();
    const FunctionDecl &Spelled = spelledFunction(*L.Kernel);
    OtherBuilds Others(Host);
    const auto *Name = dyn_cast<DeclRefExpr>(L.Callee->IgnoreParenImpCasts());
    return Others.mayReplace(Spelled, Where) ||
           Others.mayAdd(Spelled, Where, Name && Name->hasQualifier()) ||
           Others.mayRespellName(Spelled, L.Callee->getBeginLoc(),
                                 L.Callee->getEndLoc()) ||
           llvm::any_of(OfDevice.partsOf(*L.Callee, Host),
                        [&](const Decl *Part) {
                          return Others.mayReplace(*Part, Where) ||
                                 Others.mayAdd(*Part, Where) ||
                                 Others.mayRespell(*Part, /*IsShared=*/false,
                                                   choosesCode(*Part));
                        });
  }

  void checkKernelText(const LaunchRegion &R, const FunctionDecl &Kernel,
                       Finding &F) const {
    const FunctionDecl &Spelled = spelledFunction(Kernel);
    const auto *Body = dyn_cast_or_null<CompoundStmt>(Spelled.getBody());
    const auto Refuse = [&](ReasonId Id) {
      addReason(hindrance(Id, Spelled.getLocation()), SM, F);
    };
    if (!Body || !SourceText::isWritable(Body->getLBracLoc()))
      return Refuse(ReasonId::InMacro);
    if (Spelled.isConstexpr())
      Refuse(ReasonId::DeviceFunction);
    if (isIncludedWithin(Spelled))
      Refuse(ReasonId::IncludedWithin);
    const grid_barrier::KernelSite Site =
        grid_barrier::siteBefore(*R.Function, Source);
    if (grid_barrier::hasOtherVersion(Kernel, Site, Source) ||
        Source.hasDirectiveBetween(SM.getExpansionLoc(Spelled.getBeginLoc()),
                                   Body->getLBracLoc()))
      Refuse(ReasonId::OtherVersion);
  }

  //===--- Text -----------------------------------------------------------===//

  void write(const LaunchRegion &R,
             llvm::ArrayRef<const RegionLaunch *> Waiting, Finding &F) {
    const std::string Name = Names.fresh("overlap");
    const SourceLocation Begin = R.First->getBeginLoc();
    llvm::SmallVector<const FunctionDecl *> Changed = {R.Function};
    for (const RegionLaunch *L : Waiting)
      Changed.push_back(&spelledFunction(*L->Kernel));
    Calls.include(Changed, Options.Header, F);
    F.Edits.push_back(
        Source.insertion(Begin, "barricade::OverlappedLaunches " + Name + ";" +
                                    Source.lineEnding(Begin).str() +
                                    Source.indentation(Begin).str()));
    for (const RegionLaunch *L : Waiting) {
      F.Parts.push_back(placeOf(L->Call->getBeginLoc(), SM));
      Calls.writeLaunch(*L, Name, F);
      if (!waitsFirst(spelledFunction(*L->Kernel)))
        writeKernel(*L, F);
    }
    if (grid_barrier::meetsMacros(F.Edits, *Host.PP)) {
      F.Edits.clear();
      addReason(hindrance(ReasonId::RuntimeName, Begin), SM, F);
      F = refused(std::move(F));
      return;
    }
    const size_t All = R.Launches.size(), Count = Waiting.size();
    F.Subject =
        llvm::formatv("{0} {1}", Count, Count == 1 ? "launch" : "launches");
    F.Outcome = Verdict::Rewrite;
    F.Form = "wait-first";
    F.Facts.push_back({"launches", int64_t(All), ""});
    F.Facts.push_back({"overlapped", int64_t(Count), ""});
    F.Facts.push_back({"launch-time-saved", SavedMicroseconds, "us"});
    F.Message = F.Subject + " can begin while the grid before comes to its end";
  }

  void writeKernel(const RegionLaunch &L, Finding &F) {
    const FunctionDecl &Kernel = spelledFunction(*L.Kernel);
    if (OfDevice.isPromised(*L.Kernel))
      Steps.writeWaiting(*L.Kernel, L.Call->getBeginLoc(), SM, F);
    else
      writeWait(Kernel, F);
    const FunctionChange Change{FunctionChange::Kind::Waits,
                                functionId(Kernel)};
    if (!llvm::is_contained(F.Changes, Change))
      F.Changes.push_back(Change);
  }

  void writeWait(const FunctionDecl &Kernel, Finding &F) const {
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

  const PassView &Host;
  ASTContext &Context;
  const SourceManager &SM;
  const SourceText Source;
  const RuleOptions &Options;
  const LaunchCalls Calls;
  Kernels OfDevice;
  grid_barrier::StepBook Steps;
  UnitNames Names;
};

bool overlaps(const Finding &A, const Finding &B) {
  return A.Where.File == B.Where.File && A.Where.Offset < B.End.Offset &&
         B.Where.Offset < A.End.Offset;
}

/// Others take the launches away, or make something else of their kernels.
void yieldToOthers(std::vector<Finding> &Findings) {
  giveWay(Findings, RuleId, "overlap",
          ReasonTable[unsigned(ReasonId::OtherRule)],
          [](const Finding &Own, const Finding &Other) {
            using Kind = FunctionChange::Kind;
            return overlaps(Own, Other) ||
                   Own.meets(Kind::Waits, Other,
                             {Kind::Step, Kind::LogicalThreads, Kind::Cut});
          });
}

class LaunchOverlap : public Rule {
public:
  llvm::StringRef id() const override { return RuleId; }
  llvm::StringRef summary() const override {
    return "kernels that follow each other in a stream are started while the "
           "one before comes to its end (sm_90)";
  }
  llvm::ArrayRef<ReasonInfo> reasons() const override { return ReasonTable; }
  std::optional<LoopForm> loopForm() const override {
    return LoopForm::Overlap;
  }
  bool isDefault() const override { return false; }

  void run(const Program &P, const RuleOptions &Options,
           std::vector<Finding> &Findings) const override {
    if (!P.host())
      return;
    const std::vector<LaunchRegion> Regions = launch_region::findLaunchRegions(
        *P.host(), launch_region::Between::Waits);
    if (Regions.empty())
      return;
    Search S(P, Options);
    for (const LaunchRegion &R : Regions)
      S.run(R, Findings);
  }

  void choose(std::vector<Finding> &Findings) const override {
    yieldToOthers(Findings);
  }
};

} // namespace

std::unique_ptr<Rule> createLaunchOverlapRule() {
  return std::make_unique<LaunchOverlap>();
}

} // namespace barricade
