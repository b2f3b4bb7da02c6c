// SPDX-License-Identifier: MIT
// Laws of what is kept from one answer to the next: the events of a scene, and the numbers of contacts.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "support_contact_twin.h"

#include <graze/manifold.h>
#include <graze/scene.h>

enum {
    OBJECTS = 4, // A, B, and each of them once more, somewhere else
    ANSWERS = 3,
    FRAMES = 3
};

static grz_pose drawn_place(const agree_run *run, agree_source *source, int object)
{
    grz_pose pose = run->objects[object % 2].pose;
    for (int k = 0; k < 3; k++)
        pose.m[k][3] += ldexp(agree_between(source, -4, 4), run->now->exponent);
    return pose;
}

// ---- Events ---------------------------------------------------------------------------------------------------------

// The state of a pair in an answer's list.
static grz_pair_state state_in(const grz_result *result, uint32_t a, uint32_t b)
{
    uint64_t count;
    const grz_scene_pair *pairs = grz_result_scene_pairs(result, &count);
    for (uint64_t i = 0; i < count; i++)
        if (pairs[i].a == a && pairs[i].b == b)
            return pairs[i].relation != GRZ_APART ? GRZ_PAIR_COLLIDING : GRZ_PAIR_UNDECIDED;
    return GRZ_PAIR_APART;
}

static bool has_pair(const grz_scene_events *events, grz_pair_state state, grz_pair_event event, uint32_t a, uint32_t b)
{
    uint64_t count;
    const grz_scene_event *list = grz_scene_events_pairs(events, state, event, &count);
    bool found = false;
    for (uint64_t i = 0; i < count; i++)
        found = found || (list[i].a == a && list[i].b == b);
    return found;
}

static void check_pair(agree_run *run, const grz_scene_events *events, uint32_t a, uint32_t b, grz_pair_state before,
                       grz_pair_state now)
{
    for (int s = GRZ_PAIR_UNDECIDED; s < GRZ_PAIR_STATE_COUNT; s++) {
        const grz_pair_state state = (grz_pair_state)s;
        const bool was = before == state, is = now == state;
        agree_law_holds(run, AGREE_LAW_SCENE_EVENTS,
                        has_pair(events, state, GRZ_PAIR_BEGAN, a, b) == (is && !was) &&
                            has_pair(events, state, GRZ_PAIR_STAYS, a, b) == (is && was) &&
                            has_pair(events, state, GRZ_PAIR_ENDED, a, b) == (was && !is),
                        "objects %u and %u: state %d, then %d; state %d has other events", a, b, (int)before, (int)now,
                        s);
    }
}

static void check_events(agree_run *run, agree_source *source)
{
    grz_scene *scene;
    grz_scene_events *events;
    grz_error error = {.message = ""};
    grz_result *results[2] = {test_result_create(run->device), test_result_create(run->device)};
    agree_call(run, grz_scene_create(run->device, &scene, &error), &error, "grz_scene_create");
    agree_call(run, grz_scene_events_create(scene, &events, &error), &error, "grz_scene_events_create");
    for (int i = 0; i < OBJECTS; i++) {
        grz_object object = run->objects[i % 2];
        uint32_t id;
        if (i > 1)
            object.pose = drawn_place(run, source, i);
        agree_call(run, grz_scene_add(scene, &object, &id, &error), &error, "grz_scene_add");
    }
    for (int i = 0; i < ANSWERS; i++) {
        const uint32_t moved = (uint32_t)agree_between(source, 0, OBJECTS - 1);
        const grz_pose pose = drawn_place(run, source, (int)moved);
        if (i > 0)
            agree_call(run, grz_scene_set_pose(scene, moved, &pose, &error), &error, "grz_scene_set_pose");
        agree_call(run, grz_collide_scene(run->device, scene, NULL, results[i % 2], &error), &error,
                   "grz_collide_scene");
        agree_call(run, grz_scene_events_update(events, results[i % 2], &error), &error, "grz_scene_events_update");
        for (uint32_t a = 0; a < OBJECTS; a++)
            for (uint32_t b = a + 1; b < OBJECTS; b++)
                check_pair(run, events, a, b, state_in(results[(i + 1) % 2], a, b), state_in(results[i % 2], a, b));
    }
    grz_scene_destroy(scene);
    grz_scene_events_destroy(events);
    grz_result_destroy(results[0]);
    grz_result_destroy(results[1]);
}

// ---- Contacts -------------------------------------------------------------------------------------------------------

