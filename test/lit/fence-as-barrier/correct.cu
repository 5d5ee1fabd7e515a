// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fences that are used for what they do: each of these kernels either has a
// thread wait for the other, or no two blocks touch the same place. The
// near-misses are in wrong.cu.
//
// RUN: %barricade --rules=fence-as-barrier --explain %s -- nvcc -std=c++17 -arch=sm_80 2>&1 \
// RUN:   | FileCheck --implicit-check-not=warning: %s
// CHECK: {{^}}0 findings in 1 file
// REQUIRES: nvcc

#include <cooperative_groups.h>
#include <cuda/atomic>

namespace cg = cooperative_groups;

__device__ unsigned arrived, ticket;
__device__ volatile int ready;

// 1. Data is published, then a flag; whoever sees the flag fences and reads.
__global__ void publishThenFlag(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (blockIdx.x == 0) {
    data[i] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
      ready = 1;
  } else {
    while (ready == 0)
      ;
    __threadfence();
    data[i] = data[threadIdx.x];
  }
}

// 2. The last block to finish reads the others' results (CUDA C++ Programming
// Guide, "Memory Fence Functions").
__global__ void lastBlockSum(const float *in, volatile float *partial,
                             float *total) {
  __shared__ bool isLast;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    unsigned value = atomicInc(&arrived, gridDim.x);
    isLast = value == gridDim.x - 1;
  }
  __syncthreads();
  if (isLast) {
    float sum = 0;
    for (unsigned k = threadIdx.x; k < gridDim.x; k += blockDim.x)
      sum += partial[k];
    total[threadIdx.x] = sum;
  }
}

// 3. The same without volatile, thread 0 does it all.
__global__ void lastThreadSum(const float *in, float *partial, float *total) {
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
      __threadfence();
      float sum = 0;
      for (unsigned k = 0; k < gridDim.x; ++k)
        sum += partial[k];
      *total = sum;
    }
  }
}

// 4. The ticket through a shuffle.
__global__ void ticketByShuffle(float *partial, float *total) {
  unsigned lane = threadIdx.x % 32, value = 0;
  if (lane == 0) {
    partial[blockIdx.x] = 2;
    __threadfence();
    value = atomicAdd(&arrived, 1);
  }
  value = __shfl_sync(~0u, value, 0);
  if (value == gridDim.x - 1)
    total[lane] = partial[lane];
}

// 5. Blocks take numbers in the order in which they start.
__global__ void dynamicBlock(float *a, int n) {
  __shared__ unsigned block;
  if (threadIdx.x == 0)
    block = atomicAdd(&ticket, 1);
  __syncthreads();
  unsigned i = block * blockDim.x + threadIdx.x;
  a[i] = 1;
  __threadfence();
  a[i] += i;
}

// 6. Two buffers, exchanged between launches.
__global__ void doubleBuffered(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = from[i - 1] + from[i + 1];
  __threadfence();
  if (i > 0 && i < n - 1)
    to[i] *= from[i + 1];
}

// 7. Neighbours signal each other by volatile flags.
__global__ void volatileHandshake(float *edge, volatile int *flags) {
  if (threadIdx.x == 0) {
    edge[blockIdx.x] = blockIdx.x;
    __threadfence();
    flags[blockIdx.x] = 1;
    if (blockIdx.x > 0) {
      while (flags[blockIdx.x - 1] == 0)
        ;
      __threadfence();
      edge[blockIdx.x + gridDim.x] = edge[blockIdx.x - 1];
    }
  }
}

// 8. The same by atomics.
__global__ void atomicHandshake(float *edge, int *flags) {
  if (threadIdx.x == 0) {
    edge[blockIdx.x] = blockIdx.x;
    __threadfence();
    atomicExch(&flags[blockIdx.x], 1);
    unsigned next = (blockIdx.x + 1) % gridDim.x;
    do {
    } while (atomicAdd(&flags[next], 0) == 0);
    __threadfence();
    edge[blockIdx.x + gridDim.x] = edge[next];
  }
}

// 9. A fence before an atomic that counts; nobody reads here.
__global__ void fenceThenCount(float *out, unsigned *done) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  __threadfence();
  atomicAdd(done, 1);
}

// 10. Each thread reads what it wrote.
__global__ void sameThread(float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    a[i] = i;
    __threadfence();
    b[i] = a[i];
  }
}

// 11. What is read is another array than what is written.
__global__ void otherArray(const float *__restrict__ a, float *__restrict__ b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = a[i];
  __threadfence();
  b[i] += a[i + 1];
}

