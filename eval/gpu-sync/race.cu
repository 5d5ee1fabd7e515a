// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The race among designs of a grid barrier from which gpu_sync.cuh took its
// automatic strategy. Each design is a struct whose sync() is a barrier legal
// in the PTX memory model; the table gives microseconds per barrier, with one
// store per thread before it, for each shape of the grid. A design is first
// run once with neighbour reads, so that one that passes stale data is shown
// as wrong, not as fast. The two floors are no barriers and are shown as such:
// a fence with the stores in flight, and the signal without any fence.
//
//   race [ITERATIONS [REPETITIONS]]
//
// CSV on stdout: design,blocks,threads,median_us,min_us,stale

#include "eval/gpu-sync/harness.cuh"

using namespace harness;

namespace {

constexpr unsigned Flip = 0x80000000u;
constexpr unsigned Line = 32; // words of a 128-byte line
constexpr size_t StateWords = 1 << 18;

// --- the words of PTX the designs are made of ------------------------------

__device__ unsigned ldRelaxed(const unsigned *P) {
  unsigned V;
  asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(V) : "l"(P) : "memory");
  return V;
}
__device__ unsigned ldAcquire(const unsigned *P) {
  unsigned V;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(V) : "l"(P) : "memory");
  return V;
}
__device__ uint4 ldRelaxed4(const unsigned *P) {
  uint4 V;
  asm volatile("ld.relaxed.gpu.v4.u32 {%0,%1,%2,%3}, [%4];"
               : "=r"(V.x), "=r"(V.y), "=r"(V.z), "=r"(V.w)
               : "l"(P)
               : "memory");
  return V;
}
__device__ ushort4 ldRelaxed4(const unsigned short *P) {
  ushort4 V;
  asm volatile("ld.relaxed.gpu.v4.u16 {%0,%1,%2,%3}, [%4];"
               : "=h"(V.x), "=h"(V.y), "=h"(V.z), "=h"(V.w)
               : "l"(P)
               : "memory");
  return V;
}
__device__ void stRelease(unsigned *P, unsigned V) {
  asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(P), "r"(V) : "memory");
}
__device__ void stRelease(unsigned short *P, unsigned short V) {
  asm volatile("st.release.gpu.u16 [%0], %1;" ::"l"(P), "h"(V) : "memory");
}
__device__ void redRelease(unsigned *P, unsigned V) {
  asm volatile("red.release.gpu.add.u32 [%0], %1;" ::"l"(P), "r"(V) : "memory");
}
__device__ void redRelaxed(unsigned *P, unsigned V) {
  asm volatile("red.relaxed.gpu.add.u32 [%0], %1;" ::"l"(P), "r"(V) : "memory");
}
__device__ unsigned atomRelease(unsigned *P, unsigned V) {
  unsigned O;
  asm volatile("atom.release.gpu.add.u32 %0, [%1], %2;"
               : "=r"(O)
               : "l"(P), "r"(V)
               : "memory");
  return O;
}
__device__ unsigned atomAcqRel(unsigned *P, unsigned V) {
  unsigned O;
  asm volatile("atom.acq_rel.gpu.add.u32 %0, [%1], %2;"
               : "=r"(O)
               : "l"(P), "r"(V)
               : "memory");
  return O;
}
__device__ void fenceAcqRel() {
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
}
__device__ void fenceAcquire() {
  asm volatile("fence.acquire.gpu;" ::: "memory");
}

__device__ bool flipped(unsigned A, unsigned B) {
  return ((A ^ B) & Flip) != 0;
}
__device__ bool leader() { return threadIdx.x == 0; }
/// What block Rank of N adds so that N arrivals add exactly 2^31.
__device__ unsigned share(unsigned Rank, unsigned N) {
  return Rank == 0 ? Flip - (N - 1) : 1;
}
__device__ void spinCycles(unsigned Cycles) {
  const unsigned Start = clock();
  while (unsigned(clock()) - Start < Cycles)
    ;
}

// --- the designs -----------------------------------------------------------

