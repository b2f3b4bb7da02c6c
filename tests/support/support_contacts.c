// SPDX-License-Identifier: MIT
// Checks the laws of contacts and curves that docs/reference/numbers.md states, on points alone: it does not use the
// features by which the library joins them.
#include "support_contacts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int compare_points(const double *p, const double *q)
{
    for (int i = 0; i < 3; i++)
        if (p[i] != q[i])
            return p[i] < q[i] ? -1 : 1;
    return 0;
}

// Compare runs of points: if one is the beginning of the other, the shorter comes first.
static int compare_runs(const double *p, uint64_t p_count, const double *q, uint64_t q_count)
{
    for (uint64_t i = 0; i < p_count && i < q_count; i++) {
        const int order = compare_points(p + 3 * i, q + 3 * i);
        if (order != 0)
            return order;
    }
    return (p_count > q_count) - (p_count < q_count);
}

static void print_points(const double *points, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        fprintf(stderr, " (%.17g %.17g %.17g)", points[3 * i], points[3 * i + 1], points[3 * i + 2]);
    fprintf(stderr, "\n");
}

static void broken(const char *what, const char *law, uint64_t index, const double *points, uint64_t count)
{
    print_points(points, count);
    fail_msg("%s: %s (number %llu)", what, law, (unsigned long long)index);
}

// No other starting point or direction gives a smaller run.
static bool is_smallest_turn(const double *points, uint64_t count)
{
    const uint64_t steps[2] = {1, count - 1};
    for (uint64_t first = 0; first < count; first++) {
        for (int direction = 0; direction < 2; direction++) {
            int order = 0;
            for (uint64_t i = 0; i < count && order == 0; i++)
                order = compare_points(points + 3 * i, points + 3 * ((first + i * steps[direction]) % count));
            if (order > 0)
                return false;
        }
    }
    return true;
}

static void expect_region(const char *what, const test_answer *answer)
{
    const grz_summary *summary = &answer->summary;
    assert_int_equal(summary->has_region, answer->point_count > 0);
    for (int axis = 0; axis < 3; axis++) {
        double low = 0.0, high = 0.0;
        for (uint64_t i = 0; i < answer->point_count; i++) {
            const double x = answer->points[3 * i + (uint64_t)axis];
            low = i == 0 || x < low ? x : low;
            high = i == 0 || x > high ? x : high;
        }
        if (summary->region_min[axis] != low || summary->region_max[axis] != high)
            fail_msg("%s: the region is not the box of the points", what);
    }
}

void test_expect_contact_laws(const char *what, const test_answer *answer)
{
    static const uint32_t least_points[GRZ_KIND_COUNT] = {[GRZ_TOUCHING] = 1, [GRZ_COPLANAR] = 3, [GRZ_CROSSING] = 2};
    static const uint32_t most_points[GRZ_KIND_COUNT] = {[GRZ_TOUCHING] = 2, [GRZ_COPLANAR] = 6, [GRZ_CROSSING] = 2};
    uint64_t points = 0;
    uint32_t *strongest = calloc((size_t)answer->pair_count + 1, sizeof *strongest);
    uint64_t *contacts = calloc((size_t)answer->pair_count + 1, sizeof *contacts);
    assert_non_null(strongest);
    assert_non_null(contacts);
    for (uint64_t i = 0; i < answer->contact_count; i++) {
        const grz_contact *c = &answer->contacts[i];
        const double *own = answer->points + 3 * points;
        if (c->pair >= answer->pair_count || (i > 0 && c->pair < c[-1].pair))
            broken(what, "contacts are not sorted by pair", i, own, 0);
        if (c->first_point != points || c->kind >= GRZ_KIND_COUNT || points + c->point_count > answer->point_count)
            broken(what, "a contact's points do not follow the last one's", i, own, 0);
        else if (c->point_count < least_points[c->kind] || c->point_count > most_points[c->kind])
            broken(what, "a contact's kind does not fit its points", i, own, c->point_count);
        if (c->point_count > 1 && !is_smallest_turn(own, c->point_count))
            broken(what, "a contact's points are not in canonical order", i, own, c->point_count);
        points += c->point_count;
        contacts[c->pair]++;
        strongest[c->pair] = c->kind > strongest[c->pair] ? c->kind : strongest[c->pair];
    }
    assert_int_equal(points, answer->point_count);
    for (uint64_t i = 0; i < answer->pair_count; i++)
        if (contacts[i] == 0 || strongest[i] != answer->pairs[i].kind)
            broken(what, "a pair's kind is not its strongest contact's", i, NULL, 0);
    const uint64_t *kinds = answer->summary.kinds;
    assert_int_equal(kinds[GRZ_TOUCHING] + kinds[GRZ_COPLANAR] + kinds[GRZ_CROSSING], answer->pair_count);
    expect_region(what, answer);
    free(strongest);
    free(contacts);
}

