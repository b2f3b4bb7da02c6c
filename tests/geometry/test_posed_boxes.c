// SPDX-License-Identifier: MIT
// The quick proof that two posed boxes are apart. Boxes that share a point are never called apart, in whatever pose and
// size; boxes with a clear gap along one of the fifteen axes or an axis of the world always are; all SIMD widths agree.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "geometry/pose.h"
#include "geometry/posed_boxes.h"
#include "pair_generator.h"
#include "support_sanitizer.h"

enum {
    ROUNDS = TEST_SANITIZED ? 20000 : 400000,
    POSE_KINDS = 6
};

typedef struct posed {
    grz_box box;
    grz_pose pose;
} posed;

// What every width says.
static bool apart(const posed *a, const posed *b)
{
    const grz_posed_box box_a = {&a->pose, &a->box}, box_b = {&b->pose, &b->box};
    const bool first = grz_posed_boxes_apart_scalar(&box_a, &box_b);
    for (int simd = 1; simd < GRZ_SIMD_COUNT; simd++)
        if (grz_simd_available((grz_simd)simd))
            assert_int_equal(grz_posed_boxes_test_for((grz_simd)simd)(&box_a, &box_b), first);
    return first;
}

static grz_box some_box(random_stream *random, int low, int high)
{
    grz_box box;
    const double far = random_below(random, 3) == 0 ? random_extreme(random, low, high + 20) : 0.0;
    for (int i = 0; i < 3; i++) {
        const double x = far + random_extreme(random, low, high), y = far + random_extreme(random, low, high);
        box.min[i] = x < y ? x : y;
        box.max[i] = random_below(random, 8) == 0 ? box.min[i] : (x < y ? y : x);
    }
    return box;
}

// Rigid; by steps of a right angle; the same enlarged; sheared; stretched along an axis of the world; flattened.
static grz_pose some_pose(random_stream *random)
{
    const double translation[3] = {random_extreme(random, -4, 4), random_extreme(random, -4, 4),
                                   random_extreme(random, -4, 4)};
    const double q[4] = {random_signed(random), random_signed(random), random_signed(random), random_signed(random)};
    const uint32_t kind = random_below(random, POSE_KINDS);
    const double size = kind == 2 ? random_extreme(random, -20, 20) : 1.0;
    grz_pose pose;
    assert_int_equal(grz_pose_from_quaternion(translation, q, &pose, NULL), GRZ_OK);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if (kind == 1)
                pose.m[i][j] = (i + 1) % 3 == j ? (double)random_below(random, 2) * 2.0 - 1.0 : 0.0;
            else if (kind == 3)
                pose.m[i][j] = random_signed(random);
            else if (kind == 4 || kind == 5)
                pose.m[i][j] *= i == 0 ? (kind == 4 ? 0x1p20 : 0x1p-40) : 1.0;
            pose.m[i][j] *= size;
        }
    return pose;
}

static void corner_of(const posed *of, unsigned number, double world[3])
{
    double corner[3];
    for (int i = 0; i < 3; i++)
        corner[i] = (number >> i & 1) ? of->box.max[i] : of->box.min[i];
    grz_world_position(&of->pose, corner, world);
}

// The corner that lies furthest along a direction.
static void furthest(const posed *of, const double direction[3], double world[3])
{
    double best = -HUGE_VAL;
    for (unsigned k = 0; k < 8; k++) {
        double at[3];
        corner_of(of, k, at);
        const double along = direction[0] * at[0] + direction[1] * at[1] + direction[2] * at[2];
        if (along > best) {
            best = along;
            memcpy(world, at, sizeof at);
        }
    }
}

// Move B until its corner furthest against the direction is A's corner furthest along it. False: rounding forbids it.
static bool bring_together(const posed *a, posed *b, const double direction[3])
{
    const double against[3] = {-direction[0], -direction[1], -direction[2]};
    double corner_a[3], corner_b[3];
    furthest(a, direction, corner_a);
    for (int step = 0; step < 4; step++) {
        furthest(b, against, corner_b);
        if (corner_a[0] == corner_b[0] && corner_a[1] == corner_b[1] && corner_a[2] == corner_b[2])
            return true;
        for (int i = 0; i < 3; i++)
            b->pose.m[i][3] += corner_a[i] - corner_b[i];
    }
    return false;
}

static void boxes_with_a_common_corner_are_not_apart(void **state)
{
    (void)state;
    random_stream random = {1};
    unsigned common = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const bool extreme = round % 4 == 0;
        posed a = {some_box(&random, extreme ? -200 : -3, extreme ? 200 : 3), some_pose(&random)},
              b = {some_box(&random, extreme ? -200 : -3, extreme ? 200 : 3), some_pose(&random)};
        const double direction[3] = {random_signed(&random), random_signed(&random), random_signed(&random)};
        if (!bring_together(&a, &b, direction))
            continue;
        common++;
        if (apart(&a, &b))
            fail_msg("round %u: apart, but a corner is common", round);
    }
    print_message("  %u of %u pairs had a common corner\n", common, ROUNDS);
    assert_true(common > ROUNDS / 4);
}

