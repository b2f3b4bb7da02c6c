// SPDX-License-Identifier: MIT
// Fuzzes depths of overlaps: two meshes, their poses, a depth to ask for, a tolerance, few cells or more, a rule,
// points. An answer's numbers fit together, and its point is as deep as it says; no other point is deeper than the
// upper bound. Exchanging the objects, asking for a decision and asking for bounds must not contradict each other;
// depth 0 is what the solids say, and no depth is above a way out along an axis.
#include <math.h>

#include "support_fuzz_queries.h"
#include "support_fuzz_shapes.h"

enum {
    MOST_POINTS = 6,
    MOST_PARTS = 3
};

static const double BAND = 1.01e-6, ROUNDINGS = 1.0 + 0x1p-48, UNDERFLOWS = 0x1p-1070;

typedef struct question {
    test_mesh meshes[2];
    grz_object objects[2];
    grz_overlap_depth_options options;
    grz_overlap_part parts[MOST_PARTS];
    double points[MOST_POINTS][3];
} question;

static grz_status ask(const question *q, bool swap, const grz_overlap_depth_options *options,
                      grz_overlap_depth_answer *answer)
{
    grz_error error = {.code = GRZ_OK};
    memset(answer, 0xa5, sizeof *answer);
    const grz_status status =
        grz_overlap_depth(fuzz_device(), &q->objects[swap ? 1 : 0], &q->objects[swap ? 0 : 1], options, answer, &error);
    FUZZ_REQUIRE(status == error.code && (status == GRZ_OK) == (error.message[0] == '\0'));
    FUZZ_REQUIRE(0.0 <= answer->lower && answer->lower <= answer->upper);
    if (status != GRZ_OK) {
        FUZZ_REQUIRE(status == GRZ_ERROR_POSE && answer->lower == 0.0 && answer->upper == HUGE_VAL &&
                     answer->certainty == GRZ_UNDECIDED && answer->deeper == GRZ_DEEPER_UNKNOWN);
        return status;
    }
    FUZZ_REQUIRE((answer->reason != NULL) == (answer->certainty == GRZ_UNDECIDED));
    FUZZ_REQUIRE(answer->reason != NULL || TEST_LABEL_FITS(*answer));
    FUZZ_REQUIRE(options->decide || answer->deeper == GRZ_DEEPER_UNKNOWN);
    FUZZ_REQUIRE(answer->reason != NULL || !options->decide || answer->deeper != GRZ_DEEPER_UNKNOWN);
    if (answer->deeper == GRZ_DEEPER_YES)
        FUZZ_REQUIRE(answer->upper > options->deeper_than);
    if (answer->deeper == GRZ_DEEPER_NO)
        FUZZ_REQUIRE(answer->lower <= options->deeper_than * (1.0 + BAND) + UNDERFLOWS);
    return status;
}

static bool contradict(const grz_overlap_depth_answer *x, const grz_overlap_depth_answer *y)
{
    return x->lower > y->upper || y->lower > x->upper ||
           (x->deeper != GRZ_DEEPER_UNKNOWN && y->deeper != GRZ_DEEPER_UNKNOWN && x->deeper != y->deeper);
}

static bool measure_point(const question *q, const double point[3], double *lower, double *upper)
{
    grz_distance_points_options options = grz_default_distance_points_options();
    grz_point_distance at[2];
    options.inside_rule = q->options.inside_rule;
    for (int i = 0; i < 2; i++)
        FUZZ_REQUIRE(grz_distance_points(fuzz_device(), &q->objects[i], point, 1, &options, &at[i], NULL) == GRZ_OK);
    *lower = at[0].lower + at[1].lower;
    *upper = at[0].upper + at[1].upper;
    return at[0].location == GRZ_INSIDE && at[1].location == GRZ_INSIDE;
}

// Surfaces may have faces with the solid on both sides, which are no border: then points are deeper than their distance
// from surfaces says, and never less.
static void check_points(const question *q, const grz_overlap_depth_answer *answer)
{
    double lower, upper;
    if (answer->lower > 0.0) {
        FUZZ_REQUIRE(measure_point(q, answer->centre, &lower, &upper));
        FUZZ_REQUIRE(answer->lower <= upper * ROUNDINGS + UNDERFLOWS);
    }
    for (int i = 0; i < MOST_POINTS; i++)
        FUZZ_REQUIRE(!measure_point(q, q->points[i], &lower, &upper) ||
                     lower <= answer->upper * ROUNDINGS + UNDERFLOWS);
}

