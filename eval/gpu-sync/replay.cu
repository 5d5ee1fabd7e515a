// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What barricade::ReplayedLaunches promises, checked on a device: the launches
// that were asked for, with their arguments, in their order, whatever changes
// from one to the next, and the errors that they would have had.
//
//   replay           a line per promise; exit code 1 if one is broken
//   replay times     CSV: microseconds for each launch, by launches, replayed,
//                    and by a graph of the whole loop, which is made before
//
// Kernels write down what they were given, each at the place that the one
// before left, so that none can be missed, doubled or moved.

#include "eval/gpu-sync/harness.cuh"

#include <chrono>
#include <random>
#include <string>
#include <thread>

using namespace harness;
using barricade::ReplayedLaunches;

namespace {

constexpr unsigned Most = 100000;

/// Entries, behind the number of them.
using Journal = DeviceArray<unsigned>;

/// With a hole, whose bytes are no part of the value.
struct Entry {
  char Low;
  unsigned High;
};

__device__ void note(unsigned *To, unsigned What) {
  const unsigned Place = atomicAdd(To, 1u);
  if (Place < Most)
    To[1 + Place] = What;
}

__global__ void first(unsigned *To, Entry What) {
  barricade::wait_for_previous_grid();
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0)
    note(To, What.High * 100 + static_cast<unsigned>(What.Low) + gridDim.x);
}

