// SPDX-License-Identifier: MIT
// Sets of items of the plane: made, changed, looked at. A change is checked first, whole, and memory is reserved; then
// nothing can fail, and a call that is ended puts back what it has changed. Where a structure has worn out, new items
// and a new structure are made beside the old ones, and take their place if all goes well. So a set is unchanged after
// a failure.
#include "space/flat/flat_set.h"

#include <limits.h>
#include <string.h>

#include "base/device.h"
#include "base/fail.h"
#include "base/options.h"

enum {
    CHECK_BITS = 12,
    // When another structure is made: one item in so many is where it was not made for; there are so many times as many
    // items or as few; each item has changed so often.
    MISFITS = 64,
    GROWTH = 2,
    WEAR = 16
};

static const uint64_t MOST_ITEMS = UINT32_MAX - 1;

static const grz_flat_options defaults = {.size = sizeof(grz_flat_options), .search = GRZ_FLAT_QUADTREE};
static const grz_options_type options_type = GRZ_LIMITED_OPTIONS_TYPE(flat_options, defaults);

void grz_flat_options_init(grz_flat_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

static grz_status refuse(grz_error *error, uint64_t element, const char *what)
{
    return grz_fail(error, GRZ_ERROR_ARGUMENT, element, "flat: %s", what);
}

grz_status grz_flat_need(const void *pointer, const char *what, grz_error *error)
{
    if (pointer != NULL)
        return GRZ_OK;
    return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "flat: %s NULL", what);
}

grz_status grz_flat_check_point(const double point[2], const char *what, uint64_t element, grz_error *error)
{
    for (int k = 0; k < 2; k++) {
        const char *fault = grz_flat_coordinate_fault(point[k]), axis = k == 0 ? 'x' : 'y';
        if (fault != NULL && element == GRZ_NO_ELEMENT)
            return grz_fail(error, GRZ_ERROR_ARGUMENT, element, "flat: %c of %s %s", axis, what, fault);
        if (fault != NULL)
            return grz_fail(error, GRZ_ERROR_ARGUMENT, element, "flat: %c of %s %llu %s", axis, what,
                            (unsigned long long)element, fault);
    }
    return GRZ_OK;
}

grz_status grz_flat_begin(grz_call *call, const grz_flat *flat, const grz_flat_options *given, grz_error *error)
{
    grz_flat_options options;
    if (flat == NULL) {
        grz_call_begin(call, "flat", NULL, NULL, NULL, NULL, NULL);
        return refuse(error, GRZ_NO_ELEMENT, "the set is NULL");
    }
    return grz_call_begin(call, "flat", flat->device, &options_type, given, &options, error);
}

// ---- Making a set ---------------------------------------------------------------------------------------------------

static const grz_flat_structure *structure_of(grz_flat_search search)
{
    switch (search) {
    case GRZ_FLAT_NAIVE:
        return &grz_flat_list;
    case GRZ_FLAT_GRID:
        return &grz_flat_cells;
    case GRZ_FLAT_QUADTREE:
        return &grz_flat_tree;
    case GRZ_FLAT_SWEEP:
        return &grz_flat_sorted;
    }
    return NULL;
}

static grz_status read_item(const grz_flat_item *given, uint64_t i, grz_flat_held *out, grz_error *error)
{
    char fault[GRZ_FLAT_FAULT];
    if (grz_flat_read(given, out, fault))
        return GRZ_OK;
    return grz_fail(error, GRZ_ERROR_ARGUMENT, i, "flat: item %llu: %s", (unsigned long long)i, fault);
}

static bool grow_items(grz_flat_items *items, const grz_allocator *allocator, size_t count)
{
    return grz_array_reserve(allocator, items, count);
}

