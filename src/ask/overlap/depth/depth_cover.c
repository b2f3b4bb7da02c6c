// SPDX-License-Identifier: MIT
// Branch and bound over cells of the common box, the one with the largest bound first. A cell is done if its bound is
// small enough: by the depth of its middle, which changes by at most twice the way; or since A, moved by a vector that
// is not longer than the depth asked for, has left B there (parted.h). Else it is cut in two. docs/use/overlap.md has
// the proofs.
#include "ask/overlap/depth/depth_cover.h"

#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "geometry/pose.h"
#include "geometry/vector.h"
#include "mesh/triangles.h"

enum {
    CLIMB_STEPS = 14, // directions
    CLIMB_ROUNDS = 64,
    MOST_CLIMBS = 24,
    MOST_RECENT = 8,
    FACET_CELLS = 32, // after so many, what surfaces bound is worth knowing
    APPROACHES = 3,   // steps from a point towards the common inside
    SPREADS = 16,     // steps away from the nearest faces
    SPREAD_KINDS = 4
};

static const double SMALLEST = 0x1p-46, // cells are not cut below this, relative to the coordinates
    MOST_STRETCHED = 0x1p-3,            // the shortest side of a cell that is cut again, relative to the longest
    SHORT_STEP = 0x1p-12,               // relative to how far the goal is
    LITTLE = 0x1p-20,                   // what is kept from a border, relative to the way there
    BETTER = 1.0 + 0x1p-30,             // what a step must bring
    BEHIND = 0x1p-30,                   // relative to the distance: how far behind a face a point is tried
    SAME_WAY = 1.0 - 0x1p-40,           // the cosine at which two directions are one but for rounding
    ROUNDINGS = 0x1p-50;                // of a sum of a few numbers

// ---- The heap -----------------------------------------------------------------------------------------------------

static bool push(grz_cover *cover, const grz_box *box, double upper)
{
    if (!grz_array_add(grz_control_allocator(&cover->call->control), &cover->open))
        return false;
    grz_cover_cell *cells = cover->open.items;
    size_t at = cover->open.count - 1;
    for (; at > 0 && cells[(at - 1) / 2].upper < upper; at = (at - 1) / 2)
        cells[at] = cells[(at - 1) / 2];
    cells[at] = (grz_cover_cell){*box, upper};
    cover->cell_count++;
    return true;
}

static grz_cover_cell pop(grz_cover *cover)
{
    grz_cover_cell *cells = cover->open.items;
    const grz_cover_cell first = cells[0], last = cells[--cover->open.count];
    const size_t count = cover->open.count;
    size_t at = 0;
    for (size_t child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && cells[child + 1].upper > cells[child].upper)
            child++;
        if (!(cells[child].upper > last.upper))
            break;
        cells[at] = cells[child];
        at = child;
    }
    if (count > 0)
        cells[at] = last;
    return first;
}

// ---- Points -------------------------------------------------------------------------------------------------------

// A sum, certainly not too small, or not too large.
static double sum_up(double x, double y)
{
    return x + y + (fabs(x) + fabs(y)) * ROUNDINGS + GRZ_UNDERFLOWS;
}

static double sum_down(double x, double y)
{
    return fmax(0.0, x + y - (fabs(x) + fabs(y)) * ROUNDINGS - GRZ_UNDERFLOWS);
}

static void keep_deeper(grz_cover_point *best, double depth, const double at[3])
{
    if (!(depth > best->depth))
        return;
    best->depth = depth;
    memcpy(best->at, at, sizeof best->at);
}

static bool measure(grz_cover *cover, const double point[3], grz_point_depth depths[2])
{
    if (!grz_depth_side_measure(&cover->sides[0], point, &depths[0]) ||
        !grz_depth_side_measure(&cover->sides[1], point, &depths[1]))
        return false;
    if (depths[0].location != GRZ_INSIDE || depths[1].location != GRZ_INSIDE)
        return true;
    const double sum = sum_down(depths[0].lower, depths[1].lower);
    keep_deeper(&cover->best, sum, point);
    if (grz_box_contains(&cover->here, point))
        keep_deeper(&cover->best_here, sum, point);
    return true;
}

