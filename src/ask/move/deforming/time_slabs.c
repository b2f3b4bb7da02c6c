// SPDX-License-Identifier: MIT
// Time is cut into slabs. In each, the boxes of the triangles hold the slab's times only. A slab is halved until the
// pairs of boxes that overlap are not many more than those that overlap at its start anyway. A pair is searched from
// the slab in which its boxes first overlap to the end of time; it is left out of the next slabs, as long as its boxes
// go on overlapping. So what is left to search after a slab cannot meet before its end. docs/use/move_deforming.md,
// "Slabs".
#include "ask/move/deforming/time_slabs.h"

#include <math.h>

#include "base/control.h"
#include "base/device.h"
#include "base/rounding.h"
#include "space/swept/swept_tree.h"

enum {
    FIRST_CHUNK = 64,  // pairs that are searched up to one and the same time; then twice as many, up to
    MOST_CHUNK = 4096, // so many
    BLOCK = 32,        // pairs a task
    CHECK_BITS = 10,   // pairs of boxes between two checks of the control, as a power of two
    SLABS_A_TREE = 4   // before trees are built again; in between they are refitted
};

static const double SHORTEST_SLAB = 0x1p-12; // of the time asked about

typedef struct slabs {
    grz_device *device;
    grz_first_contact *first;
    int sides; // trees: 2, or 1 for a mesh with itself
    grz_swept_tree trees[2];
    grz_box *before[2]; // the boxes in the slab before this one, if has_before
    bool has_before;
    grz_box *vertices[2]; // where each vertex is in the slab
    double drift[3];      // what the vertices' ways have in common
    double from, to;      // the slab
    uint64_t at_start;    // pairs of boxes that overlap where a slab begins, this one or one shortly before
    bool knows_start;     // at_start is not from long ago
    uint64_t visits;
    uint32_t (*pairs)[2]; // that wait to be searched; room for MOST_CHUNK
    grz_inclusion *found;
    bool *searched;
    size_t count, chunk;
} slabs;

static const grz_moving_mesh *mesh_of(const slabs *s, int side)
{
    return side == 0 ? s->first->a : s->first->b;
}

// ---- Boxes --------------------------------------------------------------------------------------------------------

static inline double smaller(double x, double y)
{
    return x < y ? x : y; // fmin() would be a call
}

static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

// Add where a coordinate is at time t, seen from a frame that has moved by t · drift. Its rounded value is within
// 4 · 2^-53 of the larger of its values at both ends, and 2 · 2^-53 of the drift; 2^-51 of both is taken.
static inline void add_time(double *min, double *max, double start, double end, double drift, double t)
{
    const double at = ((1.0 - t) * start + t * end) - t * drift;
    // 4 roundings.
    const double error = t == 0.0 ? 0.0 : 0x1p-51 * (larger(fabs(start), fabs(end)) + fabs(drift)) + GRZ_UNDERFLOWS;
    *min = smaller(*min, at - error);
    *max = larger(*max, at + error);
}

// What all vertices have in common of their ways: the mean. Boxes are seen from a frame that moves so, or a mesh that
// only moves as a whole would seem to sweep over itself.
static void find_drift(slabs *s)
{
    for (size_t axis = 0; axis < 3; axis++) {
        double sum = 0.0, count = 0.0;
        for (int side = 0; side < s->sides; side++) {
            const grz_moving_mesh *const m = mesh_of(s, side);
            for (size_t v = 0; v < m->mesh->vertex_count; v++)
                sum += m->at[1][3 * v + axis] - m->at[0][3 * v + axis];
            count += m->mesh->vertex_count;
        }
        s->drift[axis] = sum / count;
    }
}

// The box of each vertex at times `from` to `to`.
static void set_vertex_boxes(const slabs *s, int side, double from, double to)
{
    const grz_moving_mesh *const m = mesh_of(s, side);
    for (size_t v = 0; v < m->mesh->vertex_count; v++) {
        grz_box *const box = &s->vertices[side][v];
        *box = grz_box_empty();
        for (size_t axis = 0; axis < 3; axis++) {
            const double start = m->at[0][3 * v + axis], end = m->at[1][3 * v + axis], drift = s->drift[axis];
            add_time(&box->min[axis], &box->max[axis], start, end, drift, from);
            add_time(&box->min[axis], &box->max[axis], start, end, drift, to);
        }
    }
}

