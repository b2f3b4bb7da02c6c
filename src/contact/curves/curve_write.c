// SPDX-License-Identifier: MIT
// Writes the curves in their final order. A curve can be read in two directions, and a closed curve from any start.
// Each is written as the smallest of these sequences of places; then the curves are sorted by their sequences.
#include <string.h>

#include "base/control.h"
#include "base/sort/sort.h"
#include "contact/curves/curves.h"

enum {
    CHECK_BITS = 12 // the control is checked once in 2^12 short steps
};

static void reverse(size_t *nodes, size_t count)
{
    for (size_t i = 0; 2 * i + 1 < count; i++) {
        const size_t swapped = nodes[i];
        nodes[i] = nodes[count - 1 - i];
        nodes[count - 1 - i] = swapped;
    }
}

// The place of node `i` of a loop, counted from its beginning or backwards from its end. `i` may exceed the count.
static const grz_point *loop_place(const grz_joiner *joiner, const size_t *loop, size_t count, bool backwards, size_t i)
{
    return &joiner->places[loop[backwards ? count - 1 - i % count : i % count]];
}

// Find the start in a loop that gives the smallest sequence of places, in linear time. Two starts are compared. When
// they differ, the larger one is dropped, and with it all starts that the comparison has passed.
static bool find_smallest_start(const grz_joiner *joiner, const size_t *loop, size_t count, bool backwards,
                                size_t *start)
{
    assert(count > 0);
    size_t p = 0, q = 1, same = 0;
    for (size_t step = 1; p < count && q < count && same < count; step++) {
        const int order = grz_curves_compare_places(loop_place(joiner, loop, count, backwards, p + same),
                                                    loop_place(joiner, loop, count, backwards, q + same));
        if (grz_control_expired_at(joiner->control, step, CHECK_BITS))
            return false;
        if (order == 0) {
            same++;
            continue;
        }
        if (order > 0)
            p += same + 1;
        else
            q += same + 1;
        q += p == q;
        same = 0;
    }
    *start = p < q ? p : q;
    assert(*start < count);
    return true;
}

// Rotate and perhaps reverse a closed curve (its last node repeats the first) to the smallest sequence of places.
static bool normalise_loop(const grz_joiner *joiner, size_t *loop, size_t count)
{
    size_t start, other;
    int order = 0;
    if (!find_smallest_start(joiner, loop, count, false, &start) ||
        !find_smallest_start(joiner, loop, count, true, &other))
        return false;
    for (size_t i = 0; i < count && order == 0; i++) {
        order = grz_curves_compare_places(loop_place(joiner, loop, count, false, start + i),
                                          loop_place(joiner, loop, count, true, other + i));
        if (grz_control_expired_at(joiner->control, i + 1, CHECK_BITS))
            return false;
    }
    if (order > 0) {
        reverse(loop, count);
        start = other;
    }
    reverse(loop, start);
    reverse(loop + start, count - start);
    reverse(loop, count);
    loop[count] = loop[0];
    return !grz_control_expired_at(joiner->control, count, 0);
}

// Reverse an open curve if that gives a smaller sequence of places.
static bool normalise_path(const grz_joiner *joiner, size_t *path, size_t count)
{
    int order = 0;
    for (size_t i = 0; i < count && order == 0; i++) {
        order = grz_curves_compare_places(&joiner->places[path[i]], &joiner->places[path[count - 1 - i]]);
        if (grz_control_expired_at(joiner->control, i + 1, CHECK_BITS))
            return false;
    }
    if (order > 0)
        reverse(path, count);
    return true;
}

static int compare_runs(const void *left, const void *right, void *context)
{
    const grz_joiner *joiner = context;
    const grz_run *p = left, *q = right;
    const size_t *nodes_p = joiner->walked.items + p->start, *nodes_q = joiner->walked.items + q->start;
    for (size_t i = 0; i < p->count && i < q->count; i++) {
        const int order = grz_curves_compare_places(&joiner->places[nodes_p[i]], &joiner->places[nodes_q[i]]);
        if (order != 0)
            return order;
    }
    if (p->count != q->count)
        return p->count < q->count ? -1 : 1;
    return (int)p->closed - (int)q->closed;
}

bool grz_curves_write(grz_joiner *joiner, grz_result *result)
{
    for (size_t i = 0; i < joiner->runs.count; i++) {
        const grz_run *run = &joiner->runs.items[i];
        size_t *nodes = joiner->walked.items + run->start;
        if (grz_control_expired_at(joiner->control, i, CHECK_BITS - 4) ||
            !(run->closed ? normalise_loop(joiner, nodes, run->count - 1) : normalise_path(joiner, nodes, run->count)))
            return false;
    }
    if (grz_sort(joiner->runs.items, joiner->runs.count, sizeof *joiner->runs.items, compare_runs, joiner,
                 joiner->control) != GRZ_OK ||
        !grz_array_reserve(joiner->allocator, &result->curves, result->curves.count + joiner->runs.count) ||
        !grz_array_reserve(joiner->allocator, &result->curve_points, result->curve_points.count + joiner->walked.count))
        return false;
    size_t steps = 0;
    for (size_t i = 0; i < joiner->runs.count; i++) {
        const grz_run *run = &joiner->runs.items[i];
        const size_t *nodes = joiner->walked.items + run->start;
        assert(run->count > 0 && run->start + run->count <= joiner->walked.count);
        grz_curve *curve = &result->curves.items[result->curves.count++];
        memset(curve, 0, sizeof *curve); // its padding, too: equal answers have equal bytes
        curve->first_point = result->curve_points.count;
        curve->point_count = run->count;
        curve->closed = run->closed;
        for (size_t k = 0; k < run->count; k++) {
            result->curve_points.items[result->curve_points.count++] = joiner->places[nodes[k]];
            if (grz_control_expired_at(joiner->control, ++steps, CHECK_BITS))
                return false;
        }
    }
    return true;
}
