// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/host/HostVariables.h"
#include "matchers/facts/Constants.h"
#include "matchers/facts/CountedLoop.h"
#include "matchers/facts/LinkedCode.h"
#include "matchers/facts/OwnAddress.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/host/HostCalls.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Analysis/CFG.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace barricade::host {

using facts::UseKind;
using facts::VariableUse;

const DeclRefExpr *variableOf(const Expr &E) {
  const Expr *Part = E.IgnoreParens();
  while (true) {
    if (const auto *Member = dyn_cast<MemberExpr>(Part);
        Member && !Member->isArrow() &&
        !Member->getMemberDecl()->getType()->isReferenceType())
      Part = Member->getBase()->IgnoreParens();
    else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(Part)) {
      const auto *Decay =
          dyn_cast<ImplicitCastExpr>(Element->getBase()->IgnoreParens());
      if (!Decay || Decay->getCastKind() != CK_ArrayToPointerDecay)
        return nullptr;
      Part = Decay->getSubExpr()->IgnoreParens();
    } else if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Part);
               Cast && Cast->getCastKind() == CK_NoOp)
      Part = Cast->getSubExpr()->IgnoreParens();
    else
      return dyn_cast<DeclRefExpr>(Part);
  }
}

namespace {

/// The operators `&` that give addresses to calls which forget them.
llvm::SmallPtrSet<const Stmt *, 8> forgottenAddresses(const FunctionDecl &F) {
  llvm::SmallPtrSet<const Stmt *, 8> Result;
  (void)holds(F.getBody(), [&](const Stmt &S) {
    const auto *Call = dyn_cast<CallExpr>(&S);
    if (Call && keepsNoAddress(*Call, F.getASTContext().getSourceManager()))
      for (const Expr *Arg : Call->arguments())
        Result.insert(Arg->IgnoreParenCasts());
    return false;
  });
  return Result;
}

/// Every use is taken for one that shares its variable, unless it reads or
/// writes the value at once.
bool isAtOnce(const VariableUse &U, const SourceManager &SM) {
  switch (U.Kind) {
  case UseKind::Read:
    // The loop's iterations read the elements.
    return !isa_and_nonnull<CXXForRangeStmt>(U.By);
  case UseKind::Assign:
  case UseKind::Step:
    return true;
  case UseKind::Bind: {
    const auto *Call = dyn_cast_or_null<CallExpr>(U.By);
    return Call &&
           llvm::is_contained({HostCallKind::Swap, HostCallKind::Extremum},
                              classifyHostCall(*Call, SM));
  }
  default:
    return false;
  }
}

std::unique_ptr<CFG> buildGraph(const FunctionDecl &Function) {
  CFG::BuildOptions Options;
  Options.setAllAlwaysAdd();
  Options.AddLoopExit = true;
  Options.PruneTriviallyFalseEdges = false;
  return CFG::buildCFG(&Function, Function.getBody(), &Function.getASTContext(),
                       Options);
}

} // namespace

HostVariables::HostVariables(const FunctionDecl &Function)
    : Function(Function),
      HasGoto(holds(
          Function.getBody(),
          [](const Stmt &S) { return isa<GotoStmt, IndirectGotoStmt>(S); })),
      HasTry(holds(Function.getBody(),
                   [](const Stmt &S) { return isa<CXXTryStmt>(S); })) {
  const SourceManager &SM = Function.getASTContext().getSourceManager();
  const auto Forgotten = forgottenAddresses(Function);
  const auto Forgets = [&](const CallExpr &Call) {
    return keepsNoAddress(Call, SM);
  };
  for (const auto &[Var, All] : facts::VariableFacts(Function.getBody())) {
    if (facts::mayTellOwnAddress(Var->getType(), Forgets))
      Told.insert(Var);
    for (const VariableUse &U : All) {
      const auto *Ref = dyn_cast<DeclRefExpr>(U.Name);
      if (Ref)
        Uses[Var].push_back(Ref);
      const bool IsForgotten =
          U.Kind == UseKind::Address && Forgotten.contains(U.By);
      if (!Ref || U.In || !(IsForgotten || isAtOnce(U, SM)))
        Shared.insert(Var);
    }
  }
  Graph = buildGraph(Function);
  if (Graph)
    for (const CFGBlock *Block : *Graph)
      for (const CFGElement &Element : *Block)
        if (const auto Statement = Element.getAs<CFGStmt>())
          if (const auto *Ref = dyn_cast<DeclRefExpr>(Statement->getStmt()))
            Followed.insert(Ref);
}

