// SPDX-License-Identifier: MIT
// The box of an object, for callers.
#include <string.h>

#include <graze/object.h>

#include "base/fail.h"
#include "base/fp_guard.h"
#include "geometry/pose.h"
#include "mesh/mesh.h"

grz_status grz_object_bounds(const grz_object *object, double min[3], double max[3], grz_error *error)
{
    if (object == NULL || object->mesh == NULL || min == NULL || max == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "bounds: %s NULL",
                        object == NULL         ? "object is"
                        : object->mesh == NULL ? "the object's mesh is"
                                               : "min or max is");
    grz_error inner = {.code = GRZ_OK};
    const grz_fp_state fp = grz_fp_enter();
    const grz_status status = grz_pose_check(&object->pose, object->mesh->max_abs, &inner);
    if (status == GRZ_OK) {
        const grz_box box = grz_world_box(&object->pose, &object->mesh->bounds);
        memcpy(min, box.min, sizeof box.min);
        memcpy(max, box.max, sizeof box.max);
    }
    grz_fp_leave(fp);
    return status == GRZ_OK ? GRZ_OK : grz_fail(error, status, GRZ_NO_ELEMENT, "bounds: %s", inner.message);
}
