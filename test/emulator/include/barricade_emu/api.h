// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the CUDA runtime API that the executor offers. Work is done in
// the order of the calls, whatever the stream: one of the orders that CUDA
// allows.

#ifndef BARRICADE_EMU_API_H
#define BARRICADE_EMU_API_H

#include "types.h"

#include <cstddef>
#include <type_traits>
#include <utility>

// Names and values as in the toolkit's driver_types.h.
#define BARRICADE_EMU_ERRORS(X)                                                \
  X(cudaSuccess, 0, "no error")                                                \
  X(cudaErrorInvalidValue, 1, "invalid argument")                              \
  X(cudaErrorMemoryAllocation, 2, "out of memory")                             \
  X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")        \
  X(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                  \
  X(cudaErrorInvalidSymbol, 13, "invalid device symbol")                       \
  X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")               \
  X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")  \
  X(cudaErrorInvalidDeviceFunction, 98, "invalid device function")             \
  X(cudaErrorInvalidDevice, 101, "invalid device ordinal")                     \
  X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")            \
  X(cudaErrorNotReady, 600, "device not ready")                                \
  X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")  \
  X(cudaErrorLaunchOutOfResources, 701,                                        \
    "too many resources requested for launch")                                 \
  X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")    \
  X(cudaErrorLaunchFailure, 719, "unspecified launch failure")                 \
  X(cudaErrorCooperativeLaunchTooLarge, 720,                                   \
    "too many blocks in cooperative launch")                                   \
  X(cudaErrorNotSupported, 801, "operation not supported")                     \
  X(cudaErrorStreamCaptureUnsupported, 900,                                    \
    "operation not permitted when stream is capturing")                        \
  X(cudaErrorUnknown, 999, "unknown error")

enum cudaError {
#define BARRICADE_EMU_ENUM(NAME, VALUE, TEXT) NAME = VALUE,
  BARRICADE_EMU_ERRORS(BARRICADE_EMU_ENUM)
#undef BARRICADE_EMU_ENUM
};
using cudaError_t = cudaError;

enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};

enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxBlockDimX = 2,
  cudaDevAttrMaxBlockDimY = 3,
  cudaDevAttrMaxBlockDimZ = 4,
  cudaDevAttrMaxGridDimX = 5,
  cudaDevAttrMaxGridDimY = 6,
  cudaDevAttrMaxGridDimZ = 7,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrClockRate = 13,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrKernelExecTimeout = 17,
  cudaDevAttrConcurrentKernels = 31,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrUnifiedAddressing = 41,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrManagedMemory = 83,
  cudaDevAttrConcurrentManagedAccess = 89,
  cudaDevAttrCooperativeLaunch = 95,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
  cudaDevAttrMaxBlocksPerMultiprocessor = 106,
  cudaDevAttrMemoryPoolsSupported = 115
};

struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int multiProcessorCount, integrated, canMapHostMemory, concurrentKernels,
      ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver,
      asyncEngineCount, unifiedAddressing, memoryBusWidth, l2CacheSize,
      maxThreadsPerMultiProcessor, streamPrioritiesSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard,
      hostNativeAtomicSupported, pageableMemoryAccess, concurrentManagedAccess,
      computePreemptionSupported, cooperativeLaunch;
  size_t sharedMemPerBlockOptin;
  int maxBlocksPerMultiProcessor;
  size_t reservedSharedMemPerBlock;
  int memoryPoolsSupported;
};

