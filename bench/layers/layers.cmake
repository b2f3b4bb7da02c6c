# SPDX-License-Identifier: MIT
# The reproduction of the paper behind method `layers`, and its exact answer, target layers, at BUILD/bench/layers.
set(layers_dir ${CMAKE_CURRENT_LIST_DIR})
graze_add_image_bench(layers ${layers_dir}/layers.c)
if(TARGET layers)
    target_compile_definitions(layers PRIVATE LAYERS_SOURCE="${layers_dir}")
endif()
