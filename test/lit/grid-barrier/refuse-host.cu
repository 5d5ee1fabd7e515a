// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host loops that no kernel can run, each with a kernel that is fine.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- -std=c++17 > %t.out 2>&1
// RUN: FileCheck %s < %t.out

#include <cstdio>
#include <utility>
#include <vector>

__global__ void add(int *p, int by) { p[blockIdx.x] += by; }
__global__ void count(int *p, unsigned long long by) { p[blockIdx.x] += by; }

//===--- What the host does ---------------------------------------------------//

void prints(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    std::printf("%d\n", t);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [host-call]

int mix(int t);
void callsInArgument(int *p, int n) {
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, mix(t));
}
// CHECK: :[[#@LINE-2]]:23: note: {{.*}} [host-call]

void setsDevice(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    cudaSetDevice(t);
    add<<<4, 64>>>(p, t);
  }
}
// CHECK: :[[#@LINE-4]]:5: note: {{.*}} [host-call]

void allocates(int n) {
  for (int t = 0; t < n; ++t) {
    int *p;
    cudaMalloc(&p, 4096);
    add<<<4, 64>>>(p, t);
  }
}
// CHECK: :[[#@LINE-4]]:5: note: {{.*}} [host-call]

__constant__ int factor;
void setsConstant(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    cudaMemcpyToSymbol(factor, &t, sizeof(t));
    add<<<4, 64>>>(p, t);
  }
}
// CHECK: :[[#@LINE-4]]:5: note: {{.*}} [host-call]

void hasCallback(int *p, int n, cudaStream_t stream, cudaHostFn_t callback) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64, 0, stream>>>(p, t);
    cudaLaunchHostFunc(stream, callback, p);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [host-call]

void records(int *p, int n, cudaEvent_t event) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    cudaEventRecord(event);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [timing]

void waitsForEvent(int *p, int n, cudaEvent_t event) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    cudaStreamWaitEvent(0, event, 0);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [host-call]

void copiesBuffer(int *p, int *host, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    cudaMemcpy(host, p, 16, cudaMemcpyDeviceToHost);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [host-copy]

void copiesUnknownBuffer(int *p, int *q, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    cudaMemcpy(q, q + 4, 16, cudaMemcpyDeviceToDevice);
  }
}
// CHECK: :[[#@LINE-3]]:16: note: {{.*}} [host-copy]

void copiesSomewhere(int *p, int *q, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    cudaMemcpy(p, q, 16, cudaMemcpyDefault);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [host-copy]

void readsManaged(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    cudaDeviceSynchronize();
    if (p[0] > n)
      break;
  }
}
// CHECK: :[[#@LINE-4]]:9: note: {{.*}} [host-memory]

void writesMapped(int *p, int *mapped, int n) {
  for (int t = 0; t < n; ++t) {
    *mapped = t;
    add<<<4, 64>>>(p, t);
  }
}
// CHECK: :[[#@LINE-4]]:5: note: {{.*}} [host-memory]

void readsTable(int *p, int *table, int n) {
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, table[t]);
}
// CHECK: :[[#@LINE-2]]:23: note: {{.*}} [host-memory]

void subscriptsBackwards(int *p, int n) {
  int table[2] = {1, 2};
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, (t & 1)[table]);
}
// CHECK: :[[#@LINE-2]]:23: note: {{.*}} [host-memory]

void readsMatrix(int *p, int n) {
  int table[2][2] = {{1, 2}, {3, 4}};
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, table[0][t & 1]);
}
// CHECK: :[[#@LINE-2]]:23: note: {{.*}} [host-variable]

// nvcc's device has 8 bytes for one.
struct Long {
  struct {
    long double of[2];
  } lengths;
  int steps;
};
void hasLongDouble(int *p, Long l) {
  for (int t = 0; t < l.steps; ++t)
    add<<<4, 64>>>(p, t);
}
// CHECK: :[[#@LINE-3]]:23: note: {{.*}} [host-variable]

void asksForLongDouble(int *p, int n) {
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, sizeof(Long));
}
// CHECK: :[[#@LINE-2]]:23: note: {{.*}} [host-statement]

void pointsIntoTable(int *p, int n) {
  int table[2] = {1, 2};
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, table[t & 1] + sizeof(*table));
}
// CHECK: :[[#@LINE-2]]:46: note: {{.*}} [host-memory]

void ownsTable(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    int table[2] = {t, 2};
    add<<<4, 64>>>(p, table[t & 1]);
  }
}
// CHECK: :[[#@LINE-4]]:9: note: {{.*}} [host-variable]

void hasLargeTable(int *p, int n) {
  int table[2000];
  for (int &entry : table)
    entry = n;
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, table[t]);
}
// CHECK: :[[#@LINE-3]]:3: note: {{.*}} [parameter-size]

