// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call in host code means for launches around it. HostCalls.def is the
// one table of the runtime's functions that the rules know; a function of any
// other header may do anything, wherever its header lies.

#ifndef BARRICADE_MATCHERS_HOST_HOSTCALLS_H
#define BARRICADE_MATCHERS_HOST_HOSTCALLS_H

namespace clang {
class ASTContext;
class CallExpr;
class Expr;
class FunctionDecl;
class SourceManager;
class Stmt;
class VarDecl;
} // namespace clang

namespace barricade::facts {
struct VariableUse;
} // namespace barricade::facts

namespace barricade::host {

enum class HostCallKind {
  Swap,        ///< std::swap of two values.
  Extremum,    ///< min or max of two whole numbers, std's or CUDA's.
  Rounding,    ///< ceil, floor, trunc: exact, of one floating-point number.
  Synchronise, ///< Waits for the device or a stream, and does nothing else.
  Query,       ///< Asks for the last error.
  Copy,        ///< cudaMemcpy, cudaMemcpyAsync.
  Fill,        ///< cudaMemset, cudaMemsetAsync.
  Timing,      ///< Events: they would measure or order something else.
  Allocation,  ///< Sets a pointer to memory of its own.
  Launch,      ///< Launches the kernel that it is given.
  Runtime,     ///< Another call of the CUDA runtime.
  Unknown,
};

HostCallKind classifyHostCall(const clang::CallExpr &Call,
                              const clang::SourceManager &SM);

/// The call uses addresses it is given only until it returns.
bool keepsNoAddress(const clang::CallExpr &Call,
                    const clang::SourceManager &SM);

/// \p F is declared `extern "C"` by a system's header.
bool isSystemFunction(const clang::FunctionDecl &F);
/// So is \p V.
bool isSystemVariable(const clang::VarDecl &V);

/// A function of the C library that has to do with nothing but its arguments,
/// the standard output and numbers of the library's own.
bool isSilentFunction(const clang::FunctionDecl &F);

/// Gives the variable whose address is its first argument memory of its own.
bool isAllocation(const clang::CallExpr &Call, const clang::SourceManager &SM);

/// What a variable has after its use \p U, if that is a swap: the other side;
/// else null.
const clang::Expr *swappedWith(const facts::VariableUse &U,
                               const clang::SourceManager &SM);

/// What runs where, or as long as, no launch of this tool's making does its
/// work: it stays as it is.
bool isFallback(const clang::Stmt &S, clang::ASTContext &Context);

} // namespace barricade::host

#endif
