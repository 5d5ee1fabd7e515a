// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The callbacks that -fsanitize=thread puts before every load and store. The
// sanitizer's own run-time library is not linked; this takes its place.

#include "Emulator.h"

#include "barricade_emu/device.h"

#include <cstring>

namespace barricade_emu {

namespace {

bool isHostForbidden(uintptr_t Address) {
  return Address - ArenaBegin < DeviceSize;
}

/// The host touches memory directly.
__attribute__((noinline)) void hostAccess(uintptr_t Address, bool Writes,
                                          const void *Pc) {
  report("device-memory-access",
         std::string("the host ") + (Writes ? "writes" : "reads") +
             " device memory: " + describeAddress(Address),
         Pc);
}

inline void access(const volatile void *Ptr, size_t Size, bool Reads,
                   bool Writes, const void *Pc) {
  uintptr_t Address = reinterpret_cast<uintptr_t>(Ptr);
  if (Current)
    accessMemory(Address, Size, Reads, Writes, /*Strong=*/false, Pc);
  else if (isHostForbidden(Address))
    hostAccess(Address, Writes, Pc);
}

/// A volatile access is a strong one: relaxed, at system scope.
inline void strongAccess(const volatile void *Ptr, size_t Size, bool Reads,
                         bool Writes, int Order, const void *Pc) {
  uintptr_t Address = reinterpret_cast<uintptr_t>(Ptr);
  if (!Current || Address - StacksBegin < StacksSize)
    return access(Ptr, Size, Reads, Writes, Pc);
  if (Reads)
    noteStrongRead(Ptr, Pc);
  // Whether it lets another thread go on shows only afterwards; a failed
  // compare-and-swap must not count.
  bool Before = Progress;
  accessMemory(Address, Size, Reads, Writes, /*Strong=*/true, Pc);
  if (Reads && Writes)
    Progress = Before;
  synchronize(Ptr, Reads, Writes, Order);
}

inline void range(const volatile void *Ptr, size_t Size, bool Writes,
                  const void *Pc) {
  if (Size)
    access(Ptr, Size, !Writes, Writes, Pc);
}

} // namespace

void beginAtomic(const volatile void *Ptr, size_t Size, const void *Site) {
  strongAccess(Ptr, Size, true, true, __ATOMIC_RELAXED, Site);
}

void noteChange() { Progress = true; }

} // namespace barricade_emu

using namespace barricade_emu;

#define PC __builtin_return_address(0)

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}

#define ACCESSES(SIZE, PREFIX)                                                 \
  void __tsan_##PREFIX##read##SIZE(void *P) { access(P, SIZE, 1, 0, PC); }     \
  void __tsan_##PREFIX##write##SIZE(void *P) { access(P, SIZE, 0, 1, PC); }    \
  void __tsan_##PREFIX##read_write##SIZE(void *P) {                            \
    access(P, SIZE, 1, 1, PC);                                                 \
  }                                                                            \
  void __tsan_##PREFIX##volatile_read##SIZE(void *P) {                         \
    strongAccess(P, SIZE, 1, 0, __ATOMIC_RELAXED, PC);                         \
  }                                                                            \
  void __tsan_##PREFIX##volatile_write##SIZE(void *P) {                        \
    strongAccess(P, SIZE, 0, 1, __ATOMIC_RELAXED, PC);                         \
  }
ACCESSES(1, )
ACCESSES(2, )
ACCESSES(4, )
ACCESSES(8, )
ACCESSES(16, )
ACCESSES(2, unaligned_)
ACCESSES(4, unaligned_)
ACCESSES(8, unaligned_)
ACCESSES(16, unaligned_)

void __tsan_read_range(void *P, size_t Size) { range(P, Size, false, PC); }
void __tsan_write_range(void *P, size_t Size) { range(P, Size, true, PC); }
void __tsan_vptr_read(void **P) { access(P, 8, 1, 0, PC); }
void __tsan_vptr_update(void **P, void *) { access(P, 8, 0, 1, PC); }

