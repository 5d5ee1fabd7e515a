// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA runtime API over the executor's memory. Calls complete before they
// return.

#include "barricade_emu/api.h"
#include "barricade_emu/launch.h"

#include "Emulator.h"

#include <chrono>
#include <cstring>

using namespace barricade_emu;

namespace {
cudaError_t LastError = cudaSuccess;

cudaError_t fail(cudaError_t Error) {
  if (Error != cudaSuccess)
    LastError = Error;
  return Error;
}

struct KernelCall {
  void (*Call)(const void *, void **);
  const size_t *ArgumentSizes;
};
std::unordered_map<const void *, KernelCall> Kernels;

cudaError_t copy(void *Dst, const void *Src, size_t Size, const char *Call,
                 const void *Site) {
  if (Size && (!Dst || !Src))
    return fail(cudaErrorInvalidValue);
  checkHostCopy(Src, Size, /*Writes=*/false, Call, Site);
  checkHostCopy(Dst, Size, /*Writes=*/true, Call, Site);
  memmove(Dst, Src, Size);
  copyInitialised(Dst, Src, Size);
  return cudaSuccess;
}

cudaError_t copy2D(void *Dst, size_t DstPitch, const void *Src, size_t SrcPitch,
                   size_t Width, size_t Height, const void *Site) {
  if (Width > DstPitch || Width > SrcPitch)
    return fail(cudaErrorInvalidPitchValue);
  for (size_t Row = 0; Row != Height; ++Row)
    if (cudaError_t Error =
            copy(static_cast<char *>(Dst) + Row * DstPitch,
                 static_cast<const char *>(Src) + Row * SrcPitch, Width,
                 "cudaMemcpy2D", Site))
      return Error;
  return cudaSuccess;
}

cudaError_t fill(void *Ptr, int Value, size_t Size, const void *Site) {
  if (Size && !Ptr)
    return fail(cudaErrorInvalidValue);
  checkHostCopy(Ptr, Size, /*Writes=*/true, "cudaMemset", Site);
  memset(Ptr, Value, Size);
  return cudaSuccess;
}

cudaError_t release(void *Ptr, const void *Site) {
  if (!Ptr || freeMemory(Ptr, Site))
    return cudaSuccess;
  const Allocation *A = findAllocation(reinterpret_cast<uintptr_t>(Ptr));
  if (A && A->FreedAt)
    report("use-after-free", "freed twice: " + A->Name, Site,
           {{"first freed here", A->FreedAt}});
  return fail(cudaErrorInvalidValue);
}

using Clock = std::chrono::steady_clock;
} // namespace

struct CUevent_st {
  Clock::time_point When;
  bool Recorded = false;
};
struct CUstream_st {};

namespace barricade_emu {

void setLastError(cudaError_t Error) { fail(Error); }

cudaError_t allocate(void **Ptr, size_t Size, MemoryKind Kind) {
  const void *Site = __builtin_return_address(0);
  *Ptr = nullptr;
  if (!Size)
    return cudaSuccess;
  static constexpr const char *Names[] = {"device memory", "managed memory",
                                          "pinned memory"};
  *Ptr = allocateMemory(
      Size, Kind == MemoryKind::Device ? Space::Device : Space::HostVisible,
      Names[int(Kind)], Site);
  return *Ptr ? cudaSuccess : fail(cudaErrorMemoryAllocation);
}

cudaError_t copyDevice(void *Dst, const void *Src, size_t Size,
                       cudaMemcpyKind) {
  return copy(Dst, Src, Size, "cudaMemcpy", __builtin_return_address(0));
}

void registerKernel(const void *Kernel, void (*Call)(const void *, void **),
                    const size_t *Sizes) {
  Kernels[Kernel] = {Call, Sizes};
}

const size_t *argumentSizes(const void *Kernel) {
  auto It = Kernels.find(Kernel);
  return It == Kernels.end() ? nullptr : It->second.ArgumentSizes;
}

cudaError_t launchByHandle(const void *Kernel, dim3 Grid, dim3 Block,
                           void **Args, size_t Shared, cudaStream_t Stream,
                           bool Cooperative) {
  auto It = Kernels.find(Kernel);
  if (It == Kernels.end())
    return fail(cudaErrorInvalidDeviceFunction);
  configureAt(Grid, Block, Shared, __builtin_return_address(0));
  setCooperative(Cooperative);
  cudaError_t Before = LastError;
  LastError = cudaSuccess;
  It->second.Call(Kernel, Args);
  cudaError_t Error = LastError;
  LastError = Error ? Error : Before;
  return Error;
}

DeviceVariable::DeviceVariable(const volatile void *Address, size_t Size,
                               const char *Name) {
  registerVariable(reinterpret_cast<uintptr_t>(Address), Size, Name);
}

} // namespace barricade_emu

#define SITE __builtin_return_address(0)

