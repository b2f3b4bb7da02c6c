// SPDX-License-Identifier: MIT
// Lines of sight along one direction, in doubles. The triangles of a pose are projected once, and sorted into bins
// across the direction. A line through a point tests the triangles of its bin; a cell is clipped with those of all bins
// that it meets. Triangles in a line of sight cover no area in the map and are left out.
#include "ask/projections/sight.h"

#include <math.h>
#include <string.h>

#include "base/control.h"
#include "geometry/functions/functions.h"
#include "geometry/vector.h"
#include "mesh/triangles.h"

enum {
    MAX_SIDE = 512,
    CHECK_BITS = 12, // check the control once in so many triangles
    MAX_CORNERS = 8  // of a triangle clipped by another one: 6, and one to spare for each rounding
};

static const double EDGE_ON = 0x1p-20;    // cosine of the angle between a normal and a direction
static const double NO_AREA = 0x1p-48;    // of a projected triangle, frame units
static const double ON_EDGE = 0x1p-40;    // barycentric: a line through an edge meets both triangles
static const double AT_BORDER = 0x1p-40;  // of two bins, frame units: a point is taken into both
static const double LEAST_STEP = 0x1p-30; // the width of a bin, frame units: never 0
static const double NO_OVERLAP = 0x1p-30; // of a cell's area, or length

// ---- The view -----------------------------------------------------------------------------------------------------

static void choose_axes(const double direction[3], double axes[3][3])
{
    int least = 0;
    for (int i = 1; i < 3; i++)
        least = fabs(direction[i]) < fabs(direction[least]) ? i : least;
    double across[3] = {0.0, 0.0, 0.0};
    across[least] = 1.0;
    memcpy(axes[2], direction, sizeof axes[2]);
    grz_cross(across, direction, axes[0]);
    grz_make_unit(axes[0]);
    grz_cross(direction, axes[0], axes[1]);
}

