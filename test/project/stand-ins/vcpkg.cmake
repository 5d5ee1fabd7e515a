# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What a portfile calls, for machines without vcpkg: the same installation, without
# vcpkg's own checks. Run with -DPORT=portfile.cmake -DCURRENT_PACKAGES_DIR=DIR.
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" SOURCE_PATH OPTIONS)
  run("${CMAKE_COMMAND}" -S "${ARG_SOURCE_PATH}" -B "${CURRENT_PACKAGES_DIR}-build"
    "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}" ${ARG_OPTIONS})
endfunction()

function(vcpkg_cmake_install)
  run("${CMAKE_COMMAND}" --install "${CURRENT_PACKAGES_DIR}-build")
endfunction()

function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "PACKAGE_NAME;CONFIG_PATH" "")
  file(RENAME "${CURRENT_PACKAGES_DIR}/${ARG_CONFIG_PATH}"
    "${CURRENT_PACKAGES_DIR}/share/${ARG_PACKAGE_NAME}")
endfunction()

function(vcpkg_fixup_pkgconfig)
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "" FILE_LIST)
  file(COPY_FILE ${ARG_FILE_LIST} "${CURRENT_PACKAGES_DIR}/share/barricade/copyright")
endfunction()

include("${PORT}")
