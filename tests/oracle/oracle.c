// SPDX-License-Identifier: MIT
// The clipping oracle. Coordinates are scaled by a power of two per axis, which changes no answer, and moved so that a
// corner of b is the origin: integers. Triangle a, a convex polygon, is then clipped by the plane of b and by the three
// planes through b's edges along its normal (Sutherland and Hodgman, Reentrant Polygon Clipping, CACM 17, 1974), in
// homogeneous integers of any length, so that what is left is the intersection itself. A degenerate b is clipped by
// planes that meet in its line or its point.
#include "oracle.h"

#include <math.h>
#include <stdlib.h>

typedef struct vector {
    mpz_t x[3];
} vector;

// A point x/w with w > 0, or a plane x·p + w = 0 whose normal points to the side that stays.
typedef struct quad {
    mpz_t x[3], w;
} quad;

typedef struct triangle {
    vector corner[3];
    vector normal;
    quad edge[3]; // through edge i and along the normal, pointing inside; only of a triangle of rank 2
    int rank;     // 0: a point, 1: a segment, 2: a triangle
    int end[2];   // of a segment: the corners farthest apart
} triangle;

enum {
    // Three corners, and at most two new points from each of six clips.
    POOL_SIZE = 16,
    // A triangle clipped by a triangle has six corners; one more half-plane could add one.
    POLYGON_SIZE = 8
};

struct oracle {
    triangle t[2];
    int exponent[3]; // coordinates are integers · 2^exponent, by axis
    vector origin;   // what was subtracted, in those units
    quad pool[POOL_SIZE];
    int pool_used;
    quad *polygon[POLYGON_SIZE];
    int size;
    mpz_t side[POLYGON_SIZE];
    quad plane;
    vector direction, other, third;
    mpz_t s, t2;
    mpq_t q;
};

// --- storage

static void vector_init(vector *v)
{
    for (int k = 0; k < 3; k++)
        mpz_init2(v->x[k], 256);
}

static void vector_clear(vector *v)
{
    for (int k = 0; k < 3; k++)
        mpz_clear(v->x[k]);
}

static void quad_init(quad *q)
{
    for (int k = 0; k < 3; k++)
        mpz_init2(q->x[k], 512);
    mpz_init2(q->w, 512);
}

static void quad_clear(quad *q)
{
    for (int k = 0; k < 3; k++)
        mpz_clear(q->x[k]);
    mpz_clear(q->w);
}

// Apply to everything in the oracle that GMP owns.
static void for_all(oracle *o, void (*vectors)(vector *), void (*quads)(quad *))
{
    for (int n = 0; n < 2; n++) {
        for (int i = 0; i < 3; i++) {
            vectors(&o->t[n].corner[i]);
            quads(&o->t[n].edge[i]);
        }
        vectors(&o->t[n].normal);
    }
    vectors(&o->origin);
    vectors(&o->direction);
    vectors(&o->other);
    vectors(&o->third);
    quads(&o->plane);
    for (int i = 0; i < POOL_SIZE; i++)
        quads(&o->pool[i]);
}

oracle *oracle_create(void)
{
    oracle *o = calloc(1, sizeof *o);
    if (!o)
        return NULL;
    for_all(o, vector_init, quad_init);
    for (int i = 0; i < POLYGON_SIZE; i++)
        mpz_init2(o->side[i], 512);
    mpz_inits(o->s, o->t2, NULL);
    mpq_init(o->q);
    return o;
}

void oracle_destroy(oracle *o)
{
    if (!o)
        return;
    for_all(o, vector_clear, quad_clear);
    for (int i = 0; i < POLYGON_SIZE; i++)
        mpz_clear(o->side[i]);
    mpz_clears(o->s, o->t2, NULL);
    mpq_clear(o->q);
    free(o);
}

// --- doubles to integers

// The exponent of the lowest bit that is set, or `otherwise` of zero.
static int lowest_bit(double value, int otherwise)
{
    if (value == 0)
        return otherwise;
    int exponent;
    uint64_t digits = (uint64_t)fabs(ldexp(frexp(value, &exponent), 53));
    exponent -= 53;
    for (; !(digits & 1); digits >>= 1)
        exponent++;
    return exponent;
}

