// SPDX-License-Identifier: MIT
// The OpenGL buffers of rounds: sizes, room, growth, release. A round first gets as much room as the last ones needed.
// If its answers say that something did not fit, the room grows to that number and a quarter more, and the round runs
// again.
#include "image/grid/buffers.h"

#include <assert.h>

#include "base/fail.h"
#include "image/grid/grid_answers.h"

enum {
    FRAGMENTS = 1 << 17, // capacities at first
    FRAGMENT_PAIRS = 1 << 16,
    CANDIDATES = 1 << 14,
    LEAF_PAIRS = 1 << 12,
    LEAF_RECORDS = 1 << 14,
    MOST_SPLIT_PIXELS = 1 << 15, // grids with more pixels never have lists for slices
    LEAST_SEEN_BITS = 10,
    MANY_PAIRS = 1 << 20, // up to so many pairs of marked triangles a GPU is faster than a bounding-volume hierarchy
    PAIRS_EACH = 1 << 10, // room for candidates, for each job
    TASKS_EACH = GRZ_PAIRS_MOST / GRZ_DISPATCH_GROUP,
    FRAGMENT_BYTES = 16,
    LEAF_RECORD_BYTES = 16 * GRZ_FACE_VECTORS, // enough for triangles, too
    PAIR_BYTES = 8
};

static void release_buffers(grz_gl *gl, void *state)
{
    grz_grid_buffers *b = state;
    grz_gl_buffer *const all[] = {&b->places,      &b->cells,      &b->units,          &b->records,    &b->big,
                                  &b->marked,      &b->answers,    &b->tasks,          &b->pairs,      &b->heads,
                                  &b->fragments,   &b->seen,       &b->fragment_pairs, &b->leaf_boxes, &b->leaf_wanted,
                                  &b->leaf_meshes, &b->leaf_tasks, &b->leaf_pairs};
    for (size_t i = 0; i < sizeof all / sizeof(grz_gl_buffer *); i++)
        grz_gl_buffer_finish(gl, all[i]);
}

static const grz_gl_slot_type slot_type = {sizeof(grz_grid_buffers), release_buffers};

grz_grid_buffers *grz_grid_buffers_get(grz_gl *gl, const char *method, grz_error *error)
{
    grz_grid_buffers *buffers = grz_gl_slot(gl, &slot_type);
    if (buffers == NULL)
        grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "%s: out of memory", method);
    return buffers;
}

// ---- Sizes --------------------------------------------------------------------------------------------------------

uint32_t grz_grid_pair_limit(const grz_grid_buffers *buffers, const grz_grid_call *call)
{
    if (buffers->pair_limit != 0)
        return buffers->pair_limit;
    return grz_gl_get_limits(call->gl)->software ? 0 : MANY_PAIRS;
}

bool grz_grid_tests_pairs(const grz_grid_buffers *buffers, const grz_grid_call *call)
{
    return buffers->pair_limit != 0 || !grz_gl_get_limits(call->gl)->software;
}

// At least one word for each record, and one for each second pair of fragments.
unsigned grz_grid_seen_bits(const grz_grid_buffers *buffers, const grz_grid_layout *layout)
{
    const uint64_t records = grz_grid_record_limit(layout), least = buffers->fragment_pair_capacity / 2;
    const uint64_t wanted = records > least ? records : least;
    unsigned bits = LEAST_SEEN_BITS;
    while ((uint64_t)1 << bits < wanted)
        bits++;
    return bits;
}

uint64_t grz_grid_head_bytes(const grz_grid_layout *layout)
{
    const uint64_t lists = layout->form == GRZ_GRID_PER_PAIR ? 1 : GRZ_VOXEL_SLICES;
    return sizeof(uint32_t) * grz_grid_pixel_count(layout) * lists;
}

uint32_t grz_grid_splittable_pixels(const grz_grid_layout *layout)
{
    const uint64_t pixels = grz_grid_pixel_count(layout);
    return layout->form == GRZ_GRID_PER_PAIR && pixels <= MOST_SPLIT_PIXELS ? (uint32_t)pixels : 0;
}

// ---- Room ---------------------------------------------------------------------------------------------------------

// A buffer that a round needs.
typedef struct need {
    grz_gl_buffer *buffer;
    uint64_t bytes;
    const char *what;
} need;

