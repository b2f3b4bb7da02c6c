// SPDX-License-Identifier: MIT
// Scenes: create and destroy, objects, and which of them have changed. Meshes have reference counts: an object keeps
// its mesh alive.
#include "query/scene.h"

#include <assert.h>
#include <string.h>

#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/fp_guard.h"
#include "geometry/pose.h"
#include "mesh/object_check.h"
#include "query/query.h"

enum {
    MAX_OBJECTS = INT32_MAX
};

grz_status grz_scene_create(grz_device *device, grz_scene **scene, grz_error *error)
{
    if (scene != NULL)
        *scene = NULL;
    if (device == NULL || scene == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "scene: %s is NULL",
                        device == NULL ? "device" : "scene");
    const grz_allocator *allocator = grz_device_allocator(device);
    grz_scene *created = grz_allocate_zeroed(allocator, 1, sizeof *created);
    if (created != NULL) {
        created->device = device;
        created->allocator = allocator;
        grz_device_retain(device);
        created->pairs = grz_pairs_create(GRZ_PAIRS_AUTO, allocator, grz_device_simd(device));
        if (created->pairs != NULL) {
            *scene = created;
            return GRZ_OK;
        }
    }
    grz_scene_destroy(created);
    return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "scene: out of memory");
}

void grz_scene_destroy(grz_scene *scene)
{
    if (scene == NULL)
        return;
    const grz_allocator *allocator = scene->allocator;
    grz_device *device = scene->device;
    for (size_t i = 0; i < scene->objects.count; i++)
        grz_mesh_destroy((grz_mesh *)scene->objects.items[i].mesh);
    grz_array_finish(allocator, &scene->objects);
    grz_array_finish(allocator, &scene->objects_in_memory);
    grz_array_finish(allocator, &scene->entries);
    grz_pair_cache_forget(allocator, &scene->cache);
    grz_pairs_destroy(scene->pairs);
    grz_release(allocator, scene, 1, sizeof *scene);
    grz_device_release(device);
}

// The object with a number; NULL: there is none.
static grz_object *find(const grz_scene *scene, uint32_t id)
{
    return scene != NULL && id < scene->objects.count && scene->objects.items[id].mesh != NULL
               ? &scene->objects.items[id]
               : NULL;
}

// Note that an object has changed. `box_changed`: the broad phase needs its new box.
static void note_change(grz_scene *scene, uint32_t id, bool box_changed)
{
    grz_scene_entry *entry = &scene->entries.items[id];
    assert(scene->objects.items[id].mesh != NULL);
    entry->changed = ++scene->now;
    entry->dirty = entry->dirty || box_changed;
}

// Make room for one more object. The two arrays grow together.
static bool add_room(grz_scene *scene)
{
    const size_t wanted = scene->objects.count + 1;
    assert(scene->objects.count == scene->entries.count);
    if (!grz_array_reserve(scene->allocator, &scene->objects, wanted) ||
        !grz_array_reserve(scene->allocator, &scene->entries, wanted))
        return false;
    scene->objects.count = scene->entries.count = wanted;
    return true;
}

static grz_status fail_unknown(const grz_scene *scene, uint32_t id, grz_error *error)
{
    if (scene == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "scene: scene is NULL");
    return grz_fail(error, GRZ_ERROR_ARGUMENT, id, "scene: there is no object %u", id);
}

static grz_status add(grz_scene *scene, const grz_object *object, uint32_t *id, grz_error *error)
{
    const grz_status status = grz_object_check("scene", object, "object", GRZ_NO_ELEMENT, error);
    if (status != GRZ_OK)
        return status;
    const grz_object added = *object; // it may be one of this scene's, which move when there are more
    uint32_t free_id = scene->lowest_free;
    if (scene->object_count == scene->objects.count)
        free_id = scene->object_count;
    while (free_id < scene->objects.count && scene->objects.items[free_id].mesh != NULL)
        free_id++;
    assert(free_id <= scene->objects.count);
    if (free_id == MAX_OBJECTS)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "scene: more than %d objects", MAX_OBJECTS);
    if (free_id == scene->objects.count && !add_room(scene))
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "scene: out of memory for %u objects",
                        scene->object_count + 1);
    scene->objects.items[free_id] = added;
    scene->entries.items[free_id] = (grz_scene_entry){.changed = 0};
    note_change(scene, free_id, true);
    scene->entries.items[free_id].added = scene->now;
    grz_mesh_retain(added.mesh);
    scene->in_buffers_count += added.mesh->source != NULL;
    scene->lowest_free = free_id + 1;
    scene->object_count++;
    *id = free_id;
    return GRZ_OK;
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
    if (object->group == 0 && object->mask == 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "scene: the object's group and mask are both 0, so that it could touch nothing; make it by "
                        "grz_object_at_origin() or grz_object_at()");
    grz_call call;
    grz_status status = grz_call_begin(&call, "scene", scene->device, NULL, NULL, NULL, error);
    if (status == GRZ_OK)
        status = add(scene, object, id, error);
    return grz_call_end(&call, status);
}

