// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/HostCalls.h"
#include "matchers/Statements.h"
#include "matchers/facts/VariableFacts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace barricade::grid_barrier {
namespace {

/// \p F is declared by the CUDA toolkit, or by what stands in for it.
bool isOfToolkit(const FunctionDecl &F, const SourceManager &SM) {
  const SourceLocation Where = SM.getExpansionLoc(F.getLocation());
  const llvm::StringRef File = llvm::sys::path::filename(SM.getFilename(Where));
  return SM.isInSystemHeader(Where) &&
         F.getDeclContext()->getRedeclContext()->isTranslationUnit() &&
         llvm::StringSwitch<bool>(File)
             .Cases({"cuda_runtime.h", "cuda_runtime_api.h",
                     "barricade_runtime_api.h"},
                    true)
             .Cases({"math_functions.h", "math_functions.hpp",
                     "__clang_cuda_math.h", "barricade_min_max.h"},
                    true)
             .Default(false);
}

/// The name of the callee; empty where that is none of a library's that the
/// rules know. Other headers may be a system's, too, by their include folder.
llvm::StringRef libraryFunction(const CallExpr &Call, const SourceManager &SM) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !Callee->getDeclName().isIdentifier() ||
      !(Callee->isInStdNamespace() || Callee->getBuiltinID() ||
        isOfToolkit(*Callee, SM)))
    return {};
  return Callee->getName();
}

struct RuntimeCall {
  llvm::StringLiteral Name;
  HostCallKind Kind;
  bool ForgetsAddresses;
};

constexpr RuntimeCall RuntimeCalls[] = {
#define RUNTIME_CALL(Name, Kind) {#Name, HostCallKind::Kind, true},
#define RUNTIME_CALL_KEEPS(Name, Kind) {#Name, HostCallKind::Kind, false},
#include "matchers/grid-barrier/HostCalls.def"
};

/// What the table says of \p Call, or null.
const RuntimeCall *runtimeCall(const CallExpr &Call, const SourceManager &SM) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !isOfToolkit(*Callee, SM))
    return nullptr;
  const llvm::StringRef Name = libraryFunction(Call, SM);
  const auto *Found = llvm::find_if(
      RuntimeCalls, [&](const RuntimeCall &Each) { return Each.Name == Name; });
  return Found == std::end(RuntimeCalls) ? nullptr : Found;
}

} // namespace

HostCallKind classifyHostCall(const CallExpr &Call, const SourceManager &SM) {
  const llvm::StringRef Name = libraryFunction(Call, SM);
  if (Name == "swap" && Call.getDirectCallee()->isInStdNamespace() &&
      Call.getNumArgs() == 2)
    return HostCallKind::Swap;
  if ((Name == "min" || Name == "max") && Call.getNumArgs() == 2 &&
      Call.getType()->isIntegralOrUnscopedEnumerationType())
    return HostCallKind::Extremum;
  if (const RuntimeCall *Known = runtimeCall(Call, SM))
    return Known->Kind;
  return llvm::StringSwitch<HostCallKind>(Name)
      .Cases({"ceil", "ceilf", "floor", "floorf", "trunc", "truncf"},
             HostCallKind::Rounding)
      .StartsWith("cuda", HostCallKind::Runtime)
      .Default(HostCallKind::Unknown);
}

bool forgetsAddresses(const CallExpr &Call, const SourceManager &SM) {
  const RuntimeCall *Known = runtimeCall(Call, SM);
  return Known && Known->ForgetsAddresses;
}

bool isAllocation(const CallExpr &Call, const SourceManager &SM) {
  return classifyHostCall(Call, SM) == HostCallKind::Allocation;
}

const Expr *swappedWith(const facts::VariableUse &U, const SourceManager &SM) {
  const auto *Call = U.Kind == facts::UseKind::Bind
                         ? dyn_cast_or_null<CallExpr>(U.By)
                         : nullptr;
  if (!Call || classifyHostCall(*Call, SM) != HostCallKind::Swap)
    return nullptr;
  return Call->getArg(Call->getArg(0)->IgnoreParens() == U.Name ? 1 : 0);
}

bool isFallback(const Stmt &Statement, ASTContext &Context) {
  const auto Calls = [](const Stmt *In, llvm::StringRef Name) {
    return holds(In, [&](const Stmt &S) {
      const auto *Call = dyn_cast<CallExpr>(&S);
      const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
      return Callee && Callee->getQualifiedNameAsString().starts_with(Name);
    });
  };
  const auto TakesOver = [&](const Stmt *S) {
    const auto *If = dyn_cast_or_null<IfStmt>(S);
    return If && Calls(If->getCond(), "barricade::Takeover::is_due");
  };
  for (const Stmt *S = &Statement; S; S = parentOf(*S, Context)) {
    const auto *If = dyn_cast<IfStmt>(S);
    if (If && S != &Statement && Calls(If->getCond(), "barricade::launch_"))
      return true;
    const auto *Body =
        isLoop(*S) ? dyn_cast<CompoundStmt>(bodyOf(*S)) : nullptr;
    if (Body && llvm::any_of(Body->body(), TakesOver))
      return true;
  }
  return false;
}

} // namespace barricade::grid_barrier
