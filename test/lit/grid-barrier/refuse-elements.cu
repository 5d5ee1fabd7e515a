// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of arrays behind pointers that may not be copied before the loop:
// an index may be another than it seems, an element may not be there, or may
// change.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- -std=c++17 > %t.out 2>&1
// RUN: FileCheck %s < %t.out

#include <cstdio>
#include <utility>

__global__ void blur(const int *in, int *out, int n) { *out = *in + n; }
__global__ void touch(int *p) { *p += 1; }
__global__ void link(int **p, int *q) { *p = q; }
__global__ void bytes(char *p, char by) { *p = by; }

//===--- The index ------------------------------------------------------------//

void ofParameters(int *buf[2], int src, int dst, int n) {
  for (int t = 0; t < n; ++t) {
    blur<<<4, 64>>>(buf[src], buf[dst], n);
    std::swap(src, dst);
  }
}
// CHECK: :[[#@LINE-4]]:21: note: {{.*}} [host-memory]

void choose(int &src, int &dst);
void setElsewhere(int *buf[2], int n) {
  int src = 0, dst = 1;
  choose(src, dst);
  for (int t = 0; t < n; ++t) {
    blur<<<4, 64>>>(buf[src], buf[dst], n);
    std::swap(src, dst);
  }
}
// CHECK: :[[#@LINE-4]]:21: note: {{.*}} [host-memory]

void setByScan(int *buf[2], int n) {
  int src = 0;
  std::scanf("%d", &src);
  for (int t = 0; t < n; ++t)
    blur<<<4, 64>>>(buf[src], buf[1 - src], n);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-memory]

void setByCopy(int *buf[2], int *flag, int n) {
  int src = 0;
  cudaMemcpy(&src, flag, sizeof(int), cudaMemcpyDeviceToHost);
  for (int t = 0; t < n; ++t)
    blur<<<4, 64>>>(buf[src], buf[1 - src], n);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-memory]

void setUnderCondition(int *buf[2], int n) {
  int src = 0, dst = 1;
  if (n > 100)
    src = 3;
  for (int t = 0; t < n; ++t) {
    blur<<<4, 64>>>(buf[src], buf[dst], n);
    std::swap(src, dst);
  }
}
// CHECK: :[[#@LINE-4]]:21: note: {{.*}} [host-memory]

void setInDeclaration(int *buf[2], int n) {
  int src = 0, dst = src++;
  for (int t = 0; t < n; ++t)
    blur<<<4, 64>>>(buf[src], buf[dst], n);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-memory]

void setByOperator(int *buf[2], int n) {
  int src = 0;
  for (int t = 0; t < n; ++t) {
    n > 100 && (src = 1);
    blur<<<4, 64>>>(buf[src], buf[0], n);
  }
}
// CHECK: :[[#@LINE-3]]:21: note: {{.*}} [host-memory]

void setInArm(int *buf[2], int n) {
  int src = 0;
  for (int t = 0; t < n; ++t) {
    n > 100 ? ++src : src;
    blur<<<4, 64>>>(buf[src & 1], buf[0], n);
    src &= 1;
  }
}
// CHECK: :[[#@LINE-4]]:21: note: {{.*}} [host-memory]

void setTwice(int *buf[2], int n) {
  int src = 0, dst = 1;
  for (int t = 0; t < n; ++t) {
    src = (dst = 0, 1);
    blur<<<4, 64>>>(buf[src], buf[dst], n);
  }
}
// CHECK: :[[#@LINE-3]]:21: note: {{.*}} [host-memory]

void setInCondition(int *buf[2], int n) {
  int src = 0;
  if ((src = n) > 2)
    for (int t = 0; t < n; ++t) {
      blur<<<4, 64>>>(buf[src], buf[1 - src], n);
      src = 0;
    }
}
// CHECK: :[[#@LINE-4]]:23: note: {{.*}} [host-memory]

void setByCase(int *buf[2], int n) {
  int src = 7;
  switch (n) {
  case 1:
    src = 0;
  default:
    for (int t = 0; t < n; ++t)
      blur<<<4, 64>>>(buf[src], buf[1 - src], n);
  }
}
// CHECK: :[[#@LINE-3]]:23: note: {{.*}} [host-memory]

void setByLambda(int *buf[2], int n) {
  int src = 0;
  const auto set = [&] { src = n; };
  set();
  for (int t = 0; t < n; ++t)
    blur<<<4, 64>>>(buf[src], buf[1 - src], n);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-memory]

