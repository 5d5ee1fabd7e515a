// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bitonic sort: the whole network in one cooperative kernel where it fits.

__global__ void sortAll(unsigned *data, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned k = 2; k <= n; k *= 2)
    for (unsigned j = k / 2; j > 0; j /= 2) {
      unsigned partner = i ^ j;
      if (i < n && partner >= i) {
        unsigned a = data[i], b = data[partner];
        if ((a > b) == ((i & k) == 0)) {
          data[i] = b;
          data[partner] = a;
        }
      }
      cooperative_groups::this_grid().sync();
    }
}

static void sort(unsigned *data, unsigned n, unsigned threads) {
  const unsigned blocks = (n + threads - 1) / threads;
  if (!by_hand::launchCooperative(sortAll, blocks, threads, data, n))
    sortByLaunches(data, n, threads);
}