// out = value / 2^exponent, which must be an integer.
static void to_integer(mpz_t out, double value, int exponent)
{
    int own;
    mpz_set_d(out, ldexp(frexp(value, &own), 53));
    own -= 53 + exponent;
    if (own >= 0)
        mpz_mul_2exp(out, out, (mp_bitcnt_t)own);
    else
        mpz_tdiv_q_2exp(out, out, (mp_bitcnt_t)-own);
}

static int min_int(int a, int b)
{
    return a < b ? a : b;
}

static void load(oracle *o, const double a[3][3], const double b[3][3])
{
    for (int k = 0; k < 3; k++) {
        int e = 1100;
        for (int i = 0; i < 3; i++)
            e = min_int(e, min_int(lowest_bit(a[i][k], 1100), lowest_bit(b[i][k], 1100)));
        o->exponent[k] = e = e == 1100 ? 0 : e;
        to_integer(o->origin.x[k], b[0][k], e);
        for (int i = 0; i < 3; i++) {
            to_integer(o->t[0].corner[i].x[k], a[i][k], e);
            mpz_sub(o->t[0].corner[i].x[k], o->t[0].corner[i].x[k], o->origin.x[k]);
            to_integer(o->t[1].corner[i].x[k], b[i][k], e);
            mpz_sub(o->t[1].corner[i].x[k], o->t[1].corner[i].x[k], o->origin.x[k]);
        }
    }
}

// --- vectors

static void subtract(vector *out, const vector *a, const vector *b)
{
    for (int k = 0; k < 3; k++)
        mpz_sub(out->x[k], a->x[k], b->x[k]);
}

static void cross(vector *out, const vector *a, const vector *b)
{
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        mpz_mul(out->x[k], a->x[i], b->x[j]);
        mpz_submul(out->x[k], a->x[j], b->x[i]);
    }
}

static void dot(mpz_t out, const vector *a, const vector *b)
{
    mpz_mul(out, a->x[0], b->x[0]);
    mpz_addmul(out, a->x[1], b->x[1]);
    mpz_addmul(out, a->x[2], b->x[2]);
}

static bool is_zero(const vector *a)
{
    return mpz_sgn(a->x[0]) == 0 && mpz_sgn(a->x[1]) == 0 && mpz_sgn(a->x[2]) == 0;
}

// The plane through p with this normal.
static void set_plane(quad *plane, const vector *normal, const vector *p)
{
    for (int k = 0; k < 3; k++)
        mpz_set(plane->x[k], normal->x[k]);
    dot(plane->w, normal, p);
    mpz_neg(plane->w, plane->w);
}

// On which side a point is, scaled by its w.
static void side_of(mpz_t out, const quad *plane, const quad *p)
{
    mpz_mul(out, plane->x[0], p->x[0]);
    mpz_addmul(out, plane->x[1], p->x[1]);
    mpz_addmul(out, plane->x[2], p->x[2]);
    mpz_addmul(out, plane->w, p->w);
}

// Normal, rank, and the ends of what is a segment.
static void classify(oracle *o, triangle *t)
{
    subtract(&o->direction, &t->corner[1], &t->corner[0]);
    subtract(&o->other, &t->corner[2], &t->corner[0]);
    cross(&t->normal, &o->direction, &o->other);
    t->rank = 2;
    if (!is_zero(&t->normal))
        return;
    t->rank = is_zero(&o->direction) && is_zero(&o->other) ? 0 : 1;
    for (int k = 0; t->rank == 1 && k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        subtract(&o->direction, &t->corner[i], &t->corner[k]);
        subtract(&o->other, &t->corner[j], &t->corner[k]);
        dot(o->s, &o->direction, &o->other);
        if (mpz_sgn(o->s) <= 0) { // corner k lies between the two others
            t->end[0] = i;
            t->end[1] = j;
            return;
        }
    }
}

