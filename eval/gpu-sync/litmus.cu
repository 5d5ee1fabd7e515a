// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stress test in the manner of a litmus test for each grid barrier. In every
// round each thread writes a word of its own, and one thread of each block, a
// different one each time, writes a word of the block that it has got through
// shared memory from yet another thread. After the barrier each thread reads
// the word of a thread of another block, and the threads of a block together
// read the words of all blocks. Random warps are late before either
// write, while the others go on to the barrier. A word that is not this round's
// is a stale read.
//
// Reads are plain loads of addresses that the same thread has read before, so
// that a barrier without acquire can be caught by a line left in the L1.
//
//   litmus [BARRIERS]    in all per barrier; CSV on stdout; exit code 1 if a
//                        legal barrier let a stale read pass

#include "eval/gpu-sync/harness.cuh"
#include "eval/gpu-sync/unsafe.cuh"

using namespace harness;

namespace {

constexpr unsigned MaxThreads = 2048 * 160; // resident on any GPU yet
constexpr unsigned MaxBlocks = 32 * 160;
constexpr unsigned Launches = 4; // on one state, without a reset

struct Shape {
  dim3 Grid, Block;
  unsigned Weight; // share of the barriers
  unsigned blocks() const { return Grid.x * Grid.y * Grid.z; }
  unsigned threads() const { return Block.x * Block.y * Block.z; }
};

const Shape Shapes[] = {
    {dim3(132), dim3(256), 20},
    {dim3(132), dim3(1024), 8},
    {dim3(1), dim3(32), 8},
    {dim3(2), dim3(1024), 8},
    {dim3(3), dim3(1), 8},
    {dim3(8), dim3(256), 8},
    {dim3(16), dim3(512), 8},
    {dim3(4, 4), dim3(16, 16), 8},
    {dim3(2, 3, 2), dim3(8, 4, 2), 8},
    {dim3(64), dim3(33), 10},
    {dim3(11, 12), dim3(16, 16), 8},
    {dim3(3, 5, 7), dim3(8, 4, 2), 8},
    {dim3(1, 1, 131), dim3(1, 1, 64), 8},
    {dim3(264), dim3(128), 6},
    {dim3(321), dim3(96), 4},
    {dim3(1056), dim3(256), 2},
    {dim3(2112), dim3(64), 1},
    {dim3(200), dim3(7, 13), 1},
};

__device__ unsigned mix(unsigned X) {
  X = (X ^ (X >> 16)) * 0x7feb352du;
  X = (X ^ (X >> 15)) * 0x846ca68bu;
  return X ^ (X >> 16);
}

/// Some warps of some blocks are late, by up to 2047 cycles.
__device__ void maybeLate(unsigned Seed) {
  const unsigned Luck = mix(Seed + (barricade::detail::blockRank() << 8) +
                            barricade::detail::threadRank() / 32);
  if (Luck % 64 != 0)
    return;
  const unsigned Cycles = Luck >> 21;
  const unsigned Start = static_cast<unsigned>(clock());
  while (static_cast<unsigned>(clock()) - Start < Cycles)
    ;
}

/// The published forms have one form only.
template <typename Barrier>
__device__ void meet(Barrier &Bar, unsigned, unsigned *) {
  __gpu_sync(Bar);
}
template <typename Barrier> constexpr bool Stores = false;

/// The legal ones take turns with their split form, and with the one that
/// stores a number, the round's.
template <barricade::SyncStrategy S>
__device__ void meet(barricade::BasicGridBarrier<S> &Bar, unsigned Round,
                     unsigned *Number) {
  if (Round % 4 == 1)
    return __gpu_sync(Bar, Number, Round);
  if (Round % 4 != 0)
    return __gpu_sync(Bar);
  const barricade::SyncToken Token = __gpu_sync_arrive(Bar);
  maybeLate(~Round);
  __gpu_sync_wait(Bar, Token);
}

template <barricade::SyncStrategy S>
constexpr bool Stores<barricade::BasicGridBarrier<S>> = true;

/// What is stored when the barriers up to that of Round are passed.
__device__ unsigned storedBy(unsigned Round) {
  return Round == 0 ? 0 : (Round - 1) / 4 * 4 + 1;
}

/// Two buffers in turn: a word is written again only after its readers have
/// passed another barrier. Rounds are counted over launches.
template <typename Barrier>
__global__ void stress(Barrier Bar, unsigned *ThreadWords, unsigned *BlockWords,
                       unsigned First, unsigned Rounds, unsigned *Number,
                       unsigned long long *Stale) {
  const unsigned Blocks = barricade::detail::gridBlocks();
  const unsigned Threads = barricade::detail::blockThreads();
  const unsigned Block = barricade::detail::blockRank();
  const unsigned Thread = barricade::detail::threadRank();
  __shared__ unsigned Passed[1024];
  unsigned long long Wrong = 0;
  for (unsigned Round = First; Round != First + Rounds; ++Round) {
    unsigned *MyThreads = ThreadWords + (Round & 1) * MaxThreads;
    unsigned *MyBlocks = BlockWords + (Round & 1) * MaxBlocks;
    maybeLate(2 * Round);
    MyThreads[Block * Threads + Thread] = Round + Block;
    Passed[Thread] = Round - Block;
    __syncthreads();
    maybeLate(2 * Round + 1);
    if (Thread == mix(Round) % Threads)
      MyBlocks[Block] = Passed[mix(Round + 1) % Threads];

    // Some are late here, too: nothing may be stored before.
    if (Stores<Barrier>)
      Wrong += *Number != storedBy(Round - 1);

    meet(Bar, Round, Number);

    if (Stores<Barrier>)
      Wrong += *Number != storedBy(Round);
    const unsigned Other = (Block + 1 + Round % Blocks) % Blocks;
    Wrong += MyThreads[Other * Threads + Thread] != Round + Other;
    for (unsigned I = Thread; I < Blocks; I += Threads)
      Wrong += MyBlocks[I] != Round - I;
  }
  if (Wrong)
    atomicAdd(Stale, Wrong);
}

/// Who gives a barrier its words.
enum class WordsOf {
  Program, ///< This one, which keeps them from launch to launch.
  Launch,  ///< launch_persistent_exact(), as in rewritten programs.
};

struct Litmus {
  unsigned Barriers;
  bool LegalFailed = false;
  DeviceArray<unsigned> ThreadWords{2 * MaxThreads}, BlockWords{2 * MaxBlocks};
  DeviceArray<unsigned> State{barricade::state_bytes(MaxBlocks) /
                              sizeof(unsigned)};
  DeviceArray<unsigned> Number{1};
  DeviceArray<unsigned long long> Stale{1};

