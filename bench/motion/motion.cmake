# SPDX-License-Identifier: MIT
# Measures motions (docs/use/move.md, docs/use/move_rigid.md), beside FCL where it is installed.
if(GRZ_IO AND CMAKE_CXX_COMPILER)
    foreach(motion move rigid)
        add_executable(bench_${motion} EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/${motion}.cpp)
        target_link_libraries(bench_${motion} PRIVATE graze_io graze)
        if(fcl_FOUND)
            target_link_libraries(bench_${motion} PRIVATE fcl)
            target_compile_definitions(bench_${motion} PRIVATE BENCH_FCL EIGEN_MAX_ALIGN_BYTES=16)
        endif()
        add_dependencies(bench bench_${motion})
    endforeach()
endif()

# Measures motions of corners along lines (docs/use/move_deforming.md), with functions inside the library; beside the
# published inclusion code where it is found: -DTIGHT_INCLUSION_INCLUDE_DIR=…  -DTIGHT_INCLUSION_LIBRARY=…
if(TARGET graze_static AND CMAKE_CXX_COMPILER)
    add_executable(bench_deforming EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/deforming.cpp)
    target_include_directories(bench_deforming PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(bench_deforming PRIVATE graze_static m)
    find_path(TIGHT_INCLUSION_INCLUDE_DIR tight_inclusion/ccd.hpp)
    find_library(TIGHT_INCLUSION_LIBRARY tight_inclusion)
    find_path(EIGEN3_INCLUDE_DIR Eigen/Core PATH_SUFFIXES eigen3)
    if(TIGHT_INCLUSION_INCLUDE_DIR AND TIGHT_INCLUSION_LIBRARY AND EIGEN3_INCLUDE_DIR)
        target_include_directories(bench_deforming SYSTEM PRIVATE ${TIGHT_INCLUSION_INCLUDE_DIR} ${EIGEN3_INCLUDE_DIR})
        target_link_libraries(bench_deforming PRIVATE ${TIGHT_INCLUSION_LIBRARY})
        target_compile_definitions(bench_deforming PRIVATE BENCH_TIGHT_INCLUSION)
    endif()
    add_dependencies(bench bench_deforming)
endif()

# Measures depths, and how near the bounds of the least one are (docs/use/penetration.md).
if(GRZ_IO AND CMAKE_CXX_COMPILER)
    add_executable(bench_penetration EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/penetration.cpp)
    target_link_libraries(bench_penetration PRIVATE graze_io graze)
    add_dependencies(bench bench_penetration)
endif()

# Measures volumes of intersections (docs/use/overlap.md), beside CGAL where it is installed.
if(GRZ_IO AND CMAKE_CXX_COMPILER)
    add_executable(bench_volume EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/volume.cpp)
    target_link_libraries(bench_volume PRIVATE graze_io graze)
    if(CGAL_FOUND)
        target_link_libraries(bench_volume PRIVATE CGAL::CGAL)
        target_compile_definitions(bench_volume PRIVATE BENCH_CGAL)
        # gcc 12 wrongly warns of a use after free in CGAL's inlined reference counts.
        target_compile_options(bench_volume PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-use-after-free>)
    endif()
    add_dependencies(bench bench_volume)
endif()
