// SPDX-License-Identifier: MIT
// Drawing on an array of pixels, by the CPU: rectangles and strokes with smooth edges. Coordinates are pixels from the
// top left corner; pixel (0, 0) reaches from 0 to 1. What lies outside of the canvas is left out.
#ifndef GRZ_PICTURE_CANVAS_CANVAS_H
#define GRZ_PICTURE_CANVAS_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct grz_color {
    uint8_t red, green, blue;
} grz_color;

typedef struct grz_rect {
    int x, y, width, height; // pixels; empty where width or height is not positive
} grz_rect;

typedef struct grz_canvas {
    uint8_t *pixels; // width × height × 4 bytes: red, green, blue and 255, rows from the top
    uint32_t width, height;
} grz_canvas;

// A straight piece of a line.
typedef struct grz_stroke {
    float from[2], to[2];
} grz_stroke;

static inline bool grz_rect_is_empty(const grz_rect *rect)
{
    return rect->width <= 0 || rect->height <= 0;
}

static inline bool grz_rects_overlap(const grz_rect *a, const grz_rect *b)
{
    return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height && b->y < a->y + a->height;
}

void grz_canvas_fill(const grz_canvas *canvas, const grz_rect *rect, grz_color color);

// Draw lines `width` pixels wide with round ends. Where several overlap, the pixel is painted once.
void grz_canvas_strokes(const grz_canvas *canvas, const grz_stroke *strokes, size_t count, float width,
                        grz_color color);

void grz_canvas_line(const grz_canvas *canvas, float from_x, float from_y, float to_x, float to_y, float width,
                     grz_color color);

// A disc with a radius of 0 up; a ring where `hole` is more than 0.
void grz_canvas_ring(const grz_canvas *canvas, float x, float y, float radius, float hole, grz_color color);

// The outline of a rectangle, `width` pixels wide, inside of it.
void grz_canvas_frame(const grz_canvas *canvas, const grz_rect *rect, int width, grz_color color);

#endif
