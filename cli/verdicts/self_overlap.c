// SPDX-License-Identifier: MIT
// The parts of a mesh become the objects of a scene.
#include "verdicts/self_overlap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What is needed on the way; all of it is owned.
typedef struct parts_scene {
    grz_mesh_shells *shells;
    grz_scene *scene;
    grz_result *result;
} parts_scene;

static const char PART_MEETS_ITSELF[] = "a shell meets itself: how deep is not defined";

static grz_status add_part(parts_scene *parts, const grz_object *object, uint32_t part, grz_error *error)
{
    grz_mesh *mesh;
    uint32_t id;

    grz_status status = grz_mesh_shells_cut(parts->shells, object->mesh, part, &mesh, error);
    if (status != GRZ_OK)
        return status;
    const grz_object placed = grz_object_at(mesh, object->pose);
    status = grz_scene_add(parts->scene, &placed, &id, error);
    grz_mesh_destroy(mesh); // the scene keeps it
    return status;
}

// Whether any part meets itself.
static grz_status find_self_contact(const overlap_asking *asking, parts_scene *parts, uint32_t count, bool *found,
                                    grz_error *error)
{
    grz_collide_options wanted = asking->common;
    grz_status status = GRZ_OK;

    wanted.find = 0;
    for (uint32_t i = 0; i < count && status == GRZ_OK && !*found; i++) {
        status = grz_collide_self(asking->device, grz_scene_object(parts->scene, i), &wanted, parts->result, error);
        *found = status == GRZ_OK && grz_result_summary(parts->result)->colliding;
    }
    return status;
}

// Take what is known of one pair of parts into what is known of all.
static bool add_pair(const options *given, overlap_facts *all, const overlap_facts *pair)
{
    grz_overlap_depth_answer *answer = &all->answer;

    if (pair->answer.lower > answer->lower) {
        answer->lower = pair->answer.lower;
        memcpy(answer->centre, pair->answer.centre, sizeof answer->centre);
    }
    answer->upper = fmax(answer->upper, pair->answer.upper);
    if (pair->answer.certainty != GRZ_EXACT && answer->certainty != GRZ_UNDECIDED)
        answer->certainty = pair->answer.certainty;
    if (pair->answer.reason != NULL)
        answer->reason = pair->answer.reason;
    if (pair->answer.deeper == GRZ_DEEPER_YES)
        answer->deeper = GRZ_DEEPER_YES;
    if (overlap_judge(given, pair) == OVERLAP_UNKNOWN) {
        if (answer->deeper == GRZ_DEEPER_NO)
            answer->deeper = GRZ_DEEPER_UNKNOWN;
        all->open = all->open || pair->open;
        all->crossing = all->crossing || pair->crossing;
        all->crosses = all->crosses || pair->crosses;
        all->length += pair->length;
    }
    return overlap_add_parts(all, pair);
}

static grz_status ask_pairs(const overlap_asking *asking, parts_scene *parts, overlap_facts *out, grz_error *error)
{
    const options *given = asking->given;
    const double *limit = given->all_deeper ? &given->deeper_than : NULL;
    uint64_t count, classified;
    const grz_scene_pair *pairs = grz_result_scene_pairs(parts->result, &count);
    const grz_pair_solids *solids = grz_result_scene_solids(parts->result, &classified);
    grz_status status = GRZ_OK;

    for (uint64_t i = 0; i < count && status == GRZ_OK; i++) {
        const overlap_surfaces surfaces = {pairs[i].relation, pairs[i].containment,
                                           classified > 0 ? solids[i].solids : GRZ_SOLIDS_NOT_ASKED};
        overlap_facts pair;
        status = overlap_ask(asking, grz_scene_object(parts->scene, pairs[i].a),
                             grz_scene_object(parts->scene, pairs[i].b), &surfaces, limit, &pair, error);
        if (status == GRZ_OK && !add_pair(given, out, &pair)) {
            snprintf(error->message, sizeof error->message, "out of memory for the depths");
            status = GRZ_ERROR_MEMORY;
        }
        overlap_finish(&pair);
    }
    return status;
}

static grz_status ask_scene(const overlap_asking *asking, parts_scene *parts, grz_error *error)
{
    grz_collide_options wanted = asking->common;

    wanted.find = GRZ_FIND_CONTAINMENT | GRZ_FIND_SOLIDS;
    grz_status status = grz_collide_scene(asking->device, parts->scene, &wanted, parts->result, error);
    if (status != GRZ_ERROR_LIMIT)
        return status;
    wanted.find = GRZ_FIND_CONTAINMENT;
    return grz_collide_scene(asking->device, parts->scene, &wanted, parts->result, error);
}

static grz_status ask(const overlap_asking *asking, const grz_object *object, parts_scene *parts, overlap_facts *out,
                      grz_error *error)
{
    bool meets_itself = false;

    grz_status status = grz_mesh_shells_find(object->mesh, NULL, &parts->shells, error);
    if (status == GRZ_OK)
        status = grz_scene_create(asking->device, &parts->scene, error);
    if (status == GRZ_OK)
        status = grz_result_create(asking->device, &parts->result, error);
    if (status != GRZ_OK)
        return status;
    const uint32_t count = grz_mesh_shells_part_count(parts->shells);
    for (uint32_t i = 0; i < count && status == GRZ_OK; i++)
        status = add_part(parts, object, i, error);
    if (status == GRZ_OK)
        status = ask_scene(asking, parts, error);
    if (status == GRZ_OK)
        status = ask_pairs(asking, parts, out, error);
    if (status == GRZ_OK)
        status = find_self_contact(asking, parts, count, &meets_itself, error);
    if (meets_itself) {
        out->answer.upper = HUGE_VAL;
        out->answer.certainty = GRZ_UNDECIDED;
        out->answer.reason = PART_MEETS_ITSELF;
        if (out->answer.deeper == GRZ_DEEPER_NO)
            out->answer.deeper = GRZ_DEEPER_UNKNOWN;
    }
    return status;
}

static void finish(parts_scene *parts)
{
    grz_result_destroy(parts->result);
    grz_scene_destroy(parts->scene);
    grz_mesh_shells_destroy(parts->shells);
}

grz_status self_overlap_ask(const overlap_asking *asking, const grz_object *object, overlap_facts *out,
                            grz_error *error)
{
    const options *given = asking->given;
    parts_scene parts = {NULL, NULL, NULL};

    *out = (overlap_facts){.limited = given->all_deeper, .limit = given->deeper_than};
    out->asked = (given->flags & (OPTION_DEEPER_THAN | OPTION_DEPTH)) != 0;
    if (!out->asked)
        return GRZ_OK;
    out->answer.certainty = GRZ_EXACT;
    out->answer.deeper = out->limited ? GRZ_DEEPER_NO : GRZ_DEEPER_UNKNOWN;
    const grz_status status = ask(asking, object, &parts, out, error);
    finish(&parts);
    return status;
}
