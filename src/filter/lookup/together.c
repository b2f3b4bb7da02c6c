// SPDX-License-Identifier: MIT
// A group's box, mapped into the coordinates of the structure, lies askew there. It is compared with a part's box along
// the axes of both meshes: six of the fifteen axes of S. Gottschalk's test for oriented boxes (1996), which find most
// of what is apart. Whatever is rounded is in the slacks.
#include "filter/lookup/together.h"

#include <math.h>

enum {
    MOST_PARTS = 24 // of one group; then parts are not divided any more
};

// A group's box, as the two meshes see it.
typedef struct group_box {
    grz_oblique_box seen;              // from the structure's mesh
    double reach[3];                   // of `seen` along the axes, from its middle
    double middle[3], half[3], length; // in the coordinates of its own mesh; length: that of `reach`, in sum
} group_box;

static void set_group_box(const grz_together *t, const grz_together_group *group, group_box *out)
{
    const grz_box *box = &t->groups->boxes[t->groups->first[group->level] + group->number];
    out->length = 0.0;
    for (int j = 0; j < 3; j++) {
        out->middle[j] = 0.5 * box->min[j] + 0.5 * box->max[j];
        out->half[j] = 0.5 * box->max[j] - 0.5 * box->min[j];
    }
    for (int i = 0; i < 3; i++) {
        const double *m = t->there.matrix[i];
        out->seen.middle[i] =
            ((m[0] * out->middle[0] + m[1] * out->middle[1]) + m[2] * out->middle[2]) + t->there.at[i];
        out->seen.slack[i] = out->reach[i] = t->there.slack[i];
        for (int k = 0; k < 3; k++) {
            out->seen.edge[k][i] = m[k] * out->half[k];
            out->reach[i] += fabs(out->seen.edge[k][i]);
        }
        out->length += out->reach[i];
    }
}

// What is no number is not apart.
static bool is_apart(const grz_together *t, const group_box *group, const grz_structure_part *part)
{
    double middle[3], half[3];
    for (int i = 0; i < 3; i++) {
        middle[i] = 0.5 * part->box.min[i] + 0.5 * part->box.max[i];
        half[i] = 0.5 * part->box.max[i] - 0.5 * part->box.min[i];
        if (fabs(group->seen.middle[i] - middle[i]) > half[i] + group->reach[i])
            return true;
    }
    for (int i = 0; i < 3; i++) {
        const double *m = t->back.matrix[i];
        const double at = ((m[0] * middle[0] + m[1] * middle[1]) + m[2] * middle[2]) + t->back.at[i];
        const double reach = (fabs(m[0]) * half[0] + fabs(m[1]) * half[1]) + fabs(m[2]) * half[2];
        if (fabs(at - group->middle[i]) > group->half[i] + reach + t->back.slack[i])
            return true;
    }
    return t->type->is_apart != NULL && t->type->is_apart(t->structure, part, &group->seen);
}

// Half the extents of a part, in sum.
static double length_of(const grz_structure_part *part)
{
    double length = 0.0;
    for (int i = 0; i < 3; i++)
        length += 0.5 * part->box.max[i] - 0.5 * part->box.min[i];
    return length;
}

// How far the middles of a group and of a part are apart, in sum.
static double way_between(const group_box *group, const grz_structure_part *part)
{
    double way = 0.0;
    for (int i = 0; i < 3; i++)
        way += fabs(group->seen.middle[i] - (0.5 * part->box.min[i] + 0.5 * part->box.max[i]));
    return way;
}

// Bring the part whose middle is nearest to that of the group to the front.
static void bring_nearest_to_front(const group_box *group, grz_structure_part *parts, size_t count)
{
    double least = HUGE_VAL;
    size_t nearest = 0;
    for (size_t i = 0; i < count; i++) {
        const double way = way_between(group, &parts[i]);
        if (way < least) {
            least = way;
            nearest = i;
        }
    }
    const grz_structure_part part = parts[nearest];
    parts[nearest] = parts[0];
    parts[0] = part;
}