// Is a vertex or the end of an edge a corner of the face that is named with it?
static bool is_of_face(const grz_mesh *mesh, uint32_t face, grz_feature feature)
{
    bool found[2] = {feature.vertex[0] == GRZ_NO_VERTEX, feature.vertex[1] == GRZ_NO_VERTEX};
    uint32_t count;
    const uint32_t *corners = grz_mesh_face(mesh, face, &count);
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++)
            found[k] = found[k] || corners[i] == feature.vertex[k];
    return found[0] && found[1] && (feature.vertex[0] != GRZ_NO_VERTEX || feature.vertex[1] == GRZ_NO_VERTEX);
}

static void check_features(agree_run *run, const grz_manifold_answer *m)
{
    for (uint32_t i = 0; i < m->count; i++) {
        const grz_manifold_point *p = &m->points[i];
        agree_law_holds(run, AGREE_LAW_CONTACT_FEATURES,
                        is_of_face(run->objects[0].mesh, p->face_a, p->feature_a) &&
                            is_of_face(run->objects[1].mesh, p->face_b, p->feature_b),
                        "point %u: faces %u and %u, features %u %u and %u %u", i, p->face_a, p->face_b,
                        p->feature_a.vertex[0], p->feature_a.vertex[1], p->feature_b.vertex[0], p->feature_b.vertex[1]);
    }
}

// Two groups of a manifold may have a point in common, with one normal: these are told apart by their order.
static bool has_twin(const grz_tracked_point *points, uint32_t count, uint32_t i)
{
    const test_twin_point x = test_twin_read(&points[i], 0);
    for (uint32_t j = 0; j < count; j++) {
        const test_twin_point y = test_twin_read(&points[j], 0);
        if (j != i && test_twin_compare(&x, &y) == 0)
            return true;
    }
    return false;
}

static void check_contacts(agree_run *run, agree_source *source)
{
    grz_contact_tracker *trackers[2];
    test_twin *twin = calloc(1, sizeof *twin);
    grz_error error = {.message = ""};
    grz_object a = run->objects[0];
    grz_contact_tracker_options options = grz_default_contact_tracker_options();
    options.match_distance = ldexp(agree_between(source, 0, 4), run->now->exponent);
    if (twin == NULL)
        abort();
    for (int i = 0; i < 2; i++)
        agree_call(run, grz_contact_tracker_create(run->device, &trackers[i], &error), &error,
                   "grz_contact_tracker_create");
    for (int frame = 0; frame < FRAMES; frame++) {
        grz_tracked_point points[GRZ_MANIFOLD_MAX_POINTS], turned[GRZ_MANIFOLD_MAX_POINTS];
        grz_contact_id ids[GRZ_MANIFOLD_MAX_POINTS], others[GRZ_MANIFOLD_MAX_POINTS];
        grz_manifold_answer m;
        if (frame > 0) // a little aside
            a.pose.m[agree_between(source, 0, 2)][3] += ldexp(agree_between(source, -1, 1), run->now->exponent - 2);
        if (!agree_call(run, grz_manifold_find(run->device, &a, &run->objects[1], NULL, &m, &error), &error,
                        "grz_manifold_find"))
            break;
        check_features(run, &m);
        const uint32_t count = grz_contact_tracker_points(2, 1, &m, points);
        bool same = true;
        for (uint32_t i = 0; i < count; i++)
            turned[count - 1 - i] = test_twin_exchanged(&points[i]);
        test_twin_update(twin, points, count, &options);
        agree_call(run, grz_contact_tracker_update(trackers[0], points, count, &options, ids, &error), &error,
                   "grz_contact_tracker_update");
        agree_call(run, grz_contact_tracker_update(trackers[1], turned, count, &options, others, &error), &error,
                   "grz_contact_tracker_update");
        for (uint32_t i = 0; i < count; i++)
            same = same && (others[count - 1 - i].id == ids[i].id || has_twin(points, count, i));
        agree_law_holds(run, AGREE_LAW_CONTACT_IDS, same && test_twin_agrees(twin, trackers[0], ids),
                        "frame %d: %u points, exchanged %s", frame, count, same ? "the same" : "others");
    }
    grz_contact_tracker_destroy(trackers[0]);
    grz_contact_tracker_destroy(trackers[1]);
    free(twin);
}

void agree_laws_of_events(agree_run *run)
{
    agree_source source = run->choices;
    check_events(run, &source);
    if (!agree_is_large(run->now))
        check_contacts(run, &source);
}
