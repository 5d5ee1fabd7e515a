// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that end by what is read back, of which the device cannot know that
// they go on, or that each iteration asks for the same.
//
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not=warning: %s

#include <cstdio>
#include <cstdlib>
#include <utility>

__global__ void step(int *a, int n, int *flag) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] > 0) {
    --a[i];
    *flag = 1;
  }
}
__global__ void shows(int *a, int *flag) { printf("%d\n", *flag = a[0]); }
__global__ void unseen(int *a, int *flag);

int known;
extern volatile int stopped;
void keep(int *);
int count();
struct Found {
  int number;
};
enum State { Open, Done };
__managed__ int seen;
#ifdef FLOATS
typedef float Number;
#else
typedef int Number;
#endif
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) exit(1); } while (0)
#define CHECK_TEXT(call) do { cudaError_t e = (call); if (e != cudaSuccess) { puts(#call); exit(1); } } while (0)
#define CHECK_SEEN(call) do { cudaError_t e = (call); int s = seen; if (e != cudaSuccess) exit(s); } while (0)
#define CHECK_ON(call) if ((call) != cudaSuccess) puts("error")
struct Bits {
  unsigned most : 5;
};
static int half(int n) { return n / 2; }

// Each launch has other arguments.
void level(int *a, int n, int *flag) {
  int more, level = 0;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    more = 0;
    cudaMemcpy(flag, &more, sizeof(int), cudaMemcpyHostToDevice);
    step<<<1, 256>>>(a, level, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
    ++level;
  } while (more);
}
void buffers(int *a, int *b, int n, int *flag) {
  int more;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
    std::swap(a, b);
  } while (more);
}
void grid(int *a, int n, int *flag) {
  int more, blocks = 1;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<blocks, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
    blocks *= 2;
  } while (more);
}
void sometimes(int *a, int n, int *flag) {
  int more, k = 0;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    if (k % 2)
      step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
    ++k;
  } while (more);
}
// The host looks at the number elsewhere.
void summed(int *a, int n, int *flag) {
  int more, sum = 0;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
    sum += more;
  } while (more);
  printf("%d", sum);
}
void turned(int *a, int n, int *flag) {
  int more;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
    more = !more;
  } while (more);
}
// What is sent is what was read before.
void unset(int *a, int n, int *flag) {
  int more = 0;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    cudaMemcpy(flag, &more, sizeof(int), cudaMemcpyHostToDevice);
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
  } while (more);
}
void setLater(int *a, int n, int *flag) {
  int more, none = 0;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    cudaMemcpy(flag, &none, sizeof(int), cudaMemcpyHostToDevice);
    step<<<1, 256>>>(a, n, flag);
    none = 1;
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
  } while (more);
}
void setSometimes(int *a, int n, int *flag) {
  int more, none, k = 0;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    none = 0;
    if (k > 5)
      none = 1;
    cudaMemcpy(flag, &none, sizeof(int), cudaMemcpyHostToDevice);
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
    ++k;
  } while (more);
}
void setByCount(int *a, int n, int *flag) {
  int more, none, k = 0;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    none = k;
    cudaMemcpy(flag, &none, sizeof(int), cudaMemcpyHostToDevice);
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
    ++k;
  } while (more);
}
void toleranceChanges(int *a, int n, int *flag) {
  int more, least = 0;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
    ++least;
  } while (more > least);
}
// It cannot be named before the loop.
void toleranceWithin(int *a, int n, int *flag) {
  int more;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  while (true) {
    const int least = n / 3;
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
    if (more < least)
      break;
  }
}
void either(int *a, int n, int *flag) {
  int more, k = 0;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
    ++k;
  } while (more || k < 10);
}
void downwards(int *a, int n, int *flag) {
  int more, k = 10;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
    --k;
  } while (more && k > 0);
}
void twice(int *a, int n, int *flag) {
  int more, k = 0;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
    ++k;
    ++k;
  } while (more && k < n);
}
void nowAndThen(int *a, int n, int *flag) {
  int more, k = 0;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
    if (n % 2)
      ++k;
  } while (more && k < n);
}
void sideEffect(int *a, int n, int *flag) {
  int more, k = 0;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
  } while (more && ++k < n);
}
void floating(int *a, int n, int *flag) {
  int more;
  float k = 0;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
    ++k;
  } while (more && k < 10);
}
void byOthers(int *a, int n, int *flag) {
  int more;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
  } while (more && !stopped);
}
void byGlobal(int *a, int n, int *flag) {
  known = 1;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&known, flag, sizeof(int), cudaMemcpyDeviceToHost);
  } while (known);
}
void byMemory(int *a, int n, int *flag, int *shared) {
  int more;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
  } while (more && shared[0]);
}
void byCall(int *a, int n, int *flag) {
  int more;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
  } while (more && count());
}
void part(int *a, int n, int *flag) {
  int more = 0;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, 1, cudaMemcpyDeviceToHost);
  } while (more);
}
void member(int *a, int n, int *flag) {
  Found f;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&f.number, flag, sizeof(int), cudaMemcpyDeviceToHost);
  } while (f.number);
}
void enumeration(int *a, int n, int *flag) {
  State s;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&s, flag, sizeof(int), cudaMemcpyDeviceToHost);
  } while (s != Done);
}
void tooWide(int *a, int n, int *flag) {
  long double s;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&s, flag, sizeof s, cudaMemcpyDeviceToHost);
  } while (s > 1);
}
void anyWay(int *a, int n, int *flag) {
  int more;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDefault);
  } while (more);
}
void async(int *a, int n, int *flag) {
  int more;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpyAsync(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
    cudaDeviceSynchronize();
  } while (more);
}
void two(int *a, int n, int *flag) {
  int more, other;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(&other, flag + 1, sizeof(int), cudaMemcpyDeviceToHost);
  } while (more && other);
}
void behind(int *a, int n, int *flag) {
  int more;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
    step<<<1, 256>>>(a, n, flag);
  } while (more);
}
void before(int *a, int n, int *flag) {
  int more = 1;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    if (!more)
      break;
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
  } while (true);
}
void continued(int *a, int n, int *flag) {
  int more, k = 0;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
    if (k > 3)
      continue;
    ++k;
  } while (more);
}
// When that is said can be seen.
void told(int *a, int n, int *flag) {
  int more;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
    printf(".");
  } while (more);
}
void kept(int *a, int n, int *flag) {
  int more;
  keep(&more);
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
  } while (more);
}
void referred(int *a, int n, int *flag) {
  int more, &it = more;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&it, flag, sizeof(int), cudaMemcpyDeviceToHost);
  } while (it);
}
void elsewhere(int *a, int n, int *flag) {
  int more, k = 0;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag + k, sizeof(int), cudaMemcpyDeviceToHost);
    ++k;
  } while (more);
}
// The kernel prints.
void printing(int *a, int n, int *flag) {
  int more;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    shows<<<1, 1>>>(a, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
  } while (more);
}
// Before the loop it could trap.
void divided(int *a, int n, int *flag, int d) {
  int more, k = 0;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
    ++k;
  } while (k < 9 && more > n / d);
}
// Not what is compared.
void promoted(int *a, int n, int *flag, Bits bits) {
  int more;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
  } while (more > bits.most);
}
void called(int *a, int n, int *flag) {
  int more;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
  } while (more > half(n));
}
// The text of a call is told.
void asText(int *a, int n, int *flag) {
  int more;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    CHECK_TEXT(cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost));
  } while (more);
}
// The check looks at what kernels may write.
void looksAt(int *a, int n, int *flag) {
  int more;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    CHECK_SEEN(cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost));
  } while (more);
}
// The number is changed behind the check that reads it.
void afterwards(int *a, int n, int *flag) {
  int more;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    CHECK(cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost));
    more = 0;
  } while (more);
}
// It is sent before it is set.
void sentLater(int *a, int n, int *flag) {
  int more, none = 0;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    CHECK(cudaMemcpy(flag, &none, sizeof(int), cudaMemcpyHostToDevice));
    none = 1;
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
  } while (more);
}
void breaks(int *a, int n, int *flag) {
  int more;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    if (cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess)
      break;
  } while (more);
}
// It is another before the head.
void setByHead(int *a, int n, int *flag) {
  int more = 1, least;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  for (least = n; more > least;) {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
  }
}
// A type can be another one before the loop.
void namesType(int *a, int n, int *flag) {
  int more;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
  } while (more > (signed char)n);
}
void onLine(int *a, int n, int *flag) {
  int more;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
  } while (more > __LINE__);
}
// Another build has another type.
void typeWithin(int *a, int n, int *flag) {
  int k = 0;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    Number more;
    step<<<1, 256>>>(a, n, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
    if (more < 3)
      break;
    ++k;
  } while (k < 9);
}
void notInSight(int *a, int n, int *flag) {
  int more;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    unseen<<<1, 1>>>(a, flag);
    cudaMemcpy(&more, flag, sizeof(int), cudaMemcpyDeviceToHost);
  } while (more);
}

template <typename Number> void instance(int *a, int n, Number *flag) {
  Number more;
  // CHECK: :[[@LINE+1]]:3: remark: launches cannot be replayed by a graph
  do {
    step<<<1, 256>>>(a, n, reinterpret_cast<int *>(flag));
    cudaMemcpy(&more, flag, sizeof(Number), cudaMemcpyDeviceToHost);
  } while (more);
}
template void instance(int *, int, int *);
template void instance(int *, int, float *);
