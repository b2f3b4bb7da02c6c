// SPDX-License-Identifier: MIT
// Laws of questions about many: scenes and their pairs, many poses and paths against single calls.
#include <math.h>
#include <string.h>

#include "ask.h"

#include <graze/batch.h>
#include <graze/scene.h>

enum {
    OBJECTS = 3, // A, B, and B again somewhere else
    POSES = 3
};

static grz_object drawn_beside(const agree_run *run, agree_source *source)
{
    grz_object other = run->objects[1];
    for (int k = 0; k < 3; k++)
        other.pose.m[k][3] += ldexp(agree_between(source, -4, 4), run->now->exponent);
    return other;
}

static bool same_distance(const grz_distance_answer *x, const grz_distance_answer *y)
{
    return x->distance == y->distance && x->lower == y->lower && x->upper == y->upper && x->ties == y->ties &&
           x->face_a == y->face_a && x->face_b == y->face_b && x->touching == y->touching;
}

static bool same_move(const grz_move_answer *x, const grz_move_answer *y)
{
    return x->first_contact == y->first_contact && x->lower == y->lower && x->upper == y->upper &&
           x->has_contact == y->has_contact && x->started_inside == y->started_inside && x->face_a == y->face_a &&
           x->face_b == y->face_b && x->ties == y->ties;
}

// ---- Scenes -------------------------------------------------------------------------------------------------------

static void check_pair(agree_run *run, const grz_scene_pair *pair, grz_solids solids, const grz_object *objects,
                       uint32_t a, uint32_t b)
{
    const grz_summary alone =
        agree_collide(run, &objects[a], &objects[b], GRZ_FIND_PAIRS | GRZ_FIND_CONTAINMENT | GRZ_FIND_SOLIDS);
    const bool listed = alone.relation != GRZ_APART || alone.containment == GRZ_CONTAINMENT_UNDECIDABLE;
    agree_law_holds(run, AGREE_LAW_SCENE_PAIRS,
                    pair == NULL ? !listed
                                 : listed && pair->relation == alone.relation && pair->pair_count == alone.pair_count &&
                                       solids == alone.solids,
                    "objects %u and %u: %s, relation %d, solids %d; alone relation %d, solids %d", a, b,
                    pair != NULL ? "listed" : "not listed", pair != NULL ? (int)pair->relation : 0, (int)solids,
                    (int)alone.relation, (int)alone.solids);
}

static void check_scene_pairs(agree_run *run, grz_scene *scene, const grz_object *objects)
{
    grz_collide_options options = grz_default_collide_options();
    grz_result *result = test_result_create(run->device);
    grz_error error = {.message = ""};
    uint64_t count, solids_count, next = 0;
    options.find = GRZ_FIND_PAIRS | GRZ_FIND_CONTAINMENT | GRZ_FIND_SOLIDS;
    agree_call(run, grz_collide_scene(run->device, scene, &options, result, &error), &error, "grz_collide_scene");
    const grz_scene_pair *pairs = grz_result_scene_pairs(result, &count);
    const grz_pair_solids *solids = grz_result_scene_solids(result, &solids_count);
    for (uint32_t a = 0; a < OBJECTS; a++)
        for (uint32_t b = a + 1; b < OBJECTS; b++) {
            const bool listed = next < count && pairs[next].a == a && pairs[next].b == b;
            check_pair(run, listed ? &pairs[next] : NULL, listed ? solids[next].solids : GRZ_SOLIDS_NOT_ASKED, objects,
                       a, b);
            next += listed;
        }
    agree_law_holds(run, AGREE_LAW_SCENE_PAIRS, next == count && solids_count == count, "%llu pairs are listed",
                    (unsigned long long)count);
    grz_result_destroy(result);
}

static void check_nearest(agree_run *run, grz_scene *scene, const grz_object *objects)
{
    grz_scene_distance nearest;
    uint64_t found;
    grz_error error = {.message = ""};
    agree_call(run, grz_distance_scene(run->device, scene, NULL, &nearest, 1, &found, &error), &error,
               "grz_distance_scene");
    double least = HUGE_VAL;
    bool same = false;
    for (uint32_t a = 0; a < OBJECTS; a++)
        for (uint32_t b = a + 1; b < OBJECTS; b++) {
            const grz_distance_answer alone = agree_distance(run, &objects[a], &objects[b], NULL);
            least = fmin(least, alone.distance);
            same = same || (found == 1 && nearest.a == a && nearest.b == b && same_distance(&nearest.answer, &alone));
        }
    agree_law_holds(run, AGREE_LAW_SCENE_NEAREST, same && nearest.answer.distance == least,
                    "nearest %u and %u, %a apart; the least distance is %a", nearest.a, nearest.b,
                    nearest.answer.distance, least);
}

