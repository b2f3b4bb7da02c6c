// SPDX-License-Identifier: MIT
// Triangles in the cell vote for their normals, by the size of their part in the cell. The few with the most votes are
// combined: out of a corner of three walls leads the sum of their normals.
#include "ask/overlap/depth/ways.h"

#include <math.h>
#include <string.h>

#include "geometry/pose.h"
#include "geometry/vector.h"
#include "mesh/triangles.h"

enum {
    MOST_TRIANGLES = 96, // of a mesh that vote
    MOST_NORMALS = 16,   // that are counted apart
    MOST_PLANES = 48,    // whose places are compared
    MOST_COMBINED = 4
};

static const double SAME_WAY = 1.0 - 0x1p-40, // the cosine at which two directions are one but for rounding
    SAME_NORMAL = 0.99,                       // at which two normals count as one
    DEPENDENT = 1e-3;                         // the square of the sine between a normal and the others' plane

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

// That of a triangle in the cell.
typedef struct plane {
    int side, normal; // of A or of B; the name of its normal
    double at;        // along the normal
} plane;

typedef struct ballot {
    int count, plane_count;
    double normals[MOST_NORMALS][3], weights[MOST_NORMALS];
    int names[MOST_NORMALS]; // of normals: they are sorted anew
    plane planes[MOST_PLANES];
} ballot;

// A normal and its opposite are one.
static void vote(ballot *votes, int side, const double point[3], const double normal[3], double weight)
{
    int i = 0;
    while (i < votes->count && fabs(grz_dot(votes->normals[i], normal)) < SAME_NORMAL)
        i++;
    if (i == MOST_NORMALS)
        return;
    if (i == votes->count) {
        memcpy(votes->normals[i], normal, sizeof votes->normals[i]);
        votes->weights[i] = 0.0;
        votes->names[i] = votes->count++;
    }
    if (votes->plane_count < MOST_PLANES)
        votes->planes[votes->plane_count++] = (plane){side, votes->names[i], grz_dot(votes->normals[i], point)};
    votes->weights[i] += weight;
    for (; i > 0 && votes->weights[i] > votes->weights[i - 1]; i--) {
        const double w = votes->weights[i];
        double n[3];
        memcpy(n, votes->normals[i], sizeof n);
        votes->weights[i] = votes->weights[i - 1];
        memcpy(votes->normals[i], votes->normals[i - 1], sizeof n);
        votes->weights[i - 1] = w;
        memcpy(votes->normals[i - 1], n, sizeof n);
        const int name = votes->names[i];
        votes->names[i] = votes->names[i - 1];
        votes->names[i - 1] = name;
    }
}

static void vote_of(const grz_object *object, int side, uint32_t triangle, const grz_box *cell, ballot *votes)
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
        vote(votes, side, c[0], normal, size);
}

static void vote_all(const grz_depth_side sides[2], int side, const grz_box *cell, ballot *votes)
{
    const grz_bvh *bvh = sides[side].solid.bvh;
    const grz_object *object = sides[side].object;
    uint32_t stack[GRZ_BVH_STACK];
    size_t depth = 1;
    int seen = 0;
    stack[0] = 0;
    while (depth > 0 && seen < MOST_TRIANGLES) {
        const uint32_t number = stack[--depth];
        const grz_bvh_node *node = &bvh->nodes[number];
        for (int i = 0; i < GRZ_BVH_WIDTH && node->child[i] != GRZ_BVH_NONE; i++) {
            grz_box box = grz_bvh_child_box(bvh, number, i);
            box = grz_world_box(&object->pose, &box);
            if (!grz_boxes_overlap(&box, cell))
                continue;
            if (!grz_bvh_is_triangle(node->child[i])) {
                stack[depth++] = node->child[i];
                continue;
            }
            vote_of(object, side, grz_bvh_triangle(node->child[i]), cell, votes);
            seen++;
        }
    }
}

// ---- Walls that A reaches into ------------------------------------------------------------------------------------

// Along a normal: the largest way from a plane of A to one of B that is not longer than `most`. The planes are those of
// triangles in the cell whose normals are about this one.
static double reach_along(const ballot *votes, int normal, double most)
{
    double largest = 0.0;
    for (int i = 0; i < votes->plane_count; i++)
        for (int j = 0; j < votes->plane_count; j++) {
            const plane *a = &votes->planes[i], *b = &votes->planes[j];
            const double way = fabs(a->at - b->at);
            if (a->side < b->side && a->normal == votes->names[normal] && b->normal == a->normal && way <= most)
                largest = fmax(largest, way);
        }
    return largest;
}

// The vector in the span of some unit normals whose products with them are given. False if they depend on each other.
static bool solve(int count, const double (*normals)[3], const double products[3], double vector[3])
{
    double m[3][4];
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++)
            m[i][j] = grz_dot(normals[i], normals[j]);
        m[i][count] = products[i];
    }
    for (int i = 0; i < count; i++) { // the matrix is positive definite, so no rows are exchanged
        if (!(m[i][i] > DEPENDENT))
            return false;
        for (int row = 0; row < count; row++) {
            const double share = m[row][i] / m[i][i];
            for (int j = i; j <= count && row != i; j++)
                m[row][j] -= share * m[i][j];
        }
    }
    for (int k = 0; k < 3; k++) {
        vector[k] = 0.0;
        for (int i = 0; i < count; i++)
            vector[k] += m[i][count] / m[i][i] * normals[i][k];
    }
    return true;
}

// The way of a length that leads out of walls with room left, the same along each of their normals.
static void add_out_of(grz_ways *ways, int count, const double (*normals)[3], const double reaches[3], double most)
{
    static const double ones[3] = {1.0, 1.0, 1.0};
    double out[3], more[3];
    if (!solve(count, normals, reaches, out) || !solve(count, normals, ones, more))
        return;
    // |out + room · more| = most
    const double a = grz_dot(more, more), b = grz_dot(out, more), c = most * most - grz_dot(out, out);
    if (!(c > 0.0 && b >= 0.0))
        return;
    for (int k = 0; k < 3; k++)
        out[k] += more[k] * (c / (b + sqrt(b * b + a * c)));
    grz_ways_add(ways, out);
}

void grz_ways_add_normals(grz_ways *ways, grz_depth_side sides[2], const grz_box *cell, double most)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    ballot votes = {.count = 0};
    vote_all(sides, 0, cell, &votes);
    vote_all(sides, 1, cell, &votes);
    const int count = votes.count < MOST_COMBINED ? votes.count : MOST_COMBINED;
    double reaches[MOST_COMBINED];
    int combinations = 1;
    for (int i = 0; i < count; i++) {
        combinations *= 3;
        reaches[i] = reach_along(&votes, i, most);
    }
    for (int terms = 1; terms <= 3; terms++)
        for (int number = 1; number < combinations; number++) { // a digit for each normal: none, plus, minus
            double normals[MOST_COMBINED][3], far[MOST_COMBINED];
            int used = 0;
            for (int i = 0, rest = number; i < count; i++, rest /= 3) {
                if (rest % 3 == 0)
                    continue;
                for (int k = 0; k < 3; k++)
                    normals[used][k] = rest % 3 == 1 ? votes.normals[i][k] : -votes.normals[i][k];
                far[used++] = reaches[i];
            }
            if (used != terms)
                continue;
            add_out_of(ways, terms, (const double(*)[3])normals, none, most);
            if (terms > 1)
                add_out_of(ways, terms, (const double(*)[3])normals, far, most);
        }
}
