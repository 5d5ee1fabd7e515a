// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/source/WrittenMacros.h"
#include "matchers/source/PerContext.h"
#include "matchers/source/SourceConditions.h"
#include "matchers/source/UserDeclarations.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <optional>

using namespace clang;

namespace barricade {
namespace {

/// A `#define` or an `#undef`.
struct Directive {
  SourceLocation Name;
  SourceLocation End; ///< Where its last token begins.
  bool IsUndef;
  llvm::StringRef Only = {};               ///< Its text, if that is one word.
  std::vector<llvm::StringRef> Words = {}; ///< Of its text, parameters too.
  std::vector<llvm::StringRef> Parameters = {};
  bool HasEnds = false; ///< A brace or a semicolon is in it.
  bool Pastes = false;
};

struct Directives {
  llvm::StringMap<std::vector<Directive>> ByName;
  llvm::StringMap<std::vector<llvm::StringRef>> ByOnlyWord;
  /// Where `#define`s stand in each file, in their order.
  llvm::DenseMap<FileID, std::vector<std::pair<Directive, llvm::StringRef>>>
      Definitions;
};

void readDirectives(FileID File, const SourceConditions &Conditions,
                    const SourceManager &SM, Directives &Found) {
  if (!Conditions.holdsWord(File, "define") &&
      !Conditions.holdsWord(File, "undef"))
    return;
  std::vector<std::pair<Directive, llvm::StringRef>> &Here =
      Found.Definitions[File];
  enum { Code, Hash, Define, Undef, Text } State = Code;
  bool InParameters = false;
  Conditions.forEachTokenOf(File, [&](const Token &T) {
    const llvm::StringRef Word =
        T.is(tok::raw_identifier) ? T.getRawIdentifier() : "";
    if (T.isAtStartOfLine()) {
      State = T.is(tok::hash) ? Hash : Code;
    } else if (State == Hash) {
      State = Word == "define" ? Define : Word == "undef" ? Undef : Code;
    } else if (State == Undef) {
      if (!Word.empty())
        Found.ByName[Word].push_back(
            {T.getLocation(), T.getLocation(), /*IsUndef=*/true});
      State = Code;
    } else if (State == Define) {
      if (!Word.empty())
        Here.push_back(
            {{T.getLocation(), T.getLocation(), /*IsUndef=*/false}, Word});
      State = Word.empty() ? Code : Text;
    } else if (State == Text) {
      Directive &Its = Here.back().first;
      const bool Begins = Its.End == Its.Name;
      Its.Only = Begins ? Word : "";
      Its.End = T.getLocation();
      Its.HasEnds |= T.isOneOf(tok::l_brace, tok::r_brace, tok::semi);
      Its.Pastes |= T.isOneOf(tok::hashhash, tok::hashat);
      if (!Word.empty())
        Its.Words.push_back(Word);
      if (Begins)
        InParameters = T.is(tok::l_paren) && !T.hasLeadingSpace();
      if (InParameters && !Word.empty())
        Its.Parameters.push_back(Word);
      InParameters &= T.isNot(tok::r_paren);
    }
  });
  for (const auto &[Each, Name] : Here) {
    Found.ByName[Name].push_back(Each);
    if (!Each.Only.empty())
      Found.ByOnlyWord[Each.Only].push_back(Name);
  }
}

const Directives &directivesOf(const ASTContext &Context) {
  std::optional<Directives> &Known =
      *onePerContext<std::optional<Directives>>(Context);
  if (!Known) {
    Known.emplace();
    const SourceConditions Conditions(Context);
    Conditions.forEachUserFile([&](FileID File) {
      readDirectives(File, Conditions, Context.getSourceManager(), *Known);
    });
  }
  return *Known;
}

/// What \p Test asks for is said of \p Name, or of a macro that it is made
/// from.
bool isSaid(llvm::StringRef Name, const Directives &All,
            llvm::function_ref<bool(const Directive &)> Test,
            llvm::StringSet<> &Seen) {
  const auto Found = All.ByName.find(Name);
  return Found != All.ByName.end() && Seen.insert(Name).second &&
         llvm::any_of(Found->second, [&](const Directive &Each) {
           return Test(Each) ||
                  llvm::any_of(Each.Words, [&](llvm::StringRef Word) {
                    return isSaid(Word, All, Test, Seen);
                  });
         });
}

/// The name of the macro whose text holds what stands at \p Text.
llvm::StringRef nameOfMacroAt(SourceLocation Text, const Directives &All,
                              const SourceManager &SM) {
  const auto Found = All.Definitions.find(SM.getFileID(Text));
  if (Found == All.Definitions.end())
    return "";
  const auto &Here = Found->second;
  const auto Behind =
      llvm::upper_bound(Here, Text, [](SourceLocation At, const auto &Each) {
        return At < Each.first.Name;
      });
  return Behind == Here.begin() || std::prev(Behind)->first.End < Text
             ? ""
             : std::prev(Behind)->second;
}

} // namespace

llvm::ArrayRef<llvm::StringRef> macrosFor(llvm::StringRef Word,
                                          const ASTContext &Context) {
  const auto &All = directivesOf(Context).ByOnlyWord;
  const auto Found = All.find(Word);
  return Found == All.end() ? llvm::ArrayRef<llvm::StringRef>()
                            : llvm::ArrayRef(Found->second);
}

bool mayBeMacro(llvm::StringRef Name, const ASTContext &Context) {
  const IdentifierInfo *Known = knownIdentifier(Name, Context.Idents);
  if (Known && Known->hadMacroDefinition())
    return true;
  const auto &All = directivesOf(Context).ByName;
  const auto Found = All.find(Name);
  return Found != All.end() &&
         llvm::any_of(Found->second,
                      [](const Directive &Each) { return !Each.IsUndef; });
}

void forEachWritten(llvm::StringRef Name, const ASTContext &Context,
                    llvm::function_ref<void(const WrittenMacro &)> Visit) {
  const Directives &All = directivesOf(Context);
  const auto Found = All.ByName.find(Name);
  if (Found == All.ByName.end())
    return;
  for (const Directive &Each : Found->second) {
    if (Each.IsUndef)
      continue;
    WrittenMacro Macro{Each.Name, Each.Words, Each.Pastes};
    llvm::erase_if(Macro.Words, [&](llvm::StringRef Word) {
      return llvm::is_contained(Each.Parameters, Word);
    });
    Visit(Macro);
  }
}

bool mayBeOtherMacro(llvm::StringRef Name, SourceLocation User,
                     const ASTContext &Context) {
  const SourceConditions Conditions(Context);
  llvm::StringSet<> Seen;
  return isSaid(
      Name, directivesOf(Context),
      [&](const Directive &Each) {
        return Conditions.isInOtherBranch(Each.Name, User, /*IsMacro=*/true);
      },
      Seen);
}

bool mayHoldWord(llvm::StringRef Name, llvm::StringRef Word,
                 const ASTContext &Context) {
  llvm::StringSet<> Seen;
  return isSaid(
      Name, directivesOf(Context),
      [&](const Directive &Each) {
        return llvm::is_contained(Each.Words, Word);
      },
      Seen);
}

bool isOfNextDeclaration(llvm::StringRef Name, const ASTContext &Context) {
  const Directives &All = directivesOf(Context);
  llvm::StringSet<> Seen;
  return All.ByName.contains(Name) &&
         !isSaid(
             Name, All, [](const Directive &Each) { return Each.HasEnds; },
             Seen);
}

bool mayUndefine(llvm::StringRef Name, const ASTContext &Context) {
  const auto &All = directivesOf(Context).ByName;
  const auto Found = All.find(Name);
  return Found != All.end() &&
         llvm::any_of(Found->second, [&](const Directive &Each) {
           return Each.IsUndef && SourceConditions(Context).isInOtherBranch(
                                      Each.Name, {}, /*IsMacro=*/true);
         });
}

bool mayBeRedefined(SourceLocation Text, SourceLocation Use,
                    SourceLocation User, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const Directives &All = directivesOf(Context);
  const llvm::StringRef Name = nameOfMacroAt(Text, All, SM);
  const auto Found = All.ByName.find(Name);
  return !Name.empty() && Found != All.ByName.end() &&
         llvm::any_of(Found->second, [&](const Directive &Each) {
           return SM.isBeforeInTranslationUnit(Text, Each.Name) &&
                  SM.isBeforeInTranslationUnit(Each.Name, Use) &&
                  SourceConditions(Context).isInOtherBranch(Each.Name, User,
                                                            /*IsMacro=*/true);
         });
}

} // namespace barricade
