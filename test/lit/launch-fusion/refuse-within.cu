// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that follow each other, but not as statements of one block: each has
// its reason at the statement that launches within.
//
// RUN: %barricade --rules=launch-fusion --explain %s -- -std=c++17 > %t.out 2>&1
// RUN: FileCheck --implicit-check-not="can become" --implicit-check-not=" cannot be joined" %s < %t.out

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= 2;
}

void launchThenMaybe(float *x, int n) {
  scale<<<4, 64>>>(x, n);
  if (n > 3)
    scale<<<4, 64>>>(x, n);
}
// CHECK: :[[#@LINE-4]]:3: remark: launch cannot be joined with the next one
// CHECK: :[[#@LINE-4]]:3: note: {{.*}} [conditional]

void maybeThenLaunch(float *x, int n) {
  if (n > 3)
    scale<<<4, 64>>>(x, n);
  n += 0;
  scale<<<4, 64>>>(x, n);
}
// CHECK: :[[#@LINE-5]]:3: remark: launch cannot be joined with the next one
// CHECK: :[[#@LINE-6]]:3: note: {{.*}} [conditional]

// One reason is enough at one statement.
void maybeBetween(float *x, int n) {
  scale<<<4, 64>>>(x, n);
  if (n > 3)
    scale<<<4, 64>>>(x, n);
  scale<<<4, 64>>>(x, n);
}
// CHECK: :[[#@LINE-5]]:3: remark: launch cannot be joined with the next one
// CHECK: :[[#@LINE-5]]:3: note: {{.*}} [conditional]

void maybeAndMaybe(float *x, int n) {
  if (n > 3)
    scale<<<4, 64>>>(x, n);
  if (n > 4)
    scale<<<4, 64>>>(x, n);
}
// CHECK: :[[#@LINE-5]]:3: remark: launch cannot be joined with the next one
// CHECK: :[[#@LINE-6]]:3: note: {{.*}} [conditional]
// CHECK: :[[#@LINE-5]]:3: note: {{.*}} [conditional]

void eitherOne(float *x, int n) {
  if (n > 3)
    scale<<<4, 64>>>(x, n);
  else
    scale<<<8, 64>>>(x, n);
}

void switches(float *x, int n) {
  scale<<<4, 64>>>(x, n);
  switch (n) {
  case 1:
    scale<<<4, 64>>>(x, n);
    break;
  default:
    break;
  }
}
// CHECK: :[[#@LINE-9]]:3: remark: launch cannot be joined with the next one
// CHECK: :[[#@LINE-9]]:3: note: {{.*}} [conditional]

void loops(float *x, int n) {
  for (int i = 0; i < n; ++i)
    scale<<<4, 64>>>(x, i);
  while (n-- > 0)
    scale<<<4, 64>>>(x, n);
}
// CHECK: :[[#@LINE-5]]:3: remark: launch cannot be joined with the next one
// CHECK: :[[#@LINE-6]]:3: note: {{.*}} [conditional]
// CHECK: :[[#@LINE-5]]:3: note: {{.*}} [conditional]

void inBraces(float *x, int n) {
  scale<<<4, 64>>>(x, n);
  {
    scale<<<4, 64>>>(x, n);
    n += 1;
  }
}
// CHECK: :[[#@LINE-6]]:3: remark: launch cannot be joined with the next one
// CHECK: :[[#@LINE-6]]:3: note: {{.*}} [wrapped]

void lambdas(float *x, int n) {
  const auto launch = [=] { scale<<<4, 64>>>(x, n); };
  scale<<<4, 64>>>(x, n);
  launch();
  launch();
}
// CHECK: :[[#@LINE-4]]:3: remark: launch cannot be joined with the next one
// CHECK: :[[#@LINE-4]]:3: note: {{.*}} [launch-in-call]

void atOnce(float *x, int n) {
  [&] { scale<<<4, 64>>>(x, n); }();
  scale<<<4, 64>>>(x, n);
}
// CHECK: :[[#@LINE-3]]:3: remark: launch cannot be joined with the next one
// CHECK: :[[#@LINE-4]]:3: note: {{.*}} [launch-in-call]

static void launchOne(float *x, int n) { scale<<<4, 64>>>(x, n); }
static void launchNone(float *, int) {}
void functions(float *x, int n) {
  launchOne(x, n);
  launchOne(x, n);
}
void functionThenLaunch(float *x, int n) {
  launchNone(x, n);
  scale<<<4, 64>>>(x, n);
  launchNone(x, n);
}
void launchThenFunction(float *x, int n) {
  scale<<<4, 64>>>(x, n);
  launchNone(x, n);
  launchOne(x, n);
}
// CHECK: :[[#@LINE-4]]:3: remark: launch cannot be joined with the next one
// CHECK: :[[#@LINE-4]]:3: note: {{.*}} [other-work]
// CHECK: :[[#@LINE-4]]:3: note: {{.*}} [launch-in-call]

// A lambda that nobody has called yet is no launch.
template <class F> void keep(F) {}
void keepsLambda(float *x, int n) {
  const auto launch = [=] { scale<<<4, 64>>>(x, n); };
  scale<<<4, 64>>>(x, n);
  keep(launch);
}
