// SPDX-License-Identifier: MIT
// What somebody in a level sees: a picture in perspective, a ray for each pixel (grz_pick()).
#ifndef GRZ_DEMOS_EYES_H
#define GRZ_DEMOS_EYES_H

#include "demo.h"

typedef struct eyes {
    uint32_t columns, rows; // pixels
    double wide;            // the picture's half width at distance 1
    grz_ray *rays;          // one a pixel, row after row from the top
    grz_ray_hit *hits;
    uint8_t *pixels; // red, green and blue
} eyes;

// Get memory for a picture, or end the program.
void eyes_open(eyes *e, uint32_t columns, uint32_t rows, double wide);

// Look from `at` along `heading`, which has length 1 and is horizontal; y is up. `color_of` says which colour a face
// has.
void eyes_look(eyes *e, const demo *d, const grz_object *objects, uint32_t count, const double at[3],
               const double heading[3],
               void (*color_of)(void *user, uint32_t object, uint32_t face, const double normal[3], uint8_t color[3]),
               void *user);

void eyes_close(eyes *e);

#endif
