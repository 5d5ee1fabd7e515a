#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--cache-dir changes how long a run takes, and nothing else.

Every output is the same byte by byte without a cache, with an empty one and
with a full one, whatever changed in between; damaged entries, many runs at once
and full disks included. That an entry was used shows in its inode: a result
that was made anew is put in its place.
"""

import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import tempfile
import unittest

BARRICADE = os.environ["BARRICADE"]
SOURCE = """\
#include "scale.h"
__global__ void sums(const float *a, float *sums, int n) {
  float sum = 0;
  for (int j = 0; j < n; ++j)
    sum += SCALE * a[threadIdx.x * n + j];
  sums[threadIdx.x] = sum;
}
__global__ void waits(const float *a, float *sums, int n) {
  for (int j = 0; j < n; ++j) {
    sums[j] += a[threadIdx.x * n + j];
    __syncthreads();
  }
}
"""
HEADER = "#define SCALE 2\n"
# No toolkit, and no long headers of the C++ library: parsing those would take
# nearly all of the time.
FLAGS = ["--no-toolkit"]
STANDARD = "-std=c++11"
REPORTS = ["--json", "--sarif", "--html", "--export-fixes", "--write-baseline"]


class CacheTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.cache = self.folder / "cache"
        self.project = self.folder / "project"
        (self.project / "late").mkdir(parents=True)
        subprocess.run(["git", "init", "-q"], cwd=self.project, check=True)
        self.write("late/scale.h", HEADER)
        self.write("a.cu", SOURCE)

    def write(self, name, text):
        (self.project / name).write_text(text)

    def run_barricade(self, *options, cache=None, command=BARRICADE,
                      flags=("-Iearly", "-Ilate"), files=("a.cu",), **more):
        where = [f"--cache-dir={cache}"] if cache else []
        return subprocess.run(
            [command, *where, *FLAGS, *options, *files, "--", STANDARD, *flags],
            cwd=self.project, capture_output=True, **more)

    def outputs(self, *options, **more):
        """Everything that a run says, but for the name of the cache in the command."""
        reports = self.folder / "reports"
        shutil.rmtree(reports, ignore_errors=True)
        reports.mkdir()
        named = [f"{name}={reports / name[2:]}" for name in REPORTS]
        done = self.run_barricade("--dry-run", "--explain", "--unused-suppressions",
                                  *named, *options, **more)
        cache = f"--cache-dir={more.get('cache')} ".encode()
        return {"code": done.returncode, "stdout": done.stdout, "stderr": done.stderr,
                **{path.name: path.read_bytes().replace(cache, b"") for path in reports.iterdir()}}

    def entries(self):
        """{name: inode}"""
        return {path.name: path.stat().st_ino for path in self.cache.glob("llvmcache-*")}

    def expect_made(self, *options, **more):
        """The result is right, and was not taken from the cache."""
        before = self.entries()
        self.assertEqual(self.outputs(*options, cache=self.cache, **more),
                         self.outputs(*options, **more))
        self.assertNotEqual(self.entries(), before)

    def expect_found(self, *options, **more):
        """The result is right, and was taken from the cache."""
        before = self.entries()
        self.assertEqual(self.outputs(*options, cache=self.cache, **more),
                         self.outputs(*options, **more))
        self.assertEqual(self.entries(), before)
        self.assertTrue(before)

    # --- hits ---

    def test_same_bytes_without_with_empty_and_with_full_cache(self):
        self.expect_made()
        self.expect_found()
        self.assertEqual(self.outputs()["code"], 1)

    def test_in_place_and_output_dir(self):
        self.expect_made()
        self.run_barricade("--output-dir=out", cache=self.cache)
        self.run_barricade("--in-place", cache=self.cache)
        changed = (self.project / "a.cu").read_bytes()
        self.assertNotEqual(changed, SOURCE.encode())
        self.assertEqual((self.project / "out" / "a.cu").read_bytes(), changed)
        self.expect_made()

    def test_what_is_judged_after_the_analysis_needs_none(self):
        self.expect_made()
        self.expect_found("--kernel=sums")
        self.expect_found("--lines=a.cu:1-5")

    def test_findings_in_a_header(self):
        self.write("late/scale.h", HEADER + SOURCE.split("\n", 1)[1].replace("sums(", "h("))
        self.write("a.cu", '#include "scale.h"\n')
        self.expect_made("--edit-headers")
        self.expect_found("--edit-headers")

    def test_a_file_that_does_not_parse_until_its_header_comes(self):
        (self.project / "late" / "scale.h").unlink()
        self.expect_made()
        self.expect_found()
        self.write("late/scale.h", HEADER)
        self.expect_made()
        self.assertEqual(self.outputs(cache=self.cache)["code"], 1)

    def test_it_takes_less_time(self):
        names = [f"f{i}.cu" for i in range(4)]
        for name in names:
            self.write(name, SOURCE)

        def seconds():
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            # The checks of what is rewritten are made anew every time, and kept
            # headers leave next to nothing to save.
            self.run_barricade("--no-verify", "--no-header-cache", cache=self.cache,
                               files=names)
            return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

        first, second = seconds(), seconds()
        print(f"processor time of 4 files: {first:.2f} s, then {second:.2f} s")
        self.assertLess(second, first / 2)

    # --- what must be made anew ---

    def test_a_changed_source_even_of_same_size_and_time(self):
        self.expect_made()
        path = self.project / "a.cu"
        times = path.stat()
        self.write("a.cu", SOURCE.replace("sum +=", "sum -="))
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        self.expect_made()

    def test_a_changed_header(self):
        self.expect_made()
        self.write("late/scale.h", "#define SCALE 3\n")
        self.expect_made()

    def test_a_header_that_comes_before_another(self):
        self.expect_made()
        (self.project / "early").mkdir()
        self.expect_made()
        self.write("early/scale.h", "#define SCALE a[0] * \n")
        self.expect_made()
        (self.project / "early" / "scale.h").unlink()
        self.expect_made()

    def test_a_header_asked_for_by_has_include(self):
        self.write("a.cu", '#if __has_include("extra.h")\n#include "extra.h"\n#endif\n' + SOURCE)
        self.expect_made()
        self.write("late/extra.h", "#error extra\n")
        self.expect_made()

    def test_a_header_for_the_device_alone(self):
        self.write("a.cu", '#ifdef __CUDA_ARCH__\n#include "device.h"\n#endif\n' + SOURCE)
        self.write("late/device.h", "")
        self.expect_made()
        self.write("late/device.h", "#error device\n")
        self.expect_made()
        self.assertEqual(self.outputs(cache=self.cache)["code"], 3)

    def test_a_link_to_another_header(self):
        self.write("late/one.h", HEADER + SOURCE.split("\n", 1)[1].replace("sums(", "h("))
        shutil.copy(self.project / "late/one.h", self.project / "late/two.h")
        link = self.project / "late" / "scale.h"
        link.unlink()
        link.symlink_to("one.h")
        self.expect_made()
        link.unlink()
        link.symlink_to("two.h")
        self.expect_made()

    def test_comments_that_suppress(self):
        self.expect_made()
        self.write("a.cu", SOURCE.replace("; ++j)\n", "; ++j) // NOLINT(barricade-*)\n", 1))
        self.expect_made()
        self.assertIn(b"suppressed", self.outputs(cache=self.cache)["stderr"])

    def test_flags_options_rules_and_configuration(self):
        self.expect_made()
        self.expect_made(flags=("-Iearly", "-Ilate", "-DSCALE=4"))
        self.expect_made("--min-instructions=1000")
        self.expect_made("--barrier-interval=4")
        self.expect_made("--rules=grid-*")
        self.expect_made("--edit-headers")
        self.expect_made("--color=always")
        self.expect_made("--cuda-gpu-arch=sm_90")
        self.write(".barricade.yaml", "min-memory-ratio: 0.9\n")
        self.expect_made()
        (self.project / ".barricade.yaml").unlink()
        self.expect_found()

    def test_the_environment(self):
        self.expect_made()
        self.expect_made(env={**os.environ, "CPATH": "late"})

    def test_a_database_that_changes(self):
        def database(flags):
            self.write("compile_commands.json", json.dumps([
                {"directory": str(self.project), "file": "a.cu",
                 "command": f"nvcc -c {STANDARD} {flags} a.cu"}]))

        def run(**more):
            return subprocess.run([BARRICADE, *FLAGS, "--json=-", "a.cu",
                                   *(f"--{k}={v}" for k, v in more.items())],
                                  cwd=self.project, capture_output=True).stdout

        for flags in ("-Ilate", "-Ilate -DN=3", "-Ilate -rdc=true"):
            database(flags)
            self.assertEqual(run(**{"cache-dir": self.cache}), run())
        self.assertEqual(len(self.entries()), 3)

    def test_another_barricade(self):
        other = self.folder / "barricade"
        shutil.copy(BARRICADE, other)
        # The headers beside a program are looked for from there.
        self.expect_made(command=other)
        with open(other, "ab") as program:
            program.write(b"\0")
        self.expect_made(command=other)

    def test_another_toolkit(self):
        toolkit = self.folder / "toolkit"
        (toolkit / "bin").mkdir(parents=True)
        (toolkit / "include").mkdir()
        (toolkit / "include" / "cuda.h").write_text("#define CUDA_VERSION 13000\n")

        def run(*more):
            done = subprocess.run(
                [BARRICADE, f"--cuda-path={toolkit}", "--json=-", "a.cu", *more, "--", "-Ilate"],
                cwd=self.project, capture_output=True)
            return done.returncode, done.stdout, done.stderr

        self.assertEqual(run(f"--cache-dir={self.cache}"), run())
        (toolkit / "include" / "cuda.h").write_text("#define CUDA_VERSION 12000\n")
        before = self.entries()
        self.assertEqual(run(f"--cache-dir={self.cache}"), run())
        self.assertNotEqual(self.entries(), before)

    # --- what must do no harm ---

    def test_damaged_entries(self):
        self.expect_made()
        (entry,) = self.cache.glob("llvmcache-*")
        good = entry.read_bytes()
        step = max(1, len(good) // 4)
        damaged = [good[:n] for n in range(0, len(good), step)]
        damaged += [good[:n] + bytes([good[n] ^ 0x10]) + good[n + 1:]
                    for n in range(0, len(good), step)]
        damaged += [b"", b"\0" * len(good), good + b"\0", good * 2]
        want = self.outputs()
        for content in damaged:
            entry.write_bytes(content)
            self.assertEqual(self.outputs(cache=self.cache), want)
            self.assertEqual(len(entry.read_bytes()), len(good))

    def test_many_runs_at_once(self):
        names = [f"f{i}.cu" for i in range(4)]
        for name in names:
            self.write(name, SOURCE)
        command = [BARRICADE, *FLAGS, "--json=-", "--quiet", f"--cache-dir={self.cache}",
                   "-j", "3", *names, "--", STANDARD, "-Ilate"]
        want = subprocess.run([c for c in command if "cache" not in str(c)],
                              cwd=self.project, capture_output=True).stdout
        for _ in range(2):
            runs = [subprocess.Popen(command, cwd=self.project, stdout=subprocess.PIPE,
                                     stderr=subprocess.DEVNULL) for _ in range(3)]
            for run in runs:
                self.assertEqual(run.communicate()[0], want)
                self.assertEqual(run.returncode, 0)
            for entry in list(self.entries())[:3]:
                (self.cache / entry).unlink()
        self.assertFalse([name for name in self.entries() if ".tmp-" in name])

    def test_it_stays_within_its_bound(self):
        names = [f"f{i}.cu" for i in range(5)]
        for name in names:
            self.write(name, SOURCE)

        def size():
            return sum(p.stat().st_size for p in self.cache.glob("llvmcache-*"))

        self.run_barricade(cache=self.cache, files=names)
        bound = size() // 3
        self.run_barricade("--cache-policy=prune_interval=0s:cache_size_bytes=" + str(bound),
                           cache=self.cache, files=names)
        self.assertLessEqual(size(), bound)
        self.assertGreater(size(), 0)

    def test_a_full_disk_costs_the_entry_only(self):
        def small_files_only():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))

        want = self.run_barricade("--json=-")
        done = self.run_barricade("--json=-", cache=self.cache, preexec_fn=small_files_only)
        self.assertEqual((done.returncode, done.stdout), (want.returncode, want.stdout))
        self.assertEqual(self.entries(), {})

    def test_a_folder_that_cannot_be_is_an_error(self):
        done = self.run_barricade(cache=self.project / "a.cu")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(b"cannot create folder", done.stderr)

    def test_a_found_configuration_may_not_name_a_folder(self):
        self.write(".barricade.yaml", "cache-dir: elsewhere\n")
        done = self.run_barricade()
        self.assertEqual(done.returncode, 2, done.stderr)
        done = self.run_barricade("--config=.barricade.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(list((self.project / "elsewhere").glob("llvmcache-*")))


if __name__ == "__main__":
    unittest.main()
