// SPDX-License-Identifier: MIT
// A uniform grid: the box of all items is cut into equal cells, about as many as there are items, and each cell lists
// the items whose boxes reach into it. An item that would be in too many cells is in a list of large ones, which every
// query looks at. Source: the space subdivisions of T. Munzner's lecture on collision detection.
// The cell of a coordinate is found by operations that are monotone in it, whatever they round; what lies outside of
// the grid counts as in its outermost cells. So two boxes with a point in common have its cell in common. An item in
// several cells is reported in the first cell that it has in common with what is asked for.
#include <math.h>
#include <string.h>

#include "base/sort/sort.h"
#include "space/flat/flat_distance.h"
#include "space/flat/flat_structure.h"

enum {
    CHECK_BITS = 8,
    MOST_CELLS_OF_ITEM = 64, // an item in more is large
    MOST_CELLS = 1 << 26,
    FEW = 16 // a cell with more items is swept
};

static const uint32_t NONE = UINT32_MAX;
static const double TINY = 0x1p-900;      // a grid narrower than that has one column
static const double ROUNDED = 0x1p-46;    // where cells begin, and lines: relative to what they came from
static const double UNDERFLOW = 0x1p-700; // a slope may lose so much, times the largest coordinate

typedef struct link {
    uint32_t number, next;
} link;

typedef struct cells {
    double min[2], per_unit[2]; // cells in a unit of length; 0: one cell
    double size[2];             // of the grid
    double low[2], high[2];     // all items are in this box; larger perhaps than they need
    uint32_t counts[2];
    uint32_t *first; // for each cell: its first link
    size_t first_count;
    GRZ_ARRAY(link) links;
    uint32_t free_link; // a list of free ones
    size_t free_count;
    GRZ_ARRAY(uint32_t) large; // room for all
    uint32_t *large_at;        // for each number: where it is in `large`, or NONE
    size_t capacity;
} cells;

// Of cells, inclusive.
typedef struct range {
    uint32_t low[2], high[2];
} range;

static uint32_t cell_of(const cells *c, int axis, double x)
{
    const double at = (x - c->min[axis]) * c->per_unit[axis];
    if (!(at > 0.0))
        return 0;
    return at < (double)c->counts[axis] ? (uint32_t)at : c->counts[axis] - 1;
}

static range range_of(const cells *c, const grz_flat_held *box)
{
    range r;
    for (int k = 0; k < 2; k++) {
        r.low[k] = cell_of(c, k, box->min[k]);
        r.high[k] = cell_of(c, k, box->max[k]);
    }
    return r;
}

static uint64_t size_of(const range *r)
{
    return (uint64_t)(r->high[0] - r->low[0] + 1) * (r->high[1] - r->low[1] + 1);
}

static size_t cell_at(const cells *c, uint32_t x, uint32_t y)
{
    return (size_t)y * c->counts[0] + x;
}

// ---- Building -------------------------------------------------------------------------------------------------------

// The box of all items, how many there are, and their mean size along each axis.
static size_t measure(const grz_flat_items *items, double min[2], double max[2], double mean[2])
{
    size_t count = 0;
    for (int k = 0; k < 2; k++) {
        min[k] = HUGE_VAL;
        max[k] = -HUGE_VAL;
        mean[k] = 0.0;
    }
    for (size_t i = 0; i < items->count; i++) {
        const grz_flat_held *item = &items->items[i];
        if (item->form == GRZ_FLAT_ABSENT)
            continue;
        count++;
        for (int k = 0; k < 2; k++) {
            min[k] = item->min[k] < min[k] ? item->min[k] : min[k];
            max[k] = item->max[k] > max[k] ? item->max[k] : max[k];
            mean[k] += item->max[k] - item->min[k];
        }
    }
    for (int k = 0; k < 2 && count > 0; k++)
        mean[k] /= (double)count;
    return count;
}

