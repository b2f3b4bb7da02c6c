// SPDX-License-Identifier: MIT
// grz_flight_objects(): the times at which a parabola may be in each object's box, grown by the radius.
#include <graze/flight.h>

#include <stdlib.h>

#include "base/fail.h"
#include "base/fp_guard.h"
#include "geometry/pose.h"
#include "level/flight/parabola.h"
#include "level/vector_check.h"
#include "mesh/mesh.h"
#include "mesh/object_check.h"

static const double LARGEST = 0x1p100; // of what the caller gives, as <graze/flight.h> says

static grz_status check_vector(const double v[3], const char *name, grz_error *error)
{
    if (v == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "flight objects: the %s is NULL", name);
    return grz_vector_check("flight objects", name, v, error);
}

static grz_status check_number(double number, const char *name, grz_error *error)
{
    if (!(number >= 0.0 && number <= LARGEST))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "flight objects: %s is %g, must be 0 to 2^100", name,
                        number);
    return GRZ_OK;
}

static grz_status check(const grz_object *objects, uint32_t count, const double start[3], const double velocity[3],
                        const double acceleration[3], double seconds, double radius, grz_error *error)
{
    grz_status status = check_vector(start, "start", error);
    if (status == GRZ_OK)
        status = check_vector(velocity, "velocity", error);
    if (status == GRZ_OK)
        status = check_vector(acceleration, "acceleration", error);
    if (status == GRZ_OK)
        status = check_number(seconds, "seconds", error);
    if (status == GRZ_OK)
        status = check_number(radius, "radius", error);
    if (status == GRZ_OK && count > 0 && objects == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "flight objects: the objects are NULL");
    for (uint32_t i = 0; i < count && status == GRZ_OK; i++)
        status = grz_object_check("flight objects", &objects[i], "an object", i, error);
    return status;
}

// Keep the first ones, sorted.
static void insert(grz_flight_visit visit, grz_flight_visit *visits, uint64_t most, uint64_t found)
{
    uint64_t at = found < most ? found : most;
    while (at > 0 && visits[at - 1].enter > visit.enter)
        at--;
    if (at == most)
        return;
    for (uint64_t i = found < most ? found : most - 1; i > at; i--)
        visits[i] = visits[i - 1];
    visits[at] = visit;
}

static grz_status find(const grz_object *objects, uint32_t count, const double start[3], const double velocity[3],
                       const double acceleration[3], double seconds, double radius, grz_flight_visit *visits,
                       uint64_t most, uint64_t *found, grz_error *error)
{
    if (found == NULL || (visits == NULL && most > 0))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "flight objects: %s is NULL",
                        found == NULL ? "found" : "visits");
    *found = 0;
    const grz_status status = check(objects, count, start, velocity, acceleration, seconds, radius, error);
    if (status != GRZ_OK)
        return status;
    grz_parabola path;
    for (int k = 0; k < 3; k++) {
        path.start[k] = start[k];
        path.velocity[k] = velocity[k];
        path.acceleration[k] = acceleration[k];
    }
    for (uint32_t i = 0; i < count; i++) {
        grz_flight_visit visit = {.object = i};
        if (objects[i].mesh->triangle_count == 0)
            continue;
        grz_box box = grz_world_box(&objects[i].pose, &objects[i].mesh->bounds);
        box = grz_box_grown(&box, radius);
        if (grz_parabola_in_box(&path, &box, seconds, &visit.enter, &visit.leave))
            insert(visit, visits, most, (*found)++);
    }
    return GRZ_OK;
}

grz_status grz_flight_objects(const grz_object *objects, uint32_t count, const double start[3],
                              const double velocity[3], const double acceleration[3], double seconds, double radius,
                              grz_flight_visit *visits, uint64_t most, uint64_t *found, grz_error *error)
{
    const grz_fp_state fp = grz_fp_enter();
    const grz_status status =
        find(objects, count, start, velocity, acceleration, seconds, radius, visits, most, found, error);
    grz_fp_leave(fp);
    return status;
}
