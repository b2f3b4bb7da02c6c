// SPDX-License-Identifier: MIT
// Pairs within what is allowed are counted, and listed with --verbose; all others have their lines.
#include "verdicts/describe_scene_overlaps.h"

#include "answers/describe_summary.h"
#include "report/number.h"
#include "verdicts/describe_overlap.h"

#include <inttypes.h>
#include <stdlib.h>

static overlap_verdict verdict_of(const scene_run *run, size_t pair)
{
    return run->overlaps != NULL ? overlap_judge(run->given, &run->overlaps[pair]) : OVERLAP_NOT_JUDGED;
}

// "0.001", or what to say where pairs have depths of their own.
static const char *limit_text(const scene_run *run, report *r)
{
    char limit[NUMBER_SIZE];

    if (run->deep_lengths.pairs.count > 0)
        return "allowed";
    return report_format(r, "%s", number_shortest(run->given->deeper_than, limit));
}

// All objects that are thinner than their depth, in one line.
static void describe_thin(const scene_run *run, report *r)
{
    const char *names = "";

    for (size_t i = 0; run->thin != NULL && i < run->objects.count; i++)
        if (run->thin[i])
            names = report_format(r, "%s%s%s", names, *names != '\0' ? ", " : "", run->objects.names[i]);
    if (*names != '\0')
        report_line(r, r->lines, LINE_WARNING, "thin",
                    "thinner than what is allowed, so all of it may lie in another: %s", names);
}

void scene_overlaps_describe(const scene_run *run, report *r)
{
    const size_t *verdicts = run->overlap_verdicts;
    const char *limit = limit_text(run, r);

    if ((run->given->flags & OPTION_DEEPER_THAN) == 0)
        return;
    if (run->asked == 0) {
        report_line(r, r->lines, LINE_FACT, NULL, "deeper than %s: nothing to compare", limit);
        return;
    }
    report_line(r, r->lines, LINE_FACT, NULL, "deeper than %s: %s%s", limit,
                verdicts[OVERLAP_DEEPER] > 0 ? describe_count(r, verdicts[OVERLAP_DEEPER], "pair", "pairs") : "none",
                verdicts[OVERLAP_UNKNOWN] == 0 || verdicts[OVERLAP_DEEPER] > 0 ? ", proved" : " that is known");
    if (verdicts[OVERLAP_UNKNOWN] > 0)
        report_line(r, r->lines, LINE_WARNING, NULL, "deeper than %s: cannot be decided for %s", limit,
                    describe_count(r, verdicts[OVERLAP_UNKNOWN], "pair", "pairs"));
    if (verdicts[OVERLAP_WITHIN] > 0)
        report_line(r, r->lines, LINE_FACT, NULL, "within tolerance: %s, proved%s",
                    describe_count(r, verdicts[OVERLAP_WITHIN], "pair", "pairs"),
                    (run->given->flags & OPTION_VERBOSE) == 0 ? " (--verbose lists them)" : "");
    if (verdicts[OVERLAP_REPORTED] > 0)
        report_line(r, r->lines, LINE_WARNING, NULL, "open meshes, whose overlap has no depth: %s",
                    describe_count(r, verdicts[OVERLAP_REPORTED], "pair", "pairs"));
    describe_thin(run, r);
}

bool scene_overlaps_hide(const scene_run *run, size_t pair)
{
    const grz_solids solids = run->solids[pair].solids;
    const grz_relation relation = run->pairs[pair].relation;
    const bool nested = solids == GRZ_SOLIDS_SAME || solids == GRZ_SOLIDS_A_INSIDE_B ||
                        solids == GRZ_SOLIDS_B_INSIDE_A || (relation != GRZ_APART && relation != GRZ_COLLIDING);
    return verdict_of(run, pair) == OVERLAP_WITHIN && !nested && (run->given->flags & OPTION_VERBOSE) == 0;
}

const char *scene_overlaps_text(const scene_run *run, size_t pair, report *r)
{
    const overlap_facts *overlap = run->overlaps != NULL ? &run->overlaps[pair] : NULL;
    char limit[NUMBER_SIZE];

    if (overlap == NULL || !overlap->asked)
        return "";
    switch (verdict_of(run, pair)) {
    case OVERLAP_DEEPER:
        return report_format(r, "deeper than %s: %s; ", number_shortest(overlap->limit, limit),
                             overlap_text(overlap, r));
    case OVERLAP_WITHIN:
        return report_format(r, "not deeper than %s: %s; ", number_shortest(overlap->limit, limit),
                             overlap_text(overlap, r));
    case OVERLAP_REPORTED:
    case OVERLAP_UNKNOWN:
        return ""; // a line of its own says why
    case OVERLAP_NOT_JUDGED:
    case OVERLAP_VERDICT_COUNT:
        break;
    }
    return overlap->answer.reason == NULL ? report_format(r, "%s; ", overlap_text(overlap, r)) : "";
}

void scene_overlaps_describe_pair(const scene_run *run, size_t pair, report *r, report_value *into)
{
    const overlap_facts *overlap = run->overlaps != NULL ? &run->overlaps[pair] : NULL;
    const uint32_t a = run->pairs[pair].a, b = run->pairs[pair].b;
    const overlap_verdict verdict = verdict_of(run, pair);

    if (overlap == NULL || !overlap->asked)
        return;
    overlap_describe_parts(overlap, r, into);
    if (verdict == OVERLAP_UNKNOWN || verdict == OVERLAP_REPORTED || overlap->answer.reason != NULL)
        report_line(r, into, LINE_WARNING, verdict == OVERLAP_REPORTED ? "open" : "unknown",
                    "%" PRIu32 " %" PRIu32 " %s%s%s; A is %s, B is %s", a, b,
                    verdict == OVERLAP_UNKNOWN ? "cannot decide whether they overlap deeper than allowed: " : "",
                    overlap_reason(overlap, r), overlap_bounds_text(overlap, r), run->objects.names[a],
                    run->objects.names[b]);
}

// For programs: the numbers of the objects that are thin.
static void add_thin(const void *source, uint64_t index, report *r, report_value *into)
{
    const scene_run *run = source;

    if (run->thin[index])
        report_put_count(r, into, NULL, index);
}

void scene_overlaps_put(const scene_run *run, report *r)
{
    const size_t *verdicts = run->overlap_verdicts;
    const bool asked = (run->given->flags & OPTION_DEEPER_THAN) != 0;

    if (!asked || (verdicts[OVERLAP_DEEPER] == 0 && verdicts[OVERLAP_UNKNOWN] > 0))
        report_put_null(r, r->members, "deeper");
    else
        report_put_bool(r, r->members, "deeper", verdicts[OVERLAP_DEEPER] > 0);
    if (run->thin != NULL)
        report_put_rows(r, r->members, "thin", run->objects.count, run, add_thin);
    else
        report_put_null(r, r->members, "thin");
}
