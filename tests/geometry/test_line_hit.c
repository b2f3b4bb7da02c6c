// SPDX-License-Identifier: MIT
// What is said of lines through the insides of triangles: four side by side, at every SIMD width, against one after the
// other and against integers, bit for bit. The triangles are those of the pair generator's classes, and others far off,
// scaled, nearly flat, in planes of the axes, or between numbers that give ties.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geometry/ray/line_hit.h"
#include "geometry/ray/line_triangle.h"
#include "geometry/triangle/normal.h"
#include "pair_generator.h"

enum {
    FOURS = 4000, // of each kind
    KINDS = 8     // beside the generator's classes
};

typedef double triangle[3][3];
typedef const double (*rows)[3];

static const char *const kind_names[KINDS] = {"floats",      "doubles", "far off",   "scaled",
                                              "nearly flat", "grazing", "in planes", "integers"};

// From -1 to 1.
static double next_double(random_stream *random)
{
    return (double)random_below(random, 1u << 30) * 0x1p-29 - 1.0 + (double)random_below(random, 1u << 30) * 0x1p-60;
}

static double next_number(random_stream *random, int kind)
{
    const double x = next_double(random);
    return kind == 7 ? nearbyint(4.0 * x) : kind == 1 || kind == 2 ? x : (double)(float)x;
}

// A triangle of a kind and the origin of a line.
static void make_case(random_stream *random, int kind, triangle c, double origin[3])
{
    const double scale = kind == 3   ? ldexp(1.0, (int)random_below(random, 80) - 40)
                         : kind == 0 ? 0.01
                                     : 1.0,
                 away = kind == 2   ? 1e6
                        : kind == 0 ? 1.0
                                    : 0.0;
    double move[3];
    for (int k = 0; k < 3; k++) {
        move[k] = away * next_number(random, 1);
        origin[k] = 2.0 * scale * next_number(random, kind) + (kind == 2 ? move[k] : 0.0);
        for (int i = 0; i < 3; i++)
            c[i][k] = scale * next_number(random, kind) + move[k];
        if (kind == 0)
            for (int i = 0; i < 3; i++)
                c[i][k] = (double)(float)c[i][k];
        if (kind == 4)
            c[2][k] = 0.5 * c[0][k] + 0.5 * c[1][k] + ldexp(next_double(random), -(int)random_below(random, 45));
    }
    const int axis = (int)random_below(random, 3);
    for (int i = 1; kind == 6 && i < 3; i++)
        c[i][axis] = c[0][axis];
    if (kind == 5) // nearly in the triangle's plane
        for (int k = 0; k < 3; k++)
            origin[k] = 3.0 * c[0][k] - 2.0 * c[1][k] + ldexp(next_double(random), -(int)random_below(random, 45));
}

// A line from a point to one inside, or nearly so. False: there is none.
static bool aim(random_stream *random, rows c, const double origin[3], grz_line *line)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    const double x = 0.25 * (1.0 + next_double(random)), y = 0.5 * (1.0 + next_double(random)) * (1.0 - x);
    const bool on_grid = random_below(random, 4) == 0, exact = random_below(random, 2) == 0;
    double direction[3], tail[3], along[3];
    for (int k = 0; k < 3; k++) {
        const double goal = on_grid ? 0.5 * c[0][k] + 0.25 * c[1][k] + 0.25 * c[2][k]
                                    : (1.0 - x - y) * c[0][k] + x * c[1][k] + y * c[2][k];
        two_diff(goal, origin[k], &direction[k], &tail[k]);
        along[k] = (double)(float)direction[k];
    }
    return exact ? grz_line_set(line, origin, direction, tail) : grz_line_set(line, origin, along, none);
}

// As a picked hit has it.
static void settle(grz_line_hit *hit)
{
    for (int k = 0; k < 3; k++)
        hit->unit[k] += 0.0; // no -0
}

