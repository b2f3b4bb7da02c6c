// SPDX-License-Identifier: MIT
// Arithmetic that libgraze has, too. Its sources (src/base/fp_guard.c, src/geometry/functions/) are compiled a second
// time under these names (cmake/GrazeIO.cmake), because libgraze_io calls nothing of libgraze: so the bits are the
// same.
#ifndef GRZ_IO_ARITHMETIC_H
#define GRZ_IO_ARITHMETIC_H

#include <stdint.h>

typedef struct fp_state {
    uint64_t control;
} fp_state;

// Switch this thread to round-to-nearest with subnormal numbers kept; put back what it had before.
fp_state grz_io_fp_enter(void);
void grz_io_fp_leave(fp_state before);

// In radians; of an angle of any size. Within 2^-52, relative; the same bits everywhere.
void grz_io_sines(double angle, double *sine, double *cosine);

#endif
