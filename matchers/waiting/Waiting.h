// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in which a thread may wait for another one. A new barrier could hold
// the other one back for ever.

#ifndef BARRICADE_MATCHERS_WAITING_WAITING_H
#define BARRICADE_MATCHERS_WAITING_WAITING_H

#include "clang/Basic/SourceLocation.h"

namespace clang {
class CXXRecordDecl;
class FunctionDecl;
class SourceManager;
class Stmt;
} // namespace clang

namespace barricade {

struct KernelEffects;

/// A loop whose number of iterations follows from local numbers, or is bounded
/// by a counter's type, waits for nobody where nothing leaves it early. Any
/// other may, if only up to some limit, if it, or what it calls, reads
/// something by which another thread's writes can be noticed: a volatile, an
/// atomic's result, inline assembly, a call that cannot be looked into, or
/// memory that the kernel writes, together with something that orders memory.
/// Where nothing does, and no counter ends the loop anyway, it may wait by a
/// read that decides when it ends: of what the kernel is seen to write, or may
/// write by another pointer while the loop's own stores make compilers read it
/// anew; or of what the host may write, where there is a fence for that.
/// Returns that read, or an invalid location.
clang::SourceLocation findWait(const clang::Stmt &Loop,
                               const clang::FunctionDecl &Function,
                               const clang::SourceManager &SM,
                               const KernelEffects &Effects);

/// The same where the host may write what the kernel only reads, too: it waits
/// by a read that decides when it ends, if anything in it makes compilers read
/// anew, a barrier of the block's among them.
clang::SourceLocation findHostWait(const clang::Stmt &Loop,
                                   const clang::FunctionDecl &Function,
                                   const clang::SourceManager &SM,
                                   const KernelEffects &Effects);

/// The same for a loop made of a goto that leads back.
clang::SourceLocation findGotoWait(const clang::FunctionDecl &Function,
                                   const clang::SourceManager &SM,
                                   const KernelEffects &Effects);

/// The same where the host may write whatever the kernel reads.
clang::SourceLocation findHostGotoWait(const clang::FunctionDecl &Function,
                                       const clang::SourceManager &SM,
                                       const KernelEffects &Effects);

/// A read of a kernel, or of what it calls, that sees each time anew what
/// others have written to memory that the host reaches, where it may go on for
/// as long as it likes what it sees: by volatile accesses, loads of atomics,
/// atomics that change nothing, or assembly. Which reads decide is not asked.
/// \p MayBeRepeated: what \p Effects are of is called by nobody knows whom.
clang::SourceLocation findPoll(const KernelEffects &Effects,
                               const clang::SourceManager &SM,
                               bool MayBeRepeated = false);

/// \p Class, of libcu++, is one by whose objects threads of several blocks, or
/// the host, may wait for one another.
bool isMeetingPlace(const clang::CXXRecordDecl &Class);

} // namespace barricade

#endif
