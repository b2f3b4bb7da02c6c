// SPDX-License-Identifier: MIT
// Text drawn with a built-in font of strokes: printable ASCII. Each other character of a UTF-8 text is drawn as a box.
#ifndef GRZ_PICTURE_CANVAS_FONT_H
#define GRZ_PICTURE_CANVAS_FONT_H

#include "picture/canvas/canvas.h"

typedef struct grz_text_style {
    float size; // height of a capital letter, pixels
    bool bold;
    grz_color color;
} grz_text_style;

// How wide a text is, pixels.
float grz_text_width(const char *text, const grz_text_style *style);

// Draw a text; (x, y) is the left end of its baseline. Letters may hang below the baseline by 0.3 times the size.
void grz_text_draw(const grz_canvas *canvas, const char *text, float x, float y, const grz_text_style *style);

// Copy a text that is to be at most `width` pixels wide into `out`, `room` bytes. A text that is too wide loses its
// middle: "long…name" is written "long...name".
void grz_text_shorten(const char *text, float width, const grz_text_style *style, char *out, size_t room);

#endif
