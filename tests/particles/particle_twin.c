// SPDX-License-Identifier: MIT
// The model of particles in doubles. Written from docs/internals/particles.md, with numbers of its own.
#include <graze/gl.h>

#include "particle_twin.h"

#include <math.h>
#include <string.h>

static const double never = 1e300, steepest_rest = 0.001, least_speed = 1e-5, same_surface = 0.99, nudge = 0.015625;

enum {
    MOST_PIXELS = 20000,
    MOST_CONTACTS = 32,
    SEARCH = 4
};

typedef struct view {
    double axes[3][3], centre[3], half[3], pixel[2];
    uint32_t number;
} view;

typedef struct solid {
    double planes[2][4]; // depth, slopes, how far it is moved
    bool blocks[2];
} solid;

typedef struct twin {
    const twin_map *map;
    const grz_particle_step *step;
    view views[6];
    int view_count, side;
    double radius, thickness;
} twin;

typedef struct hit {
    double time, normal[3];
    int kind; // -1: none, 0: surface, 1: edge
    int view, cell[2], axis, step;
} hit;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void normalize(double v[3])
{
    const double size = sqrt(dot(v, v));
    for (int i = 0; i < 3; i++)
        v[i] /= size;
}

// ---- Views --------------------------------------------------------------------------------------------------------

static void set_axes(const double away[3], const double up[3], view *out)
{
    memcpy(out->axes[2], away, sizeof out->axes[2]);
    normalize(out->axes[2]);
    cross(out->axes[2], up, out->axes[0]);
    normalize(out->axes[0]);
    cross(out->axes[0], out->axes[2], out->axes[1]);
}

static void set_views(twin *t)
{
    const grz_particle_map_options *o = &t->map->options;
    view whole = {.number = 0};
    double widest = 0.0;
    set_axes(o->direction, o->up, &whole);
    memcpy(whole.centre, o->centre, sizeof whole.centre);
    memcpy(whole.half, o->half, sizeof whole.half);
    t->side = (int)o->resolution;
    t->view_count = o->cube ? 6 : 1;
    for (int i = 0; i < t->view_count; i++) {
        view *v = &t->views[i];
        *v = whole;
        if (o->cube) {
            const int axis = i / 2, up = axis == 1 ? 2 : 1;
            double away[3];
            for (int j = 0; j < 3; j++)
                away[j] = whole.axes[axis][j] * (i % 2 == 0 ? 1.0 : -1.0);
            set_axes(away, whole.axes[up], v);
            v->half[0] = whole.half[3 - axis - up];
            v->half[1] = whole.half[up];
            v->half[2] = whole.half[axis] / 2;
            for (int j = 0; j < 3; j++)
                v->centre[j] += v->half[2] * away[j];
        }
        v->number = (uint32_t)i;
        for (int k = 0; k < 2; k++) {
            v->pixel[k] = 2.0 * v->half[k] / t->side;
            widest = fmax(widest, v->pixel[k]);
        }
    }
    t->radius = o->radius > 0.0 ? o->radius : widest / 2;
    t->thickness = fmin(o->thickness, 8.0 * (o->half[0] + o->half[1] + o->half[2]));
}

