// SPDX-License-Identifier: MIT
// A cloth of 20,000 triangles falls over a model, hangs down from it and folds. The cloth is a grid of points that keep
// their momentum and their distances. It has a thickness: each point stays away from the model, by a field of distances
// (distances.h), and from the cloth's other points. No step moves a point as far as that, so that nothing is jumped
// over. Cloth and model are one mesh; in every frame Graze tests it against itself, with new positions for all vertices
// of the cloth, and says whether anything touches. Source of the motion: T. Jakobsen, "Advanced character physics"
// (2001).
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo.h"
#include "distances.h"

enum {
    STEPS = 12, // of motion in a frame
    ROUNDS = 6  // of pulls in a step
};

// As parts of the gap between two points. With points 1.2 gaps apart, triangles cannot pass through each other while no
// edge of them is longer than 1.2 times its length at rest: where two edges of length e cross, two of their ends are at
// most e / sqrt(2) apart, and the longest edges are the diagonals.
static const double spacing = 1.2, above = 0.85, most_step = 0.25;

typedef struct cloth {
    uint32_t side;            // points along an edge
    double gap;               // from one to the next
    double (*points)[3];      // of the cloth, then those of the model
    double (*before)[3];      // of the cloth, one step ago
    uint32_t (*triangles)[3]; // the cloth's, then the model's
    uint8_t *colours;         // of the triangles
    bool *rests;              // of the cloth's points: held up by the model
    double middle[3], width;  // of the model, and of the cloth
    uint32_t point_count, triangle_count, cloth_points, cloth_triangles;
    double floor;
    distances field;
    uint32_t *first, *next, buckets; // the cloth's points by their cell: lists in a hash table
    int64_t (*cells)[3];
} cloth;

