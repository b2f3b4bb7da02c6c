// SPDX-License-Identifier: MIT
// The objects of a scene, with their names and meshes.
#include "assembly/scene_objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Room for one more element of `size` bytes. NULL without memory; the array is as it was then.
static void *grow(void *array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return array;
    const size_t wanted = 2 * *capacity + 16;
    void *moved = wanted < SIZE_MAX / size ? realloc(array, wanted * size) : NULL;
    if (moved != NULL)
        *capacity = wanted;
    return moved;
}

bool scene_objects_add_mesh(scene_objects *to, grz_mesh *mesh)
{
    grz_mesh **meshes = grow(to->meshes, to->mesh_count, &to->mesh_capacity, sizeof(grz_mesh *));
    if (meshes == NULL) {
        grz_mesh_destroy(mesh);
        return false;
    }
    to->meshes = meshes;
    to->meshes[to->mesh_count++] = mesh;
    return true;
}

bool scene_objects_keep_facts(scene_objects *to, file_facts *facts, char message[LOAD_MESSAGE_SIZE])
{
    file_facts *kept = realloc(to->facts, (to->fact_count + 1) * sizeof *kept);
    if (kept == NULL) {
        snprintf(message, LOAD_MESSAGE_SIZE, "out of memory");
        facts_finish(facts);
        return false;
    }
    to->facts = kept;
    kept[to->fact_count++] = *facts;
    size_t known = 0; // all with a known unit have that of the first
    while (kept[known].unit <= 0 && known + 1 < to->fact_count)
        known++;
    return facts_agree(&kept[known], facts, message, LOAD_MESSAGE_SIZE);
}

bool scene_objects_add(scene_objects *to, const grz_object *object, const char *name, const scene_object_name *parts,
                       grz_error *error)
{
    uint32_t id;
    char **names = grow(to->names, to->count, &to->name_capacity, sizeof *names);
    if (names != NULL)
        to->names = names;
    scene_object_name *grown = grow(to->parts, to->count, &to->part_capacity, sizeof *grown);
    if (grown != NULL)
        to->parts = grown;
    char *copy = names != NULL && grown != NULL ? strdup(name) : NULL;
    if (copy == NULL) {
        snprintf(error->message, sizeof error->message, "out of memory");
        return false;
    }
    if (grz_scene_add(to->scene, object, &id, error) != GRZ_OK) {
        free(copy);
        return false;
    }
    to->parts[to->count] = *parts;
    to->names[to->count++] = copy; // its number is `id`, for none was ever removed
    return true;
}
