// SPDX-License-Identifier: MIT
#include "oracle_motion.h"

#include <assert.h>
#include <gmp.h>
#include <stdlib.h>

enum {
    MOST_DEGREE = 6,
    MOST_POLYNOMIALS = 64,
    REFINEMENTS = 300
};

typedef struct polynomial {
    int degree; // -1: zero
    mpq_t c[MOST_DEGREE + 1];
} polynomial;

// A root: a rational number `high` (is_rational), or the only root of `p`, which is square-free, in (low, high).
typedef struct root {
    bool is_rational;
    mpq_t low, high;
    polynomial p;
} root;

struct oracle_motion {
    polynomial x[4][3];               // the points' coordinates
    polynomial all[MOST_POLYNOMIALS]; // those that the test needs
    int count;                        // of them
    polynomial scratch[12], sturm[MOST_DEGREE + 2];
    root now, first;
    mpq_t s, t, u, v;
};

static void polynomial_init(polynomial *p)
{
    p->degree = -1;
    for (int i = 0; i <= MOST_DEGREE; i++)
        mpq_init(p->c[i]);
}

static void polynomial_clear(polynomial *p)
{
    for (int i = 0; i <= MOST_DEGREE; i++)
        mpq_clear(p->c[i]);
}

static void each_polynomial(oracle_motion *o, void (*act)(polynomial *))
{
    for (int i = 0; i < 12; i++) {
        act(&o->x[i / 3][i % 3]);
        act(&o->scratch[i]);
    }
    for (int i = 0; i < MOST_POLYNOMIALS; i++)
        act(&o->all[i]);
    for (int i = 0; i < MOST_DEGREE + 2; i++)
        act(&o->sturm[i]);
    act(&o->now.p);
    act(&o->first.p);
}

oracle_motion *oracle_motion_create(void)
{
    oracle_motion *o = calloc(1, sizeof *o);
    if (o == NULL)
        return NULL;
    each_polynomial(o, polynomial_init);
    mpq_inits(o->now.low, o->now.high, o->first.low, o->first.high, o->s, o->t, o->u, o->v, NULL);
    return o;
}

void oracle_motion_destroy(oracle_motion *o)
{
    if (o == NULL)
        return;
    each_polynomial(o, polynomial_clear);
    mpq_clears(o->now.low, o->now.high, o->first.low, o->first.high, o->s, o->t, o->u, o->v, NULL);
    free(o);
}

// ---- Polynomials --------------------------------------------------------------------------------------------------

static void trim(polynomial *p, int degree)
{
    while (degree >= 0 && mpq_sgn(p->c[degree]) == 0)
        degree--;
    p->degree = degree;
}

static void copy(polynomial *out, const polynomial *p)
{
    out->degree = p->degree;
    for (int i = 0; i <= p->degree; i++)
        mpq_set(out->c[i], p->c[i]);
}

// out = a + sign · b; out may be an operand.
static void add(polynomial *out, const polynomial *a, const polynomial *b, int sign)
{
    const int degree = a->degree > b->degree ? a->degree : b->degree;
    mpq_t sum;
    mpq_init(sum);
    for (int i = 0; i <= degree; i++) {
        mpq_set_ui(sum, 0, 1);
        if (i <= a->degree)
            mpq_add(sum, sum, a->c[i]);
        if (i <= b->degree && sign > 0)
            mpq_add(sum, sum, b->c[i]);
        if (i <= b->degree && sign < 0)
            mpq_sub(sum, sum, b->c[i]);
        mpq_set(out->c[i], sum);
    }
    mpq_clear(sum);
    trim(out, degree);
}

// out = a · b; out must be another one.
static void multiply(polynomial *out, const polynomial *a, const polynomial *b)
{
    mpq_t product;
    if (a->degree < 0 || b->degree < 0) {
        out->degree = -1;
        return;
    }
    assert(a->degree + b->degree <= MOST_DEGREE);
    mpq_init(product);
    for (int i = 0; i <= a->degree + b->degree; i++)
        mpq_set_ui(out->c[i], 0, 1);
    for (int i = 0; i <= a->degree; i++) {
        for (int j = 0; j <= b->degree; j++) {
            mpq_mul(product, a->c[i], b->c[j]);
            mpq_add(out->c[i + j], out->c[i + j], product);
        }
    }
    mpq_clear(product);
    trim(out, a->degree + b->degree);
}

