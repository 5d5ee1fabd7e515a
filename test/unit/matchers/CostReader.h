// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests look at facts that are for cost only.

#ifndef BARRICADE_TEST_UNIT_MATCHERS_COSTREADER_H
#define BARRICADE_TEST_UNIT_MATCHERS_COSTREADER_H

#include "matchers/cost/CostOnly.h"

namespace barricade::test {

struct CostReader {
  static ForCostOnly key() { return ForCostOnly(); }
  template <typename T> static T of(const CostOnly<T> &Fact) {
    return Fact.value(key());
  }
};

} // namespace barricade::test

#endif
