// SPDX-License-Identifier: MIT
// Building and refitting the hierarchy. Build: top down, each node cut where the binned surface area heuristic is smallest, in
// halves by number where all centres coincide or the tree grows too deep. Refit: one sweep from the last node to the first, as
// children stand after their parents. Source: I. Wald, "On fast construction of SAH-based bounding volume hierarchies" (2007).
#include <math.h>

#include "base/fail.h"
#include "space/bvh.h"
#include "space/triangles.h"

enum {
    BINS = 16,
    HEURISTIC_DEPTH = 60,     // deeper nodes are halved by number: at most 32 levels more
    MAX_TRIANGLES = INT32_MAX // a tree has fewer than twice as many nodes, and they are numbered in 32 bits
};

typedef struct grz_build {
    grz_bvh *bvh;
    grz_control *control;
    const grz_box *boxes; // of all triangles
    uint32_t placed;      // triangles in finished leaves
} grz_build;

enum {
    LOOK_EVERY = 1 << 12,  // nodes or triangles between two looks at the control
    LOOK_WITHIN = 1 << 15, // triangles of one large node likewise
};

typedef struct grz_build_item {
    uint32_t node, first, count, depth;
} grz_build_item;

typedef struct grz_bin {
    grz_box box;
    uint32_t count;
} grz_bin;

// Where to cut a node: triangles whose centre's bin along `axis` is below `bin` go left.
typedef struct grz_cut {
    int axis; // -1: nowhere
    uint32_t bin;
    double low, scale;
} grz_cut;

// Whether the build is to end, while a loop is at its step `i`. Small nodes never ask.
static bool ends_at(const grz_build *build, uint32_t i)
{
    return i % LOOK_WITHIN == LOOK_WITHIN - 1 && grz_control_expired(build->control);
}

// Twice the centre of a box along an axis.
static double centre(const grz_box *box, int axis)
{
    return box->min[axis] + box->max[axis];
}

// Half a box's surface, as a share of 1/extent² so that nothing overflows or vanishes.
static double half_surface(const grz_box *box, double unit)
{
    double x = (box->max[0] - box->min[0]) * unit, y = (box->max[1] - box->min[1]) * unit, z = (box->max[2] - box->min[2]) * unit;
    return x * y + y * z + z * x;
}

static uint32_t bin_of(const grz_cut *cut, const grz_box *box)
{
    double position = (centre(box, cut->axis) - cut->low) * cut->scale;
    return position < 0.0 ? 0 : position >= BINS - 1 ? BINS - 1 : (uint32_t)position;
}

// The cheapest cut among the bins of one axis: the cost of the best is returned, HUGE_VAL if none parts the triangles.
static double best_cut_of_bins(const grz_bin *bins, double unit, uint32_t *best)
{
    double right_cost[BINS], best_cost = HUGE_VAL;
    grz_box box = grz_box_empty();
    uint32_t count = 0;
    for (int i = BINS - 1; i > 0; i--) {
        if (bins[i].count > 0)
            grz_box_add_box(&box, &bins[i].box);
        count += bins[i].count;
        right_cost[i] = count > 0 ? half_surface(&box, unit) * count : -1.0;
    }
    box = grz_box_empty();
    count = 0;
    for (uint32_t i = 1; i < BINS; i++) {
        if (bins[i - 1].count > 0)
            grz_box_add_box(&box, &bins[i - 1].box);
        count += bins[i - 1].count;
        if (count == 0 || right_cost[i] < 0.0)
            continue;
        double cost = half_surface(&box, unit) * count + right_cost[i];
        if (cost < best_cost) {
            best_cost = cost;
            *best = i;
        }
    }
    return best_cost;
}

