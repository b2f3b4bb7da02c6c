// SPDX-License-Identifier: MIT
// Chooses the axes of a tree. A flat or thin triangle that lies askew has a box that is mostly empty. If most triangles
// of a mesh lie along the same directions, boxes along these are thin: a rotated sheet is flat again. A sample of the
// triangles is tried along the directions of some of them; the mesh's own axes stay unless others are much better.
// docs/internals/bvh.md ("Axes") has the figures.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/lanes.h"
#include "space/bvh/bvh_parts.h"

enum {
    LANES = 4,
    MOST_SAMPLES = 64,
    FEWEST_SAMPLES = 8,
    SAMPLES_OF_REFIT = 16,
    TRIANGLES_PER_SAMPLE = 512, // at first, so that the choice takes less than a hundredth of a build
    MOST_AT_FIRST = 32,
    FEWEST_TRIANGLES = 192, // smaller meshes keep their axes
    SAMPLES_PER_TRIAL = 4,  // one in so many triangles of the sample gives directions to try,
    MOST_TRIALS = 8         // but at most so many
};

// What is added to the edges of a box, as a part of the triangle's longest edge. So a box that is a little thinner
// still does not count as much better.
static const float THICKNESS = 0x1p-6f;
static const double WORTH_TURNING = 0.6;  // a new tree gets other axes if boxes fill less than this part of their space
static const double WORTH_A_BUILD = 0.25; // an old one is built again if boxes would
static const double FLATTEST = 0x1p-40;   // twice the area / (longest edge)²; a flatter triangle has no normal
static const double LARGEST_SKEW = 0x1p-48; // of |A·Aᵀ - I|, for the matrix A of the axes

static const double own_axes[3][4] = {{1.0, 0.0, 0.0, 0.0}, {0.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}}; // of the mesh

// Two edges of each triangle of the sample, divided by its longest edge.
typedef struct grz_sample {
    float u[3][MOST_SAMPLES], v[3][MOST_SAMPLES];
    double edges[MOST_TRIALS][3][3]; // of the first triangles: all edges, divided by the longest one
    int count;                       // a multiple of LANES
    int trials;
} grz_sample;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static bool normalise(double v[3], double least)
{
    const double length = sqrt(dot(v, v));
    for (int i = 0; i < 3; i++)
        v[i] /= length;
    return length > least;
}

// The edges of a triangle, divided by the longest one. False if it is a point.
static bool edges_of(const grz_mesh *mesh, uint32_t triangle, double scale, double edges[3][3])
{
    const uint32_t *vertex = mesh->triangles + (size_t)triangle * 3;
    double longest = 0.0;
    for (int k = 0; k < 3; k++) {
        const double *from = grz_mesh_position(mesh, vertex[k]), *to = grz_mesh_position(mesh, vertex[(k + 1) % 3]);
        for (int axis = 0; axis < 3; axis++)
            edges[k][axis] = (to[axis] - from[axis]) * scale;
        longest = fmax(longest, dot(edges[k], edges[k]));
    }
    if (!(longest > 0x1p-500)) // chosen: the mesh has a size of about 1
        return false;
    const double factor = 1.0 / sqrt(longest);
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 3; axis++)
            edges[k][axis] *= factor;
    return true;
}

// Draw `wanted` triangles out of `count`: the first ones of the mesh or, if `triangles` is not NULL, those listed. The
// multiplier is 2^32 / the golden ratio: it spreads them evenly, in no step with the mesh's own order.
static void take_sample(const grz_mesh *mesh, const uint32_t *triangles, uint32_t count, double scale, int wanted,
                        grz_sample *sample)
{
    sample->count = sample->trials = 0;
    for (int i = 0; i < wanted; i++) {
        const uint32_t draw = ((uint32_t)i + 1) * UINT32_C(2654435769), at = (uint32_t)((uint64_t)draw * count >> 32);
        double edges[3][3];
        if (!edges_of(mesh, triangles != NULL ? triangles[at] : at, scale, edges))
            continue;
        for (int axis = 0; axis < 3; axis++) {
            sample->u[axis][sample->count] = (float)edges[0][axis];
            sample->v[axis][sample->count] = (float)-edges[2][axis];
        }
        if (sample->trials < wanted / SAMPLES_PER_TRIAL && sample->trials < MOST_TRIALS)
            memcpy(sample->edges[sample->trials++], edges, sizeof edges);
        sample->count++;
    }
    sample->count -= sample->count % LANES;
}

