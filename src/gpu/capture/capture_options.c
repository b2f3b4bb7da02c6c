// SPDX-License-Identifier: MIT
// The default options of a capture. Also part of builds without OpenGL.
#include "gpu/capture/capture_options.h"

#include "base/fail.h"
#include "base/options.h"

static const grz_capture_options defaults = {
    .size = sizeof(grz_capture_options), .triangles = 4096, .flags = GRZ_MESH_INDEX_ONLY};
static const grz_options_type options_type = GRZ_OPTIONS_TYPE(capture_options, varying, defaults);

void grz_capture_options_init(grz_capture_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

grz_status grz_capture_options_read(const grz_capture_options *given, grz_capture_options *out, grz_error *error)
{
    grz_status status = GRZ_OK;
    *out = defaults;
    if (given != NULL)
        status = grz_options_read(&options_type, "capture", given, out, error);
    if (out->varying == NULL)
        out->varying = "grz_position";
    if (status == GRZ_OK && out->varying[0] == '\0')
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "capture: options.varying is empty");
    if (status == GRZ_OK && (out->flags & ~((uint32_t)GRZ_MESH_INDEX_ONLY | (uint32_t)GRZ_MESH_FAST_BUILD)) != 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "capture: options.flags are unknown: 0x%x",
                        out->flags);
    return status;
}
