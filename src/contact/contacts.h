// SPDX-License-Identifier: MIT
// The geometry of contacts: the points, segments and polygons in which triangles touch, and the curves that they form.
// Each function appends the data of one job to the result's lists, and writes its position and number to the verdict.
// Returns GRZ_OK, GRZ_ERROR_MEMORY, or the control's status if it says to end; after a failure the lists must not be
// used.
#ifndef GRZ_CONTACT_CONTACTS_H
#define GRZ_CONTACT_CONTACTS_H

#include "result/result.h"

// Build contacts, points and features; if `for_curves`, also what grz_result_build_curves() needs. The job's pairs must
// have been built (grz_result_build_pairs()). Each entry of the range makes one contact, in the same order. The
// summary's region grows to include the points. For a mesh with itself, the points are moved by the object's pose.
grz_status grz_result_build_contacts(grz_result *result, const grz_found_range *range, bool for_curves,
                                     grz_control *control, grz_verdict *verdict);

// Join the job's contacts to curves. They must have been built with `for_curves`.
grz_status grz_result_build_curves(grz_result *result, const grz_found_range *range, grz_control *control,
                                   grz_verdict *verdict);

#endif
