// SPDX-License-Identifier: MIT
// Clipping by Sutherland and Hodgman (1974), one side of the box after the other; then separating axes: those of the
// boxes, the normals, and the products of the triangles' edges. Not all axes of the clipped polygons are tried, so
// "not apart" proves nothing.
#include "ask/overlap/depth/clipped.h"

#include <string.h>

#include "base/rounding.h"
#include "geometry/vector.h"

static double lerp(double from, double to, double share)
{
    return from + (to - from) * share;
}

// Keep what is on one side of a plane across axis k.
static void clip_side(grz_clipped *clipped, int k, double plane, bool above)
{
    double kept[GRZ_CLIPPED_CORNERS + 1][3];
    int count = 0;
    for (int i = 0; i < clipped->count; i++) {
        const double *p = clipped->corners[i], *q = clipped->corners[(i + 1) % clipped->count];
        const double at_p = above ? p[k] - plane : plane - p[k], at_q = above ? q[k] - plane : plane - q[k];
        if (at_p >= 0.0 && count <= GRZ_CLIPPED_CORNERS)
            memcpy(kept[count++], p, sizeof kept[0]);
        if ((at_p < 0.0) != (at_q < 0.0) && count <= GRZ_CLIPPED_CORNERS) {
            const double share = at_p / (at_p - at_q);
            for (int j = 0; j < 3; j++)
                kept[count][j] = j == k ? plane : lerp(p[j], q[j], share);
            count++;
        }
    }
    if (count > GRZ_CLIPPED_CORNERS) // only rounding could do this: keep all, which is safe
        return;
    clipped->count = count;
    memcpy(clipped->corners, kept, (size_t)count * sizeof kept[0]);
}

void grz_clipped_set(grz_clipped *clipped, const double corners[3][3], const grz_box *box)
{
    clipped->count = 3;
    memcpy(clipped->corners, corners, sizeof(double[3][3]));
    const grz_box own = grz_triangle_box(corners);
    for (int k = 0; k < 3 && clipped->count > 0; k++) {
        if (own.min[k] < box->min[k])
            clip_side(clipped, k, box->min[k], true);
        if (own.max[k] > box->max[k] && clipped->count > 0)
            clip_side(clipped, k, box->max[k], false);
    }
}

void grz_clipped_middle(const grz_clipped *clipped, double middle[3])
{
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.0;
        for (int i = 0; i < clipped->count; i++)
            middle[k] += clipped->corners[i][k];
        middle[k] /= clipped->count;
    }
}

static void range(const grz_clipped *clipped, const double axis[3], double *min, double *max)
{
    *min = *max = grz_dot(clipped->corners[0], axis);
    for (int i = 1; i < clipped->count; i++) {
        const double at = grz_dot(clipped->corners[i], axis);
        *min = at < *min ? at : *min;
        *max = at > *max ? at : *max;
    }
}

static bool axis_parts(const grz_clipped *p, const grz_clipped *q, const double axis[3])
{
    double min_p, max_p, min_q, max_q;
    const double margin = GRZ_CLIPPED_MARGIN * (fabs(axis[0]) + fabs(axis[1]) + fabs(axis[2]));
    range(p, axis, &min_p, &max_p);
    range(q, axis, &min_q, &max_q);
    return margin > GRZ_UNDERFLOWS && (min_q - max_p > margin || min_p - max_q > margin);
}

bool grz_clipped_apart(const grz_clipped *p, const double triangle_p[3][3], const grz_clipped *q,
                       const double triangle_q[3][3])
{
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double edges[2][3][3], normals[2][3], axis[3];
    if (p->count == 0 || q->count == 0)
        return true;
    for (int k = 0; k < 3; k++)
        if (axis_parts(p, q, axes[k]))
            return true;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            edges[0][i][k] = triangle_p[(i + 1) % 3][k] - triangle_p[i][k];
            edges[1][i][k] = triangle_q[(i + 1) % 3][k] - triangle_q[i][k];
        }
    for (int of = 0; of < 2; of++) {
        grz_cross(edges[of][0], edges[of][1], normals[of]);
        if (axis_parts(p, q, normals[of]))
            return true;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            grz_cross(edges[0][i], edges[1][j], axis);
            if (axis_parts(p, q, axis))
                return true;
        }
    for (int of = 0; of < 2; of++) // for triangles in one plane
        for (int i = 0; i < 3; i++) {
            grz_cross(normals[of], edges[of][i], axis);
            if (axis_parts(p, q, axis))
                return true;
        }
    return false;
}
