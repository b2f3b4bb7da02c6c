// SPDX-License-Identifier: MIT
// Decides containment. Because the surfaces do not touch, each connected component of one object lies entirely inside
// or entirely outside the other, and one of its points decides. A few components are located one by one. For many, the
// object's hierarchy is walked: a node is decided as a whole if it is outside the other object's box, or if no triangle
// of the other object overlaps its box. docs/reference/numbers.md defines when a mesh is closed, and what can be said
// about an open one.
#include "inside/containment.h"

#include <assert.h>

#include "base/control.h"
#include "base/device.h"
#include "geometry/posed_boxes.h"
#include "inside/point_in_mesh.h"
#include "mesh/topology/topology.h"
#include "mesh/triangles.h"
#include "mesh/weld.h"

enum {
    MAX_ONE_BY_ONE = 16, // so many components or fewer are located one by one
    MIN_PARALLEL = 512,  // with so many components, several threads are used
    MAX_PARTS = 256,     // the most parts of a walk, before the last one is opened
    PARTS_PER_THREAD = 16,
    BUCKET = 64,        // a node with so many triangles or fewer is not opened: its components are located one by one
    FEW_MARKS = 256,    // so many marks fit on the stack
    CHECK_BITS = 12,    // components or triangles between two checks of the control, as a power of two
    NODE_CHECK_BITS = 9 // the same for nodes (of eight children)
};

// What is known about the components of one object with respect to the other, the container.
typedef struct grz_inside {
    bool any, all;   // any, all components are inside
    grz_fault fault; // why it cannot be decided for some component
} grz_inside;

// One direction: is `inner` inside `container`?
typedef struct grz_side {
    grz_device *device; // NULL: use this thread only
    const grz_object *inner, *container;
    grz_control *control;
    bool only_all; // only whether all components are inside matters, not whether any is
    bool apart;    // a plane separates the objects, so nothing is inside; only a fault of the container matters
} grz_side;

static bool box_within(const grz_box *inner, const grz_box *outer)
{
    for (int axis = 0; axis < 3; axis++)
        if (inner->min[axis] < outer->min[axis] || inner->max[axis] > outer->max[axis])
            return false;
    return true;
}

static bool vertex_in_box(const grz_object *object, uint32_t vertex, const grz_box *box)
{
    double p[3];
    grz_world_position(&object->pose, grz_mesh_position(object->mesh, vertex), p);
    const grz_box at = {{p[0], p[1], p[2]}, {p[0], p[1], p[2]}};
    return grz_boxes_overlap(box, &at);
}

// ---- A container with a fault ----

// Mark the components that have a triangle with some corners in the box and some outside. A component is connected, so
// if it has vertices on both sides, it has such a triangle, in a node that crosses the surface of the box.
static void mark_crossing(const grz_object *inner, const grz_bvh *bvh, const grz_topology *topology, const grz_box *box,
                          grz_control *control, unsigned char *crossing)
{
    uint32_t stack[GRZ_BVH_STACK];
    size_t depth = 1, steps = 0;
    stack[0] = 0;
    while (depth > 0) {
        const uint32_t number = stack[--depth];
        assert(depth + GRZ_BVH_WIDTH <= GRZ_BVH_STACK);
        const grz_bvh_node *node = &bvh->nodes[number];
        if (grz_control_expired_at(control, ++steps, NODE_CHECK_BITS))
            return;
        for (int i = 0; i < GRZ_BVH_WIDTH && node->child[i] != GRZ_BVH_NONE; i++) {
            const grz_box child = grz_bvh_child_box(bvh, number, i), world = grz_world_box(&inner->pose, &child);
            if (!grz_boxes_overlap(&world, box) || box_within(&world, box))
                continue;
            if (!grz_bvh_is_triangle(node->child[i])) {
                stack[depth++] = node->child[i];
                continue;
            }
            const uint32_t triangle = grz_bvh_triangle(node->child[i]),
                           *vertex = inner->mesh->triangles + 3 * (size_t)triangle;
            const int in = vertex_in_box(inner, vertex[0], box) + vertex_in_box(inner, vertex[1], box) +
                           vertex_in_box(inner, vertex[2], box);
            if (in == 1 || in == 2)
                crossing[topology->triangle_component[triangle]] = 1;
        }
    }
}

