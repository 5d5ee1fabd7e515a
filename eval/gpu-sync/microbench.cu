// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The micro-benchmark of Xiao and Feng: the mean of two floats, one element per
// thread, 10,000 times, a barrier after each, for every mechanism that makes
// the grid meet: launches (explicit, implicit, in a CUDA graph, in a graph with
// programmatic dependent launch), the barriers of gpu_sync.cuh, the published
// ones, and the parts of the lock-based one whose times split.py subtracts.
// Weak scaling: the number of elements grows with the grid.
//
//   microbench [STEPS [REPETITIONS]]
//
// CSV on stdout: mechanism,blocks,threads,steps,median_us,min_us (per step).
// A cell that a mechanism cannot run is left out. Each result is checked.

#include "eval/gpu-sync/harness.cuh"
#include "eval/gpu-sync/unsafe.cuh"

using namespace harness;

namespace {

constexpr unsigned MaxElements = 2048 * 160;
constexpr unsigned GraphNodes = 1000;

struct Vectors {
  const float *A, *B;
  float *C;
};

/// One step; Step keeps the compiler from computing it once for all steps.
__device__ void mean(const Vectors &V, unsigned Step) {
  const unsigned I =
      barricade::detail::blockRank() * barricade::detail::blockThreads() +
      barricade::detail::threadRank();
  V.C[I] = (V.A[I] + V.B[I]) / 2 + static_cast<float>(Step & 1);
}

__global__ void oneStep(Vectors V, unsigned Step) { mean(V, Step); }

/// The same in a graph with programmatic dependent launch: the next kernel is
/// brought onto the device while this one runs, and waits here for its data.
__global__ void oneDependentStep(Vectors V, unsigned Step) {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
  mean(V, Step);
}

template <typename Barrier>
__global__ void allSteps(Barrier Bar, Vectors V, unsigned Steps) {
  for (unsigned Step = 0; Step < Steps; ++Step) {
    mean(V, Step);
    __gpu_sync(Bar);
  }
}

/// Cycles of computation that need nothing from other blocks.
__device__ void independentWork(unsigned Cycles) {
  const unsigned Start = static_cast<unsigned>(clock());
  while (static_cast<unsigned>(clock()) - Start < Cycles)
    ;
}

template <bool Split>
__global__ void stepsWithWork(barricade::GridBarrier Bar, Vectors V,
                              unsigned Steps, unsigned Cycles) {
  for (unsigned Step = 0; Step < Steps; ++Step) {
    mean(V, Step);
    if constexpr (Split) {
      const barricade::SyncToken Token = __gpu_sync_arrive(Bar);
      independentWork(Cycles);
      __gpu_sync_wait(Bar, Token);
    } else {
      __gpu_sync(Bar);
      independentWork(Cycles);
    }
  }
}

class Microbench {
public:
  Microbench(unsigned Steps, int Repetitions)
      : Steps(Steps), Repetitions(Repetitions) {
    std::vector<float> From(MaxElements);
    for (unsigned I = 0; I < MaxElements; ++I)
      From[I] = static_cast<float>(I % 1013);
    A.upload(From);
    for (unsigned I = 0; I < MaxElements; ++I)
      From[I] = static_cast<float>(I % 509);
    B.upload(From);
  }

  void run(unsigned Blocks, unsigned Threads) {
    persistent<barricade::GridBarrier>("automatic", Blocks, Threads);
    launched(Blocks, Threads);
    persistent<barricade::CooperativeGridBarrier>("cooperative", Blocks,
                                                  Threads);
    persistent<barricade::LockGridBarrier>("lock", Blocks, Threads);
    persistent<barricade::LockFreeGridBarrier>("lock_free", Blocks, Threads);
    persistent<unsafe::Lock<false>>("unsafe lock", Blocks, Threads);
    persistent<unsafe::Lock<true>>("unsafe lock with fences", Blocks, Threads);
    persistent<unsafe::LockFree<false>>("unsafe lock_free", Blocks, Threads);
    persistent<unsafe::LockFree<true>>("unsafe lock_free with fences", Blocks,
                                       Threads);
    persistent<unsafe::None>("no barrier", Blocks, Threads);
    persistent<unsafe::AtomicOnly>("atomic only", Blocks, Threads);
    persistent<unsafe::AtomicAndBlock>("atomic and __syncthreads", Blocks,
                                       Threads);
    explicitLaunches(Blocks, Threads);
    implicitLaunches(Blocks, Threads);
    graph(false, Blocks, Threads);
    graph(true, Blocks, Threads);
  }

