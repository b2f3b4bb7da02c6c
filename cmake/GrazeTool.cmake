# SPDX-License-Identifier: MIT
# The command-line tool, target graze_tool, which stands at BUILD/graze. All of it but main() is the library graze_cli, so that the
# tests reach the readers. Formats beyond OBJ, STL, PLY and OFF are read by Assimp where it is installed.

find_package(PkgConfig REQUIRED)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson>=2.13)
pkg_check_modules(PNG REQUIRED IMPORTED_TARGET libpng>=1.6)
if(GRZ_ASSIMP)
    pkg_check_modules(ASSIMP IMPORTED_TARGET assimp>=5.2)
endif()

file(GLOB cli_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/cli/*.c)
list(REMOVE_ITEM cli_sources ${CMAKE_CURRENT_SOURCE_DIR}/cli/main.c)

add_library(graze_cli STATIC ${cli_sources})
# It does not name the library, so that the tool may take the shared one and the tests the static one.
target_include_directories(graze_cli PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/cli ${CMAKE_CURRENT_SOURCE_DIR}/include)
target_link_libraries(graze_cli PUBLIC PkgConfig::JANSSON PRIVATE PkgConfig::PNG graze_flags m)
if(TARGET PkgConfig::ASSIMP)
    target_link_libraries(graze_cli PRIVATE PkgConfig::ASSIMP)
    target_compile_definitions(graze_cli PUBLIC GRZ_HAVE_ASSIMP)
else()
    message(STATUS "No Assimp: the tool will read OBJ, STL, PLY and OFF only")
endif()

add_executable(graze_tool ${CMAKE_CURRENT_SOURCE_DIR}/cli/main.c)
target_link_libraries(graze_tool PRIVATE graze_cli graze::graze graze_flags)
set_target_properties(graze_tool PROPERTIES OUTPUT_NAME graze RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
