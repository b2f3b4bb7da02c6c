// SPDX-License-Identifier: MIT
// From a robot to objects. A mesh that several shapes show is read once; its scale is part of the pose. Poses are
// frames (<graze/io_robot.h>) turned into matrices at the end.
#include "assembly/robot_objects.h"

#include "arguments/nearest.h"
#include "assembly/packages.h"
#include "interrupt.h"
#include "report/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    FILE_SHOWN = 300,
    NAME_SHOWN = 100,
    REASON_SIZE = 820
};

bool robot_objects_is_robot(const char *file)
{
    size_t length = strlen(file);
    if (length > 3 && strcasecmp(file + length - 3, ".gz") == 0)
        length -= 3;
    return (length > 5 && strncasecmp(file + length - 5, ".urdf", 5) == 0) ||
           (length > 6 && strncasecmp(file + length - 6, ".xacro", 6) == 0); // refused by name, unless it has no macros
}

// A robot on its way into the scene.
typedef struct robot_loading {
    scene_objects *to;
    scene_robot *robot;
    progress *bar;
    char *message;
    // Meshes that were read: paths[i] is the file of meshes[i], declares[i] what it declares.
    char **paths;
    declared *declares;
    const grz_mesh **meshes;
    size_t mesh_count;
} robot_loading;

static bool fail_memory(const robot_loading *l)
{
    snprintf(l->message, LOAD_MESSAGE_SIZE, "%.*s: out of memory", FILE_SHOWN, l->robot->file);
    return false;
}

static bool fail(const robot_loading *l, const grz_io_collision *at, const char *reason)
{
    snprintf(l->message, LOAD_MESSAGE_SIZE, "%.*s: line %llu: link %.*s: %s", FILE_SHOWN, l->robot->file,
             (unsigned long long)at->line, NAME_SHOWN, l->robot->is->links[at->link].name, reason);
    return false;
}

// ---- meshes

static const grz_mesh *make_shape(const robot_loading *l, const grz_io_collision *from)
{
    grz_io_model *shape;
    grz_mesh_description description = grz_default_mesh_description();
    grz_error error = {0};
    grz_mesh *mesh = NULL;

    const bool made = grz_io_shape_model(from, NULL, &shape, &error) == GRZ_OK &&
                      grz_io_describe(shape, &description, &error) == GRZ_OK &&
                      grz_mesh_create(l->to->device, &description, &mesh, &error) == GRZ_OK;
    grz_io_model_destroy(shape);
    if (!made)
        fail(l, from, error.message);
    else if (!scene_objects_add_mesh(l->to, mesh))
        fail_memory(l);
    else
        return mesh;
    return NULL;
}

// Keep the notes on a mesh, which the report has to tell. The facts are moved. False without memory.
static bool keep_facts(const robot_loading *l, bool collada, file_facts *facts)
{
    char unused[LOAD_MESSAGE_SIZE];
    file_facts kept = *facts;
    if (facts->note_count == 0)
        return true;
    *facts = (file_facts){0};
    kept.unit = 1; // by the definition of the robot's format
    kept.counts_as_unit = !collada;
    return scene_objects_keep_facts(l->to, &kept, unused);
}

// The unit that a COLLADA file declares counts in a robot, as ROS has it; its up axis does not.
static void apply_declared(const robot_loading *l, size_t collision, const declared *from)
{
    double *scale = l->robot->is->collisions[collision].size;
    l->robot->declares[collision] = *from;
    for (int i = 0; from->collada && from->unit > 0 && i < 3; i++)
        scale[i] *= from->unit;
}

