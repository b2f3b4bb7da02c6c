// SPDX-License-Identifier: MIT
// When a moving triangle meets another: against the oracle of translations (tests/oracle), which finds the times in
// another way. The pairs are those of the other exact tests, moved in directions of twelve kinds. Also: enclosures
// hold, the filter of every width drops no pair that meets, contacts have the right features and normals, and no order
// matters.
// GRZ_ORACLE_PAIRS: how many pairs in all.
// ctest: timeout 900
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gmp.h>

#include "geometry/sweep/meeting.h"
#include "geometry/sweep/meeting_filter.h"
#include "geometry/triangle/triangle.h"
#include "oracle.h"
#include "oracle_translation.h"
#include "pair_generator.h"
#include "support_sanitizer.h"

enum {
    PAIRS = TEST_SANITIZED ? 8000 : 24000, // in all, unless GRZ_ORACLE_PAIRS says more; with a sanitizer never more
    PARTS = GRZ_TRANSLATION_PARTS
};

typedef double triangle[3][3];
typedef double motion_parts[3][PARTS];
typedef const double (*rows)[3];
typedef const double (*part_rows)[PARTS];

// ---- Pairs --------------------------------------------------------------------------------------------------------

// The classes of the generator, and three more.
enum {
    DEGENERATE = PAIR_CLASS_COUNT, // both triangles are segments or points
    EXTREME,                       // coordinates of all sizes together, from subnormal ones to 2^300
    SYMMETRIC,                     // coordinates -1, 0 and 1: several normals are equally good
    GROUPS
};

static const char *group_name(int group)
{
    return group == DEGENERATE  ? "degenerate"
           : group == EXTREME   ? "extreme"
           : group == SYMMETRIC ? "symmetric"
                                : pair_class_name((pair_class)group);
}

static random_stream stream_of(int group, uint64_t block)
{
    return group < PAIR_CLASS_COUNT ? random_stream_of_block((pair_class)group, block)
                                    : random_stream_of_block(PAIR_GRID, 1000 * block + (uint64_t)group);
}

static void flatten(random_stream *random, triangle t)
{
    const uint32_t how = random_below(random, 3);
    memcpy(t[2], t[how == 0 ? 1 : 0], sizeof t[2]);
    if (how == 1)
        memcpy(t[1], t[0], sizeof t[1]);
    for (int k = 0; k < 3 && how == 2; k++)
        t[2][k] = 0.5 * t[0][k] + 0.5 * t[1][k]; // inside the segment, where that is exact
}

// Move a triangle along an axis, by its own size or by far less or more: most pairs of the generator touch.
static void move_away(random_stream *random, triangle b)
{
    const uint32_t axis = random_below(random, 3);
    double size = 0.0;
    for (int i = 0; i < 3; i++)
        size = fmax(size, fabs(b[i][axis] - b[(i + 1) % 3][axis]));
    const double by = ldexp(size, (int)random_below(random, 8) - 4);
    for (int i = 0; i < 3; i++)
        b[i][axis] += by;
}

static void generate(random_stream *random, int group, triangle a, triangle b)
{
    if (group == EXTREME) {
        const int low = random_below(random, 4) == 0 ? -1074 : -1074 + (int)random_below(random, 1300),
                  most = 300 - low;
        const int high = low + (int)random_below(random, (uint32_t)most);
        for (int i = 0; i < 9; i++) {
            a[i / 3][i % 3] = random_extreme(random, low, high);
            b[i / 3][i % 3] = random_below(random, 4) == 0 ? a[i / 3][i % 3] : random_extreme(random, low, high);
        }
        return;
    }
    for (int i = 0; i < 9 && group == SYMMETRIC; i++) {
        a[i / 3][i % 3] = (double)random_below(random, 3) - 1.0;
        b[i / 3][i % 3] = (double)random_below(random, 3) + (i % 3 == 0 ? 1.0 : -1.0);
    }
    if (group == SYMMETRIC)
        return;
    pair_generate(group == DEGENERATE ? PAIR_GRID : (pair_class)group, random, a, b);
    if (group == DEGENERATE) {
        flatten(random, a);
        flatten(random, b);
    }
    if (random_below(random, 4) != 0)
        move_away(random, b);
}

// ---- Directions ---------------------------------------------------------------------------------------------------

typedef enum direction_kind {
    ANY,
    AXIS,          // along a coordinate axis
    LATTICE,       // small integers
    TO_CORNER,     // a corner of A goes to a corner of B
    TO_POINT,      // a point of A goes nearly to a point of B
    ALONG_A,       // along an edge of A
    ALONG_B,       // along an edge of B
    IN_PLANE_OF_A, // exactly
    IN_PLANE_OF_B,
    TINY,      // to a corner, but by 2^-300 to 2^-900
    HUGE_ONE,  // the same, by 2^100 to 2^290
    LOW_PARTS, // with low parts that doubles cannot hold
    KINDS
} direction_kind;

