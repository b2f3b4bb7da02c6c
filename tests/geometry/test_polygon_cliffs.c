// SPDX-License-Identifier: MIT
// Polygons that touch themselves so often that a simple search takes quadratic time: faces that return to one corner,
// go round the same vertices again and again, have edges in all directions, or are folded flat. The work must grow
// little faster than the corners; it is counted, not timed. The triangles must be those of plain ear clipping
// (support_ears.h), whichever structures are used. All coordinates are integers.
// ctest: timeout 900
// ctest: long
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geometry/polygon/polygon.h"
#include "pair_generator.h"
#include "support_arrays.h"
#include "support_ears.h"
#include "support_sanitizer.h"

static const double PI = 3.14159265358979323846;

typedef struct outline {
    ear_point *at;
    uint32_t count, capacity;
} outline;

static random_stream stream;

static int64_t any_below(int64_t bound)
{
    return (int64_t)(random_bits(&stream) % (uint64_t)bound);
}

static void add(outline *p, int64_t x, int64_t y)
{
    if (p->count == p->capacity) {
        p->capacity = p->capacity > 0 ? 2 * p->capacity : 64;
        p->at = realloc(p->at, p->capacity * sizeof *p->at);
        assert_non_null(p->at);
    }
    p->at[p->count++] = (ear_point){x, y};
}

static void add_polar(outline *p, double radius, double turns)
{
    add(p, llround(radius * cos(2.0 * PI * turns)), llround(radius * sin(2.0 * PI * turns)));
}

// The families. Each makes a polygon of about n corners.

static void cycle_of_three(outline *p, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        add(p, i % 3 == 1 ? 4 : i % 3 == 2, i % 3 == 1 ? 1 : i % 3 == 2 ? 3 : 0);
}

static void cycle_of_five(outline *p, int64_t n)
{
    static const ear_point corners[5] = {{0, 0}, {4, 0}, {1, 1}, {5, 4}, {0, 4}};
    for (int64_t i = 0; i < n; i++)
        add(p, corners[i % 5].x, corners[i % 5].y);
}

static void there_and_back(outline *p, int64_t n)
{
    for (int64_t i = 0; i + 1 < n; i++)
        add(p, i % 2 * 5, i % 2);
    add(p, 0, 7);
}

static void flower(outline *p, int64_t n)
{
    const int64_t count = n / 5;
    const double petals = (double)count;
    for (int64_t i = 0; i < count; i++) {
        add(p, 0, 0);
        add_polar(p, 1e8, (double)i / petals);
        add_polar(p, 0.3e8, ((double)i + 0.3) / petals);
        add_polar(p, 1e8, ((double)i + 0.35) / petals);
        add_polar(p, 0.9e8, ((double)i + 0.6) / petals);
    }
}

// The petals in another order: the boundary crosses itself at the common corner, which is no crossing of edges.
static void flower_in_disorder(outline *p, int64_t n)
{
    const int64_t petals = n / 3; // not a multiple of the prime number
    for (int64_t k = 0, i = 0; k < petals; k++, i = (i + 1009) % petals) {
        add(p, 0, 0);
        add_polar(p, 1e8, (double)i / (double)petals);
        add_polar(p, 1e8, ((double)i + 0.5) / (double)petals);
    }
}

static void spokes(outline *p, int64_t n)
{
    const int64_t count = n / 2;
    for (int64_t i = 0; i < count; i++) {
        add(p, 0, 0);
        add_polar(p, 1e8, (double)i / (double)count);
    }
}

// Triangular holes, all bridged to the corner at the origin.
static void holes_at_one_corner(outline *p, int64_t n)
{
    const int64_t holes = n / 5, width = 16 * holes;
    add(p, 0, 0);
    for (int64_t i = holes; i-- > 0;) {
        add(p, width / 2, 8 * i + 2);
        add(p, width / 2 + 3, 8 * i + 6);
        add(p, width / 2 + 4, 8 * i + 3);
        add(p, width / 2, 8 * i + 2);
        add(p, 0, 0);
    }
    add(p, width, -10);
    add(p, width, width);
    add(p, 0, width);
}

static void holes_in_a_row(outline *p, int64_t n)
{
    const int64_t holes = n / 6;
    add(p, 0, 0);
    add(p, 20 * holes, 0);
    add(p, 20 * holes, 100);
    add(p, 0, 100);
    for (int64_t i = 0; i < holes; i++) {
        add(p, 20 * i + 5, 50);
        add(p, 20 * i + 9, 60);
        add(p, 20 * i + 13, 50);
    }
    for (int64_t i = holes; i-- > 0;) {
        add(p, 20 * i + 13, 50);
        add(p, 20 * i + 9, 40);
        add(p, 20 * i + 5, 50);
    }
    add(p, 0, 100);
}

