// SPDX-License-Identifier: MIT
// Let triangles f of A and g of B lie on each other with area, let all of A be on one side of their plane or in it, and
// all of B on the other. Each solid is in the convex hull of its mesh, so the insides are on different sides of the
// plane: they are disjoint. Let no other triangle of A overlap f with area. Then f belongs to A's solid
// (lone_triangle.h), likewise g to B's, and the two solids touch.
#include "inside/solids/parting_plane.h"

#include "geometry/exact/predicates.h"
#include "geometry/triangle/pair.h"
#include "inside/solids/lone_triangle.h"
#include "mesh/triangles.h"

enum {
    MOST_PLANES = 8, // that are tried; parts that touch rarely do so in more
    MOST_PAIRS = 8,  // of triangles in planes that part, likewise
    CHECK_BITS = 12  // vertices and triangles between two checks of the control, as a power of two
};

typedef struct parting {
    grz_control *control;
    double plane[3][3]; // corners of a triangle
    uint64_t steps;
    bool ended; // the control says so
} parting;

static bool goes_on(parting *p)
{
    if (grz_control_expired_at(p->control, (size_t)++p->steps, CHECK_BITS))
        p->ended = true;
    return !p->ended;
}

static int side_of(const parting *p, const double at[3])
{
    return grz_orient3d(p->plane[0], p->plane[1], p->plane[2], at);
}

// The side of the plane on which an object is, all of it but what is in the plane; 0: it is on both sides, or on none.
static int side_of_object(parting *p, const grz_object *object)
{
    const grz_mesh *mesh = object->mesh;
    int side = 0;
    for (uint32_t v = 0; v < mesh->vertex_count && goes_on(p); v++) {
        double world[3];
        grz_world_position(&object->pose, grz_mesh_position(mesh, v), world);
        const int here = side_of(p, world);
        if (here * side < 0)
            return 0;
        side = here != 0 ? here : side;
    }
    return p->ended ? 0 : side;
}

// Whether this triangle is in the plane that was tried last.
static bool is_in_plane(const parting *p, const grz_object *object, uint32_t triangle)
{
    double corners[3][3];
    grz_world_corners(object->mesh, &object->pose, triangle, corners);
    return side_of(p, corners[0]) == 0 && side_of(p, corners[1]) == 0 && side_of(p, corners[2]) == 0;
}

bool grz_parting_plane_found(const grz_found_array *found, const grz_found_range *range, const grz_bvh *bvh_a,
                             const grz_bvh *bvh_b, grz_control *control)
{
    parting p = {.control = control};
    const grz_object *a = range->a, *b = range->b;
    bool parts = false;
    for (size_t i = range->first; i < range->end; i++)
        if (found->items[i].kind == GRZ_CROSSING)
            return false;
    int planes = 0, pairs = 0;
    for (size_t i = range->first; i < range->end && goes_on(&p); i++) {
        const grz_found *pair = &found->items[i];
        if (pair->kind != GRZ_COPLANAR)
            continue;
        if (planes == 0 || !is_in_plane(&p, a, pair->triangle_a)) {
            if (planes++ == MOST_PLANES)
                return false;
            grz_world_corners(a->mesh, &a->pose, pair->triangle_a, p.plane);
            const int side_a = side_of_object(&p, a);
            parts = side_a != 0 && side_of_object(&p, b) == -side_a;
        }
        if (parts && pairs++ == MOST_PAIRS)
            return false;
        if (parts && grz_triangle_is_alone(a, bvh_a, pair->triangle_a, control) &&
            grz_triangle_is_alone(b, bvh_b, pair->triangle_b, control))
            return true;
    }
    return false;
}
