// SPDX-License-Identifier: MIT
// A point of the contact at the time of entering.
#ifndef GRZ_GEOMETRY_SWEEP_CONTACT_POINT_H
#define GRZ_GEOMETRY_SWEEP_CONTACT_POINT_H

#include "geometry/sweep/sweep_axes.h"
#include "geometry/triangle/triangle.h"

// Find it, given what meets: out->a, out->b and out->normal.
void grz_meeting_contact_point(const grz_meeting *m, const grz_exact_pair *pair, grz_meeting_contact *out);

#endif
