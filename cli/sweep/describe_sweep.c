// SPDX-License-Identifier: MIT
// Turns what a sweep found into a report: which two objects touch first, and where the joints are then.
#include "sweep/describe_sweep.h"

#include "answers/describe_move.h"
#include "answers/describe_summary.h"
#include "report/number.h"

#include <inttypes.h>
#include <math.h>

// The joints that move, those that follow others included: `each` is called for all of them.
typedef void each_joint(const sweep *s, const grz_io_joint *joint, double from, double to, report *r, report_value *in);

static void walk_joints(const sweep *s, report *r, report_value *in, each_joint *each)
{
    for (size_t i = 0; i < s->objects.robot_count; i++) {
        const scene_robot *robot = &s->objects.robots[i];
        for (size_t k = 0; k < robot->is->joint_count; k++)
            if (robot->values[k] != robot->ends[k])
                each(s, &robot->is->joints[k], robot->values[k], robot->ends[k], r, in);
    }
}

static double value_at(double from, double to, double t)
{
    return t < 1.0 ? from + t * (to - from) : to;
}

// Where it is known how far the joints can go.
static bool ends_early(const sweep *s)
{
    return s->lower <= 1.0;
}

static void describe_joint(const sweep *s, const grz_io_joint *joint, double from, double to, report *r,
                           report_value *in)
{
    const char *unit = joint->kind == GRZ_IO_JOINT_PRISMATIC ? "m" : "rad";
    if (ends_early(s))
        report_line(r, in, LINE_FACT, "joint", "%s at %.9g of %.9g to %.9g %s", joint->name,
                    value_at(from, to, s->lower), from, to, unit);
    else
        report_line(r, in, LINE_FACT, "joint", "%s from %.9g to %.9g %s", joint->name, from, to, unit);
}

static void add_excluded_line(const void *source, uint64_t index, report *r, report_value *into)
{
    const sweep *s = source;
    const exclusion *pair = &s->excluded.items[index];
    report_line(r, into, LINE_FACT, "excluded", "%" PRIu32 " %" PRIu32 " %s: %s and %s", pair->a, pair->b,
                s->excluded.whys[pair->why], s->objects.names[pair->a], s->objects.names[pair->b]);
}

// Of the first contact of all, or of there being none.
static grz_certainty certainty_of(const sweep *s)
{
    if (s->first.has_contact) // a pair that is undecided may come near before
        return s->lower < s->first.lower ? GRZ_ENCLOSED : s->first.certainty;
    return s->undecided > 0 ? GRZ_UNDECIDED : GRZ_EXACT;
}

// Of a contact: how sure the time is, to stand behind it in brackets.
static const char *describe_when(const sweep *s, report *r)
{
    if (certainty_of(s) == GRZ_EXACT)
        return describe_bounds(r, GRZ_EXACT, s->lower, s->first.upper);
    return report_format(r, "enclosed: between %s, proved", describe_enclosure(r, s->lower, s->first.upper));
}

static void describe_verdict(const sweep *s, report *r)
{
    const char *const *names = (const char *const *)s->objects.names;
    const uint64_t tested = s->asked - s->excluded.count;
    char number[NUMBER_SIZE];

    if (s->first.has_contact && s->first.upper == 0.0)
        report_verdict(r, TONE_TOUCHES, "%s: %s and %s %s where the motion begins (exact)",
                       s->first.started_inside ? "overlapping" : "touching", names[s->a], names[s->b],
                       s->first.started_inside ? "overlap" : "touch");
    else if (s->first.has_contact)
        report_verdict(r, TONE_TOUCHES, "contact: %s touches %s after %.6g of the way (%s)", names[s->a], names[s->b],
                       s->first.first_contact, describe_when(s, r));
    else if (s->undecided > 0)
        report_verdict(r, TONE_UNDECIDED,
                       "undecided: nothing touches up to %s of the way; there %s and %s come too near to tell",
                       number_shortest(s->lower, number), names[s->open_a], names[s->open_b]);
    else
        report_verdict(r, TONE_APART, "clear: %s %s over the whole range (proved)",
                       describe_count(r, tested, "pair of objects", "pairs of objects"),
                       tested == 1 ? "does not touch" : "do not touch");
}