static void derive(polynomial *out, const polynomial *p)
{
    mpq_t factor;
    mpq_init(factor);
    for (int i = 1; i <= p->degree; i++) {
        mpq_set_si(factor, i, 1);
        mpq_mul(out->c[i - 1], p->c[i], factor);
    }
    trim(out, p->degree - 1);
    mpq_clear(factor);
}

// The remainder of a / b, in place of a; the quotient, if wanted.
static void divide(polynomial *a, const polynomial *b, polynomial *quotient)
{
    mpq_t factor, part;
    mpq_inits(factor, part, NULL);
    const int top = a->degree - b->degree;
    for (int i = 0; quotient != NULL && i <= top; i++)
        mpq_set_ui(quotient->c[i], 0, 1);
    while (a->degree >= b->degree && a->degree >= 0) {
        const int shift = a->degree - b->degree;
        mpq_div(factor, a->c[a->degree], b->c[b->degree]);
        if (quotient != NULL)
            mpq_set(quotient->c[shift], factor);
        for (int i = 0; i <= b->degree; i++) {
            mpq_mul(part, factor, b->c[i]);
            mpq_sub(a->c[i + shift], a->c[i + shift], part);
        }
        trim(a, a->degree - 1);
    }
    if (quotient != NULL)
        trim(quotient, top);
    mpq_clears(factor, part, NULL);
}

static int sign_at(const polynomial *p, const mpq_t t)
{
    mpq_t value;
    mpq_init(value);
    for (int i = p->degree; i >= 0; i--) {
        mpq_mul(value, value, t);
        mpq_add(value, value, p->c[i]);
    }
    const int sign = mpq_sgn(value);
    mpq_clear(value);
    return sign;
}

// How many different roots p has in (low, high]; p is not zero.
static int roots_between(oracle_motion *o, const polynomial *p, const mpq_t low, const mpq_t high)
{
    polynomial *const chain = o->sturm;
    int length = 1;
    copy(&chain[0], p);
    derive(&chain[1], p);
    while (chain[length].degree >= 0) {
        copy(&chain[length + 1], &chain[length - 1]);
        divide(&chain[length + 1], &chain[length], NULL);
        for (int i = 0; i <= chain[length + 1].degree; i++)
            mpq_neg(chain[length + 1].c[i], chain[length + 1].c[i]);
        length++;
    }
    int changes[2] = {0, 0};
    for (int end = 0; end < 2; end++) {
        int last = 0;
        for (int i = 0; i < length; i++) {
            const int sign = sign_at(&chain[i], end == 0 ? low : high);
            changes[end] += sign * last < 0;
            last = sign != 0 ? sign : last;
        }
    }
    return changes[0] - changes[1];
}

// The greatest common divisor, but for a factor.
static void common_divisor(polynomial *out, const polynomial *a, const polynomial *b, polynomial *scratch)
{
    copy(out, a);
    copy(scratch, b);
    while (scratch->degree >= 0) {
        polynomial *const x = out;
        divide(x, scratch, NULL); // x mod scratch, which is smaller: exchange them
        polynomial swap = *x;
        *x = *scratch;
        *scratch = swap;
    }
}

// ---- Roots --------------------------------------------------------------------------------------------------------

// Halve the interval of a root that is not rational.
static void refine(root *r)
{
    mpq_t middle;
    mpq_init(middle);
    mpq_add(middle, r->low, r->high);
    mpq_div_2exp(middle, middle, 1);
    const int sign = sign_at(&r->p, middle);
    if (sign == 0) {
        r->is_rational = true;
        mpq_set(r->high, middle);
    } else if (sign == sign_at(&r->p, r->high)) { // the only root, and a simple one
        mpq_set(r->high, middle);
    } else {
        mpq_set(r->low, middle);
    }
    mpq_clear(middle);
}

static int sign_at_root(oracle_motion *o, const polynomial *q, root *r)
{
    if (q->degree < 0)
        return 0;
    if (!r->is_rational) {
        common_divisor(&o->scratch[8], q, &r->p, &o->scratch[9]);
        if (o->scratch[8].degree > 0 && roots_between(o, &o->scratch[8], r->low, r->high) > 0)
            return 0;
        while (!r->is_rational && roots_between(o, q, r->low, r->high) > 0)
            refine(r);
    }
    return sign_at(q, r->high);
}