static const grz_mesh *read_mesh(robot_loading *l, const grz_io_collision *from)
{
    char reason[REASON_SIZE], message[LOAD_MESSAGE_SIZE];
    loaded_mesh loaded;

    char *path = packages_find(l->to, l->robot->file, from->mesh, reason, sizeof reason);
    if (path == NULL) {
        fail(l, from, reason);
        return NULL;
    }
    for (size_t i = 0; i < l->mesh_count; i++)
        if (strcmp(l->paths[i], path) == 0) {
            free(path);
            apply_declared(l, (size_t)(from - l->robot->is->collisions), &l->declares[i]);
            return l->meshes[i];
        }
    progress_phase(l->bar, "reading", path);
    if (!load_mesh(l->to->device, path, NULL, l->bar, &loaded, message)) {
        snprintf(reason, sizeof reason, "mesh %.*s", (int)(sizeof reason - 8), message);
        fail(l, from, reason);
        free(path);
        return NULL;
    }
    grz_mesh *mesh = loaded.mesh;
    loaded.mesh = NULL;
    const bool collada = loaded.format != NULL && strcmp(loaded.format, "COLLADA") == 0;
    const grz_io_up up = loaded.facts.up_axis;
    l->declares[l->mesh_count] = (declared){loaded.facts.unit, up != GRZ_IO_UP_Z && up != GRZ_IO_UP_UNKNOWN, collada};
    apply_declared(l, (size_t)(from - l->robot->is->collisions), &l->declares[l->mesh_count]);
    const bool kept = keep_facts(l, collada, &loaded.facts);
    load_finish(&loaded);
    if (!scene_objects_add_mesh(l->to, mesh) || !kept) {
        free(path);
        fail_memory(l);
        return NULL;
    }
    l->paths[l->mesh_count] = path;
    l->meshes[l->mesh_count++] = mesh;
    return mesh;
}

// ---- poses

// The matrix of a frame, with the shape's scale before it.
static bool make_pose(const grz_io_frame *frame, const grz_io_collision *of, grz_pose *pose, grz_error *error)
{
    if (grz_pose_from_quaternion(frame->translation, frame->quaternion, pose, error) != GRZ_OK)
        return false;
    if (of->kind == GRZ_IO_SHAPE_MESH)
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 3; column++)
                pose->m[row][column] *= of->size[column];
    return true;
}

static bool pose_of(const scene_robot *robot, const grz_io_collision *of, grz_pose *pose, grz_error *error)
{
    const grz_io_frame frame = grz_io_frame_product(robot->frames[of->link], of->origin);
    return make_pose(&frame, of, pose, error);
}

// ---- objects

// "file:link", "file:link/name", "file:link/1".
static char *make_name(const robot_loading *l, const grz_io_collision *of)
{
    const grz_io_link *link = &l->robot->is->links[of->link];
    char number[24];
    snprintf(number, sizeof number, "%zu", of->number);
    const char *own = of->name != NULL && *of->name != '\0' ? of->name : number;
    const size_t size = strlen(l->robot->file) + strlen(link->name) + strlen(own) + 3;
    char *name = malloc(size);
    if (name != NULL && link->collision_count > 1)
        snprintf(name, size, "%s:%s/%s", l->robot->file, link->name, own);
    else if (name != NULL)
        snprintf(name, size, "%s:%s", l->robot->file, link->name);
    return name;
}

static bool add_shape(robot_loading *l, const grz_io_collision *from)
{
    const grz_mesh *mesh = from->kind == GRZ_IO_SHAPE_MESH ? read_mesh(l, from) : make_shape(l, from);
    if (mesh == NULL)
        return false;
    grz_object object = grz_object_at_origin(mesh);
    grz_error error = {0};
    scene_object_name parts = {.part = strlen(l->robot->file) + 1,
                               .group = strlen(l->robot->is->links[from->link].name),
                               .body = l->to->body_count + 1 + from->link};
    char *name = make_name(l, from);
    if (name == NULL)
        return fail_memory(l);
    const bool added = make_pose(&from->origin, from, &parts.local, &error) &&
                       pose_of(l->robot, from, &object.pose, &error) &&
                       scene_objects_add(l->to, &object, name, &parts, &error);
    free(name);
    return added || fail(l, from, error.message);
}