static grz_status read_items(grz_flat *flat, const grz_flat_item *given, uint64_t count, grz_call *call)
{
    if (count > MOST_ITEMS)
        return grz_fail(call->error, GRZ_ERROR_LIMIT, GRZ_NO_ELEMENT, "flat: %llu items, at most %llu are possible",
                        (unsigned long long)count, (unsigned long long)MOST_ITEMS);
    if (count > 0 && !grow_items(&flat->items, grz_control_allocator(&call->control), (size_t)count))
        return GRZ_ERROR_MEMORY;
    for (uint64_t i = 0; i < count; i++) {
        if (grz_control_expired_at(&call->control, (size_t)i, CHECK_BITS))
            return grz_control_status(&call->control);
        const grz_status status = read_item(&given[i], i, &flat->items.items[i], call->error);
        if (status != GRZ_OK)
            return status;
    }
    flat->items.count = (size_t)count;
    flat->live = flat->count_at_build = count;
    flat->free_from = (uint32_t)count;
    return GRZ_OK;
}

static grz_status create(grz_call *call, const grz_flat_item *items, uint64_t count, grz_flat_search search,
                         grz_flat **out)
{
    grz_status status = count > 0 ? grz_flat_need(items, "the items are", call->error) : GRZ_OK;
    if (status != GRZ_OK)
        return status;
    const grz_flat_structure *structure = structure_of(search);
    if (structure == NULL)
        return grz_fail(call->error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "flat: options.search is %d", (int)search);
    grz_flat *flat = grz_allocate_zeroed(grz_control_allocator(&call->control), 1, sizeof *flat);
    if (flat == NULL)
        return GRZ_ERROR_MEMORY;
    flat->device = call->device;
    flat->allocator = grz_device_allocator(call->device);
    flat->structure = structure;
    grz_device_retain(flat->device);
    status = read_items(flat, items, count, call);
    if (status == GRZ_OK)
        status = structure->build(&flat->items, &call->control, &flat->state);
    if (status != GRZ_OK) {
        grz_flat_destroy(flat);
        return status;
    }
    *out = flat;
    return GRZ_OK;
}

grz_status grz_flat_create(grz_device *device, const grz_flat_item *items, uint64_t count,
                           const grz_flat_options *options, grz_flat **flat, grz_error *error)
{
    grz_call call;
    grz_flat_options read;
    if (flat != NULL)
        *flat = NULL;
    grz_status status = grz_call_begin(&call, "flat", device, &options_type, options, &read, error);
    if (status == GRZ_OK && flat == NULL)
        status = refuse(error, GRZ_NO_ELEMENT, "the place for the set is NULL");
    if (status == GRZ_OK && flat != NULL)
        status = grz_call_explain(&call, create(&call, items, count, read.search, flat));
    return grz_call_end(&call, status);
}

void grz_flat_destroy(grz_flat *flat)
{
    if (flat == NULL)
        return;
    grz_device *device = flat->device;
    flat->structure->destroy(flat->state, flat->allocator);
    grz_array_finish(flat->allocator, &flat->items);
    grz_release(flat->allocator, flat, 1, sizeof *flat);
    grz_device_release(device);
}

uint64_t grz_flat_count(const grz_flat *flat)
{
    return flat != NULL ? flat->live : 0;
}

static bool has_item(const grz_flat *flat, uint32_t number)
{
    return number < flat->items.count && flat->items.items[number].form != GRZ_FLAT_ABSENT;
}

bool grz_flat_item_at(const grz_flat *flat, uint32_t number, grz_flat_item *item)
{
    if (item != NULL)
        memset(item, 0, sizeof *item);
    if (flat == NULL || item == NULL || !has_item(flat, number))
        return false;
    *item = grz_flat_given(&flat->items.items[number]);
    return true;
}

// ---- Changing it ----------------------------------------------------------------------------------------------------

// A change: item `numbers[i]` becomes items[i], or, without items, is gone.
typedef struct change {
    const uint32_t *numbers;
    grz_flat_held *items; // NULL: they are taken out
    uint64_t count;
    size_t end; // numbers are below this
} change;

static grz_flat_held changed_item(const change *c, uint64_t i)
{
    return c->items != NULL ? c->items[i] : (grz_flat_held){.form = GRZ_FLAT_ABSENT};
}

static void clear_items(grz_flat_items *items, size_t from, size_t end)
{
    for (size_t i = from; i < end; i++)
        items->items[i] = (grz_flat_held){.form = GRZ_FLAT_ABSENT};
}

