// SPDX-License-Identifier: MIT
// Makes the library's objects of a file. A part gets the vertices that its faces use and no others (grz_io_cutter). An
// instance's mesh goes in as it is, once, at the pose of each node that shows it. With --split each is an object for
// each of its shells (split.h).
#include "assembly/scene_objects.h"

#include "assembly/robot_objects.h"
#include "assembly/split.h"
#include "interrupt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FILE_SHOWN = 500, // bytes of a file's and of a part's name in a message
    PART_SHOWN = 200
};

// A file on its way into the scene.
typedef struct file_reading {
    scene_objects *to;
    const char *file;
    model read;
    size_t node_count; // parts and nodes that are objects, so far
    bool refused;      // a part's mesh was refused: the message speaks of the part
    size_t marks;      // how many # stand before the number of a shell
    char *message;
} file_reading;

static bool fail_memory(const file_reading *f)
{
    snprintf(f->message, LOAD_MESSAGE_SIZE, "%.*s: out of memory", (int)FILE_SHOWN, f->file);
    return false;
}

static bool splits(const file_reading *f)
{
    return f->to->given != NULL && (f->to->given->flags & OPTION_SPLIT) != 0;
}

// Make a mesh, and split it where that is asked for; what is made belongs to `to` from then on. `part`: what it is
// called in a message, NULL for the whole file. False where it cannot be made.
static bool add_mesh(file_reading *f, const grz_mesh_description *description, const char *part, split_mesh *made)
{
    scene_objects *to = f->to;
    grz_error error = {0};
    grz_mesh *mesh;

    *made = (split_mesh){.count = 0};
    if (grz_mesh_create(to->device, description, &mesh, &error) != GRZ_OK) {
        snprintf(f->message, LOAD_MESSAGE_SIZE, "%.*s%s%.*s: %s", (int)FILE_SHOWN, f->file, part != NULL ? ":" : "",
                 (int)PART_SHOWN, part != NULL ? part : "", error.message);
        f->refused = part != NULL && error.code == GRZ_ERROR_MESH;
        return false;
    }
    if (split_add(to, mesh, splits(f), made, &error))
        return true;
    snprintf(f->message, LOAD_MESSAGE_SIZE, "%.*s: %s", (int)FILE_SHOWN, f->file, error.message);
    return false;
}

static int compare_names(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

// Whether one of the sorted names is another one with "#2" behind it, as a shell of that one would be called.
static bool has_numbered(const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *mark = strrchr(names[i], '#');
        if (mark == NULL || mark[1] == '\0' || mark[1 + strspn(mark + 1, "0123456789")] != '\0')
            continue;
        char *whole = strndup(names[i], (size_t)(mark - names[i]));
        const bool found = whole == NULL || bsearch(&whole, names, count, sizeof *names, compare_names) != NULL;
        free(whole);
        if (found)
            return true;
    }
    return false;
}

static size_t longest_run(const char *const *names, size_t count)
{
    size_t longest = 0;
    for (size_t i = 0; i < count; i++)
        for (const char *at = strchr(names[i], '#'); at != NULL; at = strchr(at, '#')) {
            const size_t run = strspn(at, "#");
            longest = run > longest ? run : longest;
            at += run;
        }
    return longest;
}

// Find how many # stand before the number of a shell: one; or if a part of the file is called as a shell of another one
// would be, one more than stand side by side in any name. So no shell is called as a part is, nor as a shell of another
// part. False without memory.
static bool count_marks(file_reading *f)
{
    const model *m = &f->read;
    const size_t count = m->part_count + m->instance_count;
    f->marks = 1;
    if (!splits(f))
        return true;
    const char **names = calloc(count + 1, sizeof *names);
    if (names == NULL)
        return fail_memory(f);
    for (size_t i = 0; i < m->part_count; i++)
        names[i] = m->parts[i].name;
    for (size_t i = 0; i < m->instance_count; i++)
        names[m->part_count + i] = m->instances[i].name;
    qsort(names, count, sizeof *names, compare_names);
    f->marks = has_numbered(names, count) ? 1 + longest_run(names, count) : 1;
    free(names);
    return true;
}

// "file:part", "file:node 3" where the part has no name, "file" where `part` is NULL; with "#2" behind it for the
// second of several shells. `whole` receives how long it is without the "#2".
static char *make_name(const file_reading *f, const char *part, size_t shell, size_t shell_count, size_t *whole)
{
    char substitute[32], number[32] = "", *name = NULL;
    size_t marks = 0;

    if (part != NULL && *part == '\0') {
        snprintf(substitute, sizeof substitute, "node %zu", f->node_count);
        part = substitute;
    }
    if (shell_count > 1) {
        marks = f->marks;
        snprintf(number, sizeof number, "%zu", shell + 1);
    }
    *whole = strlen(f->file) + (part != NULL ? 1 + strlen(part) : 0);
    const size_t size = *whole + marks + strlen(number) + 1;
    name = malloc(size);
    if (name == NULL)
        return NULL;
    snprintf(name, size, "%s%s%s", f->file, part != NULL ? ":" : "", part != NULL ? part : "");
    memset(name + *whole, '#', marks);
    memcpy(name + *whole + marks, number, strlen(number) + 1);
    return name;
}

static bool add_object(file_reading *f, const split_mesh *shown, size_t shell, const grz_pose *pose, const char *part)
{
    scene_object_name parts = {.part = part != NULL ? strlen(f->file) + 1 : 0, .local = grz_pose_identity()};
    grz_object object = grz_object_at_origin(shown->meshes[shell]);
    grz_error error = {0};
    size_t whole;
    char *name = make_name(f, part, shell, shown->count, &whole);
    if (name == NULL)
        return fail_memory(f);
    if (shown->count > 1)
        parts.group = whole - parts.part;
    object.pose = *pose;
    const bool added = scene_objects_add(f->to, &object, name, &parts, &error);
    if (!added)
        snprintf(f->message, LOAD_MESSAGE_SIZE, "%.*s: %s", (int)(FILE_SHOWN + PART_SHOWN), name, error.message);
    free(name);
    return added;
}

