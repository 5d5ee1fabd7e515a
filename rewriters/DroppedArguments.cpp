// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/DroppedArguments.h"
#include "matchers/source/UserDeclarations.h"
#include "rewriters/Macros.h"
#include "rewriters/OtherBuilds.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"

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
  DroppedCode(OtherBuilds &Others, const ASTContext &Context, Preprocessor &PP)
      : Others(Others), Context(Context), PP(PP) {}

  /// \p Name, with \p Arguments, has another build run what has effects.
  bool mayAct(llvm::StringRef Name, Tokens Arguments) {
    return (isDropping(Name) && hasEffects(Arguments)) ||
           isAny(Name, [&](const MacroText &Macro) {
             return !Macro.OfSystem && !Macro.IsLeftOut &&
                    mayActWithin(Macro.Tokens, Arguments);
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

  /// A macro that \p Text, another one's, names: what the outer is given may
  /// be the inner's.
  bool mayActWithin(Tokens Text, Tokens Arguments) {
    return llvm::any_of(llvm::enumerate(Text), [&](const auto &Each) {
      const auto &[At, T] = Each;
      return T.isWord() &&
             (mayAct(T.Text, Arguments) ||
              mayAct(T.Text, inParentheses(Text.drop_front(At + 1))));
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
  llvm::SmallVector<llvm::StringRef, 4> Open; ///< What is being looked into.
};

} // namespace

bool mayRunDropped(llvm::StringRef Name, llvm::StringRef Behind,
                   OtherBuilds &Others, const ASTContext &Context,
                   Preprocessor &PP) {
  const std::string Copy = Behind.str(); // The lexer wants an end.
  std::vector<CodeToken> Arguments;
  unsigned Depth = 0;
  Lexer Raw(SourceLocation(), PP.getLangOpts(), Copy.data(), Copy.data(),
            Copy.data() + Copy.size());
  Token T;
  for (Raw.LexFromRawLexer(T); T.isNot(tok::eof); Raw.LexFromRawLexer(T)) {
    Depth += T.is(tok::l_paren);
    if (Depth == 0)
      break;
    Arguments.push_back(CodeToken::of(T));
    Depth -= T.is(tok::r_paren);
  }
  return DroppedCode(Others, Context, PP).mayAct(Name, Arguments);
}

} // namespace barricade
