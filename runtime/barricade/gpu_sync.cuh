// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier for all threads of a grid, __gpu_sync(), and the launch that makes
// it safe, launch_persistent(). This header needs nothing but the CUDA runtime
// and C++17; docs/gpu-sync.md is its guide.
//
//   __global__ void relax(barricade::GridBarrier Bar, float *A, float *B,
//                         dim3 Grid, int Steps) {
//     for (int I = 0; I < Steps; ++I) {
//       for (uint3 Block : barricade::logical_blocks(Grid))
//         step(Block, A, B);
//       __gpu_sync(Bar);
//       swap(A, B);
//     }
//   }
//   ...
//   if (barricade::launch_persistent(relax, Grid, Block, 0, Stream, A, B, Grid,
//                                    Steps) != cudaSuccess)
//     relaunchForEachStep(); // nothing was launched
//
// The strategy "cooperative" is there where <cooperative_groups.h>, a header
// that takes seconds to compile, has been included before this one.
//
// Macros, to be the same in all sources of a program:
//   BARRICADE_GPU_SYNC_DEBUG          a barrier that waits too long says which
//                                     blocks have not arrived, and traps
//   BARRICADE_GPU_SYNC_TIMEOUT_POLLS  what is too long, in polls of the counter
//                                     (default 2^24, some seconds)
//   BARRICADE_TAKEOVER_AT             the iteration, from 0 on, in which a
//                                     persistent kernel takes over a loop,
//                                     whatever it would bring
//   BARRICADE_LAUNCHES_PER_REPLAY     how many launches one graph makes, at
//   most
//                                     32; default 16
//   BARRICADE_REPLAY_AT               the launch, from 1 on, after which a
//   graph
//                                     makes the others, whatever it would bring
//   BARRICADE_PORTABLE                no inline PTX, for other compilers of
//                                     CUDA
//   BARRICADE_EMULATED                set by an emulator of CUDA on a CPU;
//                                     implies BARRICADE_PORTABLE
//
// Why these barriers are right
// ----------------------------
// The names are those of the PTX ISA's chapter "Memory Consistency Model". To
// show, for each strategy: what thread T of block A did before the barrier
// happens before (causality order) what thread U of block B does after it.
// Each strategy is one chain of three links, and causality order is transitive:
//
//   1. T -> leader of A.  __syncthreads() is bar.sync: its barrier operations
//      synchronise among the threads of the block (morally strong at cta
//      scope).
//   2. leader of A -> leader of B, by release and acquire patterns at gpu scope
//      on words that are only accessed by strong operations of that scope and
//      of one size, hence morally strong with each other. Release is
//      cumulative: it covers what the leader knows through link 1, so the other
//      threads need no fence of their own.
//   3. leader of B -> U.  __syncthreads() again.
//
// A fence by each thread *before* link 1, with a relaxed arrival by the leader
// after it, would not do: a release pattern is a fence and a later strong write
// of the *same* thread. Link 2 is argued beside each strategy below.
//
// Every block must be resident, or the wait never ends: only launch_persistent
// (or another cooperative launch) gives that guarantee.

// Host compilers may read a header that includes this one, and see nothing.
#if !defined(BARRICADE_GPU_SYNC_CUH) &&                                        \
    (defined(__CUDACC__) || defined(__CUDA__))
#define BARRICADE_GPU_SYNC_CUH

// Nothing else of the standard library: its names would be the program's, too.
#include <cuda_runtime.h>
#include <time.h>
#ifdef BARRICADE_GPU_SYNC_DEBUG
#include <cstdio>
#endif

#if !defined(BARRICADE_PORTABLE) && !defined(BARRICADE_EMULATED) &&            \
    (defined(__NVCC__) || (defined(__clang__) && defined(__CUDA__)))
#define BARRICADE_GPU_SYNC_PTX
#endif

#if defined(BARRICADE_GPU_SYNC_PTX) && CUDART_VERSION >= 11080
#define BARRICADE_GPU_SYNC_OVERLAP
#endif

#if defined(BARRICADE_GPU_SYNC_PTX) && CUDART_VERSION >= 12000
#define BARRICADE_GPU_SYNC_CLUSTER
#endif

#ifndef BARRICADE_LAUNCHES_PER_REPLAY
#define BARRICADE_LAUNCHES_PER_REPLAY 16
#endif

#ifndef BARRICADE_GPU_SYNC_TIMEOUT_POLLS
#define BARRICADE_GPU_SYNC_TIMEOUT_POLLS (1u << 24)
#endif

// A shared library has its own of all that is here, so that it can be unloaded:
// variables that libraries share would keep it, and remember kernels by
// addresses that others may get. Nor are its functions another library's, whose
// variables they would use beside its own. That is the host's business.
#if defined(__CUDA_ARCH__) || !defined(__ELF__)
#define BARRICADE_OF_ONE_LIBRARY
#else
#define BARRICADE_OF_ONE_LIBRARY __attribute__((visibility("hidden")))
#endif

namespace barricade BARRICADE_OF_ONE_LIBRARY {
// What launches into no stream of the caller's launches into another one in
// sources that are compiled so: their code is not for the others.
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
inline namespace per_thread_default_stream {
#endif

/// How blocks meet. All are legal; docs/gpu-sync.md has their speed.
enum class SyncStrategy {
  /// The fastest here: one counter whose arrival says what is missing.
  Automatic,
  /// One counter, each block adds and waits for the goal (Xiao and Feng,
  /// "Inter-Block GPU Communication via Fast Barrier Synchronization", 5.1).
  Lock,
  /// A flag in and a flag out per block, no atomics (the same paper, 5.3).
  LockFree,
  /// The grid barrier of CUDA's cooperative groups.
  Cooperative,
};

namespace detail {

#ifdef BARRICADE_GPU_SYNC_DEBUG
constexpr bool Debug = true;
#else
constexpr bool Debug = false;
#endif

/// The barrier's words in device memory. The counter has a line of its own;
/// after it come, one word per block each, the flags of the lock-free barrier
/// and the debug mode's count of arrivals.
constexpr unsigned CounterWords = 32;
constexpr unsigned WordsPerBlock = 3;

constexpr size_t stateBytes(size_t Blocks) {
  return (CounterWords + WordsPerBlock * Blocks) * sizeof(unsigned);
}

/// Whether one counter is all that a barrier has.
template <SyncStrategy Chosen>
constexpr bool HasCounterAlone = !Debug && (Chosen == SyncStrategy::Automatic ||
                                            Chosen == SyncStrategy::Lock);

/// Whether a launch whose grid is one cluster has a barrier of the hardware's.
template <SyncStrategy Chosen>
constexpr bool MayBeCluster = !Debug && Chosen == SyncStrategy::Automatic;

/// In place of a slot's number: the grid is one cluster.
constexpr unsigned SlotOfCluster = ~0u - 1;

/// Whether a barrier has words that must be zero at each launch.
template <SyncStrategy Chosen>
constexpr bool NeedsMemory = Debug || Chosen == SyncStrategy::LockFree;

/// Memory that a program has from its start, for what streams need: a slot
/// belongs to one stream for good, hence to one launch at a time. The host
/// tells the kernel its number, so that each of a program's modules uses its
/// own array. A template, so that only programs that use it have it.
constexpr unsigned Slots = 512;
template <typename> __device__ unsigned Counters[Slots * CounterWords];

#ifdef BARRICADE_GPU_SYNC_PTX

/// The counter that the driver gives each cooperative launch: the word of
/// cooperative groups' grid barrier, whose place CUDA's header
/// <cooperative_groups/details/driver_abi.h> tells, and whose count goes as
/// that of RoundCounter. Launches need not allocate or clear any, which costs
/// more than a launch, and at the first time 10 ms; nor has the module a
/// variable, with which it takes 70 us more to load (H200).
__device__ __forceinline__ unsigned *counterOfLaunch(unsigned) {
  unsigned High, Low;
  asm("mov.u32 %0, %%envreg1;" : "=r"(High));
  asm("mov.u32 %0, %%envreg2;" : "=r"(Low));
  return reinterpret_cast<unsigned *>(
             static_cast<unsigned long long>(High) << 32 | Low) +
         1;
}
constexpr bool LaunchesHaveCounters = true;

#else

__device__ inline unsigned *counterOfLaunch(unsigned Slot) {
  return Counters<void> + Slot * CounterWords;
}
constexpr bool LaunchesHaveCounters = false;

#endif

} // namespace detail

/// A launch's barrier: what a kernel takes by value, as its first parameter,
/// and hands to __gpu_sync. Copies are the same barrier. It holds no count, so
/// any number of barriers may be passed, by any path through the program.
template <SyncStrategy Chosen> class BasicGridBarrier {
public:
  /// For programs that launch by themselves: Memory points to
  /// state_bytes(number of blocks) bytes of device memory, 128-byte aligned,
  /// set to zero before the launch and used by no other launch meanwhile.
  __host__ __device__ explicit BasicGridBarrier(void *Memory)
      : State(static_cast<unsigned *>(Memory)), Slot(0) {}

  /// For launch_persistent: the barrier whose counter has this number.
  __host__ explicit BasicGridBarrier(unsigned SlotOfStream)
      : State(nullptr), Slot(SlotOfStream) {}

  __device__ unsigned *counter() const {
    if constexpr (detail::HasCounterAlone<Chosen>)
      if (!State)
        return detail::counterOfLaunch(Slot);
    return State;
  }
  /// Whether all blocks are of one cluster, as far as this code knows clusters.
  __device__ __forceinline__ bool isCluster() const {
#if defined(BARRICADE_GPU_SYNC_CLUSTER) && defined(__CUDA_ARCH__) &&           \
    __CUDA_ARCH__ >= 900
    return detail::MayBeCluster<Chosen> && Slot == detail::SlotOfCluster;
#else
    return false;
#endif
  }

  __device__ unsigned *reported() const { return State + 1; }
  __device__ unsigned *in() const { return State + detail::CounterWords; }
  __device__ unsigned *out() const { return in() + blocks(); }
  __device__ unsigned *arrivals() const { return out() + blocks(); }

private:
  __device__ static unsigned blocks() {
    return gridDim.x * gridDim.y * gridDim.z;
  }

  unsigned *State;
  unsigned Slot;
};

using GridBarrier = BasicGridBarrier<SyncStrategy::Automatic>;
using LockGridBarrier = BasicGridBarrier<SyncStrategy::Lock>;
using LockFreeGridBarrier = BasicGridBarrier<SyncStrategy::LockFree>;
using CooperativeGridBarrier = BasicGridBarrier<SyncStrategy::Cooperative>;

/// Bytes of state that a barrier among Blocks blocks needs.
constexpr size_t state_bytes(size_t Blocks) {
  return detail::stateBytes(Blocks);
}

/// What __gpu_sync_arrive leaves for __gpu_sync_wait, in each thread.
struct SyncToken {
  unsigned Value;
};

//===----------------------------------------------------------------------===//
// Memory operations: each is strong, at gpu scope, on one 32-bit word.
//===----------------------------------------------------------------------===//

namespace detail {

#ifdef BARRICADE_GPU_SYNC_PTX

__device__ __forceinline__ unsigned loadRelaxed(const unsigned *Place) {
  unsigned Value;
  asm volatile("ld.relaxed.gpu.u32 %0, [%1];"
               : "=r"(Value)
               : "l"(Place)
               : "memory");
  return Value;
}

__device__ __forceinline__ unsigned loadAcquire(const unsigned *Place) {
  unsigned Value;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];"
               : "=r"(Value)
               : "l"(Place)
               : "memory");
  return Value;
}

__device__ __forceinline__ void storeRelease(unsigned *Place, unsigned Value) {
  asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(Place), "r"(Value)
               : "memory");
}

__device__ __forceinline__ unsigned addRelease(unsigned *Place,
                                               unsigned Value) {
  unsigned Old;
  asm volatile("atom.release.gpu.add.u32 %0, [%1], %2;"
               : "=r"(Old)
               : "l"(Place), "r"(Value)
               : "memory");
  return Old;
}

/// Place, for the leader of a block, whose threadIdx.x is 0. Where an address
/// is the same for a whole warp, as far as ptxas sees, it adds for the warp at
/// once, by a vote and a shuffle that wait for the result: 0.2 us a barrier
/// (H200).
__device__ __forceinline__ unsigned *placeOfLeader(unsigned *Place) {
  unsigned Zero;
  asm("mov.u32 %0, %%tid.x;" : "=r"(Zero));
  return Place + Zero;
}

/// Makes this thread's relaxed reads of *P acquire patterns. Since sm_90 there
/// is a fence for that alone, which only drops the L1's lines; before, an
/// acquire load of the same word is cheaper than a two-way fence.
__device__ __forceinline__ void acquireAfterReading(const unsigned *Place) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && CUDART_VERSION >= 12080
  (void)Place;
  asm volatile("fence.acquire.gpu;" ::: "memory");
#else
  (void)loadAcquire(Place);
#endif
}

__device__ __forceinline__ void waitCycles(unsigned Cycles) {
  unsigned Start, Now;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(Start));
  do
    asm volatile("mov.u32 %0, %%clock;" : "=r"(Now));
  while (Now - Start < Cycles);
}

__device__ __forceinline__ void betweenPolls() {}

/// The two halves of a barrier among the threads of a cluster.
__device__ __forceinline__ void arriveInCluster() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive;" ::: "memory");
#endif
}

__device__ __forceinline__ void waitInCluster() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.wait;" ::: "memory");
#endif
}

#else // Standard CUDA C++: volatile accesses are strong, __threadfence() is a
      // fence in both directions.

__device__ __forceinline__ unsigned loadRelaxed(const unsigned *Place) {
  return *static_cast<const volatile unsigned *>(Place);
}

__device__ __forceinline__ unsigned loadAcquire(const unsigned *Place) {
  const unsigned Value = loadRelaxed(Place);
  __threadfence();
  return Value;
}

__device__ __forceinline__ void storeRelease(unsigned *Place, unsigned Value) {
  __threadfence();
  *static_cast<volatile unsigned *>(Place) = Value;
}

__device__ __forceinline__ unsigned addRelease(unsigned *Place,
                                               unsigned Value) {
  __threadfence();
  return atomicAdd(Place, Value);
}

__device__ __forceinline__ unsigned *placeOfLeader(unsigned *Place) {
  return Place;
}

__device__ __forceinline__ void acquireAfterReading(const unsigned *) {
  __threadfence();
}

__device__ __forceinline__ void waitCycles(unsigned) {}

/// Lets other threads run; an emulator switches to another one here.
__device__ __forceinline__ void betweenPolls() { __nanosleep(20); }

__device__ __forceinline__ void arriveInCluster() {} // There are none.
__device__ __forceinline__ void waitInCluster() {}

#endif

//===----------------------------------------------------------------------===//
// Who and where
//===----------------------------------------------------------------------===//

__device__ __forceinline__ bool isLeader() {
  return (threadIdx.x | threadIdx.y | threadIdx.z) == 0;
}

__device__ __forceinline__ unsigned threadRank() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

__device__ __forceinline__ unsigned blockThreads() {
  return blockDim.x * blockDim.y * blockDim.z;
}

__device__ __forceinline__ unsigned blockRank() {
  return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}

__device__ __forceinline__ unsigned gridBlocks() {
  return gridDim.x * gridDim.y * gridDim.z;
}

/// Limit is not negative, and Threads above it is still an int.
template <typename Integer>
__host__ __device__ __forceinline__ constexpr bool
hasRoomAbove(Integer Limit, unsigned long long Threads) {
  constexpr unsigned long long Most = 0x7fffffff;
  return Threads <= Most &&
         static_cast<unsigned long long>(Limit) <= Most - Threads;
}

/// Where an argument stands that is Alignment bytes wide or less, behind those
/// that end at End.
__host__ __device__ __forceinline__ constexpr unsigned
placeBehind(unsigned End, unsigned Alignment) {
  return (End + Alignment - 1) / Alignment * Alignment;
}

/// The same by the size of the argument, which its alignment divides.
__host__ __device__ __forceinline__ constexpr unsigned
placeBySize(unsigned End, unsigned Size) {
  const unsigned Alignment = Size & (~Size + 1);
  return placeBehind(End, Alignment < 16 ? Alignment : 16);
}

/// The index whose rank among Extents is Rank: x counts fastest.
__device__ __forceinline__ uint3 indexAt(unsigned long long Rank,
                                         dim3 Extents) {
  if (Extents.y == 1 && Extents.z == 1)
    return {static_cast<unsigned>(Rank), 0, 0};
  const unsigned long long Row = Rank / Extents.x;
  return {static_cast<unsigned>(Rank % Extents.x),
          static_cast<unsigned>(Row % Extents.y),
          static_cast<unsigned>(Row / Extents.y)};
}

//===----------------------------------------------------------------------===//
// Debug mode
//===----------------------------------------------------------------------===//

#ifdef BARRICADE_GPU_SYNC_DEBUG
/// Prints the blocks that have arrived less often than this one, and traps.
/// One block of the grid reports; the others wait for its trap.
template <typename Barrier> __device__ void reportAndTrap(const Barrier &Bar) {
  if (atomicExch(Bar.reported(), 1u) != 0)
    for (;;)
      betweenPolls();
  const unsigned Reached = Bar.arrivals()[blockRank()];
  std::printf("barricade: __gpu_sync number %u: block %u has waited too long; "
              "not arrived:",
              Reached, blockRank());
  unsigned Missing = 0;
  for (unsigned Index = 0, Blocks = gridBlocks(); Index < Blocks; ++Index)
    if (static_cast<int>(loadRelaxed(Bar.arrivals() + Index) - Reached) < 0 &&
        ++Missing <= 32)
      std::printf(" %u", Index);
  std::printf(Missing > 32 ? " ... (%u blocks)\n" : " (%u blocks)\n", Missing);
  __trap();
}
#endif

/// Counts the polls of one wait in debug mode; otherwise nothing.
template <typename Barrier> class Watch {
public:
  __device__ explicit Watch(const Barrier &Watched) : Bar(Watched) {}
  __device__ __forceinline__ void poll() {
    betweenPolls();
#ifdef BARRICADE_GPU_SYNC_DEBUG
    if (++Polls == BARRICADE_GPU_SYNC_TIMEOUT_POLLS)
      reportAndTrap(Bar);
#endif
  }

private:
  const Barrier &Bar;
  unsigned Polls = 0;
};

template <typename Barrier>
__device__ __forceinline__ void noteArrival(const Barrier &Bar) {
  if constexpr (Debug) {
    volatile unsigned *Mine = Bar.arrivals() + blockRank();
    *Mine = *Mine + 1;
  }
}

//===----------------------------------------------------------------------===//
// Strategies: arrive(), wait() and awaitOthers() are called by all threads of a
// block. From awaitOthers(), before it arrives, block 0's leader comes back
// when all other blocks have, and sees what they did.
//===----------------------------------------------------------------------===//

template <SyncStrategy Chosen> struct Strategy;

/// With fewer blocks than this two barriers take less than one to which block 0
/// comes last (H100: 0.2 us less with 16, the same with 132, 0.4 more with
/// 1024).
#ifdef BARRICADE_EMULATED
constexpr unsigned BlocksForLate = 4; // An emulator has few at all.
#else
constexpr unsigned BlocksForLate = 128;
#endif

/// One counter, for which a barrier among N blocks is a round of 2^31: block 0
/// adds what the others, who add 1 each, leave of it. A barrier ends when the
/// top bit, the counter's phase, flips; it cannot flip twice while a block
/// waits, since the second flip needs that block. Any number of barriers leaves
/// the other bits zero, so the counter is never reset, wrapping does no harm,
/// and the next launch, whatever its grid, goes on where this one ended.
struct RoundCounter {
  static constexpr unsigned Round = 1u << 31;

  /// What this block adds.
  __device__ __forceinline__ static unsigned share() {
    return blockRank() == 0 ? Round - (gridBlocks() - 1) : 1;
  }

  __device__ __forceinline__ static bool hasFlipped(unsigned Count,
                                                    SyncToken Since) {
    return ((Count ^ Since.Value) & Round) != 0;
  }

  /// The blocks that have arrived, as long as block 0 has not.
  __device__ __forceinline__ static unsigned others(unsigned Count) {
    return Count & (Round - 1);
  }

  /// How many blocks have yet to come after the arrival that left Token.
  __device__ __forceinline__ static unsigned missing(SyncToken Token,
                                                     unsigned Share) {
    const unsigned Count = (Token.Value + Share) & (Round - 1);
    if (Count == 0)
      return 0;
    // Until block 0 has come, the counter is the number of those who have.
    return Count < gridBlocks() ? gridBlocks() - Count : Round - Count;
  }
};

/// Link 2: each arrival is an atomic read-modify-write with release semantics.
/// The leader of B reads the new phase, either as its own arrival's result or
/// by a relaxed poll, and makes it an acquire pattern by the fence that
/// follows. The value read was written by the last arrival, or by one of the
/// next barrier; observation order runs through atomic read-modify-writes, so
/// the arrival of A, wherever it stands in the chain, precedes that read. Hence
/// A's release pattern synchronises with B's acquire pattern.
///
/// Why it is fast: the L2 serves the arrivals and polls of one word one after
/// the other, so a poll that comes too early delays an arrival. In a grid of
/// few blocks the first poll is sent when, had all blocks come together, the
/// last arrival has been served; it does not wait for the own arrival's result.
/// In a larger grid the result tells how many arrivals are missing, hence how
/// long a poll would be in vain, and the last block to arrive polls not at all.
///
/// The leader's part of sync() is one piece of code, not arrive() and wait(): a
/// value that leaves the leader's branch would have to be awaited there.
///
/// A grid that is one cluster has the hardware's barrier:
/// barrier.cluster.arrive has release and .wait acquire semantics at cluster
/// scope, by each thread for itself, and all threads of the grid are of the
/// cluster. That is one link in place of three. It counts all threads that have
/// not exited, as bar.sync does.
template <> struct Strategy<SyncStrategy::Automatic> {
  template <typename Barrier>
  __device__ __forceinline__ static SyncToken arrive(const Barrier &Bar) {
    SyncToken Token = {0};
    if (Bar.isCluster()) {
      arriveInCluster();
      return Token;
    }
    const unsigned Share = RoundCounter::share();
    __syncthreads();
    if (isLeader())
      Token = leaderArrives(Bar, Share);
    return Token;
  }

  template <typename Barrier>
  __device__ __forceinline__ static void wait(const Barrier &Bar,
                                              SyncToken Token) {
    if (Bar.isCluster()) {
      waitInCluster();
      return;
    }
    if (isLeader()) {
      pollUntilPhaseChanges(Bar, Token);
      acquireAfterReading(Bar.counter());
    }
    __syncthreads();
  }

  template <typename Barrier>
  __device__ __forceinline__ static void sync(const Barrier &Bar) {
    if (Bar.isCluster()) {
      arriveInCluster();
      waitInCluster();
      return;
    }
    const unsigned Blocks = gridBlocks();
    const unsigned Share = RoundCounter::share();
    __syncthreads();
    if (isLeader()) {
      const SyncToken Token = leaderArrives(Bar, Share);
      if (Blocks <= FewBlocks) {
        waitCycles(ArrivalCycles + Blocks);
        pollUntilPhaseChanges(Bar, Token);
      } else if (const unsigned Missing = RoundCounter::missing(Token, Share)) {
        if (Missing > FewMissing)
          waitCycles((Missing - FewMissing) * 3 / 2);
        pollUntilPhaseChanges(Bar, Token);
      }
      acquireAfterReading(Bar.counter());
    }
    __syncthreads();
  }

  template <typename Barrier>
  __device__ __forceinline__ static void awaitOthers(const Barrier &Bar) {
    __syncthreads();
    if (blockRank() != 0 || !isLeader())
      return;
    while (RoundCounter::others(loadRelaxed(Bar.counter())) != gridBlocks() - 1)
      betweenPolls();
    acquireAfterReading(Bar.counter());
  }

private:
  // Tuned on an H200 (docs/results/gpu-sync). On another GPU each costs at most
  // the cycles that it names.
  static constexpr unsigned FewBlocks = 300;
  static constexpr unsigned FewMissing = 200;
  static constexpr unsigned ArrivalCycles = 70;

  template <typename Barrier>
  __device__ __forceinline__ static SyncToken leaderArrives(const Barrier &Bar,
                                                            unsigned Share) {
    noteArrival(Bar);
    return {addRelease(placeOfLeader(Bar.counter()), Share)};
  }

  template <typename Barrier>
  __device__ __forceinline__ static void
  pollUntilPhaseChanges(const Barrier &Bar, SyncToken Token) {
    Watch<Barrier> Watched(Bar);
    for (;;) {
      // Load first: the arrival's result, in Token, may still be on its way.
      const unsigned Count = loadRelaxed(Bar.counter());
      if (RoundCounter::hasFlipped(Count, Token))
        return;
      Watched.poll();
    }
  }
};

/// Link 2: as above, with polls that are acquire loads themselves.
template <> struct Strategy<SyncStrategy::Lock> {
  template <typename Barrier>
  __device__ __forceinline__ static SyncToken arrive(const Barrier &Bar) {
    SyncToken Token = {0};
    __syncthreads();
    if (isLeader())
      Token = leaderArrives(Bar);
    return Token;
  }

  template <typename Barrier>
  __device__ __forceinline__ static void wait(const Barrier &Bar,
                                              SyncToken Token) {
    if (isLeader())
      pollUntilPhaseChanges(Bar, Token);
    __syncthreads();
  }

  template <typename Barrier>
  __device__ __forceinline__ static void sync(const Barrier &Bar) {
    __syncthreads();
    if (isLeader())
      pollUntilPhaseChanges(Bar, leaderArrives(Bar));
    __syncthreads();
  }

  template <typename Barrier>
  __device__ __forceinline__ static void awaitOthers(const Barrier &Bar) {
    __syncthreads();
    if (blockRank() == 0 && isLeader())
      while (RoundCounter::others(loadAcquire(Bar.counter())) !=
             gridBlocks() - 1)
        betweenPolls();
  }

private:
  template <typename Barrier>
  __device__ __forceinline__ static SyncToken
  leaderArrives(const Barrier &Bar) {
    noteArrival(Bar);
    return {addRelease(Bar.counter(), RoundCounter::share())};
  }

  template <typename Barrier>
  __device__ __forceinline__ static void
  pollUntilPhaseChanges(const Barrier &Bar, SyncToken Token) {
    Watch<Barrier> Watched(Bar);
    while (!RoundCounter::hasFlipped(loadAcquire(Bar.counter()), Token))
      Watched.poll();
  }
};

