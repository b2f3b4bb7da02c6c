// SPDX-License-Identifier: MIT
// Constants that C and GLSL share for particles.
#ifndef GRZ_LEVEL_PARTICLES_SHADERS_PARTICLES_BINDINGS_H
#define GRZ_LEVEL_PARTICLES_SHADERS_PARTICLES_BINDINGS_H

#define GRZ_PARTICLE_VIEWS 6   // at most
#define GRZ_PARTICLE_FORCES 64 // at most

// Shader storage.
#define GRZ_BIND_PARTICLE_SURFACES 0
#define GRZ_BIND_PARTICLE_IDS 1
#define GRZ_BIND_PARTICLE_PLAN 2
#define GRZ_BIND_PARTICLE_COUNTS 3
#define GRZ_BIND_PARTICLES 4
#define GRZ_BIND_PARTICLE_HITS 5

// particles_insert.comp: texture units, and uniforms after GRZ_AT_FIRST_GROUP.
#define GRZ_UNIT_PARTICLE_DEPTH 0
#define GRZ_UNIT_PARTICLE_NORMALS 1
#define GRZ_UNIT_PARTICLE_ID 2
#define GRZ_AT_PARTICLE_VIEW 0
#define GRZ_AT_PARTICLE_LAYER 1
#define GRZ_PARTICLE_TILE 8

// What an entry of a pixel is (grz_particle_map_buffers).
#define GRZ_ENTRY_NONE 0
#define GRZ_ENTRY_OPENS 1
#define GRZ_ENTRY_CLOSES 2
#define GRZ_ENTRY_FRONT 3
#define GRZ_ENTRY_BACK 4

// Counters of a map, then of a step (grz_particle_counts).
#define GRZ_COUNT_OVERFULL 0
#define GRZ_COUNT_MOVED 1
#define GRZ_COUNT_SKIPPED 2
#define GRZ_COUNT_BOUNCES 3
#define GRZ_COUNT_HIT 4
#define GRZ_COUNT_PUSHED 5
#define GRZ_COUNT_STOPPED 6
#define GRZ_COUNT_LISTED 7
#define GRZ_COUNT_WORDS 8

// grz_particle_hit_kind
#define GRZ_HIT_SURFACE 0
#define GRZ_HIT_EDGE 1
#define GRZ_HIT_PUSHED 2
#define GRZ_HIT_WORDS 12 // of a grz_particle_hit

// Of the model (docs/internals/particles.md); the twin in tests/ has the same numbers.
#define GRZ_STEEPEST 16.0      // the largest slope of a surface, in units of length across the view
#define GRZ_REST_SECONDS 0.001 // hops shorter than twice this are none: the particle slides
#define GRZ_REST_SPEED 1e-5    // and so are those with less than this part of the speed
#define GRZ_SAME_SURFACE 0.99  // cosine of two normals of the surface that a particle slides on
#define GRZ_NUDGE 0.015625     // pixels between a particle and the edge that it has bounced off
#define GRZ_SEARCH 4           // pixels around a particle inside something, searched for free space
#define GRZ_MOST_CONTACTS 32   // too slow for bounces, of a particle in a step; and four for each pixel that it passes

#endif