HostVariables::~HostVariables() = default;

namespace {

/// From a place in a function on, is a variable read before it is set?
class ReadSearch {
public:
  /// Filled: names of the variable that stand for an assignment to it.
  ReadSearch(const VarDecl &V, const HostVariables::NameSet &Filled)
      : V(V), Filled(Filled) {}

  bool isReadFrom(const CFGBlock &Block, size_t Index = 0) {
    for (; Index < Block.size(); ++Index) {
      const auto Element = Block[Index].getAs<CFGStmt>();
      if (!Element)
        continue;
      if (sets(*Element->getStmt()))
        return false;
      if (reads(*Element->getStmt()))
        return true;
    }
    for (const CFGBlock::AdjacentBlock &Edge : Block.succs()) {
      // A value may be none of its enumeration's: no `case` is sure to match.
      const CFGBlock *Next = Edge.getReachableBlock();
      if (!Next)
        Next = Edge.getPossiblyUnreachableBlock();
      if (Next && Seen.insert(Next).second && isReadFrom(*Next))
        return true;
    }
    return false;
  }

private:
  bool names(const Stmt &S) const { return variableNamedBy(S) == &V; }

  /// The whole variable.
  bool sets(const Stmt &S) const {
    if (const auto *Declaration = dyn_cast<DeclStmt>(&S))
      return llvm::is_contained(Declaration->decls(), &V);
    const auto *Op = dyn_cast<BinaryOperator>(&S);
    return (Op && Op->getOpcode() == BO_Assign &&
            names(*Op->getLHS()->IgnoreParens())) ||
           (names(S) && Filled.contains(&S));
  }

  /// A target is named before it is set.
  bool reads(const Stmt &S) const {
    const Stmt *Outer = names(S) ? &S : nullptr;
    if (!Outer)
      return false;
    do
      Outer = parentOf(*Outer, V.getASTContext());
    while (Outer && isa<ParenExpr>(Outer));
    const auto *Op = dyn_cast_or_null<BinaryOperator>(Outer);
    return !Op || Op->getOpcode() != BO_Assign ||
           Op->getLHS()->IgnoreParens() != &S;
  }

  const VarDecl &V;
  const HostVariables::NameSet &Filled;
  llvm::SmallPtrSet<const CFGBlock *, 16> Seen;
};

} // namespace

/// The graph shows all that is done to \p V.
bool HostVariables::isFollowed(const VarDecl &V) const {
  const auto Found = Uses.find(&V);
  // The graph does not know which calls may throw, and leave for a handler.
  return Graph && !HasTry && V.hasLocalStorage() && !isShared(V) &&
         !V.getType()->isReferenceType() &&
         (Found == Uses.end() ||
          llvm::all_of(Found->second, [&](const DeclRefExpr *Ref) {
            return Followed.contains(Ref);
          }));
}

bool HostVariables::livesOn(const VarDecl &V, const Stmt &Loop) const {
  if (!isFollowed(V))
    return true;
  const llvm::SmallPtrSet<const Stmt *, 1> None;
  for (const CFGBlock *Block : *Graph)
    for (size_t I = 0; I < Block->size(); ++I)
      if (const auto Exit = (*Block)[I].getAs<CFGLoopExit>();
          Exit && Exit->getLoopStmt() == &Loop)
        return ReadSearch(V, None).isReadFrom(*Block, I + 1);
  return true;
}

