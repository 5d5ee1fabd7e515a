#!/usr/bin/env python3
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The fuzzer finds what it is there to find: barricade, spoilt in one way at a
time, must make it fail with the fault that was planted."""
import pathlib
import subprocess
import sys
import tempfile

SPOIL = {
    # A barrier that only some threads come to, while the others vote.
    "divergent-barrier": r"""
text = text.replace("if (active)", "if (active) if (__syncthreads(), true)")
""",
    # Threads that are done go on.
    "computes something else": r"""
text = text.replace("if (active)", "if (true)")
""",
    "a bare barrier where threads diverge": r"""
report = report.replace('"form": "vote"', '"form": "uniform"')
""",
    "does not compile": r"""
text = re.sub(r"(__syncthreads_or\(\s*)active", r"\1passive", text, count=1)
""",
    "proposes more": r"""
said = said or "a diff"
""",
    "barricade crashes": r"""
code = 139
""",
}

WRAPPER = """#!{python}
import pathlib, re, subprocess, sys
arguments = sys.argv[1:]
source = pathlib.Path(arguments[-1])
reports = [a.removeprefix("--json=") for a in arguments if a.startswith("--json=")]
done = subprocess.run(["{barricade}", *arguments], capture_output=True, text=True)
code, said = done.returncode, done.stdout
text = source.read_text()
report = pathlib.Path(reports[0]).read_text() if reports else ""
if {second_run} == ("--dry-run" in arguments):
    {spoil}
source.write_text(text)
if reports:
    pathlib.Path(reports[0]).write_text(report)
sys.stdout.write(said)
sys.exit(code)
"""


def main():
    barricade, emulate = sys.argv[1:]
    fuzz = pathlib.Path(__file__).with_name("fuzz.py")
    failed = False
    # Program 8 has loops that take the vote.
    for fault, spoil in SPOIL.items():
        with tempfile.TemporaryDirectory() as folder:
            wrapper = pathlib.Path(folder, "barricade")
            wrapper.write_text(WRAPPER.format(
                python=sys.executable, barricade=barricade, spoil=spoil.strip(),
                second_run=fault == "proposes more"))
            wrapper.chmod(0o755)
            done = subprocess.run(
                [sys.executable, fuzz, "--barricade", wrapper, "--emulate", emulate,
                 "--first", "8", "--programs", "1", "--shrink", "0", "--interval", "1", "--orders", "random",
                 "--faults", f"{folder}/faults"], capture_output=True, text=True)
        if done.returncode != 1 or fault not in done.stdout:
            print(f"'{fault}' went unseen: exit code {done.returncode}\n"
                  f"{done.stdout}{done.stderr}")
            failed = True
    return failed


if __name__ == "__main__":
    sys.exit(main())
