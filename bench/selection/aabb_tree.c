// SPDX-License-Identifier: MIT
// Built top down, cut in the middle of the longest side; where all go to one side, halved by number. Nodes come before
// their children, so a refit goes through them from the last to the first.
#include "aabb_tree.h"

#include <math.h>
#include <stdlib.h>

typedef struct node {
    double low[3], high[3];
    uint32_t left, right; // nodes; of a leaf `right` is NO_NODE, and `left` its triangle
} node;

static const uint32_t NO_NODE = UINT32_MAX;

struct aabb_tree {
    const peer_mesh *mesh;
    node *nodes;
    uint32_t count;
    double (*middles)[3];
    uint32_t *order; // triangles, while building
};

static void fit_leaf(node *n, const uint32_t triangle[3], const double (*positions)[3])
{
    const double *a = positions[triangle[0]], *b = positions[triangle[1]], *c = positions[triangle[2]];
    for (int i = 0; i < 3; i++) {
        const double low = a[i] < b[i] ? a[i] : b[i], high = a[i] < b[i] ? b[i] : a[i];
        n->low[i] = low < c[i] ? low : c[i];
        n->high[i] = high < c[i] ? c[i] : high;
    }
}

static void fit_inner(node *n, const node *l, const node *r)
{
    for (int i = 0; i < 3; i++) {
        n->low[i] = l->low[i] < r->low[i] ? l->low[i] : r->low[i];
        n->high[i] = l->high[i] < r->high[i] ? r->high[i] : l->high[i];
    }
}

// Move triangles whose middle is below a place to the front. Returns how many there are.
static uint32_t divide(aabb_tree *t, uint32_t first, uint32_t end)
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    int axis = 0;
    uint32_t next = first;
    for (uint32_t k = first; k < end; k++)
        for (int i = 0; i < 3; i++) {
            low[i] = fmin(low[i], t->middles[t->order[k]][i]);
            high[i] = fmax(high[i], t->middles[t->order[k]][i]);
        }
    for (int i = 1; i < 3; i++)
        axis = high[i] - low[i] > high[axis] - low[axis] ? i : axis;
    const double place = 0.5 * (low[axis] + high[axis]);
    for (uint32_t k = first; k < end; k++)
        if (t->middles[t->order[k]][axis] < place) {
            const uint32_t other = t->order[next];
            t->order[next++] = t->order[k];
            t->order[k] = other;
        }
    return next == first || next == end ? (end - first) / 2 : next - first;
}

static uint32_t build(aabb_tree *t, uint32_t first, uint32_t end)
{
    const uint32_t own = t->count++;
    if (end - first == 1) {
        t->nodes[own].left = t->order[first];
        t->nodes[own].right = NO_NODE;
        return own;
    }
    const uint32_t middle = first + divide(t, first, end), left = build(t, first, middle);
    t->nodes[own].left = left;
    t->nodes[own].right = build(t, middle, end);
    return own;
}

aabb_tree *aabb_tree_build(const peer_mesh *mesh)
{
    aabb_tree *t = malloc(sizeof *t);
    if (t == NULL)
        peer_die("out of memory");
    *t = (aabb_tree){.mesh = mesh,
                     .nodes = malloc(2 * (size_t)mesh->triangle_count * sizeof *t->nodes),
                     .middles = malloc(mesh->triangle_count * sizeof *t->middles),
                     .order = malloc(mesh->triangle_count * sizeof *t->order)};
    if (t->nodes == NULL || t->middles == NULL || t->order == NULL)
        peer_die("out of memory");
    for (uint32_t k = 0; k < mesh->triangle_count; k++) {
        t->order[k] = k;
        for (int i = 0; i < 3; i++)
            t->middles[k][i] = (mesh->positions[mesh->triangles[k][0]][i] + mesh->positions[mesh->triangles[k][1]][i] +
                                mesh->positions[mesh->triangles[k][2]][i]) /
                               3.0;
    }
    build(t, 0, mesh->triangle_count);
    aabb_tree_refit(t, (const double(*)[3])mesh->positions);
    return t;
}

void aabb_tree_refit(aabb_tree *t, const double (*positions)[3])
{
    for (uint32_t k = t->count; k-- > 0;) {
        node *n = &t->nodes[k];
        if (n->right == NO_NODE)
            fit_leaf(n, t->mesh->triangles[n->left], positions);
        else
            fit_inner(n, &t->nodes[n->left], &t->nodes[n->right]);
    }
}

void aabb_tree_free(aabb_tree *t)
{
    free(t->nodes);
    free(t->middles);
    free(t->order);
    free(t);
}
