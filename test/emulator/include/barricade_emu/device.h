// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels call: barriers, warp operations, fences, atomics, clocks.

#ifndef BARRICADE_EMU_DEVICE_H
#define BARRICADE_EMU_DEVICE_H

#include "launch.h"
#include "types.h"

// One call per statement, neither copied nor merged with another's, so that
// threads that meet at one statement are told from threads that do not.
#define BARRICADE_EMU_BARRIER __attribute__((noduplicate, nomerge, convergent))

// Clang knows this one itself, for the device alone.
#pragma clang force_cuda_host_device end
extern "C" __device__ BARRICADE_EMU_BARRIER void __syncthreads();
#pragma clang force_cuda_host_device begin

extern "C" {
BARRICADE_EMU_BARRIER int __syncthreads_or(int Predicate);
BARRICADE_EMU_BARRIER int __syncthreads_and(int Predicate);
BARRICADE_EMU_BARRIER int __syncthreads_count(int Predicate);
void __threadfence();
void __threadfence_block();
void __threadfence_system();
void __nanosleep(unsigned Nanoseconds);
unsigned __activemask();
}

namespace barricade_emu {

enum class WarpOp {
  Sync,
  Shuffle,
  Ballot,
  MatchAny,
  ReduceAdd,
  ReduceMin,
  ReduceMax,
  ReduceUMin,
  ReduceUMax,
  ReduceAnd,
  ReduceOr,
  ReduceXor,
};

/// Waits for the live lanes in \p Mask, then does \p Op over their \p Value.
/// \p Source is the lane that a shuffle reads.
BARRICADE_EMU_BARRIER uint64_t warpOp(WarpOp Op, unsigned Mask, uint64_t Value,
                                      int Source = 0);
int laneId();
unsigned activeMask();
BARRICADE_EMU_BARRIER void gridSync();
bool isCooperative();

/// An atomic read-modify-write of \p Size bytes at \p Ptr follows, called from
/// \p Site; nothing else runs between this call and the access.
void beginAtomic(const volatile void *Ptr, size_t Size, const void *Site);
void fence(bool BlockScope);
/// An atomic changed what others may be waiting for.
void noteChange();

template <class T, class Fn>
BARRICADE_EMU_RAW T atomicUpdate(T *Ptr, Fn Update) {
  beginAtomic(Ptr, sizeof(T), __builtin_return_address(0));
  T Old = *Ptr, New = Update(Old);
  if (__builtin_memcmp(&Old, &New, sizeof(T)))
    noteChange();
  *Ptr = New;
  return Old;
}

template <class T> uint64_t toBits(T Value) {
  static_assert(sizeof(T) <= 8, "a warp operation moves at most 8 bytes");
  uint64_t Bits = 0;
  __builtin_memcpy(&Bits, &Value, sizeof(T));
  return Bits;
}
template <class T> T fromBits(uint64_t Bits) {
  T Value;
  __builtin_memcpy(&Value, &Bits, sizeof(T));
  return Value;
}

} // namespace barricade_emu

// Inlined, so that the call into the executor belongs to the program's line.
#define BARRICADE_EMU_INLINE inline __attribute__((always_inline))