static const char *const kind_names[KINDS] = {"any",        "axis",    "lattice", "to corner",
                                              "to point",   "along A", "along B", "in plane A",
                                              "in plane B", "tiny",    "huge",    "low parts"};

static void between(const double from[3], const double to[3], motion_parts parts)
{
    for (int k = 0; k < 3; k++) {
        parts[k][0] = to[k];
        parts[k][1] = -from[k];
    }
}

static void scale(motion_parts parts, int exponent)
{
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < PARTS; i++)
            parts[k][i] = ldexp(parts[k][i], exponent);
}

static void choose_point(random_stream *random, const triangle t, double p[3])
{
    const double r = 0.125 * random_below(random, 5), s = 0.125 * random_below(random, 5);
    for (int k = 0; k < 3; k++)
        p[k] = t[0][k] + (r * (t[1][k] - t[0][k]) + s * (t[2][k] - t[0][k]));
}

// A sum of two edges, or of an edge and a half of another.
static void in_plane(random_stream *random, const triangle t, motion_parts parts)
{
    const uint32_t i = random_below(random, 3), j = random_below(random, 2);
    const double by = j == 0 ? 0.5 : 2.0;
    for (int k = 0; k < 3; k++) {
        parts[k][0] = t[(i + 1) % 3][k];
        parts[k][1] = -t[i][k];
        parts[k][2] = by * t[(i + 2) % 3][k];
        parts[k][3] = -by * t[i][k];
    }
}

static void choose_direction(random_stream *random, direction_kind kind, const triangle a, const triangle b,
                             motion_parts parts)
{
    double p[3], q[3];
    memset(parts, 0, sizeof(motion_parts));
    const uint32_t i = random_below(random, 3), j = random_below(random, 3);
    switch (kind) {
    case ANY:
        for (int k = 0; k < 3; k++)
            parts[k][0] = random_signed(random);
        break;
    case AXIS:
        parts[i][0] = random_below(random, 2) == 0 ? 1.0 : random_signed(random);
        break;
    case LATTICE:
        for (int k = 0; k < 3; k++)
            parts[k][0] = (double)random_below(random, 5) - 2.0;
        break;
    case TO_POINT:
        choose_point(random, a, p);
        choose_point(random, b, q);
        for (int k = 0; k < 3; k++)
            parts[k][0] = q[k] - p[k];
        break;
    case ALONG_A:
        between(a[i], a[(i + 1) % 3], parts);
        break;
    case ALONG_B:
        between(b[i], b[(i + 1) % 3], parts);
        break;
    case IN_PLANE_OF_A:
        in_plane(random, a, parts);
        break;
    case IN_PLANE_OF_B:
        in_plane(random, b, parts);
        break;
    default:
        between(a[i], b[j], parts);
    }
    if (kind == TINY)
        scale(parts, -300 - (int)random_below(random, 600));
    if (kind == HUGE_ONE)
        scale(parts, 100 + (int)random_below(random, 190));
    for (int k = 0; k < 3 && kind == LOW_PARTS; k++) {
        parts[k][2] = ldexp(parts[k][0], -60 - (int)random_below(random, 20)) * random_signed(random);
        parts[k][3] = ldexp(parts[k][1], -120) * random_signed(random);
    }
    for (int k = 0; k < 3; k++)
        for (int at = 0; at < PARTS; at++)
            if (!(fabs(parts[k][at]) <= 0x1p300))
                parts[k][at] = 1.0;
}

static bool is_no_motion(part_rows parts)
{
    grz_translation motion;
    grz_translation_set(&motion, parts);
    return motion.is_zero;
}

// ---- What is checked ----------------------------------------------------------------------------------------------

typedef enum outcome {
    MISSES,
    PASSES,     // enter < leave, after time 0
    TOUCHES,    // enter = leave, after time 0
    BEFORE,     // leaves before time 0
    STARTS_MET, // meets at time 0
    OUTCOMES
} outcome;

static const char *const outcome_names[OUTCOMES] = {"misses", "passes", "touches", "before", "starts met"};

typedef struct checker {
    oracle_translation o;
    oracle_translation before; // the pair before this one
    grz_meeting meeting, earlier;
    grz_translation motion, earlier_motion;
    mpq_t x, y;
    random_stream random;
    uint64_t open, sure, never, pairs, dropped, could_drop, vertices, faces_flush, edges_flush, exact_times;
} checker;

static void set_integer(mpz_t out, const grz_integer *x)
{
    mpz_import(out, (size_t)x->count, -1, sizeof x->limb[0], 0, 0, x->limb);
    if (x->sign < 0)
        mpz_neg(out, out);
}

