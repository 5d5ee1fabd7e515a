// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop in which the host reads what kernels have computed: a grid that cannot
// be resident at once runs in turn, if the runtime finds it no worse.
//
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier
// RUN: grep -vE '^// ' %t.cu | FileCheck %s
// RUN: not %dry-run --rules=grid-barrier --grid-barrier-from-start %s > %t.diff
// RUN: grep '^+' %t.diff | FileCheck --check-prefix=START --implicit-check-not='launch_persistent(' %s
//
// START: barricade::launch_persistent_exact(converge_persistent,

__global__ void lower(int *a, int n, int *changed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] > 0) {
    --a[i];
    *changed = gridDim.x;
  }
}

// The grid comes along; the object knows with what the kernel is launched.
//
// CHECK:      {{^}}static __global__ void converge_persistent(barricade::GridBarrier bar,
// CHECK-NEXT: {{^}}                                           dim3 grid, int *flag, int *a,
// CHECK:      {{^}}    for (uint3 block : barricade::logical_blocks(grid))
// CHECK-NEXT: {{^}}      lower_step(block, grid, a, n, flag);
// CHECK:      {{^}}  barricade::Takeover [[T:takeover[0-9]*]](converge_persistent,
// CHECK-NEXT: {{^}}                               barricade::largest_grid((n + 63) / 64), 64, 0,
// CHECK-NEXT: {{^}}                               0);
// CHECK:      {{^}}    if ([[T]].is_due() &&
// CHECK-NEXT: {{^}}        barricade::launch_persistent(converge_persistent, {lower},
void converge(int *a, int n, int *flag) {
  int changed;
  do {
    changed = 0;
    cudaMemcpy(flag, &changed, sizeof(int), cudaMemcpyHostToDevice);
    lower<<<(n + 63) / 64, 64>>>(a, n, flag);
    cudaMemcpy(&changed, flag, sizeof(int), cudaMemcpyDeviceToHost);
  } while (changed);
}

// Instances are named as they are, each once; shared memory is left to the next
// block when all have done with it.
//
// CHECK:      {{^}}    for (uint3 block : barricade::logical_blocks(grid)) {
// CHECK-NEXT: {{^}}      turn_step<16>(block, a, n);
// CHECK-NEXT: {{^}}      __syncthreads();
// CHECK-NEXT: {{^}}    }
// CHECK:      barricade::launch_persistent(ofInstances_persistent,
// CHECK-NEXT: {turn<16>, turn<8 + 8>, lower},
template <int By> __global__ void turn(int *a, int n) {
  __shared__ int part[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? a[i] : 0;
  __syncthreads();
  if (i < n)
    a[i] = part[63 - threadIdx.x] - By;
}
void ofInstances(int *a, int n, int *flag) {
  int changed = 1;
  while (changed) {
    turn<16><<<n / 64, 64>>>(a, n);
    turn<8 + 8><<<n / 64, 64>>>(a, n);
    lower<<<n / 64, 64>>>(a, n, flag);
    lower<<<n / 64, 64>>>(a, n, flag);
    cudaMemcpy(&changed, flag, sizeof(int), cudaMemcpyDeviceToHost);
  }
}

// A list of one instance has a type.
//
// CHECK:      barricade::launch_persistent(inTemplate_persistent<T>,
// CHECK-NEXT: {barricade::AnyKernel(halve<T>)},
template <typename T> __global__ void halve(T *a, int n, int *changed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    a[i] /= 2;
    if (a[i] > 1)
      *changed = 1;
  }
}
template <typename T> void inTemplate(T *a, int n, int *flag) {
  int changed;
  do {
    changed = 0;
    cudaMemcpy(flag, &changed, sizeof(int), cudaMemcpyHostToDevice);
    halve<T><<<n / 64, 64>>>(a, n, flag);
    cudaMemcpy(&changed, flag, sizeof(int), cudaMemcpyDeviceToHost);
  } while (changed);
}
template void inTemplate(int *, int, int *);
template void inTemplate(float *, int, int *);

// A macro's name is one, too.
//
// CHECK:      {{^}}void byMacro(
// CHECK:      barricade::launch_persistent(byMacro_persistent, {KERNEL},
#define KERNEL lower
void byMacro(int *a, int n, int *flag) {
  int changed = 1;
  while (changed) {
    KERNEL<<<n / 64, 64>>>(a, n, flag);
    cudaMemcpy(&changed, flag, sizeof(int), cudaMemcpyDeviceToHost);
  }
}

//===--- The grid must be resident ------------------------------------------===//

// The host reads nothing.
//
// CHECK:      {{^}}void counts(
// CHECK:      {{^}}  barricade::Takeover {{takeover[0-9]*}}(counts_persistent, n / 64, 0);
// CHECK:      barricade::launch_persistent_exact(counts_persistent, n / 64, 64,
void counts(int *a, int n, int *flag, int steps) {
  for (int t = 0; t < steps; ++t) {
    lower<<<n / 64, 64>>>(a, n, flag);
    cudaDeviceSynchronize();
  }
}

// So few blocks are resident anywhere.
//
// CHECK:      {{^}}void few(
// CHECK:      barricade::launch_persistent_exact(few_persistent, 16, 64,
void few(int *a, int n, int *flag) {
  int changed = 1;
  while (changed) {
    lower<<<16, 64>>>(a, n, flag);
    cudaMemcpy(&changed, flag, sizeof(int), cudaMemcpyDeviceToHost);
  }
}

// The launch's arguments tell which kernel it is.
//
// CHECK:      {{^}}void deduced(
// CHECK:      barricade::launch_persistent_exact(deduced_persistent,
void deduced(int *a, int n, int *flag) {
  int changed = 1;
  while (changed) {
    halve<<<n / 64, 64>>>(a, n, flag);
    cudaMemcpy(&changed, flag, sizeof(int), cudaMemcpyDeviceToHost);
  }
}

// CHECK:      {{^}}void overloaded(
// CHECK:      barricade::launch_persistent_exact(overloaded_persistent,
__global__ void grow(int *a, int *changed) {
  *changed = ++a[blockIdx.x] < 9;
}
__global__ void grow(int *a, int *changed, int by) {
  *changed = (a[blockIdx.x] += by) < 9;
}
void overloaded(int *a, int n, int *flag) {
  int changed = 1;
  while (changed) {
    grow<<<n / 64, 64>>>(a, flag);
    cudaMemcpy(&changed, flag, sizeof(int), cudaMemcpyDeviceToHost);
  }
}