static bool add_silent(const robot_loading *l, const grz_io_link *link)
{
    scene_objects *to = l->to;
    scene_silent_name *silent = realloc(to->silent, (to->silent_count + 1) * sizeof *silent);
    const size_t size = strlen(l->robot->file) + strlen(link->name) + 2;
    if (silent == NULL)
        return fail_memory(l);
    to->silent = silent;
    silent[to->silent_count] = (scene_silent_name){malloc(size), strlen(l->robot->file) + 1};
    if (silent[to->silent_count].name == NULL)
        return fail_memory(l);
    snprintf(silent[to->silent_count++].name, size, "%s:%s", l->robot->file, link->name);
    l->robot->silent_links++;
    return true;
}

static bool add_links(robot_loading *l)
{
    const grz_io_robot *is = l->robot->is;
    bool added = true;

    if (is->collision_count == 0) {
        snprintf(l->message, LOAD_MESSAGE_SIZE, "%.*s: no link has collision geometry%s", FILE_SHOWN, l->robot->file,
                 is->left_out_count > 0 ? " that has an inside" : "");
        return false;
    }
    for (size_t i = 0; added && i < is->link_count; i++)
        if (is->links[i].collision_count == 0)
            added = add_silent(l, &is->links[i]);
    for (size_t i = 0; added && i < is->collision_count; i++)
        added = add_shape(l, &is->collisions[i]);
    l->to->body_count += is->link_count;
    return added;
}

static bool read_robot(robot_loading *l)
{
    char reason[REASON_SIZE] = "";
    grz_io_options wanted = grz_io_default_options();
    grz_error error = {0};
    scene_robot *robot = l->robot;

    wanted.reason = reason;
    wanted.reason_size = sizeof reason;
    if (grz_io_robot_load_file(robot->file, &wanted, &robot->is, &error) != GRZ_OK) {
        snprintf(l->message, LOAD_MESSAGE_SIZE, "%.*s: %s", FILE_SHOWN, robot->file, reason);
        return false;
    }
    robot->values = calloc(robot->is->joint_count + 1, sizeof *robot->values);
    robot->frames = calloc(robot->is->link_count + 1, sizeof *robot->frames);
    l->paths = calloc(robot->is->collision_count + 1, sizeof *l->paths);
    l->declares = calloc(robot->is->collision_count + 1, sizeof *l->declares);
    l->meshes = calloc(robot->is->collision_count + 1, sizeof(grz_mesh *));
    robot->declares = calloc(robot->is->collision_count + 1, sizeof *robot->declares);
    if (robot->values == NULL || robot->frames == NULL || l->paths == NULL || l->declares == NULL ||
        l->meshes == NULL || robot->declares == NULL)
        return fail_memory(l);
    return grz_io_robot_place(robot->is, robot->values, robot->frames, &error) == GRZ_OK;
}

bool robot_objects_add_file(scene_objects *to, const char *file, progress *bar, char message[LOAD_MESSAGE_SIZE])
{
    scene_robot *robots = realloc(to->robots, (to->robot_count + 1) * sizeof *robots);
    if (robots != NULL)
        to->robots = robots;
    if (to->packages_used == NULL && to->given != NULL)
        to->packages_used = calloc(to->given->value_count + 1, sizeof(bool));
    if (robots == NULL || (to->packages_used == NULL && to->given != NULL)) {
        snprintf(message, LOAD_MESSAGE_SIZE, "%.*s: out of memory", FILE_SHOWN, file);
        return false;
    }
    file_facts facts;
    if (to->given != NULL && (to->given->unit < 1 || to->given->unit > 1) && to->given->unit > 0) {
        snprintf(message, LOAD_MESSAGE_SIZE, "%.*s: a robot is in metres: --unit has to be m", FILE_SHOWN, file);
        return false;
    }
    if (!facts_of_robot(file, &facts)) {
        snprintf(message, LOAD_MESSAGE_SIZE, "%.*s: out of memory", FILE_SHOWN, file);
        return false;
    }
    if (!scene_objects_keep_facts(to, &facts, message))
        return false;
    robots[to->robot_count] = (scene_robot){.file = file, .first_object = to->count};
    robot_loading l = {.to = to, .robot = &robots[to->robot_count++], .bar = bar, .message = message};
    const bool added = read_robot(&l) && add_links(&l);
    for (size_t i = 0; i < l.mesh_count; i++)
        free(l.paths[i]);
    free(l.paths);
    free(l.declares);
    free(l.meshes);
    return added;
}

