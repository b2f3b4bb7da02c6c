// SPDX-License-Identifier: MIT
// The least depth of two convex solids is how far 0 is from the surface of their Minkowski difference, the set of all
// a - b. An expanding polytope finds the nearest facets (geometry/convex/depth/convex_depth.h), each between three
// differences of corners. The distance of such a facet's plane, and the overlap along its normal, are then computed
// exactly: roots of fractions of integers. If the two agree, that is the depth. If not, as between needles, and the
// solids are small, all axes that can be the best are tried (convex_exact.h).
#include "ask/penetration/convex_pair.h"

#include <math.h>
#include <string.h>

#include "ask/penetration/convex_exact.h"
#include "ask/penetration/convex_solid.h"
#include "base/call.h"
#include "base/rounding.h"
#include "geometry/convex/depth/convex_depth.h"
#include "geometry/distance/nearest.h"
#include "geometry/pose.h"
#include "geometry/vector.h"

static const double UNDERFLOW = 0x1p-1072; // more than lengths lose by being subnormal

// The coordinates that the polytope uses: relative to a point between the solids, at about the size 1.
typedef struct frame {
    double origin[3], scale, size; // the size is that of both, in the world
} frame;

typedef struct pair {
    const grz_overlapping *start;
    grz_convex_solid solid[2];
    frame frame;
} pair;

static frame frame_of(const grz_convex_solid solids[2])
{
    frame out = {.scale = 1.0};
    double size = 0.0;
    for (int k = 0; k < 3; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int i = 0; i < 2; i++)
            for (uint32_t n = 0; n < solids[i].count; n++) {
                low = fmin(low, solids[i].corners[n][k]);
                high = fmax(high, solids[i].corners[n][k]);
            }
        out.origin[k] = 0.5 * low + 0.5 * high;
        size = fmax(size, high - low);
    }
    int exponent;
    frexp(size, &exponent);
    out.size = size;
    out.scale = ldexp(1.0, exponent < -900 ? 900 : -exponent);
    return out;
}

// ---- Exactly ------------------------------------------------------------------------------------------------------

// Bounds from the facets that are nearest in doubles, in integers. False: nothing is known.
static bool bound_by_nearest(const pair *p, const grz_exact_pair *exact, const grz_convex_nearest *nearest,
                             grz_exact_depth *out)
{
    *out = (grz_exact_depth){.any = false};
    if (!nearest->all || nearest->count == 0)
        return false;
    for (int i = 0; i < nearest->count; i++)
        if (!grz_exact_add_facet(exact, &nearest->facets[i], out))
            return false;
    // If a facet is a long sliver, its rounded normal may be wrong, and its plane farther away than computed. Then a
    // facet that was not listed may be nearer.
    grz_square placed = out->lower;
    placed.shift -= ilogb(p->frame.scale);
    return grz_square_root(&placed).upper <= nearest->beyond && grz_square_compare(&out->lower, &out->upper) <= 0;
}

static bool is_exact(const grz_exact_depth *depth)
{
    return grz_square_compare(&depth->lower, &depth->upper) == 0;
}

// False: nothing is known.
static bool bound_exactly(grz_move_call *call, const pair *p, const grz_convex_nearest *nearest, grz_exact_depth *out)
{
    grz_exact_pair exact;
    grz_exact_depth all;
    if (p->solid[0].convexity != GRZ_CONVEX_EXACTLY || p->solid[1].convexity != GRZ_CONVEX_EXACTLY ||
        !grz_exact_pair_init(p->solid, &exact))
        return false;
    const bool known = bound_by_nearest(p, &exact, nearest, out);
    if ((known && is_exact(out)) || !grz_exact_add_all(&exact, p->start->surfaces, &call->frame.control, &all))
        return known;
    *out = all;
    return true;
}

// ---- The answer -----------------------------------------------------------------------------------------------------

