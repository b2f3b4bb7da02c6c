// SPDX-License-Identifier: MIT
// Turns the answer about a motion into a report: when is the first contact, between which faces, and how sure is that.

#include "answers/describe_move.h"

#include "answers/describe_query.h"
#include "answers/describe_summary.h"
#include "command.h"
#include "report/number.h"

#include <inttypes.h>
#include <math.h>

const char *describe_enclosure(report *r, double lower, double upper)
{
    return report_format(r, "%.9f and %.9f", floor(lower * 1e9) / 1e9, ceil(upper * 1e9) / 1e9);
}

static void describe_start(const char *a, const char *b, const grz_move_answer *answer, report *r)
{
    if (b == NULL)
        report_verdict(r, TONE_TOUCHES, "touching: %s touches itself where the motion begins (exact)", a);
    else
        report_verdict(r, TONE_TOUCHES, "%s: %s and %s %s where the motion begins (exact)",
                       answer->started_inside ? "overlapping" : "touching", a, b,
                       answer->started_inside ? "overlap" : "touch");
}

// With --allow-touching: whether the insides overlap is the verdict.
static void describe_overlap(const query *q, const grz_overlap_time *overlap, report *r)
{
    const char *a = q->meshes[0].file, *b = q->meshes[1].file;
    char number[NUMBER_SIZE];

    if (overlap->started_inside)
        report_verdict(r, TONE_TOUCHES, "overlapping: %s and %s overlap where the motion begins (exact)", a, b);
    else if (overlap->overlaps && overlap->certainty == GRZ_EXACT)
        report_verdict(r, TONE_TOUCHES, "overlap: the insides of %s and %s overlap from %s of the way (%s)", a, b,
                       number_shortest(overlap->first_overlap, number),
                       describe_bounds(r, overlap->certainty, overlap->lower, overlap->upper));
    else if (overlap->certainty == GRZ_EXACT)
        report_verdict(r, TONE_APART, "clear: the insides of %s and %s never overlap on the whole way (proved)", a, b);
    else
        report_verdict(r, TONE_UNDECIDED, "undecided: whether %s and %s overlap: %s", a, b,
                       overlap->reason != NULL ? overlap->reason : "there was no time");
}

static void put_overlap(const grz_overlap_time *overlap, report *r)
{
    report_value *in = r->members;

    if (overlap == NULL) {
        report_put_null(r, in, "overlap");
        return;
    }
    report_value *members = report_put_object(r, in, "overlap");
    report_put_bool(r, members, "overlaps", overlap->overlaps);
    report_put_real(r, members, "first_overlap", overlap->first_overlap);
    report_put_real(r, members, "lower", overlap->lower);
    report_put_real(r, members, "upper", overlap->upper);
    report_put_text(r, members, "certainty", certainty_name(overlap->certainty));
    report_put_text(r, members, "reason", overlap->reason);
}

static void describe_verdict(const query *q, const grz_move_answer *answer, report *r)
{
    const char *a = q->meshes[0].file, *b = q->mesh_count == 2 ? q->meshes[1].file : "itself";
    char number[NUMBER_SIZE];

    if (answer->has_contact && answer->upper == 0.0)
        describe_start(a, q->mesh_count == 2 ? b : NULL, answer, r);
    else if (answer->has_contact && answer->certainty == GRZ_EXACT)
        report_verdict(r, TONE_TOUCHES, "contact: %s touches %s after %s of the way (%s)", a, b,
                       number_shortest(answer->first_contact, number),
                       describe_bounds(r, answer->certainty, answer->lower, answer->upper));
    else if (answer->has_contact)
        report_verdict(r, TONE_TOUCHES, "contact: %s touches %s after %.6g of the way (enclosed: between %s, proved)",
                       a, b, answer->first_contact, describe_enclosure(r, answer->lower, answer->upper));
    else if (answer->certainty == GRZ_EXACT)
        report_verdict(r, TONE_APART, "clear: %s does not touch %s on the whole way (proved)", a, b);
    else
        report_verdict(r, TONE_UNDECIDED,
                       "undecided: %s does not touch %s up to %s of the way; there they come too near to tell", a, b,
                       number_shortest(answer->lower, number));
}

