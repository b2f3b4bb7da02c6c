// SPDX-License-Identifier: MIT
// Nodes: a forest, whose matrices are multiplied from the root on, and the scene, which says which trees are shown. No
// function calls itself, so that a chain of a million nodes is no deeper than one.
#include "gltf/gltf.h"

static bool read_matrix(gltf *g, const json_t *json, scene_matrix *out)
{
    double columns[16], t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    bool whole, moved, turned, scaled;
    if (!grz_io_gltf_numbers(g, json, "matrix", 16, columns, &whole) ||
        !grz_io_gltf_numbers(g, json, "translation", 3, t, &moved) ||
        !grz_io_gltf_numbers(g, json, "rotation", 4, q, &turned) ||
        !grz_io_gltf_numbers(g, json, "scale", 3, s, &scaled))
        return false;
    if (whole && (moved || turned || scaled))
        return grz_io_gltf_fail(g, "it has a matrix and also a %s",
                                moved    ? "translation"
                                : turned ? "rotation"
                                         : "scale");
    if (whole)
        return grz_io_matrix_from_columns(columns, 0.0, out) ||
               grz_io_gltf_fail(g, "the last row of its matrix is not 0 0 0 1");
    if (!grz_io_matrix_compose(t, q, s, out))
        return grz_io_gltf_fail(g, "its rotation is no quaternion of a finite length above 0");
    return true;
}

// Enter a node as the parent of its children.
static bool read_children(gltf *g, uint64_t index)
{
    const json_t *children;
    if (!grz_io_gltf_array(g, g->nodes[index].json, "children", &children))
        return false;
    for (size_t i = 0; i < json_array_size(children); i++) {
        uint64_t child;
        if (!grz_io_gltf_whole(g, json_array_get(children, i), "children", &child))
            return false;
        if (child >= g->node_count)
            return grz_io_gltf_fail(g, "its child nodes[%llu] does not exist", (unsigned long long)child);
        if (g->nodes[child].parent != GLTF_NONE)
            return grz_io_gltf_fail(g, "its child nodes[%llu] is a child of nodes[%llu] already",
                                    (unsigned long long)child, (unsigned long long)g->nodes[child].parent);
        g->nodes[child].parent = index;
    }
    return true;
}

static bool read_node(gltf *g, uint64_t index)
{
    gltf_node *node = &g->nodes[index];
    node->parent = GLTF_NONE;
    grz_io_gltf_at(g, "nodes[%llu]", (unsigned long long)index);
    return grz_io_gltf_element(g, "nodes", index, &node->json) && read_matrix(g, node->json, &node->world) &&
           grz_io_gltf_count(g, node->json, "mesh", GLTF_NONE, &node->mesh) &&
           grz_io_gltf_count(g, node->json, "skin", GLTF_NONE, &node->skin);
}

// Push a node's children on a stack, the last first, so that the first is taken first.
static size_t push_children(const gltf *g, uint64_t index, uint64_t *stack, size_t depth)
{
    const json_t *children = json_object_get(g->nodes[index].json, "children");
    for (size_t i = json_array_size(children); i-- > 0;)
        stack[depth++] = (uint64_t)json_number_value(json_array_get(children, i));
    return depth;
}

// Multiply the matrices of a tree from its root on. With `shown`, enter its nodes with meshes among those that the
// scene shows. `stack` has room for every node: each is the child of one.
static void walk_tree(gltf *g, uint64_t root, bool shown, uint64_t *stack)
{
    size_t depth = 1;
    stack[0] = root;
    while (depth > 0) {
        gltf_node *node = &g->nodes[stack[--depth]];
        const uint64_t index = (uint64_t)(node - g->nodes);
        if (!node->placed && node->parent != GLTF_NONE)
            node->world = grz_io_matrix_multiply(&g->nodes[node->parent].world, &node->world);
        node->placed = true;
        if (shown && node->mesh != GLTF_NONE)
            g->shown[g->shown_count++] = index;
        node->shown = node->shown || shown;
        depth = push_children(g, index, stack, depth);
    }
}

