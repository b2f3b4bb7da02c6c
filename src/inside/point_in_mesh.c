// SPDX-License-Identifier: MIT
// Point in mesh. A ray goes from the point along an axis, to the nearest side of the mesh's box. It is shifted by an
// infinitely small amount (e, e²) in the other two coordinates, so it meets no edge and no corner. Signs of orient2d
// tell which triangles it meets and which way they face; orient3d tells on which side of the point. So the answer is
// exact, whatever the ray runs through. The symbolic shift follows H. Edelsbrunner and E. Mücke, "Simulation of
// simplicity" (1990).
#include "inside/point_in_mesh.h"

#include <assert.h>

#include "base/control.h"
#include "geometry/triangle/triangle.h"
#include "inside/rule/chosen_rule.h"
#include "mesh/topology/topology.h"
#include "mesh/triangles.h"

enum {
    CHECK_BITS = 9 // nodes (of eight children) between two checks of the control, as a power of two
};

// A ray and what it has met so far.
typedef struct grz_ray {
    const double *point;
    int x, y, axis;   // the three axes in cyclic order; the ray runs along `axis`
    bool up;          // towards larger coordinates
    bool count;       // count the triangles that it meets; false: only test whether they contain the point
    bool off_surface; // the caller knows that the point is not on the surface
    bool on_surface;  // the point is on the surface
    bool odd;         // the ray has met an odd number of triangles
    int64_t winding;  // the number of triangles met, counted with the sign of their direction
} grz_ray;

// How far a posed box extends along an axis, upwards or downwards.
static double extent_along(const grz_pose *pose, const grz_box *box, int axis, bool up)
{
    double min, max;
    grz_world_range(pose, axis, box, &min, &max);
    return up ? max : -min;
}

// A node to visit, and how far its box extends.
typedef struct grz_far_node {
    uint32_t node;
    double extent;
} grz_far_node;

// Push the children of a node that extend further than `furthest`, the furthest on top. Triangles raise `furthest`
// directly.
static size_t push_farther(const grz_solid *solid, uint32_t node, int axis, bool up, grz_far_node *stack,
                           double *furthest)
{
    const grz_object *object = solid->object;
    const grz_bvh_node *n = &solid->bvh->nodes[node];
    size_t count = 0;
    for (int i = 0; i < GRZ_BVH_WIDTH && n->child[i] != GRZ_BVH_NONE; i++) {
        grz_box box = grz_bvh_child_box(solid->bvh, node, i);
        const double far = extent_along(&object->pose, &box, axis, up);
        if (far <= *furthest)
            continue;
        if (grz_bvh_is_triangle(n->child[i])) {
            box = grz_world_triangle_box(object->mesh, &object->pose, grz_bvh_triangle(n->child[i]));
            const double reached = up ? box.max[axis] : -box.min[axis];
            *furthest = reached > *furthest ? reached : *furthest;
            continue;
        }
        size_t at = count++;
        for (; at > 0 && stack[at - 1].extent > far; at--)
            stack[at] = stack[at - 1];
        stack[at] = (grz_far_node){n->child[i], far};
    }
    return count;
}

// How far the corners of all triangles extend, upwards or downwards. The node that may extend furthest is visited
// first, so most others can be skipped. False: the control says to end.
static bool find_extent(const grz_solid *solid, int axis, bool up, grz_control *control, double *furthest)
{
    grz_far_node stack[GRZ_BVH_STACK];
    size_t depth = 1, steps = 0;
    stack[0] = (grz_far_node){0, HUGE_VAL};
    *furthest = -HUGE_VAL;
    while (depth > 0) {
        const grz_far_node next = stack[--depth];
        assert(depth + GRZ_BVH_WIDTH <= GRZ_BVH_STACK);
        if (grz_control_expired_at(control, ++steps, CHECK_BITS))
            return false;
        if (next.extent > *furthest)
            depth += push_farther(solid, next.node, axis, up, stack + depth, furthest);
    }
    return true;
}

grz_status grz_solid_tighten(grz_solid *solid, grz_control *control, grz_error *error)
{
    for (int axis = 0; axis < 3; axis++) {
        // If a world coordinate depends on only one mesh coordinate, the box is exact already.
        const double *m = solid->object->pose.m[axis];
        double above, below;
        if ((m[0] != 0.0) + (m[1] != 0.0) + (m[2] != 0.0) <= 1)
            continue;
        if (!find_extent(solid, axis, true, control, &above) || !find_extent(solid, axis, false, control, &below))
            return grz_control_explain(control, grz_control_status(control), "containment", error);
        solid->box.max[axis] = above;
        solid->box.min[axis] = -below;
    }
    return GRZ_OK;
}

