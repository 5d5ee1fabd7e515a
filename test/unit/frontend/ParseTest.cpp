//===- ParseTest.cpp - Both passes of real sources ------------------------===//
//
// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses small sources with barricade's own declarations, so that no toolkit
// is needed; with a toolkit too, where one is installed.
//
//===----------------------------------------------------------------------===//

#include "frontend/Parse.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/MemoryBuffer.h"
#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <thread>

using namespace llvm;
using namespace barricade;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

using Overlay = std::vector<std::pair<std::string, std::string>>;

IntrusiveRefCntPtr<vfs::FileSystem> overlay(const Overlay &Files) {
  IntrusiveRefCntPtr<vfs::InMemoryFileSystem> Memory(
      new vfs::InMemoryFileSystem);
  for (const auto &[Path, Text] : Files)
    Memory->addFile(Path, 0, MemoryBuffer::getMemBufferCopy(Text));
  IntrusiveRefCntPtr<vfs::OverlayFileSystem> FS(
      new vfs::OverlayFileSystem(vfs::createPhysicalFileSystem()));
  FS->pushOverlay(Memory);
  return FS;
}

/// Parses /src/a.cu as nvcc with \p Words would read it.
TranslationUnit parse(const Overlay &Files, std::vector<std::string> Words = {},
                      bool NoToolkit = true) {
  Words.insert(Words.begin(), "nvcc");
  Words.push_back("/src/a.cu");
  clang::tooling::CompileCommand Command("/", "/src/a.cu", Words, "");
  TranslateOptions Options;
  Options.NoToolkit = NoToolkit;
  Options.Env = processEnvironment();
  Options.FS = overlay(Files);
  Translation T = cantFail(translateCommand(Command, Options));
  return parseTranslationUnit(std::get<TranslatedCommand>(std::move(T)),
                              overlay(Files));
}

TranslationUnit parse(StringRef Text, std::vector<std::string> Words = {},
                      bool NoToolkit = true) {
  return parse(Overlay{{"/src/a.cu", Text.str()}}, std::move(Words), NoToolkit);
}

/// Names of the functions with a body that the main file declares.
std::set<std::string> functions(const ParsedPass &P) {
  std::set<std::string> Names;
  for (const clang::Decl *D : P.context().getTranslationUnitDecl()->decls())
    if (const auto *F = dyn_cast<clang::FunctionDecl>(D))
      if (F->hasBody() &&
          P.sourceManager().isWrittenInMainFile(F->getLocation()))
        Names.insert(F->getNameAsString());
  return Names;
}

std::vector<std::string> passes(const TranslationUnit &TU) {
  std::vector<std::string> Names;
  for (const auto &P : TU.Passes)
    Names.push_back(passName(P->pass()).str() +
                    (P->sm() ? std::to_string(P->sm()) : ""));
  return Names;
}

constexpr StringLiteral SplitSource = R"(
#ifdef __CUDA_ARCH__
__global__ void onDevice(int *P) { P[threadIdx.x] = 1; }
#else
__global__ void onHost(int *P) { P[threadIdx.x] = 2; }
#endif
int main() { return 0; }
)";

TEST(Parse, BothPassesSeeTheirOwnBranch) {
  TranslationUnit TU = parse(SplitSource);
  ASSERT_TRUE(TU.parsed()) << TU.Diagnostics;
  EXPECT_THAT(passes(TU), ElementsAre("host", "device75"));
  EXPECT_EQ(functions(*TU.Passes[0]),
            (std::set<std::string>{"onHost", "main"}));
  EXPECT_EQ(functions(*TU.Passes[1]),
            (std::set<std::string>{"onDevice", "main"}));
  EXPECT_THAT(TU.Passes[0]->userFiles(), testing::Contains("/src/a.cu"));
  EXPECT_FALSE(TU.Passes[0]->langOpts().CUDAIsDevice);
  EXPECT_TRUE(TU.Passes[1]->langOpts().CUDAIsDevice);
}

TEST(Parse, MoreArchitecturesOnlyWhereCodeMayDiffer) {
  std::vector<std::string> Archs = {"-gencode", "arch=compute_80,code=sm_80",
                                    "-gencode", "arch=compute_90,code=sm_90"};
  EXPECT_THAT(passes(parse("__global__ void k() {}", Archs)),
              ElementsAre("host", "device90"));
  EXPECT_THAT(passes(parse(SplitSource, Archs)),
              ElementsAre("host", "device90", "device80"));
}

