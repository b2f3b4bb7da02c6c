// SPDX-License-Identifier: MIT
// The order of pairs of triangles that are equally good.
#include "ask/distance/tied_pairs.h"

#include <assert.h>
#include <string.h>

#include "base/sort/number_sort.h"
#include "geometry/distance/nearest.h"

// Two numbers, the smaller first.
typedef struct sorted {
    uint32_t low, high;
} sorted;

static sorted sort(uint32_t x, uint32_t y)
{
    return x < y ? (sorted){x, y} : (sorted){y, x};
}

static int compare(sorted x, sorted y)
{
    if (x.low != y.low)
        return x.low < y.low ? -1 : 1;
    return (x.high > y.high) - (x.high < y.high);
}

int grz_tied_pairs_compare(const grz_mesh *a, const grz_mesh *b, const grz_tied_pair *x, const grz_tied_pair *y)
{
    int order = compare(sort(grz_mesh_triangle_face(a, x->a), grz_mesh_triangle_face(b, x->b)),
                        sort(grz_mesh_triangle_face(a, y->a), grz_mesh_triangle_face(b, y->b)));
    if (order == 0)
        order = grz_triangle_pairs_compare(x->corners_a, x->corners_b, y->corners_a, y->corners_b);
    if (order == 0)
        order = compare(sort(x->a, x->b), sort(y->a, y->b));
    return order != 0 ? order : (x->a > y->a) - (x->a < y->a);
}

uint64_t grz_count_face_pairs(const grz_mesh *a, const grz_mesh *b, void *pairs, size_t size, size_t count)
{
    assert(size >= 2 * sizeof(uint64_t)); // the list, and the sort's spare room
    unsigned char *bytes = pairs;
    uint64_t *numbers = pairs, faces = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t pair[2]; // read before it is overwritten
        memcpy(pair, bytes + i * size, sizeof pair);
        numbers[i] = (uint64_t)grz_mesh_triangle_face(a, pair[0]) << 32 | grz_mesh_triangle_face(b, pair[1]);
    }
    grz_sort_numbers(numbers, numbers + count, count, NULL);
    for (size_t i = 0; i < count; i++)
        faces += i == 0 || numbers[i] != numbers[i - 1];
    return faces;
}
