// SPDX-License-Identifier: MIT
// The exact hull of points against brute force: of small sets the faces are found among the planes of all triples, with
// the predicates alone. Large sets: the surface is closed, no point is above a face, corners are corners. Order,
// scales by powers of two and repetition change nothing.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/control.h"
#include "geometry/exact/predicates.h"
#include "geometry/hull/hull_build.h"
#include "pair_generator.h"

enum {
    MOST = 40, // points of a small set
    ROUNDS = 150
};

static grz_allocator heap;

static grz_hull_shape build(const double *points, uint32_t count)
{
    grz_control control;
    grz_hull_shape shape;
    heap = grz_malloc_allocator();
    grz_control_init(&control, &heap, NULL);
    assert_int_equal(grz_hull_build(points, NULL, count, &control, &shape), GRZ_OK);
    return shape;
}

static const double *at(const grz_hull_shape *shape, uint32_t vertex)
{
    return shape->positions + 3 * (size_t)vertex;
}

static bool same_shape(const grz_hull_shape *a, const grz_hull_shape *b)
{
    return a->dimension == b->dimension && a->vertex_count == b->vertex_count && a->face_count == b->face_count &&
           a->corner_count == b->corner_count && a->triangle_count == b->triangle_count &&
           memcmp(a->positions, b->positions, 3 * (size_t)a->vertex_count * sizeof(double)) == 0 &&
           (a->face_count == 0 ||
            (memcmp(a->corners, b->corners, a->corner_count * sizeof(uint32_t)) == 0 &&
             memcmp(a->face_offsets, b->face_offsets, ((size_t)a->face_count + 1) * sizeof(uint32_t)) == 0 &&
             memcmp(a->triangles, b->triangles, 3 * (size_t)a->triangle_count * sizeof(uint32_t)) == 0));
}

static bool collinear(const double a[3], const double b[3], const double c[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int i = (axis + 1) % 3, j = (axis + 2) % 3;
        const double p[2] = {a[i], a[j]}, q[2] = {b[i], b[j]}, r[2] = {c[i], c[j]};
        if (grz_orient2d(p, q, r) != 0)
            return false;
    }
    return true;
}

static bool equal(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// Whether c lies on the segment a-b, ends included; the three are on one line.
static bool between(const double a[3], const double b[3], const double c[3])
{
    for (int k = 0; k < 3; k++)
        if (c[k] < fmin(a[k], b[k]) || c[k] > fmax(a[k], b[k]))
            return false;
    return true;
}

// A point of a plane is a corner of the points there if there is a line through it and another of them with all on one
// side, and it is an end of what lies on this line. `toward`: a point off the plane.
static bool is_corner_in_plane(const double (*points)[3], const uint32_t *plane, uint32_t count, const double p[3],
                               const double toward[3])
{
    for (uint32_t i = 0; i < count; i++) {
        const double *q = points[plane[i]];
        bool ok = !equal(p, q);
        int side = 0;
        for (uint32_t k = 0; k < count && ok; k++) {
            const int s = grz_orient3d(p, q, toward, points[plane[k]]);
            ok = s == 0
                     ? equal(p, points[plane[k]]) || between(p, q, points[plane[k]]) || between(p, points[plane[k]], q)
                     : side == 0 || s == side;
            side = s != 0 ? s : side;
        }
        if (ok)
            return true;
    }
    return false;
}

// One face by brute force: the planes of all triples that have all points on one side.
typedef struct brute_face {
    uint32_t corners[MOST], count; // lowest number of each position, ascending
} brute_face;

static int ascending(const void *x, const void *y)
{
    const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a < b ? -1 : a > b;
}

static int compare_faces(const void *x, const void *y)
{
    const brute_face *a = x, *b = y;
    const uint32_t least = a->count < b->count ? a->count : b->count;
    for (uint32_t i = 0; i < least; i++)
        if (a->corners[i] != b->corners[i])
            return a->corners[i] < b->corners[i] ? -1 : 1;
    return a->count < b->count ? -1 : a->count > b->count;
}

static uint32_t first_equal(const double (*points)[3], uint32_t p)
{
    uint32_t i = 0;
    while (!equal(points[i], points[p]))
        i++;
    return i;
}

// The face through three points that are not on one line, if their plane has all points on one side and some off it.
static bool face_of_triple(const double (*points)[3], uint32_t count, uint32_t i, uint32_t j, uint32_t k,
                           brute_face *face)
{
    uint32_t plane[MOST], in_plane = 0, off = UINT32_MAX;
    int side = 0;
    for (uint32_t p = 0; p < count; p++) {
        const int s = grz_orient3d(points[i], points[j], points[k], points[p]);
        if (s != 0 && side != 0 && s != side)
            return false;
        side = s != 0 ? s : side;
        off = s != 0 ? p : off;
        if (s == 0 && (p < i || (p < j && p != i && !equal(points[i], points[p])) ||
                       (p < k && p > j && !collinear(points[i], points[j], points[p]))))
            return false; // an earlier triple has the same plane
        if (s == 0 && first_equal(points, p) == p)
            plane[in_plane++] = p;
    }
    if (off == UINT32_MAX)
        return false;
    face->count = 0;
    for (uint32_t p = 0; p < in_plane; p++)
        if (is_corner_in_plane(points, plane, in_plane, points[plane[p]], points[off]))
            face->corners[face->count++] = plane[p];
    return true;
}

static uint32_t brute_faces(const double (*points)[3], uint32_t count, brute_face **out)
{
    brute_face *faces = malloc(sizeof *faces * MOST * MOST * MOST / 6);
    uint32_t found = 0, kept = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++)
            for (uint32_t k = j + 1; k < count; k++)
                if (!collinear(points[i], points[j], points[k]) &&
                    face_of_triple(points, count, i, j, k, &faces[found]))
                    found++;
    qsort(faces, found, sizeof *faces, compare_faces);
    for (uint32_t i = 0; i < found; i++)
        if (i == 0 || compare_faces(&faces[kept - 1], &faces[i]) != 0)
            faces[kept++] = faces[i];
    *out = faces;
    return kept;
}

