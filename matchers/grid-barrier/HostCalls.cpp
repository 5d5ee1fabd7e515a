// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/HostCalls.h"
#include "matchers/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace barricade::grid_barrier {
namespace {

/// The name of the callee if it is a function of the system's headers, as the
/// CUDA runtime's are.
llvm::StringRef systemFunction(const CallExpr &Call, const SourceManager &SM) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !Callee->getDeclName().isIdentifier() ||
      !SM.isInSystemHeader(SM.getExpansionLoc(Callee->getLocation())))
    return {};
  return Callee->getName();
}

} // namespace

HostCallKind classifyHostCall(const CallExpr &Call, const SourceManager &SM) {
  const llvm::StringRef Name = systemFunction(Call, SM);
  if (Name == "swap" && Call.getDirectCallee()->isInStdNamespace() &&
      Call.getNumArgs() == 2)
    return HostCallKind::Swap;
  if ((Name == "min" || Name == "max") && Call.getNumArgs() == 2 &&
      Call.getType()->isIntegralOrUnscopedEnumerationType())
    return HostCallKind::Extremum;
  if (Name.starts_with("cudaEvent"))
    return HostCallKind::Timing;
  return llvm::StringSwitch<HostCallKind>(Name)
      .Cases({"cudaDeviceSynchronize", "cudaThreadSynchronize",
              "cudaStreamSynchronize"},
             HostCallKind::Synchronise)
      .Cases({"ceil", "ceilf", "floor", "floorf", "trunc", "truncf"},
             HostCallKind::Rounding)
      .Cases({"cudaGetLastError", "cudaPeekAtLastError"}, HostCallKind::Query)
      .Cases({"cudaMemcpy", "cudaMemcpyAsync"}, HostCallKind::Copy)
      .Cases({"cudaMemset", "cudaMemsetAsync"}, HostCallKind::Fill)
      .StartsWith("cuda", HostCallKind::Runtime)
      .Default(HostCallKind::Unknown);
}

bool forgetsAddresses(const CallExpr &Call, const SourceManager &SM) {
  const llvm::StringRef Name = systemFunction(Call, SM);
  // Stream-ordered allocation gives its pointer at once.
  if (Name == "cudaMallocAsync" || Name == "cudaMallocFromPoolAsync")
    return true;
  return Name.starts_with("cuda") && !Name.contains("Async") &&
         !Name.contains("Register") && !Name.contains("Launch") &&
         !Name.contains("Graph") && !Name.contains("GetDevicePointer");
}

bool isAllocation(const CallExpr &Call, const SourceManager &SM) {
  return llvm::StringSwitch<bool>(systemFunction(Call, SM))
      .Cases({"cudaMalloc", "cudaMallocAsync", "cudaMallocManaged"}, true)
      .Default(false);
}

bool isFallback(const Stmt &Statement, ASTContext &Context) {
  const auto IsLaunch = [](const Stmt &S) {
    const auto *Call = dyn_cast<CallExpr>(&S);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    return Callee &&
           Callee->getQualifiedNameAsString().starts_with("barricade::launch_");
  };
  for (const Stmt *S = &Statement; (S = parentOf(*S, Context));)
    if (const auto *If = dyn_cast<IfStmt>(S);
        If && holds(If->getCond(), IsLaunch))
      return true;
  return false;
}

} // namespace barricade::grid_barrier
