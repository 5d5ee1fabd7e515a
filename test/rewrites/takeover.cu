// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that a persistent kernel takes over once they have begun, and loops
// that look like them: what an iteration leaves for the next must be there in
// the kernel, and what the loop leaves must be there behind it.

#include "relaunch_check.h"
#include <utility>

__global__ void shift(const int *in, int *out, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[(i + unsigned(by)) % n] * 3 + i;
}

static void shiftOnHost(const Values &in, Values &out, int by) {
  const int n = int(in.size());
  for (int i = 0; i < n; ++i)
    out[i] = in[(i + unsigned(by)) % n] * 3 + i;
}

/// The counter and a number that changes with it live on.
static int counts(int *a, int *b, int n, int steps) {
  int t, by = 1;
  for (t = 0, by = 5; t < steps; ++t) {
    shift<<<blocksFor(n), Threads>>>(a, b, n, by);
    std::swap(a, b);
    by = by * 3 + t;
  }
  return t + by;
}
static int countsOnHost(Values &a, Values &b, int steps) {
  int t, by;
  for (t = 0, by = 5; t < steps; ++t) {
    shiftOnHost(t % 2 ? b : a, t % 2 ? a : b, by);
    by = by * 3 + t;
  }
  return t + by;
}

/// What the first iteration leaves is read by the others.
static int leaves(int *a, int *b, int n, int steps) {
  int by;
  for (int t = 0; t < steps; ++t) {
    if (t == 0)
      by = n;
    shift<<<blocksFor(n), Threads>>>(a, b, n, by + t);
    shift<<<blocksFor(n), Threads>>>(b, a, n, by);
  }
  return 0;
}
static int leavesOnHost(Values &a, Values &b, int steps) {
  const int by = int(a.size());
  for (int t = 0; t < steps; ++t) {
    shiftOnHost(a, b, by + t);
    shiftOnHost(b, a, by);
  }
  return 0;
}

/// Two names for one thing: behind the header the inner one counts.
static int hides(int *a, int *b, int n, int steps) {
  for (int last = steps, steps = 0; steps < last; ++steps) {
    shift<<<blocksFor(n), Threads>>>(a, b, n, last);
    shift<<<blocksFor(n), Threads>>>(b, a, n, steps);
  }
  return steps;
}
static int hidesOnHost(Values &a, Values &b, int steps) {
  for (int t = 0; t < steps; ++t) {
    shiftOnHost(a, b, steps);
    shiftOnHost(b, a, t);
  }
  return steps;
}

/// A condition that counts, and one that does not.
static int countsDown(int *a, int *b, int n, int steps) {
  int left = steps;
  while (left-- > 0) {
    shift<<<blocksFor(n), Threads>>>(a, b, n, left);
    shift<<<blocksFor(n), Threads>>>(b, a, n, left + 1);
  }
  return left;
}
static int looks(int *a, int *b, int n, int steps) {
  int left = steps;
  while (left > 0) {
    --left;
    shift<<<blocksFor(n), Threads>>>(a, b, n, left);
    shift<<<blocksFor(n), Threads>>>(b, a, n, left + 1);
    cudaStreamSynchronize(0);
  }
  return left - 1;
}
static int countsDownOnHost(Values &a, Values &b, int steps) {
  for (int left = steps - 1; left >= 0; --left) {
    shiftOnHost(a, b, left);
    shiftOnHost(b, a, left + 1);
  }
  return -1;
}

/// At least once, and out of the middle.
static int doesOnce(int *a, int *b, int n, int steps) {
  int t = 0, last = 0;
  do {
    shift<<<blocksFor(n), Threads>>>(a, b, n, t);
    if (t == 3)
      break;
    last = t;
    if (t % 2)
      continue;
    shift<<<blocksFor(n), Threads>>>(b, a, n, last);
  } while (++t < steps);
  return last * 10 + t;
}
static int doesOnceOnHost(Values &a, Values &b, int steps) {
  int t = 0, last = 0;
  do {
    shiftOnHost(a, b, t);
    if (t == 3)
      break;
    last = t;
    if (t % 2)
      continue;
    shiftOnHost(b, a, last);
  } while (++t < steps);
  return last * 10 + t;
}

