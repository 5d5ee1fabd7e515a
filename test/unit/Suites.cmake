# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What ctest includes for each program of unit tests: every suite is a test. Most
# tests take less time than their program takes to start, as it loads all of Clang.
# Set by who includes this: PROGRAM, FOLDER (of the sources), PREFIX (of names).
execute_process(COMMAND "${PROGRAM}" --gtest_list_tests
  WORKING_DIRECTORY "${FOLDER}" # some tests are made of the inputs there
  RESULT_VARIABLE code OUTPUT_VARIABLE listed)
# Suites stand at the start of a line, which for some ends in a comment; the
# program's own greeting has no dot before its end.
string(REGEX MATCHALL "(^|\n)[A-Za-z0-9_/]+\\." suites "${listed}")
if(code OR NOT suites)
  # ctest knows no program of this name: a test that fails.
  add_test("${PREFIX}NOT_BUILT" "${PROGRAM}-NOT_BUILT")
endif()
foreach(suite IN LISTS suites)
  string(REGEX REPLACE "[\n.]" "" suite "${suite}")
  add_test("${PREFIX}${suite}" "${PROGRAM}" "--gtest_filter=${suite}.*")
  # Names of skipped tests are last in the output of suites in which none failed.
  set_tests_properties("${PREFIX}${suite}" PROPERTIES
    WORKING_DIRECTORY "${FOLDER}" TIMEOUT 300
    SKIP_REGULAR_EXPRESSION "\n\\[  SKIPPED \\] [A-Za-z0-9_./]+\n*$")
endforeach()
