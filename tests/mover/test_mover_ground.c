// SPDX-License-Identifier: MIT
// grz_mover_options::ground: among hundreds of objects, steps with a set of their boxes in the plane give what steps
// without it give, byte for byte: walkers and flyers, along each axis, while objects move, from inside, with long
// displacements. Bad input is refused as without it.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pair_generator.h"
#include "support_devices.h"
#include "support_movers.h"
#include "support_sanitizer.h"

enum {
    SIDE = 12,
    OBJECTS = SIDE * SIDE + 60,
    STEPS = TEST_SANITIZED ? 8 : 24
};

// Tiles of a floor, with crates on them, some of which move. `axis` is up.
typedef struct ground {
    int axis;
    test_level meshes;
    grz_object objects[OBJECTS];
    grz_pose earlier[OBJECTS];
    grz_flat *flat;
} ground;

// With the coordinates turned so that z becomes the axis.
static void turn(int axis, double x, double y, double z, double out[3])
{
    const double given[3] = {x, y, z};
    for (int k = 0; k < 3; k++)
        out[(k + axis + 1) % 3] = given[k];
}

static grz_object object_at(const ground *g, int mesh, double x, double y, double z)
{
    double at[3];
    turn(g->axis, x, y, z, at);
    return grz_object_at(g->meshes.meshes[mesh], grz_pose_from_translation(at[0], at[1], at[2]));
}

static test_mesh box_of(int axis, double x, double y, double low, double high)
{
    double min[3], max[3];
    turn(axis, -x, -y, low, min);
    turn(axis, x, y, high, max);
    return test_mesh_box(min, max);
}

// The box of an object in the plane, now and before.
static grz_flat_item footprint(const ground *g, uint32_t number)
{
    double min[3], max[3], before_min[3], before_max[3];
    grz_object before = g->objects[number];
    before.pose = g->earlier[number];
    assert_int_equal(grz_object_bounds(&g->objects[number], min, max, NULL), GRZ_OK);
    assert_int_equal(grz_object_bounds(&before, before_min, before_max, NULL), GRZ_OK);
    const int x = g->axis == 0 ? 1 : 0, y = g->axis == 2 ? 1 : 2;
    return grz_flat_box(fmin(min[x], before_min[x]), fmin(min[y], before_min[y]), fmax(max[x], before_max[x]),
                        fmax(max[y], before_max[y]));
}

static void update_flat(ground *g)
{
    grz_flat_item items[OBJECTS];
    for (uint32_t i = 0; i < OBJECTS; i++)
        items[i] = footprint(g, i);
    if (g->flat == NULL)
        assert_int_equal(grz_flat_create(test_device, items, OBJECTS, NULL, &g->flat, NULL), GRZ_OK);
    else
        assert_int_equal(grz_flat_move(g->flat, NULL, items, OBJECTS, NULL, NULL), GRZ_OK);
}

static void make_ground(ground *g, int axis, random_stream *random)
{
    memset(g, 0, sizeof *g);
    g->axis = axis;
    test_level_add(&g->meshes, box_of(axis, 1.0, 1.0, -0.5, 0.0));
    test_level_add(&g->meshes, box_of(axis, 0.3, 0.4, 0.0, 0.7));
    for (int i = 0; i < OBJECTS; i++) {
        const int row = i / SIDE;
        const double x = random_signed(random), y = random_signed(random);
        g->objects[i] = row < SIDE ? object_at(g, 0, 2.0 * (i % SIDE), 2.0 * row, 0.05 * random_below(random, 3))
                                   : object_at(g, 1, 11.0 + 11.0 * x, 11.0 + 11.0 * y, 0.0);
    }
    for (int i = 0; i < OBJECTS; i++)
        g->earlier[i] = g->objects[i].pose;
    update_flat(g);
}

static void finish_ground(ground *g)
{
    grz_flat_destroy(g->flat);
    test_level_finish(&g->meshes);
}

// Crates move; where they were is remembered.
static void move_crates(ground *g, random_stream *random)
{
    for (int i = 0; i < OBJECTS; i++)
        g->earlier[i] = g->objects[i].pose;
    for (int i = SIDE * SIDE; i < OBJECTS; i++)
        for (int k = 0; k < 3; k++)
            g->objects[i].pose.m[k][3] += k == g->axis ? 0.0 : 0.3 * random_signed(random);
    update_flat(g);
}

