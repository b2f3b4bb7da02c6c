// SPDX-License-Identifier: MIT
// The default options of method `selection`. Also part of builds without OpenGL.
#include "image/selection/selection_options.h"

#include <float.h>

#include "base/fail.h"
#include "base/options.h"

static const grz_selection_options defaults = {
    .size = sizeof(grz_selection_options), .max_faces = GRZ_SELECTION_AUTOMATIC, .thickness = 0.001};
static const grz_options_type options_type = GRZ_OPTIONS_TYPE(selection_options, max_faces, defaults);

void grz_selection_options_init(grz_selection_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

grz_status grz_selection_options_read(const grz_selection_options *given, grz_selection_options *out, grz_error *error)
{
    *out = defaults;
    if (given == NULL)
        return GRZ_OK;
    const grz_status status = grz_options_read(&options_type, "selection", given, out, error);
    if (status == GRZ_OK && out->max_faces == 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "selection: options.max_faces is 0, a leaf has at least 1 face");
    if (status == GRZ_OK && !(out->thickness >= 0.0 && out->thickness <= DBL_MAX))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "selection: options.thickness is negative or not a finite number");
    return status;
}
