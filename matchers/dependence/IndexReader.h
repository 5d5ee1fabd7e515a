// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which number an index of a one-dimensional launch is, told by those of its
// thread and block:
//
//   int i = blockIdx.x * blockDim.x + threadIdx.x;     // the thread's number
//   for (int k = i; k < n; k += gridDim.x * blockDim.x)
//                                 // k: the thread's number, and so many
//                                 strides
//   i ^ j                         // the thread's number, and a shift by j
//
// Forms here are no estimates: they hold in the arithmetic of the machine, too,
// and in all builds; for loops' counters as far as the limits are asked about
// that limitOf tells, and for shifts as far as the distances are.

#ifndef BARRICADE_MATCHERS_DEPENDENCE_INDEXREADER_H
#define BARRICADE_MATCHERS_DEPENDENCE_INDEXREADER_H

#include "matchers/facts/AffineForm.h"
#include "clang/AST/OperationKinds.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"
#include <cstdint>
#include <optional>

namespace clang {
class ASTContext;
class BinaryOperator;
class CastExpr;
class CompoundAssignOperator;
class DeclRefExpr;
class Expr;
class FunctionDecl;
class ParmVarDecl;
class VarDecl;
} // namespace clang

namespace barricade {
class LocalValues;
} // namespace barricade

namespace barricade::dependence {

class IndexReader {
public:
  /// Larger offsets might lead out of 32 bits.
  static constexpr int64_t MaxOffset = 1 << 20;
  /// Definitions of variables that are followed one after the other.
  static constexpr unsigned MaxDepth = 16;

  /// \p BlockThreads is the block's extent in x, if it is a constant.
  /// \p FixedArguments: the template arguments of \p Kernel are the same in all
  /// builds.
  IndexReader(const LocalValues &Locals, const clang::FunctionDecl &Kernel,
              std::optional<uint64_t> BlockThreads, bool FixedArguments);

  std::optional<AffineForm> read(const clang::Expr &Whole,
                                 unsigned Depth = 0) const;

  static AffineForm blockIndex();
  /// `blockDim.x`, or its value.
  AffineForm blockSize() const;
  AffineForm threadNumber() const;
  AffineForm lastOfBlock() const;
  /// The thread's index within the block, counted from the end.
  AffineForm mirrored() const;
  /// How far `i ^ Distance` is from i.
  static AffineForm shiftBy(const clang::ParmVarDecl &Distance);

  /// The counter of a loop over the grid's stride of which \p F is the thread's
  /// number in some iteration, or null.
  const clang::VarDecl *counterIn(const AffineForm &F) const;

  /// What must leave room for a stride above it, or \p Counter may wrap; null
  /// where it does not anyway. To be asked of what counterIn has found.
  const clang::ParmVarDecl *limitOf(const clang::VarDecl &Counter) const;

  /// The distance of the one shift in \p Index, if there is one.
  static const clang::ParmVarDecl *shiftIn(const AffineForm &Index);

private:
  AffineForm threadCount() const;
  std::optional<AffineForm> builtin(const clang::Expr &E) const;

  /// Conversions keep what fits into 31 bits, and to wider types they keep all.
  std::optional<AffineForm> readCast(const clang::CastExpr &Cast,
                                     unsigned Depth) const;
  uint64_t bits(const clang::Expr &E) const;
  /// From 0 to the number of threads. What a shift leads to within the block
  /// is, and elsewhere nobody asks for it.
  bool isSmall(const AffineForm &Whole) const;
  std::optional<AffineForm> readVariable(const clang::DeclRefExpr &Ref,
                                         unsigned Depth) const;

  /// A variable of 64 bits comes to no end. A sum of signed numbers does not
  /// overflow; but `int k; k += gridDim.x * blockDim.x` adds numbers without a
  /// sign, and what becomes of them is defined.
  bool mayWrap(const clang::CompoundAssignOperator &Step) const;

  /// The parameter n of `i < n`, or `i <= n`, which is true before each step of
  /// \p Counter, of 32 bits. As long as n is not negative and n + T is no more
  /// than an int can be, for the T threads by which the counter grows, no sum
  /// is more than that either, whatever types it is computed in; and types of
  /// fewer than 32 bits are not among them.
  const clang::ParmVarDecl *
  limitOf(const clang::VarDecl &Counter,
          const clang::CompoundAssignOperator &Step) const;
  const clang::ParmVarDecl *limitIn(const clang::Expr &Whole,
                                    const clang::VarDecl &Counter) const;
  /// \p Whole is the value of \p Counter, if that fits into 31 bits.
  bool keeps(const clang::Expr &Whole, const clang::VarDecl &Counter) const;

  /// `i ^ j`, of the thread's number and a parameter.
  std::optional<AffineForm> readXor(const clang::BinaryOperator &Op,
                                    unsigned Depth) const;
  /// The kernel's parameter whose value \p Whole has as long as that is not
  /// negative and fits into an int of \p MinBits.
  const clang::ParmVarDecl *parameterOf(const clang::Expr &Whole,
                                        unsigned MinBits,
                                        unsigned Depth = 0) const;
  std::optional<AffineForm> readBinary(const clang::BinaryOperator &Op,
                                       unsigned Depth) const;
  /// Signed arithmetic does not overflow, and 64 bits wrap as addresses do.
  /// Unsigned arithmetic of 32 bits must be known to give little.
  bool mayWrap(const clang::BinaryOperator &Op, const AffineForm &Result) const;

  const LocalValues &Locals;
  const clang::FunctionDecl &Kernel;
  /// What is true, and the counter as it was asked about, whenever a step of a
  /// `for` loop runs, as long as nothing else changes the counter.
  const llvm::DenseMap<const clang::CompoundAssignOperator *,
                       const clang::Expr *>
      Conditions;
  clang::ASTContext &Context;
  clang::SourceLocation Where; ///< Of the kernel.
  std::optional<uint64_t> BlockThreads;
  bool FixedArguments;
};

} // namespace barricade::dependence

#endif
