#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The packages that CPack makes, and the recipes of packaging/, give what they say.

Conan and vcpkg are not among Debian's packages: stand-ins carry out their recipes.
What runs only at GitHub or GitLab is checked by ci_files_test.py.
"""

import functools
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["BUILD_DIR"])
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NVCC = os.environ["NVCC"]

RACE = """\
__global__ void add(float *a, const float *b, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < rounds; ++k) {
    a[i + k * n] = a[i + k * n] + b[i + k * n];
  }
}
"""


def output(*command, codes=(0,), **more):
    done = subprocess.run([str(word) for word in command], capture_output=True,
                          text=True, **more)
    if done.returncode not in codes:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def version():
    return re.search(r"project\(barricade VERSION (\S+)",
                     (ROOT / "CMakeLists.txt").read_text())[1]


class PackagingTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)

    @classmethod
    @functools.cache
    def sources(cls):
        """The unpacked source package."""
        output("cpack", "--config", BUILD / "CPackSourceConfig.cmake", "-B",
               cls.folder / "source-package")
        [archive] = (cls.folder / "source-package").glob("*.tar.gz")
        with tarfile.open(archive) as opened:
            opened.extractall(cls.folder / "sources")
        return cls.folder / "sources" / f"barricade-{version()}"

    @classmethod
    @functools.cache
    def header_only(cls):
        """A prefix with what the sources install without the command."""
        prefix, build = cls.folder / "prefix", cls.folder / "build"
        output("cmake", "-S", cls.sources(), "-B", build, "-DBARRICADE_TOOL=OFF",
               f"-DCMAKE_INSTALL_PREFIX={prefix}")
        output("cmake", "--install", build)
        # Nothing in it may depend on where it is.
        return prefix.rename(cls.folder / "moved")

    def test_source_package_is_what_git_has(self):
        if not (ROOT / ".git").exists():
            self.skipTest("this is no clone")
        tracked = output("git", "ls-files", "--cached", "--others",
                         "--exclude-standard", cwd=ROOT).split("\n")[:-1]
        packed = {str(path.relative_to(self.sources()))
                  for path in self.sources().rglob("*") if path.is_file()}
        ours = {name for name in tracked if (ROOT / name).exists()}
        self.assertEqual((packed - ours, ours - packed), (set(), set()))

    @unittest.skipUnless(NVCC, "nvcc is not installed")
    def test_projects_find_the_header(self):
        build = self.folder / "consumer"
        prefix = self.header_only()
        output("cmake", "-S", HERE / "consumer", "-B", build,
               f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CUDA_COMPILER={NVCC}",
               "-DCMAKE_CUDA_ARCHITECTURES=90")
        output("cmake", "--build", build, "--parallel", "2")

    def test_project_takes_the_sources_in(self):
        build = self.folder / "fetcher"
        output("cmake", "-S", HERE / "fetcher", "-B", build,
               f"-DBARRICADE_SOURCES={self.sources()}")
        output("cmake", "--build", build)

    def test_results_with_raw_data(self):
        if output("git", "rev-parse", "--is-shallow-repository", cwd=ROOT,
                  codes=(0, 128)) != "false\n":
            self.skipTest("this is no full clone")
        archives = [self.folder / name for name in ("one.tar.gz", "two.tar.gz")]
        for archive in archives:
            output(ROOT / "packaging" / "results.sh", archive)
        self.assertEqual(*(archive.read_bytes() for archive in archives))
        with tarfile.open(archives[0]) as opened:
            names = opened.getnames()
            self.assertIn("results/h200/README.md", names)
            raw = json.load(opened.extractfile("results/h200/loops.json"))
        self.assertIn("units", raw)
        for name in ("gpu-sync/race-second.csv", "artificial-barrier/h200-raw.jsonl",
                     "artificial-barrier/h200-sanitizer.txt", "gpu-sync/microbench.csv"):
            self.assertIn(f"results/{name}", names)

    def test_debian_package(self):
        output("cpack", "-G", "DEB", "--config", BUILD / "CPackConfig.cmake", "-B",
               self.folder / "deb")
        [package] = (self.folder / "deb").glob("barricade_*.deb")
        with self.subTest("lintian"):
            # Who makes a package for others puts an address in; CPack calls
            # ldconfig for each library two folders below /usr.
            expected = ("bogus-mail-host", "bogus-mail-host-in-debian-changelog",
                        "maintscript-calls-ldconfig")
            self.assertEqual("", output(
                "lintian", "--allow-root", "--suppress-tags", ",".join(expected),
                package, codes=(0, 2)))
        with self.subTest("dependencies"):
            depends = output("dpkg-deb", "--field", package, "Depends")
            for needed in ("libclang-cpp22", "libllvm22", "libclang-common-22-dev",
                           "libc6-dev", "libstdc++-dev", "python3"):
                self.assertIn(needed, depends)
        with self.subTest("command"):
            tree = self.folder / "tree"
            output("dpkg-deb", "--extract", package, tree)
            source = self.folder / "k.cu"
            source.write_text(RACE)
            diff = output(tree / "usr/bin/barricade", "--dry-run", "--no-toolkit",
                          source, codes=(1,))
            self.assertIn("+    __syncthreads();", diff)
            self.assertTrue((tree / "usr/share/zsh/vendor-completions/_barricade").exists())
            self.assertTrue((tree / "usr/share/man/man1/barricade.1.gz").exists())

    def test_vcpkg_port(self):
        package = self.folder / "vcpkg"
        port = self.sources() / "packaging/vcpkg/barricade"
        output("cmake", f"-DPORT={port}/portfile.cmake",
               f"-DCURRENT_PACKAGES_DIR={package}", "-P",
               HERE / "stand-ins/vcpkg.cmake")
        for name in ("include/barricade/gpu_sync.cuh", "share/barricade/copyright",
                     "share/barricade/barricadeConfig.cmake"):
            self.assertTrue((package / name).is_file(), name)
        # A package of vcpkg's may have neither.
        self.assertFalse((package / "lib").exists() or (package / "bin").exists())

    def test_conan_recipe(self):
        file = self.sources() / "packaging/conan/conanfile.py"
        sys.path.insert(0, str(HERE / "stand-ins"))
        self.addCleanup(sys.path.pop, 0)
        spec = importlib.util.spec_from_file_location("conanfile", file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        recipe = module.Barricade(file.parent, self.folder / "conan")
        recipe.set_version()
        self.assertEqual(recipe.version, version())
        recipe.export_sources()
        recipe.package()
        recipe.package_info()
        for name in ("include/barricade/gpu_sync.cuh", "licenses/LICENSE"):
            self.assertTrue(pathlib.Path(recipe.package_folder, name).is_file(), name)

    @unittest.skipUnless(shutil.which("pre-commit"), "pre-commit is not installed")
    def test_pre_commit_hooks(self):
        # Both are clones as their users have them, with a commit each.
        hooks, project = self.folder / "hooks", self.folder / "project"
        command = self.folder / "bin" / "barricade"
        for folder in (hooks, project, command.parent):
            folder.mkdir()
        command.write_text(f'#!/bin/sh\nexec "{BUILD}/tool/barricade" --no-toolkit "$@"\n')
        command.chmod(0o755)
        shutil.copy(ROOT / ".pre-commit-hooks.yaml", hooks)
        (project / "k.cu").write_text(RACE)
        (project / "other.cpp").write_text("not C++")
        environment = dict(
            os.environ, HOME=str(self.folder), PATH=f"{command.parent}:{os.environ['PATH']}",
            **{f"GIT_{who}_{what}": "test" for who in ("AUTHOR", "COMMITTER")
               for what in ("NAME", "EMAIL")})
        for folder in (hooks, project):
            for step in (("init", "-q"), ("add", "."), ("commit", "-qm", "All")):
                output("git", *step, cwd=folder, env=environment)
        run = functools.partial(output, "pre-commit", "try-repo", hooks,
                                cwd=project, env=environment)
        self.assertIn("Passed", run("barricade", "--all-files"))
        self.assertIn("files were modified",
                      run("barricade-fix", "--all-files", codes=(1,)))
        self.assertIn("__syncthreads();", (project / "k.cu").read_text())

    def test_one_version(self):
        for name in ("editors/vscode/package.json", "packaging/vcpkg/barricade/vcpkg.json"):
            self.assertEqual(json.loads((ROOT / name).read_text())["version"], version(), name)
        changes = (ROOT / "CHANGELOG.md").read_text()
        self.assertEqual(re.search(r"(?m)^## (\S+)", changes)[1], version())
        self.assertIn(f"BARRICADE_VERSION: v{version()}",
                      (ROOT / "packaging/gitlab/barricade.yml").read_text())


if __name__ == "__main__":
    unittest.main()
