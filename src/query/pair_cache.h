// SPDX-License-Identifier: MIT
// What a scene remembers of the pairs of its objects from one query to the next: five bytes for each pair that was
// answered, and eight for each object.
#ifndef GRZ_QUERY_PAIR_CACHE_H
#define GRZ_QUERY_PAIR_CACHE_H

#include <graze/collide.h>

#include "base/control_type.h"
#include "space/sweep/sweep_and_prune.h"

// The answer about a pair of objects, without lists.
typedef struct grz_known {
    grz_relation relation; // GRZ_APART if containment was not asked for
    grz_containment containment;
    grz_inside_rule rule;
    const char *reason;
} grz_known;

// A code stands for an answer. Few answers differ: a pair that touches has one; `a inside b`, `b inside a`, `apart` and
// `overlapping` have the rule that was asked for, and the last two one of eight reasons or none; and `apart` without
// containment. That makes 1 + 2 · 3 + 2 · 3 · 9 + 1 = 62.
enum {
    GRZ_CODE_UNKNOWN = 0,
    GRZ_MOST_CODES = 64,    // codes are less than this
    GRZ_CODE_WANTED = 0x80, // added to the code of a pair: this query asks for it
    GRZ_CODE_MASK = 0x7f
};

typedef struct grz_pair_cache {
    grz_known known[GRZ_MOST_CODES]; // by code; the first is not used
    unsigned known_count;            // codes in use are less than this
    // The pairs (a, b), sorted. Those of object a are at rows[a] to rows[a + 1] - 1.
    size_t *rows;         // row_count + 1 numbers, if row_count > 0
    uint32_t *others;     // `count` numbers: object b
    unsigned char *codes; // `count` codes, none GRZ_CODE_UNKNOWN
    size_t row_count, count;
} grz_pair_cache;

// Zeroed memory remembers nothing, and is valid. Release everything that is remembered; codes stay valid.
void grz_pair_cache_forget(const grz_allocator *allocator, grz_pair_cache *cache);

// The code of an answer. Parts that do not matter for its relation are ignored.
unsigned grz_pair_cache_code(grz_pair_cache *cache, const grz_known *known);

// Remember the pairs with a known code instead of those before. Each pair has the code codes[i] & GRZ_CODE_MASK; pairs
// are sorted, and their objects have numbers below `objects`. If there is no memory for that, nothing is remembered.
// Returns GRZ_OK, or the control's status if it says to end; then nothing is remembered either.
grz_status grz_pair_cache_replace(grz_pair_cache *cache, const grz_sweep_pair *pairs, const unsigned char *codes,
                                  size_t count, uint32_t objects, grz_control *control);

// A position in the sorted pairs.
typedef struct grz_pair_cache_cursor {
    const grz_pair_cache *cache;
    uint32_t row; // start with GRZ_NO_ROW
    size_t at, end;
} grz_pair_cache_cursor;

#define GRZ_NO_ROW UINT32_MAX

// The code of a pair. Pairs must be looked up in sorted order.
static inline unsigned grz_pair_cache_find(grz_pair_cache_cursor *cursor, const grz_sweep_pair *pair)
{
    const grz_pair_cache *cache = cursor->cache;
    if (pair->a != cursor->row) {
        const bool has_row = pair->a < cache->row_count;
        cursor->row = pair->a;
        cursor->at = has_row ? cache->rows[pair->a] : 0;
        cursor->end = has_row ? cache->rows[pair->a + 1] : 0;
    }
    while (cursor->at < cursor->end && cache->others[cursor->at] < pair->b)
        cursor->at++;
    return cursor->at < cursor->end && cache->others[cursor->at] == pair->b ? cache->codes[cursor->at]
                                                                            : GRZ_CODE_UNKNOWN;
}

#endif