static void slits_from_one_corner(outline *p, int64_t n)
{
    for (int64_t i = 0; i < n / 2; i++) {
        add(p, 0, 0);
        add(p, 2 * n, 4 * (n / 2 - i) - 2);
    }
    add(p, 0, 0);
    add(p, 4 * n, 0);
    add(p, 4 * n, 4 * n);
    add(p, 0, 4 * n);
}

static void star(outline *p, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        add_polar(p, i % 2 ? 1e7 : 1e8, (double)i / (double)n);
}

static void sharp_star(outline *p, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        add_polar(p, i % 2 ? 1e12 / (double)n : 1e12, (double)i / (double)n);
}

static void half_star(outline *p, int64_t n)
{
    add(p, 0, -500000000);
    for (int64_t i = 0; i < n; i++)
        add_polar(p, i % 2 ? 1e7 : 1e8, 0.5 * (double)i / (double)n);
}

static void comb(outline *p, int64_t n)
{
    const int64_t teeth = n / 4;
    for (int64_t i = 0; i < teeth; i++) {
        add(p, 4 * i, 2);
        add(p, 4 * i, 4 * teeth);
        add(p, 4 * i + 1, 4 * teeth);
        add(p, 4 * i + 1, 2);
    }
    add(p, 4 * teeth, -100);
    add(p, 0, -100);
}

static void zigzag(outline *p, int64_t n)
{
    for (int64_t i = 0; i < n / 2; i++)
        add(p, 10 * i, i % 2 * 5 * n);
    for (int64_t i = n / 2; i-- > 0;)
        add(p, 10 * i, i % 2 * 5 * n + 3);
}

static void round_spiral(outline *p, int64_t n)
{
    for (int64_t i = 0; i < n / 2; i++)
        add_polar(p, 1e4 * (double)(i + 100), 0.016 * (double)i);
    for (int64_t i = n / 2; i-- > 0;)
        add_polar(p, 1e4 * (double)(i + 120), 0.016 * (double)i);
}

// A corridor between two walls. `tail` further corners lie on a doubled edge that ends in its middle.
static void add_square_spiral(outline *p, int64_t n, int64_t tail)
{
    static const int step_x[4] = {1, 0, -1, 0}, step_y[4] = {0, 1, 0, -1};
    static const int wall_x[4] = {-1, -1, 1, 1}, wall_y[4] = {1, -1, -1, 1};
    int64_t x = 0, y = 0;
    const int64_t scale = tail + 1;
    for (int64_t i = 0; i < tail; i++)
        add(p, i - tail, 0);
    outline other = {0};
    for (int64_t i = 0; i < n / 2; i++) {
        const int64_t length = 4 * (i / 2 + 1);
        x += step_x[i % 4] * length;
        y += step_y[i % 4] * length;
        add(p, scale * x, scale * y);
        add(&other, scale * (x + wall_x[i % 4]), scale * (y + wall_y[i % 4]));
    }
    for (uint32_t i = other.count; i-- > 0;)
        add(p, other.at[i].x, other.at[i].y);
    for (int64_t i = tail; i-- > 1;)
        add(p, i - tail, 0);
    free(other.at);
}

static void square_spiral(outline *p, int64_t n)
{
    add_square_spiral(p, n, 0);
}

static void square_spiral_with_a_tail(outline *p, int64_t n)
{
    add_square_spiral(p, n / 2, n / 4);
}

static void line(outline *p, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        add(p, any_below(1000000), 0);
}

static void line_and_a_corner(outline *p, int64_t n)
{
    line(p, n - 1);
    add(p, 300, 100);
}

static void back_and_forth(outline *p, int64_t n)
{
    for (int64_t i = 0; i + 2 < n; i++)
        add(p, i % 4 * 10, 0);
    add(p, 40, 20);
    add(p, -10, 20);
}

static void hair(outline *p, int64_t n)
{
    for (int64_t i = 0; i < n / 2; i++)
        add(p, i, 0);
    for (int64_t i = n / 2 - 1; i-- > 0;)
        add(p, i, 0);
    add(p, -5, 5);
    add(p, -5, -5);
}

static void zigzag_hair(outline *p, int64_t n)
{
    for (int64_t i = 0; i < n / 2; i++)
        add(p, i, i % 2 * 50);
    for (int64_t i = n / 2 - 1; i-- > 0;)
        add(p, i, i % 2 * 50);
    add(p, -5, 5);
    add(p, -5, -5);
}

