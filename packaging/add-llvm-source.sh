#!/bin/sh
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: add-llvm-source.sh URL
#
# Makes LLVM 22's packages known to apt on Debian and Ubuntu. URL is the folder
# of this system's packages at LLVM's own service, apt.llvm, as its page gives
# it; the key that signs them lies above. Without a URL, or where apt has the
# packages already, it does nothing. Needs root, and curl with ca-certificates.
set -eu

url=${1%/}
if [ -z "$url" ] || apt-cache show libclang-22-dev >/dev/null 2>&1; then
  exit 0
fi
codename=$(. "${BARRICADE_OS_RELEASE:-/etc/os-release}" && echo "$VERSION_CODENAME")
etc=${BARRICADE_APT_FOLDER:-/etc/apt} # the tests name another
mkdir -p "$etc/keyrings" "$etc/sources.list.d"
curl --fail --silent --show-error --location \
  --output "$etc/keyrings/llvm.asc" "${url%/*}/llvm-snapshot.gpg.key"
echo "deb [signed-by=$etc/keyrings/llvm.asc] $url/ llvm-toolchain-$codename-22 main" \
  >"$etc/sources.list.d/llvm-22.list"
apt-get update
