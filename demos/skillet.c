// SPDX-License-Identifier: MIT
// Makes the skillet: an outline turned about the z axis, and a bent bar with a round end.
#include "skillet.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979324;

// The outline of the pan, from the middle of its underside round to the middle of its inside: radius and height.
static const double outline[][2] = {{0.0, 0.0},     {0.092, 0.0},    {0.1, 0.003},   {0.106, 0.009}, {0.132, 0.047},
                                    {0.134, 0.05},  {0.1325, 0.052}, {0.13, 0.0515}, {0.1285, 0.05}, {0.103, 0.012},
                                    {0.098, 0.008}, {0.09, 0.0055},  {0.0, 0.0055}};

enum {
    CORNERS = sizeof outline / sizeof *outline
};

static uint32_t add_vertex(skillet *s, double x, double y, double z)
{
    double *at = s->positions[s->vertex_count];
    at[0] = x, at[1] = y, at[2] = z;
    return s->vertex_count++;
}

static void add_triangle(skillet *s, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *triangle = s->triangles[s->triangle_count++];
    triangle[0] = a, triangle[1] = b, triangle[2] = c;
}

// The point of the outline at a share of its length.
static void outline_at(double share, double point[2])
{
    double length = 0.0, before = 0.0;
    for (int i = 1; i < CORNERS; i++)
        length += hypot(outline[i][0] - outline[i - 1][0], outline[i][1] - outline[i - 1][1]);
    for (int i = 1; i < CORNERS; i++) {
        const double side = hypot(outline[i][0] - outline[i - 1][0], outline[i][1] - outline[i - 1][1]);
        const double t = (share * length - before) / side;
        before += side;
        if (t > 1.0 && i < CORNERS - 1)
            continue;
        for (int k = 0; k < 2; k++)
            point[k] = outline[i - 1][k] + fmin(t, 1.0) * (outline[i][k] - outline[i - 1][k]);
        return;
    }
}

// Join rings of vertices that follow each other, and close both ends with a vertex each. Wound outwards if the rings
// turn to the left, seen against the way in which they follow.
static void join_rings(skillet *s, uint32_t first, uint32_t rings, uint32_t around, uint32_t start, uint32_t stop)
{
    for (uint32_t i = 0; i < around; i++) {
        const uint32_t next = (i + 1) % around, last = first + (rings - 1) * around;
        add_triangle(s, start, first + next, first + i);
        for (uint32_t k = 0; k + 1 < rings; k++) {
            const uint32_t at = first + k * around;
            add_triangle(s, at + i, at + next, at + around + i);
            add_triangle(s, at + next, at + around + next, at + around + i);
        }
        add_triangle(s, last + i, last + next, stop);
    }
}

static void add_pan(skillet *s, uint32_t around, uint32_t rings)
{
    const uint32_t start = add_vertex(s, 0.0, 0.0, outline[0][1]),
                   stop = add_vertex(s, 0.0, 0.0, outline[CORNERS - 1][1]), first = s->vertex_count;
    for (uint32_t k = 0; k < rings; k++) {
        double point[2];
        outline_at((k + 1.0) / (rings + 1.0), point);
        for (uint32_t i = 0; i < around; i++) {
            const double angle = 2.0 * pi * i / around;
            add_vertex(s, point[0] * cos(angle), point[0] * sin(angle), point[1]);
        }
    }
    join_rings(s, first, rings, around, start, stop);
}

// Where the middle of the handle is, at a share of its length, and how wide and thick it is there.
static void handle_at(double share, double at[2], double size[2])
{
    const double round = share > 0.94 ? sqrt(fmax(1.0 - pow((share - 0.94) / 0.06, 2), 0.0)) : 1.0;
    at[0] = 0.118 + 0.2 * share;
    at[1] = 0.036 + 0.03 * share * (1.6 - 0.6 * share);
    size[0] = (0.0095 + 0.005 * share * share) * fmax(round, 0.2);
    size[1] = (0.0055 + 0.001 * share) * fmax(round, 0.2);
}

static void add_handle(skillet *s, uint32_t around, uint32_t rings)
{
    double at[2], size[2];
    handle_at(0.0, at, size);
    const uint32_t start = add_vertex(s, at[0], 0.0, at[1]);
    handle_at(1.0, at, size);
    const uint32_t stop = add_vertex(s, at[0], 0.0, at[1]), first = s->vertex_count;
    for (uint32_t k = 0; k < rings; k++) {
        handle_at(k / (rings - 1.0), at, size);
        for (uint32_t i = 0; i < around; i++) {
            const double angle = 2.0 * pi * i / around;
            add_vertex(s, at[0], size[0] * cos(angle), at[1] + size[1] * sin(angle));
        }
    }
    join_rings(s, first, rings, around, start, stop);
}

void skillet_make(skillet *s, bool small)
{
    // Rings of `around` vertices make 2 · around · rings triangles.
    const uint32_t around = small ? 64 : 256, rings = small ? 36 : 145, bar = small ? 16 : 32, bars = small ? 16 : 120;
    const uint32_t triangles = 2 * around * rings + 2 * bar * bars;
    *s = (skillet){.positions = calloc(around * rings + bar * bars + 4, sizeof *s->positions),
                   .triangles = calloc(triangles, sizeof *s->triangles)};
    if (s->positions == NULL || s->triangles == NULL) {
        fprintf(stderr, "skillet: out of memory\n");
        exit(1);
    }
    add_pan(s, around, rings);
    add_handle(s, bar, bars);
    assert(s->triangle_count == triangles && triangles == (small ? 5120 : 81920));
}

void skillet_free(skillet *s)
{
    free(s->positions);
    free(s->triangles);
}
