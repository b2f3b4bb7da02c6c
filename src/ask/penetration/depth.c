// SPDX-License-Identifier: MIT
// From the time that frees A to a length: time · |direction|, through its square, so that it is rounded once.
#include "ask/penetration/depth.h"

#include <math.h>

#include "ask/penetration/along.h"
#include "base/call.h"
#include "base/certainty.h"
#include "base/rounding.h"
#include "geometry/distance/nearest.h"
#include "geometry/vector.h"

enum {
    MOST_LIMBS = GRZ_MAX_LIMBS - 40 // of a square: products with the square of a double, its root, fit
};

static const double UNDERFLOW = 0x1p-1072; // more than lengths lose by being subnormal

const grz_penetration_answer grz_penetration_nothing = {
    .depth = HUGE_VAL, .upper = HUGE_VAL, .certainty = GRZ_UNDECIDED, .face_a = GRZ_NO_FACE, .face_b = GRZ_NO_FACE};

grz_status grz_overlapping_find(grz_move_call *call, const grz_object *a, const grz_object *b,
                                grz_overlapping *overlapping)
{
    grz_result *result = NULL;
    *overlapping = (grz_overlapping){.reason = NULL};
    const grz_status status = grz_move_ask(call, a, b, GRZ_FIND_SOLIDS, &result);
    if (status == GRZ_OK) {
        overlapping->solids = grz_result_summary(result)->solids;
        overlapping->reason = grz_result_summary(result)->solids_reason;
    }
    grz_result_destroy(result);
    return status;
}

grz_status grz_overlapping_find_surfaces(grz_move_call *call, const grz_object *a, const grz_object *b,
                                         grz_overlapping *overlapping)
{
    const grz_object *const objects[2] = {a, b};
    grz_status status = GRZ_OK;
    overlapping->clean = true;
    for (int i = 0; i < 2 && status == GRZ_OK && overlapping->clean; i++) {
        grz_posed_surface *surface = &overlapping->surfaces[i];
        status = grz_posed_surface_init(surface, objects[i], call->options.inside_rule, &call->frame.control,
                                        call->frame.error);
        overlapping->clean = status == GRZ_OK && !surface->surface->unclean;
    }
    return grz_call_explain(&call->frame, status);
}

void grz_overlapping_finish(grz_move_call *call, grz_overlapping *overlapping)
{
    for (int i = 0; i < 2; i++)
        grz_posed_surface_finish(grz_control_allocator(&call->frame.control), &overlapping->surfaces[i]);
}

// Too many digits for integers: a length that is certainly not longer, or not shorter.
static grz_root bound_length(const grz_time_rounded *time, const double direction[3])
{
    double most = 0.0, square = 0.0;
    for (int k = 0; k < 3; k++)
        most = fmax(most, fabs(direction[k]));
    for (int k = 0; k < 3; k++)
        square += direction[k] / most * (direction[k] / most);
    const double length = 0.25 * most * sqrt(square), // of the longest directions, only this is a double
        low = 4.0 * time->lower * length * GRZ_LESS(16) - UNDERFLOW,
                 high = 4.0 * time->upper * length * GRZ_MORE(16) + UNDERFLOW;
    return (grz_root){high, fmax(0.0, low), nextafter(high, HUGE_VAL)};
}

// time · |direction|.
static grz_root length_of(const grz_instant *time, const double direction[3])
{
    const double *const point = direction;
    const int shift = grz_integer_common_shift(&point, 1, 3);
    grz_integer d[3], length, numerator;
    grz_time exact = {.exponent = 0};
    grz_square square;
    if (time->at.upper == 0.0 || time->at.upper == HUGE_VAL)
        return (grz_root){time->at.upper, time->at.upper, time->at.upper};
    if (grz_instant_is_double(time)) {
        const double *const number = &time->at.nearest;
        exact.exponent = grz_integer_common_shift(&number, 1, 1);
        grz_integer_from_double(*number, exact.exponent, &exact.numerator);
        exact.exponent = -exact.exponent;
        exact.denominator = (grz_integer){.sign = 1, .count = 1, .limb = {1}};
    } else {
        exact = time->exact;
    }
    for (int k = 0; k < 3; k++)
        grz_integer_from_double(direction[k], shift, &d[k]);
    grz_integer_dot(d, d, &length);
    if (2 * exact.numerator.count + length.count > MOST_LIMBS || 2 * exact.denominator.count > MOST_LIMBS)
        return bound_length(&time->at, direction);
    grz_integer_multiply(&exact.numerator, &exact.numerator, &numerator);
    grz_integer_multiply(&numerator, &length, &square.numerator);
    grz_integer_multiply(&exact.denominator, &exact.denominator, &square.denominator);
    square.shift = shift - exact.exponent;
    return grz_square_root(&square);
}