static void project(const grz_sight_view *view, const double point[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = grz_dot(view->axes[i], point);
}

static uint32_t bin_along(const grz_sight_view *view, double x, int axis)
{
    const double place = (x - view->low[axis]) / view->step[axis];
    return !(place > 0.0) ? 0 : place < view->side ? (uint32_t)place : view->side - 1;
}

typedef struct bin_range {
    uint32_t from[2], to[2];
} bin_range;

static bin_range bins_of(const grz_sight_view *view, double corners[3][3])
{
    bin_range range;
    for (int axis = 0; axis < 2; axis++) {
        const double low = fmin(fmin(corners[0][axis], corners[1][axis]), corners[2][axis]);
        const double high = fmax(fmax(corners[0][axis], corners[1][axis]), corners[2][axis]);
        // Points near the border of two bins may be rounded into either.
        range.from[axis] = bin_along(view, low - AT_BORDER, axis);
        range.to[axis] = bin_along(view, high + AT_BORDER, axis);
    }
    return range;
}

static double area_across(double c[3][3])
{
    return (c[1][0] - c[0][0]) * (c[2][1] - c[0][1]) - (c[2][0] - c[0][0]) * (c[1][1] - c[0][1]);
}

static bool has_area(double c[3][3])
{
    return fabs(area_across(c)) > NO_AREA;
}

static void place_bins(grz_sight_view *view)
{
    double high[2] = {-HUGE_VAL, -HUGE_VAL};
    view->low[0] = view->low[1] = HUGE_VAL;
    for (size_t t = 0; t < view->triangle_count; t++)
        for (int i = 0; i < 3; i++)
            for (int axis = 0; axis < 2; axis++) {
                view->low[axis] = fmin(view->low[axis], view->corners[t][i][axis]);
                high[axis] = fmax(high[axis], view->corners[t][i][axis]);
            }
    const double wanted = sqrt((double)view->triangle_count);
    view->side = wanted < 1.0 ? 1 : wanted > MAX_SIDE ? MAX_SIDE : (uint32_t)wanted;
    for (int axis = 0; axis < 2; axis++)
        view->step[axis] = fmax((high[axis] - view->low[axis]) / view->side, LEAST_STEP);
}

// Count the triangles of each bin (`fill` false), or list them.
static bool visit_bins(grz_sight_view *view, bool fill, grz_control *control)
{
    for (size_t t = view->triangle_count; t-- > 0;) {
        if (grz_control_expired_at(control, t, CHECK_BITS))
            return false;
        if (!has_area(view->corners[t]))
            continue;
        const bin_range range = bins_of(view, view->corners[t]);
        for (uint32_t y = range.from[1]; y <= range.to[1]; y++)
            for (uint32_t x = range.from[0]; x <= range.to[0]; x++) {
                uint32_t *start = &view->starts[y * view->side + x];
                if (fill)
                    view->items[--*start] = (uint32_t)t;
                else
                    ++*start;
            }
    }
    return true;
}

static grz_status place_corners(grz_sight_view *view, const grz_sight_surface *surface, const grz_sight_model *model,
                                uint32_t pose)
{
    const size_t vertices = grz_sight_vertex_count(model);
    double(*positions)[3] = grz_allocate(view->allocator, vertices, sizeof *positions);
    view->corners = grz_allocate(view->allocator, view->triangle_count, sizeof *view->corners);
    if (positions == NULL || view->corners == NULL) {
        grz_release(view->allocator, positions, vertices, sizeof *positions);
        return GRZ_ERROR_MEMORY;
    }
    grz_sight_positions(model, surface->poses[pose], &surface->frame, positions);
    for (size_t v = 0; v < vertices; v++) {
        double along[3];
        project(view, positions[v], along);
        memcpy(positions[v], along, sizeof along);
    }
    for (size_t t = 0; t < view->triangle_count; t++)
        for (int i = 0; i < 3; i++)
            memcpy(view->corners[t][i], positions[view->triangles[t].corners[i]], sizeof view->corners[t][i]);
    grz_release(view->allocator, positions, vertices, sizeof *positions);
    return GRZ_OK;
}

grz_status grz_sight_view_init(grz_sight_view *view, const grz_sight_surface *surface, const grz_sight_model *model,
                               uint32_t pose, const double direction[3], grz_control *control)
{
    *view = (grz_sight_view){.allocator = grz_control_allocator(control),
                             .triangles = model->triangles.items,
                             .triangle_count = model->triangles.count};
    choose_axes(direction, view->axes);
    const grz_status status = place_corners(view, surface, model, pose);
    if (status != GRZ_OK)
        return status;
    if (grz_control_expired(control))
        return grz_control_status(control);
    place_bins(view);
    const size_t bins = (size_t)view->side * view->side;
    view->starts = grz_allocate_zeroed(view->allocator, bins + 1, sizeof *view->starts);
    if (view->starts == NULL)
        return GRZ_ERROR_MEMORY;
    if (!visit_bins(view, false, control))
        return grz_control_status(control);
    for (size_t i = 0; i <= bins; i++) {
        view->item_count += view->starts[i];
        if (view->item_count > UINT32_MAX)
            return GRZ_ERROR_MEMORY;
        view->starts[i] = (uint32_t)view->item_count; // its end, until it is filled
    }
    view->items = grz_allocate(view->allocator, view->item_count > 0 ? view->item_count : 1, sizeof *view->items);
    if (view->items == NULL)
        return GRZ_ERROR_MEMORY;
    return visit_bins(view, true, control) ? GRZ_OK : grz_control_status(control);
}

void grz_sight_view_finish(grz_sight_view *view)
{
    grz_release(view->allocator, view->corners, view->triangle_count, sizeof *view->corners);
    grz_release(view->allocator, view->starts, (size_t)view->side * view->side + 1, sizeof *view->starts);
    grz_release(view->allocator, view->items, view->item_count > 0 ? view->item_count : 1, sizeof *view->items);
}

void grz_sight_anchors(const grz_sight_view *view, grz_projection projection, uint32_t count, grz_sight_anchor *anchors)
{
    const bool rear = projection == GRZ_PROJECTION_SINGLE || projection == GRZ_PROJECTION_FLOOR;
    for (uint32_t part = 0; part < count; part++)
        anchors[part] = (grz_sight_anchor){.low = HUGE_VAL, .high = -HUGE_VAL};
    for (size_t t = 0; t < view->triangle_count; t++)
        for (int i = 0; i < 3; i++) {
            grz_sight_anchor *anchor = &anchors[view->triangles[t].part];
            anchor->low = fmin(anchor->low, view->corners[t][i][2]);
            anchor->high = fmax(anchor->high, view->corners[t][i][2]);
        }
    for (uint32_t part = 0; part < count; part++) {
        anchors[part].has_depth = projection != GRZ_PROJECTION_BOUNDED;
        anchors[part].depth = rear ? anchors[part].low : 0.5 * (anchors[part].low + anchors[part].high);
    }
}

// ---- Lines --------------------------------------------------------------------------------------------------------

// Weights of the corners of a triangle at a point, which add up to 1.
static void weights_at(double c[3][3], double x, double y, double weights[3])
{
    const double area = area_across(c);
    for (int i = 0; i < 3; i++) {
        const double *p = c[(i + 1) % 3], *q = c[(i + 2) % 3];
        weights[i] = ((p[0] - x) * (q[1] - y) - (q[0] - x) * (p[1] - y)) / area;
    }
}

static double depth_at(double c[3][3], double x, double y)
{
    double weights[3];
    weights_at(c, x, y, weights);
    return weights[0] * c[0][2] + weights[1] * c[1][2] + weights[2] * c[2][2];
}

static void close_line(grz_sight_line *line, double depth, const grz_sight_anchor *anchor)
{
    if (line->top < line->bottom || !anchor->has_depth)
        return;
    line->top = fmax(line->top, anchor->depth - depth);
    line->bottom = fmin(line->bottom, anchor->depth - depth);
}

grz_sight_line grz_sight_line_through(const grz_sight_view *view, const double point[3], uint32_t part,
                                      const grz_sight_anchor *anchor)
{
    grz_sight_line line = {HUGE_VAL, -HUGE_VAL, -HUGE_VAL, HUGE_VAL};
    double at[3];
    project(view, point, at);
    const size_t bin = (size_t)bin_along(view, at[1], 1) * view->side + bin_along(view, at[0], 0);
    for (uint32_t i = view->starts[bin]; i < view->starts[bin + 1]; i++) {
        double weights[3], *c = view->corners[view->items[i]][0];
        weights_at((double(*)[3])c, at[0], at[1], weights);
        if (weights[0] < -ON_EDGE || weights[1] < -ON_EDGE || weights[2] < -ON_EDGE)
            continue;
        const double from = weights[0] * c[2] + weights[1] * c[5] + weights[2] * c[8] - at[2];
        const grz_sight_triangle *triangle = &view->triangles[view->items[i]];
        if (triangle->source != GRZ_SIGHT_CAP && from > 0.0)
            line.above = fmin(line.above, from);
        else if (triangle->source != GRZ_SIGHT_CAP)
            line.below = fmax(line.below, from);
        if (triangle->part != part)
            continue;
        line.top = fmax(line.top, from);
        line.bottom = fmin(line.bottom, from);
    }
    close_line(&line, at[2], anchor);
    return line;
}

double grz_sight_depth(const grz_sight_line *line, const double normal[3], const double along[3])
{
    const double facing = grz_dot(normal, along);
    const double above = fmin(line->above, line->top), below = fmax(line->below, line->bottom);
    if (!(line->top > 0.0 && line->bottom < 0.0))
        return 0.0;
    return fabs(facing) <= EDGE_ON ? above - below : facing > 0.0 ? above : -below;
}

// ---- Proofs -------------------------------------------------------------------------------------------------------

// Cut a polygon of points (x, y, z) to the side x·n[0] + y·n[1] <= limit. Returns the number of corners.
static int cut(double (*polygon)[3], int count, const double n[2], double limit)
{
    double kept[MAX_CORNERS + 2][3];
    int found = 0;
    for (int i = 0; i < count; i++) {
        const double *p = polygon[i], *q = polygon[(i + 1) % count];
        const double d = p[0] * n[0] + p[1] * n[1] - limit, e = q[0] * n[0] + q[1] * n[1] - limit;
        if (d <= 0.0 && found < MAX_CORNERS)
            memcpy(kept[found++], p, sizeof kept[0]);
        if (((d < 0.0 && e > 0.0) || (d > 0.0 && e < 0.0)) && found < MAX_CORNERS) {
            for (int j = 0; j < 3; j++)
                kept[found][j] = p[j] + (q[j] - p[j]) * (d / (d - e));
            found++;
        }
    }
    memcpy(polygon, kept, (size_t)found * sizeof kept[0]);
    return found;
}

static double polygon_area(double (*polygon)[3], int count)
{
    double area = 0.0;
    for (int i = 2; i < count; i++) {
        double corners[3][3];
        memcpy(corners[0], polygon[0], sizeof corners[0]);
        memcpy(corners[1], polygon[i - 1], sizeof corners[1]);
        memcpy(corners[2], polygon[i], sizeof corners[2]);
        area += area_across(corners);
    }
    return fabs(area);
}

// How far above a cell a triangle lies where both are on one line of sight.
typedef struct height_range {
    double most, least; // -HUGE_VAL and HUGE_VAL: nowhere
} height_range;

static void widen_over_area(double triangle[3][3], double cell[3][3], height_range *range)
{
    double polygon[MAX_CORNERS + 2][3];
    int count = 3;
    const double area = area_across(cell);
    memcpy(polygon, triangle, 3 * sizeof polygon[0]);
    for (int i = 0; i < 3 && count > 0; i++) {
        const double *p = cell[i], *q = cell[(i + 1) % 3];
        const double turn = area > 0.0 ? 1.0 : -1.0;
        const double n[2] = {turn * (q[1] - p[1]), turn * (p[0] - q[0])};
        count = cut(polygon, count, n, n[0] * p[0] + n[1] * p[1]);
    }
    if (count < 3 || !(polygon_area(polygon, count) > fabs(area) * NO_OVERLAP))
        return;
    for (int i = 0; i < count; i++) {
        const double from = polygon[i][2] - depth_at(cell, polygon[i][0], polygon[i][1]);
        range->most = fmax(range->most, from);
        range->least = fmin(range->least, from);
    }
}

// The same for a cell in a line of sight: it is a segment there, from corner a to corner b, and has depths low to high.
static void widen_over_segment(double triangle[3][3], double cell[3][3], const int ends[2], height_range *range)
{
    const double *a = cell[ends[0]], *b = cell[ends[1]];
    const double low = fmin(fmin(cell[0][2], cell[1][2]), cell[2][2]);
    const double high = fmax(fmax(cell[0][2], cell[1][2]), cell[2][2]);
    double from = 0.0, to = 1.0;
    double at_a[3], at_b[3];
    weights_at(triangle, a[0], a[1], at_a);
    weights_at(triangle, b[0], b[1], at_b);
    for (int i = 0; i < 3; i++) {
        const double change = at_b[i] - at_a[i];
        if (change > 0.0)
            from = fmax(from, -at_a[i] / change);
        else if (change < 0.0)
            to = fmin(to, -at_a[i] / change);
        else if (at_a[i] < 0.0)
            return;
    }
    if (!(to - from > NO_OVERLAP))
        return;
    for (int end = 0; end < 2; end++) {
        const double share = end == 0 ? from : to;
        double depth = 0.0;
        for (int i = 0; i < 3; i++)
            depth += (at_a[i] + (at_b[i] - at_a[i]) * share) * triangle[i][2];
        range->most = fmax(range->most, depth - low);
        range->least = fmin(range->least, depth - high);
    }
}

// The two corners that are farthest from each other across the direction.
static void find_ends(double cell[3][3], int ends[2])
{
    double longest = -1.0;
    ends[0] = 0;
    ends[1] = 1;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        const double length = grz_hypotenuse(cell[j][0] - cell[i][0], cell[j][1] - cell[i][1]);
        if (length > longest) {
            longest = length;
            ends[0] = i;
            ends[1] = j;
        }
    }
}