__global__ void second(unsigned *To, double What) {
  barricade::wait_for_previous_grid();
  extern __shared__ unsigned Words[];
  Words[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (blockIdx.x == 0 && Words[0] == 0 && threadIdx.x == 0)
    note(To, static_cast<unsigned>(What));
}

__global__ void tiny(unsigned *To) {
  barricade::wait_for_previous_grid();
  if (threadIdx.x == 0)
    note(To, 7);
}

/// Launches that overlap: All, or those that ask for no shared memory.
template <bool All> struct Overlapped {
  template <typename... Parameters>
  void
  launch(void (*Kernel)(Parameters...), dim3 Grid, dim3 Block, size_t Shared,
         cudaStream_t Stream,
         typename barricade::detail::NotDeduced<Parameters>::Type... Values) {
    if (All || Shared == 0)
      Do.launch_overlapped(Kernel, Grid, Block, Shared, Stream, Values...);
    else
      Do.launch(Kernel, Grid, Block, Shared, Stream, Values...);
  }
  void flush() { Do.flush(); }
  explicit Overlapped(unsigned Steps) : Do(Steps) {}

private:
  ReplayedLaunches Do;
};

/// A loop of two or three launches an iteration, of random shapes.
template <typename Launches>
void work(Launches &Do, unsigned *To, cudaStream_t Stream, unsigned Steps,
          unsigned Seed) {
  std::mt19937 Random(Seed);
  for (unsigned Step = 0; Step < Steps; ++Step) {
    Do.launch(first, 1 + Random() % 50, 32, 0, Stream, To,
              Entry{static_cast<char>(Step % 90), Step});
    if (Random() % 8 != 0)
      Do.launch(second, 2, 64, Random() % 4 == 0 ? 4096 : 256, Stream, To,
                Step * 2.0);
    Do.launch(tiny, 1, 32 * (1 + Random() % 3), 0, Stream, To);
  }
}

std::vector<unsigned> readJournal(const Journal &From) {
  std::vector<unsigned> All = From.download(Most + 1);
  All.resize(1 + std::min(All[0], Most));
  return All;
}

bool isSame(const Journal &A, const Journal &B) {
  return readJournal(A) == readJournal(B);
}

void clear(const Journal &To) {
  check(cudaMemset(To.get(), 0, (Most + 1) * sizeof(unsigned)), "clear");
  check(cudaDeviceSynchronize(), "clear");
}

template <typename Replays = ReplayedLaunches>
bool runsAlike(cudaStream_t Stream, unsigned Steps, unsigned Seed) {
  Journal Before(Most + 1), After(Most + 1);
  clear(Before);
  clear(After);
  PlainLaunches Launches;
  work(Launches, Before.get(), Stream, Steps, Seed);
  Replays Replayed{Steps};
  work(Replayed, After.get(), Stream, Steps, Seed);
  Replayed.flush();
  check(cudaStreamSynchronize(Stream), "loop");
  return isSame(Before, After) && readJournal(After).size() > Steps;
}

void orders() {
  bool Holds = true;
  for (unsigned Seed = 0; Seed < 20; ++Seed)
    Holds &= runsAlike(nullptr, 20 + 97 * Seed, Seed);
  expect(Holds, "20 loops into the default stream launch what they should");
  for (unsigned Seed = 0; Seed < 20; ++Seed) {
    Holds &= runsAlike<Overlapped<true>>(nullptr, 20 + 97 * Seed, Seed);
    Holds &= runsAlike<Overlapped<false>>(nullptr, 20 + 97 * Seed, Seed);
  }
  expect(Holds, "so they do where all, or some, overlap");
  cudaStream_t Stream;
  check(cudaStreamCreateWithFlags(&Stream, cudaStreamNonBlocking), "stream");
  for (unsigned Seed = 0; Seed < 20; ++Seed)
    Holds &= runsAlike(Stream, 2000, Seed);
  expect(Holds, "20 loops of 2,000 iterations into another stream, too");
  check(cudaStreamDestroy(Stream), "stream");
  Holds = true;
  for (unsigned I = 0; I < 40; ++I) {
    check(cudaStreamCreate(&Stream), "stream");
    Holds &= runsAlike(Stream, 600, I);
    check(cudaStreamDestroy(Stream), "stream");
  }
  expect(Holds, "40 streams, more than there are graphs");
}

/// Objects that live on while others use the stream's graph.
void flushed() {
  Journal Before(Most + 1), After(Most + 1);
  clear(Before);
  clear(After);
  PlainLaunches Launches;
  ReplayedLaunches First(3000);
  ReplayedLaunches Second(3000);
  for (unsigned Seed = 0; Seed < 6; ++Seed) {
    work(Launches, Before.get(), nullptr, 500, Seed);
    ReplayedLaunches &Do = Seed % 2 ? Second : First;
    work(Do, After.get(), nullptr, 500, Seed);
    Do.flush();
  }
  Overlapped<true> Third(3000);
  work(Launches, Before.get(), nullptr, 1000, 7);
  work(Third, After.get(), nullptr, 1000, 7);
  Third.flush();
  work(Launches, Before.get(), nullptr, 100, 8);
  work(First, After.get(), nullptr, 100, 8);
  First.flush();
  check(cudaDeviceSynchronize(), "loops");
  expect(isSame(Before, After), "loops that take turns with a graph");
}

void severalStreams() {
  Journal A(Most + 1), B(Most + 1);
  clear(A);
  clear(B);
  cudaStream_t Streams[2];
  for (cudaStream_t &Each : Streams)
    check(cudaStreamCreateWithFlags(&Each, cudaStreamNonBlocking), "stream");
  ReplayedLaunches Replayed(10000);
  for (unsigned I = 0; I < 5000; ++I) {
    Replayed.launch(tiny, 1, 32, 0, Streams[I / 100 % 2],
                    I / 100 % 2 ? B.get() : A.get());
    Replayed.launch(second, 1, 32, 128, Streams[0], A.get(), I);
  }
  Replayed.flush();
  check(cudaDeviceSynchronize(), "loop");
  expect(readJournal(A)[0] == 7500 && readJournal(B)[0] == 2500,
         "launches of one loop into two streams");
}

void threads() {
  std::vector<std::thread> All;
  int Broken[8] = {};
  for (unsigned I = 0; I < 8; ++I)
    All.emplace_back([&Broken, I] {
      cudaStream_t Stream = nullptr;
      if (I % 2)
        check(cudaStreamCreateWithFlags(&Stream, cudaStreamNonBlocking),
              "stream");
      for (unsigned Seed = 0; Seed < 5; ++Seed)
        Broken[I] += !runsAlike(Stream, 700, 10 * I + Seed) +
                     !runsAlike<Overlapped<true>>(Stream, 700, 10 * I + Seed);
    });
  for (std::thread &Each : All)
    Each.join();
  expect(std::all_of(Broken, Broken + 8, [](int N) { return N == 0; }),
         "eight threads at once, four of them into the default stream");
}

void errors() {
  Journal To(Most + 1);
  clear(To);
  ReplayedLaunches Replayed(3000);
  int Found = 0;
  for (unsigned I = 0; I < 3000; ++I) {
    Replayed.launch(tiny, I == 1000 ? 0 : 1, I == 2000 ? 2000 : 32,
                    I == 2500 ? 1 << 20 : 0, nullptr, To.get());
    if (cudaGetLastError() != cudaSuccess)
      Found += static_cast<int>(I);
  }
  Replayed.flush();
  check(cudaDeviceSynchronize(), "loop");
  expect(Found == 1000 + 2000 + 2500 && readJournal(To)[0] == 2997,
         "errors are found at the launches that have them, others are made");
  bool Refused = false;
  {
    ReplayedLaunches Always(3000);
    for (unsigned I = 0; I < 300; ++I)
      Always.launch(tiny, 1, 2000, 0, nullptr, To.get());
    Refused = cudaGetLastError() != cudaSuccess;
  }
  check(cudaDeviceSynchronize(), "loop");
  expect(Refused && readJournal(To)[0] == 2997, "a loop of errors");
}

void capture() {
  Journal To(Most + 1);
  clear(To);
  cudaStream_t Stream;
  check(cudaStreamCreate(&Stream), "stream");
  check(cudaStreamBeginCapture(Stream, cudaStreamCaptureModeGlobal), "begin");
  ReplayedLaunches Replayed(1000);
  for (unsigned I = 0; I < 1000; ++I)
    Replayed.launch(tiny, 1, 32, 0, Stream, To.get());
  Replayed.flush();
  cudaGraph_t Graph;
  check(cudaStreamEndCapture(Stream, &Graph), "end");
  size_t Nodes = 0;
  check(cudaGraphGetNodes(Graph, nullptr, &Nodes), "nodes");
  expect(Nodes == 1000, "a captured loop has the nodes that the program knows");
  check(cudaGraphDestroy(Graph), "graph");
  check(cudaStreamDestroy(Stream), "stream");
}

void afterReset() {
  const bool Before = runsAlike(nullptr, 1000, 1);
  check(cudaDeviceReset(), "reset");
  const bool After = runsAlike(nullptr, 1000, 2);
  expect(Before && After, "behind cudaDeviceReset");
}

void slowHosts() {
  Journal To(Most + 1);
  clear(To);
  ReplayedLaunches Replayed(2000);
  using Clock = std::chrono::steady_clock;
  Clock::duration Longest{};
  for (unsigned I = 0; I < 2000; ++I) {
    const auto Begin = Clock::now();
    Replayed.launch(tiny, 1, 32, 0, nullptr, To.get());
    if (I > 500)
      while (Clock::now() - Begin < std::chrono::microseconds(50))
        ;
    if (I == 1990)
      Longest = Clock::now() - Begin;
  }
  const unsigned Seen = readJournal(To)[0];
  Replayed.flush();
  expect(Seen == 2000 && Longest < std::chrono::milliseconds(5),
         "nothing is held back where the host is slow");
}

//===--- Times
//--------------------------------------------------------------===//

__global__ void relax(const float *In, float *Out, int N, float Weight) {
  barricade::wait_for_previous_grid();
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= 1 && I < N - 1)
    Out[I] = Weight * (In[I - 1] + In[I + 1]);
}