// Two points as six numbers, the smaller first.
typedef struct span {
    double at[6];
} span;

static span span_of(const double *p, const double *q)
{
    span s;
    const bool ordered = compare_points(p, q) <= 0;
    memcpy(s.at, ordered ? p : q, 3 * sizeof(double));
    memcpy(s.at + 3, ordered ? q : p, 3 * sizeof(double));
    return s;
}

static int compare_spans(const void *left, const void *right)
{
    const span *s = left, *t = right;
    const int order = compare_points(s->at, t->at);
    return order != 0 ? order : compare_points(s->at + 3, t->at + 3);
}

// Every side of every contact, and every point as a side from itself to itself; sorted.
static span *contact_sides(const test_answer *answer, size_t *count)
{
    span *sides = malloc((size_t)(2 * answer->point_count + 1) * sizeof *sides);
    assert_non_null(sides);
    *count = 0;
    for (uint64_t i = 0; i < answer->contact_count; i++) {
        const uint32_t points = answer->contacts[i].point_count;
        const double *own = answer->points + 3 * answer->contacts[i].first_point;
        for (uint32_t k = 0; k < points; k++) {
            sides[(*count)++] = span_of(own + 3 * k, own + 3 * k);
            sides[(*count)++] = span_of(own + 3 * k, own + 3 * ((k + 1) % points));
        }
    }
    qsort(sides, *count, sizeof *sides, compare_spans);
    return sides;
}

// How far rounded points may lie from a line, for coordinates of this size: a few ulp.
static double slack_of(const double *from, const double *to)
{
    double size = 0.0;
    for (int i = 0; i < 3; i++)
        size = fmax(size, fmax(fabs(from[i]), fabs(to[i])));
    return 4.0 * (size * 0x1p-52 + 0x1p-1074);
}

// True if a point lies on a side: at most `out_of_box` out of its box, and near its line.
static bool is_along(const double *point, const double *from, const double *to, double out_of_box)
{
    long double length = 0.0L, across = 0.0L;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        const long double u = (long double)to[i] - (long double)from[i], v = (long double)to[j] - (long double)from[j];
        const long double cross =
            u * ((long double)point[j] - (long double)from[j]) - v * ((long double)point[i] - (long double)from[i]);
        if (point[i] < fmin(from[i], to[i]) - out_of_box || point[i] > fmax(from[i], to[i]) + out_of_box)
            return false;
        length += u * u;
        across += cross * cross;
    }
    return sqrtl(across) <= (long double)slack_of(from, to) * sqrtl(length);
}

// Whether some contact has a step, from p to q or from p to itself, along one of its sides.
static bool runs_along_a_side(const test_answer *answer, const double *p, const double *q)
{
    for (uint64_t i = 0; i < answer->contact_count; i++) {
        const uint32_t points = answer->contacts[i].point_count;
        const double *own = answer->points + 3 * answer->contacts[i].first_point;
        for (uint32_t k = 0; k < points; k++) {
            // Rounding keeps a point in the box, but a point that is moved and rounded again may leave it.
            const double *from = own + 3 * k, *to = own + 3 * ((k + 1) % points),
                         slack = answer->self ? slack_of(from, to) : 0.0;
            if (is_along(p, from, to, slack) && is_along(q, from, to, slack))
                return true;
        }
    }
    return false;
}

static void expect_curve_steps(const char *what, const test_answer *answer)
{
    size_t side_count;
    span *sides = contact_sides(answer, &side_count);
    for (uint64_t i = 0; i < answer->curve_count; i++) {
        const grz_curve *c = &answer->curves[i];
        const double *own = answer->curve_points + 3 * c->first_point;
        for (uint64_t k = 0; k + 1 < c->point_count || k == 0; k++) {
            const double *next = own + 3 * (c->point_count > 1 ? k + 1 : k);
            const span step = span_of(own + 3 * k, next);
            if (bsearch(&step, sides, side_count, sizeof *sides, compare_spans) == NULL &&
                !runs_along_a_side(answer, own + 3 * k, next))
                broken(what, "a curve's step runs along no side of a contact", i, own + 3 * k,
                       c->point_count > 1 ? 2 : 1);
        }
    }
    free(sides);
}