#define BARRICADE_EMU_ATOMIC(SUFFIX)                                           \
  template <class T>                                                           \
  BARRICADE_EMU_INLINE T atomicAdd##SUFFIX(T *P, std::common_type_t<T> V) {    \
    return barricade_emu::atomicUpdate(P, [=](T Old) { return T(Old + V); });  \
  }                                                                            \
  template <class T>                                                           \
  BARRICADE_EMU_INLINE T atomicSub##SUFFIX(T *P, std::common_type_t<T> V) {    \
    return barricade_emu::atomicUpdate(P, [=](T Old) { return T(Old - V); });  \
  }                                                                            \
  template <class T>                                                           \
  BARRICADE_EMU_INLINE T atomicMin##SUFFIX(T *P, std::common_type_t<T> V) {    \
    return barricade_emu::atomicUpdate(                                        \
        P, [=](T Old) { return V < Old ? V : Old; });                          \
  }                                                                            \
  template <class T>                                                           \
  BARRICADE_EMU_INLINE T atomicMax##SUFFIX(T *P, std::common_type_t<T> V) {    \
    return barricade_emu::atomicUpdate(                                        \
        P, [=](T Old) { return Old < V ? V : Old; });                          \
  }                                                                            \
  template <class T>                                                           \
  BARRICADE_EMU_INLINE T atomicAnd##SUFFIX(T *P, std::common_type_t<T> V) {    \
    return barricade_emu::atomicUpdate(P, [=](T Old) { return T(Old & V); });  \
  }                                                                            \
  template <class T>                                                           \
  BARRICADE_EMU_INLINE T atomicOr##SUFFIX(T *P, std::common_type_t<T> V) {     \
    return barricade_emu::atomicUpdate(P, [=](T Old) { return T(Old | V); });  \
  }                                                                            \
  template <class T>                                                           \
  BARRICADE_EMU_INLINE T atomicXor##SUFFIX(T *P, std::common_type_t<T> V) {    \
    return barricade_emu::atomicUpdate(P, [=](T Old) { return T(Old ^ V); });  \
  }                                                                            \
  template <class T>                                                           \
  BARRICADE_EMU_INLINE T atomicExch##SUFFIX(T *P, std::common_type_t<T> V) {   \
    return barricade_emu::atomicUpdate(P, [=](T) { return V; });               \
  }                                                                            \
  template <class T>                                                           \
  BARRICADE_EMU_INLINE T atomicCAS##SUFFIX(T *P, std::common_type_t<T> If,     \
                                           std::common_type_t<T> V) {          \
    return barricade_emu::atomicUpdate(                                        \
        P, [=](T Old) { return Old == If ? V : Old; });                        \
  }                                                                            \
  BARRICADE_EMU_INLINE unsigned atomicInc##SUFFIX(unsigned *P, unsigned V) {   \
    return barricade_emu::atomicUpdate(                                        \
        P, [=](unsigned Old) { return Old >= V ? 0 : Old + 1; });              \
  }                                                                            \
  BARRICADE_EMU_INLINE unsigned atomicDec##SUFFIX(unsigned *P, unsigned V) {   \
    return barricade_emu::atomicUpdate(                                        \
        P, [=](unsigned Old) { return Old == 0 || Old > V ? V : Old - 1; });   \
  }
BARRICADE_EMU_ATOMIC()
BARRICADE_EMU_ATOMIC(_block)
BARRICADE_EMU_ATOMIC(_system)
#undef BARRICADE_EMU_ATOMIC

