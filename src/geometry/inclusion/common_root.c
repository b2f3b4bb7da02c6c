// SPDX-License-Identifier: MIT
// The common root of a cubic V and a quadratic C, by division: c0²·V = (…)·C + R·t², where R = r0·s + r1·t. A common
// root is a root of R, which is r1 : -r0. So it is rational, or V is a multiple of C.
// Of two quadratics: a root is a vector (s², s·t, t²) at right angles to the coefficients. So the common root of two
// that are no multiples of each other is their cross product, if that has this form.
#include "geometry/inclusion/polynomials.h"

// x·y - z·w
static void difference_of_products(const grz_integer *x, const grz_integer *y, const grz_integer *z,
                                   const grz_integer *w, grz_integer *out)
{
    grz_integer_determinant2(x, z, w, y, out);
}

// The remainder R of c0²·V divided by C.
static void remainder_of(const grz_integer v[4], const grz_integer c[3], grz_integer r[2])
{
    grz_integer next, product, part; // next: c0·v1 - c1·v0
    difference_of_products(&c[0], &v[1], &c[1], &v[0], &next);
    difference_of_products(&c[0], &v[2], &c[2], &v[0], &part);
    difference_of_products(&c[0], &part, &c[1], &next, &r[0]);
    grz_integer_multiply(&c[0], &v[3], &product);
    difference_of_products(&c[0], &product, &c[2], &next, &r[1]);
}

static int longest(const grz_integer *c, int count)
{
    int most = 0;
    for (int i = 0; i < count; i++) {
        const int bits = grz_integer_bits(&c[i]);
        most = bits > most ? bits : most;
    }
    return most;
}

static bool is_in_interval(const grz_integer v[3])
{
    return v[0].sign >= 0 && v[1].sign >= 0 && v[2].sign >= 0;
}

// Exchange s and t in the first `count` coefficients.
static void turn_round(const grz_integer *c, int count, grz_integer *out)
{
    for (int i = 0; i < count; i++)
        grz_integer_copy(&c[count - 1 - i], &out[i]);
}

bool grz_common_root(const grz_cubic *cubic, const grz_quadratic *quadratic, grz_integer v[3], bool *divides)
{
    *divides = false;
    if (quadratic->c[0].sign == 0 && quadratic->c[2].sign != 0) { // the division needs c0
        grz_cubic cubic_back = {.c = {{.sign = 0}}};
        grz_quadratic quadratic_back = {.c = {{.sign = 0}}};
        grz_integer v_back[3];
        turn_round(cubic->c, 4, cubic_back.c);
        turn_round(quadratic->c, 3, quadratic_back.c);
        const bool found = grz_common_root(&cubic_back, &quadratic_back, v_back, divides);
        if (found)
            turn_round(v_back, 3, v);
        return found;
    }
    // R has as many bits as c0²·V and a few more; C is computed at its square.
    const int bits = longest(cubic->c, 4) + 2 * longest(quadratic->c, 3) + 4;
    if (quadratic->c[0].sign == 0 || 2 * bits + longest(quadratic->c, 3) + 4 > 32 * GRZ_MAX_LIMBS)
        return false;
    grz_integer r[2];
    remainder_of(cubic->c, quadratic->c, r);
    *divides = r[0].sign == 0 && r[1].sign == 0;
    if (*divides)
        return false;
    grz_integer_multiply(&r[1], &r[1], &v[0]);
    grz_integer_multiply(&r[0], &r[1], &v[1]);
    grz_integer_multiply(&r[0], &r[0], &v[2]);
    v[1].sign = -v[1].sign;
    return is_in_interval(v) && grz_quadratic_sign(quadratic, v) == 0;
}

bool grz_shared_root(const grz_quadratic *p, const grz_quadratic *q, grz_integer v[3], bool *multiples)
{
    grz_integer_cross(p->c, q->c, v);
    *multiples = v[0].sign == 0 && v[1].sign == 0 && v[2].sign == 0;
    if (*multiples)
        return false;
    if (v[0].sign < 0 || v[2].sign < 0)
        for (int i = 0; i < 3; i++)
            v[i].sign = -v[i].sign;
    if (!is_in_interval(v))
        return false;
    grz_integer middle, ends;
    grz_integer_multiply(&v[1], &v[1], &middle);
    grz_integer_multiply(&v[0], &v[2], &ends);
    return grz_integer_compare(&middle, &ends) == 0;
}

int grz_quadratic_sign(const grz_quadratic *q, const grz_integer v[3])
{
    grz_integer value;
    grz_integer_dot(q->c, v, &value);
    return value.sign;
}
