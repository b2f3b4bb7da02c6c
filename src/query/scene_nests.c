// SPDX-License-Identifier: MIT
// Finds which objects of a scene are nested, with few tests. Where many of the pairs that are asked have one box within
// the other, each inner object is tested against the smallest of those boxes, a few rounds long, until it is inside
// one. Containment in the others then mostly follows (nests.h). The boxes are tight, so that of several containers of
// an object the innermost has the smallest box.
#include "base/control.h"
#include "query/scene_query.h"

#include <assert.h>
#include <string.h>

#include "base/device.h"
#include "base/sort/number_sort.h"
#include "geometry/pose.h"
#include "inside/point_in_mesh.h"
#include "mesh/topology/topology.h"

enum {
    MIN_ASKED = 8,     // an object in fewer pairs that are asked is left out
    PAIRS_A_ROUND = 4, // round i tests only objects whose box is within those of 4 · i others
    MOST_ROUNDS = 4,
    CHECK_BITS = 16 // pairs between two checks of the control, as a power of two
};

#define NO_PAIR SIZE_MAX

// What is needed of an object during the search.
typedef struct nested_object {
    grz_box box;        // tight; empty: the object is left out
    uint32_t asked;     // pairs that are asked and have the object's box within the other's
    size_t candidate;   // index of the pair with the smallest box around it that was not tried; NO_PAIR
    double size, tried; // size of that box; size of the last box that was tried
} nested_object;

typedef struct nest_search {
    grz_scene_query *scene_query;
    nested_object *objects;  // by object number
    uint64_t *found, *spare; // pairs to test in this round
    size_t found_count;
} nest_search;

// Make the box of an object tight, if it is in enough pairs. A task of grz_parallel().
static void tighten_task(size_t index, void *context)
{
    nest_search *search = context;
    grz_control *control = &search->scene_query->query.call.control;
    nested_object *nested = &search->objects[index];
    *nested = (nested_object){.box = grz_box_empty(), .candidate = NO_PAIR};
    if (search->scene_query->scene->entries.items[index].asked < MIN_ASKED || grz_control_status(control) != GRZ_OK)
        return;
    const grz_object *object = &search->scene_query->objects[index];
    grz_solid solid = {.object = object, .box = grz_world_box(&object->pose, &object->mesh->bounds)};
    grz_status status = grz_mesh_bvh(object->mesh, control, &solid.bvh, NULL);
    if (status == GRZ_OK)
        status = grz_solid_tighten(&solid, control, NULL);
    if (status != GRZ_OK)
        grz_control_fail(control, status);
    nested->box = solid.box;
}

// True if the inner box is strictly within the outer one, as that of an object inside another is.
static bool is_within(const grz_box *inner, const grz_box *outer)
{
    for (int axis = 0; axis < 3; axis++)
        if (!(outer->min[axis] < inner->min[axis] && inner->min[axis] <= inner->max[axis] &&
              inner->max[axis] < outer->max[axis]))
            return false;
    return true;
}

static double size_of(const grz_box *box)
{
    return (box->max[0] - box->min[0]) + (box->max[1] - box->min[1]) + (box->max[2] - box->min[2]);
}

// Note a pair as the candidate of its inner object, if it is the smallest so far. `first`: this is the first round.
static void note_pair(nest_search *search, size_t pair, bool first)
{
    const grz_scene_query *scene_query = search->scene_query;
    const uint32_t a = scene_query->pairs[pair].a, b = scene_query->pairs[pair].b;
    const bool a_within = is_within(&search->objects[a].box, &search->objects[b].box);
    if (!a_within && !is_within(&search->objects[b].box, &search->objects[a].box))
        return;
    nested_object *inner = &search->objects[a_within ? a : b];
    if (scene_query->nests.container[a_within ? a : b] != GRZ_NO_CONTAINER)
        return;
    const bool asks = grz_scene_asks(scene_query, pair);
    const unsigned code = scene_query->codes[pair] & GRZ_CODE_MASK;
    inner->asked += first && asks;
    if (!asks && scene_query->scene->cache.known[code].relation != (a_within ? GRZ_A_INSIDE_B : GRZ_B_INSIDE_A))
        return;
    const double size = size_of(&search->objects[a_within ? b : a].box);
    if (size > inner->tried && (inner->candidate == NO_PAIR || size < inner->size)) {
        inner->candidate = pair;
        inner->size = size;
    }
}

static uint32_t inner_of(const nest_search *search, size_t pair)
{
    const grz_sweep_pair *at = &search->scene_query->pairs[pair];
    return is_within(&search->objects[at->a].box, &search->objects[at->b].box) ? at->a : at->b;
}

// Set the container of the inner object of a pair whose code is known, if it is inside.
static grz_status take_answer(nest_search *search, size_t pair)
{
    grz_scene_query *scene_query = search->scene_query;
    const grz_sweep_pair *at = &scene_query->pairs[pair];
    const uint32_t inner = inner_of(search, pair), outer = inner == at->a ? at->b : at->a;
    const grz_relation relation = scene_query->scene->cache.known[scene_query->codes[pair] & GRZ_CODE_MASK].relation;
    const grz_topology *topology;
    if (relation != (inner == at->a ? GRZ_A_INSIDE_B : GRZ_B_INSIDE_A))
        return GRZ_OK;
    const grz_status status = grz_mesh_topology(scene_query->objects[outer].mesh, &scene_query->query.call.control,
                                                &topology, scene_query->query.call.error);
    if (status != GRZ_OK)
        return status;
    scene_query->nests.container[inner] = outer;
    scene_query->nests.connected[outer] = topology->component_count == 1;
    return GRZ_OK;
}