static grz_mover_answer step(const ground *g, const grz_shape *shape, const double position[3],
                             const double displacement[3], const grz_mover_options *options, bool with_ground)
{
    grz_mover_options asked = *options;
    grz_mover_answer answer;
    grz_error error = {.message = ""};
    asked.ground = with_ground ? g->flat : NULL;
    asked.ground_axis = (uint32_t)g->axis;
    memset(&answer, 0, sizeof answer);
    if (grz_mover_step(test_device, g->objects, OBJECTS, shape, position, displacement, &asked, &answer, &error) !=
        GRZ_OK)
        fail_msg("%s", error.message);
    return answer;
}

static bool same_floor(const grz_mover_floor *a, const grz_mover_floor *b)
{
    return a->stands == b->stands && (!a->stands || (a->object == b->object && a->face == b->face &&
                                                     memcmp(a->point, b->point, sizeof a->point) == 0 &&
                                                     memcmp(a->normal, b->normal, sizeof a->normal) == 0));
}

static void expect_same(const grz_mover_answer *a, const grz_mover_answer *b, const char *what)
{
    bool same = memcmp(a->position, b->position, sizeof a->position) == 0 && a->outcome == b->outcome &&
                a->started_inside == b->started_inside && a->stepped_up == b->stepped_up &&
                a->stepped_down == b->stepped_down && memcmp(a->carried, b->carried, sizeof a->carried) == 0 &&
                memcmp(a->pushed, b->pushed, sizeof a->pushed) == 0 && a->crushed_at == b->crushed_at &&
                same_floor(&a->floor, &b->floor) && a->contact_count == b->contact_count &&
                a->iterations == b->iterations;
    for (uint32_t i = 0; same && i < a->contact_count && i < GRZ_MOVER_MAX_CONTACTS; i++)
        same = a->contacts[i].object == b->contacts[i].object && a->contacts[i].face == b->contacts[i].face &&
               a->contacts[i].distance == b->contacts[i].distance &&
               memcmp(a->contacts[i].point, b->contacts[i].point, sizeof a->contacts[i].point) == 0 &&
               memcmp(a->contacts[i].normal, b->contacts[i].normal, sizeof a->contacts[i].normal) == 0;
    if (!same)
        fail_msg("%s: (%a, %a, %a), outcome %d, %u contacts, and (%a, %a, %a), outcome %d, %u contacts", what,
                 a->position[0], a->position[1], a->position[2], a->outcome, a->contact_count, b->position[0],
                 b->position[1], b->position[2], b->outcome, b->contact_count);
}

// How often each thing happened, so that the walks are known to be of all kinds.
typedef struct tally {
    uint32_t inside, stands, contacts, pushed, far;
} tally;

static void walk(ground *g, int shape_number, bool walks, bool moves, random_stream *random, tally *t)
{
    const grz_shape shape = test_shape(shape_number, 0.4);
    grz_mover_options options = grz_default_mover_options();
    double position[3], up[3];
    turn(g->axis, 0.0, 0.0, 1.0, up);
    memcpy(options.up, up, sizeof up);
    options.walk = walks;
    options.step_up = options.step_down = walks ? 0.2 : 0.0;
    options.clean_up = (grz_mover_clean_up)random_below(random, 3);
    turn(g->axis, 11.0 + 8.0 * random_signed(random), 11.0 + 8.0 * random_signed(random), 0.9, position);
    for (int i = 0; i < STEPS; i++) {
        double way[3];
        const bool is_far = i % 8 == 7; // through many objects
        const double length = is_far ? 9.0 : 0.4;
        turn(g->axis, length * random_signed(random), length * random_signed(random), walks ? -0.1 : -0.05, way);
        if (moves) {
            move_crates(g, random);
            options.earlier_poses = g->earlier;
        }
        const grz_mover_answer plain = step(g, &shape, position, way, &options, false),
                               fast = step(g, &shape, position, way, &options, true);
        char what[80];
        snprintf(what, sizeof what, "axis %d, shape %d, walks %d, moves %d, step %d", g->axis, shape_number, walks,
                 moves, i);
        expect_same(&plain, &fast, what);
        t->inside += plain.started_inside ? 1 : 0;
        t->stands += plain.floor.stands ? 1 : 0;
        t->contacts += plain.contact_count;
        t->pushed += plain.pushed[0] != 0.0 || plain.pushed[1] != 0.0 ? 1 : 0;
        t->far += is_far ? 1 : 0;
        memcpy(position, fast.position, sizeof position);
        options.floor = fast.floor;
    }
}

static void steps_are_as_without_it(void **state)
{
    (void)state;
    tally t = {0};
    random_stream random = {3};
    for (int axis = 0; axis < 3; axis++)
        for (int shape = 0; shape < TEST_SHAPES; shape++)
            for (int kind = 0; kind < 4; kind++) {
                ground g;
                make_ground(&g, axis, &random);
                walk(&g, shape, kind % 2 != 0, kind / 2 != 0, &random, &t);
                finish_ground(&g);
            }
    print_message("inside %u, on a floor %u, contacts %u, pushed %u, far %u\n", t.inside, t.stands, t.contacts,
                  t.pushed, t.far);
    assert_true(t.inside > 0 && t.stands > 0 && t.contacts > (TEST_SANITIZED ? 40 : 100) && t.pushed > 0 && t.far > 0);
}