// How much space the boxes of the sample fill along some axes: the sum of their volumes, each divided by the cube of
// the longest edge.
static double space_along(const grz_sample *sample, const double axes[3][4])
{
    const grz_f32x4 zero = grz_f32x4_splat(0.0f), thickness = grz_f32x4_splat(THICKNESS);
    grz_f32x4 sum = zero;
    float lanes[LANES];
    for (int first = 0; first < sample->count; first += LANES) {
        grz_f32x4 volume = grz_f32x4_splat(1.0f);
        for (int i = 0; i < 3; i++) {
            grz_f32x4 a = zero, b = zero;
            for (int j = 0; j < 3; j++) {
                const grz_f32x4 entry = grz_f32x4_splat((float)axes[i][j]);
                a = grz_f32x4_add(a, grz_f32x4_multiply(entry, grz_f32x4_load(&sample->u[j][first])));
                b = grz_f32x4_add(b, grz_f32x4_multiply(entry, grz_f32x4_load(&sample->v[j][first])));
            }
            const grz_f32x4 high = grz_f32x4_max(zero, grz_f32x4_max(a, b)),
                            low = grz_f32x4_min(zero, grz_f32x4_min(a, b));
            volume = grz_f32x4_multiply(volume, grz_f32x4_add(thickness, grz_f32x4_subtract(high, low)));
        }
        sum = grz_f32x4_add(sum, volume);
    }
    grz_f32x4_store(lanes, sum);
    return (double)lanes[0] + (double)lanes[1] + (double)lanes[2] + (double)lanes[3];
}

// Axes along an edge of a triangle and its normal. False if there are none.
static bool axes_of(const double edges[3][3], int edge, double axes[3][4])
{
    double normal[3];
    memcpy(axes[0], edges[edge], sizeof edges[edge]);
    if (!normalise(axes[0], FLATTEST))
        return false;
    cross(edges[0], edges[1], normal);
    if (!(dot(normal, normal) > FLATTEST * FLATTEST)) { // a segment: any direction across it
        const double *along = axes[0];
        const int least = fabs(along[0]) < fabs(along[1]) ? 0 : 1;
        const double across[3] = {least == 0, least == 1, 0.0};
        cross(along, across, normal);
    }
    for (int round = 0; round < 2; round++) { // the normal of a thin triangle has lost digits
        const double along = dot(normal, axes[0]);
        for (int i = 0; i < 3; i++)
            normal[i] -= along * axes[0][i];
        if (!normalise(normal, 0.5 * FLATTEST))
            return false;
    }
    memcpy(axes[2], normal, sizeof normal);
    cross(axes[2], axes[0], axes[1]);
    return true;
}

// True if the axes are perpendicular and have length 1, up to LARGEST_SKEW.
static bool are_sound(const double axes[3][4])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
            if (!(fabs(dot(axes[i], axes[j]) - (i == j)) <= LARGEST_SKEW))
                return false;
    return true;
}

// True if the boxes of a sample fill less than `share` of the space along other axes than the tree's. The best ones
// found are then in `axes`; the mesh's own are not tried.
static bool find_better(const grz_bvh *bvh, const grz_sample *sample, double share, double axes[3][4])
{
    double least = share * space_along(sample, bvh->turned ? bvh->axes : own_axes);
    bool better = false;
    for (int trial = 0; trial < sample->trials; trial++)
        for (int edge = 0; edge < 3; edge++) {
            double tried[3][4] = {{0.0}};
            if (!axes_of(sample->edges[trial], edge, tried))
                continue;
            const double space = space_along(sample, (const double(*)[4])tried);
            if (space < least && are_sound((const double(*)[4])tried)) {
                least = space;
                better = true;
                memcpy(axes, tried, sizeof tried);
            }
        }
    return better;
}

void grz_bvh_choose_axes(grz_bvh *bvh, const grz_mesh *mesh, const uint32_t *triangles, uint32_t count)
{
    const uint32_t affordable = count / TRIANGLES_PER_SAMPLE;
    const int size = affordable < FEWEST_SAMPLES  ? FEWEST_SAMPLES
                     : affordable < MOST_AT_FIRST ? (int)affordable
                                                  : MOST_AT_FIRST;
    grz_sample sample;
    bvh->turned = false;
    grz_bvh_choose_coordinates(bvh, mesh);
    if (count < FEWEST_TRIANGLES)
        return;
    take_sample(mesh, triangles, count, bvh->scale, size, &sample);
    if (!find_better(bvh, &sample, WORTH_TURNING, bvh->axes))
        return;
    take_sample(mesh, triangles, count, bvh->scale, MOST_SAMPLES, &sample); // a few triangles may lie alike by chance
    bvh->turned = find_better(bvh, &sample, WORTH_TURNING, bvh->axes);
    if (bvh->turned)
        grz_bvh_choose_coordinates(bvh, mesh);
}

bool grz_bvh_lies_askew(const grz_bvh *bvh, const grz_mesh *mesh)
{
    double axes[3][4];
    grz_sample sample;
    if (mesh->triangle_count < FEWEST_TRIANGLES)
        return false;
    take_sample(mesh, NULL, mesh->triangle_count, bvh->scale, SAMPLES_OF_REFIT, &sample);
    return find_better(bvh, &sample, WORTH_A_BUILD, axes) ||
           (bvh->turned && space_along(&sample, own_axes) < WORTH_A_BUILD * space_along(&sample, bvh->axes));
}
