// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What calls are taken for, and what runs without one.

#include "matchers/dumps/Dumps.h"
#include "matchers/facts/DeviceCalls.h"
#include "matchers/facts/DeviceFunctions.h"
#include "matchers/facts/KernelArguments.h"
#include "matchers/facts/KnownCallers.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/facts/PlainAsm.h"
#include "matchers/facts/SilentCalls.h"
#include "matchers/host/HiddenLaunches.h"
#include "matchers/host/HostCalls.h"
#include "matchers/source/HostCode.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace barricade::dumps {

static llvm::StringRef describe(CallKind Kind) {
  switch (Kind) {
  case CallKind::BlockBarrier:
    return "a block barrier";
  case CallKind::NamedBarrier:
    return "a barrier for some threads";
  case CallKind::GridBarrier:
    return "a grid barrier";
  case CallKind::WarpSync:
    return "a barrier of the warp";
  case CallKind::Fence:
    return "a fence";
  case CallKind::Exchange:
    return "an exchange within the warp";
  case CallKind::Atomic:
    return "an atomic";
  case CallKind::Load:
    return "a load";
  case CallKind::Store:
    return "a store";
  case CallKind::Assignment:
    return "an assignment";
  case CallKind::Clock:
    return "a clock";
  case CallKind::UniformIndex:
    return "an index that the block shares";
  case CallKind::ThreadIndex:
    return "the thread's index";
  case CallKind::Pure:
    return "a function of its arguments alone";
  case CallKind::Print:
    return "a print";
  case CallKind::Trap:
    return "the end of the grid";
  case CallKind::Visible:
    return "what its body does";
  case CallKind::Unknown:
    return "anything";
  }
  llvm_unreachable("all kinds have words");
}

static llvm::StringRef describe(host::HostCallKind Kind) {
  using host::HostCallKind;
  switch (Kind) {
  case HostCallKind::Swap:
    return "a swap";
  case HostCallKind::Extremum:
    return "a minimum or maximum";
  case HostCallKind::Rounding:
    return "a rounding";
  case HostCallKind::Synchronise:
    return "a wait for the device";
  case HostCallKind::Query:
    return "a question for the last error";
  case HostCallKind::Copy:
    return "a copy";
  case HostCallKind::Fill:
    return "a fill";
  case HostCallKind::Timing:
    return "an event";
  case HostCallKind::Allocation:
    return "an allocation";
  case HostCallKind::Launch:
    return "a launch";
  case HostCallKind::Runtime:
    return "something of the runtime";
  case HostCallKind::Unknown:
    return "anything";
  }
  llvm_unreachable("all kinds have words");
}

static std::string whoseIs(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  return !Callee                         ? "a call through a pointer"
         : facts::isLibraryCode(*Callee) ? "a call of a library's"
                                         : "a call of a user's";
}

void deviceCalls(const PassView &Pass, const Program &, Annotate Tell) {
  const SourceManager &SM = Pass.Context->getSourceManager();
  forEachDeviceFunction(Pass, [&](const FunctionDecl &Function) {
    forEachStatement(Function, [&](const Stmt &S) {
      if (const auto *Call = dyn_cast<CallExpr>(&S))
        Tell(Call->getBeginLoc(), whoseIs(*Call) + ", taken for " +
                                      describe(classifyCall(*Call, SM)).str());
    });
  });
}

void hostCalls(const PassView &Pass, const Program &, Annotate Tell) {
  if (Pass.IsDevice)
    return;
  const SourceManager &SM = Pass.Context->getSourceManager();
  host::HiddenLaunches Hidden(*Pass.Context);
  const auto TellOf = [&](const CallExpr &Call) {
    Tell(Call.getBeginLoc(),
         whoseIs(Call) + ", taken for " +
             describe(host::classifyHostCall(Call, SM)).str() +
             (Hidden.launchBy(Call) ? ", and may launch kernels" : ""));
  };
  forEachHostCode(*Pass.Context, [&](const HostCode &Code) {
    for (const Stmt *Part : Code.Parts)
      (void)holds(Part, [&](const Stmt &S) {
        const auto *Call = dyn_cast<CallExpr>(&S);
        if (Call && !isa<CUDAKernelCallExpr>(Call) &&
            !isLaunchConfiguration(*Call))
          TellOf(*Call);
        return false;
      });
  });
}

