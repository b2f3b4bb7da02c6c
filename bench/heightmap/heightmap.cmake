# SPDX-License-Identifier: MIT
# The reproduction of the paper behind method `heightmap`, target heightmap, at BUILD/bench/heightmap; and the test of
# its statistics.
set(heightmap_dir ${CMAKE_CURRENT_LIST_DIR})
set(heightmap_shaders)
if(GRZ_HAVE_GL)
    # As cmake/GrazeGL.cmake does with those of the library.
    file(GLOB shaders CONFIGURE_DEPENDS ${heightmap_dir}/shaders/scene_*)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/shaders)
    foreach(shader IN LISTS shaders)
        cmake_path(GET shader FILENAME name)
        add_custom_command(
            OUTPUT ${folder}/${name}.c
            COMMAND ${CMAKE_COMMAND} -DSHADER=${shader} -DROOT=${PROJECT_SOURCE_DIR}/src -DOUT=${folder}/${name} -P ${PROJECT_SOURCE_DIR}/cmake/shader_join.cmake
            COMMAND ${GRZ_GLSLANG} --quiet ${folder}/${name}
            COMMAND ${CMAKE_COMMAND} -DSHADER=${folder}/${name} -DDECLARED=heightmap/shaders.h -P ${PROJECT_SOURCE_DIR}/cmake/shader_embed.cmake
            DEPENDS ${shader} ${heightmap_dir}/shaders/scene.h ${PROJECT_SOURCE_DIR}/cmake/shader_join.cmake ${PROJECT_SOURCE_DIR}/cmake/shader_embed.cmake
            COMMENT "Checking shader ${name}"
            VERBATIM)
        list(APPEND heightmap_shaders ${folder}/${name}.c)
    endforeach()
endif()
graze_add_image_bench(
    heightmap
    ${heightmap_dir}/heightmap.c
    ${heightmap_dir}/ways.c
    ${heightmap_dir}/tunnel.c
    ${heightmap_dir}/wings.c
    ${heightmap_dir}/found.c
    ${PROJECT_SOURCE_DIR}/demos/winged_ship.c
    ${heightmap_dir}/fire.c
    ${PROJECT_SOURCE_DIR}/demos/burner.c
    ${PROJECT_SOURCE_DIR}/demos/skillet.c
    ${heightmap_dir}/scene.c
    ${heightmap_dir}/scene_drawn.c
    ${heightmap_dir}/scene_shapes.c
    ${heightmap_dir}/parts.c
    ${heightmap_dir}/student.c
    ${heightmap_shaders})
if(TARGET heightmap)
    target_include_directories(heightmap PRIVATE ${heightmap_dir} ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/demos)
    target_compile_definitions(heightmap PRIVATE HEIGHTMAP_SOURCE="${heightmap_dir}")
endif()

if(GRZ_TESTS)
    add_executable(check_student ${heightmap_dir}/check_student.c ${heightmap_dir}/student.c)
    target_link_libraries(check_student PRIVATE graze_flags m)
    add_test(NAME bench_student COMMAND check_student)
    set_tests_properties(bench_student PROPERTIES TIMEOUT 120 LABELS bench)
endif()
