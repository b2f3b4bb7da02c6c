// SPDX-License-Identifier: MIT
// On each axis a ray enters and leaves a box at (side - origin) / direction. In doubles the quotient has three
// roundings, the direction leaves its tail out, at most 2^-53 of itself, and what is taken off is rounded: 5 · 2^-53
// of the quotient in all. 8 · 2^-53 are taken off, and what may underflow. The tree halves the boxes by their middles
// along the longest axis.
#include "ask/pick/crowd.h"

#include "base/control.h"

#include <assert.h>
#include <math.h>

enum {
    CHECK_BITS = 10 // nodes between two checks of the control, as a power of two
};

static const double QUOTIENT_ERROR = 0x1p-50; // relative: more than the roundings of a difference and a quotient
static const double LEAST = 0x1p-1000;        // more than the underflow of a quotient
static const double LARGEST = 0x1p1020;       // beyond this a quotient may have overflowed, and stands for nothing

// ---- A box ----------------------------------------------------------------------------------------------------------

// A number that is certainly at most (sign -1), or at least (1), the exact quotient.
static double beyond(double quotient, double sign)
{
    if (!(fabs(quotient) < LARGEST))
        return quotient * sign > 0.0 ? HUGE_VAL * sign : LARGEST * -sign;
    return quotient + sign * (QUOTIENT_ERROR * fabs(quotient) + LEAST);
}

// The same on one axis. False: nowhere.
static bool cut(const grz_line *line, int axis, double low, double high, grz_stretch *stretch)
{
    const double origin = line->origin[axis], way = line->direction[axis]; // 0 only if the tail is 0, too
    if (way == 0.0)
        return low <= origin && origin <= high;
    const double first = beyond(((way > 0.0 ? low : high) - origin) / way, -1.0),
                 last = beyond(((way > 0.0 ? high : low) - origin) / way, 1.0);
    stretch->enter = first > stretch->enter ? first : stretch->enter;
    stretch->leave = last < stretch->leave ? last : stretch->leave;
    return stretch->enter <= stretch->leave;
}

bool grz_line_cut_to_box(const grz_line *line, const grz_box *box, grz_stretch *stretch)
{
    if (grz_box_is_empty(box)) // of a mesh without faces
        return false;
    for (int k = 0; k < 3; k++)
        if (!cut(line, k, box->min[k], box->max[k], stretch))
            return false;
    return true;
}

// ---- The tree -------------------------------------------------------------------------------------------------------

static double middle_of(const grz_box *box, int axis)
{
    return 0.5 * box->min[axis] + 0.5 * box->max[axis];
}

// Put the `half` boxes with the least middles along an axis first (C. A. R. Hoare, "Find", 1961).
static void select_half(const grz_box *boxes, uint32_t *order, uint32_t count, uint32_t half, int axis)
{
    int64_t low = 0, high = (int64_t)count - 1;
    while (low < high) {
        const double pivot = middle_of(&boxes[order[low + (high - low) / 2]], axis);
        int64_t i = low, j = high;
        while (i <= j) {
            while (middle_of(&boxes[order[i]], axis) < pivot)
                i++;
            while (middle_of(&boxes[order[j]], axis) > pivot)
                j--;
            if (i <= j) {
                const uint32_t swapped = order[i];
                order[i++] = order[j];
                order[j--] = swapped;
            }
        }
        // Up to j all are at most the pivot, from i on at least; between them they are equal to it.
        if ((int64_t)half <= j)
            high = j;
        else if ((int64_t)half >= i)
            low = i;
        else
            return;
    }
}

// The axis along which the boxes' middles lie furthest apart.
static int longest_axis(const grz_box *boxes, const uint32_t *order, uint32_t count)
{
    double longest = -1.0;
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        double least = HUGE_VAL, most = -HUGE_VAL;
        for (uint32_t i = 0; i < count; i++) {
            const double middle = middle_of(&boxes[order[i]], k);
            least = middle < least ? middle : least;
            most = middle > most ? middle : most;
        }
        if (most - least > longest) {
            longest = most - least;
            axis = k;
        }
    }
    return axis;
}

