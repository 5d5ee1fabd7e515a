# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The host loops of loops.py for the rule launch-replay, which leaves the host's work
where it is: of the statements there that a kernel cannot run it may replay those that do
not ask for what launches did. Which, nobody knows beforehand; the results tell."""
import loops


class Program(loops.Program):
    OPTIONS = ["--rules=launch-replay"]

    def is_wrong(self, finding, truth):
        return False