// The same separating axis test in long doubles: the largest gap along an axis, in units of the axis times the size
// of everything. Also whether the AABB of one box reaches over the middle of the other.
typedef struct wide_box {
    long double middle[3], edge[3][3]; // [edge][coordinate]
    long double size;
} wide_box;

static wide_box wide(const posed *of)
{
    wide_box out = {.size = 0.0L};
    for (int i = 0; i < 3; i++) {
        out.middle[i] = (long double)of->pose.m[i][3];
        for (int j = 0; j < 3; j++) {
            const long double m = (long double)of->pose.m[i][j];
            const long double min = (long double)of->box.min[j], max = (long double)of->box.max[j];
            out.middle[i] += m * (min + max) / 2;
            out.edge[j][i] = m * (max - min) / 2;
            out.size += fabsl(m) * (fabsl(min) + fabsl(max));
        }
        out.size += fabsl((long double)of->pose.m[i][3]);
    }
    return out;
}

static long double dot(const long double a[3], const long double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static long double gap_along_axis(const wide_box *a, const wide_box *b, const long double axis[3], long double length)
{
    const long double offset[3] = {b->middle[0] - a->middle[0], b->middle[1] - a->middle[1],
                                   b->middle[2] - a->middle[2]};
    const long double unit = length * (a->size + b->size);
    long double gap = fabsl(dot(axis, offset));
    for (int j = 0; j < 3; j++)
        gap -= fabsl(dot(axis, a->edge[j])) + fabsl(dot(axis, b->edge[j]));
    return unit > 0.0L ? gap / unit : -1.0L;
}

static long double gap_along(const wide_box *a, const wide_box *b, const long double x[3], const long double y[3])
{
    const long double axis[3] = {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
    return gap_along_axis(a, b, axis, sqrtl(dot(x, x) * dot(y, y)));
}

static bool reaches(const wide_box *box, const wide_box *other)
{
    bool inside = true;
    for (int i = 0; i < 3; i++)
        inside = inside && fabsl(other->middle[i] - box->middle[i]) <=
                               1.0001L * (fabsl(box->edge[0][i]) + fabsl(box->edge[1][i]) + fabsl(box->edge[2][i]));
    return inside;
}

// The largest gap along the axes, and which kind of axis has it: 0 and 1 normals of A and B, 2 edges of both, 3 an axis
// of the world.
static long double widest_gap(const wide_box *a, const wide_box *b, int *kind)
{
    long double widest = -1.0L;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 5; j++) {
            const long double *x = j == 4 ? b->edge[(i + 1) % 3] : j == 3 ? a->edge[(i + 1) % 3] : a->edge[i];
            const long double *y = j == 4 ? b->edge[(i + 2) % 3] : j == 3 ? a->edge[(i + 2) % 3] : b->edge[j];
            const long double gap = gap_along(a, b, x, y);
            if (gap > widest) {
                widest = gap;
                *kind = j == 3 ? 0 : j == 4 ? 1 : 2;
            }
        }
    for (int i = 0; i < 3; i++) {
        const long double axis[3] = {i == 0, i == 1, i == 2}, gap = gap_along_axis(a, b, axis, 1.0L);
        if (gap > widest) {
            widest = gap;
            *kind = 3;
        }
    }
    return widest;
}

static void boxes_with_a_clear_gap_are_apart(void **state)
{
    (void)state;
    random_stream random = {2};
    unsigned proved[4] = {0}, overlapping = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        posed a = {some_box(&random, -3, 3), some_pose(&random)}, b = {some_box(&random, -3, 3), some_pose(&random)};
        const double direction[3] = {random_signed(&random), random_signed(&random), random_signed(&random)};
        bring_together(&a, &b, direction);
        for (int i = 0; i < 3; i++)
            b.pose.m[i][3] += 0.1 * random_signed(&random);
        const wide_box wide_a = wide(&a), wide_b = wide(&b);
        int kind = 0;
        const long double gap = widest_gap(&wide_a, &wide_b, &kind);
        const bool said = apart(&a, &b);
        if (gap < 0.0L && said)
            fail_msg("round %u: apart, but no axis separates the boxes", round);
        overlapping += gap < 0.0L;
        if (gap < 0x1p-36L || reaches(&wide_a, &wide_b) || reaches(&wide_b, &wide_a))
            continue;
        proved[kind]++;
        if (!said)
            fail_msg("round %u: not apart, but the gap is %Lg", round, gap);
    }
    print_message("  apart by a normal of A %u, of B %u, by two edges %u, by an axis of the world %u; no axis: %u\n",
                  proved[0], proved[1], proved[2], proved[3], overlapping);
    for (int kind = 0; kind < 4; kind++)
        assert_true(proved[kind] > ROUNDS / 200);
    assert_true(overlapping > ROUNDS / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_with_a_common_corner_are_not_apart),
        cmocka_unit_test(boxes_with_a_clear_gap_are_apart),
    };
    return cmocka_run_group_tests_name("posed boxes", tests, NULL, NULL);
}