// Steps of curves, both ways; and points as steps from themselves to themselves.
static span *curve_steps(const test_answer *answer, size_t *count)
{
    span *steps = malloc((size_t)(3 * answer->curve_point_count + 1) * sizeof *steps);
    assert_non_null(steps);
    *count = 0;
    for (uint64_t i = 0; i < answer->curve_count; i++) {
        const double *own = answer->curve_points + 3 * answer->curves[i].first_point;
        for (uint64_t k = 0; k < answer->curves[i].point_count; k++) {
            for (int way = 0; way < (k > 0 ? 3 : 1); way++) {
                memcpy(steps[*count].at, own + 3 * (way == 1 ? k - 1 : k), 3 * sizeof(double));
                memcpy(steps[*count].at + 3, own + 3 * (way == 2 ? k - 1 : k), 3 * sizeof(double));
                ++*count;
            }
        }
    }
    qsort(steps, *count, sizeof *steps, compare_spans);
    return steps;
}

// True if steps lead from p to q along the line between them. On a line nearly perpendicular to an axis, rounded
// positions may come in another order than the exact points, but never go back in any coordinate.
static bool leads_to(const span *steps, size_t count, const double *p, const double *q)
{
    size_t low = 0, high = count;
    if (compare_points(p, q) == 0)
        return true;
    while (low < high) { // the first step from p
        const size_t middle = low + (high - low) / 2;
        if (compare_points(steps[middle].at, p) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < count && compare_points(steps[low].at, p) == 0; low++)
        if (compare_points(steps[low].at + 3, p) != 0 && is_along(steps[low].at + 3, p, q, 0.0) &&
            leads_to(steps, count, steps[low].at + 3, q))
            return true;
    return false;
}

// Whether curves run from p to q along the line between them; a lone point lies on some step.
static bool is_run_through(const span *steps, size_t count, const double *p, const double *q)
{
    if (!leads_to(steps, count, p, q))
        return false;
    for (size_t i = 0; i < count; i++)
        if (is_along(q, steps[i].at, steps[i].at + 3, 0.0))
            return true;
    return false;
}

static long double distance_to_segment(const long double x[3], const double *p, const double *q)
{
    long double along = 0.0L, length = 0.0L, square = 0.0L;
    for (int i = 0; i < 3; i++) {
        const long double u = (long double)q[i] - (long double)p[i];
        along += u * (x[i] - (long double)p[i]);
        length += u * u;
    }
    const long double share = length > 0.0L ? fminl(fmaxl(along / length, 0.0L), 1.0L) : 0.0L;
    for (int i = 0; i < 3; i++) {
        const long double from = x[i] - ((long double)p[i] + share * ((long double)q[i] - (long double)p[i]));
        square += from * from;
    }
    return sqrtl(square);
}

static void cross_product(const long double u[3], const long double v[3], long double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
}

static long double dot_product(const long double u[3], const long double v[3])
{
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

static long double distance_to_triangle(const long double x[3], const double *const corners[3])
{
    long double side[3][3], from[3][3], normal[3], least = HUGE_VALL;
    bool above = true;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            side[k][i] = (long double)corners[(k + 1) % 3][i] - (long double)corners[k][i];
            from[k][i] = x[i] - (long double)corners[k][i];
        }
        least = fminl(least, distance_to_segment(x, corners[k], corners[(k + 1) % 3]));
    }
    cross_product(side[0], side[1], normal);
    for (int k = 0; k < 3; k++) {
        long double across[3];
        cross_product(side[k], from[k], across);
        above = above && dot_product(across, normal) > 0.0L;
    }
    return above ? fminl(least, fabsl(dot_product(from[0], normal)) / sqrtl(dot_product(normal, normal))) : least;
}

// How far apart two roundings of one point may be: corners are rounded, by an amount that depends on their size.
static long double nearness(const double *const corners[], int count)
{
    double size = 0.0;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < 3; i++)
            size = fmax(size, fabs(corners[k][i]));
    return 8.0L * (long double)(size * 0x1p-52 + 0x1p-1074);
}

// Whether a point lies in some polygon or on some step, as near as rounded points can.
static bool lies_in_areas(const test_answer *answer, const span *steps, size_t count, const long double x[3])
{
    for (size_t i = 0; i < count; i++) {
        const double *const ends[2] = {steps[i].at, steps[i].at + 3};
        if (distance_to_segment(x, ends[0], ends[1]) <= nearness(ends, 2))
            return true;
    }
    for (uint64_t i = 0; i < answer->contact_count; i++) {
        const double *own = answer->points + 3 * answer->contacts[i].first_point;
        for (uint32_t k = 2; k < answer->contacts[i].point_count; k++) {
            const double *const corners[3] = {own, own + 3 * (k - 1), own + 3 * k};
            if (distance_to_triangle(x, corners) <= nearness(corners, 3))
                return true;
        }
    }
    return false;
}

