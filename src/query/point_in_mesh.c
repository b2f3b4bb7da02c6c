// SPDX-License-Identifier: MIT
// Point in mesh: a ray leaves the point along an axis, towards the nearest side of the mesh's box, shifted by an infinitely small
// (e, e²) in the other two coordinates, so that it meets no edge and no corner. Which triangles it meets, and which way they face,
// follows from signs of orient2d, on which side of the point from orient3d: exact, whatever the ray runs through. The symbolic
// shift follows H. Edelsbrunner and E. Mücke, "Simulation of simplicity" (1990).
#include "query/point_in_mesh.h"

#include "geometry/triangle.h"
#include "mesh/topology.h"
#include "space/triangles.h"

enum {
    LOOK_BITS = 12 // nodes and triangles between two looks at the control, as a power of two
};

// A ray under way.
typedef struct grz_ray {
    const double *point;
    int x, y, axis;   // in cyclic order: the ray runs along `axis`
    bool up;          // towards larger coordinates
    bool count;       // whether what it meets matters, not only what holds the point
    bool off_surface; // the point is known not to lie on the surface
    bool on_surface;  // it was found to
    bool odd;         // so far, the ray met an odd number of triangles
    int64_t winding;  // the same, counted with sign
} grz_ray;

// How far a box reaches up along an axis, or down.
static double reach(const grz_pose *pose, const grz_box *box, int axis, bool up)
{
    double min, max;
    grz_world_range(pose, axis, box, &min, &max);
    return up ? max : -min;
}

// How far the corners of all triangles reach, up or down. Of two nodes the one that may reach further comes first, so that most
// others are passed over. False: the control says to end.
static bool find_reach(const grz_solid *solid, int axis, bool up, grz_control *control, double *furthest)
{
    const grz_object *object = solid->object;
    const grz_bvh_node *nodes = solid->bvh->nodes;
    uint32_t stack[GRZ_BVH_MAX_DEPTH + 2];
    size_t depth = 1, steps = 0;
    stack[0] = 0;
    *furthest = -HUGE_VAL;
    while (depth > 0) {
        const grz_bvh_node *node = &nodes[stack[--depth]];
        if (grz_control_expired_at(control, ++steps, LOOK_BITS))
            return false;
        if (reach(&object->pose, &node->box, axis, up) <= *furthest)
            continue;
        if (node->count == 0) {
            const bool left = reach(&object->pose, &nodes[node->first].box, axis, up) >
                              reach(&object->pose, &nodes[node->first + 1].box, axis, up);
            stack[depth++] = node->first + (left ? 1 : 0);
            stack[depth++] = node->first + (left ? 0 : 1);
            continue;
        }
        for (uint32_t i = 0; i < node->count; i++) {
            const grz_box box = grz_world_triangle_box(object->mesh, &object->pose, solid->bvh->order[node->first + i]);
            const double reached = up ? box.max[axis] : -box.min[axis];
            *furthest = reached > *furthest ? reached : *furthest;
        }
    }
    return true;
}

grz_status grz_solid_tighten(grz_solid *solid, grz_control *control, grz_error *error)
{
    for (int axis = 0; axis < 3; axis++) {
        // Where a world coordinate depends on one mesh coordinate alone, the box is that of the corners already.
        const double *m = solid->object->pose.m[axis];
        double above, below;
        if ((m[0] != 0.0) + (m[1] != 0.0) + (m[2] != 0.0) <= 1)
            continue;
        if (!find_reach(solid, axis, true, control, &above) || !find_reach(solid, axis, false, control, &below))
            return grz_control_explain(control, grz_control_status(control), "containment", error);
        solid->box.max[axis] = above;
        solid->box.min[axis] = -below;
    }
    return GRZ_OK;
}

grz_status grz_solid_init(grz_solid *solid, const grz_object *object, grz_inside_rule rule, grz_control *control, grz_error *error)
{
    const grz_topology *topology;
    *solid = (grz_solid){.object = object, .rule = rule, .box = grz_world_box(&object->pose, &object->mesh->bounds)};
    grz_status status = grz_mesh_topology(object->mesh, control, &topology, error);
    if (status == GRZ_OK)
        status = grz_mesh_bvh(object->mesh, control, &solid->bvh, error);
    if (status != GRZ_OK)
        return status;
    if (!topology->closed)
        solid->fault = GRZ_FAULT_OPEN;
    else if (rule == GRZ_NONZERO && !topology->balanced)
        solid->fault = GRZ_FAULT_WINDING;
    return GRZ_OK;
}