/// What gpu_sync.cuh has.
template <barricade::SyncStrategy S> struct Header {
  static constexpr const char *Name =
      S == barricade::SyncStrategy::Automatic  ? "gpu_sync.cuh: automatic"
      : S == barricade::SyncStrategy::Lock     ? "gpu_sync.cuh: lock"
      : S == barricade::SyncStrategy::LockFree ? "gpu_sync.cuh: lock_free"
                                               : "gpu_sync.cuh: cooperative";
  static constexpr unsigned Cluster = 1;
  unsigned *State;
  __device__ void init(unsigned *P) { State = P; }
  __device__ void sync() { __gpu_sync(barricade::BasicGridBarrier<S>(State)); }
};
using Automatic = Header<barricade::SyncStrategy::Automatic>;
using Lock = Header<barricade::SyncStrategy::Lock>;
using LockFree = Header<barricade::SyncStrategy::LockFree>;
using Cooperative = Header<barricade::SyncStrategy::Cooperative>;

/// One counter; Arrive and Wait differ.
struct OneCounter {
  static constexpr unsigned Cluster = 1;
  unsigned *S;
  unsigned Phase = 0; // for designs that do not look at their atomic's result
  __device__ void init(unsigned *State) { S = State; }
};

struct RedAcquire : OneCounter {
  static constexpr const char *Name = "red.release, acquire polls";
  __device__ void sync() {
    __syncthreads();
    if (leader()) {
      redRelease(S, share(blockIdx.x, gridDim.x));
      while (!flipped(ldAcquire(S), Phase))
        ;
      Phase ^= Flip;
    }
    __syncthreads();
  }
};

struct AtomAcquire : OneCounter {
  static constexpr const char *Name = "atom.acq_rel checked, acquire polls";
  __device__ void sync() {
    __syncthreads();
    if (leader()) {
      const unsigned Add = share(blockIdx.x, gridDim.x);
      const unsigned Old = atomAcqRel(S, Add);
      if (!flipped(Old + Add, Old))
        while (!flipped(ldAcquire(S), Old))
          ;
    }
    __syncthreads();
  }
};

struct RedRelaxedFence : OneCounter {
  static constexpr const char *Name =
      "red.release, relaxed polls, fence.acquire";
  __device__ void sync() {
    __syncthreads();
    if (leader()) {
      redRelease(S, share(blockIdx.x, gridDim.x));
      while (!flipped(ldRelaxed(S), Phase))
        ;
      fenceAcquire();
      Phase ^= Flip;
    }
    __syncthreads();
  }
};

struct RedRelaxedLoad : OneCounter {
  static constexpr const char *Name =
      "red.release, relaxed polls, one ld.acquire";
  __device__ void sync() {
    __syncthreads();
    if (leader()) {
      redRelease(S, share(blockIdx.x, gridDim.x));
      while (!flipped(ldRelaxed(S), Phase))
        ;
      (void)ldAcquire(S);
      Phase ^= Flip;
    }
    __syncthreads();
  }
};

struct AtomRelaxedLoad : OneCounter {
  static constexpr const char *Name =
      "atom.acq_rel checked, relaxed polls, one ld.acquire";
  __device__ void sync() {
    __syncthreads();
    if (leader()) {
      const unsigned Add = share(blockIdx.x, gridDim.x);
      const unsigned Old = atomAcqRel(S, Add);
      if (!flipped(Old + Add, Old)) {
        while (!flipped(ldRelaxed(S), Old))
          ;
        (void)ldAcquire(S);
      }
    }
    __syncthreads();
  }
};

struct AtomRelaxedFence : OneCounter {
  static constexpr const char *Name =
      "atom.release, relaxed polls, fence.acquire";
  __device__ void sync() {
    __syncthreads();
    if (leader()) {
      const unsigned Add = share(blockIdx.x, gridDim.x);
      const unsigned Old = atomRelease(S, Add);
      if (!flipped(Old + Add, Old))
        while (!flipped(ldRelaxed(S), Old))
          ;
      fenceAcquire();
    }
    __syncthreads();
  }
};

