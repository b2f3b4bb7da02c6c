// SPDX-License-Identifier: MIT
// Random walks of spheres, capsules, boxes, ellipsoids and cylinders through concave levels. After each step, exactly:
// the mover is outside; and if it says that it is in a corner, no direction is free. Free is a direction in which the
// displacement has a tenth of its length, if 2, 10 and 20 skins along it the mover is at least radius + skin from the
// level. GRZ_MOVER_STEPS: how many steps, 100,000 unless set. GRZ_MOVER_FIRST: the number of the first walk, to replay
// one.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_devices.h"
#include "support_meshes.h"
#include "support_movers.h"
#include "support_sanitizer.h"

static uint64_t wanted_by(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    const long long given = text != NULL ? strtoll(text, NULL, 10) : 0;
    return given > 0 ? (uint64_t)given : otherwise;
}

// ---- Levels -------------------------------------------------------------------------------------------------------

enum {
    LEVELS = 8,
    STEPS = TEST_SHORT ? 100 : 400, // of a walk at most
    MANY_LEGS = 64                  // more than any other corner takes
};

static const char *const level_names[LEVELS] = {"bowl",  "soup",    "pillars", "crumpled box",
                                                "torus", "terrain", "wedges",  "flush boxes"};

static test_mesh shell(double size)
{
    return test_mesh_cube(-size, -size, -size, 2.0 * size);
}

static test_level make_level(int kind, random_stream *random)
{
    test_level level = {.count = 0};
    test_mesh mesh = shell(3.0);
    switch (kind) {
    case 0: // from inside
        test_mesh_finish(&mesh);
        mesh = test_mesh_icosphere(3.0, 3);
        break;
    case 1: {
        test_mesh soup = test_mesh_random_triangles(random, 60, 1.0, 0);
        test_mesh_scale(&soup, 3.0, 3.0, 3.0);
        test_mesh_take(&mesh, soup);
        break;
    }
    case 2:
        for (int i = 0; i < 12; i++) {
            const double x = 2.5 * random_signed(random), y = 2.5 * random_signed(random);
            test_mesh_take(&mesh,
                           test_mesh_box((double[3]){x - 0.2, y - 0.3, -3.0}, (double[3]){x + 0.2, y + 0.3, 3.0}));
        }
        break;
    case 3: {
        test_mesh_finish(&mesh);
        mesh = test_mesh_icosphere(3.0, 2);
        test_mesh_crumple(&mesh, random, 0, 0.4);
        break;
    }
    case 4: // inside its tube
        test_mesh_finish(&mesh);
        mesh = test_mesh_torus(2.0, 0.9, 24, 12);
        break;
    case 5: {
        test_mesh ground = test_mesh_grid(24, 24, 0.25);
        for (uint64_t i = 0; i < ground.vertex_count; i++) {
            ground.positions[3 * i] -= 3.0;
            ground.positions[3 * i + 1] -= 3.0;
            ground.positions[3 * i + 2] = 0.25 * random_signed(random) - 1.0;
        }
        test_mesh_take(&mesh, ground);
        break;
    }
    case 6: // thin blades at small angles to each other
        for (int i = 0; i < 40; i++) {
            double c[3][3];
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++)
                    c[j][k] = 3.0 * random_signed(random) * (k == 2 && i % 2 ? 0.05 : 1.0);
            test_mesh_add_loose_triangle(&mesh, (const double(*)[3])c);
        }
        break;
    default: // objects of their own
        for (int i = 0; i < 27; i++) {
            const int x = i % 3, y = i / 3 % 3, z = i / 9;
            if (random_below(random, 3) == 0)
                test_level_add(&level, test_mesh_cube(x - 1.5, y - 1.5, z - 1.5, 1.0));
        }
    }
    test_level_add(&level, mesh);
    return level;
}

// ---- Walks --------------------------------------------------------------------------------------------------------

static void random_vector(random_stream *random, double length, double v[3])
{
    double square;
    do {
        for (int k = 0; k < 3; k++)
            v[k] = random_signed(random);
        square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    } while (square > 1.0 || square < 0.01);
    for (int k = 0; k < 3; k++)
        v[k] *= length / sqrt(square);
}