static int compare_double(checker *c, double t, mpq_t exact)
{
    if (isinf(t))
        return t > 0.0 ? 1 : -1;
    mpq_set_d(c->x, t);
    const int order = mpq_cmp(c->x, exact);
    return (order > 0) - (order < 0);
}

static void check_time(checker *c, const grz_time *time, mpq_t exact)
{
    set_integer(mpq_numref(c->x), &time->numerator);
    set_integer(mpq_denref(c->x), &time->denominator);
    assert_true(mpz_sgn(mpq_denref(c->x)) > 0);
    mpz_mul_2exp(time->exponent >= 0 ? mpq_numref(c->x) : mpq_denref(c->x),
                 time->exponent >= 0 ? mpq_numref(c->x) : mpq_denref(c->x), (mp_bitcnt_t)abs(time->exponent));
    mpq_canonicalize(c->x);
    if (!mpq_equal(c->x, exact))
        fail_msg("a time is %g, not %g", mpq_get_d(c->x), mpq_get_d(exact));
}

static bool is_even(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits % 2 == 0;
}

static void check_rounding(checker *c, grz_time_rounded r, mpq_t exact)
{
    const int low = compare_double(c, r.lower, exact), high = compare_double(c, r.upper, exact);
    if (low == 0) {
        assert_true(r.lower == r.upper && r.nearest == r.lower);
        return;
    }
    assert_true(low < 0 && high > 0 && nextafter(r.lower, HUGE_VAL) == r.upper);
    if (isinf(r.lower) || isinf(r.upper))
        return;
    mpq_set_d(c->x, r.lower);
    mpq_set_d(c->y, r.upper);
    mpq_add(c->x, c->x, c->y);
    mpq_div_2exp(c->x, c->x, 1);
    const int middle = mpq_cmp(c->x, exact);
    const double nearest = middle > 0 || (middle == 0 && is_even(r.lower)) ? r.lower : r.upper;
    if (r.nearest != nearest)
        fail_msg("%a, between %a and %a, is not the nearest", r.nearest, r.lower, r.upper);
}

static void check_enclosures(checker *c, const grz_meeting *m)
{
    if (m->state == GRZ_MEETING_NEVER ? c->o.meets : m->state == GRZ_MEETING_SURE && !c->o.meets)
        fail_msg("doubles say %d, the oracle %d", m->state, c->o.meets);
    if (!c->o.meets)
        return;
    if (compare_double(c, m->enter_low, c->o.enter) > 0 || compare_double(c, m->enter_high, c->o.enter) < 0 ||
        compare_double(c, m->leave_low, c->o.leave) > 0 || compare_double(c, m->leave_high, c->o.leave) < 0)
        fail_msg("enter %g is not in [%g, %g], or leave %g not in [%g, %g]", mpq_get_d(c->o.enter), m->enter_low,
                 m->enter_high, mpq_get_d(c->o.leave), m->leave_low, m->leave_high);
}

// Comparisons with doubles, some of them equal to an end.
static void check_comparisons(checker *c, grz_meeting *m)
{
    const grz_time_rounded enter = grz_meeting_round(m, GRZ_MEETING_ENTER),
                           leave = grz_meeting_round(m, GRZ_MEETING_LEAVE);
    const double times[] = {enter.lower, enter.upper, leave.lower, leave.upper, 0.0, 1.0, -HUGE_VAL, HUGE_VAL};
    check_rounding(c, enter, c->o.enter);
    check_rounding(c, leave, c->o.leave);
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        const int to_enter = -compare_double(c, times[i], c->o.enter),
                  to_leave = -compare_double(c, times[i], c->o.leave);
        c->exact_times += to_enter == 0 || to_leave == 0;
        assert_int_equal(grz_meeting_compare_to(m, GRZ_MEETING_ENTER, times[i]), to_enter);
        assert_int_equal(grz_meeting_compare_to(m, GRZ_MEETING_LEAVE, times[i]), to_leave);
        assert_int_equal(grz_meeting_within(m, times[i], times[i]), to_enter <= 0 && to_leave >= 0);
        assert_int_equal(grz_meeting_within(m, times[i], HUGE_VAL), to_leave >= 0);
    }
}

static int sign_of(int x)
{
    return (x > 0) - (x < 0);
}

// Compare the ends with those of the pair before.
static void check_against_earlier(checker *c, grz_meeting *m)
{
    if (c->before.meets) {
        assert_int_equal(grz_meeting_compare(m, GRZ_MEETING_ENTER, &c->earlier, GRZ_MEETING_ENTER),
                         sign_of(mpq_cmp(c->o.enter, c->before.enter)));
        assert_int_equal(grz_meeting_compare(m, GRZ_MEETING_LEAVE, &c->earlier, GRZ_MEETING_ENTER),
                         sign_of(mpq_cmp(c->o.leave, c->before.enter)));
    }
    assert_int_equal(grz_meeting_compare(m, GRZ_MEETING_ENTER, m, GRZ_MEETING_LEAVE),
                     sign_of(mpq_cmp(c->o.enter, c->o.leave)));
}

