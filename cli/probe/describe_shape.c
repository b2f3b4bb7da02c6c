// SPDX-License-Identifier: MIT
// Turns the answer about a shape and a mesh into a report: do they touch, how far apart or how deep, which faces.

#include "probe/describe_shape.h"

#include "answers/describe_query.h"
#include "answers/describe_summary.h"
#include "report/number.h"

#include <inttypes.h>
#include <math.h>

bool shape_collides(const shape_answers *answers)
{
    const grz_shape_object_answer *s = &answers->surface;
    return s->relation == GRZ_SHAPES_TOUCHING || s->relation == GRZ_SHAPES_PENETRATING ||
           (s->relation == GRZ_SHAPES_APART && s->location == GRZ_INSIDE);
}

bool shape_is_decided(const shape_answers *answers)
{
    const grz_shape_object_answer *s = &answers->surface;
    return s->relation != GRZ_SHAPES_UNDECIDED &&
           (s->relation != GRZ_SHAPES_APART || s->location != GRZ_LOCATION_UNKNOWN || s->face == GRZ_NO_FACE);
}

// Whether the answer has a distance: the shape does not touch the surface, and the mesh has faces.
static bool is_measured(const shape_answers *answers)
{
    return answers->surface.relation == GRZ_SHAPES_APART && answers->surface.face != GRZ_NO_FACE;
}

// How the shape lies to the solid, in one word.
static const char *name_of_relation(const shape_answers *answers)
{
    const grz_shape_object_answer *s = &answers->surface;
    if (!shape_is_decided(answers))
        return "undecided";
    if (s->relation == GRZ_SHAPES_APART)
        return s->location == GRZ_INSIDE ? "inside" : "apart";
    // A line through a solid only touches its triangles, but it has a depth in the solid.
    return s->relation == GRZ_SHAPES_TOUCHING && !answers->has_depth ? "touching" : "penetrating";
}

static const char *why_undecided(const shape_answers *answers)
{
    return answers->surface.relation == GRZ_SHAPES_UNDECIDED ? "rounding leaves open whether the shape reaches it"
                                                             : "the shape does not touch it, but inside is not known: "
                                                               "the mesh is open";
}

// The verb of the verdict: "the box penetrates part.stl".
static const char *verb_of(const shape_answers *answers)
{
    if (answers->has_depth)
        return "penetrates";
    return answers->surface.relation == GRZ_SHAPES_TOUCHING ? "touches the surface of" : "penetrates the surface of";
}

// How exact the distance is, in words.
static const char *describe_distance(const grz_shape_object_answer *s, report *r)
{
    return describe_bounds(r, s->certainty, s->lower, s->upper);
}

static void describe_verdict(const query *q, const shape_answers *answers, report *r)
{
    const char *kind = q->given->shape_kind, *file = q->meshes[0].file, *relation = name_of_relation(answers);
    char distance[NUMBER_SIZE];

    number_shortest(answers->surface.distance, distance);
    if (!shape_is_decided(answers))
        report_verdict(r, TONE_UNDECIDED, "undecided: the %s and %s: %s", kind, file, why_undecided(answers));
    else if (answers->surface.face == GRZ_NO_FACE)
        report_verdict(r, TONE_APART, "apart: %s has no faces", file);
    else if (!is_measured(answers))
        report_verdict(r, TONE_TOUCHES, "%s: the %s %s %s (exact)", relation, kind, verb_of(answers), file);
    else if (shape_collides(answers))
        report_verdict(r, TONE_TOUCHES, "inside: the %s is inside %s, %s from its surface (%s)", kind, file, distance,
                       describe_distance(&answers->surface, r));
    else
        report_verdict(r, TONE_APART, "apart: the %s and %s are %s apart (%s)", kind, file, distance,
                       describe_distance(&answers->surface, r));
}

static void describe_faces(const query *q, const shape_answers *answers, report *r)
{
    if (answers->face_count == 0)
        return;
    report_line(r, r->lines, LINE_FACT, NULL, "%s",
                answers->surface.relation == GRZ_SHAPES_UNDECIDED
                    ? report_format(r, "%s may be touched", describe_count(r, answers->face_count, "face", "faces"))
                    : report_format(r, "%s touched", describe_count(r, answers->face_count, "face is", "faces are")));
    for (uint64_t i = 0; (q->given->flags & OPTION_ALL_HITS) != 0 && i < answers->face_count; i++)
        report_line(r, r->lines, LINE_ITEM, NULL, "face %" PRIu32, answers->faces[i]);
}

