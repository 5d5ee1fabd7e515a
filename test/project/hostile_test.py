#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Input that nobody would call a program, and machines that do not play along.

barricade answers each in bounded time with an exit code of its contract and a
line that says what is wrong, and never loses a byte of the user's file.
"""

import ctypes
import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import threading
import unittest

BARRICADE = os.environ["BARRICADE"]
LOOP = "for (int i = 0; i < n; ++i) a[i * 32 + threadIdx.x] *= 2;\n"
KERNEL = "__global__ void k(float *a, int n) {\n  %s}\n"
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 24, 1, 2


def obey_permissions():
    """For the child: root may read and write everything, but for this."""
    libc = ctypes.CDLL(None)
    for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
        libc.prctl(PR_CAPBSET_DROP, capability)


class Hostile(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def write(self, name, content):
        if isinstance(content, str):
            content = content.encode()
        (self.path / name).write_bytes(content)
        return name

    def run_on(self, name, *options, seconds=120, **more):
        return subprocess.run(
            [BARRICADE, *options, "--no-toolkit", name, "--", "-std=c++11"],
            cwd=self.path, timeout=seconds,
            stdin=subprocess.DEVNULL, capture_output=True, **more)

    def expect(self, name, code, said, *options, **more):
        done = self.run_on(name, *options, **more)
        everything = done.stdout + done.stderr
        self.assertEqual(done.returncode, code, everything[-2000:])
        self.assertIn(said.encode(), everything)
        return done

    # --- what is in the file ---

    def test_empty(self):
        self.expect(self.write("empty.cu", ""), 0, "0 findings")

    def test_binary(self):
        noise = bytes((i * 7919 + i // 251) % 256 for i in range(100_000))
        self.expect(self.write("noise.cu", noise), 2, "is not a text")

    def test_invalid_utf8(self):
        text = b"// \xff\xfe\n" + (KERNEL % LOOP).encode()
        self.expect(self.write("latin.cu", text), 1, "artificial barrier",
                    "--dry-run")

    def test_nul_bytes(self):
        text = (KERNEL % LOOP).encode().replace(b"{\n", b"{ \0\n", 1)
        name = self.write("nul.cu", text)
        self.expect(name, 0, "", "--in-place")
        self.assertEqual((self.path / name).read_bytes().count(b"\0"), 1)

    def test_deeply_nested_blocks(self):
        name = self.write("deep.cu", KERNEL % ("{" * 5000 + "}" * 5000))
        self.expect(name, 3, "bracket nesting level")

    def test_deeply_nested_expression(self):
        name = self.write("deep.cu",
                          KERNEL % ("n = " + "-(" * 20000 + "n" + ")" * 20000))
        other = self.write("good.cu", KERNEL % LOOP)
        done = self.run_on(name, other)
        # Clang's parser runs out of stack here; that spoils no other file.
        self.assertIn(done.returncode, (3, 101), done.stderr[-2000:])
        self.assertIn(b"good.cu:2:3: warning", done.stdout + done.stderr)

    def test_200_nested_loops(self):
        loops = "".join(f"for (int i{d} = 0; i{d} < n; ++i{d}) "
                        for d in range(200))
        name = self.write("loops.cu", KERNEL % (loops + "a[i0] += a[i1];\n"))
        self.expect(name, 1, "artificial barrier", "--dry-run")

    def test_50000_lines_in_one_kernel(self):
        body = "".join(f"  a[{i}] += a[threadIdx.x + {i}];\n"
                       for i in range(50_000))
        self.expect(self.write("long.cu", KERNEL % (body + LOOP)), 1,
                    "artificial barrier", "--dry-run")

    def test_50000_lines_of_kernels(self):
        before = "".join(f"  a[{i}] += {i};\n" for i in range(47))
        kernels = "".join((KERNEL % (before + LOOP)).replace(" k(", f" k{i}(")
                          for i in range(1_000))
        self.assertEqual(kernels.count("\n"), 50_000)
        self.expect(self.write("many.cu", kernels), 1, "1000 to rewrite",
                    "--dry-run", seconds=240)

    # --- what it includes ---

    def test_missing_include(self):
        name = self.write("missing.cu", '#include "nowhere.h"\n')
        self.expect(name, 3, "'nowhere.h' file not found")

    def test_circular_include(self):
        name = self.write("circle.cu", '#include "circle.cu"\n')
        self.expect(name, 3, "#include nested too deeply")

    # --- what the file is ---

    def test_folder(self):
        (self.path / "folder.cu").mkdir()
        self.expect("folder.cu", 2, "has no CUDA sources")

    def test_pipe(self):
        os.mkfifo(self.path / "pipe.cu")
        self.expect("pipe.cu", 2, "is not a regular file", seconds=10)

    def test_link_to_itself(self):
        os.symlink("loop.cu", self.path / "loop.cu")
        self.expect("loop.cu", 2, "no such file")

    def test_unreadable(self):
        name = self.write("secret.cu", KERNEL % LOOP)
        os.chmod(self.path / name, 0)
        self.expect(name, 3, "Permission denied", preexec_fn=obey_permissions)

    def test_unreadable_include(self):
        os.chmod(self.path / self.write("secret.h", ""), 0)
        name = self.write("open.cu", '#include "secret.h"\n' + KERNEL % LOOP)
        self.expect(name, 3, "secret.h", preexec_fn=obey_permissions)

    # --- writing ---

    def test_disk_full(self):
        text = KERNEL % LOOP + "// " + "x" * 100_000 + "\n"
        name = self.write("full.cu", text)

        def small_files_only():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

        done = self.run_on(name, "--in-place", preexec_fn=small_files_only)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(b"full.cu", done.stderr)
        self.assertEqual((self.path / name).read_text(), text)
        self.assertEqual(os.listdir(self.path), [name])

    def test_read_only_file(self):
        text = KERNEL % LOOP
        name = self.write("fixed.cu", text)
        os.chmod(self.path / name, 0o444)
        self.expect(name, 2, "Permission denied", "--in-place")
        self.assertEqual((self.path / name).read_text(), text)

    def test_read_only_folder(self):
        text = KERNEL % LOOP
        name = self.write("fixed.cu", text)
        os.chmod(self.path, 0o555)
        self.addCleanup(os.chmod, self.path, 0o755)
        self.expect(name, 2, "Permission denied", "--in-place",
                    preexec_fn=obey_permissions)
        self.assertEqual((self.path / name).read_text(), text)
        self.assertEqual(os.listdir(self.path), [name])

    def test_vanishes_while_read(self):
        """At any moment: the outcome is a rewrite or an error, never a file
        that comes back or a crash."""
        text = KERNEL % LOOP
        for milliseconds in (0, 5, 20, 80, 320):
            name = self.write("here.cu", text)
            timer = threading.Timer(milliseconds / 1000,
                                    (self.path / name).unlink)
            timer.start()
            done = self.run_on(name, "--in-place")
            timer.join()
            self.assertIn(done.returncode, (0, 2, 3), done.stderr)
            left = self.path / name
            if left.exists():  # written after the removal
                self.fail(f"came back after {milliseconds} ms")

    def test_changes_while_read(self):
        """What somebody writes meanwhile is not overwritten."""
        for milliseconds in (5, 20, 80, 320):
            name = self.write("here.cu", KERNEL % LOOP)
            changed = "// changed\n"
            timer = threading.Timer(
                milliseconds / 1000,
                lambda: os.replace(self.path / self.write("new", changed),
                                   self.path / name))
            timer.start()
            self.run_on(name, "--in-place")
            timer.join()
            self.assertEqual((self.path / name).read_text(), changed)


if __name__ == "__main__":
    unittest.main()
