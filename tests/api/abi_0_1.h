// SPDX-License-Identifier: MIT
// The structures of options as version 0.1.0 had them (commit d68348d), for tests that programs compiled against older
// headers go on working. Never edit them. When a version is released, add a header of this kind for it.
#ifndef GRZ_TESTS_ABI_0_1_H
#define GRZ_TESTS_ABI_0_1_H

#include <graze/graze.h>

typedef struct abi_0_1_device_options {
    size_t size;
    unsigned threads;
    grz_allocator allocator;
    grz_task_runner task_runner;
    grz_device_kind kind;
    uint32_t renderer;
    bool share;
} abi_0_1_device_options;

typedef struct abi_0_1_mesh_description {
    size_t size;
    const void *positions;
    grz_scalar position_type;
    uint64_t vertex_count;
    size_t position_stride;
    const uint32_t *indices;
    uint64_t index_count;
    uint64_t face_count;
    const uint32_t *corner_counts;
    uint32_t corners_per_face;
    uint32_t flags;
} abi_0_1_mesh_description;

typedef struct abi_0_1_gl_mesh_description {
    size_t size;
    uint32_t position_buffer;
    uint64_t position_offset;
    uint32_t position_stride;
    uint64_t vertex_count;
    uint32_t index_buffer;
    uint64_t index_offset;
    uint32_t index_size;
    uint64_t triangle_count;
    uint32_t flags;
} abi_0_1_gl_mesh_description;

typedef struct abi_0_1_slices_options {
    size_t size;
    uint32_t resolution;
    uint32_t slices;
    uint32_t refinements;
    uint32_t volumes;
    uint32_t last_slices;
    double offset;
    bool oriented;
    bool has_direction;
    double direction[3];
    grz_slices_analysis analysis;
    bool confirm;
} abi_0_1_slices_options;

typedef struct abi_0_1_layers_options {
    size_t size;
    uint32_t resolution;
    grz_layers_capture capture;
    uint32_t layers;
    double threshold;
    bool untested;
    bool has_direction;
    double direction[3];
} abi_0_1_layers_options;

typedef struct abi_0_1_collide_options {
    size_t size;
    const char *method;
    grz_answer answer;
    uint32_t find;
    uint64_t max_pairs;
    uint64_t memory_limit;
    const volatile int *cancel;
    double deadline;
    grz_inside_rule inside_rule;
    void (*progress)(double share, void *user);
    void *progress_user;
    bool warm_start;
    const abi_0_1_slices_options *slices;
    const abi_0_1_layers_options *layers;
} abi_0_1_collide_options;

typedef struct abi_0_1_locate_options {
    size_t size;
    grz_inside_rule inside_rule;
    const volatile int *cancel;
    double deadline;
    uint64_t memory_limit;
} abi_0_1_locate_options;

typedef struct abi_0_1_picture_options {
    size_t size;
    uint32_t width;
    uint32_t height;
    bool has_direction;
    double direction[3];
    double up[3];
    bool whole;
} abi_0_1_picture_options;

#endif
