// SPDX-License-Identifier: MIT
// The directions that are tried. Slots and holes with parallel walls are seen well only exactly along their walls, so
// the mesh's own normals and their cross products are among them. The grid has the directions with small integer
// coordinates: it stays the same if axes are exchanged.
#include "ask/projections/candidates.h"

#include <math.h>
#include <string.h>

#include "base/control.h"
#include "base/fail.h"
#include "base/sort/sort.h"
#include "geometry/vector.h"
#include "mesh/oriented_box.h"
#include "mesh/triangles.h"

enum {
    COMMON = 6, // normals of the mesh
    SHELLS = 6,
    CHECK_BITS = 12
};

static const double ALIKE = 1e-9;     // 1 - cosine of the angle between two directions
static const double PARALLEL = 0.1;   // sine of the angle between normals whose cross product is not tried
static const double NORMAL_STEP = 32; // normals in one cell of a grid with so many cells to a length of 1 are one

static bool is_one_way(grz_projection projection)
{
    return projection == GRZ_PROJECTION_SINGLE || projection == GRZ_PROJECTION_FLOOR;
}

static void add_one(grz_sight_candidates *candidates, const double direction[3], bool one_way)
{
    for (uint32_t i = 0; i < candidates->count; i++) {
        const double cosine = grz_dot(candidates->directions[i], direction);
        if ((one_way ? cosine : fabs(cosine)) > 1.0 - ALIKE)
            return;
    }
    if (candidates->count < GRZ_MAX_CANDIDATES)
        memcpy(candidates->directions[candidates->count++], direction, sizeof candidates->directions[0]);
}

static void add(grz_sight_candidates *candidates, const double direction[3], bool one_way)
{
    double unit[3] = {direction[0], direction[1], direction[2]};
    if (!grz_make_unit(unit))
        return;
    for (int i = 0; i < 3; i++)
        unit[i] += 0.0; // no -0
    add_one(candidates, unit, one_way);
    for (int i = 0; i < 3; i++)
        unit[i] = 0.0 - unit[i];
    if (one_way)
        add_one(candidates, unit, one_way);
}

static grz_status add_callers(grz_sight_candidates *candidates, const grz_projections_options *options,
                              grz_error *error)
{
    for (uint32_t i = 0; i < options->direction_count; i++) {
        const double *d = options->directions + (size_t)3 * i;
        if (!isfinite(d[0]) || !isfinite(d[1]) || !isfinite(d[2]) || (d[0] == 0.0 && d[1] == 0.0 && d[2] == 0.0))
            return grz_fail(error, GRZ_ERROR_ARGUMENT, i,
                            "projections: direction %u, (%g, %g, %g), is zero or not finite", i, d[0], d[1], d[2]);
        add(candidates, d, is_one_way(options->projection));
    }
    return GRZ_OK;
}

// Longest first. A direction points to where its largest coordinate is positive, as with grz_heightmap_options.
static void add_box_axes(grz_sight_candidates *candidates, const grz_mesh *mesh, bool one_way)
{
    double centre[3], edges[3][3];
    int order[3] = {0, 1, 2};
    grz_oriented_box(mesh, centre, edges);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (grz_dot(edges[order[j]], edges[order[j]]) < grz_dot(edges[order[j + 1]], edges[order[j + 1]])) {
                const int swapped = order[j];
                order[j] = order[j + 1];
                order[j + 1] = swapped;
            }
    for (int i = 0; i < 3; i++) {
        double *edge = edges[order[i]];
        int most = 0;
        for (int j = 1; j < 3; j++)
            most = fabs(edge[j]) > fabs(edge[most]) ? j : most;
        const double sense = edge[most] < 0.0 ? -1.0 : 1.0;
        for (int j = 0; j < 3; j++)
            edge[j] *= sense;
        add(candidates, edge, one_way);
    }
}

// All directions whose coordinates are those of a shell, in any order and with any signs.
static void add_shell(grz_sight_candidates *candidates, const int shell[3], bool one_way)
{
    static const int orders[6][3] = {{0, 1, 2}, {1, 0, 2}, {1, 2, 0}, {0, 2, 1}, {2, 0, 1}, {2, 1, 0}};
    for (int order = 0; order < 6; order++)
        for (int signs = 0; signs < 4; signs++) {
            double d[3];
            int first = 1;
            for (int i = 0, bit = 1; i < 3; i++) {
                d[i] = shell[orders[order][i]];
                if (d[i] == 0.0)
                    continue;
                if (!first) {
                    d[i] = (signs & bit) != 0 ? -d[i] : d[i];
                    bit <<= 1;
                }
                first = 0;
            }
            add(candidates, d, one_way);
        }
}

