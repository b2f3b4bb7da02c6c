// SPDX-License-Identifier: MIT
// Fuzzes straight motions: two meshes, their poses and where both go. The walk must answer as comparing all pairs does,
// byte for byte, and exchanging the objects must exchange the answer; the first interval of contact begins at the first
// contact; one path of many gives what it gives alone; insides begin to overlap at the same time by both methods and
// either way round. Of solids that overlap, the depth along the motion must be the same by both methods, and `upper`
// along it is no less than `lower` of the least depth. The bounds of the common volume must be the same by both methods
// and either way round, and 0 exactly if the solids do not overlap.
#include <math.h>

#include "support_fuzz_queries.h"
#include "support_fuzz_shapes.h"

enum {
    MOST_INTERVALS = 8
};

typedef struct question {
    test_mesh meshes[2];
    grz_object objects[2];
    double to[2][3];
    grz_inside_rule rule;
} question;

static grz_status ask(const question *q, int first, const char *method, bool inside, grz_move_answer *answer)
{
    grz_move_options options = grz_default_move_options();
    grz_error error = {.code = GRZ_OK};
    options.method = method;
    options.inside = inside;
    options.inside_rule = q->rule;
    memset(answer, 0xa5, sizeof *answer);
    const grz_status status = grz_move(fuzz_device(), &q->objects[first], q->to[first], &q->objects[1 - first],
                                       q->to[1 - first], &options, answer, &error);
    FUZZ_REQUIRE(status == error.code && (status == GRZ_OK) == (error.message[0] == '\0'));
    return status;
}

static bool same_feature(grz_feature a, grz_feature b)
{
    return a.vertex[0] == b.vertex[0] && a.vertex[1] == b.vertex[1];
}

// All that is said of time and place. `swapped`: B's answer is about B and A.
static bool same_answer(const grz_move_answer *a, const grz_move_answer *b, bool swapped)
{
    bool same = a->first_contact == b->first_contact && a->lower == b->lower && a->upper == b->upper &&
                a->has_contact == b->has_contact && a->started_inside == b->started_inside && a->ties == b->ties &&
                a->certainty == b->certainty;
    same = same && a->face_a == (swapped ? b->face_b : b->face_a) && a->face_b == (swapped ? b->face_a : b->face_b);
    same = same && same_feature(a->feature_a, swapped ? b->feature_b : b->feature_a) &&
           same_feature(a->feature_b, swapped ? b->feature_a : b->feature_b);
    for (int k = 0; k < 3; k++)
        same = same && a->normal[k] == (swapped ? -b->normal[k] : b->normal[k]);
    return same && (swapped || memcmp(a->point, b->point, sizeof a->point) == 0);
}

static uint64_t intervals_of(const question *q, const char *method, grz_contact_interval *intervals)
{
    grz_move_options options = grz_default_move_options();
    uint64_t found;
    options.method = method;
    memset(intervals, 0, MOST_INTERVALS * sizeof *intervals);
    FUZZ_REQUIRE(grz_move_intervals(fuzz_device(), &q->objects[0], q->to[0], &q->objects[1], q->to[1], &options,
                                    intervals, MOST_INTERVALS, &found, NULL) == GRZ_OK);
    return found;
}

static void check_intervals(const question *q)
{
    grz_contact_interval walked[MOST_INTERVALS], all[MOST_INTERVALS];
    grz_move_answer first;
    const uint64_t count = intervals_of(q, "bvh", walked);
    FUZZ_REQUIRE(intervals_of(q, "naive", all) == count && memcmp(walked, all, sizeof all) == 0);
    FUZZ_REQUIRE(ask(q, 0, NULL, false, &first) == GRZ_OK);
    FUZZ_REQUIRE(first.has_contact == (count > 0));
    if (count > 0)
        FUZZ_REQUIRE(first.lower == walked[0].enter_lower && first.upper == walked[0].enter_upper);
}

