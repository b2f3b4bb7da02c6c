// SPDX-License-Identifier: MIT
// Meshes that meet themselves, as solids: piles of blocks that overlap, lie flush, share edges and corners, or are
// there twice, with walls of no thickness; and cubes cut into flush blocks, which two meshes share out. The truth is
// counted cell by cell, by both rules. And meshes whose answer is known get a wall somewhere, which makes them meet
// themselves and changes nothing.
// ctest: long
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_classify.h"
#include "support_sanitizer.h"

enum {
    PILE_BLOCKS = 5,
    PARTITION_CUTS = 9,
    MOST_BLOCKS = 16
};

typedef struct block {
    int low[3], high[3];
    bool reversed; // wound inwards
} block;

// How often each cell is in a block that is wound outwards, less how often in one that is wound inwards.
typedef struct pile {
    block blocks[MOST_BLOCKS];
    uint32_t count;
    int windings[LATTICE][LATTICE][LATTICE];
    int parity[LATTICE][LATTICE][LATTICE];
    test_mesh mesh;
} pile;

static void add_block(pile *p, const block *add, random_stream *random)
{
    const int *low = add->low, *high = add->high;
    test_mesh mesh;
    p->blocks[p->count++] = *add;
    if (random_below(random, 2) == 0) {
        const double min[3] = {low[0], low[1], low[2]}, max[3] = {high[0], high[1], high[2]};
        mesh = random_below(random, 2) == 0 ? test_mesh_box(min, max) : test_mesh_box_quads(min, max);
    } else {
        const lattice cells = lattice_block(low, high);
        const lattice_style style = {.size = 1, .diagonals = random_below(random, 2) == 0};
        mesh = lattice_surface(&cells, &style, random, 1.0);
    }
    if (add->reversed)
        test_mesh_reverse(&mesh);
    test_mesh triangles = test_mesh_triangulated(&mesh);
    test_mesh_finish(&mesh);
    test_mesh_take(&p->mesh, triangles);
    for (int x = low[0]; x < high[0]; x++)
        for (int y = low[1]; y < high[1]; y++)
            for (int z = low[2]; z < high[2]; z++) {
                p->windings[x][y][z] += add->reversed ? -1 : 1;
                p->parity[x][y][z] ^= 1;
            }
}

// A rectangle there and back, one grid unit or more wide.
static void add_wall(pile *p, const int low[3], const int high[3], int axis)
{
    double corners[4][3];
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++)
            corners[i][k] = low[k];
        corners[i][(axis + 1) % 3] = i == 1 || i == 2 ? high[(axis + 1) % 3] : low[(axis + 1) % 3];
        corners[i][(axis + 2) % 3] = i >= 2 ? high[(axis + 2) % 3] : low[(axis + 2) % 3];
    }
    uint32_t v[4];
    for (int i = 0; i < 4; i++)
        v[i] = test_mesh_add_vertex(&p->mesh, corners[i][0], corners[i][1], corners[i][2]);
    test_mesh_add_triangle(&p->mesh, v[0], v[1], v[2]);
    test_mesh_add_triangle(&p->mesh, v[0], v[2], v[3]);
    test_mesh_add_triangle(&p->mesh, v[1], v[0], v[3]); // the other diagonal
    test_mesh_add_triangle(&p->mesh, v[3], v[2], v[1]);
}

static void random_ends(random_stream *random, int spread, int low[3], int high[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = (int)random_below(random, (uint32_t)spread);
        high[k] = low[k] + 1 + (int)random_below(random, 3);
    }
}

static pile random_pile(random_stream *random, int spread)
{
    pile p = {.count = 0};
    const uint32_t count = 1 + random_below(random, PILE_BLOCKS);
    block next = {.reversed = false};
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || random_below(random, 6) > 0) // else: the same block again
            random_ends(random, spread, next.low, next.high);
        next.reversed = random_below(random, 3) == 0;
        add_block(&p, &next, random);
    }
    for (uint32_t i = random_below(random, 5); i >= 3; i--) {
        random_ends(random, spread, next.low, next.high);
        add_wall(&p, next.low, next.high, (int)random_below(random, 3));
    }
    return p;
}

