// SPDX-License-Identifier: MIT
// A device: the CPU's part, then what it has besides.
#include "gl/device_open.h"

#include "base/fail.h"

grz_status grz_device_open(const grz_device_options *options, grz_device **device, grz_error *error)
{
    const grz_device_options defaults = grz_default_device_options();
    if (device == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "device: no place to put it (device is NULL)");
    if (options == NULL)
        options = &defaults;
    grz_status status = grz_device_open_cpu(options, device, error);
    if (status != GRZ_OK || options->kind == GRZ_DEVICE_CPU)
        return status;
    status = grz_gl_attach(*device, options, error);
    if (status != GRZ_OK) {
        grz_device_close(*device);
        *device = NULL;
    }
    return status;
}
