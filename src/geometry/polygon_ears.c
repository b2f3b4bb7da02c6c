// SPDX-License-Identifier: MIT
// Ear clipping with exact signs, for polygons that may touch themselves. Every triangle clipped runs round as the polygon does or
// has no area. The triangles' indicators then add up to the polygon's winding number almost everywhere, for both have the same
// boundary; so a clipping that completes covers a polygon that does not overlap itself exactly once, whichever ears were taken, and
// the ear test below is there only to not get stuck. It can be wrong where doubled edges bound nothing: outside, they look just
// like slits from near by. Such polygons get a second try that takes doubled edges off first. Corners wait in rounds (only those
// next to a clipped ear are looked at again), and those that could lie in an ear are found by a grid, laid anew whenever half of
// its corners are gone. The grid is quick for triangles that are small or hold little; what is long and thin among many corners, as
// what is left of a comb without its teeth, goes to a tree (polygon_tree.c).
#include "geometry/polygon_parts.h"

#include "geometry/predicates.h"

// What may be clipped. The next level is tried only where this one finds nothing among all corners left.
typedef enum grz_ear_level {
    EAR_CLEAR,    // a convex corner, its closed triangle free of others
    EAR_TOUCHED,  // others may lie on its boundary where no edge of theirs enters it
    EAR_FOLDED,   // a triangle without area: a repeated point, or the tip of a doubled edge
    EAR_STRAIGHT, // a triangle without area: a corner between its neighbours; one a round, for another may do better then
    EAR_LEVEL_COUNT
} grz_ear_level;

typedef struct grz_grid {
    double low[2], cells_per_unit[2]; // a unit is what `scale` makes of coordinates
    grz_power_of_two scale[2];
    uint32_t size[2]; // cells along each axis
    uint32_t corner_count;
} grz_grid;

typedef struct grz_clipper {
    const double *points;
    grz_polygon_corner *ring;
    uint32_t *round_corners, *next_corners; // this round's and the next one's
    uint32_t round_count, next_count, round;
    uint32_t *cell_starts, *cell_corners, *corner_cells;
    grz_grid grid;
    const grz_polygon_scratch *scratch;
    grz_corner_tree tree;       // zeroed until a triangle needs it
    uint64_t steps;             // corners, cells and triangles looked at
    uint32_t left, some_corner; // how many corners are left, and one of them
    int orientation;
    uint32_t *triangles;
    size_t triangle_count;
    bool fold_first; // take off what is folded wherever it shows, before anything else
} grz_clipper;

static const double *point_at(const grz_clipper *c, uint32_t corner)
{
    return c->points + 2 * (size_t)corner;
}

static int turn(const grz_clipper *c, uint32_t i, uint32_t j, uint32_t k)
{
    return c->orientation * grz_orient2d(point_at(c, i), point_at(c, j), point_at(c, k));
}

static int turn_at(const grz_clipper *c, uint32_t corner)
{
    return turn(c, c->ring[corner].previous, corner, c->ring[corner].next);
}

// The column or row of a coordinate. Rounding and all, it never decreases as the coordinate grows: nothing in a box of coordinates
// lies outside the box of their cells.
static uint32_t cell_of(const grz_grid *grid, int axis, double coordinate)
{
    double unit = (coordinate - grid->low[axis]) * grid->scale[axis].first * grid->scale[axis].second;
    double cell = unit * grid->cells_per_unit[axis];
    return cell < (double)grid->size[axis] ? (uint32_t)cell : grid->size[axis] - 1;
}

