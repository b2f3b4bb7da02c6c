// SPDX-License-Identifier: MIT
// The depth of two convex sets by an expanding polytope: a polytope whose corners are differences a - b grows where its
// surface is nearest to 0, until it cannot grow there.
//
// Source: G. van den Bergen, "Proximity queries and penetration depth computation on 3D game objects" (2001). Here the
// answer is enclosed. Upper bound: along any direction n, A is free of B after max n·a - min n·b. Lower bound: the
// polytope is part of the set of differences, so a ball around 0 in the polytope is in that set, too. Its radius is the
// least of the facets' distances, n · corner for whatever n. That 0 is inside the polytope follows from its surface: it
// is closed by construction (a disc of facets is replaced by a fan), and 0 is certainly on the inner side of each
// facet. The surface then covers every direction.
#include "geometry/convex/depth/convex_depth.h"

#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "geometry/convex/convex_gap.h"
#include "geometry/convex/depth/direction_cells.h"
#include "geometry/convex/depth/inner.h"
#include "geometry/convex/depth/line_depth.h"
#include "geometry/convex/depth/revolution.h"
#include "geometry/exact/expansion.h"
#include "geometry/vector.h"

enum {
    FEW_CORNERS = 200,            // of a polytope that needs no memory of its own
    FEW_FACETS = 2 * FEW_CORNERS, // a polytope of triangles has four fewer
    BLOCKS = 64,                  // of facets: what is nearest to 0 is kept for each; a bit for each
    MOST_STALLS = 16              // corners that brought the bounds no nearer to each other
};

// What a direction of length 1 but for roundings, 8 at most, changes in a product.
static const double OF_UNIT = 0x1p-50;

// Bounds are near enough to each other if they differ by this share of the depth, or of a quarter of the sets' extents.
static const double NEAR = 0x1p-41; // chosen: 4.5e-13

typedef struct facet {
    uint16_t corner[3]; // counterclockwise seen from outside
    uint16_t beside[3]; // the facet beyond the edge from corner i to corner i + 1
    bool certain;       // 0 is on its inner side for certain
    bool gone;
    double n[3];   // of length 1, outward, rounded
    double offset; // the least n · corner
} facet;

// An edge around what the newest corner sees, and the facet beyond it, which is not seen.
typedef struct edge {
    uint16_t from, to, beyond;
} edge;

// A difference of two points.
typedef struct difference {
    double on_a[3], on_b[3], at[3];
    uint32_t a, b; // numbers of the corners
} difference;

typedef struct polytope {
    const grz_convex *a, *b;
    double slack, extent;                 // how far a computed corner may be off; of all coordinates
    int most_corners, most_facets, block; // facets of a block
    int count, facet_count;               // places for facets that are in use: some of the facets may be gone
    difference *corners;                  // most_corners
    facet *facets;                        // most_facets, like the next four
    double *offsets;                      // of the facets; infinite of those that are gone
    uint16_t *gone;                       // which facets are gone: new ones take their places
    uint16_t *list;                       // facets, for a moment
    edge *horizon;
    double least[BLOCKS]; // offset of each block
    uint64_t stale;       // bits of blocks whose least offset is no longer known
    int uncertain;        // facets that are there and not certain
    int gone_count, horizon_count;
    bool is_full;   // it ended because there was no more room
    bool is_broken; // it could not grow, and the facets are no longer a surface
} polytope;

// The difference that lies farthest along n, of length 1, as the next corner; it counts only if the caller says so.
// Returns how far. The upper bound is taken on the way.
static double try_direction(polytope *p, const double n[3], grz_convex_depth *out)
{
    const int i = p->count;
    const double back[3] = {-n[0], -n[1], -n[2]};
    difference *d = &p->corners[i];
    d->a = grz_convex_farthest(p->a, n, d->on_a);
    d->b = grz_convex_farthest(p->b, back, d->on_b);
    for (int k = 0; k < 3; k++)
        d->at[k] = d->on_a[k] - d->on_b[k];
    const double far = grz_dot(n, d->at), upper = (far + p->slack) * GRZ_MORE(32);
    if (upper < out->upper) {
        out->upper = fmax(upper, 0.0);
        for (int k = 0; k < 3; k++)
            out->along[k] = -n[k];
    }
    return far;
}