static void set_edge_planes(oracle *o, triangle *t)
{
    for (int i = 0; i < 3; i++) {
        subtract(&o->direction, &t->corner[(i + 1) % 3], &t->corner[i]);
        cross(&o->other, &t->normal, &o->direction);
        set_plane(&t->edge[i], &o->other, &t->corner[i]);
    }
}

// --- clipping

static void start_polygon(oracle *o, const triangle *t)
{
    o->size = t->rank + 1;
    o->pool_used = o->size;
    for (int i = 0; i < o->size; i++) {
        const vector *corner = &t->corner[t->rank == 1 ? t->end[i] : i];
        for (int k = 0; k < 3; k++)
            mpz_set(o->pool[i].x[k], corner->x[k]);
        mpz_set_ui(o->pool[i].w, 1);
        o->polygon[i] = &o->pool[i];
    }
}

// Where the edge from p to q, with sides of opposite signs, meets the plane.
static quad *cut(oracle *o, const quad *p, const quad *q, const mpz_t side_p, const mpz_t side_q)
{
    if (o->pool_used == POOL_SIZE)
        abort(); // more new points than six clips of a convex polygon can make
    quad *x = &o->pool[o->pool_used++];
    if (mpz_sgn(side_p) < 0) {
        const quad *swap = p;
        p = q;
        q = swap;
        mpz_set(o->s, side_q);
        mpz_neg(o->t2, side_p);
    } else {
        mpz_set(o->s, side_p);
        mpz_neg(o->t2, side_q);
    }
    for (int k = 0; k < 3; k++) {
        mpz_mul(x->x[k], q->x[k], o->s);
        mpz_addmul(x->x[k], p->x[k], o->t2);
    }
    mpz_mul(x->w, q->w, o->s);
    mpz_addmul(x->w, p->w, o->t2);
    return x;
}

// Keep what lies in the plane, and what lies on its positive side unless `only_zero`.
static void clip(oracle *o, const quad *plane, bool only_zero)
{
    quad *kept[POLYGON_SIZE] = {NULL};
    int count = 0;
    for (int i = 0; i < o->size; i++)
        side_of(o->side[i], plane, o->polygon[i]);
    for (int i = 0; i < o->size; i++) {
        int j = (i + 1) % o->size;
        int here = mpz_sgn(o->side[i]), next = mpz_sgn(o->side[j]);
        if (here == 0 || (here > 0 && !only_zero))
            kept[count++] = o->polygon[i];
        if (here * next < 0 && !(o->size == 2 && i == 1)) // a segment has one edge, not two
            kept[count++] = cut(o, o->polygon[i], o->polygon[j], o->side[i], o->side[j]);
    }
    o->size = count;
    for (int i = 0; i < count; i++)
        o->polygon[i] = kept[i];
}

static void clip_by_triangle(oracle *o, triangle *t)
{
    set_plane(&o->plane, &t->normal, &t->corner[0]);
    clip(o, &o->plane, true);
    if (o->size == 0)
        return;
    set_edge_planes(o, t);
    for (int i = 0; i < 3; i++)
        clip(o, &t->edge[i], false);
}

// The line of a segment is where the three planes through it along the axes meet; two planes across it end it.
static void clip_by_segment(oracle *o, const triangle *t)
{
    const vector *p = &t->corner[t->end[0]], *q = &t->corner[t->end[1]];
    subtract(&o->direction, q, p);
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 3; k++)
            mpz_set_si(o->other.x[k], k == axis);
        cross(&o->third, &o->direction, &o->other);
        set_plane(&o->plane, &o->third, p);
        clip(o, &o->plane, true);
    }
    set_plane(&o->plane, &o->direction, p);
    clip(o, &o->plane, false);
    for (int k = 0; k < 3; k++)
        mpz_neg(o->direction.x[k], o->direction.x[k]);
    set_plane(&o->plane, &o->direction, q);
    clip(o, &o->plane, false);
}