  /// Independent work behind the barrier, or between arrival and wait.
  void overlap(unsigned Blocks, unsigned Threads) {
    for (const unsigned Cycles : {0u, 250u, 500u, 1000u, 2000u, 4000u}) {
      withWork<false>(Blocks, Threads, Cycles);
      withWork<true>(Blocks, Threads, Cycles);
    }
  }

private:
  Vectors vectors() const { return {A.get(), B.get(), C.get()}; }

  void print(const char *Mechanism, unsigned Blocks, unsigned Threads,
             Spread Ms) {
    const std::vector<float> Got = C.download(size_t(Blocks) * Threads);
    for (unsigned I = 0; I < Got.size(); ++I)
      if (Got[I] != static_cast<float>(I % 1013 + I % 509) / 2 +
                        static_cast<float>((Steps - 1) & 1)) {
        std::fprintf(stderr, "%s, %u x %u: element %u is wrong\n", Mechanism,
                     Blocks, Threads, I);
        std::exit(1);
      }
    const float UsPerMs = 1000.f / static_cast<float>(Steps);
    std::printf("%s,%u,%u,%u,%.4f,%.4f\n", Mechanism, Blocks, Threads, Steps,
                Ms.Median * UsPerMs, Ms.Min * UsPerMs);
    std::fflush(stdout);
    C.fill(0);
  }

  template <typename Barrier>
  void persistent(const char *Name, unsigned Blocks, unsigned Threads) {
    if (Blocks > residentBlocks(allSteps<Barrier>, Threads))
      return;
    print(Name, Blocks, Threads,
          milliseconds(
              Repetitions, [&] { State.fill(0); },
              [&] {
                check(launchResident(allSteps<Barrier>, Blocks, Threads,
                                     Barrier(State.get()), vectors(), Steps),
                      Name);
              }));
  }

  /// As rewritten programs launch it: the hardware's barrier for small grids.
  void launched(unsigned Blocks, unsigned Threads) {
    const char *Name = "automatic, launched";
    print(Name, Blocks, Threads,
          milliseconds(
              Repetitions, [] {},
              [&] {
                check(barricade::launch_persistent_exact(
                          allSteps<barricade::GridBarrier>, Blocks, Threads, 0,
                          nullptr, vectors(), Steps),
                      Name);
              }));
  }

  template <bool Split>
  void withWork(unsigned Blocks, unsigned Threads, unsigned Cycles) {
    char Name[64];
    std::snprintf(Name, sizeof Name, "%s %u cycles",
                  Split ? "arrive; work; wait:" : "sync; work:", Cycles);
    print(Name, Blocks, Threads,
          milliseconds(
              Repetitions, [&] { State.fill(0); },
              [&] {
                check(launchResident(stepsWithWork<Split>, Blocks, Threads,
                                     barricade::GridBarrier(State.get()),
                                     vectors(), Steps, Cycles),
                      Name);
              }));
  }

  void explicitLaunches(unsigned Blocks, unsigned Threads) {
    print("explicit", Blocks, Threads,
          milliseconds(
              Repetitions, [] {},
              [&] {
                for (unsigned Step = 0; Step < Steps; ++Step) {
                  oneStep<<<Blocks, Threads>>>(vectors(), Step);
                  check(cudaDeviceSynchronize(), "explicit");
                }
              }));
  }