// Of products of three coordinates: the determinant below has 30 roundings, each of 2^-104 at most.
static const double IN_DOUBLE_DOUBLES = 0x1p-90;

// True if 0 is certainly on the inner side of the plane through three corners, that is if their determinant is above 0.
// Where an edge meets a curved surface, facets are long slivers, so the determinant is computed in double-doubles: the
// rounding error is far below 2^-90 of the products. Each corner is off by the slack at most; that changes the
// determinant by at most the slack times the cross product of the other two corners, plus terms of higher order.
static bool is_beneath(const polytope *p, const double *const corner[3])
{
    double across = 0.0, sizes = 0.0;
    dd determinant = {0.0, 0.0};
    for (int i = 0; i < 3; i++) {
        const double *u = corner[(i + 1) % 3], *v = corner[(i + 2) % 3];
        for (int k = 0; k < 3; k++) {
            dd plus, minus;
            two_product(u[(k + 1) % 3], v[(k + 2) % 3], &plus.high, &plus.low);
            two_product(u[(k + 2) % 3], v[(k + 1) % 3], &minus.high, &minus.low);
            const dd normal = dd_add(plus, dd_negate(minus));
            across += fabs(normal.high);
            sizes += fabs(corner[i][k]);
            if (i == 0)
                determinant = dd_add(determinant, dd_scale(normal, corner[0][k]));
        }
    }
    const double moved = p->slack * (across + p->slack * (sizes + p->slack)) * 1.01;
    return determinant.high > moved + IN_DOUBLE_DOUBLES * sizes * sizes * sizes;
}

// Make a facet of three corners. False if they have no normal.
static bool make_facet(const polytope *p, int i, int j, int k, facet *out)
{
    const double *const corner[3] = {p->corners[i].at, p->corners[j].at, p->corners[k].at};
    double u[3], v[3];
    for (int d = 0; d < 3; d++) {
        u[d] = corner[1][d] - corner[0][d];
        v[d] = corner[2][d] - corner[0][d];
    }
    *out = (facet){.corner = {(uint16_t)i, (uint16_t)j, (uint16_t)k}};
    grz_cross(u, v, out->n);
    const double volume = grz_dot(out->n, corner[0]);
    if (!grz_make_unit(out->n))
        return false;
    out->offset = HUGE_VAL;
    for (int d = 0; d < 3; d++) {
        const double offset = grz_dot(out->n, corner[d]);
        out->offset = offset < out->offset ? offset : out->offset;
    }
    // `volume` is six times that of the tetrahedron whose fourth corner is 0. If it is large, a coarse error bound is
    // enough.
    out->certain = volume > 0x1p-44 * p->extent * p->extent * p->extent + 16.0 * p->slack * p->extent * p->extent ||
                   is_beneath(p, corner);
    return true;
}

// How far corner i is from the line through two others.
static double off_line(const polytope *p, int from, int to, int i)
{
    double u[3], v[3], across[3];
    for (int k = 0; k < 3; k++) {
        u[k] = p->corners[to].at[k] - p->corners[from].at[k];
        v[k] = p->corners[i].at[k] - p->corners[from].at[k];
    }
    grz_cross(u, v, across);
    return sqrt(grz_dot(across, across) / grz_dot(u, u));
}

// Try a direction and its opposite; keep the corner of the two that is farther off by a measure.
static double best_of_two(polytope *p, const double n[3], int known, grz_convex_depth *out)
{
    double most = 0.0;
    const int place = p->count;
    const double back[3] = {-n[0], -n[1], -n[2]}, *const both[2] = {n, back};
    for (int side = 1; side >= 0; side--) { // the better one is tried again last, if it is the first
        try_direction(p, both[side], out);
        double off = 0.0;
        if (known == 2)
            off = off_line(p, 0, 1, place);
        else
            for (int k = 0; k < 3; k++)
                off += n[k] * (p->corners[place].at[k] - p->corners[0].at[k]);
        off = fabs(off);
        if (side == 1)
            most = off;
        else if (off < most) {
            try_direction(p, both[1], out);
            return most;
        }
        most = fmax(most, off);
    }
    return most;
}

