// SPDX-License-Identifier: MIT
// A cloth of 50,000 triangles falls over a model, hangs down from it and folds. The cloth is a grid of points that keep
// their momentum and their distances. For the motion the model is only a height field, and the cloth does not collide
// with itself: so it goes through the model a little, and through itself. Both are one mesh, tested against itself in
// every frame with new positions for all vertices of the cloth. Source of the motion: T. Jakobsen, "Advanced character
// physics" (2001).
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo.h"
#include <graze/io.h>

enum {
    CELLS = 160, // of the height field
    STEPS = 8    // of motion in a frame
};

typedef struct cloth {
    uint32_t side;            // points along an edge
    double gap;               // from one to the next
    double (*points)[3];      // of the cloth, then those of the model
    double (*before)[3];      // of the cloth, one step ago
    uint32_t (*triangles)[3]; // the cloth's, then the model's
    uint8_t *colors;          // of the triangles
    double middle[3], width;  // of the model, and of the cloth
    uint32_t point_count, triangle_count, cloth_points;
    double floor, low[2], cell; // the height field, over x and z
    double heights[CELLS][CELLS];
} cloth;

// Compute the height field: the model's height over each cell.
static void find_heights(cloth *c, const grz_io_model *m, const double low[3], const double high[3])
{
    c->floor = low[1];
    c->cell = 1.02 * fmax(high[0] - low[0], high[2] - low[2]) / CELLS;
    c->low[0] = 0.5 * (low[0] + high[0]) - 0.5 * CELLS * c->cell;
    c->low[1] = 0.5 * (low[2] + high[2]) - 0.5 * CELLS * c->cell;
    for (int i = 0; i < CELLS * CELLS; i++)
        c->heights[i / CELLS][i % CELLS] = c->floor;
    for (uint64_t t = 0; t < m->index_count / 3; t++)
        for (int i = 0; i <= 20; i++)
            for (int j = 0; i + j <= 20; j++) {
                double p[3] = {0.0};
                const double weights[3] = {i / 20.0, j / 20.0, (20 - i - j) / 20.0};
                for (uint64_t k = 0; k < 3; k++)
                    for (int axis = 0; axis < 3; axis++)
                        p[axis] += weights[k] * m->positions[3 * (uint64_t)m->indices[3 * t + k] + (uint64_t)axis];
                double *height = &c->heights[(int)((p[0] - c->low[0]) / c->cell)][(int)((p[2] - c->low[1]) / c->cell)];
                *height = fmax(*height, p[1]);
            }
}

static double height_at(const cloth *c, double x, double z)
{
    const double i = (x - c->low[0]) / c->cell, j = (z - c->low[1]) / c->cell;
    return i >= 0.0 && j >= 0.0 && i < CELLS && j < CELLS ? c->heights[(int)i][(int)j] : c->floor;
}

