#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What --sarif and --baseline write is what code scanning can use.

The log passes Microsoft's SARIF Multitool (its schema and its rules for GitHub),
its fixes applied by a program of our own give what --in-place gives, and its
fingerprints outlast changes elsewhere.
"""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import urllib.parse

BARRICADE = os.environ["BARRICADE"]
NPM = pathlib.Path(os.environ["BUILD_DIR"]) / "npm"
MULTITOOL = "@microsoft/sarif-multitool@5.7.0"

LOOP = """\
  float sum = 0; /* \u00fc \U0001d11e */ for (int j = 0; j < n; ++j)
    sum += a[threadIdx.x * n + j];
  sums[threadIdx.x] = sum;
"""
SOURCE = f"""\
__global__ void first(const float *a, float *sums, int n) {{
{LOOP}}}

__global__ void second(const float *a, float *sums, int n) {{
{LOOP}}}

__global__ void silenced(const float *a, float *sums, int n) {{
  float sum = 0;
  for (int j = 0; j < n; ++j) // NOLINT(barricade-artificial-barrier)
    sum += a[threadIdx.x * n + j];
  sums[threadIdx.x] = sum;
}}
"""
FENCE = """
__global__ void leftNeighbour(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence();
  if (i > 0)
    b[i] = a[i - 1];
}
"""

# Debian's, whatever Python runs this test: python3-jsonschema is a package of it.
SYSTEM_PYTHON = "/usr/bin/python3"


def multitool():
    """Path of the validator, from npm; None where it cannot be had."""
    program = (
        NPM / "node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool"
    )
    if not program.exists() and shutil.which("npm"):
        NPM.mkdir(exist_ok=True)
        subprocess.run(
            ["npm", "install", "--no-audit", "--no-fund", MULTITOOL],
            cwd=NPM,
            capture_output=True,
        )
    if not program.exists():
        return None
    program.chmod(0o755)
    return program


def offset(text, line, column):
    """Index into text of a line and a column in UTF-16 code units, from 1."""
    lines = text.splitlines(keepends=True)
    before = lines[line - 1].encode("utf-16-le")[: 2 * (column - 1)]
    return sum(map(len, lines[: line - 1])) + len(before.decode("utf-16-le"))


def apply_fixes(text, results):
    """The text with the fixes of all results made."""
    edits = set()
    for result in results:
        for fix in result.get("fixes", []):
            for change in fix["artifactChanges"]:
                for new in change["replacements"]:
                    where = new["deletedRegion"]
                    begin = offset(text, where["startLine"], where["startColumn"])
                    end = offset(text, where["endLine"], where["endColumn"])
                    edits.add((begin, end, new["insertedContent"]["text"]))
    for begin, end, new in sorted(edits, reverse=True):
        text = text[:begin] + new + text[end:]
    return text


class SarifTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        subprocess.run(["git", "init", "-q"], cwd=self.folder, check=True)
        # A name that a URI must escape.
        self.source = self.folder / "sub dir" / "k\u00fc.cu"
        self.source.parent.mkdir()
        self.source.write_text(SOURCE)

    def run_barricade(self, *options, code=0):
        done = subprocess.run(
            [BARRICADE, "--no-toolkit", "--profit=any", *options, self.source,
             "--", "--cuda-gpu-arch=sm_90", "-std=c++11"],
            cwd=self.folder,
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def log(self, *options):
        return json.loads(self.run_barricade("--sarif=-", *options).stdout)

    def results(self, *options):
        return self.log(*options)["runs"][0]["results"]

    def test_validators_accept_it(self):
        program = multitool()
        if not program:
            self.skipTest(f"npm cannot install {MULTITOOL} here")
        log = self.folder / "log.sarif"
        report = self.folder / "report.sarif"
        self.run_barricade(f"--sarif={log}", "--explain", "--unused-suppressions")
        subprocess.run(
            [program, "validate", log, "--rule-kind", "Sarif;Ghas", "-o", report]
            + ["--level", "Error;Warning", "--log", "ForceOverwrite"],
            env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"},
            capture_output=True,
        )
        complaints = [
            (r["ruleId"], r["message"])
            for r in json.loads(report.read_text("utf-8-sig"))["runs"][0]["results"]
            if r.get("level", "warning") in ("error", "warning")
        ]
        # It says nothing at all of a log that it cannot read. That we have no
        # page of our own to name (informationUri) shows that it did.
        self.assertEqual([rule for rule, _ in complaints], ["SARIF2005"], complaints)

    def test_the_schema_accepts_it(self):
        """The standard's JSON schema, read by a second, independent validator."""
        program = multitool()
        if not program:
            self.skipTest(f"npm cannot install {MULTITOOL} here")
        schema = program.parent / "sarif-2.1.0.json"
        have = subprocess.run([SYSTEM_PYTHON, "-c", "import jsonschema"],
                              capture_output=True)
        if have.returncode:
            self.skipTest("python3-jsonschema is not installed")

        def complaints(log):
            path = self.folder / "log.sarif"
            path.write_text(json.dumps(log))
            return subprocess.run(
                [SYSTEM_PYTHON, "-W", "ignore", "-m", "jsonschema", "-i", path, schema],
                capture_output=True, text=True).stderr

        self.source.write_text(SOURCE + "// NOLINT(barricade-none)\n")
        log = self.log("--explain", "--unused-suppressions")
        self.assertEqual(complaints(log), "")
        # And of a source that does not parse, with its notification.
        self.source.write_text("int x = y;\n")
        failed = json.loads(self.run_barricade("--sarif=-", code=3).stdout)
        self.assertEqual(complaints(failed), "")
        # It is read: what the standard does not know is refused.
        log["runs"][0]["results"][0]["level"] = "dire"
        self.assertIn("dire", complaints(log))

    def test_it_is_within_githubs_limits(self):
        """Those of docs.github.com, "SARIF support for code scanning"."""
        (run,) = self.log("--explain")["runs"]
        self.assertLessEqual(len(run["tool"]["driver"]["rules"]), 25000)
        self.assertLessEqual(len(run["results"]), 25000)
        for rule in run["tool"]["driver"]["rules"]:
            self.assertLessEqual(len(rule["shortDescription"]["text"]), 1024)
            self.assertLessEqual(len(rule["fullDescription"]["text"]), 1024)
            self.assertLessEqual(len(rule["properties"]["tags"]), 20)
        for result in run["results"]:
            self.assertLessEqual(len(result["locations"]), 1000)
            self.assertLessEqual(len(result.get("relatedLocations", [])), 1000)
            self.assertTrue(result["message"]["text"])
            self.assertTrue(result["partialFingerprints"])

    def test_faults_are_security_errors_and_come_first(self):
        self.source.write_text(SOURCE + FENCE)
        log = json.loads(self.run_barricade("--sarif=-", code=4).stdout)
        (run,) = log["runs"]
        first, *others = run["results"]
        self.assertEqual(first["ruleId"], "barricade-fence-as-barrier")
        self.assertEqual(first["level"], "error")
        self.assertEqual({r["level"] for r in others}, {"warning"})
        rules = run["tool"]["driver"]["rules"]
        self.assertEqual(rules[first["ruleIndex"]]["id"], first["ruleId"])
        for rule in rules:
            of_faults = rule["id"] == first["ruleId"]
            self.assertEqual("security" in rule["properties"]["tags"], of_faults)
            self.assertEqual("security-severity" in rule["properties"], of_faults)

    def test_fixes_give_what_in_place_gives(self):
        results = self.results()
        self.assertEqual(sum("fixes" in r for r in results), 2)
        fixed = apply_fixes(SOURCE, results)
        self.run_barricade("--in-place")
        self.assertEqual(fixed, self.source.read_text())
        self.assertNotEqual(fixed, SOURCE)

    def test_uris_are_relative_and_escaped(self):
        (run,) = self.log()["runs"]
        base = run["originalUriBaseIds"]["%SRCROOT%"]["uri"]
        self.assertEqual(base, self.folder.as_uri() + "/")
        where = run["results"][0]["locations"][0]["physicalLocation"]
        uri = where["artifactLocation"]["uri"]
        self.assertEqual(urllib.parse.unquote(uri), "sub dir/k\u00fc.cu")
        self.assertTrue(uri.isascii() and " " not in uri)

    def test_suppressed_findings_are_listed_as_such(self):
        suppressed = [r for r in self.results() if "suppressions" in r]
        self.assertEqual(len(suppressed), 1)
        self.assertEqual(suppressed[0]["suppressions"][0]["kind"], "inSource")
        self.assertNotIn("fixes", suppressed[0])

    def test_fingerprints_outlast_changes_elsewhere(self):
        def fingerprints():
            return [r["partialFingerprints"]["barricade/v1"] for r in self.results()]

        before = fingerprints()
        self.assertEqual(len(set(before)), 3)
        self.source.write_text("// moved\n\nint other;\n" + SOURCE)
        self.assertEqual(fingerprints(), before)
        self.source.write_text(SOURCE.replace("first", "renamed"))
        after = fingerprints()
        self.assertEqual(len(set(before) - set(after)), 1)

    def test_a_baseline_leaves_what_is_new(self):
        self.run_barricade("--write-baseline=known.txt")
        self.source.write_text("int moved;\n" + SOURCE)
        self.assertEqual(self.run_barricade("--dry-run", "--baseline=known.txt").stdout, "")
        self.source.write_text(SOURCE + SOURCE.replace("first", "third").split("\n\n")[0])
        new = [r for r in self.results("--baseline=known.txt") if "fixes" in r]
        self.assertEqual(len(new), 1)
        self.assertIn("third", new[0]["message"]["text"])
        kinds = sorted(entry["kind"] for r in self.results("--baseline=known.txt")
                       for entry in r.get("suppressions", []))
        self.assertEqual(kinds, ["external", "external", "inSource"])
        # A baseline made with a baseline still lists what that one lists.
        first = (self.folder / "known.txt").read_text().splitlines()
        self.run_barricade("--baseline=known.txt", "--write-baseline=next.txt")
        second = (self.folder / "next.txt").read_text().splitlines()
        self.assertEqual(len(second), len(first) + 1)
        self.assertLess(set(line.split()[0] for line in first),
                        set(line.split()[0] for line in second))

    def test_a_file_that_is_no_baseline_is_an_error(self):
        (self.folder / "other.txt").write_text("# fine\nnot a fingerprint\n")
        done = self.run_barricade("--baseline=other.txt", code=2)
        self.assertIn("'other.txt', line 2: this is no entry", done.stderr)


if __name__ == "__main__":
    unittest.main()