TEST(Parse, MentionInUserHeaderCounts) {
  TranslationUnit TU =
      parse(Overlay{{"/src/a.cu", "#include \"h.cuh\"\n"},
                    {"/src/h.cuh", "#if __CUDA_ARCH__ >= 900\n#endif\n"}},
            {"-arch=all-major"});
  ASSERT_TRUE(TU.parsed()) << TU.Diagnostics;
  EXPECT_TRUE(TU.Passes[0]->mentionsCudaArch());
  EXPECT_THAT(passes(TU),
              ElementsAre("host", "device120", "device110", "device100",
                          "device90", "device80", "device75"));
}

TEST(Parse, ErrorsAreClangsAndNoASTRemains) {
  TranslationUnit TU =
      parse("__global__ void k(int *P) { P[0] = undeclared; }");
  EXPECT_FALSE(TU.parsed());
  EXPECT_THAT(TU.Diagnostics,
              HasSubstr("/src/a.cu:1:36: error: use of undeclared identifier "
                        "'undeclared'"));
}

TEST(Parse, ErrorsOfTheDevicePassCount) {
  TranslationUnit TU = parse("#ifdef __CUDA_ARCH__\n#error device\n#endif\n");
  EXPECT_FALSE(TU.parsed());
  EXPECT_THAT(TU.Diagnostics, HasSubstr("error: device"));
}

TEST(Parse, WarningsStayQuiet) {
  TranslationUnit TU = parse("#warning loud\nint f() { int unused; }");
  EXPECT_TRUE(TU.parsed());
  EXPECT_EQ(TU.Diagnostics, "");
}

TEST(Parse, MissingFileIsAnError) {
  TranslationUnit TU = parse(Overlay{{"/src/other.cu", ""}});
  EXPECT_FALSE(TU.parsed());
  EXPECT_THAT(TU.Diagnostics, HasSubstr("a.cu"));
}

TEST(Parse, MissingToolkitIsNamedWhenItMatters) {
  TranslationUnit TU = parse("#include <cub/cub.cuh>\n");
  EXPECT_FALSE(TU.parsed());
  EXPECT_THAT(TU.Diagnostics, HasSubstr("'cub/cub.cuh' file not found"));
  EXPECT_THAT(TU.Diagnostics, HasSubstr("no CUDA toolkit is used"));
}

TEST(Parse, RunsInParallel) {
  std::vector<std::thread> Threads;
  std::atomic<int> Parsed = 0;
  for (int I = 0; I != 4; ++I)
    Threads.emplace_back([&] { Parsed += parse(SplitSource).parsed(); });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(Parsed, 4);
}

//===--- A program that uses what the fallback declares; the toolkit must
//===--- accept the same.

constexpr StringLiteral WideSource = R"(
#include <cstdio>
#include <vector>
#include <algorithm>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
__constant__ float Coefficients[4];
__device__ unsigned Counter;
extern __shared__ float Dynamic[];
template <typename T>
__global__ void __launch_bounds__(256) kernel(T *__restrict__ P, int N) {
  __shared__ T Tile[256];
  int Lane = threadIdx.x & 31;
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < N;
       I += gridDim.x * blockDim.x) {
    Tile[threadIdx.x] = sqrtf(P[I]) + fabs(Coefficients[0]) + __expf(P[I]) +
                        min(I, 3u) + max(1.0f, 2.0) + powf(P[I], 2.f);
    __syncthreads();
    atomicAdd(&P[I], Tile[0]);
    atomicCAS(&Counter, 0u, 1u);
    P[I] += __shfl_down_sync(0xffffffffu, P[I], 1) + __ldg(&P[I]);
  }
  if (__syncthreads_or(N > 0))
    printf("%d %u\n", Lane, __ballot_sync(~0u, N));
  __threadfence();
  dim3 Block = blockDim;
  float4 V = make_float4(1, 2, 3, 4);
  assert(Block.x == 1 && V.x == 1);
  P[0] = rsqrtf(P[0]) + __int_as_float(1) + __popc(3) + clock64();
}
int main() {
  std::vector<float> H(16);
  float *D;
  cudaMalloc(&D, 64);
  cudaMemcpy(D, H.data(), 64, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(Coefficients, H.data(), 16);
  cudaStream_t S;
  cudaStreamCreate(&S);
  cudaEvent_t E;
  cudaEventCreate(&E);
  kernel<<<dim3(1, 1), 256, 1024, S>>>(D, 16);
  void *Args[] = {&D};
  cudaLaunchCooperativeKernel((void *)kernel<float>, 1, 256, Args, 0, S);
  int Blocks;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&Blocks, kernel<float>, 256, 0);
  cudaDeviceProp Prop;
  cudaGetDeviceProperties(&Prop, 0);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  std::sort(H.begin(), H.end());
  return std::min(1, 2) + min(1, 2u) + max(1.0, 2.0f) + cudaFree(D);
}
)";

