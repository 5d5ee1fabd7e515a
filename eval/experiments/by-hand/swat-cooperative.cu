// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Smith-Waterman: all diagonals in one cooperative kernel where the longest
// fits.

__global__ void fillAll(Matrix m, Scores scores) {
  int *h0 = m.h0, *h1 = m.h1, *h2 = m.h2;
  int cell = blockIdx.x * blockDim.x + threadIdx.x;
  for (int d = 2; d <= m.rows + m.columns; ++d) {
    int first = d > m.columns ? d - m.columns : 1;
    int last = d > m.rows ? m.rows : d - 1;
    if (cell <= last - first) {
      int i = first + cell;
      int j = d - i;
      int gapInA = max(h1[i] - scores.open, m.e[i] - scores.extend);
      int gapInB = max(h1[i - 1] - scores.open, m.f[j] - scores.extend);
      int pair = m.a[i - 1] == m.b[j - 1] ? scores.match : scores.mismatch;
      int h = max(max(0, h2[i - 1] + pair), max(gapInA, gapInB));
      m.e[i] = gapInA;
      m.f[j] = gapInB;
      h0[i] = h;
      if (h > m.rowBest[i]) {
        m.rowBest[i] = h;
        m.rowColumn[i] = j;
      }
    }
    cooperative_groups::this_grid().sync();
    int *oldest = h2;
    h2 = h1;
    h1 = h0;
    h0 = oldest;
  }
}

static void align(const Matrix &m, Scores scores, int threads) {
  const int most = std::min(m.rows, m.columns);
  if (!by_hand::launchCooperative(fillAll, (most + threads - 1) / threads,
                                  threads, m, scores))
    alignByLaunches(m, scores, threads);
}
