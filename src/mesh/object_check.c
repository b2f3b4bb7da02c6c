// SPDX-License-Identifier: MIT
// Checks what a caller gave: an object has a mesh, and its pose keeps all positions finite (geometry/pose.h); points
// are finite and in range.
#include "mesh/object_check.h"

#include <math.h>

#include "base/control.h"
#include "base/fail.h"
#include "geometry/pose.h"
#include "mesh/mesh.h"

enum {
    LOOK_BITS = 16 // points between two checks of the control, as a power of two
};

grz_status grz_object_check(const char *name, const grz_object *object, const char *what, uint64_t element,
                            grz_error *error)
{
    if (object == NULL || object->mesh == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, element, "%s: %s or its mesh is NULL", name, what);
    if (grz_pose_check(&object->pose, object->mesh->max_abs, NULL) == GRZ_OK)
        return GRZ_OK;
    grz_error inner = {.code = GRZ_OK};
    const grz_status status = grz_pose_check(&object->pose, object->mesh->max_abs, &inner);
    return grz_fail(error, status, element, "%s: %s", what, inner.message);
}

grz_status grz_points_check(const char *name, const double *points, uint64_t count, grz_control *control,
                            grz_error *error)
{
    for (uint64_t i = 0; i < count; i++) {
        if (grz_control_expired_at(control, (size_t)i, LOOK_BITS))
            return grz_control_explain(control, grz_control_status(control), name, error);
        for (int axis = 0; axis < 3; axis++) {
            const double x = points[3 * i + (uint64_t)axis];
            if (!isfinite(x))
                return grz_fail(error, GRZ_ERROR_ARGUMENT, i, "%s: point %llu: %c is not finite", name,
                                (unsigned long long)i, "xyz"[axis]);
            if (fabs(x) > GRZ_MAX_COORDINATE)
                return grz_fail(error, GRZ_ERROR_ARGUMENT, i,
                                "%s: point %llu: %c is %g, larger than 2^300 in magnitude", name, (unsigned long long)i,
                                "xyz"[axis], x);
        }
    }
    return GRZ_OK;
}