/// Without a condition, and with a buffer that toggles.
static int toggles(int *a, int *b, int n, int steps) {
  int *buffers[2] = {a, b};
  int which = 0, t = 0;
  for (;;) {
    if (t >= steps)
      break;
    shift<<<blocksFor(n), Threads>>>(buffers[which], buffers[1 - which], n, t);
    which = 1 - which;
    t++;
  }
  return which;
}
static int togglesOnHost(Values &a, Values &b, int steps) {
  for (int t = 0; t < steps; ++t)
    shiftOnHost(t % 2 ? b : a, t % 2 ? a : b, t);
  return steps % 2;
}

/// Downwards, by unsigned numbers, in a loop of the host's.
static int repeats(int *a, int *b, int n, int steps) {
  for (int round = 0; round < 2; ++round) {
    if (round == 1)
      cudaMemset(b, round, n * sizeof(int));
    for (unsigned k = steps; k > 0; --k) {
      shift<<<blocksFor(n), Threads>>>(a, b, n, int(k));
      shift<<<blocksFor(n), Threads>>>(b, a, n, round);
    }
    cudaDeviceSynchronize();
    std::printf("%s", "");
  }
  return 0;
}
static int repeatsOnHost(Values &a, Values &b, int steps) {
  for (int round = 0; round < 2; ++round) {
    if (round == 1)
      b.assign(b.size(), 0x01010101);
    for (int k = steps; k > 0; --k) {
      shiftOnHost(a, b, k);
      shiftOnHost(b, a, round);
    }
  }
  return 0;
}

/// What one round leaves is there in the next.
static int remembers(int *a, int *b, int n, int steps) {
  int by;
  for (int round = 0; round < 2; ++round) {
    for (int t = 0; t < steps; ++t) {
      if (round == 0 && t == 0)
        by = n;
      shift<<<blocksFor(n), Threads>>>(a, b, n, by + t);
      shift<<<blocksFor(n), Threads>>>(b, a, n, by);
    }
    std::printf("%s", "");
  }
  return 0;
}
static int remembersOnHost(Values &a, Values &b, int steps) {
  leavesOnHost(a, b, steps);
  return leavesOnHost(a, b, steps);
}

/// A loop whose first steps differ from the others.
static int begins(int *a, int *b, int n, int steps) {
  bool first = true;
  for (int t = 0; t < steps; ++t) {
    if (first)
      shift<<<blocksFor(n), Threads>>>(a, b, n, 7);
    first = false;
    shift<<<blocksFor(n), Threads>>>(b, a, n, t);
    shift<<<blocksFor(n), Threads>>>(a, b, n, t + 1);
  }
  return first;
}
static int beginsOnHost(Values &a, Values &b, int steps) {
  for (int t = 0; t < steps; ++t) {
    if (t == 0)
      shiftOnHost(a, b, 7);
    shiftOnHost(b, a, t);
    shiftOnHost(a, b, t + 1);
  }
  return steps == 0;
}

/// A value that every iteration sets is read back, and looked at behind.
static int readsBack(int *a, int *b, int n, int steps) {
  int seen, t = 0;
  do {
    shift<<<blocksFor(n), Threads>>>(a, b, n, t);
    cudaMemcpy(&seen, b, sizeof(int), cudaMemcpyDeviceToHost);
    shift<<<blocksFor(n), Threads>>>(b, a, n, seen);
    ++t;
  } while (seen % 7 != 0 && t < steps);
  return seen + t;
}
static int readsBackOnHost(Values &a, Values &b, int steps) {
  int seen, t = 0;
  do {
    shiftOnHost(a, b, t);
    seen = b[0];
    shiftOnHost(b, a, seen);
    ++t;
  } while (seen % 7 != 0 && t < steps);
  return seen + t;
}

