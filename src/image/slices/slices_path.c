// SPDX-License-Identifier: MIT
// grz_slices_path(): two moving objects by method `slices`. Checks the arguments and makes two objects of every step.
#include <graze/slices.h>

#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "image/slices/slices_options.h"
#include "image/slices/slices.h"
#include "mesh/object_check.h"

grz_status grz_slices_path(grz_device *device, const grz_mesh *a, const grz_pose *poses_a, const grz_mesh *b,
                           const grz_pose *poses_b, uint64_t count, const grz_slices_options *options,
                           grz_slices_path_answer *answer, grz_error *error)
{
    grz_slices_options read;
    if (device == NULL || a == NULL || b == NULL || answer == NULL ||
        (count > 0 && (poses_a == NULL || poses_b == NULL)))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "slices path: the device, a mesh, the poses or the place for the answer is NULL");
    *answer = (grz_slices_path_answer){.first = count};
    grz_status status = grz_slices_options_read("slices path", options, &read, error);
    if (status != GRZ_OK)
        return status;
    if (a->device != device || b->device != device)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "slices path: a mesh is of another device");
    if (count == 0)
        return GRZ_OK;
    const grz_allocator *allocator = grz_device_allocator(device);
    grz_object *objects = count < SIZE_MAX / 4 ? grz_allocate(allocator, 2 * (size_t)count, sizeof *objects) : NULL;
    if (objects == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "slices path: out of memory for %llu steps",
                        (unsigned long long)count);
    grz_call call;
    status = grz_call_begin(&call, "slices path", device, NULL, NULL, NULL, error);
    for (uint64_t i = 0; i < 2 * count && status == GRZ_OK; i++) {
        objects[i] = grz_object_at_origin(i % 2 == 0 ? a : b);
        objects[i].pose = (i % 2 == 0 ? poses_a : poses_b)[i / 2];
        status = grz_object_check("slices path", &objects[i], i % 2 == 0 ? "object A" : "object B", i / 2, error);
    }
    if (status == GRZ_OK)
        status = grz_slices_follow(device, objects, (size_t)count, &read, &call.control, answer, error);
    grz_release(allocator, objects, 2 * (size_t)count, sizeof *objects);
    return grz_call_end(&call, status);
}
