// SPDX-License-Identifier: MIT
// Reads the options of particles that callers of any version give.
#ifndef GRZ_LEVEL_PARTICLES_PARTICLES_OPTIONS_H
#define GRZ_LEVEL_PARTICLES_PARTICLES_OPTIONS_H

#include <graze/particles.h>

#include "base/options.h"

enum {
    GRZ_PARTICLE_MOST_LAYERS = 16,
    GRZ_PARTICLE_MAX_BOUNCES = 64
};

// Read and check the options that a caller gave, of any version's size.
grz_status grz_particle_map_options_read(const grz_particle_map_options *given, grz_particle_map_options *out,
                                         grz_error *error);

// A step as its call reads it, and its checks.
extern const grz_options_type grz_particle_step_type;
grz_status grz_particle_step_check(const grz_particle_step *step, grz_error *error);

// Check an array of particles.
grz_status grz_particle_array_check(const grz_particle_array *particles, grz_error *error);

#endif
