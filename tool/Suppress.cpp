// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Suppress.h"
#include "tool/Names.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/GlobPattern.h"
#include <map>
#include <set>

using namespace llvm;

namespace barricade {
namespace {

enum class DirectiveKind { ThisLine, NextLine, Begin, End };

/// One NOLINT word with its list.
struct Directive {
  DirectiveKind Kind;
  unsigned Offset;
  unsigned Line;
  unsigned Column;
  /// As spelled, trimmed. Nothing: there is no list, every check is meant.
  std::optional<std::vector<std::string>> Globs;
};

std::optional<DirectiveKind> directiveKind(StringRef Word) {
  return StringSwitch<std::optional<DirectiveKind>>(Word)
      .Case("NOLINT", DirectiveKind::ThisLine)
      .Case("NOLINTNEXTLINE", DirectiveKind::NextLine)
      .Case("NOLINTBEGIN", DirectiveKind::Begin)
      .Case("NOLINTEND", DirectiveKind::End)
      .Default(std::nullopt);
}

std::vector<std::string> splitGlobs(StringRef List) {
  std::vector<std::string> Globs;
  for (StringRef Glob : split(List, ','))
    Globs.push_back(Glob.trim().str());
  return Globs;
}

/// All directives of \p Text, in their order. Like clang-tidy this looks for
/// the word wherever it stands.
std::vector<Directive> findDirectives(StringRef Text) {
  std::vector<Directive> Result;
  constexpr StringLiteral Word = "NOLINT";
  unsigned Line = 1;
  size_t Counted = 0; // Lines are counted up to here.
  for (size_t At = Text.find(Word); At != StringRef::npos;) {
    size_t End = At + Word.size();
    while (End < Text.size() && isAlpha(Text[End]))
      ++End;
    std::optional<std::vector<std::string>> Globs;
    auto Kind = directiveKind(Text.slice(At, End));
    if (Kind && Text.substr(End).starts_with("(")) {
      size_t Close = Text.find_first_of("\n)", End + 1);
      if (Close != StringRef::npos && Text[Close] == ')') {
        Globs = splitGlobs(Text.slice(End + 1, Close));
        End = Close + 1;
      }
    }
    if (Kind) {
      Line += Text.slice(Counted, At).count('\n');
      Counted = At;
      // npos + 1 is 0, the start of the first line.
      unsigned Column = At - (Text.rfind('\n', At) + 1) + 1;
      Result.push_back({*Kind, unsigned(At), Line, Column, std::move(Globs)});
    }
    At = Text.find(Word, End);
  }
  return Result;
}

/// Whether \p Glob, in which only `*` is special, matches \p Name.
bool globMatches(StringRef Glob, StringRef Name) {
  std::string Escaped;
  for (char C : Glob) {
    if (!isAlnum(C) && C != '*')
      Escaped += '\\';
    Escaped += C;
  }
  return cantFail(GlobPattern::create(Escaped)).match(Name);
}

bool names(const Directive &D, StringRef Check) {
  return !D.Globs || any_of(*D.Globs, [&](StringRef Glob) {
    return !Glob.starts_with("-") && globMatches(Glob, Check);
  });
}

/// The directives of one file: which range each rules over.
class Directives {
public:
  explicit Directives(StringRef Text) : All(findDirectives(Text)) {
    pairBlocks();
  }

  ArrayRef<Directive> all() const { return All; }

  /// Whether the directive with this index silences anything at all: of a
  /// block that is the beginning, if it has an end.
  bool isEffective(size_t Index) const {
    return All[Index].Kind == DirectiveKind::ThisLine ||
           All[Index].Kind == DirectiveKind::NextLine || Ends.contains(Index);
  }
  bool isUnmatched(size_t Index) const {
    return !isEffective(Index) && !MatchedEnds.contains(Index);
  }