// A square above the model, half as wide again, and the model's own triangles behind it.
static void make(cloth *c, const grz_io_model *m, bool small)
{
    double low[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
    for (uint64_t v = 0; v < 3 * m->vertex_count; v++) {
        low[v % 3] = fmin(low[v % 3], m->positions[v]);
        high[v % 3] = fmax(high[v % 3], m->positions[v]);
    }
    c->floor = low[1];
    for (int axis = 0; axis < 3; axis++)
        c->middle[axis] = 0.5 * (low[axis] + high[axis]);
    const double width = c->width = 1.6 * fmax(high[0] - low[0], high[2] - low[2]);
    c->side = small ? 31 : 101;
    c->gap = width / (c->side - 1);
    c->cloth_points = c->side * c->side;
    c->point_count = c->cloth_points + (uint32_t)m->vertex_count;
    c->cloth_triangles = 2 * (c->side - 1) * (c->side - 1);
    c->triangle_count = c->cloth_triangles + (uint32_t)(m->index_count / 3);
    c->points = demo_get(c->point_count, sizeof *c->points);
    c->before = demo_get(c->cloth_points, sizeof *c->before);
    c->triangles = demo_get(c->triangle_count, sizeof *c->triangles);
    c->rests = demo_get(c->cloth_points, sizeof *c->rests);
    for (c->buckets = 1; c->buckets < 2 * c->cloth_points;)
        c->buckets *= 2;
    c->first = demo_get(c->buckets, sizeof *c->first);
    c->next = demo_get(c->cloth_points, sizeof *c->next);
    c->cells = demo_get(c->cloth_points, sizeof *c->cells);
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

// Momentum and weight. No point moves further than the thickness allows.
static void move_points(cloth *c)
{
    for (uint32_t v = 0; v < c->cloth_points; v++) {
        double *p = c->points[v], *q = c->before[v], way[3], length = 0.0;
        for (int i = 0; i < 3; i++) {
            way[i] = 0.985 * (p[i] - q[i]) - (i == 1 ? 1.6e-5 * c->width : 0.0);
            length += way[i] * way[i];
        }
        const double slower = fmin(1.0, most_step * c->gap / (sqrt(length) + 1e-300));
        for (int i = 0; i < 3; i++) {
            q[i] = p[i];
            p[i] += slower * way[i];
        }
    }
}

static void pull_all(cloth *c)
{
    const uint32_t n = c->side;
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
}

static uint32_t bucket(const cloth *c, const int64_t cell[3])
{
    const uint64_t hash = (uint64_t)cell[0] * 73856093 ^ (uint64_t)cell[1] * 19349663 ^ (uint64_t)cell[2] * 83492791;
    return (uint32_t)hash & (c->buckets - 1);
}

// Sort the points into cells as wide as they stay apart.
static void fill_cells(cloth *c)
{
    memset(c->first, 0xff, c->buckets * sizeof *c->first);
    for (uint32_t v = 0; v < c->cloth_points; v++) {
        for (int i = 0; i < 3; i++)
            c->cells[v][i] = (int64_t)floor(c->points[v][i] / (1.1 * spacing * c->gap));
        uint32_t *first = &c->first[bucket(c, c->cells[v])];
        c->next[v] = *first;
        *first = v;
    }
}

// Push two points apart if they are too near. Their momentum towards each other is lost.
static void push_apart(cloth *c, uint32_t v, uint32_t w)
{
    double *p = c->points[v], *q = c->points[w], way[3], square = 0.0;
    const double least = spacing * c->gap;
    for (int i = 0; i < 3; i++) {
        way[i] = q[i] - p[i];
        square += way[i] * way[i];
    }
    if (square >= least * least)
        return;
    const uint32_t n = c->side, rows = v / n > w / n ? v / n - w / n : w / n - v / n,
                   columns = v % n > w % n ? v % n - w % n : w % n - v % n;
    if (rows + columns <= 1) // neighbours at rest
        return;
    const double length = sqrt(square) + 1e-12, part = 0.5 * (least / length - 1.0);
    for (int i = 0; i < 3; i++) {
        p[i] -= part * way[i];
        q[i] += part * way[i];
        c->before[v][i] -= 0.9 * part * way[i];
        c->before[w][i] += 0.9 * part * way[i];
    }
}

// Keep the points of the cloth apart. Each pair is found once: from the later point in a list, or the greater cell.
static void keep_apart(cloth *c)
{
    for (uint32_t v = 0; v < c->cloth_points; v++)
        for (int k = 0; k < 27; k++) {
            const int64_t cell[3] = {c->cells[v][0] + k / 9 - 1, c->cells[v][1] + k / 3 % 3 - 1,
                                     c->cells[v][2] + k % 3 - 1};
            for (uint32_t w = c->first[bucket(c, cell)]; w != UINT32_MAX; w = c->next[w])
                if (w < v && memcmp(c->cells[w], cell, sizeof cell) == 0)
                    push_apart(c, w, v);
        }
}

// Keep the points off the model and the floor, with friction.
static void keep_off(cloth *c)
{
    for (uint32_t v = 0; v < c->cloth_points; v++) {
        double *p = c->points[v], *q = c->before[v], out[3];
        const double deep = above * c->gap - distances_at(&c->field, p, out), low = c->floor + 0.3 * c->gap - p[1];
        c->rests[v] = deep > -0.1 * c->gap;
        for (int i = 0; i < 3; i++)
            p[i] += deep > 0.0 ? deep * out[i] : 0.0;
        p[1] += fmax(low, 0.0);
        if (deep > 0.0 || low > 0.0)
            for (int i = 0; i < 3; i++)
                q[i] = p[i] - 0.5 * (p[i] - q[i]);
    }
}

static void step(cloth *c)
{
    move_points(c);
    for (int round = 0; round < ROUNDS; round++) {
        pull_all(c);
        if (round % 2 == 0)
            fill_cells(c);
        keep_apart(c);
        keep_off(c);
    }
}

static void make_field(const demo *d, cloth *c, const grz_io_model *m)
{
    grz_mesh *mesh = demo_mesh(d, m->positions, m->vertex_count, m->indices, m->index_count, GRZ_MESH_INDEX_ONLY);
    const grz_object object = grz_object_at_origin(mesh);
    distances_make(&c->field, d->device, m, &object, 0.4 * c->gap, 2.0 * c->gap);
    grz_mesh_destroy(mesh);
}

static void ask(const demo *d, const grz_object *object, const char *method, grz_result *result)
{
    const grz_collide_options options = demo_ask_pairs(method);
    grz_error error;
    demo_check(grz_collide_self(d->device, object, &options, result, &error), &error);
}

static bool rests(const cloth *c, uint32_t triangle)
{
    const uint32_t *v = c->triangles[triangle];
    return c->rests[v[0]] && c->rests[v[1]] && c->rests[v[2]];
}

// The cloth is blue, deeper where it rests on the model.
static void paint(cloth *c)
{
    static const uint8_t free_blue[3] = {152, 184, 218}, resting_blue[3] = {104, 148, 200}, brown[3] = {198, 164, 124};
    for (uint32_t t = 0; t < c->triangle_count; t++) {
        const uint8_t *color = brown;
        if (t < c->cloth_triangles)
            color = rests(c, t) ? resting_blue : free_blue;
        memcpy(c->colours + 3 * (size_t)t, color, sizeof brown);
    }
}

// What touches is red. The view holds the cloth, hung down and lying.
static void set_view(demo *d, cloth *c)
{
    static const uint8_t red[3] = {214, 30, 40};
    grz_picture_options *picture = &d->picture;
    c->colours = demo_get(c->triangle_count, sizeof red);
    picture->face_colours = (const uint8_t *const *)&c->colours;
    picture->touch_colours = red;
    picture->has_direction = picture->has_region = true;
    picture->direction[0] = -0.6;
    picture->direction[1] = -0.5;
    picture->direction[2] = -0.7;
    for (int axis = 0; axis < 3; axis++) {
        picture->region_min[axis] = c->middle[axis] - 0.33 * c->width;
        picture->region_max[axis] = c->middle[axis] + 0.33 * c->width;
    }
}

// Say how many pairs of faces are of the cloth with itself, and of the cloth with the model.
static void describe(const cloth *c, const grz_result *result, char *text, size_t size)
{
    uint64_t count, own = 0, with_model = 0, resting = 0;
    const grz_pair *pairs = grz_result_pairs(result, &count);
    for (uint64_t i = 0; i < count; i++) {
        own += pairs[i].face_b < c->cloth_triangles;
        with_model += pairs[i].face_a < c->cloth_triangles && pairs[i].face_b >= c->cloth_triangles;
    }
    for (uint32_t t = 0; t < c->cloth_triangles; t++)
        resting += rests(c, t);
    snprintf(text, size,
             "%" PRIu64 " pairs of the cloth's %" PRIu32 " faces touch, %" PRIu64
             " touch the model; deep blue: %" PRIu64 " faces rest on it",
             own, c->cloth_triangles, with_model, resting);
}

// Compare the answers of two methods: as it is, when nothing should touch, and with the model raised into the cloth.
static void check(const demo *d, uint64_t frame, cloth *c, const grz_object *object, grz_mesh *mesh,
                  const grz_result *result, grz_result *reference)
{
    const size_t count = c->point_count - c->cloth_points;
    double(*kept)[3] = demo_get(count, sizeof *kept);
    grz_error error;
    grz_result *raised;
    ask(d, object, d->reference, reference);
    demo_compare(d, frame, result, reference);
    memcpy(kept, c->points + c->cloth_points, count * sizeof *kept);
    for (uint32_t v = c->cloth_points; v < c->point_count; v++)
        c->points[v][1] += 1.5 * c->gap;
    demo_check(grz_result_create(d->device, &raised, &error), &error);
    demo_check(grz_mesh_set_positions(mesh, c->points, &error), &error);
    ask(d, object, d->method, raised);
    ask(d, object, d->reference, reference);
    demo_compare(d, frame, raised, reference);
    printf("frame %" PRIu64 ", the model raised: %" PRIu64 " pairs touch\n", frame,
           grz_result_summary(raised)->pair_count);
    memcpy(c->points + c->cloth_points, kept, count * sizeof *kept);
    demo_check(grz_mesh_set_positions(mesh, c->points, &error), &error);
    grz_result_destroy(raised);
    free(kept);
}

int main(int argc, char **argv)
{
    demo d = {.name = "cloth",
              .about = "a cloth falls over a model and folds; it is tested against the model and itself",
              .usual_frames = 200,
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
    make_field(&d, c, m);
    grz_io_model_destroy(m);
    grz_mesh *mesh = demo_mesh(&d, c->points, c->point_count, &c->triangles[0][0], 3 * (uint64_t)c->triangle_count,
                               GRZ_MESH_INDEX_ONLY);
    set_view(&d, c);
    const grz_object object = grz_object_at_origin(mesh);
    demo_check(grz_result_create(d.device, &result, &error), &error);
    demo_check(grz_result_create(d.device, &reference, &error), &error);
    printf("cloth: %" PRIu32 " triangles, method %s\n", c->triangle_count, d.method);
    for (uint64_t frame = 0; frame < d.frames; frame++) {
        for (int i = 0; i < STEPS * (d.small ? 2 : 1); i++)
            step(c);
        paint(c);
        demo_check(grz_mesh_set_positions(mesh, c->points, &error), &error);
        ask(&d, &object, d.method, result);
        char found[128];
        describe(c, result, found, sizeof found);
        if (d.check)
            check(&d, frame, c, &object, mesh, result, reference);
        if (!demo_show(&d, frame, &object, 1, result, found))
            break;
    }
    grz_result_destroy(result);
    grz_result_destroy(reference);
    grz_mesh_destroy(mesh);
    free(c->points);
    free(c->before);
    free(c->triangles);
    free(c->rests);
    free(c->first);
    free(c->next);
    free(c->cells);
    distances_free(&c->field);
    free(c->colours);
    free(c);
    demo_close(&d);
    return 0;
}
