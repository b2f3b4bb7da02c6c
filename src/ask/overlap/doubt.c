// SPDX-License-Identifier: MIT
// A border that is missed changes the sum of one line by the height of what is beside it in the other solid: by 1 at
// most. Where both are wrong on one line, the errors multiply: that can only be where triangles lie over each other.
// Likewise where both surfaces have passed on their way to rounded positions.
#include "ask/overlap/doubt.h"

#include <math.h>
#include <string.h>

#include "base/control.h"
#include "space/swept/swept_tree.h"

enum {
    CHECK_BITS = 8 // pairs of triangles between two checks of the control, as a power of two
};

static const double MOST = 4.0; // that a sum takes

typedef struct doubt {
    const grz_prism_list *lists[2];
    grz_control *control;
    grz_enclosed_sum sum;
    size_t steps;
    bool known;
} doubt;

static bool add(doubt *d, double wrong)
{
    const grz_enclosure term = {0.0, wrong};
    d->known = d->known && wrong <= MOST;
    if (d->known)
        grz_enclosed_sum_add(&d->sum, &term, false);
    return d->known;
}

// At a place where one is wrong, the other is off by 2 at most; by 6 if it has moved: it may have passed three times.
static bool visit(void *user, uint32_t i, uint32_t j)
{
    doubt *d = user;
    const grz_doubtful *one = &d->lists[0]->doubtful.items[i], *other = &d->lists[1]->doubtful.items[j];
    if (grz_control_expired_at(d->control, d->steps++, CHECK_BITS))
        return false;
    return add(d, (one->is_moved || other->is_moved ? 6.0 : 2.0) * fmin(one->wrong, other->wrong));
}

static grz_status build_tree(const grz_prism_list *list, grz_control *control, grz_swept_tree *tree)
{
    if (!grz_swept_tree_init(tree, (uint32_t)list->doubtful.count, grz_control_allocator(control)))
        return GRZ_ERROR_MEMORY;
    for (size_t i = 0; i < list->doubtful.count; i++) {
        tree->boxes[i] = list->doubtful.items[i].box;
        for (int k = 0; k < 2; k++) { // no end of a box is infinite
            double *end = k == 0 ? &tree->boxes[i].min[2] : &tree->boxes[i].max[2];
            *end = fmin(fmax(*end, -GRZ_PRISM_MOST), GRZ_PRISM_MOST);
        }
    }
    (void)grz_swept_tree_build(tree, control);
    return grz_control_status(control);
}

static grz_status add_pairs(doubt *d)
{
    const grz_allocator *allocator = grz_control_allocator(d->control);
    grz_swept_tree trees[2] = {{.allocator = allocator}, {.allocator = allocator}};
    grz_status status = build_tree(d->lists[0], d->control, &trees[0]);
    if (status == GRZ_OK)
        status = build_tree(d->lists[1], d->control, &trees[1]);
    if (status == GRZ_OK) {
        grz_swept_tree_pairs(&trees[0], &trees[1], visit, d);
        status = grz_control_status(d->control);
    }
    grz_swept_tree_finish(&trees[0]);
    grz_swept_tree_finish(&trees[1]);
    return status;
}

grz_status grz_doubt_add(const grz_prism_list *one, const grz_prism_list *other, grz_control *control,
                         grz_enclosed_sum *sum, bool *known)
{
    doubt d = {.lists = {one, other}, .control = control, .known = true};
    grz_status status = GRZ_OK;
    for (int i = 0; i < 2; i++)
        for (size_t k = 0; k < d.lists[i]->doubtful.count && d.known; k++)
            (void)add(&d, d.lists[i]->doubtful.items[k].wrong);
    if (d.known && one->doubtful.count > 0 && other->doubtful.count > 0)
        status = add_pairs(&d);
    const grz_enclosure all = {0.0, grz_enclosed_sum_value(&d.sum, 0).upper};
    *known = d.known && all.upper <= MOST;
    if (*known) {
        grz_enclosed_sum_add(sum, &all, false);
        grz_enclosed_sum_add(sum, &all, true);
    }
    return status;
}