// Cells as large as the mean item at least, and about as many as items.
static void choose_cells(cells *c, const grz_flat_items *items)
{
    double max[2], mean[2];
    const size_t count = measure(items, c->min, max, mean);
    const double wanted = count < MOST_CELLS ? (double)count : MOST_CELLS;
    double side = 0.0;
    for (int k = 0; k < 2; k++) {
        c->size[k] = count > 0 ? max[k] - c->min[k] : 0.0;
        side = fmax(side, fmax(mean[k], c->size[k] / wanted));
        c->low[k] = c->min[k];
        c->high[k] = max[k];
    }
    side = fmax(side, sqrt(c->size[0]) * sqrt(c->size[1]) / sqrt(wanted));
    for (int k = 0; k < 2; k++) {
        const double cells_along = c->size[k] > TINY ? c->size[k] / side : 1.0;
        c->counts[k] = cells_along > 1.0 ? (uint32_t)cells_along : 1;
        c->per_unit[k] = c->counts[k] > 1 ? (double)c->counts[k] / c->size[k] : 0.0;
        c->min[k] = count > 0 ? c->min[k] : 0.0;
    }
}

static void destroy(void *state, const grz_allocator *allocator)
{
    cells *c = state;
    if (c == NULL)
        return;
    grz_release(allocator, c->first, c->first_count, sizeof *c->first);
    grz_array_finish(allocator, &c->links);
    grz_array_finish(allocator, &c->large);
    grz_release(allocator, c->large_at, c->capacity, sizeof *c->large_at);
    grz_release(allocator, c, 1, sizeof *c);
}

static bool reserve(void *state, const grz_allocator *allocator, size_t count)
{
    cells *c = state;
    if (count <= c->capacity)
        return true;
    const size_t capacity = count > 2 * c->capacity ? count : 2 * c->capacity;
    uint32_t *large_at = grz_allocate(allocator, capacity, sizeof *large_at);
    if (large_at == NULL || !grz_array_reserve(allocator, &c->large, capacity)) {
        grz_release(allocator, large_at, capacity, sizeof *large_at);
        return false;
    }
    memset(large_at, 0xff, capacity * sizeof *large_at);
    if (c->capacity > 0)
        memcpy(large_at, c->large_at, c->capacity * sizeof *large_at);
    grz_release(allocator, c->large_at, c->capacity, sizeof *c->large_at);
    c->large_at = large_at;
    c->capacity = capacity;
    return true;
}

static void add_large(cells *c, uint32_t number)
{
    c->large_at[number] = (uint32_t)c->large.count;
    c->large.items[c->large.count++] = number;
}

// Enough links for so many more. False: no memory.
static bool have_links(cells *c, const grz_allocator *allocator, size_t more)
{
    const size_t wanted = c->links.count + (more > c->free_count ? more - c->free_count : 0);
    return wanted < NONE &&
           (wanted <= c->links.capacity || grz_array_reserve(allocator, &c->links, wanted + wanted / 4));
}

static void add_link(cells *c, size_t cell, uint32_t number)
{
    uint32_t at = c->free_link;
    if (at != NONE) {
        c->free_link = c->links.items[at].next;
        c->free_count--;
    } else {
        at = (uint32_t)c->links.count++;
    }
    c->links.items[at] = (link){number, c->first[cell]};
    c->first[cell] = at;
}

static void grow_box(cells *c, const grz_flat_held *item)
{
    for (int k = 0; k < 2; k++) {
        c->low[k] = item->min[k] < c->low[k] ? item->min[k] : c->low[k];
        c->high[k] = item->max[k] > c->high[k] ? item->max[k] : c->high[k];
    }
}

static void insert(void *state, const grz_allocator *allocator, const grz_flat_items *items, uint32_t number)
{
    cells *c = state;
    const range r = range_of(c, &items->items[number]);
    grow_box(c, &items->items[number]);
    if (size_of(&r) > MOST_CELLS_OF_ITEM || !have_links(c, allocator, (size_t)size_of(&r))) {
        add_large(c, number); // also right where there is no memory for links
        return;
    }
    for (uint32_t y = r.low[1]; y <= r.high[1]; y++)
        for (uint32_t x = r.low[0]; x <= r.high[0]; x++)
            add_link(c, cell_at(c, x, y), number);
}

