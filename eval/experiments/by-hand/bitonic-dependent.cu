// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bitonic sort: each launch may begin before the one before has ended.

__global__ void compareAndSwap(unsigned *data, unsigned n, unsigned j,
                               unsigned k) {
  cudaGridDependencySynchronize();
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned partner = i ^ j;
  if (i >= n || partner < i)
    return;
  unsigned a = data[i];
  unsigned b = data[partner];
  bool ascending = (i & k) == 0;
  if ((a > b) == ascending) {
    data[i] = b;
    data[partner] = a;
  }
}

static void sort(unsigned *data, unsigned n, unsigned threads) {
  const unsigned blocks = (n + threads - 1) / threads;
  for (unsigned k = 2; k <= n; k *= 2)
    for (unsigned j = k / 2; j > 0; j /= 2)
      by_hand::launchDependent(compareAndSwap, blocks, threads, data, n, j, k);
}
