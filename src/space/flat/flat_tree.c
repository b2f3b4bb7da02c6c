// SPDX-License-Identifier: MIT
// A quadtree: a square cut in four at its middle, again and again, until few items are left. An item is in one leaf, by
// the middle of its box, so nothing is copied; each node keeps the box of what is in it, and queries compare boxes.
// Items that come and go change leaves and the boxes above them.
// Sources: R. A. Finkel, J. L. Bentley, "Quad Trees" (1974); T. Ulrich, "Loose Octrees" (2000), for boxes that overlap.
// Nothing rests on the middles: whatever they round to, boxes hold all items.
#include <math.h>
#include <string.h>

#include "space/flat/flat_distance.h"
#include "space/flat/flat_structure.h"

enum {
    CHECK_BITS = 8,
    LEAF = 8,        // more items are divided
    LARGE_LEAF = 64, // of items with one middle: its box only grows
    MOST_DEPTH = 48  // levels; items with one middle are one leaf there
};

// Three of four children wait on each level.
enum {
    STACK = 4 * MOST_DEPTH + 4
};

static const uint32_t NONE = UINT32_MAX;

typedef struct node {
    double min[2], max[2]; // of all items in it; empty: min > max
    double middle[2], half;
    uint32_t parent, children; // children: the first of four; NONE: a leaf
    uint32_t first, count;     // items: a leaf's list; how many are in the leaf
    uint32_t depth;
} node;

// An item's place: its leaf, and its neighbours in the leaf's list.
typedef struct place {
    uint32_t leaf, before, after;
} place;

typedef struct tree {
    GRZ_ARRAY(node) nodes; // the first is the root
    place *places;         // for each number; leaf NONE: not in the tree
    size_t capacity;
} tree;

// ---- Nodes ----------------------------------------------------------------------------------------------------------

static void set_empty(node *n)
{
    n->min[0] = n->min[1] = HUGE_VAL;
    n->max[0] = n->max[1] = -HUGE_VAL;
}

static void add_to_box(node *n, const double min[2], const double max[2])
{
    for (int k = 0; k < 2; k++) {
        n->min[k] = min[k] < n->min[k] ? min[k] : n->min[k];
        n->max[k] = max[k] > n->max[k] ? max[k] : n->max[k];
    }
}

static int quadrant_of(const node *n, const grz_flat_held *item)
{
    const double x = 0.5 * item->min[0] + 0.5 * item->max[0], y = 0.5 * item->min[1] + 0.5 * item->max[1];
    return (x >= n->middle[0] ? 1 : 0) + (y >= n->middle[1] ? 2 : 0);
}

// False: no memory. The array of nodes may move.
static bool add_children(tree *t, const grz_allocator *allocator, uint32_t number)
{
    if (!grz_array_reserve(allocator, &t->nodes, t->nodes.count + 4))
        return false;
    node *parent = &t->nodes.items[number];
    parent->children = (uint32_t)t->nodes.count;
    for (int i = 0; i < 4; i++) {
        node *child = &t->nodes.items[t->nodes.count++];
        const double half = 0.5 * parent->half;
        *child = (node){.half = half, .parent = number, .children = NONE, .first = NONE, .depth = parent->depth + 1};
        child->middle[0] = parent->middle[0] + ((i & 1) != 0 ? half : -half);
        child->middle[1] = parent->middle[1] + ((i & 2) != 0 ? half : -half);
        set_empty(child);
    }
    return true;
}

static void link_item(tree *t, uint32_t leaf, uint32_t number)
{
    node *n = &t->nodes.items[leaf];
    t->places[number] = (place){leaf, NONE, n->first};
    if (n->first != NONE)
        t->places[n->first].before = number;
    n->first = number;
    n->count++;
}

static void unlink_item(tree *t, uint32_t number)
{
    place *p = &t->places[number];
    node *n = &t->nodes.items[p->leaf];
    if (p->before != NONE)
        t->places[p->before].after = p->after;
    else
        n->first = p->after;
    if (p->after != NONE)
        t->places[p->after].before = p->before;
    n->count--;
    p->leaf = NONE;
}

static bool is_crowded(const node *n)
{
    return n->count > LEAF && n->depth < MOST_DEPTH;
}

