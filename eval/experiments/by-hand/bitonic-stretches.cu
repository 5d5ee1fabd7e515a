// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bitonic sort: steps that stay within their blocks follow each other in one
// launch, whatever the grid's size.

static __device__ void compare(unsigned *data, unsigned n, unsigned j,
                               unsigned k) {
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

__global__ void compareAndSwap(unsigned *data, unsigned n, unsigned j,
                               unsigned k) {
  cudaGridDependencySynchronize();
  compare(data, n, j, k);
}

/// From (j, k) on, as long as j is below the block's size.
__global__ void compareWithinBlocks(unsigned *data, unsigned n, unsigned j,
                                    unsigned k) {
  cudaGridDependencySynchronize();
  while (true) {
    compare(data, n, j, k);
    j /= 2;
    if (j == 0) {
      k *= 2;
      j = k / 2;
    }
    if (k > n || j >= blockDim.x)
      return;
    __syncthreads();
  }
}

static void sort(unsigned *data, unsigned n, unsigned threads) {
  const unsigned blocks = (n + threads - 1) / threads;
  bool isWithin = false;
  for (unsigned k = 2; k <= n; k *= 2)
    for (unsigned j = k / 2; j > 0; j /= 2) {
      const bool wasWithin = isWithin;
      isWithin = j < threads;
      if (!isWithin)
        by_hand::launchDependent(compareAndSwap, blocks, threads, data, n, j,
                                 k);
      else if (!wasWithin)
        by_hand::launchDependent(compareWithinBlocks, blocks, threads, data, n,
                                 j, k);
    }
}
