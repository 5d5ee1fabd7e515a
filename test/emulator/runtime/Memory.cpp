// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory and its shadow: bounds, lifetime, initialisation, races.
//
// Memory is never reused after it is freed (address space is plenty), except
// shared memory, whose shadow is cleared from block to block.

#include "Emulator.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

extern "C" char __data_start, _end;

namespace barricade_emu {

Shadow Arena, Image;

namespace {

/// Unaddressable bytes on each side of an allocation.
constexpr size_t RedZone = 256;
constexpr uint32_t PcMask = StrongFlag - 1;

std::map<uintptr_t, Allocation> &allocations() {
  static std::map<uintptr_t, Allocation> Map;
  return Map;
}

void *reserve(uintptr_t At, size_t Size) {
  void *Ptr = mmap(reinterpret_cast<void *>(At), Size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
                       (At ? MAP_FIXED_NOREPLACE : 0),
                   -1, 0);
  if (Ptr == MAP_FAILED) {
    perror("barricade-emulate: mmap");
    exit(2);
  }
  return Ptr;
}

void initShadow(Shadow &S, uintptr_t Begin, size_t Size) {
  S.Begin = Begin;
  S.Size = Size;
  S.States = static_cast<State *>(reserve(0, Size / 4 + 1));
  S.Cells = static_cast<Cell *>(reserve(0, (Size / 4 + 1) * sizeof(Cell)));
}

void initArena() {
  if (Arena.Size)
    return;
  reserve(ArenaBegin, ArenaSize);
  initShadow(Arena, ArenaBegin, ArenaSize);
}

void initImage() {
  uintptr_t Begin = reinterpret_cast<uintptr_t>(&__data_start) & ~3ull;
  if (!Image.Size)
    initShadow(Image, Begin, reinterpret_cast<uintptr_t>(&_end) - Begin + 4);
}

/// Calls \p Fn(granule, byte mask) for each granule of a range.
template <class Fn>
void forGranules(const Shadow &S, uintptr_t Address, size_t Size, Fn Apply) {
  uintptr_t Offset = Address - S.Begin, End = Offset + Size;
  for (uintptr_t G = Offset / 4; G * 4 < End; ++G) {
    unsigned Mask = 0xf;
    if (G * 4 < Offset)
      Mask &= 0xf << (Offset - G * 4);
    if (End - G * 4 < 4)
      Mask &= (1 << (End - G * 4)) - 1;
    Apply(G, Mask);
  }
}

void setState(const Shadow &S, uintptr_t Address, size_t Size, bool Addressable,
              bool Initialised) {
  forGranules(S, Address, Size, [&](uintptr_t G, unsigned Mask) {
    S.States[G] &= ~(Mask | Mask << 4);
    S.States[G] |= (Initialised ? Mask : 0) | (Addressable ? Mask << 4 : 0);
  });
}

const Shadow *shadowOf(uintptr_t Address) {
  return Arena.contains(Address)   ? &Arena
         : Image.contains(Address) ? &Image
                                   : nullptr;
}

struct Bump {
  uintptr_t Next, End;
};
Bump DeviceBump{ArenaBegin + RedZone, ArenaBegin + DeviceSize};
Bump HostVisibleBump{ArenaBegin + DeviceSize + RedZone, ArenaBegin + ArenaSize};
size_t UsedDevice = 0;
std::map<std::string, std::vector<char *>> FreeShared;
std::map<uintptr_t, size_t> HostRegistered;
uintptr_t ArgumentsBegin, ArgumentsEnd;

} // namespace

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

char *allocateMemory(size_t Size, Space Kind, std::string Name,
                     const void *Site) {
  initArena();
  bool HostVisible = Kind == Space::HostVisible;
  Bump &B = HostVisible ? HostVisibleBump : DeviceBump;
  size_t Room = (Size + RedZone + 255) / 256 * 256;
  if (Size > B.End - B.Next || Room > B.End - B.Next)
    return nullptr;
  uintptr_t Begin = B.Next;
  B.Next += Room;
  // The host may initialise what it can see unobserved.
  setState(Arena, Begin, Size, true, HostVisible);
  allocations()[Begin] = {Begin, Size, Kind, std::move(Name), Site};
  if (Kind == Space::Device)
    UsedDevice += Size;
  return reinterpret_cast<char *>(Begin);
}

bool freeMemory(void *Ptr, const void *Site) {
  auto It = allocations().find(reinterpret_cast<uintptr_t>(Ptr));
  if (It == allocations().end() || It->second.FreedAt ||
      (It->second.Kind != Space::Device &&
       It->second.Kind != Space::HostVisible))
    return false;
  Allocation &A = It->second;
  A.FreedAt = Site;
  setState(Arena, A.Begin, A.Size, false, false);
  if (A.Kind == Space::Device)
    UsedDevice -= A.Size;
  if (uintptr_t Begin = (A.Begin + 4095) & ~4095ull,
      End = (A.Begin + A.Size) & ~4095ull;
      Begin < End)
    madvise(reinterpret_cast<void *>(Begin), End - Begin, MADV_DONTNEED);
  return true;
}

char *allocateShared(size_t Size, const char *Name) {
  auto &Free = FreeShared[format("%zu %s", Size, Name)];
  if (Free.empty())
    return allocateMemory(Size, Space::Shared,
                          std::string("shared variable ") + Name, nullptr);
  char *Ptr = Free.back();
  Free.pop_back();
  setState(Arena, reinterpret_cast<uintptr_t>(Ptr), Size, true, false);
  return Ptr;
}

void freeShared(char *Ptr) {
  if (!Ptr)
    return;
  uintptr_t Begin = reinterpret_cast<uintptr_t>(Ptr);
  const Allocation &A = allocations()[Begin];
  setState(Arena, Begin, A.Size, false, false);
  memset(static_cast<void *>(Arena.Cells + (Begin - Arena.Begin) / 4), 0,
         (A.Size + 3) / 4 * sizeof(Cell));
  FreeShared[format("%zu %s", A.Size,
                    A.Name.c_str() + strlen("shared variable "))]
      .push_back(Ptr);
}

size_t usedDeviceMemory() { return UsedDevice; }

void registerHostMemory(void *Ptr, size_t Size) {
  HostRegistered[reinterpret_cast<uintptr_t>(Ptr)] = Size;
}
bool unregisterHostMemory(void *Ptr) {
  return HostRegistered.erase(reinterpret_cast<uintptr_t>(Ptr));
}
void setArguments(const void *Begin, size_t Size) {
  ArgumentsBegin = reinterpret_cast<uintptr_t>(Begin);
  ArgumentsEnd = ArgumentsBegin + Size;
}

void registerVariable(uintptr_t Address, size_t Size, const char *Name) {
  initImage();
  if (!Image.contains(Address))
    return; // a constant: read-only data
  allocations()[Address] = {Address, Size, Space::Variable,
                            std::string("device variable ") + Name, nullptr};
  setState(Image, Address, Size, true, true);
}

const Allocation *findAllocation(uintptr_t Address) {
  auto &Map = allocations();
  auto Next = Map.upper_bound(Address);
  const Allocation *Before =
      Next == Map.begin() ? nullptr : &std::prev(Next)->second;
  if (Before && Address < Before->Begin + Before->Size + (size_t(64) << 20))
    return Before;
  if (Next != Map.end() && Next->second.Begin - Address < (size_t(1) << 20))
    return &Next->second;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

namespace {

[[noreturn]] void reportAddress(uintptr_t Address, size_t Size, bool Writes,
                                const char *Who, const void *Pc) {
  const Allocation *A = findAllocation(Address);
  std::string What =
      format("%s %s %zu bytes at ", Who, Writes ? "writes" : "reads", Size) +
      describeAddress(Address);
  std::vector<Note> Notes;
  if (A && A->Site)
    Notes.push_back({"allocated here", A->Site});
  bool Freed = A && A->FreedAt && Address < A->Begin + A->Size;
  if (Freed)
    Notes.push_back({"freed here", A->FreedAt});
  report(Freed ? "use-after-free" : "out-of-bounds", What, Pc, Notes);
}

[[noreturn]] void reportRace(uintptr_t Address, const char *Now,
                             const char *Before, uint32_t ThreadId, uint32_t Pc,
                             const void *Site) {
  std::vector<Note> Notes = {
      {format("conflicts with the %s by ", Before) + describeThread(ThreadId),
       reinterpret_cast<const void *>(uintptr_t(Pc & PcMask))}};
  report("data-race",
         format("%s of ", Now) + describeAddress(Address) +
             " is not ordered with another thread's " + Before,
         Site, Notes);
}

/// A write that met another thread's unordered write: a race unless it writes
/// what is there already.
struct Conflict {
  bool Active = false;
  uintptr_t Address;
  uint32_t Other, OtherPc;
  const void *Site;
  unsigned Size;
  char Old[16];
} Pending;

struct Request {
  bool Reads, Writes, Strong;
  const void *Pc;
  uint32_t pc() const {
    return (reinterpret_cast<uintptr_t>(Pc) & PcMask) |
           (Strong ? StrongFlag : 0);
  }
};

void meetWriter(const Cell &C, uintptr_t Address, size_t Size,
                const Request &R) {
  if (!R.Writes)
    reportRace(Address, "read", "write", C.WriteThread, C.WritePc, R.Pc);
  if (R.Reads || options().ReportSameValueWrites || Size > sizeof(Pending.Old))
    reportRace(Address, R.Reads ? "update" : "write", "write", C.WriteThread,
               C.WritePc, R.Pc);
  if (Pending.Active)
    return;
  Pending = {true, Address, C.WriteThread, C.WritePc, R.Pc, unsigned(Size), {}};
  memcpy(Pending.Old, reinterpret_cast<void *>(Address), Size);
}

void noteRead(Cell &C, const Request &R) {
  const Thread &Me = *Current;
  if (C.ReadThread == Me.Id) {
    // A plain read stays one though a strong one follows.
    bool Same = C.ReadStamp == Me.Stamp && !(C.ReadPc & StrongFlag);
    C.ReadPc = Same ? R.pc() & PcMask : R.pc();
    C.ReadStamp = Me.Stamp;
    return;
  }
  // The second slot prefers a reader of another block, which fewer barriers
  // order.
  bool Foreign = C.Read2Stamp >= LaunchStamp &&
                 (C.Read2Thread ^ Me.Id) >> ThreadBits != 0 &&
                 (C.ReadThread ^ Me.Id) >> ThreadBits == 0;
  if (!Foreign) {
    C.Read2Thread = C.ReadThread;
    C.Read2Stamp = C.ReadStamp;
  }
  C.ReadThread = Me.Id;
  C.ReadStamp = Me.Stamp;
  C.ReadPc = R.pc();
}

void noteWrite(Cell &C, const Request &R) {
  const Thread &Me = *Current;
  bool Weak = C.WriteThread == Me.Id && C.WriteStamp == Me.Stamp &&
              !(C.WritePc & StrongFlag);
  C.WriteThread = Me.Id;
  C.WriteStamp = Me.Stamp;
  C.WritePc = Weak ? R.pc() & PcMask : R.pc();
  C.ReadStamp = C.Read2Stamp = 0;
}

/// FastTrack (Flanagan, Freund, PLDI 2009) with two readers kept.
inline void checkCell(Cell &C, uintptr_t Address, size_t Size,
                      const Request &R) {
  if (unordered(C.WriteThread, C.WriteStamp) &&
      !(R.Strong && C.WritePc & StrongFlag))
    meetWriter(C, Address, Size, R);
  if (!R.Writes)
    return noteRead(C, R);
  if (unordered(C.ReadThread, C.ReadStamp) &&
      !(R.Strong && C.ReadPc & StrongFlag))
    reportRace(Address, "write", "read", C.ReadThread, C.ReadPc, R.Pc);
  if (unordered(C.Read2Thread, C.Read2Stamp) && !R.Strong)
    reportRace(Address, "write", "read", C.Read2Thread, 0, R.Pc);
  noteWrite(C, R);
}

std::vector<std::array<Cell, 4>> Splits;

/// Byte-wise records, for accesses smaller than a granule.
void checkBytes(Cell &C, uintptr_t Granule, unsigned Mask, const Request &R) {
  if (C.WriteThread != SplitCell) {
    Splits.push_back({C, C, C, C});
    C = {SplitCell, uint32_t(Splits.size() - 1), 0, 0, 0, 0, 0, 0};
  }
  for (unsigned I = 0; I != 4; ++I)
    if (Mask >> I & 1)
      checkCell(Splits[C.WriteStamp][I], Granule + I, 1, R);
}

/// Everything that the shadow says about one access.
void checkShadow(const Shadow &S, uintptr_t Address, size_t Size,
                 const Request &R) {
  uintptr_t Offset = Address - S.Begin;
  // The common case: whole granules.
  if ((Offset | Size) % 4 == 0) {
    unsigned Initialised = 0;
    for (size_t G = Offset / 4, End = (Offset + Size) / 4; G != End; ++G) {
      State &St = S.States[G];
      if (St >> 4 != 0xf)
        reportAddress(Address, Size, R.Writes, "a thread", R.Pc);
      Initialised |= St & 0xf;
      if (R.Writes)
        St = 0xff;
    }
    if (R.Reads && !Initialised)
      report("uninitialised-read",
             describeAddress(Address) + " is read before"
                                        " anything is written there",
             R.Pc);
    for (size_t G = Offset / 4, End = (Offset + Size) / 4; G != End; ++G) {
      Cell &C = S.Cells[G];
      if (__builtin_expect(C.WriteThread == SplitCell, 0))
        checkBytes(C, S.Begin + G * 4, 0xf, R);
      else
        checkCell(C, S.Begin + G * 4, 4, R);
    }
    return;
  }
  unsigned Initialised = 0;
  forGranules(S, Address, Size, [&](uintptr_t G, unsigned Mask) {
    if ((S.States[G] >> 4 & Mask) != Mask)
      reportAddress(Address, Size, R.Writes, "a thread", R.Pc);
    Initialised |= S.States[G] & Mask;
  });
  if (R.Reads && !Initialised)
    report("uninitialised-read",
           describeAddress(Address) + " is read before anything is written"
                                      " there",
           R.Pc);
  forGranules(S, Address, Size, [&](uintptr_t G, unsigned Mask) {
    if (R.Writes)
      S.States[G] |= Mask;
    checkBytes(S.Cells[G], S.Begin + G * 4, Mask, R);
  });
}

bool isHostRegistered(uintptr_t Address) {
  auto It = HostRegistered.upper_bound(Address);
  return It != HostRegistered.begin() &&
         Address - std::prev(It)->first < std::prev(It)->second;
}

/// An access outside the arena and the fibers' stacks.
void checkForeign(uintptr_t Address, size_t Size, const Request &R) {
  if (Address < 0x10000)
    report("out-of-bounds",
           format("a thread %s %zu bytes at address 0x%zx",
                  R.Writes ? "writes" : "reads", Size, size_t(Address)),
           R.Pc);
  uintptr_t ImageEnd = reinterpret_cast<uintptr_t>(&_end);
  if (Address < ImageEnd) {
    if (!Image.contains(Address))
      return; // constants
    const Allocation *A = findAllocation(Address);
    bool Near = A && Address + RedZone > A->Begin &&
                Address < A->Begin + A->Size + RedZone;
    if (Near || R.Writes)
      checkShadow(Image, Address, Size, R);
    return;
  }
  if ((Address >= ArgumentsBegin && Address < ArgumentsEnd) ||
      isHostRegistered(Address))
    return;
  report("host-memory-access",
         format("a thread %s %zu bytes of host memory at 0x%zx",
                R.Writes ? "writes" : "reads", Size, size_t(Address)),
         R.Pc);
}

} // namespace

void settleConflict() {
  if (!Pending.Active)
    return;
  Pending.Active = false;
  if (memcmp(Pending.Old, reinterpret_cast<void *>(Pending.Address),
             Pending.Size))
    reportRace(Pending.Address, "write", "write", Pending.Other,
               Pending.OtherPc, Pending.Site);
}

void accessMemory(uintptr_t Address, size_t Size, bool Reads, bool Writes,
                  bool Strong, const void *Pc) {
  if (Address - StacksBegin < StacksSize)
    return;
  if (__builtin_expect(Pending.Active, 0))
    settleConflict();
  if (--Fuel <= 0)
    giveWay(false, Pc);
  if (Writes)
    Progress = true;
  Request R{Reads, Writes, Strong, Pc};
  if (__builtin_expect(Arena.contains(Address), 1))
    checkShadow(Arena, Address, Size, R);
  else
    checkForeign(Address, Size, R);
}

void checkHostCopy(const void *Ptr, size_t Size, bool Writes, const char *Call,
                   const void *Site) {
  uintptr_t Address = reinterpret_cast<uintptr_t>(Ptr);
  const Shadow *S = shadowOf(Address);
  if (!S || !Size)
    return;
  if (S == &Image) {
    const Allocation *A = findAllocation(Address);
    if (!A || Address < A->Begin || Address >= A->Begin + A->Size)
      return; // a variable of the host
  }
  forGranules(*S, Address, Size, [&](uintptr_t G, unsigned Mask) {
    if ((S->States[G] >> 4 & Mask) != Mask)
      reportAddress(std::max(Address, S->Begin + G * 4), Size, Writes, Call,
                    Site);
    if (Writes)
      S->States[G] |= Mask;
  });
}

void copyInitialised(void *Dst, const void *Src, size_t Size) {
  uintptr_t To = reinterpret_cast<uintptr_t>(Dst),
            From = reinterpret_cast<uintptr_t>(Src);
  if (!Arena.contains(To) || !Arena.contains(From))
    return;
  auto Initialised = [](uintptr_t A) {
    return Arena.States[(A - Arena.Begin) / 4] >> A % 4 & 1;
  };
  if ((To | From | Size) % 4 == 0) {
    for (size_t I = 0; I != Size; I += 4)
      if (!(Arena.States[(From + I - Arena.Begin) / 4] & 0xf))
        Arena.States[(To + I - Arena.Begin) / 4] &= 0xf0;
    return;
  }
  for (size_t I = 0; I != Size; ++I)
    if (!Initialised(From + I))
      setState(Arena, To + I, 1, true, false);
}

} // namespace barricade_emu
