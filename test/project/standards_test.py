#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lit suite's sources, read as C++17, C++20 and C++23, give the same findings.

The standard libraries' headers change with the language, and so do implicit
conversions, copies and what Clang makes of a program; the rules must not notice.
"""

import functools
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

BARRICADE = os.environ["BARRICADE"]
LIT = pathlib.Path(__file__).resolve().parent.parent / "lit"


def run_lines(source):
    lines = source.read_text(encoding="utf-8", errors="replace").splitlines()
    return " ".join(line for line in lines if "RUN:" in line)


def sources():
    """Those that are one file: the parts of others lie nowhere."""
    return sorted(
        path
        for path in LIT.rglob("*.cu")
        if "Inputs" not in path.parts and "split-file" not in run_lines(path)
    )


def standard_of(source):
    """What the source's own test says that it needs, as a part of a RUN line."""
    runs = run_lines(source)
    return next((s for s in ("c++23", "c++20") if f"-std={s}" in runs), "c++17")


@functools.cache
def findings(standard, flags):
    """State and findings by file, of the sources with these flags and no newer
    standard."""
    files = [
        str(path)
        for path in sources()
        if standard_of(path) <= standard and flags_of(path) == flags
    ]
    with tempfile.TemporaryDirectory() as scratch:
        report = pathlib.Path(scratch) / "report.json"
        subprocess.run(
            # The rules are asked here; what they write is verified elsewhere.
            [BARRICADE, "--no-verify", f"--json={report}", *files, "--", "nvcc"]
            + [f"-std={standard}", "-arch=sm_90", f"-I{LIT / 'Inputs'}", *flags],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        result = json.loads(report.read_text(encoding="utf-8"))
    found = {file["file"]: (file["state"], []) for file in result["files"]}
    for finding in result["findings"]:
        if finding["place"]["file"] in found:  # otherwise a header
            found[finding["place"]["file"]][1].append(finding)
    return found


def flags_of(source):
    """Without which it does not parse: kernels that launch kernels, headers that
    its RUN lines name, macros that its only one sets."""
    text = source.read_text(encoding="utf-8", errors="replace")
    flags = ["-rdc=true"] if "-rdc=true" in text else []
    for folder in sorted(set(re.findall(r"-isystem %S/(\S+)", run_lines(source)))):
        flags += ["-isystem", str(source.parent / folder)]
    if run_lines(source).count("RUN:") == 1:
        flags += re.findall(r"(?<=\s)-D\S+", run_lines(source))
    return tuple(flags)


class Standards(unittest.TestCase):
    maxDiff = None

    def check(self, standard):
        for source in sources():
            own, flags = standard_of(source), flags_of(source)
            if own >= standard:
                continue
            with self.subTest(source.name):
                state, found = findings(standard, flags)[str(source)]
                self.assertEqual("analysed", state)
                self.assertEqual(findings(own, flags)[str(source)], (state, found))

    def test_sources_are_found(self):
        self.assertGreater(len(sources()), 50)

    def test_cxx20(self):
        self.check("c++20")

    def test_cxx23(self):
        self.check("c++23")


if __name__ == "__main__":
    unittest.main()
