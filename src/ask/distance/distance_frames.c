// SPDX-License-Identifier: MIT
// Makes the frames of two posed trees, in doubles; the margins cover everything that is rounded (docs/use/distance.md).
#include "ask/distance/distance_frames.h"

#include <math.h>
#include <string.h>

#include "geometry/pose.h"
#include "geometry/vector.h"

// Relative errors: of floats (the tree's boxes, the map, its arithmetic) and of doubles (posed positions, the map).
static const double FLOAT_ERROR = 0x1p-21, DOUBLE_ERROR = 0x1p-48;
// Axes are perpendicular and of equal length up to this relative error; SLACK covers what is left.
static const double SKEW = 0x1p-30;
static const double ALONG_ONE = 0x1p-40;  // of a row: smaller entries are what rounding left of 0
static const double SAME = 0x1p-20;       // chosen: any frame gives right bounds
static const double UNDERFLOW = 0x1p-140; // of fewer than 1,000 operations in floats, each off by 2^-150 at most
static const double SLACK = 0x1p-17;      // relative error of a distance in a frame, axes and arithmetic

static grz_posed_tree pose_tree(const grz_bvh *bvh, const grz_object *object)
{
    grz_posed_tree tree = {.bvh = bvh, .object = object, .box = grz_world_box(&object->pose, &object->mesh->bounds)};
    grz_world_position(&object->pose, bvh->origin, tree.at);
    for (int i = 0; i < 3; i++) {
        const double *m = object->pose.m[i];
        double sum = fabs(m[3]);
        for (int j = 0; j < 3; j++) {
            tree.linear[i][j] = bvh->unit * (bvh->turned ? grz_dot(m, bvh->axes[j]) : m[j]);
            sum += fabs(m[j]) * (object->mesh->max_abs[j] + fabs(bvh->origin[j]));
            // A turned tree has its coordinates along other axes: each may be as large as the largest of the tree.
            // 2^-1020: more than what underflows in the products of m with these axes.
            if (bvh->turned)
                sum += 3.0 * (fabs(m[j]) + 0x1p-1020) * (bvh->max_abs * bvh->unit);
        }
        tree.size = fmax(tree.size, sum);
    }
    return tree;
}

// The tree's axes in the world, as unit vectors. False: they are no frame.
static bool axes_of(const grz_posed_tree *tree, double axes[3][3])
{
    double lengths[3], longest = 0.0;
    for (int j = 0; j < 3; j++) {
        double most = 0.0;
        for (int i = 0; i < 3; i++) {
            axes[j][i] = tree->linear[i][j];
            most = fmax(most, fabs(axes[j][i]));
        }
        lengths[j] = most;
        longest = fmax(longest, most);
    }
    if (!(longest > 0.0 && longest < HUGE_VAL))
        return false;
    int exponent;
    frexp(longest, &exponent);
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++)
            axes[j][i] = ldexp(axes[j][i], -exponent);
        lengths[j] = sqrt(grz_dot(axes[j], axes[j]));
        for (int i = 0; i < 3; i++)
            axes[j][i] /= lengths[j];
    }
    bool fits = true;
    for (int j = 0; j < 3; j++) {
        const int k = (j + 1) % 3;
        fits = fits && fabs(grz_dot(axes[j], axes[k])) <= SKEW && fabs(lengths[j] - lengths[k]) <= SKEW * lengths[j] &&
               fabs(grz_dot(axes[j], axes[j]) - 1.0) <= SKEW;
    }
    return fits;
}

// What rounding in doubles can do to a coordinate in a frame.
static double double_error(const grz_posed_tree *tree, const double middle[3], double scale)
{
    const double most = fabs(middle[0]) + fabs(middle[1]) + fabs(middle[2]) + 3.0 * tree->size;
    return DOUBLE_ERROR * most * scale + UNDERFLOW;
}

static void set_row(const grz_posed_tree *tree, const double axis[3], const double middle[3], double scale,
                    grz_distance_row *row)
{
    const double from[3] = {tree->at[0] - middle[0], tree->at[1] - middle[1], tree->at[2] - middle[2]};
    double sum = 0.0;
    for (int j = 0; j < 3; j++) {
        double along = 0.0;
        for (int k = 0; k < 3; k++)
            along += axis[k] * tree->linear[k][j];
        row->m[j] = (float)(along * scale);
        sum += fabs(along * scale);
    }
    if (!(sum < 0x1p100)) { // too large for floats: nothing is known of where the boxes are
        *row = (grz_distance_row){.margin = HUGE_VALF, .only = -1};
        return;
    }
    // Along an axis of the tree itself, rounding alone makes the other two differ from 0.
    double dropped = 0.0;
    row->only = -1;
    for (int j = 0; j < 3; j++) {
        const int k = (j + 1) % 3, l = (j + 2) % 3;
        if (fabs((double)row->m[k]) + fabs((double)row->m[l]) > ALONG_ONE * sum)
            continue;
        row->only = j;
        dropped = fabs((double)row->m[k]) + fabs((double)row->m[l]);
    }
    for (int j = 0; j < 3 && row->only >= 0; j++)
        row->m[j] = j == row->only ? row->m[j] : 0.0f;
    const double at = grz_dot(axis, from) * scale;
    row->m[3] = (float)at;
    const double error = dropped * tree->bvh->max_abs + FLOAT_ERROR * (sum * fmax(tree->bvh->max_abs, 1.0) + fabs(at)) +
                         double_error(tree, middle, scale);
    row->margin = (float)(error * (1.0 + 0x1p-20)); // as a float it may be 2^-24 smaller
}

