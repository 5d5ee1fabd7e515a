// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which statements are fences for the whole grid.

#include "matchers/fence-as-barrier/GridFence.h"
#include "Snippet.h"
#include "matchers/source/Statements.h"

using namespace barricade;

namespace {

const std::string Library = R"(# 1 "library.h" 1 3
namespace cuda {
enum memory_order { memory_order_relaxed, memory_order_seq_cst };
enum thread_scope {
  thread_scope_system, thread_scope_device, thread_scope_block,
  thread_scope_thread = 10
};
__device__ void atomic_thread_fence(memory_order,
                                    thread_scope = thread_scope_system);
}
__device__ void __threadfence_system();
__device__ void __nvvm_membar_gl();
__device__ void __nvvm_membar_cta();
__device__ void __nv_atomic_thread_fence(int order, int scope = 4);
# 1 "snippet.cu" 2
)";

/// How many statements of a kernel with the body are such fences.
unsigned fencesIn(const std::string &Body, const std::string &Before = "") {
  test::Snippet Parsed(Library + Before +
                       "\n__global__ void k(int n, int *a) {\n" + Body +
                       "\n}\n");
  unsigned Count = 0;
  (void)codeHolds(Parsed.function(), [&](const clang::Stmt &S) {
    Count +=
        fence_as_barrier::isGridFence(S, Parsed.context().getSourceManager());
    return false;
  });
  return Count;
}

unsigned fencesInAsm(const std::string &Text) {
  return fencesIn("asm volatile(\"" + Text + "\" ::: \"memory\");");
}

TEST(GridFence, KnowsCudasFunctions) {
  for (const char *Call :
       {"__threadfence();", "__threadfence_system();", "__nvvm_membar_gl();",
        "(__threadfence());", "n ? __threadfence() : (void)0;",
        "[&] { __threadfence(); }();"})
    EXPECT_EQ(fencesIn(Call), 1u) << Call;
  for (const char *Call : {"__threadfence_block();", "__nvvm_membar_cta();",
                           "__syncthreads();", "__syncwarp(~0u);",
                           "atomicAdd(a, 0);", "auto *f = __threadfence; f();"})
    EXPECT_EQ(fencesIn(Call), 0u) << Call;
  EXPECT_EQ(fencesIn("FENCE; FENCE;", "#define FENCE __threadfence()"), 2u);
}

TEST(GridFence, NamesAloneAreNone) {
  EXPECT_EQ(fencesIn("own::__threadfence();",
                     "namespace own { __device__ void __threadfence(); }"),
            0u);
  EXPECT_EQ(fencesIn("atomic_thread_fence(1, 0);",
                     "__device__ void atomic_thread_fence(int, int) {}"),
            0u);
  EXPECT_EQ(fencesIn("s.__threadfence();",
                     "struct S { __device__ void __threadfence() {} } ; "
                     "__device__ S s;"),
            0u);
  // The fence is what it calls.
  EXPECT_EQ(fencesIn("mine();", "__device__ void mine() { __threadfence(); }"),
            0u);
}

TEST(GridFence, AsksForTheScope) {
  const std::string Fence =
      "cuda::atomic_thread_fence(cuda::memory_order_seq_cst";
  for (const char *Scope :
       {"", ", cuda::thread_scope_system", ", cuda::thread_scope_device",
        ", (cuda::thread_scope)1", ", (cuda::thread_scope)n"})
    EXPECT_EQ(fencesIn(Fence + Scope + ");"), 1u) << Scope;
  for (const char *Scope :
       {", cuda::thread_scope_block", ", cuda::thread_scope_thread",
        ", cuda::thread_scope(1 + 1)"})
    EXPECT_EQ(fencesIn(Fence + Scope + ");"), 0u) << Scope;
}

// The built-in scopes count the other way.
TEST(GridFence, KnowsTheBuiltinScopes) {
  for (const char *Scope : {"", ", 4", ", 3", ", 1 + 2", ", n"})
    EXPECT_EQ(
        fencesIn("__nv_atomic_thread_fence(5" + std::string(Scope) + ");"), 1u)
        << Scope;
  for (const char *Scope : {", 0", ", 1", ", 2"})
    EXPECT_EQ(
        fencesIn("__nv_atomic_thread_fence(5" + std::string(Scope) + ");"), 0u)
        << Scope;
}

TEST(GridFence, ReadsAssembly) {
  for (const char *Text :
       {"membar.gl;", "membar.sys;", "  membar.gl ;\\n\\t",
        "fence.acq_rel.gpu;", "fence.sc.sys;", "fence.sc.gpu"})
    EXPECT_EQ(fencesInAsm(Text), 1u) << Text;
  for (const char *Text :
       {"", "membar.cta;", "fence.sc.cta;", "fence.acq_rel.cluster;",
        "membar.gl; bar.sync 0;", "bar.sync 0; membar.gl;", "membar.gl.x;",
        "// membar.gl", "xmembar.gl;", "membar.global;",
        "fence.mbarrier_init.release.cluster;", "MEMBAR.GL;"})
    EXPECT_EQ(fencesInAsm(Text), 0u) << Text;
}

} // namespace
