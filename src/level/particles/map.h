// SPDX-License-Identifier: MIT
// The maps that particles share: their views, pictures and lists of surfaces, and how to draw them.
#ifndef GRZ_LEVEL_PARTICLES_MAP_H
#define GRZ_LEVEL_PARTICLES_MAP_H

#include <graze/particles.h>

#include "gl/gl.h"
#include "gpu/view.h"
#include "level/particles/particle_plan.h"

typedef struct grz_particle_maps {
    grz_gl_bin *bin; // receives the OpenGL objects at the end
    grz_particle_map_options options;
    grz_view views[GRZ_PARTICLE_VIEWS]; // in the world
    uint32_t view_count;
    grz_particle_plan plan;     // what is known before a step
    uint32_t record;            // GRZ_RECORD_…: what the pictures have beside depths
    GLuint framebuffer;         // of one layer of one view
    GLuint depth, normals, ids; // its pictures; `ids` may be 0
    grz_gl_buffer surfaces, surface_ids, plan_copy, counts, block, particles, hits;
    bool is_drawn;
    uint32_t overfull; // pixels with more surfaces than layers
} grz_particle_maps;

// Choose the views. No OpenGL is used.
void grz_particle_maps_init(const grz_particle_map_options *options, grz_particle_maps *maps);

// Draw an environment into the maps. Its `record` must have normals.
grz_status grz_particle_maps_draw(grz_gl *gl, grz_particle_maps *maps, const grz_environment *environment,
                                  grz_control *control, grz_error *error);

// Give the shaders what they are told, and bind the buffers that every shader reads.
grz_status grz_particle_maps_tell(grz_gl *gl, grz_particle_maps *maps, grz_error *error);

// Hand the OpenGL objects over for deletion. Any thread may call this.
void grz_particle_maps_finish(grz_device *device, grz_particle_maps *maps);

#endif