bool HostVariables::livesOn(const VarDecl &V, const GotoStmt &Jump) const {
  if (!isFollowed(V))
    return true;
  const llvm::SmallPtrSet<const Stmt *, 1> None;
  const auto Target = llvm::find_if(*Graph, [&](const CFGBlock *Block) {
    return Block->getLabel() == Jump.getLabel()->getStmt();
  });
  return Target == Graph->end() || ReadSearch(V, None).isReadFrom(**Target);
}

/// A condition before the body, which may be of several blocks, names \p V.
static bool isAskedBefore(const VarDecl &V, const Stmt &Loop) {
  return !isa<DoStmt>(Loop) && conditionOf(Loop) &&
         holds(conditionOf(Loop),
               [&](const Stmt &S) { return variableNamedBy(S) == &V; });
}

/// Where the last part of the condition of \p Loop decides, or null.
static const CFGBlock *decisionOf(const CFG &Graph, const Stmt &Loop) {
  const auto Found = llvm::find_if(Graph, [&](const CFGBlock *Block) {
    return Block->getTerminatorStmt() == &Loop && !Block->succ_empty();
  });
  return Found != Graph.end() ? *Found : nullptr;
}

bool HostVariables::isSetAnew(const VarDecl &V, const Stmt &Loop,
                              const NameSet &Filled) const {
  if (!isFollowed(V) || isAskedBefore(V, Loop))
    return false;
  const CFGBlock *Decision = decisionOf(*Graph, Loop);
  const CFGBlock *Body =
      Decision ? Decision->succ_begin()->getReachableBlock() : nullptr;
  return Body && !ReadSearch(V, Filled).isReadFrom(*Body);
}

bool HostVariables::mayBeReadFirst(const VarDecl &V, const Stmt &Loop,
                                   const NameSet &Filled) const {
  if (isa<DoStmt>(Loop))
    return !isSetAnew(V, Loop, Filled);
  if (!isFollowed(V))
    return true;
  ReadSearch Search(V, Filled);
  const auto *For = dyn_cast<ForStmt>(&Loop);
  if (!For || !For->getInit()) {
    const CFGBlock *Decision = decisionOf(*Graph, Loop);
    return !Decision || isAskedBefore(V, Loop) ||
           Search.isReadFrom(*Decision, Decision->size());
  }
  const auto IsPart = [&](const Stmt &S) {
    return contains(For->getInit(), &S);
  };
  // What is evaluated in some cases only is in blocks of its own.
  if (holds(For->getInit(), [](const Stmt &S) {
        const auto *Op = dyn_cast<BinaryOperator>(&S);
        return isa<AbstractConditionalOperator>(S) || (Op && Op->isLogicalOp());
      }))
    return true;
  for (const CFGBlock *Block : *Graph)
    for (size_t I = 0; I < Block->size(); ++I)
      if (const auto Element = (*Block)[I].getAs<CFGStmt>();
          Element && IsPart(*Element->getStmt()))
        return Search.isReadFrom(*Block, I);
  return true;
}

bool HostVariables::hasValueBefore(const VarDecl &V, const Stmt &Loop) const {
  return HasGoto || isShared(V) || !facts::beginsUnset(V) ||
         anyUseBefore(V, Loop);
}

/// Whether \p V is named where control may be before it comes to \p Loop.
bool HostVariables::anyUseBefore(const VarDecl &V, const Stmt &Loop) const {
  // Around a loop, control comes back to what stands before it.
  const Stmt *Again = &Loop;
  // It comes to the loop with what the loop itself has left in it.
  bool IsKept = false;
  ASTContext &Context = Function.getASTContext();
  for (const Stmt *S = &Loop; S; S = parentOf(*S, Context))
    if (isLoop(*S)) {
      Again = S;
      IsKept |= S != &Loop && !declares(S, V);
    }
  const SourceManager &SM = Context.getSourceManager();
  auto Found = Uses.find(&V);
  return Found != Uses.end() &&
         llvm::any_of(Found->second, [&](const DeclRefExpr *Ref) {
           return (IsKept || !contains(&Loop, Ref)) &&
                  (contains(Again, Ref) ||
                   !SM.isBeforeInTranslationUnit(Loop.getEndLoc(),
                                                 Ref->getBeginLoc()));
         });
}