TEST(Fallback, DeclaresLanguageAndRuntime) {
  TranslationUnit TU = parse(WideSource);
  EXPECT_TRUE(TU.parsed()) << TU.Diagnostics;
}

TEST(Fallback, ToolkitAcceptsTheSameProgram) {
  if (!findToolkit(processEnvironment(), *vfs::getRealFileSystem()))
    GTEST_SKIP() << "no CUDA toolkit";
  TranslationUnit TU = parse(WideSource, {}, /*NoToolkit=*/false);
  EXPECT_TRUE(TU.parsed()) << TU.Diagnostics;
}

//===--- What nvcc accepts and Clang alone refuses

TEST(NvccDialect, RegisterAndNarrowing) {
  TranslationUnit TU = parse("int f(double D) { register int I = 1;\n"
                             "int A[] = {D}; return I + A[0]; }");
  EXPECT_TRUE(TU.parsed()) << TU.Diagnostics;
}

TEST(NvccDialect, SplitLaunchBracketsKeepEveryPosition) {
  StringRef Text = "#include <iostream>\n"
                   "__global__ void k(int) {}\n"
                   "int main() { k << <1, 2>> >(3); /* here */ return 0; }\n"
                   "void o() { std::operator<< <std::char_traits<char>>"
                   "(std::cout, \"x\"); }\n";
  TranslationUnit TU = parse(Text);
  ASSERT_TRUE(TU.parsed()) << TU.Diagnostics;
  EXPECT_EQ(TU.Diagnostics, "");
  const clang::SourceManager &SM = TU.Passes[0]->sourceManager();
  StringRef Seen = SM.getBufferData(SM.getMainFileID());
  EXPECT_EQ(Seen.size(), Text.size());
  EXPECT_EQ(Seen.find("here"), Text.find("here"));
  EXPECT_TRUE(Seen.contains("operator<< <"));
  ASSERT_EQ(TU.UnrepairedTexts.size(), 1u);
  EXPECT_EQ(TU.UnrepairedTexts.begin()->second, Text);
}

TEST(NvccDialect, SingleSignsOfRegistersKeepEveryPosition) {
  StringRef Text =
      "__global__ void k(unsigned *P) {\n"
      "  unsigned A, B;\n"
      "  asm volatile(\"mov.u32 %0, %smid;\" \" // %laneid\" : \"=r\"(A));\n"
      "  __asm__ __volatile__ (\"mov.u32 %0, %%warpid;\" : \"=r\"(B));\n"
      "  asm(\"add.u32 %[out], %1, 1;\" : [out] \"=r\"(B) : \"r\"(B));\n"
      "  P[0] = A + B; const char *Asm = \"%smid\"; /* here */\n"
      "}\n";
  TranslationUnit TU = parse(Text);
  ASSERT_TRUE(TU.parsed()) << TU.Diagnostics;
  const clang::SourceManager &SM = TU.Passes[0]->sourceManager();
  StringRef Seen = SM.getBufferData(SM.getMainFileID());
  EXPECT_EQ(Seen.find("here"), Text.find("here"));
  EXPECT_TRUE(Seen.contains("%0, $smid;\" \" // $laneid\""));
  EXPECT_TRUE(Seen.contains("%%warpid"));
  EXPECT_TRUE(Seen.contains("%[out], %1"));
  EXPECT_TRUE(Seen.contains("Asm = \"%smid\""));
  EXPECT_EQ(TU.UnrepairedTexts.begin()->second, Text);
}

TEST(NvccDialect, AssemblyMayLackCommasBetweenOperands) {
  StringRef Text =
      "__global__ void k(unsigned *P, unsigned A) {\n"
      "  asm volatile(\"st.u32 [%1], %0; // )\" ::\"r\"(A + (1)) \"l\"(P) : "
      "\"memory\");\n"
      "  asm(\"add.u32 %0, %1, %2;\" : \"=r\"(A) : \"r\"(A)\n"
      "      \"r\"(A), [c] \"r\"(A));\n"
      "  P[0] = A; /* here */\n"
      "}\n";
  TranslationUnit TU = parse(Text);
  ASSERT_TRUE(TU.parsed()) << TU.Diagnostics;
  const clang::SourceManager &SM = TU.Passes[0]->sourceManager();
  StringRef Seen = SM.getBufferData(SM.getMainFileID());
  EXPECT_EQ(Seen.size(), Text.size());
  EXPECT_TRUE(Seen.contains("(A + (1)),\"l\"(P) : "));
  EXPECT_TRUE(Seen.contains("(A)\n,     \"r\"(A), [c]"));
  EXPECT_EQ(TU.UnrepairedTexts.begin()->second, Text);
}

