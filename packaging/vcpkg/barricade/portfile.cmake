# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The runtime header, from the source tree that this port lies in.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(VCPKG_BUILD_TYPE release) # there is nothing to build

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DBARRICADE_TOOL=OFF -DBARRICADE_TESTS=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME barricade CONFIG_PATH share/cmake/barricade)
vcpkg_fixup_pkgconfig()
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
