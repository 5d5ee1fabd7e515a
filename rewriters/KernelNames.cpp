// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/KernelNames.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/UserDeclarations.h"
#include "rewriters/OtherBuilds.h"
#include "rewriters/SourceText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace clang;

namespace barricade {
namespace {

using Text = std::vector<CodeToken>;

bool areEqual(const Text &A, const Text &B) {
  return llvm::equal(A, B, [](const CodeToken &One, const CodeToken &Other) {
    return One.Kind == Other.Kind && One.Text == Other.Text;
  });
}

/// A function as a file declares it, whether a build compiles that or not.
struct WrittenFunction {
  SourceLocation Name;
  Text Before;     ///< Its name.
  Text Template;   ///< `template <...>`, of what stands before.
  Text Parameters; ///< With their parentheses.
  /// What stands before the parentheses around the name, if that may be a
  /// parameter there; and the braces of functions and classes around it.
  std::optional<CodeToken> OfParameters;
  std::vector<SourceLocation> Braces;
};

/// Goes over a file's tokens to the declaration of what stands at a place.
class DeclarationReader {
public:
  DeclarationReader(SourceLocation Name, const SourceText &Source)
      : Source(Source) {
    Function.Name = Name;
  }

  void add(const Token &T) {
    if (T.isAtStartOfLine())
      InDirective = T.is(tok::hash);
    if (InDirective || IsOver)
      return;
    if (IsFound)
      addParameter(T);
    else if (T.getLocation() == Function.Name)
      IsFound = true;
    else
      addBefore(T);
  }

  /// Nothing where the place is in a directive, or a macro's.
  std::optional<WrittenFunction> read() {
    if (!IsFound)
      return std::nullopt;
    readTemplate();
    Function.Braces.assign(Around.begin(), Around.end());
    llvm::erase(Function.Braces, SourceLocation());
    return std::move(Function);
  }

private:
  void addBefore(const Token &T) {
    if (T.is(tok::l_brace))
      Around.push_back(isOfNamespace() ? SourceLocation() : T.getLocation());
    else if (T.is(tok::r_brace) && !Around.empty())
      Around.pop_back();
    if (T.isOneOf(tok::semi, tok::l_brace, tok::r_brace))
      return endStatement(T.getLocation());
    if (T.is(tok::l_paren) && Open++ == 0 && Function.Before.size() > 1)
      Function.OfParameters = Function.Before.back();
    else if (T.is(tok::r_paren) && Open > 0 && --Open == 0)
      Function.OfParameters.reset();
    Function.Before.push_back(CodeToken::of(T));
  }

  /// The brace that follows; braces of an unknown kind count as one's.
  bool isOfNamespace() const {
    return llvm::none_of(Function.Before, [](const CodeToken &T) {
      return T.is(tok::r_paren) ||
             llvm::is_contained({"class", "struct", "union"}, T.Text);
    });
  }

  /// What stands in another branch goes on behind that.
  void endStatement(SourceLocation End) {
    Open = 0;
    Function.OfParameters.reset();
    llvm::erase_if(Function.Before, [&](const CodeToken &T) {
      return !Source.excludeEachOther(T.Where, End);
    });
  }

  void addParameter(const Token &T) {
    // `void (name)(int)`, `void (*name(int))(int)`.
    if (Function.Parameters.empty() &&
        (!T.isOneOf(tok::comma, tok::r_paren, tok::equal, tok::l_square) ||
         Function.Before.empty() || Function.Before.back().is(tok::l_paren)))
      Function.OfParameters.reset();
    Depth += T.is(tok::l_paren);
    Depth -= T.is(tok::r_paren);
    if (!Function.Parameters.empty() || Depth > 0)
      Function.Parameters.push_back(CodeToken::of(T));
    IsOver = Depth <= 0;
  }

  void readTemplate() {
    const auto Begin = llvm::find_if(Function.Before, [](const CodeToken &T) {
      return T.Text == "template";
    });
    int Open = 0;
    for (const CodeToken &T : llvm::make_range(Begin, Function.Before.end())) {
      Open += T.is(tok::less);
      Open -= T.is(tok::greater) + 2 * T.is(tok::greatergreater);
      Function.Template.push_back(T);
      if (Open <= 0 && Function.Template.size() > 1)
        return;
    }
  }

  const SourceText &Source;
  WrittenFunction Function;
  bool InDirective = false, IsFound = false, IsOver = false;
  int Depth = 0;     ///< Of parentheses behind the name.
  unsigned Open = 0; ///< Of those before it, in its statement.
  /// Of the braces that are open; invalid: a namespace's.
  std::vector<SourceLocation> Around;
};

/// The body of a function in \p D that has \p Where in it, or the class.
bool hasWithin(const Decl &D, SourceLocation Where, const SourceManager &SM) {
  if (isa<NamespaceDecl, LinkageSpecDecl>(D))
    return llvm::any_of(cast<DeclContext>(&D)->decls(), [&](const Decl *Part) {
      return hasWithin(*Part, Where, SM);
    });
  const FunctionDecl *Function = D.getAsFunction();
  const auto *Class = dyn_cast<TagDecl>(&D);
  SourceRange Range;
  if (Function && Function->doesThisDeclarationHaveABody())
    Range = Function->getBody()->getSourceRange();
  else if (Class)
    Range = Class->getBraceRange();
  const SourceLocation Begin = SM.getExpansionLoc(Range.getBegin());
  return Range.isValid() && SM.isWrittenInSameFile(Begin, Where) &&
         Begin < Where && Where < SM.getExpansionLoc(Range.getEnd());
}

/// What the builds declare by the name of a kernel.
class NamedFunctions {
public:
  NamedFunctions(const FunctionDecl &Kernel, OtherBuilds &Others,
                 const ASTContext &Context)
      : Kernel(Kernel), Others(Others), Context(Context),
        SM(Context.getSourceManager()), Source(Context) {
    for (const FunctionDecl *Each : Kernel.redecls())
      if (auto Its = functionAt(SM.getExpansionLoc(Each->getLocation())))
        Known.push_back(std::move(*Its));
  }

