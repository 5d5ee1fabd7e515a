// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int cells = 1 << 14;