// Give a leaf's items to four children. False: no memory; it stays a leaf.
static bool divide(tree *t, const grz_allocator *allocator, const grz_flat_items *items, uint32_t number)
{
    if (!add_children(t, allocator, number))
        return false;
    uint32_t item = t->nodes.items[number].first;
    const uint32_t children = t->nodes.items[number].children;
    t->nodes.items[number].first = NONE;
    t->nodes.items[number].count = 0;
    while (item != NONE) {
        const uint32_t next = t->places[item].after;
        const grz_flat_held *held = &items->items[item];
        const uint32_t child = children + (uint32_t)quadrant_of(&t->nodes.items[number], held);
        link_item(t, child, item);
        add_to_box(&t->nodes.items[child], held->min, held->max);
        item = next;
    }
    return true;
}

// ---- Building and changing ------------------------------------------------------------------------------------------

static void destroy(void *state, const grz_allocator *allocator)
{
    tree *t = state;
    if (t == NULL)
        return;
    grz_array_finish(allocator, &t->nodes);
    grz_release(allocator, t->places, t->capacity, sizeof *t->places);
    grz_release(allocator, t, 1, sizeof *t);
}

static bool reserve(void *state, const grz_allocator *allocator, size_t count)
{
    tree *t = state;
    if (count <= t->capacity)
        return true;
    const size_t capacity = count > 2 * t->capacity ? count : 2 * t->capacity;
    place *places = grz_allocate(allocator, capacity, sizeof *places);
    if (places == NULL)
        return false;
    if (t->capacity > 0)
        memcpy(places, t->places, t->capacity * sizeof *places);
    for (size_t i = t->capacity; i < capacity; i++)
        places[i].leaf = NONE;
    grz_release(allocator, t->places, t->capacity, sizeof *t->places);
    t->places = places;
    t->capacity = capacity;
    return true;
}

// The root's square holds the middles of all items.
static void choose_root(const grz_flat_items *items, node *root)
{
    for (size_t i = 0; i < items->count; i++)
        if (items->items[i].form != GRZ_FLAT_ABSENT)
            add_to_box(root, items->items[i].min, items->items[i].max);
    if (!(root->min[0] <= root->max[0]))
        return;
    for (int k = 0; k < 2; k++) {
        root->middle[k] = 0.5 * root->min[k] + 0.5 * root->max[k];
        root->half = fmax(root->half, 0.5 * root->max[k] - 0.5 * root->min[k]);
    }
}

// All items in the root's list, the lowest number first; then nodes are divided from the root on.
static grz_status fill(tree *t, const grz_flat_items *items, grz_control *control)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    for (size_t i = items->count; i-- > 0;)
        if (items->items[i].form != GRZ_FLAT_ABSENT)
            link_item(t, 0, (uint32_t)i);
    for (uint32_t i = 0; i < t->nodes.count; i++) {
        if (grz_control_expired_at(control, i, CHECK_BITS))
            return grz_control_status(control);
        if (is_crowded(&t->nodes.items[i]) && !divide(t, allocator, items, i))
            return GRZ_ERROR_MEMORY;
    }
    return grz_control_expired(control) ? grz_control_status(control) : GRZ_OK;
}

static grz_status build(const grz_flat_items *items, grz_control *control, void **state)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    tree *t = grz_allocate_zeroed(allocator, 1, sizeof *t);
    grz_status status = GRZ_ERROR_MEMORY;
    *state = NULL;
    if (t == NULL)
        return status;
    if (grz_array_add(allocator, &t->nodes) && reserve(t, allocator, items->count)) {
        t->nodes.items[0] = (node){.parent = NONE, .children = NONE, .first = NONE};
        set_empty(&t->nodes.items[0]);
        choose_root(items, &t->nodes.items[0]);
        status = fill(t, items, control);
    }
    if (status == GRZ_OK)
        *state = t;
    else
        destroy(t, allocator);
    return status;
}

static void insert(void *state, const grz_allocator *allocator, const grz_flat_items *items, uint32_t number)
{
    tree *t = state;
    const grz_flat_held *item = &items->items[number];
    uint32_t at = 0;
    for (;;) {
        add_to_box(&t->nodes.items[at], item->min, item->max);
        if (t->nodes.items[at].children == NONE)
            break;
        at = t->nodes.items[at].children + (uint32_t)quadrant_of(&t->nodes.items[at], item);
    }
    link_item(t, at, number);
    while (is_crowded(&t->nodes.items[at]) && divide(t, allocator, items, at)) {
        const uint32_t children = t->nodes.items[at].children;
        for (uint32_t i = 0; i < 4; i++)
            if (is_crowded(&t->nodes.items[children + i]))
                at = children + i; // at most one: the leaf had one item too many
    }
}

