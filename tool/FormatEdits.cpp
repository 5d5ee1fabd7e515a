// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/FormatEdits.h"
#include "tool/ApplyEdits.h"
#include "tool/BlanksOfUser.h"
#include "tool/FileStyle.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Basic/LangStandard.h"
#include "clang/Basic/SourceLocation.h"
#include "clang/Format/Format.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/TargetParser/Triple.h"
#include <map>
#include <numeric>
#include <set>

using namespace llvm;
using clang::format::FormatStyle;

namespace barricade {
namespace {

constexpr StringLiteral Blanks = " \t\r\n\v\f";

bool isBlank(StringRef Text) { return Text.trim(Blanks).empty(); }

/// What an edit inserts, where it lies once all edits are made.
struct Insertion {
  size_t Begin;
  std::string Text;
  /// The formatter wants another line break where it stands.
  bool HasOtherBreak = false;

  size_t end() const { return Begin + Text.size(); }

  /// How far it indents its last line.
  size_t indentation() const {
    return Text.size() - StringRef(Text).rtrim(" \t").size();
  }

  /// What is to be laid out. One that ends with its line would take the next
  /// line along; one of blanks alone indents a line anew.
  clang::tooling::Range range() const {
    const StringRef Words = StringRef(Text).trim(Blanks);
    if (Words.empty())
      return {unsigned(Begin), unsigned(Text.size())};
    return {unsigned(Begin + (Words.data() - Text.data())),
            unsigned(Words.size())};
  }
};

/// A change of blanks within the new text.
struct BlankChange {
  size_t Begin, End;
  StringRef New;
};

/// Of \p Change, what differs. \p FromEnd: what both end with is taken away
/// before what both begin with, for either may leave the place to an insertion.
BlankChange trimmed(BlankChange Change, StringRef Text, bool FromEnd) {
  const auto TrimFront = [&] {
    while (Change.Begin < Change.End && !Change.New.empty() &&
           Text[Change.Begin] == Change.New.front()) {
      ++Change.Begin;
      Change.New = Change.New.drop_front();
    }
  };
  const auto TrimBack = [&] {
    while (Change.Begin < Change.End && !Change.New.empty() &&
           Text[Change.End - 1] == Change.New.back()) {
      --Change.End;
      Change.New = Change.New.drop_back();
    }
  };
  if (FromEnd)
    TrimBack();
  TrimFront();
  TrimBack();
  return Change;
}

/// Leaves the formatter nothing to change but blanks and line ends.
FormatStyle blanksOnly(FormatStyle Style) {
  Style.SortIncludes = {};
  Style.SortUsingDeclarations = FormatStyle::SUD_Never;
  Style.FixNamespaceComments = false;
  Style.InsertBraces = false;
  Style.RemoveBracesLLVM = false;
  Style.RemoveParentheses = FormatStyle::RPS_Leave;
  Style.RemoveSemicolon = false;
  Style.InsertTrailingCommas = FormatStyle::TCS_None;
  Style.EnumTrailingComma = FormatStyle::ETC_Leave;
  Style.QualifierAlignment = FormatStyle::QAS_Leave;
  Style.ReflowComments = FormatStyle::RCS_Never;
  Style.BreakStringLiterals = false;
  Style.IntegerLiteralSeparator = {};
  Style.NumericLiteralCase = {};
  Style.InsertNewlineAtEOF = false;
  return Style;
}

/// The text's tokens, comments included, by where each begins and ends.
std::vector<StringRef> tokensOf(StringRef Text) {
  clang::LangOptions Lang;
  std::vector<std::string> Includes;
  clang::LangOptions::setLangDefaults(Lang, clang::Language::CUDA, Triple(),
                                      Includes,
                                      clang::LangStandard::lang_cxx20);
  // The lexer wants a null behind its buffer.
  const std::string Copy = Text.str();
  clang::Lexer Lexer(clang::SourceLocation(), Lang, Copy.data(), Copy.data(),
                     Copy.data() + Copy.size());
  Lexer.SetCommentRetentionState(true);
  std::vector<StringRef> Tokens;
  clang::Token Next;
  for (bool AtEnd = false; !AtEnd;) {
    AtEnd = Lexer.LexFromRawLexer(Next);
    const size_t End = Lexer.getBufferLocation() - Copy.data();
    Tokens.push_back(Text.slice(End - Next.getLength(), End));
  }
  return Tokens;
}

/// Makes \p Change in the insertion that it lies in; false where it does not.
bool changeWithin(const BlankChange &Change, ArrayRef<Insertion *> ByPlace) {
  const auto Within = find_if(ByPlace, [&](const Insertion *I) {
    return I->Begin <= Change.Begin && Change.End <= I->end();
  });
  if (Within == ByPlace.end())
    return false;
  (*Within)->Text.replace(Change.Begin - (*Within)->Begin,
                          Change.End - Change.Begin, Change.New.str());
  return true;
}

/// Of \p Changes to \p Text, those that lie within an insertion are made there;
/// what else is one of blanks is returned, in the order of the text.
/// \p ByPlace: the insertions in that order.
std::vector<clang::tooling::Replacement>
changeBlanks(StringRef Text, const clang::tooling::Replacements &Changes,
             ArrayRef<Insertion *> ByPlace) {
  std::vector<clang::tooling::Replacement> Others;
  // From the end: what was found out about places before it stays true.
  const std::vector<clang::tooling::Replacement> Forward(Changes.begin(),
                                                         Changes.end());
  for (const clang::tooling::Replacement &Each : reverse(Forward)) {
    const size_t Begin = Each.getOffset(), End = Begin + Each.getLength();
    if (!changesBlanks(Each, Text))
      continue;
    const BlankChange Whole{Begin, End, Each.getReplacementText()};
    if (changeWithin(trimmed(Whole, Text, /*FromEnd=*/false), ByPlace) ||
        changeWithin(trimmed(Whole, Text, /*FromEnd=*/true), ByPlace))
      continue;
    Others.push_back(Each);
    for (Insertion *I : ByPlace)
      I->HasOtherBreak |= Begin <= I->Begin && I->end() <= End;
  }
  std::reverse(Others.begin(), Others.end());
  return Others;
}

/// The user's own breaks of a line stay: what is behind them moves as the line
/// before does. \p Before: \p ByPlace as it was.
void moveContinuations(ArrayRef<Insertion> Before,
                       ArrayRef<Insertion *> ByPlace) {
  int64_t Moved = 0;
  for (const auto &[Old, New] : zip_equal(Before, ByPlace)) {
    if (New->HasOtherBreak && isBlank(New->Text))
      New->Text.resize(std::max<int64_t>(New->Text.size() + Moved, 0), ' ');
    else
      Moved = int64_t(New->indentation()) - int64_t(Old.indentation());
  }
}

/// The insertions of edits, where they lie once all edits are made.
struct NewText {
  std::string Text;
  std::vector<Insertion> Insertions; ///< In the order of the edits.
  std::vector<Insertion *> ByPlace;
  std::vector<KeptText> Kept; ///< What is between them.

