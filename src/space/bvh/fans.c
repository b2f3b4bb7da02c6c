// SPDX-License-Identifier: MIT
// Makes the fan names of a mesh. The corners of all triangles are grouped by vertex (counting sort); then the fans are
// judged in blocks, on the device's threads. Large ones that are not clear become hubs. If some fans are large, each
// node of the tree learns which names all its triangles have in common.
#include "space/bvh/fans.h"

#include <assert.h>
#include <string.h>

#include "base/control.h"
#include "base/device.h"
#include "mesh/clear_memory.h"
#include "space/bvh/fan_large.h"
#include "space/bvh/hubs.h"

enum {
    BLOCK = 1 << 12, // vertices of a task
    LOOK_BITS = 11,  // triangles between two checks of the control, as a power of two
    READ_BEYOND = 3  // numbers behind the arrays' ends: a fan's corners are read four at a time
};

// What the tasks need.
typedef struct fan_work {
    const grz_mesh *mesh;
    grz_control *control;
    grz_fan_judge *judge;
    uint32_t *names;
    uint32_t *starts; // vertex_count + 1 numbers
    uint32_t *after, *before;
    size_t corner_count;
    atomic_bool has_large; // some clear fan has more than GRZ_FAN_SMALL triangles
    atomic_bool has_hubs;
} fan_work;

static void release_corners(const grz_allocator *allocator, const fan_work *work)
{
    grz_release(allocator, work->starts, (size_t)work->mesh->vertex_count + 1, sizeof *work->starts);
    grz_release(allocator, work->after, work->corner_count + READ_BEYOND, sizeof *work->after);
    grz_release(allocator, work->before, work->corner_count + READ_BEYOND, sizeof *work->before);
}

// Count the corners of each name; `starts` receives where each name's corners end. False: the control says to end.
static bool count_corners(const fan_work *work)
{
    const grz_mesh *mesh = work->mesh;
    if (!grz_clear_memory(work->starts, ((size_t)mesh->vertex_count + 1) * sizeof *work->starts, work->control))
        return false;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *triangle = mesh->triangles + 3 * (size_t)i;
        if (grz_control_expired_at(work->control, i, LOOK_BITS))
            return false;
        work->starts[work->names[triangle[0]]]++;
        work->starts[work->names[triangle[1]]]++;
        work->starts[work->names[triangle[2]]]++;
    }
    uint32_t total = 0; // corners so far
    for (uint32_t v = 0; v <= mesh->vertex_count; v++) {
        const uint32_t count = work->starts[v];
        work->starts[v] = total += count;
    }
    assert(total == work->corner_count);
    return true;
}

// Store the corners, each name's from its end downwards. Afterwards `starts` holds where they begin. False: the control
// says to end.
static bool put_corners(const fan_work *work)
{
    for (uint32_t i = 0; i < work->mesh->triangle_count; i++) {
        const uint32_t *triangle = work->mesh->triangles + 3 * (size_t)i;
        const uint32_t a = work->names[triangle[0]], b = work->names[triangle[1]], c = work->names[triangle[2]];
        if (grz_control_expired_at(work->control, i, LOOK_BITS))
            return false;
        const uint32_t at_a = --work->starts[a], at_b = --work->starts[b], at_c = --work->starts[c];
        work->after[at_a] = work->before[at_c] = b;
        work->after[at_b] = work->before[at_a] = c;
        work->after[at_c] = work->before[at_b] = a;
    }
    assert(work->starts[0] == 0 && work->starts[work->mesh->vertex_count] == work->corner_count);
    memset(work->after + work->corner_count, 0, READ_BEYOND * sizeof *work->after);
    memset(work->before + work->corner_count, 0, READ_BEYOND * sizeof *work->before);
    return true;
}

static void judge_block(size_t block, void *context)
{
    fan_work *work = context;
    const uint32_t first = (uint32_t)block * BLOCK, rest = work->mesh->vertex_count - first;
    const uint32_t end = first + (rest < BLOCK ? rest : BLOCK);
    const grz_fan_corners corners = {work->mesh->positions, work->starts, work->after, work->before};
    if (grz_control_expired(work->control))
        return;
    work->judge(&corners, first, end, work->names);
    for (uint32_t vertex = first; vertex < end; vertex++) {
        const uint32_t count = work->starts[vertex + 1] - work->starts[vertex];
        if (count <= GRZ_FAN_SMALL) // only the vertex whose number is the name has corners here
            continue;
        if (grz_fan_large_is_clear(&corners, vertex, work->control)) {
            work->names[vertex] = vertex;
            atomic_store_explicit(&work->has_large, true, memory_order_relaxed);
        } else if (count > GRZ_HUB_LEAST) {
            work->names[vertex] = vertex | GRZ_FAN_HUB;
            atomic_store_explicit(&work->has_hubs, true, memory_order_relaxed);
        }
    }
}

static bool judge_fans(fan_work *work)
{
    if (!count_corners(work) || !put_corners(work))
        return false;
    grz_parallel(work->mesh->device, (work->mesh->vertex_count - 1) / BLOCK + 1, judge_block, work);
    if (grz_control_expired(work->control))
        return false;
    // Vertices with one name share its verdict. The vertex whose number is the name comes before them.
    const uint32_t *identity = work->mesh->identity;
    for (uint32_t v = 0; identity != NULL && v < work->mesh->vertex_count; v++)
        work->names[v] = grz_mesh_representative(work->mesh, v) != v ? work->names[identity[v]] : work->names[v];
    return true;
}

