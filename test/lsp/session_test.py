# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an editor may do to `barricade --lsp`, over its pipes."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import urllib.parse

from client import (Client, apply_edits, edits_of, offset_at, position_at,
                    uri_of)

BARRICADE = os.path.abspath(os.environ["BARRICADE"])
GOLDEN = pathlib.Path(__file__).parents[1] / "lit" / "artificial-barrier"
PROFILES = pathlib.Path(__file__).parents[2] / "data/profiles"
RUNTIME = pathlib.Path(__file__).parents[2] / "runtime/barricade/gpu_sync.cuh"

KERNEL = """\
__global__ void add(float *a, const float *b, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < rounds; ++k) {
    a[i + k * n] = a[i + k * n] + b[i + k * n];
  }
}
"""
REWRITTEN = KERNEL.replace("\n  }\n", "\n    __syncthreads();\n  }\n")
REFUSED = """\
__global__ void part(float *a, const float *b, int n) {
  if (threadIdx.x == 0)
    for (int k = 0; k < n; ++k) {
      a[k] = a[k] + b[k];
    }
}
"""
FENCE = """\
__global__ void shift(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence();
  if (i > 0)
    b[i] = a[i - 1];
}
"""

RELAUNCHED = """\
__global__ void add(int *p, int by) { p[blockIdx.x] += by; }
void run(int *p, int n) {
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, t);
}
"""


class ServerTest(unittest.TestCase):
    options = ["--no-toolkit"]
    # Newer standards make the C++ library's headers twice as long.
    flags = ["--", "-std=c++11"]
    capabilities = {
        "textDocument": {"publishDiagnostics": {
            "relatedInformation": True, "codeDescriptionSupport": True}},
        "window": {"workDoneProgress": True},
        "workspace": {"workspaceEdit": {"documentChanges": True}}}

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.file = os.path.join(self.folder, "k.cu")
        self.server = self.serve(*self.options)

    def serve(self, *options):
        server = Client([BARRICADE, "--lsp", *options, *self.flags], cwd=self.folder)
        self.addCleanup(server.__exit__)
        server.initialize(**self.capabilities)
        return server

    def show(self, text, version=1):
        """Opens the file with this text, saved or not; its diagnostics."""
        self.server.open(self.file, text, version)
        return self.server.diagnostics_of(self.file, version)

    def action(self, title, line, **options):
        found = [a for a in self.server.actions(self.file, line, **options)
                 if a["title"].startswith(title)]
        self.assertEqual(len(found), 1, title)
        return found[0]

    def apply(self, text, title, line):
        return apply_edits(text, edits_of(self.action(title, line), self.file))

    def tearDown(self):
        self.assertEqual(self.server.shut_down(), 0)


