# gammascope_library(name SOURCES … HEADERS … DEPENDS … PRIVATE_DEPENDS …)  static library gammascope::name
# gammascope_test(name SOURCES … DEPENDS … LABELS …)                        Catch2 binary, one ctest per test case

add_library(gammascope_warnings INTERFACE)
target_compile_options(gammascope_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>  # g++ 12 warns of std::string's own operator+ (gcc bug 105329)
  $<$<BOOL:${GAMMASCOPE_WERROR}>:-Werror>)

# Same bits on every path: no contraction into fused multiply-add, no fast-math anywhere.
add_library(gammascope_flags INTERFACE)
target_compile_options(gammascope_flags INTERFACE -ffp-contract=off)
target_compile_features(gammascope_flags INTERFACE cxx_std_20)
if(GAMMASCOPE_SANITIZE)
  target_compile_options(gammascope_flags INTERFACE -fsanitize=${GAMMASCOPE_SANITIZE}
                         -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(gammascope_flags INTERFACE -fsanitize=${GAMMASCOPE_SANITIZE})
endif()
install(TARGETS gammascope_flags EXPORT gammascope-targets)
set_target_properties(gammascope_flags PROPERTIES EXPORT_NAME flags)

function(gammascope_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;HEADERS;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  set(target gammascope_${name})
  add_library(${target} STATIC ${ARG_SOURCES})
  add_library(gammascope::${name} ALIAS ${target})
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${ARG_HEADERS})
  target_link_libraries(${target} PUBLIC gammascope_flags ${ARG_DEPENDS}
                        PRIVATE $<BUILD_INTERFACE:gammascope_warnings> ${ARG_PRIVATE_DEPENDS})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} VERIFY_INTERFACE_HEADER_SETS ON)
  install(TARGETS ${target} EXPORT gammascope-targets FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/gammascope"
          ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endfunction()

function(gammascope_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;DEPENDS;LABELS" ${ARGN})
  set(target test_${name})
  add_executable(${target} ${ARG_SOURCES})
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${target} PRIVATE ${ARG_DEPENDS} Catch2::Catch2WithMain gammascope_warnings gammascope_flags)
  target_compile_definitions(${target} PRIVATE GAMMASCOPE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 600)
  endif()
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  catch_discover_tests(${target} TEST_PREFIX "${name}: " PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT})
endfunction()
