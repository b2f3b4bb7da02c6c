// SPDX-License-Identifier: MIT
// The oracle of translations: every cut of the line with a feature of the hull of b - a.
#include "oracle_translation.h"

#include <math.h>

static void each(oracle_translation *o, void (*act)(mpz_t))
{
    for (int i = 0; i < 18; i++)
        act(o->p[i / 3][i % 3]);
    for (int k = 0; k < 3; k++) {
        act(o->v[k]), act(o->d[k]), act(o->u[k]), act(o->w[k]), act(o->wv[k]), act(o->vu[k]), act(o->n[k]);
    }
    for (int i = 0; i < 6; i++)
        act(o->x[i]);
}

static void init(mpz_t x)
{
    mpz_init(x);
}

static void clear(mpz_t x)
{
    mpz_clear(x);
}

void oracle_translation_init(oracle_translation *o)
{
    each(o, init);
    mpq_inits(o->enter, o->leave, o->t, NULL);
}

void oracle_translation_finish(oracle_translation *o)
{
    each(o, clear);
    mpq_clears(o->enter, o->leave, o->t, NULL);
}

static int exponent_of(double x)
{
    int exponent;
    (void)frexp(x, &exponent);
    return x == 0.0 ? 3000 : exponent - 53;
}

// x · 2^-exponent
static void set_number(mpz_t out, double x, int exponent)
{
    if (x == 0.0) {
        mpz_set_ui(out, 0);
        return;
    }
    const int own = exponent_of(x);
    mpz_set_d(out, ldexp(x, -own)); // an integer of 53 bits
    mpz_mul_2exp(out, out, (mp_bitcnt_t)(own - exponent));
}

static void way(mpz_t from[3], mpz_t to[3], mpz_t out[3])
{
    for (int k = 0; k < 3; k++)
        mpz_sub(out[k], to[k], from[k]);
}

static void cross(mpz_t a[3], mpz_t b[3], mpz_t out[3])
{
    for (int k = 0; k < 3; k++) {
        mpz_mul(out[k], a[(k + 1) % 3], b[(k + 2) % 3]);
        mpz_submul(out[k], a[(k + 2) % 3], b[(k + 1) % 3]);
    }
}

static void dot(mpz_t a[3], mpz_t b[3], mpz_t out)
{
    mpz_mul(out, a[0], b[0]);
    mpz_addmul(out, a[1], b[1]);
    mpz_addmul(out, a[2], b[2]);
}

static bool is_zero(mpz_t v[3])
{
    return mpz_sgn(v[0]) == 0 && mpz_sgn(v[1]) == 0 && mpz_sgn(v[2]) == 0;
}

// A cut at time numerator / denominator · 2^exponent, where these corners meet.
static void cut(oracle_translation *o, mpz_t numerator, mpz_t denominator, int a, int b)
{
    mpz_set(mpq_numref(o->t), numerator);
    mpz_set(mpq_denref(o->t), denominator);
    if (mpz_sgn(denominator) < 0) {
        mpz_neg(mpq_numref(o->t), mpq_numref(o->t));
        mpz_neg(mpq_denref(o->t), mpq_denref(o->t));
    }
    if (o->exponent >= 0)
        mpz_mul_2exp(mpq_numref(o->t), mpq_numref(o->t), (mp_bitcnt_t)o->exponent);
    else
        mpz_mul_2exp(mpq_denref(o->t), mpq_denref(o->t), (mp_bitcnt_t)-o->exponent);
    mpq_canonicalize(o->t);
    const int order = o->meets ? mpq_cmp(o->t, o->enter) : -1;
    if (order < 0) {
        mpq_set(o->enter, o->t);
        o->a = o->b = 0;
    }
    if (order <= 0) {
        o->a = (uint8_t)(o->a | a);
        o->b = (uint8_t)(o->b | b);
    }
    if (!o->meets || mpq_cmp(o->t, o->leave) > 0)
        mpq_set(o->leave, o->t);
    o->meets = true;
}

static void cut_point(oracle_translation *o, int i, int j)
{
    way(o->p[i], o->p[3 + j], o->d);
    cross(o->d, o->v, o->n);
    for (int k = 0; k < 3 && is_zero(o->n); k++)
        if (mpz_sgn(o->v[k]) != 0) {
            cut(o, o->d[k], o->v[k], 1 << i, 1 << j);
            return;
        }
}

// The inside of the segment from o->d along o->u: d + s u = t v.
static void cut_segment(oracle_translation *o, int a, int b)
{
    cross(o->u, o->v, o->n);
    dot(o->d, o->n, o->x[0]);
    if (is_zero(o->n) || mpz_sgn(o->x[0]) != 0)
        return;
    cross(o->d, o->v, o->wv);
    cross(o->d, o->u, o->vu);
    for (int k = 0; k < 3; k++) {
        if (mpz_sgn(o->n[k]) == 0)
            continue;
        // s = -(d × v) / (u × v), t = (d × u) / (v × u), in any coordinate in which the divisor is not 0.
        mpz_neg(o->x[0], o->wv[k]);
        mpz_set(o->x[1], o->n[k]);
        if (mpz_sgn(o->x[1]) < 0) {
            mpz_neg(o->x[0], o->x[0]);
            mpz_neg(o->x[1], o->x[1]);
        }
        if (mpz_sgn(o->x[0]) > 0 && mpz_cmp(o->x[0], o->x[1]) < 0) {
            mpz_neg(o->x[1], o->n[k]);
            cut(o, o->vu[k], o->x[1], a, b);
        }
        return;
    }
}