//===----------------------------------------------------------------------===//
// Values before a loop
//===----------------------------------------------------------------------===//

namespace {

/// A part of a variable: the numbers of the members and the elements that lead
/// to it, from the variable on.
using PartPath = llvm::SmallVector<uint64_t, 4>;

/// Stands for each element of an array.
constexpr uint64_t AnyElement = ~uint64_t(0);

/// Variables of more parts are not followed part by part.
constexpr size_t MaxParts = 64;

/// Adds the scalars that a variable of \p Type consists of; false where there
/// are too many, or not all of them have a name.
bool addParts(QualType Type, const PartPath &Path, const ASTContext &Context,
              std::vector<PartPath> &Into) {
  const auto AddOne = [&](uint64_t Index, QualType Inner) {
    PartPath Next = Path;
    Next.push_back(Index);
    return addParts(Inner, Next, Context, Into);
  };
  if (const ConstantArrayType *Array = Context.getAsConstantArrayType(Type)) {
    // In place of each: that one assignment names them all.
    if (Array->getSize().ugt(MaxParts))
      return AddOne(AnyElement, Array->getElementType());
    for (uint64_t I = 0; I < Array->getSize().getZExtValue(); ++I)
      if (!AddOne(I, Array->getElementType()))
        return false;
    return true;
  }
  const CXXRecordDecl *Record = Type->getAsCXXRecordDecl();
  if (!Record || Record->isUnion()) {
    Into.push_back(Path);
    return Into.size() <= MaxParts;
  }
  return Record->getNumBases() == 0 &&
         llvm::all_of(Record->fields(), [&](const FieldDecl *Field) {
           return Field->isUnnamedBitField() ||
                  AddOne(Field->getFieldIndex(), Field->getType());
         });
}

/// `for (int i = 0; i < N; ++i)` over all of an array of \p Size elements,
/// which does nothing else to i and runs its body to the end each time.
const VarDecl *counterOfWhole(const ForStmt &For, uint64_t Size,
                              const ASTContext &Context) {
  const auto Loop = facts::readCountedLoop(For, Context);
  const auto *Test = dyn_cast_or_null<BinaryOperator>(For.getCond());
  const auto Is = [&](const Expr *E, uint64_t Number) {
    const auto Value = facts::integerOf(*E, Context);
    return Value &&
           llvm::APSInt::isSameValue(*Value, llvm::APSInt::getUnsigned(Number));
  };
  if (!Loop || !Loop->CountsUp || Loop->Step || !Loop->First || !Test ||
      (Test->getOpcode() != BO_LT && Test->getOpcode() != BO_NE) ||
      !Is(Loop->First, 0) || !Is(Loop->limit(), Size) || leavesEarly(For) ||
      holds(For.getBody(),
            [](const Stmt &S) { return isa<ContinueStmt, LambdaExpr>(S); }))
    return nullptr;
  for (const auto &[Var, Uses] : facts::VariableFacts(For.getBody()))
    if (Var == Loop->Counter && llvm::any_of(Uses, [](const VariableUse &U) {
          return U.Kind != UseKind::Read || U.In;
        }))
      return nullptr;
  return Loop->Counter;
}

/// Whether control may come to a loop with a part of a variable unset, or to a
/// member function's end with a part of its object.
class UnsetSearch {
public:
  UnsetSearch(const VarDecl &V, const Stmt &Loop)
      : V(&V), Context(V.getASTContext()) {
    (void)holds(&Loop, [&](const Stmt &S) {
      OfLoop.insert(&S);
      return false;
    });
  }

  /// Follows calls of the object's functions so many calls deep.
  UnsetSearch(const CXXMethodDecl &Method, unsigned Depth)
      : Context(Method.getASTContext()), Depth(Depth) {}

  /// At the end of \p Graph, a member function's.
  bool mayEndUnset(const CFG &Graph, const PartPath &Part) {
    Sought = &Part;
    Exit = &Graph.getExit();
    Seen.clear();
    return comesFrom(Graph.getEntry());
  }

