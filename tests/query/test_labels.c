// SPDX-License-Identifier: MIT
// Labels of numbers: for each kind of answer that has bounds, cases that are exact, enclosed and undecided. A number is
// exact only if its bounds are equal or neighbours, and then it is the double nearest to the truth; a verdict is never
// enclosed.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

#define TEST_DEVICE_THREADS 1
#include "support_own_device.h"
#include "support_solids.h"

static grz_object take(test_mesh mesh)
{
    const grz_object object = grz_object_at_origin(test_mesh_upload(device, &mesh));
    test_mesh_finish(&mesh);
    return object;
}

static void drop(const grz_object *object)
{
    grz_mesh_destroy((grz_mesh *)object->mesh);
}

static grz_object moved(const grz_object *object, double x, double y, double z)
{
    return grz_object_at(object->mesh, grz_pose_from_translation(x, y, z));
}

#define EXPECT(answer, label)                                                                                          \
    do {                                                                                                               \
        assert_int_equal((answer).certainty, label);                                                                   \
        assert_true((label) == GRZ_UNDECIDED || TEST_LABEL_FITS(answer));                                              \
    } while (0)

// ---- The rule -----------------------------------------------------------------------------------------------------

static void the_rule(void **state)
{
    const double tiny = 0x1p-1074, next = 1.0 + 0x1p-52;
    (void)state;
    const struct {
        double lower, upper;
        grz_certainty expected;
    } cases[] = {
        {1.0, 1.0, GRZ_EXACT},
        {1.0, next, GRZ_EXACT},
        {1.0, next + 0x1p-52, GRZ_ENCLOSED},
        {1.0 - 0x1p-53, 1.0, GRZ_EXACT},
        {1.0 - 0x1p-53, next, GRZ_ENCLOSED},
        {-next, -1.0, GRZ_EXACT},
        {-next - 0x1p-52, -1.0, GRZ_ENCLOSED},
        {0.0, -0.0, GRZ_EXACT},
        {-0.0, 0.0, GRZ_EXACT},
        {-0.0, tiny, GRZ_EXACT},
        {-tiny, 0.0, GRZ_EXACT},
        {-tiny, tiny, GRZ_ENCLOSED},
        {0.0, 2.0 * tiny, GRZ_ENCLOSED},
        {0.0, HUGE_VAL, GRZ_ENCLOSED},
        {HUGE_VAL, HUGE_VAL, GRZ_EXACT},
        {-HUGE_VAL, -HUGE_VAL, GRZ_EXACT},
        {0x1.fffffffffffffp1023, HUGE_VAL, GRZ_EXACT},
        {-HUGE_VAL, HUGE_VAL, GRZ_ENCLOSED},
        {2.0, 1.0, GRZ_UNDECIDED},
        {next, 1.0, GRZ_UNDECIDED},
        {(double)NAN, 1.0, GRZ_UNDECIDED},
        {1.0, -(double)NAN, GRZ_UNDECIDED},
        {(double)NAN, (double)NAN, GRZ_UNDECIDED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (grz_certainty_of_bounds(cases[i].lower, cases[i].upper) != cases[i].expected)
            fail_msg("%a to %a: %d", cases[i].lower, cases[i].upper,
                     (int)grz_certainty_of_bounds(cases[i].lower, cases[i].upper));
#ifdef __SSE2__
    const unsigned mode = _mm_getcsr();
    _mm_setcsr(mode | 0x8040); // subnormal numbers are 0 for the caller, not for the label
    const grz_certainty subnormal = grz_certainty_of_bounds(0.0, 2.0 * tiny);
    _mm_setcsr(mode);
    assert_int_equal(subnormal, GRZ_ENCLOSED);
#endif
}

// Programs have the numbers compiled in.
static void values_stay(void **state)
{
    (void)state;
    assert_int_equal(GRZ_EXACT, 0);
    assert_int_equal(GRZ_DISCRETE, 1);
    assert_int_equal(GRZ_UNDECIDED, 2);
    assert_int_equal(GRZ_ENCLOSED, 3);
}

// ---- Distances ----------------------------------------------------------------------------------------------------

static void distances(void **state)
{
    const grz_object cube = take(test_mesh_cube(0, 0, 0, 1)), ball = take(test_mesh_icosphere(1.0, 3));
    const grz_object far = moved(&cube, 3, 0, 0), aslant = moved(&cube, 2, 2, 0), touching = moved(&cube, 1, 0, 0);
    const grz_object other = moved(&ball, 2.5, 0.3, 0.2);
    grz_distance_options options = grz_default_distance_options();
    grz_distance_answer answer;
    grz_point_distance point;
    const double at[3] = {3, 2, 0.5};
    (void)state;
    assert_int_equal(grz_distance(device, &cube, &far, NULL, &answer, NULL), GRZ_OK);
    EXPECT(answer, GRZ_EXACT);
    assert_true(answer.lower == 2.0 && answer.upper == 2.0);
    assert_int_equal(grz_distance(device, &cube, &aslant, NULL, &answer, NULL), GRZ_OK);
    EXPECT(answer, GRZ_EXACT);
    assert_true(answer.lower < answer.upper && answer.distance == sqrt(2.0));
    assert_int_equal(grz_distance(device, &cube, &touching, NULL, &answer, NULL), GRZ_OK);
    EXPECT(answer, GRZ_EXACT);
    options.relative_error = 0.5;
    assert_int_equal(grz_distance(device, &ball, &other, &options, &answer, NULL), GRZ_OK);
    EXPECT(answer, GRZ_ENCLOSED);
    assert_true(answer.lower > 0.0 && !answer.touching);
    options.limits.deadline = 1e-9; // nothing is known, not even whether they touch
    assert_int_equal(grz_distance(device, &ball, &other, &options, &answer, NULL), GRZ_ERROR_DEADLINE);
    EXPECT(answer, GRZ_UNDECIDED);
    assert_int_equal(grz_distance_points(device, &cube, at, 1, NULL, &point, NULL), GRZ_OK);
    assert_true(point.distance == sqrt(5.0) && point.lower < point.upper);
    assert_int_equal(grz_certainty_of_bounds(point.lower, point.upper), GRZ_EXACT);
    drop(&cube);
    drop(&ball);
}

static void rays(void **state)
{
    const grz_object cube = take(test_mesh_cube(0, 0, 0, 1));
    const double from[3] = {0.5, 0.5, 2}, to[3] = {0, 0, -3}; // meets z = 1 at t = 1/3
    const grz_ray ray = grz_ray_along(from, to);
    grz_ray_hit hit;
    (void)state;
    assert_int_equal(grz_pick(device, grz_targets_of_objects(&cube, 1), &ray, 1, NULL, &hit, NULL), GRZ_OK);
    assert_true(hit.t == 1.0 / 3.0 && hit.lower < hit.upper);
    assert_int_equal(grz_certainty_of_bounds(hit.lower, hit.upper), GRZ_EXACT);
    drop(&cube);
}

// ---- Motions ------------------------------------------------------------------------------------------------------

static void straight_motions(void **state)
{
    const grz_object cube = take(test_mesh_cube(0, 0, 0, 1)), wall = moved(&cube, 2, 0, 0);
    const double there[3] = {3, 0, 0}, back[3] = {-3, 0, 0};
    grz_move_options options = grz_default_move_options();
    grz_move_answer answer;
    grz_contact_interval interval;
    uint64_t found;
    (void)state;
    assert_int_equal(grz_move(device, &cube, there, &wall, NULL, NULL, &answer, NULL), GRZ_OK);
    EXPECT(answer, GRZ_EXACT);
    assert_true(answer.first_contact == 1.0 / 3.0 && answer.lower < answer.upper);
    assert_int_equal(grz_move(device, &cube, back, &wall, NULL, NULL, &answer, NULL), GRZ_OK);
    EXPECT(answer, GRZ_EXACT);
    assert_true(!answer.has_contact && answer.lower == HUGE_VAL);
    assert_int_equal(grz_move(device, &cube, back, &cube, NULL, NULL, &answer, NULL), GRZ_OK);
    EXPECT(answer, GRZ_EXACT);
    assert_true(answer.started_inside);
    options.limits.deadline = 1e-9;
    assert_int_equal(grz_move(device, &cube, there, &wall, NULL, &options, &answer, NULL), GRZ_ERROR_DEADLINE);
    EXPECT(answer, GRZ_UNDECIDED);
    assert_int_equal(grz_move_intervals(device, &cube, there, &wall, NULL, NULL, &interval, 1, &found, NULL), GRZ_OK);
    assert_true(found == 1 && interval.enter_lower < interval.enter_upper);
    assert_int_equal(grz_certainty_of_bounds(interval.enter_lower, interval.enter_upper), GRZ_EXACT);
    drop(&cube);
}

static void turning_motions(void **state)
{
    const grz_object cube = take(test_mesh_cube(0, 0, 0, 1)), wall = take(test_mesh_cube(2, 0, 0, 1));
    const double here[3] = {0, 0, 0}, there[3] = {3, 0, 0}, back[3] = {-3, 0, 0}, touching[3] = {1, 0, 0};
    const double upright[4] = {0, 0, 0, 1}, turned[4] = {0, 0, 1, 9};
    const grz_motion comes = grz_motion_slerp(here, upright, there, turned),
                     goes = grz_motion_slerp(here, upright, back, turned),
                     starts = grz_motion_slerp(touching, upright, there, turned);
    grz_rigid_options options = grz_default_rigid_options();
    grz_move_answer answer;
    (void)state;
    assert_int_equal(grz_move_rigid(device, &cube, &comes, &wall, NULL, NULL, &answer, NULL), GRZ_OK);
    EXPECT(answer, GRZ_ENCLOSED);
    assert_true(answer.has_contact && answer.first_contact == answer.lower);
    assert_int_equal(grz_move_rigid(device, &cube, &goes, &wall, NULL, NULL, &answer, NULL), GRZ_OK);
    EXPECT(answer, GRZ_EXACT);
    assert_false(answer.has_contact);
    assert_int_equal(grz_move_rigid(device, &cube, &starts, &wall, NULL, NULL, &answer, NULL), GRZ_OK);
    EXPECT(answer, GRZ_EXACT);
    assert_true(answer.has_contact && answer.upper == 0.0);
    options.search = GRZ_RIGID_HALVING;
    assert_int_equal(grz_move_rigid(device, &cube, &comes, &wall, NULL, &options, &answer, NULL), GRZ_OK);
    assert_int_equal(answer.certainty, GRZ_DISCRETE);
    options.search = GRZ_RIGID_ADVANCE;
    options.max_steps = 1; // nothing is proved, but `lower`
    assert_int_equal(grz_move_rigid(device, &cube, &comes, &wall, NULL, &options, &answer, NULL), GRZ_OK);
    EXPECT(answer, GRZ_UNDECIDED);
    assert_true(!answer.has_contact && answer.first_contact == answer.lower);
    drop(&cube);
    drop(&wall);
}

static void deforming_motions(void **state)
{
    test_mesh mesh = test_mesh_cube(0, 0, 0, 1);
    const grz_object cube = grz_object_at_origin(test_mesh_upload(device, &mesh)), wall = moved(&cube, 2, 0.25, 0.25),
                     touching = moved(&cube, 1, 0, 0);
    double comes[24], goes[24];
    grz_deforming_options options = grz_default_deforming_options();
    grz_move_answer answer;
    (void)state;
    for (int i = 0; i < 24; i++) {
        comes[i] = mesh.positions[i] + (i % 3 == 0 ? 3.0 : 0.0);
        goes[i] = mesh.positions[i] - (i % 3 == 0 ? 3.0 : 0.0);
    }
    assert_int_equal(grz_move_deforming(device, &cube, comes, &wall, NULL, NULL, &answer, NULL), GRZ_OK);
    EXPECT(answer, GRZ_ENCLOSED);
    assert_true(answer.has_contact && answer.lower <= 1.0 / 3.0 && 1.0 / 3.0 <= answer.upper);
    assert_int_equal(grz_move_deforming(device, &cube, goes, &wall, NULL, NULL, &answer, NULL), GRZ_OK);
    EXPECT(answer, GRZ_EXACT);
    assert_false(answer.has_contact);
    assert_int_equal(grz_move_deforming(device, &cube, comes, &touching, NULL, NULL, &answer, NULL), GRZ_OK);
    EXPECT(answer, GRZ_EXACT);
    assert_true(answer.started_touching);
    options.limits.deadline = 1e-9;
    assert_int_equal(grz_move_deforming(device, &cube, comes, &wall, NULL, &options, &answer, NULL),
                     GRZ_ERROR_DEADLINE);
    EXPECT(answer, GRZ_UNDECIDED);
    drop(&cube);
    test_mesh_finish(&mesh);
}

// ---- Solids that overlap ------------------------------------------------------------------------------------------

// Add a prism over a triangle that is shifted; z from -far to far.
static void add_prism(test_mesh *mesh, const double corners[3][2], const double shift[2], double size, double far)
{
    static const uint32_t faces[8][3] = {{0, 2, 1}, {3, 4, 5}, {0, 1, 4}, {0, 4, 3},
                                         {1, 2, 5}, {1, 5, 4}, {2, 0, 3}, {2, 3, 5}};
    for (int i = 0; i < 8; i++) {
        double c[3][3];
        for (int k = 0; k < 3; k++) {
            const uint32_t v = faces[i][k];
            c[k][0] = size * (corners[v % 3][0] + shift[0]);
            c[k][1] = size * (corners[v % 3][1] + shift[1]);
            c[k][2] = v < 3 ? -size * far : size * far;
        }
        test_mesh_add_loose_triangle(mesh, (const double(*)[3])c);
    }
}

// Integers with p·x + q·y = value, for p and q without a common factor.
static void solve(int p, int q, int value, double out[2])
{
    for (int x = 0; x < q; x++)
        if ((value - p * x) % q == 0) {
            out[0] = x;
            const int y = (value - p * x) / q;
            out[1] = y;
            return;
        }
    fail();
}

// A wedge goes into another one by exactly j / h along (p, q, 0) / h, which doubles are not: whatever the label, it is
// true. The direction is rounded, so that the way out along it may be longer by a unit in the last place. In the second
// half of the cases A has another part far behind it, so that it is not convex.
static void wedges_are_exact_only_if_their_depth_is_the_nearest(void **state)
{
    static const int normals[4][3] = {{3, 4, 5}, {5, 12, 13}, {8, 15, 17}, {7, 24, 25}};
    int neighbours = 0, wrong = 0;
    (void)state;
    for (int i = 0; i < 2 * 4 * 12; i++) {
        const int p = normals[i % 4][0], q = normals[i % 4][1], h = normals[i % 4][2], deep = 1 + i / 4 % 12;
        const double size = ldexp(1.0, 10 * (i % 7) - 30), least = size * ((double)deep / h);
        double at[2] = {0.0, 0.0};
        solve(p, q, -deep, at); // on the face of B, which looks against (p, q)
        const double a[3][2] = {{-2.0 * q - 2.0 * p, 2.0 * p - 2.0 * q}, {4.0 * q, -4.0 * p}, {-4.0 * q, 4.0 * p}},
                     b[3][2] = {{at[0] - 40.0 * q, at[1] + 40.0 * p},
                                {at[0] + 40.0 * q, at[1] - 40.0 * p},
                                {at[0] + 40.0 * p, at[1] + 40.0 * q}};
        const double here[2] = {0.0, 0.0}, behind[2] = {-64.0 * p, -64.0 * q};
        test_mesh meshes[2] = {{0}, {0}};
        add_prism(&meshes[0], a, here, size, 64);
        if (i >= 4 * 12)
            add_prism(&meshes[0], a, behind, size, 64);
        add_prism(&meshes[1], b, here, size, 512);
        const grz_object objects[2] = {take(meshes[0]), take(meshes[1])};
        grz_penetration_answer answer;
        assert_int_equal(grz_penetration(device, &objects[0], &objects[1], NULL, &answer, NULL), GRZ_OK);
        assert_true(answer.penetrating && TEST_LABEL_FITS(answer));
        assert_true(answer.lower <= least * (1.0 + 0x1p-52) && answer.upper >= least * (1.0 - 0x1p-52));
        if (answer.certainty == GRZ_EXACT && answer.depth != least)
            fail_msg("%d / %d at %g: exact, but %.17g and not %.17g", deep, h, size, answer.depth, least);
        neighbours += answer.lower < answer.upper && nextafter(answer.lower, HUGE_VAL) == answer.upper;
        wrong += nextafter(answer.lower, HUGE_VAL) >= answer.upper && answer.depth != least;
        drop(&objects[0]);
        drop(&objects[1]);
    }
    print_message("96 wedges: bounds of %d are neighbours, with %d depths that are not the nearest\n", neighbours,
                  wrong);
    assert_true(neighbours > 48 && wrong < neighbours);
}

static void penetrations(void **state)
{
    const grz_object cube = take(test_mesh_cube(0, 0, 0, 1)), ball = take(test_mesh_icosphere(1.0, 2)),
                     sheet = take(test_mesh_grid(2, 2, 1.0));
    const grz_object shifted = moved(&cube, 0.5, 0.25, 0), beside = moved(&cube, 1, 0, 0),
                     near = moved(&ball, 0.9, 0.3, 0.2);
    const double along[3] = {1, 1, 0};
    grz_penetration_answer answer;
    (void)state;
    assert_int_equal(grz_penetration_along(device, &cube, &shifted, along, NULL, &answer, NULL), GRZ_OK);
    EXPECT(answer, GRZ_EXACT);
    assert_true(answer.penetrating && answer.lower < answer.upper &&
                answer.depth == 1.25 * sqrt(2.0)); // along x: 1.5 to be free, along y 1.25
    assert_int_equal(grz_penetration(device, &cube, &shifted, NULL, &answer, NULL), GRZ_OK);
    assert_true(answer.penetrating && TEST_LABEL_FITS(answer));
    assert_int_equal(grz_penetration(device, &ball, &near, NULL, &answer, NULL), GRZ_OK);
    assert_true(answer.penetrating && TEST_LABEL_FITS(answer));
    assert_int_equal(grz_penetration(device, &cube, &beside, NULL, &answer, NULL), GRZ_OK);
    EXPECT(answer, GRZ_EXACT);
    assert_true(!answer.penetrating && answer.upper == 0.0);
    assert_int_equal(grz_penetration(device, &cube, &sheet, NULL, &answer, NULL), GRZ_OK);
    EXPECT(answer, GRZ_UNDECIDED);
    drop(&cube);
    drop(&ball);
    drop(&sheet);
}

// A rough ball in another: no method finds the least depth of these, so its bounds stay apart.
static void least_depths_that_are_not_known(void **state)
{
    random_stream random = {3};
    const grz_object a = take(test_mesh_rough_sphere(&random, 2, 0.4, false)),
                     b = take(test_mesh_rough_sphere(&random, 2, 0.4, false)), near = moved(&b, 0.5, 0.3, 0.2);
    grz_penetration_answer answer;
    (void)state;
    assert_int_equal(grz_penetration(device, &a, &near, NULL, &answer, NULL), GRZ_OK);
    EXPECT(answer, GRZ_ENCLOSED);
    assert_true(answer.penetrating && answer.depth == answer.upper && answer.reason == NULL);
    drop(&a);
    drop(&b);
}

static void volumes(void **state)
{
    const grz_object cube = take(test_mesh_cube(0, 0, 0, 1)), sheet = take(test_mesh_grid(2, 2, 1.0));
    const grz_object shifted = moved(&cube, 0.5, 0.25, 0.125), beside = moved(&cube, 1, 0, 0);
    grz_overlap_volume_answer answer;
    (void)state;
    assert_int_equal(grz_overlap_volume(device, &cube, &shifted, NULL, &answer, NULL), GRZ_OK);
    EXPECT(answer, GRZ_ENCLOSED);
    assert_true(answer.reason == NULL && answer.upper - answer.lower < 1e-9);
    assert_int_equal(grz_overlap_volume(device, &cube, &beside, NULL, &answer, NULL), GRZ_OK);
    EXPECT(answer, GRZ_EXACT);
    assert_true(answer.upper == 0.0);
    assert_int_equal(grz_overlap_volume(device, &cube, &sheet, NULL, &answer, NULL), GRZ_OK);
    EXPECT(answer, GRZ_UNDECIDED);
    assert_non_null(answer.reason);
    drop(&cube);
    drop(&sheet);
}

static void manifolds(void **state)
{
    const grz_object cube = take(test_mesh_cube(0, 0, 0, 1)), sheet = take(test_mesh_grid(2, 2, 1.0));
    const grz_object above = moved(&cube, 0.25, 0.25, 1), pressed = moved(&cube, 0.25, 0.125, 0.75),
                     across = moved(&sheet, -0.5, -0.5, 0.25);
    grz_manifold_options options = grz_default_manifold_options();
    grz_manifold_answer answer;
    (void)state;
    assert_int_equal(grz_manifold_find(device, &above, &cube, NULL, &answer, NULL), GRZ_OK);
    EXPECT(answer, GRZ_EXACT);
    assert_true(!answer.penetrating && answer.depth == 0.0);
    assert_int_equal(grz_manifold_find(device, &pressed, &cube, NULL, &answer, NULL), GRZ_OK);
    EXPECT(answer, GRZ_EXACT);
    assert_true(answer.penetrating && answer.depth == 0.25);
    options.surfaces = true; // where A goes is rounded, so the depth is
    assert_int_equal(grz_manifold_find(device, &pressed, &cube, &options, &answer, NULL), GRZ_OK);
    EXPECT(answer, GRZ_ENCLOSED);
    assert_true(answer.penetrating && answer.lower <= 0.25 && 0.25 <= answer.upper);
    assert_int_equal(grz_manifold_find(device, &cube, &sheet, NULL, &answer, NULL), GRZ_OK);
    EXPECT(answer, GRZ_UNDECIDED);
    assert_int_equal(grz_manifold_find(device, &cube, &across, NULL, &answer, NULL), GRZ_OK);
    EXPECT(answer, GRZ_UNDECIDED); // faces cross, and the depth has bounds; but there are no solids
    assert_true(answer.penetrating && answer.upper > 0.0);
    drop(&cube);
    drop(&sheet);
}

// ---- Shapes -------------------------------------------------------------------------------------------------------

static grz_shape_answer compare(const grz_shape *a, const grz_shape *b, bool exactly, bool depth)
{
    grz_shape_options options = grz_default_shape_options();
    grz_shape_answer answer, many;
    const grz_shape shapes[2] = {*a, *b};
    const uint32_t pair[2] = {0, 1};
    options.exact_distance = exactly;
    options.depth = depth;
    assert_int_equal(grz_shapes_compare(device, a, b, &options, &answer, NULL), GRZ_OK);
    assert_int_equal(grz_shapes_compare_many(device, shapes, 2, pair, 1, &options, &many, NULL), GRZ_OK);
    assert_int_equal(many.certainty, answer.certainty);
    switch (answer.relation) {
    case GRZ_SHAPES_UNDECIDED:
        assert_int_equal(answer.certainty, GRZ_UNDECIDED);
        break;
    case GRZ_SHAPES_PENETRATING:
        assert_true(test_label_fits(answer.certainty, answer.depth_lower, answer.depth_upper));
        break;
    default:
        assert_true(TEST_LABEL_FITS(answer));
    }
    return answer;
}

static void shapes(void **state)
{
    const double half[3] = {1, 1, 1}, origin[3] = {0, 0, 0}, x[3] = {4, 0, 0}, side[3] = {2, 0, 0},
                 slant[3] = {3, 2, 0.5}, in[3] = {0.5, 0, 0}, oblong[3] = {1, 1, 2};
    const grz_shape box = grz_shape_box(origin, half), far = grz_shape_box(x, half), beside = grz_shape_box(side, half),
                    point = grz_shape_point(slant), ball = grz_shape_sphere(x, 0.3), inner = grz_shape_box(in, half),
                    egg = grz_shape_ellipsoid(origin, oblong);
    (void)state;
    const grz_shape_answer straight = compare(&box, &far, true, true), aslant = compare(&box, &point, true, true);
    assert_true(straight.certainty == GRZ_EXACT && straight.distance == 2.0);
    assert_true(aslant.certainty == GRZ_EXACT && aslant.distance == sqrt(5.0) && aslant.lower < aslant.upper);
    assert_int_equal(compare(&box, &point, false, true).certainty, GRZ_ENCLOSED);
    assert_int_equal(compare(&box, &ball, true, true).certainty, GRZ_ENCLOSED);
    assert_int_equal(compare(&box, &beside, false, true).certainty, GRZ_EXACT);
    assert_int_equal(compare(&box, &inner, false, true).certainty, GRZ_ENCLOSED);
    const grz_shape_answer unasked = compare(&box, &inner, false, false);
    assert_true(unasked.certainty == GRZ_ENCLOSED && unasked.depth_upper == HUGE_VAL);
    grz_shape near = point; // grown until it touches, but for roundings
    grz_shape_answer open = compare(&egg, &near, true, true);
    double low = open.lower - 1e-9, high = open.upper + 1e-9;
    for (int step = 0; step < 60 && open.relation != GRZ_SHAPES_UNDECIDED; step++) {
        near.radius = 0.5 * (low + high);
        open = compare(&egg, &near, true, true);
        *(open.relation == GRZ_SHAPES_APART ? &low : &high) = near.radius;
    }
    assert_true(open.relation == GRZ_SHAPES_UNDECIDED && open.certainty == GRZ_UNDECIDED);
}

static grz_shape_object_answer compare_mesh(const grz_shape *shape, const grz_object *object, bool exactly)
{
    grz_shape_options options = grz_default_shape_options();
    grz_shape_object_answer answer;
    options.exact_distance = exactly;
    assert_int_equal(grz_shape_compare_object(device, shape, object, &options, &answer, NULL), GRZ_OK);
    assert_true(answer.relation == GRZ_SHAPES_UNDECIDED ? answer.certainty == GRZ_UNDECIDED : TEST_LABEL_FITS(answer));
    return answer;
}

static void shapes_and_meshes(void **state)
{
    const grz_object cube = take(test_mesh_cube(-1, -1, -1, 2));
    const double x[3] = {4, 0, 0}, slant[3] = {3, 2, 0.5}, on[3] = {1, 0, 0}, half[3] = {1, 1, 1},
                 oblong[3] = {1, 1, 2}, beyond[3] = {4, 3, 0.5};
    const grz_shape point = grz_shape_point(slant), touch = grz_shape_point(on), ball = grz_shape_sphere(x, 0.3),
                    across = grz_shape_box(on, half);
    grz_shape egg = grz_shape_ellipsoid(beyond, oblong); // an edge of the cube is nearest to it
    (void)state;
    const grz_shape_object_answer exact = compare_mesh(&point, &cube, true);
    assert_true(exact.certainty == GRZ_EXACT && exact.distance == sqrt(5.0) && exact.lower < exact.upper);
    assert_int_equal(compare_mesh(&point, &cube, false).certainty, GRZ_ENCLOSED);
    assert_int_equal(compare_mesh(&ball, &cube, true).certainty, GRZ_ENCLOSED);
    assert_int_equal(compare_mesh(&touch, &cube, false).certainty, GRZ_EXACT);
    assert_int_equal(compare_mesh(&across, &cube, false).certainty, GRZ_EXACT);
    egg.pose.m[0][1] = egg.pose.m[1][2] = 0.3; // sheared, and grown to the distance
    grz_shape_object_answer open = compare_mesh(&egg, &cube, false);
    double low = open.lower - 1e-9, high = open.upper + 1e-9;
    for (int step = 0; step < 60 && open.relation != GRZ_SHAPES_UNDECIDED; step++) {
        egg.radius = 0.5 * (low + high);
        open = compare_mesh(&egg, &cube, true);
        *(open.relation == GRZ_SHAPES_APART ? &low : &high) = egg.radius;
    }
    assert_int_equal(open.relation, GRZ_SHAPES_UNDECIDED);
    drop(&cube);
}

// ---- Others -------------------------------------------------------------------------------------------------------

static void footsteps(void **state)
{
    const grz_object foot = take(test_mesh_cube(0, 0, 0, 1)),
                     floor = take(test_mesh_box((double[3]){-2, -2, -1}, (double[3]){3, 3, 0}));
    const grz_object feet[2] = {moved(&foot, 0, 0, -0.3), moved(&foot, 9, 0, 0)}; // in the floor, and beside it
    grz_footsteps_options options = grz_default_footsteps_options();
    grz_footstep steps[2];
    (void)state;
    options.reach = 0.5;
    assert_int_equal(grz_footsteps_correct(device, feet, 2, &floor, 1, &options, steps, NULL), GRZ_OK);
    EXPECT(steps[0], GRZ_ENCLOSED);
    assert_true(steps[0].lower <= 0.3 && 0.3 <= steps[0].upper);
    EXPECT(steps[1], GRZ_EXACT);
    assert_true(steps[1].lift == -HUGE_VAL);
    drop(&foot);
    drop(&floor);
}

static void fitted_balls(void **state)
{
    const double corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 1};
    (void)state;
    for (uint64_t count = 1; count <= 3; count += 2) {
        grz_hull *hull;
        grz_fitted_shape ball;
        assert_int_equal(grz_hull_of_points(device, corners, count, NULL, &hull, NULL), GRZ_OK);
        assert_int_equal(grz_fit_sphere(hull, NULL, &ball, NULL), GRZ_OK);
        assert_int_equal(ball.certainty, count == 1 ? GRZ_EXACT : GRZ_ENCLOSED);
        assert_true(test_label_fits(ball.certainty, ball.radius_lower, ball.shape.radius));
        grz_hull_destroy(hull);
    }
}

static void covers(void **state)
{
    const grz_object ball = take(test_mesh_icosphere(1.0, 2));
    grz_convex_cover_options options = grz_default_convex_cover_options();
    grz_convex_parts *parts;
    double lower, upper;
    (void)state;
    options.max_parts = 2;
    assert_int_equal(grz_convex_cover_of_mesh(ball.mesh, &options, &parts, NULL), GRZ_OK);
    for (uint32_t i = 0; i < grz_convex_parts_count(parts); i++) {
        assert_true(grz_convex_part_error(parts, i, &lower, &upper));
        assert_true(test_label_fits(grz_certainty_of_bounds(lower, upper), lower, upper));
    }
    grz_convex_parts_destroy(parts);
    drop(&ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rule),
        cmocka_unit_test(values_stay),
        cmocka_unit_test(distances),
        cmocka_unit_test(rays),
        cmocka_unit_test(straight_motions),
        cmocka_unit_test(turning_motions),
        cmocka_unit_test(deforming_motions),
        cmocka_unit_test(wedges_are_exact_only_if_their_depth_is_the_nearest),
        cmocka_unit_test(penetrations),
        cmocka_unit_test(least_depths_that_are_not_known),
        cmocka_unit_test(volumes),
        cmocka_unit_test(manifolds),
        cmocka_unit_test(shapes),
        cmocka_unit_test(shapes_and_meshes),
        cmocka_unit_test(footsteps),
        cmocka_unit_test(fitted_balls),
        cmocka_unit_test(covers),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