extern "C" {

cudaError_t cudaGetLastError() {
  cudaError_t Error = LastError;
  LastError = cudaSuccess;
  return Error;
}
cudaError_t cudaPeekAtLastError() { return LastError; }

const char *cudaGetErrorString(cudaError_t Error) {
  switch (Error) {
#define CASE(NAME, VALUE, TEXT)                                                \
  case NAME:                                                                   \
    return TEXT;
    BARRICADE_EMU_ERRORS(CASE)
#undef CASE
  }
  return "unrecognized error code";
}
const char *cudaGetErrorName(cudaError_t Error) {
  switch (Error) {
#define CASE(NAME, VALUE, TEXT)                                                \
  case NAME:                                                                   \
    return #NAME;
    BARRICADE_EMU_ERRORS(CASE)
#undef CASE
  }
  return "unrecognized error code";
}

cudaError_t cudaGetDeviceCount(int *Count) { return *Count = 1, cudaSuccess; }
cudaError_t cudaGetDevice(int *Device) { return *Device = 0, cudaSuccess; }
cudaError_t cudaSetDevice(int Device) {
  return Device ? fail(cudaErrorInvalidDevice) : cudaSuccess;
}
cudaError_t cudaInitDevice(int, unsigned, unsigned) { return cudaSuccess; }
cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
cudaError_t cudaDeviceReset() { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaThreadSynchronize() { return cudaSuccess; }
cudaError_t cudaThreadExit() { return cudaSuccess; }
cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return cudaSuccess; }
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int *V) {
  return *V = CUDA_VERSION, cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *V) {
  return *V = CUDART_VERSION, cudaSuccess;
}
cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }

cudaError_t cudaMemGetInfo(size_t *Free, size_t *Total) {
  *Total = DeviceSize;
  *Free = DeviceSize - usedDeviceMemory();
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *Value, cudaDeviceAttr Attr, int) {
  switch (Attr) {
  case cudaDevAttrMaxThreadsPerBlock:
  case cudaDevAttrMaxBlockDimX:
  case cudaDevAttrMaxBlockDimY:
    return *Value = MaxBlockThreads, cudaSuccess;
  case cudaDevAttrMaxBlockDimZ:
    return *Value = 64, cudaSuccess;
  case cudaDevAttrMaxGridDimX:
    return *Value = 0x7fffffff, cudaSuccess;
  case cudaDevAttrMaxGridDimY:
  case cudaDevAttrMaxGridDimZ:
    return *Value = 65535, cudaSuccess;
  case cudaDevAttrMaxSharedMemoryPerBlock:
    return *Value = 48 << 10, cudaSuccess;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    return *Value = 227 << 10, cudaSuccess;
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
    return *Value = 228 << 10, cudaSuccess;
  case cudaDevAttrWarpSize:
    return *Value = WarpSize, cudaSuccess;
  case cudaDevAttrClockRate:
    return *Value = 1000000, cudaSuccess;
  case cudaDevAttrMultiProcessorCount:
    return *Value = options().Sms, cudaSuccess;
  case cudaDevAttrMaxThreadsPerMultiProcessor:
    return *Value = options().ThreadsPerSm, cudaSuccess;
  case cudaDevAttrMaxBlocksPerMultiprocessor:
    return *Value = options().BlocksPerSm, cudaSuccess;
  case cudaDevAttrComputeCapabilityMajor:
    return *Value = 9, cudaSuccess;
  case cudaDevAttrComputeCapabilityMinor:
    return *Value = 0, cudaSuccess;
  case cudaDevAttrConcurrentKernels:
  case cudaDevAttrUnifiedAddressing:
  case cudaDevAttrManagedMemory:
  case cudaDevAttrCooperativeLaunch:
  case cudaDevAttrMemoryPoolsSupported:
    return *Value = 1, cudaSuccess;
  case cudaDevAttrConcurrentManagedAccess:
  case cudaDevAttrKernelExecTimeout:
    return *Value = 0, cudaSuccess;
  }
  return fail(cudaErrorInvalidValue);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *P, int Device) {
  if (Device)
    return fail(cudaErrorInvalidDevice);
  *P = {};
  strcpy(P->name, "barricade CPU executor");
  P->totalGlobalMem = DeviceSize;
  P->sharedMemPerBlock = 48 << 10;
  P->sharedMemPerBlockOptin = 227 << 10;
  P->sharedMemPerMultiprocessor = 228 << 10;
  P->reservedSharedMemPerBlock = 1 << 10;
  P->regsPerBlock = P->regsPerMultiprocessor = 65536;
  P->warpSize = WarpSize;
  P->maxThreadsPerBlock = MaxBlockThreads;
  P->maxThreadsDim[0] = P->maxThreadsDim[1] = MaxBlockThreads;
  P->maxThreadsDim[2] = 64;
  P->maxGridSize[0] = 0x7fffffff;
  P->maxGridSize[1] = P->maxGridSize[2] = 65535;
  P->totalConstMem = 64 << 10;
  P->major = 9;
  P->multiProcessorCount = options().Sms;
  P->maxThreadsPerMultiProcessor = options().ThreadsPerSm;
  P->maxBlocksPerMultiProcessor = options().BlocksPerSm;
  P->l2CacheSize = 50 << 20;
  P->canMapHostMemory = P->concurrentKernels = P->unifiedAddressing = 1;
  P->managedMemory = P->cooperativeLaunch = P->memoryPoolsSupported = 1;
  P->asyncEngineCount = 1;
  return cudaSuccess;
}

