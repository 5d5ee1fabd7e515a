// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conditions (`#if` to `#endif`) under which a place of the source is
// compiled: what another build of it may have otherwise.

#ifndef BARRICADE_MATCHERS_SOURCE_SOURCECONDITIONS_H
#define BARRICADE_MATCHERS_SOURCE_SOURCECONDITIONS_H

#include "clang/Basic/FileEntry.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace clang {
class ASTContext;
class LangOptions;
class Lexer;
class SourceManager;
class Token;
} // namespace clang

namespace barricade {

/// Of places in files, not in macros. All of one context share what they know
/// of its files.
class SourceConditions {
public:
  explicit SourceConditions(const clang::ASTContext &Context);

  /// What is compiled at \p Begin is compiled at \p End, too, whatever macros
  /// are set: no `#if` begins, changes over or ends between them alone.
  bool haveSameConditions(clang::SourceLocation Begin,
                          clang::SourceLocation End) const;
  /// No build compiles both what stands at \p A and what stands at \p B, in one
  /// file: they are in two branches of one `#if`.
  bool excludeEachOther(clang::SourceLocation A, clang::SourceLocation B) const;
  /// An `#if` and its `#endif`, by the offsets of their `#`.
  struct Condition {
    unsigned Begin, End;
    unsigned Branches;
    bool HasElse; ///< What one branch leaves out is in another.
    bool hasOtherBranch() const { return Branches > 1; }
  };
  /// The conditions that \p Where is compiled under, outermost first; what
  /// keeps a header from being read twice is none, nor is what holds in every
  /// build of CUDA sources, or in none: `#ifdef __CUDACC__`.
  std::vector<Condition> conditionsAround(clang::SourceLocation Where) const;
  /// What stands at \p Where is compiled under a condition of its file that
  /// \p User's place is not under.
  bool hasOtherCondition(clang::SourceLocation Where,
                         clang::SourceLocation User) const;
  /// The same, or its file is included under one.
  bool mayBeMissing(clang::SourceLocation Where,
                    clang::SourceLocation User) const;
  /// No build of CUDA sources compiles what stands at \p Where.
  bool isNeverCompiled(clang::SourceLocation Where) const;
  /// Calls \p Visit for each file that is no system's, and none that barricade
  /// puts before a source: those, too, that this build does not include
  /// (matchers/source/LeftOutFiles.h).
  void forEachUserFile(llvm::function_ref<void(clang::FileID)> Visit) const;
  /// The same without those.
  void forEachIncludedFile(llvm::function_ref<void(clang::FileID)> Visit) const;
  bool isIncluded(clang::FileEntryRef File) const;
  /// What the `#include` at \p Hash names, without its quotes or brackets;
  /// empty: it names no file itself.
  llvm::StringRef nameIncludedAt(clang::SourceLocation Hash) const;
  /// Calls \p Visit once for each of the user's files that \p Name, in an
  /// `#include`, may be.
  void forEachFileNamed(llvm::StringRef Name,
                        llvm::function_ref<void(clang::FileID)> Visit) const;
  /// Another build compiles all of \p File, of which this one compiles nothing:
  /// \p IsIncluded where it is read nevertheless.
  void leaveOut(clang::FileID File, bool IsIncluded) const;
  /// Another build compiles another file instead of \p File.
  void replace(clang::FileID File) const;
  /// What keeps \p File from being read twice; empty: nothing does.
  llvm::StringRef guardOf(clang::FileID File) const {
    return conditionsOf(File).Guard;
  }
  /// One of the headers that barricade puts before a source.
  bool isOwn(clang::FileID File) const;
  /// \p Word stands somewhere in \p File, be it in a comment.
  bool holdsWord(clang::FileID File, llvm::StringRef Word) const;
  /// Calls \p Visit with each word of \p File under a condition, in order,
  /// maybe several times, be it in a comment.
  void forEachWordUnderCondition(
      clang::FileID File,
      llvm::function_ref<void(llvm::StringRef)> Visit) const;
  /// \p Word stands in \p File under a condition, or in a word there.
  bool holdsUnderCondition(clang::FileID File, llvm::StringRef Word) const;
  /// Another build may have something else than what stands at \p Where: an
  /// `#if` around it has other branches, or the command line says it.
  bool standsInBranch(clang::SourceLocation Where) const;
  /// Where \p User stands, another build may have something else than what
  /// stands at \p Where: that is compiled, or its file is included, under a
  /// condition that \p User's place, which may be invalid, is not under.
  /// \p IsMacro: a macro's definition, which a command line may come before.
  bool isInOtherBranch(clang::SourceLocation Where, clang::SourceLocation User,
                       bool IsMacro = false) const;