// True if a second frame would hardly bound better than the first.
static bool are_same(const double a[3][3], const double b[3][3])
{
    bool same = true;
    for (int i = 0; i < 9; i++)
        same = same && fabs(a[i / 3][i % 3] - b[i / 3][i % 3]) <= SAME;
    return same;
}

void grz_distance_frames_set(grz_distance_frames *frames, const grz_bvh *bvh_a, const grz_object *a,
                             const grz_bvh *bvh_b, const grz_object *b)
{
    static const double world[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    grz_posed_tree *trees = frames->trees;
    double axes[2][3][3], size = 0.0;
    trees[0] = pose_tree(bvh_a, a);
    trees[1] = pose_tree(bvh_b, b);
    grz_box both = trees[0].box;
    int exponent;
    grz_box_add_box(&both, &trees[1].box);
    for (int k = 0; k < 3; k++) {
        frames->middle[k] = 0.5 * both.min[k] + 0.5 * both.max[k];
        size = fmax(size, both.max[k] - both.min[k]);
    }
    frexp(fmax(size, 0x1p-500), &exponent); // so that the scale is far from overflow
    frames->scale = ldexp(1.0, -exponent);
    for (int t = 0; t < 2; t++) {
        trees[t].has_axes = axes_of(&trees[t], axes[t]);
        if (!trees[t].has_axes)
            memcpy(axes[t], world, sizeof world);
    }
    frames->count = are_same((const double(*)[3])axes[0], (const double(*)[3])axes[1]) ? 1 : 2;
    for (int f = 0; f < frames->count; f++) {
        memcpy(frames->frames[f].axes, axes[f], sizeof axes[f]);
        for (int t = 0; t < 2; t++)
            for (int i = 0; i < 3; i++)
                set_row(&trees[t], axes[f][i], frames->middle, frames->scale, &frames->frames[f].maps[t].rows[i]);
    }
}

// The map of points. Where it is too large for doubles, nothing is known of where they are.
static void set_point_map(const grz_posed_tree *tree, const double axis[3], const double middle[3], double scale,
                          grz_distance_way *way)
{
    const grz_pose *pose = &tree->object->pose;
    double most = 0.0;
    for (int j = 0; j < 4; j++) {
        double along = 0.0;
        for (int i = 0; i < 3; i++)
            along += axis[i] * (j < 3 ? pose->m[i][j] : pose->m[i][3] - middle[i]);
        way->m[j] = j < 3 && tree->object->mesh->max_abs[j] == 0.0 ? 0.0 : along * scale;
        most = fmax(most, fabs(along * scale));
    }
    way->margin = double_error(tree, middle, scale);
    if (!(most < 0x1p500)) { // times a coordinate, at most 2^300, it is finite
        memset(way->m, 0, sizeof way->m);
        way->margin = HUGE_VAL;
    }
}

void grz_distance_frames_look(grz_distance_frames *frames, const double way[3])
{
    for (int t = 0; t < 2; t++) {
        const double sign = t == 0 ? 1.0 : -1.0, towards[3] = {sign * way[0], sign * way[1], sign * way[2]};
        set_row(&frames->trees[t], towards, frames->middle, frames->scale, &frames->ways[t].row);
        set_point_map(&frames->trees[t], towards, frames->middle, frames->scale, &frames->ways[t]);
    }
}

double grz_distance_lower(const grz_distance_frames *frames, float square)
{
    return sqrt((double)square) * (1.0 - SLACK) / frames->scale;
}

float grz_distance_limit(const grz_distance_frames *frames, double distance)
{
    const double limit = distance * frames->scale * (1.0 + SLACK), square = limit * limit;
    // Floats end at 2^128.
    return square < 0x1p120 ? nextafterf((float)square, HUGE_VALF) : HUGE_VALF;
}

grz_distance_bounds *grz_distance_bounds_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, grz_distance_bounds_of);
}

grz_distance_ends *grz_distance_ends_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, grz_distance_ends_of);
}

grz_distance_middles *grz_distance_middles_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, grz_distance_middles_of);
}