static grz_cut choose_cut(const grz_build *build, const grz_build_item *item, const grz_box *centres)
{
    const uint32_t *order = build->bvh->order + item->first;
    grz_cut best = {.axis = -1};
    double best_cost = HUGE_VAL, largest = 0.0;
    const grz_box *box = &build->bvh->nodes[item->node].box;
    for (int axis = 0; axis < 3; axis++)
        largest = fmax(largest, box->max[axis] - box->min[axis]);
    const double unit = largest >= 0x1p-1000 ? 1.0 / largest : 1.0;
    for (int axis = 0; axis < 3; axis++) {
        const double extent = centres->max[axis] - centres->min[axis];
        grz_cut cut = {.axis = axis, .low = centres->min[axis], .scale = BINS / extent};
        if (!(extent > 0.0) || !isfinite(cut.scale))
            continue;
        grz_bin bins[BINS];
        for (int i = 0; i < BINS; i++)
            bins[i] = (grz_bin){.box = grz_box_empty(), .count = 0};
        for (uint32_t i = 0; i < item->count && !ends_at(build, i); i++) {
            const grz_box *triangle = &build->boxes[order[i]];
            grz_bin *bin = &bins[bin_of(&cut, triangle)];
            grz_box_add_box(&bin->box, triangle);
            bin->count++;
        }
        double cost = best_cut_of_bins(bins, unit, &cut.bin);
        if (cost < best_cost) {
            best_cost = cost;
            best = cut;
        }
    }
    return best;
}

// Put the triangles left of the cut first; returns how many they are.
static uint32_t partition(const grz_build *build, const grz_build_item *item, const grz_cut *cut)
{
    uint32_t *order = build->bvh->order + item->first;
    uint32_t left = 0, right = item->count;
    while (left < right && !ends_at(build, left + (item->count - right))) {
        if (bin_of(cut, &build->boxes[order[left]]) < cut->bin) {
            left++;
        } else {
            right--;
            uint32_t triangle = order[left];
            order[left] = order[right];
            order[right] = triangle;
        }
    }
    return left;
}

// Fill in a node; if it becomes an inner one, return true and its two children to do.
static bool build_node(grz_build *build, const grz_build_item *item, grz_build_item children[2])
{
    grz_bvh *bvh = build->bvh;
    grz_bvh_node *node = &bvh->nodes[item->node];
    grz_box centres = grz_box_empty();
    node->box = grz_box_empty();
    for (uint32_t i = 0; i < item->count && !ends_at(build, i); i++) {
        const grz_box *box = &build->boxes[bvh->order[item->first + i]];
        const double middle[3] = {centre(box, 0), centre(box, 1), centre(box, 2)};
        grz_box_add_box(&node->box, box);
        grz_box_add_point(&centres, middle);
    }
    if (item->count <= GRZ_BVH_MAX_LEAF) {
        node->first = item->first;
        node->count = item->count;
        return false;
    }
    uint32_t left = item->count / 2;
    if (item->depth < HEURISTIC_DEPTH) {
        const grz_cut cut = choose_cut(build, item, &centres);
        if (cut.axis >= 0)
            left = partition(build, item, &cut);
    }
    node->first = bvh->node_count;
    node->count = 0;
    bvh->node_count += 2;
    children[0] = (grz_build_item){node->first, item->first, left, item->depth + 1};
    children[1] = (grz_build_item){node->first + 1, item->first + left, item->count - left, item->depth + 1};
    return true;
}

// False: the control says to end.
static bool build_nodes(grz_build *build)
{
    grz_build_item stack[GRZ_BVH_MAX_DEPTH + 2];
    size_t depth = 1;
    uint64_t work = 0, next_look = 0;
    stack[0] = (grz_build_item){0, 0, build->bvh->triangle_count, 0};
    build->bvh->node_count = 1;
    while (depth > 0) {
        const grz_build_item item = stack[--depth];
        grz_build_item children[2];
        work += item.count;
        if (work >= next_look) {
            if (grz_control_expired(build->control))
                return false;
            grz_control_tell(build->control, (double)build->placed / build->bvh->triangle_count);
            next_look = work + LOOK_EVERY;
        }
        const bool inner = build_node(build, &item, children);
        if (item.count > LOOK_WITHIN && grz_control_status(build->control) != GRZ_OK)
            return false; // the node is half done
        if (inner) {
            // The smaller half last, so that it comes off first and the stack stays short.
            int larger = children[0].count >= children[1].count ? 0 : 1;
            stack[depth++] = children[larger];
            stack[depth++] = children[1 - larger];
        } else {
            build->placed += item.count;
        }
    }
    return true;
}