// ---- Contacts -----------------------------------------------------------------------------------------------------

static int corners_of(uint8_t feature)
{
    if (feature <= GRZ_CORNER_2)
        return 1 << feature;
    const int i = feature - GRZ_EDGE_0;
    return feature == GRZ_FACE ? 7 : 1 << i | 1 << (i + 1) % 3;
}

static double size_of(const triangle a, const triangle b)
{
    double size = 0.0;
    for (int i = 0; i < 9; i++)
        size = fmax(size, fmax(fabs(a[i / 3][i % 3]), fabs(b[i / 3][i % 3])));
    return size;
}

// The plane through the point, with this normal, separates the two at that time, as far as rounding lets one see.
static void check_plane(checker *c, const triangle a, const triangle b, const grz_meeting_contact *contact)
{
    const double tolerance = 0x1p-42 * size_of(a, b) + 0x1p-1060;
    double least = HUGE_VAL, most = -HUGE_VAL;
    if (!(isfinite(contact->point[0]) && isfinite(contact->point[1]) && isfinite(contact->point[2])))
        fail_msg("the point of the contact of features %d and %d is not finite", contact->a, contact->b);
    for (int i = 0; i < 6; i++) {
        double height = 0.0;
        for (int k = 0; k < 3; k++) {
            mpq_set_d(c->x, i < 3 ? a[i][k] : b[i - 3][k]);
            if (i < 3) {
                mpq_set(c->y, c->o.enter);
                mpz_mul(mpq_numref(c->y), mpq_numref(c->y), c->o.v[k]);
                mpq_canonicalize(c->y);
                if (c->o.of_v >= 0)
                    mpq_mul_2exp(c->y, c->y, (mp_bitcnt_t)c->o.of_v);
                else
                    mpq_div_2exp(c->y, c->y, (mp_bitcnt_t)-c->o.of_v);
                mpq_add(c->x, c->x, c->y);
            }
            mpq_set_d(c->y, contact->point[k]);
            mpq_sub(c->x, c->x, c->y);
            height += contact->normal[k] * mpq_get_d(c->x);
        }
        if (i < 3)
            least = fmin(least, height);
        else
            most = fmax(most, height);
        if (((i < 3 ? corners_of(contact->a) : corners_of(contact->b)) >> i % 3 & 1) != 0 &&
            !(fabs(height) <= tolerance))
            fail_msg("corner %d is %g away from the plane of the contact", i, height);
    }
    if (!(least >= -tolerance && most <= tolerance))
        fail_msg("the plane of the contact does not separate: %g and %g", least, most);
}

static bool is_normal_of(const triangle t, const double normal[3])
{
    double n[3], u[3], v[3], size = 0.0, most = 0.0;
    for (int i = 0; i < 9; i++)
        size = fmax(size, fabs(t[1 + i % 2][i / 3 % 3] - t[0][i / 3 % 3]));
    for (int k = 0; k < 3; k++) {
        u[k] = (t[1][k] - t[0][k]) / size;
        v[k] = (t[2][k] - t[0][k]) / size;
    }
    for (int k = 0; k < 3; k++)
        n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; k++)
        most = fmax(most, fabs(n[(k + 1) % 3] * normal[(k + 2) % 3] - n[(k + 2) % 3] * normal[(k + 1) % 3]));
    return most <= 1e-6 * length || length < 1e-7; // a sliver's own normal cannot be trusted in doubles
}

static bool is_same(const double p[3], const double q[3])
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

// A feature and the corners that the oracle found. Of a triangle without area several features are the same points.
static void check_feature(rows t, uint8_t feature, uint8_t corners)
{
    if (grz_triangle_dimension(t) == 2) {
        assert_int_equal(corners_of(feature), corners);
        return;
    }
    const int i = feature > GRZ_CORNER_2 ? feature - GRZ_EDGE_0 : feature, j = feature > GRZ_CORNER_2 ? (i + 1) % 3 : i;
    bool is_point = true;
    assert_true(feature < GRZ_FACE);
    for (int at = 0; at < 3; at++)
        for (int k = 0; k < 3 && (corners >> at & 1) != 0; k++) {
            assert_true(t[at][k] >= fmin(t[i][k], t[j][k]) && t[at][k] <= fmax(t[i][k], t[j][k]));
            is_point = is_point && t[at][k] == t[i][k];
        }
    assert_true(i == j ? is_point : !is_same(t[i], t[j]));
}

