// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the constants of tool/CostModel.h on this GPU and prints them as
// JSON; docs/cost-model.md says what each of them is. Takes a few seconds.
//
//   calibrate            all but
//   calibrate first-use  what the first use of a persistent kernel takes, in
//                        microseconds, which a process can tell once

#include <barricade/gpu_sync.cuh>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <set>
#include <vector>

namespace {

constexpr int Repetitions = 11;
constexpr int Launches = 500;
constexpr int Barriers = 2000;
constexpr int GridThreads = 256; ///< In a block of a grid with barriers.
constexpr size_t DataBytes = size_t(1) << 30; // well beyond any L2
constexpr int Iterations = 128;

void check(cudaError_t E, const char *What) {
  if (E == cudaSuccess)
    return;
  std::fprintf(stderr, "calibrate: %s: %s\n", What, cudaGetErrorString(E));
  std::exit(1);
}
#define CHECK(Call) check(Call, #Call)

double median(std::vector<double> Values) {
  std::sort(Values.begin(), Values.end());
  return Values[Values.size() / 2];
}

/// Milliseconds that Work keeps the default stream busy, once.
double once(const std::function<void()> &Work) {
  static cudaEvent_t Begin = nullptr, End = nullptr;
  if (!Begin) {
    CHECK(cudaEventCreate(&Begin));
    CHECK(cudaEventCreate(&End));
  }
  CHECK(cudaEventRecord(Begin));
  Work();
  CHECK(cudaEventRecord(End));
  CHECK(cudaEventSynchronize(End));
  CHECK(cudaGetLastError());
  float Ms;
  CHECK(cudaEventElapsedTime(&Ms, Begin, End));
  return Ms;
}

double milliseconds(const std::function<void()> &Work) {
  once(Work);
  std::vector<double> Times;
  for (int I = 0; I < Repetitions; ++I)
    Times.push_back(once(Work));
  return median(Times);
}

__global__ void empty() {}

__global__ void barriers(barricade::GridBarrier Bar, int Count) {
  for (int I = 0; I < Count; ++I)
    __gpu_sync(Bar);
}

/// A dependent chain of integer arithmetic, Count instructions a thread.
__global__ void compute(unsigned *Out, int Count) {
  unsigned X = threadIdx.x;
#pragma unroll 1
  for (int I = 0; I < Count; I += 16)
#pragma unroll
    for (int J = 0; J < 16; ++J)
      X = X * 1664525u + I;
  if (X == 1)
    *Out = X;
}

//===----------------------------------------------------------------------===//
// Loops of one access each, by its pattern among the threads of a block
//===----------------------------------------------------------------------===//

/// Several patterns may be one locality in the source's eyes: the model then
/// spans what it measured of them.
enum class Pattern {
  BroadcastWalk,
  BroadcastJump,
  CoalescedGrid,
  CoalescedBlock,
  Unaligned,
  StridedPairs,
  StridedRecords,
  StridedRows,
  GatheredNear,
  GatheredWindow,
  GatheredFar
};
constexpr const char *LocalityNames[] = {
    "broadcast", "broadcast", "coalesced", "coalesced", "unaligned", "strided",
    "strided",   "strided",   "gathered",  "gathered",  "gathered"};

/// The element that this thread reads in iteration I, of N (a power of two), by
/// the 32-bit arithmetic that most kernels have.
template <Pattern P> __device__ unsigned element(unsigned I, unsigned N) {
  const unsigned Threads = gridDim.x * blockDim.x;
  const unsigned Thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned Hash = (threadIdx.x * 2654435761u) ^ (I * 40503u);
  // A window of the block's own that moves with I.
  const auto InWindow = [&](unsigned Window) {
    return (blockIdx.x * Iterations + I) * Window + (Hash >> 8) % Window;
  };
  unsigned Element = 0;
  switch (P) {
  case Pattern::BroadcastWalk:
    Element = blockIdx.x * Iterations + I;
    break;
  case Pattern::BroadcastJump: // a line each time
    Element = (blockIdx.x * Iterations + I) * 32;
    break;
  case Pattern::CoalescedGrid:
    Element = I * Threads + Thread;
    break;
  case Pattern::CoalescedBlock: // each block has a piece of its own
    Element = (blockIdx.x * Iterations + I) * blockDim.x + threadIdx.x;
    break;
  case Pattern::Unaligned: // every warp begins within a line of another's
    Element = I * Threads + Thread + 8;
    break;
  case Pattern::StridedPairs:
    Element = 2 * (I * Threads + Thread);
    break;
  case Pattern::StridedRecords: // of 64 elements, walked one by one
    Element = Thread * 64 + I;
    break;
  case Pattern::StridedRows: // of a matrix, a row each
    Element = Thread * 1024 + I;
    break;
  case Pattern::GatheredNear:
    Element = InWindow(256);
    break;
  case Pattern::GatheredWindow:
    Element = InWindow(4096);
    break;
  case Pattern::GatheredFar:
    Element = (Thread * 2654435761u) ^ (I * 40503u << 12);
    break;
  }
  return Element & (N - 1);
}

/// `Shape` is that of `Barrier` without it.
enum class Form { None, Shape, Barrier, Vote };
constexpr const char *FormNames[] = {"none", "shape", "barrier", "vote"};

template <Form F> __device__ void meet() {
  if constexpr (F == Form::Barrier)
    __syncthreads();
}

/// The loops are those that barricade writes, so that what the compiler makes
/// of their shape is part of what is measured.
template <Pattern P, Form F, int Interval>
__global__ void walk(const int *Data, unsigned N, int Count, int *Out) {
  int Sum = 0;
  bool Active = true;
  if constexpr (F == Form::None || (F != Form::Vote && Interval == 1)) {
    for (int I = 0; I < Count; ++I) {
      Sum += Data[element<P>(I, N)];
      meet<F>();
    }
  } else if constexpr (F != Form::Vote) {
    for (int I = 0; Active; meet<F>())
      for (int Round = 0; Round < Interval && (Active = (I < Count));
           ++Round, ++I)
        Sum += Data[element<P>(I, N)];
  } else if constexpr (Interval == 1) {
    for (int I = 0; __syncthreads_or(Active = Active && (I < Count));
         Active ? (void)(++I) : (void)0)
      if (Active)
        Sum += Data[element<P>(I, N)];
  } else {
    for (int I = 0; __syncthreads_or(Active);)
      for (int Round = 0; Round < Interval && (Active = Active && (I < Count));
           ++Round, ++I)
        Sum += Data[element<P>(I, N)];
  }
  if (Sum == 1)
    *Out = Sum;
}

struct Machine {
  cudaDeviceProp Properties;
  int *Data;
  unsigned N = DataBytes / sizeof(int);
};

template <Pattern P, Form F, int Interval>
double walkMs(const Machine &M, int Block, int PerMultiprocessor) {
  const int Blocks = M.Properties.multiProcessorCount * PerMultiprocessor;
  return milliseconds([&] {
    walk<P, F, Interval><<<Blocks, Block>>>(M.Data, M.N, Iterations, M.Data);
  });
}

bool FirstLoop = true;

/// A block size, and how many such blocks a multiprocessor has at once.
struct Load {
  int Block, PerMultiprocessor;
};

template <Pattern P, Form F, int Interval>
void printLoop(const Machine &M, Load L, double Plain) {
  const double With = walkMs<P, F, Interval>(M, L.Block, L.PerMultiprocessor);
  std::printf("%s\n  {\"locality\": \"%s\", \"block-threads\": %d, "
              "\"blocks-per-multiprocessor\": %d, \"form\": \"%s\", "
              "\"interval\": %d, \"gain\": %.4f, \"ns-per-access\": %.3f}",
              FirstLoop ? "" : ",", LocalityNames[int(P)], L.Block,
              L.PerMultiprocessor, FormNames[int(F)], Interval,
              (Plain - With) / Plain, Plain * 1e6 / Iterations);
  FirstLoop = false;
}

template <Pattern P, int Interval>
void printForms(const Machine &M, Load L, double Plain) {
  if (Interval > 1)
    printLoop<P, Form::Shape, Interval>(M, L, Plain);
  printLoop<P, Form::Barrier, Interval>(M, L, Plain);
  printLoop<P, Form::Vote, Interval>(M, L, Plain);
}

/// A full GPU, a quarter of it, and one block on each multiprocessor.
template <Pattern P> void printLoops(const Machine &M) {
  for (int Block : {128, 256, 512, 1024}) {
    const int Most = M.Properties.maxThreadsPerMultiProcessor / Block;
    for (int Blocks : std::set<int>{1, (Most + 3) / 4, Most}) {
      const Load L = {Block, Blocks};
      const double Plain = walkMs<P, Form::None, 1>(M, Block, Blocks);
      printForms<P, 1>(M, L, Plain);
      printForms<P, 4>(M, L, Plain);
      printForms<P, 16>(M, L, Plain);
      printForms<P, 64>(M, L, Plain);
    }
  }
}

//===----------------------------------------------------------------------===//
// Launches and barriers
//===----------------------------------------------------------------------===//

double launchUs(int Blocks = 1, int Threads = 32) {
  return 1e3 / Launches * milliseconds([=] {
           for (int I = 0; I < Launches; ++I)
             empty<<<Blocks, Threads>>>();
         });
}

double launchAndSyncUs() {
  return 1e3 / Launches * milliseconds([] {
           for (int I = 0; I < Launches; ++I) {
             empty<<<1, 32>>>();
             CHECK(cudaDeviceSynchronize());
           }
         });
}

double graphNodeUs(int Blocks = 1, int Threads = 32) {
  cudaStream_t Stream;
  CHECK(cudaStreamCreate(&Stream));
  cudaGraph_t Graph;
  CHECK(cudaStreamBeginCapture(Stream, cudaStreamCaptureModeGlobal));
  for (int I = 0; I < Launches; ++I)
    empty<<<Blocks, Threads, 0, Stream>>>();
  CHECK(cudaStreamEndCapture(Stream, &Graph));
  cudaGraphExec_t Exec;
  CHECK(cudaGraphInstantiate(&Exec, Graph, 0));
  const double Us = 1e3 / Launches * milliseconds([&] {
                      CHECK(cudaGraphLaunch(Exec, nullptr));
                    });
  CHECK(cudaGraphExecDestroy(Exec));
  CHECK(cudaGraphDestroy(Graph));
  CHECK(cudaStreamDestroy(Stream));
  return Us;
}

/// Microseconds on the host's clock until what Launch starts has ended.
double hostUs(const std::function<void()> &Launch) {
  const auto Begin = std::chrono::steady_clock::now();
  Launch();
  CHECK(cudaDeviceSynchronize());
  const std::chrono::duration<double, std::micro> Taken =
      std::chrono::steady_clock::now() - Begin;
  return Taken.count();
}

double laterHostUs(const std::function<void()> &Launch) {
  std::vector<double> Times;
  for (int I = 0; I < Launches; ++I)
    Times.push_back(hostUs(Launch));
  return median(Times);
}

/// Without barriers, which are counted by themselves.
void launchPersistent(int Blocks) {
  CHECK(barricade::launch_persistent_exact(barriers, dim3(Blocks),
                                           dim3(GridThreads), 0, nullptr, 0));
}

double persistentLaunchUs(int Blocks) {
  const double Plain = laterHostUs([=] { empty<<<Blocks, GridThreads>>>(); });
  const double Persistent = laterHostUs([=] { launchPersistent(Blocks); });
  return std::max(Persistent - Plain, 0.0);
}

double firstUseUs(int Blocks) {
  // The context and the module are there.
  hostUs([] { empty<<<1, 32>>>(); });
  const double First = hostUs([=] { launchPersistent(Blocks); });
  return std::max(First - laterHostUs([=] { launchPersistent(Blocks); }), 0.0);
}

__global__ void add(int *Words) {
  barricade::wait_for_previous_grid();
  Words[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

/// Of each of many short launches; 0 on GPUs that cannot.
double overlapSavedUs(const Machine &M) {
  if (M.Properties.major < 9)
    return 0;
  const int Blocks = M.Properties.multiProcessorCount;
  const double Plain = milliseconds([&] {
    for (int I = 0; I < Launches; ++I)
      add<<<Blocks, GridThreads>>>(M.Data);
  });
  const double Overlapped = milliseconds([&] {
    barricade::OverlappedLaunches Overlap;
    for (int I = 0; I < Launches; ++I)
      Overlap.launch(add, Blocks, GridThreads, 0, nullptr, M.Data);
  });
  return std::max(1e3 * (Plain - Overlapped) / Launches, 0.0);
}

/// Of two loops, so that the launch falls out.
double gridBarrierUs(int Blocks) {
  auto Run = [&](int Count) {
    return milliseconds([&] {
      CHECK(barricade::launch_persistent_exact(
          barriers, dim3(Blocks), dim3(GridThreads), 0, nullptr, Count));
    });
  };
  return 1e3 * (Run(2 * Barriers) - Run(Barriers)) / Barriers;
}

/// The three for grids of one block, of an eighth of the multiprocessors, and
/// of 1, 2, 4, ... blocks on each as long as they are resident.
void printGridSteps(const Machine &M) {
  const int Multiprocessors = M.Properties.multiProcessorCount;
  unsigned Most;
  CHECK(barricade::max_resident_blocks(&Most, barriers, dim3(GridThreads), 0));
  std::vector<int> Grids = {1, (Multiprocessors + 7) / 8};
  for (int Blocks = Multiprocessors; Blocks <= int(Most); Blocks *= 2)
    Grids.push_back(Blocks);
  const char *Separator = "";
  for (int Blocks : Grids) {
    std::printf("%s\n  {\"blocks\": %d, \"threads\": %d, \"launch-us\": %.4f, "
                "\"graph-node-us\": %.4f, \"grid-barrier-us\": %.4f}",
                Separator, Blocks, GridThreads, launchUs(Blocks, GridThreads),
                graphNodeUs(Blocks, GridThreads), gridBarrierUs(Blocks));
    Separator = ",";
  }
}

double nsPerInstruction(const Machine &M) {
  const int Count = 4096;
  const int Blocks = M.Properties.multiProcessorCount *
                     (M.Properties.maxThreadsPerMultiProcessor / 256);
  unsigned *Out = reinterpret_cast<unsigned *>(M.Data);
  auto Run = [&](int N) {
    return milliseconds([&] { compute<<<Blocks, 256>>>(Out, N); });
  };
  return 1e6 * (Run(2 * Count) - Run(Count)) / Count;
}

double bandwidthGBs(const Machine &M) {
  const double Ms = milliseconds([&] {
    CHECK(cudaMemcpyAsync(M.Data,
                          reinterpret_cast<char *>(M.Data) + DataBytes / 2,
                          DataBytes / 2, cudaMemcpyDeviceToDevice));
  });
  return DataBytes / (Ms * 1e6); // half is read, half is written
}

} // namespace

int main(int Argc, char **Argv) {
  Machine M;
  CHECK(cudaGetDeviceProperties(&M.Properties, 0));
  const int Multiprocessors = M.Properties.multiProcessorCount;
  if (Argc == 2 && !std::strcmp(Argv[1], "first-use")) {
    std::printf("%.2f\n", firstUseUs(Multiprocessors));
    return 0;
  }
  CHECK(cudaMalloc(&M.Data, DataBytes));
  CHECK(cudaMemset(M.Data, 1, DataBytes)); // zeros would let nothing be told
  int ClockKHz = 0;
  CHECK(cudaDeviceGetAttribute(&ClockKHz, cudaDevAttrClockRate, 0));
  milliseconds([&] {
    compute<<<10000, 256>>>((unsigned *)M.Data, 1 << 14);
  }); // clocks rise

  std::printf("{\"schema-version\": 1, \"architecture\": \"sm_%d%d\",\n"
              " \"gpu\": \"%s\", \"multiprocessors\": %d,\n",
              M.Properties.major, M.Properties.minor, M.Properties.name,
              Multiprocessors);
  std::printf(" \"clock-mhz\": %.0f, \"bandwidth-gb-per-s\": %.0f,\n",
              ClockKHz / 1e3, bandwidthGBs(M));
  std::printf(" \"launch-us\": %.4f, \"launch-and-sync-us\": %.4f, "
              "\"graph-node-us\": %.4f,\n",
              launchUs(), launchAndSyncUs(), graphNodeUs());
  std::printf(" \"grid-barrier-us\": %.4f, \"ns-per-instruction\": %.4f,\n",
              gridBarrierUs(Multiprocessors), nsPerInstruction(M));
  std::printf(" \"persistent-launch-us\": %.4f, \"overlap-saved-us\": %.4f,\n",
              persistentLaunchUs(Multiprocessors), overlapSavedUs(M));
  std::printf(" \"grid-steps\": [");
  printGridSteps(M);
  std::printf("],\n");
  std::printf(" \"loops\": [");
  printLoops<Pattern::BroadcastWalk>(M);
  printLoops<Pattern::BroadcastJump>(M);
  printLoops<Pattern::CoalescedGrid>(M);
  printLoops<Pattern::CoalescedBlock>(M);
  printLoops<Pattern::Unaligned>(M);
  printLoops<Pattern::StridedPairs>(M);
  printLoops<Pattern::StridedRecords>(M);
  printLoops<Pattern::StridedRows>(M);
  printLoops<Pattern::GatheredNear>(M);
  printLoops<Pattern::GatheredWindow>(M);
  printLoops<Pattern::GatheredFar>(M);
  std::printf("]}\n");
  CHECK(cudaFree(M.Data));
  return 0;
}