static void to_view(const view *v, const double direction[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = dot(v->axes[k], direction) / (k < 2 ? v->pixel[k] : 1.0);
}

static void place(const twin *t, const view *v, const double p[3], double out[3])
{
    const double from[3] = {p[0] - v->centre[0], p[1] - v->centre[1], p[2] - v->centre[2]};
    to_view(v, from, out);
    out[0] += t->side / 2.0;
    out[1] += t->side / 2.0;
    out[2] += v->half[2];
}

static void cell_of(const twin *t, const double at[3], int cell[2])
{
    for (int k = 0; k < 2; k++)
        cell[k] = (int)fmin(fmax(floor(at[k]), -1.0), t->side);
}

static bool is_in_map(const twin *t, const int cell[2])
{
    return cell[0] >= 0 && cell[1] >= 0 && cell[0] < t->side && cell[1] < t->side;
}

// ---- Solids -------------------------------------------------------------------------------------------------------

static double slant(const view *v, const double plane[4])
{
    return sqrt(1.0 + pow(plane[1] / v->pixel[0], 2) + pow(plane[2] / v->pixel[1], 2));
}

static void read_plane(const twin *t, const view *v, const float entry[4], double plane[4])
{
    for (int i = 0; i < 3; i++)
        plane[i] = (double)entry[i];
    plane[3] = t->radius * slant(v, plane);
}

// The solids of a pixel. Returns how many.
static int solids_of(const twin *t, const view *v, const int cell[2], solid solids[16])
{
    const uint32_t layers = t->map->options.layers;
    const size_t pixel = ((size_t)v->number * (size_t)t->side + (size_t)cell[1]) * (size_t)t->side + (size_t)cell[0];
    const float(*entries)[4] = t->map->surfaces + pixel * layers;
    int count = 0;
    for (uint32_t i = 0; i < layers && entries[i][3] != 0.0f; i++) {
        solid *s = &solids[count++];
        const int kind = (int)entries[i][3];
        read_plane(t, v, entries[i], s->planes[0]);
        memcpy(s->planes[1], s->planes[0], sizeof s->planes[1]);
        s->blocks[0] = kind != 4 || t->map->options.sheets;
        s->blocks[1] = kind != 3 || t->map->options.sheets;
        if (kind == 1)
            read_plane(t, v, entries[++i], s->planes[1]);
        else if (kind == 3)
            s->planes[1][0] += t->thickness;
        else
            s->planes[0][0] -= t->thickness;
    }
    return count;
}

static void normal_of(const view *v, const double plane[4], int end, double normal[3])
{
    const double local[3] = {plane[1] / v->pixel[0], plane[2] / v->pixel[1], -1.0};
    for (int j = 0; j < 3; j++)
        normal[j] =
            (local[0] * v->axes[0][j] + local[1] * v->axes[1][j] + local[2] * v->axes[2][j]) * (end == 0 ? 1.0 : -1.0);
    normalize(normal);
}

static double behind(const double plane[4], int end, const double at[3])
{
    const double depth = at[2] - (plane[0] + plane[1] * at[0] + plane[2] * at[1]);
    return (end == 0 ? depth : -depth) + plane[3];
}

static double growth(const double plane[4], int end, const double v[3])
{
    const double speed = v[2] - plane[1] * v[0] - plane[2] * v[1];
    return end == 0 ? speed : -speed;
}

static int nearest_plane(const view *v, const solid *s, const double at[3], double *depth)
{
    double deep[2];
    for (int end = 0; end < 2; end++)
        deep[end] = behind(s->planes[end], end, at) / slant(v, s->planes[end]);
    const int end = s->blocks[0] && (deep[0] <= deep[1] || !s->blocks[1]) ? 0 : 1;
    *depth = deep[end];
    return end;
}

// The first solid of a pixel in which a point is deeper than `most`; NULL if there is none.
static const solid *deep_in(const twin *t, double most, const view *v, const int cell[2], const double at[3],
                            solid solids[16])
{
    const int count = solids_of(t, v, cell, solids);
    for (int i = 0; i < count; i++) {
        double depth;
        if (behind(solids[i].planes[0], 0, at) > 0.0 && behind(solids[i].planes[1], 1, at) > 0.0) {
            nearest_plane(v, &solids[i], at, &depth);
            if (depth > most)
                return &solids[i];
        }
    }
    return NULL;
}

// The roots of depth + speed·x + pull·x²/2, smaller first. Returns how many.
static int roots_of(double depth, double speed, double pull, double roots[2])
{
    if (pull == 0.0) {
        roots[0] = -depth / speed;
        return speed != 0.0;
    }
    const double square = speed * speed - 2.0 * pull * depth;
    if (square < 0.0)
        return 0;
    const double q = -(speed + copysign(sqrt(square), speed)), one = q / pull, two = q != 0.0 ? 2.0 * depth / q : one;
    roots[0] = fmin(one, two);
    roots[1] = fmax(one, two);
    return 2;
}

// The first time from 0 on at which a plane is passed from outside, or gone deeper behind.
static double passes(double depth, double speed, double pull)
{
    double roots[2] = {0.0, 0.0};
    if (depth > 0.0 && speed > 0.0)
        return 0.0;
    if (depth > 0.0 && pull > 0.0 && depth - speed * speed / (2.0 * pull) >= 0.0)
        return -speed / pull;
    const int count = roots_of(depth, speed, pull, roots);
    for (int i = 0; i < 2 && i < count; i++) // an upward crossing
        if (roots[i] >= 0.0 && (speed + pull * roots[i] > 0.0 || (depth == 0.0 && speed == 0.0 && pull > 0.0)))
            return roots[i];
    return never;
}

static void offer(const view *v, const solid *s, int end, double time, const int cell[2], const double (*sliding_on)[3],
                  hit *best)
{
    double normal[3];
    if (time >= best->time)
        return;
    normal_of(v, s->planes[end], end, normal);
    if (dot(normal, sliding_on[0]) > same_surface || dot(normal, sliding_on[1]) > same_surface)
        return;
    *best = (hit){.time = time, .kind = 0, .view = (int)v->number, .cell = {cell[0], cell[1]}};
    memcpy(best->normal, normal, sizeof normal);
}

static bool meet(const twin *t, const view *v, const int cell[2], double flight[3][3], double start, double span,
                 const double (*sliding_on)[3], hit *best)
{
    solid solids[16];
    bool wall = false;
    const int count = solids_of(t, v, cell, solids);
    for (int i = 0; i < count; i++) {
        double deep[2], speed[2], pull[2], depth;
        for (int end = 0; end < 2; end++) {
            deep[end] = behind(solids[i].planes[end], end, flight[0]);
            speed[end] = growth(solids[i].planes[end], end, flight[1]);
            pull[end] = growth(solids[i].planes[end], end, flight[2]);
        }
        const bool inside = deep[0] > 0.0 && deep[1] > 0.0;
        const int nearest = nearest_plane(v, &solids[i], flight[0], &depth);
        wall = wall || (inside && depth > 2.0 * t->radius);
        for (int end = 0; end < 2; end++) {
            if (inside ? end != nearest || depth > 2.0 * t->radius : deep[end] > 0.0 || !solids[i].blocks[end])
                continue;
            const double time = passes(deep[end], speed[end], pull[end]);
            const int o = 1 - end;
            if (time <= span && (inside || deep[o] + time * (speed[o] + time / 2 * pull[o]) >= 0.0))
                offer(v, &solids[i], end, start + time, cell, sliding_on, best);
        }
    }
    return wall;
}

// ---- Flight -------------------------------------------------------------------------------------------------------

// A flight from `at` leaves its cell along one axis.
static double leave(const twin *t, int cell, double at, double speed, double pull, int *step)
{
    const double sides[2] = {cell < 0 ? -never : cell, cell >= t->side ? never : cell + 1.0};
    const bool upwards = speed > 0.0 || (speed == 0.0 && pull > 0.0);
    double best = never, roots[2] = {0.0, 0.0};
    for (int s = 0; s < 2; s++) {
        if (fabs(sides[s]) >= never)
            continue;
        const bool ahead = (s == 1) == upwards;
        double away = at - sides[s];
        if ((s == 1 && away > 0.0) || (s == 0 && away < 0.0))
            away = 0.0;
        const int count = roots_of(away, speed, pull, roots);
        for (int i = 0; i < 2 && i < count; i++) {
            const double outwards = (speed + pull * roots[i]) * (s == 1 ? 1.0 : -1.0);
            if (roots[i] >= 0.0 && roots[i] < best && (outwards > 0.0 || (ahead && roots[i] == 0.0))) {
                best = roots[i];
                *step = s == 1 ? 1 : -1;
            }
        }
    }
    return best;
}

static void edge_normal(const twin *t, const view *v, const int cell[2], double depth, const double velocity[3],
                        int axis, int step, double normal[3])
{
    double sum[2] = {0.0, 0.0};
    solid solids[16];
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            const int at[2] = {cell[0] + dx, cell[1] + dy};
            const double middle[3] = {0.0, 0.0, depth};
            if (is_in_map(t, at) && deep_in(t, 2.0 * t->radius, v, at, middle, solids) != NULL) {
                sum[0] -= dx;
                sum[1] -= dy;
            }
        }
    for (int j = 0; j < 3; j++)
        normal[j] = sum[0] * v->pixel[1] * v->axes[0][j] + sum[1] * v->pixel[0] * v->axes[1][j];
    if (dot(normal, velocity) >= 0.0)
        for (int j = 0; j < 3; j++)
            normal[j] = -step * v->axes[axis][j];
    normalize(normal);
}

