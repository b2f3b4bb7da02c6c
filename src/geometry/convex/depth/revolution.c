// SPDX-License-Identifier: MIT
// Both bodies are turned profiles: points (radius, height) along a common axis w, or an ellipse around the axis. In a
// direction n with the part c along w and s >= 0 across it, a body reaches max (s radius + c height) from its middle,
// or √(s² x² + c² y²) for the half axes x across and y along. How far A must move along -n to be free of B is the sum
// of what both reach, less n · (middle_b - middle_a). The last product is largest for the n that leans towards B's
// axis, at the distance D from A's. That leaves a function of an angle: the largest product of (s, c) with some points
// (x, y), x = radius_a + radius_b - D, and the ellipses. Between directions in which two points tie it is, of points, a
// cosine, which is least at an end. With ellipses, arcs are halved until a bound of the second derivative tells that
// the function is nowhere lower than at an end: f'' = R - f, R the sum of the ellipses' radii of curvature.
#include "geometry/convex/depth/revolution.h"

#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "geometry/convex/depth/half_axes.h"
#include "geometry/functions/functions.h"
#include "geometry/vector.h"

enum {
    PROFILE = 2,
    SUMS = PROFILE * PROFILE,
    MOST_CORNERS = 8, // of a set whose edges are looked at, too
    MOST_POINTS = PROFILE * (MOST_CORNERS + MOST_CORNERS * (MOST_CORNERS - 1) / 2),
    MOST_STACKED = 64, // arcs
    MOST_ARCS = 20000
};

// More than roundings: the body is none of revolution, or the axes are not parallel.
static const double ROUND = 0x1p-44;
// A cosine, chosen: a direction that leans more towards the axis is what rounding left of 0, as the axes are the same.
static const double ACROSS = 0x1p-20;
// Values of the function of an angle have fewer than 16 roundings: no search brings them nearer than this share.
static const double NO_NEARER = 0x1p-49;

typedef struct body {
    double middle[3], axis[3]; // of length 1, if it has one
    bool has_axis;
    double profile[PROFILE][2]; // radius and height
    double ellipse[2];          // half axes across and along
    double off;                 // no point of it is farther from the turned profile
} body;

static double length_of(const double v[3])
{
    return sqrt(grz_dot(v, v));
}

// A point or a segment.
static bool read_corners(const grz_convex *c, body *out)
{
    if (c->count > 2)
        return false;
    const double *p = grz_convex_corner(c, 0), *q = grz_convex_corner(c, c->count - 1);
    for (int k = 0; k < 3; k++) {
        out->middle[k] = 0.5 * (p[k] + q[k]);
        out->axis[k] = 0.5 * (q[k] - p[k]);
    }
    const double half = length_of(out->axis);
    out->has_axis = grz_make_unit(out->axis);
    for (int i = 0; i < PROFILE; i++) {
        out->profile[i][0] = 0.0;
        out->profile[i][1] = i == 0 ? -half : half;
    }
    return true;
}

// The axis of an ellipsoid is the one beside which the others are the most alike.
static bool read_ellipsoid(const grz_convex *c, body *out)
{
    grz_half_axes axes;
    grz_half_axes_of(c, &axes);
    double least = HUGE_VAL;
    int best = 0;
    for (int j = 0; j < 3; j++) {
        const double unlike = fabs(axes.length[(j + 1) % 3] - axes.length[(j + 2) % 3]);
        if (unlike < least) {
            least = unlike;
            best = j;
        }
    }
    memcpy(out->middle, c->middle, sizeof out->middle);
    memcpy(out->axis, axes.axis[best], sizeof out->axis);
    out->has_axis = true;
    out->ellipse[0] = 0.5 * (axes.length[(best + 1) % 3] + axes.length[(best + 2) % 3]);
    out->ellipse[1] = axes.length[best];
    out->off = least + axes.off;
    return out->off <= ROUND * (out->ellipse[0] + out->ellipse[1]);
}

static bool read_round(const grz_convex *c, body *out)
{
    double column[3][3];
    if (c->form == GRZ_CONVEX_ELLIPSOID)
        return read_ellipsoid(c, out);
    for (int i = 0; i < 9; i++)
        column[i % 3][i / 3] = c->matrix[i / 3][i % 3];
    const double x = length_of(column[0]), y = length_of(column[1]), half = length_of(column[2]);
    const double size = x + y + half;
    memcpy(out->middle, c->middle, sizeof out->middle);
    memcpy(out->axis, column[2], sizeof out->axis);
    // The rim is a circle but for what its half axes differ and lean; it leans along the axis by the same measure.
    out->off = fabs(x - y) + (x > 0.0 ? fabs(grz_dot(column[0], column[1])) / x : 0.0);
    for (int k = 0; k < 2 && half > 0.0; k++)
        out->off += 2.0 * fabs(grz_dot(column[k], column[2])) / half;
    out->has_axis = grz_make_unit(out->axis);
    for (int i = 0; i < PROFILE; i++) {
        out->profile[i][0] = i == 0 || c->form == GRZ_CONVEX_CYLINDER ? 0.5 * (x + y) : 0.0;
        out->profile[i][1] = i == 0 ? -half : half;
    }
    return out->has_axis && out->off <= ROUND * size;
}

