// SPDX-License-Identifier: MIT
// Fuzzes distances from points: a mesh, its pose, and points on, beside and far from it, before and after moving
// vertices. Each answer must be the one that comparing all triangles exactly gives, byte for byte, with the location
// that grz_locate_points() says; and the distance must be that of the point as a triangle, which grz_distance() finds
// in all pairs. One call for each point, without locations and backwards, must give the same; what has no answer must
// say so.
#include <math.h>

#include "mesh/mesh.h"
#include "support_fuzz_queries.h"
#include "support_fuzz_shapes.h"
#include "tests/distance/support_all_triangles.h"

enum {
    MOST_POINTS = 16
};

typedef struct question {
    test_mesh mesh;
    grz_object object;
    double points[MOST_POINTS][3];
    uint32_t count;
    grz_inside_rule rule;
} question;

static grz_status ask(const question *q, const double *points, uint32_t count, bool locate, grz_point_distance *answers)
{
    grz_distance_points_options options = grz_default_distance_points_options();
    grz_error error = {.code = GRZ_OK};
    options.inside_rule = q->rule;
    options.locate = locate;
    memset(answers, 0xa5, count * sizeof *answers);
    const grz_status status = grz_distance_points(fuzz_device(), &q->object, points, count, &options, answers, &error);
    FUZZ_REQUIRE(status == error.code && (status == GRZ_OK) == (error.message[0] == '\0'));
    return status;
}

// The same distance by another way through the library: the point as a triangle, against all triangles.
static void check_as_mesh(const question *q, const double point[3], const grz_point_distance *answer)
{
    test_mesh dot = {.positions = NULL};
    const double corners[3][3] = {
        {point[0], point[1], point[2]}, {point[0], point[1], point[2]}, {point[0], point[1], point[2]}};
    grz_distance_options options = grz_default_distance_options();
    grz_distance_answer other;
    test_mesh_add_loose_triangle(&dot, corners);
    grz_object object = grz_object_at_origin(test_mesh_upload(fuzz_device(), &dot));
    options.method = "naive";
    FUZZ_REQUIRE(grz_distance(fuzz_device(), &object, &q->object, &options, &other, NULL) == GRZ_OK);
    FUZZ_REQUIRE(other.distance == answer->distance && other.lower == answer->lower && other.upper == answer->upper);
    FUZZ_REQUIRE(other.touching == (answer->location == GRZ_ON_SURFACE) && other.face_b == answer->face);
    grz_mesh_destroy((grz_mesh *)object.mesh);
    test_mesh_finish(&dot);
}

static void check_answer(const question *q, uint32_t i, const grz_point_distance *answer)
{
    const double *point = q->points[i];
    grz_point_distance expected = test_distance_to_all_triangles(&q->object, point), alone;
    expected.location = answer->location;
    FUZZ_REQUIRE(test_same_point_distance(answer, &expected));
    FUZZ_REQUIRE(answer->lower <= answer->distance && answer->distance <= answer->upper);
    FUZZ_REQUIRE(answer->location != GRZ_ON_SURFACE || answer->distance == 0.0);
    FUZZ_REQUIRE(ask(q, point, 1, true, &alone) == GRZ_OK);
    FUZZ_REQUIRE(test_same_point_distance(answer, &alone));
    FUZZ_REQUIRE(ask(q, point, 1, false, &alone) == GRZ_OK);
    if (answer->location != GRZ_ON_SURFACE)
        expected.location = GRZ_LOCATION_UNKNOWN;
    FUZZ_REQUIRE(test_same_point_distance(&alone, &expected));
    check_as_mesh(q, point, answer);
}

// A pose that moves the mesh too far is refused by both calls, and nothing is known then.
static void check_refused(const question *q)
{
    grz_point_distance answers[MOST_POINTS];
    FUZZ_REQUIRE(ask(q, q->points[0], q->count, true, answers) == GRZ_ERROR_POSE);
    for (uint32_t i = 0; i < q->count; i++)
        FUZZ_REQUIRE(answers[i].lower == 0.0 && answers[i].upper == HUGE_VAL && answers[i].face == GRZ_NO_FACE &&
                     answers[i].location == GRZ_LOCATION_UNKNOWN);
}

static void check(const question *q)
{
    grz_point_distance answers[MOST_POINTS], backwards[MOST_POINTS];
    grz_location locations[MOST_POINTS];
    double turned[MOST_POINTS][3];
    grz_locate_options options = grz_default_locate_options();
    options.inside_rule = q->rule;
    const grz_status status =
        grz_locate_points(fuzz_device(), &q->object, q->points[0], q->count, &options, locations, NULL);
    FUZZ_REQUIRE(status == GRZ_OK || status == GRZ_ERROR_POSE);
    if (status != GRZ_OK) {
        check_refused(q);
        return;
    }
    for (uint32_t i = 0; i < q->count; i++)
        memcpy(turned[i], q->points[q->count - 1 - i], sizeof turned[i]);
    FUZZ_REQUIRE(ask(q, q->points[0], q->count, true, answers) == GRZ_OK);
    FUZZ_REQUIRE(ask(q, turned[0], q->count, true, backwards) == GRZ_OK);
    for (uint32_t i = 0; i < q->count; i++) {
        FUZZ_REQUIRE(answers[i].location == locations[i]);
        FUZZ_REQUIRE(test_same_point_distance(&answers[i], &backwards[q->count - 1 - i]));
        check_answer(q, i, &answers[i]);
    }
}

// Points in the world: on, beside and between the vertices of the posed mesh, or anywhere.
static void some_points(fuzz_input *in, question *q, double factor)
{
    test_mesh world = fuzz_in_world(&q->mesh, &q->object.pose);
    q->count = 1 + fuzz_below(in, MOST_POINTS);
    for (uint32_t i = 0; i < q->count; i++) {
        const bool scaled = (fuzz_byte(in) & 1) != 0;
        fuzz_point(in, &world, NULL, q->points[i]);
        for (int k = 0; k < 3; k++)
            if (scaled && fabs(q->points[i][k] * factor) <= GRZ_MAX_COORDINATE)
                q->points[i][k] *= factor;
    }
    free(world.positions);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    question q = {.count = 0};
    const uint8_t kind = fuzz_byte(&in);
    q.rule = (kind & 0x80) != 0 ? GRZ_NONZERO : GRZ_EVEN_ODD;
    q.mesh = fuzz_mesh(&in, NULL);
    const double factor = fuzz_scale(&q.mesh, kind & 0x3f);
    const uint32_t flags = (kind & 0x40) != 0 ? GRZ_MESH_INDEX_ONLY | GRZ_MESH_FAST_BUILD : 0;
    grz_mesh *uploaded = test_mesh_upload_flags(fuzz_device(), &q.mesh, flags);
    q.object = grz_object_at_origin(uploaded);
    q.object.pose = fuzz_pose(&in);
    some_points(&in, &q, factor);
    check(&q);
    if (in.size > 0) {
        double *moved = fuzz_moved(&in, &q.mesh, NULL);
        FUZZ_REQUIRE(grz_mesh_set_positions(uploaded, moved, NULL) == GRZ_OK);
        memcpy(q.mesh.positions, moved, 3 * (size_t)q.mesh.vertex_count * sizeof *moved);
        free(moved);
        some_points(&in, &q, factor);
        check(&q);
    }
    grz_mesh_destroy(uploaded);
    test_mesh_finish(&q.mesh);
    return 0;
}
