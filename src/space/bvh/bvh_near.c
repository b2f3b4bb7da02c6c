// SPDX-License-Identifier: MIT
// If a mesh deforms from query to query, and the other object is a small tool that touches few triangles, refitting the
// whole hierarchy is most of the work. This file avoids it:
//   1. For each vertex, find on which sides of the clip box it lies (outcodes, from Cohen and Sutherland's line
//   clipping).
//   2. Keep the triangles whose corners are not all beyond one side.
//   3. Sort them along a Morton curve (G. M. Morton, 1966), pack eight to a node, and walk this tree as any other.
// World positions are computed as in grz_world_position(), so no triangle that meets the box is left out.
#include "space/bvh/bvh_near.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/control.h"
#include "base/sort/number_sort.h"
#include "geometry/point_stream.h"
#include "space/bvh/bvh_parts.h"
#include "space/morton.h"

enum {
    FEWER = 16,          // the other mesh must have so many times fewer triangles
    AVOIDED_QUERIES = 4, // queries without a refit after new positions; a refit takes as long as so many passes
    NEAR_SHARE = 8,      // at most one in so many triangles may be near,
    NEAR_MOST = 1 << 12, // and at most so many in total; else this tree takes too long to make
    GROUP = 64,          // vertices; see grz_sides
    LOOK_BITS = 13       // vertices or triangles between two checks of the control, as a power of two
};

bool grz_bvh_near_pays(const grz_mesh *mesh, uint32_t other_triangle_count)
{
    uint32_t avoided;
    return other_triangle_count <= mesh->triangle_count / FEWER &&
           grz_mesh_slot_is_stale(mesh, &grz_bvh_slot_type, &avoided) && avoided < AVOIDED_QUERIES;
}

// The outcode of each vertex: the sides of the box beyond which it lies. For each GROUP of vertices, the sides that all
// of them have in common.
typedef struct grz_sides {
    uint8_t *of_vertex, *of_group;
    size_t vertex_count, group_count;
} grz_sides;

// Compute the outcodes of all vertices and groups. False: the control says to end.
static bool mark_sides(const grz_object *object, const grz_box *clip, grz_simd simd, grz_control *control,
                       grz_sides *sides)
{
    const grz_point_stream *stream = grz_point_stream_for(simd);
    for (size_t first = 0, count; first < sides->vertex_count; first += count) {
        count = sides->vertex_count - first < GROUP ? sides->vertex_count - first : GROUP;
        if (grz_control_expired_at(control, first, LOOK_BITS))
            return false;
        stream->outcodes(&object->pose, clip, object->mesh->positions + first * 3, count, sides->of_vertex + first);
        uint8_t common = UINT8_MAX;
        for (size_t i = first; i < first + count; i++)
            common &= sides->of_vertex[i];
        sides->of_group[first / GROUP] = common;
    }
    return true;
}

// True if all triangles of a run are certainly beyond one side, judged by groups of vertices.
static bool run_is_far(const grz_sides *sides, const grz_vertex_range *run)
{
    uint8_t common = UINT8_MAX;
    for (uint32_t group = run->first / GROUP; group <= run->last / GROUP && common != 0; group++)
        common &= sides->of_group[group];
    return common != 0;
}

// List the triangles whose corners have no side in common. `near` has room for one run (GRZ_RUN) more than `limit`.
// Returns their number. More than `limit` means: too many, or the control says to end.
static uint32_t list_near(const grz_mesh *mesh, const grz_sides *sides, grz_control *control, uint32_t *near,
                          uint32_t limit)
{
    const uint32_t run_count = grz_mesh_run_count(mesh);
    const uint8_t *codes = sides->of_vertex;
    uint32_t count = 0;
    for (uint32_t run = 0; run < run_count && count <= limit; run++) {
        if (grz_control_expired_at(control, (size_t)run * GRZ_RUN, LOOK_BITS))
            return limit + 1;
        if (run_is_far(sides, &mesh->runs[run]))
            continue;
        const uint32_t first = run * GRZ_RUN, rest = mesh->triangle_count - first,
                       end = first + (rest < GRZ_RUN ? rest : GRZ_RUN);
        const uint32_t *corner = mesh->triangles + (size_t)first * 3;
        for (uint32_t t = first; t < end; t++, corner += 3) {
            near[count] = t;
            count += (codes[corner[0]] & codes[corner[1]] & codes[corner[2]]) == 0;
        }
    }
    return count;
}

// Sort the triangles along a Morton curve. `keys` has room for 2 × count numbers. False: the control says to end.
static bool put_in_order(const grz_bvh *bvh, const grz_mesh *mesh, grz_control *control, uint32_t *near, uint32_t count,
                         uint64_t *keys)
{
    for (uint32_t i = 0; i < count; i++) {
        const double *p = grz_mesh_position(mesh, mesh->triangles[(size_t)near[i] * 3]);
        double x[4]; // each between about -2 and 2
        uint32_t code = 0;
        assert(near[i] < mesh->triangle_count);
        if (bvh->turned)
            grz_bvh_turned_position(bvh, p, x);
        else
            for (int axis = 0; axis < 3; axis++)
                x[axis] = (p[axis] - bvh->origin[axis]) * bvh->scale;
        for (int axis = 0; axis < 3; axis++)
            code |= grz_morton_spread((uint32_t)((fmin(fmax(x[axis], -2.0), 2.0) + 2.0) * 255.75)) << axis;
        keys[i] = (uint64_t)code << 32 | near[i];
    }
    if (!grz_sort_numbers(keys, keys + count, count, control))
        return false;
    for (uint32_t i = 0; i < count; i++)
        near[i] = (uint32_t)keys[i];
    return true;
}

