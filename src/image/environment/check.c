// SPDX-License-Identifier: MIT
// Which environments are refused.
#include "base/fail.h"
#include "image/environment/environment.h"
#include "mesh/mesh.h"
#include "mesh/object_check.h"

grz_status grz_environment_check(const char *call, const grz_environment *environment, const grz_device *device,
                                 grz_error *error)
{
    grz_status status = GRZ_OK;
    if (environment->object_count > 0 && environment->objects == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "%s: environment.objects is NULL", call);
    if (environment->object_count > UINT32_MAX)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "%s: more than 2^32 - 1 objects", call);
    if ((environment->record & ~(GRZ_RECORD_IDS | GRZ_RECORD_NORMALS)) != 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "%s: bits in environment.record that are unknown: 0x%x", call, environment->record);
    for (uint64_t i = 0; i < environment->object_count && status == GRZ_OK; i++) {
        const grz_object *other = &environment->objects[i];
        status = grz_object_check(call, other, "an object of the environment", i, error);
        if (status == GRZ_OK && other->mesh->device != device)
            status = grz_fail(error, GRZ_ERROR_ARGUMENT, i,
                              "%s: the mesh of object %llu of the environment is of another device", call,
                              (unsigned long long)i);
    }
    return status;
}
