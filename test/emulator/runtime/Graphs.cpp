// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs of kernels, launched one after the other.

#include "barricade_emu/api.h"

#include "Emulator.h"

#include <memory>
#include <vector>

using namespace barricade_emu;

namespace {

/// A launch with a copy of each argument.
struct Launch {
  cudaKernelNodeParams Params{};
  std::vector<std::vector<char>> Arguments;

  /// Returns whether there is such a kernel and the grid is not empty.
  bool set(const cudaKernelNodeParams &From) {
    const size_t *Sizes = argumentSizes(From.func);
    if (!Sizes || !From.gridDim.x || !From.gridDim.y || !From.gridDim.z)
      return false;
    Params = From;
    Arguments.clear();
    for (size_t I = 0; Sizes[I]; ++I) {
      const char *Given = static_cast<const char *>(From.kernelParams[I]);
      Arguments.emplace_back(Given, Given + Sizes[I]);
    }
    return true;
  }

  cudaError_t run(cudaStream_t Stream) {
    std::vector<void *> Each;
    for (std::vector<char> &Argument : Arguments)
      Each.push_back(Argument.data());
    return launchByHandle(Params.func, Params.gridDim, Params.blockDim,
                          Each.data(), Params.sharedMemBytes, Stream, false);
  }
};

cudaError_t checked(bool IsValid) {
  if (!IsValid)
    setLastError(cudaErrorInvalidValue);
  return IsValid ? cudaSuccess : cudaErrorInvalidValue;
}

} // namespace

struct CUgraphNode_st {
  Launch What;
  size_t Index; ///< In its graph.
};
struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> Nodes;
};
struct CUgraphExec_st {
  std::vector<Launch> Launches;
};

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t *Graph, unsigned) {
  *Graph = new CUgraph_st;
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t Graph) {
  delete Graph;
  return cudaSuccess;
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                   const cudaGraphNode_t *, size_t,
                                   const cudaKernelNodeParams *Params) {
  auto New = std::make_unique<CUgraphNode_st>();
  New->Index = Graph->Nodes.size();
  if (!New->What.set(*Params))
    return checked(false);
  *Node = New.get();
  Graph->Nodes.push_back(std::move(New));
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *Exec,
                                          cudaGraph_t Graph,
                                          unsigned long long) {
  *Exec = new CUgraphExec_st;
  for (const auto &Node : Graph->Nodes)
    (*Exec)->Launches.push_back(Node->What);
  return cudaSuccess;
}
cudaError_t
cudaGraphExecKernelNodeSetParams(cudaGraphExec_t Exec, cudaGraphNode_t Node,
                                 const cudaKernelNodeParams *Params) {
  return checked(Exec->Launches[Node->Index].set(*Params));
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t Exec, cudaStream_t Stream) {
  for (Launch &Each : Exec->Launches)
    if (const cudaError_t Error = Each.run(Stream))
      return Error;
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t Exec) {
  delete Exec;
  return cudaSuccess;
}

} // extern "C"