// Move a point towards the inside of both solids: to the nearest point of the surface that it is farther outside of,
// then on in the same direction by half of the depth in the other solid there. `depths` are those of the point, before
// and after.
static bool approach(grz_cover *cover, double point[3], grz_point_depth depths[2])
{
    grz_point_depth there;
    double way[3];
    for (int step = 0; step < APPROACHES; step++) {
        const int out = depths[0].upper <= depths[1].upper ? 0 : 1;
        if (depths[0].location == GRZ_INSIDE && depths[1].location == GRZ_INSIDE)
            return true;
        for (int k = 0; k < 3; k++)
            way[k] = depths[out].nearest[k] - point[k];
        if (!grz_make_unit(way))
            return true;
        if (!grz_depth_side_measure(&cover->sides[1 - out], depths[out].nearest, &there))
            return false;
        for (int k = 0; k < 3; k++)
            point[k] = depths[out].nearest[k] + way[k] * fmax(0.0, 0.5 * there.lower);
        if (!measure(cover, point, depths))
            return false;
    }
    return true;
}

static double sum_of(const grz_point_depth depths[2])
{
    return depths[0].location == GRZ_INSIDE && depths[1].location == GRZ_INSIDE
               ? sum_down(depths[0].lower, depths[1].lower)
               : 0.0;
}

// The two steps of spread() that lead away from the nearest face of `from`: within the ball that the other solid has
// around the point; or along the other's border, as far as that goes. *next: where to, with what was measured there.
static bool step_from(grz_cover *cover, int from, bool along, const double point[3], const grz_point_depth depths[2],
                      double next[3], grz_point_depth there[2])
{
    const int other = 1 - from;
    double way[3], up[3];
    for (int k = 0; k < 3; k++) {
        way[k] = point[k] - depths[from].nearest[k];
        up[k] = point[k] - depths[other].nearest[k];
    }
    memcpy(there, depths, sizeof(grz_point_depth[2]));
    if (!grz_make_unit(way) || (along && !grz_make_unit(up)))
        return true;
    const double rise = along ? grz_dot(way, up) : 0.0,
                 length = along ? depths[from].lower : depths[other].lower * (1.0 - LITTLE);
    for (int k = 0; k < 3; k++)
        way[k] -= rise * up[k];
    if (along && !grz_make_unit(way))
        return true;
    for (int k = 0; k < 3; k++)
        next[k] = point[k] + way[k] * length;
    if (!measure(cover, next, there))
        return false;
    if (!along || there[other].location == GRZ_INSIDE)
        return true;
    for (int k = 0; k < 3; k++) { // beyond an edge: back to it
        const double edge = there[other].nearest[k];
        next[k] = edge + LITTLE * (point[k] - edge);
    }
    return measure(cover, next, there);
}

static void take(double point[3], grz_point_depth depths[2], const double next[3], const grz_point_depth there[2])
{
    memcpy(point, next, sizeof(double[3]));
    memcpy(depths, there, sizeof(grz_point_depth[2]));
}

// The nearest point of the segment from a to b.
static void nearest_of(const double a[3], const double b[3], const double point[3], double nearest[3])
{
    double along[3], from[3];
    for (int k = 0; k < 3; k++) {
        along[k] = b[k] - a[k];
        from[k] = point[k] - a[k];
    }
    const double square = grz_dot(along, along), share = square > 0.0 ? grz_dot(from, along) / square : 0.0;
    for (int k = 0; k < 3; k++)
        nearest[k] = a[k] + along[k] * fmax(0.0, fmin(1.0, share));
}

// Edges of the nearest faces, which `point` was just measured to have: where walls that overlap by little meet, their
// edges are the deepest.
static bool try_edges(grz_cover *cover, double point[3], grz_point_depth depths[2])
{
    double corners[2][3][3];
    const double from[3] = {point[0], point[1], point[2]};
    for (int side = 0; side < 2; side++) {
        bool is_border;
        grz_world_corners(cover->sides[side].object->mesh, &cover->sides[side].object->pose,
                          grz_depth_side_nearest(&cover->sides[side], &is_border), corners[side]);
    }
    for (int i = 0; i < 6; i++) {
        const double *a = corners[i / 3][i % 3], *b = corners[i / 3][(i + 1) % 3];
        double next[3];
        grz_point_depth there[2];
        nearest_of(a, b, from, next);
        for (int k = 0; k < 3; k++)
            next[k] += LITTLE * (from[k] - next[k]);
        if (!measure(cover, next, there))
            return false;
        if (sum_of(there) > sum_of(depths) * BETTER)
            take(point, depths, next, there);
    }
    return true;
}