static void take_from_cell(cells *c, size_t cell, uint32_t number)
{
    uint32_t *from = &c->first[cell];
    while (c->links.items[*from].number != number)
        from = &c->links.items[*from].next;
    const uint32_t at = *from;
    *from = c->links.items[at].next;
    c->links.items[at].next = c->free_link;
    c->free_link = at;
    c->free_count++;
}

static void take_from_cells(cells *c, const range *r, uint32_t number)
{
    for (uint32_t y = r->low[1]; y <= r->high[1]; y++)
        for (uint32_t x = r->low[0]; x <= r->high[0]; x++)
            take_from_cell(c, cell_at(c, x, y), number);
}

static void take_large(cells *c, uint32_t number)
{
    const uint32_t at = c->large_at[number], last = c->large.items[--c->large.count];
    c->large.items[at] = last;
    c->large_at[last] = at;
    c->large_at[number] = NONE;
}

static void take_out(void *state, const grz_flat_items *items, uint32_t number)
{
    cells *c = state;
    const range r = range_of(c, &items->items[number]);
    if (c->large_at[number] != NONE)
        take_large(c, number);
    else
        take_from_cells(c, &r, number);
}

// An item that stays in its cells costs nothing.
static void replace(void *state, const grz_allocator *allocator, const grz_flat_items *items, uint32_t number,
                    const grz_flat_held *before)
{
    cells *c = state;
    const range r = range_of(c, before), now = range_of(c, &items->items[number]);
    if (c->large_at[number] != NONE) {
        take_large(c, number);
    } else if (memcmp(&r, &now, sizeof r) == 0) {
        grow_box(c, &items->items[number]);
        return;
    } else {
        take_from_cells(c, &r, number);
    }
    insert(c, allocator, items, number);
}

static bool fits(const void *state, const grz_flat_held *item)
{
    const cells *c = state;
    return item->min[0] >= c->min[0] && item->max[0] - c->min[0] <= c->size[0] && item->min[1] >= c->min[1] &&
           item->max[1] - c->min[1] <= c->size[1];
}

static void settle(void *state, const grz_flat_items *items)
{
    (void)state;
    (void)items;
}

// Call one of the two for each cell of each item: count it, or put a link into the place before the cell's last one.
// False: the control says to end.
static bool pass(cells *c, const grz_flat_items *items, grz_control *control, bool counts)
{
    for (size_t i = items->count; i-- > 0;) {
        const grz_flat_held *item = &items->items[i];
        if (grz_control_expired_at(control, i, 2 * CHECK_BITS))
            return false;
        if (item->form == GRZ_FLAT_ABSENT)
            continue;
        const range r = range_of(c, item);
        if (size_of(&r) > MOST_CELLS_OF_ITEM) {
            if (counts)
                add_large(c, (uint32_t)i);
            continue;
        }
        for (uint32_t y = r.low[1]; y <= r.high[1]; y++)
            for (uint32_t x = r.low[0]; x <= r.high[0]; x++) {
                uint32_t *at = &c->first[cell_at(c, x, y)];
                if (counts)
                    (*at)++;
                else
                    c->links.items[--*at].number = (uint32_t)i;
            }
    }
    return true;
}

