# SPDX-License-Identifier: MIT
# The command-line tool, target graze_tool, which stands at BUILD/graze. All of it but main() is the library graze_cli,
# so that the tests reach it. Formats beyond those of libgraze_io are read by Assimp: its headers are needed here, its
# library only where such a file is read (cli/foreign/assimp_library.c). jansson reads files of poses (and in the
# tests the reports).

find_package(PkgConfig REQUIRED)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson>=2.13)
if(GRZ_ASSIMP)
    pkg_check_modules(ASSIMP assimp>=5.2)
endif()

file(GLOB cli_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cli/*.c ${CMAKE_CURRENT_SOURCE_DIR}/cli/*/*.c)
list(REMOVE_ITEM cli_sources ${CMAKE_CURRENT_SOURCE_DIR}/cli/main.c)

add_library(graze_cli STATIC ${cli_sources})
# It names neither of our libraries, so that the tool may take the shared ones and the tests the static ones.
target_include_directories(graze_cli PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/cli ${CMAKE_CURRENT_SOURCE_DIR}/include)
target_link_libraries(graze_cli PRIVATE PkgConfig::JANSSON graze_flags m ${CMAKE_DL_LIBS})
if(ASSIMP_FOUND)
    string(REGEX MATCH "^[0-9]+" assimp_major ${ASSIMP_VERSION})
    target_include_directories(graze_cli SYSTEM PRIVATE ${ASSIMP_INCLUDE_DIRS})
    target_compile_definitions(graze_cli PUBLIC GRZ_HAVE_ASSIMP)
    set_property(SOURCE ${CMAKE_CURRENT_SOURCE_DIR}/cli/foreign/assimp_library.c APPEND PROPERTY COMPILE_DEFINITIONS
        GRZ_ASSIMP_LIBRARY="libassimp.so.${assimp_major}")
else()
    message(STATUS "No Assimp: the tool will read the formats of libgraze_io only")
endif()

add_executable(graze_tool ${CMAKE_CURRENT_SOURCE_DIR}/cli/main.c)
target_link_libraries(graze_tool PRIVATE graze_cli graze::graze graze::io graze_flags)
set_target_properties(graze_tool PROPERTIES OUTPUT_NAME graze RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
