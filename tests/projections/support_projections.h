// SPDX-License-Identifier: MIT
// A second program for grz_projections_find(): lines of sight by loops over all triangles, and shapes of cells whose
// answers are known.
#ifndef GRZ_TESTS_SUPPORT_PROJECTIONS_H
#define GRZ_TESTS_SUPPORT_PROJECTIONS_H

#include "support_solids.h"

// What a line of sight through a point meets. Distances along the direction, positive in front of the point.
typedef struct sight_truth {
    double above, below; // the next surface, caps apart: HUGE_VAL and -HUGE_VAL if there is none
    double top, bottom;  // of the part's triangles: -HUGE_VAL and HUGE_VAL if the line meets none
    bool sure;           // the line passes no edge closely
} sight_truth;

// Cast a line against a soup of `count` triangles. `own` says which ones are the part's, `cap` which ones are no
// surface of the object; NULL: all, and none.
sight_truth sight_cast(const double point[3], const double direction[3], const double (*triangles)[3][3], size_t count,
                       const bool *own, const bool *cap);

// How deep the map takes empty space for solid in front of a point, as <graze/projections.h> says; `facing` is the sign
// of normal · direction, 0 for a surface in the line of sight.
double sight_truth_depth(const sight_truth *line, int facing);

// Solids of 5 × 5 × 5 cells, made of text: 25 rows of 5 characters, layer after layer in z, '#' full.
test_mesh sight_shape(const char *const rows[25]);

// grz_projections_find(), which must succeed.
grz_projections *projections_find(grz_device *device, const grz_mesh *const *poses, uint32_t count,
                                  const grz_projections_options *options);

grz_projections_summary projections_summary(const grz_projections *found);

// Settings for BOUNDED projections: what they take for solid is easily known.
grz_projections_options projections_bounded(void);

#endif