/// Block I stores the barrier's number in In[I]. The threads of block 0 wait
/// for all of them, meet, and store it in Out[]; block I waits for Out[I].
/// The number is one more than Out[I], which nobody writes until block I has
/// arrived; numbers are compared for equality, so they may wrap.
///
/// Link 2 has two hops: leader of A -> thread of block 0 by a release store to
/// In[A] and an acquire load of it; that thread -> the one that serves B by
/// __syncthreads(); -> leader of B by a release store to Out[B] and an acquire
/// load of it. No word is written by a second thread before it has been read.
template <> struct Strategy<SyncStrategy::LockFree> {
  template <typename Barrier>
  __device__ __forceinline__ static SyncToken arrive(const Barrier &Bar) {
    SyncToken Token = {0};
    if (isLeader() || blockRank() == 0)
      Token.Value = loadRelaxed(Bar.out() + blockRank()) + 1;
    __syncthreads();
    if (isLeader()) {
      noteArrival(Bar);
      storeRelease(Bar.in() + blockRank(), Token.Value);
    }
    return Token;
  }

  template <typename Barrier>
  __device__ __forceinline__ static void wait(const Barrier &Bar,
                                              SyncToken Token) {
    if (blockRank() == 0)
      serve(Bar, Token);
    else if (isLeader())
      waitFor(Bar, Bar.out() + blockRank(), Token);
    __syncthreads();
  }

  template <typename Barrier>
  __device__ __forceinline__ static void sync(const Barrier &Bar) {
    wait(Bar, arrive(Bar));
  }

  template <typename Barrier>
  __device__ __forceinline__ static void awaitOthers(const Barrier &Bar) {
    if (blockRank() == 0) {
      const SyncToken Next = {loadRelaxed(Bar.out()) + 1};
      for (unsigned Index = threadRank(); Index < gridBlocks();
           Index += blockThreads())
        if (Index != 0)
          waitFor(Bar, Bar.in() + Index, Next);
    }
    __syncthreads();
  }

private:
  template <typename Barrier>
  __device__ __forceinline__ static void
  waitFor(const Barrier &Bar, const unsigned *Flag, SyncToken Token) {
    Watch<Barrier> Watched(Bar);
    while (loadAcquire(Flag) != Token.Value)
      Watched.poll();
  }

  template <typename Barrier>
  __device__ __forceinline__ static void serve(const Barrier &Bar,
                                               SyncToken Token) {
    const unsigned Blocks = gridBlocks(), Stride = blockThreads();
    for (unsigned Index = threadRank(); Index < Blocks; Index += Stride)
      waitFor(Bar, Bar.in() + Index, Token);
    __syncthreads();
    for (unsigned Index = threadRank(); Index < Blocks; Index += Stride)
      storeRelease(Bar.out() + Index, Token.Value);
  }
};

} // namespace detail

//===----------------------------------------------------------------------===//
// The device's interface
//===----------------------------------------------------------------------===//

/// The first half of a barrier. What the calling threads did before it is seen
/// by every thread of the grid after __gpu_sync_wait; what stands between the
/// two calls is not ordered. To be called by all threads of all blocks, each
/// arrival followed by its wait before the next arrival.
template <SyncStrategy Chosen>
[[nodiscard]] __device__ __forceinline__ SyncToken
__gpu_sync_arrive(const BasicGridBarrier<Chosen> &Bar) {
  return detail::Strategy<Chosen>::arrive(Bar);
}

/// The second half: returns when all blocks have arrived. Token is what this
/// thread got from __gpu_sync_arrive.
template <SyncStrategy Chosen>
__device__ __forceinline__ void
__gpu_sync_wait(const BasicGridBarrier<Chosen> &Bar, SyncToken Token) {
  detail::Strategy<Chosen>::wait(Bar, Token);
}

/// A barrier among all threads of the grid, as __syncthreads() is among those
/// of a block: returns when all have called it, and what they did to memory
/// before is seen by all after. To be called by all threads of all blocks.
///
/// Data that is written in the same launch must not be read through the
/// read-only path (`const T *__restrict__`, __ldg, textures): that path is not
/// coherent, and no barrier makes it so.
template <SyncStrategy Chosen>
__device__ __forceinline__ void
__gpu_sync(const BasicGridBarrier<Chosen> &Bar) {
  detail::Strategy<Chosen>::sync(Bar);
}

/// The same, and *To gets Value after all that the threads did before the
/// barrier, and before all that they do after. The last block to arrive, which
/// is block 0, stores it: one barrier where a read by all, a store, and another
/// read would need two.
template <SyncStrategy Chosen, typename Element>
__device__ __forceinline__ void __gpu_sync(const BasicGridBarrier<Chosen> &Bar,
                                           Element *To, Element Value) {
  // A barrier that is watched cannot be late on purpose.
  if (detail::Debug || detail::gridBlocks() < detail::BlocksForLate)
    __gpu_sync(Bar);
  else
    detail::Strategy<Chosen>::awaitOthers(Bar);
  if (detail::blockRank() == 0 && detail::isLeader())
    *To = Value;
  __gpu_sync(Bar);
}

/// Barriers between the steps of a kernel, each as wide as the steps before and
/// behind it need.
///
///   barricade::StepBarrier barrier(bar, gridDim);
///   for (unsigned j = k; j > 0; j /= 2) {
///     barrier.before_step(barricade::is_distance_in_block(j));
///     exchange(data, j); // data[i] and data[i ^ j]
///   }
///
/// A step is confined if each block touches only elements that belong to it, of
/// all memory that confined steps write, where which elements belong to a block
/// is the same in all steps. Between two confined steps before_step() is
/// __syncthreads(), else __gpu_sync(). All threads of all blocks must call it
/// equally often and with the same arguments; then all take the same branch,
/// since what decides there is made from these alone.
///
/// Why that is enough: take two accesses that conflict, in steps p < q. By one
/// block, they are ordered by bar.sync (link 1 above), which each before_step()
/// contains. By two blocks, p, q and all steps between cannot all be confined,
/// for then both accesses would be made by the block that owns the element. So
/// some before_step() between them is a __gpu_sync(), which comes after all
/// that the threads did in earlier steps: links 1 to 3. What bar.sync orders
/// before the leader's release is released with it.
template <SyncStrategy Chosen> class StepBarrier {
public:
  /// Elements belong to blocks by the thread's number in x. So no step counts
  /// as confined in a Grid of the steps' blocks, which may be more than there
  /// are, that has another dimension, or more threads than an int can count.
  __device__ StepBarrier(const BasicGridBarrier<Chosen> &Bar, dim3 Grid)
      : Whole(Bar), Threads(static_cast<size_t>(Grid.x) * blockDim.x),
        OwnersHold(Grid.y == 1 && Grid.z == 1 && Threads <= 0x7fffffff) {}

  /// No step counts as confined unless the elements that the grid's blocks own,
  /// one for each thread or fewer, lie apart behind these pointers.
  template <typename First, typename Second>
  __device__ void require_apart(First *FirstArray, Second *SecondArray) {
    const size_t Left = reinterpret_cast<size_t>(FirstArray),
                 Right = reinterpret_cast<size_t>(SecondArray);
    OwnersHold =
        OwnersHold && (Left < Right ? Right - Left >= Threads * sizeof(First)
                                    : Left - Right >= Threads * sizeof(Second));
  }

  /// The same, but equal pointers to elements of one size will do, too: then an
  /// element belongs to one block, whichever of them leads to it.
  template <typename First, typename Second>
  __device__ void require_same_or_apart(First *FirstArray,
                                        Second *SecondArray) {
    if (sizeof(First) != sizeof(Second) ||
        reinterpret_cast<size_t>(FirstArray) !=
            reinterpret_cast<size_t>(SecondArray))
      require_apart(FirstArray, SecondArray);
  }

  /// Whether a loop whose counter goes on by the grid's number of threads, and
  /// only from numbers up to Limit, stays below 2^31.
  template <typename Integer>
  __device__ __forceinline__ bool has_room_above(Integer Limit) const {
    return detail::hasRoomAbove(Limit, Threads);
  }

  /// To be called before each step. The first call has nothing to wait for, but
  /// may wait all the same.
  __device__ __forceinline__ void before_step(bool IsConfined) {
    const bool IsNarrow = IsConfined && OwnersHold;
    if (IsNarrow && WasNarrow)
      __syncthreads();
    else
      __gpu_sync(Whole);
    WasNarrow = IsNarrow;
  }

private:
  BasicGridBarrier<Chosen> Whole;
  size_t Threads;
  bool OwnersHold;
  bool WasNarrow = true;
};

/// Whether number ^ Distance is of the same block as number, for the number of
/// any thread in x.
template <typename Integer>
__device__ __forceinline__ bool is_distance_in_block(Integer Distance) {
  return (blockDim.x & (blockDim.x - 1)) == 0 &&
         static_cast<unsigned long long>(Distance) < blockDim.x;
}

namespace detail {
class StretchBuilder;

/// No compiler knows what memory holds from here on. Between the steps of a
/// persistent kernel the grid barrier's assembly sees to that; where there is
/// only __syncthreads(), nvcc (seen with 13.0, below sm_90) takes what one step
/// reads through __restrict__ for read-only in the whole kernel.
__device__ __forceinline__ void forgetMemory() {
#ifdef BARRICADE_GPU_SYNC_PTX
  asm volatile("" ::: "memory");
#endif
}
} // namespace detail

/// Launches of one grid and block as one launch, whose blocks run their steps
/// one after the other, each at its own pace: what a ReplayedLaunches makes of
/// launches that follow each other and are confined, as StepBarrier has it.
///
///   __global__ void exchange_stretch(const barricade::Stretch stretch) {
///     for (unsigned step = 0; step < stretch.length(); ++step) {
///       if (step > 0)
///         __syncthreads();
///       stretch.call<decltype(&exchange), 1>(step, [](auto data, auto j) {
///         exchange_step(blockIdx, data, j);
///       });
///     }
///   }
///
/// All threads see the same stretch, so all of a block come to the same
/// barriers.
///
/// Fixed: by bits, which arguments of that kernel are the same in all steps of
/// a stretch. They are held once.
class Stretch {
public:
  __device__ __forceinline__ unsigned length() const { return Length; }

  /// Calls Step with the arguments of step Index, a launch of Kernel, which all
  /// are.
  template <typename Kernel, unsigned Fixed, typename Function>
  __device__ __forceinline__ void call(unsigned Index, Function Step) const {
    callAs<0, Fixed>(static_cast<Kernel>(nullptr), Index, Step);
  }
  /// The same if it is a launch of Kernel, whose number that is.
  template <unsigned Number, typename Kernel, unsigned Fixed, typename Function>
  __device__ __forceinline__ void call_if(unsigned Index, Function Step) const {
    if (Numbers[Index] == Number)
      callAs<Number, Fixed>(static_cast<Kernel>(nullptr), Index, Step);
  }

private:
  friend class detail::StretchBuilder;

  /// It is an argument of a launch, which CUDA copies: 512 bytes of it.
  static constexpr unsigned MostSteps = 52, MostKernels = 4, MostBytes = 432;

  template <unsigned Number, unsigned Fixed, typename... Parameters,
            typename Function>
  __device__ __forceinline__ void callAs(void (*)(Parameters...),
                                         unsigned Index, Function &Step) const {
    callWith<Fixed, 0, 0, Parameters...>(Bytes + FixedAt[Number],
                                         Bytes + Index * Width, Step);
    detail::forgetMemory();
  }
  /// Fixed: bits that are left. OfFixed and OfStep: where the arguments before
  /// First end.
  template <unsigned Fixed, unsigned OfFixed, unsigned OfStep, typename First,
            typename... Rest, typename Function, typename... Done>
  __device__ __forceinline__ static void
  callWith(const unsigned char *AllFixed, const unsigned char *OfThis,
           Function &Step, const Done &...Before) {
    constexpr auto Size = static_cast<unsigned>(sizeof(First));
    constexpr bool IsFixed = (Fixed & 1) != 0;
    constexpr unsigned Place =
        detail::placeBySize(IsFixed ? OfFixed : OfStep, Size);
    callWith<Fixed / 2, (IsFixed ? Place + Size : OfFixed),
             (IsFixed ? OfStep : Place + Size), Rest...>(
        AllFixed, OfThis, Step, Before...,
        *reinterpret_cast<const First *>((IsFixed ? AllFixed : OfThis) +
                                         Place));
  }
  template <unsigned Fixed, unsigned OfFixed, unsigned OfStep,
            typename Function, typename... Done>
  __device__ __forceinline__ static void
  callWith(const unsigned char *, const unsigned char *, Function &Step,
           const Done &...All) {
    Step(All...);
  }

  unsigned Length;
  unsigned Width; ///< Of what each step has for itself, from Bytes on.
  unsigned char Numbers[MostSteps];
  unsigned short FixedAt[MostKernels];
  alignas(16) unsigned char Bytes[MostBytes];
};
static_assert(sizeof(Stretch) == 512);

/// The share of a logical grid that falls to the calling block: a range for a
/// range-based for loop, whose elements stand for blockIdx. The logical grid
/// may be of any size and shape, whatever grid is resident. Shared memory that
/// one logical block leaves behind for another is the caller's concern: put
/// __syncthreads() at the end of the loop's body.
class LogicalBlocks {
public:
  class Iterator {
  public:
    __device__ Iterator(dim3 LogicalGrid, unsigned long long First)
        : Grid(LogicalGrid), Rank(First) {}
    __device__ uint3 operator*() const { return detail::indexAt(Rank, Grid); }
    __device__ Iterator &operator++() {
      Rank += detail::gridBlocks();
      return *this;
    }
    /// Only for the comparison with the end, which a stride may jump over.
    __device__ bool operator!=(const Iterator &End) const {
      return Rank < End.Rank;
    }

  private:
    dim3 Grid;
    unsigned long long Rank;
  };

  __device__ explicit LogicalBlocks(dim3 LogicalGrid) : Grid(LogicalGrid) {}
  __device__ Iterator begin() const { return {Grid, detail::blockRank()}; }
  __device__ Iterator end() const {
    return {Grid, static_cast<unsigned long long>(Grid.x) * Grid.y * Grid.z};
  }

private:
  dim3 Grid;
};

__device__ inline LogicalBlocks logical_blocks(dim3 Grid) {
  return LogicalBlocks(Grid);
}

/// A thread of a grid that threads of other blocks run.
struct LogicalThread {
  uint3 Block;  ///< Its blockIdx.
  uint3 Thread; ///< Its threadIdx.
};

/// The threads of a logical grid that this thread has to run, where the logical
/// blocks have another size than the blocks of the launch:
///
///   for (const auto thread : barricade::logical_threads(Grid, Block))
///     step(thread.Block, thread.Thread, ...);
///
/// Threads that follow each other stay side by side. Those of a logical block
/// run at different times, so they cannot wait for each other.
class LogicalThreads {
public:
  class Iterator {
  public:
    __device__ Iterator(dim3 LogicalGrid, dim3 LogicalBlock,
                        unsigned long long First)
        : Grid(LogicalGrid), Block(LogicalBlock), Rank(First) {}
    __device__ LogicalThread operator*() const {
      const unsigned Threads = Block.x * Block.y * Block.z;
      // That of a grid which is resident at once is short, and divided faster.
      const unsigned Short = static_cast<unsigned>(Rank);
      const unsigned long long BlockRank =
          Short == Rank ? Short / Threads : Rank / Threads;
      return {detail::indexAt(BlockRank, Grid),
              detail::indexAt(Rank - BlockRank * Threads, Block)};
    }
    __device__ Iterator &operator++() {
      Rank += static_cast<unsigned long long>(detail::gridBlocks()) *
              detail::blockThreads();
      return *this;
    }
    /// Only for the comparison with the end, which a stride may jump over.
    __device__ bool operator!=(const Iterator &End) const {
      return Rank < End.Rank;
    }

  private:
    dim3 Grid, Block;
    unsigned long long Rank;
  };

  __device__ LogicalThreads(dim3 LogicalGrid, dim3 LogicalBlock)
      : Grid(LogicalGrid), Block(LogicalBlock) {}
  __device__ Iterator begin() const {
    return {Grid, Block,
            static_cast<unsigned long long>(detail::blockRank()) *
                    detail::blockThreads() +
                detail::threadRank()};
  }
  __device__ Iterator end() const {
    return {Grid, Block,
            static_cast<unsigned long long>(Grid.x) * Grid.y * Grid.z *
                (Block.x * Block.y * Block.z)};
  }

private:
  dim3 Grid, Block;
};

__device__ inline LogicalThreads logical_threads(dim3 Grid, dim3 Block) {
  return LogicalThreads(Grid, Block);
}

namespace detail {

/// Without const and volatile.
template <typename Element> struct Plain {
  using Type = Element;
};
template <typename Element> struct Plain<const Element> : Plain<Element> {};
template <typename Element> struct Plain<volatile Element> : Plain<Element> {};
template <typename Element>
struct Plain<const volatile Element> : Plain<Element> {};

} // namespace detail

/// A copy of an array of the host's, as a kernel can take it for a parameter.
/// The host may have the elements with other qualifiers.
template <typename Element, size_t Size> class Array {
public:
  Array() = default;
  template <typename Other>
  Array(const Other (&From)[Size]) { // NOLINT: converts on purpose
    for (size_t Index = 0; Index < Size; ++Index)
      Elements[Index] = From[Index];
  }
  /// All zero where there is nothing to read behind the pointer.
  template <typename Other> Array(const Other *From, bool IsThere) {
    for (size_t Index = 0; Index < Size; ++Index)
      Elements[Index] = IsThere ? From[Index] : Plain();
  }
  __device__ Element &operator[](size_t Index) { return Elements[Index]; }

private:
  using Plain = typename detail::Plain<Element>::Type;
  Plain Elements[Size];
};

/// The first elements of an array, for a loop that reads them if it runs at
/// all.
template <size_t Size, typename Element> struct FirstElements {
  const Element *From;
  bool Runs;

  template <typename Copied> operator Array<Copied, Size>() const { // NOLINT
    return {From, Runs};
  }
};

template <size_t Size, typename Element>
FirstElements<Size, Element> first_elements(const Element *From,
                                            bool Runs = true) {
  return {From, Runs};
}

/// What std::swap does, for a host loop that has moved to the device.
template <typename Element>
__device__ __forceinline__ void swap(Element &First, Element &Second) {
  const Element Old = First;
  First = Second;
  Second = Old;
}

/// What std::min and std::max do.
template <typename Number>
__device__ __forceinline__ Number(min)(Number Left, Number Right) {
  return Right < Left ? Right : Left;
}
template <typename Number>
__device__ __forceinline__ Number(max)(Number Left, Number Right) {
  return Left < Right ? Right : Left;
}

/// The same pointer to global memory, of which the compiler no longer knows
/// that the kernel was given it. What one step only reads through a
/// `__restrict__` parameter another may write: so loads through it must not
/// take the read-only path, which is for memory that nobody writes as long as
/// the kernel runs, and which compilers take for the kernel's own parameters
/// only.
template <typename Element>
__device__ __forceinline__ Element *coherent(Element *Pointer) {
#ifdef BARRICADE_GPU_SYNC_PTX
  size_t Global = __cvta_generic_to_global(
      const_cast<const void *>(static_cast<const volatile void *>(Pointer)));
  asm("" : "+l"(Global));
  return static_cast<Element *>(__cvta_global_to_generic(Global));
#else
  Element *volatile Hidden = Pointer;
  return Hidden;
#endif
}

/// Value, of which no compiler knows that it was the same before. Without it
/// what a step computes of its arguments alone is computed once for all steps,
/// and a product of floating-point numbers is rounded then, which the kernel
/// contracted with a sum.
template <typename Type> __device__ __forceinline__ Type anew(Type Value) {
#ifdef BARRICADE_GPU_SYNC_PTX
  constexpr size_t Count =
      (sizeof(Type) + sizeof(unsigned) - 1) / sizeof(unsigned);
  unsigned Words[Count] = {};
  __builtin_memcpy(Words, static_cast<const void *>(&Value), sizeof(Type));
#pragma unroll
  for (unsigned &Word : Words)
    asm volatile("" : "+r"(Word));
  __builtin_memcpy(static_cast<void *>(&Value), Words, sizeof(Type));
#endif
  return Value;
}
/// The same for plain numbers, of which less is to be seen through.
__device__ __forceinline__ float anew(float Value) {
#ifdef BARRICADE_GPU_SYNC_PTX
  asm volatile("" : "+f"(Value));
#endif
  return Value;
}
__device__ __forceinline__ double anew(double Value) {
#ifdef BARRICADE_GPU_SYNC_PTX
  asm volatile("" : "+d"(Value));
#endif
  return Value;
}
__device__ __forceinline__ unsigned anew(unsigned Value) {
#ifdef BARRICADE_GPU_SYNC_PTX
  asm volatile("" : "+r"(Value));
#endif
  return Value;
}
__device__ __forceinline__ unsigned long long anew(unsigned long long Value) {
#ifdef BARRICADE_GPU_SYNC_PTX
  asm volatile("" : "+l"(Value));
#endif
  return Value;
}
__device__ __forceinline__ int anew(int Value) {
  return static_cast<int>(anew(static_cast<unsigned>(Value)));
}
__device__ __forceinline__ bool anew(bool Value) {
  return anew(static_cast<unsigned>(Value)) != 0;
}
__device__ __forceinline__ long long anew(long long Value) {
  return static_cast<long long>(anew(static_cast<unsigned long long>(Value)));
}
__device__ __forceinline__ unsigned long anew(unsigned long Value) {
  return static_cast<unsigned long>(
      anew(static_cast<unsigned long long>(Value)));
}
__device__ __forceinline__ long anew(long Value) {
  return static_cast<long>(anew(static_cast<unsigned long long>(Value)));
}
template <> __device__ __forceinline__ uint3 anew<uint3>(uint3 Value) {
  return {anew(Value.x), anew(Value.y), anew(Value.z)};
}

/// What one step of a fused kernel stores is not kept in registers for the
/// next one: nor is a product, which would be contracted with a sum of that.
__device__ __forceinline__ void end_step() { detail::forgetMemory(); }

