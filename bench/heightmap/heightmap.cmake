# SPDX-License-Identifier: MIT
# The reproduction of the paper behind method `heightmap`, target heightmap, at BUILD/bench/heightmap; and the test of
# its statistics.
set(heightmap_dir ${CMAKE_CURRENT_LIST_DIR})
graze_add_image_bench(
    heightmap ${heightmap_dir}/heightmap.c ${heightmap_dir}/ways.c ${heightmap_dir}/tunnel.c ${heightmap_dir}/parts.c
    ${heightmap_dir}/student.c)
if(TARGET heightmap)
    target_include_directories(heightmap PRIVATE ${heightmap_dir})
    target_compile_definitions(heightmap PRIVATE HEIGHTMAP_SOURCE="${heightmap_dir}")
endif()

if(GRZ_TESTS)
    add_executable(check_student ${heightmap_dir}/check_student.c ${heightmap_dir}/student.c)
    target_link_libraries(check_student PRIVATE graze_flags m)
    add_test(NAME bench_student COMMAND check_student)
    set_tests_properties(bench_student PROPERTIES TIMEOUT 120 LABELS bench)
endif()
