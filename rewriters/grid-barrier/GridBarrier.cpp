// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule grid-barrier: from host loops that launch kernels to findings.

#include "rewriters/grid-barrier/GridBarrier.h"
#include "matchers/DeviceFunctions.h"
#include "matchers/KernelEffects.h"
#include "matchers/SourcePlaces.h"
#include "matchers/Statements.h"
#include "matchers/UserDeclarations.h"
#include "matchers/artificial-barrier/Reasons.h"
#include "matchers/grid-barrier/RelaunchLoop.h"
#include "matchers/grid-barrier/StepKernel.h"
#include "rewriters/grid-barrier/PersistentText.h"
#include "rewriters/grid-barrier/StepText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ODRHash.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

using namespace clang;

namespace barricade {
namespace {

using namespace grid_barrier;

constexpr llvm::StringLiteral RuleId = "grid-barrier";
/// The fact that names the functions which steps consist of.
constexpr llvm::StringLiteral StepFunctions = "step-functions";

/// What a function is called and where it stands, in whatever pass.
using FunctionKey = std::pair<Place, std::string>;

FunctionKey keyOf(const FunctionDecl &Function) {
  const ASTContext &Context = Function.getASTContext();
  std::string Name;
  llvm::raw_string_ostream Stream(Name);
  Function.getNameForDiagnostic(Stream, Context.getPrintingPolicy(),
                                /*Qualified=*/true);
  return {placeOf(spelledLocation(Function), Context.getSourceManager()), Name};
}

unsigned hashOf(const Stmt &S) {
  ODRHash Hash;
  Hash.AddStmt(&S);
  return Hash.CalculateHash();
}

/// What a device pass knows of kernels and of the host's loops.
class DevicePass {
public:
  DevicePass(const PassView &Pass, const Program &Whole)
      : Pass(Pass), Whole(Whole) {
    for (const FunctionDecl *Kernel : collectUserCode(*Pass.Context).Kernels)
      Kernels[keyOf(*Kernel)] = Kernel;
    for (const HostLoop &L : findHostLoops(Pass))
      Loops[placeOf(L.Loop->getBeginLoc(), sourceManager())] = hashOf(*L.Loop);
  }

  /// Null where the pass has no such kernel.
  const StepKernel *step(const FunctionKey &Key) {
    auto Found = Kernels.find(Key);
    if (Found == Kernels.end())
      return nullptr;
    auto [It, New] = Steps.try_emplace(Found->second);
    if (New)
      It->second = inspectStep(*Found->second, Whole, Pass);
    return &It->second;
  }

  bool agreesWith(const HostLoop &L, const SourceManager &HostSM) const {
    auto Found = Loops.find(placeOf(L.Loop->getBeginLoc(), HostSM));
    return Found != Loops.end() && Found->second == hashOf(*L.Loop);
  }

  const SourceManager &sourceManager() const {
    return Pass.Context->getSourceManager();
  }
  const ASTContext &context() const { return *Pass.Context; }

private:
  const PassView &Pass;
  const Program &Whole;
  std::map<FunctionKey, const FunctionDecl *> Kernels;
  std::map<const FunctionDecl *, StepKernel> Steps;
  std::map<Place, unsigned> Loops;
};

/// The type of barrier that stands for an option's strategy.
std::string barrierType(llvm::StringRef Strategy) {
  if (Strategy == "lock")
    return "barricade::LockGridBarrier";
  if (Strategy == "lock-free")
    return "barricade::LockFreeGridBarrier";
  if (Strategy == "cooperative")
    return "barricade::CooperativeGridBarrier";
  return "barricade::GridBarrier";
}

class Search {
public:
  Search(const Program &P, const RuleOptions &Options)
      : Host(*P.host()), Context(*Host.Context),
        SM(Context.getSourceManager()), Options(Options) {
    for (const PassView &Pass : P.Passes)
      if (Pass.IsDevice)
        Devices.emplace_back(Pass, P);
  }