// The same blocks, or all but one, cut otherwise.
static pile random_like(random_stream *random, const pile *other)
{
    pile p = {.count = 0};
    const bool all = other->count == 1 || random_below(random, 2) == 0;
    for (uint32_t i = all ? 0 : 1; i < other->count; i++)
        add_block(&p, &other->blocks[i], random);
    return p;
}

static lattice cells_of(const pile *p, grz_inside_rule rule)
{
    lattice cells = {.full = {{{0}}}};
    for (int i = 0; i < LATTICE * LATTICE * LATTICE; i++)
        (&cells.full[0][0][0])[i] =
            rule == GRZ_NONZERO ? (&p->windings[0][0][0])[i] != 0 : (&p->parity[0][0][0])[i] != 0;
    return cells;
}

static void piles_are_classified_as_they_are_counted(void **state)
{
    (void)state;
    const int cases = TEST_SANITIZED ? 10 : 100;
    random_stream random = {.state = 31};
    size_t counts[SOLIDS_COUNT] = {0};
    for (int i = 0; i < cases; i++) {
        const int spread = 2 + (int)random_below(&random, 4);
        pile a = random_pile(&random, spread),
             b = random_below(&random, 8) == 0 ? random_like(&random, &a) : random_pile(&random, spread);
        const size_t which = random_below(&random, MATRIX_COUNT);
        const grz_pose pose = pose_of(matrices[which]);
        const bool posed = random_below(&random, 2) == 0;
        test_mesh_shuffle(&a.mesh, &random, NULL);
        if (random_below(&random, 3) == 0) {
            test_mesh soup = test_mesh_soup(&b.mesh);
            test_mesh_finish(&b.mesh);
            b.mesh = soup;
        }
        if (!posed) {
            test_mesh_transform(&a.mesh, matrices[which]);
            test_mesh_transform(&b.mesh, matrices[which]);
        }
        for (int rule = 0; rule < 2; rule++) {
            const grz_inside_rule by = rule == 0 ? GRZ_EVEN_ODD : GRZ_NONZERO;
            const lattice in_a = cells_of(&a, by), in_b = cells_of(&b, by);
            const grz_solids expected = lattice_classify(&in_a, &in_b),
                             found = ask_ruled(&a.mesh, &b.mesh, posed ? &pose : NULL, by);
            if (found != expected)
                fail_msg("case %d, matrix %zu, rule %d: %s, counted %s", i, which, rule, solids_names[found],
                         solids_names[expected]);
            counts[expected]++;
        }
        test_mesh_finish(&a.mesh);
        test_mesh_finish(&b.mesh);
    }
    for (int i = GRZ_SOLIDS_APART; i < GRZ_SOLIDS_UNDECIDABLE; i++) {
        print_message("  %-11s %5zu\n", solids_names[i], counts[i]);
        assert_true(TEST_SANITIZED || counts[i] > 0);
    }
}

// ---- Flush blocks ----

// A cube of cells, cut into flush blocks, of which some are A's and some B's. Sometimes a block is longer by a cell, so
// that it overlaps its neighbours, or there are walls.
static void random_partition(random_stream *random, pile both[2])
{
    block blocks[PARTITION_CUTS + 1] = {{.low = {2, 2, 2}, .high = {8, 8, 8}}};
    size_t count = 1;
    for (int i = 0; i < PARTITION_CUTS; i++) {
        block *one = &blocks[random_below(random, (uint32_t)count)];
        const size_t axis = random_below(random, 3);
        if (one->high[axis] - one->low[axis] < 2)
            continue;
        const int cut =
            one->low[axis] + 1 + (int)random_below(random, (uint32_t)(one->high[axis] - one->low[axis] - 1));
        blocks[count] = *one;
        one->high[axis] = blocks[count++].low[axis] = cut;
    }
    if (random_below(random, 2) == 0)
        blocks[random_below(random, (uint32_t)count)].high[random_below(random, 3)]++;
    both[0] = both[1] = (pile){.count = 0};
    for (size_t i = 0; i < count; i++) {
        const uint32_t owner = random_below(random, 5) / 2;
        blocks[i].reversed = random_below(random, 8) == 0;
        if (owner < 2)
            add_block(&both[owner], &blocks[i], random);
    }
    if (random_below(random, 6) == 0)
        add_wall(&both[0], blocks[0].low, blocks[0].high, (int)random_below(random, 3));
}