/// Waits until the grid before in the stream has ended and all that it wrote
/// can be seen; does nothing where that is so already. To be the first
/// statement of kernels that OverlappedLaunches launches.
__device__ __forceinline__ void wait_for_previous_grid() {
#if defined(BARRICADE_GPU_SYNC_PTX) && defined(__CUDA_ARCH__) &&               \
    __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// What cudaMemcpy of one value to the device does, and what cudaMemset and
/// cudaMemcpy within the device do, each by all threads of the grid together. A
/// barrier has to stand before what they wrote is read, and before what they
/// read is written.
template <typename Element> __device__ void store(Element *To, Element Value) {
  if (detail::blockRank() == 0 && detail::threadRank() == 0)
    *To = Value;
}

namespace detail {

/// Calls Act(I) for I = 0 .. Count - 1, each in one thread of the grid.
template <typename Function>
__device__ void forEachInGrid(size_t Count, Function Act) {
  const size_t Stride = size_t(gridBlocks()) * blockThreads();
  for (size_t Index = size_t(blockRank()) * blockThreads() + threadRank();
       Index < Count; Index += Stride)
    Act(Index);
}

/// How bytes are words of sixteen, with single bytes before and behind those.
struct Words {
  size_t Head;  ///< Bytes before the first word.
  size_t Count; ///< Words.

  __device__ Words(const void *Begin, size_t Bytes)
      : Head((16 - reinterpret_cast<size_t>(Begin) % 16) % 16), Count(0) {
    if (Head < Bytes)
      Count = (Bytes - Head) / 16;
  }
  /// Where the single byte with the number Index is.
  __device__ size_t place(size_t Index) const {
    return Index < Head ? Index : Index + 16 * Count;
  }
};

} // namespace detail

__device__ inline void fill(void *To, int Byte, size_t Bytes) {
  auto *const Target = static_cast<unsigned char *>(To);
  const auto Value = static_cast<unsigned char>(Byte);
  const unsigned Four = Value * 0x01010101u;
  const detail::Words In(To, Bytes);
  auto *const Inner = reinterpret_cast<uint4 *>(Target + In.Head);
  detail::forEachInGrid(In.Count, [&](size_t Index) {
    Inner[Index] = make_uint4(Four, Four, Four, Four);
  });
  detail::forEachInGrid(Bytes - 16 * In.Count,
                        [&](size_t Index) { Target[In.place(Index)] = Value; });
}

__device__ inline void copy(void *To, const void *From, size_t Bytes) {
  auto *const Target = static_cast<unsigned char *>(To);
  const auto *const Source = static_cast<const unsigned char *>(From);
  detail::Words In(To, Bytes);
  if ((reinterpret_cast<size_t>(To) - reinterpret_cast<size_t>(From)) % 16 != 0)
    In.Count = 0;
  auto *const Inner = reinterpret_cast<uint4 *>(Target + In.Head);
  const auto *const Outer = reinterpret_cast<const uint4 *>(Source + In.Head);
  detail::forEachInGrid(In.Count,
                        [&](size_t Index) { Inner[Index] = Outer[Index]; });
  detail::forEachInGrid(Bytes - 16 * In.Count, [&](size_t Index) {
    Target[In.place(Index)] = Source[In.place(Index)];
  });
}

//===----------------------------------------------------------------------===//
// The host's interface
//===----------------------------------------------------------------------===//

namespace detail {

/// The type itself, hidden from template argument deduction: a launch's
/// arguments convert to the kernel's parameters as in kernel<<<...>>>(...).
template <typename Element> struct NotDeduced {
  using Type = Element;
};

/// Where an argument lies, as launches want to know it.
template <typename Argument> void *addressOf(Argument &Given) {
  return const_cast<void *>(
      static_cast<const volatile void *>(__builtin_addressof(Given)));
}

#ifdef BARRICADE_EMULATED

struct UnrecordedCalls {
  UnrecordedCalls() {} // not trivial, hence never an unused variable
};

#else

/// Lets this thread make calls that are not recorded while a stream is being
/// captured, as an allocation and a kernel's first use are.
class UnrecordedCalls {
public:
  UnrecordedCalls() { (void)cudaThreadExchangeStreamCaptureMode(&Mode); }
  UnrecordedCalls(const UnrecordedCalls &) = delete;
  UnrecordedCalls &operator=(const UnrecordedCalls &) = delete;
  ~UnrecordedCalls() { (void)cudaThreadExchangeStreamCaptureMode(&Mode); }

private:
  cudaStreamCaptureMode Mode = cudaStreamCaptureModeRelaxed;
};

#endif

/// Whether what goes into Stream is recorded instead of done, as far as the
/// runtime can tell. A graph is the caller's, who may count its nodes, launch
/// it twice at once, clone and update it: with other nodes, above all such that
/// allocate memory, it could not do all that.
inline bool isCaptured(cudaStream_t Stream) {
#ifdef BARRICADE_EMULATED
  (void)Stream;
  return false;
#else
  cudaStreamCaptureStatus Capture = cudaStreamCaptureStatusNone;
  return cudaStreamIsCapturing(Stream, &Capture) != cudaSuccess ||
         Capture != cudaStreamCaptureStatusNone;
#endif
}

/// Which slot belongs to which stream, by device, and which of its cells are in
/// use; the same in all sources of a program. Only touched by atomic accesses.
constexpr int MaxDevices = 64;
constexpr unsigned NoSlot = ~0u;
inline unsigned long long SlotOwners[MaxDevices][Slots];
inline unsigned CellsInUse[MaxDevices][Slots];

/// The slot of Stream, which is claimed at its first use and kept: numbers of
/// streams are not used again. NoSlot where all belong to others.
inline unsigned slotOf(int Device, cudaStream_t Stream) {
#if CUDART_VERSION >= 12000
  unsigned long long Id;
  if (Device >= MaxDevices || cudaStreamGetId(Stream, &Id) != cudaSuccess)
    return NoSlot;
  const unsigned long long Owner = Id + 1; // nobody is 0
  for (unsigned Probe = 0; Owner != 0 && Probe < Slots; ++Probe) {
    const unsigned Slot = static_cast<unsigned>((Id + Probe) % Slots);
    unsigned long long Found = 0;
    if (__atomic_compare_exchange_n(&SlotOwners[Device][Slot], &Found, Owner,
                                    false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED) ||
        Found == Owner)
      return Slot;
  }
#else
  (void)Device, (void)Stream;
#endif
  return NoSlot;
}

/// Memory for one launch, allocated and freed in the order of its stream.
class LaunchMemory {
public:
  explicit LaunchMemory(cudaStream_t OrderedIn) : Stream(OrderedIn) {}
  LaunchMemory(const LaunchMemory &) = delete;
  LaunchMemory &operator=(const LaunchMemory &) = delete;
  ~LaunchMemory() {
    if (Memory)
      (void)cudaFreeAsync(Memory, Stream);
  }

  cudaError_t allocate(size_t Bytes) {
    return cudaMallocAsync(&Memory, Bytes, Stream);
  }
  cudaError_t allocateZeros(size_t Bytes) {
    if (const cudaError_t Error = allocate(Bytes))
      return Error;
    return cudaMemsetAsync(Memory, 0, Bytes, Stream);
  }
  void *get() const { return Memory; }

private:
  cudaStream_t Stream;
  void *Memory = nullptr;
};

/// A barrier for one launch: the counter of its stream's slot or, for what
/// needs more, memory of its own.
template <SyncStrategy Chosen> class LaunchBarrier {
public:
  explicit LaunchBarrier(cudaStream_t OrderedIn)
      : Stream(OrderedIn), Memory(OrderedIn) {}

  cudaError_t prepare(int Device, size_t Blocks) {
    if (NeedsMemory<Chosen>)
      return Memory.allocateZeros(stateBytes(Blocks));
    if (!HasCounterAlone<Chosen> || LaunchesHaveCounters)
      return cudaSuccess;
    Slot = slotOf(Device, Stream);
    // The launches instead cost less than memory would.
    return Slot == NoSlot ? cudaErrorNotSupported : cudaSuccess;
  }

  BasicGridBarrier<Chosen> get() const {
    return NeedsMemory<Chosen> ? BasicGridBarrier<Chosen>(Memory.get())
                               : BasicGridBarrier<Chosen>(Slot);
  }

private:
  cudaStream_t Stream;
  LaunchMemory Memory;
  unsigned Slot = 0;
};

/// Leaves the runtime's last error as it was: a caller who falls back to other
/// launches after a refusal must not find it there.
class LastErrorGuard {
public:
  LastErrorGuard() : WasClean(cudaPeekAtLastError() == cudaSuccess) {}
  LastErrorGuard(const LastErrorGuard &) = delete;
  LastErrorGuard &operator=(const LastErrorGuard &) = delete;
  ~LastErrorGuard() {
    if (WasClean)
      (void)cudaGetLastError();
  }

private:
  bool WasClean;
};

/// Shared memory that a kernel gets without asking.
constexpr size_t DefaultSharedBytes = 48 * 1024;

/// Whether Wanted blocks are more than the device holds of any kernel. That is
/// known without this kernel, which the question for its own limit loads: some
/// 200 us in which the launches instead would have run (H200).
inline cudaError_t exceedsDevice(bool *Exceeds, int Device,
                                 unsigned long long Wanted, dim3 Block) {
  int Multiprocessors, Blocks, Threads;
  if (const cudaError_t Error = cudaDeviceGetAttribute(
          &Multiprocessors, cudaDevAttrMultiProcessorCount, Device))
    return Error;
  if (const cudaError_t Error = cudaDeviceGetAttribute(
          &Blocks, cudaDevAttrMaxBlocksPerMultiprocessor, Device))
    return Error;
  if (const cudaError_t Error = cudaDeviceGetAttribute(
          &Threads, cudaDevAttrMaxThreadsPerMultiProcessor, Device))
    return Error;
  const unsigned long long Own =
      static_cast<unsigned long long>(Block.x) * Block.y * Block.z;
  const auto Most = [&](int PerMultiprocessor) {
    return static_cast<unsigned long long>(PerMultiprocessor) *
           static_cast<unsigned long long>(Multiprocessors);
  };
  *Exceeds =
      Wanted > Most(Blocks) || (Own != 0 && Wanted > Most(Threads) / Own);
  return cudaSuccess;
}

template <typename... Params>
cudaError_t maxResidentBlocks(unsigned *Blocks, void (*Kernel)(Params...),
                              dim3 Block, size_t SharedBytes) {
  *Blocks = 0;
  int Device, Cooperative, IsLimited, Multiprocessors, PerMultiprocessor;
  if (const cudaError_t Error = cudaGetDevice(&Device))
    return Error;
  if (const cudaError_t Error = cudaDeviceGetAttribute(
          &Cooperative, cudaDevAttrCooperativeLaunch, Device))
    return Error;
  if (!Cooperative)
    return cudaErrorNotSupported;
  // Where the device also draws a desktop kernels are ended after some seconds.
  // Launches of which none takes so long may take longer as one.
  if (const cudaError_t Error = cudaDeviceGetAttribute(
          &IsLimited, cudaDevAttrKernelExecTimeout, Device))
    return Error;
  if (IsLimited)
    return cudaErrorNotSupported;
  if (const cudaError_t Error = cudaDeviceGetAttribute(
          &Multiprocessors, cudaDevAttrMultiProcessorCount, Device))
    return Error;
  if (SharedBytes > DefaultSharedBytes)
    if (const cudaError_t Error = cudaFuncSetAttribute(
            Kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
            static_cast<int>(SharedBytes)))
      return Error;
  const unsigned long long Threads =
      static_cast<unsigned long long>(Block.x) * Block.y * Block.z;
  if (Threads == 0 || Threads > 1024)
    return cudaErrorInvalidConfiguration;
  if (const cudaError_t Error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &PerMultiprocessor, Kernel, static_cast<int>(Threads), SharedBytes))
    return Error;
  if (PerMultiprocessor == 0)
    return cudaErrorLaunchOutOfResources;
  *Blocks = static_cast<unsigned>(Multiprocessors * PerMultiprocessor);
  return cudaSuccess;
}

/// What launches know Kernel by.
template <typename... Params> const void *entryOf(void (*Kernel)(Params...)) {
#ifdef BARRICADE_EMULATED
  return barricade_emu::handleOf(Kernel);
#else
  return reinterpret_cast<const void *>(Kernel);
#endif
}

} // namespace detail

/// A kernel whose parameters do not matter.
class AnyKernel {
public:
  template <typename... Params>
  AnyKernel(void (*Kernel)(Params...)) // NOLINT: converts on purpose
      : Entry(detail::entryOf(Kernel)) {}
  explicit AnyKernel(const void *KernelEntry) : Entry(KernelEntry) {}
  const void *entry() const { return Entry; }

private:
  const void *Entry;
};

namespace detail {

/// Each of Kernels can be launched with SharedBytes of dynamic shared memory:
/// it was allowed as much, by cudaFuncSetAttribute(), if that is more than all
/// are.
template <size_t Count>
cudaError_t allowShared(const AnyKernel (&Kernels)[Count], size_t SharedBytes) {
  if (SharedBytes == 0)
    return cudaSuccess;
  for (const AnyKernel &Kernel : Kernels) {
    cudaFuncAttributes Known;
    if (const cudaError_t Error = cudaFuncGetAttributes(&Known, Kernel.entry()))
      return Error;
    if (SharedBytes > static_cast<size_t>(Known.maxDynamicSharedSizeBytes))
      return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

/// cudaErrorLaunchOutOfResources if a multiprocessor holds fewer blocks of a
/// kernel than of each of those that it was made from.
template <size_t Count>
cudaError_t keepsOccupancy(AnyKernel Whole, const AnyKernel (&Parts)[Count],
                           unsigned Threads, size_t SharedBytes) {
  int OfWhole = 0, Least = 0;
  if (const cudaError_t Error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &OfWhole, Whole.entry(), static_cast<int>(Threads), SharedBytes))
    return Error;
  for (const AnyKernel &Part : Parts) {
    int OfPart = 0;
    if (const cudaError_t Error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &OfPart, Part.entry(), static_cast<int>(Threads), SharedBytes))
      return Error;
    if (OfPart == 0)
      return cudaErrorLaunchOutOfResources; // As its own launch.
    Least = Least == 0 || OfPart < Least ? OfPart : Least;
  }
  return OfWhole == 0 || OfWhole < Least ? cudaErrorLaunchOutOfResources
                                         : cudaSuccess;
}

/// What is known of a kernel on a device. Only touched by atomic accesses.
struct KernelNotes {
  unsigned long long Key;   ///< Address and device; 0: nobody's.
  unsigned long long Spent; ///< Nanoseconds, by loops that it may continue.
  unsigned long long TookOverWith; ///< Blocks, when it last did.
  unsigned long long RefusedWith;  ///< Blocks, when its launch last was.
  unsigned LocalMemory;    ///< What keepsLocalMemory has found, 0: nothing.
  unsigned UncountedLoops; ///< That it might have begun.
  unsigned EndsSoon; ///< The last of them that was watched had one iteration.
  unsigned long long Iterations; ///< Of loops with the blocks of BusyWith.
  /// Blocks, when the device was last seen not to wait for the host, and the
  /// iteration from which on that is looked at again.
  unsigned long long BusyWith, LookAt;
  /// As the kernel of stretches: launches that it could have saved, and those
  /// that it has been found to be no worse than.
  unsigned long long Missed, StepsLike[8];
};
constexpr unsigned KnownKernels = 256;
inline KernelNotes Notes[KnownKernels];

/// Null where the place is another kernel's.
inline KernelNotes *notesOf(AnyKernel Kernel, int Device) {
  const auto Address = reinterpret_cast<unsigned long long>(Kernel.entry());
  const auto Number = static_cast<unsigned>(Device);
  if (Number >= MaxDevices || Address >> 56 != 0)
    return nullptr;
  const unsigned long long Key = Address << 8 | Number;
  KernelNotes &Place = Notes[(Address / 16 + Number) % KnownKernels];
  unsigned long long Found = 0;
  const bool IsOwn =
      __atomic_compare_exchange_n(&Place.Key, &Found, Key, false,
                                  __ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
      Found == Key;
  return IsOwn ? &Place : nullptr;
}

/// Whether Whole needs no more local memory than one of the kernels that it was
/// made from: where it does, registers are spilled that were not. Asked again
/// for each launch, so the answer is kept.
template <size_t Count>
cudaError_t keepsLocalMemory(bool *Keeps, int Device, AnyKernel Whole,
                             const AnyKernel (&Parts)[Count]) {
  enum AnswerTy : unsigned { Unknown, Kept, Lost };
  KernelNotes *Known = notesOf(Whole, Device);
  const unsigned Answer =
      Known ? __atomic_load_n(&Known->LocalMemory, __ATOMIC_RELAXED) : Unknown;
  if (Answer != Unknown) {
    *Keeps = Answer == Kept;
    return cudaSuccess;
  }
  cudaFuncAttributes OfWhole, OfPart;
  if (const cudaError_t Error = cudaFuncGetAttributes(&OfWhole, Whole.entry()))
    return Error;
  *Keeps = OfWhole.localSizeBytes == 0;
  for (const AnyKernel &Part : Parts) {
    if (*Keeps)
      break;
    if (const cudaError_t Error = cudaFuncGetAttributes(&OfPart, Part.entry()))
      return Error;
    *Keeps = OfWhole.localSizeBytes <= OfPart.localSizeBytes;
  }
  if (Known)
    __atomic_store_n(&Known->LocalMemory, *Keeps ? Kept : Lost,
                     __ATOMIC_RELAXED);
  return cudaSuccess;
}

enum class WhenTooLarge { Clamp, Refuse };

/// Why Kernel would be slower than the kernels that it was made from, if it is.
/// A grid that is resident as a whole gains nothing from a higher occupancy.
template <size_t Count>
cudaError_t isNoWorse(bool IsResident, int Device, AnyKernel Kernel,
                      const AnyKernel (&Parts)[Count], dim3 Block,
                      size_t SharedBytes) {
  if (const cudaError_t Error = allowShared(Parts, SharedBytes))
    return Error;
  bool Keeps;
  if (const cudaError_t Error = keepsLocalMemory(&Keeps, Device, Kernel, Parts))
    return Error;
  if (!Keeps)
    return cudaErrorLaunchOutOfResources;
  return IsResident ? cudaSuccess
                    : keepsOccupancy(Kernel, Parts, Block.x * Block.y * Block.z,
                                     SharedBytes);
}

#ifdef BARRICADE_GPU_SYNC_CLUSTER

/// How a grid is launched so that it is one cluster. Its blocks are together on
/// a part of the device, where the barrier among them takes 0.25 us less than a
/// counter does (H200).
class ClusterLaunch {
public:
  /// As many as some devices allow for what asks for it, and threads of them
  /// that a part of the device feeds as fast as the whole would (H200: 16
  /// blocks of 1024 took 1.09 times as long for 8 MB in each step).
  static constexpr unsigned MostBlocks = 16, MostThreads = 8192;

  ClusterLaunch(dim3 Grid, dim3 Block, size_t SharedBytes,
                cudaStream_t Stream) {
    Attributes[0].id = cudaLaunchAttributeClusterDimension;
    Attributes[0].val.clusterDim.x = Grid.x;
    Attributes[0].val.clusterDim.y = Grid.y;
    Attributes[0].val.clusterDim.z = Grid.z;
    // Code for devices without clusters, which may run here, needs the counter.
    Attributes[1].id = cudaLaunchAttributeCooperative;
    Attributes[1].val.cooperative = 1;
    Config.gridDim = Grid;
    Config.blockDim = Block;
    Config.dynamicSmemBytes = SharedBytes;
    Config.stream = Stream;
    Config.attrs = Attributes;
    Config.numAttrs = 2;
  }
  ClusterLaunch(const ClusterLaunch &) = delete;
  ClusterLaunch &operator=(const ClusterLaunch &) = delete;

  /// Whether a grid is that small, and Device has clusters.
  static bool isFor(int Device, dim3 Grid, dim3 Block) {
    const unsigned long long Blocks = 1ull * Grid.x * Grid.y * Grid.z;
    const unsigned long long Threads = 1ull * Block.x * Block.y * Block.z;
    int HasClusters = 0;
    return Blocks <= MostBlocks && Blocks * Threads <= MostThreads &&
           cudaDeviceGetAttribute(&HasClusters, cudaDevAttrClusterLaunch,
                                  Device) == cudaSuccess &&
           HasClusters;
  }

  /// Whether Device can do that with Kernel.
  bool isPossible(int Device, const void *Kernel) {
    int Clusters = 0;
    return isFor(Device, Config.gridDim, Config.blockDim) &&
           cudaFuncSetAttribute(Kernel,
                                cudaFuncAttributeNonPortableClusterSizeAllowed,
                                1) == cudaSuccess &&
           cudaOccupancyMaxActiveClusters(&Clusters, Kernel, &Config) ==
               cudaSuccess &&
           Clusters > 0;
  }

  cudaError_t launch(const void *Kernel, void **Arguments) {
    return cudaLaunchKernelExC(&Config, Kernel, Arguments);
  }

private:
  cudaLaunchAttribute Attributes[2]{};
  cudaLaunchConfig_t Config{};
};

#endif

/// Launches Kernel, all of whose blocks will be resident.
template <SyncStrategy Chosen, typename... Params>
cudaError_t launchResident(int Device,
                           void (*Kernel)(BasicGridBarrier<Chosen>, Params...),
                           dim3 Grid, dim3 Block, size_t SharedBytes,
                           cudaStream_t Stream, Params &...Args) {
#ifdef BARRICADE_GPU_SYNC_CLUSTER
  if constexpr (MayBeCluster<Chosen>) {
    ClusterLaunch AsCluster(Grid, Block, SharedBytes, Stream);
    if (AsCluster.isPossible(Device, entryOf(Kernel))) {
      BasicGridBarrier<Chosen> Bar(SlotOfCluster);
      void *Arguments[] = {&Bar, detail::addressOf(Args)...};
      if (AsCluster.launch(entryOf(Kernel), Arguments) == cudaSuccess)
        return cudaSuccess;
    }
  }
#endif
  LaunchBarrier<Chosen> Barrier(Stream);
  if (const cudaError_t Error = Barrier.prepare(
          Device, static_cast<size_t>(Grid.x) * Grid.y * Grid.z))
    return Error;
  BasicGridBarrier<Chosen> Bar = Barrier.get();
  void *Arguments[] = {&Bar, detail::addressOf(Args)...};
  return cudaLaunchCooperativeKernel(Kernel, Grid, Block, Arguments,
                                     SharedBytes, Stream);
}

/// Admits: what else has to hold on the device for a grid that is resident as a
/// whole, or is not, asked when Kernel can be launched there.
template <typename Condition, SyncStrategy Chosen, typename... Params>
cudaError_t launch(WhenTooLarge Policy, Condition Admits,
                   void (*Kernel)(BasicGridBarrier<Chosen>, Params...),
                   dim3 Grid, dim3 Block, size_t SharedBytes,
                   cudaStream_t Stream, Params &...Args) {
  // Checks that stood between launches and follow this one must not find it.
  if (const cudaError_t Pending = cudaPeekAtLastError())
    return Pending;
  const LastErrorGuard KeepError;
  if (isCaptured(Stream))
    return cudaErrorStreamCaptureUnsupported;
  // Another stream may be captured meanwhile.
  const UnrecordedCalls DuringCapture;
  const unsigned long long Wanted =
      static_cast<unsigned long long>(Grid.x) * Grid.y * Grid.z;
  if (Wanted == 0)
    return cudaErrorInvalidConfiguration;
  int Device;
  if (const cudaError_t Error = cudaGetDevice(&Device))
    return Error;
  if (Policy == WhenTooLarge::Refuse) {
    bool Exceeds;
    if (const cudaError_t Error =
            exceedsDevice(&Exceeds, Device, Wanted, Block))
      return Error;
    if (Exceeds)
      return cudaErrorCooperativeLaunchTooLarge;
  }
  unsigned Resident;
  if (const cudaError_t Error =
          maxResidentBlocks(&Resident, Kernel, Block, SharedBytes))
    return Error;
  const bool IsResident = Wanted <= Resident;
  if (!IsResident) {
    if (Policy == WhenTooLarge::Refuse)
      return cudaErrorCooperativeLaunchTooLarge;
    Grid = dim3(Resident);
  }
  if (const cudaError_t Error = Admits(Device, IsResident))
    return Error;
  return launchResident(Device, Kernel, Grid, Block, SharedBytes, Stream,
                        Args...);
}

inline cudaError_t always(int, bool) { return cudaSuccess; }

/// The same, for a kernel that does what launches of Parts do.
template <SyncStrategy Chosen, typename... Params, size_t Count>
cudaError_t launchInsteadOf(const AnyKernel (&Parts)[Count],
                            WhenTooLarge Policy,
                            void (*Kernel)(BasicGridBarrier<Chosen>, Params...),
                            dim3 Grid, dim3 Block, size_t SharedBytes,
                            cudaStream_t Stream, Params &...Args) {
  return launch(
      Policy,
      [&](int Device, bool IsResident) {
        // One that may be clamped is told by its loop whether it pays.
        return Policy == WhenTooLarge::Clamp && IsResident
                   ? cudaSuccess
                   : isNoWorse(IsResident, Device, Kernel, Parts, Block,
                               SharedBytes);
      },
      Kernel, Grid, Block, SharedBytes, Stream, Args...);
}

} // namespace detail

/// How many blocks of Kernel can be resident on the current device at once,
/// into *Blocks: the largest grid that a barrier may have. Lets Kernel use
/// SharedBytes of dynamic shared memory, if that is more than the default.
/// Errors: cudaErrorNotSupported (no cooperative launch on the device, or a
/// limit on how long kernels run), cudaErrorInvalidConfiguration (block size),
/// cudaErrorLaunchOutOfResources
/// (not even one block fits), and those of the runtime's calls.
template <typename... Params>
cudaError_t max_resident_blocks(unsigned *Blocks, void (*Kernel)(Params...),
                                dim3 Block, size_t SharedBytes) {
  const detail::LastErrorGuard KeepError;
  const detail::UnrecordedCalls DuringCapture;
  return detail::maxResidentBlocks(Blocks, Kernel, Block, SharedBytes);
}

/// Launches Kernel, whose first parameter is a grid barrier and the others get
/// Args, so that all its blocks are resident. A grid that is too large is
/// clamped to a one-dimensional grid of all blocks that fit, so Kernel must run
/// its work through logical_blocks().
///
/// Like a launch, it returns at once and its errors may appear later. On any
/// error it returns, nothing has been launched and the runtime's last error is
/// untouched, so that the caller can take another way. Errors are those of
/// max_resident_blocks, cudaErrorInvalidConfiguration for an empty grid,
/// cudaErrorCooperativeLaunchTooLarge where less of the device is available
/// than the runtime tells (other limits, as under MPS),
/// cudaErrorStreamCaptureUnsupported while Stream is captured, the runtime's
/// last error where one is pending already, and those of the runtime's calls.
///
/// Stream must belong to the current device. The barrier's counter is one that
/// Stream owns from its first launch on; there are 512 for each device, and
/// cudaErrorNotSupported for further streams. What needs more memory (the
/// strategy LockFree, the debug mode) is allocated and freed in Stream's order.
template <SyncStrategy Chosen, typename... Params>
cudaError_t
launch_persistent(void (*Kernel)(BasicGridBarrier<Chosen>, Params...),
                  dim3 Grid, dim3 Block, size_t SharedBytes,
                  cudaStream_t Stream,
                  typename detail::NotDeduced<Params>::Type... Args) {
  return detail::launch(detail::WhenTooLarge::Clamp, detail::always, Kernel,
                        Grid, Block, SharedBytes, Stream, Args...);
}

/// The same for a kernel that needs exactly this grid: one that is too large is
/// refused with cudaErrorCooperativeLaunchTooLarge.
template <SyncStrategy Chosen, typename... Params>
cudaError_t
launch_persistent_exact(void (*Kernel)(BasicGridBarrier<Chosen>, Params...),
                        dim3 Grid, dim3 Block, size_t SharedBytes,
                        cudaStream_t Stream,
                        typename detail::NotDeduced<Params>::Type... Args) {
  return detail::launch(detail::WhenTooLarge::Refuse, detail::always, Kernel,
                        Grid, Block, SharedBytes, Stream, Args...);
}

/// The same two for a kernel that does what launches of Parts do, whose threads
/// it has. cudaErrorLaunchOutOfResources where it would be slower than they: it
/// needs more local memory than each of them (registers are spilled) or, if its
/// grid is clamped, a multiprocessor holds fewer blocks of it. A grid that
/// might have been clamped, and is not, is launched in any case.
template <SyncStrategy Chosen, typename... Params, size_t Count>
cudaError_t
launch_persistent(void (*Kernel)(BasicGridBarrier<Chosen>, Params...),
                  const AnyKernel (&Parts)[Count], dim3 Grid, dim3 Block,
                  size_t SharedBytes, cudaStream_t Stream,
                  typename detail::NotDeduced<Params>::Type... Args) {
  return detail::launchInsteadOf(Parts, detail::WhenTooLarge::Clamp, Kernel,
                                 Grid, Block, SharedBytes, Stream, Args...);
}

template <SyncStrategy Chosen, typename... Params, size_t Count>
cudaError_t
launch_persistent_exact(void (*Kernel)(BasicGridBarrier<Chosen>, Params...),
                        const AnyKernel (&Parts)[Count], dim3 Grid, dim3 Block,
                        size_t SharedBytes, cudaStream_t Stream,
                        typename detail::NotDeduced<Params>::Type... Args) {
  return detail::launchInsteadOf(Parts, detail::WhenTooLarge::Refuse, Kernel,
                                 Grid, Block, SharedBytes, Stream, Args...);
}

namespace detail {

#ifndef BARRICADE_EMULATED

/// A function of the driver's, with which programs need not be linked; null
/// where it has none of that name in the CUDA Version.
template <typename Function>
Function driverFunction(const char *Name, unsigned Version) {
  void *Found = nullptr;
#if CUDART_VERSION >= 12050
  cudaDriverEntryPointQueryResult Result;
  const bool IsThere =
      cudaGetDriverEntryPointByVersion(Name, &Found, Version, cudaEnableDefault,
                                       &Result) == cudaSuccess &&
      Result == cudaDriverEntryPointSuccess;
#elif CUDART_VERSION >= 11030
  // Of the version that the program is compiled for.
  (void)Version;
  const bool IsThere =
      cudaGetDriverEntryPoint(Name, &Found, cudaEnableDefault) == cudaSuccess;
#else
  (void)Name, (void)Version;
  const bool IsThere = false;
#endif
  return IsThere ? reinterpret_cast<Function>(Found) : nullptr;
}

#endif

/// Allocations of the current device of which a kernel may write all that
/// cudaMemset() may, which does not wait then. As long as nobody frees them.
class DeviceAllocations {
public:
  bool hold(const void *Where, size_t Bytes) {
    const auto At = reinterpret_cast<unsigned long long>(Where);
    for (const Range &Each : Known)
      if (Each.holds(At, Bytes))
        return true;
    const LastErrorGuard KeepError;
    const Range Found = find(Where);
    Known[Next++ % Remembered] = Found;
    return Found.holds(At, Bytes);
  }

private:
  struct Range {
    unsigned long long Begin, Size;
    bool holds(unsigned long long At, size_t Bytes) const {
      return At >= Begin && At - Begin <= Size && Bytes <= Size - (At - Begin);
    }
  };

