// SPDX-License-Identifier: MIT
// Polygons like combs, with many corners. The work of ear clipping and of the search for crossings must grow little
// faster than the number of corners, in any orientation of the comb. The triangles must not change between versions,
// since results depend on them. Work is counted, not timed. All coordinates are integers, so the answer is the same on
// every machine.
// ctest: timeout 900
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "geometry/polygon/polygon.h"
#include "pair_generator.h"
#include "support_arrays.h"
#include "support_sanitizer.h"

typedef enum comb_kind {
    STRAIGHT, // teeth of two corners on a straight spine
    SAW,      // teeth of one corner
    RAGGED,   // gaps and teeth end anywhere
    DEEP,     // straight, and one gap reaches far into a thick spine
    HOLLOW,   // the spine sags between its ends
    BOTH,     // teeth from below between teeth from above
    COMB_KINDS
} comb_kind;

static const char *const kind_names[COMB_KINDS] = {"straight", "saw", "ragged", "deep", "hollow", "both sides"};

// The orientation of a comb: x + iy is multiplied by this complex number.
typedef struct slope {
    int64_t real, imaginary;
} slope;

static const slope slopes[] = {{1, 0}, {0, 1}, {1, 1}, {4, -3}, {-5, 2}};

enum {
    SLOPES = sizeof slopes / sizeof *slopes
};

typedef struct comb {
    double *corners; // three numbers each
    uint32_t count;
    slope lies;
} comb;

static random_stream stream;

static int64_t any_below(int64_t bound)
{
    return (int64_t)(random_bits(&stream) % (uint64_t)bound);
}

static void add(comb *c, int64_t x, int64_t y)
{
    double *p = c->corners + 3 * (size_t)c->count++;
    p[0] = (double)(x * c->lies.real - y * c->lies.imaginary);
    p[1] = (double)(x * c->lies.imaginary + y * c->lies.real);
    p[2] = 7.0;
}

// The gap between two teeth, behind tooth i.
static int64_t gap_of(comb_kind kind, int64_t i, int64_t teeth)
{
    switch (kind) {
    case RAGGED:
        return 2 + any_below(50);
    case DEEP:
        return i == teeth / 3 ? -900 : 2;
    case HOLLOW:
        return 2 + (2 * i - teeth) * (2 * i - teeth);
    case STRAIGHT:
    case SAW:
    case BOTH:
    case COMB_KINDS:
        break;
    }
    return 2;
}

// The length of the teeth is that of the comb.
static comb make_comb(comb_kind kind, int64_t teeth, slope lies)
{
    comb c = {.corners = allocate_zeroed((size_t)teeth * 24 + 12, sizeof(double)), .lies = lies};
    const int64_t tip = 4 * teeth + (kind == HOLLOW ? teeth * teeth : 0) + 100;
    stream = (random_stream){12345};
    for (int64_t i = 0; i < teeth; i++) {
        const int64_t top = kind == RAGGED ? 60 + any_below(tip) : tip, gap = gap_of(kind, i, teeth);
        add(&c, 4 * i, gap);
        add(&c, 4 * i + (kind == SAW ? 1 : 0), top);
        if (kind != SAW)
            add(&c, 4 * i + 1, top);
        add(&c, 4 * i + (kind == SAW ? 2 : 1), gap);
    }
    if (kind == BOTH) {
        // The polygon then lies between two combs, one standing and one hanging, with their teeth in each other's gaps.
        add(&c, 4 * teeth, 2);
        add(&c, 4 * teeth, tip + 50);
        for (int64_t i = teeth; i-- > 0;) {
            add(&c, 4 * i + 3, tip + 50);
            add(&c, 4 * i + 3, 10);
            add(&c, 4 * i + 2, 10);
            add(&c, 4 * i + 2, tip + 50);
        }
        add(&c, -2, tip + 50);
        add(&c, -2, 2);
    } else {
        add(&c, 4 * teeth - 2, -1000);
        add(&c, 0, -1000);
    }
    return c;
}

typedef struct outcome {
    grz_polygon_shape shape;
    uint64_t steps;
    uint64_t hash; // FNV-1a of the triangles' corners
} outcome;