static int compare_root(oracle_motion *o, root *r, const mpq_t t)
{
    if (r->is_rational)
        return mpq_cmp(r->high, t);
    if (mpq_cmp(t, r->low) <= 0)
        return 1;
    if (mpq_cmp(t, r->high) >= 0)
        return -1;
    if (sign_at(&r->p, t) == 0)
        return 0;
    return roots_between(o, &r->p, t, r->high) > 0 ? 1 : -1;
}

// ---- Contact ------------------------------------------------------------------------------------------------------

static void set_points(oracle_motion *o, const double x[2][4][3])
{
    for (int i = 0; i < 4; i++) {
        for (int axis = 0; axis < 3; axis++) {
            polynomial *const p = &o->x[i][axis];
            mpq_set_d(p->c[0], x[0][i][axis]);
            mpq_set_d(p->c[1], x[1][i][axis]);
            mpq_sub(p->c[1], p->c[1], p->c[0]);
            trim(p, 1);
        }
    }
}

// The projected area of points i, j, k, along an axis.
static void area(oracle_motion *o, int axis, int i, int j, int k, polynomial *out)
{
    const int x = (axis + 1) % 3, y = (axis + 2) % 3;
    polynomial *const s = o->scratch;
    add(&s[0], &o->x[j][x], &o->x[i][x], -1);
    add(&s[1], &o->x[k][y], &o->x[i][y], -1);
    add(&s[2], &o->x[j][y], &o->x[i][y], -1);
    add(&s[3], &o->x[k][x], &o->x[i][x], -1);
    multiply(&s[4], &s[0], &s[1]);
    multiply(&s[5], &s[2], &s[3]);
    add(out, &s[4], &s[5], -1);
}

// The volume of the four points.
static void volume(oracle_motion *o, polynomial *out)
{
    polynomial *const s = o->scratch;
    out->degree = -1;
    for (int axis = 0; axis < 3; axis++) {
        area(o, axis, 0, 1, 2, &s[6]);
        add(&s[0], &o->x[3][axis], &o->x[0][axis], -1);
        multiply(&s[1], &s[6], &s[0]);
        copy(&s[7], out);
        add(out, &s[7], &s[1], 1);
    }
}

// The polynomials, in this order: the volume; for each axis the areas of the triples; the differences of coordinates.
static const int face_triples[4][3] = {{1, 2, 3}, {0, 1, 2}, {0, 2, 3}, {0, 3, 1}};
static const int edge_triples[4][3] = {{0, 1, 2}, {0, 1, 3}, {2, 3, 0}, {2, 3, 1}};
static const int face_pairs[3][2] = {{0, 1}, {0, 2}, {0, 3}};
static const int edge_pairs[4][2] = {{0, 2}, {0, 3}, {1, 2}, {1, 3}};

static void list_polynomials(oracle_motion *o, bool edges)
{
    volume(o, &o->all[0]);
    o->count = 1;
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < 4; i++) {
            const int *const triple = edges ? edge_triples[i] : face_triples[i];
            area(o, axis, triple[0], triple[1], triple[2], &o->all[o->count++]);
        }
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < (edges ? 4 : 3); i++) {
            const int *const pair = edges ? edge_pairs[i] : face_pairs[i];
            add(&o->all[o->count++], &o->x[pair[0]][axis], &o->x[pair[1]][axis], -1);
        }
}

static bool touch_at(oracle_motion *o, bool edges, root *r)
{
    if (sign_at_root(o, &o->all[0], r) != 0)
        return false;
    const int pairs = edges ? 4 : 3;
    for (int axis = 0; axis < 3; axis++) { // the boxes overlap
        bool above = false, below = false;
        for (int i = 0; i < pairs; i++) {
            const int sign = sign_at_root(o, &o->all[13 + axis * pairs + i], r);
            above = above || sign >= 0;
            below = below || sign <= 0;
        }
        if (!above || !below)
            return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        int sign[4];
        for (int i = 0; i < 4; i++)
            sign[i] = sign_at_root(o, &o->all[1 + axis * 4 + i], r);
        if (edges && (sign[0] * sign[1] > 0 || sign[2] * sign[3] > 0))
            return false;
        const bool left = sign[1] >= 0 && sign[2] >= 0 && sign[3] >= 0;
        const bool right = sign[1] <= 0 && sign[2] <= 0 && sign[3] <= 0;
        if (!edges && !left && !right)
            return false;
    }
    return true;
}

