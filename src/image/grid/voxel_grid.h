// SPDX-License-Identifier: MIT
// A conservative voxel grid on the GPU: which triangles of two objects share a cell, and which pairs of them may
// touch. Many jobs go through the GPU together in a round. Rounding is covered by bounds (grid_frame.c), so no pair
// that touches is left out.
#ifndef GRZ_IMAGE_GRID_VOXEL_GRID_H
#define GRZ_IMAGE_GRID_VOXEL_GRID_H

#include "image/grid/object_list.h"
#include "image/grid/shaders/grid_bindings.h"

enum {
    GRZ_VOXEL_TRIANGLES = 1 << 20, // at most so many in a round of several jobs; a job alone may have more
    GRZ_VOXEL_RESOLUTION = 64,     // pixels along each side, by default
    GRZ_JOB_WHOLE = 1u << 2, // a job flag, like those in shaders/grid_bindings.h: no grid, any triangles may touch
    GRZ_VOXEL_CANDIDATES = 1 << 10 // so many candidates are read back together with the answers
};

// ---- The frame of a grid ------------------------------------------------------------------------------------------

// A voxel grid over a box of the world. Axes 0 and 1 are the pixels' axes, axis 2 is depth.
typedef struct grz_grid_frame {
    uint32_t cells[3];       // pixels along both sides, slices
    int axes[3];             // the world axis of each grid axis
    double least[3], per[3]; // for each grid axis: the world coordinate where it begins, and cells per unit of length
} grz_grid_frame;

// The map from the coordinates in a mesh's buffer to cells, as shaders read it: cells = rows · (coordinates, 1).
typedef struct grz_grid_place {
    float rows[3][4];
    float grow
        [4]; // for each axis a power of two, in cells, above the error of a mapped coordinate and of later arithmetic on it
    // The job; the object's number in the list where all objects share a grid, else 0. With leaves also where
    // its boxes are listed, and the number of its mesh (layout.h).
    uint32_t of[4];
    float sides[4]; // how far the grid reaches along each axis, in cells
} grz_grid_place;

// For each axis a power of two. A cell coordinate times it is wrong by at most 1, summed over both objects of the job.
typedef struct grz_grid_unit {
    float axes[3];
    float half_thickness; // GRZ_JOIN_VOLUMES: of the volumes, in cells
} grz_grid_unit;

// The grid of a box, with the slices along its shortest side. `size` is the longest side of the objects' boxes: it
// limits how small cells may be.
grz_grid_frame grz_grid_frame_of(const grz_box *box, double size, uint32_t resolution);

// The grid of a box with cells of the same size along all axes, `resolution` of them along the longest side.
grz_grid_frame grz_grid_frame_even(const grz_box *box, double size, uint32_t resolution);

// The map of an object, without its job. `centre` and `scale` are those of the object's buffers. `wrong` receives the
// bound of the error for each axis, in cells. False: the object is so large or so far away, in cells, that a grid is
// of no use.
bool grz_grid_place_of(const grz_grid_frame *grid, const grz_object *object, const double centre[3], double scale,
                       grz_grid_place *place, double wrong[3]);

// The unit of a job, from the error bounds of its two objects.
grz_grid_unit grz_grid_unit_of(const double wrong_a[3], const double wrong_b[3]);

// ---- A round ------------------------------------------------------------------------------------------------------

// How far a round goes from triangles that share cells towards pairs.
typedef enum grz_grid_join {
    GRZ_JOIN_NONE,      // lists of the marked triangles of each object, no pairs
    GRZ_JOIN_TEST_ONLY, // only how many triangles of B have a cell of A: 0 shows that the objects are apart
    GRZ_JOIN_MARKED,    // all pairs of marked triangles, unless these are too many
    GRZ_JOIN_FRAGMENTS, // pairs that share a pixel at overlapping depths, by a list of fragments in each pixel
    GRZ_JOIN_LEAVES,    // no cells: pairs of triangles in leaves whose boxes meet (grid_leaves.c)
    // As GRZ_JOIN_LEAVES, but not conservative: the faces that reach into the viewing volume of a face of the reference
    // object. A pair of faces is named by a triangle of each.
    GRZ_JOIN_VOLUMES
} grz_grid_join;

// True if a round compares leaf boxes instead of cells.
static inline bool grz_grid_has_leaves(grz_grid_join join)
{
    return join == GRZ_JOIN_LEAVES || join == GRZ_JOIN_VOLUMES;
}

// Which grids a round has.
typedef enum grz_grid_form {
    GRZ_GRID_PER_PAIR, // one grid for each job of two objects
    GRZ_GRID_OF_SELF,  // one grid for the only job, a mesh with itself in its own coordinates; joined by fragments
    GRZ_GRID_SHARED    // one grid for many objects, where any two may touch; joined by fragments
} grz_grid_form;

