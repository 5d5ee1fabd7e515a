// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops as kernels have them, for ptx_counts.py. One loop begins in a line.

__global__ void grid(const float *a, float *b, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    b[i] = a[i] * 2.0f;
}
__global__ void gridu(const float *a, const float *c, float *b, size_t n) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    b[i] = a[i] + c[i];
}
__global__ void gather(const float *a, const int *idx, float *b, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    b[i] = a[idx[i]];
}
__global__ void row(const float *A, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int j = 0; j < n; j++)
    s += A[i * n + j] * x[j];
  y[i] = s;
}
__global__ void col(const float *A, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j < n; j++)
      y[i] += A[j * n + i] * x[j];
}
__global__ void vec4(const float4 *a, float4 *b, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float4 v = a[i];
    v.x *= 2;
    v.y += 1;
    v.z = v.x + v.w;
    b[i] = v;
  }
}
__global__ void tile(const float *a, const float *b, float *c, int n) {
  __shared__ float as[16][16], bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * 16 + ty,
      q = blockIdx.x * 16 + tx;
  float s = 0;
  for (int t = 0; t < n / 16; t++) {
    as[ty][tx] = a[r * n + t * 16 + tx];
    bs[ty][tx] = b[(t * 16 + ty) * n + q];
    __syncthreads();
    for (int k = 0; k < 16; k++)
      s += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[r * n + q] = s;
}
__global__ void stencil(const float *a, float *b, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  for (int k = 1; k < steps - 1; k++)
    b[k * n + i] = 0.25f * (a[k * n + i - 1] + a[k * n + i + 1] +
                            a[(k - 1) * n + i] + a[(k + 1) * n + i]);
}
__global__ void hist(const unsigned char *d, unsigned *h, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    atomicAdd(&h[d[i]], 1u);
}
__global__ void chase(const int *next, int *out, int n) {
  int p = threadIdx.x, c = 0;
  while (p >= 0 && c < n) {
    p = next[p];
    c++;
  }
  out[threadIdx.x] = c;
}
__global__ void bump(const int *p, int *out, int n) {
  int s = 0;
  const int *e = p + n;
  while (p != e)
    s += *p++;
  out[threadIdx.x] = s;
}
__global__ void math(float *a, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    a[i] = sqrtf(a[i]) / (a[i] + 1.0f);
}
struct P {
  float x, y, z;
  int id;
};
__global__ void aos(P *p, int n, float dt) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    p[i].x += dt * p[i].y;
    if (p[i].id > 3)
      p[i].z = 0;
  }
}
__global__ void div(const int *a, int *b, int n, int m) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    b[i / m] = a[i % m] + a[i / 4];
}
__global__ void sh(float *g, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = g[t];
  for (int o = 128; o > 0; o >>= 1) {
    __syncthreads();
    if (t < o)
      s[t] += s[t + o];
  }
  g[t] = s[t];
}
__global__ void restricted(const float *__restrict__ a, float *__restrict__ y,
                           int n) {
  int i = threadIdx.x;
  for (int j = 0; j < n; j++)
    y[i] += a[j * n + i];
}
__global__ void counted_down(const int *a, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int s = 0;
  do {
    s ^= a[n];
  } while (--n > 0);
  b[i] = s;
}
__device__ float clamp_to(float x, float low, float high) {
  return fminf(fmaxf(x, low), high);
}
__global__ void called(const float *a, float *b, int n, float s) {
  for (int k = 0; k < n; k++)
    b[k * n] = clamp_to(a[k * n], s, 2 * s);
}
struct Particle {
  float x, y, z, mass;
};
__global__ void copied(const Particle *from, Particle *to, int n) {
  for (int i = threadIdx.x; i < n; i += 128)
    to[i] = from[i];
}
__global__ void exponential(const float *a, float *b, int n) {
  for (int i = threadIdx.x; i < n; i += 128)
    b[i] = expf(a[i]) + 1.0f;
}
__global__ void both(const double *a, double *b, int n) {
  for (int i = threadIdx.x; i < n; i += 128)
    if (a[i] > 0)
      b[i] = a[i] * a[i];
    else
      b[i + n] = 0;
}
__global__ void maximum(const int *a, int *b, int n) {
  int best = 0, where = 0;
  for (int i = threadIdx.x; i < n; i += 128)
    if (a[i] > best) {
      best = a[i];
      where = i;
    }
  b[threadIdx.x] = where;
}
__global__ void read_only(const float *a, float *b, int n) {
  for (int i = threadIdx.x; i < n; i += 128)
    b[i] = __ldg(&a[i]) + __ldg(a + i + n);
}
__global__ void rows_of_csr(const int *row, const int *column,
                            const float *value, const float *x, float *y,
                            int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    float sum = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
      sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}
