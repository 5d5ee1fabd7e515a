// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records when each kernel of an unchanged program ran. The CUDA driver loads
// this library where CUDA_INJECTION64_PATH names it; at the program's end one
// line a kernel goes to the file that BARRICADE_KERNEL_TIMES names:
//
//   START END NAME       nanoseconds of the GPU's clock, mangled name
//
// and a last line `end DROPPED`, with the number of records that were lost.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cupti.h>
#include <mutex>

namespace {

constexpr size_t BufferBytes = 4 << 20;
constexpr size_t Alignment = 8;

struct Recorder {
  std::mutex Lock;
  std::FILE *Out = nullptr;
  size_t Dropped = 0;
};

// Never destroyed: CUPTI may hand over buffers until the process is gone.
Recorder &recorder() {
  static Recorder *R = new Recorder;
  return *R;
}

void requestBuffer(uint8_t **Buffer, size_t *Size, size_t *MaxRecords) {
  *Buffer = static_cast<uint8_t *>(std::aligned_alloc(Alignment, BufferBytes));
  *Size = *Buffer ? BufferBytes : 0;
  *MaxRecords = 0;
}

void takeBuffer(CUcontext Context, uint32_t Stream, uint8_t *Buffer, size_t,
                size_t Valid) {
  Recorder &R = recorder();
  std::lock_guard<std::mutex> Guard(R.Lock);
  CUpti_Activity *Record = nullptr;
  while (R.Out &&
         cuptiActivityGetNextRecord(Buffer, Valid, &Record) == CUPTI_SUCCESS) {
    if (Record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
      continue;
    // Newer kernel records begin with the fields of this one.
    const auto *Kernel = reinterpret_cast<CUpti_ActivityKernel9 *>(Record);
    std::fprintf(R.Out, "%llu %llu %s\n",
                 static_cast<unsigned long long>(Kernel->start),
                 static_cast<unsigned long long>(Kernel->end),
                 Kernel->name ? Kernel->name : "?");
  }
  size_t Dropped = 0;
  if (cuptiActivityGetNumDroppedRecords(Context, Stream, &Dropped) ==
      CUPTI_SUCCESS)
    R.Dropped += Dropped;
  std::free(Buffer);
}

void finish() {
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  Recorder &R = recorder();
  std::lock_guard<std::mutex> Guard(R.Lock);
  std::fprintf(R.Out, "end %zu\n", R.Dropped);
  std::fclose(R.Out);
  R.Out = nullptr;
}

} // namespace

/// Called by the driver, once, when the program first uses CUDA.
extern "C" int InitializeInjection() {
  const char *Path = std::getenv("BARRICADE_KERNEL_TIMES");
  Recorder &R = recorder();
  if (!Path || !(R.Out = std::fopen(Path, "w")))
    return 1; // the program runs on, untimed
  // The concurrent kind does not run one kernel after the other.
  if (cuptiActivityRegisterCallbacks(requestBuffer, takeBuffer) !=
          CUPTI_SUCCESS ||
      cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) !=
          CUPTI_SUCCESS) {
    std::fclose(R.Out);
    R.Out = nullptr;
    return 1;
  }
  std::atexit(finish);
  return 1;
}