static void clip_by_point(oracle *o, const triangle *t)
{
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 3; k++)
            mpz_set_si(o->other.x[k], k == axis);
        set_plane(&o->plane, &o->other, &t->corner[0]);
        clip(o, &o->plane, true);
    }
}

// --- features that contain a point

static bool at_corner(oracle *o, const vector *corner, const quad *p)
{
    for (int k = 0; k < 3; k++) {
        mpz_mul(o->s, corner->x[k], p->w);
        if (mpz_cmp(o->s, p->x[k]) != 0)
            return false;
    }
    return true;
}

static bool on_segment(oracle *o, const vector *from, const vector *to, const quad *p)
{
    subtract(&o->direction, to, from);
    for (int k = 0; k < 3; k++) { // p − from, times w
        mpz_set(o->other.x[k], p->x[k]);
        mpz_submul(o->other.x[k], from->x[k], p->w);
    }
    cross(&o->third, &o->direction, &o->other);
    if (!is_zero(&o->third))
        return false;
    if (is_zero(&o->direction))
        return is_zero(&o->other);
    dot(o->s, &o->direction, &o->other);
    if (mpz_sgn(o->s) < 0)
        return false;
    dot(o->t2, &o->direction, &o->direction);
    mpz_mul(o->t2, o->t2, p->w);
    return mpz_cmp(o->s, o->t2) <= 0;
}

bool oracle_holds(oracle *o, int triangle_index, int feature, uint32_t point)
{
    const triangle *t = &o->t[triangle_index];
    const quad *p = o->polygon[point];
    if (feature < GRZ_EDGE_0)
        return at_corner(o, &t->corner[feature], p);
    if (feature < GRZ_FACE)
        return on_segment(o, &t->corner[feature - GRZ_EDGE_0], &t->corner[(feature - GRZ_EDGE_0 + 1) % 3], p);
    return feature == GRZ_FACE; // every point of the intersection is in both triangles
}

// The smallest feature of t that contains p, a point of t. `inside[i]` is set if p is not on the line of edge i.
static uint8_t smallest_feature(oracle *o, const triangle *t, const quad *p, bool inside[3])
{
    bool on[3];
    for (int i = 0; i < 3; i++) {
        if (t->rank == 2) {
            side_of(o->s, &t->edge[i], p);
            on[i] = mpz_sgn(o->s) == 0;
            inside[i] = inside[i] || !on[i];
        } else if (at_corner(o, &t->corner[i], p)) {
            return (uint8_t)i;
        } else {
            on[i] = on_segment(o, &t->corner[i], &t->corner[(i + 1) % 3], p);
        }
    }
    if (t->rank == 2)
        for (int i = 0; i < 3; i++)
            if (on[i] && on[(i + 2) % 3])
                return (uint8_t)i;
    for (int i = 0; i < 3; i++)
        if (on[i])
            return (uint8_t)(GRZ_EDGE_0 + i);
    return GRZ_FACE;
}

void oracle_intersect(oracle *o, const double a[3][3], const double b[3][3], oracle_answer *answer)
{
    *answer = (oracle_answer){.kind = GRZ_TOUCHING};
    load(o, a, b);
    for (int n = 0; n < 2; n++) {
        classify(o, &o->t[n]);
        answer->degenerate[n] = o->t[n].rank < 2;
    }
    start_polygon(o, &o->t[0]);
    if (o->t[1].rank == 2)
        clip_by_triangle(o, &o->t[1]);
    else if (o->t[1].rank == 1)
        clip_by_segment(o, &o->t[1]);
    else
        clip_by_point(o, &o->t[1]);
    answer->points = (uint32_t)o->size;
    if (o->size == 0)
        return;
    if (o->t[0].rank == 2)
        set_edge_planes(o, &o->t[0]);
    bool inside[2][3] = {{false, false, false}, {false, false, false}};
    for (int i = 0; i < o->size; i++) {
        answer->nodes[i].a = smallest_feature(o, &o->t[0], o->polygon[i], inside[0]);
        answer->nodes[i].b = smallest_feature(o, &o->t[1], o->polygon[i], inside[1]);
    }
    // The relative interiors meet if the middle of the intersection is on no edge of either triangle. If the
    // intersection has area, both triangles lie in one plane; if it is a segment whose middle is inside both, they
    // cross.
    bool middle_inside = true;
    for (int i = 0; i < 3; i++)
        middle_inside = middle_inside && inside[0][i] && inside[1][i];
    if (o->size >= 3)
        answer->kind = GRZ_COPLANAR;
    else if (o->t[0].rank == 2 && o->t[1].rank == 2 && o->size == 2 && middle_inside)
        answer->kind = GRZ_CROSSING;
}

