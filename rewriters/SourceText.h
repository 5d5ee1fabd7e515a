// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The user's text around a statement: how it is indented, how its lines end,
// and insertions that fit in.

#ifndef BARRICADE_REWRITERS_SOURCETEXT_H
#define BARRICADE_REWRITERS_SOURCETEXT_H

#include "matchers/Finding.h"
#include "matchers/source/SourceConditions.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
class IfStmt;
class Preprocessor;
class QualType;
class Stmt;
struct PrintingPolicy;
} // namespace clang

namespace barricade {

/// How types and names are written into a program: as it could spell them, so
/// without namespaces that have no name.
clang::PrintingPolicy writtenPolicy(const clang::ASTContext &Context);

/// A declaration of \p Name, which may be empty.
std::string writtenDeclaration(clang::QualType Type, std::string Name,
                               const clang::ASTContext &Context);

/// One file's text and edits to it. Positions are file locations: callers check
/// `isWritable` first.
class SourceText : public SourceConditions {
public:
  using SourceConditions::SourceConditions;

  /// Spelled in a file, not by a macro: text can be inserted there.
  static bool isWritable(clang::SourceLocation Where) {
    return Where.isValid() && Where.isFileID();
  }

  /// The text from the start of the token at \p Begin to the end of the token
  /// at \p End.
  llvm::StringRef text(clang::SourceLocation Begin,
                       clang::SourceLocation End) const;
  llvm::StringRef text(const clang::Stmt &S) const;

  llvm::StringRef text(clang::CharSourceRange Range) const;

  /// Where \p S is spelled, as characters of a file: macros whole or not at
  /// all. Nothing where a macro spells a part of it.
  std::optional<clang::CharSourceRange> fileRange(const clang::Stmt &S) const;

  /// One past the token at \p Where, and one past the token after that.
  clang::SourceLocation afterToken(clang::SourceLocation Where) const;
  clang::SourceLocation afterNextToken(clang::SourceLocation Where) const;
  /// Past the blanks from \p Where on, on its line.
  clang::SourceLocation afterBlanks(clang::SourceLocation Where) const;

  /// One past \p S, its semicolon included where it has one. Invalid where the
  /// semicolon cannot be found.
  clang::SourceLocation afterStatement(const clang::Stmt &S) const;

