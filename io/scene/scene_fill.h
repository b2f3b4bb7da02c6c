// SPDX-License-Identifier: MIT
// From meshes that were read once, and a list of the places at which the file shows them, to a model: each showing
// becomes a part with vertices of its own, or, where the caller keeps instances, an instance. The reader puts the
// meshes into its model between grz_io_begin_mesh() and grz_io_end_mesh(), with corners that count from the mesh's own
// first vertex.
#ifndef GRZ_IO_SCENE_SCENE_FILL_H
#define GRZ_IO_SCENE_SCENE_FILL_H

#include "reader.h"

#include "scene/scene_matrix.h"

// One mesh at one place.
typedef struct scene_showing {
    uint64_t mesh;       // among the model's meshes
    scene_matrix matrix; // from the mesh to the file's world
    text_token name;     // borrowed until the model is filled
} scene_showing;

// What the file shows, in its order.
typedef struct scene_showings {
    scene_showing *list;
    size_t count, capacity;
} scene_showings;

bool grz_io_show(reader *r, scene_showings *showings, const scene_showing *one);
void grz_io_release_showings(reader *r, scene_showings *showings);

// Fill the model with what is shown. Meshes that nothing shows are left out; where a matrix mirrors, the corners of its
// faces turn round. The model is refused where showing meshes many times makes it larger than
// grz_io_most_model_bytes().
bool grz_io_fill_scene(reader *r, const scene_showings *showings);

// How many bytes of vertices and faces a file of `bytes` bytes may become by showing meshes several times. Where the
// caller set a limit of memory, it alone holds.
uint64_t grz_io_most_model_bytes(const reader *r, uint64_t bytes);

#endif