// At a pose that rounds, they are what they are at the rounded positions.
static void expect_rounded(const pile *a, const pile *b, random_stream *random)
{
    test_mesh meshes[2] = {test_mesh_copy(&a->mesh), test_mesh_copy(&b->mesh)};
    const double by[3] = {0.1 * random_signed(random), random_signed(random), 3 * random_signed(random)};
    const grz_pose pose = grz_pose_from_translation(by[0], by[1], by[2]);
    for (int i = 0; i < 2; i++)
        test_mesh_scale(&meshes[i], 0.1, 0.3, 0.7);
    const grz_solids posed = ask_ruled(&meshes[0], &meshes[1], &pose, GRZ_EVEN_ODD);
    for (int i = 0; i < 2; i++)
        for (uint64_t k = 0; k < 3 * meshes[i].vertex_count; k++)
            meshes[i].positions[k] += by[k % 3];
    const grz_solids placed = ask_ruled(&meshes[0], &meshes[1], NULL, GRZ_EVEN_ODD);
    if (posed != placed)
        fail_msg("posed %s, at the rounded positions %s", solids_names[posed], solids_names[placed]);
    for (int i = 0; i < 2; i++)
        test_mesh_finish(&meshes[i]);
}

static void flush_blocks_are_classified_as_they_are_counted(void **state)
{
    (void)state;
    const int cases = TEST_SANITIZED ? 25 : TEST_SHORT ? 150 : 400;
    random_stream random = {.state = 33};
    size_t counts[SOLIDS_COUNT] = {0};
    for (int i = 0; i < cases; i++) {
        pile both[2];
        random_partition(&random, both);
        const size_t which = random_below(&random, MATRIX_COUNT);
        const grz_pose pose = pose_of(matrices[which]);
        for (int k = 0; k < 2; k++)
            test_mesh_shuffle(&both[k].mesh, &random, NULL);
        for (int rule = 0; rule < 2 && both[0].count > 0 && both[1].count > 0; rule++) {
            const grz_inside_rule by = rule == 0 ? GRZ_EVEN_ODD : GRZ_NONZERO;
            const lattice in_a = cells_of(&both[0], by), in_b = cells_of(&both[1], by);
            const grz_solids expected = lattice_classify(&in_a, &in_b),
                             found = ask_ruled(&both[0].mesh, &both[1].mesh, i % 2 == 0 ? &pose : NULL, by);
            if (found != expected)
                fail_msg("case %d, matrix %zu, rule %d: %s, counted %s", i, which, rule, solids_names[found],
                         solids_names[expected]);
            counts[expected]++;
        }
        if (i % 8 == 0 && both[0].count > 0 && both[1].count > 0)
            expect_rounded(&both[0], &both[1], &random);
        test_mesh_finish(&both[0].mesh);
        test_mesh_finish(&both[1].mesh);
    }
    for (int i = GRZ_SOLIDS_APART; i < GRZ_SOLIDS_UNDECIDABLE; i++)
        print_message("  %-11s %5zu\n", solids_names[i], counts[i]);
    assert_true(counts[GRZ_SOLIDS_TOUCHING] > (size_t)cases && counts[GRZ_SOLIDS_PENETRATING] > 0);
}

// ---- Known answers ----

static void add_far_wall(test_mesh *mesh)
{
    const uint32_t v = test_mesh_add_vertex(mesh, 5000, 0, 0), w = test_mesh_add_vertex(mesh, 5000, 7, 0),
                   x = test_mesh_add_vertex(mesh, 5000, 0, 9);
    test_mesh_add_triangle(mesh, v, w, x);
    test_mesh_add_triangle(mesh, w, v, x);
}

