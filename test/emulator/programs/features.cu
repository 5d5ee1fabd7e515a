// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What CUDA programs use, each checked against what it must give.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cg = cooperative_groups;

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);              \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)
#define CUDA(call) CHECK((call) == cudaSuccess)

template <class T> class Device {
public:
  explicit Device(size_t n) : size(n) {
    CUDA(cudaMalloc(&data, n * sizeof(T)));
  }
  ~Device() { cudaFree(data); }
  std::vector<T> host() const {
    std::vector<T> values(size);
    CUDA(cudaMemcpy(values.data(), data, size * sizeof(T),
                    cudaMemcpyDeviceToHost));
    return values;
  }
  T *data = nullptr;
  size_t size;
};

__global__ void where(int *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  int width = gridDim.x * blockDim.x, height = gridDim.y * blockDim.y;
  out[(z * height + y) * width + x] = x + 100 * y + 10000 * z;
}

void testGeometry() {
  Device<int> out(6 * 8 * 4);
  where<<<dim3(2, 4, 2), dim3(3, 2, 2)>>>(out.data);
  auto host = out.host();
  for (int z = 0; z < 4; ++z)
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 6; ++x)
        CHECK(host[(z * 8 + y) * 6 + x] == x + 100 * y + 10000 * z);
}

template <int Size, class T> __device__ T blockSum(T value) {
  __shared__ T values[Size], unused;
  values[threadIdx.x] = value;
  __syncthreads();
  for (int step = Size / 2; step > 0; step /= 2) {
    if (threadIdx.x < step)
      values[threadIdx.x] += values[threadIdx.x + step];
    __syncthreads();
  }
  unused = 0;
  return values[0];
}

template <class T, class Fn> __global__ void map(T *out, Fn function) {
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      function(int(blockIdx.x * blockDim.x + threadIdx.x));
}
template <class T> __global__ void sums(T *out, int scale = 1) {
  T sum = blockSum<64, T>(T(threadIdx.x * scale));
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}

void testTemplates() {
  Device<int> ints(3);
  sums<<<3, 64>>>(ints.data);
  CHECK(ints.host()[2] == 63 * 32);
  Device<double> doubles(2);
  sums<double><<<2, 64>>>(doubles.data, 3);
  CHECK(doubles.host()[1] == 3 * 63 * 32);
  Device<int> squares(64);
  int offset = 7;
  map<<<2, 32>>>(squares.data,
                 [=] __host__ __device__(int i) { return i * i + offset; });
  CHECK(squares.host()[63] == 63 * 63 + 7);
}

extern __shared__ unsigned char raw[];

__global__ void dynamic(int *out) {
  int *ints = reinterpret_cast<int *>(raw);
  auto *bytes = raw + blockDim.x * sizeof(int);
  ints[threadIdx.x] = threadIdx.x;
  bytes[threadIdx.x] = threadIdx.x + 1;
  __syncthreads();
  int other = blockDim.x - 1 - threadIdx.x;
  out[threadIdx.x] = ints[other] + bytes[other];
}

__global__ void votes(int *out) {
  int i = threadIdx.x;
  int any = __syncthreads_or(i == 40), all = __syncthreads_and(i != 40);
  int count = __syncthreads_count(i % 3 == 0);
  unsigned odd = __ballot_sync(0xffffffffu, i & 1);
  int lane = i % 32;
  int next = __shfl_down_sync(0xffffffffu, i, 1);
  int half = __shfl_sync(0xffffffffu, i, 3, 16);
  int sum = i;
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, step);
  bool right = any && !all && count == 22 && odd == 0xaaaaaaaau &&
               next == (lane == 31 ? i : i + 1) && half == i / 16 * 16 + 3 &&
               sum == (i / 32 ? 496 + 32 * 32 : 496) &&
               __any_sync(0xffffffffu, lane == 5) &&
               !__all_sync(0xffffffffu, lane == 5) &&
               __reduce_max_sync(0xffffffffu, lane) == 31 &&
               __popc(__match_any_sync(0xffffffffu, lane / 4)) == 4;
  out[i] = right;
}

__global__ void divergentLoop(int *out) {
  // The vote form of a loop with thread-dependent trip counts.
  int trips = 0;
  bool active = true;
  while (__syncthreads_or(active = active && trips < int(threadIdx.x)))
    if (active)
      ++trips;
  out[threadIdx.x] = trips == threadIdx.x;
}

void testBlocks() {
  Device<int> out(64);
  dynamic<<<1, 64, 64 * (sizeof(int) + 1)>>>(out.data);
  CHECK(out.host()[0] == 63 + 64);
  votes<<<1, 64>>>(out.data);
  for (int right : out.host())
    CHECK(right);
  divergentLoop<<<1, 64>>>(out.data);
  for (int right : out.host())
    CHECK(right);
}

__constant__ float weights[4];
__device__ unsigned total, largest;
__device__ double real = 0.5;

