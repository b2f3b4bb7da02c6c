// SPDX-License-Identifier: MIT
// Where a program's transform feedback puts the position of a vertex.
#ifndef GRZ_GPU_CAPTURE_CAPTURE_PROGRAM_H
#define GRZ_GPU_CAPTURE_CAPTURE_PROGRAM_H

#include "gl/gl.h"

// What is captured of one vertex, in bytes.
typedef struct grz_captured_layout {
    uint32_t offset; // of the position
    uint32_t stride; // from one vertex to the next; 0: not known
} grz_captured_layout;

// Ask the program in use, or the bound pipeline if there is none. GRZ_ERROR_ARGUMENT if it does not capture the varying
// as a float position, or captures into more than one buffer.
grz_status grz_captured_layout_read(const char *varying, grz_captured_layout *layout, grz_error *error);

#endif