enum cudaFuncCache {
  cudaFuncCachePreferNone,
  cudaFuncCachePreferShared,
  cudaFuncCachePreferL1,
  cudaFuncCachePreferEqual
};
enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault,
  cudaSharedMemBankSizeFourByte,
  cudaSharedMemBankSizeEightByte
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 13
};
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA,
      maxDynamicSharedSizeBytes, preferredShmemCarveout;
};
enum cudaMemoryType {
  cudaMemoryTypeUnregistered,
  cudaMemoryTypeHost,
  cudaMemoryTypeDevice,
  cudaMemoryTypeManaged
};
struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void *devicePointer, *hostPointer;
};
enum cudaLimit {
  cudaLimitStackSize,
  cudaLimitPrintfFifoSize,
  cudaLimitMallocHeapSize
};
enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly,
  cudaMemAdviseSetPreferredLocation,
  cudaMemAdviseUnsetPreferredLocation,
  cudaMemAdviseSetAccessedBy,
  cudaMemAdviseUnsetAccessedBy
};
enum cudaMemLocationType {
  cudaMemLocationTypeDevice = 1,
  cudaMemLocationTypeHost
};
struct cudaMemLocation {
  cudaMemLocationType type;
  int id;
};

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef unsigned long long cudaGraphConditionalHandle;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef void (*cudaHostFn_t)(void *);
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void *);

enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal,
  cudaStreamCaptureModeThreadLocal,
  cudaStreamCaptureModeRelaxed
};

#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
#define cudaStreamDefault 0x00
#define cudaStreamNonBlocking 0x01
#define cudaEventDefault 0x00
#define cudaEventBlockingSync 0x01
#define cudaEventDisableTiming 0x02
#define cudaHostAllocDefault 0x00
#define cudaHostAllocPortable 0x01
#define cudaHostAllocMapped 0x02
#define cudaHostAllocWriteCombined 0x04
#define cudaHostRegisterDefault 0x00
#define cudaHostRegisterMapped 0x02
#define cudaMemAttachGlobal 0x01
#define cudaMemAttachHost 0x02
#define cudaOccupancyDefault 0x00
#define cudaDeviceScheduleAuto 0x00
#define cudaDeviceScheduleSpin 0x01
#define cudaDeviceScheduleBlockingSync 0x04
#define cudaDeviceMapHost 0x08
#define cudaCpuDeviceId (-1)

enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeCooperative = 2
};
union cudaLaunchAttributeValue {
  int cooperative;
};
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute *attrs;
  unsigned int numAttrs;
};

struct cudaKernelNodeParams {
  void *func;
  dim3 gridDim, blockDim;
  unsigned int sharedMemBytes;
  void **kernelParams, **extra;
};

enum { cudaGraphCondAssignDefault = 1 };
enum cudaGraphConditionalNodeType { cudaGraphCondTypeWhile = 1 };
enum cudaGraphNodeType { cudaGraphNodeTypeConditional = 13 };
struct cudaConditionalNodeParams {
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalNodeType type;
  unsigned int size;
  cudaGraph_t *phGraph_out;
};
struct cudaGraphNodeParams {
  cudaGraphNodeType type;
  cudaConditionalNodeParams conditional;
};
struct cudaGraphEdgeData {
  unsigned char from_port, to_port, type, reserved[5];
};

extern "C" {
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char *cudaGetErrorString(cudaError_t Error);
const char *cudaGetErrorName(cudaError_t Error);

cudaError_t cudaGetDeviceCount(int *Count);
cudaError_t cudaGetDevice(int *Device);
cudaError_t cudaSetDevice(int Device);
cudaError_t cudaInitDevice(int Device, unsigned DeviceFlags, unsigned Flags);
cudaError_t cudaSetDeviceFlags(unsigned Flags);
cudaError_t cudaDeviceReset();
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaThreadSynchronize();
cudaError_t cudaThreadExit();
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *Prop, int Device);
cudaError_t cudaDeviceGetAttribute(int *Value, cudaDeviceAttr Attr, int Device);
cudaError_t cudaDeviceSetLimit(cudaLimit Limit, size_t Value);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache Config);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig Config);
cudaError_t cudaDriverGetVersion(int *Version);
cudaError_t cudaRuntimeGetVersion(int *Version);
cudaError_t cudaMemGetInfo(size_t *Free, size_t *Total);
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();