static void find_box(const tree *t, const grz_flat_items *items, node *n)
{
    set_empty(n);
    for (uint32_t i = n->first; i != NONE; i = t->places[i].after)
        add_to_box(n, items->items[i].min, items->items[i].max);
    for (uint32_t i = 0; i < 4 && n->children != NONE; i++)
        add_to_box(n, t->nodes.items[n->children + i].min, t->nodes.items[n->children + i].max);
}

// Does an item reach an edge of a box? Only then the box may become smaller without it.
static bool reaches_edge(const node *n, const grz_flat_held *item)
{
    return item->min[0] == n->min[0] || item->min[1] == n->min[1] || item->max[0] == n->max[0] ||
           item->max[1] == n->max[1];
}

// An item has left a node: its box, and those above, may become smaller.
static void shrink_boxes(tree *t, const grz_flat_items *items, uint32_t at, const grz_flat_held *before)
{
    if (t->nodes.items[at].count > LARGE_LEAF)
        return;
    for (; at != NONE && reaches_edge(&t->nodes.items[at], before); at = t->nodes.items[at].parent)
        find_box(t, items, &t->nodes.items[at]);
}

static void take_out(void *state, const grz_flat_items *items, uint32_t number)
{
    tree *t = state;
    const uint32_t leaf = t->places[number].leaf;
    unlink_item(t, number);
    shrink_boxes(t, items, leaf, &items->items[number]);
}

static bool holds_middle(const node *n, const grz_flat_held *item)
{
    bool holds = true;
    for (int k = 0; k < 2; k++)
        holds = holds && fabs(0.5 * item->min[k] + 0.5 * item->max[k] - n->middle[k]) <= n->half;
    return holds;
}

static bool holds_item(const node *n, const grz_flat_held *item)
{
    return n->min[0] <= item->min[0] && n->min[1] <= item->min[1] && n->max[0] >= item->max[0] &&
           n->max[1] >= item->max[1];
}

// An item that stays in its leaf changes boxes only.
static void replace(void *state, const grz_allocator *allocator, const grz_flat_items *items, uint32_t number,
                    const grz_flat_held *before)
{
    tree *t = state;
    const grz_flat_held *item = &items->items[number];
    const uint32_t leaf = t->places[number].leaf;
    if (!holds_middle(&t->nodes.items[leaf], item)) {
        unlink_item(t, number);
        shrink_boxes(t, items, leaf, before);
        insert(t, allocator, items, number);
        return;
    }
    for (uint32_t at = leaf; at != NONE && !holds_item(&t->nodes.items[at], item); at = t->nodes.items[at].parent)
        add_to_box(&t->nodes.items[at], item->min, item->max);
    shrink_boxes(t, items, leaf, before);
}

static bool fits(const void *state, const grz_flat_held *item)
{
    const tree *t = state;
    return holds_middle(&t->nodes.items[0], item);
}

static void settle(void *state, const grz_flat_items *items)
{
    (void)state;
    (void)items;
}

// ---- Queries --------------------------------------------------------------------------------------------------------

static bool node_overlaps(const node *n, const double min[2], const double max[2])
{
    return n->min[0] <= max[0] && min[0] <= n->max[0] && n->min[1] <= max[1] && min[1] <= n->max[1];
}

static bool near_box(const void *state, const grz_flat_items *items, const grz_flat_held *box, grz_flat_seeker *seeker)
{
    const tree *t = state;
    uint32_t stack[STACK];
    int depth = 1;
    stack[0] = 0;
    while (depth > 0) {
        const node *n = &t->nodes.items[stack[--depth]];
        for (uint32_t i = n->first; i != NONE; i = t->places[i].after)
            if (grz_flat_boxes_overlap(&items->items[i], box) && !seeker->visit(seeker, i))
                return false;
        for (uint32_t i = 0; i < 4 && n->children != NONE; i++)
            if (node_overlaps(&t->nodes.items[n->children + i], box->min, box->max))
                stack[depth++] = n->children + i;
    }
    return true;
}

