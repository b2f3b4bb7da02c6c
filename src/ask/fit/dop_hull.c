// SPDX-License-Identifier: MIT
// The hull of a k-DOP. A corner is where three planes meet, if it is beyond none of the others. Normals are small
// integers, so a corner is a sum of three offsets, each times a small integer, over another one: the test against the
// other planes is the sign of a sum of four, in doubles with a bound, or in integers.
#include <graze/fit.h>

#include <math.h>

#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"
#include "geometry/exact/integer.h"

enum {
    MOST_PLANES = 2 * GRZ_FITTED_DOP_MAX,
    MOST_CORNERS = MOST_PLANES * (MOST_PLANES - 1) * (MOST_PLANES - 2) / 6
};

// All points with normal · x <= offset.
typedef struct half_spaces {
    int normals[MOST_PLANES][3];
    double offsets[MOST_PLANES];
    grz_integer exact[MOST_PLANES]; // the offsets, times 2^shift
    int count, shift;
} half_spaces;

// Where three planes meet: the sum of offsets[planes[i]] · parts[i], over base.
typedef struct meeting {
    int planes[3], parts[3][3], base; // base > 0
} meeting;

static grz_status check(const grz_device *device, const grz_fitted_dop *dop, grz_hull **hull, grz_error *error)
{
    if (hull != NULL)
        *hull = NULL;
    if (device == NULL || dop == NULL || hull == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "dop hull: the %s is NULL",
                        device == NULL ? "device"
                        : dop == NULL  ? "k-DOP"
                                       : "hull");
    if (dop->count < 3 || dop->count > GRZ_FITTED_DOP_MAX)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "dop hull: %u directions, must be 3 to %d",
                        dop->count, GRZ_FITTED_DOP_MAX);
    for (uint32_t i = 0; i < dop->count; i++) {
        int32_t sum = 0;
        bool known = true;
        for (uint32_t k = 0; k < 3; k++) {
            const int32_t d = dop->directions[i][k];
            known = known && d >= -1 && d <= 1 && (i >= 3 || d == (i == k));
            sum += d != 0;
        }
        if (!known || sum == 0)
            return grz_fail(error, GRZ_ERROR_ARGUMENT, i,
                            "dop hull: direction %u must be of 0, 1 and -1, the first three x, y and z", i);
        if (!(dop->min[i] <= dop->max[i]) || !isfinite(dop->min[i]) || !isfinite(dop->max[i]))
            return grz_fail(error, GRZ_ERROR_ARGUMENT, i, "dop hull: the interval of direction %u is %g to %g", i,
                            dop->min[i], dop->max[i]);
    }
    return GRZ_OK;
}

static void set_half_spaces(const grz_fitted_dop *dop, half_spaces *s)
{
    const double *values[MOST_PLANES];
    s->count = 2 * (int)dop->count;
    for (int i = 0; i < s->count; i++) {
        for (int k = 0; k < 3; k++)
            s->normals[i][k] = i % 2 == 0 ? dop->directions[i / 2][k] : -dop->directions[i / 2][k];
        s->offsets[i] = i % 2 == 0 ? dop->max[i / 2] : -dop->min[i / 2];
        values[i] = &s->offsets[i];
    }
    s->shift = grz_integer_common_shift(values, s->count, 1);
    for (int i = 0; i < s->count; i++)
        grz_integer_from_double(s->offsets[i], s->shift, &s->exact[i]);
}

static bool do_meet(const half_spaces *s, meeting *m)
{
    m->base = 0;
    for (int i = 0; i < 3; i++) {
        const int *u = s->normals[m->planes[(i + 1) % 3]], *v = s->normals[m->planes[(i + 2) % 3]];
        for (int k = 0; k < 3; k++)
            m->parts[i][k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    }
    for (int k = 0; k < 3; k++)
        m->base += s->normals[m->planes[0]][k] * m->parts[0][k];
    const int sign = m->base < 0 ? -1 : 1;
    for (int i = 0; i < 9; i++)
        m->parts[i / 3][i % 3] *= sign;
    m->base *= sign;
    return m->base != 0;
}

// Add an offset times a small integer to a sum.
static void add_times(const half_spaces *s, int plane, int times, grz_integer *sum)
{
    grz_integer factor, product, before;
    grz_integer_from_double(times, 0, &factor);
    grz_integer_multiply(&s->exact[plane], &factor, &product);
    grz_integer_copy(sum, &before);
    grz_integer_add(&before, &product, 1, sum);
}

// Whether a corner is beyond a plane: the sign of normal · corner - offset, times the base.
static bool is_beyond(const half_spaces *s, const meeting *m, int plane)
{
    double sum = -m->base * s->offsets[plane], size = fabs(sum);
    int times[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            times[i] += s->normals[plane][k] * m->parts[i][k];
        const double part = times[i] * s->offsets[m->planes[i]];
        sum += part;
        size += fabs(part);
    }
    if (fabs(sum) > 0x1p-48 * size) // 32 roundings: each part has one, and the sums have three
        return sum > 0.0;
    grz_integer exact;
    grz_integer_from_double(0.0, 0, &exact);
    add_times(s, plane, -m->base, &exact);
    for (int i = 0; i < 3; i++)
        add_times(s, m->planes[i], times[i], &exact);
    return exact.sign > 0;
}

static bool is_corner(const half_spaces *s, meeting *m)
{
    if (!do_meet(s, m))
        return false;
    for (int i = 0; i < s->count; i++)
        if (is_beyond(s, m, i))
            return false;
    return true;
}

static void round_corner(const half_spaces *s, const meeting *m, double out[3])
{
    grz_integer base, sum;
    grz_integer_from_double(m->base, 0, &base);
    for (int k = 0; k < 3; k++) {
        grz_integer_from_double(0.0, 0, &sum);
        for (int i = 0; i < 3; i++)
            add_times(s, m->planes[i], m->parts[i][k], &sum);
        out[k] = grz_integer_quotient(&sum, &base, -s->shift);
    }
}

static uint32_t find_corners(const half_spaces *s, double (*corners)[3])
{
    uint32_t found = 0;
    for (int a = 0; a < s->count; a++)
        for (int b = a + 1; b < s->count; b++)
            for (int c = b + 1; c < s->count; c++) {
                meeting m = {.planes = {a, b, c}};
                if (is_corner(s, &m))
                    round_corner(s, &m, corners[found++]);
            }
    return found;
}

grz_status grz_fitted_dop_hull(grz_device *device, const grz_fitted_dop *dop, grz_hull **hull, grz_error *error)
{
    grz_status status = check(device, dop, hull, error);
    if (status != GRZ_OK)
        return status;
    grz_call call;
    const grz_allocator *allocator = grz_device_allocator(device);
    status = grz_call_begin(&call, "dop hull", device, NULL, NULL, NULL, error);
    if (status != GRZ_OK)
        return grz_call_end(&call, status);
    double(*corners)[3] = grz_allocate(allocator, MOST_CORNERS, sizeof *corners);
    half_spaces *s = grz_allocate(allocator, 1, sizeof *s);
    if (corners == NULL || s == NULL) {
        status = grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "dop hull: out of memory");
    } else {
        set_half_spaces(dop, s);
        const uint32_t found = find_corners(s, corners);
        status = found > 0 ? grz_hull_of_points(device, corners[0], found, NULL, hull, error)
                           : grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                                      "dop hull: no point is in all intervals of the k-DOP");
    }
    grz_release(allocator, s, 1, sizeof *s);
    grz_release(allocator, corners, MOST_CORNERS, sizeof *corners);
    return grz_call_end(&call, status);
}
