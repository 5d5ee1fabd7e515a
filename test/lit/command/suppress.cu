// NOLINT comments silence findings and keep edits away; those that silence
// nothing are reported on request.
//
// RUN: %barricade --no-toolkit %s -- --cuda-gpu-arch=sm_90 2>&1 | FileCheck %s
// RUN: %barricade --no-toolkit --unused-suppressions %s -- --cuda-gpu-arch=sm_90 2>&1 \
// RUN:   | FileCheck --check-prefixes=CHECK,UNUSED %s
// RUN: not %dry-run --no-toolkit %s -- --cuda-gpu-arch=sm_90 2>/dev/null \
// RUN:   | FileCheck --check-prefix=DIFF %s
// RUN: %barricade --no-toolkit --json=- %s -- --cuda-gpu-arch=sm_90 2>/dev/null \
// RUN:   | FileCheck --check-prefix=JSON %s

// JSON: "kind": "comment"

__global__ void onTheLine(const float *a, float *sums, int n) {
  float sum = 0;
  // CHECK-NOT: warning: {{.*}}artificial
  for (int j = 0; j < n; ++j) // NOLINT(barricade-artificial-barrier): measured
    sum += a[threadIdx.x * n + j];
  sums[threadIdx.x] = sum;
}

__global__ void nextLine(const float *a, float *sums, int n) {
  float sum = 0;
  // NOLINTNEXTLINE(barricade-*)
  for (int j = 0; j < n; ++j)
    sum += a[threadIdx.x * n + j];
  sums[threadIdx.x] = sum;
}

// NOLINTBEGIN(barricade-artificial-barrier, other-check)
__global__ void inABlock(const float *a, float *sums, int n) {
  float sum = 0;
  for (int j = 0; j < n; ++j)
    sum += a[threadIdx.x * n + j];
  sums[threadIdx.x] = sum;
}
// NOLINTEND(barricade-artificial-barrier, other-check)

__global__ void notSilenced(const float *a, float *sums, int n) {
  float sum = 0;
  // UNUSED-DAG: :[[@LINE+1]]:6: warning: there is no rule 'barricade-artifical-barrier' to suppress [barricade-unused-suppression]
  // NOLINTNEXTLINE(barricade-artifical-barrier)
  for (int j = 0; j < n; ++j)
    sum += a[threadIdx.x * n + j];
  // CHECK-DAG: :[[@LINE-2]]:3: warning: {{.*}} [barricade-artificial-barrier]
  // DIFF: @@ -[[#@LINE-6]],
  // DIFF-NOT: {{^}}@@
  sums[threadIdx.x] = sum;
}

// UNUSED-DAG: :[[@LINE+1]]:11: warning: nothing here is found that 'barricade-artificial-barrier' suppresses [barricade-unused-suppression]
int x; // NOLINT(barricade-artificial-barrier)

// Judged by other tools, or not at all.
int y; // NOLINT
int z; // NOLINT(bugprone-*)
// CHECK: 4 findings in 1 file: 1 to rewrite, 3 suppressed
