// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pattern on the host: a stretch of statements in which nothing but launches
// of kernels gives the device work, so that of each launch but the first the
// one before it is known.
//
//   for (int step = 0; step < steps; ++step) {
//     core<<<grid, block>>>(newer, older);
//     edges<<<edgeGrid, block>>>(newer);
//     std::swap(newer, older);
//   }

#ifndef BARRICADE_MATCHERS_LAUNCHREGION_LAUNCHREGION_H
#define BARRICADE_MATCHERS_LAUNCHREGION_LAUNCHREGION_H

#include "matchers/Blocker.h"
#include "matchers/Program.h"
#include "matchers/host/Launch.h"
#include "matchers/launch-region/LastCheck.h"
#include "matchers/launch-region/ReadLoop.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace clang {
class ASTContext;
class CallExpr;
class FunctionDecl;
class SourceManager;
class Stmt;
} // namespace clang

namespace barricade::launch_region {

struct RegionLaunch : host::Launch {
  /// It stands in a loop of the region's, so that it may follow itself.
  bool IsInLoop = false;
  /// The function that the region calls in which it stands; null: it stands in
  /// the region.
  const clang::FunctionDecl *Launcher = nullptr;
};

struct LaunchRegion {
  const clang::FunctionDecl *Function = nullptr;
  /// Statements of one block: from the first to the last that launch.
  const clang::Stmt *First = nullptr, *Last = nullptr;
  /// What may give the device other work, in a loop that launches; null: none.
  const clang::Stmt *Blocker = nullptr;
  /// They stand in no function: in a lambda of an initialiser.
  bool IsInitialiser = false;
  std::vector<RegionLaunch> Launches; ///< In the order of the source.
  /// What sets or copies the device's memory, so that a kernel could; where
  /// nothing waits.
  std::vector<const clang::CallExpr *> Transfers;
  /// Waits for the device, or for a stream, that may come later, with others or
  /// at the region's end: what else the host does cannot tell, as long as
  /// kernels print nothing and all launches are made in one stream.
  std::vector<const clang::CallExpr *> Waits;
  /// What asks last for errors of these: somebody has to ask so behind the
  /// region, and where it pauses.
  LastCheck Asked = {};
  /// The region is such a loop, which does copy to and from the host.
  std::optional<ReadLoop> ReadBack = std::nullopt;
  /// Functions that the region's loop calls and that launch, each once and in
  /// no loop of their own: they do no more than may stand in the region.
  std::vector<const clang::FunctionDecl *> Launchers;
  /// Branches that may do anything, for before them nothing may be held back.
  /// What they launch is none of the region's.
  std::vector<const clang::Stmt *> Pauses;
  /// Of a region in a function template: what it is in each instance. None:
  /// nothing is known of it, or the region is in no template.
  std::vector<LaunchRegion> Instances = {};
};

/// What else the host may do in a region.
enum class Between {
  Waits,   ///< It waits for the device, too, or ends the program. A loop is a
           ///< region of its own.
  NoWaits, ///< Nothing that could tell whether a launch was made by then; and
           ///< waits that may come later.
  Pauses,  ///< The same, but for branches before which all are made, for
           ///< loops that go on by what is read back, and for functions that
           ///< launch.
};

/// What somebody else makes of a statement.
enum class Taken {
  Not,
  Whole, ///< All of it: it is a region of its own.
  Part,  ///< What is left are regions within it.
};
using TakenByOthers = llvm::function_ref<Taken(const clang::Stmt &)>;

inline Taken nothingIsTaken(const clang::Stmt &) { return Taken::Not; }

/// All regions of the pass in which a launch may follow another one, outside of
/// system headers, in the order of the source. No two overlap. A loop that has
/// launches, but no region, is one with a blocker, and so is a template of
/// which nothing is known, without one.
std::vector<LaunchRegion>
findLaunchRegions(const PassView &Host, Between Allowed,
                  TakenByOthers HowTaken = nothingIsTaken);

/// \p Call sets memory of the device, or copies within that, by a function of
/// the runtime that is named in a file itself: another may be in its place.
/// Source: CUDA Runtime API, "API synchronization behavior".
bool isTransfer(const clang::CallExpr &Call, const clang::ASTContext &Context);

/// The name of the function that \p Call calls, and the call's end, are written
/// in a file.
bool isWritten(const clang::CallExpr &Call, const clang::SourceManager &SM);

/// \p Call waits for the device, or for a stream, and the same holds. Without
/// any macro, or, of the second, as an argument of some.
bool isWait(const clang::CallExpr &Call, const clang::ASTContext &Context);
bool isWrittenWait(const clang::CallExpr &Call,
                   const clang::ASTContext &Context);

/// Each launch of \p R is made with the arguments and the configuration that it
/// had before, as far as their names tell. For cost alone.
bool repeatsLaunches(const LaunchRegion &R);

} // namespace barricade::launch_region

#endif