__global__ void atomics(const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&total, unsigned(in[i] * weights[i % 4]));
  atomicMax(&largest, i);
  atomicAdd(&real, 0.25);
  if (i == 0)
    CHECK(atomicCAS(&largest, ~0u, 1u) != ~0u);
}

void testVariables() {
  float host[4] = {1, 2, 3, 4}, in[128];
  for (float &value : in)
    value = 2;
  CUDA(cudaMemcpyToSymbol(weights, host, sizeof(host)));
  Device<float> device(128);
  CUDA(cudaMemcpy(device.data, in, sizeof(in), cudaMemcpyHostToDevice));
  atomics<<<4, 32>>>(device.data);
  unsigned sum, max;
  double added;
  CUDA(cudaMemcpyFromSymbol(&sum, total, sizeof(sum)));
  CUDA(cudaMemcpyFromSymbol(&max, largest, sizeof(max)));
  CUDA(cudaMemcpyFromSymbol(&added, real, sizeof(added)));
  CHECK(sum == 32 * 2 * 10 && max == 127 && added == 0.5 + 128 * 0.25);
}

__global__ void rotate(int *a, int *b, int n, int rounds) {
  auto grid = cg::this_grid();
  int i = grid.thread_rank();
  for (int round = 0; round < rounds; ++round) {
    if (i < n)
      b[i] = a[(i + 1) % n];
    grid.sync();
    int *swap = a;
    a = b;
    b = swap;
  }
}

__global__ void tiles(int *out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int sum = cg::reduce(tile, int(threadIdx.x), cg::plus<int>());
  out[threadIdx.x] = sum == int(threadIdx.x / 8 * 64 + 28);
}

void testCooperative() {
  int n = 500, rounds = 7, perSm = 0;
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, rotate, 128, 0));
  CHECK(perSm > 0);
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i)
    host[i] = i;
  Device<int> a(n), b(n);
  CUDA(cudaMemcpy(a.data, host.data(), n * sizeof(int), cudaMemcpyDefault));
  void *args[] = {&a.data, &b.data, &n, &rounds};
  CUDA(cudaLaunchCooperativeKernel((void *)rotate, 4, 128, args));
  CHECK(b.host()[10] == 17);
  Device<int> out(64);
  tiles<<<1, 64>>>(out.data);
  for (int right : out.host())
    CHECK(right);
}

__global__ void increment(int *data, int n) {
  if (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n)
    ++data[i];
}

void testRuntime() {
  constexpr int n = 100;
  cudaStream_t stream;
  cudaEvent_t start, end;
  CUDA(cudaStreamCreate(&stream));
  CUDA(cudaEventCreate(&start));
  CUDA(cudaEventCreate(&end));
  int *data, *managed, host[n];
  CUDA(cudaMallocAsync(&data, n * sizeof(int), stream));
  CUDA(cudaMemsetAsync(data, 0, n * sizeof(int), stream));
  CUDA(cudaEventRecord(start, stream));
  for (int i = 0; i < 5; ++i)
    increment<<<(n + 31) / 32, 32, 0, stream>>>(data, n);
  CUDA(cudaEventRecord(end, stream));
  CUDA(cudaMemcpyAsync(host, data, sizeof(host), cudaMemcpyDeviceToHost,
                       stream));
  CUDA(cudaStreamSynchronize(stream));
  float time = -1;
  CUDA(cudaEventElapsedTime(&time, start, end));
  CHECK(time >= 0 && host[0] == 5 && host[n - 1] == 5);
  CUDA(cudaMallocManaged(&managed, n * sizeof(int)));
  for (int i = 0; i < n; ++i)
    managed[i] = i;
  increment<<<4, 32>>>(managed, n);
  CUDA(cudaDeviceSynchronize());
  CHECK(managed[n - 1] == n);
  CUDA(cudaFree(managed));
  CUDA(cudaFreeAsync(data, stream));
  CUDA(cudaStreamDestroy(stream));
  increment<<<1, 2000>>>(nullptr, 0);
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  CHECK(cudaGetLastError() == cudaSuccess);
  int *many;
  CHECK(cudaMalloc(&many, size_t(1) << 50) == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
}

/// A lock that spins, and a flag handed from block to block.
__device__ int lock, guarded;
__device__ volatile int turn;

__global__ void spin() {
  if (threadIdx.x == 0) {
    while (turn != int(blockIdx.x))
      ;
    __threadfence();
    while (atomicCAS(&lock, 0, 1) != 0)
      ;
    __threadfence();
    guarded = guarded + 1;
    __threadfence();
    atomicExch(&lock, 0);
    turn = blockIdx.x + 1;
  }
}

void testSpinning() {
  spin<<<20, 32>>>();
  int value;
  CUDA(cudaMemcpyFromSymbol(&value, guarded, sizeof(value)));
  CHECK(value == 20);
}

int main() {
  testGeometry();
  testTemplates();
  testBlocks();
  testVariables();
  testCooperative();
  testRuntime();
  testSpinning();
  std::printf("all right\n");
}
