// SPDX-License-Identifier: MIT
// What one call to grz_grid_run works on: the call itself, and the layout of the round, which nothing changes once
// layout.c has made it.
#ifndef GRZ_IMAGE_GRID_LAYOUT_H
#define GRZ_IMAGE_GRID_LAYOUT_H

#include "gpu/leaf_buffers.h"
#include "gpu/mesh_buffers.h"
#include "image/grid/voxel_grid.h"

// What any pass needs to use OpenGL, to stop early, to allocate and to fail.
typedef struct grz_grid_call {
    grz_gl *gl;
    grz_control *control;
    const grz_allocator *allocator; // the control's
    grz_error *error;
    const char *method; // begins texts of errors
} grz_grid_call;

// One object in its grid.
typedef struct grz_grid_part {
    const grz_mesh *mesh;
    const grz_mesh_buffers *buffers;
    const grz_leaf_buffers *leaves; // if the round has leaves
    grz_grid_place place;
} grz_grid_part;

// The parts of one side that have the same mesh, which stand one after the other. For rounds with leaves.
typedef struct grz_leaf_mesh {
    size_t side, first_part, part_count; // first_part: of the side
    uint32_t first_box;                  // in the list of boxes there is room for all leaves of these parts
} grz_leaf_mesh;

// A work group of leaves_join.comp: GRZ_DISPATCH_GROUP listed boxes of B and GRZ_LEAF_JOIN of A, if there are so many.
typedef struct grz_leaf_task {
    uint32_t job, first_b, first_a, unused;
} grz_leaf_task;

// What a round with leaves has in addition (leaf_layout.c).
typedef struct grz_leaf_layout {
    uint32_t box_count; // leaves of all parts
    size_t mesh_count, task_count;
    grz_leaf_mesh *meshes;
    grz_leaf_task *tasks;
    uint32_t chunks;      // work groups for a pair of leaves: so that each has GRZ_LEAF_CHUNK triangles of both at most
    size_t mesh_capacity; // what is allocated
} grz_leaf_layout;

// Which jobs have a grid, and the objects in these grids. A round has one or two *sides*: with GRZ_GRID_PER_PAIR side
// 0 holds the objects A of all jobs and side 1 the objects B; the other forms have side 0 only.
typedef struct grz_grid_layout {
    grz_grid_form form;
    grz_grid_join join;
    grz_grid_cells cells;
    bool wants_list; // all pairs are wanted, not only the first proved one
    uint32_t resolution;
    size_t job_count;            // jobs that have a grid; 1 with GRZ_GRID_SHARED, which treats all objects as one job
    uint32_t *numbers;           // of each of these jobs: its position in the request
    uint32_t (*first_marked)[2]; // of each: where its lists of marked triangles begin, of A and of B
    grz_grid_unit *units;        // of each
    uint32_t *reference_sides;   // of each, with GRZ_JOIN_VOLUMES: 1 if its object B is the reference, else 0
    size_t side_count;           // 1 or 2
    size_t part_count;           // objects of a side
    grz_grid_part *parts;        // side 0, then side 1; objects of the same mesh stand one after the other
    grz_grid_place *places;      // the parts' places once more, as they are uploaded
    uint64_t triangles[2];       // of all parts of each side
    grz_leaf_layout leaves;
    size_t job_capacity, part_capacity; // what is allocated
} grz_grid_layout;

// Make the layout. Jobs that a grid is of no use for are left out. The layout is to be released whatever is returned.
grz_status grz_grid_layout_make(grz_grid_layout *layout, const grz_grid_call *call, const grz_grid_request *request);
void grz_grid_layout_release(grz_grid_layout *layout, const grz_grid_call *call);

// With leaves: find the leaves of all parts and where their boxes are listed. *fits: false if there are too many,
// or if a leaf has too many triangles. Called by grz_grid_layout_make().
grz_status grz_leaf_layout_make(grz_grid_layout *layout, const grz_grid_call *call, const grz_grid_request *request,
                                bool *fits);
void grz_leaf_layout_release(grz_leaf_layout *leaves, const grz_grid_call *call);

// The pixels of all grids.
static inline uint64_t grz_grid_pixel_count(const grz_grid_layout *layout)
{
    return (uint64_t)layout->resolution * layout->resolution * layout->job_count;
}

// The words of a pixel: cells of A and cells of both; or a range of A and one of B, each of two words.
static inline size_t grz_grid_cell_words(grz_grid_cells cells)
{
    return cells == GRZ_CELLS_RANGES ? 4 : 2;
}

static inline uint64_t grz_grid_cell_bytes(const grz_grid_layout *layout)
{
    return sizeof(uint32_t) * grz_grid_cell_words(layout->cells) * grz_grid_pixel_count(layout);
}

// A record is a triangle in its grid. There is room for all triangles; those outside their grids get none.
static inline uint64_t grz_grid_record_limit(const grz_grid_layout *layout)
{
    return layout->triangles[0] + layout->triangles[1];
}

#endif
