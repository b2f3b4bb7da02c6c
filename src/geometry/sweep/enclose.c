// SPDX-License-Identifier: MIT
// The times at which two triangles meet, enclosed in doubles. Both triangles are projected onto each axis; the
// projections overlap during an interval of times, whose ends are quotients. Each end is enclosed between the smallest
// and the largest quotient that rounding allows. docs/use/move.md ("Error bounds") derives the constants.
#include <math.h>

#include "geometry/sweep/sweep_axes.h"
#include "geometry/vector.h"

// Errors of a projection and of n · v, as multiples of the largest edges, coordinates and v, by the kind of axis.
static const double PLANE = 0x1p-45, PLANE_ALONG = 0x1p-46;   // a product of two edges
static const double ACROSS = 0x1p-47, ACROSS_ALONG = 0x1p-49; // a unit vector × an edge
static const double UNIT = 0x1p-49, UNIT_ALONG = 0x1p-51;     // a unit vector
static const double UNDERFLOW = 0x1p-700;                     // what underflow can do to either
static const double LARGEST = 0x1p100;                        // of coordinates and v: nothing overflows

// The pair, measured from the first corner of A.
typedef struct frame {
    double a[3][3], b[3][3], edges[2][3][3];
    const double *v;
    double size, edge_size[2], v_size;
} frame;

// Enclosures of the interval of one axis, or of the intersection of several. `beyond`: not within (-beyond, beyond).
typedef struct span {
    double enter_low, enter_high, leave_low, leave_high, beyond;
} span;

static inline double larger(double x, double y)
{
    return x > y ? x : y; // fmax() would be a call
}

static inline double smaller(double x, double y)
{
    return x < y ? x : y;
}

static double most(const double v[3])
{
    return larger(larger(fabs(v[0]), fabs(v[1])), fabs(v[2]));
}

// False if it is out of range.
static bool set_frame(const grz_meeting *m, frame *f)
{
    f->v = m->motion->v;
    f->v_size = most(f->v);
    f->size = f->edge_size[0] = f->edge_size[1] = 0.0;
    double largest = f->v_size;
    for (int i = 0; i < 3; i++) {
        const int next = i == 2 ? 0 : i + 1;
        for (int k = 0; k < 3; k++) {
            f->a[i][k] = m->a[i][k] - m->a[0][k];
            f->b[i][k] = m->b[i][k] - m->a[0][k];
            f->edges[0][i][k] = m->a[next][k] - m->a[i][k];
            f->edges[1][i][k] = m->b[next][k] - m->b[i][k];
        }
        f->size = larger(f->size, larger(most(f->a[i]), most(f->b[i])));
        f->edge_size[0] = larger(f->edge_size[0], most(f->edges[0][i]));
        f->edge_size[1] = larger(f->edge_size[1], most(f->edges[1][i]));
        largest = larger(largest, larger(most(m->a[i]), most(m->b[i])));
    }
    return largest <= LARGEST;
}

// The interval of times of an axis on which the projections of b - a are [low, high], and that of v is `along`, all
// with errors.
static span enclose(double low, double high, double along, double error, double along_error)
{
    span out = {-HUGE_VAL, HUGE_VAL, -HUGE_VAL, HUGE_VAL, -1.0};
    if (fabs(along) <= along_error) { // nothing is known but for times near 0
        const double most_along = fabs(along) + along_error, apart = larger(low, -high) - error;
        const double inside = smaller(-low, high) - error;
        if (apart > 0.0)
            out.beyond = apart / most_along;
        if (inside > 0.0) {
            out.enter_high = -inside / most_along;
            out.leave_low = inside / most_along;
        }
        return out;
    }
    if (along < 0.0) {
        const double turned = -low;
        low = -high;
        high = turned;
        along = -along;
    }
    const double least = along - along_error, largest = along + along_error,
                 ends[4] = {low - error, low + error, high - error, high + error};
    out.enter_low = ends[0] / (ends[0] > 0.0 ? largest : least);
    out.enter_high = ends[1] / (ends[1] > 0.0 ? least : largest);
    out.leave_low = ends[2] / (ends[2] > 0.0 ? largest : least);
    out.leave_high = ends[3] / (ends[3] > 0.0 ? least : largest);
    return out;
}

// Project the pair onto n. `is_spatial` becomes true if n and the width along it prove that the differences b - a span
// three dimensions.
static span enclose_axis(const frame *f, const double n[3], double error, double along_error, bool *is_spatial)
{
    double low_a = 0.0, high_a = 0.0, low_b = grz_dot(n, f->b[0]), high_b = low_b; // corner 0 of A is the origin
    for (int i = 1; i < 3; i++) {
        const double of_a = grz_dot(n, f->a[i]), of_b = grz_dot(n, f->b[i]);
        low_a = smaller(low_a, of_a);
        high_a = larger(high_a, of_a);
        low_b = smaller(low_b, of_b);
        high_b = larger(high_b, of_b);
    }
    const double low = low_b - high_a, high = high_b - low_a;
    *is_spatial = *is_spatial || high - low > 2.0 * error;
    return enclose(low, high, grz_dot(n, f->v), error, along_error);
}

// True if each product in u × v has a factor 0, as of edges along one axis: a rounded difference is 0 only if it is.
static bool is_zero_product(const double u[3], const double v[3])
{
    for (int k = 0; k < 3; k++) {
        const int j = k == 2 ? 0 : k + 1;
        if ((u[j] != 0.0 && v[k] != 0.0) || (u[k] != 0.0 && v[j] != 0.0))
            return false;
    }
    return true;
}

