#!/bin/sh
# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds and runs all experiments of this folder on the GPU of this machine, in
# about seven minutes, and writes what they print into FOLDER:
#
#   eval/gpu-sync/run.sh FOLDER [NVCC-OPTIONS]
#
# Exit code 1 if a check fails; the measurements are finished all the same.
set -u
cd "$(dirname "$0")/../.." || exit 2
usage="usage: $0 FOLDER [NVCC-OPTIONS]"
case ${1-} in
--help) echo "$usage"; exit 0 ;;
"" | -*) echo "$usage" >&2; exit 2 ;;
esac
out=$1
shift
mkdir -p "$out" && programs=$(mktemp -d) || exit 2
trap 'rm -rf "$programs"' EXIT
failed=0

pids=
for program in race microbench litmus host debug first_use takeover readback replay transfers dependent; do
  nvcc -I. -std=c++17 -O3 -arch=native "$@" -o "$programs/$program" \
    "eval/gpu-sync/$program.cu" &
  pids="$pids $!"
done
for pid in $pids; do wait "$pid" || exit 2; done

# run SECONDS FILE PROGRAM ARGUMENTS...: what the program says goes to FILE.
run() {
  seconds=$1 file=$2
  shift 2
  timeout "$seconds" "$@" >>"$out/$file" || { echo "failed: $*" >&2; failed=1; }
}

rm -f "$out/replay.csv" "$out/race.csv" "$out/microbench.csv" "$out/litmus.csv" "$out/dependent.csv" "$out/transfers.csv" "$out/checks.txt"
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader >"$out/checks.txt"
run 120 race.csv "$programs/race" 5000 5
run 180 microbench.csv "$programs/microbench" 10000 3
run 30 checks.txt "$programs/host"
run 60 checks.txt "$programs/replay"
run 120 replay.csv "$programs/replay" times
run 60 checks.txt "$programs/transfers"
run 60 transfers.csv "$programs/transfers" times
echo kind,place,first_us,later_us,first_call_us,later_call_us >"$out/first_use.csv"
for order in 0 1 2 3 4 5 0 1 2 3 4 5 0 1 2 3 4 5; do
  run 30 first_use.csv "$programs/first_use" $order
done
echo form,blocks,work,steps,first_us,later_us,first_at,later_at >"$out/takeover.csv"
for process in 1 2 3 4 5; do
  for shape in "132 0" "132 500" "528 0" "1056 0" "1056 100" "1056 200" \
      "1056 500" "1056 2000"; do
    for steps in 10 30 100 1000; do
      for form in launches start counted uncounted; do
        run 30 takeover.csv "$programs/takeover" $form $shape $steps
      done
    done
  done
done
echo form,blocks,work,steps,first_us,later_us >"$out/readback.csv"
for shape in "132 0" "132 400" "1056 0" "1056 400" "2112 0" "2112 400" \
    "8448 0" "8448 400" "33792 0" "33792 400"; do
  for steps in 10 100 1000; do
    for form in launches exact clamped while while4; do
      run 60 readback.csv "$programs/readback" $form $shape $steps
    done
  done
done
run 120 dependent.csv "$programs/dependent"
for strategy in automatic lock lock_free cooperative; do
  run 30 checks.txt "$programs/debug" $strategy
done
run 300 litmus.csv "$programs/litmus" 10000000 2>>"$out/checks.txt"
for tool in synccheck racecheck; do
  run 120 checks.txt compute-sanitizer --tool $tool "$programs/litmus" 600
done
exit $failed
