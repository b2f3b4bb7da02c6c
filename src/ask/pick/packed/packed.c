// SPDX-License-Identifier: MIT
// Packs a tree: the step of an axis is the least power of two with which 255 steps reach across the node. Packing takes
// longer than a refit, so it waits until many rays have been followed. Nodes are put in the order of their levels:
// children of one node lie together.
// Source: H. Ylitie, T. Karras, S. Laine, "Efficient incoherent ray traversal on GPUs through compressed wide BVHs"
// (2017), section 3.
#include "ask/pick/packed/packed.h"

#include <assert.h>
#include <math.h>

#include "base/control.h"
#include "geometry/exact/powers.h"

enum {
    MOST = 255,            // the largest byte
    LEAST_EXPONENT = -100, // of a step; below that, numbers would come near to the least floats
    CHECK_BITS = 10,       // nodes between two checks of the control, as a power of two
    STAGE = 4,             // nodes between two stages of prefetching
    NODES_PER_RAY = 4      // packing pays once there has been a ray for so many nodes
};

// What is kept with a mesh.
typedef struct packing {
    _Atomic(grz_packed_tree *) tree; // NULL: there is none yet
    atomic_ullong rays;              // since the tree was built or refitted
    atomic_bool busy;                // a thread is packing
} packing;

// ---- A node ---------------------------------------------------------------------------------------------------------

// The byte of a plane, rounded down or up. `steps`: 1 / step, which is a power of two. The plane is a float, and so is
// the origin, which is not above it: sums that the walk rounds to floats do not pass the plane.
static uint8_t byte_of(double plane, double origin, double step, double steps, bool up)
{
    int32_t whole = (int32_t)((plane - origin) * steps);
    // The difference was rounded, so the byte may be one too large or too small.
    if (!up && origin + whole * step > plane)
        whole--;
    if (up && origin + whole * step < plane)
        whole++;
    assert(whole >= 0 && whole <= MOST);
    return (uint8_t)whole;
}

static void pack_axis(grz_packed_node *packed, const grz_bvh_node *node, int axis, int count, float from)
{
    const double origin = (double)from;
    double high = origin;
    int exponent;
    for (int i = 0; i < count; i++)
        high = (double)node->bounds[1][axis][i] > high ? (double)node->bounds[1][axis][i] : high;
    // extent / 254 is below 2^exponent, so that rounding up passes 255 nowhere.
    exponent = high > origin ? grz_exponent_of((high - origin) / (MOST - 1)) + 1 : LEAST_EXPONENT;
    exponent = exponent < LEAST_EXPONENT ? LEAST_EXPONENT : exponent;
    const double step = grz_times_power(1.0, exponent), steps = grz_times_power(1.0, -exponent);
    packed->exponents[axis] = (int8_t)exponent;
    for (int i = 0; i < count; i++) {
        packed->planes[0][axis][i] = byte_of((double)node->bounds[0][axis][i], origin, step, steps, false);
        packed->planes[1][axis][i] = byte_of((double)node->bounds[1][axis][i], origin, step, steps, true);
    }
}

// The coordinate of a child's origin, as the walk computes it.
static float origin_of(const grz_packed_node *node, const float origin[3], int axis, int i)
{
    return (float)grz_times_power(node->planes[0][axis][i], node->exponents[axis]) + origin[axis];
}

// ---- A tree ---------------------------------------------------------------------------------------------------------

typedef struct work {
    const grz_mesh *mesh;
    const grz_bvh *bvh;
    grz_packed_tree *tree;
    uint32_t *order; // the tree's number of each packed node
    float (*origins)[3];
} work;

static void pack_leaf(const work *w, uint32_t triangle)
{
    const uint32_t leaf = w->tree->leaf_count++, *vertex = w->mesh->triangles + 3 * (size_t)triangle;
    if (w->tree->vertices != NULL) {
        w->tree->vertices[leaf] = (grz_packed_vertices){{vertex[0], vertex[1], vertex[2]}, triangle};
        return;
    }
    grz_packed_corners *corners = &w->tree->corners[leaf];
    corners->triangle = triangle;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            corners->at[k][i] = (float)grz_mesh_position(w->mesh, vertex[i])[k];
}

