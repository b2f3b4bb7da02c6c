# SPDX-License-Identifier: MIT
# The reproduction of the paper behind method `selection`, target selection, at BUILD/bench/selection.
set(selection_dir ${CMAKE_CURRENT_LIST_DIR})
graze_add_image_bench(selection ${selection_dir}/selection.c ${selection_dir}/touches.c ${selection_dir}/anatomy.c
    ${selection_dir}/aabb_tree.c ${CMAKE_CURRENT_LIST_DIR}/../heightmap/parts.c)
if(TARGET selection)
    target_include_directories(selection PRIVATE ${selection_dir}/../heightmap)
    target_compile_definitions(selection PRIVATE SELECTION_SOURCE="${selection_dir}")
    target_link_options(selection PRIVATE LINKER:--wrap=grz_leaf_faces_for) # see selection.c
endif()
