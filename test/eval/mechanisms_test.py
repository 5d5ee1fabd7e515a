#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""eval/experiments/mechanisms on the samples' own text and on sources that are
not as it expects."""

import json
import subprocess
import unittest

from support import ROOT, EvalTest
from harness import manifest

COMMAND = ROOT / "eval" / "experiments" / "mechanisms"
# What barricade writes of a relaunch loop, as far as the command looks at it.
PERSISTENT = """\
#include <barricade/gpu_sync.cuh>
static __global__ void f_persistent(barricade::LockGridBarrier bar,
                                    int n) {
  for (int i = 0; i < n; ++i) {
    step(i);
    __gpu_sync(bar);
  }
}
"""


class MechanismsTest(EvalTest):
    def prepared(self, persistent=PERSISTENT, name="prepared"):
        folder = self.folder / name
        variants = [self.entry("original", "original")]
        sources = ["samples/common/sample.h"]
        for name in ("fft", "swat", "bitonic"):
            source = f"samples/{name}/{name}.cu"
            sources.append(source)
            file = f"variants/{name}-lock/{source}"
            variants.append({**self.entry(f"{name}-lock", "single", "", {source: file}),
                             "setting": "lock"})  # fmt: skip
            (folder / file).parent.mkdir(parents=True)
            (folder / file).write_text(persistent)
        for source in sources:
            copy = folder / "original" / source
            copy.parent.mkdir(parents=True)
            copy.write_bytes((ROOT / source).read_bytes())
        programs = [{"source": s, "working-directory": "/", "command": ["nvcc"],
                     "files": [s, sources[0]]} for s in sources[1:]]  # fmt: skip
        (folder / "manifest.json").write_text(json.dumps(
            {"schema-version": 1, "root": "/", "programs": programs, "variants": variants}
        ))  # fmt: skip
        return folder

    def run_on(self, folder):
        return subprocess.run([str(COMMAND), str(folder)], capture_output=True, text=True)

    def test_adds_what_the_papers_compare_with(self):
        folder = self.prepared()
        done = self.run_on(folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = manifest.Manifest(folder)
        for program in found.programs:
            kinds = {v.setting: v.kind for v in found.variants_of(program)}
            self.assertEqual(
                kinds,
                {"": "original", "lock": "single", "graph": "comparison", "explicit": "comparison",
                 "no-barrier": "unsafe", "unsafe-lock": "unsafe", "unsafe-lock-fences": "unsafe",
                 "unsafe-lock-free": "unsafe", "unsafe-lock-free-fences": "unsafe"},
            )  # fmt: skip
        self.assertEqual(found.variant("graph").flags, ("-default-stream", "per-thread"))

        def text(name, source):
            return (folder / found.variant(name).files[source]).read_text()

        explicit = text("fft-explicit", "samples/fft/fft.cu")
        self.assertEqual(explicit.count("cudaDeviceSynchronize"), explicit.count("<<<"))
        bare = text("fft-no-barrier", "samples/fft/fft.cu")
        self.assertIn("int n) {\n  unsafe::None unsafeBar(bar.counter());\n  for", bare)
        self.assertNotIn("__gpu_sync(bar);", bare)
        self.assertIn("cudaGraphLaunch", text("graph", "samples/common/sample.h"))

    def test_other_sources_are_an_error(self):
        others = {"none": "", "call": PERSISTENT.replace("(bar)", "(bar, 1)"), "two": PERSISTENT * 2}
        for name, persistent in others.items():
            with self.subTest(name):
                done = self.run_on(self.prepared(persistent, name))
                self.assertEqual(done.returncode, 2)
                self.assertIn("the sources are not as expected", done.stderr)


if __name__ == "__main__":
    unittest.main()
