// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/persistent-text/Expressions.h"
#include "matchers/facts/Constants.h"
#include "matchers/grid-barrier/LocalNames.h"
#include "matchers/source/Statements.h"
#include "rewriters/Macros.h"
#include "rewriters/grid-barrier/KernelSite.h"
#include "rewriters/grid-barrier/TextPatch.h"
#include "rewriters/grid-barrier/persistent-text/Variables.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace barricade::grid_barrier::persistent {

std::string text(const Plan &P, const Expr &E) {
  const std::optional<CharSourceRange> Range = P.Source.fileRange(E);
  if (Range)
    return P.Source.text(*Range).str();
  P.refuse(ReasonId::InMacro, E.getBeginLoc());
  return {};
}

void renameExtrema(const Plan &P, SourceLocation From, SourceLocation To,
                   SourceLocation Origin, TextPatch &Patch) {
  llvm::SmallPtrSet<const DeclRefExpr *, 4> Seen;
  const auto Offset = [&](SourceLocation At) {
    return P.SM.getFileOffset(At) - P.SM.getFileOffset(Origin);
  };
  for (const DeclRefExpr *Callee : P.L.StdExtrema) {
    const SourceLocation Start = Callee->getBeginLoc();
    if (Seen.insert(Callee).second &&
        !P.SM.isBeforeInTranslationUnit(Start, From) &&
        P.SM.isBeforeInTranslationUnit(Start, To))
      Patch.replace(
          Offset(Start), Offset(P.Source.afterToken(Callee->getLocation())),
          "barricade::" + Callee->getNameInfo().getName().getAsString());
  }
}

std::string deviceText(const Plan &P, const Expr &E) {
  const std::optional<CharSourceRange> Range = P.Source.fileRange(E);
  if (!Range)
    return text(P, E);
  TextPatch Patch(P.Source.text(*Range));
  renameExtrema(P, Range->getBegin(), Range->getEnd(), Range->getBegin(),
                Patch);
  return Patch.str();
}

/// The text of \p Range names a variable of the persistent kernel's.
static bool namesVariable(const Plan &P, CharSourceRange Range) {
  const auto IsNamed = [&](const Decl *D) {
    const auto *Named = dyn_cast<NamedDecl>(D);
    return Named && Named->getIdentifier() &&
           P.Source.hasNameBetween(Named->getName(), Range.getBegin(),
                                   Range.getEnd());
  };
  return llvm::any_of(P.Captures, IsNamed) ||
         holds(P.L.Loop, [&](const Stmt &S) {
           const auto *Declaration = dyn_cast<DeclStmt>(&S);
           return Declaration && llvm::any_of(Declaration->decls(), IsNamed);
         });
}

/// The default of a template's parameter names what only the template knows.
static bool isDependent(const ParmVarDecl &Param, const FunctionDecl &Kernel) {
  const FunctionDecl *Pattern = Kernel.getTemplateInstantiationPattern();
  const ParmVarDecl *Spelled =
      Pattern ? Pattern->getParamDecl(Param.getFunctionScopeIndex()) : nullptr;
  return Spelled && Spelled->hasDefaultArg() &&
         (Spelled->hasUninstantiatedDefaultArg()
              ? Spelled->getUninstantiatedDefaultArg()
              : Spelled->getDefaultArg())
             ->isInstantiationDependent();
}

/// Which function \p E calls depends on what is declared where it stands: by
/// the types of arguments and operands, more may be found there.
static bool mayCallAnother(const Expr &E) {
  return holds(&E, [](const Stmt &S) {
    if (isa<CallExpr>(S))
      return true;
    return isa<UnaryOperator, BinaryOperator, ArraySubscriptExpr>(S) &&
           llvm::any_of(S.children(), [](const Stmt *Operand) {
             const auto *Value = dyn_cast_or_null<Expr>(Operand);
             const QualType Type =
                 Value ? Value->IgnoreImpCasts()->getType() : QualType();
             return !Type.isNull() &&
                    (Type->isEnumeralType() || Type->isRecordType());
           });
  });
}

/// The default as the kernel's declaration spells it, for it may change there
/// and must mean the same here.
static std::string defaultText(const Plan &P,
                               const CXXDefaultArgExpr &Default) {
  const Expr &E = *Default.getExpr();
  const auto *Kernel = cast<FunctionDecl>(Default.getParam()->getDeclContext());
  const std::optional<CharSourceRange> Range = P.Source.fileRange(E);
  const llvm::StringRef Text = Range ? P.Source.text(*Range) : "";
  const bool IsSame = Range && meansTheSame(Text, *Kernel, *P.L.Function) &&
                      !isDependent(*Default.getParam(), *Kernel) &&
                      !mayCallAnother(E) &&
                      findLocalName(E, *P.L.Function).isInvalid() &&
                      !namesVariable(P, *Range) &&
                      firstRedefined(Range->getBegin(), Range->getEnd(),
                                     P.Site.Place, P.Context, P.PP)
                          .isInvalid();
  if (!IsSame)
    P.refuse(ReasonId::DefaultArgument, E.getBeginLoc());
  return Text.str();
}

std::string argumentText(const Plan &P, const Expr &Argument) {
  const auto *Default = dyn_cast<CXXDefaultArgExpr>(&Argument);
  return Default ? defaultText(P, *Default) : deviceText(P, Argument);
}