struct Odd {
  int value;
  Odd(int of) : value(2 * of + 1) {}
};
struct Fixed {
  const int value = 3;
};
void hasNoEmptyElements(int *p, int n) {
  Odd odd[2] = {1, 2};
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, odd[t & 1].value);
}
// CHECK: :[[#@LINE-2]]:23: note: {{.*}} [host-variable]

void hasFixedElements(int *p, int n) {
  Fixed fixed[2];
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, fixed[t & 1].value);
}
// CHECK: :[[#@LINE-2]]:23: note: {{.*}} [host-variable]

void lendTable(int *table);
void lendsTable(int *p, int n) {
  int table[2] = {1, 2};
  lendTable(table);
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, table[t & 1]);
    table[0] += 1;
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [shared-variable]

struct Counted {
  int launches = 0;
  Counted();
};
void countsPublished(int *p, int n) {
  Counted own;
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    own.launches += 1;
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [shared-variable]

int bringsTableBack(int *p, int n) {
  int table[2] = {1, 2}, more = 1;
  while (more) {
    add<<<4, 64>>>(p, table[0]);
    table[0] += 1;
    cudaMemcpy(&more, p, sizeof(int), cudaMemcpyDeviceToHost);
  }
  return table[0];
}
// CHECK: :[[#@LINE-5]]:5: note: {{.*}} [host-variable]

int keepsError(int *p, int n) {
  int last = 0;
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
      return 1;
    last += error;
  }
  return last;
}
// CHECK: :[[#@LINE-7]]:17: note: {{.*}} [host-statement]

void countsErrors(int *p, int n) {
  int errors = 0;
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
      ++errors;
  }
}
// CHECK: :[[#@LINE-5]]:17: note: {{.*}} [host-statement]

int tellsErrorLater(int *p, int n) {
  cudaError_t error = cudaSuccess;
  for (int t = 0; t < n; ++t) {
    if (error == cudaSuccess)
      add<<<4, 64>>>(p, t);
    error = cudaGetLastError();
    if (error != cudaSuccess)
      std::printf("failed\n");
  }
  return error;
}
// CHECK: :[[#@LINE-10]]:15: note: {{.*}} [host-statement]

int tellsErrorSometimes(int *p, int n) {
  cudaError_t error = cudaErrorUnknown;
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    if (t % 8 == 7) {
      error = cudaDeviceSynchronize();
      if (error != cudaSuccess)
        return 1;
    }
  }
  return error;
}
// CHECK: :[[#@LINE-7]]:7: note: {{.*}} [host-statement]

int skipsCheck(int *p, int n) {
  cudaError_t error = cudaErrorUnknown;
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    if (t == n)
      continue;
    error = cudaGetLastError();
    if (error != cudaSuccess)
      return 1;
  }
  return error;
}
// CHECK: :[[#@LINE-6]]:5: note: {{.*}} [host-statement]

int countsDown(int *p, int n) {
  cudaError_t error = cudaErrorUnknown;
  while (n-- > 0) {
    add<<<4, 64>>>(p, n);
    error = cudaGetLastError();
    if (error != cudaSuccess)
      return 1;
  }
  return error;
}
// CHECK: :[[#@LINE-6]]:5: note: {{.*}} [host-statement]

int copiesWithError(int *p, int n) {
  cudaError_t error = cudaErrorUnknown;
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, n);
    error = cudaMemset(p, 0, sizeof(int));
    if (error != cudaSuccess)
      return 1;
  }
  return error;
}
// CHECK: :[[#@LINE-6]]:5: note: {{.*}} [host-statement]

int tellsIteration(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
      return t;
  }
  return 0;
}
// CHECK: :[[#@LINE-4]]:14: note: {{.*}} [host-statement]

struct Node {
  int *data;
  Node *next;
};
void walksList(Node *node) {
  for (; node; node = node->next)
    add<<<4, 64>>>(node->data, 1);
}
// CHECK: :[[#@LINE-3]]:23: note: {{.*}} [host-memory]

void readsVector(int *p, const std::vector<int> &steps) {
  for (int t = 0; t < 8; ++t)
    add<<<4, 64>>>(p, steps[t]);
}
// CHECK: :[[#@LINE-2]]:23: note: {{.*}} [host-call]

void overRange(int *p, const std::vector<int> &steps) {
  for (int step : steps)
    add<<<4, 64>>>(p, step);
}
// CHECK: :[[#@LINE-3]]:3: note: {{.*}} [host-statement]

//===--- Variables ------------------------------------------------------------//

int limit;
void readsGlobal(int *p) {
  for (int t = 0; t < limit; ++t) {
    add<<<4, 64>>>(p, t);
    cudaDeviceSynchronize();
  }
}
// CHECK: :[[#@LINE-5]]:23: note: {{.*}} [global-variable]