// The first component, from `first` on, that is not marked and has its representative vertex in the box;
// component_count if there is none. Stops early if the control says to end.
static uint32_t next_in_box(const grz_side *side, const grz_topology *topology, const grz_box *box,
                            const unsigned char *marked, uint32_t first)
{
    for (; first < topology->component_count; first++) {
        if (grz_control_expired_at(side->control, first + 1, CHECK_BITS))
            break;
        if ((marked == NULL || marked[first] == 0) &&
            vertex_in_box(side->inner, topology->component_vertex[first], box))
            break;
    }
    return first;
}

// Union-find: the representative of a component, with path halving.
static uint32_t root_of(uint32_t *parents, uint32_t component)
{
    while (parents[component] != component)
        component = parents[component] = parents[parents[component]];
    return component;
}

// Join the components that have a vertex position in common (union-find). `component`: working memory for vertex_count
// numbers.
static void join_components(const grz_mesh *mesh, const grz_topology *topology, const uint32_t *lowest,
                            grz_control *control, uint32_t *component, uint32_t *parents)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        component[v] = UINT32_MAX;
    for (uint32_t i = 0; i < topology->component_count; i++)
        parents[i] = i;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        if (grz_control_expired_at(control, i, CHECK_BITS))
            return;
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t *at = &component[lowest[mesh->triangles[3 * (size_t)i + k]]];
            const uint32_t own = root_of(parents, topology->triangle_component[i]);
            *at = *at == UINT32_MAX ? own : root_of(parents, *at);
            parents[own] = *at;
        }
    }
}

// As any_within(), but for the components at the current positions. New positions can bring components together that
// the topology keeps apart (mesh/topology/topology.h); then one part may lie in the box while another part is outside.
// All of them together must lie in the box.
static grz_status any_joined_within(const grz_side *side, const grz_topology *topology, const grz_box *box,
                                    const unsigned char *crossing, bool *within)
{
    const grz_allocator *allocator = grz_control_allocator(side->control);
    const grz_mesh *mesh = side->inner->mesh;
    const uint32_t count = topology->component_count;
    uint32_t duplicates, *lowest = grz_allocate(allocator, mesh->vertex_count, sizeof *lowest);
    uint32_t *component = grz_allocate(allocator, mesh->vertex_count, sizeof *component);
    uint32_t *parents = grz_allocate(allocator, count, sizeof *parents);
    unsigned char *out = grz_allocate_zeroed(allocator, count, 1);
    grz_status status = GRZ_ERROR_MEMORY;
    if (lowest != NULL && component != NULL && parents != NULL && out != NULL)
        status = grz_weld_current(mesh, side->control, lowest, &duplicates);
    if (status == GRZ_OK) {
        *within = false;
        join_components(mesh, topology, lowest, side->control, component, parents);
        status = grz_control_status(side->control);
    }
    for (uint32_t i = 0; i < count && status == GRZ_OK; i++)
        if (crossing[i] != 0 || !vertex_in_box(side->inner, topology->component_vertex[i], box))
            out[root_of(parents, i)] = 1;
    for (uint32_t i = 0; i < count && status == GRZ_OK && !*within; i++)
        *within = out[root_of(parents, i)] == 0;
    grz_release(allocator, lowest, mesh->vertex_count, sizeof *lowest);
    grz_release(allocator, component, mesh->vertex_count, sizeof *component);
    grz_release(allocator, parents, count, sizeof *parents);
    grz_release(allocator, out, count, 1);
    return status;
}

