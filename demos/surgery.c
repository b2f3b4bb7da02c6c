// SPDX-License-Identifier: MIT
// A scalpel opens a cut across the cheek of a face of some twenty thousand triangles. The skin is pressed in under the
// blade, parts behind it, and the whole face breathes: in every frame all vertices have new positions, and the faces
// that touch the blade are found again. The motion is a formula, so the skin does not answer to what is found. The face
// is refined by C. Loop, "Smooth subdivision surfaces based on triangles" (1987), and split along the path before the
// first frame: until the blade has passed, the two sides of the split lie on each other.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demo.h"
#include <graze/io.h>

enum {
    ROWS = 3 // of vertices below each point of the cut: down one wall, the bottom, up the other
};

// Lengths in metres, as in the model.
static const double path_from[2] = {0.022, 0.248}, path_to[2] = {0.049, 0.200}; // x and y
static const double path_bend = 0.004; // how far the middle of the path lies from the straight line
static const double half_opening = 0.0028, opening_run = 0.016, opening_reach = 0.011; // of the cut behind the blade
static const double depth = 0.004, press_depth = 0.0030, press_radius = 0.011, breath = 0.0004;
static const double blade_length = 0.10, blade_below = 0.010; // of its length under the skin

typedef struct vertex {
    double rest[3], normal[3];
    double across, along; // of the path: distance from it, and 0 where it begins to 1 where it ends
    double side;          // 1 or -1; 0 where the path ends
} vertex;

typedef struct tissue {
    vertex *vertices;
    uint32_t (*triangles)[3]; // those of the skin, then the walls of the cut
    uint32_t vertex_count, triangle_count, vertex_room, triangle_room;
    uint32_t skin_vertices, skin_triangles;
    uint32_t (*seam)[2]; // the skin's vertices on both sides of the path, from its beginning to its end
    uint32_t seam_count;
    double (*positions)[3]; // in this frame
    uint8_t *colours;       // of the triangles
} tissue;

// ---- Edges ---------------------------------------------------------------------------------------------------------

// An edge of the skin. Open addressing by its two vertices, the lower number first.
typedef struct edge {
    uint32_t from, to;
    uint32_t faces;     // 0: a free place of the table
    double opposite[3]; // the sum of the corners that face it
    uint32_t middle;    // the vertex that was put on it
} edge;

typedef struct edges {
    edge *table;
    size_t size; // a power of two
} edges;

static edge *find_edge(const edges *e, uint32_t a, uint32_t b)
{
    const uint32_t low = a < b ? a : b, high = a < b ? b : a;
    size_t at = (size_t)(low * UINT64_C(0x9e3779b97f4a7c15) ^ high * UINT64_C(0xc2b2ae3d27d4eb4f)) & (e->size - 1);
    while (e->table[at].faces != 0 && (e->table[at].from != low || e->table[at].to != high))
        at = (at + 1) & (e->size - 1);
    e->table[at].from = low;
    e->table[at].to = high;
    return &e->table[at];
}

static edges find_edges(const tissue *t)
{
    edges e = {.size = 1};
    while (e.size < 4 * (size_t)t->triangle_count)
        e.size *= 2;
    e.table = demo_get(e.size, sizeof *e.table);
    for (uint32_t i = 0; i < t->triangle_count; i++)
        for (int j = 0; j < 3; j++) {
            const uint32_t *corner = t->triangles[i];
            edge *found = find_edge(&e, corner[j], corner[(j + 1) % 3]);
            found->faces++;
            for (int axis = 0; axis < 3; axis++)
                found->opposite[axis] += t->vertices[corner[(j + 2) % 3]].rest[axis];
        }
    return e;
}

// ---- The skin ------------------------------------------------------------------------------------------------------

static void reserve(tissue *t, uint32_t vertices, uint32_t triangles)
{
    vertex *more_vertices = demo_get(vertices, sizeof *more_vertices);
    uint32_t(*more_triangles)[3] = demo_get(triangles, sizeof *more_triangles);
    if (t->vertex_count > 0)
        memcpy(more_vertices, t->vertices, t->vertex_count * sizeof *more_vertices);
    if (t->triangle_count > 0)
        memcpy(more_triangles, t->triangles, t->triangle_count * sizeof *more_triangles);
    free(t->vertices);
    free(t->triangles);
    t->vertices = more_vertices;
    t->triangles = more_triangles;
    t->vertex_room = vertices;
    t->triangle_room = triangles;
}

