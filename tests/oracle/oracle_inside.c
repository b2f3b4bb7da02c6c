// SPDX-License-Identifier: MIT
// Points against surfaces in GMP integers: a point p, a ray p + t·d and a triangle a + u·e + v·f meet where u·e + v·f -
// t·d = p - a. Four determinants of three rows tell t, u and v as fractions.
#include "oracle_inside.h"

#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef mpz_t vector[3];

struct oracle_surface {
    vector *corners; // three a triangle
    vector *points;
    size_t triangle_count, point_count;
    vector s, e, f, n, back; // back: minus the ray's direction
    mpz_t det, t, u, v, product, sum;
};

static void give_up(void)
{
    fprintf(stderr, "oracle: out of memory\n");
    abort();
}

// ---- Storage --------------------------------------------------------------------------------------------------------

static void vector_init(vector v)
{
    for (int i = 0; i < 3; i++)
        mpz_init(v[i]);
}

static void vector_clear(vector v)
{
    for (int i = 0; i < 3; i++)
        mpz_clear(v[i]);
}

// The exponent of the unit that every number here is a multiple of.
static int lowest_exponent(const double *numbers, size_t count, int lowest)
{
    for (size_t i = 0; i < count; i++) {
        int exponent;
        if (numbers[i] == 0.0)
            continue;
        frexp(numbers[i], &exponent);
        lowest = exponent - 53 < lowest ? exponent - 53 : lowest;
    }
    return lowest;
}

static vector *integers_of(const double *numbers, size_t vectors, int unit)
{
    vector *out = calloc(vectors + 1, sizeof *out);
    if (out == NULL)
        give_up();
    for (size_t i = 0; i < 3 * vectors; i++) {
        int exponent;
        const double mantissa = ldexp(frexp(numbers[i], &exponent), 53); // an integer
        mpz_init_set_d(out[i / 3][i % 3], mantissa);
        if (mantissa != 0.0)
            mpz_mul_2exp(out[i / 3][i % 3], out[i / 3][i % 3], (mp_bitcnt_t)(exponent - 53 - unit));
    }
    return out;
}

oracle_surface *oracle_surface_create(const double *corners, size_t triangle_count, const double *points,
                                      size_t point_count)
{
    oracle_surface *o = calloc(1, sizeof *o);
    if (o == NULL)
        give_up();
    const int unit = lowest_exponent(points, 3 * point_count, lowest_exponent(corners, 9 * triangle_count, 1024));
    o->triangle_count = triangle_count;
    o->point_count = point_count;
    o->corners = integers_of(corners, 3 * triangle_count, unit);
    o->points = integers_of(points, point_count, unit);
    vector_init(o->s);
    vector_init(o->e);
    vector_init(o->f);
    vector_init(o->n);
    vector_init(o->back);
    mpz_inits(o->det, o->t, o->u, o->v, o->product, o->sum, NULL);
    return o;
}

void oracle_surface_destroy(oracle_surface *o)
{
    for (size_t i = 0; i < 3 * o->triangle_count; i++)
        vector_clear(o->corners[i]);
    for (size_t i = 0; i < o->point_count; i++)
        vector_clear(o->points[i]);
    free(o->corners);
    free(o->points);
    vector_clear(o->s);
    vector_clear(o->e);
    vector_clear(o->f);
    vector_clear(o->n);
    vector_clear(o->back);
    mpz_clears(o->det, o->t, o->u, o->v, o->product, o->sum, NULL);
    free(o);
}

// ---- Arithmetic -----------------------------------------------------------------------------------------------------

static void subtract(vector out, vector a, vector b)
{
    for (int i = 0; i < 3; i++)
        mpz_sub(out[i], a[i], b[i]);
}

static void cross(vector out, vector a, vector b)
{
    for (int i = 0; i < 3; i++) {
        mpz_mul(out[i], a[(i + 1) % 3], b[(i + 2) % 3]);
        mpz_submul(out[i], a[(i + 2) % 3], b[(i + 1) % 3]);
    }
}

static void dot(mpz_t out, vector a, vector b)
{
    mpz_mul(out, a[0], b[0]);
    mpz_addmul(out, a[1], b[1]);
    mpz_addmul(out, a[2], b[2]);
}

// out = det(a, b, c); o->n is used up.
static void determinant(oracle_surface *o, mpz_t out, vector a, vector b, vector c)
{
    cross(o->n, b, c);
    dot(out, a, o->n);
}

