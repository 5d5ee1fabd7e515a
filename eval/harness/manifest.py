# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads and writes manifest.json; docs/variants.md is its schema."""

import hashlib
import json
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from . import MALFORMED, UsageError

SCHEMA_VERSION = 1

# Kinds of variants that stand for what barricade would write; all others are
# there to be compared with.
REWRITES = ("single", "nested", "together")


@dataclass(frozen=True)
class Program:
    source: str
    working_directory: str
    command: tuple
    files: tuple

    @property
    def name(self):
        return PurePosixPath(self.source).stem

    def entry(self):
        return {
            "source": self.source,
            "working-directory": self.working_directory,
            "command": list(self.command),
            "files": list(self.files),
            "outside": [],
        }


@dataclass(frozen=True)
class Variant:
    id: str
    kind: str
    setting: str = ""
    control_of: str = ""
    rewrites: tuple = ()
    # path below the root -> path below the manifest's folder
    files: dict = field(default_factory=dict)
    flags: tuple = ()  # for its build, on top of the program's

    def __hash__(self):
        return hash(self.id)

    def entry(self):
        return {
            "id": self.id,
            "kind": self.kind,
            "setting": self.setting,
            "control-of": self.control_of,
            "rewrites": list(self.rewrites),
            "files": self.files,
            "flags": list(self.flags),
        }

    @property
    def is_rewrite(self):
        return self.kind in REWRITES

    @property
    def is_right(self):
        """Whether it has to compute what the original does."""
        return self.kind != "unsafe"

    @property
    def rules(self):
        return {rewrite["rule"] for rewrite in self.rewrites}

    @property
    def functions(self):
        return {rewrite["function"] for rewrite in self.rewrites}


class Manifest:
    """The variants of one folder."""

    def __init__(self, path):
        self.path = Path(path)
        if self.path.is_dir():
            self.path = self.path / "manifest.json"
        self.folder = self.path.parent
        try:
            text = self.path.read_bytes()
            data = json.loads(text)
            self.digest = hashlib.sha256(text).hexdigest()
            self._read(data)
        except OSError as error:
            raise UsageError(f"cannot read '{self.path}': {error.strerror}")
        except MALFORMED as error:
            raise UsageError(f"'{self.path}' is no manifest of barricade: {error!r}")

    def _read(self, data):
        version = data["schema-version"]
        if version != SCHEMA_VERSION:
            raise UsageError(
                f"'{self.path}' has schema version {version}; this is for {SCHEMA_VERSION}"
            )
        self.root = typed(data, "root", str)
        self.programs = [
            Program(
                below(entry["source"]),
                typed(entry, "working-directory", str),
                items(entry, "command", str),
                tuple(below(path) for path in items(entry, "files", str)),
            )
            for entry in items(data, "programs", dict)
        ]
        self.variants = [
            Variant(
                checked_id(entry["id"]),
                typed(entry, "kind", str),
                typed(entry, "setting", str),
                typed(entry, "control-of", str),
                items(entry, "rewrites", dict),
                {below(path): below(file) for path, file in typed(entry, "files", dict).items()},
                items(entry, "flags", str) if "flags" in entry else (),
            )
            for entry in items(data, "variants", dict)
        ]
        if not self.variants or self.variants[0].kind != "original":
            raise UsageError(f"'{self.path}': the first variant is not the original")

    def variant(self, name):
        return next(v for v in self.variants if v.id == name)

    def variants_of(self, program):
        """The original, and what changes the program's files; of those that
        make the same program of it, the first."""
        different = {}
        for variant in self.variants:
            if variant.kind == "original" or not set(variant.files).isdisjoint(program.files):
                key = (variant.flags, *sorted(self.texts(program, variant).items()))
                different.setdefault(key, variant)
        return list(different.values())

    def texts(self, program, variant):
        """{path below the root: bytes} of everything the program is made of."""
        return {
            path: (self.folder / variant.files.get(path, f"original/{path}")).read_bytes()
            for path in program.files
        }

    def places(self, variant):
        """Where the variant rewrites what, in files that are known by their
        bytes: on no machine and at no path else is that needed."""
        found = []
        for rewrite in variant.rewrites:
            place = rewrite.get("place")
            path = place and self.relative(place["file"])
            if path and (self.folder / "original" / path).is_file():
                text = (self.folder / "original" / path).read_bytes()
                found.append({"rule": rewrite["rule"], "offset": place["offset"],
                              "sha256": hashlib.sha256(text).hexdigest()})  # fmt: skip
        return found

    def relative(self, path):
        """An absolute path of a finding as a path below the root."""
        prefix = self.root.rstrip("/") + "/"
        return path[len(prefix) :] if path.startswith(prefix) else None


def typed(entry, key, kind):
    """What the entry has for `key`, if that is of the schema's type."""
    if not isinstance(entry[key], kind):
        raise TypeError(f"'{key}' is a {type(entry[key]).__name__}, no {kind.__name__}")
    return entry[key]


def items(entry, key, kind):
    """The elements of the array that the entry has for `key`."""
    values = typed(entry, key, list)
    if wrong := [value for value in values if not isinstance(value, kind)]:
        raise TypeError(f"'{key}' holds a {type(wrong[0]).__name__}, no {kind.__name__}")
    return tuple(values)


def below(path):
    """The path, if it cannot lead out of the folder it is relative to."""
    parts = PurePosixPath(path)
    if parts.is_absolute() or ".." in parts.parts or not parts.parts:
        raise ValueError(f"the path '{path}' leads elsewhere")
    return path


def checked_id(name):
    if not re.fullmatch(r"[A-Za-z0-9._+-]+", name):
        raise ValueError(f"'{name}' is no id")
    return name


def write(folder, programs, variants, root="/"):
    """The manifest of a folder of variants that others than barricade wrote."""
    store(folder, {
        "schema-version": SCHEMA_VERSION,
        "root": root,
        "programs": [program.entry() for program in programs],
        "variants": [variant.entry() for variant in variants],
    })  # fmt: skip


def extend(folder, variants):
    """Adds variants to the folder's manifest, whoever wrote that."""
    data = json.loads((folder / "manifest.json").read_text())
    data["variants"] += [variant.entry() for variant in variants]
    store(folder, data)


def store(folder, data):
    (folder / "manifest.json").write_text(json.dumps(data, indent=1) + "\n")


def prepare(folder, barricade, sources, *options, flags=""):
    """Lets barricade write the variants of `sources` to `folder`; `flags` are
    the compiler's, where no compile_commands.json has them."""
    shutil.rmtree(folder, ignore_errors=True)
    command = [*shlex.split(barricade), f"--variants={folder}", *options, *sources]
    if flags:
        command += ["--", *shlex.split(flags)]
    try:
        done = subprocess.run(command)
    except OSError as error:
        raise UsageError(f"cannot run '{command[0]}': {error.strerror}")
    if done.returncode:
        raise UsageError(f"'{shlex.join(command)}' ended with {done.returncode}")