// Whether some component has all its vertices in the box of a solid that has a fault. Only such a component could be
// inside.
static grz_status any_within(const grz_side *side, const grz_topology *topology, grz_solid *solid, bool *within,
                             grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(side->control);
    const grz_object *inner = side->inner;
    const uint32_t count = topology->component_count;
    const grz_bvh *bvh;
    unsigned char few[FEW_MARKS] = {0}, *crossing = few;
    *within = false;
    uint32_t first = next_in_box(side, topology, &solid->box, NULL, 0);
    if (first == count)
        return GRZ_OK;
    grz_status status = grz_solid_tighten(solid, side->control, error);
    if (status == GRZ_OK)
        status = grz_mesh_bvh(inner->mesh, side->control, &bvh, error);
    if (status != GRZ_OK)
        return status;
    const grz_box box_inner = grz_world_box(&inner->pose, &inner->mesh->bounds);
    *within = box_within(&box_inner, &solid->box);
    if (*within)
        return GRZ_OK;
    if (count > FEW_MARKS)
        crossing = grz_allocate_zeroed(allocator, count, 1);
    if (crossing == NULL)
        return grz_control_explain(side->control, GRZ_ERROR_MEMORY, "containment", error);
    mark_crossing(inner, bvh, topology, &solid->box, side->control, crossing);
    *within = next_in_box(side, topology, &solid->box, crossing, first) < count;
    status = grz_control_status(side->control);
    if (status == GRZ_OK && *within && inner->mesh->version > 1)
        status = any_joined_within(side, topology, &solid->box, crossing, within);
    if (count > FEW_MARKS)
        grz_release(allocator, crossing, count, 1);
    return status == GRZ_OK ? GRZ_OK : grz_control_explain(side->control, status, "containment", error);
}

// ---- Many components ----

// A node of the inner object's hierarchy. `entry` is a node of the container's hierarchy: no triangle outside it
// overlaps the first node's box.
typedef struct grz_walk_part {
    uint32_t node, entry;
} grz_walk_part;

typedef struct grz_walk {
    const grz_object *inner;
    const grz_bvh *bvh; // the hierarchy of `inner`
    const grz_topology *topology;
    const grz_solid *solid;
    grz_control *control;
    bool only_all;
    atomic_bool any_inside, any_outside;
    atomic_uchar *decided; // component_count flags: this component was located
    grz_walk_part parts[MAX_PARTS + GRZ_BVH_WIDTH];
    size_t part_count;
    atomic_size_t done; // parts that are finished
} grz_walk;

static bool is_set(const atomic_bool *flag)
{
    return atomic_load_explicit(flag, memory_order_relaxed);
}

// True if nothing more can change the answer.
static bool settled(const grz_walk *walk)
{
    return is_set(&walk->any_outside) && (walk->only_all || is_set(&walk->any_inside));
}

// Locate the component of a triangle by one of its vertices, unless that was done before. False: the control says to
// end.
static bool locate_component(grz_walk *walk, grz_probe *probe, uint32_t triangle)
{
    const uint32_t component = walk->topology->triangle_component[triangle];
    assert(component < walk->topology->component_count);
    grz_location location;
    double point[3];
    if (atomic_load_explicit(&walk->decided[component], memory_order_relaxed) != 0)
        return true;
    const uint32_t vertex = walk->inner->mesh->triangles[3 * (size_t)triangle];
    grz_world_position(&walk->inner->pose, grz_mesh_position(walk->inner->mesh, vertex), point);
    if (!grz_probe_point(probe, point, true, &location))
        return false;
    atomic_store_explicit(location == GRZ_INSIDE ? &walk->any_inside : &walk->any_outside, true, memory_order_relaxed);
    atomic_store_explicit(&walk->decided[component], 1, memory_order_relaxed);
    return true;
}

// List the triangles below a node. Returns their number; if it is more than BUCKET, the list is incomplete.
static uint32_t list_triangles(const grz_bvh *bvh, uint32_t node, uint32_t triangles[BUCKET])
{
    uint32_t stack[GRZ_BVH_STACK], count = 0;
    size_t depth = 1;
    stack[0] = node;
    while (depth > 0 && count <= BUCKET) {
        const grz_bvh_node *n = &bvh->nodes[stack[--depth]];
        for (int i = 0; i < GRZ_BVH_WIDTH && n->child[i] != GRZ_BVH_NONE; i++) {
            if (!grz_bvh_is_triangle(n->child[i])) {
                stack[depth++] = n->child[i];
                continue;
            }
            if (count < BUCKET)
                triangles[count] = grz_bvh_triangle(n->child[i]);
            count++;
        }
    }
    return count;
}

