// SPDX-License-Identifier: MIT
// Pairs in the order of their numbers. What is known of the first contact cuts the search of all that follow.
#include "sweep/sweep.h"

#include "answers/query.h"
#include "assembly/adjacent.h"
#include "assembly/allow.h"
#include "command.h"
#include "deliver.h"
#include "output.h"
#include "sweep/chain.h"
#include "sweep/describe_sweep.h"

#include <math.h>
#include <stdio.h>

static void end_bar(sweep *s)
{
    progress_end(s->bar);
    s->bar = NULL;
}

static bool fail(sweep *s, const char *message)
{
    end_bar(s);
    complain(s->given->command, "%s", message);
    return false;
}

// The robot that an object belongs to, and its shape there. NULL: it is none's.
static const scene_robot *robot_of(const sweep *s, uint32_t object, const grz_io_collision **shape)
{
    for (size_t i = 0; i < s->objects.robot_count; i++) {
        const scene_robot *robot = &s->objects.robots[i];
        if (object < robot->first_object || object - robot->first_object >= robot->is->collision_count)
            continue;
        *shape = &robot->is->collisions[object - robot->first_object];
        return robot;
    }
    *shape = NULL;
    return NULL;
}

// ---- one pair

static bool make_chain(const sweep *s, const scene_robot *robot, const grz_io_collision *shape, size_t above,
                       uint32_t object, chain *out)
{
    const chain_view view = {robot->is, robot->values, robot->ends, above};
    return chain_make(out, &view, shape, grz_scene_object(s->scene, object)->mesh);
}

// Where two objects are seen from: the link above both, or the world.
static bool make_motions(const sweep *s, const uint32_t pair[2], chain chains[2], grz_motion motions[2])
{
    const grz_io_collision *shapes[2];
    const scene_robot *robots[2] = {robot_of(s, pair[0], &shapes[0]), robot_of(s, pair[1], &shapes[1])};
    const bool together = robots[0] != NULL && robots[0] == robots[1];

    for (int i = 0; i < 2; i++) {
        const grz_object *object = grz_scene_object(s->scene, pair[i]);
        if (robots[i] == NULL) {
            motions[i] = grz_motion_rest(object->pose);
            continue;
        }
        const size_t above =
            together ? chain_common_link(robots[0]->is, shapes[0]->link, shapes[1]->link) : robots[i]->is->order[0];
        if (!make_chain(s, robots[i], shapes[i], above, pair[i], &chains[i]))
            return false;
        motions[i] = chain_motion(&chains[i]);
    }
    return true;
}

static void take_answer(sweep *s, const uint32_t pair[2], const grz_move_answer *answer)
{
    if (answer->has_contact && (!s->first.has_contact || answer->upper < s->first.upper)) {
        s->first = *answer;
        s->a = pair[0];
        s->b = pair[1];
    } else if (!answer->has_contact && answer->certainty == GRZ_UNDECIDED) {
        if (s->undecided++ == 0 || answer->lower < s->lower) {
            s->open_a = pair[0];
            s->open_b = pair[1];
        }
    }
    s->lower = fmin(s->lower, answer->lower);
}

static bool follow_pair(sweep *s, const uint32_t pair[2], grz_error *error)
{
    chain chains[2] = {{.joints = NULL}, {.joints = NULL}};
    grz_motion motions[2];
    grz_move_answer answer;
    grz_rigid_options wanted = grz_default_rigid_options();
    bool followed = false;

    wanted.tolerance = s->given->tolerance;
    wanted.inside_rule = s->given->rule;
    wanted.t_max = s->first.has_contact ? s->first.upper : 1.0;
    if (!make_motions(s, pair, chains, motions))
        snprintf(error->message, sizeof error->message, "out of memory");
    else
        followed = grz_move_rigid(s->device, grz_scene_object(s->scene, pair[0]), &motions[0],
                                  grz_scene_object(s->scene, pair[1]), &motions[1], &wanted, &answer, error) == GRZ_OK;
    if (followed)
        take_answer(s, pair, &answer);
    chain_finish(&chains[0]);
    chain_finish(&chains[1]);
    return followed;
}

// ---- all

static bool is_asked(const sweep *s, uint32_t a, uint32_t b)
{
    const grz_io_collision *shape;
    return robot_of(s, a, &shape) != NULL || robot_of(s, b, &shape) != NULL;
}

