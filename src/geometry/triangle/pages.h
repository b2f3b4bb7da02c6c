// SPDX-License-Identifier: MIT
// The faces around a line, like the pages of a book around its spine: in which order they follow each other, and which
// sectors between them are inside.
#ifndef GRZ_GEOMETRY_TRIANGLE_PAGES_H
#define GRZ_GEOMETRY_TRIANGLE_PAGES_H

#include "base/control_type.h"

// A half-plane that a line bounds.
typedef struct grz_page {
    double at[3];        // a point of it, not on the line
    uint32_t triangle;   // the face that lies in it
    int8_t turn;         // 1: the face's normal side looks counter-clockwise around the line; -1: clockwise
    uint8_t mesh;        // 0: of A, 1: of B
    uint8_t part;        // for sorting; relative to the first page
    bool before, behind; // whether the face's sides are inside its mesh: the clockwise and the counter-clockwise one
} grz_page;

// Sort pages counter-clockwise around the line from p to q, seen against its direction; the first stays the first.
// Returns GRZ_OK; GRZ_ERROR_MEMORY; the control's status.
grz_status grz_pages_sort(const double p[3], const double q[3], grz_page *pages, size_t count, grz_control *control);

// True if two pages are the same half-plane.
bool grz_pages_coincide(const double p[3], const double q[3], const double at[3], const double other[3]);

// Which way a triangle's normal side looks, around the line from p to q in its plane, in the half-plane that holds the
// point `at`: grz_page::turn.
int grz_page_turn(const double p[3], const double q[3], const double at[3], const double corners[3][3]);

#endif
