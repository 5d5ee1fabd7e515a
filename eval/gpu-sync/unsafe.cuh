// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The grid barriers as Xiao and Feng published them, without fences and with
// one __threadfence() per thread (Feng and Xiao, "To GPU Synchronize or Not GPU
// Synchronize?"), and the parts of the lock-based one whose times are
// subtracted from each other there. None is legal in the PTX memory model:
//   - the first thread arrives before the others of its block have finished,
//     as no __syncthreads() stands before the arrival;
//   - without fences nothing orders data between blocks, and the reader's L1
//     may keep lines from before the barrier;
//   - with a fence per thread the arrival still does not cover the other
//     threads' writes, since a release pattern belongs to one thread.
// They exist to be measured and to be caught; no program may use them.
//
// Two changes keep them from hanging or failing for other reasons: the goal is
// compared as "not yet reached", where the papers wait for equality, which a
// fast block can overtake; and counters wrap.

#ifndef BARRICADE_EVAL_GPU_SYNC_UNSAFE_CUH
#define BARRICADE_EVAL_GPU_SYNC_UNSAFE_CUH

#include "runtime/barricade/gpu_sync.cuh"

namespace unsafe {

using barricade::detail::blockRank;
using barricade::detail::blockThreads;
using barricade::detail::gridBlocks;
using barricade::detail::isLeader;
using barricade::detail::threadRank;

__device__ inline bool reached(unsigned Value, unsigned Goal) {
  return static_cast<int>(Value - Goal) >= 0;
}

__device__ inline void waitFor(const unsigned *P, unsigned Goal) {
  while (!reached(*static_cast<const volatile unsigned *>(P), Goal))
    ;
}

/// Barriers that count their goal in the kernel, as the papers do.
struct Barrier {
  unsigned *State;
  unsigned Goal = 0;
  __host__ __device__ explicit Barrier(void *State)
      : State(static_cast<unsigned *>(State)) {}
};

/// No barrier: launch and computation alone.
struct None : Barrier {
  using Barrier::Barrier;
};
__device__ inline void __gpu_sync(None &) { asm volatile("" ::: "memory"); }

/// The arrival of the lock-based barrier alone.
struct AtomicOnly : Barrier {
  using Barrier::Barrier;
};
__device__ inline void __gpu_sync(AtomicOnly &B) {
  if (isLeader())
    atomicAdd(B.State, 1u);
}

/// The arrival and the block's barrier.
struct AtomicAndBlock : Barrier {
  using Barrier::Barrier;
};
__device__ inline void __gpu_sync(AtomicAndBlock &B) {
  if (isLeader())
    atomicAdd(B.State, 1u);
  __syncthreads();
}

/// System 10 as published; Fence puts __threadfence() in each thread before it.
template <bool Fence> struct Lock : Barrier {
  using Barrier::Barrier;
};
template <bool Fence> __device__ inline void __gpu_sync(Lock<Fence> &B) {
  B.Goal += gridBlocks();
  if (Fence)
    __threadfence();
  if (isLeader()) {
    atomicAdd(B.State, 1u);
    waitFor(B.State, B.Goal);
  }
  __syncthreads();
}

/// System 11 as published, likewise. Block 0 serves.
template <bool Fence> struct LockFree : Barrier {
  using Barrier::Barrier;
};
template <bool Fence> __device__ inline void __gpu_sync(LockFree<Fence> &B) {
  const unsigned N = gridBlocks();
  volatile unsigned *In = B.State;
  volatile unsigned *Out = B.State + N;
  ++B.Goal;
  if (Fence)
    __threadfence();
  if (isLeader())
    In[blockRank()] = B.Goal;
  if (blockRank() == 0) {
    for (unsigned I = threadRank(); I < N; I += blockThreads())
      waitFor(B.State + I, B.Goal);
    __syncthreads();
    for (unsigned I = threadRank(); I < N; I += blockThreads())
      Out[I] = B.Goal;
  }
  if (isLeader())
    waitFor(B.State + N + blockRank(), B.Goal);
  __syncthreads();
}

} // namespace unsafe

#endif