// Links of one cell lie side by side, as long as nothing moves.
static grz_status fill(cells *c, const grz_flat_items *items, grz_control *control)
{
    uint64_t total = 0;
    memset(c->first, 0, c->first_count * sizeof *c->first);
    if (!pass(c, items, control, true))
        return grz_control_status(control);
    for (size_t i = 0; i < c->first_count; i++) {
        total += c->first[i];
        c->first[i] = (uint32_t)total; // the end of the cell's links
    }
    if (total >= NONE || !have_links(c, grz_control_allocator(control), (size_t)total))
        return GRZ_ERROR_MEMORY;
    c->links.count = (size_t)total;
    if (!pass(c, items, control, false))
        return grz_control_status(control);
    uint32_t end = (uint32_t)total;
    for (size_t i = c->first_count; i-- > 0;) {
        const uint32_t begin = c->first[i];
        for (uint32_t k = begin; k < end; k++)
            c->links.items[k].next = k + 1 < end ? k + 1 : NONE;
        c->first[i] = begin < end ? begin : NONE;
        end = begin;
    }
    return grz_control_expired(control) ? grz_control_status(control) : GRZ_OK;
}

static grz_status build(const grz_flat_items *items, grz_control *control, void **state)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    cells *c = grz_allocate_zeroed(allocator, 1, sizeof *c);
    grz_status status = GRZ_ERROR_MEMORY;
    *state = NULL;
    if (c == NULL)
        return status;
    choose_cells(c, items);
    c->free_link = NONE;
    const size_t count = (size_t)c->counts[0] * c->counts[1];
    c->first = grz_allocate(allocator, count, sizeof *c->first);
    c->first_count = c->first != NULL ? count : 0;
    if (c->first != NULL && reserve(c, allocator, items->count))
        status = fill(c, items, control);
    if (status == GRZ_OK)
        *state = c;
    else
        destroy(c, allocator);
    return status;
}

// ---- Boxes ----------------------------------------------------------------------------------------------------------

// Is (x, y) the first cell that an item and a range have in common?
static bool is_first(const cells *c, const range *asked, const grz_flat_held *item, uint32_t x, uint32_t y)
{
    const uint32_t low_x = cell_of(c, 0, item->min[0]), low_y = cell_of(c, 1, item->min[1]);
    return x == (low_x > asked->low[0] ? low_x : asked->low[0]) && y == (low_y > asked->low[1] ? low_y : asked->low[1]);
}

static bool near_box_in_cells(const cells *c, const grz_flat_items *items, const grz_flat_held *box,
                              grz_flat_seeker *seeker)
{
    const range asked = range_of(c, box);
    for (uint32_t y = asked.low[1]; y <= asked.high[1]; y++)
        for (uint32_t x = asked.low[0]; x <= asked.high[0]; x++)
            for (uint32_t i = c->first[cell_at(c, x, y)]; i != NONE; i = c->links.items[i].next) {
                const uint32_t number = c->links.items[i].number;
                const grz_flat_held *item = &items->items[number];
                if (grz_flat_boxes_overlap(item, box) && is_first(c, &asked, item, x, y) &&
                    !seeker->visit(seeker, number))
                    return false;
            }
    return true;
}

static bool near_box(const void *state, const grz_flat_items *items, const grz_flat_held *box, grz_flat_seeker *seeker)
{
    const cells *c = state;
    for (size_t i = 0; i < c->large.count; i++)
        if (grz_flat_boxes_overlap(&items->items[c->large.items[i]], box) && !seeker->visit(seeker, c->large.items[i]))
            return false;
    return near_box_in_cells(c, items, box, seeker);
}

// ---- Pairs ----------------------------------------------------------------------------------------------------------

typedef struct pairing {
    const cells *c;
    const grz_flat_items *items;
    grz_control *control;
    grz_flat_pair_seeker *pair;
    void *context;
    GRZ_ARRAY(uint32_t) crowd; // of a cell that is swept
} pairing;

static bool pair_in_cell(const pairing *p, uint32_t a, uint32_t b, uint32_t x, uint32_t y)
{
    const grz_flat_held *item = &p->items->items[a], *other = &p->items->items[b];
    if (!grz_flat_boxes_overlap(item, other))
        return true;
    const range r = range_of(p->c, item);
    return !is_first(p->c, &r, other, x, y) || p->pair(p->context, a, b);
}

