// SPDX-License-Identifier: MIT
// Walks the trees of a level's objects along a beam. A node's box is taken to the world and compared with the beam by
// slabs (A. Williams et al., "An efficient and robust ray-box intersection algorithm", 2005). The beam is a little
// larger than asked for, which covers what is rounded here.
#include "level/mover/surface/level.h"

#include <math.h>
#include <string.h>

#include "base/control.h"
#include "level/mover/body/core_vectors.h"
#include "level/mover/surface/level_triangle.h"
#include "mesh/triangles.h"

enum {
    CHECK_BITS = 8,     // nodes between two checks of the control, as a power of two
    REPEATS_AMONG = 256 // triangles kept: among more it costs more to look for repeated ones than to have them
};

// Of the largest number in a beam: how much larger it is made.
static const double PADDING = 0x1p-44;

// The beam with its padding, ready for boxes.
typedef struct slabs {
    double low[3], high[3]; // a box meets the beam at t if low + t · way <= box.max and high + t · way >= box.min
} slabs;

static slabs slabs_of(const grz_beam *beam)
{
    slabs s;
    double size = 0.0;
    for (int k = 0; k < 3; k++)
        size = grz_larger(size, grz_larger(grz_larger(fabs(beam->from[k]), fabs(beam->way[k])),
                                           grz_larger(fabs(beam->box.min[k]), fabs(beam->box.max[k]))));
    for (int k = 0; k < 3; k++) {
        s.low[k] = beam->from[k] + beam->box.min[k] - size * PADDING;
        s.high[k] = beam->from[k] + beam->box.max[k] + size * PADDING;
    }
    return s;
}

// The time at which the beam meets a box; infinite: it does not.
static double entry_of(const slabs *s, const grz_beam *beam, const grz_box *box)
{
    double enter = 0.0, leave = beam->until;
    for (int k = 0; k < 3; k++) {
        const double way = beam->way[k];
        if (way == 0.0) {
            if (s->low[k] > box->max[k] || s->high[k] < box->min[k])
                return HUGE_VAL;
            continue;
        }
        const double to_min = (box->min[k] - s->high[k]) / way, to_max = (box->max[k] - s->low[k]) / way;
        enter = grz_larger(enter, grz_smaller(to_min, to_max));
        leave = grz_smaller(leave, grz_larger(to_min, to_max));
    }
    return enter <= leave ? enter : HUGE_VAL;
}

// The box of a node's child; of an object that is on its way: of the whole way.
static grz_box child_box(const grz_level *level, uint32_t object, uint32_t node, int child)
{
    const grz_level_object *o = &level->objects[object];
    const grz_box in_mesh = grz_bvh_child_box(o->bvh, node, child);
    grz_box box = grz_world_box(&o->object.pose, &in_mesh);
    if (grz_level_is_on_way(level, object)) {
        const grz_box before = grz_world_box(&o->earlier, &in_mesh);
        grz_box_add_box(&box, &before);
    }
    return box;
}

// A node or triangle that waits, with the time at which the beam meets its box.
typedef struct waiting {
    double entry;
    uint32_t child;
} waiting;

// Let the children of a node wait, the nearest on top. Returns how many.
static size_t push_children(const grz_level *level, uint32_t object, uint32_t number, const slabs *s,
                            const grz_beam *beam, waiting *stack)
{
    const grz_bvh_node *node = &level->objects[object].bvh->nodes[number];
    size_t count = 0;
    for (int i = 0; i < GRZ_BVH_WIDTH && node->child[i] != GRZ_BVH_NONE; i++) {
        const grz_box box = child_box(level, object, number, i);
        const double entry = entry_of(s, beam, &box);
        if (entry == HUGE_VAL)
            continue;
        size_t at = count++;
        for (; at > 0 && stack[at - 1].entry < entry; at--)
            stack[at] = stack[at - 1];
        stack[at] = (waiting){entry, node->child[i]};
    }
    return count;
}

static bool visit_object(grz_level *level, uint32_t object, const slabs *s, grz_beam *beam, grz_level_visitor *visit,
                         void *context)
{
    waiting stack[GRZ_BVH_STACK];
    size_t depth = 1;
    stack[0] = (waiting){0.0, 0};
    while (depth > 0) {
        const waiting next = stack[--depth];
        if (next.entry > beam->until)
            continue;
        if (grz_control_expired_at(level->control, ++level->steps, CHECK_BITS))
            return false;
        if (!grz_bvh_is_triangle(next.child)) {
            depth += push_children(level, object, next.child, s, beam, stack + depth);
            continue;
        }
        grz_level_triangle triangle;
        grz_level_triangle_read(level, object, grz_bvh_triangle(next.child), &triangle);
        const grz_box box = grz_level_triangle_box(level, &triangle);
        beam->entry = entry_of(s, beam, &box);
        if (beam->entry != HUGE_VAL && !visit(context, &triangle, beam))
            return false;
    }
    return true;
}