static bool is_zero(vector v)
{
    return mpz_sgn(v[0]) == 0 && mpz_sgn(v[1]) == 0 && mpz_sgn(v[2]) == 0;
}

// ---- On the surface -------------------------------------------------------------------------------------------------

// True if p lies on the segment from a to b.
static bool segment_holds(oracle_surface *o, vector a, vector b, vector p)
{
    subtract(o->s, p, a);
    subtract(o->e, b, a);
    cross(o->n, o->s, o->e);
    if (!is_zero(o->n))
        return false;
    if (is_zero(o->e))
        return is_zero(o->s);
    dot(o->product, o->s, o->e);
    dot(o->sum, o->e, o->e);
    return mpz_sgn(o->product) >= 0 && mpz_cmp(o->product, o->sum) <= 0;
}

// Whether p = a + u·e + v·f with u, v, 1 - u - v none below zero: u = (s×f)·n/n·n, v = (e×s)·n/n·n.
static bool triangle_holds(oracle_surface *o, vector c[3], vector p)
{
    subtract(o->e, c[1], c[0]);
    subtract(o->f, c[2], c[0]);
    subtract(o->s, p, c[0]);
    cross(o->n, o->e, o->f);
    if (is_zero(o->n))
        return segment_holds(o, c[0], c[1], p) || segment_holds(o, c[1], c[2], p) || segment_holds(o, c[2], c[0], p);
    dot(o->t, o->n, o->s);
    if (mpz_sgn(o->t) != 0)
        return false;
    cross(o->back, o->s, o->f);
    dot(o->u, o->back, o->n);
    cross(o->back, o->e, o->s);
    dot(o->v, o->back, o->n);
    dot(o->det, o->n, o->n);
    mpz_add(o->sum, o->u, o->v);
    return mpz_sgn(o->u) >= 0 && mpz_sgn(o->v) >= 0 && mpz_cmp(o->sum, o->det) <= 0;
}

// ---- Rays -----------------------------------------------------------------------------------------------------------

// How a ray meets a triangle: 1 it leaves, -1 it enters, 0 it misses, 2 it meets an edge or lies in the plane.
static int passage(oracle_surface *o, vector c[3], vector p)
{
    subtract(o->e, c[1], c[0]);
    subtract(o->f, c[2], c[0]);
    subtract(o->s, p, c[0]);
    determinant(o, o->det, o->e, o->f, o->back);
    const int side = mpz_sgn(o->det);
    determinant(o, o->t, o->e, o->f, o->s);
    if (side == 0) {
        cross(o->n, o->e, o->f);
        return mpz_sgn(o->t) == 0 && !is_zero(o->n) ? 2 : 0;
    }
    if (mpz_sgn(o->t) * side <= 0)
        return 0;
    determinant(o, o->u, o->s, o->f, o->back);
    determinant(o, o->v, o->e, o->s, o->back);
    mpz_sub(o->sum, o->det, o->u);
    mpz_sub(o->sum, o->sum, o->v);
    const int u = mpz_sgn(o->u) * side, v = mpz_sgn(o->v) * side, w = mpz_sgn(o->sum) * side;
    if (u < 0 || v < 0 || w < 0)
        return 0;
    return u == 0 || v == 0 || w == 0 ? 2 : -side;
}

oracle_place oracle_surface_locate(oracle_surface *o, size_t point, random_stream *random)
{
    oracle_place place = {.on_surface = false};
    for (size_t i = 0; i < o->triangle_count; i++)
        if (triangle_holds(o, o->corners + 3 * i, o->points[point])) {
            place.on_surface = true;
            return place;
        }
    for (bool sure = false; !sure;) {
        place = (oracle_place){.on_surface = false};
        for (int i = 0; i < 3; i++)
            mpz_set_si(o->back[i], (long)random_below(random, 2000001) - 1000000);
        sure = !is_zero(o->back);
        for (size_t i = 0; i < o->triangle_count && sure; i++) {
            const int passed = passage(o, o->corners + 3 * i, o->points[point]);
            sure = passed != 2;
            place.odd = place.odd != (passed != 0);
            place.winding += passed;
        }
    }
    return place;
}