/// P polls in flight, Gap cycles apart, so that the flip is seen sooner.
template <int P, int Gap> struct Pipelined : OneCounter {
  static constexpr const char *Name =
      P == 2 ? "red.release, 2 relaxed polls in flight, fence.acquire"
             : "red.release, 4 relaxed polls in flight, fence.acquire";
  __device__ void sync() {
    __syncthreads();
    if (leader()) {
      redRelease(S, share(blockIdx.x, gridDim.x));
      waitFlip();
      fenceAcquire();
      Phase ^= Flip;
    }
    __syncthreads();
  }
  __device__ void waitFlip() const {
    unsigned V[P];
#pragma unroll
    for (int I = 0; I < P; ++I) {
      V[I] = ldRelaxed(S);
      if (I + 1 < P)
        spinCycles(Gap);
    }
    for (;;) {
#pragma unroll
      for (int I = 0; I < P; ++I) {
        if (flipped(V[I], Phase))
          return;
        V[I] = ldRelaxed(S);
      }
    }
  }
};

/// Warps other than the leader's arrive at the block barrier and go on to the
/// second one at once.
struct BarArrive : OneCounter {
  static constexpr const char *Name =
      "bar.arrive by followers, atom.acq_rel checked, acquire polls";
  __device__ void sync() {
    const unsigned Count = (blockDim.x + 31) & ~31u;
    if (threadIdx.x >= 32) {
      asm volatile("bar.arrive 1, %0;" ::"r"(Count) : "memory");
    } else {
      asm volatile("bar.sync 1, %0;" ::"r"(Count) : "memory");
      if (leader()) {
        const unsigned Add = share(blockIdx.x, gridDim.x);
        const unsigned Old = atomAcqRel(S, Add);
        if (!flipped(Old + Add, Old))
          while (!flipped(ldAcquire(S), Old))
            ;
      }
      __syncwarp();
    }
    __syncthreads();
  }
};

/// The last warp to reach the barrier arrives for the block, found by a
/// counter in shared memory instead of a block barrier.
struct LastWarp : OneCounter {
  static constexpr const char *Name =
      "last warp arrives (shared counter), atom.acq_rel, acquire polls";
  __device__ void init(unsigned *State) {
    S = State;
    counter() = 0;
    __syncthreads();
  }
  __device__ static unsigned &counter() {
    __shared__ unsigned Arrived;
    return Arrived;
  }
  __device__ void sync() {
    __syncwarp();
    if (threadIdx.x % 32 == 0) {
      const unsigned Warps = (blockDim.x + 31) / 32;
      unsigned N;
      asm volatile("atom.acq_rel.cta.shared.inc.u32 %0, [%1], %2;"
                   : "=r"(N)
                   : "r"(unsigned(__cvta_generic_to_shared(&counter()))),
                     "r"(Warps - 1)
                   : "memory");
      if (N == Warps - 1) {
        const unsigned Add = share(blockIdx.x, gridDim.x);
        const unsigned Old = atomAcqRel(S, Add);
        if (!flipped(Old + Add, Old))
          while (!flipped(ldAcquire(S), Old))
            ;
      }
    }
    __syncthreads();
  }
};

/// K counters on lines of their own; one lane polls each, at once.
template <int K> struct Split : OneCounter {
  static constexpr const char *Name =
      K == 2 ? "2 counters, red.release, relaxed polls, fence.acquire"
             : "4 counters, red.release, relaxed polls, fence.acquire";
  __device__ void sync() {
    __syncthreads();
    if (threadIdx.x < 32) {
      const unsigned Mine = blockIdx.x % K;
      const unsigned Members = (gridDim.x - Mine + K - 1) / K;
      if (leader())
        redRelease(S + Mine * Line, share(blockIdx.x / K, Members));
      if (threadIdx.x < K && threadIdx.x < gridDim.x) {
        while (!flipped(ldRelaxed(S + threadIdx.x * Line), Phase))
          ;
        fenceAcquire();
      }
      Phase ^= Flip;
    }
    __syncthreads();
  }
};

