// SPDX-License-Identifier: MIT
// Where method `slices` looks from. Faces that are edge-on cover no pixel's centre, so a direction is wanted that few faces lie along:
// thirteen are tried, those through the faces, edges and corners of a cube, on a sample of both meshes' faces. Everything is computed
// in doubles relative to the view's centre; the matrices are rounded to floats last. Source: J. Dinerstein, P. Egbert, section 3.1.2.
#include "image/slices_view.h"

#include <math.h>

#include "space/triangles.h"

enum {
    DIRECTIONS = 13,
    SAMPLE = 256 // faces of each mesh
};

static const double EDGE_ON = 0.25; // the cosine below which a face counts, the more the less it is

static const double directions[DIRECTIONS][3] = {{0, 0, -1},  {-1, 0, 0},  {0, -1, 0},  {-1, 0, -1}, {1, 0, -1},
                                                 {0, -1, -1}, {0, 1, -1},  {-1, -1, 0}, {1, -1, 0},  {-1, -1, -1},
                                                 {1, -1, -1}, {-1, 1, -1}, {1, 1, -1}};

static double dot(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

// Scale a vector of any length, 0 excepted, to 1.
static void make_unit(double v[3])
{
    const double most = fmax(fmax(fabs(v[0]), fabs(v[1])), fabs(v[2]));
    for (int i = 0; i < 3; i++)
        v[i] /= most;
    const double length = sqrt(dot(v, v));
    for (int i = 0; i < 3; i++)
        v[i] /= length;
}

grz_slices_view grz_slices_view_along(const double direction[3], const grz_box *region, double padding)
{
    grz_slices_view view = {.half = {0.0}};
    double *right = view.axes[0], *up = view.axes[1], *away = view.axes[2], half[3];
    const double aside[3] = {0.0, fabs(direction[1]) > 0.9 * fmax(fabs(direction[0]), fabs(direction[2])) ? 0.0 : 1.0,
                             fabs(direction[1]) > 0.9 * fmax(fabs(direction[0]), fabs(direction[2])) ? 1.0 : 0.0};
    for (int i = 0; i < 3; i++)
        away[i] = direction[i];
    make_unit(away);
    cross(away, aside, right);
    make_unit(right);
    cross(right, away, up);
    for (int i = 0; i < 3; i++) {
        view.centre[i] = 0.5 * region->min[i] + 0.5 * region->max[i];
        half[i] = 0.5 * region->max[i] - 0.5 * region->min[i];
    }
    for (int i = 0; i < 3; i++) {
        view.half[i] = 0.0;
        for (int j = 0; j < 3; j++)
            view.half[i] += fabs(view.axes[i][j]) * half[j];
        view.half[i] = fmax(view.half[i], padding);
    }
    return view;
}

// Add what a sample of an object's faces says of each direction: their area, and how much of it is edge-on.
static void look_at_faces(const grz_object *object, double edge_on[DIRECTIONS], double *area)
{
    const grz_mesh *mesh = object->mesh;
    const uint32_t count = mesh->triangle_count < SAMPLE ? mesh->triangle_count : SAMPLE;
    for (uint32_t i = 0; i < count; i++) {
        double corners[3][3], u[3], v[3], normal[3];
        grz_world_corners(mesh, &object->pose, (uint32_t)((uint64_t)mesh->triangle_count * i / count), corners);
        for (int j = 0; j < 3; j++) {
            u[j] = corners[1][j] - corners[0][j];
            v[j] = corners[2][j] - corners[0][j];
        }
        cross(u, v, normal);
        const double size = sqrt(dot(normal, normal));
        if (!(size > 0.0 && size < HUGE_VAL))
            continue;
        *area += size;
        for (int j = 0; j < DIRECTIONS; j++) {
            const double cosine = fabs(dot(normal, directions[j])) / (size * sqrt(dot(directions[j], directions[j])));
            edge_on[j] += cosine < EDGE_ON ? size * (1.0 - cosine / EDGE_ON) : 0.0;
        }
    }
}

void grz_slices_choose_direction(const grz_object *a, const grz_object *b, const grz_box *region, double direction[3])
{
    double edge_on[DIRECTIONS] = {0.0}, area = 0.0, least = HUGE_VAL, half[3], thin = 0.0;
    int best = 0;
    for (int i = 0; i < 3; i++) {
        half[i] = 0.5 * region->max[i] - 0.5 * region->min[i];
        thin = fmax(thin, 0.05 * half[i]);
    }
    look_at_faces(a, edge_on, &area);
    look_at_faces(b, edge_on, &area);
    for (int i = 0; i < DIRECTIONS && area > 0.0; i++) {
        const grz_slices_view view = grz_slices_view_along(directions[i], region, 0.0);
        double larger = 1.0; // by how much the view is larger than the region, the cube root of it
        for (int j = 0; j < 3 && thin > 0.0; j++)
            larger *= cbrt((view.half[j] + thin) / (half[j] + thin));
        const double cost = (0.02 + edge_on[i] / area) * larger;
        if (cost < 0.98 * least) {
            least = cost;
            best = i;
        }
    }
    for (int i = 0; i < 3; i++)
        direction[i] = directions[best][i];
}

grz_slices_view grz_slices_part(const grz_slices_view *view, const double from[3], const double to[3])
{
    grz_slices_view part = *view;
    for (int i = 0; i < 3; i++) {
        const double middle = (from[i] + to[i] - 1.0) * view->half[i];
        part.half[i] = (to[i] - from[i]) * view->half[i];
        for (int j = 0; j < 3; j++)
            part.centre[j] += middle * view->axes[i][j];
    }
    return part;
}

void grz_slices_matrix(const grz_slices_view *view, const grz_object *object, const grz_mesh_buffers *buffers, float matrix[16])
{
    double at[3], column[3];
    for (int i = 0; i < 3; i++) { // the middle of the mesh, relative to the view's
        const double *m = object->pose.m[i];
        at[i] = dot(m, buffers->centre) + (m[3] - view->centre[i]);
    }
    for (int i = 0; i < 3; i++) {
        const double depth = i == 2 ? 0.5 : 1.0;
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++)
                column[k] = object->pose.m[k][j];
            matrix[4 * i + j] = (float)(dot(view->axes[i], column) * buffers->scale / view->half[i] * depth);
        }
        matrix[4 * i + 3] = (float)(dot(view->axes[i], at) / view->half[i] * depth + (i == 2 ? 0.5 : 0.0));
    }
    for (int j = 0; j < 4; j++)
        matrix[12 + j] = j == 3 ? 1.0f : 0.0f;
}

grz_volume grz_slices_volume(const grz_slices_view *view, uint64_t cells)
{
    grz_volume volume = {.cells = cells};
    for (int j = 0; j < 3; j++) {
        volume.corner[j] = view->centre[j];
        for (int i = 0; i < 3; i++) {
            volume.corner[j] -= view->half[i] * view->axes[i][j];
            volume.edge[i][j] = 2.0 * view->half[i] * view->axes[i][j];
        }
    }
    return volume;
}