static void pack_node(const work *w, uint32_t n)
{
    const grz_bvh_node *node = &w->bvh->nodes[w->order[n]];
    grz_packed_tree *tree = w->tree;
    grz_packed_node packed = {.first_node = tree->node_count};
    int count = 0;
    while (count < GRZ_BVH_WIDTH && node->child[count] != GRZ_BVH_NONE)
        count++;
    packed.used = (uint8_t)((1u << count) - 1);
    for (int axis = 0; axis < 3; axis++)
        pack_axis(&packed, node, axis, count, w->origins[n][axis]);
    int i = 0;
    for (; i < count && !grz_bvh_is_triangle(node->child[i]); i++) {
        w->order[tree->node_count] = node->child[i];
        for (int axis = 0; axis < 3; axis++)
            w->origins[tree->node_count][axis] = origin_of(&packed, w->origins[n], axis, i);
        tree->node_count++;
    }
    packed.nodes = (uint8_t)i;
    packed.first_child = GRZ_BVH_TRIANGLE + tree->leaf_count - (uint32_t)i;
    for (; i < count; i++)
        pack_leaf(w, grz_bvh_triangle(node->child[i]));
    tree->nodes[n] = packed;
}

static void prefetch(const void *block)
{
#if defined(__GNUC__)
    __builtin_prefetch(block);
#else
    (void)block;
#endif
}

// Nodes and corners lie all over the memory: prefetch what the next nodes need, in three stages.
static void prefetch_ahead(const work *w, uint32_t n)
{
    const uint32_t last = w->tree->node_count - 1, far = n + 3 * STAGE, middle = n + 2 * STAGE, near = n + STAGE;
    const grz_bvh_node *nodes = w->bvh->nodes;
    for (size_t at = 0; far <= last && at < sizeof *nodes; at += GRZ_PACKED_LINE)
        prefetch((const char *)&nodes[w->order[far]] + at);
    for (int i = 0; middle <= last && i < GRZ_BVH_WIDTH; i++) {
        const uint32_t child = nodes[w->order[middle]].child[i];
        if (child != GRZ_BVH_NONE && grz_bvh_is_triangle(child))
            prefetch(w->mesh->triangles + 3 * (size_t)grz_bvh_triangle(child));
    }
    for (int i = 0; near <= last && i < GRZ_BVH_WIDTH && w->tree->corners != NULL; i++) {
        const uint32_t child = nodes[w->order[near]].child[i];
        for (size_t k = 0; k < 3 && child != GRZ_BVH_NONE && grz_bvh_is_triangle(child); k++)
            prefetch(grz_mesh_position(w->mesh, w->mesh->triangles[3 * (size_t)grz_bvh_triangle(child) + k]));
    }
}

static bool pack_nodes(const work *w, grz_control *control)
{
    grz_packed_tree *tree = w->tree;
    for (int k = 0; k < 3; k++)
        w->origins[0][k] = tree->origin[k] = w->bvh->whole[0][k][0];
    w->order[0] = 0;
    tree->node_count = 1;
    for (uint32_t n = 0; n < tree->node_count; n++) {
        if (grz_control_expired_at(control, n, CHECK_BITS))
            return false;
        prefetch_ahead(w, n);
        pack_node(w, n);
    }
    return true;
}

static bool holds_floats(const grz_mesh *mesh)
{
    const size_t count = 3 * (size_t)mesh->vertex_count;
    for (size_t i = 0; i < count; i++)
        if ((double)(float)mesh->positions[i] != mesh->positions[i])
            return false;
    return true;
}

static size_t block_size(uint32_t node_count)
{
    return (size_t)node_count * sizeof(grz_packed_node) + GRZ_PACKED_LINE;
}

static void tree_destroy(grz_packed_tree *tree, uint32_t node_count, uint32_t leaf_count,
                         const grz_allocator *allocator)
{
    grz_release(allocator, tree->block, block_size(node_count), 1);
    grz_release(allocator, tree->corners, leaf_count, sizeof *tree->corners);
    grz_release(allocator, tree->vertices, leaf_count, sizeof *tree->vertices);
    grz_release(allocator, tree, 1, sizeof *tree);
}

