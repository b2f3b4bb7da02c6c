// SPDX-License-Identifier: MIT
// Building, refitting and searching trees of bounding volumes. A node's triangles are divided at the median of their
// middles, along a direction that its volume chooses.
#include "space/structures/volume_tree.h"

#include <assert.h>

#include "base/control.h"
#include "base/rounding.h"
#include "geometry/vector.h"
#include "mesh/triangles.h"

enum {
    FEW = 3,      // triangles of a leaf
    LOOK_BITS = 6 // nodes between two checks of the control, as a power of two
};

// When the volumes of the leaves have grown by this factor, the tree is built again.
static const double WORN = 2.0;

typedef struct tree_build {
    const grz_volume_type *type;
    const grz_mesh *mesh;
    grz_volume_tree *tree;
    double *keys; // of the items
    grz_control *control;
} tree_build;

static float *volume_of(const grz_volume_tree *tree, size_t node)
{
    return tree->volumes + node * tree->floats;
}

// Where the middle of a triangle lies along a direction.
static double key_of(const tree_build *build, uint32_t triangle, const double direction[3])
{
    double corners[3][3], y[3], key = 0.0;
    grz_mesh_corners(build->mesh, triangle, corners);
    for (int i = 0; i < 3; i++) {
        grz_to_local(&build->tree->local, corners[i], y);
        key += grz_dot(direction, y);
    }
    return key;
}

// By the key, then by number, so that the order is total.
static bool comes_before(const tree_build *build, double key, uint32_t item, size_t other)
{
    const double other_key = build->keys[other];
    return key < other_key || (key == other_key && item < build->tree->items[other]);
}

static void exchange(const tree_build *build, size_t i, size_t j)
{
    const double key = build->keys[i];
    const uint32_t item = build->tree->items[i];
    build->keys[i] = build->keys[j];
    build->keys[j] = key;
    build->tree->items[i] = build->tree->items[j];
    build->tree->items[j] = item;
}

// Put the item that belongs at position `wanted` there, smaller ones before it, larger ones after it: Hoare's select.
static void select_item(const tree_build *build, size_t first, size_t last, size_t wanted)
{
    while (first < last) {
        const size_t middle = first + (last - first) / 2;
        const double key = build->keys[middle];
        const uint32_t item = build->tree->items[middle];
        size_t i = first, j = last;
        for (;;) {
            while (!comes_before(build, key, item, i) && build->tree->items[i] != item)
                i++;
            while (comes_before(build, key, item, j))
                j--;
            if (i >= j)
                break;
            exchange(build, i++, j--);
        }
        // None of first .. j is above the pivot, none of j + 1 .. last below it; j < last.
        if (wanted <= j)
            last = j;
        else
            first = j + 1;
    }
}

// Fit the node's volume, whose children are fitted if it is merged from them.
static void fit(const grz_volume_type *type, const grz_mesh *mesh, const grz_volume_tree *tree, size_t number)
{
    const grz_volume_node *node = &tree->nodes[number];
    if (node->left != 0 && type->merge != NULL)
        type->merge(volume_of(tree, node->left), volume_of(tree, node->left + 1), volume_of(tree, number));
    else
        type->fit(mesh, &tree->local, tree->items + node->first, node->count, volume_of(tree, number));
}

// Build the node, which has its place already. False: the control says to end. Recursion: as deep as the tree.
static bool build_node(tree_build *build, uint32_t number, uint32_t first, uint32_t count)
{
    grz_volume_tree *tree = build->tree;
    double direction[3];
    if (grz_control_expired_at(build->control, number, LOOK_BITS))
        return false;
    tree->nodes[number] = (grz_volume_node){.first = first, .count = count};
    build->type->fit(build->mesh, &tree->local, tree->items + first, count, volume_of(tree, number));
    if (count <= FEW) {
        tree->extents += build->type->extent(volume_of(tree, number));
        return true;
    }
    build->type->direction(volume_of(tree, number), direction);
    for (uint32_t i = first; i < first + count; i++)
        build->keys[i] = key_of(build, tree->items[i], direction);
    select_item(build, first, (size_t)first + count - 1, (size_t)first + count / 2);
    const uint32_t left = tree->node_count;
    assert(left + 2 <= tree->node_room);
    tree->node_count += 2;
    tree->nodes[number].left = left;
    return build_node(build, left, first, count / 2) &&
           build_node(build, left + 1, first + count / 2, count - count / 2);
}

// Allocate and build. False: there is no memory, or the control says to end.
static bool build_tree(tree_build *build)
{
    const grz_allocator *allocator = grz_control_allocator(build->control);
    grz_volume_tree *tree = build->tree;
    const uint32_t count = build->mesh->triangle_count;
    tree->item_count = count;
    tree->node_room = count; // a leaf has two triangles at least, if there are several
    tree->floats = build->type->floats;
    tree->local = grz_local_of(build->mesh);
    tree->nodes = grz_allocate(allocator, tree->node_room, sizeof *tree->nodes);
    tree->volumes = grz_allocate(allocator, tree->node_room, tree->floats * sizeof *tree->volumes);
    tree->items = grz_allocate(allocator, count, sizeof *tree->items);
    build->keys = grz_allocate(allocator, count, sizeof *build->keys);
    bool built = tree->nodes != NULL && tree->volumes != NULL && tree->items != NULL && build->keys != NULL;
    if (built) {
        for (uint32_t i = 0; i < count; i++)
            tree->items[i] = i;
        tree->node_count = 1;
        built = build_node(build, 0, 0, count);
    }
    grz_release(allocator, build->keys, count, sizeof *build->keys);
    return built;
}