void countsCalls(int *p) {
  static int calls;
  for (int t = 0; t < 8; ++t, ++calls)
    add<<<4, 64>>>(p, calls);
}
// CHECK: :[[#@LINE-3]]:33: note: {{.*}} [global-variable]

int step();
int stepSize() { return step(); }
void callsForGrid(int *p, int n) {
  for (int t = 0; t < n; ++t)
    add<<<step(), 64>>>(p, t);
}
// CHECK: :[[#@LINE-2]]:11: note: {{.*}} [host-call]

void callsThroughForGrid(int *p, int n) {
  for (int t = 0; t < n; ++t)
    add<<<stepSize(), 64>>>(p, t);
}
// CHECK: :[[#@LINE-2]]:11: note: {{.*}} [host-call]

int blocksOf(int n, int threads) { return (n + threads - 1) / threads; }
void mayDivideByZero(int *p, int n, int threads) {
  for (int t = 0; t < n; ++t)
    add<<<blocksOf(n, threads), 64>>>(p, t);
}
// CHECK: :[[#@LINE-2]]:11: note: {{.*}} [host-call]

void changesGridByCall(int *p, int n) {
  for (int t = 1; t < n; ++t)
    add<<<blocksOf(t, 64), 64>>>(p, t);
}
// CHECK: :[[#@LINE-2]]:11: note: {{.*}} [host-call]

void changesGridByCallBesides(int *p, int n) {
  for (int t = 1; t < n; ++t) {
    add<<<blocksOf(t, 64), 64>>>(p, t);
    add<<<1, 64>>>(p, t);
  }
}
// CHECK: :[[#@LINE-4]]:11: note: {{.*}} [host-call]

void mayDivideByZeroBesides(int *p, int n, int threads) {
  for (int t = 0; t < n; ++t) {
    add<<<1, 64>>>(p, t);
    add<<<blocksOf(n, threads), 64>>>(p, t);
  }
}
// CHECK: :[[#@LINE-3]]:11: note: {{.*}} [host-call]

void callsThroughForGridBesides(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<1, 64>>>(p, t);
    add<<<stepSize(), 64>>>(p, t);
  }
}
// CHECK: :[[#@LINE-3]]:11: note: {{.*}} [host-call]

void declaresForDevice(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    const int blocks = blocksOf(n, 64);
    add<<<blocks, 64>>>(p, blocks);
  }
}
// CHECK: :[[#@LINE-4]]:24: note: {{.*}} [host-call]

void declaresAndChanges(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    int blocks = blocksOf(n, 64);
    blocks += t;
    add<<<blocks, 64>>>(p, t);
  }
}
// CHECK: :[[#@LINE-5]]:18: note: {{.*}} [host-call]

void declaresToDecide(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    const int blocks = blocksOf(n, 64);
    if (blocks > t)
      add<<<blocks, 64>>>(p, t);
  }
}
// CHECK: :[[#@LINE-5]]:24: note: {{.*}} [host-call]

void declaresByDivision(int *p, int n, int threads) {
  for (int t = 0; t < n; ++t) {
    const int blocks = blocksOf(n, threads);
    add<<<blocks, 64>>>(p, t);
  }
}
// CHECK: :[[#@LINE-4]]:24: note: {{.*}} [host-call]

struct Extent {
  int size;
};
int blocksAt(const int *n) { return (*n + 63) / 64; }
int blocksIn(const Extent *extent) { return (extent->size + 63) / 64; }
int firstOf(const int *blocks) { return blocks[0]; }
void followsPointerForGrid(int *p, int n, const int *size) {
  for (int t = 0; t < n; ++t)
    add<<<blocksAt(size), 64>>>(p, t);
}
// CHECK: :[[#@LINE-2]]:11: note: {{.*}} [host-call]

void followsArrowForGrid(int *p, int n, const Extent *extent) {
  for (int t = 0; t < n; ++t) {
    const int blocks = blocksIn(extent);
    add<<<blocks, 64>>>(p, t);
  }
}
// CHECK: :[[#@LINE-4]]:24: note: {{.*}} [host-call]

void readsElementForGrid(int *p, int n) {
  int *blocks;
  cudaMallocManaged(&blocks, sizeof(int));
  for (int t = 0; t < n; ++t) {
    add<<<1, 64>>>(blocks, t);
    cudaDeviceSynchronize();
    add<<<firstOf(blocks), 64>>>(p, t);
  }
}
// CHECK: :[[#@LINE-3]]:11: note: {{.*}} [host-call]

int total;
constexpr int &alias = total;
int blocksOfAll() { return (alias + 63) / 64; }
void readsVariableForGrid(int *p, int n) {
  for (int t = 0; t < n; ++t)
    add<<<blocksOfAll(), 64>>>(p, t);
}
// CHECK: :[[#@LINE-2]]:11: note: {{.*}} [host-call]

