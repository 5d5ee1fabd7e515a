// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Near-misses of divergent-disguised.cu: references and writes that leave the
// trip count to the block, so that each loop takes a plain barrier.
//
// RUN: not %dry-run --min-memory-ratio=0 --min-instructions=0 %s | FileCheck --implicit-check-not=__syncthreads_or %s
//
// CHECK-COUNT-19: {{^\+ +__syncthreads\(\);}}
// CHECK-NOT: {{^\+ +__syncthreads\(\);}}

struct Row {
  int begin, end;
};
struct Nested {
  Row row;
  int pad[4];
};
union Overlay {
  Row row;
  long long bits;
};
struct HoldsReference {
  int &x;
};
struct Base {
  int count;
};
struct Left : Base {};
struct Right : Base {};
struct Both : Left, Right {};
struct Convertible {
  int value;
  __device__ operator int() const { return value; }
  __device__ int get() const { return value; }
};
struct SetsAtEnd {
  int &x;
  __device__ ~SetsAtEnd() { x = threadIdx.x; }
};
__constant__ Row constantRows[64];
__constant__ int constantCounts[64];
__device__ int deviceCounts[64];

__device__ int &choose(int &a) { return a; }
__device__ const Row &pick(const Row *rows, int i) { return rows[i]; }
__device__ const Row &same(const Row &row) { return row; }
__device__ int length(const Row &row) { return row.end - row.begin; }
__device__ void setBoth(int &a, int &b) {
  a = 1;
  b = threadIdx.x;
}
__device__ int readAfterWrite(int &a, int &b) {
  a = 4;
  b = threadIdx.x;
  return a;
}
__device__ void keep(int &a, int *&where) { where = &a; }
__device__ void viaPointer(int *p) { *p = threadIdx.x; }
__device__ void onlyReads(const int &a, float *out) { out[0] = a; }

__global__ void uniformCsr(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const Row &row = rows[blockIdx.x];
  for (int j = row.begin; j < row.end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void uniformCsrForward(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  auto &&row = rows[blockIdx.x];
  for (int j = row.begin; j < row.end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void uniformOfReference(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const Row &outer = rows[blockIdx.x];
  const Row &row = outer;
  for (int j = 0; j < row.end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void uniformField(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const int &end = rows[n].end;
  for (int j = 0; j < end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void uniformPointer(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const Row *row = &rows[blockIdx.x];
  for (int j = 0; j < row->end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void uniformPassed(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int j = 0; j < length(rows[blockIdx.x]); ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void uniformConstant(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const Row &row = constantRows[blockIdx.x & 63];
  for (int j = 0; j < row.end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void uniformNumber(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const int &count = constantCounts[n & 63];
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void uniformAlias(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count = n;
  const int &look = count;
  for (int j = 0; j < look; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void uniformMutableAlias(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count = 4;
  int &alias = count;
  alias = n;
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void uniformTemporary(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const int &count = n + 1;
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void uniformTemporaryRecord(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const Row &row = Row{0, n};
  for (int j = 0; j < row.end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void uniformIndex(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const uint3 &b = blockIdx;
  for (int j = 0; j < b.x + 4; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void overwritten(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count = i;
  out[i] = count;
  count = n;
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void onlyRead(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count = n;
  onlyReads(count, out);
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void otherVariable(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count = n, other = 4;
  setBoth(other, other);
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void castRead(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count = n;
  out[1] = reinterpret_cast<unsigned &>(count);
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void chosenRead(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count = n, other = 4;
  out[1] = i & 1 ? count : other;
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void writesElsewhere(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  Row row{0, n};
  row.begin = i;
  out[1] = row.begin;
  for (int j = 0; j < row.end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}
