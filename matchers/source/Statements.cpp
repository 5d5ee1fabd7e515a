// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace barricade {

const CXXRecordDecl *classOf(QualType Type) {
  return Type.isNull() ? nullptr
                       : Type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
}

void sortByPlace(llvm::MutableArrayRef<const VarDecl *> Variables) {
  llvm::sort(Variables, [](const VarDecl *A, const VarDecl *B) {
    return A->getLocation().getRawEncoding() <
           B->getLocation().getRawEncoding();
  });
}

const VarDecl *variableNamedBy(const Stmt &S) {
  const auto *Ref = dyn_cast<DeclRefExpr>(&S);
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

const VarDecl *variableOf(const Expr &E) {
  return variableNamedBy(*E.IgnoreParenImpCasts());
}

bool isLoop(const Stmt &S) {
  return isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S);
}

const Stmt *bodyOf(const Stmt &Loop) {
  if (const auto *For = dyn_cast<ForStmt>(&Loop))
    return For->getBody();
  if (const auto *While = dyn_cast<WhileStmt>(&Loop))
    return While->getBody();
  if (const auto *Do = dyn_cast<DoStmt>(&Loop))
    return Do->getBody();
  return cast<CXXForRangeStmt>(&Loop)->getBody();
}

const Expr *conditionOf(const Stmt &Loop) {
  if (const auto *For = dyn_cast<ForStmt>(&Loop))
    return For->getCond();
  if (const auto *While = dyn_cast<WhileStmt>(&Loop))
    return While->getCond();
  if (const auto *Do = dyn_cast<DoStmt>(&Loop))
    return Do->getCond();
  return cast<CXXForRangeStmt>(&Loop)->getCond();
}

llvm::StringRef loopNoun(const Stmt &Loop) {
  if (isa<ForStmt>(Loop))
    return "for loop";
  if (isa<WhileStmt>(Loop))
    return "while loop";
  if (isa<LabelStmt>(Loop))
    return "goto loop";
  if (isa<Expr, DeclStmt>(Loop))
    return "repeated call";
  return isa<DoStmt>(Loop) ? "do loop" : "range-for loop";
}

std::optional<bool> constantCondition(const Expr *Condition,
                                      const ASTContext &Context) {
  bool Value = false;
  return Condition && !Condition->isValueDependent() &&
                 Condition->EvaluateAsBooleanCondition(Value, Context)
             ? std::optional(Value)
             : std::nullopt;
}

bool isLaunchConfiguration(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  const FunctionDecl *Configure =
      Callee ? Callee->getASTContext().getcudaConfigureCallDecl() : nullptr;
  return Configure &&
         Callee->getCanonicalDecl() == Configure->getCanonicalDecl();
}

bool isOnceLoop(const Stmt &S, const ASTContext &Context) {
  const auto *Do = dyn_cast<DoStmt>(&S);
  return Do && constantCondition(Do->getCond(), Context) == false;
}

bool isJump(const Stmt &S) {
  return isa<BreakStmt, ContinueStmt, ReturnStmt, GotoStmt, IndirectGotoStmt>(
      S);
}

bool breaksOut(const Stmt *S) {
  if (!S || isa<LambdaExpr, SwitchStmt>(S) || isLoop(*S))
    return false;
  return isa<BreakStmt>(S) || llvm::any_of(S->children(), breaksOut);
}

/// \p S returns, or goes to a label.
static bool jumpsOut(const Stmt *S) {
  if (!S || isa<LambdaExpr>(S))
    return false;
  return isa<ReturnStmt, GotoStmt, IndirectGotoStmt>(S) ||
         llvm::any_of(S->children(), jumpsOut);
}

bool leavesEarly(const Stmt &Loop) {
  const Stmt *Body = bodyOf(Loop);
  return breaksOut(Body) || jumpsOut(Body);
}

/// What is evaluated with \p S, but is none of its children.
static llvm::SmallVector<const Stmt *, 1> hiddenPartsOf(const Stmt &S) {
  if (const auto *Left = dyn_cast<CXXDefaultArgExpr>(&S))
    return {Left->getExpr()};
  if (const auto *OfMember = dyn_cast<CXXDefaultInitExpr>(&S))
    return {OfMember->getExpr()};
  if (const auto *List = dyn_cast<InitListExpr>(&S))
    return {List->getArrayFiller()};
  if (const auto *List = dyn_cast<CXXParenListInitExpr>(&S))
    return {List->getArrayFiller()};
  llvm::SmallVector<const Stmt *, 1> Parts;
  if (const auto *Declaration = dyn_cast<DeclStmt>(&S))
    for (const Decl *D : Declaration->decls())
      if (const auto *Whole = dyn_cast<DecompositionDecl>(D))
        for (const BindingDecl *Binding : Whole->bindings())
          if (const VarDecl *Holding = Binding->getHoldingVar())
            Parts.push_back(Holding->getInit());
  return Parts;
}