// From a point inside of both away from the nearest face of one solid, as far as the other one reaches: r + s does not
// become smaller, unless another face comes near, and grows towards edges and corners. Ends at the deepest point of
// these, with what was measured there.
static bool spread(grz_cover *cover, double point[3], grz_point_depth depths[2])
{
    const int most = sum_of(depths) > 0.0 ? SPREADS : 0;
    if (most > 0 && !try_edges(cover, point, depths))
        return false;
    for (int step = 0, idle = 0; step < most && idle < SPREAD_KINDS; step++) {
        double next[3];
        grz_point_depth there[2];
        if (!step_from(cover, step % 2, step % SPREAD_KINDS >= 2, point, depths, next, there))
            return false;
        idle++;
        if (!(sum_of(there) > sum_of(depths) * BETTER))
            continue;
        take(point, depths, next, there);
        idle = 0;
    }
    return true;
}

// Improve the deepest point by steps along axes and diagonals, from a size on, until it is deeper than `enough`, which
// may be infinite, or steps are so small that they lead nowhere.
static bool climb(grz_cover *cover, double size, double enough)
{
    for (int round = 0; round < CLIMB_ROUNDS && cover->best.depth <= enough; round++) {
        const grz_cover_point from = cover->best;
        const double far = fmin(enough - from.depth, from.depth);
        if (!(size > SHORT_STEP * far))
            return true;
        for (int i = 0; i < CLIMB_STEPS; i++) {
            double point[3];
            grz_point_depth depths[2];
            for (int k = 0; k < 3; k++)
                point[k] = from.at[k] + size * (i < 6 ? (i / 2 == k ? (i % 2 == 0 ? 1.0 : -1.0) : 0.0)
                                                      : ((i - 6) >> k & 1 ? 0.6 : -0.6));
            if (!measure(cover, point, depths))
                return false;
        }
        if (!(cover->best.depth > from.depth))
            size *= 0.5;
    }
    return true;
}

bool grz_cover_try_points(grz_cover *cover, const double (*points)[3], size_t count, double enough)
{
    grz_cover_point first = cover->best;
    cover->best.depth = 0.0;
    for (size_t i = 0; i < count; i++) {
        grz_point_depth depths[2];
        double point[3] = {points[i][0], points[i][1], points[i][2]};
        if (!measure(cover, point, depths) || !approach(cover, point, depths) || !spread(cover, point, depths))
            return false;
    }
    const bool going = cover->best.depth == 0.0 || climb(cover, cover->best.depth, enough);
    keep_deeper(&cover->best, first.depth, first.at);
    return going;
}

bool grz_cover_measure_points(grz_cover *cover, const double (*points)[3], size_t count)
{
    grz_point_depth depths[2];
    for (size_t i = 0; i < count; i++)
        if (!measure(cover, points[i], depths))
            return false;
    return true;
}

// ---- Cells --------------------------------------------------------------------------------------------------------

static double threshold(const grz_cover *cover, const grz_cover_goal *goal)
{
    if (goal->decide)
        return goal->depth;
    return fmax(cover->best.depth * (1.0 + goal->tolerance), cover->best.depth + cover->size * GRZ_COVER_FINEST);
}

static void middle_of(const grz_box *box, double middle[3], double *radius)
{
    double half[3];
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.5 * box->min[k] + 0.5 * box->max[k];
        half[k] = fmax(middle[k] - box->min[k], box->max[k] - middle[k]);
    }
    *radius = grz_length_up(half);
}

// The bound of a cell by the depths of its middle.
static bool bound_by_middle(grz_cover *cover, grz_cover_cell *cell, const double middle[3], double radius,
                            grz_point_depth depths[2])
{
    if (!measure(cover, middle, depths))
        return false;
    for (int i = 0; i < 2; i++)
        if (sum_up(depths[i].upper, radius) <= 0.0) { // all of the cell is outside
            cell->upper = 0.0;
            return true;
        }
    if (sum_up(sum_up(depths[0].upper, depths[1].upper), 2.0 * radius) >= cell->upper)
        return true; // whatever the border is
    for (int i = 0; i < 2; i++)
        if (!grz_depth_side_prove(&cover->sides[i], middle, BEHIND, &depths[i]))
            return false;
    cell->upper = fmin(cell->upper, fmax(0.0, sum_up(sum_up(depths[0].upper, depths[1].upper), 2.0 * radius)));
    return true;
}