  /// StartByte fills the state before the first launch: 0xff makes the
  /// lock-free barrier's numbers wrap at once.
  template <typename Barrier, WordsOf From = WordsOf::Program>
  void run(const char *Name, bool Legal, int StartByte = 0) {
    unsigned TotalWeight = 0;
    for (const Shape &S : Shapes)
      TotalWeight += S.Weight;
    unsigned long long All = 0, AllStale = 0;
    for (const Shape &S : Shapes) {
      const unsigned Rounds =
          static_cast<unsigned>(static_cast<unsigned long long>(Barriers) *
                                S.Weight / TotalWeight / Launches);
      if (Rounds == 0 ||
          S.blocks() > residentBlocks(stress<Barrier>, S.Block)) {
        std::fprintf(stderr, "%s: %u x %u left out\n", Name, S.blocks(),
                     S.threads());
        continue;
      }
      State.fill(StartByte);
      ThreadWords.fill(0);
      BlockWords.fill(0);
      Number.fill(0);
      Stale.fill(0);
      // The published forms keep their goal in the kernel, so it starts anew.
      for (unsigned L = 0; L < Launches; ++L) {
        if (!Legal)
          State.fill(0);
        const auto Start = [&](auto... Arguments) {
          if constexpr (From == WordsOf::Launch)
            return barricade::launch_persistent_exact(
                stress<Barrier>, S.Grid, S.Block, 0, nullptr, Arguments...);
          else
            return launchResident(stress<Barrier>, S.Grid, S.Block,
                                  Barrier(State.get()), Arguments...);
        };
        check(Start(ThreadWords.get(), BlockWords.get(), 1 + L * Rounds, Rounds,
                    Number.get(), Stale.get()),
              Name);
      }
      const unsigned long long Seen = Stale.download(1)[0];
      std::printf("%s,%u %u %u,%u %u %u,%u,%llu\n", Name, S.Grid.x, S.Grid.y,
                  S.Grid.z, S.Block.x, S.Block.y, S.Block.z, Rounds * Launches,
                  Seen);
      std::fflush(stdout);
      All += Rounds * Launches;
      AllStale += Seen;
    }
    std::fprintf(stderr, "%-32s %10llu barriers, %llu stale reads%s\n", Name,
                 All, AllStale,
                 Legal      ? ""
                 : AllStale ? " (caught)"
                            : " (not caught)");
    LegalFailed |= Legal && AllStale != 0;
  }
};

} // namespace

int main(int Argc, char **Argv) {
  const unsigned Barriers =
      Argc > 1 ? static_cast<unsigned>(std::strtoul(Argv[1], nullptr, 10))
               : 100000;
  Litmus L{Barriers};
  std::puts("barrier,grid,block,barriers,stale");
  L.run<barricade::GridBarrier>("automatic", true);
  // Small grids are clusters then.
  L.run<barricade::GridBarrier, WordsOf::Launch>("automatic, launched", true);
  L.run<barricade::LockGridBarrier>("lock", true);
  L.run<barricade::LockFreeGridBarrier>("lock_free", true, 0xff);
  L.run<barricade::CooperativeGridBarrier>("cooperative", true);
  L.Barriers = std::min(Barriers, 1000000u);
  L.run<unsafe::Lock<false>>("unsafe lock", false);
  L.run<unsafe::Lock<true>>("unsafe lock with fences", false);
  L.run<unsafe::LockFree<false>>("unsafe lock_free", false);
  L.run<unsafe::LockFree<true>>("unsafe lock_free with fences", false);
  return L.LegalFailed;
}
