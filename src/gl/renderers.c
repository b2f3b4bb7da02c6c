// SPDX-License-Identifier: MIT
// The renderers that there are, and the one of a device. To describe one, a device is opened on it.
#include <stdio.h>

#include "base/fail.h"
#include "gl/gl_parts.h"

grz_status grz_device_renderer(grz_device *device, grz_renderer *renderer, grz_error *error)
{
    grz_gl *gl;
    if (device == NULL || renderer == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "renderer: the device or the place for the answer is NULL");
    *renderer = (grz_renderer){.software = false};
    grz_status status = grz_gl_enter(device, "renderer", &gl, error);
    if (status != GRZ_OK)
        return status;
    renderer->software = gl->context.software;
    snprintf(renderer->platform, sizeof renderer->platform, "%s", gl->adopted ? "the caller's" : gl->context.platform);
    grz_gl_describe(renderer);
    return grz_gl_leave(gl, GRZ_OK, error);
}

uint32_t grz_renderer_count(void)
{
    return grz_context_count();
}

grz_status grz_renderer_info(uint32_t index, grz_renderer *renderer, grz_error *error)
{
    grz_device_options options = grz_default_device_options();
    grz_device *device;
    grz_error problem;
    if (renderer == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "renderer: the place for the answer is NULL");
    *renderer = (grz_renderer){.software = false};
    if (index >= grz_context_count())
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "renderer: no number %u, there are %u", index,
                        grz_context_count());
    options.threads = 1;
    options.kind = GRZ_DEVICE_GL;
    options.renderer = index;
    grz_status status = grz_device_open(&options, &device, &problem);
    if (status == GRZ_OK)
        status = grz_device_renderer(device, renderer, &problem);
    if (status != GRZ_OK)
        snprintf(renderer->problem, sizeof renderer->problem, "%s", problem.message);
    grz_context_platform(index, renderer->platform, sizeof renderer->platform, &renderer->software);
    grz_device_close(device);
    return GRZ_OK;
}
