// SPDX-License-Identifier: MIT
// Joints of URDF.
#include "robot/robot.h"

#include <math.h>
#include <string.h>

static size_t find_link(const grz_io_robot *r, const char *name)
{
    size_t i = 0;
    while (i < r->link_count && strcmp(r->links[i].name, name) != 0)
        i++;
    return i < r->link_count ? i : GRZ_IO_NONE;
}

static const char *const kinds[] = {"fixed",    "revolute", "continuous", "prismatic",
                                    "floating", "planar",   "spherical"}; // by grz_io_joint_kind

static bool read_kind(const robot_reading *r, const xml_element *source, grz_io_joint_kind *kind)
{
    const char *type = grz_io_xml_value(source, "type");
    for (size_t i = 0; type != NULL && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(type, kinds[i]) == 0) {
            *kind = (grz_io_joint_kind)i;
            return true;
        }
    return grz_io_robot_refuse(
        r, source, "type=\"%.60s\": must be fixed, revolute, continuous, prismatic, floating, planar or spherical",
        type != NULL ? type : "");
}

static bool read_axis(const robot_reading *r, const xml_element *source, grz_io_joint *joint)
{
    const xml_element *axis;
    if (!grz_io_robot_only(r, source, "axis", &axis))
        return false;
    joint->axis[0] = 1;
    if (axis != NULL && !grz_io_robot_numbers(r, axis, "xyz", joint->axis, 3))
        return false;
    const double largest = fmax(fmax(fabs(joint->axis[0]), fabs(joint->axis[1])), fabs(joint->axis[2]));
    if (joint->kind == GRZ_IO_JOINT_FIXED || joint->kind > GRZ_IO_JOINT_PRISMATIC)
        return true;
    if (largest == 0)
        return grz_io_robot_refuse(r, axis != NULL ? axis : source, "the axis must not be 0");
    double square = 0;
    for (int i = 0; i < 3; i++) { // first to a size that can be squared
        joint->axis[i] /= largest;
        square += joint->axis[i] * joint->axis[i];
    }
    for (int i = 0; i < 3; i++)
        joint->axis[i] /= sqrt(square);
    return true;
}

static bool read_limit(const robot_reading *r, const xml_element *source, grz_io_joint *joint)
{
    const xml_element *limit;
    if (!grz_io_robot_only(r, source, "limit", &limit))
        return false;
    if (limit == NULL || (joint->kind != GRZ_IO_JOINT_REVOLUTE && joint->kind != GRZ_IO_JOINT_PRISMATIC))
        return true;
    joint->limited = true;
    if (!grz_io_robot_numbers(r, limit, "lower", &joint->lower, 1) ||
        !grz_io_robot_numbers(r, limit, "upper", &joint->upper, 1))
        return false;
    if (joint->lower > joint->upper) { // as Bullet has it
        joint->limited = false;
        joint->crossed = true;
    }
    return true;
}

// Drake's files join robots to a link "world" that they do not have: the ground.
static bool add_ground(const robot_reading *r, const xml_element *at, const char *name, size_t *link)
{
    owned_robot *out = r->out;
    *link = out->shown.link_count++;
    out->links[*link] = (grz_io_link){
        .name = name, .joint = GRZ_IO_NONE, .first_collision = out->shown.collision_count, .line = at->line};
    return grz_io_robot_note(r, "line %llu: there is no link %s: it is taken as the ground, without geometry",
                             (unsigned long long)at->line, name);
}

static bool read_end(const robot_reading *r, const xml_element *source, const char *which, size_t *link)
{
    const xml_element *end;
    if (!grz_io_robot_only(r, source, which, &end))
        return false;
    const char *name = end != NULL ? grz_io_xml_value(end, "link") : NULL;
    if (name == NULL)
        return grz_io_robot_refuse(r, source, "needs a %s link", which);
    static const char ground[] = "world";
    *link = find_link(&r->out->shown, name);
    if (*link == GRZ_IO_NONE && strcmp(which, "parent") == 0 && strcmp(name, ground) == 0)
        return add_ground(r, end, ground, link);
    return *link != GRZ_IO_NONE || grz_io_robot_refuse(r, end, "its %s %.100s is no link of this robot", which, name);
}

