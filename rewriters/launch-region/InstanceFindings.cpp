// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/launch-region/InstanceFindings.h"
#include "llvm/ADT/STLExtras.h"

namespace barricade::launch_region {

/// The two say and do the same, be it for other numbers.
static bool areAlike(const Finding &A, const Finding &B) {
  return A.Outcome == B.Outcome && A.Where == B.Where && A.End == B.End &&
         A.Reasons == B.Reasons && A.Edits == B.Edits &&
         A.Changes == B.Changes && A.Parts == B.Parts && A.AlsoOf == B.AlsoOf &&
         llvm::equal(A.Instead, B.Instead, areAlike);
}

static void keepCommonFacts(Finding &Own, const Finding &Other) {
  llvm::erase_if(Own.Facts, [&](const Fact &F) {
    return !llvm::is_contained(Other.Facts, F);
  });
  for (auto [Each, Others] : llvm::zip_equal(Own.Instead, Other.Instead))
    keepCommonFacts(Each, Others);
}

std::vector<Finding> findInInstances(
    const LaunchRegion &R,
    llvm::function_ref<std::vector<Finding>(const LaunchRegion &)> Find) {
  if (R.Instances.empty())
    return Find(R);
  const auto IsWritten = [](const Finding &F) { return F.Reasons.empty(); };
  std::vector<Finding> Result = Find(R.Instances.front());
  bool Agree = true;
  for (const LaunchRegion &Instance : llvm::drop_begin(R.Instances)) {
    std::vector<Finding> Own = Find(Instance);
    Agree &= llvm::equal(Result, Own, areAlike);
    if (Agree)
      for (auto [F, Other] : llvm::zip_equal(Result, Own))
        keepCommonFacts(F, Other);
    else if (llvm::all_of(Result, IsWritten))
      Result = std::move(Own);
  }
  if (Agree)
    return Result;
  llvm::erase_if(Result, IsWritten);
  return Result.empty() ? Find(R) : Result;
}

} // namespace barricade::launch_region
