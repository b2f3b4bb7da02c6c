// SPDX-License-Identifier: MIT
// Turns a scene's answer into a report: how many pairs of objects touch, which, and of which pairs it cannot be decided
// whether one object is inside the other. There may be millions of pairs, so they are rows. In lines, names come last,
// because they may hold anything.

#include "answers/describe_scene.h"

#include "answers/describe_files.h"
#include "answers/describe_robots.h"
#include "answers/describe_summary.h"
#include "report/number.h"
#include "report/printable.h"
#include "verdicts/describe_overlap.h"
#include "verdicts/describe_scene_overlaps.h"
#include "verdicts/scene_status.h"

#include <inttypes.h>
#include <stdio.h>

// How many pairs of objects there are of each sort.
typedef struct scene_counts {
    uint64_t touching, holding, undecidable;
} scene_counts;

static scene_counts count_pairs(const scene_run *run)
{
    const grz_scene_pair *pairs = run->pairs;
    scene_counts counts = {0};

    for (size_t i = 0; i < run->pair_count; i++) {
        counts.touching += pairs[i].relation == GRZ_COLLIDING;
        counts.holding += pairs[i].relation != GRZ_COLLIDING && pairs[i].relation != GRZ_APART;
        counts.undecidable += pairs[i].containment == GRZ_CONTAINMENT_UNDECIDABLE;
    }
    return counts;
}

static const char *reason_text(const char *reason)
{
    return reason != NULL ? reason : "no reason is given";
}

// ---- for people

// What is said of pairs of which one object is inside the other.
static const char *holding_text(const scene_counts *counts, report *r)
{
    if (counts->holding == 0)
        return "";
    return report_format(r, "%s%s", counts->touching > 0 ? "; in " : ", but in ",
                         describe_count(r, counts->holding, "pair one lies inside the other, wholly or in part",
                                        "pairs one lies inside the other, wholly or in part"));
}

static const char *faces_text(const scene_run *run, report *r)
{
    return run->counted ? describe_count(r, run->summary.pair_count, "pair of faces", "pairs of faces")
                        : describe_over_limit(r, run->given);
}

// The verdict if only the pairs of one object were tested.
static const char *reference_text(const scene_run *run, const scene_counts *counts, report *r)
{
    const char *name = run->objects.names[run->reference];
    const size_t others = run->objects.count - 1;

    if (counts->touching > 0)
        return report_format(r, "colliding: %s touches %" PRIu64 " of %s, at %s", name, counts->touching,
                             describe_count(r, others, "other object", "other objects"), faces_text(run, r));
    return report_format(r, "%s: %s %s%s", counts->holding > 0 ? "overlapping" : "apart", name,
                         others == 1 ? "does not touch the other object"
                                     : report_format(r, "touches none of %zu other objects", others),
                         counts->holding == 0 && run->summary.containment != GRZ_CONTAINMENT_UNDECIDABLE
                             ? ", and is inside none, nor they inside it"
                             : "");
}

static const char *verdict_text(const scene_run *run, const scene_counts *counts, report *r)
{
    const grz_summary *summary = &run->summary;
    const size_t objects = run->objects.count;

    if (run->reference != GRZ_ALL_OBJECTS && objects > 1)
        return reference_text(run, counts, r);
    if (counts->touching > 0)
        return report_format(r, "colliding: among %zu objects, %s, at %s", objects,
                             describe_count(r, counts->touching, "pair touches", "pairs touch"), faces_text(run, r));
    if (counts->holding > 0)
        return report_format(r, "overlapping: of %zu objects none touches another", objects);
    if (objects == 1 && run->shells > 1)
        return report_format(r, "apart: %s is the only object, of %" PRIu32 " shells: nothing to compare",
                             run->objects.names[0], run->shells);
    if (objects == 1)
        return report_format(r, "apart: %s is the only object: nothing to compare", run->objects.names[0]);
    return report_format(r, "apart: of %zu objects none touches another%s", objects,
                         summary->containment != GRZ_CONTAINMENT_UNDECIDABLE ? ", and none lies inside another" : "");
}

static clearance_verdict worst_clearance(const scene_run *run)
{
    if (run->clearance_verdicts[CLEARANCE_NOT_MET] > 0)
        return CLEARANCE_NOT_MET;
    return run->clearance_verdicts[CLEARANCE_UNKNOWN] > 0 ? CLEARANCE_UNKNOWN : CLEARANCE_MET;
}

