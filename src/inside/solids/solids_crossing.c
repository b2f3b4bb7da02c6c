// SPDX-License-Identifier: MIT
// Penetration proved at one point. Where an edge of one mesh passes through a face of the other, and no further
// triangle holds that point, the two triangles on the edge are the sides of a wedge, and the face's plane cuts through
// it: inside and outside the wedge, on both sides of the plane, all four labels occur. By the even-odd rule it does not
// matter what the rest of the meshes looks like. Most pairs that penetrate are decided here.
#include <assert.h>

#include "base/control.h"
#include "geometry/triangle/pages.h"
#include "geometry/triangle/triangle.h"
#include "inside/solids/cell_labels.h"
#include "inside/solids/exact_ray.h"
#include "mesh/triangles.h"

enum {
    CHECK_BITS = 6 // crossings between two checks of the control, as a power of two
};

// The corner of a triangle that is neither at p nor at q; NULL if the triangle has no edge p-q.
static const double *third_corner(const double corners[3][3], const double p[3], const double q[3])
{
    for (int i = 0; i < 3; i++) {
        const double *v = corners[(i + 1) % 3], *w = corners[(i + 2) % 3];
        if ((grz_same_point(v, p) && grz_same_point(w, q)) || (grz_same_point(v, q) && grz_same_point(w, p)))
            return corners[i];
    }
    return NULL;
}

// True if exactly two triangles hold the point, and they are two different half-planes around the edge p-q.
static bool is_wedge(const grz_object *object, const grz_bvh *bvh, const grz_exact_point *point, const double p[3],
                     const double q[3])
{
    uint32_t on_edge[2];
    double corners[2][3][3];
    const double *third[2];
    if (grz_exact_holders(object, bvh, point, on_edge, 2) != 2)
        return false;
    for (int i = 0; i < 2; i++) {
        grz_world_corners(object->mesh, &object->pose, on_edge[i], corners[i]);
        third[i] = third_corner((const double(*)[3])corners[i], p, q);
        if (third[i] == NULL)
            return false;
    }
    return !grz_pages_coincide(p, q, third[0], third[1]);
}

// Look at the point where edge `edge` of `corners`, a triangle of `object`, passes through a triangle of `other`.
static bool proves_all(const grz_object *object, const grz_bvh *bvh, const double corners[3][3], int edge,
                       const grz_object *other, const grz_bvh *other_bvh, const double face[3][3])
{
    const double *p = corners[edge], *q = corners[(edge + 1) % 3];
    const grz_exact_point point = grz_exact_on_plane(p, q, face);
    uint32_t holder;
    return grz_exact_holders(other, other_bvh, &point, &holder, 1) == 1 && is_wedge(object, bvh, &point, p, q);
}

bool grz_crossing_proves_all(const grz_found_array *found, const grz_found_range *range, const grz_bvh *bvh_a,
                             const grz_bvh *bvh_b, size_t most, grz_control *control)
{
    size_t tries = 0;
    assert(range->first <= range->end && range->end <= found->count && range->b != NULL);
    for (size_t i = range->first; i < range->end && tries < most; i++) {
        const grz_found *pair = &found->items[i];
        if (pair->kind != GRZ_CROSSING)
            continue;
        double corners_a[3][3], corners_b[3][3];
        grz_intersection intersection;
        grz_world_corners(range->a->mesh, &range->a->pose, pair->triangle_a, corners_a);
        grz_world_corners(range->b->mesh, &range->b->pose, pair->triangle_b, corners_b);
        const double(*a)[3] = (const double(*)[3])corners_a, (*b)[3] = (const double(*)[3])corners_b;
        grz_triangles_intersect(a, b, &intersection);
        if (grz_control_expired_at(control, ++tries, CHECK_BITS))
            return false;
        for (uint32_t k = 0; k < intersection.node_count; k++) {
            const grz_node node = intersection.nodes[k];
            if (node.b == GRZ_FACE && node.a >= GRZ_EDGE_0 && node.a <= GRZ_EDGE_2 &&
                proves_all(range->a, bvh_a, a, node.a - GRZ_EDGE_0, range->b, bvh_b, b))
                return true;
            if (node.a == GRZ_FACE && node.b >= GRZ_EDGE_0 && node.b <= GRZ_EDGE_2 &&
                proves_all(range->b, bvh_b, b, node.b - GRZ_EDGE_0, range->a, bvh_a, a))
                return true;
        }
    }
    return false;
}