grz_status grz_scene_remove(grz_scene *scene, uint32_t id, grz_error *error)
{
    grz_object *object = find(scene, id);
    if (object == NULL)
        return fail_unknown(scene, id, error);
    grz_pairs_remove(scene->pairs, id);
    scene->in_buffers_count -= object->mesh->source != NULL;
    grz_mesh_destroy((grz_mesh *)object->mesh);
    *object = (grz_object){.mesh = NULL};
    scene->entries.items[id] = (grz_scene_entry){.changed = ++scene->now};
    scene->lowest_free = id < scene->lowest_free ? id : scene->lowest_free;
    assert(scene->object_count > 0);
    scene->object_count--;
    assert(scene->in_buffers_count <= scene->object_count);
    return GRZ_OK;
}

grz_status grz_scene_set_pose(grz_scene *scene, uint32_t id, const grz_pose *pose, grz_error *error)
{
    grz_object *object = find(scene, id);
    if (object == NULL)
        return fail_unknown(scene, id, error);
    if (pose == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, id, "scene: pose is NULL");
    grz_error inner = {.code = GRZ_OK};
    const grz_fp_state fp = grz_fp_enter();
    const grz_status status = grz_pose_check(pose, object->mesh->max_abs, &inner);
    grz_fp_leave(fp);
    if (status != GRZ_OK)
        return grz_fail(error, status, id, "object %u: %s", id, inner.message);
    if (memcmp(&object->pose, pose, sizeof *pose) == 0)
        return GRZ_OK;
    object->pose = *pose;
    note_change(scene, id, true);
    return GRZ_OK;
}

grz_status grz_scene_set_groups(grz_scene *scene, uint32_t id, uint32_t group, uint32_t mask, grz_error *error)
{
    grz_object *object = find(scene, id);
    if (object == NULL)
        return fail_unknown(scene, id, error);
    if (object->group == group && object->mask == mask)
        return GRZ_OK;
    object->group = group;
    object->mask = mask;
    note_change(scene, id, false);
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

grz_status grz_scene_set_broad_phase(grz_scene *scene, grz_broad_phase broad_phase, grz_error *error)
{
    static const grz_pairs_kind kinds[] = {[GRZ_BROAD_PHASE_AUTO] = GRZ_PAIRS_AUTO,
                                           [GRZ_BROAD_PHASE_SWEEP] = GRZ_PAIRS_SWEEP,
                                           [GRZ_BROAD_PHASE_TREE] = GRZ_PAIRS_TREE,
                                           [GRZ_BROAD_PHASE_GRID] = GRZ_PAIRS_GRID};
    if (scene == NULL)
        return fail_unknown(scene, 0, error);
    if ((unsigned)broad_phase >= sizeof kinds / sizeof *kinds)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "scene: there is no broad phase %u",
                        (unsigned)broad_phase);
    if (broad_phase == scene->broad_phase)
        return GRZ_OK;
    grz_pairs *pairs = grz_pairs_create(kinds[broad_phase], scene->allocator, grz_device_simd(scene->device));
    if (pairs == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "scene: out of memory");
    grz_pairs_destroy(scene->pairs);
    scene->pairs = pairs;
    scene->broad_phase = broad_phase;
    for (size_t i = 0; i < scene->entries.count; i++) // the box, not the object
        scene->entries.items[i].dirty = true;
    return GRZ_OK;
}

const grz_object *grz_scene_object(const grz_scene *scene, uint32_t id)
{
    return find(scene, id);
}

uint64_t grz_scene_object_serial(const grz_scene *scene, uint32_t id)
{
    return find(scene, id) != NULL ? scene->entries.items[id].added : 0;
}

uint32_t grz_scene_object_count(const grz_scene *scene)
{
    return scene != NULL ? scene->object_count : 0;
}

grz_status grz_scene_refresh(grz_scene *scene, double reach, grz_control *control, grz_error *error)
{
    for (size_t i = 0; i < scene->entries.count && scene->reach != reach; i++)
        scene->entries.items[i].dirty = true; // the box, not the object
    scene->reach = reach;
    for (uint32_t id = 0; id < scene->objects.count; id++) {
        if (grz_control_expired_at(control, id, 12))
            return grz_control_status(control);
        grz_scene_entry *entry = &scene->entries.items[id];
        const grz_object *object = &scene->objects.items[id];
        const grz_mesh *mesh = object->mesh;
        if (mesh == NULL)
            continue;
        if (mesh->version != entry->version)
            note_change(scene, id, true);
        if (!entry->dirty)
            continue;
        grz_error inner = {.code = GRZ_OK};
        const grz_status status = grz_pose_check(&object->pose, mesh->max_abs, &inner);
        if (status != GRZ_OK)
            return grz_fail(error, status, id, "object %u: %s", id, inner.message);
        const grz_box own = grz_world_box(&object->pose, &mesh->bounds), box = grz_box_grown(&own, 0.5 * reach);
        if (!grz_pairs_set(scene->pairs, id, &box))
            return grz_fail(error, GRZ_ERROR_MEMORY, id, "scene: out of memory for %u objects", scene->object_count);
        entry->version = mesh->version;
        entry->dirty = false;
    }
    return GRZ_OK;
}

bool grz_scene_allows(const grz_scene *scene, uint32_t a, uint32_t b)
{
    const grz_object *x = &scene->objects.items[a], *y = &scene->objects.items[b];
    return (x->group & y->mask) != 0 && (y->group & x->mask) != 0 &&
           (scene->filter == NULL || scene->filter(a, x, b, y, scene->filter_user));
}
