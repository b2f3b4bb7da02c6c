// SPDX-License-Identifier: MIT
#include "base/call.h"

#include <string.h>

#include "base/fail.h"

grz_status grz_call_begin(grz_call *call, const char *name, grz_device *device, const grz_options_type *type,
                          const void *given, void *options, grz_error *error)
{
    call->name = name;
    call->device = device;
    call->error = error;
    call->has_begun = false;
    call->fp = grz_fp_enter();
    if (type != NULL)
        memcpy(options, type->defaults, type->size);
    if (device == NULL)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "%s: the device is NULL", name);
    const grz_status status = type != NULL ? grz_options_read(type, name, given, options, error) : GRZ_OK;
    if (status != GRZ_OK)
        return status;
    const grz_options_head *head = options;
    grz_control_init(&call->control, grz_device_allocator(device),
                     type != NULL && type->has_limits ? &head->limits : NULL);
    call->has_begun = true;
    return GRZ_OK;
}

grz_status grz_call_end(grz_call *call, grz_status status)
{
    if (call->has_begun && status == GRZ_OK) {
        grz_control_span(&call->control, 0.0, 1.0);
        grz_control_stage(&call->control, 0.0, 1.0);
        if (call->control.reported_progress < 1.0)
            grz_control_report_progress(&call->control, 1.0);
    } else if (call->has_begun && status == GRZ_ERROR_DEADLINE && call->control.limits.deadline > 0.0)
        grz_control_explain(&call->control, status, call->name, call->error);
    grz_fp_leave(call->fp);
    return status;
}

grz_status grz_call_explain(grz_call *call, grz_status status)
{
    if (status != GRZ_ERROR_MEMORY && status != GRZ_ERROR_CANCELLED && status != GRZ_ERROR_DEADLINE)
        return status;
    return grz_control_explain(&call->control, status, call->name, call->error);
}
