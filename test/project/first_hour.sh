#!/usr/bin/env bash
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: first_hour.sh PACKAGE.deb FOLDER [MIRROR]
#
# A user's first hour on a clean Debian 12, made in FOLDER: installs the package
# with what it depends on and no more, starts the command by its name in a CMake
# project, looks, fixes, looks again. Needs root, debootstrap and a mirror; not part
# of ctest, for it fetches a whole system.
set -euo pipefail

package=$(realpath "$1")
root=$2
mirror=${3:-$(apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' | head -n 1)}

[[ -x $root/usr/bin/apt-get ]] ||
  debootstrap --variant=minbase bookworm "$root" "$mirror" >"$root.log"
cp -r /etc/apt/sources.list.d /etc/apt/sources.list "$root/etc/apt/" 2>/dev/null || true
cp "$package" "$root/barricade.deb"
mkdir -p "$root/project"
cat >"$root/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.18)
project(sums LANGUAGES CXX)
add_custom_target(sums SOURCES sums.cu)
END
cat >"$root/project/sums.cu" <<'END'
__global__ void sums(const float *a, float *out, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i * blockDim.x + threadIdx.x];
  out[threadIdx.x] = s;
}
END

# Of its own, so that nothing stays mounted.
exec unshare --mount bash -euo pipefail -c '
  mount --bind /proc "$0/proc"
  chroot "$0" bash -euxo pipefail -c "
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -qqy --no-install-recommends /barricade.deb
    cd /project
    barricade --version
    barricade sums.cu 2>&1 | grep \"can take an artificial barrier\"
    barricade explain artificial-barrier >/dev/null
    barricade --in-place --quiet sums.cu
    grep __syncthreads sums.cu
    ! barricade sums.cu 2>&1 | grep \"can take an artificial barrier\"
    barricade tune --help >/dev/null
    test -s /usr/share/man/man1/barricade.1.gz
  "' "$root"
