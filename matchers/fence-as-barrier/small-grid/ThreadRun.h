// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread's run through a kernel. Each question is a file of its own:
//
//   Memory.cpp       what does a thread read and write, and what is noted of it
//   Expressions.cpp  what is the value of an expression
//   Places.cpp       which object does an lvalue name
//   Calls.cpp        what does a call do
//   Statements.cpp   where does the thread go, and does it surely come there
//
// For SmallGrid alone.

#ifndef BARRICADE_MATCHERS_FENCEASBARRIER_SMALLGRID_THREADRUN_H
#define BARRICADE_MATCHERS_FENCEASBARRIER_SMALLGRID_THREADRUN_H

#include "matchers/fence-as-barrier/small-grid/Values.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include <array>
#include <deque>
#include <map>

namespace barricade::fence_as_barrier::small_grid {

/// Expressions and statements that all runs of a kernel may take together: one
/// or two seconds.
constexpr unsigned MaxSteps = 30'000'000;
constexpr int64_t WarpLanes = 32;

/// What the threads of one run share.
struct Run {
  SmallGrid &Grid;
  ScalarChoice Choose;
  clang::ASTContext &Context;
  unsigned &Steps;
  bool GaveUp = false;
  std::map<std::pair<HostValue, bool>, Object> Globals = {};

  Object *global(HostValue Root, bool IsVariable) {
    Object &O = Globals[{Root, IsVariable}];
    O.Space = Object::Global;
    O.Host = Root;
    O.IsVariable = IsVariable;
    return &O;
  }
};

/// One thread's run through the kernel.
class ThreadRun {
public:
  ThreadRun(Run &R, std::array<unsigned, 3> Block,
            std::array<unsigned, 3> Thread)
      : R(R), Context(R.Context), SM(Context.getSourceManager()), Math(Context),
        BlockIndex(Block), ThreadIndex(Thread) {}

  ThreadTrace run();

private:
  enum class Flow { Next, Break, Continue, Return };

  struct Frame {
    explicit Frame(const clang::FunctionDecl *Function) : Function(Function) {}
    const clang::FunctionDecl *Function;
    std::map<const clang::VarDecl *, Object *> Variables;
    PlaceInObject This;
    PlaceInObject Destination; ///< Where a record is returned.
    Value Result;
    unsigned Unsure = 0; ///< Conditions under which it may have returned.
  };

  // Expressions.
  Value evaluate(const clang::Expr *E);
  Value evaluateCast(const clang::CastExpr &Cast);
  Value evaluateUnary(const clang::UnaryOperator &Op);
  Value evaluateBinary(const clang::BinaryOperator &Op);
  Value evaluateLogical(const clang::BinaryOperator &Op);
  Value evaluateChoice(const clang::ConditionalOperator &Choice);
  Value evaluateCall(const clang::CallExpr &Call, PlaceInObject Destination);
  Value callVisible(const clang::CallExpr &Call, PlaceInObject Destination);
  Value callOfValues(const clang::CallExpr &Call);
  Value callOfGroup(const clang::CallExpr &Call);
  Value run(Frame &Callee);
  Value index(llvm::StringRef Variable, char Member) const;
  Value childrenOf(const clang::Stmt &S);
  PlaceInObject place(const clang::Expr *E);
  PlaceInObject placeOfVariable(const clang::VarDecl &Var);

  // Memory.
  Value load(PlaceInObject P, clang::QualType T, const clang::Expr &Access);
  void store(PlaceInObject P, clang::QualType T, const clang::Expr *Access,
             Value V);
  void initialize(PlaceInObject P, clang::QualType T, const clang::Expr *Init);
  void construct(PlaceInObject P, const clang::CXXConstructExpr &Construct);
  void copy(PlaceInObject To, PlaceInObject From, clang::QualType T,
            const clang::Expr &Access, const clang::Expr *Target);
  void note(PlaceInObject P, clang::QualType T, const clang::Expr &Access,
            bool IsStore, std::optional<int64_t> Stored = std::nullopt);
  Value hostScalar(const HostValue &V, clang::QualType T);

  // Statements.
  Flow execute(const clang::Stmt *S);
  void declare(const clang::DeclStmt &Decl);
  /// What \p S begins ends by functions that are not run here: by one that may
  /// wait, what the thread knows ends as well.
  void endSilently(const clang::Stmt &S);
  Flow executeIf(const clang::IfStmt &If);
  Flow executeLoop(const clang::Stmt &Loop);
  Flow executeSwitch(const clang::SwitchStmt &Switch);
  Flow executeAsm(const clang::AsmStmt &Asm);
  Flow unsurely(const Value &Why, llvm::ArrayRef<const clang::Stmt *> Arms);
  Flow leave(Flow Last, unsigned Unsure);

  /// Whether the thread surely comes here.
  bool isSure() const { return Doubts == 0; }
  void wait() {
    if (!Ended)
      Trace.Waited = Now;
    Ended = true;
  }
  void giveUp() { R.GaveUp = Ended = true; }
  void fence(const clang::Stmt &S) {
    if (isSure() && !Ended)
      Trace.Fences.push_back({&S, Top->Function, tick()});
  }
  Moment tick() {
    ++Now.Order;
    return Now;
  }

  Object *newObject(HostValue Host = {}) {
    Object &O = Locals.emplace_back();
    O.Host = Host;
    return &O;
  }

  Run &R;
  clang::ASTContext &Context;
  const clang::SourceManager &SM;
  const Arithmetic Math;
  std::array<unsigned, 3> BlockIndex, ThreadIndex;
  ThreadTrace Trace;
  Moment Now;
  bool Ended = false;
  /// Conditions around the present statement that nothing is known of.
  unsigned Doubts = 0;
  /// Those of them that other threads may have a part in.
  unsigned ForeignDoubts = 0;
  /// A place of the thread's own that a pointer may reach.
  bool LocalsExposed = false;
  unsigned Depth = 0;
  Frame *Top = nullptr;
  /// Of the innermost loop, and of the innermost loop or switch: conditions
  /// under which the thread may have left it or its iteration.
  unsigned *LoopUnsure = nullptr, *BreakUnsure = nullptr;
  std::deque<Object> Locals;
  Object SharedMemory{Object::Shared, {}, false, {}};
};

} // namespace barricade::fence_as_barrier::small_grid

#endif