bool grz_io_gltf_read_nodes(gltf *g)
{
    const json_t *nodes;
    grz_io_gltf_at(g, "nodes");
    if (!grz_io_gltf_array(g, g->root, "nodes", &nodes))
        return false;
    g->node_count = json_array_size(nodes);
    g->nodes = grz_io_gltf_allocate(g, g->node_count, sizeof *g->nodes);
    g->shown = grz_io_gltf_allocate(g, g->node_count, sizeof *g->shown);
    if (g->nodes == NULL || g->shown == NULL)
        return false;
    for (size_t i = 0; i < g->node_count; i++)
        if (!read_node(g, i))
            return false;
    for (size_t i = 0; i < g->node_count; i++) {
        grz_io_gltf_at(g, "nodes[%zu]", i);
        if (!read_children(g, i))
            return false;
    }
    uint64_t *stack = grz_io_gltf_allocate(g, g->node_count, sizeof *stack);
    if (stack == NULL)
        return false;
    for (size_t i = 0; i < g->node_count; i++)
        if (g->nodes[i].parent == GLTF_NONE)
            walk_tree(g, i, false, stack);
    grz_io_gltf_release(g, stack, g->node_count, sizeof *stack);
    for (size_t i = 0; i < g->node_count; i++)
        if (!g->nodes[i].placed) {
            grz_io_gltf_at(g, "nodes[%zu]", i);
            return grz_io_gltf_fail(g, "it is below itself: the children go in a circle");
        }
    return true;
}

// Show the trees of a scene: each of its nodes is a root, and none is named twice.
static bool show_scene(gltf *g, uint64_t index, uint64_t *stack)
{
    const json_t *scene, *roots;
    grz_io_gltf_at(g, "scenes[%llu]", (unsigned long long)index);
    if (!grz_io_gltf_element(g, "scenes", index, &scene) || !grz_io_gltf_array(g, scene, "nodes", &roots))
        return false;
    for (size_t i = 0; i < json_array_size(roots); i++) {
        uint64_t root;
        if (!grz_io_gltf_whole(g, json_array_get(roots, i), "nodes", &root))
            return false;
        if (root >= g->node_count)
            return grz_io_gltf_fail(g, "its nodes[%llu] does not exist", (unsigned long long)root);
        if (g->nodes[root].parent != GLTF_NONE)
            return grz_io_gltf_fail(g, "its nodes[%llu] is no root, but a child of nodes[%llu]",
                                    (unsigned long long)root, (unsigned long long)g->nodes[root].parent);
        if (g->nodes[root].shown)
            return grz_io_gltf_fail(g, "it names nodes[%llu] twice", (unsigned long long)root);
        walk_tree(g, root, true, stack);
    }
    return true;
}

static void show_all(gltf *g, uint64_t *stack)
{
    for (size_t i = 0; i < g->node_count; i++)
        if (g->nodes[i].parent == GLTF_NONE)
            walk_tree(g, i, true, stack);
}

// Show the default scene; without one the first; without scenes all nodes.
static bool show(gltf *g, uint64_t *stack)
{
    const json_t *scenes;
    uint64_t chosen;
    grz_io_gltf_at(g, "scene");
    if (!grz_io_gltf_array(g, g->root, "scenes", &scenes) ||
        !grz_io_gltf_count(g, g->root, "scene", GLTF_NONE, &chosen))
        return false;
    const size_t count = json_array_size(scenes);
    if (count == 0 && chosen == GLTF_NONE) {
        show_all(g, stack);
        return true;
    }
    if (!show_scene(g, chosen == GLTF_NONE ? 0 : chosen, stack))
        return false;
    if (count > 1 && chosen == GLTF_NONE && !grz_io_note(g->r, "no scene is the default: the first is read"))
        return false;
    return grz_io_note_count(g->r, count - 1, "other scene left out", "other scenes left out");
}

bool grz_io_gltf_choose_scene(gltf *g)
{
    uint64_t *stack = grz_io_gltf_allocate(g, g->node_count, sizeof *stack);
    if (stack == NULL)
        return false;
    const bool ok = show(g, stack);
    grz_io_gltf_release(g, stack, g->node_count, sizeof *stack);
    for (size_t i = 0; i < g->node_count; i++)
        g->nodes_left_out += !g->nodes[i].shown && g->nodes[i].mesh != GLTF_NONE;
    return ok;
}
