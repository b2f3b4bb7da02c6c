// SPDX-License-Identifier: MIT
#include "space/structures/structure_build.h"

#include "base/control.h"

#include <assert.h>

enum {
    LOOK_BITS = 8,  // cells between two checks of the control, as a power of two
    MOST_COPIES = 8 // of each triangle, on average
};

// The most entries that a cut may make of one.
static const double MOST_OF_ONE = 1.7;

// Put all triangles into one list. False: there is no memory.
static bool begin(grz_structure_build *build)
{
    const grz_mesh *mesh = build->mesh;
    build->boxes = grz_allocate(build->allocator, mesh->triangle_count, sizeof *build->boxes);
    if (build->boxes == NULL || !grz_array_reserve(build->allocator, &build->work, mesh->triangle_count))
        return false;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        build->boxes[i] = grz_world_triangle_box(mesh, NULL, i);
        build->work.items[build->work.count++] = i;
    }
    return true;
}

grz_status grz_structure_prepare(const grz_structure_maker *maker, const grz_mesh *mesh, grz_control *control,
                                 void **state, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    grz_structure_build build = {.mesh = mesh, .control = control, .allocator = allocator};
    if (*state != NULL)
        maker->release(mesh, *state);
    *state = grz_allocate_zeroed(allocator, 1, maker->size);
    const bool made = *state != NULL && begin(&build) && maker->make(&build, *state);
    grz_release(allocator, build.boxes, mesh->triangle_count, sizeof *build.boxes);
    grz_array_finish(allocator, &build.work);
    if (made)
        return GRZ_OK;
    const grz_status status = grz_control_status(control);
    return grz_control_explain(control, status != GRZ_OK ? status : GRZ_ERROR_MEMORY, maker->what, error);
}

bool grz_structure_build_ended(grz_structure_build *build)
{
    return grz_control_expired_at(build->control, build->steps++, LOOK_BITS);
}

bool grz_structure_build_may_cut(size_t count, size_t total, double *copies)
{
    const double more = (double)total - (double)count;
    if ((double)total > MOST_OF_ONE * (double)count || more > *copies)
        return false;
    *copies -= more;
    return true;
}

double grz_structure_build_copies(const grz_structure_build *build)
{
    return (double)MOST_COPIES * (double)build->mesh->triangle_count;
}

bool grz_structure_build_leaf(grz_structure_build *build, grz_near_list *items, size_t first)
{
    assert(first <= build->work.count);
    if (build->work.count - first > UINT32_MAX - items->count) // places in the list are 32-bit numbers
        return false;
    return grz_near_list_append(items, build->work.items + first, build->work.count - first, build->allocator);
}
