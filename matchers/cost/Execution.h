// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One iteration of a loop, executed once in the abstract: every expression is a
// value of the graph, every access that is left an operation. Each question
// that this asks is a file of its own:
//
//   Addresses.cpp    which values are affine, and what do addresses cost
//   Locations.cpp    where does the value of an lvalue live
//   Memory.cpp       which loads and stores are left, at which level
//   Expressions.cpp  what does an operator cost
//   Calls.cpp        what does a call cost, and what happens in it
//   Control.cpp      what runs, how often, and what do branches join
//
// For InstructionCount alone: what is asked from outside is there.

#ifndef BARRICADE_MATCHERS_COST_EXECUTION_H
#define BARRICADE_MATCHERS_COST_EXECUTION_H

#include "matchers/cost/FunctionValues.h"
#include "matchers/cost/InstructionCount.h"
#include "matchers/cost/Unrolling.h"
#include "matchers/cost/ValueGraph.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include <map>
#include <memory>

namespace clang {
class IfStmt;
class SwitchStmt;
} // namespace clang

namespace barricade::cost {

using Id = ValueGraph::Id;
using Ids = ValueGraph::Ids;

/// An address as a value, and as a form where it is affine. Constant offsets
/// are no part of the value: an instruction takes them for free.
struct Address {
  Id Value = 0;
  int64_t Offset = 0;
  std::optional<AffineForm> Exact; ///< With the offset.

  bool isSame(const Address &O) const {
    if (Exact && O.Exact)
      return *Exact == *O.Exact;
    return !Exact && !O.Exact && Value == O.Value && Offset == O.Offset;
  }
};

/// Where an expression's value lives.
struct Location {
  enum KindTy { Variable, Memory, Register } Kind = Register;
  const clang::VarDecl *Var = nullptr;
  llvm::SmallVector<const clang::FieldDecl *, 2>
      Path; ///< Of a variable's part.
  Address At;
  MemoryRoot Root;
  clang::QualType Type;
  const clang::Expr *Where = nullptr;
  AffineForm Printed;      ///< The address, opaque parts included.
  std::optional<Id> Known; ///< A register's value.
};

/// A function body that is being executed: the counted loop's function, or one
/// that is called in it.
struct Frame {
  const clang::FunctionDecl *Function = nullptr;
  FunctionValues *Values = nullptr;
  Frame *Caller = nullptr;
  const clang::CallExpr *Call = nullptr;
  /// What `this` points at, as far as it is known.
  std::optional<Location> Object;
  /// Arguments of Call that stand before those for the parameters.
  unsigned Skipped = 0;
  /// Parameters as affine forms in the values of the counted loop's function.
  llvm::DenseMap<const void *, AffineForm> Arguments;
  std::optional<Id> Result;
  std::optional<Location> Returned; ///< What a returned reference leads to.

  unsigned depth() const { return Caller ? Caller->depth() + 1 : 0; }
  const clang::Expr *argument(const clang::ValueDecl *D) const {
    const auto *P = llvm::dyn_cast_or_null<clang::ParmVarDecl>(D);
    const unsigned Index = P ? P->getFunctionScopeIndex() : 0;
    if (!P || !Call || Index + Skipped >= Call->getNumArgs() ||
        Function->getNumParams() <= Index || Function->getParamDecl(Index) != P)
      return nullptr;
    return Call->getArg(Index + Skipped);
  }
};

/// What a loop does to memory, as far as moving a load out of it asks.
struct Effect {
  bool IsStore = false;
  bool IsBarrier = false; ///< Anything may have changed.
  Location What;
};

/// \p T is a struct or a class.
inline bool isRecord(clang::QualType T) {
  return T->isRecordType() && !T->isUnionType();
}

class Execution {
public:
  /// What is known of each loop once its body has been seen.
  struct LoopSummary {
    std::vector<Effect> Effects;
    bool HasInnerLoop = false;
    /// Variables of outside that the body does not assign by their names, but
    /// by pointers, by references, in lambdas, in functions that it calls.
    std::vector<const clang::VarDecl *> ChangedOtherwise;
  };
  using LoopSummaries = llvm::DenseMap<const clang::Stmt *, LoopSummary>;

  Execution(const clang::Stmt &Loop, const clang::FunctionDecl &Function,
            FunctionValues &Values, clang::ASTContext &Ctx,
            const LoopSummaries *Known);

  IterationCost cost() const;
  LoopSummaries Summaries;

private:
  // Statements.
  void run(const clang::Stmt *S);
  void runIf(const clang::IfStmt &If);
  void runSwitch(const clang::SwitchStmt &Switch);
  void runLoop(const clang::Stmt &Loop, bool KeepRolled = false);
  void runDeclaration(const clang::VarDecl &V);
  Id condition(const clang::Expr *E);

