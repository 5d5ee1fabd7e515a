// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which launches become steps of a stretch, in which order they run, and with
// which arguments. Launches log what they are; the kernel for stretches logs
// that they were its steps.

#define BARRICADE_REPLAY_AT 1
#define BARRICADE_LAUNCHES_PER_REPLAY 3
#include <cstdio>
#include <runtime/barricade/gpu_sync.cuh>

constexpr unsigned Blocks = 2, Threads = 4, MostLogged = 1024;

struct Entry {
  int What;         ///< What the launch was given.
  unsigned Stretch; ///< Steps in the stretch that it was part of, 0: none.
  unsigned Step;    ///< Its number in it.
};
__device__ Entry Entries[MostLogged];
__device__ unsigned Logged;

/// By one thread: blocks do not touch what is not theirs.
__device__ void logOne(int What, unsigned Stretch = 0, unsigned Step = 0) {
  if (blockIdx.x + blockIdx.y != 0 || threadIdx.x != 0)
    return;
  Entries[Logged] = {What, Stretch, Step};
  Logged = Logged + 1;
}

/// Of sizes that have to be aligned.
struct Three {
  int A, B, C;
};
struct alignas(16) Wide {
  double X, Y;
};

__global__ void mixed(char Small, Wide Large, short Odd, const Three Some,
                      int What) {
  logOne(What + Small + int(Large.X + Large.Y) + Odd + Some.A + Some.B +
         Some.C);
}
__global__ void plain(int *Base, int What) { logOne(Base[0] + What); }
__global__ void large(int What, barricade::Array<char, 500>) { logOne(What); }
/// More than a stretch holds of one step.
__global__ void broad(barricade::Array<char, 480>, int What) { logOne(What); }
__global__ void vectors(float4 From, int What) {
  logOne(What + int(From.x + From.y + From.z + From.w));
}
__global__ void numbers(long long A, long long B, int What) {
  logOne(What + int(A + B));
}

/// Of vectors and numbers, which have different alignments.
__global__ void stretchOfBoth(const barricade::Stretch Given) {
  for (unsigned Step = 0; Step < Given.length(); ++Step) {
    if (Step > 0)
      __syncthreads();
    const unsigned Length = Given.length();
    Given.call_if<0, decltype(&numbers), 0>(
        Step, [=](auto A, auto B, auto What) {
          logOne(What + int(A + B), Length, Step);
        });
    Given.call_if<1, decltype(&vectors), 0>(Step, [=](const float4 &From,
                                                      auto What) {
      // A number that no compiler knows by the type's alignment.
      const volatile size_t Address = reinterpret_cast<size_t>(&From);
      logOne(Address % 16 == 0 ? What + int(From.x + From.y + From.z + From.w)
                               : -1,
             Length, Step);
    });
    Given.call_if<2, decltype(&broad), 0>(
        Step, [=](auto, auto What) { logOne(What, Length, Step); });
  }
}

__global__ void larger(int What, barricade::Array<char, 600>) { logOne(What); }

/// Fixed: the structs of mixed, the pointer of plain.
__global__ void stretch(const barricade::Stretch Given) {
  for (unsigned Step = 0; Step < Given.length(); ++Step) {
    if (Step > 0)
      __syncthreads();
    const unsigned Length = Given.length();
    Given.call_if<0, decltype(&mixed), 0xa>(
        Step, [=](auto Small, auto Large, auto Odd, auto Some, auto What) {
          logOne(What + Small + int(Large.X + Large.Y) + Odd + Some.A + Some.B +
                     Some.C,
                 Length, Step);
        });
    Given.call_if<1, decltype(&plain), 1>(Step, [=](auto Base, auto What) {
      logOne(Base[0] + What, Length, Step);
    });
  }
}
__global__ void stretchOfPlain(const barricade::Stretch Given) {
  for (unsigned Step = 0; Step < Given.length(); ++Step) {
    if (Step > 0)
      __syncthreads();
    const unsigned Length = Given.length();
    Given.call<decltype(&plain), 0>(Step, [=](auto Base, auto What) {
      logOne(Base[0] + What, Length, Step);
    });
  }
}

int Wrong = 0;
void expect(bool Holds, const char *What, long long Seen) {
  if (Holds)
    return;
  ++Wrong;
  std::printf("%s: %lld\n", What, Seen);
}

unsigned Count;
Entry Seen[MostLogged];
/// All launches up to now ran in their order; returns how many were steps.
unsigned readLog(const char *Of, unsigned Expected) {
  expect(cudaDeviceSynchronize() == cudaSuccess, Of, -1);
  cudaMemcpyFromSymbol(&Count, Logged, sizeof Count);
  cudaMemcpyFromSymbol(Seen, Entries, sizeof Seen);
  const unsigned None = 0;
  cudaMemcpyToSymbol(Logged, &None, sizeof None);
  expect(Count == Expected, Of, Count);
  unsigned Steps = 0;
  for (unsigned I = 0; I < Count; ++I) {
    expect(Seen[I].What == int(I), Of, Seen[I].What);
    Steps += Seen[I].Stretch != 0;
    if (Seen[I].Step > 0)
      expect(I > 0 && Seen[I - 1].Step + 1 == Seen[I].Step &&
                 Seen[I - 1].Stretch == Seen[I].Stretch,
             Of, I);
  }
  return Steps;
}

