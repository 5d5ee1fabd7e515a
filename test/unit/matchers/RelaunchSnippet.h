// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the first loop of launches in a piece of host code is read as; its
// kernels may all be steps.

#ifndef BARRICADE_TEST_UNIT_MATCHERS_RELAUNCHSNIPPET_H
#define BARRICADE_TEST_UNIT_MATCHERS_RELAUNCHSNIPPET_H

#include "HostSnippet.h"
#include "matchers/grid-barrier/RelaunchLoop.h"
#include "matchers/grid-barrier/StepKernel.h"
#include "matchers/host/HostWait.h"

namespace barricade::test {

struct RelaunchSnippet {
  explicit RelaunchSnippet(const std::string &Text) : Code(Text) {
    using namespace grid_barrier;
    Whole.Passes.push_back(Code.pass());
    const std::vector<HostLoop> Loops = findHostLoops(*Whole.host());
    if (Loops.empty())
      return;
    Step.Kernel = Loops.front().Function;
    host::HostWaits Waits(Whole);
    Loop = readRelaunchLoop(
        Loops.front(), Whole,
        [&](const clang::FunctionDecl &) -> std::vector<const StepKernel *> {
          return {&Step};
        },
        Waits);
  }

  HostSnippet Code;
  Program Whole;
  grid_barrier::StepKernel Step;
  grid_barrier::RelaunchLoop Loop;
};

} // namespace barricade::test

#endif
