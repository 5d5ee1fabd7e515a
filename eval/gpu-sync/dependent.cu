// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that wait for the grid before, by themselves and as graphs of sixteen
// with programmatic edges: where the wait stands, and whether a trigger lets
// the next grid's blocks start before this one's have ended.
//
//   dependent [STEPS]
//
// Blocks of 256 threads, a step between two buffers. CSV: blocks, fused
// multiply-adds for each element, and us a step (medians of nine loops), first
// by launches, then by graphs, of
//
//   first      the wait is the first statement, no trigger
//   early      a trigger right behind the wait
//   late       a trigger before the stores
//   table      the wait stands behind a load of memory that no kernel writes
//
// Every element is compared with that of the first form after each loop.

#include "eval/gpu-sync/harness.cuh"

#include <chrono>
#include <random>

using namespace harness;

namespace {

enum class Form { First, Early, Late, Table };

/// Nothing before sm_90, where launches do not overlap.
__device__ void waitForGrid() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
__device__ void trigger() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

template <Form F>
__global__ void relax(float *To, const float *From, const float *Weights, int N,
                      int Work) {
  if (F != Form::Table)
    waitForGrid();
  if (F == Form::Early)
    trigger();
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  const bool IsInside = I > 0 && I < N - 1;
  float Value = 0;
  if (F == Form::Table) {
    Value = IsInside ? Weights[I] : 0;
    waitForGrid();
  } else if (IsInside) {
    Value = Weights[I];
  }
  if (IsInside) {
    Value *= From[I - 1] + From[I + 1];
    for (int K = 0; K < Work; ++K)
      Value = Value * 0.999f + 0.001f;
  }
  if (F == Form::Late)
    trigger();
  if (IsInside)
    To[I] = Value;
}

struct Loop {
  void (*Kernel)(float *, const float *, const float *, int, int);
  unsigned Blocks;
  int Work;
  float *A, *B;
  const float *Weights;
  cudaStream_t Stream;

  void launch(int Step) const {
    cudaLaunchAttribute Attribute;
    Attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    Attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t Config = {};
    Config.gridDim = Blocks;
    Config.blockDim = 256;
    Config.stream = Stream;
    Config.attrs = &Attribute;
    Config.numAttrs = 1;
    const float *From = Step % 2 ? B : A;
    check(cudaLaunchKernelEx(&Config, Kernel, Step % 2 ? A : B, From, Weights,
                             int(Blocks * 256), Work),
          "launch");
  }

  cudaGraphExec_t record() const {
    cudaGraph_t Graph;
    cudaGraphExec_t Ready;
    check(cudaStreamBeginCapture(Stream, cudaStreamCaptureModeGlobal), "begin");
    for (int Step = 0; Step < 16; ++Step)
      launch(Step);
    check(cudaStreamEndCapture(Stream, &Graph), "end");
    check(cudaGraphInstantiate(&Ready, Graph, 0), "instantiate");
    check(cudaGraphDestroy(Graph), "destroy");
    return Ready;
  }

  /// Graph: null for single launches.
  double microseconds(int Steps, cudaGraphExec_t Graph) const {
    const auto Begin = std::chrono::steady_clock::now();
    for (int Step = 0; Step < Steps; Step += Graph ? 16 : 1)
      if (Graph)
        check(cudaGraphLaunch(Graph, Stream), "graph");
      else
        launch(Step);
    check(cudaStreamSynchronize(Stream), "loop");
    const auto End = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::micro>(End - Begin).count() /
           Steps;
  }
};

} // namespace

int main(int Argc, char **Argv) {
  const int Steps = Argc > 1 ? std::atoi(Argv[1]) / 16 * 16 : 512;
  constexpr int Most = 16896 * 256;
  std::mt19937 Random(std::random_device{}());
  std::uniform_real_distribution<float> Numbers(0, 0.5f);
  std::vector<float> Start(Most), Want, Weights(Most);
  for (int I = 0; I < Most; ++I)
    Start[I] = Numbers(Random), Weights[I] = Numbers(Random);
  DeviceArray<float> A(Most), B(Most), OfWeights(Most);
  OfWeights.upload(Weights);
  cudaStream_t Stream;
  check(cudaStreamCreate(&Stream), "stream");
  std::puts("blocks,work,first,early,late,table,graph_first,graph_early,"
            "graph_late,graph_table");
  for (unsigned Blocks : {33u, 132u, 528u, 1056u, 2112u, 8448u, 16896u})
    for (int Work : {0, 200, 2000}) {
      std::printf("%u,%d", Blocks, Work);
      for (bool ByGraph : {false, true})
        for (auto *Kernel : {relax<Form::First>, relax<Form::Early>,
                             relax<Form::Late>, relax<Form::Table>}) {
          const Loop L = {Kernel,  Blocks,          Work,  A.get(),
                          B.get(), OfWeights.get(), Stream};
          const cudaGraphExec_t Graph = ByGraph ? L.record() : nullptr;
          std::vector<double> Times;
          for (int Run = 0; Run < 9; ++Run) {
            A.upload(Start);
            B.upload(Start);
            check(cudaDeviceSynchronize(), "upload");
            Times.push_back(L.microseconds(Steps, Graph));
            const std::vector<float> Got = A.download(Blocks * 256);
            if (!ByGraph && Kernel == relax<Form::First> && Run == 0)
              Want = Got;
            if (Got != Want) {
              std::fprintf(stderr, "%u blocks are wrong\n", Blocks);
              return 1;
            }
          }
          std::sort(Times.begin(), Times.end());
          std::printf(",%.2f", Times[Times.size() / 2]);
          if (Graph)
            check(cudaGraphExecDestroy(Graph), "destroy");
        }
      std::puts("");
      std::fflush(stdout);
    }
}
