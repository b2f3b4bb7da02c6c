// SPDX-License-Identifier: MIT
// Turns a distance into a report: how far apart, between which faces and points.

#include "answers/describe_distance.h"

#include "answers/describe_query.h"
#include "answers/describe_summary.h"
#include "report/number.h"

#include <inttypes.h>

static void describe_place(report *r, const char *label, uint32_t face, grz_feature feature, const double point[3])
{
    const char *part =
        feature.vertex[0] == GRZ_NO_VERTEX ? "" : report_format(r, " (%s)", describe_feature(r, feature));
    report_line(r, r->lines, LINE_FACT, label, "face %" PRIu32 "%s at %.6g %.6g %.6g", face, part, point[0], point[1],
                point[2]);
}

static void describe_for_people(const query *q, const grz_distance_answer *answer, const clearance_facts *facts,
                                report *r)
{
    const char *a = q->meshes[0].file, *b = q->meshes[1].file;
    char distance[NUMBER_SIZE];
    if (answer->touching)
        report_verdict(r, TONE_TOUCHES, "touching: %s and %s touch, their distance is 0 (exact)", a, b);
    else
        report_verdict(r, TONE_APART, "apart: %s and %s are %s apart (%s)", a, b,
                       number_shortest(answer->distance, distance),
                       describe_bounds(r, answer->certainty, answer->lower, answer->upper));
    describe_rules(q, r);
    clearance_describe(q->given, facts, r);
    describe_place(r, "A", answer->face_a, answer->feature_a, answer->point_a);
    describe_place(r, "B", answer->face_b, answer->feature_b, answer->point_b);
    if (answer->ties > 1)
        report_line(r, r->lines, LINE_FACT, NULL, "%s are at exactly this distance",
                    describe_count(r, answer->ties, "pair of faces", "pairs of faces"));
    report_line(r, r->lines, LINE_TIME, "time", "%.4g ms (load %.4g)", q->measured.total_ms, q->measured.load_ms);
}

static void describe_for_programs(const query *q, const grz_distance_answer *answer, const clearance_facts *facts,
                                  report *r)
{
    report_value *in = r->members;
    report_put_real(r, in, "distance", answer->distance);
    report_put_real(r, in, "lower", answer->lower);
    report_put_real(r, in, "upper", answer->upper);
    report_put_text(r, in, "certainty", certainty_name(answer->certainty));
    report_put_bool(r, in, "touching", answer->touching);
    put_point(r, in, "point_a", answer->point_a);
    put_point(r, in, "point_b", answer->point_b);
    report_put_count(r, in, "face_a", answer->face_a);
    report_put_count(r, in, "face_b", answer->face_b);
    report_put_text(r, in, "feature_a", describe_feature(r, answer->feature_a));
    report_put_text(r, in, "feature_b", describe_feature(r, answer->feature_b));
    report_put_count(r, in, "ties", answer->ties);
    clearance_put(q->given, facts, r, in);
    put_times(r, &q->measured, NULL);
    describe_meshes(q, r);
    put_meshes(q, r);
}

report describe_distance(const query *q, const grz_distance_answer *answer, const clearance_facts *facts)
{
    report r = report_begin(q->given->command);
    describe_for_people(q, answer, facts, &r);
    describe_for_programs(q, answer, facts, &r);
    return r;
}
