// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Smith-Waterman (papers: P3, system 14): local alignment of two sequences with
// affine gaps (Gotoh: "An improved algorithm for matching biological
// sequences", J. Mol. Biol. 162, 1982). The matrix is filled by anti-diagonals:
// one launch fills one, and the next launch waits for it.

#include "../common/sample.h"

struct Scores {
  int match, mismatch; ///< Added for a pair of letters.
  int open, extend;    ///< A gap of k letters costs open + (k - 1) * extend.
};

/// Fills the cells (i, d - i) of the matrix, i = first .. first + cells - 1.
///
/// h0, h1 and h2 are the best scores H on the diagonals d, d - 1 and d - 2, by
/// row. e, the best score that ends in a gap in `a`, is needed in its row only,
/// and f, in a gap in `b`, in its column only. The best score of each row and
/// the first column that has it are kept in rowBest and rowColumn.
__global__ void fillDiagonal(const char *a, const char *b, Scores scores,
                             int *h0, const int *h1, const int *h2, int *e,
                             int *f, int *rowBest, int *rowColumn, int d,
                             int first, int cells) {
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

/// Device memory of one alignment; rows and columns count from 1.
struct Matrix {
  const char *a, *b;
  int rows, columns;
  int *h0, *h1, *h2, *e, *f;
  int *rowBest, *rowColumn;
};

static void align(const Matrix &m, Scores scores, int threads) {
  int *h0 = m.h0, *h1 = m.h1, *h2 = m.h2;
  for (int d = 2; d <= m.rows + m.columns; ++d) {
    int first = d > m.columns ? d - m.columns : 1;
    int last = d > m.rows ? m.rows : d - 1;
    int cells = last - first + 1;
    int blocks = (cells + threads - 1) / threads;
    fillDiagonal<<<blocks, threads>>>(m.a, m.b, scores, h0, h1, h2, m.e, m.f,
                                      m.rowBest, m.rowColumn, d, first, cells);
    int *oldest = h2;
    h2 = h1;
    h1 = h0;
    h0 = oldest;
  }
}

struct Result {
  std::vector<int> rowBest, rowColumn; ///< By row; row 0 is empty.

  /// The last row of the best local alignment.
  int endRow() const {
    return int(std::max_element(rowBest.begin(), rowBest.end()) -
               rowBest.begin());
  }
};

/// The same matrix, row by row.
static Result alignOnHost(const std::vector<char> &a,
                          const std::vector<char> &b, Scores scores) {
  Result result;
  result.rowBest.assign(a.size() + 1, 0);
  result.rowColumn.assign(a.size() + 1, 0);
  std::vector<int> h(b.size() + 1, 0), f(b.size() + 1, 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    int diagonal = 0, left = 0, e = 0;
    for (size_t j = 1; j <= b.size(); ++j) {
      e = std::max(left - scores.open, e - scores.extend);
      f[j] = std::max(h[j] - scores.open, f[j] - scores.extend);
      const int pair = a[i - 1] == b[j - 1] ? scores.match : scores.mismatch;
      left = std::max({0, diagonal + pair, e, f[j]});
      diagonal = h[j];
      h[j] = left;
      if (left > result.rowBest[i]) {
        result.rowBest[i] = left;
        result.rowColumn[i] = int(j);
      }
    }
  }
  return result;
}

/// Random DNA; the middle half of b is like the middle half of a, except that
/// one letter in ten is changed, left out, or doubled.
static void makeSequences(std::vector<char> &a, std::vector<char> &b,
                          sample::Random &random) {
  static const char letters[] = "ACGT";
  for (char &letter : a)
    letter = letters[random.below(4)];
  for (char &letter : b)
    letter = letters[random.below(4)];
  size_t from = a.size() / 4;
  for (size_t j = b.size() / 4; j < b.size() * 3 / 4 && from < a.size() * 3 / 4;
       ++j) {
    const uint64_t change = random.below(30);
    if (change != 0)
      b[j] = a[from];
    from += change == 1 ? 0 : change == 2 ? 2 : 1;
  }
}

int main(int argc, char **argv) {
  sample::Program program("swat", "Smith-Waterman local alignment");
  int rows = 4096, columns = 0, threads = 256;
  int mismatch = 4;
  Scores scores = {5, 0, 10, 1};
  program.option("n", rows, "letters of the first sequence", 1, 1 << 20);
  program.option("m", columns, "letters of the second, 0: as the first", 0,
                 1 << 20);
  program.option("threads", threads, "threads in a block", 1, 1024);
  program.option("match", scores.match, "gain of equal letters", 1, 100);
  program.option("mismatch", mismatch, "loss of different letters", 0, 100);
  program.option("open", scores.open, "loss of a gap's first letter", 0, 100);
  program.option("extend", scores.extend, "loss of its further letters", 0,
                 100);
  program.parse(argc, argv);
  scores.mismatch = -mismatch;
  if (columns == 0)
    columns = rows;
  program.requireGpu();

  sample::Random random(program.randomSeed());
  std::vector<char> a(rows), b(columns);
  makeSequences(a, b, random);
  const Result want =
      program.sequential([&] { return alignOnHost(a, b, scores); });

  sample::DeviceArray<char> dA(a), dB(b);
  sample::DeviceArray<int> h0(rows + 1), h1(rows + 1), h2(rows + 1);
  sample::DeviceArray<int> e(rows + 1), f(columns + 1);
  sample::DeviceArray<int> rowBest(rows + 1), rowColumn(rows + 1);
  const Matrix matrix = {dA.data(),      dB.data(),       rows,
                         columns,        h0.data(),       h1.data(),
                         h2.data(),      e.data(),        f.data(),
                         rowBest.data(), rowColumn.data()};
  const int endRow = want.endRow();
  program.fact("score", want.rowBest[endRow]);
  program.fact("end row", endRow);
  program.fact("end column", want.rowColumn[endRow]);
  return program.run(
      [&] {
        // H is 0 on the border. E and F may begin with any score that is not
        // above 0, since no local alignment gains by it.
        for (auto *array : {&h0, &h1, &h2, &e, &f, &rowBest, &rowColumn})
          array->fill(0);
      },
      [&] { align(matrix, scores, threads); },
      [&] {
        return sample::countMismatches("best score of row", rowBest.download(),
                                       want.rowBest) +
               sample::countMismatches("its column in row",
                                       rowColumn.download(), want.rowColumn);
      });
}
