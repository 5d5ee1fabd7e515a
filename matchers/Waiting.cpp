// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/Waiting.h"
#include "matchers/DeviceCalls.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Expr.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace barricade {
namespace {

/// Looks for reads that another thread's write may change, and notes which
/// local variables are read besides.
class SignalReads : public ConstDynamicRecursiveASTVisitor {
public:
  SignalReads(const SourceManager &SM,
              llvm::function_ref<bool(const Expr &)> IsSignal)
      : SM(SM), IsSignal(IsSignal) {}
  SourceLocation Found;
  llvm::SmallPtrSet<const VarDecl *, 8> Variables;

  bool VisitExpr(const Expr *E) override {
    if (E->isLValue() && E->getType().isVolatileQualified())
      note(E->getExprLoc());
    if ((isa<ArraySubscriptExpr>(E) || isDereference(*E)) && IsSignal(*E))
      note(E->getExprLoc());
    return true;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    switch (classifyCall(*Call, SM)) {
    case CallKind::Atomic:
    case CallKind::Unknown:
    // Looking for signals through calls is not worth the trouble.
    case CallKind::Visible:
      if (mayRead(*Call))
        note(Call->getBeginLoc());
      break;
    default:
      break;
    }
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
        Var && Var->hasLocalStorage())
      Variables.insert(Var);
    return true;
  }

private:
  static bool isDereference(const Expr &E) {
    const auto *Op = dyn_cast<UnaryOperator>(&E);
    return Op && Op->getOpcode() == UO_Deref;
  }
  /// A visible function of plain numbers has no memory to read.
  bool mayRead(const CallExpr &Call) const {
    if (classifyCall(Call, SM) != CallKind::Visible)
      return true;
    return Call.getNumArgs() == 0 ||
           llvm::any_of(Call.arguments(), [](const Expr *Arg) {
             return Arg->getType()->isPointerType() || Arg->isLValue() ||
                    Arg->getType()->isRecordType();
           });
  }
  void note(SourceLocation Where) {
    if (Found.isInvalid())
      Found = Where;
  }
  const SourceManager &SM;
  llvm::function_ref<bool(const Expr &)> IsSignal;
};

/// The conditions that decide whether a loop goes on, and what its variables
/// are assigned.
class LoopShape : public ConstDynamicRecursiveASTVisitor {
public:
  LoopShape(const Stmt &Loop, const SourceManager &SM) : SM(SM) {
    TraverseStmt(&Loop);
  }
  llvm::SmallVector<const Expr *, 4> Conditions;
  llvm::SmallVector<std::pair<const VarDecl *, const Expr *>, 16> Assignments;
  bool HasFence = false;

  bool VisitWhileStmt(const WhileStmt *S) override { return add(S->getCond()); }
  bool VisitDoStmt(const DoStmt *S) override { return add(S->getCond()); }
  bool VisitForStmt(const ForStmt *S) override { return add(S->getCond()); }
  bool VisitIfStmt(const IfStmt *S) override {
    return leaves(*S) ? add(S->getCond()) : true;
  }
  bool VisitSwitchStmt(const SwitchStmt *S) override {
    return leaves(*S) ? add(S->getCond()) : true;
  }
  bool VisitVarDecl(const VarDecl *Var) override {
    if (Var->getInit())
      Assignments.push_back({Var, Var->getInit()});
    return true;
  }
  bool VisitBinaryOperator(const BinaryOperator *Op) override {
    if (Op->isAssignmentOp())
      if (const auto *Ref = dyn_cast<DeclRefExpr>(Op->getLHS()->IgnoreParens()))
        if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl()))
          Assignments.push_back({Var, Op->getRHS()});
    return true;
  }
  bool VisitCallExpr(const CallExpr *Call) override {
    CallKind Kind = classifyCall(*Call, SM);
    HasFence |= Kind == CallKind::Fence || Kind == CallKind::BlockBarrier ||
                Kind == CallKind::WarpSync || Kind == CallKind::GridBarrier ||
                Kind == CallKind::NamedBarrier || Kind == CallKind::Clock ||
                Kind == CallKind::Visible; // It may hold one.
    return true;
  }
  bool VisitAsmStmt(const AsmStmt *) override { return HasFence = true; }

private:
  bool add(const Expr *Condition) {
    if (Condition)
      Conditions.push_back(Condition);
    return true;
  }
  static bool leaves(const Stmt &S) {
    if (isa<BreakStmt, ReturnStmt, GotoStmt, IndirectGotoStmt>(S))
      return true;
    return llvm::any_of(S.children(), [](const Stmt *Child) {
      return Child && leaves(*Child);
    });
  }
  const SourceManager &SM;
};

} // namespace

SourceLocation findWait(const Stmt &Loop, const SourceManager &SM,
                        llvm::function_ref<bool(const Expr &)> MayBeWritten) {
  LoopShape Shape(Loop, SM);
  // Without a fence the compiler may read plain memory once and for all, so
  // that nobody can wait by it.
  auto IsSignal = [&](const Expr &Access) {
    return Shape.HasFence && MayBeWritten(Access);
  };
  SignalReads Reads(SM, IsSignal);
  for (const Expr *Condition : Shape.Conditions)
    Reads.TraverseStmt(Condition);
  // Follow variables back to what they are assigned within the loop.
  llvm::SmallPtrSet<const Expr *, 16> Followed;
  for (bool More = true; More && Reads.Found.isInvalid();) {
    More = false;
    for (const auto &[Var, Value] : Shape.Assignments)
      if (Reads.Variables.contains(Var) && Followed.insert(Value).second) {
        Reads.TraverseStmt(Value);
        More = true;
      }
  }
  return Reads.Found;
}

bool isPlainAsm(const AsmStmt &Asm) {
  const auto *Gcc = dyn_cast<GCCAsmStmt>(&Asm);
  if (!Gcc)
    return false;
  std::string Text = Gcc->getAsmString();
  llvm::SmallVector<llvm::StringRef, 8> Lines;
  llvm::StringRef(Text).split(Lines, ';');
  for (llvm::StringRef Line : Lines) {
    Line = Line.trim(" \t\r\n{}");
    if (Line.empty() || Line.starts_with("//") || Line.starts_with(".reg"))
      continue;
    llvm::StringRef Opcode = Line.take_until([](char C) { return C == ' ' || C == '\t'; });
    auto [Name, Modifiers] = Opcode.split('.');
    bool Computes =
        llvm::StringSwitch<bool>(Name)
            .Cases({"mov", "add", "sub", "mul", "mad", "fma", "div", "rem"}, true)
            .Cases({"neg", "abs", "min", "max", "and", "or", "xor", "not"}, true)
            .Cases({"shl", "shr", "shf", "prmt", "bfe", "bfi", "lop3", "bfind"}, true)
            .Cases({"cvt", "setp", "set", "selp", "slct", "popc", "clz", "brev"}, true)
            .Cases({"ex2", "lg2", "rcp", "sqrt", "rsqrt", "sin", "cos", "tanh"}, true)
            .Cases({"dp4a", "dp2a", "mul24", "mad24", "sad", "addc", "subc", "madc"}, true)
            .Cases({"prefetch", "prefetchu", "cvta", "isspacep"}, true)
            .Default(false);
    bool Accesses = (Name == "ld" || Name == "st") &&
                    !Modifiers.contains("volatile") && !Modifiers.contains("acquire") &&
                    !Modifiers.contains("release") && !Modifiers.contains("relaxed") &&
                    !Modifiers.contains("mmio");
    if (!Computes && !Accesses)
      return false;
  }
  return true;
}

} // namespace barricade