class Findings(ServerTest):
    def test_finding_is_shown_where_the_loop_begins(self):
        [found] = self.show(KERNEL)
        self.assertEqual(found["code"], "barricade-artificial-barrier")
        self.assertEqual(found["range"], {
            "start": {"line": 2, "character": 2},
            "end": {"line": 2, "character": 36}})

    def test_findings_link_to_the_page_of_their_rule(self):
        [found] = self.show(KERNEL)
        page = urllib.parse.unquote(found["codeDescription"]["href"])
        self.assertTrue(page.startswith("file:///"), page)
        self.assertTrue(page.endswith("/rules/artificial-barrier.md"), page)
        self.assertTrue(os.path.exists(page.removeprefix("file://")))

    def test_what_takes_long_is_told(self):
        self.show(KERNEL)
        self.server.actions(self.file, 2)
        # The order of a thread's messages is that of its work.
        told = [(p["value"]["kind"], p["value"].get("message"))
                for p in self.server.progress]
        self.assertEqual(told, [
            ("begin", "reading k.cu"), ("end", None),
            ("begin", "verifying the changes to k.cu"), ("end", None)])
        tokens = [p["token"] for p in self.server.progress]
        self.assertEqual((tokens[0], tokens[2]), (tokens[1], tokens[3]))
        self.assertNotEqual(tokens[0], tokens[2])

    def test_faults_are_errors(self):
        [found] = self.show(FENCE)
        self.assertEqual(found["severity"], 1)
        self.assertEqual(found["code"], "barricade-fence-as-barrier")
        self.assertEqual(found["range"]["start"], {"line": 3, "character": 2})

    def test_positions_count_utf16_units(self):
        text = KERNEL.replace("  for", "  /* é漢🚀 */ for")
        [found] = self.show(text)
        start = found["range"]["start"]
        # A blank of two, "/* ", one unit, one unit, two units, " */ ".
        self.assertEqual(start, {"line": 2, "character": 2 + 3 + 4 + 4})
        self.assertTrue(text[offset_at(text, start):].startswith("for"))

    def test_refused_loops_are_shown_with_explain_only(self):
        self.assertEqual(self.show(REFUSED), [])
        self.server.shut_down()
        self.server = self.serve(*self.options, "--explain")
        [found] = self.show(REFUSED)
        self.assertEqual(found["severity"], 4)
        places = [reason["location"] for reason in found["relatedInformation"]]
        # The condition that only some threads fulfil.
        self.assertIn((uri_of(self.file), 1),
                      [(p["uri"], p["range"]["start"]["line"]) for p in places])

    def test_hover_shows_facts_on_the_loops_head_only(self):
        [found] = self.show(KERNEL)
        head = self.server.hover(self.file, 2, 6)
        self.assertIn("instructions", head["contents"]["value"])
        self.assertIn("coalesced", head["contents"]["value"])
        self.assertEqual(head["range"], found["range"])
        for line in (1, 3):
            self.assertIsNone(self.server.hover(self.file, line, 6))

    def test_the_gpu_decides_what_is_proposed(self):
        self.show(KERNEL)
        self.assertEqual(self.server.lenses(self.file), [])
        self.server.shut_down()
        self.flags = ["--", "-std=c++17"]
        self.server = self.serve(*self.options, "--gpu=h200")
        [found] = self.show(RELAUNCHED)
        self.assertIn("(expected on an NVIDIA H200: +", found["message"])
        [(line, title)] = self.server.lenses(self.file)
        self.assertEqual(line, 2)
        self.assertTrue(title.startswith("grid-barrier: expected on an NVIDIA H200: +"), title)
        self.assertIn("expected-by profile sm_90",
                      self.server.hover(self.file, 2, 6)["contents"]["value"])
        self.server.change(self.file, 2, {"text": KERNEL})
        self.assertEqual(self.server.diagnostics_of(self.file, 2), [])
        self.assertEqual(self.server.lenses(self.file), [])
        self.assertEqual([], [a for a in self.server.actions(self.file, 2)
                              if a["kind"] == "source.fixAll.barricade"])

    def test_the_commands_calibration_holds(self):
        self.server.shut_down()
        self.flags = ["--", "-std=c++17"]
        profile = os.path.join(self.folder, "mine.json")
        text = json.loads((PROFILES / "sm_90.json").read_text())
        text["gpu"] = "my own"
        pathlib.Path(profile).write_text(json.dumps(text))
        self.server = self.serve(*self.options, f"--calibration={profile}")
        [found] = self.show(RELAUNCHED)
        self.assertIn("my own: +", found["message"])

    def test_what_loses_has_a_lens_with_explain_only(self):
        self.server.shut_down()
        self.server = self.serve(*self.options, "--gpu=h200", "--explain")
        [found] = self.show(KERNEL)
        self.assertEqual(found["severity"], 4)
        [(line, title)] = self.server.lenses(self.file)
        self.assertEqual(line, 2)
        self.assertTrue(title.startswith("artificial-barrier: expected loss on "), title)

    def test_unknown_profiles_are_told_of(self):
        self.server.shut_down()
        self.server = self.serve(*self.options, "--gpu=x99")
        [found] = self.show(KERNEL)
        self.assertIn("nothing is known of 'x99'", found["message"])

    def test_source_that_does_not_parse_says_so_and_recovers(self):
        [found] = self.show(KERNEL.replace("rounds;", "undeclared;"))
        self.assertEqual(found["code"], "not-analysed")
        self.assertIn("undeclared", found["message"])
        self.assertEqual(found["range"]["start"],
                         {"line": 2, "character": 22})
        self.server.change(self.file, 2, {"text": KERNEL})
        [found] = self.server.diagnostics_of(self.file, 2)
        self.assertEqual(found["code"], "barricade-artificial-barrier")

    def test_closing_clears(self):
        self.show(KERNEL)
        self.server.close(self.file)
        while self.server.diagnostics[uri_of(self.file)]["diagnostics"]:
            self.server.take()


