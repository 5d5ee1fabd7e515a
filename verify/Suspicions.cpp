// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "verify/Suspicions.h"
#include "verify/EarlyAccesses.h"
#include "verify/ReadOnlyLoads.h"
#include "verify/UniformBarriers.h"

namespace barricade {

std::vector<Suspicion> suspicionsIn(llvm::Module &M, bool RestrictParams) {
  DeviceCode Code(M, RestrictParams);
  std::vector<Suspicion> Result;
  for (DivergentBarrier &B : findDivergentBarriers(Code))
    Result.push_back({Suspicion::Kind::DivergentBarrier, std::move(B.Places),
                      std::move(B.Branch)});
  for (DivergentBarrier &B : findPartedGrids(Code))
    Result.push_back({Suspicion::Kind::PartedGrid, std::move(B.Places),
                      std::move(B.Branch)});
  for (StaleLoad &L : findStaleLoads(Code))
    Result.push_back(
        {Suspicion::Kind::StaleLoad, std::move(L.Load), std::move(L.Write)});
  for (EarlyAccess &E : findEarlyAccesses(Code))
    Result.push_back(
        {Suspicion::Kind::EarlyAccess, std::move(E.Access), std::move(E.Wait)});
  return Result;
}

} // namespace barricade
