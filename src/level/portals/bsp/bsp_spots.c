// SPDX-License-Identifier: MIT
// Where corners are: nearly, in doubles, to compare sizes. Boxes that hold polygons, and distances that are not
// exceeded, for certain.
#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "geometry/vector.h"
#include "level/portals/bsp/bsp_work.h"

const double *grz_bsp_spot_of(grz_bsp_work *w, uint32_t corner)
{
    for (size_t i = w->spots.count; i <= corner; i++) {
        if (!grz_array_add(w->allocator, &w->spots)) {
            (void)grz_bsp_fail(w, GRZ_ERROR_MEMORY);
            return w->pool.planes.items[0].at[0];
        }
        grz_parts_near(w->pool.planes.items, &w->pool.corners.items[i], w->spots.items[i].at);
    }
    return w->spots.items[corner].at;
}

grz_box grz_bsp_rough_box(grz_bsp_work *w, const grz_parts_polygons *list, const grz_parts_polygon *polygon)
{
    grz_box box = grz_box_empty();
    for (uint32_t i = 0; i < polygon->count; i++)
        grz_box_add_point(&box, grz_bsp_spot_of(w, list->places.items[polygon->from + i].corner));
    return box;
}

double grz_bsp_area(grz_bsp_work *w, const grz_parts_polygons *list, const grz_parts_polygon *polygon)
{
    double sum[3] = {0.0, 0.0, 0.0}, first[3], u[3], v[3], part[3];
    memcpy(first, grz_bsp_spot_of(w, list->places.items[polygon->from].corner), sizeof first);
    for (uint32_t i = 1; i < polygon->count; i++) {
        const double *at = grz_bsp_spot_of(w, list->places.items[polygon->from + i].corner);
        for (int k = 0; k < 3; k++)
            v[k] = at[k] - first[k];
        if (i > 1) {
            grz_cross(u, v, part);
            for (int k = 0; k < 3; k++)
                sum[k] += part[k];
        }
        memcpy(u, v, sizeof u);
    }
    return 0.5 * sqrt(grz_dot(sum, sum));
}

void grz_bsp_add_to_box(const grz_bsp_work *w, const grz_parts_polygons *list, const grz_parts_polygon *polygon,
                        grz_box *box)
{
    for (uint32_t i = 0; i < polygon->count; i++) {
        const grz_parts_corner *corner = &w->pool.corners.items[list->places.items[polygon->from + i].corner];
        double at[3];
        grz_parts_round(w->pool.planes.items, corner, at);
        for (int k = 0; k < 3; k++) { // the nearest double is at most one away
            box->min[k] = fmin(box->min[k], corner->given ? at[k] : nextafter(at[k], -HUGE_VAL));
            box->max[k] = fmax(box->max[k], corner->given ? at[k] : nextafter(at[k], HUGE_VAL));
        }
    }
}

bool grz_bsp_need_edges(grz_bsp_work *w, grz_parts_polygons *list, uint32_t number)
{
    const grz_parts_polygon *polygon = &list->all.items[number];
    grz_parts_place *places = list->places.items + polygon->from;
    double c[3][3];
    if (places[0].along != UINT32_MAX)
        return true;
    for (int i = 0; i < 3; i++) // it has not been cut: it is a triangle
        memcpy(c[i], w->pool.corners.items[places[i].corner].at, sizeof c[i]);
    for (int i = 0; i < 3; i++) {
        places[i].along = grz_parts_add_plane_along(&w->pool, (const double(*)[3])c, i);
        if (places[i].along == UINT32_MAX)
            return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    }
    return true;
}

grz_bsp_lift grz_bsp_lift_to(const grz_parts_plane *plane)
{
    grz_bsp_lift lift = {.off = 0.0, .axis = 0};
    double u[3], v[3], sizes[2] = {0.0, 0.0};
    memcpy(lift.at, plane->at[0], sizeof lift.at);
    for (int k = 0; k < 3; k++) {
        u[k] = plane->at[1][k] - plane->at[0][k];
        v[k] = plane->at[2][k] - plane->at[0][k];
        sizes[0] += fabs(u[k]);
        sizes[1] += fabs(v[k]);
    }
    grz_cross(u, v, lift.normal);
    lift.off = 0x1p-49 * sizes[0] * sizes[1]; // as in bsp_walls.c, doubled
    for (int k = 1; k < 3; k++)
        if (fabs(lift.normal[k]) > fabs(lift.normal[lift.axis]))
            lift.axis = k;
    return lift;
}

double grz_bsp_lift_of(const grz_bsp_lift *lift, const double c[3][3])
{
    const double slope = fabs(lift->normal[lift->axis]) - lift->off;
    double most = 0.0;
    if (!(slope > GRZ_PRODUCT_MIN))
        return HUGE_VAL;
    for (int i = 0; i < 3; i++) {
        double w[3], size = 0.0, part = 0.0;
        for (int k = 0; k < 3; k++) {
            w[k] = c[i][k] - lift->at[k];
            size += fabs(w[k]);
            part += fabs(w[k] * lift->normal[k]);
        }
        // 16 · 2^-53 for the product's roundings; 2^-950 for its underflows, and those of the division by `slope`.
        const double height = fabs(grz_dot(lift->normal, w)) + lift->off * size + 0x1p-49 * part + 0x1p-950;
        most = fmax(most, height / slope * GRZ_MORE(8));
    }
    return most;
}