void beginsByCall(int *p, int n) {
  for (int t = blocksOf(n, 64); t < n; ++t)
    add<<<4, 64>>>(p, t);
}
// CHECK: :[[#@LINE-3]]:16: note: {{.*}} [host-call]

__managed__ int managed;
void readsManagedVariable(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, managed);
    cudaDeviceSynchronize();
  }
}
// CHECK: :[[#@LINE-4]]:23: note: {{.*}} [global-variable]

void waitsSometimes(int *p, int n, bool debug) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    if (debug)
      cudaDeviceSynchronize();
  }
}
// CHECK: :[[#@LINE-3]]:7: note: {{.*}} [host-statement]

// What checks a fill or a copy would go behind the loop.
bool checksFillByIteration(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    if (cudaMemset(p, 0, sizeof(int)) != cudaSuccess) {
      std::printf("iteration %d\n", t);
      return false;
    }
    add<<<4, 64>>>(p, t);
  }
  return true;
}
// CHECK: :[[#@LINE-7]]:37: note: {{.*}} [host-statement]

cudaError_t checksUploadByValue(int *p, int n, int start) {
  while (start < n) {
    cudaError_t error =
        cudaMemcpy(p, &start, sizeof(int), cudaMemcpyHostToDevice);
    if (error != cudaSuccess)
      return start > 3 ? error : cudaErrorUnknown;
    add<<<4, 64>>>(p, start);
    ++start;
  }
  return cudaSuccess;
}
// CHECK: :[[#@LINE-6]]:14: note: {{.*}} [host-statement]

#define GET(value, from)                                                       \
  do {                                                                         \
    if (cudaMemcpy(&value, from, sizeof(int), cudaMemcpyDeviceToHost))         \
      return false;                                                            \
  } while (0)
#define WAIT()                                                                 \
  do {                                                                         \
    if (cudaStreamSynchronize(0))                                              \
      return false;                                                            \
  } while (0)
bool checksInMacro(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    int more;
    add<<<4, 64>>>(p, t);
    WAIT();
    GET(more, p);
    if (!more)
      break;
  }
  return true;
}
// CHECK: :[[#@LINE-6]]:5: note: {{.*}} [in-macro]

// Arrays have no assignment.
__global__ void setBoth(int (*p)[2], int by) { (*p)[blockIdx.x] = by; }
void readsArray(int (*p)[2]) {
  int both[2] = {1, 1};
  while (both[1] < 9) {
    setBoth<<<2, 1>>>(p, both[1] + 1);
    cudaMemcpy(&both, p, sizeof(both), cudaMemcpyDeviceToHost);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [host-copy]

void uploadsArray(int (*p)[2], int n) {
  int both[2] = {1, n};
  for (int t = 0; t < n; ++t) {
    cudaMemcpy(p, &both, sizeof(both), cudaMemcpyHostToDevice);
    setBoth<<<2, 1>>>(p, t);
  }
}
// CHECK: :[[#@LINE-4]]:5: note: {{.*}} [host-copy]

void isVolatile(int *p) {
  volatile int n = 8;
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, t);
}
// CHECK: :[[#@LINE-3]]:23: note: {{.*}} [host-variable]

// One check declares what another one assigns, elsewhere.
void sharesError(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess)
      return;
    add<<<4, 64>>>(p, n);
    error = cudaDeviceSynchronize();
    if (error != cudaSuccess)
      return;
  }
}
// CHECK: :[[#@LINE-5]]:5: note: {{.*}} [host-statement]

