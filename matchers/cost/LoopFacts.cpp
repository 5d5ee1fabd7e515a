// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/cost/LoopFacts.h"
#include "matchers/cost/FunctionValues.h"
#include "matchers/cost/InstructionCount.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace barricade;

/// Global memory is read in sectors of so many bytes (CUDA C++ Best Practices
/// Guide, "Coalesced Access to Global Memory").
static constexpr int64_t SectorBytes = 32;

static bool isPointer(const Symbol &S) { return S.Kind == Symbol::Pointer; }
static bool isOfThread(const Symbol &S) { return S.Kind == Symbol::ThreadIdx; }

static const char *nameOf(MemoryOperation::KindTy Kind) {
  switch (Kind) {
  case MemoryOperation::Load:
    return "load";
  case MemoryOperation::Store:
    return "store";
  case MemoryOperation::Atomic:
    return "atomic";
  }
  llvm_unreachable("all kinds have names");
}

/// The pointer or array in an access, without its indices and fields.
static const Expr *baseOf(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
    return baseOf(Subscript->getBase());
  if (const auto *Access = dyn_cast<MemberExpr>(E))
    // `log.positions` is a pointer by itself, `p[i].x` a part of what `p` has.
    return E->getType()->isPointerType() && !Access->isArrow()
               ? E
               : baseOf(Access->getBase());
  if (const auto *Op = dyn_cast<UnaryOperator>(E))
    return baseOf(Op->getSubExpr());
  if (const auto *Op = dyn_cast<BinaryOperator>(E);
      Op && Op->isAdditiveOp() && Op->getType()->isPointerType())
    return baseOf(Op->getLHS()->getType()->isPointerType() ? Op->getLHS()
                                                           : Op->getRHS());
  if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E))
    return baseOf(Cast->getSubExpr());
  if (const auto *Call = dyn_cast<CallExpr>(E);
      Call && Call->getNumArgs() > 0 &&
      Call->getArg(0)->getType()->isPointerType())
    return baseOf(Call->getArg(0));
  return E;
}

/// \p Bytes in elements, as text.
static std::string inElements(const AffineForm &Bytes, unsigned Width) {
  std::optional<AffineForm> Elements =
      Width ? Bytes.dividedBy(Width) : std::nullopt;
  return Elements ? Elements->str() : "?";
}

/// The symbol in which neighbouring threads differ: threadIdx.x, unless the
/// function only ever reads another dimension.
static Symbol fastestThreadIndex(const AffineForm &Address) {
  Symbol X = builtinSymbol(Symbol::ThreadIdx, 0);
  if (Address.contains(X))
    return X;
  for (unsigned Dim : {1, 2})
    if (Symbol S = builtinSymbol(Symbol::ThreadIdx, Dim); Address.contains(S))
      return S;
  return X;
}

/// Whether a constant part of the address is known to lie off a sector's start:
/// an offset, or a constant step of a loop or between blocks. Parts with
/// symbolic factors (sizes, blockDim) are taken to keep the alignment.
static bool isKnownUnaligned(const AffineForm &Address) {
  return llvm::any_of(Address.terms(), [](const auto &Term) {
    const auto &[Factors, Coefficient] = Term;
    bool IsConstant = Factors.empty();
    bool IsStep =
        Factors.size() == 1 && (Factors[0].Kind == Symbol::Induction ||
                                Factors[0].Kind == Symbol::BlockIdx);
    return (IsConstant || IsStep) && Coefficient % SectorBytes != 0;
  });
}

/// How the addresses of the threads of a warp relate, for accesses \p Width
/// bytes wide. \p UsesX: the function reads threadIdx.x.
static const char *localityOf(const AffineForm &Address, unsigned Width,
                              bool UsesX) {
  if (!Address.isKnown() || Address.any([](const Symbol &S) {
        return S.ThreadDependent && !isOfThread(S);
      }))
    return "gathered";
  Symbol Fastest = fastestThreadIndex(Address);
  // In a block of several dimensions, neighbours differ in x.
  if (UsesX && Fastest.Dim != 0)
    return "broadcast";
  AffineForm Step = Address.coefficient(Fastest);
  if (Step.isZero())
    return "broadcast";
  if (Step.contains(Fastest))
    return "gathered"; // not linear
  std::optional<int64_t> Bytes = Step.asConstant();
  if (!Bytes || *Bytes < 0 || *Bytes > int64_t(Width))
    return "strided";
  return *Bytes != int64_t(Width) || isKnownUnaligned(Address) ? "unaligned"
                                                               : "coalesced";
}