static bool place(const test_level *level, const grz_shape *shape, random_stream *random, double p[3])
{
    for (int i = 0; i < 500; i++) {
        for (int k = 0; k < 3; k++)
            p[k] = 2.5 * random_signed(random);
        if (test_is_free(level, shape, p, 0.5 * test_shape_thickness(shape)))
            return true;
    }
    return false;
}

// The mover says that it is in a corner: look for a direction that is free.
static void expect_no_way(const test_level *level, const grz_shape *shape, const double p[3],
                          const double displacement[3], random_stream *random, uint64_t walk)
{
    static const double lengths[] = {2.0, 10.0, 20.0};
    const double skin = test_shape_thickness(shape) * 0x1p-10,
                 length = sqrt(displacement[0] * displacement[0] + displacement[1] * displacement[1] +
                               displacement[2] * displacement[2]);
    for (int i = 0; i < 40; i++) {
        double way[3], there[3];
        random_vector(random, 1.0, way);
        if (way[0] * displacement[0] + way[1] * displacement[1] + way[2] * displacement[2] < 0.1 * length)
            continue;
        bool is_free = true;
        for (int j = 0; j < 3 && is_free; j++) {
            for (int k = 0; k < 3; k++)
                there[k] = p[k] + lengths[j] * skin * way[k];
            is_free = test_is_free(level, shape, there, skin);
        }
        if (is_free)
            fail_msg("walk %llu: stuck at %a %a %a, displacement %a %a %a, but %g %g %g is free",
                     (unsigned long long)walk, p[0], p[1], p[2], displacement[0], displacement[1], displacement[2],
                     way[0], way[1], way[2]);
    }
}

// Walks that have found a mistake once go first.
static const uint64_t found_once[] = {1586, 19321}, found_by_others[] = {50820, 57285, 62548};

// The number of the walk.
static uint64_t number_of(uint64_t round, bool others)
{
    const uint64_t first = wanted_by("GRZ_MOVER_FIRST", UINT64_MAX),
                   found = others ? sizeof found_by_others / sizeof *found_by_others
                                  : sizeof found_once / sizeof *found_once;
    if (first != UINT64_MAX)
        return first + round;
    return round >= found ? round - found : others ? found_by_others[round] : found_once[round];
}

static grz_shape round_shape(uint64_t walk, random_stream *random, double radius, const double axis[3])
{
    return walk / LEVELS % 2 ? test_capsule(radius, 0.3 * fabs(random_signed(random)), axis) : test_sphere(radius);
}

typedef enum bodies {
    ROUND, // spheres and capsules
    OTHER, // boxes and ellipsoids
    CYLINDERS
} bodies;

// A box, an ellipsoid or a cylinder, turned or not.
static grz_shape other_shape(bodies which, uint64_t walk, random_stream *random, double radius, const double axis[3])
{
    const double half[3] = {radius, radius * (1.0 + 2.0 * fabs(random_signed(random))),
                            radius * (1.0 + fabs(random_signed(random)))},
                 none[3] = {0.0, 0.0, 0.0}, q[4] = {axis[0], axis[1], axis[2], random_signed(random)};
    grz_shape shape = walk / LEVELS % 2 ? grz_shape_ellipsoid((const double[3]){0.0, 0.0, 0.0}, half)
                                        : grz_shape_box((const double[3]){0.0, 0.0, 0.0}, half);
    if (which == CYLINDERS)
        shape = grz_shape_cylinder((const double[3]){0.0, 0.0, 0.0}, half[0], half[1]);
    grz_pose turn;
    if (random_below(random, 2) == 0 || grz_pose_from_quaternion(none, q, &turn, NULL) != GRZ_OK)
        return shape;
    shape.pose = turn;
    return shape;
}

// In a pit that it took many legs to know as a corner, the same displacement moves the body by not one bit.
static void expect_rest(const test_level *level, const grz_shape *shape, const double p[3],
                        const double displacement[3], const grz_mover_options *options, uint64_t walk)
{
    grz_mover_answer answer;
    grz_error error;
    if (grz_mover_step(test_device, level->objects, level->count, shape, p, displacement, options, &answer, &error) !=
        GRZ_OK)
        fail_msg("%s", error.message);
    if (answer.outcome != GRZ_MOVER_CORNER || memcmp(answer.position, p, sizeof answer.position) != 0)
        fail_msg("walk %llu: outcome %d, does not stand still at %a %a %a", (unsigned long long)walk, answer.outcome,
                 p[0], p[1], p[2]);
}