void jumpsAround(int *buf[2], int n) {
  int src = 5;
  if (n > 3)
    goto loop;
  src = 0;
loop:
  for (int t = 0; t < n; ++t)
    blur<<<4, 64>>>(buf[src], buf[1 - src], n);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-memory]

void keepsIndex(int *buf[2], int n) {
  int src = 0, dst = 1;
  for (int run = 0; run < 3; ++run) {
    std::printf("%d\n", run);
    for (int t = 0; t < n; ++t) {
      blur<<<4, 64>>>(buf[src], buf[dst], n);
      std::swap(src, dst);
    }
    dst = run;
  }
}
// CHECK: :[[#@LINE-6]]:23: note: {{.*}} [host-memory]

void readsIndexBack(int *buf[2], int *flag, int n) {
  int src = 0;
  for (int t = 0; t < n; ++t) {
    blur<<<4, 64>>>(buf[src], buf[1 - src], n);
    touch<<<4, 64>>>(flag);
    cudaMemcpy(&src, flag, sizeof(int), cudaMemcpyDeviceToHost);
  }
}
// CHECK: :[[#@LINE-5]]:21: note: {{.*}} [host-memory]

void countsUp(int *buf[2], int n) {
  int src = 0;
  for (int t = 0; t < n; ++t) {
    blur<<<4, 64>>>(buf[src], buf[src + 1], n);
    src += 1;
  }
}
// CHECK: :[[#@LINE-4]]:21: note: {{.*}} [host-memory]

void byIteration(int *buf[8], int n) {
  for (int t = 0; t < n; ++t)
    blur<<<4, 64>>>(buf[t], buf[t + 1], n);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-memory]

void ofNegativeRemainder(int *buf[2], int first, int n) {
  for (int t = first; t < n; ++t)
    blur<<<4, 64>>>(buf[t % 2], buf[1 - t % 2], n);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-memory]

void countsDownRemainder(int *buf[2], int n) {
  for (int t = 100; t > n; --t)
    blur<<<4, 64>>>(buf[t % 2], buf[(t + 1) % 2], n);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-memory]

void wrapsAround(int *buf[2], int n) {
  for (signed char t = 0; t < n; ++t)
    blur<<<4, 64>>>(buf[t % 2], buf[(t + 1) % 2], n);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-memory]

void wrapsByCast(int *buf[2], unsigned n) {
  for (unsigned t = 0; t < n; ++t)
    blur<<<4, 64>>>(buf[(int)t % 2], buf[((int)t + 1) % 2], n);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-memory]

void ofLastIteration(int *buf[2], int n) {
  for (int t = 0; t < n; ++t)
    blur<<<4, 64>>>(buf[(t - 1) % 2], buf[t % 2], n);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-memory]

void becomesNegative(int *buf[2], int n) {
  int src = 0;
  for (int t = 0; t < n; ++t) {
    blur<<<4, 64>>>(buf[src], buf[1 - src], n);
    src = -1 - src;
  }
}
// CHECK: :[[#@LINE-4]]:21: note: {{.*}} [host-memory]

void hasThirdValue(int *buf[3], int n) {
  int src = 0, dst = 1;
  for (int t = 0; t < n; ++t) {
    blur<<<4, 64>>>(buf[src], buf[dst], n);
    if (t == 7)
      dst = 2;
  }
}
// CHECK: :[[#@LINE-5]]:21: note: {{.*}} [host-memory]

void hidesIndex(int *buf[2], int n) {
  int src = 0, dst = 1;
  for (int t = 0; t < n; ++t) {
    const int src = t;
    blur<<<4, 64>>>(buf[src], buf[dst], n);
  }
  std::printf("%d", src);
}
// CHECK: :[[#@LINE-4]]:21: note: {{.*}} [host-memory]

void hasNoIndex(int *buf[2], int n) {
  int src;
  for (int t = 0; t < n; ++t)
    blur<<<4, 64>>>(buf[src], buf[1], n);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-memory]

int current;
void ofGlobal(int *buf[2], int n) {
  for (int t = 0; t < n; ++t)
    blur<<<4, 64>>>(buf[current], buf[1 - current], n);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-memory]

//===--- Elements that may not be there ---------------------------------------//

void readsOneFirst(int *buf[2], int n) {
  for (int t = 0; t < n; ++t)
    touch<<<4, 64>>>(buf[t & 1]);
}
// CHECK: :[[#@LINE-2]]:22: note: {{.*}} [host-memory]

void readsThirdLater(int *buf[3], int n) {
  for (int t = 0; t < n; ++t)
    blur<<<4, 64>>>(buf[t % 3], buf[(t + 1) % 3], n);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-memory]