static void set_rounded(const pair *p, const grz_convex_depth *depth, grz_penetration_answer *answer)
{
    const double dents = grz_convex_solid_dent(&p->solid[0], &p->start->surfaces[0]) +
                         grz_convex_solid_dent(&p->solid[1], &p->start->surfaces[1]);
    const double upper = depth->upper / p->frame.scale, lower = depth->lower / p->frame.scale - dents;
    answer->upper = upper * GRZ_MORE(2) + UNDERFLOW;
    answer->lower = fmax(0.0, lower * GRZ_LESS(2) - UNDERFLOW);
    answer->depth = answer->upper;
    answer->certainty = GRZ_ENCLOSED;
    memcpy(answer->direction, depth->along, sizeof answer->direction);
}

static void set_bounds(const grz_exact_depth *exact, grz_penetration_answer *answer)
{
    const bool same = is_exact(exact);
    const grz_root upper = grz_square_root(&exact->upper), lower = same ? upper : grz_square_root(&exact->lower);
    answer->lower = lower.lower;
    answer->upper = upper.upper;
    answer->depth = same ? upper.nearest : upper.upper;
    answer->certainty = same ? GRZ_EXACT : GRZ_ENCLOSED;
    memcpy(answer->direction, exact->direction, sizeof answer->direction);
}

static void set_faces(const pair *p, grz_penetration_answer *answer)
{
    const double scale = p->frame.size < 0x1p-300 ? 0x1p700 : 1.0, // so that heights of tiny solids are not subnormal
        slack = 0x1p-44 * scale * p->frame.size;
    double n[3], back[3];
    for (int k = 0; k < 3; k++) {
        n[k] = scale * answer->direction[k];
        back[k] = -n[k];
    }
    answer->face_a = grz_convex_solid_face(&p->solid[0], &p->start->surfaces[0], back, slack);
    answer->face_b = grz_convex_solid_face(&p->solid[1], &p->start->surfaces[1], n, slack);
}

static grz_status measure(grz_move_call *call, pair *p, grz_penetration_answer *answer, bool *found)
{
    grz_convex_depth depth;
    grz_convex_nearest nearest;
    grz_exact_depth exact;
    p->frame = frame_of(p->solid);
    for (int i = 0; i < 2; i++)
        grz_convex_place(&p->solid[i].set, p->frame.origin, p->frame.scale);
    if (!grz_convex_measure_depth_fully(&p->solid[0].set, &p->solid[1].set, grz_control_allocator(&call->frame.control),
                                        &depth, &nearest))
        return grz_call_explain(&call->frame, GRZ_ERROR_MEMORY);
    const bool known = bound_exactly(call, p, &nearest, &exact);
    *found = known || (depth.lower > 0.0 && depth.upper < HUGE_VAL);
    if (!*found)
        return GRZ_OK;
    if (known)
        set_bounds(&exact, answer);
    else
        set_rounded(p, &depth, answer);
    set_faces(p, answer);
    return GRZ_OK;
}

grz_status grz_convex_pair_depth(grz_move_call *call, const grz_overlapping *start, grz_penetration_answer *answer,
                                 bool *found)
{
    const grz_allocator *allocator = grz_control_allocator(&call->frame.control);
    pair p = {.start = start, .solid = {{.count = 0}, {.count = 0}}};
    grz_status status = GRZ_OK;
    *found = false;
    bool convex = start->clean;
    for (int i = 0; i < 2 && convex && status == GRZ_OK; i++) {
        status = grz_call_explain(&call->frame,
                                  grz_convex_solid_init(&p.solid[i], &start->surfaces[i], &call->frame.control));
        convex = p.solid[i].convexity != GRZ_NOT_CONVEX;
    }
    if (convex && status == GRZ_OK)
        status = measure(call, &p, answer, found);
    for (int i = 0; i < 2; i++)
        grz_convex_solid_finish(&p.solid[i], allocator);
    return status;
}