static report_tone verdict_tone(const scene_run *run)
{
    if ((run->given->flags & OPTION_DEEPER_THAN) != 0)
        return overlap_tone(scene_status(run));
    if ((run->given->flags & OPTION_CLEARANCE) != 0)
        return clearance_tone(worst_clearance(run));
    if ((run->given->flags & OPTION_ALLOW_TOUCHING) == 0)
        return run->summary.colliding ? TONE_TOUCHES : TONE_APART;
    if (run->allowances[ALLOWANCE_REFUSED] > 0)
        return TONE_TOUCHES;
    return run->allowances[ALLOWANCE_UNKNOWN] > 0 ? TONE_UNDECIDED : TONE_APART;
}

static void describe_verdict(const scene_run *run, report *r)
{
    const grz_summary *summary = &run->summary;
    const scene_counts counts = count_pairs(run);

    report_verdict(r, verdict_tone(run), "%s%s%s", verdict_text(run, &counts, r), holding_text(&counts, r),
                   describe_certainty(summary));
    // If no pair in particular is undecidable, none of the lines below says why.
    if (summary->containment == GRZ_CONTAINMENT_UNDECIDABLE && counts.undecidable == 0)
        report_line(r, r->lines, LINE_WARNING, NULL, "cannot decide whether one lies inside another: %s",
                    reason_text(summary->reason));
}

// "crossing 3, touching 1": only the kinds that there are.
static const char *kinds_text(const uint64_t kinds[GRZ_KIND_COUNT], report *r)
{
    static const grz_kind order[] = {GRZ_CROSSING, GRZ_TOUCHING, GRZ_COPLANAR};
    const char *text = "";

    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (kinds[order[i]] > 0)
            text = report_format(r, "%s%s%s %" PRIu64, text, *text != '\0' ? ", " : "", describe_kind(order[i]),
                                 kinds[order[i]]);
    return text;
}

// What is known of two objects that touch as solids, to stand behind the kinds.
static const char *solids_text(grz_solids solids)
{
    switch (solids) {
    case GRZ_SOLIDS_TOUCHING:
        return ", their insides are disjoint";
    case GRZ_SOLIDS_PENETRATING:
        return ", their insides overlap";
    case GRZ_SOLIDS_A_INSIDE_B:
        return ", the first lies inside the second";
    case GRZ_SOLIDS_B_INSIDE_A:
        return ", the second lies inside the first";
    case GRZ_SOLIDS_SAME:
        return ", they are the same solid";
    case GRZ_SOLIDS_APART:
    case GRZ_SOLIDS_NOT_ASKED:
    case GRZ_SOLIDS_UNDECIDABLE:
        break;
    }
    return "";
}

// The surface of one object lies inside another. If its solid does not, the other one has a cavity there.
static const char *inside_text(grz_solids solids, const char *inner, const char *outer, report *r)
{
    if (solids == GRZ_SOLIDS_PENETRATING)
        return report_format(r, "penetrating: the surface of %s lies inside %s, but fills a cavity", inner, outer);
    return report_format(r, "inside: %s lies inside %s", inner, outer);
}

static void add_pair_line(const void *source, uint64_t index, report *r, report_value *into)
{
    const scene_run *run = source;
    const grz_scene_pair *pair = &run->pairs[index];
    const char *a = run->objects.names[pair->a], *b = run->objects.names[pair->b], *text = NULL;

    if (scene_overlaps_hide(run, index))
        return;
    switch (pair->relation) {
    case GRZ_COLLIDING:
        if (run->counted)
            text = report_format(r, "touch at %s (%s)%s: %s and %s",
                                 describe_count(r, pair->pair_count, "pair of faces", "pairs of faces"),
                                 kinds_text(pair->kinds, r), solids_text(run->solids[index].solids), a, b);
        else
            text = report_format(r, "touch: %s and %s", a, b);
        break;
    case GRZ_OVERLAPPING:
        text = report_format(r, "overlapping, a part of one lies inside the other: %s and %s", a, b);
        break;
    case GRZ_A_INSIDE_B:
        text = inside_text(run->solids[index].solids, a, b, r);
        break;
    case GRZ_B_INSIDE_A:
        text = inside_text(run->solids[index].solids, b, a, r);
        break;
    case GRZ_APART:
        if (!scene_pair_is_near(run, index))
            return;
        text = report_format(r, "near%s: %s and %s",
                             run->counted ? report_format(r, " at %s",
                                                          describe_count(r, run->clearances[index].near_count,
                                                                         "pair of faces", "pairs of faces"))
                                          : "",
                             a, b);
        break;
    }
    report_line(r, into, LINE_FACT, "pair", "%" PRIu32 " %" PRIu32 " %s%s", pair->a, pair->b,
                scene_overlaps_text(run, index, r), text);
    scene_overlaps_describe_pair(run, index, r, into);
}

