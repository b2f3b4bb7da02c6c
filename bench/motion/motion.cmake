# SPDX-License-Identifier: MIT
# Measures rigid motions (docs/motion_rigid.md), beside FCL where it is installed.
if(GRZ_IO AND CMAKE_CXX_COMPILER)
    add_executable(bench_rigid EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/rigid.cpp)
    target_link_libraries(bench_rigid PRIVATE graze_io graze)
    if(fcl_FOUND)
        target_link_libraries(bench_rigid PRIVATE fcl)
        target_compile_definitions(bench_rigid PRIVATE BENCH_FCL EIGEN_MAX_ALIGN_BYTES=16)
    endif()
    add_dependencies(bench bench_rigid)
endif()
