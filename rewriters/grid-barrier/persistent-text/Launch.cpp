// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/persistent-text/Launch.h"
#include "matchers/host/UnitUses.h"
#include "matchers/source/Statements.h"
#include "rewriters/grid-barrier/persistent-text/Expressions.h"
#include "rewriters/grid-barrier/persistent-text/LoopText.h"
#include "rewriters/grid-barrier/persistent-text/Variables.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SetVector.h"
#include <set>

using namespace clang;

namespace barricade::grid_barrier::persistent {

/// With the function's own template arguments.
static std::string kernelName(const Plan &P) {
  return P.Names.Kernel + (P.OfTemplate ? P.OfTemplate->Arguments : "");
}

llvm::StringRef launchFunction(const Plan &P) {
  return P.mayClamp() ? "barricade::launch_persistent"
                      : "barricade::launch_persistent_exact";
}

/// What the kernel takes for \p Var.
static std::string captureText(const Plan &P, const VarDecl &Var) {
  const std::string Name = Var.getNameAsString();
  const unsigned Elements = P.L.Elements.lookup(&Var);
  if (Elements == 0)
    return Name;
  std::string Condition = P.Continued ? "" : entryCondition(P);
  if (!Condition.empty() && isComma(*P.L.Entry.Condition))
    Condition = "(" + Condition + ")";
  return "barricade::first_elements<" + std::to_string(Elements) + ">(" + Name +
         (Condition.empty() ? ")" : ", " + Condition + ")");
}

PersistentLaunch launchOfKernel(const Plan &P) {
  const LoopLaunch &First = P.L.Launches.front();
  PersistentLaunch Launch;
  Launch.Kernel = kernelName(P);
  Launch.Grid = chooseGrid(P);
  std::string Block = outsideText(P, *P.L.Block),
              SharedBytes = textOr0(P, P.L.SharedBytes);
  Launch.Shape = {Launch.Grid.Text, std::move(Block), std::move(SharedBytes),
                  textOr0(P, First.Stream)};
  std::vector<std::string> &Arguments = Launch.Arguments;
  Arguments.push_back(Launch.Kernel);
  if (!P.Parts.empty())
    Arguments.push_back(P.Parts);
  llvm::append_range(Arguments, Launch.Shape);
  if (!P.WholeGrid.empty())
    Arguments.push_back(outsideText(P, *First.Grid));
  for (const auto &[Grid, Name] : P.HostGrids)
    Arguments.push_back(Grid);
  for (const VarDecl *Var : P.Captures)
    if (!isUnset(P, *Var))
      Arguments.push_back(captureText(P, *Var));
  for (const auto &[Var, Name] : P.Results)
    Arguments.push_back(Name + ".device()");
  return Launch;
}

std::vector<std::string> rangeConditions(const Plan &P) {
  llvm::SetVector<std::string, std::vector<std::string>, std::set<std::string>>
      Conditions;
  for (const DeviceRange &Each : P.L.Ranges) {
    const std::string Where = Each.Where ? outsideText(P, *Each.Where)
                                         : Each.Pointer->getNameAsString();
    Conditions.insert("barricade::is_device_memory(" + Where + ", " +
                      outsideText(P, *Each.Bytes) + ")");
  }
  return Conditions.takeVector();
}

std::string resultDeclaration(const Plan &P, const VarDecl &Var,
                              const std::string &Name) {
  return "const barricade::Result<" + declaration(P, writtenType(P, Var), "") +
         "> " + Name + "(" + textOr0(P, P.L.Launches.front().Stream) + ");";
}

static bool isInBlock(const Plan &P) { return blockOf(*P.L.Loop, P.Context); }

/// Nothing within the loop jumps far.
static bool mayDeclare(const Plan &P) {
  return mayDeclareBefore(*P.L.Loop, P.Context) &&
         !P.Others.mayJumpPast(*P.L.Loop, *P.L.Function) &&
         !host::UnitUses(P.Context).jumpsFar() &&
         !holds(P.L.Function->getBody(),
                [](const Stmt &S) { return isa<LabelStmt>(S); });
}

std::vector<Edit> surround(const Plan &P, const std::string &Before,
                           std::string Behind, bool Declares) {
  std::vector<Edit> Edits;
  if (Declares ? !mayDeclare(P) : !isInBlock(P)) {
    // The `if` might take an `else` that is not its own.
    Edits.push_back(P.Source.insertion(P.Source.afterHeader(P.Begin), " {"));
    Behind += P.Site.NewLine.str() +
              P.Source.indentation(parentBegin(P, *P.L.Loop)).str() + "}";
  }
  Edits.push_back(P.Source.insertion(P.Begin, Before));
  if (!Behind.empty())
    Edits.push_back(P.Source.insertion(P.Source.afterTrailingComment(P.End),
                                       std::move(Behind)));
  return Edits;
}

} // namespace barricade::grid_barrier::persistent
