#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each kind of knowledge, and what it says of a rewrite, in all outputs: what is
proposed and written is the same wherever it is told, and so is what nobody
knows; of what does not pay only --explain and the reports speak.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BARRICADE = os.environ["BARRICADE"]
sys.path.insert(0, str(ROOT / "test" / "lsp"))
from client import Client  # noqa: E402

LOOP = """\
__global__ void {0}(const float *x, float *y, int n) {{
  float s = 0;
  for (int k = 0; k < n; ++k) s += x[k * n + threadIdx.x];
  y[threadIdx.x] = s; }}
"""
# The lines where something is found have a name.
SOURCE = "".join(LOOP.format(name) for name in "abcd") + """\
__global__ void smooth(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = from[i - 1] + from[i + 1]; }
void large(float *p, float *q, int n) {
  for (int k = 0; k < n; ++k)
    smooth<<<100000, 256>>>(k % 2 ? p : q, k % 2 ? q : p, n); }
void relax(float *p, float *q, int n, int steps) {
  for (int k = 0; k < steps; ++k)
    smooth<<<n / 256, 256>>>(k % 2 ? p : q, k % 2 ? q : p, n); }
void blur(float *p, float *q, int n) {
  smooth<<<n / 256, 256>>>(q, p, n);
  smooth<<<n / 256, 256>>>(p, q, n);
  smooth<<<n / 256, 256>>>(q, p, n); }
"""
LINES = {"a": 3, "b": 7, "c": 11, "d": 15, "large": 22, "relax": 25, "blur": 28}
NAMES = {line: name for name, line in LINES.items()}
# What shows that a finding is written.
WRITTEN = {**{name: rf"void {name}\([^}}]*__syncthreads" for name in "abcd"},
           "large": "large_persistent", "relax": "relax_persistent", "blur": "blur_fused"}
MEASURED = ["k.3-k1=0.05", "k.3-k4=0.2", "k.7-k1=-0.14", "k.11-k1=0"]
REWRITE, UNKNOWN = "rewrite", "unknown"
GPU, NO_GPU = ["-arch=sm_90"], []

# By knowledge: options, flags, and of each finding that it is proposed, that
# nobody knows, or the reason for which it is not.
KNOWLEDGE = {
    "measured, and expected": (["--measured"], GPU, {
        "a": REWRITE, "b": "measured-slower", "c": "measured-no-gain", "d": "expected-slower",
        "large": "expected-no-gain", "relax": REWRITE, "blur": UNKNOWN}),
    "measured, no profile": (["--measured"], NO_GPU, {
        "a": REWRITE, "b": "measured-slower", "c": "measured-no-gain", "d": UNKNOWN,
        "large": UNKNOWN, "relax": UNKNOWN, "blur": UNKNOWN}),
    "measured only": (["--measured", "--profit=measured"], GPU, {
        "a": REWRITE, "b": "measured-slower", "c": "measured-no-gain", "d": UNKNOWN,
        "large": UNKNOWN, "relax": UNKNOWN, "blur": UNKNOWN}),
    "expected": ([], GPU, {
        **{name: "expected-slower" for name in "abcd"}, "large": "expected-no-gain",
        "relax": REWRITE, "blur": UNKNOWN}),
    "none": ([], NO_GPU, {name: REWRITE for name in LINES}),
    "none wanted": (["--measured", "--profit=any"], GPU, {name: REWRITE for name in LINES}),
}  # fmt: skip


def told(text, pattern, words):
    """{name: rewrite or unknown} of what a text says of lines, by its words."""
    return {NAMES[int(line)]: words[word] for line, word in re.findall(pattern, text, re.M)}


# Each place has one finding.
RULES = "--rules=-launch-overlap,-launch-replay"


class KnowledgeTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.source = self.folder / "k.cu"
        self.source.write_text(SOURCE)
        self.run_barricade("--profit=any", "--variants=variants", "--variant-intervals=1,4", flags=GPU)
        subprocess.run([sys.executable, ROOT / "test/lit/profit/Inputs/results.py",
                        self.folder / "variants", *MEASURED], check=True)  # fmt: skip

    def run_barricade(self, *options, flags):
        # Profiles of this machine's user are none of the test's.
        return subprocess.run(
            [BARRICADE, "--no-verify", "--no-toolkit", "--quiet", RULES, *options, "k.cu", "--", "nvcc", *flags],
            cwd=self.folder, capture_output=True, text=True,
            env={**os.environ, "XDG_DATA_HOME": str(self.folder)})  # fmt: skip

    def outputs(self, options, flags):
        """{output: {name: what it says}}, of all but the editor's."""
        reports = {name: self.folder / name for name in ("json", "sarif", "html", "github", "gitlab", "junit",
                                                         "export-fixes")}  # fmt: skip
        shown = self.run_barricade(*options, *(f"--{name}={file}" for name, file in reports.items()), flags=flags)
        text = {name: file.read_text() for name, file in reports.items()}
        findings = json.loads(text["json"])["findings"]
        line_of = {f["fingerprint"]: f["place"]["line"] for f in findings}
        offsets = {f["place"]["offset"]: f["place"]["line"] for f in findings}
        written = self.run_barricade(*options, "--output-dir=out", flags=flags)
        self.assertEqual(written.returncode, 0, written.stderr)
        diff = self.run_barricade(*options, "--dry-run", flags=flags)
        new = self.folder / "out" / "k.cu"
        changed = new.read_text() if new.exists() else SOURCE
        return {
            "text": told(shown.stdout, r"^k\.cu:(\d+):\d+: (warning|remark): ",
                         {"warning": REWRITE, "remark": UNKNOWN}),
            "json": {NAMES[f["place"]["line"]]: verdict_of(f) for f in findings},
            "sarif": {NAMES[r["locations"][0]["physicalLocation"]["region"]["startLine"]]:
                      {"warning": REWRITE, "note": UNKNOWN}[r["level"]]
                      for r in json.loads(text["sarif"])["runs"][0]["results"]},
            "html": {NAMES[line_of[key]]: REWRITE for key in
                     re.findall(r'id="finding-(\w+)" data-standing="applies"', text["html"])},
            "github": {
                NAMES[int(line)]: {"warning": REWRITE, "notice": UNKNOWN}[word]
                for word, line in re.findall(r"^::(\w+) file=k\.cu,line=(\d+)", text["github"], re.M)},
            "gitlab": {NAMES[each["location"]["lines"]["begin"]]: {"minor": REWRITE, "info": UNKNOWN}[each["severity"]]
                       for each in json.loads(text["gitlab"])},
            "junit": {NAMES[int(line)] for line in re.findall(r'name="barricade-[\w-]+:(\d+)"', text["junit"])},
            "fixes": {NAMES[offsets[int(at)]]: REWRITE for at in
                      re.findall(r"^ +FileOffset: +(\d+)", text["export-fixes"], re.M)},
            "written": {name: REWRITE for name, sign in WRITTEN.items() if re.search(sign, changed)},
            "diff": {name: REWRITE for name, sign in WRITTEN.items()
                     if re.search(sign, applied(diff.stdout))},
        }  # fmt: skip

    def editor(self, options, flags):
        """What diagnostics, lenses and the action for all say."""
        command = [BARRICADE, "--lsp", "--no-toolkit", "--no-verify", RULES, *options, "--", "nvcc", *flags]
        with Client(["env", f"XDG_DATA_HOME={self.folder}", *command], cwd=self.folder) as server:
            server.initialize(textDocument={}, workspace={})
            file = str(self.source)
            server.open(file, SOURCE)
            shown = {NAMES[d["range"]["start"]["line"] + 1]: {3: REWRITE, 4: UNKNOWN}[d["severity"]]
                     for d in server.diagnostics_of(file, 1)}  # fmt: skip
            lenses = {NAMES[line + 1] for line, _ in server.lenses(file)}
            preferred = {name for name, line in LINES.items()
                         if any(a.get("isPreferred") for a in server.actions(file, line - 1))}  # fmt: skip
            server.shut_down()
        return shown, lenses, preferred

    def check(self, knowledge):
        options, flags, verdicts = KNOWLEDGE[knowledge]
        options = [f"--measured={self.folder / 'variants' / 'results.json'}" if o == "--measured" else o
                   for o in options]  # fmt: skip
        proposed = {name: REWRITE for name, verdict in verdicts.items() if verdict == REWRITE}
        spoken = {**proposed, **{name: UNKNOWN for name, verdict in verdicts.items() if verdict == UNKNOWN}}
        wanted = {"json": verdicts, "junit": set(spoken),
                  **{name: proposed for name in ("html", "fixes", "written", "diff")}}  # fmt: skip
        for output, said in self.outputs(options, flags).items():
            with self.subTest(output=output):
                self.assertEqual(said, wanted.get(output, spoken))
        shown, lenses, preferred = self.editor(options, flags)
        self.assertEqual(shown, spoken)
        self.assertEqual(preferred, set(proposed))
        # A gain that somebody knows has a lens.
        self.assertLessEqual(lenses, set(spoken))
        if knowledge in ("measured, and expected", "expected"):
            self.assertLessEqual(set(proposed), lenses)

    def test_measured_and_expected(self):
        self.check("measured, and expected")

    def test_measured_without_a_profile(self):
        self.check("measured, no profile")

    def test_measured_only(self):
        self.check("measured only")

    def test_expected(self):
        self.check("expected")

    def test_nothing_known(self):
        self.check("none")

    def test_nothing_asked(self):
        self.check("none wanted")


def verdict_of(finding):
    if finding["applies"]:
        return REWRITE
    (reason,) = finding["reasons"]
    return UNKNOWN if reason["id"] == "unknown-gain" else reason["id"]


def applied(diff):
    """The new text of a diff, as far as it has it."""
    return "".join(line[1:] for line in diff.splitlines(True)
                   if line[:1] in " +" and not line.startswith("+++"))  # fmt: skip


if __name__ == "__main__":
    unittest.main()