static void compare_with_brute_force(const double (*points)[3], uint32_t count, const grz_hull_shape *shape)
{
    brute_face *expected, *got = calloc(shape->face_count + 1, sizeof *got);
    const uint32_t faces = brute_faces(points, count, &expected);
    assert_int_equal(shape->face_count, faces);
    for (uint32_t f = 0; f < faces; f++) {
        for (uint32_t i = shape->face_offsets[f]; i < shape->face_offsets[f + 1]; i++)
            got[f].corners[got[f].count++] = shape->points[shape->corners[i]];
        qsort(got[f].corners, got[f].count, sizeof(uint32_t), ascending);
    }
    qsort(got, faces, sizeof *got, compare_faces);
    for (uint32_t f = 0; f < faces; f++)
        assert_int_equal(compare_faces(&expected[f], &got[f]), 0);
    free(expected);
    free(got);
}

// What every hull must be: numbers in range and in order; points as documented.
static void check_numbers(const double *points, uint32_t count, const grz_hull_shape *shape)
{
    for (uint32_t v = 0; v < shape->vertex_count; v++) {
        assert_true(shape->points[v] < count);
        assert_true(equal(at(shape, v), points + 3 * (size_t)shape->points[v]));
        if (v > 0) {
            const double *p = at(shape, v - 1), *q = at(shape, v);
            assert_true(p[0] < q[0] || (p[0] == q[0] && (p[1] < q[1] || (p[1] == q[1] && p[2] < q[2]))));
        }
    }
    uint32_t triangle = 0;
    for (uint32_t f = 0; f < shape->face_count; f++) {
        const uint32_t *corners = shape->corners + shape->face_offsets[f];
        const uint32_t n = shape->face_offsets[f + 1] - shape->face_offsets[f];
        assert_true(n >= 3);
        for (uint32_t i = 1; i < n; i++)
            assert_true(corners[i] > corners[0]);
        for (uint32_t i = 2; i < n; i++, triangle++) {
            assert_int_equal(shape->triangles[3 * triangle], corners[0]);
            assert_int_equal(shape->triangles[3 * triangle + 1], corners[i - 1]);
            assert_int_equal(shape->triangles[3 * triangle + 2], corners[i]);
        }
    }
    assert_int_equal(triangle, shape->triangle_count);
}

