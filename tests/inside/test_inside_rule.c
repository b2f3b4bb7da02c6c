// SPDX-License-Identifier: MIT
// GRZ_INSIDE_AUTO: which rule it stands for, and that every answer is the one by the rule of each mesh: piles of blocks
// against a count of cells, to the bit against the rule that was chosen, swapped, and in scenes on several threads.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TEST_DEVICE_THREADS 4
#include "support_own_device.h"
#include "support_sanitizer.h"
#include "support_solids.h"

static test_mesh box(double low, double high)
{
    return test_mesh_box((const double[3]){low, low, low}, (const double[3]){high, high, high});
}

static test_mesh two(test_mesh one, test_mesh other)
{
    test_mesh_take(&one, other);
    return one;
}

static grz_inside_rule rule_of(const grz_mesh *mesh)
{
    grz_inside_rule rule = GRZ_INSIDE_AUTO;
    grz_error error;
    if (grz_mesh_inside_rule(mesh, &rule, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return rule;
}

// ---- Which rule ---------------------------------------------------------------------------------------------------

static void expect_rule(const char *what, test_mesh mesh, grz_inside_rule expected)
{
    grz_mesh *uploaded = test_mesh_upload(device, &mesh);
    const grz_inside_rule first = rule_of(uploaded), again = rule_of(uploaded);
    if (first != expected || again != expected)
        fail_msg("%s: rule %d, again %d, expected %d", what, (int)first, (int)again, (int)expected);
    grz_mesh_destroy(uploaded);
    test_mesh_finish(&mesh);
}

static void the_rule_follows_from_the_mesh(void **state)
{
    (void)state;
    expect_rule("a box", box(0, 2), GRZ_EVEN_ODD);
    expect_rule("boxes apart", two(box(0, 2), box(3, 4)), GRZ_EVEN_ODD);
    expect_rule("boxes that cross", two(box(0, 2), box(1, 3)), GRZ_NONZERO);
    expect_rule("a box there twice", two(box(0, 2), box(0, 2)), GRZ_NONZERO);
    expect_rule("boxes that meet in a corner", two(box(0, 2), box(2, 3)), GRZ_EVEN_ODD);
    expect_rule("flush boxes",
                two(box(0, 2), test_mesh_box((const double[3]){2, 0.5, 0.5}, (const double[3]){3, 1, 1})), GRZ_NONZERO);
    expect_rule("nested shells, wound alike", test_mesh_shells(3, 0), GRZ_EVEN_ODD);
    expect_rule("a cavity", test_mesh_shells(2, 1), GRZ_EVEN_ODD);
    test_mesh inside_out = box(1, 3);
    test_mesh_reverse(&inside_out);
    expect_rule("boxes that cross, one inside out", two(box(0, 2), inside_out), GRZ_NONZERO);
    test_mesh open = two(box(0, 2), box(1, 3));
    test_mesh_drop_face(&open, 0);
    expect_rule("open", open, GRZ_EVEN_ODD);
    test_mesh turned = two(box(0, 2), box(1, 3));
    const uint32_t corner = turned.indices[0];
    turned.indices[0] = turned.indices[1];
    turned.indices[1] = corner;
    expect_rule("a face turned over", turned, GRZ_EVEN_ODD);
}

static void the_rule_follows_the_positions(void **state)
{
    (void)state;
    test_mesh apart = two(box(0, 2), box(3, 5)), crossing = two(box(0, 2), box(1, 3));
    grz_mesh *mesh = test_mesh_upload(device, &apart);
    assert_int_equal(rule_of(mesh), GRZ_EVEN_ODD);
    assert_int_equal(grz_mesh_set_positions(mesh, crossing.positions, NULL), GRZ_OK);
    assert_int_equal(rule_of(mesh), GRZ_NONZERO);
    assert_int_equal(grz_mesh_set_positions(mesh, apart.positions, NULL), GRZ_OK);
    assert_int_equal(rule_of(mesh), GRZ_EVEN_ODD);
    grz_mesh_destroy(mesh);
    test_mesh_finish(&apart);
    test_mesh_finish(&crossing);
}

// ---- Piles of blocks ----------------------------------------------------------------------------------------------

enum {
    GRID = 6, // cells along each axis
    MOST_BLOCKS = 3
};

typedef struct pile {
    int low[MOST_BLOCKS][3], high[MOST_BLOCKS][3], count;
} pile;

static pile random_pile(random_stream *random)
{
    pile p = {.count = 1 + (int)random_below(random, MOST_BLOCKS)};
    for (int i = 0; i < p.count; i++)
        for (int k = 0; k < 3; k++) {
            p.low[i][k] = (int)random_below(random, GRID);
            p.high[i][k] = p.low[i][k] + 1 + (int)random_below(random, (uint32_t)(GRID - p.low[i][k]));
        }
    return p;
}

// One block within the other, none of their walls in touch.
static pile nested_pile(void)
{
    return (pile){
        .low = {{0, 0, 0}, {1, 1, 1}}, .high = {{GRID, GRID, GRID}, {GRID - 1, GRID - 1, GRID - 1}}, .count = 2};
}

static grz_object upload(const pile *p)
{
    test_mesh mesh = {0};
    for (int i = 0; i < p->count; i++) {
        double low[3], high[3];
        for (int k = 0; k < 3; k++) {
            low[k] = p->low[i][k];
            high[k] = p->high[i][k];
        }
        test_mesh block = test_mesh_box(low, high);
        if (i == 0)
            mesh = block;
        else
            test_mesh_take(&mesh, block);
    }
    const grz_object object = grz_object_at_origin(test_mesh_upload(device, &mesh));
    test_mesh_finish(&mesh);
    return object;
}

static bool is_inside(const pile *p, const int at[3], grz_inside_rule rule)
{
    int winding = 0;
    for (int i = 0; i < p->count; i++) {
        bool in = true;
        for (int k = 0; k < 3; k++)
            in = in && p->low[i][k] <= at[k] && at[k] < p->high[i][k];
        winding += in;
    }
    return rule == GRZ_NONZERO ? winding != 0 : winding % 2 != 0;
}

// How the cells of two piles lie. *common: how many they have in common. Piles without common cells are taken as
// touching: cells do not tell.
static grz_solids solids_of_cells(const pile piles[2], const grz_inside_rule rules[2], int *common)
{
    bool only_a = false, only_b = false;
    *common = 0;
    for (int i = 0; i < GRID * GRID * GRID; i++) {
        const int at[3] = {i % GRID, i / GRID % GRID, i / GRID / GRID};
        const bool a = is_inside(&piles[0], at, rules[0]), b = is_inside(&piles[1], at, rules[1]);
        *common += a && b;
        only_a = only_a || (a && !b);
        only_b = only_b || (b && !a);
    }
    if (*common == 0)
        return GRZ_SOLIDS_TOUCHING;
    if (only_a)
        return only_b ? GRZ_SOLIDS_PENETRATING : GRZ_SOLIDS_B_INSIDE_A;
    return only_b ? GRZ_SOLIDS_A_INSIDE_B : GRZ_SOLIDS_SAME;
}

static grz_solids solids_by(const grz_object *a, const grz_object *b, grz_inside_rule rule)
{
    grz_collide_options options = grz_default_collide_options();
    grz_result *result;
    grz_error error;
    options.find = GRZ_FIND_SOLIDS;
    options.inside_rule = rule;
    assert_int_equal(grz_result_create(device, &result, NULL), GRZ_OK);
    if (grz_collide(device, a, b, &options, result, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    const grz_solids solids = grz_result_summary(result)->solids;
    grz_result_destroy(result);
    return solids;
}

static grz_overlap_volume_answer volume_by(const grz_object *a, const grz_object *b, grz_inside_rule rule)
{
    grz_move_options options = grz_default_move_options();
    grz_overlap_volume_answer answer;
    grz_error error;
    options.inside_rule = rule;
    if (grz_overlap_volume(device, a, b, &options, &answer, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return answer;
}

static grz_overlap_depth_answer depth_by(const grz_object *a, const grz_object *b, grz_inside_rule rule)
{
    grz_overlap_depth_options options = grz_default_overlap_depth_options();
    grz_overlap_depth_answer answer;
    grz_error error;
    options.inside_rule = rule;
    options.tolerance = 0.1;
    options.max_cells = 4000;
    if (grz_overlap_depth(device, a, b, &options, &answer, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return answer;
}

static bool same_bits(double x, double y)
{
    return memcmp(&x, &y, sizeof x) == 0;
}

static bool solids_agree(grz_solids solids, grz_solids cells)
{
    return cells == GRZ_SOLIDS_TOUCHING ? solids == GRZ_SOLIDS_APART || solids == GRZ_SOLIDS_TOUCHING : solids == cells;
}

static grz_solids swapped(grz_solids solids)
{
    return solids == GRZ_SOLIDS_A_INSIDE_B   ? GRZ_SOLIDS_B_INSIDE_A
           : solids == GRZ_SOLIDS_B_INSIDE_A ? GRZ_SOLIDS_A_INSIDE_B
                                             : solids;
}

static void expect_the_rule(const grz_object *a, const grz_object *b, grz_inside_rule rule, int number)
{
    const grz_overlap_volume_answer volume = volume_by(a, b, GRZ_INSIDE_AUTO), same = volume_by(a, b, rule);
    const grz_overlap_depth_answer depth = depth_by(a, b, GRZ_INSIDE_AUTO), as_deep = depth_by(a, b, rule);
    if (solids_by(a, b, GRZ_INSIDE_AUTO) != solids_by(a, b, rule) || !same_bits(volume.lower, same.lower) ||
        !same_bits(volume.upper, same.upper) || !same_bits(depth.lower, as_deep.lower) ||
        !same_bits(depth.upper, as_deep.upper))
        fail_msg("case %d: auto is not rule %d: volume %a to %a, not %a to %a; depth %a to %a, not %a to %a", number,
                 (int)rule, volume.lower, volume.upper, same.lower, same.upper, depth.lower, depth.upper, as_deep.lower,
                 as_deep.upper);
}

static void piles_are_those_of_their_rules(void **state)
{
    const int cases = TEST_SANITIZED ? 40 : 400;
    random_stream random = {77};
    int mixed = 0, alike[2] = {0, 0};
    (void)state;
    for (int i = 0; i < cases; i++) {
        pile piles[2] = {random_pile(&random), random_pile(&random)};
        int common;
        if (i % 4 == 0)
            piles[1] = nested_pile();
        const grz_object a = upload(&piles[0]), b = upload(&piles[1]);
        const grz_inside_rule rules[2] = {rule_of(a.mesh), rule_of(b.mesh)};
        const grz_solids cells = solids_of_cells(piles, rules, &common), solids = solids_by(&a, &b, GRZ_INSIDE_AUTO),
                         back = solids_by(&b, &a, GRZ_INSIDE_AUTO);
        const grz_overlap_volume_answer volume = volume_by(&a, &b, GRZ_INSIDE_AUTO),
                                        volume_back = volume_by(&b, &a, GRZ_INSIDE_AUTO);
        if (!solids_agree(solids, cells) || back != swapped(solids))
            fail_msg("case %d, rules %d %d: solids %d, swapped %d, by cells %d", i, (int)rules[0], (int)rules[1],
                     (int)solids, (int)back, (int)cells);
        if (!(volume.lower <= common && common <= volume.upper && volume.upper - volume.lower < 1e-6) ||
            !same_bits(volume.lower, volume_back.lower) || !same_bits(volume.upper, volume_back.upper))
            fail_msg("case %d, rules %d %d: volume %a to %a, swapped %a to %a, %d cells", i, (int)rules[0],
                     (int)rules[1], volume.lower, volume.upper, volume_back.lower, volume_back.upper, common);
        if (rules[0] == rules[1])
            expect_the_rule(&a, &b, rules[0], i);
        mixed += rules[0] != rules[1];
        alike[rules[0] == GRZ_NONZERO] += rules[0] == rules[1];
        grz_mesh_destroy((grz_mesh *)a.mesh);
        grz_mesh_destroy((grz_mesh *)b.mesh);
    }
    print_message("%d of two rules, %d even-odd, %d nonzero\n", mixed, alike[0], alike[1]);
    assert_true(mixed > cases / 8 && alike[0] > cases / 20 && alike[1] > cases / 20);
}

static void expect_inside(double low, double high, bool other_shell)
{
    test_mesh whole = two(box(0, 2), box(1, 3)), guest = box(low, high);
    if (other_shell) // B by the even-odd rule: with a cavity
        guest = two(guest, box(low + 0.125, high - 0.125));
    const grz_object a = grz_object_at_origin(test_mesh_upload(device, &whole)),
                     b = grz_object_at_origin(test_mesh_upload(device, &guest));
    assert_int_equal(rule_of(a.mesh), GRZ_NONZERO);
    assert_int_equal(rule_of(b.mesh), GRZ_EVEN_ODD);
    assert_int_equal(solids_by(&a, &b, GRZ_INSIDE_AUTO), GRZ_SOLIDS_B_INSIDE_A);
    assert_int_equal(solids_by(&b, &a, GRZ_INSIDE_AUTO), GRZ_SOLIDS_A_INSIDE_B);
    assert_int_not_equal(solids_by(&a, &b, GRZ_EVEN_ODD), GRZ_SOLIDS_B_INSIDE_A);
    grz_mesh_destroy((grz_mesh *)a.mesh);
    grz_mesh_destroy((grz_mesh *)b.mesh);
    test_mesh_finish(&whole);
    test_mesh_finish(&guest);
}

// Two boxes that cross hold what lies in both, and what crosses only the walls between them.
static void crossing_boxes_hold_what_is_in_them(void **state)
{
    (void)state;
    for (int shells = 0; shells < 2; shells++) {
        expect_inside(1.25, 1.75, shells == 1);
        expect_inside(0.75, 1.25, shells == 1);
    }
}

// All pairs of a scene, asked on four threads of meshes whose rule nobody has asked for yet.
static void scenes_have_the_answers_of_their_pairs(void **state)
{
    enum {
        OBJECTS = 24
    };
    random_stream random = {78};
    grz_collide_options options = grz_default_collide_options();
    grz_object objects[OBJECTS];
    grz_result *result;
    grz_scene *scene;
    grz_error error;
    uint64_t count, classified;
    uint32_t id;
    (void)state;
    assert_int_equal(grz_scene_create(device, &scene, NULL), GRZ_OK);
    assert_int_equal(grz_result_create(device, &result, NULL), GRZ_OK);
    for (int i = 0; i < OBJECTS; i++) {
        const pile p = i % 6 == 0 ? nested_pile() : random_pile(&random);
        objects[i] = upload(&p);
        assert_int_equal(grz_scene_add(scene, &objects[i], &id, NULL), GRZ_OK);
        assert_int_equal(id, i);
    }
    options.find = GRZ_FIND_SOLIDS | GRZ_FIND_CONTAINMENT;
    options.inside_rule = GRZ_INSIDE_AUTO;
    if (grz_collide_scene(device, scene, &options, result, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    const grz_scene_pair *pairs = grz_result_scene_pairs(result, &count);
    const grz_pair_solids *solids = grz_result_scene_solids(result, &classified);
    assert_true(count > OBJECTS && classified == count);
    for (uint64_t i = 0; i < count; i++) {
        const grz_solids alone = solids_by(&objects[pairs[i].a], &objects[pairs[i].b], GRZ_INSIDE_AUTO);
        if (solids[i].solids != alone)
            fail_msg("pair %u %u: %d, alone %d", pairs[i].a, pairs[i].b, (int)solids[i].solids, (int)alone);
    }
    grz_result_destroy(result);
    grz_scene_destroy(scene);
    for (int i = 0; i < OBJECTS; i++)
        grz_mesh_destroy((grz_mesh *)objects[i].mesh);
}

// ---- Points -------------------------------------------------------------------------------------------------------

static void points_are_located_by_the_rule_of_the_mesh(void **state)
{
    static const double points[3][3] = {{0.5, 0.5, 0.5}, {1.5, 1.5, 1.5}, {2.5, 2.5, 2.5}};
    grz_location where[3], by_distance[3];
    grz_point_distance distances[3];
    grz_locate_options options = grz_default_locate_options();
    grz_distance_points_options wanted = grz_default_distance_points_options();
    (void)state;
    options.inside_rule = wanted.inside_rule = GRZ_INSIDE_AUTO;
    for (int nested = 0; nested < 2; nested++) {
        test_mesh mesh = nested ? two(box(0, 3), box(1, 2)) : two(box(0, 2), box(1, 3));
        const grz_object object = grz_object_at_origin(test_mesh_upload(device, &mesh));
        assert_int_equal(grz_locate_points(device, &object, points[0], 3, &options, where, NULL), GRZ_OK);
        assert_int_equal(grz_distance_points(device, &object, points[0], 3, &wanted, distances, NULL), GRZ_OK);
        for (int i = 0; i < 3; i++) {
            by_distance[i] = distances[i].location;
            assert_int_equal(where[i], nested && i == 1 ? GRZ_OUTSIDE : GRZ_INSIDE);
            assert_int_equal(by_distance[i], where[i]);
        }
        grz_mesh_destroy((grz_mesh *)object.mesh);
        test_mesh_finish(&mesh);
    }
}

// ---- Pieces -------------------------------------------------------------------------------------------------------

static test_mesh tetrahedron(const double corners[4][3])
{
    test_mesh mesh = {0};
    for (int i = 0; i < 4; i++)
        test_mesh_add_vertex(&mesh, corners[i][0], corners[i][1], corners[i][2]);
    test_mesh_add_triangle(&mesh, 0, 2, 1);
    test_mesh_add_triangle(&mesh, 0, 1, 3);
    test_mesh_add_triangle(&mesh, 0, 3, 2);
    test_mesh_add_triangle(&mesh, 1, 2, 3);
    return mesh;
}

// A tetrahedron within another, with one edge in common: one shell, which does not meet itself. A block elsewhere,
// there twice, makes the whole meet itself. What touches the inner one from within is inside, by the nonzero rule.
static void pieces_have_the_rule_of_the_whole(void **state)
{
    static const double outer[4][3] = {{0, 0, 0}, {8, 0, 0}, {0, 8, 0}, {0, 0, 8}},
                        inner[4][3] = {{0, 0, 0}, {8, 0, 0}, {1, 4, 1}, {1, 1, 4}},
                        guest[4][3] = {{2.25, 1.25, 1.25}, {2.5, 1.25, 1.25}, {2.25, 1.5, 1.25}, {1, 2.5, 2.5}};
    test_mesh shell = two(tetrahedron(outer), tetrahedron(inner)), small = tetrahedron(guest);
    test_mesh whole = two(two(tetrahedron(outer), tetrahedron(inner)), two(box(20, 21), box(20, 21)));
    const grz_object alone = grz_object_at_origin(test_mesh_upload(device, &shell)),
                     a = grz_object_at_origin(test_mesh_upload(device, &whole)),
                     b = grz_object_at_origin(test_mesh_upload(device, &small));
    (void)state;
    assert_int_equal(rule_of(alone.mesh), GRZ_EVEN_ODD);
    assert_int_equal(rule_of(a.mesh), GRZ_NONZERO);
    assert_int_equal(solids_by(&a, &b, GRZ_EVEN_ODD), GRZ_SOLIDS_TOUCHING);
    assert_int_equal(solids_by(&a, &b, GRZ_NONZERO), GRZ_SOLIDS_B_INSIDE_A);
    assert_int_equal(solids_by(&a, &b, GRZ_INSIDE_AUTO), GRZ_SOLIDS_B_INSIDE_A);
    assert_int_equal(solids_by(&b, &a, GRZ_INSIDE_AUTO), GRZ_SOLIDS_A_INSIDE_B);
    grz_mesh_destroy((grz_mesh *)alone.mesh);
    grz_mesh_destroy((grz_mesh *)a.mesh);
    grz_mesh_destroy((grz_mesh *)b.mesh);
    test_mesh_finish(&shell);
    test_mesh_finish(&small);
    test_mesh_finish(&whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rule_follows_from_the_mesh),
        cmocka_unit_test(the_rule_follows_the_positions),
        cmocka_unit_test(piles_are_those_of_their_rules),
        cmocka_unit_test(crossing_boxes_hold_what_is_in_them),
        cmocka_unit_test(scenes_have_the_answers_of_their_pairs),
        cmocka_unit_test(points_are_located_by_the_rule_of_the_mesh),
        cmocka_unit_test(pieces_have_the_rule_of_the_whole),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