  static Range find(const void *Where) {
    constexpr Range Nothing = {0, 0};
    cudaPointerAttributes Of{};
    int Device;
    if (cudaGetDevice(&Device) != cudaSuccess ||
        cudaPointerGetAttributes(&Of, Where) != cudaSuccess ||
        Of.type != cudaMemoryTypeDevice || Of.device != Device)
      return Nothing;
#ifdef BARRICADE_EMULATED
    // The executor finds accesses beyond an allocation by itself.
    return {reinterpret_cast<unsigned long long>(Where), ~0ull >> 1};
#else
    // cuda.h: CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, _IS_LEGACY_CUDA_IPC_CAPABLE,
    // _RANGE_START_ADDR, _RANGE_SIZE, _MEMPOOL_HANDLE. Of variables, constant
    // ones among them, and of what is mapped read-only, the second is 0.
    constexpr int SyncMemops = 6, MayBeShared = 10, RangeStart = 11,
                  RangeSize = 12, PoolHandle = 17;
    using Ask = int (*)(void *, int, unsigned long long);
    static const Ask Get = driverFunction<Ask>("cuPointerGetAttribute", 4000);
    const auto At = reinterpret_cast<unsigned long long>(Where);
    Range Found = Nothing;
    size_t Size = 0;
    unsigned Waits = 0, IsPlain = 0;
    void *Pool = nullptr;
    if (!Get || Get(&Waits, SyncMemops, At) != 0 || Waits != 0 ||
        Get(&IsPlain, MayBeShared, At) != 0 ||
        Get(&Pool, PoolHandle, At) != 0 || (IsPlain == 0 && Pool == nullptr) ||
        Get(&Found.Begin, RangeStart, At) != 0 ||
        Get(&Size, RangeSize, At) != 0)
      return Nothing;
    Found.Size = Size;
    return Found;
#endif
  }

  static constexpr unsigned Remembered = 4;
  Range Known[Remembered] = {};
  unsigned Next = 0;
};

} // namespace detail

/// The Bytes at Where are memory of the current device's own, within one
/// allocation: cudaMemset and cudaMemcpy take them without an error, and do not
/// wait for what a kernel does in their place. To be asked before a kernel
/// does.
inline bool is_device_memory(const void *Where, size_t Bytes) {
  return detail::DeviceAllocations().hold(Where, Bytes);
}

namespace detail {

/// Whether a kernel can be launched with this grid (CUDA C++ Programming Guide,
/// "Technical Specifications per Compute Capability").
inline bool isPossibleGrid(dim3 Grid) {
  return Grid.x != 0 && Grid.y != 0 && Grid.z != 0 && Grid.x <= 0x7fffffff &&
         Grid.y <= 0xffff && Grid.z <= 0xffff;
}

} // namespace detail

/// The largest of several grids that one persistent kernel runs in turn, as a
/// one-dimensional grid of as many blocks. No grid at all, or one among them
/// that is empty or has an extent that no grid may have, makes it empty, so
/// that launch_persistent and launch_persistent_exact refuse it: a launch of
/// such a grid is an error, and what follows from that is not for this header
/// to say.
class LargestGrid {
public:
  void include(dim3 Grid) {
    const unsigned long long Count =
        static_cast<unsigned long long>(Grid.x) * Grid.y * Grid.z;
    AllPossible = AllPossible && detail::isPossibleGrid(Grid);
    if (Count > Most)
      Most = Count;
  }
  /// More blocks than a dimension may have are too many to be resident anyway.
  operator dim3() const {
    return AllPossible ? dim3(Most > ~0u ? ~0u : unsigned(Most)) : dim3(0);
  }

private:
  unsigned long long Most = 0;
  bool AllPossible = true;
};

/// How many blocks of the size Own the logical threads of Grid blocks of the
/// size Block fill, for largest_grid(). Empty where a launch of Grid and Block
/// would be an error, or one of all three is empty.
inline dim3 blocks_for(dim3 Grid, dim3 Block, dim3 Own) {
  const auto Count = [](dim3 Extents) {
    return static_cast<unsigned long long>(Extents.x) * Extents.y * Extents.z;
  };
  const bool IsPossible = detail::isPossibleGrid(Grid) && Block.x <= 1024 &&
                          Block.y <= 1024 && Block.z <= 64 &&
                          Count(Block) <= 1024;
  if (!IsPossible || Own.x > 1024 || Own.y > 1024 || Own.z > 64 ||
      Count(Block) == 0 || Count(Own) == 0)
    return dim3(0);
  // More than fit can be run in turn, however many they are.
  constexpr unsigned Most = 0x7fffffff;
  if (Count(Grid) > Most)
    return dim3(Most);
  const unsigned long long Blocks =
      (Count(Grid) * Count(Block) + Count(Own) - 1) / Count(Own);
  return dim3(Blocks > Most ? Most : unsigned(Blocks));
}

template <typename... Grids> dim3 largest_grid(const Grids &...All) {
  LargestGrid Largest;
  (Largest.include(dim3(All)), ...);
  return Largest;
}

/// Grid, of blocks of the size Block; an empty one, which no launch takes, if
/// one of Limits is negative or the grid's number of threads in x above it more
/// than an int can be. Else no sum wraps in `for (int i = ...; i < Limit; i +=
/// blockDim.x * gridDim.x)`.
template <typename... Integers>
dim3 grid_below(dim3 Grid, dim3 Block, Integers... Limits) {
  const unsigned long long Threads =
      static_cast<unsigned long long>(Grid.x) * Block.x;
  return (detail::hasRoomAbove(Limits, Threads) && ...) ? Grid : dim3(0);
}

namespace detail {

/// Memory for results, some cells for each slot, as for the counters.
constexpr unsigned CellsPerSlot = 8;
using CellType = uint4; // nvcc takes an alignment from the type alone
template <typename> __device__ CellType Cells[Slots * CellsPerSlot];

/// A cell of a stream's slot, for as long as this object is there. What the
/// stream was told to do to it before is done before what it is told later, so
/// the next owner need not wait.
class ClaimedCell {
public:
  ClaimedCell() = default;
  ClaimedCell(const ClaimedCell &) = delete;
  ClaimedCell &operator=(const ClaimedCell &) = delete;
  ~ClaimedCell() {
    if (InUse)
      __atomic_fetch_and(InUse, ~(1u << Index), __ATOMIC_RELEASE);
  }

  /// Null where all are in use. A template, so that only programs that call it
  /// have the memory: a module with variables takes 70 us more to load (H200).
  template <typename Owner = void> void *claim(cudaStream_t Stream) {
    int Device;
    if (cudaGetDevice(&Device) != cudaSuccess)
      return nullptr;
    const unsigned Slot = slotOf(Device, Stream);
    void *First;
    if (Slot == NoSlot ||
        cudaGetSymbolAddress(&First, Cells<Owner>) != cudaSuccess ||
        !claimBit(&CellsInUse[Device][Slot]))
      return nullptr;
    return static_cast<CellType *>(First) + Slot * CellsPerSlot + Index;
  }

private:
  bool claimBit(unsigned *Bits) {
    for (Index = 0; Index < CellsPerSlot; ++Index) {
      const unsigned Bit = 1u << Index;
      if ((__atomic_fetch_or(Bits, Bit, __ATOMIC_ACQUIRE) & Bit) == 0) {
        InUse = Bits;
        return true;
      }
    }
    return false;
  }

  unsigned *InUse = nullptr;
  unsigned Index = 0;
};

} // namespace detail

/// A value in device memory that a persistent kernel leaves for the host, by
/// store(): in a cell of Stream's slot if it is small and one is free, else in
/// memory that is allocated and freed in the order of Stream.
template <typename Element> class Result {
public:
  explicit Result(cudaStream_t OrderedIn)
      : Memory(OrderedIn), Stream(OrderedIn) {
    const detail::LastErrorGuard KeepError;
    const detail::UnrecordedCalls DuringCapture;
    if (detail::isCaptured(Stream))
      return;
    if (sizeof(Element) <= sizeof(detail::CellType) &&
        alignof(Element) <= alignof(detail::CellType))
      Place = Cell.claim(Stream);
    if (!Place && Memory.allocate(sizeof(Element)) == cudaSuccess)
      Place = Memory.get();
  }

  /// Whether there is memory to launch with.
  explicit operator bool() const { return Place != nullptr; }
  Element *device() const { return static_cast<Element *>(Place); }

  /// Waits for the kernel and sets Value; leaves it alone on an error.
  cudaError_t copy_to(Element &Value) const {
    // Compilers need not warn of what an error leaves without a value.
    asm volatile("" : : "r"(&Value) : "memory");
    // An Element may have no constructor without arguments.
    alignas(Element) unsigned char Copy[sizeof(Element)];
    if (const cudaError_t Error = cudaMemcpyAsync(
            Copy, device(), sizeof(Element), cudaMemcpyDeviceToHost, Stream))
      return Error;
    if (const cudaError_t Error = cudaStreamSynchronize(Stream))
      return Error;
    __builtin_memcpy(static_cast<void *>(&Value), Copy, sizeof(Element));
    return cudaSuccess;
  }

private:
  detail::ClaimedCell Cell;
  detail::LaunchMemory Memory;
  cudaStream_t Stream;
  void *Place = nullptr;
};

//===----------------------------------------------------------------------===//
// Fused launches
//===----------------------------------------------------------------------===//

/// Launches Fused, which does in each thread, or in each block, what the
/// kernels Parts do in theirs, one after the other.
///
/// Like a launch, it returns at once and its errors may appear later. On any
/// error it returns, nothing has been launched and the runtime's last error is
/// untouched, so that the caller can launch Parts. Errors are
/// cudaErrorInvalidConfiguration where grid or block have more than one
/// dimension or there are more than 2^31 - 1 threads, for then the thread's
/// number in x does not tell threads apart; cudaErrorLaunchOutOfResources where
/// a multiprocessor would hold fewer blocks of Fused than of each of Parts, be
/// it for registers or for shared memory; cudaErrorStreamCaptureUnsupported
/// while Stream is captured; and those of the runtime's calls.
template <typename... Params, size_t Count>
cudaError_t launch_fused(void (*Fused)(Params...),
                         const AnyKernel (&Parts)[Count], dim3 Grid, dim3 Block,
                         size_t SharedBytes, cudaStream_t Stream,
                         typename detail::NotDeduced<Params>::Type... Args) {
  const detail::LastErrorGuard KeepError;
  const unsigned long long Threads =
      static_cast<unsigned long long>(Grid.x) * Block.x;
  if (Grid.y != 1 || Grid.z != 1 || Block.y != 1 || Block.z != 1 ||
      Threads == 0 || Threads > 0x7fffffff || Block.x > 1024)
    return cudaErrorInvalidConfiguration;
  if (detail::isCaptured(Stream))
    return cudaErrorStreamCaptureUnsupported;
  if (const cudaError_t Error = detail::allowShared(Parts, SharedBytes))
    return Error;
  if (SharedBytes > detail::DefaultSharedBytes)
    if (const cudaError_t Error = cudaFuncSetAttribute(
            Fused, cudaFuncAttributeMaxDynamicSharedMemorySize,
            static_cast<int>(SharedBytes)))
      return Error;
  if (const cudaError_t Error =
          detail::keepsOccupancy(Fused, Parts, Block.x, SharedBytes))
    return Error;
  // One more, for a kernel may have no parameters.
  void *Arguments[] = {detail::addressOf(Args)..., nullptr};
  return cudaLaunchKernel(Fused, Grid, Block, Arguments, SharedBytes, Stream);
}

//===----------------------------------------------------------------------===//
// Launches that overlap
//===----------------------------------------------------------------------===//

namespace detail {

/// Whether all of this source's device code can wait for the grid before: what
/// it was not compiled for, no GPU runs.
constexpr bool canWaitForPreviousGrid() {
#if defined(BARRICADE_GPU_SYNC_OVERLAP) && defined(__CUDA_ARCH_LIST__)
  constexpr int Architectures[] = {__CUDA_ARCH_LIST__};
  for (int Each : Architectures)
    if (Each < 900)
      return false;
  return true;
#else
  return false;
#endif
}

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
constexpr bool HasDefaultStreamPerThread = true;
#else
constexpr bool HasDefaultStreamPerThread = false;
#endif

} // namespace detail

namespace detail {

#ifdef BARRICADE_GPU_SYNC_OVERLAP

/// Launches of kernels, of which some wait for the grid before.
class OverlappingLauncher {
public:
  /// The kernel that runs is compiled for GPUs on which it can wait: another
  /// source may have one of the same name.
  bool waits(const void *Kernel) {
    for (const void *Each : Waiting)
      if (Each == Kernel)
        return true;
    cudaFuncAttributes Attributes;
    const LastErrorGuard KeepError;
    if (cudaFuncGetAttributes(&Attributes, Kernel) != cudaSuccess ||
        Attributes.ptxVersion < 90)
      return false;
    Waiting[Next++ % Remembered] = Kernel;
    return true;
  }

  /// Waits: its first statement is wait_for_previous_grid().
  cudaError_t launch(const void *Kernel, dim3 Grid, dim3 Block,
                     void **Arguments, size_t SharedBytes, cudaStream_t Stream,
                     bool Waits) {
    cudaLaunchAttribute Attribute{};
    Attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    Attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t Config{};
    Config.gridDim = Grid;
    Config.blockDim = Block;
    Config.dynamicSmemBytes = SharedBytes;
    Config.stream = Stream;
    Config.attrs = &Attribute;
    Config.numAttrs = Waits && HasLast && Last == Stream && waits(Kernel) &&
                              !isRecorded(Stream)
                          ? 1
                          : 0;
    const cudaError_t Error = cudaLaunchKernelExC(&Config, Kernel, Arguments);
    HasLast = Error == cudaSuccess;
    Last = Stream;
    return Error;
  }

  /// Something else has been put into the stream.
  void forgetLast() { HasLast = false; }

private:
  /// Graphs are the caller's.
  static bool isRecorded(cudaStream_t Stream) {
    const bool MayBe = HasDefaultStreamPerThread ||
                       (Stream != nullptr && Stream != cudaStreamLegacy);
    return MayBe && isCaptured(Stream);
  }

  static constexpr unsigned Remembered = 8;
  const void *Waiting[Remembered] = {};
  unsigned Next = 0;
  /// Of the launch before, if it was one.
  cudaStream_t Last = nullptr;
  bool HasLast = false;
};

#endif // BARRICADE_GPU_SYNC_OVERLAP

} // namespace detail

/// Launches of kernels whose first statement is wait_for_previous_grid().
/// Each but the first one into a stream may start while the one before comes to
/// its end: when all its blocks have, not when all that they wrote has been
/// seen to and the next launch has been fetched, which takes a microsecond.
///
/// Why nothing is read too early: a grid ends when all its threads have, and
/// each of them has waited for the grid before to end. So a wait for the grid
/// before is a wait for all of them. The first launch is an ordinary one, which
/// waits for whatever the stream holds. Between two launches nothing else may
/// be put into their stream but ordinary launches of kernels.
///
/// A class of its own for sources that are compiled in different ways, so that
/// none runs what was made for another.
template <bool CanWait> class BasicOverlappedLaunches {
public:
  /// Kernel<<<Grid, Block, SharedBytes, Stream>>>(Arguments...). Errors are
  /// found as there, by cudaGetLastError().
  template <typename... Parameters>
  void launch(void (*Kernel)(Parameters...), dim3 Grid, dim3 Block,
              size_t SharedBytes, cudaStream_t Stream,
              typename detail::NotDeduced<Parameters>::Type... Arguments) {
#ifdef BARRICADE_GPU_SYNC_OVERLAP
    if constexpr (CanWait) {
      void *All[] = {detail::addressOf(Arguments)..., nullptr};
      (void)Launcher.launch(reinterpret_cast<const void *>(Kernel), Grid, Block,
                            All, SharedBytes, Stream, /*Waits=*/true);
      return;
    }
#endif
    // Moved: a constructor template may be asked for copies of what can change.
    Kernel<<<Grid, Block, SharedBytes, Stream>>>(
        static_cast<Parameters &&>(Arguments)...);
  }

#ifdef BARRICADE_GPU_SYNC_OVERLAP
private:
  detail::OverlappingLauncher Launcher;
#endif
};

using OverlappedLaunches =
    BasicOverlappedLaunches<detail::canWaitForPreviousGrid()>;

//===----------------------------------------------------------------------===//
// Launches that are replayed
//===----------------------------------------------------------------------===//

#if defined(BARRICADE_EMULATED) ||                                             \
    (defined(BARRICADE_GPU_SYNC_PTX) && CUDART_VERSION >= 12050)
#define BARRICADE_GPU_SYNC_REPLAY
#endif

namespace detail {

#ifdef BARRICADE_GPU_SYNC_REPLAY
constexpr bool HasReplay = true;
#else
constexpr bool HasReplay = false;
#endif

/// Of a clock that may be set meanwhile: decisions may depend on it, no more.
inline unsigned long long nanoseconds() {
  timespec Now;
  if (timespec_get(&Now, TIME_UTC) != TIME_UTC)
    return 0;
  return static_cast<unsigned long long>(Now.tv_sec) * 1000000000 +
         static_cast<unsigned long long>(Now.tv_nsec);
}

inline unsigned long long nanosecondsSince(unsigned long long Start) {
  const unsigned long long Now = nanoseconds();
  return Now > Start ? Now - Start : 0;
}

/// How many launches one graph makes. With more of them the device waits less
/// for the host, and more are left over when a loop ends (H100, a step of 132
/// blocks: 1.36 us with 8, 1.28 with 16, 1.21 with 64; by launches 4.0).
constexpr unsigned LaunchesPerReplay = BARRICADE_LAUNCHES_PER_REPLAY;
static_assert(LaunchesPerReplay >= 1 && LaunchesPerReplay <= 32);
/// Launches that must be left for a graph to be made. Making one and launching
/// it first take 130 us, and each launch that it makes takes 1.1 us less even
/// where the device is busy (H100: 6.1 us and 7.3, 31.8 and 33.5).
constexpr unsigned long long EarnsReplay = 200;
/// The same where nobody knows how many are left, or each loop has fewer:
/// nanoseconds that such loops have taken in this process.
constexpr unsigned long long ReplayPaysBehind = 4 * 1000 * 1000;
/// Nanoseconds for each launch that the host may do something else meanwhile.
/// If it takes longer, what is held back would keep the device waiting.
#ifdef BARRICADE_REPLAY_AT
constexpr unsigned long long MostBetweenLaunches = ~0u;
#else
constexpr unsigned long long MostBetweenLaunches = 10 * 1000;
#endif
/// Launches that the kernel of stretches could have saved in this process, or
/// is expected to save, when it is loaded. That takes 100 us, and each launch
/// less is 1.1 us where the device is busy, and more where it waits.
constexpr unsigned long long EarnsStretch = 400;
/// Elements that a thread which goes through many may have. Steps of more take
/// long, and what the one before left in the cache is gone (H100: 1 % slower
/// with 990, 1 % faster with 250).
constexpr unsigned long long MostOfThread = 256;

inline unsigned long long SpentInLaunches; ///< Only touched by atomic accesses.

inline bool isSame(dim3 One, dim3 Other) {
  return One.x == Other.x && One.y == Other.y && One.z == Other.z;
}

/// A launch as it was asked for, with copies of its arguments.
struct HeldLaunch {
  static constexpr unsigned MostArguments = 32;
  static constexpr unsigned MostBytes = 512;

  const void *Kernel;
  dim3 Grid, Block;
  size_t SharedBytes;
  unsigned Count; ///< Of its arguments.
  unsigned Size;  ///< Of their bytes.
  unsigned short Places[MostArguments], Sizes[MostArguments];
  alignas(16) unsigned char Bytes[MostBytes];

  template <typename... Values> static constexpr bool holds() {
    unsigned End = 0;
    ((End = placeOf<Values>(End) + static_cast<unsigned>(sizeof(Values))), ...);
    return sizeof...(Values) <= MostArguments && End <= MostBytes &&
           ((alignof(Values) <= 16) && ...);
  }

  template <typename... Values>
  void set(const void *NewKernel, dim3 NewGrid, dim3 NewBlock,
           size_t NewSharedBytes, Values &...Each) {
    Kernel = NewKernel;
    Grid = NewGrid;
    Block = NewBlock;
    SharedBytes = NewSharedBytes;
    Count = Size = 0;
    (add(Each), ...);
  }

  /// Bytes that are no part of a value may differ, which does no harm.
  bool isLike(const HeldLaunch &Other) const {
    return Kernel == Other.Kernel && isSame(Grid, Other.Grid) &&
           isSame(Block, Other.Block) && SharedBytes == Other.SharedBytes &&
           Count == Other.Count && Size == Other.Size &&
           __builtin_memcmp(Places, Other.Places, Count * sizeof *Places) ==
               0 &&
           __builtin_memcmp(Bytes, Other.Bytes, Size) == 0;
  }

  /// Of all that it may hold, what Other does.
  void copy(const HeldLaunch &Other) {
    Kernel = Other.Kernel;
    Grid = Other.Grid;
    Block = Other.Block;
    SharedBytes = Other.SharedBytes;
    Count = Other.Count;
    Size = Other.Size;
    __builtin_memcpy(Places, Other.Places, Count * sizeof *Places);
    __builtin_memcpy(Sizes, Other.Sizes, Count * sizeof *Sizes);
    __builtin_memcpy(Bytes, Other.Bytes, Size);
  }

  /// Gives Use the arguments as launches take them.
  template <typename Function> cudaError_t withArguments(Function Use) {
    void *Arguments[MostArguments + 1];
    for (unsigned Index = 0; Index < Count; ++Index)
      Arguments[Index] = Bytes + Places[Index];
    Arguments[Count] = nullptr;
    return Use(static_cast<void **>(Arguments));
  }

private:
  template <typename Value> static constexpr unsigned placeOf(unsigned End) {
    return placeBehind(End, static_cast<unsigned>(alignof(Value)));
  }
  template <typename Value> void add(Value &Given) {
    const unsigned Place = placeOf<Value>(Size);
    // What lies between must be the same each time.
    for (; Size < Place; ++Size)
      Bytes[Size] = 0;
    // Compilers take a size of a pointer of the target's type for a mistake.
    void *const To = Bytes + Place;
    __builtin_memcpy(To, addressOf(Given), sizeof(Value));
    Places[Count] = static_cast<unsigned short>(Place);
    Sizes[Count++] = static_cast<unsigned short>(sizeof(Value));
    Size = Place + static_cast<unsigned>(sizeof(Value));
  }
};

#ifdef BARRICADE_GPU_SYNC_REPLAY

/// The number of the current context, which no other one gets; 0 where it
/// cannot be told.
inline unsigned long long contextNumber() {
#ifdef BARRICADE_EMULATED
  return 1;
#else
  using GetId = int (*)(void *, unsigned long long *);
  static const GetId Ask = driverFunction<GetId>("cuCtxGetId", 12000);
  unsigned long long Id;
  return Ask && Ask(nullptr, &Id) == 0 ? Id + 1 : 0;
#endif
}

/// Gives Use what a graph's node needs to make a launch.
template <typename Function>
cudaError_t withNode(HeldLaunch &From, Function Use) {
  return From.withArguments([&](void **Arguments) {
    cudaKernelNodeParams Node{};
    Node.func = const_cast<void *>(From.Kernel);
    Node.gridDim = From.Grid;
    Node.blockDim = From.Block;
    Node.sharedMemBytes = static_cast<unsigned>(From.SharedBytes);
    Node.kernelParams = Arguments;
    return Use(Node);
  });
}

/// A graph of kernels, each after the one before, that can be made to launch
/// others. If it overlaps, each may start while the one before comes to its
/// end, as launches of OverlappedLaunches may, and has to wait. It stays for
/// the next loop of its stream: made for another one, too, it would make that
/// stream wait for this one.
struct ReplayGraph {
  unsigned InUse; ///< Only touched by atomic accesses.
  bool Overlaps;
  unsigned long long Context, Stream; ///< Their numbers.
  cudaGraph_t Graph;
  cudaGraphExec_t Ready; ///< Null: there is none.
  cudaGraphNode_t Nodes[LaunchesPerReplay];
  HeldLaunch Held[LaunchesPerReplay];

  /// Of any launches, which are set before they are made.
  cudaError_t make(HeldLaunch &Any) {
    if (const cudaError_t Error = cudaGraphCreate(&Graph, 0))
      return Error;
    cudaError_t Error = cudaSuccess;
    for (unsigned Index = 0; Index < LaunchesPerReplay && !Error; ++Index)
      Error = withNode(Any, [&](const cudaKernelNodeParams &Node) {
        return add(Index, Node);
      });
    if (!Error)
      Error = cudaGraphInstantiateWithFlags(&Ready, Graph, 0);
    if (Error) {
      Ready = nullptr;
      (void)cudaGraphDestroy(Graph);
    }
    return Error;
  }

  void destroy() {
    (void)cudaGraphExecDestroy(Ready);
    (void)cudaGraphDestroy(Graph);
    Ready = nullptr;
  }

