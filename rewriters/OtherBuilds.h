// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether code may be other code in another build of the same sources, or in
// another unit that includes them: where macros are set otherwise.

#ifndef BARRICADE_REWRITERS_OTHERBUILDS_H
#define BARRICADE_REWRITERS_OTHERBUILDS_H

#include "matchers/Blocker.h"
#include "matchers/Program.h"
#include "matchers/source/OpenEnds.h"
#include "rewriters/Rule.h"
#include "rewriters/SourceText.h"
#include "clang/Basic/SourceLocation.h"
#include "clang/Basic/TokenKinds.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace clang {
class Decl;
class DeclRefExpr;
class Expr;
class FunctionDecl;
class IdentifierInfo;
class MacroInfo;
class NamedDecl;
class Stmt;
class Token;
class ValueDecl;
} // namespace clang

namespace barricade {

/// A token of a file or of a macro's definition.
struct CodeToken {
  clang::tok::TokenKind Kind; ///< Of words, keywords too, `identifier`.
  llvm::StringRef Text;       ///< Of words and literals.
  clang::SourceLocation Where;

  static CodeToken of(const clang::Token &T);
  bool isWord() const { return Kind == clang::tok::identifier; }
  bool is(clang::tok::TokenKind Other) const { return Kind == Other; }
  /// `=`, `+=` and the like.
  bool assigns() const;
};

/// One of the definitions of a macro.
struct MacroText {
  std::vector<llvm::StringRef> Parameters;
  std::vector<CodeToken> Tokens;
  bool OfSystem;  ///< Of a library's or the compiler's, as in all builds.
  bool IsLeftOut; ///< In this build.
};

/// A condition or a template's argument in \p D, even a number, chooses which
/// code there is.
bool choosesCode(const clang::Decl &D);

class OtherBuilds {
public:
  explicit OtherBuilds(const PassView &Pass);

  /// Where \p User stands, something else may stand for \p D. Both are of the
  /// pass.
  bool mayReplace(const clang::Decl &D, clang::SourceLocation User) const;

  /// Where \p User stands, another build may find something besides \p D by its
  /// name, an overload or a specialisation, that suits better: this one leaves
  /// it out, or the file that it is in (matchers/source/LeftOutFiles.h).
  /// \p IsQualified: it is asked for in the namespace of \p D alone. What
  /// stands where \p IsSame is nothing besides it.
  bool mayAdd(const clang::Decl &D, clang::SourceLocation User,
              bool IsQualified = false,
              llvm::function_ref<bool(clang::SourceLocation)> IsSame = nullptr);

  /// \p D may be spelled otherwise. \p IsShared: other units that include it
  /// have to have the same. \p ChoosesCode: so its numbers must not change. \p
  /// IsPlainSame: what is an integer or one name in each build is no other
  /// (PlainMacros).
  bool mayRespell(const clang::Decl &D, bool IsShared, bool ChoosesCode,
                  bool IsPlainSame = false);

  /// What stands between two places of a file may, other than in numbers.
  bool mayRespell(clang::SourceLocation Begin, clang::SourceLocation End);

  /// The same of what \p Code, all of it, is spelled by: other than in integers
  /// that something is compared with (PlainMacros).
  bool mayRespell(clang::SourceLocation Begin, clang::SourceLocation End,
                  llvm::ArrayRef<const clang::Stmt *> Code);

  /// Some file of the user's has an `#undef` of \p Name that another build may
  /// have or not.
  bool mayUndefine(llvm::StringRef Name) const;

  /// This build defines \p Macro once, before \p Before, and for good.
  bool hasOneMeaning(llvm::StringRef Macro, clang::SourceLocation Before) const;

  /// Another build may have something else than what stands at \p Where.
  bool standsInBranch(clang::SourceLocation Where) const {
    return Source.standsInBranch(Where);
  }

  /// All that \p Name stands for as a macro somewhere in the files of this
  /// build, or in those that it leaves out, whether that is left out or not.
  std::vector<MacroText> definitionsOf(llvm::StringRef Name);

  /// A function of the user's that \p S calls, or one that this calls, may be
  /// another one or do something else: be it that a value may be of a class
  /// that has one (matchers/source/OtherTypes.h).
  bool mayCallElse(const clang::Stmt &S);