static void a_wall_elsewhere_changes_nothing(void **state)
{
    (void)state;
    const int cases = TEST_SANITIZED ? 5 : TEST_SHORT ? 45 : 60;
    random_stream random = {.state = 32};
    size_t counts[SOLIDS_COUNT] = {0};
    for (int i = 0; i < cases; i++) {
        const lattice_case c = random_case(&random);
        if (lattice_count(&c.a) == 0 || lattice_count(&c.b) == 0)
            continue;
        const grz_solids expected = lattice_classify(&c.a, &c.b);
        test_mesh quads[2] = {lattice_surface(&c.a, &c.style_a, &random, 1.0),
                              lattice_surface(&c.b, &c.style_b, &random, 1.0)};
        const size_t which = random_below(&random, MATRIX_COUNT);
        test_mesh meshes[2];
        for (int k = 0; k < 2; k++) {
            meshes[k] = test_mesh_triangulated(&quads[k]);
            test_mesh_transform(&meshes[k], matrices[which]);
            test_mesh_finish(&quads[k]);
        }
        add_far_wall(&meshes[i % 2]);
        const bool oriented = !c.style_a.spin && !c.style_b.spin;
        const grz_inside_rule rule = oriented && i % 4 < 2 ? GRZ_NONZERO : GRZ_EVEN_ODD;
        const grz_solids found = ask_ruled(&meshes[0], &meshes[1], NULL, rule);
        if (found != expected)
            fail_msg("case %d, matrix %zu: %s, counted %s", i, which, solids_names[found], solids_names[expected]);
        counts[expected]++;
        test_mesh_finish(&meshes[0]);
        test_mesh_finish(&meshes[1]);
    }
    for (int i = GRZ_SOLIDS_APART; i < GRZ_SOLIDS_UNDECIDABLE; i++)
        assert_true(TEST_SANITIZED || counts[i] > 0);
}

// Eight blocks of which only the cube [0, 2]³ is left by the even-odd rule: every face that is on it goes on as a wall.
static test_mesh cube_of_blocks(void)
{
    test_mesh mesh = {0};
    for (int i = 0; i < 8; i++) {
        const double min[3] = {(i & 1) * 2, (i >> 1 & 1) * 2, (i >> 2) * 2}, max[3] = {4, 4, 4};
        test_mesh_take(&mesh, test_mesh_box(min, max));
    }
    return mesh;
}

static void solids_touch_in_a_point_where_walls_meet(void **state)
{
    (void)state;
    static const struct {
        double at[3];
        grz_solids expected;
    } cases[] = {{{2, 2, 2}, GRZ_SOLIDS_TOUCHING},    {{3, 2, 2}, GRZ_SOLIDS_APART},
                 {{2, 2, 3}, GRZ_SOLIDS_APART},       {{2, 2, -6}, GRZ_SOLIDS_TOUCHING},
                 {{2, 2, -7}, GRZ_SOLIDS_APART},      {{2, 2, 1}, GRZ_SOLIDS_TOUCHING},
                 {{1, 1, 1}, GRZ_SOLIDS_PENETRATING}, {{-1, -1, -1}, GRZ_SOLIDS_A_INSIDE_B}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t which = 0; which < MATRIX_COUNT; which++)
            for (size_t other = 0; other < 2; other++) { // a cube, or eight blocks the other way round
                if ((i + 3 * which + other) % (TEST_SHORT ? 8 : 4) != 0)
                    continue;
                test_mesh a = cube_of_blocks(), b = other == 0 ? test_mesh_cube(0, 0, 0, 6) : cube_of_blocks();
                if (other == 1) {
                    test_mesh_scale(&b, -3, -3, -3);
                    test_mesh_move(&b, 6, 6, 6);
                }
                test_mesh_move(&b, cases[i].at[0], cases[i].at[1], cases[i].at[2]);
                test_mesh_transform(&a, matrices[which]);
                test_mesh_transform(&b, matrices[which]);
                const grz_solids found = ask_ruled(&a, &b, NULL, GRZ_EVEN_ODD);
                if (found != cases[i].expected)
                    fail_msg("case %zu, matrix %zu, other %zu: %s, expected %s", i, which, other, solids_names[found],
                             solids_names[cases[i].expected]);
                test_mesh_finish(&a);
                test_mesh_finish(&b);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_touch_in_a_point_where_walls_meet),
        cmocka_unit_test(flush_blocks_are_classified_as_they_are_counted),
        cmocka_unit_test(piles_are_classified_as_they_are_counted),
        cmocka_unit_test(a_wall_elsewhere_changes_nothing),
    };
    classify_open();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    classify_close();
    return failed;
}
