// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The executor's own data: options, threads and blocks, memory and its shadow,
// happens-before, reports.
//
// One operating-system thread runs everything. A CUDA thread is a fiber that
// gives way at barriers, at warp operations, when it spins, and when its fuel
// is used up; between two such points it runs alone, so the executor needs no
// locks and a run is determined by program, input, order and seed.

#ifndef BARRICADE_TEST_EMULATOR_RUNTIME_EMULATOR_H
#define BARRICADE_TEST_EMULATOR_RUNTIME_EMULATOR_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <boost/context/fiber.hpp>

namespace barricade_emu {

struct Index3 {
  uint32_t X, Y, Z;
  uint64_t count() const { return uint64_t(X) * Y * Z; }
};

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

enum class Order { InOrder, Reversed, Random, Ahead, Starve };

/// Read once from the environment; see barricade-emulate --help.
struct Options {
  Order ThreadOrder = Order::InOrder;
  uint64_t Seed = 1;
  unsigned Sms = 4, BlocksPerSm = 8, ThreadsPerSm = 2048;
  /// Multiprocessors that a cooperative launch may have of them: fewer where
  /// others share the device, which its attributes do not tell (MPS). 0: all.
  unsigned FreeSms = 0;
  /// Accesses without progress of any thread that count as a hang.
  uint64_t HangAccesses = 64u << 20;
  /// Accesses of one kernel that count as a hang; 0: no limit.
  uint64_t MaxAccesses = 0;
  size_t StackSize = 256u << 10;
  /// A relaxed read-modify-write acquires (CUDA's customary reading) or needs
  /// a fence after it (PTX ISA, "Memory Consistency Model").
  bool StrictAcquire = false;
  /// Report barriers that exited threads did not reach.
  bool ReportExited = false;
  /// Report cooperative launches that are too large, or return CUDA's error.
  bool ReportTooLarge = true;
  bool ReportSameValueWrites = false;
};
const Options &options();

//===----------------------------------------------------------------------===//
// Happens-before
//===----------------------------------------------------------------------===//

/// What a thread knows of others' past: the accesses with a stamp below the
/// one kept for their block or their thread happened before.
struct View {
  std::vector<uint32_t> Blocks;
  std::unordered_map<uint32_t, uint32_t> Threads;

  void join(const View &Other);
  void joinBlock(uint32_t Block, uint32_t Stamp);
  void joinThread(uint32_t Thread, uint32_t Stamp);
  bool knows(uint32_t Thread, uint32_t Stamp) const;
};
using ViewRef = std::shared_ptr<const View>;

/// A fence, remembered until the thread's next strong write publishes it.
struct Fence {
  bool Valid = false, BlockScope = false;
  ViewRef Block, Extra;
  uint32_t Stamp = 0, BarrierStamp = 0, WarpStamp = 0;
};

//===----------------------------------------------------------------------===//
// Threads and blocks
//===----------------------------------------------------------------------===//

/// Threads are numbered block by block, MaxBlockThreads apart.
constexpr unsigned ThreadBits = 10, MaxBlockThreads = 1 << ThreadBits;
constexpr unsigned WarpSize = 32, WarpBits = 5;

enum class ThreadState {
  New,
  Ready,
  BlockBarrier,
  WarpOperation,
  GridBarrier,
  Exited
};

struct Block;

struct Thread {
  Block *Home = nullptr;
  uint32_t Id = 0;
  Index3 Index{};
  ThreadState State = ThreadState::New;
  boost::context::fiber Context;
  /// Where it waits, and the value it brings to or takes from there.
  const void *Site = nullptr;
  uint64_t Value = 0;
  int Source = 0;

  // Happens-before.
  uint32_t Stamp = 0, WarpStamp = 0;
  ViewRef Extra;
  Fence Release;
  ViewRef PendingAcquire;

  // Spinning: strong reads of one address in a row.
  const void *SpinAddress = nullptr;
  unsigned SpinReads = 0;

