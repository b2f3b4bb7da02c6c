// SPDX-License-Identifier: MIT
// Rigid pieces (bodies.h). Graze says which pieces touch and at which points. Of each pair up to four points are kept.
// The way to move the pieces apart is the one of least overlap, among the normals of their sides and the mean of the
// contacts' own normals. Source of the impulses: E. Catto, "Iterative dynamics with temporal coherence" (2005).
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bodies.h"
#include "demo.h"

enum {
    ROUNDS = 12,
    MOST_POINTS = 4 // of a pair
};

static const double gravity = 9.8, friction = 0.6, bounce = 0.2;
static const double slop = 0.003; // how deep a contact is left alone, so that pieces at rest still touch

// Two bodies that touch. To free a from b, move it along the normal.
typedef struct touch {
    body *a, *b;
    double normal[3], across[2][3], depth;
    uint32_t point_count;
    double from_a[MOST_POINTS][3], from_b[MOST_POINTS][3]; // the points, from the centres
    double wanted[MOST_POINTS];                            // speed apart
    double pushed[MOST_POINTS][3];                         // the impulses so far: normal, across
} touch;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double product[3])
{
    for (int i = 0; i < 3; i++)
        product[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void turn_vector(const grz_pose *pose, const double v[3], double turned[3])
{
    for (int i = 0; i < 3; i++)
        turned[i] = pose->m[i][0] * v[0] + pose->m[i][1] * v[1] + pose->m[i][2] * v[2];
}

void body_set_pose(body *b)
{
    grz_error error;
    demo_check(grz_pose_from_quaternion(b->at, b->turn, &b->pose, &error), &error);
    for (int i = 0; i < BODY_AXES; i++)
        turn_vector(&b->pose, b->axes[i], b->axes_now[i]);
}

// How far a body reaches along a direction, from its centre.
static double reach(const body *b, const double direction[3])
{
    double local[3], most = -DBL_MAX;
    for (int i = 0; i < 3; i++) // the rotation's inverse is its transpose
        local[i] = b->pose.m[0][i] * direction[0] + b->pose.m[1][i] * direction[1] + b->pose.m[2][i] * direction[2];
    for (uint32_t i = 0; i < b->point_count; i++)
        most = fmax(most, dot(b->points[i], local));
    return most;
}

// Keep an axis if the overlap along it is the least so far.
static void try_axis(touch *t, const double axis[3])
{
    double normal[3], apart = 0.0;
    const double length = sqrt(dot(axis, axis));
    if (length < 1e-9)
        return;
    for (int i = 0; i < 3; i++) {
        normal[i] = axis[i] / length;
        apart += normal[i] * (t->a->at[i] - t->b->at[i]);
    }
    for (int i = 0; i < 3; i++)
        normal[i] = apart < 0.0 ? -normal[i] : normal[i];
    const double back[3] = {-normal[0], -normal[1], -normal[2]};
    const double depth = reach(t->b, normal) + reach(t->a, back) - fabs(apart);
    if (depth < t->depth) {
        t->depth = depth;
        memcpy(t->normal, normal, sizeof normal);
    }
}

// The normal and the depth. What does not move is the floor: its normal is known.
static void find_normal(touch *t, const double mean[3])
{
    t->depth = DBL_MAX;
    if (t->b->lightness == 0.0 || t->a->lightness == 0.0) {
        const double up[3] = {0.0, 1.0, 0.0}, down[3] = {0.0, -1.0, 0.0};
        const bool below = t->a->lightness == 0.0; // a is the floor
        memcpy(t->normal, below ? down : up, sizeof up);
        t->depth = below ? reach(t->b, down) - t->b->at[1] : reach(t->a, down) - t->a->at[1];
    } else {
        try_axis(t, mean);
        for (int i = 0; i < BODY_AXES; i++) {
            try_axis(t, t->a->axes_now[i]);
            try_axis(t, t->b->axes_now[i]);
        }
    }
    const double *n = t->normal, aside[3] = {fabs(n[0]) < 0.7, fabs(n[0]) >= 0.7, 0.0};
    cross(n, aside, t->across[0]);
    const double length = sqrt(dot(t->across[0], t->across[0]));
    for (int i = 0; i < 3; i++)
        t->across[0][i] /= length;
    cross(n, t->across[0], t->across[1]);
}

// How fast a moves away from b at a point.
static void find_speed(const touch *t, uint32_t point, double speed[3])
{
    double a[3], b[3];
    cross(t->a->spin, t->from_a[point], a);
    cross(t->b->spin, t->from_b[point], b);
    for (int i = 0; i < 3; i++)
        speed[i] = t->a->speed[i] + a[i] - t->b->speed[i] - b[i];
}

static void push(body *b, const double from[3], const double direction[3], double impulse)
{
    double arm[3];
    cross(from, direction, arm);
    for (int i = 0; i < 3; i++) {
        b->speed[i] += b->lightness * impulse * direction[i];
        b->spin[i] += b->readiness * impulse * arm[i];
    }
}

// The change of speed along a direction that a unit of impulse makes.
static double softness(const touch *t, uint32_t point, const double direction[3])
{
    double a[3], b[3];
    cross(t->from_a[point], direction, a);
    cross(t->from_b[point], direction, b);
    return t->a->lightness + t->b->lightness + t->a->readiness * dot(a, a) + t->b->readiness * dot(b, b);
}

// Of all points of a pair's contacts, keep the outermost ones: least and most along each direction across the normal.
static void keep_points(touch *t, const grz_result *result, const grz_scene_pair *pair)
{
    const double *kept[MOST_POINTS] = {NULL};
    double most[MOST_POINTS];
    for (uint64_t c = 0; c < pair->contact_count; c++) {
        uint64_t count;
        const double *points = grz_result_contact_points(result, pair->first_contact + c, &count);
        for (uint64_t p = 0; p < count; p++)
            for (int k = 0; k < MOST_POINTS; k++) {
                const double along = (k % 2 == 0 ? 1.0 : -1.0) * dot(points + 3 * p, t->across[k / 2]);
                if (kept[k] == NULL || along > most[k]) {
                    most[k] = along;
                    kept[k] = points + 3 * p;
                }
            }
    }
    for (int k = 0; k < MOST_POINTS; k++) {
        if (kept[k] == NULL)
            continue;
        const uint32_t point = t->point_count++;
        double speed[3];
        for (int i = 0; i < 3; i++) {
            t->from_a[point][i] = kept[k][i] - t->a->at[i];
            t->from_b[point][i] = kept[k][i] - t->b->at[i];
        }
        find_speed(t, point, speed);
        const double towards = dot(speed, t->normal);
        t->wanted[point] = towards < -0.5 ? -bounce * towards : 0.0;
    }
}

static void add_touch(body *bodies, const grz_result *result, const grz_scene_pair *pair, touch *t)
{
    const grz_contact *contacts = grz_result_contacts(result, NULL);
    double mean[3] = {0.0, 0.0, 0.0};
    *t = (touch){.a = &bodies[pair->a], .b = &bodies[pair->b]};
    for (uint64_t c = 0; c < pair->contact_count; c++)
        for (int i = 0; i < 3; i++)
            mean[i] += contacts[pair->first_contact + c].normal[i];
    find_normal(t, mean);
    keep_points(t, result, pair);
}

static void push_apart(touch *t)
{
    for (uint32_t point = 0; point < t->point_count; point++)
        for (int k = 0; k < 3; k++) {
            const double *direction = k == 0 ? t->normal : t->across[k - 1];
            double speed[3], *so_far = &t->pushed[point][k];
            find_speed(t, point, speed);
            const double lacks = (k == 0 ? t->wanted[point] : 0.0) - dot(speed, direction);
            const double hold = friction * t->pushed[point][0], before = *so_far;
            const double sum = before + lacks / softness(t, point, direction);
            *so_far = k == 0 ? fmax(sum, 0.0) : fmin(fmax(sum, -hold), hold);
            push(t->a, t->from_a[point], direction, *so_far - before);
            push(t->b, t->from_b[point], direction, before - *so_far);
        }
}

// Undo a part of the overlap. A piece leaves the floor at once.
static void move_apart(const touch *t)
{
    const double lightness = t->a->lightness + t->b->lightness;
    const bool floor = t->a->lightness == 0.0 || t->b->lightness == 0.0;
    const double way = floor ? t->depth - slop : fmin(0.25 * (t->depth - slop), 0.01);
    if (way <= 0.0)
        return;
    for (int i = 0; i < 3; i++) {
        t->a->at[i] += t->normal[i] * way * t->a->lightness / lightness;
        t->b->at[i] -= t->normal[i] * way * t->b->lightness / lightness;
    }
}

static void move(body *b, double seconds)
{
    double length = 0.0, *q = b->turn;
    const double w[3] = {b->spin[0], b->spin[1], b->spin[2]};
    const double change[4] = {w[0] * q[3] + w[1] * q[2] - w[2] * q[1], w[1] * q[3] + w[2] * q[0] - w[0] * q[2],
                              w[2] * q[3] + w[0] * q[1] - w[1] * q[0], -w[0] * q[0] - w[1] * q[1] - w[2] * q[2]};
    for (int i = 0; i < 3; i++)
        b->at[i] += seconds * b->speed[i];
    for (int i = 0; i < 4; i++) {
        q[i] += 0.5 * seconds * change[i];
        length += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++)
        q[i] /= sqrt(length);
}

// Slow bodies lose more of their speed, so that a heap comes to rest.
static void damp(body *b)
{
    const bool slow = dot(b->speed, b->speed) < 0.04 && dot(b->spin, b->spin) < 1.0;
    for (int i = 0; i < 3; i++) {
        b->speed[i] *= slow ? 0.9 : 0.999;
        b->spin[i] *= slow ? 0.88 : 0.97;
    }
}

void bodies_move(body *bodies, uint32_t count, const grz_result *result, double seconds)
{
    uint64_t pair_count;
    const grz_scene_pair *pairs = grz_result_scene_pairs(result, &pair_count);
    touch *touches = demo_get(pair_count + 1, sizeof *touches);
    for (uint64_t i = 0; i < pair_count; i++)
        add_touch(bodies, result, &pairs[i], &touches[i]);
    for (uint32_t i = 0; i < count; i++)
        bodies[i].speed[1] -= bodies[i].lightness > 0.0 ? gravity * seconds : 0.0;
    for (int round = 0; round < ROUNDS; round++)
        for (uint64_t i = 0; i < pair_count; i++)
            push_apart(&touches[i]);
    for (uint64_t i = 0; i < pair_count; i++)
        move_apart(&touches[i]);
    for (uint32_t i = 0; i < count; i++) {
        if (bodies[i].lightness == 0.0)
            continue;
        damp(&bodies[i]);
        move(&bodies[i], seconds);
        body_set_pose(&bodies[i]);
    }
    free(touches);
}
