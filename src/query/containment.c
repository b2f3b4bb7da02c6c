// SPDX-License-Identifier: MIT
// Containment by the even-odd rule, one component at a time: as no surfaces touch, a component lies inside exactly if one of its
// vertices does. The ray from the vertex along an axis is shifted by an infinitely small (e, e²) in the other two coordinates, so it
// meets no edge and no corner; which triangles it then meets follows from signs of orient2d, and on which side, of orient3d. Exact,
// whatever the ray runs through. The symbolic shift follows H. Edelsbrunner and E. Mücke, "Simulation of simplicity" (1990).
#include "query/containment.h"

#include "base/fail.h"
#include "geometry/predicates.h"
#include "mesh/topology.h"
#include "space/bvh.h"
#include "space/triangles.h"

// The turn from u through v to the shifted point, seen along the axis: never 0 unless u and v share their place in the plane.
static int shifted_turn(int axis, const double *u, const double *v, const double *point)
{
    const int x = (axis + 1) % 3, y = (axis + 2) % 3;
    const double u2[2] = {u[x], u[y]}, v2[2] = {v[x], v[y]}, point2[2] = {point[x], point[y]};
    const int turn = grz_orient2d(u2, v2, point2);
    if (turn != 0)
        return turn;
    if (u[y] != v[y])
        return u[y] > v[y] ? 1 : -1;
    return (v[x] > u[x]) - (v[x] < u[x]);
}

typedef struct grz_ray {
    const grz_object *container;
    int axis;
    const double *point;
    bool odd; // so far, the ray met an odd number of triangles
} grz_ray;

static void count_triangle(uint32_t triangle, void *context)
{
    grz_ray *ray = context;
    double c[3][3];
    grz_world_corners(ray->container->mesh, &ray->container->pose, triangle, c);
    const int turn = shifted_turn(ray->axis, c[0], c[1], ray->point);
    if (turn == 0 || shifted_turn(ray->axis, c[1], c[2], ray->point) != turn ||
        shifted_turn(ray->axis, c[2], c[0], ray->point) != turn)
        return;
    // The triangle's projection winds as `turn` says; its normal points along the axis where that is counter-clockwise.
    if (grz_orient3d(c[0], c[1], c[2], ray->point) * turn < 0)
        ray->odd = !ray->odd;
}

// Along the container's shortest side a ray is likely to meet the fewest triangles.
static int shortest_axis(const grz_box *box)
{
    int axis = 2;
    for (int i = 0; i < 2; i++)
        if (box->max[i] - box->min[i] < box->max[axis] - box->min[axis])
            axis = i;
    return axis;
}

// What is known of the components of one object against the other as a container.
typedef struct grz_inside {
    bool any, all, undecidable;
} grz_inside;

static bool point_in_box(const grz_box *box, const double point[3])
{
    const grz_box at = {{point[0], point[1], point[2]}, {point[0], point[1], point[2]}};
    return grz_boxes_overlap(box, &at);
}

// An open container leaves undecided each component of `inner` that lies within its box: one with a vertex outside of the box is not
// inside, whatever is missing from the container.
static grz_status components_in_open(const grz_object *inner, const grz_topology *topology, const grz_box *box,
                                     grz_control *control, grz_inside *out, grz_error *error)
{
    const grz_mesh *mesh = inner->mesh;
    const grz_allocator *allocator = grz_control_allocator(control);
    bool *outside = grz_allocate_zeroed(allocator, topology->component_count, sizeof *outside);
    grz_status status = GRZ_OK;
    out->all = false;
    if (outside == NULL)
        return grz_control_explain(control, GRZ_ERROR_MEMORY, "containment", error);
    for (uint32_t i = 0; i < mesh->triangle_count && status == GRZ_OK; i++) {
        double corners[3][3];
        if (grz_control_expired_at(control, i, 14))
            status = grz_control_explain(control, grz_control_status(control), "containment", error);
        grz_world_corners(mesh, &inner->pose, i, corners);
        for (int k = 0; k < 3; k++)
            if (!point_in_box(box, corners[k]))
                outside[topology->triangle_component[i]] = true;
    }
    for (uint32_t i = 0; i < topology->component_count; i++)
        out->undecidable = out->undecidable || !outside[i];
    grz_release(allocator, outside, topology->component_count, sizeof *outside);
    return status;
}

static grz_status components_inside(const grz_object *inner, const grz_object *container, grz_control *control, grz_inside *out,
                                    grz_error *error)
{
    const grz_topology *topology_inner, *topology_container;
    const grz_bvh *bvh = NULL;
    *out = (grz_inside){.all = true};
    const grz_box box = grz_world_box(&container->pose, &container->mesh->bounds);
    const grz_box box_inner = grz_world_box(&inner->pose, &inner->mesh->bounds);
    if (!grz_boxes_overlap(&box, &box_inner)) {
        out->all = false;
        return GRZ_OK;
    }
    grz_status status = grz_mesh_topology(inner->mesh, control, &topology_inner, error);
    if (status == GRZ_OK)
        status = grz_mesh_topology(container->mesh, control, &topology_container, error);
    if (status == GRZ_OK && !topology_container->closed)
        return components_in_open(inner, topology_inner, &box, control, out, error);
    if (status == GRZ_OK)
        status = grz_mesh_bvh(container->mesh, control, &bvh, error);
    if (status != GRZ_OK)
        return status;
    const int axis = shortest_axis(&box);
    for (uint32_t i = 0; i < topology_inner->component_count; i++) {
        double point[3];
        if (grz_control_expired_at(control, i, 6))
            return grz_control_explain(control, grz_control_status(control), "containment", error);
        grz_world_position(&inner->pose, grz_mesh_position(inner->mesh, topology_inner->component_vertex[i]), point);
        grz_ray ray = {.container = container, .axis = axis, .point = point};
        if (point_in_box(&box, point))
            grz_bvh_visit_column(bvh, container, axis, point, count_triangle, &ray);
        out->any = out->any || ray.odd;
        out->all = out->all && ray.odd;
    }
    return GRZ_OK;
}

grz_status grz_containment_decide(const grz_object *a, const grz_object *b, grz_inside_rule rule, grz_control *control,
                                  grz_verdict *verdict, grz_error *error)
{
    grz_inside a_in_b, b_in_a;
    (void)rule;
    grz_status status = components_inside(a, b, control, &a_in_b, error);
    if (status == GRZ_OK)
        status = components_inside(b, a, control, &b_in_a, error);
    if (status != GRZ_OK)
        return status;
    verdict->containment = GRZ_CONTAINMENT_DECIDED;
    if (a_in_b.all)
        verdict->relation = GRZ_A_INSIDE_B;
    else if (b_in_a.all)
        verdict->relation = GRZ_B_INSIDE_A;
    else
        verdict->relation = a_in_b.any || b_in_a.any ? GRZ_OVERLAPPING : GRZ_APART;
    // Where one lies wholly inside the other, the other cannot lie inside the one: an open inner mesh does not matter.
    if (!a_in_b.all && !b_in_a.all && (a_in_b.undecidable || b_in_a.undecidable)) {
        verdict->containment = GRZ_CONTAINMENT_UNDECIDABLE;
        if (a_in_b.undecidable && b_in_a.undecidable)
            verdict->reason = "both meshes are open: whether one lies inside the other cannot be told";
        else if (a_in_b.undecidable)
            verdict->reason = "mesh B is open: whether A lies inside it cannot be told";
        else
            verdict->reason = "mesh A is open: whether B lies inside it cannot be told";
    }
    return GRZ_OK;
}
