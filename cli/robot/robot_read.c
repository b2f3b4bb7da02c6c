// SPDX-License-Identifier: MIT
// URDF (https://wiki.ros.org/urdf/XML) to a robot. Strict: a number has to be a number to its last character, and what
// cannot be understood is refused with its line.
#include "robot/robot.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_LINKS = 10000 // names are compared one by one
};

typedef struct robot_reading {
    robot_model *out;
    char *message;
    size_t size;
} robot_reading;

static bool refuse(const robot_reading *r, const xml_element *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// "line 12: joint elbow: …": the nearest element around `at` that has a name.
static bool refuse(const robot_reading *r, const xml_element *at, const char *format, ...)
{
    int used = snprintf(r->message, r->size, "line %lu: ", at->line);
    const xml_element *named = at;
    while (named != NULL && strcmp(named->name, "link") != 0 && strcmp(named->name, "joint") != 0)
        named = named->parent;
    const char *name = named != NULL ? xml_attribute(named, "name") : NULL;
    if (name != NULL)
        used += snprintf(r->message + used, r->size - (size_t)used, "%s %.100s: ", named->name, name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->message + used, r->size - (size_t)used, format, arguments);
    va_end(arguments);
    return false;
}

static bool fail_memory(const robot_reading *r)
{
    snprintf(r->message, r->size, "out of memory");
    return false;
}

// ---- numbers

// Read exactly `count` numbers with white space between them.
static bool parse_numbers(const char *text, double *numbers, size_t count)
{
    static const char blanks[] = " \t\r\n";
    for (size_t i = 0; i < count; i++) {
        text += strspn(text, blanks);
        if (*text == '\0' || strchr("+-.0123456789", *text) == NULL) // strtod would read "inf" and "nan"
            return false;
        char *end;
        numbers[i] = strtod(text, &end);
        if (end == text || !isfinite(numbers[i]) || (*end != '\0' && strchr(blanks, *end) == NULL))
            return false;
        text = end;
    }
    return text[strspn(text, blanks)] == '\0';
}

// The numbers of an attribute; left as they are where there is none.
static bool read_numbers(const robot_reading *r, const xml_element *at, const char *attribute, double *numbers,
                         size_t count)
{
    const char *text = xml_attribute(at, attribute);
    if (text == NULL || parse_numbers(text, numbers, count))
        return true;
    return refuse(r, at, "%s=\"%.60s\": must be %s", attribute, text, count == 1 ? "one number" : "three numbers");
}

// A size: 0 or above.
static bool read_size(const robot_reading *r, const xml_element *at, const char *attribute, double *numbers,
                      size_t count)
{
    if (xml_attribute(at, attribute) == NULL)
        return refuse(r, at, "%s needs %s", at->name, attribute);
    if (!read_numbers(r, at, attribute, numbers, count))
        return false;
    for (size_t i = 0; i < count; i++)
        if (numbers[i] < 0)
            return refuse(r, at, "%s=\"%.60s\": must not be below 0", attribute, xml_attribute(at, attribute));
    return true;
}

static bool read_origin(const robot_reading *r, const xml_element *in, robot_frame *frame)
{
    const xml_element *origin = xml_child(in, "origin", NULL);
    double xyz[3] = {0}, rpy[3] = {0};
    *frame = frame_identity();
    if (origin == NULL)
        return true;
    if (!read_numbers(r, origin, "xyz", xyz, 3) || !read_numbers(r, origin, "rpy", rpy, 3))
        return false;
    *frame = frame_from_origin(xyz, rpy);
    return true;
}

// ---- links

static bool read_mesh(const robot_reading *r, const xml_element *mesh, robot_collision *out)
{
    out->mesh = xml_attribute(mesh, "filename");
    out->size[0] = out->size[1] = out->size[2] = 1;
    if (out->mesh == NULL || *out->mesh == '\0')
        return refuse(r, mesh, "mesh needs a filename");
    if (!read_numbers(r, mesh, "scale", out->size, 3))
        return false;
    if (out->size[0] == 0 || out->size[1] == 0 || out->size[2] == 0)
        return refuse(r, mesh, "scale=\"%.60s\": must not be 0", xml_attribute(mesh, "scale"));
    return true;
}

// How many numbers of a shape's size must not be 0 if it is to have an inside.
static size_t sizes_of(robot_shape shape)
{
    return shape == ROBOT_BOX ? 3 : shape == ROBOT_CYLINDER ? 2 : shape == ROBOT_MESH ? 0 : 1;
}

static bool has_inside(const robot_collision *collision)
{
    for (size_t i = 0; i < sizes_of(collision->shape); i++)
        if (collision->size[i] == 0)
            return false;
    return true;
}

static bool read_radius_and_length(const robot_reading *r, const xml_element *shape, robot_collision *out)
{
    return read_size(r, shape, "radius", out->size, 1) && read_size(r, shape, "length", out->size + 1, 1);
}

static bool read_geometry(const robot_reading *r, const xml_element *collision, robot_collision *out)
{
    const xml_element *geometry = xml_child(collision, "geometry", NULL);
    const xml_element *shape = geometry != NULL ? geometry->children : NULL;
    if (shape == NULL || shape->next != NULL)
        return refuse(r, collision, "a collision needs a geometry of one shape");
    if (strcmp(shape->name, "mesh") == 0) {
        out->shape = ROBOT_MESH;
        return read_mesh(r, shape, out);
    }
    if (strcmp(shape->name, "box") == 0) {
        out->shape = ROBOT_BOX;
        return read_size(r, shape, "size", out->size, 3);
    }
    if (strcmp(shape->name, "sphere") == 0) {
        out->shape = ROBOT_SPHERE;
        return read_size(r, shape, "radius", out->size, 1);
    }
    if (strcmp(shape->name, "cylinder") == 0) {
        out->shape = ROBOT_CYLINDER;
        return read_radius_and_length(r, shape, out);
    }
    if (strcmp(shape->name, "capsule") == 0) {
        out->shape = ROBOT_CAPSULE;
        return read_radius_and_length(r, shape, out);
    }
    return refuse(r, shape, "unknown shape %.60s: must be mesh, box, sphere, cylinder or capsule", shape->name);
}

static bool read_link(const robot_reading *r, const xml_element *source)
{
    robot_model *out = r->out;
    robot_link link = {.name = xml_attribute(source, "name"),
                       .joint = ROBOT_NONE,
                       .first_collision = out->collision_count,
                       .source = source};
    if (link.name == NULL || *link.name == '\0')
        return refuse(r, source, "a link needs a name");
    for (size_t i = 0; i < out->link_count; i++)
        if (strcmp(out->links[i].name, link.name) == 0)
            return refuse(r, source, "there is another link of this name in line %lu", out->links[i].source->line);
    size_t place = 0;
    for (const xml_element *at = NULL; (at = xml_child(source, "collision", at)) != NULL; place++) {
        robot_collision read = {
            .name = xml_attribute(at, "name"), .link = out->link_count, .place = place, .line = at->line};
        if (!read_geometry(r, at, &read) || !read_origin(r, at, &read.origin))
            return false;
        if (has_inside(&read))
            out->collisions[out->collision_count++] = read;
        else
            out->left_out[out->left_out_count++] =
                (robot_left_out){read.link, xml_child(at, "geometry", NULL)->children->name, read.line};
    }
    link.collision_count = out->collision_count - link.first_collision;
    out->links[out->link_count++] = link;
    return true;
}

static size_t find_link(const robot_model *r, const char *name)
{
    size_t i = 0;
    while (i < r->link_count && strcmp(r->links[i].name, name) != 0)
        i++;
    return i < r->link_count ? i : ROBOT_NONE;
}

// ---- joints

static bool read_kind(const robot_reading *r, const xml_element *source, robot_joint_kind *kind)
{
    static const char *const kinds[] = {"fixed",    "revolute", "continuous", "prismatic",
                                        "floating", "planar",   "spherical"};
    const char *type = xml_attribute(source, "type");
    for (size_t i = 0; type != NULL && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(type, kinds[i]) == 0) {
            *kind = (robot_joint_kind)i;
            return true;
        }
    return refuse(r, source,
                  "type=\"%.60s\": must be fixed, revolute, continuous, prismatic, floating, planar or spherical",
                  type != NULL ? type : "");
}

static bool read_axis(const robot_reading *r, const xml_element *source, robot_joint *joint)
{
    const xml_element *axis = xml_child(source, "axis", NULL);
    joint->axis[0] = 1;
    if (axis != NULL && !read_numbers(r, axis, "xyz", joint->axis, 3))
        return false;
    const double largest = fmax(fmax(fabs(joint->axis[0]), fabs(joint->axis[1])), fabs(joint->axis[2]));
    if (joint->kind == ROBOT_FIXED || joint->kind > ROBOT_PRISMATIC)
        return true;
    if (largest == 0)
        return refuse(r, axis != NULL ? axis : source, "the axis must not be 0");
    double square = 0;
    for (int i = 0; i < 3; i++) { // first to a size that can be squared
        joint->axis[i] /= largest;
        square += joint->axis[i] * joint->axis[i];
    }
    for (int i = 0; i < 3; i++)
        joint->axis[i] /= sqrt(square);
    return true;
}

static bool read_limit(const robot_reading *r, const xml_element *source, robot_joint *joint)
{
    const xml_element *limit = xml_child(source, "limit", NULL);
    if (limit == NULL || (joint->kind != ROBOT_REVOLUTE && joint->kind != ROBOT_PRISMATIC))
        return true;
    joint->limited = true;
    if (!read_numbers(r, limit, "lower", &joint->lower, 1) || !read_numbers(r, limit, "upper", &joint->upper, 1))
        return false;
    if (joint->lower > joint->upper) { // as Bullet has it
        joint->limited = false;
        joint->crossed = true;
    }
    return true;
}

static bool read_end(const robot_reading *r, const xml_element *source, const char *which, size_t *link)
{
    const xml_element *end = xml_child(source, which, NULL);
    const char *name = end != NULL ? xml_attribute(end, "link") : NULL;
    if (name == NULL)
        return refuse(r, source, "needs a %s link", which);
    *link = find_link(r->out, name);
    return *link != ROBOT_NONE || refuse(r, end, "its %s %.100s is no link of this robot", which, name);
}

static bool read_joint(const robot_reading *r, const xml_element *source)
{
    robot_model *out = r->out;
    robot_joint joint = {.name = xml_attribute(source, "name"), .mimic = ROBOT_NONE, .multiplier = 1, .source = source};
    if (joint.name == NULL || *joint.name == '\0')
        return refuse(r, source, "a joint needs a name");
    for (size_t i = 0; i < out->joint_count; i++)
        if (strcmp(out->joints[i].name, joint.name) == 0)
            return refuse(r, source, "there is another joint of this name in line %lu", out->joints[i].source->line);
    if (!read_kind(r, source, &joint.kind) || !read_end(r, source, "parent", &joint.parent) ||
        !read_end(r, source, "child", &joint.child) || !read_origin(r, source, &joint.origin) ||
        !read_axis(r, source, &joint) || !read_limit(r, source, &joint))
        return false;
    robot_link *child = &out->links[joint.child];
    if (child->joint != ROBOT_NONE)
        return refuse(r, source, "link %.100s has two parents: it is the child of joint %.100s, too", child->name,
                      out->joints[child->joint].name);
    child->joint = out->joint_count;
    out->joints[out->joint_count++] = joint;
    return true;
}

static bool read_mimic(const robot_reading *r, robot_joint *joint)
{
    const xml_element *mimic = xml_child(joint->source, "mimic", NULL);
    if (mimic == NULL)
        return true;
    const char *name = xml_attribute(mimic, "joint");
    if (name == NULL)
        return refuse(r, mimic, "mimic needs a joint");
    size_t i = 0;
    while (i < r->out->joint_count && strcmp(r->out->joints[i].name, name) != 0)
        i++;
    if (i == r->out->joint_count)
        return refuse(r, mimic, "it mimics %.100s, which is no joint of this robot", name);
    joint->mimic = i;
    return read_numbers(r, mimic, "multiplier", &joint->multiplier, 1) &&
           read_numbers(r, mimic, "offset", &joint->offset, 1);
}

static bool check_mimics(const robot_reading *r)
{
    const robot_model *out = r->out;
    for (size_t i = 0; i < out->joint_count; i++) {
        size_t steps = 0;
        for (size_t at = i; out->joints[at].mimic != ROBOT_NONE; at = out->joints[at].mimic)
            if (++steps > out->joint_count)
                return refuse(r, out->joints[i].source, "it mimics itself, directly or over other joints");
    }
    return true;
}

// ---- the tree

static bool find_root(const robot_reading *r, size_t *root)
{
    const robot_model *out = r->out;
    *root = ROBOT_NONE;
    for (size_t i = 0; i < out->link_count; i++) {
        if (out->links[i].joint != ROBOT_NONE)
            continue;
        if (*root != ROBOT_NONE)
            return refuse(r, out->links[i].source, "it has no parent, and neither has %.100s: a robot has one root",
                          out->links[*root].name);
        *root = i;
    }
    return *root != ROBOT_NONE ||
           refuse(r, out->tree,
                  "the robot has no root: each link is the child of a joint, so the joints go in a circle");
}

// A link whose way up does not end: its joints go in a circle. There is one where not all links hang below the root.
static size_t find_circle(const robot_model *r)
{
    for (size_t i = 0; i < r->link_count; i++) {
        size_t at = i, steps = 0;
        while (r->links[at].joint != ROBOT_NONE && steps++ <= r->link_count)
            at = r->joints[r->links[at].joint].parent;
        if (r->links[at].joint != ROBOT_NONE)
            return at;
    }
    return 0;
}

// Put the links in order, the children of one after the other, from the root on. `first`: the first joint below each
// link; `next`: the next one below the same link. Returns how many links were reached.
static size_t put_in_order(robot_model *r, size_t root, size_t *first, size_t *next)
{
    size_t known = 0;
    for (size_t i = 0; i < r->link_count; i++)
        first[i] = ROBOT_NONE;
    for (size_t i = r->joint_count; i-- > 0;) {
        next[i] = first[r->joints[i].parent];
        first[r->joints[i].parent] = i;
    }
    r->order[known++] = root;
    for (size_t at = 0; at < known; at++)
        for (size_t joint = first[r->order[at]]; joint != ROBOT_NONE; joint = next[joint])
            r->order[known++] = r->joints[joint].child;
    return known;
}

static bool sort_links(const robot_reading *r)
{
    robot_model *out = r->out;
    size_t root;
    if (!find_root(r, &root))
        return false;
    size_t *first = calloc(out->link_count + 1, sizeof *first), *next = calloc(out->joint_count + 1, sizeof *next);
    bool sorted = (first != NULL && next != NULL) || fail_memory(r);
    if (sorted && put_in_order(out, root, first, next) < out->link_count)
        sorted = refuse(r, out->joints[out->links[find_circle(out)].joint].source, "the joints go in a circle here");
    free(first);
    free(next);
    return sorted;
}

static size_t count_below(const xml_element *of, const char *name)
{
    size_t count = 0;
    for (const xml_element *at = NULL; (at = xml_child(of, name, at)) != NULL;)
        count++;
    return count;
}

static bool make_room(const robot_reading *r)
{
    robot_model *out = r->out;
    size_t collisions = 0;
    const size_t links = count_below(out->tree, "link"), joints = count_below(out->tree, "joint");
    if (links > MOST_LINKS || joints > MOST_LINKS)
        return refuse(r, out->tree, "more than %d links or joints", MOST_LINKS);
    if (links == 0)
        return refuse(r, out->tree, "the robot has no links");
    for (const xml_element *link = NULL; (link = xml_child(out->tree, "link", link)) != NULL;)
        collisions += count_below(link, "collision");
    out->link_count = out->joint_count = out->collision_count = out->left_out_count = 0;
    out->links = calloc(links, sizeof *out->links);
    out->order = calloc(links, sizeof *out->order);
    out->joints = calloc(joints + 1, sizeof *out->joints);
    out->collisions = calloc(collisions + 1, sizeof *out->collisions);
    out->left_out = calloc(collisions + 1, sizeof *out->left_out);
    return (out->links != NULL && out->order != NULL && out->joints != NULL && out->collisions != NULL &&
            out->left_out != NULL) ||
           fail_memory(r);
}

static bool read_tree(const robot_reading *r)
{
    const xml_element *tree = r->out->tree;
    if (strcmp(tree->name, "robot") != 0)
        return refuse(r, tree, "the root is <%.60s>, and must be <robot>", tree->name);
    for (const xml_element *at = tree->children; at != NULL; at = at->next)
        if (strncmp(at->name, "xacro:", 6) == 0)
            return refuse(r, at, "this is xacro, from which `xacro` makes URDF");
    if (!make_room(r))
        return false;
    for (const xml_element *at = NULL; (at = xml_child(tree, "link", at)) != NULL;)
        if (!read_link(r, at))
            return false;
    for (const xml_element *at = NULL; (at = xml_child(tree, "joint", at)) != NULL;)
        if (!read_joint(r, at))
            return false;
    for (size_t i = 0; i < r->out->joint_count; i++)
        if (!read_mimic(r, &r->out->joints[i]))
            return false;
    return check_mimics(r) && sort_links(r);
}

bool robot_read(const unsigned char *bytes, size_t count, robot_model *out, char *message, size_t size)
{
    const robot_reading r = {out, message, size};
    *out = (robot_model){.tree = xml_read(bytes, count, message, size)};
    if (out->tree != NULL && read_tree(&r))
        return true;
    robot_finish(out);
    return false;
}

void robot_finish(robot_model *r)
{
    free(r->links);
    free(r->order);
    free(r->joints);
    free(r->collisions);
    free(r->left_out);
    xml_free(r->tree);
    *r = (robot_model){0};
}
