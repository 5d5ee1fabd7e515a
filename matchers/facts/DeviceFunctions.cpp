// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/DeviceFunctions.h"
#include "matchers/facts/Constants.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/source/NamedElse.h"
#include "matchers/source/Statements.h"
#include "matchers/source/UserDeclarations.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace barricade {
namespace {

class UserCodeVisitor : public ConstDynamicRecursiveASTVisitor {
public:
  UserCodeVisitor(ASTContext &Context, UserCode &Code)
      : Context(Context), Code(Code) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool TraverseDecl(const Decl *D) override {
    const auto *Function = dyn_cast_or_null<FunctionDecl>(D);
    const FunctionDecl *Outer = Current;
    if (Function && Function->doesThisDeclarationHaveABody())
      Current = Function;
    bool Continue = ConstDynamicRecursiveASTVisitor::TraverseDecl(D);
    Current = Outer;
    return Continue;
  }

  bool TraverseLambdaExpr(const LambdaExpr *L) override {
    const FunctionDecl *Outer =
        std::exchange(CallOperator, L->getCallOperator());
    bool Continue = ConstDynamicRecursiveASTVisitor::TraverseLambdaExpr(L);
    CallOperator = Outer;
    return Continue;
  }

  bool VisitFunctionDecl(const FunctionDecl *Function) override {
    if (!Function->doesThisDeclarationHaveABody())
      return true;
    bool Kernel = Function->hasAttr<CUDAGlobalAttr>();
    if (!Kernel && !Function->hasAttr<CUDADeviceAttr>())
      return true;
    if (Function->isDependentContext())
      Patterns.push_back(Function);
    else if (!isLambdaCall(*Function))
      (Kernel ? Code.Kernels : Code.DeviceFunctions).push_back(Function);
    return true;
  }

  bool VisitCUDAKernelCallExpr(const CUDAKernelCallExpr *Call) override {
    KernelLaunch Launch{Call, Call->getDirectCallee(), Current, std::nullopt};
    if (Launch.Kernel)
      if (const FunctionDecl *Definition = Launch.Kernel->getDefinition())
        Launch.Kernel = Definition;
    if (const CallExpr *Config = Call->getConfig();
        Config && Config->getNumArgs() > 1)
      Launch.BlockThreads = constantExtent(*Config->getArg(1), Context);
    if (!Current || !Current->isDependentContext())
      Code.Launches.push_back(Launch);
    return true;
  }

  bool VisitCXXMemberCallExpr(const CXXMemberCallExpr *Call) override {
    const CXXMethodDecl *Method = Call->getMethodDecl();
    if (!Method || !isObjectLaunch(*Method))
      return true;
    const auto *Ref =
        dyn_cast<DeclRefExpr>(Call->getArg(0)->IgnoreParenImpCasts());
    const auto *Kernel = Ref ? dyn_cast<FunctionDecl>(Ref->getDecl()) : nullptr;
    if (Kernel && Kernel->getDefinition())
      Code.Launches.push_back({nullptr, Kernel->getDefinition(), Current,
                               Call->getNumArgs() > 2
                                   ? constantExtent(*Call->getArg(2), Context)
                                   : std::nullopt});
    return true;
  }
  /// Nobody calls what stands there.
  bool TraverseDecltypeTypeLoc(DecltypeTypeLoc, bool) override { return true; }

  bool VisitNamedDecl(const NamedDecl *D) override {
    if (D->getDeclName().isIdentifier() &&
        D->getName().starts_with("__syncthreads"))
      Code.RedefinesBarrier = true;
    return true;
  }

  bool VisitCallExpr(const CallExpr *Call) override {
    if (const auto *Ref =
            dyn_cast<DeclRefExpr>(Call->getCallee()->IgnoreParenImpCasts()))
      Called.insert(Ref);
    const FunctionDecl *Caller = CallOperator ? CallOperator : Current;
    if (const FunctionDecl *Callee = Call->getDirectCallee(); Callee && Caller)
      Code.Callers[Callee->getCanonicalDecl()].push_back(
          Caller->getCanonicalDecl());
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    const auto *Function = dyn_cast<FunctionDecl>(Ref->getDecl());
    if (Function && !Called.contains(Ref))
      Code.AddressTaken.insert(Function->getCanonicalDecl());
    return true;
  }

