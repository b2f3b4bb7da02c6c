// SPDX-License-Identifier: MIT
// Movers that walk and fly at random through mazes with things in them that rest and move: each step among the cells
// gives the same bytes as the step in the whole level, but for `compared`; so it does among cells of a BSP tree.
// GRZ_PORTAL_STEPS: how many steps, 12,000 and 12,000 unless set.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_devices.h"
#include "support_mazes.h"
#include "support_movers.h"
#include "support_sanitizer.h"

enum {
    THINGS = 12,
    STEPS_OF_A_WALK = 150
};

typedef struct walk {
    test_maze maze;
    bool by_tree;
    grz_portals *level;
    grz_portals_tracker *tracker;
    grz_mesh *walls, *thing;
    uint32_t *faces; // of the walls, in the maze
    grz_object objects[1 + THINGS];
    grz_pose earlier[1 + THINGS];
    grz_shape shape;
    grz_mover_options options;
    double position[3];
    uint64_t steps, whole, differ, straddled, contacts, pushed;
} walk;

static void make_walk(walk *w, uint64_t number, bool by_tree, random_stream *random)
{
    const double jitters[] = {0.0, 0.2, 0.05};
    memset(w, 0, sizeof *w);
    w->by_tree = by_tree;
    w->maze = test_maze_make(4, 4, random, jitters[number % 3], number / 3 % 2 ? 60 : 0);
    test_mesh walls = test_maze_walls(&w->maze, &w->faces);
    w->level = by_tree ? test_walls_level(&walls) : test_maze_level(&w->maze);
    assert_int_equal(grz_portals_tracker_create(w->level, &w->tracker, NULL), GRZ_OK);
    w->walls = test_mesh_upload(test_device, &walls);
    test_mesh_finish(&walls);
    test_mesh thing = test_mesh_cube(-0.25, -0.25, -0.25, 0.5);
    w->thing = test_mesh_upload(test_device, &thing);
    test_mesh_finish(&thing);
    w->objects[0] = grz_object_at_origin(w->walls);
    w->earlier[0] = w->objects[0].pose;
    for (uint32_t i = 0; i < THINGS; i++) {
        grz_error error;
        uint32_t at;
        const double p[3] = {6.0 + 6.0 * random_signed(random), 6.0 + 6.0 * random_signed(random),
                             1.5 + 1.5 * random_signed(random)};
        w->objects[1 + i] = grz_object_at(w->thing, grz_pose_from_translation(p[0], p[1], p[2]));
        w->earlier[1 + i] = w->objects[1 + i].pose;
        assert_int_equal(grz_portals_add(w->level, &w->objects[1 + i], &at, &error), GRZ_OK);
        assert_int_equal(at, i);
    }
    w->shape = test_shape((int)(number % TEST_SHAPES), 0.4);
    w->options = grz_default_mover_options();
    w->options.walk = number % 4 != 3;
    w->options.step_up = w->options.step_down = w->options.walk ? 0.3 : 0.0;
    w->options.clean_up = (grz_mover_clean_up)(number / 2 % 3);
}

static void finish_walk(walk *w)
{
    grz_portals_tracker_destroy(w->tracker);
    grz_portals_destroy(w->level);
    grz_mesh_destroy(w->walls);
    grz_mesh_destroy(w->thing);
    free(w->faces);
    test_maze_finish(&w->maze);
}

// Some things move, some rest, most have never moved.
static bool move_things(walk *w, uint64_t number, random_stream *random)
{
    bool any = false;
    assert_int_equal(grz_portals_rest(w->level, NULL), GRZ_OK);
    for (uint32_t i = 0; i < THINGS; i++) {
        w->earlier[1 + i] = w->objects[1 + i].pose;
        if (number % 3 != 0 || random_below(random, 3) == 0)
            continue;
        for (int k = 0; k < 3; k++) { // more towards the mover than away from it
            const double to = w->position[k] - w->objects[1 + i].pose.m[k][3];
            w->objects[1 + i].pose.m[k][3] += 0.1 * random_signed(random) + (to > 0.0 ? 0.07 : -0.07);
        }
        assert_int_equal(grz_portals_move(w->level, i, &w->objects[1 + i].pose, NULL), GRZ_OK);
        any = true;
    }
    return any;
}

