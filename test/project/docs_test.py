#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What README and docs/ show is what happens.

The commands of their `sh` blocks and of the steps of their workflows run, one
document after the other, in a small project; the README's picture is what
barricade prints.
"""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BARRICADE = pathlib.Path(os.environ["BARRICADE"])
DOCUMENTS = ["README.md", "docs/user-guide.md", "docs/configuration.md", "docs/ci.md",
             "docs/whole-program.md"]
# 1 says that a dry run has changes to propose.
GOOD_EXIT_CODES = (0, 1)

KERNEL = """\
__global__ void rowSums(const float *a, float *sums, int columns) {
  float sum = 0;
  for (int j = 0; j < columns; ++j)
    sum += a[(blockIdx.x * blockDim.x + threadIdx.x) * columns + j];
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
"""


def blocks(document, language):
    text = (ROOT / document).read_text()
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def commands(document):
    """The steps of the document's workflows, and the lines of its sh blocks,
    continued lines joined."""
    steps = re.findall(r"^ *- run: (.*)$", "".join(blocks(document, "yaml")), re.M)
    text = "".join(blocks(document, "sh")).replace("\\\n", "")
    return steps + [line for line in text.splitlines() if not line.startswith("#")]


# What the examples of reasons.md leave out.
BEFORE = {
    "needs-grid-barrier": "__device__ float f(int i) { return i; }\n",
}
WITHIN = {"continue": "int k = 0;",
          "needs-grid-barrier": "int i = blockIdx.x * blockDim.x + t;"}
OPTIONS = {"few-instructions": ["--min-instructions=6"], "expected-slower": ["--profit=auto"]}
FLAGS = {"early-exit": ["-arch=sm_60"], "expected-slower": ["-arch=sm_90"]}
# Those that no program around a few lines would show: several files, other builds,
# functions whose heads are left out. Their reasons have tests of their own in test/lit.
NO_PROGRAM = {
    "becomes-step", "conflicting-edits", "divergent-call", "divergent-return",
    "expected-no-gain", "header-not-selected", "host-device-function", "in-lambda",
    "kernel-step", "loop-shape", "named-barrier", "not-read-everywhere", "not-verified",
    "one-warp-block", "outer-loop", "preprocessor", "shared-guard",
    "uninstantiated-template", "unknown-callers"}


def examples():
    """Of reasons.md, by id."""
    text = (ROOT / "docs/rules/reasons.md").read_text()
    parts = re.findall(r"^### `(.*?)`\n(.*?)(?=^##|\Z)", text, re.M | re.S)
    return {reason: re.findall(r"^```cuda\n(.*?)^```$", part, re.M | re.S)
            for reason, part in parts}


def program_of(reason, example):
    """A program around the lines of an example."""
    example += "}\n" * (example.count("{") - example.count("}"))
    outside = [line for line in example.splitlines() if line.startswith(("__device__", "extern"))]
    inside = [line for line in example.splitlines() if line not in outside]
    return "\n".join([
        BEFORE.get(reason, ""), *outside,
        "__global__ void example(float *a, float *b, float *out, int *flag, int n, int m) {",
        "int t = threadIdx.x; float s = 0;", WITHIN.get(reason, ""),
        *inside, "out[t] = s;", "}", ""])


class DocsTest(unittest.TestCase):
    def make_project(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        project = pathlib.Path(folder.name)
        for name in ("kernel.cu", "solver.cu"):
            (project / name).write_text(KERNEL)
        entries = [
            {"directory": str(project), "file": name, "command": f"nvcc -c {name}"}
            for name in ("kernel.cu", "solver.cu")
        ]
        (project / "build").mkdir()
        database = project / "build" / "compile_commands.json"
        database.write_text(json.dumps(entries))
        subprocess.run(["git", "init", "-q"], cwd=project, check=True)
        return project

    def run_commands(self, document, project):
        path = f"{BARRICADE.parent}:{os.environ['PATH']}"
        for command in commands(document):
            if not command.startswith(("barricade ", "git apply ")):
                continue
            with self.subTest(document=document, command=command):
                done = subprocess.run(
                    ["bash", "-c", command],
                    cwd=project,
                    env={**os.environ, "PATH": path},
                    capture_output=True,
                    text=True,
                )
                self.assertIn(done.returncode, GOOD_EXIT_CODES, done.stderr)

    def test_commands_run(self):
        for document in DOCUMENTS:
            self.assertTrue(commands(document), document)
            self.run_commands(document, self.make_project())

    def test_configurations_are_valid(self):
        found = blocks("docs/configuration.md", "yaml")
        self.assertTrue(found)
        for text in found:
            file = self.make_project() / "configuration.yaml"
            file.write_text(text)
            subprocess.run([BARRICADE, f"--config={file}", "--dump-config"], check=True)

    def test_mistakes_in_configurations_are_shown_so(self):
        (shown,) = (text for text in blocks("docs/configuration.md", "")
                    if ": error: " in text)
        where, line, _ = shown.splitlines()
        name, number = where.split(":")[:2]
        project = self.make_project()
        (project / name).write_text("\n" * (int(number) - 1) + line + "\n")
        done = subprocess.run([BARRICADE, "kernel.cu"], cwd=project,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn(shown, done.stderr)

    def test_commands_of_dev_exist(self):
        help_text = subprocess.run(
            [ROOT / "dev", "help"], capture_output=True, text=True, check=True
        ).stdout
        called = [c.split() for c in commands("README.md") if c.startswith("./dev ")]
        self.assertTrue(called)
        for _, name, *files in called:
            self.assertRegex(help_text, rf"(?m)^  {name}\b")
            for file in files:
                self.assertTrue((ROOT / file).is_file(), file)

    def test_picture_is_the_diff(self):
        (picture,) = blocks("README.md", "diff")
        done = subprocess.run(
            [BARRICADE, "--dry-run", "samples/jacobi/jacobi.cu"],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(picture, done.stdout)

    def test_the_fault_of_the_example_is_found_and_mended(self):
        shown, remedy = blocks("docs/rules/fence-as-barrier.md", "cuda")
        before, after = remedy.split("// After\n")
        body = "".join(f"  {line.split('//')[0].rstrip()}\n" for line in shown.splitlines())
        parameters = "(int *old, int *c, const int *b, int n, int off)"
        kernel, launch = before.removeprefix("// Before\n").split("...\n")
        project = self.make_project()
        (project / "kernel.cu").write_text(f"__global__ void update{parameters} {{\n{body}}}\n")
        (project / "solver.cu").write_text(
            kernel + f"void run{parameters.replace(')', ', int blocks)')} {{\n{launch}}}\n")
        for file in ("kernel.cu", "solver.cu"):
            done = subprocess.run(
                [BARRICADE, "--in-place", "--no-toolkit", "--no-format", file, "--", "nvcc"],
                cwd=project, capture_output=True, text=True)
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertIn("error: memory fence is used as a grid barrier", done.stdout)
        written = (project / "solver.cu").read_text()
        for part in after.split("...\n"):
            self.assertIn(part.strip(), written)

    def test_examples_have_the_reasons_that_they_are_for(self):
        file = self.make_project() / "example.cu"
        for reason, shown in examples().items():
            for example in [] if reason in NO_PROGRAM else shown:
                with self.subTest(reason):
                    file.write_text(program_of(reason, example))
                    done = subprocess.run(
                        [BARRICADE, "--json=-", "--quiet", "--no-toolkit", "--profit=any",
                         *OPTIONS.get(reason, []), file, "--", "nvcc", "-std=c++20",
                         *FLAGS.get(reason, [])],
                        capture_output=True, text=True)
                    found = {each["id"] for finding in json.loads(done.stdout)["findings"]
                             for each in finding["reasons"]}
                    self.assertIn(reason, found, done.stderr)

    def test_analyses_are_all_named(self):
        page = (ROOT / "docs/analyses.md").read_text()
        for header in ROOT.glob("matchers/facts/*.h"):
            with self.subTest(header=header.name):
                self.assertIn(f"`facts/{header.stem}", page)
        for folder in ROOT.glob("matchers/*/"):
            with self.subTest(folder=folder.name):
                self.assertIn(f"`{folder.name}/", page.replace("`matchers/", "`"))

    def test_dumps_are_all_named(self):
        page = (ROOT / "docs/analyses.md").read_text()
        (table,) = re.findall(r"^\| `--dump=` .*\n\|.*\n((?:\|.*\n)+)", page, re.M)
        done = subprocess.run([BARRICADE, "--dump=?", "kernel.cu"],
                              capture_output=True, text=True)
        (names,) = re.findall(r"expected (.*);", done.stderr)
        self.assertEqual(re.findall(r"^\| `(.*?)`", table, re.M), names.split(", "))

    def test_links_lead_somewhere(self):
        for document in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")]:
            # What stands in a block of code is no link, a lambda for instance.
            prose = re.sub(r"(?ms)^```.*?^```$", "", document.read_text())
            for link in re.findall(r"\]\(([^)#:]+)\)", prose):
                with self.subTest(document=str(document), link=link):
                    self.assertTrue((document.parent / link).exists())


if __name__ == "__main__":
    unittest.main()
