// SPDX-License-Identifier: MIT
// A box and a triangle are apart if one of 13 axes separates them (T. Akenine-Möller, "Fast 3D triangle-box overlap
// testing", 2001): the box's, the triangle's normal, and the cross products of an edge of each. Here an axis must
// separate them by more than rounding, so that no portal is missed.
#include "level/portals/portal_polygons.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "mesh/triangles.h"

// Rounding of a product of a direction and a corner is at most this share of its terms; and what underflows.
static const double ROUNDING = 0x1p-48, UNDERFLOW = 0x1p-1060;

static bool is_apart_along(const double d[3], const double c[3][3], const grz_box *box)
{
    double low = 0.0, high = 0.0, least = HUGE_VAL, most = -HUGE_VAL, sizes = 0.0;
    for (int k = 0; k < 3; k++) {
        const double a = d[k] * box->min[k], b = d[k] * box->max[k];
        low += fmin(a, b);
        high += fmax(a, b);
        sizes += fmax(fabs(a), fabs(b));
    }
    for (int i = 0; i < 3; i++) {
        const double along = grz_dot(d, c[i]);
        least = fmin(least, along);
        most = fmax(most, along);
        sizes += fabs(d[0] * c[i][0]) + fabs(d[1] * c[i][1]) + fabs(d[2] * c[i][2]);
    }
    const double margin = ROUNDING * sizes + UNDERFLOW;
    return least > high + margin || most < low - margin;
}

static bool may_meet(const double c[3][3], const grz_box *box)
{
    const grz_box own = grz_triangle_box(c);
    if (!grz_boxes_overlap(&own, box))
        return false;
    double edges[3][3], normal[3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            edges[i][k] = c[(i + 1) % 3][k] - c[i][k];
    grz_cross(edges[0], edges[1], normal);
    if (is_apart_along(normal, c, box))
        return false;
    for (int i = 0; i < 9; i++) {
        double axis[3] = {0.0, 0.0, 0.0}, across[3];
        axis[i % 3] = 1.0;
        grz_cross(axis, edges[i / 3], across);
        if (is_apart_along(across, c, box))
            return false;
    }
    return true;
}

void grz_portal_triangle(const grz_portals *level, const grz_portal_piece *piece, uint32_t i, double c[3][3])
{
    const grz_portal_corner *corners = level->polygons.corners.items + piece->first;
    assert(i + 2 < piece->count);
    memcpy(c[0], corners[0].at, sizeof c[0]);
    memcpy(c[1], corners[i + 1].at, sizeof c[1]);
    memcpy(c[2], corners[i + 2].at, sizeof c[2]);
}

bool grz_portal_may_meet(const grz_portals *level, uint32_t portal, const grz_box *box)
{
    const grz_portal *p = &level->portals[portal];
    for (int k = 0; k < 3; k++)
        if (p->min[k] > box->max[k] || p->max[k] < box->min[k])
            return false;
    for (uint32_t i = level->first_polygon[portal]; i < level->first_polygon[portal + 1]; i++) {
        const grz_portal_piece *piece = &level->polygons.pieces.items[i];
        const grz_box grown = grz_box_grown(box, piece->off);
        for (uint32_t t = 0; t + 2 < piece->count; t++) {
            double c[3][3];
            grz_portal_triangle(level, piece, t, c);
            if (may_meet((const double(*)[3])c, &grown))
                return true;
        }
    }
    return false;
}