  /// Has a node make what is held for it.
  cudaError_t set(unsigned Index) {
    return withNode(Held[Index], [&](const cudaKernelNodeParams &Node) {
      return cudaGraphExecKernelNodeSetParams(Ready, Nodes[Index], &Node);
    });
  }

private:
  cudaError_t add(unsigned Index, const cudaKernelNodeParams &Node) {
    const bool IsFirst = Index == 0;
#ifdef BARRICADE_GPU_SYNC_OVERLAP
    if (Overlaps && !IsFirst) {
      if (const cudaError_t Error =
              cudaGraphAddKernelNode(&Nodes[Index], Graph, nullptr, 0, &Node))
        return Error;
      cudaGraphEdgeData Edge{};
      Edge.from_port = cudaGraphKernelNodePortProgrammatic;
      Edge.type = cudaGraphDependencyTypeProgrammatic;
#if CUDART_VERSION >= 13000
      return cudaGraphAddDependencies(
#else
      return cudaGraphAddDependencies_v2(
#endif
          Graph, &Nodes[Index - 1], &Nodes[Index], &Edge, 1);
    }
#endif
    return cudaGraphAddKernelNode(&Nodes[Index], Graph,
                                  IsFirst ? nullptr : &Nodes[Index - 1],
                                  IsFirst ? 0 : 1, &Node);
  }
};

constexpr unsigned MostGraphs = 32;
inline ReplayGraph Graphs[MostGraphs];
/// Those of other contexts whose places were taken. Only touched by atomic
/// accesses. Each takes 140 KiB of the host (H100).
inline unsigned GraphsLeft;
constexpr unsigned MostGraphsLeft = 128;
/// Whether there has been one. Only touched by atomic accesses.
inline unsigned HasGraphs;

/// The first of All that nobody else uses meanwhile and of which Is says yes;
/// null where there is none.
template <typename Entry, unsigned Count, typename Predicate>
Entry *claimIf(Entry (&All)[Count], Predicate Is) {
  for (Entry &Each : All) {
    if (__atomic_exchange_n(&Each.InUse, 1u, __ATOMIC_ACQUIRE) != 0)
      continue;
    if (Is(Each))
      return &Each;
    __atomic_store_n(&Each.InUse, 0u, __ATOMIC_RELEASE);
  }
  return nullptr;
}

/// Of All the one that there is for Stream, which Fits; if ToMake, one that can
/// be made for it.
template <typename Entry, unsigned Count, typename Predicate>
Entry *claimFor(Entry (&All)[Count], cudaStream_t Stream, bool ToMake,
                Predicate Fits) {
  unsigned long long Number;
  const unsigned long long Context = contextNumber();
  if (Context == 0 || cudaStreamGetId(Stream, &Number) != cudaSuccess)
    return nullptr;
  if (!ToMake)
    return claimIf(All, [&](const Entry &Each) {
      return Each.Ready && Each.Context == Context && Each.Stream == Number &&
             Fits(Each);
    });
  Entry *Found = claimIf(All, [](const Entry &Each) { return !Each.Ready; });
  if (!Found && (Found = claimIf(All, [&](const Entry &Each) {
                   return Each.Context == Context;
                 })))
    Found->destroy();
  // A context that is gone has taken its graphs with it; those of another one
  // are lost. Nobody can tell which it is, so it must not go on for ever.
  if (!Found &&
      __atomic_fetch_add(&GraphsLeft, 1u, __ATOMIC_RELAXED) < MostGraphsLeft)
    Found = claimIf(All, [](const Entry &) { return true; });
  if (Found) {
    Found->Ready = nullptr;
    Found->Context = Context;
    Found->Stream = Number;
  }
  return Found;
}

inline ReplayGraph *claimGraph(cudaStream_t Stream, bool Overlaps,
                               bool ToMake) {
  ReplayGraph *Found =
      claimFor(Graphs, Stream, ToMake, [&](const ReplayGraph &Each) {
        return Each.Overlaps == Overlaps;
      });
  if (Found)
    Found->Overlaps = Overlaps;
  return Found;
}

#ifndef BARRICADE_EMULATED

/// Stream has only a part of the device's multiprocessors: a graph, which is
/// made for the whole context, would take all of them.
inline bool isOfGreenContext(cudaStream_t Stream) {
  using GetGreen = int (*)(cudaStream_t, void **);
  static const GetGreen Ask =
      driverFunction<GetGreen>("cuStreamGetGreenCtx", 12040);
  void *Green = nullptr;
  return Ask && (Ask(Stream, &Green) != 0 || Green);
}

/// What a kernel in Stream makes visible waits for no other domain's writes. A
/// device that cannot tell has but one domain.
inline bool hasOwnDomain(cudaStream_t Stream) {
  cudaStreamAttrValue Which{}, Map{};
  return (cudaStreamGetAttribute(Stream, cudaLaunchAttributeMemSyncDomain,
                                 &Which) == cudaSuccess &&
          Which.memSyncDomain != cudaLaunchMemSyncDomainDefault) ||
         (cudaStreamGetAttribute(Stream, cudaLaunchAttributeMemSyncDomainMap,
                                 &Map) == cudaSuccess &&
          Map.memSyncDomainMap.default_ != 0);
}

#endif

/// What makes kernels in a graph run otherwise than in Stream: a priority, a
/// window of the cache that they should keep, a part of the device, a domain of
/// memory.
inline bool hasOwnWays(cudaStream_t Stream) {
#ifdef BARRICADE_EMULATED
  (void)Stream;
  return false;
#else
  int Priority = 0;
  cudaStreamAttrValue Window{};
  return cudaStreamGetPriority(Stream, &Priority) != cudaSuccess ||
         Priority != 0 ||
         cudaStreamGetAttribute(Stream, cudaStreamAttributeAccessPolicyWindow,
                                &Window) != cudaSuccess ||
         Window.accessPolicyWindow.num_bytes != 0 || hasOwnDomain(Stream) ||
         isOfGreenContext(Stream);
#endif
}

/// A graph's node would need an attribute for it.
inline bool isOfClusters(const void *Kernel) {
#ifdef BARRICADE_EMULATED
  (void)Kernel;
  return false;
#else
  cudaFuncAttributes Attributes{};
  return cudaFuncGetAttributes(&Attributes, Kernel) != cudaSuccess ||
         Attributes.clusterDimMustBeSet != 0 ||
         Attributes.requiredClusterWidth != 0;
#endif
}

/// What cudaMemset() and, within the device's memory, cudaMemcpy() do.
template <typename Byte>
__global__ void fillBytes(Byte *To, int Value, size_t Count) {
  wait_for_previous_grid();
  fill(To, Value, Count);
}
template <typename Byte>
__global__ void copyBytes(Byte *To, const Byte *From, size_t Count) {
  wait_for_previous_grid();
  copy(To, From, Count);
}

template <typename Byte>
bool overlap(const Byte *One, const Byte *Other, size_t Count) {
  const auto Here = reinterpret_cast<unsigned long long>(One);
  const auto There = reinterpret_cast<unsigned long long>(Other);
  return Here < There ? There - Here < Count : Here - There < Count;
}

/// Bytes up to which such a kernel is as fast as the function of CUDA (H100:
/// copies of 64 MiB take 50.2 and 50.4 us, those of 256 MiB 183 and 194).
constexpr size_t MostOfTransfer = size_t(32) << 20;

/// How many blocks of TransferThreads they pay for.
constexpr unsigned TransferThreads = 256;
inline dim3 transferGrid(size_t Count) {
  constexpr size_t Most = 2048, OfBlock = 16 * TransferThreads;
  const size_t Blocks = (Count + OfBlock - 1) / OfBlock;
  return dim3(static_cast<unsigned>(Blocks < Most ? Blocks : Most));
}

/// Has One be a launch of Kernel, one of these two, for so many Bytes.
template <typename... Parameters>
void setTransfer(HeldLaunch &One, void (*Kernel)(Parameters...), size_t Bytes,
                 typename NotDeduced<Parameters>::Type... Arguments) {
  One.set(entryOf(Kernel), transferGrid(Bytes), dim3(TransferThreads), 0,
          Arguments...);
}

/// Collects launches that become the steps of a Stretch.
class StretchBuilder {
public:
  //===--- Which launches -------------------------------------------------===//

  /// Fixed: of each kernel by its number, as in Stretch::call.
  template <typename... Masks>
  void makeBy(void (*NewKernel)(Stretch), bool IsWaiting, Masks... Fixed) {
    const unsigned All[] = {static_cast<unsigned>(Fixed)..., 0};
    Kernel = NewKernel;
    KernelWaits = IsWaiting;
    KernelCount =
        sizeof...(Masks) < MostKernels ? sizeof...(Masks) : MostKernels;
    for (unsigned Index = 0; Index < KernelCount; ++Index)
      Parts[Index].Fixed = All[Index];
  }

  /// As StepBarrier has it.
  template <typename First, typename Second>
  void requireApart(First *FirstArray, Second *SecondArray, bool MayBeEqual) {
    const auto Left = reinterpret_cast<unsigned long long>(FirstArray);
    const auto Right = reinterpret_cast<unsigned long long>(SecondArray);
    if (MayBeEqual && sizeof(First) == sizeof(Second) && Left == Right)
      return;
    const unsigned long long Most = Left < Right
                                        ? (Right - Left) / sizeof(First)
                                        : (Left - Right) / sizeof(Second);
    MostThreads = Most < MostThreads ? Most : MostThreads;
  }

  /// The next launch, of the kernel with this Number, is confined if all that
  /// holds of it.
  void askOfNext(unsigned KernelNumber) {
    Number = KernelNumber;
    LargestDistance = LargestLimit = 0;
    HasLimit = false;
  }
  void askDistance(unsigned long long Distance) {
    if (Distance > LargestDistance)
      LargestDistance = Distance;
  }
  void askLimit(unsigned long long Limit) {
    HasLimit = true;
    if (Limit > LargestLimit)
      LargestLimit = Limit;
  }
  void askNothingMore() { Number = NoNumber; }

  /// Whether One, of which that was asked, is confined.
  bool isConfined(const HeldLaunch &One) const {
    if (!Kernel || Number >= KernelCount || One.Grid.y != 1 || One.Grid.z != 1)
      return false;
    const unsigned long long Threads =
        static_cast<unsigned long long>(One.Grid.x) * One.Block.x;
    const bool IsPowerOf2 = (One.Block.x & (One.Block.x - 1)) == 0;
    return Threads <= MostThreads &&
           (LargestDistance == 0 ||
            (IsPowerOf2 && LargestDistance < One.Block.x)) &&
           (!HasLimit || (hasRoomAbove(LargestLimit, Threads) &&
                          LargestLimit <= Threads * MostOfThread));
  }

  //===--- Whether it pays ------------------------------------------------===//

  /// Whether the kernel may run in place of One, which was launched before.
  /// AreMany: as many launches as it has to earn are expected.
  bool admits(const HeldLaunch &One, cudaStream_t Into, bool AreMany) {
    if ((!Known && !findNotes()) || !isAsLaunched(Into))
      return false;
    const unsigned long long Like = likeness(One);
    if (isAdmitted(Like))
      return true;
    if (!AreMany && !pays()) {
      Missed += FollowsConfined;
      return false;
    }
    // Asking takes some us.
    if (++Asked > MostAsked || isWorseThan(One)) {
      __atomic_store_n(&Known->RefusedWith, Like, __ATOMIC_RELAXED);
      giveUp();
      return false;
    }
    admit(Like);
    return true;
  }
  /// Of the launch before the next.
  void noteConfined(bool Was) { FollowsConfined = Was; }

  /// Another device may be the current one, the stream be captured.
  void forgetCuda() {
    noteEnd();
    Known = nullptr;
    AskedStream = false;
  }

  /// No more stretches are made.
  void giveUp() { Kernel = nullptr; }

  /// There are steps that have not been made, or there may be more.
  bool mayBeMade() const { return Kernel != nullptr || Length != 0; }

  /// No more launches come.
  void noteEnd() {
    if (Known && Missed != 0)
      __atomic_fetch_add(&Known->Missed, Missed, __ATOMIC_RELAXED);
    Missed = 0;
  }

  /// Launches that were not made because they are steps.
  unsigned long long saved() const { return Saved; }

  //===--- Steps ----------------------------------------------------------===//

  /// One becomes the next step, if there is room for it behind the others and
  /// what stays the same does.
  bool add(const HeldLaunch &One, bool MayOverlap, cudaStream_t Into) {
    Part &Of = Parts[Number];
    if (Length == 0)
      begin(One, Into);
    const unsigned Unit = unitOf(One, Of.Fixed);
    const unsigned Own =
        placeBehind(sizeOf(One, Of.Fixed, /*AreFixed=*/false), Unit);
    const bool IsFirst = !Of.IsIn;
    const unsigned OfFixed =
        IsFirst ? placeBehind(sizeOf(One, Of.Fixed, /*AreFixed=*/true), 16) : 0;
    if (Length == 0 && Own + OfFixed <= Stretch::MostBytes)
      Width = placeBehind(Own > Width ? Own : Width, Unit);
    if (Own > Width || Width % Unit != 0 || Length == MostSteps ||
        (Length + 1) * Width + OfFixed > FixedBegin ||
        !isOfStretch(One, Into) || (!IsFirst && !hasSame(Of, One)))
      return false;
    if (IsFirst) {
      Of.IsIn = true;
      Of.Waits = MayOverlap;
      Of.First.copy(One);
      FixedBegin -= OfFixed;
      Steps.FixedAt[Number] = static_cast<unsigned short>(FixedBegin);
      copyArguments(One, Of.Fixed, true, Steps.Bytes + FixedBegin);
    }
    Steps.Numbers[Length] = static_cast<unsigned char>(Number);
    copyArguments(One, Of.Fixed, false, Steps.Bytes + Length * Width);
    ++Length;
    return true;
  }

  /// Gives Pass the steps as one launch or, where Pass has an error for that or
  /// there is one, as what they were.
  template <typename Function> void make(Function Pass) {
    const unsigned Count = Length;
    const unsigned long long Start = Since;
    Length = 0;
    if (Count == 0)
      return;
    if (Count > 1 && Kernel) {
      HeldLaunch All;
      Steps.Length = Count;
      Steps.Width = Width;
      All.set(entryOf(Kernel), Grid, Block, SharedBytes, Steps);
      const LastErrorGuard KeepError;
      if (Pass(All, Stream, KernelWaits) == cudaSuccess)
        Saved += Count - 1;
      else
        giveUp();
    }
    if (Count == 1 || !Kernel)
      for (unsigned Index = 0; Index < Count; ++Index)
        passAlone(Index, Pass);
    // The device waits for a host that has other things to do.
    if (nanosecondsSince(Start) > Count * MostBetweenLaunches)
      giveUp();
  }

private:
  static constexpr unsigned MostKernels = Stretch::MostKernels,
                            MostSteps = Stretch::MostSteps, NoNumber = ~0u;
  static constexpr unsigned MostAsked = 16;
  /// Bytes of each step that the next stretch has, too.
  static constexpr unsigned MostKept = 64;

  /// A kernel of which steps are made.
  struct Part {
    unsigned Fixed; ///< Its arguments that are the same in all of them.
    bool IsIn;      ///< This stretch has one.
    bool Waits;
    HeldLaunch First; ///< Of this stretch.
  };

  bool findNotes() {
    int Device;
    const LastErrorGuard KeepError;
    if (cudaGetDevice(&Device) == cudaSuccess)
      Known = notesOf(Kernel, Device);
    if (!Known)
      giveUp();
    return Known != nullptr;
  }

  /// Graphs that others record are the caller's.
  bool isAsLaunched(cudaStream_t Into) {
    if (AskedStream && Into == Asking)
      return true;
    AskedStream = true;
    Asking = Into;
    const LastErrorGuard KeepError;
    const UnrecordedCalls DuringCapture;
    if (isCaptured(Into))
      giveUp();
    return Kernel != nullptr;
  }

  /// Of all that decides whether a kernel runs as well in place of another.
  unsigned long long likeness(const HeldLaunch &One) const {
    constexpr unsigned long long Odd = 0x9e3779b97f4a7c15;
    const unsigned long long Threads =
        static_cast<unsigned long long>(One.Block.x) * One.Block.y *
        One.Block.z;
    unsigned long long Hash = reinterpret_cast<unsigned long long>(One.Kernel);
    Hash = (Hash * Odd ^ Threads) * Odd;
    return (Hash ^ One.SharedBytes) * Odd | 1;
  }

  bool isAdmitted(unsigned long long Like) const {
    for (const unsigned long long &Each : Known->StepsLike)
      if (__atomic_load_n(&Each, __ATOMIC_RELAXED) == Like)
        return true;
    return false;
  }
  /// In the first free place, or that of another one.
  void admit(unsigned long long Like) {
    for (unsigned long long &Each : Known->StepsLike) {
      unsigned long long Free = 0;
      if (__atomic_compare_exchange_n(&Each, &Free, Like, false,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return;
    }
    __atomic_store_n(&Known->StepsLike[Like >> 32 & 7], Like, __ATOMIC_RELAXED);
  }

  bool pays() const {
#ifdef BARRICADE_REPLAY_AT
    return true;
#else
    return Missed + __atomic_load_n(&Known->Missed, __ATOMIC_RELAXED) >=
           EarnsStretch;
#endif
  }

  bool isWorseThan(const HeldLaunch &One) const {
    const LastErrorGuard KeepError;
    const UnrecordedCalls DuringCapture;
    const AnyKernel Own[] = {AnyKernel(One.Kernel)};
    int Device;
    return __atomic_load_n(&Known->RefusedWith, __ATOMIC_RELAXED) ==
               likeness(One) ||
           One.SharedBytes > DefaultSharedBytes || isOfClusters(One.Kernel) ||
           cudaGetDevice(&Device) != cudaSuccess ||
           isNoWorse(/*IsResident=*/false, Device, Kernel, Own, One.Block,
                     One.SharedBytes) != cudaSuccess;
  }

  void begin(const HeldLaunch &One, cudaStream_t Into) {
    Grid = One.Grid;
    Block = One.Block;
    SharedBytes = One.SharedBytes;
    Stream = Into;
    Since = nanoseconds();
    FixedBegin = Stretch::MostBytes;
    if (Width > MostKept)
      Width = 0;
    for (Part &Each : Parts)
      Each.IsIn = false;
  }

  bool isOfStretch(const HeldLaunch &One, cudaStream_t Into) const {
    return isSame(One.Grid, Grid) && isSame(One.Block, Block) &&
           One.SharedBytes == SharedBytes && Into == Stream;
  }

  static bool isFixed(unsigned Fixed, unsigned Index) {
    return (Fixed >> Index & 1u) != 0;
  }

  static bool hasSame(const Part &Of, const HeldLaunch &One) {
    for (unsigned Index = 0; Index < One.Count; ++Index)
      if (isFixed(Of.Fixed, Index) &&
          __builtin_memcmp(One.Bytes + One.Places[Index],
                           Of.First.Bytes + Of.First.Places[Index],
                           One.Sizes[Index]) != 0)
        return false;
    return true;
  }

  /// Calls Do with each argument of One that is, or is not, fixed, and its
  /// place among them. Returns where the last ends.
  template <typename Function>
  static unsigned forEach(const HeldLaunch &One, unsigned Fixed, bool AreFixed,
                          Function Do) {
    unsigned End = 0;
    for (unsigned Index = 0; Index < One.Count; ++Index)
      if (isFixed(Fixed, Index) == AreFixed) {
        const unsigned Place = placeBySize(End, One.Sizes[Index]);
        Do(Index, Place);
        End = Place + One.Sizes[Index];
      }
    return End;
  }
  static unsigned sizeOf(const HeldLaunch &One, unsigned Fixed, bool AreFixed) {
    return forEach(One, Fixed, AreFixed, [](unsigned, unsigned) {});
  }
  /// So that all steps' arguments are aligned as the first one's.
  static unsigned unitOf(const HeldLaunch &One, unsigned Fixed) {
    unsigned Unit = 8;
    (void)forEach(One, Fixed, /*AreFixed=*/false,
                  [&](unsigned Index, unsigned) {
                    if (One.Sizes[Index] % 16 == 0)
                      Unit = 16;
                  });
    return Unit;
  }
  static void copyArguments(const HeldLaunch &One, unsigned Fixed,
                            bool AreFixed, unsigned char *To) {
    (void)forEach(One, Fixed, AreFixed, [&](unsigned Index, unsigned Place) {
      __builtin_memcpy(To + Place, One.Bytes + One.Places[Index],
                       One.Sizes[Index]);
    });
  }

  template <typename Function> void passAlone(unsigned Index, Function Pass) {
    const Part &Of = Parts[Steps.Numbers[Index]];
    const unsigned char *From = Steps.Bytes + Index * Width;
    HeldLaunch One;
    One.copy(Of.First);
    (void)forEach(One, Of.Fixed, false, [&](unsigned Argument, unsigned Place) {
      __builtin_memcpy(One.Bytes + One.Places[Argument], From + Place,
                       One.Sizes[Argument]);
    });
    (void)Pass(One, Stream, Of.Waits);
  }

  void (*Kernel)(Stretch) = nullptr; ///< Null: no stretches are made.
  bool KernelWaits = false;          ///< Begins with wait_for_previous_grid().
  unsigned long long MostThreads = 0x7fffffff;
  KernelNotes *Known = nullptr; ///< Of the kernel, once it was asked for.
  unsigned long long Missed = 0, Saved = 0;
  unsigned Asked = 0; ///< Of CUDA, for other launches each.
  bool FollowsConfined = false;
  bool AskedStream = false; ///< Whether Asking is captured.
  cudaStream_t Asking = nullptr;

  // Of the launch that comes next.
  unsigned Number = NoNumber;
  bool HasLimit = false;
  unsigned long long LargestDistance = 0, LargestLimit = 0;

  // The steps that there are, all of one geometry.
  unsigned Length = 0;
  unsigned Width = 0;      ///< Stays, so that a kernel that takes less fits in.
  unsigned FixedBegin = 0; ///< Fixed arguments come from the end.
  dim3 Grid, Block;
  size_t SharedBytes = 0;
  cudaStream_t Stream = nullptr;
  unsigned long long Since = 0; ///< When the first came.
  unsigned KernelCount = 0;
  Part Parts[MostKernels];
  Stretch Steps;
};

#endif // BARRICADE_GPU_SYNC_REPLAY

} // namespace detail

/// What must hold for a launch to be confined: is_distance_in_block() of the
/// distance, has_room_above() of the limit.
struct Distance {
  template <typename Integer>
  explicit Distance(Integer Number)
      : Value(static_cast<unsigned long long>(Number)) {}
  unsigned long long Value;
};
struct Limit {
  template <typename Integer>
  explicit Limit(Integer Number)
      : Value(static_cast<unsigned long long>(Number)) {}
  unsigned long long Value;
};

#ifdef BARRICADE_GPU_SYNC_REPLAY
namespace detail {

/// Waits for the device that come later than they stand in the program. Once
/// somebody has waited, and since then has given the device work in one stream
/// alone, that is done in its order whoever waits.
class PutOffWaits {
public:
  /// Whether a wait for Stream, or for all, need not be now.
  bool putOff(cudaStream_t Stream, bool AllStreams) {
    const bool IsCovered =
        Done == Extent::All ||
        (Done == Extent::Stream && !AllStreams && Stream == DoneStream);
    if (!IsCovered || HasSeveral)
      return false;
    if (!HasWork)
      return true;
    if (!AllStreams && Stream != WorkStream)
      return false;
    if (AllStreams)
      Owed = Extent::All;
    else if (Owed == Extent::Nothing)
      Owed = Extent::Stream;
    return true;
  }

  /// Something comes in Stream that was to come behind a wait.
  bool isOwedBefore(cudaStream_t Stream) const {
    return Owed != Extent::Nothing && Stream != WorkStream;
  }

  void note(cudaStream_t Stream) {
    HasSeveral |= HasWork && Stream != WorkStream;
    HasWork = true;
    WorkStream = Stream;
  }

  cudaError_t makeUp() {
    if (Owed == Extent::Nothing)
      return cudaSuccess;
    return wait(WorkStream, Owed == Extent::All);
  }

  cudaError_t wait(cudaStream_t Stream, bool AllStreams) {
    const cudaError_t Error =
        AllStreams ? cudaDeviceSynchronize() : cudaStreamSynchronize(Stream);
    *this = {};
    if (Error == cudaSuccess) {
      Done = AllStreams ? Extent::All : Extent::Stream;
      DoneStream = Stream;
    }
    return Error;
  }

private:
  enum class Extent : unsigned char { Nothing, Stream, All };

  Extent Done = Extent::Nothing; ///< What was waited for, and DoneStream.
  Extent Owed = Extent::Nothing; ///< What is to be waited for, of WorkStream.
  /// What has come since.
  bool HasWork = false, HasSeveral = false;
  cudaStream_t DoneStream = nullptr, WorkStream = nullptr;
};

} // namespace detail
#endif

class ReplayedLaunches;

/// Of a ReplayedLaunches: launches of functions that are called are its own.
struct OfCallees {};

namespace detail {
/// Each library has its own, whose address tells it from others.
inline char ThisLibrary = 0;

/// A ReplayedLaunches that is open to the functions its loop calls. An inline
/// function that launches may be another library's, which has runtimes of its
/// own (this one and perhaps CUDA's): it makes what is held back, and launches
/// by itself.
struct OpenLaunches {
  const char *Library; ///< Whose Open is, a ReplayedLaunches as known there.
  void *Open;
  void (*MakeHeldBack)(void *Open);
};

/// Of this thread, in whatever library: an OpenLaunches, or null. Weak and not
/// inline, for a unique symbol would keep the library from being unloaded.
extern "C" {
__attribute__((
    weak, visibility("default"))) __thread const void *barricade_open_launches =
    nullptr;
}
} // namespace detail

/// Launches of kernels, one after the other in a stream, which the host makes
/// many at a time by a graph once they are known to be many: it takes 0.3 to
/// 0.7 us for each instead of 2 to 4, and the device has less to do between
/// two. Nothing changes in the kernels, in their order or in their arguments.
///
/// A launch may be held back until others have come. So nobody may look at what
/// it does, or give the device other work, before flush() is called or the
/// object is gone:
///
///   barricade::ReplayedLaunches replay(steps);
///   for (int step = 0; step < steps; ++step) {
///     replay.launch(relax, grid, block, 0, stream, from, to, n);
///     std::swap(from, to);
///   }
///   replay.flush();
///   cudaMemcpyAsync(...);
///
/// What sets or copies memory of the device between them may be held back, too:
/// replay.memset(to, 0, bytes).
///
/// Launches that are confined, as StepBarrier has it, and follow each other can
/// be one launch of a kernel that makes a Stretch:
///
///   replay.join(exchange_stretch, 1);
///   for (...; j /= 2)
///     replay.if_confined(0, barricade::Distance(j))
///         .launch(exchange, grid, block, 0, stream, data, j);
///
/// Functions that are called meanwhile may make launches of the object's by
/// barricade::launch():
///
///   barricade::ReplayedLaunches replay(steps, barricade::OfCallees());
///   for (int step = 0; step < steps; ++step)
///     relaxAll(from, to, n);
///   replay.flush();
class ReplayedLaunches {
public:
  /// How many launches there will be, at least and as far as that is known;
  /// 0 or less: it is not.
  template <typename Number = int>
  explicit ReplayedLaunches(Number ExpectedLaunches = 0)
      : Expected(ExpectedLaunches > 0
                     ? static_cast<unsigned long long>(ExpectedLaunches)
                     : 0) {
#ifdef BARRICADE_GPU_SYNC_REPLAY
    if (!mayPay())
      Is = Phase::Over;
#endif
  }
  /// The same for launches that called functions make, too, until flush() is
  /// called or the object is gone.
  template <typename Number>
  ReplayedLaunches(Number ExpectedLaunches, OfCallees)
      : ReplayedLaunches(ExpectedLaunches) {
    openToCallees();
  }
  explicit ReplayedLaunches(OfCallees All) : ReplayedLaunches(0, All) {}
  ReplayedLaunches(const ReplayedLaunches &) = delete;
  ReplayedLaunches &operator=(const ReplayedLaunches &) = delete;
  ~ReplayedLaunches() {
    flush();
#ifdef BARRICADE_GPU_SYNC_REPLAY
    Steps.noteEnd();
    if (!HadGraph && Mark > Begin)
      __atomic_fetch_add(&detail::SpentInLaunches, Mark - Begin,
                         __ATOMIC_RELAXED);
#endif
  }

