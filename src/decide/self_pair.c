// SPDX-License-Identifier: MIT
// Self-collision of two triangles. Two corners are shared if they are one vertex, or if their positions were equal at
// creation and still are. Triangles with three shared corners always collide. Otherwise each vertex of the intersection
// is compared with the convex hull of the shared corners: a point or a segment. Most neighbours are excluded early, by
// the side of the other's plane on which their free corners lie.
#include "decide/self_pair.h"

#include <assert.h>

#include "geometry/triangle/triangle.h"
#include "mesh/triangles.h"

typedef struct grz_shared {
    int count;
    int a[3], b[3]; // the i-th shared corner is corner a[i] of A and b[i] of B
} grz_shared;

static bool same_corner(const grz_mesh *mesh, uint32_t v, uint32_t w)
{
    return v == w || (grz_mesh_identity(mesh, v) == grz_mesh_identity(mesh, w) &&
                      grz_same_point(grz_mesh_position(mesh, v), grz_mesh_position(mesh, w)));
}

static grz_shared shared_corners(const grz_mesh *mesh, const uint32_t *a, const uint32_t *b)
{
    grz_shared shared = {.count = 0};
    bool taken[3] = {false, false, false};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            if (taken[j] || !same_corner(mesh, a[i], b[j]))
                continue;
            taken[j] = true;
            shared.a[shared.count] = i;
            shared.b[shared.count] = j;
            shared.count++;
            break;
        }
    }
    return shared;
}

// True if the corners of `b` that are not shared lie strictly on one side of A's plane. The intersection is then at
// most the hull of the shared corners.
static bool separated_by_plane(const double a[3][3], const double b[3][3], const int *shared_b, int shared_count)
{
    int side = 0;
    for (int j = 0; j < 3; j++) {
        bool shared = false;
        for (int k = 0; k < shared_count; k++)
            shared = shared || shared_b[k] == j;
        if (shared)
            continue;
        int own = grz_orient3d(a[0], a[1], a[2], b[j]);
        if (own == 0 || (side != 0 && own != side))
            return false;
        side = own;
    }
    return true;
}

// True if p lies on the segment s-t. All three are corners of the mesh, so their coordinates are exact.
static bool on_segment(const double p[3], const double s[3], const double t[3])
{
    for (int i = 0; i < 3; i++) {
        double low = s[i] < t[i] ? s[i] : t[i], high = s[i] < t[i] ? t[i] : s[i];
        if (p[i] < low || p[i] > high)
            return false;
    }
    return grz_orient_projected(0, s, t, p) == 0 && grz_orient_projected(1, s, t, p) == 0 &&
           grz_orient_projected(2, s, t, p) == 0;
}

// True if a vertex of the intersection lies in the hull of the shared corners.
static bool node_in_hull(const double a[3][3], const double b[3][3], const grz_shared *shared, grz_node node)
{
    assert(shared->count == 1 || shared->count == 2);
    const double *first = a[shared->a[0]], *last = a[shared->a[shared->count - 1]];
    if (node.a <= GRZ_CORNER_2)
        return on_segment(a[node.a], first, last);
    if (node.b <= GRZ_CORNER_2)
        return on_segment(b[node.b], first, last);
    // The vertex is no corner of either triangle. The whole hull belongs to the intersection, so no vertex of the
    // intersection lies inside a shared edge.
    return false;
}

bool grz_self_pair_collides(const grz_mesh *mesh, uint32_t triangle_a, uint32_t triangle_b, grz_intersection *out)
{
    double corners_a[3][3], corners_b[3][3];
    assert(triangle_a != triangle_b && triangle_a < mesh->triangle_count && triangle_b < mesh->triangle_count);
    grz_mesh_corners(mesh, triangle_a, corners_a);
    grz_mesh_corners(mesh, triangle_b, corners_b);
    const double(*a)[3] = (const double(*)[3])corners_a, (*b)[3] = (const double(*)[3])corners_b;
    const grz_shared shared =
        shared_corners(mesh, mesh->triangles + (size_t)triangle_a * 3, mesh->triangles + (size_t)triangle_b * 3);
    if (shared.count == 1 || shared.count == 2)
        if (separated_by_plane(a, b, shared.b, shared.count) || separated_by_plane(b, a, shared.a, shared.count))
            return false;
    grz_triangles_intersect(a, b, out);
    if (out->node_count == 0 || shared.count == 0 || shared.count == 3)
        return out->node_count > 0;
    for (uint32_t i = 0; i < out->node_count; i++)
        if (!node_in_hull(a, b, &shared, out->nodes[i]))
            return true;
    return false;
}