typedef struct family {
    const char *name;
    void (*make)(outline *p, int64_t n);
    grz_polygon_shape shape;
    double growth; // most that twice the corners may cost
} family;

// Where triangles are tall, a search goes through up to sqrt(n) rows of a grid: a factor of 2.83 for these cheap steps.
static const family families[] = {
    {"cycle of three", cycle_of_three, GRZ_POLYGON_SIMPLE, 2.4},
    {"cycle of five", cycle_of_five, GRZ_POLYGON_SIMPLE, 2.4},
    {"there and back", there_and_back, GRZ_POLYGON_SIMPLE, 2.3},
    {"flower", flower, GRZ_POLYGON_SIMPLE, 2.3},
    {"flower in disorder", flower_in_disorder, GRZ_POLYGON_SIMPLE, 2.4},
    {"spokes", spokes, GRZ_POLYGON_SIMPLE, 2.3},
    {"holes at one corner", holes_at_one_corner, GRZ_POLYGON_SIMPLE, 2.3},
    {"holes in a row", holes_in_a_row, GRZ_POLYGON_SIMPLE, 2.9},
    {"slits from one corner", slits_from_one_corner, GRZ_POLYGON_SIMPLE, 2.3},
    {"star", star, GRZ_POLYGON_SIMPLE, 2.3},
    {"sharp star", sharp_star, GRZ_POLYGON_SIMPLE, 2.3},
    {"half star", half_star, GRZ_POLYGON_SIMPLE, 2.4},
    {"comb", comb, GRZ_POLYGON_SIMPLE, 2.9},
    {"zigzag", zigzag, GRZ_POLYGON_SIMPLE, 2.9},
    {"round spiral", round_spiral, GRZ_POLYGON_SIMPLE, 2.9},
    {"square spiral", square_spiral, GRZ_POLYGON_SIMPLE, 2.9},
    {"square spiral, tail", square_spiral_with_a_tail, GRZ_POLYGON_SIMPLE, 2.9},
    {"line", line, GRZ_POLYGON_COLLINEAR, 2.0},
    {"line and a corner", line_and_a_corner, GRZ_POLYGON_SIMPLE, 2.3},
    {"back and forth", back_and_forth, GRZ_POLYGON_SIMPLE, 2.3},
    {"hair", hair, GRZ_POLYGON_SIMPLE, 2.3},
    {"zigzag hair", zigzag_hair, GRZ_POLYGON_SIMPLE, 2.9},
};

enum {
    FAMILIES = sizeof families / sizeof *families
};

static double *place(const outline *p)
{
    double *corners = allocate_zeroed(3 * (size_t)p->count, sizeof *corners);
    for (size_t i = 0; i < p->count; i++) {
        corners[3 * i] = (double)p->at[i].x;
        corners[3 * i + 1] = (double)p->at[i].y;
        corners[3 * i + 2] = 7.0;
    }
    return corners;
}

// Triangulate, and return the work. `scratch` keeps its memory.
static uint64_t triangulate(const outline *p, grz_polygon_scratch *scratch, uint32_t *triangles,
                            grz_polygon_shape *shape)
{
    const grz_allocator allocator = grz_malloc_allocator();
    const uint64_t before = scratch->steps;
    double *corners = place(p);
    assert_true(grz_polygon_triangulate(&allocator, scratch, corners, p->count, triangles, shape));
    free(corners);
    return scratch->steps - before;
}

static void work_grows_little_faster_than_the_corners(void **state)
{
    (void)state;
    const grz_allocator allocator = grz_malloc_allocator();
    for (int f = 0; f < FAMILIES; f++) {
        const int sizes = TEST_SHORT ? 2 : 3;
        double steps[3] = {0.0, 0.0, 0.0};
        for (int size = 0; size < sizes; size++) {
            outline p = {0};
            grz_polygon_scratch scratch = {0};
            grz_polygon_shape shape;
            stream = (random_stream){12345};
            families[f].make(&p, 10000 << size);
            uint32_t *triangles = allocate_zeroed(3 * (size_t)p.count, sizeof *triangles);
            steps[size] = (double)triangulate(&p, &scratch, triangles, &shape);
            if (shape != families[f].shape)
                fail_msg("%s of %u corners: shape %d", families[f].name, p.count, (int)shape);
            if (steps[size] > 800.0 * (double)p.count)
                fail_msg("%s of %u corners: %.0f steps a corner", families[f].name, p.count,
                         steps[size] / (double)p.count);
            grz_polygon_scratch_finish(&allocator, &scratch);
            free(triangles);
            free(p.at);
        }
        print_message("%-22s %10.0f, %10.0f, %10.0f steps\n", families[f].name, steps[0], steps[1], steps[2]);
        for (int size = 1; size < sizes; size++)
            if (steps[size] > families[f].growth * steps[size - 1])
                fail_msg("%s: twice the corners cost %.2f times as much", families[f].name,
                         steps[size] / steps[size - 1]);
    }
}

