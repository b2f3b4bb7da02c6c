// SPDX-License-Identifier: MIT
// Eight hues. Past them the hues repeat darker, then lighter, then from the start. The order is that in which
// neighbours differ the most for readers with and without colour blindness (test_picture_text.c measures it).
#include "picture/canvas/palette.h"

#include <assert.h>

enum {
    HUES = 8
};

static const grz_color hues[HUES] = {{230, 159, 0},  {0, 114, 178},   {139, 90, 43},  {204, 121, 167},
                                     {86, 180, 233}, {112, 122, 140}, {240, 228, 66}, {0, 158, 115}};

static uint8_t mix(uint8_t from, int to, float share)
{
    assert(to >= 0 && to <= 255 && share >= 0.0f && share <= 1.0f);
    return (uint8_t)((float)from + ((float)to - (float)from) * share + 0.5f);
}

static grz_color mix_all(grz_color color, int to, float share)
{
    return (grz_color){mix(color.red, to, share), mix(color.green, to, share), mix(color.blue, to, share)};
}

grz_color grz_palette_deep(uint32_t body)
{
    const grz_color hue = hues[body % HUES];
    switch (body / HUES % 3) {
    case 0:
        return hue;
    case 1:
        return mix_all(hue, 0, 0.35f);
    default:
        return mix_all(hue, 255, 0.3f);
    }
}

grz_color grz_palette_pale(uint32_t body)
{
    return mix_all(grz_palette_deep(body), 244, 0.58f);
}

grz_color grz_palette_deeper(grz_color color)
{
    return mix_all(color, 0, 0.4f);
}