// The boxes of all triangles at times `from` to `to`. Those of A are grown by the separation.
static void set_boxes(slabs *s, double from, double to)
{
    for (int side = 0; side < s->sides; side++) {
        const grz_mesh *const mesh = mesh_of(s, side)->mesh;
        set_vertex_boxes(s, side, from, to);
        for (uint32_t i = 0; i < mesh->triangle_count; i++) {
            const uint32_t *const vertex = mesh->triangles + (size_t)i * 3;
            grz_box box = s->vertices[side][vertex[0]];
            for (int k = 1; k < 3; k++) {
                const grz_box *const other = &s->vertices[side][vertex[k]];
                for (int axis = 0; axis < 3; axis++) {
                    box.min[axis] = smaller(box.min[axis], other->min[axis]);
                    box.max[axis] = larger(box.max[axis], other->max[axis]);
                }
            }
            s->trees[side].boxes[i] = side == 0 ? grz_box_grown(&box, s->first->limits.separation) : box;
        }
    }
}

// ---- How many pairs -----------------------------------------------------------------------------------------------

typedef struct counter {
    grz_control *control;
    uint64_t count, most;
} counter;

static bool count_pair(void *user, uint32_t a, uint32_t b)
{
    counter *const c = user;
    (void)a;
    (void)b;
    c->count++;
    return c->count <= c->most && !grz_control_expired_at(c->control, (size_t)c->count, CHECK_BITS);
}

// Pairs of boxes that overlap; more than `most`: that many and one.
static uint64_t count_pairs(const slabs *s, uint64_t most)
{
    counter c = {.control = s->first->control, .most = most};
    grz_swept_tree_pairs(&s->trees[0], &s->trees[s->sides - 1], count_pair, &c);
    return c.count;
}

// ---- Search -------------------------------------------------------------------------------------------------------

static void search_block(size_t index, void *context)
{
    slabs *const s = context;
    grz_inclusion_limits limits = s->first->limits;
    const size_t end = (index + 1) * BLOCK < s->count ? (index + 1) * BLOCK : s->count;
    if (grz_control_expired(s->first->control))
        return;
    limits.from = s->from;
    for (size_t i = index * BLOCK; i < end; i++) {
        s->found[i] = grz_first_contact_search(s->first, s->pairs[i], &limits);
        s->searched[i] = true;
    }
}

// Search the pairs that wait, all up to the best contact so far, and take in what was found in their order: so the
// answer does not depend on the number of threads. False if the search is over.
static bool search_chunk(slabs *s)
{
    grz_first_contact *const first = s->first;
    for (size_t i = 0; i < s->count; i++)
        s->searched[i] = false;
    const size_t blocks = (s->count + BLOCK - 1) / BLOCK;
    if (blocks > 0)
        grz_parallel(s->device, blocks, search_block, s);
    for (size_t i = 0; i < s->count; i++) {
        first->candidates += s->searched[i];
        if (s->searched[i])
            grz_first_contact_take(first, s->pairs[i], &s->found[i]);
    }
    s->count = 0;
    s->chunk = s->chunk < MOST_CHUNK ? 2 * s->chunk : s->chunk;
    return !grz_control_expired(first->control) && first->limits.t_max > s->from;
}

// A pair whose boxes overlap. It waits, unless it was searched in an earlier slab already.
static bool visit(void *user, uint32_t triangle_a, uint32_t triangle_b)
{
    slabs *const s = user;
    const bool is_self = s->sides == 1, exchange = is_self && triangle_b < triangle_a;
    const uint32_t a = exchange ? triangle_b : triangle_a, b = exchange ? triangle_a : triangle_b;
    const grz_mesh *const mesh = s->first->a->mesh;
    if (grz_control_expired_at(s->first->control, (size_t)++s->visits, CHECK_BITS))
        return false;
    if (s->has_before && grz_boxes_overlap(&s->before[0][a], &s->before[s->sides - 1][b]))
        return true;
    if (is_self && grz_mesh_triangle_face(mesh, a) == grz_mesh_triangle_face(mesh, b))
        return true;
    s->pairs[s->count][0] = a;
    s->pairs[s->count][1] = b;
    return ++s->count < s->chunk || search_chunk(s);
}

// ---- Slabs --------------------------------------------------------------------------------------------------------

static void go_on(slabs *s)
{
    for (int side = 0; side < s->sides; side++) {
        grz_box *const kept = s->before[side];
        s->before[side] = s->trees[side].boxes;
        s->trees[side].boxes = kept;
    }
    s->has_before = true;
    s->first->reached = s->from = s->to;
}

