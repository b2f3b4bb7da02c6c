// SPDX-License-Identifier: MIT
// The labels of the cells into which two surfaces cut space: is a cell inside A, is it inside B?
#ifndef GRZ_INSIDE_SOLIDS_CELL_LABELS_H
#define GRZ_INSIDE_SOLIDS_CELL_LABELS_H

#include <stdbool.h>

#include "inside/solids/surface.h"
#include "result/found.h"

// A set of labels, one bit each.
enum {
    GRZ_LABEL_NONE = 1 << 0,
    GRZ_LABEL_A = 1 << 1,
    GRZ_LABEL_B = 1 << 2,
    GRZ_LABEL_BOTH = 1 << 3,
    GRZ_LABELS_PENETRATING = GRZ_LABEL_A | GRZ_LABEL_B | GRZ_LABEL_BOTH // no further label changes the answer
};

static inline unsigned grz_label(bool in_a, bool in_b)
{
    return 1u << (in_a + 2 * in_b);
}

static inline bool grz_labels_settled(unsigned labels)
{
    return (labels & GRZ_LABELS_PENETRATING) == GRZ_LABELS_PENETRATING;
}

// ---- solids_crossing.c ----

// True if the contacts prove that all four labels occur, from the neighbourhood of one point alone. By the even-odd
// rule; both meshes are closed, but need not be clean. Looks at `most` crossings at most. False proves nothing.
bool grz_crossing_proves_all(const grz_found_array *found, const grz_found_range *range, const grz_bvh *bvh_a,
                             const grz_bvh *bvh_b, size_t most, grz_control *control);

// ---- contact_labels.c ----

// What the contacts of two clean surfaces tell.
typedef struct grz_contact_labels {
    unsigned labels;
    bool common;                       // two triangles with area have a common point
    bool *in_contact_a, *in_contact_b; // of each shell: it meets the other surface in more than points
} grz_contact_labels;

// Find the labels of the cells around all contacts that are more than isolated points. Stops early when nothing more
// can change the answer. `in_contact_…` have room for one flag for each shell, false at first.
// Returns GRZ_OK; GRZ_ERROR_MEMORY; the control's status.
grz_status grz_contact_labels_find(const grz_found_array *found, const grz_found_range *range,
                                   const grz_posed_surface *a, const grz_posed_surface *b, grz_control *control,
                                   grz_contact_labels *out);

// ---- shell_labels.c ----

// Add the labels of the cells beside those shells of `inner` that meet the other surface in isolated points at most:
// each is wholly inside or wholly outside. *placed is false if for some shell no point could be found that decides it.
// `swapped`: `inner` is B.
// Returns GRZ_OK; the control's status; an error of building the hierarchy.
grz_status grz_shell_labels_add(const grz_posed_surface *inner, const grz_posed_surface *other, grz_inside_rule rule,
                                const bool *in_contact, bool swapped, grz_control *control, unsigned *labels,
                                bool *placed, grz_error *error);

// True if each component of an object (not only clean ones) has a face with different sides, so that there are points
// inside and points outside next to it. By the even-odd rule; the mesh is closed. False: for some component no such
// face was found among its first `most`.
grz_status grz_components_bound(const grz_object *object, uint32_t most, grz_control *control, bool *all,
                                grz_error *error);

#endif
