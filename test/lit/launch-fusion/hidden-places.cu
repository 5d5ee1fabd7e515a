// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that two kernels share by ways other than a parameter's elements, beside
// what looks alike and is only that.
//
// RUN: %barricade --rules=launch-fusion --explain %s -- nvcc -std=c++17 -arch=sm_80 > %t.out 2>&1
// RUN: FileCheck %s < %t.out

__device__ int table[4096];

//===--- What a declaration has a function do -----------------------------===//

struct Put {
  int old;
  __device__ Put(int at, int value) : old(table[at] = value) {}
};
struct Take {
  int value;
  __device__ Take(int at) : value(table[at]) {}
};
__global__ void putsByMember(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = Put(i, n).old;
}
__global__ void takesByMember(int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = Take(n - 1 - i).value;
}
// CHECK: :[[#@LINE+5]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since putsByMember reaches memory
void members(int n) {
  int *x, *y;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  putsByMember<<<n / 256, 256>>>(x, n);
  takesByMember<<<n / 256, 256>>>(y, n);
}

struct Default {
  int at;
  int value = table[at];
};
__device__ int viaAggregate(int at) { return Default{at}.value; }
__global__ void takesByDefault(int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = viaAggregate(n - 1 - i);
}
__device__ int viaArgument(int &place = table[0]) { return place; }
__global__ void takesByArgument(int *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = viaArgument();
}
// CHECK: :[[#@LINE+4]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since takesByDefault reaches memory
void defaults(int n) {
  int *y;
  cudaMalloc(&y, n * sizeof(int));
  takesByDefault<<<n / 256, 256>>>(y, n);
  takesByArgument<<<n / 256, 256>>>(y);
}

struct Constant {
  int base;
  int value = base + 1;
  __device__ Constant(int base = 4) : base(base) {}
};
__global__ void computes(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] += Constant().value + Constant(n).value;
}
// CHECK: :[[#@LINE+2]]:3: warning: 2 launches {{.*}} without a barrier
void onlyNumbers(int *x, int n) {
  computes<<<n / 256, 256>>>(x, n);
  computes<<<n / 256, 256>>>(x, n);
}

struct Holder {
  int &place;
};
__global__ void through(const Holder *all, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  all[i].place = n;
}
// CHECK: :[[#@LINE+4]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since through reaches memory
void references(int n) {
  Holder *all;
  cudaMalloc(&all, n * sizeof(Holder));
  through<<<n / 256, 256>>>(all, n);
  through<<<n / 256, 256>>>(all, n);
}
__global__ void throughBits(const long *all, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  *__builtin_bit_cast(int *, all[i]) = n;
}
// CHECK: :[[#@LINE+4]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since throughBits reaches memory
void bits(int n) {
  long *all;
  cudaMalloc(&all, n * sizeof(long));
  throughBits<<<n / 256, 256>>>(all, n);
  throughBits<<<n / 256, 256>>>(all, n);
}

struct Counted {
  mutable int count;
  int value;
  __device__ int get() const { return ++count, value; }
  __device__ int see() const { return value; }
};
__global__ void counts(const Counted *all, int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = all[n - 1 - i].get();
}
__global__ void sees(const Counted *all, int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = all[n - 1 - i].see();
}
// CHECK: :[[#@LINE+6]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since elements of 'all'
void mutableMembers(int n) {
  int *x;
  Counted *all;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&all, n * sizeof(Counted));
  counts<<<n / 256, 256>>>(all, x, n);
  sees<<<n / 256, 256>>>(all, x, n);
}
// CHECK: :[[#@LINE+6]]:3: warning: 2 launches {{.*}} without a barrier
void otherMembers(int n) {
  int *x;
  Counted *all;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&all, n * sizeof(Counted));
  sees<<<n / 256, 256>>>(all, x, n);
  sees<<<n / 256, 256>>>(all, x, n);
}

