// SPDX-License-Identifier: MIT
// A straight motion: at time t a body stands at its place at time 0, moved by t · v. Nothing about v is rounded: it is
// the exact sum of doubles, usually the difference of two positions. docs/use/move.md, "Translation, exactly".
#ifndef GRZ_GEOMETRY_SWEEP_TRANSLATION_H
#define GRZ_GEOMETRY_SWEEP_TRANSLATION_H

#include <stdbool.h>

#include "geometry/exact/integer.h"

enum {
    GRZ_TRANSLATION_PARTS = 4 // doubles whose sum is one component of v
};

// v in every form that is needed. Set once for a motion; then only read, so threads may share it. About 5.5 KiB.
typedef struct grz_translation {
    double v[3];          // each component rounded to the nearest double
    grz_integer exact[3]; // v · 2^shift
    int shift;
    bool is_zero; // v = 0 exactly
} grz_translation;

// Set the motion whose component k is the exact sum of parts[k]. Unused parts are 0. Parts are finite, at most 2^301 in
// magnitude, and may be of any sign and in any order.
void grz_translation_set(grz_translation *out, const double parts[3][GRZ_TRANSLATION_PARTS]);

// The motion that takes `from` to `to` in one unit of time: v = to - from exactly.
void grz_translation_between(grz_translation *out, const double from[3], const double to[3]);

// The motion by -v: B moves by it, and A stands still, in place of A moving by v.
void grz_translation_reverse(const grz_translation *motion, grz_translation *out);

#endif
