// SPDX-License-Identifier: MIT
// Draws the particles of the demo `fire` over a picture: each one glows, unless a mesh hides it.
#ifndef GRZ_DEMOS_FLAMES_H
#define GRZ_DEMOS_FLAMES_H

#include <graze/picture.h>

#include "burner.h"

// Zeroed memory is one without pixels.
typedef struct flame_picture {
    uint8_t *pixels; // red, green, blue and 255
    uint32_t width, height;
    const grz_picture_view *view;
    float *depth; // of the meshes that hide particles
    float (*glow)[4];
    size_t room;
} flame_picture;

void flame_picture_start(flame_picture *p, uint8_t *pixels, uint32_t width, uint32_t height,
                         const grz_picture_view *view);

// What lies behind these triangles is hidden.
void flame_picture_hide(flame_picture *p, const double (*positions)[3], uint32_t vertex_count, const uint32_t *corners,
                        uint32_t triangle_count, const grz_pose *pose);
void flame_picture_add(flame_picture *p, const flame *particles, uint32_t count);

// Make it night, and add the glow. The line of text at the bottom stays.
void flame_picture_end(flame_picture *p);
void flame_picture_free(flame_picture *p);

#endif