cudaError_t cudaFree(void *Ptr);
cudaError_t cudaFreeHost(void *Ptr);
cudaError_t cudaFreeAsync(void *Ptr, cudaStream_t Stream);
cudaError_t cudaHostRegister(void *Ptr, size_t Size, unsigned Flags);
cudaError_t cudaHostUnregister(void *Ptr);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *Attributes,
                                     const void *Ptr);
cudaError_t cudaMemcpy(void *Dst, const void *Src, size_t Size,
                       cudaMemcpyKind Kind);
cudaError_t cudaMemcpyAsync(void *Dst, const void *Src, size_t Size,
                            cudaMemcpyKind Kind, cudaStream_t Stream = nullptr);
cudaError_t cudaMemcpy2D(void *Dst, size_t DstPitch, const void *Src,
                         size_t SrcPitch, size_t Width, size_t Height,
                         cudaMemcpyKind Kind);
cudaError_t cudaMemcpy2DAsync(void *Dst, size_t DstPitch, const void *Src,
                              size_t SrcPitch, size_t Width, size_t Height,
                              cudaMemcpyKind Kind,
                              cudaStream_t Stream = nullptr);
cudaError_t cudaMemset(void *Ptr, int Value, size_t Size);
cudaError_t cudaMemsetAsync(void *Ptr, int Value, size_t Size,
                            cudaStream_t Stream = nullptr);
cudaError_t cudaMemset2D(void *Ptr, size_t Pitch, int Value, size_t Width,
                         size_t Height);

cudaError_t cudaStreamCreate(cudaStream_t *Stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *Stream, unsigned Flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *Stream, unsigned Flags,
                                         int Priority);
cudaError_t cudaStreamDestroy(cudaStream_t Stream);
cudaError_t cudaStreamSynchronize(cudaStream_t Stream);
cudaError_t cudaStreamQuery(cudaStream_t Stream);
cudaError_t cudaStreamGetId(cudaStream_t Stream, unsigned long long *Id);
cudaError_t cudaStreamWaitEvent(cudaStream_t Stream, cudaEvent_t Event,
                                unsigned Flags = 0);
cudaError_t cudaLaunchHostFunc(cudaStream_t Stream, cudaHostFn_t Fn,
                               void *Data);
cudaError_t cudaStreamAddCallback(cudaStream_t Stream,
                                  cudaStreamCallback_t Callback, void *Data,
                                  unsigned Flags);
// Graphs of kernels. Those that a node depends on are there before it, so the
// order in which nodes are added is one that CUDA allows.
cudaError_t cudaGraphCreate(cudaGraph_t *Graph, unsigned Flags);
cudaError_t cudaGraphDestroy(cudaGraph_t Graph);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                                   const cudaGraphNode_t *Dependencies,
                                   size_t Count,
                                   const cudaKernelNodeParams *Params);
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *Handle,
                                             cudaGraph_t Graph,
                                             unsigned AtLaunch, unsigned Flags);
/// Of WHILE nodes alone.
cudaError_t cudaGraphAddNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                             const cudaGraphNode_t *Dependencies,
                             const cudaGraphEdgeData *Edges, size_t Count,
                             cudaGraphNodeParams *Params);
void cudaGraphSetConditional(cudaGraphConditionalHandle Handle, unsigned Value);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *Exec,
                                          cudaGraph_t Graph,
                                          unsigned long long Flags);
cudaError_t
cudaGraphExecKernelNodeSetParams(cudaGraphExec_t Exec, cudaGraphNode_t Node,
                                 const cudaKernelNodeParams *Params);
cudaError_t cudaGraphLaunch(cudaGraphExec_t Exec, cudaStream_t Stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t Exec);
cudaError_t cudaEventCreate(cudaEvent_t *Event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *Event, unsigned Flags);
cudaError_t cudaEventDestroy(cudaEvent_t Event);
cudaError_t cudaEventRecord(cudaEvent_t Event, cudaStream_t Stream = nullptr);
cudaError_t cudaEventSynchronize(cudaEvent_t Event);
cudaError_t cudaEventQuery(cudaEvent_t Event);
cudaError_t cudaEventElapsedTime(float *Milliseconds, cudaEvent_t Start,
                                 cudaEvent_t End);
}

