// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of a region that become calls of an object, which stands before it:
//
//   for (int step = 0; step < steps; ++step)
//     core<<<grid, block>>>(newer, older);
//
// becomes
//
//   barricade::OverlappedLaunches overlap;
//   for (int step = 0; step < steps; ++step)
//     overlap.launch(core, grid, block, 0, nullptr, newer, older);

#ifndef BARRICADE_REWRITERS_LAUNCHREGION_LAUNCHCALLS_H
#define BARRICADE_REWRITERS_LAUNCHREGION_LAUNCHCALLS_H

#include "matchers/grid-barrier/DeviceKernels.h"
#include "matchers/host/UnitUses.h"
#include "matchers/launch-region/CallReasons.h"
#include "matchers/launch-region/LaunchRegion.h"
#include "rewriters/OtherBuilds.h"
#include "rewriters/Rule.h"
#include "rewriters/SourceText.h"
#include "rewriters/grid-barrier/PassHashes.h"

namespace barricade::launch_region {

/// A file that \p Function's file included would have it stand within a
/// declaration.
bool isIncludedWithin(const clang::FunctionDecl &Function);

/// Asks and writes what is the same whatever the object makes of launches.
class LaunchCalls {
public:
  explicit LaunchCalls(const Program &P);

  /// Adds to \p F why no object can stand before \p R.
  void checkPlace(const LaunchRegion &R, Finding &F);
  /// Adds to \p F why \p L cannot become a call. Returns whether its kernel and
  /// its text are known, so that more can be asked.
  bool checkLaunch(const RegionLaunch &L, Finding &F);

  /// Adds to \p F why the waits of \p R, or what it reads back, cannot come at
  /// another time: who waits sees what kernels have printed.
  void checkWaits(const LaunchRegion &R, Finding &F);

  /// Includes the header before the first of \p Functions in each file.
  void include(llvm::ArrayRef<const clang::FunctionDecl *> Functions,
               RuntimeHeader Header, Finding &F) const;
  /// `kernel<<<grid, block>>>(a)` -> `object.launch(kernel, grid, block, 0,
  /// nullptr, a)`. \p Method: `object.launch`; in a function that the region
  /// calls it is `barricade::launch`, which goes to the object that is open.
  void writeLaunch(const RegionLaunch &L, llvm::StringRef Method,
                   Finding &F) const;
  /// Makes the transfers of \p R the object's: `cudaMemsetAsync(p, 0, n, s)` ->
  /// `object.memset_async(p, 0, n, s)`.
  void writeTransfers(const LaunchRegion &R, llvm::StringRef Object,
                      Finding &F) const;

  /// The same of copies to and from the host, of a region that has some.
  void writeCopies(const LaunchRegion &R, llvm::StringRef Object,
                   Finding &F) const;
  /// The same of waits: `cudaDeviceSynchronize()` -> `object.synchronize()`.
  void writeWaits(const LaunchRegion &R, llvm::StringRef Object,
                  Finding &F) const;

  /// Adds to \p F, at \p Where, why what it writes may not be read as it is
  /// meant: something of the runtime's is a macro, or code of another build
  /// goes on with it. True: so it is.
  bool refuseText(clang::SourceLocation Where, Finding &F);

  /// The host may put what waits for it into a stream.
  bool putsHostIntoStreams() const { return Uses.putsHostIntoStreams(); }

private:
  void checkLauncher(const clang::FunctionDecl &Launcher, Finding &F);
  void writeCall(const RegionLaunch &L, llvm::StringRef Method,
                 Finding &F) const;
  bool mayActElse(const LaunchRegion &R);
  bool mayLookElse(const LaunchRegion &R, clang::SourceLocation Begin,
                   clang::SourceLocation End);
  void checkTransfers(const LaunchRegion &R, Finding &F) const;
  /// Adds to \p F why what asks for errors cannot be written once more.
  void checkAsked(const LaunchRegion &R, Finding &F) const;
  bool isGivenTo(clang::SourceLocation Where,
                 llvm::function_ref<bool(const clang::MacroInfo &)> Test) const;
  void writeTransfer(const clang::CallExpr &Call, llvm::StringRef Object,
                     Finding &F) const;
  void writeName(const clang::CallExpr &Call, const std::string &Name,
                 Finding &F) const;
  std::optional<llvm::StringRef> beforeArguments(const RegionLaunch &L) const;

  const Program &Whole;
  const PassView &Host;
  clang::ASTContext &Context;
  const clang::SourceManager &SM;
  const SourceText Source;
  const grid_barrier::PassHashes Passes;
  const host::UnitUses Uses;
  OtherBuilds Others;
  /// Where kernels print, as the device passes say: read once that is asked.
  std::vector<grid_barrier::DeviceKernels<clang::SourceLocation>> Prints;
};

/// Adds \p E, which other findings may ask for as well, once.
void addShared(Edit E, Finding &F);

} // namespace barricade::launch_region

#endif