static void random_walks(bodies which)
{
    const bool others = which != ROUND;
    const uint64_t wanted = wanted_by("GRZ_MOVER_STEPS", TEST_SHORT ? 12000 : 100000);
    uint64_t outcomes[6] = {0}, checked = 0, legs = 0, most_legs = 0, stairs = 0;
    for (uint64_t done = 0, round = 0; done < wanted; round++) {
        const uint64_t walk = number_of(round, others);
        random_stream random = {.state = walk * 7919 + 17};
        const int kind = (int)(walk % LEVELS);
        test_level level = make_level(kind, &random);
        double axis[3];
        random_vector(&random, 1.0, axis);
        const double radius = 0.02 + 0.3 * fabs(random_signed(&random));
        const grz_shape shape =
            others ? other_shape(which, walk, &random, radius, axis) : round_shape(walk, &random, radius, axis);
        double p[3], displacement[3] = {0.0, 0.0, 0.0};
        // A quarter walks: floors and stairs in any direction.
        grz_mover_options options = grz_default_mover_options();
        options.walk = walk / (2 * LEVELS) % 4 == 3;
        random_vector(&random, 1.0, options.up);
        options.step_up = radius * fabs(random_signed(&random));
        options.step_down = radius * fabs(random_signed(&random));
        const bool placed = place(&level, &shape, &random, p);
        for (int i = 0; i < STEPS && placed && done < wanted; i++, done++) {
            if (i % 8 == 0) // some steps on in the same direction, and sometimes very far
                random_vector(&random, radius * ldexp(1.0, (int)random_below(&random, 12) - 6), displacement);
            grz_mover_answer answer;
            grz_error error;
            if (grz_mover_step(test_device, level.objects, level.count, &shape, p, displacement, &options, &answer,
                               &error) != GRZ_OK)
                fail_msg("%s", error.message);
            if (answer.outcome == GRZ_MOVER_START_INSIDE || answer.outcome == GRZ_MOVER_LIMIT)
                fail_msg("walk %llu (%s), step %d: outcome %d at %a %a %a by %a %a %a", (unsigned long long)walk,
                         level_names[kind], i, answer.outcome, p[0], p[1], p[2], displacement[0], displacement[1],
                         displacement[2]);
            memcpy(p, answer.position, sizeof p);
            options.floor = answer.floor;
            stairs += answer.stepped_up;
            outcomes[answer.outcome]++;
            legs += answer.iterations;
            most_legs = answer.iterations > most_legs ? answer.iterations : most_legs;
            if (i % 4 == 0 || i == STEPS - 1) {
                checked++;
                if (!test_is_free(&level, &shape, p, 0.0))
                    fail_msg("walk %llu (%s), step %d: inside at %a %a %a", (unsigned long long)walk, level_names[kind],
                             i, p[0], p[1], p[2]);
            }
            if (answer.outcome == GRZ_MOVER_CORNER && answer.iterations >= MANY_LEGS && !options.walk)
                expect_rest(&level, &shape, p, displacement, &options, walk);
            if (answer.outcome == GRZ_MOVER_CORNER && i % 16 == 7 && !options.walk)
                expect_no_way(&level, &shape, p, displacement, &random, walk);
        }
        test_level_finish(&level);
    }
    print_message(
        "free %llu, slide %llu, crease %llu, corner %llu, checked %llu; stairs %llu; legs %llu, at most %llu\n",
        (unsigned long long)outcomes[0], (unsigned long long)outcomes[1], (unsigned long long)outcomes[2],
        (unsigned long long)outcomes[3], (unsigned long long)checked, (unsigned long long)stairs,
        (unsigned long long)legs, (unsigned long long)most_legs);
    for (int i = 0; i < 4; i++)
        assert_true(outcomes[i] > wanted / 1000);
    assert_true(stairs > (TEST_SHORT ? 0 : wanted / 2000));
}

static void spheres_and_capsules(void **state)
{
    (void)state;
    random_walks(ROUND);
}

static void boxes_and_ellipsoids(void **state)
{
    (void)state;
    random_walks(OTHER);
}

static void cylinders(void **state)
{
    (void)state;
    random_walks(CYLINDERS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spheres_and_capsules), cmocka_unit_test(boxes_and_ellipsoids),
                                       cmocka_unit_test(cylinders)};
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
