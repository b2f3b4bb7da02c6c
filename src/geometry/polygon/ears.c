// SPDX-License-Identifier: MIT
// Ear clipping with exact signs, for polygons that may touch themselves.
//
// Why the result is right. Every clipped triangle has the orientation of the polygon, or no area. All triangles
// together have the same boundary as the polygon, so at almost every point the number of triangles that cover it is the
// polygon's winding number. If all corners can be clipped, a polygon that does not overlap itself is therefore covered
// exactly once, whichever ears were chosen. The ear test below only keeps the algorithm from getting stuck. It can
// choose wrongly at a doubled edge that sticks out: seen locally, it looks like a slit. Such polygons get a second
// attempt, which removes doubled edges first.
//
// Cost. Corners are tested in rounds: after the first round only the neighbours of clipped ears are tested again.
// Corners that may lie in an ear are found with a grid, which is rebuilt whenever half of its corners are gone. The
// grid is fast for small triangles. The AABB of a long thin triangle may contain many corners, for example when a comb
// has lost its teeth and its back is left. Such a triangle is tested with a k-d tree instead (polygon_tree.c).
#include "geometry/polygon/parts.h"

#include <assert.h>

#include "geometry/exact/predicates.h"

enum {
    LOOK_BITS = 6 // corners between two looks at the control, as a power of two; one may take as long as all corners
};

// Which corners may be clipped. A level is used only if the level before it finds no ear among all corners left.
typedef enum grz_ear_level {
    EAR_CLEAR,    // a convex corner, and no other corner in its closed triangle
    EAR_TOUCHED,  // other corners may lie on the triangle's boundary, if no edge of theirs enters the triangle
    EAR_FOLDED,   // a triangle without area: a repeated point, or the tip of a doubled edge
    EAR_STRAIGHT, // a triangle without area: a corner between its neighbours; one per round, as better ones may follow
    EAR_LEVEL_COUNT
} grz_ear_level;

// A uniform grid over the corners left.
typedef struct grz_grid {
    double low[2], cells_per_unit[2]; // in units of coordinates times `scale`
    grz_power_of_two scale[2];
    uint32_t size[2]; // cells along each axis
    uint32_t corner_count;
} grz_grid;

typedef struct grz_clipper {
    const double *points;
    grz_polygon_corner *ring;
    uint32_t *round_corners, *next_corners; // the corners to test in this round and in the next
    uint32_t round_count, next_count, round;
    uint32_t *cell_starts, *cell_corners, *corner_cells;
    grz_grid grid;
    const grz_polygon_scratch *scratch;
    grz_corner_tree tree;       // empty until a triangle needs it
    uint64_t steps;             // corners, cells and triangles visited
    uint32_t left, some_corner; // how many corners are left, and one of them
    int orientation;            // of the polygon: 1 counter-clockwise, -1 clockwise
    uint32_t *triangles;
    size_t triangle_count;
    bool fold_first; // clip EAR_FOLDED corners wherever they occur, before other ears
    bool ended;      // the control says to end
} grz_clipper;

static const double *point_at(const grz_clipper *clipper, uint32_t corner)
{
    return clipper->points + 2 * (size_t)corner;
}

// The turn at j on the way from i to j to k, relative to the polygon's orientation: 1 convex, 0 straight, -1 reflex.
static int turn(const grz_clipper *clipper, uint32_t i, uint32_t j, uint32_t k)
{
    return clipper->orientation * grz_orient2d(point_at(clipper, i), point_at(clipper, j), point_at(clipper, k));
}

static int turn_at(const grz_clipper *clipper, uint32_t corner)
{
    return turn(clipper, clipper->ring[corner].previous, corner, clipper->ring[corner].next);
}

// The column (axis 0) or row (axis 1) of a coordinate. Rounding is monotone, so a larger coordinate never gets a lower
// cell. Hence every point of a box lies in the cells between those of the box's corners.
static uint32_t cell_of(const grz_grid *grid, int axis, double coordinate)
{
    assert(coordinate >= grid->low[axis]);
    double unit = (coordinate - grid->low[axis]) * grid->scale[axis].first * grid->scale[axis].second;
    double cell = unit * grid->cells_per_unit[axis];
    return cell < (double)grid->size[axis] ? (uint32_t)cell : grid->size[axis] - 1;
}