namespace barricade_emu {
enum class MemoryKind { Device, Managed, Pinned };
cudaError_t allocate(void **Ptr, size_t Size, MemoryKind Kind);
cudaError_t launchByHandle(const void *Kernel, dim3 Grid, dim3 Block,
                           void **Args, size_t Shared, cudaStream_t Stream,
                           bool Cooperative);
void setCooperative(bool Cooperative);
void setLastError(cudaError_t Error);
cudaError_t maxActiveBlocks(int *Blocks, int BlockSize, size_t Shared);
cudaError_t copyDevice(void *Dst, const void *Src, size_t Size,
                       cudaMemcpyKind Kind);
template <class... Params> auto kernelHandle(void (*Kernel)(Params...));
/// Of a kernel that was launched by its handle; ends with 0. Null: of none.
const size_t *argumentSizes(const void *Kernel);
template <class T> const void *handleOf(T *Function) {
  if constexpr (std::is_function_v<T>)
    return reinterpret_cast<const void *>(kernelHandle(Function));
  else
    return Function;
}
} // namespace barricade_emu

template <class T> inline cudaError_t cudaMalloc(T **Ptr, size_t Size) {
  return barricade_emu::allocate((void **)Ptr, Size,
                                 barricade_emu::MemoryKind::Device);
}
template <class T>
inline cudaError_t cudaMallocAsync(T **Ptr, size_t Size, cudaStream_t) {
  return cudaMalloc(Ptr, Size);
}
template <class T>
inline cudaError_t cudaMallocManaged(T **Ptr, size_t Size,
                                     unsigned = cudaMemAttachGlobal) {
  return barricade_emu::allocate((void **)Ptr, Size,
                                 barricade_emu::MemoryKind::Managed);
}
template <class T>
inline cudaError_t cudaMallocHost(T **Ptr, size_t Size, unsigned = 0) {
  return barricade_emu::allocate((void **)Ptr, Size,
                                 barricade_emu::MemoryKind::Pinned);
}
template <class T>
inline cudaError_t cudaHostAlloc(T **Ptr, size_t Size, unsigned Flags) {
  return cudaMallocHost(Ptr, Size, Flags);
}
template <class T>
inline cudaError_t cudaMallocPitch(T **Ptr, size_t *Pitch, size_t Width,
                                   size_t Height) {
  *Pitch = (Width + 511) / 512 * 512;
  return cudaMalloc(Ptr, *Pitch * Height);
}
template <class T>
inline cudaError_t cudaHostGetDevicePointer(T **Device, void *Host, unsigned) {
  *Device = static_cast<T *>(Host);
  return cudaSuccess;
}
template <class... Hints>
inline cudaError_t cudaMemPrefetchAsync(const void *, size_t, Hints...) {
  return cudaSuccess;
}
template <class... Hints>
inline cudaError_t cudaMemAdvise(const void *, size_t, Hints...) {
  return cudaSuccess;
}

