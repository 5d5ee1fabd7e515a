// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that wait for another thread and look as if they were counted: the
// counter, its bound or its step is not what it seems.
//
// RUN: %barricade --explain --min-memory-ratio=0 --min-instructions=0 %s 2>&1 | FileCheck --implicit-check-not=warning: %s

#include <cuda/atomic>

struct HoldsReference {
  int &x;
};
struct Flags {
  volatile int set;
  int other;
};
struct WaitsAtEnd {
  volatile int *flag;
  __device__ ~WaitsAtEnd() {
    while (!*flag)
      ;
  }
};
__device__ int &choose(int &a) { return a; }
__device__ void reset(int &a) { a = 0; }
__device__ void resetLook(const int &a) { const_cast<int &>(a) = 0; }
__device__ void look(const int &a) {}

__global__ void alias(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (int i = 0; i < 10; ++i) {
      int &r = i;
      if (*flag)
        break;
      r = 0;
    }
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void aliasBefore(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    int i = 0;
    int &r = i;
    while (i < 10) {
      if (*flag)
        break;
      r = 0;
      ++i;
    }
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void chosen(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    int j = 0;
    for (int i = 0; i < 10; ++i) {
      if (*flag)
        break;
      (n ? i : j) = 0;
    }
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void castWrite(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (int i = 0; i < 10; ++i) {
      if (*flag)
        break;
      reinterpret_cast<unsigned &>(i) = 0;
    }
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void castWriteC(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (int i = 0; i < 10; ++i) {
      if (*flag)
        break;
      (int &)i = 0;
    }
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void member(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    int i = 0;
    HoldsReference holder{i};
    for (; i < 10; ++i) {
      if (*flag)
        break;
      holder.x = 0;
    }
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void assembler(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (int i = 0; i < 10; ++i) {
      if (*flag)
        break;
      asm("mov.u32 %0, 0;" : "+r"(i));
    }
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void lambda(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    int i = 0;
    auto back = [&] { i = 0; };
    for (; i < 10; ++i) {
      if (*flag)
        break;
      back();
    }
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void returned(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (int i = 0; i < 10; ++i) {
      if (*flag)
        break;
      choose(i) = 0;
    }
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void byFunction(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (int i = 0; i < 10; ++i) {
      if (*flag)
        break;
      reset(i);
    }
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void byConstFunction(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (int i = 0; i < 10; ++i) {
      if (*flag)
        break;
      resetLook(i);
    }
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void constAlias(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    int i = 0;
    const int &r = i;
    for (; i < 10; ++i) {
      if (*flag)
        break;
      const_cast<int &>(r) = 0;
    }
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void pointer(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    int i = 0, *p = &i;
    for (; i < 10; ++i) {
      if (*flag)
        break;
      *p = 0;
    }
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void stepUsedTwice(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (int i = 0; i < 10; ++i) {
      if (*flag)
        break;
      reset(++i);
    }
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void backAndForth(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (int i = 0; i < 10; ++i) {
      if (*flag)
        break;
      --i;
    }
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void backAndForthInBody(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    int i = 0;
    while (i < 10) {
      if (*flag)
        break;
      ++i;
      --i;
    }
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void noStep(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (int i = 0; i < 10; i += 0)
      if (*flag)
        break;
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void unknownStep(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (int i = 0; i < 10; i += n)
      if (*flag)
        break;
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void wrongWay(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (unsigned i = 5; i > 3; i += n)
      if (*flag)
        break;
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void everUnsigned(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (unsigned i = 5; i >= 0; --i)
      if (*flag)
        break;
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void everMasked(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (int i = 0; (i & 1) < 2; ++i)
      if (*flag)
        break;
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void everSmall(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (unsigned char i = 0; i < 256; ++i)
      if (*flag)
        break;
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void everMost(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (unsigned i = 0; i <= 0xffffffffu; ++i)
      if (*flag)
        break;
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void everMissed(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (int i = 0; i != 5; i += 2)
      if (*flag)
        break;
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void everZero(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (int i = 0; i < 10; i *= 2)
      if (*flag)
        break;
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void everHalved(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (int i = 64; i >= 0; i >>= 1)
      if (*flag)
        break;
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void boundRuns(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    long long end = 2;
    for (long long i = 0; i < end; ++i) {
      if (*flag)
        break;
      end = i + 2;
    }
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void boundAlias(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    long long end = 2;
    long long &r = end;
    for (long long i = 0; i < end; ++i) {
      if (*flag)
        break;
      r = i + 2;
    }
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void conditionVariable(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (int i = 0; int go = !*flag; ++i)
      i += go;
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void twoAddresses(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    int old = 0, assumed;
    do {
      assumed = old;
      old = atomicCAS(&locks[n++ & 1], assumed, 1);
    } while (assumed != old);
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void readAddress(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    int old = 0, assumed;
    do {
      assumed = old;
      old = atomicCAS(locks + *flag, assumed, 1);
    } while (assumed != old);
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void otherTypes(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    int old = 0;
    char assumed;
    do {
      assumed = old;
      old = atomicCAS(locks, assumed, 1);
    } while (assumed != old);
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void assumedAlias(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    int old = 0, assumed = 0;
    int &r = assumed;
    do {
      assumed = old;
      r = -1;
      old = atomicCAS(locks, assumed, 1);
    } while (assumed != old);
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void sleeps(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    while (locks[0] == 0)
      __nanosleep(100);
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void binding(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    auto &[set, other] = *flags;
    while (!set)
      ;
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void bindingOfPlain(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    const auto &[set, other] = *flags;
    while (!other)
      __threadfence();
    locks[1] = 1;
    flags->other = set;
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void atEnd(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    {
      WaitsAtEnd wait{flag};
    }
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void blockScope(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    while (cuda::atomic_ref<int, cuda::thread_scope_block>(*locks).load() == 0)
      ;
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void blockAtomic(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    while (atomicAdd_block(locks, 0) == 0)
      ;
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void blockBuiltin(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    while (__nv_atomic_load_n(locks, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK) == 0)
      ;
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

// Up to a limit, which nobody reaches but who is held up.
__global__ void atMost(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    int i = 0;
    for (; i < 20000; ++i)
      if (atomicAdd(locks, 0) == threadIdx.x)
        break;
    s += i;
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void atMostByFlag(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (int i = 0; i < 20000 && !*flag; ++i)
      s += 1;
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void returnsOnce(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (int i = 0; i < 20000; ++i) {
      if (*flag)
        return;
      s += 1;
    }
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void byAssembly(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    int seen = 0;
    while (!seen)
      asm("ld.global.u32 %0, [%1];" : "=r"(seen) : "l"(locks));
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}