  bool areSeveral(const DeclRefExpr &Name) {
    User = SM.getExpansionLoc(Name.getBeginLoc());
    return llvm::any_of(Known,
                        [&](const WrittenFunction &Each) {
                          return mayHaveOtherTemplate(Each) ||
                                 mayHaveMoreParameters(Each);
                        }) ||
           Others.mayAdd(Kernel, Name.getBeginLoc(), Name.hasQualifier(),
                         [&](SourceLocation Where) { return isSame(Where); });
  }

private:
  std::optional<WrittenFunction> functionAt(SourceLocation Name) const {
    DeclarationReader Reader(Name, Source);
    Source.forEachTokenOf(SM.getFileID(Name),
                          [&](const Token &T) { Reader.add(T); });
    return Reader.read();
  }

  /// What stands at \p Where is the kernel, or what another build has instead.
  bool isSame(SourceLocation Where) {
    std::optional<WrittenFunction> Its = functionAt(Where);
    if (Its && isOfOther(*Its))
      return true;
    const auto IsBeside = [&](const WrittenFunction &Each) {
      return !areEqual(Each.Template, Its->Template) ||
             (!areEqual(Each.Parameters, Its->Parameters) &&
              !Source.excludeEachOther(Each.Name, Where));
    };
    if (!Its || Its->Parameters.empty() || Known.empty() ||
        llvm::any_of(Known, IsBeside))
      return false;
    Known.push_back(std::move(*Its));
    return true;
  }

  /// It is a parameter, or a variable or a member of another function or class.
  bool isOfOther(const WrittenFunction &Function) const {
    return (Function.OfParameters &&
            Others.definitionsOf(Function.OfParameters->Text).empty()) ||
           llvm::any_of(Function.Braces,
                        [&](SourceLocation Brace) {
                          return Source.haveSameConditions(Brace,
                                                           Function.Name);
                        }) ||
           llvm::any_of(userDeclarations(Context), [&](const Decl *D) {
             return hasWithin(*D, Function.Name, SM) &&
                    !hasWithin(*D, User, SM);
           });
  }

  /// Its parameters as a template are others, or it is one, in another build.
  bool mayHaveOtherTemplate(const WrittenFunction &Function) {
    const Text &Template = Function.Template;
    if (llvm::any_of(Template, [&](const CodeToken &T) {
          return Source.hasOtherCondition(T.Where, Function.Name);
        }))
      return true;
    return Template.empty() ? llvm::any_of(Function.Before,
                                           [&](const CodeToken &T) {
                                             return mayStandForTemplate(T);
                                           })
                            : Others.mayRespell(Template.front().Where,
                                                Template.back().Where);
  }

  bool mayStandForTemplate(const CodeToken &T) {
    return mayStandFor(
        T, [](const CodeToken &Part) { return Part.Text == "template"; });
  }

  /// Another build has one more of them, or gives one a default, which a
  /// pointer to the kernel does not know. Types alone may be others.
  bool mayHaveMoreParameters(const WrittenFunction &Function) {
    const auto Separates = [](const CodeToken &T) {
      return T.is(tok::comma) || T.is(tok::equal);
    };
    return llvm::any_of(Function.Parameters, [&](const CodeToken &T) {
      return (Separates(T) &&
              Source.hasOtherCondition(T.Where, Function.Name)) ||
             mayStandFor(T, Separates);
    });
  }

  /// Only some of what \p T stands for as a macro has what \p Is.
  bool mayStandFor(const CodeToken &T,
                   llvm::function_ref<bool(const CodeToken &)> Is) {
    const std::vector<MacroText> Macros =
        T.isWord() ? Others.definitionsOf(T.Text) : std::vector<MacroText>();
    const auto Count = llvm::count_if(Macros, [&](const MacroText &Macro) {
      return llvm::any_of(Macro.Tokens, Is);
    });
    return Count > 0 && size_t(Count) < Macros.size();
  }

  const FunctionDecl &Kernel;
  OtherBuilds &Others;
  const ASTContext &Context;
  const SourceManager &SM;
  const SourceText Source;
  SourceLocation User; ///< Where the kernel is launched.
  std::vector<WrittenFunction> Known;
};

} // namespace

bool mayBeOverloaded(const DeclRefExpr &Name, OtherBuilds &Others,
                     const ASTContext &Context) {
  const auto *Kernel = dyn_cast<FunctionDecl>(Name.getDecl());
  return Kernel && NamedFunctions(spelledFunction(*Kernel), Others, Context)
                       .areSeveral(Name);
}

} // namespace barricade
