// SPDX-License-Identifier: MIT
// Computes the ends of a node's children: of triangles by their corners in doubles, of nodes by their boxes. The
// margins are those of distance_frames.c.
#include "ask/distance/ends.h"

#include <math.h>

#include "geometry/vector.h"

enum {
    MOST_PLACES = 1024 // nodes of a tree whose ends are kept, a power of two
};

static uint32_t mask_for(const grz_bvh *bvh)
{
    uint32_t places = 1;
    while (places < bvh->node_count && places < MOST_PLACES)
        places *= 2;
    return places - 1;
}

static size_t place_count(const grz_distance_reach *reach)
{
    return (size_t)reach->mask[0] + reach->mask[1] + 2;
}

bool grz_distance_reach_init(grz_distance_reach *reach, const grz_distance_frames *frames, grz_simd simd,
                             const grz_allocator *allocator)
{
    *reach = (grz_distance_reach){.frames = frames, .ends_of_boxes = grz_distance_ends_for(simd), .looks = 1};
    for (int t = 0; t < 2; t++)
        reach->mask[t] = mask_for(frames->trees[t].bvh);
    reach->places[0] = grz_allocate(allocator, place_count(reach), sizeof *reach->places[0]);
    if (reach->places[0] == NULL)
        return false;
    reach->places[1] = reach->places[0] + reach->mask[0] + 1;
    for (size_t i = 0; i < place_count(reach); i++)
        reach->places[0][i].node = GRZ_BVH_NONE;
    return true;
}

void grz_distance_reach_finish(grz_distance_reach *reach, const grz_allocator *allocator)
{
    grz_release(allocator, reach->places[0], place_count(reach), sizeof *reach->places[0]);
}

// Rounded up.
static float triangle_end(const grz_distance_way *way, const grz_mesh *mesh, uint32_t triangle)
{
    const uint32_t *vertex = mesh->triangles + 3 * (size_t)triangle;
    double end = -HUGE_VAL;
    for (int i = 0; i < 3; i++) {
        const double at = grz_dot(way->m, grz_mesh_position(mesh, vertex[i])) + way->m[3];
        end = at > end ? at : end;
    }
    return (float)(end + (way->margin + 0x1p-22 * fabs(end))); // 2^-22: four times what a float rounds
}

const grz_node_ends *grz_distance_reach_find(grz_distance_reach *reach, int side, uint32_t node)
{
    const grz_posed_tree *tree = &reach->frames->trees[side];
    const grz_distance_way *way = &reach->frames->ways[side];
    const grz_bvh_node *opened = &tree->bvh->nodes[node];
    grz_node_ends *out = &reach->places[side][node & reach->mask[side]];
    out->node = node;
    out->looks = reach->looks;
    out->most = -HUGE_VALF;
    out->refined = 0;
    if (!grz_bvh_is_triangle(opened->child[0])) // nodes come first
        reach->ends_of_boxes(&way->row, opened, out->ends);
    for (int i = 0; i < GRZ_BVH_WIDTH; i++) {
        if (opened->child[i] == GRZ_BVH_NONE)
            out->ends[i] = -HUGE_VALF;
        else if (grz_bvh_is_triangle(opened->child[i])) {
            out->ends[i] = triangle_end(way, tree->object->mesh, grz_bvh_triangle(opened->child[i]));
            out->refined |= 1u << i;
        }
        out->most = out->ends[i] > out->most ? out->ends[i] : out->most;
    }
    return out;
}

// Only the ends that matter are refined: the largest, until it is one that is.
float grz_distance_reach_refined(grz_distance_reach *reach, int side, uint32_t node)
{
    grz_node_ends now = *grz_distance_reach_of(reach, side, node); // a copy: the calls below may take its place
    const grz_bvh_node *opened = &reach->frames->trees[side].bvh->nodes[node];
    for (;;) {
        int last = 0;
        for (int i = 1; i < GRZ_BVH_WIDTH; i++)
            last = now.ends[i] > now.ends[last] ? i : last;
        now.most = now.ends[last];
        if ((now.refined >> last & 1) != 0)
            break;
        const float end = grz_distance_reach_of(reach, side, opened->child[last])->most;
        now.ends[last] = end < now.ends[last] ? end : now.ends[last];
        now.refined |= 1u << last;
    }
    reach->places[side][node & reach->mask[side]] = now;
    return now.most;
}
