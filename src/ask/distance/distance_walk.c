// SPDX-License-Identifier: MIT
// A walk of two trees. It goes down once, to a first upper bound. Then it opens the nearest pair of boxes first, of all
// that wait, so it opens hardly any that is farther than the answer. If very many wait, as between surfaces that run
// side by side, it goes on depth first, the nearest children first: then the room for those that wait is bounded.
// Sources: S. Quinlan, "Efficient distance computation between non-convex objects" (1994), for the walk and its
// relative error.
#include "ask/distance/distance_walk.h"

#include <math.h>

#include "ask/distance/ends.h"
#include "ask/distance/distance_flat.h"
#include "ask/distance/posed_nodes.h"
#include "ask/distance/trial.h"
#include "base/control.h"
#include "base/rounding.h"

enum {
    CHECK_BITS = 7,       // pairs between two checks of the control, a power of two
    MOST_GUESSES = 8,     // pairs followed at a time on the way to a first upper bound
    MANY_NODES = 8,       // of both trees: with fewer, a descent compares much of what the walk does again
    LARGE = 8192,         // nodes of both trees: with fewer, half as many guesses are enough
    SLAB_STEPS = 1 << 12, // after so many steps there may be slabs
    HEAP = 1024           // so many pairs wait, about, before the walk goes on depth first
};

// Two children: of A's tree and of B's.
typedef struct waiting {
    uint32_t a, b;             // as grz_bvh_node::child has them
    uint32_t place_a, place_b; // node · 8 + position in the node; GRZ_BVH_NONE for the roots
    float square;              // bounds their distance from below, in the frames
} waiting;

static const waiting root_pair = {.place_a = GRZ_BVH_NONE, .place_b = GRZ_BVH_NONE};

typedef struct walk {
    grz_nearest_pairs *pairs;
    const grz_bvh *bvh_a, *bvh_b;
    grz_distance_frames frames;
    grz_distance_reach reach;
    grz_flat flat;
    grz_distance_bounds *bounds;
    grz_distance_middles *middles;
    grz_posed_nodes *posed;     // of A's tree and of B's
    grz_trial ways, slabs;      // depth first: do comparisons along the way to the other object, and slabs, pay off?
    double share;               // pairs at this share of the best upper bound, or farther, are dropped
    double for_limit;           // the upper bound from which the limit was made
    float limit;                // squared, in the frames: what is farther is dropped
    GRZ_ARRAY(waiting) waiting; // a heap with the nearest pair first, or a stack with the nearest on top
    enum {
        FIRST_DESCENT, // depth first, to a first upper bound
        NEAREST_FIRST, // of all that wait
        DEPTH_FIRST    // to the end
    } order;
} walk;

static void look(walk *w)
{
    grz_distance_frames_look(&w->frames, w->pairs->way);
    grz_distance_reach_turn(&w->reach);
}

static void update_limit(walk *w)
{
    if (w->pairs->upper == w->for_limit)
        return;
    w->for_limit = w->pairs->upper;
    w->limit = grz_distance_limit(&w->frames, w->pairs->upper * w->share);
}

// A node's children; of a triangle its own place in its parent.
static grz_distance_side side_of(walk *w, int t, uint32_t child, uint32_t place)
{
    const grz_bvh *bvh = t == 0 ? w->bvh_a : w->bvh_b;
    const bool alone = grz_bvh_is_triangle(child);
    const uint32_t node = alone ? place / GRZ_BVH_WIDTH : child;
    const grz_bvh_node *opened = &bvh->nodes[node];
    static const float nothing_known[GRZ_BVH_WIDTH] = {0.0f};
    const bool by_way = w->order != DEPTH_FIRST || grz_trial_is_worth(&w->ways);
    grz_distance_side side = {opened, 0, by_way ? grz_distance_reach_of(&w->reach, t, node)->ends : nothing_known};
    if (alone)
        side.children = 1u << place % GRZ_BVH_WIDTH;
    for (int i = 0; i < GRZ_BVH_WIDTH && !alone; i++)
        side.children |= (uint32_t)(opened->child[i] != GRZ_BVH_NONE) << i;
    return side;
}

// Where child i of a side is stored.
static uint32_t place_of(const grz_bvh *bvh, const grz_distance_side *side, int i)
{
    return (uint32_t)(side->node - bvh->nodes) * GRZ_BVH_WIDTH + (uint32_t)i;
}

// Put a pair into the heap of the first `count` pairs, which has room for it.
static void sift_up(waiting *all, size_t count, waiting next)
{
    size_t at = count;
    for (; at > 0 && all[(at - 1) / 2].square > next.square; at = (at - 1) / 2)
        all[at] = all[(at - 1) / 2];
    all[at] = next;
}

