// SPDX-License-Identifier: MIT
// Fuzzes shapes: two of any kind, with numbers that are small integers, neighbours of each other or anything. Swapping
// and scaling them must not change how they lie to each other; bounds must agree with each other and with what growing
// a shape does. Both orders are asked in one call, too, and the manifold. Triangles and rays are asked once more by
// grz_distance() and grz_pick(). Bad shapes must be refused.
#include <math.h>

#include <graze/graze.h>

#include "support_fuzz_queries.h"
#include "support_fuzz_shapes.h"

enum {
    MOST_POINTS = 12
};

typedef struct fuzz_shape {
    grz_shape shape;
    double points[MOST_POINTS][3];
} fuzz_shape;

// A number: mostly small, so that shapes meet.
static double number(fuzz_input *in)
{
    const uint32_t kind = fuzz_below(in, 8);
    const double small = (double)fuzz_below(in, 9) - 4.0;
    switch (kind) {
    case 5:
        return small / 3.0;
    case 6:
        return nextafter(small, fuzz_byte(in) % 2 ? 10.0 : -10.0);
    case 7:
        return fuzz_raw_double(in);
    default:
        return small;
    }
}

static void vector(fuzz_input *in, double v[3])
{
    for (int k = 0; k < 3; k++)
        v[k] = number(in);
}

static void read_shape(fuzz_input *in, fuzz_shape *out)
{
    grz_shape *s = &out->shape;
    *s = (grz_shape){.kind = (grz_shape_kind)fuzz_below(in, GRZ_SHAPE_HULL + 1), .pose = grz_pose_identity()};
    const uint32_t flags = fuzz_byte(in);
    for (int i = 0; i < 3; i++)
        vector(in, s->corners[i]);
    vector(in, s->half);
    for (int k = 0; k < 3; k++)
        s->half[k] = flags & 1 ? s->half[k] : fabs(s->half[k]);
    if (s->kind == GRZ_SHAPE_HULL) {
        s->points = out->points[0];
        s->point_count = fuzz_below(in, MOST_POINTS + 1);
        for (uint64_t i = 0; i < s->point_count; i++)
            vector(in, out->points[i]);
    }
    if (flags & 2)
        s->radius = fabs(number(in));
    if (flags & 4)
        for (int i = 0; i < 12; i++)
            s->pose.m[i / 4][i % 4] = number(in);
    else if (flags & 8)
        for (int k = 0; k < 3; k++)
            s->pose.m[k][3] = number(in);
}

static bool has_corners(const grz_shape *s)
{
    return s->kind < GRZ_SHAPE_CYLINDER || s->kind == GRZ_SHAPE_HULL;
}

static grz_status ask(const grz_shape *a, const grz_shape *b, bool exact, grz_shape_answer *answer)
{
    grz_shape_options options = grz_default_shape_options();
    options.exact_distance = exact;
    const grz_status status = grz_shapes_compare(fuzz_device(), a, b, &options, answer, NULL);
    if (status != GRZ_OK) {
        FUZZ_REQUIRE(answer->relation == GRZ_SHAPES_UNDECIDED && answer->upper == HUGE_VAL);
        return status;
    }
    FUZZ_REQUIRE(answer->lower >= 0.0 && answer->lower <= answer->distance && answer->distance <= answer->upper);
    FUZZ_REQUIRE(answer->depth_lower >= 0.0 && answer->depth_lower <= answer->depth &&
                 answer->depth <= answer->depth_upper);
    if (answer->relation == GRZ_SHAPES_APART)
        FUZZ_REQUIRE(answer->depth_upper == 0.0);
    if (answer->relation == GRZ_SHAPES_TOUCHING)
        FUZZ_REQUIRE(answer->upper == 0.0 && answer->depth_upper == 0.0);
    if (answer->relation == GRZ_SHAPES_PENETRATING)
        FUZZ_REQUIRE(answer->upper == 0.0 && answer->depth_upper > 0.0);
    return status;
}

// Two answers to one question: the bounds of both hold.
static void compare_answers(const grz_shape_answer *x, const grz_shape_answer *y)
{
    FUZZ_REQUIRE(x->relation == y->relation || x->relation == GRZ_SHAPES_UNDECIDED ||
                 y->relation == GRZ_SHAPES_UNDECIDED);
    FUZZ_REQUIRE(x->lower <= y->upper && y->lower <= x->upper);
    FUZZ_REQUIRE(x->depth_lower <= y->depth_upper && y->depth_lower <= x->depth_upper);
}

