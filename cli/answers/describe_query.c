// SPDX-License-Identifier: MIT
// Turns a query's answer into a report: the verdict, how much touches, where, which meshes are closed, and the lists
// that were asked for. What touches may be listed in billions of items, so those lists are rows.

#include "answers/describe_query.h"

#include "verdicts/clearance.h"
#include "answers/describe_files.h"
#include "answers/describe_summary.h"
#include "deliver.h"
#include "verdicts/describe_overlap.h"
#include "report/number.h"

#include <inttypes.h>

// Whether the result lists pairs of faces: they are not too many, and the method names them.
static bool has_pairs(const query *q)
{
    const grz_summary *summary = grz_result_summary(q->result);

    return q->listed && (summary->certainty != GRZ_DISCRETE || summary->pairs_listed);
}

// The box around where two meshes touch, as far as it is known. Of a discrete answer, the box around its collision
// volumes.
static bool find_region(const query *q, double min[3], double max[3])
{
    const grz_summary *summary = grz_result_summary(q->result);
    uint64_t count;
    const grz_collision_box *volumes = grz_result_collision_boxes(q->result, &count);

    for (int axis = 0; axis < 3; axis++) {
        min[axis] = summary->region_min[axis];
        max[axis] = summary->region_max[axis];
        for (uint64_t i = 0; i < count; i++) {
            double low = volumes[i].corner[axis], high = low;
            for (int edge = 0; edge < 3; edge++) {
                low += volumes[i].edge[edge][axis] < 0 ? volumes[i].edge[edge][axis] : 0;
                high += volumes[i].edge[edge][axis] > 0 ? volumes[i].edge[edge][axis] : 0;
            }
            min[axis] = i == 0 || low < min[axis] ? low : min[axis];
            max[axis] = i == 0 || high > max[axis] ? high : max[axis];
        }
    }
    return count > 0 || (q->listed && summary->has_region);
}

// ---- for people

static uint64_t statistic(const query *q, const char *name)
{
    uint64_t value;
    grz_result_statistic(q->result, name, &value);
    return value;
}

// What a discrete answer counted: " in 3 cells of a picture", or ": " and whatever else its method reports, by name.
static const char *counted_text(const query *q, report *r)
{
    const uint64_t side = statistic(q, "resolution");
    if (grz_result_statistic(q->result, "cells", NULL))
        return report_format(r, " in %s of %" PRIu64 " x %" PRIu64 " pixels and %" PRIu64 " slices",
                             describe_count(r, statistic(q, "cells"), "cell", "cells"), side, side,
                             statistic(q, "slices"));
    uint64_t count;
    const grz_statistic *statistics = grz_result_statistics(q->result, &count);
    const char *text = ":";
    for (uint64_t i = 0; i < count; i++)
        text = report_format(r, "%s%s %s %" PRIu64, text, i > 0 ? "," : "", statistics[i].name, statistics[i].value);
    return text;
}

// Two meshes as solids, where that says more than that their surfaces touch; NULL where it does not, or is not known.
static const char *solids_text(const query *q, const grz_summary *summary, const char *count, report *r)
{
    const char *a = q->meshes[0].file, *b = q->meshes[1].file;

    switch (summary->solids) {
    case GRZ_SOLIDS_TOUCHING:
        return report_format(r, "touching: %s and %s meet at %s, their insides are disjoint", a, b, count);
    case GRZ_SOLIDS_PENETRATING:
        return report_format(r, "penetrating: %s and %s meet at %s, their insides overlap", a, b, count);
    case GRZ_SOLIDS_A_INSIDE_B:
        return report_format(r, "inside: %s lies inside %s and touches it from within, at %s", a, b, count);
    case GRZ_SOLIDS_B_INSIDE_A:
        return report_format(r, "inside: %s lies inside %s and touches it from within, at %s", b, a, count);
    case GRZ_SOLIDS_SAME:
        return report_format(r, "same: %s and %s are the same solid; their surfaces meet at %s", a, b, count);
    case GRZ_SOLIDS_APART:
        return report_format(r,
                             "apart: as solids, %s and %s have no common point; only faces without area, or faces "
                             "that lie back to back, touch, at %s",
                             a, b, count);
    case GRZ_SOLIDS_NOT_ASKED:
    case GRZ_SOLIDS_UNDECIDABLE:
        break;
    }
    return NULL;
}

static const char *touching_text(const query *q, const grz_summary *summary, report *r)
{
    const char *a = q->meshes[0].file, *b = q->meshes[1].file;

    if (summary->certainty == GRZ_DISCRETE && !summary->pairs_listed)
        return report_format(r, "colliding: %s and %s touch%s", a, b, counted_text(q, r));
    const char *count = q->listed ? describe_count(r, summary->pair_count, "pair of faces", "pairs of faces")
                                  : describe_over_limit(r, q->given);
    const char *solids = solids_text(q, summary, count, r);
    if (solids != NULL)
        return solids;
    return q->mesh_count == 1 ? report_format(r, "colliding: %s touches itself at %s", a, count)
                              : report_format(r, "colliding: %s and %s touch at %s", a, b, count);
}

