// SPDX-License-Identifier: MIT
// The colours of pictures. Bodies: Okabe and Ito, "Color universal design" (2008), which colour-blind readers can tell
// apart, without vermilion, which is close to the red of contacts, and with a brown and a grey.
#ifndef GRZ_PICTURE_CANVAS_PALETTE_H
#define GRZ_PICTURE_CANVAS_PALETTE_H

#include "picture/canvas/canvas.h"

// The colour of a body by its number: deep for faces that touch, pale for the others. Neighbouring numbers differ.
grz_color grz_palette_deep(uint32_t body);
grz_color grz_palette_pale(uint32_t body);

// A deeper shade of a colour that is not of the palette.
grz_color grz_palette_deeper(grz_color color);

static const grz_color grz_palette_paper = {250, 250, 250}, grz_palette_ink = {33, 37, 43},
                       grz_palette_faint = {110, 116, 125};
static const grz_color grz_palette_contact = {217, 0, 64}, grz_palette_hidden = {237, 148, 168},
                       grz_palette_rule = {205, 209, 215};
static const grz_color grz_palette_white = {255, 255, 255};

#endif
