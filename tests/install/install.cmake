# Installs BUILD to a scratch prefix, builds tests/install/consumer against it in its own tree, runs what it made.
#   cmake -DBUILD= -DROOT= -DWORK= -DGENERATOR= -DCOMPILER= -DMAKE_PROGRAM= -DVERSION= -P install.cmake
cmake_minimum_required(VERSION 3.25)

function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${what} failed (${result}):\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK}")
set(prefix "${WORK}/a prefix")  # with a space, as a home folder may have
run("cmake --install" "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${prefix}")

# Nothing installed may point back into the source or build tree.
file(GLOB_RECURSE texts "${prefix}/*.cmake" "${prefix}/*.hpp" "${prefix}/*.pc")
foreach(text IN LISTS texts)
  file(READ "${text}" content)
  foreach(tree IN ITEMS "${ROOT}/analysis" "${ROOT}/simulators" "${BUILD}")
    string(FIND "${content}" "${tree}" at)
    if(NOT at EQUAL -1)
      message(FATAL_ERROR "${text} names ${tree}")
    endif()
  endforeach()
endforeach()

# The sources of the consumer are copied, so that no header of the source tree is beside them.
file(COPY "${ROOT}/tests/install/consumer/CMakeLists.txt" "${ROOT}/tests/install/consumer/build_facts.cpp" "${ROOT}/examples/library.cpp"
          "${ROOT}/examples/exact.cpp" DESTINATION "${WORK}/consumer")
run("configuring the consumer" "${CMAKE_COMMAND}" -S "${WORK}/consumer" -B "${WORK}/build" -G "${GENERATOR}"
    "-DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}" "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_PREFIX_PATH=${prefix}" "-DWANTED=${VERSION}")
run("building the consumer" "${CMAKE_COMMAND}" --build "${WORK}/build")

run("build_facts" "${WORK}/build/build_facts")
if(NOT output MATCHES "^gammascope ${VERSION} \\(revision [0-9A-Za-z._-]+, ")
  message(FATAL_ERROR "build_facts printed: ${output}")
endif()
run("library" "${WORK}/build/library" "${ROOT}/examples/data/sums.jsonl.zst")
if(NOT output MATCHES "gamma 0.99: 8.617 nats.2")
  message(FATAL_ERROR "library printed: ${output}")
endif()
run("exact" "${WORK}/build/exact")

# The installed program knows its version without anything else.
run("gammascope --version" "${prefix}/bin/gammascope" --version)
if(NOT output MATCHES "${VERSION}")
  message(FATAL_ERROR "gammascope --version printed: ${output}")
endif()

# A version that cannot be had is refused.
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${WORK}/consumer" -B "${WORK}/refused" -G "${GENERATOR}"
    "-DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}" "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_PREFIX_PATH=${prefix}" -DWANTED=99.0
    RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE output)
if(result EQUAL 0 OR NOT output MATCHES "99.0")
  message(FATAL_ERROR "version 99.0 was found:\n${output}")
endif()
file(REMOVE_RECURSE "${WORK}")
