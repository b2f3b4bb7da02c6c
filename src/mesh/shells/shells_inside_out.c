// SPDX-License-Identifier: MIT
// By signs of exact volumes, and boxes.
#include "mesh/shells/shells_inside_out.h"

#include "base/control.h"
#include "mesh/shells/shell_groups.h"

enum {
    CHECK_BITS = 8 // groups between two checks of the control, as a power of two
};

// *outwards receives the box around all groups wound outwards.
static grz_status find_signs(const grz_shell_groups *groups, grz_control *control, int8_t *signs, grz_box *outwards)
{
    *outwards = grz_box_empty();
    for (uint32_t g = 0; g < groups->count; g++) {
        if (grz_control_expired_at(control, g, CHECK_BITS))
            return grz_control_status(control);
        signs[g] = groups->balanced[g] ? (int8_t)grz_shell_group_sign(groups, g) : 0;
        if (signs[g] > 0) {
            const grz_box box = grz_shell_group_box(groups, g);
            grz_box_add_box(outwards, &box);
        }
    }
    return grz_control_status(control);
}

grz_status grz_shells_find_inside_out(const grz_shell_edges *edges, const uint32_t *of_faces, uint32_t count,
                                      grz_control *control, bool *inside_out)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    grz_shell_groups groups;
    grz_box outwards;
    int8_t *signs = grz_allocate(allocator, count, sizeof *signs);
    grz_status status = grz_shell_groups_init(&groups, edges, of_faces, count, control);
    if (status == GRZ_OK)
        status = signs != NULL ? find_signs(&groups, control, signs, &outwards) : GRZ_ERROR_MEMORY;
    for (uint32_t g = 0; g < count && status == GRZ_OK; g++)
        if (signs[g] < 0) {
            const grz_box box = grz_shell_group_box(&groups, g);
            signs[g] = grz_shell_box_holds(&outwards, &box) ? 0 : -1;
        }
    for (uint32_t f = 0; f < edges->mesh->face_count && status == GRZ_OK; f++)
        inside_out[f] = signs[of_faces[f]] < 0;
    grz_shell_groups_finish(allocator, &groups);
    grz_release(allocator, signs, count, sizeof *signs);
    return status;
}
