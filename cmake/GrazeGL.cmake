# SPDX-License-Identifier: MIT
# OpenGL: whether it is in the build (GRZ_HAVE_GL), what is compiled then and what instead, and the shaders. A shader is a file under
# src/image/shaders. Files that it includes are put in where it says so (#include "shared.h"), the whole is checked by
# glslangValidator, and the very bytes that were checked become an array in a C file.

set(GRZ_HAVE_GL FALSE)
if(GRZ_GL)
    find_package(PkgConfig QUIET)
    if(PKG_CONFIG_FOUND)
        pkg_check_modules(EPOXY QUIET IMPORTED_TARGET epoxy>=1.5)
    endif()
    find_program(GRZ_GLSLANG glslangValidator)
    if(TARGET PkgConfig::EPOXY AND GRZ_GLSLANG)
        set(GRZ_HAVE_GL TRUE)
    else()
        message(STATUS "No libepoxy or no glslangValidator: no OpenGL devices, no pictures")
    endif()
endif()

# What the library is compiled with, and what a program that takes the static one is linked with.
add_library(graze_gl INTERFACE)
if(GRZ_HAVE_GL)
    target_link_libraries(graze_gl INTERFACE PkgConfig::EPOXY)
    target_compile_definitions(graze_gl INTERFACE GRZ_HAVE_GL)
    set(graze_gl_libraries -lepoxy)
else()
    set(graze_gl_libraries)
endif()

# Of the library's sources in the list called `sources`, take out those for the other kind of build; add those of the shaders.
function(graze_choose_gl_sources sources)
    set(chosen ${${sources}})
    if(GRZ_HAVE_GL)
        list(FILTER chosen EXCLUDE REGEX "/without_gl\\.c$")
        file(GLOB shaders CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/image/shaders/*.vert ${PROJECT_SOURCE_DIR}/src/image/shaders/*.frag
             ${PROJECT_SOURCE_DIR}/src/image/shaders/*.comp)
        file(GLOB shared CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/image/shaders/*.h)
        set(folder ${PROJECT_BINARY_DIR}/shaders)
        foreach(shader IN LISTS shaders)
            cmake_path(GET shader FILENAME name)
            add_custom_command(
                OUTPUT ${folder}/${name}.c
                COMMAND ${CMAKE_COMMAND} -DSHADER=${shader} -DOUT=${folder}/${name} -P ${PROJECT_SOURCE_DIR}/cmake/shader_join.cmake
                COMMAND ${GRZ_GLSLANG} --quiet ${folder}/${name}
                COMMAND ${CMAKE_COMMAND} -DSHADER=${folder}/${name} -P ${PROJECT_SOURCE_DIR}/cmake/shader_embed.cmake
                DEPENDS ${shader} ${shared} ${PROJECT_SOURCE_DIR}/cmake/shader_join.cmake ${PROJECT_SOURCE_DIR}/cmake/shader_embed.cmake
                COMMENT "Checking shader ${name}"
                VERBATIM)
            list(APPEND chosen ${folder}/${name}.c)
        endforeach()
    else()
        list(FILTER chosen EXCLUDE REGEX "/src/(gl|image)/|/src/query/(picture|slices_path)\\.c$")
        list(APPEND chosen ${PROJECT_SOURCE_DIR}/src/gl/device_open.c)
        file(GLOB instead CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*/without_gl.c)
        list(APPEND chosen ${instead})
    endif()
    set(${sources} ${chosen} PARENT_SCOPE)
endfunction()
