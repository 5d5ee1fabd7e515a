// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer expressions as polynomials with integer coefficients over the values
// that tell threads, blocks and iterations apart. An index of a memory access in
// this form says how neighbouring threads' addresses relate.
//
//   p[(blockIdx.x * blockDim.x + threadIdx.x) * 4 + k]
//     ->  4*blockIdx.x*blockDim.x + 4*threadIdx.x + k

#ifndef BARRICADE_MATCHERS_AFFINEFORM_H
#define BARRICADE_MATCHERS_AFFINEFORM_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class Expr;
class FunctionDecl;
class Stmt;
class ValueDecl;
class VarDecl;
} // namespace clang

namespace barricade {

/// An elementary value of an affine form. Two symbols are the same value when
/// they compare equal.
struct Symbol {
  enum KindTy : uint8_t {
    ThreadIdx,
    BlockIdx,
    BlockDim,
    GridDim,
    Induction, ///< A variable that a loop changes by the same step each time.
    Uniform,   ///< The same for all threads of a block, for instance a parameter.
    Opaque,    ///< Anything else: a loaded value, a call, `i / n`.
  };
  KindTy Kind = Opaque;
  uint8_t Dim = 0;           ///< 0, 1, 2 for .x, .y, .z of the first four kinds.
  bool ThreadDependent = false; ///< Whether threads of a block may differ in it.
  const void *Key = nullptr; ///< The variable or expression it stands for.
  std::string Name;          ///< As printed.

  auto key() const { return std::tie(Kind, Dim, Key); }
  bool operator==(const Symbol &O) const { return key() == O.key(); }
  bool operator<(const Symbol &O) const { return key() < O.key(); }
};

/// A polynomial over symbols. Arithmetic is that of the integers: conversions
/// between widths are ignored, so an index whose unsigned arithmetic wraps on
/// purpose is described as if it did not. That is fine for judging locality; no
/// proof of legality may rest on it.
class AffineForm {
public:
  using Monomial = std::vector<Symbol>; ///< Sorted factors; empty is 1.

  AffineForm(int64_t Constant = 0);
  AffineForm(Symbol S);

  AffineForm operator+(const AffineForm &O) const;
  AffineForm operator-(const AffineForm &O) const;
  AffineForm operator*(const AffineForm &O) const;
  bool operator==(const AffineForm &O) const { return Terms == O.Terms; }

  /// The form divided by \p Divisor, if every coefficient is a multiple of it.
  std::optional<AffineForm> dividedBy(int64_t Divisor) const;

  /// False once a coefficient has left the range of int64_t. Such a form says
  /// nothing and prints as `?`.
  bool isKnown() const { return Known; }
  std::optional<int64_t> asConstant() const;
  int64_t constantTerm() const;
  bool isZero() const { return asConstant() == 0; }

  /// What multiplies \p S, for a form that is linear in it:
  /// `(4*n*threadIdx.x + k).coefficient(threadIdx.x)` is `4*n`.
  AffineForm coefficient(const Symbol &S) const;
  /// The form with \p Value put for every occurrence of \p S.
  AffineForm substitute(const Symbol &S, const AffineForm &Value) const;

  /// Whether any symbol satisfies \p Is.
  bool any(llvm::function_ref<bool(const Symbol &)> Is) const;
  bool contains(const Symbol &S) const;

  /// `blockIdx.x*blockDim.x + threadIdx.x + 4*k`; `?` where not known.
  std::string str() const;

private:
  void add(const Monomial &M, int64_t Coefficient);

  std::map<Monomial, int64_t> Terms; ///< No zero coefficients.
  bool Known = true;
};

/// The symbol `threadIdx.x`, `.y`, `.z`, ...
Symbol builtinSymbol(Symbol::KindTy Kind, unsigned Dim);

/// If \p E reads a component of threadIdx, blockIdx, blockDim or gridDim, that
/// component. Sees through the properties (`__declspec(property)`) that Clang's
/// CUDA headers make of them.
std::optional<Symbol> builtinIndex(const clang::Expr *E);

/// How the variables of one function get their values: the base for turning its
/// expressions into affine forms.
class FunctionValues {
public:
  FunctionValues(const clang::FunctionDecl &F, clang::ASTContext &Ctx);
  ~FunctionValues();
  FunctionValues(const FunctionValues &) = delete;
  FunctionValues &operator=(const FunctionValues &) = delete;

  /// The value of the integer expression \p E in affine form. Variables with a
  /// single definition are replaced by it; those that a loop around their uses
  /// changes by a fixed step are inductions.
  AffineForm evaluate(const clang::Expr *E);

  /// The value of \p V as seen within the loops that change it.
  AffineForm evaluate(const clang::VarDecl *V);

  /// What is added to \p V in one iteration of \p Loop: zero where \p Loop does
  /// not change it, nothing where the change is not a fixed step.
  std::optional<AffineForm> step(const clang::VarDecl *V,
                                 const clang::Stmt &Loop);

  /// What \p Form grows by in one iteration of \p Loop, nothing where that is not
  /// the same for all iterations.
  std::optional<AffineForm> change(const AffineForm &Form,
                                   const clang::Stmt &Loop);

  /// Whether \p Loop (its condition and increment included) assigns \p V or may
  /// change it through a pointer or reference.
  bool isChangedIn(const clang::VarDecl *V, const clang::Stmt &Loop) const;

  /// How often the body of \p Loop runs, if that is a constant.
  std::optional<uint64_t> tripCount(const clang::Stmt &Loop);

  clang::ASTContext &context() const { return Ctx; }

private:
  struct Tables;
  clang::ASTContext &Ctx;
  std::unique_ptr<Tables> T;
};

} // namespace barricade

#endif
