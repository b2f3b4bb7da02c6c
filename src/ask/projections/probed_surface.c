// SPDX-License-Identifier: MIT
// Divides a surface into cells of nearly equal area, and puts a probe beside each, on the side that is empty. Which
// side is empty, grz_locate_points() decides exactly for the probes' coordinates, so the winding of faces does not
// matter under the even-odd rule. A cell between two empty sides has two probes, one that lies inside of the object has
// one that counts as covered.
#include "ask/projections/probed_surface.h"

#include <math.h>
#include <string.h>

#include <graze/locate.h>

#include "base/control.h"
#include "base/fail.h"
#include "geometry/vector.h"
#include "mesh/triangles.h"

enum {
    WEIGHT_BITS = 40,    // an area of 1 in the frame, in units; less if the sum of all could overflow
    BLOCK = 1 << 14,     // probes that are located in one call
    MAX_SPLIT = 1 << 11, // cells of one triangle are numbered below 2^22
    CHECK_BITS = 12,     // check the control once in so many triangles
    FULL_SIZE_BITS = 21  // as many triangles of the largest size fit into the sum
};

static const double PROBE_GAP = 0x1p-16; // of the diagonal

grz_sight_frame grz_sight_frame_of(const grz_mesh *const *poses, uint32_t pose_count)
{
    grz_sight_frame frame;
    grz_box box = grz_box_empty();
    double half = 0.0, size[3];
    int exponent, extra_bits = 0;
    for (uint32_t p = 0; p < pose_count; p++)
        grz_box_add_box(&box, &poses[p]->bounds);
    for (int i = 0; i < 3; i++) {
        frame.centre[i] = 0.5 * box.min[i] + 0.5 * box.max[i];
        half = fmax(half, fmax(box.max[i] - frame.centre[i], frame.centre[i] - box.min[i]));
    }
    frexp(half, &exponent);
    // A box without size keeps its coordinates: it has no area, which is refused.
    frame.scale = half > 0.0 ? ldexp(1.0, exponent < -1000 ? 1000 : -exponent) : 1.0;
    for (int i = 0; i < 3; i++)
        size[i] = (box.max[i] - box.min[i]) * frame.scale;
    frame.diagonal = sqrt(grz_dot(size, size));
    frame.gap = frame.diagonal * PROBE_GAP;
    for (uint64_t count = (uint64_t)poses[0]->triangle_count * pose_count >> FULL_SIZE_BITS; count > 0; count >>= 1)
        extra_bits++;
    frame.area = ldexp(1.0, extra_bits - WEIGHT_BITS);
    return frame;
}

// The corners of a triangle in the frame, its area and the unit normal of its winding. 0 if it has no area.
static double place_triangle(const grz_sight_surface *surface, uint32_t pose, uint32_t triangle, double corners[3][3],
                             double normal[3])
{
    double raw[3][3], sides[2][3];
    grz_mesh_corners(surface->poses[pose], triangle, raw);
    for (int i = 0; i < 3; i++)
        grz_sight_place(&surface->frame, raw[i], corners[i]);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            sides[i][j] = corners[i + 1][j] - corners[0][j];
    grz_cross(sides[0], sides[1], normal);
    const double area = 0.5 * sqrt(grz_dot(normal, normal));
    return area > 0.0 && grz_make_unit(normal) ? area : 0.0;
}

// Cell `number` of a triangle that is divided into split²: row r has 2r + 1 of them, from corner 0 on.
static void cell_of(double whole[3][3], uint32_t split, uint32_t number, double cell[3][3])
{
    uint32_t row = (uint32_t)sqrt((double)number);
    row -= row * row > number;
    const uint32_t place = number - row * row, column = place / 2;
    const bool turned = place % 2 == 1;
    const uint32_t rows[3] = {row, row + 1, turned ? row : row + 1};
    const uint32_t columns[3] = {column, turned ? column + 1 : column, column + 1};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            cell[i][j] = whole[0][j] + (whole[1][j] - whole[0][j]) * (rows[i] - columns[i]) / split +
                         (whole[2][j] - whole[0][j]) * columns[i] / split;
}

