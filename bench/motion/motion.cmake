# SPDX-License-Identifier: MIT
# Measures motions (docs/motion.md, docs/motion_rigid.md), beside FCL where it is installed.
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
