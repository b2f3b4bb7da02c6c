// SPDX-License-Identifier: MIT
// The memory of a scene, as compressed rows: one row of partners for each object, and one byte for each answer. It is
// written anew after a query that found something new, with the pairs of the broad phase as the template.
#include "query/pair_cache.h"

#include "base/control.h"

#include <assert.h>

enum {
    CHECK_BITS = 18 // pairs between two checks of the control, as a power of two
};

void grz_pair_cache_forget(const grz_allocator *allocator, grz_pair_cache *cache)
{
    grz_release(allocator, cache->rows, cache->row_count + 1, sizeof *cache->rows);
    grz_release(allocator, cache->others, cache->count, sizeof *cache->others);
    grz_release(allocator, cache->codes, cache->count, sizeof *cache->codes);
    cache->rows = NULL;
    cache->others = NULL;
    cache->codes = NULL;
    cache->row_count = cache->count = 0;
}

unsigned grz_pair_cache_code(grz_pair_cache *cache, const grz_known *known)
{
    grz_known plain = *known;
    if (plain.containment == GRZ_CONTAINMENT_NOT_ASKED)
        plain.rule = GRZ_EVEN_ODD;
    unsigned code = GRZ_CODE_UNKNOWN + 1;
    for (; code < cache->known_count; code++) {
        const grz_known *other = &cache->known[code];
        if (other->relation == plain.relation && other->containment == plain.containment && other->rule == plain.rule &&
            other->reason == plain.reason)
            return code;
    }
    assert(code < GRZ_MOST_CODES);
    cache->known[code] = plain;
    cache->known_count = code + 1;
    return code;
}

static unsigned code_of(unsigned char code)
{
    return code & GRZ_CODE_MASK;
}

// Allocate the arrays for `count` pairs of `objects` objects. False: there is no memory; nothing is remembered then.
static bool make_room(const grz_allocator *allocator, grz_pair_cache *cache, size_t count, uint32_t objects)
{
    cache->row_count = objects;
    cache->count = count;
    cache->rows = grz_allocate(allocator, (size_t)objects + 1, sizeof *cache->rows);
    cache->others = grz_allocate(allocator, count, sizeof *cache->others);
    cache->codes = grz_allocate(allocator, count, sizeof *cache->codes);
    if (cache->rows != NULL && cache->others != NULL && cache->codes != NULL)
        return true;
    grz_pair_cache_forget(allocator, cache);
    return false;
}

grz_status grz_pair_cache_replace(grz_pair_cache *cache, const grz_sweep_pair *pairs, const unsigned char *codes,
                                  size_t count, uint32_t objects, grz_control *control)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    size_t known = 0, next = 0;
    uint32_t row = 0;
    grz_pair_cache_forget(allocator, cache);
    for (size_t i = 0; i < count; i++)
        known += code_of(codes[i]) != GRZ_CODE_UNKNOWN;
    if (known == 0 || !make_room(allocator, cache, known, objects))
        return GRZ_OK;
    for (size_t i = 0; i < count; i++) {
        if (grz_control_expired_at(control, i, CHECK_BITS)) {
            grz_pair_cache_forget(allocator, cache);
            return grz_control_status(control);
        }
        if (code_of(codes[i]) == GRZ_CODE_UNKNOWN)
            continue;
        assert(pairs[i].a < objects && next < known);
        while (row <= pairs[i].a)
            cache->rows[row++] = next;
        cache->others[next] = pairs[i].b;
        cache->codes[next++] = (unsigned char)code_of(codes[i]);
    }
    while (row <= objects)
        cache->rows[row++] = next;
    assert(next == known);
    return GRZ_OK;
}
