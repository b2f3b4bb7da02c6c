// SPDX-License-Identifier: MIT
// The calls of <graze/fit.h>.
#include "ask/fit/fit_parts.h"
#include "ask/hull/hull.h"
#include "base/call.h"
#include "base/device.h"
#include "base/fail.h"

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
    CYLINDER,
    ELLIPSOID,
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
    case CYLINDER:
        status = grz_fit_cylinder_around(&points, answer) ? GRZ_OK : GRZ_ERROR_MEMORY;
        break;
    case ELLIPSOID:
        grz_fit_ellipsoid_around(&points, answer);
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

static grz_status fit(const char *name, const grz_hull *hull, what shape, uint32_t k, const grz_hull_options *options,
                      void *answer, grz_error *error)
{
    grz_call call;
    grz_status status = check(name, hull, answer, error);
    if (status != GRZ_OK)
        return status;
    status = grz_hull_begin(&call, name, hull->device, options, error);
    if (status == GRZ_OK)
        status = grz_call_explain(&call, find(hull, shape, k, &call.control, answer));
    return grz_call_end(&call, status);
}

grz_status grz_hull_volume(const grz_hull *hull, double *volume, grz_error *error)
{
    return fit("hull volume", hull, VOLUME, 0, NULL, volume, error);
}

grz_status grz_fit_sphere(const grz_hull *hull, const grz_hull_options *options, grz_fitted_shape *sphere,
                          grz_error *error)
{
    grz_sphere_fit found = {.certainty = GRZ_UNDECIDED};
    const grz_status status = fit("fit sphere", hull, SPHERE, 0, options, sphere != NULL ? &found : NULL, error);
    if (status == GRZ_OK && sphere != NULL)
        *sphere =
            (grz_fitted_shape){grz_shape_sphere(found.centre, found.radius), found.ratio, found.least, found.certainty};
    return status;
}

grz_status grz_fit_capsule(const grz_hull *hull, const grz_hull_options *options, grz_fitted_shape *capsule,
                           grz_error *error)
{
    grz_capsule_fit found = {.radius = 0.0};
    const grz_status status = fit("fit capsule", hull, CAPSULE, 0, options, capsule != NULL ? &found : NULL, error);
    if (status == GRZ_OK && capsule != NULL)
        *capsule = (grz_fitted_shape){grz_shape_capsule(found.ends[0], found.ends[1], found.radius), found.ratio, 0.0,
                                      GRZ_UNDECIDED};
    return status;
}

// What has axes and halves: a box, a cylinder or an ellipsoid.
static grz_status fit_axes(const char *name, const grz_hull *hull, what which, const grz_hull_options *options,
                           grz_fitted_shape *shape, grz_error *error)
{
    grz_box_fit found = {.ratio = 0.0};
    grz_pose pose;
    const grz_status status = fit(name, hull, which, 0, options, shape != NULL ? &found : NULL, error);
    if (status != GRZ_OK || shape == NULL)
        return status;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++)
            pose.m[k][i] = found.axes[i][k];
        pose.m[k][3] = found.centre[k];
    }
    *shape = (grz_fitted_shape){grz_shape_box_at(pose, found.half), found.ratio, 0.0, GRZ_UNDECIDED};
    if (which == CYLINDER)
        shape->shape.kind = GRZ_SHAPE_CYLINDER;
    else if (which == ELLIPSOID)
        shape->shape.kind = GRZ_SHAPE_ELLIPSOID;
    return GRZ_OK;
}

grz_status grz_fit_box(const grz_hull *hull, const grz_hull_options *options, grz_fitted_shape *box, grz_error *error)
{
    return fit_axes("fit box", hull, ALIGNED, options, box, error);
}

grz_status grz_fit_oriented_box(const grz_hull *hull, const grz_hull_options *options, grz_fitted_shape *box,
                                grz_error *error)
{
    return fit_axes("fit oriented box", hull, ORIENTED, options, box, error);
}

grz_status grz_fit_cylinder(const grz_hull *hull, const grz_hull_options *options, grz_fitted_shape *cylinder,
                            grz_error *error)
{
    return fit_axes("fit cylinder", hull, CYLINDER, options, cylinder, error);
}

grz_status grz_fit_ellipsoid(const grz_hull *hull, const grz_hull_options *options, grz_fitted_shape *ellipsoid,
                             grz_error *error)
{
    return fit_axes("fit ellipsoid", hull, ELLIPSOID, options, ellipsoid, error);
}

grz_status grz_fit_dop(const grz_hull *hull, uint32_t k, const grz_hull_options *options, grz_fitted_dop *dop,
                       grz_error *error)
{
    if (k != 6 && k != 14 && k != 18 && k != 26)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "fit dop: k is %u, must be 6, 14, 18 or 26", k);
    return fit("fit dop", hull, DOP, k, options, dop, error);
}
