// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread reads and writes: its own variables have contents, accesses of
// global memory are noted.

#include "matchers/facts/SilentCalls.h"
#include "matchers/fence-as-barrier/small-grid/ThreadRun.h"
#include "matchers/source/Statements.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace barricade::fence_as_barrier::small_grid {

/// What it costs to compare an access with others, in steps.
constexpr unsigned StepsPerAccess = 16;

Value ThreadRun::hostScalar(const HostValue &V, QualType T) {
  if (T->isPointerType() && !T->isFunctionPointerType())
    return Value::pointer({R.global(V, false), 0});
  if (T->isIntegralOrEnumerationType())
    return Math.normalized(Value::integer(R.Choose(V, T)), T);
  return {};
}

void ThreadRun::note(PlaceInObject P, QualType T, const Expr &Access,
                     bool IsStore, std::optional<int64_t> Stored) {
  if (!isSure() || Ended || !P.Offset || T.isVolatileQualified())
    return;
  R.Steps += StepsPerAccess;
  Trace.Accesses.push_back({&Access,
                            Top->Function,
                            {P.In->Host, P.In->IsVariable, *P.Offset},
                            unsigned(Math.sizeOf(T)),
                            IsStore,
                            Stored,
                            tick()});
}

Value ThreadRun::load(PlaceInObject P, QualType T, const Expr &Access) {
  if (T.isVolatileQualified() || !P.In)
    return Value::unknown(true);
  if (P.In->Space == Object::Shared)
    return Value::unknown(true);
  if (P.In->Space == Object::Global) {
    note(P, T, Access, false);
    return Value::unknown(R.Grid.mayChange(Access, *Top->Function));
  }
  if (!P.Offset)
    return {};
  auto It = P.In->Cells.find(*P.Offset);
  if (It != P.In->Cells.end())
    return It->second.Width == Math.sizeOf(T) ? It->second.Content : Value();
  if (!P.In->Host.Var)
    return {};
  return hostScalar({P.In->Host.Var, P.In->Host.Offset + *P.Offset}, T);
}

void ThreadRun::store(PlaceInObject P, QualType T, const Expr *Access,
                      Value V) {
  if (!P.In) {
    // It may be a variable of this thread, about which nothing is known then.
    if (LocalsExposed)
      giveUp();
    return;
  }
  if (P.In->Space == Object::Global && Access)
    note(P, T, *Access, true, V.isInt() ? std::optional(V.Int) : std::nullopt);
  if (P.In->Space != Object::Local)
    return;
  if (!isSure())
    V = Value::unknown(V.Foreign || ForeignDoubts);
  int64_t Width = Math.sizeOf(T);
  auto &Cells = P.In->Cells;
  if (!P.Offset) {
    P.In->Host = {};
    return Cells.clear();
  }
  for (auto It = Cells.begin(); It != Cells.end();)
    It = It->first < *P.Offset + Width &&
                 *P.Offset < It->first + It->second.Width
             ? Cells.erase(It)
             : std::next(It);
  Cells[*P.Offset] = {V, Width};
}

void ThreadRun::copy(PlaceInObject To, PlaceInObject From, QualType T,
                     const Expr &Access, const Expr *Target) {
  if (!From.In || From.In->Space != Object::Local || !From.Offset || !To.In ||
      To.In->Space != Object::Local || !To.Offset || !isSure()) {
    Value V = load(From, T, Access);
    return store(To, T, Target, V.Kind == Value::Unknown ? V : Value());
  }
  int64_t Width = Math.sizeOf(T);
  std::map<int64_t, Object::Cell> Cells = From.In->Cells;
  if (*To.Offset == 0 && From.In->Host.Var)
    To.In->Host = {From.In->Host.Var, From.In->Host.Offset + *From.Offset};
  for (const auto &[Offset, Cell] : Cells)
    if (Offset >= *From.Offset && Offset < *From.Offset + Width)
      To.In->Cells[Offset - *From.Offset + *To.Offset] = Cell;
}

/// Gives a new object its first value.
void ThreadRun::initialize(PlaceInObject P, QualType T, const Expr *Init) {
  if (T->isReferenceType()) {
    PlaceInObject Target = place(Init);
    return store(P, Context.VoidPtrTy, nullptr,
                 Target.In ? Value::pointer(Target) : Value::unknown(true));
  }
  Init = Init->IgnoreParens();
  if (const auto *Full = dyn_cast<FullExpr>(Init))
    return initialize(P, T, Full->getSubExpr());
  if (!T->isRecordType() && !T->isArrayType())
    return store(P, T, nullptr, evaluate(Init));
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(Init))
    return construct(P, *Construct);
  if (const auto *List = dyn_cast<InitListExpr>(Init)) {
    if (List->isTransparent())
      return initialize(P, T, List->getInit(0));
    if (const auto *Array = Context.getAsArrayType(T)) {
      QualType Element = Array->getElementType();
      for (const auto &[I, E] : llvm::enumerate(List->inits()))
        initialize(P.plus(int64_t(I) * Math.sizeOf(Element)), Element, E);
      // All the others begin the same way.
      const Expr *Filler = List->getArrayFiller();
      if (holds(Filler, [](const Stmt &S) { return silentCallsOf(S).any(); }))
        wait();
      return;
    }
    const RecordDecl *Record = T->getAsRecordDecl();
    auto Field = Record->field_begin();
    if (const auto *Class = dyn_cast<CXXRecordDecl>(Record);
        Record->isUnion() || (Class && Class->getNumBases() > 0))
      return (void)childrenOf(*List);
    for (const Expr *E : List->inits()) {
      // What the member's declaration says is said of this object.
      const auto *Default = dyn_cast<CXXDefaultInitExpr>(E);
      const llvm::SaveAndRestore This(Top->This, Default ? P : Top->This);
      if (Default)
        E = Default->getExpr();
      if (Field->isBitField())
        (void)evaluate(E);
      else
        initialize(P.plus(Context.getFieldOffset(*Field) / 8), Field->getType(),
                   E);
      ++Field;
    }
    return;
  }
  if (const auto *Call = dyn_cast<CallExpr>(Init))
    return (void)evaluateCall(*Call, P);
  if (const auto *Cast = dyn_cast<CastExpr>(Init))
    return initialize(P, T, Cast->getSubExpr());
  if (const auto *Temporary = dyn_cast<CXXBindTemporaryExpr>(Init)) {
    initialize(P, T, Temporary->getSubExpr());
    return endSilently(*Temporary);
  }
  (void)evaluate(Init);
}

void ThreadRun::construct(PlaceInObject P, const CXXConstructExpr &Construct) {
  const CXXConstructorDecl *Constructor = Construct.getConstructor();
  if (Constructor->isCopyOrMoveConstructor() && Constructor->isTrivial()) {
    const Expr *From = Construct.getArg(0);
    return copy(P, place(From), Construct.getType(),
                *From->IgnoreParenImpCasts(), nullptr);
  }
  const FunctionDecl *Definition = nullptr;
  if (Constructor->isTrivial() || !Constructor->hasBody(Definition)) {
    if (!Constructor->isTrivial())
      wait();
    return;
  }
  Frame Callee(Definition);
  Callee.This = P;
  for (unsigned I = 0;
       I < Construct.getNumArgs() && I < Definition->getNumParams(); ++I) {
    const ParmVarDecl *Param = Definition->getParamDecl(I);
    Object *O = newObject();
    initialize({O, 0}, Param->getType(), Construct.getArg(I));
    Callee.Variables[Param] = O;
  }
  (void)run(Callee);
}

} // namespace barricade::fence_as_barrier::small_grid
