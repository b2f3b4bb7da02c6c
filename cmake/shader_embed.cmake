# SPDX-License-Identifier: MIT
# cmake -DSHADER=FILE -DDECLARED=HEADER -P shader_embed.cmake: write FILE.c, which holds the bytes of FILE as
# grz_shader_NAME_KIND, a grz_gl_stage that src/HEADER declares.
cmake_path(GET SHADER FILENAME name)
string(MAKE_C_IDENTIFIER "${name}" symbol)
cmake_path(GET SHADER EXTENSION LAST_ONLY extension)
if(extension STREQUAL ".vert")
    set(kind GL_VERTEX_SHADER)
elseif(extension STREQUAL ".frag")
    set(kind GL_FRAGMENT_SHADER)
elseif(extension STREQUAL ".tesc")
    set(kind GL_TESS_CONTROL_SHADER)
elseif(extension STREQUAL ".tese")
    set(kind GL_TESS_EVALUATION_SHADER)
elseif(extension STREQUAL ".geom")
    set(kind GL_GEOMETRY_SHADER)
else()
    set(kind GL_COMPUTE_SHADER)
endif()
file(READ ${SHADER} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")
file(
    WRITE ${SHADER}.c
    "#include \"${DECLARED}\"\n\nstatic const unsigned char source[] = {\n${bytes}};\n\n"
    "const grz_gl_stage grz_shader_${symbol} = {${kind}, \"${name}\", source, sizeof source};\n")
