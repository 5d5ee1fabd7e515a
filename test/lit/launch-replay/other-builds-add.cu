// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// However another build declares a name of its own, and whatever it has names
// looked up in: what it finds may wait. Whoever only uses a name adds nothing.
//
// RUN: %barricade --rules=launch-replay --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not=' error: ' %s

#include <cstdio>

float host[32];
struct Saver {
  void operator()(float *x) const {
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  }
};
__global__ void add(float *to) { to[threadIdx.x] += 1; }

static void listed(const void *) { puts("listed"); }
namespace of_listed {
#ifdef SAVE
void other(float *), listed(float *);
#endif
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_listed(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    listed(x);
  }
}
} // namespace of_listed

static void object(const void *) { puts("object"); }
namespace of_object {
#ifdef SAVE
static Saver other, object;
#endif
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_object(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    object(x);
  }
}
} // namespace of_object

static void pointed(const void *) { puts("pointed"); }
namespace of_pointed {
#ifdef SAVE
static Saver *first, pointed;
#endif
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_pointed(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    pointed(x);
  }
}
} // namespace of_pointed

static void behind(const void *) { puts("behind"); }
namespace of_behind {
#ifdef SAVE
static Saver list = {}, behind;
#endif
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_behind(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    behind(x);
  }
}
} // namespace of_behind

static void afterPointer(const void *) { puts("afterPointer"); }
namespace of_afterPointer {
#ifdef SAVE
void (*other)(int), afterPointer(float *);
#endif
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_afterPointer(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    afterPointer(x);
  }
}
} // namespace of_afterPointer

static void afterBraces(const void *) { puts("afterBraces"); }
namespace of_afterBraces {
#ifdef SAVE
struct Waits {
  Waits(float *);
} count{nullptr}, counts[1]{nullptr}, afterBraces(float *);
#endif
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_afterBraces(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    afterBraces(x);
  }
}
} // namespace of_afterBraces

static void enclosed(const void *) { puts("enclosed"); }
namespace of_enclosed {
#ifdef SAVE
static void(enclosed)(float *x) { Saver()(x); }
#endif
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_enclosed(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    enclosed(x);
  }
}
} // namespace of_enclosed

static void ofClass(const void *) { puts("ofClass"); }
namespace of_ofClass {
#ifdef SAVE
struct Own : Saver {
} ofClass;
#endif
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_ofClass(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    ofClass(x);
  }
}
} // namespace of_ofClass

static void second(const void *) { puts("second"); }
namespace of_second {
#ifdef SAVE
struct Two : Saver {
} first, second;
#endif
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_second(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    second(x);
  }
}
} // namespace of_second

static void attribute(const void *) { puts("attribute"); }
namespace of_attribute {
#ifdef SAVE
static Saver attribute __attribute__((unused));
#endif
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_attribute(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    attribute(x);
  }
}
} // namespace of_attribute

static void marked(const void *) { puts("marked"); }
namespace of_marked {
#define UNUSED __attribute__((unused))
#ifdef SAVE
static Saver marked UNUSED;
#endif
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_marked(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    marked(x);
  }
}
} // namespace of_marked

static void bound(const void *) { puts("bound"); }
namespace of_bound {
struct Pair {
  Saver saver;
  int rest;
};
#ifdef SAVE
static auto [bound, rest] = Pair();
#endif
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_bound(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    bound(x);
  }
}
} // namespace of_bound

static void named(const void *) { puts("named"); }
namespace of_named {
#define NAMED named
#ifdef SAVE
static void NAMED(float *x) { Saver()(x); }
#endif
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_named(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    named(x);
  }
}
} // namespace of_named

static void local(const void *) { puts("local"); }
namespace of_local {
// CHECK: :[[@LINE+6]]:3: note: {{.*}} [other-build]
void run_local(float *x) {
  [[maybe_unused]] Saver first;
#ifdef SAVE
  Saver other, local;
#endif
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    local(x);
  }
}
} // namespace of_local

//===--- Where names are looked up ------------------------------------------===//

