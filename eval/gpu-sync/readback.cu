// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that the host ends by what it reads back, as it is; with a persistent
// kernel that takes it over, whose grid must be resident, or may be clamped, so
// that blocks run in turn; and by hand, as a graph with a conditional node that
// repeats itself on the device.
//
//   readback FORM BLOCKS WORK STEPS [LOOPS]
//
// FORM: launches, exact, clamped, while (one step for each look at the flag),
// while4 (four steps: one too many does no harm here). BLOCKS of 256 threads,
// WORK fused multiply-adds for each element, about STEPS iterations, run LOOPS
// times. One line of CSV: what was asked, microseconds an iteration of the
// first loop, and the median of the others. A graph is made in each loop. Every
// element is compared after each.

#include "eval/gpu-sync/harness.cuh"

#include <chrono>
#include <random>
#include <string>

using namespace harness;

namespace {

constexpr unsigned Threads = 256;

/// Each element goes on by one, up to an aim of its own.
__device__ void step(uint3 blockIdx, unsigned *Values, const unsigned *Aims,
                     unsigned N, int Work, int *Changed) {
  const unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= N)
    return;
  float Worked = Values[I];
  for (int K = 0; K < Work; ++K)
    Worked = Worked * 0.999f + 0.25f;
  // The sum is never so, which no compiler knows.
  if (Values[I] == Aims[I] || Worked == -1)
    return;
  ++Values[I];
  *Changed = 1;
}

__global__ void approach(unsigned *Values, const unsigned *Aims, unsigned N,
                         int Work, int *Changed) {
  step(blockIdx, Values, Aims, N, Work, Changed);
}

__global__ void approachPersistent(barricade::GridBarrier Bar, dim3 Grid,
                                   unsigned *Values, const unsigned *Aims,
                                   unsigned N, int Work, int *Flag) {
  int Changed;
  do {
    Changed = 0;
    __gpu_sync(Bar, Flag, Changed);
    for (uint3 Block : barricade::logical_blocks(Grid))
      step(Block, Values, Aims, N, Work, Flag);
    __gpu_sync(Bar);
    Changed = *Flag;
  } while (Changed);
}

__global__ void goOn(cudaGraphConditionalHandle Again, int *Changed) {
  cudaGraphSetConditional(Again, *Changed != 0);
  *Changed = 0;
}

struct Loop {
  std::string Form;
  unsigned Blocks;
  int Work, Steps;
  unsigned N;
  unsigned *Values;
  const unsigned *Aims;
  int *Flag;

  void repeatOnDevice(int StepsEach) const {
    check(cudaMemset(Flag, 0, sizeof(int)), "flag");
    cudaGraph_t Graph;
    check(cudaGraphCreate(&Graph, 0), "graph");
    cudaGraphConditionalHandle Again;
    check(cudaGraphConditionalHandleCreate(&Again, Graph, 1,
                                           cudaGraphCondAssignDefault),
          "condition");
    cudaGraphNodeParams While = {};
    While.type = cudaGraphNodeTypeConditional;
    While.conditional.handle = Again;
    While.conditional.type = cudaGraphCondTypeWhile;
    While.conditional.size = 1;
    cudaGraphNode_t Outer;
    check(addNode(&Outer, Graph, nullptr, &While), "loop");
    cudaGraph_t Body = While.conditional.phGraph_out[0];
    cudaGraphNode_t Last = nullptr;
    for (int I = 0; I < StepsEach; ++I)
      Last = addKernel(Body, Last, approach, Blocks, Threads, Values, Aims, N,
                       Work, Flag);
    addKernel(Body, Last, goOn, 1, 1, Again, Flag);
    cudaGraphExec_t Ready;
    check(cudaGraphInstantiate(&Ready, Graph, 0), "instantiate");
    check(cudaGraphLaunch(Ready, nullptr), "launch");
    check(cudaStreamSynchronize(nullptr), "loop");
    check(cudaGraphExecDestroy(Ready), "destroy");
    check(cudaGraphDestroy(Graph), "destroy");
  }

