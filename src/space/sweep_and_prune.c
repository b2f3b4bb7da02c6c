// TEMPORARY stand-in: all pairs.
#include "space/sweep_and_prune.h"
#include <string.h>
struct grz_sweep {
    grz_allocator a;
    GRZ_ARRAY(grz_box) boxes;
    GRZ_ARRAY(grz_sweep_pair) pairs;
};
grz_sweep *grz_sweep_create(const grz_allocator *a)
{
    grz_sweep *s = grz_allocate_zeroed(a, 1, sizeof *s);
    if (s)
        s->a = *a;
    return s;
}
void grz_sweep_destroy(grz_sweep *s)
{
    if (!s)
        return;
    grz_allocator a = s->a;
    grz_array_finish(&a, &s->boxes);
    grz_array_finish(&a, &s->pairs);
    grz_release(&a, s, 1, sizeof *s);
}
bool grz_sweep_set(grz_sweep *s, uint32_t id, const grz_box *box)
{
    while (s->boxes.count <= id) {
        if (!grz_array_add(&s->a, &s->boxes))
            return false;
        s->boxes.items[s->boxes.count - 1] = grz_box_empty();
    }
    s->boxes.items[id] = *box;
    return true;
}
void grz_sweep_remove(grz_sweep *s, uint32_t id)
{
    if (id < s->boxes.count)
        s->boxes.items[id] = grz_box_empty();
}
bool grz_sweep_update(grz_sweep *s, const grz_sweep_pair **pairs, size_t *count)
{
    s->pairs.count = 0;
    for (uint32_t i = 0; i < s->boxes.count; i++)
        for (uint32_t j = i + 1; j < s->boxes.count; j++)
            if (grz_boxes_overlap(&s->boxes.items[i], &s->boxes.items[j])) {
                if (!grz_array_add(&s->a, &s->pairs))
                    return false;
                s->pairs.items[s->pairs.count - 1] = (grz_sweep_pair){i, j};
            }
    *pairs = s->pairs.items;
    *count = s->pairs.count;
    return true;
}
