// SPDX-License-Identifier: MIT
// Hubs: vertices with many triangles whose fan is not clear (fans.h), for example where the tips of two cones meet. The
// boxes of all triangles of a hub overlap. So pairs of them are found in another way: by where they lie, seen from the
// hub. If many triangles have an edge at the hub in common, they are a book, and its pages are compared by where they
// lie round the edge. The walk of the tree leaves out what hubs and clear fans answer for; the walk of the hubs
// (filter/bvh/bvh_walk_hubs.c) proposes what is left.
#ifndef GRZ_SPACE_BVH_HUBS_H
#define GRZ_SPACE_BVH_HUBS_H

#include "geometry/box.h"
#include "space/bvh/fans.h"

enum {
    GRZ_HUB_LEAST = 32, // a hub has more triangles than this: with fewer, comparing all pairs is as fast
    GRZ_BOOK_LEAST = 8  // a book has more pages than this
};

// Up to two books of one hub, by the vertex at the edge's other end; the others are GRZ_FAN_UNCLEAR.
typedef struct grz_hub_books {
    uint32_t names[2];
} grz_hub_books;

static inline bool grz_hub_books_have(const grz_hub_books *books, uint32_t name)
{
    return name != GRZ_FAN_UNCLEAR && (books->names[0] == name || books->names[1] == name);
}

static inline bool grz_hub_books_share(const grz_hub_books *a, const grz_hub_books *b)
{
    return grz_hub_books_have(a, b->names[0]) || grz_hub_books_have(a, b->names[1]);
}

// Where something lies, seen along the two edges at a hub that have the most triangles, if they are books: two
// coordinates for each edge.
typedef struct grz_hub_sides {
    float min[4], max[4];
} grz_hub_sides;

static inline bool grz_hub_sides_overlap(const grz_hub_sides *a, const grz_hub_sides *b)
{
    bool overlap = true;
    for (int i = 0; i < 4; i++)
        overlap = overlap & (a->min[i] <= b->max[i]) & (b->min[i] <= a->max[i]);
    return overlap;
}

typedef struct grz_hub_item {
    grz_box box;         // of directions (hub_boxes.h)
    grz_hub_sides sides; // all zero for a page in its book, and for edges that are no book
    grz_hub_books books; // two items of a bundle that have one of these in common are another bundle's work
    uint32_t triangle;
} grz_hub_item;

typedef struct grz_hub_node {
    grz_box box;         // of all items of the node
    grz_hub_sides sides; // also of all
    grz_hub_books books; // that all of them have in common
} grz_hub_node;

// All triangles of a hub, or all pages of a book, with a binary tree over them. The children of node k are 2k and
// 2k + 1; node 1 is the root, and leaf i is node leaf_count + i. (Node 0 is not used.)
typedef struct grz_hub_bundle {
    uint32_t name;              // of the hub
    uint32_t first, count;      // items
    uint32_t nodes, leaf_count; // 2 · leaf_count nodes; leaf_count is a power of two
} grz_hub_bundle;

struct grz_hubs {
    GRZ_ARRAY(grz_hub_item) items;
    GRZ_ARRAY(grz_hub_node) nodes;
    GRZ_ARRAY(grz_hub_bundle) bundles; // with ascending items, without gaps
};

// Where the items of a node begin, counted from the bundle's first one: of node level + at, with 0 <= at < level and
// `level` a power of two. They end where those of the next node begin.
static inline uint32_t grz_hub_cut(const grz_hub_bundle *bundle, uint32_t at, uint32_t level)
{
    return (uint32_t)((uint64_t)bundle->count * at / level);
}

// Make the hubs: of all vertices whose name in `names` is that of a hub. NULL: memory or time is out.
grz_hubs *grz_hubs_make(const grz_mesh *mesh, const uint32_t *names, grz_control *control);

void grz_hubs_finish(grz_hubs *hubs, const grz_allocator *allocator);

#endif
