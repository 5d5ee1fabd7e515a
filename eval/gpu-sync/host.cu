// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What launch_persistent promises, checked on a device: grids are clamped or
// refused and never hang, refusals leave no error behind, state does not leak,
// nothing synchronises in secret, several launches run at once, and a launch
// leaves graphs alone. Prints a line per promise; exit code 1 if one is broken.

#include "eval/gpu-sync/harness.cuh"

#include <chrono>
#include <cuda.h>
#include <deque>
#include <string>
#include <thread>

using namespace harness;
using barricade::launch_persistent;
using barricade::launch_persistent_exact;

namespace {

/// Each logical block adds to its word in each step what its neighbour had in
/// the step before, so that a lost barrier or block shows in the result.
template <typename Barrier>
__global__ void relay(Barrier Bar, unsigned *Words, dim3 Grid, unsigned Steps) {
  const unsigned N = Grid.x * Grid.y * Grid.z;
  for (unsigned Step = 0; Step < Steps; ++Step) {
    const unsigned *From = Words + (Step & 1) * N;
    unsigned *To = Words + (~Step & 1) * N;
    for (const uint3 Block : barricade::logical_blocks(Grid)) {
      const unsigned Me = (Block.z * Grid.y + Block.y) * Grid.x + Block.x;
      if (barricade::detail::isLeader())
        To[Me] = From[(Me + 1) % N] + 1;
    }
    __gpu_sync(Bar);
  }
}

__global__ void needsMuchShared(barricade::GridBarrier Bar, unsigned *Out) {
  extern __shared__ unsigned Words[];
  Words[25000 - 1 - threadIdx.x] = threadIdx.x;
  __gpu_sync(Bar);
  if (Words[25000 - 1 - threadIdx.x] == threadIdx.x)
    atomicAdd(Out, 1u);
}

__global__ void busyFor(long long Cycles) {
  const long long Start = clock64();
  while (clock64() - Start < Cycles)
    ;
}

bool allAre(const DeviceArray<unsigned> &Words, unsigned N, unsigned Steps) {
  const std::vector<unsigned> Got = Words.download(2 * size_t(N));
  const auto Last = Got.begin() + (Steps & 1) * N;
  return std::all_of(Last, Last + N, [&](unsigned W) { return W == Steps; });
}

void capture() {
  const dim3 Grid(40);
  DeviceArray<unsigned> Words(2 * 40);
  cudaStream_t Stream;
  check(cudaStreamCreate(&Stream), "stream");
  cudaGraph_t Graph;
  check(cudaStreamBeginCapture(Stream, cudaStreamCaptureModeGlobal), "capture");
  const cudaError_t E =
      launch_persistent(relay<barricade::GridBarrier>, Grid, 64, 0, Stream,
                        Words.get(), Grid, 100u);
  const cudaError_t Pending = cudaGetLastError();
  const cudaError_t Ended = cudaStreamEndCapture(Stream, &Graph);
  expect(E == cudaErrorStreamCaptureUnsupported && Pending == cudaSuccess &&
             Ended == cudaSuccess,
         std::string("no launch into a stream that is captured: ") +
             cudaGetErrorName(E));
  if (Ended != cudaSuccess) {
    (void)cudaGetLastError(); // the next promises are looked at all the same
    return;
  }
  size_t Nodes = 0;
  check(cudaGraphGetNodes(Graph, nullptr, &Nodes), "nodes");
  expect(Nodes == 0, "and the graph stays the caller's");
  check(cudaGraphDestroy(Graph), "capture");
  check(cudaStreamDestroy(Stream), "capture");
}

template <typename Barrier> void clamping(const char *Name) {
  const dim3 Grid(50, 20, 7);
  const unsigned N = 50 * 20 * 7, Steps = 101;
  DeviceArray<unsigned> Words(2 * N);
  const cudaError_t E = launch_persistent(relay<Barrier>, Grid, dim3(8, 8, 16),
                                          0, nullptr, Words.get(), Grid, Steps);
  check(cudaDeviceSynchronize(), Name);
  expect(E == cudaSuccess && allAre(Words, N, Steps),
         std::string("a grid that is too large is clamped: ") + Name);
}

void refusals() {
  const auto Kernel = relay<barricade::GridBarrier>;
  DeviceArray<unsigned> Words(2 * 100000);
  const dim3 Huge(100000);
  expect(launch_persistent_exact(Kernel, Huge, 256, 0, nullptr, Words.get(),
                                 Huge,
                                 1u) == cudaErrorCooperativeLaunchTooLarge,
         "an exact grid that is too large is refused");
  expect(launch_persistent(Kernel, 1, 2048, 0, nullptr, Words.get(), Huge,
                           1u) == cudaErrorInvalidConfiguration,
         "a block that is too large is refused");
  expect(launch_persistent(Kernel, dim3(1, 0, 1), 32, 0, nullptr, Words.get(),
                           Huge, 1u) == cudaErrorInvalidConfiguration,
         "an empty grid is refused");
  expect(launch_persistent(Kernel, 1, 32, 1 << 20, nullptr, Words.get(), Huge,
                           1u) != cudaSuccess,
         "too much shared memory is refused");
  expect(cudaGetLastError() == cudaSuccess, "refusals leave no error behind");
  check(cudaDeviceSynchronize(), "refusals");
  const std::vector<unsigned> Got = Words.download(200000);
  expect(std::count(Got.begin(), Got.end(), 0u) == 200000,
         "refusals launch nothing");
}

void muchShared() {
  DeviceArray<unsigned> Out(1);
  const cudaError_t E =
      launch_persistent(needsMuchShared, 10, 128, 100000, nullptr, Out.get());
  check(cudaDeviceSynchronize(), "shared");
  expect(E == cudaSuccess && Out.download(1)[0] == 1280,
         "100,000 bytes of shared memory are granted");
}

void twoStreams() {
  const auto Kernel = relay<barricade::GridBarrier>;
  constexpr int Hosts = 4;
  const unsigned Steps = 20000;
  const unsigned Full = residentBlocks(Kernel, 256);
  for (const unsigned Blocks : {Full / Hosts, Full}) {
    const dim3 Grid(Blocks);
    std::vector<std::thread> Threads;
    bool Right[Hosts] = {};
    for (int H = 0; H < Hosts; ++H)
      Threads.emplace_back([&, H] {
        DeviceArray<unsigned> Words(2 * size_t(Blocks));
        cudaStream_t Stream;
        check(cudaStreamCreateWithFlags(&Stream, cudaStreamNonBlocking),
              "stream");
        for (unsigned I = 0; I < 2; ++I)
          check(launch_persistent(Kernel, Grid, 256, 0, Stream, Words.get(),
                                  Grid, Steps),
                "launch");
        check(cudaStreamSynchronize(Stream), "streams");
        Right[H] = allAre(Words, Blocks, 2 * Steps);
      });
    for (std::thread &T : Threads)
      T.join();
    expect(std::all_of(Right, Right + Hosts, [](bool B) { return B; }),
           "four streams of four host threads at once, " +
               std::to_string(Blocks) + " blocks each");
  }
}

/// All devices at once, each from a host thread of its own.
void severalDevices() {
  int Devices;
  check(cudaGetDeviceCount(&Devices), "devices");
  const auto Kernel = relay<barricade::GridBarrier>;
  const unsigned Steps = 20000;
  std::vector<std::thread> Threads;
  std::vector<char> Right(Devices);
  for (int D = 0; D < Devices; ++D)
    Threads.emplace_back([&, D] {
      check(cudaSetDevice(D), "device");
      const unsigned Blocks = residentBlocks(Kernel, 256);
      const dim3 Grid(Blocks);
      DeviceArray<unsigned> Words(2 * size_t(Blocks));
      for (unsigned I = 0; I < 2; ++I)
        check(launch_persistent(Kernel, Grid, 256, 0, nullptr, Words.get(),
                                Grid, Steps),
              "launch");
      check(cudaDeviceSynchronize(), "devices");
      Right[D] = allAre(Words, Blocks, 2 * Steps);
    });
  for (std::thread &T : Threads)
    T.join();
  expect(std::count(Right.begin(), Right.end(), false) == 0,
         std::to_string(Devices) + " device(s) at once, full grids");
}

/// A stream that has some of the device's multiprocessors only: a green
/// context's. A process under a limit of MPS has no more, either.
class PartOfDevice {
public:
  explicit PartOfDevice(unsigned Multiprocessors) {
    const auto Whole =
        find<decltype(&cuDeviceGetDevResource)>("cuDeviceGetDevResource");
    const auto Split = find<decltype(&cuDevSmResourceSplitByCount)>(
        "cuDevSmResourceSplitByCount");
    const auto Describe =
        find<decltype(&cuDevResourceGenerateDesc)>("cuDevResourceGenerateDesc");
    const auto Create = find<decltype(&cuGreenCtxCreate)>("cuGreenCtxCreate");
    const auto Open =
        find<decltype(&cuGreenCtxStreamCreate)>("cuGreenCtxStreamCreate");
    CUdevResource All, Part, Rest;
    CUdevResourceDesc Description;
    unsigned Parts = 1;
    if (Whole && Split && Describe && Create && Open &&
        !Whole(0, &All, CU_DEV_RESOURCE_TYPE_SM) &&
        !Split(&Part, &Parts, &All, &Rest, 0, Multiprocessors) &&
        !Describe(&Description, &Part, 1) &&
        !Create(&Context, Description, 0, CU_GREEN_CTX_DEFAULT_STREAM))
      (void)Open(&Stream, Context, CU_STREAM_NON_BLOCKING, 0);
  }
  PartOfDevice(const PartOfDevice &) = delete;
  PartOfDevice &operator=(const PartOfDevice &) = delete;
  ~PartOfDevice() {
    if (Stream)
      check(cudaStreamDestroy(Stream), "green context");
    if (Context)
      (void)find<decltype(&cuGreenCtxDestroy)>("cuGreenCtxDestroy")(Context);
  }