// A. van Oosterom and J. Strackee, The solid angle of a plane triangle (1983).
double oracle_solid_angle(const double *corners, size_t triangle_count, const double point[3])
{
    double total = 0.0;
    for (size_t i = 0; i < triangle_count; i++) {
        double r[3][3], length[3], dots[3];
        for (int k = 0; k < 3; k++) {
            for (int axis = 0; axis < 3; axis++)
                r[k][axis] = corners[9 * i + 3 * (size_t)k + (size_t)axis] - point[axis];
            length[k] = sqrt(r[k][0] * r[k][0] + r[k][1] * r[k][1] + r[k][2] * r[k][2]);
        }
        for (int k = 0; k < 3; k++) {
            const double *a = r[k], *b = r[(k + 1) % 3];
            dots[k] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        }
        const double triple = r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) +
                              r[0][1] * (r[1][2] * r[2][0] - r[1][0] * r[2][2]) +
                              r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
        total += 2.0 * atan2(triple, length[0] * length[1] * length[2] + dots[0] * length[2] + dots[1] * length[0] +
                                         dots[2] * length[1]);
    }
    return total / (4.0 * 3.14159265358979323846);
}

// ---- Edges ----------------------------------------------------------------------------------------------------------

typedef struct placed_vertex {
    double at[3];
    uint32_t vertex;
} placed_vertex;

static int compare_places(const void *x, const void *y)
{
    const placed_vertex *a = x, *b = y;
    for (int i = 0; i < 3; i++)
        if (a->at[i] != b->at[i])
            return a->at[i] < b->at[i] ? -1 : 1;
    return 0;
}

typedef struct side {
    uint32_t low, high;
    int way; // 1: from low to high
} side;

static int compare_sides(const void *x, const void *y)
{
    const side *a = x, *b = y;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return a->high != b->high ? a->high < b->high ? -1 : 1 : 0;
}

// A number for each vertex, the same for vertices at one position.
static uint32_t *places_of(const test_mesh *mesh)
{
    placed_vertex *sorted = malloc((size_t)(mesh->vertex_count + 1) * sizeof *sorted);
    uint32_t *place = malloc((size_t)(mesh->vertex_count + 1) * sizeof *place);
    if (sorted == NULL || place == NULL)
        give_up();
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        memcpy(sorted[v].at, mesh->positions + 3 * (size_t)v, sizeof sorted[v].at);
        sorted[v].vertex = v;
    }
    qsort(sorted, (size_t)mesh->vertex_count, sizeof *sorted, compare_places);
    uint32_t number = 0;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        number += i > 0 && compare_places(&sorted[i - 1], &sorted[i]) != 0;
        place[sorted[i].vertex] = number;
    }
    free(sorted);
    return place;
}

oracle_edges oracle_edges_of(const test_mesh *mesh)
{
    oracle_edges edges = {true, true};
    uint32_t *place = places_of(mesh);
    side *sides = malloc((size_t)(mesh->index_count + 1) * sizeof *sides);
    size_t count = 0;
    if (sides == NULL)
        give_up();
    for (uint64_t face = 0, first = 0; face < mesh->face_count; first += mesh->corner_counts[face++])
        for (uint32_t i = 0; i < mesh->corner_counts[face]; i++) {
            const uint32_t from = place[mesh->indices[first + i]],
                           to = place[mesh->indices[first + (i + 1) % mesh->corner_counts[face]]];
            if (from != to)
                sides[count++] = (side){from < to ? from : to, from < to ? to : from, from < to ? 1 : -1};
        }
    qsort(sides, count, sizeof *sides, compare_sides);
    for (size_t i = 0, next; i < count; i = next) {
        int balance = 0;
        for (next = i; next < count && compare_sides(&sides[i], &sides[next]) == 0; next++)
            balance += sides[next].way;
        edges.closed = edges.closed && (next - i) % 2 == 0;
        edges.balanced = edges.balanced && balance == 0;
    }
    free(sides);
    free(place);
    return edges;
}

void oracle_pose(const grz_pose *pose, const double position[3], double world[3])
{
    for (int i = 0; i < 3; i++) {
        double sum = pose->m[i][0] * position[0];
        sum += pose->m[i][1] * position[1];
        sum += pose->m[i][2] * position[2];
        world[i] = sum + pose->m[i][3];
    }
}

double *oracle_corners(const test_mesh *mesh, const grz_pose *pose)
{
    double *corners = malloc((size_t)(9 * mesh->face_count + 1) * sizeof *corners);
    if (corners == NULL)
        give_up();
    for (uint64_t i = 0; i < 3 * mesh->face_count; i++)
        oracle_pose(pose, mesh->positions + 3 * (size_t)mesh->indices[i], corners + 3 * i);
    return corners;
}
