// SPDX-License-Identifier: MIT
// No structure: every item is proposed. What the others are compared with.
#include "space/flat/flat_structure.h"

enum {
    CHECK_BITS = 6 // items between two checks of the control, as a power of two
};

static grz_status build(const grz_flat_items *items, grz_control *control, void **state)
{
    (void)items;
    *state = NULL;
    return grz_control_status(control);
}

static void destroy(void *state, const grz_allocator *allocator)
{
    (void)state;
    (void)allocator;
}

static bool reserve(void *state, const grz_allocator *allocator, size_t count)
{
    (void)state;
    (void)allocator;
    (void)count;
    return true;
}

static void insert(void *state, const grz_allocator *allocator, const grz_flat_items *items, uint32_t number)
{
    (void)state;
    (void)allocator;
    (void)items;
    (void)number;
}

static void take_out(void *state, const grz_flat_items *items, uint32_t number)
{
    (void)state;
    (void)items;
    (void)number;
}

static void replace(void *state, const grz_allocator *allocator, const grz_flat_items *items, uint32_t number,
                    const grz_flat_held *before)
{
    (void)state;
    (void)allocator;
    (void)items;
    (void)number;
    (void)before;
}

static void settle(void *state, const grz_flat_items *items)
{
    (void)state;
    (void)items;
}

static bool fits(const void *state, const grz_flat_held *item)
{
    (void)state;
    (void)item;
    return true;
}

static bool is_there(const grz_flat_items *items, size_t i)
{
    return items->items[i].form != GRZ_FLAT_ABSENT;
}

static bool pairs(const void *state, const grz_flat_items *items, grz_control *control, grz_flat_pair_seeker *pair,
                  void *context)
{
    (void)state;
    for (size_t i = 0; i < items->count; i++) {
        if (grz_control_expired_at(control, i, CHECK_BITS))
            return false;
        for (size_t j = i + 1; is_there(items, i) && j < items->count; j++)
            if (is_there(items, j) && grz_flat_boxes_overlap(&items->items[i], &items->items[j]) &&
                !pair(context, (uint32_t)i, (uint32_t)j))
                return false;
    }
    return true;
}

static bool near_box(const void *state, const grz_flat_items *items, const grz_flat_held *box, grz_flat_seeker *seeker)
{
    (void)state;
    for (size_t i = 0; i < items->count; i++)
        if (is_there(items, i) && grz_flat_boxes_overlap(&items->items[i], box) && !seeker->visit(seeker, (uint32_t)i))
            return false;
    return true;
}

static bool visit_all(const grz_flat_items *items, grz_flat_seeker *seeker)
{
    for (size_t i = 0; i < items->count; i++)
        if (is_there(items, i) && !seeker->visit(seeker, (uint32_t)i))
            return false;
    return true;
}

static bool near_point(const void *state, const grz_flat_items *items, const double point[2], grz_flat_seeker *seeker)
{
    (void)state;
    (void)point;
    return visit_all(items, seeker);
}

static bool near_line(const void *state, const grz_flat_items *items, const grz_flat_line *line,
                      grz_flat_seeker *seeker)
{
    (void)state;
    (void)line;
    return visit_all(items, seeker);
}

const grz_flat_structure grz_flat_list = {build,  destroy, reserve, insert,   take_out,   replace,
                                          settle, fits,    pairs,   near_box, near_point, near_line};
