// SPDX-License-Identifier: MIT
// The tree of a robot's links: one root, and every other link below it.
#include "robot/robot.h"

// The element of link or joint `index`; of the ground, which has none, the robot's.
static const xml_element *source_of(const robot_reading *r, const char *name, size_t index)
{
    const xml_element *at = grz_io_xml_child(r->tree, name, NULL);
    while (index-- > 0 && at != NULL)
        at = grz_io_xml_child(r->tree, name, at);
    return at != NULL ? at : r->tree;
}

static bool find_root(const robot_reading *r, size_t *root)
{
    const grz_io_robot *shown = &r->out->shown;
    *root = GRZ_IO_NONE;
    for (size_t i = 0; i < shown->link_count; i++) {
        if (shown->links[i].joint != GRZ_IO_NONE)
            continue;
        if (*root != GRZ_IO_NONE)
            return grz_io_robot_refuse(r, source_of(r, "link", i),
                                       "it has no parent, and neither has %.100s: a robot has one root",
                                       shown->links[*root].name);
        *root = i;
    }
    return *root != GRZ_IO_NONE ||
           grz_io_robot_refuse(
               r, r->tree, "the robot has no root: each link is the child of a joint, so the joints go in a circle");
}

// A link whose way up does not end: its joints go in a circle. There is one where not all links hang below the root.
static size_t find_circle(const grz_io_robot *r)
{
    for (size_t i = 0; i < r->link_count; i++) {
        size_t at = i, steps = 0;
        while (r->links[at].joint != GRZ_IO_NONE && steps++ <= r->link_count)
            at = r->joints[r->links[at].joint].parent;
        if (r->links[at].joint != GRZ_IO_NONE)
            return at;
    }
    return 0;
}

// Put the links in order, the children of one after the other, from the root on. `first`: the first joint below each
// link; `next`: the next one below the same link. Returns how many links were reached.
static size_t put_in_order(owned_robot *out, size_t root, size_t *first, size_t *next)
{
    const grz_io_robot *r = &out->shown;
    size_t known = 0;
    for (size_t i = 0; i < r->link_count; i++)
        first[i] = GRZ_IO_NONE;
    for (size_t i = r->joint_count; i-- > 0;) {
        next[i] = first[r->joints[i].parent];
        first[r->joints[i].parent] = i;
    }
    out->order[known++] = root;
    for (size_t at = 0; at < known; at++)
        for (size_t joint = first[out->order[at]]; joint != GRZ_IO_NONE; joint = next[joint])
            out->order[known++] = r->joints[joint].child;
    return known;
}

bool grz_io_robot_sort_links(const robot_reading *r)
{
    const grz_io_robot *shown = &r->out->shown;
    size_t root;
    if (!find_root(r, &root))
        return false;
    const size_t size = (shown->link_count + shown->joint_count) * sizeof(size_t);
    size_t *first = grz_io_control_reallocate(r->control, NULL, 0, size);
    if (first == NULL)
        return grz_io_robot_fail_memory(r);
    bool sorted = true;
    if (put_in_order(r->out, root, first, first + shown->link_count) < shown->link_count)
        sorted = grz_io_robot_refuse(r, source_of(r, "joint", shown->links[find_circle(shown)].joint),
                                     "the joints go in a circle here");
    grz_io_control_release(r->control, first, size);
    return sorted;
}