/// K copies of the counter: every block adds to all, polls one.
template <int K> struct Copies : OneCounter {
  static constexpr const char *Name =
      K == 2
          ? "2 copies of the counter, red.release, relaxed polls, fence.acquire"
          : "4 copies of the counter, red.release, relaxed polls, "
            "fence.acquire";
  __device__ void sync() {
    __syncthreads();
    if (threadIdx.x < K) {
      redRelease(S + threadIdx.x * Line, share(blockIdx.x, gridDim.x));
      if (leader()) {
        while (!flipped(ldRelaxed(S + blockIdx.x % K * Line), Phase))
          ;
        fenceAcquire();
      }
      Phase ^= Flip;
    }
    __syncthreads();
  }
};

/// Every block has a flag, every block reads all flags: no atomics, one hop.
struct Flags32 : OneCounter {
  static constexpr const char *Name =
      "flag per block (u32), warp 0 reads all, fence.acquire";
  __device__ void sync() {
    __syncthreads();
    if (threadIdx.x < 32) {
      ++Phase;
      if (leader())
        stRelease(S + blockIdx.x, Phase);
      for (unsigned I = threadIdx.x * 4; I < gridDim.x; I += 128) {
        const auto Behind = [&](unsigned V, unsigned J) {
          return I + J < gridDim.x && int(V - Phase) < 0;
        };
        uint4 V;
        do
          V = ldRelaxed4(S + I);
        while (Behind(V.x, 0) || Behind(V.y, 1) || Behind(V.z, 2) ||
               Behind(V.w, 3));
      }
      fenceAcquire();
    }
    __syncthreads();
  }
};

struct FlagsThread : OneCounter {
  static constexpr const char *Name =
      "flag per block (u32), a thread per flag, ld.acquire";
  __device__ void sync() {
    __syncthreads();
    ++Phase;
    if (leader())
      stRelease(S + blockIdx.x, Phase);
    for (unsigned I = threadIdx.x; I < gridDim.x; I += blockDim.x)
      while (int(ldAcquire(S + I) - Phase) < 0)
        ;
    __syncthreads();
  }
};

struct Flags16 : OneCounter {
  static constexpr const char *Name =
      "flag per block (u16), warp 0 reads all, fence.acquire";
  __device__ void sync() {
    __syncthreads();
    if (threadIdx.x < 32) {
      auto *F = reinterpret_cast<unsigned short *>(S);
      ++Phase;
      if (leader())
        stRelease(F + blockIdx.x, static_cast<unsigned short>(Phase));
      for (unsigned I = threadIdx.x * 4; I < gridDim.x; I += 128) {
        const auto Behind = [&](unsigned short V, unsigned J) {
          return I + J < gridDim.x && short(V - Phase) < 0;
        };
        ushort4 V;
        do
          V = ldRelaxed4(F + I);
        while (Behind(V.x, 0) || Behind(V.y, 1) || Behind(V.z, 2) ||
               Behind(V.w, 3));
      }
      fenceAcquire();
    }
    __syncthreads();
  }
};

/// K counters of the first level; the last of each adds to the root, which
/// all poll.
template <int K> struct Tree : OneCounter {
  static constexpr const char *Name = K == 8 ? "tree: 8 counters, root polled"
                                             : "tree: 32 counters, root polled";
  __device__ void sync() {
    __syncthreads();
    if (leader()) {
      const unsigned Groups = min(unsigned(K), gridDim.x);
      const unsigned Mine = blockIdx.x % Groups;
      const unsigned Members = (gridDim.x - Mine + Groups - 1) / Groups;
      const unsigned Add = share(blockIdx.x / Groups, Members);
      const unsigned Old = atomAcqRel(S + (Mine + 1) * Line, Add);
      if (flipped(Old + Add, Old))
        redRelease(S, share(Mine, Groups));
      while (!flipped(ldRelaxed(S), Old))
        ;
      fenceAcquire();
    }
    __syncthreads();
  }
};

