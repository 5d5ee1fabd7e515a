// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that the device goes around by itself: they end where the host's own
// loop does, with what that computes.

#ifndef BARRICADE_REPLAY_AT
#define BARRICADE_REPLAY_AT 1
#endif
#include <runtime/barricade/gpu_sync.cuh>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

#define CHECK(call)                                                            \
  do {                                                                         \
    const cudaError_t Error = (call);                                          \
    if (Error != cudaSuccess) {                                                \
      std::printf("%s: %s\n", #call, cudaGetErrorString(Error));               \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

constexpr int Count = 300, Threads = 64;
constexpr dim3 Blocks((Count + Threads - 1) / Threads);

// Each element's next value depends on its neighbour's.
__global__ void relax(int *to, const int *from, int by) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < Count)
    to[i] = (from[i] * 3 + from[(i + 1) % Count] + by) & 0xffff;
}
// Says that it must go on until the counter is used up.
__global__ void ask(int *left, bool *more) {
  if (threadIdx.x == 0 && --*left > 0)
    *more = true;
}
__global__ void shrink(float *residual, const float *by) {
  if (threadIdx.x == 0)
    *residual *= *by;
}
__global__ void countDown(unsigned *left, unsigned *many) {
  if (threadIdx.x == 0 && *left > 0)
    *many = --*left;
}

template <typename Value> class Device {
public:
  explicit Device(std::vector<Value> From) : Size(From.size()) {
    CHECK(cudaMalloc(&Data, Size * sizeof(Value)));
    CHECK(cudaMemcpy(Data, From.data(), Size * sizeof(Value),
                     cudaMemcpyHostToDevice));
  }
  ~Device() { cudaFree(Data); }
  std::vector<Value> get() const {
    std::vector<Value> To(Size);
    CHECK(cudaMemcpy(To.data(), Data, Size * sizeof(Value),
                     cudaMemcpyDeviceToHost));
    return To;
  }
  operator Value *() const { return Data; }

private:
  Value *Data = nullptr;
  size_t Size;
};

void expect(const char *What, long long Is, long long Wanted) {
  if (Is == Wanted)
    return;
  std::printf("%s: %lld, not %lld\n", What, Is, Wanted);
  std::exit(1);
}

std::vector<int> start() {
  std::vector<int> Values(Count);
  for (int i = 0; i < Count; ++i)
    Values[static_cast<size_t>(i)] = i * 7 % 101;
  return Values;
}
void relaxed(std::vector<int> &To, const std::vector<int> &From, int By) {
  for (size_t i = 0; i < Count; ++i)
    To[i] = (From[i] * 3 + From[(i + 1) % Count] + By) & 0xffff;
}

/// A flag that the host clears, two steps, and work that the host has.
void flag(int Iterations, cudaStream_t Stream) {
  std::vector<int> A = start(), B = A;
  const Device<int> DeviceA(A), DeviceB(B), Left({Iterations});
  const Device<char> Memory({1});
  bool *More = reinterpret_cast<bool *>(static_cast<char *>(Memory));
  int Made = 0;
  bool GoesOn;
  barricade::LoopedLaunches looped(
      barricade::while_read<bool>(barricade::NotEqual(), 0));
  do {
    looped.next();
    GoesOn = false;
    CHECK(looped.memcpy(More, &GoesOn, sizeof(bool), cudaMemcpyHostToDevice));
    looped.launch(relax, Blocks, Threads, 0, Stream, DeviceB, DeviceA, 1);
    looped.launch(relax, Blocks, Threads, 0, Stream, DeviceA, DeviceB, 2);
    looped.launch(ask, 1, 32, 0, Stream, Left, More);
    CHECK(looped.memcpy(&GoesOn, More, sizeof(bool), cudaMemcpyDeviceToHost));
    ++Made;
  } while (GoesOn);
  expect("iterations", Made, Iterations);
  for (int i = 0; i < Iterations; ++i) {
    relaxed(B, A, 1);
    relaxed(A, B, 2);
  }
  expect("the first array", DeviceA.get() == A, true);
  expect("the second array", DeviceB.get() == B, true);
}

/// A number that gets less until it is too little, at most so many times.
void residual(float Tolerance, int Most) {
  const Device<float> Residual({1.0f}), By({0.875f});
  float Read = 1, Wanted = 1;
  int Made = 0, WantedMade = 0;
  barricade::LoopedLaunches looped(
      barricade::until_read<float>(barricade::LessOrEqual(), Tolerance));
  for (int i = 0; i < Most && !(Read <= Tolerance); ++i) {
    looped.next(i, Most);
    looped.launch(shrink, 1, 32, 0, nullptr, Residual, By);
    CHECK(looped.synchronize());
    CHECK(
        looped.memcpy(&Read, Residual, sizeof(float), cudaMemcpyDeviceToHost));
    ++Made;
  }
  for (; WantedMade < Most && !(Wanted <= Tolerance); ++WantedMade)
    Wanted *= 0.875f;
  expect("iterations by a residual", Made, WantedMade);
  expect("the residual", Read == Wanted, true);
}

/// Memory that is set and copied between, and a number without a sign.
void transfers(unsigned Iterations) {
  std::vector<int> A = start(), B = A;
  const Device<int> DeviceA(A), DeviceB(B);
  const Device<unsigned> Left({Iterations}), Many({77});
  unsigned Read = 5;
  unsigned Made = 0;
  barricade::LoopedLaunches looped(
      barricade::while_read<unsigned>(barricade::Greater(), 0));
  while (true) {
    looped.next();
    CHECK(looped.memset(Many, 0, sizeof(unsigned)));
    looped.launch(relax, Blocks, Threads, 0, nullptr, DeviceB, DeviceA, 5);
    CHECK(looped.memcpy(DeviceA, DeviceB, Count * sizeof(int),
                        cudaMemcpyDeviceToDevice));
    CHECK(looped.memset(DeviceB, 0, 4 * sizeof(int)));
    looped.launch(countDown, 1, 32, 0, nullptr, Left, Many);
    CHECK(looped.memcpy(&Read, Many, sizeof(unsigned), cudaMemcpyDeviceToHost));
    ++Made;
    if (!(Read > 0))
      break;
  }
  expect("iterations with transfers", Made, Iterations);
  for (unsigned i = 0; i < Iterations; ++i) {
    relaxed(B, A, 5);
    A = B;
    for (size_t j = 0; j < 4; ++j)
      B[j] = 0;
  }
  expect("what is copied", DeviceA.get() == A, true);
  expect("what is set", DeviceB.get() == B, true);
}

__global__ void persistent(barricade::GridBarrier) {}

/// Shows whether the device is ahead of the host.
template <typename Condition>
struct Shown : barricade::LoopedLaunches<Condition> {
  using barricade::LoopedLaunches<Condition>::LoopedLaunches;
  using barricade::LoopedLaunches<Condition>::isAhead;
};

enum class Kernel { Unknown, InUse, Refused };

/// A loop that a kernel of which so much is known may take over: not while the
/// device is ahead, nor is it before that is decided.
void takenOver(Kernel Known) {
  constexpr int Iterations = 40;
  const Device<unsigned> Left({unsigned(Iterations)}), Many({77});
  auto *Notes = barricade::detail::notesOf(persistent, 0);
  if (!Notes)
    expect("there is a place for notes", 0, 1);
  Notes->TookOverWith = Known == Kernel::InUse ? Blocks.x : 0;
  Notes->RefusedWith = Known == Kernel::Refused ? Blocks.x : 0;
  Notes->Spent = 0;
  Shown<decltype(barricade::while_read<unsigned>(barricade::NotEqual(), 0))>
      looped(barricade::while_read<unsigned>(barricade::NotEqual(), 0));
  barricade::Takeover takeover(persistent, Blocks, Threads, 0, nullptr, looped);
  bool WasAhead = false, WasDue = false;
  unsigned Read = 1;
  for (int i = 0; i < Iterations && !WasDue && Read != 0; ++i) {
    const bool IsAhead = looped.isAhead();
    WasAhead |= IsAhead;
    WasDue = takeover.is_due();
    expect("is due while the device is ahead", WasDue && IsAhead, false);
    if (WasDue)
      break;
    looped.next();
    looped.launch(countDown, 1, 32, 0, nullptr, Left, Many);
    CHECK(looped.memcpy(&Read, Many, sizeof Read, cudaMemcpyDeviceToHost));
  }
#ifdef BARRICADE_TAKEOVER_AT
  expect("the device went ahead", WasAhead, true);
#else
  expect("the device went ahead", WasAhead, Known == Kernel::Refused);
  if (Known != Kernel::Unknown)
    expect("the kernel took over", WasDue, Known == Kernel::InUse);
#endif
}

void comparisons() {
  const auto Holds = [](auto Condition, auto Number) {
    return Condition.goesOn(&Number);
  };
  using namespace barricade;
  expect("less", Holds(while_read<int>(Less(), 3), 2), true);
  expect("less than unsigned", Holds(while_read<int>(Less(), 3u), -1), false);
  expect("subnormal", Holds(while_read<float>(Greater(), 0), 1e-40f), true);
  expect("negative", Holds(while_read<float>(Less(), 0), -1e-40f), true);
  expect("not a number", Holds(until_read<float>(Less(), 1), 0.0f / 0.0f),
         true);
  expect("unequal", Holds(while_read<double>(NotEqual(), 0), 0.0 / 0.0), true);
  expect("equal", Holds(while_read<char>(Equal(), 'a'), 'a'), true);
  expect("at least", Holds(while_read<short>(GreaterOrEqual(), 3), short(2)),
         false);
  expect("truth", Holds(while_read<bool>(Equal(), true), true), true);
}

} // namespace

int main() {
  comparisons();
  cudaStream_t Stream;
  CHECK(cudaStreamCreate(&Stream));
  for (const int Iterations : {1, 2, 3, 17, 200})
    for (cudaStream_t Into : {static_cast<cudaStream_t>(nullptr), Stream})
      flag(Iterations, Into);
  for (const int Most : {1, 2, 7, 100})
    for (const float Tolerance : {2.0f, 0.5f, 0.01f, 0.0f})
      residual(Tolerance, Most);
  for (const unsigned Iterations : {1u, 2u, 40u})
    transfers(Iterations);
  for (const Kernel Known : {Kernel::Unknown, Kernel::InUse, Kernel::Refused})
    takenOver(Known);
  CHECK(cudaStreamDestroy(Stream));
  std::puts("looped: all right");
}