/// What is read back ends the loop; of two counters the loop needs one.
static int endsEarly(int *a, int *b, int n, int steps) {
  int k, t;
  for (k = 5, t = 0; t < steps; ++t) {
    int seen;
    shift<<<blocksFor(n), Threads>>>(a, b, n, t);
    cudaMemcpy(&seen, b, sizeof(int), cudaMemcpyDeviceToHost);
    if (seen % 4 == 3)
      break;
    shift<<<blocksFor(n), Threads>>>(b, a, n, seen);
  }
  return t * 10 + k;
}
static int endsEarlyOnHost(Values &a, Values &b, int steps) {
  int t;
  for (t = 0; t < steps; ++t) {
    shiftOnHost(a, b, t);
    const int seen = b[0];
    if (seen % 4 == 3)
      break;
    shiftOnHost(b, a, seen);
  }
  return t * 10 + 5;
}

/// Nothing of what the loop finds out is looked at behind it.
static int beginsOnly(int *a, int *b, int n, int steps) {
  int from, seen, by;
  for (from = steps * 2, seen = steps; seen % 7 != 0;) {
    by = seen % 5;
    shift<<<blocksFor(n), Threads>>>(a, b, n, by);
    shift<<<blocksFor(n), Threads>>>(b, a, n, 1);
    cudaMemcpy(&seen, a, sizeof(int), cudaMemcpyDeviceToHost);
  }
  return from;
}
static int beginsOnlyOnHost(Values &a, Values &b, int steps) {
  for (int seen = steps; seen % 7 != 0;) {
    shiftOnHost(a, b, seen % 5);
    shiftOnHost(b, a, 1);
    seen = a[0];
  }
  return steps * 2;
}

/// The grid of each iteration depends on a number that lives on.
static int grows(int *a, int *b, int n, int steps) {
  int t, blocks = blocksFor(n);
  for (t = 0; t < steps; ++t) {
    blocks += t % 2;
    shift<<<blocks, Threads>>>(a, b, n, blocks);
    shift<<<blocks, Threads>>>(b, a, n, t);
  }
  return blocks * 10 + t;
}
static int growsOnHost(Values &a, Values &b, int steps) {
  int blocks = blocksFor(int(a.size()));
  for (int t = 0; t < steps; ++t) {
    blocks += t % 2;
    shiftOnHost(a, b, blocks);
    shiftOnHost(b, a, t);
  }
  return blocks * 10 + (steps > 0 ? steps : 0);
}

/// Another stream's work, for which each iteration waits, is done before the
/// next, and so before the kernel.
static int waits(int *a, int *b, int n, int steps) {
  cudaStream_t other;
  cudaStreamCreate(&other);
  shift<<<blocksFor(n), Threads, 0, other>>>(a, b, n, 2);
  for (int t = 0; t < steps; ++t) {
    cudaDeviceSynchronize();
    shift<<<blocksFor(n), Threads>>>(b, a, n, t);
    shift<<<blocksFor(n), Threads>>>(a, b, n, t + 1);
  }
  cudaStreamSynchronize(other);
  cudaStreamDestroy(other);
  return 0;
}
static int waitsOnHost(Values &a, Values &b, int steps) {
  shiftOnHost(a, b, 2);
  for (int t = 0; t < steps; ++t) {
    shiftOnHost(b, a, t);
    shiftOnHost(a, b, t + 1);
  }
  return 0;
}

int main() {
  bool right = agree("counts", counts, countsOnHost);
  right &= agree("leaves", leaves, leavesOnHost);
  right &= agree("hides", hides, hidesOnHost);
  right &= agree("countsDown", countsDown, countsDownOnHost);
  right &= agree("looks", looks, countsDownOnHost);
  right &= agree("doesOnce", doesOnce, doesOnceOnHost);
  right &= agree("toggles", toggles, togglesOnHost);
  right &= agree("repeats", repeats, repeatsOnHost);
  right &= agree("remembers", remembers, remembersOnHost);
  right &= agree("begins", begins, beginsOnHost);
  right &= agree("readsBack", readsBack, readsBackOnHost);
  right &= agree("endsEarly", endsEarly, endsEarlyOnHost);
  right &= agree("beginsOnly", beginsOnly, beginsOnlyOnHost);
  right &= agree("grows", grows, growsOnHost);
  right &= agree("waits", waits, waitsOnHost);
  return right ? 0 : 1;
}