// The bound of a cell by the faces that are the nearest of its middle. *axis: see grz_facets_bound().
static void bound_by_facets(grz_cover *cover, grz_cover_cell *cell, int *axis)
{
    grz_facet facets[2];
    double bound;
    if (!cover->has_surfaces)
        return;
    for (int i = 0; i < 2; i++) {
        bool is_border;
        const uint32_t nearest = grz_depth_side_nearest(&cover->sides[i], &is_border);
        if (!cover->surfaces[i].surface->unclean)
            grz_facet_set(&facets[i], &cover->surfaces[i], nearest, cover->parted.scale);
        else if (is_border && cover->sides[i].border_mesh != NULL)
            grz_facet_set_alone(&facets[i], cover->sides[i].object, nearest, cover->parted.scale);
        else
            return;
        if (facets[i].count == 0)
            return;
    }
    grz_facets_bound(facets, &cell->box, cover->parted.scale, cover->parted.unit, &bound, axis);
    if (bound < cell->upper)
        cell->upper = bound;
}

static void remember(grz_ways *recent, const double direction[3])
{
    int at = 0;
    while (at < recent->count && grz_dot(recent->directions[at], direction) < SAME_WAY)
        at++;
    if (at == recent->count && recent->count < MOST_RECENT)
        recent->count++;
    at = at < recent->count ? at : recent->count - 1;
    for (; at > 0; at--)
        memcpy(recent->directions[at], recent->directions[at - 1], sizeof recent->directions[at]);
    memcpy(recent->directions[0], direction, sizeof recent->directions[0]);
}

// Try directions at a length that is not above `most`, as exact vectors.
static bool try_ways(grz_cover *cover, grz_cover_cell *cell, const grz_ways *ways, int from, double most)
{
    for (int i = from; i < ways->count; i++) {
        double t[3];
        bool parts;
        for (int k = 0; k < 3; k++)
            t[k] = ways->directions[i][k] * most * GRZ_LESS(32); // directions and products are rounded
        if (!grz_parted_by(&cover->parted, &cell->box, t, &parts))
            return false;
        if (!parts)
            continue;
        cell->upper = most;
        remember(&cover->recent, ways->directions[i]);
        return true;
    }
    return true;
}

static bool bound_by_moving(grz_cover *cover, grz_cover_cell *cell, const double middle[3],
                            const grz_point_depth depths[2], double most)
{
    grz_ways ways = cover->recent;
    double out[2][3], both[3];
    if (!(most > 0.0) || most >= cell->upper || most > cover->size)
        return true;
    if (!try_ways(cover, cell, &ways, 0, most))
        return false;
    if (cell->upper <= most)
        return true;
    const int tried = ways.count;
    for (int side = 0; side < 2; side++) { // A moves out of B, and its border away from B
        const double sign = (depths[side].location == GRZ_INSIDE) == (side == 1) ? 1.0 : -1.0;
        for (int k = 0; k < 3; k++)
            out[side][k] = sign * (depths[side].nearest[k] - middle[k]);
        if (!grz_make_unit(out[side]))
            memset(out[side], 0, sizeof out[side]);
        grz_ways_add(&ways, out[side]);
    }
    for (int k = 0; k < 3; k++)
        both[k] = out[0][k] + out[1][k];
    grz_ways_add(&ways, both);
    grz_ways_add_normals(&ways, cover->sides, &cell->box, most);
    return try_ways(cover, cell, &ways, tried, most);
}

static double side_of(const grz_box *box, int axis)
{
    return box->max[axis] - box->min[axis];
}

