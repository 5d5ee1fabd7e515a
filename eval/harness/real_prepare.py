# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrites folders of real programs and builds those that changed, before and
after, into a folder that is all that a machine with a GPU needs.

    OUT/trees/VERSION/CORPUS/...     sources; builds that use make happen there
    OUT/bench/VERSION/CORPUS/...     programs and their data, where they are run
    OUT/bench/programs.json          what there is, and how it is run
    OUT/journal.jsonl                programs that are done
"""

import collections
import hashlib
import json
import re
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sources import copy_files, is_small_data, is_source

from . import UsageError, folders
from .folders import BuildFailure, Toolkit
from .journal import Journal

VERSIONS = ORIGINAL, REWRITTEN = ("original", "rewritten")
REWRITE_SECONDS = 600


def prepare(options):
    if not options.folders:
        raise UsageError("name at least one folder of programs")
    toolkit = Toolkit(find_command(options.nvcc), options.arch)
    options.barricade = find_command(options.barricade)
    about = {
        "barricade": hashlib.sha256(Path(options.barricade).read_bytes()).hexdigest(),
        "options": options.options, "arch": options.arch,
        "folders": {name: str(Path(root).resolve()) for name, root in options.folders.items()},
    }  # fmt: skip
    if options.fresh:
        (options.out / "journal.jsonl").unlink(missing_ok=True)
    with Journal(options.out / "journal.jsonl", about) as journal:
        if not journal.last("copied"):
            copy_trees(options)
            journal.add("copied")
        described = Preparation(options, toolkit, journal).all()
    bench = options.out / "bench"
    bench.mkdir(exist_ok=True)
    facts = {key: about[key] for key in ("barricade", "options", "arch")}
    text = json.dumps({**facts, "programs": described}, indent=1)
    (bench / "programs.json").write_text(text + "\n")
    print(summary(described))
    return 1 if any(d["status"] == "the rewrite does not build" for d in described) else 0


def find_command(name):
    found = shutil.which(name)
    if not found:
        raise UsageError(f"there is no command '{name}'")
    return str(Path(found).absolute())


def copy_trees(options):
    """The originals stay where they are built already: make knows what is new."""
    shutil.rmtree(options.out / "trees" / REWRITTEN, ignore_errors=True)
    shutil.rmtree(options.out / "bench", ignore_errors=True)
    for name, root in options.folders.items():
        if not Path(root).is_dir():
            raise UsageError(f"there is no folder '{root}'")
        for version in VERSIONS:
            copy_new(Path(root), options.out / "trees" / version / name)


def copy_new(root, into):
    copy_files(root, into, lambda path: is_source(path) and not (into / path.relative_to(root)).exists())


def summary(described):
    lines = [f"{len(described)} programs"]
    lines += [f"{n:5} {status}" for status, n in collections.Counter(d["status"] for d in described).most_common()]
    return "\n".join(lines)


class Preparation:
    def __init__(self, options, toolkit, journal):
        self.options, self.toolkit, self.journal = options, toolkit, journal
        self.out = options.out.resolve()

    def all(self):
        found = [
            (corpus, program)
            for corpus, root in self.options.folders.items()
            for program in folders.find(corpus, root, self.toolkit)
            if re.search(self.options.only, program.name)
        ]
        with ThreadPoolExecutor(self.options.jobs) as pool:
            try:
                return list(pool.map(lambda pair: self.once(*pair), found))
            finally:
                pool.shutdown(cancel_futures=True)  # what is ended goes on another time

    def once(self, corpus, program):
        done = self.journal.last("program", name=program.name)
        if not done:
            described = {"name": program.name, **self.one(corpus, program)}
            self.journal.add("program", **described)
            print(f"{program.name}: {described['status']}", flush=True)
            return described
        return {key: value for key, value in done.items() if key != "event"}

    def tree(self, version, corpus):
        return self.out / "trees" / version / corpus

    def one(self, corpus, program):
        """What is to be known of the program."""
        with tempfile.TemporaryDirectory() as scratch:
            try:
                entries = program.database(self.tree(ORIGINAL, corpus), Path(scratch))
            except BuildFailure as failure:
                return {"status": "the original does not build", "why": str(failure)}
            if not entries:
                return {"status": "no command compiles CUDA"}
            findings, error = self.rewrite(corpus, program, entries, Path(scratch))
        made = [f for f in findings if f["applies"]]
        if not made:
            return {"status": "not read" if error else "nothing to rewrite", "why": error}
        return {
            "rewrites": collections.Counter(f["rule"] for f in made),
            "places": [place(f) for f in made],
            "text": digest(self.tree(REWRITTEN, corpus) / program.folder),
            **self.build(corpus, program),
        }

    def rewrite(self, corpus, program, entries, scratch):
        """All findings, and the first error of what could not be read."""
        tree = self.tree(REWRITTEN, corpus)
        copy_files(self.tree(ORIGINAL, corpus) / program.folder, tree / program.folder, is_source)
        text = json.dumps(entries).replace(str(self.tree(ORIGINAL, corpus)), str(tree))
        (scratch / "compile_commands.json").write_text(text)
        report = scratch / "findings.json"
        command = [self.options.barricade, "--in-place", "--quiet", "--no-config", "--fail-on=never"]
        command += [f"--json={report}"]
        command += ["-p", str(scratch), f"--project-root={tree / program.folder}", *self.options.options]
        units = [str(Path(e["directory"], e["file"])) for e in json.loads(text)]
        try:
            done = subprocess.run(
                command + units, cwd=tree, capture_output=True, text=True, errors="replace", timeout=REWRITE_SECONDS
            )
        except subprocess.TimeoutExpired:
            return [], f"barricade is not done after {REWRITE_SECONDS} s"
        findings = json.loads(report.read_text())["findings"] if report.exists() else []
        errors = [line.partition("error: ")[2] for line in done.stderr.splitlines() if "error: " in line]
        if done.returncode not in (0, 1) and not errors:
            errors = [f"barricade ended with {done.returncode}"]
        return findings, next(iter(errors), "")

    def build(self, corpus, program):
        """Both versions, and how they are run."""
        for version in VERSIONS:
            try:
                how = self.build_one(version, corpus, program)
            except BuildFailure as failure:
                name = "original" if version == ORIGINAL else "rewrite"
                return {"status": f"the {name} does not build", "why": str(failure)}
        missing = [word for word in how.arguments if self.is_missing(corpus, program, word)]
        return {
            "status": f"its data are missing: {missing[0]}" if missing else "built",
            "folder": f"{corpus}/{program.folder}",
            "binary": self.binary(program, how),
            "arguments": list(how.arguments),
            "check": how.check,
            "note": how.note,
        }

    def build_one(self, version, corpus, program):
        objects = self.out / "objects" / version / program.name
        shutil.rmtree(objects, ignore_errors=True)
        objects.mkdir(parents=True)
        how = program.build(self.tree(version, corpus), objects)
        place = self.out / "bench" / version / corpus / program.folder
        place.mkdir(parents=True, exist_ok=True)
        binary = place / self.binary(program, how)
        shutil.copy(how.binary, binary)
        if shutil.which("strip"):
            subprocess.run(["strip", binary], capture_output=True)  # symbols would travel, too
        source = Path(self.options.folders[corpus]) / program.folder
        copy_files(source, place, is_small_data)
        for word in how.arguments:
            if (source / word).is_file() and is_small_data(source / word) and not (place / word).exists():
                (place / word).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source / word, place / word)
        for folder in how.needs:
            (place / folder).mkdir(exist_ok=True)
        program.make_input(place)
        return how

    @staticmethod
    def binary(program, how):
        return f"{program.name.replace('/', '-')}.program" if how.binary.name == "program" else how.binary.name

    def is_missing(self, corpus, program, word):
        """Whether the word names a file in a folder, and neither is there. What
        has no folder may be a file that the program writes."""
        word = word.rpartition("=")[2]
        named = word.removeprefix("./")
        return "/" in named and not (self.out / "bench" / ORIGINAL / corpus / program.folder / word).exists()


def digest(folder):
    """Of a program's sources: those of two preparations that have the same one
    are the same program."""
    found = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and is_source(p)):
        found.update(f"{path.relative_to(folder)}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()


def place(finding):
    return f"{finding['rule']}: {Path(finding['place']['file']).name}:{finding['place']['line']} {finding['form']}"