__global__ void throughLibrary(int *x, unsigned long long place) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = i;
  *(int *)__cvta_global_to_generic(place) = i;
}
// CHECK: :[[#@LINE+4]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since throughLibrary reaches memory
void library(int n, unsigned long long place) {
  int *x;
  cudaMalloc(&x, n * sizeof(int));
  throughLibrary<<<n / 256, 256>>>(x, place);
  throughLibrary<<<n / 256, 256>>>(x, place);
}
struct HoldsPointer {
  int *pointer;
};
__global__ void adds(int *x) { x[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
// CHECK: :[[#@LINE+4]]:3: warning: 2 launches {{.*}} without a barrier
void member(int *x, int *y, int n) {
  int *place = x;
  HoldsPointer h{place};
  adds<<<n / 256, 256>>>(h.pointer);
  place = y;
  adds<<<n / 256, 256>>>(h.pointer);
}
struct PutBase {
  __device__ PutBase(int at) { table[at] = at; }
};
struct PutInherits : PutBase {
  using PutBase::PutBase;
};
struct TakeFirst {
  int value;
  __device__ TakeFirst() : value(table[blockIdx.x ^ 1]) {}
};
__global__ void putsByInherited(int *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  PutInherits put(i);
  x[i] = i;
}
__global__ void takesByFiller(int *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  TakeFirst all[2] = {};
  x[i] += all[1].value;
}
// CHECK: :[[#@LINE+4]]:3: remark: 2 launches
void silently(int n) {
  int *x;
  cudaMalloc(&x, n * sizeof(int));
  putsByInherited<<<n / 256, 256>>>(x);
  takesByFiller<<<n / 256, 256>>>(x);
}

//===--- Where an assignment leads ----------------------------------------===//

struct Record {
  int value;
};
__device__ void beyond(Record &r, int n) { (&r)[n].value = 1; }
__global__ void fromAssignment(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  (&(x[i] = 1))[n] = i;
}
__global__ void fromIncrement(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  (&++x[i])[n] = 1;
}
__global__ void fromCopy(Record *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Record r = {n};
  beyond(x[i] = r, n);
}
__global__ void fromList(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  (&((i, x[i] = 1) += 2))[n] = i;
}
// CHECK: :[[#@LINE+2]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since elements of 'x'
void assigns(int *x, int n) {
  fromAssignment<<<n / 256, 256>>>(x, n);
  fromAssignment<<<n / 256, 256>>>(x, n);
}
// CHECK: :[[#@LINE+2]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since elements of 'x'
void increments(int *x, int n) {
  fromIncrement<<<n / 256, 256>>>(x, n);
  fromIncrement<<<n / 256, 256>>>(x, n);
}
// CHECK: :[[#@LINE+2]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since elements of 'x'
void copies(Record *x, int n) {
  fromCopy<<<n / 256, 256>>>(x, n);
  fromCopy<<<n / 256, 256>>>(x, n);
}
// CHECK: :[[#@LINE+2]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since elements of 'x'
void lists(int *x, int n) {
  fromList<<<n / 256, 256>>>(x, n);
  fromList<<<n / 256, 256>>>(x, n);
}

__global__ void plain(int *x, Record *r, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Record own = {n};
  int k = x[i] = 1;
  if ((x[i] += k) > n)
    ++x[i];
  for (; k < 3; x[i] -= 1, ++k)
    (x[i] = k) += 2;
  switch (n) {
  case 1:
    (void)(x[i] = 4);
    break;
  default:
    n > 3 ? x[i] = 5 : x[i] = 6;
  }
  r[i] = own;
}
// CHECK: :[[#@LINE+6]]:3: warning: 2 launches {{.*}} without a barrier
void onlyAssigns(int n) {
  int *x;
  Record *r;
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&r, n * sizeof(Record));
  plain<<<n / 256, 256>>>(x, r, n);
  plain<<<n / 256, 256>>>(x, r, n);
}

//===--- Bases ------------------------------------------------------------===//

struct Left {
  int left;
};
struct Right {
  int right;
};
struct Both : Left, Right {};
__global__ void setLeft(Left *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i].left = i;
}
__global__ void setRight(Right *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i].right = i;
}
__global__ void setEither(Both *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  static_cast<Left *>(x)[i].left = i;
}
__global__ void setOther(Both *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Right *right = x;
  right[i].right = i;
}
// CHECK: :[[#@LINE+2]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since 'x' and 'x' may be the same memory
void bases(Both *x, int n) {
  setLeft<<<n / 256, 256>>>(x);
  setRight<<<n / 256, 256>>>(x);
}
// CHECK: :[[#@LINE+2]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since elements of 'x'
void basesWithin(Both *x, int n) {
  setEither<<<n / 256, 256>>>(x);
  setOther<<<n / 256, 256>>>(x);
}
// CHECK: :[[#@LINE+2]]:3: warning: 2 launches {{.*}} without a barrier
void oneBase(Both *x, int n) {
  setLeft<<<n / 256, 256>>>(x);
  setLeft<<<n / 256, 256>>>(x);
}

//===--- Shared memory ----------------------------------------------------===//

__shared__ int scratch[256];
__global__ void turns(int *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  scratch[threadIdx.x] = i;
  __syncthreads();
  x[i] = scratch[255 - threadIdx.x];
}
__global__ void turnsBack(int *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  scratch[threadIdx.x] = x[i];
  __syncthreads();
  x[i] = scratch[255 - threadIdx.x];
}
__global__ void turnsElsewhere(int *x) {
  __shared__ int own[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  own[threadIdx.x] = x[i];
  __syncthreads();
  x[i] = own[255 - threadIdx.x];
}
// CHECK: :[[#@LINE+2]]:3: warning: 2 launches {{.*}} with __syncthreads(), since both kernels use the same shared memory
void sharedByAll(int *x, int n) {
  turns<<<n / 256, 256>>>(x);
  turnsBack<<<n / 256, 256>>>(x);
}
// CHECK: :[[#@LINE+2]]:3: warning: 2 launches {{.*}} without a barrier
void sharedByOne(int *x, int n) {
  turns<<<n / 256, 256>>>(x);
  turnsElsewhere<<<n / 256, 256>>>(x);
}