  /// A directive stands between the two.
  bool holdsDirective(clang::SourceLocation Begin,
                      clang::SourceLocation End) const;
  /// One that is no pragma: what stands there is not all, or not always there.
  bool holdsCondition(clang::SourceLocation Begin,
                      clang::SourceLocation End) const;
  /// That, or a condition that begins, changes over or ends directly behind the
  /// token at \p Last: what is spelled there may go on, or be something else.
  bool holdsConditionUpTo(clang::SourceLocation Begin,
                          clang::SourceLocation Last) const;
  /// The same range with the words right before and behind it: they may be
  /// macros, which belong to it in a build where they stand for something.
  std::pair<clang::SourceLocation, clang::SourceLocation>
  withWordsAround(clang::SourceLocation Begin,
                  clang::SourceLocation Last) const;
  /// A word of that may stand for nothing where \p User is, so that no tree has
  /// it, and for something in another build.
  bool holdsOtherMacro(clang::SourceLocation Begin, clang::SourceLocation Last,
                       clang::SourceLocation User) const;
  /// The directives that begin between the two, with their names. All that asks
  /// for directives finds them by this.
  void forEachDirective(
      clang::SourceLocation Begin, clang::SourceLocation End,
      llvm::function_ref<void(clang::SourceLocation, llvm::StringRef)> Visit)
      const;
  /// The tokens of each `#define` in \p File that some build may compile, from
  /// its name on.
  void forEachDefinition(
      clang::FileID File,
      llvm::function_ref<void(llvm::ArrayRef<clang::Token>)> Visit) const;
  /// The same, token by token, with the name.
  void forEachDefinitionToken(
      clang::FileID File,
      llvm::function_ref<void(const clang::Token &Name, const clang::Token &)>
          Visit) const;
  /// The raw tokens of \p File that some build may compile.
  void
  forEachTokenOf(clang::FileID File,
                 llvm::function_ref<void(const clang::Token &)> Visit) const;
  /// Raw tokens that begin between the two. No lines are spliced in their
  /// words.
  void forEachToken(clang::SourceLocation First, clang::SourceLocation Last,
                    llvm::function_ref<void(const clang::Token &)> Visit,
                    bool WithComments = false) const;

protected:
  std::pair<llvm::StringRef, unsigned>
  bufferAt(clang::SourceLocation Where) const;

  const clang::ASTContext &Context;
  const clang::SourceManager &SM;
  const clang::LangOptions &Lang;

private:
  /// Where macros of a name are defined.
  using MacroPlaces = llvm::StringMap<std::vector<clang::SourceLocation>>;
  struct FileConditions {
    std::vector<Condition> All; ///< Ordered by where they begin.
    /// From one directive to another: what is never compiled.
    std::vector<std::pair<unsigned, unsigned>> LeftOut;
    llvm::StringRef Guard;
  };
  struct KnownConditions {
    llvm::DenseMap<clang::FileID, FileConditions> Of;
    std::optional<bool> UndefinesOfCuda;
    llvm::DenseMap<clang::FileID, bool> LeftOut; ///< Whether it is included.
    llvm::DenseSet<clang::FileID> Replaced;
    llvm::StringSet<> Spliced;
    llvm::DenseMap<clang::FileID, bool> SplicesWords;
    /// That stand for nothing by one of their definitions.
    std::optional<MacroPlaces> EmptyMacros;
  };

  clang::Lexer lexerAt(clang::SourceLocation Where) const;
  void joinLines(clang::Token &Word) const;
  /// So that the text of \p File may not have all of its words.
  bool hasSplicedWords(clang::FileID File) const;
  llvm::StringRef guardBegunAt(clang::SourceLocation Hash) const;
  bool endsFile(clang::SourceLocation Hash) const;
  llvm::DenseMap<clang::FileID, clang::SourceLocation>
  includersOf(clang::SourceLocation User) const;
  bool undefinesOfCuda() const;
  std::optional<bool> holdsAlways(clang::SourceLocation Hash) const;
  FileConditions readConditions(clang::FileID File) const;
  const MacroPlaces &emptyMacros() const;

  const FileConditions &conditionsOf(clang::FileID File) const;

  std::shared_ptr<KnownConditions> Known;
};

} // namespace barricade

#endif