TEST(NvccDialect, DevicesNewIsThereForEarlyHeaders) {
  if (!findToolkit(processEnvironment(), *vfs::getRealFileSystem()))
    GTEST_SKIP() << "no CUDA toolkit";
  TranslationUnit TU = parse("__global__ void k(int **P) {\n"
                             "  *P = new int[4];\n"
                             "  delete[] *P;\n"
                             "}\n",
                             {"--extended-lambda", "-rdc=true"},
                             /*NoToolkit=*/false);
  EXPECT_TRUE(TU.parsed()) << TU.Diagnostics;
}

// What nvcc's threadIdx and __managed__ allow, in all languages.
TEST(NvccDialect, BuiltInVariablesAreValues) {
  const bool HasToolkit =
      findToolkit(processEnvironment(), *vfs::getRealFileSystem()).has_value();
  for (const char *Standard : {"-std=c++17", "-std=c++20", "-std=c++23"})
    for (bool NoToolkit : {true, false}) {
      if (!NoToolkit && !HasToolkit)
        continue;
      TranslationUnit TU = parse("__managed__ int M;\n"
                                 "__global__ void k(unsigned *P) {\n"
                                 "  auto [X, Y, Z] = threadIdx;\n"
                                 "  const auto &[I, J, K] = gridDim;\n"
                                 "  auto T = threadIdx;\n"
                                 "  const auto &B = blockDim;\n"
                                 "  const uint3 &U = blockIdx;\n"
                                 "  const unsigned &V = threadIdx.x;\n"
                                 "  X += 1;\n"
                                 "  P[T.x] = X + Z + J + B.y + U.z + V + M;\n"
                                 "}\n"
                                 "int main() { return M; }",
                                 {Standard}, NoToolkit);
      EXPECT_TRUE(TU.parsed()) << Standard << TU.Diagnostics;
    }
}

TEST(NvccDialect, BuiltInVariablesHaveNoAddress) {
  EXPECT_FALSE(parse("__global__ void k() { auto *P = &threadIdx; }").parsed());
  EXPECT_FALSE(
      parse("__global__ void k() { auto *P = &threadIdx.x; }").parsed());
}

TEST(NvccDialect, InitialisedVariableSizeIsExplained) {
  TranslationUnit TU = parse("int f(int N) { int V[N] = {1}; return V[0]; }");
  EXPECT_FALSE(TU.parsed());
  EXPECT_THAT(TU.Diagnostics, HasSubstr("note: nvcc accepts an initialised"));
}

TEST(NvccDialect, HostCallsOfBothSidesAreExplained) {
  TranslationUnit TU = parse("void h();\n"
                             "__host__ __device__ void f() { h(); }\n"
                             "__global__ void k() { f(); }");
  EXPECT_FALSE(TU.parsed());
  EXPECT_THAT(TU.Diagnostics, HasSubstr("note: nvcc only warns where a"));
}

TEST(NvccDialect, BuiltInFunctions) {
  auto Cuda = findToolkit(processEnvironment(), *vfs::getRealFileSystem());
  if (!Cuda || Cuda->Major < 13)
    GTEST_SKIP() << "no CUDA toolkit that has them";
  TranslationUnit TU = parse(
      "__global__ void k(int *P, volatile unsigned *U) {\n"
      "  int V = 1, R;\n"
      "  __nv_atomic_load(P, &R, __NV_ATOMIC_ACQUIRE,"
      " __NV_THREAD_SCOPE_DEVICE);\n"
      "  __nv_atomic_store(P, &V, __NV_ATOMIC_RELEASE);\n"
      "  R += __nv_atomic_fetch_max(U, 3, __NV_ATOMIC_RELAXED);\n"
      "  __stcg(P, __ldlu(U) + 1);\n"
      "  __nv_atomic_add(P, R, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_BLOCK);\n"
      "  if (__nv_atomic_compare_exchange_n(P, &R, 7, false,"
      " __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_CLUSTER))\n"
      "    __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST,"
      " __NV_THREAD_SCOPE_SYSTEM);\n"
      "}\n",
      {}, /*NoToolkit=*/false);
  EXPECT_TRUE(TU.parsed()) << TU.Diagnostics;
}

