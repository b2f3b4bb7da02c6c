// SPDX-License-Identifier: MIT
// Sorted lists of pairs: made from numbers, merged with what an update found and lost, filtered.
#include <assert.h>
#include <string.h>

#include "base/control.h"
#include "space/pairs/pairs_parts.h"

enum {
    PART = 1 << 16 // candidates filtered between two checks of the control
};

static uint64_t number_at(const grz_pairs_list *list, size_t at)
{
    return (uint64_t)list->items[at].a << 32 | list->items[at].b;
}

// The first place from `first` on, before `end`, whose pair is not before `number`.
static size_t place_of(const grz_pairs_list *list, size_t first, size_t end, uint64_t number)
{
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (number_at(list, middle) < number)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

bool grz_kept_lists(const grz_pairs_list *list, uint32_t x, uint32_t y)
{
    const uint64_t number = grz_pairs_number(x, y, 32);
    const size_t place = place_of(list, 0, list->count, number);
    return place < list->count && number_at(list, place) == number;
}

// Sort numbers. False: there is no memory, or the control says to end.
static bool sort(grz_kept *kept, grz_pairs_numbers *numbers, unsigned bits)
{
    return grz_array_reserve(&kept->allocator, &kept->spare, numbers->count) &&
           grz_pairs_sort(numbers->items, kept->spare.items, numbers->count, bits, kept->tools.control);
}

bool grz_kept_publish(grz_kept *kept, grz_pairs_list *list)
{
    _Static_assert(sizeof(grz_sweep_pair) == sizeof(uint64_t), "a number makes room for a pair");
    const unsigned bits = grz_kept_id_bits(kept);
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    if (!sort(kept, &kept->found, 2 * bits))
        return false;
    uint64_t *numbers = kept->found.items;
    const size_t count = kept->found.count;
    for (size_t i = 0; i < count; i++) {
        const grz_sweep_pair pair = {(uint32_t)(numbers[i] >> bits), (uint32_t)(numbers[i] & mask)};
        memcpy(&numbers[i], &pair, sizeof pair);
    }
    const grz_pairs_list old = *list;
    *list = (grz_pairs_list){(grz_sweep_pair *)(void *)numbers, count, kept->found.capacity};
    kept->found = (grz_pairs_numbers){(uint64_t *)(void *)old.items, 0, old.capacity};
    return true;
}

// Take what is in both out of both.
static void cancel(grz_pairs_numbers *x, grz_pairs_numbers *y)
{
    size_t i = 0, j = 0, kept_x = 0, kept_y = 0;
    while (i < x->count || j < y->count) {
        if (j == y->count || (i < x->count && x->items[i] < y->items[j]))
            x->items[kept_x++] = x->items[i++];
        else if (i == x->count || y->items[j] < x->items[i])
            y->items[kept_y++] = y->items[j++];
        else
            i++, j++;
    }
    x->count = kept_x;
    y->count = kept_y;
}

static void drop_gone(grz_pairs_list *list, const grz_pairs_numbers *gone)
{
    const size_t count = list->count;
    size_t place = place_of(list, 0, count, gone->items[0]), to = place;
    for (size_t i = 0; i < gone->count; i++) {
        assert(place < count && number_at(list, place) == gone->items[i]);
        const size_t next = i + 1 < gone->count ? place_of(list, place + 1, count, gone->items[i + 1]) : count;
        memmove(list->items + to, list->items + place + 1, (next - place - 1) * sizeof *list->items);
        to += next - place - 1;
        place = next;
    }
    list->count = to;
}

// From the end, so that nothing is overwritten. There is room.
static void insert_found(grz_pairs_list *list, const grz_pairs_numbers *found)
{
    size_t end = list->count;
    for (size_t i = found->count; i > 0; i--) {
        const uint64_t number = found->items[i - 1];
        const size_t place = place_of(list, 0, end, number);
        memmove(list->items + place + i, list->items + place, (end - place) * sizeof *list->items);
        list->items[place + i - 1] = (grz_sweep_pair){(uint32_t)(number >> 32), (uint32_t)number};
        end = place;
    }
    list->count += found->count;
}

bool grz_kept_merge(grz_kept *kept, grz_pairs_list *list)
{
    if (!grz_array_reserve(&kept->allocator, list, list->count + kept->found.count) ||
        !sort(kept, &kept->found, 32 + grz_kept_id_bits(kept)) || !sort(kept, &kept->gone, 32 + grz_kept_id_bits(kept)))
        return false;
    cancel(&kept->found, &kept->gone);
    if (kept->gone.count > 0)
        drop_gone(list, &kept->gone);
    insert_found(list, &kept->found);
    return true;
}

bool grz_kept_filter(grz_kept *kept)
{
    const size_t count = kept->candidates.count;
    if (!grz_array_reserve(&kept->allocator, &kept->answer, count + 1)) // one more: it is written before it is decided
        return false;
    size_t total = 0;
    for (size_t first = 0; first < count; first += PART) {
        const size_t size = count - first < PART ? count - first : PART;
        if (kept->tools.control != NULL && grz_control_expired(kept->tools.control))
            return false;
        total += GRZ_SIMD_PICK(kept->tools.simd, grz_kept_filter)(kept->candidates.items + first, size, kept->now.items,
                                                                  kept->boxes.items, kept->answer.items + total);
    }
    kept->answer.count = total;
    kept->work.filtered += count;
    return true;
}