  void run(std::vector<Finding> &Findings) {
    const std::vector<HostLoop> Loops = findHostLoops(Host);
    std::vector<bool> Covered;
    for (const HostLoop &L : Loops) {
      Covered.push_back(L.Parent >= 0 && Covered[L.Parent]);
      if (Covered.back())
        continue;
      Findings.push_back(write(L));
      Covered.back() = Findings.back().Outcome == Verdict::Rewrite;
    }
  }

private:
  Finding write(const HostLoop &L) {
    Finding F;
    F.Rule = RuleId.str();
    F.Where = placeOf(L.Loop->getBeginLoc(), SM);
    F.End = placeAfterToken(L.Loop->getEndLoc(), SM, Context.getLangOpts());
    F.Function = L.Function->getQualifiedNameAsString();
    F.Subject = loopNoun(*L.Loop).str();
    Functions.clear();
    const RelaunchLoop Read = readRelaunchLoop(L, Host);
    addReasons(Read.Hindrances, SM, F);
    for (const DevicePass &Device : Devices)
      if (!Device.agreesWith(L, SM))
        addReason(hindrance(ReasonId::PassesDiffer, L.Loop->getBeginLoc()), SM,
                  F);
    if (F.Reasons.empty())
      writeSteps(Read, F);
    if (F.Reasons.empty())
      writeLoop(Read, F);
    if (F.Reasons.empty()) {
      F.Outcome = Verdict::Rewrite;
      F.Form = "persistent";
      F.Message = F.Subject + " of kernel launches can become one persistent "
                              "kernel with a grid barrier";
      return F;
    }
    F.Outcome = Verdict::Refused;
    F.Edits.clear();
    F.Message = F.Subject + " of kernel launches cannot become one kernel: " +
                F.Reasons.front().Text;
    return F;
  }

  static void addReasons(llvm::ArrayRef<Hindrance> Hindrances,
                         const SourceManager &SM, Finding &F) {
    for (const Hindrance &H : Hindrances)
      addReason(H, SM, F);
  }

  //===--- Steps ----------------------------------------------------------===//

  /// Every device pass has its own view of a kernel; all must agree.
  void writeSteps(const RelaunchLoop &L, Finding &F) {
    for (const LoopLaunch &Launch : L.Launches) {
      const FunctionKey Key = keyOf(*Launch.Kernel);
      for (DevicePass &Device : Devices) {
        const StepKernel *Step = Device.step(Key);
        if (!Step) {
          addReason(
              hindrance(ReasonId::KernelNotVisible, Launch.Call->getBeginLoc()),
              SM, F);
          continue;
        }
        addReasons(Step->Hindrances, Device.sourceManager(), F);
        for (const ReadOnlyLoad &Load : Step->ReadOnlyLoads)
          addReason(hindrance(ReasonId::ReadOnlyLoad, Load.Where),
                    Device.sourceManager(), F);
        if (F.Reasons.empty())
          writeStepOf(*Step, Key, Device, F);
      }
    }
  }

  void writeStepOf(const StepKernel &Step, const FunctionKey &Key,
                   const DevicePass &Device, Finding &F) {
    StepText Text =
        writeStep(Step, Device.context(), stepName(*Step.Kernel, Key.first));
    for (const FunctionDecl *Function :
         collectKernelEffects(*Step.Kernel, /*RestrictParams=*/false).Functions)
      Functions.insert(Function->getQualifiedNameAsString());
    addReasons(Text.Hindrances, Device.sourceManager(), F);
    auto [It, New] = StepTexts.try_emplace(Key.first, Text);
    if (!New && It->second.Edits != Text.Edits)
      addReason(hindrance(ReasonId::PassesDiffer, Step.Kernel->getLocation()),
                Device.sourceManager(), F);
    for (Edit &E : Text.Edits) {
      E.WithOthers = Edit::Meeting::Shared;
      if (!llvm::is_contained(F.Edits, E))
        F.Edits.push_back(std::move(E));
    }
  }

  std::string stepName(const FunctionDecl &Kernel, const Place &Where) {
    auto [It, New] = StepNames.try_emplace(Where);
    if (New)
      It->second = freshName(Kernel.getNameAsString() + "_step");
    return It->second;
  }

  //===--- The loop -------------------------------------------------------===//

