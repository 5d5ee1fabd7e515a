//===- nv_builtins.h - Functions that are built into nvcc -------*- C++ -*-===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declared only: what they do, the rules tell by their names.
//
//===----------------------------------------------------------------------===//

#ifndef BARRICADE_PRELUDE_NV_BUILTINS_H
#define BARRICADE_PRELUDE_NV_BUILTINS_H

// A value is converted to the type of the memory.
template <typename T> struct __barricade_value {
  typedef T type;
};
template <typename T> struct __barricade_value<volatile T> {
  typedef T type;
};
template <typename T> struct __barricade_value<const T> {
  typedef T type;
};
#define __BARRICADE_VALUE(T) typename __barricade_value<T>::type
#define __BARRICADE_BUILTIN template <typename T> __attribute__((device))

// Loads and stores with a cache hint that Clang's headers leave out (CUDA C++
// Programming Guide, "Load Functions Using Cache Hints").
__BARRICADE_BUILTIN __BARRICADE_VALUE(T) __ldlu(T *);
__BARRICADE_BUILTIN void __stwb(T *, __BARRICADE_VALUE(T));
__BARRICADE_BUILTIN void __stcg(T *, __BARRICADE_VALUE(T));
__BARRICADE_BUILTIN void __stcs(T *, __BARRICADE_VALUE(T));

#if CUDART_VERSION >= 12080
// The same guide's "Built-in Atomic Functions". Their enumerators stand in a
// header of CUDA's that Clang does not read.
enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};

enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

__BARRICADE_BUILTIN __BARRICADE_VALUE(T)
    __nv_atomic_load_n(T *, int order, int scope = __NV_THREAD_SCOPE_SYSTEM);
__BARRICADE_BUILTIN void __nv_atomic_load(T *, __BARRICADE_VALUE(T) * result,
                                          int order,
                                          int scope = __NV_THREAD_SCOPE_SYSTEM);
__BARRICADE_BUILTIN void
__nv_atomic_store_n(T *, __BARRICADE_VALUE(T) value, int order,
                    int scope = __NV_THREAD_SCOPE_SYSTEM);
__BARRICADE_BUILTIN void
__nv_atomic_store(T *, __BARRICADE_VALUE(T) * value, int order,
                  int scope = __NV_THREAD_SCOPE_SYSTEM);
__BARRICADE_BUILTIN __BARRICADE_VALUE(T)
    __nv_atomic_exchange_n(T *, __BARRICADE_VALUE(T) value, int order,
                           int scope = __NV_THREAD_SCOPE_SYSTEM);
__BARRICADE_BUILTIN void
__nv_atomic_exchange(T *, __BARRICADE_VALUE(T) * value,
                     __BARRICADE_VALUE(T) * result, int order,
                     int scope = __NV_THREAD_SCOPE_SYSTEM);
__BARRICADE_BUILTIN bool __nv_atomic_compare_exchange_n(
    T *, __BARRICADE_VALUE(T) * expected, __BARRICADE_VALUE(T) desired,
    bool weak, int success, int failure, int scope = __NV_THREAD_SCOPE_SYSTEM);
__BARRICADE_BUILTIN bool __nv_atomic_compare_exchange(
    T *, __BARRICADE_VALUE(T) * expected, __BARRICADE_VALUE(T) * desired,
    bool weak, int success, int failure, int scope = __NV_THREAD_SCOPE_SYSTEM);
__attribute__((device)) void
__nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM);

#define __BARRICADE_FETCH(OPERATION)                                           \
  __BARRICADE_BUILTIN __BARRICADE_VALUE(T) __nv_atomic_fetch_##OPERATION(      \
      T *, __BARRICADE_VALUE(T) value, int order,                              \
      int scope = __NV_THREAD_SCOPE_SYSTEM);                                   \
  __BARRICADE_BUILTIN void __nv_atomic_##OPERATION(                            \
      T *, __BARRICADE_VALUE(T) value, int order,                              \
      int scope = __NV_THREAD_SCOPE_SYSTEM);
__BARRICADE_FETCH(add)
__BARRICADE_FETCH(sub)
__BARRICADE_FETCH(and)
__BARRICADE_FETCH(or)
__BARRICADE_FETCH(xor)
__BARRICADE_FETCH(min)
__BARRICADE_FETCH(max)

#undef __BARRICADE_FETCH
#endif

#undef __BARRICADE_BUILTIN
#undef __BARRICADE_VALUE

#endif // BARRICADE_PRELUDE_NV_BUILTINS_H