  /// Kernel makes what Stretch says; as its first statement, if it is one that
  /// overlaps, wait_for_previous_grid(). Fixed: by the number of each kernel
  /// that it calls a step of, which arguments stay.
  template <typename... Masks>
  void join(void (*Kernel)(Stretch), Masks... Fixed) {
    joinBy<false>(Kernel, Fixed...);
  }
  template <bool CanWait = detail::canWaitForPreviousGrid(), typename... Masks>
  void join_overlapped(void (*Kernel)(Stretch), Masks... Fixed) {
    joinBy<CanWait>(Kernel, Fixed...);
  }

  /// What has to hold for any launch to be confined: see StepBarrier.
  template <typename First, typename Second>
  void require_apart(First *FirstArray, Second *SecondArray) {
    requireApart(FirstArray, SecondArray, /*MayBeEqual=*/false);
  }
  template <typename First, typename Second>
  void require_same_or_apart(First *FirstArray, Second *SecondArray) {
    requireApart(FirstArray, SecondArray, /*MayBeEqual=*/true);
  }

  /// The next launch is confined where all Conditions hold. Number: of the
  /// kernel, in what joins.
  template <typename... Conditions>
  ReplayedLaunches &if_confined(unsigned Number, Conditions... All) {
#ifdef BARRICADE_GPU_SYNC_REPLAY
    Steps.askOfNext(Number);
    (ask(All), ...);
#else
    (void)Number, ((void)All, ...);
#endif
    return *this;
  }

  /// Kernel<<<Grid, Block, SharedBytes, Stream>>>(Arguments...), now or later.
  /// Errors are found as there, by cudaGetLastError(): what is held back has
  /// been launched alike without one.
  template <typename... Parameters>
  void launch(void (*Kernel)(Parameters...), dim3 Grid, dim3 Block,
              size_t SharedBytes, cudaStream_t Stream,
              typename detail::NotDeduced<Parameters>::Type... Arguments) {
    make<false>(Kernel, Grid, Block, SharedBytes, Stream, Arguments...);
  }

  /// The same of a kernel whose first statement is wait_for_previous_grid(): it
  /// may start while the launch before comes to its end.
  template <bool CanWait = detail::canWaitForPreviousGrid(),
            typename... Parameters>
  void launch_overlapped(
      void (*Kernel)(Parameters...), dim3 Grid, dim3 Block, size_t SharedBytes,
      cudaStream_t Stream,
      typename detail::NotDeduced<Parameters>::Type... Arguments) {
    make<CanWait>(Kernel, Grid, Block, SharedBytes, Stream, Arguments...);
  }

  /// What the function of CUDA does that is called alike, now or later. Within
  /// the device's memory a kernel does it, if a graph is to; what else there is
  /// is done at once, after all that is held back. Errors are found as there.
  template <typename Byte = unsigned char>
  cudaError_t memset(void *To, int Value, size_t Bytes) {
    return setMemory<Byte>(To, Value, Bytes, nullptr,
                           [&] { return cudaMemset(To, Value, Bytes); });
  }
  template <typename Byte = unsigned char>
  cudaError_t memset_async(void *To, int Value, size_t Bytes,
                           cudaStream_t Stream = nullptr) {
    return setMemory<Byte>(To, Value, Bytes, Stream, [&] {
      return cudaMemsetAsync(To, Value, Bytes, Stream);
    });
  }
  template <typename Byte = unsigned char>
  cudaError_t memcpy(void *To, const void *From, size_t Bytes,
                     cudaMemcpyKind Kind) {
    return copyMemory<Byte>(To, From, Bytes, nullptr,
                            [&] { return cudaMemcpy(To, From, Bytes, Kind); });
  }
  template <typename Byte = unsigned char>
  cudaError_t memcpy_async(void *To, const void *From, size_t Bytes,
                           cudaMemcpyKind Kind, cudaStream_t Stream = nullptr) {
    return copyMemory<Byte>(To, From, Bytes, Stream, [&] {
      return cudaMemcpyAsync(To, From, Bytes, Kind, Stream);
    });
  }

  /// What cudaDeviceSynchronize() does, or later: the first time at once, so
  /// that nothing but launches of this object's is left to be waited for, and
  /// then as soon as one comes in another stream, or at flush(). For programs
  /// that do not look at what they wait for before. An error of what is waited
  /// for is found then.
  cudaError_t synchronize() {
#ifdef BARRICADE_GPU_SYNC_REPLAY
    return waitFor(nullptr, /*AllStreams=*/true);
#else
    return cudaDeviceSynchronize();
#endif
  }
  /// The same of cudaStreamSynchronize(Stream).
  cudaError_t synchronize(cudaStream_t Stream) {
#ifdef BARRICADE_GPU_SYNC_REPLAY
    return waitFor(Stream, /*AllStreams=*/false);
#else
    return cudaStreamSynchronize(Stream);
#endif
  }

  /// Makes all launches that are held back, and waits if that was put off.
  /// Whatever comes then, more launches may follow. The graph is free for other
  /// loops of its stream meanwhile. Returns the error of a wait that
  /// synchronize() put off, unless a later call of that returned one.
  cudaError_t flush() {
    closeToCallees();
#ifdef BARRICADE_GPU_SYNC_REPLAY
    makeStretch();
    makeHeld();
    makeUpWait();
    PutOff = {};
    forgetCuda();
    freeGraph();
    ErrorAtFlush = ErrorOfWait;
    ErrorOfWait = cudaSuccess;
    return ErrorAtFlush;
#else
    return cudaSuccess;
#endif
  }

  /// What flush() returned last, for loops that keep an error in a variable: it
  /// stays as it is where there is none, as behind a loop that did not run.
  ///
  ///   if (replay.flush() != cudaSuccess)
  ///     last = replay.flush_error();
  cudaError_t flush_error() const {
#ifdef BARRICADE_GPU_SYNC_REPLAY
    return ErrorAtFlush;
#else
    return cudaSuccess;
#endif
  }

private:
  friend class ReplayPause;
  friend class Takeover;

  void openToCallees() {
    Outer = detail::barricade_open_launches;
    detail::barricade_open_launches = &ForCallees;
    IsOpen = true;
  }
  void closeToCallees() {
    if (IsOpen)
      detail::barricade_open_launches = Outer;
    IsOpen = false;
  }

  /// What came so far, for launches of another library that come behind it.
  void makeForOthers() {
    makeAll();
    openToCallees();
  }

  /// flush(), whose error is the next one's.
  void makeAll() {
    (void)flush();
#ifdef BARRICADE_GPU_SYNC_REPLAY
    ErrorOfWait = ErrorAtFlush;
#endif
  }

#ifdef BARRICADE_GPU_SYNC_REPLAY
  void freeGraph() {
    if (!Graph)
      return;
    __atomic_store_n(&Graph->InUse, 0u, __ATOMIC_RELEASE);
    Graph = nullptr;
    if (Is == Phase::Replayed)
      Is = Phase::Due;
    // Where little is held back each time, a graph makes nothing.
    InVain = Filled != 0 ? 0 : InVain + 1;
    if (InVain == 2)
      Is = Phase::Over;
  }

  void makeStretch() {
    Steps.make([this](detail::HeldLaunch &One, cudaStream_t Stream,
                      bool Waits) { return pass(One, Stream, Waits); });
  }

  void makeHeld() {
    for (unsigned Index = 0; Index < Count; ++Index) {
      detail::HeldLaunch &Each = Graph->Held[Index];
      (void)Each.withArguments([&](void **Arguments) {
        return start(Each.Kernel, Each.Grid, Each.Block, Arguments,
                     Each.SharedBytes, Into, Graph->Overlaps);
      });
    }
    Count = 0;
  }

  /// For what is no launch that could be held back.
  void leaveNothingHeld() {
    Steps.askNothingMore();
    Steps.noteConfined(false);
    makeStretch();
    makeHeld();
  }

  cudaError_t waitFor(cudaStream_t Stream, bool AllStreams) {
    if (hasNoError() && PutOff.putOff(Stream, AllStreams))
      return cudaSuccess;
    makeStretch();
    makeHeld();
    makeUpWait();
    const cudaError_t Before = ErrorOfWait;
    ErrorOfWait = cudaSuccess;
    const cudaError_t Error = PutOff.wait(Stream, AllStreams);
    MayHaveError |= Error != cudaSuccess;
    return Before != cudaSuccess ? Before : Error;
  }

  void makeUpWait() {
    const cudaError_t Error = PutOff.makeUp();
    if (ErrorOfWait == cudaSuccess)
      ErrorOfWait = Error;
    MayHaveError |= Error != cudaSuccess;
  }

  /// Something comes in Stream: what waited for others before has to wait.
  void noteStream(cudaStream_t Stream) {
    if (PutOff.isOwedBefore(Stream)) {
      makeStretch();
      makeHeld();
      makeUpWait();
    }
    PutOff.note(Stream);
  }

  /// What was asked of it need not hold any more.
  void forgetCuda() {
    MayHaveError = true;
    HasPaused = true;
    for (Launched &Each : Known)
      Each.Kernel = nullptr;
    Memory = {};
    Steps.forgetCuda();
#ifdef BARRICADE_GPU_SYNC_OVERLAP
    Launcher = {};
#endif
  }

  cudaError_t makeAsStepOrAlone(detail::HeldLaunch &One, cudaStream_t Stream,
                                bool Waits) {
    cudaError_t Error = cudaSuccess;
    if (!becomesStep(One, Stream, Waits)) {
      makeStretch();
      Error = pass(One, Stream, Waits);
    }
    Steps.askNothingMore();
    return Error;
  }
#endif

  template <bool Waits, typename... Parameters>
  void make(void (*Kernel)(Parameters...), dim3 Grid, dim3 Block,
            size_t SharedBytes, cudaStream_t Stream,
            typename detail::NotDeduced<Parameters>::Type &...Arguments) {
#ifdef BARRICADE_GPU_SYNC_REPLAY
    noteStream(Stream);
    if constexpr (detail::HeldLaunch::holds<Parameters...>()) {
      if (mayHold()) {
        detail::HeldLaunch One;
        One.set(detail::entryOf(Kernel), Grid, Block, SharedBytes,
                Arguments...);
        (void)makeAsStepOrAlone(One, Stream, Waits);
      } else {
        void *All[] = {detail::addressOf(Arguments)..., nullptr};
        (void)makeNow(detail::entryOf(Kernel), Grid, Block, All, SharedBytes,
                      Stream, Waits);
      }
      return;
    }
    leaveNothingHeld();
#endif
    Kernel<<<Grid, Block, SharedBytes, Stream>>>(
        static_cast<Parameters &&>(Arguments)...);
  }

  template <typename Byte, typename Function>
  cudaError_t setMemory(void *To, int Value, size_t Bytes, cudaStream_t Stream,
                        Function Otherwise) {
#ifdef BARRICADE_GPU_SYNC_REPLAY
    noteStream(Stream);
    if (mayTransfer(Bytes, Stream) && Memory.hold(To, Bytes))
      return transfer(detail::fillBytes<Byte>, Stream, Bytes,
                      static_cast<Byte *>(To), Value, Bytes);
#else
    (void)To, (void)Value, (void)Bytes, (void)Stream;
#endif
    return makeAtOnce(Otherwise);
  }

  template <typename Byte, typename Function>
  cudaError_t copyMemory(void *To, const void *From, size_t Bytes,
                         cudaStream_t Stream, Function Otherwise) {
#ifdef BARRICADE_GPU_SYNC_REPLAY
    noteStream(Stream);
    const auto *Source = static_cast<const Byte *>(From);
    auto *Target = static_cast<Byte *>(To);
    if (mayTransfer(Bytes, Stream) && Memory.hold(To, Bytes) &&
        Memory.hold(From, Bytes) && !detail::overlap(Target, Source, Bytes))
      return transfer(detail::copyBytes<Byte>, Stream, Bytes, Target, Source,
                      Bytes);
#else
    (void)To, (void)From, (void)Bytes, (void)Stream;
#endif
    return makeAtOnce(Otherwise);
  }

  /// Behind all that is held back.
  template <typename Function> cudaError_t makeAtOnce(Function Do) {
#ifdef BARRICADE_GPU_SYNC_REPLAY
    leaveNothingHeld();
    beforeLaunch();
#ifdef BARRICADE_GPU_SYNC_OVERLAP
    Launcher.forgetLast();
#endif
    const cudaError_t Error = Do();
    countLaunch(Error == cudaSuccess);
    return Error;
#else
    return Do();
#endif
  }

#ifdef BARRICADE_GPU_SYNC_REPLAY
  /// A kernel that has to be loaded pays where a graph does.
  bool mayTransfer(size_t Bytes, cudaStream_t Stream) const {
    return Is == Phase::Replayed && Stream == Into && Bytes != 0 &&
           Bytes <= detail::MostOfTransfer;
  }

  template <typename... Parameters>
  cudaError_t
  transfer(void (*Kernel)(Parameters...), cudaStream_t Stream, size_t Bytes,
           typename detail::NotDeduced<Parameters>::Type... Arguments) {
    detail::HeldLaunch One;
    detail::setTransfer(One, Kernel, Bytes, Arguments...);
    return makeAsStepOrAlone(One, Stream, detail::canWaitForPreviousGrid());
  }
#endif

  template <bool KernelWaits, typename... Masks>
  void joinBy(void (*Kernel)(Stretch), Masks... Fixed) {
#ifdef BARRICADE_GPU_SYNC_REPLAY
    Steps.makeBy(Kernel, KernelWaits, Fixed...);
    if (Made == 0 && Is == Phase::Over)
      Is = Phase::Timed;
#else
    (void)Kernel, ((void)Fixed, ...);
#endif
  }

  template <typename First, typename Second>
  void requireApart(First *FirstArray, Second *SecondArray, bool MayBeEqual) {
#ifdef BARRICADE_GPU_SYNC_REPLAY
    Steps.requireApart(FirstArray, SecondArray, MayBeEqual);
#else
    (void)FirstArray, (void)SecondArray, (void)MayBeEqual;
#endif
  }

  /// A graph is expected to make most launches of a loop that begins now: there
  /// are known to be many.
  bool pays() const {
#ifdef BARRICADE_GPU_SYNC_REPLAY
    return Is == Phase::Timed &&
           (areMany(firstDecision() + detail::EarnsReplay) ||
            (areMany(firstDecision() + 2 * detail::LaunchesPerReplay) &&
             (hasGraphs() || spentBefore() >= detail::ReplayPaysBehind)));
#else
    return false;
#endif
  }

  /// Whether launches may wait for others from now on.
  void mayHoldBack(bool May) {
#ifdef BARRICADE_GPU_SYNC_REPLAY
    if (May && Is == Phase::Paused)
      Is = Phase::Timed;
    else if (!May && Is == Phase::Timed)
      Is = Phase::Paused;
#else
    (void)May;
#endif
  }

  [[maybe_unused]] unsigned long long Expected;

#ifdef BARRICADE_GPU_SYNC_REPLAY
  enum class Phase : unsigned char {
    Paused,   ///< Each launch is made, for others have yet to decide.
    Timed,    ///< The same; what the host does between is timed.
    Due,      ///< The next launch comes with a graph, if there can be one.
    Replayed, ///< Launches are held back for the graph.
    Over,     ///< Each is made.
  };
  /// A kernel that was launched without an error.
  struct Launched {
    const void *Kernel;
    dim3 Block;
    size_t SharedBytes;
  };

  /// Where an error waits to be asked for, a program may end at the next
  /// question, and what is held back would be lost. None comes while something
  /// is: what fails is launched, or done, behind all of it.
  bool hasNoError() {
    if (MayHaveError)
      MayHaveError = cudaPeekAtLastError() != cudaSuccess;
    return !MayHaveError;
  }

  //===--- Launches as steps ----------------------------------------------===//

  void ask(Distance Of) { Steps.askDistance(Of.Value); }
  void ask(Limit Of) { Steps.askLimit(Of.Value); }

  /// The next launch may be held back, or others are.
  bool mayHold() const {
    return Is == Phase::Due || Is == Phase::Replayed || Steps.mayBeMade();
  }

  /// Holds One back as a step, if it can be one.
  bool becomesStep(const detail::HeldLaunch &One, cudaStream_t Stream,
                   bool Waits) {
    const bool IsConfined = Steps.isConfined(One);
    const bool Joins =
        IsConfined && Is != Phase::Paused && Is != Phase::Over &&
        isLikeBefore(One) && hasNoError() &&
        Steps.admits(One, Stream, areMany(Made + detail::EarnsStretch));
    Steps.noteConfined(IsConfined);
    if (!Joins)
      return false;
    if (Steps.add(One, Waits, Stream))
      return true;
    makeStretch();
    return Steps.add(One, Waits, Stream);
  }

  //===--- Launches by themselves -----------------------------------------===//

  /// By the graph, later, or now.
  cudaError_t pass(detail::HeldLaunch &One, cudaStream_t Stream, bool Waits) {
    if (Is == Phase::Due)
      findGraph(Stream, One, Waits && mayOverlap(One.Kernel));
    if (Is == Phase::Replayed && Stream == Into && hasNoError() &&
        isLikeBefore(One) &&
        (!Graph->Overlaps || (Waits && mayOverlap(One.Kernel)))) {
      hold(One);
      return cudaSuccess;
    }
    makeHeld();
    return One.withArguments([&](void **Arguments) {
      return makeNow(One.Kernel, One.Grid, One.Block, Arguments,
                     One.SharedBytes, Stream, Waits);
    });
  }

  cudaError_t makeNow(const void *Kernel, dim3 Grid, dim3 Block,
                      void **Arguments, size_t SharedBytes, cudaStream_t Stream,
                      bool Waits) {
    beforeLaunch();
    const cudaError_t Error =
        start(Kernel, Grid, Block, Arguments, SharedBytes, Stream, Waits);
    afterLaunch(Kernel, Block, SharedBytes, Error == cudaSuccess);
    return Error;
  }

  cudaError_t start(const void *Kernel, dim3 Grid, dim3 Block, void **Arguments,
                    size_t SharedBytes, cudaStream_t Stream, bool Waits) {
#ifdef BARRICADE_GPU_SYNC_OVERLAP
    return Launcher.launch(Kernel, Grid, Block, Arguments, SharedBytes, Stream,
                           Waits);
#else
    (void)Waits;
    return cudaLaunchKernel(Kernel, Grid, Block, Arguments, SharedBytes,
                            Stream);
#endif
  }

  bool mayOverlap(const void *Kernel) {
#ifdef BARRICADE_GPU_SYNC_OVERLAP
    return Launcher.waits(Kernel);
#else
    (void)Kernel;
    return false;
#endif
  }

  //===--- Before there is a graph ----------------------------------------===//

  /// The clock is read for the last launches before something is decided.
  bool isWatched() const { return Made >= Next / 2 && Made + 16 >= Next; }

  void beforeLaunch() {
    if (Is == Phase::Timed && Made > 0 && isWatched() && !HasPaused)
      Between += detail::nanosecondsSince(Mark);
  }

  void afterLaunch(const void *Kernel, dim3 Block, size_t SharedBytes,
                   bool Works) {
    if (Works && Is != Phase::Over && !wasLaunched(Kernel, Block, SharedBytes))
      remember(Kernel, Block, SharedBytes);
    countLaunch(Works);
  }

  void countLaunch(bool Works) {
    MayHaveError |= !Works;
    HasPaused = false;
    if (Is != Phase::Timed)
      return;
    if (++Made == Next)
      decide();
    if (Made == 1 || isWatched())
      Mark = detail::nanoseconds();
    // The first launch may have loaded its kernel.
    if (Made == 1)
      Begin = Mark;
  }

  /// What is asked of CUDA takes some 50 us the first time, so it is not asked
  /// by loops that have no use for a graph.
  void decide() {
    const unsigned long long Timed = Next < 32 ? Next / 2 : 16;
    const bool IsBusy = Between > Timed * detail::MostBetweenLaunches;
    Between = 0;
    Next = 2 * Next;
    if (IsBusy)
      return;
    if ((hasGraphs() && paysToUse()) || paysToMake())
      Is = Phase::Due;
  }

  /// As far as that is known before the first launch: see decide().
  bool mayPay() const {
#ifdef BARRICADE_REPLAY_AT
    return true;
#else
    return Expected == 0 ||
           areMany(firstDecision() + 2 * detail::LaunchesPerReplay);
#endif
  }

  static bool hasGraphs() {
    return __atomic_load_n(&detail::HasGraphs, __ATOMIC_RELAXED) != 0;
  }
  /// By such loops that made no graph.
  static unsigned long long spentBefore() {
    return __atomic_load_n(&detail::SpentInLaunches, __ATOMIC_RELAXED);
  }
  /// Known to be at least as many, if stretches go on to save as many of them.
  bool areMany(unsigned long long Launches) const {
    const unsigned long long Saved = Steps.saved();
    return Expected > 0 &&
           (Saved == 0 ? Expected : Expected / (Made + Saved) * Made) >=
               Launches;
  }

  /// While the first launches are held back the device waits for the host, who
  /// changes the graph: some 10 us.
  bool paysToUse() const {
    return Expected > 0 ? areMany(Made + 2 * detail::LaunchesPerReplay)
                        : Made >= 2 * detail::LaunchesPerReplay;
  }

  void findGraph(cudaStream_t Stream, detail::HeldLaunch &Any, bool Overlaps) {
    const detail::LastErrorGuard KeepError;
    const detail::UnrecordedCalls DuringCapture;
    Is = Phase::Timed;
    if (!hasNoError() || detail::isCaptured(Stream) ||
        detail::hasOwnWays(Stream))
      return;
    Graph = detail::claimGraph(Stream, Overlaps, /*ToMake=*/false);
    if (!Graph && paysToMake())
      makeGraph(Stream, Any, Overlaps);
    if (!Graph)
      return;
    Is = Phase::Replayed;
    HadGraph = true;
    Filled = 0;
    Into = Stream;
    for (detail::HeldLaunch &Each : Graph->Held)
      Each.Kernel = nullptr;
    for (Launched &Each : Known)
      if (Each.Kernel && detail::isOfClusters(Each.Kernel))
        Each.Kernel = nullptr;
  }

  bool paysToMake() const {
#ifdef BARRICADE_REPLAY_AT
    return true;
#else
    if (areMany(Made + detail::EarnsReplay))
      return true;
    const bool IsLong =
        Expected > 0 ? paysToUse() : Made >= detail::LaunchesPerReplay;
    return IsLong && detail::nanosecondsSince(Begin) + spentBefore() >=
                         detail::ReplayPaysBehind;
#endif
  }

  void makeGraph(cudaStream_t Stream, detail::HeldLaunch &Any, bool Overlaps) {
    Graph = detail::claimGraph(Stream, Overlaps, /*ToMake=*/true);
    if (!Graph)
      return;
    if (Graph->make(Any) == cudaSuccess) {
      __atomic_store_n(&detail::HasGraphs, 1u, __ATOMIC_RELAXED);
      return;
    }
    __atomic_store_n(&Graph->InUse, 0u, __ATOMIC_RELEASE);
    Graph = nullptr;
    Is = Phase::Over;
  }

  //===--- With a graph ---------------------------------------------------===//

  /// What is held back must be sure to be launched.
  bool isLikeBefore(const detail::HeldLaunch &One) const {
    constexpr unsigned MostInX = 0x7fffffff, MostInYOrZ = 65535;
    return One.Grid.x - 1 < MostInX && One.Grid.y - 1 < MostInYOrZ &&
           One.Grid.z - 1 < MostInYOrZ &&
           wasLaunched(One.Kernel, One.Block, One.SharedBytes);
  }

  bool wasLaunched(const void *Kernel, dim3 Block, size_t SharedBytes) const {
    for (const Launched &Each : Known)
      if (Each.Kernel == Kernel && Each.Block.x == Block.x &&
          Each.Block.y == Block.y && Each.Block.z == Block.z &&
          Each.SharedBytes == SharedBytes)
        return true;
    return false;
  }

  void remember(const void *Kernel, dim3 Block, size_t SharedBytes) {
    const detail::LastErrorGuard KeepError;
    if (Is < Phase::Due || !detail::isOfClusters(Kernel))
      Known[NextKnown++ % Remembered] = {Kernel, Block, SharedBytes};
  }

  void hold(const detail::HeldLaunch &One) {
    detail::HeldLaunch &Place = Graph->Held[Count];
    if (!Place.isLike(One)) {
      Place.copy(One);
      Changed |= 1u << Count;
    }
    if (++Count < detail::LaunchesPerReplay)
      return;
    const unsigned long long Now = detail::nanoseconds();
    if (replay())
      Count = 0;
    else
      stop();
    // What is held back no longer has earned it.
    if (Filled != 0 && Now > Filled &&
        Now - Filled > detail::LaunchesPerReplay * detail::MostBetweenLaunches)
      stop();
    Filled = detail::nanoseconds();
  }

  /// Errors are the graph's alone: what is held is launched otherwise then.
  bool replay() {
    const detail::LastErrorGuard KeepError;
    for (unsigned Index = 0; Index < detail::LaunchesPerReplay; ++Index)
      if ((Changed >> Index & 1u) != 0 && Graph->set(Index) != cudaSuccess)
        return false;
    Changed = 0;
#ifdef BARRICADE_GPU_SYNC_OVERLAP
    Launcher.forgetLast();
#endif
    return cudaGraphLaunch(Graph->Ready, Into) == cudaSuccess;
  }

  void stop() {
    Is = Phase::Over;
    makeHeld();
  }

  static constexpr unsigned Remembered = 8;
  static unsigned long long firstDecision() {
#ifdef BARRICADE_REPLAY_AT
    return (BARRICADE_REPLAY_AT);
#else
    return 4;
#endif
  }

