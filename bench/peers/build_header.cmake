# SPDX-License-Identifier: MIT
# Writes the header OUT with commit, compiler and flags for the report. Runs at every build, and writes the file only if
# it changes.
execute_process(
    COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=10
    OUTPUT_VARIABLE commit
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
    RESULT_VARIABLE failed)
if(failed)
    set(commit "unknown")
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT [[// SPDX-License-Identifier: MIT
#define PEERS_COMMIT "@commit@"
#define PEERS_COMPILER "@COMPILER@"
#define PEERS_FLAGS "@FLAGS@"
#define PEERS_SOURCE "@SOURCE@"
]] @ONLY)