  static cudaError_t addNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                             cudaGraphNode_t Before,
                             cudaGraphNodeParams *Params) {
    const size_t Count = Before ? 1 : 0;
#if CUDART_VERSION >= 13000
    return cudaGraphAddNode(Node, Graph, &Before, nullptr, Count, Params);
#else
    return cudaGraphAddNode(Node, Graph, &Before, Count, Params);
#endif
  }

  template <typename... Params, typename... Arguments>
  static cudaGraphNode_t addKernel(cudaGraph_t Graph, cudaGraphNode_t Before,
                                   void (*Kernel)(Params...), unsigned Grid,
                                   unsigned Block, Arguments... Given) {
    void *Addresses[] = {&Given...};
    cudaGraphNodeParams Node = {};
    Node.type = cudaGraphNodeTypeKernel;
    Node.kernel.func = reinterpret_cast<void *>(Kernel);
    Node.kernel.gridDim = Grid;
    Node.kernel.blockDim = Block;
    Node.kernel.kernelParams = Addresses;
    cudaGraphNode_t Result;
    check(addNode(&Result, Graph, Before, &Node), "kernel");
    return Result;
  }

  cudaError_t launchRest(bool MayClamp) const {
    return MayClamp ? barricade::launch_persistent(
                          approachPersistent, {approach}, Blocks, Threads, 0,
                          nullptr, Blocks, Values, Aims, N, Work, Flag)
                    : barricade::launch_persistent_exact(
                          approachPersistent, Blocks, Threads, 0, nullptr,
                          Blocks, Values, Aims, N, Work, Flag);
  }

  void runOnHost() const {
    const bool MayClamp = Form == "clamped";
    barricade::Takeover Exact(approachPersistent, Blocks, nullptr);
    barricade::Takeover Clamped(approachPersistent, Blocks, Threads, 0,
                                nullptr);
    barricade::Takeover &Takeover = MayClamp ? Clamped : Exact;
    int Changed;
    do {
      if (Form != "launches" && Takeover.is_due() &&
          launchRest(MayClamp) == cudaSuccess) {
        check(cudaStreamSynchronize(nullptr), "kernel");
        break;
      }
      Changed = 0;
      cudaMemcpy(Flag, &Changed, sizeof(int), cudaMemcpyHostToDevice);
      approach<<<Blocks, Threads>>>(Values, Aims, N, Work, Flag);
      cudaMemcpy(&Changed, Flag, sizeof(int), cudaMemcpyDeviceToHost);
    } while (Changed);
  }

  void run() const {
    if (Form == "while")
      repeatOnDevice(1);
    else if (Form == "while4")
      repeatOnDevice(4);
    else
      runOnHost();
  }
};

} // namespace

int main(int Argc, char **Argv) {
  if (Argc < 5) {
    std::fprintf(stderr, "usage: readback FORM BLOCKS WORK STEPS [LOOPS]\n");
    return 2;
  }
  Loop L = {};
  L.Form = Argv[1];
  L.Blocks = unsigned(std::atoi(Argv[2]));
  L.Work = std::atoi(Argv[3]);
  L.Steps = std::atoi(Argv[4]);
  L.N = L.Blocks * Threads;
  const int Loops = Argc > 5 ? std::atoi(Argv[5]) : 7;
  std::mt19937 Random(std::random_device{}());
  std::vector<unsigned> Aims(L.N);
  for (unsigned &Aim : Aims)
    Aim = Random() % (L.Steps + 1);
  Aims[Random() % L.N] = L.Steps;
  DeviceArray<unsigned> Values(L.N), DeviceAims(L.N);
  DeviceArray<int> Flag(1);
  DeviceAims.upload(Aims);
  L.Values = Values.get();
  L.Aims = DeviceAims.get();
  L.Flag = Flag.get();
  // The context, the module and the kernel of the launches are there.
  approach<<<1, 1>>>(L.Values, L.Aims, 0, 0, L.Flag);
  check(cudaDeviceSynchronize(), "warm-up");

  const std::vector<unsigned> Zeros(L.N, 0);
  std::vector<double> Times;
  for (int I = 0; I < Loops; ++I) {
    Values.upload(Zeros);
    check(cudaDeviceSynchronize(), "upload");
    const auto Begin = std::chrono::steady_clock::now();
    L.run();
    const auto End = std::chrono::steady_clock::now();
    Times.push_back(
        std::chrono::duration<double, std::micro>(End - Begin).count() /
        (L.Steps + 1));
    if (Values.download(L.N) != Aims) {
      std::fprintf(stderr, "loop %d is wrong\n", I);
      return 1;
    }
  }
  check(cudaGetLastError(), "launches");
  std::vector<double> Later(Times.begin() + 1, Times.end());
  std::sort(Later.begin(), Later.end());
  std::printf("%s,%u,%d,%d,%.2f,%.2f\n", L.Form.c_str(), L.Blocks, L.Work,
              L.Steps, Times[0], Later[Later.size() / 2]);
}
