// SPDX-License-Identifier: MIT
// In place of this folder's other files, but device_open.c, in builds without OpenGL.
#include "base/fail.h"
#include "gl/device_open.h"

grz_status grz_gl_attach(grz_device *device, const grz_device_options *options, grz_error *error)
{
    (void)device;
    if (options->kind == GRZ_DEVICE_AUTO)
        return GRZ_OK;
    return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "device: OpenGL is not in this build");
}

uint32_t grz_renderer_count(void)
{
    return 0;
}

grz_status grz_renderer_info(uint32_t index, grz_renderer *renderer, grz_error *error)
{
    if (renderer == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "renderer: the place for the answer is NULL");
    *renderer = (grz_renderer){.software = false};
    return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "renderer: no number %u, OpenGL is not in this build", index);
}

grz_status grz_device_renderer(grz_device *device, grz_renderer *renderer, grz_error *error)
{
    if (device == NULL || renderer == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "renderer: the device or the place for the answer is NULL");
    *renderer = (grz_renderer){.software = false};
    return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "renderer: OpenGL is not in this build");
}
