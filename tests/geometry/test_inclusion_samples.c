// SPDX-License-Identifier: MIT
// The questions of data/ccd, whose answers are known: none that meets is called free, and those that do not meet and
// are not proved to are counted and printed. The answers are checked once more against the exact oracle.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gmp.h>

#include "geometry/inclusion/inclusion.h"
#include "oracle_motion.h"

enum {
    MOST_QUESTIONS = 200, // of one file
    ROWS = 8              // of one question
};

static const char *const names[] = {
    "erleben-cube-cliff-edges",
    "erleben-cube-internal-edges",
    "erleben-sliding-spike",
    "erleben-sliding-wedge",
    "erleben-spike-crack",
    "erleben-spike-wedge",
    "unit-tests",
};

typedef struct question {
    double x[2][4][3];
    bool meets;
} question;

// A rational number as a double; it must be one exactly.
static double take_number(char **text, mpq_t exact, mpq_t back)
{
    char *const numerator = strsep(text, ","), *const denominator = strsep(text, ",");
    assert_non_null(denominator);
    assert_int_equal(mpz_set_str(mpq_numref(exact), numerator, 10), 0);
    assert_int_equal(mpz_set_str(mpq_denref(exact), denominator, 10), 0);
    mpq_canonicalize(exact);
    const double value = mpq_get_d(exact);
    mpq_set_d(back, value);
    assert_true(mpq_equal(exact, back));
    return value;
}

static unsigned read_questions(const char *path, question *all)
{
    const char *const folder = getenv("GRZ_SOURCE_DIR");
    char full[512], line[512];
    snprintf(full, sizeof full, "%s%s%s", folder != NULL ? folder : "", folder != NULL ? "/" : "", path);
    FILE *const file = fopen(full, "r");
    if (file == NULL)
        fail_msg("cannot open %s", full);
    unsigned rows = 0;
    mpq_t exact, back;
    mpq_inits(exact, back, NULL);
    for (; fgets(line, sizeof line, file) != NULL; rows++) {
        char *text = line;
        assert_true(rows < ROWS * MOST_QUESTIONS);
        question *const q = &all[rows / ROWS];
        for (int axis = 0; axis < 3; axis++)
            q->x[rows % ROWS / 4][rows % 4][axis] = take_number(&text, exact, back);
        q->meets = strtol(text, NULL, 10) != 0;
    }
    fclose(file);
    mpq_clears(exact, back, NULL);
    assert_int_equal(rows % ROWS, 0);
    return rows / ROWS;
}

static void no_contact_is_missed(void **state)
{
    (void)state;
    static question all[MOST_QUESTIONS];
    oracle_motion *const o = oracle_motion_create();
    assert_non_null(o);
    unsigned questions = 0, met = 0, proved = 0, undecided = 0, false_contacts = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        for (int edges = 0; edges < 2; edges++) {
            char path[128];
            snprintf(path, sizeof path, "data/ccd/%s_%s_0.csv", names[i], edges ? "edge-edge" : "vertex-face");
            const unsigned count = read_questions(path, all);
            for (unsigned k = 0; k < count; k++) {
                const grz_inclusion_limits limits = grz_inclusion_limits_until(1.0);
                const double(*const x)[4][3] = all[k].x;
                const grz_inclusion answer =
                    edges ? grz_include_edges(x, &limits) : grz_include_vertex_face(x, &limits);
                const bool meets = edges ? oracle_motion_edges(o, x, 1.0) : oracle_motion_vertex_face(o, x, 1.0);
                if (meets != all[k].meets)
                    fail_msg("%s, question %u: the oracle does not agree with the file", path, k);
                if (meets ? answer.meeting == GRZ_MEET_NEVER : answer.meeting == GRZ_MEET_PROVED)
                    fail_msg("%s, question %u: answer %d", path, k, (int)answer.meeting);
                if (meets && (oracle_motion_compare(o, answer.lower) < 0 || oracle_motion_compare(o, answer.upper) > 0))
                    fail_msg("%s, question %u: [%.17g, %.17g] does not hold the exact time", path, k, answer.lower,
                             answer.upper);
                if (answer.meeting == GRZ_MEET_PROVED)
                    assert_true(answer.upper - answer.lower <= limits.time_tolerance);
                questions++;
                met += meets;
                proved += answer.meeting == GRZ_MEET_PROVED;
                undecided += answer.meeting == GRZ_MEET_UNDECIDED;
                false_contacts += answer.meeting != GRZ_MEET_NEVER && !meets;
            }
        }
    }
    oracle_motion_destroy(o);
    print_message("%u questions, %u contacts, %u of them proved; missed 0; undecided %u, of which false contacts %u\n",
                  questions, met, proved, undecided, false_contacts);
    assert_int_equal(questions, 1679);
    assert_int_equal(false_contacts, 0);
    assert_int_equal(undecided, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_contact_is_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