// Run the collected jobs. Pairs that touch are asked again later if lists are wanted.
static grz_status test_block(nest_search *search, const grz_plan *plan, size_t first)
{
    grz_scene_query *scene_query = search->scene_query;
    const bool lists = (scene_query->query.plan.find & GRZ_FIND_LISTS) != 0;
    const size_t count = scene_query->job_count;
    grz_status status = grz_scene_run_jobs(scene_query, plan);
    for (size_t i = 0; i < count && status == GRZ_OK; i++) {
        const grz_verdict *verdict = &scene_query->verdicts[i];
        const size_t pair = search->found[first + i];
        if (verdict->relation == GRZ_COLLIDING && lists)
            continue;
        scene_query->codes[pair] = (unsigned char)(GRZ_CODE_WANTED | grz_scene_code(scene_query, verdict));
        status = take_answer(search, pair);
    }
    return status;
}

// Collect the pairs to test in a round, from the candidates; candidates that are known to be inside are taken.
static grz_status collect(nest_search *search, uint32_t round)
{
    grz_scene_query *scene_query = search->scene_query;
    const uint32_t count = scene_query->nests.count;
    grz_status status = GRZ_OK;
    search->found_count = 0;
    for (uint32_t i = 0; i < count && status == GRZ_OK; i++) {
        nested_object *inner = &search->objects[i];
        const size_t pair = inner->candidate;
        inner->candidate = NO_PAIR;
        inner->tried = inner->size;
        if (pair == NO_PAIR)
            continue;
        if (!grz_scene_asks(scene_query, pair))
            status = take_answer(search, pair);
        else if (inner->asked >= PAIRS_A_ROUND * round)
            search->found[search->found_count++] = pair;
    }
    if (status == GRZ_OK &&
        !grz_sort_numbers(search->found, search->spare, search->found_count, &scene_query->query.call.control))
        status = grz_control_status(&scene_query->query.call.control);
    return status;
}

// One round: find the candidates, and test them. `round` counts from 1.
static grz_status run_round(nest_search *search, const grz_plan *plan, uint32_t round)
{
    grz_scene_query *scene_query = search->scene_query;
    grz_control *control = &scene_query->query.call.control;
    for (size_t pair = 0; pair < scene_query->count; pair++) {
        if (grz_control_expired_at(control, pair, CHECK_BITS))
            return grz_control_status(control);
        if (scene_query->codes[pair] != GRZ_CODE_UNKNOWN)
            note_pair(search, pair, round == 1);
    }
    grz_status status = collect(search, round);
    for (size_t first = 0; first < search->found_count && status == GRZ_OK;) {
        const size_t left = search->found_count - first, block = left < scene_query->room ? left : scene_query->room;
        for (size_t i = 0; i < block; i++)
            grz_scene_add_job(scene_query, search->found[first + i]);
        status = test_block(search, plan, first);
        first += block;
    }
    return status;
}

// True if there are objects in many of the pairs that are asked.
static bool is_crowded(const grz_scene *scene)
{
    size_t crowded = 0;
    for (size_t i = 0; i < scene->entries.count; i++)
        crowded += scene->entries.items[i].asked >= MIN_ASKED;
    return crowded > MIN_ASKED;
}

static grz_status search_nests(nest_search *search)
{
    grz_scene_query *scene_query = search->scene_query;
    grz_control *control = &scene_query->query.call.control;
    grz_plan plan = scene_query->query.plan;
    grz_status status = GRZ_OK;
    plan.find &= ~(uint32_t)GRZ_FIND_LISTS;
    grz_parallel(scene_query->query.call.device, scene_query->nests.count, tighten_task, search);
    if (grz_control_status(control) != GRZ_OK)
        return grz_control_status(control);
    grz_control_span(control, 0.0, 0.0);
    search->found_count = 1;
    for (uint32_t round = 1; round <= MOST_ROUNDS && search->found_count > 0 && status == GRZ_OK; round++)
        status = run_round(search, &plan, round);
    if (status == GRZ_OK && !grz_nests_number(&scene_query->nests, grz_control_allocator(control)))
        status = GRZ_ERROR_MEMORY;
    return status;
}

grz_status grz_scene_find_nests(grz_scene_query *scene_query)
{
    const grz_plan *plan = &scene_query->query.plan;
    const grz_allocator *allocator = grz_control_allocator(&scene_query->query.call.control);
    const uint32_t count = (uint32_t)scene_query->scene->objects.count;
    if ((plan->find & GRZ_FIND_CONTAINMENT) == 0 || plan->discrete || plan->clearance > 0.0 ||
        grz_filter_can(plan->filter, GRZ_IS_REFERENCE) || grz_plan_finds_solids(plan) ||
        !is_crowded(scene_query->scene))
        return GRZ_OK;
    nest_search search = {.scene_query = scene_query,
                          .objects = grz_allocate(allocator, count, sizeof *search.objects),
                          .found = grz_allocate(allocator, count, sizeof *search.found),
                          .spare = grz_allocate(allocator, count, sizeof *search.spare)};
    grz_status status = GRZ_ERROR_MEMORY;
    if (search.objects != NULL && search.found != NULL && search.spare != NULL &&
        grz_nests_init(&scene_query->nests, allocator, count))
        status = search_nests(&search);
    grz_release(allocator, search.objects, count, sizeof *search.objects);
    grz_release(allocator, search.found, count, sizeof *search.found);
    grz_release(allocator, search.spare, count, sizeof *search.spare);
    return status;
}
