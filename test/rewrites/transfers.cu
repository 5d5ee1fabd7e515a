// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of launches between which the host sets and copies the device's memory.

#include "relaunch_check.h"

__global__ void add(int *to, const int *from, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = to[i] * 3 + from[i] + by;
}

static void addOnHost(Values &to, const Values &from, int by) {
  for (size_t i = 0; i < to.size(); ++i)
    to[i] = to[i] * 3 + from[i] + by;
}

int sets(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    cudaMemset(a, t, n * sizeof(int));
    add<<<blocksFor(n), Threads>>>(a, b, n, t);
    add<<<blocksFor(n), Threads>>>(b, a, n, 1);
  }
  return 0;
}
int setsOnHost(Values &a, Values &b, int steps) {
  for (int t = 0; t < steps; ++t) {
    for (int &each : a)
      each = t * 0x01010101;
    addOnHost(a, b, t);
    addOnHost(b, a, 1);
  }
  return 0;
}

// Of neither is the beginning or the end aligned.
int parts(int *a, int *b, int n, int steps) {
  auto *bytes = (unsigned char *)a;
  for (int t = 0; t < steps; ++t) {
    add<<<blocksFor(n), Threads>>>(a, b, n, t);
    cudaMemsetAsync(bytes + 1, 255 - t, n * sizeof(int) - 2, nullptr);
    add<<<blocksFor(n), Threads>>>(b, a, n, t);
    cudaMemcpyAsync(bytes + 3, (unsigned char *)b + 1 + t % 2,
                    n * sizeof(int) - 3, cudaMemcpyDeviceToDevice);
  }
  return 0;
}
int partsOnHost(Values &a, Values &b, int steps) {
  auto *bytes = (unsigned char *)a.data();
  const auto *others = (const unsigned char *)b.data();
  const int size = int(a.size() * sizeof(int));
  for (int t = 0; t < steps; ++t) {
    addOnHost(a, b, t);
    for (int i = 1; i < size - 1; ++i)
      bytes[i] = (unsigned char)(255 - t);
    addOnHost(b, a, t);
    for (int i = 3; i < size; ++i)
      bytes[i] = others[i - 3 + 1 + t % 2];
  }
  return 0;
}

// By the object or not, they say whether they were right.
int counted(int *a, int *b, int n, int steps) {
  int wrong = 0;
  for (int t = 0; t < steps; ++t) {
    add<<<blocksFor(n), Threads>>>(a, b, n, t);
    if (cudaMemcpy(b, a, n * sizeof(int), cudaMemcpyDeviceToDevice))
      ++wrong;
    wrong += cudaMemset(a, 0, 0) != cudaSuccess;
  }
  return wrong;
}
int countedOnHost(Values &a, Values &b, int steps) {
  for (int t = 0; t < steps; ++t) {
    addOnHost(a, b, t);
    b = a;
  }
  return 0;
}

int main() {
  bool right = agree("sets", sets, setsOnHost);
  right &= agree("parts", parts, partsOnHost);
  right &= agree("counted", counted, countedOnHost);
  return right ? 0 : 1;
}