static bool note_joint(const robot_reading *r, const grz_io_joint *joint)
{
    if (joint->kind > GRZ_IO_JOINT_PRISMATIC &&
        !grz_io_robot_note(r, "joint %s is %s: it stays at zero", joint->name, kinds[joint->kind]))
        return false;
    return !joint->crossed ||
           grz_io_robot_note(r, "joint %s has a lower limit above its upper one: taken as without limits", joint->name);
}

static bool read_joint(const robot_reading *r, const xml_element *source)
{
    owned_robot *out = r->out;
    grz_io_robot *shown = &out->shown;
    grz_io_joint joint = {.mimic = GRZ_IO_NONE, .multiplier = 1, .line = source->line};
    const char *name = grz_io_xml_value(source, "name");
    if (name == NULL || *name == '\0')
        return grz_io_robot_refuse(r, source, "a joint needs a name");
    for (size_t i = 0; i < shown->joint_count; i++)
        if (strcmp(out->joints[i].name, name) == 0)
            return grz_io_robot_refuse(r, source, "there is another joint of this name in line %llu",
                                       (unsigned long long)out->joints[i].line);
    joint.name = grz_io_robot_keep(r, name);
    if (!read_kind(r, source, &joint.kind) || !read_end(r, source, "parent", &joint.parent) ||
        !read_end(r, source, "child", &joint.child) || !grz_io_robot_origin(r, source, &joint.origin) ||
        !read_axis(r, source, &joint) || !read_limit(r, source, &joint))
        return false;
    grz_io_link *child = &out->links[joint.child];
    if (child->joint != GRZ_IO_NONE)
        return grz_io_robot_refuse(r, source, "link %.100s has two parents: it is the child of joint %.100s, too",
                                   child->name, out->joints[child->joint].name);
    child->joint = shown->joint_count;
    out->joints[shown->joint_count++] = joint;
    return note_joint(r, &joint);
}

static bool read_mimic(const robot_reading *r, const xml_element *source, grz_io_joint *joint)
{
    const grz_io_robot *shown = &r->out->shown;
    const xml_element *mimic;
    if (!grz_io_robot_only(r, source, "mimic", &mimic))
        return false;
    if (mimic == NULL)
        return true;
    const char *name = grz_io_xml_value(mimic, "joint");
    if (name == NULL)
        return grz_io_robot_refuse(r, mimic, "mimic needs a joint");
    size_t i = 0;
    while (i < shown->joint_count && strcmp(shown->joints[i].name, name) != 0)
        i++;
    if (i == shown->joint_count)
        return grz_io_robot_refuse(r, mimic, "it mimics %.100s, which is no joint of this robot", name);
    joint->mimic = i;
    return grz_io_robot_numbers(r, mimic, "multiplier", &joint->multiplier, 1) &&
           grz_io_robot_numbers(r, mimic, "offset", &joint->offset, 1);
}

// Whether a joint follows itself, directly or over others.
static bool is_in_circle(const grz_io_robot *r, size_t joint)
{
    size_t steps = 0;
    for (size_t at = joint; r->joints[at].mimic != GRZ_IO_NONE; at = r->joints[at].mimic)
        if (++steps > r->joint_count)
            return true;
    return false;
}

bool grz_io_robot_read_joints(const robot_reading *r)
{
    size_t index = 0;
    for (const xml_element *at = NULL; (at = grz_io_xml_child(r->tree, "joint", at)) != NULL;)
        if (!grz_io_control_goes_on(r->control) || !read_joint(r, at))
            return false;
    for (const xml_element *at = NULL; (at = grz_io_xml_child(r->tree, "joint", at)) != NULL; index++)
        if (!read_mimic(r, at, &r->out->joints[index]))
            return false;
    index = 0;
    for (const xml_element *at = NULL; (at = grz_io_xml_child(r->tree, "joint", at)) != NULL; index++)
        if (is_in_circle(&r->out->shown, index))
            return grz_io_robot_refuse(r, at, "it mimics itself, directly or over other joints");
    return true;
}