static void size_grid(grz_clipper *clipper)
{
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (uint32_t i = 0, corner = clipper->some_corner; i < clipper->left; i++, corner = clipper->ring[corner].next)
        for (int axis = 0; axis < 2; axis++) {
            double x = point_at(clipper, corner)[axis];
            low[axis] = x < low[axis] ? x : low[axis];
            high[axis] = x > high[axis] ? x : high[axis];
        }
    // About one corner per cell. Fewer than 24 corners go into a single cell, because testing all of them is fastest.
    uint32_t across = clipper->left < 24 ? 1 : (uint32_t)sqrt((double)clipper->left);
    for (int axis = 0; axis < 2; axis++) {
        clipper->grid.low[axis] = low[axis];
        clipper->grid.size[axis] = high[axis] > low[axis] ? across : 1;
        clipper->grid.scale[axis] =
            high[axis] > low[axis] ? grz_normalising_power(high[axis] - low[axis]) : (grz_power_of_two){0.0, 0.0};
        double extent = (high[axis] - low[axis]) * clipper->grid.scale[axis].first * clipper->grid.scale[axis].second;
        clipper->grid.cells_per_unit[axis] = extent > 0.0 ? (double)across / extent : 0.0;
    }
}

// Sort the corners left into cells, by a counting sort.
static void build_grid(grz_clipper *clipper)
{
    size_grid(clipper);
    size_t cells = (size_t)clipper->grid.size[0] * clipper->grid.size[1];
    for (size_t i = 0; i <= cells; i++)
        clipper->cell_starts[i] = 0;
    for (uint32_t i = 0, corner = clipper->some_corner; i < clipper->left; i++, corner = clipper->ring[corner].next) {
        const double *p = point_at(clipper, corner);
        clipper->corner_cells[corner] =
            cell_of(&clipper->grid, 1, p[1]) * clipper->grid.size[0] + cell_of(&clipper->grid, 0, p[0]);
        clipper->cell_starts[clipper->corner_cells[corner] + 1]++;
    }
    for (size_t i = 0; i < cells; i++)
        clipper->cell_starts[i + 1] += clipper->cell_starts[i];
    // Filling a cell moves its start to its end. The loop after that shifts all starts back by one cell.
    for (uint32_t i = 0, corner = clipper->some_corner; i < clipper->left; i++, corner = clipper->ring[corner].next)
        clipper->cell_corners[clipper->cell_starts[clipper->corner_cells[corner]]++] = corner;
    for (size_t i = cells; i > 0; i--)
        clipper->cell_starts[i] = clipper->cell_starts[i - 1];
    clipper->cell_starts[0] = 0;
    assert(clipper->cell_starts[cells] == clipper->left);
    clipper->grid.corner_count = clipper->left;
}

// True if the step from a boundary point of the triangle to corner p enters its interior. side[i] is 0 for the sides
// that the boundary point lies on; p must be to the left of each of them.
static bool leads_inside(const grz_clipper *clipper, const uint32_t triangle[3], const int side[3], uint32_t p)
{
    for (int i = 0; i < 3; i++)
        if (side[i] == 0 && turn(clipper, triangle[i], triangle[(i + 1) % 3], p) <= 0)
            return false;
    return true;
}

// True if corner v prevents the triangle from being an ear.
static bool blocks(const grz_clipper *clipper, const uint32_t triangle[3], uint32_t v, grz_ear_level level)
{
    const double *p = point_at(clipper, v);
    int side[3];
    for (int i = 0; i < 3; i++) {
        side[i] = turn(clipper, triangle[i], triangle[(i + 1) % 3], v);
        if (side[i] < 0)
            return false;
    }
    if (side[0] > 0 && side[1] > 0 && side[2] > 0)
        return true;
    bool at_corner = false;
    for (int i = 0; i < 3; i++)
        at_corner = at_corner || grz_polygon_step(p, point_at(clipper, triangle[i])) == 0;
    if (level == EAR_CLEAR && !at_corner)
        return true;
    return leads_inside(clipper, triangle, side, clipper->ring[v].previous) ||
           leads_inside(clipper, triangle, side, clipper->ring[v].next);
}