// More than what a body reaches from its middle.
static double size_of(const body *b)
{
    double size = b->ellipse[0] + b->ellipse[1];
    for (int i = 0; i < PROFILE; i++)
        size += b->profile[i][0] + fabs(b->profile[i][1]);
    return size;
}

static bool has_ellipse(const body *b)
{
    return b->ellipse[0] > 0.0 || b->ellipse[1] > 0.0;
}

// Points of B's profile on A's axis: turned round if the axes run against each other. Adds to `off` how far that moves
// them. False: the axes are not parallel.
static bool turn_to(const body *a, body *b)
{
    double across[3];
    const double half = fmax(fabs(b->profile[0][1]), fabs(b->profile[1][1])),
                 size = half + fmax(b->profile[0][0], b->profile[1][0]) + b->ellipse[0] + b->ellipse[1];
    if (!b->has_axis)
        return true;
    grz_cross(a->axis, b->axis, across);
    const double moved = length_of(across) * size;
    b->off += moved;
    if (grz_dot(a->axis, b->axis) < 0.0)
        for (int i = 0; i < PROFILE; i++)
            b->profile[i][1] = -b->profile[i][1];
    return moved <= ROUND * (size + fmax(fabs(a->profile[0][1]), fabs(a->profile[1][1])) +
                             fmax(a->profile[0][0], a->profile[1][0]));
}

// The largest product of a direction with the points.
static double reach(const double sums[SUMS][2], double s, double c)
{
    double most = -HUGE_VAL;
    for (int i = 0; i < SUMS; i++)
        most = fmax(most, s * sums[i][0] + c * sums[i][1]);
    return most;
}

static void try_direction(const double sums[SUMS][2], double s, double c, double best[3])
{
    const double length = grz_hypotenuse(s, c), sign = s < 0.0 ? -1.0 : 1.0;
    if (!(length > 0.0))
        return;
    const double far = reach(sums, sign * s / length, sign * c / length);
    if (far < best[0]) {
        best[0] = far;
        best[1] = sign * s / length;
        best[2] = sign * c / length;
    }
}

// The least reach, and its direction.
static void find_least(const double sums[SUMS][2], double best[3])
{
    best[0] = reach(sums, 0.0, 1.0);
    best[1] = 0.0;
    best[2] = 1.0;
    const double up = best[0];
    const double down = reach(sums, 0.0, -1.0);
    if (down < up) {
        best[0] = down;
        best[1] = 0.0;
        best[2] = -1.0;
    }
    for (int i = 0; i < SUMS; i++)
        for (int j = 0; j < i; j++)
            try_direction(sums, sums[j][1] - sums[i][1], sums[i][0] - sums[j][0], best);
}

// ---- With ellipses -------------------------------------------------------------------------------------------------

// What is searched: points and ellipses in the half plane of directions (s, c), s >= 0.
typedef struct half_plane {
    double sums[MOST_POINTS][2];
    int count;
    double ellipses[2][2];
    double size; // no value is larger
} half_plane;

typedef struct arc {
    double from[2], to[2];
} arc;

static double of_ellipses(const half_plane *h, const double n[2])
{
    double sum = 0.0;
    for (int i = 0; i < 2; i++)
        sum += grz_hypotenuse(n[0] * h->ellipses[i][0], n[1] * h->ellipses[i][1]);
    return sum;
}

static double of_point(const half_plane *h, int i, const double n[2])
{
    return n[0] * h->sums[i][0] + n[1] * h->sums[i][1];
}

static void middle_of(const arc *a, double n[2])
{
    const double s = a->from[0] + a->to[0], c = a->from[1] + a->to[1], length = grz_hypotenuse(s, c);
    n[0] = s / length;
    n[1] = c / length;
}

// Which point is farthest along n.
static int active_at(const half_plane *h, const double n[2])
{
    int best = 0;
    for (int i = 1; i < h->count; i++)
        if (of_point(h, i, n) > of_point(h, best, n))
            best = i;
    return best;
}

// The sum of the largest radii of curvature on an arc that crosses no axis: x² y² / (x² s² + y² c²)^(3/2).
static double most_curvature(const half_plane *h, const arc *a)
{
    double sum = 0.0;
    for (int i = 0; i < 2; i++) {
        const double x = h->ellipses[i][0], y = h->ellipses[i][1];
        const double least =
            fmin(grz_hypotenuse(a->from[0] * x, a->from[1] * y), grz_hypotenuse(a->to[0] * x, a->to[1] * y));
        if (x > 0.0 && y > 0.0)
            sum += x / least * (y / least) * (1.0 / least) * x * y; // this may overflow, and is infinite then
    }
    return sum;
}

