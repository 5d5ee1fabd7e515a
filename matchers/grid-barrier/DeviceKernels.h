// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the device passes know of kernels that the host pass launches.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_DEVICEKERNELS_H
#define BARRICADE_MATCHERS_GRIDBARRIER_DEVICEKERNELS_H

#include "matchers/Finding.h"
#include "matchers/Program.h"
#include "clang/AST/ASTContext.h"
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace barricade::grid_barrier {

/// What a function is called and where it stands, in whatever pass.
using FunctionKey = std::pair<Place, std::string>;
FunctionKey keyOf(const clang::FunctionDecl &Function);

using KernelsByKey = std::map<FunctionKey, const clang::FunctionDecl *>;
KernelsByKey kernelsOf(const PassView &Pass);

/// What an analysis says of the kernels of a device pass. Each is asked for
/// once.
template <typename Known> class DeviceKernels {
public:
  using Analysis = std::function<Known(const clang::FunctionDecl &Kernel,
                                       const PassView &Pass)>;

  DeviceKernels(const PassView &Pass, Analysis Analyse)
      : Pass(Pass), Analyse(std::move(Analyse)), Kernels(kernelsOf(Pass)) {}

  /// Null where the pass has no such kernel.
  const Known *find(const FunctionKey &Key) {
    auto Found = Kernels.find(Key);
    return Found == Kernels.end() ? nullptr : &knownOf(*Found->second);
  }
  /// Of all kernels that stand where \p Key does: a template's instances.
  std::vector<const Known *> findAll(const FunctionKey &Key) {
    std::vector<const Known *> Result;
    for (auto It = Kernels.lower_bound({Key.first, ""});
         It != Kernels.end() && It->first.first == Key.first; ++It)
      Result.push_back(&knownOf(*It->second));
    return Result;
  }

  const PassView &pass() const { return Pass; }
  const clang::SourceManager &sourceManager() const {
    return Pass.Context->getSourceManager();
  }

private:
  const Known &knownOf(const clang::FunctionDecl &Kernel) {
    auto [It, New] = Results.try_emplace(&Kernel);
    if (New)
      It->second = Analyse(Kernel, Pass);
    return It->second;
  }

  const PassView &Pass;
  Analysis Analyse;
  KernelsByKey Kernels;
  std::map<const clang::FunctionDecl *, Known> Results;
};

} // namespace barricade::grid_barrier

#endif
