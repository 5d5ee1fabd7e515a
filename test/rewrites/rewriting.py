# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A rewritten copy of a program for the tests of this folder."""
import pathlib
import shutil
import subprocess
import sys


def rewritten_copy(barricade, options, samples, source, folder):
    """Copies a source with the folders it includes from to `folder` and has
    barricade rewrite it there. Returns the copy's path; ends the test where
    nothing was rewritten, as there would be nothing to test."""
    # Samples include their neighbours, so the whole folder comes along.
    tree = pathlib.Path(folder) / "tree" / "samples"
    shutil.copytree(samples, tree)
    shutil.copytree(source.parent, tree / source.parent.name, dirs_exist_ok=True)
    copy = tree / source.parent.name / source.name
    done = subprocess.run([barricade, "--quiet", "--profit=any", "--fail-on=never", "--in-place", *options,
                           str(copy)],
                          capture_output=True, text=True)
    if done.returncode or copy.read_bytes() == source.read_bytes():
        sys.exit(f"not rewritten, exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return copy