/// The counter runs through 0 .. 2N-1 (atom.inc wraps it), its phase is
/// "N or more". No block has a share of its own, the result tells how many
/// arrivals are missing, and ptxas does not wrap atom.inc in the warp
/// aggregation that it puts around atom.add.
struct IncCounter : OneCounter {
  __device__ static unsigned atomInc(unsigned *P, unsigned Last) {
    unsigned O;
    asm volatile("atom.release.gpu.inc.u32 %0, [%1], %2;"
                 : "=r"(O)
                 : "l"(P), "r"(Last)
                 : "memory");
    return O;
  }
};

/// The plain one, and at other addresses: some words are nearer to all
/// multiprocessors than others.
template <int Offset> struct IncAt : IncCounter {
  static constexpr const char *Name =
      Offset == 0   ? "atom.inc checked, relaxed polls, fence.acquire"
      : Offset == 1 ? "the same, counter 1 KiB further"
                    : "the same, counter 64 KiB further";
  __device__ void sync() {
    __syncthreads();
    if (leader()) {
      unsigned *P = S + Offset * 256;
      const unsigned N = gridDim.x;
      const unsigned Count = atomInc(P, 2 * N - 1);
      const bool Second = Count >= N;
      if (Count + 1 != (Second ? 2 * N : N))
        while ((ldRelaxed(P) >= N) == Second)
          ;
      fenceAcquire();
    }
    __syncthreads();
  }
};

/// The first poll is sent Cycles after the arrival, whose result is not
/// awaited.
template <int Cycles> struct Delayed : IncCounter {
  static constexpr const char *Name =
      Cycles == 200   ? "atom.inc, first poll after 200 cycles"
      : Cycles == 300 ? "atom.inc, first poll after 300 cycles"
                      : "atom.inc, first poll after 500 cycles";
  __device__ void sync() {
    __syncthreads();
    if (leader()) {
      const unsigned N = gridDim.x;
      const unsigned Count = atomInc(S, 2 * N - 1);
      spinCycles(Cycles);
      while ((ldRelaxed(S) >= N) == (Count >= N))
        ;
      fenceAcquire();
    }
    __syncthreads();
  }
};

/// The first poll waits for the result and Halves/2 cycles more for each
/// missing arrival but 200.
template <int Halves> struct Missing : IncCounter {
  static constexpr const char *Name =
      Halves == 2 ? "atom.inc checked, first poll after 2/2 cycles per missing"
      : Halves == 3
          ? "atom.inc checked, first poll after 3/2 cycles per missing"
          : "atom.inc checked, first poll after 4/2 cycles per missing";
  __device__ void sync() {
    __syncthreads();
    if (leader()) {
      const unsigned N = gridDim.x;
      const unsigned Count = atomInc(S, 2 * N - 1);
      const bool Second = Count >= N;
      if (const unsigned M = (Second ? 2 * N : N) - 1 - Count) {
        if (M > 200)
          spinCycles((M - 200) * Halves / 2);
        while ((ldRelaxed(S) >= N) == Second)
          ;
      }
      fenceAcquire();
    }
    __syncthreads();
  }
};

/// K counters in one sector, read by one vector load.
template <int K> struct Sector : OneCounter {
  static constexpr const char *Name =
      "4 counters in one sector, atom.release, v4 relaxed polls, fence.acquire";
  __device__ void sync() {
    __syncthreads();
    if (leader()) {
      const unsigned Mine = blockIdx.x % K;
      const unsigned Members = (gridDim.x - Mine + K - 1) / K;
      (void)atomRelease(S + Mine, share(blockIdx.x / K, Members));
      for (;;) {
        const uint4 V = ldRelaxed4(S);
        if (flipped(V.x, Phase) && (gridDim.x < 2 || flipped(V.y, Phase)) &&
            (gridDim.x < 3 || flipped(V.z, Phase)) &&
            (gridDim.x < 4 || flipped(V.w, Phase)))
          break;
      }
      fenceAcquire();
      Phase ^= Flip;
    }
    __syncthreads();
  }
};

