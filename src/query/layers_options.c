// SPDX-License-Identifier: MIT
// The settings of method `layers`, in builds with OpenGL and without.
#include <graze/layers.h>

grz_layers_options grz_default_layers_options(void)
{
    return (grz_layers_options){
        .size = sizeof(grz_layers_options), .resolution = 64, .capture = GRZ_CAPTURE_LISTS, .layers = 8, .threshold = 1.0 / 32.0};
}