class Sync(ServerTest):
    def test_text_on_disk_is_not_read_while_open(self):
        pathlib.Path(self.file).write_text("this is not C++")
        self.assertEqual(len(self.show(KERNEL)), 1)

    def test_headers_come_from_the_editor_by_every_name(self):
        header = os.path.join(self.folder, "real.h")
        pathlib.Path(header).write_text("#error on disk\n")
        os.symlink("real.h", os.path.join(self.folder, "link.h"))
        text = '#include "link.h"\n' + KERNEL.replace("rounds;", "LIMIT;")
        self.assertEqual(self.show(text)[0]["code"], "not-analysed")
        self.server.open(header, "#define LIMIT rounds\n")
        self.server.change(self.file, 2, {"text": text})
        [found] = self.server.diagnostics_of(self.file, 2)
        self.assertEqual(found["code"], "barricade-artificial-barrier")
        # The precompiled header must notice the next edit.
        self.server.change(header, 2, {"text": "#define LIMIT nothing\n"})
        self.server.change(self.file, 3, {"text": text})
        [found] = self.server.diagnostics_of(self.file, 3)
        self.assertEqual(found["code"], "not-analysed")
        self.server.close(header)

    def test_incremental_changes_apply_in_order(self):
        self.show(KERNEL)
        self.server.change(
            self.file, 2,
            {"range": {"start": {"line": 0, "character": 0},
                       "end": {"line": 0, "character": 0}},
             "text": "// 🚀\r\n\n"},
            {"range": {"start": {"line": 0, "character": 3},
                       "end": {"line": 1, "character": 0}},
             "text": "x\n\n"})
        [found] = self.server.diagnostics_of(self.file, 2)
        self.assertEqual(found["range"]["start"], {"line": 5, "character": 2})

    def test_columns_beyond_a_line_mean_its_end(self):
        self.show(KERNEL)
        self.server.change(
            self.file, 2,
            {"range": {"start": {"line": 1, "character": 5000},
                       "end": {"line": 1, "character": 5000}},
             "text": " // end"})
        self.assertEqual(len(self.server.diagnostics_of(self.file, 2)), 1)

    def test_document_out_of_step_is_dropped_not_guessed(self):
        self.show(KERNEL)
        self.server.change(
            self.file, 2, {"range": {"start": {"line": 99, "character": 0},
                                     "end": {"line": 99, "character": 0}},
                           "text": "x"})
        with self.assertRaisesRegex(RuntimeError, "not open"):
            self.server.hover(self.file, 3, 6)
        self.assertEqual(len(self.show(KERNEL, 3)), 1)

    def test_stale_results_are_dropped(self):
        self.show(KERNEL)
        for version in range(2, 60):
            self.server.change(self.file, version, {"text": KERNEL + "//" * version})
        self.server.diagnostics_of(self.file, 59)
        # What was published on the way was of versions that were current.
        self.assertEqual(len(self.server.actions(self.file, 2)), 4)