// New items and a new structure, which then take the place of the old ones.
static grz_status change_all(grz_flat *flat, const change *c, grz_call *call)
{
    const grz_allocator *allocator = grz_control_allocator(&call->control);
    grz_flat_items items = {0};
    void *state = NULL;
    if (!grow_items(&items, allocator, c->end) || items.items == NULL)
        return GRZ_ERROR_MEMORY;
    items.count = c->end;
    if (flat->items.count > 0)
        memcpy(items.items, flat->items.items, flat->items.count * sizeof *items.items);
    clear_items(&items, flat->items.count, c->end);
    for (uint64_t i = 0; i < c->count; i++)
        items.items[c->numbers[i]] = changed_item(c, i);
    const grz_status status = flat->structure->build(&items, &call->control, &state);
    if (status != GRZ_OK) {
        grz_array_finish(allocator, &items);
        return status;
    }
    flat->structure->destroy(flat->state, flat->allocator);
    grz_array_finish(flat->allocator, &flat->items);
    flat->items = items;
    flat->state = state;
    flat->changes = flat->misfits = 0;
    flat->count_at_build = 0;
    for (size_t i = 0; i < items.count; i++)
        flat->count_at_build += items.items[i].form != GRZ_FLAT_ABSENT ? 1 : 0;
    return GRZ_OK;
}

// Put an item, or none, into the place of what is there.
static void put(grz_flat *flat, const grz_allocator *allocator, uint32_t number, const grz_flat_held *item)
{
    const grz_flat_structure *structure = flat->structure;
    const grz_flat_held before = flat->items.items[number];
    if (before.form != GRZ_FLAT_ABSENT && item->form == GRZ_FLAT_ABSENT)
        structure->remove(flat->state, &flat->items, number);
    flat->items.items[number] = *item;
    if (before.form != GRZ_FLAT_ABSENT && item->form != GRZ_FLAT_ABSENT)
        structure->replace(flat->state, allocator, &flat->items, number, &before);
    else if (item->form != GRZ_FLAT_ABSENT)
        structure->insert(flat->state, allocator, &flat->items, number);
}

// `before` receives what was there, so that a call that is ended can put it back.
static grz_status put_all(grz_flat *flat, const change *c, grz_flat_held *before, grz_call *call)
{
    const grz_allocator *allocator = grz_control_allocator(&call->control);
    uint64_t done = 0;
    for (; done < c->count && !grz_control_expired_at(&call->control, (size_t)done, CHECK_BITS); done++) {
        const grz_flat_held item = changed_item(c, done);
        before[done] = flat->items.items[c->numbers[done]];
        put(flat, allocator, c->numbers[done], &item);
    }
    const bool is_done = done == c->count;
    while (!is_done && done-- > 0)
        put(flat, allocator, c->numbers[done], &before[done]);
    flat->structure->settle(flat->state, &flat->items);
    return is_done ? GRZ_OK : grz_control_status(&call->control);
}

static grz_status change_in_place(grz_flat *flat, const change *c, grz_call *call)
{
    const grz_allocator *allocator = grz_control_allocator(&call->control);
    const size_t end = flat->items.count;
    grz_flat_held *before = grz_allocate(allocator, (size_t)c->count, sizeof *before);
    grz_status status = GRZ_ERROR_MEMORY;
    if (before != NULL && grow_items(&flat->items, allocator, c->end) &&
        flat->structure->reserve(flat->state, allocator, c->end)) {
        clear_items(&flat->items, end, c->end);
        flat->items.count = c->end;
        status = put_all(flat, c, before, call);
        flat->items.count = status == GRZ_OK ? c->end : end;
    }
    grz_release(allocator, before, (size_t)c->count, sizeof *before);
    return status;
}

// Does the structure wear out by this change?
static bool wears_out(const grz_flat *flat, const change *c, uint64_t misfits)
{
    const uint64_t live = flat->live + (c->end > flat->items.count ? c->end - flat->items.count : 0);
    return flat->misfits + misfits > flat->count_at_build / MISFITS ||
           flat->changes + c->count > WEAR * flat->count_at_build || live > GROWTH * flat->count_at_build ||
           live < flat->count_at_build / GROWTH;
}