bool holds(const Stmt *S, llvm::function_ref<bool(const Stmt &)> Test,
           llvm::ArrayRef<const Stmt *> Without) {
  const auto HoldsWithin = [&](const Stmt *Part) {
    return holds(Part, Test, Without);
  };
  return S && !llvm::is_contained(Without, S) &&
         (Test(*S) || llvm::any_of(S->children(), HoldsWithin) ||
          llvm::any_of(hiddenPartsOf(*S), HoldsWithin));
}

llvm::SmallVector<const Stmt *, 4> codeOf(const FunctionDecl &Function) {
  llvm::SmallVector<const Stmt *, 4> Code;
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(&Function))
    for (const CXXCtorInitializer *Init : Constructor->inits()) {
      const auto *OfMember = dyn_cast<CXXDefaultInitExpr>(Init->getInit());
      Code.push_back(OfMember ? OfMember->getExpr() : Init->getInit());
    }
  if (const Stmt *Body = Function.getBody())
    Code.push_back(Body);
  return Code;
}

bool isPartOfBase(const MemberExpr &Member) {
  return !Member.isArrow() && isa<FieldDecl>(Member.getMemberDecl()) &&
         !Member.getMemberDecl()->getType()->isReferenceType();
}

bool codeHolds(const FunctionDecl &Function,
               llvm::function_ref<bool(const Stmt &)> Test) {
  return llvm::any_of(codeOf(Function),
                      [&](const Stmt *Part) { return holds(Part, Test); });
}

bool contains(const Stmt *S, const Stmt *Part) {
  return holds(S, [&](const Stmt &Each) { return &Each == Part; });
}

bool declares(const Stmt *S, const VarDecl &Var) {
  return holds(S, [&](const Stmt &Part) {
    const auto *Declaration = dyn_cast<DeclStmt>(&Part);
    return Declaration && llvm::is_contained(Declaration->decls(), &Var);
  });
}

bool alwaysEvaluates(const Stmt *S,
                     llvm::function_ref<bool(const Stmt &)> Test) {
  if (!isa_and_nonnull<Expr, DeclStmt>(S) ||
      isa<UnaryExprOrTypeTraitExpr, LambdaExpr, CXXDefaultArgExpr>(S))
    return false;
  if (Test(*S))
    return true;
  if (const auto *Op = dyn_cast<BinaryOperator>(S); Op && Op->isLogicalOp())
    return alwaysEvaluates(Op->getLHS(), Test);
  if (const auto *Op = dyn_cast<ConditionalOperator>(S))
    return alwaysEvaluates(Op->getCond(), Test);
  return llvm::any_of(S->children(), [&](const Stmt *Child) {
    return alwaysEvaluates(Child, Test);
  });
}

const Stmt *parentOf(const Stmt &S, ASTContext &Context) {
  const DynTypedNodeList Parents = Context.getParents(S);
  return Parents.empty() ? nullptr : Parents[0].get<Stmt>();
}

const CompoundStmt *blockOf(const Stmt &S, ASTContext &Context) {
  const DynTypedNodeList Parents = Context.getParents(S);
  return Parents.size() == 1 ? Parents[0].get<CompoundStmt>() : nullptr;
}

using Labels = llvm::SmallPtrSet<const LabelDecl *, 4>;

/// Adds the labels in \p S; \p InSwitch: its cases are those of a switch that
/// is looked at, too. False where it has others, to which no goto is needed.
static bool addLabels(const Stmt *S, bool InSwitch, Labels &Found) {
  if (!S || isa<LambdaExpr>(S))
    return true;
  if (const auto *Label = dyn_cast<LabelStmt>(S))
    Found.insert(Label->getDecl());
  if (!InSwitch && isa<SwitchCase>(S))
    return false;
  return llvm::all_of(S->children(), [&](const Stmt *Child) {
    return addLabels(Child, InSwitch || isa<SwitchStmt>(S), Found);
  });
}

