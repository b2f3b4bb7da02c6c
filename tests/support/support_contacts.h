// SPDX-License-Identifier: MIT
// Laws that every answer with contacts and curves must obey. Also a form of answers that does not depend on the face
// numbers or on which mesh is A, so that a query and the same query with swapped or shuffled meshes can be compared bit
// by bit.
#ifndef GRZ_TESTS_SUPPORT_CONTACTS_H
#define GRZ_TESTS_SUPPORT_CONTACTS_H

#include "support_queries.h"

// Check the contacts: offsets, order and kinds; the canonical order of their points; the region; and that every pair
// has a contact of its kind.
void test_expect_contact_laws(const char *what, const test_answer *answer);

// Check the curves: start and ends of each, their order, that each step is a side of some contact, and that no contact
// is missing.
void test_expect_curve_laws(const char *what, const test_answer *answer);

// A contact with its faces.
typedef struct test_record {
    uint32_t face_a, face_b, kind, point_count;
    double points[18]; // unused numbers are 0
} test_record;

// How to renumber an answer's faces: new_a[face] and new_b[face]; NULL keeps the numbers. After that `swap` exchanges
// the two faces, and `self` puts the lower face first.
typedef struct test_renumbering {
    const uint32_t *new_a, *new_b;
    bool swap, self;
} test_renumbering;

// The contacts as sorted records. The caller frees the list.
test_record *test_records_of(const test_answer *answer, const test_renumbering *renumbering);

// Expect the same relation, kinds, region, records and curves, bit by bit. `changed` is the answer to the changed
// query; `renumbering` maps the faces of the plain answer to its faces.
void test_expect_same_contacts(const char *what, const test_answer *plain, const test_answer *changed,
                               const test_renumbering *renumbering);

// Ask for the curves of a pair, check the laws of contacts and of curves, and that the query with a and b swapped gives
// the same contacts. Returns the answer to the query as it was given.
test_answer test_ask_with_laws(const char *what, const test_mesh *a, const test_mesh *b);

// An expected curve.
typedef struct test_curve {
    uint64_t point_count;
    bool closed;
    double points[12][3];
} test_curve;

// Expect exactly these curves, in this order. On failure both lists are printed.
void test_expect_curves(const char *what, const test_answer *answer, const test_curve *expected, uint64_t count);

#endif