static void check_parts(const question *q, const grz_overlap_depth_answer *answer)
{
    const uint64_t written = answer->part_count < MOST_PARTS ? answer->part_count : MOST_PARTS;
    FUZZ_REQUIRE(answer->part_count == 0 || answer->deeper == GRZ_DEEPER_YES);
    for (uint64_t i = 0; i < written; i++) {
        const grz_overlap_part *part = &q->parts[i];
        FUZZ_REQUIRE(0.0 <= part->lower && part->lower <= part->upper);
        FUZZ_REQUIRE(i == 0 || q->parts[i - 1].lower >= part->lower);
        FUZZ_REQUIRE(part->lower <= answer->upper);
        for (int k = 0; k < 3; k++)
            FUZZ_REQUIRE(part->min[k] <= part->centre[k] && part->centre[k] <= part->max[k]);
    }
}

// Both ways round in one call: the answers of single calls.
static void check_many(const question *q, const grz_overlap_depth_answer *answer)
{
    const double depth = q->options.deeper_than;
    const grz_overlap_pair pairs[2] = {{0, 1, depth}, {1, 0, depth}};
    grz_overlap_depth_options options = q->options;
    grz_overlap_depth_answer many[2], swapped;
    options.parts = NULL;
    options.part_capacity = 0;
    FUZZ_REQUIRE(grz_overlap_depths(fuzz_device(), grz_targets_of_objects(q->objects, 2), pairs, 2, &options, many,
                                    NULL) == GRZ_OK);
    FUZZ_REQUIRE(ask(q, true, &options, &swapped) == GRZ_OK);
    FUZZ_REQUIRE(many[0].deeper == answer->deeper && many[1].deeper == swapped.deeper);
    FUZZ_REQUIRE(many[1].lower >= swapped.lower && many[1].lower <= swapped.lower);
    FUZZ_REQUIRE(many[1].upper >= swapped.upper && many[1].upper <= swapped.upper);
}

// What the solids say, and a way out.
static void check_others(const question *q, const grz_overlap_depth_answer *answer)
{
    static const double axes[2][3] = {{1.0, 0.0, 0.0}, {0.0, 0.0, -1.0}};
    grz_overlap_depth_options zero = q->options;
    grz_overlap_depth_answer meet;
    grz_collide_options options = grz_default_collide_options();
    grz_result *result = test_result_create(fuzz_device());
    zero.decide = true;
    zero.measure = false;
    zero.deeper_than = 0.0;
    zero.parts = NULL;
    zero.part_capacity = 0;
    options.find = GRZ_FIND_SOLIDS;
    options.inside_rule = q->options.inside_rule;
    FUZZ_REQUIRE(ask(q, false, &zero, &meet) == GRZ_OK);
    FUZZ_REQUIRE(grz_collide(fuzz_device(), &q->objects[0], &q->objects[1], &options, result, NULL) == GRZ_OK);
    const grz_solids solids = grz_result_summary(result)->solids;
    const bool disjoint = solids == GRZ_SOLIDS_APART || solids == GRZ_SOLIDS_TOUCHING;
    FUZZ_REQUIRE(meet.deeper == (solids == GRZ_SOLIDS_UNDECIDABLE ? GRZ_DEEPER_UNKNOWN
                                 : disjoint                       ? GRZ_DEEPER_NO
                                                                  : GRZ_DEEPER_YES));
    FUZZ_REQUIRE(solids == GRZ_SOLIDS_UNDECIDABLE || (disjoint ? answer->lower == 0.0 : answer->upper > 0.0));
    grz_result_destroy(result);
    for (int i = 0; i < 2; i++) {
        grz_move_options move = grz_default_move_options();
        grz_penetration_answer way;
        move.inside_rule = q->options.inside_rule;
        FUZZ_REQUIRE(grz_penetration_along(fuzz_device(), &q->objects[0], &q->objects[1], axes[i], &move, &way, NULL) ==
                     GRZ_OK);
        FUZZ_REQUIRE(answer->lower <= way.upper);
    }
}

