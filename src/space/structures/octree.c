// SPDX-License-Identifier: MIT
// An octree: the mesh's box is cut into eight equal parts, each of them again, until few triangles reach into a part.
// Empty space costs nothing, and crowded places get small cells; but a triangle is listed in every cell that its box
// reaches into. Source: the space subdivisions of T. Munzner's lecture on collision detection.
// A coordinate is on the upper side of a middle if it is not below it. Two boxes with a point in common are both on
// that point's side, so no triangle is missed, whatever the middles were rounded to.

#include "space/structures/structure_build.h"

enum {
    FEW = 12, // triangles of a cell that is not cut any more
    MOST_LEVELS = 20
};

// A cell: eight children next to each other, or a list of triangles.
typedef struct octree_cell {
    uint32_t children; // the first child; 0: a list
    uint32_t first, count;
} octree_cell;

typedef struct grz_octree {
    GRZ_ARRAY(octree_cell) cells; // the root comes first
    grz_near_list items;
} grz_octree;

static void release(const grz_mesh *mesh, void *state)
{
    grz_octree *tree = state;
    grz_array_finish(mesh->allocator, &tree->cells);
    grz_array_finish(mesh->allocator, &tree->items);
    grz_release(mesh->allocator, tree, 1, sizeof *tree);
}

static void middle_of(const grz_box *cell, double middle[3])
{
    for (int axis = 0; axis < 3; axis++)
        middle[axis] = 0.5 * cell->min[axis] + 0.5 * cell->max[axis];
}

// The children that a box reaches into: bit i is child i, whose bits say on which side of each middle it is.
static unsigned children_of(const double middle[3], const grz_box *box)
{
    static const unsigned char lower[3] = {0x55, 0x33, 0x0f};
    unsigned children = 0xff;
    for (int axis = 0; axis < 3; axis++) {
        const unsigned below = box->min[axis] < middle[axis] ? lower[axis] : 0u;
        const unsigned above = box->max[axis] >= middle[axis] ? 0xffu & ~lower[axis] : 0u;
        children &= below | above;
    }
    return children;
}

static grz_box child_box(const grz_box *cell, const double middle[3], unsigned child)
{
    grz_box box = *cell;
    for (int axis = 0; axis < 3; axis++) {
        if ((child >> axis & 1) != 0)
            box.min[axis] = middle[axis];
        else
            box.max[axis] = middle[axis];
    }
    return box;
}

// How many entries the children of a cell would have together.
static size_t count_entries(const grz_structure_build *build, const double middle[3], size_t first, size_t count)
{
    size_t total = 0;
    for (size_t i = first; i < first + count; i++) {
        unsigned children = children_of(middle, &build->boxes[build->work.items[i]]);
        for (; children != 0; children &= children - 1)
            total++;
    }
    return total;
}

// End with a list: the triangles of the work list, from `first` on.
static bool make_leaf(grz_structure_build *build, grz_octree *tree, size_t cell, size_t first)
{
    tree->cells.items[cell] =
        (octree_cell){.first = (uint32_t)tree->items.count, .count = (uint32_t)(build->work.count - first)};
    return grz_structure_build_leaf(build, &tree->items, first);
}

// Build the cell from the triangles of the work list, from `first` to its end. False: there is no memory, or the
// control says to end. Recursion: MOST_LEVELS deep at most.
static bool build_cell(grz_structure_build *build, grz_octree *tree, size_t cell, const grz_box *box, int level,
                       double copies, size_t first)
{
    const size_t count = build->work.count - first;
    double middle[3];
    if (grz_structure_build_ended(build))
        return false;
    middle_of(box, middle);
    const size_t total = count_entries(build, middle, first, count);
    if (count <= FEW || level == MOST_LEVELS || !grz_structure_build_may_cut(count, total, &copies))
        return make_leaf(build, tree, cell, first);
    const size_t children = tree->cells.count;
    if (!grz_array_reserve(build->allocator, &tree->cells, children + 8))
        return false;
    tree->cells.count += 8;
    tree->cells.items[cell] = (octree_cell){.children = (uint32_t)children};
    for (unsigned child = 0; child < 8; child++) {
        const size_t start = build->work.count;
        const grz_box part = child_box(box, middle, child);
        if (!grz_array_reserve(build->allocator, &build->work, start + count))
            return false;
        for (size_t i = first; i < first + count; i++)
            if ((children_of(middle, &build->boxes[build->work.items[i]]) >> child & 1) != 0)
                build->work.items[build->work.count++] = build->work.items[i];
        const double share = (double)(build->work.count - start) / (double)total;
        if (!build_cell(build, tree, children + child, &part, level + 1, copies * share, start))
            return false;
        build->work.count = start;
    }
    return true;
}

static bool make(grz_structure_build *build, void *structure)
{
    grz_octree *tree = structure;
    return grz_array_add(build->allocator, &tree->cells) &&
           build_cell(build, tree, 0, &build->mesh->bounds, 0, grz_structure_build_copies(build), 0);
}

static const grz_structure_maker maker = {
    .what = "an octree", .size = sizeof(grz_octree), .make = make, .release = release};

static grz_status prepare(const grz_mesh *mesh, grz_control *control, void **state, grz_error *error)
{
    return grz_structure_prepare(&maker, mesh, control, state, error);
}

// The way down: cells that have yet to be looked at.
typedef struct octree_waiting {
    uint32_t cell;
    grz_box box;
} octree_waiting;

static bool gather(const grz_mesh *mesh, const void *structure, const grz_probe *probe, const grz_allocator *allocator,
                   grz_near_list *near)
{
    const grz_octree *tree = structure;
    octree_waiting stack[7 * MOST_LEVELS + 1];
    size_t depth = 0;
    if (grz_boxes_overlap(&mesh->bounds, &probe->box))
        stack[depth++] = (octree_waiting){0, mesh->bounds};
    while (depth > 0) {
        const octree_waiting top = stack[--depth];
        const octree_cell *cell = &tree->cells.items[top.cell];
        if (cell->children == 0) {
            if (!grz_near_list_append(near, tree->items.items + cell->first, cell->count, allocator))
                return false;
            continue;
        }
        double middle[3];
        middle_of(&top.box, middle);
        const unsigned children = children_of(middle, &probe->box);
        for (unsigned child = 0; child < 8; child++)
            if ((children >> child & 1) != 0)
                stack[depth++] = (octree_waiting){cell->children + child, child_box(&top.box, middle, child)};
    }
    return true;
}

static size_t divide(const grz_mesh *mesh, const void *structure, const grz_structure_part *whole,
                     grz_structure_part parts[GRZ_STRUCTURE_PARTS])
{
    const grz_octree *tree = structure;
    size_t count = 0;
    double middle[3];
    if (whole == NULL) {
        parts[0] = (grz_structure_part){.box = mesh->bounds, .leaf = tree->cells.items[0].children == 0};
        return 1;
    }
    middle_of(&whole->box, middle);
    for (unsigned child = 0; child < 8; child++) {
        const uint32_t number = tree->cells.items[whole->node].children + child;
        const octree_cell *cell = &tree->cells.items[number];
        if (cell->children != 0 || cell->count > 0)
            parts[count++] = (grz_structure_part){
                .box = child_box(&whole->box, middle, child), .leaf = cell->children == 0, .node = number};
    }
    return count;
}

const grz_structure_type grz_structure_octree = {.slot = {prepare, release}, .gather = gather, .divide = divide};
