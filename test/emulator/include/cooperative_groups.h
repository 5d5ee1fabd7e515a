// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups on the CPU executor: grids, blocks, tiles of a warp.

// The guard is that of CUDA's header, by which programs may ask for it.
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

#include "cuda_runtime.h"

#pragma clang force_cuda_host_device begin

namespace cooperative_groups {

class grid_group {
public:
  BARRICADE_EMU_INLINE void sync() const { barricade_emu::gridSync(); }
  bool is_valid() const { return barricade_emu::isCooperative(); }
  unsigned long long num_blocks() const {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  unsigned long long block_rank() const {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) *
               gridDim.x +
           blockIdx.x;
  }
  unsigned long long num_threads() const {
    return num_blocks() * blockDim.x * blockDim.y * blockDim.z;
  }
  unsigned long long size() const { return num_threads(); }
  unsigned long long thread_rank() const {
    return block_rank() * blockDim.x * blockDim.y * blockDim.z +
           (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  dim3 dim_blocks() const { return gridDim; }
  dim3 group_dim() const { return gridDim; }
  dim3 block_index() const { return blockIdx; }
};
inline grid_group this_grid() { return {}; }

class thread_block {
public:
  BARRICADE_EMU_INLINE void sync() const { __syncthreads(); }
  unsigned num_threads() const { return blockDim.x * blockDim.y * blockDim.z; }
  unsigned size() const { return num_threads(); }
  unsigned thread_rank() const {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  dim3 group_index() const { return blockIdx; }
  dim3 thread_index() const { return threadIdx; }
  dim3 group_dim() const { return blockDim; }
  dim3 dim_threads() const { return blockDim; }
};
inline thread_block this_thread_block() { return {}; }

/// Lanes of one warp, by mask.
class coalesced_group {
public:
  explicit coalesced_group(unsigned Mask) : Mask(Mask) {}
  BARRICADE_EMU_INLINE void sync() const { __syncwarp(Mask); }
  unsigned num_threads() const { return __popc(Mask); }
  unsigned size() const { return num_threads(); }
  unsigned thread_rank() const {
    return __popc(Mask & ((1u << barricade_emu::laneId()) - 1));
  }
  template <class T> BARRICADE_EMU_INLINE T shfl(T V, unsigned Rank) const {
    return __shfl_sync(Mask, V, lane(Rank));
  }
  BARRICADE_EMU_INLINE bool any(int Predicate) const {
    return __any_sync(Mask, Predicate);
  }
  BARRICADE_EMU_INLINE bool all(int Predicate) const {
    return __all_sync(Mask, Predicate);
  }
  BARRICADE_EMU_INLINE unsigned ballot(int Predicate) const {
    unsigned Lanes = __ballot_sync(Mask, Predicate), Ranks = 0;
    for (unsigned Rank = 0; Rank != size(); ++Rank)
      Ranks |= (Lanes >> lane(Rank) & 1) << Rank;
    return Ranks;
  }

private:
  /// The lane of the member with rank \p Rank.
  unsigned lane(unsigned Rank) const {
    unsigned Left = Mask;
    while (Rank-- != 0)
      Left &= Left - 1;
    return __ffs(Left) - 1;
  }
  unsigned Mask;
};
inline coalesced_group coalesced_threads() {
  return coalesced_group(barricade_emu::activeMask());
}

template <unsigned Size, class Parent = void> class thread_block_tile {
  static_assert(Size <= 32 && (Size & (Size - 1)) == 0,
                "a tile is a power of two of at most a warp");

public:
  BARRICADE_EMU_INLINE void sync() const { __syncwarp(mask()); }
  static constexpr unsigned num_threads() { return Size; }
  static constexpr unsigned size() { return Size; }
  unsigned thread_rank() const { return barricade_emu::laneId() % Size; }
  unsigned meta_group_rank() const {
    return thread_block().thread_rank() / Size;
  }
  unsigned meta_group_size() const {
    return (thread_block().size() + Size - 1) / Size;
  }
  template <class T> BARRICADE_EMU_INLINE T shfl(T V, int Rank) const {
    return __shfl_sync(mask(), V, Rank, Size);
  }
  template <class T>
  BARRICADE_EMU_INLINE T shfl_down(T V, unsigned Delta) const {
    return __shfl_down_sync(mask(), V, Delta, Size);
  }
  template <class T> BARRICADE_EMU_INLINE T shfl_up(T V, unsigned Delta) const {
    return __shfl_up_sync(mask(), V, Delta, Size);
  }
  template <class T>
  BARRICADE_EMU_INLINE T shfl_xor(T V, unsigned Lanes) const {
    return __shfl_xor_sync(mask(), V, Lanes, Size);
  }
  BARRICADE_EMU_INLINE bool any(int Predicate) const {
    return __any_sync(mask(), Predicate);
  }
  BARRICADE_EMU_INLINE bool all(int Predicate) const {
    return __all_sync(mask(), Predicate);
  }
  BARRICADE_EMU_INLINE unsigned ballot(int Predicate) const {
    return __ballot_sync(mask(), Predicate) >> first();
  }

private:
  unsigned first() const { return barricade_emu::laneId() / Size * Size; }
  unsigned mask() const { return (0xffffffffu >> (32 - Size)) << first(); }
};

template <unsigned Size, class Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
  return {};
}

template <class Group> BARRICADE_EMU_INLINE void sync(const Group &Members) {
  Members.sync();
}
template <class Group> unsigned thread_rank(const Group &Members) {
  return Members.thread_rank();
}

template <class T> struct plus {
  T operator()(T X, T Y) const { return X + Y; }
};
template <class T> struct less {
  T operator()(T X, T Y) const { return Y < X ? Y : X; }
};
template <class T> struct greater {
  T operator()(T X, T Y) const { return X < Y ? Y : X; }
};

template <unsigned Size, class Parent, class T, class Op>
BARRICADE_EMU_INLINE T reduce(const thread_block_tile<Size, Parent> &Tile, T V,
                              Op Combine) {
  for (unsigned Step = Size / 2; Step != 0; Step /= 2)
    V = Combine(V, Tile.shfl_xor(V, Step));
  return V;
}

} // namespace cooperative_groups

#pragma clang force_cuda_host_device end

#endif // _COOPERATIVE_GROUPS_H_
