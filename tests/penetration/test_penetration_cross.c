// SPDX-License-Identifier: MIT
// grz_cross_certainly(): what it is certain of must be true of triangles with small whole coordinates, of which many
// only touch; and it is certain of most that cross.
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ask/move/translation/cross.h"
#include "geometry/triangle/pair.h"
#include "pair_generator.h"

enum {
    CASES = 60000
};

static void certain_crossings_are_crossings(void **state)
{
    random_stream random = {67};
    int certain = 0, crossing = 0, touching = 0;
    (void)state;
    for (int i = 0; i < CASES; i++) {
        double a[3][3], b[3][3], moved[3][3];
        const double v[3] = {(double)random_below(&random, 5) - 2.0, (double)random_below(&random, 5) - 2.0,
                             (double)random_below(&random, 5) - 2.0},
                     time = 0.5 * random_below(&random, 5);
        for (int k = 0; k < 9; k++) {
            a[k / 3][k % 3] = (double)random_below(&random, 5);
            b[k / 3][k % 3] = (double)random_below(&random, 5);
            moved[k / 3][k % 3] = a[k / 3][k % 3] + time * v[k % 3]; // exact
        }
        grz_intersection meeting;
        const bool touch = grz_triangles_touch((const double(*)[3])moved, (const double(*)[3])b);
        uint32_t kind = 0;
        if (touch) {
            grz_triangles_intersect((const double(*)[3])moved, (const double(*)[3])b, &meeting);
            kind = meeting.kind;
        }
        const bool sure = grz_cross_certainly((const double(*)[3])a, (const double(*)[3])b, v, time);
        if (sure && kind != GRZ_CROSSING)
            fail_msg("case %d: certain, but the kind is %u", i, kind);
        certain += sure;
        crossing += kind == GRZ_CROSSING;
        touching += touch && kind != GRZ_CROSSING;
    }
    print_message("%d cross, of %d that is certain; %d only touch\n", crossing, certain, touching);
    assert_true(certain > crossing / 2 && crossing > 1000 && touching > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(certain_crossings_are_crossings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
