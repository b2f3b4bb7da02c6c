// SPDX-License-Identifier: MIT
// Which triangles of two objects share a cell of a grid, by shaders that leave none out, and which pairs of these may touch; for many
// jobs at once.
#ifndef GRZ_IMAGE_VOXELS_H
#define GRZ_IMAGE_VOXELS_H

#include "image/shaders/shared.h"
#include "space/filter.h"

// The grid of a box in the world.
typedef struct grz_voxel_grid {
    uint32_t cells[3];       // pixels along both sides, slices
    int axes[3];             // of the world
    double least[3], per[3]; // in the order of the axes: where it begins, cells for each unit of length
} grz_voxel_grid;

// Where a mesh's buffer comes to lie in the grid, as shaders read it: cells = rows · (coordinates, 1).
typedef struct grz_voxel_place {
    float rows[3][4];
    float grow[4];  // what cells are wrong by at most, with room for what is done to them; powers of two
    uint32_t of[4]; // its job; its own number where all objects share a grid, else 0
} grz_voxel_place;

// A power of two for each axis: cells times this are wrong by 1 at most, both objects of the job together.
typedef struct grz_voxel_unit {
    float axes[4];
} grz_voxel_unit;

// The grid of a box: slices along its shortest side. `size` is how large the objects are.
grz_voxel_grid grz_voxel_grid_of(const grz_box *box, double size, uint32_t resolution);

// An object's place but for the job; `centre` and `scale` are those of its buffers. `wrong` receives what cells are wrong by. False: it is so large or far
// away in cells that a grid is of no use.
bool grz_voxel_place_of(const grz_voxel_grid *grid, const grz_object *object, const double centre[3], double scale,
                        grz_voxel_place *place, double wrong[3]);

// The unit of a job, by what its objects' cells are wrong by.
grz_voxel_unit grz_voxel_unit_of(const double wrong_a[3], const double wrong_b[3]);

enum {
    GRZ_VOXEL_TRIANGLES = 1 << 20, // of all meshes of a round, but for one of a single job
    GRZ_VOXEL_RESOLUTION = 64,     // pixels along both sides, unless asked for
    GRZ_JOB_WHOLE = 1u << 2,       // a flag like those of shared.h: no grid, every triangle may touch
    GRZ_VOXEL_CANDIDATES = 1 << 10 // that are read together with the answers
};

// How triangles that share cells become pairs.
typedef enum grz_voxel_join {
    GRZ_JOIN_NOT,   // they do not: which ones do is listed
    GRZ_JOIN_GATE,  // nor that: only whether there are cells of both is asked
    GRZ_JOIN_TRY,   // all pairs of marked triangles are tried, where these are not too many
    GRZ_JOIN_LAYERS // by lists of fragments in each pixel
} grz_voxel_join;

// What is asked of a round.
typedef struct grz_voxel_question {
    const char *method;         // begins texts of errors
    const grz_job *const *jobs; // up to GRZ_VOXEL_JOBS; one of a mesh with itself, by layers, is alone
    size_t count;
    uint32_t resolution;
    grz_voxel_join join;
    // By layers, of many objects at once: all of them in one grid, of this region, as if they were one job. The jobs are not looked at.
    const grz_object *const *objects; // NULL: job by job
    size_t object_count;
    grz_box region;
    bool list; // all pairs: false where a job's first one that is proved to touch is enough
} grz_voxel_question;

// What is said of a job.
typedef struct grz_voxel_answer {
    uint32_t flags;     // GRZ_JOB_…
    uint32_t marked[2]; // how many triangles of A and B share a cell; 0 of B: the objects are apart
    uint32_t *lists[2]; // these triangles, in any order, where the flags say that it is exhausted: pairs were not tried
    bool proved;        // without a list: this pair touches
    uint32_t pair[2];
} grz_voxel_answer;

// A pair of triangles that may touch, as the shader writes it.
typedef struct grz_voxel_candidate {
    uint32_t job; // of the question; of many objects at once the first triangle's object
    uint32_t triangles[2];
    uint32_t proved; // bit 0: they do; of many objects at once, above it the second triangle's object
} grz_voxel_candidate;

// The answers of a round. Zero it to start.
typedef struct grz_voxel_round {
    grz_voxel_answer *answers;       // one a job
    grz_voxel_candidate *candidates; // of jobs without flags, job by job
    size_t answer_count, candidate_count, candidate_room;
    uint64_t pair_count; // pairs of boxes that were tested
    // Layers: fragments; pairs of these, one for each pixel that they share; what was read back.
    uint64_t node_count, raw_count, read_bytes;
} grz_voxel_round;

// Answer the question. What the round held is released first. Its memory is the control's allocator's.
grz_status grz_voxels_run(grz_device *device, const grz_voxel_question *question, grz_control *control, grz_voxel_round *round,
                          grz_error *error);
void grz_voxel_round_finish(grz_voxel_round *round, grz_control *control);

// The cells of the last round's first job as they are on the GPU, `resolution`² words that say what its object A has, and as many that say
// what both have. For tests.
grz_status grz_voxels_read_cells(grz_device *device, uint32_t resolution, uint32_t *cells, grz_error *error);

// A fragment of layers: where a triangle may be in a pixel.
typedef struct grz_layer_fragment {
    uint32_t next; // of the slice's list, a number plus 1; 0: none
    uint32_t triangle;
    uint32_t low, high; // depths, GRZ_LAYER_UNITS to a slice
} grz_layer_fragment;

// The last round's fragments, by layers, one job of a mesh with itself: `count` of them, and for each slice of each pixel the first of its list, a
// number plus 1. For tests.
grz_status grz_layers_read(grz_device *device, uint32_t resolution, uint32_t *heads, grz_layer_fragment *fragments, uint32_t count,
                           grz_error *error);

// Let shaders try so many pairs of marked triangles of a job at most; 0: as many as is good on such a device, none where it is a program on
// the CPU. For tests and measurements.
grz_status grz_voxels_limit_pairs(grz_device *device, uint32_t pairs, grz_error *error);

#endif