static void check_contact(checker *c, grz_meeting *m, grz_meeting_contact *contact)
{
    const int at_zero = compare_double(c, 0.0, c->o.enter);
    const bool found = grz_meeting_contact_at_enter(m, contact);
    rows a = (rows)m->a, b = (rows)m->b;
    assert_int_equal(found, at_zero <= 0);
    if (!found)
        return;
    const double *n = contact->normal;
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(fabs(length - 1.0) < 1e-15))
        fail_msg("the normal is %g long", length);
    double against = 0.0, v_size = 0.0;
    for (int k = 0; k < 3; k++) {
        against -= n[k] * m->motion->v[k];
        v_size = fmax(v_size, fabs(m->motion->v[k]));
    }
    assert_true(against >= -1e-15 * v_size - 0x1p-1070);
    check_feature(a, contact->a, c->o.a);
    check_feature(b, contact->b, c->o.b);
    check_plane(c, a, b, contact);
    const bool face_a = oracle_translation_enters_face(&c->o, 0), face_b = oracle_translation_enters_face(&c->o, 1);
    if (face_a || face_b)
        assert_true((face_a && is_normal_of(a, n)) || (face_b && is_normal_of(b, n)));
    c->vertices += contact->a <= GRZ_CORNER_2 || contact->b <= GRZ_CORNER_2;
    c->faces_flush += contact->a == GRZ_FACE && contact->b == GRZ_FACE;
    c->edges_flush += (contact->a > GRZ_EDGE_2) != (contact->b > GRZ_EDGE_2) && contact->a > GRZ_CORNER_2 &&
                      contact->b > GRZ_CORNER_2;
}

// ---- Orders -------------------------------------------------------------------------------------------------------

// Turn the corners of a triangle, or reverse their order: corner i is corner order[i] of `from`.
static void reorder(triangle to, const triangle from, uint32_t by, int order[3])
{
    for (uint32_t i = 0; i < 3; i++) {
        order[i] = (int)((by < 3 ? i + by : 2 * by - i) % 3);
        memcpy(to[i], from[order[i]], sizeof to[i]);
    }
}

static int corners_before(uint8_t feature, const int order[3])
{
    int corners = 0;
    for (int i = 0; i < 3; i++)
        corners |= (corners_of(feature) >> i & 1) << order[i];
    return corners;
}

static void check_order(checker *c, grz_meeting *m, const grz_meeting_contact *contact)
{
    triangle a, b;
    int order_a[3], order_b[3];
    grz_meeting_contact other;
    static grz_meeting again, swapped;
    static grz_translation back;
    reorder(a, (rows)m->a, random_below(&c->random, 6), order_a);
    reorder(b, (rows)m->b, random_below(&c->random, 6), order_b);
    assert_true(grz_meeting_set(&again, (rows)a, (rows)b, m->motion) && grz_meeting_happens(&again));
    assert_int_equal(grz_meeting_compare(&again, GRZ_MEETING_ENTER, m, GRZ_MEETING_ENTER), 0);
    assert_int_equal(grz_meeting_compare(&again, GRZ_MEETING_LEAVE, m, GRZ_MEETING_LEAVE), 0);
    grz_translation_reverse(m->motion, &back);
    assert_true(grz_meeting_set(&swapped, (rows)b, (rows)a, &back) && grz_meeting_happens(&swapped));
    assert_int_equal(grz_meeting_compare(&swapped, GRZ_MEETING_ENTER, m, GRZ_MEETING_ENTER), 0);
    assert_int_equal(grz_meeting_compare(&swapped, GRZ_MEETING_LEAVE, m, GRZ_MEETING_LEAVE), 0);
    if (grz_meeting_compare_to(m, GRZ_MEETING_ENTER, 0.0) < 0)
        return;
    const bool full_a = grz_triangle_dimension((rows)a) == 2, full_b = grz_triangle_dimension((rows)b) == 2;
    assert_true(grz_meeting_contact_at_enter(&again, &other));
    assert_memory_equal(other.normal, contact->normal, sizeof other.normal);
    assert_memory_equal(other.point, contact->point, sizeof other.point);
    assert_true(!full_a || corners_before(other.a, order_a) == corners_of(contact->a));
    assert_true(!full_b || corners_before(other.b, order_b) == corners_of(contact->b));
    assert_true(grz_meeting_contact_at_enter(&swapped, &other));
    for (int k = 0; k < 3; k++)
        assert_true(other.normal[k] == -contact->normal[k]);
    assert_true(!full_a || corners_before(other.b, order_a) == corners_of(contact->a));
    assert_true(!full_b || corners_before(other.a, order_b) == corners_of(contact->b));
}

// ---- The filter ---------------------------------------------------------------------------------------------------