// Twice as large, if that is exact.
static bool enlarge(const fuzz_shape *from, fuzz_shape *to)
{
    *to = *from;
    grz_shape *s = &to->shape;
    if (s->kind == GRZ_SHAPE_HULL)
        s->points = to->points[0];
    double most = fabs(s->radius);
    for (int i = 0; i < 9; i++) {
        most = fmax(most, fabs(s->corners[i / 3][i % 3]));
        s->corners[i / 3][i % 3] *= 2.0;
    }
    for (int i = 0; i < 3 * MOST_POINTS; i++)
        to->points[i / 3][i % 3] *= 2.0;
    for (int k = 0; k < 3; k++) {
        s->half[k] *= 2.0;
        s->pose.m[k][3] *= 2.0;
    }
    s->radius *= 2.0;
    return most < 0x1p290;
}

// Growing A by less than the distance leaves it apart, by more makes it penetrate.
static void check_growth(const grz_shape *a, const grz_shape *b, const grz_shape_answer *answer)
{
    grz_shape grown = *a;
    grz_shape_answer other;
    if (answer->relation != GRZ_SHAPES_APART || !(answer->lower > 0.0) || answer->upper > 0x1p250 ||
        answer->upper < 0x1p-1000)
        return;
    grown.radius = a->radius + 0.5 * answer->lower;
    if (grown.radius < a->radius + 0.75 * answer->lower && ask(&grown, b, false, &other) == GRZ_OK)
        FUZZ_REQUIRE(other.relation == GRZ_SHAPES_APART || !has_corners(a) || !has_corners(b));
    grown.radius = a->radius + 2.0 * answer->upper;
    if (grown.radius > a->radius + 1.5 * answer->upper && ask(&grown, b, false, &other) == GRZ_OK)
        FUZZ_REQUIRE(other.relation == GRZ_SHAPES_PENETRATING || other.relation == GRZ_SHAPES_UNDECIDED);
}

static bool is_plain(const grz_shape *s)
{
    const grz_pose identity = grz_pose_identity();
    return s->radius == 0.0 && memcmp(&s->pose, &identity, sizeof identity) == 0;
}

static grz_mesh *mesh_of(const grz_shape *s)
{
    test_mesh mesh = {.positions = NULL};
    test_mesh_add_loose_triangle(&mesh, s->corners);
    grz_mesh *uploaded = test_mesh_upload(fuzz_device(), &mesh);
    test_mesh_finish(&mesh);
    return uploaded;
}

// By another way through the library.
static void check_triangle(const grz_shape *a, const grz_shape *b)
{
    grz_shape_answer answer;
    if (!is_plain(a) || !is_plain(b) || b->kind != GRZ_SHAPE_TRIANGLE || ask(a, b, true, &answer) != GRZ_OK ||
        answer.relation == GRZ_SHAPES_UNDECIDED)
        return;
    grz_mesh *mesh = mesh_of(b);
    const grz_object object = grz_object_at_origin(mesh);
    if (a->kind == GRZ_SHAPE_TRIANGLE) {
        grz_mesh *first = mesh_of(a);
        const grz_object other = grz_object_at_origin(first);
        grz_distance_answer distance;
        FUZZ_REQUIRE(grz_distance(fuzz_device(), &other, &object, NULL, &distance, NULL) == GRZ_OK);
        FUZZ_REQUIRE(distance.touching == (answer.relation != GRZ_SHAPES_APART));
        FUZZ_REQUIRE(distance.lower == answer.lower && distance.upper == answer.upper &&
                     distance.distance == answer.distance);
        grz_mesh_destroy(first);
    }
    if (a->kind == GRZ_SHAPE_RAY || a->kind == GRZ_SHAPE_SEGMENT) {
        const grz_ray ray = a->kind == GRZ_SHAPE_RAY ? grz_ray_along(a->corners[0], a->corners[1])
                                                     : grz_ray_between(a->corners[0], a->corners[1]);
        bool hit;
        if (grz_pick_any(fuzz_device(), grz_targets_of_objects(&object, 1), &ray, 1, NULL, &hit, NULL) == GRZ_OK)
            FUZZ_REQUIRE(hit == (answer.relation != GRZ_SHAPES_APART));
    }
    grz_shape_object_answer found;
    FUZZ_REQUIRE(grz_shape_compare_object(fuzz_device(), a, &object, NULL, &found, NULL) == GRZ_OK);
    FUZZ_REQUIRE(found.relation == answer.relation && found.lower <= answer.upper && answer.lower <= found.upper);
    grz_mesh_destroy(mesh);
}