  /// \p Old, a range of the old text, in this one.
  clang::tooling::Range rangeOf(const clang::tooling::Range &Old) const {
    const size_t Begin = offsetOf(Old.getOffset());
    return {unsigned(Begin),
            unsigned(offsetOf(Old.getOffset() + Old.getLength()) - Begin)};
  }

private:
  /// Of what is replaced, where that ends.
  size_t offsetOf(size_t Old) const {
    const KeptText &Part = *find_if(Kept, [&](const KeptText &P) {
      return Old <= P.OldBegin + (P.End - P.Begin);
    });
    return Part.Begin + (std::max(Old, Part.OldBegin) - Part.OldBegin);
  }
};

Expected<NewText> newText(StringRef Old, ArrayRef<Edit> Edits) {
  NewText Result;
  if (Error E = applyEdits(Old, Edits).moveInto(Result.Text))
    return std::move(E);
  std::vector<size_t> Order(Edits.size());
  std::iota(Order.begin(), Order.end(), 0);
  sortForApplying(Order, Edits);
  Result.Insertions.resize(Edits.size());
  size_t OldBegin = 0, Begin = 0;
  const auto KeepUntil = [&](size_t OldEnd) {
    const size_t End = Begin + (OldEnd - OldBegin);
    Result.Kept.push_back({Begin, End, OldBegin});
    Begin = End;
  };
  for (const size_t Index : Order) {
    const Edit &E = Edits[Index];
    KeepUntil(E.Offset);
    Result.Insertions[Index] = {Begin, E.Text};
    Result.ByPlace.push_back(&Result.Insertions[Index]);
    Begin += E.Text.size();
    OldBegin = size_t(E.Offset) + E.Length;
  }
  KeepUntil(Old.size());
  return Result;
}

/// The lines that \p E changes.
clang::tooling::Range linesOf(const Edit &E, StringRef Text) {
  const size_t Begin = Text.take_front(E.Offset).rfind('\n') + 1;
  const size_t End =
      std::min(Text.find('\n', size_t(E.Offset) + E.Length), Text.size());
  return {unsigned(Begin), unsigned(End - Begin)};
}

} // namespace

Layout layOut(const FormatStyle &Wanted, StringRef Path, StringRef Old,
              ArrayRef<Edit> Edits,
              const std::vector<clang::tooling::Range> &Statements) {
  Layout Result;
  for (const Edit &E : Edits)
    Result.Insertions.push_back(E.Text);
  Expected<NewText> New = newText(Old, Edits);
  if (!New) {
    consumeError(New.takeError());
    return Result;
  }

  const FormatStyle Style = blanksOnly(Wanted);
  std::vector<clang::tooling::Range> Parts = Statements;
  for (const Edit &E : Edits)
    Parts.push_back(linesOf(E, Old));
  const BlanksOfUser OfUser(Style, Path, Old, Parts);
  std::vector<clang::tooling::Range> Ranges;
  for (const Insertion *I : New->ByPlace)
    Ranges.push_back(I->range());
  for (const clang::tooling::Range &Each : OfUser.statementsInStep())
    Ranges.push_back(New->rangeOf(Each));
  clang::format::FormattingAttemptStatus Status;
  const clang::tooling::Replacements Changes = clang::format::reformat(
      Style, New->Text, united(std::move(Ranges)), Path, &Status);
  if (!Status.FormatComplete)
    return Result;
  std::vector<Insertion> Before;
  for (const Insertion *I : New->ByPlace)
    Before.push_back(*I);
  const std::vector<clang::tooling::Replacement> Others =
      changeBlanks(New->Text, Changes, New->ByPlace);
  // With tabs, columns are not characters.
  if (Style.UseTab == FormatStyle::UT_Never)
    moveContinuations(Before, New->ByPlace);

  std::vector<Edit> Beside = OfUser.editsFor(Others, New->Text, New->Kept);
  std::vector<Edit> Formatted(Edits.begin(), Edits.end());
  for (auto [E, I] : zip_equal(Formatted, New->Insertions))
    E.Text = I.Text;
  append_range(Formatted, Beside);
  Expected<std::string> Final = applyEdits(Old, Formatted);
  // Nobody but the formatter's authors knows how it takes a macro.
  if (!Final || tokensOf(*Final) != tokensOf(New->Text)) {
    consumeError(Final.takeError());
    return Result;
  }
  for (auto [Text, I] : zip_equal(Result.Insertions, New->Insertions))
    Text = std::move(I.Text);
  Result.OfUser = std::move(Beside);
  return Result;
}

/// The style for a file at \p Path, whose text is \p Text.
static Expected<FormatStyle> styleFor(StringRef Path, StringRef Text) {
  if (!hasFormatFile(Path))
    return styleOfText(Text);
  // Other versions of clang-format may know more options.
  return clang::format::getStyle("file", Path, "none", Text, nullptr,
                                 /*AllowUnknownOptions=*/true,
                                 [](const SMDiagnostic &, void *) {});
}

/// The findings that \p OfFile are of and whose statement is in that file, at
/// \p Path.
static std::vector<Finding *>
rewrittenIn(StringRef Path, ArrayRef<AskedEdits> OfFile, Report &R) {
  std::set<size_t> Indices;
  for (const AskedEdits &Each : OfFile)
    for (const AskedEdit &Asked : Each)
      if (R.Findings[Asked.Finding].Where.File == Path)
        Indices.insert(Asked.Finding);
  std::vector<Finding *> Result;
  for (const size_t Index : Indices)
    Result.push_back(&R.Findings[Index]);
  return Result;
}

/// Of \p Findings, whose edits \p OfFile are, that to which \p E is due: the
/// smallest that it lies in, or else one of the nearest edit.
static Finding &ownerOf(const Edit &E, ArrayRef<Finding *> Findings,
                        ArrayRef<AskedEdits> OfFile, Report &R) {
  Finding *Result = nullptr;
  for (Finding *F : Findings)
    if (F->Where.Offset <= E.Offset && E.Offset + E.Length <= F->End.Offset &&
        (!Result || F->End.Offset - F->Where.Offset <
                        Result->End.Offset - Result->Where.Offset))
      Result = F;
  if (Result)
    return *Result;
  const auto DistanceTo = [&](const AskedEdits &Each) {
    const AskedEdit &Asked = Each.front();
    const int64_t Offset = R.Findings[Asked.Finding].Edits[Asked.Edit].Offset;
    return std::abs(Offset - int64_t(E.Offset));
  };
  const AskedEdits &Nearest =
      *min_element(OfFile, [&](const AskedEdits &A, const AskedEdits &B) {
        return DistanceTo(A) < DistanceTo(B);
      });
  return R.Findings[Nearest.front().Finding];
}

void formatEdits(Report &R,
                 function_ref<void(StringRef, StringRef)> OnProblem) {
  const auto EditAt = [&](const AskedEdit &Asked) -> Edit & {
    return R.Findings[Asked.Finding].Edits[Asked.Edit];
  };
  // Before any of them changes.
  std::vector<std::pair<Finding *, const Finding *>> SameAs;
  for (Finding &F : R.Findings)
    if (standing(F) == Standing::Applies)
      if (const Finding *Same = sameChangeBefore(F, R.Findings))
        SameAs.emplace_back(&F, Same);
  for (const auto &[Path, OfFile] : askedEdits(R.Findings)) {
    const std::string *Old = R.Texts.find(Path);
    if (!Old)
      continue;
    Expected<FormatStyle> Style = styleFor(Path, *Old);
    if (!Style) {
      OnProblem(Path, toString(Style.takeError()));
      continue;
    }
    if (Style->DisableFormat)
      continue;
    std::vector<Edit> Edits;
    for (const AskedEdits &Each : OfFile)
      Edits.push_back(EditAt(Each.front()));
    const std::vector<Finding *> Rewritten = rewrittenIn(Path, OfFile, R);
    std::vector<clang::tooling::Range> Statements;
    for (const Finding *F : Rewritten)
      Statements.emplace_back(F->Where.Offset, F->End.Offset - F->Where.Offset);
    Layout New = layOut(*Style, Path, *Old, Edits, Statements);
    for (const auto &[Each, Text] : zip_equal(OfFile, New.Insertions))
      for (const AskedEdit &Asked : Each)
        EditAt(Asked).Text = Text;
    for (Edit &E : New.OfUser)
      ownerOf(E, Rewritten, OfFile, R).Edits.push_back(std::move(E));
  }
  for (auto &[F, Other] : SameAs)
    F->Edits = Other->Edits;
}

} // namespace barricade
