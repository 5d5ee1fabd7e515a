// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA's arithmetic that the C++ library lacks.

#ifndef BARRICADE_EMU_MATH_H
#define BARRICADE_EMU_MATH_H

#include "types.h"

#define BARRICADE_EMU_MINMAX(T, LEFT, RIGHT)                                   \
  inline T min(LEFT X, RIGHT Y) { return std::min<T>(X, Y); }                  \
  inline T max(LEFT X, RIGHT Y) { return std::max<T>(X, Y); }
BARRICADE_EMU_MINMAX(int, int, int)
BARRICADE_EMU_MINMAX(unsigned, unsigned, unsigned)
BARRICADE_EMU_MINMAX(unsigned, int, unsigned)
BARRICADE_EMU_MINMAX(unsigned, unsigned, int)
BARRICADE_EMU_MINMAX(long, long, long)
BARRICADE_EMU_MINMAX(unsigned long, unsigned long, unsigned long)
BARRICADE_EMU_MINMAX(unsigned long, long, unsigned long)
BARRICADE_EMU_MINMAX(unsigned long, unsigned long, long)
BARRICADE_EMU_MINMAX(long long, long long, long long)
BARRICADE_EMU_MINMAX(unsigned long long, unsigned long long, unsigned long long)
BARRICADE_EMU_MINMAX(unsigned long long, long long, unsigned long long)
BARRICADE_EMU_MINMAX(unsigned long long, unsigned long long, long long)
#undef BARRICADE_EMU_MINMAX
inline float min(float X, float Y) { return fminf(X, Y); }
inline float max(float X, float Y) { return fmaxf(X, Y); }
inline double min(double X, double Y) { return fmin(X, Y); }
inline double max(double X, double Y) { return fmax(X, Y); }
inline double min(float X, double Y) { return fmin(X, Y); }
inline double max(float X, double Y) { return fmax(X, Y); }
inline double min(double X, float Y) { return fmin(X, Y); }
inline double max(double X, float Y) { return fmax(X, Y); }

inline float rsqrtf(float X) { return 1.0f / sqrtf(X); }
inline double rsqrt(double X) { return 1.0 / sqrt(X); }
inline float __fdividef(float X, float Y) { return X / Y; }
inline float __expf(float X) { return expf(X); }
inline float __exp10f(float X) { return powf(10.0f, X); }
inline float __logf(float X) { return logf(X); }
inline float __log2f(float X) { return log2f(X); }
inline float __log10f(float X) { return log10f(X); }
inline float __powf(float X, float Y) { return powf(X, Y); }
inline float __sinf(float X) { return sinf(X); }
inline float __cosf(float X) { return cosf(X); }
inline float __tanf(float X) { return tanf(X); }
inline void __sincosf(float X, float *Sin, float *Cos) {
  *Sin = sinf(X), *Cos = cosf(X);
}
inline void sincospif(float X, float *Sin, float *Cos) {
  *Sin = sinf(float(M_PI) * X), *Cos = cosf(float(M_PI) * X);
}
inline void sincospi(double X, double *Sin, double *Cos) {
  *Sin = sin(M_PI * X), *Cos = cos(M_PI * X);
}
inline float cospif(float X) { return cosf(float(M_PI) * X); }
inline float sinpif(float X) { return sinf(float(M_PI) * X); }
inline double cospi(double X) { return cos(M_PI * X); }
inline double sinpi(double X) { return sin(M_PI * X); }
inline float __saturatef(float X) { return fminf(fmaxf(X, 0.0f), 1.0f); }
inline float __fadd_rn(float X, float Y) { return X + Y; }
inline float __fsub_rn(float X, float Y) { return X - Y; }
inline float __fmul_rn(float X, float Y) { return X * Y; }
inline float __fdiv_rn(float X, float Y) { return X / Y; }
inline float __fsqrt_rn(float X) { return sqrtf(X); }
inline float __frcp_rn(float X) { return 1.0f / X; }
inline float __fmaf_rn(float X, float Y, float Z) { return fmaf(X, Y, Z); }
inline double __dadd_rn(double X, double Y) { return X + Y; }
inline double __dmul_rn(double X, double Y) { return X * Y; }
inline double __fma_rn(double X, double Y, double Z) { return fma(X, Y, Z); }