// Take the first of a heap away.
static waiting take_first(waiting *all, size_t count)
{
    const waiting first = all[0], last = all[--count];
    size_t at = 0;
    for (size_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && all[child + 1].square < all[child].square)
            child++;
        if (all[child].square >= last.square)
            break;
        all[at] = all[child];
        at = child;
    }
    all[at] = last;
    return first;
}

// Let a pair wait. Depth first: above `from`, where the nearest is on top. False if there is no memory.
static bool push(walk *w, size_t from, waiting next)
{
    if (!grz_array_add(grz_control_allocator(w->pairs->control), &w->waiting))
        return false;
    waiting *all = w->waiting.items;
    size_t at = w->waiting.count - 1;
    if (w->order == NEAREST_FIRST) {
        sift_up(all, at, next);
        return true;
    }
    for (; at > from && all[at - 1].square < next.square; at--)
        all[at] = all[at - 1];
    all[at] = next;
    return true;
}

static waiting pop(walk *w)
{
    waiting *all = w->waiting.items;
    const size_t count = w->waiting.count--;
    return w->order == NEAREST_FIRST ? take_first(all, count) : all[count - 1];
}

// Change the order: after the first triangles, and if too many pairs wait.
static void choose_order(walk *w)
{
    waiting *all = w->waiting.items;
    if (w->order == FIRST_DESCENT && w->pairs->upper < HUGE_VAL) {
        for (size_t i = 1; i < w->waiting.count; i++)
            sift_up(all, i, all[i]);
        w->order = NEAREST_FIRST;
    }
    if (w->order == NEAREST_FIRST && w->waiting.count > HEAP) {
        for (size_t i = w->waiting.count; i > 1; i--)
            all[i - 1] = take_first(all, i); // the nearest comes last
        w->order = DEPTH_FIRST;
    }
}

// A pair of triangles to compare.
typedef struct leaf_pair {
    float square;
    uint8_t i, j; // children of A's node and of B's
} leaf_pair;

// Two opened nodes, or nodes and single triangles; the triangles among their children.
typedef struct opened {
    grz_distance_side a, b;
    uint32_t rows;                  // the children of A that have any of B within the limit, as bits
    uint32_t within[GRZ_BVH_WIDTH]; // these children of B
    float squares[GRZ_BVH_WIDTH][GRZ_BVH_WIDTH];
    leaf_pair leaves[GRZ_BVH_WIDTH * GRZ_BVH_WIDTH]; // the nearest is the first
    int leaf_count;
} opened;

static void add_leaf(opened *o, float square, int i, int j)
{
    const leaf_pair leaf = {square, (uint8_t)i, (uint8_t)j};
    o->leaves[o->leaf_count++] = leaf;
    if (square < o->leaves[0].square) {
        o->leaves[o->leaf_count - 1] = o->leaves[0];
        o->leaves[0] = leaf;
    }
}

// Compare the triangles that two nodes have. False if there is no memory.
static bool compare_leaves(walk *w, opened *o)
{
    if (o->leaf_count == 0)
        return true;
    w->pairs->by_way = w->order != DEPTH_FIRST || grz_trial_is_worth(&w->ways);
    grz_posed_node *const of_a = grz_posed_node_of(&w->posed[0], w->bvh_a, o->a.node), *const of_b = grz_posed_node_of(
                                                                                           &w->posed[1], w->bvh_b,
                                                                                           o->b.node);
    for (int k = 0; k < o->leaf_count; k++) {
        const int i = o->leaves[k].i, j = o->leaves[k].j;
        if (o->leaves[k].square > w->limit)
            continue;
        if (!grz_nearest_pairs_compare(w->pairs, grz_posed_node_triangle(of_a, i), grz_posed_node_triangle(of_b, j)))
            return false;
        update_limit(w);
    }
    if (grz_nearest_pairs_look(w->pairs))
        look(w);
    return true;
}

// Bound the distances of a pair's children.
static void open_pair(walk *w, const waiting *pair, opened *o)
{
    o->a = side_of(w, 0, pair->a, pair->place_a);
    o->b = side_of(w, 1, pair->b, pair->place_b);
    o->leaf_count = 0;
    o->rows = w->bounds(&w->frames, &o->a, &o->b, w->limit, o->squares, o->within);
}

static waiting child_pair(const walk *w, const opened *o, int i, int j)
{
    return (waiting){.a = o->a.node->child[i],
                     .b = o->b.node->child[j],
                     .place_a = place_of(w->bvh_a, &o->a, i),
                     .place_b = place_of(w->bvh_b, &o->b, j),
                     .square = o->squares[i][j]};
}

