// SPDX-License-Identifier: MIT
// Names the first coordinate that is out of range.
#include "level/vector_check.h"

#include <math.h>

#include "base/fail.h"

grz_status grz_vector_check(const char *call, const char *name, const double v[3], grz_error *error)
{
    for (int k = 0; k < 3; k++)
        if (!(fabs(v[k]) <= 0x1p100)) // as <graze/mover.h> says: squares and cross products stay far from overflow
            return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                            "%s: %s[%d] is %g, must be finite and at most 2^100 in magnitude", call, name, k, v[k]);
    return GRZ_OK;
}
