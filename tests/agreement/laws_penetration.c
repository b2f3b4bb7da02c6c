// SPDX-License-Identifier: MIT
// Laws of depths along a direction: against the pieces, against how the solids lie at moments of the motion, and
// against other ways to ask the same.
#include <math.h>
#include <string.h>

#include "ask.h"
#include "fraction.h"

static int64_t square_of(const int d[3])
{
    return (int64_t)d[0] * d[0] + (int64_t)d[1] * d[1] + (int64_t)d[2] * d[2];
}

// Against the pieces, which know the depth.
static void check_truth(agree_run *run, const grz_penetration_answer *answer)
{
    const agree_situation *s = run->now;
    if (!s->bodies[0].pieces.known || !s->bodies[1].pieces.known)
        return;
    const agree_time t = agree_pieces_free(&s->bodies[0].pieces, &s->bodies[1].pieces, s->d);
    const int64_t square = square_of(s->d);
    const bool enclosed = agree_compare_root(answer->lower, t, square, s->exponent) <= 0 &&
                          (isinf(answer->upper) || agree_compare_root(answer->upper, t, square, s->exponent) >= 0);
    const double near = ldexp((double)t.num / (double)t.den * sqrt((double)square), s->exponent);
    agree_law_holds(run, AGREE_LAW_ALONG_TRUTH, enclosed, "depth %.17g in [%.17g, %.17g], and %lld/%lld · |d| = %.17g",
                    answer->depth, answer->lower, answer->upper, (long long)t.num, (long long)t.den, near);
    if (enclosed && agree_is_exact(answer->lower, answer->upper))
        agree_law_holds(run, AGREE_LAW_ALONG_ROUNDED, agree_is_nearest_root(answer->depth, t, square, s->exponent),
                        "depth %a is not the double nearest to %lld/%lld · |d|, about %a", answer->depth,
                        (long long)t.num, (long long)t.den, near);
}

// The moment at which A is free.
static bool moment_of(const agree_situation *s, const grz_penetration_answer *answer, agree_time *t)
{
    // Near the smallest doubles, neighbours are far apart.
    if (!agree_is_exact(answer->lower, answer->upper) || s->exponent < -900)
        return false;
    const long double length = sqrtl((long double)square_of(s->d)),
                      low = ldexpl((long double)answer->lower, -s->exponent) / length,
                      high = ldexpl((long double)answer->upper, -s->exponent) / length;
    return agree_moment_of(s, low * (1.0L - 0x1p-60L), high * (1.0L + 0x1p-60L), 1, t);
}

static void check_moments(agree_run *run, agree_source *source, const grz_penetration_answer *answer)
{
    agree_time t;
    grz_summary summary;
    if (!moment_of(run->now, answer, &t))
        return;
    if (agree_collide_at(run, t, GRZ_FIND_SOLIDS | GRZ_FIND_PAIRS, &summary) && agree_are_solids(summary.solids)) {
        agree_law_holds(run, AGREE_LAW_ALONG_FREE, !agree_insides_meet(summary.solids),
                        "depth %.17g, but at %lld/%lld · d the insides meet", answer->depth, (long long)t.num,
                        (long long)t.den);
        if (t.num > 0)
            agree_law_holds(run, AGREE_LAW_ALONG_TOUCH, summary.pair_count > 0,
                            "depth %.17g, but at %lld/%lld · d no surfaces touch", answer->depth, (long long)t.num,
                            (long long)t.den);
    }
    if (t.num == 0)
        return;
    // A time of a small denominator may be a moment of freedom between two times of overlap.
    const int64_t den = agree_between(source, 1, 4), most = (t.num * den - 1) / t.den;
    const agree_time before[3] = {{16 * t.num - 1, 16 * t.den},
                                  {t.num * agree_between(source, 0, 15), 16 * t.den},
                                  {agree_below(source, most < 1000 ? (uint32_t)most + 1 : 1000), den}};
    for (int i = 0; i < 3; i++)
        if (agree_collide_at(run, before[i], GRZ_FIND_SOLIDS, &summary) && agree_are_solids(summary.solids))
            agree_law_holds(run, AGREE_LAW_ALONG_BEFORE, agree_insides_meet(summary.solids),
                            "depth %.17g, but at %lld/%lld · d already the insides are disjoint", answer->depth,
                            (long long)before[i].num, (long long)before[i].den);
}

