// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Smith-Waterman: all diagonals as one graph.

static void align(const Matrix &m, Scores scores, int threads) {
  by_hand::runAsGraph([&](cudaStream_t stream) {
    int *h0 = m.h0, *h1 = m.h1, *h2 = m.h2;
    for (int d = 2; d <= m.rows + m.columns; ++d) {
      int first = d > m.columns ? d - m.columns : 1;
      int last = d > m.rows ? m.rows : d - 1;
      int cells = last - first + 1;
      int blocks = (cells + threads - 1) / threads;
      fillDiagonal<<<blocks, threads, 0, stream>>>(
          m.a, m.b, scores, h0, h1, h2, m.e, m.f, m.rowBest, m.rowColumn, d,
          first, cells);
      int *oldest = h2;
      h2 = h1;
      h1 = h0;
      h0 = oldest;
    }
  });
}
