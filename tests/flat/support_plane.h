// SPDX-License-Identifier: MIT
// Random items of the plane, in classes that are hard in different ways, and sets of all searches that must agree.
#ifndef GRZ_TESTS_SUPPORT_PLANE_H
#define GRZ_TESTS_SUPPORT_PLANE_H

#include <graze/flat.h>

#include "pair_generator.h"

typedef enum plane_class {
    PLANE_EVEN,     // doubles, small items
    PLANE_LATTICE,  // small integers: many ties, much that touches
    PLANE_CLUSTERS, // most items in few places
    PLANE_SIZES,    // items from points to the whole plane
    PLANE_LINE,     // all along one slanted line
    PLANE_OFFSET,   // small integers, 2^45 from the origin
    PLANE_TINY,     // down to subnormal numbers
    PLANE_HUGE,     // up to 2^300
    PLANE_EXTREME,  // all sizes of numbers at once
    PLANE_CLASS_COUNT
} plane_class;

enum {
    PLANE_SEARCHES = 4
};

const char *plane_class_name(plane_class group);
const char *plane_search_name(grz_flat_search search);

// A random point, item or ray of a class. Rays often go through points of items.
void plane_point(plane_class group, random_stream *random, double out[2]);
grz_flat_item plane_item(plane_class group, random_stream *random);
grz_flat_ray plane_ray(plane_class group, random_stream *random);

// Ask every question that has a point, a radius or a ray of the class; compare two sets, byte for byte. Fails the test
// where they differ. Returns how many answers there were.
uint64_t plane_compare(const grz_flat *a, const grz_flat *b, plane_class group, random_stream *random,
                       const char *what);

grz_flat *plane_create(grz_device *device, const grz_flat_item *items, uint64_t count, grz_flat_search search);

#endif