/// K counters on lines of their own, polled by K lanes once the own arrival
/// has come back.
template <int K> struct SplitAtom : OneCounter {
  static constexpr const char *Name =
      K == 2 ? "2 counters, atom.release, relaxed polls, fence.acquire"
             : "4 counters, atom.release, relaxed polls, fence.acquire";
  __device__ void sync() {
    __syncthreads();
    if (threadIdx.x < 32) {
      const unsigned Mine = blockIdx.x % K;
      const unsigned Members = (gridDim.x - Mine + K - 1) / K;
      unsigned Old = 0;
      if (leader())
        Old = atomRelease(S + Mine * Line, share(blockIdx.x / K, Members));
      Old = __shfl_sync(~0u, Old, 0);
      if (threadIdx.x < K && threadIdx.x < gridDim.x) {
        while (!flipped(ldRelaxed(S + threadIdx.x * Line), Old))
          ;
        fenceAcquire();
      }
    }
    __syncthreads();
  }
};

/// A hardware cluster meets first and arrives once.
template <unsigned C> struct Clustered : OneCounter {
  static constexpr const char *Name = C == 2   ? "clusters of 2"
                                      : C == 4 ? "clusters of 4"
                                               : "clusters of 8";
  static constexpr unsigned Cluster = C;
  __device__ static void meet() {
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  }
  __device__ void sync() {
    meet();
    if (leader() && blockIdx.x % C == 0) {
      const unsigned Add = share(blockIdx.x / C, gridDim.x / C);
      const unsigned Old = atomAcqRel(S, Add);
      if (!flipped(Old + Add, Old))
        while (!flipped(ldAcquire(S), Old))
          ;
    }
    meet();
  }
};

/// Not barriers: the floor, a fence by the leader with the stores in flight.
struct FenceOnly : OneCounter {
  static constexpr const char *Name = "floor: fence alone (no barrier)";
  __device__ void sync() {
    __syncthreads();
    if (leader())
      fenceAcqRel();
    __syncthreads();
  }
};
struct SignalOnly : OneCounter {
  static constexpr const char *Name =
      "floor: signal without fences (no barrier)";
  __device__ void sync() {
    __syncthreads();
    if (leader()) {
      redRelaxed(S, share(blockIdx.x, gridDim.x));
      while (!flipped(ldRelaxed(S), Phase))
        ;
      Phase ^= Flip;
    }
    __syncthreads();
  }
};

// --- measuring -------------------------------------------------------------

template <typename Design>
__global__ void timed(unsigned *State, unsigned *Data, unsigned Iterations) {
  Design D;
  D.init(State);
  unsigned *Mine = Data + size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  for (unsigned I = 0; I < Iterations; ++I) {
    *Mine = I;
    D.sync();
  }
}

/// Two buffers in turn, so that a slot is rewritten only after its readers
/// have passed one more barrier.
template <typename Design>
__global__ void checked(unsigned *State, unsigned *Data, unsigned Iterations,
                        unsigned *Stale) {
  Design D;
  D.init(State);
  const unsigned N = gridDim.x * blockDim.x;
  const unsigned Me = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned I = 1; I <= Iterations; ++I) {
    unsigned *Buffer = Data + (I & 1) * N;
    Buffer[Me] = I;
    D.sync();
    if (Buffer[(Me + (1 + I % gridDim.x) * blockDim.x) % N] != I)
      atomicAdd(Stale, 1u);
  }
}

template <unsigned Cluster>
cudaError_t launch(const void *Kernel, unsigned Blocks, unsigned Threads,
                   void **Args) {
  cudaLaunchAttribute A[2];
  A[0].id = cudaLaunchAttributeCooperative;
  A[0].val.cooperative = 1;
  A[1].id = cudaLaunchAttributeClusterDimension;
  A[1].val.clusterDim.x = Cluster;
  A[1].val.clusterDim.y = A[1].val.clusterDim.z = 1;
  cudaLaunchConfig_t C = {};
  C.gridDim = Blocks;
  C.blockDim = Threads;
  C.attrs = A;
  C.numAttrs = Cluster > 1 ? 2 : 1;
  return cudaLaunchKernelExC(&C, Kernel, Args);
}

