// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which streams are such that a graph in them would run otherwise than launches
// do. Runs without a GPU: what CUDA says is said here.

#include <cstdio>
#include <cstring>
#include <runtime/barricade/gpu_sync.cuh>

namespace {

struct Stream {
  int Priority;
  size_t Window;
  cudaLaunchMemSyncDomain Domain;
  unsigned char Map;
  bool IsGreen;
} Current;
bool KnowsDomains = true, KnowsGreen = true;

int getGreen(cudaStream_t, void **Context) {
  *Context = Current.IsGreen ? &Current : nullptr;
  return 0;
}

int Wrong = 0;
void expect(const char *What, bool IsSpecial) {
  if (barricade::detail::hasOwnWays(nullptr) == IsSpecial)
    return;
  ++Wrong;
  std::printf("%s: a graph %s\n", What, IsSpecial ? "is made" : "is not made");
}

} // namespace

extern "C" cudaError_t cudaStreamGetPriority(cudaStream_t, int *To) {
  *To = Current.Priority;
  return cudaSuccess;
}

extern "C" cudaError_t cudaStreamGetAttribute(cudaStream_t,
                                              cudaLaunchAttributeID Which,
                                              cudaLaunchAttributeValue *To) {
  *To = {};
  if (Which == cudaLaunchAttributeAccessPolicyWindow) {
    To->accessPolicyWindow.num_bytes = Current.Window;
    return cudaSuccess;
  }
  if (!KnowsDomains)
    return cudaErrorInvalidValue;
  if (Which == cudaLaunchAttributeMemSyncDomain)
    To->memSyncDomain = Current.Domain;
  else if (Which == cudaLaunchAttributeMemSyncDomainMap)
    To->memSyncDomainMap = {Current.Map, 1};
  else
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

extern "C" cudaError_t
cudaGetDriverEntryPointByVersion(const char *Name, void **To, unsigned,
                                 unsigned long long,
                                 cudaDriverEntryPointQueryResult *Result) {
  const bool Known = KnowsGreen && !std::strcmp(Name, "cuStreamGetGreenCtx");
  *To = Known ? reinterpret_cast<void *>(getGreen) : nullptr;
  *Result =
      Known ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

int main(int Count, char **) {
  // What the driver has is asked once.
  KnowsGreen = Count == 1;
  expect("plain", false);
  Current = {-1, 0, cudaLaunchMemSyncDomainDefault, 0, false};
  expect("priority", true);
  Current = {0, 4096, cudaLaunchMemSyncDomainDefault, 0, false};
  expect("window", true);
  Current = {0, 0, cudaLaunchMemSyncDomainRemote, 0, false};
  expect("remote domain", true);
  Current = {0, 0, cudaLaunchMemSyncDomainDefault, 2, false};
  expect("mapped domain", true);
  KnowsDomains = false;
  expect("a device without domains", false);
  Current = {0, 0, cudaLaunchMemSyncDomainDefault, 0, true};
  expect("green context", KnowsGreen);
  return Wrong;
}