static const char *relation_text(const query *q, const grz_summary *summary, report *r)
{
    const char *a = q->meshes[0].file;
    const char *b = q->meshes[1].file; // NULL for one mesh, whose only relations are colliding and apart

    // A surface inside the other solid whose own solid is not: the other one has a cavity there.
    if (summary->solids == GRZ_SOLIDS_PENETRATING &&
        (summary->relation == GRZ_A_INSIDE_B || summary->relation == GRZ_B_INSIDE_A)) {
        const bool swapped = summary->relation == GRZ_B_INSIDE_A;
        return report_format(r,
                             "penetrating: the surface of %s lies inside %s and does not touch it, but fills a cavity",
                             swapped ? b : a, swapped ? a : b);
    }
    switch (summary->relation) {
    case GRZ_COLLIDING:
        return touching_text(q, summary, r);
    case GRZ_OVERLAPPING:
        return report_format(r, "overlapping: %s and %s do not touch, but a part of one lies inside the other", a, b);
    case GRZ_A_INSIDE_B:
        return report_format(r, "inside: %s lies inside %s and does not touch it", a, b);
    case GRZ_B_INSIDE_A:
        return report_format(r, "inside: %s lies inside %s and does not touch it", b, a);
    case GRZ_APART:
        break;
    }
    if (q->mesh_count == 1)
        return report_format(r, "apart: %s does not touch itself", a);
    return report_format(r, "apart: %s and %s do not touch%s", a, b,
                         summary->containment == GRZ_CONTAINMENT_DECIDED ? ", and neither lies inside the other" : "");
}

// Why it cannot be decided whether one mesh is inside the other: which mesh is open, and by how much.
static const char *open_text(const query *q, const grz_summary *summary, report *r)
{
    const char *text = NULL;

    for (size_t i = 0; i < q->mesh_count && summary->certainty == GRZ_EXACT; i++) {
        const grz_mesh_report *mesh = &q->meshes[i].report;
        if (mesh->closed)
            continue;
        const char *edges = mesh->boundary_edges > 0
                                ? describe_count(r, mesh->boundary_edges, "boundary edge", "boundary edges")
                                : "an edge joins an odd number of faces";
        text = report_format(r, "%s%s%s is open (%s)", text != NULL ? text : "", text != NULL ? ", " : "",
                             q->meshes[i].file, edges);
    }
    if (text != NULL)
        return text;
    return summary->reason != NULL ? summary->reason : "no reason is given";
}

// Two that overlap no deeper than is allowed count as touching.
static clearance_facts clearance_facts_of(const query *q, const grz_summary *summary)
{
    clearance_facts facts = clearance_of_summary(q->given, summary, q->listed);
    clearance_excuse(&facts, overlap_is_excused(q->given, &q->overlap, facts.solids));
    return facts;
}

// The tone says what the exit status says.
static report_tone tone_of(const query *q, const grz_summary *summary)
{
    if (overlap_judge(q->given, &q->overlap) == OVERLAP_NOT_JUDGED)
        return describe_tone(q->given, summary);
    return overlap_tone(query_exit_status(q->given, summary, &q->overlap));
}

static void describe_verdict(const query *q, const grz_summary *summary, report *r)
{
    if (summary->certainty == GRZ_UNDECIDED) {
        report_verdict(r, TONE_UNDECIDED, "undecided: %s",
                       summary->reason != NULL ? summary->reason : "no reason is given");
        return;
    }
    report_verdict(r, tone_of(q, summary), "%s%s", relation_text(q, summary, r), describe_certainty(summary));
    if (summary->containment == GRZ_CONTAINMENT_UNDECIDABLE)
        report_line(r, r->lines, LINE_WARNING, NULL, "cannot decide whether one lies inside the other: %s",
                    open_text(q, summary, r));
    // Of open meshes a line below says that they are open.
    if (summary->solids == GRZ_SOLIDS_UNDECIDABLE && summary->relation == GRZ_COLLIDING && q->meshes[0].report.closed &&
        q->meshes[1].report.closed && (q->given->flags & OPTION_ALLOW_TOUCHING) == 0)
        report_line(r, r->lines, LINE_WARNING, NULL, "cannot decide whether they penetrate: %s",
                    q->listed ? summary->solids_reason : describe_over_limit(r, q->given));
    if (overlap_judge(q->given, &q->overlap) == OVERLAP_NOT_JUDGED)
        describe_allowance(r, q->given, summary, q->listed);
    overlap_describe(q->given, &q->overlap, r);
    const clearance_facts facts = clearance_facts_of(q, summary);
    clearance_describe(q->given, &facts, r);
    describe_rules(q, r);
}