BARRICADE_EMU_INLINE void __syncwarp(unsigned Mask = 0xffffffffu) {
  barricade_emu::warpOp(barricade_emu::WarpOp::Sync, Mask, 0);
}
template <class T>
BARRICADE_EMU_INLINE T __shfl_sync(unsigned Mask, T V, int Source,
                                   int Width = warpSize) {
  int Lane = barricade_emu::laneId();
  return barricade_emu::fromBits<T>(barricade_emu::warpOp(
      barricade_emu::WarpOp::Shuffle, Mask, barricade_emu::toBits(V),
      (Lane & -Width) | (Source & (Width - 1))));
}
template <class T>
BARRICADE_EMU_INLINE T __shfl_up_sync(unsigned Mask, T V, unsigned Delta,
                                      int Width = warpSize) {
  int Lane = barricade_emu::laneId(), Source = Lane - int(Delta);
  return barricade_emu::fromBits<T>(barricade_emu::warpOp(
      barricade_emu::WarpOp::Shuffle, Mask, barricade_emu::toBits(V),
      Source < (Lane & -Width) ? Lane : Source));
}
template <class T>
BARRICADE_EMU_INLINE T __shfl_down_sync(unsigned Mask, T V, unsigned Delta,
                                        int Width = warpSize) {
  int Lane = barricade_emu::laneId(), Source = Lane + int(Delta);
  return barricade_emu::fromBits<T>(barricade_emu::warpOp(
      barricade_emu::WarpOp::Shuffle, Mask, barricade_emu::toBits(V),
      Source >= (Lane & -Width) + Width ? Lane : Source));
}
template <class T>
BARRICADE_EMU_INLINE T __shfl_xor_sync(unsigned Mask, T V, int LaneMask,
                                       int Width = warpSize) {
  int Lane = barricade_emu::laneId(), Source = Lane ^ LaneMask;
  return barricade_emu::fromBits<T>(barricade_emu::warpOp(
      barricade_emu::WarpOp::Shuffle, Mask, barricade_emu::toBits(V),
      Source >= (Lane & -Width) + Width ? Lane : Source));
}
BARRICADE_EMU_INLINE unsigned __ballot_sync(unsigned Mask, int Predicate) {
  return barricade_emu::warpOp(barricade_emu::WarpOp::Ballot, Mask,
                               Predicate != 0);
}
BARRICADE_EMU_INLINE int __any_sync(unsigned Mask, int Predicate) {
  return __ballot_sync(Mask, Predicate) != 0;
}
BARRICADE_EMU_INLINE int __all_sync(unsigned Mask, int Predicate) {
  return __ballot_sync(Mask, !Predicate) == 0;
}
template <class T>
BARRICADE_EMU_INLINE unsigned __match_any_sync(unsigned Mask, T V) {
  return barricade_emu::warpOp(barricade_emu::WarpOp::MatchAny, Mask,
                               barricade_emu::toBits(V));
}
template <class T>
BARRICADE_EMU_INLINE unsigned __match_all_sync(unsigned Mask, T V, int *All) {
  unsigned Same = __match_any_sync(Mask, V);
  *All = Same == Mask;
  return *All ? Mask : 0;
}
#define BARRICADE_EMU_REDUCE(NAME, OP, T)                                      \
  BARRICADE_EMU_INLINE T __reduce_##NAME##_sync(unsigned Mask, T V) {          \
    return T(                                                                  \
        barricade_emu::warpOp(barricade_emu::WarpOp::OP, Mask, uint64_t(V)));  \
  }
BARRICADE_EMU_REDUCE(add, ReduceAdd, unsigned)
BARRICADE_EMU_REDUCE(add, ReduceAdd, int)
BARRICADE_EMU_REDUCE(min, ReduceUMin, unsigned)
BARRICADE_EMU_REDUCE(min, ReduceMin, int)
BARRICADE_EMU_REDUCE(max, ReduceUMax, unsigned)
BARRICADE_EMU_REDUCE(max, ReduceMax, int)
BARRICADE_EMU_REDUCE(and, ReduceAnd, unsigned)
BARRICADE_EMU_REDUCE(or, ReduceOr, unsigned)
BARRICADE_EMU_REDUCE(xor, ReduceXor, unsigned)
#undef BARRICADE_EMU_REDUCE

// Cache hints change nothing here: they are plain accesses.
template <class T> BARRICADE_EMU_INLINE T __ldg(const T *P) { return *P; }
template <class T> BARRICADE_EMU_INLINE T __ldca(const T *P) { return *P; }
template <class T> BARRICADE_EMU_INLINE T __ldcg(const T *P) { return *P; }
template <class T> BARRICADE_EMU_INLINE T __ldcs(const T *P) { return *P; }
template <class T> BARRICADE_EMU_INLINE T __ldcv(const T *P) {
  return *static_cast<const volatile T *>(P);
}
template <class T> BARRICADE_EMU_INLINE void __stcg(T *P, T V) { *P = V; }
template <class T> BARRICADE_EMU_INLINE void __stcs(T *P, T V) { *P = V; }
template <class T> BARRICADE_EMU_INLINE void __stwb(T *P, T V) { *P = V; }
template <class T> BARRICADE_EMU_INLINE void __stwt(T *P, T V) { *P = V; }

extern "C" long long clock64();
extern "C" void __trap();
inline void __brkpt() { __trap(); }

#endif // BARRICADE_EMU_DEVICE_H