// The inside of the parallelogram or triangle from o->d along o->u and o->w: d + r u + s w = t v.
static void cut_polygon(oracle_translation *o, bool is_triangle, int a, int b)
{
    cross(o->u, o->w, o->n);
    dot(o->n, o->v, o->x[0]); // the determinant
    if (mpz_sgn(o->x[0]) == 0)
        return;
    cross(o->w, o->v, o->wv);
    cross(o->v, o->u, o->vu);
    dot(o->d, o->wv, o->x[1]); // -r · determinant
    dot(o->d, o->vu, o->x[2]); // -s · determinant
    dot(o->d, o->n, o->x[3]);  // t · determinant
    mpz_set(o->x[4], o->x[0]);
    if (mpz_sgn(o->x[0]) > 0) {
        mpz_neg(o->x[1], o->x[1]);
        mpz_neg(o->x[2], o->x[2]);
    } else {
        mpz_neg(o->x[0], o->x[0]);
    }
    if (mpz_sgn(o->x[1]) <= 0 || mpz_sgn(o->x[2]) <= 0)
        return;
    mpz_add(o->x[5], o->x[1], o->x[2]);
    if (is_triangle ? mpz_cmp(o->x[5], o->x[0]) < 0 : mpz_cmp(o->x[1], o->x[0]) < 0 && mpz_cmp(o->x[2], o->x[0]) < 0)
        cut(o, o->x[3], o->x[4], a, b);
}

static int next(int i)
{
    return (i + 1) % 3;
}

static int edge(int i)
{
    return 1 << i | 1 << next(i);
}

static void cut_all(oracle_translation *o)
{
    mpz_t(*a)[3] = o->p, (*b)[3] = o->p + 3;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            cut_point(o, i, j);
            way(a[i], b[j], o->d);
            way(b[j], b[next(j)], o->u);
            cut_segment(o, 1 << i, edge(j));
            way(a[next(i)], a[i], o->u);
            cut_segment(o, edge(i), 1 << j);
            way(b[j], b[next(j)], o->w);
            cut_polygon(o, false, edge(i), edge(j));
        }
    for (int i = 0; i < 3; i++) {
        way(a[i], b[0], o->d);
        way(b[0], b[1], o->u);
        way(b[0], b[2], o->w);
        cut_polygon(o, true, 1 << i, 7);
        way(a[0], b[i], o->d);
        way(a[1], a[0], o->u);
        way(a[2], a[0], o->w);
        cut_polygon(o, true, 7, 1 << i);
    }
}

void oracle_translation_find(oracle_translation *o, const double a[3][3], const double b[3][3],
                             const double parts[3][4])
{
    int exponent = 3000, of_v = 3000;
    for (int i = 0; i < 9; i++) {
        exponent = exponent < exponent_of(a[i / 3][i % 3]) ? exponent : exponent_of(a[i / 3][i % 3]);
        exponent = exponent < exponent_of(b[i / 3][i % 3]) ? exponent : exponent_of(b[i / 3][i % 3]);
    }
    for (int i = 0; i < 12; i++)
        of_v = of_v < exponent_of(parts[i / 4][i % 4]) ? of_v : exponent_of(parts[i / 4][i % 4]);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 3; k++)
            set_number(o->p[i][k], i < 3 ? a[i][k] : b[i - 3][k], exponent);
    for (int k = 0; k < 3; k++) {
        mpz_set_ui(o->v[k], 0);
        for (int i = 0; i < 4; i++) {
            set_number(o->x[0], parts[k][i], of_v);
            mpz_add(o->v[k], o->v[k], o->x[0]);
        }
    }
    o->meets = false;
    o->a = o->b = 0;
    o->of_v = of_v;
    o->exponent = exponent == 3000 ? 0 : exponent - of_v;
    cut_all(o);
}

bool oracle_translation_enters_face(oracle_translation *o, int side)
{
    mpz_t(*c)[3] = o->p + 3 * (side == 0 ? 0 : 1);
    way(c[0], c[1], o->u);
    way(c[0], c[2], o->w);
    cross(o->u, o->w, o->n);
    dot(o->n, o->v, o->x[0]);
    if (mpz_sgn(o->x[0]) == 0)
        return false;
    for (int i = 0; i < 9; i++) { // the least n · (b - a), with n · v above 0
        way(o->p[i / 3], o->p[3 + i % 3], o->d);
        dot(o->n, o->d, o->x[1]);
        if (mpz_sgn(o->x[0]) < 0)
            mpz_neg(o->x[1], o->x[1]);
        if (i == 0 || mpz_cmp(o->x[1], o->x[2]) < 0)
            mpz_set(o->x[2], o->x[1]);
    }
    mpz_abs(o->x[0], o->x[0]);
    mpz_set(mpq_numref(o->t), o->x[2]);
    mpz_set(mpq_denref(o->t), o->x[0]);
    if (o->exponent >= 0)
        mpz_mul_2exp(mpq_numref(o->t), mpq_numref(o->t), (mp_bitcnt_t)o->exponent);
    else
        mpz_mul_2exp(mpq_denref(o->t), mpq_denref(o->t), (mp_bitcnt_t)-o->exponent);
    mpq_canonicalize(o->t);
    return mpq_equal(o->t, o->enter) != 0;
}