// A leaf's items and whatever may overlap one of them.
typedef struct leaf_seeker {
    grz_flat_seeker seeker;
    const tree *t;
    const grz_flat_items *items;
    uint32_t first; // of the leaf
    grz_flat_pair_seeker *pair;
    void *context;
} leaf_seeker;

static bool visit_beside_leaf(grz_flat_seeker *seeker, uint32_t number)
{
    const leaf_seeker *s = (const leaf_seeker *)seeker;
    const grz_flat_held *item = &s->items->items[number];
    for (uint32_t i = s->first; i != NONE; i = s->t->places[i].after)
        if (i < number && grz_flat_boxes_overlap(&s->items->items[i], item) && !s->pair(s->context, i, number))
            return false;
    return true;
}

static bool pairs(const void *state, const grz_flat_items *items, grz_control *control, grz_flat_pair_seeker *pair,
                  void *context)
{
    const tree *t = state;
    for (size_t i = 0; i < t->nodes.count; i++) {
        const node *n = &t->nodes.items[i];
        if (grz_control_expired_at(control, i, CHECK_BITS / 2))
            return false;
        if (n->first == NONE)
            continue;
        leaf_seeker s = {{visit_beside_leaf, HUGE_VAL}, t, items, n->first, pair, context};
        const grz_flat_held box = {.min = {n->min[0], n->min[1]}, .max = {n->max[0], n->max[1]}};
        if (!near_box(t, items, &box, &s.seeker))
            return false;
    }
    return true;
}

typedef struct waiting {
    double key;
    uint32_t node;
} waiting;

// Put a node on the stack, under those with smaller keys that came with it.
static int push(waiting *stack, int begin, int end, double key, uint32_t number)
{
    int at = end;
    for (; at > begin && stack[at - 1].key < key; at--)
        stack[at] = stack[at - 1];
    stack[at] = (waiting){key, number};
    return end + 1;
}

// What items are near to: a point, or else the beginning of a line.
typedef struct target {
    const double *point;
    const grz_flat_line *line;
} target;

static inline double key_of(const target *near, const node *child)
{
    if (near->point == NULL)
        return grz_flat_box_entry(near->line, child->min, child->max);
    return child->min[0] <= child->max[0] ? grz_flat_box_gap(child->min, child->max, near->point) : HUGE_VAL;
}

static inline bool visit_near(const target *near, const grz_flat_items *items, uint32_t i, grz_flat_seeker *seeker)
{
    if (near->point == NULL)
        return grz_flat_visit_on_line(items, near->line, i, seeker);
    return grz_flat_box_gap(items->items[i].min, items->items[i].max, near->point) > seeker->bound ||
           seeker->visit(seeker, i);
}

// The nearest nodes first, as far as that is known. False if the seeker wants no more.
static inline bool nearest_first(const tree *t, const grz_flat_items *items, const target *near,
                                 grz_flat_seeker *seeker)
{
    waiting stack[STACK];
    int depth = 1;
    stack[0] = (waiting){0.0, 0};
    while (depth > 0) {
        const waiting next = stack[--depth];
        const node *n = &t->nodes.items[next.node];
        if (next.key > seeker->bound)
            continue;
        for (uint32_t i = n->first; i != NONE; i = t->places[i].after)
            if (!visit_near(near, items, i, seeker))
                return false;
        const int begin = depth;
        for (uint32_t i = 0; i < 4 && n->children != NONE; i++) {
            const double key = key_of(near, &t->nodes.items[n->children + i]);
            if (key < HUGE_VAL && key <= seeker->bound)
                depth = push(stack, begin, depth, key, n->children + i);
        }
    }
    return true;
}

static bool near_point(const void *state, const grz_flat_items *items, const double point[2], grz_flat_seeker *seeker)
{
    const target near = {.point = point};
    return nearest_first(state, items, &near, seeker);
}

static bool near_line(const void *state, const grz_flat_items *items, const grz_flat_line *line,
                      grz_flat_seeker *seeker)
{
    const target near = {.line = line};
    return nearest_first(state, items, &near, seeker);
}

const grz_flat_structure grz_flat_tree = {build,  destroy, reserve, insert,   take_out,   replace,
                                          settle, fits,    pairs,   near_box, near_point, near_line};