static uint32_t some_triangle(const grz_bvh *bvh, uint32_t node)
{
    uint32_t child = node;
    while (!grz_bvh_is_triangle(child))
        child = bvh->nodes[child].child[0];
    return grz_bvh_triangle(child);
}

// A world box around everything below a node.
static grz_box node_box(const grz_walk *walk, uint32_t node)
{
    grz_box box = grz_box_empty();
    for (int i = 0; i < GRZ_BVH_WIDTH && walk->bvh->nodes[node].child[i] != GRZ_BVH_NONE; i++) {
        const grz_box child = grz_bvh_child_box(walk->bvh, node, i);
        grz_box_add_box(&box, &child);
    }
    return grz_world_box(&walk->inner->pose, &box);
}

// Decide a node as a whole, or by its components. False: it must be opened; part->entry has been moved down.
static bool decide_part(grz_walk *walk, grz_probe *probe, grz_walk_part *part)
{
    const grz_box box = node_box(walk, part->node);
    uint32_t triangles[BUCKET];
    if (!grz_boxes_overlap(&box, &walk->solid->box)) {
        atomic_store_explicit(&walk->any_outside, true, memory_order_relaxed);
        return true;
    }
    if (grz_probe_clear(probe, &box, &part->entry)) {
        locate_component(walk, probe, some_triangle(walk->bvh, part->node));
        return true;
    }
    const uint32_t count = list_triangles(walk->bvh, part->node, triangles);
    if (count > BUCKET)
        return false;
    for (uint32_t i = 0; i < count && !settled(walk); i++)
        if (!locate_component(walk, probe, triangles[i]))
            break;
    return true;
}

// Open a part: locate its triangles; its nodes become new parts. Returns their number.
static size_t open_part(grz_walk *walk, grz_probe *probe, const grz_walk_part *part, grz_walk_part out[GRZ_BVH_WIDTH])
{
    const grz_bvh_node *node = &walk->bvh->nodes[part->node];
    size_t count = 0;
    for (int i = 0; i < GRZ_BVH_WIDTH && node->child[i] != GRZ_BVH_NONE; i++) {
        if (!grz_bvh_is_triangle(node->child[i]))
            out[count++] = (grz_walk_part){node->child[i], part->entry};
        else if (!settled(walk))
            locate_component(walk, probe, grz_bvh_triangle(node->child[i]));
    }
    return count;
}

static bool is_over(const grz_walk *walk)
{
    return settled(walk) || grz_control_status(walk->control) != GRZ_OK;
}

static void walk_part(size_t index, void *context)
{
    grz_walk *walk = context;
    grz_walk_part stack[GRZ_BVH_STACK];
    grz_probe probe = {.solid = walk->solid, .control = walk->control};
    size_t depth = 1;
    stack[0] = walk->parts[index];
    while (depth > 0 && !is_over(walk)) {
        grz_walk_part part = stack[--depth];
        assert(depth + GRZ_BVH_WIDTH <= GRZ_BVH_STACK);
        if (!decide_part(walk, &probe, &part))
            depth += open_part(walk, &probe, &part, stack + depth);
    }
    const size_t done = atomic_fetch_add(&walk->done, 1) + 1;
    grz_control_report_progress(walk->control, (double)done / (double)walk->part_count);
}

// Open parts from the root, breadth first, until there are `wanted` parts, or a few more.
static void spread_out(grz_walk *walk, size_t wanted)
{
    grz_probe probe = {.solid = walk->solid, .control = walk->control};
    for (size_t next = 0; walk->part_count > 0 && walk->part_count < wanted && !is_over(walk); next++) {
        next = next < walk->part_count ? next : 0;
        grz_walk_part part = walk->parts[next], opened[GRZ_BVH_WIDTH];
        const bool decided = decide_part(walk, &probe, &part);
        const size_t count = decided ? 0 : open_part(walk, &probe, &part, opened);
        walk->parts[next] = walk->parts[--walk->part_count];
        for (size_t i = 0; i < count; i++)
            walk->parts[walk->part_count++] = opened[i];
        assert(walk->part_count <= sizeof walk->parts / sizeof *walk->parts);
    }
}

