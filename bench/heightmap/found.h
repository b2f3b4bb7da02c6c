// SPDX-License-Identifier: MIT
// Height maps along the directions that grz_projections_find() chooses: the object hits if, of some part, all maps hit.
#ifndef GRZ_BENCH_HEIGHTMAP_FOUND_H
#define GRZ_BENCH_HEIGHTMAP_FOUND_H

#include <graze/projections.h>

#include "run.h"

enum {
    FOUND_PARTS = 8,
    FOUND_MAPS = 8 // of a part
};

typedef struct found_maps {
    grz_projections *found;
    grz_projections_summary summary;
    double seconds; // that the search took
    grz_mesh *parts[FOUND_PARTS];
    double (*positions[FOUND_PARTS])[3];
    grz_heightmap *maps[FOUND_PARTS][FOUND_MAPS];
    uint32_t map_counts[FOUND_PARTS];
} found_maps;

// Search for directions that suit all poses of a mesh, and make the maps for the first one. `resolution` in pixels.
void found_open(run *r, const grz_mesh *const *poses, uint32_t count, grz_projection projection, uint32_t resolution,
                found_maps *out);

// Move the parts with the mesh, which has new positions.
void found_follow(found_maps *f, const grz_mesh *mesh);

// Whether the object, at a pose, hits another one.
bool found_ask(found_maps *f, const grz_pose *pose, const grz_object *other);

void found_close(found_maps *f);

// Print how many parts and directions there are, and the first of them.
void found_print(const found_maps *f);

#endif
