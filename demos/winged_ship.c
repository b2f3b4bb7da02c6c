// SPDX-License-Identifier: MIT
// Makes the ship: rings of vertices that are joined, about the z axis for body and engines, along the span for wings.
// Radii only shrink towards the front: seen from there, all of a part is visible but its rear.
#include "winged_ship.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979324;

enum {
    WINGS = 4
};

// How many rings a part has, and vertices in each.
typedef struct part_size {
    uint32_t rings, around;
} part_size;

static const part_size body_sizes[2] = {{36, 64}, {12, 16}}, wing_sizes[2] = {{14, 24}, {3, 8}},
                       engine_sizes[2] = {{15, 20}, {8, 8}};

static uint32_t vertices_of(part_size size)
{
    return size.rings * size.around + 2; // the middles of both ends
}

static uint32_t triangles_of(part_size size)
{
    return 2 * size.rings * size.around;
}

// Join the rings of a part, and close both ends. Outwards if rings turn to the left, seen against the way in which they
// follow.
static void join(winged_ship *s, part_size size, uint32_t first)
{
    const uint32_t start = first + size.rings * size.around, stop = start + 1;
    uint32_t(*t)[3] = s->triangles + s->triangle_count;
    for (uint32_t i = 0; i < size.around; i++) {
        const uint32_t low = first + i, next = first + (i + 1) % size.around, last = (size.rings - 1) * size.around;
        t[0][0] = start, t[0][1] = next, t[0][2] = low;
        t[1][0] = stop, t[1][1] = low + last, t[1][2] = next + last;
        t += 2;
        for (uint32_t k = 0; k + 1 < size.rings; k++, t += 2) {
            const uint32_t a = low + k * size.around, b = next + k * size.around;
            t[0][0] = a, t[0][1] = b, t[0][2] = b + size.around;
            t[1][0] = a, t[1][1] = b + size.around, t[1][2] = a + size.around;
        }
    }
    s->triangle_count += triangles_of(size);
}

static void put(winged_ship *s, uint32_t vertex, double x, double y, double z)
{
    s->positions[vertex][0] = (double)(float)(s->length * x);
    s->positions[vertex][1] = (double)(float)(s->length * y);
    s->positions[vertex][2] = (double)(float)(s->length * (z - 0.5));
}

// Radii at a distance from the rear; the length of the ship is 1.
static double body_radius(double z)
{
    const double u = fmax(z - 0.35, 0.0) / 0.65;
    return 0.018 + 0.057 * (1.0 - u * u);
}

static double engine_radius(double z)
{
    return z < 0.28 ? 0.035 : z < 0.34 ? 0.035 - 0.47 * (z - 0.28) : 0.0068; // and a gun before it
}

// A part turned about an axis along z through (x, y), from `rear` on. Returns the vertex after it.
static uint32_t put_turned(winged_ship *s, part_size size, uint32_t first, double x, double y, double rear,
                           double length, double (*radius)(double z))
{
    for (uint32_t k = 0; k < size.rings; k++) {
        const double z = length * k / (size.rings - 1), r = radius(z);
        for (uint32_t i = 0; i < size.around; i++) {
            const double angle = 2.0 * pi * i / size.around;
            put(s, first + k * size.around + i, x + r * cos(angle), y + r * sin(angle), rear + z);
        }
    }
    put(s, first + size.rings * size.around, x, y, rear);
    put(s, first + size.rings * size.around + 1, x, y, rear + length);
    return first + vertices_of(size);
}

// A wing outwards from the axis, in a direction of the plane z = 0. Its rear edge is straight.
static uint32_t put_wing(winged_ship *s, part_size size, uint32_t first, double angle, double rear)
{
    const double out[2] = {cos(angle), sin(angle)}, thick = 0.008;
    const uint32_t half = size.around / 2;
    for (uint32_t k = 0; k < size.rings; k++) {
        const double share = (double)k / (size.rings - 1), at = 0.04 + 0.29 * share, depth = 0.3 - 0.12 * share;
        const double inside = k == 0 ? 0.03 : 0.0; // the root lies in the body, not in the plane of its rear
        for (uint32_t i = 0; i < size.around; i++) {
            const bool above = i < half;
            const double z = depth * (above ? i : size.around - 1 - i) / (half - 1), side = above ? thick : -thick;
            put(s, first + k * size.around + i, at * out[0] - side * out[1], at * out[1] + side * out[0],
                rear + inside + z);
        }
    }
    put(s, first + size.rings * size.around, 0.04 * out[0], 0.04 * out[1], rear + 0.15);
    put(s, first + size.rings * size.around + 1, 0.33 * out[0], 0.33 * out[1], rear + 0.09);
    return first + vertices_of(size);
}

void winged_ship_make(winged_ship *s, double length, bool small)
{
    const part_size body = body_sizes[small], wing = wing_sizes[small], engine = engine_sizes[small];
    *s = (winged_ship){.length = length, .small = small};
    s->vertex_count = vertices_of(body) + WINGS * (vertices_of(wing) + vertices_of(engine));
    s->body_triangles = triangles_of(body);
    const uint32_t triangles = s->body_triangles + WINGS * (triangles_of(wing) + triangles_of(engine));
    s->positions = malloc(s->vertex_count * sizeof *s->positions);
    s->triangles = malloc(triangles * sizeof *s->triangles);
    if (s->positions == NULL || s->triangles == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    join(s, body, 0);
    uint32_t first = vertices_of(body);
    for (int i = 0; i < WINGS; i++) {
        join(s, wing, first);
        join(s, engine, first + vertices_of(wing));
        first += vertices_of(wing) + vertices_of(engine);
    }
    assert(first == s->vertex_count && s->triangle_count == triangles);
    winged_ship_open(s, winged_ship_angle(0.25), 0.0);
}

void winged_ship_open(winged_ship *s, double angle, double setback)
{
    uint32_t next = put_turned(s, body_sizes[s->small], 0, 0.0, 0.0, 0.0, 1.0, body_radius);
    for (int i = 0; i < WINGS; i++) {
        const double own = i == 0 ? angle : i == 1 ? -angle : i == 2 ? pi - angle : pi + angle;
        next = put_wing(s, wing_sizes[s->small], next, own, setback);
        next =
            put_turned(s, engine_sizes[s->small], next, 0.33 * cos(own), 0.33 * sin(own), setback, 0.6, engine_radius);
    }
    assert(next == s->vertex_count);
}

double winged_ship_angle(double time)
{
    return 0.35 - 0.25 * cos(2.0 * pi * time);
}

void winged_ship_free(winged_ship *s)
{
    free(s->positions);
    free(s->triangles);
}
