// SPDX-License-Identifier: MIT
// A polygon is divided along the line through one of the cuts that go through it, until none does. Lines are longer
// than cuts: that only makes more leaves. No decision here is exact, and none needs to be: all that can be wrong is
// near the borders of leaves, and its area is added up. What a leaf is, one place of it tells, exactly
// (inside/border/column.c).
#include "ask/overlap/border_leaves.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/control.h"
#include "base/rounding.h"
#include "base/sort/sort.h"
#include "geometry/triangle/triangle.h"
#include "mesh/triangles.h"

enum {
    CHECK_BITS = 6,     // leaves or cuts between two checks of the control, as a power of two
    MOST_DEPTH = 256,   // of divisions
    MOST_DIVIDED = 48,  // corners of what a division leaves, however corners are rounded
    PLACE_ATTEMPTS = 4, // places in a leaf that are tried
    LEAST_DEPTH = 4     // of a leaf, in units, more than its divisions
};

static const double ROUNDING = DBL_EPSILON / 2.0;
static const double MORE = 1.0 + 0x1p-40; // pays for the rounding of the bounds themselves
static const double MOST = 0x1p300;       // of a coordinate that the predicates take
static const double SHORTEST = 0x1p-300;  // side of a leaf: its square does not underflow

// ---- Cuts ---------------------------------------------------------------------------------------------------------

static int compare_cuts(const void *x, const void *y, void *context)
{
    const grz_leaf_cut *one = x, *other = y;
    (void)context;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (one->ends[i][k] != other->ends[i][k])
                return one->ends[i][k] < other->ends[i][k] ? -1 : 1;
    return 0;
}

static bool add_cut(grz_leaves *leaves, const grz_prism_frame *frame, const double from[3], const double to[3],
                    const grz_allocator *allocator)
{
    grz_leaf_cut cut;
    if (!grz_array_add(allocator, &leaves->cuts))
        return false;
    for (int k = 0; k < 2; k++) { // + 0: no -0
        cut.ends[0][k] = from[frame->axis[k]] * frame->scale[k] + 0.0;
        cut.ends[1][k] = to[frame->axis[k]] * frame->scale[k] + 0.0;
    }
    const grz_leaf_cut turned = {{{cut.ends[1][0], cut.ends[1][1]}, {cut.ends[0][0], cut.ends[0][1]}}};
    leaves->cuts.items[leaves->cuts.count - 1] = compare_cuts(&turned, &cut, NULL) < 0 ? turned : cut;
    return true;
}

static bool is_in_window(const grz_box *box, const grz_prism_frame *frame, const double window[2][2])
{
    for (int k = 0; k < 2; k++)
        if (box->max[frame->axis[k]] * frame->scale[k] < window[0][k] ||
            box->min[frame->axis[k]] * frame->scale[k] > window[1][k])
            return false;
    return true;
}

// The cuts by one other triangle: the segment that both have in common; or, in one plane, the other one's edges.
static bool add_cuts_of(grz_leaves *leaves, const grz_prism_frame *frame, const double c[3][3], const double d[3][3],
                        const grz_allocator *allocator)
{
    grz_intersection common;
    grz_triangles_intersect(c, d, &common);
    if (common.node_count < 2)
        return true;
    if (common.kind == GRZ_COPLANAR) {
        for (int i = 0; i < 3; i++)
            if (!add_cut(leaves, frame, d[i], d[(i + 1) % 3], allocator))
                return false;
        return true;
    }
    double ends[2][3];
    for (int i = 0; i < 2; i++)
        grz_node_position(c, d, common.nodes[i], ends[i]);
    return add_cut(leaves, frame, ends[0], ends[1], allocator);
}

