// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that look shared out among the threads, in which something changes the
// counter, its start, its bound or its step without naming it plainly: one
// counter cannot tell for all, so none is written.
//
// RUN: not %dry-run --min-memory-ratio=0 --min-instructions=0 %s > %t.diff
// RUN: FileCheck --implicit-check-not='{{^\+.*}}leader' --implicit-check-not='{{^\+.*}}__syncthreads()' %s < %t.diff
//
// CHECK: __syncthreads_or(

struct HoldsReference {
  int &x;
};
__device__ int &choose(int &a) { return a; }

__global__ void alias(const float *__restrict__ a, float *__restrict__ out,
                     int n) {
  float s = 0;
  for (int i = threadIdx.x; i < n; i += 64) {
    s += a[i] * a[i + 1];
    int &r = i;
    r += s > 4;
  }
  out[threadIdx.x] = s;
}

__global__ void chosen(const float *__restrict__ a, float *__restrict__ out,
                     int n) {
  float s = 0;
  int other = 0;
  for (int i = threadIdx.x; i < n; i += 64) {
    s += a[i] * a[i + 1];
    (n & 1 ? i : other) += s > 4;
  }
  out[threadIdx.x] = s;
}

__global__ void castWrite(const float *__restrict__ a, float *__restrict__ out,
                     int n) {
  float s = 0;
  for (int i = threadIdx.x; i < n; i += 64) {
    s += a[i] * a[i + 1];
    reinterpret_cast<unsigned &>(i) += s > 4;
  }
  out[threadIdx.x] = s;
}

__global__ void castWriteC(const float *__restrict__ a, float *__restrict__ out,
                     int n) {
  float s = 0;
  for (int i = threadIdx.x; i < n; i += 64) {
    s += a[i] * a[i + 1];
    (int &)i += s > 4;
  }
  out[threadIdx.x] = s;
}

__global__ void member(const float *__restrict__ a, float *__restrict__ out,
                     int n) {
  float s = 0;
  for (int i = threadIdx.x; i < n; i += 64) {
    s += a[i] * a[i + 1];
    HoldsReference holder{i};
    holder.x += s > 4;
  }
  out[threadIdx.x] = s;
}

__global__ void assembler(const float *__restrict__ a, float *__restrict__ out,
                     int n) {
  float s = 0;
  for (int i = threadIdx.x; i < n; i += 64) {
    s += a[i] * a[i + 1];
    asm("add.s32 %0, %0, %1;" : "+r"(i) : "r"(s > 4));
  }
  out[threadIdx.x] = s;
}

__global__ void returned(const float *__restrict__ a, float *__restrict__ out,
                     int n) {
  float s = 0;
  for (int i = threadIdx.x; i < n; i += 64) {
    s += a[i] * a[i + 1];
    choose(i) += s > 4;
  }
  out[threadIdx.x] = s;
}

__global__ void constAlias(const float *__restrict__ a, float *__restrict__ out,
                     int n) {
  float s = 0;
  for (int i = threadIdx.x; i < n; i += 64) {
    s += a[i] * a[i + 1];
    const int &r = i;
    const_cast<int &>(r) += s > 4;
  }
  out[threadIdx.x] = s;
}

__global__ void pointer(const float *__restrict__ a, float *__restrict__ out,
                     int n) {
  float s = 0;
  for (int i = threadIdx.x; i < n; i += 64) {
    s += a[i] * a[i + 1];
    int *p = &i;
    *p += s > 4;
  }
  out[threadIdx.x] = s;
}

__global__ void stepAliased(const float *__restrict__ a, float *__restrict__ out,
                     int n) {
  float s = 0;
  for (int i = threadIdx.x; i < n; i += 64) {
    s += a[i] * a[i + 1];
    int &r = (i += 0);
    r += s > 4;
  }
  out[threadIdx.x] = s;
}

