// SPDX-License-Identifier: MIT
// Tells the shader what a step is, and gives it the particles: in a buffer of the caller's, or copied there and back.
#include "level/particles/particles_step.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/fail.h"
#include "gpu/dispatch.h"
#include "gpu/shaders/mesh_bindings.h"
#include "level/particles/particles_shaders.h"

static const grz_gl_program_source step_program = {"particles_step", {&grz_shader_particles_step_comp, NULL, NULL}};

enum {
    PARTICLE_BYTES = 8 * sizeof(float),
    // Turns of loops that a particle may take in a step. Mesa's llvmpipe ends all loops of a shader after 65,536 turns
    // of the invocations in a vector, of which it has eight with 256 bits.
    MOST_WORK_SOFTWARE = 7000,
    MOST_WORK = 200000
};

static uint64_t stride_of(const grz_particle_array *particles)
{
    return particles->stride != 0 ? particles->stride : PARTICLE_BYTES;
}

// Bytes from the first particle to the end of the last.
static uint64_t bytes_of(const grz_particle_array *particles)
{
    return particles->count > 0 ? (particles->count - 1) * stride_of(particles) + PARTICLE_BYTES : 0;
}

static grz_status check_buffer(const grz_particle_stepping *s)
{
    const grz_particle_array *particles = s->particles;
    const uint64_t needed = particles->offset + bytes_of(particles);
    GLint64 size = 0;
    GLint mapped = 0;
    if (glIsBuffer(particles->buffer) == GL_FALSE)
        return grz_fail(s->error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "particles: %u is not the name of a buffer in the device's context", particles->buffer);
    glGetNamedBufferParameteri64v(particles->buffer, GL_BUFFER_SIZE, &size);
    glGetNamedBufferParameteriv(particles->buffer, GL_BUFFER_MAPPED, &mapped);
    if ((uint64_t)size < needed)
        return grz_fail(s->error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "particles: the buffer has %lld bytes, the particles end at byte %llu", (long long)size,
                        (unsigned long long)needed);
    if (mapped != 0)
        return grz_fail(s->error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "particles: the buffer is mapped");
    return GRZ_OK;
}

// Bind the particles, and tell the plan where they are.
static grz_status bind_particles(const grz_particle_stepping *s)
{
    const grz_particle_array *particles = s->particles;
    const grz_gl_limits *limits = grz_gl_get_limits(s->gl);
    const uint64_t start = particles->offset - particles->offset % limits->storage_alignment;
    const uint64_t size = particles->offset - start + bytes_of(particles);
    grz_status status = GRZ_OK;
    if (size > limits->storage_block)
        return grz_fail(s->error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "particles: they take %llu bytes, a shader reads %llu on this device: move them in parts",
                        (unsigned long long)size, (unsigned long long)limits->storage_block);
    if (particles->buffer != 0) {
        status = check_buffer(s);
        if (status == GRZ_OK)
            glBindBufferRange(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_PARTICLES, particles->buffer, (GLintptr)start,
                              (GLsizeiptr)size);
    } else {
        status = grz_gl_buffer_reserve(s->gl, &s->maps->particles, size, "the particles", s->error);
        if (status == GRZ_OK) {
            glNamedBufferSubData(s->maps->particles.name, 0, (GLsizeiptr)size, particles->memory);
            glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_PARTICLES, s->maps->particles.name);
        }
    }
    s->maps->plan.count = (uint32_t)particles->count;
    s->maps->plan.stride = (uint32_t)(stride_of(particles) / sizeof(float));
    s->maps->plan.offset = (uint32_t)((particles->offset - start) / sizeof(float));
    return status;
}

static void plan_step(grz_particle_plan *plan, const grz_particle_step *step, bool software)
{
    for (int i = 0; i < 3; i++)
        plan->acceleration[i] = (float)step->acceleration[i];
    plan->seconds = (float)step->seconds;
    plan->restitution = (float)step->restitution;
    plan->friction = (float)step->friction;
    plan->max_bounces = step->max_bounces;
    plan->max_hits = (uint32_t)step->max_hits;
    plan->force_count = step->force_count;
    plan->most_work = software ? MOST_WORK_SOFTWARE : MOST_WORK;
    for (uint32_t i = 0; i < step->force_count; i++) {
        const grz_particle_force *force = &step->forces[i];
        grz_particle_plan_force *out = &plan->forces[i];
        *out = (grz_particle_plan_force){.along_normal = (float)force->along_normal,
                                         .reach = force->reach < 1e30 ? (float)force->reach : 1e30f,
                                         .id = force->id,
                                         .value = force->value};
        for (int j = 0; j < 3; j++)
            out->acceleration[j] = (float)force->acceleration[j];
    }
}

static grz_status bind_hits(const grz_particle_stepping *s)
{
    const uint64_t most = s->step->max_hits, bytes = (most > 0 ? most : 1) * sizeof(grz_particle_hit);
    static_assert(sizeof(grz_particle_hit) == GRZ_HIT_WORDS * sizeof(uint32_t), "as the shader has it");
    if (bytes > grz_gl_get_limits(s->gl)->storage_block)
        return grz_fail(s->error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "particles: %llu hits are more than a shader can list on this device",
                        (unsigned long long)most);
    const grz_status status = grz_gl_buffer_reserve(s->gl, &s->maps->hits, bytes, "the hits", s->error);
    if (status == GRZ_OK)
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, GRZ_BIND_PARTICLE_HITS, s->maps->hits.name);
    return status;
}

grz_status grz_particles_move(const grz_particle_stepping *s, grz_particle_counts *counts)
{
    static const grz_particle_counts none;
    static_assert(sizeof(grz_particle_counts) == GRZ_COUNT_WORDS * sizeof(uint32_t), "as the shader has it");
    GLuint program;
    if (counts != NULL)
        *counts = none;
    if (s->particles->count == 0)
        return GRZ_OK;
    plan_step(&s->maps->plan, s->step, grz_gl_get_limits(s->gl)->software);
    grz_status status = grz_gl_program(s->gl, &step_program, &program, s->error);
    if (status == GRZ_OK)
        status = bind_particles(s);
    if (status == GRZ_OK)
        status = bind_hits(s);
    if (status == GRZ_OK)
        status = grz_particle_maps_tell(s->gl, s->maps, s->error);
    if (status != GRZ_OK)
        return status;
    glNamedBufferSubData(s->maps->counts.name, 0, sizeof none, &none);
    glUseProgram(program);
    status =
        grz_dispatch_groups(s->gl, s->control, (s->particles->count + GRZ_DISPATCH_GROUP - 1) / GRZ_DISPATCH_GROUP);
    glMemoryBarrier(GL_ALL_BARRIER_BITS); // the caller may draw the particles
    if (status != GRZ_OK)
        return status;
    if (s->particles->buffer == 0)
        glGetNamedBufferSubData(s->maps->particles.name, 0, (GLsizeiptr)bytes_of(s->particles), s->particles->memory);
    if (counts != NULL)
        glGetNamedBufferSubData(s->maps->counts.name, 0, sizeof *counts, counts);
    return grz_gl_check(s->gl, s->error);
}

static int in_order(const void *a, const void *b)
{
    const grz_particle_hit *x = a, *y = b;
    if (x->particle != y->particle)
        return x->particle < y->particle ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

void grz_particles_read_hits(const grz_particle_maps *maps, uint32_t count, grz_particle_hit *hits)
{
    if (count == 0)
        return;
    glGetNamedBufferSubData(maps->hits.name, 0, (GLsizeiptr)(count * sizeof *hits), hits);
    qsort(hits, count, sizeof *hits, in_order); // shaders append in any order
}
