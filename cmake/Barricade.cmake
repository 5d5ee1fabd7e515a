# Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Analyses the CUDA sources of a target with its whole program in view, as part of
# the build: each file is indexed, the summaries are linked, and each file is
# judged by the index. The build tool runs what a change asks for.
#
#   find_package(barricade REQUIRED)
#   barricade_analyze(app CLOSED_WORLD)
#
# gives the target app-barricade: for each CUDA source of app a report in JSON
# below barricade/app/ of the folder where app is built, and the index there. The
# program is app with all targets of the project that it links, however far down,
# as they are once the whole project has been configured. The project needs
# CMAKE_EXPORT_COMPILE_COMMANDS.
#
#   barricade_analyze(TARGET [CLOSED_WORLD] [OPTIONS option...])
#
# CLOSED_WORLD  the program has no other device code: see --closed-world
# OPTIONS       further options of the analysis

cmake_policy(PUSH)
cmake_policy(VERSION 3.20...3.25)

find_program(BARRICADE_EXECUTABLE barricade
  HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin"
  DOC "The command that analyses CUDA sources")

# Fails on what is decided only once the project is generated: a file that is not
# seen here would lack in the index.
function(_barricade_refuse_expression text target)
  if(text MATCHES "\\$<")
    message(FATAL_ERROR "barricade_analyze: '${text}' of ${target} is not known before the build")
  endif()
endfunction()

# The targets of this project that TARGET is made of, itself among them, are added
# to the list RESULT.
function(_barricade_collect_targets target result)
  set(found ${${result}})
  get_target_property(aliased "${target}" ALIASED_TARGET)
  if(aliased)
    set(target "${aliased}")
  endif()
  get_target_property(imported "${target}" IMPORTED)
  if(NOT imported AND NOT target IN_LIST found)
    list(APPEND found "${target}")
    get_target_property(linked "${target}" LINK_LIBRARIES)
    get_target_property(passed_on "${target}" INTERFACE_LINK_LIBRARIES)
    get_target_property(sources "${target}" SOURCES)
    # An object library may be named by its objects.
    list(FILTER sources INCLUDE REGEX "TARGET_OBJECTS")
    foreach(part IN LISTS linked passed_on sources)
      string(REGEX REPLACE "^\\$<(LINK_ONLY|BUILD_INTERFACE|TARGET_OBJECTS):(.*)>$" "\\2"
        part "${part}")
      if(TARGET "${part}")
        _barricade_collect_targets("${part}" found)
      elseif(NOT part MATCHES "^\\$<INSTALL_INTERFACE:")
        _barricade_refuse_expression("${part}" "${target}")
      endif()
    endforeach()
  endif()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# The CUDA sources of TARGET, absolute, become RESULT.
function(_barricade_cuda_sources target result)
  set(found "")
  get_target_property(folder "${target}" SOURCE_DIR)
  get_target_property(sources "${target}" SOURCES)
  if(NOT sources)
    set(sources "")
  endif()
  list(FILTER sources EXCLUDE REGEX "^\\$<TARGET_OBJECTS:")
  foreach(source IN LISTS sources)
    _barricade_refuse_expression("${source}" "${target}")
    get_filename_component(path "${source}" ABSOLUTE BASE_DIR "${folder}")
    get_source_file_property(language "${path}" TARGET_DIRECTORY "${target}" LANGUAGE)
    if(path MATCHES "\\.cu$" OR language STREQUAL "CUDA")
      list(APPEND found "${path}")
    endif()
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# What is made of SOURCE below FOLDER, without its extension, becomes RESULT. Two
# sources may have one name.
function(_barricade_output source folder result)
  get_filename_component(name "${source}" NAME)
  string(MD5 hash "${source}")
  string(SUBSTRING "${hash}" 0 8 hash)
  set(${result} "${folder}/${name}.${hash}" PARENT_SCOPE)
endfunction()

function(_barricade_add_targets target folder options)
  set(command_lines "${CMAKE_BINARY_DIR}/compile_commands.json")
  set(parts "")
  _barricade_collect_targets("${target}" parts)
  set(summaries "")
  foreach(part IN LISTS parts)
    _barricade_cuda_sources("${part}" sources)
    foreach(source IN LISTS sources)
      _barricade_output("${source}" "${folder}" output)
      set(summary "${output}.summary")
      if(summary IN_LIST summaries)
        continue() # Of two targets: both of its commands count.
      endif()
      add_custom_command(OUTPUT "${summary}"
        COMMAND "${BARRICADE_EXECUTABLE}" index --quiet "${source}" -o "${summary}"
          "--depfile=${summary}.d" -p "${CMAKE_BINARY_DIR}"
        DEPENDS "${source}" "${command_lines}" "${BARRICADE_EXECUTABLE}"
        DEPFILE "${summary}.d"
        COMMENT "Indexing ${source}" VERBATIM)
      list(APPEND summaries "${summary}")
    endforeach()
  endforeach()

  set(index "${folder}/program.index")
  string(JOIN "\"\n\"" listed ${summaries})
  file(CONFIGURE OUTPUT "${folder}/summaries" CONTENT "\"${listed}\"\n" @ONLY)
  add_custom_command(OUTPUT "${index}"
    COMMAND "${BARRICADE_EXECUTABLE}" link "@${folder}/summaries" -o "${index}"
    DEPENDS ${summaries} "${folder}/summaries" "${BARRICADE_EXECUTABLE}"
    COMMENT "Linking the index of ${target}" VERBATIM)

  set(reports "")
  _barricade_cuda_sources("${target}" sources)
  foreach(source IN LISTS sources)
    _barricade_output("${source}" "${folder}" output)
    add_custom_command(OUTPUT "${output}.json"
      COMMAND "${BARRICADE_EXECUTABLE}" --quiet "${source}" "--json=${output}.json"
        "--index=${index}" --other-programs --fail-on=never -p "${CMAKE_BINARY_DIR}"
        ${options}
      DEPENDS "${index}"
      COMMENT "Analysing ${source}" VERBATIM)
    list(APPEND reports "${output}.json")
  endforeach()
  add_custom_target("${target}-barricade" DEPENDS ${reports})
endfunction()

function(barricade_analyze target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "CLOSED_WORLD" "" "OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "barricade_analyze does not know ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT BARRICADE_EXECUTABLE)
    message(FATAL_ERROR "barricade_analyze needs the command: set BARRICADE_EXECUTABLE")
  endif()
  if(NOT CMAKE_EXPORT_COMPILE_COMMANDS)
    message(FATAL_ERROR "barricade_analyze needs CMAKE_EXPORT_COMPILE_COMMANDS")
  endif()
  set(options ${arg_OPTIONS})
  if(arg_CLOSED_WORLD)
    list(APPEND options --closed-world)
  endif()
  get_target_property(folder "${target}" BINARY_DIR)
  # Sources and libraries may still be added.
  cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY [[${CMAKE_SOURCE_DIR}]]
    CALL _barricade_add_targets [[${target}]] [[${folder}/barricade/${target}]] [[${options}]])")
endfunction()

cmake_policy(POP)
