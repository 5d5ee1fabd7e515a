// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A type that another build may have otherwise: elements of another size, an
// index of fewer bits and a pointer of another class lead elsewhere, so nothing is
// known of who touches what.
//
// RUN: %barricade --rules=launch-fusion --explain %s -- -std=c++17 > %t.out 2>&1
// RUN: FileCheck %s < %t.out

#include <cstddef>
#include <cstdint>
#include <type_traits>

#define NUMBER (blockIdx.x * blockDim.x + threadIdx.x)
#ifdef BIG
typedef double Real;
using Index = unsigned char;
struct Pair {
  float a, b;
};
template <class> using Alias = double;
struct Chosen {
  using type = double;
};
enum Small : unsigned char { Of = 1 };
#define DEFAULT double
constexpr int Count = 2;
struct Base {
  double b;
};
#else
typedef float Real;
using Index = int;
struct Pair {
  float a;
};
template <class> using Alias = float;
struct Chosen {
  using type = float;
};
enum Small : int { Of = 1 };
#define DEFAULT float
constexpr int Count = 1;
struct Base {};
#endif

__global__ void add(float *x, int n) { x[NUMBER] += n; }

//===--- Other in another build -------------------------------------------===//

__global__ void byTypedef(float *x, int n) {
  int i = NUMBER;
  ((Real *)x)[i] = i;
}
__global__ void byIndex(float *x, int n) {
  Index i = NUMBER;
  x[i] = i;
}
__global__ void byIndexCast(float *x, int n) { x[(Index)NUMBER] = 0; }
__global__ void byDeducedIndex(float *x, int n) {
  auto i = Index(NUMBER);
  x[i] = 0;
}
__global__ void byStruct(float *x, int n) {
  int i = NUMBER;
  ((Pair *)x)[i].a = i;
}
__global__ void byAlias(float *x, int n) {
  int i = NUMBER;
  ((Alias<int> *)x)[i] = i;
}
template <class T> struct Trait {
  typedef typename T::type type;
};
__global__ void byTrait(float *x, int n) {
  int i = NUMBER;
  ((Trait<Chosen>::type *)x)[i] = i;
}
struct Whole {
  Real v;
};
__global__ void byMember(float *x, int n) {
  int i = NUMBER;
  Whole *w = (Whole *)x;
  w[i].v = i;
}
struct Conditional {
  float v;
#ifdef BIG
  float more;
#endif
};
__global__ void byConditionalMember(float *x, int n) {
  int i = NUMBER;
  ((Conditional *)x)[i].v = i;
}
struct Array {
  float v[Count];
};
__global__ void byCount(float *x, int n) {
  int i = NUMBER;
  Array a = ((Array *)x)[i];
  x[i] = a.v[0];
}
struct Derived : Base {
  float v;
};
__global__ void byBase(float *x, int n) {
  int i = NUMBER;
  ((Derived *)x)[i].v = i;
}
__global__ void byEnum(float *x, int n) {
  Small i = Small(NUMBER);
  x[i] = i;
}
template <class T = DEFAULT> struct Holder {
  T v;
};
__global__ void byDefault(float *x, int n) {
  int i = NUMBER;
  ((Holder<> *)x)[i].v = i;
}
template <class T = DEFAULT> using AliasOfDefault = T;
__global__ void byDefaultOfAlias(float *x, int n) {
  int i = NUMBER;
  ((AliasOfDefault<> *)x)[i] = i;
}
__global__ void byLibrary(float *x, int n) {
  int i = NUMBER;
  ((std::conditional_t<(Count > 1), double, float> *)x)[i] = i;
}
__device__ Real realOf(float x) { return x; }
__global__ void byReturned(float *x, int n) {
  int i = NUMBER;
  ((decltype(realOf(0)) *)x)[i] = i;
}
using Pointer = Real *;
__global__ void byPointer(float *x, int n) {
  int i = NUMBER;
  auto p = (Pointer)x;
  p[i] = i;
}
template <class T> __global__ void byArgument(float *x, int n) {
  int i = NUMBER;
  ((T *)x)[i] = T{};
}
template <class T = Real>
__global__ void byDefaultArgument(float *x, int n) {
  int i = NUMBER;
  ((T *)x)[i] = i;
}
__global__ void byParameter(Pointer x, int n) {
  int i = NUMBER;
  x[i] = i;
}

