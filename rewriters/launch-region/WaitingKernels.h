// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that begin to wait for the grid before, so that their launches may
// start while that comes to its end (docs/rules/launch-overlap.md). Of
//
//   __global__ void core(float *to, const float *from) {
//     to[threadIdx.x] = from[threadIdx.x];
//   }
//
// becomes
//
//   __global__ void core(float *to, const float *from) {
//     barricade::wait_for_previous_grid();
//     to[threadIdx.x] = from[threadIdx.x];
//   }
//
// or, if core reads through `__restrict__`, a step of a kernel that waits
// (rewriters/grid-barrier/StepText.h).

#ifndef BARRICADE_REWRITERS_LAUNCHREGION_WAITINGKERNELS_H
#define BARRICADE_REWRITERS_LAUNCHREGION_WAITINGKERNELS_H

#include "matchers/grid-barrier/DeviceKernels.h"
#include "matchers/launch-overlap/ConstantEscapes.h"
#include "matchers/launch-overlap/WaitingKernel.h"
#include "matchers/launch-region/LaunchRegion.h"
#include "rewriters/OtherBuilds.h"
#include "rewriters/Rule.h"
#include "rewriters/SourceText.h"
#include "rewriters/grid-barrier/StepCache.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace barricade::launch_overlap {

/// Some kernel that \p Own lets wait becomes something else by \p Other.
bool becomesElse(const Finding &Own, const Finding &Other);

class WaitingKernels {
public:
  WaitingKernels(const Program &P, const RuleOptions &Options);

  /// Adds to \p F why the kernel of \p L, in \p R, cannot wait, in all builds.
  void check(const launch_region::LaunchRegion &R,
             const launch_region::RegionLaunch &L, Finding &F);

  /// The same, without the reasons.
  bool canWait(const launch_region::LaunchRegion &R,
               const launch_region::RegionLaunch &L);

  /// The kernel of \p L, which can, reads as fast if it waits, as far as is
  /// known. For cost alone.
  bool keepsLoads(const launch_region::RegionLaunch &L);

  /// Has the kernel of \p L, which can, wait. The header is included before.
  void write(const launch_region::RegionLaunch &L, Finding &F);

private:
  void checkDevice(const clang::FunctionDecl &Kernel,
                   clang::SourceLocation Launch, Finding &F);
  bool
  isAny(const clang::FunctionDecl &Kernel,
        llvm::function_ref<bool(const WaitingKernel &, const PassView &)> Test);
  bool isPromised(const clang::FunctionDecl &Kernel);
  void refusePromises(const clang::FunctionDecl &Kernel, Finding &F);
  void checkStep(const launch_region::RegionLaunch &L, Finding &F);
  bool mayNameAnother(const launch_region::RegionLaunch &L);
  void checkText(const launch_region::LaunchRegion &R,
                 const clang::FunctionDecl &Kernel, Finding &F) const;
  void writeWait(const clang::FunctionDecl &Kernel, Finding &F) const;

  const Program &Whole;
  const PassView &Host;
  const clang::SourceManager &SM;
  const SourceText Source;
  const ConstantEscapes Constants;
  OtherBuilds Others; ///< Of the host pass.
  /// What the device passes say of kernels.
  std::vector<grid_barrier::DeviceKernels<WaitingKernel>> Passes;
  grid_barrier::StepCache Steps;
};

} // namespace barricade::launch_overlap

#endif