static span enclose_product(const frame *f, const double u[3], const double v[3], double size, bool *is_spatial)
{
    double n[3];
    grz_cross(u, v, n);
    if (n[0] == 0.0 && n[1] == 0.0 && n[2] == 0.0 && is_zero_product(u, v)) // no axis: no restriction
        return (span){-HUGE_VAL, -HUGE_VAL, HUGE_VAL, HUGE_VAL, -1.0};
    return enclose_axis(f, n, PLANE * size * f->size + UNDERFLOW, PLANE_ALONG * size * f->v_size + UNDERFLOW,
                        is_spatial);
}

static void enclose_spatial(const frame *f, span spans[GRZ_AXIS_COUNT], bool *is_spatial)
{
    const double *sizes = f->edge_size;
    for (int side = 0; side < 2; side++)
        spans[GRZ_AXIS_NORMAL_A + side] =
            enclose_product(f, f->edges[side][0], f->edges[side][1], sizes[side] * sizes[side], is_spatial);
    for (int i = 0; i < 9; i++)
        spans[GRZ_AXIS_EDGES + i] =
            enclose_product(f, f->edges[0][i / 3], f->edges[1][i % 3], sizes[0] * sizes[1], is_spatial);
}

static void enclose_units(const frame *f, span spans[GRZ_AXIS_COUNT])
{
    bool unused = false;
    for (int k = 0; k < 3; k++) {
        double n[3] = {0.0, 0.0, 0.0};
        n[k] = 1.0;
        spans[GRZ_AXIS_UNIT + k] =
            enclose_axis(f, n, UNIT * f->size + UNDERFLOW, UNIT_ALONG * f->v_size + UNDERFLOW, &unused);
    }
}

static void enclose_across(const frame *f, span spans[GRZ_AXIS_COUNT])
{
    bool unused = false;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 9; i++) {
            const double *edge = f->edges[side][i / 3], size = f->edge_size[side];
            const int k = i % 3, j = (k + 1) % 3, l = (k + 2) % 3;
            double n[3];
            n[k] = 0.0;
            n[j] = -edge[l];
            n[l] = edge[j];
            spans[(side == 0 ? GRZ_AXIS_ACROSS_A : GRZ_AXIS_ACROSS_B) + i] = enclose_axis(
                f, n, ACROSS * size * f->size + UNDERFLOW, ACROSS_ALONG * size * f->v_size + UNDERFLOW, &unused);
        }
}

static void intersect(span *all, const span *one)
{
    all->enter_low = larger(all->enter_low, one->enter_low);
    all->enter_high = larger(all->enter_high, one->enter_high);
    all->leave_low = smaller(all->leave_low, one->leave_low);
    all->leave_high = smaller(all->leave_high, one->leave_high);
    all->beyond = larger(all->beyond, one->beyond);
}

// Before and after: certainly not.
static bool is_never(const span *all)
{
    return all->enter_low > all->leave_high || (all->enter_low > -all->beyond && all->leave_high < all->beyond);
}

// Axes whose interval does not certainly hold all times at which the pair may meet.
static uint32_t open_axes(const span *all, const span spans[GRZ_AXIS_COUNT], int count)
{
    uint32_t open = 0;
    for (int i = 0; i < count; i++)
        if (!(spans[i].enter_high < all->enter_low && spans[i].leave_low > all->leave_high))
            open |= UINT32_C(1) << i;
    return open;
}

static void enclose_pair(grz_meeting *m, const frame *f)
{
    span spans[GRZ_AXIS_COUNT], all = {-HUGE_VAL, -HUGE_VAL, HUGE_VAL, HUGE_VAL, -1.0};
    bool is_spatial = false;
    int count = GRZ_AXIS_ACROSS_A;
    enclose_units(f, spans);
    enclose_spatial(f, spans, &is_spatial);
    if (!is_spatial) {
        enclose_across(f, spans);
        count = GRZ_AXIS_COUNT;
    }
    for (int i = 0; i < count; i++)
        intersect(&all, &spans[i]);
    if (is_never(&all)) {
        m->state = GRZ_MEETING_NEVER;
        return;
    }
    m->is_flat = !is_spatial;
    m->enter_low = all.enter_low;
    m->enter_high = all.enter_high;
    m->leave_low = all.leave_low;
    m->leave_high = all.leave_high;
    m->axes_open = open_axes(&all, spans, count);
    if (all.enter_high <= all.leave_low)
        m->state = GRZ_MEETING_SURE;
}

bool grz_meeting_set(grz_meeting *m, const double a[3][3], const double b[3][3], const grz_translation *motion)
{
    frame f;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            m->a[i][k] = a[i][k];
            m->b[i][k] = b[i][k];
        }
    m->motion = motion;
    m->state = GRZ_MEETING_OPEN;
    m->enter_low = m->leave_low = -HUGE_VAL;
    m->enter_high = m->leave_high = HUGE_VAL;
    m->is_exact = false;
    m->is_flat = true;
    m->axes_open = UINT32_MAX;
    m->always = motion->is_zero;
    if (m->always) { // all times or none
        m->enter_high = -HUGE_VAL;
        m->leave_low = HUGE_VAL;
        m->state = grz_triangles_touch(a, b) ? GRZ_MEETING_SURE : GRZ_MEETING_NEVER;
    } else if (set_frame(m, &f)) {
        enclose_pair(m, &f);
    }
    return m->state != GRZ_MEETING_NEVER;
}