void silentCalls(const PassView &Pass, const Program &, Annotate Tell) {
  const auto TellOf = [&](SourceLocation Where, const SilentCalls &Calls,
                          llvm::StringRef When) {
    for (const FunctionDecl *Callee : Calls.Callees)
      Tell(Where,
           "runs '" + Callee->getQualifiedNameAsString() + "'" + When.str());
    if (Calls.AreSeveral)
      Tell(Where, "may run other functions" + When.str());
  };
  forEachFunction(*Pass.Context, [&](const FunctionDecl &Function) {
    TellOf(Function.getLocation(), silentCallsOf(Function), " at its end");
    forEachStatement(Function, [&](const Stmt &S) {
      TellOf(S.getBeginLoc(), silentCallsOf(S), " without a call");
    });
  });
}

void plainAsm(const PassView &Pass, const Program &, Annotate Tell) {
  forEachStatement(*Pass.Context, [&](const Stmt &S) {
    if (const auto *Asm = dyn_cast<AsmStmt>(&S))
      Tell(S.getBeginLoc(), facts::isPlainAsm(*Asm)
                                ? "only computes, loads or stores"
                                : "may synchronise or branch");
  });
}

static std::string callersOf(const FunctionDecl &Function, const UserCode &Code,
                             const Program &Whole) {
  std::vector<Note> Others;
  const auto Callers = Code.Callers.lookup(Function.getCanonicalDecl());
  return (Callers.empty()
              ? "called by nobody seen"
              : "called by " +
                    llvm::join(llvm::map_range(Callers, quoted), ", ")) +
         (hasKnownCallersOnly(Function, Code, Whole, Others)
              ? ""
              : ", maybe by others");
}

void deviceFunctions(const PassView &Pass, const Program &Whole,
                     Annotate Tell) {
  const UserCode Code = collectUserCode(*Pass.Context);
  for (const KernelLaunch &Each : Code.Launches)
    if (Each.Call)
      Tell(Each.Call->getBeginLoc(),
           "launches " + (Each.Kernel ? quoted(Each.Kernel) : "some kernel") +
               " with " +
               (Each.BlockThreads ? std::to_string(*Each.BlockThreads)
                                  : "some number of") +
               " threads a block");
  if (!Pass.IsDevice)
    return;
  for (const FunctionDecl *Kernel : Code.Kernels)
    Tell(Kernel->getLocation(), "a kernel");
  for (const FunctionDecl *Function : Code.DeviceFunctions)
    Tell(Function->getLocation(), callersOf(*Function, Code, Whole));
  for (const FunctionDecl *Pattern : Code.Uninstantiated)
    Tell(Pattern->getLocation(), "a template without an instance");
}

void kernelArguments(const PassView &Pass, const Program &, Annotate Tell) {
  if (Pass.IsDevice)
    return;
  forEachFunction(*Pass.Context, [&](const FunctionDecl &Function) {
    Tell(Function.getLocation(),
         facts::mayBeKernelOf(Function)
             ? "a kernel may have its template arguments"
             : "no kernel may have its template arguments");
    if (!facts::mayGiveKernelsItsName(Function))
      Tell(Function.getLocation(), "no kernel may be named after it");
    forEachLocal(Function, [&](const VarDecl &Var) {
      if (!facts::isNamedByAnyone(Var.getType()))
        Tell(Var.getLocation(),
             "no kernel may be told the type of " + quoted(&Var));
    });
  });
}

} // namespace barricade::dumps
