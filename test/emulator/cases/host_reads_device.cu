// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host dereferences a device pointer.
int main() {
  int *data, value;
  cudaMalloc(&data, sizeof(int));
  cudaMemset(data, 0, sizeof(int));
#ifdef FIXED
  cudaMemcpy(&value, data, sizeof(int), cudaMemcpyDeviceToHost);
#else
  value = *data; // FAULT: device-memory-access
#endif
  return value;
}