static void check_filter(checker *c, rows a, rows b, const grz_translation *motion)
{
    triangle four[4];
    static const double limits[] = {HUGE_VAL, 1.0, 0.0};
    double enter[4], leave[4], until[4] = {limits[0], limits[1], limits[2], 0.0};
    grz_meeting_mover mover;
    grz_meeting_packet packet;
    const uint32_t lane = random_below(&c->random, 4), count = lane + 1 + random_below(&c->random, 4 - lane);
    for (uint32_t i = 0; i < 4; i++)
        memcpy(four[i], i == lane ? b : (rows)(random_below(&c->random, 2) == 0 ? c->earlier.a : c->earlier.b),
               sizeof four[i]);
    grz_meeting_mover_set(&mover, a, motion->v);
    grz_meeting_packet_set(&packet, count, (const double(*)[3][3])four);
    const bool later = c->o.meets && mpq_sgn(c->o.leave) >= 0;
    if (later && mpq_sgn(c->o.enter) > 0) { // exactly the time of entering, if it is a double
        until[3] = mpq_get_d(c->o.enter);
        if (compare_double(c, until[3], c->o.enter) < 0)
            until[3] = nextafter(until[3], HUGE_VAL);
    }
    for (int i = 0; i < 4; i++) {
        uint32_t first = 0;
        for (int width = 0; width < GRZ_SIMD_COUNT; width++) {
            if (!grz_simd_available((grz_simd)width))
                continue;
            const uint32_t bits = grz_meeting_filter_for((grz_simd)width)(&mover, &packet, until[i], enter, leave);
            if (width == 0)
                first = bits;
            assert_int_equal(bits, first);
            const bool meets = later && compare_double(c, until[i], c->o.enter) >= 0;
            if (meets && (bits >> lane & 1) == 0)
                fail_msg("the filter drops a pair that meets at %g, until %g", mpq_get_d(c->o.enter), until[i]);
            if (meets && (compare_double(c, leave[lane], c->o.leave) < 0 ||
                          (mpq_sgn(c->o.enter) > 0 && compare_double(c, enter[lane], c->o.enter) > 0)))
                fail_msg("the filter says %g to %g, it is %g to %g", enter[lane], leave[lane], mpq_get_d(c->o.enter),
                         mpq_get_d(c->o.leave));
            if (width == 0 && i == 0) {
                c->could_drop += !meets;
                c->dropped += !meets && (bits >> lane & 1) == 0;
            }
        }
    }
}

// ---- One pair -----------------------------------------------------------------------------------------------------

static outcome outcome_of(checker *c)
{
    if (!c->o.meets)
        return MISSES;
    if (mpq_sgn(c->o.leave) < 0)
        return BEFORE;
    if (mpq_sgn(c->o.enter) < 0)
        return STARTS_MET;
    return mpq_equal(c->o.enter, c->o.leave) ? TOUCHES : PASSES;
}

static outcome check_pair(checker *c, rows a, rows b, part_rows parts)
{
    grz_meeting *m = &c->meeting;
    grz_meeting_contact contact;
    oracle_translation_find(&c->o, a, b, parts);
    grz_translation_set(&c->motion, parts);
    const bool may = grz_meeting_set(m, a, b, &c->motion);
    assert_int_equal(may, m->state != GRZ_MEETING_NEVER);
    c->pairs++;
    c->open += m->state == GRZ_MEETING_OPEN;
    c->sure += m->state == GRZ_MEETING_SURE;
    c->never += m->state == GRZ_MEETING_NEVER;
    check_enclosures(c, m);
    check_filter(c, a, b, &c->motion);
    if (grz_meeting_happens(m) != c->o.meets)
        fail_msg("meets: %d, the oracle says %d", m->state == GRZ_MEETING_SURE, c->o.meets);
    if (!c->o.meets)
        return MISSES;
    check_against_earlier(c, m);
    check_comparisons(c, m);
    (void)grz_meeting_compare(m, GRZ_MEETING_ENTER, m, GRZ_MEETING_ENTER);
    check_contact(c, m, &contact);
    check_enclosures(c, m);
    assert_true(!m->is_exact || nextafter(m->enter_low, HUGE_VAL) >= m->enter_high);
    if (m->is_exact) {
        check_time(c, &m->ends[GRZ_MEETING_ENTER], c->o.enter);
        check_time(c, &m->ends[GRZ_MEETING_LEAVE], c->o.leave);
    }
    if (random_below(&c->random, 3) == 0)
        check_order(c, m, &contact);
    return outcome_of(c);
}

static void keep_as_earlier(checker *c)
{
    c->before.meets = c->o.meets;
    mpq_set(c->before.enter, c->o.enter);
    c->earlier_motion = c->motion;
    c->earlier = c->meeting;
    c->earlier.motion = &c->earlier_motion;
}

static uint64_t pairs_wanted(void)
{
    const char *text = getenv("GRZ_ORACLE_PAIRS");
    const long long wanted = text != NULL ? strtoll(text, NULL, 10) : 0;
    return wanted > 0 && !(TEST_SANITIZED && wanted > PAIRS) ? (uint64_t)wanted : PAIRS;
}

