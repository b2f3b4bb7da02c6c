// SPDX-License-Identifier: MIT
// Walks the trees of a level's objects along a beam. A node's box is taken to the world and compared with the beam by
// slabs (A. Williams et al., "An efficient and robust ray-box intersection algorithm", 2005). The beam is a little
// larger than asked for, which covers what is rounded here.
#include "motion/mover/level.h"

#include <math.h>
#include <string.h>

#include "mesh/triangles.h"

enum {
    CHECK_BITS = 8 // nodes between two checks of the control, as a power of two
};

// Of the largest number in a beam: how much larger it is made.
static const double PADDING = 0x1p-44;

static inline double smaller(double x, double y)
{
    return x < y ? x : y; // fmin() would be a call
}

static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

// The beam with its padding, ready for boxes.
typedef struct slabs {
    double low[3], high[3]; // a box meets the beam at t if low + t · way <= box.max and high + t · way >= box.min
} slabs;

static slabs slabs_of(const grz_beam *beam)
{
    slabs s;
    double size = 0.0;
    for (int k = 0; k < 3; k++)
        size = larger(size, larger(larger(fabs(beam->from[k]), fabs(beam->way[k])),
                                   larger(fabs(beam->around.min[k]), fabs(beam->around.max[k]))));
    for (int k = 0; k < 3; k++) {
        s.low[k] = beam->from[k] + beam->around.min[k] - size * PADDING;
        s.high[k] = beam->from[k] + beam->around.max[k] + size * PADDING;
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
        enter = larger(enter, smaller(to_min, to_max));
        leave = smaller(leave, larger(to_min, to_max));
    }
    return enter <= leave ? enter : HUGE_VAL;
}

static int compare_points(const double a[3], const double b[3])
{
    for (int k = 0; k < 3; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

static void swap_points(double a[3], double b[3])
{
    double c[3];
    memcpy(c, a, sizeof c);
    memcpy(a, b, sizeof c);
    memcpy(b, c, sizeof c);
}

static void read_triangle(const grz_level *level, uint32_t object, uint32_t number, grz_level_triangle *out)
{
    const grz_object *o = &level->objects[object].object;
    grz_world_corners(o->mesh, &o->pose, number, out->corners);
    for (int i = 0; i < 9; i++)
        out->corners[i / 3][i % 3] += 0.0; // no -0
    if (compare_points(out->corners[1], out->corners[0]) < 0)
        swap_points(out->corners[0], out->corners[1]);
    if (compare_points(out->corners[2], out->corners[1]) < 0)
        swap_points(out->corners[1], out->corners[2]);
    if (compare_points(out->corners[1], out->corners[0]) < 0)
        swap_points(out->corners[0], out->corners[1]);
    out->object = object;
    out->triangle = number;
}

int grz_level_triangles_compare(const grz_level_triangle *a, const grz_level_triangle *b)
{
    for (int i = 0; i < 3; i++) {
        const int order = compare_points(a->corners[i], b->corners[i]);
        if (order != 0)
            return order;
    }
    return 0;
}

uint32_t grz_level_face(const grz_level *level, const grz_level_triangle *triangle)
{
    return grz_mesh_triangle_face(level->objects[triangle->object].object.mesh, triangle->triangle);
}

// A node or triangle that waits, with the time at which the beam meets its box.
typedef struct waiting {
    double entry;
    uint32_t child;
} waiting;

// Let the children of a node wait, the nearest on top. Returns how many.
static size_t push_children(const grz_level_object *o, uint32_t number, const slabs *s, const grz_beam *beam,
                            waiting *stack)
{
    const grz_bvh_node *node = &o->bvh->nodes[number];
    size_t count = 0;
    for (int i = 0; i < GRZ_BVH_WIDTH && node->child[i] != GRZ_BVH_NONE; i++) {
        const grz_box child = grz_bvh_child_box(o->bvh, number, i), box = grz_world_box(&o->object.pose, &child);
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
    const grz_level_object *o = &level->objects[object];
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
            depth += push_children(o, next.child, s, beam, stack + depth);
            continue;
        }
        grz_level_triangle triangle;
        read_triangle(level, object, grz_bvh_triangle(next.child), &triangle);
        const grz_box box = grz_triangle_box((const double(*)[3])triangle.corners);
        if (entry_of(s, beam, &box) != HUGE_VAL && !visit(context, &triangle, beam))
            return false;
    }
    return true;
}

// ---- Triangles kept -----------------------------------------------------------------------------------------------

static bool keep(void *context, const grz_level_triangle *triangle, grz_beam *beam)
{
    grz_level *level = context;
    (void)beam;
    if (!grz_array_add(grz_control_allocator(level->control), &level->kept)) {
        grz_control_fail(level->control, GRZ_ERROR_MEMORY);
        return false;
    }
    grz_kept_triangle *kept = &level->kept.items[level->kept.count - 1];
    kept->triangle = *triangle;
    kept->box = grz_triangle_box((const double(*)[3])triangle->corners);
    return true;
}

bool grz_level_keep(grz_level *level, const double from[3], const grz_box *around)
{
    grz_beam beam = {.around = *around, .until = 0.0};
    memcpy(beam.from, from, sizeof beam.from);
    level->keeps = false;
    level->kept.count = 0;
    if (!grz_level_visit(level, &beam, UINT32_MAX, keep, level))
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
    if (!level->keeps)
        return false;
    for (int k = 0; k < 3; k++) {
        const double end = beam->until * beam->way[k];
        if (!(s->low[k] + smaller(end, 0.0) >= level->kept_box.min[k] &&
              s->high[k] + larger(end, 0.0) <= level->kept_box.max[k]))
            return false;
    }
    return true;
}

static bool visit_kept(grz_level *level, uint32_t skip, const slabs *s, grz_beam *beam, grz_level_visitor *visit,
                       void *context)
{
    for (size_t i = 0; i < level->kept.count; i++) {
        const grz_kept_triangle *kept = &level->kept.items[i];
        if (grz_control_expired_at(level->control, ++level->steps, CHECK_BITS))
            return false;
        if (kept->triangle.object != skip && entry_of(s, beam, &kept->box) != HUGE_VAL &&
            !visit(context, &kept->triangle, beam))
            return false;
    }
    return true;
}

bool grz_level_visit(grz_level *level, grz_beam *beam, uint32_t skip, grz_level_visitor *visit, void *context)
{
    const slabs s = slabs_of(beam);
    if (is_kept(level, &s, beam))
        return visit_kept(level, skip, &s, beam, visit, context);
    for (uint32_t i = 0; i < level->count; i++)
        if (i != skip && level->objects[i].bvh != NULL && entry_of(&s, beam, &level->objects[i].box) != HUGE_VAL &&
            !visit_object(level, i, &s, beam, visit, context))
            return false;
    return true;
}
