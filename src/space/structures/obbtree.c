// SPDX-License-Identifier: MIT
// A tree of oriented bounding boxes: each box lies along the principal axes of its triangles, so that it is thin where
// the surface is flat, whatever way it faces. Source: S. Gottschalk, M. Lin, D. Manocha, "OBBTree: a hierarchical
// structure for rapid interference detection" (1996).
#include <string.h>

#include "base/rounding.h"
#include "geometry/principal_axes.h"
#include "geometry/vector.h"
#include "mesh/triangles.h"
#include "space/structures/volume_tree.h"

// A box, as floats: all points y with |axes[k] · (y - middle)| <= half[k]. The axes are of length 1 and perpendicular
// to each other but for their rounding to floats.
enum {
    MIDDLE = 0,
    AXES = 3,
    HALF = 12,
    FLOATS = 15
};

// What the axes' rounding may add to an extent that is computed from them, relative to the sum of the halves: the
// inverse of the axes' matrix differs from its transpose by less than 2^-21.
static const double LOOSE = 0x1p-20;
// Of the square of its size: what weight a needle has at least. Chosen.
static const double NEEDLE = 0x1p-20;
// The errors of local coordinates are below this, also after sums of three.
static const double ROUNDING = 0x1p-48;

// Sums over the surface of triangles, each weighed by its area, relative to a point.
typedef struct moments {
    double weight, sum[3], square[3][3];
} moments;

// The integrals over a triangle with weight `area`: Gottschalk's formula for its second moments.
static void add_triangle(moments *m, const double y[3][3], double area)
{
    double middle[3];
    for (int j = 0; j < 3; j++)
        middle[j] = (y[0][j] + y[1][j] + y[2][j]) / 3.0;
    m->weight += area;
    for (int j = 0; j < 3; j++) {
        m->sum[j] += area * middle[j];
        for (int k = 0; k < 3; k++)
            m->square[j][k] +=
                area / 12.0 * (9.0 * middle[j] * middle[k] + y[0][j] * y[0][k] + y[1][j] * y[1][k] + y[2][j] * y[2][k]);
    }
}

static double area_of(const double y[3][3])
{
    double along[2][3], normal[3];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            along[i][j] = y[i + 1][j] - y[0][j];
    grz_cross(along[0], along[1], normal);
    return sqrt(grz_dot(normal, normal));
}

static void local_corners(const grz_mesh *mesh, const grz_local *local, uint32_t triangle, double y[3][3])
{
    double corners[3][3];
    grz_mesh_corners(mesh, triangle, corners);
    for (int i = 0; i < 3; i++)
        grz_to_local(local, corners[i], y[i]);
}

// The principal axes of some triangles.
static void find_axes(const grz_mesh *mesh, const grz_local *local, const uint32_t *triangles, size_t count,
                      double axes[3][3])
{
    moments m = {.weight = 0.0};
    double y[3][3], from[3], covariance[3][3];
    local_corners(mesh, local, triangles[0], y);
    memcpy(from, y[0], sizeof from);
    for (size_t i = 0; i < count; i++) {
        local_corners(mesh, local, triangles[i], y);
        for (int c = 0; c < 3; c++)
            for (int j = 0; j < 3; j++)
                y[c][j] -= from[j];
        double size = 0.0;
        for (int c = 1; c < 3; c++)
            for (int j = 0; j < 3; j++)
                size = fmax(size, fabs(y[c][j] - y[0][j]));
        add_triangle(&m, (const double(*)[3])y, area_of((const double(*)[3])y) + NEEDLE * size * size);
    }
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 3; k++)
            covariance[j][k] = m.weight > 0.0 ? m.square[j][k] / m.weight - m.sum[j] / m.weight * (m.sum[k] / m.weight)
                                              : (double)(j == k);
    grz_principal_axes(covariance, axes);
}

static float float_above(double x)
{
    return nextafterf((float)x, HUGE_VALF);
}

static void fit(const grz_mesh *mesh, const grz_local *local, const uint32_t *triangles, size_t count, float *volume)
{
    double axes[3][3], low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, y[3][3],
                       middle[3] = {0.0};
    find_axes(mesh, local, triangles, count, axes);
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++) {
            volume[AXES + 3 * k + j] = (float)axes[k][j];
            axes[k][j] = (double)volume[AXES + 3 * k + j];
        }
    for (size_t i = 0; i < count; i++) {
        local_corners(mesh, local, triangles[i], y);
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++) {
                const double along = grz_dot(axes[k], y[c]);
                low[k] = along < low[k] ? along : low[k];
                high[k] = along > high[k] ? along : high[k];
            }
    }
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++)
            middle[j] += 0.5 * (low[k] + high[k]) * axes[k][j];
    for (int j = 0; j < 3; j++) {
        volume[MIDDLE + j] = (float)middle[j];
        middle[j] = (double)volume[MIDDLE + j];
    }
    for (int k = 0; k < 3; k++) {
        const double at = grz_dot(axes[k], middle);
        volume[HALF + k] = float_above(fmax(high[k] - at, at - low[k]) + ROUNDING);
    }
}

static int longest_axis(const float *volume)
{
    int longest = 0;
    for (int k = 1; k < 3; k++)
        if (volume[HALF + k] > volume[HALF + longest])
            longest = k;
    return longest;
}

static void direction(const float *volume, double out[3])
{
    const int k = longest_axis(volume);
    for (int j = 0; j < 3; j++)
        out[j] = (double)volume[AXES + 3 * k + j];
}

static double extent(const float *volume)
{
    return 2.0 * (double)volume[HALF + longest_axis(volume)];
}

static const grz_volume_type volume_type = {
    .what = "OBB tree", .floats = FLOATS, .fit = fit, .direction = direction, .extent = extent};