  /// Null where the driver or the device has no such contexts.
  cudaStream_t stream() const { return Stream; }

private:
  template <typename Function> static Function find(const char *Name) {
    return barricade::detail::driverFunction<Function>(Name, 12050);
  }

  CUgreenCtx Context = nullptr;
  CUstream Stream = nullptr;
};

/// A grid that the whole device would hold, and its part does not.
void partOfTheDevice() {
  const PartOfDevice Part(16);
  const cudaStream_t Stream = Part.stream();
  if (!Stream) {
    std::puts("skipped: there are no green contexts");
    return;
  }
  const auto Kernel = relay<barricade::GridBarrier>;
  const unsigned Steps = 1000;
  for (const unsigned Blocks : {16u, residentBlocks(Kernel, 256)})
    for (const bool Exact : {true, false}) {
      DeviceArray<unsigned> Words(2 * size_t(Blocks));
      const dim3 Grid(Blocks);
      const cudaError_t E =
          Exact ? launch_persistent_exact(Kernel, Grid, 256, 0, Stream,
                                          Words.get(), Grid, Steps)
                : launch_persistent(Kernel, Grid, 256, 0, Stream, Words.get(),
                                    Grid, Steps);
      const cudaError_t Pending = cudaGetLastError();
      check(cudaStreamSynchronize(Stream), "green context");
      expect(Pending == cudaSuccess &&
                 (E != cudaSuccess || allAre(Words, Blocks, Steps)),
             "in a green context " + std::to_string(Blocks) + " blocks, " +
                 (Exact ? "exactly" : "or fewer") +
                 ", run or are refused: " + cudaGetErrorName(E));
    }
}

/// More streams than the program has counters, where that has any, each twice
/// and destroyed while busy.
void manyStreams() {
  const auto Kernel = relay<barricade::GridBarrier>;
  const unsigned Blocks = 3, Steps = 50, Group = 16;
  const dim3 Grid(Blocks);
  bool Right = true;
  unsigned Granted = 0, Refused = 0;
  while (Granted + Refused < 2 * barricade::detail::Slots) {
    std::deque<DeviceArray<unsigned>> Words;
    std::vector<unsigned> Launched(Group);
    for (unsigned I = 0; I < Group; ++I) {
      cudaStream_t Stream;
      check(cudaStreamCreateWithFlags(&Stream, cudaStreamNonBlocking),
            "stream");
      Words.emplace_back(2 * size_t(Blocks));
      for (unsigned Twice = 0; Twice < 2; ++Twice)
        Launched[I] +=
            launch_persistent(Kernel, Grid, 64, 0, Stream, Words[I].get(), Grid,
                              Steps) == cudaSuccess;
      check(cudaStreamDestroy(Stream), "stream"); // what it has to do goes on
      (Launched[I] ? Granted : Refused) += 1;
    }
    check(cudaDeviceSynchronize(), "many streams");
    for (unsigned I = 0; I < Group; ++I)
      Right &=
          Launched[I] % 2 == 0 && allAre(Words[I], Blocks, Launched[I] * Steps);
  }
  const bool Enough =
      barricade::detail::LaunchesHaveCounters
          ? Refused == 0
          : Refused > 0 && Granted + 16 > barricade::detail::Slots;
  expect(Right && Enough, "streams have counters (" + std::to_string(Granted) +
                              ") or are refused (" + std::to_string(Refused) +
                              ")");
}

/// Grids of all sizes in turn, with odd numbers of barriers: each takes the
/// counter as the one before left it.
void reusedCounter() {
  const auto Kernel = relay<barricade::GridBarrier>;
  const auto Lock = relay<barricade::LockGridBarrier>;
  const unsigned Full = residentBlocks(Kernel, 128);
  DeviceArray<unsigned> Words(2 * size_t(Full));
  bool Right = true;
  for (unsigned I = 0; I < 300; ++I) {
    const unsigned Blocks = 1 + I * 7919 % Full, Steps = 1 + I % 5;
    const dim3 Grid(Blocks);
    Words.fill(0);
    check(I % 3 ? launch_persistent(Kernel, Grid, 128, 0, nullptr, Words.get(),
                                    Grid, Steps)
                : launch_persistent(Lock, Grid, 128, 0, nullptr, Words.get(),
                                    Grid, Steps),
          "launch");
    check(cudaDeviceSynchronize(), "reused counter");
    Right &= allAre(Words, Blocks, Steps);
  }
  expect(Right, "300 grids of other sizes and strategies on one counter");
}

__global__ void leave(unsigned long long *First, double *Second, unsigned N) {
  barricade::store(First, 1000ull + N);
  barricade::store(Second, 0.5 * N);
}

/// Results are kept apart: in one stream by two host threads, and more of them
/// than a stream has cells.
void results() {
  constexpr int Hosts = 4;
  cudaStream_t Shared;
  check(cudaStreamCreateWithFlags(&Shared, cudaStreamNonBlocking), "stream");
  std::vector<std::thread> Threads;
  bool Right[Hosts] = {};
  for (int H = 0; H < Hosts; ++H)
    Threads.emplace_back([&, H] {
      bool All = true;
      for (unsigned I = 0; I < 500; ++I) {
        const unsigned N = 1000 * H + I;
        unsigned long long First = 0;
        double Second[3] = {};
        const barricade::Result<unsigned long long> A(Shared);
        const barricade::Result<double> B(Shared), C(Shared), D(Shared);
        const barricade::Result<double> *To[] = {&B, &C, &D};
        for (unsigned J = 0; J < 3; ++J)
          leave<<<2, 64, 0, Shared>>>(A.device(), To[J]->device(), N + J);
        All &= A && A.copy_to(First) == cudaSuccess && First == 1002ull + N;
        for (unsigned J = 0; J < 3; ++J)
          All &= *To[J] && To[J]->copy_to(Second[J]) == cudaSuccess &&
                 Second[J] == 0.5 * (N + J);
      }
      Right[H] = All;
    });
  for (std::thread &T : Threads)
    T.join();
  expect(std::all_of(Right, Right + Hosts, [](bool B) { return B; }),
         "results of four host threads in one stream, more than it has cells");
  check(cudaStreamDestroy(Shared), "stream");
}

/// A reset takes the program's memory away, counters and all.
void afterReset() {
  check(cudaDeviceReset(), "reset");
  DeviceArray<unsigned> Words(20);
  const cudaError_t E =
      launch_persistent(relay<barricade::GridBarrier>, 10, 64, 0, nullptr,
                        Words.get(), dim3(10), 1000u);
  const cudaError_t Ended = cudaDeviceSynchronize();
  expect(Ended == cudaSuccess && (E != cudaSuccess || allAre(Words, 10, 1000)),
         std::string("after cudaDeviceReset a launch is right or refused: ") +
             cudaGetErrorName(E));
}

void noHiddenSynchronisation() {
  const dim3 Grid(10);
  DeviceArray<unsigned> Words(20);
  cudaStream_t Stream;
  check(cudaStreamCreateWithFlags(&Stream, cudaStreamNonBlocking), "stream");
  busyFor<<<1, 1, 0, Stream>>>(200000000);
  const cudaError_t E =
      launch_persistent(relay<barricade::GridBarrier>, Grid, 64, 0, Stream,
                        Words.get(), Grid, 10u);
  const bool StillBusy = cudaStreamQuery(Stream) == cudaErrorNotReady;
  check(cudaStreamSynchronize(Stream), "busy");
  expect(E == cudaSuccess && StillBusy && allAre(Words, 10, 10),
         "a launch behind a busy kernel returns at once");
}

/// Mean microseconds of Work and the stream's synchronisation after it.
template <typename WorkT>
double microseconds(cudaStream_t Stream, int N, WorkT Work) {
  const auto Begin = std::chrono::steady_clock::now();
  for (int I = 0; I < N; ++I) {
    Work();
    check(cudaStreamSynchronize(Stream), "launch");
  }
  return std::chrono::duration<double, std::micro>(
             std::chrono::steady_clock::now() - Begin)
             .count() /
         N;
}

void leaksAndCost() {
  const auto Kernel = relay<barricade::GridBarrier>;
  const dim3 Grid(132);
  DeviceArray<unsigned> Words(2 * 132);
  cudaStream_t Stream;
  check(cudaStreamCreateWithFlags(&Stream, cudaStreamNonBlocking), "stream");
  const auto Launch = [&](cudaStream_t S) {
    check(launch_persistent(Kernel, Grid, 256, 0, S, Words.get(), Grid, 2u),
          "launch");
  };
  microseconds(Stream, 1000, [&] { Launch(Stream); });
  size_t Before, After, Total;
  check(cudaMemGetInfo(&Before, &Total), "memory");
  const double Own = microseconds(Stream, 5000, [&] { Launch(Stream); });
  check(cudaMemGetInfo(&After, &Total), "memory");
  expect(Before == After, "5,000 launches leave the free memory as it was");

  DeviceArray<unsigned> State(barricade::state_bytes(132) / sizeof(unsigned));
  unsigned Blocks;
  std::printf(
      "us, each with a synchronisation after it, 132 x 256, 2 steps:\n"
      "  launch_persistent, a stream        %.2f\n"
      "  launch_persistent, default stream  %.2f\n"
      "  cooperative launch alone           %.2f\n"
      "  max_resident_blocks alone          %.2f\n",
      Own, microseconds(nullptr, 5000, [&] { Launch(nullptr); }),
      microseconds(nullptr, 5000,
                   [&] {
                     check(launchResident(Kernel, Grid, 256,
                                          barricade::GridBarrier(State.get()),
                                          Words.get(), Grid, 2u),
                           "launch");
                   }),
      microseconds(nullptr, 5000, [&] {
        check(barricade::max_resident_blocks(&Blocks, Kernel, 256, 0), "query");
      }));
}

} // namespace

int main() {
  capture();
  leaksAndCost(); // before others have used many streams, and once more after
  clamping<barricade::GridBarrier>("automatic");
  clamping<barricade::LockGridBarrier>("lock");
  clamping<barricade::LockFreeGridBarrier>("lock_free");
  clamping<barricade::CooperativeGridBarrier>("cooperative");
  refusals();
  muchShared();
  twoStreams();
  reusedCounter();
  results();
  severalDevices();
  noHiddenSynchronisation();
  leaksAndCost();
  partOfTheDevice();
  manyStreams(); // nothing else after it but the default stream
  afterReset();
  return Failures != 0;
}