void robot_objects_finish(scene_objects *objects)
{
    for (size_t i = 0; i < objects->robot_count; i++) {
        grz_io_robot_destroy(objects->robots[i].is);
        free(objects->robots[i].values);
        free(objects->robots[i].ends);
        free(objects->robots[i].declares);
        free(objects->robots[i].frames);
    }
    free(objects->robots);
}

// ---- joints

// Whether `wanted` is the joint's name, or FILE:NAME.
static bool is_joint(const scene_robot *robot, const grz_io_joint *joint, const char *wanted, size_t length)
{
    const size_t file = strlen(robot->file), name = strlen(joint->name);
    if (name == length && memcmp(joint->name, wanted, length) == 0)
        return true;
    return length == file + 1 + name && memcmp(robot->file, wanted, file) == 0 && wanted[file] == ':' &&
           memcmp(joint->name, wanted + file + 1, name) == 0;
}

// A joint of the command line.
typedef struct joint_setting {
    scene_robot *robot;
    size_t joint;
} joint_setting;

static bool find_joint(const scene_objects *objects, const char *wanted, size_t length, joint_setting *out,
                       char *reason)
{
    char typed[NEAREST_LONGEST];
    size_t found = 0;
    snprintf(typed, sizeof typed, "%.*s", (int)length, wanted);
    nearest near = nearest_begin(typed);

    for (size_t i = 0; i < objects->robot_count; i++)
        for (size_t k = 0; k < objects->robots[i].is->joint_count; k++) {
            const grz_io_joint *joint = &objects->robots[i].is->joints[k];
            nearest_try(&near, joint->name);
            if (!is_joint(&objects->robots[i], joint, wanted, length))
                continue;
            if (found++ > 0) {
                snprintf(reason, REASON_SIZE, "%.*s and %.*s both have a joint of this name: write FILE:NAME",
                         NAME_SHOWN, out->robot->file, NAME_SHOWN, objects->robots[i].file);
                return false;
            }
            *out = (joint_setting){&objects->robots[i], k};
        }
    if (found == 0 && near.best != NULL)
        snprintf(reason, REASON_SIZE, "no joint is called so; did you mean %.*s?", NAME_SHOWN, near.best);
    else if (found == 0)
        snprintf(reason, REASON_SIZE, "no joint is called so");
    return found == 1;
}

static const char *unit_of(const grz_io_joint *joint)
{
    return joint->kind == GRZ_IO_JOINT_PRISMATIC ? "m" : "rad";
}

static bool may_have(const joint_setting *set, double value, char *reason)
{
    const grz_io_joint *joint = &set->robot->is->joints[set->joint];
    char lower[NUMBER_SIZE], upper[NUMBER_SIZE];
    if (joint->mimic != GRZ_IO_NONE)
        snprintf(reason, REASON_SIZE, "it follows joint %.*s", NAME_SHOWN, set->robot->is->joints[joint->mimic].name);
    else if (joint->kind == GRZ_IO_JOINT_FIXED)
        snprintf(reason, REASON_SIZE, "it is a fixed joint");
    else if (joint->kind > GRZ_IO_JOINT_PRISMATIC)
        snprintf(reason, REASON_SIZE,
                 "floating, planar and spherical joints stay at zero: give the links' poses by --pose");
    else if (joint->limited && (value < joint->lower || value > joint->upper))
        snprintf(reason, REASON_SIZE, "beyond its limits, %s to %s %s", number_shortest(joint->lower, lower),
                 number_shortest(joint->upper, upper), unit_of(joint));
    else
        return true;
    return false;
}

