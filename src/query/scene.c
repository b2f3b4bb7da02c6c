// SPDX-License-Identifier: MIT
// Scenes: life, objects, and which of them have changed. Meshes are shared and counted: an object keeps its mesh alive.
#include "query/scene.h"

#include <string.h>

#include "base/device.h"
#include "base/fail.h"
#include "base/fp_guard.h"
#include "geometry/pose.h"
#include "query/query.h"

enum {
    MAX_OBJECTS = INT32_MAX
};

grz_status grz_scene_create(grz_device *device, grz_scene **scene, grz_error *error)
{
    if (scene != NULL)
        *scene = NULL;
    if (device == NULL || scene == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "scene: %s is NULL", device == NULL ? "device" : "scene");
    const grz_allocator *allocator = grz_device_allocator(device);
    grz_scene *made = grz_allocate_zeroed(allocator, 1, sizeof *made);
    if (made != NULL) {
        made->device = device;
        made->allocator = allocator;
        made->sweep = grz_sweep_create(allocator);
        if (made->sweep != NULL) {
            *scene = made;
            return GRZ_OK;
        }
    }
    grz_scene_destroy(made);
    return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "scene: out of memory");
}

void grz_scene_destroy(grz_scene *scene)
{
    if (scene == NULL)
        return;
    const grz_allocator *allocator = scene->allocator;
    for (size_t i = 0; i < scene->entries.count; i++)
        grz_mesh_destroy((grz_mesh *)scene->entries.items[i].object.mesh);
    grz_array_finish(allocator, &scene->entries);
    grz_array_finish(allocator, &scene->known);
    grz_array_finish(allocator, &scene->next_known);
    grz_sweep_destroy(scene->sweep);
    grz_release(allocator, scene, 1, sizeof *scene);
}

// The entry of an object; NULL where there is none.
static grz_scene_entry *find(const grz_scene *scene, uint32_t id)
{
    return scene != NULL && id < scene->entries.count && scene->entries.items[id].object.mesh != NULL ? &scene->entries.items[id]
                                                                                                      : NULL;
}

static grz_status fail_unknown(const grz_scene *scene, uint32_t id, grz_error *error)
{
    if (scene == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "scene: scene is NULL");
    return grz_fail(error, GRZ_ERROR_ARGUMENT, id, "scene: there is no object %u", id);
}

grz_status grz_scene_add(grz_scene *scene, const grz_object *object, uint32_t *id, grz_error *error)
{
    if (scene == NULL || object == NULL || id == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "scene: %s is NULL",
                        scene == NULL    ? "scene"
                        : object == NULL ? "object"
                                         : "id");
    if (object->mesh == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "scene: the object's mesh is NULL");
    const grz_fp_state fp = grz_fp_enter();
    grz_status status = grz_query_check_object("scene", object, "object", GRZ_NO_ELEMENT, error);
    grz_fp_leave(fp);
    if (status != GRZ_OK)
        return status;
    uint32_t free_id = scene->lowest_free;
    if (scene->object_count == scene->entries.count)
        free_id = scene->object_count;
    while (free_id < scene->entries.count && scene->entries.items[free_id].object.mesh != NULL)
        free_id++;
    if (free_id == MAX_OBJECTS)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "scene: more than %d objects", MAX_OBJECTS);
    if (free_id == scene->entries.count && !grz_array_add(scene->allocator, &scene->entries))
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "scene: out of memory for %u objects", scene->object_count + 1);
    scene->entries.items[free_id] = (grz_scene_entry){.object = *object, .changed = ++scene->now, .dirty = true};
    grz_mesh_retain(object->mesh);
    scene->lowest_free = free_id + 1;
    scene->object_count++;
    *id = free_id;
    return GRZ_OK;
}

grz_status grz_scene_remove(grz_scene *scene, uint32_t id, grz_error *error)
{
    grz_scene_entry *entry = find(scene, id);
    if (entry == NULL)
        return fail_unknown(scene, id, error);
    grz_sweep_remove(scene->sweep, id);
    grz_mesh_destroy((grz_mesh *)entry->object.mesh);
    *entry = (grz_scene_entry){.changed = ++scene->now};
    scene->lowest_free = id < scene->lowest_free ? id : scene->lowest_free;
    scene->object_count--;
    return GRZ_OK;
}

grz_status grz_scene_set_pose(grz_scene *scene, uint32_t id, const grz_pose *pose, grz_error *error)
{
    grz_scene_entry *entry = find(scene, id);
    if (entry == NULL)
        return fail_unknown(scene, id, error);
    if (pose == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, id, "scene: pose is NULL");
    grz_error inner = {.code = GRZ_OK};
    const grz_fp_state fp = grz_fp_enter();
    const grz_status status = grz_pose_check(pose, entry->object.mesh->max_abs, &inner);
    grz_fp_leave(fp);
    if (status != GRZ_OK)
        return grz_fail(error, status, id, "object %u: %s", id, inner.message);
    if (memcmp(&entry->object.pose, pose, sizeof *pose) == 0)
        return GRZ_OK;
    entry->object.pose = *pose;
    entry->dirty = true;
    entry->changed = ++scene->now;
    return GRZ_OK;
}

grz_status grz_scene_set_groups(grz_scene *scene, uint32_t id, uint32_t group, uint32_t mask, grz_error *error)
{
    grz_scene_entry *entry = find(scene, id);
    if (entry == NULL)
        return fail_unknown(scene, id, error);
    if (entry->object.group == group && entry->object.mask == mask)
        return GRZ_OK;
    entry->object.group = group;
    entry->object.mask = mask;
    entry->changed = ++scene->now;
    return GRZ_OK;
}

grz_status grz_scene_set_filter(grz_scene *scene, grz_scene_filter *filter, void *user, grz_error *error)
{
    if (scene == NULL)
        return fail_unknown(scene, 0, error);
    scene->filter = filter;
    scene->filter_user = user;
    return GRZ_OK;
}

const grz_object *grz_scene_object(const grz_scene *scene, uint32_t id)
{
    const grz_scene_entry *entry = find(scene, id);
    return entry != NULL ? &entry->object : NULL;
}

uint64_t grz_scene_object_count(const grz_scene *scene)
{
    return scene != NULL ? scene->object_count : 0;
}

grz_status grz_scene_refresh(grz_scene *scene, grz_control *control, grz_error *error)
{
    for (uint32_t id = 0; id < scene->entries.count; id++) {
        if (grz_control_expired_at(control, id, 12))
            return grz_control_status(control);
        grz_scene_entry *entry = &scene->entries.items[id];
        const grz_mesh *mesh = entry->object.mesh;
        if (mesh == NULL)
            continue;
        if (mesh->version != entry->version && !entry->dirty) {
            entry->dirty = true;
            entry->changed = ++scene->now;
        }
        if (!entry->dirty)
            continue;
        grz_error inner = {.code = GRZ_OK};
        const grz_status status = grz_pose_check(&entry->object.pose, mesh->max_abs, &inner);
        if (status != GRZ_OK)
            return grz_fail(error, status, id, "object %u: %s", id, inner.message);
        const grz_box box = grz_world_box(&entry->object.pose, &mesh->bounds);
        if (!grz_sweep_set(scene->sweep, id, &box))
            return grz_fail(error, GRZ_ERROR_MEMORY, id, "scene: out of memory for %u objects", scene->object_count);
        entry->version = mesh->version;
        entry->dirty = false;
    }
    return GRZ_OK;
}
