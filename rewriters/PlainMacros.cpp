// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/PlainMacros.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace clang;

namespace barricade {
namespace {

/// Macros within macros; more is nobody's plain choice.
constexpr unsigned MaxDepth = 8;

/// The arguments of `(a, b)`.
std::vector<llvm::ArrayRef<CodeToken>>
splitArguments(llvm::ArrayRef<CodeToken> InParentheses) {
  std::vector<llvm::ArrayRef<CodeToken>> Result;
  llvm::ArrayRef<CodeToken> Rest = InParentheses.drop_front().drop_back();
  unsigned Depth = 0;
  size_t Begin = 0;
  for (const auto &[At, T] : llvm::enumerate(Rest)) {
    if (T.is(tok::l_paren))
      ++Depth;
    else if (T.is(tok::r_paren))
      --Depth;
    else if (T.is(tok::comma) && Depth == 0) {
      Result.push_back(Rest.slice(Begin, At - Begin));
      Begin = At + 1;
    }
  }
  Result.push_back(Rest.drop_front(Begin));
  return Result;
}

bool isInteger(const CodeToken &T) {
  return T.is(tok::numeric_constant) &&
         (T.Text.starts_with_insensitive("0x")
              ? !T.Text.contains_insensitive("p")
              : T.Text.find_first_of(".eEfF") == llvm::StringRef::npos);
}

bool isInteger(const MacroText &Macro) {
  return Macro.Parameters.empty() && Macro.Tokens.size() == 1 &&
         isInteger(Macro.Tokens.front());
}

} // namespace

void PlainMacros::collectCompared(const Stmt &Code, llvm::StringRef Name,
                                  std::set<SourceLocation> &Uses,
                                  bool IsCompared) const {
  const SourceRange Use =
      SM.getExpansionRange(Code.getSourceRange()).getAsRange();
  const auto *E = dyn_cast<Expr>(&Code);
  if (IsCompared && E && E->getType()->isIntegerType() &&
      E->getBeginLoc().isMacroID() && E->getEndLoc().isMacroID() &&
      Use.getBegin() == Use.getEnd() &&
      Source.text(Use.getBegin(), Use.getEnd()) == Name) {
    Uses.insert(Use.getBegin());
    return;
  }
  const auto *Op = dyn_cast<BinaryOperator>(&Code);
  for (const Stmt *Child : Code.children())
    if (Child)
      collectCompared(*Child, Name, Uses, Op && Op->isComparisonOp());
}

bool PlainMacros::isPlain(llvm::StringRef Name) {
  InThisBuild = true;
  const std::optional<Names> Here = namesOfWord(Name, 0);
  InThisBuild = false;
  const std::optional<Names> All = namesOfWord(Name, 0);
  const auto IsKnown = [&](llvm::StringRef Each) {
    return Each.empty() || Here->count(Each);
  };
  return Here && All && llvm::all_of(*All, IsKnown);
}

std::optional<PlainMacros::Names>
PlainMacros::namesOf(llvm::ArrayRef<CodeToken> Text, const Arguments &Given,
                     unsigned Depth) {
  while (Text.size() > 2 && Text.front().is(tok::l_paren) &&
         Text.back().is(tok::r_paren))
    Text = Text.drop_front().drop_back();
  if (Text.empty() || Depth > MaxDepth)
    return std::nullopt;
  if (Text.size() > 1)
    return namesOfCall(Text, Given, Depth);
  if (isInteger(Text.front()))
    return Names{""};
  if (!Text.front().isWord())
    return std::nullopt;
  const auto Argument = Given.find(Text.front().Text);
  return Argument == Given.end() ? namesOfWord(Text.front().Text, Depth)
                                 : Argument->second;
}

std::optional<PlainMacros::Names> PlainMacros::namesOfWord(llvm::StringRef Word,
                                                           unsigned Depth) {
  const std::vector<MacroText> Definitions = Others.definitionsOf(Word);
  if (Definitions.empty())
    return Names{Word};
  // Whoever sets it otherwise sets a number, too.
  if (llvm::all_of(Definitions,
                   [](const MacroText &Each) { return isInteger(Each); }))
    return Names{""};
  return namesOfMacro(Word, {}, Depth);
}

std::optional<PlainMacros::Names>
PlainMacros::namesOfCall(llvm::ArrayRef<CodeToken> Call, const Arguments &Given,
                         unsigned Depth) {
  if (Call.size() < 3 || !Call.front().isWord() || !Call[1].is(tok::l_paren) ||
      !Call.back().is(tok::r_paren))
    return std::nullopt;
  std::vector<Names> Of;
  for (llvm::ArrayRef<CodeToken> Argument : splitArguments(Call.drop_front())) {
    const std::optional<Names> Its = namesOf(Argument, Given, Depth + 1);
    if (!Its)
      return std::nullopt;
    Of.push_back(*Its);
  }
  return namesOfMacro(Call.front().Text, Of, Depth);
}

std::optional<PlainMacros::Names>
PlainMacros::namesOfMacro(llvm::StringRef Macro, llvm::ArrayRef<Names> Given,
                          unsigned Depth) {
  const std::vector<MacroText> Definitions = Others.definitionsOf(Macro);
  if (Definitions.empty() || !isAlwaysDefined(Definitions) ||
      Others.mayUndefine(Macro))
    return std::nullopt;
  Names Result;
  for (const MacroText &Each : Definitions) {
    if (InThisBuild && Each.IsLeftOut)
      continue;
    if (Each.Parameters.size() != Given.size())
      return std::nullopt;
    Arguments Inner;
    for (const auto &[Parameter, Argument] :
         llvm::zip_equal(Each.Parameters, Given))
      Inner[Parameter] = Argument;
    const std::optional<Names> Chosen = namesOf(Each.Tokens, Inner, Depth + 1);
    if (!Chosen)
      return std::nullopt;
    Result.insert(Chosen->begin(), Chosen->end());
  }
  return Result;
}

/// One definition that is under no condition, or one in each branch of one.
/// Otherwise the name may be a function's or a variable's in another build, or
/// what a command line says.
bool PlainMacros::isAlwaysDefined(llvm::ArrayRef<MacroText> Definitions) const {
  std::vector<SourceLocation> Places;
  for (const MacroText &Each : Definitions) {
    if (Each.OfSystem || Each.Tokens.empty())
      return false;
    Places.push_back(Each.Tokens.front().Where);
    // Another build may include another file.
    if (Source.isInOtherBranch(SM.getIncludeLoc(SM.getFileID(Places.back())),
                               {}, /*IsMacro=*/true))
      return false;
  }
  const auto Around = Source.conditionsAround(Places.front());
  if (Around.empty())
    return Places.size() == 1;
  const SourceText::Condition &Choice = Around.front();
  const auto IsInBranch = [&](SourceLocation Place) {
    const auto Its = Source.conditionsAround(Place);
    return Its.size() == 1 && Its.front().Begin == Choice.Begin &&
           SM.isWrittenInSameFile(Place, Places.front());
  };
  const auto AreInOne = [&](SourceLocation A, SourceLocation B) {
    return A != B && Source.haveSameConditions(std::min(A, B), std::max(A, B));
  };
  return Choice.HasElse && Choice.Branches == Places.size() &&
         llvm::all_of(Places, IsInBranch) &&
         llvm::none_of(Places, [&](SourceLocation Place) {
           return llvm::any_of(Places, [&](SourceLocation Other) {
             return AreInOne(Place, Other);
           });
         });
}

} // namespace barricade
