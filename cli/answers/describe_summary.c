// SPDX-License-Identifier: MIT
// Turns a grz_summary and what belongs to it into parts of a report.

#include "answers/describe_summary.h"

#include "verdicts/clearance.h"
#include "answers/query.h"
#include "report/number.h"

#include <inttypes.h>
#include <math.h>

static const char *const relation_names[] = {[GRZ_APART] = "apart",
                                             [GRZ_COLLIDING] = "colliding",
                                             [GRZ_OVERLAPPING] = "overlapping",
                                             [GRZ_A_INSIDE_B] = "a_inside_b",
                                             [GRZ_B_INSIDE_A] = "b_inside_a"};

static const char *const solids_names[] = {[GRZ_SOLIDS_NOT_ASKED] = NULL,
                                           [GRZ_SOLIDS_APART] = "apart",
                                           [GRZ_SOLIDS_TOUCHING] = "touching",
                                           [GRZ_SOLIDS_PENETRATING] = "penetrating",
                                           [GRZ_SOLIDS_A_INSIDE_B] = "a_inside_b",
                                           [GRZ_SOLIDS_B_INSIDE_A] = "b_inside_a",
                                           [GRZ_SOLIDS_SAME] = "same",
                                           [GRZ_SOLIDS_UNDECIDABLE] = "undecidable"};

static const char *const certainty_names[] = {
    [GRZ_EXACT] = "exact", [GRZ_DISCRETE] = "discrete", [GRZ_UNDECIDED] = "undecided", [GRZ_ENCLOSED] = "enclosed"};

static const char *const kind_names[GRZ_KIND_COUNT] = {
    [GRZ_NEAR] = "near", [GRZ_TOUCHING] = "touching", [GRZ_COPLANAR] = "coplanar", [GRZ_CROSSING] = "crossing"};

const char *describe_relation(grz_relation relation)
{
    return relation_names[relation];
}

const char *describe_solids(grz_solids solids)
{
    return solids_names[solids];
}

const char *rule_name(grz_inside_rule rule)
{
    static const char *const names[] = {
        [GRZ_EVEN_ODD] = "even-odd", [GRZ_NONZERO] = "nonzero", [GRZ_INSIDE_AUTO] = "auto"};
    return names[rule];
}

void describe_rule(report *r, const options *given)
{
    if ((given->flags & OPTION_RULE) == 0)
        return;
    if (given->rule == GRZ_INSIDE_AUTO)
        report_line(r, r->lines, LINE_FACT, "rule",
                    "auto: nonzero for meshes that meet themselves and are wound consistently, else even-odd");
    else
        report_line(r, r->lines, LINE_FACT, "rule", "%s: what is inside where a mesh meets itself",
                    rule_name(given->rule));
}

const char *describe_kind(uint32_t kind)
{
    return kind < GRZ_KIND_COUNT ? kind_names[kind] : "unknown";
}

const char *describe_count(report *r, uint64_t count, const char *one, const char *many)
{
    return report_format(r, "%" PRIu64 " %s", count, count == 1 ? one : many);
}

const char *describe_feature(report *r, grz_feature feature)
{
    if (feature.vertex[0] == GRZ_NO_VERTEX)
        return "face";
    if (feature.vertex[1] == GRZ_NO_VERTEX)
        return report_format(r, "vertex %" PRIu32, feature.vertex[0]);
    return report_format(r, "edge %" PRIu32 " %" PRIu32, feature.vertex[0], feature.vertex[1]);
}

const char *describe_over_limit(report *r, const options *given)
{
    const uint64_t most = query_common_options(given, NULL).max_pairs;
    return report_format(r, "more than %s, the limit of --max-pairs",
                         describe_count(r, most, "pair of faces", "pairs of faces"));
}

const char *describe_certainty(const grz_summary *summary)
{
    if (summary->certainty == GRZ_EXACT)
        return " (exact)";
    return summary->colliding && !summary->may_invent ? " (discrete: there may be more)" : " (discrete: may be wrong)";
}

const char *certainty_name(grz_certainty certainty)
{
    return certainty_names[certainty];
}

const char *describe_bounds(report *r, grz_certainty certainty, double lower, double upper)
{
    char low[NUMBER_SIZE], high[NUMBER_SIZE];
    if (certainty == GRZ_EXACT && lower < upper)
        return "exact, rounded once";
    if (certainty != GRZ_ENCLOSED)
        return certainty_name(certainty);
    return report_format(r, "enclosed: between %s and %s, proved", number_shortest(lower, low),
                         number_shortest(upper, high));
}

report_tone describe_tone(const options *given, const grz_summary *summary)
{
    if ((given->flags & OPTION_CLEARANCE) != 0) {
        const clearance_facts facts = clearance_of_summary(given, summary, false);
        return clearance_tone(clearance_judge(given, &facts));
    }
    if ((given->flags & OPTION_ALLOW_TOUCHING) == 0)
        return summary->colliding ? TONE_TOUCHES : TONE_APART;
    switch (allowance_of(summary->relation, summary->containment, summary->solids)) {
    case ALLOWANCE_FINE:
        return TONE_APART;
    case ALLOWANCE_UNKNOWN:
        return TONE_UNDECIDED;
    case ALLOWANCE_REFUSED:
    case ALLOWANCE_COUNT:
        break;
    }
    return TONE_TOUCHES;
}