typedef struct start {
    bool known, came;
    int view, cell[2], axis, step;
} start;

typedef struct slide {
    int surfaces, view, contacts;
    double normals[2][3], last[2][3], last_left, end;
    start next;
} slide;

static void follow(const twin *t, const view *v, const double p[3], const double velocity[3], const double a[3],
                   const start *from, slide *sliding, hit *best, int *pixels, int *passed)
{
    double at[3], way[2][3], time = 0.0;
    const bool mine = from->known && from->view == (int)v->number;
    bool came = mine && from->came;
    int cell[2], axis = from->axis, step = from->step;
    place(t, v, p, at);
    to_view(v, velocity, way[0]);
    to_view(v, a, way[1]);
    if (mine)
        memcpy(cell, from->cell, sizeof cell);
    else
        cell_of(t, at, cell);
    while (time <= fmin(best->time, sliding->end) && *pixels < MOST_PIXELS) {
        double flight[3][3], times[2], left = fmin(best->time, sliding->end) - time;
        int steps[2] = {1, 1};
        ++*pixels;
        for (int k = 0; k < 3; k++) {
            flight[0][k] = at[k] + time * (way[0][k] + time / 2 * way[1][k]);
            flight[1][k] = way[0][k] + time * way[1][k];
            flight[2][k] = way[1][k];
        }
        for (int k = 0; k < 2; k++)
            times[k] = leave(t, cell[k], flight[0][k], flight[1][k], flight[2][k], &steps[k]);
        const int leaving = times[0] <= times[1] ? 0 : 1;
        if (is_in_map(t, cell)) {
            for (int k = 0; k < 2; k++)
                flight[0][k] -= cell[k] + 0.5;
            if (meet(t, v, cell, flight, time, fmin(times[leaving], left), (const double(*)[3])sliding->normals,
                     best) &&
                came && t->view_count == 1) {
                *best = (hit){.time = time, .kind = 1, .axis = axis, .step = step, .cell = {cell[0], cell[1]}};
                {
                    double now[3];
                    for (int k = 0; k < 3; k++)
                        now[k] = velocity[k] + time * a[k];
                    edge_normal(t, v, cell, flight[0][2], now, axis, step, best->normal);
                }
                best->cell[axis] -= step;
            }
            left = fmin(left, best->time - time);
        }
        if (!(times[leaving] < left))
            return;
        time += times[leaving];
        axis = leaving;
        step = steps[leaving];
        cell[axis] += step;
        ++*passed;
        came = true;
        if (sliding->surfaces > 0 && sliding->view == (int)v->number) {
            sliding->end = time;
            sliding->next = (start){true, true, (int)v->number, {cell[0], cell[1]}, axis, step};
            return;
        }
    }
}

