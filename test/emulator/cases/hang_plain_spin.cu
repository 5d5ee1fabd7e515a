// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same with a plain variable, which no instruction marks as shared.
// OPTIONS: --hang-accesses=100000
__global__ void kernel(int *words, int n) {
  int i = 0;
#ifdef FIXED
  n = 0;
#endif
  while (words[i] != n) // FAULT: hang
    i = (i + 1) % 64;
}

int main() {
  int *words;
  cudaMalloc(&words, 64 * sizeof(int));
  cudaMemset(words, 0, 64 * sizeof(int));
  kernel<<<1, 32>>>(words, 1);
  return cudaDeviceSynchronize();
}
