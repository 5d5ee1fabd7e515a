#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that a shared library that includes the runtime keeps it to itself.

Usage: check_shared_library.py NM OUTPUT COMMAND...

COMMAND, with `-o OUTPUT` behind it, makes the library. A unique symbol (`u`)
would keep a library from being unloaded; any other dynamic one of the
runtime's would be shared with the next library, as one alone is to be.
"""

import subprocess
import sys

SHARED = "barricade_open_launches"

nm, output, *command = sys.argv[1:]
subprocess.run([*command, "-o", output], check=True)
symbols = subprocess.run([nm, "-D", "--defined-only", output], check=True,
                         capture_output=True, text=True).stdout
shared = [line for line in symbols.splitlines()
          if line.split()[-2] == "u"
          or "barricade" in line.split()[-1].replace(SHARED, "")]
if "replayed" not in symbols:
    sys.exit("the library has no functions")
if SHARED not in symbols:
    sys.exit("the library has a loop's launches of its own")
if shared:
    sys.exit("the library shares:\n" + "\n".join(shared))