template <class T>
inline cudaError_t
cudaMemcpyToSymbol(T &Symbol, const void *Src, size_t Size, size_t Offset = 0,
                   cudaMemcpyKind Kind = cudaMemcpyHostToDevice) {
  return barricade_emu::copyDevice((char *)&Symbol + Offset, Src, Size, Kind);
}
template <class T>
inline cudaError_t
cudaMemcpyFromSymbol(void *Dst, const T &Symbol, size_t Size, size_t Offset = 0,
                     cudaMemcpyKind Kind = cudaMemcpyDeviceToHost) {
  return barricade_emu::copyDevice(Dst, (const char *)&Symbol + Offset, Size,
                                   Kind);
}
template <class T>
inline cudaError_t
cudaMemcpyToSymbolAsync(T &Symbol, const void *Src, size_t Size, size_t Offset,
                        cudaMemcpyKind Kind, cudaStream_t = nullptr) {
  return cudaMemcpyToSymbol(Symbol, Src, Size, Offset, Kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void *Dst, const T &Symbol,
                                             size_t Size, size_t Offset,
                                             cudaMemcpyKind Kind,
                                             cudaStream_t = nullptr) {
  return cudaMemcpyFromSymbol(Dst, Symbol, Size, Offset, Kind);
}
template <class T>
inline cudaError_t cudaGetSymbolAddress(void **Ptr, T &Symbol) {
  *Ptr = (void *)&Symbol;
  return cudaSuccess;
}
template <class T>
inline cudaError_t cudaGetSymbolSize(size_t *Size, const T &) {
  *Size = sizeof(T);
  return cudaSuccess;
}

template <class Kernel>
inline cudaError_t cudaLaunchKernel(Kernel *Function, dim3 Grid, dim3 Block,
                                    void **Args, size_t Shared = 0,
                                    cudaStream_t Stream = nullptr) {
  return barricade_emu::launchByHandle(barricade_emu::handleOf(Function), Grid,
                                       Block, Args, Shared, Stream, false);
}
template <class Kernel>
inline cudaError_t cudaLaunchCooperativeKernel(Kernel *Function, dim3 Grid,
                                               dim3 Block, void **Args,
                                               size_t Shared = 0,
                                               cudaStream_t Stream = nullptr) {
  return barricade_emu::launchByHandle(barricade_emu::handleOf(Function), Grid,
                                       Block, Args, Shared, Stream, true);
}
namespace barricade_emu {
void configure(dim3 Grid, dim3 Block, size_t Shared, cudaStream_t Stream);
}
template <class... Params, class... Args>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *Config,
                                      void (*Kernel)(Params...),
                                      Args &&...Arguments) {
  barricade_emu::configure(Config->gridDim, Config->blockDim,
                           Config->dynamicSmemBytes, Config->stream);
  for (unsigned I = 0; I != Config->numAttrs; ++I)
    if (Config->attrs[I].id == cudaLaunchAttributeCooperative)
      barricade_emu::setCooperative(Config->attrs[I].val.cooperative);
  Kernel(static_cast<Args &&>(Arguments)...);
  return cudaPeekAtLastError();
}
template <class Kernel>
inline cudaError_t cudaFuncSetAttribute(Kernel *, cudaFuncAttribute, int) {
  return cudaSuccess;
}
template <class Kernel>
inline cudaError_t cudaFuncSetCacheConfig(Kernel *, cudaFuncCache) {
  return cudaSuccess;
}
template <class Kernel>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *Attributes,
                                         Kernel *) {
  *Attributes = {0, 0, 0, 1024, 32, 90, 90, 0, 48 << 10, 0};
  return cudaSuccess;
}
template <class Kernel>
inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks, Kernel *,
                                              int BlockSize, size_t Shared) {
  return barricade_emu::maxActiveBlocks(Blocks, BlockSize, Shared);
}
template <class Kernel>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *Blocks, Kernel *, int BlockSize, size_t Shared, unsigned) {
  return barricade_emu::maxActiveBlocks(Blocks, BlockSize, Shared);
}
template <class Kernel>
inline cudaError_t
cudaOccupancyMaxPotentialBlockSize(int *MinGrid, int *Block, Kernel *,
                                   size_t Shared = 0, int Limit = 0) {
  *Block = Limit > 0 && Limit < 256 ? Limit : 256;
  int Blocks = 0, Sms = 0;
  cudaDeviceGetAttribute(&Sms, cudaDevAttrMultiProcessorCount, 0);
  cudaError_t Error = barricade_emu::maxActiveBlocks(&Blocks, *Block, Shared);
  *MinGrid = Blocks * Sms;
  return Error;
}

#endif // BARRICADE_EMU_API_H