// A crate that is fast pushes a mover to objects that are far from where the step began: more are gathered.
static void what_is_pushed_far_is_as_without_it(void **state)
{
    (void)state;
    random_stream random = {6};
    uint32_t far = 0;
    for (int round = 0; round < 40; round++) {
        ground g;
        make_ground(&g, 2, &random);
        const grz_shape shape = test_shape(round % TEST_SHAPES, 0.4);
        const double y = 11.0 + 8.0 * random_signed(&random), position[3] = {1.0, y, 0.9}, none[3] = {0.0, 0.0, 0.0};
        grz_mover_options options = grz_default_mover_options();
        options.earlier_poses = g.earlier;
        g.objects[OBJECTS - 1] = object_at(&g, 1, 16.0, y, 0.4);
        g.earlier[OBJECTS - 1] = object_at(&g, 1, 0.0, y, 0.4).pose;
        update_flat(&g);
        const grz_mover_answer plain = step(&g, &shape, position, none, &options, false),
                               fast = step(&g, &shape, position, none, &options, true);
        expect_same(&plain, &fast, "pushed far");
        far += fabs(plain.pushed[0]) > 4.0 ? 1 : 0;
        finish_ground(&g);
    }
    assert_true(far > 5);
}

// Objects far away cost nothing, and are not even checked.
static void far_objects_are_not_looked_at(void **state)
{
    (void)state;
    random_stream random = {4};
    ground g;
    make_ground(&g, 2, &random);
    const grz_shape shape = test_shape(0, 0.4);
    const double position[3] = {2.0, 2.0, 2.0}, way[3] = {0.1, 0.0, -0.1};
    grz_mover_options options = grz_default_mover_options();
    const grz_mover_answer wanted = step(&g, &shape, position, way, &options, true);
    g.objects[SIDE * SIDE - 1].pose.m[0][0] = (double)NAN; // a tile in the farthest corner
    const grz_mover_answer answer = step(&g, &shape, position, way, &options, true);
    expect_same(&wanted, &answer, "a bad pose far away");
    grz_mover_answer out;
    grz_error error;
    g.objects[SIDE + 1].pose.m[0][0] = (double)NAN; // the tile below
    options.ground = g.flat;
    assert_int_equal(grz_mover_step(test_device, g.objects, OBJECTS, &shape, position, way, &options, &out, &error),
                     GRZ_ERROR_POSE);
    assert_true(error.element == SIDE + 1); // named as the caller does
    finish_ground(&g);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    random_stream random = {5};
    ground g;
    make_ground(&g, 2, &random);
    const grz_shape shape = test_shape(0, 0.4);
    const double position[3] = {2.0, 2.0, 2.0}, way[3] = {0.1, 0.0, -0.1}, bad[3] = {(double)NAN, 0.0, 0.0};
    grz_mover_options options = grz_default_mover_options();
    grz_mover_answer answer;
    grz_error error;
    options.ground = g.flat;
    assert_int_equal(options.ground_axis, 2);
    assert_int_equal(grz_mover_step(test_device, g.objects, OBJECTS, &shape, bad, way, &options, &answer, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "mover: position"));
    assert_int_equal(grz_mover_step(test_device, g.objects, OBJECTS, NULL, position, way, &options, &answer, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_mover_step(test_device, NULL, OBJECTS, &shape, position, way, &options, &answer, &error),
                     GRZ_ERROR_ARGUMENT);
    // The set has an item near the step that no object belongs to.
    assert_int_equal(grz_mover_step(test_device, g.objects, 3, &shape, position, way, &options, &answer, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "options.ground has an item"));
    options.ground_axis = 3;
    assert_int_equal(grz_mover_step(test_device, g.objects, OBJECTS, &shape, position, way, &options, &answer, &error),
                     GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "options.ground_axis is 3"));
    options.ground_axis = 2;
    const int raised = 1;
    options.limits.cancel = &raised;
    assert_int_equal(grz_mover_step(test_device, g.objects, OBJECTS, &shape, position, way, &options, &answer, &error),
                     GRZ_ERROR_CANCELLED);
    finish_ground(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_as_without_it),
        cmocka_unit_test(what_is_pushed_far_is_as_without_it),
        cmocka_unit_test(far_objects_are_not_looked_at),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