static void describe_for_people(const query *q, const shape_answers *answers, report *r)
{
    const grz_shape_object_answer *s = &answers->surface;
    const grz_shape_answer *d = &answers->depth;
    char depth[NUMBER_SIZE];

    describe_verdict(q, answers, r);
    if (is_measured(answers)) {
        report_line(r, r->lines, LINE_FACT, q->given->shape_kind, "%.6g %.6g %.6g", s->point_shape[0],
                    s->point_shape[1], s->point_shape[2]);
        report_line(r, r->lines, LINE_FACT, "A", "face %" PRIu32 " at %.6g %.6g %.6g", s->face, s->point_mesh[0],
                    s->point_mesh[1], s->point_mesh[2]);
    }
    if (answers->has_depth)
        report_line(r, r->lines, LINE_FACT, "depth", "moved by %s along %.6g %.6g %.6g the %s is free (%s)",
                    number_shortest(d->depth_upper, depth), d->direction[0], d->direction[1], d->direction[2],
                    q->given->shape_kind, describe_bounds(r, d->certainty, d->depth_lower, d->depth_upper));
    describe_faces(q, answers, r);
    report_line(r, r->lines, LINE_TIME, "time", "%.4g ms (load %.4g)", q->measured.total_ms, q->measured.load_ms);
}

static void make_face(const void *source, uint64_t index, report *r, report_value *into)
{
    report_put_count(r, into, NULL, ((const uint32_t *)source)[index]);
}

static void put_depth(const shape_answers *answers, report *r)
{
    if (!answers->has_depth) {
        report_put_null(r, r->members, "depth");
        return;
    }
    report_value *in = report_put_object(r, r->members, "depth");
    report_put_real(r, in, "lower", answers->depth.depth_lower);
    report_put_real(r, in, "upper", answers->depth.depth_upper);
    report_put_text(r, in, "certainty", certainty_name(answers->depth.certainty));
    put_point(r, in, "direction", answers->depth.direction);
}

static void put_distance(const shape_answers *answers, report *r)
{
    report_value *in = r->members;
    const grz_shape_object_answer *s = &answers->surface;

    if (!is_measured(answers)) {
        const bool touches = s->relation == GRZ_SHAPES_TOUCHING || s->relation == GRZ_SHAPES_PENETRATING;
        report_put_real(r, in, "distance", touches ? 0.0 : HUGE_VAL);
        report_put_real(r, in, "lower", s->face == GRZ_NO_FACE ? HUGE_VAL : s->lower);
        report_put_real(r, in, "upper", s->upper);
        report_put_null(r, in, "point_shape");
        report_put_null(r, in, "point_mesh");
        return;
    }
    report_put_real(r, in, "distance", s->distance);
    report_put_real(r, in, "lower", s->lower);
    report_put_real(r, in, "upper", s->upper);
    put_point(r, in, "point_shape", s->point_shape);
    put_point(r, in, "point_mesh", s->point_mesh);
}

static void describe_for_programs(const query *q, const shape_answers *answers, report *r)
{
    report_value *in = r->members;
    const bool decided = shape_is_decided(answers);

    report_put_text(r, in, "kind", q->given->shape_kind);
    report_put_text(r, in, "relation", name_of_relation(answers));
    report_put_bool(r, in, "colliding", shape_collides(answers));
    report_put_text(r, in, "certainty", certainty_name(decided ? answers->surface.certainty : GRZ_UNDECIDED));
    report_put_text(r, in, "reason", decided ? NULL : why_undecided(answers));
    put_distance(answers, r);
    put_face(r, "face", answers->surface.face);
    put_depth(answers, r);
    report_put_count(r, in, "face_count", answers->face_count);
    if ((q->given->flags & OPTION_ALL_HITS) != 0)
        report_put_rows(r, in, "faces", answers->face_count, answers->faces, make_face);
    else
        report_put_null(r, in, "faces");
    put_times(r, &q->measured, NULL);
    describe_meshes(q, r);
    put_meshes(q, r);
}

report describe_shape(const query *q, const shape_answers *answers)
{
    report r = report_begin(q->given->command);
    describe_for_people(q, answers, &r);
    describe_for_programs(q, answers, &r);
    return r;
}
