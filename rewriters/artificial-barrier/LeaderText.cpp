// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/artificial-barrier/LeaderText.h"
#include "matchers/source/Statements.h"
#include "rewriters/SourceText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/TypeLoc.h"

using namespace clang;

namespace barricade::artificial_barrier {
namespace {

/// An expression as the leader sees it.
struct Piece {
  std::string Text;    ///< Empty for zero.
  QualType Type;       ///< What the text has, before implicit conversions.
  bool IsAtom = false; ///< Needs no parentheses as an operand.

  bool isZero() const { return Text.empty(); }
};

class LeaderPrinter {
public:
  LeaderPrinter(const StridedLoop &Strided, const ASTContext &Context)
      : Strided(Strided), Context(Context), Source(Context),
        CounterType(Strided.Counter->getType()) {}

  std::optional<std::string> run() const {
    auto Start = print(*Strided.Start, /*Exact=*/CounterType->isPointerType());
    if (Start && changesSign(*Start))
      Start = convert(*Start, CounterType, /*ByMacro=*/
                      Strided.Counter->getTypeSpecStartLoc().isMacroID());
    if (!Start)
      return std::nullopt;
    return Start->isZero() ? "0" : Start->Text;
  }

private:
  using Result = std::optional<Piece>;

  /// Nothing is left but numbers, of which compilers see that the counter's
  /// type does not have what they give: `int leader = 0u - 1`.
  bool changesSign(const Piece &Start) const {
    return llvm::StringRef(Start.Text).find_first_of("-~") !=
               llvm::StringRef::npos &&
           !CounterType->isPointerType() && !same(Start.Type, CounterType) &&
           !namesVariables(*Strided.Start);
  }

  bool namesVariables(const Stmt &S) const {
    const auto *E = dyn_cast<Expr>(&S);
    if (E && Strided.ThreadIndices.contains(E))
      return false;
    if (const Expr *Value = E ? Strided.Initialisers.lookup(E) : nullptr)
      return namesVariables(*Value);
    const VarDecl *Var = variableNamedBy(S);
    return (Var && !Var->isUsableInConstantExpressions(Context)) ||
           isa<CallExpr>(S) ||
           llvm::any_of(S.children(), [&](const Stmt *Child) {
             return Child && namesVariables(*Child);
           });
  }

  /// \p Exact: what is made of \p E needs its value in its own type. Otherwise
  /// only those bits of it count that the counter holds.
  Result print(const Expr &E, bool Exact) const {
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(&E)) {
      Result P = print(*Cast->getSubExpr(), Exact || extends(*Cast));
      // Other conversions are made again in the new place.
      if (P && Cast->getCastKind() != CK_IntegralCast)
        P->Type = Cast->getType();
      return P;
    }
    if (Strided.ThreadIndices.contains(&E))
      return zero(E);
    if (const Expr *Value = Strided.Initialisers.lookup(&E)) {
      const VarDecl *Var = variableOf(E);
      return printAs(E.getType(),
                     !Var || Var->getTypeSpecStartLoc().isMacroID(), *Value,
                     Exact);
    }
    if (!dependsOnThread(E))
      return verbatim(E);
    if (const auto *Paren = dyn_cast<ParenExpr>(&E))
      return print(*Paren->getSubExpr(), Exact);
    if (const auto *Cast = dyn_cast<ExplicitCastExpr>(&E))
      return printAs(
          Cast->getType(),
          Cast->getTypeInfoAsWritten()->getTypeLoc().getBeginLoc().isMacroID(),
          *Cast->getSubExpr(), Exact);
    if (const auto *Op = dyn_cast<BinaryOperator>(&E))
      return printOperation(*Op, Exact);
    if (const ArraySubscriptExpr *Element = elementOf(E))
      return printElement(*Element, E.getType());
    return std::nullopt;
  }

  static Piece zero(const Expr &E) { return {"", E.getType(), true}; }

  /// The conversion gives bits to the value that the counter keeps.
  bool extends(const CastExpr &Cast) const {
    return Cast.getCastKind() == CK_IntegralCast &&
           !holdsCounter(Cast.getSubExpr()->getType());
  }

  bool holdsCounter(QualType Type) const {
    return Type->isIntegerType() &&
           Context.getIntWidth(Type) >= Context.getIntWidth(CounterType);
  }

  bool dependsOnThread(const Expr &E) const {
    return holds(&E, [&](const Stmt &S) {
      const auto *Part = dyn_cast<Expr>(&S);
      return Part && (Strided.ThreadIndices.contains(Part) ||
                      Strided.Initialisers.count(Part));
    });
  }

  Result verbatim(const Expr &E) const {
    auto Range = Source.fileRange(E);
    if (!Range)
      return std::nullopt;
    bool IsAtom = !isa<BinaryOperator, AbstractConditionalOperator,
                       UnaryOperator, CStyleCastExpr>(E);
    return Piece{Source.text(*Range).str(), E.getType(), IsAtom};
  }

