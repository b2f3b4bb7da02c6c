// SPDX-License-Identifier: MIT
// The least depth (grz_penetration()) of solids of cells, which are not convex. The translations of A at which it
// overlaps B are a union of open cubes, one for each difference of cells; the shortest translation outside of all of
// them has each coordinate 0 or on the side of a cube. So trying these finds the exact least depth, and the bounds must
// hold it.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>
#include <graze/penetration.h>

#include "support_own_device.h"
#include "support_sanitizer.h"
#include "support_solids.h"

enum {
    SPAN = 2 * SOLID_CELLS - 1, // differences of cells along an axis: -(SOLID_CELLS - 1) to SOLID_CELLS - 1
    MOST_CHOICES = 2 * SPAN + 1
};

typedef struct differences {
    bool are[SPAN][SPAN][SPAN]; // some cell of A less some cell of B, plus SOLID_CELLS - 1
} differences;

static differences all_differences(const solid_cells *a, const solid_cells *b)
{
    enum {
        ALL = SOLID_CELLS * SOLID_CELLS * SOLID_CELLS,
        SIDE = SOLID_CELLS
    };
    differences out = {{{{false}}}};
    for (int i = 0; i < ALL; i++)
        for (int j = 0; j < ALL; j++) {
            const int p[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE},
                      q[3] = {j % SIDE, j / SIDE % SIDE, j / SIDE / SIDE};
            if (a->full[p[0]][p[1]][p[2]] && b->full[q[0]][q[1]][q[2]])
                out.are[p[0] - q[0] + SIDE - 1][p[1] - q[1] + SIDE - 1][p[2] - q[2] + SIDE - 1] = true;
        }
    return out;
}

// Is a difference, moved by v, an overlap along one axis?
static bool covers(int difference, double v)
{
    return fabs(SOLID_CELL_SIZE * (double)(difference - (SOLID_CELLS - 1)) + v) < SOLID_CELL_SIZE;
}

static bool overlap_at(const differences *d, const double v[3])
{
    for (int x = 0; x < SPAN; x++)
        for (int y = 0; y < SPAN && covers(x, v[0]); y++)
            for (int z = 0; z < SPAN && covers(y, v[1]); z++)
                if (d->are[x][y][z] && covers(z, v[2]))
                    return true;
    return false;
}

// The square of the least depth. All numbers are small whole numbers.
static double least_square(const differences *d, const double offset[3])
{
    double choices[3][MOST_CHOICES], least = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        choices[k][0] = 0.0;
        for (int i = 0; i < SPAN; i++)
            for (int side = 0; side < 2; side++)
                choices[k][1 + 2 * i + side] =
                    SOLID_CELL_SIZE * (double)(SOLID_CELLS - 1 - i + (side == 0 ? 1 : -1)) - offset[k];
    }
    for (int x = 0; x < MOST_CHOICES; x++)
        for (int y = 0; y < MOST_CHOICES; y++)
            for (int z = 0; z < MOST_CHOICES; z++) {
                const double way[3] = {choices[0][x], choices[1][y], choices[2][z]},
                             square = way[0] * way[0] + way[1] * way[1] + way[2] * way[2],
                             v[3] = {offset[0] + way[0], offset[1] + way[1], offset[2] + way[2]};
                if (square < least && !overlap_at(d, v))
                    least = square;
            }
    return least;
}

// Some cells that hang together: one piece, often with an edge that bends inwards.
static solid_cells hanging_together(random_stream *random)
{
    solid_cells out = {{{{false}}}};
    int at[3] = {2, 2, 2};
    const uint32_t steps = 2 + random_below(random, 4);
    out.full[2][2][2] = true;
    for (uint32_t i = 0; i < steps; i++) {
        const uint32_t axis = random_below(random, 3);
        at[axis] += at[axis] == 0 || (at[axis] < SOLID_CELLS - 1 && random_below(random, 2) == 0) ? 1 : -1;
        out.full[at[0]][at[1]][at[2]] = true;
    }
    return out;
}

static void the_bounds_hold_the_least_depth(void **state)
{
    const int cases = TEST_SANITIZED ? 9 : 45;
    random_stream random = {36};
    int overlapping = 0, met = 0, above = 0;
    (void)state;
    for (int i = 0; i < cases; i++) {
        const bool porous = i % 3 == 0;
        const solid_cells cells[2] = {
            porous ? solid_random(&random, 1 + random_below(&random, 5)) : hanging_together(&random),
            porous ? solid_random(&random, 1 + random_below(&random, 5)) : hanging_together(&random)};
        const differences d = all_differences(&cells[0], &cells[1]);
        double offset[3];
        for (int k = 0; k < 3; k++)
            offset[k] = porous && random_below(&random, 3) == 0 ? 4.0 * ((double)random_below(&random, 5) - 2.0)
                        : porous                                ? (double)random_below(&random, 17) - 8.0
                                                                : (double)random_below(&random, 9) - 4.0;
        test_mesh surfaces[2] = {solid_surface(&cells[0], false), solid_surface(&cells[1], true)};
        const grz_object a = grz_object_at(test_mesh_upload(device, &surfaces[0]),
                                           grz_pose_from_translation(offset[0], offset[1], offset[2])),
                         b = grz_object_at_origin(test_mesh_upload(device, &surfaces[1]));
        const double truth = sqrt(least_square(&d, offset));
        grz_penetration_answer answer;
        grz_error error;
        if (grz_penetration(device, &a, &b, NULL, &answer, &error) != GRZ_OK)
            fail_msg("%s", error.message);
        assert_true(answer.penetrating == (truth > 0.0));
        if (answer.lower > nextafter(truth, HUGE_VAL) || answer.upper < nextafter(truth, 0.0) ||
            (answer.certainty == GRZ_EXACT && answer.depth != truth))
            fail_msg("case %d: %.17g to %.17g, but it is %.17g", i, answer.lower, answer.upper, truth);
        overlapping += answer.penetrating;
        met += answer.penetrating && answer.upper == truth;
        above += answer.penetrating && answer.lower > 0.5 * answer.upper;
        for (int k = 0; k < 2; k++)
            test_mesh_finish(&surfaces[k]);
        grz_mesh_destroy((grz_mesh *)a.mesh);
        grz_mesh_destroy((grz_mesh *)b.mesh);
    }
    print_message("%d pairs of solids of cells: %d overlap; of %d the upper bound is the least depth, of %d the lower "
                  "one is above half of it\n",
                  cases, overlapping, met, above);
    assert_true(TEST_SANITIZED || (overlapping > cases / 2 && met > overlapping / 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_bounds_hold_the_least_depth)};
    return cmocka_run_group_tests(tests, open_device, close_device);
}
