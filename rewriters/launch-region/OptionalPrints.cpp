// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/launch-region/OptionalPrints.h"
#include "rewriters/SourceText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/OperatorPrecedence.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace barricade::launch_region {
namespace {

/// Goes over raw tokens, one after the other.
class PrintReader {
public:
  PrintReader(const ASTContext &Context, Preprocessor &PP)
      : Context(Context), PP(PP) {}

  bool isGood() const { return IsGood && At == Place::Outside; }

  void read(const Token &T) {
    if (T.is(tok::hash) && T.isAtStartOfLine()) {
      Is = Line::Hash;
      return;
    }
    if (Is != Line::Code && T.isAtStartOfLine())
      Is = Line::Code;
    if (Is == Line::Hash)
      readDirective(T);
    else if (Is == Line::Code)
      readCode(T);
  }

private:
  /// What the line is.
  enum class Line { Code, Hash, Directive };
  enum class Place {
    Outside,    ///< Of conditions.
    Statement,  ///< Where one may begin.
    BeforeIf,   ///< Its condition follows.
    BeforeCall, ///< A function's arguments follow.
    InIf,
    InCall,
    BehindCall
  };

  void readDirective(const Token &T) {
    Is = Line::Directive;
    const llvm::StringRef Name =
        T.is(tok::raw_identifier) ? T.getRawIdentifier() : "";
    if (Name == "endif")
      IsGood &= std::exchange(At, Place::Outside) == Place::Statement;
    else
      IsGood &= std::exchange(At, Place::Statement) == Place::Outside &&
                EndsStatement && Name.starts_with("if");
  }

  void readCode(const Token &T) {
    switch (At) {
    case Place::Outside:
      EndsStatement = T.isOneOf(tok::semi, tok::l_brace, tok::r_brace);
      return;
    case Place::Statement:
      At = isWord(T, "if") ? Place::BeforeIf : Place::BeforeCall;
      IsGood &= At == Place::BeforeIf || prints(T);
      return;
    case Place::BeforeIf:
    case Place::BeforeCall:
      IsGood &= T.is(tok::l_paren);
      At = At == Place::BeforeIf ? Place::InIf : Place::InCall;
      Depth = 1;
      FollowsWord = false;
      return;
    case Place::InIf:
    case Place::InCall:
      return readValue(T);
    case Place::BehindCall:
      IsGood &= T.is(tok::semi);
      At = Place::Statement;
      return;
    }
  }

  void readValue(const Token &T) {
    Depth += T.is(tok::l_paren);
    Depth -= T.is(tok::r_paren);
    IsGood &= !(T.is(tok::l_paren) && FollowsWord) && !changes(T);
    FollowsWord = T.is(tok::raw_identifier) || T.is(tok::greater);
    if (Depth == 0)
      At = At == Place::InIf ? Place::Statement : Place::BehindCall;
  }

  /// Something, or begins what may be more than a value.
  static bool changes(const Token &T) {
    return T.isOneOf(tok::plusplus, tok::minusminus, tok::semi, tok::l_brace,
                     tok::r_brace, tok::hash) ||
           getBinOpPrecedence(T.getKind(), /*GreaterThanIsOperator=*/true,
                              /*CPlusPlus11=*/true) == prec::Assignment;
  }

  static bool isWord(const Token &T, llvm::StringRef Word) {
    return T.is(tok::raw_identifier) && T.getRawIdentifier() == Word;
  }

  /// The C library's function.
  bool prints(const Token &T) const {
    if (!T.is(tok::raw_identifier) ||
        !llvm::StringSwitch<bool>(T.getRawIdentifier())
             .Cases({"printf", "puts", "putchar"}, true)
             .Default(false))
      return false;
    const IdentifierInfo *Name = PP.getIdentifierInfo(T.getRawIdentifier());
    const SourceManager &SM = Context.getSourceManager();
    return !Name->hadMacroDefinition() &&
           llvm::all_of(Context.getTranslationUnitDecl()->lookup(Name),
                        [&](const NamedDecl *D) {
                          return D->getLocation().isInvalid() ||
                                 SM.isInSystemHeader(D->getLocation());
                        });
  }

  const ASTContext &Context;
  Preprocessor &PP;
  Line Is = Line::Code;
  Place At = Place::Outside;
  bool IsGood = true;
  bool EndsStatement = false; ///< What stands before.
  bool FollowsWord = false;   ///< So that parentheses would call it.
  unsigned Depth = 0;         ///< Of parentheses.
};

} // namespace

bool holdsOnlyOptionalPrints(SourceLocation Begin, SourceLocation End,
                             const SourceText &Source,
                             const ASTContext &Context, Preprocessor &PP) {
  PrintReader Reader(Context, PP);
  Source.forEachToken(Begin, End, [&](const Token &T) { Reader.read(T); });
  return Reader.isGood();
}

} // namespace barricade::launch_region
