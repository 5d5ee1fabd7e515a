// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What do the loop's copies and fills move, and does the host wait for them.

#ifndef BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_COPIES_H
#define BARRICADE_MATCHERS_GRIDBARRIER_RELAUNCHLOOP_COPIES_H

#include "matchers/grid-barrier/relaunch-loop/Values.h"

namespace barricade::grid_barrier::relaunch_loop {

class Copies {
public:
  Copies(LoopReading &L, ValueReader &Values) : L(L), Values(Values) {}

  /// A copy of one variable, or within the device.
  std::optional<LoopAction::KindTy> readCopy(const clang::CallExpr &Call);
  bool readFill(const clang::CallExpr &Call);

  /// Every buffer that is filled or copied is one that a launch uses, so it is
  /// memory that the device can reach.
  void checkBuffers();
  /// No fill makes the host wait.
  void checkFills();
  /// Which ranges they touch the host can tell before.
  void checkRanges();
  /// What is read back the loop itself writes: a kernel, through a parameter
  /// that gets the same pointer, or a copy.
  void checkFlags();

private:
  std::optional<LoopAction::KindTy> refuseCopy(const clang::CallExpr &Call);
  void readStream(const clang::CallExpr &Copy, const clang::Expr *Stream);
  bool readOnDevice(const clang::Expr &Pointer);
  bool readOneValue(const clang::Expr &Device, const clang::Expr &Host,
                    const clang::Expr &Bytes);
  void addFilled(const clang::Expr &Target, const clang::CallExpr &Call);
  void addRange(const clang::Expr &Pointer, const clang::Expr &Bytes,
                bool Certain);
  bool isWritten(const clang::Expr &Flag) const;

  LoopReading &L;
  ValueReader &Values;
  std::vector<const clang::Expr *> Flags; ///< Of the device, read back.
  std::vector<const clang::CallExpr *>
      Fills; ///< And copies that may make the host wait.
  std::vector<const clang::Expr *>
      Targets; ///< Of the device, which copies write.
};

} // namespace barricade::grid_barrier::relaunch_loop

#endif
