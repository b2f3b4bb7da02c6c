// SPDX-License-Identifier: MIT
// Does another corner prevent a triangle from being an ear?
//
// Corners that may lie in the triangle are found with a grid, which is rebuilt whenever half of its corners are gone.
// The grid is fast for small triangles. The AABB of a long thin triangle may contain many corners, for example when a
// comb has lost its teeth and its back is left. Such a triangle is tested with a k-d tree instead (corner_tree.c). Only
// corners that are not convex need a test: of all corners in the triangle, take the one furthest from the new edge. The
// polygon's boundary does not pass beyond it, so the interior angle there is at least 180 degrees.
#include "geometry/polygon/clipper.h"

enum {
    MANY_ROWS = 1024 // of the grid; polygons of fewer than MANY_ROWS^2 corners have fewer
};

// The column (axis 0) or row (axis 1) of a coordinate. Rounding is monotone, so a larger coordinate never gets a lower
// cell. Hence every point of a box lies in the cells between those of the box's corners.
static uint32_t cell_of(const grz_ear_grid *grid, int axis, double coordinate)
{
    if (grid->size[axis] == 1)
        return 0;
    assert(coordinate >= grid->low[axis]);
    double unit = (coordinate - grid->low[axis]) * grid->scale[axis].first * grid->scale[axis].second;
    double cell = unit * grid->cells_per_unit[axis];
    return cell < (double)grid->size[axis] ? (uint32_t)cell : grid->size[axis] - 1;
}