grz_status grz_solid_init(grz_solid *solid, const grz_object *object, grz_inside_rule rule, grz_control *control,
                          grz_error *error)
{
    const grz_topology *topology;
    *solid = (grz_solid){.object = object, .box = grz_world_box(&object->pose, &object->mesh->bounds)};
    grz_status status = grz_choose_rule(object->mesh, rule, control, &solid->rule, error);
    if (status == GRZ_OK)
        status = grz_mesh_topology(object->mesh, control, &topology, error);
    if (status == GRZ_OK)
        status = grz_mesh_bvh(object->mesh, control, &solid->bvh, error);
    if (status != GRZ_OK)
        return status;
    if (!topology->closed)
        solid->fault = GRZ_FAULT_OPEN;
    else if (solid->rule == GRZ_NONZERO && !topology->balanced)
        solid->fault = GRZ_FAULT_WINDING;
    return GRZ_OK;
}

// orient2d of u, v and the shifted point, seen along the axis. 0 only if u and v coincide in the plane.
static int shifted_turn(const grz_ray *ray, const double *u, const double *v)
{
    const int x = ray->x, y = ray->y;
    const double u2[2] = {u[x], u[y]}, v2[2] = {v[x], v[y]}, point2[2] = {ray->point[x], ray->point[y]};
    const int turn = grz_orient2d(u2, v2, point2);
    if (turn != 0)
        return turn;
    if (u[y] != v[y])
        return u[y] > v[y] ? 1 : -1;
    return (v[x] > u[x]) - (v[x] < u[x]);
}

static bool within(const double *p, const double *a, const double *b, int axis)
{
    return a[axis] < b[axis] ? p[axis] >= a[axis] && p[axis] <= b[axis] : p[axis] >= b[axis] && p[axis] <= a[axis];
}

static bool segment_holds(const double *a, const double *b, const double *p)
{
    for (int axis = 0; axis < 3; axis++)
        if (!within(p, a, b, axis) || grz_orient_projected(axis, a, b, p) != 0)
            return false;
    return true;
}

// True if a triangle, which may be degenerate, contains a point.
static bool triangle_holds(const double c[3][3], const double *p)
{
    if (grz_orient3d(c[0], c[1], c[2], p) != 0)
        return false;
    if (grz_triangle_dimension(c) == 2)
        return grz_locate_in_plane(c, p) != GRZ_NOWHERE;
    return segment_holds(c[0], c[1], p) || segment_holds(c[1], c[2], p) || segment_holds(c[2], c[0], p);
}

// Count a triangle if the ray meets it, or note that the point is on it.
static void cross_triangle(grz_ray *ray, const double c[3][3])
{
    const double *p = ray->point;
    const grz_box box = grz_triangle_box(c);
    const int x = ray->x, y = ray->y, axis = ray->axis;
    if (p[x] < box.min[x] || p[x] > box.max[x] || p[y] < box.min[y] || p[y] > box.max[y] ||
        (ray->up ? p[axis] > box.max[axis] : p[axis] < box.min[axis]))
        return;
    const bool above = p[axis]<box.min[axis], below = p[axis]> box.max[axis];
    if (!ray->off_surface && !above && !below && triangle_holds(c, p)) {
        ray->on_surface = true;
        return;
    }
    // The shifted point is slightly larger than p in x and y.
    if (p[x] == box.max[x] || p[y] == box.max[y])
        return;
    const int turn = shifted_turn(ray, c[0], c[1]);
    if (turn == 0 || shifted_turn(ray, c[1], c[2]) != turn || shifted_turn(ray, c[2], c[0]) != turn)
        return;
    // `turn` is the orientation of the triangle's projection. If it is counter-clockwise, the normal points along the
    // axis.
    const int beyond = ray->up ? -turn : turn;
    if (!above && !below && grz_orient3d(c[0], c[1], c[2], p) != beyond)
        return;
    ray->odd = !ray->odd;
    ray->winding -= beyond;
}

// True if the ray, or the point itself, may meet something in a node.
static bool may_meet(const grz_ray *ray, const grz_pose *pose, const grz_box *box)
{
    const double *p = ray->point;
    double min, max;
    grz_world_range(pose, ray->x, box, &min, &max);
    if (p[ray->x] < min || p[ray->x] > max)
        return false;
    grz_world_range(pose, ray->y, box, &min, &max);
    if (p[ray->y] < min || p[ray->y] > max)
        return false;
    grz_world_range(pose, ray->axis, box, &min, &max);
    return (p[ray->axis] <= max || (ray->count && !ray->up)) && (p[ray->axis] >= min || (ray->count && ray->up));
}