static void check_room(uint32_t count, uint32_t room)
{
    if (count < room)
        return;
    fprintf(stderr, "surgery: the path crosses more triangles than there is room for\n");
    exit(2);
}

static uint32_t add_vertex(tissue *t, const double at[3])
{
    check_room(t->vertex_count, t->vertex_room);
    memcpy(t->vertices[t->vertex_count].rest, at, 3 * sizeof *at);
    return t->vertex_count++;
}

static uint32_t add_triangle(tissue *t, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t corners[3] = {a, b, c};
    check_room(t->triangle_count, t->triangle_room);
    memcpy(t->triangles[t->triangle_count], corners, sizeof corners);
    return t->triangle_count++;
}

// Move the old vertices of a subdivision: each towards its neighbours, those of the border along the border.
static void smooth(const tissue *t, const edges *e, vertex *moved)
{
    typedef struct sums {
        double all[3], border[3];
        uint32_t count, border_count;
    } sums;
    sums *s = demo_get(t->vertex_count, sizeof *s);
    for (size_t i = 0; i < e->size; i++)
        for (int end = 0; end < 2 && e->table[i].faces > 0; end++) {
            const edge *at = &e->table[i];
            sums *sum = &s[end == 0 ? at->from : at->to];
            const double *other = t->vertices[end == 0 ? at->to : at->from].rest;
            sum->count++;
            sum->border_count += at->faces == 1;
            for (int axis = 0; axis < 3; axis++) {
                sum->all[axis] += other[axis];
                sum->border[axis] += at->faces == 1 ? other[axis] : 0.0;
            }
        }
    for (uint32_t v = 0; v < t->vertex_count; v++) {
        const double share = s[v].count == 3 ? 3.0 / 16.0 : 3.0 / (8.0 * fmax(s[v].count, 1.0));
        for (int axis = 0; axis < 3; axis++) {
            const double rest = t->vertices[v].rest[axis];
            moved[v].rest[axis] = s[v].border_count > 0 ? 0.75 * rest + 0.25 * s[v].border[axis] / s[v].border_count
                                                        : (1.0 - share * s[v].count) * rest + share * s[v].all[axis];
        }
    }
    free(s);
}