static void use_names_of_maze(const walk *w, grz_mover_answer *a)
{
    for (uint32_t i = 0; i < a->contact_count && i < GRZ_MOVER_MAX_CONTACTS; i++)
        if (a->contacts[i].object == 0)
            a->contacts[i].face = w->faces[a->contacts[i].face];
    if (a->floor.stands && a->floor.object == 0)
        a->floor.face = w->faces[a->floor.face];
}

static void step(walk *w, uint64_t number, bool any_moved, const double displacement[3])
{
    grz_mover_answer in_cells, in_all;
    grz_mover_options options = w->options;
    grz_portals_place place;
    grz_error error;
    if (grz_portals_step(w->tracker, &w->shape, w->position, displacement, &options, &in_cells, &place, &error) !=
        GRZ_OK)
        fail_msg("%s", error.message);
    options.earlier_poses = any_moved ? w->earlier : NULL;
    if (options.floor.stands && options.floor.object == 0) // its face is the maze's; steps do not look at it
        options.floor.face = 0;
    if (grz_mover_step(test_device, w->objects, 1 + THINGS, &w->shape, w->position, displacement, &options, &in_all,
                       &error) != GRZ_OK)
        fail_msg("%s", error.message);
    if (!w->by_tree)
        use_names_of_maze(w, &in_all);
    if (!test_steps_are_same(&in_cells, &in_all))
        fail_msg(
            "walk %llu: at %a %a %a, displacement %a %a %a, outcomes %d and %d, %u and %u contacts, legs %u and %u",
            (unsigned long long)number, w->position[0], w->position[1], w->position[2], displacement[0],
            displacement[1], displacement[2], in_cells.outcome, in_all.outcome, in_cells.contact_count,
            in_all.contact_count, in_cells.iterations, in_all.iterations);
    w->steps++;
    w->whole += place.whole_level;
    w->straddled += place.count > 1;
    w->contacts += in_all.contact_count;
    w->pushed += in_all.pushed[0] != 0.0;
    memcpy(w->position, in_cells.position, sizeof w->position);
    w->options.floor = in_cells.floor;
}

static void walk_at_random(bool by_tree)
{
    random_stream random = random_stream_of_block(PAIR_RANDOM, 7005);
    const char *text = getenv("GRZ_PORTAL_STEPS");
    const long long given = text != NULL ? strtoll(text, NULL, 10) : 0;
    const uint64_t walks = (given > 0 ? (uint64_t)given : TEST_SANITIZED ? 1500 : 12000) / STEPS_OF_A_WALK;
    walk all = {.steps = 0};
    for (uint64_t number = 0; number < walks; number++) {
        walk w;
        double displacement[3] = {0.0, 0.0, 0.0};
        make_walk(&w, number, by_tree, &random);
        for (int i = 0; i < STEPS_OF_A_WALK; i++) {
            if (i % 50 == 0)
                test_maze_middle(random_below(&random, 4), random_below(&random, 4), w.position);
            if (i % 10 == 0)
                for (int k = 0; k < 3; k++)
                    displacement[k] =
                        (i % 30 == 0 ? 2.0 : 0.2) * random_signed(&random) - (k == 2 && w.options.walk ? 0.2 : 0.0);
            const bool moved = move_things(&w, number, &random);
            step(&w, number, moved, displacement);
        }
        all.steps += w.steps;
        all.whole += w.whole;
        all.straddled += w.straddled;
        all.contacts += w.contacts;
        all.pushed += w.pushed;
        finish_walk(&w);
    }
    print_message("%llu steps, %llu by the whole level, %llu in several cells, %llu contacts, %llu pushed\n",
                  (unsigned long long)all.steps, (unsigned long long)all.whole, (unsigned long long)all.straddled,
                  (unsigned long long)all.contacts, (unsigned long long)all.pushed);
    assert_true(all.whole < all.steps / 4);
    assert_true(all.straddled > all.steps / 10 && all.contacts > all.steps / 2 && all.pushed > all.steps / 200);
}

