// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a text that no build has compiled yet may declare a name:
//
//   #ifdef SAVE
//   void tick(float *a);
//   static Saver other, tick;
//   #endif

#ifndef BARRICADE_REWRITERS_DECLAREDNAMES_H
#define BARRICADE_REWRITERS_DECLAREDNAMES_H

#include "clang/Lex/Token.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class NamedDecl;
} // namespace clang

namespace barricade {

/// Goes over the tokens of a text and finds where a name may be declared that
/// hides, or is another than, a declaration that there is.
class DeclaredNames {
  using Token = clang::Token;

public:
  /// \p D: what the name means now. \p Names: the words that may spell it.
  /// \p IsMacro: a word is a macro's in some build. What these refer to must
  /// outlive the object.
  DeclaredNames(const clang::NamedDecl &D,
                llvm::ArrayRef<llvm::StringRef> Names,
                llvm::function_ref<bool(llvm::StringRef)> IsMacro);

  /// The name stands before \p T, and is declared there; null otherwise.
  const Token *before(const Token &T) const {
    return Found != Nothing && mayFollow(T) ? &Candidate : nullptr;
  }
  /// The last token stands behind `::`.
  bool followsQualifier() const { return FollowsQualifier; }

  /// Goes on to \p T, raw, as the lexer has it.
  void add(const Token &T);

private:
  enum Shape {
    Nothing,
    Declarator,  ///< `type name`.
    Argument,    ///< `MACRO(type, name)`, which may declare it.
    Listed,      ///< `enum { name }`, `int other = 1, name = 2`.
    OneOfMore,   ///< `type other, name`.
    Bound,       ///< `auto [other, name]`.
    Enclosed,    ///< `type (name)`
    EnclosedAll, ///< The same, behind its parenthesis.
  };

  /// What braces hold, as far as that says what may be declared there.
  enum class Braces { Other, OfClass, OfEnum };

  enum Statement { Unknown, Declares, Computes };

  enum class Parenthesis {
    OfMacro,
    OfName, ///< Of an attribute, say.
    OfCode, ///< Of a condition or a cast: no name is declared behind it.
  };
  Parenthesis parenthesisBehind(const Token &T) const;

  bool isName(const Token &T) const {
    return T.is(clang::tok::raw_identifier) &&
           llvm::is_contained(Names, T.getRawIdentifier());
  }

  /// What stands before a directive stands before what follows it.
  void passDirectives(const Token &T);

  /// Whether the statement declares something, and what its braces hold.
  void followStatement(const Token &T);

  void followWord(llvm::StringRef Word);

  /// Whether it computes a value here.
  void followExpression(const Token &T);

  /// What stands before a name with all its qualifiers.
  void followQualifiers(const Token &T);

  void begin(Statement As) {
    Says = As;
    Opens = Braces::Other;
  }

  static bool isAuto(const Token &T) {
    return T.is(clang::tok::raw_identifier) && T.getRawIdentifier() == "auto";
  }

  /// A word here is declared if the statement has begun with its type. Nobody
  /// multiplies what no one takes.
  bool followsType() const;

  /// The last token is a macro's name, or \p T opens its parameters: behind
  /// these begins what it stands for.
  bool isMacroDefined() const { return IsDefinition && InDirective == 3; }
  bool opensParameters(const Token &T) const {
    return IsDefinition && InDirective == 4 && !T.hasLeadingSpace();
  }

  bool isOfValue() const;
  Shape shapeHere() const;

  static bool isAttribute(const Token &T);

  /// `type name __attribute__((...))`, or a macro for that.
  bool isAttributeOfName(const Token &T) const;

  bool mayFollow(const Token &T) const;

  const clang::NamedDecl &D;
  const llvm::ArrayRef<llvm::StringRef> Names;
  const llvm::function_ref<bool(llvm::StringRef)> IsMacro;
  Token Before, BeforeLast, BeforeDirective, Candidate;
  Token BeforeQualified;    ///< Before the last name's first qualifier.
  unsigned InDirective = 0; ///< Tokens of it.
  bool IsDefinition = false;
  Shape Found = Nothing;
  bool FollowsQualifier = false;
  llvm::SmallVector<Parenthesis, 8> Open;
  Parenthesis Closed = Parenthesis::OfName; ///< The last.
  /// The statement has begun with `type (*`, as pointers to functions do.
  bool ClosesPointer = false;
  /// The statement, so far.
  Statement Says = Unknown;
  Braces Opens = Braces::Other; ///< The next brace.
  Braces Ended = Braces::Other; ///< What the last one closed.
  /// With the statement that goes on behind each.
  llvm::SmallVector<std::pair<Braces, Statement>, 8> Around;
  bool InBinding = false, InUsing = false;
  /// Parentheses around the value that is computed, and one; 0: none is.
  size_t ValueDepth = 0;
};

} // namespace barricade

#endif
