// SPDX-License-Identifier: MIT
// A depth is told with its bounds, which are proved.
#include "verdicts/describe_overlap.h"

#include "answers/describe_summary.h"
#include "report/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *point_text(const double p[3], report *r)
{
    return report_format(r, "%.6g %.6g %.6g", p[0] + 0.0, p[1] + 0.0, p[2] + 0.0); // no negative zero
}

// Few digits are enough for people, rounded so that they stay true. In whole numbers: pow() and log10() differ between
// libraries of C.
static const char *bound_text(double bound, bool up, report *r)
{
    char text[NUMBER_SIZE], *end;

    snprintf(text, sizeof text, "%.3e", bound); // d.ddde±xx
    const double shown = strtod(text, NULL);
    if (bound > 0.0 && isfinite(bound) && (up ? shown < bound : shown > bound)) {
        long digits = 1000L * (text[0] - '0') + strtol(text + 2, &end, 10) + (up ? 1 : -1);
        long exponent = strtol(end + 1, NULL, 10);
        if (digits < 1000) { // 1.000 becomes 9.999 of the power below
            digits = 9999;
            exponent--;
        }
        snprintf(text, sizeof text, "%lde%ld", digits, exponent - 3);
    }
    return report_format(r, "%.4g", strtod(text, NULL));
}

const char *overlap_text(const overlap_facts *facts, report *r)
{
    const grz_overlap_depth_answer *answer = &facts->answer;
    const char *at = answer->lower > 0.0 ? report_format(r, ", near %s", point_text(answer->centre, r)) : "";
    char depth[NUMBER_SIZE];

    if (answer->upper == 0.0)
        return "the insides do not overlap";
    if (answer->lower == answer->upper)
        return report_format(r, "the overlap is %s deep%s", number_shortest(answer->lower, depth), at);
    if (isinf(answer->upper))
        return report_format(r, "the overlap is at least %s deep%s", bound_text(answer->lower, false, r), at);
    if (answer->lower == 0.0)
        return report_format(r, "the overlap is at most %s deep", bound_text(answer->upper, true, r));
    return report_format(r, "the overlap is between %s and %s deep%s", bound_text(answer->lower, false, r),
                         bound_text(answer->upper, true, r), at);
}

const char *overlap_reason(const overlap_facts *facts, report *r)
{
    if (facts->open && facts->crossing && facts->length > 0.0)
        return report_format(r, "a mesh is open: surfaces %s along %.6g of curves; depth is not defined",
                             facts->crosses ? "cross" : "meet", facts->length);
    if (facts->open && facts->crossing)
        return "a mesh is open: surfaces meet; depth is not defined";
    if (facts->answer.reason != NULL)
        return facts->answer.reason;
    return "no reason is given";
}

const char *overlap_bounds_text(const overlap_facts *facts, report *r)
{
    return isinf(facts->answer.upper) ? "" : report_format(r, "; %s", overlap_text(facts, r));
}

void overlap_describe_parts(const overlap_facts *facts, report *r, report_value *into)
{
    for (uint64_t i = 0; i < facts->part_count; i++) {
        const grz_overlap_part *part = &facts->parts[i];
        const char *box = report_format(r, "in %s to %s", point_text(part->min, r), point_text(part->max, r));
        if (part->lower > 0.0)
            report_line(r, into, LINE_FACT, "place", "%s to %s deep near %s, %s", bound_text(part->lower, false, r),
                        bound_text(part->upper, true, r), point_text(part->centre, r), box);
        else
            report_line(r, into, LINE_FACT, "place", "at most %s deep, %s", bound_text(part->upper, true, r), box);
    }
    if (facts->answer.part_count > facts->part_count)
        report_line(r, into, LINE_FACT, "place", "and %s",
                    describe_count(r, facts->answer.part_count - facts->part_count, "place more", "places more"));
}

void overlap_describe(const options *given, const overlap_facts *facts, report *r)
{
    char limit[NUMBER_SIZE];

    if (!facts->asked)
        return;
    if (!facts->limited) {
        if (isinf(facts->answer.upper))
            report_line(r, r->lines, LINE_WARNING, NULL, "depth: not known: %s", overlap_reason(facts, r));
        else
            report_line(r, r->lines, LINE_FACT, NULL, "depth: %s (proved)%s", overlap_text(facts, r),
                        facts->answer.reason != NULL ? report_format(r, ": %s", facts->answer.reason) : "");
        return;
    }
    (void)number_shortest(facts->limit, limit);
    switch (overlap_judge(given, facts)) {
    case OVERLAP_WITHIN:
        report_line(r, r->lines, LINE_FACT, NULL, "deeper than %s: no, proved: %s", limit, overlap_text(facts, r));
        break;
    case OVERLAP_DEEPER:
        report_line(r, r->lines, LINE_FACT, NULL, "deeper than %s: yes, proved: %s", limit, overlap_text(facts, r));
        overlap_describe_parts(facts, r, r->lines);
        break;
    case OVERLAP_REPORTED:
        report_line(r, r->lines, LINE_WARNING, NULL, "deeper than %s: %s", limit, overlap_reason(facts, r));
        break;
    case OVERLAP_UNKNOWN:
    case OVERLAP_NOT_JUDGED:
    case OVERLAP_VERDICT_COUNT:
        report_line(r, r->lines, LINE_WARNING, NULL, "deeper than %s: cannot be decided: %s%s", limit,
                    overlap_reason(facts, r), overlap_bounds_text(facts, r));
        break;
    }
}

static void put_known_point(report *r, report_value *in, const char *key, double depth, const double point[3])
{
    if (depth > 0.0)
        put_point(r, in, key, point);
    else
        report_put_null(r, in, key);
}

void overlap_put(const overlap_facts *facts, report *r, report_value *in)
{
    if (facts == NULL || !facts->asked) {
        report_put_null(r, in, "overlap");
        return;
    }
    const grz_overlap_depth_answer *answer = &facts->answer;
    report_value *overlap = report_put_object(r, in, "overlap");
    if (facts->limited)
        report_put_real(r, overlap, "asked", facts->limit);
    else
        report_put_null(r, overlap, "asked");
    if (answer->deeper == GRZ_DEEPER_UNKNOWN)
        report_put_null(r, overlap, "deeper");
    else
        report_put_bool(r, overlap, "deeper", answer->deeper == GRZ_DEEPER_YES);
    report_put_real(r, overlap, "lower", answer->lower);
    report_put_real(r, overlap, "upper", answer->upper);
    put_known_point(r, overlap, "centre", answer->lower, answer->centre);
    report_put_text(r, overlap, "certainty", certainty_name(answer->certainty));
    report_put_text(r, overlap, "reason", answer->reason != NULL ? overlap_reason(facts, r) : NULL);
    report_value *parts = report_put_list(r, overlap, "parts");
    for (uint64_t i = 0; i < facts->part_count; i++) {
        const grz_overlap_part *part = &facts->parts[i];
        report_value *place = report_put_object(r, parts, NULL);
        report_put_real(r, place, "lower", part->lower);
        report_put_real(r, place, "upper", part->upper);
        put_known_point(r, place, "centre", part->lower, part->centre);
        report_value *box = report_put_object(r, place, "box");
        put_point(r, box, "min", part->min);
        put_point(r, box, "max", part->max);
    }
}
