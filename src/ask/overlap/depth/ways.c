// SPDX-License-Identifier: MIT
// Triangles in the cell vote for their normals, by the size of their part in the cell. The few with the most votes are
// combined: out of a corner of three walls leads the sum of their normals.
#include "ask/overlap/depth/ways.h"

#include <string.h>

#include "geometry/pose.h"
#include "geometry/vector.h"
#include "mesh/triangles.h"

enum {
    MOST_TRIANGLES = 96, // of a mesh that vote
    MOST_NORMALS = 16,   // that are counted apart
    MOST_COMBINED = 4
};

static const double SAME_WAY = 0.9999, // the cosine at which two directions count as one
    SAME_NORMAL = 0.99;

void grz_ways_add(grz_ways *ways, const double direction[3])
{
    double unit[3] = {direction[0], direction[1], direction[2]};
    if (ways->count == GRZ_MOST_WAYS || !grz_make_unit(unit))
        return;
    for (int i = 0; i < ways->count; i++)
        if (grz_dot(ways->directions[i], unit) > SAME_WAY)
            return;
    memcpy(ways->directions[ways->count++], unit, sizeof unit);
}

typedef struct ballot {
    int count;
    double normals[MOST_NORMALS][3], weights[MOST_NORMALS];
} ballot;

// A normal and its opposite are one.
static void vote(ballot *votes, const double normal[3], double weight)
{
    int i = 0;
    while (i < votes->count && fabs(grz_dot(votes->normals[i], normal)) < SAME_NORMAL)
        i++;
    if (i == MOST_NORMALS)
        return;
    if (i == votes->count) {
        memcpy(votes->normals[i], normal, sizeof votes->normals[i]);
        votes->weights[i] = 0.0;
        votes->count++;
    }
    votes->weights[i] += weight;
    for (; i > 0 && votes->weights[i] > votes->weights[i - 1]; i--) {
        const double w = votes->weights[i];
        double n[3];
        memcpy(n, votes->normals[i], sizeof n);
        votes->weights[i] = votes->weights[i - 1];
        memcpy(votes->normals[i], votes->normals[i - 1], sizeof n);
        votes->weights[i - 1] = w;
        memcpy(votes->normals[i - 1], n, sizeof n);
    }
}

static void vote_of(const grz_object *object, uint32_t triangle, const grz_box *cell, ballot *votes)
{
    double c[3][3], edges[2][3], normal[3], size = 0.0;
    grz_world_corners(object->mesh, &object->pose, triangle, c);
    const grz_box own = grz_triangle_box((const double(*)[3])c), common = grz_box_intersection(&own, cell);
    for (int k = 0; k < 3; k++) {
        edges[0][k] = c[1][k] - c[0][k];
        edges[1][k] = c[2][k] - c[0][k];
        size += common.max[k] - common.min[k];
    }
    if (!grz_make_unit(edges[0]) || !grz_make_unit(edges[1]))
        return;
    grz_cross(edges[0], edges[1], normal);
    if (grz_make_unit(normal))
        vote(votes, normal, size);
}

static void vote_all(const grz_depth_side *side, const grz_box *cell, ballot *votes)
{
    const grz_object *object = side->object;
    uint32_t stack[GRZ_BVH_STACK];
    size_t depth = 1;
    int seen = 0;
    stack[0] = 0;
    while (depth > 0 && seen < MOST_TRIANGLES) {
        const uint32_t number = stack[--depth];
        const grz_bvh_node *node = &side->solid.bvh->nodes[number];
        for (int i = 0; i < GRZ_BVH_WIDTH && node->child[i] != GRZ_BVH_NONE; i++) {
            grz_box box = grz_bvh_child_box(side->solid.bvh, number, i);
            box = grz_world_box(&object->pose, &box);
            if (!grz_boxes_overlap(&box, cell))
                continue;
            if (!grz_bvh_is_triangle(node->child[i])) {
                stack[depth++] = node->child[i];
                continue;
            }
            vote_of(object, grz_bvh_triangle(node->child[i]), cell, votes);
            seen++;
        }
    }
}

void grz_ways_add_normals(grz_ways *ways, grz_depth_side sides[2], const grz_box *cell)
{
    ballot votes = {.count = 0};
    vote_all(&sides[0], cell, &votes);
    vote_all(&sides[1], cell, &votes);
    const int count = votes.count < MOST_COMBINED ? votes.count : MOST_COMBINED;
    int combinations = 1;
    for (int i = 0; i < count; i++)
        combinations *= 3;
    for (int terms = 1; terms <= 3; terms++)
        for (int number = 1; number < combinations; number++) { // a digit for each normal: none, plus, minus
            double sum[3] = {0.0, 0.0, 0.0};
            int used = 0;
            for (int i = 0, rest = number; i < count; i++, rest /= 3) {
                const double sign = rest % 3 == 1 ? 1.0 : rest % 3 == 2 ? -1.0 : 0.0;
                used += sign != 0.0;
                for (int k = 0; k < 3; k++)
                    sum[k] += sign * votes.normals[i][k];
            }
            if (used == terms)
                grz_ways_add(ways, sum);
        }
}
