// SPDX-License-Identifier: MIT
// Where a mesh moves from query to query, bringing its whole hierarchy up to date for a small tool that touches a few triangles is
// most of the work. Here instead: on which sides of the box in question each vertex lies (outcodes: I. E. Sutherland and D. Cohen's
// clipping), then the triangles whose corners are not all beyond one side. They are put in order along a curve through space
// (G. M. Morton, 1966), eight to a node, and walked as any hierarchy. World positions are computed as grz_world_position() does, so
// nothing that meets the box is left out.
#include "space/bvh_near.h"

#include <math.h>
#include <string.h>

#include "base/number_sort.h"
#include "geometry/point_stream.h"
#include "space/bvh_parts.h"
#include "space/morton.h"

enum {
    FEWER = 16,          // times fewer triangles has the small mesh
    SPARED_QUERIES = 4,  // for new positions: a refit takes as long as this many passes
    NEAR_SHARE = 8,      // of the triangles at most one in so many may be near,
    NEAR_MOST = 1 << 12, // and so many in all, or the hierarchy made here would be long in the making
    GROUP = 64,          // vertices
    LOOK_BITS = 13       // vertices or triangles between two looks at the control, as a power of two
};

bool grz_bvh_near_pays(const grz_job *job, const grz_mesh *mesh)
{
    uint32_t spared;
    if (job->b == NULL)
        return false;
    const grz_mesh *other = mesh == job->a->mesh ? job->b->mesh : job->a->mesh;
    return other->triangle_count <= mesh->triangle_count / FEWER && grz_mesh_slot_is_stale(mesh, GRZ_SLOT_BVH, &spared) &&
           spared < SPARED_QUERIES;
}

// On which sides of the box vertices lie, and for each GROUP of them the sides that they have in common.
typedef struct grz_sides {
    uint8_t *of_vertex, *of_group;
    size_t vertex_count, group_count;
} grz_sides;

// Mark the sides of all vertices. False: the control says to end.
static bool mark_sides(const grz_job *job, const grz_object *object, grz_simd simd, grz_control *control, grz_sides *sides)
{
    const grz_point_stream *stream = grz_point_stream_for(simd);
    for (size_t first = 0, count; first < sides->vertex_count; first += count) {
        count = sides->vertex_count - first < GROUP ? sides->vertex_count - first : GROUP;
        if (grz_control_expired_at(control, first, LOOK_BITS))
            return false;
        stream->outcodes(&object->pose, &job->clip, object->mesh->positions + first * 3, count, sides->of_vertex + first);
        uint8_t common = UINT8_MAX;
        for (size_t i = first; i < first + count; i++)
            common &= sides->of_vertex[i];
        sides->of_group[first / GROUP] = common;
    }
    return true;
}

// Whether all triangles of a run lie beyond one side, as far as groups of vertices tell.
static bool run_is_far(const grz_sides *sides, const grz_vertex_range *run)
{
    uint8_t common = UINT8_MAX;
    for (uint32_t group = run->first / GROUP; group <= run->last / GROUP && common != 0; group++)
        common &= sides->of_group[group];
    return common != 0;
}

// List the triangles whose corners have no side in common; there is room for a run more than `limit`. Returns how many there are;
// more than `limit`: too many, or the control says to end.
static uint32_t list_near(const grz_mesh *mesh, const grz_sides *sides, grz_control *control, uint32_t *near, uint32_t limit)
{
    const uint32_t run_count = grz_mesh_run_count(mesh);
    const uint8_t *codes = sides->of_vertex;
    uint32_t count = 0;
    for (uint32_t run = 0; run < run_count && count <= limit; run++) {
        if (grz_control_expired_at(control, (size_t)run * GRZ_RUN, LOOK_BITS))
            return limit + 1;
        if (run_is_far(sides, &mesh->runs[run]))
            continue;
        const uint32_t first = run * GRZ_RUN, rest = mesh->triangle_count - first, end = first + (rest < GRZ_RUN ? rest : GRZ_RUN);
        const uint32_t *corner = mesh->triangles + (size_t)first * 3;
        for (uint32_t t = first; t < end; t++, corner += 3) {
            near[count] = t;
            count += (codes[corner[0]] & codes[corner[1]] & codes[corner[2]]) == 0;
        }
    }
    return count;
}