// Random polygons that touch themselves.

// A walk on the edges of a small triangular grid, and home again: its edges never cross.
static void walk(outline *p)
{
    static const int step_x[6] = {1, 0, -1, 0, 1, -1}, step_y[6] = {0, 1, 0, -1, 1, -1};
    const int64_t side = 2 + any_below(4), from_x = any_below(side), from_y = any_below(side);
    int64_t x = from_x, y = from_y;
    for (int64_t steps = 4 + any_below(30); steps > 0; steps--) {
        const int64_t way = any_below(6), to_x = x + step_x[way], to_y = y + step_y[way];
        if (to_x < 0 || to_y < 0 || to_x >= side || to_y >= side)
            continue;
        add(p, x, y);
        x = to_x;
        y = to_y;
    }
    while (x != from_x || y != from_y) {
        const int64_t left_x = from_x - x, left_y = from_y - y;
        const bool diagonal = left_x * left_y > 0;
        add(p, x, y);
        x += left_x == 0 ? 0 : left_x > 0 ? 1 : -1;
        y += left_y == 0 || (left_x != 0 && !diagonal) ? 0 : left_y > 0 ? 1 : -1;
    }
}

// Any way among few points, none of whose connections cross.
static void few_points(outline *p)
{
    static const ear_point points[4] = {{0, 0}, {9, 1}, {3, 8}, {4, 3}};
    const int64_t most = 3 + any_below(2);
    for (int64_t i = 5 + any_below(40); i > 0; i--) {
        const int64_t k = any_below(most);
        add(p, points[k].x, points[k].y);
    }
}

static int compare_directions(const void *a, const void *b)
{
    const ear_point *p = a, *q = b;
    const double x = atan2((double)p->y, (double)p->x), y = atan2((double)q->y, (double)q->x);
    return (x > y) - (x < y);
}

// Petals, hairs and holes around the origin, sometimes in any order, sometimes turned over.
static void around_one_point(outline *p)
{
    ear_point rays[32] = {{0, 0}};
    const int64_t petals = 2 + any_below(14);
    for (int64_t i = 0; i < 2 * petals; i++) {
        rays[i].x = any_below(41) - 20;
        rays[i].y = any_below(41) - 20;
        rays[i].x += rays[i].x == 0 && rays[i].y == 0;
    }
    qsort(rays, (size_t)(2 * petals), sizeof *rays, compare_directions);
    const bool disorder = any_below(2) == 0;
    for (int64_t k = 0; k < petals; k++) {
        const int64_t petal = disorder ? any_below(petals) : k, turned = any_below(6) == 0;
        const ear_point a = rays[2 * petal + turned], b = rays[2 * petal + 1 - turned];
        const int64_t s = 1 + any_below(3), t = 1 + any_below(3), kind = any_below(4);
        add(p, 0, 0);
        if (any_below(5) == 0)
            add(p, 0, 0);
        add(p, s * a.x, s * a.y);
        if (kind > 0)
            add(p, t * b.x, t * b.y);
        if (kind == 1)
            add(p, b.x, b.y);
        if (kind == 2)
            add(p, s * a.x, s * a.y);
    }
}

// Mostly crossing.
static void any_points(outline *p)
{
    const int64_t side = 3 + any_below(8);
    for (int64_t i = 5 + any_below(5); i > 0; i--) {
        const int64_t x = any_below(side);
        add(p, x, any_below(side));
    }
}

// Turn, shear and reverse.
static void move(outline *p)
{
    const int64_t a = any_below(5) - 2, b = any_below(5) - 2;
    const uint32_t first = (uint32_t)any_below(p->count), reversed = (uint32_t)any_below(2);
    ear_point *before = p->at;
    p->at = allocate_zeroed(p->capacity, sizeof *p->at);
    for (uint32_t i = 0; i < p->count; i++) {
        const ear_point from = before[(first + (reversed ? p->count - i : i)) % p->count];
        p->at[i].x = from.x + a * from.y;
        p->at[i].y = from.y + b * p->at[i].x;
    }
    free(before);
}

