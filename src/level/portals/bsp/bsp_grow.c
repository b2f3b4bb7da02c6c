// SPDX-License-Identifier: MIT
// A wall that was rounded may miss the plane of its neighbour, and leave a gap that is as narrow as what was rounded.
// Triangles are made a little larger to see whether they close it: their edges are moved outwards in the plane, by less
// than half of what the level may be off. How far that reaches is measured at the new corners.
#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "geometry/exact/predicates.h"
#include "level/portals/bsp/bsp_work.h"
#include "mesh/mesh.h"
#include "mesh/triangles.h"

static const double LEAST = 0x1p-30; // of the level's box: what a step outwards must be larger than

// How far edges may be moved: corners move further, the more the sharper they are. Seen along the axis.
static double step_of(const grz_bsp_work *w, const double c[3][3], int axis)
{
    const int x = (axis + 1) % 3, y = (axis + 2) % 3;
    double least = 1.0; // sine of half an angle
    for (int i = 0; i < 3; i++) {
        const double *p = c[i], *q = c[(i + 1) % 3], *r = c[(i + 2) % 3], ux = q[x] - p[x], uy = q[y] - p[y],
                     vx = r[x] - p[x], vy = r[y] - p[y], lengths = sqrt(ux * ux + uy * uy) * sqrt(vx * vx + vy * vy),
                     cosine = (ux * vx + uy * vy) / lengths;
        least = fmin(least, sqrt(fmax(0.5 - 0.5 * cosine, 0.0)));
    }
    return 0.5 * w->most_moved * least; // the plane is steeper than that by the root of 3 at most
}

// Move an edge outwards. False: it has no direction, or there is no memory.
static bool move_edge(grz_bsp_work *w, const double c[3][3], int i, int axis, double step, grz_bsp_rim *rim)
{
    const int x = (axis + 1) % 3, y = (axis + 2) % 3;
    double a[3], b[3];
    memcpy(a, c[i], sizeof a);
    memcpy(b, c[(i + 1) % 3], sizeof b);
    const double *other = c[(i + 2) % 3], dx = b[x] - a[x], dy = b[y] - a[y], length = sqrt(dx * dx + dy * dy),
                 side = (other[x] - a[x]) * dy - (other[y] - a[y]) * dx > 0.0 ? -step : step;
    if (!(length > 0.0))
        return false;
    a[x] += side * dy / length;
    a[y] -= side * dx / length;
    b[x] += side * dy / length;
    b[y] -= side * dx / length;
    if (a[x] == b[x] && a[y] == b[y])
        return false;
    rim->edges[i] = grz_parts_add_plane_across(&w->pool, a, b, axis);
    if (rim->edges[i] == UINT32_MAX)
        return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    const double(*at)[3] = (const double(*)[3])w->pool.planes.items[rim->edges[i]].at;
    rim->inner[i] = grz_orient3d(at[0], at[1], at[2], other);
    return rim->inner[i] != 0;
}

// How far a corner of the grown triangle is from that of the triangle, at most.
static double corner_distance(const grz_bsp_work *w, const grz_bsp_flat *flat, const double c[3][3], int i)
{
    const grz_parts_corner corner =
        grz_parts_meet(w->pool.planes.items, flat->plane, flat->grown.edges[i], flat->grown.edges[(i + 2) % 3]);
    const double *origin = w->pool.planes.items[flat->plane].at[0];
    double at[3], square = 0.0, size = 0.0;
    if (corner.base.at == 0.0)
        return HUGE_VAL;
    grz_parts_near(w->pool.planes.items, &corner, at);
    for (int k = 0; k < 3; k++) {
        square += (at[k] - c[i][k]) * (at[k] - c[i][k]);
        size += fabs(at[k]) + fabs(origin[k]);
    }
    return sqrt(square) * GRZ_MORE(8192) + 0x1p-38 * size; // grz_parts_near() is off by some 2^-40
}

bool grz_bsp_grow(grz_bsp_work *w, grz_bsp_flat *flat)
{
    const grz_box *box = &w->level->box;
    double c[3][3];
    if (flat->reach != 0.0)
        return true;
    grz_mesh_corners(w->level->all.mesh, flat->triangle, c);
    const double step = step_of(w, (const double(*)[3])c, flat->axis);
    double reach = 0.0;
    for (int k = 0; k < 3; k++)
        if (!(step > LEAST * (box->max[k] - box->min[k])))
            reach = HUGE_VAL;
    for (int i = 0; i < 3 && reach == 0.0; i++)
        if (!move_edge(w, (const double(*)[3])c, i, flat->axis, step, &flat->grown))
            reach = HUGE_VAL;
    for (int i = 0; i < 3 && reach < HUGE_VAL; i++)
        reach = fmax(reach, corner_distance(w, flat, (const double(*)[3])c, i));
    flat->reach = reach <= 2.0 * w->most_moved ? reach : HUGE_VAL;
    return w->status == GRZ_OK;
}
