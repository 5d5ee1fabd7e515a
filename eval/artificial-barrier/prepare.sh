#!/usr/bin/env bash
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes the sources to be timed: every sample as it is, as barricade rewrites it
# with a barrier every K-th iteration, and for each K a control: the same loop
# without the barrier, so that the barrier's own effect can be told from that of
# the loop's new shape.
#
# usage: prepare.sh BARRICADE OUTPUT_DIR    (from the repository's root)
set -euo pipefail
barricade=$1 out=$2
samples=(vecadd memtest scalarprod align)
rm -rf "$out"
mkdir -p "$out"
for sample in "${samples[@]}"; do
  source=samples/$sample/$sample.cu
  cp -r samples "$out/$sample-original"
  for k in 1 4 16 64; do
    cp -r samples "$out/$sample-k$k"
    "$barricade" --quiet --barrier-interval=$k --in-place "$out/$sample-k$k/$sample/$sample.cu"
    cp -r "$out/$sample-k$k" "$out/$sample-control$k"
    # Only what barricade wrote goes: barriers of the original stay.
    diff "$source" "$out/$sample-k$k/$sample/$sample.cu" |
      sed -n 's/^> //p' > "$out/added" || true
    python3 - "$out/$sample-control$k/$sample/$sample.cu" "$out/added" <<'PY'
import sys
path, added = sys.argv[1], set(open(sys.argv[2]).read().splitlines())
lines = open(path).read().split("\n")
for i, line in enumerate(lines):
    if line in added and ("for" in line or "while" in line or line.strip() == "__syncthreads();"):
        before = lines[i - 1].strip() if i else ""
        own = line.strip() != "__syncthreads();" or not before.startswith("__syncthreads")
        if own:
            lines[i] = (line.replace("__syncthreads_or", "")
                            .replace("; __syncthreads())", "; )")
                            .replace("__syncthreads();", ""))
open(path, "w").write("\n".join(lines))
PY
  done
done
rm -f "$out/added"
