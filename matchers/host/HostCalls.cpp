// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/host/HostCalls.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/facts/LinkedCode.h"
#include "matchers/facts/VariableFacts.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace barricade::host {
namespace {

/// \p Any is declared by the CUDA toolkit, or by what stands in for it; the
/// user may declare it once more.
bool isOfToolkit(const FunctionDecl &Any, const SourceManager &SM) {
  const FunctionDecl &F = *Any.getCanonicalDecl();
  const SourceLocation Where = SM.getExpansionLoc(F.getLocation());
  const llvm::StringRef File = llvm::sys::path::filename(SM.getFilename(Where));
  return facts::isLibraryCode(F) &&
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

/// The user specialises a template of the library's for what \p F takes. With
/// Clang, each of these has a twin for the device, and it may be the twin's.
bool isSpecialisedByUser(const FunctionDecl &F, const SourceManager &SM) {
  const auto IsFor = [&](const FunctionDecl *Other) {
    return Other->getTemplateSpecializationKind() ==
               TSK_ExplicitSpecialization &&
           !SM.isInSystemHeader(Other->getLocation()) &&
           F.getASTContext().hasSameFunctionTypeIgnoringExceptionSpec(
               Other->getType(), F.getType());
  };
  return F.getPrimaryTemplate() &&
         llvm::any_of(F.getDeclContext()->lookup(F.getDeclName()),
                      [&](const NamedDecl *D) {
                        const auto *Template = dyn_cast<FunctionTemplateDecl>(
                            D->getUnderlyingDecl());
                        return Template &&
                               llvm::any_of(Template->specializations(), IsFor);
                      });
}

/// It does what the library's function of its name does: the user may have
/// put overloads and specialisations of his own beside that, or a definition.
bool isLibrarysOwn(const FunctionDecl &F, const SourceManager &SM) {
  const FunctionTemplateDecl *Template = F.getPrimaryTemplate();
  const FunctionDecl *Definition = F.getDefinition();
  const auto IsOfLibrary = [&](const FunctionDecl &Of) {
    // The C library's headers lie among any others.
    return facts::isLibraryCode(Of) ||
           (F.getBuiltinID() && SM.isInSystemHeader(Of.getLocation()));
  };
  return IsOfLibrary(Template ? *Template->getTemplatedDecl() : F) &&
         !isSpecialisedByUser(F, SM) && !facts::isRelabelled(F) &&
         (Template || !Definition || Definition->isFirstDecl() ||
          SM.isInSystemHeader(Definition->getLocation()));
}

/// The name of the callee; empty where that is none of a library's that the
/// rules know. Other headers may be a system's, too, by their include folder.
llvm::StringRef libraryFunction(const CallExpr &Call, const SourceManager &SM) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !Callee->getDeclName().isIdentifier() ||
      !(Callee->isInStdNamespace() || Callee->getBuiltinID() ||
        isOfToolkit(*Callee, SM)) ||
      !isLibrarysOwn(*Callee, SM))
    return {};
  return Callee->getName();
}

/// By `swap(T &, T &)` of any type, which moves the values as they are. Those
/// of pairs, arrays and the like ask for the swap of their parts.
bool swapsWhole(const FunctionDecl &Callee) {
  const FunctionTemplateDecl *Template = Callee.getPrimaryTemplate();
  return Template && Callee.getNumParams() == 2 &&
         llvm::all_of(Template->getTemplatedDecl()->parameters(),
                      [](const ParmVarDecl *P) {
                        return P->getType()->isLValueReferenceType() &&
                               isa<TemplateTypeParmType>(
                                   P->getType().getNonReferenceType());
                      });
}

struct RuntimeCall {
  llvm::StringLiteral Name;
  HostCallKind Kind;
  bool KeepsNoAddress;
};

constexpr RuntimeCall RuntimeCalls[] = {
#define RUNTIME_CALL(Name, Kind) {#Name, HostCallKind::Kind, true},
#define RUNTIME_CALL_KEEPS(Name, Kind) {#Name, HostCallKind::Kind, false},
#include "matchers/host/HostCalls.def"
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
      swapsWhole(*Call.getDirectCallee()))
    return HostCallKind::Swap;
  // Of an enumeration, a program may have its own order.
  if ((Name == "min" || Name == "max") && Call.getNumArgs() == 2 &&
      Call.getType()->isIntegerType() && !Call.getType()->isEnumeralType())
    return HostCallKind::Extremum;
  if (const RuntimeCall *Known = runtimeCall(Call, SM))
    return Known->Kind;
  return llvm::StringSwitch<HostCallKind>(Name)
      .Cases({"ceil", "ceilf", "floor", "floorf", "trunc", "truncf"},
             HostCallKind::Rounding)
      .StartsWith("cuda", HostCallKind::Runtime)
      .Default(HostCallKind::Unknown);
}

static bool isFirstInSystemHeader(const Decl &D) {
  return D.getASTContext().getSourceManager().isInSystemHeader(
      D.getCanonicalDecl()->getLocation());
}

bool isSystemFunction(const FunctionDecl &F) {
  const FunctionDecl *Definition = F.getDefinition();
  return F.getDeclName().isIdentifier() && F.isExternC() &&
         isFirstInSystemHeader(F) && !facts::isRelabelled(F) &&
         // The program may have one of its own, which the linker takes.
         (!Definition || F.getASTContext().getSourceManager().isInSystemHeader(
                             Definition->getLocation()));
}

bool isSystemVariable(const VarDecl &V) {
  return V.isExternC() && isFirstInSystemHeader(V);
}

bool isSilentFunction(const FunctionDecl &F) {
  return isSystemFunction(F) &&
         llvm::StringSwitch<bool>(F.getName())
             .Cases({"printf", "puts", "putchar"}, true)
             .Cases({"gettimeofday", "clock", "clock_gettime", "time"}, true)
             .Cases({"memcpy", "memset", "strlen", "strcmp"}, true)
             .Cases({"rand", "srand", "random", "srandom"}, true)
             .Cases({"drand48", "lrand48", "mrand48", "srand48"}, true)
             .Default(false);
}

bool keepsNoAddress(const CallExpr &Call, const SourceManager &SM) {
  const RuntimeCall *Known = runtimeCall(Call, SM);
  return Known && Known->KeepsNoAddress;
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

} // namespace barricade::host
