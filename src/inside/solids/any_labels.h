// SPDX-License-Identifier: MIT
// The labels of all cells of two closed meshes, whatever they look like: they may touch or cross themselves, have faces
// twice, and walls of no thickness. Slower than the way for clean surfaces.
#ifndef GRZ_INSIDE_SOLIDS_ANY_LABELS_H
#define GRZ_INSIDE_SOLIDS_ANY_LABELS_H

#include <graze/collide.h>

#include "base/control_type.h"
#include "result/found.h"

typedef struct grz_any_labels {
    unsigned labels; // cell_labels.h
    bool common;     // the solids have a common point; not always found if the labels have GRZ_LABEL_BOTH
} grz_any_labels;

// Find the labels. Stops early when nothing more can change the answer.
//
// range   the pairs of triangles of the two objects that touch: all of them
// rules   of A and of B; neither is GRZ_INSIDE_AUTO
// Returns GRZ_OK; GRZ_ERROR_MEMORY; the control's status; an error of building the hierarchy.
grz_status grz_any_labels_find(const grz_found_array *found, const grz_found_range *range,
                               const grz_inside_rule rules[2], grz_control *control, grz_any_labels *out,
                               grz_error *error);

#endif