// ---- Particles ----------------------------------------------------------------------------------------------------

static void add(double to[3], double scale, const double v[3])
{
    for (int i = 0; i < 3; i++)
        to[i] += scale * v[i];
}

typedef struct way_out {
    double size, way[3], normal[3];
} way_out;

static void try_exit(way_out *best, const double way[3], const double normal[3])
{
    const double size = sqrt(dot(way, way));
    if (size >= best->size)
        return;
    best->size = size;
    memcpy(best->way, way, sizeof best->way);
    memcpy(best->normal, normal, sizeof best->normal);
}

static void try_aside(const twin *t, const view *v, const int cell[2], const double at[3], way_out *best)
{
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            for (int far = 1; far <= SEARCH && (dx != 0 || dy != 0); far++) {
                const int to[2] = {cell[0] + far * dx, cell[1] + far * dy}, d[2] = {dx, dy};
                double local[3] = {0.0, 0.0, at[2]}, way[3] = {0.0, 0.0, 0.0}, normal[3];
                solid solids[16];
                if (!is_in_map(t, to))
                    break;
                for (int k = 0; k < 2; k++) {
                    const double nearest = d[k] == 0 ? at[k] : fmin(fmax(at[k], to[k] + nudge), to[k] + 1 - nudge);
                    local[k] = nearest - to[k] - 0.5;
                    add(way, (nearest - at[k]) * v->pixel[k], v->axes[k]);
                }
                if (deep_in(t, 0.0, v, to, local, solids) != NULL)
                    continue;
                memcpy(normal, way, sizeof normal);
                normalize(normal);
                try_exit(best, way, normal);
                break;
            }
}