// A lower bound of the reach for all directions of an arc. `point`: a corner that is far out along them.
static double least_on_arc(const half_plane *h, const arc *a, int point)
{
    const double from = of_point(h, point, a->from) + of_ellipses(h, a->from);
    const double to = of_point(h, point, a->to) + of_ellipses(h, a->to);
    const double chord = grz_length2(a->to[0] - a->from[0], a->to[1] - a->from[1]);
    const double eighth = 0.155 * chord * chord; // an eighth of the squared angle, which is at most a right one
    const double curved = most_curvature(h, a), low = fmin(from, to);
    const double rough = low - eighth * (curved + h->size);
    const double bend = (curved - rough) * 1.001;
    return bend > 0.0 ? low - eighth * bend : low;
}

// The best direction so far: best[0] is the value.
static void try_here(const half_plane *h, const double n[2], double best[3])
{
    const double value = of_point(h, active_at(h, n), n) + of_ellipses(h, n);
    if (value < best[0]) {
        best[0] = value;
        best[1] = n[0];
        best[2] = n[1];
    }
}

// Halve an arc until bounds and values meet. Returns the lower bound.
static double search_arc(const half_plane *h, arc whole, double best[3], int *arcs)
{
    arc stack[MOST_STACKED];
    int depth = 0;
    double middle[2], low = HUGE_VAL;
    stack[depth++] = whole;
    while (depth > 0) {
        const arc a = stack[--depth];
        middle_of(&a, middle);
        const double bound = least_on_arc(h, &a, active_at(h, middle));
        if (!(bound < low))
            continue;
        try_here(h, middle, best);
        if (bound >= best[0] - NO_NEARER * h->size || depth + 2 > MOST_STACKED || ++*arcs > MOST_ARCS ||
            memcmp(middle, a.from, sizeof middle) == 0 || memcmp(middle, a.to, sizeof middle) == 0) {
            low = bound;
            continue;
        }
        arc half = a;
        memcpy(half.from, middle, sizeof middle);
        stack[depth++] = half;
        half = a;
        memcpy(half.to, middle, sizeof middle);
        stack[depth++] = half;
    }
    return low;
}

// The least value, and its direction, in best; returns a lower bound of it.
static double search_half_plane(const half_plane *h, double best[3])
{
    static const double AXES[3][2] = {{0.0, 1.0}, {1.0, 0.0}, {0.0, -1.0}};
    double low = HUGE_VAL;
    int arcs = 0;
    best[0] = HUGE_VAL;
    best[1] = best[2] = 0.0;
    for (int i = 0; i < 3; i++)
        try_here(h, AXES[i], best);
    for (int i = 1; i < 3; i++) {
        arc a;
        memcpy(a.from, AXES[i - 1], sizeof a.from);
        memcpy(a.to, AXES[i], sizeof a.to);
        low = fmin(low, search_arc(h, a, best, &arcs));
    }
    return low;
}

// ---- Both ----------------------------------------------------------------------------------------------------------

// The way from A's axis to B's: how far they are apart, its direction, and how far B's middle is along the axis.
static double between_axes(const body *a, const body *b, double towards[3], double *along)
{
    double way[3];
    for (int k = 0; k < 3; k++)
        way[k] = b->middle[k] - a->middle[k];
    *along = grz_dot(way, a->axis);
    for (int k = 0; k < 3; k++)
        towards[k] = way[k] - *along * a->axis[k];
    const double apart = length_of(towards), back = grz_dot(towards, a->axis);
    for (int k = 0; k < 3; k++) // what rounding has left along the axis
        towards[k] -= back * a->axis[k];
    if (!grz_make_unit(towards) || fabs(grz_dot(towards, a->axis)) > ACROSS) {
        double axis[3] = {0.0, 0.0, 0.0};
        axis[fabs(a->axis[0]) < 0.5 ? 0 : 1] = 1.0;
        grz_cross(a->axis, axis, towards);
        grz_make_unit(towards);
    }
    return apart;
}

