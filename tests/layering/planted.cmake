# Plants one violation at a time in a small tree; the layering script must refuse each and accept the tree without.
#   cmake -DSCRIPT=<layering.cmake> -DWORK=<scratch folder> -P planted.cmake
cmake_minimum_required(VERSION 3.25)

function(layering_of result_variable output_variable)
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DROOT=${WORK}" -P "${SCRIPT}" RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  set(${result_variable} "${result}" PARENT_SCOPE)
  set(${output_variable} "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK}")
foreach(header IN ITEMS core/gamma core/geo io/json io/store credit/path measure/sweep verdict/judge report/table bounds/phi stats/hjs
        doctor/rule cli/verb)
  file(WRITE "${WORK}/analysis/${header}.hpp" "#pragma once\n#include <vector>\n")
endforeach()
file(WRITE "${WORK}/simulators/markov/process.hpp" "#include \"analysis/core/gamma.hpp\"\n#include \"analysis/io/json.hpp\"\n")
file(WRITE "${WORK}/simulators/families/ragged.hpp" "#pragma once\n")
file(WRITE "${WORK}/analysis/cli/main.cpp" "#include \"analysis/report/table.hpp\"\n#include \"simulators/markov/process.hpp\"\n")
layering_of(result output)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the clean tree was refused:\n${output}")
endif()

# <file>|<include line>|<words of the message>
foreach(plant IN ITEMS
    "analysis/core/bad.hpp|#include \"analysis/io/json.hpp\"|core may include only"
    "analysis/stats/bad.cpp|  #  include \"analysis/credit/path.hpp\"|stats may include only"
    "analysis/bounds/bad.cpp|#include <analysis/stats/hjs.hpp>|bounds may include only"
    "analysis/measure/bad.cpp|#include \"analysis/verdict/judge.hpp\"|measure may include only"
    "analysis/report/bad.hpp|#include \"analysis/io/json.hpp\"|report may include only"
    "analysis/doctor/bad.hpp|#include \"analysis/verdict/judge.hpp\"|doctor may include only"
    "analysis/verdict/bad.hpp|#include \"analysis/cli/verb.hpp\"|verdict may include only"
    "simulators/markov/bad.cpp|#include \"analysis/core/geo.hpp\"|shares no code"
    "simulators/markov/bad.cpp|#include \"analysis/credit/path.hpp\"|simulators may include only"
    "simulators/markov/bad.cpp|#include \"analysis/io/store.hpp\"|only json.hpp is open"
    "proofs_check/bad.cpp|#include \"simulators/families/ragged.hpp\"|only markov is open"
    "lab/record/bad.cpp|#include \"simulators/markov/process.hpp\"|lab may include only"
    "analysis/attic/bad.cpp|#include \"analysis/core/gamma.hpp\"|not in the table"
    "analysis/credit/bad.cpp|#include \"path.hpp\"|path from the source root"
    "analysis/credit/bad.cpp|#include \"analysis/core/gone.hpp\"|not there")
  string(REPLACE "|" ";" plant "${plant}")
  list(GET plant 0 file)
  list(GET plant 1 include)
  list(GET plant 2 words)
  file(WRITE "${WORK}/${file}" "#pragma once\n${include}\n")
  layering_of(result output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")  # messages are wrapped
  if(result EQUAL 0 OR NOT output MATCHES "${words}")
    message(FATAL_ERROR "not caught: ${include} in ${file}\n${output}")
  endif()
  file(REMOVE "${WORK}/${file}")
endforeach()