// Every contact that is a segment or a point belongs to some curve, or nine of its points belong to areas and curves.
// Coordinates among the smallest doubles are not checked, because every position is a few ulps from every other. Of
// very many contacts in areas only some are checked.
static void expect_nothing_left_out(const char *what, const test_answer *answer)
{
    size_t count, left = 0;
    const bool told = fmax(fabs(answer->summary.region_min[0]), fabs(answer->summary.region_max[0])) >= 0x1p-1000;
    const size_t every = 1 + (size_t)answer->contact_count * (size_t)answer->contact_count / 1000000;
    span *steps = curve_steps(answer, &count);
    for (uint64_t i = 0; i < answer->contact_count && told; i++) {
        const grz_contact *c = &answer->contacts[i];
        const double *own = answer->points + 3 * c->first_point, *last = own + 3 * (c->point_count - 1);
        const span step = span_of(own, last);
        if (c->point_count > 2 || bsearch(&step, steps, count, sizeof *steps, compare_spans) != NULL ||
            left++ % every != 0 || is_run_through(steps, count, own, last))
            continue;
        for (int eighth = 0; eighth <= 8; eighth++) {
            long double x[3];
            for (int k = 0; k < 3; k++)
                x[k] =
                    (long double)own[k] + (long double)eighth * 0.125L * ((long double)last[k] - (long double)own[k]);
            if (!lies_in_areas(answer, steps, count, x))
                broken(what, "a contact is in no curve and no area", i, own, c->point_count);
        }
    }
    free(steps);
}

void test_expect_curve_laws(const char *what, const test_answer *answer)
{
    uint64_t points = 0;
    for (uint64_t i = 0; i < answer->curve_count; i++) {
        const grz_curve *c = &answer->curves[i];
        const double *own = answer->curve_points + 3 * points;
        if (c->first_point != points || c->point_count == 0 || points + c->point_count > answer->curve_point_count)
            broken(what, "a curve's points do not follow the last one's", i, own, 0);
        const double *last = own + 3 * (c->point_count - 1);
        if (c->closed && (c->point_count < 3 || compare_points(own, last) != 0))
            broken(what, "a closed curve does not come back", i, own, c->point_count);
        for (uint64_t k = 0; k < c->point_count && c->closed; k++)
            if (compare_points(own + 3 * k, own) < 0)
                broken(what, "a closed curve does not start at its smallest point", i, own, c->point_count);
        if (c->point_count > 1 && compare_points(own, last) > 0)
            broken(what, "an open curve does not start at its smaller end", i, own, c->point_count);
        if (c->closed && compare_points(own + 3, last - 3) > 0)
            broken(what, "a closed curve does not set off to the smaller side", i, own, c->point_count);
        if (i > 0 &&
            compare_runs(answer->curve_points + 3 * c[-1].first_point, c[-1].point_count, own, c->point_count) > 0)
            broken(what, "curves are not sorted", i, own, c->point_count);
        points += c->point_count;
    }
    assert_int_equal(points, answer->curve_point_count);
    expect_curve_steps(what, answer);
    expect_nothing_left_out(what, answer);
}

