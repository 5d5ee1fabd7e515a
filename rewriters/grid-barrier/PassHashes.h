// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the device passes see a piece of host code as the host pass does:
// where `#if __CUDA_ARCH__` shows them another, nothing is rewritten.

#ifndef BARRICADE_REWRITERS_GRIDBARRIER_PASSHASHES_H
#define BARRICADE_REWRITERS_GRIDBARRIER_PASSHASHES_H

#include "matchers/Finding.h"
#include "matchers/Program.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <set>
#include <utility>
#include <vector>

namespace clang {
class ASTContext;
class SourceManager;
class Stmt;
} // namespace clang

namespace barricade::grid_barrier {

class PassHashes {
public:
  /// Takes the statements that make up a piece of code, at least one.
  using AddCode = llvm::function_ref<void(llvm::ArrayRef<const clang::Stmt *>)>;

  /// \p FindCode gives the pieces of code in a device pass of \p P.
  PassHashes(
      const Program &P,
      llvm::function_ref<void(const PassView &Pass, AddCode Add)> FindCode);

  /// Every device pass has, at the same place, the same code as \p Code, which
  /// is the host pass's, of \p SM; what its constants are and how its variables
  /// lie in memory count as its parts.
  bool agreeOn(llvm::ArrayRef<const clang::Stmt *> Code,
               const clang::SourceManager &SM) const;

  /// The same for each of \p Launches, where the pieces are those of
  /// addLaunches.
  bool agreeOnEach(llvm::ArrayRef<const clang::Stmt *> Launches,
                   const clang::SourceManager &SM) const;

  /// Adds each launch of the pass, whatever a rule would make of them there:
  /// what stands around them runs as the host's pass sees it.
  static void addLaunches(const PassView &Pass, AddCode Add);

private:
  const clang::ASTContext &Host;
  /// Where code is, with its hash. All that one macro writes is at its call.
  std::vector<std::set<std::pair<Place, unsigned>>> OfPasses;
};

} // namespace barricade::grid_barrier

#endif