// How far a child extends along the way; of a node as its children say, or as their children do.
static float end_of(walk *w, int side, uint32_t child, uint32_t place, bool refined)
{
    if (grz_bvh_is_triangle(child))
        return grz_distance_reach_of(&w->reach, side, place / GRZ_BVH_WIDTH)->ends[place % GRZ_BVH_WIDTH];
    return refined ? grz_distance_reach_refined(&w->reach, side, child)
                   : grz_distance_reach_of(&w->reach, side, child)->most;
}

// True if a pair is too far apart along the way.
static bool is_far_along(walk *w, const waiting *pair)
{
    for (int refined = 0; refined < 2; refined++) {
        const float gap =
            -(end_of(w, 0, pair->a, pair->place_a, refined != 0) + end_of(w, 1, pair->b, pair->place_b, refined != 0));
        if (gap > 0.0f && gap * gap > w->limit)
            return true;
    }
    return false;
}

// Slabs tell apart what runs side by side; where few pairs wait, they cost more than they save.
static bool is_far_by_slabs(const walk *w, const waiting *pair)
{
    if (w->flat.slabs[0] == NULL || w->flat.slabs[1] == NULL || grz_bvh_is_triangle(pair->a) ||
        grz_bvh_is_triangle(pair->b))
        return false;
    const float gap = grz_flat_gap(&w->flat, pair->a, pair->b);
    return gap * gap > w->limit;
}

// True if a pair is too far apart along the way, or by the slabs of its nodes.
static bool is_far(walk *w, const waiting *pair)
{
    if (w->order != DEPTH_FIRST)
        return is_far_along(w, pair);
    bool far_apart = grz_trial_is_worth(&w->ways) && is_far_along(w, pair);
    grz_trial_count(&w->ways, far_apart);
    if (!far_apart) {
        far_apart = grz_trial_is_worth(&w->slabs) && is_far_by_slabs(w, pair);
        grz_trial_count(&w->slabs, far_apart);
    }
    return far_apart;
}

// Compare the triangles of an opened pair, and let its other children wait. False if there is no memory.
static bool spread(walk *w, opened *o)
{
    const size_t from = w->waiting.count;
    for (uint32_t rows = o->rows; rows != 0; rows &= rows - 1) {
        const int i = __builtin_ctz(rows);
        for (uint32_t columns = o->within[i]; columns != 0; columns &= columns - 1) {
            const int j = __builtin_ctz(columns);
            const waiting pair = child_pair(w, o, i, j);
            if (grz_bvh_is_triangle(pair.a) && grz_bvh_is_triangle(pair.b))
                add_leaf(o, o->squares[i][j], i, j);
            else if (!is_far(w, &pair) && !push(w, from, pair))
                return false;
        }
    }
    return compare_leaves(w, o);
}

// ---- The first upper bound -----------------------------------------------------------------------------------------

// A pair that may lead to the nearest triangles.
typedef struct guess {
    waiting pair;
    float key; // how far apart they may be, in no unit: the smaller the better
} guess;

typedef struct guesses {
    guess best[MOST_GUESSES]; // the best first
    int count, room;
} guesses;

static void add_guess(guesses *all, guess next)
{
    if (all->count == all->room && next.key >= all->best[all->room - 1].key)
        return;
    int at = all->count < all->room ? all->count++ : all->room - 1; // the worst makes room
    for (; at > 0 && all->best[at - 1].key > next.key; at--)
        all->best[at] = all->best[at - 1];
    all->best[at] = next;
}

static bool are_triangles(const waiting *pair)
{
    return grz_bvh_is_triangle(pair->a) && grz_bvh_is_triangle(pair->b);
}

// Replace a pair by its children.
static void guess_children(walk *w, const waiting *pair, guesses *next)
{
    opened o;
    float keys[GRZ_BVH_WIDTH][GRZ_BVH_WIDTH];
    open_pair(w, pair, &o);
    w->middles(&w->frames, &o.a, &o.b, o.rows, keys);
    for (uint32_t rows = o.rows; rows != 0; rows &= rows - 1) {
        const int i = __builtin_ctz(rows);
        for (uint32_t columns = o.within[i]; columns != 0; columns &= columns - 1) {
            const int j = __builtin_ctz(columns);
            add_guess(next, (guess){child_pair(w, &o, i, j), keys[i][j] + o.squares[i][j]});
        }
    }
}