// The kernel, and the host behind it, would assign these.
struct HasConstant {
  int value;
  const int factor;
};
struct HasNoAssignment {
  int value;
  HasNoAssignment &operator=(const HasNoAssignment &) = delete;
};
struct HoldsOne {
  HasNoAssignment one;
};
template <typename T> __global__ void countInto(int *p, T *to) {
  to->value += p[blockIdx.x]++;
}
void readsConstant(int *p, HasConstant *flag, int n) {
  HasConstant last = {0, 3};
  while (last.value < n) {
    countInto<<<1, 1>>>(p, flag);
    cudaMemcpy(&last, flag, sizeof last, cudaMemcpyDeviceToHost);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [host-copy]
int keepsOne(int *p, int n, int *flag) {
  HoldsOne kept = {{n}};
  int last = 0;
  while (last < n) {
    add<<<4, 64>>>(flag, kept.one.value);
    cudaMemcpy(&last, flag, sizeof last, cudaMemcpyDeviceToHost);
    kept.one.value += last;
  }
  return kept.one.value;
}
// CHECK: :[[#@LINE-4]]:5: note: {{.*}} [host-variable]

void hasReference(int *p, int n) {
  int t = 0, &alias = t;
  for (; t < n; ++t)
    add<<<4, 64>>>(p, alias);
}
// CHECK: :[[#@LINE-3]]:19: note: {{.*}} [shared-variable]

void keepsAddress(int **where);
void hasAddress(int *p, int n) {
  int t = 0, *address = &t;
  for (; t < n; ++t)
    add<<<4, 64>>>(p, t);
  *address = 1;
}
// CHECK: :[[#@LINE-4]]:19: note: {{.*}} [shared-variable]

void inReference(int *p, int n, int &t) {
  for (t = 0; t < n; ++t)
    add<<<4, 64>>>(p, t);
}
// CHECK: :[[#@LINE-3]]:8: note: {{.*}} [shared-variable]

void ofFloatingScale(int *p, double x, int n) {
  for (int t = 0; t < n; ++t) {
    x = x * 0.9 + 1;
    count<<<4, 64>>>(p, x);
  }
}
// CHECK: :[[#@LINE-4]]:9: note: {{.*}} [float-arithmetic]

void passesProduct(int *p, float x, int n) {
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, x * t);
}
// CHECK: :[[#@LINE-2]]:23: note: {{.*}} [float-arithmetic]

void unpacks(int *p, std::pair<int, int> range) {
  for (int t = 0; t < 8; ++t) {
    auto [begin, end] = range;
    add<<<4, 64>>>(p, begin + end);
  }
}
// CHECK: :[[#@LINE-3]]:23: note: {{.*}} [local-name]

//===--- Where control goes ---------------------------------------------------//

bool returns(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    if (t == 7)
      return false;
  }
  return true;
}
// CHECK: :[[#@LINE-4]]:7: note: {{.*}} [jump]

void jumps(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    if (t == 7)
      goto end;
  }
end:
  cudaDeviceSynchronize();
}
// CHECK: :[[#@LINE-5]]:7: note: {{.*}} [jump]

void throws(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    if (t == 7)
      throw t;
  }
}
// CHECK: :[[#@LINE-3]]:7: note: {{.*}} [host-statement]

void catches(int *p, int n) {
  for (int t = 0; t < n; ++t)
    try {
      add<<<4, 64>>>(p, t);
    } catch (...) {
    }
}
// CHECK: :[[#@LINE-5]]:5: note: {{.*}} [host-statement]

void switches(int *p, int n) {
  for (int t = 0; t < n; ++t)
    switch (t % 2) {
    case 0:
      add<<<4, 64>>>(p, t);
    }
}
// CHECK: :[[#@LINE-5]]:5: note: {{.*}} [host-statement]

void actsOnErrors(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    if (cudaGetLastError() != cudaSuccess)
      break;
  }
}
// CHECK: :[[#@LINE-4]]:9: note: {{.*}} [host-call]

void keepsErrors(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    cudaError_t error = cudaDeviceSynchronize();
    add<<<4, 64>>>(p, error);
  }
}
// CHECK: :[[#@LINE-4]]:17: note: {{.*}} [host-statement]

#define CHECK_BY(call, action)                                                 \
  {                                                                            \
    cudaError_t error = (call);                                                \
    if (error != cudaSuccess) {                                                \
      action;                                                                  \
    }                                                                          \
  }
void leavesOnErrors(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    CHECK_BY(cudaGetLastError(), break);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [host-{{[a-z]+}}]

void printsIteration(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    CHECK_BY(cudaGetLastError(), std::printf("%d\n", t));
  }
}
// CHECK: :[[#@LINE-3]]:{{[0-9]+}}: note: {{.*}} [host-statement]

bool countErrors(cudaError_t error, int *errors) {
  *errors += 1;
  if (error != cudaSuccess)
    return false;
  return true;
}
void countsChecks(int *p, int n) {
  int checks = 0;
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    countErrors(cudaGetLastError(), &checks);
  }
  add<<<4, 64>>>(p, checks);
}
// CHECK: :[[#@LINE-4]]:5: note: {{.*}} [host-call]

void goesOnAfterSuccess(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    if (cudaDeviceSynchronize() == cudaSuccess)
      std::printf("good\n");
  }
}
// CHECK: :[[#@LINE-4]]:9: note: {{.*}} [host-call]

void hasConstantCondition(int *p, int n) {
  constexpr int Even = 2;
  for (int t = 0; t < n; ++t)
    if constexpr (Even == 2)
      add<<<4, 64>>>(p, t);
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [host-statement]

//===--- Where the loop stands ------------------------------------------------//

template <typename T> void hasNoInstance(T *p, int n) {
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, t);
}
// CHECK: :[[#@LINE-3]]:3: note: {{.*}} [host-template]

template <typename... T> void hasPack(int *p, int n, T...) {
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, t);
}
template void hasPack(int *, int, long);
// CHECK: :[[#@LINE-4]]:3: note: {{.*}} [host-template]

