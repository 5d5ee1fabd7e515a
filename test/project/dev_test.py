#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`dev` says in one clear line what cannot be had.

The machine that lacks something is made of fakes: commands in a folder at the
front of PATH, and an os-release file.
"""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEBIAN = 'ID=debian\nVERSION_ID="12"\n'
UBUNTU = 'ID=ubuntu\nVERSION_ID="24.04"\n'
SYSTEM_PATH = "/usr/bin:/bin"
# dpkg-query's way to say that a package is not installed.
NOTHING_INSTALLED = {"dpkg-query": "exit 1"}
AS_ROOT = {"id": "echo 0"}


def apt_get(message):
    return {"apt-get": f"echo '{message}' >&2; exit 100"}


class DevTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="a folder with spaces ")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "bin").mkdir()
        (self.folder / "kernel.cu").touch()

    def dev(self, *words, commands=None, os_release=DEBIAN, toolkits=None):
        """Runs `dev` on a machine with these commands; returns what it says."""
        for name, script in (commands or {}).items():
            file = self.folder / "bin" / name
            file.write_text(f"#!/bin/sh\n{script}\n")
            file.chmod(0o755)
        (self.folder / "os-release").write_text(os_release)
        environment = {
            "PATH": f"{self.folder}/bin:{SYSTEM_PATH}",
            "HOME": str(self.folder),
            "BARRICADE_BUILD_DIR": str(self.folder / "build"),
            "BARRICADE_OS_RELEASE": str(self.folder / "os-release"),
            "BARRICADE_TOOLKITS": str(toolkits or self.folder / "toolkit"),
        }
        return subprocess.run(
            [ROOT / "dev", *words],
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )

    def assert_fails(self, done, *parts):
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stdout, "")
        lines = done.stderr.splitlines()
        errors = [line for line in lines if line.startswith("dev: error: ")]
        self.assertEqual(errors, lines[-1:], done.stderr)
        for part in parts:
            self.assertIn(part, errors[0])

    def run_without_packages(self, commands, **machine):
        commands = {**NOTHING_INSTALLED, **commands}
        return self.dev("run", "kernel.cu", commands=commands, **machine)

    def test_no_such_file(self):
        self.assert_fails(self.dev("run", "other.cu"), "no file other.cu")

    def test_no_file_named(self):
        self.assert_fails(self.dev("run"), "which file?")

    def test_unknown_command(self):
        self.assert_fails(self.dev("rum"), "no command 'rum'")

    def test_other_distribution(self):
        done = self.run_without_packages(
            AS_ROOT, os_release='ID=fedora\nVERSION_ID="40"\n'
        )
        self.assert_fails(done, "Debian 12 and", "fedora 40")

    def test_ubuntu_builds_but_does_not_test(self):
        commands = {**AS_ROOT, **NOTHING_INSTALLED, **apt_get("E: called")}
        done = self.dev("package", "deb", commands=commands, os_release=UBUNTU)
        self.assert_fails(done, "help2man", "called")
        nvcc = self.folder / "cuda" / "bin" / "nvcc"
        nvcc.parent.mkdir(parents=True)
        nvcc.touch(mode=0o755)
        done = self.dev("test", commands=commands, os_release=UBUNTU, toolkits="cuda")
        self.assert_fails(done, "for all but tests", "ubuntu 24.04")

    def test_unknown_package(self):
        self.assert_fails(self.dev("package", "rpm"), "no package 'rpm'")

    def test_other_debian(self):
        done = self.run_without_packages(
            AS_ROOT, os_release='ID=debian\nVERSION_ID="13"\n'
        )
        self.assert_fails(done, "Debian 12 and", "debian 13")

    def test_neither_root_nor_sudo(self):
        done = self.run_without_packages({"id": "echo 1000", "sudo": "exit 1"})
        self.assert_fails(done, "clang-22", "neither root nor sudo")

    def test_no_network(self):
        message = "Err:1 http://x bookworm\n  Temporary failure resolving 'x'"
        done = self.run_without_packages({**AS_ROOT, **apt_get(message)})
        self.assert_fails(done, "clang-22", "the network cannot be reached")

    def test_package_unknown(self):
        message = "E: Unable to locate package libclang-22-dev"
        done = self.run_without_packages({**AS_ROOT, **apt_get(message)})
        self.assert_fails(done, "package sources lack libclang-22-dev",
                          "add-llvm-source.sh")

    def test_package_without_candidate(self):
        message = 'E: Package "clang-22" has no installation candidate'
        done = self.run_without_packages({**AS_ROOT, **apt_get(message)})
        self.assert_fails(done, "package sources lack clang-22;")

    def test_other_apt_failure(self):
        message = "E: Could not get lock /var/lib/dpkg/lock-frontend."
        done = self.run_without_packages({**AS_ROOT, **apt_get(message)})
        self.assert_fails(done, "Could not get lock")

    def test_sudo_installs(self):
        commands = {
            "id": "echo 1000",
            "sudo": '[ "$1" = -n ] || exec "$@"',
            **apt_get("E: called"),
        }
        self.assert_fails(self.run_without_packages(commands), "called")

    def test_installs_only_what_is_missing(self):
        commands = {
            **AS_ROOT,
            "dpkg-query": 'case "$*" in *cmake*) exit 1;; esac; echo installed',
            "apt-get": 'echo "E: apt-get $*" >&2; exit 100',
        }
        done = self.dev("run", "kernel.cu", commands=commands)
        self.assert_fails(done, "cannot install cmake: apt-get update")

    def test_configuration_fails(self):
        commands = {
            "dpkg-query": "echo installed",
            "cmake": "echo no compiler; exit 1",
        }
        done = self.dev("run", "kernel.cu", commands=commands)
        self.assert_fails(done, "CMake could not configure")
        self.assertIn("no compiler", done.stderr)

    @unittest.skipIf(shutil.which("nvcc", path=SYSTEM_PATH), "nvcc is everywhere")
    def test_no_toolkit(self):
        self.assert_fails(self.dev("test"), "no CUDA toolkit")

    @unittest.skipIf(shutil.which("nvcc", path=SYSTEM_PATH), "nvcc is everywhere")
    def test_no_toolkit_is_a_note_for_run(self):
        done = self.run_without_packages(AS_ROOT, os_release="ID=other\n")
        self.assertIn("dev: note: no CUDA toolkit", done.stderr)

    def test_toolkit_is_found(self):
        nvcc = self.folder / "cuda" / "bin" / "nvcc"
        nvcc.parent.mkdir(parents=True)
        nvcc.touch(mode=0o755)
        done = self.run_without_packages(
            AS_ROOT, os_release="ID=other\n", toolkits="cuda"
        )
        self.assert_fails(done, "Debian 12 and")
        self.assertNotIn("toolkit", done.stderr)

    def test_help_names_every_command(self):
        done = self.dev("help")
        self.assertEqual(done.returncode, 0)
        for command in ("run", "test", "build", "package", "format", "help"):
            self.assertRegex(done.stdout, rf"(?m)^  {command}\b")


if __name__ == "__main__":
    unittest.main()