bool isPrimary(const Expr &E) {
  return isa<DeclRefExpr, IntegerLiteral, FloatingLiteral, CXXBoolLiteralExpr,
             ParenExpr, CallExpr, MemberExpr, ArraySubscriptExpr>(E);
}

bool isComma(const Expr &E) {
  const auto *Op = dyn_cast<BinaryOperator>(E.IgnoreImpCasts());
  return Op && Op->isCommaOp();
}

/// \p E is a plain whole number, and what \p Converted makes of it no other:
/// it is not cut off. Unsigned ones would make others unsigned.
static bool isValueOf(const Plan &P, const Expr &E, const Expr &Converted) {
  const auto *Literal = dyn_cast<IntegerLiteral>(&E);
  if (!Literal || !E.getType()->isSignedIntegerType())
    return false;
  const auto Result = facts::integerOf(Converted, P.Context);
  return !Converted.getType()->isIntegerType() ||
         (Result && llvm::APSInt::isSameValue(
                        *Result, llvm::APSInt(Literal->getValue(),
                                              /*isUnsigned=*/false)));
}

static std::string outsideText(const Plan &P, const Expr &E,
                               CharSourceRange Range);

/// \p Value, which \p Var begins with, in place of it.
static std::string valueText(const Plan &P, const VarDecl &Var,
                             const Expr &Value, bool Alone) {
  const Expr &Spelled = *Value.IgnoreUnlessSpelledInSource();
  const QualType Type = writtenType(P, Var);
  const std::string TypeName = declaration(P, Type, "");
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(&Spelled);
      Construct && Construct->getParenOrBraceRange().isValid()) {
    const SourceRange Braces = Construct->getParenOrBraceRange();
    return TypeName + outsideText(P, *Construct,
                                  CharSourceRange::getCharRange(
                                      Braces.getBegin(),
                                      P.Source.afterToken(Braces.getEnd())));
  }
  const std::string Text = outsideText(P, Spelled);
  const bool SameType =
      P.Context.hasSameUnqualifiedType(Var.getType(), Spelled.getType());
  if (!SameType && !(Alone && isValueOf(P, Spelled, Value)))
    return Type->isScalarType() ? "static_cast<" + TypeName + ">(" + Text + ")"
                                : TypeName + "(" + Text + ")";
  return Alone || isPrimary(Spelled) ? Text : "(" + Text + ")";
}

/// The text of \p Root, at \p Range, with other texts for some variables.
static std::string
textWith(const Plan &P, const Expr &Root, CharSourceRange Range,
         llvm::function_ref<std::string(const VarDecl &)> TextFor) {
  TextPatch Patch(P.Source.text(Range));
  llvm::SmallSet<unsigned, 4> Seen;
  (void)holds(&Root, [&](const Stmt &S) {
    const auto *Ref = dyn_cast<DeclRefExpr>(&S);
    const auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    const std::string New = Var ? TextFor(*Var) : "";
    if (New.empty())
      return false;
    const std::string Old = text(P, *Ref);
    const std::optional<CharSourceRange> Place = P.Source.fileRange(*Ref);
    const unsigned At = Place ? P.SM.getFileOffset(Place->getBegin()) -
                                    P.SM.getFileOffset(Range.getBegin())
                              : 0;
    if (Place && Seen.insert(At).second)
      Patch.replace(At, At + unsigned(Old.size()), New);
    return false;
  });
  return Patch.str();
}

static std::string outsideText(const Plan &P, const Expr &E,
                               CharSourceRange Range) {
  const bool Alone = isa<DeclRefExpr>(E.IgnoreUnlessSpelledInSource());
  return textWith(P, E, Range, [&](const VarDecl &Var) -> std::string {
    return P.L.Invariants.contains(&Var)
               ? valueText(P, Var, *Var.getInit(), Alone)
               : "";
  });
}

std::string outsideText(const Plan &P, const Expr &E) {
  const std::optional<CharSourceRange> Range = P.Source.fileRange(E);
  return Range ? outsideText(P, E, *Range) : text(P, E);
}

std::string textOr0(const Plan &P, const Expr *E) {
  return E ? outsideText(P, *E) : "0";
}

/// `v < e` where both are of one type: any whole number may stand for v.
static bool isComparedAsIs(const Plan &P, const VarDecl &Var,
                           const Expr &Condition) {
  const auto *Op = dyn_cast<BinaryOperator>(Condition.IgnoreParenImpCasts());
  if (!Op || !Op->isComparisonOp())
    return false;
  const auto IsOfType = [&](const Expr *Side) {
    const Expr *Plain = Side->IgnoreParenImpCasts();
    return isa<DeclRefExpr>(Plain) &&
           P.Context.hasSameUnqualifiedType(Plain->getType(), Var.getType());
  };
  return IsOfType(Op->getLHS()) && IsOfType(Op->getRHS());
}

std::string entryCondition(const Plan &P) {
  const Expr *Condition = P.L.Entry.Condition;
  if (P.L.Entry.Always || !Condition)
    return "";
  const std::optional<CharSourceRange> Range = P.Source.fileRange(*Condition);
  if (!Range)
    return text(P, *Condition);
  return textWith(P, *Condition, *Range,
                  [&](const VarDecl &Var) -> std::string {
                    for (const auto &[First, Value] : P.L.Entry.First)
                      if (First == &Var)
                        return valueText(P, Var, *Value,
                                         isComparedAsIs(P, Var, *Condition));
                    return "";
                  });
}

} // namespace barricade::grid_barrier::persistent