static grz_status apply(grz_flat *flat, const change *c, grz_call *call)
{
    uint64_t misfits = 0;
    for (uint64_t i = 0; c->items != NULL && i < c->count; i++)
        misfits += flat->structure->fits(flat->state, &c->items[i]) ? 0 : 1;
    if (c->count == 0)
        return GRZ_OK;
    if (wears_out(flat, c, misfits))
        return change_all(flat, c, call);
    const grz_status status = change_in_place(flat, c, call);
    flat->changes += c->count;
    flat->misfits += misfits;
    return status;
}

// ---- Checking a change ----------------------------------------------------------------------------------------------

// Each number has an item, and is listed once.
static grz_status check_numbers(const grz_flat *flat, const uint32_t *numbers, uint64_t count, grz_call *call)
{
    const grz_allocator *allocator = grz_control_allocator(&call->control);
    const size_t bytes = flat->items.count / CHAR_BIT + 1;
    grz_status status = GRZ_OK;
    unsigned char *seen = grz_allocate_zeroed(allocator, bytes, 1);
    if (seen == NULL)
        return GRZ_ERROR_MEMORY;
    for (uint64_t i = 0; i < count && status == GRZ_OK; i++) {
        const uint32_t number = numbers[i];
        const unsigned char bit = (unsigned char)(1U << number % CHAR_BIT);
        if (!has_item(flat, number))
            status = grz_fail(call->error, GRZ_ERROR_ARGUMENT, i, "flat: there is no item %u", number);
        else if ((seen[number / CHAR_BIT] & bit) != 0)
            status = grz_fail(call->error, GRZ_ERROR_ARGUMENT, i, "flat: item %u is listed twice", number);
        else
            seen[number / CHAR_BIT] |= bit;
    }
    grz_release(allocator, seen, bytes, 1);
    return status;
}

// A copy of what the caller gave, read; `number`: how it numbers its elements.
static grz_status read_change(const grz_flat_item *items, uint64_t count, grz_flat_held *out, grz_call *call)
{
    for (uint64_t i = 0; i < count; i++) {
        if (grz_control_expired_at(&call->control, (size_t)i, CHECK_BITS))
            return grz_control_status(&call->control);
        const grz_status status = read_item(&items[i], i, &out[i], call->error);
        if (status != GRZ_OK)
            return status;
    }
    return GRZ_OK;
}

// The lowest free numbers.
static void choose_numbers(const grz_flat *flat, uint64_t count, uint32_t *numbers)
{
    uint32_t number = flat->free_from;
    for (uint64_t i = 0; i < count; i++) {
        while (has_item(flat, number))
            number++;
        numbers[i] = number++;
    }
}

static grz_status add(grz_flat *flat, const grz_flat_item *items, uint32_t *numbers, change *c, grz_call *call)
{
    grz_status status = read_change(items, c->count, c->items, call);
    if (status != GRZ_OK)
        return status;
    choose_numbers(flat, c->count, numbers);
    const size_t end = c->count > 0 ? (size_t)numbers[c->count - 1] + 1 : 0;
    c->end = end > flat->items.count ? end : flat->items.count;
    status = apply(flat, c, call);
    if (status == GRZ_OK && c->count > 0) {
        flat->live += c->count;
        flat->free_from = numbers[c->count - 1] + 1;
    }
    return status;
}

// Memory for a change of so many items; with_numbers: also for their numbers.
typedef struct change_memory {
    grz_flat_held *items;
    uint32_t *numbers;
} change_memory;

static bool take_memory(change_memory *memory, const grz_allocator *allocator, uint64_t count, bool items, bool numbers)
{
    *memory = (change_memory){NULL, NULL};
    if (count == 0)
        return true;
    memory->items = items ? grz_allocate(allocator, (size_t)count, sizeof *memory->items) : NULL;
    memory->numbers = numbers ? grz_allocate(allocator, (size_t)count, sizeof *memory->numbers) : NULL;
    return (!items || memory->items != NULL) && (!numbers || memory->numbers != NULL);
}

