// SPDX-License-Identifier: MIT
// Chooses the view volumes of an object's height maps. Source: J. Fabrizio, "Easy real-time collision detection",
// figure 3.
#include "image/heightmap/heightmap_view.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "geometry/pose.h"
#include "geometry/vector.h"

static const double PADDING = 0x1p-16; // of the longest half edge: the object does not touch the planes of its view

// Also of vectors whose squares are no numbers, or 0.
static double length_of(const double v[3])
{
    double unit[3] = {v[0], v[1], v[2]};
    return grz_make_unit(unit) ? grz_dot(unit, v) : 0.0;
}

// Unit vectors along the edges of a box; where an edge is 0, one perpendicular to the others.
static void axes_of(const grz_solid_box *box, double axes[3][3])
{
    int known = 0;
    bool has[3];
    for (int i = 0; i < 3; i++) {
        memcpy(axes[i], box->edges[i], sizeof axes[i]);
        has[i] = grz_make_unit(axes[i]);
        known += has[i];
    }
    for (int i = 0; i < 3 && known < 2;
         i++) { // give it a second axis, across the coordinate that the first one lacks most
        if (has[i])
            continue;
        const double *first = has[(i + 1) % 3] ? axes[(i + 1) % 3] : has[(i + 2) % 3] ? axes[(i + 2) % 3] : NULL;
        int least = 0;
        for (int j = 1; j < 3 && first != NULL; j++)
            least = fabs(first[j]) < fabs(first[least]) ? j : least;
        double across[3] = {0.0, 0.0, 0.0};
        across[first != NULL ? least : i] = 1.0;
        if (first != NULL)
            grz_cross(first, across, axes[i]);
        else
            memcpy(axes[i], across, sizeof across);
        has[i] = grz_make_unit(axes[i]);
        known++;
    }
    for (int i = 0; i < 3; i++)
        if (!has[i]) {
            grz_cross(axes[(i + 1) % 3], axes[(i + 2) % 3], axes[i]);
            grz_make_unit(axes[i]);
        }
}

// The edge of the box to look along unless a direction is given.
static int chosen_edge(const grz_heightmap_options *options, const grz_solid_box *box)
{
    const bool longest = options->projection != GRZ_PROJECTION_FLOOR;
    int best = 0;
    for (int i = 1; i < 3; i++) {
        const double length = length_of(box->edges[i]), so_far = length_of(box->edges[best]);
        if (longest ? length > so_far : length < so_far)
            best = i;
    }
    return best;
}

// A vector's sense is that of its largest coordinate.
static void look_forwards(double v[3])
{
    int most = 0;
    for (int i = 1; i < 3; i++)
        most = fabs(v[i]) > fabs(v[most]) ? i : most;
    const double sense = v[most] < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 3; i++)
        v[i] *= sense;
}

// The range of a mesh along an axis, relative to a point.
static void range_along(const grz_mesh *mesh, const double axis[3], const double centre[3], double range[2])
{
    range[0] = HUGE_VAL;
    range[1] = -HUGE_VAL;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const double *p = grz_mesh_position(mesh, v);
        if (!grz_mesh_uses(mesh, v))
            continue;
        const double from[3] = {p[0] - centre[0], p[1] - centre[1], p[2] - centre[2]}, along = grz_dot(axis, from);
        range[0] = fmin(range[0], along);
        range[1] = fmax(range[1], along);
    }
}

// Move and size a view that has axes so that it encloses the mesh.
static void enclose(const grz_mesh *mesh, const grz_solid_box *box, grz_view *view)
{
    double longest = GRZ_NEVER_ZERO, at[3];
    memcpy(view->centre, box->centre, sizeof view->centre);
    for (int i = 0; i < 3; i++) {
        const double *axis = view->axes[i];
        const double half = (fabs(grz_dot(box->edges[0], axis)) + fabs(grz_dot(box->edges[1], axis))) +
                            fabs(grz_dot(box->edges[2], axis));
        double range[2] = {-half, half};
        if (mesh->source == NULL)
            range_along(mesh, axis, box->centre, range);
        view->half[i] = 0.5 * (range[1] - range[0]);
        at[i] = 0.5 * (range[0] + range[1]);
        longest = fmax(longest, view->half[i]);
    }
    for (int i = 0; i < 3; i++) {
        view->half[i] += longest * PADDING;
        for (int j = 0; j < 3; j++)
            view->centre[j] += at[i] * view->axes[i][j];
    }
}

// The view of the whole mesh.
static grz_view whole(const grz_heightmap_options *options, const grz_mesh *mesh, const grz_solid_box *box)
{
    double axes[3][3];
    grz_view view = {.half = {0.0}};
    double *right = view.axes[0], *up = view.axes[1], *away = view.axes[2];
    axes_of(box, axes);
    memcpy(away, options->has_direction ? options->direction : axes[chosen_edge(options, box)], sizeof view.axes[2]);
    grz_make_unit(away);
    if (!options->has_direction)
        look_forwards(away);
    int aside = 0; // the axis of the box that is most across the direction
    for (int i = 1; i < 3; i++)
        aside = fabs(grz_dot(axes[i], away)) < fabs(grz_dot(axes[aside], away)) ? i : aside;
    for (int j = 0; j < 3; j++)
        right[j] = axes[aside][j] - grz_dot(axes[aside], away) * away[j];
    grz_make_unit(right);
    grz_cross(right, away, up);
    enclose(mesh, box, &view);
    return view;
}

// The front half of a view, with the eye in the middle.
static grz_view front_half(const grz_view *view)
{
    const double from[3] = {0.0, 0.0, 0.5}, to[3] = {1.0, 1.0, 1.0};
    return grz_view_part(view, from, to);
}

// True if nothing but the padding separates the rear of a view from its front.
static bool is_flat(const grz_view *view)
{
    const double longest = fmax(view->half[0], fmax(view->half[1], view->half[2]));
    return view->half[2] <= 2.0 * PADDING * longest && view->half[2] < longest;
}

uint32_t grz_height_views(const grz_heightmap_options *options, const grz_mesh *mesh, const grz_solid_box *box,
                          grz_view views[2])
{
    const grz_view forwards = whole(options, mesh, box);
    if (is_flat(&forwards))
        return 0;
    if (options->projection != GRZ_PROJECTION_OPPOSITE && options->projection != GRZ_PROJECTION_COMBINED) {
        views[0] = forwards;
        return 1;
    }
    grz_view backwards = forwards;
    for (int j = 0; j < 3; j++) { // turned about the axis that points up
        backwards.axes[0][j] = -forwards.axes[0][j];
        backwards.axes[2][j] = -forwards.axes[2][j];
    }
    views[0] = front_half(&forwards);
    views[1] = front_half(&backwards);
    return 2;
}
