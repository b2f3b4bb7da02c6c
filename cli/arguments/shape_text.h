// SPDX-License-Identifier: MIT
// A shape on the command line: "box:0,0,0,1,1,1".
#ifndef GRZ_CLI_ARGUMENTS_SHAPE_TEXT_H
#define GRZ_CLI_ARGUMENTS_SHAPE_TEXT_H

#include <graze/graze.h>

enum {
    SHAPE_REASON_SIZE = 160
};

// Read a shape. Returns the name of its kind, static text; NULL, with what is wrong in `reason`.
const char *shape_read(const char *text, grz_shape *out, char reason[SHAPE_REASON_SIZE]);

#endif