static grz_line_hit describe_exactly(const grz_line *line, rows c)
{
    grz_line_hit hit;
    grz_line_meeting meeting;
    grz_unit_normal normal;
    assert_true(grz_line_meets(line, c, &meeting));
    const grz_time_rounded rounded = grz_time_round(&meeting.enter);
    hit.t = rounded.nearest;
    hit.lower = rounded.lower;
    hit.upper = rounded.upper;
    hit.distance = grz_line_length_at(line, &meeting.enter);
    grz_line_point(line, &meeting.enter, c, hit.point);
    grz_triangle_normal(c, &normal);
    memcpy(hit.unit, normal.unit, sizeof hit.unit);
    settle(&hit);
    return hit;
}

typedef struct numbers {
    uint64_t hits, known, known_alone;
} numbers;

static void check_four(uint32_t count, const grz_line lines[GRZ_LINE_FOUR], const triangle c[GRZ_LINE_FOUR],
                       numbers *seen)
{
    grz_line_four four;
    grz_line_hit exact[GRZ_LINE_FOUR], alone[GRZ_LINE_FOUR];
    uint32_t first_known = 0;
    for (uint32_t i = 0; i < GRZ_LINE_FOUR; i++)
        grz_line_four_set(&four, i, &lines[i % count], (rows)c[i % count]);
    for (uint32_t i = 0; i < count; i++) {
        exact[i] = describe_exactly(&lines[i], (rows)c[i]);
        seen->hits++;
        if (!grz_line_describe_for(GRZ_SIMD_BASE)(&lines[i], (rows)c[i], &alone[i]))
            continue;
        settle(&alone[i]);
        seen->known_alone++;
        assert_memory_equal(&alone[i], &exact[i], sizeof exact[i]);
    }
    for (int simd = 0; simd < GRZ_SIMD_COUNT; simd++) {
        grz_line_hit hits[GRZ_LINE_FOUR];
        if (!grz_simd_available((grz_simd)simd))
            continue;
        const uint32_t known = grz_line_describe_four_for((grz_simd)simd)(&four, hits);
        if (simd == 0)
            first_known = known;
        assert_int_equal(known, first_known); // every width knows the same ones
        for (uint32_t i = 0; i < count; i++) {
            if ((known >> i & 1) == 0)
                continue;
            seen->known += simd == 0;
            settle(&hits[i]);
            assert_memory_equal(&hits[i], &exact[i], sizeof exact[i]);
        }
    }
}

static void four_hits_are_described_as_each_alone(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS + PAIR_CLASS_COUNT; kind++) {
        const pair_class class = (pair_class)(kind < KINDS ? 0 : kind - KINDS);
        random_stream random = random_stream_of_block(class, 177 + (uint64_t)kind);
        grz_line lines[GRZ_LINE_FOUR];
        triangle c[GRZ_LINE_FOUR], other;
        uint32_t count = 0;
        numbers seen = {.hits = 0};
        for (uint64_t n = 0; n < 4 * (uint64_t)FOURS; n++) {
            double origin[3];
            grz_line_crossing crossing;
            if (kind < KINDS) {
                make_case(&random, kind, c[count], origin);
            } else {
                pair_generate(class, &random, c[count], other);
                memcpy(origin, other[0], sizeof origin);
            }
            if (!aim(&random, (rows)c[count], origin, &lines[count]) ||
                grz_line_crosses(&lines[count], (rows)c[count], &crossing) != GRZ_CROSSING_FACE ||
                ++count < 1 + n % GRZ_LINE_FOUR)
                continue;
            check_four(count, lines, (const triangle *)c, &seen);
            count = 0;
        }
        printf("  %-14s %6llu hits, known %6llu, alone %6llu\n",
               kind < KINDS ? kind_names[kind] : pair_class_name(class), (unsigned long long)seen.hits,
               (unsigned long long)seen.known, (unsigned long long)seen.known_alone);
        assert_true(seen.hits > 100 || kind >= KINDS);
        if (kind <= 3) // what meshes are made of; t is a double where a line ends on the plane exactly
            assert_true(100 * seen.known > 99 * seen.known_alone && 100 * seen.known > 80 * seen.hits);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_hits_are_described_as_each_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