// A motion that takes a corner to a corner meets at time 1; other aimed ones nearly do.
static bool is_out_of_question(int kind, outcome result)
{
    return kind == TO_CORNER && (result == MISSES || result == BEFORE);
}

static bool is_unlikely(int kind, outcome result)
{
    return (kind == TINY || kind == HUGE_ONE || kind == LOW_PARTS || kind == TO_POINT) && result == BEFORE;
}

// Print the counts; true if no cell is empty that should not be, nor the other way round.
static bool print_table(uint64_t table[GROUPS + KINDS][OUTCOMES])
{
    bool is_right = true;
    print_message("%-14s", "");
    for (int i = 0; i < OUTCOMES; i++)
        print_message(" %10s", outcome_names[i]);
    for (int row = 0; row < GROUPS + KINDS; row++) {
        const int kind = row - GROUPS;
        print_message("\n%-14s", kind < 0 ? group_name(row) : kind_names[kind]);
        for (int i = 0; i < OUTCOMES; i++) {
            const uint64_t count = table[row][i];
            print_message(" %10llu", (unsigned long long)count);
            if (kind >= 0 && is_out_of_question(kind, (outcome)i))
                is_right = is_right && count == 0;
            else if (kind < 0 || !is_unlikely(kind, (outcome)i))
                is_right = is_right && count > 0;
        }
    }
    print_message("\n");
    return is_right;
}

static void init(checker *c)
{
    memset(c, 0, sizeof *c);
    oracle_translation_init(&c->o);
    oracle_translation_init(&c->before);
    mpq_inits(c->x, c->y, NULL);
    c->earlier.motion = &c->earlier_motion;
}

static void finish(checker *c)
{
    oracle_translation_finish(&c->o);
    oracle_translation_finish(&c->before);
    mpq_clears(c->x, c->y, NULL);
}

static void times_are_those_of_the_oracle(void **state)
{
    static checker c;
    static uint64_t table[GROUPS + KINDS][OUTCOMES];
    const uint64_t each = pairs_wanted() / (GROUPS * KINDS) + 1;
    (void)state;
    init(&c);
    for (int group = 0; group < GROUPS; group++) {
        c.random = stream_of(group, 11);
        const checker start = c;
        for (uint64_t i = 0; i < each * KINDS; i++) {
            const direction_kind kind = (direction_kind)(i % KINDS);
            triangle a, b;
            motion_parts parts;
            generate(&c.random, group, a, b);
            choose_direction(&c.random, kind, (rows)a, (rows)b, parts);
            if (is_no_motion((part_rows)parts))
                continue;
            const outcome result = check_pair(&c, (rows)a, (rows)b, (part_rows)parts);
            table[group][result]++;
            table[GROUPS + kind][result]++;
            keep_as_earlier(&c);
        }
        print_message(
            "%-14s exact stage %4.1f%%, surely %4.1f%%, never %4.1f%%; the filter drops %4.1f%% of the misses\n",
            group_name(group), 100.0 * (double)(c.open - start.open) / (double)(each * KINDS),
            100.0 * (double)(c.sure - start.sure) / (double)(each * KINDS),
            100.0 * (double)(c.never - start.never) / (double)(each * KINDS),
            100.0 * (double)(c.dropped - start.dropped) / (double)(c.could_drop - start.could_drop));
        // A filter that drops nothing would be as right, but of no use.
        assert_true(group != PAIR_RANDOM || 2 * (c.dropped - start.dropped) > c.could_drop - start.could_drop);
    }
    print_message(
        "contacts: %llu with a corner, %llu of two faces, %llu of a face and an edge; %llu times equal to a double\n",
        (unsigned long long)c.vertices, (unsigned long long)c.faces_flush, (unsigned long long)c.edges_flush,
        (unsigned long long)c.exact_times);
    assert_true(print_table(table));
    assert_true(c.vertices > 0 && c.faces_flush > 0 && c.edges_flush > 0 && c.exact_times > 0);
    finish(&c);
}

