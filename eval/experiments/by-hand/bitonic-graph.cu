// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bitonic sort: the whole network as one graph.

static void sort(unsigned *data, unsigned n, unsigned threads) {
  const unsigned blocks = (n + threads - 1) / threads;
  by_hand::runAsGraph([&](cudaStream_t stream) {
    for (unsigned k = 2; k <= n; k *= 2)
      for (unsigned j = k / 2; j > 0; j /= 2)
        compareAndSwap<<<blocks, threads, 0, stream>>>(data, n, j, k);
  });
}
