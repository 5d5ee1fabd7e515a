// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/DroppedArguments.h"
#include "matchers/host/HostVariables.h"
#include "matchers/source/Statements.h"
#include "matchers/source/UserDeclarations.h"
#include "rewriters/Macros.h"
#include "rewriters/OtherBuilds.h"
#include "rewriters/grid-barrier/TextPatch.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace clang;

namespace barricade {
namespace {

using Tokens = llvm::ArrayRef<CodeToken>;

/// `(...)` at the beginning of \p Text; empty if nothing of the kind is there.
Tokens inParentheses(Tokens Text) {
  unsigned Depth = 0;
  for (const auto &[At, T] : llvm::enumerate(Text)) {
    Depth += T.is(tok::l_paren);
    if (Depth == 0)
      return {};
    Depth -= T.is(tok::r_paren);
    if (Depth == 0)
      return Text.take_front(At + 1);
  }
  return Text;
}

/// Operators that write, or read what a pointer points at; and braces, in which
/// anything may be made or done.
bool isOfEffect(const CodeToken &T) {
  return T.assigns() ||
         llvm::is_contained({tok::plusplus, tok::minusminus, tok::arrow,
                             tok::l_square, tok::l_brace},
                            T.Kind);
}

/// \p D, or something in it, is a variable \p Name that the device has, too.
bool declaresManaged(const Decl &D, llvm::StringRef Name) {
  if (isa<NamespaceDecl, LinkageSpecDecl>(D))
    return llvm::any_of(cast<DeclContext>(&D)->decls(), [&](const Decl *Part) {
      return declaresManaged(*Part, Name);
    });
  const auto *Var = dyn_cast<VarDecl>(&D);
  return Var && Var->getIdentifier() && Var->getName() == Name &&
         llvm::any_of(Var->specific_attrs<AnnotateAttr>(),
                      [](const auto *Note) {
                        return Note->getAnnotation() == "managed";
                      });
}

class DroppedCode {
public:
  /// \p Function, if one is given: what others may write besides its own
  /// variables must not be read, either.
  DroppedCode(OtherBuilds &Others, const ASTContext &Context, Preprocessor &PP,
              const FunctionDecl *Function = nullptr)
      : Others(Others), Context(Context), PP(PP), Function(Function) {
    if (Function)
      Variables.emplace(*Function);
  }

  /// \p Name, with \p Arguments, has another build run what has effects. \p Of:
  /// the macro in whose text they stand, or null.
  bool mayAct(llvm::StringRef Name, Tokens Arguments,
              const MacroText *Of = nullptr) {
    return (isDropping(Name) && (hasEffects(Arguments) ||
                                 (Function && readsOthers(Arguments, Of)))) ||
           isAny(Name, [&](const MacroText &Macro) {
             return !Macro.OfSystem && !Macro.IsLeftOut &&
                    mayActWithin(Macro, Arguments, Of);
           });
  }

private:
  /// Some definition of \p Name passes \p Test; within itself, a macro is none.
  bool isAny(llvm::StringRef Name,
             llvm::function_ref<bool(const MacroText &)> Test) {
    if (llvm::is_contained(Open, Name))
      return false;
    Open.push_back(Name);
    const bool Result = llvm::any_of(Others.definitionsOf(Name), Test);
    Open.pop_back();
    return Result;
  }

  /// A macro that the text of \p Macro names: what the outer is given may
  /// be the inner's.
  bool mayActWithin(const MacroText &Macro, Tokens Arguments,
                    const MacroText *Of) {
    const Tokens Text = Macro.Tokens;
    return llvm::any_of(llvm::enumerate(Text), [&](const auto &Each) {
      const auto &[At, T] = Each;
      return T.isWord() &&
             (mayAct(T.Text, Arguments, Of) ||
              mayAct(T.Text, inParentheses(Text.drop_front(At + 1)), &Macro));
    });
  }