static void add_grid(grz_sight_candidates *candidates, uint32_t wanted, bool one_way)
{
    static const int shells[SHELLS][3] = {{1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {2, 1, 0}, {2, 1, 1}, {2, 2, 1}};
    static const uint32_t sums[SHELLS] = {0, 3, 9, 13, 25, 37}; // directions of the shells before
    for (int i = 0; i < SHELLS && sums[i] < wanted; i++)
        add_shell(candidates, shells[i], one_way);
}

// Normals that are nearly alike, and their area.
typedef struct normal_group {
    double normal[3]; // of the largest triangle
    uint64_t largest, weight;
    int32_t cell[3];
} normal_group;

static int compare_cells(const void *x, const void *y, void *context)
{
    const normal_group *a = x, *b = y;
    (void)context;
    for (int i = 0; i < 3; i++)
        if (a->cell[i] != b->cell[i])
            return a->cell[i] < b->cell[i] ? -1 : 1;
    return 0;
}

// The first of two equal ones must not depend on the order of the faces.
static bool is_before(const normal_group *a, uint64_t a_weight, const normal_group *b, uint64_t b_weight)
{
    if (a_weight != b_weight)
        return a_weight > b_weight;
    for (int i = 0; i < 3; i++)
        if (a->normal[i] != b->normal[i])
            return a->normal[i] > b->normal[i];
    return false;
}

// Normals as lines: the first coordinate that is not 0 is positive.
static bool make_group(const grz_sight_surface *surface, uint32_t triangle, normal_group *group)
{
    double c[3][3], sides[2][3];
    *group = (normal_group){.weight = surface->face_weights[triangle], .largest = surface->face_weights[triangle]};
    grz_mesh_corners(surface->poses[0], triangle, c);
    for (int i = 0; i < 3; i++)
        grz_sight_place(&surface->frame, c[i], c[i]);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            sides[i][j] = c[i + 1][j] - c[0][j];
    grz_cross(sides[0], sides[1], group->normal);
    if (group->weight == 0 || !grz_make_unit(group->normal))
        return false;
    double sense = 1.0;
    for (int i = 2; i >= 0; i--)
        if (fabs(group->normal[i]) > ALIKE)
            sense = group->normal[i] < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 3; i++) {
        group->normal[i] = group->normal[i] * sense + 0.0;
        group->cell[i] = (int32_t)floor(group->normal[i] * NORMAL_STEP + 0.5);
    }
    return true;
}

// Join the groups of one cell, which are neighbours.
static size_t join_groups(normal_group *groups, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || compare_cells(&groups[kept - 1], &groups[i], NULL) != 0) {
            groups[kept++] = groups[i];
            continue;
        }
        normal_group *to = &groups[kept - 1];
        const uint64_t weight = to->weight + groups[i].weight;
        if (is_before(&groups[i], groups[i].largest, to, to->largest))
            *to = groups[i];
        to->weight = weight;
    }
    return kept;
}

static grz_status add_normals(grz_sight_candidates *candidates, const grz_sight_surface *surface, bool one_way,
                              grz_control *control)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    normal_group *groups = grz_allocate(allocator, surface->triangle_count, sizeof *groups), *common[COMMON];
    size_t count = 0, chosen = 0;
    if (groups == NULL)
        return GRZ_ERROR_MEMORY;
    for (uint32_t t = 0; t < surface->triangle_count && !grz_control_expired_at(control, t, CHECK_BITS); t++)
        count += make_group(surface, t, &groups[count]);
    const grz_status status = grz_sort(groups, count, sizeof *groups, compare_cells, NULL, control);
    count = status == GRZ_OK ? join_groups(groups, count) : 0;
    for (size_t i = 0; i < count; i++) { // the groups with the most weight, sorted
        size_t place = chosen < COMMON ? chosen++ : COMMON;
        for (; place > 0 && is_before(&groups[i], groups[i].weight, common[place - 1], common[place - 1]->weight);
             place--)
            if (place < COMMON)
                common[place] = common[place - 1];
        if (place < COMMON)
            common[place] = &groups[i];
    }
    for (size_t i = 0; i < chosen; i++)
        add(candidates, common[i]->normal, one_way);
    for (size_t i = 0; i < chosen; i++)
        for (size_t j = i + 1; j < chosen; j++) {
            double across[3];
            grz_cross(common[i]->normal, common[j]->normal, across);
            if (sqrt(grz_dot(across, across)) > PARALLEL)
                add(candidates, across, one_way);
        }
    grz_release(allocator, groups, surface->triangle_count, sizeof *groups);
    return status;
}

grz_status grz_sight_candidates_find(grz_sight_candidates *candidates, const grz_sight_surface *surface,
                                     const grz_projections_options *options, grz_control *control, grz_error *error)
{
    const bool one_way = is_one_way(options->projection);
    candidates->count = 0;
    const grz_status status = add_callers(candidates, options, error);
    if (status != GRZ_OK)
        return status;
    add_box_axes(candidates, surface->poses[0], one_way);
    add_grid(candidates, options->candidates, one_way);
    return add_normals(candidates, surface, one_way, control);
}