/// \p Code, without its parts \p Except, names one of \p Sought.
static bool jumpsTo(const Labels &Sought, const Stmt *Code,
                    llvm::ArrayRef<const Stmt *> Except) {
  if (!Code || llvm::is_contained(Except, Code))
    return false;
  const LabelDecl *Named = nullptr;
  if (const auto *Goto = dyn_cast<GotoStmt>(Code))
    Named = Goto->getLabel();
  else if (const auto *Address = dyn_cast<AddrLabelExpr>(Code))
    Named = Address->getLabel();
  return Sought.contains(Named) ||
         llvm::any_of(Code->children(), [&](const Stmt *Child) {
           return jumpsTo(Sought, Child, Except);
         });
}

/// The statement around all that \p S is in.
static const Stmt &outermost(const Stmt &S, ASTContext &Context) {
  const Stmt *Function = &S;
  while (const Stmt *Parent = parentOf(*Function, Context))
    Function = Parent;
  return *Function;
}

/// A jump from elsewhere may lead into one of \p Statements.
static bool mayBeEntered(llvm::ArrayRef<const Stmt *> Statements,
                         ASTContext &Context) {
  Labels Found;
  for (const Stmt *S : Statements)
    if (!addLabels(S, /*InSwitch=*/false, Found))
      return true;
  if (Found.empty())
    return false;
  return jumpsTo(Found, &outermost(*Statements.front(), Context), Statements);
}

/// `setjmp` and its likes.
static bool returnsTwice(const FunctionDecl &Function) {
  return Function.hasAttr<ReturnsTwiceAttr>() ||
         (Function.getDeclName().isIdentifier() &&
          llvm::StringSwitch<bool>(Function.getName())
              .Cases({"setjmp", "_setjmp", "__setjmp", "sigsetjmp"}, true)
              .Cases({"_sigsetjmp", "__sigsetjmp", "__builtin_setjmp"}, true)
              .Cases({"_setjmpex", "__intrinsic_setjmp", "savectx"}, true)
              .Cases({"getcontext", "vfork"}, true)
              .Default(false));
}

bool isJumpFar(const FunctionDecl &Function) {
  return Function.getDeclName().isIdentifier() &&
         llvm::StringSwitch<bool>(Function.getName())
             .Cases({"longjmp", "_longjmp", "__longjmp_chk"}, true)
             .Cases({"siglongjmp", "__siglongjmp", "_siglongjmp"}, true)
             .Cases({"__builtin_longjmp", "setcontext", "swapcontext"}, true)
             .Default(false);
}

/// \p S may jump to where it does not name, or have what is there jumped to.
static bool jumpsAnywhere(const Stmt &S) {
  if (const auto *Ref = dyn_cast<DeclRefExpr>(&S)) {
    const auto *Function = dyn_cast<FunctionDecl>(Ref->getDecl());
    return Function && (returnsTwice(*Function) || isJumpFar(*Function));
  }
  const auto *Asm = dyn_cast<GCCAsmStmt>(&S);
  return isa<IndirectGotoStmt, AddrLabelExpr>(S) || (Asm && Asm->isAsmGoto());
}

SourceLocation lastBefore(const Stmt &S, const CompoundStmt &Block) {
  SourceLocation Last = Block.getLBracLoc();
  for (const Stmt *Sibling : Block.body()) {
    if (Sibling == &S)
      break;
    Last = Sibling->getEndLoc();
  }
  return Last;
}

bool mayDeclareBefore(const Stmt &S, ASTContext &Context) {
  if (holds(&outermost(S, Context), jumpsAnywhere))
    return false;
  const CompoundStmt *Block = blockOf(S, Context);
  if (!Block || llvm::any_of(Block->body(), [](const Stmt *Sibling) {
        return isa<SwitchCase, LabelStmt>(Sibling);
      }))
    return false;
  const auto From = llvm::find(Block->body(), &S);
  return !mayBeEntered({From, Block->body_end()}, Context);
}

const Stmt &withAttributes(const Stmt &S, ASTContext &Context) {
  const auto *Attributed =
      dyn_cast_or_null<AttributedStmt>(parentOf(S, Context));
  return Attributed ? *Attributed : S;
}

std::string textOf(const Expr &E, const ASTContext &Context) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  E.printPretty(Out, nullptr, PrintingPolicy(Context.getLangOpts()));
  return Text;
}

} // namespace barricade
