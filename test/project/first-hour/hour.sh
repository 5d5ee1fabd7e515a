#!/usr/bin/env bash
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What first_hour.sh does in the clean system.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -qqy --no-install-recommends /barricade.deb
barricade --version
test -s /usr/share/man/man1/barricade.1.gz
barricade tune --help >/dev/null
apt-get install -qqy --no-install-recommends cmake make g++ neovim

export PATH=/cuda/bin:$PATH CUDA_HOME=/cuda
cd /project
cmake -S . -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DCMAKE_CUDA_ARCHITECTURES=90 >/dev/null
cmake --build build

# expect CODE WORDS COMMAND...: it ends so, and says what has these words.
expect() {
  local code=0 said
  said=$("${@:3}" 2>&1) || code=$?
  printf '%s\n%s\n' "== ${*:3}: $code" "$said"
  [[ $code == "$1" && $said == *"$2"* ]]
}

# By its name, within the project: it finds the database.
(cd src && expect 0 "expected on an NVIDIA H200" barricade heat.cu)
expect 4 "can become one persistent kernel" barricade --fail-on=rewrite src/heat.cu
expect 4 "error: memory fence is used as a grid barrier" barricade src/shift.cu
barricade explain needs-grid-barrier >/dev/null
barricade --quiet --html=/report.html --sarif=/report.sarif src/heat.cu
test -s /report.html -a -s /report.sarif

expect 0 "1 rewritten" barricade --in-place src/heat.cu
grep '#include <barricade/gpu_sync.cuh>' src/heat.cu
cmake --build build # compilers find the package's header
expect 0 "1 file: 3 refused" barricade src/heat.cu

# The editor, on a file of no project: finding, action, undo, typing.
mkdir -p /editor && cd /editor
cp /project/k.cu .
nvim --headless -u /usr/share/barricade/editors/neovim/barricade.lua -i NONE -n k.cu \
  -c 'luafile /project/neovim.lua' >/said
grep 'findings: .*artificial barrier' /said
grep 'undone: true' /said
echo "== the hour is over"