static bool set_joint(const scene_objects *objects, const char *text, bool ends, bool *const *taken, char *message)
{
    const char *equals = strrchr(text, '='); // the parser of the command line has seen that there is a number behind it
    const char *colon = strchr(equals, ':'); // and another one behind that
    const double value = strtod(ends && colon != NULL ? colon + 1 : equals + 1, NULL);
    char reason[REASON_SIZE];
    joint_setting set = {.robot = NULL};

    bool done = find_joint(objects, text, (size_t)(equals - text), &set, reason) && may_have(&set, value, reason);
    if (done) {
        bool *given = &taken[set.robot - objects->robots][set.joint];
        if (*given)
            snprintf(reason, sizeof reason, "this joint has a value already");
        done = !*given;
        *given = true;
        set.robot->values[set.joint] = value;
    }
    if (!done)
        snprintf(message, LOAD_MESSAGE_SIZE, "--joint %.*s: %s", FILE_SHOWN, text, reason);
    return done;
}

// Joints that follow a joint whose value was given keep their own limits. The robot is placed: all joints have values.
static bool check_followers(const scene_robot *robot, const bool *taken, char *message)
{
    const grz_io_joint *joints = robot->is->joints;
    for (size_t i = 0; i < robot->is->joint_count; i++) {
        size_t leader = i;
        while (joints[leader].mimic != GRZ_IO_NONE)
            leader = joints[leader].mimic;
        const double value = robot->values[i];
        char at[NUMBER_SIZE], lower[NUMBER_SIZE], upper[NUMBER_SIZE];
        if (leader == i || !taken[leader] || !joints[i].limited ||
            (value >= joints[i].lower && value <= joints[i].upper))
            continue;
        snprintf(message, LOAD_MESSAGE_SIZE,
                 "--joint %.*s: joint %.*s follows it to %s, beyond its limits, %s to %s %s", NAME_SHOWN,
                 joints[leader].name, NAME_SHOWN, joints[i].name, number_shortest(value, at),
                 number_shortest(joints[i].lower, lower), number_shortest(joints[i].upper, upper), unit_of(&joints[i]));
        return false;
    }
    return true;
}

static bool move_objects(scene_objects *objects, scene_robot *robot, const bool *taken, char *message)
{
    grz_error error = {0};
    if (grz_io_robot_place(robot->is, robot->values, robot->frames, &error) != GRZ_OK) {
        snprintf(message, LOAD_MESSAGE_SIZE, "%.*s: %s", FILE_SHOWN, robot->file, error.message);
        return false;
    }
    if (!check_followers(robot, taken, message))
        return false;
    for (size_t i = 0; i < robot->is->collision_count; i++) {
        const uint32_t object = (uint32_t)(robot->first_object + i);
        grz_pose pose;
        if (pose_of(robot, &robot->is->collisions[i], &pose, &error) &&
            grz_scene_set_pose(objects->scene, object, &pose, &error) == GRZ_OK)
            continue;
        snprintf(message, LOAD_MESSAGE_SIZE, "%.*s: %s", FILE_SHOWN, objects->names[object], error.message);
        return false;
    }
    return true;
}

// Give the joints their values: those of the command line, or where their ranges end.
static bool set_joints(const options *given, scene_objects *objects, bool ends, char *message)
{
    bool **taken = calloc(objects->robot_count + 1, sizeof *taken);
    bool moved = taken != NULL;
    const char *text;

    for (size_t i = 0; moved && i < objects->robot_count; i++) {
        taken[i] = calloc(objects->robots[i].is->joint_count + 1, sizeof(bool));
        moved = taken[i] != NULL;
    }
    if (!moved)
        snprintf(message, LOAD_MESSAGE_SIZE, "out of memory for the joints");
    for (size_t at = 0; moved && (text = options_next(given, OPTION_JOINT, &at)) != NULL;)
        moved = set_joint(objects, text, ends, taken, message);
    for (size_t i = 0; moved && (given->flags & OPTION_JOINT) != 0 && i < objects->robot_count; i++)
        moved = move_objects(objects, &objects->robots[i], taken[i], message);
    for (size_t i = 0; taken != NULL && i < objects->robot_count; i++)
        free(taken[i]);
    free(taken);
    return moved;
}