// Triangulate, and check that every corner number is in range and that no triangle is turned over. If ear clipping
// completes, the polygon is then covered once.
static outcome triangulate(const comb *c)
{
    grz_allocator allocator = grz_malloc_allocator();
    grz_polygon_scratch scratch = {0};
    outcome out = {.hash = UINT64_C(14695981039346656037)};
    uint32_t *triangles = allocate_zeroed(3 * (size_t)c->count, sizeof *triangles);
    assert_true(grz_polygon_triangulate(&allocator, &scratch, c->corners, c->count, triangles, &out.shape));
    out.steps = scratch.steps;
    grz_polygon_scratch_finish(&allocator, &scratch);
    double area = 0.0;
    for (uint32_t i = 0; i + 2 < c->count; i++) {
        const double *p[3];
        for (size_t k = 0; k < 3; k++) {
            const uint32_t corner = triangles[3 * (size_t)i + k];
            assert_true(corner < c->count);
            p[k] = c->corners + 3 * (size_t)corner;
            out.hash = (out.hash ^ corner) * UINT64_C(1099511628211);
        }
        // Exact: coordinates are integers below 2^26.
        const double twice = (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]);
        if (out.shape == GRZ_POLYGON_SIMPLE && twice * area < 0.0)
            fail_msg("triangle %u of %u runs round the wrong way", i, c->count - 2);
        area += twice;
    }
    free(triangles);
    return out;
}

static void work_grows_little_faster_than_the_corners(void **state)
{
    (void)state;
    for (int kind = 0; kind < COMB_KINDS; kind++)
        for (int s = 0; s < SLOPES; s++) {
            double steps[3];
            for (int size = 0; size < 3; size++) {
                // The height of HOLLOW grows with the square of its corners.
                const int64_t teeth = (kind == HOLLOW || TEST_SANITIZED ? 100 : 500) << (2 * size);
                comb c = make_comb((comb_kind)kind, teeth, slopes[s]);
                const outcome out = triangulate(&c);
                steps[size] = (double)out.steps / (double)c.count;
                if (out.shape != GRZ_POLYGON_SIMPLE)
                    fail_msg("%s, slope %d: %u corners: shape %d", kind_names[kind], s, c.count, (int)out.shape);
                free(c.corners);
            }
            print_message("%-10s slope %d: %7.1f, %7.1f, %7.1f steps a corner\n", kind_names[kind], s, steps[0],
                          steps[1], steps[2]);
            // With four times the corners, the steps per corner should at most double. If each ear were compared with
            // all corners, they would grow fourfold.
            if (steps[1] > 2.5 * steps[0] || steps[2] > 2.5 * steps[1] || steps[2] > 1000.0)
                fail_msg("%s, slope %d: too many steps", kind_names[kind], s);
        }
}

// The hashes come from the first version of ear clipping, which compared each ear with all corners in its box.
static void triangles_are_those_of_earlier_versions(void **state)
{
    (void)state;
    static const uint64_t expected[COMB_KINDS] = {UINT64_C(0x2904242da018c802), UINT64_C(0x9ac3ee5494632553),
                                                  UINT64_C(0x268feeb54f15e472), UINT64_C(0xbb6a8374b803207e),
                                                  UINT64_C(0x75d15f7ee408eaaf), UINT64_C(0x0b95c4b6c8bc6c3a)};
    for (int kind = 0; kind < COMB_KINDS; kind++) {
        uint64_t hash = 0;
        for (int s = 0; s < SLOPES; s++)
            for (int64_t teeth = 1; teeth < 1000; teeth = 3 * teeth + 1) {
                comb c = make_comb((comb_kind)kind, teeth, slopes[s]);
                hash = (hash ^ triangulate(&c).hash) * UINT64_C(1099511628211);
                free(c.corners);
            }
        print_message("%-10s 0x%016" PRIx64 "\n", kind_names[kind], hash);
        assert_true(hash == expected[kind]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_grows_little_faster_than_the_corners),
        cmocka_unit_test(triangles_are_those_of_earlier_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