static bool readsThreadIdxX(const FunctionDecl &F, FunctionValues &Values) {
  class Finder : public RecursiveASTVisitor<Finder> {
  public:
    explicit Finder(FunctionValues &Values) : Values(Values) {}
    bool VisitPseudoObjectExpr(PseudoObjectExpr *E) { return visitRead(*E); }
    bool VisitMemberExpr(MemberExpr *E) { return visitRead(*E); }
    bool Found = false;

  private:
    bool visitRead(const Expr &E) {
      Found |= E.getType()->isIntegerType() &&
               Values.evaluate(E) == builtinSymbol(Symbol::ThreadIdx, 0);
      return !Found;
    }
    FunctionValues &Values;
  };
  Finder Find(Values);
  Find.TraverseStmt(F.getBody());
  return Find.Found;
}

static LoopAccess describe(const MemoryOperation &M, const Stmt &Loop,
                           FunctionValues &Values, bool UsesX,
                           ASTContext &Ctx) {
  LoopAccess Access;
  Access.Expr = M.Where;
  Access.Nested = M.Nested;
  Access.PerIteration = M.Times;
  AccessFact &Fact = Access.Fact;
  Fact.Where = placeOf(M.Where->getBeginLoc(), Ctx.getSourceManager());
  Fact.Kind = nameOf(M.Kind);
  Fact.Space = nameOf(M.Root.Space);
  Fact.Base = textOf(*baseOf(M.Where), Ctx);
  if (!M.Type->isDependentType() && !M.Type->isIncompleteType())
    Fact.WidthBytes = Ctx.getTypeSizeInChars(M.Type).getQuantity();
  AffineForm Index = M.Address.without(isPointer);
  Fact.Index = inElements(Index, Fact.WidthBytes);
  Fact.Locality = localityOf(M.Address, Fact.WidthBytes, UsesX);
  std::optional<AffineForm> Stride = Values.change(M.Address, Loop);
  Fact.LoopStride = Stride ? inElements(*Stride, Fact.WidthBytes) : "?";
  return Access;
}

CostOnly<LoopFacts> barricade::collectLoopFacts(const Stmt &Loop,
                                                const FunctionDecl &Function,
                                                ASTContext &Ctx) {
  FunctionValues Values(Function, Ctx, ForCostOnly());
  const CostOnly<IterationCost> Count =
      countIteration(Loop, Function, Values, Ctx);
  const IterationCost &Cost = Count.value(ForCostOnly());
  LoopFacts Facts;
  Facts.Instructions = Cost.Instructions;
  Facts.Calls = Cost.Calls;
  Facts.PassesGlobal = Cost.PassesGlobal;
  Facts.Transcendental = Cost.Transcendental;
  Facts.Divisions = Cost.Divisions;
  Facts.Innermost = Cost.Innermost;
  bool UsesX = readsThreadIdxX(Function, Values);
  for (const MemoryOperation &M : Cost.Memory) {
    Facts.Accesses.push_back(describe(M, Loop, Values, UsesX, Ctx));
    Facts.MemoryOperations += M.Times;
    if (M.Root.Space == MemorySpace::Global ||
        M.Root.Space == MemorySpace::Unknown)
      Facts.GlobalAccesses += M.Times;
  }
  for (const Stmt *L = Values.parentLoop(Loop); L; L = Values.parentLoop(*L))
    ++Facts.Depth;
  if (std::optional<AffineForm> Trips = Values.tripCount(Loop))
    if (std::optional<int64_t> Constant = Trips->asConstant())
      Facts.TripCount = std::max<int64_t>(*Constant, 0);
  return Facts;
}

std::vector<Fact> LoopFacts::facts() const {
  std::vector<Fact> All = {
      {"instructions", int64_t(Instructions), "per iteration"},
      {"memory-ratio", memoryRatio(), ""},
      {"memory-operations", int64_t(MemoryOperations), "per iteration"},
      {"global-accesses", int64_t(GlobalAccesses), "per iteration"},
      {"calls", int64_t(Calls), "per iteration"},
      {"transcendental", int64_t(Transcendental), "per iteration"},
      {"divisions", int64_t(Divisions), "per iteration"},
      {"depth", int64_t(Depth), ""},
      {"innermost", Innermost, ""},
  };
  if (TripCount)
    All.push_back({"trip-count", int64_t(*TripCount), "iterations"});
  return All;
}

std::vector<AccessFact> LoopFacts::accessFacts() const {
  std::vector<AccessFact> All;
  for (const LoopAccess &Access : Accesses)
    All.push_back(Access.Fact);
  return All;
}