static grz_status prepare(const grz_mesh *mesh, grz_control *control, void **state, grz_error *error)
{
    return grz_volume_tree_prepare(&volume_type, mesh, control, state, error);
}

// A probe, and the normal of its plane, which separates it from much.
typedef struct obb_probe {
    grz_local_probe local;
    double normal[3], normal_slack, size;
} obb_probe;

// True if the corners' range along a direction, which is grown by `slack`, is apart from [-reach, reach].
static bool range_is_apart(const double along[3], double slack, double reach)
{
    const double low = fmin(fmin(along[0], along[1]), along[2]), high = fmax(fmax(along[0], along[1]), along[2]);
    return low - slack > reach || high + slack < -reach;
}

static bool is_apart(const float *volume, const void *context)
{
    const obb_probe *probe = context;
    double axes[3][3], half[3], from[3][3], along[3], halves = 0.0;
    for (int k = 0; k < 3; k++) {
        half[k] = (double)volume[HALF + k];
        halves += half[k];
        for (int j = 0; j < 3; j++) {
            axes[k][j] = (double)volume[AXES + 3 * k + j];
            from[k][j] = probe->local.y[k][j] - (double)volume[MIDDLE + j];
        }
    }
    const double *slack = probe->local.slack, loose = LOOSE * halves + ROUNDING * probe->size;
    for (int k = 0; k < 3; k++) { // along the box's axes
        for (int c = 0; c < 3; c++)
            along[c] = grz_dot(axes[k], from[c]);
        const double more = fabs(axes[k][0]) * slack[0] + fabs(axes[k][1]) * slack[1] + fabs(axes[k][2]) * slack[2];
        if (range_is_apart(along, more, half[k] + loose))
            return true;
    }
    for (int j = 0; j < 3; j++) { // along the axes of the mesh
        const double reach = fabs(axes[0][j]) * half[0] + fabs(axes[1][j]) * half[1] + fabs(axes[2][j]) * half[2];
        for (int c = 0; c < 3; c++)
            along[c] = from[c][j];
        if (range_is_apart(along, slack[j], reach + loose))
            return true;
    }
    double reach = loose; // across the probe's plane
    for (int k = 0; k < 3; k++)
        reach += fabs(grz_dot(probe->normal, axes[k])) * half[k];
    for (int c = 0; c < 3; c++)
        along[c] = grz_dot(probe->normal, from[c]);
    return range_is_apart(along, probe->normal_slack, reach);
}

// Choose the normal of length 1; any direction is sound.
static void set_normal(obb_probe *probe)
{
    double along[2][3];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            along[i][j] = probe->local.y[i + 1][j] - probe->local.y[0][j];
    grz_cross(along[0], along[1], probe->normal);
    if (!grz_make_unit(probe->normal)) {
        probe->normal[0] = 1.0;
        probe->normal[1] = probe->normal[2] = 0.0;
    }
    probe->size = 1.0;
    probe->normal_slack = 0.0;
    for (int j = 0; j < 3; j++) {
        probe->normal_slack += fabs(probe->normal[j]) * probe->local.slack[j] * GRZ_MORE(8192);
        for (int c = 0; c < 3; c++)
            probe->size = fmax(probe->size, fabs(probe->local.y[c][j]));
    }
}

static bool gather(const grz_mesh *mesh, const void *structure, const grz_probe *probe, const grz_allocator *allocator,
                   grz_near_list *near)
{
    const grz_volume_tree *tree = structure;
    obb_probe local;
    if (!grz_boxes_overlap(&mesh->bounds, &probe->box))
        return true;
    if (!grz_local_probe_set(&tree->local, probe, &local.local))
        return grz_volume_tree_gather(tree, NULL, NULL, allocator, near);
    set_normal(&local);
    return grz_volume_tree_gather(tree, is_apart, &local, allocator, near);
}

static void box_of(const float *volume, double box[2][3])
{
    double halves = 0.0;
    for (int k = 0; k < 3; k++)
        halves += (double)volume[HALF + k];
    for (int j = 0; j < 3; j++) {
        double reach = LOOSE * halves + ROUNDING;
        for (int k = 0; k < 3; k++)
            reach += fabs((double)volume[AXES + 3 * k + j]) * (double)volume[HALF + k];
        box[0][j] = (double)volume[MIDDLE + j] - reach;
        box[1][j] = (double)volume[MIDDLE + j] + reach;
    }
}

static size_t divide(const grz_mesh *mesh, const void *structure, const grz_structure_part *whole,
                     grz_structure_part parts[GRZ_STRUCTURE_PARTS])
{
    (void)mesh;
    return grz_volume_tree_divide(structure, box_of, whole, parts);
}

// Along the volume's own axes.
static bool is_apart_from_box(const void *structure, const grz_structure_part *part, const grz_oblique_box *box)
{
    const grz_volume_tree *tree = structure;
    const float *volume = tree->volumes + part->node * tree->floats;
    grz_oblique_box local;
    double from[3];
    if (!grz_oblique_to_local(&tree->local, box, &local))
        return false;
    for (int j = 0; j < 3; j++)
        from[j] = local.middle[j] - (double)volume[MIDDLE + j];
    for (int k = 0; k < 3; k++) {
        double axis[3];
        for (int j = 0; j < 3; j++)
            axis[j] = (double)volume[AXES + 3 * k + j];
        const double reach = grz_oblique_reach(&local, axis) * GRZ_MORE(8192) + ROUNDING;
        if (fabs(grz_dot(axis, from)) > (double)volume[HALF + k] + reach)
            return true;
    }
    return false;
}

const grz_structure_type grz_structure_obbtree = {
    .slot = {prepare, grz_volume_tree_release}, .gather = gather, .divide = divide, .is_apart = is_apart_from_box};
