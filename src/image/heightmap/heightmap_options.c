// SPDX-License-Identifier: MIT
// The default options of method `heightmap`. Also part of builds without OpenGL.
#include "image/heightmap/heightmap_options.h"

#include <math.h>

#include "base/fail.h"
#include "base/options.h"

static const grz_heightmap_options defaults = {.size = sizeof(grz_heightmap_options), .resolution = 128};
static const grz_options_type options_type = GRZ_OPTIONS_TYPE(heightmap_options, resolution, defaults);

void grz_heightmap_options_init(grz_heightmap_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

static grz_status check(const grz_heightmap_options *options, grz_error *error)
{
    const double *d = options->direction;
    if (options->resolution == 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "heightmap: a resolution of 0, must be 1 at least");
    if ((unsigned)options->projection > GRZ_PROJECTION_FLOOR)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "heightmap: options.projection is %d, must be 0 to %d", (int)options->projection,
                        (int)GRZ_PROJECTION_FLOOR);
    if (options->has_direction &&
        (!isfinite(d[0]) || !isfinite(d[1]) || !isfinite(d[2]) || (d[0] == 0.0 && d[1] == 0.0 && d[2] == 0.0)))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "heightmap: the direction (%g, %g, %g) is zero or not finite", d[0], d[1], d[2]);
    return GRZ_OK;
}

grz_status grz_heightmap_options_read(const grz_heightmap_options *given, grz_heightmap_options *out, grz_error *error)
{
    *out = defaults;
    if (given == NULL)
        return GRZ_OK;
    const grz_status status = grz_options_read(&options_type, "heightmap", given, out, error);
    return status == GRZ_OK ? check(out, error) : status;
}
