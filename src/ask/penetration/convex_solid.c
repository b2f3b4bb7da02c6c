// SPDX-License-Identifier: MIT
// A closed surface that does not meet itself, in one piece, bounds a convex solid exactly if none of its edges bends
// inwards (Tietze and Nakajima: what is locally convex everywhere, and connected, is convex).
#include "ask/penetration/convex_solid.h"

#include <math.h>
#include <string.h>

#include "base/control.h"
#include "geometry/pose.h"
#include "geometry/triangle/triangle.h"
#include "geometry/vector.h"
#include "mesh/triangles.h"

enum {
    CHECK_BITS = 10,       // vertices between two checks of the control, as a power of two
    MOST_CORNERS = 1 << 16 // of a solid that is looked at
};

// Which way an edge bends: 1 (convex) if the corner of `other` that is not on the edge lies on the inner side of
// triangle `one`, -1 if on the outer side, 0 if both lie in one plane. pose NULL: in mesh coordinates, where all signs
// are the opposite ones if the pose mirrors.
static int bend(const grz_posed_surface *surface, const grz_pose *pose, uint32_t one, uint32_t other)
{
    const grz_mesh *mesh = surface->object->mesh;
    double c[3][3], d[3][3];
    grz_world_corners(mesh, pose, one, c);
    grz_world_corners(mesh, pose, other, d);
    const int inner = grz_side_is_inside(surface, one, true) ? 1 : -1;
    for (int i = 0; i < 3; i++) {
        const int side = grz_orient3d(c[0], c[1], c[2], d[i]);
        if (side != 0)
            return side * inner;
    }
    return 0;
}

// True if every edge has two triangles, and no two edges bend in opposite ways.
static bool bends_one_way(const grz_posed_surface *posed, const grz_pose *pose, grz_control *control)
{
    const grz_surface *surface = posed->surface;
    bool in = false, out = false;
    for (uint32_t v = 0; v < surface->vertex_count; v++) {
        const size_t first = surface->starts[v], end = surface->starts[(size_t)v + 1];
        if (grz_control_expired_at(control, v, CHECK_BITS))
            return false;
        for (size_t i = first; i < end; i += 2) {
            const uint64_t *edge = surface->edges + i;
            if (i + 1 >= end || edge[0] >> 32 != edge[1] >> 32 || (i + 2 < end && edge[2] >> 32 == edge[0] >> 32))
                return false;
            const int way = bend(posed, pose, (uint32_t)edge[0], (uint32_t)edge[1]);
            in = in || way > 0;
            out = out || way < 0;
            if (in && out)
                return false;
        }
    }
    return true;
}

static bool list_corners(grz_convex_solid *solid, const grz_posed_surface *posed)
{
    const grz_mesh *mesh = posed->object->mesh;
    memset(solid->corner_of, 0xff, (size_t)solid->room * sizeof *solid->corner_of);
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        for (int i = 0; i < 3 && posed->surface->shell[t] != GRZ_NO_SHELL; i++) {
            const uint32_t v = mesh->triangles[3 * (size_t)t + (size_t)i], lowest = posed->surface->lowest[v];
            if (solid->corner_of[lowest] == UINT32_MAX) {
                grz_world_position(&posed->object->pose, grz_mesh_position(mesh, lowest), solid->corners[solid->count]);
                solid->corner_of[lowest] = solid->count++;
            }
            solid->corner_of[v] = solid->corner_of[lowest];
        }
    return solid->count >= 4 && solid->count <= MOST_CORNERS;
}

grz_status grz_convex_solid_init(grz_convex_solid *solid, const grz_posed_surface *surface, grz_control *control)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    *solid = (grz_convex_solid){.convexity = GRZ_NOT_CONVEX};
    if (surface->surface == NULL || surface->surface->unclean || surface->surface->shell_count != 1)
        return GRZ_OK;
    grz_convexity convexity = GRZ_NOT_CONVEX;
    if (bends_one_way(surface, &surface->object->pose, control))
        convexity = GRZ_CONVEX_EXACTLY;
    else if (bends_one_way(surface, NULL, control))
        convexity = GRZ_CONVEX_BUT_FOR_ROUNDING;
    if (convexity == GRZ_NOT_CONVEX)
        return grz_control_status(control);
    solid->room = surface->surface->vertex_count;
    solid->corners = grz_allocate(allocator, solid->room, sizeof *solid->corners);
    solid->placed = grz_allocate(allocator, solid->room, sizeof *solid->placed);
    solid->heights = grz_allocate(allocator, solid->room, sizeof *solid->heights);
    solid->corner_of = grz_allocate(allocator, solid->room, sizeof *solid->corner_of);
    if (solid->corners == NULL || solid->placed == NULL || solid->heights == NULL || solid->corner_of == NULL)
        return GRZ_ERROR_MEMORY;
    if (list_corners(solid, surface))
        solid->convexity = convexity;
    solid->set = (grz_convex){.form = GRZ_CONVEX_CORNERS,
                              .pose = grz_pose_identity(),
                              .local = (const double(*)[3])solid->corners,
                              .count = solid->count,
                              .corners = solid->placed,
                              .heights = solid->heights};
    return grz_control_status(control);
}