template <typename Launches>
double timed(Launches &Do, unsigned Blocks, unsigned Steps, bool Varies,
             float *A, float *B) {
  check(cudaDeviceSynchronize(), "before");
  const auto Begin = std::chrono::steady_clock::now();
  for (unsigned T = 0; T < Steps; ++T, std::swap(A, B))
    Do.launch(relax, Blocks, 256, 0, nullptr, A, B,
              static_cast<int>(Blocks * 256),
              Varies ? 0.5f + static_cast<float>(T) * 1e-6f : 0.5f);
  Do.flush();
  check(cudaDeviceSynchronize(), "loop");
  return std::chrono::duration<double, std::micro>(
             std::chrono::steady_clock::now() - Begin)
             .count() /
         Steps;
}

double timedGraph(unsigned Blocks, unsigned Steps, float *A, float *B) {
  cudaStream_t Stream;
  cudaGraph_t Graph;
  cudaGraphExec_t Ready;
  check(cudaStreamCreate(&Stream), "stream");
  check(cudaStreamBeginCapture(Stream, cudaStreamCaptureModeGlobal), "begin");
  for (unsigned T = 0; T < Steps; ++T, std::swap(A, B))
    relax<<<Blocks, 256, 0, Stream>>>(A, B, static_cast<int>(Blocks * 256),
                                      0.5f);
  check(cudaStreamEndCapture(Stream, &Graph), "end");
  check(cudaGraphInstantiateWithFlags(&Ready, Graph, 0), "instantiate");
  double Best = 1e9;
  for (int I = 0; I < 3; ++I) {
    check(cudaDeviceSynchronize(), "before");
    const auto Begin = std::chrono::steady_clock::now();
    check(cudaGraphLaunch(Ready, Stream), "graph");
    check(cudaStreamSynchronize(Stream), "graph");
    Best = std::min(Best, std::chrono::duration<double, std::micro>(
                              std::chrono::steady_clock::now() - Begin)
                                  .count() /
                              Steps);
  }
  check(cudaGraphExecDestroy(Ready), "graph");
  check(cudaGraphDestroy(Graph), "graph");
  check(cudaStreamDestroy(Stream), "stream");
  return Best;
}

