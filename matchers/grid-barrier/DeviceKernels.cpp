// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/DeviceKernels.h"
#include "matchers/facts/DeviceFunctions.h"
#include "matchers/source/SourcePlaces.h"
#include "clang/AST/Decl.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace barricade::grid_barrier {

FunctionKey keyOf(const FunctionDecl &Function) {
  const ASTContext &Context = Function.getASTContext();
  std::string Name;
  llvm::raw_string_ostream Stream(Name);
  Function.getNameForDiagnostic(Stream, Context.getPrintingPolicy(),
                                /*Qualified=*/true);
  return {placeOf(spelledLocation(Function), Context.getSourceManager()), Name};
}

KernelsByKey kernelsOf(const PassView &Pass) {
  KernelsByKey Result;
  for (const FunctionDecl *Kernel : collectUserCode(*Pass.Context).Kernels)
    Result[keyOf(*Kernel)] = Kernel;
  return Result;
}

} // namespace barricade::grid_barrier