  bool mayComeUnset(const CFG &Graph, const PartPath &Part) {
    Sought = &Part;
    Seen.clear();
    for (const CFGBlock *Block : Graph)
      for (size_t I = 0; I < Block->size(); ++I)
        if (const auto Element = (*Block)[I].getAs<CFGStmt>();
            Element && declaresV(*Element->getStmt()))
          return comesFrom(*Block, I + 1);
    return true;
  }

private:
  bool comesFrom(const CFGBlock &Block, size_t Index = 0) {
    if (&Block == Exit)
      return true;
    for (; Index < Block.size(); ++Index)
      if (const auto Element = Block[Index].getAs<CFGStmt>()) {
        const Stmt &S = *Element->getStmt();
        if (OfLoop.contains(&S))
          return true;
        if (sets(S) || declaresV(S))
          return false;
      }
    const Stmt *End = Block.getTerminatorStmt();
    // A loop without a condition, or whose condition is another block's.
    if (End && OfLoop.contains(End))
      return true;
    const bool RunsOnce = End && isFilling(*End);
    for (const CFGBlock::AdjacentBlock &Edge : Block.succs()) {
      const CFGBlock *Next = Edge.getReachableBlock();
      if (!Next)
        Next = Edge.getPossiblyUnreachableBlock();
      if (Next && Seen.insert(Next).second && comesFrom(*Next))
        return true;
      if (RunsOnce)
        break;
    }
    return false;
  }

  bool declaresV(const Stmt &S) const {
    const auto *Declaration = dyn_cast<DeclStmt>(&S);
    return V && Declaration && llvm::is_contained(Declaration->decls(), V);
  }

  bool sets(const Stmt &S) const {
    // Others set all of what they get the address of.
    if (const auto *Op = dyn_cast<UnaryOperator>(&S))
      return Op->getOpcode() == UO_AddrOf && names(*Op->getSubExpr());
    const auto *Op = dyn_cast<BinaryOperator>(&S);
    if (Op && Op->getOpcode() == BO_Assign)
      return setsPart(*Op->getLHS());
    if (const auto *Own = dyn_cast<CXXMemberCallExpr>(&S); Own && !V)
      return isThis(*Own->getImplicitObjectArgument()) && setsInCall(*Own);
    if (const auto *Fill = dyn_cast<CallExpr>(&S); Fill && isFill(*Fill))
      return isThis(*Fill->getArg(0)->IgnoreParenCasts());
    const auto *Call = dyn_cast<CXXOperatorCallExpr>(&S);
    return Call && Call->getOperator() == OO_Equal &&
           setsPart(*Call->getArg(0));
  }

  bool names(const Expr &E) const {
    const Expr &Plain = *E.IgnoreParens();
    if (const auto *Op = dyn_cast<UnaryOperator>(&Plain); Op && !V)
      return Op->getOpcode() == UO_Deref && isThis(*Op->getSubExpr());
    const auto *Ref = dyn_cast<DeclRefExpr>(&Plain);
    return V && Ref && Ref->getDecl() == V;
  }

  bool isThis(const Expr &E) const {
    return !V && isa<CXXThisExpr>(E.IgnoreParens());
  }

  static bool isFill(const CallExpr &Call) {
    const FunctionDecl *Callee = Call.getDirectCallee();
    return Callee && Callee->getIdentifier() && Callee->getName() == "memset" &&
           Call.getNumArgs() == 3;
  }

  /// \p Call, of the object, is of a function that is seen to set the part.
  bool setsInCall(const CXXMemberCallExpr &Call) const;

  /// The part sought is one of \p Target's.
  bool setsPart(const Expr &Target) const {
    PartPath Path;
    return readPath(Target, Path) && Path.size() <= Sought->size() &&
           llvm::equal(Path, llvm::ArrayRef(*Sought).take_front(Path.size()),
                       [](uint64_t Given, uint64_t Wanted) {
                         return Given == Wanted || Given == AnyElement;
                       });
  }

