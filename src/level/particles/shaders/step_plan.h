// SPDX-License-Identifier: MIT
// What the shaders of particles are told: the maps, and the step. As grz_particle_plan (particle_plan.h) has it.

struct View {
    vec4 column, row, depth;  // dot(xyz, p) + w for a point p relative to `origin`: in pixels, pixels, units of length
    vec4 right, up, forwards; // unit vectors in the world; the last w is the view's depth in units of length
};

struct Force {
    vec4 acceleration; // w: along the normal
    float reach;
    uint id, value, unused;
};

layout(std430, binding = GRZ_BIND_PARTICLE_PLAN) readonly buffer plan_buffer
{
    View views[GRZ_PARTICLE_VIEWS];
    vec4 origin;                    // of the box; w: unused
    vec4 acceleration;              // w: seconds of the step
    vec2 pixel[GRZ_PARTICLE_VIEWS]; // width and height of a pixel, in units of length
    float radius, thickness, restitution, friction;
    uint resolution, layers, view_count, sheets;
    uint record, count, stride, offset; // ids are there or not; of particles: number, words, words
    uint max_bounces, max_hits, force_count, most_work;
    Force forces[GRZ_PARTICLE_FORCES];
};
