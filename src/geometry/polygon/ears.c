// SPDX-License-Identifier: MIT
// Ear clipping with exact signs, for polygons that may touch themselves.
//
// Why the result is right. Every clipped triangle has the orientation of the polygon, or no area. All triangles
// together have the same boundary as the polygon, so at almost every point the number of triangles that cover it is the
// polygon's winding number. If all corners can be clipped, a polygon that does not overlap itself is therefore covered
// exactly once, whichever ears were chosen. The ear test (blocked.c) only keeps the algorithm from getting stuck. It
// can choose wrongly at a doubled edge that sticks out: seen locally, it looks like a slit. Such polygons get a second
// attempt, which removes doubled edges first.
//
// Cost. Corners are tested in rounds: after the first round only the neighbours of clipped ears are tested again. If
// none of these is an ear, all corners are. Two structures bound the work for polygons that touch themselves often;
// they are used only when that work has been done (polygon_hubs.c, watch.c), and change no triangle.
#include "geometry/polygon/clipper.h"

enum {
    LOOK_BITS = 6, // tests between two looks at the control, as a power of two; one may take as long as all corners
    MANY_TOUCHES =
        32, // corners passed over on the boundaries of triangles, for each corner of the polygon; then polygon_hubs.c
    MANY_TESTS = 8 // tests in rounds that test all, for each corner of the polygon; then watch.c
};

// How much may be done before a structure with lists is used: `many` for each corner.
static uint64_t most_before_lists(const grz_clipper *clipper, uint64_t many)
{
    return clipper->count > GRZ_POLYGON_NUMBERED ? UINT64_MAX : clipper->scratch->eager ? 0 : many * clipper->count;
}

static bool is_ear(grz_clipper *clipper, uint32_t corner, grz_ear_level level)
{
    const uint32_t triangle[3] = {clipper->ring[corner].previous, corner, clipper->ring[corner].next};
    int sign = grz_clipper_turn(clipper, triangle[0], triangle[1], triangle[2]);
    clipper->steps++;
    clipper->blocker = GRZ_NO_NODE;
    if (level <= GRZ_EAR_TOUCHED)
        return sign > 0 && !grz_clipper_is_blocked(clipper, triangle, level);
    if (level == GRZ_EAR_STRAIGHT)
        return sign == 0;
    int step = grz_polygon_step(grz_clipper_point(clipper, triangle[0]), grz_clipper_point(clipper, triangle[1]));
    return sign == 0 &&
           step * grz_polygon_step(grz_clipper_point(clipper, triangle[1]), grz_clipper_point(clipper, triangle[2])) <=
               0;
}

// Output the triangle of a corner and its neighbours, and remove the corner from the ring.
static void clip(grz_clipper *clipper, uint32_t corner)
{
    grz_polygon_corner *ring = clipper->ring;
    assert(clipper->left >= 3 && !ring[corner].removed);
    uint32_t previous = ring[corner].previous, next = ring[corner].next;
    uint32_t *triangle = clipper->triangles + 3 * clipper->triangle_count++;
    triangle[0] = previous;
    triangle[1] = corner;
    triangle[2] = next;
    if (ring[corner].convex)
        ring[corner].removed = true;
    else
        grz_clipper_set_corner(clipper, corner, false, true);
    ring[previous].next = next;
    ring[next].previous = previous;
    clipper->some_corner = previous;
    clipper->left--;
    if (clipper->hubs.on)
        grz_hubs_update(clipper, corner);
    if (clipper->watch.on) {
        grz_watch_release(clipper, grz_blocked_by_edge(corner));
        grz_watch_remove(clipper, corner);
    }
}

// Test a corner again in the next round, because its neighbour was clipped. Not in this round: that way clipped corners
// alternate with others, and the triangles stay compact.
static void requeue(grz_clipper *clipper, uint32_t corner)
{
    const bool convex = grz_clipper_turn_at(clipper, corner) > 0;
    if (convex != clipper->ring[corner].convex)
        grz_clipper_set_corner(clipper, corner, convex, false);
    if (clipper->hubs.on)
        grz_hubs_update(clipper, corner);
    if (clipper->watch.on) {
        grz_watch_release(clipper, grz_blocked_by_edge(corner));
        grz_watch_renew(clipper, corner);
    }
    if (clipper->ring[corner].due != clipper->round + 1) {
        clipper->ring[corner].due = clipper->round + 1;
        clipper->next_corners[clipper->next_count++] = corner;
    }
}