  bool silences(size_t Index, const Finding &F) const {
    const auto Covers = [&](const Place &P) { return covers(Index, P); };
    return (Covers(F.Where) || any_of(F.Parts, Covers)) &&
           (names(All[Index], diagnosticName(F.Rule)) ||
            any_of(F.AlsoOf, [&](StringRef Rule) {
              return names(All[Index], diagnosticName(Rule));
            }));
  }

private:
  /// A block's end closes the latest beginning that is open, if their lists are
  /// the same; else it counts for nothing.
  void pairBlocks() {
    std::vector<size_t> Open;
    for (auto [Index, D] : enumerate(All)) {
      if (D.Kind == DirectiveKind::Begin)
        Open.push_back(Index);
      if (D.Kind != DirectiveKind::End || Open.empty() ||
          All[Open.back()].Globs != D.Globs)
        continue;
      Ends[Open.back()] = D.Offset;
      MatchedEnds.insert(Index);
      Open.pop_back();
    }
  }

  bool covers(size_t Index, const Place &P) const {
    const Directive &D = All[Index];
    switch (D.Kind) {
    case DirectiveKind::ThisLine:
      return P.Line == D.Line;
    case DirectiveKind::NextLine:
      return P.Line == D.Line + 1;
    case DirectiveKind::Begin: {
      auto End = Ends.find(Index);
      return End != Ends.end() && D.Offset < P.Offset && P.Offset < End->second;
    }
    case DirectiveKind::End:
      return false;
    }
    llvm_unreachable("unknown kind");
  }

  std::vector<Directive> All;
  std::map<size_t, unsigned> Ends; ///< Of a beginning's index, the end's place.
  std::set<size_t> MatchedEnds;
};

Place placeOf(const Directive &D, StringRef File) {
  return {File.str(), D.Offset, D.Line, D.Column};
}

/// The globs that were written for barricade and no other tool.
std::vector<StringRef> ownGlobs(const Directive &D) {
  std::vector<StringRef> Result;
  if (D.Globs)
    copy_if(*D.Globs, std::back_inserter(Result),
            [](StringRef Glob) { return Glob.starts_with("barricade-"); });
  return Result;
}

/// What is wrong with a directive that silences nothing; empty where that
/// cannot be known.
std::string complaint(const Directive &D, ArrayRef<StringRef> KnownRules,
                      ArrayRef<std::string> RulesThatRan) {
  const std::vector<StringRef> Own = ownGlobs(D);
  auto Meant = [&](StringRef Rule) {
    return any_of(Own, [&](StringRef Glob) {
      return globMatches(Glob, diagnosticName(Rule));
    });
  };
  const std::string List = "'" + join(Own, ", ") + "'";
  if (none_of(KnownRules, Meant))
    return "there is no rule " + List + " to suppress";
  if (any_of(KnownRules, [&](StringRef Rule) {
        return Meant(Rule) && !is_contained(RulesThatRan, Rule);
      }))
    return {};
  return "nothing here is found that " + List + " suppresses";
}

} // namespace

void suppressByComments(Report &R) {
  std::map<std::string, Directives> ByFile;
  for (Finding &F : R.Findings) {
    const std::string *Text = R.Texts.find(F.Where.File);
    if (!Text)
      continue;
    const Directives &InFile =
        ByFile.try_emplace(F.Where.File, *Text).first->second;
    for (auto [Index, D] : enumerate(InFile.all()))
      if (InFile.silences(Index, F)) {
        F.Silenced = {Suppression::Kind::Comment, placeOf(D, F.Where.File)};
        break;
      }
  }
}

std::vector<Note> unusedSuppressions(const Report &R,
                                     ArrayRef<StringRef> KnownRules) {
  std::vector<Note> Result;
  R.Texts.forEach([&](StringRef File, StringRef Text) {
    const Directives InFile(Text);
    for (auto [Index, D] : enumerate(InFile.all())) {
      if (ownGlobs(D).empty())
        continue;
      if (InFile.isUnmatched(Index))
        Result.push_back({placeOf(D, File),
                          D.Kind == DirectiveKind::Begin
                              ? "this NOLINTBEGIN has no NOLINTEND with the "
                                "same list and suppresses nothing"
                              : "this NOLINTEND has no NOLINTBEGIN with the "
                                "same list"});
      bool Used = any_of(R.Findings, [&](const Finding &F) {
        return F.Where.File == File && InFile.silences(Index, F);
      });
      if (!InFile.isEffective(Index) || Used)
        continue;
      if (std::string Text = complaint(D, KnownRules, R.Rules); !Text.empty())
        Result.push_back({placeOf(D, File), std::move(Text)});
    }
  });
  return Result;
}

} // namespace barricade