struct Bench {
  unsigned Iterations;
  int Repetitions;
  DeviceArray<unsigned> State{StateWords}, Data{size_t(2) * 2048 * 160},
      Stale{1};

  template <typename Design>
  cudaError_t tryOnce(unsigned Blocks, unsigned Threads) {
    State.fill(0);
    Data.fill(0);
    Stale.fill(0);
    unsigned *S = State.get(), *D = Data.get(), *Wrong = Stale.get();
    unsigned Rounds = 2000;
    void *Args[] = {&S, &D, &Rounds, &Wrong};
    return launch<Design::Cluster>(
        reinterpret_cast<const void *>(checked<Design>), Blocks, Threads, Args);
  }

  template <typename Design> void run(unsigned Blocks, unsigned Threads) {
    if (Blocks % Design::Cluster)
      return;
    if (const cudaError_t E = tryOnce<Design>(Blocks, Threads)) {
      std::fprintf(stderr, "%s, %u x %u: %s\n", Design::Name, Blocks, Threads,
                   cudaGetErrorString(E));
      (void)cudaGetLastError(); // that grid does not fit, others may
      return;
    }
    const unsigned Wrong = Stale.download(1)[0];
    unsigned *S = State.get(), *D = Data.get();
    void *Args[] = {&S, &D, &Iterations};
    const Spread Ms = milliseconds(
        Repetitions, [&] { State.fill(0); },
        [&] {
          check(launch<Design::Cluster>(
                    reinterpret_cast<const void *>(timed<Design>), Blocks,
                    Threads, Args),
                Design::Name);
        });
    const float UsPerMs = 1000.f / static_cast<float>(Iterations);
    std::printf("\"%s\",%u,%u,%.4f,%.4f,%u\n", Design::Name, Blocks, Threads,
                Ms.Median * UsPerMs, Ms.Min * UsPerMs, Wrong);
    std::fflush(stdout);
  }

  template <typename... Designs> void all(unsigned Blocks, unsigned Threads) {
    (run<Designs>(Blocks, Threads), ...);
  }
};

} // namespace

int main(int Argc, char **Argv) {
  Bench B{Argc > 1 ? static_cast<unsigned>(std::strtoul(Argv[1], nullptr, 10))
                   : 5000u,
          Argc > 2 ? std::atoi(Argv[2]) : 7};
  const unsigned Shapes[][2] = {
      {132, 256},  {132, 32},  {132, 64},  {132, 128}, {132, 512}, {132, 1024},
      {264, 256},  {320, 256}, {396, 256}, {528, 256}, {792, 256}, {1056, 256},
      {264, 1024}, {2112, 64}, {264, 32},  {100, 256}, {64, 256},  {30, 256},
      {16, 256},   {8, 256},   {2, 256},   {1, 256},   {1, 32},    {1, 1024}};
  std::puts("design,blocks,threads,median_us,min_us,stale");
  for (const auto &S : Shapes)
    B.all<Cooperative, Automatic, Lock, LockFree, RedAcquire, AtomAcquire,
          RedRelaxedFence, RedRelaxedLoad, AtomRelaxedLoad, AtomRelaxedFence,
          IncAt<0>, IncAt<1>, IncAt<64>, Delayed<200>, Delayed<300>,
          Delayed<500>, Missing<2>, Missing<3>, Missing<4>, Pipelined<2, 150>,
          Pipelined<4, 75>, BarArrive, LastWarp, Split<2>, Split<4>,
          SplitAtom<2>, SplitAtom<4>, Sector<4>, Copies<2>, Copies<4>, Flags32,
          Flags16, FlagsThread, Tree<8>, Tree<32>, Clustered<2>, Clustered<4>,
          Clustered<8>, FenceOnly, SignalOnly, Cooperative, Automatic>(S[0],
                                                                       S[1]);
}
