// SPDX-License-Identifier: MIT
// Let A be made of closed pieces, and B too. The winding numbers of A are the sums of those of its pieces, so what is
// inside A is inside some piece, by the even-odd rule and by the nonzero rule, whether or not the pieces overlap. If no
// piece of A has points inside a piece of B, the insides of A and B are disjoint. If in addition a triangle of A that
// belongs to its solid (lone_triangle.h) meets such a triangle of B, the two solids touch.
// Pieces are cut out at their world positions, and only those that come near a piece of the other object.
#include "inside/solids/solid_pieces.h"

#include <assert.h>
#include <string.h>

#include "base/control.h"
#include "base/sort/number_sort.h"
#include "base/sort/sort.h"
#include "geometry/pose.h"
#include "inside/solids/lone_triangle.h"
#include "mesh/shells/kept_shells.h"

enum {
    CHECK_BITS = 12,     // vertices, triangles or pieces between two checks of the control, as a power of two
    PAIR_CHECK_BITS = 4, // the same for contacts of lone triangles
    MOST_CONTACTS = 64   // that are tried, until one of lone triangles is found
};

typedef struct piece {
    grz_object object;
    grz_mesh *own; // NULL: not cut out yet, or the piece is the whole object
    grz_box box;
} piece;

// One of the two objects.
typedef struct one_object {
    const grz_object *whole;
    const grz_kept_shells *shells; // NULL: it is one piece
    uint32_t count;
    piece *pieces;
    double *positions; // world; NULL: it is one piece
    uint32_t *numbers; // of each vertex in the piece that is cut out; UINT32_MAX between two cuts
    GRZ_ARRAY(double) cut_positions;
    GRZ_ARRAY(uint32_t) cut_indices;
} one_object;

typedef struct pieces_work {
    const grz_piece_work *call;
    const grz_allocator *allocator;
    one_object side[2];
    GRZ_ARRAY(uint64_t) keys; // the pairs of pieces that touch, ascending: piece of A << 32 | piece of B
    grz_found_array found;    // contacts of pieces; `job` is an index into keys
    grz_surface_cache cache;
    bool disjoint; // no two pieces so far have common inside
} pieces_work;

// ---- The pieces ----

static grz_status split(pieces_work *work, one_object *side)
{
    const grz_mesh *mesh = side->whole->mesh;
    side->positions = grz_allocate(work->allocator, 3 * (size_t)mesh->vertex_count, sizeof *side->positions);
    side->numbers = grz_allocate(work->allocator, mesh->vertex_count, sizeof *side->numbers);
    if (side->positions == NULL || side->numbers == NULL)
        return GRZ_ERROR_MEMORY;
    memset(side->numbers, UINT8_MAX, mesh->vertex_count * sizeof *side->numbers);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        if (grz_control_expired_at(work->call->control, v, CHECK_BITS))
            return grz_control_status(work->call->control);
        grz_world_position(&side->whole->pose, grz_mesh_position(mesh, v), side->positions + 3 * (size_t)v);
    }
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        for (int i = 0; i < 3; i++)
            grz_box_add_point(&side->pieces[side->shells->of_triangles[t]].box,
                              side->positions + 3 * (size_t)mesh->triangles[3 * (size_t)t + (size_t)i]);
    return GRZ_OK;
}

static grz_status list_pieces(pieces_work *work, one_object *side)
{
    side->count = side->shells != NULL ? side->shells->count : 1;
    side->pieces = grz_allocate(work->allocator, side->count, sizeof *side->pieces);
    if (side->pieces == NULL)
        return GRZ_ERROR_MEMORY;
    for (uint32_t i = 0; i < side->count; i++)
        side->pieces[i] = (piece){.object = *side->whole, .box = grz_box_empty()};
    if (side->shells != NULL)
        return split(work, side);
    side->pieces[0].box = grz_world_box(&side->whole->pose, &side->whole->mesh->bounds);
    return GRZ_OK;
}