class Actions(ServerTest):
    def test_apply_gives_what_in_place_gives(self):
        self.show(KERNEL)
        self.assertEqual(self.apply(KERNEL, "Apply artificial", 2), REWRITTEN)

    def test_apply_keeps_crlf_and_counts_utf16(self):
        text = KERNEL.replace("  }\n", "  /*🚀*/ }\n", 1).replace("\n", "\r\n")
        self.show(text)
        pathlib.Path(self.file).write_text(text, newline="")
        subprocess.run([BARRICADE, "--in-place", "--quiet", *self.options,
                        self.file, *self.flags], check=True, capture_output=True)
        with open(self.file, newline="", encoding="utf-8") as changed:
            in_place = changed.read()
        self.assertIn("__syncthreads();", in_place)
        self.assertEqual(self.apply(text, "Apply artificial", 2), in_place)

    def test_apply_brings_the_runtime_header(self):
        self.flags = ["--", "-std=c++17"]  # the header's own
        header = os.path.join(self.folder, "barricade", "gpu_sync.cuh")
        title, line = "Apply grid-barrier", 2
        # One that creates no files gets no edits that need some.
        self.server = self.serve("--runtime-header=beside")
        self.show(RELAUNCHED)
        self.assertFalse([a for a in self.server.actions(self.file, line)
                          if a["title"].startswith("Apply")])
        self.server.shut_down()

        self.capabilities["workspace"]["workspaceEdit"]["resourceOperations"] = [
            "create", "rename"]
        self.addCleanup(self.capabilities["workspace"]["workspaceEdit"].pop,
                        "resourceOperations")
        self.server = self.serve("--runtime-header=beside")
        self.show(RELAUNCHED)
        create, fill, change = self.action(title, line)["edit"]["documentChanges"]
        self.assertEqual((create["kind"], create["uri"]), ("create", uri_of(header)))
        self.assertEqual(fill["textDocument"]["uri"], uri_of(header))
        self.assertEqual(apply_edits("", fill["edits"]), RUNTIME.read_text())
        self.assertIn('#include "barricade/gpu_sync.cuh"',
                      apply_edits(RELAUNCHED, change["edits"]))

        # It is there; then another file is.
        os.mkdir(os.path.dirname(header))
        shutil.copy(RUNTIME, header)
        [change] = self.action(title, line)["edit"]["documentChanges"]
        self.assertEqual(change["textDocument"]["uri"], uri_of(self.file))
        pathlib.Path(header).write_text("// mine")
        self.assertFalse([a for a in self.server.actions(self.file, line)
                          if a["title"].startswith("Apply")])

    def test_apply_tells_a_build_that_does_not_find_the_runtime_header(self):
        self.server.shut_down()
        self.flags = ["--", "-std=c++17"]  # the header's own
        self.server = self.serve(*self.options)
        self.show(RELAUNCHED)
        for title in ("Apply grid-barrier", "Apply every rewrite"):
            command = self.action(title, 2)["command"]
            self.server.call("workspace/executeCommand", command=command["command"],
                             arguments=command["arguments"])
            while not self.server.shown:
                self.server.take()
            self.assertRegex(self.server.shown.pop(), r"The build does not find .*: add -I\S+ to the flags, "
                             ".*--runtime-header=beside")
        self.server.shut_down()
        self.flags.append(f"-I{RUNTIME.parents[1]}")
        self.server = self.serve(*self.options)
        self.show(RELAUNCHED)
        self.assertNotIn("command", self.action("Apply grid-barrier", 2))

    def test_edits_name_the_version_they_are_of(self):
        self.show(KERNEL, 7)
        [changes] = self.action("Apply artificial", 2)["edit"]["documentChanges"]
        self.assertEqual(changes["textDocument"]["version"], 7)

    def test_actions_see_the_latest_text(self):
        self.show(KERNEL)
        self.server.change(self.file, 2, {"text": "\n\n" + KERNEL})
        # At once: the server has not analysed this text.
        self.assertEqual(
            self.apply("\n\n" + KERNEL, "Apply artificial", 4),
            "\n\n" + REWRITTEN)

    def test_suppress_silences_the_finding(self):
        for text in (KERNEL, KERNEL.replace("\n", "\r\n"),
                     KERNEL.replace("++k) {", "++k) { \\")):
            with self.subTest(text.splitlines()[2]):
                self.show(text)
                silenced = self.apply(text, "Suppress", 2)
                self.assertIn("NOLINT", silenced)
                self.assertEqual(silenced.count("\r"), silenced.count("\n")
                                 if "\r" in text else 0)
                self.server.change(self.file, 2, {"text": silenced})
                self.assertEqual(self.server.diagnostics_of(self.file, 2), [])
                self.server.close(self.file)

    def test_why_not_shows_the_reasons(self):
        self.show(REFUSED)
        action = self.action("Why not", 2)
        self.assertNotIn("edit", action)
        self.assertFalse([a for a in self.server.actions(self.file, 2)
                          if a["title"].startswith("Apply")])
        self.server.call("workspace/executeCommand",
                         command=action["command"]["command"],
                         arguments=action["command"]["arguments"])
        while not self.server.shown:
            self.server.take()
        self.assertIn("k.cu:2:", self.server.shown[0])

    def show_change(self):
        """Has the change shown that the action of line 2 is about."""
        action = self.action("Show what artificial", 2)
        self.assertNotIn("edit", action)
        self.server.call("workspace/executeCommand",
                         command=action["command"]["command"],
                         arguments=action["command"]["arguments"])

    def test_a_change_is_shown_before_it_is_made(self):
        subprocess.run(["git", "init", "-q"], cwd=self.folder, check=True)
        pathlib.Path(self.file).write_text(KERNEL)
        self.show(KERNEL)
        self.show_change()
        while not self.server.shown:
            self.server.take()
        subprocess.run(["git", "apply"], cwd=self.folder, check=True, text=True,
                       input=self.server.shown[0])
        self.assertEqual(pathlib.Path(self.file).read_text(), REWRITTEN)

    def test_a_change_is_shown_as_a_document_where_the_editor_can(self):
        self.server.shut_down()
        self.capabilities = {**self.capabilities,
                             "window": {"showDocument": {"support": True}}}
        self.server = self.serve(*self.options)
        self.show(KERNEL)
        self.show_change()
        while not self.server.documents:
            self.server.take()
        shown = pathlib.Path(self.server.documents[0].removeprefix("file://"))
        self.assertEqual(shown.suffix, ".diff")
        self.assertIn("\n+    __syncthreads();\n", shown.read_text())
        self.assertEqual(self.server.shown, [])
        self.server.shut_down()
        self.assertFalse(shown.exists())
        self.server = self.serve(*self.options)

    def test_titles_tell_actions_apart(self):
        text = KERNEL.replace(
            "    a[i", "    for (int j = 0; j < n; ++j) a[j] += b[j + k];\n    a[i")
        for text, two in ((text, ["line 3", "line 4"]),
                          (text.replace("{\n    for", "{ for"),
                           ["line 3, column 3", "line 3, column 38"])):
            self.show(text)
            line = text[:text.index("for (int j")].count("\n")
            titles = [a["title"] for a in self.server.actions(self.file, line)]
            self.assertEqual(len(titles), len(set(titles)), titles)
            for place in two:
                self.assertTrue([t for t in titles if t.rstrip("?").endswith(place)
                                 and not t.startswith("Suppress")], titles)
            self.server.close(self.file)

    def test_kinds_are_filtered(self):
        self.show(KERNEL)
        kinds = [a["kind"] for a in self.server.actions(self.file, 2,
                                                        only=["quickfix"])]
        self.assertEqual(kinds, ["quickfix"] * 3)
        self.assertEqual(self.server.actions(self.file, 2, only=["refactor"]),
                         [])