// Reserve all or, if a shader cannot see one of them or *fits is false before, none.
static grz_status reserve(const grz_grid_call *call, const need *needs, size_t count, bool *fits)
{
    const uint64_t limit = grz_gl_get_limits(call->gl)->storage_block;
    grz_status status = GRZ_OK;
    for (size_t i = 0; i < count; i++)
        *fits = *fits && needs[i].bytes <= limit;
    for (size_t i = 0; *fits && i < count && status == GRZ_OK; i++)
        status = grz_gl_buffer_reserve(call->gl, needs[i].buffer, needs[i].bytes, needs[i].what, call->error);
    return status;
}

static grz_status reserve_marked_pairs(grz_grid_buffers *b, const grz_grid_call *call, const grz_grid_layout *layout,
                                       uint32_t *candidates, bool *fits)
{
    const uint32_t limit = grz_grid_pair_limit(b, call), each = PAIRS_EACH * (uint32_t)layout->job_count;
    if (limit == 0)
        return GRZ_OK;
    *candidates = each < limit ? limit : each;
    const need needs[] = {
        {&b->tasks, (uint64_t)PAIR_BYTES * TASKS_EACH * layout->job_count, "tasks"},
        {&b->pairs, (uint64_t)PAIR_BYTES * *candidates, "pairs of boxes"},
    };
    return reserve(call, needs, sizeof needs / sizeof *needs, fits);
}

static grz_status reserve_fragments(grz_grid_buffers *b, const grz_grid_call *call, const grz_grid_layout *layout,
                                    uint32_t *candidates, bool *fits)
{
    b->fragment_capacity = b->fragment_capacity != 0 ? b->fragment_capacity : FRAGMENTS;
    b->fragment_pair_capacity = b->fragment_pair_capacity != 0 ? b->fragment_pair_capacity : FRAGMENT_PAIRS;
    b->candidate_capacity = b->candidate_capacity != 0 ? b->candidate_capacity : CANDIDATES;
    *candidates = b->candidate_capacity;
    const uint64_t lists = grz_grid_splittable_pixels(layout) > 0 ? GRZ_VOXEL_SLICES : 1;
    const need needs[] = {
        {&b->heads, grz_grid_head_bytes(layout) * lists, "lists"},
        {&b->fragments, (uint64_t)FRAGMENT_BYTES * b->fragment_capacity, "fragments"},
        {&b->fragment_pairs, (uint64_t)PAIR_BYTES * b->fragment_pair_capacity, "pairs of fragments"},
        {&b->pairs, (uint64_t)PAIR_BYTES * b->candidate_capacity, "pairs of boxes"},
        {&b->seen, (uint64_t)sizeof(uint32_t) << grz_grid_seen_bits(b, layout), "pairs that were met"},
    };
    return reserve(call, needs, sizeof needs / sizeof *needs, fits);
}

static grz_status reserve_leaves(grz_grid_buffers *b, const grz_grid_call *call, const grz_grid_layout *layout,
                                 uint32_t *candidates, bool *fits)
{
    const grz_leaf_layout *l = &layout->leaves;
    b->leaf_pair_capacity = b->leaf_pair_capacity != 0 ? b->leaf_pair_capacity : LEAF_PAIRS;
    b->leaf_record_capacity = b->leaf_record_capacity != 0 ? b->leaf_record_capacity : LEAF_RECORDS;
    b->candidate_capacity = b->candidate_capacity != 0 ? b->candidate_capacity : CANDIDATES;
    *candidates = b->candidate_capacity;
    const need needs[] = {
        {&b->leaf_boxes, (uint64_t)sizeof(uint32_t) * GRZ_LEAF_BOX_WORDS * l->box_count, "leaf boxes"},
        {&b->leaf_wanted, (uint64_t)sizeof(uint32_t) * l->box_count, "leaf boxes that meet another"},
        {&b->leaf_meshes, sizeof(uint32_t) * GRZ_LEAF_MESH_WORDS * l->mesh_count, "meshes"},
        {&b->leaf_tasks, sizeof *l->tasks * l->task_count, "tasks"},
        {&b->leaf_pairs, (uint64_t)PAIR_BYTES * b->leaf_pair_capacity, "pairs of leaf boxes"},
        {&b->records, LEAF_RECORD_BYTES * (uint64_t)b->leaf_record_capacity, "triangles in leaves"},
        {&b->pairs, (uint64_t)PAIR_BYTES * b->candidate_capacity, "pairs of boxes"},
    };
    return reserve(call, needs, sizeof needs / sizeof *needs, fits);
}

