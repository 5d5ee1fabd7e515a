#!/usr/bin/env bash
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds barricade from these sources and installs it, as a job on Debian 12 or
# Ubuntu 24.04 does: from the package in $PACKAGES where there is one from an
# earlier run, else it leaves one there. $LLVM_PACKAGES is what add-llvm-source.sh
# takes.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
packages=${PACKAGES:-$here/../build/packages}
as_root=()
[[ $(id -u) == 0 ]] || as_root=(sudo)

"${as_root[@]}" apt-get update
"${as_root[@]}" "$here/add-llvm-source.sh" "${LLVM_PACKAGES-}"
if ! compgen -G "$packages/barricade_*.deb" >/dev/null; then
  "$here/../dev" package deb
  mkdir -p "$packages"
  cp -u "$here"/../build/packages/barricade_*.deb "$packages"
fi
"${as_root[@]}" apt-get install -y --no-install-recommends \
  "$(realpath "$packages")"/barricade_*.deb
