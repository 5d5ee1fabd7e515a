// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the first launches of a process cost. A kernel runs first that is none
// of those compared, so that the context and the module are there; then three
// kernels that nobody has launched before, plain, cooperative and persistent,
// in one of six orders, each launched LAUNCHES times.
//
//   first_use ORDER [LAUNCHES]    0 <= ORDER < 6; one line of CSV per kernel:
//                                 kind, its place in the order, microseconds of
//                                 the first launch and its synchronisation,
//                                 median of the later ones; then the same for
//                                 the launch call alone

#include "eval/gpu-sync/harness.cuh"

#include <array>
#include <chrono>
#include <functional>

using namespace harness;

namespace {

__global__ void warmUp(unsigned *Words) { Words[threadIdx.x] = 1; }
__global__ void plain(unsigned *Words) { Words[threadIdx.x] += 2; }
__global__ void cooperative(unsigned *Words) { Words[threadIdx.x] += 3; }
__global__ void persistent(barricade::GridBarrier Bar, unsigned *Words) {
  Words[threadIdx.x] += 4;
  __gpu_sync(Bar);
}

constexpr unsigned Blocks = 132, Threads = 256;

struct Kind {
  const char *Name;
  std::function<cudaError_t()> Launch;
};

struct Times {
  double Call, Done;
};

Times microseconds(const std::function<cudaError_t()> &Launch) {
  using Clock = std::chrono::steady_clock;
  using Micro = std::chrono::duration<double, std::micro>;
  const auto Begin = Clock::now();
  const cudaError_t E = Launch();
  const auto Called = Clock::now();
  const cudaError_t Ended = cudaDeviceSynchronize();
  const auto End = Clock::now();
  check(E, "launch");
  check(Ended, "kernel");
  return {Micro(Called - Begin).count(), Micro(End - Begin).count()};
}

double median(std::vector<double> Values) {
  std::sort(Values.begin(), Values.end());
  return Values[Values.size() / 2];
}

void report(const Kind &Of, unsigned Place, unsigned Launches) {
  const Times First = microseconds(Of.Launch);
  std::vector<double> Calls, Done;
  for (unsigned I = 0; I < Launches; ++I) {
    const Times Later = microseconds(Of.Launch);
    Calls.push_back(Later.Call);
    Done.push_back(Later.Done);
  }
  std::printf("%s,%u,%.2f,%.2f,%.2f,%.2f\n", Of.Name, Place, First.Done,
              median(Done), First.Call, median(Calls));
}

} // namespace

int main(int Argc, char **Argv) {
  unsigned Order = Argc > 1 ? std::atoi(Argv[1]) : 0;
  const unsigned Launches = Argc > 2 ? std::atoi(Argv[2]) : 200;
  DeviceArray<unsigned> Words(Threads);
  warmUp<<<Blocks, Threads>>>(Words.get());
  check(cudaDeviceSynchronize(), "warm-up");

  std::array<Kind, 3> Kinds = {{
      {"plain",
       [&] {
         plain<<<Blocks, Threads>>>(Words.get());
         return cudaGetLastError();
       }},
      {"cooperative",
       [&] {
         unsigned *Data = Words.get();
         void *Arguments[] = {&Data};
         return cudaLaunchCooperativeKernel(
             cooperative, dim3(Blocks), dim3(Threads), Arguments, 0, nullptr);
       }},
      {"persistent",
       [&] {
         return barricade::launch_persistent(persistent, Blocks, Threads, 0,
                                             nullptr, Words.get());
       }},
  }};
  // The orders by number: who is first, then which of the others.
  std::swap(Kinds[0], Kinds[Order % 3]);
  if (Order >= 3)
    std::swap(Kinds[1], Kinds[2]);
  for (unsigned Place = 0; Place < Kinds.size(); ++Place)
    report(Kinds[Place], Place, Launches);
}