// Cells, and records of all triangles.
static grz_status reserve_cells(grz_grid_buffers *b, const grz_grid_call *call, const grz_grid_layout *layout,
                                bool *fits)
{
    const uint64_t records = grz_grid_record_limit(layout);
    *fits = *fits && records <= GRZ_GRID_MOST_EACH;
    const need needs[] = {
        {&b->cells, grz_grid_cell_bytes(layout), "cells"},
        {&b->records, (uint64_t)16 * GRZ_RECORD_VECTORS * records, "triangles in a grid"},
        {&b->big, sizeof(uint32_t) * records, "large triangles"},
        {&b->marked, 2 * sizeof(uint32_t) * records, "marked triangles"},
    };
    return reserve(call, needs, sizeof needs / sizeof *needs, fits);
}

grz_status grz_grid_buffers_reserve(grz_grid_buffers *b, const grz_grid_call *call, const grz_grid_layout *layout,
                                    uint32_t *candidates, bool *fits)
{
    const uint64_t limit = grz_gl_get_limits(call->gl)->storage_block;
    grz_status status = GRZ_OK;
    assert(layout->job_count > 0);
    *candidates = 0;
    *fits = true;
    for (size_t i = 0; i < layout->side_count * layout->part_count;
         i++) { // a caller's buffers were checked when its mesh was made
        const grz_mesh *mesh = layout->parts[i].mesh;
        *fits = *fits && (mesh->source != NULL || 3 * sizeof(float) * (uint64_t)mesh->vertex_count <= limit);
    }
    if (grz_grid_has_leaves(layout->join))
        status = reserve_leaves(b, call, layout, candidates, fits);
    else
        status = reserve_cells(b, call, layout, fits);
    if (status == GRZ_OK && layout->join == GRZ_JOIN_MARKED)
        status = reserve_marked_pairs(b, call, layout, candidates, fits);
    if (status == GRZ_OK && layout->join == GRZ_JOIN_FRAGMENTS)
        status = reserve_fragments(b, call, layout, candidates, fits);
    const need needs[] = {
        {&b->places, (uint64_t)GRZ_GRID_PLACES_BYTES * (2 + layout->part_count / GRZ_VOXEL_JOBS), "places"},
        {&b->units, layout->job_count * sizeof *layout->units, "units"},
        {&b->answers, grz_grid_answer_bytes(layout) + sizeof(grz_raw_candidate) * (uint64_t)*candidates,
         "pairs that may touch"},
    };
    return status == GRZ_OK ? reserve(call, needs, sizeof needs / sizeof *needs, fits) : status;
}

// Raise a capacity to what was wanted and a quarter more, as far as a shader sees elements of this size.
static bool grow(const grz_grid_call *call, uint32_t *capacity, uint32_t wanted, uint64_t bytes)
{
    const uint64_t most = grz_gl_get_limits(call->gl)->storage_block / bytes, more = wanted + (uint64_t)wanted / 4;
    if (wanted <= *capacity || wanted > most)
        return false;
    *capacity = (uint32_t)(more < most ? more : most);
    assert(*capacity >= wanted); // also if it does not fit into 32 bits
    return true;
}

bool grz_grid_buffers_grow(grz_grid_buffers *b, const grz_grid_call *call, const grz_answer_head *head)
{
    const uint32_t candidates = head->pairs > head->candidates ? head->pairs : head->candidates;
    const bool fragments = grow(call, &b->fragment_capacity, head->nodes, FRAGMENT_BYTES);
    const bool pairs = grow(call, &b->fragment_pair_capacity, head->fragment_pairs, PAIR_BYTES);
    const bool leaf_pairs = grow(call, &b->leaf_pair_capacity, head->leaf_pairs, PAIR_BYTES);
    const bool leaf_records = grow(call, &b->leaf_record_capacity, head->leaf_records, LEAF_RECORD_BYTES);
    return grow(call, &b->candidate_capacity, candidates, sizeof(grz_raw_candidate)) || fragments || pairs ||
           leaf_pairs || leaf_records;
}