// A solid hull: Euler's formula, each side has one that runs back, strictly convex at it, and no vertex is above a
// face's neighbour. With `all`: no point is above any face.
static void check_solid(const double *points, uint32_t count, const grz_hull_shape *shape, bool all)
{
    assert_int_equal((int64_t)shape->vertex_count + shape->face_count - shape->corner_count / 2, 2);
    for (uint32_t f = 0; f < shape->face_count; f++) {
        const uint32_t *c = shape->corners + shape->face_offsets[f];
        const uint32_t n = shape->face_offsets[f + 1] - shape->face_offsets[f];
        for (uint32_t i = 3; i < n; i++)
            assert_int_equal(grz_orient3d(at(shape, c[0]), at(shape, c[1]), at(shape, c[2]), at(shape, c[i])), 0);
        for (uint32_t i = 0; i < n; i++)
            assert_false(collinear(at(shape, c[i]), at(shape, c[(i + 1) % n]), at(shape, c[(i + 2) % n])));
        for (uint32_t p = 0; p < count && all; p++)
            assert_true(grz_orient3d(at(shape, c[0]), at(shape, c[1]), at(shape, c[2]), points + 3 * (size_t)p) <= 0);
    }
}

static void scaled_copy(const double *points, uint32_t count, double factor, double *out)
{
    for (uint32_t i = 0; i < 3 * count; i++)
        out[i] = points[i] * factor;
}

enum {
    KINDS = 10
};

// Some points of a kind. Kinds 0 to 4 are on small lattices.
static uint32_t some_points(random_stream *random, int kind, double (*points)[3])
{
    const uint32_t count = 1 + random_below(random, kind < 2 ? 12 : MOST);
    for (uint32_t i = 0; i < count; i++) {
        double *p = points[i];
        const uint32_t size = kind == 0 ? 2 : kind == 1 ? 3 : kind == 2 ? 4 : 7;
        for (int k = 0; k < 3; k++)
            p[k] = kind < 5 ? (double)random_below(random, size) : random_signed(random);
        if (kind == 4 || kind == 8) // nearly or exactly in a plane that is not along an axis
            p[2] = p[0] + 2.0 * p[1] + (kind == 4 && random_below(random, 8) == 0 ? 1.0 : 0.0);
        if (kind == 6) { // on a sphere
            const double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) + 1e-300;
            for (int k = 0; k < 3; k++)
                p[k] /= length;
        }
        if (kind == 7) // a needle, far away
            for (int k = 0; k < 3; k++)
                p[k] = 1e6 + (double)random_below(random, 5) * 0x1p-33 + (k == 0 ? random_signed(random) : 0.0);
        if (kind == 9) { // on lines
            const double t = (double)random_below(random, 9) - 4.0;
            const int direction = (int)random_below(random, 3);
            for (int k = 0; k < 3; k++)
                p[k] = k == direction ? t : 0.0;
        }
        if (i > 0 && random_below(random, 10) == 0)
            memcpy(p, points[random_below(random, i)], sizeof points[0]);
    }
    return count;
}

static void small_sets_agree_with_brute_force(void **state)
{
    (void)state;
    random_stream random = {25};
    uint32_t dimensions[4] = {0}, largest = 0;
    for (int round = 0; round < ROUNDS; round++)
        for (int kind = 0; kind < KINDS; kind++) {
            double points[MOST][3], other[MOST][3];
            const uint32_t count = some_points(&random, kind, points);
            const grz_hull_shape shape = build(points[0], count);
            dimensions[shape.dimension]++;
            check_numbers(points[0], count, &shape);
            if (shape.dimension == 3) {
                check_solid(points[0], count, &shape, true);
                compare_with_brute_force((const double(*)[3])points, count, &shape);
                largest = shape.face_count > largest ? shape.face_count : largest;
            }
            // Another order, and each point once more: the same.
            for (uint32_t i = 0; i < count; i++)
                memcpy(other[count - 1 - i], points[i], sizeof points[i]);
            for (uint32_t i = count; i > 1; i--) {
                double swap[3];
                const uint32_t k = random_below(&random, i);
                memcpy(swap, other[k], sizeof swap);
                memcpy(other[k], other[i - 1], sizeof swap);
                memcpy(other[i - 1], swap, sizeof swap);
            }
            grz_hull_shape again = build(other[0], count);
            assert_true(same_shape(&shape, &again));
            grz_hull_shape_finish(&heap, &again);
            // Scales at both ends of what is allowed. Lattices stay exact.
            static const double factors[] = {0x1p-1074, 0x1p-400, 0x1p290};
            for (int f = kind < 5 ? 0 : 1; f < 3; f++) {
                scaled_copy(points[0], count, factors[f], other[0]);
                again = build(other[0], count);
                assert_int_equal(again.dimension, shape.dimension);
                assert_int_equal(again.corner_count, shape.corner_count);
                assert_memory_equal(again.points, shape.points, shape.vertex_count * sizeof(uint32_t));
                assert_true(shape.face_count == 0 ||
                            memcmp(again.corners, shape.corners, shape.corner_count * sizeof(uint32_t)) == 0);
                grz_hull_shape_finish(&heap, &again);
            }
            grz_hull_shape_finish(&heap, (grz_hull_shape *)&shape);
        }
    printf("small sets by dimension: %u %u %u %u, the most faces %u\n", dimensions[0], dimensions[1], dimensions[2],
           dimensions[3], largest);
    for (int d = 0; d < 4; d++)
        assert_true(dimensions[d] > 10);
}