bool grz_convex_revolution_depth(const grz_convex *a, const grz_convex *b, double slack, grz_convex_depth *depth)
{
    body one = {.off = 0.0}, other = {.off = 0.0};
    if ((a->form == GRZ_CONVEX_CORNERS && b->form == GRZ_CONVEX_CORNERS) ||
        !(a->form == GRZ_CONVEX_CORNERS ? read_corners(a, &one) : read_round(a, &one)) ||
        !(b->form == GRZ_CONVEX_CORNERS ? read_corners(b, &other) : read_round(b, &other)))
        return false;
    if (!one.has_axis)
        memcpy(one.axis, other.axis, sizeof one.axis);
    if (!turn_to(&one, &other))
        return false;
    double towards[3], along, best[3], n[3], back[3];
    half_plane h;
    const double apart = between_axes(&one, &other, towards, &along);
    for (int i = 0; i < SUMS; i++) {
        const double *p = one.profile[i / PROFILE], *q = other.profile[i % PROFILE];
        h.sums[i][0] = p[0] + q[0] - apart;
        h.sums[i][1] = p[1] - q[1] - along;
    }
    h.count = SUMS;
    memcpy(h.ellipses[0], one.ellipse, sizeof one.ellipse);
    memcpy(h.ellipses[1], other.ellipse, sizeof other.ellipse);
    h.size = size_of(&one) + size_of(&other) + apart + fabs(along);
    double least;
    if (has_ellipse(&one) || has_ellipse(&other))
        least = search_half_plane(&h, best);
    else {
        find_least((const double(*)[2])h.sums, best);
        least = best[0];
    }
    for (int k = 0; k < 3; k++) {
        n[k] = best[1] * towards[k] + best[2] * one.axis[k];
        back[k] = -n[k];
        depth->along[k] = -n[k];
    }
    double on_a[3], on_b[3];
    grz_convex_farthest(a, n, on_a);
    grz_convex_farthest(b, back, on_b);
    const double far = grz_dot(n, on_a) - grz_dot(n, on_b);
    const double loose = slack + one.off + other.off + GRZ_CONVEX_ROUNDING * (a->extent + b->extent);
    depth->upper = fmax((far + slack) * GRZ_MORE(32), 0.0);
    depth->lower = fmax((least - loose) * GRZ_LESS(32), 0.0);
    return true;
}

// ---- Parts of a set of corners -------------------------------------------------------------------------------------

// A point's distance from the axis, and its height.
static void add_point(const body *round, const double at[3], half_plane *h)
{
    double way[3], across[3];
    for (int k = 0; k < 3; k++)
        way[k] = at[k] - round->middle[k];
    const double along = grz_dot(way, round->axis);
    for (int k = 0; k < 3; k++)
        across[k] = way[k] - along * round->axis[k];
    const double apart = length_of(across);
    for (int i = 0; i < PROFILE; i++) {
        h->sums[h->count][0] = round->profile[i][0] - apart;
        h->sums[h->count++][1] = round->profile[i][1] - along;
    }
    h->size = fmax(h->size, size_of(round) + apart + fabs(along));
}

// The point between two corners that is nearest to the axis.
static void add_foot(const body *round, const double p[3], const double q[3], half_plane *h)
{
    double from[3], edge[3], at[3];
    for (int k = 0; k < 3; k++) {
        from[k] = p[k] - round->middle[k];
        edge[k] = q[k] - p[k];
    }
    const double from_along = grz_dot(from, round->axis), edge_along = grz_dot(edge, round->axis);
    for (int k = 0; k < 3; k++) {
        from[k] -= from_along * round->axis[k];
        edge[k] -= edge_along * round->axis[k];
    }
    const double square = grz_dot(edge, edge), t = square > 0.0 ? -grz_dot(from, edge) / square : 0.0;
    if (!(t > 0.0 && t < 1.0))
        return;
    for (int k = 0; k < 3; k++)
        at[k] = p[k] + t * (q[k] - p[k]);
    add_point(round, at, h);
}

// Turn a direction, in the plane of it and the axis, to the angle with the axis that was found to be the best.
static void lean(const body *round, const double best[3], double way[3])
{
    const double along = grz_dot(way, round->axis);
    double across[3];
    for (int k = 0; k < 3; k++)
        across[k] = way[k] - along * round->axis[k];
    grz_make_unit(across);
    for (int k = 0; k < 3; k++)
        way[k] = best[1] * across[k] + best[2] * round->axis[k];
}

double grz_convex_revolution_inner(const grz_convex *round, const grz_convex *corners, double slack, double way[3])
{
    body one = {.off = 0.0};
    half_plane h = {.count = 0};
    double best[3];
    if (corners->count > MOST_CORNERS || !read_round(round, &one))
        return 0.0; // and the way as it is
    memcpy(h.ellipses[0], one.ellipse, sizeof one.ellipse);
    for (uint32_t i = 0; i < corners->count; i++) {
        const double *p = grz_convex_corner(corners, i);
        add_point(&one, p, &h);
        for (uint32_t j = 0; j < i; j++)
            add_foot(&one, p, grz_convex_corner(corners, j), &h);
    }
    const double least = search_half_plane(&h, best);
    lean(&one, best, way);
    const double loose = slack + one.off + GRZ_CONVEX_ROUNDING * (round->extent + corners->extent);
    return fmax((least - loose) * GRZ_LESS(32), 0.0);
}
