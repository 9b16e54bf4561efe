# GAMMASCOPE_REVISION: what `git describe` says of this checkout when it is configured; "unknown" outside one.
# A checkout of another project that holds this tree in a folder does not count.
set(GAMMASCOPE_REVISION unknown)
find_package(Git QUIET)
if(GIT_FOUND AND EXISTS "${PROJECT_SOURCE_DIR}/.git")
  execute_process(COMMAND "${GIT_EXECUTABLE}" -c safe.directory=* -C "${PROJECT_SOURCE_DIR}" describe --always --dirty --tags
                  OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE result)
  if(result EQUAL 0 AND described MATCHES "^[0-9A-Za-z._-]+$")
    set(GAMMASCOPE_REVISION "${described}")
  endif()
endif()
