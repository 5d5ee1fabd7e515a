// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs of the corpus use and CUDA 13 no longer declares, so that they
// can be compiled at all. Included before every translation unit of a corpus
// run, never written to a file. Functions that have another name now are
// renamed in the run's copy: macros of a file that is included by a flag would
// be another build's.

#ifndef BARRICADE_TEST_CORPUS_CUDA12_H
#define BARRICADE_TEST_CORPUS_CUDA12_H

#include <cuda_runtime.h>

#if CUDART_VERSION >= 13000

struct Cuda12DeviceProp : cudaDeviceProp {
  int clockRate;
  int deviceOverlap;
  int kernelExecTimeoutEnabled;
  int computeMode;
  int memoryClockRate;
};

inline cudaError_t cudaGetDeviceProperties(Cuda12DeviceProp *properties,
                                           int device) {
  return cudaGetDeviceProperties(static_cast<cudaDeviceProp *>(properties),
                                 device);
}

#define cudaDeviceProp Cuda12DeviceProp

#endif

#endif