bool grz_together_set(const grz_structure_type *type, const grz_object *owner, const void *structure,
                      const grz_object *other, const grz_groups *groups, double reach, bool nearest_first,
                      grz_together *together)
{
    *together = (grz_together){
        .type = type, .mesh = owner->mesh, .structure = structure, .groups = groups, .nearest_first = nearest_first};
    return grz_seen_mesh_from(owner, other, reach, &together->there) &&
           grz_seen_mesh_from(other, owner, reach, &together->back);
}

bool grz_together_begin(const grz_together *together, const grz_allocator *allocator, grz_part_list *parts,
                        grz_together_list *waiting)
{
    if (!grz_array_reserve(allocator, parts, (size_t)MOST_PARTS + GRZ_STRUCTURE_PARTS) ||
        !grz_array_add(allocator, waiting))
        return false;
    parts->count = together->type->divide(together->mesh, together->structure, NULL, parts->items);
    waiting->items[0] = (grz_together_group){.level = together->groups->levels - 1, .to = parts->count};
    return true;
}

bool grz_together_narrow(const grz_together *together, const grz_together_group *group, const grz_allocator *allocator,
                         grz_part_list *parts, uint64_t *steps)
{
    const size_t first = parts->count;
    group_box box;
    set_group_box(together, group, &box);
    if (!grz_array_reserve(allocator, parts, first + (group->to - group->from) + MOST_PARTS + GRZ_STRUCTURE_PARTS))
        return false;
    for (size_t i = group->from; i < group->to; i++) {
        if (is_apart(together, &box, &parts->items[i]))
            continue;
        parts->items[parts->count++] = parts->items[i];
        if (group->level == 0)
            return true;
    }
    *steps += group->to - group->from;
    for (size_t i = first; i < parts->count && parts->count - first < MOST_PARTS;) {
        grz_structure_part smaller[GRZ_STRUCTURE_PARTS];
        if (parts->items[i].leaf || length_of(&parts->items[i]) < box.length) {
            i++;
            continue;
        }
        const size_t count = together->type->divide(together->mesh, together->structure, &parts->items[i], smaller);
        parts->items[i] = parts->items[--parts->count];
        for (size_t j = 0; j < count; j++)
            if (!is_apart(together, &box, &smaller[j]))
                parts->items[parts->count++] = smaller[j];
        *steps += count;
    }
    if (together->nearest_first && parts->count > first)
        bring_nearest_to_front(&box, parts->items + first, parts->count - first);
    return true;
}

bool grz_together_open(const grz_together *together, const grz_together_group *group, size_t from,
                       const grz_allocator *allocator, const grz_part_list *parts, grz_together_list *waiting)
{
    const size_t all = grz_groups_of_level(together->groups, group->level - 1), first = group->number * GRZ_GROUP_PARTS;
    const size_t end = first + GRZ_GROUP_PARTS < all ? first + GRZ_GROUP_PARTS : all;
    if (!grz_array_reserve(allocator, waiting, waiting->count + GRZ_GROUP_PARTS))
        return false;
    double ways[GRZ_GROUP_PARTS] = {0.0};
    for (size_t i = end; i-- > first;) { // the last one is taken first
        const grz_together_group smaller = {group->level - 1, i, from, parts->count};
        grz_together_group *place = waiting->items + waiting->count;
        size_t at = end - 1 - i;
        if (together->nearest_first) {
            group_box box;
            set_group_box(together, &smaller, &box);
            const double way = way_between(&box, &parts->items[from]);
            for (; at > 0 && ways[at - 1] < way; at--, place--) {
                ways[at] = ways[at - 1];
                *place = place[-1];
            }
            ways[at] = way;
        }
        *place = smaller;
        waiting->count++;
    }
    return true;
}
