# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes programs of variants by nvcc. What was built once from the same bytes
by the same command is not built again; a build that failed is a result, too."""

import hashlib
import json
import os
import shlex
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from . import UsageError, process

BUILD_SECONDS = 900


def runtime_folder():
    """Where <barricade/gpu_sync.cuh> lies: in a checkout, else below the prefix."""
    root = Path(__file__).resolve().parents[2]
    checkout = root / "runtime"
    return checkout if checkout.is_dir() else root.parents[1] / "include"


RUNTIME = runtime_folder()

# Options of a build's command that say where its object or dependency file
# goes or that it does not link, with whether a value follows.
DROPPED = {
    "-c": False, "--compile": False, "-MD": False, "-MMD": False, "-MP": False, "-M": False,
    "-MM": False, "--generate-dependencies-with-compile": False,
    "-o": True, "--output-file": True, "-MF": True, "-MT": True, "-MQ": True,
    "--dependency-output": True, "--dependency-target-name": True,
}  # fmt: skip
# Options whose value is a path.
PATHS = ("-I", "--include-path", "-isystem", "--system-include", "-include", "--pre-include", "-L")
# Of another compiler's command only these mean the same to nvcc.
COMMON = ("-D", "-U", "-std=", "-O", *PATHS)


def nvcc_flags(program, root, tree):
    """The flags of the program's own build, with paths below `root` turned to
    `tree`, without input, output and what makes objects only."""
    words = list(program.command)
    foreign = "nvcc" not in PurePosixPath(words.pop(0)).name if words else False
    flags = []
    while words:
        word = words.pop(0)
        if word in DROPPED:
            if DROPPED[word] and words:
                words.pop(0)
        elif word in ("-dc", "--device-c"):
            flags.append("-rdc=true")
        elif at(word, program) == os.path.join(root, program.source):
            # The language is named by the file's ending.
            if flags[-2:-1] == ["-x"]:
                del flags[-2:]
        elif path := path_option(word, words):
            option, value = path
            flags += [option, moved(at(value, program), root, tree)]
        elif not foreign or word.startswith(COMMON):
            flags.append(word)
    return drop_language(flags)


def at(path, program):
    return os.path.normpath(os.path.join(program.working_directory, path))


def drop_language(flags):
    """`-x cu` would make nvcc take libraries and objects for sources."""
    result, words = [], iter(flags)
    for word in words:
        if word == "-x":
            next(words, None)
        elif not word.startswith("-x="):
            result.append(word)
    return result


def path_option(word, words):
    """(option, path) if the word is or begins with an option of PATHS."""
    for option in PATHS:
        if word == option and words:
            return option, words.pop(0)
        if word.startswith(option + "="):
            return option, word[len(option) + 1 :]
        if len(option) == 2 and word.startswith(option):
            return option, word[2:]
    return None


def moved(path, root, tree):
    inside = path == root or path.startswith(root.rstrip("/") + "/")
    return os.path.join(tree, os.path.relpath(path, root)) if inside else path


@dataclass(frozen=True)
class Build:
    """What came of building a variant of a program."""

    ok: bool
    program: Path  # exists if ok
    log: Path
    why: str
    cached: bool


class Builder:
    """Builds into a cache that runs may share."""

    def __init__(self, cache, nvcc="nvcc", flags=(), jobs=None):
        self.cache = Path(cache).absolute()
        self.cache.mkdir(parents=True, exist_ok=True)
        self.nvcc = shlex.split(nvcc)
        self.flags = list(flags)
        self.jobs = jobs or os.cpu_count() or 1
        found = shutil.which(self.nvcc[0])
        if not found:
            raise UsageError(f"'{self.nvcc[0]}' is not on the PATH: where is nvcc? (--nvcc)")
        self.nvcc[0] = found
        said = subprocess.run([*self.nvcc, "--version"], capture_output=True, text=True)
        self.version = said.stdout.strip() or found

    def build_all(self, manifest, wanted, done):
        """Builds every (program, variant, flags) of `wanted`, several at once;
        calls `done(program, variant, build)` for each as it is finished."""
        with ThreadPoolExecutor(self.jobs) as pool:
            work = {
                pool.submit(self.build, manifest, program, variant, flags): (program, variant)
                for program, variant, flags in wanted
            }
            for future, (program, variant) in work.items():
                done(program, variant, future.result())

    def build(self, manifest, program, variant, flags=()):
        texts = manifest.texts(program, variant)
        flags = [*nvcc_flags(program, manifest.root, "{tree}"), *self.flags, *flags, *variant.flags]
        final = self.cache / self._key(program, texts, flags)
        cached = (final / "result.json").exists()
        if not cached:
            self._build_into(final, program, texts, flags)
        result = json.loads((final / "result.json").read_text())
        return Build(result["ok"], final / "program", final / "log", result["why"], cached)

    def _key(self, program, texts, flags):
        content = {path: hashlib.sha256(text).hexdigest() for path, text in texts.items()}
        facts = [self.nvcc, self.version, program.source, flags, sorted(content.items())]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:32]

    def _build_into(self, final, program, texts, flags):
        """The folder gets its name when it is complete: a kill leaves none."""
        with tempfile.TemporaryDirectory(dir=self.cache, prefix="building-") as folder:
            folder = Path(folder)
            tree, result = folder / "tree", folder / "result"
            for path, text in texts.items():
                (tree / path).parent.mkdir(parents=True, exist_ok=True)
                (tree / path).write_bytes(text)
            result.mkdir()
            command = [
                *self.nvcc,
                *(flag.replace("{tree}", str(tree)) for flag in flags),
                "-I", str(RUNTIME),
                "-o", str(result / "program"),
                str(tree / program.source),
            ]  # fmt: skip
            outcome = process.run(
                command, cwd=tree, timeout=BUILD_SECONDS,
                stdout=result / "out", stderr=result / "log",
            )  # fmt: skip
            with open(result / "log", "ab") as log:
                log.write((result / "out").read_bytes())
                log.write(f"\n{shlex.join(command)}\n".encode())
            if outcome.exit < 0 and not outcome.timed_out:
                # The machine's fault (no memory, a kill), not the source's.
                raise RuntimeError(f"nvcc: {outcome.why_bad()}")
            ok = outcome.good and (result / "program").exists()
            why = "" if ok else f"nvcc: {outcome.why_bad() or 'no program came of it'}"
            (result / "result.json").write_text(json.dumps({"ok": ok, "why": why}))
            try:
                os.rename(result, final)
            except OSError:
                if not (final / "result.json").exists():
                    raise
