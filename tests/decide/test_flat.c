// SPDX-License-Identifier: MIT
// Flat meshes: random triangles in one plane, on a small grid where they share corners and edges, overlap, touch and
// miss each other by an ulp. Each question is asked with every method. `naive` decides by the exact predicates alone;
// the others decide most of these pairs by packets (geometry/triangle/packet_flat_lanes.c). Large fans, flat and steep:
// the others leave out pairs of one fan (space/bvh/fan_large.c).
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "support_queries.h"
#include "support_sanitizer.h"

enum {
    MESHES = TEST_SHORT ? 150 : 1500,
    VERTICES = 12,
    TRIANGLES = 24
};

// Where a point of the plane lies in space.
typedef enum placing {
    PLACE_X,       // perpendicular to x
    PLACE_Y,       // to y
    PLACE_Z,       // to z
    PLACE_SLANTED, // z = x + y, exactly
    PLACE_WAVED,   // perpendicular to z, some corners an ulp off the plane
    PLACE_COUNT
} placing;

static uint32_t add_vertex(test_mesh *mesh, placing place, double x, double y, random_stream *random)
{
    const double height = 3.0;
    switch (place) {
    case PLACE_X:
        return test_mesh_add_vertex(mesh, height, x, y);
    case PLACE_Y:
        return test_mesh_add_vertex(mesh, x, height, y);
    case PLACE_SLANTED:
        return test_mesh_add_vertex(mesh, x, y, x + y);
    case PLACE_WAVED:
        return test_mesh_add_vertex(mesh, x, y, step_ulps(height, (int)random_below(random, 3) - 1));
    default:
        return test_mesh_add_vertex(mesh, x, y, height);
    }
}

// Vertices on a grid of `size` by `size` points, some an ulp off it. Several may lie at one place.
static test_mesh make_flat(placing place, uint32_t size, random_stream *random)
{
    test_mesh mesh = {0};
    for (int i = 0; i < VERTICES; i++) {
        double x = 1.0 + random_below(random, size), y = 1.0 + random_below(random, size);
        if (place != PLACE_SLANTED && random_below(random, 8) == 0)
            x = step_ulps(x, (int)random_below(random, 5) - 2);
        add_vertex(&mesh, place, x, y, random);
    }
    for (int i = 0; i < TRIANGLES; i++)
        test_mesh_add_triangle(&mesh, random_below(random, VERTICES), random_below(random, VERTICES),
                               random_below(random, VERTICES));
    return mesh;
}

static grz_pose pose_for(placing place, uint64_t number)
{
    grz_pose pose = grz_pose_identity();
    if (number % 4 == 1) { // moved within the plane
        pose.m[0][3] = place == PLACE_X ? 0.0 : 0.5;
        pose.m[2][3] = place == PLACE_SLANTED ? 0.5 : 0.0;
    }
    if (number % 4 == 2 && place == PLACE_Z) // turned within the plane, with rounding
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                pose.m[i][j] = i == j ? 0.96 : (i < j ? -0.28 : 0.28);
    return pose;
}