static void give_memory_back(const change_memory *memory, const grz_allocator *allocator, uint64_t count)
{
    grz_release(allocator, memory->items, (size_t)count, sizeof *memory->items);
    grz_release(allocator, memory->numbers, (size_t)count, sizeof *memory->numbers);
}

grz_status grz_flat_add(grz_flat *flat, const grz_flat_item *items, uint64_t count, const grz_flat_options *options,
                        uint32_t *numbers, grz_error *error)
{
    grz_call call;
    grz_status status = grz_flat_begin(&call, flat, options, error);
    if (status == GRZ_OK && count > 0)
        status = grz_flat_need(items, "the items are", error);
    if (status == GRZ_OK && count > MOST_ITEMS - flat->live)
        status = grz_fail(error, GRZ_ERROR_LIMIT, GRZ_NO_ELEMENT, "flat: more than %llu items are not possible",
                          (unsigned long long)MOST_ITEMS);
    if (status == GRZ_OK) {
        const grz_allocator *allocator = grz_control_allocator(&call.control);
        change_memory memory;
        status = GRZ_ERROR_MEMORY;
        if (take_memory(&memory, allocator, count, true, true)) {
            change c = {.numbers = memory.numbers, .items = memory.items, .count = count};
            status = add(flat, items, memory.numbers, &c, &call);
        }
        if (status == GRZ_OK && numbers != NULL && count > 0)
            memcpy(numbers, memory.numbers, (size_t)count * sizeof *numbers);
        give_memory_back(&memory, allocator, count);
    }
    return grz_call_end(&call, grz_call_explain(&call, status));
}

static grz_status move(grz_flat *flat, const uint32_t *numbers, const grz_flat_item *items, uint64_t count,
                       change_memory *memory, grz_call *call)
{
    if (numbers == NULL) {
        for (uint64_t i = 0; i < count; i++)
            memory->numbers[i] = (uint32_t)i;
        numbers = memory->numbers;
    }
    const change c = {.numbers = numbers, .items = memory->items, .count = count, .end = flat->items.count};
    grz_status status = check_numbers(flat, numbers, count, call);
    if (status == GRZ_OK)
        status = read_change(items, count, memory->items, call);
    return status == GRZ_OK ? apply(flat, &c, call) : status;
}

grz_status grz_flat_move(grz_flat *flat, const uint32_t *numbers, const grz_flat_item *items, uint64_t count,
                         const grz_flat_options *options, grz_error *error)
{
    grz_call call;
    grz_status status = grz_flat_begin(&call, flat, options, error);
    if (status == GRZ_OK && count > 0)
        status = grz_flat_need(items, "the items are", error);
    if (status == GRZ_OK && count > flat->items.count)
        status = refuse(error, count - 1, "there are not so many items");
    if (status == GRZ_OK) {
        const grz_allocator *allocator = grz_control_allocator(&call.control);
        change_memory memory;
        status = GRZ_ERROR_MEMORY;
        if (take_memory(&memory, allocator, count, true, numbers == NULL))
            status = move(flat, numbers, items, count, &memory, &call);
        give_memory_back(&memory, allocator, count);
    }
    return grz_call_end(&call, grz_call_explain(&call, status));
}

grz_status grz_flat_remove(grz_flat *flat, const uint32_t *numbers, uint64_t count, const grz_flat_options *options,
                           grz_error *error)
{
    grz_call call;
    grz_status status = grz_flat_begin(&call, flat, options, error);
    if (status == GRZ_OK && count > 0)
        status = grz_flat_need(numbers, "the numbers are", error);
    if (status == GRZ_OK && count > 0) {
        const change c = {.numbers = numbers, .count = count, .end = flat->items.count};
        status = check_numbers(flat, numbers, count, &call);
        if (status == GRZ_OK)
            status = apply(flat, &c, &call);
        for (uint64_t i = 0; i < count && status == GRZ_OK; i++)
            flat->free_from = numbers[i] < flat->free_from ? numbers[i] : flat->free_from;
        flat->live -= status == GRZ_OK ? count : 0;
    }
    return grz_call_end(&call, grz_call_explain(&call, status));
}