  Phase Is = Phase::Timed;
  bool MayHaveError = true; ///< Which nobody has asked for.
  bool HadGraph = false;
  bool HasPaused = false; ///< Since the last launch: what is before it is made.
  unsigned InVain = 0;    ///< How often one was claimed at last, and not used.
  unsigned Count = 0;     ///< Held back.
  unsigned Changed = 0;   ///< By bits: of these the graph does not know yet.
  cudaStream_t Into = nullptr;
  unsigned long long Made = 0, Next = firstDecision();
  /// When the first launch was made, when the last that was watched, what the
  /// host took between those, and when the graph that is claimed was launched
  /// last, or 0.
  unsigned long long Begin = 0, Mark = 0, Between = 0, Filled = 0;
  Launched Known[Remembered] = {};
  unsigned NextKnown = 0;
  detail::StretchBuilder Steps;
  detail::DeviceAllocations Memory;
  detail::PutOffWaits PutOff;
  cudaError_t ErrorOfWait = cudaSuccess;  ///< Which nobody was told.
  cudaError_t ErrorAtFlush = cudaSuccess; ///< Of the last one.
  detail::ReplayGraph *Graph = nullptr;
#ifdef BARRICADE_GPU_SYNC_OVERLAP
  detail::OverlappingLauncher Launcher;
#endif
#endif
  const detail::OpenLaunches ForCallees{
      &detail::ThisLibrary, this, [](void *Open) {
        static_cast<ReplayedLaunches *>(Open)->makeForOthers();
      }};
  /// Of those that are open to called functions: the one before.
  const void *Outer = nullptr;
  bool IsOpen = false;
};

/// While this is there, Paused holds nothing back and is not open to the
/// functions that are called, so that anything may be done.
class ReplayPause {
public:
  explicit ReplayPause(ReplayedLaunches &Paused)
      : Of(Paused), WasOpen(Paused.IsOpen) {
    (void)Of.flush();
  }
  ReplayPause(const ReplayPause &) = delete;
  ReplayPause &operator=(const ReplayPause &) = delete;
  ~ReplayPause() {
    if (WasOpen)
      Of.openToCallees();
  }

private:
  ReplayedLaunches &Of;
  bool WasOpen;
};

/// Kernel<<<Grid, Block, SharedBytes, Stream>>>(Arguments...): a launch of the
/// ReplayedLaunches that is open to the functions its loop calls, on this
/// thread, or one by itself. Errors are found as there.
template <typename... Parameters>
void launch(void (*Kernel)(Parameters...), dim3 Grid, dim3 Block,
            size_t SharedBytes, cudaStream_t Stream,
            typename detail::NotDeduced<Parameters>::Type... Arguments) {
  const auto *Launches = static_cast<const detail::OpenLaunches *>(
      detail::barricade_open_launches);
  if (Launches && Launches->Library == &detail::ThisLibrary) {
    static_cast<ReplayedLaunches *>(Launches->Open)
        ->launch(Kernel, Grid, Block, SharedBytes, Stream, Arguments...);
    return;
  }
  if (Launches)
    Launches->MakeHeldBack(Launches->Open);
  Kernel<<<Grid, Block, SharedBytes, Stream>>>(
      static_cast<Parameters &&>(Arguments)...);
}

//===----------------------------------------------------------------------===//
// Loops that the device goes around by itself
//===----------------------------------------------------------------------===//

/// What a number that is read back is held against another by, in while_read()
/// and until_read(): what the operators of the language do.
struct Less {
  template <typename Number>
  __host__ __device__ static bool holds(Number Left, Number Right) {
    return Left < Right;
  }
};
struct LessOrEqual {
  template <typename Number>
  __host__ __device__ static bool holds(Number Left, Number Right) {
    return Left <= Right;
  }
};
struct Greater {
  template <typename Number>
  __host__ __device__ static bool holds(Number Left, Number Right) {
    return Left > Right;
  }
};
struct GreaterOrEqual {
  template <typename Number>
  __host__ __device__ static bool holds(Number Left, Number Right) {
    return Left >= Right;
  }
};
/// Of floating-point numbers, too, without a compiler's warning.
struct Equal {
  template <typename Number>
  __host__ __device__ static bool holds(Number Left, Number Right) {
    return Left <= Right && Left >= Right;
  }
};
struct NotEqual {
  template <typename Number>
  __host__ __device__ static bool holds(Number Left, Number Right) {
    return !Equal::holds(Left, Right);
  }
};

namespace detail {

/// The number that is stored there. A truth value is what is not 0.
template <typename Number> struct Stored {
  __host__ __device__ static Number read(const void *Where) {
    Number Value;
    __builtin_memcpy(&Value, Where, sizeof(Number));
    return Value;
  }
};
template <> struct Stored<bool> {
  __host__ __device__ static bool read(const void *Where) {
    return *static_cast<const unsigned char *>(Where) != 0;
  }
};

/// A number that is compared as Value, also by a device that takes subnormal
/// ones of single precision for zero, as -ftz=true has it.
template <typename Number> __host__ __device__ Number comparable(Number Value) {
  return Value;
}
__host__ __device__ inline double comparable(float Value) {
  unsigned Bits;
  __builtin_memcpy(&Bits, &Value, sizeof Bits);
  if ((Bits & 0x7f800000u) != 0)
    return static_cast<double>(Value);
  const double Size = static_cast<double>(Bits & 0x7fffffu) * 0x1p-149;
  return (Bits >> 31) != 0 ? -Size : Size;
}

/// Whether a loop goes on, by the number of type Read that is stored somewhere.
template <typename Read, typename Comparison, typename Other, bool GoesOnIf>
struct LoopCondition {
  using Number = Read;
  Other With;

  __host__ __device__ bool goesOn(const void *Where) const {
    // What the operators of the language convert both to.
    using Common = decltype(Read() + Other());
    return Comparison::holds(
               comparable(static_cast<Common>(Stored<Read>::read(Where))),
               comparable(static_cast<Common>(With))) == GoesOnIf;
  }
};

} // namespace detail

/// For LoopedLaunches: the loop goes on as long as Comparison holds of the
/// number of type Read that is read back, on the left, and With.
template <typename Read, typename Comparison, typename Other>
constexpr auto while_read(Comparison, Other With) {
  return detail::LoopCondition<Read, Comparison, Other, true>{With};
}
/// The same: until it holds.
template <typename Read, typename Comparison, typename Other>
constexpr auto until_read(Comparison, Other With) {
  return detail::LoopCondition<Read, Comparison, Other, false>{With};
}

#ifdef BARRICADE_GPU_SYNC_REPLAY
namespace detail {

/// Small numbers that an iteration begins by writing to the device.
struct FirstWrites {
  static constexpr unsigned Most = 4, MostBytes = 16;
  unsigned Count;
  unsigned Sizes[Most];
  void *Places[Most];
  unsigned char Bytes[Most][MostBytes];

  __host__ __device__ static void
  copy(unsigned char *To, const unsigned char *From, unsigned Size) {
    for (unsigned Index = 0; Index < Size; ++Index)
      To[Index] = From[Index];
  }
  __device__ void make() const {
    for (unsigned Index = 0; Index < Count; ++Index)
      copy(static_cast<unsigned char *>(Places[Index]), Bytes[Index],
           Sizes[Index]);
  }
  /// Whether there was room.
  bool add(void *To, const unsigned char *From, size_t Size) {
    if (Count == Most || Size > MostBytes)
      return false;
    Places[Count] = To;
    Sizes[Count] = static_cast<unsigned>(Size);
    copy(Bytes[Count], From, Sizes[Count]);
    // What is behind them must be the same each time.
    for (unsigned Index = Sizes[Count]; Index < MostBytes; ++Index)
      Bytes[Count][Index] = 0;
    ++Count;
    return true;
  }
};

/// What the device has come to.
struct LoopState {
  unsigned long long Made; ///< Iterations.
  unsigned char Read[8];   ///< By the last of them.
};

/// Before the device's first iteration.
template <typename Condition>
__global__ void enterLoop(LoopState *State, FirstWrites Writes) {
  State->Made = 0;
  Writes.make();
}

/// Behind each of its iterations. From: what the host reads back.
template <typename Condition>
__global__ void turnLoop(cudaGraphConditionalHandle Handle, LoopState *State,
                         unsigned long long Most, FirstWrites Writes,
                         const unsigned char *From, Condition Decides) {
  const unsigned long long Made = State->Made + 1;
  State->Made = Made;
  FirstWrites::copy(State->Read, From, sizeof(typename Condition::Number));
  const bool GoesOn = Made < Most && Decides.goesOn(State->Read);
  if (GoesOn)
    Writes.make();
  cudaGraphSetConditional(Handle, GoesOn ? 1 : 0);
}

/// Launches of one iteration.
struct LoopSteps {
  static constexpr unsigned Most = 16;
  unsigned Count;
  HeldLaunch Each[Most];
};

/// A graph that goes around a loop on the device: enterLoop(), and a WHILE node
/// of steps and turnLoop(). It stays for the next such loop of its stream, as a
/// ReplayGraph does.
struct LoopGraph {
  unsigned InUse;                     ///< Only touched by atomic accesses.
  unsigned long long Context, Stream; ///< Their numbers.
  cudaGraph_t Graph;
  cudaGraphExec_t Ready; ///< Null: there is none.
  cudaGraphConditionalHandle Handle;
  LoopState *State; ///< Of the device.
  /// Iterations that the host makes before the device goes on alone: some
  /// loops have hardly more.
  unsigned long long Before;
  cudaGraphNode_t EnterNode, TurnNode, StepNodes[LoopSteps::Most];
  HeldLaunch Enter, Turn;
  LoopSteps Steps;

  /// Enter, Turn and Steps are set but for Handle and State, which SetThem
  /// gives to the first two.
  template <typename Function> cudaError_t make(Function SetThem) {
    cudaError_t Error = cudaMalloc(&State, sizeof *State);
    if (Error)
      return Error;
    Error = cudaGraphCreate(&Graph, 0);
    if (!Error) {
      Error = add(SetThem);
      if (!Error)
        Error = cudaGraphInstantiateWithFlags(&Ready, Graph, 0);
      if (Error) {
        Ready = nullptr;
        (void)cudaGraphDestroy(Graph);
      }
    }
    if (Error)
      (void)cudaFree(State);
    Before = 1;
    return Error;
  }

  void destroy() {
    (void)cudaGraphExecDestroy(Ready);
    (void)cudaGraphDestroy(Graph);
    (void)cudaFree(State);
    Ready = nullptr;
  }

  cudaError_t set(HeldLaunch &Own, cudaGraphNode_t Node,
                  const HeldLaunch &Wanted) {
    if (Own.isLike(Wanted))
      return cudaSuccess;
    Own.copy(Wanted);
    return withNode(Own, [&](const cudaKernelNodeParams &Params) {
      return cudaGraphExecKernelNodeSetParams(Ready, Node, &Params);
    });
  }

private:
  template <typename Function> cudaError_t add(Function SetThem) {
    cudaError_t Error = cudaGraphConditionalHandleCreate(
        &Handle, Graph, 1, cudaGraphCondAssignDefault);
    if (Error)
      return Error;
    SetThem(Enter, Turn);
    Error = addKernel(Graph, nullptr, Enter, EnterNode);
    cudaGraph_t Body = nullptr;
    if (!Error)
      Error = addBody(Body);
    cudaGraphNode_t Last = nullptr;
    for (unsigned Index = 0; Index < Steps.Count && !Error; ++Index) {
      Error = addKernel(Body, Last, Steps.Each[Index], StepNodes[Index]);
      Last = StepNodes[Index];
    }
    return Error ? Error : addKernel(Body, Last, Turn, TurnNode);
  }

  cudaError_t addBody(cudaGraph_t &Body) {
    cudaGraphNodeParams While{};
    While.type = cudaGraphNodeTypeConditional;
    While.conditional.handle = Handle;
    While.conditional.type = cudaGraphCondTypeWhile;
    While.conditional.size = 1;
    cudaGraphNode_t Node;
#if CUDART_VERSION >= 13000
    const cudaError_t Error =
        cudaGraphAddNode(&Node, Graph, &EnterNode, nullptr, 1, &While);
#else
    const cudaError_t Error =
        cudaGraphAddNode(&Node, Graph, &EnterNode, 1, &While);
#endif
    if (!Error)
      Body = While.conditional.phGraph_out[0];
    return Error;
  }

  static cudaError_t addKernel(cudaGraph_t Into, cudaGraphNode_t Before,
                               HeldLaunch &What, cudaGraphNode_t &Node) {
    return withNode(What, [&](const cudaKernelNodeParams &Params) {
      return cudaGraphAddKernelNode(&Node, Into, Before ? &Before : nullptr,
                                    Before ? 1 : 0, &Params);
    });
  }
};

constexpr unsigned MostLoopGraphs = 8;
inline LoopGraph LoopGraphs[MostLoopGraphs];
/// Nanoseconds that loops which had none have taken in this process. Only
/// touched by atomic accesses.
inline unsigned long long SpentInReadLoops;
/// CUDA has refused to make one. Only touched by atomic accesses.
inline unsigned RefusedLoopGraph;
/// When one is made. Making it and its first launch take 200 us, and each
/// iteration less 10 us or more (H200).
constexpr unsigned long long LoopPaysBehind = 4 * 1000 * 1000;
/// Iterations after which the device comes back to the host, so that what the
/// user does to the program is seen.
constexpr unsigned long long MostAtOnce = 1 << 16;

/// The graph of a stream that has so many steps; if ToMake, one that can be
/// made.
inline LoopGraph *claimLoopGraph(cudaStream_t Stream, unsigned Steps,
                                 bool ToMake) {
  return claimFor(LoopGraphs, Stream, ToMake, [&](const LoopGraph &Each) {
    return Each.Steps.Count == Steps;
  });
}

inline void release(LoopGraph *Claimed) {
  if (Claimed)
    __atomic_store_n(&Claimed->InUse, 0u, __ATOMIC_RELEASE);
}

} // namespace detail
#endif

class Takeover;

namespace detail {

/// What a Takeover is to know of a loop that the device may go around by
/// itself.
class AheadOfHost {
  friend class barricade::Takeover;

protected:
  /// The device has made the host's next iteration.
  bool isAhead() const { return Left > 1; }

  unsigned long long Left = 0; ///< Of the device's iterations, with this one.
  /// A persistent kernel may still take over: the device is not to go ahead.
  bool MayBeTakenOver = false;
};

} // namespace detail

/// Launches in a loop that ends by a number which the host reads back in each
/// iteration. Once the loop has been seen to take its time the device goes
/// around it by itself, by a WHILE node of a graph, and the host after it: its
/// iterations launch nothing then, and read what the device has read. That
/// takes 6 us for each, and what the kernels take, instead of 17 to 25 (H200).
///
///   barricade::LoopedLaunches looped(
///       barricade::while_read<int>(barricade::NotEqual(), 0));
///   do {
///     looped.next();
///     found = 0;
///     looped.memcpy(flag, &found, sizeof(int), cudaMemcpyHostToDevice);
///     looped.launch(expand, grid, block, 0, stream, frontier, flag);
///     looped.memcpy(&found, flag, sizeof(int), cudaMemcpyDeviceToHost);
///   } while (found);
///
/// For loops whose iterations all ask for the same, in the same order, and of
/// which nothing but the number, and next()'s counter, decides whether there is
/// one more. Who looks at other memory that kernels write, in the loop, might
/// see what is yet to come.
template <typename Condition>
class LoopedLaunches : public detail::AheadOfHost {
public:
  explicit LoopedLaunches(Condition GoesOn) : Decides(GoesOn) {
#ifdef BARRICADE_GPU_SYNC_REPLAY
    Steps.Count = 0; // What follows is set as it comes.
#endif
  }
  LoopedLaunches(const LoopedLaunches &) = delete;
  LoopedLaunches &operator=(const LoopedLaunches &) = delete;
  ~LoopedLaunches() {
#ifdef BARRICADE_GPU_SYNC_REPLAY
    if (!Graph)
      __atomic_fetch_add(&detail::SpentInReadLoops, spent(), __ATOMIC_RELAXED);
    detail::release(Graph);
#endif
  }

  /// An iteration begins.
  void next() { nextOf(~0ull); }
  /// The same of a loop that also ends once Counter, which goes up by one in
  /// each iteration, is no longer less than Bound.
  template <typename Number, typename Limit>
  void next(Number Counter, Limit Bound) {
    using Common = decltype(Counter + Bound);
    const auto From = static_cast<Common>(Counter);
    const auto To = static_cast<Common>(Bound);
    nextOf(From < To ? static_cast<unsigned long long>(To) -
                           static_cast<unsigned long long>(From)
                     : 1);
  }

  /// Kernel<<<Grid, Block, SharedBytes, Stream>>>(Arguments...), unless the
  /// device has been there. Errors are found as there.
  template <typename... Parameters>
  void launch(void (*Kernel)(Parameters...), dim3 Grid, dim3 Block,
              size_t SharedBytes, cudaStream_t Stream,
              typename detail::NotDeduced<Parameters>::Type... Arguments) {
#ifdef BARRICADE_GPU_SYNC_REPLAY
    if (Left != 0)
      return;
    if constexpr (detail::HeldLaunch::holds<Parameters...>()) {
      void *All[] = {detail::addressOf(Arguments)..., nullptr};
      IsOdd |= cudaLaunchKernel(detail::entryOf(Kernel), Grid, Block, All,
                                SharedBytes, Stream) != cudaSuccess;
      if (detail::HeldLaunch *Step = newStep(Stream))
        Step->set(detail::entryOf(Kernel), Grid, Block, SharedBytes,
                  Arguments...);
      return;
    }
    IsOdd = true;
#endif
    Kernel<<<Grid, Block, SharedBytes, Stream>>>(
        static_cast<Parameters &&>(Arguments)...);
  }

  /// What the functions of CUDA do that are called alike, unless the device has
  /// been there. To the host only the number is copied.
  template <typename Byte = unsigned char>
  cudaError_t memset(void *To, int Value, size_t Bytes) {
#ifdef BARRICADE_GPU_SYNC_REPLAY
    if (Left != 0)
      return cudaSuccess;
    noteFill<Byte>(To, Value, Bytes);
    return noted(cudaMemset(To, Value, Bytes));
#else
    return cudaMemset(To, Value, Bytes);
#endif
  }
  template <typename Byte = unsigned char>
  cudaError_t memset_async(void *To, int Value, size_t Bytes,
                           cudaStream_t Stream = nullptr) {
#ifdef BARRICADE_GPU_SYNC_REPLAY
    if (Left != 0)
      return cudaSuccess;
    noteFill<Byte>(To, Value, Bytes);
    noteStream(Stream);
    return noted(cudaMemsetAsync(To, Value, Bytes, Stream));
#else
    return cudaMemsetAsync(To, Value, Bytes, Stream);
#endif
  }
  template <typename Byte = unsigned char>
  cudaError_t memcpy(void *To, const void *From, size_t Bytes,
                     cudaMemcpyKind Kind) {
#ifdef BARRICADE_GPU_SYNC_REPLAY
    if (Left != 0) {
      if (Kind == cudaMemcpyDeviceToHost)
        // What the loop went on by, or what has ended it.
        __builtin_memcpy(To, Left == 1 ? End : Read, NumberBytes);
      return cudaSuccess;
    }
    noteCopy<Byte>(To, From, Bytes, Kind);
    const cudaError_t Error = noted(cudaMemcpy(To, From, Bytes, Kind));
    if (Kind == cudaMemcpyDeviceToHost && Bytes == NumberBytes)
      __builtin_memcpy(Read, To, NumberBytes);
    return Error;
#else
    return cudaMemcpy(To, From, Bytes, Kind);
#endif
  }
  template <typename Byte = unsigned char>
  cudaError_t memcpy_async(void *To, const void *From, size_t Bytes,
                           cudaMemcpyKind Kind, cudaStream_t Stream = nullptr) {
#ifdef BARRICADE_GPU_SYNC_REPLAY
    if (Left != 0)
      return cudaSuccess;
    IsOdd |= Kind != cudaMemcpyDeviceToDevice;
    noteCopy<Byte>(To, From, Bytes, Kind);
    noteStream(Stream);
    return noted(cudaMemcpyAsync(To, From, Bytes, Kind, Stream));
#else
    return cudaMemcpyAsync(To, From, Bytes, Kind, Stream);
#endif
  }

  /// cudaDeviceSynchronize() and cudaStreamSynchronize(Stream).
  cudaError_t synchronize() {
#ifdef BARRICADE_GPU_SYNC_REPLAY
    if (Left != 0)
      return cudaSuccess;
#endif
    return cudaDeviceSynchronize();
  }
  cudaError_t synchronize(cudaStream_t Stream) {
#ifdef BARRICADE_GPU_SYNC_REPLAY
    if (Left != 0)
      return cudaSuccess;
#endif
    return cudaStreamSynchronize(Stream);
  }

private:
  static constexpr unsigned NumberBytes = sizeof(typename Condition::Number);
  static_assert(NumberBytes <= 8);

  void nextOf(unsigned long long Most) {
#ifdef BARRICADE_GPU_SYNC_REPLAY
    if (isAhead()) {
      --Left;
      return;
    }
    Left = 0;
    if (Iteration == 1)
      Begin = detail::nanoseconds();
    if (isTimeToAsk() && mayGoAhead() && pays())
      Left = goAhead(Most < detail::MostAtOnce ? Most : detail::MostAtOnce);
    if (Left == 0)
      beginByHand();
#else
    (void)Most;
#endif
  }

#ifdef BARRICADE_GPU_SYNC_REPLAY
  //===--- What an iteration asks for -------------------------------------===//

  void beginByHand() {
    ++Iteration;
    IsOdd = HasRead = HasStream = false;
    Writes = {};
    Steps.Count = RangeCount = 0;
  }

  void noteStream(cudaStream_t Stream) {
    IsOdd |= HasStream && Stream != Into;
    HasStream = true;
    Into = Stream;
  }
  cudaError_t noted(cudaError_t Error) {
    IsOdd |= Error != cudaSuccess;
    return Error;
  }

  /// Null: there are too many, or what is read back is no longer the last.
  detail::HeldLaunch *newStep(cudaStream_t Stream) {
    noteStream(Stream);
    return newStep();
  }
  detail::HeldLaunch *newStep() {
    IsOdd |= HasRead || Steps.Count == detail::LoopSteps::Most;
    return IsOdd ? nullptr : &Steps.Each[Steps.Count++];
  }

  /// As the iteration's beginning, or as a step.
  template <typename Byte> void noteFill(void *To, int Value, size_t Bytes) {
    unsigned char All[detail::FirstWrites::MostBytes];
    for (unsigned char &Each : All)
      Each = static_cast<unsigned char>(Value);
    if (!isOwn(To, Bytes) || isFirst(To, All, Bytes))
      return;
    if (detail::HeldLaunch *Step = newStep())
      detail::setTransfer(*Step, detail::fillBytes<Byte>, Bytes,
                          static_cast<Byte *>(To), Value, Bytes);
  }

  template <typename Byte>
  void noteCopy(void *To, const void *From, size_t Bytes, cudaMemcpyKind Kind) {
    const auto *Source = static_cast<const unsigned char *>(From);
    if (Kind == cudaMemcpyDeviceToHost) {
      IsOdd |= HasRead || Bytes != NumberBytes || !isOwn(From, Bytes);
      HasRead = true;
      ReadFrom = Source;
    } else if (Kind == cudaMemcpyHostToDevice) {
      IsOdd |= !isOwn(To, Bytes) || !isFirst(To, Source, Bytes);
    } else if (isOwn(To, Bytes) && isOwn(From, Bytes)) {
      auto *Target = static_cast<Byte *>(To);
      const auto *Origin = static_cast<const Byte *>(From);
      IsOdd |= detail::overlap(Target, Origin, Bytes);
      if (detail::HeldLaunch *Step = newStep())
        detail::setTransfer(*Step, detail::copyBytes<Byte>, Bytes, Target,
                            Origin, Bytes);
    }
  }

  /// The range is to be within an allocation of the device's: anything else is
  /// not known to be written by a kernel as CUDA's function does it. That is
  /// asked once it matters.
  bool isOwn(const void *Where, size_t Bytes) {
    IsOdd |= Bytes == 0 || Bytes > detail::MostOfTransfer ||
             RangeCount == MostRanges;
    if (!IsOdd)
      Ranges[RangeCount++] = {Where, Bytes};
    return !IsOdd;
  }

  bool isFirst(void *To, const unsigned char *From, size_t Bytes) {
    return Steps.Count == 0 && !HasRead && Writes.add(To, From, Bytes);
  }

  //===--- When the device goes on alone ----------------------------------===//

  /// To ask takes about 1 us.
  bool isTimeToAsk() const {
#ifdef BARRICADE_REPLAY_AT
    return true;
#else
    return WentAhead || (Iteration & (Iteration - 1)) == 0 ||
           Iteration % MostByHand == 0;
#endif
  }

  bool mayGoAhead() const {
    return Iteration > 0 && !IsOdd && !IsOver && !MayBeTakenOver && HasRead &&
           HasStream && Steps.Count > 0;
  }

  /// With a graph that there is, once its loops have been seen to go on; else
  /// once they have taken their time.
  bool pays() {
#ifdef BARRICADE_REPLAY_AT
    return true;
#else
    if (Graph || hasGraph())
      return WentAhead || Iteration >= Graph->Before;
    return spent() +
               __atomic_load_n(&detail::SpentInReadLoops, __ATOMIC_RELAXED) >=
           detail::LoopPaysBehind;
#endif
  }

  /// By this loop's iterations but the first, which may have loaded kernels.
  unsigned long long spent() const {
    return Begin == 0 ? 0 : detail::nanosecondsSince(Begin);
  }

  bool hasGraph() {
    const detail::LastErrorGuard KeepError;
    const detail::UnrecordedCalls DuringCapture;
    Graph = detail::claimLoopGraph(Into, Steps.Count, /*ToMake=*/false);
    return Graph != nullptr;
  }

  /// How many iterations the device has made; none: it is left to the host.
  unsigned long long goAhead(unsigned long long Most) {
    if (cudaPeekAtLastError() != cudaSuccess)
      return 0;
    const detail::LastErrorGuard KeepError;
    const detail::UnrecordedCalls DuringCapture;
    if (!canBeRepeated() || !(Graph || makeGraph(Most))) {
      IsOver = true;
      return 0;
    }
    detail::LoopState Came{};
    if (setGraph(Most) != cudaSuccess ||
        cudaGraphLaunch(Graph->Ready, Into) != cudaSuccess ||
        cudaMemcpyAsync(&Came, Graph->State, sizeof Came,
                        cudaMemcpyDeviceToHost, Into) != cudaSuccess ||
        cudaStreamSynchronize(Into) != cudaSuccess) {
      IsOver = true;
      return 0;
    }
    __builtin_memcpy(End, Came.Read, sizeof End);
    WentAhead = true;
    Graph->Before = Came.Made > 2                ? 1
                    : Graph->Before < MostByHand ? 2 * Graph->Before
                                                 : MostByHand;
    return Came.Made;
  }

