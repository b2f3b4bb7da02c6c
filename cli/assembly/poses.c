// SPDX-License-Identifier: MIT
// Places objects by name. A name must stand for one body, unless it is a glob, which may place several at once; within
// a file, and within all --pose, no object is placed twice.
#include "assembly/poses.h"

#include "arguments/pose_text.h"

#include <jansson.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FILE_SHOWN = 300,
    NAME_SHOWN = 200,
    REASON_SIZE = 700
};

// Objects on their way to their places.
typedef struct placing {
    const scene_objects *objects;
    bool *placed; // by this file, or by --pose
    named found;
} placing;

static bool begin(placing *p, const scene_objects *objects)
{
    *p = (placing){.objects = objects, .placed = calloc(objects->count + 1, sizeof(bool))};
    p->found.holds = calloc(objects->count + 1, sizeof(bool));
    return p->placed != NULL && p->found.holds != NULL;
}

static void end(placing *p)
{
    free(p->placed);
    free(p->found.holds);
}

// First `inner`, then `outer`.
static grz_pose combine(const grz_pose *outer, const grz_pose *inner)
{
    grz_pose product;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++) {
            double sum = column == 3 ? outer->m[row][3] : 0.0;
            for (int k = 0; k < 3; k++)
                sum += outer->m[row][k] * inner->m[k][column];
            product.m[row][column] = sum;
        }
    return product;
}

static bool is_identity(const grz_pose *pose)
{
    const grz_pose identity = grz_pose_identity();
    return memcmp(pose->m, identity.m, sizeof identity.m) == 0;
}

static bool place(placing *p, const char *name, const grz_pose *pose, char *reason)
{
    const scene_objects *objects = p->objects;

    names_find(objects, name, &p->found);
    if (p->found.count == 0 && p->found.silent)
        return true;
    if (p->found.count == 0)
        return names_refuse(objects, name, reason, REASON_SIZE);
    if (!p->found.is_a_glob && !names_one_body(objects, &p->found)) {
        snprintf(reason, REASON_SIZE, "%zu objects are called so, the first is number %zu: give a number",
                 p->found.count, p->found.first);
        return false;
    }
    for (size_t i = 0; i < objects->count; i++) {
        grz_error error = {0};
        if (!p->found.holds[i])
            continue;
        if (p->placed[i]) {
            snprintf(reason, REASON_SIZE, "%.*s has a pose already", NAME_SHOWN, objects->names[i]);
            return false;
        }
        p->placed[i] = true;
        const grz_pose *local = &objects->parts[i].local;
        const grz_pose moved = is_identity(local) ? *pose : combine(pose, local);
        if (grz_scene_set_pose(objects->scene, (uint32_t)i, &moved, &error) != GRZ_OK) {
            snprintf(reason, REASON_SIZE, "%s", error.message);
            return false;
        }
    }
    return true;
}

// A pose in JSON. NULL, or what is wrong with it.
static const char *read_pose(const json_t *value, grz_pose *pose, grz_error *error)
{
    double n[7] = {0};
    const size_t count = json_array_size(value); // 0 for what is no array

    if (json_is_string(value))
        return pose_read(json_string_value(value), pose, error);
    for (size_t i = 0; i < count && i < 7; i++) {
        if (!json_is_number(json_array_get(value, i)))
            return "must be 3 or 7 numbers, or text as --pose has it";
        n[i] = json_number_value(json_array_get(value, i));
    }
    if (count == 3)
        *pose = grz_pose_from_translation(n[0], n[1], n[2]);
    else if (count != 7)
        return "must be 3 or 7 numbers, or text as --pose has it";
    else if (grz_pose_from_quaternion(n, n + 3, pose, error) != GRZ_OK)
        return error->message;
    return NULL;
}

static bool place_all(placing *p, const char *file, json_t *poses, char *message)
{
    const char *name;
    json_t *value;

    json_object_foreach(poses, name, value)
    {
        grz_pose pose;
        grz_error error = {0};
        char reason[REASON_SIZE];
        const char *wrong = read_pose(value, &pose, &error);
        if (wrong == NULL && place(p, name, &pose, reason))
            continue;
        snprintf(message, LOAD_MESSAGE_SIZE, "%.*s: %.*s: %s", FILE_SHOWN, file, NAME_SHOWN, name,
                 wrong != NULL ? wrong : reason);
        return false;
    }
    return true;
}

bool poses_set_bytes(const char *file, const unsigned char *bytes, size_t count, const scene_objects *objects,
                     char message[LOAD_MESSAGE_SIZE])
{
    json_error_t error = {0};
    json_t *poses = json_loadb(bytes != NULL ? (const char *)bytes : "", count,
                               JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL | JSON_DECODE_ANY, &error);
    placing p;
    bool placed = false;

    if (poses == NULL)
        snprintf(message, LOAD_MESSAGE_SIZE, "%.*s: line %d: %s", FILE_SHOWN, file, error.line, error.text);
    else if (!json_is_object(poses))
        snprintf(message, LOAD_MESSAGE_SIZE, "%.*s: must be one JSON object, {\"name\": pose, ...}", FILE_SHOWN, file);
    else {
        placed = begin(&p, objects);
        if (!placed)
            snprintf(message, LOAD_MESSAGE_SIZE, "%.*s: out of memory", FILE_SHOWN, file);
        placed = placed && place_all(&p, file, poses, message);
        end(&p);
    }
    json_decref(poses);
    return placed;
}

static bool set_file(const char *file, const scene_objects *objects, char *message)
{
    grz_io_file *opened;
    grz_error error = {0};

    if (grz_io_file_open(file, NULL, &opened, &error) != GRZ_OK) {
        snprintf(message, LOAD_MESSAGE_SIZE, "%s", error.message);
        return false;
    }
    const bool set = poses_set_bytes(file, opened->bytes, opened->size, objects, message);
    grz_io_file_close(opened);
    return set;
}

static bool set_one(placing *p, const char *text, char *message)
{
    const char *equals = strrchr(text, '='); // a pose has none
    char *name = strndup(text, (size_t)(equals - text));
    char reason[REASON_SIZE] = "out of memory";
    grz_pose pose = grz_pose_identity();
    grz_error error = {0};
    // The parser of the command line has seen that it is a pose.
    const bool set = name != NULL && pose_read(equals + 1, &pose, &error) == NULL && place(p, name, &pose, reason);

    if (!set)
        snprintf(message, LOAD_MESSAGE_SIZE, "--pose %.*s: %s", FILE_SHOWN, text, reason);
    free(name);
    return set;
}

bool poses_set(const options *given, const scene_objects *objects, char message[LOAD_MESSAGE_SIZE])
{
    const char *text;
    placing p;
    bool set = true;

    for (size_t at = 0; set && (text = options_next(given, OPTION_POSES, &at)) != NULL;)
        set = set_file(text, objects, message);
    if (!begin(&p, objects)) {
        snprintf(message, LOAD_MESSAGE_SIZE, "--pose: out of memory");
        set = false;
    }
    for (size_t at = 0; set && (text = options_next(given, OPTION_POSE, &at)) != NULL;)
        set = set_one(&p, text, message);
    end(&p);
    return set;
}
