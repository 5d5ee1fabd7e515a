// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses all of gpu_sync.cuh, for each strategy, as rewritten programs do. The
// tests of this folder compile it; nothing runs it.

#include <cooperative_groups.h>

#include "runtime/barricade/gpu_sync.cuh"

struct Settings {
  float Factor;
  int Steps;
};

template <typename Barrier>
__global__ void relax(Barrier Bar, float *A, const float *B, dim3 Grid,
                      const Settings S) {
  for (int I = 0; I < S.Steps; ++I) {
    for (const uint3 Block : barricade::logical_blocks(Grid))
      A[Block.x + Block.y + Block.z] = S.Factor * B[threadIdx.x];
    __gpu_sync(Bar);
  }
}

/// The handle may be passed on, by value or by reference.
template <typename Barrier> __device__ void meetTwice(Barrier Bar) {
  __gpu_sync(Bar);
  const barricade::SyncToken Token = __gpu_sync_arrive(Bar);
  __gpu_sync_wait(Bar, Token);
}

template <typename Barrier> __global__ void count(const Barrier Bar, int *At) {
  __gpu_sync(Bar, At, *At + 1);
}

template <typename Barrier> __global__ void split(const Barrier Bar) {
  meetTwice(Bar);
}

/// Barriers as wide as steps need.
template <typename Barrier, typename Integer>
__global__ void narrow(const Barrier Bar, int *A, float *B, Integer Limit) {
  barricade::StepBarrier Steps(Bar, gridDim);
  Steps.require_apart(A, B);
  Steps.require_same_or_apart(A, B);
  Steps.before_step(barricade::is_distance_in_block(Limit));
  Steps.before_step(Steps.has_room_above(Limit));
}

template <typename Integer> constexpr bool hasRoom(Integer Limit) {
  return barricade::detail::hasRoomAbove(Limit, 1000);
}
static_assert(hasRoom(0) && hasRoom(0x7fffffff - 1000) && hasRoom('a'));
static_assert(!hasRoom(0x7fffffff - 999) && !hasRoom(0x7fffffff));
static_assert(!hasRoom(0x80000000u) && !hasRoom(~0u) && !hasRoom(~0ull));
static_assert(!hasRoom(-1) && !hasRoom(-1ll) && !hasRoom(short(-1)));
static_assert(!hasRoom(1ll << 32) && !hasRoom(-(1ll << 32)));
static_assert(barricade::detail::hasRoomAbove(0, 0x7fffffff) &&
              !barricade::detail::hasRoomAbove(0, 0x80000000) &&
              !barricade::detail::hasRoomAbove(1, 0x7fffffff));

template <typename T> __global__ void part(T *A) { *A = 1; }
__global__ void otherPart() {}

template <typename Barrier> cudaError_t launchAll(float *A, const float *B) {
  unsigned Blocks;
  if (const cudaError_t E = barricade::max_resident_blocks(
          &Blocks, relax<Barrier>, dim3(16, 16), 60000))
    return E;
  // Arguments convert as they do in a launch: an int to dim3, nullptr to
  // float*.
  if (const cudaError_t E =
          barricade::launch_persistent(relax<Barrier>, dim3(3, 4), 256, 0,
                                       cudaStream_t{}, A, B, 12, {0.5f, 7}))
    return E;
  if (const cudaError_t E =
          barricade::launch_persistent(relax<Barrier>, Blocks, 256, 0, nullptr,
                                       nullptr, B, Blocks, Settings{0.5f, 7}))
    return E;
  if (const cudaError_t E = barricade::launch_persistent_exact(
          count<Barrier>, 3, 256, 0, nullptr, nullptr))
    return E;
  // Instead of the launches of other kernels.
  if (const cudaError_t E = barricade::launch_persistent(
          split<Barrier>, {part<float>, otherPart}, Blocks, 256, 0, nullptr))
    return E;
  if (const cudaError_t E = barricade::launch_persistent_exact(
          narrow<Barrier, long>,
          barricade::grid_below(barricade::largest_grid(Blocks, dim3(3)), 256,
                                Blocks, 7l, 'a'),
          256, 0, nullptr, nullptr, nullptr, 7))
    return E;
  if (const cudaError_t E = barricade::launch_fused(
          otherPart, {part<float>, otherPart},
          barricade::grid_below(Blocks, 256, 7), 256, 0, nullptr))
    return E;
  // Instead of the rest of a loop, and for a result of it.
  barricade::Takeover Takeover(split<Barrier>, Blocks, nullptr);
  barricade::Takeover InTurn(split<Barrier>, Blocks, 256, 0, nullptr);
  const barricade::Result<double> Last(nullptr);
  double Value = 0;
  for (int T = 0; T < 100; ++T)
    if (Takeover.is_due(100 - T) || Takeover.is_due(100 - T, 2u) ||
        Takeover.is_due() || InTurn.is_due())
      return Last.copy_to(Value);
  return barricade::launch_persistent_exact(split<Barrier>, {otherPart}, Blocks,
                                            256, 0, nullptr);
}

/// Held back where they fit, whatever their arguments.
struct Many {
  char Each[1000];
};
__global__ void takesMany(Many) {}
__global__ void takesPair(char, double, const Settings) {}

__global__ void partsTogether(const barricade::Stretch Steps) {
  for (unsigned Step = 0; Step < Steps.length(); ++Step) {
    Steps.call<decltype(&part<float>), 0>(Step, [](auto From) { (void)From; });
    Steps.call_if<1, decltype(&takesPair), 6>(Step, [](auto, auto, auto) {});
  }
}

void launchOften(float *A, unsigned long long Times) {
  barricade::OverlappedLaunches Overlapped;
  barricade::ReplayedLaunches Replayed(Times), Uncounted;
  Replayed.join(partsTogether, 0u, 6u);
  Uncounted.join_overlapped(partsTogether);
  Replayed.require_apart(A, reinterpret_cast<char *>(A));
  Replayed.require_same_or_apart(A, A);
  for (unsigned long long T = 0; T < Times; ++T) {
    Replayed.launch(part<float>, 1, dim3(1, 2), 0, nullptr, A);
    Replayed.if_confined(0, barricade::Distance(T), barricade::Limit(7))
        .launch(part<float>, 1, dim3(1, 2), 0, nullptr, A);
    Replayed.launch(takesPair, dim3(2), 1, 16, nullptr, 'a', 1, {0.5f, 7});
    Uncounted.launch(takesMany, 1, 1, 0, nullptr, Many());
    Uncounted.launch(otherPart, 1, 1, 0, nullptr);
    Overlapped.launch(otherPart, 1, 1, 0, nullptr);
  }
  Replayed.flush();
}

cudaError_t useEverything(float *A, const float *B) {
  for (const cudaError_t E :
       {launchAll<barricade::GridBarrier>(A, B),
        launchAll<barricade::LockGridBarrier>(A, B),
        launchAll<barricade::LockFreeGridBarrier>(A, B),
        launchAll<barricade::CooperativeGridBarrier>(A, B)})
    if (E != cudaSuccess)
      return E;
  return cudaSuccess;
}