bool robot_objects_move(const options *given, scene_objects *objects, char message[LOAD_MESSAGE_SIZE])
{
    return set_joints(given, objects, false, message);
}

// The ends first, which are put aside; then the beginnings.
bool robot_objects_range(const options *given, scene_objects *objects, char message[LOAD_MESSAGE_SIZE])
{
    bool moved = set_joints(given, objects, true, message);
    for (size_t i = 0; moved && i < objects->robot_count; i++) {
        scene_robot *robot = &objects->robots[i];
        const size_t bytes = (robot->is->joint_count + 1) * sizeof *robot->ends;
        robot->ends = malloc(bytes);
        moved = robot->ends != NULL;
        if (moved)
            memcpy(robot->ends, robot->values, bytes);
        else
            snprintf(message, LOAD_MESSAGE_SIZE, "out of memory for the joints");
    }
    return moved && set_joints(given, objects, false, message);
}

bool robot_objects_check(const options *given, const scene_objects *objects, char message[LOAD_MESSAGE_SIZE])
{
    for (size_t i = 0; i < given->value_count; i++) {
        const option_value *value = &given->values[i];
        const char *option = value->option == OPTION_PACKAGE ? "--package" : "--joint";
        if (value->option != OPTION_PACKAGE && value->option != OPTION_JOINT)
            continue;
        if (objects->robot_count == 0)
            snprintf(message, LOAD_MESSAGE_SIZE, "%s %.*s: there is no robot: none of the files ends in .urdf", option,
                     FILE_SHOWN, value->text);
        else if (value->option == OPTION_PACKAGE && !objects->packages_used[i])
            snprintf(message, LOAD_MESSAGE_SIZE, "--package %.*s: no mesh is in a package of this name", FILE_SHOWN,
                     value->text);
        else
            continue;
        return false;
    }
    return true;
}

// ---- which pairs are excluded

static bool exclude(exclusions *out, const grz_io_link *a, const grz_io_link *b, size_t first_object, const char *why)
{
    if (a->collision_count == 0 || b->collision_count == 0 || (a == b && a->collision_count == 1))
        return true;
    const uint32_t reason = exclusions_reason(out, why);
    bool added = reason != UINT32_MAX;
    for (size_t i = 0; added && i < a->collision_count; i++)
        for (size_t k = a == b ? i + 1 : 0; added && k < b->collision_count; k++)
            added = exclusions_add(out, (uint32_t)(first_object + a->first_collision + i),
                                   (uint32_t)(first_object + b->first_collision + k), reason);
    return added;
}

bool robot_objects_exclude(const scene_objects *objects, bool adjacent, exclusions *out)
{
    char why[NAME_SHOWN + 32];
    bool added = true;

    for (size_t i = 0; i < objects->robot_count; i++) {
        const scene_robot *robot = &objects->robots[i];
        for (size_t k = 0; added && k < robot->is->link_count; k++) {
            const grz_io_link *link = &robot->is->links[k];
            snprintf(why, sizeof why, "one link: %.*s", NAME_SHOWN, link->name);
            added = exclude(out, link, link, robot->first_object, why);
        }
        for (size_t k = 0; adjacent && added && k < robot->is->joint_count; k++) {
            const grz_io_joint *joint = &robot->is->joints[k];
            snprintf(why, sizeof why, "adjacent: joint %.*s", NAME_SHOWN, joint->name);
            added = exclude(out, &robot->is->links[joint->parent], &robot->is->links[joint->child], robot->first_object,
                            why);
        }
    }
    return added;
}
