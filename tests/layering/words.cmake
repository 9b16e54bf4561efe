# Tracked files hold no unfinished marks and no path of somebody's machine.
#   cmake -DROOT=<source root> -P words.cmake
cmake_minimum_required(VERSION 3.25)
find_program(GIT git)
if(NOT GIT)
  message(STATUS "not a git checkout, or no git: nothing to check")
  return()
endif()
# [x] keeps this file from finding itself.
set(words "T[O]DO|F[I]XME|/h[o]me/[a-z]|/r[o]ot/|/w[o]rk/|/t[m]p/[a-z]*_jobs|<<<<<[<]<|>>>>>[>]>")
execute_process(COMMAND "${GIT}" -c safe.directory=* -C "${ROOT}" grep -nIE "${words}" -- . RESULT_VARIABLE result
                OUTPUT_VARIABLE found ERROR_VARIABLE error)
if(result EQUAL 0)
  message(FATAL_ERROR "words that do not belong:\n${found}")
elseif(NOT result EQUAL 1)
  message(STATUS "not a git checkout: ${error}")
endif()
