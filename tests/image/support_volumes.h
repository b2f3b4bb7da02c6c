// SPDX-License-Identifier: MIT
// The viewing volumes of method `selection` by a second program: the other face is cut by the planes of the volume, in
// doubles.
#ifndef GRZ_TESTS_SUPPORT_VOLUMES_H
#define GRZ_TESTS_SUPPORT_VOLUMES_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <graze/gl.h>

#include "geometry/box.h"

#include "support_statistics.h"

typedef struct test_polygon {
    double at[16][3];
    int count;
} test_polygon;

static inline double test_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void test_cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static inline void test_subtract(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[i] - b[i];
}

// Keep what is not beyond the plane by more than `slack`.
static inline void test_cut(test_polygon *p, const double normal[3], const double on[3], double slack)
{
    test_polygon kept = {.count = 0};
    const double size = sqrt(test_dot(normal, normal));
    for (int i = 0; i < p->count && size > 0.0; i++) {
        const double *a = p->at[i], *b = p->at[(i + 1) % p->count];
        double from_a[3], from_b[3];
        test_subtract(a, on, from_a);
        test_subtract(b, on, from_b);
        const double at_a = test_dot(normal, from_a) / size - slack, at_b = test_dot(normal, from_b) / size - slack;
        if (at_a <= 0.0)
            memcpy(kept.at[kept.count++], a, sizeof kept.at[0]);
        if ((at_a < 0.0) != (at_b < 0.0) && at_a != 0.0 && at_b != 0.0) {
            for (int j = 0; j < 3; j++)
                kept.at[kept.count][j] = a[j] + (b[j] - a[j]) * (at_a / (at_a - at_b));
            kept.count++;
        }
    }
    if (size > 0.0)
        *p = kept;
}

// Whether a convex face, in its order, has a piece of another in its volume; moved outwards by `slack`.
static inline bool test_face_selects(const test_polygon *face, const test_polygon *other, double half_thickness,
                                     double slack)
{
    double u[3], v[3], normal[3], minus[3], middle[3];
    test_polygon rest = *other;
    const bool quad = face->count == 4;
    test_subtract(face->at[quad ? 2 : 1], face->at[0], u);
    test_subtract(face->at[quad ? 3 : 2], face->at[quad ? 1 : 0], v);
    test_cross(u, v, normal);
    for (int i = 0; i < 3; i++) {
        minus[i] = -normal[i];
        middle[i] = quad ? 0.25 * (face->at[0][i] + face->at[1][i] + face->at[2][i] + face->at[3][i]) : face->at[0][i];
    }
    if (!(test_dot(normal, normal) > 0.0))
        return false;
    test_cut(&rest, normal, middle, half_thickness + slack);
    test_cut(&rest, minus, middle, half_thickness + slack);
    for (int i = 0; i < face->count; i++) {
        double edge[3], outwards[3];
        test_subtract(face->at[(i + 1) % face->count], face->at[i], edge);
        test_cross(edge, normal, outwards);
        test_cut(&rest, outwards, face->at[i], slack);
    }
    return rest.count > 0;
}

// A face that is looked at is one triangle, or two of a quad.
static inline bool test_selects(const test_polygon *reference, const test_polygon *other, double half_thickness,
                                double slack)
{
    test_polygon half = {.count = 3};
    for (int i = 0; i < other->count - 2; i++) {
        memcpy(half.at[0], other->at[0], sizeof half.at[0]);
        memcpy(half.at[1], other->at[1 + i], 2 * sizeof half.at[0]);
        if (test_face_selects(reference, &half, half_thickness, slack))
            return true;
    }
    return false;
}

// ---- The method ---------------------------------------------------------------------------------------------------

static inline test_answer ask(grz_device *device, const grz_object *a, const grz_object *b, double thickness,
                              uint32_t find)
{
    grz_result *result = test_result_create(device);
    grz_collide_options options = grz_default_collide_options();
    grz_selection_options selection = grz_default_selection_options();
    const grz_method_options own = {.method = "selection", .options = &selection};
    grz_error error;
    selection.thickness = thickness;
    selection.max_faces = 4096; // one leaf: no box keeps faces from being compared
    options.method = "selection";
    options.answer = GRZ_ANSWER_DISCRETE;
    options.find = find;
    options.method_options = &own;
    if (grz_collide(device, a, b, &options, result, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    const grz_summary *summary = grz_result_summary(result);
    assert_int_equal(summary->certainty, GRZ_DISCRETE);
    assert_true(summary->may_miss && summary->may_invent && !summary->pairs_complete);
    assert_true(summary->pairs_listed == (find != 0));
    assert_int_equal(summary->kinds[GRZ_TOUCHING], summary->pair_count);
    test_statistics counted;
    assert_true(test_statistics_read(result, "selection", &counted));
    assert_true(counted.hits >= summary->pair_count && (counted.hits == 0 || counted.leaf_pairs > 0));
    const test_answer answer = test_answer_of(result);
    grz_result_destroy(result);
    return answer;
}

static inline bool lists(const test_answer *answer, uint32_t a, uint32_t b)
{
    for (uint64_t i = 0; i < answer->pair_count; i++)
        if (answer->pairs[i].face_a == a && answer->pairs[i].face_b == b)
            return true;
    return false;
}

static inline grz_box test_polygon_box(const test_polygon *p)
{
    grz_box box = grz_box_empty();
    for (int i = 0; i < p->count; i++)
        grz_box_add_point(&box, p->at[i]);
    return box;
}

#endif
