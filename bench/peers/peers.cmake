# SPDX-License-Identifier: MIT
# The benchmark, target peers, at BUILD/bench/peers: the harness in C, and one adapter for each installed library
# (../CMakeLists.txt searches for them). README.md says how to add a row or a library. It reads meshes by libgraze_io.
set(peers_dir ${CMAKE_CURRENT_LIST_DIR})
set(GRZ_BENCH_FLAGS -O3 CACHE STRING "How the adapters of other libraries are compiled; their templates are in headers")

if(NOT TARGET graze_io)
    message(STATUS "No benchmark `peers`: libgraze_io, which loads the meshes, is not built")
    return()
endif()
if(NOT TARGET graze_static)
    message(STATUS "No benchmark `peers`: it looks inside the library and needs a static one (GRZ_LIBRARY)")
    return()
endif()

file(GLOB peers_sources CONFIGURE_DEPENDS ${peers_dir}/*.c ${peers_dir}/rows/*.c)
list(REMOVE_ITEM peers_sources ${peers_dir}/check_triangle_test.c ${peers_dir}/check_poses.c)
add_executable(peers ${peers_sources} ${peers_dir}/adapters/peer_graze.c ${CMAKE_CURRENT_BINARY_DIR}/peers_build.h)
add_dependencies(bench peers)
target_include_directories(
    peers PRIVATE ${peers_dir} ${CMAKE_CURRENT_BINARY_DIR} ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
target_compile_definitions(peers PRIVATE PEERS_DATA="${PROJECT_SOURCE_DIR}/data")
target_link_libraries(peers PRIVATE graze_flags graze_io graze_static Threads::Threads m)

# Add test program `name` with the listed sources of this folder.
function(graze_add_peers_check name)
    list(TRANSFORM ARGN PREPEND ${peers_dir}/ OUTPUT_VARIABLE sources)
    add_executable(${name} ${sources})
    target_include_directories(
        ${name} PRIVATE ${peers_dir} ${CMAKE_CURRENT_BINARY_DIR} ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
    target_link_libraries(${name} PRIVATE graze_flags graze_io graze_static m)
endfunction()

if(GRZ_TESTS)
    graze_add_peers_check(check_triangle_test check_triangle_test.c triangle_test.c shapes.c peer.c)
    graze_add_peers_check(check_poses check_poses.c poses.c truth.c shapes.c peer.c)
    add_test(NAME bench_triangle_test COMMAND check_triangle_test)
    add_test(NAME bench_poses COMMAND check_poses)
    add_test(NAME bench_peers COMMAND peers --quick --peers graze --rows W1)
    add_test(NAME bench_peers_parts COMMAND peers --quick --peers graze --rows "growth-1K pairs,growth-1M,chain,tight")
    add_test(NAME bench_peers_unknown_row COMMAND peers --quick --rows W1,NOSUCH)
    set_tests_properties(
        bench_triangle_test bench_poses bench_peers bench_peers_parts bench_peers_unknown_row
        PROPERTIES TIMEOUT 120 LABELS bench)
    set_tests_properties(bench_peers_unknown_row PROPERTIES PASS_REGULAR_EXPRESSION "no row \"NOSUCH\"\nrows: W1 ")
    set_tests_properties(bench_peers PROPERTIES PASS_REGULAR_EXPRESSION "\n  Graze  .* [0-9]+/300 +0 ")
    set_tests_properties(
        bench_peers_parts
        PROPERTIES PASS_REGULAR_EXPRESSION
                   "tight: .*/200 +0 .*chain: .*150 poses, 50 of them touch.*/150 +0 .*growth-1K pairs: .*growth-1M: left out by --quick")
endif()

# What the report says about this build; the commit is read at every build.
list(JOIN GRZ_BENCH_FLAGS " " peers_flags)
add_custom_target(
    peers_build_header
    COMMAND
        ${CMAKE_COMMAND} -DSOURCE=${peers_dir} -DOUT=${CMAKE_CURRENT_BINARY_DIR}/peers_build.h
        "-DCOMPILER=${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION} ${CMAKE_BUILD_TYPE}" "-DFLAGS=${peers_flags}" -P
        ${peers_dir}/build_header.cmake
    BYPRODUCTS ${CMAKE_CURRENT_BINARY_DIR}/peers_build.h
    VERBATIM)
add_dependencies(peers peers_build_header)

# Add the adapter adapters/peer_<name>.<extension>, linked with the rest, where the variable `found` is true.
set(peers_list "PEER(graze)\n")
function(graze_add_peer name extension found)
    if(NOT ${found})
        set(peers_list "${peers_list}ABSENT(${name})\n" PARENT_SCOPE)
        return()
    endif()
    add_library(peer_${name} STATIC EXCLUDE_FROM_ALL ${peers_dir}/adapters/peer_${name}.${extension})
    target_include_directories(peer_${name} PRIVATE ${peers_dir} ${CMAKE_CURRENT_BINARY_DIR})
    separate_arguments(flags UNIX_COMMAND "${GRZ_BENCH_FLAGS}")
    target_compile_options(peer_${name} PRIVATE ${flags})
    if(extension STREQUAL "c")
        target_link_libraries(peer_${name} PRIVATE graze_flags)
    endif()
    target_link_libraries(peer_${name} PRIVATE ${ARGN} graze_warnings graze_sanitize)
    target_link_libraries(peers PRIVATE peer_${name})
    set(peers_list "${peers_list}PEER(${name})\n" PARENT_SCOPE)
endfunction()

# The table of libraries, in the order of the report.
graze_add_peer(fcl cpp fcl_FOUND fcl)
graze_add_peer(coal cpp coal_FOUND coal::coal)
graze_add_peer(bullet cpp BULLET_FOUND PkgConfig::BULLET)
graze_add_peer(ode c ODE_FOUND PkgConfig::ODE)
graze_add_peer(embree c embree_FOUND embree Threads::Threads)
graze_add_peer(cgal cpp CGAL_FOUND CGAL::CGAL)
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/peers_list.h CONTENT "${peers_list}" @ONLY)

# Additional settings for some of them.
if(TARGET peer_fcl)
    # Debian's library was compiled for 16; with -march=native Eigen would take 32 and the two would not fit together.
    target_compile_definitions(peer_fcl PRIVATE EIGEN_MAX_ALIGN_BYTES=16)
    # gcc 12 wrongly warns of uninitialised values in inlined code of FCL and Eigen.
    target_compile_options(peer_fcl PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()
if(TARGET peer_coal)
    # The package on PyPI was compiled for plain x86-64: likewise.
    target_compile_definitions(peer_coal PRIVATE EIGEN_MAX_ALIGN_BYTES=16)
    target_compile_options(peer_coal PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()
if(TARGET peer_ode)
    target_compile_definitions(peer_ode PRIVATE PEERS_ODE_VERSION="${ODE_VERSION}")
endif()
if(TARGET peer_cgal)
    # gcc 12 wrongly warns of a use after free in CGAL's inlined reference counts.
    target_compile_options(peer_cgal PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-use-after-free>)
    find_package(TBB QUIET)
    if(TARGET TBB::tbb AND TARGET TBB::tbbmalloc)
        target_link_libraries(peer_cgal PRIVATE TBB::tbb TBB::tbbmalloc)
        target_compile_definitions(peer_cgal PRIVATE CGAL_LINKED_WITH_TBB)
    endif()
endif()
