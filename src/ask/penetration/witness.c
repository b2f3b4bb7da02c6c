// SPDX-License-Identifier: MIT
// Tries points between the contacts, and vertices; how deep they are inside is measured exactly
// (grz_distance_points()).
#include "ask/penetration/witness.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/control.h"
#include "base/device.h"
#include "base/rounding.h"
#include "geometry/pose.h"
#include "geometry/vector.h"

enum {
    MOST_VERTICES = 64, // of each mesh
    MOST_MIDDLES = 96,  // between two contacts
    MOST = GRZ_MOST_CANDIDATES,
    AROUND = 8, // points around the middle of a contact
    RINGS = 3,  // of such points
    MOST_CONTACTS = MOST / (AROUND * RINGS)
};

static_assert(MOST == 2 * MOST_VERTICES + MOST_MIDDLES + 1, "there is room for all points");

typedef struct candidates {
    double (*points)[3]; // room for MOST
    size_t count;
} candidates;

grz_moved grz_moved_to(const grz_path *path, double low, double high)
{
    const double time = low + 0.5 * (high - low);
    grz_moved moved = {.object = *path->a};
    double most = 0.0, speed = 0.0;
    for (int k = 0; k < 3; k++) {
        const double step = time * path->motion.v[k];
        const double *m = path->a->pose.m[k];
        double sum = fabs(m[3]) + fabs(step);
        for (int j = 0; j < 3; j++)
            sum += fabs(m[j]) * path->a->mesh->max_abs[j];
        most += sum;
        speed += fabs(path->motion.v[k]);
        moved.object.pose.m[k][3] += step;
    }
    // 32 roundings of all that is added up: a posed point and a step have fewer than 16.
    moved.error = 0x1p-48 * most + GRZ_UNDERFLOWS + (high - low) * speed * GRZ_MORE(8192);
    return moved;
}

static void add(candidates *all, const double point[3])
{
    if (all->count < MOST)
        memcpy(all->points[all->count++], point, sizeof all->points[0]);
}

static void add_middle(candidates *all, const double p[3], const double q[3])
{
    double middle[3];
    for (int k = 0; k < 3; k++)
        middle[k] = 0.5 * p[k] + 0.5 * q[k];
    add(all, middle);
}

// Vertices of triangles, spread over the mesh.
static void add_vertices(candidates *all, const grz_object *object)
{
    const grz_mesh *mesh = object->mesh;
    const uint32_t stride = mesh->triangle_count / MOST_VERTICES + 1;
    for (uint32_t i = 0; i < mesh->triangle_count; i += stride) {
        double at[3];
        grz_world_position(&object->pose, grz_mesh_position(mesh, mesh->triangles[3 * (size_t)i]), at);
        add(all, at);
    }
}

