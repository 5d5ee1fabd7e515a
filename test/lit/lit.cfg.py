# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lit suite: barricade's command on small CUDA files, checked by FileCheck.

Substitutions beyond lit's own (%s the test, %t a scratch path, %S its folder):

  %barricade      the command; it proposes whatever is legal
  %barricade-by-default
                  the command as users type it: what is known of the GPU decides
  %dry-run        the command with --dry-run: a diff on stdout, exit code 1
                  where there is one
  %rewrite-check  `%rewrite-check %s %t.cu [options] [-- compile flags]`
                  rewrites a copy of %s in place as %t.cu, compiles it with
                  nvcc and Clang, demands that a second run over it proposes
                  nothing and, where %s has a main(), that it runs as %s
                  does on the CPU executor; see rewrite_check.py
  %clang, %nvcc   the compilers
  %python         the interpreter
  %project        the repository's root

A scratch file lies in the build tree, whose compile_commands.json does not
know it: give compile flags after `--`, as %rewrite-check does by itself.

Features: nvcc, where a CUDA toolkit is installed.
"""

import os
import shlex

import lit.formats

config.name = "barricade"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cu", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)

config.environment["PATH"] = os.pathsep.join(
    [config.llvm_tools, config.environment["PATH"]]
)
for variable in ("CUDA_HOME", "CUDA_PATH"):
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]


def command(*words):
    return " ".join(shlex.quote(word) for word in words)


rewrite_check = [
    config.python,
    os.path.join(config.test_source_root, "rewrite_check.py"),
    "--barricade=" + config.barricade,
    "--clang=" + config.clang,
    "--emulate=" + config.emulate,
    "--runtime=" + os.path.join(config.project, "runtime"),
]
if config.nvcc:
    config.available_features.add("nvcc")
    rewrite_check.append("--nvcc=" + config.nvcc)

# The longer name first: substitutions apply in order.
config.substitutions += [
    ("%rewrite-check", command(*rewrite_check)),
    ("%dry-run", command(config.barricade, "--profit=any", "--dry-run")),
    ("%barricade-by-default", command(config.barricade)),
    ("%barricade", command(config.barricade, "--profit=any")),
    ("%clang", command(config.clang)),
    ("%python", command(config.python)),
    ("%nvcc", command(config.nvcc)),
    ("%project", config.project),
]