void viaTypedef(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since another build
  byTypedef<<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaIndex(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since another build
  byIndex<<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaIndexCast(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since another build
  byIndexCast<<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaDeducedIndex(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since another build
  byDeducedIndex<<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaStruct(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since another build
  byStruct<<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaAlias(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since another build
  byAlias<<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaTrait(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since another build
  byTrait<<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaMember(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since another build
  byMember<<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaConditionalMember(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since another build
  byConditionalMember<<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaCount(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since another build
  byCount<<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaBase(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since another build
  byBase<<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaEnum(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since another build
  byEnum<<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaDefault(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since another build
  byDefault<<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaDefaultOfAlias(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since another build
  byDefaultOfAlias<<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaLibrary(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since another build
  byLibrary<<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaReturned(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since another build
  byReturned<<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaPointer(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since another build
  byPointer<<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaArgument(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since another build
  byArgument<Real><<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaArgumentOfStruct(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since another build
  byArgument<Pair><<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaDefaultArgument(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since another build
  byDefaultArgument<><<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaParameter(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} with __gpu_sync(), since another build
  byParameter<<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}

//===--- The same in all --------------------------------------------------===//

typedef float Plain;
template <class T> using PlainAlias = T;
struct PlainPair {
  Plain a;
};
enum class PlainEnum : int { Only };
template <class T = float> struct PlainHolder {
  T v;
};
constexpr int Tile = 256;
__global__ void byPlain(float *x, int n) {
  std::int32_t i = NUMBER;
  ((Plain *)x)[i] = i;
}
__global__ void byPlainIndex(float *x, int n) {
  const std::size_t i = NUMBER;
  x[i] = sizeof(PlainPair);
}
__global__ void byPlainStruct(float *x, int n) {
  __shared__ PlainHolder<> s[Tile];
  s[threadIdx.x].v = n;
  auto i = int(NUMBER);
  ((PlainAlias<PlainPair> *)x)[i].a = s[threadIdx.x].v;
}
__global__ void byPlainEnum(float *x, int n) {
  float4 v = make_float4(1, 2, 3, 4);
  PlainEnum e = PlainEnum::Only;
  x[NUMBER] = v.x + int(e);
}
__global__ void byPlainTrait(float *x, int n) {
  int i = NUMBER;
  using T = std::remove_reference_t<float &>;
  ((typename std::conditional<(Tile > 1), T, double>::type *)x)[i] = i;
}
// The size of a block's array says nothing of where elements lie.
__global__ void byArrayOfBlock(float *x, int n) {
  __shared__ float s[Count];
  s[0] = n;
  x[NUMBER] = s[0];
}
template <class T> __global__ void byPlainArgument(T *x, int n) {
  T v = x[NUMBER];
  x[NUMBER] = v + 1;
}
void viaPlain(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} {{without a barrier|with __syncthreads}}
  byPlain<<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaPlainIndex(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} {{without a barrier|with __syncthreads}}
  byPlainIndex<<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaPlainStruct(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} {{without a barrier|with __syncthreads}}
  byPlainStruct<<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaPlainEnum(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} {{without a barrier|with __syncthreads}}
  byPlainEnum<<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaPlainTrait(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} {{without a barrier|with __syncthreads}}
  byPlainTrait<<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaArrayOfBlock(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} {{without a barrier|with __syncthreads}}
  byArrayOfBlock<<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaPlainArgumentNamed(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} {{without a barrier|with __syncthreads}}
  byPlainArgument<float><<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
void viaPlainArgument(float *x, int n) {
  // CHECK: :[[#@LINE+1]]:3: warning: 2 launches {{.*}} {{without a barrier|with __syncthreads}}
  byPlainArgument<<<4, 256>>>(x, n);
  add<<<4, 256>>>(x, n);
}