  bool canBeRepeated() {
    bool Can = !detail::isCaptured(Into) && !detail::hasOwnWays(Into);
    for (unsigned Index = 0; Index < Steps.Count && Can; ++Index)
      Can = !detail::isOfClusters(Steps.Each[Index].Kernel);
    for (unsigned Index = 0; Index < RangeCount && Can; ++Index)
      Can = Memory.hold(Ranges[Index].Where, Ranges[Index].Bytes);
    return Can;
  }

  bool makeGraph(unsigned long long Most) {
    Graph = detail::claimLoopGraph(Into, 0, /*ToMake=*/true);
    if (!Graph)
      return false;
    Graph->Steps.Count = Steps.Count;
    for (unsigned Index = 0; Index < Steps.Count; ++Index)
      Graph->Steps.Each[Index].copy(Steps.Each[Index]);
    const cudaError_t Error =
        Graph->make([&](detail::HeldLaunch &Enter, detail::HeldLaunch &Turn) {
          setEnds(Most, Enter, Turn);
        });
    if (Error == cudaSuccess)
      return true;
    __atomic_store_n(&detail::RefusedLoopGraph, 1u, __ATOMIC_RELAXED);
    detail::release(Graph);
    Graph = nullptr;
    return false;
  }

  void setEnds(unsigned long long Most, detail::HeldLaunch &Enter,
               detail::HeldLaunch &Turn) {
    Enter.set(detail::entryOf(detail::enterLoop<Condition>), dim3(1), dim3(1),
              0, Graph->State, Writes);
    Turn.set(detail::entryOf(detail::turnLoop<Condition>), dim3(1), dim3(1), 0,
             Graph->Handle, Graph->State, Most, Writes, ReadFrom, Decides);
  }

  /// Has the graph make what the last iteration asked for.
  cudaError_t setGraph(unsigned long long Most) {
    detail::HeldLaunch Enter, Turn;
    setEnds(Most, Enter, Turn);
    cudaError_t Error = Graph->set(Graph->Enter, Graph->EnterNode, Enter);
    if (!Error)
      Error = Graph->set(Graph->Turn, Graph->TurnNode, Turn);
    for (unsigned Index = 0; Index < Steps.Count && !Error; ++Index)
      Error = Graph->set(Graph->Steps.Each[Index], Graph->StepNodes[Index],
                         Steps.Each[Index]);
    return Error;
  }

  static constexpr unsigned long long MostByHand = 64;

  unsigned long long Iteration = 0; ///< By hand.
  unsigned long long Begin = 0;     ///< When the second began, or 0.
  // What the last iteration by hand asked for.
  bool IsOdd = false; ///< The device cannot repeat it.
  bool HasRead = false, HasStream = false;
  bool IsOver = false;    ///< It was tried in vain.
  bool WentAhead = false; ///< The device has made iterations.
  cudaStream_t Into = nullptr;
  const unsigned char *ReadFrom = nullptr;
  static constexpr unsigned MostRanges = 16;
  struct Range {
    const void *Where;
    size_t Bytes;
  };
  unsigned RangeCount = 0;
  Range Ranges[MostRanges];
  detail::FirstWrites Writes = {};
  detail::LoopSteps Steps;
  unsigned char Read[8] = {}, End[8] = {};
  detail::DeviceAllocations Memory;
  detail::LoopGraph *Graph = nullptr;
#endif
  [[maybe_unused]] Condition Decides;
};

//===----------------------------------------------------------------------===//
// Loops of launches that a persistent kernel may take over
//===----------------------------------------------------------------------===//

namespace detail {

/// When the first use of a persistent kernel pays, in nanoseconds: loading it
/// and CUDA's first cooperative launch take some 110 us, and more than half is
/// saved of a loop in which the device waits for the host (H200). What the rest
/// of such a loop has to take or, where that is not known, what loops for this
/// kernel have taken by now.
constexpr unsigned long long PaysAhead = 250 * 1000;
constexpr unsigned long long PaysBehind = 1500 * 1000;
/// From a launch to the host's knowing that a kernel without work is done, less
/// what a grid barrier takes instead, in nanoseconds (H200: 5800, of which 600
/// to make an event, and 900 and 0.7 for each block). Where a multiprocessor
/// has many blocks, what their work takes longer than as a kernel, too (H100,
/// 1056 blocks of 256 threads: 1500 to 2500).
constexpr unsigned long long barrierTakes(unsigned long long Blocks) {
  return 900 + Blocks * 7 / 10;
}
constexpr unsigned long long latencySaved(unsigned long long Blocks,
                                          bool IsCrowded) {
  const unsigned long long Cost = barrierTakes(Blocks) + (IsCrowded ? 2500 : 0);
  return Cost < 5800 ? 5800 - Cost : 0;
}
/// Blocks from which on a barrier may take as long as a launch does, so that
/// what the host needs to know that a kernel is done has to be known better: it
/// differs from host to host by 3 us.
constexpr unsigned long long BlocksOfSlowBarrier = 1536;
/// Blocks for each multiprocessor up to which a grid barrier takes less than a
/// graph takes from a kernel to the next (H100, steps of some us: 0.3 us less
/// with 132 blocks, the same with 264, 0.2 us more with 792), and from which on
/// they are many.
constexpr unsigned long long FewBlocks = 2;
constexpr unsigned long long ManyBlocks = 5;
/// With more, a graph saves as much of an iteration of a kernel as it saves of
/// launches that take so many nanoseconds (H200, 1024 blocks: 0.25 us, and 2 of
/// a launch's 3.5).
constexpr unsigned long long GraphSavesOfLaunch = 440;
/// Iterations that a kernel which is in use already must have left.
constexpr unsigned long long FewestIterations = 3;
/// Nanoseconds that an iteration may take in which the host reads what kernels
/// have computed, so that a kernel of fewer blocks takes the loop over, which
/// run the others in turn. It saves the host's 16 us in each; its steps
/// have been seen to take up to a tenth longer than kernels (H100, 2112 to
/// 33792 blocks of 256 threads), and may take a quarter.
constexpr unsigned long long LongestInTurn = 64 * 1000;
/// How often the device is looked at before it is held for busy: whether it
/// waits shows within a microsecond, which the host may miss.
constexpr unsigned MostLooks = 3;
/// Of so many loops that nobody knows to go on one is watched: with a single
/// iteration a persistent kernel takes 28 us and a launch 17, with two it is 28
/// and 32 (H200, with a number read back in each iteration).
constexpr unsigned WatchedOf = 16;

/// An event for as long as this object is there.
class PassedEvent {
public:
  PassedEvent() {
    if (cudaEventCreateWithFlags(&Event, cudaEventDisableTiming) != cudaSuccess)
      Event = nullptr;
  }
  PassedEvent(const PassedEvent &) = delete;
  PassedEvent &operator=(const PassedEvent &) = delete;
  ~PassedEvent() {
    if (Event)
      (void)cudaEventDestroy(Event);
  }
  explicit operator bool() const { return Event != nullptr; }

  static constexpr unsigned long long Never = ~0ull;
  /// The nanoseconds until the host knows that Stream has done what it has been
  /// told; Never where it has not when Patience nanoseconds from Start have
  /// gone by or, whatever the clock says, after MostQueries.
  unsigned long long comesWithin(unsigned long long Patience,
                                 unsigned long long Start,
                                 cudaStream_t Stream) const {
    constexpr unsigned MostQueries = 10000; // some ms
    const unsigned long long Begin = nanoseconds();
    if (!Event || cudaEventRecord(Event, Stream) != cudaSuccess)
      return Never;
    bool IsPassed = false;
    for (unsigned Query = 0; !IsPassed && Query < MostQueries; ++Query) {
      IsPassed = cudaEventQuery(Event) == cudaSuccess;
      if (nanosecondsSince(Start) >= Patience)
        break;
    }
    return IsPassed ? nanosecondsSince(Begin) : Never;
  }

private:
  cudaEvent_t Event = nullptr;
};

} // namespace detail

/// Of a Takeover: where a graph pays, it makes the launches as fast as a
/// persistent kernel would, but for a grid that is so small that it is launched
/// as one cluster.
struct GraphIsAsFast {};

/// Tells a loop of launches when a persistent kernel should take over: once the
/// device has been seen to wait for the host, which launches more slowly than
/// the steps run, and the first use of the kernel pays. A loop whose steps are
/// long, or few, goes on as it is.
///
///   barricade::Takeover Takeover(relax, Grid, Stream);
///   for (int I = 0; I < Steps; ++I) {
///     if (Takeover.is_due(Steps - I) &&
///         barricade::launch_persistent_exact(relax, Grid, Block, 0, Stream, I,
///                                            Steps) == cudaSuccess)
///       break;
///     step<<<Grid, Block, 0, Stream>>>(I);
///   }
///
/// With launches in a loop that the device may go around by itself
/// (LoopedLaunches), it comes before next() in each iteration, and the device
/// does not go ahead until the kernel is known not to take over.
///
/// With launches that may be replayed, it also tells which is better: a
/// persistent kernel where blocks are few or a graph would not pay, a graph
/// else. Launches are made one by one until that is told.
///
///   barricade::ReplayedLaunches Replay(Steps);
///   barricade::Takeover Takeover(relax, Grid, Stream, Replay);
///   for (int I = 0; I < Steps; ++I) {
///     if (Takeover.is_due(Steps - I) && ...)
///       break;
///     Replay.launch(step, Grid, Block, 0, Stream, I);
///   }
///   Replay.flush();
class Takeover {
public:
  /// For a loop whose launches go into Stream, which belongs to the current
  /// device, and a kernel that would be launched with Grid.
  Takeover(AnyKernel Kernel, dim3 Grid, cudaStream_t LoopStream)
      : Stream(LoopStream),
        Blocks(static_cast<unsigned long long>(Grid.x) * Grid.y * Grid.z) {
    const detail::LastErrorGuard KeepError;
    int Device, Multiprocessors;
    if (cudaGetDevice(&Device) == cudaSuccess &&
        cudaDeviceGetAttribute(&Multiprocessors, cudaDevAttrMultiProcessorCount,
                               Device) == cudaSuccess) {
      const auto Count = static_cast<unsigned long long>(Multiprocessors);
      Known = detail::notesOf(Kernel, Device);
      PerMultiprocessor = (Blocks + Count - 1) / Count;
    }
    if (!Known ||
        __atomic_load_n(&Known->RefusedWith, __ATOMIC_RELAXED) == Blocks)
      Is = Phase::Over;
    else if (tookOverWith() == Blocks)
      Is = Phase::InUse;
    else
      waitToLook();
  }
  /// The same for a loop in which the host reads, in each iteration, what
  /// kernels have computed, and that launch_persistent would launch so. A grid
  /// that would be clamped pays only for iterations that do not take long.
  Takeover(AnyKernel Kernel, dim3 Grid, dim3 Block, size_t SharedBytes,
           cudaStream_t LoopStream)
      : Takeover(Kernel, Grid, LoopStream) {
    Clamped = Kernel.entry();
    Threads = static_cast<int>(Block.x * Block.y * Block.z);
    DynamicBytes = SharedBytes;
  }
  /// The same for a loop whose launches are those of Instead, which is asked to
  /// make each as it is for as long as a persistent kernel may take over.
  Takeover(AnyKernel Kernel, dim3 Grid, cudaStream_t LoopStream,
           ReplayedLaunches &Instead)
      : Takeover(Kernel, Grid, LoopStream) {
    // A graph gains something where the device is busy, too.
    shareWith(Instead,
              (PerMultiprocessor > detail::FewBlocks && Instead.pays()) ||
                  (First > 1 && detail::HasReplay));
  }
  /// The same where a graph that pays is better than a kernel that is not
  /// launched as one cluster.
  Takeover(AnyKernel Kernel, dim3 Grid, dim3 Block, size_t,
           cudaStream_t LoopStream, ReplayedLaunches &Instead, GraphIsAsFast)
      : Takeover(Kernel, Grid, LoopStream) {
    const detail::LastErrorGuard KeepError;
    shareWith(Instead,
              First > 1 || (Instead.pays() && !isForCluster(Grid, Block)));
    GraphIsFaster = PerMultiprocessor > detail::FewBlocks;
  }
  /// The same for a loop that the device may go around by itself instead, as
  /// soon as no persistent kernel will take over.
  Takeover(AnyKernel Kernel, dim3 Grid, dim3 Block, size_t SharedBytes,
           cudaStream_t LoopStream, detail::AheadOfHost &Instead)
      : Takeover(Kernel, Grid, Block, SharedBytes, LoopStream) {
    leaveTo(Instead);
  }
  Takeover(AnyKernel Kernel, dim3 Grid, cudaStream_t LoopStream,
           detail::AheadOfHost &Instead)
      : Takeover(Kernel, Grid, LoopStream) {
    leaveTo(Instead);
  }
  Takeover(const Takeover &) = delete;
  Takeover &operator=(const Takeover &) = delete;
  /// Long after the loop, maybe, and behind cudaDeviceReset.
  ~Takeover() {
    if (Known) {
      __atomic_fetch_add(&Known->Spent, spent(), __ATOMIC_RELAXED);
      __atomic_fetch_add(&Known->Iterations, Iteration, __ATOMIC_RELAXED);
    }
    if (Is == Phase::Watched)
      __atomic_store_n(&Known->EndsSoon, 1u, __ATOMIC_RELAXED);
  }

  /// To be asked when an iteration begins. Remaining: how many there are still,
  /// this one included. Says yes once: a refused launch is not tried again.
  template <typename Number> bool is_due(Number Remaining) {
    return isDue(static_cast<unsigned long long>(Remaining));
  }
  /// The same for a counter that goes on by Step, and has Distance to go.
  template <typename Number, typename Width>
  bool is_due(Number Distance, Width Step) {
    const auto Left = static_cast<unsigned long long>(Distance);
    const auto Each = static_cast<unsigned long long>(Step);
    return isDue(Each == 0 ? Uncounted : Left / Each + 1);
  }
  /// The same where nobody knows how many there are.
  bool is_due() { return isDue(Uncounted); }

private:
  enum class Phase : unsigned char {
    Timed,   ///< Whether the first use pays is asked in some iterations.
    Paying,  ///< It does; whether the device waits for the host is asked.
    InUse,   ///< The kernel has taken over with such a grid before.
    Watched, ///< The same; whether there is a second iteration is looked at.
    Due,     ///< Said so: who asks again was refused the launch.
    Over,    ///< It stays as it is.
  };

  static constexpr unsigned long long Uncounted = ~0ull;
  /// Iterations that are timed before the next step is decided.
  static constexpr unsigned Few = 8;
  /// Iterations that are timed so that short loops are known to cost, too.
  static constexpr unsigned Fewest = 2;

  static bool isForCluster([[maybe_unused]] dim3 Grid,
                           [[maybe_unused]] dim3 Block) {
#ifdef BARRICADE_GPU_SYNC_CLUSTER
    int Device;
    return cudaGetDevice(&Device) == cudaSuccess &&
           detail::ClusterLaunch::isFor(Device, Grid, Block);
#else
    return false;
#endif
  }

  /// IsBetter: Instead makes all launches, and no kernel takes over.
  void shareWith(ReplayedLaunches &Instead, bool IsBetter) {
    Replay = &Instead;
    if (IsBetter)
      Is = Phase::Over;
#ifndef BARRICADE_TAKEOVER_AT
    Replay->mayHoldBack(Is == Phase::Over);
#endif
  }

  void leaveTo(detail::AheadOfHost &Instead) {
    Looped = &Instead;
    // A loop before was left alone.
    if (First > 1 && detail::HasReplay)
      Is = Phase::Over;
#ifndef BARRICADE_TAKEOVER_AT
    Looped->MayBeTakenOver = Is != Phase::Over;
#endif
  }

  bool isDue(unsigned long long Remaining) {
    if ((Looped && Looped->isAhead()) || !isTimeFor(Remaining))
      return false;
    // The kernel goes on where launches have come to.
    if (Replay)
      Replay->makeAll();
    if (GraphIsFaster && Remaining != Uncounted)
      __atomic_fetch_add(&detail::SpentInLaunches,
                         Remaining * detail::GraphSavesOfLaunch,
                         __ATOMIC_RELAXED);
    return true;
  }

  bool isTimeFor(unsigned long long Remaining) {
#ifdef BARRICADE_TAKEOVER_AT
    (void)Remaining;
    return Iteration++ == (BARRICADE_TAKEOVER_AT);
#else
    if (Is == Phase::Due)
      noteRefusal();
    const unsigned long long Index = Iteration++;
    if (Is == Phase::Over)
      return false;
    if (Is == Phase::InUse || Is == Phase::Watched)
      beginInUse(Remaining);
    else if (Index == Next)
      decide(Index, detail::nanoseconds(), Remaining);
    return Is == Phase::Due;
#endif
  }

  /// The launch was refused, mostly for a grid that is not resident as a whole.
  /// Asking CUDA takes some us each time.
  void noteRefusal() {
    leave();
    __atomic_store_n(&Known->RefusedWith, Blocks, __ATOMIC_RELAXED);
  }

  /// The loop goes on by launches.
  void leave() {
    Is = Phase::Over;
    if (Replay)
      Replay->mayHoldBack(true);
    if (Looped)
      Looped->MayBeTakenOver = false;
  }

  /// In the first iteration, or in the second one of a loop that is watched.
  void beginInUse(unsigned long long Remaining) {
    if (Remaining != Uncounted && Remaining < detail::FewestIterations)
      leave();
    else if (Remaining != Uncounted)
      Is = Phase::Due;
    else if (Is == Phase::InUse && isToBeWatched())
      Is = Phase::Watched;
    else {
      if (Is == Phase::Watched)
        __atomic_store_n(&Known->EndsSoon, 0u, __ATOMIC_RELAXED);
      Is = Phase::Due;
    }
  }

  /// While a persistent kernel runs, nobody counts its iterations.
  bool isToBeWatched() const {
    const unsigned Before =
        __atomic_fetch_add(&Known->UncountedLoops, 1u, __ATOMIC_RELAXED);
    return Before % detail::WatchedOf == detail::WatchedOf - 1 ||
           __atomic_load_n(&Known->EndsSoon, __ATOMIC_RELAXED) != 0;
  }

  /// What is done in an iteration in which something is: the clock is set in
  /// the second one, for the first may have loaded its kernels, or later where
  /// loops before were busy, and read two later, should there be few; once the
  /// first use pays, an event is made, for the first takes long; then the
  /// stream is looked at.
  void decide(unsigned long long Index, unsigned long long Now,
              unsigned long long Remaining) {
    const detail::LastErrorGuard KeepError;
    // Another stream may be captured meanwhile.
    const detail::UnrecordedCalls DuringCapture;
    if (Index > Timed)
      Period = Now > Mark ? (Now - Mark) / (Index - Timed) : 0;
    Next = Index == First            ? First + Fewest
           : Index <= First + Fewest ? First + Few
                                     : 4 * Index;
    if (Is == Phase::Paying && pays(Index, Remaining)) {
      if (isDeviceWaiting(Now) && !isTooLongInTurn()) {
        __atomic_store_n(&Known->TookOverWith, Blocks, __ATOMIC_RELAXED);
        Is = Phase::Due;
      } else if (++LooksInVain < detail::MostLooks) {
        Next = Index + Fewest;
      } else {
        noteBusy(Index);
        if (detail::HasReplay && (Replay || (Looped && isTooLongInTurn())))
          leave();
      }
    } else if (Is == Phase::Timed && pays(Index, Remaining) &&
               !detail::isCaptured(Stream) && detail::PassedEvent()) {
      Is = Phase::Paying;
      Next = Index + (Index == First ? Fewest : Few);
    } else if (Index > Few) {
      Next = 2 * Index;
    }
    // What was done here is no part of the loop.
    Timed = Index;
    Mark = detail::nanoseconds();
  }

  /// Where the device did not wait for the host, loops that follow look again
  /// after four times as many iterations, as this one does.
  void noteBusy(unsigned long long Index) {
    if (busyWith() != Blocks)
      __atomic_store_n(&Known->Iterations, 0ull, __ATOMIC_RELAXED);
    __atomic_store_n(&Known->BusyWith, Blocks, __ATOMIC_RELAXED);
    __atomic_store_n(&Known->LookAt, 4 * (iterationsBefore() + Index),
                     __ATOMIC_RELAXED);
  }
  void waitToLook() {
    const unsigned long long At =
        __atomic_load_n(&Known->LookAt, __ATOMIC_RELAXED);
    if (busyWith() == Blocks && At > iterationsBefore() + 1)
      First = Next = Timed = At - iterationsBefore();
  }
  unsigned long long busyWith() const {
    return __atomic_load_n(&Known->BusyWith, __ATOMIC_RELAXED);
  }
  unsigned long long iterationsBefore() const {
    return __atomic_load_n(&Known->Iterations, __ATOMIC_RELAXED);
  }

  bool isDeviceWaiting(unsigned long long Now) const {
    const detail::PassedEvent Event;
    const bool IsCrowded = PerMultiprocessor >= detail::ManyBlocks;
    const unsigned long long Took = Event.comesWithin(
        Period + detail::latencySaved(Blocks, IsCrowded), Now, Stream);
    if (Took == detail::PassedEvent::Never)
      return false;
    const unsigned long long Arriving = blocksAtBarrier();
    if (Arriving < detail::BlocksOfSlowBarrier)
      return true;
    // The same of a stream that has nothing to do: what it took longer than
    // that is the kernel.
    const unsigned long long OfNothing =
        Event.comesWithin(Took, detail::nanoseconds(), Stream);
    return OfNothing < Took &&
           Took - OfNothing + detail::barrierTakes(Arriving) < Period;
  }

  /// Blocks of a clamped grid of which a multiprocessor holds as many at a
  /// time; 0 where CUDA does not say.
  unsigned long long residentOfClamped() const {
    int Resident = 0;
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
               &Resident, Clamped, Threads, DynamicBytes) == cudaSuccess
               ? static_cast<unsigned long long>(Resident)
               : 0;
  }

  /// A grid that may be clamped has no more of them than are resident, for
  /// which CUDA is asked where it matters.
  unsigned long long blocksAtBarrier() const {
    if (!Clamped || Blocks < detail::BlocksOfSlowBarrier)
      return Blocks;
    const unsigned long long Resident = residentOfClamped();
    return PerMultiprocessor > Resident ? Blocks / PerMultiprocessor * Resident
                                        : Blocks;
  }

  /// Blocks would run in turn, for which iterations take too long.
  bool isTooLongInTurn() const {
    return Clamped && Period > detail::LongestInTurn &&
           PerMultiprocessor > residentOfClamped();
  }

  bool pays(unsigned long long Index, unsigned long long Remaining) const {
    if (tookOverWith() != 0)
      return Remaining >= detail::FewestIterations;
    return (Remaining != Uncounted && Index > Few &&
            Period * Remaining >= detail::PaysAhead) ||
           spent() + __atomic_load_n(&Known->Spent, __ATOMIC_RELAXED) >=
               detail::PaysBehind;
  }

  /// By the loop, as far as it was timed.
  unsigned long long spent() const { return Iteration * Period; }

  unsigned long long tookOverWith() const {
    return __atomic_load_n(&Known->TookOverWith, __ATOMIC_RELAXED);
  }

  cudaStream_t Stream;
  unsigned long long Blocks;
  unsigned long long PerMultiprocessor = 0; ///< Blocks, rounded up.
  /// The kernel, if its grid may be clamped, and how it is launched.
  const void *Clamped = nullptr;
  int Threads = 0;
  size_t DynamicBytes = 0;
  ReplayedLaunches *Replay = nullptr;
  detail::AheadOfHost *Looped = nullptr;
  detail::KernelNotes *Known = nullptr;
  unsigned long long Mark = 0, Period = 0;
  /// First: that in which something is done.
  unsigned long long Iteration = 0, First = 1, Next = 1, Timed = 1;
  unsigned LooksInVain = 0;
  bool GraphIsFaster = false; ///< Than the kernel, once there is one.
  Phase Is = Phase::Timed;
};

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
} // namespace per_thread_default_stream
#endif
} // namespace barricade BARRICADE_OF_ONE_LIBRARY

#endif // BARRICADE_GPU_SYNC_CUH

//===----------------------------------------------------------------------===//
// The strategy that needs cooperative groups
//===----------------------------------------------------------------------===//

// By the guard of <cooperative_groups.h>. Where that comes after this header's
// first inclusion, one more does it.
#if defined(_COOPERATIVE_GROUPS_H_) && !defined(BARRICADE_GPU_SYNC_COOPERATIVE)
#define BARRICADE_GPU_SYNC_COOPERATIVE

namespace barricade BARRICADE_OF_ONE_LIBRARY {
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
inline namespace per_thread_default_stream {
#endif
namespace detail {

/// The grid barrier of cooperative groups, whose contract is links 1 to 3. It
/// cannot be watched, so in debug mode a barrier that can stands before it.
template <> struct Strategy<SyncStrategy::Cooperative> {
  template <typename Barrier>
  __device__ __forceinline__ static SyncToken arrive(const Barrier &Bar) {
    watch(Bar);
    return {thisGrid<Barrier>().barrier_arrive()};
  }

  template <typename Barrier>
  __device__ __forceinline__ static void wait(const Barrier &,
                                              SyncToken Token) {
    thisGrid<Barrier>().barrier_wait(static_cast<unsigned &&>(Token.Value));
  }

  template <typename Barrier>
  __device__ __forceinline__ static void sync(const Barrier &Bar) {
    watch(Bar);
    thisGrid<Barrier>().sync();
  }

  /// The group does not tell who has come, so it takes a barrier more.
  template <typename Barrier>
  __device__ __forceinline__ static void awaitOthers(const Barrier &Bar) {
    sync(Bar);
  }

private:
  /// A template, so that a program needs only those members of the group that
  /// it uses (an emulator may have sync() alone).
  template <typename> __device__ __forceinline__ static auto thisGrid() {
    return cooperative_groups::this_grid();
  }

  template <typename Barrier>
  __device__ __forceinline__ static void watch(const Barrier &Bar) {
    if constexpr (Debug)
      Strategy<SyncStrategy::Automatic>::sync(Bar);
  }
};

} // namespace detail
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
} // namespace per_thread_default_stream
#endif
} // namespace barricade BARRICADE_OF_ONE_LIBRARY

#endif // BARRICADE_GPU_SYNC_COOPERATIVE