static bool push_out(const twin *t, twin_particle *one)
{
    way_out best = {.size = never};
    bool held = false;
    for (int i = 0; i < t->view_count; i++) {
        const view *v = &t->views[i];
        double at[3], local[3], normal[3];
        int cell[2];
        solid solids[16];
        place(t, v, one->p, at);
        cell_of(t, at, cell);
        if (!is_in_map(t, cell) || at[2] < 0.0 || at[2] > 2.0 * v->half[2])
            continue;
        for (int k = 0; k < 3; k++)
            local[k] = k < 2 ? at[k] - cell[k] - 0.5 : at[k];
        const solid *s = deep_in(t, t->radius, v, cell, local, solids);
        if (s == NULL)
            return false;
        held = true;
        for (int end = 0; end < 2; end++) {
            double way[3] = {0.0, 0.0, 0.0};
            add(way, (end == 0 ? -1.0 : 1.0) * behind(s->planes[end], end, local), v->axes[2]);
            normal_of(v, s->planes[end], end, normal);
            if (s->blocks[end])
                try_exit(&best, way, normal);
        }
        if (t->view_count == 1)
            try_aside(t, v, cell, at, &best);
    }
    if (!held)
        return false;
    const double towards = dot(one->v, best.normal);
    add(one->p, 1.0, best.way);
    if (towards < 0.0)
        add(one->v, -(1.0 + t->step->restitution) * towards, best.normal);
    return true;
}

static bool bounce(const twin *t, twin_particle *one, const double normal[3], const double a[3], bool *counts)
{
    const double towards = -dot(one->v, normal), pull = fmax(-dot(a, normal), 0.0), e = t->step->restitution;
    const double rest = fmax(pull * steepest_rest, least_speed * sqrt(dot(one->v, one->v)));
    *counts = towards > rest;
    add(one->v, towards, normal);
    const double size = sqrt(dot(one->v, one->v));
    if (size > 0.0 && towards > 0.0)
        add(one->v, fmax(0.0, 1.0 - t->step->friction * (1.0 + e) * towards / size) - 1.0, one->v);
    if (e * towards <= rest)
        return false;
    add(one->v, e * towards, normal);
    return true;
}

static void along_surfaces(const slide *s, double v[3])
{
    double line[3];
    if (s->surfaces == 1) {
        add(v, -dot(v, s->normals[0]), s->normals[0]);
        return;
    }
    cross(s->normals[0], s->normals[1], line);
    const double share = s->surfaces == 2 ? dot(v, line) / dot(line, line) : 0.0;
    for (int j = 0; j < 3; j++)
        v[j] = s->surfaces == 2 ? share * line[j] : 0.0;
}

static double pressure(const slide *s, const double a[3])
{
    const double x = -dot(a, s->normals[0]), y = -dot(a, s->normals[1]), c = dot(s->normals[0], s->normals[1]);
    if (s->surfaces == 1)
        return fmax(x, 0.0);
    const double all = fmax(1.0 - c * c, 1e-6);
    return fmax((x - c * y) / all, 0.0) + fmax((y - c * x) / all, 0.0);
}

// The acceleration of a particle that slides; it may come to rest. Returns when it halts.
static double slide_by(const twin *t, twin_particle *one, const slide *s, const double a[3], double now[3])
{
    const double loss = t->step->friction * pressure(s, a), speed = sqrt(dot(one->v, one->v));
    memcpy(now, a, 3 * sizeof *now);
    if (s->surfaces > 1 || dot(a, s->normals[0]) <= 0.0)
        along_surfaces(s, now);
    const double size = sqrt(dot(now, now));
    if (speed <= loss * steepest_rest && size <= loss) {
        memset(one->v, 0, sizeof one->v);
        memset(now, 0, 3 * sizeof *now);
        return never;
    }
    if (loss == 0.0)
        return never;
    if (speed <= loss * steepest_rest) {
        add(now, -loss / size, now);
        return never;
    }
    add(now, -loss / speed, one->v);
    const double slowing = -dot(now, one->v) / speed;
    return slowing > 0.0 ? speed / slowing : never;
}

static void fly_on(slide *s)
{
    s->surfaces = 0;
    memset(s->normals, 0, sizeof s->normals);
}

