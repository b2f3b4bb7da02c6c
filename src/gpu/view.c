// SPDX-License-Identifier: MIT
// Chooses the view volume and the direction of view of a picture. Faces that are edge-on cover no pixel's centre, so a
// good direction has few of them. Thirteen directions are tried, through the faces, edges and corners of a cube, and
// those of oriented boxes, on a sample of both meshes' faces. Everything is computed in doubles relative to the view's
// centre; the matrices are rounded to floats last. Source: J. Dinerstein, P. Egbert, section 3.1.2.
#include "gpu/view.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "geometry/functions/functions.h"
#include "geometry/pose.h"
#include "geometry/vector.h"

enum {
    DIRECTIONS = 13,
    MOST_DIRECTIONS = 24 // with the edges of up to three boxes; whole registers
};

static const double EDGE_ON =
    0.25; // a face counts as edge-on below this cosine; the smaller the cosine, the more it counts

static const double directions[DIRECTIONS][3] = {{0, 0, -1},  {-1, 0, 0},  {0, -1, 0},  {-1, 0, -1}, {1, 0, -1},
                                                 {0, -1, -1}, {0, 1, -1},  {-1, -1, 0}, {1, -1, 0},  {-1, -1, -1},
                                                 {1, -1, -1}, {-1, 1, -1}, {1, 1, -1}};

// Scale a vector that is not 0 to length 1.
static void make_unit(double v[3])
{
    const bool made = grz_make_unit(v);
    assert(made);
    (void)made;
}

grz_solid_box grz_view_plain_box(const grz_box *box)
{
    grz_solid_box out = {.centre = {0.0}};
    for (int i = 0; i < 3; i++) {
        out.centre[i] = 0.5 * box->min[i] + 0.5 * box->max[i];
        out.edges[i][i] = 0.5 * box->max[i] - 0.5 * box->min[i];
    }
    return out;
}

grz_solid_box grz_view_posed_box(const grz_object *object, const grz_solid_box *box, double out)
{
    grz_solid_box posed = {.centre = {0.0}};
    grz_world_position(&object->pose, box->centre, posed.centre);
    for (int i = 0; i < 3; i++) {
        const double length = sqrt(grz_dot(box->edges[i], box->edges[i])),
                     grown = length > 0.0 ? 1.0 + out / length : 1.0;
        for (int j = 0; j < 3; j++)
            posed.edges[i][j] = grz_dot(object->pose.m[j], box->edges[i]) * grown;
    }
    return posed;
}

// Half the extent of a box along a vector, times the vector's length.
static double reach(const grz_solid_box *box, const double along[3])
{
    return (fabs(grz_dot(box->edges[0], along)) + fabs(grz_dot(box->edges[1], along))) +
           fabs(grz_dot(box->edges[2], along));
}

bool grz_view_boxes_meet(const grz_solid_box *a, const grz_solid_box *b)
{
    double apart[3];
    for (int i = 0; i < 3; i++)
        apart[i] = b->centre[i] - a->centre[i];
    for (int i = 0; i < 15; i++) { // the face normals of both boxes, then the cross product of each two edges
        double along[3];
        if (i < 6)
            grz_cross((i < 3 ? a : b)->edges[(i + 1) % 3], (i < 3 ? a : b)->edges[(i + 2) % 3], along);
        else
            grz_cross(a->edges[(i - 6) / 3], b->edges[(i - 6) % 3], along);
        const double both = reach(a, along) + reach(b, along);
        if (fabs(grz_dot(apart, along)) > both * GRZ_MORE(8192))
            return false;
    }
    return true;
}

