// SPDX-License-Identifier: MIT
// From what OpenGL drew to the pixels of a picture: outlines, then the average of each pixel's samples. An outline is
// where bodies end, where a surface passes in front of another part of the same body, and, faintly, where it has a
// sharp edge. It is done by the CPU, some rows at a time.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/fail.h"
#include "picture/canvas/palette.h"
#include "picture/painter.h"
#include "picture/picture_shaders.h"

enum {
    ROWS = 32 // of the picture at a time
};

static const float body_line = 0.62f, step_line = 0.5f, edge_line = 0.3f; // how dark the three are
static const double least_step = 0.02;                                    // of half the picture's height
static const float sharp = 0.8f;                                          // the cosine below which an edge is sharp

// Rows of the target: one more below and above those that are resolved, where there are any.
typedef struct band {
    const uint8_t *color;
    const uint32_t *surface;
    const float *depth;
    size_t width, height;
    float step,
        scale; // how much a step is in depth, at the near plane; and what turns a depth into (1 - near / distance)
} band;

static bool bodies_differ(uint32_t a, uint32_t b)
{
    return a >> 16 != b >> 16 && a != GRZ_PICTURE_LINE && b != GRZ_PICTURE_LINE;
}

static void normal_of(uint32_t surface, float normal[3])
{
    normal[0] = ((float)(surface >> 8 & 0xff) - 128.0f) / 127.0f;
    normal[1] = ((float)(surface & 0xff) - 128.0f) / 127.0f;
    normal[2] = sqrtf(fmaxf(1.0f - normal[0] * normal[0] - normal[1] * normal[1], 0.0f));
}

static bool is_sharp(uint32_t a, uint32_t b)
{
    float m[3], n[3];
    if ((a & 0xffff) == (b & 0xffff))
        return false;
    normal_of(a, m);
    normal_of(b, n);
    return m[0] * n[0] + m[1] * n[1] + m[2] * n[2] < sharp;
}

// How dark the outline is at a sample, looking along a row (step 1) or a column (step: the row's length).
static float outline_along(const band *b, size_t at, size_t step, bool has_before, bool has_after)
{
    const uint32_t here = b->surface[at], before = has_before ? b->surface[at - step] : here,
                   after = has_after ? b->surface[at + step] : here;
    if (bodies_differ(here, before) || bodies_differ(here, after))
        return body_line;
    if (here >> 16 == 0 || !has_before || !has_after || before == GRZ_PICTURE_LINE || after == GRZ_PICTURE_LINE)
        return 0.0f;
    // Over a plane, depth is linear in the picture: a second difference is a step or a bend. The line is on the nearer
    // side.
    const float closeness = 1.0f - b->depth[at] * b->scale;
    if (b->depth[at - step] + b->depth[at + step] - 2.0f * b->depth[at] > b->step * closeness * closeness)
        return step_line;
    return is_sharp(here, before) || is_sharp(here, after) ? edge_line : 0.0f;
}

static float outline_at(const band *b, size_t x, size_t y)
{
    const size_t at = y * b->width + x;
    if (b->surface[at] == GRZ_PICTURE_LINE)
        return 0.0f;
    return fmaxf(outline_along(b, at, 1, x > 0, x + 1 < b->width),
                 outline_along(b, at, b->width, y > 0, y + 1 < b->height));
}

// One pixel: the samples from (x, y) on, upwards.
static void average(const band *b, size_t x, size_t y, uint32_t samples, uint8_t *pixel)
{
    const float ink[3] = {grz_palette_ink.red, grz_palette_ink.green, grz_palette_ink.blue};
    float sum[3] = {0.0f};
    assert(x + samples <= b->width && y + samples <= b->height);
    for (size_t j = y; j < y + samples; j++)
        for (size_t i = x; i < x + samples; i++) {
            const float dark = outline_at(b, i, j);
            for (int k = 0; k < 3; k++) {
                const float color = (float)b->color[4 * (j * b->width + i) + (size_t)k];
                sum[k] += color + (ink[k] - color) * dark;
            }
        }
    for (int k = 0; k < 3; k++)
        pixel[k] = (uint8_t)(sum[k] / (float)(samples * samples) + 0.5f);
    pixel[3] = 255;
}