static bool follow_all(sweep *s)
{
    const uint32_t count = (uint32_t)s->objects.count;
    uint64_t done = 0;

    progress_phase(s->bar, "following", NULL);
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = a + 1; b < count; b++) {
            const uint32_t pair[2] = {a, b};
            grz_error error = {0};
            if (!is_asked(s, a, b) || exclusions_hold(&s->excluded, a, b))
                continue;
            if (s->first.has_contact && s->first.upper == 0.0)
                return true; // nothing comes before the start
            if (!follow_pair(s, pair, &error)) {
                char message[LOAD_MESSAGE_SIZE];
                snprintf(message, sizeof message, "%.200s and %.200s: %s", s->objects.names[a], s->objects.names[b],
                         error.message);
                return fail(s, message);
            }
            progress_share((double)++done / (double)(s->asked - s->excluded.count), s->bar);
        }
    return true;
}

// Only pairs that are asked for count as excluded.
static void keep_asked(sweep *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->excluded.count; i++)
        if (is_asked(s, s->excluded.items[i].a, s->excluded.items[i].b))
            s->excluded.items[kept++] = s->excluded.items[i];
    s->excluded.count = kept;
}

static bool set_scope(sweep *s, char message[LOAD_MESSAGE_SIZE])
{
    const bool adjacent = (s->given->flags & OPTION_ALLOW_ADJACENT) != 0;
    const grz_collide_options wanted = query_common_options(s->given, s->bar);
    grz_error error = {.message = "out of memory for the pairs that are excluded"};

    if (!allow_read(s->given, &s->objects, &s->excluded, message))
        return false;
    const bool excluded = robot_objects_exclude(&s->objects, adjacent, &s->excluded);
    exclusions_sort(&s->excluded);
    if (!excluded ||
        (adjacent && (adjacent_filter(s->scene, &s->excluded, &error) != GRZ_OK ||
                      !adjacent_exclude_touching(s->device, s->scene, &wanted, s->result, &s->excluded, &error)))) {
        snprintf(message, LOAD_MESSAGE_SIZE, "%s", error.message);
        return false;
    }
    keep_asked(s);
    for (uint32_t a = 0; a < s->objects.count; a++)
        for (uint32_t b = a + 1; b < s->objects.count; b++)
            s->asked += is_asked(s, a, b);
    if (s->asked == s->excluded.count) {
        snprintf(message, LOAD_MESSAGE_SIZE, "%s",
                 s->asked == 0 ? "there is no pair of objects to follow"
                               : "every pair of objects is excluded: nothing is followed");
        return false;
    }
    return true;
}

static bool open_sweep(sweep *s, const options *given)
{
    char message[LOAD_MESSAGE_SIZE];
    grz_error error = {0};

    *s = (sweep){.given = given, .lower = HUGE_VAL, .measured = measure_begin(), .bar = progress_begin()};
    grz_device_options device_options = grz_default_device_options();
    device_options.threads = given->threads;
    device_options.kind = query_device_kind(given);
    if (grz_device_open(&device_options, &s->device, &error) != GRZ_OK ||
        grz_result_create(s->device, &s->result, &error) != GRZ_OK ||
        grz_scene_create(s->device, &s->scene, &error) != GRZ_OK)
        return fail(s, error.message);
    s->objects.device = s->device;
    s->objects.scene = s->scene;
    s->objects.given = given;
    for (size_t i = 0; i < given->file_count; i++) {
        progress_phase(s->bar, "reading", given->files[i]);
        if (!scene_objects_add_file(&s->objects, given->files[i], s->bar, message))
            return fail(s, message);
    }
    measure_loaded(&s->measured);
    if (!robot_objects_check(given, &s->objects, message) || !set_scope(s, message) ||
        !robot_objects_range(given, &s->objects, message))
        return fail(s, message);
    return true;
}

static int exit_status(const sweep *s)
{
    if (s->first.has_contact)
        return STATUS_TOUCHES;
    return s->undecided > 0 ? STATUS_UNDECIDED : STATUS_APART;
}

int sweep_run(const options *given)
{
    sweep s;
    int status = STATUS_TROUBLE;

    if (open_sweep(&s, given) && follow_all(&s)) {
        end_bar(&s);
        measure_end(&s.measured);
        report r = describe_sweep(&s);
        status = deliver(&r, given, exit_status(&s));
        report_finish(&r);
    }
    end_bar(&s);
    grz_result_destroy(s.result);
    grz_scene_destroy(s.scene);
    scene_objects_finish(&s.objects);
    exclusions_finish(&s.excluded);
    grz_device_close(s.device);
    return status;
}
