// SPDX-License-Identifier: MIT
// Declares the control of a call (control.h), for headers that only hand on a pointer to it.
#ifndef GRZ_BASE_CONTROL_TYPE_H
#define GRZ_BASE_CONTROL_TYPE_H

#include "base/memory.h"

typedef struct grz_control grz_control;

#endif
