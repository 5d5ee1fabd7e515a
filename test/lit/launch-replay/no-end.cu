// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Behind statements that only a return leaves nothing is written: compilers would
// take it for the end of a function that returns nothing.
//
// RUN: %rewrite-check %s %t.cu --rules=launch-replay
// RUN: %nvcc -std=c++17 -I%project/runtime -Xcompiler -Wall,-Werror=return-type -c -o /dev/null %t.cu
// REQUIRES: nvcc
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s

__global__ void k(float *a) { a[threadIdx.x] += 1; }

// CHECK-LABEL: int endless(
// CHECK-NOT: flush
int endless(float *a, int n) {
  int i = 0;
  while (true) {
    k<<<1, 32>>>(a);
    if (++i > n)
      return i;
  }
}

// CHECK-LABEL: int withoutCondition(
// CHECK-NOT: flush
int withoutCondition(float *a, int n) {
  for (int i = 0;; ++i) {
    k<<<1, 32>>>(a);
    switch (i - n) {
    case 0:
      break;
    case 1:
      return i;
    }
  }
}

// CHECK-LABEL: int eitherWay(
// CHECK-NOT: flush
int eitherWay(float *a, int n) {
  if (n > 100) {
    for (int i = 0; i < n; ++i)
      k<<<1, 32>>>(a);
    return 1;
  } else {
    return 0;
  }
}

// CHECK-LABEL: int leaves(
int leaves(float *a, int n) {
  int i = 0;
  while (true) {
    k<<<1, 32>>>(a);
    if (++i > n)
      break;
  }
  // CHECK: flush();
  return i;
}

// CHECK-LABEL: int eachCase(
// CHECK-NOT: flush
int eachCase(float *a, int n) {
  switch (n % 3) {
  case 0:
    for (int i = 0; i < n; ++i)
      k<<<1, 32>>>(a + i);
    return 0;
  case 1: {
    return 1;
  }
  default:
    if (n > 7)
      return 2;
    else
      return 3;
  }
}

// CHECK-LABEL: int always(
// CHECK-NOT: flush
int always(float *a, int n) {
  if constexpr (sizeof(long) >= sizeof(int)) {
    for (int i = 0; i < n; ++i)
      k<<<1, 32>>>(a + i);
    return 0;
  }
}

// g++ would no longer see these, with a destructor to call.
//
// CHECK-LABEL: int once(
// CHECK-NOT: flush
// CHECK-LABEL: int constant(
// CHECK-NOT: flush
// CHECK-LABEL: int behindReturn(
// CHECK-NOT: flush
int once(float *a, int n) {
  do {
    k<<<1, 32>>>(a);
    for (int i = 0; i < n; ++i)
      k<<<1, 32>>>(a + i);
    return n;
  } while (n > 0);
}
int constant(float *a, int n) {
  if (true)
    for (int i = 0;; ++i) {
      k<<<1, 32>>>(a + i);
      if (i > n)
        return i;
    }
}
int behindReturn(float *a, int n) {
  if (n > 3)
    for (int i = 0;; ++i) {
      k<<<1, 32>>>(a + i);
      if (i > n)
        return i;
    }
  else {
    return 2;
    ++n;
  }
}

// CHECK-LABEL: int oneBreaks(
int oneBreaks(float *a, int n) {
  switch (n % 3) {
  case 0:
    for (int i = 0; i < n; ++i)
      k<<<1, 32>>>(a + i);
    break;
  default:
    return 2;
  }
  // CHECK: flush();
  return 0;
}

// CHECK-LABEL: int noDefault(
int noDefault(float *a, int n) {
  switch (n % 3) {
  case 0:
    for (int i = 0; i < n; ++i)
      k<<<1, 32>>>(a + i);
    return 1;
  case 1:
    return 2;
  }
  // CHECK: flush();
  return 0;
}

// CHECK-LABEL: int lastGoesOn(
int lastGoesOn(float *a, int n) {
  switch (n % 3) {
  case 0:
    return 1;
  default: {
    return 2;
  case 1:
    for (int i = 0; i < n; ++i)
      k<<<1, 32>>>(a + i);
  }
  }
  // CHECK: flush();
  return 0;
}

// CHECK-LABEL: int never(
int never(float *a, int n) {
  if constexpr (sizeof(long) < sizeof(int)) {
    return 0;
  } else {
    for (int i = 0; i < n; ++i)
      k<<<1, 32>>>(a + i);
  }
  // CHECK: flush();
  return 1;
}
