// SPDX-License-Identifier: MIT
// What the shaders of particles are told, in the layout of shaders/step_plan.h (std430).
#ifndef GRZ_LEVEL_PARTICLES_PARTICLE_PLAN_H
#define GRZ_LEVEL_PARTICLES_PARTICLE_PLAN_H

#include <stdint.h>

#include "level/particles/shaders/particles_bindings.h"

// The rows of a matrix from the world, relative to the box's centre, to a view; unit vectors along its axes.
typedef struct grz_particle_view {
    float rows[3][4];
    float axes[3][4];
} grz_particle_view;

typedef struct grz_particle_plan_force {
    float acceleration[3], along_normal;
    float reach;
    uint32_t id, value, unused;
} grz_particle_plan_force;

typedef struct grz_particle_plan {
    grz_particle_view views[GRZ_PARTICLE_VIEWS];
    float origin[4];
    float acceleration[3], seconds;
    float pixel[GRZ_PARTICLE_VIEWS][2];
    float radius, thickness, restitution, friction;
    uint32_t resolution, layers, view_count, sheets;
    uint32_t record, count, stride, offset;
    uint32_t max_bounces, max_hits, force_count, most_work;
    grz_particle_plan_force forces[GRZ_PARTICLE_FORCES];
} grz_particle_plan;

// The counters of a map and of a step.
typedef struct grz_particle_counts {
    uint32_t overfull, moved, skipped, bounces, hit, pushed, stopped, listed;
} grz_particle_counts;

#endif
