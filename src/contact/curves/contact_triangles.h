// SPDX-License-Identifier: MIT
// The triangles of a job's contacts. There can be as many contacts as the square of the triangles, so links in crowds
// of contacts are compared with the triangles instead.
#ifndef GRZ_CONTACT_CURVES_CONTACT_TRIANGLES_H
#define GRZ_CONTACT_CURVES_CONTACT_TRIANGLES_H

#include "contact/curves/box_tree.h"

typedef struct grz_contact_triangle {
    uint32_t half;     // the mesh: 0 or 1; always 0 for a mesh with itself
    uint32_t triangle; // its number there
    uint32_t group;    // two triangles of one group are no contact: the mesh, or the face for a mesh with itself
    bool area;         // false: it is a segment or a point
    size_t plane;      // triangles with the same number lie in one plane; the converse does not hold
} grz_contact_triangle;

// All triangles of contacts with extent (segments and polygons). For a mesh with itself without those that have no
// area: whether such a triangle and another one are a contact is not seen from where they lie. Those contacts are
// listed.
typedef struct grz_triangle_set {
    const grz_joiner *joiner;
    size_t count, room;
    grz_contact_triangle *items; // sorted by (half, triangle)
    grz_box_tree tree;           // items below `count`: triangles; item `count` + i: contact i, a segment
} grz_triangle_set;

// Find the triangles; zero `set` before. False: there is no memory, or the control says to end.
bool grz_triangle_set_build(const grz_joiner *joiner, grz_triangle_set *set);
void grz_triangle_set_finish(const grz_joiner *joiner, grz_triangle_set *set);

// The index of one of a contact's triangles (half 0 or 1) in the set. False if it is not there.
bool grz_triangle_set_index(const grz_triangle_set *set, size_t contact, int half, size_t *index);

// The corners of a triangle, and their vertices' representatives.
void grz_triangle_set_corners(const grz_triangle_set *set, size_t index, double corners[3][3]);
void grz_triangle_set_vertices(const grz_triangle_set *set, size_t index, uint32_t vertices[3]);

#endif