// 12. Nobody writes what is read.
__global__ void readOnly(const float *a, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = a[i];
  __threadfence();
  out[i] = x + a[i + 1];
}

// 13. A grid barrier stands between.
__global__ void gridSync(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence();
  cg::this_grid().sync();
  b[i] = a[i + 1];
}

// 14. ... in a loop, on both sides.
__global__ void gridSyncLoop(float *a, float *b, int steps) {
  cg::grid_group grid = cg::this_grid();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int s = 0; s < steps; ++s) {
    b[i] = a[i + 1];
    __threadfence();
    grid.sync();
    a[i] = b[i];
    __threadfence();
    grid.sync();
  }
}

// 15. A barrier by hand: one thread of each block waits for all blocks, the
// others wait for it.
__device__ void __gpu_sync(int goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1);
    while (*(volatile unsigned *)&arrived < goal)
      ;
  }
  __syncthreads();
}
__global__ void ownGridBarrier(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence();
  __gpu_sync(gridDim.x);
  b[i] = a[i + 1];
}

// 16. Lock-free, an array of flags; block 0 collects them.
__global__ void lockFreeBarrier(float *a, float *b, volatile int *in,
                                volatile int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    in[blockIdx.x] = 1;
  if (blockIdx.x == 0) {
    if (threadIdx.x < gridDim.x)
      while (in[threadIdx.x] != 1)
        ;
    __syncthreads();
    if (threadIdx.x < gridDim.x)
      out[threadIdx.x] = 1;
  }
  if (threadIdx.x == 0)
    while (out[blockIdx.x] != 1)
      ;
  __syncthreads();
  b[i] = a[i + 1];
}

// 17. Decoupled look-back: blocks walk back over their predecessors' states.
struct State {
  int flag;
  float value;
};
__global__ void lookBack(const float *in, float *out, volatile int *flag,
                         float *aggregate, float *prefix) {
  __shared__ float before;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    aggregate[blockIdx.x] = in[i];
    __threadfence();
    flag[blockIdx.x] = 1;
    float sum = 0;
    for (int b = int(blockIdx.x) - 1; b >= 0; --b) {
      int state;
      while ((state = flag[b]) == 0)
        ;
      __threadfence();
      sum += state == 2 ? prefix[b] : aggregate[b];
      if (state == 2)
        break;
    }
    prefix[blockIdx.x] = sum + in[i];
    __threadfence();
    flag[blockIdx.x] = 2;
    before = sum;
  }
  __syncthreads();
  out[i] = in[i] + before;
}

// 18. A lock; fences keep the section in.
__global__ void critical(int *lock, float *sum) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0)
      ;
    __threadfence();
    sum[0] += blockIdx.x;
    __threadfence();
    atomicExch(lock, 0);
  }
}

// 19. The protocol in device functions.
template <typename T> __device__ void publish(T *slot, T value, int *flag) {
  *slot = value;
  __threadfence();
  atomicExch(flag, 1);
}
template <typename T> __device__ T collect(const T *slot, int *flag) {
  while (atomicAdd(flag, 0) == 0)
    ;
  __threadfence();
  return *slot;
}
template <typename T> __global__ void chain(T *slots, int *flags) {
  if (threadIdx.x != 0)
    return;
  publish(&slots[blockIdx.x], T(blockIdx.x), &flags[blockIdx.x]);
  if (blockIdx.x > 0)
    slots[blockIdx.x + gridDim.x] =
        collect(&slots[blockIdx.x - 1], &flags[blockIdx.x - 1]);
}
template __global__ void chain<float>(float *, int *);
template __global__ void chain<double>(double *, int *);

// 20. A macro for the wait.
#define WAIT_FOR(flag)                                                         \
  do {                                                                         \
    while (*(volatile int *)(flag) == 0)                                       \
      ;                                                                        \
    __threadfence();                                                           \
  } while (0)
__global__ void macroWait(float *a, int *flags) {
  int i = blockIdx.x;
  if (threadIdx.x == 0) {
    a[i] = i;
    __threadfence();
    flags[i] = 1;
    WAIT_FOR(&flags[(i + 1) % gridDim.x]);
    a[i] += a[(i + 1) % gridDim.x];
  }
}

// 21. Neighbours within the block only.
__global__ void blockNeighbours(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence();
  __syncthreads();
  if (threadIdx.x > 0)
    b[i] = a[i - 1];
  b[i] += threadIdx.x + 1 < blockDim.x ? a[i + 1] : 0;
}

