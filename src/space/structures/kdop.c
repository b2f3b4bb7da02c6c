// SPDX-License-Identifier: MIT
// A tree of k-DOPs: each volume is bounded by slabs along nine fixed directions (k = 18), the axes and the diagonals of
// the axes' planes. They fit tighter than boxes and are compared by numbers alone. Source: J. Klosowski, M. Held,
// J. Mitchell, H. Sowizral, K. Zikan, "Efficient collision detection using bounding volume hierarchies of k-DOPs"
// (1998).
#include <string.h>

#include "base/rounding.h"
#include "mesh/triangles.h"
#include "space/structures/volume_tree.h"

enum {
    SLABS = 9,
    FLOATS = 2 * SLABS
};

// How far a point goes along each direction: x, y, z, x + y, x - y, x + z, x - z, y + z, y - z.
static void go_along(const double y[3], double along[SLABS])
{
    for (int axis = 0; axis < 3; axis++)
        along[axis] = y[axis];
    along[3] = y[0] + y[1];
    along[4] = y[0] - y[1];
    along[5] = y[0] + y[2];
    along[6] = y[0] - y[2];
    along[7] = y[1] + y[2];
    along[8] = y[1] - y[2];
}

// The errors of local coordinates, of a sum of two, and of a float are below this.
static const double ROUNDING = 0x1p-50;

// A volume: the lower ends of the slabs, then the upper ends.
static void fit(const grz_mesh *mesh, const grz_local *local, const uint32_t *triangles, size_t count, float *volume)
{
    double low[SLABS], high[SLABS];
    for (int k = 0; k < SLABS; k++) {
        low[k] = HUGE_VAL;
        high[k] = -HUGE_VAL;
    }
    for (size_t i = 0; i < count; i++) {
        double corners[3][3], y[3], along[SLABS];
        grz_mesh_corners(mesh, triangles[i], corners);
        for (int c = 0; c < 3; c++) {
            grz_to_local(local, corners[c], y);
            go_along(y, along);
            for (int k = 0; k < SLABS; k++) {
                low[k] = along[k] < low[k] ? along[k] : low[k];
                high[k] = along[k] > high[k] ? along[k] : high[k];
            }
        }
    }
    for (int k = 0; k < SLABS; k++) {
        volume[k] = nextafterf((float)(low[k] - ROUNDING), -HUGE_VALF);
        volume[SLABS + k] = nextafterf((float)(high[k] + ROUNDING), HUGE_VALF);
    }
}

static void merge(const float *one, const float *other, float *volume)
{
    for (int k = 0; k < SLABS; k++) {
        volume[k] = one[k] < other[k] ? one[k] : other[k];
        volume[SLABS + k] = one[SLABS + k] > other[SLABS + k] ? one[SLABS + k] : other[SLABS + k];
    }
}

static int longest_axis(const float *volume)
{
    int longest = 0;
    for (int axis = 1; axis < 3; axis++)
        if (volume[SLABS + axis] - volume[axis] > volume[SLABS + longest] - volume[longest])
            longest = axis;
    return longest;
}

static void direction(const float *volume, double out[3])
{
    out[0] = out[1] = out[2] = 0.0;
    out[longest_axis(volume)] = 1.0;
}

static double extent(const float *volume)
{
    const int axis = longest_axis(volume);
    return (double)volume[SLABS + axis] - (double)volume[axis];
}

static const grz_volume_type volume_type = {
    .what = "k-DOP tree", .floats = FLOATS, .fit = fit, .merge = merge, .direction = direction, .extent = extent};

static grz_status prepare(const grz_mesh *mesh, grz_control *control, void **state, grz_error *error)
{
    return grz_volume_tree_prepare(&volume_type, mesh, control, state, error);
}

// What a probe covers of each direction.
typedef struct probe_slabs {
    double low[SLABS], high[SLABS];
} probe_slabs;