// A square above the model, half as wide again, and the model's own triangles behind it.
static void make(cloth *c, const grz_io_model *m, bool small)
{
    double low[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
    for (uint64_t v = 0; v < 3 * m->vertex_count; v++) {
        low[v % 3] = fmin(low[v % 3], m->positions[v]);
        high[v % 3] = fmax(high[v % 3], m->positions[v]);
    }
    find_heights(c, m, low, high);
    for (int axis = 0; axis < 3; axis++)
        c->middle[axis] = 0.5 * (low[axis] + high[axis]);
    const double width = c->width = 1.6 * fmax(high[0] - low[0], high[2] - low[2]);
    c->side = small ? 41 : 161;
    c->gap = width / (c->side - 1);
    c->cloth_points = c->side * c->side;
    c->point_count = c->cloth_points + (uint32_t)m->vertex_count;
    c->triangle_count = 2 * (c->side - 1) * (c->side - 1) + (uint32_t)(m->index_count / 3);
    c->points = demo_get(c->point_count, sizeof *c->points);
    c->before = demo_get(c->cloth_points, sizeof *c->before);
    c->triangles = demo_get(c->triangle_count, sizeof *c->triangles);
    for (uint32_t i = 0; i < c->side; i++)
        for (uint32_t j = 0; j < c->side; j++) {
            double *p = c->points[i * c->side + j];
            p[0] = 0.5 * (low[0] + high[0]) + c->gap * i - 0.5 * width;
            p[1] = high[1] + 0.05 * width + 0.002 * width * sin(0.7 * i) * cos(0.9 * j); // not quite flat
            p[2] = 0.5 * (low[2] + high[2]) + c->gap * j - 0.5 * width;
            memcpy(c->before[i * c->side + j], p, sizeof *c->points);
        }
    memcpy(c->points[c->cloth_points], m->positions, 3 * m->vertex_count * sizeof(double));
    uint32_t(*t)[3] = c->triangles;
    for (uint32_t i = 0; i + 1 < c->side; i++)
        for (uint32_t j = 0; j + 1 < c->side; j++, t += 2) {
            const uint32_t v = i * c->side + j,
                           two[2][3] = {{v, v + 1, v + c->side}, {v + 1, v + c->side + 1, v + c->side}};
            memcpy(t, two, sizeof two);
        }
    for (uint64_t k = 0; k < m->index_count; k++)
        t[k / 3][k % 3] = m->indices[k] + c->cloth_points;
}

// Pull two points towards a given distance.
static void pull(cloth *c, uint32_t a, uint32_t b, double distance, double strength)
{
    double *p = c->points[a], *q = c->points[b], apart[3], length = 0.0;
    for (int i = 0; i < 3; i++) {
        apart[i] = q[i] - p[i];
        length += apart[i] * apart[i];
    }
    const double part = 0.5 * strength * (1.0 - distance / (sqrt(length) + 1e-12));
    for (int i = 0; i < 3; i++) {
        p[i] += part * apart[i];
        q[i] -= part * apart[i];
    }
}

static void step(cloth *c, double width)
{
    const uint32_t n = c->side;
    for (uint32_t v = 0; v < c->cloth_points; v++) {
        double *p = c->points[v], *q = c->before[v];
        for (int i = 0; i < 3; i++) {
            const double next = p[i] + 0.985 * (p[i] - q[i]) - (i == 1 ? 2.4e-5 * width : 0.0);
            q[i] = p[i];
            p[i] = next;
        }
    }
    for (int round = 0; round < 3; round++)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++) {
                const uint32_t v = i * n + j;
                if (i + 1 < n)
                    pull(c, v, v + n, c->gap, 1.0);
                if (j + 1 < n)
                    pull(c, v, v + 1, c->gap, 1.0);
                if (i + 1 < n && j + 1 < n) {
                    pull(c, v, v + n + 1, c->gap * sqrt(2.0), 0.5);
                    pull(c, v + 1, v + n, c->gap * sqrt(2.0), 0.5);
                }
                if (i + 2 < n) // resists bending
                    pull(c, v, v + 2 * n, 2.0 * c->gap, 0.05);
                if (j + 2 < n)
                    pull(c, v, v + 2, 2.0 * c->gap, 0.05);
            }
    for (uint32_t v = 0; v < c->cloth_points; v++) {
        double *p = c->points[v], *q = c->before[v];
        const double height = height_at(c, p[0], p[2]) + 0.3 * c->gap;
        if (p[1] >= height ||
            (p[1] < height - 6.0 * c->gap && height > c->floor + c->gap)) // beside the model, below its top: hangs free
            continue;
        p[1] = q[1] = height;
        q[0] = p[0] - 0.3 * (p[0] - q[0]); // friction
        q[2] = p[2] - 0.3 * (p[2] - q[2]);
    }
}