static int compare_lows(const void *x, const void *y, void *context)
{
    const grz_flat_items *items = context;
    uint32_t a, b;
    memcpy(&a, x, sizeof a);
    memcpy(&b, y, sizeof b);
    const double low_a = items->items[a].min[0], low_b = items->items[b].min[0];
    return low_a < low_b ? -1 : low_a > low_b ? 1 : 0;
}

// Many items in a cell: sorted along the first axis.
static bool sweep_cell(pairing *p, uint32_t x, uint32_t y)
{
    grz_flat_items items = *p->items;
    const grz_status status =
        grz_sort(p->crowd.items, p->crowd.count, sizeof(uint32_t), compare_lows, &items, p->control);
    if (status != GRZ_OK) {
        grz_control_fail(p->control, status);
        return false;
    }
    for (size_t i = 0; i < p->crowd.count; i++) {
        const uint32_t a = p->crowd.items[i];
        if (grz_control_expired_at(p->control, i, CHECK_BITS))
            return false;
        for (size_t j = i + 1; j < p->crowd.count; j++) {
            const uint32_t b = p->crowd.items[j];
            if (items.items[b].min[0] > items.items[a].max[0])
                break;
            if (!pair_in_cell(p, a, b, x, y))
                return false;
        }
    }
    return true;
}

static bool pairs_of_cell(pairing *p, uint32_t x, uint32_t y)
{
    const cells *c = p->c;
    const link *links = c->links.items;
    p->crowd.count = 0;
    for (uint32_t i = c->first[cell_at(c, x, y)]; i != NONE; i = links[i].next) {
        if (!grz_array_add(grz_control_allocator(p->control), &p->crowd)) {
            grz_control_fail(p->control, GRZ_ERROR_MEMORY);
            return false;
        }
        p->crowd.items[p->crowd.count - 1] = links[i].number;
    }
    if (p->crowd.count > FEW)
        return sweep_cell(p, x, y);
    for (size_t i = 0; i < p->crowd.count; i++)
        for (size_t j = i + 1; j < p->crowd.count; j++)
            if (!pair_in_cell(p, p->crowd.items[i], p->crowd.items[j], x, y))
                return false;
    return true;
}

// A large item and whatever overlaps its box; two large ones once.
typedef struct large_seeker {
    grz_flat_seeker seeker;
    const pairing *p;
    uint32_t number;
} large_seeker;

static bool visit_beside_large(grz_flat_seeker *seeker, uint32_t number)
{
    const large_seeker *s = (const large_seeker *)seeker;
    return s->p->pair(s->p->context, s->number, number);
}

static bool pairs_of_large(const pairing *p)
{
    const cells *c = p->c;
    for (size_t i = 0; i < c->large.count; i++) {
        const uint32_t number = c->large.items[i];
        large_seeker s = {{visit_beside_large, HUGE_VAL}, p, number};
        if (grz_control_expired_at(p->control, i, CHECK_BITS / 2) ||
            !near_box_in_cells(c, p->items, &p->items->items[number], &s.seeker))
            return false;
        for (size_t j = i + 1; j < c->large.count; j++)
            if (grz_flat_boxes_overlap(&p->items->items[number], &p->items->items[c->large.items[j]]) &&
                !p->pair(p->context, number, c->large.items[j]))
                return false;
    }
    return true;
}

static bool pairs(const void *state, const grz_flat_items *items, grz_control *control, grz_flat_pair_seeker *pair,
                  void *context)
{
    pairing p = {.c = state, .items = items, .control = control, .pair = pair, .context = context};
    bool going = pairs_of_large(&p);
    for (uint32_t y = 0; y < p.c->counts[1] && going; y++)
        for (uint32_t x = 0; x < p.c->counts[0] && going; x++)
            going = !grz_control_expired_at(control, x, CHECK_BITS) && pairs_of_cell(&p, x, y);
    grz_array_finish(grz_control_allocator(control), &p.crowd);
    return going;
}

// ---- Points ---------------------------------------------------------------------------------------------------------

