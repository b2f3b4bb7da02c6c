// SPDX-License-Identifier: MIT
// The height maps of an object, and room for those of its environment in the same projections. The object's are drawn
// again when its positions or the settings have changed.
#ifndef GRZ_IMAGE_HEIGHTMAP_MAPS_H
#define GRZ_IMAGE_HEIGHTMAP_MAPS_H

#include <graze/environment.h>

#include "gpu/mesh_buffers.h"
#include "image/environment/depths.h"
#include "image/heightmap/heightmap_view.h"

typedef struct grz_height_maps {
    grz_gl_bin *bin;               // receives the OpenGL objects at the end
    grz_heightmap_options options; // what they were made for
    uint64_t version;              // of the mesh's positions that they are of; 0: there is nothing yet
    grz_view views[2];             // in mesh coordinates
    uint32_t view_count;
    uint32_t record;        // GRZ_RECORD_…: what the environment's picture has beside depths
    GLuint object_map;      // depth, one view above the other; of GRZ_PROJECTION_BOUNDED front, then back. 0: no object
    GLuint environment_map; // depth, one view above the other; 1: nothing
    GLuint ids, normals;    // of the environment, as the options of a query record them; else 0
    GLuint framebuffers[2]; // of the object's map and of the environment's
    GLuint found;           // a grz_height_found for each view (height_query.h)
    grz_gl_buffer block;    // the uniforms of a callback
    grz_gl_buffer contacts;
} grz_height_maps;

enum {
    GRZ_HEIGHTS_OF_OBJECT = 0, // of the framebuffers
    GRZ_HEIGHTS_OF_ENVIRONMENT = 1
};

// Start empty maps, with a bin for what they will be. False: out of memory.
bool grz_height_maps_init(const grz_gl *gl, grz_height_maps *maps);

// Hand the OpenGL objects over for deletion. Any thread may call this. `maps` may be zeroed.
void grz_height_maps_finish(grz_device *device, grz_height_maps *maps);

// Bring the maps of a mesh up to date. The thread must be inside the OpenGL of the mesh's device.
grz_status grz_height_maps_update(grz_gl *gl, const grz_mesh *mesh, const grz_heightmap_options *options,
                                  uint32_t record, grz_control *control, grz_height_maps *maps, grz_error *error);

// After a callback has drawn the environment: attach the pictures again, and draw the stencil again, whatever it did to
// them. Fails if it deleted a picture or a buffer; the maps are then created again by the next update.
grz_status grz_height_maps_renew(grz_gl *gl, grz_height_maps *maps, const grz_mesh_buffers *buffers, grz_error *error);

// The maps that are kept with a mesh until other settings are asked for; nothing is recorded. As above.
grz_status grz_height_maps_get(grz_gl *gl, const grz_mesh *mesh, const grz_heightmap_options *options,
                               grz_control *control, grz_height_maps **maps, grz_error *error);

// True if faces are left out that show the wrong side for this kind of map.
bool grz_height_maps_culled(const grz_height_maps *maps, int which);

// The framebuffer to draw into, with a program for depths alone, the depth test, and culling unless both sides count.
grz_status grz_height_maps_begin(grz_gl *gl, const grz_height_maps *maps, int which,
                                 const grz_gl_program_source *source, grz_error *error);

// Fail: the object, which error texts call `what`, covers no pixel of its maps.
grz_status grz_height_covers_nothing(const grz_height_maps *maps, const char *what, grz_error *error);

// Draw a mesh, at a pose relative to the maps' mesh, into the part of the picture that is view number `row`.
grz_status grz_height_maps_draw(grz_gl *gl, const grz_height_maps *maps, uint32_t row, const grz_view *view,
                                const grz_object *object, const grz_mesh_buffers *buffers, grz_control *control);

static inline bool grz_height_maps_bounded(const grz_height_maps *maps)
{
    return maps->options.projection == GRZ_PROJECTION_BOUNDED;
}

#endif
