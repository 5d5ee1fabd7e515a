// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the experiments of this folder share.

#ifndef BARRICADE_EVAL_GPU_SYNC_HARNESS_CUH
#define BARRICADE_EVAL_GPU_SYNC_HARNESS_CUH

#include <cooperative_groups.h>

#include "runtime/barricade/gpu_sync.cuh"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace harness {

inline void check(cudaError_t E, const char *What) {
  if (E == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", What, cudaGetErrorString(E));
  std::exit(1);
}

/// Promises that were found broken.
inline int Failures = 0;

/// Prints whether a promise was kept.
inline void expect(bool Holds, const std::string &What) {
  std::printf("%s: %s\n", Holds ? "ok" : "BROKEN", What.c_str());
  std::fflush(stdout);
  Failures += !Holds;
}

/// Device memory for the life of the program's experiment.
template <typename T> class DeviceArray {
public:
  explicit DeviceArray(size_t Elements) : Size(Elements) {
    check(cudaMalloc(&Data, Size * sizeof(T)), "cudaMalloc");
    fill(0);
  }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;
  ~DeviceArray() { (void)cudaFree(Data); }

  /// Waits until the memory is filled: other streams may use it at once.
  void fill(int Byte) {
    check(cudaMemset(Data, Byte, Size * sizeof(T)), "cudaMemset");
    check(cudaStreamSynchronize(nullptr), "cudaMemset");
  }
  void upload(const std::vector<T> &From) {
    check(cudaMemcpy(Data, From.data(), From.size() * sizeof(T),
                     cudaMemcpyHostToDevice),
          "cudaMemcpy");
  }
  std::vector<T> download(size_t N) const {
    std::vector<T> To(N);
    check(cudaMemcpy(To.data(), Data, N * sizeof(T), cudaMemcpyDeviceToHost),
          "cudaMemcpy");
    return To;
  }
  T *get() const { return Data; }

private:
  T *Data = nullptr;
  size_t Size;
};

/// Launches as they are, in place of an object of the runtime's.
struct PlainLaunches {
  template <typename... Parameters>
  void
  launch(void (*Kernel)(Parameters...), dim3 Grid, dim3 Block, size_t Shared,
         cudaStream_t Stream,
         typename barricade::detail::NotDeduced<Parameters>::Type... Values) {
    Kernel<<<Grid, Block, Shared, Stream>>>(Values...);
  }
  void flush() {}
};

/// Launches Kernel cooperatively, so that no barrier can hang. Unlike
/// launch_persistent it takes any kernel and memory that the caller owns.
template <typename... Params>
cudaError_t
launchResident(void (*Kernel)(Params...), dim3 Grid, dim3 Block,
               typename barricade::detail::NotDeduced<Params>::Type... Args) {
  void *Arguments[] = {&Args...};
  return cudaLaunchCooperativeKernel(Kernel, Grid, Block, Arguments, 0,
                                     nullptr);
}

template <typename... Params>
unsigned residentBlocks(void (*Kernel)(Params...), dim3 Block) {
  unsigned Blocks = 0;
  check(barricade::max_resident_blocks(&Blocks, Kernel, Block, 0),
        "max_resident_blocks");
  return Blocks;
}

struct Spread {
  float Median, Min;
};

/// The milliseconds that Work keeps the default stream busy, from Repetitions
/// runs after one that warms up. Before is run before each and not timed.
template <typename BeforeT, typename WorkT>
Spread milliseconds(int Repetitions, BeforeT Before, WorkT Work) {
  cudaEvent_t Begin, End;
  check(cudaEventCreate(&Begin), "cudaEventCreate");
  check(cudaEventCreate(&End), "cudaEventCreate");
  std::vector<float> Times;
  for (int I = 0; I <= Repetitions; ++I) {
    Before();
    check(cudaEventRecord(Begin), "cudaEventRecord");
    Work();
    check(cudaEventRecord(End), "cudaEventRecord");
    check(cudaEventSynchronize(End), "cudaEventSynchronize");
    float Ms;
    check(cudaEventElapsedTime(&Ms, Begin, End), "cudaEventElapsedTime");
    if (I > 0)
      Times.push_back(Ms);
  }
  check(cudaEventDestroy(Begin), "cudaEventDestroy");
  check(cudaEventDestroy(End), "cudaEventDestroy");
  std::sort(Times.begin(), Times.end());
  return {Times[Times.size() / 2], Times.front()};
}

} // namespace harness

#endif