// Where a cell begins, or a little below (sign -1) or above (1).
static double begin_of(const cells *c, int axis, int64_t cell, double sign)
{
    const double at = c->per_unit[axis] > 0.0 ? (double)cell / c->per_unit[axis] : 0.0;
    return c->min[axis] + at + sign * ROUNDED * (fabs(c->min[axis]) + c->size[axis]);
}

static bool visit_cell(const cells *c, const grz_flat_items *items, const double point[2], size_t cell,
                       grz_flat_seeker *seeker)
{
    for (uint32_t i = c->first[cell]; i != NONE; i = c->links.items[i].next) {
        const uint32_t number = c->links.items[i].number;
        if (grz_flat_box_gap(items->items[number].min, items->items[number].max, point) <= seeker->bound &&
            !seeker->visit(seeker, number))
            return false;
    }
    return true;
}

static bool visit_row(const cells *c, const grz_flat_items *items, const double point[2], const int64_t ends[2],
                      int64_t y, grz_flat_seeker *seeker)
{
    const int64_t last = (int64_t)c->counts[0] - 1;
    for (int64_t x = ends[0] > 0 ? ends[0] : 0; x <= ends[1] && x <= last; x++)
        if (!visit_cell(c, items, point, cell_at(c, (uint32_t)x, (uint32_t)y), seeker))
            return false;
    return true;
}

// The cells at a distance of `ring` cells from one, as far as there are any.
static bool visit_ring(const cells *c, const grz_flat_items *items, const double point[2], const int64_t middle[2],
                       int64_t ring, grz_flat_seeker *seeker)
{
    const int64_t low = middle[1] - ring, high = middle[1] + ring, last = (int64_t)c->counts[1] - 1;
    const int64_t row[2] = {middle[0] - ring, middle[0] + ring}, left[2] = {row[0], row[0]},
                  right[2] = {row[1], row[1]};
    for (int64_t y = low > 0 ? low : 0; y <= high && y <= last; y++) {
        const bool is_whole = y == low || y == high;
        if (!visit_row(c, items, point, is_whole ? row : left, y, seeker) ||
            (!is_whole && !visit_row(c, items, point, right, y, seeker)))
            return false;
    }
    return true;
}

// Items that are in no ring before this one are at least so far away. HUGE_VAL: there are none.
static double ring_distance(const cells *c, const double point[2], const int64_t middle[2], int64_t ring)
{
    double least = HUGE_VAL;
    for (int k = 0; k < 2; k++) {
        double low[2] = {c->low[0], c->low[1]}, high[2] = {c->high[0], c->high[1]};
        if (middle[k] + ring < c->counts[k]) {
            low[k] = fmax(low[k], begin_of(c, k, middle[k] + ring, -1.0));
            least = fmin(least, grz_flat_box_gap(low, high, point));
        }
        low[k] = c->low[k];
        if (middle[k] - ring >= 0) {
            high[k] = fmin(high[k], begin_of(c, k, middle[k] - ring + 1, 1.0));
            least = fmin(least, grz_flat_box_gap(low, high, point));
        }
    }
    return least;
}

static bool near_point(const void *state, const grz_flat_items *items, const double point[2], grz_flat_seeker *seeker)
{
    const cells *c = state;
    const int64_t middle[2] = {cell_of(c, 0, point[0]), cell_of(c, 1, point[1])};
    for (size_t i = 0; i < c->large.count; i++) {
        const grz_flat_held *item = &items->items[c->large.items[i]];
        if (grz_flat_box_gap(item->min, item->max, point) <= seeker->bound && !seeker->visit(seeker, c->large.items[i]))
            return false;
    }
    for (int64_t ring = 0;; ring++) {
        const double distance = ring == 0 ? 0.0 : ring_distance(c, point, middle, ring);
        if (distance == HUGE_VAL || distance > seeker->bound)
            return true;
        if (!visit_ring(c, items, point, middle, ring, seeker))
            return false;
    }
}

// ---- Lines ----------------------------------------------------------------------------------------------------------