template <typename T> void hasAuto(T *p, int n) {
  auto q = p;
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(q, t);
}
template void hasAuto(int *, int);
// CHECK: :[[#@LINE-5]]:8: note: {{.*}} [host-template]

template <typename T> void ofReference(int *p, T n) {
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, t);
}
template void ofReference<const int &>(int *, const int &);
// CHECK: :[[#@LINE-5]]:50: note: {{.*}} [host-template]

template <typename T> void hasOwnType(T *p, int n) {
  typedef T Value;
  const Value by = 3;
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, by);
}
template void hasOwnType(int *, int);
// CHECK: :[[#@LINE-5]]:15: note: {{.*}} [host-template]

template <typename T> __global__ void addAny(T *p, int by) { *p += by; }
__global__ void addAny(long *p, int by) { *p -= by; }
template <typename T> void ofTwoKernels(T *p, int n) {
  for (int t = 0; t < n; ++t)
    addAny<<<1, 1>>>(p, t);
}
template void ofTwoKernels(int *, int);
template void ofTwoKernels(long *, int);
// CHECK: :[[#@LINE-5]]:3: note: {{.*}} [host-template]

template <typename T> void roundsSome(int *p, T x, int n) {
  for (int t = 0; t < n; ++t, x = x * 3 + 1)
    add<<<4, 64>>>(p, int(x));
}
template void roundsSome(int *, int, int);
template void roundsSome(int *, double, int);
// CHECK: :[[#@LINE-5]]:35: note: {{.*}} [float-arithmetic]

struct Solver {
  int *p;
  void solve(int n) {
    for (int t = 0; t < n; ++t)
      add<<<4, 64>>>(p, t);
  }
};
// CHECK: :[[#@LINE-4]]:5: note: {{.*}} [member-function]

void inLambda(int *p, int n) {
  auto run = [=] {
    for (int t = 0; t < n; ++t)
      add<<<4, 64>>>(p, t);
  };
  run();
}
// CHECK: :[[#@LINE-5]]:5: note: {{.*}} [in-lambda]

void afterPragma(int *p, int n) {
#pragma omp parallel for
  // In any order.
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, t);
}
// CHECK: :[[#@LINE-3]]:3: note: {{.*}} [preprocessor]

void withUnrolling(int *p, int n) {
  _Pragma("unroll")
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, t);
}
// CHECK: :[[#@LINE-3]]:3: note: {{.*}} [preprocessor]

// Of OpenMP's pragmas Clang says nothing.
#define IN_ANY_ORDER _Pragma("omp parallel for")
#define WRAPPED IN_ANY_ORDER
void pragmaOfMacro(int *p, int n) {
  IN_ANY_ORDER
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, t);
}
// CHECK: :[[#@LINE-3]]:3: note: {{.*}} [preprocessor]

void pragmaWithin(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    WRAPPED for (int s = 0; s < n; ++s)
      add<<<4, 64>>>(p, t);
  }
}
// CHECK: :[[#@LINE-5]]:3: note: {{.*}} [preprocessor]

void underCondition(int *p, int n) {
#ifndef WITHOUT_GPU
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, t);
#endif
}
// CHECK: :[[#@LINE-4]]:3: note: {{.*}} [preprocessor]

#ifdef WIDE
void hasTwoHeads(int *p, long n)
#else
void hasTwoHeads(int *p, int n)
#endif
{
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, t);
}
// CHECK: :[[#@LINE-3]]:3: note: {{.*}} [preprocessor]

void differs(int *p, int n) {
#ifdef __CUDA_ARCH__
#define BLOCKS 2
#else
#define BLOCKS 4
#endif
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, BLOCKS);
}
// CHECK: :[[#@LINE-3]]:3: note: {{.*}} [passes-differ]

#ifdef __CUDA_ARCH__
constexpr int Side = 1;
#else
constexpr int Side = 2;
#endif
void usesConstant(int *p, int n) {
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, Side);
}
// CHECK: :[[#@LINE-3]]:3: note: {{.*}} [passes-differ]

// Two loops in one place: they agree with what is there, each for itself.
#define ADD_ALL(By)                                                            \
  for (int t = 0; t < n; ++t)                                                  \
    add<<<4, 64>>>(p, By);
#define ADD_ALL_TWICE(More)                                                    \
  ADD_ALL(1)                                                                   \
  ADD_ALL(More)
void areOfOneMacro(int *p, int n) {
  ADD_ALL_TWICE(2)
}
// CHECK: :[[#@LINE-2]]:3: remark:
// CHECK-NOT: [passes-differ]
// CHECK: :[[#@LINE-4]]:3: note: {{.*}} [in-macro]

void areOfOneMacroAndDiffer(int *p, int n) {
  ADD_ALL_TWICE(BLOCKS)
}
// CHECK: :[[#@LINE-2]]:3: note: {{.*}} [passes-differ]

