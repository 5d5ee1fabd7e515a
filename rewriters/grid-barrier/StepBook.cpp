// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/StepBook.h"
#include "matchers/DeviceFunctions.h"
#include "matchers/SourcePlaces.h"
#include "matchers/UserDeclarations.h"
#include "matchers/artificial-barrier/Reasons.h"
#include "rewriters/FirstFree.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace barricade::grid_barrier {

/// The fact that names the functions which steps consist of.
static constexpr llvm::StringLiteral StepFunctions = "step-functions";

FunctionKey keyOf(const FunctionDecl &Function) {
  const ASTContext &Context = Function.getASTContext();
  std::string Name;
  llvm::raw_string_ostream Stream(Name);
  Function.getNameForDiagnostic(Stream, Context.getPrintingPolicy(),
                                /*Qualified=*/true);
  return {placeOf(spelledLocation(Function), Context.getSourceManager()), Name};
}

//===----------------------------------------------------------------------===//
// Device passes
//===----------------------------------------------------------------------===//

DevicePass::DevicePass(const PassView &Pass, const Program &Whole)
    : Pass(Pass), Whole(Whole) {
  for (const FunctionDecl *Kernel : collectUserCode(*Pass.Context).Kernels)
    Kernels[keyOf(*Kernel)] = Kernel;
}

const StepKernel *DevicePass::step(const FunctionKey &Key) {
  auto Found = Kernels.find(Key);
  if (Found == Kernels.end())
    return nullptr;
  auto [It, New] = Steps.try_emplace(Found->second);
  if (New)
    It->second = inspectStep(*Found->second, Whole, Pass);
  return &It->second;
}

const SourceManager &DevicePass::sourceManager() const {
  return Pass.Context->getSourceManager();
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

StepBook::StepBook(const Program &P) : Context(*P.host()->Context) {
  for (const PassView &Pass : P.Passes)
    if (Pass.IsDevice)
      Devices.emplace_back(Pass, P);
}

void StepBook::takeLogicalThreads(const FunctionDecl &Kernel) {
  Shapes[keyOf(Kernel).first].LogicalThreads = true;
}

void StepBook::write(const FunctionDecl &Kernel, SourceLocation Launch,
                     const SourceManager &HostSM, Finding &F) {
  const FunctionKey Key = keyOf(Kernel);
  for (DevicePass &Device : Devices) {
    const StepKernel *Step = Device.step(Key);
    if (!Step) {
      addReason(hindrance(ReasonId::KernelNotVisible, Launch), HostSM, F);
      continue;
    }
    addReasons(Step->Hindrances, Device.sourceManager(), F);
    for (const ReadOnlyLoad &Load : Step->ReadOnlyLoads)
      addReason(hindrance(ReasonId::ReadOnlyLoad, Load.Where),
                Device.sourceManager(), F);
    if (F.Reasons.empty())
      writeText(*Step, Key, Device, F);
  }
}

void StepBook::writeText(const StepKernel &Step, const FunctionKey &Key,
                         const DevicePass &Device, Finding &F) {
  const StepShape Shape = Shapes[Key.first];
  // Another instance of a template whose threads stand alone.
  if (Shape.LogicalThreads && !Step.ThreadsStandAlone)
    addReason(hindrance(ReasonId::IndexScope, Step.Kernel->getLocation()),
              Device.sourceManager(), F);
  StepText Text = writeStep(Step, Device.context(),
                            stepName(*Step.Kernel, Key.first), Shape);
  for (const FunctionDecl *Function : Step.Functions)
    Functions[Key].insert(Function->getQualifiedNameAsString());
  addReasons(Text.Hindrances, Device.sourceManager(), F);
  auto [It, New] = Texts.try_emplace(Key.first, Text);
  if (!New && It->second.Edits != Text.Edits)
    addReason(hindrance(ReasonId::PassesDiffer, Step.Kernel->getLocation()),
              Device.sourceManager(), F);
  for (Edit &E : Text.Edits) {
    E.WithOthers = Edit::Meeting::Shared;
    if (!llvm::is_contained(F.Edits, E))
      F.Edits.push_back(std::move(E));
  }
}

std::vector<const StepKernel *> StepBook::stepsOf(const FunctionDecl &Kernel) {
  std::vector<const StepKernel *> Steps;
  for (DevicePass &Device : Devices)
    if (const StepKernel *Step = Device.step(keyOf(Kernel)))
      Steps.push_back(Step);
  return Steps;
}

const StepText &StepBook::textOf(const FunctionDecl &Kernel) const {
  return Texts.at(keyOf(Kernel).first);
}

Fact StepBook::functionsFact(
    llvm::ArrayRef<const FunctionDecl *> Kernels) const {
  std::set<std::string> All;
  for (const FunctionDecl *Kernel : Kernels)
    if (auto Found = Functions.find(keyOf(*Kernel)); Found != Functions.end())
      All.insert(Found->second.begin(), Found->second.end());
  return {StepFunctions.str(), llvm::join(All, ", "), ""};
}

std::string StepBook::stepName(const FunctionDecl &Kernel, const Place &Where) {
  auto [It, New] = Names.try_emplace(Where);
  if (New)
    It->second = freshName(Kernel.getNameAsString() + "_step");
  return It->second;
}

std::string StepBook::freshName(const std::string &Base) {
  return firstFree(Base, [&](const std::string &Name) {
    return !isNameTaken(Name, Context) && Given.insert(Name).second;
  });
}

//===----------------------------------------------------------------------===//
// Artificial barriers in steps
//===----------------------------------------------------------------------===//

/// Whether \p Loop, of the rule artificial-barrier, is in a kernel that \p
/// Maker makes a step of, and is legal only as long as threads that return
/// exit.
static bool losesExits(const Finding &Loop, const Finding &Maker) {
  const auto Find = [](const Finding &F, llvm::StringRef Name) {
    return llvm::find_if(F.Facts,
                         [&](const Fact &A) { return A.Name == Name; });
  };
  const auto Steps = Find(Maker, StepFunctions);
  if (Steps == Maker.Facts.end() ||
      Find(Loop, "early-exits") == Loop.Facts.end())
    return false;
  llvm::SmallVector<llvm::StringRef, 4> Names;
  llvm::StringRef(std::get<std::string>(Steps->Value)).split(Names, ", ");
  return llvm::is_contained(Names, Loop.Function);
}

void holdBackBarriers(llvm::StringRef RuleId, std::vector<Finding> &Findings) {
  using artificial_barrier::ReasonId;
  const ReasonInfo &Why =
      artificial_barrier::ReasonTable[unsigned(ReasonId::BecomesStep)];
  for (const Finding &Maker : Findings) {
    if (Maker.Rule != RuleId || Maker.Outcome != Verdict::Rewrite)
      continue;
    for (Finding &Loop : Findings)
      if (Loop.Rule == "artificial-barrier" &&
          Loop.Outcome == Verdict::Rewrite && losesExits(Loop, Maker)) {
        Loop.Outcome = Verdict::NotProfitable;
        Loop.Reasons.push_back(
            {Why.Id.str(), Maker.Where, Why.Summary.str(), {}});
        Loop.Message = Loop.Subject +
                       " could take an artificial barrier, but " +
                       Why.Summary.str();
      }
  }
}

} // namespace barricade::grid_barrier
