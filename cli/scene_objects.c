// SPDX-License-Identifier: MIT
// Makes the library's objects of a file. A part gets the vertices that its faces use and no others, renumbered in the order of use;
// the arrays for that are as large as the largest part and are used for all, so thousands of parts cost what their faces cost.
// An instance's mesh goes in as it is, once, at the pose of each node that shows it.
#include "scene_objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FILE_SHOWN = 500, // bytes of a file's and of a part's name in a message
    PART_SHOWN = 200
};

#define NO_PLACE UINT32_MAX

// A file on its way into the scene.
typedef struct file_reading {
    scene_objects *to;
    const char *file;
    model read;
    size_t first_object; // of this file
    bool refused;        // a part's mesh was refused: the message speaks of the part
    char *message;
} file_reading;

// A part with vertices of its own.
typedef struct part_arrays {
    uint32_t *place; // of each of the model's vertices in the part; NO_PLACE between parts
    double *positions;
    uint32_t *indices;
} part_arrays;

static bool fail_memory(const file_reading *f)
{
    snprintf(f->message, LOAD_MESSAGE_SIZE, "%.*s: out of memory", (int)FILE_SHOWN, f->file);
    return false;
}

// Room for one more pointer. NULL without memory; the array is as it was then.
static void *grow(void *array, size_t count, size_t *capacity)
{
    if (count < *capacity)
        return array;
    const size_t wanted = 2 * *capacity + 16;
    void *moved = wanted < SIZE_MAX / sizeof(void *) ? realloc(array, wanted * sizeof(void *)) : NULL;
    if (moved != NULL)
        *capacity = wanted;
    return moved;
}

// Make a mesh, which belongs to `to` from then on. `part`: what it is called in a message, NULL for the whole file. NULL where it
// cannot be made.
static const grz_mesh *add_mesh(file_reading *f, const grz_mesh_description *description, const char *part)
{
    scene_objects *to = f->to;
    grz_error error = {0};
    grz_mesh *mesh;

    grz_mesh **meshes = grow(to->meshes, to->mesh_count, &to->mesh_capacity);
    if (meshes == NULL) {
        fail_memory(f);
        return NULL;
    }
    to->meshes = meshes;
    if (grz_mesh_create(to->device, description, &mesh, &error) != GRZ_OK) {
        snprintf(f->message, LOAD_MESSAGE_SIZE, "%.*s%s%.*s: %s", (int)FILE_SHOWN, f->file, part != NULL ? ":" : "",
                 (int)PART_SHOWN, part != NULL ? part : "", error.message);
        f->refused = part != NULL && error.code == GRZ_ERROR_MESH;
        return NULL;
    }
    to->meshes[to->mesh_count++] = mesh;
    return mesh;
}

// "file:part", "file:node 3" where the part has no name, "file" where `part` is NULL.
static char *make_name(const file_reading *f, const char *part)
{
    char substitute[32];

    if (part == NULL)
        return strdup(f->file);
    if (*part == '\0') {
        snprintf(substitute, sizeof substitute, "node %zu", f->to->count - f->first_object + 1);
        part = substitute;
    }
    const size_t size = strlen(f->file) + strlen(part) + 2;
    char *name = malloc(size);
    if (name != NULL)
        snprintf(name, size, "%s:%s", f->file, part);
    return name;
}

static bool add_object(file_reading *f, const grz_mesh *mesh, const grz_pose *pose, const char *part)
{
    scene_objects *to = f->to;
    grz_object object = grz_object_at_origin(mesh);
    grz_error error = {0};
    uint32_t id;

    char **names = grow(to->names, to->count, &to->name_capacity);
    if (names == NULL)
        return fail_memory(f);
    to->names = names;
    char *name = make_name(f, part);
    if (name == NULL)
        return fail_memory(f);
    object.pose = *pose;
    if (grz_scene_add(to->scene, &object, &id, &error) != GRZ_OK) {
        snprintf(f->message, LOAD_MESSAGE_SIZE, "%.*s: %s", (int)(FILE_SHOWN + PART_SHOWN), name, error.message);
        free(name);
        return false;
    }
    to->names[to->count++] = name; // its number is `id`, for none was ever removed
    return true;
}

static bool add_whole(file_reading *f)
{
    const grz_mesh_description description = load_describe(&f->read);
    const grz_pose pose = grz_pose_identity();
    const grz_mesh *mesh = add_mesh(f, &description, NULL);
    return mesh != NULL && add_object(f, mesh, &pose, NULL);
}

// How many corners faces [first, first + count) have.
static uint64_t count_corners(const model *m, uint64_t first, uint64_t count)
{
    uint64_t corners = 0;

    if (m->corner_counts == NULL)
        return 3 * count;
    for (uint64_t face = first; face < first + count; face++)
        corners += m->corner_counts[face];
    return corners;
}

static bool allocate_arrays(const model *m, part_arrays *arrays)
{
    uint64_t most = 0;

    for (size_t i = 0; i < m->part_count; i++) {
        const uint64_t corners = count_corners(m, m->parts[i].first_face, m->parts[i].face_count);
        most = corners > most ? corners : most;
    }
    const uint64_t vertices = most < m->vertex_count ? most : m->vertex_count;
    // One more of each: never a size of zero.
    *arrays = (part_arrays){.place = malloc((size_t)(m->vertex_count + 1) * sizeof(uint32_t)),
                            .positions = malloc((size_t)(vertices + 1) * 3 * sizeof(double)),
                            .indices = malloc((size_t)(most + 1) * sizeof(uint32_t))};
    if (arrays->place == NULL || arrays->positions == NULL || arrays->indices == NULL)
        return false;
    for (uint64_t v = 0; v < m->vertex_count; v++)
        arrays->place[v] = NO_PLACE;
    return true;
}