// The faces of a pair of objects that touch, with --pairs.
static bool lists_faces(const scene_run *run)
{
    return (run->given->flags & OPTION_PAIRS) != 0 && run->counted && run->summary.pairs_listed;
}

static void add_face_line(const void *source, uint64_t index, report *r, report_value *into)
{
    const grz_pair *faces = (const grz_pair *)source + index;

    report_line(r, into, LINE_ITEM, NULL, "pair %" PRIu32 " %" PRIu32 " %s", faces->face_a, faces->face_b,
                describe_kind(faces->kind));
}

static void add_faces_of_pair(const void *source, uint64_t index, report *r, report_value *into)
{
    const scene_run *run = source;
    const grz_scene_pair *pair = &run->pairs[index];
    const uint64_t near = run->clearances != NULL ? run->clearances[index].near_count : 0;
    uint64_t count;

    if (pair->pair_count > 0) {
        report_line(r, into, LINE_ITEM, NULL, "objects %" PRIu32 " %" PRIu32 ": %s", pair->a, pair->b,
                    describe_count(r, pair->pair_count, "pair of faces", "pairs of faces"));
        report_put_rows(r, into, NULL, pair->pair_count, grz_result_pairs(run->result, &count) + pair->first_pair,
                        add_face_line);
    }
    if (near > 0) {
        report_line(r, into, LINE_ITEM, NULL, "objects %" PRIu32 " %" PRIu32 ": %s", pair->a, pair->b,
                    describe_count(r, near, "near pair of faces", "near pairs of faces"));
        report_put_rows(r, into, NULL, near, scene_near(run, index), add_face_line);
    }
}

static void add_excluded_line(const void *source, uint64_t index, report *r, report_value *into)
{
    const scene_run *run = source;
    const exclusion *pair = &run->excluded.items[index];

    report_line(r, into, LINE_FACT, "excluded", "%" PRIu32 " %" PRIu32 " %s: %s and %s", pair->a, pair->b,
                run->excluded.whys[pair->why], run->objects.names[pair->a], run->objects.names[pair->b]);
}

// Which pairs were asked for and tested, where that is not all of them.
static void describe_scope(const scene_run *run, report *r)
{
    const size_t excluded = run->excluded.count;

    if ((run->given->flags & OPTIONS_EXCLUDE) == 0 && excluded == 0)
        return;
    report_line(r, r->lines, LINE_FACT, "scope", "%s of objects, %" PRIu64 " tested, %zu excluded",
                describe_count(r, run->asked, "pair", "pairs"), run->asked - excluded, excluded);
    report_put_rows(r, r->lines, NULL, excluded, run, add_excluded_line);
}

static void add_undecidable_line(const void *source, uint64_t index, report *r, report_value *into)
{
    const scene_run *run = source;
    const grz_scene_pair *pair = &run->pairs[index];

    if (pair->containment == GRZ_CONTAINMENT_UNDECIDABLE)
        report_line(r, into, LINE_WARNING, "unknown", "%" PRIu32 " %" PRIu32 " %s; A is %s, B is %s", pair->a, pair->b,
                    reason_text(pair->reason), run->objects.names[pair->a], run->objects.names[pair->b]);
}

static void add_unclassified_line(const void *source, uint64_t index, report *r, report_value *into)
{
    const scene_run *run = source;
    const grz_scene_pair *pair = &run->pairs[index];

    if ((pair->relation == GRZ_COLLIDING ||
         (pair->relation != GRZ_APART && (run->given->flags & OPTION_ALLOW_TOUCHING) != 0)) &&
        run->solids[index].solids == GRZ_SOLIDS_UNDECIDABLE && run->overlaps == NULL)
        report_line(r, into, LINE_WARNING, "unknown",
                    "%" PRIu32 " %" PRIu32 " cannot decide whether they penetrate: %s; A is %s, B is %s", pair->a,
                    pair->b, reason_text(run->solids[index].reason), run->objects.names[pair->a],
                    run->objects.names[pair->b]);
}

