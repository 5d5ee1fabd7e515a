// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/Macros.h"
#include "matchers/source/Statements.h"
#include "matchers/source/UserDeclarations.h"
#include "rewriters/grid-barrier/TextPatch.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace barricade {
/// What is defined or undefined after \p Begin and before \p End.
static bool hasDirectiveBetween(const IdentifierInfo &Name,
                                SourceLocation Begin, SourceLocation End,
                                Preprocessor &PP) {
  const SourceManager &SM = PP.getSourceManager();
  for (const MacroDirective *Each = PP.getLocalMacroDirectiveHistory(&Name);
       Each; Each = Each->getPrevious())
    if (SM.isBeforeInTranslationUnit(Begin, Each->getLocation()) &&
        SM.isBeforeInTranslationUnit(Each->getLocation(), End))
      return true;
  return false;
}

static bool hasDirectiveBetween(SourceLocation Begin, SourceLocation End,
                                Preprocessor &PP) {
  return llvm::any_of(PP.macros(/*IncludeExternalMacros=*/false),
                      [&](const auto &Each) {
                        return hasDirectiveBetween(*Each.first, Begin, End, PP);
                      });
}

namespace {

/// What a text may stand for, by all definitions that its names have had. Looks
/// at each name once. \p MayPaste: what a macro puts together may be what is
/// looked for.
class NameSearch {
public:
  NameSearch(Preprocessor &PP,
             llvm::function_ref<bool(const IdentifierInfo &)> Is,
             llvm::function_ref<bool()> MayPaste)
      : PP(PP), Is(Is), MayPaste(MayPaste) {}

  bool findIn(llvm::StringRef Text) {
    bool Found = false;
    grid_barrier::forEachWord(Text, [&](llvm::StringRef Word) {
      const IdentifierInfo *Known =
          knownIdentifier(Word, PP.getIdentifierTable());
      Found |= Known && find(*Known);
    });
    return Found;
  }

private:
  bool find(const IdentifierInfo &Name) {
    if (Is(Name))
      return true;
    if (!Name.hadMacroDefinition() || !Seen.insert(&Name).second)
      return false;
    bool Found = false;
    forEachDefinition(Name, PP, [&](const MacroInfo &Macro) {
      Found = Found || (pastes(Macro) && MayPaste());
      Found |= llvm::any_of(Macro.tokens(), [&](const Token &T) {
        const IdentifierInfo *Part =
            T.isLiteral() ? nullptr : T.getIdentifierInfo();
        return Part && find(*Part);
      });
    });
    return Found;
  }

  Preprocessor &PP;
  llvm::function_ref<bool(const IdentifierInfo &)> Is;
  llvm::function_ref<bool()> MayPaste;
  llvm::SmallPtrSet<const IdentifierInfo *, 8> Seen;
};

/// \p Name is the same macro at \p At as at \p Place, with all that it may
/// stand for, or none at both. Looks at each name once.
bool meansTheSame(IdentifierInfo &Name, SourceLocation At, SourceLocation Place,
                  Preprocessor &PP,
                  llvm::SmallPtrSetImpl<const IdentifierInfo *> &Seen) {
  if (!Seen.insert(&Name).second)
    return true;
  const MacroInfo *Macro = PP.getMacroDefinitionAtLoc(&Name, At).getMacroInfo();
  if (Macro && pastes(*Macro) &&
      (hasDirectiveBetween(At, Place, PP) ||
       hasDirectiveBetween(Place, At, PP)))
    return false;
  return Macro == PP.getMacroDefinitionAtLoc(&Name, Place).getMacroInfo() &&
         (!Macro || llvm::all_of(Macro->tokens(), [&](const Token &T) {
           return T.isLiteral() || !T.getIdentifierInfo() ||
                  meansTheSame(*T.getIdentifierInfo(), At, Place, PP, Seen);
         }));
}

} // namespace

