// SPDX-License-Identifier: MIT
// Branch and bound over boxes that hold the body. No point of a box with the radius r is farther from the solid than
// its centre's distance + r, or, if the centre is inside and d away from the surface, than r - d. Boxes whose bound is
// small enough are done, the others are cut into eight.
#include "ask/convex_parts/ruler.h"

#include <math.h>
#include <string.h>

#include "base/control.h"
#include "base/rounding.h"
#include "geometry/convex/convex_gap.h"
#include "geometry/exact/predicates.h"
#include "geometry/functions/functions.h"
#include "geometry/vector.h"

enum {
    MOST_TRIES = 64,      // centres outside the body from which a nearest point is computed, at one depth
    MOST_BOXES = 1 << 18, // at one depth; with more the bounds found so far are the answer
    MOST_DEPTH = 40,
    MANY_BOXES = 8192 // with more at one depth, drop_beside() and NEARLY save time
};

// Of the solid's size: 128 roundings. Each level of boxes, MOST_DEPTH at most, rounds a coordinate of a centre once,
// which moves it by less than 70 in all. A plane's value has 16 more; a point of the body that is computed has fewer
// than 32.
static const double ROUNDING = 0x1p-46;
static const double UNDERFLOW = 0x1p-1060; // of what is not scaled
static const double SUBNORMAL = 0x1p-900;  // more than what scaling to a size of about 1 loses
static const double NEARLY = 0.875; // a body that stands out by this part of what is allowed may count as too far

// The body is where normal · x <= offset.
typedef struct half_space {
    double normal[3], offset, slack; // slack: more than what rounding changes; much for a face that is a sliver
} half_space;

typedef struct center {
    double at[3];
} center;

typedef GRZ_ARRAY(center) center_list;

typedef struct measuring {
    const grz_parts_ruler *ruler;
    const grz_hull_shape *hull;
    const grz_allocator *allocator;
    GRZ_ARRAY(half_space) planes;
    center_list open, next;
    center_list corners; // of the body, times a power of two; none until they are needed
    grz_convex body;     // the same
    GRZ_ARRAY(grz_point_distance) answers;
    double half; // of the side of an open box
    grz_parts_measure found;
} measuring;

grz_status grz_parts_measure_points(const grz_parts_ruler *ruler, const double *points, size_t count,
                                    grz_point_distance *answers)
{
    grz_distance_points_options options = grz_default_distance_points_options();
    options.limits = grz_control_limits_left(ruler->control);
    return grz_distance_points(ruler->device, &ruler->solid, points, count, &options, answers, NULL);
}

// `off`: how far off the normal may be, all its coordinates together.
static bool add_plane(measuring *m, const double normal[3], double off, const double at[3])
{
    if (!grz_array_add(m->allocator, &m->planes))
        return false;
    half_space *plane = &m->planes.items[m->planes.count - 1];
    double length = 0.0;
    for (int k = 0; k < 3; k++)
        length += fabs(normal[k]);
    *plane = (half_space){.slack = (4.0 * off + ROUNDING * length) * m->ruler->size};
    for (int k = 0; k < 3; k++) {
        plane->normal[k] = normal[k];
        plane->offset += normal[k] * at[k];
    }
    return true;
}