// Describe the mesh of a piece. False: there is no memory.
static bool describe(const pieces_work *work, one_object *side, uint32_t number, grz_mesh_description *description)
{
    const grz_mesh *mesh = side->whole->mesh;
    const uint32_t first = side->shells->starts[number], count = side->shells->starts[number + 1] - first;
    side->cut_positions.count = side->cut_indices.count = 0;
    if (!grz_array_reserve(work->allocator, &side->cut_positions, 9 * (size_t)count) ||
        !grz_array_reserve(work->allocator, &side->cut_indices, 3 * (size_t)count))
        return false;
    for (size_t i = 0; i < 3 * (size_t)count; i++) {
        const uint32_t vertex = mesh->triangles[3 * (size_t)side->shells->triangles[first + i / 3] + i % 3];
        if (side->numbers[vertex] == UINT32_MAX) {
            side->numbers[vertex] = (uint32_t)(side->cut_positions.count / 3);
            memcpy(side->cut_positions.items + side->cut_positions.count, side->positions + 3 * (size_t)vertex,
                   3 * sizeof(double));
            side->cut_positions.count += 3;
        }
        side->cut_indices.items[side->cut_indices.count++] = side->numbers[vertex];
    }
    for (size_t i = 0; i < 3 * (size_t)count; i++)
        side->numbers[mesh->triangles[3 * (size_t)side->shells->triangles[first + i / 3] + i % 3]] = UINT32_MAX;
    description->positions = side->cut_positions.items;
    description->position_type = GRZ_FLOAT64;
    description->vertex_count = side->cut_positions.count / 3;
    description->indices = side->cut_indices.items;
    description->index_count = side->cut_indices.count;
    description->face_count = count;
    return true;
}

// Make the mesh of a piece, unless it is there.
static grz_status cut(const pieces_work *work, one_object *side, uint32_t number)
{
    piece *at = &side->pieces[number];
    grz_mesh_description description = grz_default_mesh_description();
    if (side->shells == NULL || at->own != NULL)
        return GRZ_OK;
    if (!describe(work, side, number, &description))
        return GRZ_ERROR_MEMORY;
    const grz_status status =
        grz_mesh_make(side->whole->mesh->device, &description, work->call->control, &at->own, work->call->error);
    if (status != GRZ_OK)
        return status;
    at->own->allocator = work->allocator; // it lives as long as this control, which counts what is released
    at->object = grz_object_at_origin(at->own);
    return GRZ_OK;
}

static void finish_pieces(const pieces_work *work, one_object *side)
{
    const size_t vertices = side->whole->mesh->vertex_count;
    for (uint32_t i = 0; i < side->count && side->pieces != NULL; i++)
        grz_mesh_destroy(side->pieces[i].own);
    grz_release(work->allocator, side->pieces, side->count, sizeof *side->pieces);
    grz_release(work->allocator, side->positions, 3 * vertices, sizeof *side->positions);
    grz_release(work->allocator, side->numbers, vertices, sizeof *side->numbers);
    grz_array_finish(work->allocator, &side->cut_positions);
    grz_array_finish(work->allocator, &side->cut_indices);
}

// ---- The contacts ----

static uint32_t piece_of(const one_object *side, uint32_t triangle)
{
    return side->shells != NULL ? side->shells->of_triangles[triangle] : 0;
}

static uint32_t place_of(const one_object *side, uint32_t triangle)
{
    return side->shells != NULL ? grz_kept_shells_place(side->shells, triangle) : triangle;
}

static uint64_t key_of(const pieces_work *work, const grz_found *pair)
{
    return (uint64_t)piece_of(&work->side[0], pair->triangle_a) << 32 | piece_of(&work->side[1], pair->triangle_b);
}

