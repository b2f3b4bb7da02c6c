// SPDX-License-Identifier: MIT
// Links of URDF, with their collisions.
#include "robot/robot.h"

#include <string.h>

static const char *const kinds[] = {"mesh", "box", "sphere", "cylinder", "capsule"}; // by grz_io_shape_kind

// A size: 0 or above.
static bool read_size(const robot_reading *r, const xml_element *at, const char *attribute, double *numbers,
                      size_t count)
{
    if (grz_io_xml_value(at, attribute) == NULL)
        return grz_io_robot_refuse(r, at, "%s needs %s", at->name, attribute);
    if (!grz_io_robot_numbers(r, at, attribute, numbers, count))
        return false;
    for (size_t i = 0; i < count; i++)
        if (numbers[i] < 0)
            return grz_io_robot_refuse(r, at, "%s=\"%.60s\": must not be below 0", attribute,
                                       grz_io_xml_value(at, attribute));
    return true;
}

static bool read_mesh(const robot_reading *r, const xml_element *mesh, grz_io_collision *out)
{
    const char *file = grz_io_xml_value(mesh, "filename");
    out->size[0] = out->size[1] = out->size[2] = 1;
    if (file == NULL || *file == '\0')
        return grz_io_robot_refuse(r, mesh, "mesh needs a filename");
    if (grz_io_robot_is_macro(file))
        return grz_io_robot_refuse(r, mesh, "filename=\"%.100s\": this is xacro: run `xacro FILE > robot.urdf`", file);
    if (!grz_io_robot_numbers(r, mesh, "scale", out->size, 3))
        return false;
    if (out->size[0] == 0 || out->size[1] == 0 || out->size[2] == 0)
        return grz_io_robot_refuse(r, mesh, "scale=\"%.60s\": must not be 0", grz_io_xml_value(mesh, "scale"));
    out->mesh = grz_io_robot_keep(r, file);
    return true;
}

// How many numbers of a shape's size must not be 0 if it is to have an inside.
static size_t sizes_of(grz_io_shape_kind kind)
{
    return kind == GRZ_IO_SHAPE_BOX ? 3 : kind == GRZ_IO_SHAPE_CYLINDER ? 2 : kind == GRZ_IO_SHAPE_MESH ? 0 : 1;
}

static bool has_inside(const grz_io_collision *collision)
{
    for (size_t i = 0; i < sizes_of(collision->kind); i++)
        if (collision->size[i] == 0)
            return false;
    return true;
}

static bool read_sizes(const robot_reading *r, const xml_element *shape, grz_io_collision *out)
{
    switch (out->kind) {
    case GRZ_IO_SHAPE_MESH:
        return read_mesh(r, shape, out);
    case GRZ_IO_SHAPE_BOX:
        return read_size(r, shape, "size", out->size, 3);
    case GRZ_IO_SHAPE_SPHERE:
        return read_size(r, shape, "radius", out->size, 1);
    case GRZ_IO_SHAPE_CYLINDER:
    case GRZ_IO_SHAPE_CAPSULE:
        break;
    }
    return read_size(r, shape, "radius", out->size, 1) && read_size(r, shape, "length", out->size + 1, 1);
}

// The only element of the geometry; those of extensions ("drake:declare_convex") beside it are noted.
// NULL, with the reason, where there is none or several.
static const xml_element *find_shape(const robot_reading *r, const xml_element *collision)
{
    const xml_element *geometry;
    if (!grz_io_robot_only(r, collision, "geometry", &geometry))
        return NULL;
    const xml_element *first = geometry != NULL ? geometry->children : NULL, *shape = first;
    size_t count = 0;
    for (const xml_element *at = first; at != NULL; at = at->next)
        if (strchr(at->name, ':') == NULL) {
            shape = at;
            count++;
        }
    if (shape == NULL || count > 1 || (count == 0 && shape->next != NULL)) {
        grz_io_robot_refuse(r, collision, "a collision needs a geometry of one shape");
        return NULL;
    }
    for (const xml_element *at = first; at != NULL; at = at->next)
        if (at != shape && !grz_io_robot_note(r, "line %llu: link %s: %s is not heeded", (unsigned long long)at->line,
                                              grz_io_xml_value(collision->parent, "name"), at->name))
            return NULL;
    return shape;
}

static bool read_geometry(const robot_reading *r, const xml_element *collision, grz_io_collision *out)
{
    const xml_element *shape = find_shape(r, collision);
    if (shape == NULL)
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(shape->name, kinds[i]) == 0) {
            out->kind = (grz_io_shape_kind)i;
            return read_sizes(r, shape, out);
        }
    return grz_io_robot_refuse(r, shape, "unknown shape %.60s: must be mesh, box, sphere, cylinder or capsule",
                               shape->name);
}

static bool leave_out(const robot_reading *r, const grz_io_collision *read, const char *link)
{
    owned_robot *out = r->out;
    out->left_out[out->shown.left_out_count++] = (grz_io_left_out){read->link, read->kind, read->line};
    return grz_io_robot_note(r, "line %llu: link %s: a %s without an inside is left out",
                             (unsigned long long)read->line, link, kinds[read->kind]);
}

bool grz_io_robot_read_link(const robot_reading *r, const xml_element *source)
{
    owned_robot *out = r->out;
    grz_io_robot *shown = &out->shown;
    const char *name = grz_io_xml_value(source, "name");
    if (name == NULL || *name == '\0')
        return grz_io_robot_refuse(r, source, "a link needs a name");
    for (size_t i = 0; i < shown->link_count; i++)
        if (strcmp(out->links[i].name, name) == 0)
            return grz_io_robot_refuse(r, source, "there is another link of this name in line %llu",
                                       (unsigned long long)out->links[i].line);
    grz_io_link link = {.name = grz_io_robot_keep(r, name),
                        .joint = GRZ_IO_NONE,
                        .first_collision = shown->collision_count,
                        .line = source->line};
    size_t number = 0;
    for (const xml_element *at = NULL; (at = grz_io_xml_child(source, "collision", at)) != NULL; number++) {
        grz_io_collision read = {.name = grz_io_robot_keep(r, grz_io_xml_value(at, "name")),
                                 .link = shown->link_count,
                                 .number = number,
                                 .line = at->line};
        if (!read_geometry(r, at, &read) || !grz_io_robot_origin(r, at, &read.origin))
            return false;
        if (has_inside(&read))
            out->collisions[shown->collision_count++] = read;
        else if (!leave_out(r, &read, name))
            return false;
    }
    link.collision_count = shown->collision_count - link.first_collision;
    out->links[shown->link_count++] = link;
    return true;
}
