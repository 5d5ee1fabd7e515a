# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# barricade_add_emulated_test(NAME FILES file.cu...
#   [ARGS program-argument...] [OPTIONS barricade-emulate-option...]
#   [ORDERS order...] [SEEDS seed...])
#
# One ctest per order and seed that runs a CUDA program on the CPU executor and
# passes when the program does and the executor finds no fault.
function(barricade_add_emulated_test NAME)
  cmake_parse_arguments(T "" "" "FILES;ARGS;OPTIONS;ORDERS;SEEDS" ${ARGN})
  if(NOT T_ORDERS)
    set(T_ORDERS inorder reversed random)
  endif()
  if(NOT T_SEEDS)
    set(T_SEEDS 1)
  endif()
  foreach(ORDER IN LISTS T_ORDERS)
    foreach(SEED IN LISTS T_SEEDS)
      set(TEST emulated.${NAME}.${ORDER}.${SEED})
      add_test(NAME ${TEST}
        COMMAND ${BARRICADE_EMULATE} run ${T_FILES} --order=${ORDER}
                --seed=${SEED} ${T_OPTIONS} -- ${T_ARGS}
        WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
      set_tests_properties(${TEST} PROPERTIES LABELS emulated TIMEOUT 300)
    endforeach()
  endforeach()
endfunction()
