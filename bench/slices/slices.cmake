# SPDX-License-Identifier: MIT
# The reproduction of the paper behind method `slices`, and its exact answer, target slices, at BUILD/bench/slices.
set(slices_dir ${CMAKE_CURRENT_LIST_DIR})
graze_add_image_bench(slices ${slices_dir}/slices.c ${slices_dir}/paper.c ${slices_dir}/models.c ${slices_dir}/closer.c)
if(TARGET slices)
    target_include_directories(slices PRIVATE ${slices_dir})
    target_compile_definitions(slices PRIVATE SLICES_SOURCE="${slices_dir}")
endif()
