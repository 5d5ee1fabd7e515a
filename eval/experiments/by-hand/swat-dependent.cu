// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Smith-Waterman: each launch may begin before the one before has ended.

__global__ void fillDiagonal(const char *a, const char *b, Scores scores,
                             int *h0, const int *h1, const int *h2, int *e,
                             int *f, int *rowBest, int *rowColumn, int d,
                             int first, int cells) {
  cudaGridDependencySynchronize();
  int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= cells)
    return;
  int i = first + cell;
  int j = d - i;
  int gapInA = max(h1[i] - scores.open, e[i] - scores.extend);
  int gapInB = max(h1[i - 1] - scores.open, f[j] - scores.extend);
  int pair = a[i - 1] == b[j - 1] ? scores.match : scores.mismatch;
  int h = max(max(0, h2[i - 1] + pair), max(gapInA, gapInB));
  e[i] = gapInA;
  f[j] = gapInB;
  h0[i] = h;
  if (h > rowBest[i]) {
    rowBest[i] = h;
    rowColumn[i] = j;
  }
}

static void align(const Matrix &m, Scores scores, int threads) {
  int *h0 = m.h0, *h1 = m.h1, *h2 = m.h2;
  for (int d = 2; d <= m.rows + m.columns; ++d) {
    int first = d > m.columns ? d - m.columns : 1;
    int last = d > m.rows ? m.rows : d - 1;
    int cells = last - first + 1;
    int blocks = (cells + threads - 1) / threads;
    by_hand::launchDependent(fillDiagonal, blocks, threads, m.a, m.b, scores,
                             h0, h1, h2, m.e, m.f, m.rowBest, m.rowColumn, d,
                             first, cells);
    int *oldest = h2;
    h2 = h1;
    h1 = h0;
    h0 = oldest;
  }
}