static void copy_root(root *out, const root *r)
{
    out->is_rational = r->is_rational;
    mpq_set(out->low, r->low);
    mpq_set(out->high, r->high);
    copy(&out->p, &r->p);
}

// True if a comes before b. Roots that REFINEMENTS halvings do not tell apart are taken as equal.
static bool is_before(root *a, root *b)
{
    for (int i = 0; i < REFINEMENTS; i++) {
        if (a->is_rational && b->is_rational)
            return mpq_cmp(a->high, b->high) < 0;
        if (mpq_cmp(a->high, b->is_rational ? b->high : b->low) <= 0 && !(a->is_rational && b->is_rational))
            return true;
        if (mpq_cmp(b->high, a->is_rational ? a->high : a->low) <= 0)
            return false;
        if (!a->is_rational)
            refine(a);
        if (!b->is_rational)
            refine(b);
    }
    return false;
}

// Look at the roots of o->now.p in (low, high], in their order, until the features touch at one.
static bool first_touch(oracle_motion *o, bool edges, const mpq_t low, const mpq_t high)
{
    root *const r = &o->now;
    const int count = roots_between(o, &r->p, low, high);
    if (count == 0)
        return false;
    if (count == 1) {
        r->is_rational = sign_at(&r->p, high) == 0;
        mpq_set(r->low, low);
        mpq_set(r->high, high);
        // An end that is a root itself would spoil the signs.
        while (!r->is_rational && sign_at(&r->p, r->low) == 0) {
            mpq_add(o->v, r->low, r->high);
            mpq_div_2exp(o->v, o->v, 1);
            if (sign_at(&r->p, o->v) == 0) {
                r->is_rational = true;
                mpq_set(r->high, o->v);
            } else if (roots_between(o, &r->p, o->v, r->high) > 0) {
                mpq_set(r->low, o->v);
            } else {
                mpq_set(r->high, o->v);
            }
        }
        return touch_at(o, edges, r);
    }
    mpq_t middle;
    mpq_init(middle);
    mpq_add(middle, low, high);
    mpq_div_2exp(middle, middle, 1);
    const bool found = first_touch(o, edges, low, middle) || first_touch(o, edges, middle, high);
    mpq_clear(middle);
    return found;
}

static bool find_first(oracle_motion *o, bool edges, double t_max)
{
    list_polynomials(o, edges);
    mpq_set_ui(o->s, 0, 1);
    mpq_set_d(o->t, t_max);
    o->first.is_rational = true;
    mpq_set_ui(o->first.high, 0, 1);
    if (touch_at(o, edges, &o->first))
        return true;
    bool found = false;
    // While the volume is not 0 there is no contact; if it is 0 all the time, any of the others may start one.
    const int last = o->all[0].degree >= 0 ? 1 : o->count;
    for (int i = 0; i < last; i++) {
        if (o->all[i].degree <= 0)
            continue;
        derive(&o->scratch[9], &o->all[i]);
        common_divisor(&o->scratch[10], &o->all[i], &o->scratch[9], &o->scratch[11]);
        copy(&o->scratch[9], &o->all[i]);
        divide(&o->scratch[9], &o->scratch[10], &o->now.p); // each root once
        if (!first_touch(o, edges, o->s, o->t))
            continue;
        if (!found || is_before(&o->now, &o->first))
            copy_root(&o->first, &o->now);
        found = true;
    }
    return found;
}

bool oracle_motion_vertex_face(oracle_motion *o, const double x[2][4][3], double t_max)
{
    set_points(o, x);
    return find_first(o, false, t_max);
}

bool oracle_motion_edges(oracle_motion *o, const double x[2][4][3], double t_max)
{
    set_points(o, x);
    return find_first(o, true, t_max);
}

int oracle_motion_compare(oracle_motion *o, double t)
{
    mpq_set_d(o->u, t);
    return compare_root(o, &o->first, o->u);
}
