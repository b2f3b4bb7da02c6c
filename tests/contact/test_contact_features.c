// SPDX-License-Identifier: MIT
// Contact normals, and the features (vertex, edge, face) at contact points. Small cases worked out by hand; directions
// against GMP for triangles of all shapes and sizes; the same bits after renumbering, negated normals after swapping. A
// feature must contain its point and be the smallest that does.
// ctest: timeout 900
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gmp.h>

#include "geometry/pose.h"
#include "geometry/triangle/normal.h"
#include "oracle.h"
#include "pair_generator.h"
#include "support_contacts.h"

// ---- Cases worked out by hand ---------------------------------------------------------------------------------------

typedef struct known_normal {
    const char *what;
    double a[3][3], b[3][3], normal[3];
} known_normal;

static void normals_of_small_cases_are_known(void **state)
{
    (void)state;
    const double half = sqrt(0.5);
    const known_normal cases[] = {
        {"a corner on a face", {{1, 1, 0}, {2, 1, 3}, {1, 2, 3}}, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {0, 0, 1}},
        {"a face under a corner", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 0}, {2, 1, 3}, {1, 2, 3}}, {0, 0, -1}},
        {"an edge on a face", {{1, 1, 0}, {2, 1, 0}, {1, 1, 3}}, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {0, 0, 1}},
        // A's edge along x over B's along y; A stands above, B below, wound so that A's normal has -z and B's +z parts.
        {"edges that cross", {{-1, 0, 0}, {0, 1, 1}, {1, 0, 0}}, {{0, -1, 0}, {1, 0, -1}, {0, 1, 0}}, {0, 0, 1}},
        {"edges that cross, both faces turned over",
         {{1, 0, 0}, {0, 1, 1}, {-1, 0, 0}},
         {{0, 1, 0}, {1, 0, -1}, {0, -1, 0}},
         {0, 0, -1}},
        // Neither normal has a component along z: the side on which A stands decides.
        {"edges that cross, A upright above",
         {{-1, 0, 0}, {1, 0, 0}, {0, 0, 1}},
         {{0, -1, 0}, {0, 1, 0}, {0, 0, -1}},
         {0, 0, 1}},
        {"edges that cross, A upright above, along y",
         {{0, -1, 0}, {0, 1, 0}, {0, 0, 1}},
         {{-1, 0, 0}, {1, 0, 0}, {0, 0, -1}},
         {0, 0, 1}},
        {"edges that cross, A upright below",
         {{-1, 0, 0}, {1, 0, 0}, {0, 0, -1}},
         {{0, -1, 0}, {0, 1, 0}, {0, 0, 1}},
         {0, 0, -1}},
        // Bent by 2^-62: the difference of the normals is along y.
        {"faces that are almost in one plane",
         {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
         {{0, 0, 0}, {0, -4, 0x1p-60}, {4, 0, 0}},
         {0, 1, 0}},
        {"an upright face through a level one",
         {{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}},
         {{-4, -4, 0}, {4, -4, 0}, {0, 8, 0}},
         {0, 0, 0}},
        {"faces on each other", {{0, 0, 0}, {0, 4, 0}, {4, 0, 0}}, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {0, 0, 1}},
        {"the same face", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {0, 0, 1}},
        {"a segment on a face", {{1, 1, 0}, {2, 1, 0}, {1, 1, 0}}, {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {0, 0, 1}},
        {"a face under a segment", {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {{1, 1, 0}, {2, 1, 0}, {1, 1, 0}}, {0, 0, -1}},
        {"two segments", {{-1, 0, 0}, {1, 0, 0}, {1, 0, 0}}, {{0, -1, 0}, {0, 1, 0}, {0, 1, 0}}, {0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const known_normal *c = &cases[i];
        test_mesh a = {0}, b = {0};
        double expected[3] = {c->normal[0], c->normal[1], c->normal[2]};
        test_mesh_add_loose_triangle(&a, c->a);
        test_mesh_add_loose_triangle(&b, c->b);
        if (strncmp(c->what, "an upright", 10) == 0) { // A's normal is -y, B's +z
            expected[1] = half;
            expected[2] = half;
        }
        const test_query query = test_query_of_pair(&a, &b, GRZ_FIND_CONTACTS);
        test_answer answer = test_ask(c->what, &query);
        assert_int_equal(answer.contact_count, 1);
        for (int k = 0; k < 3; k++)
            if (fabs(answer.contacts[0].normal[k] - expected[k]) > 0x1p-52)
                fail_msg("%s: the normal is %.17g %.17g %.17g", c->what, answer.contacts[0].normal[0],
                         answer.contacts[0].normal[1], answer.contacts[0].normal[2]);
        test_answer_finish(&answer);
        test_mesh_finish(&a);
        test_mesh_finish(&b);
    }
}

// A square of two triangles: its diagonal is no edge. A needle's tip stands on a corner, an edge, the diagonal.
static void diagonals_are_inside_of_the_face(void **state)
{
    (void)state;
    static const struct {
        double tip[3];
        uint32_t vertex[2];
    } cases[] = {{{0, 0, 0}, {0, GRZ_NO_VERTEX}},
                 {{2, 0, 0}, {0, 1}},
                 {{0, 2, 0}, {0, 3}},
                 {{2, 2, 0}, {GRZ_NO_VERTEX, GRZ_NO_VERTEX}},
                 {{1, 3, 0}, {GRZ_NO_VERTEX, GRZ_NO_VERTEX}},
                 {{4, 4, 0}, {2, GRZ_NO_VERTEX}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_mesh square = test_mesh_grid_quads(1, 1, 4.0), needle = {0};
        const uint32_t round[4] = {0, 1, 2, 3};
        const double *t = cases[i].tip, corners[3][3] = {{t[0], t[1], t[2]}, {t[0], t[1], 5}, {t[0] + 1, t[1], 5}};
        test_mesh_finish(&square);
        square = (test_mesh){0};
        for (int k = 0; k < 4; k++)
            test_mesh_add_vertex(&square, k == 1 || k == 2 ? 4 : 0, k > 1 ? 4 : 0, 0);
        test_mesh_add_face(&square, round, 4);
        test_mesh_add_loose_triangle(&needle, corners);
        const test_query query = test_query_of_pair(&needle, &square, GRZ_FIND_CONTACTS);
        test_answer answer = test_ask("a needle on a square", &query);
        assert_true(answer.contact_count > 0);
        for (uint64_t k = 0; k < answer.point_count; k++) {
            assert_int_equal(answer.features[k].a.vertex[0], 0);
            assert_int_equal(answer.features[k].a.vertex[1], GRZ_NO_VERTEX);
            assert_int_equal(answer.features[k].b.vertex[0], cases[i].vertex[0]);
            assert_int_equal(answer.features[k].b.vertex[1], cases[i].vertex[1]);
        }
        for (uint64_t k = 0; k < answer.contact_count && cases[i].vertex[0] == GRZ_NO_VERTEX; k++)
            for (int axis = 0; axis < 3; axis++) // the square's own, also over the diagonal
                assert_true(answer.contacts[k].normal[axis] == (axis == 2 ? 1.0 : 0.0));
        test_answer_finish(&answer);
        test_mesh_finish(&square);
        test_mesh_finish(&needle);
    }
}

// The diagonal is no edge for normals either, whichever corner the square begins with: a wedge's edge lies on the
// square, along the diagonal, across it, or beside it.
static void normals_ignore_diagonals(void **state)
{
    (void)state;
    static const double edges[][2][2] = {
        {{1, 1}, {3, 3}}, {{0, 0}, {4, 4}}, {{1, 3}, {3, 1}}, {{1, 2}, {1, 3}}, {{2, 2}, {3, 1}}};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
        for (uint32_t first = 0; first < 4; first++) {
            test_mesh square = {0}, wedge = {0};
            const double *p = edges[i][0], *q = edges[i][1],
                         corners[3][3] = {{p[0], p[1], 0}, {q[0], q[1], 0}, {9, 7, 5}};
            uint32_t round[4];
            for (uint32_t k = 0; k < 4; k++) {
                test_mesh_add_vertex(&square, k == 1 || k == 2 ? 4 : 0, k > 1 ? 4 : 0, 0);
                round[k] = (first + k) % 4;
            }
            test_mesh_add_face(&square, round, 4);
            test_mesh_add_loose_triangle(&wedge, corners);
            for (int swapped = 0; swapped < 2; swapped++) {
                const test_query query = swapped ? test_query_of_pair(&square, &wedge, GRZ_FIND_CONTACTS)
                                                 : test_query_of_pair(&wedge, &square, GRZ_FIND_CONTACTS);
                test_answer answer = test_ask("a wedge on a square", &query);
                assert_true(answer.contact_count > 0);
                for (uint64_t k = 0; k < answer.contact_count; k++) {
                    const double *n = answer.contacts[k].normal, up = swapped ? -1.0 : 1.0;
                    if (answer.contacts[k].point_count == 2 && !(n[0] == 0.0 && n[1] == 0.0 && n[2] == up))
                        fail_msg("edge %zu, first corner %u: the normal is %g %g %g", i, first, n[0], n[1], n[2]);
                }
                test_answer_finish(&answer);
            }
            test_mesh_finish(&square);
            test_mesh_finish(&wedge);
        }
    }
}

// A quad on a line, of triangles 0-1-2 and 0-2-3: at (1/2, 0, 0) there are its sides 0-1 and 3-0, and its diagonal.
static void diagonals_of_a_flat_face_are_not_named(void **state)
{
    (void)state;
    static const double needle_corners[3][3] = {{0.5, 0, 0}, {0.5, 0, 5}, {1, 0, 5}};
    static const uint32_t round[4] = {0, 1, 2, 3};
    test_mesh flat = {0}, needle = {0};
    for (int k = 0; k < 4; k++)
        test_mesh_add_vertex(&flat, k, 0, 0);
    test_mesh_add_face(&flat, round, 4);
    test_mesh_add_loose_triangle(&needle, needle_corners);
    const test_query query = test_query_of_pair(&needle, &flat, GRZ_FIND_CONTACTS);
    test_answer answer = test_ask("a needle on a quad without area", &query);
    assert_int_equal(answer.point_count, 2);
    for (uint32_t k = 0; k < 2; k++) {
        assert_int_equal(answer.features[k].b.vertex[0], 0);
        assert_int_equal(answer.features[k].b.vertex[1], k == 0 ? 1 : 3);
    }
    test_answer_finish(&answer);
    test_mesh_finish(&flat);
    test_mesh_finish(&needle);
}

// ---- Directions against exact arithmetic ----------------------------------------------------------------------------

enum {
    PRECISION = 12000 // bits: products of four differences of doubles are exact, and their sums
};

static void cross_of(const double t[3][3], mpf_t n[3])
{
    mpf_t u[3], v[3], x;
    mpf_init2(x, PRECISION);
    for (int i = 0; i < 3; i++) {
        mpf_init2(u[i], PRECISION);
        mpf_init2(v[i], PRECISION);
        mpf_set_d(u[i], t[1][i]);
        mpf_set_d(v[i], t[2][i]);
        mpf_set_d(x, t[0][i]);
        mpf_sub(u[i], u[i], x);
        mpf_sub(v[i], v[i], x);
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        mpf_mul(n[i], u[j], v[k]);
        mpf_mul(x, u[k], v[j]);
        mpf_sub(n[i], n[i], x);
    }
    mpf_clear(x);
    for (int i = 0; i < 3; i++)
        mpf_clears(u[i], v[i], NULL);
}

// To length 1. False where it has none.
static bool to_unit(mpf_t n[3])
{
    mpf_t sum, square;
    mpf_init2(sum, PRECISION);
    mpf_init2(square, PRECISION);
    for (int i = 0; i < 3; i++) {
        mpf_mul(square, n[i], n[i]);
        mpf_add(sum, sum, square);
    }
    const bool any = mpf_sgn(sum) > 0;
    mpf_sqrt(sum, sum);
    for (int i = 0; i < 3 && any; i++)
        mpf_div(n[i], n[i], sum);
    mpf_clears(sum, square, NULL);
    return any;
}

// |got - truth|, relative to the truth where `relative` and its digits are not near the end of the range.
static double error_of(double got, const mpf_t truth, bool relative)
{
    mpf_t difference;
    mpf_init2(difference, PRECISION);
    mpf_set_d(difference, got);
    mpf_sub(difference, difference, truth);
    if (relative && fabs(got) > 0x1p-900)
        mpf_div(difference, difference, truth);
    const double error = fabs(mpf_get_d(difference));
    mpf_clear(difference);
    return error;
}

static void directions_are_close_for_triangles_of_all_shapes(void **state)
{
    (void)state;
    double worst = 0.0, worst_difference = 0.0;
    uint64_t normals = 0, differences = 0;
    mpf_t n[3], m[3];
    for (int i = 0; i < 3; i++) {
        mpf_init2(n[i], PRECISION);
        mpf_init2(m[i], PRECISION);
    }
    for (int group = 0; group < PAIR_CLASS_COUNT; group++) {
        random_stream random = random_stream_of_block((pair_class)group, UINT64_C(1) << 44);
        for (int count = 0; count < 120; count++) {
            double a[3][3], b[3][3], unit[3], back[3];
            grz_unit_normal normal_a, normal_b, turned, reversed;
            pair_generate((pair_class)group, &random, a, b);
            grz_triangle_normal((const double(*)[3])a, &normal_a);
            grz_triangle_normal((const double(*)[3])b, &normal_b);
            cross_of((const double(*)[3])a, n);
            cross_of((const double(*)[3])b, m);
            const bool any_a = to_unit(n), any_b = to_unit(m);
            assert_true(any_a != normal_a.direction.zero && any_b != normal_b.direction.zero);
            double other[3][3];
            for (int i = 0; i < 3; i++)
                memcpy(other[i], a[(i + 1) % 3], sizeof other[i]);
            grz_triangle_normal((const double(*)[3])other, &turned);
            memcpy(other[0], a[1], sizeof other[0]);
            memcpy(other[1], a[0], sizeof other[1]);
            memcpy(other[2], a[2], sizeof other[2]);
            grz_triangle_normal((const double(*)[3])other, &reversed);
            for (int i = 0; i < 3; i++) {
                assert_true(turned.unit[i] == normal_a.unit[i] && reversed.unit[i] == -normal_a.unit[i]);
                worst = any_a ? fmax(worst, error_of(normal_a.unit[i], n[i], true)) : worst;
            }
            normals += any_a;
            if (!any_a || !any_b)
                continue;
            for (int i = 0; i < 3; i++)
                mpf_sub(m[i], m[i], n[i]);
            const bool differ =
                grz_normal_difference((const double(*)[3])a, &normal_a, (const double(*)[3])b, &normal_b, unit);
            const bool same =
                !grz_normal_difference((const double(*)[3])b, &normal_b, (const double(*)[3])a, &normal_a, back);
            assert_true(differ != same);
            // Two square roots with 12,000 bits that agree in all of them count as equal.
            mpf_t largest;
            mpf_init2(largest, PRECISION);
            for (int i = 0; i < 3; i++) {
                mpf_abs(largest, m[i]);
                assert_true(differ || mpf_cmp_d(largest, 0x1p-1000) < 0);
            }
            mpf_clear(largest);
            if (!differ || !to_unit(m))
                continue;
            for (int i = 0; i < 3; i++) {
                assert_true(unit[i] == -back[i]);
                worst_difference = fmax(worst_difference, error_of(unit[i], m[i], false));
            }
            differences++;
        }
    }
    for (int i = 0; i < 3; i++)
        mpf_clears(n[i], m[i], NULL);
    print_message("  %llu normals, at most %.2f * 2^-53 off; %llu differences, at most %.2f * 2^-53\n",
                  (unsigned long long)normals, worst * 0x1p53, (unsigned long long)differences,
                  worst_difference * 0x1p53);
    assert_true(worst <= 0x1p-52 && worst_difference <= 0x1p-49);
    assert_true(normals > 400 && differences > 300);
}

// Times 2^-600 their components come from integers and otherwise mostly from doubles: the two agree to within their
// bounds.
static void tiny_triangles_have_the_directions_of_large_ones(void **state)
{
    (void)state;
    static const pair_class groups[] = {PAIR_RANDOM, PAIR_SLIVER, PAIR_COPLANAR, PAIR_LARGE_OFFSET};
    for (size_t group = 0; group < sizeof groups / sizeof *groups; group++) {
        random_stream random = random_stream_of_block(groups[group], UINT64_C(1) << 45);
        for (int count = 0; count < 500; count++) {
            double a[3][3], b[3][3];
            grz_unit_normal large, tiny;
            pair_generate(groups[group], &random, a, b);
            grz_triangle_normal((const double(*)[3])a, &large);
            for (int i = 0; i < 9; i++)
                b[i / 3][i % 3] = a[i / 3][i % 3] * 0x1p-600;
            grz_triangle_normal((const double(*)[3])b, &tiny);
            assert_int_equal(large.direction.zero, tiny.direction.zero);
            if (large.direction.zero)
                continue;
            const double error = large.direction.error + tiny.direction.error;
            assert_true(large.direction.error <= 0x1p-59 && tiny.direction.error <= 0x1p-59);
            for (int i = 0; i < 3; i++) {
                const dd x = large.direction.at[i], y = tiny.direction.at[i];
                if (!(fabs((x.high - y.high) + (x.low - y.low)) <= error))
                    fail_msg("class %d, triangle %d: %a + %a, times 2^-600 %a + %a", (int)groups[group], count, x.high,
                             x.low, y.high, y.low);
            }
        }
    }
}

// ---- Laws -----------------------------------------------------------------------------------------------------------

static long double distance_from_edge(const double *x, const double *p, const double *q)
{
    long double along = 0.0L, length = 0.0L, square = 0.0L;
    for (int i = 0; i < 3; i++) {
        along += ((long double)q[i] - (long double)p[i]) * ((long double)x[i] - (long double)p[i]);
        length += ((long double)q[i] - (long double)p[i]) * ((long double)q[i] - (long double)p[i]);
    }
    const long double share = length > 0.0L ? fminl(fmaxl(along / length, 0.0L), 1.0L) : 0.0L;
    for (int i = 0; i < 3; i++) {
        const long double d = (long double)x[i] - (long double)p[i] - share * ((long double)q[i] - (long double)p[i]);
        square += d * d;
    }
    return sqrtl(square);
}

// A feature of a triangle's face holds the point, and none that is smaller does.
static void expect_feature(const char *what, const test_mesh *mesh, uint32_t face, grz_feature feature,
                           const double *point)
{
    const uint32_t *v = mesh->indices + 3 * (size_t)face;
    const double *corner[3];
    bool at_corner = false;
    uint32_t lowest = GRZ_NO_VERTEX;
    for (int i = 0; i < 3; i++) {
        corner[i] = mesh->positions + 3 * (size_t)v[i];
        if (corner[i][0] == point[0] && corner[i][1] == point[1] && corner[i][2] == point[2]) {
            at_corner = true;
            lowest = v[i] < lowest ? v[i] : lowest;
        }
    }
    if (feature.vertex[0] != GRZ_NO_VERTEX && feature.vertex[1] == GRZ_NO_VERTEX) {
        if (!at_corner || feature.vertex[0] != lowest)
            fail_msg("%s: vertex %u is not at the point", what, (unsigned)feature.vertex[0]);
        return;
    }
    if (at_corner)
        fail_msg("%s: vertex %u is at the point, and is not named", what, (unsigned)lowest);
    const bool inside = feature.vertex[0] == GRZ_NO_VERTEX && feature.vertex[1] == GRZ_NO_VERTEX;
    bool named = inside;
    for (int i = 0; i < 3; i++) {
        const uint32_t p = v[i], q = v[(i + 1) % 3];
        const bool own = feature.vertex[0] == (p < q ? p : q) && feature.vertex[1] == (p < q ? q : p);
        const long double distance = distance_from_edge(point, corner[i], corner[(i + 1) % 3]);
        // Corners are small integers: points off an edge are far from it.
        if (own ? distance > 1e-14L : inside && distance < 1e-7L)
            fail_msg("%s: edge %u-%u is %Lg away", what, (unsigned)p, (unsigned)q, distance);
        named = named || own;
    }
    if (!named)
        fail_msg("%s: %u-%u is no edge of face %u", what, (unsigned)feature.vertex[0], (unsigned)feature.vertex[1],
                 (unsigned)face);
}

static int compare_contacts(const void *left, const void *right)
{
    return memcmp(left, right, 7 * sizeof(double));
}

// Faces, first point and normal of each contact, sorted; -0 does not occur. Free the list.
static double (*normals_of(const test_answer *answer, const uint32_t *new_face, bool swap))[7]
{
    double(*list)[7] = calloc((size_t)answer->contact_count + 1, sizeof *list);
    assert_non_null(list);
    for (uint64_t i = 0; i < answer->contact_count; i++) {
        const grz_contact *c = &answer->contacts[i];
        const grz_pair *pair = &answer->pairs[c->pair];
        list[i][0] = swap ? pair->face_b : new_face != NULL ? new_face[pair->face_a] : pair->face_a;
        list[i][1] = swap ? pair->face_a : pair->face_b;
        list[i][2] = answer->points[3 * c->first_point];
        list[i][3] = c->point_count;
        for (int k = 0; k < 3; k++)
            list[i][4 + k] = c->normal[k];
    }
    qsort(list, (size_t)answer->contact_count, sizeof *list, compare_contacts);
    return list;
}

static bool is_zero(const double *v)
{
    return v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0;
}

// For two triangles with area the normal never points from B's front to A's: its dot product with n_B - n_A is not
// negative.
static void expect_normal_turned(const char *what, const test_mesh *a, uint32_t face_a, const test_mesh *b,
                                 uint32_t face_b, const double *normal)
{
    double n[2][3], dot = 0.0;
    for (int half = 0; half < 2; half++) {
        const test_mesh *mesh = half == 0 ? a : b;
        const uint32_t *v = mesh->indices + 3 * (size_t)(half == 0 ? face_a : face_b);
        const double *p = mesh->positions + 3 * (size_t)v[0], *q = mesh->positions + 3 * (size_t)v[1],
                     *r = mesh->positions + 3 * (size_t)v[2];
        double square = 0.0;
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            n[half][i] = (q[j] - p[j]) * (r[k] - p[k]) - (q[k] - p[k]) * (r[j] - p[j]);
            square += n[half][i] * n[half][i];
        }
        if (square == 0.0)
            return;
        for (int i = 0; i < 3; i++)
            n[half][i] /= sqrt(square);
    }
    for (int i = 0; i < 3; i++)
        dot += normal[i] * (n[1][i] - n[0][i]);
    if (dot < -1e-12)
        fail_msg("%s: faces %u, %u: the normal %.17g %.17g %.17g points the other way", what, (unsigned)face_a,
                 (unsigned)face_b, normal[0], normal[1], normal[2]);
}

static void swapping_negates_and_renumbering_keeps_every_normal(void **state)
{
    (void)state;
    uint64_t contacts = 0, kept = 0, points = 0;
    for (uint32_t seed = 0; seed < 40; seed++) {
        char what[64];
        random_stream random = {.state = UINT64_C(0x4042) << 32 | seed};
        test_mesh a = test_mesh_random_triangles(&random, 12, 0.0, 3),
                  b = test_mesh_random_triangles(&random, 12, 0.0, 3);
        test_mesh shuffled = test_mesh_copy(&a);
        uint32_t new_face[12];
        test_mesh_shuffle(&shuffled, &random, new_face);
        snprintf(what, sizeof what, "triangles on a raster, seed %u", seed);
        const test_query query = test_query_of_pair(&a, &b, GRZ_FIND_CONTACTS),
                         swapped = test_query_of_pair(&b, &a, GRZ_FIND_CONTACTS);
        const test_query renumbered = test_query_of_pair(&shuffled, &b, GRZ_FIND_CONTACTS);
        test_answer answer = test_ask(what, &query), back = test_ask(what, &swapped),
                    other = test_ask(what, &renumbered);
        double(*own)[7] = normals_of(&answer, new_face, false), (*same)[7] = normals_of(&other, NULL, false);
        assert_int_equal(answer.contact_count, other.contact_count);
        assert_memory_equal(own, same, (size_t)answer.contact_count * sizeof *own);
        free(own);
        own = normals_of(&answer, NULL, false);
        double(*turned)[7] = normals_of(&back, NULL, true);
        for (uint64_t i = 0; i < answer.contact_count; i++) {
            const double *n = own[i] + 4, *m = turned[i] + 4;
            for (int k = 0; k < 3; k++)
                assert_true(n[k] != 0.0 || !signbit(n[k]));
            const bool negated = n[0] == -m[0] && n[1] == -m[1] && n[2] == -m[2];
            // In one plane, the same way round, B's normal is what there is.
            const bool is_kept = n[0] == m[0] && n[1] == m[1] && n[2] == m[2] && !is_zero(n);
            if (!negated && !is_kept)
                fail_msg("%s: swapped, %.17g %.17g %.17g became %.17g %.17g %.17g", what, n[0], n[1], n[2], m[0], m[1],
                         m[2]);
            const double length = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
            assert_true(is_zero(n) || fabs(length - 1.0) < 1e-14);
            kept += is_kept;
        }
        for (uint64_t i = 0; i < answer.contact_count; i++) {
            const grz_contact *c = &answer.contacts[i];
            expect_normal_turned(what, &a, answer.pairs[c->pair].face_a, &b, answer.pairs[c->pair].face_b, c->normal);
            for (uint64_t k = c->first_point; k < c->first_point + c->point_count; k++) {
                expect_feature(what, &a, answer.pairs[c->pair].face_a, answer.features[k].a, answer.points + 3 * k);
                expect_feature(what, &b, answer.pairs[c->pair].face_b, answer.features[k].b, answer.points + 3 * k);
            }
        }
        contacts += answer.contact_count;
        points += answer.point_count;
        free(own);
        free(same);
        free(turned);
        test_answer_finish(&answer);
        test_answer_finish(&back);
        test_answer_finish(&other);
        test_mesh_finish(&a);
        test_mesh_finish(&b);
        test_mesh_finish(&shuffled);
    }
    print_message("  %llu contacts, %llu of faces in one plane, %llu points\n", (unsigned long long)contacts,
                  (unsigned long long)kept, (unsigned long long)points);
    assert_true(contacts > 500 && kept < contacts / 4);
}

// Opposite faces of one slanted plane: their normals are not always each other's negative to the last bit.
static void opposite_faces_of_one_plane_negate_every_normal(void **state)
{
    (void)state;
    const double a[3][3] = {{0, 0, 0}, {1, 2, 3}, {3, 1, 2}};
    uint64_t rounded = 0;
    for (int size = 1; size < 40; size++) {
        const double b[3][3] = {{0, 0, 0}, {3 * size, size, 2 * size}, {1, 2, 3}};
        test_mesh mesh_a = {0}, mesh_b = {0};
        test_mesh_add_loose_triangle(&mesh_a, a);
        test_mesh_add_loose_triangle(&mesh_b, b);
        const test_query query = test_query_of_pair(&mesh_a, &mesh_b, GRZ_FIND_CONTACTS),
                         swapped = test_query_of_pair(&mesh_b, &mesh_a, GRZ_FIND_CONTACTS);
        test_answer answer = test_ask("opposite faces", &query), back = test_ask("opposite faces, swapped", &swapped);
        grz_unit_normal normal_a, normal_b;
        grz_triangle_normal(a, &normal_a);
        grz_triangle_normal(b, &normal_b);
        assert_true(answer.contact_count == 1 && back.contact_count == 1);
        for (int k = 0; k < 3; k++) {
            assert_true(answer.contacts[0].normal[k] == -back.contacts[0].normal[k]);
            rounded += normal_a.unit[k] != -normal_b.unit[k];
        }
        test_answer_finish(&answer);
        test_answer_finish(&back);
        test_mesh_finish(&mesh_a);
        test_mesh_finish(&mesh_b);
    }
    assert_true(rounded > 0);
}

// A mesh with itself, moved by a shear with integers and by a mirror, has the contacts that its parts have as two
// meshes.
static void parts_of_one_mesh_have_the_normals_and_features_of_two(void **state)
{
    (void)state;
    static const grz_pose poses[] = {{{{1, 2, 0, 5}, {0, 1, -3, 0}, {1, 0, 1, -7}}},
                                     {{{0, -1, 0, -0.0}, {-1, 0, 0, 0}, {0, 0, 1, -0.0}}}};
    uint64_t contacts = 0;
    for (uint32_t seed = 0; seed < 40; seed++) {
        random_stream random = {.state = UINT64_C(0x4043) << 32 | seed};
        test_mesh a = test_mesh_random_triangles(&random, 12, 0.0, 3),
                  b = test_mesh_random_triangles(&random, 12, 0.0, 3);
        test_mesh both = test_mesh_copy(&a);
        test_mesh_append(&both, &b);
        test_query query = test_query_of_pair(&a, &b, GRZ_FIND_CONTACTS),
                   self = test_query_of_self(&both, GRZ_FIND_CONTACTS);
        query.pose_a = query.pose_b = self.pose_a = poses[seed % 2];
        self.flags = GRZ_MESH_INDEX_ONLY;
        test_answer expected = test_ask("two meshes", &query), answer = test_ask("one mesh", &self);
        uint64_t next = 0;
        for (uint64_t i = 0; i < 3 * answer.point_count; i++)
            assert_true(answer.points[i] != 0.0 || !signbit(answer.points[i]));
        for (uint64_t i = 0; i < answer.contact_count; i++) {
            const grz_contact *c = &answer.contacts[i];
            if (answer.pairs[c->pair].face_a >= 12 || answer.pairs[c->pair].face_b < 12)
                continue;
            assert_true(next < expected.contact_count);
            const grz_contact *d = &expected.contacts[next++];
            assert_int_equal(c->point_count, d->point_count);
            assert_memory_equal(c->normal, d->normal, sizeof c->normal);
            for (uint64_t k = 0; k < c->point_count; k++) {
                const grz_features *f = &answer.features[c->first_point + k];
                grz_features g = expected.features[d->first_point + k];
                for (int end = 0; end < 2; end++)
                    g.b.vertex[end] += g.b.vertex[end] == GRZ_NO_VERTEX ? 0 : (uint32_t)a.vertex_count;
                // Points that are no doubles may be rounded to another order once they are moved.
                if (c->point_count == 1)
                    assert_memory_equal(f, &g, sizeof g);
            }
        }
        assert_int_equal(next, expected.contact_count);
        contacts += next;
        test_answer_finish(&expected);
        test_answer_finish(&answer);
        test_mesh_finish(&a);
        test_mesh_finish(&b);
        test_mesh_finish(&both);
    }
    assert_true(contacts > 500);
}

// A segment in the mesh stays one where the rounding of a pose bends it: the normal is that of the face that it meets.
static void a_segment_bent_by_rounding_has_no_normal(void **state)
{
    (void)state;
    static const double corners[6][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {2, -1, -1}, {2, 1, 1}, {2, 3, 3}};
    uint64_t bent = 0;
    for (int i = 1; i < 20; i++) {
        const double quaternion[4] = {0.1 * i, 0.3, -0.2, 1.0}, origin[3] = {0.1, 0.2, 0.3};
        test_mesh mesh = {0};
        test_mesh_add_loose_triangle(&mesh, corners);
        test_mesh_add_loose_triangle(&mesh, corners + 3);
        test_query query = test_query_of_self(&mesh, GRZ_FIND_CONTACTS);
        assert_int_equal(grz_pose_from_quaternion(origin, quaternion, &query.pose_a, NULL), GRZ_OK);
        test_answer answer = test_ask("a face and a segment", &query);
        double world[6][3];
        grz_unit_normal face, segment;
        for (int k = 0; k < 6; k++)
            grz_world_position(&query.pose_a, corners[k], world[k]);
        grz_triangle_normal((const double(*)[3])world, &face);
        grz_triangle_normal((const double(*)[3])(world + 3), &segment);
        bent += !segment.direction.zero;
        assert_int_equal(answer.contact_count, 1);
        for (int k = 0; k < 3; k++)
            assert_true(answer.contacts[0].normal[k] == -face.unit[k]);
        test_answer_finish(&answer);
        test_mesh_finish(&mesh);
    }
    assert_true(bent > 5);
}

// B comes through A in a segment of a third of an ulp: from its edge p-q to its edge p-r, both rounded to one place.
static void points_rounded_to_one_position_keep_their_exact_order(void **state)
{
    (void)state;
    static const double face[3][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    static const double corners[3][3] = {{1, 0.25, -1}, {1 + 0x1p-52, 0.25, 2}, {1 + 0x1p-52, 0.25, 1.25}};
    static const uint32_t orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    for (int i = 0; i < 6; i++) {
        test_mesh a = {0}, b = {0};
        test_mesh_add_loose_triangle(&a, face);
        for (int k = 0; k < 3; k++)
            test_mesh_add_vertex(&b, corners[k][0], corners[k][1], corners[k][2]);
        test_mesh_add_triangle(&b, orders[i][0], orders[i][1], orders[i][2]);
        for (int swap = 0; swap < 2; swap++) {
            const test_query query = test_query_of_pair(swap ? &b : &a, swap ? &a : &b, GRZ_FIND_CONTACTS);
            test_answer answer = test_ask("two points of one place", &query);
            assert_int_equal(answer.point_count, 2);
            assert_memory_equal(answer.points, answer.points + 3, 3 * sizeof(double));
            for (uint32_t k = 0; k < 2; k++) { // at 1/3 and 4/9 of the way
                const grz_feature *feature = swap ? &answer.features[k].a : &answer.features[k].b;
                assert_int_equal(feature->vertex[0], 0);
                assert_int_equal(feature->vertex[1], 1 + k);
            }
            test_answer_finish(&answer);
        }
        test_mesh_finish(&a);
        test_mesh_finish(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normals_of_small_cases_are_known),
        cmocka_unit_test(diagonals_are_inside_of_the_face),
        cmocka_unit_test(normals_ignore_diagonals),
        cmocka_unit_test(diagonals_of_a_flat_face_are_not_named),
        cmocka_unit_test(directions_are_close_for_triangles_of_all_shapes),
        cmocka_unit_test(tiny_triangles_have_the_directions_of_large_ones),
        cmocka_unit_test(swapping_negates_and_renumbering_keeps_every_normal),
        cmocka_unit_test(opposite_faces_of_one_plane_negate_every_normal),
        cmocka_unit_test(parts_of_one_mesh_have_the_normals_and_features_of_two),
        cmocka_unit_test(points_rounded_to_one_position_keep_their_exact_order),
        cmocka_unit_test(a_segment_bent_by_rounding_has_no_normal),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    test_queries_finish();
    return failed;
}