int *Base, *OtherBase;

using Launches = barricade::ReplayedLaunches;

/// Calls Make with an object and the number of each of so many launches; tells
/// how many were steps.
template <typename Function>
unsigned stepsOf(const char *What, int Number, Function Make) {
  {
    Launches All;
    All.join(stretch, 0xa, 1);
    for (int I = 0; I < Number; ++I)
      Make(All, I);
  } // Makes what is held back.
  return readLog(What, unsigned(Number));
}

void launchPlain(Launches &All, int What, int *From = Base,
                 unsigned Grid = Blocks, size_t SharedBytes = 0) {
  All.if_confined(1).launch(plain, Grid, Threads, SharedBytes, nullptr, From,
                            What);
}

/// Each launch with that number is none of a step.
unsigned stepsWithEvery(int Period, int Number) {
  return stepsOf("with others between", Number, [=](Launches &All, int I) {
    if (I % Period == Period - 1)
      All.launch(plain, Blocks, Threads, 0, nullptr, Base, I);
    else
      launchPlain(All, I);
  });
}

void testOrder() {
  // The first is made for itself.
  unsigned Steps =
      stepsOf("many", 200, [](Launches &All, int I) { launchPlain(All, I); });
  expect(Steps == 199, "steps of many", Steps);

  Steps = stepsWithEvery(4, 40);
  expect(Steps == 29, "steps with others between", Steps);
  Steps = stepsWithEvery(2, 20);
  expect(Steps == 0, "single steps", Steps);

  Steps = stepsOf("of two kernels", 60, [](Launches &All, int I) {
    if (I % 3)
      return launchPlain(All, I);
    // The arguments that stay change now and then.
    const Three Some = {I / 20, 2, 3};
    const int Left = I - 1 - 6 - 5 - Some.A - 5;
    All.if_confined(0).launch(mixed, Blocks, Threads, 0, nullptr, char(1),
                              {1.5, 4.5}, short(5), Some, Left);
  });
  expect(Steps > 50, "steps of two kernels", Steps);

  Steps = stepsOf("too large to be held", 20, [](Launches &All, int I) {
    if (I % 2)
      All.if_confined(0).launch(large, Blocks, Threads, 0, nullptr, I, {});
    else
      launchPlain(All, I);
  });
  expect(Steps == 0, "steps beside large launches", Steps);
}

void testSizes() {
  {
    Launches All;
    All.join(stretchOfBoth, 0, 0, 0);
    for (int I = 0; I < 60; ++I)
      if (I % 3 == 0)
        All.if_confined(0).launch(numbers, Blocks, Threads, 0, nullptr, 1, 2,
                                  I - 3);
      else
        All.if_confined(1).launch(vectors, Blocks, Threads, 0, nullptr,
                                  {1, 2, 3, 4}, I - 10);
  }
  unsigned Steps = readLog("of two alignments", 60);
  expect(Steps > 50, "steps of two alignments", Steps);

  // What is too large for any stretch keeps the others from none.
  {
    Launches All;
    All.join(stretchOfBoth, 0, 0, 0);
    for (int I = 0; I < 60; ++I)
      if (I < 3)
        All.if_confined(2).launch(broad, Blocks, Threads, 0, nullptr, {}, I);
      else
        All.if_confined(0).launch(numbers, Blocks, Threads, 0, nullptr, 1, 2,
                                  I - 3);
  }
  Steps = readLog("behind a broad one", 60);
  expect(Steps == 56, "steps behind a broad one", Steps);

  // Neither is a launch that cannot be held, nor the one behind it.
  Steps = stepsOf("behind a large one", 40, [](Launches &All, int I) {
    if (I % 4 == 0)
      All.if_confined(0).launch(larger, Blocks, Threads, 0, nullptr, I, {});
    else if (I % 4 == 1)
      All.launch(plain, Blocks, Threads, 0, nullptr, Base, I);
    else
      launchPlain(All, I);
  });
  expect(Steps == 20, "steps behind a large one", Steps);
}