static void add_pair_line(const void *source, uint64_t index, report *r, report_value *into)
{
    const grz_pair *pair = (const grz_pair *)source + index;

    report_line(r, into, LINE_ITEM, NULL, "pair %" PRIu32 " %" PRIu32 " %s", pair->face_a, pair->face_b,
                describe_kind(pair->kind));
}

static void add_point_line(const void *source, uint64_t index, report *r, report_value *into)
{
    const double *point = (const double *)source + index * 3;
    char x[NUMBER_SIZE], y[NUMBER_SIZE], z[NUMBER_SIZE];

    report_line(r, into, LINE_ITEM, NULL, "%s %s %s", number_shortest(point[0], x), number_shortest(point[1], y),
                number_shortest(point[2], z));
}

static void add_curve_lines(const void *source, uint64_t index, report *r, report_value *into)
{
    const grz_result *result = source;
    uint64_t count;
    const grz_curve *curve = grz_result_curves(result, &count) + index;
    const double *points = grz_result_curve_points(result, &count);

    report_line(r, into, LINE_ITEM, NULL, "curve %" PRIu64 ": %s", index + 1,
                describe_count(r, curve->point_count, "point", curve->closed ? "points, closed" : "points, open"));
    report_put_rows(r, into, NULL, curve->point_count, points + curve->first_point * 3, add_point_line);
}

static void describe_lists(const query *q, report *r)
{
    uint64_t count;

    if (!q->listed)
        return;
    if ((q->given->flags & OPTION_PAIRS) != 0) {
        const grz_pair *pairs = grz_result_pairs(q->result, &count);
        report_put_rows(r, r->lines, NULL, count, pairs, add_pair_line);
        const grz_pair *near = grz_result_near_pairs(q->result, &count);
        report_put_rows(r, r->lines, NULL, count, near, add_pair_line);
    }
    if ((q->given->flags & OPTION_CURVES) != 0) {
        (void)grz_result_curves(q->result, &count);
        report_put_rows(r, r->lines, NULL, count, q->result, add_curve_lines);
    }
}

static void describe_for_people(const query *q, const grz_summary *summary, report *r)
{
    const char *closed = "";
    double min[3], max[3];

    describe_verdict(q, summary, r);
    if (q->listed && summary->pair_count > 0)
        describe_kinds(r, summary->kinds);
    if (find_region(q, min, max))
        describe_box(r, "region", min, max);
    for (size_t i = 0; i < q->mesh_count; i++)
        closed = report_format(r, "%s%s%s %s", closed, i > 0 ? ", " : "", q->meshes[i].file,
                               q->meshes[i].report.closed ? "yes" : "no");
    report_line(r, r->lines, LINE_FACT, "closed", "%s", closed);
    describe_meshes(q, r);
    describe_times(r, &q->measured, summary);
    describe_lists(q, r);
}

// ---- for programs

static void add_pair(const void *source, uint64_t index, report *r, report_value *into)
{
    const grz_pair *pair = (const grz_pair *)source + index;
    report_value *faces = report_put_list(r, into, NULL);

    report_put_count(r, faces, NULL, pair->face_a);
    report_put_count(r, faces, NULL, pair->face_b);
}

static void add_point(const void *source, uint64_t index, report *r, report_value *into)
{
    put_point(r, into, NULL, (const double *)source + index * 3);
}

static void add_curve(const void *source, uint64_t index, report *r, report_value *into)
{
    const grz_result *result = source;
    uint64_t count;
    const grz_curve *curve = grz_result_curves(result, &count) + index;
    const double *points = grz_result_curve_points(result, &count);

    report_put_rows(r, into, NULL, curve->point_count, points + curve->first_point * 3, add_point);
}

static void put_lists(const query *q, report *r)
{
    uint64_t count;

    if (has_pairs(q) && (q->given->flags & OPTION_PAIRS) != 0) {
        const grz_pair *pairs = grz_result_pairs(q->result, &count);
        report_put_rows(r, r->members, "pairs", count, pairs, add_pair);
    } else {
        report_put_null(r, r->members, "pairs");
    }
    if (has_pairs(q) && (q->given->flags & OPTION_CURVES) != 0) {
        (void)grz_result_curves(q->result, &count);
        report_put_rows(r, r->members, "curves", count, q->result, add_curve);
    } else {
        report_put_null(r, r->members, "curves");
    }
}