static void free_arrays(part_arrays *arrays)
{
    free(arrays->place);
    free(arrays->positions);
    free(arrays->indices);
}

// Renumber the vertices of these corners from 0 on. Returns how many there are.
static uint64_t renumber(const model *m, const uint32_t *corners, uint64_t count, part_arrays *arrays)
{
    uint32_t vertices = 0;

    for (uint64_t i = 0; i < count; i++) {
        uint32_t *place = &arrays->place[corners[i]];
        if (*place == NO_PLACE) {
            *place = vertices++;
            memcpy(arrays->positions + (size_t)*place * 3, m->positions + (size_t)corners[i] * 3, 3 * sizeof(double));
        }
        arrays->indices[i] = *place;
    }
    for (uint64_t i = 0; i < count; i++)
        arrays->place[corners[i]] = NO_PLACE;
    return vertices;
}

static bool add_parts(file_reading *f)
{
    const model *m = &f->read;
    const grz_pose pose = grz_pose_identity();
    const uint32_t *corners = m->indices;
    part_arrays arrays;
    bool added = allocate_arrays(m, &arrays) || fail_memory(f);

    for (size_t i = 0; added && i < m->part_count; i++) {
        const model_part *part = &m->parts[i];
        grz_mesh_description description = load_describe(m);
        description.index_count = count_corners(m, part->first_face, part->face_count);
        description.vertex_count = renumber(m, corners, description.index_count, &arrays);
        description.positions = arrays.positions;
        description.indices = arrays.indices;
        description.face_count = part->face_count;
        description.corner_counts = m->corner_counts != NULL ? m->corner_counts + part->first_face : NULL;
        corners += description.index_count;
        const grz_mesh *mesh = add_mesh(f, &description, part->name);
        added = mesh != NULL && add_object(f, mesh, &pose, part->name);
    }
    free_arrays(&arrays);
    return added;
}

// One of the model's shared meshes.
static grz_mesh_description describe_shared(const model *m, const model_mesh *mesh)
{
    grz_mesh_description description = load_describe(m);
    description.positions = m->positions + 3 * mesh->first_vertex;
    description.vertex_count = mesh->vertex_count;
    description.indices = m->indices + mesh->first_index;
    description.index_count = mesh->index_count;
    description.face_count = mesh->face_count;
    description.corner_counts = m->corner_counts != NULL ? m->corner_counts + mesh->first_face : NULL;
    return description;
}

static bool add_instances(file_reading *f)
{
    const model *m = &f->read;
    const grz_mesh **meshes = calloc(m->mesh_count, sizeof(grz_mesh *)); // NULL where not made yet
    bool added = meshes != NULL || fail_memory(f);

    for (size_t i = 0; added && i < m->instance_count; i++) {
        const model_instance *shown = &m->instances[i];
        const grz_mesh **mesh = &meshes[shown->mesh];
        grz_pose pose;
        if (m->meshes[shown->mesh].face_count == 0)
            continue;
        if (*mesh == NULL) {
            const grz_mesh_description description = describe_shared(m, &m->meshes[shown->mesh]);
            *mesh = add_mesh(f, &description, shown->name);
        }
        memcpy(pose.m, shown->matrix, sizeof pose.m);
        added = *mesh != NULL && add_object(f, *mesh, &pose, shown->name);
    }
    free(meshes);
    return added;
}

// The library counts vertices and faces within the part. Where it refuses the file as one mesh, too, say what it says then: it has
// the numbers of `graze info`.
static void tell_of_file(file_reading *f)
{
    char unused[MODEL_MESSAGE_SIZE];
    grz_error error = {0};
    grz_mesh *mesh = NULL;

    if (!model_flatten(&f->read, f->file, unused))
        return;
    const grz_mesh_description description = load_describe(&f->read);
    if (grz_mesh_create(f->to->device, &description, &mesh, &error) == GRZ_ERROR_MESH)
        snprintf(f->message, LOAD_MESSAGE_SIZE, "%.*s: %s", (int)FILE_SHOWN, f->file, error.message);
    grz_mesh_destroy(mesh);
}

bool scene_objects_add_file(scene_objects *to, const char *file, char message[LOAD_MESSAGE_SIZE])
{
    file_reading f = {.to = to, .file = file, .first_object = to->count, .message = message};
    bool added;

    if (!model_read_instances(file, &f.read, message))
        return false;
    if (f.read.instance_count > 0)
        added = add_instances(&f);
    else if (f.read.part_count > 0)
        added = add_parts(&f);
    else
        added = add_whole(&f);
    if (f.refused)
        tell_of_file(&f);
    model_finish(&f.read);
    return added;
}

void scene_objects_finish(scene_objects *objects)
{
    for (size_t i = 0; i < objects->count; i++)
        free(objects->names[i]);
    for (size_t i = 0; i < objects->mesh_count; i++)
        grz_mesh_destroy(objects->meshes[i]);
    free(objects->names);
    free(objects->meshes);
    *objects = (scene_objects){0};
}