// The context of a search in the tree.
typedef struct grz_ear_query {
    const grz_clipper *clipper;
    const uint32_t *triangle;
    grz_ear_level level;
} grz_ear_query;

static bool blocks_query(uint32_t corner, const void *context)
{
    const grz_ear_query *query = context;
    return corner != query->triangle[0] && corner != query->triangle[1] && corner != query->triangle[2] &&
           blocks(query->clipper, query->triangle, corner, query->level);
}

static bool is_blocked_by_tree(grz_clipper *clipper, const uint32_t triangle[3], grz_ear_level level)
{
    const grz_ear_query query = {clipper, triangle, level};
    if (clipper->left < clipper->tree.count / 2 || clipper->tree.count == 0)
        grz_corner_tree_build(clipper->scratch, clipper->some_corner, clipper->left, clipper->orientation,
                              &clipper->tree);
    return grz_corner_tree_find(&clipper->tree, triangle, blocks_query, &query);
}

// True if so many corners are in these cells that the tree is faster. A triangle as thin as a cell meets about one
// corner in each row.
static bool prefer_tree(const grz_clipper *clipper, const uint32_t first[2], const uint32_t last[2])
{
    const uint32_t many = 64 + 2 * clipper->grid.size[1];
    uint64_t found = 0;
    for (uint32_t row = first[1]; row <= last[1] && found <= many; row++) {
        const uint32_t *starts = clipper->cell_starts + (size_t)row * clipper->grid.size[0];
        found += starts[last[0] + 1] - starts[first[0]];
    }
    return found > many;
}

// True if any corner prevents the triangle from being an ear. Only corners that are not convex need a test: of all
// corners in the triangle, take the one furthest from the new edge. The polygon's boundary does not pass beyond it, so
// the interior angle there is at least 180 degrees.
static bool is_blocked(grz_clipper *clipper, const uint32_t triangle[3], grz_ear_level level)
{
    double low[2], high[2];
    uint32_t first[2], last[2];
    for (int axis = 0; axis < 2; axis++) {
        low[axis] = high[axis] = point_at(clipper, triangle[0])[axis];
        for (int i = 1; i < 3; i++) {
            double x = point_at(clipper, triangle[i])[axis];
            low[axis] = x < low[axis] ? x : low[axis];
            high[axis] = x > high[axis] ? x : high[axis];
        }
        first[axis] = cell_of(&clipper->grid, axis, low[axis]);
        last[axis] = cell_of(&clipper->grid, axis, high[axis]);
    }
    if (prefer_tree(clipper, first, last))
        return is_blocked_by_tree(clipper, triangle, level);
    for (uint32_t row = first[1]; row <= last[1]; row++) {
        const uint32_t *starts = clipper->cell_starts + (size_t)row * clipper->grid.size[0];
        clipper->steps += 1 + starts[last[0] + 1] - starts[first[0]];
        for (uint32_t i = starts[first[0]]; i < starts[last[0] + 1]; i++) {
            uint32_t v = clipper->cell_corners[i];
            if (clipper->ring[v].convex || clipper->ring[v].removed || v == triangle[0] || v == triangle[1] ||
                v == triangle[2])
                continue;
            const double *p = point_at(clipper, v);
            if (p[0] >= low[0] && p[0] <= high[0] && p[1] >= low[1] && p[1] <= high[1] &&
                blocks(clipper, triangle, v, level))
                return true;
        }
    }
    return false;
}

static bool is_ear(grz_clipper *clipper, uint32_t corner, grz_ear_level level)
{
    const uint32_t triangle[3] = {clipper->ring[corner].previous, corner, clipper->ring[corner].next};
    int sign = turn(clipper, triangle[0], triangle[1], triangle[2]);
    clipper->steps++;
    if (level <= EAR_TOUCHED)
        return sign > 0 && !is_blocked(clipper, triangle, level);
    if (level == EAR_STRAIGHT)
        return sign == 0;
    int step = grz_polygon_step(point_at(clipper, triangle[0]), point_at(clipper, triangle[1]));
    return sign == 0 && step * grz_polygon_step(point_at(clipper, triangle[1]), point_at(clipper, triangle[2])) <= 0;
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
    ring[corner].removed = true;
    ring[previous].next = next;
    ring[next].previous = previous;
    clipper->some_corner = previous;
    clipper->left--;
}