  void implicitLaunches(unsigned Blocks, unsigned Threads) {
    print("implicit", Blocks, Threads,
          milliseconds(
              Repetitions, [] {},
              [&] {
                for (unsigned Step = 0; Step < Steps; ++Step)
                  oneStep<<<Blocks, Threads>>>(vectors(), Step);
                check(cudaGetLastError(), "implicit");
              }));
  }

  /// Steps as nodes of a graph that is launched again and again; capturing and
  /// instantiating it is not timed.
  void graph(bool Dependent, unsigned Blocks, unsigned Threads) {
    const char *Name = Dependent ? "graph with PDL" : "graph";
    cudaStream_t Stream;
    check(cudaStreamCreateWithFlags(&Stream, cudaStreamNonBlocking), Name);
    cudaGraph_t Graph;
    cudaGraphExec_t Exec;
    check(cudaStreamBeginCapture(Stream, cudaStreamCaptureModeThreadLocal),
          Name);
    for (unsigned Step = 0; Step < GraphNodes; ++Step)
      launchStep(Dependent, Stream, Blocks, Threads, Step);
    check(cudaStreamEndCapture(Stream, &Graph), Name);
    check(cudaGraphInstantiate(&Exec, Graph, 0), Name);
    print(Name, Blocks, Threads,
          milliseconds(
              Repetitions, [] {},
              [&] {
                for (unsigned Step = 0; Step < Steps; Step += GraphNodes)
                  check(cudaGraphLaunch(Exec, nullptr), Name);
              }));
    check(cudaGraphExecDestroy(Exec), Name);
    check(cudaGraphDestroy(Graph), Name);
    check(cudaStreamDestroy(Stream), Name);
  }

  void launchStep(bool Dependent, cudaStream_t Stream, unsigned Blocks,
                  unsigned Threads, unsigned Step) {
    cudaLaunchAttribute Attribute = {};
    Attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    Attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t Config = {};
    Config.gridDim = Blocks;
    Config.blockDim = Threads;
    Config.stream = Stream;
    Config.attrs = &Attribute;
    Config.numAttrs = Dependent ? 1 : 0;
    check(cudaLaunchKernelEx(&Config, Dependent ? oneDependentStep : oneStep,
                             vectors(), Step),
          "graph node");
  }

  const unsigned Steps;
  const int Repetitions;
  DeviceArray<float> A{MaxElements}, B{MaxElements}, C{MaxElements};
  DeviceArray<unsigned> State{1 << 18};
};

} // namespace

int main(int Argc, char **Argv) {
  const unsigned Steps =
      Argc > 1 ? static_cast<unsigned>(std::strtoul(Argv[1], nullptr, 10))
               : 10000;
  const int Repetitions = Argc > 2 ? std::atoi(Argv[2]) : 5;
  if (Steps == 0 || Steps % GraphNodes || Repetitions < 1) {
    std::fprintf(stderr,
                 "usage: microbench [STEPS [REPETITIONS]], STEPS a "
                 "multiple of %u\n",
                 GraphNodes);
    return 2;
  }
  int Multiprocessors;
  check(cudaDeviceGetAttribute(&Multiprocessors, cudaDevAttrMultiProcessorCount,
                               0),
        "cudaDeviceGetAttribute");
  const unsigned One = static_cast<unsigned>(Multiprocessors);
  Microbench Bench(Steps, Repetitions);
  std::puts("mechanism,blocks,threads,steps,median_us,min_us");
  for (unsigned Threads = 32; Threads <= 1024; Threads *= 2) {
    for (const unsigned Blocks : {1u, 2u, 4u, 8u, 16u, 30u, 64u, 100u})
      Bench.run(Blocks, Threads);
    const unsigned Resident =
        residentBlocks(allSteps<barricade::GridBarrier>, Threads);
    for (unsigned Blocks = One; Blocks <= Resident; Blocks *= 2)
      Bench.run(Blocks, Threads);
  }
  Bench.overlap(One, 256);
}
