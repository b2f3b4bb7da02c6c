// SPDX-License-Identifier: MIT
// Picking by OpenGL in builds without it: there is none.
#include "base/fail.h"
#include "gpu/picking/picking.h"

grz_status grz_number_picture_draw(grz_device *device, const grz_number_picture *picture, grz_control *control,
                                   grz_error *error)
{
    (void)device;
    (void)picture;
    (void)control;
    return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "pick image: OpenGL is not in this build");
}

grz_status grz_region_propose(grz_device *device, const grz_object *object, const grz_region *region,
                              grz_control *control, grz_triangle_list *list, grz_error *error)
{
    (void)device;
    (void)object;
    (void)region;
    (void)control;
    (void)list;
    return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "region: OpenGL is not in this build");
}
