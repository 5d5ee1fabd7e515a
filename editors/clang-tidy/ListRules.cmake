# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes RULE("id") for every rule of the command BARRICADE to OUTPUT.
execute_process(COMMAND "${BARRICADE}" --list-rules
  OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "(^|\n)[a-z-]+: [^\n]*" lines "${text}")
set(result "")
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^\n?([a-z-]+): .*" "RULE(\"\\1\")\n" line "${line}")
  string(APPEND result "${line}")
endforeach()
if(result STREQUAL "")
  message(FATAL_ERROR "${BARRICADE} --list-rules lists none")
endif()
file(WRITE "${OUTPUT}" "${result}")
