// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches: grids of blocks as fibers, in an adversarial order, and where they
// meet: block barriers, warp operations, grid barriers.

#include "Emulator.h"

#include "barricade_emu/device.h"

#include <algorithm>
#include <deque>
#include <random>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

using boost::context::fiber;

// What the program sees as the constants threadIdx and its kin.
uint3 ThreadIndex asm("threadIdx");
uint3 BlockIndex asm("blockIdx");
uint3 BlockDimensions asm("blockDim");
uint3 GridDimensions asm("gridDim");

namespace barricade_emu {

Thread *Current = nullptr;
int64_t Fuel = 0;
bool Progress = false;
uintptr_t StacksBegin = 0;
size_t StacksSize = 0;

namespace {

//===----------------------------------------------------------------------===//
// Stacks
//===----------------------------------------------------------------------===//

/// Fibers' stacks, reused while they are warm, each above a guard page.
class StackPool {
public:
  using traits_type = boost::context::stack_traits;

  boost::context::stack_context allocate() {
    if (!StacksSize)
      reserve();
    char *Bottom;
    if (!Free.empty()) {
      Bottom = Free.back();
      Free.pop_back();
    } else {
      if (Used == MaxStacks)
        report("resources", "too many threads are alive at once", nullptr);
      Bottom =
          reinterpret_cast<char *>(StacksBegin) + Used++ * options().StackSize;
      mprotect(Bottom, 4096, PROT_NONE);
    }
    boost::context::stack_context Stack;
    Stack.size = options().StackSize - 4096;
    Stack.sp = Bottom + options().StackSize;
    return Stack;
  }

  void deallocate(boost::context::stack_context &Stack) {
    Free.push_back(static_cast<char *>(Stack.sp) - options().StackSize);
  }

private:
  static constexpr size_t MaxStacks = 28000;
  static void reserve() {
    size_t Size = MaxStacks * options().StackSize;
    void *Ptr = mmap(nullptr, Size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (Ptr == MAP_FAILED) {
      perror("barricade-emulate: stacks");
      exit(2);
    }
    StacksBegin = reinterpret_cast<uintptr_t>(Ptr);
    StacksSize = Size;
    watchGuards();
  }

  /// Tells a thread that ran into its guard page from other crashes.
  static void watchGuards() {
    static char SignalStack[1 << 16];
    stack_t Alternate = {};
    Alternate.ss_sp = SignalStack;
    Alternate.ss_size = sizeof(SignalStack);
    sigaltstack(&Alternate, nullptr);
    struct sigaction Action = {};
    Action.sa_sigaction = [](int Signal, siginfo_t *Info, void *Context) {
      uintptr_t Address = reinterpret_cast<uintptr_t>(Info->si_addr);
      if (Current && Address - StacksBegin < StacksSize) {
        auto &Registers = static_cast<ucontext_t *>(Context)->uc_mcontext;
        report("stack-overflow",
               format("a thread needs more than %zu bytes of local memory",
                      options().StackSize - 4096),
               reinterpret_cast<const void *>(Registers.gregs[REG_RIP] + 1));
      }
      signal(Signal, SIG_DFL);
    };
    Action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &Action, nullptr);
  }

  static inline std::vector<char *> Free;
  static inline size_t Used = 0;
};

//===----------------------------------------------------------------------===//
// The running grid
//===----------------------------------------------------------------------===//

struct Configuration {
  Index3 Grid, Block;
  size_t Shared;
  const void *Site;
  bool Cooperative = false;
};
std::vector<Configuration> Configured;

struct Grid {
  Configuration Config;
  const char *Kernel = nullptr;
  void (*Body)(void *) = nullptr;
  void *Closure = nullptr;