// What --allow-touching makes of the pairs.
static void describe_allowances(const scene_run *run, report *r)
{
    const size_t refused = run->allowances[ALLOWANCE_REFUSED], unknown = run->allowances[ALLOWANCE_UNKNOWN];

    if ((run->given->flags & OPTION_ALLOW_TOUCHING) == 0)
        return;
    if (run->allowances[ALLOWANCE_FINE] > 0)
        report_line(r, r->lines, LINE_FACT, "allowed", "%s",
                    describe_count(r, run->allowances[ALLOWANCE_FINE], "pair only touches", "pairs only touch"));
    if (refused > 0)
        report_line(r, r->lines, LINE_FACT, "refused", "%s",
                    describe_count(r, refused, "pair does more than touch", "pairs do more than touch"));
    if (unknown > 0)
        report_line(r, r->lines, LINE_WARNING, "unknown", "%s%s",
                    describe_count(r, unknown, "pair, of which it cannot be decided whether it only touches",
                                   "pairs, of which it cannot be decided whether they only touch"),
                    run->counted ? "" : report_format(r, ": %s", describe_over_limit(r, run->given)));
    if (run->open != NULL)
        report_line(r, r->lines, LINE_WARNING, "unknown", "an object is open, so it has no inside: %s", run->open);
}

// How the pairs stand to the clearance.
static void describe_clearances(const scene_run *run, report *r)
{
    const size_t *verdicts = run->clearance_verdicts;
    const char *excused = "", *tolerance = clearance_tolerance_text(run->given, r);
    char required[NUMBER_SIZE + 1], number[NUMBER_SIZE];

    if ((run->given->flags & OPTION_CLEARANCE) == 0)
        return;
    if (run->clear_lengths.pairs.count > 0)
        snprintf(required, sizeof required, "s");
    else
        snprintf(required, sizeof required, " %s", number_shortest(run->given->clearance, number));
    if (run->asked == 0) {
        report_line(r, r->lines, LINE_FACT, NULL, "clearance%s: nothing to compare", required);
        return;
    }
    if (verdicts[CLEARANCE_EXCUSED] > 0)
        excused =
            report_format(r, ", but for %s",
                          describe_count(r, verdicts[CLEARANCE_EXCUSED], "pair that only touches, which is allowed",
                                         "pairs that only touch, which is allowed"));
    if (verdicts[CLEARANCE_NOT_MET] > 0)
        report_line(r, r->lines, LINE_FACT, NULL, "clearance%s%s: not met by %s", required, tolerance,
                    describe_count(r, verdicts[CLEARANCE_NOT_MET], "pair", "pairs"));
    if (verdicts[CLEARANCE_UNKNOWN] > 0)
        report_line(r, r->lines, LINE_WARNING, NULL, "clearance%s%s: cannot be decided for %s", required, tolerance,
                    describe_count(r, verdicts[CLEARANCE_UNKNOWN], "pair", "pairs"));
    if (verdicts[CLEARANCE_NOT_MET] + verdicts[CLEARANCE_UNKNOWN] == 0)
        report_line(r, r->lines, LINE_FACT, NULL, "clearance%s%s: met by all pairs, proved%s", required, tolerance,
                    excused);
}

static size_t count_nonzero(const scene_run *run)
{
    size_t count = 0;

    for (size_t i = 0; i < run->objects.count && run->nonzero != NULL; i++)
        count += run->nonzero[i];
    return count;
}

static void describe_rules_of_objects(const scene_run *run, report *r)
{
    const size_t count = count_nonzero(run);

    if (run->given->rule != GRZ_INSIDE_AUTO)
        describe_rule(r, run->given);
    else if (count == 0)
        report_line(r, r->lines, LINE_FACT, "rule", "even-odd: no object meets itself and is wound consistently");
    else
        report_line(r, r->lines, LINE_FACT, "rule",
                    "nonzero for %zu of %s, meeting themselves and wound consistently; else even-odd", count,
                    describe_count(r, run->objects.count, "object", "objects"));
}

// With --rule auto: the objects whose rule is nonzero.
static void put_rules(const scene_run *run, report *r)
{
    report_put_text(r, r->members, "rule", rule_name(run->given->rule));
    if (run->nonzero == NULL) {
        report_put_null(r, r->members, "nonzero_objects");
        return;
    }
    report_value *list = report_put_list(r, r->members, "nonzero_objects");
    for (size_t i = 0; i < run->objects.count; i++)
        if (run->nonzero[i])
            report_put_count(r, list, NULL, i);
}

