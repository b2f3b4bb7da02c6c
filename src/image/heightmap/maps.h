// SPDX-License-Identifier: MIT
// The height maps of an object: kept with its mesh until its positions or the settings change. Comparing draws the
// environment into maps of the same projections.
#ifndef GRZ_IMAGE_HEIGHTMAP_MAPS_H
#define GRZ_IMAGE_HEIGHTMAP_MAPS_H

#include "gpu/mesh_buffers.h"
#include "image/heightmap/view.h"

typedef struct grz_height_maps {
    grz_gl_bin *bin;               // receives the OpenGL objects at the end
    grz_heightmap_options options; // what they were made for
    uint64_t version;              // of the mesh's positions that they are of; 0: there is nothing yet
    grz_view views[2];             // in mesh coordinates
    uint32_t view_count;
    GLuint object_map;      // depth, one view above the other; of GRZ_PROJECTION_BOUNDED front, then back. 0: no object
    GLuint environment_map; // depth, one view above the other; 1: nothing
    GLuint framebuffers[2]; // of the two maps
    GLuint found;           // a grz_height_found for each view
} grz_height_maps;

// What a comparison found in one view, as heights_compare.comp writes it. The ranges are of the pixels that hit; their
// first words are complements, so that all start at 0.
typedef struct grz_height_found {
    uint32_t pixels, hits;
    uint32_t not_least[2], last[2]; // columns and rows
    uint32_t not_nearest, farthest; // bits of the environment's depths, 0 to 1
} grz_height_found;

// Get the maps of a mesh; draw what is not up to date. The thread must be inside the OpenGL of the mesh's device. They
// stay as they are until the mesh's positions change, other settings are asked for, or the mesh is destroyed.
grz_status grz_height_maps_get(grz_gl *gl, const grz_mesh *mesh, const grz_heightmap_options *options,
                               grz_control *control, const grz_height_maps **maps, grz_error *error);

// Draw the environment of an object whose mesh has these maps, and compare. `found` receives what was found in each
// view. With `first_hit` a view after one with hits may be left out: *compared receives how many there are.
grz_status grz_height_maps_compare(grz_gl *gl, const grz_height_maps *maps, const grz_object *object,
                                   const grz_object *environment, bool first_hit, grz_control *control,
                                   grz_height_found found[2], uint32_t *compared, grz_error *error);

#endif