static bool same_depth(const grz_penetration_answer *a, const grz_penetration_answer *b)
{
    return a->lower == b->lower && a->upper == b->upper && a->depth == b->depth && a->penetrating == b->penetrating;
}

static bool agree_depths(const grz_penetration_answer *a, const grz_penetration_answer *b)
{
    return agree_bounds_agree(a->lower, a->upper, b->lower, b->upper) && a->penetrating == b->penetrating;
}

static void check_lengths(agree_run *run, agree_source *source, const grz_penetration_answer *answer)
{
    static const double factors[] = {3.0, 0.1, 1.0 / 3.0, 7e10, 0x1p-40, 0x1.fffffffffffffp+9, 0x1p250, 0x1p-1020};
    const double factor = factors[agree_below(source, sizeof factors / sizeof *factors)];
    double d[3];
    for (int k = 0; k < 3; k++) {
        d[k] = factor * run->now->d[k];
        if (fma(factor, run->now->d[k], -d[k]) != 0.0)
            return; // another direction, by a rounding
    }
    const grz_penetration_answer other = agree_along(run, &run->objects[0], &run->objects[1], d, NULL);
    agree_law_holds(run, AGREE_LAW_ALONG_LENGTH, agree_depths(answer, &other),
                    "[%.17g, %.17g] along d, [%.17g, %.17g] along %.17g times d", answer->lower, answer->upper,
                    other.lower, other.upper, factor);
}

static void check_methods(agree_run *run, const double d[3], const grz_penetration_answer *answer)
{
    const grz_penetration_answer naive = agree_along(run, &run->objects[0], &run->objects[1], d, "naive");
    agree_law_holds(run, AGREE_LAW_ALONG_METHODS, same_depth(answer, &naive),
                    "[%.17g, %.17g], and by naive [%.17g, %.17g]", answer->lower, answer->upper, naive.lower,
                    naive.upper);
}

static void check_swapped(agree_run *run, const double back[3], const grz_penetration_answer *answer)
{
    const grz_penetration_answer swapped = agree_along(run, &run->objects[1], &run->objects[0], back, NULL);
    agree_law_holds(run, AGREE_LAW_ALONG_SWAPPED, agree_depths(answer, &swapped),
                    "[%.17g, %.17g], and swapped [%.17g, %.17g]", answer->lower, answer->upper, swapped.lower,
                    swapped.upper);
}

void agree_laws_of_penetration(agree_run *run)
{
    const agree_situation *s = run->now;
    const grz_object *a = &run->objects[0], *b = &run->objects[1];
    const double d[3] = {s->d[0], s->d[1], s->d[2]}, back[3] = {-d[0], -d[1], -d[2]};
    agree_source source = run->choices;
    const grz_penetration_answer answer = agree_along(run, a, b, d, NULL);
    const grz_solids solids = agree_collide(run, a, b, GRZ_FIND_SOLIDS).solids;
    if (!agree_are_solids(solids)) {
        agree_law_holds(run, AGREE_LAW_ALONG_ZERO, answer.certainty == GRZ_UNDECIDED, "a depth without solids");
        return;
    }
    if (answer.upper > 0.0)
        ++*(agree_is_exact(answer.lower, answer.upper) ? &run->exact_depths : &run->wide_depths);
    agree_law_holds(run, AGREE_LAW_ALONG_ZERO,
                    agree_insides_meet(solids) == answer.penetrating && answer.penetrating == (answer.upper > 0.0),
                    "solids %d, but depth in [%.17g, %.17g]", (int)solids, answer.lower, answer.upper);
    if (s->whole && agree_is_clean(s))
        agree_law_holds(run, AGREE_LAW_ALONG_EXACT, answer.certainty == GRZ_EXACT, "certainty %d, depth in [%a, %a]",
                        (int)answer.certainty, answer.lower, answer.upper);
    check_truth(run, &answer);
    check_moments(run, &source, &answer);
    // Each of these takes as long as the answer itself.
    switch (agree_below(&source, 3)) {
    case 0:
        check_methods(run, d, &answer);
        break;
    case 1:
        check_swapped(run, back, &answer);
        break;
    default:
        check_lengths(run, &source, &answer);
    }
}