  /// A variable or a member that \p S names may be another one, of another
  /// type.
  bool mayNameElse(const clang::Stmt &S);

  /// Adds to \p F why what its edits write may not be read as it is meant: \p
  /// IsMacro where something of the runtime's is one, \p IsJoined where in
  /// another build code goes on with it, with the place where that ends. True:
  /// so it is.
  bool refuseText(const Blocker &IsMacro, const Blocker &IsJoined, Finding &F);

  /// In another build, a macro before \p S is something that \p S belongs to:
  /// here it stands for nothing.
  bool mayBelongTo(const clang::Stmt &S);

  /// In another build, \p Function, of which \p S is a statement, may jump past
  /// what is declared before \p S.
  bool mayJumpPast(const clang::Stmt &S,
                   const clang::FunctionDecl &Function) const;

  /// Another build may choose other code for \p S: by a specialisation that
  /// this one leaves out (matchers/source/Specialisations.h), or by a constant
  /// that an `if constexpr` asks for.
  bool mayChooseElse(const clang::Stmt &S) const;

  /// What \p Function does may be something else, be it by a number.
  bool mayDoElse(const clang::FunctionDecl &Function);

  /// What \p E names, from functions to the sizes of types, may be something
  /// else, so that it has another value: other than by a number that it spells
  /// (matchers/BuildVariants.h).
  bool mayMeanElse(const clang::Expr &E);

  /// Two that are equal now, either of which may be null, may not be.
  bool maySeparate(const clang::Expr *A, const clang::Expr *B);

  /// The name of \p Function that stands from \p Begin to \p End, with template
  /// arguments, may.
  bool mayRespellName(const clang::FunctionDecl &Function,
                      clang::SourceLocation Begin, clang::SourceLocation End);

private:
  /// The runtime's header, included at \p Include, may stand behind a macro
  /// that is one of its names.
  bool mayBreakRuntime(clang::SourceLocation Include);
  /// \p Name may be a macro at \p Place: one that the program asks for, which a
  /// command line may define, or one that is left out before. \p IsCalled: one
  /// with parameters, too.
  bool mayBeDefinedBefore(llvm::StringRef Name, bool IsCalled,
                          clang::SourceLocation Place);
  clang::SourceLocation placeOfRuntime(llvm::ArrayRef<Edit> Edits) const;
  /// The program's directives ask for \p Macro.
  bool asksFor(llvm::StringRef Macro);
  void readDirectives();
  void readDirectives(clang::FileID File);
  /// A word of an `#include` that names its file by macros.
  struct IncludedWord {
    std::string Word;
    clang::SourceLocation Where;
    bool IsFirst; ///< Of its directive: a macro, or nothing is included.
  };
  bool mayBeSet(const IncludedWord &Each);
  bool mayBeSet(llvm::StringRef Macro, clang::SourceLocation Before,
                llvm::StringSet<> &Seen);
  bool mayBeFound(llvm::StringRef Quoted, clang::FileID Asking) const;
  /// Where files are included that nothing is known of: by a macro that a build
  /// may set, or where a build has one that it asks for by `__has_include`.
  llvm::ArrayRef<clang::SourceLocation> otherIncludes();
  bool mayIncludeElse() { return !otherIncludes().empty(); }
  bool mayIncludeElseBefore(clang::SourceLocation Place);