// Fit boxes and trees to some times, and count the pairs that overlap; more than `most`: that many and one.
static uint64_t fit(slabs *s, double from, double to, uint64_t most)
{
    set_boxes(s, from, to);
    for (int side = 0; side < s->sides; side++)
        grz_swept_tree_refit(&s->trees[side]);
    return count_pairs(s, most);
}

// Find the end of a slab that begins at `from`, at most *length long: its boxes, and trees that fit them. *length is
// changed to that of the slab, or to twice that where few pairs overlap.
static void choose_slab(slabs *s, double *length)
{
    grz_first_contact *const first = s->first;
    const uint64_t few = ((uint64_t)first->a->mesh->triangle_count + first->b->mesh->triangle_count) / 4;
    for (;;) {
        s->to = fmin(s->from + *length, first->limits.t_max);
        uint64_t most = few + 2 * s->at_start, count = fit(s, s->from, s->to, most);
        if (count > most && !s->knows_start && !grz_control_expired(first->control)) {
            s->at_start = fit(s, s->from, s->from, UINT64_MAX - 1);
            s->knows_start = true;
            most = few + 2 * s->at_start;
            count = fit(s, s->from, s->to, most);
        }
        if (count <= most || *length <= SHORTEST_SLAB * first->t_max || grz_control_expired(first->control)) {
            *length *= count < most / 4 ? 2.0 : 1.0;
            return;
        }
        *length = 0.5 * (s->to - s->from);
    }
}

// By where the triangles are at the slab's start: boxes of long times all lie in the same place.
static bool build_trees(slabs *s)
{
    set_boxes(s, s->from, s->from);
    for (int side = 0; side < s->sides; side++)
        if (!grz_swept_tree_build(&s->trees[side], s->first->control))
            return false;
    return true;
}

static bool search_all(slabs *s)
{
    double length = s->first->t_max;
    find_drift(s);
    for (uint64_t number = 0;; number++) {
        if (number % SLABS_A_TREE == 0) {
            if (!build_trees(s))
                return false;
            s->knows_start = false;
        }
        choose_slab(s, &length);
        if (grz_control_expired(s->first->control))
            return false;
        const bool walked = grz_swept_tree_pairs(&s->trees[0], &s->trees[s->sides - 1], visit, s) && search_chunk(s);
        if (!walked && s->first->limits.t_max > s->from)
            return false;
        if (!(s->to < s->first->limits.t_max))
            return true;
        go_on(s);
    }
}

static bool make_room(slabs *s, const grz_allocator *allocator)
{
    for (int side = 0; side < s->sides; side++) {
        const grz_mesh *const mesh = mesh_of(s, side)->mesh;
        const uint32_t count = mesh->triangle_count;
        s->before[side] = grz_allocate(allocator, count, sizeof *s->before[side]);
        s->vertices[side] = grz_allocate(allocator, mesh->vertex_count, sizeof *s->vertices[side]);
        if (!grz_swept_tree_init(&s->trees[side], count, allocator) || s->before[side] == NULL ||
            s->vertices[side] == NULL)
            return false;
    }
    s->pairs = grz_allocate(allocator, MOST_CHUNK, sizeof *s->pairs);
    s->found = grz_allocate(allocator, MOST_CHUNK, sizeof *s->found);
    s->searched = grz_allocate(allocator, MOST_CHUNK, sizeof *s->searched);
    return s->pairs != NULL && s->found != NULL && s->searched != NULL;
}

bool grz_slabs_search(grz_device *device, grz_first_contact *first)
{
    const grz_allocator *const allocator = grz_control_allocator(first->control);
    slabs s = {.device = device, .first = first, .sides = first->a == first->b ? 1 : 2, .chunk = FIRST_CHUNK};
    bool complete = false;
    if (make_room(&s, allocator))
        complete = search_all(&s);
    else
        grz_control_fail(first->control, GRZ_ERROR_MEMORY);
    for (int side = 0; side < 2; side++) {
        const grz_mesh *const mesh = mesh_of(&s, side)->mesh;
        grz_swept_tree_finish(&s.trees[side]);
        grz_release(allocator, s.before[side], mesh->triangle_count, sizeof *s.before[side]);
        grz_release(allocator, s.vertices[side], mesh->vertex_count, sizeof *s.vertices[side]);
    }
    grz_release(allocator, s.pairs, MOST_CHUNK, sizeof *s.pairs);
    grz_release(allocator, s.found, MOST_CHUNK, sizeof *s.found);
    grz_release(allocator, s.searched, MOST_CHUNK, sizeof *s.searched);
    return complete;
}