static grz_packed_tree *pack(const grz_mesh *mesh, const grz_bvh *bvh, grz_control *control)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    work w = {.mesh = mesh, .bvh = bvh, .tree = grz_allocate_zeroed(allocator, 1, sizeof *w.tree)};
    if (w.tree == NULL)
        return NULL;
    w.order = grz_allocate(allocator, bvh->node_count, sizeof *w.order);
    w.origins = grz_allocate(allocator, bvh->node_count, sizeof *w.origins);
    w.tree->block = grz_allocate(allocator, block_size(bvh->node_count), 1);
    if (holds_floats(mesh))
        w.tree->corners = grz_allocate(allocator, bvh->triangle_count, sizeof *w.tree->corners);
    else
        w.tree->vertices = grz_allocate(allocator, bvh->triangle_count, sizeof *w.tree->vertices);
    bool done = w.order != NULL && w.origins != NULL && w.tree->block != NULL &&
                (w.tree->corners != NULL || w.tree->vertices != NULL);
    if (done) {
        const size_t past = (uintptr_t)w.tree->block % GRZ_PACKED_LINE;
        w.tree->nodes = (void *)((char *)w.tree->block + (past > 0 ? GRZ_PACKED_LINE - past : 0));
        done = pack_nodes(&w, control);
    }
    grz_release(allocator, w.order, bvh->node_count, sizeof *w.order);
    grz_release(allocator, w.origins, bvh->node_count, sizeof *w.origins);
    if (done)
        return w.tree;
    tree_destroy(w.tree, bvh->node_count, bvh->triangle_count, allocator);
    return NULL;
}

// ---- With the mesh --------------------------------------------------------------------------------------------------

static void forget(packing *p, const grz_allocator *allocator)
{
    grz_packed_tree *tree = atomic_load_explicit(&p->tree, memory_order_relaxed);
    if (tree != NULL)
        tree_destroy(tree, tree->node_count, tree->leaf_count, allocator);
    atomic_store_explicit(&p->tree, NULL, memory_order_relaxed);
    atomic_store_explicit(&p->rays, 0, memory_order_relaxed);
}

static void packing_release(const grz_mesh *mesh, void *state)
{
    if (state == NULL)
        return;
    forget(state, mesh->allocator);
    grz_release(mesh->allocator, state, 1, sizeof(packing));
}

// There are new positions: what was packed is out of date.
static grz_status packing_prepare(const grz_mesh *mesh, grz_control *control, void **state, grz_error *error)
{
    if (*state == NULL)
        *state = grz_allocate_zeroed(grz_control_allocator(control), 1, sizeof(packing));
    if (*state == NULL)
        return grz_control_explain(control, GRZ_ERROR_MEMORY, "pick", error);
    forget(*state, mesh->allocator);
    return GRZ_OK;
}

static const grz_slot_type slot_type = {.prepare = packing_prepare, .release = packing_release};

grz_status grz_packed_tree_get(const grz_mesh *mesh, const grz_bvh *bvh, uint64_t rays, grz_control *control,
                               const grz_packed_tree **tree, grz_error *error)
{
    void *state;
    *tree = NULL;
    const grz_status status = grz_mesh_slot_get(mesh, &slot_type, control, &state, error);
    if (status != GRZ_OK)
        return status;
    packing *p = state;
    *tree = atomic_load_explicit(&p->tree, memory_order_acquire);
    if (*tree != NULL)
        return GRZ_OK;
    const uint64_t sum = rays + atomic_fetch_add_explicit(&p->rays, rays, memory_order_relaxed);
    if (sum < bvh->node_count / NODES_PER_RAY || atomic_exchange_explicit(&p->busy, true, memory_order_acquire))
        return GRZ_OK;
    grz_packed_tree *packed = atomic_load_explicit(&p->tree, memory_order_relaxed);
    if (packed == NULL) {
        packed = pack(mesh, bvh, control);
        atomic_store_explicit(&p->tree, packed, memory_order_release);
        atomic_store_explicit(&p->rays, 0, memory_order_relaxed); // after a failure it is tried again, but not at once
    }
    atomic_store_explicit(&p->busy, false, memory_order_release);
    *tree = packed;
    return GRZ_OK;
}

// ---- Rays -----------------------------------------------------------------------------------------------------------

void grz_packed_frame_set(grz_packed_frame *frame, const grz_distance_frames *frames)
{
    *frame = (grz_packed_frame){.is_straight = true, .scale = frames->scale};
    frame->reach = fmax(frames->trees[0].bvh->max_abs, 1.0);
    for (int i = 0; i < 3; i++) {
        const grz_distance_row *row = &frames->frames[0].maps[0].rows[i];
        frame->is_straight = frame->is_straight && row->only == i;
        frame->factor[i] = (double)row->m[i];
        frame->shift[i] = (double)row->m[3];
        frame->margin[i] = (double)row->margin;
        frame->middle[i] = frames->middle[i];
        frame->size += fabs(frames->middle[i]) * frames->scale;
        for (int k = 0; k < 3; k++)
            frame->columns[k][i] = frames->frames[0].axes[i][k];
    }
}

const grz_packed_steps *grz_packed_steps_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, &grz_packed_steps_of);
}
