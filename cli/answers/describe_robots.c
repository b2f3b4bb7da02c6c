// SPDX-License-Identifier: MIT
// Notes are made twice, once for each half of the report, by one walk over what may need a word.
#include "answers/describe_robots.h"

#include "answers/describe_summary.h"
#include "assembly/robot_objects.h"
#include "report/number.h"

typedef void take_note(report *r, report_value *to, const char *text);

static void take_line(report *r, report_value *to, const char *text)
{
    report_line(r, to, LINE_WARNING, NULL, "%s", text);
}

static void take_text(report *r, report_value *to, const char *text)
{
    report_put_text(r, to, NULL, text);
}

// The unit of a COLLADA file counts, that of others does not; the up axis of none does.
static const char *describe_declared(report *r, const declared *told)
{
    char number[NUMBER_SIZE];
    const bool other = told->unit > 0 && !(told->unit >= 1 && told->unit <= 1);
    const char *unit = "";
    if (other && told->collada)
        unit = report_format(r, "; its unit of %s m is applied", number_shortest(told->unit, number));
    else if (other)
        unit = report_format(r, "; its unit of %s m does not count: its numbers are metres, times the scale",
                             number_shortest(told->unit, number));
    if (!other && !told->other_up)
        return NULL;
    return report_format(r, "%s%s%s", told->collada ? "is COLLADA" : "is not COLLADA", unit,
                         told->other_up ? "; its up axis is not z and is not turned" : "");
}

static void note_units(const scene_robot *robot, report *r, report_value *to, take_note *take)
{
    const grz_io_robot *is = robot->is;
    for (size_t i = 0; i < is->collision_count; i++) {
        const grz_io_collision *at = &is->collisions[i];
        const char *said = describe_declared(r, &robot->declares[i]);
        if (said != NULL)
            take(r, to,
                 report_format(r, "%s: line %llu: link %s: %s %s", robot->file, (unsigned long long)at->line,
                               is->links[at->link].name, at->mesh, said));
    }
}

static void note_robot(const scene_robot *robot, report *r, report_value *to, take_note *take)
{
    const grz_io_robot *is = robot->is;
    bool rounded = false;

    for (size_t i = 0; i < is->collision_count; i++)
        rounded =
            rounded || (is->collisions[i].kind != GRZ_IO_SHAPE_MESH && is->collisions[i].kind != GRZ_IO_SHAPE_BOX);
    if (rounded)
        take(r, to,
             report_format(r,
                           "%s: spheres, cylinders and capsules are tested as facets around them, up to 0.26 %% wider",
                           robot->file));
    for (size_t i = 0; i < is->note_count; i++)
        take(r, to, report_format(r, "%s: %s", robot->file, is->notes[i]));
    for (size_t i = 0; i < is->joint_count; i++) {
        const grz_io_joint *joint = &is->joints[i];
        if (joint->limited && joint->mimic == GRZ_IO_NONE &&
            (robot->values[i] < joint->lower || robot->values[i] > joint->upper))
            take(r, to,
                 report_format(r, "%s: joint %s stands at 0, beyond its limits: give it a value by --joint",
                               robot->file, joint->name));
    }
    note_units(robot, r, to, take);
}

// The reference pose of --allow-adjacent may be one that the robot cannot take, and excuse what touches only there.
static void note_reference(const scene_robot *robot, report *r, report_value *to, take_note *take)
{
    for (size_t i = 0; i < robot->is->joint_count; i++) {
        const grz_io_joint *joint = &robot->is->joints[i];
        if (joint->limited && joint->mimic == GRZ_IO_NONE && (joint->lower > 0 || joint->upper < 0))
            take(r, to,
                 report_format(r, "%s: at the reference pose joint %s is beyond its limits", robot->file, joint->name));
    }
}

static void walk(const scene_run *run, report *r, report_value *to, take_note *take)
{
    const uint64_t moved = OPTION_POSE | OPTION_POSES | OPTION_JOINT;

    for (size_t i = 0; i < run->excluded.note_count; i++)
        take(r, to, run->excluded.notes[i]);
    for (size_t i = 0; i < run->objects.robot_count; i++) {
        note_robot(&run->objects.robots[i], r, to, take);
        if ((run->given->flags & OPTION_ALLOW_ADJACENT) != 0)
            note_reference(&run->objects.robots[i], r, to, take);
    }
    if ((run->given->flags & OPTION_ALLOW_ADJACENT) != 0 && (run->given->flags & moved) == 0)
        take(r, to, "nothing was moved, so --allow-adjacent excludes every pair that touches");
}

void describe_robots(const scene_run *run, report *r)
{
    for (size_t i = 0; i < run->objects.robot_count; i++) {
        const scene_robot *robot = &run->objects.robots[i];
        const char *silent = robot->silent_links == 0
                                 ? ""
                                 : report_format(r, ", %zu of them without collision geometry", robot->silent_links);
        report_line(r, r->lines, LINE_FACT, "robot", "%s%s; %s: %s",
                    describe_count(r, robot->is->link_count, "link", "links"), silent,
                    describe_count(r, robot->is->joint_count, "joint", "joints"), robot->file);
    }
    walk(run, r, r->lines, take_line);
}

void put_notes(const scene_run *run, report *r)
{
    walk(run, r, report_put_list(r, r->members, "notes"), take_text);
}
