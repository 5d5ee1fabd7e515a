# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clang-tidy with barricade's module shows the command's findings, and its fixes
are the command's changes."""

import os
import pathlib
import subprocess
import tempfile
import unittest

BARRICADE = pathlib.Path(os.environ["BARRICADE"]).resolve()
CUDA = pathlib.Path(os.environ["NVCC"]).resolve().parents[1]

KERNEL = """\
__global__ void add(float *a, const float *b, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < rounds; ++k) {
    a[i + k * n] = a[i + k * n] + b[i + k * n];
  }
  if (threadIdx.x == 0)
    for (int k = 0; k < rounds; ++k) {
      a[k] = a[k] + b[k];
    }
}
"""


class ClangTidyTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name, "k.cu")
        self.file.write_text(KERNEL)

    def tidy(self, *options, command=BARRICADE):
        done = subprocess.run(
            [os.environ["CLANG_TIDY"], "-load", os.environ["MODULE"],
             "--checks=-*,barricade-*", "--config={CheckOptions: {"
             f"barricade-artificial-barrier.Command: '{command}'}}}}",
             *options, self.file, "--", "--cuda-host-only",
             f"--cuda-path={CUDA}", "-isystem", CUDA / "include" / "cccl",
             "-Wno-unknown-cuda-version"],
            capture_output=True, text=True)
        return done.stdout + done.stderr

    def test_every_rule_is_a_check(self):
        rules = subprocess.run([BARRICADE, "--list-rules"], check=True,
                               capture_output=True, text=True).stdout
        names = [line.split(":")[0] for line in rules.splitlines()
                 if not line.startswith(" ") and " " not in line.split(":")[0]]
        self.assertIn("artificial-barrier", names)
        listed = self.tidy("--list-checks").split()
        self.assertEqual([c for c in listed if c.startswith("barricade-")],
                         sorted("barricade-" + name for name in names))

    def test_findings_and_fixes_are_the_commands(self):
        copy = self.file.with_name("copy.cu")
        copy.write_text(KERNEL)
        subprocess.run([BARRICADE, "--in-place", "--quiet", copy], check=True,
                       capture_output=True)
        self.assertNotEqual(copy.read_text(), KERNEL)

        output = self.tidy("--checks=-*,barricade-artificial-barrier", "--fix")
        self.assertIn("k.cu:3:3: warning: memory-bound for loop", output)
        self.assertIn("[barricade-artificial-barrier]", output)
        # The loop of one thread is refused, and the command says nothing.
        self.assertEqual(output.count("[barricade-artificial-barrier]"), 1)
        self.assertEqual(self.file.read_text(), copy.read_text())

    def test_missing_command_is_told(self):
        output = self.tidy("--checks=-*,barricade-artificial-barrier",
                           command="/nowhere/barricade")
        self.assertIn("barricade says nothing of", output)
        self.assertIn("'/nowhere/barricade'", output)


if __name__ == "__main__":
    unittest.main()
