# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A rewritten copy of a program for the tests of this folder."""
import json
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
    report = pathlib.Path(folder) / "report.json"
    done = subprocess.run([barricade, "--quiet", "--profit=any", "--fail-on=never", "--in-place", f"--json={report}",
                           *options, str(copy)],
                          capture_output=True, text=True)
    if done.returncode or copy.read_bytes() == source.read_bytes():
        sys.exit(f"not rewritten, exit code {done.returncode}\n{done.stdout}{done.stderr}")
    withdrawn = [reason["text"] for finding in json.loads(report.read_text())["findings"]
                 for reason in finding["reasons"] if reason["id"] == "not-verified"]
    if withdrawn:
        sys.exit("withdrawn: " + "; ".join(withdrawn))
    return copy
