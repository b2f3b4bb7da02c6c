// SPDX-License-Identifier: MIT
// The model of particles in doubles (docs/internals/particles.md), on the CPU: what src/level/particles/shaders do
// with the surfaces of a map.
#ifndef GRZ_TESTS_PARTICLE_TWIN_H
#define GRZ_TESTS_PARTICLE_TWIN_H

#include <graze/gl.h>
#include <graze/particles.h>

// A map as read back from its buffers, and its settings.
typedef struct twin_map {
    grz_particle_map_options options;
    const float (*surfaces)[4];
} twin_map;

typedef struct twin_particle {
    double p[3], v[3];
    uint32_t bounces;
    bool pushed, stopped;
} twin_particle;

// Move a particle. The step has no forces that depend on surfaces.
twin_particle twin_step(const twin_map *map, const grz_particle_step *step, const double p[3], const double v[3]);

#endif