  /// How a text is used.
  struct Use {
    bool IsShared;         ///< Other units have to have the same.
    bool ChoosesCode;      ///< A number in it may.
    bool IsCalled = false; ///< It stands before parentheses.
    bool operator<(const Use &Other) const {
      return std::tie(IsShared, ChoosesCode, IsCalled) <
             std::tie(Other.IsShared, Other.ChoosesCode, Other.IsCalled);
    }
  };
  bool isAddedIn(clang::FileID File, llvm::StringRef Name,
                 const clang::NamedDecl &D, clang::SourceLocation User,
                 bool IsQualified,
                 llvm::function_ref<bool(clang::SourceLocation)> IsSame);
  bool isLeftOut(clang::SourceLocation Where, const clang::NamedDecl &D,
                 clang::SourceLocation User) const;
  bool isInNamespaceOf(const clang::NamedDecl &D,
                       clang::SourceLocation Where) const;
  /// A macro that is defined where this build looks at nothing.
  struct LeftOutMacro {
    bool IsNumber = true;     ///< Wherever it is.
    bool IsOfLanguage = true; ///< It says nothing but keywords and numbers.
    llvm::SmallVector<clang::SourceLocation, 1> Names;
    /// What it stands for alone, in some definitions.
    llvm::SmallVector<llvm::StringRef, 1> Words;
  };
  const llvm::StringMap<LeftOutMacro> &leftOutMacros();
  bool mayBeQualifiedElse(const clang::DeclRefExpr &Ref) const;
  bool mayBeDeclaredElse(const clang::ValueDecl &D, clang::SourceLocation User);
  /// Of what \p Edits write of the runtime's, something is a macro in this
  /// build or another one.
  bool meetsMacros(llvm::ArrayRef<Edit> Edits);
  /// Where code of another build ends that goes on with one of \p Edits.
  clang::SourceLocation findJoined(llvm::ArrayRef<Edit> Edits);
  MacroText readDefinition(clang::SourceLocation Name) const;
  void addLeftOutMacros(clang::FileID File);
  void addLeftOutMacro(llvm::ArrayRef<clang::Token> Definition);
  bool mayHaveRival(const clang::Stmt &Part);
  /// \p S names what may be something else.
  bool namesElse(const clang::Stmt &S);
  bool isSeen(const clang::Token &MacroName);
  /// A number, as all are that a command line defines: the program asks for \p
  /// Macro, and does not define it itself.
  bool isSetByCommandLine(llvm::StringRef Macro);
  bool isNumber(const clang::MacroInfo &Macro);
  bool isOfLanguage(llvm::StringRef Word) const;
  /// \p Call calls \p Callee.
  bool mayBeElse(const clang::FunctionDecl &Callee, const clang::Stmt &Call);
  bool isBeside(clang::SourceLocation Where, const clang::FunctionDecl &D);
  bool macrosMayScope();
  /// Before a declaration of \p Function stands a part of it in another build,
  /// `virtual` or `__attribute__((weak))`.
  bool mayBeSpecifiedElse(const clang::FunctionDecl &Function);
  bool mayBeDeclaredElse(const clang::FunctionDecl &Function);
  bool mayBeOtherInstance(const clang::Stmt &Call,
                          const clang::FunctionDecl &Callee) const;
  /// \p Callee is found by types that may be others: it is one of several, a
  /// template's, or a member.
  bool mayBeFoundElse(const clang::Stmt &Call,
                      const clang::FunctionDecl &Callee) const;
  bool mayBeDefined(llvm::StringRef Word, Use Of);
  bool mayExpandOtherwise(
      llvm::StringRef Text, Use Of,
      llvm::function_ref<bool(llvm::StringRef)> IsHarmless = nullptr);
  bool mayMeanElse(const clang::IdentifierInfo &Name, Use Of);
  bool mayMeanElse(const clang::MacroInfo &Macro, Use Of);
  bool maySpellElse(const clang::MacroInfo &Macro, Use Of);
  bool spellsType(const clang::MacroInfo &Macro) const;

  clang::ASTContext &Context;
  const clang::SourceManager &SM;
  clang::Preprocessor &PP;
  const SourceText Source;
  std::map<std::pair<const clang::IdentifierInfo *, Use>, bool> Known;
  std::optional<llvm::StringMap<LeftOutMacro>> LeftOut;
  std::optional<bool> MacrosMayScope;
  /// Words of the program's conditions, and macros that name what it includes;
  /// once its directives were read.
  std::optional<llvm::StringSet<>> Asked;
  std::vector<IncludedWord> Included;
  std::vector<clang::SourceLocation> Unknown; ///< Files that it asks for.
  std::optional<std::vector<clang::SourceLocation>> OtherIncludes;
  std::map<clang::FileID, std::vector<OpenEnd>> OpenEnds;
  /// Functions whose bodies were looked at.
  llvm::DenseMap<const clang::FunctionDecl *, bool> Bodies;
};

} // namespace barricade

#endif