void leavesFirstOut(int *buf[3], int n) {
  for (int t = 0; t < n; ++t)
    blur<<<4, 64>>>(buf[1 + t % 2], buf[2 - t % 2], n);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-memory]

void readsOnCondition(int *buf[2], int *a, int n) {
  for (int t = 0; t < n; ++t)
    blur<<<4, 64>>>(buf[0], n > 9 ? buf[1] : a, n);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-memory]

void launchesOnCondition(int *buf[2], int n) {
  for (int t = 0; t < n; ++t)
    if (n > 9)
      blur<<<4, 64>>>(buf[0], buf[1], n);
}
// CHECK: :[[#@LINE-2]]:23: note: {{.*}} [host-memory]

void mayLeaveBefore(int *buf[2], int *a, int n) {
  for (int t = 0; t < n; ++t) {
    touch<<<4, 64>>>(a);
    if (n > 9)
      break;
    blur<<<4, 64>>>(buf[0], buf[1], n);
  }
}
// CHECK: :[[#@LINE-3]]:21: note: {{.*}} [host-memory]

#define CHECK(call)                                                            \
  do {                                                                         \
    if ((call) != cudaSuccess)                                                 \
      throw 1;                                                                 \
  } while (0)
void mayThrowBefore(int *buf[2], int *a, int n) {
  for (int t = 0; t < n; ++t) {
    touch<<<4, 64>>>(a);
    CHECK(cudaGetLastError());
    blur<<<4, 64>>>(buf[0], buf[1], n);
  }
}
// CHECK: :[[#@LINE-3]]:21: note: {{.*}} [host-memory]

void mayReturnBefore(int *buf[2], int *a, int n) {
  for (int t = 0; t < n; ++t) {
    touch<<<4, 64>>>(a);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
      return;
    blur<<<4, 64>>>(buf[0], buf[1], n);
  }
}
// CHECK: :[[#@LINE-3]]:21: note: {{.*}} [host-memory]

// The outer loop; the inner one can be rewritten.
void inInnerLoop(int *buf[2], int m, int n) {
  for (int t = 0; t < n; ++t)
    for (int u = 0; u < m; ++u)
      blur<<<4, 64>>>(buf[0], buf[1], m);
}
// CHECK: :[[#@LINE-2]]:23: note: {{.*}} [host-memory]

void countsInCondition(int *buf[2], int n) {
  while (n-- > 0)
    blur<<<4, 64>>>(buf[0], buf[1], n);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-memory]

void hasCounterBefore(int *buf[2], int n) {
  int t = 0;
  for (t += n; t < 9; ++t)
    blur<<<4, 64>>>(buf[0], buf[1], n);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-memory]

void asksElement(int *sizes, int *p) {
  for (int t = 0; t < sizes[0]; ++t)
    touch<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-3]]:23: note: {{.*}} [host-memory]

void inGrid(int *sizes, int *p, int n) {
  for (int t = 0; t < n; ++t)
    touch<<<sizes[0], 64>>>(p);
}
// CHECK: :[[#@LINE-2]]:13: note: {{.*}} [host-memory]

void inBlock(int *sizes, int *p, int n) {
  for (int t = 0; t < n; ++t) {
    const int threads = sizes[0];
    touch<<<4, threads>>>(p);
  }
}
// CHECK: :[[#@LINE-3]]:16: note: {{.*}} [varying-geometry]

struct Pair {
  int *first, *second;
};
void ofStructures(Pair *pairs, int n) {
  for (int t = 0; t < n; ++t)
    blur<<<4, 64>>>(pairs[0].first, pairs[0].second, n);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-variable]

void throughStructure(const Pair *pair, int n) {
  for (int t = 0; t < n; ++t)
    blur<<<4, 64>>>(pair->first, pair->second, n);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-memory]

void fromTheRight(int *buf[2], int n) {
  for (int t = 0; t < n; ++t)
    blur<<<4, 64>>>(0 [buf], 1 [buf], n);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-memory]

//===--- Arrays that change ---------------------------------------------------//

void assignsElement(int *buf[2], int n) {
  for (int t = 0; t < n; ++t) {
    blur<<<4, 64>>>(buf[0], buf[1], n);
    int *first = buf[0];
    buf[0] = buf[1];
    buf[1] = first;
  }
}
// CHECK: :[[#@LINE-4]]:5: note: {{.*}} [host-memory]