  bool readPath(const Expr &Target, PartPath &Path) const {
    const Expr &E = *Target.IgnoreParens();
    if (names(E))
      return true;
    if (const auto *Member = dyn_cast<MemberExpr>(&E)) {
      const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
      if (!Field || !(Member->isArrow() ? isThis(*Member->getBase())
                                        : readPath(*Member->getBase(), Path)))
        return false;
      // Of a union, any member is the whole.
      if (!Field->getParent()->isUnion())
        Path.push_back(Field->getFieldIndex());
      return true;
    }
    const auto *Element = dyn_cast<ArraySubscriptExpr>(&E);
    const Expr *Base =
        Element ? Element->getBase()->IgnoreParenImpCasts() : nullptr;
    const ConstantArrayType *Array =
        Base ? Context.getAsConstantArrayType(Base->getType()) : nullptr;
    if (!Array || !readPath(*Base, Path))
      return false;
    if (const auto Index = facts::integerOf(*Element->getIdx(), Context))
      Path.push_back(Index->getZExtValue());
    else if (runsOver(*Element, Array->getSize().getZExtValue()))
      Path.push_back(AnyElement);
    else
      return false;
    return true;
  }

  /// \p Element is assigned each time in a loop over all elements.
  bool runsOver(const ArraySubscriptExpr &Element, uint64_t Size) const {
    const auto *Index =
        dyn_cast<DeclRefExpr>(Element.getIdx()->IgnoreParenImpCasts());
    const Stmt *S = &Element;
    for (; S && isa<Expr>(S); S = parentOf(*S, Context)) {
      const auto *Op = dyn_cast<BinaryOperator>(S);
      if ((Op && Op->isLogicalOp()) || isa<AbstractConditionalOperator>(S))
        return false;
    }
    if (isa_and_nonnull<CompoundStmt>(S))
      S = parentOf(*S, Context);
    const auto *For = dyn_cast_or_null<ForStmt>(S);
    return Index && For &&
           counterOfWhole(*For, Size, Context) == Index->getDecl();
  }

  /// \p End is a loop over all elements of an array, each of which it sets.
  bool isFilling(const Stmt &End) const {
    const auto *For = dyn_cast<ForStmt>(&End);
    return For && holds(For->getBody(), [&](const Stmt &S) {
             const auto *Op = dyn_cast<BinaryOperator>(&S);
             PartPath Path;
             return Op && Op->getOpcode() == BO_Assign &&
                    readPath(*Op->getLHS(), Path) &&
                    llvm::is_contained(Path, AnyElement) && sets(S);
           });
  }

  const VarDecl *V = nullptr; ///< Null: the object of a member function.
  ASTContext &Context;
  unsigned Depth = 0;
  const PartPath *Sought = nullptr;
  const CFGBlock *Exit = nullptr;
  llvm::SmallPtrSet<const Stmt *, 32> OfLoop;
  llvm::SmallPtrSet<const CFGBlock *, 16> Seen;
};

/// What runs when \p Function is called; null where that is not seen, or may
/// leave for a handler.
std::unique_ptr<CFG> graphOf(const FunctionDecl &Function) {
  const FunctionDecl *Definition = facts::linkedBody(Function);
  if (!Definition || holds(Definition->getBody(),
                           [](const Stmt &S) { return isa<CXXTryStmt>(S); }))
    return nullptr;
  return buildGraph(*Definition);
}

constexpr unsigned MaxCalls = 3; ///< That are followed into each other.

bool UnsetSearch::setsInCall(const CXXMemberCallExpr &Call) const {
  const CXXMethodDecl *Method = Call.getMethodDecl();
  if (!Method || Method->isVirtual() || Depth == MaxCalls)
    return false;
  const std::unique_ptr<CFG> Graph = graphOf(*Method);
  return Graph && !UnsetSearch(*Method, Depth + 1).mayEndUnset(*Graph, *Sought);
}

/// Finds the parts that objects begin without.
class UnsetParts {
public:
  explicit UnsetParts(const ASTContext &Context) : Context(Context) {}

