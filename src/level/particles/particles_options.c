// SPDX-License-Identifier: MIT
// The default options of particles, and which ones are refused. Also part of builds without OpenGL.
#include "level/particles/particles_options.h"

#include <assert.h>
#include <math.h>

#include "base/fail.h"
#include "base/options.h"
#include "level/particles/shaders/particles_bindings.h"

static const double MOST = 1e30; // of lengths and accelerations: their squares must be floats

static grz_status refuse(grz_error *error, const char *what, double value, const char *range)
{
    return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "particles: %s is %g, must be %s", what, value, range);
}

static bool is_in(double value, double least, double most)
{
    return value >= least && value <= most;
}

static bool is_vector(const double v[3])
{
    return is_in(v[0], -MOST, MOST) && is_in(v[1], -MOST, MOST) && is_in(v[2], -MOST, MOST);
}

static grz_status refuse_vector(grz_error *error, const char *what, const double v[3], const char *why)
{
    return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "particles: %s (%g, %g, %g) %s", what, v[0], v[1], v[2],
                    why);
}

// ---- Maps ---------------------------------------------------------------------------------------------------------

static const grz_particle_map_options map_defaults = {.size = sizeof(grz_particle_map_options),
                                                      .resolution = 512,
                                                      .layers = 1,
                                                      .direction = {0.0, 0.0, 1.0},
                                                      .up = {0.0, 1.0, 0.0},
                                                      .group = 1,
                                                      .mask = ~0u};
static const grz_options_type map_type = GRZ_OPTIONS_TYPE(particle_map_options, half, map_defaults);

void grz_particle_map_options_init(grz_particle_map_options *options, size_t size)
{
    grz_options_init(&map_type, options, size);
}

static bool is_zero(const double v[3])
{
    return v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0;
}

static grz_status check_box(const grz_particle_map_options *o, grz_error *error)
{
    const double most = fmax(o->half[0], fmax(o->half[1], o->half[2]));
    if (!is_vector(o->centre))
        return refuse_vector(error, "the centre", o->centre, "is not finite, or above 1e30");
    for (int i = 0; i < 3; i++)
        if (!is_in(o->half[i], 1e-30, MOST))
            return refuse_vector(error, "half of the box's size", o->half,
                                 "must be above 0 in all directions: set options.half");
    for (int i = 0; i < 3; i++)
        if (o->half[i] < most * 1e-6)
            return refuse_vector(error, "half of the box's size", o->half,
                                 "is flat: a side is below a millionth of another");
    if (!is_vector(o->direction) || is_zero(o->direction))
        return refuse_vector(error, "the direction", o->direction, "is zero or not finite");
    if (!is_vector(o->up))
        return refuse_vector(error, "up", o->up, "is not finite");
    return GRZ_OK;
}

static grz_status check_map(const grz_particle_map_options *o, grz_error *error)
{
    const grz_status status = check_box(o, error);
    if (status != GRZ_OK)
        return status;
    if (o->resolution == 0)
        return refuse(error, "the resolution", 0.0, "1 at least");
    if (o->layers == 0 || o->layers > GRZ_PARTICLE_MOST_LAYERS)
        return refuse(error, "the number of layers", o->layers, "1 to 16");
    if (!is_in(o->radius, 0.0, MOST))
        return refuse(error, "the radius", o->radius, "0 or more, and finite");
    if (!(o->thickness >= 0.0))
        return refuse(error, "the thickness", o->thickness, "0 or more");
    return GRZ_OK;
}

grz_status grz_particle_map_options_read(const grz_particle_map_options *given, grz_particle_map_options *out,
                                         grz_error *error)
{
    const grz_status status = grz_options_read(&map_type, "particles", given, out, error);
    return status == GRZ_OK ? check_map(out, error) : status;
}

// ---- Steps --------------------------------------------------------------------------------------------------------

static const grz_particle_step step_defaults = {
    .size = sizeof(grz_particle_step), .restitution = 0.5, .max_bounces = 16};
const grz_options_type grz_particle_step_type = GRZ_STRUCTURE_TYPE(particle_step, limits, step_defaults, true, "step");

void grz_particle_step_init(grz_particle_step *step, size_t size)
{
    grz_options_init(&grz_particle_step_type, step, size);
}

static grz_status check_forces(const grz_particle_step *step, grz_error *error)
{
    if (step->force_count > GRZ_PARTICLE_FORCES)
        return refuse(error, "the number of forces", step->force_count, "64 at most");
    if (step->force_count > 0 && step->forces == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "particles: step.forces is NULL");
    for (uint32_t i = 0; i < step->force_count; i++) {
        const grz_particle_force *force = &step->forces[i];
        if (!is_vector(force->acceleration) || !is_in(force->along_normal, -MOST, MOST) || !(force->reach >= 0.0))
            return grz_fail(error, GRZ_ERROR_ARGUMENT, i,
                            "particles: force %u has a number that is not finite, or a reach below 0", i);
    }
    return GRZ_OK;
}

grz_status grz_particle_step_check(const grz_particle_step *step, grz_error *error)
{
    if (!is_in(step->seconds, 0.0, MOST))
        return refuse(error, "the length of the step", step->seconds, "0 seconds or more, and finite");
    if (!is_vector(step->acceleration))
        return refuse_vector(error, "the acceleration", step->acceleration, "is not finite, or above 1e30");
    if (!is_in(step->restitution, 0.0, 1.0))
        return refuse(error, "the restitution", step->restitution, "0 to 1");
    if (!is_in(step->friction, 0.0, MOST))
        return refuse(error, "the friction", step->friction, "0 or more, and finite");
    if (step->max_bounces == 0 || step->max_bounces > GRZ_PARTICLE_MAX_BOUNCES)
        return refuse(error, "the number of bounces", step->max_bounces, "1 to 64");
    if (step->max_hits > UINT32_MAX)
        return refuse(error, "the number of hits to list", (double)step->max_hits, "below 2^32");
    return check_forces(step, error);
}

// ---- Arrays -------------------------------------------------------------------------------------------------------

grz_status grz_particle_array_check(const grz_particle_array *particles, grz_error *error)
{
    const uint64_t least = 8 * sizeof(float);
    if (particles->count > INT32_MAX)
        return refuse(error, "their number", (double)particles->count, "below 2^31");
    if (particles->count > 0 && particles->buffer == 0 && particles->memory == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "particles: they are neither in a buffer nor in memory: both are 0");
    if (particles->offset % sizeof(float) != 0 || particles->offset > INT64_MAX)
        return refuse(error, "the offset", (double)particles->offset, "a multiple of 4");
    if (particles->buffer == 0 && particles->offset != 0)
        return refuse(error, "the offset", (double)particles->offset, "0 if they are in memory");
    if (particles->stride != 0 &&
        (particles->stride % sizeof(float) != 0 || particles->stride < least || particles->stride > INT32_MAX))
        return refuse(error, "the stride", (double)particles->stride, "a multiple of 4, and 32 at least");
    return GRZ_OK;
}