void grz_unit_round(const grz_integer direction[3], double out[3])
{
    grz_square square = {.shift = 0};
    grz_integer_dot(direction, direction, &square.denominator);
    for (int k = 0; k < 3; k++) {
        grz_integer_multiply(&direction[k], &direction[k], &square.numerator);
        out[k] = direction[k].sign * grz_square_root(&square).nearest + 0.0; // no -0
    }
}

// The direction with length 1, so it is the same for all multiples of a direction.
static void set_unit(const double direction[3], double out[3])
{
    const double *const point = direction;
    const int shift = grz_integer_common_shift(&point, 1, 3);
    grz_integer d[3];
    for (int k = 0; k < 3; k++)
        grz_integer_from_double(direction[k], shift, &d[k]);
    grz_unit_round(d, out);
}

// A direction of about the length 1, if that loses no digit: times along a very short one would be beyond the doubles,
// and times along a very long one too small for them.
static void scale_way(const double direction[3], double out[3])
{
    int exponent;
    frexp(fmax(fabs(direction[0]), fmax(fabs(direction[1]), fabs(direction[2]))), &exponent);
    bool same = true;
    for (int k = 0; k < 3; k++) {
        out[k] = ldexp(direction[k], 1 - exponent);
        same = same && ldexp(out[k], exponent - 1) == direction[k];
    }
    for (int k = 0; k < 3 && !same; k++)
        out[k] = direction[k];
}

static uint32_t face_of(const grz_object *object, uint32_t triangle)
{
    return triangle == UINT32_MAX ? GRZ_NO_FACE : grz_mesh_triangle_face(object->mesh, triangle);
}

static void fill_in(const grz_free_time *free_time, const grz_path *path, const double direction[3],
                    grz_penetration_answer *answer)
{
    const bool exact = grz_instants_compare(&free_time->lower, &free_time->upper) == 0;
    const grz_root lower = length_of(&free_time->lower, direction),
                   upper = exact ? lower : length_of(&free_time->upper, direction);
    answer->lower = lower.lower;
    answer->upper = upper.upper;
    answer->certainty =
        exact ? grz_certainty_of_bounds(lower.lower, upper.upper) : grz_certainty_of_estimate(lower.lower, upper.upper);
    answer->depth = answer->certainty == GRZ_EXACT ? lower.nearest : upper.upper;
    answer->face_a = face_of(path->a, free_time->a);
    answer->face_b = face_of(path->b, free_time->b);
    set_unit(direction, answer->direction);
    if (exact && answer->certainty == GRZ_ENCLOSED)
        answer->reason = "the exact depth has more digits than the integers that it is rounded from";
    if (!exact)
        answer->reason = "the surfaces lie flush on each other, and numbers of the integers' length do not let it be "
                         "decided when they part";
}

grz_status grz_depth_along(grz_move_call *call, const grz_object *a, const grz_object *b, const grz_overlapping *start,
                           const double direction[3], double limit, grz_penetration_answer *answer, uint32_t parting[2])
{
    grz_path path;
    grz_free_time free_time;
    parting[0] = parting[1] = UINT32_MAX;
    if (start->solids == GRZ_SOLIDS_UNDECIDABLE) {
        answer->reason = start->reason;
        return GRZ_OK;
    }
    answer->certainty = GRZ_EXACT;
    if (!grz_solids_overlap(start->solids)) {
        answer->depth = answer->upper = 0.0;
        return GRZ_OK;
    }
    answer->penetrating = true;
    double way[3];
    scale_way(direction, way);
    const double end = limit / sqrt(grz_dot(way, way)) * GRZ_MORE(8192);
    grz_path_along(&path, a, way, end > 0.0 ? end : HUGE_VAL, b);
    const grz_status status = grz_free_time_find(call, &path, start->surfaces, start->clean, &free_time);
    if (status != GRZ_OK)
        return status;
    fill_in(&free_time, &path, way, answer);
    parting[0] = free_time.a;
    parting[1] = free_time.b;
    return GRZ_OK;
}
