# SPDX-License-Identifier: MIT
# cmake -DSHADER=FILE -DOUT=FILE -P shader_join.cmake: write a shader with the files that it includes in place of its
# #include lines. A name with a slash is one from src/, others are files beside the shader. -DROOT=src
cmake_path(GET SHADER PARENT_PATH folder)
file(READ ${SHADER} text)
while(text MATCHES "\n#include \"([^\"\n]+)\"[^\n]*\n")
    set(line "${CMAKE_MATCH_0}")
    set(name "${CMAKE_MATCH_1}")
    set(included_file ${folder}/${name})
    if(name MATCHES "/")
        set(included_file ${ROOT}/${name})
    endif()
    file(READ ${included_file} included)
    string(REPLACE "${line}" "\n${included}" text "${text}")
endwhile()
file(WRITE ${OUT} "${text}")
