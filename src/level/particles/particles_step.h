// SPDX-License-Identifier: MIT
// Moves particles by one step.
#ifndef GRZ_LEVEL_PARTICLES_PARTICLES_STEP_H
#define GRZ_LEVEL_PARTICLES_PARTICLES_STEP_H

#include "level/particles/map.h"

// A step under way. The maps are drawn; options and array are checked.
typedef struct grz_particle_stepping {
    grz_gl *gl;
    grz_particle_maps *maps;
    const grz_particle_array *particles;
    const grz_particle_step *step;
    grz_control *control;
    grz_error *error;
} grz_particle_stepping;

// Move the particles. `counts` receives what happened; NULL: nobody waits for that.
grz_status grz_particles_move(const grz_particle_stepping *stepping, grz_particle_counts *counts);

// Read the hits that the step has listed, `count` of them.
void grz_particles_read_hits(const grz_particle_maps *maps, uint32_t count, grz_particle_hit *hits);

#endif
