// SPDX-License-Identifier: MIT
// A set of indices found by hash: open addressing, at most half full, a slot of eight bytes holding an index and 32 bits of its
// hash, so that what the index stands for is looked at only where it is all but certain to be equal. Indices go in by batches whose
// slots are fetched ahead, for the table is larger than the caches. What comes out depends on the order of insertion alone.
#ifndef GRZ_MESH_INDEX_TABLE_H
#define GRZ_MESH_INDEX_TABLE_H

#include <string.h>

#include "base/memory.h"

enum {
    GRZ_INDEX_BATCH = 32
};

typedef struct grz_index_table {
    uint64_t *slots; // 0: empty; else tag << 32 | index + 1
    size_t slot_count;
    unsigned shift; // the hash's topmost bits choose the slot
} grz_index_table;

// Whether two indices stand for the same.
typedef bool grz_index_equal(uint32_t a, uint32_t b, const void *context);

// Spread the bits of a number over all 64 (the finaliser of MurmurHash3, by A. Appleby).
static inline uint64_t grz_mix(uint64_t h)
{
    h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
    h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return h ^ h >> 33;
}

// Room for `count` indices, below 2^32 - 1 each; the slots are to be zeroed. False where memory is short.
static inline bool grz_index_table_reserve(const grz_allocator *allocator, grz_index_table *table, size_t count)
{
    unsigned bits = 4;
    while (((size_t)1 << bits) / 2 < count)
        bits++;
    table->slot_count = (size_t)1 << bits;
    table->shift = 64 - bits;
    table->slots = grz_allocate(allocator, table->slot_count, sizeof *table->slots);
    return table->slots != NULL;
}

// The same, ready for use.
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

static inline void grz_index_table_fetch(const grz_index_table *table, uint64_t hash)
{
#if defined(__GNUC__)
    __builtin_prefetch(&table->slots[hash >> table->shift], 1);
#else
    (void)table;
    (void)hash;
#endif
}

// The index inserted earlier that stands for the same, or `index` itself, which is inserted then.
static inline uint32_t grz_index_table_insert(grz_index_table *table, uint64_t hash, uint32_t index, grz_index_equal *equal,
                                              const void *context)
{
    uint64_t tag = hash << 32;
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
