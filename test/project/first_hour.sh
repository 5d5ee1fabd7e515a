#!/usr/bin/env bash
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: first_hour.sh PACKAGE.deb FOLDER [MIRROR]
#
# A user's first hour on a clean Debian 12, made in FOLDER: installs the package
# with what it depends on and no more, builds a CMake project with nvcc, starts the
# command by its name, looks, fixes, builds and looks again, and then opens a file in
# Neovim. Needs root, debootstrap, a mirror, and CUDA 13 in $CUDA_HOME or
# /usr/local/cuda; not part of ctest, for it fetches a whole system.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
package=$(realpath "$1")
root=$2
mirror=${3:-$(apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' | head -n 1)}
cuda=$(realpath "${CUDA_HOME:-/usr/local/cuda}")

[[ -x $root/usr/bin/apt-get ]] ||
  debootstrap --variant=minbase bookworm "$root" "$mirror" >"$root.log"
cp -r /etc/apt/sources.list.d /etc/apt/sources.list "$root/etc/apt/" 2>/dev/null || true
cp "$package" "$root/barricade.deb"
rm -rf "$root/project"
cp -r "$here/first-hour" "$root/project"
cp "$here/../editors/neovim.lua" "$root/project"
mkdir -p "$root/cuda"

# Of its own, so that nothing stays mounted.
exec unshare --mount bash -euo pipefail -c '
  mount --bind /proc "$0/proc"
  mount --bind "$1" "$0/cuda"
  chroot "$0" bash /project/hour.sh' "$root" "$cuda"