static void flat_sets_have_their_corners(void **state)
{
    (void)state;
    // A square with its middles and centre, in three planes; the corners and the direction are known.
    static const double square[9][2] = {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}, {1, 1}};
    for (int axis = 0; axis < 3; axis++) {
        double points[9][3];
        for (int i = 0; i < 9; i++) {
            points[i][axis] = 5.0;
            points[i][(axis + 1) % 3] = square[i][0];
            points[i][(axis + 2) % 3] = square[i][1];
        }
        grz_hull_shape shape = build(points[0], 9);
        assert_int_equal(shape.dimension, 2);
        assert_int_equal(shape.vertex_count, 4);
        assert_int_equal(shape.face_count, 1);
        assert_int_equal(shape.triangle_count, 2);
        double above[3];
        memcpy(above, at(&shape, shape.corners[0]), sizeof above);
        above[axis] = 6.0;
        assert_int_equal(grz_orient3d(at(&shape, shape.corners[0]), at(&shape, shape.corners[1]),
                                      at(&shape, shape.corners[2]), above),
                         1);
        for (int v = 0; v < 4; v++)
            assert_int_equal(shape.points[v] % 2, 0);
        grz_hull_shape_finish(&heap, &shape);
    }
    const double line[4][3] = {{1, 1, 1}, {3, 3, 3}, {-0.0, 0, 0}, {2, 2, 2}};
    grz_hull_shape shape = build(line[0], 4);
    assert_int_equal(shape.dimension, 1);
    assert_int_equal(shape.vertex_count, 2);
    assert_int_equal(shape.points[0], 2);
    assert_int_equal(shape.points[1], 1);
    assert_false(signbit(shape.positions[0]));
    grz_hull_shape_finish(&heap, &shape);
}

// 9³ points of a cube's lattice and 20,000 on spheres.
static void large_sets_hold_all_points(void **state)
{
    (void)state;
    random_stream random = {7};
    for (int kind = 0; kind < 3; kind++) {
        const uint32_t count = kind == 0 ? 729 : kind == 1 ? 20000 : 2000;
        double *points = malloc(3 * count * sizeof *points);
        for (uint32_t i = 0; i < count; i++) {
            double *p = points + 3 * i, length = 1.0;
            const uint32_t lattice[3] = {i % 9, i / 9 % 9, i / 81};
            for (int k = 0; k < 3; k++)
                p[k] = kind == 0 ? (double)lattice[k] : random_signed(&random);
            if (kind == 2)
                length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
            for (int k = 0; k < 3; k++)
                p[k] = p[k] / length + (kind == 2 ? 1e6 : 0.0);
        }
        grz_hull_shape shape = build(points, count);
        printf("%u points: %u corners, %u faces\n", count, shape.vertex_count, shape.face_count);
        assert_int_equal(shape.dimension, 3);
        check_numbers(points, count, &shape);
        check_solid(points, count, &shape, true);
        if (kind == 0) {
            assert_int_equal(shape.vertex_count, 8);
            assert_int_equal(shape.face_count, 6);
        }
        grz_hull_shape_finish(&heap, &shape);
        free(points);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_sets_agree_with_brute_force),
                                       cmocka_unit_test(flat_sets_have_their_corners),
                                       cmocka_unit_test(large_sets_hold_all_points)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
