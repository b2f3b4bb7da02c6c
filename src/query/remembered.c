// SPDX-License-Identifier: MIT
// The memory of a scene, as compressed rows: one row of partners for each object, and one byte for each answer. It is
// written anew after a query that found something new, with the pairs of the broad phase as the template.
#include "query/remembered.h"

#include <assert.h>

enum {
    CHECK_BITS = 18 // pairs between two checks of the control, as a power of two
};

void grz_remembered_forget(const grz_allocator *allocator, grz_remembered *remembered)
{
    grz_release(allocator, remembered->rows, remembered->row_count + 1, sizeof *remembered->rows);
    grz_release(allocator, remembered->others, remembered->count, sizeof *remembered->others);
    grz_release(allocator, remembered->codes, remembered->count, sizeof *remembered->codes);
    remembered->rows = NULL;
    remembered->others = NULL;
    remembered->codes = NULL;
    remembered->row_count = remembered->count = 0;
}

unsigned grz_remembered_code(grz_remembered *remembered, const grz_known *known)
{
    grz_known plain = *known;
    if (plain.containment == GRZ_CONTAINMENT_NOT_ASKED)
        plain.rule = GRZ_EVEN_ODD;
    unsigned code = GRZ_CODE_UNKNOWN + 1;
    for (; code < remembered->known_count; code++) {
        const grz_known *other = &remembered->known[code];
        if (other->relation == plain.relation && other->containment == plain.containment && other->rule == plain.rule &&
            other->reason == plain.reason)
            return code;
    }
    assert(code < GRZ_MOST_CODES);
    remembered->known[code] = plain;
    remembered->known_count = code + 1;
    return code;
}

static unsigned code_of(unsigned char code)
{
    return code & GRZ_CODE_MASK;
}

// Allocate the arrays for `count` pairs of `objects` objects. False: there is no memory; nothing is remembered then.
static bool make_room(const grz_allocator *allocator, grz_remembered *remembered, size_t count, uint32_t objects)
{
    remembered->row_count = objects;
    remembered->count = count;
    remembered->rows = grz_allocate(allocator, (size_t)objects + 1, sizeof *remembered->rows);
    remembered->others = grz_allocate(allocator, count, sizeof *remembered->others);
    remembered->codes = grz_allocate(allocator, count, sizeof *remembered->codes);
    if (remembered->rows != NULL && remembered->others != NULL && remembered->codes != NULL)
        return true;
    grz_remembered_forget(allocator, remembered);
    return false;
}

grz_status grz_remembered_replace(grz_remembered *remembered, const grz_sweep_pair *pairs, const unsigned char *codes,
                                  size_t count, uint32_t objects, grz_control *control)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    size_t known = 0, next = 0;
    uint32_t row = 0;
    grz_remembered_forget(allocator, remembered);
    for (size_t i = 0; i < count; i++)
        known += code_of(codes[i]) != GRZ_CODE_UNKNOWN;
    if (known == 0 || !make_room(allocator, remembered, known, objects))
        return GRZ_OK;
    for (size_t i = 0; i < count; i++) {
        if (grz_control_expired_at(control, i, CHECK_BITS)) {
            grz_remembered_forget(allocator, remembered);
            return grz_control_status(control);
        }
        if (code_of(codes[i]) == GRZ_CODE_UNKNOWN)
            continue;
        assert(pairs[i].a < objects && next < known);
        while (row <= pairs[i].a)
            remembered->rows[row++] = next;
        remembered->others[next] = pairs[i].b;
        remembered->codes[next++] = (unsigned char)code_of(codes[i]);
    }
    while (row <= objects)
        remembered->rows[row++] = next;
    assert(next == known);
    return GRZ_OK;
}
