// SPDX-License-Identifier: MIT
// The pairs of objects that are not to be tested, each with the reason why: the text of the rule that says so. Rules
// are added first; exclusions_sort() then makes them ready for questions.
#ifndef GRZ_CLI_ASSEMBLY_EXCLUSIONS_H
#define GRZ_CLI_ASSEMBLY_EXCLUSIONS_H

#include "assembly/names.h"

typedef struct exclusion {
    uint32_t a, b; // a < b
    uint32_t why;  // index into exclusions::whys; of several rules the first
} exclusion;

typedef struct exclusions {
    exclusion *items; // sorted by (a, b) after exclusions_sort(), each pair once
    size_t count, capacity;
    char **whys;
    size_t why_count, why_capacity;
    char **notes; // what the report has to say about the rules
    size_t note_count;
} exclusions;

// Add a reason. Returns its index, for exclusions_add(); UINT32_MAX without memory.
uint32_t exclusions_reason(exclusions *e, const char *why);

// Keep a note, which is copied. False without memory.
bool exclusions_note(exclusions *e, const char *note);

// Exclude two different objects. False without memory.
bool exclusions_add(exclusions *e, uint32_t a, uint32_t b, uint32_t why);

// Exclude all pairs of an object that is called `a` and one that is called `b` (names.h). A name that stands for
// nothing, and two names that stand for no pair, are failures: false, and `message` says so.
bool exclusions_add_named(exclusions *e, const scene_objects *objects, const char *a, const char *b, const char *why,
                          char *message, size_t size);

// The same of "A:B". Names may hold colons: that one is the divider which leaves a known name on both sides. If several
// do, that is a failure. In a glob `?` stands for a colon, too, so that a pair can always be written.
bool exclusions_add_pair(exclusions *e, const scene_objects *objects, const char *pair, const char *why, char *message,
                         size_t size);

void exclusions_sort(exclusions *e);

// The entry of two objects, a < b; NULL: they are not excluded. Only after exclusions_sort().
const exclusion *exclusions_find(const exclusions *e, uint32_t a, uint32_t b);

// Whether two objects are excluded, a < b. Only after exclusions_sort().
bool exclusions_hold(const exclusions *e, uint32_t a, uint32_t b);

// Drop all pairs that this object is not in.
void exclusions_keep(exclusions *e, uint32_t object);

// Free; an empty one is accepted.
void exclusions_finish(exclusions *e);

#endif
