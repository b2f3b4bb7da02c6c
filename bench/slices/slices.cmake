# SPDX-License-Identifier: MIT
# The reproduction of the paper behind method `slices`, target slices, at BUILD/bench/slices. Meshes, poses, clocks and the adapter of FCL
# are those of the benchmark `peers`.
if(NOT TARGET peers OR NOT GRZ_HAVE_GL)
    message(STATUS "No benchmark `slices`: it needs OpenGL and what the benchmark `peers` needs")
    return()
endif()
set(slices_dir ${CMAKE_CURRENT_LIST_DIR})
set(slices_peers poses.c shapes.c truth.c peer.c measure.c peer_graze.c triangle_test.c)
list(TRANSFORM slices_peers PREPEND ${peers_dir}/)
add_executable(slices ${slices_dir}/slices.c ${slices_peers} ${CMAKE_CURRENT_BINARY_DIR}/peers_build.h)
add_dependencies(slices peers_build_header)
add_dependencies(bench slices)
target_include_directories(
    slices PRIVATE ${peers_dir} ${CMAKE_CURRENT_BINARY_DIR} ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
target_compile_definitions(slices PRIVATE PEERS_DATA="${PROJECT_SOURCE_DIR}/data" SLICES_SOURCE="${slices_dir}")
target_link_libraries(slices PRIVATE graze_flags graze_cli graze_static Threads::Threads m)
if(TARGET peer_fcl)
    target_link_libraries(slices PRIVATE peer_fcl)
    target_compile_definitions(slices PRIVATE PEERS_FCL)
endif()