// Without memory for hubs there are none.
static void forget_hub_names(const grz_mesh *mesh, uint32_t *names)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        names[v] = grz_fan_is_hub(names[v]) ? GRZ_FAN_UNCLEAR : names[v];
}

// What is learnt about the fans of a mesh.
typedef struct fan_set {
    uint32_t *names;
    grz_hubs *hubs; // NULL: there are none
    bool has_large; // clear fans or hubs
} fan_set;

static fan_set make_fans(const grz_mesh *mesh, grz_control *control)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    fan_work work = {.mesh = mesh,
                     .control = control,
                     .judge = grz_fan_judge_for(grz_device_simd(mesh->device)),
                     .corner_count = 3 * (size_t)mesh->triangle_count};
    fan_set set = {.names = NULL};
    if (work.corner_count >= GRZ_FAN_NOBODY || mesh->vertex_count >= GRZ_FAN_HUB - 2)
        return set;
    work.names = grz_allocate(allocator, mesh->vertex_count, sizeof *work.names);
    work.starts = grz_allocate(allocator, (size_t)mesh->vertex_count + 1, sizeof *work.starts);
    work.after = grz_allocate(allocator, work.corner_count + READ_BEYOND, sizeof *work.after);
    work.before = grz_allocate(allocator, work.corner_count + READ_BEYOND, sizeof *work.before);
    bool made = work.names != NULL && work.starts != NULL && work.after != NULL && work.before != NULL;
    for (uint32_t v = 0; made && v < mesh->vertex_count; v++)
        work.names[v] = grz_mesh_representative(mesh, v);
    atomic_init(&work.has_large, false);
    atomic_init(&work.has_hubs, false);
    made = made && judge_fans(&work);
    release_corners(allocator, &work);
    if (made && atomic_load(&work.has_hubs)) {
        set.hubs = grz_hubs_make(mesh, work.names, control);
        made = !grz_control_expired(control);
        if (set.hubs == NULL)
            forget_hub_names(mesh, work.names);
    }
    if (!made) {
        grz_hubs_finish(set.hubs, allocator);
        grz_release(allocator, work.names, mesh->vertex_count, sizeof *work.names);
        return (fan_set){.names = NULL};
    }
    set.names = work.names;
    set.has_large = atomic_load(&work.has_large) || set.hubs != NULL;
    return set;
}

// The names of a triangle's corners, clear ones and hubs.
static grz_fan_names names_of_triangle(const grz_mesh *mesh, const uint32_t *names, uint32_t triangle)
{
    const uint32_t *corners = mesh->triangles + 3 * (size_t)triangle;
    return (grz_fan_names){{names[corners[0]], names[corners[1]], names[corners[2]]}};
}

// The names that all triangles below each node have in common. NULL: there is no memory.
static grz_fan_names *make_common(const grz_bvh *bvh, const grz_mesh *mesh, const uint32_t *names,
                                  const grz_allocator *allocator)
{
    grz_fan_names *common = grz_allocate(allocator, bvh->node_count, sizeof *common);
    for (uint32_t n = bvh->node_count; common != NULL && n-- > 0;) {
        const uint32_t *children = bvh->nodes[n].child;
        for (int k = 0; k < GRZ_BVH_WIDTH && children[k] != GRZ_BVH_NONE; k++) {
            const bool triangle = grz_bvh_is_triangle(children[k]);
            assert(triangle || children[k] > n); // each node comes before its children
            const grz_fan_names child =
                triangle ? names_of_triangle(mesh, names, grz_bvh_triangle(children[k])) : common[children[k]];
            if (k == 0)
                common[n] = child;
            for (int i = 0; i < 3; i++)
                if (!grz_fan_names_have(&child, common[n].names[i]))
                    common[n].names[i] = GRZ_FAN_UNCLEAR;
        }
    }
    return common;
}

const uint32_t *grz_bvh_fans(const grz_bvh *shared, const grz_mesh *mesh, bool make, grz_control *control)
{
    // As for slabs (slabs.c): what is learnt about a tree is not part of its value, so a const tree may gain it. While
    // one thread makes the names, other threads go on without them.
    grz_bvh *bvh = (grz_bvh *)shared;
    uint32_t *names = atomic_load_explicit(&bvh->fans, memory_order_acquire);
    if (names != NULL || !make || atomic_exchange_explicit(&bvh->judging, true, memory_order_acquire))
        return names;
    names = atomic_load_explicit(&bvh->fans, memory_order_relaxed);
    if (names == NULL) {
        const fan_set set = make_fans(mesh, control);
        names = set.names;
        bvh->fan_count = mesh->vertex_count;
        bvh->fan_hubs = set.hubs;
        if (set.has_large)
            bvh->fan_nodes = make_common(bvh, mesh, names, grz_control_allocator(control));
        atomic_store_explicit(&bvh->fans, names, memory_order_release);
    }
    atomic_store_explicit(&bvh->judging, false, memory_order_release);
    return names;
}

void grz_bvh_forget_fans(grz_bvh *bvh, const grz_allocator *allocator)
{
    grz_release(allocator, atomic_load_explicit(&bvh->fans, memory_order_relaxed), bvh->fan_count, sizeof(uint32_t));
    atomic_store_explicit(&bvh->fans, NULL, memory_order_relaxed);
    grz_release(allocator, bvh->fan_nodes, bvh->node_count, sizeof *bvh->fan_nodes);
    bvh->fan_nodes = NULL;
    grz_hubs_finish(bvh->fan_hubs, allocator);
    bvh->fan_hubs = NULL;
}

grz_fan_judge *grz_fan_judge_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, grz_fan_judge);
}