static void describe_for_people(const scene_run *run, report *r)
{
    describe_verdict(run, r);
    describe_rules_of_objects(run, r);
    scene_overlaps_describe(run, r);
    describe_clearances(run, r);
    describe_allowances(run, r);
    if (run->counted && run->summary.pair_count > 0)
        describe_kinds(r, run->summary.kinds);
    report_put_rows(r, r->lines, NULL, run->pair_count, run, add_pair_line);
    report_put_rows(r, r->lines, NULL, run->pair_count, run, add_undecidable_line);
    report_put_rows(r, r->lines, NULL, run->pair_count, run, add_unclassified_line);
    describe_robots(run, r);
    describe_scope(run, r);
    report_line(r, r->lines, LINE_FACT, "objects", "%zu, of %s, from %s", run->objects.count,
                describe_count(r, run->objects.mesh_count, "mesh", "meshes"),
                describe_count(r, run->given->file_count, "file", "files"));
    for (size_t i = 0; i < run->objects.fact_count; i++)
        describe_file(r, run->given, &run->objects.facts[i]);
    if (run->shells > 1)
        report_line(r, r->lines, LINE_WARNING, "shells", "%" PRIu32 ": --split tests them against each other",
                    run->shells);
    describe_times(r, &run->measured, &run->summary);
    if (lists_faces(run))
        report_put_rows(r, r->lines, NULL, run->pair_count, run, add_faces_of_pair);
}

// ---- for programs

static void add_name(const void *source, uint64_t index, report *r, report_value *into)
{
    const scene_run *run = source;

    report_put_text(r, into, NULL, run->objects.names[index]);
}

static void add_name_bytes(const void *source, uint64_t index, report *r, report_value *into)
{
    const scene_run *run = source;

    report_put_name_bytes(r, into, NULL, run->objects.names[index]);
}

static void add_faces(const void *source, uint64_t index, report *r, report_value *into)
{
    const grz_pair *pair = (const grz_pair *)source + index;
    report_value *faces = report_put_list(r, into, NULL);

    report_put_count(r, faces, NULL, pair->face_a);
    report_put_count(r, faces, NULL, pair->face_b);
}

static void put_face_pairs(const scene_run *run, const grz_scene_pair *pair, report *r, report_value *object)
{
    uint64_t count;

    if (lists_faces(run))
        report_put_rows(r, object, "face_pairs", pair->pair_count,
                        grz_result_pairs(run->result, &count) + pair->first_pair, add_faces);
    else
        report_put_null(r, object, "face_pairs");
}

static void put_pair_clearance(const scene_run *run, uint64_t index, report *r, report_value *object)
{
    const clearance_facts facts = scene_facts(run, index);

    clearance_put(run->given, &facts, r, object);
    if (run->clearances != NULL && run->counted)
        report_put_count(r, object, "near_count", facts.near_count);
    else
        report_put_null(r, object, "near_count");
    if (run->clearances != NULL && lists_faces(run))
        report_put_rows(r, object, "near", facts.near_count, scene_near(run, index), add_faces);
    else
        report_put_null(r, object, "near");
}

static void add_pair(const void *source, uint64_t index, report *r, report_value *into)
{
    const scene_run *run = source;
    const grz_scene_pair *pair = &run->pairs[index];

    if (pair->relation == GRZ_APART && !scene_pair_is_near(run, index))
        return;
    report_value *object = report_put_object(r, into, NULL);
    report_put_count(r, object, "a", pair->a);
    report_put_count(r, object, "b", pair->b);
    report_put_text(r, object, "relation", describe_relation(pair->relation));
    report_put_text(r, object, "solids", describe_solids(run->solids[index].solids));
    report_put_text(r, object, "solids_reason", run->solids[index].reason);
    if (run->counted) {
        report_put_count(r, object, "pair_count", pair->pair_count);
        put_kinds(r, object, pair->kinds);
    } else {
        report_put_null(r, object, "pair_count");
        report_put_null(r, object, "kinds");
    }
    put_face_pairs(run, pair, r, object);
    put_pair_clearance(run, index, r, object);
    overlap_put(run->overlaps != NULL ? &run->overlaps[index] : NULL, r, object);
}

static void add_excluded(const void *source, uint64_t index, report *r, report_value *into)
{
    const scene_run *run = source;
    const exclusion *pair = &run->excluded.items[index];
    report_value *object = report_put_object(r, into, NULL);

    report_put_count(r, object, "a", pair->a);
    report_put_count(r, object, "b", pair->b);
    report_put_text(r, object, "why", run->excluded.whys[pair->why]);
}