  /// \p E converted to \p Type, for a cast or a variable of that type.
  /// \p ByMacro: a macro spells the type.
  Result printAs(QualType Type, bool ByMacro, const Expr &E, bool Exact) const {
    bool Keep = Exact || !holdsCounter(Type);
    Result P = print(E, Keep || !holdsCounter(E.getType()));
    if (!P || P->isZero() || !Keep || same(P->Type, Type)) {
      if (P && P->isZero())
        P->Type = Type;
      return P;
    }
    return convert(*P, Type, ByMacro);
  }

  Result convert(const Piece &P, QualType Type, bool ByMacro) const {
    // What another name or a macro means may differ in another build.
    const auto *Builtin = dyn_cast<BuiltinType>(Type.getTypePtr());
    if (!Builtin || ByMacro)
      return std::nullopt;
    std::string Name = Builtin->getName(Context.getPrintingPolicy()).str();
    return Piece{"static_cast<" + Name + ">(" + P.Text + ")", Type, true};
  }

  bool same(QualType A, QualType B) const {
    return Context.hasSameUnqualifiedType(A, B);
  }

  Result printOperation(const BinaryOperator &Op, bool Exact) const {
    Result L = print(*Op.getLHS(), /*Exact=*/true);
    Result R = print(*Op.getRHS(), /*Exact=*/true);
    if (!L || !R)
      return std::nullopt;
    bool Product = Op.getOpcode() == BO_Mul || Op.getOpcode() == BO_And;
    bool Quotient = Op.isMultiplicativeOp() || Op.isShiftOp();
    if ((L->isZero() && (Product || Quotient)) || (R->isZero() && Product))
      return zero(Op);
    if (R->isZero() && Op.isAdditiveOp() && stands(*L, Op, Exact))
      return L;
    if (L->isZero() && Op.getOpcode() == BO_Add && stands(*R, Op, Exact))
      return R;
    auto Left = operand(*L), Right = operand(*R);
    if (!Left || !Right)
      return std::nullopt;
    return Piece{*Left + " " + Op.getOpcodeStr().str() + " " + *Right,
                 Op.getType(), false};
  }

  /// The address of \p Element.
  Result printElement(const ArraySubscriptExpr &Element, QualType Type) const {
    Result Base = print(*Element.getBase(), /*Exact=*/true);
    Result Index = print(*Element.getIdx(), /*Exact=*/true);
    if (!Base || Base->isZero() || !Index)
      return std::nullopt;
    if (Index->isZero())
      return Base;
    return Piece{"&" + *operand(*Base) + "[" + Index->Text + "]", Type, false};
  }

  /// May \p P stand for the sum \p Sum, of which it is the only part?
  bool stands(const Piece &P, const BinaryOperator &Sum, bool Exact) const {
    QualType Type = Sum.getType();
    return same(P.Type, Type) ||
           (!Exact && ((holdsCounter(P.Type) && holdsCounter(Type)) ||
                       keepsValues(P.Type, Type)));
  }

  /// All values of the integer type \p From are values of \p To.
  bool keepsValues(QualType From, QualType To) const {
    if (!From->isIntegerType() || !To->isIntegerType())
      return false;
    uint64_t Less = Context.getIntWidth(From), More = Context.getIntWidth(To);
    return From->isSignedIntegerType()
               ? To->isSignedIntegerType() && Less <= More
               : Less < More;
  }

  std::optional<std::string> operand(const Piece &P) const {
    if (!P.isZero())
      return P.IsAtom ? P.Text : "(" + P.Text + ")";
    if (same(P.Type, Context.IntTy))
      return "0";
    if (same(P.Type, Context.UnsignedIntTy))
      return "0u";
    return std::nullopt;
  }

  const StridedLoop &Strided;
  const ASTContext &Context;
  SourceText Source;
  QualType CounterType;
};

/// The references to \p Var in \p E, in the order of the source.
void collectReferences(const Stmt *E, const VarDecl &Var,
                       llvm::SmallVectorImpl<const DeclRefExpr *> &Found) {
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E); Ref && Ref->getDecl() == &Var)
    Found.push_back(Ref);
  for (const Stmt *Child : E->children())
    if (Child)
      collectReferences(Child, Var, Found);
}

} // namespace

std::optional<std::string> leaderStart(const StridedLoop &Strided,
                                       const ASTContext &Context) {
  return LeaderPrinter(Strided, Context).run();
}

std::optional<std::string> withLeader(const Expr &E, const VarDecl &Counter,
                                      const std::string &Name,
                                      const ASTContext &Context) {
  SourceText Source(Context);
  auto Whole = Source.fileRange(E);
  if (!Whole)
    return std::nullopt;
  llvm::SmallVector<const DeclRefExpr *, 2> References;
  collectReferences(&E, Counter, References);
  std::string Text;
  SourceLocation At = Whole->getBegin();
  for (const DeclRefExpr *Ref : References) {
    SourceLocation Where = Ref->getLocation();
    if (!SourceText::isWritable(Where))
      return std::nullopt;
    Text += Source.text(CharSourceRange::getCharRange(At, Where)).str() + Name;
    At = Source.afterToken(Where);
  }
  return Text +
         Source.text(CharSourceRange::getCharRange(At, Whole->getEnd())).str();
}

} // namespace barricade::artificial_barrier