static void walk_all(grz_walk *walk, grz_device *device)
{
    const size_t wanted = device != NULL ? PARTS_PER_THREAD * (size_t)grz_device_threads(device) : 0;
    walk->parts[0] = (grz_walk_part){0, 0};
    walk->part_count = 1;
    if (device == NULL || walk->topology->component_count < MIN_PARALLEL) {
        walk_part(0, walk);
        return;
    }
    spread_out(walk, wanted < MAX_PARTS ? wanted : MAX_PARTS);
    grz_parallel(device, walk->part_count, walk_part, walk);
}

static grz_status walk_components(const grz_side *side, const grz_topology *topology, const grz_solid *solid,
                                  grz_inside *out, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(side->control);
    const uint32_t count = topology->component_count;
    grz_walk walk = {.inner = side->inner,
                     .topology = topology,
                     .solid = solid,
                     .control = side->control,
                     .only_all = side->only_all};
    grz_status status = grz_mesh_bvh(side->inner->mesh, side->control, &walk.bvh, error);
    if (status != GRZ_OK)
        return status;
    walk.decided = grz_allocate_zeroed(allocator, count, sizeof *walk.decided); // zero bytes are the same as
                                                                                // atomic_init(…, 0)
    if (walk.decided == NULL)
        return grz_control_explain(side->control, GRZ_ERROR_MEMORY, "containment", error);
    atomic_init(&walk.any_inside, false);
    atomic_init(&walk.any_outside, false);
    atomic_init(&walk.done, 0);
    walk_all(&walk, side->device);
    out->any = atomic_load(&walk.any_inside);
    out->all = !atomic_load(&walk.any_outside);
    grz_release(allocator, walk.decided, count, sizeof *walk.decided);
    status = grz_control_status(side->control);
    return status == GRZ_OK ? GRZ_OK : grz_control_explain(side->control, status, "containment", error);
}

// ---- One direction ----

static grz_status few_components(const grz_side *side, const grz_topology *topology, const grz_solid *solid,
                                 grz_inside *out, grz_error *error)
{
    grz_probe probe = {.solid = solid, .control = side->control};
    for (uint32_t i = 0; i < topology->component_count; i++) {
        grz_location location;
        double point[3];
        grz_world_position(&side->inner->pose, grz_mesh_position(side->inner->mesh, topology->component_vertex[i]),
                           point);
        if (!grz_probe_point(&probe, point, true, &location))
            return grz_control_explain(side->control, grz_control_status(side->control), "containment", error);
        out->any = out->any || location == GRZ_INSIDE;
        out->all = out->all && location == GRZ_INSIDE;
        if (!out->all && (out->any || side->only_all))
            break;
    }
    return GRZ_OK;
}

static grz_status components_inside(const grz_side *side, grz_inside_rule rule, grz_inside *out, grz_error *error)
{
    const grz_topology *topology;
    grz_solid solid;
    bool within = false;
    *out = (grz_inside){.all = true};
    grz_status status = grz_mesh_topology(side->inner->mesh, side->control, &topology, error);
    if (status == GRZ_OK)
        status = grz_solid_init(&solid, side->container, rule, side->control, error);
    if (status != GRZ_OK)
        return status;
    if (solid.fault != GRZ_FAULT_NONE) {
        // A component with a vertex outside the box is not inside, whatever is wrong with the container.
        status = any_within(side, topology, &solid, &within, error);
        out->all = false;
        out->fault = within ? solid.fault : GRZ_FAULT_NONE;
        return status;
    }
    if (side->apart) {
        out->all = false;
        return GRZ_OK;
    }
    if (topology->component_count <= MAX_ONE_BY_ONE)
        return few_components(side, topology, &solid, out, error);
    return walk_components(side, topology, &solid, out, error);
}