  /// A library defines it in a branch, here without a parameter of its.
  bool isDropping(llvm::StringRef Name) {
    const SourceManager &SM = PP.getSourceManager();
    const IdentifierInfo *Info = PP.getIdentifierInfo(Name);
    bool Found = false;
    if (Info->hadMacroDefinition())
      forEachDefinition(*Info, PP, [&](const MacroInfo &Macro) {
        const SourceLocation Where = Macro.getDefinitionLoc();
        Found |= !Macro.isBuiltinMacro() && SM.isInSystemHeader(Where) &&
                 llvm::any_of(Macro.params(),
                              [&](const IdentifierInfo *Parameter) {
                                return isLeftOut(*Parameter, Macro);
                              }) &&
                 Others.standsInBranch(Where);
      });
    return Found;
  }

  static bool isLeftOut(const IdentifierInfo &Parameter,
                        const MacroInfo &Macro) {
    return llvm::none_of(Macro.tokens(), [&](const Token &T) {
      return !T.isLiteral() && T.getIdentifierInfo() == &Parameter;
    });
  }

  bool hasEffects(Tokens Text) {
    return llvm::any_of(llvm::seq(Text.size()), [&](size_t At) {
      return isOfEffect(Text[At]) || isCall(Text, At) ||
             isIndirection(Text, At) || isManaged(Text[At]);
    });
  }

  /// Something in \p Text, be it of the macro \p Of, is neither the function's
  /// own nor a constant.
  bool readsOthers(Tokens Text, const MacroText *Of) {
    return llvm::any_of(llvm::enumerate(Text), [&](const auto &Each) {
      const auto &[At, T] = Each;
      if (!T.isWord() || (At > 0 && Text[At - 1].is(tok::period)))
        return false;
      const IdentifierInfo &Name = *PP.getIdentifierInfo(T.Text);
      if (Name.isKeyword(PP.getLangOpts()))
        return T.Text == "this";
      // What a parameter stands for is among the arguments.
      if (Of && llvm::is_contained(Of->Parameters, T.Text))
        return false;
      if (!Others.definitionsOf(T.Text).empty())
        return isAny(T.Text, [&](const MacroText &Macro) {
          return readsOthers(Macro.Tokens, &Macro);
        });
      const bool HasMember =
          At + 1 < Text.size() && Text[At + 1].is(tok::period);
      const bool IsOfCompiler = Name.hadMacroDefinition();
      return !IsOfCompiler && !isOwn(T.Text, HasMember) && !isConstant(T.Text);
    });
  }

  /// All that the function calls \p Name are variables of its own, which
  /// nobody else knows. \p HasMember: a member of it is asked for.
  bool isOwn(llvm::StringRef Name, bool HasMember) const {
    bool Found = false, IsOwn = true;
    const auto Take = [&](const Decl &D) {
      const auto *Named = dyn_cast<NamedDecl>(&D);
      if (const auto *Several = dyn_cast<DecompositionDecl>(&D))
        IsOwn &= llvm::none_of(Several->bindings(), [&](const auto *Part) {
          return Part->getName() == Name;
        });
      if (!Named || !Named->getIdentifier() || Named->getName() != Name)
        return;
      const auto *Var = dyn_cast<VarDecl>(Named);
      Found = true;
      IsOwn &= Var && Var->hasLocalStorage() && !Variables->isShared(*Var) &&
               isPlain(Var->getType(), HasMember);
    };
    for (const ParmVarDecl *Param : Function->parameters())
      Take(*Param);
    (void)codeHolds(*Function, [&](const Stmt &S) {
      if (const auto *Declaration = dyn_cast<DeclStmt>(&S))
        for (const Decl *D : Declaration->decls())
          Take(*D);
      return false;
    });
    return Found && IsOwn;
  }

  /// An object's operators, and what a reference in it names, are others'.
  static bool isPlain(QualType Type, bool HasMember) {
    const auto *Class = Type->getAsCXXRecordDecl();
    return !Type->isReferenceType() && !Type.isVolatileQualified() &&
           (!Class || (HasMember && Class->hasDefinition() &&
                       llvm::none_of(Class->fields(), [](const auto *Field) {
                         return Field->getType()->isReferenceType();
                       })));
  }

  /// \p Name is a type or a number, wherever it stands.
  bool isConstant(llvm::StringRef Name) const {
    const auto Found =
        Context.getTranslationUnitDecl()->lookup(PP.getIdentifierInfo(Name));
    // A class or a namespace may have another one by the name.
    return Function->getDeclContext()
               ->getRedeclContext()
               ->isTranslationUnit() &&
           !Found.empty() && llvm::all_of(Found, [&](const NamedDecl *D) {
             const auto *Var = dyn_cast<VarDecl>(D);
             return isa<TypeDecl, EnumConstantDecl>(D) ||
                    (Var && Var->getType()->isIntegralOrEnumerationType() &&
                     Var->isUsableInConstantExpressions(Context));
           });
  }