static void describe_for_people(const sweep *s, report *r)
{
    describe_verdict(s, r);
    walk_joints(s, r, r->lines, describe_joint);
    if (s->first.has_contact && s->undecided > 0)
        report_line(r, r->lines, LINE_WARNING, NULL, "%s come too near to tell, %s and %s first",
                    describe_count(r, s->undecided, "other pair", "other pairs"), s->objects.names[s->open_a],
                    s->objects.names[s->open_b]);
    describe_rule(r, s->given);
    for (size_t i = 0; i < s->excluded.note_count; i++)
        report_line(r, r->lines, LINE_WARNING, NULL, "%s", s->excluded.notes[i]);
    report_line(r, r->lines, LINE_FACT, "scope", "%s of objects, %" PRIu64 " followed, %zu excluded",
                describe_count(r, s->asked, "pair", "pairs"), s->asked - s->excluded.count, s->excluded.count);
    report_put_rows(r, r->lines, NULL, s->excluded.count, s, add_excluded_line);
    report_line(r, r->lines, LINE_TIME, "time", "%.4g ms (load %.4g)", s->measured.total_ms, s->measured.load_ms);
}

static void put_joint(const sweep *s, const grz_io_joint *joint, double from, double to, report *r, report_value *in)
{
    report_value *object = report_put_object(r, in, NULL);
    report_put_text(r, object, "name", joint->name);
    report_put_real(r, object, "from", from);
    report_put_real(r, object, "to", to);
    if (ends_early(s))
        report_put_real(r, object, "at", value_at(from, to, s->lower));
    else
        report_put_null(r, object, "at");
}

static void add_excluded(const void *source, uint64_t index, report *r, report_value *into)
{
    const sweep *s = source;
    const exclusion *pair = &s->excluded.items[index];
    report_value *object = report_put_object(r, into, NULL);
    report_put_count(r, object, "a", pair->a);
    report_put_count(r, object, "b", pair->b);
    report_put_text(r, object, "why", s->excluded.whys[pair->why]);
}

static void put_number(report *r, const char *key, bool known, uint32_t number)
{
    if (known)
        report_put_count(r, r->members, key, number);
    else
        report_put_null(r, r->members, key);
}

static void describe_for_programs(const sweep *s, report *r)
{
    report_value *in = r->members;
    const grz_move_answer *first = &s->first;
    const bool faces = first->has_contact && first->face_a != GRZ_NO_FACE,
               undecided = !first->has_contact && s->undecided > 0;

    report_put_bool(r, in, "contact", first->has_contact);
    report_put_real(r, in, "first_contact", s->lower);
    report_put_real(r, in, "lower", s->lower);
    report_put_real(r, in, "upper", first->has_contact ? first->upper : HUGE_VAL);
    report_put_bool(r, in, "exact", certainty_of(s) == GRZ_EXACT);
    report_put_text(r, in, "certainty", certainty_name(certainty_of(s)));
    report_put_bool(r, in, "started_inside", first->has_contact && first->started_inside);
    put_number(r, "a", first->has_contact || undecided, first->has_contact ? s->a : s->open_a);
    put_number(r, "b", first->has_contact || undecided, first->has_contact ? s->b : s->open_b);
    put_number(r, "face_a", faces, first->face_a);
    put_number(r, "face_b", faces, first->face_b);
    walk_joints(s, r, report_put_list(r, in, "joints"), put_joint);
    report_put_text(r, in, "rule", rule_name(s->given->rule));
    report_value *objects = report_put_list(r, in, "objects");
    for (size_t i = 0; i < s->objects.count; i++)
        report_put_text(r, objects, NULL, s->objects.names[i]);
    report_value *scope = report_put_object(r, in, "scope");
    report_put_count(r, scope, "asked", s->asked);
    report_put_count(r, scope, "tested", s->asked - s->excluded.count);
    report_value *rows = report_put_rows(r, scope, "excluded", s->excluded.count, s, add_excluded);
    if (rows != NULL)
        rows->one_a_line = true;
    report_value *notes = report_put_list(r, in, "notes");
    for (size_t i = 0; i < s->excluded.note_count; i++)
        report_put_text(r, notes, NULL, s->excluded.notes[i]);
    put_times(r, &s->measured, NULL);
}

report describe_sweep(const sweep *s)
{
    report r = report_begin(s->given->command);
    describe_for_people(s, &r);
    describe_for_programs(s, &r);
    return r;
}