static void size_grid(grz_clipper *c)
{
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (uint32_t i = 0, corner = c->some_corner; i < c->left; i++, corner = c->ring[corner].next)
        for (int axis = 0; axis < 2; axis++) {
            double x = point_at(c, corner)[axis];
            low[axis] = x < low[axis] ? x : low[axis];
            high[axis] = x > high[axis] ? x : high[axis];
        }
    // About one corner a cell; few corners go into one cell, where looking at all is quickest.
    uint32_t across = c->left < 24 ? 1 : (uint32_t)sqrt((double)c->left);
    for (int axis = 0; axis < 2; axis++) {
        c->grid.low[axis] = low[axis];
        c->grid.size[axis] = high[axis] > low[axis] ? across : 1;
        c->grid.scale[axis] = high[axis] > low[axis] ? grz_normalising_power(high[axis] - low[axis]) : (grz_power_of_two){0.0, 0.0};
        double extent = (high[axis] - low[axis]) * c->grid.scale[axis].first * c->grid.scale[axis].second;
        c->grid.cells_per_unit[axis] = extent > 0.0 ? (double)across / extent : 0.0;
    }
}

// Sort the corners left into cells, by counting.
static void lay_grid(grz_clipper *c)
{
    size_grid(c);
    size_t cells = (size_t)c->grid.size[0] * c->grid.size[1];
    for (size_t i = 0; i <= cells; i++)
        c->cell_starts[i] = 0;
    for (uint32_t i = 0, corner = c->some_corner; i < c->left; i++, corner = c->ring[corner].next) {
        const double *p = point_at(c, corner);
        c->corner_cells[corner] = cell_of(&c->grid, 1, p[1]) * c->grid.size[0] + cell_of(&c->grid, 0, p[0]);
        c->cell_starts[c->corner_cells[corner] + 1]++;
    }
    for (size_t i = 0; i < cells; i++)
        c->cell_starts[i + 1] += c->cell_starts[i];
    // Filling a cell moves its start to its end; going backwards through the cells puts that right.
    for (uint32_t i = 0, corner = c->some_corner; i < c->left; i++, corner = c->ring[corner].next)
        c->cell_corners[c->cell_starts[c->corner_cells[corner]]++] = corner;
    for (size_t i = cells; i > 0; i--)
        c->cell_starts[i] = c->cell_starts[i - 1];
    c->cell_starts[0] = 0;
    c->grid.corner_count = c->left;
}

// Whether going from a boundary point of the triangle to p leads into its interior: left of every side that the point is on.
static bool leads_inside(const grz_clipper *c, const uint32_t triangle[3], const int side[3], uint32_t p)
{
    for (int i = 0; i < 3; i++)
        if (side[i] == 0 && turn(c, triangle[i], triangle[(i + 1) % 3], p) <= 0)
            return false;
    return true;
}

// Whether corner v keeps the triangle from being an ear.
static bool blocks(const grz_clipper *c, const uint32_t triangle[3], uint32_t v, grz_ear_level level)
{
    const double *p = point_at(c, v);
    int side[3];
    for (int i = 0; i < 3; i++) {
        side[i] = turn(c, triangle[i], triangle[(i + 1) % 3], v);
        if (side[i] < 0)
            return false;
    }
    if (side[0] > 0 && side[1] > 0 && side[2] > 0)
        return true;
    bool at_corner = false;
    for (int i = 0; i < 3; i++)
        at_corner = at_corner || grz_polygon_order(p, point_at(c, triangle[i])) == 0;
    if (level == EAR_CLEAR && !at_corner)
        return true;
    return leads_inside(c, triangle, side, c->ring[v].previous) || leads_inside(c, triangle, side, c->ring[v].next);
}

// What is_blocked() asks the tree.
typedef struct grz_ear_question {
    const grz_clipper *clipper;
    const uint32_t *triangle;
    grz_ear_level level;
} grz_ear_question;

static bool blocks_asked(uint32_t corner, const void *context)
{
    const grz_ear_question *asked = context;
    return corner != asked->triangle[0] && corner != asked->triangle[1] && corner != asked->triangle[2] &&
           blocks(asked->clipper, asked->triangle, corner, asked->level);
}

static bool is_blocked_by_tree(grz_clipper *c, const uint32_t triangle[3], grz_ear_level level)
{
    const grz_ear_question asked = {c, triangle, level};
    if (c->left < c->tree.count / 2 || c->tree.count == 0)
        grz_corner_tree_build(c->scratch, c->some_corner, c->left, c->orientation, &c->tree);
    return grz_corner_tree_find(&c->tree, triangle, blocks_asked, &asked);
}

