// SPDX-License-Identifier: MIT
// Reading shapes, and placing two of them.
//
// A ray or a line is cut: what is nearest to a bounded shape is no farther along than the farthest point of that shape,
// seen from the ray's origin, is away. Of two lines with directions u and v, w apart at their origins, the nearest
// points are at most |w| |u| / |u × v| along v. More changes nothing, so rounding does not matter.
#include "ask/shape/placed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/control.h"
#include "base/fail.h"
#include "base/rounding.h"
#include "geometry/convex/parallel.h"
#include "geometry/pose.h"
#include "geometry/vector.h"
#include "mesh/mesh.h"

enum {
    MOST_FAR = 400,  // exponents of two
    SHORT = 64,      // directions below 2^-64 are made longer
    MOST_SCALE = 900 // a product with it must not overflow, nor its parts, which are 2^27 times as large
};

static const double SHORTEST = 0x1p-500; // a direction after the pose; chosen: then lengthen() keeps it in range

static const char *const NAMES[] = {"none", "point",    "segment", "triangle",  "ray", "line",
                                    "box",  "cylinder", "cone",    "ellipsoid", "hull"};

// What a shape is called in errors. Balls and capsules are points and segments that are grown.
static const char *name_of(const grz_shape *shape)
{
    if (shape->kind == GRZ_SHAPE_POINT && shape->radius != 0.0)
        return "sphere";
    return shape->kind == GRZ_SHAPE_SEGMENT && shape->radius != 0.0 ? "capsule" : NAMES[shape->kind];
}

// How many of `corners` a kind has; 0: it has none.
static int corner_count(grz_shape_kind kind)
{
    switch (kind) {
    case GRZ_SHAPE_POINT:
        return 1;
    case GRZ_SHAPE_SEGMENT:
    case GRZ_SHAPE_RAY:
    case GRZ_SHAPE_LINE:
        return 2;
    case GRZ_SHAPE_TRIANGLE:
        return 3;
    default:
        return 0;
    }
}

static grz_status check_number(double number, const char *name, const char *what, const char *part, uint64_t element,
                               grz_error *error)
{
    if (!isfinite(number))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, element, "%s: %s: %s is not finite", name, what, part);
    if (fabs(number) > GRZ_MAX_COORDINATE)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, element, "%s: %s: %s is %g, larger than 2^300 in magnitude", name,
                        what, part, number);
    return GRZ_OK;
}

static grz_status check_size(double number, const char *name, const char *what, const char *part, uint64_t element,
                             grz_error *error)
{
    if (number < 0.0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, element, "%s: %s: %s is %g, below 0", name, what, part, number);
    return check_number(number, name, what, part, element, error);
}

static grz_status check_kind(const grz_shape *shape, const char *name, const char *what, uint64_t element,
                             grz_error *error)
{
    if (shape == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, element, "%s: %s is NULL", name, what);
    if (shape->kind == GRZ_SHAPE_NONE)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, element,
                        "%s: %s is of no kind; make it with grz_shape_point() or another", name, what);
    if ((int)shape->kind < 0 || shape->kind > GRZ_SHAPE_HULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, element, "%s: %s is of kind %d, which does not exist", name, what,
                        (int)shape->kind);
    if (shape->kind == GRZ_SHAPE_HULL && (shape->points == NULL || shape->point_count == 0 || shape->point_count >> 31))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, element, "%s: %s: a hull of %llu points%s; it needs 1 to 2^31 - 1",
                        name, what, (unsigned long long)shape->point_count,
                        shape->points == NULL ? " that are NULL" : "");
    return GRZ_OK;
}

