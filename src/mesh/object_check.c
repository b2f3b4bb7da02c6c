// SPDX-License-Identifier: MIT
// Checks an object that a caller gave: it has a mesh, and its pose keeps all positions finite (geometry/pose.h).
#include "mesh/object_check.h"

#include "base/fail.h"
#include "geometry/pose.h"
#include "mesh/mesh.h"

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