  void finish() {
    llvm::SmallPtrSet<const FunctionDecl *, 16> Instantiated;
    for (const auto *List : {&Code.Kernels, &Code.DeviceFunctions})
      for (const FunctionDecl *F : *List)
        if (const FunctionDecl *Pattern = F->getTemplateInstantiationPattern())
          Instantiated.insert(Pattern->getCanonicalDecl());
    for (const FunctionDecl *Pattern : Patterns)
      if (!Instantiated.contains(Pattern->getCanonicalDecl()))
        Code.Uninstantiated.push_back(Pattern);
  }

private:
  static bool isLambdaCall(const FunctionDecl &Function) {
    const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
    return Method && Method->getParent()->isLambda();
  }

  ASTContext &Context;
  UserCode &Code;
  const FunctionDecl *Current = nullptr;
  const FunctionDecl *CallOperator = nullptr; ///< Of the lambda around.
  std::vector<const FunctionDecl *> Patterns;
  llvm::SmallPtrSet<const DeclRefExpr *, 32> Called;
};

} // namespace

UserCode collectUserCode(ASTContext &Context) {
  UserCode Code;
  UserCodeVisitor Visitor(Context, Code);
  for (const Decl *D : userDeclarations(Context))
    Visitor.TraverseDecl(D);
  Visitor.finish();
  return Code;
}

/// \p Method is called \p Name and of the runtime's class \p Class, or of an
/// instance of that template.
static bool isOfRuntime(const CXXMethodDecl &Method, llvm::StringRef Class,
                        llvm::StringRef Name) {
  return Method.getDeclName().isIdentifier() && Method.getName() == Name &&
         Method.getParent()->getQualifiedNameAsString() ==
             "barricade::" + Class.str();
}

bool isObjectLaunch(const CXXMethodDecl &Method) {
  return isOverlappedLaunch(Method) ||
         isOfRuntime(Method, "LoopedLaunches", "launch") ||
         isOfRuntime(Method, "ReplayedLaunches", "launch") ||
         isOfRuntime(Method, "ReplayedLaunches", "join");
}

bool isOverlappedLaunch(const CXXMethodDecl &Method) {
  return isOfRuntime(Method, "BasicOverlappedLaunches", "launch") ||
         isOfRuntime(Method, "ReplayedLaunches", "launch_overlapped") ||
         isOfRuntime(Method, "ReplayedLaunches", "join_overlapped");
}

bool hasSeenCallersOnly(
    const FunctionDecl &Function, const UserCode &Code,
    llvm::function_ref<bool(const FunctionDecl &)> IsExported) {
  llvm::SmallPtrSet<const FunctionDecl *, 8> Seen;
  llvm::SmallVector<const FunctionDecl *, 8> Work = {
      Function.getCanonicalDecl()};
  while (!Work.empty()) {
    const FunctionDecl *F = Work.pop_back_val();
    if (!Seen.insert(F).second || F->hasAttr<CUDAGlobalAttr>())
      continue;
    // Libraries' templates find methods and operators by themselves.
    const auto *Method = dyn_cast<CXXMethodDecl>(F);
    if ((Method && !Method->isStatic()) || F->isOverloadedOperator() ||
        Code.AddressTaken.contains(F) || IsExported(*F))
      return false;
    if (auto It = Code.Callers.find(F); It != Code.Callers.end())
      llvm::append_range(Work, It->second);
  }
  return true;
}

