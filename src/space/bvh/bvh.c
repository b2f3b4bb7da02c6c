// SPDX-License-Identifier: MIT
// Keeps a hierarchy with its mesh: memory, and refitting for new positions. A refit goes once through the nodes from
// the last to the first, because children come after their parents. If refits have made the boxes too large, the tree
// is built again.
#include "space/bvh/bvh.h"

#include <assert.h>

#include "base/control.h"
#include "base/device.h"
#include "space/bvh/fans.h"
#include "space/bvh/bvh_parts.h"
#include "space/bvh/slabs.h"

enum {
    LOOK_EVERY = 1 << 10, // nodes of a refit between two checks of the control
    SPREAD_NODES = 2048,  // nodes, about, in the sample of spread_of()
    // A build takes about as long as this many refits. So rebuilding at most doubles the time of refits.
    REFITS_A_BUILD = 8
};

static const double WORN = 2.0; // a tree whose spread has grown by this factor is built again

grz_box grz_bvh_child_box(const grz_bvh *bvh, uint32_t node, int i)
{
    assert(node < bvh->node_count && 0 <= i && i < GRZ_BVH_WIDTH);
    const grz_bvh_node *n = &bvh->nodes[node];
    grz_box box;
    if (bvh->turned)
        return grz_bvh_turned_child_box(bvh, node, i);
    for (int axis = 0; axis < 3; axis++) {
        box.min[axis] = bvh->origin[axis] + (double)n->bounds[0][axis][i] * bvh->unit - bvh->margin[axis];
        box.max[axis] = bvh->origin[axis] + (double)n->bounds[1][axis][i] * bvh->unit + bvh->margin[axis];
    }
    return box;
}

static void bvh_release(const grz_mesh *mesh, void *state)
{
    if (state != NULL)
        grz_bvh_finish(state, mesh->allocator);
}

bool grz_bvh_refit(grz_bvh *bvh, const grz_mesh *mesh, grz_control *control)
{
    grz_bvh_refitter *const refit = grz_bvh_refitter_for(grz_device_simd(mesh->device));
    assert(bvh->node_count > 0 && bvh->triangle_count <= mesh->triangle_count);
    grz_bvh_choose_coordinates(bvh, mesh);
    for (uint32_t end = bvh->node_count; end > 0;) {
        const uint32_t first = (end - 1) / LOOK_EVERY * LOOK_EVERY;
        if (grz_control_expired(control))
            return false;
        refit(bvh, mesh, first, end);
        if (first > 0)
            grz_control_report_progress(control, 1.0 - (double)first / bvh->node_count);
        end = first;
    }
    grz_bvh_measure_root(bvh);
    return true;
}

static double half_area(const double size[3])
{
    return size[0] * size[1] + size[1] * size[2] + size[2] * size[0];
}

// The sum of the areas of the children's boxes, over a sample of about SPREAD_NODES nodes, divided by the root's area.
// This is the cost of a walk in the surface area heuristic. NaN or infinite if the root has no area.
static double spread_of(const grz_bvh *bvh)
{
    const uint32_t stride = 1 + bvh->node_count / SPREAD_NODES;
    double whole[3], sum = 0.0;
    for (int axis = 0; axis < 3; axis++)
        whole[axis] = (double)bvh->whole[1][axis][0] - (double)bvh->whole[0][axis][0];
    for (uint32_t n = 0; n < bvh->node_count; n += stride) {
        const grz_bvh_node *node = &bvh->nodes[n];
        for (int i = 0; i < GRZ_BVH_WIDTH && node->child[i] != GRZ_BVH_NONE; i++) {
            double size[3];
            for (int axis = 0; axis < 3; axis++)
                size[axis] = (double)node->bounds[1][axis][i] - (double)node->bounds[0][axis][i];
            sum += half_area(size);
        }
    }
    return sum / half_area(whole);
}

static grz_status refit(grz_bvh *bvh, const grz_mesh *mesh, grz_control *control, grz_error *error)
{
    grz_bvh_forget_slabs(bvh, mesh->allocator);
    grz_bvh_forget_fans(bvh, mesh->allocator);
    if (!grz_bvh_refit(bvh, mesh, control))
        return grz_control_explain(control, grz_control_status(control), "bvh", error);
    bvh->refits++;
    bvh->worn = bvh->refits >= REFITS_A_BUILD && spread_of(bvh) > WORN * bvh->spread;
    if (bvh->refits % REFITS_A_BUILD == 0 && grz_bvh_lies_askew(bvh, mesh))
        bvh->worn = true;
    return GRZ_OK;
}

static grz_status bvh_prepare(const grz_mesh *mesh, grz_control *control, void **state, grz_error *error)
{
    grz_bvh *const old = *state, *bvh = NULL;
    grz_error failure = {.code = GRZ_OK};
    if (old != NULL && !old->worn)
        return refit(old, mesh, control, error);
    const grz_status status = grz_bvh_build(mesh, control, &bvh, &failure);
    if (status == GRZ_OK) {
        bvh->spread = spread_of(bvh);
        bvh_release(mesh, old);
        *state = bvh;
        return GRZ_OK;
    }
    if (old != NULL && status == GRZ_ERROR_MEMORY) { // refitting the old tree needs no memory
        grz_control_clear(control, GRZ_ERROR_MEMORY);
        return refit(old, mesh, control, error);
    }
    if (error != NULL)
        *error = failure;
    return status;
}

const grz_slot_type grz_bvh_slot_type = {.prepare = bvh_prepare, .release = bvh_release};

grz_status grz_mesh_bvh(const grz_mesh *mesh, grz_control *control, const grz_bvh **bvh, grz_error *error)
{
    void *state = NULL;
    grz_status status = grz_mesh_slot_get(mesh, &grz_bvh_slot_type, control, &state, error);
    *bvh = state;
    return status;
}

grz_bvh_refitter *grz_bvh_refitter_for(grz_simd simd)
{
    return GRZ_SIMD_PICK(simd, grz_bvh_refit);
}