static void subtract(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

static double sum_of(const double v[3])
{
    return fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
}

// A plane through the edge from p to q, across a flat body's own plane, whose normal is `normal` up to `off`.
static bool add_side(measuring *m, const double p[3], const double q[3], const double normal[3], double off)
{
    double along[3], outwards[3];
    subtract(q, p, along);
    grz_cross(along, normal, outwards);
    // 8 roundings: the edge, the products and their differences have three.
    return add_plane(m, outwards, 2.0 * sum_of(along) * (off + 0x1p-50 * sum_of(normal)), p);
}

// A flat body lies between the two sides of its plane, and within those of its edges.
static bool add_flat(measuring *m, const double normal[3], double off)
{
    const grz_hull_shape *hull = m->hull;
    const double back[3] = {-normal[0], -normal[1], -normal[2]};
    const uint32_t *corners = hull->corners + hull->face_offsets[0];
    const uint32_t count = hull->face_offsets[1] - hull->face_offsets[0];
    bool ok = add_plane(m, back, off, hull->positions + 3 * (size_t)corners[0]);
    for (uint32_t i = 0; i < count && ok; i++)
        ok = add_side(m, hull->positions + 3 * (size_t)corners[i],
                      hull->positions + 3 * (size_t)corners[(i + 1) % count], normal, off);
    return ok;
}

// A body that is a segment lies between two planes at its ends, and within four along it.
static bool add_segment(measuring *m)
{
    const double *p = m->hull->positions, *q = p + 3;
    double along[3], normal[3];
    subtract(q, p, along);
    // Two roundings: the differences have one.
    const double back[3] = {-along[0], -along[1], -along[2]}, off = 0x1p-52 * sum_of(along);
    bool ok = add_plane(m, along, off, q) && add_plane(m, back, off, p);
    for (int k = 0; k < 3 && ok; k++) {
        const double axis[3] = {k == 0, k == 1, k == 2};
        grz_cross(along, axis, normal);
        const double other[3] = {-normal[0], -normal[1], -normal[2]};
        ok = add_plane(m, normal, off, p) && add_plane(m, other, off, p);
    }
    return ok;
}

// The planes of the body's faces.
static bool add_planes(measuring *m)
{
    const grz_hull_shape *hull = m->hull;
    if (hull->dimension == 1)
        return add_segment(m);
    for (uint32_t f = 0; f < hull->face_count; f++) {
        const double *first = hull->positions + 3 * (size_t)hull->corners[hull->face_offsets[f]];
        const double each = 0x1p-51 + 0x1p-53 * (hull->face_offsets[f + 1] - hull->face_offsets[f]); // also of sums
        double normal[3] = {0.0, 0.0, 0.0}, off = 0.0;
        for (uint32_t i = hull->face_offsets[f] + 1; i + 1 < hull->face_offsets[f + 1]; i++) {
            const double *p = hull->positions + 3 * (size_t)hull->corners[i],
                         *q = hull->positions + 3 * (size_t)hull->corners[i + 1];
            for (int k = 0; k < 3; k++) {
                const int u = (k + 1) % 3, v = (k + 2) % 3;
                const double left = (p[u] - first[u]) * (q[v] - first[v]),
                             right = (p[v] - first[v]) * (q[u] - first[u]);
                normal[k] += left - right;
                off += each * (fabs(left) + fabs(right));
            }
        }
        if (!add_plane(m, normal, off, first) || (hull->dimension == 2 && !add_flat(m, normal, off)))
            return false;
    }
    return true;
}

// Whether a box may hold a point of the body.
static bool may_meet(const measuring *m, const double point[3])
{
    for (size_t i = 0; i < m->planes.count; i++) {
        const half_space *plane = &m->planes.items[i];
        double away = -plane->offset, reach = 0.0;
        for (int k = 0; k < 3; k++) {
            away += plane->normal[k] * point[k];
            reach += fabs(plane->normal[k]);
        }
        if (away > reach * m->half + plane->slack)
            return false;
    }
    return true;
}

// Whether a point is in the body.
static bool holds(const measuring *m, const double point[3])
{
    const grz_hull_shape *hull = m->hull;
    for (uint32_t t = 0; t < hull->triangle_count; t++) {
        const uint32_t *corners = hull->triangles + 3 * (size_t)t;
        if (grz_orient3d(hull->positions + 3 * (size_t)corners[0], hull->positions + 3 * (size_t)corners[1],
                         hull->positions + 3 * (size_t)corners[2], point) > 0)
            return false;
    }
    return hull->dimension == 3;
}

// Boxes of half the size around all that are open. Halves of sides stay exact; the slack of the planes is larger than
// the rounding of the centres.
static bool divide(measuring *m)
{
    m->half *= 0.5;
    m->next.count = 0;
    for (size_t i = 0; i < m->open.count; i++)
        for (int part = 0; part < 8; part++) {
            center inner;
            for (int k = 0; k < 3; k++)
                inner.at[k] = m->open.items[i].at[k] + ((part >> k & 1) != 0 ? m->half : -m->half);
            if (!may_meet(m, inner.at))
                continue;
            if (!grz_array_add(m->allocator, &m->next))
                return false;
            m->next.items[m->next.count - 1] = inner;
        }
    const center_list done = m->open;
    m->open = m->next;
    m->next = done;
    return grz_array_reserve(m->allocator, &m->answers, m->open.count);
}

// Scale the body to a size of about 1, for the search for planes that separate boxes from it. False: no memory.
static bool scale_body(measuring *m, int exponent)
{
    const uint32_t count = m->hull->vertex_count;
    double extent = 0.0;
    if (!grz_array_reserve(m->allocator, &m->corners, count))
        return false;
    for (m->corners.count = 0; m->corners.count < count; m->corners.count++) {
        double *at = m->corners.items[m->corners.count].at;
        for (size_t k = 0; k < 3; k++)
            at[k] = ldexp(m->hull->positions[3 * m->corners.count + k], exponent);
        extent = fmax(extent, grz_hypotenuse(grz_hypotenuse(at[0], at[1]), at[2]));
    }
    m->body = (grz_convex){.form = GRZ_CONVEX_CORNERS,
                           .count = count,
                           .corners = (double(*)[3])m->corners.items,
                           .error = SUBNORMAL,
                           .extent = extent * GRZ_MORE(32)};
    return true;
}

// Drop the boxes that certainly hold no point of the body. Around a body that is nearly flat, planes of faces leave all
// boxes in its plane, however far beyond its edges they are. False: no memory.
static bool drop_beside(measuring *m)
{
    int exponent;
    frexp(m->ruler->size, &exponent);
    exponent = -exponent;
    if (m->corners.count == 0 && !scale_body(m, exponent))
        return false;
    const double half = ldexp(m->half * GRZ_MORE(8192) + ROUNDING * m->ruler->size, exponent);
    size_t kept = 0;
    for (size_t i = 0; i < m->open.count; i++) {
        double corners[8][3], extent = 0.0;
        grz_convex_gap gap;
        for (int c = 0; c < 8; c++) {
            for (int k = 0; k < 3; k++)
                corners[c][k] = ldexp(m->open.items[i].at[k], exponent) + (c >> k & 1 ? half : -half);
            extent = fmax(extent, sqrt(grz_dot(corners[c], corners[c])));
        }
        const grz_convex box = {.form = GRZ_CONVEX_CORNERS,
                                .count = 8,
                                .corners = corners,
                                .error = SUBNORMAL,
                                .extent = extent * GRZ_MORE(32)};
        grz_convex_measure_gap(&m->body, &box, 0.0, 0.0, &gap);
        if (!(gap.lower > 0.0))
            m->open.items[kept++] = m->open.items[i];
    }
    m->open.count = kept;
    return true;
}

static double bound_of(const grz_point_distance *answer, double radius)
{
    return answer->location == GRZ_INSIDE ? fmax(radius - answer->lower, 0.0) : answer->upper + radius;
}

// p + t (q - p), nearest to `point`, t from 0 to 1.
static void nearest_of_edge(const double p[3], const double q[3], const double point[3], double out[3])
{
    double along[3], way[3];
    subtract(q, p, along);
    subtract(point, p, way);
    const double share = grz_dot(way, along) / grz_dot(along, along);
    const double t = share > 0.0 ? fmin(share, 1.0) : 0.0;
    for (int k = 0; k < 3; k++)
        out[k] = p[k] + t * along[k];
}

// The point of a triangle that is nearest to `point`, up to rounding. If squares of its sides leave the range of
// doubles, some point of it.
static void nearest_of_triangle(const double *const corners[3], const double point[3], double out[3])
{
    double u[3], v[3], way[3], normal[3], beside_u[3], beside_v[3], other[3], best = HUGE_VAL;
    subtract(corners[1], corners[0], u);
    subtract(corners[2], corners[0], v);
    subtract(point, corners[0], way);
    grz_cross(u, v, normal);
    grz_cross(way, v, beside_u);
    grz_cross(u, way, beside_v);
    const double square = grz_dot(normal, normal);
    const double s = grz_dot(beside_u, normal) / square, t = grz_dot(beside_v, normal) / square;
    if (s >= 0.0 && t >= 0.0 && s + t <= 1.0) {
        for (int k = 0; k < 3; k++)
            out[k] = corners[0][k] + s * u[k] + t * v[k];
        return;
    }
    memcpy(out, corners[0], sizeof other);
    for (int i = 0; i < 3; i++) {
        nearest_of_edge(corners[i], corners[(i + 1) % 3], point, other);
        subtract(other, point, way);
        if (!(grz_dot(way, way) < best))
            continue;
        best = grz_dot(way, way);
        memcpy(out, other, sizeof other);
    }
}

// The point of one triangle of the body that is nearest to `point`; or of the whole body, if it is a segment.
static void nearest_of_piece(const grz_hull_shape *hull, uint32_t piece, const double point[3], double out[3])
{
    const double *corners[3];
    if (hull->dimension == 1) {
        nearest_of_edge(hull->positions, hull->positions + 3, point, out);
        return;
    }
    for (size_t i = 0; i < 3; i++)
        corners[i] = hull->positions + 3 * (size_t)hull->triangles[3 * (size_t)piece + i];
    nearest_of_triangle(corners, point, out);
}

// Raise `lower` by a centre that is not in the body: the nearest point of the body is at least as far from the solid as
// the centre is, less the distance between the two. Thin or flat bodies contain hardly any centre, and need this.
static void learn_beside(measuring *m, const double centre[3], const grz_point_distance *answer)
{
    const grz_hull_shape *hull = m->hull;
    double least = HUGE_VAL, beside[3] = {0.0, 0.0, 0.0}, point[3], way[3];
    const uint32_t count = hull->dimension == 1 ? 1 : hull->triangle_count;
    for (uint32_t i = 0; i < count; i++) {
        nearest_of_piece(hull, i, centre, point);
        subtract(point, centre, way);
        const double away = grz_hypotenuse(grz_hypotenuse(way[0], way[1]), way[2]);
        if (away < least) {
            least = away;
            memcpy(beside, point, sizeof beside);
        }
    }
    const double lower = answer->lower - least * GRZ_MORE(32) - (ROUNDING * m->ruler->size + UNDERFLOW);
    if (lower > m->found.lower) {
        m->found.lower = lower;
        memcpy(m->found.worst, beside, sizeof beside);
        memcpy(m->found.beside, answer->point, sizeof m->found.beside);
    }
}

// Learn from the centres of all open boxes; keep those whose bounds are too large.
static void judge(measuring *m, double allowed, double radius)
{
    grz_parts_measure *found = &m->found;
    int tries = 0;
    for (size_t i = 0; i < m->open.count; i++) {
        const grz_point_distance *answer = &m->answers.items[i];
        if (answer->location == GRZ_INSIDE || !(answer->lower > found->lower))
            continue;
        if (holds(m, m->open.items[i].at)) {
            found->lower = answer->lower;
            memcpy(found->worst, m->open.items[i].at, sizeof found->worst);
            memcpy(found->beside, answer->point, sizeof found->beside);
        } else if (answer->lower - radius > found->lower && tries < MOST_TRIES) {
            learn_beside(m, m->open.items[i].at, answer);
            tries++;
        }
    }
    const double enough = fmax(allowed, 1.0625 * found->lower);
    size_t kept = 0;
    for (size_t i = 0; i < m->open.count; i++) {
        const double bound = bound_of(&m->answers.items[i], radius);
        if (bound <= enough) {
            found->upper = fmax(found->upper, bound);
            continue;
        }
        m->open.items[kept] = m->open.items[i];
        m->answers.items[kept++] = m->answers.items[i];
    }
    m->open.count = kept;
}

static grz_status measure(measuring *m, double allowed, bool quick)
{
    const grz_hull_shape *hull = m->hull;
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, radius = 0.0;
    for (uint32_t i = 0; i < hull->vertex_count; i++)
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], hull->positions[3 * (size_t)i + (size_t)k]);
            high[k] = fmax(high[k], hull->positions[3 * (size_t)i + (size_t)k]);
        }
    if (!add_planes(m) || !grz_array_add(m->allocator, &m->open))
        return GRZ_ERROR_MEMORY;
    for (int k = 0; k < 3; k++) {
        m->open.items[0].at[k] = low[k] + 0.5 * (high[k] - low[k]);
        m->half = fmax(m->half, (high[k] - low[k]) * 0.5 * GRZ_MORE(16384) + ROUNDING * m->ruler->size);
    }
    for (int depth = 0; depth < MOST_DEPTH && m->open.count > 0 && m->open.count < MOST_BOXES; depth++) {
        if (!divide(m) || (m->open.count > MANY_BOXES && !drop_beside(m)))
            return GRZ_ERROR_MEMORY;
        const grz_status status =
            grz_control_expired(m->ruler->control)
                ? grz_control_status(m->ruler->control)
                : grz_parts_measure_points(m->ruler, m->open.items[0].at, m->open.count, m->answers.items);
        if (status != GRZ_OK)
            return status;
        // The root of 3, and what rounds the centre.
        radius = m->half * 1.7320508075688774 * (1.0 + 1e-9) + ROUNDING * m->ruler->size;
        judge(m, allowed, radius);
        // A body that stands out by nearly as much as is allowed takes very many boxes to judge. It counts as too far.
        if (quick && m->found.lower > (m->open.count > MANY_BOXES ? NEARLY : 1.0) * allowed)
            break;
    }
    for (size_t i = 0; i < m->open.count; i++)
        m->found.upper = fmax(m->found.upper, bound_of(&m->answers.items[i], radius));
    return GRZ_OK;
}

grz_status grz_parts_measure_hull(const grz_parts_ruler *ruler, const grz_hull_shape *hull, double allowed, bool quick,
                                  grz_parts_measure *out)
{
    measuring m = {.ruler = ruler, .hull = hull, .allocator = grz_control_allocator(ruler->control)};
    const grz_status status = measure(&m, allowed, quick);
    grz_array_finish(m.allocator, &m.planes);
    grz_array_finish(m.allocator, &m.open);
    grz_array_finish(m.allocator, &m.next);
    grz_array_finish(m.allocator, &m.corners);
    grz_array_finish(m.allocator, &m.answers);
    *out = m.found;
    return status;
}