// The turn from u through v to the shifted point, seen along the axis: never 0 unless u and v share their place in the plane.
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

// Whether a triangle, degenerate ones included, holds a point.
static bool triangle_holds(const double c[3][3], const double *p)
{
    if (grz_orient3d(c[0], c[1], c[2], p) != 0)
        return false;
    if (grz_triangle_dimension(c) == 2)
        return grz_locate_in_plane(c, p) != GRZ_NOWHERE;
    return segment_holds(c[0], c[1], p) || segment_holds(c[1], c[2], p) || segment_holds(c[2], c[0], p);
}

static void meet_triangle(grz_ray *ray, const double c[3][3])
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
    // The shifted point lies a little above p in x and y.
    if (p[x] == box.max[x] || p[y] == box.max[y])
        return;
    const int turn = shifted_turn(ray, c[0], c[1]);
    if (turn == 0 || shifted_turn(ray, c[1], c[2]) != turn || shifted_turn(ray, c[2], c[0]) != turn)
        return;
    // The triangle's projection winds as `turn` says; its normal points along the axis where that is counter-clockwise.
    const int beyond = ray->up ? -turn : turn;
    if (!above && !below && grz_orient3d(c[0], c[1], c[2], p) != beyond)
        return;
    ray->odd = !ray->odd;
    ray->winding -= beyond;
}

// Whether the ray, or p itself, may meet something in a node.
static bool reaches(const grz_ray *ray, const grz_pose *pose, const grz_box *box)
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

// False: the control says to end.
static bool trace(grz_probe *probe, grz_ray *ray)
{
    const grz_bvh *bvh = probe->solid->bvh;
    const grz_object *object = probe->solid->object;
    uint32_t stack[GRZ_BVH_MAX_DEPTH + 2];
    size_t depth = 1;
    stack[0] = 0;
    while (depth > 0) {
        if (grz_control_expired_at(probe->control, ++probe->steps, LOOK_BITS))
            return false;
        const grz_bvh_node *node = &bvh->nodes[stack[--depth]];
        if (!reaches(ray, &object->pose, &node->box))
            continue;
        if (node->count == 0) {
            stack[depth++] = node->first;
            stack[depth++] = node->first + 1;
            continue;
        }
        for (uint32_t i = 0; i < node->count && !ray->on_surface; i++) {
            double corners[3][3];
            grz_world_corners(object->mesh, &object->pose, bvh->order[node->first + i], corners);
            meet_triangle(ray, (const double(*)[3])corners);
        }
        if (ray->on_surface)
            return true;
    }
    return true;
}

// Towards the nearest side of the box a ray is likely to meet the fewest triangles.
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
    if (!grz_box_holds(&solid->box, point))
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

static bool node_overlaps(const grz_solid *solid, uint32_t node, const grz_box *box)
{
    const grz_box world = grz_world_box(&solid->object->pose, &solid->bvh->nodes[node].box);
    return grz_boxes_overlap(&world, box);
}

static bool leaf_overlaps(const grz_solid *solid, const grz_bvh_node *leaf, const grz_box *box)
{
    for (uint32_t i = 0; i < leaf->count; i++) {
        const grz_box triangle =
            grz_world_triangle_box(solid->object->mesh, &solid->object->pose, solid->bvh->order[leaf->first + i]);
        if (grz_boxes_overlap(&triangle, box))
            return true;
    }
    return false;
}

bool grz_probe_clear(grz_probe *probe, const grz_box *box, uint32_t *entry)
{
    const grz_solid *solid = probe->solid;
    const grz_bvh_node *nodes = solid->bvh->nodes;
    uint32_t stack[GRZ_BVH_MAX_DEPTH + 2];
    size_t depth = 0;
    stack[depth++] = *entry;
    bool narrow = true; // what is on the stack is all that may overlap
    while (depth > 0) {
        if (grz_control_expired_at(probe->control, ++probe->steps, LOOK_BITS))
            return false;
        const grz_bvh_node *node = &nodes[stack[--depth]];
        if (narrow)
            *entry = stack[depth];
        if (node->count > 0) {
            if (leaf_overlaps(solid, node, box))
                return false;
            continue;
        }
        const size_t before = depth;
        for (uint32_t child = node->first; child < node->first + 2; child++)
            if (node_overlaps(solid, child, box))
                stack[depth++] = child;
        narrow = narrow && depth == before + 1;
    }
    return true;
}
