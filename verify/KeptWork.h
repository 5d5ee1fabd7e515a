// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a rewritten program still does all that it did: each kernel all its
// writes, or a second kernel the rest of them right after it.

#ifndef BARRICADE_VERIFY_KEPTWORK_H
#define BARRICADE_VERIFY_KEPTWORK_H

#include "matchers/Finding.h"
#include "matchers/Program.h"
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace barricade {

/// What a translation unit does on the device, as far as it shows in memory.
struct UnitWork {
  /// A statement that writes memory which other threads see, or calls what
  /// cannot be looked into: its file's canonical path, and its offset.
  using Site = std::pair<std::string, unsigned>;
  struct Launch {
    std::string Kernel;
    std::string Next; ///< What the following statement launches; may be empty.
    Place Where;
  };

  /// By kernel (its USR, a template's for its instances): the sites in it and
  /// in all that it calls.
  std::map<std::string, std::set<Site>> Kernels;
  /// The same for each instance, and for each pass, by itself.
  std::map<std::string, std::vector<std::set<Site>>> Instances;
  std::vector<Launch> Launches;
  /// Kernels that may start before the grid before has ended, with the places
  /// of the launches, and those that wait for it first, in all passes.
  std::map<std::string, Place> Overlapped;
  std::map<std::string, bool> Waiting;
  /// What gives the device other work, or waits for it, while launches may be
  /// held back.
  std::vector<Place> Overtaking;
  /// Kernels that are named other than to be launched.
  std::set<std::string> NamedElsewhere;
  /// By USR, for messages: what kernels are called, and where they are.
  std::map<std::string, std::pair<std::string, Place>> Names;
};

UnitWork workOf(const Program &P);

/// Work that is no longer done.
struct LostWork {
  std::string Text;
  Place Where; ///< In the rewritten program; no file: not known where.
};

std::vector<LostWork> findLostWork(const UnitWork &Before,
                                   const UnitWork &After);

} // namespace barricade

#endif
