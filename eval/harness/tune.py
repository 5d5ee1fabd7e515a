# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tries rewrites of a user's program loop by loop and keeps those that are
significantly faster and write what the original writes."""

import contextlib
import hashlib
import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from . import UsageError, compose, gpu, process, timing
from .apply import diff, replace_file
from .build import RUNTIME
from .check import Tolerance
from .experiment import WITHIN_KERNELS
from .race import Failure, Limits, Race, compare, drift
from .runner import Reference, Runner

# The user's command may use many cores by itself.
BUILDS_AT_ONCE = 4


def with_runtime():
    """The user's build need not know where rewrites with grid barriers find
    their header: nvcc and Clang both look here."""
    folders = [str(RUNTIME), os.environ.get("CPLUS_INCLUDE_PATH", "")]
    return {"CPLUS_INCLUDE_PATH": os.pathsep.join(filter(None, folders))}


@dataclass(frozen=True)
class Commands:
    """What a user types in the program's folder."""

    build: str
    run: str
    check: str = ""


@dataclass(frozen=True)
class Plan:
    tolerance: Tolerance
    output_files: tuple
    limits: Limits
    timeout: float
    build_timeout: float = 3600.0


class Tuner:
    """Works below `folder`, on copies of `tree`. `manifest` is of sources in
    that tree. All steps are in the journal: started again it goes on."""

    def __init__(self, tree, folder, manifest, commands, plan, journal, say=None):
        self.tree, self.folder = Path(tree).absolute(), Path(folder).absolute()
        self.manifest, self.commands, self.plan = manifest, commands, plan
        self.journal = journal
        self.say = say or (lambda text: print(text, file=sys.stderr, flush=True))
        self.original = manifest.variants[0]
        # The manifest's root may be above the tree, or of another machine.
        root, own = os.path.realpath(manifest.root), os.path.realpath(self.tree)
        related = os.path.commonpath([root, own]) in (root, own)
        self.prefix = os.path.relpath(root, own) if related else "."
        for path in {path for v in manifest.variants for path in v.files}:
            if self._inside(path).startswith(".."):
                raise UsageError(f"'{path}' does not lie in '{tree}'")

    def run(self):
        """Tries all loops; the kept variants."""
        with self._original():
            loops = self.loops()
            kept = []
            for index, loop in enumerate(loops):
                self.say(f"loop {index + 1} of {len(loops)}: {loop}, kept so far: {len(kept)}")
                kept = self._try_loop(loop, loops[loop], kept, len(loops) - index + 1)
            return self._confirm(kept)

    def again(self, kept):
        """Races what an earlier run kept against the original once more, and
        with each kept rewrite's control in its place, which has the loop's new
        shape and no barrier. {label: Comparison with the original}."""
        controls = {
            v.control_of: v for v in self.manifest.variants if v.kind == "control"
        }
        with self._original():
            trees = {"original": self._built([]), "kept": self._built(kept)}
            for v in kept:
                if control := controls.get(v.id):
                    trees[control.id] = self._built([control if w is v else w for w in kept])
            race, _ = self._race("again", trees, 1)
            if why := race.failure("kept"):
                raise Failure(f"what was kept fails: {why}")
            return compare_all(race)

    @contextlib.contextmanager
    def _original(self):
        """What runs in it may run programs; the original's output is known."""
        if not gpu.query():
            raise Failure("there is no GPU here: nvidia-smi shows none")
        with gpu.Monitor() as monitor:
            self.runner = Runner(
                self.folder / "runs", self.plan.tolerance, monitor,
                self.plan.output_files, self.commands.check or None,
            )  # fmt: skip
            self._establish()
            yield

    def loops(self):
        """{loop: variants of it}; those of a loop and one within it belong to
        the inner one, the last that is tried."""
        result = {}
        for v in self.manifest.variants:
            if v.kind in ("single", "nested", "control") and v.rewrites:
                if v.kind == "control" and len(v.rewrites) > 1:
                    continue
                last = v.rewrites[-1]
                result.setdefault(place_of(last, self.manifest), []).append(v)
        return result

    # --- Trees ---------------------------------------------------------------

    def _establish(self):
        """The original, built and run twice: what all others must write."""
        tree = self._built([])
        noted = self.journal.last("original")
        kept = self.folder / "runs" / "original-1" / "stdout"
        if not noted or not kept.exists():
            try:
                first = self._once(tree, "original-1", self.plan.timeout)
            except Failure as failure:
                raise Failure(f"the original fails: {failure}")
            reference = Reference(self.folder / "runs" / "original-1", first["wall_seconds"])
            try:
                self._once(tree, "original-2", reference.timeout, reference=reference)
            except Failure as failure:
                raise Failure(
                    "two runs of the original differ, so a tolerance or --check must be given: "
                    f"{failure}"
                )
            noted = {"seconds": first["wall_seconds"]}
            self.journal.add("original", **noted)
        self.reference = Reference(self.folder / "runs" / "original-1", noted["seconds"])
        self.timer = self._timer(tree)

    def _timer(self, tree):
        noted = self.journal.last("source")
        library, why = timing.injected_library(self.folder)
        rules = set().union(*(v.rules for v in self.manifest.variants))
        whole = bool(rules - WITHIN_KERNELS)
        if noted:
            return timing.Timer(noted["source"], library, whole)
        sources = ["json"] if self.plan.tolerance.json else []
        sources += ["kernels"] if library else []
        for source in [*sources, "wall"]:
            timer = timing.Timer(source, library, whole)
            try:
                self._once(tree, "probe", self.plan.timeout, timer=timer)
            except Failure as failure:
                self.say(f"no times by {source}: {failure}")
                continue
            self.journal.add("source", source=source)
            return timer
        raise Failure("the program cannot be timed")

    def _once(self, tree, name, timeout, **how):
        return self.runner.run(
            self.commands.run, name, cwd=tree, timeout=min(timeout, self.plan.timeout), **how
        )

    def _path(self, variants):
        names = "+".join(sorted(v.id for v in variants)) or "original"
        if len(names) > 100:
            names = hashlib.sha256(names.encode()).hexdigest()[:32]
        return self.folder / "trees" / names

    def _built(self, variants):
        """A copy of the tree with these variants, built. Raises Failure."""
        final = self._path(variants)
        if final.exists():
            return final
        partial = final.with_name(final.name + ".partial")
        shutil.rmtree(partial, ignore_errors=True)
        # The original is built from nothing, the others from what it built.
        base = self._path([]) if variants else self.tree
        shutil.copytree(base, partial, symlinks=True, ignore=self._not_ours)
        for path, text in compose.texts(self.manifest, variants).items():
            (partial / self._inside(path)).write_bytes(text)
        logs = self.folder / "logs"
        outcome = process.run(
            self.commands.build, cwd=partial, timeout=self.plan.build_timeout, env=with_runtime(),
            stdout=logs / f"{final.name}.out", stderr=logs / f"{final.name}.err",
        )  # fmt: skip
        if not outcome.good:
            raise Failure(f"the build fails: {outcome.why_bad()}; see {logs / final.name}.err")
        partial.rename(final)
        return final

    def _not_ours(self, folder, names):
        return {n for n in names if Path(folder, n).absolute() == self.folder}

    # --- Loops ---------------------------------------------------------------

    def _try_loop(self, loop, variants, kept, races_left):
        decided = self.journal.last("loop", loop=loop)
        if not decided:
            decided = self._decide(loop, variants, kept, races_left)
            self.journal.add("loop", loop=loop, **decided)
        chosen = [self.manifest.variant(name) for name in decided["kept"]]
        self._drop_trees(variants, kept, chosen)
        return chosen

    def _decide(self, loop, variants, kept, races_left):
        """{"kept": ids, "chosen": id or "", "evidence": ...} after the race."""
        trial = {}
        for v in variants:
            state = self._with(v, kept)
            if state is not None:
                trial[v.id] = state
        failed = {}
        trees = {"kept": self._built(kept)}
        with ThreadPoolExecutor(BUILDS_AT_ONCE) as pool:
            work = {name: pool.submit(self._built, state) for name, state in trial.items()}
            for name, future in work.items():
                try:
                    trees[name] = future.result()
                except (Failure, compose.Conflict) as failure:
                    failed[name] = str(failure)
                    self.say(f"{name}: {failure}")
        race, why = self._race(f"loop {loop}", trees, races_left)
        found = compare_all(race)
        failed.update({n: race.failure(n) for n in trees if race.failure(n)})
        evidence = {
            "ended": why,
            "failed": failed,
            "drift": drift(race.entries("kept")),
            "gains": {n: [c.gain, c.adjusted, c.verdict] for n, c in found.items()},
        }
        good = {
            n: c.gain
            for n, c in found.items()
            if c.verdict == "faster" and n not in failed
            and self.manifest.variant(n).kind != "control"
        }  # fmt: skip
        chosen = max(good, key=good.get) if good else ""
        state = trial[chosen] if chosen else kept
        return {"kept": [v.id for v in state], "chosen": chosen, "evidence": evidence}

    def _with(self, variant, kept):
        """What would be kept with this variant; None where it does not go with
        the rest. One of two loops gives way to both."""
        own = {place_of(r, self.manifest) for r in variant.rewrites}
        rest = [
            v for v in kept if not {place_of(r, self.manifest) for r in v.rewrites} <= own
        ]
        if all(compose.compatible(variant, other) for other in rest):
            return [*rest, variant]
        return None

    def _race(self, name, trees, races_left):
        def contestant(tree, label):
            return lambda: self._once(
                tree, f"{name}-{label}".replace("/", "_").replace(" ", "_"),
                self.reference.timeout, timer=self.timer, reference=self.reference,
            )  # fmt: skip

        spent = sum(e["seconds"] for e in self.journal.all("time"))
        mine = sum(e["seconds"] for e in self.journal.all("time", race=name))
        share = max(0.0, self.plan.limits.seconds - spent + mine) / races_left
        race = Race(
            name, {label: contestant(tree, label) for label, tree in trees.items()},
            self.journal, replace(self.plan.limits, seconds=share), self.say,
        )  # fmt: skip
        why = race.run()
        if why == "no reference":
            raise Failure(f"what is kept so far fails: {race.failure(race.reference)}")
        return race, why

    def _drop_trees(self, variants, kept, chosen):
        for v in variants:
            state = self._with(v, kept)
            if state and self._path(state) != self._path(chosen):
                shutil.rmtree(self._path(state), ignore_errors=True)

    # --- The end -------------------------------------------------------------

    def _confirm(self, kept):
        """A race of its own against the original: what was the fastest of many
        may have been lucky. What is not faster again is not kept."""
        if not kept:
            return []
        trees = {"original": self._built([]), "tuned": self._built(kept)}
        race, _ = self._race("confirmation", trees, 1)
        found = compare_all(race).get("tuned")
        good = found and found.verdict == "faster" and not race.failure("tuned")
        self.confirmation = found
        if not good:
            self.say("what was kept is not faster than the original in a second race: all dropped")
        return kept if good else []

    def diff(self, kept):
        return "".join(
            diff((self.manifest.folder / "original" / path).read_bytes(), text, self._inside(path))
            for path, text in sorted(compose.texts(self.manifest, kept).items())
        )

    def _inside(self, path):
        """A path of the manifest as one below the tree."""
        return os.path.normpath(os.path.join(self.prefix, path))

    def apply(self, kept):
        for path, text in compose.texts(self.manifest, kept).items():
            old = (self.manifest.folder / "original" / path).read_bytes()
            replace_file(self.tree / self._inside(path), old, text)


def compare_all(race):
    """{name: Comparison} of all that was timed with the race's reference."""
    times = {name: race.times(name) for name in race.contestants}
    return compare(times.pop(race.reference), times)


def place_of(rewrite, manifest):
    """`src/k.cu:12 kernel`"""
    place = rewrite["place"]
    path = manifest.relative(place["file"]) or place["file"]
    return f"{path}:{place['line']}:{place['column']} {rewrite['function']}"