// Without a motion: always or never, as the triangles touch.
static void no_motion_is_an_ordinary_question(void **state)
{
    static const motion_parts none = {{1.0, -1.0, 0.0, 0.0}, {0.0}, {0x1p-1074, 0x1p200, -0x1p-1074, -0x1p200}};
    grz_translation motion;
    static grz_meeting m;
    oracle *o = oracle_create();
    uint64_t counts[2] = {0, 0};
    (void)state;
    grz_translation_set(&motion, none);
    assert_true(o != NULL && motion.is_zero);
    for (int group = 0; group < PAIR_CLASS_COUNT; group++) {
        random_stream random = random_stream_of_block((pair_class)group, 12);
        for (int i = 0; i < 200; i++) {
            triangle a, b;
            oracle_answer answer;
            grz_meeting_contact contact;
            pair_generate((pair_class)group, &random, a, b);
            oracle_intersect(o, (rows)a, (rows)b, &answer);
            const bool touch = answer.points > 0;
            counts[touch]++;
            assert_int_equal(grz_meeting_set(&m, (rows)a, (rows)b, &motion), touch);
            if (!touch)
                continue;
            assert_true(m.always && grz_meeting_happens(&m) && !grz_meeting_contact_at_enter(&m, &contact));
            assert_true(grz_meeting_within(&m, 0.0, 0.0) && grz_meeting_within(&m, -HUGE_VAL, HUGE_VAL));
            assert_int_equal(grz_meeting_compare_to(&m, GRZ_MEETING_ENTER, 0.0), -1);
            assert_int_equal(grz_meeting_compare_to(&m, GRZ_MEETING_LEAVE, 1.0), 1);
            assert_true(grz_meeting_round(&m, GRZ_MEETING_ENTER).nearest == -HUGE_VAL &&
                        grz_meeting_round(&m, GRZ_MEETING_LEAVE).nearest == HUGE_VAL);
        }
    }
    assert_true(counts[0] > 100 && counts[1] > 100);
    oracle_destroy(o);
}

// a + t · v, if all of it is exact in doubles.
static bool move_exactly(checker *c, rows a, const double v[3], double t, triangle out)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            out[i][k] = a[i][k] + t * v[k];
            mpq_set_d(c->x, t);
            mpq_set_d(c->y, v[k]);
            mpq_mul(c->x, c->x, c->y);
            mpq_set_d(c->y, a[i][k]);
            mpq_add(c->x, c->x, c->y);
            mpq_set_d(c->y, out[i][k]);
            if (!mpq_equal(c->x, c->y))
                return false;
        }
    return true;
}

// At times t at which a + t · v is exact in doubles, the predicates for triangles that stand still agree.
static void times_agree_with_the_predicates(void **state)
{
    static checker c;
    uint64_t asked[2] = {0, 0};
    (void)state;
    init(&c);
    for (int group = 0; group < PAIR_CLASS_COUNT; group++) {
        random_stream random = random_stream_of_block((pair_class)group, 13);
        for (int i = 0; i < 1500; i++) {
            triangle a, b, moved;
            motion_parts parts;
            double v[3];
            pair_generate((pair_class)group, &random, a, b);
            choose_direction(&random, random_below(&random, 2) == 0 ? LATTICE : TO_CORNER, (rows)a, (rows)b, parts);
            for (int k = 0; k < 3; k++) {
                v[k] = parts[k][0] + parts[k][1];
                parts[k][0] = v[k];
                parts[k][1] = 0.0;
            }
            grz_translation_set(&c.motion, (part_rows)parts);
            grz_meeting_set(&c.meeting, (rows)a, (rows)b, &c.motion);
            for (int at = -8; at <= 8; at++) {
                const double t = 0.125 * at;
                if (!move_exactly(&c, (rows)a, v, t, moved))
                    continue;
                const bool touch = grz_triangles_touch((rows)moved, (rows)b);
                asked[touch]++;
                if (grz_meeting_within(&c.meeting, t, t) != touch)
                    fail_msg("at %g the triangles %s", t, touch ? "touch" : "do not touch");
            }
        }
    }
    print_message("at exact positions: %llu apart, %llu touching\n", (unsigned long long)asked[0],
                  (unsigned long long)asked[1]);
    assert_true(asked[0] > 10000 && asked[1] > 10000);
    finish(&c);
}

// Beside the long edge of B, that of A is rounded to a point.
static void short_edges_have_a_point_too(void **state)
{
    static const triangle a = {{0.0, 0.0, 1.0}, {0x1p-100, 0.0, 1.0}, {0.0, 0.0, 2.0}},
                          b = {{-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 0.0, -1.0}};
    static const double expected[2][3] = {{0.0, 0.0, 1.0}, {0.0, 0.0, 0.0}};
    static const motion_parts parts = {{0.0}, {0.0}, {-1.0}};
    grz_translation motion;
    static grz_meeting m;
    grz_meeting_contact contact = {0};
    (void)state;
    grz_translation_set(&motion, parts);
    assert_true(grz_meeting_set(&m, a, b, &motion) && grz_meeting_happens(&m));
    assert_true(grz_meeting_contact_at_enter(&m, &contact));
    assert_int_equal(contact.a, GRZ_EDGE_0);
    assert_int_equal(contact.b, GRZ_EDGE_0);
    for (int k = 0; k < 3; k++)
        assert_true(contact.normal[k] == expected[0][k] && fabs(contact.point[k] - expected[1][k]) <= 0x1p-50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_those_of_the_oracle),
        cmocka_unit_test(no_motion_is_an_ordinary_question),
        cmocka_unit_test(times_agree_with_the_predicates),
        cmocka_unit_test(short_edges_have_a_point_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