TEST(NvccDialect, Clusters) {
  auto Cuda = findToolkit(processEnvironment(), *vfs::getRealFileSystem());
  if (!Cuda || Cuda->Major < 12)
    GTEST_SKIP() << "no CUDA toolkit that has them";
  TranslationUnit TU =
      parse("#include <cooperative_groups.h>\n"
            "__global__ void __cluster_dims__(2, 1, 1) k(int *P) {\n"
            "  auto C = cooperative_groups::this_cluster();\n"
            "  C.sync();\n"
            "  P[0] = C.block_rank() + *C.map_shared_rank(P, 1);\n"
            "}\n",
            {"-arch=sm_90"}, /*NoToolkit=*/false);
  EXPECT_TRUE(TU.parsed()) << TU.Diagnostics;
}

TEST(NvccDialect, SharedConstructorsAreExplained) {
  TranslationUnit TU = parse("struct S { int A; __device__ S() : A(1) {} };\n"
                             "__global__ void k() { __shared__ S X; }");
  EXPECT_FALSE(TU.parsed());
  EXPECT_THAT(TU.Diagnostics, HasSubstr("note: nvcc only warns"));
}

TEST(NvccDialect, ProjectsOwnCudaHeader) {
  if (!findToolkit(processEnvironment(), *vfs::getRealFileSystem()))
    GTEST_SKIP() << "no CUDA toolkit";
  Overlay Files = {{"/src/a.cu", "#include \"cuda.h\"\nint x = OWN;\n"},
                   {"/own/cuda.h", "#define OWN CUDA_OWN\n"
                                   "__device__ const int CUDA_OWN = 1;\n"}};
  TranslationUnit TU = parse(Files, {"-I/own"}, /*NoToolkit=*/false);
  EXPECT_TRUE(TU.parsed()) << TU.Diagnostics;
}

TEST(Textures, AreReadWhereTheyAreUsed) {
  if (!findToolkit(processEnvironment(), *vfs::getRealFileSystem()))
    GTEST_SKIP() << "no CUDA toolkit";
  const std::string Fetches =
      "template <class T> __device__ T at(cudaTextureObject_t t, int i) {\n"
      "  return tex1Dfetch<T>(t, i);\n"
      "}\n";
  const std::string Uses =
      "__global__ void k(cudaTextureObject_t t, cudaSurfaceObject_t s) {\n"
      "  surf1Dwrite(at<float4>(t, threadIdx.x).x, s, 4);\n"
      "}\n";
  auto AreRead = [](const TranslationUnit &TU) {
    return TU.Passes.at(0)->preprocessor().isMacroDefined(
        "__CLANG_CUDA_TEXTURE_INTRINSICS_H__");
  };
  EXPECT_FALSE(AreRead(parse(Fetches, {}, /*NoToolkit=*/false)));
  EXPECT_TRUE(AreRead(parse(Fetches + Uses, {}, /*NoToolkit=*/false)));
  // The device's pass alone may use them.
  EXPECT_TRUE(
      AreRead(parse("#ifdef __CUDA_ARCH__\n" + Fetches + Uses + "#endif\n", {},
                    /*NoToolkit=*/false)));
}

TEST(Textures, ErrorsAreThoseOfTheWholeParse) {
  if (!findToolkit(processEnvironment(), *vfs::getRealFileSystem()))
    GTEST_SKIP() << "no CUDA toolkit";
  TranslationUnit TU =
      parse("__global__ void k(cudaTextureObject_t t, float *p) {\n"
            "  *p = tex1Dfetch<float>(t, 0) + unknown;\n"
            "}\n",
            {}, /*NoToolkit=*/false);
  EXPECT_FALSE(TU.parsed());
  EXPECT_THAT(TU.Diagnostics, HasSubstr("unknown"));
  EXPECT_THAT(TU.Diagnostics, testing::Not(HasSubstr("left out")));
}

TEST(NvccDialect, StandardHeadersAreThere) {
  if (!findToolkit(processEnvironment(), *vfs::getRealFileSystem()))
    GTEST_SKIP() << "no CUDA toolkit";
  TranslationUnit TU = parse("long f() { assert(1); printf(\"x\"); "
                             "return time(0) + max(1u, 2) + rand(); }",
                             {}, /*NoToolkit=*/false);
  EXPECT_TRUE(TU.parsed()) << TU.Diagnostics;
}

} // namespace
