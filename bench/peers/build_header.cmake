# SPDX-License-Identifier: MIT
# Writes OUT, what the report says of the build: commit, compiler, flags. Run at every build; touches the file only where it
# changes.
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