  std::vector<uint32_t> BlockOrder; // empty: by number
  uint32_t NextBlock = 0, NumBlocks = 0;
  uint64_t Capacity = 0;
  unsigned BlockThreads = 0;
  std::map<uint32_t, std::unique_ptr<Block>> Blocks;
  std::vector<std::unique_ptr<Block>> Spare;
  std::deque<Thread *> Ready, Favourites, Spinning;
  uint64_t LiveThreads = 0, AtGridBarrier = 0, Quiet = 0, Total = 0;
  int64_t FuelGiven = 0;
  uint32_t MaxClock = 0;
  const void *GridBarrierSite = nullptr;
  std::mt19937_64 Random;
  fiber Host;
  /// Where the context of whoever switches away belongs; null: it ended.
  fiber *Leaving = nullptr;
};
Grid G;

bool isRandom() { return options().ThreadOrder == Order::Random; }

/// The thread of each block that runs ahead or is starved.
bool isFavourite(const Thread &T) {
  return (options().ThreadOrder == Order::Ahead ||
          options().ThreadOrder == Order::Starve) &&
         T.Id % MaxBlockThreads == options().Seed % G.BlockThreads;
}

void makeReady(Thread &T) {
  if (T.State != ThreadState::New)
    T.State = ThreadState::Ready;
  (isFavourite(T) ? G.Favourites : G.Ready).push_back(&T);
}

/// Makes the waiting threads of \p B that \p Waits selects ready, in order.
template <class Fn> void releaseThreads(Block &B, Fn Waits) {
  auto Release = [&](Thread &T) {
    if (Waits(T))
      makeReady(T);
  };
  if (options().ThreadOrder == Order::Reversed)
    std::for_each(B.Threads.rbegin(), B.Threads.rend(), Release);
  else
    std::for_each(B.Threads.begin(), B.Threads.end(), Release);
}

Index3 delinearize(uint64_t I, Index3 D) {
  return {uint32_t(I % D.X), uint32_t(I / D.X % D.Y), uint32_t(I / D.X / D.Y)};
}

void startBlock() {
  std::unique_ptr<Block> B;
  if (G.Spare.empty()) {
    B = std::make_unique<Block>();
  } else {
    B = std::move(G.Spare.back());
    G.Spare.pop_back();
  }
  uint32_t Turn = G.NextBlock++;
  B->Number = !G.BlockOrder.empty() ? G.BlockOrder[Turn]
              : options().ThreadOrder == Order::Reversed
                  ? G.NumBlocks - 1 - Turn
                  : Turn;
  B->Index = delinearize(B->Number, G.Config.Grid);
  B->Live = G.BlockThreads;
  B->Clock = LaunchStamp;
  B->BarrierStamp = LaunchStamp;
  B->Known = nullptr;
  B->Threads.clear();
  B->Threads.resize(G.BlockThreads);
  B->Warps.assign((G.BlockThreads + WarpSize - 1) / WarpSize, {});
  for (unsigned I = 0; I != G.BlockThreads; ++I) {
    Thread &T = B->Threads[I];
    T.Home = B.get();
    T.Id = B->Number << ThreadBits | I;
    T.Index = delinearize(I, G.Config.Block);
    T.Stamp = LaunchStamp;
  }
  Block &Started = *B;
  G.Blocks[B->Number] = std::move(B);
  Progress = true;
  releaseThreads(Started, [](Thread &) { return true; });
}

void endBlock(Block &B) {
  for (char *&Ptr : B.Shared) {
    freeShared(Ptr);
    Ptr = nullptr;
  }
  freeShared(B.Dynamic);
  B.Dynamic = nullptr;
  G.MaxClock = std::max(G.MaxClock, B.Clock);
  auto Node = G.Blocks.extract(B.Number);
  G.Spare.push_back(std::move(Node.mapped()));
}

[[noreturn]] void reportStuck();

Thread *pop(std::deque<Thread *> &Queue) {
  if (Queue.empty())
    return nullptr;
  if (isRandom())
    std::swap(Queue.front(), Queue[G.Random() % Queue.size()]);
  Thread *T = Queue.front();
  Queue.pop_front();
  return T;
}

/// The next thread to run; null once the grid is done.
Thread *pick() {
  if (options().ThreadOrder == Order::Ahead)
    if (Thread *T = pop(G.Favourites))
      return T;
  if (Thread *T = pop(G.Ready))
    return T;
  if (Thread *T = pop(G.Favourites))
    return T;
  if (G.NextBlock != G.NumBlocks && G.Blocks.size() < G.Capacity) {
    startBlock();
    return pick();
  }
  if (!G.Spinning.empty()) {
    G.Ready.swap(G.Spinning);
    return pop(G.Ready);
  }
  if (G.LiveThreads)
    reportStuck();
  return nullptr;
}

void refuel() {
  int64_t Slice = 5000;
  if (isRandom()) // short and long slices alike
    Slice = 1 + (G.Random() & ((8 << G.Random() % 10) - 1));
  G.FuelGiven = Fuel = Slice;
}

void enter(Thread &T) {
  Current = &T;
  ThreadIndex = {T.Index.X, T.Index.Y, T.Index.Z};
  const Index3 &B = T.Home->Index;
  BlockIndex = {B.X, B.Y, B.Z};
  refuel();
}

void arrived(fiber &&From) {
  if (G.Leaving)
    *G.Leaving = std::move(From);
}

void exitThread(Thread &T);

/// A fiber runs threads one after the other until it must go on with one that
/// already has a fiber.
fiber workerMain(fiber &&From) {
  arrived(std::move(From));
  while (true) {
    G.Body(G.Closure);
    settleConflict();
    exitThread(*Current);
    Thread *Next = pick();
    G.Leaving = nullptr;
    if (!Next)
      return std::move(G.Host);
    bool Fresh = Next->State == ThreadState::New;
    Next->State = ThreadState::Ready;
    enter(*Next);
    if (!Fresh)
      return std::move(Next->Context);
  }
}

/// Leaves the running thread (or the host) for the next one.
void switchFrom(fiber &Self) {
  Thread *Next = pick();
  if (Next == Current) {
    Next->State = ThreadState::Ready;
    return enter(*Next);
  }
  bool Fresh = Next->State == ThreadState::New;
  Next->State = ThreadState::Ready;
  enter(*Next);
  G.Leaving = &Self;
  arrived(Fresh ? fiber(std::allocator_arg, StackPool(), workerMain).resume()
                : std::move(Next->Context).resume());
}

void accountFuel() {
  uint64_t Used = G.FuelGiven - Fuel;
  G.Total += Used;
  G.Quiet = Progress ? 0 : G.Quiet + Used + 1;
  Progress = false;
  if (G.Quiet > options().HangAccesses)
    reportStuck();
  if (options().MaxAccesses && G.Total > options().MaxAccesses)
    report("hang",
           format("kernel %s did more than %zu accesses", G.Kernel,
                  size_t(options().MaxAccesses)),
           nullptr);
}

/// Leaves the running thread, which waits at \p Site or is ready again.
void leave(const void *Site) {
  settleConflict();
  accountFuel();
  Current->Site = Site;
  switchFrom(Current->Context);
}

//===----------------------------------------------------------------------===//
// Meetings
//===----------------------------------------------------------------------===//

void finishBlockBarrier(Block &B) {
  Progress = true;
  if (options().ReportExited && B.Live != B.Threads.size())
    report("divergent-barrier",
           format("%zu of the block's %zu threads exited before this barrier",
                  B.Threads.size() - B.Live, B.Threads.size()),
           B.BarrierSite);
  joinAtBarrier(B);
  unsigned Count = B.Predicates;
  B.Waiting = B.Predicates = 0;
  B.BarrierSite = nullptr;
  releaseThreads(B, [&](Thread &T) {
    if (T.State != ThreadState::BlockBarrier)
      return false;
    T.Value = Count;
    return true;
  });
}

uint64_t reduce(WarpOp Op, uint64_t A, uint64_t B) {
  auto Signed = [](uint64_t V) { return int32_t(V); };
  auto Unsigned = [](uint64_t V) { return uint32_t(V); };
  switch (Op) {
  case WarpOp::ReduceAdd:
    return Unsigned(A + B);
  case WarpOp::ReduceMin:
    return Signed(A) < Signed(B) ? A : B;
  case WarpOp::ReduceMax:
    return Signed(A) < Signed(B) ? B : A;
  case WarpOp::ReduceUMin:
    return Unsigned(A) < Unsigned(B) ? A : B;
  case WarpOp::ReduceUMax:
    return Unsigned(A) < Unsigned(B) ? B : A;
  case WarpOp::ReduceAnd:
    return A & B;
  case WarpOp::ReduceOr:
    return A | B;
  default:
    return A ^ B;
  }
}

uint32_t liveLanes(const Block &B, unsigned Warp) {
  uint32_t Lanes = 0;
  for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
    if (size_t T = Warp * WarpSize + Lane;
        T < B.Threads.size() && B.Threads[T].State != ThreadState::Exited)
      Lanes |= 1u << Lane;
  return Lanes;
}

/// A shuffle from a lane that takes no part gives no defined value.
constexpr uint64_t UndefinedShuffle = 0xbadbadbadbadbadb;

void finishWarpOperation(Block &B, unsigned Warp, const WarpMeeting &M) {
  Progress = true;
  auto Lane = [&](unsigned L) -> Thread & {
    return B.Threads[Warp * WarpSize + L];
  };
  uint64_t Values[WarpSize] = {}, Ballot = 0, Reduced = 0;
  bool First = true;
  for (unsigned L = 0; L != WarpSize; ++L) {
    if (!(M.Arrived >> L & 1))
      continue;
    Values[L] = Lane(L).Value;
    Ballot |= uint64_t(Values[L] != 0) << L;
    Reduced = First ? Values[L] : reduce(WarpOp(M.Op), Reduced, Values[L]);
    First = false;
  }
  auto Result = [&](unsigned L) -> uint64_t {
    int Source = Lane(L).Source;
    uint64_t Same = 0;
    switch (WarpOp(M.Op)) {
    case WarpOp::Sync:
      return 0;
    case WarpOp::Shuffle:
      return M.Arrived >> Source & 1 ? Values[Source] : UndefinedShuffle;
    case WarpOp::Ballot:
      return Ballot;
    case WarpOp::MatchAny:
      for (unsigned O = 0; O != WarpSize; ++O)
        Same |= uint64_t((M.Arrived >> O & 1) && Values[O] == Values[L]) << O;
      return Same;
    default:
      return Reduced;
    }
  };
  if (WarpOp(M.Op) == WarpOp::Sync)
    joinWarp(B, Warp, M.Arrived);
  releaseThreads(B, [&](Thread &T) {
    if (T.warp() != Warp || !(M.Arrived >> T.lane() & 1))
      return false;
    T.Value = Result(T.lane());
    return true;
  });
}

void finishWarpMeetings(Block &B, unsigned Warp) {
  uint32_t Live = liveLanes(B, Warp);
  auto &Meetings = B.Warps[Warp];
  for (size_t I = 0; I != Meetings.size();) {
    if (Meetings[I].Arrived != (Meetings[I].Mask & Live)) {
      ++I;
      continue;
    }
    WarpMeeting M = Meetings[I];
    Meetings.erase(Meetings.begin() + I);
    finishWarpOperation(B, Warp, M);
  }
}

/// A grid barrier orders everything before it, as the end of a kernel does.
void finishGridBarrier() {
  Progress = true;
  // On a GPU the grid barrier counts blocks, and waits for exited ones, too.
  if (uint64_t All = uint64_t(G.NumBlocks) * G.BlockThreads;
      G.LiveThreads != All)
    report("grid-barrier",
           format("%zu of the grid's %zu threads exited before this barrier",
                  size_t(All - G.LiveThreads), size_t(All)),
           G.GridBarrierSite);
  for (auto &[Number, B] : G.Blocks)
    G.MaxClock = std::max(G.MaxClock, B->Clock);
  LaunchStamp = G.MaxClock + 1;
  forgetSynchronization();
  G.AtGridBarrier = 0;
  for (auto &[Number, B] : G.Blocks) {
    B->Clock = B->BarrierStamp = LaunchStamp;
    B->Known = nullptr;
    for (Thread &T : B->Threads) {
      T.Stamp = LaunchStamp;
      T.WarpStamp = 0;
      T.Extra = T.PendingAcquire = nullptr;
      T.Release = Fence();
    }
    releaseThreads(
        *B, [](Thread &T) { return T.State == ThreadState::GridBarrier; });
  }
}

void exitThread(Thread &T) {
  Block &B = *T.Home;
  accountFuel();
  Progress = true;
  T.State = ThreadState::Exited;
  T.Release = Fence();
  --B.Live;
  --G.LiveThreads;
  if (B.Waiting && B.Waiting == B.Live)
    finishBlockBarrier(B);
  finishWarpMeetings(B, T.warp());
  if (G.AtGridBarrier && G.AtGridBarrier == G.LiveThreads)
    finishGridBarrier();
  if (!B.Live)
    endBlock(B);
}

/// Names where the threads that cannot go on are.
[[noreturn]] void reportStuck() {
  struct Group {
    unsigned Count = 0;
    const Thread *First = nullptr;
  };
  std::map<std::pair<ThreadState, const void *>, Group> Groups;
  const Block *Stuck = nullptr;
  for (auto &[Number, B] : G.Blocks)
    for (Thread &T : B->Threads) {
      if (T.State == ThreadState::Exited || T.State == ThreadState::New)
        continue;
      if (!Stuck && T.State == ThreadState::BlockBarrier)
        Stuck = B.get();
      Group &Here = Groups[{T.State, T.Site}];
      ++Here.Count;
      Here.First = Here.First ? Here.First : &T;
    }
  bool NotResident = G.NextBlock != G.NumBlocks;
  bool Spins = false;
  std::vector<Note> Notes;
  for (auto &[Key, Group] : Groups) {
    static constexpr const char *Where[] = {"start",
                                            "spin",
                                            "wait at this barrier",
                                            "wait at this warp operation",
                                            "wait at this grid barrier",
                                            "exited"};
    Spins |= Key.first == ThreadState::Ready;
    Notes.push_back({format("%u threads %s, among them ", Group.Count,
                            Where[unsigned(Key.first)]) +
                         describeThread(Group.First->Id),
                     Key.second});
  }
  const void *Site = Notes.empty() ? nullptr : Notes.front().Site;
  Current = nullptr;
  if (NotResident && Spins)
    report(
        "grid-barrier",
        format("the running blocks of kernel %s wait, but %u of its %u blocks"
               " cannot start: the device holds %u at once",
               G.Kernel, G.NumBlocks - G.NextBlock, G.NumBlocks,
               unsigned(G.Capacity)),
        Site, Notes);
  if (Spins)
    report("hang", format("no thread of kernel %s makes progress", G.Kernel),
           Site, Notes);
  report(Stuck ? "divergent-barrier" : "hang",
         format("not all live threads reach where others of kernel %s wait",
                G.Kernel),
         Site, Notes);
}

unsigned residentBlocks(unsigned BlockThreads, size_t Shared) {
  const Options &O = options();
  unsigned ByThreads = BlockThreads ? O.ThreadsPerSm / BlockThreads : 0;
  unsigned ByShared = Shared ? (228u << 10) / (Shared + 1024) : ~0u;
  return std::min({O.BlocksPerSm, ByThreads, ByShared});
}

void orderBlocks() {
  G.BlockOrder.clear();
  if (!isRandom())
    return;
  G.BlockOrder.resize(G.NumBlocks);
  for (uint32_t I = 0; I != G.NumBlocks; ++I)
    G.BlockOrder[I] = I;
  std::shuffle(G.BlockOrder.begin(), G.BlockOrder.end(), G.Random);
}

void runGrid() {
  LaunchStamp = G.MaxClock = std::max(G.MaxClock, LaunchStamp) + 1;
  forgetSynchronization();
  G.NumBlocks = G.Config.Grid.count();
  G.BlockThreads = G.Config.Block.count();
  G.NextBlock = 0;
  G.LiveThreads = G.Config.Grid.count() * G.BlockThreads;
  G.AtGridBarrier = G.Quiet = G.Total = 0;
  G.Capacity =
      uint64_t(options().Sms) * residentBlocks(G.BlockThreads, G.Config.Shared);
  orderBlocks();
  BlockDimensions = {G.Config.Block.X, G.Config.Block.Y, G.Config.Block.Z};
  GridDimensions = {G.Config.Grid.X, G.Config.Grid.Y, G.Config.Grid.Z};
  unsigned Together = G.Config.Cooperative ? G.NumBlocks
                      : isRandom()         ? 1 + G.Random() % 4
                                           : 1;
  while (G.NextBlock != std::min<uint64_t>({Together, G.NumBlocks, G.Capacity}))
    startBlock();
  switchFrom(G.Host);
  Current = nullptr;
}

unsigned meet(const void *Site, bool Predicate) {
  Thread &Me = *Current;
  Block &B = *Me.Home;
  if (B.BarrierSite && B.BarrierSite != Site &&
      placeOf(B.BarrierSite) != placeOf(Site))
    report("divergent-barrier",
           describeThread(Me.Id) + " is at this barrier while others of its "
                                   "block wait at another",
           Site,
           {{describeThread(B.BarrierThread) + " waits here", B.BarrierSite}});
  if (!B.BarrierSite) {
    B.BarrierSite = Site;
    B.BarrierThread = Me.Id;
  }
  B.Predicates += Predicate;
  ++B.Waiting;
  Me.State = ThreadState::BlockBarrier;
  if (B.Waiting == B.Live)
    finishBlockBarrier(B);
  leave(Site);
  return Me.Value;
}

} // namespace

Index3 gridDimensions() { return G.Config.Grid; }
Index3 blockDimensions() { return G.Config.Block; }
const char *kernelName() { return G.Kernel; }

void giveWay(bool Spinning, const void *Site) {
  Thread &Me = *Current;
  settleConflict();
  Me.Site = Site;
  accountFuel();
  // Long without progress, even plain reads may be a spin.
  bool Waits = Spinning || G.Quiet > 20000;
  Me.State = ThreadState::Ready;
  if (Waits)
    G.Spinning.push_back(&Me);
  else
    makeReady(Me);
  switchFrom(Me.Context);
}

//===----------------------------------------------------------------------===//
// What the translated program calls
//===----------------------------------------------------------------------===//

void configureAt(dim3 Grid, dim3 Block, size_t Shared, const void *Site) {
  Configured.push_back(
      {{Grid.x, Grid.y, Grid.z}, {Block.x, Block.y, Block.z}, Shared, Site});
}
void configure(dim3 Grid, dim3 Block, size_t Shared, cudaStream_t) {
  configureAt(Grid, Block, Shared, __builtin_return_address(0));
}
void setCooperative(bool Cooperative) {
  Configured.back().Cooperative = Cooperative;
}

cudaError_t maxActiveBlocks(int *Blocks, int BlockSize, size_t Shared) {
  if (BlockSize <= 0)
    return cudaErrorInvalidValue;
  *Blocks = residentBlocks(BlockSize, Shared);
  return cudaSuccess;
}

void launch(const char *Kernel, void (*Body)(void *), void *Closure,
            size_t ClosureSize) {
  if (Configured.empty())
    report("unsupported",
           format("kernel %s is called without a launch", Kernel), nullptr);
  const void *Site = Configured.back().Site;
  if (Current)
    report("unsupported", "a kernel launches a kernel", Site);
  G.Config = Configured.back();
  Configured.pop_back();
  G.Kernel = Kernel;
  const Index3 &B = G.Config.Block, &D = G.Config.Grid;
  if (!B.count() || B.count() > MaxBlockThreads || B.Z > 64 || !D.count() ||
      D.Y > 65535 || D.Z > 65535 || D.X > 0x7fffffff)
    return setLastError(cudaErrorInvalidConfiguration);
  if (G.Config.Shared > (227u << 10))
    return setLastError(cudaErrorInvalidValue);
  if (D.count() > 1u << (32 - ThreadBits - 1))
    report("unsupported", "a grid of more than 2^21 blocks", Site);
  if (G.Config.Cooperative) {
    const unsigned Free = options().FreeSms ? options().FreeSms : options().Sms;
    uint64_t Capacity =
        uint64_t(Free) * residentBlocks(B.count(), G.Config.Shared);
    if (D.count() > Capacity) {
      if (options().ReportTooLarge)
        report("grid-barrier",
               format("a cooperative launch of %u blocks of kernel %s; the"
                      " device holds %u at once",
                      unsigned(D.count()), Kernel, unsigned(Capacity)),
               Site);
      return setLastError(cudaErrorCooperativeLaunchTooLarge);
    }
  }
  static bool Seeded = false;
  if (!Seeded)
    G.Random.seed(options().Seed);
  Seeded = true;
  G.Body = Body;
  G.Closure = Closure;
  setArguments(Closure, ClosureSize);
  runGrid();
  setArguments(nullptr, 0);
}

void *SharedVariable::address() {
  static std::vector<const SharedVariable *> Known;
  if (Index < 0) {
    Index = Known.size();
    Known.push_back(this);
  }
  Block &B = *Current->Home;
  if (B.Shared.size() <= size_t(Index))
    B.Shared.resize(Index + 1);
  char *&Ptr = B.Shared[Index];
  return Ptr ? Ptr : Ptr = allocateShared(Size, Name);
}

void *dynamicShared() {
  Block &B = *Current->Home;
  if (!B.Dynamic)
    B.Dynamic = allocateShared(G.Config.Shared, "(dynamic)");
  return B.Dynamic;
}

int laneId() { return Current->lane(); }
bool isCooperative() { return G.Config.Cooperative; }

uint64_t warpOp(WarpOp Op, unsigned Mask, uint64_t Value, int Source) {
  const void *Site = __builtin_return_address(0);
  Thread &Me = *Current;
  Block &B = *Me.Home;
  if (!(Mask >> Me.lane() & 1))
    report("divergent-warp-operation",
           format("lane %u is not in the mask 0x%x", Me.lane(), Mask), Site);
  Me.Value = Value;
  Me.Source = Source;
  auto &Meetings = B.Warps[Me.warp()];
  auto It = std::find_if(Meetings.begin(), Meetings.end(), [&](auto &M) {
    return M.Op == int(Op) && M.Mask == Mask && !(M.Arrived >> Me.lane() & 1);
  });
  if (It == Meetings.end())
    It = Meetings.insert(Meetings.end(), {int(Op), Mask});
  It->Arrived |= 1u << Me.lane();
  Me.State = ThreadState::WarpOperation;
  finishWarpMeetings(B, Me.warp());
  leave(Site);
  return Me.Value;
}

/// Lanes that can be told to be together: none but the caller, the least that
/// CUDA promises.
unsigned activeMask() { return 1u << Current->lane(); }

void gridSync() {
  const void *Site = __builtin_return_address(0);
  if (!G.Config.Cooperative)
    report("grid-barrier",
           format("kernel %s was not launched cooperatively", G.Kernel), Site);
  Thread &Me = *Current;
  Me.State = ThreadState::GridBarrier;
  G.GridBarrierSite = Site;
  if (++G.AtGridBarrier == G.LiveThreads)
    finishGridBarrier();
  leave(Site);
}

} // namespace barricade_emu

using namespace barricade_emu;

extern "C" {
void __syncthreads() { meet(__builtin_return_address(0), false); }
int __syncthreads_or(int P) {
  return meet(__builtin_return_address(0), P != 0) != 0;
}
int __syncthreads_and(int P) {
  return meet(__builtin_return_address(0), P == 0) == 0;
}
int __syncthreads_count(int P) {
  return meet(__builtin_return_address(0), P != 0);
}
unsigned __activemask() { return activeMask(); }
void __nanosleep(unsigned) { giveWay(true, __builtin_return_address(0)); }
void __trap() {
  report("trap", "the kernel stopped itself", __builtin_return_address(0));
}
}
