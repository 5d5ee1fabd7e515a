// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of one iteration as a graph without duplicates. A value costs
// instructions where something needs it, at the loop level at which it varies.

#ifndef BARRICADE_MATCHERS_COST_VALUEGRAPH_H
#define BARRICADE_MATCHERS_COST_VALUEGRAPH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class Stmt;
} // namespace clang

namespace barricade {

/// The counted loop, or a loop within it. Code outside has no level.
struct LoopLevel {
  const clang::Stmt *Loop = nullptr;
  LoopLevel *Parent = nullptr;
  uint64_t Times = 1;        ///< Iterations per iteration of the counted loop.
  bool Unrolled = false;     ///< The compiler writes the iterations out.
  bool HasInnerLoop = false; ///< Another than unrolled ones.
  bool Conditional = false;  ///< Not entered in each iteration of the parent.

  bool contains(const LoopLevel *Inner) const {
    while (Inner && Inner != this)
      Inner = Inner->Parent;
    return Inner == this;
  }
};

class ValueGraph {
public:
  using Id = unsigned;
  using Ids = llvm::SmallVector<Id, 4>;

  /// The value of \p Op applied to \p Args, which takes \p Cost instructions at
  /// the deepest level of its arguments, none where nothing in the counted loop
  /// changes them. The same question gets the same value.
  Id value(llvm::StringRef Op, llvm::ArrayRef<Id> Args, unsigned Cost,
           const void *Tag = nullptr);
  /// A new value at \p Level.
  Id fresh(const LoopLevel *Level, llvm::ArrayRef<Id> Args, unsigned Cost);

  /// Lets \p Value depend on \p Arg, too: what a loop carries around.
  void addArgument(Id Value, Id Arg) { Nodes[Value].Args.push_back(Arg); }
  /// Marks \p Value as needed for itself, as a store is.
  void require(Id Value) { Nodes[Value].Required = true; }

  const LoopLevel *level(Id Value) const { return Nodes[Value].Level; }
  /// The deeper of two levels on one path.
  static const LoopLevel *deeper(const LoopLevel *A, const LoopLevel *B);

  /// Says that the product \p Product vanishes where \p Sum is its only user:
  /// both become one fused multiply-add.
  void mayFuse(Id Sum, Id Product) { Nodes[Sum].Fuses = Product; }

  struct Totals {
    uint64_t Instructions = 0;
    std::vector<bool> Live;
  };
  /// Sums up what the required values need.
  Totals sum() const;

private:
  struct Node {
    llvm::SmallVector<Id, 3> Args;
    const LoopLevel *Level = nullptr;
    unsigned Cost = 0;
    bool Required = false;
    std::optional<Id> Fuses;
  };
  std::vector<Node> Nodes;
  std::map<std::tuple<std::string, std::vector<Id>, const void *>, Id> Known;
};

} // namespace barricade

#endif
