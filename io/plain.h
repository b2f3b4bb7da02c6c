// SPDX-License-Identifier: MIT
// The environment in which files are read: the locale "C", so that strtod takes a point for a point, and the default
// floating-point environment, so that it gives the nearest double.
#ifndef GRZ_IO_PLAIN_H
#define GRZ_IO_PLAIN_H

#include "control.h"

#include <fenv.h>
#include <locale.h>

typedef struct plain_environment {
    locale_t plain, before;
    fenv_t arithmetic;
} plain_environment;

// Set both for the calling thread. False, with the reason, where that fails; nothing is set then.
bool grz_io_enter_plain(load_control *control, plain_environment *out);

// Put back what was there before.
void grz_io_leave_plain(plain_environment *entered);

#endif
