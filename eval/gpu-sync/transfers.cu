// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What sets and copies the device's memory among launches that a
// barricade::ReplayedLaunches may hold back: that it does what the function of
// CUDA does, and what it takes.
//
//   transfers          a line per promise; exit code 1 if one is broken
//   transfers times    CSV: blocks, bytes, and us for each iteration of a
//                      kernel and a memset or a copy, as they are and held back
//
// Every element is compared with what the functions of CUDA make of it.

#include "eval/gpu-sync/harness.cuh"

#include <chrono>
#include <random>

using namespace harness;
using barricade::ReplayedLaunches;

namespace {

__constant__ unsigned InConstants[64];
__managed__ unsigned Managed[256];

__global__ void mix(unsigned *To, const unsigned *From, unsigned Count,
                    unsigned By) {
  barricade::wait_for_previous_grid();
  const unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    To[I] = To[I] * 33 + From[I] + By;
}
__global__ void readConstants(unsigned *To) {
  To[threadIdx.x] += InConstants[threadIdx.x];
}

/// The functions of CUDA in place of the object's.
struct Plain : PlainLaunches {
  explicit Plain(unsigned) {}
  cudaError_t memset(void *To, int Value, size_t Bytes) {
    return cudaMemset(To, Value, Bytes);
  }
  cudaError_t memset_async(void *To, int Value, size_t Bytes,
                           cudaStream_t Stream) {
    return cudaMemsetAsync(To, Value, Bytes, Stream);
  }
  cudaError_t memcpy(void *To, const void *From, size_t Bytes,
                     cudaMemcpyKind Kind) {
    return cudaMemcpy(To, From, Bytes, Kind);
  }
  cudaError_t memcpy_async(void *To, const void *From, size_t Bytes,
                           cudaMemcpyKind Kind, cudaStream_t Stream) {
    return cudaMemcpyAsync(To, From, Bytes, Kind, Stream);
  }
};

/// Launches that may start while the one before comes to its end: in between
/// they must wait for what is no kernel.
struct Overlapped : ReplayedLaunches {
  using ReplayedLaunches::ReplayedLaunches;
  template <typename... Parameters>
  void
  launch(void (*Kernel)(Parameters...), dim3 Grid, dim3 Block, size_t Shared,
         cudaStream_t Stream,
         typename barricade::detail::NotDeduced<Parameters>::Type... Values) {
    launch_overlapped(Kernel, Grid, Block, Shared, Stream, Values...);
  }
};

constexpr unsigned Count = 5000;

/// Parts of two arrays of Count that begin and end anywhere. Wrong: beyond the
/// array's end, once in a while.
template <typename Launches>
std::vector<cudaError_t> work(unsigned *A, unsigned *B, cudaStream_t Stream,
                              unsigned Seed, bool Wrong) {
  std::mt19937 Random(Seed);
  std::vector<cudaError_t> Errors;
  Launches Do(2000);
  for (unsigned Step = 0; Step < 2000; ++Step) {
    const size_t Bytes = Random() % (Random() % 4 ? 64 : 4 * Count - 200);
    const size_t At = Random() % (4 * Count - Bytes),
                 Other = Random() % (4 * Count - Bytes);
    const bool IsWrong = Wrong && Random() % 50 == 0;
    auto *To = reinterpret_cast<unsigned char *>(A) +
               (IsWrong ? (size_t(1) << 40) : At);
    Do.launch(mix, (Count + 255) / 256, 256, 0, Stream, A, B, Count, Step);
    if (Step % 2)
      Errors.push_back(Do.memset_async(To, int(Random()), Bytes, Stream));
    else
      Errors.push_back(
          Do.memcpy_async(To, reinterpret_cast<unsigned char *>(B) + Other,
                          Bytes, cudaMemcpyDeviceToDevice, Stream));
    Do.launch(mix, (Count + 255) / 256, 256, 0, Stream, B, A, Count, Step);
    Errors.push_back(cudaGetLastError());
  }
  Do.flush();
  check(cudaStreamSynchronize(Stream), "loop");
  return Errors;
}

/// What work() leaves in two arrays that Allocate gives, and its errors.
template <typename Launches, typename Function>
auto leftBy(Function Allocate, cudaStream_t Stream, unsigned Seed, bool Wrong) {
  unsigned *Both[] = {Allocate(), Allocate()};
  for (unsigned *Each : Both)
    check(cudaMemset(Each, 0xa5, 4 * Count), "poison");
  check(cudaDeviceSynchronize(), "poison");
  const auto Errors = work<Launches>(Both[0], Both[1], Stream, Seed, Wrong);
  std::vector<unsigned> All(2 * Count);
  for (unsigned I = 0; I < 2; ++I)
    check(cudaMemcpy(&All[I * Count], Both[I], 4 * Count, cudaMemcpyDefault),
          "copy");
  return std::make_pair(All, Errors);
}

template <typename Function>
bool areAlike(Function Allocate, cudaStream_t Stream, bool Wrong = false) {
  const unsigned Seed = std::random_device{}();
  const auto Want = leftBy<Plain>(Allocate, Stream, Seed, Wrong);
  return leftBy<ReplayedLaunches>(Allocate, Stream, Seed, Wrong) == Want &&
         leftBy<Overlapped>(Allocate, Stream, Seed, Wrong) == Want;
}

unsigned *plain() {
  unsigned *Data;
  check(cudaMalloc(&Data, 4 * Count), "cudaMalloc");
  return Data;
}
unsigned *ofPool() {
  unsigned *Data;
  check(cudaMallocAsync(&Data, 4 * Count, nullptr), "cudaMallocAsync");
  check(cudaDeviceSynchronize(), "cudaMallocAsync");
  return Data;
}
unsigned *managed() {
  unsigned *Data;
  check(cudaMallocManaged(&Data, 4 * Count), "cudaMallocManaged");
  return Data;
}
unsigned *pinned() {
  unsigned *Data;
  check(cudaMallocHost(&Data, 4 * Count), "cudaMallocHost");
  return Data;
}

/// What a kernel that runs on goes on with is not there when the host looks.
template <typename Launches> unsigned seenOfManaged(unsigned *A) {
  Launches Do(1000);
  unsigned Wrong = 0;
  for (unsigned Step = 0; Step < 1000; ++Step) {
    Do.launch(mix, 1, 256, 0, nullptr, A, A, 256u, Step);
    (void)Do.memset(Managed, int(Step), sizeof Managed);
    Wrong += Managed[255] != 0x01010101u * (Step & 255);
  }
  Do.flush();
  check(cudaDeviceSynchronize(), "managed");
  return Wrong;
}

template <typename Launches> std::vector<unsigned> seenOfConstants() {
  DeviceArray<unsigned> Sums(64), Source(64);
  void *Symbol;
  check(cudaGetSymbolAddress(&Symbol, InConstants), "symbol");
  Launches Do(1000);
  for (unsigned Step = 0; Step < 1000; ++Step) {
    Do.launch(mix, 1, 64, 0, nullptr, Source.get(), Source.get(), 64u, Step);
    check(Do.memcpy(Symbol, Source.get(), 256, cudaMemcpyDeviceToDevice), "to");
    Do.launch(readConstants, 1, 64, 0, nullptr, Sums.get());
  }
  Do.flush();
  check(cudaDeviceSynchronize(), "constants");
  return Sums.download(64);
}

void promises() {
  cudaStream_t Stream;
  check(cudaStreamCreate(&Stream), "stream");
  for (const cudaStream_t Each : {cudaStream_t(nullptr), Stream}) {
    const std::string Where = Each ? ", a stream" : ", the default stream";
    bool Holds = true, Wrong = true;
    for (int Round = 0; Round < 20; ++Round) {
      Holds &= areAlike(plain, Each) && areAlike(ofPool, Each);
      Wrong &= areAlike(plain, Each, true);
    }
    expect(Holds, "the device's memory, any place and size" + Where);
    expect(Wrong,
           "errors of ranges that are none come where they came" + Where);
    expect(areAlike(managed, Each), "managed memory" + Where);
    expect(areAlike(pinned, Each), "pinned memory" + Where);
  }
  DeviceArray<unsigned> A(256);
  expect(seenOfManaged<Plain>(A.get()) == 0 &&
             seenOfManaged<ReplayedLaunches>(A.get()) == 0 &&
             seenOfManaged<Overlapped>(A.get()) == 0,
         "a memset that waits does");
  expect(seenOfConstants<Plain>() == seenOfConstants<ReplayedLaunches>(),
         "constants change between kernels");
}

//===--- Times
//--------------------------------------------------------------===//

template <typename Launches>
double timed(bool Copies, unsigned Blocks, size_t Bytes, unsigned Steps,
             unsigned *A, unsigned *B, unsigned *C) {
  check(cudaDeviceSynchronize(), "before");
  const auto Begin = std::chrono::steady_clock::now();
  Launches Do(Steps);
  for (unsigned Step = 0; Step < Steps; ++Step) {
    if (Copies)
      (void)Do.memcpy(C, B, Bytes, cudaMemcpyDeviceToDevice);
    else
      (void)Do.memset(C, int(Step), Bytes);
    Do.launch(mix, Blocks, 256, 0, nullptr, A, B, Blocks * 256, Step);
  }
  Do.flush();
  check(cudaDeviceSynchronize(), "loop");
  const auto End = std::chrono::steady_clock::now();
  return std::chrono::duration<double, std::micro>(End - Begin).count() / Steps;
}

void printTimes() {
  constexpr size_t Largest = size_t(256) << 20;
  DeviceArray<unsigned> A(8448 * 256), B(Largest / 4), C(Largest / 4);
  std::puts("form,blocks,bytes,steps,plain,least,most,held,least,most");
  for (const bool Copies : {false, true})
    for (const unsigned Blocks : {1u, 132u, 2112u})
      for (const size_t Bytes :
           {size_t(4), size_t(4096), size_t(1) << 16, size_t(1) << 20,
            size_t(4) << 20, size_t(16) << 20, size_t(64) << 20, Largest})
        for (const unsigned Steps : {20u, 1000u}) {
          if (Bytes > (size_t(16) << 20) && Steps > 20 && Blocks > 1)
            continue;
          std::vector<double> Times[2];
          for (int Run = 0; Run < 9; ++Run) {
            Times[0].push_back(timed<Plain>(Copies, Blocks, Bytes, Steps,
                                            A.get(), B.get(), C.get()));
            Times[1].push_back(timed<ReplayedLaunches>(
                Copies, Blocks, Bytes, Steps, A.get(), B.get(), C.get()));
          }
          std::printf("%s,%u,%zu,%u", Copies ? "copy" : "fill", Blocks, Bytes,
                      Steps);
          for (auto &Each : Times) {
            std::sort(Each.begin(), Each.end());
            std::printf(",%.2f,%.2f,%.2f", Each[4], Each.front(), Each.back());
          }
          std::puts("");
          std::fflush(stdout);
        }
}

} // namespace

int main(int Argc, char **Argv) {
  if (Argc > 1 && std::string(Argv[1]) == "times")
    printTimes();
  else
    promises();
  return Failures != 0;
}