// Cut a cell across an axis; if that is -1, or the cell is already thin along it, across the longest side. *cut: it was
// long enough.
static bool cut_cell(grz_cover *cover, const grz_cover_cell *cell, int axis, bool *cut)
{
    grz_box parts[2] = {cell->box, cell->box};
    int longest = 0;
    for (int k = 1; k < 3; k++)
        if (side_of(&cell->box, k) > side_of(&cell->box, longest))
            longest = k;
    if (axis < 0 || side_of(&cell->box, axis) < MOST_STRETCHED * side_of(&cell->box, longest))
        axis = longest;
    const double at = 0.5 * cell->box.min[axis] + 0.5 * cell->box.max[axis];
    *cut = side_of(&cell->box, axis) > SMALLEST * cover->size && cell->box.min[axis] < at && at < cell->box.max[axis];
    if (!*cut)
        return true;
    parts[0].max[axis] = parts[1].min[axis] = at;
    if (push(cover, &parts[0], cell->upper) && push(cover, &parts[1], cell->upper))
        return true;
    grz_control_fail(&cover->call->control, GRZ_ERROR_MEMORY);
    return false;
}

// A point of a cell that lies on no plane of symmetry.
static void aside_of(const grz_box *box, double point[3])
{
    static const double shares[3] = {0.4142, 0.5772, 0.3819};
    for (int k = 0; k < 3; k++)
        point[k] = box->min[k] + shares[k] * (box->max[k] - box->min[k]);
}

// Points of a cell, and steps from them. `before`: the depth of the deepest point before the cell was looked at.
static bool look_for_points(grz_cover *cover, const grz_cover_goal *goal, double radius, double before)
{
    double point[3];
    grz_point_depth depths[2];
    aside_of(&cover->here, point);
    if (!measure(cover, point, depths) || !approach(cover, point, depths) || !spread(cover, point, depths))
        return false;
    if (!(cover->best.depth > before) || cover->climbs >= MOST_CLIMBS)
        return true;
    cover->climbs++;
    const double enough = goal->decide && !goal->find_places ? goal->depth : HUGE_VAL;
    return climb(cover, fmin(0.5 * radius, cover->best.depth), enough);
}

static bool add_place(grz_cover *cover, const grz_cover_cell *cell)
{
    if (!grz_array_add(grz_control_allocator(&cover->call->control), &cover->places)) {
        grz_control_fail(&cover->call->control, GRZ_ERROR_MEMORY);
        return false;
    }
    cover->places.items[cover->places.count - 1] = (grz_cover_place){*cell, cover->best_here};
    return true;
}

// The cell is not done: it is a place, or it is cut, or nothing can be done.
static bool keep_cell(grz_cover *cover, const grz_cover_goal *goal, const grz_cover_cell *cell, int axis)
{
    bool cut;
    if (goal->find_places) {
        double longest = 0.0;
        for (int k = 0; k < 3; k++)
            longest = fmax(longest, side_of(&cell->box, k));
        if (longest <= (cover->best_here.depth > goal->depth ? goal->place_size : goal->maybe_size))
            return add_place(cover, cell);
    }
    if (!cut_cell(cover, cell, axis, &cut))
        return false;
    if (cut)
        return true;
    cover->stuck = fmax(cover->stuck, cell->upper);
    return !goal->find_places || add_place(cover, cell);
}

static bool look_at_cell(grz_cover *cover, const grz_cover_goal *goal, grz_cover_cell cell)
{
    double middle[3], radius;
    grz_point_depth depths[2];
    const double before = cover->best.depth;
    int axis = -1;
    cover->here = cell.box;
    cover->best_here = (grz_cover_point){.depth = 0.0};
    if (grz_box_contains(&cell.box, cover->best.at))
        cover->best_here = cover->best;
    middle_of(&cell.box, middle, &radius);
    if (!bound_by_middle(cover, &cell, middle, radius, depths))
        return false;
    if (cell.upper > threshold(cover, goal))
        bound_by_facets(cover, &cell, &axis);
    if (goal->find_places && cover->best_here.depth > goal->depth) // no bound can be low enough
        return keep_cell(cover, goal, &cell, axis);
    const double most = threshold(cover, goal);
    if (cell.upper > most && cover->best_here.depth <= most && !bound_by_moving(cover, &cell, middle, depths, most))
        return false; // no move proves more where a point is deeper
    if (cell.upper > threshold(cover, goal) && !look_for_points(cover, goal, radius, before))
        return false;
    if (cell.upper > threshold(cover, goal))
        return keep_cell(cover, goal, &cell, axis);
    cover->settled = fmax(cover->settled, cell.upper);
    return true;
}

// ---- The search ---------------------------------------------------------------------------------------------------

