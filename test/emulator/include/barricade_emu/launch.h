// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What translated programs call: launches, kernel bodies, shared variables and
// device variables. See translate/Translate.cpp for who writes these calls.

#ifndef BARRICADE_EMU_LAUNCH_H
#define BARRICADE_EMU_LAUNCH_H

#include "api.h"
#include "types.h"

/// Keeps the race detector's instrumentation out of the executor's own code.
#define BARRICADE_EMU_RAW                                                      \
  __attribute__((noinline, disable_sanitizer_instrumentation))

// Clang wants this declared to parse a launch; translated programs never call
// it.
extern "C" unsigned __cudaPushCallConfiguration(dim3 Grid, dim3 Block,
                                                size_t Shared = 0,
                                                void *Stream = nullptr);
extern "C" int cudaConfigureCall(dim3 Grid, dim3 Block, size_t Shared = 0,
                                 cudaStream_t Stream = nullptr);

namespace barricade_emu {

/// Sets the geometry of the kernel call that follows.
void configure(dim3 Grid, dim3 Block, size_t Shared = 0,
               cudaStream_t Stream = nullptr);

/// The same for a launch called from \p Site.
void configureAt(dim3 Grid, dim3 Block, size_t Shared, const void *Site);

/// Runs Body(Closure) once in every thread of the configured grid.
void launch(const char *Kernel, void (*Body)(void *), void *Closure,
            size_t ClosureSize);

template <class Fn> BARRICADE_EMU_RAW void runCopy(void *Closure) {
  Fn Copy(*static_cast<Fn *>(Closure));
  Copy();
}

/// The body of kernel \p Kernel, its arguments captured in \p Body. Each
/// thread gets its own copy of the arguments.
template <class Fn>
BARRICADE_EMU_RAW void runKernel(const char *Kernel, Fn Body) {
  launch(Kernel, runCopy<Fn>, &Body, sizeof(Body));
}

/// Remembers how to call \p Kernel with an array of pointers to arguments, for
/// cudaLaunchKernel and cudaLaunchCooperativeKernel, and what sizes these have,
/// for graphs, which copy them. A size of 0 is behind the last one.
void registerKernel(const void *Kernel, void (*Call)(const void *, void **),
                    const size_t *Sizes);

template <class... Params, size_t... I>
void callKernel(void (*Kernel)(Params...), void **Args,
                std::index_sequence<I...>) {
  Kernel(*static_cast<std::remove_reference_t<Params> *>(Args[I])...);
}

template <class... Params>
inline constexpr size_t ArgumentSizes[] = {sizeof(Params)..., 0};

template <class... Params> auto kernelHandle(void (*Kernel)(Params...)) {
  registerKernel(
      reinterpret_cast<const void *>(Kernel),
      [](const void *Handle, void **Args) {
        callKernel(
            reinterpret_cast<void (*)(Params...)>(const_cast<void *>(Handle)),
            Args, std::index_sequence_for<Params...>());
      },
      ArgumentSizes<Params...>);
  return Kernel;
}

/// One `__shared__` variable of the program; each block has its own copy.
struct SharedVariable {
  const char *Name;
  size_t Size;
  int Index = -1;
  /// The running block's copy.
  void *address();
  template <class T> T &get() { return *static_cast<T *>(address()); }
};

/// The running block's dynamic shared memory.
void *dynamicShared();
template <class T> T &dynamicSharedAs() {
  return *static_cast<T *>(dynamicShared());
}

/// Makes a `__device__` or `__constant__` variable known as device memory.
struct DeviceVariable {
  DeviceVariable(const volatile void *Address, size_t Size, const char *Name);
};

} // namespace barricade_emu

#endif // BARRICADE_EMU_LAUNCH_H