static void put_scope(const scene_run *run, report *r)
{
    report_value *scope = report_put_object(r, r->members, "scope");

    report_put_count(r, scope, "asked", run->asked);
    report_put_count(r, scope, "tested", run->asked - run->excluded.count);
    report_value *rows = report_put_rows(r, scope, "excluded", run->excluded.count, run, add_excluded);
    if (rows != NULL)
        rows->one_a_line = true;
}

static void add_undecidable(const void *source, uint64_t index, report *r, report_value *into)
{
    const scene_run *run = source;
    const grz_scene_pair *pair = &run->pairs[index];

    if (pair->containment != GRZ_CONTAINMENT_UNDECIDABLE)
        return;
    report_value *object = report_put_object(r, into, NULL);
    report_put_count(r, object, "a", pair->a);
    report_put_count(r, object, "b", pair->b);
    report_put_text(r, object, "reason", pair->reason != NULL ? pair->reason : "");
}

static void put_rows(report *r, const char *key, uint64_t count, const scene_run *run, report_make_row *make)
{
    report_value *rows = report_put_rows(r, r->members, key, count, run, make);

    if (rows != NULL)
        rows->one_a_line = true;
}

// Whether all pairs keep the clearance.
static void put_whole_clearance(const scene_run *run, report *r)
{
    const clearance_verdict worst = worst_clearance(run);

    if ((run->given->flags & OPTION_CLEARANCE) == 0) {
        report_put_null(r, r->members, "clearance");
        return;
    }
    report_value *clearance = report_put_object(r, r->members, "clearance");
    if (run->given->all_clear)
        report_put_real(r, clearance, "required", run->given->clearance);
    else
        report_put_null(r, clearance, "required");
    report_put_real(r, clearance, "tolerance", run->given->clearance_tolerance);
    if (worst == CLEARANCE_UNKNOWN)
        report_put_null(r, clearance, "met");
    else
        report_put_bool(r, clearance, "met", worst == CLEARANCE_MET && run->clearance_verdicts[CLEARANCE_EXCUSED] == 0);
}

static bool all_names_are_utf8(const scene_run *run)
{
    for (size_t i = 0; i < run->objects.count; i++)
        if (!printable_is_utf8(run->objects.names[i]))
            return false;
    return true;
}

static void put_files(const scene_run *run, report *r)
{
    report_value *list = report_put_list(r, r->members, "files");
    for (size_t i = 0; i < run->objects.fact_count; i++) {
        report_value *file = report_put_object(r, list, NULL);
        report_put_name(r, file, "file", "file_bytes", run->objects.facts[i].file);
        put_file_facts(r, file, run->given, &run->objects.facts[i]);
    }
}

static void describe_for_programs(const scene_run *run, report *r)
{
    const grz_summary *summary = &run->summary;

    put_verdict(r, summary,
                run->asked == 0 ? "nothing to compare"
                : run->counted  ? NULL
                                : describe_over_limit(r, run->given));
    if (run->counted) {
        report_put_count(r, r->members, "pair_count", summary->pair_count);
        put_kinds(r, r->members, summary->kinds);
    } else {
        report_put_null(r, r->members, "pair_count");
        report_put_null(r, r->members, "kinds");
    }
    put_times(r, &run->measured, summary);
    report_put_count(r, r->members, "mesh_count", run->objects.mesh_count);
    put_rows(r, "objects", run->objects.count, run, add_name);
    if (all_names_are_utf8(run))
        report_put_null(r, r->members, "object_bytes");
    else
        put_rows(r, "object_bytes", run->objects.count, run, add_name_bytes);
    put_rules(run, r);
    if (run->shells > 0)
        report_put_count(r, r->members, "shells", run->shells);
    else
        report_put_null(r, r->members, "shells");
    if (run->reference != GRZ_ALL_OBJECTS)
        report_put_count(r, r->members, "reference", run->reference);
    else
        report_put_null(r, r->members, "reference");
    put_whole_clearance(run, r);
    scene_overlaps_put(run, r);
    put_scope(run, r);
    put_rows(r, "pairs", run->pair_count, run, add_pair);
    put_rows(r, "undecidable", run->pair_count, run, add_undecidable);
    put_notes(run, r);
    put_files(run, r);
    if (summary->certainty == GRZ_DISCRETE) {
        put_how_it_may_err(r, summary);
        if (run->counted)
            put_statistics(r, run->result);
        else
            report_put_null(r, r->members, "statistics");
    }
}

report describe_scene(const scene_run *run)
{
    report r = report_begin(run->given->command);

    describe_for_people(run, &r);
    describe_for_programs(run, &r);
    return r;
}
