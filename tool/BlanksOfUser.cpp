// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/BlanksOfUser.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;
using clang::format::FormatStyle;
using clang::tooling::Replacement;

namespace barricade {

static constexpr StringLiteral Blanks = " \t\r\n\v\f";

static StringRef replacedBy(const Replacement &Change, StringRef Text) {
  return Text.substr(Change.getOffset(), Change.getLength());
}

bool changesBlanks(const Replacement &Change, StringRef Text) {
  return replacedBy(Change, Text).trim(Blanks).empty() &&
         Change.getReplacementText().trim(Blanks).empty();
}

static bool breaksLine(StringRef Gap) { return Gap.contains('\n'); }

/// How far \p Gap, which breaks a line, indents the next one.
static int64_t indentationOf(StringRef Gap) {
  return Gap.size() - (Gap.rfind('\n') + 1);
}

static std::string indentedBy(int64_t More, StringRef Gap) {
  const int64_t Wanted = std::max<int64_t>(indentationOf(Gap) + More, 0);
  return Gap.drop_back(indentationOf(Gap)).str() + std::string(Wanted, ' ');
}

/// Whether the blanks at \p Offset end a statement or the head of one, for all
/// that can be seen of what is before them.
static bool endsStatement(StringRef Text, size_t Offset) {
  const StringRef Before = Text.take_front(Offset).rtrim(Blanks);
  return Before.empty() || StringRef(";{}:)").contains(Before.back()) ||
         Before.ends_with("else") || Before.ends_with("do");
}

static size_t endOf(const clang::tooling::Range &R) {
  return size_t(R.getOffset()) + R.getLength();
}

std::vector<clang::tooling::Range>
united(std::vector<clang::tooling::Range> Ranges) {
  sort(Ranges, [](const auto &A, const auto &B) {
    return std::pair(A.getOffset(), A.getLength()) <
           std::pair(B.getOffset(), B.getLength());
  });
  std::vector<clang::tooling::Range> Result;
  for (const clang::tooling::Range &Each : Ranges) {
    if (Result.empty() || endOf(Result.back()) <= Each.getOffset()) {
      Result.push_back(Each);
      continue;
    }
    clang::tooling::Range &Last = Result.back();
    const size_t End = std::max(endOf(Last), endOf(Each));
    Last = {Last.getOffset(), unsigned(End - Last.getOffset())};
  }
  return Result;
}

/// \p R with the blanks in front of it, which would be the line before's to who
/// formats ranges.
static clang::tooling::Range withIndentation(const clang::tooling::Range &R,
                                             StringRef Text) {
  const size_t Begin = Text.take_front(R.getOffset()).rtrim(Blanks).size();
  return {unsigned(Begin), unsigned(endOf(R) - Begin)};
}

BlanksOfUser::BlanksOfUser(const FormatStyle &Style, StringRef Path,
                           StringRef Old,
                           const std::vector<clang::tooling::Range> &Statements)
    : Path(Path), Old(Old), HasTabs(Style.UseTab != FormatStyle::UT_Never) {
  for (const Replacement &Change :
       clang::format::reformat(Style, Old, united(Statements), Path))
    Known.try_emplace(Change.getOffset(), Change);
  std::vector<clang::tooling::Range> Kept, WithIndentation;
  for (const clang::tooling::Range &Each : Statements) {
    const clang::tooling::Range Whole = withIndentation(Each, Old);
    if (!std::all_of(Known.lower_bound(Whole.getOffset()),
                     Known.upper_bound(endOf(Whole)), [&](const auto &Entry) {
                       return keepsIndentation(Entry.second);
                     }))
      continue;
    Kept.push_back(Each);
    WithIndentation.push_back(Whole);
  }
  InStep = united(std::move(Kept));
  Covered = united(std::move(WithIndentation));
}

/// Where a statement goes on in the next line, how far that is indented is the
/// user's own.
bool BlanksOfUser::keepsIndentation(const Replacement &Change) const {
  const StringRef Was = replacedBy(Change, Old);
  const StringRef Now = Change.getReplacementText();
  return !changesBlanks(Change, Old) || !breaksLine(Was) || !breaksLine(Now) ||
         !endsStatement(Old, Change.getOffset()) ||
         indentationOf(Was) == indentationOf(Now);
}

bool BlanksOfUser::isInStep(size_t Begin, size_t End) const {
  const auto After = partition_point(
      Covered, [&](const auto &Each) { return Each.getOffset() <= Begin; });
  return After != Covered.begin() && End <= endOf(*std::prev(After));
}

const Replacement *BlanksOfUser::knownChange(size_t Begin, size_t End) const {
  auto It = Known.upper_bound(End);
  if (It == Known.begin())
    return nullptr;
  --It;
  return It->first + It->second.getLength() < Begin ? nullptr : &It->second;
}

/// What stands in place of \p Was, where the formatter wants \p Now and, as the
/// text was, \p Known.
std::optional<std::string>
BlanksOfUser::blanksInstead(StringRef Was, const Replacement *Known,
                            StringRef Now, int64_t LineMoved) const {
  // The user wrote it as the formatter does.
  if (!Known)
    return Now.str();
  // With tabs, columns are not characters.
  if (HasTabs || !breaksLine(Was) || Known->getLength() != Was.size())
    return std::nullopt;
  // A break of the user's own moves as the formatter's does, or as its line.
  const StringRef Usual = Known->getReplacementText();
  if (breaksLine(Now) != breaksLine(Usual))
    return std::nullopt;
  return indentedBy(breaksLine(Now) ? indentationOf(Now) - indentationOf(Usual)
                                    : LineMoved,
                    Was);
}

/// The part that the text from \p Begin to \p End is in. No text at all is in
/// none that only begins or ends there, where it might be an insertion's.
static const KeptText *partWith(size_t Begin, size_t End,
                                ArrayRef<KeptText> Parts) {
  const auto It = find_if(Parts, [&](const KeptText &P) {
    return Begin == End ? P.Begin < Begin && End < P.End
                        : P.Begin <= Begin && End <= P.End;
  });
  return It == Parts.end() ? nullptr : &*It;
}

std::vector<Edit> BlanksOfUser::editsFor(ArrayRef<Replacement> Changes,
                                         StringRef New,
                                         ArrayRef<KeptText> Parts) const {
  std::vector<Edit> Result;
  MovedLines Moved;
  const auto LineMoved = [&](size_t Offset) {
    const size_t Line = New.take_front(Offset).rfind('\n') + 1;
    const auto It = Moved.find(New.find_first_not_of(Blanks, Line));
    return It == Moved.end() ? 0 : It->second;
  };
  for (const Replacement &Change : Changes) {
    const size_t Begin = Change.getOffset(), End = Begin + Change.getLength();
    const KeptText *Part = partWith(Begin, End, Parts);
    if (!Part)
      continue;
    const size_t OldBegin = Part->OldBegin + (Begin - Part->Begin);
    const size_t OldEnd = OldBegin + Change.getLength();
    if (!isInStep(OldBegin, OldEnd))
      continue;
    const StringRef Was = Old.slice(OldBegin, OldEnd);
    const std::optional<std::string> Text =
        blanksInstead(Was, knownChange(OldBegin, OldEnd),
                      Change.getReplacementText(), LineMoved(Begin));
    if (!Text || Was == *Text)
      continue;
    if (breaksLine(Was) && breaksLine(*Text))
      Moved[End] = indentationOf(*Text) - indentationOf(Was);
    Result.push_back({Path.str(), unsigned(OldBegin), unsigned(Was.size()),
                      std::move(*Text)});
  }
  return Result;
}

} // namespace barricade