// After a corner was clipped: queue its two neighbours. With fold_first, neighbours that are folded are clipped at
// once, and the neighbours after them are queued.
static void update_neighbours(grz_clipper *clipper, uint32_t clipped)
{
    uint32_t before = clipper->ring[clipped].previous, after = clipper->ring[clipped].next;
    while (clipper->fold_first && clipper->left > 3) {
        if (is_ear(clipper, before, GRZ_EAR_FOLDED)) {
            clip(clipper, before);
            before = clipper->ring[before].previous;
        } else if (is_ear(clipper, after, GRZ_EAR_FOLDED)) {
            clip(clipper, after);
            after = clipper->ring[after].next;
        } else {
            break;
        }
    }
    requeue(clipper, before);
    requeue(clipper, after);
}

// Begin a round that tests all corners left, in the order of the ring. With watch.c it skips those that cannot be ears.
static void begin_full_round(grz_clipper *clipper)
{
    clipper->full_tests += clipper->left;
    if (!clipper->watch.on && clipper->full_tests > most_before_lists(clipper, MANY_TESTS))
        clipper->ended = !grz_watch_start(clipper) || clipper->ended;
    clipper->full_round = clipper->watch.on;
    clipper->round_at = 0;
    clipper->round_first = clipper->some_corner;
    clipper->round_count = 0;
    for (uint32_t i = 0, corner = clipper->some_corner; i < clipper->left && !clipper->full_round;
         i++, corner = clipper->ring[corner].next) {
        clipper->ring[corner].due = clipper->round;
        clipper->round_corners[clipper->round_count++] = corner;
    }
}

// The next corner to test in a full round with watch.c, or GRZ_NO_NODE. Neighbours of corners that were clipped in this
// round wait for the next. The ring has the order of the corners' numbers.
static uint32_t next_watched(grz_clipper *clipper, grz_ear_level level)
{
    const grz_bit_set *due = &clipper->watch.due[level];
    while (clipper->round_at < clipper->count) {
        const uint32_t to_end = clipper->count - clipper->round_first, at = clipper->round_at;
        const uint32_t found = grz_bit_set_next(due, at < to_end ? clipper->round_first + at : at - to_end);
        clipper->steps++;
        if (found == GRZ_NOT_FOUND)
            clipper->round_at = at < to_end ? to_end : clipper->count;
        else
            clipper->round_at = 1 + (at < to_end ? found - clipper->round_first : to_end + found);
        if (found != GRZ_NOT_FOUND && clipper->round_at <= clipper->count &&
            clipper->ring[found].due != clipper->round + 1)
            return found;
    }
    return GRZ_NO_NODE;
}

// The next corner to test in this round, or GRZ_NO_NODE.
static uint32_t next_in_round(grz_clipper *clipper, grz_ear_level level)
{
    if (clipper->full_round)
        return next_watched(clipper, level);
    while (clipper->round_at < clipper->round_count) {
        const uint32_t corner = clipper->round_corners[clipper->round_at++];
        if (!clipper->ring[corner].removed && clipper->ring[corner].due == clipper->round)
            return corner;
    }
    return GRZ_NO_NODE;
}

// End the round. The corners that were queued in it are those of the next one.
static void end_round(grz_clipper *clipper)
{
    uint32_t *swapped = clipper->round_corners;
    clipper->round_corners = clipper->next_corners;
    clipper->next_corners = swapped;
    clipper->round_count = clipper->next_count;
    clipper->next_count = 0;
    clipper->round_at = 0;
    clipper->full_round = false;
    clipper->round++;
}