namespace apart {
__global__ void add(int *p, int by) { p[blockIdx.x] -= by; }
void isDefinedOutside(int *p, int n);
} // namespace apart
void apart::isDefinedOutside(int *p, int n) {
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, t);
}
// CHECK: :[[#@LINE-3]]:3: note: {{.*}} [out-of-line]

//===--- Names ----------------------------------------------------------------//

void hasLocalType(int *p, int n) {
  struct Pair {
    int a, b;
  };
  Pair pair = {n, n};
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, pair.a);
}
// CHECK: :[[#@LINE-2]]:23: note: {{.*}} [local-name]

void declaresLocalType(int *p, int n) {
  typedef int Index;
  for (Index t = 0; t < n; ++t)
    add<<<4, 64>>>(p, t);
}
// CHECK: :[[#@LINE-3]]:8: note: {{.*}} [local-name]

void hasLocalConstant(int *p, int n) {
  enum { Step = 2 };
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, Step);
}
// CHECK: :[[#@LINE-2]]:23: note: {{.*}} [local-name]

namespace units {
using Count = int;
enum Side { Left, Right };
} // namespace units
void usesNamespace(int *p, int n) {
  using namespace units;
  for (Count t = 0; t < n; ++t)
    add<<<4, 64>>>(p, Left);
}
// CHECK: :[[#@LINE-3]]:8: note: {{.*}} [local-name]

void hasUnnamedType(int *p, int n) {
  struct {
    int by;
  } step = {n};
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, step.by);
}
// CHECK: :[[#@LINE-2]]:23: note: {{.*}} [local-name]

void hidesIndex(int *p, int n, int blockIdx) {
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, blockIdx);
}
// CHECK: :[[#@LINE-2]]:23: note: {{.*}} [name-clash]

void hidesGrid(int *p, int n) {
  for (int gridDim = 1; gridDim < n; gridDim *= 2)
    add<<<4, 64>>>(p, gridDim);
}
// CHECK: :[[#@LINE-3]]:12: note: {{.*}} [name-clash]

// The kernel takes a variable by its plain name, which means another here.
namespace settings {
int by = 3;
}
struct Settings {
  static int by;
};
void qualified(int *p, int n, int by) {
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, settings::by);
  add<<<4, 64>>>(p, by);
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, Settings::by);
}
// CHECK: :[[#@LINE-5]]:23: note: {{.*}} [name-clash]
// CHECK: :[[#@LINE-3]]:23: note: {{.*}} [name-clash]

struct node {
  int by;
};
void calledLikeType(int *p, node node, struct node *last, struct node *end) {
  for (; last != end; ++last)
    add<<<4, 64>>>(p, node.by);
}
// CHECK: note: {{.*}} [name-clash]

struct Large {
  char bytes[2048];
};
__global__ void takesLarge(Large a, int *p) { p[blockIdx.x] += a.bytes[0]; }
void hasLargeParameters(Large a, Large b, int *p, int n) {
  for (int t = 0; t < n; ++t) {
    takesLarge<<<4, 64>>>(a, p);
    takesLarge<<<4, 64>>>(b, p);
  }
}
// CHECK: :[[#@LINE-5]]:3: note: {{.*}} [parameter-size]

#define STEP 1
#define BY STEP
void redefines(int *p, int n) {
#undef STEP
#define STEP 2
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, BY);
}
// CHECK: :[[#@LINE-2]]:23: note: {{.*}} [macro-redefined]

//===--- Launches -------------------------------------------------------------//

void throughPointer(int *p, int n, void (*kernel)(int *, int)) {
  for (int t = 0; t < n; ++t)
    kernel<<<4, 64>>>(p, t);
}
// CHECK: :[[#@LINE-2]]:5: note: {{.*}} [kernel-pointer]

__global__ void elsewhere(int *p, int by);
void launchesElsewhere(int *p, int n) {
  for (int t = 0; t < n; ++t)
    elsewhere<<<4, 64>>>(p, t);
}
// CHECK: :[[#@LINE-2]]:5: note: {{.*}} [kernel-not-visible]

void changesBlock(int *p, int n) {
  for (int t = 1; t < n; t *= 2)
    add<<<4, t>>>(p, t);
}
// CHECK: :[[#@LINE-2]]:14: note: {{.*}} [varying-geometry]

