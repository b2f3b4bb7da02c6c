// SPDX-License-Identifier: MIT
// The corners of all triangles are laid out by the vertex they lie at, by counting; then fans are judged in blocks, on the device's
// threads.
#include "space/bvh_fans.h"

#include <string.h>

#include "base/device.h"
#include "mesh/clear_memory.h"

enum {
    BLOCK = 1 << 12, // vertices of a task
    LOOK_BITS = 11,  // triangles between two looks at the control, as a power of two
    READ_BEYOND = 3  // a fan's corners are read four by four
};

typedef struct fans {
    const grz_mesh *mesh;
    grz_control *control;
    grz_fan_judge *judge;
    uint32_t *names;
    uint32_t *starts; // vertex_count + 1
    uint32_t *after, *before;
    size_t corner_count;
} fans;

static void release_corners(const grz_allocator *allocator, const fans *f)
{
    grz_release(allocator, f->starts, (size_t)f->mesh->vertex_count + 1, sizeof *f->starts);
    grz_release(allocator, f->after, f->corner_count + READ_BEYOND, sizeof *f->after);
    grz_release(allocator, f->before, f->corner_count + READ_BEYOND, sizeof *f->before);
}

// False: the control says to end.
static bool count_corners(const fans *f)
{
    const grz_mesh *mesh = f->mesh;
    if (!grz_clear_memory(f->starts, ((size_t)mesh->vertex_count + 1) * sizeof *f->starts, f->control))
        return false;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *triangle = mesh->triangles + 3 * (size_t)i;
        if (grz_control_expired_at(f->control, i, LOOK_BITS))
            return false;
        f->starts[f->names[triangle[0]]]++;
        f->starts[f->names[triangle[1]]]++;
        f->starts[f->names[triangle[2]]]++;
    }
    uint32_t total = 0;
    for (uint32_t v = 0; v <= mesh->vertex_count; v++) {
        const uint32_t count = f->starts[v];
        f->starts[v] = total += count;
    }
    return true;
}

// Put the corners from their runs' ends down, which leaves each start where it belongs. False: the control says to end.
static bool put_corners(const fans *f)
{
    for (uint32_t i = 0; i < f->mesh->triangle_count; i++) {
        const uint32_t *triangle = f->mesh->triangles + 3 * (size_t)i;
        const uint32_t a = f->names[triangle[0]], b = f->names[triangle[1]], c = f->names[triangle[2]];
        if (grz_control_expired_at(f->control, i, LOOK_BITS))
            return false;
        const uint32_t at_a = --f->starts[a], at_b = --f->starts[b], at_c = --f->starts[c];
        f->after[at_a] = f->before[at_c] = b;
        f->after[at_b] = f->before[at_a] = c;
        f->after[at_c] = f->before[at_b] = a;
    }
    memset(f->after + f->corner_count, 0, READ_BEYOND * sizeof *f->after);
    memset(f->before + f->corner_count, 0, READ_BEYOND * sizeof *f->before);
    return true;
}

static void judge_block(size_t block, void *context)
{
    const fans *f = context;
    const uint32_t first = (uint32_t)block * BLOCK, rest = f->mesh->vertex_count - first;
    const grz_fan_corners corners = {f->mesh->positions, f->starts, f->after, f->before};
    if (!grz_control_expired(f->control))
        f->judge(&corners, first, first + (rest < BLOCK ? rest : BLOCK), f->names);
}

static bool judge_fans(fans *f)
{
    if (!count_corners(f) || !put_corners(f))
        return false;
    grz_parallel(f->mesh->device, (f->mesh->vertex_count - 1) / BLOCK + 1, judge_block, f);
    if (grz_control_expired(f->control))
        return false;
    // Vertices of one name share its verdict. The one that it is the number of comes first.
    const uint32_t *identity = f->mesh->identity;
    for (uint32_t v = 0; identity != NULL && v < f->mesh->vertex_count; v++)
        f->names[v] = grz_mesh_vertex_name(f->mesh, v) != v ? f->names[identity[v]] : f->names[v];
    return true;
}

static uint32_t *make_fans(const grz_mesh *mesh, grz_control *control)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    fans f = {.mesh = mesh,
              .control = control,
              .judge = grz_fan_judge_for(grz_device_simd(mesh->device)),
              .corner_count = 3 * (size_t)mesh->triangle_count};
    if (f.corner_count >= GRZ_FAN_NOBODY || mesh->vertex_count >= GRZ_FAN_NOBODY)
        return NULL;
    f.names = grz_allocate(allocator, mesh->vertex_count, sizeof *f.names);
    f.starts = grz_allocate(allocator, (size_t)mesh->vertex_count + 1, sizeof *f.starts);
    f.after = grz_allocate(allocator, f.corner_count + READ_BEYOND, sizeof *f.after);
    f.before = grz_allocate(allocator, f.corner_count + READ_BEYOND, sizeof *f.before);
    bool made = f.names != NULL && f.starts != NULL && f.after != NULL && f.before != NULL;
    for (uint32_t v = 0; made && v < mesh->vertex_count; v++)
        f.names[v] = grz_mesh_vertex_name(mesh, v);
    made = made && judge_fans(&f);
    release_corners(allocator, &f);
    if (!made)
        grz_release(allocator, f.names, mesh->vertex_count, sizeof *f.names);
    return made ? f.names : NULL;
}

const uint32_t *grz_bvh_fans(const grz_bvh *shared, const grz_mesh *mesh, bool make, grz_control *control)
{
    // As with slabs (bvh_slabs.c): a const tree may gain what has been learnt of it, and while one thread is at it others do without.
    grz_bvh *bvh = (grz_bvh *)shared;
    uint32_t *names = atomic_load_explicit(&bvh->fans, memory_order_acquire);
    if (names != NULL || !make || atomic_exchange_explicit(&bvh->judging, true, memory_order_acquire))
        return names;
    names = atomic_load_explicit(&bvh->fans, memory_order_relaxed);
    if (names == NULL) {
        names = make_fans(mesh, control);
        bvh->fan_count = mesh->vertex_count;
        atomic_store_explicit(&bvh->fans, names, memory_order_release);
    }
    atomic_store_explicit(&bvh->judging, false, memory_order_release);
    return names;
}

void grz_bvh_forget_fans(grz_bvh *bvh, const grz_allocator *allocator)
{
    grz_release(allocator, atomic_load_explicit(&bvh->fans, memory_order_relaxed), bvh->fan_count, sizeof(uint32_t));
    atomic_store_explicit(&bvh->fans, NULL, memory_order_relaxed);
}
