// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which access happens before which: vector clocks, kept per block where a
// barrier makes the block's threads equal and per thread only where a fence
// or an atomic tells one thread more than its neighbours.
//
// Release and acquire follow the PTX ISA, "Memory Consistency Model": a fence
// followed by a strong write releases, a strong read followed by a fence
// acquires, read-modify-writes carry a release on. By default a relaxed
// read-modify-write acquires without a fence, too, as CUDA's own last-block
// reductions expect.

#include "Emulator.h"

namespace barricade_emu {

uint32_t LaunchStamp = 1;

void View::joinBlock(uint32_t Block, uint32_t Stamp) {
  if (Block >= Blocks.size())
    Blocks.resize(Block + 1);
  Blocks[Block] = std::max(Blocks[Block], Stamp);
}

void View::joinThread(uint32_t Thread, uint32_t Stamp) {
  uint32_t &Known = Threads[Thread];
  Known = std::max(Known, Stamp);
}

void View::join(const View &Other) {
  for (size_t B = 0; B != Other.Blocks.size(); ++B)
    if (Other.Blocks[B])
      joinBlock(B, Other.Blocks[B]);
  for (auto [Thread, Stamp] : Other.Threads)
    if (!knows(Thread, Stamp - 1))
      joinThread(Thread, Stamp);
}

bool View::knows(uint32_t Thread, uint32_t Stamp) const {
  uint32_t Block = Thread >> ThreadBits;
  if (Block < Blocks.size() && Stamp < Blocks[Block])
    return true;
  auto It = Threads.find(Thread);
  return It != Threads.end() && Stamp < It->second;
}

bool happenedBefore(uint32_t ThreadId, uint32_t Stamp) {
  const Thread &Me = *Current;
  const Block &Home = *Me.Home;
  if ((ThreadId ^ Me.Id) >> ThreadBits == 0 && Stamp < Home.BarrierStamp)
    return true;
  if ((ThreadId ^ Me.Id) >> WarpBits == 0 && Stamp < Me.WarpStamp)
    return true;
  return (Home.Known && Home.Known->knows(ThreadId, Stamp)) ||
         (Me.Extra && Me.Extra->knows(ThreadId, Stamp));
}

namespace {

/// What was released at one address. Releases of block scope are kept apart:
/// they count only for threads of the same block.
struct SyncVariable {
  View Device, Block;
  uint32_t BlockNumber = 0;
};
std::unordered_map<uintptr_t, SyncVariable> SyncVariables;

void learn(ViewRef &Into, const View &What) {
  auto Joined = Into ? std::make_shared<View>(*Into) : std::make_shared<View>();
  Joined->join(What);
  Into = std::move(Joined);
}

Fence makeFence(bool BlockScope) {
  Thread &Me = *Current;
  Me.Stamp = ++Me.Home->Clock;
  return {true,        BlockScope, Me.Home->Known,
          Me.Extra,    Me.Stamp,   Me.Home->BarrierStamp,
          Me.WarpStamp};
}

void publish(View &Into, const Fence &F) {
  const Thread &Me = *Current;
  if (F.Block)
    Into.join(*F.Block);
  if (F.Extra)
    Into.join(*F.Extra);
  Into.joinBlock(Me.Home->Number, F.BarrierStamp);
  Into.joinThread(Me.Id, F.Stamp);
  if (F.WarpStamp > F.BarrierStamp)
    for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
      Into.joinThread((Me.Id & ~(WarpSize - 1)) + Lane, F.WarpStamp);
}

void release(uintptr_t Address, const Fence &F, bool Update) {
  if (!F.Valid) {
    if (!Update)
      SyncVariables.erase(Address);
    return;
  }
  SyncVariable &V = SyncVariables[Address];
  if (!Update)
    V = SyncVariable();
  V.BlockNumber = Current->Home->Number;
  publish(F.BlockScope ? V.Block : V.Device, F);
}

void acquire(uintptr_t Address, ViewRef &Into) {
  auto It = SyncVariables.find(Address);
  if (It == SyncVariables.end())
    return;
  learn(Into, It->second.Device);
  if (It->second.BlockNumber == Current->Home->Number)
    learn(Into, It->second.Block);
}

bool acquires(int Order) {
  return Order == __ATOMIC_ACQUIRE || Order == __ATOMIC_CONSUME ||
         Order == __ATOMIC_ACQ_REL || Order == __ATOMIC_SEQ_CST;
}
bool releases(int Order) {
  return Order == __ATOMIC_RELEASE || Order == __ATOMIC_ACQ_REL ||
         Order == __ATOMIC_SEQ_CST;
}

} // namespace

void forgetSynchronization() { SyncVariables.clear(); }

void synchronize(const volatile void *Ptr, bool Reads, bool Writes, int Order) {
  Thread &Me = *Current;
  uintptr_t Address = reinterpret_cast<uintptr_t>(Ptr);
  if (Reads && !SyncVariables.empty()) {
    bool Now = acquires(Order) || (Writes && !options().StrictAcquire);
    acquire(Address, Now ? Me.Extra : Me.PendingAcquire);
  }
  if (Writes && (Me.Release.Valid || releases(Order) || !SyncVariables.empty()))
    release(Address, releases(Order) ? makeFence(false) : Me.Release, Reads);
}

void fence(bool BlockScope) {
  Thread &Me = *Current;
  if (Me.PendingAcquire) {
    learn(Me.Extra, *Me.PendingAcquire);
    Me.PendingAcquire = nullptr;
  }
  Me.Release = makeFence(BlockScope);
}

void joinAtBarrier(Block &Home) {
  for (Thread &T : Home.Threads)
    if (T.Extra) {
      learn(Home.Known, *T.Extra);
      T.Extra = nullptr;
    }
  Home.BarrierStamp = ++Home.Clock;
  for (Thread &T : Home.Threads)
    T.Stamp = Home.BarrierStamp;
}

void joinWarp(Block &Home, unsigned Warp, uint32_t Lanes) {
  uint32_t Stamp = ++Home.Clock;
  auto ForLanes = [&](auto Apply) {
    for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
      if (size_t T = Warp * WarpSize + Lane;
          T < Home.Threads.size() && Lanes >> Lane & 1)
        Apply(Home.Threads[T]);
  };
  bool Full = true, AnyExtra = false;
  for (unsigned T = Warp * WarpSize;
       T != std::min<size_t>((Warp + 1) * WarpSize, Home.Threads.size()); ++T)
    Full &= (Lanes >> T % WarpSize & 1) ||
            Home.Threads[T].State == ThreadState::Exited;
  ForLanes([&](Thread &T) { AnyExtra |= T.Extra != nullptr; });
  if (AnyExtra || !Full) {
    ViewRef Joined;
    ForLanes([&](Thread &T) {
      if (T.Extra)
        learn(Joined, *T.Extra);
    });
    auto Mine =
        Joined ? std::make_shared<View>(*Joined) : std::make_shared<View>();
    if (!Full)
      ForLanes([&](Thread &T) { Mine->joinThread(T.Id, Stamp); });
    ForLanes([&](Thread &T) { T.Extra = Mine; });
  }
  ForLanes([&](Thread &T) {
    T.Stamp = Stamp;
    if (Full)
      T.WarpStamp = Stamp;
  });
}

void noteStrongRead(const volatile void *Ptr, const void *Site) {
  Thread &Me = *Current;
  const void *Address = const_cast<const void *>(Ptr);
  Me.SpinReads = Address == Me.SpinAddress ? Me.SpinReads + 1 : 0;
  Me.SpinAddress = Address;
  if (Me.SpinReads < 8)
    return;
  Me.SpinReads = 0;
  giveWay(true, Site);
}

} // namespace barricade_emu
