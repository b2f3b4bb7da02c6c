// SPDX-License-Identifier: MIT
// Laws that every answer with contacts and curves obeys, and answers in a form that does not depend on the numbers of faces or on
// which mesh is called A, so that swapped and shuffled questions can be compared bit by bit.
#ifndef GRZ_TESTS_SUPPORT_CONTACTS_H
#define GRZ_TESTS_SUPPORT_CONTACTS_H

#include "support_queries.h"

// Offsets, order and kinds of contacts; canonical order of their points; the region; pairs have contacts of their strongest kind.
void test_expect_contact_laws(const char *what, const test_answer *answer);

// Each curve's ends and beginning, the order of curves, each step a side of some contact, and no contact left out.
void test_expect_curve_laws(const char *what, const test_answer *answer);

// A contact with its faces.
typedef struct test_record {
    uint32_t face_a, face_b, kind, point_count;
    double points[18]; // what is not used is 0
} test_record;

// How an answer's faces are to be renumbered: new_a[face], new_b[face]; NULL leaves them. Then the two are exchanged where `swap`;
// where `self`, the lower face comes first.
typedef struct test_renumbering {
    const uint32_t *new_a, *new_b;
    bool swap, self;
} test_renumbering;

// The contacts as records, sorted; free the list.
test_record *test_records_of(const test_answer *answer, const test_renumbering *renumbering);

// The same relation, kinds, region, records and curves, bit by bit. `changed` is the answer to the changed question, `renumbering`
// leads from the plain answer's faces to its faces.
void test_expect_same_contacts(const char *what, const test_answer *plain, const test_answer *changed,
                               const test_renumbering *renumbering);

// The answer's curves are these: their points one after the other, point counts, closed or not; prints them and fails otherwise.
typedef struct test_curve {
    uint64_t point_count;
    bool closed;
    double points[12][3];
} test_curve;

void test_expect_curves(const char *what, const test_answer *answer, const test_curve *expected, uint64_t count);

#endif