void changesStream(int *p, int n, cudaStream_t a, cudaStream_t b) {
  for (int t = 0; t < n; ++t)
    add<<<4, 64, 0, t % 2 ? a : b>>>(p, t);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [varying-geometry]

void picksStream(int *p, int n, cudaStream_t *streams) {
  for (int t = 0; t < n; ++t)
    add<<<4, 64, 0, streams[t % 2]>>>(p, t);
}
// CHECK: :[[#@LINE-2]]:21: note: {{.*}} [host-memory]

void hasTwoStreams(int *p, int n, cudaStream_t a, cudaStream_t b) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64, 0, a>>>(p, t);
    add<<<4, 64, 0, b>>>(p + 4, t);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [several-geometries]

void fillsInOtherStream(int *p, int n, cudaStream_t stream) {
  for (int t = 0; t < n; ++t) {
    cudaMemset(p, 0, 16);
    add<<<4, 64, 0, stream>>>(p, t);
  }
}
// CHECK: :[[#@LINE-4]]:5: note: {{.*}} [other-stream]

void readsBackInOtherStream(int *p, int *flag, cudaStream_t stream) {
  int go = 1;
  while (go) {
    add<<<4, 64, 0, stream>>>(flag, -1);
    cudaMemcpy(&go, flag, sizeof(int), cudaMemcpyDeviceToHost);
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [other-stream]

void changesArgument(int *p, int n) {
  int t = 0;
  while (t < n)
    add<<<4, 64>>>(p, t++);
}
// CHECK: :[[#@LINE-2]]:23: note: {{.*}} [host-statement]

template <int By> __global__ void addConstant(int *p) { p[blockIdx.x] += By; }
void namesLocalConstant(int *p, int n) {
  constexpr int By = 3;
  for (int t = 0; t < n; ++t)
    addConstant<By + 1><<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-2]]:17: note: {{.*}} [local-name]

void neverEnds(int *p) {
  for (int t = 0;; ++t) {
    add<<<4, 64>>>(p, t);
    while (t % 3)
      break;
  }
}
// CHECK: :[[#@LINE-6]]:3: note: {{.*}} [endless]

// What a type names, nobody captures.
void namesInTypes(int *p, int n) {
  const int Count = 3;
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, int(sizeof(int[Count])));
  for (int t = 0; t < n; ++t)
    add<<<4, 64>>>(p, static_cast<decltype(n)>(t));
}
// CHECK: :[[#@LINE-4]]:38: note: {{.*}} [local-name]
// CHECK: :[[#@LINE-3]]:44: note: {{.*}} [local-name]

void readsErrorByReference(int *p, int n) {
  int result = 1;
  int &first = result;
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, first);
    result = cudaGetLastError();
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [shared-variable]

int ends;
struct CountsEnds {
  int line;
  ~CountsEnds() { ++ends; }
};
#define CHECK_WITH_END(call)                                                   \
  do {                                                                         \
    CountsEnds check;                                                          \
    if ((call) != cudaSuccess)                                                 \
      std::printf("%d", check.line);                                           \
  } while (0)
void checksWithDestructor(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    CHECK_WITH_END(cudaGetLastError());
  }
}
// CHECK: :[[#@LINE-3]]:5: note: {{.*}} [host-

// The host may wait for one of them, or for what it did not wait for.
void waitsInTwoInnerLoops(int *p, int n, int m, cudaStream_t stream) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    for (int u = t; u < m; ++u)
      cudaStreamSynchronize(stream);
    for (int u = m; u < t; ++u)
      cudaDeviceSynchronize();
  }
}
// CHECK: :[[#@LINE-3]]:7: note: {{.*}} [host-statement]

void waitsForMoreInAnInnerLoop(int *p, int n, int m) {
  for (int t = 0; t < n; ++t) {
    add<<<4, 64>>>(p, t);
    cudaStreamSynchronize(0);
    for (int u = t; u < m; ++u)
      cudaDeviceSynchronize();
  }
}
// CHECK: :[[#@LINE-3]]:7: note: {{.*}} [host-statement]

//===--- Shared memory --------------------------------------------------------//

__global__ void fillsHalf(int *p) {
  __shared__ int part[7000];
  part[threadIdx.x] = p[threadIdx.x];
  p[threadIdx.x] = part[threadIdx.x] + 1;
}
__global__ void fillsOtherHalf(int *p) {
  __shared__ int part[7000];
  part[threadIdx.x] = p[threadIdx.x];
  p[threadIdx.x] = part[threadIdx.x] * 2;
}
void hasTooMuch(int *p, int n) {
  for (int t = 0; t < n; ++t) {
    fillsHalf<<<1, 64>>>(p);
    fillsOtherHalf<<<1, 64>>>(p);
  }
}
// CHECK: :[[#@LINE-4]]:5: note: {{.*}} [shared-memory]

__global__ void printing(int *p) {
  if (p[blockIdx.x]++ == 3)
    printf("%d\n", blockIdx.x);
}
void launchesPrinting(int *p, int n) {
  for (int t = 0; t < n; ++t)
    printing<<<4, 64>>>(p);
}
// CHECK: :[[#@LINE-6]]:5: note: {{.*}} [print]