// The middle of all contacts, and middles of two of them.
static void add_contacts(candidates *all, const grz_result *result)
{
    uint64_t count;
    const double *points = grz_result_points(result, &count);
    double middle[3] = {0.0, 0.0, 0.0};
    if (count == 0)
        return;
    for (uint64_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            middle[k] += points[3 * i + (uint64_t)k] / (double)count;
    add(all, middle);
    for (uint64_t i = 0; i < MOST_MIDDLES; i++) {
        const uint64_t p = i * 7919 % count, q = (p + 1 + i * 104729 % count) % count;
        add_middle(all, points + 3 * p, points + 3 * q);
    }
}

grz_status grz_witness_depths(grz_move_call *call, const grz_object *object, const double (*points)[3], size_t count,
                              double *depths)
{
    grz_distance_points_options options = grz_default_distance_points_options();
    grz_point_distance answers[MOST];
    assert(count <= MOST);
    options.inside_rule = call->options.inside_rule;
    options.limits = grz_control_limits_left(&call->frame.control);
    const grz_status status = grz_distance_points(call->frame.device, object, count > 0 ? points[0] : NULL, count,
                                                  &options, answers, call->frame.error);
    for (size_t i = 0; i < count && status == GRZ_OK; i++)
        depths[i] = answers[i].location == GRZ_INSIDE ? answers[i].lower : -1.0;
    return status;
}

// Around the middle of a segment in which triangles meet: points on rings of several sizes, across the segment.
static void add_rings(candidates *all, const double p[3], const double q[3])
{
    // Cosine and sine of 23 degrees and of seven further eighths of a turn, about. Constants: the answer must not
    // depend on the mathematics library.
    static const double circle[AROUND][2] = {{0.92, 0.39},   {0.37, 0.93},   {-0.39, 0.92}, {-0.93, 0.37},
                                             {-0.92, -0.39}, {-0.37, -0.93}, {0.39, -0.92}, {0.93, -0.37}};
    double along[3], across[3], third[3], middle[3], length = 0.0;
    for (int k = 0; k < 3; k++) {
        along[k] = q[k] - p[k];
        middle[k] = 0.5 * p[k] + 0.5 * q[k];
        length = fmax(length, fabs(along[k]));
    }
    if (!grz_make_unit(along))
        return;
    const double other[3] = {fabs(along[0]) < 0.5 ? 1.0 : 0.0, fabs(along[0]) < 0.5 ? 0.0 : 1.0, 0.0};
    grz_cross(along, other, across);
    if (!grz_make_unit(across))
        return;
    grz_cross(along, across, third);
    for (int ring = 0; ring < RINGS; ring++)
        for (int i = 0; i < AROUND; i++) {
            const double radius = length * (ring == 0 ? 0.25 : ring == 1 ? 0.03 : 0.002);
            double point[3];
            for (int k = 0; k < 3; k++)
                point[k] = middle[k] + radius * (circle[i][0] * across[k] + circle[i][1] * third[k]);
            add(all, point);
        }
}

// Points around contacts, for overlaps so thin that no other candidate is in them.
static void add_all_rings(candidates *all, const grz_result *result)
{
    uint64_t count;
    const grz_contact *contacts = grz_result_contacts(result, &count);
    const uint64_t stride = count / MOST_CONTACTS + 1;
    for (uint64_t i = 0; i < count; i += stride) {
        const double *points = grz_result_points(result, NULL) + 3 * contacts[i].first_point;
        if (contacts[i].point_count == 2)
            add_rings(all, points, points + 3);
    }
}

// Query the contacts, and collect points.
static grz_status collect(grz_move_call *call, const grz_object *a, const grz_object *b, grz_result **result,
                          candidates *all)
{
    const grz_status status = grz_move_ask(call, a, b, GRZ_FIND_CONTACTS, result);
    if (status != GRZ_OK)
        return status;
    add_contacts(all, *result);
    add_vertices(all, a);
    add_vertices(all, b);
    return GRZ_OK;
}

grz_status grz_witness_candidates(grz_move_call *call, const grz_object *a, const grz_object *b, double (*points)[3],
                                  size_t *count)
{
    candidates all = {points, 0};
    grz_result *result = NULL;
    const grz_status status = collect(call, a, b, &result, &all);
    grz_result_destroy(result);
    *count = all.count;
    return status;
}

// The largest depth of the candidates in both.
static grz_status deepest(grz_move_call *call, const grz_object *a, const grz_object *b, const candidates *all,
                          double *depth)
{
    const double(*points)[3] = (const double(*)[3])all->points;
    double in_a[MOST], in_b[MOST];
    grz_status status = grz_witness_depths(call, a, points, all->count, in_a);
    if (status == GRZ_OK)
        status = grz_witness_depths(call, b, points, all->count, in_b);
    for (size_t i = 0; i < all->count && status == GRZ_OK; i++)
        *depth = fmax(*depth, fmin(in_a[i], in_b[i]));
    return status;
}

grz_status grz_witness_find(grz_move_call *call, const grz_path *path, double low, double high, double *depth)
{
    const grz_moved moved = grz_moved_to(path, low, high);
    double points[MOST][3];
    candidates all = {points, 0};
    grz_result *result = NULL;
    *depth = 0.0;
    grz_status status = collect(call, &moved.object, path->b, &result, &all);
    if (status == GRZ_OK)
        status = deepest(call, &moved.object, path->b, &all, depth);
    if (status == GRZ_OK && !(*depth > 2.0 * moved.error)) {
        all.count = 0;
        add_all_rings(&all, result);
        status = deepest(call, &moved.object, path->b, &all, depth);
    }
    grz_result_destroy(result);
    *depth = fmax(0.0, *depth - 2.0 * moved.error);
    return status;
}
