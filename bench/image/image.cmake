# SPDX-License-Identifier: MIT
# The shared sources of the benchmarks of image methods, and the function that makes one. Meshes, poses, clocks and the
# adapters of other libraries are those of the benchmark `peers`.
set(image_dir ${CMAKE_CURRENT_LIST_DIR})
if(TARGET peers AND GRZ_HAVE_GL)
    set(image_peers poses.c shapes.c truth.c peer.c measure.c adapters/peer_graze.c triangle_test.c)
    list(TRANSFORM image_peers PREPEND ${peers_dir}/)
    set(image_sources ${image_dir}/main.c ${image_dir}/run.c ${image_dir}/exact.c ${image_peers}
        ${CMAKE_CURRENT_BINARY_DIR}/peers_build.h)
endif()

# Add benchmark `name`, at BUILD/bench/name, from the sources that follow.
function(graze_add_image_bench name)
    if(NOT TARGET peers OR NOT GRZ_HAVE_GL)
        message(STATUS "No benchmark `${name}`: it needs OpenGL and what the benchmark `peers` needs")
        return()
    endif()
    add_executable(${name} ${ARGN} ${image_sources})
    add_dependencies(${name} peers_build_header)
    add_dependencies(bench ${name})
    target_include_directories(
        ${name} PRIVATE ${image_dir} ${peers_dir} ${CMAKE_CURRENT_BINARY_DIR} ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
    target_compile_definitions(${name} PRIVATE PEERS_DATA="${PROJECT_SOURCE_DIR}/data")
    target_link_libraries(${name} PRIVATE graze_flags graze_io graze_static Threads::Threads m)
    foreach(library IN ITEMS fcl embree cgal)
        if(TARGET peer_${library})
            string(TOUPPER ${library} upper)
            target_link_libraries(${name} PRIVATE peer_${library})
            target_compile_definitions(${name} PRIVATE PEERS_${upper})
        endif()
    endforeach()
endfunction()
