// SPDX-License-Identifier: MIT
// Reads the options of method `selection` that callers of any version give.
#ifndef GRZ_IMAGE_SELECTION_SELECTION_OPTIONS_H
#define GRZ_IMAGE_SELECTION_SELECTION_OPTIONS_H

#include <graze/selection.h>

// Read the options that a caller gave, of any version's size; NULL means the defaults.
grz_status grz_selection_options_read(const grz_selection_options *given, grz_selection_options *out, grz_error *error);

#endif