void grz_convex_solid_finish(grz_convex_solid *solid, const grz_allocator *allocator)
{
    grz_release(allocator, solid->corners, solid->room, sizeof *solid->corners);
    grz_release(allocator, solid->placed, solid->room, sizeof *solid->placed);
    grz_release(allocator, solid->heights, solid->room, sizeof *solid->heights);
    grz_release(allocator, solid->corner_of, solid->room, sizeof *solid->corner_of);
    *solid = (grz_convex_solid){.convexity = GRZ_NOT_CONVEX};
}

// ---- Dents --------------------------------------------------------------------------------------------------------

// The pose without rounding would give a convex solid C. Rounding moves each corner, and so each point of the surface,
// by at most e. So a point that is farther than e from C's surface is inside the rounded solid if it is inside C. Let c
// be a point inside, at the distance r from C's surface. The hull of the corners, shrunk towards c by the factor 1 - d,
// keeps a distance of d · r - 2 e from C's surface, so it is inside the rounded solid if d = 4 e / r. Along any
// direction the shrunk hull reaches less far by d times the distance of the farthest corner from c, at most.
double grz_convex_solid_dent(const grz_convex_solid *solid, const grz_posed_surface *surface)
{
    const grz_object *object = surface->object;
    double c[3] = {0.0, 0.0, 0.0}, most = 0.0, far = 0.0, near = HUGE_VAL;
    if (solid->convexity == GRZ_CONVEX_EXACTLY)
        return 0.0;
    for (int k = 0; k < 3; k++) {
        const double *m = object->pose.m[k];
        double sum = fabs(m[3]);
        for (int j = 0; j < 3; j++)
            sum += fabs(m[j]) * object->mesh->max_abs[j];
        most += sum;
        for (uint32_t i = 0; i < solid->count; i++)
            c[k] += solid->corners[i][k] / solid->count;
    }
    for (uint32_t i = 0; i < solid->count; i++) {
        const double way[3] = {solid->corners[i][0] - c[0], solid->corners[i][1] - c[1], solid->corners[i][2] - c[2]};
        far = fmax(far, sqrt(grz_dot(way, way)));
    }
    for (uint32_t t = 0; t < object->mesh->triangle_count; t++) {
        double corner[3][3], u[3], v[3], n[3];
        if (surface->surface->shell[t] == GRZ_NO_SHELL)
            continue;
        grz_world_corners(object->mesh, &object->pose, t, corner);
        for (int k = 0; k < 3; k++) {
            u[k] = corner[1][k] - corner[0][k];
            v[k] = corner[2][k] - corner[0][k];
        }
        grz_cross(u, v, n);
        const double way[3] = {corner[0][0] - c[0], corner[0][1] - c[1], corner[0][2] - c[2]};
        near = grz_make_unit(n) ? fmin(near, fabs(grz_dot(n, way))) : 0.0;
    }
    const double e = 0x1p-48 * most, r = near - 16.0 * e; // 32 roundings; a corner has fewer than 8
    return r > 64.0 * e ? 4.0 * e / r * far * 1.001 : HUGE_VAL;
}

uint32_t grz_convex_solid_face(const grz_convex_solid *solid, const grz_posed_surface *surface, const double n[3],
                               double slack)
{
    const grz_mesh *mesh = surface->object->mesh;
    double most = -HUGE_VAL;
    uint32_t best = UINT32_MAX;
    int best_count = 0;
    for (uint32_t i = 0; i < solid->count; i++)
        most = fmax(most, grz_dot(n, solid->corners[i]));
    for (uint32_t t = 0; t < mesh->triangle_count && best_count < 3; t++) {
        int count = 0;
        for (int i = 0; i < 3; i++) {
            const uint32_t corner = solid->corner_of[mesh->triangles[3 * (size_t)t + (size_t)i]];
            count += corner != UINT32_MAX && surface->surface->shell[t] != GRZ_NO_SHELL &&
                     grz_dot(n, solid->corners[corner]) >= most - slack;
        }
        if (count > best_count) {
            best = t;
            best_count = count;
        }
    }
    return best == UINT32_MAX ? GRZ_NO_FACE : grz_mesh_triangle_face(mesh, best);
}
