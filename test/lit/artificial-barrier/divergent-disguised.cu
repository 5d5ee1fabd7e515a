// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trip count of each loop depends on the thread, by way of a reference to
// memory that the thread chooses, or of a write that does not name the variable
// plainly: no loop takes a plain barrier. (All that some form covers get one by
// vote or in rounds.)
//
// RUN: not %dry-run --no-verify --min-memory-ratio=0 --min-instructions=0 %s | FileCheck --implicit-check-not='{{^.[ ]+__syncthreads\(\);}}' %s
//
// CHECK: __syncthreads_or(

struct Row {
  int begin, end;
};
struct Nested {
  Row row;
  int pad[4];
};
struct Bits {
  int pad;
  unsigned count : 5, lane : 8;
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

__global__ void csr(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const Row &row = rows[i];
  for (int j = row.begin; j < row.end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void csrMutable(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  Row &row = const_cast<Row *>(rows)[i];
  for (int j = row.begin; j < row.end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void csrForward(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  auto &&row = rows[i];
  for (int j = row.begin; j < row.end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void csrDereferenced(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const Row &row = *(rows + i);
  for (int j = row.begin; j < row.end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void csrOfReference(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const Row &outer = rows[i];
  const Row &row = outer;
  for (int j = row.begin; j < row.end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void csrField(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const int &end = rows[i].end;
  for (int j = 0; j < end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void csrOfField(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const Nested &nested = reinterpret_cast<const Nested *>(rows)[i];
  const Row &row = nested.row;
  for (int j = 0; j < row.end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void csrElement(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const Nested &nested = reinterpret_cast<const Nested *>(rows)[0];
  const int &end = nested.pad[threadIdx.x & 3];
  for (int j = 0; j < end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void csrArray(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const int(&pad)[4] = reinterpret_cast<const Nested *>(rows)[i].pad;
  for (int j = 0; j < pad[2]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void csrPointer(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const Row *row = &rows[i];
  for (int j = row->begin; j < row->end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void csrPointerOfReference(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const Row &first = rows[i];
  const Row *row = &first;
  for (int j = 0; j < row->end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void csrReturned(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const Row &row = pick(rows, i);
  for (int j = 0; j < row.end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void csrReturnedTwice(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const Row &row = same(same(rows[i]));
  for (int j = 0; j < row.end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void csrPassed(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int j = 0; j < length(rows[i]); ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void csrPassedReference(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const Row &row = rows[i];
  for (int j = 0; j < length(row); ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void csrBinding(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const auto &[begin, end] = rows[i];
  for (int j = begin; j < end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void csrCopyBinding(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  auto [begin, end] = rows[i];
  for (int j = begin; j < end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void csrChoice(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const Row &row = i & 1 ? rows[0] : rows[1];
  for (int j = 0; j < row.end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void csrUniformChoice(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const Row &row = n & 1 ? rows[i] : rows[1];
  for (int j = 0; j < row.end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void csrComma(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const Row &row = (0, rows[i]);
  for (int j = 0; j < row.end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void csrCast(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const Row &row = static_cast<const Row &>(rows[i]);
  for (int j = 0; j < row.end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void csrIndexChanges(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int k = i;
  const Row &row = rows[k];
  k = 0;
  for (int j = 0; j < row.end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void constantReference(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const Row &row = constantRows[i & 63];
  for (int j = row.begin; j < row.end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void constantNumber(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const int &count = constantCounts[i & 63];
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void constantDeviceNumber(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const int &count = deviceCounts[i & 63];
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void localElement(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int counts[4] = {1, 2, 3, 4};
  const int &count = counts[i & 3];
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void localMutableElement(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int counts[4] = {1, 2, 3, 4};
  int &count = counts[i & 3];
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void localWrittenElement(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int counts[4] = {1, 2, 3, 4};
  int &count = counts[0];
  count = i;
  for (int j = 0; j < counts[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void temporary(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const int &count = i + 0;
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void temporaryMoved(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int &&count = int(i);
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void temporaryRecord(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const Row &row = Row{0, i};
  for (int j = 0; j < row.end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void temporaryField(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const int &end = Row{0, i}.end;
  for (int j = 0; j < end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void temporaryAssigned(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int &&count = 0;
  count = i;
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void temporaryConverted(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const long long &count = i;
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void indexReference(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const uint3 &t = threadIdx;
  for (int j = 0; j < t.x; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void indexReferenceTwice(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const uint3 &t = threadIdx;
  const uint3 &u = t;
  for (int j = 0; j < u.x; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void indexCopy(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  auto t = threadIdx;
  for (int j = 0; j < t.x; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void indexCopyNamed(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  uint3 t = threadIdx;
  for (int j = 0; j < t.x; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void indexMember(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  const unsigned &t = threadIdx.x;
  for (int j = 0; j < t; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void dimensionsFromIndex(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  dim3 t(threadIdx.x, 1, 1);
  for (int j = 0; j < t.x; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void chosenLvalue(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count = 4, other = 4;
  (n & 1 ? count : other) = i;
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void chosenStep(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count = 4, other = 4;
  (n & 1 ? count : other) += i;
  for (int j = 0; j < other; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void castLvalue(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count = 4;
  reinterpret_cast<unsigned &>(count) = i;
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void castLvalueC(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count = 4;
  (unsigned &)count = i;
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void constCast(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count = 4;
  const int &look = count;
  const_cast<int &>(look) = i;
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void assembler(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count = 4;
  asm("add.s32 %0, %0, %1;" : "+r"(count) : "r"(i));
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void assemblerOutput(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count;
  asm("mov.u32 %0, %%tid.x;" : "=r"(count));
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void returnedReference(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count = 4;
  choose(count) = i;
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void referenceMember(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count = 4;
  HoldsReference holder{count};
  holder.x = i;
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void pointerToReference(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count = 4;
  int &alias = count;
  int *p = &alias;
  *p = i;
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void incrementedReference(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count = 4;
  int &alias = ++count;
  alias = i;
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void boundTwice(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count = 4;
  setBoth(count, count);
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void boundTwiceRead(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count = 4;
  for (int j = 0; j < readAfterWrite(count, count); ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void boundTwiceByAlias(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count = 4;
  int &alias = count;
  for (int j = 0; j < readAfterWrite(count, alias); ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void boundField(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  Row row{4, 4};
  for (int j = 0; j < readAfterWrite(row.begin, row.begin); ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void kept(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count = 4, *where;
  keep(count, where);
  count = 4;
  *where = i;
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void throughPointer(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count = 4;
  viaPointer(&count);
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void unionMember(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  union {
    int count;
    float f;
  };
  count = 4;
  f = __int_as_float(i);
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

// Bit fields lie in one word.
__global__ void bitBeside(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  Bits b{};
  b.count = 4;
  b.lane = i;
  for (int j = 0; j < b.count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void bitOverwritten(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  Bits b{};
  b.lane = i;
  b.lane = 4;
  for (int j = 0; j < b.lane; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void unionRecord(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  Overlay o;
  o.bits = 4;
  o.row.end = i;
  for (int j = 0; j < (int)(o.bits >> 32); ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void unionRecordBack(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  Overlay o;
  o.row.end = 4;
  o.bits = (long long)i << 32;
  for (int j = 0; j < o.row.end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void structuredBinding(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  Row row{4, 4};
  auto &[begin, end] = row;
  end = i;
  for (int j = 0; j < row.end; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void secondBase(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  Both both;
  both.Left::count = i;
  both.Right::count = 4;
  for (int j = 0; j < both.Left::count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void copiedBytes(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count = 4, from = i;
  memcpy(&count, &from, sizeof(count));
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void placed(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count = 4;
  int *p = &count;
  p[0] = i;
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void atScopeEnd(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count = 4;
  {
    SetsAtEnd guard{count};
  }
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void bitField(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  struct {
    int low : 8, high : 8;
  } bits = {4, 4};
  bits.high = i;
  for (int j = 0; j < bits.high; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void converted(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  Convertible c{i};
  for (int j = 0; j < c; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void method(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  Convertible c{i};
  for (int j = 0; j < c.get(); ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void rangeElement(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int counts[2] = {4, 4};
  for (int &c : counts)
    c = i;
  for (int j = 0; j < counts[0]; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void vectorType(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int2 v = make_int2(4, i);
  for (int j = 0; j < v.y; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void vectorReference(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int2 v = make_int2(4, 4);
  int &y = v.y;
  y = i;
  for (int j = 0; j < v.y; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}

__global__ void statementExpression(const float *__restrict__ a,
                     const Row *__restrict__ rows, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  int count = ({
    int k = i;
    k;
  });
  for (int j = 0; j < count; ++j)
    s += a[j * 64] * a[j];
  out[i] = s;
}