// Go down to the triangles once, with a few pairs at a time whose boxes or middles are near, and compare the triangles
// that are reached. False if there is no memory.
static bool find_upper(walk *w)
{
    const int room = w->bvh_a->node_count + w->bvh_b->node_count < LARGE ? MOST_GUESSES / 2 : MOST_GUESSES;
    guesses lists[2] = {{.count = 1, .room = room}, {.room = room}}, *now = &lists[0], *next = &lists[1];
    now->best[0] = (guess){root_pair, 0.0f};
    for (bool opened_any = true; opened_any;) {
        opened_any = false;
        next->count = 0;
        for (int i = 0; i < now->count; i++) {
            const guess *one = &now->best[i];
            if (!are_triangles(&one->pair))
                guess_children(w, &one->pair, next);
            else
                add_guess(next, *one);
            opened_any = opened_any || !are_triangles(&one->pair);
        }
        guesses *const free_list = now;
        now = next;
        next = free_list;
    }
    bool has_room = true;
    for (int i = 0; i < now->count && has_room; i++) {
        grz_posed_triangle a, b;
        grz_posed_triangle_init(&a, grz_bvh_triangle(now->best[i].pair.a));
        grz_posed_triangle_init(&b, grz_bvh_triangle(now->best[i].pair.b));
        has_room = grz_nearest_pairs_compare(w->pairs, &a, &b);
    }
    update_limit(w);
    if (grz_nearest_pairs_look(w->pairs))
        look(w);
    return has_room;
}

// ---- The walk -----------------------------------------------------------------------------------------------------

// Open the nearest pair. False if there is no memory.
static bool step(walk *w)
{
    const waiting pair = pop(w);
    if (pair.square > w->limit || is_far(w, &pair))
        return true;
    opened o;
    open_pair(w, &pair, &o);
    const bool has_room = spread(w, &o);
    choose_order(w);
    return has_room;
}

// What is certain: nothing that waits or was dropped is nearer. Of what was dropped it is only said if that may be
// nearer than the best upper bound.
static double find_lower(const walk *w)
{
    float square = HUGE_VALF;
    for (size_t i = 0; i < w->waiting.count; i++)
        square = fminf(square, w->waiting.items[i].square);
    const double waiting_lower = grz_distance_lower(&w->frames, square),
                 dropped_lower = w->share < 1.0 ? w->pairs->upper * w->share * GRZ_LESS(8) : HUGE_VAL;
    return fmin(waiting_lower, dropped_lower);
}

static void count_openings(const walk *w, size_t steps)
{
    grz_bvh_count_openings(w->bvh_a, steps);
    grz_bvh_count_openings(w->bvh_b, steps);
}

grz_status grz_distance_walk(grz_nearest_pairs *pairs, const grz_bvh *bvh_a, const grz_bvh *bvh_b, grz_simd simd,
                             double relative_error, double *lower)
{
    const grz_allocator *allocator = grz_control_allocator(pairs->control);
    walk w = {.pairs = pairs,
              .bvh_a = bvh_a,
              .bvh_b = bvh_b,
              .bounds = grz_distance_bounds_for(simd),
              .middles = grz_distance_middles_for(simd),
              .share = 1.0 / (1.0 + relative_error),
              .limit = HUGE_VALF,
              .for_limit = HUGE_VAL};
    size_t steps = 0;
    *lower = 0.0;
    grz_distance_frames_set(&w.frames, bvh_a, pairs->a, bvh_b, pairs->b);
    if (!grz_distance_reach_init(&w.reach, &w.frames, simd, allocator))
        return GRZ_ERROR_MEMORY;
    w.posed = grz_allocate(allocator, 2, sizeof *w.posed);
    if (w.posed == NULL) {
        grz_distance_reach_finish(&w.reach, allocator);
        return GRZ_ERROR_MEMORY;
    }
    for (int t = 0; t < 2; t++)
        grz_posed_nodes_init(&w.posed[t]);
    grz_flat_set(&w.flat, &w.frames);
    grz_flat_take(&w.flat, &w.frames, pairs->control);
    look(&w);
    update_limit(&w);
    const bool many = bvh_a->node_count + bvh_b->node_count >= MANY_NODES;
    bool has_room = (!many || find_upper(&w)) && push(&w, 0, root_pair), going = has_room;
    while (w.waiting.count > 0 && going) {
        going = !grz_control_expired_at(pairs->control, ++steps, CHECK_BITS);
        has_room = !going || step(&w);
        going = going && has_room;
        if ((steps & (SLAB_STEPS - 1)) == 0) {
            count_openings(&w, SLAB_STEPS);
            grz_flat_take(&w.flat, &w.frames, pairs->control);
        }
    }
    count_openings(&w, steps & (SLAB_STEPS - 1));
    if (!has_room)
        grz_control_fail(pairs->control, GRZ_ERROR_MEMORY);
    *lower = find_lower(&w);
    grz_array_finish(allocator, &w.waiting);
    grz_distance_reach_finish(&w.reach, allocator);
    grz_release(allocator, w.posed, 2, sizeof *w.posed);
    return grz_control_status(pairs->control);
}
