// SPDX-License-Identifier: MIT
// Volumes by layered depth in builds without OpenGL: there are none.
#include <graze/layers.h>

#include "base/fail.h"

grz_status grz_layers_overlap_volume(grz_device *device, const grz_object *a, const grz_object *b,
                                     const grz_layers_volume_options *options, grz_layers_volume *answer,
                                     grz_error *error)
{
    (void)device;
    (void)a;
    (void)b;
    (void)options;
    if (answer != NULL)
        *answer = (grz_layers_volume){.volume = 0.0};
    return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "layers overlap volume: OpenGL is not in this build");
}