inline int __popc(unsigned X) { return __builtin_popcount(X); }
inline int __popcll(unsigned long long X) { return __builtin_popcountll(X); }
inline int __clz(int X) { return X ? __builtin_clz(X) : 32; }
inline int __clzll(long long X) { return X ? __builtin_clzll(X) : 64; }
inline int __ffs(int X) { return __builtin_ffs(X); }
inline int __ffsll(long long X) { return __builtin_ffsll(X); }
inline unsigned __brev(unsigned X) { return __builtin_bitreverse32(X); }
inline unsigned long long __brevll(unsigned long long X) {
  return __builtin_bitreverse64(X);
}
inline int __mulhi(int X, int Y) { return (long long)X * Y >> 32; }
inline unsigned __umulhi(unsigned X, unsigned Y) {
  return (unsigned long long)X * Y >> 32;
}
inline unsigned long long __umul64hi(unsigned long long X,
                                     unsigned long long Y) {
  return (unsigned __int128)X * Y >> 64;
}
inline int __mul24(int X, int Y) { return X * Y; }
inline unsigned __umul24(unsigned X, unsigned Y) { return X * Y; }
inline int __sad(int X, int Y, unsigned Z) {
  return (X < Y ? Y - X : X - Y) + Z;
}
inline unsigned __funnelshift_l(unsigned Lo, unsigned Hi, unsigned Shift) {
  return ((unsigned long long)Hi << 32 | Lo) << (Shift & 31) >> 32;
}
inline unsigned __funnelshift_r(unsigned Lo, unsigned Hi, unsigned Shift) {
  return ((unsigned long long)Hi << 32 | Lo) >> (Shift & 31);
}
inline unsigned __byte_perm(unsigned X, unsigned Y, unsigned Selector) {
  unsigned long long Bytes = (unsigned long long)Y << 32 | X;
  unsigned Result = 0;
  for (int I = 0; I != 4; ++I)
    Result |= unsigned(Bytes >> 8 * (Selector >> 4 * I & 7) & 0xff) << 8 * I;
  return Result;
}

#define BARRICADE_EMU_BITS(NAME, TO, FROM)                                     \
  inline TO NAME(FROM X) { return __builtin_bit_cast(TO, X); }
BARRICADE_EMU_BITS(__float_as_int, int, float)
BARRICADE_EMU_BITS(__float_as_uint, unsigned, float)
BARRICADE_EMU_BITS(__int_as_float, float, int)
BARRICADE_EMU_BITS(__uint_as_float, float, unsigned)
BARRICADE_EMU_BITS(__double_as_longlong, long long, double)
BARRICADE_EMU_BITS(__longlong_as_double, double, long long)
#undef BARRICADE_EMU_BITS
inline int __float2int_rn(float X) { return int(nearbyintf(X)); }
inline int __float2int_rz(float X) { return int(X); }
inline int __float2int_rd(float X) { return int(floorf(X)); }
inline int __float2int_ru(float X) { return int(ceilf(X)); }
inline unsigned __float2uint_rn(float X) { return unsigned(nearbyintf(X)); }
inline unsigned __float2uint_rz(float X) { return unsigned(X); }
inline float __int2float_rn(int X) { return float(X); }
inline float __uint2float_rn(unsigned X) { return float(X); }
inline double __int2double_rn(int X) { return X; }
inline int __double2int_rn(double X) { return int(nearbyint(X)); }
inline int __double2int_rz(double X) { return int(X); }
inline float __double2float_rn(double X) { return float(X); }

#endif // BARRICADE_EMU_MATH_H
