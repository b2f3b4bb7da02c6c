// SPDX-License-Identifier: MIT
// Opens a device: first the CPU part (base/device.h), then OpenGL if the options ask for it.
#include "gl/device_open.h"

#include "base/fail.h"

grz_status grz_device_open(const grz_device_options *options, grz_device **device, grz_error *error)
{
    grz_device_options read;
    if (device == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "device: no place to put it (device is NULL)");
    *device = NULL;
    grz_status status = grz_device_options_read(options, &read, error);
    if (status == GRZ_OK)
        status = grz_device_open_cpu(&read, device, error);
    if (status != GRZ_OK || read.kind == GRZ_DEVICE_CPU)
        return status;
    status = grz_gl_attach(*device, &read, error);
    if (status != GRZ_OK) {
        grz_device_close(*device);
        *device = NULL;
    }
    return status;
}
