// SPDX-License-Identifier: MIT
// Laws of fitted shapes: each holds the vertices it was fitted around, and so may stand for the mesh in a first test.
#include <stdlib.h>

#include "ask.h"

#include <graze/fit.h>

enum {
    FITS = 6
};

static const char *const names[FITS] = {"sphere", "capsule", "box", "oriented box", "cylinder", "ellipsoid"};

static void check_fit(agree_run *run, const char *name, const grz_shape *shape, const double *world, uint64_t count)
{
    const agree_situation *s = run->now;
    grz_shape_options options = grz_default_shape_options();
    grz_error error = {.message = ""};
    options.depth = false;
    for (uint64_t v = 0; v < count; v++) {
        const grz_shape point = grz_shape_point(world + 3 * v);
        grz_shape_answer answer;
        agree_call(run, grz_shapes_compare(run->device, shape, &point, &options, &answer, &error), &error,
                   "grz_shapes_compare");
        agree_law_holds(run, AGREE_LAW_FIT_HOLDS, answer.relation != GRZ_SHAPES_APART, "%s: vertex %llu is %g outside",
                        name, (unsigned long long)v, answer.distance);
    }
    grz_shape_object_answer other;
    agree_call(run, grz_shape_compare_object(run->device, shape, &run->objects[1], &options, &other, &error), &error,
               "grz_shape_compare_object");
    if (other.relation != GRZ_SHAPES_APART || s->bodies[1].mesh.face_count == 0)
        return;
    const grz_distance_answer distance = agree_distance(run, &run->objects[0], &run->objects[1], NULL);
    agree_law_holds(run, AGREE_LAW_FIT_SCREENS, !distance.touching && distance.upper >= other.lower * (1.0 - 1e-12),
                    "%s is %g from B, A is %g from it", name, other.lower, distance.upper);
}

void agree_laws_of_fits(agree_run *run)
{
    const agree_situation *s = run->now;
    const uint64_t count = s->bodies[0].mesh.vertex_count;
    double *world = agree_world(&s->bodies[0]);
    grz_hull *hull;
    grz_fitted_shape fits[FITS];
    grz_error error = {.message = ""};
    agree_call(run, grz_hull_of_points(run->device, world, count, NULL, &hull, &error), &error, "grz_hull_of_points");
    agree_call(run, grz_fit_sphere(hull, NULL, &fits[0], &error), &error, "grz_fit_sphere");
    agree_call(run, grz_fit_capsule(hull, NULL, &fits[1], &error), &error, "grz_fit_capsule");
    agree_call(run, grz_fit_box(hull, NULL, &fits[2], &error), &error, "grz_fit_box");
    agree_call(run, grz_fit_oriented_box(hull, NULL, &fits[3], &error), &error, "grz_fit_oriented_box");
    agree_call(run, grz_fit_cylinder(hull, NULL, &fits[4], &error), &error, "grz_fit_cylinder");
    agree_call(run, grz_fit_ellipsoid(hull, NULL, &fits[5], &error), &error, "grz_fit_ellipsoid");
    grz_hull_destroy(hull);
    for (int i = 0; i < FITS; i++)
        check_fit(run, names[i], &fits[i].shape, world, count);
    free(world);
}
