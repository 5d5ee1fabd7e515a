# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compute-sanitizer, which looks for faults while a program runs on the GPU."""

ERRORS_FOUND = 9  # exit code where the tool has errors to report


def command(tool, program, sanitizer="compute-sanitizer"):
    """The command (a list) that runs the command `program` under a tool of
    compute-sanitizer's, such as memcheck."""
    return [sanitizer, "--error-exitcode", str(ERRORS_FOUND), "--tool", tool, *program]