// Triangles in order along the curve; `keys` has room for twice as many.
static bool put_in_order(const grz_bvh *bvh, const grz_mesh *mesh, grz_control *control, uint32_t *near, uint32_t count,
                         uint64_t *keys)
{
    for (uint32_t i = 0; i < count; i++) {
        const double *p = grz_mesh_position(mesh, mesh->triangles[(size_t)near[i] * 3]);
        uint32_t code = 0;
        for (int axis = 0; axis < 3; axis++) {
            const double x = (p[axis] - bvh->origin[axis]) * bvh->scale; // about -2 to 2
            code |= grz_morton_spread((uint32_t)((fmin(fmax(x, -2.0), 2.0) + 2.0) * 255.75)) << axis;
        }
        keys[i] = (uint64_t)code << 32 | near[i];
    }
    if (!grz_sort_numbers(keys, keys + count, count, control))
        return false;
    for (uint32_t i = 0; i < count; i++)
        near[i] = (uint32_t)keys[i];
    return true;
}

// Children of the nodes of a level: `count` things from number `first` on, eight to a node.
static void set_children(grz_bvh_node *nodes, uint32_t node_count, const uint32_t *triangles, uint32_t first, uint32_t count)
{
    for (uint32_t n = 0; n < node_count; n++) {
        grz_bvh_node *node = &nodes[n];
        for (uint32_t i = 0; i < GRZ_BVH_WIDTH; i++) {
            const uint32_t at = n * GRZ_BVH_WIDTH + i;
            node->child[i] = at >= count ? GRZ_BVH_NONE : triangles != NULL ? GRZ_BVH_TRIANGLE | triangles[at] : first + at;
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

// Nodes over triangles in their order, level by level, the root first. False where memory is short, or the control says to end.
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
    set_children(bvh->nodes + first, size, triangles, 0, count);
    while (first > 0) {
        const uint32_t below = size;
        size = eighth(below);
        set_children(bvh->nodes + first - size, size, NULL, first, below);
        first -= size;
    }
    return grz_bvh_refit(bvh, mesh, control);
}

// What is needed only while the hierarchy is made, in one block.
typedef struct grz_near_room {
    uint64_t *keys;  // 2 × limit
    uint32_t *near;  // limit + GRZ_RUN
    grz_sides sides; // behind them
    uint32_t limit;  // of triangles
    size_t size;
} grz_near_room;

static bool room_init(grz_near_room *room, const grz_mesh *mesh, const grz_allocator *allocator)
{
    const uint32_t share = mesh->triangle_count / NEAR_SHARE, limit = share < NEAR_MOST ? share : NEAR_MOST;
    const size_t key_size = (size_t)limit * 2 * sizeof *room->keys, near_size = ((size_t)limit + GRZ_RUN) * sizeof *room->near;
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

grz_bvh *grz_bvh_near(const grz_job *job, const grz_object *object, grz_simd simd, grz_control *control)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const grz_mesh *mesh = object->mesh;
    grz_near_room room;
    grz_bvh *bvh = grz_allocate_zeroed(allocator, 1, sizeof *bvh);
    bool made = false;
    if (bvh != NULL && room_init(&room, mesh, allocator)) {
        if (mark_sides(job, object, simd, control, &room.sides)) {
            const uint32_t count = list_near(mesh, &room.sides, control, room.near, room.limit);
            grz_bvh_place(bvh, mesh);
            made = count <= room.limit && put_in_order(bvh, mesh, control, room.near, count, room.keys) &&
                   pack(bvh, mesh, control, room.near, count);
        }
        grz_release(allocator, room.keys, room.size, 1);
    }
    if (made) {
        grz_mesh_slot_spare(mesh, GRZ_SLOT_BVH);
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