static void describe_for_people(const query *q, const grz_move_answer *answer, const grz_overlap_time *overlap,
                                report *r)
{
    char number[NUMBER_SIZE];

    if (overlap == NULL)
        describe_verdict(q, answer, r);
    else {
        describe_overlap(q, overlap, r);
        if (answer->has_contact)
            report_line(r, r->lines, LINE_FACT, "touch", "from %s of the way",
                        number_shortest(answer->first_contact, number));
    }
    describe_rules(q, r);
    if (answer->face_a != GRZ_NO_FACE) {
        report_line(r, r->lines, LINE_FACT, q->mesh_count == 2 ? "A" : "itself", "face %" PRIu32 " (%s)",
                    answer->face_a, describe_feature(r, answer->feature_a));
        report_line(r, r->lines, LINE_FACT, q->mesh_count == 2 ? "B" : "and", "face %" PRIu32 " (%s)", answer->face_b,
                    describe_feature(r, answer->feature_b));
    }
    if (answer->normal[0] != 0.0 || answer->normal[1] != 0.0 || answer->normal[2] != 0.0) {
        report_line(r, r->lines, LINE_FACT, "at", "%.6g %.6g %.6g", answer->point[0], answer->point[1],
                    answer->point[2]);
        report_line(r, r->lines, LINE_FACT, "normal", "%.6g %.6g %.6g", answer->normal[0], answer->normal[1],
                    answer->normal[2]);
    }
    if (answer->reason != NULL)
        report_line(r, r->lines, LINE_FACT, "normal", "none: %s", answer->reason);
    report_line(r, r->lines, LINE_TIME, "time", "%.4g ms (load %.4g)", q->measured.total_ms, q->measured.load_ms);
}

void put_enclosure(report *r, report_value *in, const grz_move_answer *answer)
{
    report_put_real(r, in, "first_contact", answer->first_contact);
    report_put_real(r, in, "lower", answer->lower);
    report_put_real(r, in, "upper", answer->upper);
    report_put_bool(r, in, "exact", answer->certainty == GRZ_EXACT);
    report_put_text(r, in, "certainty", certainty_name(answer->certainty));
}

static void describe_for_programs(const query *q, const grz_move_answer *answer, const grz_overlap_time *overlap,
                                  bool solids, report *r)
{
    report_value *in = r->members;
    const bool known = answer->face_a != GRZ_NO_FACE;
    const bool has_normal = answer->normal[0] != 0.0 || answer->normal[1] != 0.0 || answer->normal[2] != 0.0;

    report_put_bool(r, in, "contact", answer->has_contact);
    put_enclosure(r, in, answer);
    if (solids)
        report_put_bool(r, in, "started_inside", answer->started_inside);
    else
        report_put_null(r, in, "started_inside");
    put_face(r, "face_a", answer->face_a);
    put_face(r, "face_b", answer->face_b);
    report_put_text(r, in, "feature_a", known ? describe_feature(r, answer->feature_a) : NULL);
    report_put_text(r, in, "feature_b", known ? describe_feature(r, answer->feature_b) : NULL);
    if (has_normal) {
        put_point(r, in, "normal", answer->normal);
        put_point(r, in, "point", answer->point);
    } else {
        report_put_null(r, in, "normal");
        report_put_null(r, in, "point");
    }
    report_put_text(r, in, "normal_reason", answer->reason);
    put_overlap(overlap, r);
    put_times(r, &q->measured, NULL);
    describe_meshes(q, r);
    put_meshes(q, r);
}

static report describe(const query *q, const grz_move_answer *answer, const grz_overlap_time *overlap, bool solids)
{
    report r = report_begin(q->given->command);
    describe_for_people(q, answer, overlap, &r);
    describe_for_programs(q, answer, overlap, solids, &r);
    return r;
}

report describe_move(const query *q, const grz_move_answer *answer, const grz_overlap_time *overlap)
{
    return describe(q, answer, overlap, true);
}

report describe_deforming(const query *q, const grz_move_answer *answer)
{
    return describe(q, answer, NULL, false);
}

int describe_move_status(const grz_move_answer *answer, const grz_overlap_time *overlap)
{
    if (overlap != NULL && overlap->overlaps)
        return STATUS_TOUCHES;
    if (overlap != NULL)
        return overlap->certainty != GRZ_UNDECIDED ? STATUS_APART : STATUS_UNDECIDED;
    if (answer->has_contact)
        return STATUS_TOUCHES;
    return answer->certainty != GRZ_UNDECIDED ? STATUS_APART : STATUS_UNDECIDED;
}