// Whether the corners in these cells are so many that the tree is the better way. A triangle as thin as a cell finds about one in
// each row.
static bool are_many(const grz_clipper *c, const uint32_t first[2], const uint32_t last[2])
{
    const uint32_t many = 64 + 2 * c->grid.size[1];
    uint64_t found = 0;
    for (uint32_t row = first[1]; row <= last[1] && found <= many; row++) {
        const uint32_t *starts = c->cell_starts + (size_t)row * c->grid.size[0];
        found += starts[last[0] + 1] - starts[first[0]];
    }
    return found > many;
}

// Whether any corner keeps the triangle from being an ear. Only those that are not convex need a look: of the corners in it, the
// one furthest from the new edge has none beyond it, so the polygon's inside goes round it by 180 degrees at least.
static bool is_blocked(grz_clipper *c, const uint32_t triangle[3], grz_ear_level level)
{
    double low[2], high[2];
    uint32_t first[2], last[2];
    for (int axis = 0; axis < 2; axis++) {
        low[axis] = high[axis] = point_at(c, triangle[0])[axis];
        for (int i = 1; i < 3; i++) {
            double x = point_at(c, triangle[i])[axis];
            low[axis] = x < low[axis] ? x : low[axis];
            high[axis] = x > high[axis] ? x : high[axis];
        }
        first[axis] = cell_of(&c->grid, axis, low[axis]);
        last[axis] = cell_of(&c->grid, axis, high[axis]);
    }
    if (are_many(c, first, last))
        return is_blocked_by_tree(c, triangle, level);
    for (uint32_t row = first[1]; row <= last[1]; row++) {
        const uint32_t *starts = c->cell_starts + (size_t)row * c->grid.size[0];
        c->steps += 1 + starts[last[0] + 1] - starts[first[0]];
        for (uint32_t i = starts[first[0]]; i < starts[last[0] + 1]; i++) {
            uint32_t v = c->cell_corners[i];
            if (c->ring[v].convex || c->ring[v].removed || v == triangle[0] || v == triangle[1] || v == triangle[2])
                continue;
            const double *p = point_at(c, v);
            if (p[0] >= low[0] && p[0] <= high[0] && p[1] >= low[1] && p[1] <= high[1] && blocks(c, triangle, v, level))
                return true;
        }
    }
    return false;
}

static bool is_ear(grz_clipper *c, uint32_t corner, grz_ear_level level)
{
    const uint32_t triangle[3] = {c->ring[corner].previous, corner, c->ring[corner].next};
    int sign = turn(c, triangle[0], triangle[1], triangle[2]);
    c->steps++;
    if (level <= EAR_TOUCHED)
        return sign > 0 && !is_blocked(c, triangle, level);
    if (level == EAR_STRAIGHT)
        return sign == 0;
    int onward = grz_polygon_order(point_at(c, triangle[0]), point_at(c, triangle[1]));
    return sign == 0 && onward * grz_polygon_order(point_at(c, triangle[1]), point_at(c, triangle[2])) <= 0;
}

static void clip(grz_clipper *c, uint32_t corner)
{
    grz_polygon_corner *ring = c->ring;
    uint32_t previous = ring[corner].previous, next = ring[corner].next;
    uint32_t *triangle = c->triangles + 3 * c->triangle_count++;
    triangle[0] = previous;
    triangle[1] = corner;
    triangle[2] = next;
    ring[corner].removed = true;
    ring[previous].next = next;
    ring[next].previous = previous;
    c->some_corner = previous;
    c->left--;
}

// Look at the neighbours of a clipped corner again: in the next round, not in this, so that ears alternate with corners left alone
// and triangles stay compact.
static void wake(grz_clipper *c, uint32_t corner)
{
    c->ring[corner].convex = turn_at(c, corner) > 0;
    if (c->ring[corner].due != c->round + 1) {
        c->ring[corner].due = c->round + 1;
        c->next_corners[c->next_count++] = corner;
    }
}