static void steps_are_those_of_the_whole_level(void **state)
{
    (void)state;
    walk_at_random(false);
}

static void steps_in_cells_of_a_tree_are_too(void **state)
{
    (void)state;
    walk_at_random(true);
}

// A room, and a spike outside that points at its wall from behind. The mover feels it through the wall: within the
// skin, or where it starts in the wall.
static void feel_through_walls(bool by_tree)
{
    static const struct {
        double gap, x, radius;
        grz_mover_clean_up clean_up;
    } cases[] = {{0x1p-14, 3.5, 0.25, GRZ_MOVER_CLEAN_UP_NONE},
                 {0.125, 3.75, 0.5, GRZ_MOVER_CLEAN_UP_NONE},
                 {0.125, 3.75, 0.5, GRZ_MOVER_CLEAN_UP_SHORTEST}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double tip = 4.0 + cases[i].gap,
                     corners[4][3] = {{tip, 2.0, 2.0},
                                      {tip + 1.0, 1.9, 1.9},
                                      {tip + 1.0, 2.1, 1.9},
                                      {tip + 1.0, 2.0, 2.1}},
                     position[3] = {cases[i].x, 2.001, 1.9995}, displacement[3] = {1.0, 0.0, 0.0};
        test_mesh mesh = test_mesh_cube(0.0, 0.0, 0.0, 4.0);
        test_mesh_take(&mesh, test_mesh_tetrahedron(corners));
        grz_mesh *made = test_mesh_upload(test_device, &mesh);
        const grz_object object = grz_object_at_origin(made);
        const grz_shape shape = test_sphere(cases[i].radius);
        grz_portals_options of_level = grz_default_portals_options();
        grz_mover_options options = grz_default_mover_options();
        grz_portals *level;
        grz_portals_tracker *tracker;
        grz_portals_place place;
        grz_mover_answer in_cells, in_all;
        of_level.margin = 0x1p-10;
        options.skin = 0x1p-12;
        options.clean_up = cases[i].clean_up;
        if (by_tree)
            assert_int_equal(grz_portals_create_bsp(test_device, &object, &of_level, &level, NULL), GRZ_OK);
        else
            assert_int_equal(grz_portals_create(test_device, &object, NULL, 0, &of_level, &level, NULL), GRZ_OK);
        assert_int_equal(grz_portals_tracker_create(level, &tracker, NULL), GRZ_OK);
        assert_int_equal(grz_portals_step(tracker, &shape, position, displacement, &options, &in_cells, &place, NULL),
                         GRZ_OK);
        assert_int_equal(
            grz_mover_step(test_device, &object, 1, &shape, position, displacement, &options, &in_all, NULL), GRZ_OK);
        assert_true(test_steps_are_same(&in_cells, &in_all));
        assert_int_equal(place.whole_level, i > 0);
        bool felt = false;
        for (uint32_t j = 0; j < in_all.contact_count; j++)
            felt = felt || in_all.contacts[j].face >= 12;
        assert_true(felt || i == 2);
        grz_portals_tracker_destroy(tracker);
        grz_portals_destroy(level);
        grz_mesh_destroy(made);
        test_mesh_finish(&mesh);
    }
}

static void walls_are_felt_through_others(void **state)
{
    (void)state;
    feel_through_walls(false);
}

static void walls_are_felt_from_cells_of_a_tree(void **state)
{
    (void)state;
    feel_through_walls(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls_are_felt_through_others),
        cmocka_unit_test(walls_are_felt_from_cells_of_a_tree),
        cmocka_unit_test(steps_are_those_of_the_whole_level),
        cmocka_unit_test(steps_in_cells_of_a_tree_are_too),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
