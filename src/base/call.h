// SPDX-License-Identifier: MIT
// The frame of a public call. grz_call_begin() switches to the library's floating-point mode, reads the caller's
// options and starts the control with their limits; grz_call_end() undoes the first and names what ended the call:
//
//     grz_call call;
//     grz_status status = grz_call_begin(&call, "locate", device, &options_type, given, &options, error);
//     if (status == GRZ_OK)
//         status = …
//     return grz_call_end(&call, status);
//
// A small call has no frame: one that has no device, allocates nothing, and ends in a time that nobody would limit,
// such as grz_pose_inverse() or grz_ray_through_pixel(). Around its arithmetic it switches the floating-point mode by
// itself:
//
//     const grz_fp_state fp = grz_fp_enter();
//     …
//     grz_fp_leave(fp);
//
// What needs a control is given that of a frame: nothing outside of src/base calls grz_control_init() (check-rooms).
#ifndef GRZ_BASE_CALL_H
#define GRZ_BASE_CALL_H

#include "base/control.h"
#include "base/device.h"
#include "base/fp_guard.h"
#include "base/options.h"

typedef struct grz_call {
    const char *name;    // how its error texts begin
    grz_device *device;  // whose threads and allocator it uses
    grz_error *error;    // the caller's; may be NULL
    grz_control control; // not set up if grz_call_begin() failed
    grz_fp_state fp;
    bool has_begun;
} grz_call;

// Begin a call. Its end must follow, also after a failure.
//
// name     how error texts begin: "locate"
// device   NULL is refused
// type     of the options; NULL: the call has none, and no limits
// given    the caller's options, or NULL: the defaults
// options  receives the options; the defaults on failure
// Returns GRZ_OK, or GRZ_ERROR_ARGUMENT.
grz_status grz_call_begin(grz_call *call, const char *name, grz_device *device, const grz_options_type *type,
                          const void *given, void *options, grz_error *error);

// End a call: report that all is done, if it succeeded, restore the caller's floating-point mode, and write the error
// text of a deadline, which may have passed in another public call that this one made. Returns `status`.
grz_status grz_call_end(grz_call *call, grz_status status);

// Write the error text where the control ended the call or there was no memory; other failures have theirs already.
// Returns `status`.
grz_status grz_call_explain(grz_call *call, grz_status status);

#endif