cudaError_t cudaFree(void *Ptr) { return release(Ptr, SITE); }
cudaError_t cudaFreeHost(void *Ptr) { return release(Ptr, SITE); }
cudaError_t cudaFreeAsync(void *Ptr, cudaStream_t) {
  return release(Ptr, SITE);
}
cudaError_t cudaHostRegister(void *Ptr, size_t Size, unsigned) {
  registerHostMemory(Ptr, Size);
  return cudaSuccess;
}
cudaError_t cudaHostUnregister(void *Ptr) {
  return unregisterHostMemory(Ptr) ? cudaSuccess : fail(cudaErrorInvalidValue);
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *Attributes,
                                     const void *Ptr) {
  uintptr_t Address = reinterpret_cast<uintptr_t>(Ptr);
  void *Plain = const_cast<void *>(Ptr);
  const Allocation *A = findAllocation(Address);
  if (!A || Address < A->Begin || Address >= A->Begin + A->Size || A->FreedAt)
    *Attributes = {cudaMemoryTypeUnregistered, -1, nullptr, Plain};
  else if (A->Kind != Space::HostVisible)
    *Attributes = {cudaMemoryTypeDevice, 0, Plain, nullptr};
  else if (A->Name == "managed memory")
    *Attributes = {cudaMemoryTypeManaged, 0, Plain, Plain};
  else
    *Attributes = {cudaMemoryTypeHost, 0, Plain, Plain};
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void *Dst, const void *Src, size_t Size,
                       cudaMemcpyKind) {
  return copy(Dst, Src, Size, "cudaMemcpy", SITE);
}
cudaError_t cudaMemcpyAsync(void *Dst, const void *Src, size_t Size,
                            cudaMemcpyKind, cudaStream_t) {
  return copy(Dst, Src, Size, "cudaMemcpyAsync", SITE);
}
cudaError_t cudaMemcpy2D(void *Dst, size_t DstPitch, const void *Src,
                         size_t SrcPitch, size_t Width, size_t Height,
                         cudaMemcpyKind) {
  return copy2D(Dst, DstPitch, Src, SrcPitch, Width, Height, SITE);
}
cudaError_t cudaMemcpy2DAsync(void *Dst, size_t DstPitch, const void *Src,
                              size_t SrcPitch, size_t Width, size_t Height,
                              cudaMemcpyKind, cudaStream_t) {
  return copy2D(Dst, DstPitch, Src, SrcPitch, Width, Height, SITE);
}
cudaError_t cudaMemset(void *Ptr, int Value, size_t Size) {
  return fill(Ptr, Value, Size, SITE);
}
cudaError_t cudaMemsetAsync(void *Ptr, int Value, size_t Size, cudaStream_t) {
  return fill(Ptr, Value, Size, SITE);
}
cudaError_t cudaMemset2D(void *Ptr, size_t Pitch, int Value, size_t Width,
                         size_t Height) {
  for (size_t Row = 0; Row != Height; ++Row)
    if (cudaError_t Error =
            fill(static_cast<char *>(Ptr) + Row * Pitch, Value, Width, SITE))
      return Error;
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *Stream) {
  return *Stream = new CUstream_st, cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *Stream, unsigned) {
  return cudaStreamCreate(Stream);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *Stream, unsigned, int) {
  return cudaStreamCreate(Stream);
}
cudaError_t cudaStreamDestroy(cudaStream_t Stream) {
  delete Stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamQuery(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamGetId(cudaStream_t Stream, unsigned long long *Id) {
  *Id = reinterpret_cast<uintptr_t>(Stream);
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) {
  return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t Fn, void *Data) {
  Fn(Data);
  return cudaSuccess;
}
cudaError_t cudaStreamAddCallback(cudaStream_t Stream,
                                  cudaStreamCallback_t Callback, void *Data,
                                  unsigned) {
  Callback(Stream, cudaSuccess, Data);
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *Event) {
  return *Event = new CUevent_st, cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *Event, unsigned) {
  return cudaEventCreate(Event);
}
cudaError_t cudaEventDestroy(cudaEvent_t Event) {
  delete Event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t Event, cudaStream_t) {
  Event->When = Clock::now();
  Event->Recorded = true;
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float *Milliseconds, cudaEvent_t Start,
                                 cudaEvent_t End) {
  if (!Start->Recorded || !End->Recorded)
    return fail(cudaErrorInvalidResourceHandle);
  *Milliseconds =
      std::chrono::duration<float, std::milli>(End->When - Start->When).count();
  return cudaSuccess;
}
}