static void check_scene_move(agree_run *run, const grz_scene *scene, const grz_object *objects)
{
    grz_scene_contact contacts[OBJECTS];
    uint64_t found, next = 0;
    double to[3];
    grz_error error = {.message = ""};
    agree_way(run, 4, to);
    agree_call(run, grz_move_scene(run->device, scene, 0, to, NULL, contacts, OBJECTS, &found, &error), &error,
               "grz_move_scene");
    for (uint32_t b = 1; b < OBJECTS; b++) {
        const grz_move_answer alone = agree_move(run, &objects[0], to, &objects[b], true, NULL);
        bool same = !alone.has_contact;
        for (uint64_t i = 0; i < found && i < OBJECTS; i++)
            if (contacts[i].object == b)
                same = alone.has_contact && same_move(&contacts[i].answer, &alone);
        next += alone.has_contact;
        agree_law_holds(run, AGREE_LAW_SCENE_MOVE, same, "object %u: alone contact %d at %a", b, alone.has_contact,
                        alone.first_contact);
    }
    agree_law_holds(run, AGREE_LAW_SCENE_MOVE, next == found, "%llu objects are met, alone %llu",
                    (unsigned long long)found, (unsigned long long)next);
}

static void check_scene(agree_run *run, agree_source *source)
{
    const grz_object objects[OBJECTS] = {run->objects[0], run->objects[1], drawn_beside(run, source)};
    grz_scene *scene;
    grz_error error = {.message = ""};
    agree_call(run, grz_scene_create(run->device, &scene, &error), &error, "grz_scene_create");
    for (int i = 0; i < OBJECTS; i++) {
        uint32_t id;
        agree_call(run, grz_scene_add(scene, &objects[i], &id, &error), &error, "grz_scene_add");
    }
    check_scene_pairs(run, scene, objects);
    check_nearest(run, scene, objects);
    check_scene_move(run, scene, objects);
    grz_scene_destroy(scene);
}

// ---- Many poses ---------------------------------------------------------------------------------------------------

static void check_poses(agree_run *run, agree_source *source)
{
    const grz_object *a = &run->objects[0], *b = &run->objects[1];
    grz_object moved[POSES];
    grz_pose poses[POSES];
    grz_pose_answer answers[POSES];
    grz_distance_answer distances[POSES];
    grz_error error = {.message = ""};
    for (int i = 0; i < POSES; i++) {
        moved[i] = i == 0 ? *b : drawn_beside(run, source);
        poses[i] = moved[i].pose;
    }
    agree_call(run, grz_collide_poses(run->device, a, b->mesh, poses, POSES, NULL, answers, &error), &error,
               "grz_collide_poses");
    agree_call(run, grz_distance_poses(run->device, a, b->mesh, poses, POSES, NULL, distances, &error), &error,
               "grz_distance_poses");
    for (int i = 0; i < POSES; i++) {
        const grz_summary alone = agree_collide(run, a, &moved[i], GRZ_FIND_PAIRS | GRZ_FIND_CONTAINMENT);
        agree_law_holds(run, AGREE_LAW_POSES_COLLIDE,
                        answers[i].relation == alone.relation && answers[i].pair_count == alone.pair_count &&
                            memcmp(answers[i].kinds, alone.kinds, sizeof alone.kinds) == 0,
                        "pose %d: relation %d, alone %d", i, (int)answers[i].relation, (int)alone.relation);
        const grz_distance_answer distance = agree_distance(run, a, &moved[i], NULL);
        agree_law_holds(run, AGREE_LAW_POSES_DISTANCE, same_distance(&distances[i], &distance), "pose %d: %a, alone %a",
                        i, distances[i].distance, distance.distance);
    }
}

static void check_paths(agree_run *run, agree_source *source)
{
    grz_move_answer answers[POSES];
    double to[POSES][3];
    grz_error error = {.message = ""};
    for (int i = 0; i < POSES; i++)
        agree_way(run, agree_between(source, -3, 9), to[i]);
    agree_call(run,
               grz_move_paths(run->device, &run->objects[0], to[0], POSES, &run->objects[1], NULL, answers, &error),
               &error, "grz_move_paths");
    for (int i = 0; i < POSES; i++) {
        const grz_move_answer alone = agree_move(run, &run->objects[0], to[i], &run->objects[1], true, NULL);
        agree_law_holds(run, AGREE_LAW_POSES_MOVE, same_move(&answers[i], &alone),
                        "path %d: contact at %a, alone at %a", i, answers[i].first_contact, alone.first_contact);
    }
}

void agree_laws_of_many(agree_run *run)
{
    agree_source source = run->choices;
    switch (agree_below(&source, 3)) {
    case 0:
        check_scene(run, &source);
        break;
    case 1:
        check_poses(run, &source);
        break;
    default:
        check_paths(run, &source);
    }
}
