// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory is freed twice.
int main() {
  int *data;
  cudaMalloc(&data, 64 * sizeof(int));
  cudaFree(data);
#ifndef FIXED
  cudaFree(data); // FAULT: use-after-free
#endif
  return 0;
}