static grz_status list_cuts(grz_leaves *leaves, const grz_posed_border *border, uint32_t triangle,
                            const grz_prism_frame *frame, const double window[2][2], grz_control *control)
{
    const grz_object *object = border->object;
    const grz_border *of = border->border;
    double c[3][3], d[3][3];
    leaves->cuts.count = 0;
    grz_world_corners(object->mesh, &object->pose, triangle, c);
    for (size_t i = of->starts[triangle]; i < of->starts[(size_t)triangle + 1]; i++) {
        if (grz_control_expired_at(control, i, CHECK_BITS))
            return grz_control_status(control);
        grz_world_corners(object->mesh, &object->pose, of->partners[i], d);
        const grz_box box = grz_triangle_box((const double(*)[3])d);
        if (is_in_window(&box, frame, window) &&
            !add_cuts_of(leaves, frame, (const double(*)[3])c, (const double(*)[3])d, grz_control_allocator(control)))
            return GRZ_ERROR_MEMORY;
    }
    // In an order that depends on where they are only, each once.
    const grz_status status =
        grz_sort(leaves->cuts.items, leaves->cuts.count, sizeof *leaves->cuts.items, compare_cuts, NULL, control);
    size_t kept = 0;
    for (size_t i = 0; i < leaves->cuts.count && status == GRZ_OK; i++)
        if (kept == 0 || compare_cuts(&leaves->cuts.items[kept - 1], &leaves->cuts.items[i], NULL) != 0)
            leaves->cuts.items[kept++] = leaves->cuts.items[i];
    leaves->cuts.count = kept;
    return status;
}

static void set_unit(grz_leaves *leaves, const grz_prism *whole)
{
    double least[2], most[2], largest = 0.0;
    for (int k = 0; k < 2; k++) {
        least[k] = whole->min[k];
        most[k] = whole->max[k];
        for (size_t i = 0; i < leaves->cuts.count; i++)
            for (int j = 0; j < 2; j++) {
                least[k] = fmin(least[k], leaves->cuts.items[i].ends[j][k]);
                most[k] = fmax(most[k], leaves->cuts.items[i].ends[j][k]);
            }
        largest = fmax(largest, fmax(fabs(least[k]), fabs(most[k])));
    }
    leaves->size = ((most[0] - least[0]) + (most[1] - least[1])) * MORE;
    leaves->unit = 8.0 * ROUNDING * leaves->size + 4.0 * ROUNDING * largest;
}

// ---- Polygons -----------------------------------------------------------------------------------------------------

