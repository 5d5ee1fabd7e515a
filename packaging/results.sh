#!/usr/bin/env bash
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: results.sh ARCHIVE.tar.gz
#
# Packs what was measured, for a release: docs/results as it is, and the raw data that
# lay there once, which the repository's history still has.
set -euo pipefail

archive=$(realpath "$1")
cd "$(dirname "$0")/.."
if [[ $(git rev-parse --is-shallow-repository 2>/dev/null) != false ]]; then
  echo "results.sh: the raw data is in the repository's history, and this is no full clone" >&2
  exit 1
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git archive HEAD docs/results | tar -x -C "$folder"
commit=
git log --diff-filter=D --no-renames --format=commit:%H --name-only -- \
  'docs/results/*.json' 'docs/results/*.jsonl' 'docs/results/*.csv' 'docs/results/*.txt' |
  while read -r line; do
    if [[ $line == commit:* ]]; then
      commit=${line#commit:}
    elif [[ $line && ! -e $folder/$line ]]; then
      mkdir -p "$folder/$(dirname "$line")"
      git show "$commit^:$line" >"$folder/$line"
    fi
  done
tar -c -C "$folder/docs" --sort=name --owner=0 --group=0 --numeric-owner \
  --mtime="@$(git log -1 --format=%ct)" results | gzip -n >"$archive"
