// SPDX-License-Identifier: MIT
// A hash set of indices, for finding equal items of an array (for example equal positions). Open addressing with linear
// probing, at most half full. A slot of eight bytes holds an index and 32 bits of its hash, so the items themselves are
// compared only when they are almost certainly equal. Callers insert in batches and prefetch the slots of a batch
// first, because the table is larger than the caches. Results depend only on the order of insertion, not on the hash.
#ifndef GRZ_MESH_INDEX_TABLE_H
#define GRZ_MESH_INDEX_TABLE_H

#include <assert.h>
#include <string.h>

#include "base/memory.h"

enum {
    GRZ_INDEX_BATCH = 32 // how many indices to prefetch and insert together
};

typedef struct grz_index_table {
    uint64_t *slots;   // 0: empty; else tag << 32 | (index + 1), where tag is the low half of the hash
    size_t slot_count; // a power of two
    unsigned shift;    // hash >> shift, its topmost bits, is the first slot to try
} grz_index_table;

// True if the items of two indices are equal.
typedef bool grz_index_equal(uint32_t a, uint32_t b, const void *context);

// Mix the bits of a number, so that each input bit affects all output bits (the finaliser of MurmurHash3, by A.
// Appleby).
static inline uint64_t grz_mix(uint64_t h)
{
    h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
    h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return h ^ h >> 33;
}

// Allocate a table for `count` indices, each below 2^32 - 1. The caller must zero the slots. False if there is no
// memory.
static inline bool grz_index_table_reserve(const grz_allocator *allocator, grz_index_table *table, size_t count)
{
    unsigned bits = 4;
    assert(count <= UINT32_MAX);
    while (((size_t)1 << bits) / 2 < count)
        bits++;
    table->slot_count = (size_t)1 << bits;
    table->shift = 64 - bits;
    table->slots = grz_allocate(allocator, table->slot_count, sizeof *table->slots);
    return table->slots != NULL;
}

// The same, with the slots zeroed.
static inline bool grz_index_table_init(const grz_allocator *allocator, grz_index_table *table, size_t count)
{
    if (!grz_index_table_reserve(allocator, table, count))
        return false;
    memset(table->slots, 0, table->slot_count * sizeof *table->slots);
    return true;
}

static inline void grz_index_table_finish(const grz_allocator *allocator, grz_index_table *table)
{
    grz_release(allocator, table->slots, table->slot_count, sizeof *table->slots);
    table->slots = NULL;
}

// Prefetch the slot of a hash.
static inline void grz_index_table_fetch(const grz_index_table *table, uint64_t hash)
{
#if defined(__GNUC__)
    __builtin_prefetch(&table->slots[hash >> table->shift], 1);
#else
    (void)table;
    (void)hash;
#endif
}

// Look for an index whose item equals that of `index`. If there is one, return it; otherwise insert `index` and return
// it.
static inline uint32_t grz_index_table_insert(grz_index_table *table, uint64_t hash, uint32_t index,
                                              grz_index_equal *equal, const void *context)
{
    uint64_t tag = hash << 32;
    assert(index < UINT32_MAX && (table->slot_count & (table->slot_count - 1)) == 0);
    for (size_t slot = hash >> table->shift;; slot = (slot + 1) & (table->slot_count - 1)) {
        uint64_t entry = table->slots[slot];
        if (entry == 0) {
            table->slots[slot] = tag | (index + 1);
            return index;
        }
        uint32_t other = (uint32_t)entry - 1;
        if ((entry ^ tag) >> 32 == 0 && equal(other, index, context))
            return other;
    }
}

#endif