// 22. A permutation within the block.
__global__ void blockReverse(float *a, float *b) {
  int first = blockIdx.x * blockDim.x;
  a[first + threadIdx.x] = threadIdx.x;
  __threadfence();
  __syncthreads();
  b[first + threadIdx.x] = a[first + blockDim.x - 1 - threadIdx.x];
}

// 23. Each block has a row, of any length.
__global__ void rowPerBlock(float *a, float *b, int columns) {
  float *row = a + blockIdx.x * columns;
  for (int k = threadIdx.x; k < columns; k += blockDim.x)
    row[k] = k;
  __threadfence();
  __syncthreads();
  for (int k = threadIdx.x; k < columns - 1; k += blockDim.x)
    b[blockIdx.x * columns + k] = row[k + 1];
}

// 24. Grid-stride loops that give a thread the same elements twice.
__global__ void gridStride(float *a, float *b, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    a[i] = i;
  __threadfence();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    b[i] = a[i];
}

// 25. Two halves of one array.
__global__ void halves(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    a[i] = i;
    __threadfence();
    a[i + n] = 2 * i;
  }
}

// 26. Halves that change places.
__global__ void parity(float *a, int n, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float *from = a + (step & 1) * n, *to = a + ((step + 1) & 1) * n;
  if (i < n - 1) {
    to[i] = i;
    __threadfence();
    to[i] += from[i + 1];
  }
}

// 27. Acquire and release of libcu++.
__global__ void acquireRelease(float *a, int *flags) {
  if (threadIdx.x != 0)
    return;
  unsigned next = (blockIdx.x + 1) % gridDim.x;
  cuda::atomic_ref<int, cuda::thread_scope_device> mine(flags[blockIdx.x]);
  cuda::atomic_ref<int, cuda::thread_scope_device> its(flags[next]);
  a[blockIdx.x] = 1;
  cuda::atomic_thread_fence(cuda::memory_order_release,
                            cuda::thread_scope_device);
  mine.store(1, cuda::memory_order_relaxed);
  while (its.load(cuda::memory_order_relaxed) == 0)
    ;
  cuda::atomic_thread_fence(cuda::memory_order_acquire,
                            cuda::thread_scope_device);
  a[blockIdx.x + gridDim.x] = a[next];
}

// 28. The wait is in assembly.
__global__ void assemblyWait(float *a, int *flags) {
  if (threadIdx.x != 0)
    return;
  a[blockIdx.x] = 1;
  asm volatile("membar.gl;" ::: "memory");
  flags[blockIdx.x] = 1;
  int seen = 0;
  while (seen == 0)
    asm volatile("ld.acquire.gpu.b32 %0, [%1];"
                 : "=r"(seen)
                 : "l"(&flags[(blockIdx.x + 1) % gridDim.x])
                 : "memory");
  a[blockIdx.x + gridDim.x] = a[(blockIdx.x + 1) % gridDim.x];
}

// 29. One block, by its launches.
__global__ void oneBlock(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence();
  __syncthreads();
  b[i] = a[i + 1];
}
void launchOneBlock(float *a, float *b) { oneBlock<<<1, 256>>>(a, b); }

// 30. One block, as the kernel does not ask for others.
__global__ void noBlockIndex(float *a, float *b) {
  a[threadIdx.x] = threadIdx.x;
  __threadfence();
  __syncthreads();
  b[threadIdx.x] = a[threadIdx.x ^ 1];
}

// 31. One block in x for each row, by the launches.
__global__ void oneBlockPerRow(float *a, float *b, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[blockIdx.y * columns + i] = i;
  __threadfence();
  __syncthreads();
  if (i + 1 < columns)
    b[blockIdx.y * columns + i] = a[blockIdx.y * columns + i + 1];
}
void launchRows(float *a, float *b, int columns, int rows) {
  oneBlockPerRow<<<dim3(1, rows), columns>>>(a, b, columns);
}

// 32. A fence for the block alone.
__global__ void blockFence(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence_block();
  b[i] = a[i];
}

// 33. Every block writes the same table, and reads what it wrote.
__global__ void sameTable(float *table, float *out) {
  table[threadIdx.x] = threadIdx.x;
  __threadfence();
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      table[(threadIdx.x + 1) % blockDim.x];
}

// 34. Other fields of the same records.
struct Pair {
  float x, y;
};
__global__ void fields(Pair *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i].x = i;
  __threadfence();
  a[i].x += a[i + 1].y;
}

// 35. One block does it all.
__global__ void firstBlockOnly(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x == 0)
    a[i] = i;
  __threadfence();
  __syncthreads();
  if (blockIdx.x == 0)
    b[i] = a[blockDim.x - 1 - threadIdx.x];
}

