# SPDX-License-Identifier: MIT
# OpenGL: whether it is in the build (GRZ_HAVE_GL), what is compiled then and what instead, and the shaders. A shader is
# a file in the folder `shaders` of a layer. Files that it includes are put in where it says so (#include "shared.h"),
# the whole is checked by glslangValidator, and the very bytes that were checked become an array in a C file.

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

# Of the library's sources in the list called `sources`, take out those for the other kind of build; add those of the
# shaders.
function(graze_choose_gl_sources sources)
    set(chosen ${${sources}})
    if(GRZ_HAVE_GL)
        list(FILTER chosen EXCLUDE REGEX "without_gl\\.c$")
        file(GLOB_RECURSE shaders CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.vert ${PROJECT_SOURCE_DIR}/src/*.frag
             ${PROJECT_SOURCE_DIR}/src/*.comp)
        file(GLOB_RECURSE shared CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.h)
        list(FILTER shared INCLUDE REGEX "/shaders/")
        set(folder ${PROJECT_BINARY_DIR}/shaders)
        foreach(shader IN LISTS shaders)
            cmake_path(GET shader FILENAME name)
            # The header beside the folder of shaders, NAME_shaders.h, declares them.
            string(REGEX REPLACE "/shaders/[^/]*$" "" room ${shader})
            file(GLOB declared RELATIVE ${PROJECT_SOURCE_DIR}/src CONFIGURE_DEPENDS ${room}/*_shaders.h)
            add_custom_command(
                OUTPUT ${folder}/${name}.c
                COMMAND ${CMAKE_COMMAND} -DSHADER=${shader} -DROOT=${PROJECT_SOURCE_DIR}/src -DOUT=${folder}/${name} -P ${PROJECT_SOURCE_DIR}/cmake/shader_join.cmake
                COMMAND ${GRZ_GLSLANG} --quiet ${folder}/${name}
                COMMAND ${CMAKE_COMMAND} -DSHADER=${folder}/${name} -DDECLARED=${declared} -P ${PROJECT_SOURCE_DIR}/cmake/shader_embed.cmake
                DEPENDS ${shader} ${shared} ${PROJECT_SOURCE_DIR}/cmake/shader_join.cmake ${PROJECT_SOURCE_DIR}/cmake/shader_embed.cmake
                COMMENT "Checking shader ${name}"
                VERBATIM)
            list(APPEND chosen ${folder}/${name}.c)
        endforeach()
    else()
        set(kept ${chosen})
        list(FILTER chosen EXCLUDE REGEX "/src/(gl|gpu|image|level/particles|picture)/")
        # Sources in these folders that need no OpenGL: options and their defaults, and the replacements for the rest.
        list(FILTER kept INCLUDE REGEX "/src/(gl|gpu|image|level/particles|picture)/(.*[/_])?(options|device_open|without_gl)\\.c$")
        list(APPEND chosen ${kept})
    endif()
    set(${sources} ${chosen} PARENT_SCOPE)
endfunction()
