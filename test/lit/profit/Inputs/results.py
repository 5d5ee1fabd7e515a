# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""results.py VARIANTS VARIANT=GAIN...: results.json in the folder VARIANTS, as
eval/run would write it had it measured these gains; 0 is no difference."""

import hashlib
import json
import pathlib
import sys


def row(variant, gain):
    verdict = "faster" if gain > 0 else "slower" if gain < 0 else "no difference seen"
    return {"id": variant["id"], "kind": variant["kind"], "setting": variant["setting"],
            "median_ms": 2 * (1 - gain), "gain": gain, "low": gain - 0.01,
            "high": gain + 0.01, "verdict": verdict}  # fmt: skip


def main():
    folder = pathlib.Path(sys.argv[1])
    gains = {name: float(gain) for name, gain in (word.split("=") for word in sys.argv[2:])}
    text = (folder / "manifest.json").read_bytes()
    manifest = json.loads(text)
    timed = [v for v in manifest["variants"] if v["id"] in gains or v["kind"] == "original"]
    if len(timed) != len(gains) + 1:
        sys.exit(f"there are {[v['id'] for v in manifest['variants']]}")
    unit = {"program": manifest["programs"][0]["source"], "case": "a case",
            "variants": [row(v, gains.get(v["id"], 0)) for v in timed]}  # fmt: skip
    results = {"schema-version": 1, "units": [unit],
               "manifest": {"path": str(folder / "manifest.json"),
                            "sha256": hashlib.sha256(text).hexdigest()}}  # fmt: skip
    (folder / "results.json").write_text(json.dumps(results))


main()
