// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer expressions as polynomials with integer coefficients over the values
// that tell threads, blocks and iterations apart. An index of a memory access
// in this form says how neighbouring threads' addresses relate.
//
//   p[(blockIdx.x * blockDim.x + threadIdx.x) * 4 + k]
//     ->  4*blockIdx.x*blockDim.x + 4*threadIdx.x + k

#ifndef BARRICADE_MATCHERS_FACTS_AFFINEFORM_H
#define BARRICADE_MATCHERS_FACTS_AFFINEFORM_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace barricade {

/// An elementary value of an affine form. Two symbols are the same value when
/// they compare equal.
struct Symbol {
  enum KindTy : uint8_t {
    BlockIdx,
    BlockDim,
    GridDim,
    ThreadIdx,
    Induction, ///< Changed by a loop by the same step in each iteration.
    Uniform,   ///< The same for all threads of a block, such as a parameter.
    Opaque,    ///< Anything else: a loaded value, a call, `i / n`.
    Pointer,   ///< An address: an array, a pointer parameter, a loaded pointer.
  };
  KindTy Kind = Opaque;
  uint8_t Dim = 0; ///< 0, 1, 2 for .x, .y, .z of the first four kinds.
  /// Whether neighbouring threads may differ in it. False for `threadIdx.x / c`
  /// with a c of at least a memory sector's elements.
  bool ThreadDependent = false;
  /// Of an induction in a form: a step towards the form's value is done in
  /// unsigned arithmetic of at most 32 bits, so that a compiler must expect it
  /// to wrap, and cannot turn it into a wider induction. Not part of equality.
  bool MayWrap = false;
  const void *Key = nullptr; ///< The variable or statement it stands for.
  std::string Name;          ///< As printed.

  auto key() const { return std::tie(Kind, Dim, Key); }
  bool operator==(const Symbol &O) const { return key() == O.key(); }
  bool operator<(const Symbol &O) const { return key() < O.key(); }
};

/// A polynomial over symbols. Arithmetic is that of the integers: conversions
/// between widths are ignored, so an index whose unsigned arithmetic wraps on
/// purpose is described as if it did not. That serves to judge locality and
/// cost; no proof of legality may rest on it.
class AffineForm {
public:
  using Monomial = std::vector<Symbol>; ///< Sorted factors; empty is 1.

  AffineForm(int64_t Constant = 0);
  AffineForm(Symbol S);

  AffineForm operator+(const AffineForm &O) const;
  AffineForm operator-(const AffineForm &O) const;
  AffineForm operator*(const AffineForm &O) const;
  bool operator==(const AffineForm &O) const {
    return Known == O.Known && Terms == O.Terms;
  }
  bool operator<(const AffineForm &O) const { return Terms < O.Terms; }

  /// The form divided by \p Divisor, if every coefficient is a multiple of it.
  std::optional<AffineForm> dividedBy(int64_t Divisor) const;

  /// False once a coefficient has left the range of int64_t. Such a form says
  /// nothing and prints as `?`.
  bool isKnown() const { return Known; }
  /// The form with its inductions marked as Symbol::MayWrap.
  AffineForm wrapping() const;

  std::optional<int64_t> asConstant() const;
  int64_t constantTerm() const;
  bool isZero() const { return Known && Terms.empty(); }
  const std::map<Monomial, int64_t> &terms() const { return Terms; }

  /// What multiplies \p S, for a form that is linear in it:
  /// `(4*n*threadIdx.x + k).coefficient(threadIdx.x)` is `4*n`.
  AffineForm coefficient(const Symbol &S) const;
  /// The form with \p Value put for every occurrence of \p S.
  AffineForm substitute(const Symbol &S, const AffineForm &Value) const;
  /// The form without the terms that hold a symbol for which \p Drop is true.
  AffineForm without(llvm::function_ref<bool(const Symbol &)> Drop) const;

  bool any(llvm::function_ref<bool(const Symbol &)> Is) const;
  bool contains(const Symbol &S) const;
  std::vector<Symbol> symbols() const; ///< Sorted, each once.

  /// `blockIdx.x*blockDim.x + threadIdx.x + 4*k`; `?` where not known.
  std::string str() const;

private:
  void add(const Monomial &M, int64_t Coefficient);

  std::map<Monomial, int64_t> Terms; ///< No zero coefficients.
  bool Known = true;
};

/// The symbol `threadIdx.x`, `.y`, `.z`, ...
Symbol builtinSymbol(Symbol::KindTy Kind, unsigned Dim);

} // namespace barricade

#endif
