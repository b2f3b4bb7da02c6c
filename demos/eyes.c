// SPDX-License-Identifier: MIT
// What somebody in a level sees (eyes.h).
#include "eyes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TILT = -0.12; // of the look, downwards
static const double FADE = 0.06;  // how much of the light a unit of distance takes
static const uint8_t NOTHING[3] = {250, 250, 250};

void eyes_open(eyes *e, uint32_t columns, uint32_t rows, double wide)
{
    const size_t count = (size_t)columns * rows;
    *e = (eyes){.columns = columns,
                .rows = rows,
                .wide = wide,
                .rays = demo_get(count, sizeof *e->rays),
                .hits = demo_get(count, sizeof *e->hits),
                .pixels = demo_get(count, 3)};
}

void eyes_close(eyes *e)
{
    free(e->rays);
    free(e->hits);
    free(e->pixels);
}

// The rays through the middles of the pixels.
static void aim(eyes *e, const double at[3], const double heading[3])
{
    const double side[3] = {-heading[2], 0.0, heading[0]}, high = e->wide * e->rows / e->columns;
    grz_ray *ray = e->rays;
    for (uint32_t row = 0; row < e->rows; row++)
        for (uint32_t column = 0; column < e->columns; column++, ray++) {
            const double right = e->wide * (2.0 * (column + 0.5) / e->columns - 1.0),
                         up = TILT - high * (2.0 * (row + 0.5) / e->rows - 1.0);
            const double way[3] = {heading[0] + right * side[0], up, heading[2] + right * side[2]};
            *ray = grz_ray_along(at, way);
        }
}

void eyes_look(eyes *e, const demo *d, const grz_object *objects, uint32_t count, const double at[3],
               const double heading[3],
               void (*color_of)(void *user, uint32_t object, uint32_t face, const double normal[3], uint8_t color[3]),
               void *user)
{
    const size_t rays = (size_t)e->columns * e->rows;
    grz_error error;
    aim(e, at, heading);
    demo_check(grz_pick(d->device, grz_targets_of_objects(objects, count), e->rays, rays, NULL, e->hits, &error),
               &error);
    for (size_t i = 0; i < rays; i++) {
        const grz_ray_hit *hit = &e->hits[i];
        uint8_t *pixel = e->pixels + 3 * i, color[3];
        memcpy(pixel, NOTHING, sizeof NOTHING);
        if (hit->object == GRZ_NO_OBJECT)
            continue;
        color_of(user, hit->object, hit->face, hit->normal, color);
        const double light =
            (0.62 + 0.16 * fabs(hit->normal[0]) + 0.38 * fabs(hit->normal[1])) / (1.0 + FADE * hit->distance);
        for (int k = 0; k < 3; k++)
            pixel[k] = (uint8_t)fmin(255.0, color[k] * light);
    }
}