void grz_sight_cell_corners(const grz_sight_surface *surface, const grz_sight_cell *cell, double corners[3][3])
{
    grz_sight_cell_in_pose(surface, cell, cell->pose, corners);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            corners[i][j] += cell->normal[j] * surface->frame.gap;
}

void grz_sight_cell_in_pose(const grz_sight_surface *surface, const grz_sight_cell *cell, uint32_t pose,
                            double out[3][3])
{
    double whole[3][3], normal[3];
    place_triangle(surface, pose, cell->triangle, whole, normal);
    cell_of(whole, cell->split, cell->number, out);
}

// Add the cells of one triangle, each with the probe on the side of its winding.
static bool divide(grz_sight_surface *surface, const grz_allocator *allocator, uint32_t pose, uint32_t triangle,
                   uint64_t weight, uint32_t split)
{
    double corners[3][3], normal[3], cell[3][3];
    const uint64_t count = (uint64_t)split * split;
    place_triangle(surface, pose, triangle, corners, normal);
    if (!grz_array_reserve(allocator, &surface->cells, surface->cells.count + (size_t)count))
        return false;
    for (uint32_t number = 0; number < count; number++) {
        grz_sight_cell *added = &surface->cells.items[surface->cells.count++];
        cell_of(corners, split, number, cell);
        *added = (grz_sight_cell){.weight = weight / count + (number < weight % count),
                                  .triangle = triangle,
                                  .number = number,
                                  .split = split,
                                  .pose = pose};
        for (int j = 0; j < 3; j++) {
            added->normal[j] = normal[j];
            added->probe[j] = (cell[0][j] + cell[1][j] + cell[2][j]) / 3.0 + normal[j] * surface->frame.gap;
        }
    }
    return true;
}

static grz_status divide_pose(grz_sight_surface *surface, uint32_t pose, uint32_t cells, grz_control *control,
                              grz_error *error)
{
    double corners[3][3], normal[3];
    uint64_t total = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t t = 0; t < surface->triangle_count; t++) {
            if (grz_control_expired_at(control, t, CHECK_BITS))
                return grz_control_status(control);
            const double area = place_triangle(surface, pose, t, corners, normal);
            const uint64_t weight = (uint64_t)(area / surface->frame.area);
            if (pass == 0) {
                total += weight;
                continue;
            }
            if (weight == 0)
                continue;
            const double wanted = ceil(sqrt((double)weight / (double)total * cells));
            const uint32_t split = wanted < 1.0 ? 1 : wanted > MAX_SPLIT ? MAX_SPLIT : (uint32_t)wanted;
            surface->face_weights[t] += weight;
            if (!divide(surface, grz_control_allocator(control), pose, t, weight, split))
                return GRZ_ERROR_MEMORY;
        }
        if (total == 0)
            return grz_fail(error, GRZ_ERROR_MESH, pose, "projections: pose %u has no area", pose);
    }
    return GRZ_OK;
}

// Locate the probes of cells first to first + count on the side of the winding, or on the other side.
static grz_status locate_block(const grz_sight_surface *surface, grz_device *device, size_t first, size_t count,
                               double side, grz_locate_options *options, double *points, grz_location *locations,
                               grz_error *error)
{
    const grz_sight_frame *frame = &surface->frame;
    const uint32_t pose = surface->cells.items[first].pose;
    const grz_object object = grz_object_at_origin(surface->poses[pose]);
    for (size_t i = 0; i < count; i++) {
        const grz_sight_cell *cell = &surface->cells.items[first + i];
        for (int j = 0; j < 3; j++)
            points[3 * i + (size_t)j] =
                (cell->probe[j] - (1.0 - side) * cell->normal[j] * frame->gap) / frame->scale + frame->centre[j];
    }
    const grz_status status = grz_locate_points(device, &object, points, count, options, locations, error);
    for (size_t i = 0; i < count && status == GRZ_OK; i++)
        if (locations[i] == GRZ_LOCATION_UNKNOWN)
            return grz_fail(error, GRZ_ERROR_MESH, pose,
                            "projections: pose %u is wound inconsistently: GRZ_NONZERO cannot decide what is inside",
                            pose);
    return status;
}

