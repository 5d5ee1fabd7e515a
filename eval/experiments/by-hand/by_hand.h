// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the samples' loops written by hand have in common: forms that experts
// write, to be compared with what barricade writes.

#pragma once

#include <algorithm>
#include <cooperative_groups.h>
#include <utility>

namespace by_hand {

/// With KEEP_GRAPHS a graph is instantiated in the first run, for every run
/// does the same; else in each, which counts.
#ifdef KEEP_GRAPHS
constexpr bool keepsGraphs = true;
#else
constexpr bool keepsGraphs = false;
#endif

/// What `record` launches into its stream as one graph. `Record` is the type
/// of one lambda, so each loop has a graph of its own.
template <class Record> void runAsGraph(Record record) {
  static cudaGraphExec_t kept = nullptr;
  cudaGraphExec_t instance = kept;
  if (!instance) {
    static cudaStream_t stream = [] {
      cudaStream_t created = nullptr;
      CUDA_CHECK(cudaStreamCreateWithFlags(&created, cudaStreamNonBlocking));
      return created;
    }();
    cudaGraph_t graph = nullptr;
    CUDA_CHECK(
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    record(stream);
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&instance, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
  }
  CUDA_CHECK(cudaGraphLaunch(instance, nullptr));
  if (keepsGraphs)
    kept = instance;
  else
    CUDA_CHECK(cudaGraphExecDestroy(instance));
}

/// A launch with `attribute`, which its caller has given a value.
template <class... Parameters, class... Arguments>
void launchWith(cudaLaunchAttribute attribute, void (*kernel)(Parameters...),
                dim3 grid, dim3 block, Arguments... arguments) {
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = block;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...));
}

/// All blocks of `kernel`, the only one of its type, fit on the GPU at once.
template <class... Parameters>
bool fits(void (*kernel)(Parameters...), dim3 grid, dim3 block) {
  static const int fitting = [&] {
    int device = 0, multiprocessors = 0, blocks = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors,
                                      cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, kernel, int(block.x * block.y), 0));
    return multiprocessors * blocks;
  }();
  return grid.x * grid.y <= unsigned(fitting);
}

/// Launches `kernel`, all blocks of which are there at once. False: they do
/// not fit.
template <class... Parameters, class... Arguments>
bool launchCooperative(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                       Arguments... arguments) {
  if (!fits(kernel, grid, block))
    return false;
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  launchWith(attribute, kernel, grid, block, arguments...);
  return true;
}

/// A launch that may begin before the one before has ended.
template <class... Parameters, class... Arguments>
void launchDependent(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                     Arguments... arguments) {
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  launchWith(attribute, kernel, grid, block, arguments...);
}

} // namespace by_hand