// A part of the tree that has yet to be made: `count` boxes from `first` in the order.
typedef struct part {
    uint32_t node, first, count;
} part;

static void make_node(grz_crowd *crowd, const grz_box *boxes, uint32_t *order, const part *p, part *stack,
                      size_t *depth)
{
    grz_crowd_node *node = &crowd->nodes[p->node];
    *node = (grz_crowd_node){.box = boxes[order[p->first]], .target = order[p->first]};
    for (uint32_t i = 1; i < p->count; i++)
        grz_box_add_box(&node->box, &boxes[order[p->first + i]]);
    if (p->count == 1)
        return;
    const uint32_t half = p->count / 2;
    uint32_t *const own = order + p->first;
    select_half(boxes, own, p->count, half, longest_axis(boxes, own, p->count));
    node->child = crowd->node_count;
    crowd->node_count += 2;
    stack[(*depth)++] = (part){node->child, p->first, half};
    stack[(*depth)++] = (part){node->child + 1, p->first + half, p->count - half};
}

grz_status grz_crowd_build(grz_crowd *crowd, const grz_box *boxes, uint32_t *order, uint32_t count,
                           grz_control *control)
{
    part stack[GRZ_CROWD_DEPTH + 1] = {{0, 0, count}};
    size_t depth = 1;
    assert(count > 0);
    *crowd = (grz_crowd){.node_count = 0};
    crowd->nodes = grz_allocate(grz_control_allocator(control), 2 * (size_t)count, sizeof *crowd->nodes);
    if (crowd->nodes == NULL)
        return GRZ_ERROR_MEMORY;
    crowd->room = 2 * (size_t)count;
    crowd->node_count = 1;
    for (size_t done = 0; depth > 0; done++) {
        if (grz_control_expired_at(control, done, CHECK_BITS))
            return grz_control_status(control);
        const part next = stack[--depth];
        make_node(crowd, boxes, order, &next, stack, &depth);
    }
    return GRZ_OK;
}

void grz_crowd_finish(grz_crowd *crowd, const grz_allocator *allocator)
{
    grz_release(allocator, crowd->nodes, crowd->room, sizeof *crowd->nodes);
    *crowd = (grz_crowd){.nodes = NULL};
}

// ---- A ray ----------------------------------------------------------------------------------------------------------

static void push(const grz_crowd *crowd, grz_crowd_walk *walk, const grz_line *line, uint32_t node)
{
    grz_stretch stretch = {walk->from, walk->to};
    if (!grz_line_cut_to_box(line, &crowd->nodes[node].box, &stretch))
        return;
    assert(walk->depth < GRZ_CROWD_DEPTH);
    walk->stack[walk->depth].enter = stretch.enter;
    walk->stack[walk->depth++].node = node;
}

void grz_crowd_begin(const grz_crowd *crowd, grz_crowd_walk *walk, const grz_line *line, double from, double to)
{
    walk->from = from;
    walk->to = to;
    walk->depth = 0;
    push(crowd, walk, line, 0);
}

uint32_t grz_crowd_next(const grz_crowd *crowd, grz_crowd_walk *walk, const grz_line *line, double upper)
{
    while (walk->depth > 0) {
        walk->depth--;
        const grz_crowd_node *node = &crowd->nodes[walk->stack[walk->depth].node];
        if (walk->stack[walk->depth].enter > upper)
            continue;
        if (node->child == 0)
            return node->target;
        const size_t before = walk->depth;
        push(crowd, walk, line, node->child);
        push(crowd, walk, line, node->child + 1);
        if (walk->depth == before + 2 && walk->stack[before].enter < walk->stack[before + 1].enter) {
            const double enter = walk->stack[before].enter;
            walk->stack[before].enter = walk->stack[before + 1].enter;
            walk->stack[before + 1].enter = enter;
            walk->stack[before].node = node->child + 1;
            walk->stack[before + 1].node = node->child;
        }
    }
    return UINT32_MAX;
}
