// SPDX-License-Identifier: MIT
// From a tree of XML to a robot: counts what there is, makes room for it, fills it, hands it over.
#include "robot/document.h"
#include "robot/robot.h"

#include <string.h>

enum {
    MOST_LINKS = 10000 // names are compared one by one
};

static size_t count_below(const xml_element *of, const char *name)
{
    size_t count = 0;
    for (const xml_element *at = NULL; (at = grz_io_xml_child(of, name, at)) != NULL;)
        count++;
    return count;
}

// The next element of the tree, its children first; NULL behind the last.
static const xml_element *next_element(const xml_element *at)
{
    if (at->children != NULL)
        return at->children;
    while (at != NULL && at->next == NULL)
        at = at->parent;
    return at != NULL ? at->next : NULL;
}

// Bytes for the names that may be kept.
static size_t count_texts(const xml_element *root)
{
    size_t bytes = 1; // the name of the robot where it has none
    for (const xml_element *at = root; at != NULL; at = next_element(at)) {
        const char *name = grz_io_xml_value(at, "name"), *file = grz_io_xml_value(at, "filename");
        bytes += name != NULL ? strlen(name) + 1 : 0;
        bytes += file != NULL ? strlen(file) + 1 : 0;
    }
    return bytes;
}

// An array of zeros; at least one byte is taken. NULL without memory.
static void *make_array(load_control *control, size_t count, size_t element_size)
{
    const size_t size = count > 0 ? count * element_size : 1;
    void *made = grz_io_control_reallocate(control, NULL, 0, size);
    if (made != NULL)
        memset(made, 0, size);
    return made;
}

static void release_array(const grz_allocator *allocator, void *array, size_t count, size_t element_size)
{
    grz_io_release_block(allocator, array, count > 0 ? count * element_size : 1);
}

static bool make_room(const robot_reading *r)
{
    owned_robot *out = r->out;
    load_control *control = r->control;
    out->link_room = count_below(r->tree, "link");
    out->joint_room = count_below(r->tree, "joint");
    if (out->link_room > MOST_LINKS || out->joint_room > MOST_LINKS)
        return grz_io_robot_refuse(r, r->tree, "more than %d links or joints", MOST_LINKS);
    if (out->link_room == 0)
        return grz_io_robot_refuse(r, r->tree, "the robot has no links");
    for (const xml_element *link = NULL; (link = grz_io_xml_child(r->tree, "link", link)) != NULL;)
        out->collision_room += count_below(link, "collision");
    out->text_room = count_texts(r->tree);
    out->link_room++; // for the ground that others call "world"
    out->links = make_array(control, out->link_room, sizeof *out->links);
    out->order = make_array(control, out->link_room, sizeof *out->order);
    out->joints = make_array(control, out->joint_room, sizeof *out->joints);
    out->collisions = make_array(control, out->collision_room, sizeof *out->collisions);
    out->left_out = make_array(control, out->collision_room, sizeof *out->left_out);
    out->texts = make_array(control, out->text_room, 1);
    if (out->links == NULL || out->order == NULL || out->joints == NULL || out->collisions == NULL ||
        out->left_out == NULL || out->texts == NULL)
        return grz_io_robot_fail_memory(r);
    out->shown.links = out->links;
    out->shown.order = out->order;
    out->shown.joints = out->joints;
    out->shown.collisions = out->collisions;
    out->shown.left_out = out->left_out;
    return true;
}

// ---- the robot

static bool refuse_macros(const robot_reading *r)
{
    for (const xml_element *at = r->tree; at != NULL; at = next_element(at))
        if (strncmp(at->name, "xacro:", 6) == 0)
            return grz_io_robot_refuse(r, at, "this is xacro: run `xacro FILE > robot.urdf`");
    return true;
}

// An include where a robot's links and joints stand: what it names would be a part of the robot.
static bool refuse_includes(const robot_reading *r)
{
    for (const xml_element *at = r->tree; at != NULL; at = next_element(at)) {
        const char *colon = strrchr(at->name, ':');
        const bool own = at->parent == r->tree && colon == NULL;
        if ((own || colon != NULL) && strcmp(colon != NULL ? colon + 1 : at->name, "include") == 0)
            return grz_io_robot_refuse(r, at, "%.60s: it includes another file, which is not read", at->name);
    }
    return true;
}

static bool read_robot(const robot_reading *r)
{
    if (strcmp(r->tree->name, "robot") != 0)
        return grz_io_robot_refuse(r, r->tree, "the root is <%.60s>, and must be <robot>", r->tree->name);
    if (!refuse_macros(r) || !refuse_includes(r) || !make_room(r))
        return false;
    const char *name = grz_io_xml_value(r->tree, "name");
    r->out->shown.name = grz_io_robot_keep(r, name != NULL ? name : "");
    for (const xml_element *at = NULL; (at = grz_io_xml_child(r->tree, "link", at)) != NULL;)
        if (!grz_io_control_goes_on(r->control) || !grz_io_robot_read_link(r, at))
            return false;
    return grz_io_robot_read_joints(r) && grz_io_robot_sort_links(r);
}

void grz_io_robot_destroy(grz_io_robot *robot)
{
    if (robot == NULL)
        return;
    owned_robot *owned = (owned_robot *)robot;
    const grz_allocator allocator = owned->allocator;
    for (size_t i = 0; i < owned->shown.note_count; i++)
        grz_io_release_block(&allocator, owned->notes[i], strlen(owned->notes[i]) + 1);
    grz_io_release_block(&allocator, owned->notes, owned->note_room * sizeof *owned->notes);
    release_array(&allocator, owned->links, owned->link_room, sizeof *owned->links);
    release_array(&allocator, owned->order, owned->link_room, sizeof *owned->order);
    release_array(&allocator, owned->joints, owned->joint_room, sizeof *owned->joints);
    release_array(&allocator, owned->collisions, owned->collision_room, sizeof *owned->collisions);
    release_array(&allocator, owned->left_out, owned->collision_room, sizeof *owned->left_out);
    release_array(&allocator, owned->texts, owned->text_room, 1);
    grz_io_release_block(&allocator, owned, sizeof *owned);
}

static void *read_tree(load_control *control, const xml_element *root, uint64_t size)
{
    const robot_reading r = {control, root, make_array(control, 1, sizeof(owned_robot))};
    if (r.out == NULL) {
        grz_io_robot_fail_memory(&r);
        return NULL;
    }
    r.out->allocator = control->allocator;
    r.out->shown.bytes_read = size;
    if (read_robot(&r))
        return r.out;
    grz_io_robot_destroy(&r.out->shown);
    return NULL;
}

static const document_call load_robot = {"load robot", read_tree};

grz_status grz_io_robot_load_file(const char *path, const grz_io_options *options, grz_io_robot **robot,
                                  grz_error *error)
{
    void *made = NULL;
    if (robot == NULL)
        return grz_io_refuse(load_robot.name, "robot is NULL", error);
    const grz_status status = grz_io_load_document_file(&load_robot, path, options, &made, error);
    *robot = made;
    return status;
}

grz_status grz_io_robot_load_memory(const char *name, const void *bytes, size_t size, const grz_io_options *options,
                                    grz_io_robot **robot, grz_error *error)
{
    void *made = NULL;
    if (robot == NULL)
        return grz_io_refuse(load_robot.name, "robot is NULL", error);
    const grz_status status = grz_io_load_document_memory(&load_robot, name, bytes, size, options, &made, error);
    *robot = made;
    return status;
}