  unsigned lane() const { return Id % WarpSize; }
  unsigned warp() const { return Id % MaxBlockThreads / WarpSize; }
};

/// One warp operation on its way: the lanes in Mask that have come so far.
struct WarpMeeting {
  int Op;
  uint32_t Mask, Arrived = 0;
};

struct Block {
  uint32_t Number = 0;
  Index3 Index{};
  std::vector<Thread> Threads;
  unsigned Live = 0, Waiting = 0;
  // The block barrier being waited at.
  const void *BarrierSite = nullptr;
  uint32_t BarrierThread = 0;
  unsigned Predicates = 0;
  // Happens-before.
  uint32_t Clock = 0, BarrierStamp = 0;
  ViewRef Known;
  // Shared memory: variables by index, dynamic memory last.
  std::vector<char *> Shared;
  char *Dynamic = nullptr;
  std::vector<std::vector<WarpMeeting>> Warps;
};

/// The running thread; null while the host runs.
extern Thread *Current;

/// Accesses that the running thread may still do before it gives way.
extern int64_t Fuel;
/// Set by whatever may let a spinning thread go on.
extern bool Progress;

/// Gives way to other threads; \p Spinning when it waits for one of them.
void giveWay(bool Spinning, const void *Site);

Index3 gridDimensions();
Index3 blockDimensions();
const char *kernelName();
/// Happens-before for a record of another thread, fast cases inline.
extern uint32_t LaunchStamp;
bool happenedBefore(uint32_t ThreadId, uint32_t Stamp);
inline bool unordered(uint32_t ThreadId, uint32_t Stamp) {
  return Stamp >= LaunchStamp && ThreadId != Current->Id &&
         !happenedBefore(ThreadId, Stamp);
}

/// Called for strong (volatile and atomic) accesses.
void synchronize(const volatile void *Ptr, bool Reads, bool Writes, int Order);
/// Gives way if the running thread reads the same place over and over.
void noteStrongRead(const volatile void *Ptr, const void *Site);
void forgetSynchronization();
/// Joins what the threads of \p Home learnt since their last barrier.
void joinAtBarrier(Block &Home);
/// __syncwarp among \p Lanes of the running thread's warp.
void joinWarp(Block &Home, unsigned Warp, uint32_t Lanes);

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The last write and the last two readers of four bytes (or of one, where a
/// granule is split). A stamp of zero: none. Program counters carry a flag for
/// strong accesses.
struct Cell {
  uint32_t WriteThread, WriteStamp, WritePc;
  uint32_t ReadThread, ReadStamp, ReadPc;
  uint32_t Read2Thread, Read2Stamp;
};
constexpr uint32_t StrongFlag = 1u << 31;
/// WriteThread of a cell that is split in four; WriteStamp is their index.
constexpr uint32_t SplitCell = ~0u;

/// Per granule: which of its bytes are initialised (low four bits) and
/// addressable (high four).
using State = uint8_t;

enum class Space { Device, HostVisible, Shared, Variable };

struct Allocation {
  uintptr_t Begin;
  size_t Size;
  Space Kind;
  std::string Name;
  const void *Site;
  const void *FreedAt = nullptr;
};

constexpr uintptr_t ArenaBegin = 0x100000000000;
constexpr size_t DeviceSize = size_t(64) << 30;
constexpr size_t HostVisibleSize = size_t(32) << 30;
constexpr size_t ArenaSize = DeviceSize + HostVisibleSize;

/// Shadow of one address range.
struct Shadow {
  uintptr_t Begin = 0;
  size_t Size = 0;
  State *States = nullptr;
  Cell *Cells = nullptr;
  bool contains(uintptr_t A) const { return A - Begin < Size; }
};
extern Shadow Arena, Image;
/// Fibers' stacks: local memory, not checked.
extern uintptr_t StacksBegin;
extern size_t StacksSize;

char *allocateMemory(size_t Size, Space Kind, std::string Name,
                     const void *Site);
/// False if \p Ptr is no live allocation of the runtime API.
bool freeMemory(void *Ptr, const void *Site);
char *allocateShared(size_t Size, const char *Name);
void freeShared(char *Ptr);
size_t usedDeviceMemory();
void registerHostMemory(void *Ptr, size_t Size);
bool unregisterHostMemory(void *Ptr);
void registerVariable(uintptr_t Address, size_t Size, const char *Name);
/// The memory that the running kernel's arguments lie in.
void setArguments(const void *Begin, size_t Size);
/// The allocation at or just around \p Address, or null.
const Allocation *findAllocation(uintptr_t Address);

/// Checks an access of the host (API call) to device memory and marks it.
/// Ordinary host memory passes.
void checkHostCopy(const void *Ptr, size_t Size, bool Writes, const char *Call,
                   const void *Site);
void copyInitialised(void *Dst, const void *Src, size_t Size);

/// Checks an access of the running thread.
void accessMemory(uintptr_t Address, size_t Size, bool Reads, bool Writes,
                  bool Strong, const void *Pc);
/// Reports the write-write conflict at hand unless both wrote the same value.
void settleConflict();

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

struct Note {
  std::string Text;
  const void *Site;
};
/// Prints "FILE:LINE:COL: error: KIND: MESSAGE" and the notes to stderr and
/// ends the process with FaultExitCode.
[[noreturn]] void report(const char *Kind, const std::string &Message,
                         const void *Site, const std::vector<Note> &Notes = {});
constexpr int FaultExitCode = 86;
/// "FILE:LINE:COL" of the program's statement that calls at \p Site, a return
/// address; the innermost one outside the executor's headers.
std::string placeOf(const void *Site);
std::string describeThread(uint32_t Id);
std::string describeAddress(uintptr_t Address);
std::string format(const char *Format, ...)
    __attribute__((format(printf, 1, 2)));

} // namespace barricade_emu

#endif // BARRICADE_TEST_EMULATOR_RUNTIME_EMULATOR_H