static void check_paths(const question *q)
{
    grz_object rests = q->objects[1];
    grz_move_answer alone, paths[2];
    double ends[2][3];
    memcpy(ends[0], q->to[0], sizeof ends[0]);
    for (int k = 0; k < 3; k++)
        ends[1][k] = q->objects[0].pose.m[k][3];
    grz_move_options options = grz_default_move_options();
    options.inside_rule = q->rule;
    FUZZ_REQUIRE(grz_move(fuzz_device(), &q->objects[0], ends[0], &rests, NULL, &options, &alone, NULL) == GRZ_OK);
    FUZZ_REQUIRE(grz_move_paths(fuzz_device(), &q->objects[0], ends[0], 2, &rests, &options, paths, NULL) == GRZ_OK);
    FUZZ_REQUIRE(same_answer(&alone, &paths[0], false));
    FUZZ_REQUIRE(!paths[1].has_contact || paths[1].first_contact == 0.0); // it does not move
}

// When the insides begin to overlap: not before the first contact, the same the other way round, and as all pairs say.
static void check_overlap(const question *q, const grz_move_answer *touch)
{
    grz_overlap_time answers[3];
    grz_move_options options = grz_default_move_options();
    options.inside_rule = q->rule;
    for (int i = 0; i < 3; i++) {
        const int first = i == 2;
        options.method = i == 1 ? "naive" : NULL;
        memset(&answers[i], 0xa5, sizeof answers[i]);
        FUZZ_REQUIRE(grz_move_first_overlap(fuzz_device(), &q->objects[first], q->to[first], &q->objects[1 - first],
                                            q->to[1 - first], &options, &answers[i], NULL) == GRZ_OK);
        FUZZ_REQUIRE(answers[i].overlaps == answers[0].overlaps && answers[i].lower == answers[0].lower &&
                     answers[i].upper == answers[0].upper && answers[i].certainty == answers[0].certainty);
    }
    FUZZ_REQUIRE(answers[0].started_inside == (touch->started_inside && answers[0].certainty != GRZ_UNDECIDED) ||
                 answers[0].reason != NULL);
    FUZZ_REQUIRE(!answers[0].overlaps || (touch->has_contact && touch->lower <= answers[0].upper));
}

static void check_depth(const question *q)
{
    grz_move_options options = grz_default_move_options();
    grz_penetration_answer walked, all, least;
    double way[3];
    bool zero = true;
    for (int k = 0; k < 3; k++) {
        way[k] = q->to[0][k] - q->objects[0].pose.m[k][3];
        way[k] = fabs(way[k]) <= 0x1p300 ? way[k] : 1.0;
        zero = zero && way[k] == 0.0;
    }
    if (zero)
        return;
    options.inside_rule = q->rule;
    options.method = "bvh";
    FUZZ_REQUIRE(grz_penetration_along(fuzz_device(), &q->objects[0], &q->objects[1], way, &options, &walked, NULL) ==
                 GRZ_OK);
    options.method = "naive";
    FUZZ_REQUIRE(grz_penetration_along(fuzz_device(), &q->objects[0], &q->objects[1], way, &options, &all, NULL) ==
                 GRZ_OK);
    FUZZ_REQUIRE(walked.lower == all.lower && walked.upper == all.upper && walked.penetrating == all.penetrating);
    FUZZ_REQUIRE(walked.lower <= walked.depth && walked.depth <= walked.upper);
    if (!walked.penetrating)
        return;
    options.method = NULL;
    FUZZ_REQUIRE(grz_penetration(fuzz_device(), &q->objects[0], &q->objects[1], &options, &least, NULL) == GRZ_OK);
    FUZZ_REQUIRE(least.penetrating && least.lower <= least.upper && least.lower <= walked.upper * (1.0 + 1e-12));
}