bool mayRedefine(llvm::StringRef Text, SourceLocation Begin, SourceLocation End,
                 const SourceManager &SM, Preprocessor &PP) {
  const auto IsRedefined = [&](const IdentifierInfo &Name) {
    return hasDirectiveBetween(Name, Begin, End, PP);
  };
  const auto IsAnyRedefined = [&] {
    return hasDirectiveBetween(Begin, End, PP);
  };
  return NameSearch(PP, IsRedefined, IsAnyRedefined).findIn(Text);
}

/// The end of the statement before that of a block which is \p S or holds it,
/// or the beginning of the block.
static SourceLocation afterOneBefore(const Stmt &S, ASTContext &Context) {
  const Stmt *Parent = parentOf(S, Context);
  if (!Parent)
    return S.getBeginLoc();
  const auto *Block = dyn_cast<CompoundStmt>(Parent);
  if (!Block)
    return afterOneBefore(*Parent, Context);
  return Context.getSourceManager()
      .getExpansionRange(lastBefore(S, *Block))
      .getEnd();
}

bool mayMeetPragma(const Stmt &First, SourceLocation End,
                   const SourceText &Source, ASTContext &Context,
                   Preprocessor &PP) {
  const auto IsPragma = [](const IdentifierInfo &Name) {
    return Name.getName() == "_Pragma" || Name.getName() == "__pragma";
  };
  return NameSearch(PP, IsPragma, [] { return false; })
      .findIn(Source.text(
          CharSourceRange::getCharRange(afterOneBefore(First, Context), End)));
}

SourceLocation firstRedefined(SourceLocation Begin, SourceLocation End,
                              SourceLocation Place, ASTContext &Context,
                              Preprocessor &PP) {
  const SourceManager &SM = Context.getSourceManager();
  const LangOptions &Lang = Context.getLangOpts();
  llvm::SmallPtrSet<const IdentifierInfo *, 16> Seen;
  for (SourceLocation At = Begin; SM.isBeforeInTranslationUnit(At, End);) {
    const std::optional<Token> Next = Lexer::findNextToken(At, SM, Lang);
    Token Raw;
    if (!Lexer::getRawToken(At, Raw, SM, Lang, /*IgnoreWhiteSpace=*/true) &&
        Raw.is(tok::raw_identifier) &&
        !meansTheSame(*PP.getIdentifierInfo(Raw.getRawIdentifier()), At, Place,
                      PP, Seen))
      return At;
    if (!Next)
      break;
    At = Next->getLocation();
  }
  return {};
}

/// A macro that \p Text spells may stand for something with \p Variable in it,
/// by any of the definitions that it has had.
static bool macrosName(llvm::StringRef Variable, llvm::StringRef Text,
                       Preprocessor &PP) {
  const auto IsName = [&](const IdentifierInfo &Name) {
    return Name.getName() == Variable;
  };
  bool Found = false;
  grid_barrier::forEachWord(Text, [&](llvm::StringRef Word) {
    Found = Found || (Word != Variable &&
                      NameSearch(PP, IsName, [] { return true; }).findIn(Word));
  });
  return Found;
}

llvm::StringRef unusedAttribute(llvm::StringRef Variable, llvm::StringRef Text,
                                Preprocessor &PP) {
  return grid_barrier::spellsVariable(Text, Variable) ||
                 macrosName(Variable, Text, PP)
             ? ""
             : grid_barrier::MaybeUnused;
}

bool spellsMacro(llvm::StringRef Text, SourceLocation Place, Preprocessor &PP) {
  bool Found = false;
  grid_barrier::forEachWord(Text, [&](llvm::StringRef Word) {
    const IdentifierInfo *Known =
        knownIdentifier(Word, PP.getIdentifierTable());
    if (!Known || !Known->hadMacroDefinition())
      return;
    const MacroInfo *Macro =
        PP.getMacroDefinitionAtLoc(Known, Place).getMacroInfo();
    Found |= Macro &&
             !PP.getSourceManager().isInSystemHeader(Macro->getDefinitionLoc());
  });
  return Found;
}

} // namespace barricade
