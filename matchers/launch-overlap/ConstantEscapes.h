// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which constant memory a kernel may write: the host can ask for an address
// that it can be written by, and device code may make a pointer of it.

#ifndef BARRICADE_MATCHERS_LAUNCHOVERLAP_CONSTANTESCAPES_H
#define BARRICADE_MATCHERS_LAUNCHOVERLAP_CONSTANTESCAPES_H

#include "matchers/Finding.h"
#include "matchers/Program.h"
#include <optional>
#include <set>

namespace clang {
class VarDecl;
} // namespace clang

namespace barricade::launch_overlap {

class ConstantEscapes {
public:
  /// \p Whole must outlive this.
  explicit ConstantEscapes(const Program &Whole);

  /// \p Constant, of whatever pass, is named by the host other than to be
  /// copied to or from, or others may do so, or device code hands on constants,
  /// or another build has more code that names it.
  bool mayBeWritten(const clang::VarDecl &Constant) const;

private:
  bool mayBeWrittenByDevice() const;

  const Program &Whole;
  /// Addresses are asked for by names in strings.
  bool AsksByName = false;
  std::set<Place> Escaping;
  /// Device code makes pointers of constants. Few units have any, so it is
  /// found out once somebody asks for one.
  mutable std::optional<bool> DeviceWrites;
};

} // namespace barricade::launch_overlap

#endif
