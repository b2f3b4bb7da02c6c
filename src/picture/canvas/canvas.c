// SPDX-License-Identifier: MIT
// Drawing on pixels. A pixel's coverage is found from the distance of its centre to the shape: 1 inside, 0 from half a
// pixel outside.
#include "picture/canvas/canvas.h"

#include <assert.h>
#include <math.h>

static void blend(const grz_canvas *canvas, int x, int y, grz_color color, float coverage)
{
    assert(x >= 0 && (uint32_t)x < canvas->width && y >= 0 && (uint32_t)y < canvas->height);
    assert(coverage > 0.0f && coverage <= 1.0f);
    uint8_t *p = canvas->pixels + 4 * ((size_t)y * canvas->width + (size_t)x);
    const uint8_t paint[3] = {color.red, color.green, color.blue};
    for (int i = 0; i < 3; i++)
        p[i] = (uint8_t)((float)p[i] + ((float)paint[i] - (float)p[i]) * coverage + 0.5f);
}

static int clamp_to(float value, uint32_t most)
{
    if (!(value > 0.0f))
        return 0;
    return value < (float)most ? (int)value : (int)most;
}

void grz_canvas_fill(const grz_canvas *canvas, const grz_rect *rect, grz_color color)
{
    const int width = (int)canvas->width, height = (int)canvas->height;
    const int left = rect->x > 0 ? rect->x : 0, top = rect->y > 0 ? rect->y : 0;
    const int right = rect->x + rect->width < width ? rect->x + rect->width : width;
    const int bottom = rect->y + rect->height < height ? rect->y + rect->height : height;
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++)
            blend(canvas, x, y, color, 1.0f);
}

static float length_of(float x, float y)
{
    return (float)sqrt((double)x * (double)x + (double)y * (double)y);
}

static float distance_to(const grz_stroke *stroke, float x, float y)
{
    const float along_x = stroke->to[0] - stroke->from[0], along_y = stroke->to[1] - stroke->from[1];
    const float square = along_x * along_x + along_y * along_y, at_x = x - stroke->from[0], at_y = y - stroke->from[1];
    float share = square > 0.0f ? (at_x * along_x + at_y * along_y) / square : 0.0f;
    share = share < 0.0f ? 0.0f : share > 1.0f ? 1.0f : share;
    return length_of(at_x - share * along_x, at_y - share * along_y);
}

void grz_canvas_strokes(const grz_canvas *canvas, const grz_stroke *strokes, size_t count, float width, grz_color color)
{
    const float half = 0.5f * width, reach = half + 1.0f;
    float low[2] = {HUGE_VALF, HUGE_VALF}, high[2] = {-HUGE_VALF, -HUGE_VALF};
    for (size_t i = 0; i < count; i++)
        for (int j = 0; j < 2; j++) {
            low[j] = fminf(low[j], fminf(strokes[i].from[j], strokes[i].to[j]));
            high[j] = fmaxf(high[j], fmaxf(strokes[i].from[j], strokes[i].to[j]));
        }
    const int left = clamp_to(low[0] - reach, canvas->width), right = clamp_to(high[0] + reach + 1.0f, canvas->width);
    const int top = clamp_to(low[1] - reach, canvas->height), bottom = clamp_to(high[1] + reach + 1.0f, canvas->height);
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            float nearest = HUGE_VALF;
            for (size_t i = 0; i < count; i++)
                nearest = fminf(nearest, distance_to(&strokes[i], (float)x + 0.5f, (float)y + 0.5f));
            const float coverage = half + 0.5f - nearest;
            if (coverage > 0.0f)
                blend(canvas, x, y, color, fminf(coverage, 1.0f));
        }
}

void grz_canvas_line(const grz_canvas *canvas, float from_x, float from_y, float to_x, float to_y, float width,
                     grz_color color)
{
    const grz_stroke stroke = {{from_x, from_y}, {to_x, to_y}};
    grz_canvas_strokes(canvas, &stroke, 1, width, color);
}

void grz_canvas_ring(const grz_canvas *canvas, float x, float y, float radius, float hole, grz_color color)
{
    const float reach = radius + 1.0f;
    const int left = clamp_to(x - reach, canvas->width), right = clamp_to(x + reach + 1.0f, canvas->width);
    const int top = clamp_to(y - reach, canvas->height), bottom = clamp_to(y + reach + 1.0f, canvas->height);
    for (int row = top; row < bottom; row++)
        for (int column = left; column < right; column++) {
            const float from = length_of((float)column + 0.5f - x, (float)row + 0.5f - y);
            const float outer = radius + 0.5f - from, inner = hole > 0.0f ? from + 0.5f - hole : 1.0f;
            const float coverage = fminf(fminf(outer, inner), 1.0f);
            if (coverage > 0.0f)
                blend(canvas, column, row, color, coverage);
        }
}

void grz_canvas_frame(const grz_canvas *canvas, const grz_rect *rect, int width, grz_color color)
{
    const int x = rect->x, y = rect->y, w = rect->width, h = rect->height;
    const grz_rect sides[4] = {
        {x, y, w, width}, {x, y + h - width, w, width}, {x, y, width, h}, {x + w - width, y, width, h}};
    for (int i = 0; i < 4; i++)
        grz_canvas_fill(canvas, &sides[i], color);
}
