// SPDX-License-Identifier: MIT
// Checks the objects of a level, and has their trees built.
#include <math.h>
#include <string.h>

#include "base/control.h"
#include "base/fail.h"
#include "geometry/pose.h"
#include "level/mover/surface/level.h"
#include "mesh/object_check.h"
#include "mesh/source.h"

static const double LARGEST = 0x1p100; // of what the caller gives, as <graze/mover.h> says

static double largest_of(const double v[3])
{
    return fmax(fmax(fabs(v[0]), fabs(v[1])), fabs(v[2]));
}

// Where an object was before.
static grz_status open_earlier(grz_level_object *o, const char *name, const grz_pose *earlier, uint32_t number,
                               grz_error *error)
{
    grz_object there = o->object;
    there.pose = *earlier;
    o->earlier = *earlier;
    o->moved = memcmp(earlier, &o->object.pose, sizeof *earlier) != 0;
    if (!o->moved)
        return GRZ_OK;
    const grz_status status = grz_object_check(name, &there, "an earlier pose of the level", number, error);
    if (status != GRZ_OK || o->object.mesh->triangle_count == 0)
        return status;
    const grz_box box = grz_world_box(earlier, &o->object.mesh->bounds);
    grz_box_add_box(&o->box, &box);
    return GRZ_OK;
}

static grz_status open_object(grz_level *level, const char *name, const grz_object *given, const grz_pose *earlier,
                              uint32_t number, grz_error *error)
{
    grz_level_object *o = &level->objects[level->count];
    grz_status status = grz_object_check(name, given, "an object of the level", number, error);
    *o = (grz_level_object){.object = *given, .box = grz_box_empty()};
    if (status == GRZ_OK)
        status = grz_mesh_in_memory(given->mesh, level->control, &o->object.mesh, error);
    level->count++;
    if (status == GRZ_OK && o->object.mesh->triangle_count > 0)
        o->box = grz_world_box(&o->object.pose, &o->object.mesh->bounds);
    if (status == GRZ_OK && earlier != NULL)
        status = open_earlier(o, name, earlier, number, error);
    if (status != GRZ_OK || o->object.mesh->triangle_count == 0)
        return status;
    if (fmax(largest_of(o->box.min), largest_of(o->box.max)) > LARGEST)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, number, "%s: object %u has coordinates above 2^100", name,
                        number);
    return grz_mesh_bvh(o->object.mesh, level->control, &o->bvh, error);
}

grz_status grz_level_open(grz_level *level, const char *name, const grz_object *objects, uint32_t count,
                          const grz_pose *earlier, grz_error *error)
{
    level->time = 1.0;
    if (count > 0 && objects == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "%s: the objects are NULL", name);
    if (count == 0)
        return GRZ_OK;
    level->objects = grz_allocate(grz_control_allocator(level->control), count, sizeof *level->objects);
    if (level->objects == NULL)
        return grz_control_explain(level->control, GRZ_ERROR_MEMORY, name, error);
    level->room = count;
    grz_status status = GRZ_OK;
    for (uint32_t i = 0; i < count && status == GRZ_OK; i++)
        status = open_object(level, name, &objects[i], earlier != NULL ? &earlier[i] : NULL, i, error);
    return status;
}

void grz_level_close(grz_level *level)
{
    const grz_allocator *allocator = grz_control_allocator(level->control);
    grz_array_finish(allocator, &level->kept);
    grz_release(allocator, level->objects, level->room, sizeof *level->objects);
}
