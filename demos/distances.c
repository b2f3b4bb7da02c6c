// SPDX-License-Identifier: MIT
// A grid of distances from a model (distances.h). Each triangle writes its distance to the points of the grid around
// it; grz_locate_points() says which points are inside. A point nearest on a triangle lies below it, or on an edge.
#include <math.h>
#include <stdlib.h>

#include "demo.h"
#include "distances.h"

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double clamp(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

// The square of the distance of a point from an edge.
static double from_edge(const double p[3], const double a[3], const double b[3])
{
    double edge[3], to[3];
    for (int i = 0; i < 3; i++) {
        edge[i] = b[i] - a[i];
        to[i] = p[i] - a[i];
    }
    const double along = clamp(dot(edge, to) / (dot(edge, edge) + 1e-300), 0.0, 1.0);
    for (int i = 0; i < 3; i++)
        to[i] -= along * edge[i];
    return dot(to, to);
}

// The distance of a point from a triangle: from its plane if the point is above it, else from its edges.
static double from_triangle(const double p[3], const double *const c[3])
{
    double u[3], v[3], to[3];
    for (int i = 0; i < 3; i++) {
        u[i] = c[1][i] - c[0][i];
        v[i] = c[2][i] - c[0][i];
        to[i] = p[i] - c[0][i];
    }
    const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), up = dot(u, to), vp = dot(v, to);
    const double area = uu * vv - uv * uv, s = vv * up - uv * vp, t = uu * vp - uv * up;
    if (area > 0.0 && s >= 0.0 && t >= 0.0 && s + t <= area) {
        for (int i = 0; i < 3; i++)
            to[i] -= (s * u[i] + t * v[i]) / area;
        return sqrt(dot(to, to));
    }
    return sqrt(fmin(fmin(from_edge(p, c[0], c[1]), from_edge(p, c[1], c[2])), from_edge(p, c[2], c[0])));
}

static float *value(const distances *d, int64_t x, int64_t y, int64_t z)
{
    return &d->values[(x * d->size[1] + y) * d->size[2] + z];
}

static void add_triangle(distances *d, const double *const c[3])
{
    int64_t from[3], to[3], at[3];
    for (int i = 0; i < 3; i++) {
        const double low = fmin(fmin(c[0][i], c[1][i]), c[2][i]), high = fmax(fmax(c[0][i], c[1][i]), c[2][i]);
        from[i] = (int64_t)fmax((low - d->most - d->low[i]) / d->cell, 0.0);
        to[i] = (int64_t)fmin((high + d->most - d->low[i]) / d->cell + 1.0, (double)(d->size[i] - 1));
    }
    for (at[0] = from[0]; at[0] <= to[0]; at[0]++)
        for (at[1] = from[1]; at[1] <= to[1]; at[1]++)
            for (at[2] = from[2]; at[2] <= to[2]; at[2]++) {
                double p[3];
                for (int i = 0; i < 3; i++)
                    p[i] = d->low[i] + d->cell * (double)at[i];
                float *least = value(d, at[0], at[1], at[2]);
                *least = fminf(*least, (float)from_triangle(p, c));
            }
}

// Make the distances of all points inside negative.
static void find_inside(distances *d, grz_device *device, const grz_object *object)
{
    const int64_t plane = d->size[1] * d->size[2];
    double(*points)[3] = demo_get((size_t)plane, sizeof *points);
    grz_location *locations = demo_get((size_t)plane, sizeof *locations);
    grz_error error;
    for (int64_t x = 0; x < d->size[0]; x++) {
        for (int64_t i = 0; i < plane; i++) {
            points[i][0] = d->low[0] + d->cell * (double)x;
            const int64_t y = i / d->size[2];
            points[i][1] = d->low[1] + d->cell * (double)y;
            points[i][2] = d->low[2] + d->cell * (double)(i % d->size[2]);
        }
        demo_check(grz_locate_points(device, object, &points[0][0], (uint64_t)plane, NULL, locations, &error), &error);
        for (int64_t i = 0; i < plane; i++)
            if (locations[i] == GRZ_INSIDE)
                d->values[x * plane + i] *= -1.0F;
    }
    free(points);
    free(locations);
}

void distances_make(distances *d, grz_device *device, const grz_io_model *model, const grz_object *object, double cell,
                    double most)
{
    double high[3];
    size_t count = 1;
    d->cell = cell;
    d->most = most;
    for (int i = 0; i < 3; i++) {
        d->low[i] = high[i] = model->positions[i];
        for (uint64_t v = 0; v < model->vertex_count; v++) {
            d->low[i] = fmin(d->low[i], model->positions[3 * v + (uint64_t)i]);
            high[i] = fmax(high[i], model->positions[3 * v + (uint64_t)i]);
        }
        d->low[i] -= most + cell;
        d->size[i] = (int64_t)((high[i] + most - d->low[i]) / cell) + 3;
        count *= (size_t)d->size[i];
    }
    d->values = demo_get(count, sizeof *d->values);
    for (size_t i = 0; i < count; i++)
        d->values[i] = (float)most;
    for (uint64_t t = 0; t < model->index_count; t += 3) {
        const double *const corners[3] = {model->positions + 3 * (uint64_t)model->indices[t],
                                          model->positions + 3 * (uint64_t)model->indices[t + 1],
                                          model->positions + 3 * (uint64_t)model->indices[t + 2]};
        add_triangle(d, corners);
    }
    find_inside(d, device, object);
}

double distances_at(const distances *d, const double p[3], double direction[3])
{
    int64_t at[3];
    double share[3], distance = 0.0, length = 1e-12;
    for (int i = 0; i < 3; i++) {
        direction[i] = 0.0;
        const double x = (p[i] - d->low[i]) / d->cell;
        if (!(x >= 0.0 && x < (double)(d->size[i] - 1)))
            return d->most;
        at[i] = (int64_t)x;
        share[i] = x - (double)at[i];
    }
    for (int corner = 0; corner < 8; corner++) {
        const int bits[3] = {corner & 1, corner >> 1 & 1, corner >> 2};
        const double v = (double)*value(d, at[0] + bits[0], at[1] + bits[1], at[2] + bits[2]);
        double w[3];
        for (int i = 0; i < 3; i++)
            w[i] = bits[i] == 1 ? share[i] : 1.0 - share[i];
        distance += w[0] * w[1] * w[2] * v;
        for (int i = 0; i < 3; i++)
            direction[i] += (bits[i] == 1 ? v : -v) * w[(i + 1) % 3] * w[(i + 2) % 3];
    }
    for (int i = 0; i < 3; i++)
        length += direction[i] * direction[i];
    for (int i = 0; i < 3; i++)
        direction[i] /= sqrt(length);
    return distance;
}

void distances_free(distances *d)
{
    free(d->values);
}
