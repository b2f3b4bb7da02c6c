# SPDX-License-Identifier: MIT
# libgraze_io, the second library (io/, <graze/io.h>, <graze/io_robot.h>): reads meshes from files (glTF with jansson, XML with expat, 3MF with zlib), writes PNG. Targets graze_io_static and
# graze_io_shared, of the same kinds as libgraze; graze::io is the kind that graze::graze is, and graze_io what the
# tests link. It calls nothing of libgraze.
find_package(PkgConfig REQUIRED)
pkg_check_modules(PNG REQUIRED IMPORTED_TARGET libpng>=1.6)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson>=2.13)
pkg_check_modules(EXPAT REQUIRED IMPORTED_TARGET expat>=2.4)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
# Passed as linker arguments, not as targets, so that the installed CMake package does not have to search for them.
set(graze_io_libraries ${PNG_LIBRARIES} ${JANSSON_LIBRARIES} ${EXPAT_LIBRARIES} ${ZLIB_LIBRARIES})
list(TRANSFORM graze_io_libraries PREPEND -l)

file(GLOB graze_io_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/io/*.c ${CMAKE_CURRENT_SOURCE_DIR}/io/*/*.c)
# Arithmetic that both libraries need, compiled a second time under names of libgraze_io (io/arithmetic.h): it calls
# nothing of libgraze, and the bits are the same.
set(graze_io_arithmetic src/base/fp_guard.c src/geometry/functions/quarter_turns.c src/geometry/functions/sine.c)
list(TRANSFORM graze_io_arithmetic PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
add_library(graze_io_arithmetic OBJECT ${graze_io_arithmetic})
target_include_directories(graze_io_arithmetic PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/include ${CMAKE_CURRENT_SOURCE_DIR}/src)
target_compile_definitions(graze_io_arithmetic PRIVATE
    grz_fp_enter=grz_io_fp_enter grz_fp_leave=grz_io_fp_leave grz_quarter_turns=grz_io_quarter_turns
    grz_sine=grz_io_sine grz_cosine=grz_io_cosine grz_sines=grz_io_sines)
target_link_libraries(graze_io_arithmetic PRIVATE graze_flags)
set_target_properties(graze_io_arithmetic PROPERTIES C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)

add_library(graze_io_objects OBJECT ${graze_io_sources})
target_include_directories(graze_io_objects PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/include ${CMAKE_CURRENT_SOURCE_DIR}/io)
target_link_libraries(graze_io_objects PRIVATE graze_flags PkgConfig::PNG PkgConfig::JANSSON PkgConfig::EXPAT PkgConfig::ZLIB)
set_target_properties(graze_io_objects PROPERTIES C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
target_compile_definitions(graze_io_objects PRIVATE $<$<NOT:$<STREQUAL:${GRZ_LIBRARY},static>>:GRZ_BUILD_SHARED>)

# Add library graze::io_<kind>, libgraze_io.a or libgraze_io.so.
function(graze_add_io_library kind type)
    add_library(graze_io_${kind} ${type} $<TARGET_OBJECTS:graze_io_objects> $<TARGET_OBJECTS:graze_io_arithmetic>)
    add_library(graze::io_${kind} ALIAS graze_io_${kind})
    target_include_directories(
        graze_io_${kind} INTERFACE $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
                                   $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(graze_io_${kind} PRIVATE ${graze_io_libraries} -lm)
    target_link_directories(graze_io_${kind} PRIVATE ${PNG_LIBRARY_DIRS} ${JANSSON_LIBRARY_DIRS} ${EXPAT_LIBRARY_DIRS} ${ZLIB_LIBRARY_DIRS})
    set_target_properties(graze_io_${kind} PROPERTIES OUTPUT_NAME graze_io EXPORT_NAME io_${kind} LINKER_LANGUAGE C)
endfunction()
if(NOT GRZ_LIBRARY STREQUAL "shared")
    graze_add_io_library(static STATIC)
endif()
if(NOT GRZ_LIBRARY STREQUAL "static")
    graze_add_io_library(shared SHARED)
    set_target_properties(graze_io_shared PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${graze_soversion})
    if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT GRZ_SANITIZE)
        target_link_options(graze_io_shared PRIVATE -Wl,--no-undefined)
    endif()
    target_link_libraries(graze_io_shared PRIVATE graze_sanitize)
endif()
add_library(graze::io ALIAS graze_io_${graze_kind})
if(TARGET graze_io_static)
    add_library(graze_io ALIAS graze_io_static)
else()
    add_library(graze_io ALIAS graze_io_shared)
endif()
