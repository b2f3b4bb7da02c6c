// SPDX-License-Identifier: MIT
// The calls of <graze/fit.h>.
#include "ask/fit/parts.h"
#include "ask/hull/hull.h"
#include "base/device.h"
#include "base/fail.h"
#include "base/fp_guard.h"

static grz_status check(const char *call, const grz_hull *hull, const void *answer, grz_error *error)
{
    if (hull != NULL && answer != NULL)
        return GRZ_OK;
    return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "%s: the %s is NULL", call,
                    hull == NULL ? "hull" : "answer");
}

typedef enum what {
    SPHERE,
    CAPSULE,
    ALIGNED,
    ORIENTED,
    DOP,
    VOLUME
} what;

static grz_status find(const grz_hull *hull, what shape, uint32_t k, grz_control *control, void *answer)
{
    grz_fit_points points;
    grz_status status = GRZ_OK;
    if (!grz_fit_points_init(&hull->shape, control, &points))
        return GRZ_ERROR_MEMORY;
    switch (shape) {
    case SPHERE:
        grz_fit_sphere_around(&points, answer);
        break;
    case CAPSULE:
        status = grz_fit_capsule_around(&points, answer) ? GRZ_OK : GRZ_ERROR_MEMORY;
        break;
    case ALIGNED:
    case ORIENTED:
        grz_fit_box_around(&points, shape == ORIENTED, answer);
        break;
    case DOP:
        status = grz_fit_dop_around(&points, k, answer);
        break;
    case VOLUME:
        *(double *)answer = ldexp(points.volume, -3 * points.shift);
        break;
    }
    grz_fit_points_finish(&points);
    if (status == GRZ_OK && grz_control_expired(control))
        status = grz_control_status(control);
    return status;
}

static grz_status fit(const char *call, const grz_hull *hull, what shape, uint32_t k, const grz_hull_options *options,
                      void *answer, grz_error *error)
{
    grz_control control;
    grz_status status = check(call, hull, answer, error);
    if (status == GRZ_OK)
        status = grz_hull_begin(call, options, grz_device_allocator(hull->device), &control, error);
    if (status != GRZ_OK)
        return status;
    const grz_fp_state state = grz_fp_enter();
    status = find(hull, shape, k, &control, answer);
    grz_fp_leave(state);
    return status == GRZ_OK ? GRZ_OK : grz_control_explain(&control, status, call, error);
}

grz_status grz_hull_volume(const grz_hull *hull, double *volume, grz_error *error)
{
    return fit("hull volume", hull, VOLUME, 0, NULL, volume, error);
}

grz_status grz_fit_sphere(const grz_hull *hull, const grz_hull_options *options, grz_fitted_sphere *sphere,
                          grz_error *error)
{
    return fit("fit sphere", hull, SPHERE, 0, options, sphere, error);
}

grz_status grz_fit_capsule(const grz_hull *hull, const grz_hull_options *options, grz_fitted_capsule *capsule,
                           grz_error *error)
{
    return fit("fit capsule", hull, CAPSULE, 0, options, capsule, error);
}

grz_status grz_fit_box(const grz_hull *hull, const grz_hull_options *options, grz_fitted_box *box, grz_error *error)
{
    return fit("fit box", hull, ALIGNED, 0, options, box, error);
}

grz_status grz_fit_oriented_box(const grz_hull *hull, const grz_hull_options *options, grz_fitted_box *box,
                                grz_error *error)
{
    return fit("fit oriented box", hull, ORIENTED, 0, options, box, error);
}

grz_status grz_fit_dop(const grz_hull *hull, uint32_t k, const grz_hull_options *options, grz_fitted_dop *dop,
                       grz_error *error)
{
    if (k != 6 && k != 14 && k != 18 && k != 26)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "fit dop: k is %u, must be 6, 14, 18 or 26", k);
    return fit("fit dop", hull, DOP, k, options, dop, error);
}