// The index of a key, or of the first one above it.
static size_t find_key(const pieces_work *work, uint64_t key)
{
    size_t first = 0, end = work->keys.count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (work->keys.items[middle] < key)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static bool pieces_touch(const pieces_work *work, uint64_t key)
{
    const size_t at = find_key(work, key);
    return at < work->keys.count && work->keys.items[at] == key;
}

static grz_status list_keys(pieces_work *work)
{
    const grz_found_range *range = work->call->range;
    const size_t count = range->end - range->first;
    uint64_t *spare = grz_allocate(work->allocator, count, sizeof *spare);
    grz_status status =
        spare != NULL && grz_array_reserve(work->allocator, &work->keys, count) ? GRZ_OK : GRZ_ERROR_MEMORY;
    if (status == GRZ_OK) {
        for (size_t i = range->first; i < range->end; i++)
            work->keys.items[i - range->first] = key_of(work, &work->call->found->items[i]);
        if (!grz_sort_numbers(work->keys.items, spare, count, work->call->control))
            status = grz_control_status(work->call->control);
        for (size_t i = 0; i < count; i++)
            if (i == 0 || work->keys.items[i] != work->keys.items[work->keys.count - 1])
                work->keys.items[work->keys.count++] = work->keys.items[i];
    }
    grz_release(work->allocator, spare, count, sizeof *spare);
    return status;
}

// Sort the contacts by pairs of pieces, with the triangles' numbers in these.
static grz_status list_contacts(pieces_work *work)
{
    const grz_found_range *range = work->call->range;
    grz_status status = list_keys(work);
    if (status == GRZ_OK && !grz_array_reserve(work->allocator, &work->found, range->end - range->first))
        status = GRZ_ERROR_MEMORY;
    for (size_t i = range->first; i < range->end && status == GRZ_OK; i++) {
        const grz_found *pair = &work->call->found->items[i];
        const uint32_t a = place_of(&work->side[0], pair->triangle_a), b = place_of(&work->side[1], pair->triangle_b);
        work->found.items[work->found.count++] =
            (grz_found){(uint32_t)find_key(work, key_of(work, pair)), a, b, a, b, pair->kind};
        if (grz_control_expired_at(work->call->control, i, CHECK_BITS))
            status = grz_control_status(work->call->control);
    }
    return status == GRZ_OK && !grz_found_sort(work->allocator, &work->found) ? GRZ_ERROR_MEMORY : status;
}

// Whether some contact of two lone triangles is found.
static grz_status find_lone_contact(const pieces_work *work, bool *common)
{
    const grz_found_range *range = work->call->range;
    grz_control *control = work->call->control;
    const grz_bvh *bvh_a, *bvh_b;
    grz_status status = grz_mesh_bvh(range->a->mesh, control, &bvh_a, work->call->error);
    if (status == GRZ_OK)
        status = grz_mesh_bvh(range->b->mesh, control, &bvh_b, work->call->error);
    *common = false;
    for (size_t i = range->first; i < range->end && i - range->first < MOST_CONTACTS && status == GRZ_OK && !*common;
         i++) {
        const grz_found *pair = &work->call->found->items[i];
        *common = grz_triangle_is_alone(range->a, bvh_a, pair->triangle_a, control) &&
                  grz_triangle_is_alone(range->b, bvh_b, pair->triangle_b, control);
        if (grz_control_expired_at(control, i, PAIR_CHECK_BITS))
            status = grz_control_status(control);
    }
    return status;
}

// ---- The pairs of pieces ----

// Classify a pair of pieces: contacts first to end - 1 of work->found are theirs.
static grz_status decide_pair(pieces_work *work, uint32_t a, uint32_t b, size_t first, size_t end)
{
    grz_solids solids = GRZ_SOLIDS_UNDECIDABLE;
    grz_status status = cut(work, &work->side[0], a);
    if (status == GRZ_OK)
        status = cut(work, &work->side[1], b);
    if (status != GRZ_OK)
        return status;
    const grz_piece_pair pair = {.found = &work->found,
                                 .range = {.a = &work->side[0].pieces[a].object,
                                           .b = &work->side[1].pieces[b].object,
                                           .first = first,
                                           .end = end,
                                           .complete = true},
                                 .cached = {&work->cache, a, work->side[0].count + b},
                                 .touching = first < end};
    status = work->call->decide(work->call->context, &pair, &solids);
    work->disjoint = solids == GRZ_SOLIDS_TOUCHING || solids == GRZ_SOLIDS_APART;
    return status;
}

// Classify a piece of A and those of B that it touches. *next: where its contacts begin, and then where they end.
static grz_status decide_touching(pieces_work *work, uint32_t a, size_t *next)
{
    grz_status status = GRZ_OK;
    while (*next < work->found.count && status == GRZ_OK && work->disjoint) {
        const size_t first = *next;
        const uint32_t job = work->found.items[first].job;
        const uint64_t key = work->keys.items[job];
        if (key >> 32 != a)
            break;
        while (*next < work->found.count && work->found.items[*next].job == job)
            (*next)++;
        status = decide_pair(work, a, (uint32_t)key, first, *next);
    }
    return status;
}

// A piece of B, by where it begins along x; `reach` is the largest x of this piece and those before it.
typedef struct sweep_piece {
    double begin, reach;
    uint32_t number;
} sweep_piece;

static int compare_begins(const void *x, const void *y, void *context)
{
    const sweep_piece *one = x, *other = y;
    (void)context;
    if (one->begin != other->begin)
        return one->begin < other->begin ? -1 : 1;
    return one->number < other->number ? -1 : one->number > other->number;
}

// Classify a piece of A and those of B whose boxes overlap its box although nothing touches.
static grz_status decide_near(pieces_work *work, uint32_t a, const sweep_piece *sorted)
{
    const grz_box *box = &work->side[0].pieces[a].box;
    grz_status status = GRZ_OK;
    uint32_t first = 0, end = work->side[1].count;
    while (first < end) { // those that begin behind the box do not overlap it
        const uint32_t middle = first + (end - first) / 2;
        if (sorted[middle].begin <= box->max[0])
            first = middle + 1;
        else
            end = middle;
    }
    for (size_t step = 1; first-- > 0 && sorted[first].reach >= box->min[0] && status == GRZ_OK && work->disjoint;
         step++) {
        const uint32_t b = sorted[first].number;
        if (grz_boxes_overlap(box, &work->side[1].pieces[b].box) && !pieces_touch(work, (uint64_t)a << 32 | b))
            status = decide_pair(work, a, b, 0, 0);
        if (status == GRZ_OK && grz_control_expired_at(work->call->control, step, CHECK_BITS))
            status = grz_control_status(work->call->control);
    }
    return status;
}

static grz_status sort_pieces(const pieces_work *work, sweep_piece *sorted)
{
    const one_object *b = &work->side[1];
    for (uint32_t i = 0; i < b->count; i++)
        sorted[i] = (sweep_piece){b->pieces[i].box.min[0], b->pieces[i].box.max[0], i};
    const grz_status status = grz_sort(sorted, b->count, sizeof *sorted, compare_begins, NULL, work->call->control);
    for (uint32_t i = 1; i < b->count && status == GRZ_OK; i++)
        sorted[i].reach = sorted[i - 1].reach > sorted[i].reach ? sorted[i - 1].reach : sorted[i].reach;
    return status;
}

// Each piece of A is dropped when it is done: there may be many.
static grz_status decide_pieces(pieces_work *work, const sweep_piece *sorted)
{
    grz_status status = GRZ_OK;
    size_t next = 0;
    for (uint32_t i = 0; i < work->side[0].count && status == GRZ_OK && work->disjoint; i++) {
        status = decide_touching(work, i, &next);
        if (status == GRZ_OK && work->disjoint)
            status = decide_near(work, i, sorted);
        if (status == GRZ_OK && grz_control_expired_at(work->call->control, i, CHECK_BITS))
            status = grz_control_status(work->call->control);
        grz_mesh_destroy(work->side[0].pieces[i].own);
        work->side[0].pieces[i].own = NULL;
    }
    return status;
}

// ---- All of it ----

static grz_status decide_all(pieces_work *work)
{
    const uint32_t count_a = work->side[0].count, count_b = work->side[1].count;
    sweep_piece *sorted = grz_allocate(work->allocator, count_b, sizeof *sorted);
    const bool room =
        sorted != NULL && grz_surface_cache_init(work->allocator, (size_t)count_a + count_b, &work->cache);
    grz_status status = room ? sort_pieces(work, sorted) : GRZ_ERROR_MEMORY;
    work->disjoint = true;
    if (status == GRZ_OK)
        status = decide_pieces(work, sorted);
    if (room)
        grz_surface_cache_finish(work->allocator, &work->cache);
    grz_release(work->allocator, sorted, count_b, sizeof *sorted);
    return status;
}

// The pieces of an object; `shells` stays NULL where it is one.
static grz_status find_shells(const grz_piece_work *call, const grz_object *object, const grz_kept_shells **shells)
{
    *shells = NULL;
    if (object->mesh->triangle_count > INT32_MAX)
        return GRZ_OK;
    const grz_status status = grz_mesh_kept_shells(object->mesh, call->control, shells, call->error);
    if (status != GRZ_OK || (*shells)->count < 2 || !(*shells)->closed)
        *shells = NULL;
    return status;
}

grz_status grz_pieces_touch(const grz_piece_work *call, bool *touching)
{
    pieces_work work = {.call = call, .allocator = grz_control_allocator(call->control)};
    bool common = false;
    grz_status status = GRZ_OK;
    *touching = false;
    for (int i = 0; i < 2 && status == GRZ_OK; i++) {
        work.side[i].whole = i == 0 ? call->range->a : call->range->b;
        if (call->split[i])
            status = find_shells(call, work.side[i].whole, &work.side[i].shells);
    }
    if (status != GRZ_OK || (work.side[0].shells == NULL && work.side[1].shells == NULL))
        return status;
    status = find_lone_contact(&work, &common);
    if (status != GRZ_OK || !common)
        return status;
    for (int i = 0; i < 2 && status == GRZ_OK; i++)
        status = list_pieces(&work, &work.side[i]);
    if (status == GRZ_OK)
        status = list_contacts(&work);
    if (status == GRZ_OK)
        status = decide_all(&work);
    *touching = status == GRZ_OK && work.disjoint;
    for (int i = 0; i < 2; i++)
        finish_pieces(&work, &work.side[i]);
    grz_array_finish(work.allocator, &work.keys);
    grz_array_finish(work.allocator, &work.found);
    return status == GRZ_OK ? GRZ_OK : grz_control_explain(call->control, status, "solids", call->error);
}
