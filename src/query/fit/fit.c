// SPDX-License-Identifier: MIT
// The calls of <graze/fit.h>.
#include "base/device.h"
#include "base/fail.h"
#include "base/fp_guard.h"
#include "query/fit/parts.h"
#include "query/hull/hull.h"

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

static grz_status find(const grz_hull *hull, what shape, uint32_t k, void *answer)
{
    const grz_allocator *allocator = grz_device_allocator(hull->device);
    grz_control control; // without limits
    grz_fit_points points;
    grz_status status = GRZ_OK;
    grz_control_init(&control, allocator, 0.0);
    if (!grz_fit_points_init(&hull->shape, allocator, &points))
        return GRZ_ERROR_MEMORY;
    switch (shape) {
    case SPHERE:
        grz_fit_sphere_around(&points, answer);
        break;
    case CAPSULE:
        status = grz_fit_capsule_around(&points, allocator, answer) ? GRZ_OK : GRZ_ERROR_MEMORY;
        break;
    case ALIGNED:
    case ORIENTED:
        grz_fit_box_around(&points, shape == ORIENTED, answer);
        break;
    case DOP:
        status = grz_fit_dop_around(&points, k, &control, answer);
        break;
    case VOLUME:
        *(double *)answer = ldexp(points.volume, -3 * points.shift);
        break;
    }
    grz_fit_points_finish(allocator, &points);
    return status;
}

static grz_status fit(const char *call, const grz_hull *hull, what shape, uint32_t k, void *answer, grz_error *error)
{
    grz_status status = check(call, hull, answer, error);
    if (status != GRZ_OK)
        return status;
    const grz_fp_state state = grz_fp_enter();
    status = find(hull, shape, k, answer);
    grz_fp_leave(state);
    if (status != GRZ_OK)
        return grz_fail(error, status, GRZ_NO_ELEMENT, "%s: out of memory for %u vertices", call,
                        hull->shape.vertex_count);
    return GRZ_OK;
}

grz_status grz_hull_volume(const grz_hull *hull, double *volume, grz_error *error)
{
    return fit("hull volume", hull, VOLUME, 0, volume, error);
}

grz_status grz_fit_sphere(const grz_hull *hull, grz_fitted_sphere *sphere, grz_error *error)
{
    return fit("fit sphere", hull, SPHERE, 0, sphere, error);
}

grz_status grz_fit_capsule(const grz_hull *hull, grz_fitted_capsule *capsule, grz_error *error)
{
    return fit("fit capsule", hull, CAPSULE, 0, capsule, error);
}

grz_status grz_fit_box(const grz_hull *hull, grz_fitted_box *box, grz_error *error)
{
    return fit("fit box", hull, ALIGNED, 0, box, error);
}

grz_status grz_fit_oriented_box(const grz_hull *hull, grz_fitted_box *box, grz_error *error)
{
    return fit("fit oriented box", hull, ORIENTED, 0, box, error);
}

grz_status grz_fit_dop(const grz_hull *hull, uint32_t k, grz_fitted_dop *dop, grz_error *error)
{
    if (k != 6 && k != 14 && k != 18 && k != 26)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "fit dop: k is %u, must be 6, 14, 18 or 26", k);
    return fit("fit dop", hull, DOP, k, dop, error);
}