// What rows are read into.
typedef struct planes {
    uint8_t *color; // four bytes a sample
    uint32_t *surface;
    float *depth;
    size_t samples;
} planes;

static bool allocate_planes(const grz_allocator *allocator, size_t samples, planes *room)
{
    *room = (planes){grz_allocate(allocator, samples, 4), grz_allocate(allocator, samples, sizeof *room->surface),
                     grz_allocate(allocator, samples, sizeof *room->depth), samples};
    return room->color != NULL && room->surface != NULL && room->depth != NULL;
}

static void release_planes(const grz_allocator *allocator, const planes *room)
{
    grz_release(allocator, room->color, room->samples, 4);
    grz_release(allocator, room->surface, room->samples, sizeof *room->surface);
    grz_release(allocator, room->depth, room->samples, sizeof *room->depth);
}

// Resolve the picture's rows from `top` to `bottom`, counted from the top of the rectangle. `room` holds the rows that
// are read.
static void resolve_rows(const grz_paint_target *target, const grz_camera *camera, uint32_t samples, uint32_t top,
                         uint32_t bottom, const planes *room, const grz_canvas *canvas, const grz_rect *rect)
{
    const uint32_t first = samples * ((uint32_t)rect->height - bottom), last = samples * ((uint32_t)rect->height - top);
    const uint32_t low = first > 0 ? first - 1 : 0, high = last < target->height ? last + 1 : last;
    const double half = camera->slope[1] * camera->distance, far = camera->far, near = camera->near;
    const band b = {.color = room->color,
                    .surface = room->surface,
                    .depth = room->depth,
                    .width = target->width,
                    .height = high - low,
                    .step = (float)(least_step * half / near * (far / (far - near))),
                    .scale = (float)((far - near) / far)};
    const GLsizei width = (GLsizei)target->width, height = (GLsizei)(high - low);
    assert(top < bottom && (size_t)target->width * (high - low) <= room->samples);
    glNamedFramebufferReadBuffer(target->framebuffer, GL_COLOR_ATTACHMENT0);
    glReadPixels(0, (GLint)low, width, height, GL_RGBA, GL_UNSIGNED_BYTE, room->color);
    glNamedFramebufferReadBuffer(target->framebuffer, GL_COLOR_ATTACHMENT1);
    glReadPixels(0, (GLint)low, width, height, GL_RED_INTEGER, GL_UNSIGNED_INT, room->surface);
    glReadPixels(0, (GLint)low, width, height, GL_DEPTH_COMPONENT, GL_FLOAT, room->depth);
    for (uint32_t y = top; y < bottom; y++)
        for (uint32_t x = 0; x < (uint32_t)rect->width; x++)
            average(&b, (size_t)samples * x, (size_t)samples * ((uint32_t)rect->height - 1 - y) - low, samples,
                    canvas->pixels + 4 * (((size_t)rect->y + y) * canvas->width + (size_t)rect->x + x));
}

grz_status grz_painter_resolve(const grz_painter *painter, const grz_paint_target *target, const grz_camera *camera,
                               uint32_t samples, const grz_canvas *canvas, const grz_rect *rect)
{
    const grz_allocator *allocator = painter->contents->allocator;
    planes room;
    assert(target->width == samples * (uint32_t)rect->width && target->height == samples * (uint32_t)rect->height);
    if (!allocate_planes(allocator, (size_t)target->width * (samples * ROWS + 2), &room)) {
        release_planes(allocator, &room);
        return grz_fail(painter->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "picture: out of memory");
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->framebuffer);
    for (uint32_t top = 0; top < (uint32_t)rect->height; top += ROWS) {
        const uint32_t bottom = top + ROWS < (uint32_t)rect->height ? top + ROWS : (uint32_t)rect->height;
        resolve_rows(target, camera, samples, top, bottom, &room, canvas, rect);
    }
    release_planes(allocator, &room);
    return grz_gl_check(painter->gl, painter->error);
}