// How far a point is to the left of the line from a to b, times their distance.
static double left_of(const double a[2], const double b[2], const double p[2])
{
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

static double length_of(const double a[2], const double b[2])
{
    const double x = b[0] - a[0], y = b[1] - a[1];
    return sqrt(x * x + y * y);
}

// The area of a fan around the first corner, each triangle counted as positive, at most.
static double area_of(const double (*corners)[2], int count)
{
    double area = 0.0;
    for (int i = 1; i + 1 < count; i++) {
        const double *a = corners[0], *b = corners[i], *c = corners[i + 1];
        const double one = (b[0] - a[0]) * (c[1] - a[1]), two = (b[1] - a[1]) * (c[0] - a[0]);
        area += 0.5 * fabs(one - two) + 4.0 * ROUNDING * (fabs(one) + fabs(two));
    }
    return area * MORE + GRZ_UNDERFLOWS;
}

// Exactly convex, counter-clockwise, and no side too short to be measured.
static bool is_convex(const double (*corners)[2], int count)
{
    bool any = false;
    for (int i = 0; i < count; i++) {
        const double *a = corners[i], *b = corners[(i + 1) % count], *c = corners[(i + 2) % count];
        if (grz_orient2d(a, b, c) < 0 || !(length_of(a, b) > SHORTEST))
            return false;
        if (i > 0 && i + 1 < count) {
            const int turn = grz_orient2d(corners[0], a, b);
            if (turn < 0)
                return false;
            any = any || turn > 0;
        }
    }
    return any;
}

// May the cut go through what is left of a convex polygon if it is made smaller by `margin`?
static bool goes_through(const grz_leaf_item *item, const grz_leaf_cut *cut, double margin)
{
    double low = 0.0, high = 1.0;
    for (int i = 0; i < item->count; i++) {
        const double *a = item->corners[i], *b = item->corners[i + 1 < item->count ? i + 1 : 0];
        const double length = length_of(a, b), from = left_of(a, b, cut->ends[0]) / length - margin,
                     to = left_of(a, b, cut->ends[1]) / length - margin;
        if (from < 0.0 && to < 0.0)
            return false;
        if (from < 0.0)
            low = fmax(low, from / (from - to));
        else if (to < 0.0)
            high = fmin(high, from / (from - to));
        if (low > high)
            return false;
    }
    return true;
}

static double margin_of(const grz_leaves *leaves, const grz_leaf_item *item)
{
    return leaves->unit * (double)(item->depth + LEAST_DEPTH);
}

// What is in a polygon is not known.
static void give_up(grz_leaves *leaves, const double (*corners)[2], int count)
{
    leaves->wrong += 3.0 * area_of(corners, count);
}

// ---- Divisions ----------------------------------------------------------------------------------------------------

// Rounding may have turned a corner inwards: leave such corners out. What that adds to the polygon counts as wrong.
static int make_convex(grz_leaves *leaves, double (*corners)[2], int count)
{
    for (int i = 0; i < count && count >= 3;) {
        const double *a = corners[(i + count - 1) % count], *b = corners[i], *c = corners[(i + 1) % count];
        if (length_of(a, b) > SHORTEST && grz_orient2d(a, b, c) >= 0) {
            i++;
            continue;
        }
        double left_out[3][2];
        memcpy(left_out[0], a, sizeof left_out[0]);
        memcpy(left_out[1], b, sizeof left_out[1]);
        memcpy(left_out[2], c, sizeof left_out[2]);
        leaves->wrong += 3.0 * area_of((const double(*)[2])left_out, 3);
        memmove(corners + i, corners + i + 1, (size_t)(--count - i) * sizeof *corners);
        i = 0;
    }
    return count;
}

// Push a part of an item, with those of the item's cuts, in `kept`, that are not certainly outside of it. `unit` is
// more than what the part and the cuts are off.
static bool push(grz_leaves *leaves, double (*corners)[2], int count, int depth, const grz_allocator *allocator)
{
    count = make_convex(leaves, corners, count);
    if (count < 3)
        return true;
    if (count > GRZ_LEAF_CORNERS || depth > MOST_DEPTH || !is_convex((const double(*)[2])corners, count)) {
        give_up(leaves, (const double(*)[2])corners, count);
        return true;
    }
    if (!grz_array_add(allocator, &leaves->stack) ||
        !grz_array_reserve(allocator, &leaves->lists, leaves->lists.count + leaves->kept.count))
        return false;
    grz_leaf_item *item = &leaves->stack.items[leaves->stack.count - 1];
    *item = (grz_leaf_item){.count = count, .depth = depth, .first = leaves->lists.count};
    memcpy(item->corners, corners, (size_t)count * sizeof *corners);
    for (size_t i = 0; i < leaves->kept.count; i++)
        if (goes_through(item, &leaves->cuts.items[leaves->kept.items[i]], -2.0 * leaves->unit))
            leaves->lists.items[leaves->lists.count++] = leaves->kept.items[i];
    item->cut_count = leaves->lists.count - item->first;
    return true;
}

typedef struct divided {
    double corners[MOST_DIVIDED][2];
    int count;
} divided;

static void add_corner(divided *part, const double corner[2])
{
    if (part->count > 0 && memcmp(part->corners[part->count - 1], corner, 2 * sizeof *corner) == 0)
        return;
    memcpy(part->corners[part->count++], corner, 2 * sizeof *corner);
}

// Divide a polygon along the line through two points: what is to its left, and what is to its right.
static void divide(grz_leaves *leaves, const grz_leaf_item *item, const double from[2], const double to[2],
                   divided parts[2])
{
    double left[GRZ_LEAF_CORNERS];
    const double beside[2] = {from[0] + leaves->size, from[1]};
    const double *along = from[0] == to[0] && from[1] == to[1] ? beside : to;
    parts[0].count = parts[1].count = 0;
    for (int i = 0; i < item->count; i++)
        left[i] = left_of(from, along, item->corners[i]);
    for (int i = 0; i < item->count; i++) {
        const int next = i + 1 < item->count ? i + 1 : 0, side = left[i] >= 0.0 ? 0 : 1;
        add_corner(&parts[side], item->corners[i]);
        if (side == (left[next] >= 0.0 ? 0 : 1))
            continue;
        const double share = left[i] / (left[i] - left[next]);
        double corner[2];
        for (int k = 0; k < 2; k++)
            corner[k] = item->corners[i][k] + share * (item->corners[next][k] - item->corners[i][k]) + 0.0;
        add_corner(&parts[0], corner);
        add_corner(&parts[1], corner);
        leaves->wrong += 1.5 * leaves->unit * leaves->size;
    }
    for (int i = 0; i < 2; i++)
        while (parts[i].count > 1 &&
               memcmp(parts[i].corners[0], parts[i].corners[parts[i].count - 1], sizeof parts[i].corners[0]) == 0)
            parts[i].count--;
}

// Of a polygon with as many corners as there is room for: two, with about half of them each.
static bool halve(grz_leaves *leaves, grz_leaf_item *item, const grz_allocator *allocator)
{
    const int middle = item->count / 2;
    double rest[GRZ_LEAF_CORNERS][2];
    int count = 0;
    for (int i = middle; i <= item->count; i++)
        memcpy(rest[count++], item->corners[i % item->count], sizeof rest[0]);
    return push(leaves, item->corners, middle + 1, item->depth + 1, allocator) &&
           push(leaves, rest, count, item->depth + 1, allocator);
}

// ---- Leaves -------------------------------------------------------------------------------------------------------

typedef struct leaf_work {
    grz_leaves *leaves;
    const grz_posed_border *border;
    uint32_t triangle;
    const grz_prism_frame *frame;
    grz_control *control;
} leaf_work;

// A place farther than the margin from the sides, in world coordinates. False: there is none.
static bool choose_place(const leaf_work *work, const grz_leaf_item *item, int attempt, double at[2])
{
    const double far = margin_of(work->leaves, item) + work->leaves->unit;
    double place[2];
    for (int k = 0; k < 2; k++) {
        double sum = 0.0;
        for (int i = 0; i < item->count; i++)
            sum += item->corners[i][k];
        place[k] = sum / (double)item->count;
        if (attempt > 0)
            place[k] = 0.5 * place[k] + 0.5 * item->corners[attempt % item->count][k];
        at[k] = place[k] / work->frame->scale[k];
        if (!(fabs(at[k]) <= MOST) || at[k] * work->frame->scale[k] != place[k])
            return false;
    }
    for (int i = 0; i < item->count; i++) {
        const double *a = item->corners[i], *b = item->corners[i + 1 < item->count ? i + 1 : 0];
        if (!(left_of(a, b, place) / length_of(a, b) >= far))
            return false;
    }
    return true;
}

static grz_status add_leaf(const leaf_work *work, const grz_leaf_item *item)
{
    grz_leaves *leaves = work->leaves;
    const grz_column column = {work->border->object, work->border->bvh, work->frame->axis[2], work->control};
    grz_column_numbers numbers = {.known = false};
    for (int attempt = 0; attempt < PLACE_ATTEMPTS && !numbers.known; attempt++) {
        double at[2];
        if (choose_place(work, item, attempt, at) && !grz_column_count(&column, work->triangle, at, &numbers))
            return grz_control_status(work->control);
    }
    if (!numbers.known) {
        give_up(leaves, (const double(*)[2])item->corners, item->count);
        return GRZ_OK;
    }
    const bool over = grz_winding_is_inside(work->border->rule, numbers.over),
               under = grz_winding_is_inside(work->border->rule, numbers.under);
    double around = 0.0;
    for (int i = 0; i < item->count; i++)
        around += length_of(item->corners[i], item->corners[i + 1 < item->count ? i + 1 : 0]);
    leaves->wrong += 2.0 * margin_of(leaves, item) * around;
    leaves->slack = fmax(leaves->slack, margin_of(leaves, item));
    if (over == under)
        return GRZ_OK;
    if (!grz_array_add(grz_control_allocator(work->control), &leaves->leaves))
        return GRZ_ERROR_MEMORY;
    grz_leaf *leaf = &leaves->leaves.items[leaves->leaves.count - 1];
    leaf->count = item->count;
    leaf->below = under;
    memcpy(leaf->corners, item->corners, sizeof leaf->corners);
    return GRZ_OK;
}

// Take the last item: divide it, or make it a leaf.
static grz_status take_item(const leaf_work *work)
{
    grz_leaves *leaves = work->leaves;
    const grz_allocator *allocator = grz_control_allocator(work->control);
    grz_leaf_item item = leaves->stack.items[--leaves->stack.count];
    const double margin = margin_of(leaves, &item) - 2.0 * leaves->unit;
    if (!grz_array_reserve(allocator, &leaves->kept, item.cut_count))
        return GRZ_ERROR_MEMORY;
    leaves->kept.count = item.cut_count;
    if (item.cut_count > 0)
        memcpy(leaves->kept.items, leaves->lists.items + item.first, item.cut_count * sizeof *leaves->kept.items);
    leaves->lists.count = item.first;
    if (item.cut_count > 0 && item.count == GRZ_LEAF_CORNERS)
        return halve(leaves, &item, allocator) ? GRZ_OK : GRZ_ERROR_MEMORY;
    // From the middle on: cuts beside each other are halved again and again.
    for (size_t i = 0; i < item.cut_count; i++) {
        const grz_leaf_cut *cut = &leaves->cuts.items[leaves->kept.items[(i + item.cut_count / 2) % item.cut_count]];
        divided parts[2];
        if (!goes_through(&item, cut, margin))
            continue;
        divide(leaves, &item, cut->ends[0], cut->ends[1], parts);
        for (int k = 0; k < 2; k++)
            if (!push(leaves, parts[k].corners, parts[k].count, item.depth + 1, allocator))
                return GRZ_ERROR_MEMORY;
        return GRZ_OK;
    }
    return add_leaf(work, &item);
}

// The part of the triangle in the window, as the first item.
static grz_status begin(grz_leaves *leaves, const grz_prism *whole, const double window[2][2],
                        const grz_allocator *allocator)
{
    grz_leaf_item item = {.count = 3};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++)
            item.corners[i][k] = whole->outline[i][k] + 0.0;
    for (int side = 0; side < 4 && item.count >= 3; side++) {
        // Around the window, counter-clockwise.
        const double from[2] = {window[side == 1 || side == 2][0], window[side >= 2][1]},
                     to[2] = {window[side == 0 || side == 1][0], window[side == 1 || side == 2][1]};
        divided parts[2];
        bool outside = false;
        for (int i = 0; i < item.count; i++)
            outside = outside || left_of(from, to, item.corners[i]) < 0.0;
        if (!outside)
            continue;
        divide(leaves, &item, from, to, parts);
        item.depth++;
        leaves->wrong += 3.0 * leaves->unit * leaves->size; // what is left out, and yet in the window
        if (parts[0].count > GRZ_LEAF_CORNERS) {
            give_up(leaves, (const double(*)[2])parts[0].corners, parts[0].count);
            return GRZ_OK;
        }
        item.count = parts[0].count;
        memcpy(item.corners, parts[0].corners, (size_t)item.count * sizeof item.corners[0]);
    }
    if (!grz_array_reserve(allocator, &leaves->kept, leaves->cuts.count))
        return GRZ_ERROR_MEMORY;
    leaves->kept.count = leaves->cuts.count;
    for (size_t i = 0; i < leaves->cuts.count; i++)
        leaves->kept.items[i] = (uint32_t)i;
    return push(leaves, item.corners, item.count, item.depth, allocator) ? GRZ_OK : GRZ_ERROR_MEMORY;
}

