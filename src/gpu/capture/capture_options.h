// SPDX-License-Identifier: MIT
// Reads the options of a capture that callers of any version give.
#ifndef GRZ_GPU_CAPTURE_CAPTURE_OPTIONS_H
#define GRZ_GPU_CAPTURE_CAPTURE_OPTIONS_H

#include <graze/capture.h>

// Read and check the options that a caller gave, of any version's size; NULL means the defaults. `varying` is never
// NULL afterwards; it may be the caller's.
grz_status grz_capture_options_read(const grz_capture_options *given, grz_capture_options *out, grz_error *error);

#endif