// What a grid of two objects compares.
typedef enum grz_grid_cells {
    GRZ_CELLS_SLICES, // cells are slices of pixels: the objects' triangles that share one are marked
    GRZ_CELLS_RANGES  // each pixel has one range of depths for all surfaces of an object: the triangles whose own range
                      // meets that of the other object are marked. Not with GRZ_JOIN_FRAGMENTS or leaves
} grz_grid_cells;

// What a round is asked for.
typedef struct grz_grid_request {
    const char *method; // begins texts of errors
    const grz_job_set *set;
    grz_grid_form form;
    const uint32_t *jobs; // GRZ_GRID_PER_PAIR: up to GRZ_VOXEL_JOBS numbers of jobs in the set; GRZ_GRID_OF_SELF: one
    size_t count;
    const grz_object_list *objects; // GRZ_GRID_SHARED: all of them, in the list's region
    uint32_t resolution;            // pixels along each side
    grz_grid_join join;
    grz_grid_cells cells;
    uint32_t max_faces; // with leaves: faces of one at most; 0: chosen by the size of each mesh
    double thickness;   // GRZ_JOIN_VOLUMES: of the volumes, world units
    uint32_t reference; // GRZ_JOIN_VOLUMES: number of the reference object in the set; in jobs without it, object a
} grz_grid_request;

// True if all pairs are wanted; false if the first proved pair of a job is enough.
static inline bool grz_grid_wants_list(const grz_grid_request *request)
{
    return (request->set->flags & GRZ_JOBS_FIRST_CONTACT) == 0;
}

// What a round found out about a job.
typedef struct grz_grid_answer {
    uint32_t flags;     // GRZ_JOB_…
    uint32_t marked[2]; // how many triangles of A and of B share a cell; 0 of B: the objects are apart
    uint32_t *lists[2]; // with GRZ_JOB_EXHAUSTED these triangles, in any order: their pairs were not tried
    bool proved;        // where one pair is enough: `pair` touches
    uint32_t pair[2];
} grz_grid_answer;

// A pair of triangles of one job that may touch.
typedef struct grz_grid_candidate {
    uint32_t job; // position in the request's jobs
    uint32_t triangles[2];
    bool proved;
} grz_grid_candidate;

// The answers of a round. Zero it to start.
typedef struct grz_grid_round {
    grz_grid_answer *answers;       // one a job
    grz_grid_candidate *candidates; // of jobs without flags, job by job; not with GRZ_GRID_SHARED
    grz_listed_pair *listed_pairs;  // with GRZ_GRID_SHARED, in any order
    size_t answer_count, candidate_count, listed_pair_count, candidate_capacity, listed_pair_capacity;
    uint64_t box_pair_count;      // pairs of triangles whose boxes overlap
    uint64_t leaf_pair_count;     // with leaves: pairs of leaf boxes that meet
    uint64_t fragment_count;      // with GRZ_JOIN_FRAGMENTS
    uint64_t fragment_pair_count; // the same, one for each pixel that two triangles share
    uint64_t read_bytes;          // read back from OpenGL
} grz_grid_round;

// Run a round. What `round` held is released first. Its memory is the control's allocator's.
grz_status grz_grid_run(grz_device *device, const grz_grid_request *request, grz_control *control,
                        grz_grid_round *round, grz_error *error);
void grz_grid_round_finish(grz_grid_round *round, grz_control *control);

// ---- For tests and measurements (inspect.c) -----------------------------------------------------------------------

// Read the cells of the last round's first job. GRZ_CELLS_SLICES: `resolution`² words of 32 slices that object A has,
// then as many that both have. GRZ_CELLS_RANGES: two words for each pixel, then as many again, as ranges.h has them.
grz_status grz_grid_read_cells(grz_device *device, uint32_t resolution, grz_grid_cells kind, uint32_t *cells,
                               grz_error *error);

// A fragment: a triangle in a pixel, with the range of depths that it may have there.
typedef struct grz_grid_fragment {
    uint32_t next; // the next fragment of the slice's list, its number plus 1; 0: none
    uint32_t triangle;
    uint32_t low, high; // depths, GRZ_LAYER_UNITS to a slice
} grz_grid_fragment;

// Read the first `count` fragments of the last round, which was GRZ_GRID_OF_SELF, and for each slice of each pixel the
// first fragment of its list, its number plus 1.
grz_status grz_grid_read_fragments(grz_device *device, uint32_t resolution, uint32_t *heads,
                                   grz_grid_fragment *fragments, uint32_t count, grz_error *error);

// Let shaders try at most so many pairs of marked triangles of a job. 0: the default, which is none on a software
// renderer.
grz_status grz_grid_limit_pairs(grz_device *device, uint32_t pairs, grz_error *error);

#endif