  void writeLoop(const RelaunchLoop &L, Finding &F) {
    const auto Fresh = [&](const std::string &Base) { return freshName(Base); };
    const PersistentNames Names = {
        freshName(L.Function->getNameAsString() + "_persistent"),
        barrierType(Options.GpuSync), Fresh};
    PersistentText Text = writePersistent(
        L, Names,
        [&](const FunctionDecl &Kernel) -> const StepText & {
          return StepTexts.at(keyOf(Kernel).first);
        },
        Host);
    addReasons(Text.Hindrances, SM, F);
    llvm::append_range(F.Edits, Text.Edits);
    F.Facts.push_back({"launches", int64_t(L.Launches.size()), ""});
    F.Facts.push_back(
        {StepFunctions.str(), llvm::join(Functions, ", "), ""});
  }

  /// A name that nothing in the translation unit has yet.
  std::string unusedName(const std::string &Base) const {
    for (unsigned N = 1;; ++N) {
      std::string Name = N == 1 ? Base : Base + std::to_string(N);
      if (!isNameTaken(Name, Context) &&
          !Given.contains(Name))
        return Name;
    }
  }
  /// One that is not given again.
  std::string freshName(const std::string &Base) {
    std::string Name = unusedName(Base);
    Given.insert(Name);
    return Name;
  }

  const PassView &Host;
  ASTContext &Context;
  const SourceManager &SM;
  const RuleOptions &Options;
  std::vector<DevicePass> Devices;
  std::map<Place, StepText> StepTexts;
  std::map<Place, std::string> StepNames;
  llvm::StringSet<> Given;
  /// Of the loop at hand.
  std::set<std::string> Functions;
};

/// Whether \p Loop, of the rule artificial-barrier, is in a kernel that \p Grid
/// makes a step of, and is legal only as long as threads that return exit.
bool losesExits(const Finding &Loop, const Finding &Grid) {
  const auto Find = [](const Finding &F, llvm::StringRef Name) {
    return llvm::find_if(F.Facts,
                         [&](const Fact &A) { return A.Name == Name; });
  };
  const auto Steps = Find(Grid, StepFunctions);
  if (Steps == Grid.Facts.end() ||
      Find(Loop, "early-exits") == Loop.Facts.end())
    return false;
  llvm::SmallVector<llvm::StringRef, 4> Names;
  llvm::StringRef(std::get<std::string>(Steps->Value)).split(Names, ", ");
  return llvm::is_contained(Names, Loop.Function);
}

/// A thread that returned from a step has not exited: it would be missed at an
/// artificial barrier in it.
void holdBackBarriers(std::vector<Finding> &Findings) {
  using artificial_barrier::ReasonId;
  const ReasonInfo &Why =
      artificial_barrier::ReasonTable[unsigned(ReasonId::BecomesStep)];
  for (const Finding &Grid : Findings) {
    if (Grid.Rule != RuleId || Grid.Outcome != Verdict::Rewrite)
      continue;
    for (Finding &Loop : Findings)
      if (Loop.Rule == "artificial-barrier" &&
          Loop.Outcome == Verdict::Rewrite && losesExits(Loop, Grid)) {
        Loop.Outcome = Verdict::NotProfitable;
        Loop.Reasons.push_back(
            {Why.Id.str(), Grid.Where, Why.Summary.str(), {}});
        Loop.Message = Loop.Subject + " could take an artificial barrier, but " +
                       Why.Summary.str();
      }
  }
}

class GridBarrier : public Rule {
public:
  llvm::StringRef id() const override { return RuleId; }
  llvm::StringRef summary() const override {
    return "a host loop of kernel launches becomes one kernel with a "
           "__gpu_sync() for each launch";
  }
  llvm::ArrayRef<ReasonInfo> reasons() const override { return ReasonTable; }

  void run(const Program &P, const RuleOptions &Options,
           std::vector<Finding> &Findings) const override {
    if (P.host())
      Search(P, Options).run(Findings);
  }

  void choose(std::vector<Finding> &Findings) const override {
    holdBackBarriers(Findings);
  }

  /// The strategies of `__gpu_sync`.
  std::vector<Setting> settings(const RuleOptions &Options) const override {
    std::vector<Setting> Result;
    for (const char *Strategy :
         {"automatic", "lock", "lock-free", "cooperative"}) {
      Result.push_back({Strategy, Options, {}});
      Result.back().Options.GpuSync = Strategy;
    }
    return Result;
  }
};

} // namespace

std::unique_ptr<Rule> createGridBarrierRule() {
  return std::make_unique<GridBarrier>();
}

} // namespace barricade