static void deep(const void *) { puts("deep"); }
namespace of_deep {
namespace detail {
namespace saving {
inline void deep(float *x) { Saver()(x); }
} // namespace saving
} // namespace detail
#ifdef SAVE
using namespace detail::saving;
#endif
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_deep(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    deep(x);
  }
}
} // namespace of_deep

static void aliased(const void *) { puts("aliased"); }
namespace of_aliased {
namespace its {
inline void aliased(float *x) { Saver()(x); }
} // namespace its
namespace alias_of_it = its;
#ifdef SAVE
using namespace alias_of_it;
#endif
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_aliased(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    aliased(x);
  }
}
} // namespace of_aliased

static void pointerOf(const void *) { puts("pointerOf"); }
namespace of_pointerOf {
#ifdef SAVE
inline int four = 2 * 2, *five = &four, (*pointerOf)(float *);
#endif
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_pointerOf(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    pointerOf(x);
  }
}
} // namespace of_pointerOf

static void behindTemplate(const void *) { puts("behindTemplate"); }
namespace of_behindTemplate {
#ifdef SAVE
template <int N = 4> float *behindTemplate(float *x) { return Saver()(x), x; }
#endif
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_behindTemplate(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    behindTemplate(x);
  }
}
} // namespace of_behindTemplate

static void listedUse(const void *) { puts("listedUse"); }
namespace apart {
void listedUse(float *);
void more(float *);
} // namespace apart
namespace of_listedUse {
#ifdef SAVE
using apart::more, apart::listedUse;
#endif
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_listedUse(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    listedUse(x);
  }
}
} // namespace of_listedUse

static void hidden(const void *) { puts("hidden"); }
namespace of_hidden {
namespace hidden_in {
inline void hidden(float *x) { Saver()(x); }
} // namespace hidden_in
#ifdef SAVE
namespace other_alias = hidden_in;
using namespace other_alias;
#endif
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_hidden(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    hidden(x);
  }
}
} // namespace of_hidden

static void through(const void *) { puts("through"); }
namespace of_through {
namespace last {
inline void through(float *x) { Saver()(x); }
} // namespace last
namespace middle {
using namespace last;
}
#ifdef SAVE
using namespace middle;
#endif
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_through(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    through(x);
  }
}
} // namespace of_through

static void bymacro(const void *) { puts("bymacro"); }
namespace of_bymacro {
#define USE(n) using namespace n
namespace by_macro {
inline void bymacro(float *x) { Saver()(x); }
} // namespace by_macro
#ifdef SAVE
USE(by_macro);
#endif
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_bymacro(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    bymacro(x);
  }
}
} // namespace of_bymacro

static void inlined(const void *) { puts("inlined"); }
namespace of_inlined {
#ifdef SAVE
inline
#endif
    namespace made_inline {
inline void inlined(float *x) { Saver()(x); }
} // namespace made_inline
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_inlined(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    inlined(x);
  }
}
} // namespace of_inlined

//===--- What is chosen ---------------------------------------------------===//

static void kept(const void *x) { cudaMemcpy(host, x, 4, cudaMemcpyDefault); }
#ifndef SAVE
static void kept(float *) { puts("kept"); }
#endif
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_kept(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    kept(x);
  }
}

static void seen(const void *x) { cudaMemcpy(host, x, 4, cudaMemcpyDefault); }
namespace quiet {
inline void seen(float *) { puts("seen"); }
} // namespace quiet
#ifndef SAVE
using namespace quiet;
#endif
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_seen(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    seen(x);
  }
}
// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made
void run_quiet(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    quiet::seen(x);
  }
}

static void turned(const void *x) { cudaMemcpy(host, x, 4, cudaMemcpyDefault); }
#ifndef SAVE
inline
#endif
    namespace turning {
inline void turned(float *) { puts("turned"); }
} // namespace turning
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_turned(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    turned(x);
  }
}

static void covered(const void *x) { cudaMemcpy(host, x, 4, cudaMemcpyDefault); }
struct Says {
  void operator()(float *) const { puts("covered"); }
};
namespace covering {
#ifndef SAVE
static Says covered;
#endif
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_covered(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    covered(x);
  }
}
} // namespace covering