static grz_overlap_volume_answer volume_of(const question *q, int first, const char *method)
{
    grz_move_options options = grz_default_move_options();
    grz_overlap_volume_answer answer;
    options.method = method;
    options.inside_rule = q->rule;
    memset(&answer, 0xa5, sizeof answer);
    FUZZ_REQUIRE(grz_overlap_volume(fuzz_device(), &q->objects[first], &q->objects[1 - first], &options, &answer,
                                    NULL) == GRZ_OK);
    FUZZ_REQUIRE(0.0 <= answer.lower && answer.lower <= answer.upper);
    return answer;
}

static void check_volume(const question *q)
{
    grz_collide_options options = grz_default_collide_options();
    grz_result *result;
    const grz_overlap_volume_answer walked = volume_of(q, 0, "bvh"), all = volume_of(q, 0, "naive"),
                                    swapped = volume_of(q, 1, "bvh");
    FUZZ_REQUIRE(walked.lower == all.lower && walked.upper == all.upper && walked.certainty == all.certainty);
    FUZZ_REQUIRE(walked.lower == swapped.lower && walked.upper == swapped.upper &&
                 walked.certainty == swapped.certainty);
    options.find = GRZ_FIND_SOLIDS;
    options.inside_rule = q->rule;
    options.max_pairs = UINT64_MAX;
    FUZZ_REQUIRE(grz_result_create(fuzz_device(), &result, NULL) == GRZ_OK);
    FUZZ_REQUIRE(grz_collide(fuzz_device(), &q->objects[0], &q->objects[1], &options, result, NULL) == GRZ_OK);
    const grz_solids solids = grz_result_summary(result)->solids;
    FUZZ_REQUIRE((walked.upper == HUGE_VAL) == (solids == GRZ_SOLIDS_UNDECIDABLE));
    FUZZ_REQUIRE((walked.upper == 0.0) == (solids == GRZ_SOLIDS_APART || solids == GRZ_SOLIDS_TOUCHING));
    grz_result_destroy(result);
}

static void check(const question *q)
{
    grz_move_answer walked, all, swapped;
    const grz_status status = ask(q, 0, "bvh", true, &walked);
    FUZZ_REQUIRE(status == GRZ_OK || status == GRZ_ERROR_POSE);
    if (status != GRZ_OK) {
        FUZZ_REQUIRE(walked.lower == 0.0 && walked.upper == HUGE_VAL && !walked.has_contact);
        return;
    }
    FUZZ_REQUIRE(ask(q, 0, "naive", true, &all) == GRZ_OK && ask(q, 1, "bvh", true, &swapped) == GRZ_OK);
    FUZZ_REQUIRE(same_answer(&walked, &all, false) && same_answer(&walked, &swapped, true));
    FUZZ_REQUIRE(walked.certainty == GRZ_EXACT && walked.lower <= walked.first_contact &&
                 walked.first_contact <= walked.upper);
    check_intervals(q);
    check_paths(q);
    check_overlap(q, &all);
    check_depth(q);
    check_volume(q);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const double steps[] = {0.0, 1.0, -1.0, 0.5, -3.0, 8.0, 0x1p-30, 0x1p40};
    fuzz_input in = {data, size};
    question q = {.rule = GRZ_EVEN_ODD};
    const uint8_t kind = fuzz_byte(&in);
    q.rule = (kind & 0x40) != 0 ? GRZ_INSIDE_AUTO : (kind & 0x80) != 0 ? GRZ_NONZERO : GRZ_EVEN_ODD;
    for (int i = 0; i < 2; i++) {
        q.meshes[i] = fuzz_mesh(&in, i == 0 ? NULL : &q.meshes[0]);
        q.objects[i] = grz_object_at_origin(test_mesh_upload(fuzz_device(), &q.meshes[i]));
        q.objects[i].pose = fuzz_pose(&in);
        for (int k = 0; k < 3; k++)
            q.to[i][k] = q.objects[i].pose.m[k][3] + steps[fuzz_byte(&in) % 8];
    }
    check(&q);
    for (int i = 0; i < 2; i++) {
        grz_mesh_destroy((grz_mesh *)q.objects[i].mesh);
        test_mesh_finish(&q.meshes[i]);
    }
    return 0;
}
