// SPDX-License-Identifier: MIT
// In place of the methods of this folder, in builds without OpenGL: they are known, and say why they cannot be used.
#include "base/fail.h"
#include "space/filter.h"

static grz_status refuse(grz_device *device, const grz_job *job, const grz_collide_options *options, grz_control *control,
                         grz_discrete *out, grz_error *error)
{
    (void)device;
    (void)job;
    (void)options;
    (void)control;
    (void)out;
    return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "slices: OpenGL is not in this build");
}

static grz_status refuse_exact(grz_device *device, const grz_job *jobs, size_t count, grz_sink *sink, grz_error *error)
{
    (void)device;
    (void)jobs;
    (void)count;
    (void)sink;
    return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "slices: OpenGL is not in this build");
}

static grz_status refuse_layers(grz_device *device, const grz_job *jobs, size_t count, grz_sink *sink, grz_error *error)
{
    (void)device;
    (void)jobs;
    (void)count;
    (void)sink;
    return grz_fail(error, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT, "layers: OpenGL is not in this build");
}

const grz_filter grz_filter_layers = {
    .name = "layers", .capabilities = GRZ_CAN_PAIR | GRZ_CAN_SELF, .gl = true, .slot = GRZ_SLOT_COUNT, .propose = refuse_layers};

const grz_filter grz_filter_slices = {.name = "slices",
                                      .capabilities = GRZ_CAN_PAIR,
                                      .gl = true,
                                      .slot = GRZ_SLOT_COUNT,
                                      .propose = refuse_exact,
                                      .discrete = refuse};
