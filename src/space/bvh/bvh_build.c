// SPDX-License-Identifier: MIT
// Builds the hierarchy of a mesh: axes and coordinates, cells of triangles (bvh_cells.c), the nodes over them
// (bvh_nodes.c), on several threads if there are many (shared.c).
#include "base/control.h"
#include "base/device.h"
#include "base/fail.h"
#include "space/bvh/bvh_parts.h"

enum {
    MAX_TRIANGLES = INT32_MAX - 1
};

// Make the cells of the mesh, and one range of all of them.
static grz_status make_range(grz_build *build, const grz_mesh *mesh, grz_range *all)
{
    const grz_status status =
        grz_bvh_cells(build->bvh, mesh, build->control, build->items, &build->cells, &build->cell_count);
    if (status == GRZ_OK)
        *all = grz_build_whole(build);
    return status;
}

static bool build_nodes(grz_build *build, const grz_range *all, grz_device *device)
{
    const grz_build_entry root = {*all, 0, 0};
    if (grz_device_threads(device) > 1 && build->total >= GRZ_BVH_SHARED)
        return grz_build_shared(build, &root, device);
    return grz_bvh_reserve(build->bvh, build->allocator, build->total / 5 + GRZ_BVH_WIDTH) &&
           grz_build_below(build, &root) && grz_bvh_resize(build->bvh, build->allocator, build->bvh->node_count);
}

grz_status grz_bvh_build(const grz_mesh *mesh, grz_control *control, grz_bvh **out, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const uint32_t count = mesh->triangle_count;
    grz_status status = GRZ_ERROR_MEMORY;
    grz_range all;
    if (count > MAX_TRIANGLES)
        return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                        "bvh: %u triangles, this method takes at most 2^31 - 2", count);
    grz_build build = {.control = control, .allocator = allocator, .total = count};
    build.fast = (mesh->flags & GRZ_MESH_FAST_BUILD) != 0;
    build.bvh = grz_allocate_zeroed(allocator, 1, sizeof *build.bvh);
    build.items = grz_allocate(allocator, count, sizeof *build.items);
    if (build.bvh != NULL && build.items != NULL) {
        build.bvh->triangle_count = count;
        grz_bvh_choose_axes(build.bvh, mesh, NULL, count);
        status = make_range(&build, mesh, &all);
    }
    if (status == GRZ_OK && !build_nodes(&build, &all, mesh->device))
        status = grz_control_status(control) != GRZ_OK ? grz_control_status(control) : GRZ_ERROR_MEMORY;
    grz_release(allocator, build.items, count, sizeof *build.items);
    grz_release(allocator, build.cells, build.cell_count, sizeof *build.cells);
    if (status == GRZ_OK) {
        grz_bvh_measure_root(build.bvh);
        *out = build.bvh;
        return GRZ_OK;
    }
    if (build.bvh != NULL)
        grz_bvh_finish(build.bvh, allocator);
    return grz_control_explain(control, status, "bvh", error);
}
