// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/Rule.h"
#include "tool/Command.h"
#include "tool/CrashGuard.h"
#include "llvm/Support/InitLLVM.h"

int main(int Argc, const char **Argv) {
  // A reader that closes the pipe ends us by the signal, as it does others.
  llvm::InitLLVM Init(Argc, Argv, /*InstallPipeSignalExitHandler=*/false);
  barricade::installCrashHandling();
  barricade::ExitCode Code =
      barricade::runCommand(llvm::ArrayRef(Argv + 1, Argc - 1),
                            barricade::allRules(), llvm::outs(), llvm::errs());
  llvm::outs().flush();
  if (llvm::outs().has_error()) {
    llvm::errs() << "barricade: error: cannot write to standard output: "
                 << llvm::outs().error().message() << '\n';
    llvm::outs().clear_error();
    Code = barricade::ExitCode::Failure;
  }
  return static_cast<int>(Code);
}