static void bvh_release(const grz_mesh *mesh, void *state)
{
    grz_bvh *bvh = state;
    if (bvh == NULL)
        return;
    grz_release(mesh->allocator, bvh->nodes, bvh->node_capacity, sizeof *bvh->nodes);
    grz_release(mesh->allocator, bvh->order, bvh->triangle_count, sizeof *bvh->order);
    grz_release(mesh->allocator, bvh, 1, sizeof *bvh);
}

static grz_status bvh_build(const grz_mesh *mesh, grz_control *control, grz_bvh **out, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const uint32_t count = mesh->triangle_count;
    grz_status status = GRZ_ERROR_MEMORY;
    if (count > MAX_TRIANGLES)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "bvh: %u triangles, this method takes at most 2^31 - 1",
                        count);
    grz_bvh *bvh = grz_allocate_zeroed(allocator, 1, sizeof *bvh);
    grz_box *boxes = grz_allocate(allocator, count, sizeof *boxes);
    if (bvh == NULL)
        goto fail;
    bvh->triangle_count = count;
    if (boxes == NULL)
        goto fail;
    bvh->order = grz_allocate(allocator, count, sizeof *bvh->order);
    bvh->nodes = grz_allocate(allocator, 2 * (size_t)count, sizeof *bvh->nodes);
    bvh->node_capacity = 2 * count;
    if (bvh->order == NULL || bvh->nodes == NULL)
        goto fail;
    grz_build build = {.bvh = bvh, .control = control, .boxes = boxes};
    for (uint32_t i = 0; i < count && !ends_at(&build, i); i++) {
        boxes[i] = grz_world_triangle_box(mesh, NULL, i);
        bvh->order[i] = i;
    }
    if (grz_control_status(control) != GRZ_OK || !build_nodes(&build)) {
        status = grz_control_status(control);
        goto fail;
    }
    grz_release(allocator, boxes, count, sizeof *boxes);
    *out = bvh;
    return GRZ_OK;
fail:
    grz_release(allocator, boxes, count, sizeof *boxes);
    bvh_release(mesh, bvh);
    return grz_control_explain(control, status, "bvh", error);
}

// False: the control says to end; boxes are then a mixture, to be refitted again.
static bool bvh_refit(grz_bvh *bvh, const grz_mesh *mesh, grz_control *control)
{
    for (uint32_t n = bvh->node_count; n-- > 0;) {
        grz_bvh_node *node = &bvh->nodes[n];
        if (n % LOOK_EVERY == 0) {
            if (grz_control_expired(control))
                return false;
            grz_control_tell(control, 1.0 - (double)n / bvh->node_count);
        }
        if (node->count == 0) {
            node->box = bvh->nodes[node->first].box;
            grz_box_add_box(&node->box, &bvh->nodes[node->first + 1].box);
            continue;
        }
        node->box = grz_box_empty();
        for (uint32_t i = 0; i < node->count; i++) {
            const grz_box box = grz_world_triangle_box(mesh, NULL, bvh->order[node->first + i]);
            grz_box_add_box(&node->box, &box);
        }
    }
    return true;
}

static grz_status bvh_prepare(const grz_mesh *mesh, grz_control *control, void **state, grz_error *error)
{
    if (*state != NULL) {
        if (bvh_refit(*state, mesh, control))
            return GRZ_OK;
        return grz_control_explain(control, grz_control_status(control), "bvh", error);
    }
    grz_bvh *bvh = NULL;
    grz_status status = bvh_build(mesh, control, &bvh, error);
    *state = bvh;
    return status;
}

const grz_slot_type grz_bvh_slot_type = {.prepare = bvh_prepare, .release = bvh_release};

grz_status grz_mesh_bvh(const grz_mesh *mesh, grz_control *control, const grz_bvh **bvh, grz_error *error)
{
    void *state = NULL;
    grz_status status = grz_mesh_slot_get(mesh, GRZ_SLOT_BVH, &grz_bvh_slot_type, control, &state, error);
    *bvh = state;
    return status;
}