#ifdef SAVE
__attribute__((weak))
#endif
void weakened(const void *) {
  puts("weakened");
}
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_weakened(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    weakened(x);
  }
}

#ifndef LEVEL
#define LEVEL 3
#endif
#define ALWAYS 3
static void level(float *, int) { puts("level"); }
static void level(float *x, long) { Saver()(x); }
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_level(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    level(x, LEVEL);
  }
}
// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made
void run_always(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    level(x, ALWAYS);
  }
}
static void say(float *, int) { puts("level"); }
static void say(const char *x, long) { puts(x); }
static void say(float *x) { say(x, LEVEL); }
// CHECK: :[[@LINE+2]]:3: note: {{.*}} [other-build]
void run_says(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    say(x);
  }
}
static void tell(float *, int n) { printf("%d", n); }
static void tell(float *, int n, long) { printf("%d", n); }
// A number is one in every build, where nothing else takes one.
//
// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made
void run_tells(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    tell(x, LEVEL);
  }
}

//===--- Nothing is added ----------------------------------------------------===//

static void plain(const void *) { puts("plain"); }
namespace of_plain {
namespace without {
int nothing;
}
#ifdef SAVE
using namespace without;
#endif
// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made
void run_plain(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    plain(x);
  }
}
} // namespace of_plain

static void always(const void *) { puts("always"); }
namespace of_always {
inline namespace always_inline {
int nothing2;
}
// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made
void run_always(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    always(x);
  }
}
} // namespace of_always

static void called(const void *) { puts("called"); }
namespace of_called {
#ifdef SAVE
inline void calls(float *x) {
  called(x), called(x);
  puts("a"), called(x);
  int n = 3;
  n = 4, called(x);
  ++n, called(x);
  if (n)
    called(x);
  else
    called(x);
  (called)(x);
  return called(x), called(x);
}
#endif
// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made
void run_called(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    called(x);
  }
}
} // namespace of_called

static void value(const void *) { puts("value"); }
namespace of_value {
#ifdef SAVE
struct Calls {
  void (*first)(const void *);
};
inline Calls value_calls = {value};
inline void (*all[])(const void *) = {value, value};
inline void calls() { Calls other = {value}, more{value}; }
#endif
// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made
void run_value(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    value(x);
  }
}
} // namespace of_value

static void macro(const void *) { puts("macro"); }
namespace of_macro {
#ifdef SAVE
#define DO_IT(x) macro(x)
#define DO_BOTH(x) (macro(x), macro(x))
#define NAME_OF_MACRO macro
inline void calls(float *x) { DO_IT(x), NAME_OF_MACRO(x); }
#endif
// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made
void run_macro(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    macro(x);
  }
}
} // namespace of_macro

static void parameter(const void *) { puts("parameter"); }
namespace of_parameter {
#ifdef SAVE
struct Holder {
  int n;
};
template <class T> void calls(T x) { parameter(x), parameter(x); }
enum Colour { red, green };
#endif
// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made
void run_parameter(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    parameter(x);
  }
}
} // namespace of_parameter

static int computed(const void *) {
  puts("computed");
  return 1;
}
namespace of_computed {
#ifdef SAVE
inline int twice(float *x) {
  int y = 2, z = y * computed(x);
  z = y *computed(x), z = (y & computed(x));
  return z * computed(x);
}
#endif
// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made
void run_computed(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    computed(x);
  }
}
} // namespace of_computed

namespace elsewhere {
inline int absolute(const void *) { return 1; }
} // namespace elsewhere
static void absolute(const void *) { puts("absolute"); }
namespace of_absolute {
#ifdef SAVE
inline int any(float *x) {
  elsewhere::absolute(x);
  if (!elsewhere::absolute(x))
    return 2;
  return elsewhere::absolute(x) + 2 * elsewhere::absolute(x);
}
#endif
// CHECK: :[[@LINE+2]]:3: warning: {{.*}} can be made
void run_absolute(float *x) {
  for (int s = 0; s < 100; ++s) {
    add<<<1, 32>>>(x);
    absolute(x);
  }
}
} // namespace of_absolute