// --- positions

double oracle_distance(oracle *o, uint32_t point, int axis, double position, int unit_exponent)
{
    const quad *p = o->polygon[point];
    int exponent = min_int(o->exponent[axis], lowest_bit(position, 1100));
    mpz_mul(o->s, o->origin.x[axis], p->w);
    mpz_add(o->s, o->s, p->x[axis]);
    mpz_mul_2exp(o->s, o->s, (mp_bitcnt_t)(o->exponent[axis] - exponent));
    to_integer(o->t2, position, exponent);
    mpz_submul(o->s, o->t2, p->w);
    if (mpz_sgn(o->s) == 0)
        return 0;
    long error_exponent, weight_exponent;
    double error = mpz_get_d_2exp(&error_exponent, o->s);
    double weight = mpz_get_d_2exp(&weight_exponent, p->w);
    long scale = error_exponent - weight_exponent + exponent - unit_exponent;
    return ldexp(fabs(error / weight), scale > 4000 ? 4000 : scale < -4000 ? -4000 : (int)scale);
}

void oracle_point(oracle *o, uint32_t point, mpq_t coordinates[3])
{
    const quad *p = o->polygon[point];
    for (int k = 0; k < 3; k++) {
        mpz_mul(o->s, o->origin.x[k], p->w);
        mpz_add(mpq_numref(coordinates[k]), o->s, p->x[k]);
        mpz_set(mpq_denref(coordinates[k]), p->w);
        mpq_canonicalize(coordinates[k]);
        if (o->exponent[k] >= 0)
            mpq_mul_2exp(coordinates[k], coordinates[k], (mp_bitcnt_t)o->exponent[k]);
        else
            mpq_div_2exp(coordinates[k], coordinates[k], (mp_bitcnt_t)-o->exponent[k]);
    }
}

// --- signs of determinants

// v[i] = p[i] − p[0] for i > 0, on scaled axes: a positive factor per axis changes no sign.
static void load_differences(vector *v[4], const double *const p[4], int count, int dimension)
{
    for (int k = 0; k < dimension; k++) {
        int e = 1100;
        for (int i = 0; i < count; i++)
            e = min_int(e, lowest_bit(p[i][k], 1100));
        for (int i = 0; i < count; i++) {
            to_integer(v[i]->x[k], p[i][k], e == 1100 ? 0 : e);
            if (i > 0)
                mpz_sub(v[i]->x[k], v[i]->x[k], v[0]->x[k]);
        }
    }
}

int oracle_orient2d(oracle *o, const double a[2], const double b[2], const double c[2])
{
    vector *v[4] = {&o->origin, &o->direction, &o->other, NULL};
    const double *p[4] = {a, b, c, NULL};
    load_differences(v, p, 3, 2);
    mpz_mul(o->s, v[1]->x[0], v[2]->x[1]);
    mpz_submul(o->s, v[1]->x[1], v[2]->x[0]);
    return mpz_sgn(o->s);
}

int oracle_orient3d(oracle *o, const double a[3], const double b[3], const double c[3], const double d[3])
{
    vector *v[4] = {&o->origin, &o->direction, &o->other, &o->third};
    const double *p[4] = {a, b, c, d};
    load_differences(v, p, 4, 3);
    cross(&o->t[0].normal, v[1], v[2]);
    dot(o->s, &o->t[0].normal, v[3]);
    return mpz_sgn(o->s);
}