static void check_triangles(const outline *p, grz_polygon_scratch *scratch, uint32_t shapes[4])
{
    const size_t bytes = 3 * (size_t)(p->count - 2) * sizeof(uint32_t);
    uint32_t *found = allocate_zeroed(1, bytes), *expected = allocate_zeroed(1, bytes);
    grz_polygon_shape shape;
    (void)triangulate(p, scratch, found, &shape);
    shapes[shape]++;
    if (shape == GRZ_POLYGON_SIMPLE || shape == GRZ_POLYGON_NONSIMPLE) {
        const bool complete = ears_triangulate(p->at, p->count, expected);
        if (complete != (shape == GRZ_POLYGON_SIMPLE) || memcmp(found, expected, bytes) != 0) {
            print_message("%u corners, %s:", p->count, scratch->eager ? "all structures" : "as always");
            for (uint32_t i = 0; i < p->count; i++)
                print_message(" %lld,%lld", (long long)p->at[i].x, (long long)p->at[i].y);
            fail_msg("not the triangles of plain ear clipping");
        }
    }
    free(found);
    free(expected);
}

static void triangles_are_those_of_plain_ear_clipping(void **state)
{
    (void)state;
    static void (*const makers[])(outline * p) = {walk, few_points, around_one_point, any_points};
    const grz_allocator allocator = grz_malloc_allocator();
    grz_polygon_scratch plain = {0}, eager = {.eager = true};
    uint32_t shapes[4] = {0};
    stream = (random_stream){1};
    for (int round = 0; round < (TEST_SHORT ? 2000 : 30000); round++) {
        outline p = {0};
        makers[round % 4](&p);
        if (p.count >= 5) { // quads have a way of their own
            move(&p);
            check_triangles(&p, &plain, shapes);
            check_triangles(&p, &eager, shapes);
        }
        free(p.at);
    }
    grz_polygon_scratch_finish(&allocator, &plain);
    grz_polygon_scratch_finish(&allocator, &eager);
    print_message("%u ear-clipped, %u cross or overlap, %u on a line, %u convex\n", shapes[GRZ_POLYGON_SIMPLE],
                  shapes[GRZ_POLYGON_NONSIMPLE], shapes[GRZ_POLYGON_COLLINEAR], shapes[GRZ_POLYGON_CONVEX]);
    assert_true(shapes[GRZ_POLYGON_SIMPLE] > shapes[GRZ_POLYGON_NONSIMPLE]);
}

// The structures come into use by themselves in polygons of this size.
static void triangles_of_the_families_are_those_of_plain_ear_clipping(void **state)
{
    (void)state;
    const grz_allocator allocator = grz_malloc_allocator();
    uint32_t shapes[4] = {0};
    for (int f = 0; f < FAMILIES; f++)
        for (int64_t n = 12; n < (TEST_SHORT ? 100 : 400); n = 2 * n + 1) {
            outline p = {0};
            grz_polygon_scratch plain = {0}, eager = {.eager = true};
            families[f].make(&p, n);
            bool small = true;
            for (uint32_t i = 0; i < p.count; i++)
                small = small && llabs(p.at[i].x) < EAR_POINT_LIMIT && llabs(p.at[i].y) < EAR_POINT_LIMIT;
            if (small) {
                check_triangles(&p, &plain, shapes);
                check_triangles(&p, &eager, shapes);
            }
            grz_polygon_scratch_finish(&allocator, &plain);
            grz_polygon_scratch_finish(&allocator, &eager);
            free(p.at);
        }
}

static void a_failure_of_any_allocation_is_reported(void **state)
{
    (void)state;
    outline p = {0};
    flower(&p, 200);
    double *corners = place(&p);
    uint32_t *triangles = allocate_zeroed(3 * (size_t)p.count, sizeof *triangles);
    for (long fail_at = 1;; fail_at++) {
        counting_allocator counter = {.fail_at = fail_at};
        grz_allocator allocator = counting_allocator_of(&counter);
        grz_polygon_scratch scratch = {.eager = true};
        grz_polygon_shape shape;
        const bool enough = grz_polygon_triangulate(&allocator, &scratch, corners, p.count, triangles, &shape);
        grz_polygon_scratch_finish(&allocator, &scratch);
        assert_int_equal(counter.live, 0);
        assert_int_equal(enough, counter.calls < fail_at);
        if (enough)
            break;
    }
    free(corners);
    free(triangles);
    free(p.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_grows_little_faster_than_the_corners),
        cmocka_unit_test(triangles_are_those_of_plain_ear_clipping),
        cmocka_unit_test(triangles_of_the_families_are_those_of_plain_ear_clipping),
        cmocka_unit_test(a_failure_of_any_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