// Whether two meshes keep the clearance, and what is nearer.
static void put_clearance(const query *q, const grz_summary *summary, report *r)
{
    const bool asked = (q->given->flags & OPTION_CLEARANCE) != 0, counted = asked && q->listed;
    const clearance_facts facts = clearance_facts_of(q, summary);
    uint64_t count;
    const grz_pair *near = grz_result_near_pairs(q->result, &count);

    clearance_put(q->given, &facts, r, r->members);
    if (counted)
        report_put_count(r, r->members, "near_count", summary->near_count);
    else
        report_put_null(r, r->members, "near_count");
    if (counted && (q->given->flags & OPTION_PAIRS) != 0)
        report_put_rows(r, r->members, "near", count, near, add_pair);
    else
        report_put_null(r, r->members, "near");
}

void describe_meshes(const query *q, report *r)
{
    for (size_t i = 0; i < q->mesh_count; i++)
        describe_file(r, q->given, &q->meshes[i].facts);
}

void describe_rules(const query *q, report *r)
{
    if (q->given->rule != GRZ_INSIDE_AUTO) {
        describe_rule(r, q->given);
        return;
    }
    for (size_t i = 0; i < q->mesh_count; i++)
        report_line(r, r->lines, LINE_FACT, "rule", "%s for %s: it %s", rule_name(q->rules[i]), q->meshes[i].file,
                    q->rules[i] == GRZ_NONZERO    ? "meets itself and is wound consistently"
                    : !q->meshes[i].report.closed ? "is open"
                    : !q->balanced[i]             ? "is not wound consistently"
                                                  : "does not meet itself");
}

void put_meshes(const query *q, report *r)
{
    report_value *list = report_put_list(r, r->members, "meshes");

    for (size_t i = 0; i < q->mesh_count; i++) {
        const grz_mesh_report *of = &q->meshes[i].report;
        report_value *mesh = report_put_object(r, list, NULL);
        report_put_name(r, mesh, "file", "file_bytes", q->meshes[i].file);
        report_put_count(r, mesh, "vertices", of->vertices);
        report_put_count(r, mesh, "faces", of->faces);
        report_put_count(r, mesh, "triangles", of->triangles);
        report_put_bool(r, mesh, "closed", of->closed);
        if (q->ruled)
            report_put_text(r, mesh, "rule", rule_name(q->rules[i]));
        else
            report_put_null(r, mesh, "rule");
        put_file_facts(r, mesh, q->given, &q->meshes[i].facts);
    }
}

static void put_resolution(const query *q, report *r)
{
    if (!grz_result_statistic(q->result, "resolution", NULL)) {
        report_put_null(r, r->members, "resolution");
        return;
    }
    report_value *resolution = report_put_list(r, r->members, "resolution");
    report_put_count(r, resolution, NULL, statistic(q, "resolution"));
    report_put_count(r, resolution, NULL, statistic(q, "resolution"));
    report_put_count(r, resolution, NULL, statistic(q, "slices"));
}

// How a discrete answer may err, and what its method counted.
static void put_discrete(const query *q, const grz_summary *summary, report *r)
{
    uint64_t cells;
    put_how_it_may_err(r, summary);
    put_resolution(q, r);
    if (grz_result_statistic(q->result, "cells", &cells))
        report_put_count(r, r->members, "cells", cells);
    else
        report_put_null(r, r->members, "cells");
    put_statistics(r, q->result);
}

static void describe_for_programs(const query *q, const grz_summary *summary, report *r)
{
    const bool pairs = has_pairs(q);
    double min[3], max[3];

    put_verdict(r, summary, q->listed ? NULL : describe_over_limit(r, q->given));
    report_put_text(r, r->members, "solids", describe_solids(summary->solids));
    report_put_text(r, r->members, "solids_reason", summary->solids_reason);
    if (pairs)
        report_put_count(r, r->members, "pair_count", summary->pair_count);
    else
        report_put_null(r, r->members, "pair_count");
    report_put_bool(r, r->members, "pairs_complete", pairs && summary->pairs_complete);
    if (pairs)
        put_kinds(r, r->members, summary->kinds);
    else
        report_put_null(r, r->members, "kinds");
    put_lists(q, r);
    put_clearance(q, summary, r);
    overlap_put(&q->overlap, r, r->members);
    if (find_region(q, min, max))
        put_box(r, "region", min, max);
    else
        report_put_null(r, r->members, "region");
    put_times(r, &q->measured, summary);
    put_meshes(q, r);
    if (summary->certainty == GRZ_DISCRETE)
        put_discrete(q, summary, r);
}

report describe_query(const query *q)
{
    const grz_summary *summary = grz_result_summary(q->result);
    report r = report_begin(q->given->command);

    describe_for_people(q, summary, &r);
    describe_for_programs(q, summary, &r);
    return r;
}

int deliver_query(const query *q)
{
    report r = describe_query(q);
    const int status = deliver(&r, q->given, query_exit_status(q->given, grz_result_summary(q->result), &q->overlap));

    report_finish(&r);
    return status;
}