  /// The blanks that the line of \p Where begins with.
  llvm::StringRef indentation(clang::SourceLocation Where) const;
  /// Nothing but blanks stand before \p Where on its line.
  bool isFirstOnLine(clang::SourceLocation Where) const;
  /// "\n" or "\r\n", as the line of \p Where ends.
  llvm::StringRef lineEnding(clang::SourceLocation Where) const;
  /// What one level of indentation adds at \p Outer, judged by \p Inner, a
  /// statement one level deeper.
  std::string deeper(clang::SourceLocation Outer,
                     clang::SourceLocation Inner) const;
  bool onOneLine(clang::SourceLocation A, clang::SourceLocation B) const;
  /// The start of the line of \p Where.
  clang::SourceLocation lineStart(clang::SourceLocation Where) const;
  /// The start of the line after it; invalid behind the last one.
  clang::SourceLocation nextLineStart(clang::SourceLocation Where) const;
  /// Nothing but blanks stand on the line of \p Where.
  bool isBlankLine(clang::SourceLocation Where) const;
  /// Nothing but blanks stand behind \p Where on its line.
  bool isLastOnLine(clang::SourceLocation Where) const;
  /// Offsets of the lines, of those from \p First to \p Last, that begin within
  /// a string literal.
  llvm::DenseSet<unsigned> linesWithinStrings(clang::SourceLocation First,
                                              clang::SourceLocation Last) const;
  /// A line between the two begins within a string literal, or the one before
  /// ends in a backslash, other than between two arguments: it cannot be
  /// indented anew without a look at what it means.
  bool hasSplitLines(clang::SourceLocation First,
                     clang::SourceLocation Last) const;
  /// The first comment between the two that begins a line of its own; else
  /// \p Last.
  clang::SourceLocation leadingComment(clang::SourceLocation First,
                                       clang::SourceLocation Last) const;
  /// The end of the line of \p Where, if only blanks and a comment follow it on
  /// the line; else \p Where.
  clang::SourceLocation afterTrailingComment(clang::SourceLocation Where) const;
  /// The start of the line of \p Where, or of the first of the comment lines
  /// right above it; \p Where itself if something else stands before it.
  clang::SourceLocation beforeComments(clang::SourceLocation Where) const;
  /// Where a comment begins before \p Where that tells tools what to think of
  /// the line of \p Where (`NOLINTNEXTLINE`); \p Where itself if none does.
  clang::SourceLocation beforeLineComment(clang::SourceLocation Where) const;
  /// Has the lines that \p Edits insert before the statement at \p Begin stand
  /// above such a comment, which would speak of them otherwise.
  void keepWithComments(clang::SourceLocation Begin,
                        std::vector<Edit> &Edits) const;
  /// \p Begin, where Clang takes \p Function's declaration to begin, or where
  /// the attributes right before it do: `[[...]]`, or macros that spell some,
  /// or that stand for a part of it in another build.
  clang::SourceLocation beforeAttributes(const clang::FunctionDecl &Function,
                                         clang::SourceLocation Begin) const;
  /// One past the `)`, `else` or `do` that stands before \p Where, with nothing
  /// but blanks between; otherwise \p Where.
  clang::SourceLocation afterHeader(clang::SourceLocation Where) const;
  /// One past the `)` or `else` after which \p Branch of \p If stands; invalid
  /// where a macro spells that.
  clang::SourceLocation afterHeader(const clang::IfStmt &If,
                                    const clang::Stmt &Branch) const;
  /// The lines between the two that a preprocessor directive begins, other than
  /// a line that begins before \p Begin.
  unsigned countDirectives(clang::SourceLocation Begin,
                           clang::SourceLocation End) const;
  /// There is such a line.
  bool hasDirectiveBetween(clang::SourceLocation Begin,
                           clang::SourceLocation End) const {
    return countDirectives(Begin, End) > 0;
  }
  /// Another build may compile other code between the two: an `#else` or the
  /// like stands there, an `#if` begins or ends there alone, or one leaves out
  /// code now. \p IsCompiled: something of what stands between two places is
  /// compiled.
  bool hasOtherBranch(
      clang::SourceLocation Begin, clang::SourceLocation End,
      llvm::function_ref<bool(clang::SourceLocation, clang::SourceLocation)>
          IsCompiled) const;
  /// A pragma stands right before \p Where, which begins a statement.
  bool followsPragma(clang::SourceLocation Where) const;
  /// The word occurs between the two, other than as `x.Name` or `p->Name`.
  bool hasNameBetween(llvm::StringRef Name, clang::SourceLocation Begin,
                      clang::SourceLocation End) const;

  /// How often the word occurs between the two, other than in comments and
  /// literals: whatever the preprocessor makes of it.
  unsigned countWord(llvm::StringRef Name, clang::SourceLocation Begin,
                     clang::SourceLocation End) const;

  /// How often the word stands before a parenthesis there, as in a function's
  /// declaration.
  unsigned countDeclarators(llvm::StringRef Name, clang::SourceLocation Begin,
                            clang::SourceLocation End) const;

  /// `#include Spelled` behind the includes at the top of the file that holds
  /// \p Where, but before macros of the program that may mean something else in
  /// the header; nothing if they include it already, in quotes or in brackets.
  std::optional<Edit> inclusion(llvm::StringRef Spelled,
                                clang::SourceLocation Where,
                                clang::Preprocessor &PP) const;

  Edit insertion(clang::SourceLocation Where, std::string Text) const;
  Edit replacement(clang::SourceLocation Begin, clang::SourceLocation AfterEnd,
                   std::string Text) const;
  /// Takes the text away, with its line where nothing else stands there.
  Edit removal(clang::SourceLocation Begin,
               clang::SourceLocation AfterEnd) const;

private:
  /// How many of the conditions that hold at \p Begin no longer hold at \p End.
  unsigned countConditionsLeft(clang::SourceLocation Begin,
                               clang::SourceLocation End) const;
  /// Something else than directives and comments stands between the two, or is
  /// included there.
  bool holdsCode(clang::SourceLocation Begin, clang::SourceLocation End) const;
  /// The `[[` that belongs to the `]` at \p Last, or the `(` to the `)`;
  /// invalid where there is none.
  clang::SourceLocation openedAt(const clang::Token &Last) const;
  /// Where the macro is named that ends with \p Last, if it belongs to the
  /// declaration behind that; invalid: none does.
  clang::SourceLocation prefixBegin(const clang::Token &Last) const;
  /// The line before that of \p Where ends in a backslash.
  bool continuesLine(clang::SourceLocation Where) const;
};

} // namespace barricade

#endif
