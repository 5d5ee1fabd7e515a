// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef BARRICADE_TOOL_EXITCODE_H
#define BARRICADE_TOOL_EXITCODE_H

namespace barricade {

/// How the command ends. Where several apply the first of Internal, Failure,
/// NotParsed, Changes, Findings wins.
enum class ExitCode {
  Success = 0,   ///< Nothing to change, or changed as asked.
  Changes = 1,   ///< A dry run has changes to propose.
  Failure = 2,   ///< Usage, configuration or input and output.
  NotParsed = 3, ///< A source does not parse; it got no edits.
  Findings = 4,  ///< There is what --fail-on names.
  Internal = 101 ///< A bug in barricade.
};

} // namespace barricade

#endif