static void size_grid(grz_clipper *clipper)
{
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    // About one corner per cell. Fewer than 24 corners go into a single cell, because testing all of them is fastest.
    const uint32_t across = clipper->left < 24 ? 1 : (uint32_t)sqrt((double)clipper->left);
    clipper->grid.size[0] = clipper->grid.size[1] = 1;
    if (across == 1)
        return;
    for (uint32_t i = 0, corner = clipper->some_corner; i < clipper->left; i++, corner = clipper->ring[corner].next)
        for (int axis = 0; axis < 2; axis++) {
            double x = grz_clipper_point(clipper, corner)[axis];
            low[axis] = x < low[axis] ? x : low[axis];
            high[axis] = x > high[axis] ? x : high[axis];
        }
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
void grz_clipper_build_grid(grz_clipper *clipper)
{
    size_grid(clipper);
    size_t cells = (size_t)clipper->grid.size[0] * clipper->grid.size[1];
    for (size_t i = 0; i <= cells; i++)
        clipper->grid.cell_starts[i] = 0;
    for (uint32_t i = 0, corner = clipper->some_corner; i < clipper->left; i++, corner = clipper->ring[corner].next) {
        const double *p = grz_clipper_point(clipper, corner);
        clipper->grid.corner_cells[corner] =
            cell_of(&clipper->grid, 1, p[1]) * clipper->grid.size[0] + cell_of(&clipper->grid, 0, p[0]);
        clipper->grid.cell_starts[clipper->grid.corner_cells[corner] + 1]++;
    }
    for (size_t i = 0; i < cells; i++)
        clipper->grid.cell_starts[i + 1] += clipper->grid.cell_starts[i];
    // Filling a cell moves its start to its end. The loop after that shifts all starts back by one cell.
    for (uint32_t i = 0, corner = clipper->some_corner; i < clipper->left; i++, corner = clipper->ring[corner].next)
        clipper->grid.cell_corners[clipper->grid.cell_starts[clipper->grid.corner_cells[corner]]++] = corner;
    for (size_t i = cells; i > 0; i--)
        clipper->grid.cell_starts[i] = clipper->grid.cell_starts[i - 1];
    clipper->grid.cell_starts[0] = 0;
    assert(clipper->grid.cell_starts[cells] == clipper->left);
    clipper->grid.corner_count = clipper->left;
}

// True if corner v prevents the triangle from being an ear.
static bool blocks(grz_clipper *clipper, const uint32_t triangle[3], uint32_t v, grz_ear_level level)
{
    int side[3];
    switch (grz_clipper_place(clipper, triangle, v, level, side)) {
    case GRZ_EAR_OUTSIDE:
        return false;
    case GRZ_EAR_INSIDE:
        clipper->blocker = grz_blocked_by_corner(v);
        return true;
    case GRZ_EAR_AT_BOUNDARY:
        break;
    }
    clipper->blocker = grz_blocked_by_edge(v);
    clipper->touches++;
    return grz_clipper_leads_inside(clipper, triangle, side, clipper->ring[v].previous) ||
           grz_clipper_leads_inside(clipper, triangle, side, clipper->ring[v].next);
}

// The context of a search in the tree.
typedef struct grz_ear_query {
    grz_clipper *clipper;
    const uint32_t *triangle;
    grz_ear_level level;
} grz_ear_query;

// True if a corner blocks the triangle, or the hub that it stands for.
static bool blocks_query(uint32_t corner, const void *context)
{
    const grz_ear_query *query = context;
    const grz_ear_hubs *hubs = &query->clipper->hubs;
    if (hubs->on && hubs->hub_of[corner] != GRZ_NO_NODE)
        return grz_hubs_block(query->clipper, query->triangle, hubs->hub_of[corner], query->level);
    return query->clipper->ring[corner].listed && corner != query->triangle[0] && corner != query->triangle[1] &&
           corner != query->triangle[2] && blocks(query->clipper, query->triangle, corner, query->level);
}

// The tree has the corners left, but of each hub only one.
static void build_tree(grz_clipper *clipper)
{
    uint32_t *order = clipper->scratch->order.items, count = 0;
    for (uint32_t i = 0, corner = clipper->some_corner; i < clipper->left; i++, corner = clipper->ring[corner].next)
        if (!clipper->hubs.on || clipper->hubs.hub_of[corner] == GRZ_NO_NODE)
            order[count++] = corner;
    for (uint32_t hub = 0; hub < clipper->hubs.count; hub++)
        if (clipper->hubs.hubs[hub].left > 0)
            order[count++] = clipper->hubs.hubs[hub].corner;
    grz_corner_tree_build(clipper->scratch, count, clipper->orientation, &clipper->tree);
    clipper->tree_left = clipper->left;
}

static bool is_blocked_by_tree(grz_clipper *clipper, const uint32_t triangle[3], grz_ear_level level)
{
    const grz_ear_query query = {clipper, triangle, level};
    if (clipper->tree.count == 0 || clipper->left < clipper->tree_left / 2)
        build_tree(clipper);
    // With watch.c, searches find different corners, so that not all triangles wait for the same one.
    const uint32_t random = clipper->watch.on ? 1 + grz_clipper_random(clipper) : 0;
    return grz_corner_tree_find(&clipper->tree, triangle, random, blocks_query, &query);
}

// True if the triangle is blocked by the corner that did so in an earlier test, or by one of its neighbours. When a
// doubled edge is taken back, for example, one blocks after the other.
static bool is_blocked_again(grz_clipper *clipper, const uint32_t triangle[3], grz_ear_level level)
{
    const grz_ear_query query = {clipper, triangle, level};
    const uint32_t last = clipper->watch.watchers[2 * triangle[1] + (uint32_t)level].blocker;
    return last != GRZ_NO_NODE && (blocks_query(last, &query) || blocks_query(clipper->ring[last].previous, &query) ||
                                   blocks_query(clipper->ring[last].next, &query));
}

// True if there are so many rows, or so many corners in these cells, that the tree is faster. A triangle as thin as a
// cell meets about one corner in each row.
static bool prefer_tree(const grz_clipper *clipper, const uint32_t first[2], const uint32_t last[2])
{
    const uint32_t rows = clipper->grid.size[1], many = 64 + 2 * (rows < MANY_ROWS ? rows : MANY_ROWS);
    uint64_t found = 0;
    if (clipper->grid.corner_count <= many)
        return false;
    if (last[1] - first[1] >= MANY_ROWS)
        return true;
    for (uint32_t row = first[1]; row <= last[1] && found <= many; row++) {
        const uint32_t *starts = clipper->grid.cell_starts + (size_t)row * clipper->grid.size[0];
        found += starts[last[0] + 1] - starts[first[0]];
    }
    return found > many;
}

bool grz_clipper_is_blocked(grz_clipper *clipper, const uint32_t triangle[3], grz_ear_level level)
{
    double low[2], high[2];
    uint32_t first[2], last[2];
    if (clipper->watch.on && is_blocked_again(clipper, triangle, level))
        return true;
    if (clipper->hubs.on)
        return is_blocked_by_tree(clipper, triangle, level);
    for (int axis = 0; axis < 2; axis++) {
        low[axis] = high[axis] = grz_clipper_point(clipper, triangle[0])[axis];
        for (int i = 1; i < 3; i++) {
            double x = grz_clipper_point(clipper, triangle[i])[axis];
            low[axis] = x < low[axis] ? x : low[axis];
            high[axis] = x > high[axis] ? x : high[axis];
        }
        first[axis] = cell_of(&clipper->grid, axis, low[axis]);
        last[axis] = cell_of(&clipper->grid, axis, high[axis]);
    }
    if (prefer_tree(clipper, first, last))
        return is_blocked_by_tree(clipper, triangle, level);
    for (uint32_t row = first[1]; row <= last[1]; row++) {
        const uint32_t *starts = clipper->grid.cell_starts + (size_t)row * clipper->grid.size[0];
        clipper->steps += 1 + starts[last[0] + 1] - starts[first[0]];
        for (uint32_t i = starts[first[0]]; i < starts[last[0] + 1]; i++) {
            uint32_t v = clipper->grid.cell_corners[i];
            if (!clipper->ring[v].listed || v == triangle[0] || v == triangle[1] || v == triangle[2])
                continue;
            const double *p = grz_clipper_point(clipper, v);
            if (p[0] >= low[0] && p[0] <= high[0] && p[1] >= low[1] && p[1] <= high[1] &&
                blocks(clipper, triangle, v, level))
                return true;
        }
    }
    return false;
}

void grz_clipper_set_corner(grz_clipper *clipper, uint32_t corner, bool convex, bool removed)
{
    grz_polygon_corner *ring = clipper->ring;
    const bool could_block = !ring[corner].convex && !ring[corner].removed;
    bool listed = !convex && !removed;
    ring[corner].convex = convex;
    ring[corner].removed = removed;
    if (could_block == listed)
        return;
    if (clipper->watch.on && !listed)
        grz_watch_release(clipper, grz_blocked_by_corner(corner));
    if (clipper->hubs.on && clipper->hubs.hub_of[corner] != GRZ_NO_NODE) {
        grz_polygon_hub *hub = &clipper->hubs.hubs[clipper->hubs.hub_of[corner]];
        hub->blocking += listed ? 1 : UINT32_MAX; // one fewer
        corner = hub->corner;
        listed = hub->blocking > 0;
        if (clipper->watch.on && !listed)
            grz_watch_release(clipper, grz_blocked_by_hub(clipper->hubs.hub_of[corner]));
    }
    if (ring[corner].listed == listed)
        return;
    ring[corner].listed = listed;
    if (clipper->tree.count > 0)
        grz_corner_tree_list(&clipper->tree, corner, listed);
}