// The range of heights of a part's surfaces, and of its anchor, over a cell.
static height_range heights_over(const grz_sight_view *view, double cell[3][3], bool edge_on, uint32_t part,
                                 const grz_sight_anchor *anchor)
{
    height_range range = {-HUGE_VAL, HUGE_VAL};
    const bin_range bins = bins_of(view, cell);
    int ends[2];
    find_ends(cell, ends);
    for (uint32_t y = bins.from[1]; y <= bins.to[1]; y++)
        for (uint32_t x = bins.from[0]; x <= bins.to[0]; x++) {
            const size_t bin = (size_t)y * view->side + x;
            for (uint32_t i = view->starts[bin]; i < view->starts[bin + 1]; i++) {
                const uint32_t triangle = view->items[i];
                if (view->triangles[triangle].part != part)
                    continue;
                if (edge_on)
                    widen_over_segment(view->corners[triangle], cell, ends, &range);
                else
                    widen_over_area(view->corners[triangle], cell, &range);
            }
        }
    for (int i = 0; i < 3 && anchor->has_depth && range.most >= range.least; i++) {
        range.most = fmax(range.most, anchor->depth - cell[i][2]);
        range.least = fmin(range.least, anchor->depth - cell[i][2]);
    }
    return range;
}

bool grz_sight_proves(const grz_sight_view *view, double triangle[3][3], const double normal[3], uint32_t part,
                      const grz_sight_anchor *anchor, double tolerance)
{
    double cell[3][3];
    for (int i = 0; i < 3; i++)
        project(view, triangle[i], cell[i]);
    const double facing = grz_dot(normal, view->axes[2]);
    const bool edge_on = fabs(facing) <= EDGE_ON || !has_area(cell);
    const height_range range = heights_over(view, cell, edge_on, part, anchor);
    if (range.most <= 0.0 || range.least >= 0.0) // beside all that is solid, also if nothing is
        return true;
    if (edge_on)
        return range.most - range.least <= tolerance;
    return facing > 0.0 ? range.most <= tolerance : range.least >= -tolerance;
}