static grz_mesh *upload(const demo *d, const cloth *c)
{
    grz_mesh_description description = grz_default_mesh_description();
    grz_mesh *mesh;
    grz_error error;
    description.positions = c->points;
    description.position_type = GRZ_FLOAT64;
    description.vertex_count = c->point_count;
    description.indices = &c->triangles[0][0];
    description.index_count = 3 * (uint64_t)c->triangle_count;
    description.face_count = c->triangle_count;
    description.flags = GRZ_MESH_INDEX_ONLY;
    demo_check(grz_mesh_create(d->device, &description, &mesh, &error), &error);
    return mesh;
}

static void ask(const demo *d, const grz_object *object, const char *method, grz_result *result)
{
    const grz_collide_options options = demo_ask_pairs(method);
    grz_error error;
    demo_check(grz_collide_self(d->device, object, &options, result, &error), &error);
}

// The cloth is blue, the model brown, what touches is red. The view holds the cloth, hung down and lying.
static void set_view(demo *d, cloth *c)
{
    static const uint8_t blue[3] = {152, 184, 218}, brown[3] = {198, 164, 124}, red[3] = {214, 30, 40};
    grz_picture_options *picture = &d->picture;
    c->colors = demo_get(c->triangle_count, sizeof blue);
    for (uint32_t t = 0; t < c->triangle_count; t++)
        memcpy(c->colors + 3 * (size_t)t, t < 2 * (c->side - 1) * (c->side - 1) ? blue : brown, sizeof blue);
    picture->face_colors = (const uint8_t *const *)&c->colors;
    picture->touch_colors = red;
    picture->has_direction = picture->has_region = true;
    picture->direction[0] = -0.6;
    picture->direction[1] = -0.5;
    picture->direction[2] = -0.7;
    for (int axis = 0; axis < 3; axis++) {
        picture->region_min[axis] = c->middle[axis] - 0.33 * c->width;
        picture->region_max[axis] = c->middle[axis] + 0.33 * c->width;
    }
}

int main(int argc, char **argv)
{
    demo d = {.name = "cloth",
              .about = "a cloth falls over a model and folds; it is tested against the model and itself",
              .usual_frames = 240,
              .has_model = true,
              .self = true};
    grz_io_model *m;
    grz_error error;
    grz_result *result, *reference;
    demo_open(&d, argc, argv);
    demo_check(grz_io_load_file(d.model != NULL ? d.model : DEMOS_DATA "/cow_spot.ply", NULL, &m, &error), &error);
    if (m->corner_counts != NULL) {
        fprintf(stderr, "cloth: the model has faces that are no triangles\n");
        return 2;
    }
    cloth *c = demo_get(1, sizeof *c);
    make(c, m, d.small);
    grz_io_model_destroy(m);
    grz_mesh *mesh = upload(&d, c);
    set_view(&d, c);
    const grz_object object = grz_object_at_origin(mesh);
    demo_check(grz_result_create(d.device, &result, &error), &error);
    demo_check(grz_result_create(d.device, &reference, &error), &error);
    printf("cloth: %" PRIu32 " triangles, method %s\n", c->triangle_count, d.method);
    for (uint64_t frame = 0; frame < d.frames; frame++) {
        for (int i = 0; i < STEPS * (d.small ? 4 : 1); i++)
            step(c, c->gap * (c->side - 1));
        demo_check(grz_mesh_set_positions(mesh, c->points, &error), &error);
        ask(&d, &object, d.method, result);
        char found[128];
        snprintf(found, sizeof found, "%" PRIu64 " pairs of %" PRIu32 " faces touch: red",
                 grz_result_summary(result)->pair_count, c->triangle_count);
        if (d.check) {
            ask(&d, &object, d.reference, reference);
            demo_compare(&d, frame, result, reference);
        }
        if (!demo_show(&d, frame, &object, 1, result, found))
            break;
    }
    grz_result_destroy(result);
    grz_result_destroy(reference);
    grz_mesh_destroy(mesh);
    free(c->points);
    free(c->before);
    free(c->triangles);
    free(c->colors);
    free(c);
    demo_close(&d);
    return 0;
}