bool grz_view_along(const double direction[3], const grz_view_region *region, grz_view *view)
{
    double *right = view->axes[0], *up = view->axes[1], *away = view->axes[2], at[3];
    const bool steep = fabs(direction[1]) > 0.9 * fmax(fabs(direction[0]), fabs(direction[2]));
    assert(region->count >= 1 && region->count <= 3);
    const double aside[3] = {0.0, steep ? 0.0 : 1.0, steep ? 1.0 : 0.0};
    memcpy(away, direction, sizeof view->axes[2]);
    memcpy(view->centre, region->boxes[0].centre, sizeof view->centre);
    make_unit(away);
    grz_cross(away, aside, right);
    make_unit(right);
    grz_cross(right, away, up);
    for (int i = 0; i < 3; i++) { // the common extent of all boxes along each axis, relative to the first one's centre
        double low = -HUGE_VAL, high = HUGE_VAL;
        for (int k = 0; k < region->count; k++) {
            const grz_solid_box *box = &region->boxes[k];
            const double apart[3] = {box->centre[0] - view->centre[0], box->centre[1] - view->centre[1],
                                     box->centre[2] - view->centre[2]};
            const double middle = grz_dot(view->axes[i], apart), half = reach(box, view->axes[i]);
            low = fmax(low, middle - half);
            high = fmin(high, middle + half);
        }
        if (!(low <= high + region->padding))
            return false;
        view->half[i] = fmax(0.5 * (high - low), region->padding);
        at[i] = 0.5 * (low + high);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            view->centre[j] += at[i] * view->axes[i][j];
    return true;
}

// Vectors coordinate by coordinate, so that SIMD lanes take several at a time.
typedef struct directions_by_axis {
    double axis[3][MOST_DIRECTIONS]; // those past the count are 0
} directions_by_axis;

// The largest entry of a pose's linear part.
static double most_of(const grz_pose *pose)
{
    double most = 0.0;
    for (int i = 0; i < 9; i++)
        most = fmax(most, fabs(pose->m[i / 3][i % 3]));
    return most;
}

// The cofactors of a pose's linear part, which take normals into the world, over the square of its largest entry; the
// determinant's sign does not matter here.
static void cofactors_of(const grz_pose *pose, double rows[3][3])
{
    const double most = most_of(pose), inverse = most > GRZ_NEVER_ZERO ? 1.0 / most : 0.0;
    double m[3][3];
    for (int i = 0; i < 9; i++)
        m[i / 3][i % 3] = pose->m[i / 3][i % 3] * inverse;
    for (int i = 0; i < 3; i++)
        grz_cross(m[(i + 1) % 3], m[(i + 2) % 3], rows[i]);
}

// For each direction (unit vectors), sum up the area of a sample of an object's faces, and how much of it is edge-on.
// Areas are relative to the size of the larger object; `size` is the size of this one.
static void look_at_faces(const grz_object *object, const grz_mesh_buffers *buffers, double size,
                          const directions_by_axis *tried, double edge_on[MOST_DIRECTIONS], double *area)
{
    uint32_t count;
    const grz_face_normal *normals = grz_mesh_buffers_sample(object->mesh, buffers, &count);
    const double steep = 1.0 / EDGE_ON, unit = size * size;
    double rows[3][3];
    cofactors_of(&object->pose, rows);
    for (uint32_t i = 0; i < count; i++) {
        const double normal[3] = {unit * grz_dot(rows[0], normals[i].at), unit * grz_dot(rows[1], normals[i].at),
                                  unit * grz_dot(rows[2], normals[i].at)};
        const double length = sqrt(grz_dot(normal, normal));
        *area += length;
        for (int j = 0; j < MOST_DIRECTIONS; j++) { // the area times 1 - cosine / EDGE_ON, if that is positive
            const double along =
                (normal[0] * tried->axis[0][j] + normal[1] * tried->axis[1][j]) + normal[2] * tried->axis[2][j];
            const double left = length - steep * fabs(along);
            edge_on[j] += left > 0.0 ? left : 0.0;
        }
    }
}

void grz_view_choose_direction(const grz_object *const objects[2], const grz_mesh_buffers *const buffers[2],
                               const grz_view_region *region, double direction[3])
{
    double tried[MOST_DIRECTIONS][3], edge_on[MOST_DIRECTIONS] = {0.0}, area = 0.0, least = HUGE_VAL;
    directions_by_axis by_axis = {.axis = {{0.0}}};
    int count = DIRECTIONS, best = 0;
    memcpy(tried, directions, sizeof directions);
    for (int i = 0; region->count > 1 && i < 3 * region->count; i++) {
        const double *edge = region->boxes[i / 3].edges[i % 3];
        if (edge[0] != 0.0 || edge[1] != 0.0 || edge[2] != 0.0)
            memcpy(tried[count++], edge, sizeof *tried);
    }
    assert(count <= MOST_DIRECTIONS);
    for (int i = 0; i < count; i++) {
        make_unit(tried[i]);
        for (int j = 0; j < 3; j++)
            by_axis.axis[j][i] = tried[i][j];
    }
    const double sizes[2] = {buffers[0]->scale * most_of(&objects[0]->pose),
                             buffers[1]->scale * most_of(&objects[1]->pose)};
    const double larger = fmax(fmax(sizes[0], sizes[1]), GRZ_NEVER_ZERO);
    for (int i = 0; i < 2; i++)
        look_at_faces(objects[i], buffers[i], sizes[i] / larger, &by_axis, edge_on, &area);
    for (int i = 0; i < count && area > 0.0; i++) {
        grz_view view = {.half = {0.0}};
        if (!grz_view_along(tried[i], region, &view))
            continue;
        // The size of the view's box: the geometric mean of its half edges, each enlarged by a twentieth of the
        // longest.
        const double thin = 0.05 * fmax(fmax(view.half[0], view.half[1]), view.half[2]);
        const double size = grz_cube_root(view.half[0] + thin) * grz_cube_root(view.half[1] + thin) *
                            grz_cube_root(view.half[2] + thin);
        const double cost = (0.02 + edge_on[i] / area) * size;
        if (cost < 0.98 * least) {
            least = cost;
            best = i;
        }
    }
    memcpy(direction, tried[best], sizeof tried[best]);
}

grz_view grz_view_part(const grz_view *view, const double from[3], const double to[3])
{
    grz_view part = *view;
    for (int i = 0; i < 3; i++) {
        assert(from[i] < to[i]);
        const double middle = (from[i] + to[i] - 1.0) * view->half[i];
        part.half[i] = (to[i] - from[i]) * view->half[i];
        for (int j = 0; j < 3; j++)
            part.centre[j] += middle * view->axes[i][j];
    }
    return part;
}

void grz_view_matrix(const grz_view *view, const grz_object *object, const grz_mesh_buffers *buffers, float matrix[16])
{
    double at[3], column[3];
    for (int i = 0; i < 3; i++) { // the mesh's middle, relative to the view's centre
        const double *m = object->pose.m[i];
        at[i] = grz_dot(m, buffers->centre) + (m[3] - view->centre[i]);
    }
    for (int i = 0; i < 3; i++) {
        const double depth = i == 2 ? 0.5 : 1.0;
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++)
                column[k] = object->pose.m[k][j];
            matrix[4 * i + j] = (float)(grz_dot(view->axes[i], column) * buffers->scale / view->half[i] * depth);
        }
        matrix[4 * i + 3] = (float)(grz_dot(view->axes[i], at) / view->half[i] * depth + (i == 2 ? 0.5 : 0.0));
    }
    for (int j = 0; j < 4; j++)
        matrix[12 + j] = j == 3 ? 1.0f : 0.0f;
}

grz_collision_box grz_view_box(const grz_view *view, uint64_t cells)
{
    grz_collision_box volume = {.cells = cells};
    for (int j = 0; j < 3; j++) {
        volume.corner[j] = view->centre[j];
        for (int i = 0; i < 3; i++) {
            volume.corner[j] -= view->half[i] * view->axes[i][j];
            volume.edge[i][j] = 2.0 * view->half[i] * view->axes[i][j];
        }
    }
    return volume;
}