// Along each axis: A ends somewhere, and B begins. What is between is a slab that bounds the depth.
static double bound_by_boxes(const grz_box *a, const grz_box *b)
{
    double least = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        least = fmin(least, fmax(0.0, sum_up(a->max[k], -b->min[k])));
        least = fmin(least, fmax(0.0, sum_up(b->max[k], -a->min[k])));
    }
    return least;
}

grz_status grz_cover_init(grz_cover *cover, grz_call *call, grz_depth_side sides[2])
{
    *cover = (grz_cover){.call = call, .sides = sides};
    const grz_box common = grz_box_intersection(&sides[0].box, &sides[1].box);
    int exponent;
    double size = 0.0;
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 3; k++)
            size = fmax(size, fmax(fabs(sides[side].box.min[k]), fabs(sides[side].box.max[k])));
    cover->size = size;
    (void)frexp(fmax(size, GRZ_NEVER_ZERO), &exponent);
    // No way that is tried is longer than the size.
    cover->parted = (grz_parted){.sides = sides,
                                 .control = &call->control,
                                 .scale = ldexp(1.0, -exponent - 1),
                                 .unit = ldexp(1.0, exponent + 1)};
    if (grz_box_is_empty(&common))
        return GRZ_OK;
    return push(cover, &common, bound_by_boxes(&sides[0].box, &sides[1].box))
               ? GRZ_OK
               : grz_call_explain(call, GRZ_ERROR_MEMORY);
}

void grz_cover_finish(grz_cover *cover)
{
    grz_parted_finish(&cover->parted);
    grz_array_finish(grz_control_allocator(&cover->call->control), &cover->open);
    grz_array_finish(grz_control_allocator(&cover->call->control), &cover->places);
    for (int i = 0; i < 2; i++)
        grz_posed_surface_finish(grz_control_allocator(&cover->call->control), &cover->surfaces[i]);
}

bool grz_cover_open_again(grz_cover *cover, const bool *again)
{
    size_t kept = 0;
    for (size_t i = 0; i < cover->places.count; i++) {
        const grz_cover_place place = cover->places.items[i];
        if (!again[i])
            cover->places.items[kept++] = place;
        else if (!push(cover, &place.cell.box, place.cell.upper))
            return false;
    }
    cover->places.count = kept;
    return true;
}

double grz_cover_upper(const grz_cover *cover)
{
    const double done = fmax(cover->settled, cover->stuck);
    return cover->open.count > 0 ? fmax(done, cover->open.items[0].upper) : done;
}

// What is known of the two sides of each face, for facets; of surfaces that meet themselves also for distances.
static grz_status prepare_surfaces(grz_cover *cover)
{
    grz_status status = GRZ_OK;
    for (int i = 0; i < 2 && status == GRZ_OK; i++) {
        status = grz_posed_surface_init(&cover->surfaces[i], cover->sides[i].object, cover->sides[i].solid.rule,
                                        &cover->call->control, cover->call->error);
        if (status == GRZ_OK && cover->sides[i].border_mesh == NULL)
            status = grz_depth_side_use_border(&cover->sides[i], cover->surfaces[i].surface, cover->call);
    }
    cover->has_surfaces = status == GRZ_OK;
    return grz_call_explain(cover->call, status);
}

grz_status grz_cover_search(grz_cover *cover, const grz_cover_goal *goal)
{
    grz_control *control = &cover->call->control;
    while (cover->open.count > 0 && cover->open.items[0].upper > threshold(cover, goal)) {
        if (goal->decide && !goal->find_places && (cover->best.depth > goal->depth || cover->stuck > goal->depth))
            break;
        if (cover->cell_count >= goal->max_cells || grz_control_expired(control))
            break;
        if (!cover->has_surfaces && cover->cell_count >= FACET_CELLS) {
            const grz_status status = prepare_surfaces(cover);
            if (status != GRZ_OK)
                return status;
        }
        const grz_cover_cell cell = pop(cover);
        if (look_at_cell(cover, goal, cell))
            continue;
        if (!push(cover, &cell.box, cell.upper) || cover->parted.no_memory) // its bound must not be lost
            grz_control_fail(control, GRZ_ERROR_MEMORY);
        break;
    }
    return grz_call_explain(cover->call, grz_control_status(control));
}