  std::vector<PartPath> Found;

  /// Of an object of \p Type at \p Path, which \p Init, or nothing,
  /// initialises.
  void add(QualType Type, const PartPath &Path, const Expr *Init) {
    if (!Init)
      return addDefault(Type, Path);
    const Expr &Plain = *Init->IgnoreImplicit()->IgnoreParenCasts();
    if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(&Plain))
      return add(Type, Path, Default->getExpr());
    if (const auto *List = dyn_cast<InitListExpr>(&Plain)) {
      if (leavesAny(List->inits(), List->getArrayFiller()))
        addAll(Type, Path);
    } else if (const auto *Parens = dyn_cast<CXXParenListInitExpr>(&Plain)) {
      if (leavesAny(Parens->getInitExprs(), Parens->getArrayFiller()))
        addAll(Type, Path);
    } else if (const auto *Construct = dyn_cast<CXXConstructExpr>(&Plain)) {
      addConstruction(Type, Path, *Construct);
    } else if (const auto *Inherited =
                   dyn_cast<CXXInheritedCtorInitExpr>(&Plain)) {
      addConstructor(Path, *Inherited->getConstructor());
    }
  }

private:
  void addAll(QualType Type, const PartPath &Path) {
    std::vector<PartPath> Parts;
    if (addParts(Type, Path, Context, Parts))
      llvm::append_range(Found, Parts);
    else
      Found.push_back(Path);
  }

  static bool isUnset(const ASTContext &Context, QualType Type,
                      const Expr *Init) {
    UnsetParts Inner(Context);
    Inner.add(Type, {}, Init);
    return !Inner.Found.empty();
  }

  bool leavesAny(llvm::ArrayRef<Expr *> Inits, const Expr *Filler) const {
    const auto Leaves = [&](const Expr *Each) {
      return isUnset(Context, Each->getType(), Each);
    };
    return llvm::any_of(Inits, Leaves) || (Filler && Leaves(Filler));
  }

  void addConstruction(QualType Type, const PartPath &Path,
                       const CXXConstructExpr &Construct) {
    const CXXConstructorDecl &Constructor = *Construct.getConstructor();
    if (Construct.requiresZeroInitialization() ||
        Constructor.isCopyOrMoveConstructor())
      return;
    if (!Context.getAsConstantArrayType(Type))
      return addConstructor(Path, Constructor);
    UnsetParts Element(Context);
    Element.addConstructor({}, Constructor);
    if (!Element.Found.empty())
      addAll(Type, Path);
  }

  /// Without an initialiser.
  void addDefault(QualType Type, const PartPath &Path) {
    const CXXRecordDecl *Record = classOf(Type);
    if (!Record)
      return addAll(Type, Path);
    UnsetParts Element(Context);
    Element.addDefault(*Record);
    if (Context.getAsConstantArrayType(Type) && !Element.Found.empty())
      addAll(Type, Path);
    else
      addAt(Path, Element.Found);
  }

  void addDefault(const CXXRecordDecl &Record) {
    for (const CXXConstructorDecl *Each : Record.ctors())
      if (Each->isDefaultConstructor())
        return addConstructor({}, *Each);
    addMembers(Record, nullptr);
  }

  void addAt(const PartPath &Path, llvm::ArrayRef<PartPath> Inner) {
    for (const PartPath &Each : Inner) {
      Found.push_back(Path);
      Found.back().append(Each.begin(), Each.end());
    }
  }

  /// The system's know what they do.
  void addConstructor(const PartPath &Path,
                      const CXXConstructorDecl &Constructor) {
    const SourceManager &SM = Context.getSourceManager();
    if (Constructor.isUserProvided() &&
        SM.isInSystemHeader(SM.getExpansionLoc(Constructor.getLocation())))
      return;
    const auto *Definition =
        cast_or_null<CXXConstructorDecl>(Constructor.getDefinition());
    const bool IsWritten = Definition && !Definition->isDefaulted();
    UnsetParts Members(Context);
    if (IsWritten && Definition->isDelegatingConstructor())
      Members.add(Context.getCanonicalTagType(Constructor.getParent()), {},
                  (*Definition->init_begin())->getInit());
    else
      Members.addMembers(*Constructor.getParent(),
                         IsWritten ? Definition : nullptr);
    if (IsWritten)
      Members.dropSetBy(*Definition);
    else if (Constructor.isUserProvided() && !Definition)
      Members.Found = {{}};
    addAt(Path, Members.Found);
  }