__global__ void startAliased(const float *__restrict__ a, float *__restrict__ out,
                     int n) {
  float s = 0;
  int start = threadIdx.x;
  int &r = start;
  r += n & 7;
  for (int i = start; i < n; i += 64) {
    s += a[i] * a[i + 1];
  }
  out[threadIdx.x] = s;
}

__global__ void startChosen(const float *__restrict__ a, float *__restrict__ out,
                     int n) {
  float s = 0;
  int start = threadIdx.x, other = 0;
  (n & 1 ? start : other) += 5;
  for (int i = start; i < n; i += 64) {
    s += a[i] * a[i + 1];
  }
  out[threadIdx.x] = s;
}

__global__ void startCast(const float *__restrict__ a, float *__restrict__ out,
                     int n) {
  float s = 0;
  int start = threadIdx.x;
  reinterpret_cast<unsigned &>(start) += 5;
  for (int i = start; i < n; i += 64) {
    s += a[i] * a[i + 1];
  }
  out[threadIdx.x] = s;
}

__global__ void startByAssembly(const float *__restrict__ a, float *__restrict__ out,
                     int n) {
  float s = 0;
  int start = threadIdx.x;
  asm("add.s32 %0, %0, 3;" : "+r"(start));
  for (int i = start; i < n; i += 64) {
    s += a[i] * a[i + 1];
  }
  out[threadIdx.x] = s;
}

__global__ void startMember(const float *__restrict__ a, float *__restrict__ out,
                     int n) {
  float s = 0;
  int start = threadIdx.x;
  HoldsReference holder{start};
  holder.x = n - start;
  for (int i = start; i < n; i += 64) {
    s += a[i] * a[i + 1];
  }
  out[threadIdx.x] = s;
}

__global__ void startLambda(const float *__restrict__ a, float *__restrict__ out,
                     int n) {
  float s = 0;
  int start = threadIdx.x;
  [&] { start += 3; }();
  for (int i = start; i < n; i += 64) {
    s += a[i] * a[i + 1];
  }
  out[threadIdx.x] = s;
}

__global__ void startConst(const float *__restrict__ a, float *__restrict__ out,
                     int n) {
  float s = 0;
  const int start = threadIdx.x;
  const_cast<int &>(start) += 3;
  for (int i = start; i < n; i += 64) {
    s += a[i] * a[i + 1];
  }
  out[threadIdx.x] = s;
}

__global__ void boundAliased(const float *__restrict__ a, float *__restrict__ out,
                     int n) {
  float s = 0;
  int bound = n;
  int &r = bound;
  for (int i = threadIdx.x; i < bound; i += 64) {
    s += a[i] * a[i + 1];
    r -= s > 4;
  }
  out[threadIdx.x] = s;
}

__global__ void boundChosen(const float *__restrict__ a, float *__restrict__ out,
                     int n) {
  float s = 0;
  int bound = n, other = 0;
  for (int i = threadIdx.x; i < bound; i += 64) {
    s += a[i] * a[i + 1];
    (n & 1 ? bound : other) -= s > 4;
  }
  out[threadIdx.x] = s;
}

__global__ void boundCast(const float *__restrict__ a, float *__restrict__ out,
                     int n) {
  float s = 0;
  int bound = n;
  for (int i = threadIdx.x; i < bound; i += 64) {
    s += a[i] * a[i + 1];
    reinterpret_cast<unsigned &>(bound) -= s > 4;
  }
  out[threadIdx.x] = s;
}

__global__ void stepAlias(const float *__restrict__ a, float *__restrict__ out,
                     int n) {
  float s = 0;
  int stride = 64;
  int &r = stride;
  for (int i = threadIdx.x; i < n; i += stride) {
    s += a[i] * a[i + 1];
    r += s > 4;
  }
  out[threadIdx.x] = s;
}

__global__ void stepCast(const float *__restrict__ a, float *__restrict__ out,
                     int n) {
  float s = 0;
  int stride = 64;
  for (int i = threadIdx.x; i < n; i += stride) {
    s += a[i] * a[i + 1];
    (unsigned &)stride += s > 4;
  }
  out[threadIdx.x] = s;
}