namespace {

/// \p Var keeps the value that it is initialised with, in all builds.
bool isOnlyRead(const VarDecl &Var) {
  // What a parameter has is a default only.
  if (Var.getType().isVolatileQualified() || isa<ParmVarDecl>(Var))
    return false;
  const auto *Function = dyn_cast<FunctionDecl>(Var.getDeclContext());
  if (!Function || !Var.hasLocalStorage())
    return Var.getType().isConstQualified();
  return facts::VariableFacts(*Function).isOnlyRead(Var) &&
         (Var.getType().isConstQualified() ||
          !mayBeChangedElse(Var, *Function));
}

/// What \p E names, if that is a variable that keeps its first value, which is
/// not made from itself.
const VarDecl *onlyReadVariable(const Expr &E) {
  const VarDecl *Var = variableNamedBy(E);
  const bool HasValue =
      Var && Var->getInit() && !holds(Var->getInit(), [&](const Stmt &S) {
        return variableNamedBy(S) == Var;
      });
  return HasValue && isOnlyRead(*Var) ? Var : nullptr;
}

llvm::APSInt converted(const llvm::APSInt &Value, QualType Type,
                       const ASTContext &Context) {
  const bool IsUnsigned = !Type->isSignedIntegerOrEnumerationType();
  if (Type->isBooleanType())
    return llvm::APSInt(llvm::APInt(1, Value != 0), IsUnsigned);
  return llvm::APSInt(Value.extOrTrunc(Context.getIntWidth(Type)), IsUnsigned);
}

/// The value of \p E where that is a constant integer, also by way of
/// variables that keep the ones they begin with.
std::optional<llvm::APSInt> constantInteger(const Expr &E,
                                            const ASTContext &Context) {
  if (E.getType().isNull() || E.isInstantiationDependent() ||
      !E.getType()->isIntegralOrEnumerationType())
    return std::nullopt;
  if (const auto Known = facts::integerOf(E, Context))
    return Known;
  const Expr &Plain = *E.IgnoreParens();
  if (const VarDecl *Var = onlyReadVariable(Plain))
    return constantInteger(*Var->getInit(), Context);
  const auto *Cast = dyn_cast<ImplicitCastExpr>(&Plain);
  const auto Value =
      Cast ? constantInteger(*Cast->getSubExpr(), Context) : std::nullopt;
  return Value ? std::optional(converted(*Value, E.getType(), Context))
               : std::nullopt;
}

} // namespace

Extents3 constantExtents(const Expr &E, ASTContext &Context) {
  // In a template, what is made from which values is not known, and a list in
  // parentheses has no type at all.
  if (E.getType().isNull() || E.isInstantiationDependent())
    return {};
  const Expr *Plain = E.IgnoreUnlessSpelledInSource();
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(Plain)) {
    if (Construct->getConstructor()->isCopyOrMoveConstructor() &&
        Construct->getNumArgs() == 1)
      return constantExtents(*Construct->getArg(0), Context);
    Extents3 Extents;
    for (unsigned I = 0; I < 3 && I < Construct->getNumArgs(); ++I)
      Extents[I] = constantExtents(*Construct->getArg(I), Context)[0];
    return Extents;
  }
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(Plain))
    Plain = Default->getExpr();
  if (const VarDecl *Var = onlyReadVariable(*Plain);
      Var && Var->getType()->isRecordType())
    return constantExtents(*Var->getInit(), Context);
  // A `dim3` is made from unsigned numbers.
  const bool IsExtent = E.getType()->isRecordType();
  const Expr &Number = IsExtent ? *Plain : E;
  if (!Number.getType()->isIntegralOrEnumerationType())
    return {};
  const auto Value = constantInteger(Number, Context);
  if (!Value)
    return {std::nullopt, 1, 1};
  return {
      (IsExtent ? converted(*Value, Context.UnsignedIntTy, Context) : *Value)
          .getZExtValue(),
      1, 1};
}

std::optional<uint64_t> constantExtent(const Expr &E, ASTContext &Context) {
  uint64_t Product = 1;
  for (const std::optional<uint64_t> &Extent : constantExtents(E, Context)) {
    if (!Extent)
      return std::nullopt;
    Product *= *Extent;
  }
  return Product ? std::optional(Product) : std::nullopt;
}

} // namespace barricade