void *__tsan_memcpy(void *Dst, const void *Src, size_t Size) {
  range(Src, Size, false, PC);
  range(Dst, Size, true, PC);
  memcpy(Dst, Src, Size);
  copyInitialised(Dst, Src, Size);
  return Dst;
}
void *__tsan_memmove(void *Dst, const void *Src, size_t Size) {
  range(Src, Size, false, PC);
  range(Dst, Size, true, PC);
  memmove(Dst, Src, Size);
  copyInitialised(Dst, Src, Size);
  return Dst;
}
void *__tsan_memset(void *Dst, int Value, size_t Size) {
  range(Dst, Size, true, PC);
  return memset(Dst, Value, Size);
}

void __tsan_atomic_signal_fence(int) {}
void __tsan_atomic_thread_fence(int) {
  if (Current)
    fence(false);
  else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/// -fsanitize=thread passes C11 memory orders with __ATOMIC_*'s values.
#define ATOMIC_UPDATE(BITS, T, NAME)                                           \
  T __tsan_atomic##BITS##_##NAME(volatile T *P, T V, int Order) {              \
    strongAccess(P, sizeof(T), 1, 1, Order, PC);                               \
    Progress = true;                                                           \
    return __atomic_##NAME(P, V, __ATOMIC_SEQ_CST);                            \
  }
#define ATOMICS(BITS, T)                                                       \
  T __tsan_atomic##BITS##_load(const volatile T *P, int Order) {               \
    strongAccess(P, sizeof(T), 1, 0, Order, PC);                               \
    return __atomic_load_n(P, __ATOMIC_SEQ_CST);                               \
  }                                                                            \
  void __tsan_atomic##BITS##_store(volatile T *P, T V, int Order) {            \
    strongAccess(P, sizeof(T), 0, 1, Order, PC);                               \
    __atomic_store_n(P, V, __ATOMIC_SEQ_CST);                                  \
  }                                                                            \
  T __tsan_atomic##BITS##_exchange(volatile T *P, T V, int Order) {            \
    strongAccess(P, sizeof(T), 1, 1, Order, PC);                               \
    T Old = __atomic_exchange_n(P, V, __ATOMIC_SEQ_CST);                       \
    Progress |= Old != V;                                                      \
    return Old;                                                                \
  }                                                                            \
  int __tsan_atomic##BITS##_compare_exchange_strong(                           \
      volatile T *P, T *Expected, T V, int Order, int) {                       \
    strongAccess(P, sizeof(T), 1, 1, Order, PC);                               \
    bool Done = __atomic_compare_exchange_n(                                   \
        P, Expected, V, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);            \
    Progress |= Done;                                                          \
    return Done;                                                               \
  }                                                                            \
  int __tsan_atomic##BITS##_compare_exchange_weak(                             \
      volatile T *P, T *Expected, T V, int Order, int FailOrder) {             \
    return __tsan_atomic##BITS##_compare_exchange_strong(P, Expected, V,       \
                                                         Order, FailOrder);    \
  }                                                                            \
  T __tsan_atomic##BITS##_compare_exchange_val(volatile T *P, T Expected, T V, \
                                               int Order, int) {               \
    strongAccess(P, sizeof(T), 1, 1, Order, PC);                               \
    Progress |= __atomic_compare_exchange_n(                                   \
        P, &Expected, V, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);           \
    return Expected;                                                           \
  }                                                                            \
  ATOMIC_UPDATE(BITS, T, fetch_add)                                            \
  ATOMIC_UPDATE(BITS, T, fetch_sub)                                            \
  ATOMIC_UPDATE(BITS, T, fetch_and)                                            \
  ATOMIC_UPDATE(BITS, T, fetch_or)                                             \
  ATOMIC_UPDATE(BITS, T, fetch_xor)                                            \
  ATOMIC_UPDATE(BITS, T, fetch_nand)
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

void __threadfence() { fence(false); }
void __threadfence_system() { fence(false); }
void __threadfence_block() { fence(true); }
long long clock64() {
  static long long Ticks = 0;
  return Ticks += 40;
}
}
