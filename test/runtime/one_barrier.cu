// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel per strategy: a store, a barrier, a load of what another thread
// stored. check_ptx_order.py reads what the compiler makes of it.

#include "runtime/barricade/gpu_sync.cuh"

template <typename Barrier>
__device__ __forceinline__ void storeMeetLoad(const Barrier &Bar, int *Data) {
  Data[threadIdx.x] = 1;
  __gpu_sync(Bar);
  Data[threadIdx.x + 2048] = Data[threadIdx.x + 1024];
}

extern "C" __global__ void automatic(barricade::GridBarrier Bar, int *Data) {
  storeMeetLoad(Bar, Data);
}

extern "C" __global__ void lock(barricade::LockGridBarrier Bar, int *Data) {
  storeMeetLoad(Bar, Data);
}

extern "C" __global__ void lock_free(barricade::LockFreeGridBarrier Bar,
                                     int *Data) {
  storeMeetLoad(Bar, Data);
}

extern "C" __global__ void split(barricade::GridBarrier Bar, int *Data) {
  Data[threadIdx.x] = 1;
  const barricade::SyncToken Token = __gpu_sync_arrive(Bar);
  __gpu_sync_wait(Bar, Token);
  Data[threadIdx.x + 2048] = Data[threadIdx.x + 1024];
}