static bool fly(const twin *t, twin_particle *one, double *left, start *from, slide *sliding, hit *best, int *pixels,
                int *passed)
{
    const double *a = t->step->acceleration;
    double now[3], before[3], halt = never;
    memcpy(now, a, sizeof now);
    memcpy(before, one->v, sizeof before);
    if (sliding->surfaces > 0)
        halt = slide_by(t, one, sliding, a, now);
    *best = (hit){.time = fmin(*left, halt), .kind = -1};
    sliding->end = never;
    for (int i = 0; i < t->view_count; i++)
        follow(t, &t->views[i], one->p, one->v, now, from, sliding, best, pixels, passed);
    const bool ends = sliding->end < best->time, hits = !ends && best->kind >= 0;
    const double time = ends ? sliding->end : best->time;
    add(one->p, time, one->v);
    add(one->p, time * time / 2, now);
    add(one->v, time, now);
    *left = ends || hits || halt < *left ? *left - time : 0.0;
    from->known = false;
    if (ends) {
        *from = sliding->next;
        memset(sliding->last, 0, sizeof sliding->last);
        if (sliding->surfaces == 1 || (sliding->surfaces == 2 && time == 0.0))
            memcpy(sliding->last, sliding->normals, sizeof sliding->last);
        sliding->last_left = *left;
        fly_on(sliding);
    } else if (!hits && halt <= time) {
        add(one->v, -dot(one->v, before) / dot(before, before), before);
        sliding->contacts++;
    }
    return hits;
}

static void slide_on(twin_particle *one, const double a[3], const hit *best, double left, slide *s)
{
    const double *n = best->normal;
    const double rest = fmax(sqrt(dot(a, a)) * steepest_rest, least_speed * sqrt(dot(one->v, one->v)));
    double pull[3];
    memcpy(pull, a, sizeof pull);
    add(pull, -dot(a, n), n);
    const bool first = dot(n, s->last[0]) > same_surface, same = first || dot(n, s->last[1]) > same_surface;
    const bool two = dot(s->last[1], s->last[1]) > 0.0;
    if (s->surfaces == 0 && dot(s->last[0], s->last[0]) > 0.0 && s->last_left - left <= steepest_rest && two == same) {
        s->surfaces = 1;
        memcpy(s->normals[0], s->last[same && first], sizeof s->normals[0]);
    }
    const bool holds = s->surfaces == 2 || (dot(one->v, s->normals[0]) <= rest && dot(pull, s->normals[0]) < 0.0);
    s->view = best->view;
    if (s->surfaces == 0 || !holds) {
        fly_on(s);
        s->surfaces = 1;
        memcpy(s->normals[0], n, sizeof s->normals[0]);
        return;
    }
    const bool held = s->surfaces == 2 || dot(n, s->normals[0]) < -same_surface;
    if (s->surfaces < 2)
        memcpy(s->normals[1], n, sizeof s->normals[1]);
    s->surfaces = held ? 3 : s->surfaces + 1;
    along_surfaces(s, one->v);
}

twin_particle twin_step(const twin_map *map, const grz_particle_step *step, const double p[3], const double v[3])
{
    static const double nothing[3] = {0.0, 0.0, 0.0};
    twin t = {.map = map, .step = step};
    twin_particle one = {.bounces = 0};
    double left = step->seconds;
    start from = {.known = false};
    slide sliding = {.surfaces = 0};
    hit best;
    int pixels = 0, passed = 0;
    set_views(&t);
    memcpy(one.p, p, sizeof one.p);
    memcpy(one.v, v, sizeof one.v);
    one.pushed = push_out(&t, &one);
    while (left > 0.0 && one.bounces < step->max_bounces && pixels < MOST_PIXELS &&
           sliding.contacts < MOST_CONTACTS + 4 * passed) {
        bool counts;
        if (!fly(&t, &one, &left, &from, &sliding, &best, &pixels, &passed))
            continue;
        from = (start){.known = true, .view = best.view, .cell = {best.cell[0], best.cell[1]}};
        if (best.kind == 1) {
            const view *seen = &t.views[best.view];
            add(one.p, -best.step * nudge * seen->pixel[best.axis], seen->axes[best.axis]);
            bounce(&t, &one, best.normal, nothing, &counts);
            fly_on(&sliding);
            one.bounces++;
            continue;
        }
        const bool leaves = bounce(&t, &one, best.normal, step->acceleration, &counts);
        one.bounces += counts;
        sliding.contacts += !counts;
        if (leaves)
            fly_on(&sliding);
        else
            slide_on(&one, step->acceleration, &best, left, &sliding);
    }
    one.stopped = left > 0.0;
    return one;
}
