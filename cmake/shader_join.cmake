# SPDX-License-Identifier: MIT
# cmake -DSHADER=FILE -DOUT=FILE -P shader_join.cmake: write a shader with the files that it includes in place of its #include lines.
# These files include none.
cmake_path(GET SHADER PARENT_PATH folder)
file(READ ${SHADER} text)
while(text MATCHES "\n#include \"([^\"\n]+)\"[^\n]*\n")
    set(line "${CMAKE_MATCH_0}")
    file(READ ${folder}/${CMAKE_MATCH_1} included)
    string(REPLACE "${line}" "\n${included}" text "${text}")
endwhile()
file(WRITE ${OUT} "${text}")