// Test a corner again in the next round, because its neighbour was clipped. Not in this round: that way clipped corners
// alternate with others, and the triangles stay compact.
static void requeue(grz_clipper *clipper, uint32_t corner)
{
    clipper->ring[corner].convex = turn_at(clipper, corner) > 0;
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
        if (is_ear(clipper, before, EAR_FOLDED)) {
            clip(clipper, before);
            before = clipper->ring[before].previous;
        } else if (is_ear(clipper, after, EAR_FOLDED)) {
            clip(clipper, after);
            after = clipper->ring[after].next;
        } else {
            break;
        }
    }
    requeue(clipper, before);
    requeue(clipper, after);
}

// Run one round at a level. True if it clipped a corner.
static bool run_round(grz_clipper *clipper, grz_ear_level level)
{
    uint32_t left_before = clipper->left;
    clipper->next_count = 0;
    for (uint32_t i = 0; i < clipper->round_count && clipper->left > 3; i++) {
        uint32_t corner = clipper->round_corners[i];
        clipper->ended = clipper->ended || grz_polygon_must_end(clipper->scratch, i, LOOK_BITS);
        if (clipper->ended)
            return false;
        if (clipper->ring[corner].removed || clipper->ring[corner].due != clipper->round ||
            !is_ear(clipper, corner, level))
            continue;
        clip(clipper, corner);
        update_neighbours(clipper, corner);
        if (clipper->left < clipper->grid.corner_count / 2 && clipper->left >= 12)
            build_grid(clipper);
        if (level == EAR_STRAIGHT)
            break;
    }
    uint32_t *swapped = clipper->round_corners;
    clipper->round_corners = clipper->next_corners;
    clipper->next_corners = swapped;
    clipper->round_count = clipper->next_count;
    clipper->round++;
    return clipper->left < left_before;
}

// Queue all corners left for the current round.
static void queue_all(grz_clipper *clipper)
{
    clipper->round_count = 0;
    for (uint32_t i = 0, corner = clipper->some_corner; i < clipper->left; i++, corner = clipper->ring[corner].next) {
        clipper->ring[corner].due = clipper->round;
        clipper->round_corners[clipper->round_count++] = corner;
    }
}

// Clip until one triangle is left, and output that. False if no ear is found before that.
static bool clip_all(grz_clipper *clipper)
{
    bool all = true;
    int level = EAR_CLEAR;
    queue_all(clipper);
    if (clipper->fold_first) {
        (void)run_round(clipper, EAR_FOLDED);
        queue_all(clipper);
    }
    while (clipper->left > 3 && level < EAR_LEVEL_COUNT && !clipper->ended) {
        if (run_round(clipper, (grz_ear_level)level)) {
            all = false;
            level = EAR_CLEAR;
            continue;
        }
        level += all; // before going to the next level, test all corners again at this one
        all = true;
        queue_all(clipper);
    }
    if (clipper->ended || clipper->left > 3 || turn_at(clipper, clipper->some_corner) < 0)
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
                           .cell_starts = scratch->cell_starts.items,
                           .cell_corners = scratch->cell_corners.items,
                           .corner_cells = scratch->corner_cells.items,
                           .scratch = scratch,
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
        if (grz_polygon_step(point_at(&clipper, clipper.ring[i].previous), point_at(&clipper, i)) == 0)
            clip(&clipper, i);
    for (uint32_t i = 0, corner = clipper.some_corner; i < clipper.left; i++, corner = clipper.ring[corner].next)
        clipper.ring[corner].convex = turn_at(&clipper, corner) > 0;
    build_grid(&clipper);
    *complete = clip_all(&clipper);
    assert(!*complete || clipper.triangle_count == (size_t)count - 2);
    scratch->steps += clipper.steps + clipper.tree.steps;
    return !clipper.ended;
}