// Loop's subdivision: each triangle becomes four.
static void subdivide(tissue *t)
{
    const edges e = find_edges(t);
    tissue fine = {.vertices = NULL};
    reserve(&fine, t->vertex_count + 3 * t->triangle_count, 4 * t->triangle_count + 1);
    fine.vertex_count = t->vertex_count;
    smooth(t, &e, fine.vertices);
    for (size_t i = 0; i < e.size; i++) {
        edge *at = &e.table[i];
        if (at->faces == 0)
            continue;
        const double *p = t->vertices[at->from].rest, *q = t->vertices[at->to].rest;
        double middle[3];
        for (int axis = 0; axis < 3; axis++)
            middle[axis] =
                at->faces == 2 ? 0.375 * (p[axis] + q[axis]) + 0.125 * at->opposite[axis] : 0.5 * (p[axis] + q[axis]);
        at->middle = add_vertex(&fine, middle);
    }
    for (uint32_t i = 0; i < t->triangle_count; i++) {
        const uint32_t *c = t->triangles[i];
        uint32_t middle[3];
        for (int j = 0; j < 3; j++)
            middle[j] = find_edge(&e, c[j], c[(j + 1) % 3])->middle;
        for (int j = 0; j < 3; j++)
            add_triangle(&fine, c[j], middle[j], middle[(j + 2) % 3]);
        add_triangle(&fine, middle[0], middle[1], middle[2]);
    }
    free(e.table);
    free(t->vertices);
    free(t->triangles);
    *t = fine;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void make_unit(double v[3])
{
    const double length = sqrt(dot(v, v));
    for (int i = 0; i < 3; i++)
        v[i] /= length > 0.0 ? length : 1.0;
}

// Where a vertex is with respect to the path, which is an arc in x and y.
static void find_path(vertex *v)
{
    const double line[2] = {path_to[0] - path_from[0], path_to[1] - path_from[1]};
    const double from[2] = {v->rest[0] - path_from[0], v->rest[1] - path_from[1]}, length = hypot(line[0], line[1]);
    v->along = (from[0] * line[0] + from[1] * line[1]) / (length * length);
    const double centred = 2.0 * v->along - 1.0;
    v->across = (from[0] * line[1] - from[1] * line[0]) / length - path_bend * fmax(1.0 - centred * centred, -1.0);
}

static void find_normals(tissue *t)
{
    for (uint32_t i = 0; i < t->triangle_count; i++) {
        const uint32_t *c = t->triangles[i];
        double one[3], two[3], normal[3];
        for (int axis = 0; axis < 3; axis++) {
            one[axis] = t->vertices[c[1]].rest[axis] - t->vertices[c[0]].rest[axis];
            two[axis] = t->vertices[c[2]].rest[axis] - t->vertices[c[0]].rest[axis];
        }
        cross(one, two, normal);
        for (int j = 0; j < 3; j++)
            for (int axis = 0; axis < 3; axis++)
                t->vertices[c[j]].normal[axis] += normal[axis];
    }
    for (uint32_t v = 0; v < t->vertex_count; v++)
        make_unit(t->vertices[v].normal);
}

// ---- The cut -------------------------------------------------------------------------------------------------------

static const double on_path = 1e-9; // metres

static bool is_on_path(const vertex *v)
{
    return fabs(v->across) < on_path && v->along > 0.0 && v->along < 1.0;
}

// Put the vertices that are close to the path onto it, so that splitting leaves no slivers.
static void snap(tissue *t, double closest)
{
    const double line[2] = {path_to[0] - path_from[0], path_to[1] - path_from[1]}, length = hypot(line[0], line[1]);
    for (uint32_t i = 0; i < t->vertex_count; i++) {
        vertex *v = &t->vertices[i];
        for (int round = 0; round < 4 && fabs(v->across) < closest && v->along > 0.0 && v->along < 1.0; round++) {
            v->rest[0] -= v->across * line[1] / length;
            v->rest[1] += v->across * line[0] / length;
            find_path(v);
        }
    }
}

// Put a vertex on each edge that crosses the path.
static void cross_edges(tissue *t, const edges *e)
{
    for (size_t i = 0; i < e->size; i++) {
        edge *at = &e->table[i];
        at->middle = UINT32_MAX;
        if (at->faces == 0)
            continue;
        const vertex *p = &t->vertices[at->from], *q = &t->vertices[at->to];
        if (fabs(p->across) < on_path || fabs(q->across) < on_path || (p->across < 0.0) == (q->across < 0.0))
            continue;
        const double share = p->across / (p->across - q->across);
        vertex new = {.side = 0.0};
        for (int axis = 0; axis < 3; axis++)
            new.rest[axis] = p->rest[axis] + share *(q->rest[axis] - p->rest[axis]);
        find_path(&new);
        if (!(new.along > 0.0 && new.along < 1.0))
            continue;
        new.across = 0.0;
        at->middle = add_vertex(t, new.rest);
        t->vertices[at->middle] = new;
    }
}

// Split triangle i at the vertices on its edges.
static void split(tissue *t, const edges *e, uint32_t i)
{
    uint32_t corner[3], middle[3], first = 0, count = 0;
    memcpy(corner, t->triangles[i], sizeof corner);
    for (uint32_t j = 0; j < 3; j++) {
        middle[j] = find_edge(e, corner[j], corner[(j + 1) % 3])->middle;
        count += middle[j] != UINT32_MAX;
    }
    if (count == 0)
        return;
    if (count == 1) {
        while (middle[first] == UINT32_MAX)
            first++;
        const uint32_t a = corner[first], b = corner[(first + 1) % 3], c = corner[(first + 2) % 3], m = middle[first];
        const uint32_t half[3] = {a, m, c};
        memcpy(t->triangles[i], half, sizeof half);
        add_triangle(t, m, b, c);
        return;
    }
    while (middle[first] == UINT32_MAX || middle[(first + 2) % 3] == UINT32_MAX) // the two edges that meet in `first`
        first++;
    const uint32_t a = corner[first], b = corner[(first + 1) % 3], c = corner[(first + 2) % 3];
    const uint32_t m = middle[first], n = middle[(first + 2) % 3], tip[3] = {a, m, n};
    memcpy(t->triangles[i], tip, sizeof tip);
    add_triangle(t, m, b, c);
    add_triangle(t, m, c, n);
}

static const tissue *sorted_tissue; // of compare_along()

static int compare_along(const void *a, const void *b)
{
    const double p = sorted_tissue->vertices[*(const uint32_t *)a].along,
                 q = sorted_tissue->vertices[*(const uint32_t *)b].along;
    return (p > q) - (p < q);
}

// List the vertices on the path in order, and give all but the first and the last one a copy for the other side.
static void part(tissue *t)
{
    const uint32_t count = t->vertex_count;
    uint32_t *copy = demo_get(count, sizeof *copy);
    t->seam = demo_get(count, sizeof *t->seam);
    for (uint32_t v = 0; v < count; v++)
        if (is_on_path(&t->vertices[v]))
            t->seam[t->seam_count++][0] = v;
    sorted_tissue = t;
    qsort(t->seam, t->seam_count, sizeof *t->seam, compare_along);
    for (uint32_t i = 0; i < t->seam_count; i++) {
        const uint32_t v = t->seam[i][1] = t->seam[i][0];
        if (i == 0 || i + 1 == t->seam_count)
            continue;
        copy[v] = t->seam[i][1] = add_vertex(t, t->vertices[v].rest);
        t->vertices[copy[v]] = t->vertices[v];
        t->vertices[v].side = -1.0;
        t->vertices[copy[v]].side = 1.0;
    }
    for (uint32_t i = 0; i < t->triangle_count; i++) {
        double side = 0.0;
        for (int j = 0; j < 3; j++)
            side += t->vertices[t->triangles[i][j]].across;
        for (int j = 0; j < 3 && side > 0.0; j++)
            if (t->triangles[i][j] < count && copy[t->triangles[i][j]] > 0)
                t->triangles[i][j] = copy[t->triangles[i][j]];
    }
    for (uint32_t v = 0; v < count; v++)
        if (t->vertices[v].side == 0.0 && !is_on_path(&t->vertices[v]))
            t->vertices[v].side = t->vertices[v].across < 0.0 ? -1.0 : 1.0;
    free(copy);
}

// The walls of the cut: from each point of the path down one side, and up the other.
static void add_walls(tissue *t)
{
    t->skin_vertices = t->vertex_count;
    t->skin_triangles = t->triangle_count;
    for (uint32_t i = 0; i < t->seam_count; i++)
        for (int row = 0; row < ROWS; row++)
            add_vertex(t, t->vertices[t->seam[i][0]].rest);
    for (uint32_t i = 0; i + 1 < t->seam_count; i++)
        for (uint32_t row = 0; row <= ROWS; row++) {
            uint32_t ends[2][2];
            for (uint32_t j = 0; j < 2; j++) {
                const uint32_t wall = t->skin_vertices + (i + j) * ROWS;
                ends[j][0] = row == 0 ? t->seam[i + j][0] : wall + row - 1;
                ends[j][1] = row == ROWS ? t->seam[i + j][1] : wall + row;
            }
            add_triangle(t, ends[0][0], ends[1][0], ends[1][1]);
            add_triangle(t, ends[0][0], ends[1][1], ends[0][1]);
        }
}

static void make_tissue(const demo *d, tissue *t)
{
    static const uint8_t skin[3] = {236, 196, 174}, fat[3] = {224, 130, 110}, flesh[3] = {132, 20, 28};
    grz_io_model *m;
    grz_error error;
    demo_check(grz_io_load_file(DEMOS_DATA "/face_1252.obj", NULL, &m, &error), &error);
    *t = (tissue){.vertices = NULL};
    reserve(t, (uint32_t)m->vertex_count, (uint32_t)(m->index_count / 3) + 1);
    for (uint64_t v = 0; v < m->vertex_count; v++)
        add_vertex(t, m->positions + 3 * v);
    for (uint64_t i = 0; i + 2 < m->index_count; i += 3)
        add_triangle(t, m->indices[i], m->indices[i + 1], m->indices[i + 2]);
    grz_io_model_destroy(m);
    for (int round = 0; round < (d->small ? 1 : 2); round++)
        subdivide(t);
    for (uint32_t v = 0; v < t->vertex_count; v++)
        find_path(&t->vertices[v]);
    reserve(t, t->vertex_count + 4000, t->triangle_count + 8000);
    snap(t, d->small ? 0.0006 : 0.0003);
    const edges e = find_edges(t);
    const uint32_t whole = t->triangle_count;
    cross_edges(t, &e);
    for (uint32_t i = 0; i < whole; i++)
        split(t, &e, i);
    free(e.table);
    find_normals(t);
    part(t);
    add_walls(t);
    t->positions = demo_get(t->vertex_count, sizeof *t->positions);
    t->colours = demo_get(t->triangle_count, sizeof skin);
    for (uint32_t i = 0; i < t->triangle_count; i++) {
        const uint32_t row = (i - t->skin_triangles) / 2 % (ROWS + 1);
        memcpy(t->colours + 3 * (size_t)i,
               i < t->skin_triangles     ? skin
               : row == 0 || row == ROWS ? fat
                                         : flesh,
               sizeof skin);
    }
}

// ---- The motion ----------------------------------------------------------------------------------------------------

// The blade's place: where on the path its edge is, and its frame there.
typedef struct stroke {
    double along, lift; // on the path; above its lowest point
    double at[3], forward[3], normal[3], lateral[3];
} stroke;

// From 0 at x = 0 and below to 1 at x = 1 and above.
static double ramp(double x)
{
    x = fmin(fmax(x, 0.0), 1.0);
    return x * x * (3.0 - 2.0 * x);
}

// A point of the path on the resting skin, and the skin's normal there, both averaged over a few millimetres.
static void look_up(const tissue *t, double along, double at[3], double normal[3])
{
    double sum = 0.0;
    memset(at, 0, 3 * sizeof *at);
    memset(normal, 0, 3 * sizeof *normal);
    for (uint32_t i = 0; i < t->seam_count; i++) {
        const vertex *v = &t->vertices[t->seam[i][0]];
        const double weight = exp(-pow((v->along - along) / 0.04, 2.0)) + 1e-30;
        sum += weight;
        for (int axis = 0; axis < 3; axis++) {
            at[axis] += weight * v->rest[axis];
            normal[axis] += weight * v->normal[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++)
        at[axis] /= sum;
    make_unit(normal);
}

// The blade comes down, is drawn along the path, and goes up again.
static stroke stroke_at(const tissue *t, double time)
{
    stroke s = {.along = 0.06 + 0.88 * fmin(fmax((time - 0.08) / 0.84, 0.0), 1.0)};
    double next[3], unused[3];
    s.lift = 0.02 * (1.0 - ramp(time / 0.08) + ramp((time - 0.92) / 0.08));
    look_up(t, s.along, s.at, s.normal);
    look_up(t, s.along + 0.02, next, unused);
    for (int axis = 0; axis < 3; axis++)
        s.forward[axis] = next[axis] - s.at[axis];
    const double up = dot(s.forward, s.normal);
    for (int axis = 0; axis < 3; axis++)
        s.forward[axis] -= up * s.normal[axis];
    make_unit(s.forward);
    cross(s.forward, s.normal, s.lateral);
    return s;
}

// How far open the cut is, 0 to 1: closed before the blade and at the path's ends.
static double opening(const stroke *s, double along)
{
    const double length = hypot(path_to[0] - path_from[0], path_to[1] - path_from[1]);
    return ramp((s->along - along) * length / opening_run + 0.2) * sqrt(ramp(along / 0.3)) * ramp((1.0 - along) / 0.12);
}

static void move_skin(tissue *t, const stroke *s, double time)
{
    const double pressed = press_depth * (1.0 - ramp(s->lift / 0.012));
    for (uint32_t i = 0; i < t->skin_vertices; i++) {
        const vertex *v = &t->vertices[i];
        double away = 0.0, lateral[3];
        for (int axis = 0; axis < 3; axis++)
            away += (v->rest[axis] - s->at[axis]) * (v->rest[axis] - s->at[axis]);
        cross(s->forward, v->normal, lateral);
        make_unit(lateral);
        const double open = opening(s, v->along), aside = fabs(v->across);
        const double up = breath * sin(25.0 * time + 60.0 * v->rest[1]) -
                          pressed * exp(-away / (press_radius * press_radius)) + 0.0012 * open * exp(-aside / 0.004);
        const double out = v->side * half_opening * open * exp(-aside / opening_reach);
        for (int axis = 0; axis < 3; axis++)
            t->positions[i][axis] = v->rest[axis] + up * v->normal[axis] + out * lateral[axis];
    }
}

static void move_walls(tissue *t, const stroke *s)
{
    static const double down[ROWS] = {0.45, 1.0, 0.45}, share[ROWS] = {0.2, 0.5, 0.8};
    for (uint32_t i = 0; i < t->seam_count; i++) {
        const vertex *v = &t->vertices[t->seam[i][0]];
        const double *left = t->positions[t->seam[i][0]], *right = t->positions[t->seam[i][1]];
        const double deep = depth * (0.3 + 0.7 * opening(s, v->along));
        for (uint32_t row = 0; row < ROWS; row++)
            for (int axis = 0; axis < 3; axis++)
                t->positions[t->skin_vertices + i * ROWS + row][axis] =
                    (1.0 - share[row]) * left[axis] + share[row] * right[axis] - down[row] * deep * v->normal[axis];
    }
}

// The blade leans forward, so that the cut behind it is seen, and to the side, so that its flat side is. Where its back
// edge goes through the skin, the cut begins.
static grz_pose blade_pose(const stroke *s)
{
    static const double lean = 1.0, roll = 0.45; // radians: of the handle off the normal, and around itself
    double handle[3], width[3];
    grz_pose pose;
    for (int axis = 0; axis < 3; axis++)
        handle[axis] = sin(lean) * s->forward[axis] + cos(lean) * s->normal[axis];
    cross(handle, s->lateral, width);
    for (int axis = 0; axis < 3; axis++) {
        pose.m[axis][0] = cos(roll) * s->lateral[axis] + sin(roll) * width[axis];
        pose.m[axis][1] = cos(roll) * width[axis] - sin(roll) * s->lateral[axis];
        pose.m[axis][2] = handle[axis];
        pose.m[axis][3] = s->at[axis] + (s->lift - press_depth) * s->normal[axis] - blade_below * handle[axis];
    }
    return pose;
}

// ---- The demo ------------------------------------------------------------------------------------------------------

// The sword as a scalpel: its tip in the origin, its handle along z, its guard drawn in.
static grz_mesh *make_blade(const demo *d)
{
    grz_io_model *m;
    grz_error error;
    demo_check(grz_io_load_file(DEMOS_DATA "/scalpel_sword128.obj", NULL, &m, &error), &error);
    double(*positions)[3] = demo_get(m->vertex_count, sizeof *positions);
    const double size = blade_length / 0.9;
    for (uint64_t v = 0; v < m->vertex_count; v++) {
        const double *p = m->positions + 3 * v;
        const double y = fabs(p[1]) > 0.035 ? copysign(0.035 + 0.12 * (fabs(p[1]) - 0.035), p[1]) : p[1];
        positions[v][0] = size * (p[0] - 0.003);
        positions[v][1] = size * 1.5 * y;
        positions[v][2] = size * (p[2] + 0.458);
    }
    grz_mesh *mesh = demo_mesh(d, positions, m->vertex_count, m->indices, m->index_count, 0);
    free(positions);
    grz_io_model_destroy(m);
    return mesh;
}

static void ask(const demo *d, const grz_object objects[2], const char *method, grz_result *result)
{
    const grz_collide_options options = demo_ask_pairs(method);
    grz_error error;
    demo_check(grz_collide(d->device, &objects[0], &objects[1], &options, result, &error), &error);
}

// How many faces of the tissue touch. The pairs come sorted by them.
static uint64_t count_faces(const grz_result *result)
{
    uint64_t count, faces = 0;
    const grz_pair *pairs = grz_result_pairs(result, &count);
    for (uint64_t i = 0; i < count; i++)
        faces += i == 0 || pairs[i].face_a != pairs[i - 1].face_a;
    return faces;
}

static void set_view(demo *d, const uint8_t *const face_colours[2])
{
    static const uint8_t colours[6] = {236, 196, 174, 196, 202, 208}, touched[6] = {20, 110, 255, 140, 152, 168};
    static const double direction[3] = {-0.5, -0.12, -1.0}, low[3] = {-0.0145, 0.1865, 0.08},
                        high[3] = {0.1605, 0.3085, 0.10};
    grz_picture_options *picture = &d->picture;
    picture->colours = colours;
    picture->face_colours = face_colours;
    picture->touch_colours = touched;
    picture->has_direction = picture->has_region = true;
    memcpy(picture->direction, direction, sizeof direction);
    memcpy(picture->region_min, low, sizeof low);
    memcpy(picture->region_max, high, sizeof high);
    d->closer = (demo_closer){.shown = true, .width = 440, .height = 460, .radius = 0.009};
}

// The closer view looks at the blade's edge, a little from the side.
static void set_closer(demo *d, const stroke *s)
{
    for (int axis = 0; axis < 3; axis++) {
        d->closer.middle[axis] = s->at[axis];
        d->closer.direction[axis] = -s->normal[axis] + 0.35 * s->forward[axis];
    }
}

int main(int argc, char **argv)
{
    demo d = {.name = "surgery",
              .about = "a scalpel opens a cut across a face; the faces that the blade touches are found in each frame",
              .usual_frames = 120};
    tissue t;
    grz_error error;
    grz_result *result, *reference;
    demo_open(&d, argc, argv);
    make_tissue(&d, &t);
    const uint8_t *const face_colours[2] = {t.colours, NULL};
    set_view(&d, face_colours);
    stroke s = stroke_at(&t, 0.0);
    move_skin(&t, &s, 0.0);
    move_walls(&t, &s);
    grz_mesh *skin = demo_mesh(&d, t.positions, t.vertex_count, &t.triangles[0][0], 3 * (uint64_t)t.triangle_count, 0),
             *blade = make_blade(&d);
    grz_object objects[2] = {grz_object_at_origin(skin), grz_object_at_origin(blade)};
    demo_check(grz_result_create(d.device, &result, &error), &error);
    demo_check(grz_result_create(d.device, &reference, &error), &error);
    printf("surgery: %" PRIu32 " triangles, method %s\n", t.triangle_count, d.method);
    for (uint64_t frame = 0; frame < d.frames; frame++) {
        const double time = d.frames > 1 ? (double)frame / (double)(d.frames - 1) : 0.5;
        char found[128];
        s = stroke_at(&t, time);
        move_skin(&t, &s, time);
        move_walls(&t, &s);
        demo_check(grz_mesh_set_positions(skin, t.positions, &error), &error);
        objects[1].pose = blade_pose(&s);
        ask(&d, objects, d.method, result);
        if (d.check) {
            ask(&d, objects, d.reference, reference);
            demo_compare(&d, frame, result, reference);
        }
        snprintf(found, sizeof found, "%" PRIu64 " of %" PRIu32 " faces of the tissue touch the blade: blue",
                 count_faces(result), t.triangle_count);
        set_closer(&d, &s);
        if (!demo_show(&d, frame, objects, 2, result, found))
            break;
    }
    grz_result_destroy(result);
    grz_result_destroy(reference);
    grz_mesh_destroy(skin);
    grz_mesh_destroy(blade);
    free(t.vertices);
    free(t.triangles);
    free(t.seam);
    free(t.positions);
    free(t.colours);
    demo_close(&d);
    return 0;
}