static grz_status check_numbers(const grz_shape *shape, const char *name, const char *what, uint64_t element,
                                grz_error *error)
{
    static const char *const CORNERS[3] = {"corner 0", "corner 1", "corner 2"};
    static const char *const HALF[3] = {"half[0]", "half[1]", "half[2]"};
    const int corners = corner_count(shape->kind);
    grz_status status = check_size(shape->radius, name, what, "the radius", element, error);
    for (int i = 0; i < 3 * corners && status == GRZ_OK; i++)
        status = check_number(shape->corners[i / 3][i % 3], name, what, CORNERS[i / 3], element, error);
    for (int k = 0; k < 3 && corners == 0 && shape->kind != GRZ_SHAPE_HULL && status == GRZ_OK; k++)
        status = check_size(shape->half[k], name, what, HALF[k], element, error);
    for (uint64_t i = 0; shape->kind == GRZ_SHAPE_HULL && i < 3 * shape->point_count && status == GRZ_OK; i++)
        if (!(fabs(shape->points[i]) <= GRZ_MAX_COORDINATE)) {
            char part[48];
            snprintf(part, sizeof part, "point %llu", (unsigned long long)(i / 3));
            status = check_number(shape->points[i], name, what, part, element, error);
        }
    return status;
}

// The corners of a box, or none.
static void fill_local(const grz_shape *shape, grz_placed_shape *out)
{
    grz_convex *c = &out->convex;
    c->count = (uint32_t)corner_count(shape->kind);
    memcpy(out->local, shape->corners, sizeof shape->corners);
    if (out->endless) {
        memcpy(out->local[1], out->local[0], sizeof out->local[1]);
        memcpy(c->along, shape->corners[1], sizeof c->along);
        c->both_ways = shape->kind == GRZ_SHAPE_LINE;
    }
    if (shape->kind == GRZ_SHAPE_BOX) {
        c->count = 8;
        for (int i = 0; i < 8; i++)
            for (int k = 0; k < 3; k++)
                out->local[i][k] = i >> k & 1 ? shape->half[k] : -shape->half[k];
    }
    c->local = shape->kind == GRZ_SHAPE_HULL ? (const double(*)[3])shape->points : (const double(*)[3])out->local;
    if (shape->kind == GRZ_SHAPE_HULL)
        c->count = (uint32_t)shape->point_count;
}

// The rounded part. Adds what roundings may hide to the reach.
static void measure(grz_placed_shape *out)
{
    static const double ZERO[3] = {0.0, 0.0, 0.0};
    const grz_convex *c = &out->convex;
    const bool corners = c->form == GRZ_CONVEX_CORNERS;
    double size = 0.0;
    grz_world_position(&c->pose, corners ? c->local[0] : ZERO, out->base);
    out->reach = 0.0;
    for (uint32_t i = 0; i < (corners ? c->count : 0); i++) {
        double world[3], way[3];
        grz_world_position(&c->pose, c->local[i], world);
        for (int k = 0; k < 3; k++)
            way[k] = fabs(world[k] - out->base[k]);
        const double sum = way[0] + way[1] + way[2];
        out->reach = sum > out->reach ? sum : out->reach;
    }
    for (int k = 0; k < 3; k++) {
        const double *m = c->pose.m[k];
        out->direction[k] = grz_dot(m, c->along);
        for (int j = 0; j < 3; j++) {
            const double part = fabs(m[j]) * (corners ? fabs(c->local[0][j]) : c->half[j]);
            size += part;
            out->reach += corners ? 0.0 : part;
        }
        size += fabs(m[3]);
    }
    out->reach += 0x1p-40 * size; // chosen: more changes nothing
}

// The exponent of the least power of two above x, which is above 0.
static int exponent_above(double x)
{
    int exponent;
    frexp(x, &exponent);
    return exponent;
}

static double length_of(const double v[3])
{
    return fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
}

// Multiply a very short direction by a power of two, which is exact and changes neither a ray nor a line: to about the
// length 1 after the pose, but to no number above 2^300 before it. So its multiples stay in the range of doubles.
static void lengthen(grz_placed_shape *out)
{
    double *along = out->convex.along;
    const int posed = -exponent_above(length_of(out->direction)), given = 300 - exponent_above(length_of(along));
    const int doublings = posed < given ? posed : given;
    if (doublings < SHORT)
        return;
    for (int k = 0; k < 3; k++)
        along[k] = ldexp(along[k], doublings);
    measure(out);
}