class Goldens(ServerTest):
    # All that the goldens hold, whatever each file's own test asks for.
    options = ServerTest.options + ["--min-memory-ratio=0", "--min-instructions=0"]
    flags = ["--", f"-I{GOLDEN.parent / 'Inputs'}"]

    def test_golden_files(self):
        for golden in sorted(GOLDEN.glob("golden-*.cu")):
            with self.subTest(golden.name):
                text = golden.read_text()
                path = os.path.join(self.folder, golden.name)
                shutil.copy(golden, path)
                self.server.open(path, text)
                found = self.server.diagnostics_of(path, 1)
                self.assertGreater(len(found), 2)
                [every] = self.server.actions(path, 0, only=["source.fixAll"])
                subprocess.run([BARRICADE, "--in-place", "--quiet",
                                *self.options, path, *self.flags],
                               check=True, capture_output=True)
                in_place = pathlib.Path(path).read_text()
                self.assertNotEqual(in_place, text)
                self.assertEqual(apply_edits(text, edits_of(every, path)),
                                 in_place)
                self.server.close(path)


class Databases(ServerTest):
    flags = []

    def test_found_above_the_file_and_reread_on_save(self):
        text = KERNEL.replace("rounds;", "LIMIT;")
        self.assertEqual(self.show(text)[0]["code"], "not-analysed")
        pathlib.Path(self.folder, "compile_commands.json").write_text(json.dumps([
            {"directory": self.folder, "file": "k.cu",
             "arguments": ["nvcc", "-DLIMIT=8", "-c", "k.cu"]}]))
        self.server.notify("textDocument/didSave",
                           textDocument={"uri": uri_of(self.file)})
        while (self.server.diagnostics[uri_of(self.file)]["diagnostics"][0]["code"]
               == "not-analysed"):
            self.server.take()

    def test_header_is_read_through_its_includer(self):
        pathlib.Path(self.folder, "compile_commands.json").write_text(json.dumps([
            {"directory": self.folder, "file": "main.cu",
             "arguments": ["nvcc", "-c", "main.cu"]}]))
        pathlib.Path(self.folder, "main.cu").write_text('#include "k.cuh"\n')
        self.file = os.path.join(self.folder, "k.cuh")
        pathlib.Path(self.file).write_text("")
        self.assertEqual(len(self.show(KERNEL)), 1)
        self.server.change(self.file, 2, {"text": "\n" + KERNEL})
        [found] = self.server.diagnostics_of(self.file, 2)
        self.assertEqual(found["range"]["start"]["line"], 3)

    def test_missing_database_is_told_not_fatal(self):
        self.server.shut_down()
        self.server = self.serve("-p", os.path.join(self.folder, "nowhere"))
        [found] = self.show(KERNEL)
        self.assertEqual(found["code"], "not-analysed")
        self.assertIn("compile_commands.json", found["message"])

    def test_folder_that_does_not_exist(self):
        self.file = os.path.join(self.folder, "not", "there", "k.cu")
        self.assertEqual(len(self.show(KERNEL)), 1)


