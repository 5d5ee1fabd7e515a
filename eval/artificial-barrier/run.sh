#!/usr/bin/env bash
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds and times what prepare.sh wrote, every result checked element by
# element by the sample itself, rounds interleaved. Needs a GPU and nvcc only.
#
# usage: [ROUNDS=3] run.sh PREPARED_DIR RESULT_DIR [ARCH]
set -euo pipefail
prepared=$1 result=$2 arch=${3:-native}
mkdir -p "$result" "$prepared/bin"
build() { # build VARIANT SAMPLE
  nvcc -std=c++17 -O3 -arch="$arch" -o "$prepared/bin/$1" "$prepared/$1/$2/$2.cu" \
    > "$prepared/bin/$1.log" 2>&1 || echo "build failed: $1"
}
export -f build
export prepared arch
for dir in "$prepared"/*-*; do
  name=$(basename "$dir")
  echo "$name ${name%-*}"
done | xargs -P "$(nproc)" -L 1 bash -c 'build "$0" "$1"'

declare -A arguments=(
  [vecadd]="" [vecadd-tf]="--tf 16" [memtest]="" [memtest-520]="--threads 520"
  [scalarprod]="--pairs 1024" [scalarprod-irregular]="--pairs 1024 --vary 20"
  [align]="--set 1" [align-2]="--set 2" [align-3]="--set 3"
)
: > "$result/raw.jsonl"
for round in $(seq "${ROUNDS:-3}"); do
  for key in vecadd vecadd-tf memtest memtest-520 scalarprod scalarprod-irregular align align-2 align-3; do
    for variant in original k1 control1 k4 control4 k16 control16 k64 control64; do
      program=$prepared/bin/${key%%-*}-$variant
      [ -x "$program" ] || continue
      # shellcheck disable=SC2086
      line=$(timeout 60 "$program" ${arguments[$key]} --runs 20 --seed "$round" --json 2>&1) && code=0 || code=$?
      printf '{"case":"%s","variant":"%s","round":%d,"exit":%d,"output":%s}\n' "$key" "$variant" "$round" "$code" \
        "$(python3 -c 'import json,sys; t=sys.stdin.read().strip()
try: print(json.dumps(json.loads(t)))
except ValueError: print(json.dumps(t))' <<< "$line")" >> "$result/raw.jsonl"
    done
  done
done
