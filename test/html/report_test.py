#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The HTML report, as headless Chromium shows it.

No complaint on the console, nothing wider than the window at 1280 and 400
pixels, text that stands out in both schemes, the numbers of --json, filters and
keys that work, and no way for a source or its name to become markup.
"""

import hashlib
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from browser import Browser, is_available

BARRICADE = os.environ["BARRICADE"]
# No toolkit, and no long headers of the C++ library: parsing those would take
# nearly all of the time.
FLAGS = ["--no-toolkit", "--no-config", "--", "-std=c++11"]
# WCAG 2.2, success criterion 1.4.3.
LEAST_CONTRAST = 4.5

LOOP = """\
__global__ void k{0}(const float *a, float *sums, int n) {{
  float sum = 0;
  for (int j = 0; j < n; ++j)
    sum += a[threadIdx.x * n + j];
  sums[threadIdx.x] = sum;
}}
"""
REFUSED = """\
__global__ void refused{0}(const float *a, float *sums, int n) {{
  float sum = 0;
  for (int j = 0; j < n; ++j) {{
    sum += a[blockIdx.x * n + j];
    __syncthreads();
  }}
  sums[threadIdx.x] = sum;
}}
"""
# A name, a string, a comment and a function that would like to be markup. Of
# the script's and the style's ends each is written as it would end them.
HOSTILE_NAME = "<img src=x onerror=alert(1)>&\"'.cu"
HOSTILE = (
    '// </script><script>document.title = "owned"</script> \x01 \u202e\n'
    '__device__ const char *text = "</style><b onclick=alert(1)>&amp;<!--";\n'
    "// " + "wide" * 200 + "\n"
) + LOOP.format("").replace("j < n;", "j < n /* <i>\u00fc</i> */;")

# Every element with text of its own that can be seen: its contrast with what is
# behind it. Colours that let others through are laid over each other.
CONTRASTS = """
const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
function rgba(colour) {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
}
const over = (top, below) =>
  [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
function background(element) {
  if (!element) return [255, 255, 255, 1];
  const own = rgba(getComputedStyle(element).backgroundColor);
  return own[3] === 1 ? own : over(own, background(element.parentElement));
}
function luminance(colour) {
  const [r, g, b] = colour.map(c => c / 255)
    .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
const seen = new Map();
for (const element of document.querySelectorAll('body *')) {
  const text = [...element.childNodes]
    .some(n => n.nodeType === 3 && n.data.trim());
  if (!text || !element.checkVisibility() || element.tagName === 'SCRIPT') continue;
  const behind = background(element);
  const ink = over(rgba(getComputedStyle(element).color), behind);
  const [dark, light] = [luminance(ink), luminance(behind)].sort((a, b) => a - b);
  const key = element.tagName + '.' + element.className;
  const ratio = (light + 0.05) / (dark + 0.05);
  seen.set(key, Math.min(seen.get(key) ?? 99, ratio));
}
return [...seen];
"""
# What reaches beyond the right edge, unless it scrolls within something else.
TOO_WIDE = """
return [...document.querySelectorAll('body *')]
  .filter(e => e.checkVisibility() && !e.closest('.wide, .skip, select')
    && e.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5)
  .map(e => e.tagName + '.' + e.className);
"""
VISIBLE = "return document.querySelectorAll('details.finding:not([hidden])').length"


@unittest.skipUnless(is_available(), "chromium and chromium-driver are not installed")
class ReportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = cls.enterClassContext(Browser())

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        subprocess.run(["git", "init", "-q"], cwd=self.folder, check=True)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def report(self, *options, code=0):
        """Opens the report; returns what --json says."""
        page = self.folder / "report.html"
        done = subprocess.run(
            [BARRICADE, f"--html={page}", "--json=-", *options, *FLAGS],
            cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        self.browser.set_width(1280)
        self.browser.set_scheme("light")
        self.browser.open(page)
        self.html = page.read_text()
        return json.loads(done.stdout)

    def texts(self, selector):
        return self.browser.run(
            "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)",
            selector)

    def open_all(self):
        self.browser.run("document.querySelector('#open').click()")

    def visible(self):
        return self.browser.run(VISIBLE)

    def expect_good_looks(self):
        self.open_all()
        for scheme in ("light", "dark"):
            self.browser.set_scheme(scheme)
            contrasts = self.browser.run(CONTRASTS)
            self.assertGreater(len(contrasts), 5)
            for element, contrast in contrasts:
                self.assertGreaterEqual(contrast, LEAST_CONTRAST, (scheme, element))
        for width in (1280, 400):
            self.browser.set_width(width)
            self.assertEqual(self.browser.run(TOO_WIDE), [], width)
            self.assertLessEqual(
                self.browser.run("return document.documentElement.scrollWidth"), width)
        self.assertEqual(self.browser.console(), [])

    # --- what it says ---

    def expect_same_counts(self, known):
        counts = self.browser.run("""
          return Object.fromEntries([...document.querySelectorAll('[data-count]')]
            .map(e => [e.dataset.count, +e.textContent]));""")
        reasons = self.browser.run("""
          return Object.fromEntries([...document.querySelectorAll('[data-reason]')]
            .map(e => [e.dataset.reason, +e.textContent]));""")
        summary = known["summary"]
        self.assertEqual(counts, {key: summary[key] for key in counts})
        self.assertEqual(len(counts), 6)
        self.assertEqual(sum(counts.values()), summary["findings"])
        self.assertEqual(reasons, summary["reasons"])
        self.assertEqual(self.visible(), summary["findings"])

    def test_numbers_are_those_of_json(self):
        silenced = LOOP.format(2).replace(
            "; ++j)", "; ++j) // NOLINT(barricade-artificial-barrier)")
        a = self.write("a.cu", LOOP.format(0) + REFUSED.format(1) + silenced)
        b = self.write("b.cu", LOOP.format(3))
        known = self.report(a, b)
        self.assertEqual(known["summary"]["suppressed"], 1)
        self.assertEqual(known["summary"]["refused"], 1)
        self.expect_same_counts(known)
        for finding in known["findings"]:
            (text,) = self.texts(f"#finding-{finding['fingerprint']}")
            self.assertIn(finding["message"], text)
            for name, fact in finding["facts"].items():
                self.assertIn(name, text)
            for reason in finding["reasons"]:
                self.assertIn(reason["text"], text)
                self.assertIn(reason["id"], text)

    def test_looks(self):
        a = self.write("a.cu", LOOP.format(0) + REFUSED.format(1))
        bad = self.write("bad.cu", "#include <vector>\nint x = " + "y" * 300 + ";\n")
        known = self.report(a, bad, code=3)
        self.expect_same_counts(known)
        self.assertIn("bad.cu does not parse", self.texts(".trouble")[0])
        self.expect_good_looks()

    def test_changes_are_those_of_the_diff(self):
        a = self.write("a.cu", LOOP.format(0) + "\n" * 20 + LOOP.format(1))
        self.report(a, "--edit-headers")
        diff = subprocess.run(
            [BARRICADE, "--dry-run", a, *FLAGS],
            cwd=self.folder, capture_output=True, text=True).stdout
        for sign, side in ("-", ".removed"), ("+", ".added"):
            lines = [line[1:] for line in diff.splitlines()
                     if line.startswith(sign) and not line.startswith(sign * 3)]
            self.assertEqual(self.texts(f".diff {side} > div"), lines)
        self.assertEqual(len(self.texts(".hunk")), diff.count("\n@@ "))

    def test_in_place_says_that_it_is_done(self):
        a = self.write("a.cu", LOOP.format(0))
        self.report(a, "--in-place")
        self.assertIn("rewritten", self.texts(".tile.applies")[0])
        self.assertTrue(self.texts(".diff .added > div"))

    def test_nothing_found(self):
        known = self.report(self.write("none.cu", "int x;\n"))
        self.expect_same_counts(known)
        self.expect_good_looks()

    def test_no_links_and_same_bytes_each_time(self):
        a = self.write("a.cu", LOOP.format(0))
        self.report(a)
        self.assertEqual(re.findall(r"(?:src|href|action)=\"(?!#|data:,)[^\"]*", self.html), [])
        self.assertNotIn("url(", self.html)
        self.assertNotIn(" style=", self.html)
        first = self.html
        self.report(a)
        self.assertEqual(self.html, first)

    # --- measured ---

    def measured(self):
        """Variants as barricade writes them, and results as eval/run does."""
        a = self.write("a.cu", LOOP.format(0))
        subprocess.run([BARRICADE, "--variants=work", "--variant-intervals=1,4", a, *FLAGS],
                       cwd=self.folder, check=True, capture_output=True)
        manifest = self.folder / "work" / "manifest.json"
        rows = [{"id": v["id"], "kind": v["kind"], "setting": v["setting"],
                 "median_ms": 2.0 - i / 8, "gain": None if i == 0 else i / 16,
                 "low": None, "high": i / 8, "verdict": "faster" if i else ""}
                for i, v in enumerate(json.loads(manifest.read_text())["variants"])]
        results = {
            "schema-version": 1,
            "manifest": {"path": "/nowhere/manifest.json",
                         "sha256": hashlib.sha256(manifest.read_bytes()).hexdigest()},
            "units": [{"program": "a.cu", "case": "<small>", "variants": rows}],
        }
        path = self.folder / "work" / "results" / "results.json"
        path.parent.mkdir()
        path.write_text(json.dumps(results))
        return a, path

    def test_measured_results(self):
        a, results = self.measured()
        known = self.report(a, f"--measured={results}")
        (finding,) = [f for f in known["findings"] if f["applies"]]
        self.assertEqual([m["setting"] for m in finding["measured"]], ["k1", "k4", "k4-control"])
        self.assertEqual([m["gain"] for m in finding["measured"]],
                         [1 / 16, 1 / 8, 3 / 16])
        (text,) = self.texts(f"#finding-{finding['fingerprint']}")
        for words in ("<small>", "k4", "2.0000 ms", "1.7500 ms", "+12.5 %", "faster"):
            self.assertIn(words, text)
        self.assertIn("measured +12.5 %", self.texts(".gain"))
        self.assertEqual(len(self.texts(".plot circle.faster")), 3)
        self.assertIn("k4, <small>", self.texts(".plot text"))
        self.expect_good_looks()

    def test_gains_are_those_of_the_worst_case(self):
        a, results = self.measured()
        known = json.loads(results.read_text())
        [unit] = known["units"]
        known["units"].append({**unit, "case": "large", "variants": [
            {**row, "gain": row["gain"] and -row["gain"] / 2, "low": None, "high": None}
            for row in unit["variants"]]})
        results.write_text(json.dumps(known))
        self.report(a, f"--measured={results}", "--profit=any")
        self.assertEqual(self.texts(".gain"), ["measured -3.1 %"])

    def test_measured_before_a_change_is_not_shown(self):
        a, results = self.measured()
        self.write("a.cu", "\n" + (self.folder / "a.cu").read_text())
        known = self.report(a, f"--measured={results}")
        self.assertEqual([f["measured"] for f in known["findings"]], [[]])

    def test_results_of_another_manifest_are_an_error(self):
        a, results = self.measured()
        manifest = self.folder / "work" / "manifest.json"
        manifest.write_text(manifest.read_text() + "\n")
        done = subprocess.run(
            [BARRICADE, "--html=report.html", f"--measured={results}", a, *FLAGS],
            cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("is not the manifest of", done.stderr)
        # What was measured decides what is proposed: without it nothing is.
        self.assertFalse((self.folder / "report.html").exists())

    # --- what a reader can do ---

    def many(self):
        """Ten files with twenty findings each."""
        return [self.write(f"f{i}.cu", "".join(
                    LOOP.format(j) + REFUSED.format(j) for j in range(10)))
                for i in range(10)]

    def test_filters_and_keys_with_200_findings(self):
        known = self.report(*self.many())
        self.assertEqual(known["summary"]["findings"], 200)
        self.expect_same_counts(known)
        run = self.browser.run

        run("document.querySelector('.tile.refused input').click()")
        self.assertEqual(self.visible(), 100)
        self.assertEqual(self.texts("#shown"), ["100 of 200 findings"])
        run("""const file = document.querySelector('#file');
               file.value = '3'; file.dispatchEvent(new Event('input', {bubbles: true}));""")
        self.assertEqual(self.visible(), 10)
        self.assertEqual(
            run("return document.querySelectorAll('section.file:not([hidden])').length"), 1)
        run("document.querySelector('#reset').click()")
        self.assertEqual(self.visible(), 200)

        self.browser.type("/")
        self.browser.type("k7")
        self.assertEqual(run("return document.activeElement.id"), "words")
        self.assertEqual(self.visible(), 10)
        self.browser.type("\ue00c")  # Escape leaves the field
        self.browser.type("jj\ue007")  # Enter opens the second
        self.assertEqual(
            run("""return [...document.querySelectorAll('details.finding:not([hidden])')]
                     .map(d => d.open)""")[:3], [False, True, False])
        self.browser.type("\ue004")  # Tab goes on within it
        self.assertTrue(run(
            "return document.activeElement.closest('details[open]') !== null"))
        self.browser.type("c")
        self.assertEqual(run("return document.querySelectorAll('.finding[open]').length"), 0)
        self.expect_good_looks()

    def test_tells_how_it_was_made(self):
        a = self.write("a file.cu", LOOP.format(0))
        os.environ["SOURCE_DATE_EPOCH"] = "86400"
        self.addCleanup(os.environ.pop, "SOURCE_DATE_EPOCH")
        self.report("--gpu=h200", "--profit=any", a)
        command, pays, date = self.texts(".run dd")
        self.assertTrue(command.startswith("barricade --html="), command)
        self.assertIn('"a file.cu"', command)
        self.assertIn("H200", pays)
        self.assertEqual(date, "1970-01-02")

    def test_reasons_lead_to_what_they_mean(self):
        self.report(self.write("a.cu", "__global__ void f(float *a, int n) {\n"
                               "  if (threadIdx.x == 0)\n"
                               "    for (int i = 0; i < n; ++i)\n"
                               "      a[i] += a[i + n];\n}\n"))
        self.assertTrue(self.browser.run("""
          document.querySelector('.reasons a.id').click();
          return new Promise(done => setTimeout(() => done(
            document.getElementById('reason-single-thread').open), 50))"""))
        [meaning] = self.texts("#reason-single-thread")
        self.assertIn("One thread does the work on purpose", meaning)
        self.assertEqual(self.texts("#shown"), ["1 finding"])

    def test_a_finding_leads_to_its_change_and_the_patch_applies(self):
        name = self.write("a.cu", LOOP.format(0) + "\n" * 20 + LOOP.format(1))
        self.report(name)
        links = self.browser.run("""
          return [...document.querySelectorAll('.body a')].map(a => a.hash)
            .filter(hash => hash.startsWith('#change-'));""")
        self.assertEqual(len(set(links)), 2)
        self.assertEqual(self.browser.run(
            "return arguments[0].filter(l => document.querySelector(l)).length", links), 2)
        patch = self.browser.run("""
          let copied;
          Object.defineProperty(navigator, 'clipboard',
            {value: {writeText: async text => { copied = text; }}});
          document.querySelector('button.copy').click();
          return new Promise(done => setTimeout(() => done(copied), 50));""")
        subprocess.run(["git", "apply"], cwd=self.folder, input=patch, text=True, check=True)
        applied = (self.folder / name).read_text()
        self.assertEqual(applied.count("__syncthreads();"), 2)

    def test_a_link_opens_its_finding(self):
        known = self.report(*self.many()[:2])
        target = known["findings"][-1]["fingerprint"]
        self.browser.run(f"location.hash = 'finding-{target}'")
        self.assertTrue(self.browser.run(f"""
          return new Promise(done => setTimeout(() => done(
            document.getElementById('finding-{target}').open), 50))"""))

    # --- what a source must not do ---

    def test_hostile_names_and_texts(self):
        name = self.write(HOSTILE_NAME, HOSTILE)
        known = self.report(name)
        self.assertEqual(known["summary"]["applies"], 1)
        self.expect_same_counts(known)
        self.assertIn(HOSTILE_NAME, self.texts("h2"))
        self.assertTrue(self.browser.run("return document.title").startswith("barricade: "))
        self.assertEqual(self.browser.run(
            "return document.querySelectorAll('img, b[onclick], i, main script').length"), 0)
        self.assertEqual(len(self.texts("script")), 1)
        self.expect_good_looks()

    def test_the_policy_holds(self):
        self.report(self.write("a.cu", LOOP.format(0)))
        self.browser.run("""
          const script = document.createElement('script');
          script.textContent = 'document.title = "owned"';
          document.body.append(script);
          document.body.append(Object.assign(new Image(), {src: 'https://example.org/x.png'}));""")
        self.assertNotEqual(self.browser.run("return document.title"), "owned")
        complaints = [m["message"] for m in self.browser.console()]
        self.assertEqual(len([m for m in complaints if "Content Security Policy" in m]), 2,
                         complaints)

    def test_readable_without_the_script(self):
        a = self.write("a.cu", LOOP.format(0) + REFUSED.format(1))
        self.browser.devtools("Emulation.setScriptExecutionDisabled", value=True)
        self.addCleanup(self.browser.devtools, "Emulation.setScriptExecutionDisabled",
                        value=False)
        known = self.report(a)
        self.expect_same_counts(known)


if __name__ == "__main__":
    unittest.main()