// A facet has been made, and is there from now on.
static void enter(polytope *p, int i)
{
    p->offsets[i] = p->facets[i].offset;
    p->stale |= UINT64_C(1) << i / p->block;
    p->uncertain += !p->facets[i].certain;
}

static void leave(polytope *p, int i)
{
    p->facets[i].gone = true;
    p->gone[p->gone_count++] = (uint16_t)i;
    p->offsets[i] = HUGE_VAL;
    p->stale |= UINT64_C(1) << i / p->block;
    p->uncertain -= !p->facets[i].certain;
}

// A tetrahedron of differences. False if they are all (nearly) in a plane.
static bool begin(polytope *p, grz_convex_depth *out)
{
    static const double AXES[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const double small = 8.0 * p->slack;
    int axis = 0;
    double long_way = 0.0;
    for (int i = 0; i < 3; i++) {
        const double back[3] = {-AXES[i][0], -AXES[i][1], -AXES[i][2]};
        const double wide = try_direction(p, AXES[i], out) + try_direction(p, back, out);
        if (wide > long_way) {
            long_way = wide;
            axis = i;
        }
    }
    const double back[3] = {-AXES[axis][0], -AXES[axis][1], -AXES[axis][2]};
    try_direction(p, AXES[axis], out);
    p->count = 1;
    try_direction(p, back, out);
    p->count = 2;
    if (!(long_way > small))
        return false;
    double line[3], across[3];
    for (int k = 0; k < 3; k++)
        line[k] = p->corners[1].at[k] - p->corners[0].at[k];
    double off = 0.0;
    for (int turn = 1; turn <= 2 && !(off > small); turn++) {
        grz_cross(line, AXES[(axis + turn) % 3], across);
        if (!grz_make_unit(across))
            return false;
        off = best_of_two(p, across, 2, out);
    }
    p->count = 3;
    facet first;
    if (!(off > small) || !make_facet(p, 0, 1, 2, &first) || !(best_of_two(p, first.n, 3, out) > small))
        return false;
    p->count = 4;
    double height = 0.0;
    for (int k = 0; k < 3; k++)
        height += first.n[k] * (p->corners[3].at[k] - p->corners[0].at[k]);
    static const int BELOW[4][3] = {{0, 1, 2}, {1, 0, 3}, {2, 1, 3}, {0, 2, 3}}; // if corner 3 is below 0, 1, 2
    for (int i = 0; i < 4; i++) {
        const int *c = BELOW[i];
        if (!(height > 0.0 ? make_facet(p, c[0], c[2], c[1], &p->facets[i])
                           : make_facet(p, c[0], c[1], c[2], &p->facets[i])))
            return false;
        enter(p, i);
    }
    p->facet_count = 4;
    for (int i = 0; i < 4; i++)
        for (int e = 0; e < 3; e++)
            for (int j = 0; j < 4; j++)
                for (int o = 0; o < 3; o++)
                    if (p->facets[j].corner[o] == p->facets[i].corner[(e + 1) % 3] &&
                        p->facets[j].corner[(o + 1) % 3] == p->facets[i].corner[e])
                        p->facets[i].beside[e] = (uint16_t)j;
    return true;
}

// Mark the facets that the newest corner sees, beginning with one; list the edges around them.
static void look(polytope *p, int first)
{
    uint16_t *stack = p->list;
    int depth = 0;
    const double *w = p->corners[p->count].at;
    p->horizon_count = 0;
    leave(p, first);
    stack[depth++] = (uint16_t)first;
    for (int at = 0; at < depth; at++)
        for (int e = 0; e < 3; e++) {
            const int beyond = p->facets[stack[at]].beside[e];
            const facet *other = &p->facets[beyond];
            if (other->gone)
                continue;
            if (grz_dot(other->n, w) > grz_dot(other->n, p->corners[other->corner[0]].at) + 0.25 * p->slack) {
                leave(p, beyond);
                stack[depth++] = (uint16_t)beyond;
            }
        }
    for (int at = 0; at < depth; at++) {
        const facet *f = &p->facets[stack[at]];
        for (int e = 0; e < 3; e++)
            if (!p->facets[f->beside[e]].gone)
                p->horizon[p->horizon_count++] = (edge){f->corner[e], f->corner[(e + 1) % 3], f->beside[e]};
    }
}

// Sort the horizon's edges into one cycle. False if they are none: then what was seen is no disc.
static bool sort_horizon(polytope *p)
{
    edge *h = p->horizon;
    for (int i = 1; i < p->horizon_count; i++) {
        int next = i;
        while (next < p->horizon_count && h[next].from != h[i - 1].to)
            next++;
        if (next == p->horizon_count)
            return false;
        const edge kept = h[i];
        h[i] = h[next];
        h[next] = kept;
    }
    for (int i = 0; i < p->horizon_count; i++)
        for (int j = 0; j < i; j++)
            if (h[i].from == h[j].from)
                return false;
    return p->horizon_count >= 3 && h[p->horizon_count - 1].to == h[0].from;
}

// Replace what the newest corner sees by a fan around it. False: there is no more room, or no such fan; the facets are
// no longer a surface then.
static bool grow(polytope *p, int first)
{
    uint16_t *fan = p->list;
    look(p, first);
    const int count = p->horizon_count;
    p->is_full = p->facet_count + count > p->most_facets + p->gone_count || p->count + 1 >= p->most_corners;
    if (p->is_full || !sort_horizon(p))
        return false;
    for (int i = 0; i < count; i++)
        fan[i] = p->gone_count > 0 ? p->gone[--p->gone_count] : (uint16_t)p->facet_count++;
    for (int i = 0; i < count; i++) {
        const edge *h = &p->horizon[i];
        facet *f = &p->facets[fan[i]], *beyond = &p->facets[h->beyond];
        if (!make_facet(p, h->from, h->to, p->count, f))
            return false;
        enter(p, fan[i]);
        f->beside[0] = h->beyond;
        f->beside[1] = fan[i + 1 < count ? i + 1 : 0];
        f->beside[2] = fan[i > 0 ? i - 1 : count - 1];
        for (int e = 0; e < 3; e++)
            if (beyond->corner[e] == h->to && beyond->corner[(e + 1) % 3] == h->from)
                beyond->beside[e] = fan[i];
    }
    p->count++;
    return true;
}

// The facet that is nearest to 0, or has it farthest outside; of equals the first. *inside: 0 is certainly inside the
// polytope.
static int nearest_facet(polytope *p, bool *inside)
{
    double least = HUGE_VAL;
    int best = 0;
    *inside = p->uncertain == 0;
    for (int block = 0; block * p->block < p->facet_count; block++) {
        if ((p->stale >> block & 1) != 0) {
            const int end = (block + 1) * p->block < p->facet_count ? (block + 1) * p->block : p->facet_count;
            p->least[block] = HUGE_VAL;
            for (int i = block * p->block; i < end; i++)
                p->least[block] = p->offsets[i] < p->least[block] ? p->offsets[i] : p->least[block];
        }
        if (p->least[block] < least) {
            least = p->least[block];
            best = block * p->block;
        }
    }
    p->stale = 0;
    while (least < HUGE_VAL && p->offsets[best] != least)
        best++;
    return best;
}

// A facet is as far from 0 as any direction tells. Of a sliver, where an edge meets a curved surface, its own normal is
// much rounded; the best direction so far may tell more. True if it does.
static bool raise_offset(polytope *p, int i, const double along[3])
{
    double least = HUGE_VAL;
    for (int d = 0; d < 3; d++)
        least = fmin(least, -grz_dot(along, p->corners[p->facets[i].corner[d]].at));
    least -= OF_UNIT * p->extent;
    if (!(least > p->offsets[i]))
        return false;
    p->offsets[i] = least;
    p->stale |= UINT64_C(1) << i / p->block;
    return true;
}

static void expand(polytope *p, double enough, grz_convex_depth *depth)
{
    double narrow = HUGE_VAL;
    int narrow_at = 0;
    *depth = (grz_convex_depth){.upper = HUGE_VAL};
    if (!begin(p, depth))
        return;
    for (;;) {
        bool inside;
        const int first = nearest_facet(p, &inside);
        if (raise_offset(p, first, depth->along))
            continue;
        const double offset = p->offsets[first];
        if (inside)
            depth->lower = fmax(depth->lower, (offset - p->slack) * GRZ_LESS(32));
        if (depth->upper == 0.0 || depth->lower > enough)
            return;
        double n[3];
        memcpy(n, p->facets[first].n, sizeof n);
        const double far = try_direction(p, n, depth);
        if (depth->upper == 0.0 || far - offset <= GRZ_CONVEX_ROUNDING * fabs(far) + p->slack)
            return;
        // Where an edge meets a curved surface, roundings keep the bounds some slacks apart however long this goes on.
        const double width = depth->upper - depth->lower;
        if (width < 0.75 * narrow) {
            narrow = width;
            narrow_at = p->count;
        } else if (p->count > narrow_at + MOST_STALLS && width < 256.0 * p->slack && depth->lower > 0.0)
            return;
        if (!grow(p, first)) {
            p->is_broken = true;
            return;
        }
    }
}

static polytope polytope_of(const grz_convex *a, const grz_convex *b, int most_corners)
{
    polytope p = {.a = a, .b = b, .extent = a->extent + b->extent, .most_corners = most_corners};
    p.slack = (a->error + b->error + GRZ_CONVEX_ROUNDING * p.extent) * GRZ_MORE(8192);
    p.most_facets = 2 * most_corners;
    p.block = (p.most_facets - 1) / BLOCKS + 1;
    return p;
}

static bool is_wide(const polytope *p, const grz_convex_depth *depth)
{
    return depth->upper - depth->lower > fmax(3.0 * p->slack, NEAR * fmax(depth->upper, 0.25 * p->extent));
}

// Bounds of parts of the sets, and the direction in which these are the least deep.
static void look_inside(polytope *p, grz_convex_depth *depth)
{
    double along[3], n[3];
    memcpy(along, depth->along, sizeof along);
    const double lower = grz_convex_inner_depth(p->a, p->b, p->slack, along);
    for (int k = 0; k < 3; k++)
        n[k] = -along[k];
    p->count = 0;
    if (grz_make_unit(n))
        try_direction(p, n, depth);
    depth->lower = fmin(fmax(depth->lower, lower), depth->upper);
}

static void measure(const grz_convex *a, const grz_convex *b, double enough, grz_convex_depth *depth)
{
    difference corners[FEW_CORNERS];
    facet facets[FEW_FACETS];
    double offsets[FEW_FACETS];
    uint16_t gone[FEW_FACETS], list[FEW_FACETS];
    edge horizon[FEW_FACETS];
    polytope p = polytope_of(a, b, FEW_CORNERS);
    if (grz_convex_revolution_depth(a, b, p.slack, depth) || grz_convex_line_depth(a, b, depth))
        return;
    p.corners = corners;
    p.facets = facets;
    p.offsets = offsets;
    p.gone = gone;
    p.list = list;
    p.horizon = horizon;
    expand(&p, enough, depth);
    if (depth->lower <= enough && is_wide(&p, depth))
        look_inside(&p, depth);
    if (enough == HUGE_VAL && is_wide(&p, depth))
        grz_convex_search_directions(a, b, p.slack, p.slack + 0.25 * NEAR * fmax(depth->upper, 0.25 * p.extent), depth);
}

// Of sets of which one at least is a ball: the depth of the two with a point in its place is less by the radius.
static void measure_shrunk(const grz_shrunk *a, const grz_shrunk *b, double enough, grz_convex_depth *depth)
{
    const double low = (a->radius_low + b->radius_low) * GRZ_LESS(4);
    const double high = (a->radius_high + b->radius_high) * GRZ_MORE(4);
    grz_convex_gap gap;
    grz_convex_measure_gap(a->set, b->set, 0.0, HUGE_VAL, &gap);
    if (gap.lower > 0.0) {
        *depth = (grz_convex_depth){.lower = fmax((low - gap.upper) * GRZ_LESS(4), 0.0),
                                    .upper = fmax((high - gap.lower) * GRZ_MORE(4), 0.0)};
        for (int k = 0; k < 3; k++)
            depth->along[k] = -gap.along[k];
        return;
    }
    measure(a->set, b->set, enough, depth);
    depth->lower = fmax((low - gap.upper) * GRZ_LESS(4), depth->lower > 0.0 ? (low + depth->lower) * GRZ_LESS(4) : 0.0);
    depth->lower = fmax(depth->lower, 0.0);
    depth->upper = (high + depth->upper) * GRZ_MORE(4);
}

void grz_convex_measure_depth(const grz_convex *a, const grz_convex *b, double enough, grz_convex_depth *depth)
{
    grz_shrunk one, other;
    grz_convex_shrink(a, &one);
    grz_convex_shrink(b, &other);
    if (one.set == a && other.set == b)
        measure(a, b, enough, depth);
    else
        measure_shrunk(&one, &other, enough, depth);
}

// ---- As large a polytope as it takes ------------------------------------------------------------------------------

static bool allocate(polytope *p, const grz_allocator *allocator)
{
    const size_t corners = (size_t)p->most_corners, facets = (size_t)p->most_facets;
    p->corners = grz_allocate(allocator, corners, sizeof *p->corners);
    p->facets = grz_allocate(allocator, facets, sizeof *p->facets);
    p->offsets = grz_allocate(allocator, facets, sizeof *p->offsets);
    p->gone = grz_allocate(allocator, facets, sizeof *p->gone);
    p->list = grz_allocate(allocator, facets, sizeof *p->list);
    p->horizon = grz_allocate(allocator, facets, sizeof *p->horizon);
    return p->corners != NULL && p->facets != NULL && p->offsets != NULL && p->gone != NULL && p->list != NULL &&
           p->horizon != NULL;
}

static void release(polytope *p, const grz_allocator *allocator)
{
    const size_t corners = (size_t)p->most_corners, facets = (size_t)p->most_facets;
    grz_release(allocator, p->corners, corners, sizeof *p->corners);
    grz_release(allocator, p->facets, facets, sizeof *p->facets);
    grz_release(allocator, p->offsets, facets, sizeof *p->offsets);
    grz_release(allocator, p->gone, facets, sizeof *p->gone);
    grz_release(allocator, p->list, facets, sizeof *p->list);
    grz_release(allocator, p->horizon, facets, sizeof *p->horizon);
}

// A facet is farther from 0 than its offset, but for the slack, whatever n was computed for it.
static void list_nearest(const polytope *p, grz_convex_nearest *nearest)
{
    double least = HUGE_VAL;
    for (int i = 0; i < p->facet_count; i++)
        least = p->offsets[i] < least ? p->offsets[i] : least;
    nearest->beyond = least + 7.0 * p->slack;
    for (int i = 0; i < p->facet_count; i++) {
        if (!(p->offsets[i] <= least + 8.0 * p->slack))
            continue;
        if (nearest->count == GRZ_CONVEX_MOST_NEAREST)
            return;
        grz_convex_facet *to = &nearest->facets[nearest->count++];
        for (int k = 0; k < 3; k++) {
            to->a[k] = p->corners[p->facets[i].corner[k]].a;
            to->b[k] = p->corners[p->facets[i].corner[k]].b;
        }
    }
    nearest->all = true;
}

bool grz_convex_measure_depth_fully(const grz_convex *a, const grz_convex *b, const grz_allocator *allocator,
                                    grz_convex_depth *depth, grz_convex_nearest *nearest)
{
    static const int ROOMS[] = {1024, 32000}; // facets have numbers of 16 bits
    bool done = false, fits = true;
    for (int i = 0; i < 2 && !done && fits; i++) {
        polytope p = polytope_of(a, b, ROOMS[i]);
        *nearest = (grz_convex_nearest){.all = false};
        fits = allocate(&p, allocator);
        if (fits) {
            expand(&p, HUGE_VAL, depth);
            done = !p.is_full;
        }
        if (done && !p.is_broken && depth->lower > 0.0)
            list_nearest(&p, nearest);
        release(&p, allocator);
    }
    return fits;
}
