// SPDX-License-Identifier: MIT
// A kd-tree: each node cuts its cell in two by a plane across one axis. The plane is chosen by the surface area
// heuristic, which expects a part to be entered as often as its surface is large, at the borders of bins. It adapts to
// the triangles better than an octree and takes longer to build. Sources: the space subdivisions of T. Munzner's
// lecture on collision detection; J. MacDonald and K. Booth, "Heuristics for ray tracing using space subdivision"
// (1990). A coordinate is on the upper side of a plane if it is not below it. Two boxes with a point in common are
// both on that point's side, so no triangle is missed.
#include <math.h>

#include "space/structures/structure_build.h"

enum {
    FEW = 6, // triangles of a cell that is not cut any more
    MOST_LEVELS = 40,
    BINS = 16
};

// The work of going down one level, relative to that of one triangle.
static const double LEVEL_COST = 1.5;

typedef struct kdtree_node {
    double plane;
    int32_t axis;   // -1: a list
    uint32_t first; // the lower child, the upper one comes after it; or where the list starts
    uint32_t count; // of the list
} kdtree_node;

typedef struct grz_kdtree {
    GRZ_ARRAY(kdtree_node) nodes; // the root comes first
    grz_near_list items;
} grz_kdtree;

typedef struct kdtree_cut {
    int axis; // -1: none pays
    double plane, cost;
    size_t total; // entries of both sides
} kdtree_cut;

static void release(const grz_mesh *mesh, void *state)
{
    grz_kdtree *tree = state;
    grz_array_finish(mesh->allocator, &tree->nodes);
    grz_array_finish(mesh->allocator, &tree->items);
    grz_release(mesh->allocator, tree, 1, sizeof *tree);
}

// Half the surface of a box with these extents.
static double surface(const double extent[3])
{
    return extent[0] * extent[1] + extent[1] * extent[2] + extent[2] * extent[0];
}

// Try all cuts across one axis. `unit` is the cell's largest extent: extents are taken relative to it.
static void try_axis(const grz_structure_build *build, const grz_box *cell, double unit, int axis, size_t first,
                     size_t count, kdtree_cut *best)
{
    size_t starts[BINS + 1] = {0}, ends[BINS + 1] = {0}, below = 0, above = count;
    double planes[BINS + 1], extent[3];
    for (int i = 0; i < 3; i++)
        extent[i] = fmax((cell->max[i] - cell->min[i]) / unit, 0x1p-10); // not 0: flat cells have a surface, too
    const double length = extent[axis], whole = surface(extent);
    for (int i = 0; i <= BINS; i++)
        planes[i] = cell->min[axis] + (cell->max[axis] - cell->min[axis]) * ((double)i / BINS);
    for (size_t i = first; i < first + count; i++) {
        const grz_box *box = &build->boxes[build->work.items[i]];
        int low = 0, high = 0; // planes above the lower end; planes at the upper end or below it
        for (int step = BINS; step > 0; step /= 2) {
            low += low + step <= BINS && planes[low + step] <= box->min[axis] ? step : 0;
            high += high + step <= BINS && planes[high + step] <= box->max[axis] ? step : 0;
        }
        starts[low]++;
        ends[high]++;
    }
    for (int i = 1; i < BINS; i++) {
        below += starts[i - 1]; // they start below plane i
        above -= ends[i - 1];   // without those that end below it
        extent[axis] = length * i / BINS;
        const double cost_below = surface(extent) * (double)below;
        extent[axis] = length - extent[axis];
        const double cost = (cost_below + surface(extent) * (double)above) / whole;
        if (cost < best->cost && planes[i] > cell->min[axis] && planes[i] < cell->max[axis])
            *best = (kdtree_cut){axis, planes[i], cost, below + above};
    }
}

static kdtree_cut choose_cut(const grz_structure_build *build, const grz_box *cell, size_t first, size_t count)
{
    kdtree_cut best = {.axis = -1, .cost = (double)count - LEVEL_COST};
    double unit = 0.0;
    for (int axis = 0; axis < 3; axis++)
        unit = fmax(unit, cell->max[axis] - cell->min[axis]);
    for (int axis = 0; axis < 3 && unit > 0.0; axis++)
        try_axis(build, cell, unit, axis, first, count, &best);
    return best;
}

// End with a list: the triangles of the work list, from `first` on.
static bool make_leaf(grz_structure_build *build, grz_kdtree *tree, size_t node, size_t first)
{
    tree->nodes.items[node] =
        (kdtree_node){.axis = -1, .first = (uint32_t)tree->items.count, .count = (uint32_t)(build->work.count - first)};
    return grz_structure_build_leaf(build, &tree->items, first);
}

// Put the triangles that reach to one side of a cut at the end of the work list.
static bool take_side(grz_structure_build *build, const kdtree_cut *cut, int side, size_t first, size_t count)
{
    if (!grz_array_reserve(build->allocator, &build->work, build->work.count + count))
        return false;
    for (size_t i = first; i < first + count; i++) {
        const uint32_t item = build->work.items[i];
        const grz_box *box = &build->boxes[item];
        if (side == 0 ? box->min[cut->axis] < cut->plane : box->max[cut->axis] >= cut->plane)
            build->work.items[build->work.count++] = item;
    }
    return true;
}

