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
import subprocess
import tempfile
import unittest

BARRICADE = os.environ["BARRICADE"]
LIT = pathlib.Path(__file__).resolve().parent.parent / "lit"


def sources():
    return sorted(path for path in LIT.rglob("*.cu") if "Inputs" not in path.parts)


def standard_of(source):
    """What the source's own test says that it needs, as a part of a RUN line."""
    lines = source.read_text(encoding="utf-8", errors="replace").splitlines()
    runs = " ".join(line for line in lines if "RUN:" in line)
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
            [BARRICADE, f"--json={report}", *files, "--", "nvcc", f"-std={standard}"]
            + ["-arch=sm_90", f"-I{LIT / 'Inputs'}", *flags],
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
    """Kernels that launch kernels do not parse without it."""
    text = source.read_text(encoding="utf-8", errors="replace")
    return ("-rdc=true",) if "-rdc=true" in text else ()


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
