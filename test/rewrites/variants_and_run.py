#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs each way to put barriers into a program's loops on the CPU executor.

barricade writes every rewrite by itself, and that of a loop together with that
of a loop within it (--variants). There must be exactly the ones that are
expected, as kind:form, and each must exit with 0 in every order of threads.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ORDERS = ("inorder", "reversed", "random", "starve")


def run(command, **variables):
    result = subprocess.run(command, capture_output=True, text=True,
                            env={**os.environ, **variables})
    return result.returncode, result.stdout + result.stderr


def variants_of(manifest):
    """The rewrites by themselves and the nested ones, with what they are called
    in --expect: their kind, and the forms of their loops from the outside in."""
    for variant in json.loads(manifest.read_text())["variants"]:
        if variant["kind"] in ("single", "nested"):
            forms = "+".join(rewrite["form"] for rewrite in variant["rewrites"])
            yield f"{variant['kind']}:{forms}", variant


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--barricade", required=True)
    parser.add_argument("--emulate", required=True)
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--expect", action="append", default=[], metavar="KIND:FORM[+FORM]")
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("arguments", nargs="*")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "variants"
        code, text = run([options.barricade, "--quiet", "--rules=artificial-barrier",
                          f"--variants={out}",
                          "--variant-intervals=1", f"--project-root={options.root}",
                          str(options.source)])
        found = dict(variants_of(out / "manifest.json"))
        if code or sorted(found) != sorted(options.expect):
            print(f"exit code {code}, variants {sorted(found)}\n{text}")
            return 1
        failed = False
        for name, variant in found.items():
            tree = pathlib.Path(folder) / variant["id"]
            shutil.copytree(options.root, tree)
            for path, changed in variant["files"].items():
                shutil.copyfile(out / changed, tree / path)
            program = tree / "program.emulated"
            source = tree / options.source.relative_to(options.root)
            code, text = run([options.emulate, "build", str(source), "-o", str(program)])
            if code:
                print(f"{name} does not build\n{text}")
                return 1
            for order in ORDERS:
                code, text = run([program, *options.arguments], BARRICADE_EMU_ORDER=order)
                if code:
                    failed = True
                    print(f"{name}, order {order}: exit code {code}\n{text}")
        return failed


if __name__ == "__main__":
    sys.exit(main())