static void slabs_of(const grz_local_probe *probe, probe_slabs *slabs)
{
    double along[SLABS], size = 1.0;
    go_along(probe->y[0], slabs->low);
    memcpy(slabs->high, slabs->low, sizeof slabs->high);
    for (int i = 1; i < 3; i++) {
        go_along(probe->y[i], along);
        for (int k = 0; k < SLABS; k++) {
            slabs->low[k] = along[k] < slabs->low[k] ? along[k] : slabs->low[k];
            slabs->high[k] = along[k] > slabs->high[k] ? along[k] : slabs->high[k];
        }
    }
    for (int k = 0; k < SLABS; k++)
        size = fmax(size, fmax(fabs(slabs->low[k]), fabs(slabs->high[k])));
    const double *s = probe->slack;
    const double slack[SLABS] = {s[0],        s[1],        s[2],        s[0] + s[1], s[0] + s[1],
                                 s[0] + s[2], s[0] + s[2], s[1] + s[2], s[1] + s[2]};
    for (int k = 0; k < SLABS; k++) {
        slabs->low[k] -= slack[k] * GRZ_MORE(8192) + size * ROUNDING;
        slabs->high[k] += slack[k] * GRZ_MORE(8192) + size * ROUNDING;
    }
}

static bool is_apart(const float *volume, const void *probe)
{
    const probe_slabs *slabs = probe;
    for (int k = 0; k < SLABS; k++)
        if ((double)volume[SLABS + k] < slabs->low[k] || (double)volume[k] > slabs->high[k])
            return true;
    return false;
}

static bool gather(const grz_mesh *mesh, const void *structure, const grz_probe *probe, const grz_allocator *allocator,
                   grz_near_list *near)
{
    const grz_volume_tree *tree = structure;
    grz_local_probe local;
    probe_slabs slabs;
    if (!grz_boxes_overlap(&mesh->bounds, &probe->box))
        return true;
    if (!grz_local_probe_set(&tree->local, probe, &local))
        return grz_volume_tree_gather(tree, NULL, NULL, allocator, near);
    slabs_of(&local, &slabs);
    return grz_volume_tree_gather(tree, is_apart, &slabs, allocator, near);
}

static void box_of(const float *volume, double box[2][3])
{
    for (int axis = 0; axis < 3; axis++) {
        box[0][axis] = (double)volume[axis];
        box[1][axis] = (double)volume[SLABS + axis];
    }
}

static size_t divide(const grz_mesh *mesh, const void *structure, const grz_structure_part *whole,
                     grz_structure_part parts[GRZ_STRUCTURE_PARTS])
{
    (void)mesh;
    return grz_volume_tree_divide(structure, box_of, whole, parts);
}

// Along the diagonals.
static bool is_apart_from_box(const void *structure, const grz_structure_part *part, const grz_oblique_box *box)
{
    const grz_volume_tree *tree = structure;
    const float *volume = tree->volumes + part->node * tree->floats;
    double along[SLABS], edges[3][SLABS];
    grz_oblique_box local;
    if (!grz_oblique_to_local(&tree->local, box, &local))
        return false;
    go_along(local.middle, along);
    for (int k = 0; k < 3; k++)
        go_along(local.edge[k], edges[k]);
    const double *s = local.slack;
    const double slack[3] = {s[0] + s[1], s[0] + s[2], s[1] + s[2]};
    for (int k = 3; k < SLABS; k++) {
        const double reach =
            (fabs(edges[0][k]) + fabs(edges[1][k]) + fabs(edges[2][k]) + slack[(k - 3) / 2]) * GRZ_MORE(8192);
        if (along[k] - reach > (double)volume[SLABS + k] || along[k] + reach < (double)volume[k])
            return true;
    }
    return false;
}

const grz_structure_type grz_structure_kdop = {
    .slot = {prepare, grz_volume_tree_release}, .gather = gather, .divide = divide, .is_apart = is_apart_from_box};