static const grz_convex_form FORMS[] = {[GRZ_SHAPE_CYLINDER] = GRZ_CONVEX_CYLINDER,
                                        [GRZ_SHAPE_CONE] = GRZ_CONVEX_CONE,
                                        [GRZ_SHAPE_ELLIPSOID] = GRZ_CONVEX_ELLIPSOID};

// Check a shape and copy what is given by it. `named` receives what it is, for errors.
static grz_status read_given(const char *name, const grz_shape *shape, const char *what, uint64_t element,
                             grz_placed_shape *out, char named[64], grz_error *error)
{
    grz_status status = check_kind(shape, name, what, element, error);
    if (status != GRZ_OK)
        return status;
    snprintf(named, 64, "%s, a %s", what, name_of(shape));
    status = check_numbers(shape, name, named, element, error);
    if (status != GRZ_OK)
        return status;
    *out = (grz_placed_shape){.radius = shape->radius};
    grz_convex *c = &out->convex;
    out->endless = shape->kind == GRZ_SHAPE_RAY || shape->kind == GRZ_SHAPE_LINE;
    c->form = shape->kind >= GRZ_SHAPE_CYLINDER && shape->kind <= GRZ_SHAPE_ELLIPSOID ? FORMS[shape->kind]
                                                                                      : GRZ_CONVEX_CORNERS;
    out->holds_origin = c->form != GRZ_CONVEX_CORNERS || shape->kind == GRZ_SHAPE_BOX;
    c->pose = shape->pose;
    memcpy(c->half, shape->half, sizeof c->half);
    fill_local(shape, out);
    double most[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        most[k] = c->form == GRZ_CONVEX_CORNERS ? 0.0 : c->half[k];
        for (uint32_t i = 0; i < c->count; i++)
            most[k] = fabs(c->local[i][k]) > most[k] ? fabs(c->local[i][k]) : most[k];
    }
    status = grz_pose_check(&shape->pose, most, error);
    if (status != GRZ_OK) {
        if (error != NULL)
            error->element = element;
        return status;
    }
    for (int i = 0; i < 9; i++)
        if (fabs(c->pose.m[i / 3][i % 3]) > GRZ_MAX_COORDINATE)
            return grz_fail(error, GRZ_ERROR_POSE, element, "%s: %s: an entry of its pose is larger than 2^300", name,
                            named);
    if (out->endless)
        measure(out);
    if (out->endless && !(length_of(out->direction) > SHORTEST))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, element, "%s: %s: its direction is 0, or below 2^-500", name, named);
    if (out->endless)
        lengthen(out);
    return GRZ_OK;
}

grz_status grz_placed_check(const char *name, const grz_shape *shape, const char *what, uint64_t element,
                            grz_error *error)
{
    grz_placed_shape placed;
    char named[64];
    return read_given(name, shape, what, element, &placed, named, error);
}

grz_status grz_placed_read(const char *name, const grz_shape *shape, const char *what, uint64_t element,
                           grz_control *control, grz_placed_shape *out, grz_error *error)
{
    char named[64];
    const grz_status status = read_given(name, shape, what, element, out, named, error);
    if (status != GRZ_OK)
        return status;
    if (!out->endless)
        measure(out);
    grz_convex *c = &out->convex;
    if (c->count > GRZ_PLACED_CORNERS) {
        out->block = grz_allocate(grz_control_allocator(control), c->count, sizeof *c->corners + sizeof *c->heights);
        if (out->block == NULL) {
            char points[96];
            snprintf(points, sizeof points, "%s: the points of %s", name, named);
            grz_control_explain(control, GRZ_ERROR_MEMORY, points, error);
            if (error != NULL)
                error->element = element;
            return GRZ_ERROR_MEMORY;
        }
    }
    c->corners = out->block != NULL ? out->block : out->corners;
    c->heights = out->block != NULL ? (double *)out->block + 3 * (size_t)c->count : NULL;
    return GRZ_OK;
}

