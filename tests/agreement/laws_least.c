// SPDX-License-Identifier: MIT
// Laws of the least penetration.
#include <math.h>
#include <stdlib.h>

#include "ask.h"
#include "fraction.h"

// Two convex solids of small numbers: the pieces know the least way.
static void check_truth(agree_run *run, const grz_penetration_answer *answer)
{
    const agree_situation *s = run->now;
    const agree_pieces *a = &s->bodies[0].pieces, *b = &s->bodies[1].pieces;
    agree_time squared, root = {1, 1};
    if (!a->known || !b->known || a->count != 1 || b->count != 1 || s->most > 64)
        return;
    agree_pieces_least(&a->list[0], &b->list[0], &squared);
    // The root of num/den is that of num · den, divided by den.
    root.den = squared.den;
    const int64_t square = squared.num * squared.den;
    const bool small = squared.num <= INT64_MAX / squared.den;
    if (!small)
        return;
    const bool enclosed = agree_compare_root(answer->lower, root, square, s->exponent) <= 0 &&
                          agree_compare_root(answer->upper, root, square, s->exponent) >= 0;
    agree_law_holds(run, AGREE_LAW_LEAST_TRUTH, enclosed, "least depth in [%.17g, %.17g], and %.17g", answer->lower,
                    answer->upper, ldexp(sqrt((double)squared.num / (double)squared.den), s->exponent));
    if (enclosed && agree_is_clean(s))
        agree_law_holds(run, AGREE_LAW_LEAST_ROUNDED,
                        answer->certainty == GRZ_EXACT &&
                            agree_is_nearest_root(answer->depth, root, square, s->exponent),
                        "certainty %d, depth %a, and %a", (int)answer->certainty, answer->depth,
                        ldexp(sqrt((double)squared.num / (double)squared.den), s->exponent));
}

// Along d, and along one axis.
static void check_along(agree_run *run, agree_source *source, const grz_penetration_answer *least)
{
    const int axis = (int)agree_below(source, 3);
    double d[3];
    for (int k = 0; k < 3; k++)
        d[k] = run->now->d[k];
    if (agree_one_in(source, 2))
        for (int k = 0; k < 3; k++)
            d[k] = k == axis ? 1.0 : 0.0;
    const grz_penetration_answer along = agree_along(run, &run->objects[0], &run->objects[1], d, NULL);
    agree_law_holds(run, AGREE_LAW_LEAST_ALONG, least->lower <= along.upper,
                    "least depth in [%.17g, %.17g], along %g,%g,%g in [%.17g, %.17g]", least->lower, least->upper, d[0],
                    d[1], d[2], along.lower, along.upper);
}

// Convex solids are free after it for good; of others it must be met exactly, so that the way must be a double.
static void check_free(agree_run *run, const grz_penetration_answer *least)
{
    const agree_situation *s = run->now;
    const bool convex =
        s->bodies[0].convex && s->bodies[1].convex && s->whole && s->exponent > -900 && s->most <= 1 << 12;
    int axes = 0;
    grz_object moved = run->objects[0];
    for (int k = 0; k < 3; k++) {
        const double way = least->upper * least->direction[k], units = ldexp(way, -s->exponent);
        axes += least->direction[k] != 0.0;
        if (!convex && (!s->whole || fabs(units) > 0x1p10 || units * 0x1p10 != floor(units * 0x1p10)))
            return;
        moved.pose.m[k][3] += convex ? way * (1.0 + 0x1p-30) : way;
    }
    if (!convex && (axes != 1 || s->most > INT64_C(1) << 30))
        return;
    const grz_solids solids = agree_collide(run, &moved, &run->objects[1], GRZ_FIND_SOLIDS).solids;
    agree_law_holds(run, AGREE_LAW_LEAST_FREE, !agree_insides_meet(solids),
                    "moved by %.17g along %.17g,%.17g,%.17g the insides meet", least->upper, least->direction[0],
                    least->direction[1], least->direction[2]);
}

void agree_laws_of_least(agree_run *run)
{
    const grz_object *a = &run->objects[0], *b = &run->objects[1];
    agree_source source = run->choices;
    const grz_solids solids = agree_collide(run, a, b, GRZ_FIND_SOLIDS).solids;
    if (!agree_are_solids(solids))
        return;
    const grz_penetration_answer least = agree_least(run, a, b);
    agree_law_holds(run, AGREE_LAW_LEAST_ZERO,
                    least.penetrating == agree_insides_meet(solids) && (least.upper == 0.0) == !least.penetrating,
                    "solids %d, least depth in [%.17g, %.17g]", (int)solids, least.lower, least.upper);
    check_truth(run, &least);
    if (!least.penetrating)
        return;
    check_along(run, &source, &least);
    check_free(run, &least);
    if (agree_one_in(&source, 4)) {
        const grz_penetration_answer swapped = agree_least(run, b, a);
        agree_law_holds(run, AGREE_LAW_LEAST_SWAPPED,
                        least.lower <= swapped.upper && swapped.lower <= least.upper &&
                            swapped.penetrating == least.penetrating,
                        "[%.17g, %.17g] and [%.17g, %.17g]", least.lower, least.upper, swapped.lower, swapped.upper);
    }
}