double median(std::vector<double> Values) {
  std::sort(Values.begin(), Values.end());
  return Values[Values.size() / 2];
}

/// Each form in turn, the first of the replayed ones by itself: it makes the
/// graph.
void printTimes() {
  std::printf(
      "blocks,steps,launches,first,replayed,varying,uncounted,overlapped,"
      "graph\n");
  for (const unsigned Blocks : {33u, 132u, 528u, 2112u, 8448u, 33792u})
    for (const unsigned Steps : {20u, 60u, 200u, 500u, 2000u}) {
      check(cudaDeviceReset(), "reset");
      DeviceArray<float> A(Blocks * 256), B(Blocks * 256);
      std::vector<double> Launches, First, Replayed, Varying, Uncounted,
          Overlaps;
      for (int I = 0; I < 12; ++I) {
        const auto Time = [&](auto &&Do, bool Varies) {
          return timed(Do, Blocks, Steps, Varies, A.get(), B.get());
        };
        const double Each = Time(PlainLaunches(), false);
        if (I > 2)
          Launches.push_back(Each);
        (I == 0 ? First : Replayed)
            .push_back(Time(ReplayedLaunches(Steps), false));
        Varying.push_back(Time(ReplayedLaunches(Steps), true));
        Uncounted.push_back(Time(ReplayedLaunches(), false));
        Overlaps.push_back(Time(Overlapped<true>(Steps), false));
      }
      std::printf("%u,%u,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f\n", Blocks, Steps,
                  median(Launches), First[0], median(Replayed), median(Varying),
                  median(Uncounted), median(Overlaps),
                  timedGraph(Blocks, Steps, A.get(), B.get()));
      std::fflush(stdout);
    }
}

} // namespace

int main(int Argc, char **Argv) {
  if (Argc > 1 && std::string(Argv[1]) == "times") {
    printTimes();
    return 0;
  }
  orders();
  flushed();
  severalStreams();
  threads();
  errors();
  capture();
  slowHosts();
  afterReset();
  return Failures != 0;
}