static void turn(const grz_sight_frame *frame, grz_sight_cell *cell)
{
    for (int j = 0; j < 3; j++) {
        cell->probe[j] -= 2.0 * cell->normal[j] * frame->gap;
        cell->normal[j] = -cell->normal[j];
    }
}

// Give the cells of a block their probes. A cell with two of them is added once more, at the end.
static bool choose_sides(grz_sight_surface *surface, const grz_allocator *allocator, size_t first, size_t count,
                         const grz_location *front, const grz_location *back)
{
    for (size_t i = 0; i < count; i++) {
        const bool front_empty = front[i] == GRZ_OUTSIDE, back_empty = back[i] == GRZ_OUTSIDE;
        if (front_empty && back_empty) {
            if (!grz_array_add(allocator, &surface->cells))
                return false;
            grz_sight_cell *other = &surface->cells.items[surface->cells.count - 1];
            *other = surface->cells.items[first + i];
            other->weight /= 2;
            surface->cells.items[first + i].weight -= other->weight;
            turn(&surface->frame, other);
        } else if (back_empty) {
            turn(&surface->frame, &surface->cells.items[first + i]);
        }
        surface->cells.items[first + i].buried = !front_empty && !back_empty;
    }
    return true;
}

static grz_status find_sides(grz_sight_surface *surface, grz_device *device, grz_inside_rule rule, grz_control *control,
                             grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const size_t total = surface->cells.count;
    double *points = grz_allocate(allocator, BLOCK, 3 * sizeof *points);
    grz_location *sides = grz_allocate(allocator, BLOCK, 2 * sizeof *sides);
    grz_locate_options options = grz_default_locate_options();
    grz_status status = points != NULL && sides != NULL ? GRZ_OK : GRZ_ERROR_MEMORY;
    options.inside_rule = rule;
    for (size_t first = 0, count; first < total && status == GRZ_OK; first += count) {
        for (count = 1; count < BLOCK && first + count < total; count++)
            if (surface->cells.items[first + count].pose != surface->cells.items[first].pose)
                break;
        if (grz_control_expired(control))
            status = grz_control_status(control);
        for (int side = 0; side < 2 && status == GRZ_OK; side++) {
            options.limits = grz_control_limits_left(control);
            status = locate_block(surface, device, first, count, side == 0 ? 1.0 : -1.0, &options, points,
                                  sides + (size_t)side * BLOCK, error);
        }
        if (status == GRZ_OK && !choose_sides(surface, allocator, first, count, sides, sides + BLOCK))
            status = GRZ_ERROR_MEMORY;
    }
    grz_release(allocator, points, BLOCK, 3 * sizeof *points);
    grz_release(allocator, sides, BLOCK, 2 * sizeof *sides);
    return status;
}

grz_status grz_sight_surface_init(grz_sight_surface *surface, grz_device *device, const grz_mesh *const *poses,
                                  uint32_t pose_count, uint32_t cells, grz_inside_rule rule, grz_control *control,
                                  grz_error *error)
{
    *surface =
        (grz_sight_surface){.poses = poses, .pose_count = pose_count, .triangle_count = poses[0]->triangle_count};
    surface->face_weights =
        grz_allocate_zeroed(grz_control_allocator(control), surface->triangle_count, sizeof *surface->face_weights);
    if (surface->face_weights == NULL)
        return GRZ_ERROR_MEMORY;
    surface->frame = grz_sight_frame_of(poses, pose_count);
    for (uint32_t p = 0; p < pose_count; p++) {
        const grz_status status = divide_pose(surface, p, cells, control, error);
        if (status != GRZ_OK)
            return status;
    }
    const grz_status status = find_sides(surface, device, rule, control, error);
    for (size_t i = 0; i < surface->cells.count; i++)
        surface->weight += surface->cells.items[i].weight;
    return status;
}

void grz_sight_surface_finish(grz_sight_surface *surface, const grz_allocator *allocator)
{
    grz_array_finish(allocator, &surface->cells);
    grz_release(allocator, surface->face_weights, surface->triangle_count, sizeof *surface->face_weights);
    *surface = (grz_sight_surface){.pose_count = 0};
}