// Build the node from the triangles of the work list, from `first` to its end. False: there is no memory, or the
// control says to end. Recursion: MOST_LEVELS deep at most.
static bool build_node(grz_structure_build *build, grz_kdtree *tree, size_t node, const grz_box *cell, int level,
                       double copies, size_t first)
{
    const size_t count = build->work.count - first;
    if (grz_structure_build_ended(build))
        return false;
    if (count <= FEW || level == MOST_LEVELS)
        return make_leaf(build, tree, node, first);
    const kdtree_cut cut = choose_cut(build, cell, first, count);
    if (cut.axis < 0 || !grz_structure_build_may_cut(count, cut.total, &copies))
        return make_leaf(build, tree, node, first);
    const size_t children = tree->nodes.count;
    if (!grz_array_reserve(build->allocator, &tree->nodes, children + 2))
        return false;
    tree->nodes.count += 2;
    tree->nodes.items[node] = (kdtree_node){cut.plane, cut.axis, (uint32_t)children, 0};
    for (int side = 0; side < 2; side++) {
        const size_t start = build->work.count;
        grz_box part = *cell;
        if (side == 0)
            part.max[cut.axis] = cut.plane;
        else
            part.min[cut.axis] = cut.plane;
        if (!take_side(build, &cut, side, first, count))
            return false;
        const double share = (double)(build->work.count - start) / (double)cut.total;
        if (!build_node(build, tree, children + (size_t)side, &part, level + 1, copies * share, start))
            return false;
        build->work.count = start;
    }
    return true;
}

static bool make(grz_structure_build *build, void *structure)
{
    grz_kdtree *tree = structure;
    return grz_array_add(build->allocator, &tree->nodes) &&
           build_node(build, tree, 0, &build->mesh->bounds, 0, grz_structure_build_copies(build), 0);
}

static const grz_structure_maker maker = {
    .what = "kd-tree", .size = sizeof(grz_kdtree), .make = make, .release = release};

static grz_status prepare(const grz_mesh *mesh, grz_control *control, void **state, grz_error *error)
{
    return grz_structure_prepare(&maker, mesh, control, state, error);
}

static bool gather(const grz_mesh *mesh, const void *structure, const grz_probe *probe, const grz_allocator *allocator,
                   grz_near_list *near)
{
    const grz_kdtree *tree = structure;
    uint32_t stack[MOST_LEVELS + 1];
    size_t depth = 0;
    if (grz_boxes_overlap(&mesh->bounds, &probe->box))
        stack[depth++] = 0;
    while (depth > 0) {
        const kdtree_node *node = &tree->nodes.items[stack[--depth]];
        if (node->axis >= 0) {
            if (probe->box.max[node->axis] >= node->plane)
                stack[depth++] = node->first + 1;
            if (probe->box.min[node->axis] < node->plane)
                stack[depth++] = node->first;
            continue;
        }
        if (!grz_near_list_append(near, tree->items.items + node->first, node->count, allocator))
            return false;
    }
    return true;
}

// Leave of a leaf's box what the boxes of its triangles reach into: cells with few triangles are large.
static void shrink(const grz_mesh *mesh, const grz_kdtree *tree, const kdtree_node *leaf, grz_box *cell)
{
    grz_box box = grz_box_empty();
    for (uint32_t i = 0; i < leaf->count; i++) {
        const uint32_t *vertex = mesh->triangles + (size_t)tree->items.items[leaf->first + i] * 3;
        for (int c = 0; c < 3; c++)
            grz_box_add_point(&box, grz_mesh_position(mesh, vertex[c]));
    }
    *cell = grz_box_intersection(cell, &box);
}

static size_t divide(const grz_mesh *mesh, const void *structure, const grz_structure_part *whole,
                     grz_structure_part parts[GRZ_STRUCTURE_PARTS])
{
    const grz_kdtree *tree = structure;
    size_t count = 0;
    if (whole == NULL) {
        parts[0] = (grz_structure_part){.box = mesh->bounds, .leaf = tree->nodes.items[0].axis < 0};
        return 1;
    }
    const kdtree_node *node = &tree->nodes.items[whole->node];
    for (uint32_t side = 0; side < 2; side++) {
        const kdtree_node *child = &tree->nodes.items[node->first + side];
        grz_structure_part part = {.box = whole->box, .leaf = child->axis < 0, .node = node->first + side};
        if (child->axis < 0 && child->count == 0)
            continue;
        if (side == 0)
            part.box.max[node->axis] = node->plane;
        else
            part.box.min[node->axis] = node->plane;
        if (part.leaf)
            shrink(mesh, tree, child, &part.box);
        parts[count++] = part;
    }
    return count;
}

const grz_structure_type grz_structure_kdtree = {.slot = {prepare, release}, .gather = gather, .divide = divide};