// Add an object for each shell, or the one that there is.
static bool add_objects(file_reading *f, const split_mesh *shown, const grz_pose *pose, const char *part)
{
    bool added = true;

    f->node_count += part != NULL;
    for (size_t i = 0; i < shown->count && added; i++)
        added = add_object(f, shown, i, pose, part);
    return added;
}

static bool add_whole(file_reading *f)
{
    const grz_mesh_description description = load_describe(&f->read);
    const grz_pose pose = grz_pose_identity();
    split_mesh made;
    const bool added = add_mesh(f, &description, NULL, &made) && add_objects(f, &made, &pose, NULL);
    split_finish(&made);
    return added;
}

static bool add_parts(file_reading *f)
{
    const model *m = &f->read;
    const grz_pose pose = grz_pose_identity();
    grz_io_cutter *cutter;
    grz_error error = {0};
    bool added = grz_io_cutter_create(m->file, &cutter, &error) == GRZ_OK || fail_memory(f);

    for (size_t i = 0; added && i < m->part_count; i++) {
        grz_mesh_description description = grz_default_mesh_description();
        added = grz_io_cutter_cut(cutter, i, &description, &error) == GRZ_OK || fail_memory(f);
        split_mesh made = {.count = 0};
        added = added && add_mesh(f, &description, m->parts[i].name, &made) &&
                add_objects(f, &made, &pose, m->parts[i].name);
        split_finish(&made);
    }
    grz_io_cutter_destroy(cutter);
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

static bool is_zero(const double matrix[3][4])
{
    for (int i = 0; i < 12; i++)
        if (matrix[i / 4][i % 4] != 0.0)
            return false;
    return true;
}

// A node of scale 0 at the origin: a mesh of its own whose vertices are all there, because the library refuses a pose
// of zeros.
static bool add_point(file_reading *f, const model_mesh *mesh, const char *name)
{
    const grz_pose pose = grz_pose_identity();
    grz_mesh_description description = describe_shared(&f->read, mesh);
    double *positions = calloc((size_t)mesh->vertex_count + 1, 3 * sizeof(double));
    if (positions == NULL)
        return fail_memory(f);
    description.positions = positions;
    split_mesh made;
    const bool added = add_mesh(f, &description, name, &made) && add_objects(f, &made, &pose, name);
    free(positions);
    split_finish(&made);
    return added;
}

static bool add_instances(file_reading *f)
{
    const model *m = &f->read;
    split_mesh *meshes = calloc(m->mesh_count, sizeof *meshes); // empty where not made yet
    bool added = meshes != NULL || fail_memory(f);

    for (size_t i = 0; added && i < m->instance_count; i++) {
        const model_instance *shown = &m->instances[i];
        split_mesh *mesh = &meshes[shown->mesh];
        grz_pose pose;
        if (m->meshes[shown->mesh].face_count == 0)
            continue;
        if (mesh->count == 0) {
            const grz_mesh_description description = describe_shared(m, &m->meshes[shown->mesh]);
            added = add_mesh(f, &description, shown->name, mesh);
        }
        memcpy(pose.m, shown->matrix, sizeof pose.m);
        if (added && is_zero(shown->matrix))
            added = add_point(f, &m->meshes[shown->mesh], shown->name);
        else
            added = added && add_objects(f, mesh, &pose, shown->name);
    }
    for (size_t i = 0; meshes != NULL && i < m->mesh_count; i++)
        split_finish(&meshes[i]);
    free(meshes);
    return added;
}

// The library counts vertices and faces within the part. Where it refuses the file as one mesh, too, say what it says
// then: it has the numbers of `graze info`.
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

static bool keep_facts(file_reading *f)
{
    file_facts facts;
    return (facts_of_model(&f->read, f->file, &facts) || fail_memory(f)) &&
           scene_objects_keep_facts(f->to, &facts, f->message);
}

static bool add_all(file_reading *f)
{
    if (f->read.instance_count > 0)
        return add_instances(f);
    return f->read.part_count > 0 ? add_parts(f) : add_whole(f);
}

bool scene_objects_add_file(scene_objects *to, const char *file, progress *bar, char message[LOAD_MESSAGE_SIZE])
{
    const char *format = to->given != NULL ? to->given->format : NULL;
    if (format == NULL && robot_objects_is_robot(file))
        return robot_objects_add_file(to, file, bar, message);
    const grz_io_options wanted = load_options(format, bar);
    const double unit = to->given != NULL ? to->given->unit : 0;
    file_reading f = {.to = to, .file = file, .message = message};

    interrupt_watch();
    const bool done = model_read_instances(file, &wanted, &f.read, message);
    interrupt_unwatch();
    if (!done)
        return false;
    const bool added = (!(unit > 0) || model_convert(&f.read, unit, file, message)) && keep_facts(&f) &&
                       count_marks(&f) && add_all(&f);
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
    for (size_t i = 0; i < objects->silent_count; i++)
        free(objects->silent[i].name);
    free(objects->silent);
    robot_objects_finish(objects);
    for (size_t i = 0; i < objects->fact_count; i++)
        facts_finish(&objects->facts[i]);
    free(objects->facts);
    free(objects->packages_used);
    free(objects->called);
    free(objects->parts);
    free(objects->names);
    free(objects->meshes);
    *objects = (scene_objects){0};
}