// Fit all volumes to new positions. False: the control says to end, or the tree is worn.
static bool refit(const grz_volume_type *type, const grz_mesh *mesh, grz_volume_tree *tree, grz_control *control)
{
    double extents = 0.0;
    tree->local = grz_local_of(mesh);
    for (uint32_t number = tree->node_count; number-- > 0;) {
        if (grz_control_expired_at(control, number, LOOK_BITS))
            return false;
        fit(type, mesh, tree, number);
        if (tree->nodes[number].left == 0)
            extents += type->extent(volume_of(tree, number));
    }
    return extents <= WORN * tree->extents;
}

void grz_volume_tree_release(const grz_mesh *mesh, void *state)
{
    grz_volume_tree *tree = state;
    grz_release(mesh->allocator, tree->nodes, tree->node_room, sizeof *tree->nodes);
    grz_release(mesh->allocator, tree->volumes, tree->node_room, tree->floats * sizeof *tree->volumes);
    grz_release(mesh->allocator, tree->items, tree->item_count, sizeof *tree->items);
    grz_release(mesh->allocator, tree, 1, sizeof *tree);
}

grz_status grz_volume_tree_prepare(const grz_volume_type *type, const grz_mesh *mesh, grz_control *control,
                                   void **state, grz_error *error)
{
    if (*state != NULL && ((grz_volume_tree *)*state)->node_count > 0 && refit(type, mesh, *state, control))
        return GRZ_OK;
    if (*state != NULL)
        grz_volume_tree_release(mesh, *state);
    *state = NULL;
    if (grz_control_expired(control))
        return grz_control_explain(control, grz_control_status(control), type->what, error);
    tree_build build = {.type = type, .mesh = mesh, .control = control};
    build.tree = grz_allocate_zeroed(grz_control_allocator(control), 1, sizeof *build.tree);
    if (build.tree == NULL)
        return grz_control_explain(control, GRZ_ERROR_MEMORY, type->what, error);
    if (build_tree(&build)) {
        *state = build.tree;
        return GRZ_OK;
    }
    grz_volume_tree_release(mesh, build.tree);
    const grz_status status = grz_control_status(control);
    return grz_control_explain(control, status != GRZ_OK ? status : GRZ_ERROR_MEMORY, type->what, error);
}

bool grz_local_probe_set(const grz_local *local, const grz_probe *probe, grz_local_probe *out)
{
    bool finite = true;
    double largest = 1.0;
    for (int i = 0; i < 3; i++) {
        grz_to_local(local, probe->corners[i], out->y[i]);
        for (int j = 0; j < 3; j++)
            largest = fmax(largest, fabs(out->y[i][j]));
    }
    for (int j = 0; j < 3; j++) {
        out->slack[j] =
            probe->slack[j] * local->scale * GRZ_MORE(8192) + largest * 0x1p-50; // 8 roundings; there is one
        finite = finite && out->slack[j] < GRZ_LOCAL_FINITE;
    }
    return finite && largest < GRZ_LOCAL_FINITE;
}

size_t grz_volume_tree_divide(const grz_volume_tree *tree, void (*box_of)(const float *volume, double box[2][3]),
                              const grz_structure_part *whole, grz_structure_part parts[GRZ_STRUCTURE_PARTS])
{
    const uint32_t first = whole != NULL ? tree->nodes[whole->node].left : 0, count = whole != NULL ? 2 : 1;
    for (uint32_t i = 0; i < count; i++) {
        double box[2][3];
        box_of(volume_of(tree, first + i), box);
        parts[i] = (grz_structure_part){.box = grz_box_from_local(&tree->local, box[0], box[1]),
                                        .leaf = tree->nodes[first + i].left == 0,
                                        .node = first + i};
    }
    return count;
}

bool grz_volume_tree_gather(const grz_volume_tree *tree, bool (*apart)(const float *volume, const void *probe),
                            const void *probe, const grz_allocator *allocator, grz_near_list *near)
{
    uint32_t stack[GRZ_VOLUME_LEVELS];
    size_t depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const uint32_t number = stack[--depth];
        const grz_volume_node *node = &tree->nodes[number];
        if (apart != NULL && apart(volume_of(tree, number), probe))
            continue;
        if (node->left == 0) {
            if (!grz_near_list_append(near, tree->items + node->first, node->count, allocator))
                return false;
            continue;
        }
        assert(depth + 2 <= GRZ_VOLUME_LEVELS);
        stack[depth++] = node->left + 1;
        stack[depth++] = node->left;
    }
    return true;
}