void grz_placed_finish(grz_placed_shape *shape, grz_control *control)
{
    grz_release(grz_control_allocator(control), shape->block, shape->convex.count,
                sizeof *shape->convex.corners + sizeof *shape->convex.heights);
    shape->block = NULL;
}

void grz_placed_triangle(const double corners[3][3], grz_placed_shape *out)
{
    out->convex = (grz_convex){.form = GRZ_CONVEX_CORNERS, .count = 3, .pose = grz_pose_identity()};
    out->convex.local = (const double(*)[3])out->local;
    out->convex.corners = out->corners;
    out->radius = 0.0;
    out->endless = out->holds_origin = false;
    out->block = NULL;
    memcpy(out->local, corners, 9 * sizeof(double));
    measure(out);
}

// How far two shapes' bases are apart, and what roundings may hide of it.
static double apart(const grz_placed_shape *a, const grz_placed_shape *b)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += fabs(a->base[k] - b->base[k]);
    return sum + a->reach + b->reach + GRZ_UNDERFLOWS;
}

// Cut an endless shape. `way` bounds the distance that it must reach; it is `along` times its own length times 2^more.
static bool cut(grz_placed_shape *shape, double way, double along, int more)
{
    // The sum of magnitudes is at most twice the length; one more for what is rounded.
    const int exponent = exponent_above(way) - exponent_above(along) + 3 + more;
    if (exponent > MOST_FAR)
        return false;
    shape->convex.far = ldexp(1.0, exponent < -MOST_FAR ? -MOST_FAR : exponent);
    return true;
}

static bool cut_both(grz_placed_shape *a, grz_placed_shape *b, double way)
{
    grz_scaled across;
    if (!grz_convex_cross_size(&a->convex, &b->convex, &across))
        return false;
    const double u = length_of(a->direction), v = length_of(b->direction);
    int more = 0;
    if (across.mantissa != 0.0) // |u| |v| / |u × v| is 1 or above
        more = exponent_above(u) + exponent_above(v) - across.exponent;
    more = more > 0 ? more : 0;
    return cut(a, way, u, more) && cut(b, way, v, more);
}

bool grz_shapes_choose_place(grz_placed_shape *a, grz_placed_shape *b, grz_place *place)
{
    const double way = apart(a, b);
    double size = fmax(way, fmax(a->radius, b->radius));
    if (a->endless && b->endless && !cut_both(a, b, way))
        return false;
    if (a->endless != b->endless &&
        !cut(a->endless ? a : b, way, length_of(a->endless ? a->direction : b->direction), 0))
        return false;
    if (a->endless)
        size = fmax(size, a->convex.far * length_of(a->direction));
    if (b->endless)
        size = fmax(size, b->convex.far * length_of(b->direction));
    memcpy(place->origin, a->base, sizeof place->origin);
    const int exponent = exponent_above(size);
    place->scale = ldexp(1.0, exponent < -MOST_SCALE ? MOST_SCALE : -exponent);
    return true;
}

double grz_place_length_low(const grz_place *place, double length)
{
    const double world = length / place->scale;
    return world * place->scale == length ? world : fmax(nextafter(world, -HUGE_VAL), 0.0);
}

double grz_place_length_high(const grz_place *place, double length)
{
    const double world = length / place->scale;
    return world * place->scale == length ? world : nextafter(world, HUGE_VAL);
}

void grz_shape_box_of(const grz_placed_shape *shape, const grz_place *place, grz_box *box)
{
    const grz_convex *c = &shape->convex;
    const double margin = (shape->radius * place->scale + c->error + GRZ_CONVEX_ROUNDING * c->extent) * GRZ_MORE(8);
    for (int k = 0; k < 3; k++) {
        double n[3] = {0.0, 0.0, 0.0}, point[3];
        n[k] = 1.0;
        grz_convex_farthest(c, n, point);
        box->max[k] = nextafter(point[k] + margin, HUGE_VAL);
        n[k] = -1.0;
        grz_convex_farthest(c, n, point);
        box->min[k] = nextafter(point[k] - margin, -HUGE_VAL);
    }
}