// ---- Triangles kept -----------------------------------------------------------------------------------------------

// True if an object before this one has the same triangle, as cells that have a wall in common do. It is felt once.
static bool is_repeated(const grz_level *level, const grz_level_triangle *triangle)
{
    for (size_t i = 0; i < level->kept.count; i++) {
        const grz_level_triangle *kept = &level->kept.items[i].triangle;
        if (kept->object == triangle->object)
            return false;
        if (kept->corners[1][0] == triangle->corners[1][0] && !kept->moved && !triangle->moved &&
            memcmp(kept->corners, triangle->corners, sizeof kept->corners) == 0)
            return true;
    }
    return false;
}

static bool keep(void *context, const grz_level_triangle *triangle, grz_beam *beam)
{
    grz_level *level = context;
    (void)beam;
    if (level->searched != NULL && level->kept.count <= REPEATS_AMONG && is_repeated(level, triangle))
        return true;
    if (!grz_array_add(grz_control_allocator(level->control), &level->kept)) {
        grz_control_fail(level->control, GRZ_ERROR_MEMORY);
        return false;
    }
    grz_kept_triangle *kept = &level->kept.items[level->kept.count - 1];
    kept->triangle = *triangle;
    kept->box = grz_triangle_box((const double(*)[3])triangle->corners);
    return true;
}

bool grz_level_keep(grz_level *level, const double from[3], const grz_box *box)
{
    grz_beam beam = {.box = *box, .until = 0.0};
    memcpy(beam.from, from, sizeof beam.from);
    level->keeps = false;
    level->kept.count = 0;
    if (!grz_level_visit(level, &beam, keep, level))
        return false;
    const slabs s = slabs_of(&beam);
    memcpy(level->kept_box.min, s.low, sizeof s.low);
    memcpy(level->kept_box.max, s.high, sizeof s.high);
    level->keeps = true;
    return true;
}

// True if all that a beam can meet is kept.
static bool is_kept(const grz_level *level, const slabs *s, const grz_beam *beam)
{
    if (!level->keeps || level->time < 1.0)
        return false;
    for (int k = 0; k < 3; k++) {
        const double end = beam->until * beam->way[k];
        if (!(s->low[k] + grz_smaller(end, 0.0) >= level->kept_box.min[k] &&
              s->high[k] + grz_larger(end, 0.0) <= level->kept_box.max[k]))
            return false;
    }
    return true;
}

static bool visit_kept(grz_level *level, const slabs *s, grz_beam *beam, grz_level_visitor *visit, void *context)
{
    for (size_t i = 0; i < level->kept.count; i++) {
        const grz_kept_triangle *kept = &level->kept.items[i];
        if (grz_control_expired_at(level->control, ++level->steps, CHECK_BITS))
            return false;
        beam->entry = entry_of(s, beam, &kept->box);
        if (beam->entry != HUGE_VAL && !visit(context, &kept->triangle, beam))
            return false;
    }
    return true;
}

static void note_look(grz_box *searched, const slabs *s, const grz_beam *beam)
{
    for (int k = 0; k < 3; k++) {
        const double end = beam->until * beam->way[k];
        searched->min[k] = grz_smaller(searched->min[k], s->low[k] + grz_smaller(end, 0.0));
        searched->max[k] = grz_larger(searched->max[k], s->high[k] + grz_larger(end, 0.0));
    }
}

bool grz_level_visit(grz_level *level, grz_beam *beam, grz_level_visitor *visit, void *context)
{
    const slabs s = slabs_of(beam);
    if (level->searched != NULL)
        note_look(level->searched, &s, beam);
    if (is_kept(level, &s, beam))
        return visit_kept(level, &s, beam, visit, context);
    for (uint32_t i = 0; i < level->count; i++)
        if (level->objects[i].bvh != NULL && entry_of(&s, beam, &level->objects[i].box) != HUGE_VAL &&
            !visit_object(level, i, &s, beam, visit, context))
            return false;
    return true;
}