// Run one round at a level. True if it clipped a corner.
static bool run_round(grz_clipper *clipper, grz_ear_level level)
{
    const uint32_t left_before = clipper->left;
    for (uint32_t tests = 0, corner; clipper->left > 3; tests++) {
        if (clipper->touches > clipper->most_touches) {
            clipper->most_touches = UINT64_MAX;
            clipper->ended = !grz_hubs_start(clipper) || clipper->ended;
        }
        clipper->ended = clipper->ended || grz_polygon_must_end(clipper->scratch, tests, LOOK_BITS);
        if (clipper->ended || (corner = next_in_round(clipper, level)) == GRZ_NO_NODE)
            break;
        if (!is_ear(clipper, corner, level)) {
            if (clipper->watch.on)
                grz_watch_blocked(clipper, corner, level);
            continue;
        }
        clip(clipper, corner);
        update_neighbours(clipper, corner);
        if (clipper->left < clipper->grid.corner_count / 2 && clipper->left >= 12)
            grz_clipper_build_grid(clipper);
        if (level == GRZ_EAR_STRAIGHT)
            break;
    }
    end_round(clipper);
    return clipper->left < left_before;
}

// Clip until one triangle is left, and output that. False if no ear is found before that.
static bool clip_all(grz_clipper *clipper)
{
    bool all = true;
    int level = GRZ_EAR_CLEAR;
    begin_full_round(clipper);
    if (clipper->fold_first) {
        (void)run_round(clipper, GRZ_EAR_FOLDED);
        begin_full_round(clipper);
    }
    while (clipper->left > 3 && level < GRZ_EAR_LEVELS && !clipper->ended) {
        if (run_round(clipper, (grz_ear_level)level)) {
            all = false;
            level = GRZ_EAR_CLEAR;
            continue;
        }
        level += all; // before going to the next level, test all corners again at this one
        all = true;
        begin_full_round(clipper);
    }
    if (clipper->ended || clipper->left > 3 || grz_clipper_turn_at(clipper, clipper->some_corner) < 0)
        return false;
    clip(clipper, clipper->some_corner);
    return true;
}

bool grz_polygon_clip_ears(const grz_allocator *allocator, grz_polygon_scratch *scratch, uint32_t count,
                           int orientation, bool fold_first, uint32_t *triangles, bool *complete)
{
    *complete = false;
    if (!grz_array_reserve(allocator, &scratch->ring, count) || !grz_array_reserve(allocator, &scratch->round, count) ||
        !grz_array_reserve(allocator, &scratch->next_round, count) ||
        !grz_array_reserve(allocator, &scratch->cell_starts, (size_t)count + 2) ||
        !grz_array_reserve(allocator, &scratch->cell_corners, count) ||
        !grz_array_reserve(allocator, &scratch->corner_cells, count) ||
        !grz_corner_tree_reserve(allocator, scratch, count))
        return false;
    grz_clipper clipper = {.points = scratch->points.items,
                           .ring = scratch->ring.items,
                           .round_corners = scratch->round.items,
                           .next_corners = scratch->next_round.items,
                           .grid = {.cell_starts = scratch->cell_starts.items,
                                    .cell_corners = scratch->cell_corners.items,
                                    .corner_cells = scratch->corner_cells.items},
                           .scratch = scratch,
                           .allocator = allocator,
                           .count = count,
                           .left = count,
                           .orientation = orientation,
                           .round = 1,
                           .fold_first = fold_first};
    clipper.triangles = triangles;
    for (uint32_t i = 0; i < count; i++)
        clipper.ring[i] =
            (grz_polygon_corner){.previous = i > 0 ? i - 1 : count - 1, .next = i + 1 < count ? i + 1 : 0};
    // A point that equals the one before it gives a triangle without area in any case, so it is clipped first.
    for (uint32_t i = 0; i < count && clipper.left > 3; i++)
        if (grz_polygon_step(grz_clipper_point(&clipper, clipper.ring[i].previous), grz_clipper_point(&clipper, i)) ==
            0)
            clip(&clipper, i);
    for (uint32_t i = 0, corner = clipper.some_corner; i < clipper.left; i++, corner = clipper.ring[corner].next) {
        clipper.ring[corner].convex = grz_clipper_turn_at(&clipper, corner) > 0;
        clipper.ring[corner].listed = !clipper.ring[corner].convex;
    }
    clipper.most_touches = most_before_lists(&clipper, MANY_TOUCHES);
    grz_clipper_build_grid(&clipper);
    *complete = clip_all(&clipper);
    assert(!*complete || clipper.triangle_count == (size_t)count - 2);
    scratch->steps += clipper.steps + clipper.tree.steps;
    return !clipper.ended;
}
