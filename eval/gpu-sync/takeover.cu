// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop of launches as it is, as a persistent kernel from the start, and with
// a persistent kernel that may take it over, counted and not. One process per
// measurement, since the first use of a kernel is part of it.
//
//   takeover FORM BLOCKS WORK STEPS [LOOPS]
//
// FORM: launches, start, counted, uncounted, replayed, either. BLOCKS of 256
// threads, WORK fused multiply-adds for each element, STEPS iterations, run
// LOOPS times. One line of CSV: what was asked, microseconds of the first loop
// with its end, the median of the others, and the iterations of the takeovers
// in both (-1: none). The results are compared with the host's.

#include "eval/gpu-sync/harness.cuh"

#include <chrono>
#include <cmath>
#include <random>
#include <string>
#include <utility>

using namespace harness;

namespace {

constexpr unsigned Threads = 256;

__host__ __device__ float relaxed(const float *In, int I, int Work) {
  float Value = 0.5f * (In[I - 1] + In[I + 1]);
  for (int K = 0; K < Work; ++K)
    Value = Value * 0.999f + 0.25f;
  return Value;
}

__device__ void step(const float *In, float *Out, int N, int Work) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= 1 && I < N - 1)
    Out[I] = relaxed(In, I, Work);
}

__global__ void relax(const float *In, float *Out, int N, int Work) {
  step(In, Out, N, Work);
}

__global__ void relaxPersistent(barricade::GridBarrier Bar, int T, int Steps,
                                float *A, float *B, int N, int Work) {
  for (; T < Steps; ++T) {
    step(A, B, N, Work);
    __gpu_sync(Bar);
    barricade::swap(A, B);
  }
}

struct Loop {
  std::string Form;
  unsigned Blocks;
  int Work, Steps, N;

  cudaError_t launchRest(int T, float *A, float *B) const {
    return barricade::launch_persistent_exact(
        relaxPersistent, Blocks, Threads, 0, nullptr, T, Steps, A, B, N, Work);
  }

  int replay(float *A, float *B) const {
    barricade::ReplayedLaunches Replay(Steps);
    for (int T = 0; T < Steps; ++T) {
      Replay.launch(relax, Blocks, Threads, 0, nullptr, A, B, N, Work);
      std::swap(A, B);
    }
    return -1;
  }

  int takeOverOrReplay(float *A, float *B) const {
    barricade::ReplayedLaunches Replay(Steps);
    barricade::Takeover Takeover(relaxPersistent, Blocks, nullptr, Replay);
    for (int T = 0; T < Steps; ++T) {
      if (Takeover.is_due(Steps - T) && launchRest(T, A, B) == cudaSuccess)
        return T;
      Replay.launch(relax, Blocks, Threads, 0, nullptr, A, B, N, Work);
      std::swap(A, B);
    }
    return -1;
  }

  /// Returns the iteration of the takeover, or -1.
  int run(float *A, float *B) const {
    if (Form == "start" && launchRest(0, A, B) == cudaSuccess)
      return 0;
    if (Form == "replayed")
      return replay(A, B);
    if (Form == "either")
      return takeOverOrReplay(A, B);
    const bool IsCounted = Form == "counted";
    barricade::Takeover Takeover(relaxPersistent, Blocks, nullptr);
    for (int T = 0; T < Steps; ++T) {
      if (Form != "launches" &&
          (IsCounted ? Takeover.is_due(Steps - T) : Takeover.is_due()) &&
          launchRest(T, A, B) == cudaSuccess)
        return T;
      relax<<<Blocks, Threads>>>(A, B, N, Work);
      std::swap(A, B);
    }
    return -1;
  }
};

void compare(const Loop &L, const std::vector<float> &Start,
             const std::vector<float> &Got) {
  std::vector<float> A = Start, B = Start;
  for (int T = 0; T < L.Steps; ++T, std::swap(A, B))
    for (int I = 1; I < L.N - 1; ++I)
      B[I] = relaxed(A.data(), I, L.Work);
  for (int I = 0; I < L.N; ++I)
    if (!(std::fabs(Got[I] - A[I]) <= 1e-4f * std::fabs(A[I]))) {
      std::fprintf(stderr, "element %d is %g, not %g\n", I, Got[I], A[I]);
      std::exit(1);
    }
}

} // namespace

int main(int Argc, char **Argv) {
  if (Argc < 5) {
    std::fprintf(stderr, "usage: takeover FORM BLOCKS WORK STEPS [LOOPS]\n");
    return 2;
  }
  Loop L = {Argv[1], unsigned(std::atoi(Argv[2])), std::atoi(Argv[3]),
            std::atoi(Argv[4]), 0};
  L.N = int(L.Blocks * Threads);
  const int Loops = Argc > 5 ? std::atoi(Argv[5]) : 5;
  std::mt19937 Random(std::random_device{}());
  std::uniform_real_distribution<float> Numbers(1, 2);
  std::vector<float> Start(L.N);
  for (float &Number : Start)
    Number = Numbers(Random);
  DeviceArray<float> A(L.N), B(L.N);
  // The context, the module and the kernel of the launches are there.
  relax<<<1, 1>>>(A.get(), B.get(), 0, 0);
  check(cudaDeviceSynchronize(), "warm-up");

  std::vector<double> Times;
  std::vector<int> At;
  for (int I = 0; I < Loops; ++I) {
    A.upload(Start);
    B.upload(Start);
    check(cudaDeviceSynchronize(), "upload");
    const auto Begin = std::chrono::steady_clock::now();
    At.push_back(L.run(A.get(), B.get()));
    check(cudaDeviceSynchronize(), "loop");
    const auto End = std::chrono::steady_clock::now();
    Times.push_back(
        std::chrono::duration<double, std::micro>(End - Begin).count());
  }
  check(cudaGetLastError(), "launches");
  if (double(L.N) * L.Steps * (L.Work + 1) < 1e9)
    compare(L, Start, (L.Steps % 2 ? B : A).download(L.N));
  std::vector<double> Later(Times.begin() + 1, Times.end());
  std::sort(Later.begin(), Later.end());
  std::printf("%s,%u,%d,%d,%.1f,%.1f,%d,%d\n", L.Form.c_str(), L.Blocks, L.Work,
              L.Steps, Times[0], Later[Later.size() / 2], At[0], At.back());
}