void describe_allowance(report *r, const options *given, const grz_summary *summary, bool listed)
{
    if ((given->flags & OPTION_ALLOW_TOUCHING) == 0)
        return;
    switch (allowance_of(summary->relation, summary->containment, summary->solids)) {
    case ALLOWANCE_FINE:
        if (summary->relation != GRZ_APART)
            report_line(r, r->lines, LINE_FACT, "allowed", "they only touch");
        else if (summary->solids == GRZ_SOLIDS_UNDECIDABLE && (given->flags & OPTION_STRICT) != 0)
            report_line(r, r->lines, LINE_WARNING, NULL, "their solids are undecidable: %s", summary->solids_reason);
        return;
    case ALLOWANCE_UNKNOWN:
        report_line(r, r->lines, LINE_WARNING, NULL, "cannot decide whether they only touch: %s",
                    listed && summary->solids_reason != NULL ? summary->solids_reason : describe_over_limit(r, given));
        return;
    case ALLOWANCE_REFUSED:
    case ALLOWANCE_COUNT:
        report_line(r, r->lines, LINE_FACT, "refused", "they do more than touch");
        return;
    }
}

void describe_kinds(report *r, const uint64_t kinds[GRZ_KIND_COUNT])
{
    report_line(r, r->lines, LINE_FACT, NULL, "crossing %" PRIu64 ", touching %" PRIu64 ", coplanar %" PRIu64,
                kinds[GRZ_CROSSING], kinds[GRZ_TOUCHING], kinds[GRZ_COPLANAR]);
}

void describe_times(report *r, const measures *measured, const grz_summary *summary)
{
    report_line(r, r->lines, LINE_TIME, "time",
                "%.4g ms (load %.4g, prepare %.4g, filter %.4g, decide %.4g), method %s, %s", measured->total_ms,
                measured->load_ms, summary->prepare_ms, summary->filter_ms, summary->decide_ms,
                summary->method != NULL ? summary->method : "none", summary->device);
}

// Adding zero turns negative zero into zero.
void describe_box(report *r, const char *label, const double min[3], const double max[3])
{
    report_line(r, r->lines, LINE_FACT, label, "%.6g %.6g %.6g to %.6g %.6g %.6g", min[0] + 0.0, min[1] + 0.0,
                min[2] + 0.0, max[0] + 0.0, max[1] + 0.0, max[2] + 0.0);
}

static const char *containment_name(grz_containment containment)
{
    switch (containment) {
    case GRZ_CONTAINMENT_DECIDED:
        return "decided";
    case GRZ_CONTAINMENT_UNDECIDABLE:
        return "undecidable";
    case GRZ_CONTAINMENT_NOT_ASKED:
        break;
    }
    return NULL;
}

void put_verdict(report *r, const grz_summary *summary, const char *reason)
{
    const bool known = summary->certainty != GRZ_UNDECIDED;

    report_put_text(r, r->members, "relation", known ? relation_names[summary->relation] : NULL);
    if (known)
        report_put_bool(r, r->members, "colliding", summary->colliding);
    else
        report_put_null(r, r->members, "colliding");
    report_put_text(r, r->members, "certainty", certainty_name(summary->certainty));
    report_put_text(r, r->members, "containment", containment_name(summary->containment));
    report_put_text(r, r->members, "reason", summary->reason != NULL ? summary->reason : reason);
    report_put_text(r, r->members, "method", summary->method);
    report_put_text(r, r->members, "device", summary->device);
}

void put_how_it_may_err(report *r, const grz_summary *summary)
{
    report_put_bool(r, r->members, "may_miss", summary->may_miss);
    report_put_bool(r, r->members, "may_invent", summary->may_invent);
}

void put_statistics(report *r, const grz_result *result)
{
    uint64_t count;
    const grz_statistic *statistics = grz_result_statistics(result, &count);
    report_value *counted = report_put_object(r, r->members, "statistics");
    for (uint64_t i = 0; i < count; i++)
        report_put_count(r, counted, statistics[i].name, statistics[i].value);
}

void put_kinds(report *r, report_value *in, const uint64_t kinds[GRZ_KIND_COUNT])
{
    static const grz_kind order[] = {GRZ_CROSSING, GRZ_TOUCHING, GRZ_COPLANAR};
    report_value *object = report_put_object(r, in, "kinds");

    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        report_put_count(r, object, kind_names[order[i]], kinds[order[i]]);
}

// Three decimals are all that a time or a size is worth.
static void put_measure(report *r, report_value *in, const char *key, double value)
{
    report_put_real(r, in, key, nearbyint(value * 1e3) / 1e3);
}

void put_times(report *r, const measures *measured, const grz_summary *summary)
{
    report_value *times = report_put_object(r, r->members, "time_ms");

    put_measure(r, times, "load", measured->load_ms);
    if (summary != NULL) {
        put_measure(r, times, "prepare", summary->prepare_ms);
        put_measure(r, times, "filter", summary->filter_ms);
        put_measure(r, times, "decide", summary->decide_ms);
    } else {
        report_put_null(r, times, "prepare");
        report_put_null(r, times, "filter");
        report_put_null(r, times, "decide");
    }
    put_measure(r, times, "total", measured->total_ms);
    put_measure(r, r->members, "peak_memory_mb", measured->peak_memory_mb);
}

void put_point(report *r, report_value *in, const char *key, const double point[3])
{
    report_value *list = report_put_list(r, in, key);

    for (int axis = 0; axis < 3; axis++)
        report_put_real(r, list, NULL, point[axis]);
}

void put_face(report *r, const char *key, uint32_t face)
{
    if (face == GRZ_NO_FACE)
        report_put_null(r, r->members, key);
    else
        report_put_count(r, r->members, key, face);
}

void put_box(report *r, const char *key, const double min[3], const double max[3])
{
    report_value *box = report_put_object(r, r->members, key);

    put_point(r, box, "min", min);
    put_point(r, box, "max", max);
}
