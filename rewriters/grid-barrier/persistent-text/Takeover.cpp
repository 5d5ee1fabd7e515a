// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/persistent-text/Takeover.h"
#include "matchers/source/Statements.h"
#include "rewriters/grid-barrier/TextPatch.h"
#include "rewriters/grid-barrier/persistent-text/AfterLaunch.h"
#include "rewriters/grid-barrier/persistent-text/LoopText.h"
#include "rewriters/grid-barrier/persistent-text/Moved.h"
#include "rewriters/grid-barrier/persistent-text/Stretches.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::grid_barrier::persistent {

/// Launches the kernel on \p Condition, which may be empty, and leaves the loop
/// then.
static std::string launchIf(const Plan &P, const std::string &Condition,
                            const std::string &Margin,
                            const PersistentLaunch &Launch) {
  const std::string Line = P.Site.NewLine.str() + Margin;
  const std::string Deeper = Margin + "    ";
  std::string Text = "if (";
  if (!Condition.empty())
    Text += Condition + " &&" + P.Site.NewLine.str() + Deeper;
  Text += wrapList(Condition.empty() ? Margin : Deeper,
                   (launchFunction(P) + "(").str(), Launch.Arguments,
                   ") == cudaSuccess) {", P.Site.NewLine);
  for (const std::string &Statement : afterSuccess(P, Margin + P.Site.Unit))
    Text += Line + P.Site.Unit + Statement;
  return Text + Line + P.Site.Unit + "break;" + Line + "}";
}

/// The same once it is due. Memory for results, and waiting for other streams,
/// a loop that is not taken over does not need.
static std::string launchWhenDue(const Plan &P, const std::string &IsDue,
                                 const std::string &Margin,
                                 const PersistentLaunch &Launch) {
  const std::string Inner = Margin + P.Site.Unit;
  std::vector<std::string> Before;
  if (std::string Wait = waitBefore(P, Inner); !Wait.empty())
    Before.push_back(std::move(Wait));
  std::string AreThere;
  for (const auto &[Var, Name] : P.Results) {
    Before.push_back(resultDeclaration(P, *Var, Name));
    AreThere += (AreThere.empty() ? "" : " && ") + Name;
  }
  if (Before.empty())
    return launchIf(P, IsDue, Margin, Launch);
  std::string Text = "if (" + IsDue + ") {";
  for (const std::string &Statement : Before)
    Text += P.Site.NewLine.str() + Inner + Statement;
  return Text + P.Site.NewLine.str() + Inner +
         launchIf(P, AreThere, Inner, Launch) + P.Site.NewLine.str() + Margin +
         "}";
}

/// Makes \p Text the first statement of the loop's body, on lines that \p
/// Line begins.
static std::vector<Edit> insertFirst(const Plan &P, const std::string &Text,
                                     const Stmt &Body,
                                     const std::string &Line) {
  if (const auto *Block = dyn_cast<CompoundStmt>(&Body)) {
    const SourceLocation First = Block->body_front()->getBeginLoc();
    const SourceLocation Behind = P.Source.afterTrailingComment(
        P.Source.afterToken(Block->getLBracLoc()));
    const bool OnOneLine =
        SourceText::isWritable(First) && P.Source.onOneLine(Behind, First);
    return {OnOneLine ? P.Source.replacement(Behind, First, Line + Text + Line)
                      : P.Source.insertion(Behind, Line + Text)};
  }
  return {P.Source.insertion(P.Source.afterHeader(Body.getBeginLoc()),
                             " {" + Line + Text),
          P.Source.insertion(
              P.Source.afterTrailingComment(P.Source.afterStatement(Body)),
              P.Site.NewLine.str() + P.Indent + "}")};
}

std::vector<Edit> takeover(const Plan &P, const PersistentLaunch &Launch) {
  const std::string Line = P.Site.NewLine.str() + P.Indent;
  const std::string Takeover = P.Names.Fresh("takeover");
  std::string Before =
      Launch.Grid.IsVariable ? gridDeclaration(P, Launch.Grid.Text) + Line : "";
  std::vector<std::string> Given = {Launch.Kernel};
  const bool ByShape = !P.Parts.empty() || P.Names.GraphIsAsFast;
  if (ByShape)
    llvm::append_range(Given, Launch.Shape);
  else
    llvm::append_range(
        Given, llvm::ArrayRef({Launch.Shape.front(), Launch.Shape.back()}));
  std::string Behind;
  if (!P.Names.Replay.empty()) {
    Before += objectBefore(P, Line);
    Given.push_back(P.Names.Replay);
    if (P.Names.GraphIsAsFast)
      Given.push_back("barricade::GraphIsAsFast()");
    if (P.Names.Next.empty())
      Behind = flushBehind(P, Line);
  }
  Before += wrapList(P.Indent, "barricade::Takeover " + Takeover + "(", Given,
                     ");", P.Site.NewLine) +
            Line;

  const std::string Inner = P.Indent + P.Site.Unit;
  std::string IsDue = Takeover + ".is_due(" + P.Continued->Remaining + ")";
  for (const std::string &Each : rangeConditions(P))
    IsDue += " &&" + P.Site.NewLine.str() + Inner + "    " + Each;
  const std::string InnerLine = P.Site.NewLine.str() + Inner;
  std::string First = launchWhenDue(P, IsDue, Inner, Launch);
  if (!P.Names.Next.empty())
    First += InnerLine + P.Names.Next;
  // At the loop's end the body's brace comes first.
  std::vector<Edit> Edits =
      insertFirst(P, First, *bodyOf(*P.L.Loop), InnerLine);
  llvm::append_range(Edits,
                     surround(P, Before, std::move(Behind), /*Declares=*/true));
  return Edits;
}

} // namespace barricade::grid_barrier::persistent
