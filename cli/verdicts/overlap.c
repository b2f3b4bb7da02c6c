// SPDX-License-Identifier: MIT
// Asks the library as little as the command line needs, and judges. Pairs that are known to be apart, or only to touch,
// are not asked about.
#include "verdicts/overlap.h"

#include "command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_known_free(const overlap_surfaces *surfaces)
{
    return surfaces->solids == GRZ_SOLIDS_APART || surfaces->solids == GRZ_SOLIDS_TOUCHING ||
           (surfaces->relation == GRZ_APART && surfaces->containment == GRZ_CONTAINMENT_DECIDED);
}

grz_overlap_depth_options overlap_options(const options *given, const double *limit)
{
    grz_overlap_depth_options wanted = grz_default_overlap_depth_options();

    wanted.inside_rule = given->rule;
    wanted.measure = (given->flags & OPTION_DEPTH) != 0;
    wanted.decide = limit != NULL;
    if (limit != NULL)
        wanted.deeper_than = *limit;
    if (given->tolerance > 0.0)
        wanted.tolerance = given->tolerance;
    if (given->max_cells > 0)
        wanted.max_cells = given->max_cells;
    return wanted;
}

bool overlap_take(overlap_facts *facts, const grz_overlap_depth_answer *answer, const grz_overlap_part *parts)
{
    const uint64_t found = parts != NULL ? answer->part_count : 0,
                   kept = found < OVERLAP_MOST_PARTS ? found : OVERLAP_MOST_PARTS;

    facts->answer = *answer;
    if (kept == 0)
        return true;
    facts->parts = malloc((size_t)kept * sizeof *parts);
    if (facts->parts == NULL)
        return false;
    memcpy(facts->parts, parts, (size_t)kept * sizeof *parts);
    facts->part_count = kept;
    return true;
}

// Ask with room for places.
static grz_status ask_with_parts(grz_device *device, const grz_object *a, const grz_object *b,
                                 grz_overlap_depth_options *wanted, overlap_facts *out, grz_error *error)
{
    grz_overlap_depth_answer answer;

    wanted->parts = malloc(OVERLAP_MOST_PARTS * sizeof *wanted->parts);
    if (wanted->parts == NULL)
        return GRZ_ERROR_MEMORY;
    wanted->part_capacity = OVERLAP_MOST_PARTS;
    grz_status status = grz_overlap_depth(device, a, b, wanted, &answer, error);
    if (!overlap_take(out, &answer, wanted->parts))
        status = GRZ_ERROR_MEMORY;
    free(wanted->parts);
    return status;
}

// Scaled, so that squares neither overflow nor vanish; hypot() differs between libraries of C.
static double distance(const double p[3], const double q[3])
{
    const double scale = fmax(fmax(fabs(q[0] - p[0]), fabs(q[1] - p[1])), fabs(q[2] - p[2]));
    double square = 0.0;

    for (int k = 0; k < 3 && scale > 0.0; k++)
        square += (q[k] - p[k]) / scale * ((q[k] - p[k]) / scale);
    return scale * sqrt(square);
}

// The sum of all curves' lengths.
static double length_of_curves(const grz_result *result)
{
    uint64_t count, points;
    const grz_curve *curves = grz_result_curves(result, &count);
    const double *at = grz_result_curve_points(result, &points);
    double length = 0.0;

    for (uint64_t i = 0; i < count; i++)
        for (uint64_t k = 0; k + (curves[i].closed ? 0 : 1) < curves[i].point_count; k++) {
            const double *p = at + 3 * (curves[i].first_point + k);
            const double *next = at + 3 * (curves[i].first_point + (k + 1) % curves[i].point_count);
            length += distance(p, next);
        }
    return length;
}

// How long the curves are in which open meshes meet. Past --max-pairs that stays unknown.
static grz_status find_length(const overlap_asking *asking, const grz_object *a, const grz_object *b,
                              overlap_facts *facts, grz_error *error)
{
    grz_collide_options wanted = asking->common;
    grz_result *result;

    wanted.find = GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES;
    wanted.clearance = 0.0;
    grz_status status = grz_result_create(asking->device, &result, error);
    if (status != GRZ_OK)
        return status;
    status = grz_collide(asking->device, a, b, &wanted, result, error);
    if (status == GRZ_OK) {
        facts->length = length_of_curves(result);
        facts->crosses = grz_result_summary(result)->kinds[GRZ_CROSSING] > 0;
    }
    grz_result_destroy(result);
    return status == GRZ_ERROR_LIMIT ? GRZ_OK : status;
}

// Whether the boxes of two objects have no common inside: then their surfaces touch at most. Kinds of contacts do not
// tell: surfaces can cross where each two faces only touch, as those of two cubes on one grid do.
static grz_status boxes_part(const grz_object *a, const grz_object *b, bool *part, grz_error *error)
{
    double min[2][3], max[2][3];

    grz_status status = grz_object_bounds(a, min[0], max[0], error);
    if (status == GRZ_OK)
        status = grz_object_bounds(b, min[1], max[1], error);
    *part = false;
    for (int k = 0; k < 3 && status == GRZ_OK; k++)
        *part = *part || max[0][k] <= min[1][k] || max[1][k] <= min[0][k];
    return status;
}