class Pulled(ServerTest):
    """Diagnostics that the editor asks for."""
    flags = []
    capabilities = {"textDocument": {"diagnostic": {}},
                    "workspace": {"diagnostics": {"refreshSupport": True}}}

    def serve(self, *options):
        server = Client([BARRICADE, "--lsp", *options, *self.flags], cwd=self.folder)
        self.addCleanup(server.__exit__)
        self.provider = server.initialize(
            self.folder, {"workspaceDiagnostics": True},
            **self.capabilities)["capabilities"]["diagnosticProvider"]
        return server

    def pull(self, known=None):
        return self.server.call("textDocument/diagnostic",
                                textDocument={"uri": uri_of(self.file)},
                                **({"previousResultId": known} if known else {}))

    def write(self, name, text):
        path = pathlib.Path(self.folder, name)
        path.write_text(text)
        return uri_of(path)

    def survey(self, known=None, **more):
        return self.server.start("workspace/diagnostic", previousResultIds=[
            {"uri": uri, "value": value} for uri, value in (known or {}).items()], **more)

    def surveyed(self, request):
        """By URI, the reports."""
        return {report["uri"]: report
                for report in self.server.wait(request)["result"]["items"]}

    def test_of_a_document(self):
        self.assertTrue(self.provider["workspaceDiagnostics"])
        self.server.open(self.file, KERNEL)
        first = self.pull()
        [found] = first["items"]
        self.assertEqual((first["kind"], found["code"]),
                         ("full", "barricade-artificial-barrier"))
        again = self.pull(first["resultId"])
        self.assertEqual(again, {"kind": "unchanged", "resultId": first["resultId"]})
        self.server.change(self.file, 2, {"text": "\n" + KERNEL})
        moved = self.pull(first["resultId"])
        self.assertEqual(moved["items"][0]["range"]["start"]["line"], 3)
        # What is asked for is not told besides. Editors ask once more for what
        # was closed.
        self.server.close(self.file)
        self.assertEqual(self.pull(moved["resultId"])["kind"], "unchanged")
        self.server.call("shutdown")
        self.assertEqual(self.server.diagnostics, {})
        self.server = self.serve()

    def test_a_header_that_changes_has_them_asked_for_again(self):
        header = os.path.join(self.folder, "k.h")
        self.write("k.h", "#define LIMIT rounds\n")
        self.server.open(self.file, '#include "k.h"\n' + KERNEL.replace("rounds;", "LIMIT;"))
        known = self.pull()["resultId"]
        self.server.open(header, "#define LIMIT rounds\n")
        self.server.refreshes = 0
        self.server.change(header, 2, {"text": "#define LIMIT nothing\n"})
        while not self.server.refreshes:
            self.server.take()
        [found] = self.pull(known)["items"]
        self.assertEqual(found["code"], "not-analysed")

    def test_of_the_workspace(self):
        a, b = self.write("a.cu", KERNEL), self.write("b.cu", FENCE)
        self.write("c.cpp", "not C++")
        reports = self.surveyed(self.survey())
        self.assertEqual({uri: [d["severity"] for d in report["items"]]
                          for uri, report in reports.items()}, {a: [3], b: [1]})
        known = {uri: report["resultId"] for uri, report in reports.items()}
        # Nothing is new: the answer comes with the next change, and has no more.
        later = self.survey(known)
        self.write("a.cu", "\n" + KERNEL)
        self.server.notify("textDocument/didSave", textDocument={"uri": a})
        news = self.surveyed(later)
        self.assertEqual(list(news), [a])
        self.assertEqual(news[a]["items"][0]["range"]["start"]["line"], 3)
        # A file that is gone, a new one.
        known[a] = news[a]["resultId"]
        later = self.survey(known)
        os.unlink(os.path.join(self.folder, "b.cu"))
        new = self.write("d.cu", KERNEL)
        self.server.notify("workspace/didChangeWatchedFiles", changes=[])
        news = self.surveyed(later)
        self.assertEqual({uri: len(report["items"]) for uri, report in news.items()},
                         {b: 0, new: 1})

    def test_of_the_workspace_bit_by_bit(self):
        uris = {self.write(name, KERNEL) for name in ("a.cu", "b.cu")}
        request = self.survey(partialResultToken="bits")
        self.assertEqual(self.surveyed(request), {})
        bits = [p["value"]["items"] for p in self.server.progress
                if p["token"] == "bits"]
        self.assertEqual([len(items) for items in bits], [1, 1])
        self.assertEqual({items[0]["uri"] for items in bits}, uris)

    def test_what_is_open_has_one_result_for_both(self):
        # As Visual Studio Code does: the id of the document's own result.
        self.write("k.cu", KERNEL)
        [report] = self.surveyed(self.survey()).values()
        self.server.open(self.file, "\n" + KERNEL)
        known = self.pull()["resultId"]
        self.assertNotEqual(known, report["resultId"])
        later = self.survey({report["uri"].replace("k.cu", "%6b.cu"): known})
        self.server.close(self.file)
        [news] = self.surveyed(later).values()
        self.assertEqual(news["items"][0]["range"]["start"]["line"], 2)

    def test_documents_come_before_the_workspace(self):
        for number in range(5):
            self.write(f"{number}.cu", KERNEL)
        request = self.survey(partialResultToken="bits")
        self.server.open(self.file, KERNEL)
        self.assertEqual(len(self.pull()["items"]), 1)
        self.assertLess(len(self.server.progress), 5)
        self.server.notify("$/cancelRequest", id=request)
        self.assertEqual(self.server.wait(request)["error"]["code"], -32800)

    def test_who_asks_for_neither_is_not_told_that_it_can(self):
        plain = Client([BARRICADE, "--lsp"], cwd=self.folder)
        self.addCleanup(plain.__exit__)
        self.assertNotIn("diagnosticProvider", plain.initialize()["capabilities"])
        plain.shut_down()


