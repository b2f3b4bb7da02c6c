// SPDX-License-Identifier: MIT
// The transforms of a node, multiplied in the order of the file. Angles are in degrees; a turn by a multiple of 90
// around an axis of the coordinates is exact. docs/use/files.md states the arithmetic.
#include "arithmetic.h"
#include "collada/collada.h"

#include <math.h>
#include <string.h>

enum {
    WORK_A_TRANSFORM = 64
};

#define DEGREES_IN_RADIANS 0.017453292519943295

// Sine and cosine of degrees: exact for multiples of 90, and of 30 where they are halves.
static void turn_of(double degrees, double *sine, double *cosine)
{
    const double rest = fmod(degrees, 360.0), quarters = nearbyint(rest / 90.0);
    const double small = rest - 90.0 * quarters; // exact, from -45 to 45
    double s, c;
    grz_io_sines(small * DEGREES_IN_RADIANS, &s, &c);
    if (fabs(small) >= 30.0 && fabs(small) <= 30.0)
        s = small < 0 ? -0.5 : 0.5;
    switch (((int)quarters + 4) % 4) {
    case 0:
        *sine = s, *cosine = c;
        break;
    case 1:
        *sine = c, *cosine = -s;
        break;
    case 2:
        *sine = -s, *cosine = -c;
        break;
    default:
        *sine = -c, *cosine = s;
        break;
    }
}

static bool read_rotate(collada *c, const xml_element *e, const double n[], scene_matrix *out)
{
    const double x = n[0], y = n[1], z = n[2], xx = x * x, yy = y * y, zz = z * z, square = xx + yy + zz;
    double s, k;
    if (square <= 0 && fmod(n[3], 360.0) <= 0 && fmod(n[3], 360.0) >= 0)
        return true; // no turn, whatever its axis
    if (!(square > 0) || !isfinite(square))
        return grz_io_collada_fail(c, e, "its axis has no finite length above 0");
    turn_of(n[3], &s, &k);
    const double length = sqrt(square), rest = 1 - k;
    const double rows[3][3] = {
        {(xx + k * (yy + zz)) / square, x * y * rest / square - z * s / length, x * z * rest / square + y * s / length},
        {x * y * rest / square + z * s / length, (yy + k * (xx + zz)) / square, y * z * rest / square - x * s / length},
        {x * z * rest / square - y * s / length, y * z * rest / square + x * s / length, (zz + k * (xx + yy)) / square},
    };
    for (int i = 0; i < 3; i++)
        memcpy(out->m[i], rows[i], sizeof rows[i]);
    return true;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static bool normalize(double v[3])
{
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++)
        v[i] /= length;
    return length > 0 && isfinite(length);
}

// At the eye, with -z towards the point looked at, and y on the side of the third vector.
static bool read_look_at(collada *c, const xml_element *e, const double n[], scene_matrix *out)
{
    double back[3] = {n[0] - n[3], n[1] - n[4], n[2] - n[5]}, right[3], up[3];
    bool whole = normalize(back);
    cross(n + 6, back, right);
    whole = whole && normalize(right);
    if (!whole)
        return grz_io_collada_fail(c, e, "eye, point and up vector give no direction");
    cross(back, right, up);
    for (int i = 0; i < 3; i++) {
        out->m[i][0] = right[i];
        out->m[i][1] = up[i];
        out->m[i][2] = back[i];
        out->m[i][3] = n[i];
    }
    return true;
}

static bool read_matrix(collada *c, const xml_element *e, const double n[], scene_matrix *out)
{
    double columns[16];
    for (int i = 0; i < 16; i++)
        columns[4 * (i % 4) + i / 4] = n[i];
    return grz_io_matrix_from_columns(columns, 0.0, out) || grz_io_collada_fail(c, e, "its last row is not 0 0 0 1");
}

static bool read_translate(collada *c, const xml_element *e, const double n[], scene_matrix *out)
{
    (void)c, (void)e;
    for (int i = 0; i < 3; i++)
        out->m[i][3] = n[i];
    return true;
}

static bool read_scale(collada *c, const xml_element *e, const double n[], scene_matrix *out)
{
    static const double nowhere[3] = {0, 0, 0}, still[4] = {0, 0, 0, 1};
    (void)c, (void)e;
    return grz_io_matrix_compose(nowhere, still, n, out);
}

static bool read_skew(collada *c, const xml_element *e, const double n[], scene_matrix *out)
{
    (void)n, (void)out;
    return grz_io_collada_fail(c, e, "a skew is not read");
}

typedef struct transform {
    const char *name;
    uint64_t numbers;
    bool (*read)(collada *c, const xml_element *e, const double n[], scene_matrix *out);
} transform;

static const transform *find(const char *name)
{
    static const transform transforms[] = {{"matrix", 16, read_matrix}, {"translate", 3, read_translate},
                                           {"rotate", 4, read_rotate},  {"scale", 3, read_scale},
                                           {"lookat", 9, read_look_at}, {"skew", 7, read_skew}};
    for (size_t i = 0; i < sizeof transforms / sizeof *transforms; i++)
        if (strcmp(transforms[i].name, name) == 0)
            return &transforms[i];
    return NULL;
}

bool grz_io_collada_local_matrix(collada *c, const xml_element *node, scene_matrix *out)
{
    *out = grz_io_matrix_identity;
    for (const xml_element *e = node->children; e != NULL; e = e->next) {
        const transform *t = find(e->name);
        double numbers[16];
        scene_matrix one = grz_io_matrix_identity;
        if (!grz_io_collada_work(c, e, t != NULL ? WORK_A_TRANSFORM : COLLADA_WORK_A_CHILD))
            return false;
        if (t == NULL)
            continue;
        if (!grz_io_collada_numbers(c, e, numbers, t->numbers) || !t->read(c, e, numbers, &one))
            return false;
        *out = grz_io_matrix_multiply(out, &one);
    }
    return true;
}