  // Expressions.
  Id evaluate(const clang::Expr *E);
  Id evaluateCast(const clang::CastExpr &Cast);
  Id evaluateBinary(const clang::BinaryOperator &Op);
  Id evaluateUnary(const clang::UnaryOperator &Op);
  Id evaluateCall(const clang::CallExpr &Call,
                  std::optional<Location> *Returned = nullptr);
  Id inlineCall(const clang::CallExpr &Call, const clang::FunctionDecl &Callee,
                std::optional<Location> *Returned);
  Id arithmetic(clang::BinaryOperatorKind Op, clang::QualType T, Id L, Id R,
                const clang::Expr *Right);
  Id division(clang::BinaryOperatorKind Op, clang::QualType T, Id L, Id R,
              const clang::Expr *Divisor);
  Id evaluateConstruction(const clang::Expr &E,
                          llvm::ArrayRef<const clang::Expr *> Args);
  Id effect(unsigned Cost, llvm::ArrayRef<Id> Args);
  Id record(llvm::ArrayRef<Id> Fields);
  Id fieldOf(Id Record, const clang::FieldDecl *Field);
  Id withField(Id Record, llvm::ArrayRef<const clang::FieldDecl *> Path,
               Id Value);

  // Affine values.
  std::optional<AffineForm> affine(const clang::Expr *E);
  AffineForm resolved(AffineForm Form) const;
  const LoopLevel *levelOf(const Symbol &S) const;
  const LoopLevel *levelOf(const AffineForm &Form) const;
  AffineForm withoutUnrolled(const AffineForm &Form) const;
  Id affineValue(const AffineForm &Form);
  const void *intern(const AffineForm &Form) { return &Forms[Form]; }

  // Memory.
  Location locate(const clang::Expr *E);
  std::optional<Location> locateObject(const clang::Expr &Object);
  std::optional<Location> fieldOfObject(const clang::FieldDecl &Field);
  Location memoryAt(const clang::Expr *E, clang::QualType T,
                    const clang::Expr *Where);
  Address addressOf(const AffineForm &Form, clang::QualType Element);
  Address addressByParts(const clang::Expr *E);
  MemoryRoot rootOf(const clang::Expr *E);
  bool leadsToGlobal(const clang::Expr &Arg);
  bool passesGlobal(const clang::CallExpr &Call);
  MemoryRoot rootIn(const clang::Expr *E, const clang::FunctionDecl &F);
  Id load(const Location &From);
  Id loadMemory(const Location &From);
  void store(const Location &To, Id Value);
  void storeMemory(const Location &To, Id Value);
  Id atomic(const clang::CallExpr &Call);
  void addOperation(MemoryOperation::KindTy Kind, const Location &What,
                    Id Value, const LoopLevel &At);
  void forget(const Location *Changed);
  bool mayOverlap(const Location &A, const Location &B) const;
  const LoopLevel *hoisted(const Location &What, bool IsStore) const;
  const LoopLevel *changedIn(const Location &What, const LoopLevel *Home) const;
  void noteEffect(bool IsStore, const Location *What);
  Location fieldIn(const Location &Record, const clang::FieldDecl *Field) const;

  bool dependsOnLoop(const Symbol &S) const;
  using Environment = llvm::DenseMap<const clang::VarDecl *, Id>;
  unsigned merge(const Environment &Other, bool AsSelect, Id Condition);
  void noteExposed(const clang::Stmt *S);
  bool isOfCallers(const clang::VarDecl &V) const;
  bool outlivesIteration(const clang::VarDecl &V,
                         const clang::Stmt &Loop) const;
  void noteOtherChanges(const clang::Stmt &Loop, const Environment &Before,
                        llvm::ArrayRef<const clang::VarDecl *> Assigned);

  clang::ASTContext &Ctx;
  const clang::Stmt *Counted;
  const LoopSummaries *Known; ///< From an earlier execution, or null.
  ValueGraph Graph;
  Frame Top, *Current = nullptr;
  std::vector<std::unique_ptr<FunctionValues>> CalleeValues;
  llvm::DenseMap<const clang::FunctionDecl *, FunctionValues *> ValuesOf;
  std::vector<std::unique_ptr<LoopLevel>> Levels;
  LoopLevel *Level = nullptr;
  llvm::DenseMap<const clang::Stmt *, LoopLevel *> LevelOfLoop;
  Environment Env;
  /// Variables that may be changed by other names than their own.
  llvm::SmallSetVector<const clang::VarDecl *, 4> Exposed;
  /// Records whose fields are known one by one.
  llvm::DenseMap<Id, llvm::SmallVector<Id, 4>> Records;
  /// Struct values that are still in memory: fields are loaded when asked for.
  llvm::DenseMap<Id, Location> Deferred;
  std::map<AffineForm, char> Forms; ///< Gives each form an identity.
  std::map<std::pair<AffineForm, const LoopLevel *>, Id> AffineIds;
  struct AvailableValue {
    Location Where;
    Id Value;
  };
  std::vector<AvailableValue> Available;
  unsigned ConditionDepth = 0; ///< Of ifs within the current loop level.
  unsigned Jumps = 0, SideEffects = 0;
  llvm::DenseSet<Id> Products, Predicates;
  RegisterArrays InRegisters;
  std::map<const clang::FunctionDecl *, MemoryRoots> Roots;
  struct Operation {
    MemoryOperation Memory;
    Id Value;
  };
  std::vector<Operation> Operations;
  IterationCost Counts;
};

} // namespace barricade::cost

#endif