class Configurations(ServerTest):
    """.barricade.yaml of each file's own folder, as it is at each edit."""
    flags = []

    def configure(self, text, folder="."):
        pathlib.Path(self.folder, folder, ".barricade.yaml").write_text(text)

    def after_an_edit(self, version):
        self.server.change(self.file, version, {"text": KERNEL + "\n" * version})
        return self.server.diagnostics_of(self.file, version)

    def test_a_file_that_changes_counts_from_the_next_edit(self):
        self.assertEqual(len(self.show(KERNEL)), 1)
        self.configure("min-instructions: 1000\n")
        self.assertEqual(self.after_an_edit(2), [])
        self.configure("min-instructions: 1000\nexplain: true\n")
        [hint] = self.after_an_edit(3)
        self.assertEqual(hint["severity"], 4)
        os.unlink(os.path.join(self.folder, ".barricade.yaml"))
        [found] = self.after_an_edit(4)
        self.assertEqual(found["severity"], 3)

    def test_changed_settings_have_it_read_again(self):
        self.assertEqual(len(self.show(KERNEL)), 1)
        self.configure("min-instructions: 1000\n")
        self.server.diagnostics.clear()
        self.server.notify("workspace/didChangeConfiguration", settings={})
        self.assertEqual(self.server.diagnostics_of(self.file, 1), [])

    def test_each_folder_has_its_own(self):
        for name, text in (("quiet", "rules: 'grid-*'\n"), ("loud", "")):
            os.mkdir(os.path.join(self.folder, name))
            self.configure(text, name)
        quiet, loud = (os.path.join(self.folder, name, "k.cu")
                       for name in ("quiet", "loud"))
        self.server.open(quiet, KERNEL)
        self.server.open(loud, KERNEL)
        self.assertEqual(len(self.server.diagnostics_of(loud, 1)), 1)
        self.assertEqual(self.server.diagnostics_of(quiet, 1), [])

    def test_flags_and_build_folder(self):
        text = KERNEL.replace("rounds;", "LIMIT;")
        self.assertEqual(self.show(text)[0]["code"], "not-analysed")
        self.configure("compile-flags: [ '-DLIMIT=8' ]\n")
        self.server.change(self.file, 2, {"text": text + "\n"})
        [found] = self.server.diagnostics_of(self.file, 2)
        self.assertNotEqual(found["code"], "not-analysed")

    def test_a_mistake_is_told_and_recovers(self):
        self.show(KERNEL)
        self.configure("min-instruction: 8\n")
        [found] = self.after_an_edit(2)
        self.assertEqual(found["code"], "not-analysed")
        self.assertIn("unknown key 'min-instruction'", found["message"])
        self.configure("min-instructions: 4\n")
        [found] = self.after_an_edit(3)
        self.assertNotEqual(found["code"], "not-analysed")

    def test_the_command_line_wins(self):
        self.server.shut_down()
        self.server = self.serve(*self.options, "--min-instructions=4")
        self.configure("min-instructions: 1000\n")
        self.assertEqual(len(self.show(KERNEL)), 1)


