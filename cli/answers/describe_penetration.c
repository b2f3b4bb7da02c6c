// SPDX-License-Identifier: MIT
// Turns a penetration into a report: how far, which way, and how sure that is.

#include <graze/gl.h>

#include "answers/describe_penetration.h"

#include "answers/describe_query.h"
#include "answers/describe_summary.h"
#include "report/number.h"

#include <inttypes.h>
#include <math.h>

static void describe_verdict(const query *q, const grz_penetration_answer *answer, report *r)
{
    const char *a = q->meshes[0].file, *b = q->meshes[1].file;
    const bool along = (q->given->flags & OPTION_ALONG) != 0;
    const char *bounds = describe_bounds(r, answer->certainty, answer->lower, answer->upper);
    char depth[NUMBER_SIZE];

    if (answer->certainty == GRZ_UNDECIDED)
        report_verdict(r, TONE_UNDECIDED, "undecided: %s and %s: %s", a, b, answer->reason);
    else if (!answer->penetrating)
        report_verdict(r, TONE_APART, "free: the insides of %s and %s have no common point (exact)", a, b);
    else if (answer->certainty == GRZ_EXACT)
        report_verdict(r, TONE_TOUCHES, "penetrating: %s must move by %s to be free of %s (%s)", a,
                       number_shortest(answer->depth, depth), b, bounds);
    else
        report_verdict(r, TONE_TOUCHES, "penetrating: %s is free of %s once it has moved by %s%s (%s)", a, b,
                       number_shortest(answer->upper, depth), along ? "" : "; no shorter way was found", bounds);
}

static void describe_volume(const grz_overlap_volume_answer *common, report *r)
{
    char lower[NUMBER_SIZE], upper[NUMBER_SIZE];

    if (common->certainty == GRZ_EXACT)
        report_line(r, r->lines, LINE_FACT, "volume", "%s in common (%s)", number_shortest(common->lower, lower),
                    describe_bounds(r, common->certainty, common->lower, common->upper));
    else if (common->certainty == GRZ_ENCLOSED)
        report_line(r, r->lines, LINE_FACT, "volume", "between %s and %s in common (enclosed, proved)",
                    number_shortest(common->lower, lower), number_shortest(common->upper, upper));
    else
        report_line(r, r->lines, LINE_FACT, "volume", "at most %s in common: %s", number_shortest(common->upper, upper),
                    common->reason);
}

static void describe_layers(const grz_layers_volume *layers, report *r)
{
    report_line(r, r->lines, LINE_FACT, "discrete",
                "%.6g in common, by %" PRIu32 " x %" PRIu32 " pixels; off by some %.2g or less (may be wrong)",
                layers->volume, layers->resolution, layers->resolution, layers->error);
    if (layers->unpaired > 0)
        report_line(r, r->lines, LINE_FACT, NULL, "%" PRIu64 " pixels see an odd number of a mesh's surfaces",
                    layers->unpaired);
    if (layers->crowded > 0)
        report_line(r, r->lines, LINE_FACT, NULL, "%" PRIu64 " pixels see more than %d surfaces and do not count",
                    layers->crowded, GRZ_LAYERS_VOLUME_MAX);
}

static void describe_for_people(const query *q, const penetration_answers *answers, report *r)
{
    const grz_penetration_answer *answer = &answers->depth;

    describe_verdict(q, answer, r);
    describe_rules(q, r);
    if (answer->penetrating) {
        report_line(r, r->lines, LINE_FACT, "direction", "%.6g %.6g %.6g", answer->direction[0], answer->direction[1],
                    answer->direction[2]);
        if (answer->face_a != GRZ_NO_FACE)
            report_line(r, r->lines, LINE_FACT, "parting", "face %" PRIu32 " of A and face %" PRIu32 " of B",
                        answer->face_a, answer->face_b);
        if (answer->reason != NULL)
            report_line(r, r->lines, LINE_FACT, NULL, "%s", answer->reason);
        describe_volume(&answers->common, r);
    }
    if ((q->given->flags & OPTION_LAYERS) != 0)
        describe_layers(&answers->layers, r);
    report_line(r, r->lines, LINE_TIME, "time", "%.4g ms (load %.4g)", q->measured.total_ms, q->measured.load_ms);
}

// null where there is no bound: a mesh has no inside.
static void put_volume(const grz_overlap_volume_answer *common, report *r)
{
    if (!isfinite(common->upper)) {
        report_put_null(r, r->members, "volume");
        return;
    }
    report_value *volume = report_put_object(r, r->members, "volume");
    report_put_real(r, volume, "lower", common->lower);
    report_put_real(r, volume, "upper", common->upper);
    report_put_text(r, volume, "certainty", certainty_name(common->certainty));
    report_put_text(r, volume, "reason", common->reason);
}

static void put_layers(const query *q, const grz_layers_volume *layers, report *r)
{
    if ((q->given->flags & OPTION_LAYERS) == 0) {
        report_put_null(r, r->members, "volume_discrete");
        return;
    }
    report_value *in = report_put_object(r, r->members, "volume_discrete");
    report_put_text(r, in, "certainty", "discrete");
    report_put_real(r, in, "volume", layers->volume);
    report_put_real(r, in, "error", layers->error);
    report_put_count(r, in, "resolution", layers->resolution);
    report_put_count(r, in, "fragments", layers->fragments);
    report_put_count(r, in, "unpaired", layers->unpaired);
    report_put_count(r, in, "crowded", layers->crowded);
}

static void describe_for_programs(const query *q, const penetration_answers *answers, report *r)
{
    const grz_penetration_answer *answer = &answers->depth;
    report_value *in = r->members;

    report_put_bool(r, in, "penetrating", answer->penetrating);
    report_put_real(r, in, "depth", answer->depth);
    report_put_real(r, in, "lower", answer->lower);
    report_put_real(r, in, "upper", answer->upper);
    if (answer->penetrating)
        put_point(r, in, "direction", answer->direction);
    else
        report_put_null(r, in, "direction");
    report_put_bool(r, in, "exact", answer->certainty == GRZ_EXACT);
    report_put_text(r, in, "certainty", certainty_name(answer->certainty));
    report_put_text(r, in, "reason", answer->reason);
    put_face(r, "face_a", answer->face_a);
    put_face(r, "face_b", answer->face_b);
    put_volume(&answers->common, r);
    put_layers(q, &answers->layers, r);
    put_times(r, &q->measured, NULL);
    describe_meshes(q, r);
    put_meshes(q, r);
}

report describe_penetration(const query *q, const penetration_answers *answers)
{
    report r = report_begin(q->given->command);
    describe_for_people(q, answers, &r);
    describe_for_programs(q, answers, &r);
    return r;
}