// A line's interval across, while its coordinate along `axis` is between low and high, a little larger. The line is not
// across the axis.
static void interval_across(const grz_flat_line *line, int axis, double low, double high, double out[2])
{
    const int other = 1 - axis;
    const double slope = line->way[other] / line->way[axis], begin = (low - line->from[axis]) * slope,
                 end = (high - line->from[axis]) * slope;
    const double off = ROUNDED * (fabs(line->from[other]) + fabs(begin) + fabs(end)) + UNDERFLOW;
    const double least = line->from[other] + fmin(begin, end) - off, most = line->from[other] + fmax(begin, end) + off;
    // Also where they are no numbers, because the slope is infinite.
    out[0] = least >= line->box.min[other] ? least : line->box.min[other];
    out[1] = most <= line->box.max[other] ? most : line->box.max[other];
}

// The cells of one column (along the axis) that a line may be in.
static bool visit_column(const cells *c, const grz_flat_items *items, const grz_flat_line *line, int axis, int64_t at,
                         grz_flat_seeker *seeker)
{
    const double begin = at == 0 ? c->low[axis] : begin_of(c, axis, at, -1.0),
                 end = at + 1 == c->counts[axis] ? c->high[axis] : begin_of(c, axis, at + 1, 1.0);
    const double low = fmax(begin, line->box.min[axis]), high = fmin(end, line->box.max[axis]);
    double across[2];
    interval_across(line, axis, low, high, across);
    const uint32_t first = cell_of(c, 1 - axis, across[0]), last = cell_of(c, 1 - axis, across[1]);
    for (uint32_t i = first; i <= last; i++) {
        const size_t cell = axis == 0 ? cell_at(c, (uint32_t)at, i) : cell_at(c, i, (uint32_t)at);
        for (uint32_t j = c->first[cell]; j != NONE; j = c->links.items[j].next)
            if (!grz_flat_visit_on_line(items, line, c->links.items[j].number, seeker))
                return false;
    }
    return true;
}

// The lowest t at which a line may be in a column or in those after it.
static double column_entry(const cells *c, const grz_flat_line *line, int axis, int64_t at)
{
    const bool up = line->way[axis] > 0.0;
    if (at == (up ? 0 : (int64_t)c->counts[axis] - 1))
        return 0.0;
    const double begin = begin_of(c, axis, up ? at : at + 1, up ? -1.0 : 1.0),
                 t = (begin - line->from[axis]) / line->way[axis];
    return t > 0.0 ? t - t * ROUNDED : 0.0;
}

static bool near_line(const void *state, const grz_flat_items *items, const grz_flat_line *line,
                      grz_flat_seeker *seeker)
{
    const cells *c = state;
    for (size_t i = 0; i < c->large.count; i++)
        if (!grz_flat_visit_on_line(items, line, c->large.items[i], seeker))
            return false;
    const double way_x = fabs(line->way[0]) * c->per_unit[0], way_y = fabs(line->way[1]) * c->per_unit[1];
    const int axis = line->way[0] == 0.0 || (way_y > way_x && line->way[1] != 0.0) ? 1 : 0;
    const int64_t low = cell_of(c, axis, line->box.min[axis]), high = cell_of(c, axis, line->box.max[axis]);
    if (line->way[axis] == 0.0) // a point
        return visit_cell(c, items, line->from, cell_at(c, cell_of(c, 0, line->from[0]), cell_of(c, 1, line->from[1])),
                          seeker);
    const int64_t step = line->way[axis] > 0.0 ? 1 : -1;
    for (int64_t at = step > 0 ? low : high; at >= low && at <= high; at += step) {
        if (column_entry(c, line, axis, at) > seeker->bound)
            return true;
        if (!visit_column(c, items, line, axis, at, seeker))
            return false;
    }
    return true;
}

const grz_flat_structure grz_flat_cells = {build,  destroy, reserve, insert,   take_out,   replace,
                                           settle, fits,    pairs,   near_box, near_point, near_line};
