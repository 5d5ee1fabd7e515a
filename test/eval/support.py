# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A folder of variants made by hand, and fakes of nvcc and nvidia-smi."""

import contextlib
import io
import json
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "eval"))

from harness import run_command  # noqa: E402

TIMED = """//sh echo '{{"correct": true, "times_ms": [{ms}]}}'\n"""


def timed(ms):
    """A program that reports this time and up to a thousandth more: in eight
    runs one after the other, eight times that no chance decides."""
    return (
        '//sh echo >> "$0.runs"; n=$(grep -c "" "$0.runs")\n'
        "//sh t=$(awk -v r=$((n * 5 % 8)) 'BEGIN { printf \"%.6f\", "
        + str(ms)
        + " * (1 + r / 8000) }')\n"
        + TIMED.format(ms="'$t'")
    )


class EvalTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "out"
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        self.log = self.folder / "nvcc.log"
        self.environment(FAKE_NVCC_LOG=str(self.log))
        # No other nvidia-smi may be found: some machines have a GPU.
        for tool in ("bash", "sh", "awk", "sleep", "cat", "head", "seq", "python3", "env", "touch",
                     "yes", "cp", "rm", "mv", "mkdir", "grep", "kill"):  # fmt: skip
            if found := shutil.which(tool):
                (self.bin / tool).symlink_to(found)
        (self.bin / "nvcc").symlink_to(HERE / "fake" / "nvcc")
        self.environment(PATH=str(self.bin))

    def environment(self, **values):
        for name, value in values.items():
            old = os.environ.get(name)
            os.environ[name] = value
            self.addCleanup(
                lambda name=name, old=old: os.environ.pop(name)
                if old is None
                else os.environ.__setitem__(name, old)
            )

    def with_gpu(self):
        (self.bin / "nvidia-smi").symlink_to(HERE / "fake" / "nvidia-smi")

    def variants(self, original, control_of=None, more=None, **texts):
        """A folder of variants of k.cu; ids are the names of `texts`. `more`
        are other facts of variants, by id."""
        folder = self.folder / "variants"
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "original").mkdir(parents=True)
        (folder / "original" / "k.cu").write_text(original)
        variants = [self.entry("original", "original")]
        for name, text in texts.items():
            path = folder / "variants" / name
            path.mkdir(parents=True)
            (path / "k.cu").write_text(text)
            belongs_to = (control_of or {}).get(name, "")
            variants.append(
                {**self.entry(name, "control" if belongs_to else "single", belongs_to,
                              {"k.cu": f"variants/{name}/k.cu"}),
                 **(more or {}).get(name, {})}  # fmt: skip
            )
        (folder / "manifest.json").write_text(
            json.dumps(
                {
                    "schema-version": 1,
                    "tool": {"name": "barricade", "version": "0"},
                    "root": str(self.folder / "project"),
                    "programs": [
                        {
                            "source": "k.cu",
                            "working-directory": str(self.folder / "project"),
                            "command": ["nvcc", "-c", "k.cu", "-o", "k.o", "-DX=1"],
                            "files": ["k.cu"],
                            "outside": [],
                        }
                    ],
                    "variants": variants,
                }
            )
        )
        return folder

    @staticmethod
    def entry(name, kind, control_of="", files=None):
        rewrites = [] if kind == "original" else [{"rule": "artificial-barrier", "function": name}]
        return {"id": name, "kind": kind, "setting": "", "control-of": control_of,
                "rewrites": rewrites, "files": files or {}}  # fmt: skip

    def run_eval(self, *arguments):
        """(exit code, report, stderr)"""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = run_command.main([*map(str, arguments), "--out", str(self.out)])
            except SystemExit as end:
                code = end.code
        return code, out.getvalue(), err.getvalue()

    def results(self):
        return json.loads((self.out / "results.json").read_text())

    def rows(self):
        return {row["id"]: row for unit in self.results()["units"] for row in unit["variants"]}

    def builds(self):
        """How often the compiler ran."""
        return len(self.log.read_text().splitlines()) if self.log.exists() else 0
