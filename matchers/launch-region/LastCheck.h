// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of a loop that asks for errors of what it waits for: the statements that ask
// last, so that somebody can ask once more behind the loop, for waits that come
// later than they stand there.
//
//   for (int step = 0; step < steps; ++step) {
//     core<<<grid, block>>>(a);
//     CHECK(cudaDeviceSynchronize());
//   }

#ifndef BARRICADE_MATCHERS_LAUNCHREGION_LASTCHECK_H
#define BARRICADE_MATCHERS_LAUNCHREGION_LASTCHECK_H

#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <vector>

namespace clang {
class CallExpr;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace barricade::launch_region {

struct LastCheck {
  /// They follow each other in the loop's body. None: the loop does not ask.
  std::vector<const clang::Stmt *> Statements;
  /// The wait whose error they ask for, or what asks for the last error; null:
  /// there are none.
  const clang::CallExpr *Call = nullptr;
  /// They ask for the last error, behind all waits.
  bool OfLastError = false;
  /// Where there is no error, as behind a loop that does not run, they are not
  /// to run: they leave what they are told in a variable that they do not
  /// declare, or compute what may have no value there.
  bool OnlyOnError = false;

  /// They declare variables.
  bool declares() const;
};

/// The last check of \p Loop, in \p Function. It means the same behind the loop
/// and where \p Pauses, branches in the loop, begin: there it tells what the
/// loop's checks would have told of waits until then. Nothing: that does not
/// hold, or somebody may see that a wait reported no error.
std::optional<LastCheck> lastCheckOf(const clang::Stmt &Loop,
                                     llvm::ArrayRef<const clang::Stmt *> Pauses,
                                     const clang::FunctionDecl &Function);

} // namespace barricade::launch_region

#endif