grz_status grz_leaves_cut(grz_leaves *leaves, const grz_posed_border *border, uint32_t triangle,
                          const grz_prism_frame *frame, const grz_prism *whole, const double window[2][2],
                          grz_control *control)
{
    const leaf_work work = {leaves, border, triangle, frame, control};
    leaves->leaves.count = leaves->stack.count = leaves->lists.count = 0;
    leaves->wrong = leaves->slack = 0.0;
    if (!(window[0][0] < window[1][0] && window[0][1] < window[1][1]))
        return GRZ_OK;
    grz_status status = list_cuts(leaves, border, triangle, frame, window, control);
    if (status != GRZ_OK)
        return status;
    set_unit(leaves, whole);
    status = begin(leaves, whole, window, grz_control_allocator(control));
    for (size_t step = 0; status == GRZ_OK && leaves->stack.count > 0; step++)
        status = grz_control_expired_at(control, step, CHECK_BITS) ? grz_control_status(control) : take_item(&work);
    leaves->wrong *= MORE;
    return status;
}

void grz_leaves_finish(grz_leaves *leaves, grz_control *control)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    grz_array_finish(allocator, &leaves->leaves);
    grz_array_finish(allocator, &leaves->cuts);
    grz_array_finish(allocator, &leaves->stack);
    grz_array_finish(allocator, &leaves->lists);
    grz_array_finish(allocator, &leaves->kept);
}
