// SPDX-License-Identifier: MIT
// Adds up the light of particles in a picture. Depths of what hides them are drawn by filling triangles on the CPU.
#include "flames.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "demo.h"

enum {
    CAPTION = 56, // rows of pixels with text, at the bottom
    REACH = 5     // pixels from the middle of a particle to where its light ends
};

void flame_picture_start(flame_picture *p, uint8_t *pixels, uint32_t width, uint32_t height,
                         const grz_picture_view *view)
{
    const size_t count = (size_t)width * height;
    if (p->room < count) {
        flame_picture_free(p);
        p->depth = demo_get(count, sizeof *p->depth);
        p->glow = demo_get(count, sizeof *p->glow);
        p->room = count;
    }
    p->pixels = pixels;
    p->width = width;
    p->height = height;
    p->view = view;
    for (size_t i = 0; i < count; i++)
        p->depth[i] = 1.0f;
    memset(p->glow, 0, count * sizeof *p->glow);
}

void flame_picture_free(flame_picture *p)
{
    free(p->depth);
    free(p->glow);
    *p = (flame_picture){.room = 0};
}

// Column, row and depth of a point in the picture.
static void project(const flame_picture *p, const double at[3], double out[3])
{
    double h[4];
    for (int i = 0; i < 4; i++) {
        const double *row = p->view->to_pixels[i];
        h[i] = row[0] * at[0] + row[1] * at[1] + row[2] * at[2] + row[3];
    }
    for (int i = 0; i < 3; i++)
        out[i] = h[i] / h[3];
}

static void fill(const flame_picture *p, const double *a, const double *b, const double *c)
{
    const double area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    const double left = fmin(a[0], fmin(b[0], c[0])), right = fmax(a[0], fmax(b[0], c[0]));
    const double top = fmin(a[1], fmin(b[1], c[1])), bottom = fmax(a[1], fmax(b[1], c[1]));
    for (int64_t y = (int64_t)fmax(floor(top), 0.0); y <= (int64_t)fmin(bottom, p->height - 1.0); y++)
        for (int64_t x = (int64_t)fmax(floor(left), 0.0); x <= (int64_t)fmin(right, p->width - 1.0); x++) {
            const double px = (double)x + 0.5, py = (double)y + 0.5;
            const double u = ((b[0] - px) * (c[1] - py) - (c[0] - px) * (b[1] - py)) / area;
            const double v = ((c[0] - px) * (a[1] - py) - (a[0] - px) * (c[1] - py)) / area;
            const float depth = (float)(u * a[2] + v * b[2] + (1.0 - u - v) * c[2]);
            float *there = &p->depth[y * p->width + x];
            if (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && depth < *there)
                *there = depth;
        }
}

void flame_picture_hide(flame_picture *p, const double (*positions)[3], uint32_t vertex_count, const uint32_t *corners,
                        uint32_t triangle_count, const grz_pose *pose)
{
    double(*seen)[3] = demo_get(vertex_count, sizeof *seen);
    for (uint32_t i = 0; i < vertex_count; i++) {
        double world[3];
        grz_pose_apply(*pose, positions[i], world);
        project(p, world, seen[i]);
    }
    for (uint32_t i = 0; i < triangle_count; i++) {
        const uint32_t *corner = corners + 3 * (size_t)i;
        fill(p, seen[corner[0]], seen[corner[1]], seen[corner[2]]);
    }
    free(seen);
}

// White, yellow, orange, red, and dark at the end of its life.
static void color_of(double share, double color[3])
{
    const double heat = 1.0 - share;
    color[0] = fmin(1.0, 2.2 * heat);
    color[1] = 0.9 * pow(heat, 1.6);
    color[2] = 0.55 * pow(heat, 4.0);
}

void flame_picture_add(flame_picture *p, const flame *particles, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const flame *one = &particles[i];
        const double at[3] = {(double)one->position[0], (double)one->position[1], (double)one->position[2]};
        const double share = fmin((double)one->age / (double)one->life, 1.0), size = 1.2 + 1.8 * share;
        double seen[3], color[3];
        project(p, at, seen);
        color_of(share, color);
        for (int64_t y = (int64_t)seen[1] - REACH; y <= (int64_t)seen[1] + REACH; y++)
            for (int64_t x = (int64_t)seen[0] - REACH; x <= (int64_t)seen[0] + REACH; x++) {
                if (x < 0 || y < 0 || x >= p->width || y >= p->height)
                    continue;
                const double dx = (double)x + 0.5 - seen[0], dy = (double)y + 0.5 - seen[1];
                const double light = 0.16 / (size * size) * exp(-(dx * dx + dy * dy) / (2.0 * size * size));
                const size_t pixel = (size_t)(y * p->width + x);
                for (int k = 0; k < 3 && seen[2] < (double)p->depth[pixel]; k++)
                    p->glow[pixel][k] += (float)(light * color[k]);
            }
    }
}

void flame_picture_end(flame_picture *p)
{
    for (size_t y = 0; y + CAPTION < p->height; y++)
        for (size_t x = 0; x < p->width; x++) {
            const size_t pixel = y * p->width + x;
            const bool is_mesh = p->depth[pixel] < 1.0f;
            for (int k = 0; k < 3; k++) {
                const double night = p->pixels[4 * pixel + (size_t)k] * (is_mesh ? 0.8 : 0.09);
                const double light = 255.0 * (1.0 - exp(-2.2 * (double)p->glow[pixel][k]));
                p->pixels[4 * pixel + (size_t)k] = (uint8_t)fmin(255.0, night * (1.0 - light / 400.0) + light);
            }
        }
}