// 36. A lane waits for its warp.
__global__ void warpWaits(float *a, float *b, volatile int *flags) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    flags[blockIdx.x] = 1;
  if (threadIdx.x % 32 == 0)
    while (flags[(blockIdx.x + 1) % gridDim.x] == 0)
      ;
  __syncwarp();
  b[i] = a[(i + blockDim.x) % (gridDim.x * blockDim.x)];
}

// 37. A tile of constant size for each block, as its threads are.
constexpr int Tile = 128;
__global__ void tiles(float *a, float *b) {
  a[blockIdx.x * Tile + threadIdx.x] = threadIdx.x;
  __threadfence();
  __syncthreads();
  b[blockIdx.x * Tile + threadIdx.x] =
      a[blockIdx.x * Tile + (threadIdx.x + 1) % Tile];
}

// 38. One result for each warp.
__global__ void perWarp(float *sums, float *out) {
  int warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (threadIdx.x % 32 == 0)
    sums[warp] = warp;
  __threadfence();
  __syncwarp();
  out[blockIdx.x * blockDim.x + threadIdx.x] = sums[warp];
}

// 39. The result of the last block again, with a polling loop that leaves by
// break.
__global__ void pollWithBreak(float *a, float *b, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(count, 1);
    for (;;) {
      int now = atomicAdd(count, 0);
      if (now >= int(gridDim.x))
        break;
    }
  }
  __syncthreads();
  b[i] = a[i + 1];
}

// 40. Plain loads that are fenced in a loop, until they change.
__global__ void fencedPolling(float *a, float *b, int *flags) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    flags[blockIdx.x] = 1;
  while (flags[(blockIdx.x + 1) % gridDim.x] == 0)
    __threadfence();
  b[i] = a[(i + blockDim.x) % (gridDim.x * blockDim.x)];
}

// 41. One block, by variables that nothing changes.
__global__ void oneBlockByVariables(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence();
  __syncthreads();
  b[i] = a[i + 1];
}
void launchByVariables(float *a, float *b, int threads) {
  dim3 grid(1, 1, 1), block(threads);
  int blocks = 1;
  oneBlockByVariables<<<grid, block>>>(a, b);
  oneBlockByVariables<<<blocks, block.x>>>(b, a);
}

// 42. A lock that is tried, not waited for.
__global__ void tryLock(int *lock, float *sum, float *mine) {
  if (threadIdx.x != 0)
    return;
  if (atomicCAS(lock, 0, 1) == 0) {
    __threadfence();
    sum[0] += blockIdx.x;
    __threadfence();
    atomicExch(lock, 0);
  } else {
    mine[blockIdx.x] = blockIdx.x;
  }
}

// 43. Blocks of two roles; the flag is looked at, not waited for.
__global__ void ifReady(float *a, float *b, volatile int *flag) {
  int i = threadIdx.x;
  if (blockIdx.x == 0) {
    a[i] = i;
    __threadfence();
    __syncthreads();
    if (i == 0)
      *flag = 1;
  } else if (*flag) {
    __threadfence();
    b[blockIdx.x * blockDim.x + i] = a[i];
  }
}

// 44. What a kernel does first or then is the host's choice for each launch.
__global__ void phases(float *a, float *b, bool first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (first)
    a[i] = i;
  __threadfence();
  if (!first)
    b[i] = a[i + 1];
}

// 45. The grid barrier by its free function.
__global__ void freeGridSync(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  __threadfence();
  cg::sync(cg::this_grid());
  b[i] = a[i + 1];
}

//===--- Barriers that run without a call ---------------------------------===//

__device__ volatile unsigned came;
__device__ int arrive() {
  atomicAdd((unsigned *)&came, 1);
  while (came < gridDim.x * blockDim.x)
    ;
  return 1;
}
struct Ends {
  int x;
  __device__ ~Ends() { arrive(); }
};
struct Begins {
  int x;
  __device__ Begins() { arrive(); }
};
struct OfMember {
  int y;
  int x = arrive();
};
__global__ void object(int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  {
    Ends ends;
  }
  __threadfence();
  b[i] = a[i + 1];
}
__global__ void temporary(int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  Ends();
  __threadfence();
  b[i] = a[i + 1];
}
__global__ void begins(int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  Begins();
  __threadfence();
  b[i] = a[i + 1];
}
__global__ void member(int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  OfMember made{2};
  __threadfence();
  b[i] = a[i + 1];
}
__global__ void filler(int *a, int *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  Begins all[2] = {};
  __threadfence();
  b[i] = a[i + 1];
}
