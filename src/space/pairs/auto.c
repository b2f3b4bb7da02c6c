// SPDX-License-Identifier: MIT
// Chooses between sweep and prune and the grid, by counts of the last updates, never by a clock. Sweep and prune is the
// fastest where few objects move, and where they go on as they went. Where it rebuilds its lists again and again, and
// where very many move, the grid is (docs/internals/pairs.md has the figures).
#include "space/pairs/auto.h"

#include <assert.h>

#include "space/pairs/kept.h"

enum {
    LEAST_LIVE = 1000,  // with fewer objects there is nothing to gain
    MANY_LIVE = 250000, // with as many, of which most move, the grid is the faster
    REMEMBERED = 8,     // updates
    MOST_REBUILDS = 7,  // of the last REMEMBERED updates of sweep and prune, before the grid takes over
    FEW_MOVE = 10       // sweep and prune takes over if for REMEMBERED updates fewer than this part moved
};

struct grz_auto {
    grz_allocator own;
    grz_control *control;
    grz_simd simd;
    grz_sweep *sweep; // one of these two is in use; the other is NULL
    grz_kept *grid;
    uint32_t ids_end;
    size_t set;       // boxes that were set since the last update
    uint32_t rebuilt; // bit i: sweep and prune rebuilt its lists i updates ago
    uint32_t many;    // likewise: most objects were set
    uint32_t few;     // updates in a row in which few were
    uint64_t switches;
};

grz_auto *grz_auto_create(const grz_allocator *allocator, grz_simd simd)
{
    grz_auto *chooser = grz_allocate_zeroed(allocator, 1, sizeof *chooser);
    if (chooser == NULL)
        return NULL;
    chooser->own = *allocator;
    chooser->simd = simd;
    chooser->sweep = grz_sweep_create(allocator);
    if (chooser->sweep != NULL)
        return chooser;
    grz_auto_destroy(chooser);
    return NULL;
}

void grz_auto_destroy(grz_auto *chooser)
{
    if (chooser == NULL)
        return;
    const grz_allocator allocator = chooser->own;
    grz_sweep_destroy(chooser->sweep);
    grz_kept_destroy(chooser->grid);
    grz_release(&allocator, chooser, 1, sizeof *chooser);
}

void grz_auto_set_control(grz_auto *chooser, grz_control *control)
{
    chooser->control = control;
    if (chooser->sweep != NULL)
        grz_sweep_set_control(chooser->sweep, control);
    else
        grz_kept_set_control(chooser->grid, control);
}

bool grz_auto_set(grz_auto *chooser, uint32_t id, const grz_box *box)
{
    const bool done =
        chooser->sweep != NULL ? grz_sweep_set(chooser->sweep, id, box) : grz_kept_set(chooser->grid, id, box);
    if (done) {
        chooser->set++;
        chooser->ids_end = id >= chooser->ids_end ? id + 1 : chooser->ids_end;
    }
    return done;
}

void grz_auto_remove(grz_auto *chooser, uint32_t id)
{
    chooser->set++;
    if (chooser->sweep != NULL)
        grz_sweep_remove(chooser->sweep, id);
    else
        grz_kept_remove(chooser->grid, id);
}

// Give all boxes to a new grid, or to new sweep and prune. Without memory all stays as it is.
static void change_over(grz_auto *chooser)
{
    const bool to_grid = chooser->sweep != NULL;
    grz_sweep *sweep = to_grid ? NULL : grz_sweep_create(&chooser->own);
    grz_kept *grid = to_grid ? grz_kept_create(&chooser->own, chooser->simd, GRZ_KEPT_GRID) : NULL;
    bool good = sweep != NULL || grid != NULL;
    if (good && to_grid)
        grz_kept_set_control(grid, chooser->control);
    else if (good)
        grz_sweep_set_control(sweep, chooser->control);
    // From the last id on, so that arrays grow once.
    for (uint32_t id = chooser->ids_end; good && id-- > 0;)
        good = to_grid ? grz_kept_set(grid, id, grz_sweep_box(chooser->sweep, id))
                       : grz_sweep_set(sweep, id, grz_kept_box(chooser->grid, id));
    if (!good) {
        grz_sweep_destroy(sweep);
        grz_kept_destroy(grid);
        return;
    }
    grz_sweep_destroy(chooser->sweep);
    grz_kept_destroy(chooser->grid);
    chooser->sweep = sweep;
    chooser->grid = grid;
    chooser->rebuilt = chooser->many = chooser->few = 0;
    chooser->switches++;
}

static unsigned bits_of(uint32_t bits)
{
    unsigned count = 0;
    for (; bits != 0; bits &= bits - 1)
        count++;
    return count;
}

static bool should_change(const grz_auto *chooser)
{
    if (chooser->sweep == NULL)
        return chooser->few >= REMEMBERED;
    const bool many = chooser->ids_end >= MANY_LIVE && bits_of(chooser->many) >= MOST_REBUILDS;
    return chooser->ids_end >= LEAST_LIVE && (many || bits_of(chooser->rebuilt) >= MOST_REBUILDS);
}

bool grz_auto_update(grz_auto *chooser, const grz_sweep_pair **list, size_t *count)
{
    const uint32_t mask = (1u << REMEMBERED) - 1u;
    if (should_change(chooser))
        change_over(chooser);
    const uint64_t before = chooser->sweep != NULL ? grz_sweep_work_done(chooser->sweep)->rebuilds : 0;
    const bool done = chooser->sweep != NULL ? grz_sweep_update(chooser->sweep, list, count)
                                             : grz_kept_update(chooser->grid, list, count);
    if (!done)
        return false;
    const bool rebuilt = chooser->sweep != NULL && grz_sweep_work_done(chooser->sweep)->rebuilds != before;
    chooser->rebuilt = (chooser->rebuilt << 1 & mask) | rebuilt;
    chooser->many = (chooser->many << 1 & mask) | (chooser->set > chooser->ids_end / 2);
    chooser->few = chooser->set < chooser->ids_end / FEW_MOVE ? chooser->few + 1 : 0;
    chooser->set = 0;
    return true;
}

uint64_t grz_auto_switches(const grz_auto *chooser)
{
    return chooser->switches;
}
