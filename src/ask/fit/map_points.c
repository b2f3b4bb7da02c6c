// SPDX-License-Identifier: MIT
// Points found on a proxy, taken to the mesh it stands for: along the normal, where the mesh is met, else the nearest.
#include <graze/fit.h>

#include <math.h>

#include "base/fail.h"

static grz_status along(grz_device *device, const grz_object *object, const double point[3], const double normal[3],
                        const grz_pick_options *options, grz_mapped_point *answer, grz_error *error)
{
    const double inwards[3] = {-normal[0], -normal[1], -normal[2]};
    const grz_ray ray = grz_ray_along(point, inwards);
    grz_ray_hit hit;
    const grz_status status = grz_pick(device, grz_targets_of_objects(object, 1), &ray, 1, options, &hit, error);
    if (status != GRZ_OK || hit.face == GRZ_NO_FACE)
        return status;
    *answer = (grz_mapped_point){.along_normal = true,
                                 .face = hit.face,
                                 .feature = hit.feature,
                                 .point = {hit.point[0], hit.point[1], hit.point[2]},
                                 .distance = hit.distance};
    return GRZ_OK;
}

static grz_status nearest(grz_device *device, const grz_object *object, const double point[3],
                          const grz_distance_points_options *options, grz_mapped_point *answer, grz_error *error)
{
    grz_point_distance found;
    const grz_status status = grz_distance_points(device, object, point, 1, options, &found, error);
    if (status != GRZ_OK || found.face == GRZ_NO_FACE)
        return status;
    *answer = (grz_mapped_point){.face = found.face,
                                 .feature = found.feature,
                                 .point = {found.point[0], found.point[1], found.point[2]},
                                 .distance = found.distance};
    return GRZ_OK;
}

grz_status grz_fit_map_points(grz_device *device, const grz_object *object, const double *points, const double *normals,
                              uint64_t count, const grz_hull_options *options, grz_mapped_point *answers,
                              grz_error *error)
{
    grz_pick_options pick = grz_default_pick_options();
    grz_distance_points_options distance = grz_default_distance_points_options();
    grz_status status = GRZ_OK;
    if (device == NULL || object == NULL || (count > 0 && (points == NULL || answers == NULL)))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "map points: a pointer is NULL");
    if (options != NULL)
        pick.limits = distance.limits = options->limits;
    distance.locate = false;
    for (uint64_t i = 0; i < count; i++)
        answers[i] = (grz_mapped_point){.face = GRZ_NO_FACE, .distance = (double)INFINITY};
    for (uint64_t i = 0; i < count && status == GRZ_OK; i++) {
        const double *normal = normals != NULL ? normals + 3 * i : NULL;
        if (normal != NULL && (normal[0] != 0.0 || normal[1] != 0.0 || normal[2] != 0.0))
            status = along(device, object, points + 3 * i, normal, &pick, &answers[i], error);
        if (status == GRZ_OK && !answers[i].along_normal)
            status = nearest(device, object, points + 3 * i, &distance, &answers[i], error);
        if (status != GRZ_OK && error != NULL)
            error->element = i;
    }
    return status;
}
