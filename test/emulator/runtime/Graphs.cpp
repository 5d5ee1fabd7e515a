// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs of kernels, launched one after the other, and of WHILE nodes.

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
  /// Of a WHILE node: what it repeats, as long as the condition is not 0.
  std::unique_ptr<CUgraph_st> Body;
  unsigned *Condition = nullptr;
};
struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> Nodes;
  struct Handle {
    unsigned Value, AtLaunch;
  };
  /// Executable graphs outlive the graph.
  std::vector<std::shared_ptr<Handle>> Handles;
};

namespace {

/// A node of an executable graph.
struct Step {
  const CUgraphNode_st *Node;
  Launch What;
  std::vector<Step> Body;
};

std::vector<Step> stepsOf(const CUgraph_st &Graph) {
  std::vector<Step> Steps;
  for (const auto &Node : Graph.Nodes)
    Steps.push_back({Node.get(), Node->What,
                     Node->Body ? stepsOf(*Node->Body) : std::vector<Step>()});
  return Steps;
}

Step *find(std::vector<Step> &Steps, cudaGraphNode_t Node) {
  for (Step &Each : Steps)
    if (Step *Found = Each.Node == Node ? &Each : find(Each.Body, Node))
      return Found;
  return nullptr;
}

cudaError_t run(std::vector<Step> &Steps, cudaStream_t Stream) {
  for (Step &Each : Steps) {
    cudaError_t Error = cudaSuccess;
    if (!Each.Node->Condition)
      Error = Each.What.run(Stream);
    else
      while (!Error && *Each.Node->Condition)
        Error = run(Each.Body, Stream);
    if (Error)
      return Error;
  }
  return cudaSuccess;
}

} // namespace

struct CUgraphExec_st {
  std::vector<Step> Steps;
  std::vector<std::shared_ptr<CUgraph_st::Handle>> Handles;
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
  if (!New->What.set(*Params))
    return checked(false);
  *Node = New.get();
  Graph->Nodes.push_back(std::move(New));
  return cudaSuccess;
}
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *Handle,
                                             cudaGraph_t Graph,
                                             unsigned AtLaunch,
                                             unsigned Flags) {
  if (Flags != cudaGraphCondAssignDefault)
    return checked(false);
  auto New = std::make_shared<CUgraph_st::Handle>();
  New->Value = New->AtLaunch = AtLaunch;
  *Handle = reinterpret_cast<cudaGraphConditionalHandle>(&New->Value);
  Graph->Handles.push_back(std::move(New));
  return cudaSuccess;
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                             const cudaGraphNode_t *, const cudaGraphEdgeData *,
                             size_t, cudaGraphNodeParams *Params) {
  if (Params->type != cudaGraphNodeTypeConditional ||
      Params->conditional.type != cudaGraphCondTypeWhile ||
      Params->conditional.size != 1)
    return checked(false);
  auto New = std::make_unique<CUgraphNode_st>();
  New->Condition = reinterpret_cast<unsigned *>(Params->conditional.handle);
  New->Body = std::make_unique<CUgraph_st>();
  // It lives as long as its node does.
  static thread_local cudaGraph_t Bodies[1];
  Bodies[0] = New->Body.get();
  Params->conditional.phGraph_out = Bodies;
  *Node = New.get();
  Graph->Nodes.push_back(std::move(New));
  return cudaSuccess;
}
void cudaGraphSetConditional(cudaGraphConditionalHandle Handle,
                             unsigned Value) {
  *reinterpret_cast<unsigned *>(Handle) = Value;
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *Exec,
                                          cudaGraph_t Graph,
                                          unsigned long long) {
  *Exec = new CUgraphExec_st{stepsOf(*Graph), Graph->Handles};
  return cudaSuccess;
}
cudaError_t
cudaGraphExecKernelNodeSetParams(cudaGraphExec_t Exec, cudaGraphNode_t Node,
                                 const cudaKernelNodeParams *Params) {
  Step *Found = find(Exec->Steps, Node);
  return checked(Found && Found->What.set(*Params));
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t Exec, cudaStream_t Stream) {
  for (const auto &Each : Exec->Handles)
    Each->Value = Each->AtLaunch;
  return run(Exec->Steps, Stream);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t Exec) {
  delete Exec;
  return cudaSuccess;
}

} // extern "C"
