// SPDX-License-Identifier: MIT
// Turns around a line (grz_line_turn()) against determinants in GMP's integers: of points that are seen from the line
// in nearly the same direction, so that doubles do not tell, and of others.
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gmp.h>

#include "inside/solids/solids_line.h"
#include "pair_generator.h"

enum {
    CASES = 20000,
    RANGE = 1 << 21 // of coordinates, which are whole numbers
};

// The determinant of q - p, r - p, at - p.
static void determinant(const double plane[3][3], const double at[3], mpz_t out)
{
    mpz_t d[3][3], term, product;
    mpz_init_set_ui(out, 0);
    mpz_init(term);
    mpz_init(product);
    for (int i = 0; i < 9; i++) {
        const double *corner = i < 6 ? plane[1 + i / 3] : at;
        mpz_init_set_d(d[i / 3][i % 3], corner[i % 3] - plane[0][i % 3]); // exact
    }
    for (int k = 0; k < 3; k++) {
        mpz_mul(term, d[1][(k + 1) % 3], d[2][(k + 2) % 3]);
        mpz_submul(term, d[1][(k + 2) % 3], d[2][(k + 1) % 3]);
        mpz_addmul(out, d[0][k], term);
    }
    for (int i = 0; i < 9; i++)
        mpz_clear(d[i / 3][i % 3]);
    mpz_clear(term);
    mpz_clear(product);
}

// The sign of W(u) · U(v) - U(u) · W(v), as solids_line.h has it.
static int true_turn(const grz_line *line, const double u[3], const double v[3])
{
    mpz_t seen[2][2], turn;
    mpz_init(turn);
    for (int i = 0; i < 2; i++) {
        determinant((const double(*)[3])line->plane[i], u, seen[0][i]);
        determinant((const double(*)[3])line->plane[i], v, seen[1][i]);
    }
    mpz_mul(turn, seen[0][0], seen[1][1]);
    mpz_submul(turn, seen[0][1], seen[1][0]);
    const int sign = mpz_sgn(turn);
    for (int i = 0; i < 4; i++)
        mpz_clear(seen[i / 2][i % 2]);
    mpz_clear(turn);
    return sign;
}

static double whole(random_stream *random, uint32_t range)
{
    return (double)random_below(random, 2 * range + 1) - (double)range;
}

// A line through two points: planes through them and one more point each.
static grz_line random_line(random_stream *random, double ends[2][3])
{
    grz_line line = {.plane = {{{0.0}}}};
    double others[2][3];
    for (int i = 0; i < 6; i++) {
        ends[i / 3][i % 3] = whole(random, RANGE);
        others[i / 3][i % 3] = whole(random, RANGE);
    }
    for (int i = 0; i < 2; i++) {
        memcpy(line.plane[i][0], ends[0], sizeof ends[0]);
        memcpy(line.plane[i][1], ends[1], sizeof ends[1]);
        memcpy(line.plane[i][2], others[i], sizeof others[i]);
    }
    return line;
}

static void turns_are_those_of_exact_determinants(void **state)
{
    random_stream random = {51};
    int counts[3] = {0, 0, 0}, close = 0;
    (void)state;
    for (int i = 0; i < CASES; i++) {
        double ends[2][3], u[3], v[3];
        const grz_line line = random_line(&random, ends);
        const uint32_t kind = random_below(&random, 4);
        for (int k = 0; k < 3; k++)
            u[k] = whole(&random, RANGE);
        // v: anywhere; or farther from the line in the same direction, and moved along it, and by a little besides.
        const double along = (double)random_below(&random, 5) - 2.0, far = 1.0 + 2.0 * random_below(&random, 4);
        for (int k = 0; k < 3; k++)
            v[k] = kind == 0 ? whole(&random, RANGE)
                             : ends[0][k] + far * (u[k] - ends[0][k]) + along * (ends[1][k] - ends[0][k]) +
                                   (kind == 1 ? 0.0 : whole(&random, 1));
        const grz_line_point seen_u = grz_line_see(&line, u), seen_v = grz_line_see(&line, v);
        const int expected = true_turn(&line, u, v), turn = grz_line_turn(&line, &seen_u, &seen_v);
        if (turn != expected)
            fail_msg("case %d: %d, expected %d", i, turn, expected);
        assert_int_equal(grz_line_turn(&line, &seen_v, &seen_u), -expected);
        counts[expected + 1]++;
        close += kind >= 2;
    }
    print_message("%d turns: %d to the left, %d to the right, %d none; %d of close points\n", CASES, counts[2],
                  counts[0], counts[1], close);
    assert_true(counts[0] > CASES / 5 && counts[2] > CASES / 5 && counts[1] > CASES / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(turns_are_those_of_exact_determinants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