// Why containment cannot be decided. `a`: the fault of A as a container of B; `b`: the fault of B as a container of A.
static const char *reason_of(grz_fault a, grz_fault b)
{
    static const char *const reasons[GRZ_FAULT_COUNT][GRZ_FAULT_COUNT] = {
        {NULL, "cannot decide whether A is inside B: B is open",
         "cannot decide by the nonzero rule whether A is inside B: B is not wound consistently"},
        {"cannot decide whether B is inside A: A is open",
         "cannot decide whether one mesh is inside the other: both are open",
         "cannot decide whether one mesh is inside the other: A is open, B is not wound consistently"},
        {"cannot decide by the nonzero rule whether B is inside A: A is not wound consistently",
         "cannot decide whether one mesh is inside the other: A is not wound consistently, B is open",
         "cannot decide by the nonzero rule whether one mesh is inside the other: both are not wound consistently"}};
    assert(a < GRZ_FAULT_COUNT && b < GRZ_FAULT_COUNT);
    return reasons[a][b];
}

static void conclude(const grz_inside *a_in_b, const grz_inside *b_in_a, grz_verdict *verdict)
{
    verdict->containment = GRZ_CONTAINMENT_DECIDED;
    verdict->reason = NULL;
    // If one lies entirely inside the other, the other cannot lie inside the first. A fault of the inner one does not
    // matter then.
    if (a_in_b->all) {
        verdict->relation = GRZ_A_INSIDE_B;
        return;
    }
    if (b_in_a->all) {
        verdict->relation = GRZ_B_INSIDE_A;
        return;
    }
    verdict->relation = a_in_b->any || b_in_a->any ? GRZ_OVERLAPPING : GRZ_APART;
    verdict->reason = reason_of(b_in_a->fault, a_in_b->fault);
    if (verdict->reason != NULL)
        verdict->containment = GRZ_CONTAINMENT_UNDECIDABLE;
}

// True if a plane separates the boxes of the objects' meshes as they are posed.
static bool boxes_apart(const grz_object *a, const grz_object *b)
{
    const grz_posed_box box_a = {&a->pose, &a->mesh->bounds}, box_b = {&b->pose, &b->mesh->bounds};
    return grz_posed_boxes_test_for(grz_device_simd(a->mesh->device))(&box_a, &box_b);
}

grz_status grz_containment_decide(grz_device *device, const grz_object *a, const grz_object *b, grz_inside_rule rule,
                                  grz_control *control, grz_verdict *verdict, grz_error *error)
{
    const grz_box box_a = grz_world_box(&a->pose, &a->mesh->bounds), box_b = grz_world_box(&b->pose, &b->mesh->bounds);
    if (!grz_boxes_overlap(&box_a, &box_b)) {
        conclude(&(grz_inside){.any = false}, &(grz_inside){.any = false}, verdict);
        return GRZ_OK;
    }
    const bool apart = boxes_apart(a, b);
    const grz_side a_side = {.device = device, .inner = a, .container = b, .control = control, .apart = apart};
    const double from = control->stage_from, to = control->stage_to, middle = 0.5 * (from + to);
    grz_inside a_in_b, b_in_a = {.any = false};
    if (device != NULL)
        grz_control_stage(control, from, middle);
    grz_status status = components_inside(&a_side, rule, &a_in_b, error);
    if (device != NULL)
        grz_control_stage(control, middle, to);
    if (status == GRZ_OK && !a_in_b.all) {
        const grz_side b_side = {
            .device = device, .inner = b, .container = a, .control = control, .only_all = a_in_b.any, .apart = apart};
        status = components_inside(&b_side, rule, &b_in_a, error);
    }
    if (device != NULL)
        grz_control_stage(control, from, to);
    if (status == GRZ_OK)
        conclude(&a_in_b, &b_in_a, verdict);
    return status;
}

grz_status grz_components_inside(grz_device *device, const grz_object *inner, const grz_object *container,
                                 grz_inside_rule rule, grz_control *control, bool *any, bool *all, grz_error *error)
{
    const grz_side side = {.device = device, .inner = inner, .container = container, .control = control};
    grz_inside found = {.any = false};
    const grz_status status = components_inside(&side, rule, &found, error);
    assert(status != GRZ_OK || found.fault == GRZ_FAULT_NONE);
    *any = found.any;
    *all = found.all;
    return status;
}
