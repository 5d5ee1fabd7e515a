#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every command that README and docs/ show runs in some test, or at least is
there and has the options that it is shown with.

docs_test.py runs those of barricade itself in the guides. Here those of
measuring.md run, with stand-ins for nvcc, the GPU and the program; what needs a
GPU, a network or hours is looked up in its own help.
"""

import functools
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "eval"))
from support import EvalTest  # noqa: E402

import docs_test  # noqa: E402

BARRICADE = pathlib.Path(os.environ["BARRICADE"])
DOCUMENTS = sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md")])
# Of the project, by their first word.
OWN = re.compile(r"(\./dev|eval/|test/|packaging/|python3 eval/|sudo packaging/)")
MEASURING = re.compile(r"barricade (run|tune|apply|calibrate)\b")
# What begins so is of others, or too much for here: the test that has it, and by
# what words.
ELSEWHERE = {
    "sudo apt-get install ./build/packages/": ("project/first-hour/hour.sh", "barricade.deb"),
    "cmake --install build": ("project/install_test.py", "--install"),
    "cmake -S . -B build": ("project/commands_test.py", "test_a_build_without_tests_is_configured"),
    "cmake --build build": ("project/packaging_test.py", "--build"),
    "cmake -S samples": ("project/commands_test.py", "test_samples_are_built"),
    "build-samples/vecadd": ("project/commands_test.py", "test_samples_are_built"),
    "barricade --json=- k.cu": ("project/commands_test.py", "test_examples_of_the_json_report"),
    "vcpkg install": ("project/packaging_test.py", "vcpkg"),
    "conan create": ("project/packaging_test.py", "conan"),
    "docker ": ("project/ci_files_test.py", "Containerfile"),
    "code --install-extension": ("editors/vscode_test.py", "vsix"),
    "clang-tidy-22 -load": ("editors/clang_tidy_test.py", "-load"),
    "git apply": ("project/docs_test.py", "git apply "),
    "barricade --dump=": ("lit/command/dump.test", "--dump=uses"),
    "barricade calibrate": ("eval/papers_test.py", "calibrate_command.main"),
    "tar -C work": ("eval/real_programs_test.py", "bench"),
    "barricade --variants=DIR": ("lit/variants/variants.test", "--variants="),
    "barricade --variants=prepared/overlap": ("lit/variants/variants.test", "--variants="),
    "barricade --variants=../variants": ("eval/tune_test.py", "--variants="),
}


def shown(document):
    """The commands of its blocks, continued lines joined."""
    text = document.read_text()
    blocks = re.findall(r"^```(?:sh)?\n(.*?)^```$", text, re.M | re.S)
    blocks += ["".join(re.findall(r"^    (.*\n)", block, re.M))
               for block in re.findall(r"(?:^    \S.*\n)+", text, re.M)]
    known = re.compile("|".join([OWN.pattern, "barricade ", "cd ", *map(re.escape, ELSEWHERE)]))
    for block in blocks:
        for line in block.replace("\\\n", "").splitlines():
            line = re.sub(r"\s+#.*", "", line).strip()
            # Messages of barricade's begin with its name, too.
            if known.match(line) and not line.startswith("barricade:"):
                yield line


def is_run_by_docs_test(document, command):
    return (str(document.relative_to(ROOT)) in docs_test.DOCUMENTS
            and command.startswith(("barricade ", "git apply ")) and not MEASURING.match(command))


@functools.cache
def help_of(script, *verb):
    """What it says of itself, if it does."""
    done = subprocess.run([script, *verb, "--help"], capture_output=True, text=True,
                          env={**os.environ, "PATH": PATH})  # fmt: skip
    return done.stdout if done.returncode == 0 else ""


def words_of(command):
    return [word for word in shlex.split(command.replace("...", "")) if word not in ("[", "]", "|", "sudo")]


class CommandsTest(EvalTest):
    def test_each_has_its_test(self):
        for document in DOCUMENTS:
            for command in shown(document):
                with self.subTest(document=document.name, command=command):
                    if OWN.match(command):
                        self.check_own(command)
                    elif not is_run_by_docs_test(document, command) and command not in MEASURED:
                        self.check_elsewhere(command)

    def check_elsewhere(self, command):
        test, words = next((where for start, where in ELSEWHERE.items() if command.startswith(start)),
                           ("", ""))  # fmt: skip
        self.assertTrue(test, "no test is known to run it")
        self.assertIn(words, (ROOT / "test" / test).read_text())

    def check_own(self, command):
        """The command, its options and the files of the project that it names."""
        words = words_of(command)
        if words[0] == "python3":
            del words[0]
        for word in words:
            # Most raw data is in releases.
            if re.match(r"(eval|samples|test|docs(?!/results)|packaging)/[\w./-]+$", word):
                self.assertTrue((ROOT / word).exists(), word)
        script = ROOT / words[0]
        if script.name == "dev":
            words[1:1] = ["help"]
            self.assertIn(f"  {words[2]}", subprocess.run([script, "help"], capture_output=True, text=True,
                                                          env=self.plain).stdout)  # fmt: skip
            return
        verb = words[1] if len(words) > 1 and words[1].isalpha() and words[1].islower() else ""
        described = (verb and help_of(script, verb)) or help_of(script)
        described += script.read_text()
        for word in words[1:]:
            if word.startswith("--"):
                self.assertIn(word.partition("=")[0], described)

    @property
    def plain(self):
        return {**os.environ, "PATH": PATH}

    def test_those_that_measure_run(self):
        self.with_gpu()
        for tool in ("make", "git", "xz", "tar", "ls"):
            if not (self.bin / tool).exists():
                (self.bin / tool).symlink_to(f"/usr/bin/{tool}")
        project = self.folder / "my-program"
        (project / "src").mkdir(parents=True)
        text = docs_test.KERNEL + "//sh echo 1 2 3\n"
        (self.folder / "kernel.cu").write_text(text)
        (project / "src" / "kernels.cu").write_text(text)
        (project / "input.dat").write_text("")
        (project / "Makefile").write_text("app: src/kernels.cu\n\tnvcc -o app src/kernels.cu\n")
        environment = {**os.environ, "PATH": f"{BARRICADE.parent}:{self.bin}"}
        folder = self.folder
        for command in MEASURED:
            with self.subTest(command):
                if command.startswith("cd "):
                    folder = self.folder / command[3:]
                    continue
                done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment,
                                      capture_output=True, text=True)  # fmt: skip
                # Nothing is faster where all take as long.
                self.assertIn(done.returncode, (0, 1), done.stderr)
                self.assertNotIn("Traceback", done.stderr)


    def examples(self, document, start):
        """The block of the document with such a command, as it stands."""
        text = (ROOT / "docs" / document).read_text()
        blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S) + re.findall(r"(?:^    .*\n)+", text, re.M)
        (block,) = (block for block in blocks if start in block)
        return block

    def run_block(self, block, folder):
        return subprocess.run(["bash", "-ec", "set -o pipefail\n" + block], cwd=folder, capture_output=True,
                              text=True, env={**self.plain, "PATH": f"{BARRICADE.parent}:{PATH}"})  # fmt: skip

    @unittest.skipUnless(shutil.which("jq"), "there is no jq")
    def test_examples_of_the_json_report(self):
        (self.folder / "k.cu").write_text(docs_test.KERNEL.replace("  for", "  if (threadIdx.x == 0)\n  for"))
        done = self.run_block(self.examples("json-schema.md", "jq"), self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('"refused": 1', done.stdout)
        self.assertRegex(done.stdout, r"k\.cu:4: single-thread\b")

    def test_a_build_without_tests_is_configured(self):
        block = self.examples("install.md", "-DBARRICADE_TESTS=OFF").splitlines()[0]
        done = self.run_block(block.replace("-B build", f"-B {self.folder / 'build'}"), ROOT)
        self.assertEqual(done.returncode, 0, done.stderr)

    @unittest.skipUnless(shutil.which("nvcc", path=f"{os.environ['PATH']}:/usr/local/cuda/bin"), "there is no nvcc")
    def test_samples_are_built(self):
        block = self.examples("samples.md", "cmake -S samples").replace(
            "build-samples", str(self.folder / "samples")).splitlines()  # fmt: skip
        # One of them says enough.
        block[1] += " --target vecadd"
        path = f"{PATH}:/usr/local/cuda/bin"
        done = subprocess.run(["bash", "-ec", "\n".join(block)], cwd=ROOT, capture_output=True, text=True,
                              env={**self.plain, "PATH": path})  # fmt: skip
        self.assertRegex(done.stdout + done.stderr, "(?i)no CUDA|GB/s|driver")


PATH = os.environ["PATH"]
# Those of measuring.md, in their order; `barricade calibrate` wants a GPU's numbers.
MEASURED = [command for command in shown(ROOT / "docs" / "measuring.md")
            if command.startswith(("barricade ", "cd ")) and not command.startswith("barricade calibrate")]  # fmt: skip


if __name__ == "__main__":
    unittest.main()