// Follow a ray through the hierarchy. False: the control says to end.
static bool trace(grz_probe *probe, grz_ray *ray)
{
    const grz_bvh *bvh = probe->solid->bvh;
    const grz_object *object = probe->solid->object;
    uint32_t stack[GRZ_BVH_STACK];
    size_t depth = 1;
    stack[0] = 0;
    while (depth > 0) {
        if (grz_control_expired_at(probe->control, ++probe->steps, CHECK_BITS))
            return false;
        const uint32_t number = stack[--depth];
        assert(depth + GRZ_BVH_WIDTH <= GRZ_BVH_STACK);
        const grz_bvh_node *node = &bvh->nodes[number];
        for (int i = 0; i < GRZ_BVH_WIDTH && node->child[i] != GRZ_BVH_NONE; i++) {
            const grz_box box = grz_bvh_child_box(bvh, number, i);
            if (!may_meet(ray, &object->pose, &box))
                continue;
            if (!grz_bvh_is_triangle(node->child[i])) {
                stack[depth++] = node->child[i];
                continue;
            }
            double corners[3][3];
            grz_world_corners(object->mesh, &object->pose, grz_bvh_triangle(node->child[i]), corners);
            cross_triangle(ray, (const double(*)[3])corners);
            if (ray->on_surface)
                return true;
        }
    }
    return true;
}

// The ray to the nearest side of the box: it is likely to meet the fewest triangles.
static grz_ray shortest_ray(const grz_box *box, const double point[3])
{
    grz_ray ray = {.point = point};
    double shortest = HUGE_VAL;
    for (int axis = 0; axis < 3; axis++) {
        const double below = point[axis] - box->min[axis], above = box->max[axis] - point[axis];
        const double nearest = above < below ? above : below;
        if (nearest < shortest) {
            shortest = nearest;
            ray.axis = axis;
            ray.up = above < below;
        }
    }
    ray.x = (ray.axis + 1) % 3;
    ray.y = (ray.axis + 2) % 3;
    return ray;
}

bool grz_probe_point(grz_probe *probe, const double point[3], bool off_surface, grz_location *location)
{
    const grz_solid *solid = probe->solid;
    *location = GRZ_OUTSIDE;
    if (!grz_box_contains(&solid->box, point))
        return true;
    *location = GRZ_LOCATION_UNKNOWN;
    if (solid->fault != GRZ_FAULT_NONE && off_surface)
        return true;
    grz_ray ray = shortest_ray(&solid->box, point);
    ray.off_surface = off_surface;
    ray.count = solid->fault == GRZ_FAULT_NONE;
    if (!trace(probe, &ray))
        return false;
    if (ray.on_surface)
        *location = GRZ_ON_SURFACE;
    else if (ray.count)
        *location = (solid->rule == GRZ_NONZERO ? ray.winding != 0 : ray.odd) ? GRZ_INSIDE : GRZ_OUTSIDE;
    return true;
}

// Push the children of a node that may overlap a world box. False if a triangle's box overlaps it.
static bool push_overlapping(const grz_solid *solid, uint32_t number, const grz_box *box, uint32_t *stack,
                             size_t *depth)
{
    const grz_object *object = solid->object;
    const grz_bvh_node *node = &solid->bvh->nodes[number];
    for (int i = 0; i < GRZ_BVH_WIDTH && node->child[i] != GRZ_BVH_NONE; i++) {
        const grz_box child = grz_bvh_child_box(solid->bvh, number, i);
        grz_box world = grz_world_box(&object->pose, &child);
        if (!grz_boxes_overlap(&world, box))
            continue;
        if (!grz_bvh_is_triangle(node->child[i])) {
            stack[(*depth)++] = node->child[i];
            continue;
        }
        world = grz_world_triangle_box(object->mesh, &object->pose, grz_bvh_triangle(node->child[i]));
        if (grz_boxes_overlap(&world, box))
            return false;
    }
    return true;
}

bool grz_probe_clear(grz_probe *probe, const grz_box *box, uint32_t *entry)
{
    uint32_t stack[GRZ_BVH_STACK];
    size_t depth = 0;
    assert(*entry < probe->solid->bvh->node_count);
    stack[depth++] = *entry;
    bool narrow = true; // the nodes on the stack are all that may overlap
    while (depth > 0) {
        if (grz_control_expired_at(probe->control, ++probe->steps, CHECK_BITS))
            return false;
        const uint32_t node = stack[--depth];
        assert(depth + GRZ_BVH_WIDTH <= GRZ_BVH_STACK);
        if (narrow)
            *entry = node;
        const size_t before = depth;
        if (!push_overlapping(probe->solid, node, box, stack, &depth))
            return false;
        narrow = narrow && depth == before + 1;
    }
    return true;
}
