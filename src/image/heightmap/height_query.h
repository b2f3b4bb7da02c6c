// SPDX-License-Identifier: MIT
// What is around an object: drawn into maps of the object's projections, compared with the object's, and listed.
#ifndef GRZ_IMAGE_HEIGHTMAP_HEIGHT_QUERY_H
#define GRZ_IMAGE_HEIGHTMAP_HEIGHT_QUERY_H

#include "image/heightmap/maps.h"

// A comparison under way. The maps are up to date.
typedef struct grz_height_query {
    grz_gl *gl;
    grz_height_maps *maps;
    const grz_object *object;           // whose maps these are
    const grz_environment *environment; // its object_count is below 2^32
    bool first_hit;                     // a view after one with hits may be left out
    grz_control *control;
    grz_error *error;
} grz_height_query;

// What a comparison found in one view, as heights_compare.comp writes it. The ranges are of the pixels that hit; their
// first words are complements, so that all start at 0.
typedef struct grz_height_found {
    uint32_t pixels, hits;
    uint32_t not_least[2], last[2]; // columns and rows
    uint32_t not_nearest, farthest; // bits of the environment's depths, 0 to 1
} grz_height_found;

// Draw what is around the object, and compare. `found` receives what was found in each view, *compared how many views
// that are.
grz_status grz_height_compare(const grz_height_query *query, grz_height_found found[2], uint32_t *compared);

// List the pixels that hit in the views that were compared, `count` of them, view by view, row by row.
grz_status grz_height_list(const grz_height_query *query, uint32_t compared, uint64_t count,
                           grz_height_contact *contacts);

#endif
