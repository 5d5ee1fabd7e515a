// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts that estimate: good enough to say what pays and to be shown, never to
// prove that a rewrite is legal. The compiler keeps them apart: a CostOnly
// gives its value to who holds a ForCostOnly, and only the friends below can
// make one. Who is added there must not decide what is legal.

#ifndef BARRICADE_MATCHERS_COST_COSTONLY_H
#define BARRICADE_MATCHERS_COST_COSTONLY_H

#include <utility>

namespace clang {
class ASTContext;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace barricade {

struct LoopFacts;
template <typename T> class CostOnly;
CostOnly<LoopFacts> collectLoopFacts(const clang::Stmt &,
                                     const clang::FunctionDecl &,
                                     clang::ASTContext &);
namespace cost {
class Execution;
} // namespace cost
namespace artificial_barrier {
struct Profit;
} // namespace artificial_barrier
namespace launch_overlap {
struct Profit;
} // namespace launch_overlap
namespace dumps {
struct ShownCosts;
} // namespace dumps
namespace fence_as_barrier {
struct ShownIndices;
} // namespace fence_as_barrier
namespace grid_barrier {
struct Estimates;
} // namespace grid_barrier
namespace test {
struct CostReader;
} // namespace test

/// Says that what is asked decides nothing but what pays and what is shown.
class ForCostOnly {
  ForCostOnly() {}
  friend CostOnly<LoopFacts> collectLoopFacts(const clang::Stmt &,
                                              const clang::FunctionDecl &,
                                              clang::ASTContext &);
  friend class cost::Execution;
  friend struct artificial_barrier::Profit;
  friend struct launch_overlap::Profit;
  friend struct dumps::ShownCosts;
  friend struct fence_as_barrier::ShownIndices;
  friend struct grid_barrier::Estimates;
  friend struct test::CostReader;
};

/// A fact for estimates.
template <typename T> class CostOnly {
public:
  CostOnly() = default;
  CostOnly(T Value) : Value(std::move(Value)) {}

  const T &value(ForCostOnly) const { return Value; }

private:
  T Value{};
};

} // namespace barricade

#endif