class Protocol(ServerTest):
    def test_cancelled_request_is_answered(self):
        self.show(KERNEL)
        self.server.change(self.file, 2, {"text": KERNEL + "\n"})
        request = self.server.start(
            "textDocument/hover", textDocument={"uri": uri_of(self.file)},
            position={"line": 3, "character": 6})
        self.server.notify("$/cancelRequest", id=request)
        reply = self.server.wait(request)
        # It may have been too late.
        if "error" in reply:
            self.assertEqual(reply["error"]["code"], -32800)
        self.assertEqual(len(self.server.diagnostics_of(self.file, 2)), 1)

    def test_malformed_messages_are_passed_over(self):
        for content in (
                b"Content-Length: 5\r\n\r\nhello",
                b"Content-Length: 99999999999999999999\r\n\r\n",
                b"Content-Length: -1\r\n\r\n",
                b"no header at all\r\n\r\n",
                b"\r\n\r\n",
                b"Content-Length: 3\r\n\r\n\xff\xfe\x00"):
            self.server.send_bytes(content)
        for text in ("null", "[]", "{}", '"x"', "1e999", '{"jsonrpc":"1.0"}',
                     '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","method":5}',
                     '{"jsonrpc":"2.0","id":7,"result":{}}',
                     '{"jsonrpc":"2.0","id":[{}],"error":{"code":"x"}}',
                     '{"jsonrpc":"2.0","method":"textDocument/didOpen"}',
                     '{"jsonrpc":"2.0","method":"$/cancelRequest"}',
                     '{"jsonrpc":"2.0","method":"$/unknown","params":3}',
                     '{"jsonrpc":"2.0","method":"exit"',
                     "[" * 1000000):
            self.server.send_text(text)
        self.server.notify("textDocument/didOpen", textDocument={
            "uri": "untitled:Untitled-1", "languageId": "cuda", "version": 1,
            "text": KERNEL})
        self.server.notify("textDocument/didChange", textDocument={
            "uri": uri_of("/never/opened.cu"), "version": 1},
            contentChanges=[{"text": ""}])
        self.assertEqual(len(self.show(KERNEL)), 1)

    def test_bad_parameters_get_an_error(self):
        self.show(KERNEL)
        uri = uri_of(self.file)
        for method, params in (
                ("textDocument/hover", None),
                ("textDocument/hover", {"textDocument": {"uri": uri}}),
                ("textDocument/hover",
                 {"textDocument": {"uri": 4}, "position": 5}),
                ("textDocument/codeAction", {"textDocument": {"uri": uri}}),
                ("workspace/executeCommand", {"command": "rm"}),
                ("workspace/executeCommand",
                 {"command": "barricade.showReasons", "arguments": [{}]}),
                ("textDocument/definition", {})):
            self.server.last_id += 1
            self.server.send(id=self.server.last_id, method=method,
                             params=params)
            self.assertIn("error", self.server.wait(self.server.last_id), method)
        # Beyond the document: nothing is there, and nothing breaks.
        self.assertIsNone(self.server.hover(self.file, 5000, 5000))
        self.assertIsNone(self.server.hover(self.file, -1, -1))

    def test_requests_outside_of_a_session_are_refused(self):
        fresh = Client([BARRICADE, "--lsp"])
        self.addCleanup(fresh.__exit__)
        reply = fresh.wait(fresh.start(
            "textDocument/hover", textDocument={"uri": uri_of(self.file)},
            position={"line": 0, "character": 0}))
        self.assertEqual(reply["error"]["code"], -32002)
        # Gone without a word.
        fresh.process.stdin.close()
        self.assertEqual(fresh.process.wait(timeout=60), 2)

    def test_exit_does_not_wait_for_an_analysis(self):
        self.server.open(self.file, KERNEL)


class Toolkit(ServerTest):
    """With the headers of an installed toolkit, where there is one."""
    options, flags = [], []

    def test_template_that_host_code_uses_first(self):
        # Its body is not read for the host's use; the device's needs it.
        text = ("#include <cuda/std/utility>\n"
                "void host(int &a, int &b) { cuda::std::swap(a, b); }\n"
                + KERNEL.replace("rounds) {", "rounds) {\n  int m = 1, o = 2;")
                .replace("    a[i", "    cuda::std::swap(m, o);\n    a[i"))
        pathlib.Path(self.file).write_text(text)
        whole = json.loads(subprocess.run(
            [BARRICADE, "--json=-", "--quiet", self.file],
            check=True, capture_output=True).stdout)
        calls = [finding["facts"]["calls"]["value"]
                 for finding in whole["findings"]]
        self.assertEqual(len(self.show(text)), len(calls))
        # By the second version the headers are precompiled.
        self.server.change(self.file, 2, {"text": text + "int more;\n"})
        self.server.diagnostics_of(self.file, 2)
        facts = self.server.hover(self.file, 5, 6)["contents"]["value"]
        self.assertEqual(calls, [0])
        self.assertIn("calls 0 per", facts)


if __name__ == "__main__":
    unittest.main()