// Of open meshes: whether their surfaces may cross, and where.
static grz_status ask_open(const overlap_asking *asking, const grz_object *a, const grz_object *b, overlap_facts *out,
                           grz_error *error)
{
    bool part;
    const grz_status status = boxes_part(a, b, &part, error);
    out->crossing = !part;
    if (status != GRZ_OK || part || (asking->given->flags & OPTION_QUIET) != 0)
        return status;
    return find_length(asking, a, b, out, error);
}

grz_status overlap_begin(const overlap_asking *asking, const grz_object *a, const grz_object *b,
                         const overlap_surfaces *surfaces, const double *limit, overlap_facts *out, bool *due,
                         grz_error *error)
{
    const options *given = asking->given;
    bool closed[2];

    *due = false;
    *out = (overlap_facts){.limited = limit != NULL, .limit = limit != NULL ? *limit : 0.0};
    out->asked = limit != NULL || (given->flags & OPTION_DEPTH) != 0;
    if (!out->asked)
        return GRZ_OK;
    grz_status status = grz_mesh_is_closed(a->mesh, &closed[0], error);
    if (status == GRZ_OK)
        status = grz_mesh_is_closed(b->mesh, &closed[1], error);
    if (status != GRZ_OK)
        return status;
    out->open = !closed[0] || !closed[1];
    if (is_known_free(surfaces)) {
        out->answer.certainty = GRZ_EXACT;
        out->answer.deeper = out->limited ? GRZ_DEEPER_NO : GRZ_DEEPER_UNKNOWN;
        return GRZ_OK;
    }
    if (out->open && surfaces->relation == GRZ_COLLIDING)
        status = ask_open(asking, a, b, out, error);
    *due = status == GRZ_OK;
    return status;
}

grz_status overlap_ask(const overlap_asking *asking, const grz_object *a, const grz_object *b,
                       const overlap_surfaces *surfaces, const double *limit, overlap_facts *out, grz_error *error)
{
    const options *given = asking->given;
    bool due;

    const grz_status status = overlap_begin(asking, a, b, surfaces, limit, out, &due, error);
    if (status != GRZ_OK || !due)
        return status;
    grz_overlap_depth_options wanted = overlap_options(given, limit);
    if (out->limited && !out->open && (given->flags & OPTION_QUIET) == 0)
        return ask_with_parts(asking->device, a, b, &wanted, out, error);
    return grz_overlap_depth(asking->device, a, b, &wanted, &out->answer, error);
}

bool overlap_add_parts(overlap_facts *to, const overlap_facts *from)
{
    const size_t count = (size_t)(to->part_count + from->part_count);
    grz_overlap_part *parts = realloc(to->parts, (count + 1) * sizeof *parts);
    if (parts == NULL)
        return false;
    to->parts = parts;
    for (uint64_t i = 0; i < from->part_count; i++)
        parts[to->part_count++] = from->parts[i];
    to->answer.part_count += from->answer.part_count;
    return true;
}

void overlap_finish(overlap_facts *facts)
{
    free(facts->parts);
    *facts = (overlap_facts){0};
}

overlap_verdict overlap_judge(const options *given, const overlap_facts *facts)
{
    if (!facts->limited)
        return OVERLAP_NOT_JUDGED;
    switch (facts->answer.deeper) {
    case GRZ_DEEPER_NO:
        return OVERLAP_WITHIN;
    case GRZ_DEEPER_YES:
        return OVERLAP_DEEPER;
    case GRZ_DEEPER_UNKNOWN:
        break;
    }
    return facts->open && (given->open_reported || !facts->crossing) ? OVERLAP_REPORTED : OVERLAP_UNKNOWN;
}

bool overlap_is_excused(const options *given, const overlap_facts *facts, grz_solids solids)
{
    const bool disjoint = solids == GRZ_SOLIDS_APART || solids == GRZ_SOLIDS_TOUCHING;
    return !disjoint && facts != NULL && overlap_judge(given, facts) == OVERLAP_WITHIN;
}

int overlap_worse_status(int one, int other)
{
    if (one == STATUS_TOUCHES || other == STATUS_TOUCHES)
        return STATUS_TOUCHES;
    return one != STATUS_APART ? one : other;
}

int overlap_status(overlap_verdict verdict)
{
    if (verdict == OVERLAP_DEEPER)
        return STATUS_TOUCHES;
    return verdict == OVERLAP_UNKNOWN ? STATUS_UNDECIDED : STATUS_APART;
}

report_tone overlap_tone(int status)
{
    if (status == STATUS_TOUCHES)
        return TONE_TOUCHES;
    return status == STATUS_APART ? TONE_APART : TONE_UNDECIDED;
}
