// SPDX-License-Identifier: MIT
// Checks a vector that the caller gives.
#ifndef GRZ_LEVEL_VECTOR_CHECK_H
#define GRZ_LEVEL_VECTOR_CHECK_H

#include <graze/status.h>

// An error if a coordinate is not finite, or above 2^100 in magnitude. `call` and `name`, of the public function and of
// the vector, are for the message.
grz_status grz_vector_check(const char *call, const char *name, const double v[3], grz_error *error);

#endif