  bool isManaged(const CodeToken &T) {
    return T.isWord() &&
           llvm::any_of(userDeclarations(Context), [&](const Decl *D) {
             return declaresManaged(*D, T.Text);
           });
  }

  /// What follows is what it is done with; a macro is looked into.
  bool isCall(Tokens Text, size_t At) {
    const bool IsBefore = At + 1 < Text.size() && Text[At + 1].is(tok::l_paren);
    const CodeToken &T = Text[At];
    if (!T.isWord())
      return IsBefore &&
             (T.is(tok::r_paren) || (T.is(tok::greater) && endsName(Text, At)));
    if (PP.getIdentifierInfo(T.Text)->isKeyword(PP.getLangOpts()))
      return llvm::is_contained(
          {"new", "delete", "throw", "co_await", "co_yield"}, T.Text);
    return Others.definitionsOf(T.Text).empty()
               ? IsBefore
               : isAny(T.Text, [&](const MacroText &Macro) {
                   return hasEffects(Macro.Tokens);
                 });
  }

  /// Of `name<...>`, be it a comparison; no cast's.
  static bool endsName(Tokens Text, size_t At) {
    return llvm::any_of(llvm::seq<size_t>(1, At), [&](size_t Open) {
      return Text[Open].is(tok::less) && Text[Open - 1].isWord() &&
             !Text[Open - 1].Text.ends_with("_cast");
    });
  }

  /// `*p`, not `a * b`.
  static bool isIndirection(Tokens Text, size_t At) {
    if (!Text[At].is(tok::star))
      return false;
    const CodeToken *Before = At > 0 ? &Text[At - 1] : nullptr;
    return !Before || !(Before->isWord() || Before->is(tok::r_paren) ||
                        Before->is(tok::numeric_constant));
  }

  OtherBuilds &Others;
  const ASTContext &Context;
  Preprocessor &PP;
  const FunctionDecl *Function;
  std::optional<host::HostVariables> Variables;
  llvm::SmallVector<llvm::StringRef, 4> Open; ///< What is being looked into.
};

} // namespace

/// What stands in parentheses at the beginning of \p Behind.
static std::vector<CodeToken> argumentsIn(const std::string &Behind,
                                          const Preprocessor &PP) {
  std::vector<CodeToken> Arguments;
  unsigned Depth = 0;
  Lexer Raw(SourceLocation(), PP.getLangOpts(), Behind.data(), Behind.data(),
            Behind.data() + Behind.size());
  Token T;
  for (Raw.LexFromRawLexer(T); T.isNot(tok::eof); Raw.LexFromRawLexer(T)) {
    Depth += T.is(tok::l_paren);
    if (Depth == 0)
      break;
    Arguments.push_back(CodeToken::of(T));
    Depth -= T.is(tok::r_paren);
  }
  return Arguments;
}

bool mayRunDropped(llvm::StringRef Name, llvm::StringRef Behind,
                   OtherBuilds &Others, const ASTContext &Context,
                   Preprocessor &PP) {
  const std::string Copy = Behind.str(); // The lexer wants an end.
  return DroppedCode(Others, Context, PP).mayAct(Name, argumentsIn(Copy, PP));
}

bool mayReadDropped(llvm::StringRef Text, const FunctionDecl &Function,
                    OtherBuilds &Others, const ASTContext &Context,
                    Preprocessor &PP) {
  DroppedCode Dropped(Others, Context, PP, &Function);
  bool Found = false;
  grid_barrier::forEachWord(Text, [&](llvm::StringRef Word) {
    const IdentifierInfo *Name = knownIdentifier(Word, PP.getIdentifierTable());
    if (Found || !Name || !Name->hadMacroDefinition())
      return;
    const std::string Behind = Text.substr(Word.end() - Text.begin()).str();
    Found = Dropped.mayAct(Word, argumentsIn(Behind, PP));
  });
  return Found;
}

} // namespace barricade