static int compare_records(const void *left, const void *right)
{
    const test_record *r = left, *s = right;
    const uint32_t x[4] = {r->face_a, r->face_b, r->kind, r->point_count},
                   y[4] = {s->face_a, s->face_b, s->kind, s->point_count};
    for (int i = 0; i < 4; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return compare_runs(r->points, r->point_count, s->points, s->point_count);
}

test_record *test_records_of(const test_answer *answer, const test_renumbering *renumbering)
{
    static const test_renumbering none = {.new_a = NULL};
    const test_renumbering *n = renumbering != NULL ? renumbering : &none;
    test_record *records = calloc((size_t)answer->contact_count + 1, sizeof *records);
    assert_non_null(records);
    for (uint64_t i = 0; i < answer->contact_count; i++) {
        const grz_contact *c = &answer->contacts[i];
        const grz_pair *pair = &answer->pairs[c->pair];
        uint32_t a = n->new_a != NULL ? n->new_a[pair->face_a] : pair->face_a;
        uint32_t b = n->new_b != NULL ? n->new_b[pair->face_b] : pair->face_b;
        if (n->swap || (n->self && a > b)) {
            const uint32_t first = b;
            b = a;
            a = first;
        }
        records[i] = (test_record){.face_a = a, .face_b = b, .kind = c->kind, .point_count = c->point_count};
        memcpy(records[i].points, answer->points + 3 * c->first_point, 3 * sizeof(double) * c->point_count);
    }
    qsort(records, (size_t)answer->contact_count, sizeof *records, compare_records);
    return records;
}

void test_expect_same_contacts(const char *what, const test_answer *plain, const test_answer *changed,
                               const test_renumbering *renumbering)
{
    if (plain->pair_count != changed->pair_count ||
        memcmp(plain->summary.kinds, changed->summary.kinds, sizeof plain->summary.kinds) != 0)
        fail_msg("%s: %llu pairs became %llu, or kinds changed", what, (unsigned long long)plain->pair_count,
                 (unsigned long long)changed->pair_count);
    if (memcmp(plain->summary.region_min, changed->summary.region_min, sizeof plain->summary.region_min) != 0 ||
        memcmp(plain->summary.region_max, changed->summary.region_max, sizeof plain->summary.region_max) != 0)
        fail_msg("%s: the region changed", what);
    if (plain->contact_count != changed->contact_count || plain->point_count != changed->point_count)
        fail_msg("%s: %llu contacts became %llu", what, (unsigned long long)plain->contact_count,
                 (unsigned long long)changed->contact_count);
    test_record *before = test_records_of(plain, renumbering), *after = test_records_of(changed, NULL);
    for (uint64_t i = 0; i < plain->contact_count; i++) {
        if (memcmp(&before[i], &after[i], sizeof *before) == 0)
            continue;
        fprintf(stderr, "  %u-%u and %u-%u\n", before[i].face_a, before[i].face_b, after[i].face_a, after[i].face_b);
        print_points(before[i].points, before[i].point_count);
        broken(what, "a contact changed", i, after[i].points, after[i].point_count);
    }
    free(before);
    free(after);
    if (plain->curve_count != changed->curve_count || plain->curve_point_count != changed->curve_point_count)
        fail_msg("%s: %llu curves of %llu points became %llu of %llu", what, (unsigned long long)plain->curve_count,
                 (unsigned long long)plain->curve_point_count, (unsigned long long)changed->curve_count,
                 (unsigned long long)changed->curve_point_count);
    for (uint64_t i = 0; i < plain->curve_count; i++) {
        const grz_curve *c = &plain->curves[i], *d = &changed->curves[i];
        const double *p = plain->curve_points + 3 * c->first_point, *q = changed->curve_points + 3 * d->first_point;
        if (c->point_count == d->point_count && c->closed == d->closed &&
            memcmp(p, q, 3 * sizeof(double) * (size_t)c->point_count) == 0)
            continue;
        print_points(p, c->point_count);
        broken(what, "a curve changed", i, q, d->point_count);
    }
}

void test_expect_curves(const char *what, const test_answer *answer, const test_curve *expected, uint64_t count)
{
    bool same = answer->curve_count == count;
    for (uint64_t i = 0; i < count && same; i++) {
        const grz_curve *c = &answer->curves[i];
        same = c->point_count == expected[i].point_count && c->closed == expected[i].closed &&
               compare_runs(answer->curve_points + 3 * c->first_point, c->point_count, &expected[i].points[0][0],
                            c->point_count) == 0;
    }
    for (uint64_t i = 0; i < answer->curve_count && !same; i++) {
        fprintf(stderr, "  %s", answer->curves[i].closed ? "closed" : "open");
        print_points(answer->curve_points + 3 * answer->curves[i].first_point, answer->curves[i].point_count);
    }
    if (!same)
        fail_msg("%s: other curves than the %llu expected", what, (unsigned long long)count);
}

test_answer test_ask_with_laws(const char *what, const test_mesh *a, const test_mesh *b)
{
    const test_query query = test_query_of_pair(a, b, GRZ_FIND_CURVES),
                     swapped = test_query_of_pair(b, a, GRZ_FIND_CURVES);
    const test_renumbering swap = {.swap = true};
    test_answer answer = test_ask(what, &query), other = test_ask(what, &swapped);
    test_expect_contact_laws(what, &answer);
    test_expect_curve_laws(what, &answer);
    test_expect_same_contacts(what, &answer, &other, &swap);
    test_answer_finish(&other);
    return answer;
}