// Set the children of one level's nodes, eight to a node: `count` triangles if `triangles` is not NULL, else the nodes
// `first`, first + 1, …
static void set_children(grz_bvh_node *nodes, uint32_t node_count, const uint32_t *triangles, uint32_t first,
                         uint32_t count)
{
    for (uint32_t n = 0; n < node_count; n++) {
        grz_bvh_node *node = &nodes[n];
        for (uint32_t i = 0; i < GRZ_BVH_WIDTH; i++) {
            const uint32_t at = n * GRZ_BVH_WIDTH + i;
            node->child[i] = at >= count         ? GRZ_BVH_NONE
                             : triangles != NULL ? GRZ_BVH_TRIANGLE | triangles[at]
                                                 : first + at;
            for (int axis = 0; axis < 3; axis++) {
                node->bounds[0][axis][i] = HUGE_VALF;
                node->bounds[1][axis][i] = -HUGE_VALF;
            }
        }
    }
}

static uint32_t eighth(uint32_t count)
{
    return count > GRZ_BVH_WIDTH ? (count - 1) / GRZ_BVH_WIDTH + 1 : 1;
}

// Build the nodes over sorted triangles, level by level from the bottom; the root comes first in memory. Then compute
// the boxes. False: there is no memory, or the control says to end.
static bool pack(grz_bvh *bvh, const grz_mesh *mesh, grz_control *control, const uint32_t *triangles, uint32_t count)
{
    uint32_t total = 1;
    for (uint32_t size = eighth(count); size > 1; size = eighth(size))
        total += size;
    if (!grz_bvh_reserve(bvh, grz_control_allocator(control), total))
        return false;
    bvh->node_count = total;
    bvh->triangle_count = count;
    uint32_t size = eighth(count), first = total - size;
    assert(size <= total);
    set_children(bvh->nodes + first, size, triangles, 0, count);
    while (first > 0) {
        const uint32_t below = size;
        size = eighth(below);
        set_children(bvh->nodes + first - size, size, NULL, first, below);
        first -= size;
    }
    assert(size == 1); // the root
    return grz_bvh_refit(bvh, mesh, control);
}

// Working memory, in one block.
typedef struct grz_near_room {
    uint64_t *keys;  // 2 × limit
    uint32_t *near;  // limit + GRZ_RUN
    grz_sides sides; // its arrays follow in the block
    uint32_t limit;  // the most triangles
    size_t size;
} grz_near_room;

static bool room_init(grz_near_room *room, const grz_mesh *mesh, const grz_allocator *allocator)
{
    const uint32_t share = mesh->triangle_count / NEAR_SHARE, limit = share < NEAR_MOST ? share : NEAR_MOST;
    const size_t key_size = (size_t)limit * 2 * sizeof *room->keys,
                 near_size = ((size_t)limit + GRZ_RUN) * sizeof *room->near;
    room->limit = limit;
    room->sides.vertex_count = mesh->vertex_count;
    room->sides.group_count = (size_t)mesh->vertex_count / GROUP + 1;
    room->size = key_size + near_size + room->sides.vertex_count + room->sides.group_count;
    room->keys = grz_allocate(allocator, room->size, 1);
    if (room->keys == NULL)
        return false;
    room->near = (uint32_t *)((char *)room->keys + key_size);
    room->sides.of_vertex = (uint8_t *)room->keys + key_size + near_size;
    room->sides.of_group = room->sides.of_vertex + room->sides.vertex_count;
    return true;
}

grz_bvh *grz_bvh_near(const grz_object *object, const grz_box *clip, grz_simd simd, grz_control *control)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const grz_mesh *mesh = object->mesh;
    grz_near_room room;
    grz_bvh *bvh = grz_allocate_zeroed(allocator, 1, sizeof *bvh);
    bool made = false;
    if (bvh != NULL && room_init(&room, mesh, allocator)) {
        if (mark_sides(object, clip, simd, control, &room.sides)) {
            const uint32_t count = list_near(mesh, &room.sides, control, room.near, room.limit);
            if (count <= room.limit)
                grz_bvh_choose_axes(bvh, mesh, room.near, count);
            made = count <= room.limit && put_in_order(bvh, mesh, control, room.near, count, room.keys) &&
                   pack(bvh, mesh, control, room.near, count);
        }
        grz_release(allocator, room.keys, room.size, 1);
    }
    if (made) {
        grz_mesh_slot_count_avoided(mesh, &grz_bvh_slot_type);
        return bvh;
    }
    if (bvh != NULL)
        grz_bvh_finish(bvh, allocator);
    return NULL;
}

void grz_bvh_near_finish(grz_bvh *bvh, grz_control *control)
{
    if (bvh != NULL)
        grz_bvh_finish(bvh, grz_control_allocator(control));
}