static void all_methods_agree_on_flat_meshes(void **state)
{
    (void)state;
    uint64_t kinds[GRZ_KIND_COUNT] = {0};
    for (uint64_t number = 0; number < MESHES; number++) {
        random_stream random = {.state = number};
        const placing place = (placing)(number % PLACE_COUNT);
        const uint32_t size = 3 + (uint32_t)(number / PLACE_COUNT % 8);
        test_mesh a = make_flat(place, size, &random), b = make_flat(place, size, &random);
        if (number % 50 < 5) { // products of three extents underflow, then those of two
            const double scale = number % 100 < 50 ? 0x1p-300 : 0x1p-520;
            test_mesh_scale(&a, scale, scale, scale);
            test_mesh_scale(&b, scale, scale, scale);
        }
        test_query pair = test_query_of_pair(&a, &b, GRZ_FIND_PAIRS);
        const test_query self = test_query_of_self(&a, GRZ_FIND_PAIRS);
        pair.pose_a = pose_for(place, number / 2);
        pair.pose_b = pose_for(place, number / 3);
        test_answer of_pair = test_ask("two flat meshes", &pair), of_self = test_ask("a flat mesh with itself", &self);
        for (int kind = 0; kind < GRZ_KIND_COUNT; kind++)
            kinds[kind] += of_pair.summary.kinds[kind] + of_self.summary.kinds[kind];
        pair.find = 0;
        test_answer yes_or_no = test_ask("two flat meshes, yes or no", &pair);
        assert_int_equal(yes_or_no.summary.colliding, of_pair.summary.colliding);
        test_answer_finish(&of_pair);
        test_answer_finish(&of_self);
        test_answer_finish(&yes_or_no);
        test_mesh_finish(&a);
        test_mesh_finish(&b);
    }
    print_message("  %llu touching, %llu coplanar, %llu crossing\n", (unsigned long long)kinds[GRZ_TOUCHING],
                  (unsigned long long)kinds[GRZ_COPLANAR], (unsigned long long)kinds[GRZ_CROSSING]);
    assert_true(kinds[GRZ_TOUCHING] > 0 && kinds[GRZ_COPLANAR] > 0 && kinds[GRZ_CROSSING] > 0);
}

// Two cones with one rim, flat or steep, and triangles at random between their vertices.
static test_mesh make_cones(uint32_t around, double height, uint32_t others, random_stream *random)
{
    test_mesh mesh = {0};
    test_mesh_add_vertex(&mesh, 0.0, 0.0, height);
    test_mesh_add_vertex(&mesh, 0.1, 0.0, random_below(random, 2) == 0 ? -height : 0.5 * height);
    for (uint32_t i = 0; i < around; i++) {
        const double angle = 6.283185307179586 * i / around, length = 1.0 + 0.3 * random_signed(random);
        test_mesh_add_vertex(&mesh, length * cos(angle), length * sin(angle), 0.1 * height * random_signed(random));
    }
    for (uint32_t tip = 0; tip < 2; tip++)
        for (uint32_t i = 0; i < around; i++)
            test_mesh_add_triangle(&mesh, tip, 2 + i, 2 + (i + 1) % around);
    for (uint32_t i = 0; i < others; i++)
        test_mesh_add_triangle(&mesh, random_below(random, around + 2), random_below(random, around + 2),
                               random_below(random, around + 2));
    for (uint32_t i = 0; i < random_below(random, 4); i++) { // without area, some of them twice
        const uint32_t corner = 2 + random_below(random, 8);
        test_mesh_add_triangle(&mesh, random_below(random, 3), corner, corner);
    }
    for (uint64_t i = 0; i < mesh.face_count && others % 2 == 0; i += 5) { // wound the other way
        const uint32_t kept = mesh.indices[3 * i];
        mesh.indices[3 * i] = mesh.indices[3 * i + 1];
        mesh.indices[3 * i + 1] = kept;
    }
    return mesh;
}

static void all_methods_agree_on_large_fans(void **state)
{
    (void)state;
    uint64_t pairs = 0;
    for (uint64_t number = 0; number < MESHES / 10; number++) {
        random_stream random = {.state = number};
        const double height = number % 3 == 0 ? 0.0 : 0.5 * (double)(number % 3);
        test_mesh mesh = make_cones(17 + random_below(&random, 60), height, random_below(&random, 10), &random);
        const test_query query = test_query_of_self(&mesh, GRZ_FIND_PAIRS);
        test_answer answer = test_ask("two cones with one rim", &query);
        pairs += answer.pair_count;
        test_answer_finish(&answer);
        test_mesh_finish(&mesh);
    }
    print_message("  %llu pairs\n", (unsigned long long)pairs);
    assert_true(pairs > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_methods_agree_on_flat_meshes),
        cmocka_unit_test(all_methods_agree_on_large_fans),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    test_queries_finish();
    return failed;
}