// After a corner was clipped: its neighbours are to be looked at, or the next ones if those are folded and go first.
static void settle(grz_clipper *c, uint32_t clipped)
{
    uint32_t before = c->ring[clipped].previous, after = c->ring[clipped].next;
    while (c->fold_first && c->left > 3) {
        if (is_ear(c, before, EAR_FOLDED)) {
            clip(c, before);
            before = c->ring[before].previous;
        } else if (is_ear(c, after, EAR_FOLDED)) {
            clip(c, after);
            after = c->ring[after].next;
        } else {
            break;
        }
    }
    wake(c, before);
    wake(c, after);
}

// One round at a level. Returns whether it clipped anything.
static bool run_round(grz_clipper *c, grz_ear_level level)
{
    uint32_t left_before = c->left;
    c->next_count = 0;
    for (uint32_t i = 0; i < c->round_count && c->left > 3; i++) {
        uint32_t corner = c->round_corners[i];
        if (c->ring[corner].removed || c->ring[corner].due != c->round || !is_ear(c, corner, level))
            continue;
        clip(c, corner);
        settle(c, corner);
        if (c->left < c->grid.corner_count / 2 && c->left >= 12)
            lay_grid(c);
        if (level == EAR_STRAIGHT)
            break;
    }
    uint32_t *swapped = c->round_corners;
    c->round_corners = c->next_corners;
    c->next_corners = swapped;
    c->round_count = c->next_count;
    c->round++;
    return c->left < left_before;
}

// Make all corners left due in the present round.
static void wake_all(grz_clipper *c)
{
    c->round_count = 0;
    for (uint32_t i = 0, corner = c->some_corner; i < c->left; i++, corner = c->ring[corner].next) {
        c->ring[corner].due = c->round;
        c->round_corners[c->round_count++] = corner;
    }
}

static bool clip_all(grz_clipper *c)
{
    bool all = true;
    int level = EAR_CLEAR;
    wake_all(c);
    if (c->fold_first) {
        (void)run_round(c, EAR_FOLDED);
        wake_all(c);
    }
    while (c->left > 3 && level < EAR_LEVEL_COUNT) {
        if (run_round(c, (grz_ear_level)level)) {
            all = false;
            level = EAR_CLEAR;
            continue;
        }
        level += all; // all corners are looked at again at this level before a laxer one
        all = true;
        wake_all(c);
    }
    if (c->left > 3 || turn_at(c, c->some_corner) < 0)
        return false;
    clip(c, c->some_corner);
    return true;
}

bool grz_polygon_clip_ears(const grz_allocator *allocator, grz_polygon_scratch *scratch, uint32_t count, int orientation,
                           bool fold_first, uint32_t *triangles, bool *complete)
{
    *complete = false;
    if (!grz_array_reserve(allocator, &scratch->ring, count) || !grz_array_reserve(allocator, &scratch->round, count) ||
        !grz_array_reserve(allocator, &scratch->next_round, count) ||
        !grz_array_reserve(allocator, &scratch->cell_starts, (size_t)count + 2) ||
        !grz_array_reserve(allocator, &scratch->cell_corners, count) ||
        !grz_array_reserve(allocator, &scratch->corner_cells, count) || !grz_corner_tree_reserve(allocator, scratch, count))
        return false;
    grz_clipper c = {.points = scratch->points.items,
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
    c.triangles = triangles;
    for (uint32_t i = 0; i < count; i++)
        c.ring[i] = (grz_polygon_corner){.previous = i > 0 ? i - 1 : count - 1, .next = i + 1 < count ? i + 1 : 0};
    // A point that repeats the one before it costs a triangle without area whatever is done, so it goes at once.
    for (uint32_t i = 0; i < count && c.left > 3; i++)
        if (grz_polygon_order(point_at(&c, c.ring[i].previous), point_at(&c, i)) == 0)
            clip(&c, i);
    for (uint32_t i = 0, corner = c.some_corner; i < c.left; i++, corner = c.ring[corner].next)
        c.ring[corner].convex = turn_at(&c, corner) > 0;
    lay_grid(&c);
    *complete = clip_all(&c);
    scratch->steps += c.steps + c.tree.steps;
    return true;
}
