// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loops a compiler writes out, and which arrays it therefore keeps in
// registers.

#ifndef BARRICADE_MATCHERS_COST_UNROLLING_H
#define BARRICADE_MATCHERS_COST_UNROLLING_H

#include "llvm/ADT/DenseMap.h"
#include <cstdint>

namespace clang {
class ArraySubscriptExpr;
class AttributedStmt;
class Expr;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace barricade {
class FunctionValues;
} // namespace barricade

namespace barricade::cost {

/// Loops of up to so many iterations are written out by the compiler, unless
/// the source says otherwise.
constexpr int64_t MaxUnrolledTrips = 64;

/// `#pragma unroll 1` and `#pragma nounroll`.
bool isKeptRolled(const clang::AttributedStmt &S);

/// What `a[i][j]` is an element of, without its indices.
const clang::Expr &arrayOf(const clang::ArraySubscriptExpr &E);

/// Arrays of a thread that the compiler keeps in registers: all their indices
/// are constants once small loops are written out.
class RegisterArrays {
public:
  /// \p V is an array of \p Function, whose values are \p Values.
  bool contain(const clang::VarDecl &V, const clang::FunctionDecl &Function,
               FunctionValues &Values);

private:
  llvm::DenseMap<const clang::VarDecl *, bool> Known;
};

} // namespace barricade::cost

#endif