static void check(question *q)
{
    grz_overlap_depth_options bounds = q->options;
    grz_overlap_depth_answer both, alone, swapped;
    if (ask(q, false, &q->options, &both) != GRZ_OK)
        return;
    check_parts(q, &both);
    bounds.decide = false;
    bounds.measure = true;
    bounds.parts = NULL;
    bounds.part_capacity = 0;
    FUZZ_REQUIRE(ask(q, false, &bounds, &alone) == GRZ_OK);
    check_points(q, &both);
    check_points(q, &alone);
    FUZZ_REQUIRE(!contradict(&both, &alone));
    FUZZ_REQUIRE(ask(q, true, &q->options, &swapped) == GRZ_OK);
    FUZZ_REQUIRE(!contradict(&both, &swapped) && !contradict(&alone, &swapped));
    check_others(q, &both);
    check_many(q, &both);
}

// A depth to ask for: some share of the size, or any.
static double some_depth(fuzz_input *in, double size)
{
    static const double shares[] = {0.0, 1e-12, 1e-9, 1e-6, 0.01, 0.125, 0.25, 0.5, 1.0};
    const uint32_t choice = fuzz_below(in, 11);
    if (choice < 9)
        return shares[choice] * size;
    const double raw = fabs(fuzz_raw_double(in));
    return raw < HUGE_VAL ? raw : 1.0;
}

static void some_points(fuzz_input *in, question *q, double factor)
{
    for (int i = 0; i < MOST_POINTS; i++) {
        const test_mesh *mesh = &q->meshes[i % 2];
        const double share = fuzz_byte(in) / 256.0;
        double a[3], b[3];
        fuzz_point(in, mesh, &q->meshes[1 - i % 2], a);
        fuzz_point(in, mesh, NULL, b);
        for (int k = 0; k < 3; k++) {
            q->points[i][k] = (1.0 - share) * a[k] + share * b[k];
            if (fabs(q->points[i][k] * factor) <= GRZ_MAX_COORDINATE)
                q->points[i][k] *= factor;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const double tolerances[] = {1.0, 0.1, 0.001, 1e-9};
    static const uint64_t cells[] = {1, 2, 40, 200};
    fuzz_input in = {data, size};
    question q = {.options = grz_default_overlap_depth_options()};
    const uint8_t kind = fuzz_byte(&in), rest = fuzz_byte(&in);
    double largest = 0.0;
    q.meshes[0] = fuzz_mesh_up_to(&in, NULL, 14);
    q.meshes[1] = fuzz_mesh_up_to(&in, &q.meshes[0], 14);
    const double factor = fuzz_scale(&q.meshes[0], kind & 0x3f);
    (void)fuzz_scale(&q.meshes[1], kind & 0x3f);
    for (int i = 0; i < 2; i++) {
        q.objects[i] = grz_object_at_origin(test_mesh_upload(fuzz_device(), &q.meshes[i]));
        for (uint64_t k = 0; k < 3 * q.meshes[i].vertex_count; k++)
            largest = fmax(largest, fabs(q.meshes[i].positions[k]));
    }
    if ((rest & 1) != 0)
        q.objects[1].pose = fuzz_pose(&in);
    q.options.inside_rule = (rest & 0x80) != 0 ? GRZ_INSIDE_AUTO : (kind & 0x80) != 0 ? GRZ_NONZERO : GRZ_EVEN_ODD;
    q.options.decide = (kind & 0x40) == 0;
    q.options.measure = (rest & 2) == 0;
    q.options.tolerance = tolerances[rest >> 2 & 3];
    q.options.max_cells = cells[rest >> 4 & 3];
    q.options.deeper_than = some_depth(&in, largest);
    q.options.parts = (rest & 0x40) != 0 ? q.parts : NULL;
    q.options.part_capacity = (rest & 0x40) != 0 ? MOST_PARTS : 0;
    some_points(&in, &q, factor);
    check(&q);
    for (int i = 0; i < 2; i++) {
        grz_mesh_destroy((grz_mesh *)q.objects[i].mesh);
        test_mesh_finish(&q.meshes[i]);
    }
    return 0;
}