void testWhatEndsThem() {
  unsigned Steps = stepsOf("other pointers", 40, [](Launches &All, int I) {
    launchPlain(All, I, I % 10 < 5 ? Base : OtherBase);
  });
  expect(Steps == 39, "steps by two pointers", Steps);
  for (unsigned I = 0; I < Count; ++I)
    expect(Seen[I].Stretch <= 5, "a stretch has two pointers", I);

  Steps = stepsOf("other grids", 40, [](Launches &All, int I) {
    launchPlain(All, I, Base, I % 10 < 5 ? 1 : 2);
  });
  expect(Steps == 39, "steps of two grids", Steps);
  for (unsigned I = 0; I < Count; ++I)
    expect(Seen[I].Stretch <= 5, "a stretch has two grids", I);

  // 16 bytes have to be launched by themselves first.
  Steps = stepsOf("other shared memory", 40, [](Launches &All, int I) {
    launchPlain(All, I, Base, Blocks, I % 10 < 5 ? 0 : 16);
  });
  expect(Steps == 38, "steps of two sizes", Steps);
  for (unsigned I = 0; I < Count; ++I)
    expect(Seen[I].Stretch <= 5, "a stretch has two sizes", I);

  Steps = stepsOf("many grids in y", 10, [](Launches &All, int I) {
    All.if_confined(1).launch(plain, dim3(1, 2), Threads, 0, nullptr, Base, I);
  });
  expect(Steps == 0, "steps of a grid of two dimensions", Steps);
}

/// How many of ten launches with Condition are steps.
template <typename Condition, typename Prepare>
unsigned stepsWith(Condition Given, unsigned Block, Prepare Before) {
  {
    Launches All;
    All.join(stretchOfPlain, 0);
    Before(All);
    for (int I = 0; I < 10; ++I)
      All.if_confined(0, Given).launch(plain, Blocks, Block, 0, nullptr, Base,
                                       I);
  }
  return readLog("conditions", 10);
}
template <typename Condition>
unsigned stepsWith(Condition Given, unsigned Block = Threads) {
  return stepsWith(Given, Block, [](Launches &) {});
}

void testConditions() {
  using barricade::Distance;
  using barricade::Limit;
  constexpr int Most = 256 * int(Blocks * Threads); // of each thread 256
  const auto Expect = [](const char *What, unsigned Steps, bool Any) {
    expect(Steps == (Any ? 9 : 0), What, Steps);
  };
  Expect("distance 3", stepsWith(Distance(3u)), true);
  Expect("distance 4", stepsWith(Distance(4u)), false);
  Expect("distance -1", stepsWith(Distance(-1)), false);
  Expect("distance 2^32 + 1", stepsWith(Distance((1ull << 32) + 1)), false);
  Expect("distance 1 of 3 threads", stepsWith(Distance(1), 3), false);
  Expect("distance 0 of 3 threads", stepsWith(Distance(0), 3), true);
  Expect("limit", stepsWith(Limit(Most)), true);
  Expect("limit + 1", stepsWith(Limit(Most + 1)), false);
  Expect("limit -1", stepsWith(Limit(-1)), false);

  constexpr unsigned All = Blocks * Threads;
  const auto Pair = [](int Apart, bool MayBeEqual) {
    return stepsWith(Distance(0), Threads, [=](Launches &Of) {
      if (MayBeEqual)
        Of.require_same_or_apart(Base + Apart, Base);
      else
        Of.require_apart(Base, Base + Apart);
    });
  };
  Expect("apart", Pair(All, false), true);
  Expect("nearly apart", Pair(All - 1, false), false);
  Expect("the same", Pair(0, false), false);
  Expect("the same, which may be", Pair(0, true), true);
  Expect("nearly apart, or the same", Pair(All - 1, true), false);
  Expect("of two sizes",
         stepsWith(Distance(0), Threads,
                   [](Launches &Of) {
                     Of.require_same_or_apart(Base,
                                              reinterpret_cast<char *>(Base));
                   }),
         false);
}

/// What CUDA refuses is reported as it would have been.
void testErrors() {
  Launches All;
  All.join(stretchOfPlain, 0);
  for (int I = 0; I < 4; ++I)
    All.if_confined(0).launch(plain, Blocks, Threads, 0, nullptr, Base, I);
  expect(cudaGetLastError() == cudaSuccess, "an early error", 0);
  All.if_confined(0).launch(plain, Blocks, 2048, 0, nullptr, Base, 0);
  expect(cudaGetLastError() != cudaSuccess, "no error", 0);
  for (int I = 4; I < 8; ++I)
    All.if_confined(0).launch(plain, Blocks, Threads, 0, nullptr, Base, I);
  All.flush();
  expect(cudaGetLastError() == cudaSuccess, "a late error", 0);
  const unsigned Steps = readLog("errors", 8);
  expect(Steps == 7, "steps around an error", Steps);
}

int main() {
  cudaMalloc(&Base, 64 * sizeof(int));
  cudaMalloc(&OtherBase, sizeof(int));
  cudaMemset(Base, 0, 64 * sizeof(int));
  cudaMemset(OtherBase, 0, sizeof(int));
  testOrder();
  testSizes();
  testWhatEndsThem();
  testConditions();
  testErrors();
  return Wrong != 0;
}