  /// What the bases and members of \p Record begin without, given the
  /// initialisers of \p Constructor, or else those of their declarations.
  void addMembers(const CXXRecordDecl &Record,
                  const CXXConstructorDecl *Constructor) {
    const auto InitOf = [&](auto Matches) -> const Expr * {
      if (Constructor)
        for (const CXXCtorInitializer *Each : Constructor->inits())
          if (Matches(*Each))
            return Each->getInit();
      return nullptr;
    };
    // Parts of a base have no path.
    for (const CXXBaseSpecifier &Base : Record.bases())
      if (isUnset(Context, Base.getType(),
                  InitOf([&](const CXXCtorInitializer &I) {
                    return I.isBaseInitializer() &&
                           Context.hasSameType(QualType(I.getBaseClass(), 0),
                                               Base.getType());
                  })))
        Found.push_back({});
    if (Record.isUnion())
      return addUnion(Record, Constructor);
    for (const FieldDecl *Field : Record.fields()) {
      if (Field->isUnnamedBitField())
        continue;
      const Expr *Init = InitOf([&](const CXXCtorInitializer &I) {
        return I.isAnyMemberInitializer() && outermost(I) == Field;
      });
      if (!Init && !Constructor)
        Init = Field->getInClassInitializer();
      const CXXRecordDecl *Inner = Field->getType()->getAsCXXRecordDecl();
      // Of an anonymous union any member is the whole.
      if (Init && Field->isAnonymousStructOrUnion() && Inner->isUnion())
        continue;
      if (Init && Field->isAnonymousStructOrUnion())
        Init = nullptr;
      add(Field->getType(), {Field->getFieldIndex()}, Init);
    }
  }

  static const FieldDecl *outermost(const CXXCtorInitializer &I) {
    return I.isIndirectMemberInitializer()
               ? cast<FieldDecl>(I.getIndirectMember()->chain().front())
               : I.getMember();
  }

  /// Any member of a union is the whole.
  void addUnion(const CXXRecordDecl &Union,
                const CXXConstructorDecl *Constructor) {
    const bool IsSet = Constructor ? Constructor->getNumCtorInitializers() > 0
                                   : Union.hasInClassInitializer();
    if (!IsSet && !Union.field_empty())
      Found.push_back({});
  }

  void dropSetBy(const CXXConstructorDecl &Constructor) {
    const std::unique_ptr<CFG> Graph =
        Found.empty() ? nullptr : graphOf(Constructor);
    if (Graph)
      llvm::erase_if(Found, [&](const PartPath &Part) {
        return !UnsetSearch(Constructor, 0).mayEndUnset(*Graph, Part);
      });
  }

  const ASTContext &Context;
};

} // namespace

bool HostVariables::isSetBefore(const VarDecl &V, const Stmt &Loop) const {
  if (isa<ParmVarDecl>(V) || V.isExceptionVariable() || !V.hasLocalStorage() ||
      Shared.contains(&V))
    return true;
  UnsetParts Parts(V.getASTContext());
  Parts.add(V.getType(), {}, V.getInit());
  if (Parts.Found.empty())
    return true;
  // The graph does not know the ways to a handler.
  if (!Graph || HasTry)
    return anyUseBefore(V, Loop);
  if (Parts.Found.size() > MaxParts)
    Parts.Found = {{}};
  UnsetSearch Search(V, Loop);
  return llvm::none_of(Parts.Found, [&](const PartPath &Part) {
    return Search.mayComeUnset(*Graph, Part);
  });
}

} // namespace barricade::host
