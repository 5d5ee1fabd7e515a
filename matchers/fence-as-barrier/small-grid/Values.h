// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread knows of values: integers, places in objects, or nothing; and
// what operators make of them.

#ifndef BARRICADE_MATCHERS_FENCEASBARRIER_SMALLGRID_VALUES_H
#define BARRICADE_MATCHERS_FENCEASBARRIER_SMALLGRID_VALUES_H

#include "matchers/fence-as-barrier/SmallGrid.h"
#include "clang/AST/Expr.h"
#include <cstdint>
#include <map>
#include <optional>

namespace barricade::fence_as_barrier::small_grid {

/// What a thread knows as an object: its own variables, a block's shared ones,
/// global memory. Only the first have contents.
struct Object {
  enum SpaceTy { Local, Shared, Global } Space = Local;
  /// Local: where contents come from that the thread did not write itself.
  /// Global: what the object is.
  HostValue Host;
  bool IsVariable = false;
  struct Cell;
  std::map<int64_t, Cell> Cells;
};

/// A place in an object; none where the object is not known.
struct PlaceInObject {
  Object *In = nullptr;
  std::optional<int64_t> Offset = 0;

  PlaceInObject plus(std::optional<int64_t> Bytes) const {
    if (!Offset || !Bytes)
      return {In, std::nullopt};
    return {In, *Offset + *Bytes};
  }
};

struct Value {
  enum KindTy { Unknown, Integer, Pointer } Kind = Unknown;
  /// Of an unknown value: other threads may have a part in it.
  bool Foreign = false;
  int64_t Int = 0;
  PlaceInObject Target;

  static Value unknown(bool Foreign = false) {
    return {Unknown, Foreign, 0, {}};
  }
  static Value integer(int64_t I) { return {Integer, false, I, {}}; }
  static Value pointer(PlaceInObject P) { return {Pointer, false, 0, P}; }
  bool isInt() const { return Kind == Integer; }
};

struct Object::Cell {
  Value Content;
  int64_t Width;
};

/// Nothing is known of what depends on both.
Value mix(const Value &A, const Value &B);

/// Integers as the device computes them, and pointers by their offsets.
class Arithmetic {
public:
  explicit Arithmetic(const clang::ASTContext &Context) : Context(Context) {}

  /// \p V as an object of type \p T holds it.
  Value normalized(Value V, clang::QualType T) const;
  /// The integer that \p E is for the compiler, if it is one.
  Value constant(const clang::Expr &E) const;
  Value compute(clang::BinaryOperatorKind Opcode, const Value &L,
                const Value &R, clang::QualType Operands,
                clang::QualType Result) const;
  Value computePointer(clang::BinaryOperatorKind Opcode, const Value &L,
                       const Value &R, const clang::BinaryOperator &Op) const;
  int64_t sizeOf(clang::QualType T) const;

private:
  const clang::ASTContext &Context;
};

} // namespace barricade::fence_as_barrier::small_grid

#endif