void swapsElements(int *buf[2], int n) {
  for (int t = 0; t < n; ++t) {
    blur<<<4, 64>>>(buf[0], buf[1], n);
    std::swap(buf[0], buf[1]);
  }
}
// CHECK: :[[#@LINE-3]]:15: note: {{.*}} [host-memory]

void movesArray(int *buf[8], int n) {
  for (int t = 0; t < n; ++t) {
    blur<<<4, 64>>>(buf[0], buf[1], n);
    ++buf;
  }
}
// CHECK: :[[#@LINE-4]]:21: note: {{.*}} [host-memory]

void swapsArrays(int *buf[2], int *other[2], int n) {
  for (int t = 0; t < n; ++t) {
    blur<<<4, 64>>>(buf[0], other[0], n);
    std::swap(buf, other);
  }
}
// CHECK: :[[#@LINE-4]]:21: note: {{.*}} [host-memory]

void passesArray(int *buf[2], int n) {
  for (int t = 0; t < n; ++t) {
    blur<<<4, 64>>>(buf[0], buf[1], n);
    link<<<4, 64>>>(buf, buf[0]);
  }
}
// CHECK: :[[#@LINE-4]]:21: note: {{.*}} [host-memory]

void passesPlace(int *buf[2], int n) {
  for (int t = 0; t < n; ++t) {
    blur<<<4, 64>>>(buf[0], buf[1], n);
    link<<<4, 64>>>(&buf[1], buf[0]);
  }
}
// CHECK: :[[#@LINE-4]]:21: note: {{.*}} [host-memory]

void asksSize(int *buf[2], int n) {
  for (int t = 0; t < n; ++t)
    blur<<<4, 64>>>(buf[0], buf[1], sizeof(buf));
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-memory]

void hasNoArray(int n) {
  int **buf;
  for (int t = 0; t < n; ++t)
    blur<<<4, 64>>>(buf[0], buf[1], n);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-memory]

void lendsArray(int *buf[2], int n) {
  int **&same = buf;
  for (int t = 0; t < n; ++t)
    blur<<<4, 64>>>(buf[0], buf[1], same == nullptr);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-memory]

void callsWithArray(int *buf[2], int n);
void callsInLoop(int *buf[2], int n) {
  for (int t = 0; t < n; ++t) {
    blur<<<4, 64>>>(buf[0], buf[1], n);
    callsWithArray(buf, n);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [host-call]

void ofReference(int **&buf, int n) {
  for (int t = 0; t < n; ++t)
    blur<<<4, 64>>>(buf[0], buf[1], n);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-memory]

void ofVolatile(int *volatile *buf, int n) {
  for (int t = 0; t < n; ++t)
    blur<<<4, 64>>>(buf[0], buf[1], n);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-variable]

// The variables behind it are changed by name.
void ofLocals(int *a, int *b, int n) {
  int *both[2] = {a, b};
  int **buf = both;
  for (int t = 0; t < n; ++t) {
    blur<<<4, 64>>>(buf[0], buf[1], n);
    both[0] = b;
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [shared-variable]

//===--- Elements that kernels may write --------------------------------------//

void waitsAndLinks(int *buf[2], int **p, int n) {
  for (int t = 0; t < n; ++t) {
    blur<<<4, 64>>>(buf[0], buf[1], n);
    link<<<4, 64>>>(p, p[0]);
    cudaDeviceSynchronize();
  }
}
// CHECK: :[[#@LINE-5]]:21: note: {{.*}} [host-memory]

void waitsAndWritesBytes(int *buf[2], char *p, int n) {
  for (int t = 0; t < n; ++t) {
    blur<<<4, 64>>>(buf[0], buf[1], n);
    bytes<<<4, 64>>>(p, 1);
    cudaDeviceSynchronize();
  }
}
// CHECK: :[[#@LINE-5]]:21: note: {{.*}} [host-memory]

void waitsAndFills(int *buf[2], int *p, int n) {
  for (int t = 0; t < n; ++t) {
    blur<<<4, 64>>>(buf[0], buf[1], n);
    touch<<<4, 64>>>(p);
    cudaMemset(p, 0, sizeof(int));
    cudaDeviceSynchronize();
  }
}
// CHECK: :[[#@LINE-6]]:21: note: {{.*}} [host-memory]

void waitsForNumbers(int *factors, int *a, int *b, int n) {
  for (int t = 0; t < n; ++t) {
    blur<<<4, 64>>>(a, b, factors[0]);
    std::swap(a, b);
    cudaDeviceSynchronize();
  }
}
// CHECK: :[[#@LINE-5]]:27: note: {{.*}} [host-memory]