static bool same_bits(const grz_shape_answer *x, const grz_shape_answer *y)
{
    return x->relation == y->relation && x->distance == y->distance && x->lower == y->lower && x->upper == y->upper &&
           x->depth == y->depth && x->depth_lower == y->depth_lower && x->depth_upper == y->depth_upper &&
           memcmp(x->direction, y->direction, sizeof x->direction) == 0 &&
           memcmp(x->point_a, y->point_a, sizeof x->point_a) == 0 &&
           memcmp(x->point_b, y->point_b, sizeof x->point_b) == 0;
}

// Both orders in one call: the answers of single calls.
static void check_many(const grz_shape *a, const grz_shape *b, const grz_shape_answer *there,
                       const grz_shape_answer *back)
{
    const grz_shape shapes[2] = {*a, *b};
    static const uint32_t pairs[4][2] = {{0, 1}, {1, 0}, {0, 1}, {1, 0}};
    grz_shape_answer answers[4];
    FUZZ_REQUIRE(grz_shapes_compare_many(fuzz_device(), shapes, 2, pairs[0], 4, NULL, answers, NULL) == GRZ_OK);
    for (int i = 0; i < 4; i++)
        FUZZ_REQUIRE(same_bits(&answers[i], i % 2 == 0 ? there : back));
}

// The manifold has the answer of the single call, and its points are the depth apart along the direction.
static void check_manifold(const grz_shape *a, const grz_shape *b, const grz_shape_answer *there)
{
    grz_shape_manifold m;
    FUZZ_REQUIRE(grz_shapes_manifold(fuzz_device(), a, b, NULL, &m, NULL) == GRZ_OK);
    FUZZ_REQUIRE(same_bits(&m.answer, there) && m.count <= GRZ_SHAPE_MANIFOLD_MAX_POINTS);
    FUZZ_REQUIRE(m.count == 0 || there->relation == GRZ_SHAPES_TOUCHING || there->relation == GRZ_SHAPES_PENETRATING);
    FUZZ_REQUIRE(m.count > 0 || there->relation != GRZ_SHAPES_PENETRATING);
    for (uint32_t i = 0; i < m.count; i++) {
        FUZZ_REQUIRE(m.points[i].depth >= 0.0 && m.points[i].depth <= there->depth);
        for (int k = 0; k < 3; k++)
            FUZZ_REQUIRE(isfinite(m.points[i].point_a[k]) && isfinite(m.points[i].point_b[k]));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    fuzz_shape a, b, large_a, large_b;
    grz_shape_answer there, back, exact, scaled;
    memset(a.points, 0, sizeof a.points);
    memset(b.points, 0, sizeof b.points);
    read_shape(&in, &a);
    read_shape(&in, &b);
    double min[3], max[3];
    const grz_status bounds = grz_shape_bounds(&a.shape, min, max, NULL);
    if (bounds == GRZ_OK)
        FUZZ_REQUIRE(min[0] <= max[0] && min[1] <= max[1] && min[2] <= max[2]);
    const grz_status status = ask(&a.shape, &b.shape, false, &there);
    FUZZ_REQUIRE((ask(&b.shape, &a.shape, false, &back) == GRZ_OK) == (status == GRZ_OK));
    if (status != GRZ_OK)
        return 0;
    compare_answers(&there, &back);
    check_many(&a.shape, &b.shape, &there, &back);
    check_manifold(&a.shape, &b.shape, &there);
    FUZZ_REQUIRE(ask(&a.shape, &b.shape, true, &exact) == GRZ_OK);
    compare_answers(&there, &exact);
    if (enlarge(&a, &large_a) && enlarge(&b, &large_b) && ask(&large_a.shape, &large_b.shape, false, &scaled) == GRZ_OK)
        FUZZ_REQUIRE(scaled.relation == there.relation || scaled.relation == GRZ_SHAPES_UNDECIDED ||
                     there.relation == GRZ_SHAPES_UNDECIDED);
    check_growth(&a.shape, &b.shape, &there);
    check_triangle(&a.shape, &b.shape);
    check_triangle(&b.shape, &a.shape);
    return 0;
}
