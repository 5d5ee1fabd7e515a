// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of one pass, found by what another one knows of them.

#include "matchers/grid-barrier/DeviceKernels.h"
#include "HostSnippet.h"

using namespace barricade;
using namespace barricade::grid_barrier;

namespace {

/// Two passes of sources that are laid out alike.
struct Passes {
  Passes(const std::string &HostCode, const std::string &DeviceCode)
      : Host(HostCode), Device(DeviceCode), Pass(Device.pass()),
        Kernels(Pass,
                [this](const clang::FunctionDecl &Kernel, const PassView &) {
                  ++Asked;
                  return Kernel.getNumParams();
                }) {}

  /// The key of the host's kernel of that name, arguments included.
  FunctionKey key(const std::string &Name) {
    for (const auto &[Key, Kernel] : kernelsOf(Host.pass()))
      if (Key.second == Name)
        return Key;
    ADD_FAILURE() << "no kernel " << Name;
    return {};
  }
  /// Parameters of the kernel; -1: there is none.
  int find(const std::string &Name) {
    const unsigned *Found = Kernels.find(key(Name));
    return Found ? int(*Found) : -1;
  }

  test::HostSnippet Host, Device;
  PassView Pass;
  unsigned Asked = 0;
  DeviceKernels<unsigned> Kernels;
};

TEST(DeviceKernels, FindsKernelsOfAnotherPass) {
  const std::string Code = "__global__ void a(int) {}\n"
                           "__global__ void a(int, int) {}\n"
                           "namespace n { __global__ void a() {} }\n";
  Passes P(Code, Code);
  EXPECT_EQ(P.find("n::a"), 0);
  EXPECT_EQ(kernelsOf(P.Pass).size(), 3u);
  // Overloads stand at other places.
  int Sum = 0;
  for (const auto &[Key, Kernel] : kernelsOf(P.Host.pass()))
    if (Key.second == "a")
      Sum += 10 * int(Kernel->getNumParams()) + int(*P.Kernels.find(Key));
  EXPECT_EQ(Sum, 33);
}

TEST(DeviceKernels, AsksForPlaceAndName) {
  const std::string Code = "__global__ void a(int) {}\n";
  EXPECT_EQ(Passes(Code, Code).find("a"), 1);
  EXPECT_EQ(Passes(Code, "__global__ void a(int, int) {}\n").find("a"), 2);
  EXPECT_EQ(Passes(Code, "__global__ void b(int) {}\n").find("a"), -1);
  EXPECT_EQ(Passes(Code, "\n__global__ void a(int) {}\n").find("a"), -1);
  EXPECT_EQ(Passes(Code, "__device__ void a(int) {}\n").find("a"), -1);
  EXPECT_EQ(Passes(Code, "").find("a"), -1);
}

TEST(DeviceKernels, TellsInstancesApart) {
  const std::string
      Code =
          "template <class T> __global__ void a(T) {}\n"
          "template <class... T> __global__ void b(T...) {}\n"
          "void f() { a<<<1, 1>>>(1); a<<<1, 1>>>(1.f); b<<<1, 1>>>(1, 2);\n",
      Less = "a<<<1, 1>>>(1); }\n", More = "b<<<1, 1>>>(1); }\n";
  Passes P(Code + More, Code + Less);
  EXPECT_EQ(P.find("a<int>"), 1);
  EXPECT_EQ(P.find("a<float>"), 1);
  EXPECT_EQ(P.find("b<int, int>"), 2);
  EXPECT_EQ(P.find("b<int>"), -1);
  EXPECT_EQ(P.Kernels.findAll(P.key("b<int>")).size(), 1u);
  EXPECT_EQ(P.Kernels.findAll(P.key("a<int>")).size(), 2u);
  EXPECT_EQ(P.Kernels.findAll({Place{}, ""}).size(), 0u);
}

TEST(DeviceKernels, AsksOnce) {
  const std::string Code = "__global__ void a() {}\n__global__ void b() {}\n";
  Passes P(Code, Code);
  EXPECT_EQ(P.Asked, 0u);
  P.find("a");
  P.find("a");
  P.Kernels.findAll(P.key("a"));
  EXPECT_EQ(P.Asked, 1u);
  P.find("b");
  EXPECT_EQ(P.Asked, 2u);
}

} // namespace
