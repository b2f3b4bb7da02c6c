// SPDX-License-Identifier: MIT
// A line is free of a set only by a move across it. So both are seen along the line: the set becomes a convex set in a
// plane, the line a point, 0. A polygon whose corners are farthest points of the set grows where its border is nearest
// to 0, as the polytope of convex_depth.c does. The line's far ends, and their roundings, take no part.
#include "geometry/convex/depth/line_depth.h"

#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "geometry/convex/face.h"
#include "geometry/vector.h"

enum {
    MOST_CORNERS = 160
};

// Of a determinant of two by two, which has 3, and of a corner's reach.
static const double EIGHT_ROUNDINGS = 0x1p-50;

typedef struct polygon {
    const grz_convex *set;
    double u[3], v[3], origin[3]; // the plane
    double slack;                 // how far off a corner may be
    int count;
    double at[MOST_CORNERS][2];
    int next[MOST_CORNERS];      // counterclockwise
    double offset[MOST_CORNERS]; // of the edge from this corner to the next: 0 is no nearer to it
    double upper, best[2];       // the least reach so far, and its direction
} polygon;

// The set's point farthest along n, as the next corner, which counts if the caller says so. Returns how far.
static double try_direction(polygon *p, const double n[2])
{
    double along[3], far[3];
    for (int k = 0; k < 3; k++)
        along[k] = n[0] * p->u[k] + n[1] * p->v[k];
    grz_convex_farthest(p->set, along, far);
    for (int k = 0; k < 3; k++)
        far[k] -= p->origin[k];
    double *at = p->at[p->count];
    at[0] = grz_dot(far, p->u);
    at[1] = grz_dot(far, p->v);
    const double reach = n[0] * at[0] + n[1] * at[1];
    if (reach < p->upper) {
        p->upper = reach;
        p->best[0] = n[0];
        p->best[1] = n[1];
    }
    return reach;
}

// The normal of the edge that begins at a corner, outward. False: it has none.
static bool normal_of(const polygon *p, int i, double n[2])
{
    const double *from = p->at[i], *to = p->at[p->next[i]];
    const double x = to[0] - from[0], y = to[1] - from[1], length = grz_length2(x, y);
    n[0] = y / length;
    n[1] = -x / length;
    return length > 0.0;
}

// How far an edge is from 0, seen along n.
static double offset_along(const polygon *p, int i, const double n[2])
{
    const double *from = p->at[i], *to = p->at[p->next[i]];
    return fmin(n[0] * from[0] + n[1] * from[1], n[0] * to[0] + n[1] * to[1]);
}

static void set_offset(polygon *p, int i)
{
    double n[2];
    p->offset[i] = HUGE_VAL; // of a corner twice: there is no edge
    if (normal_of(p, i, n))
        p->offset[i] = fmax(offset_along(p, i, n), offset_along(p, i, p->best));
}

// Four corners, in turn.
static void begin(polygon *p)
{
    static const double SIDES[4][2] = {{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}};
    for (int i = 0; i < 4; i++) {
        try_direction(p, SIDES[i]);
        p->next[p->count++] = (i + 1) % 4;
    }
    for (int i = 0; i < 4; i++)
        set_offset(p, i);
}

static void grow(polygon *p)
{
    for (;;) {
        int first = 0;
        for (int i = 1; i < p->count; i++)
            if (p->offset[i] < p->offset[first])
                first = i;
        const double raised = offset_along(p, first, p->best);
        if (raised > p->offset[first]) {
            p->offset[first] = raised;
            continue;
        }
        double n[2];
        const double low = p->offset[first];
        if (p->count == MOST_CORNERS - 1 || p->upper - low <= p->slack || !normal_of(p, first, n) ||
            try_direction(p, n) <= low + EIGHT_ROUNDINGS * fabs(low))
            return;
        const int i = p->count++;
        p->next[i] = p->next[first];
        p->next[first] = i;
        set_offset(p, first);
        set_offset(p, i);
    }
}

// Whether 0 is certainly to the left of an edge.
static bool is_left(const polygon *p, int i)
{
    const double *from = p->at[i], *to = p->at[p->next[i]];
    const double length = grz_length2(to[0] - from[0], to[1] - from[1]);
    const double size = fabs(from[0]) + fabs(from[1]) + fabs(to[0]) + fabs(to[1]);
    return from[0] * to[1] - from[1] * to[0] > 2.0 * p->slack * length + EIGHT_ROUNDINGS * size * size;
}

// How near to 0 the polygon comes, if 0 is certainly to the left of each edge: then it goes around 0. Else 0. Corners
// that are nearly equal tell nothing of the side: one of them goes.
static double nearest_edge(polygon *p)
{
    double low = HUGE_VAL;
    int i = 0;
    for (int step = 0, before = 0; step < p->count; step++) {
        const int next = p->next[i];
        const bool near = grz_length2(p->at[next][0] - p->at[i][0], p->at[next][1] - p->at[i][1]) <= 8.0 * p->slack;
        if (near && next != 0) {
            p->next[i] = p->next[next];
            continue;
        }
        if (near)
            p->next[before] = 0;
        before = i;
        i = next;
        if (next == 0)
            break;
    }
    for (i = 0; low > 0.0; i = p->next[i]) {
        set_offset(p, i);
        low = is_left(p, i) ? fmin(low, p->offset[i]) : 0.0;
        if (p->next[i] == 0)
            break;
    }
    return low;
}

bool grz_convex_line_depth(const grz_convex *a, const grz_convex *b, grz_convex_depth *depth)
{
    const grz_convex *line = a->both_ways ? a : b, *set = a->both_ways ? b : a;
    if (!line->both_ways || set->far != 0.0)
        return false;
    polygon p = {.set = set, .upper = HUGE_VAL};
    const double *from = grz_convex_corner(line, 0), *to = grz_convex_corner(line, 1);
    double along[3], middle[3];
    grz_convex_middle(set, middle);
    for (int k = 0; k < 3; k++) {
        along[k] = to[k] - from[k];
        middle[k] -= from[k];
    }
    if (!grz_make_unit(along))
        return false;
    const double far = grz_dot(middle, along);
    const grz_frame frame = grz_frame_across(along);
    memcpy(p.u, frame.u, sizeof p.u);
    memcpy(p.v, frame.v, sizeof p.v);
    double size = set->extent;
    for (int k = 0; k < 3; k++) {
        p.origin[k] = from[k] + far * along[k];
        size += fabs(p.origin[k]);
    }
    p.slack = (set->error + line->error + GRZ_CONVEX_ROUNDING * size) * GRZ_MORE(8192);
    begin(&p);
    grow(&p);
    const double sign = a->both_ways ? 1.0 : -1.0;
    depth->lower = fmax((nearest_edge(&p) - p.slack) * GRZ_LESS(32), 0.0);
    depth->upper = fmax((p.upper + p.slack) * GRZ_MORE(32), 0.0);
    for (int k = 0; k < 3; k++)
        depth->along[k] = sign * (p.best[0] * p.u[k] + p.best[1] * p.v[k]);
    return true;
}
