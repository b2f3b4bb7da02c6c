// SPDX-License-Identifier: MIT
// A BSP tree: each node cuts its cell in two by a plane, which is usually the plane of one of its triangles. Triangles
// in that plane stay with the node; those that it cuts go to both sides, whole. Where no triangle's plane divides the
// others well, as in a convex mesh, a plane across an axis does. Sources: the space subdivisions of T. Munzner's
// lecture on collision detection; H. Fuchs, Z. Kedem, B. Naylor, "On visible surface generation by a priori tree
// structures" (1980).
// Signs are taken with a bound of the rounding error. What is within it of a plane counts as being on both sides, so no
// triangle is missed.
#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "geometry/vector.h"
#include "space/structures/structure_build.h"
#include "space/structures/structure_local.h"

enum {
    FEW = 8, // triangles of a cell that is not cut any more
    MOST_LEVELS = 60,
    TRIED = 10,  // planes of triangles that are tried, beside one across each axis
    SAMPLE = 128 // triangles that a plane is tried with
};

// n · y - d, in local coordinates, is off by less than this for a point of the mesh; |n| is below 2.
static const double ERROR = 0x1p-47;

typedef struct bsp_plane {
    double n[3], d; // the largest entry of n is 1 in magnitude
} bsp_plane;

typedef struct bsp_node {
    bsp_plane plane;
    uint32_t children;     // the one in front, where n · y > d; the one behind comes after it. 0: none
    uint32_t first, count; // the triangles in the plane, or of a cell without children
    float box[2][3];       // of all triangles below; cells themselves have no end
} bsp_node;

typedef struct grz_bsp {
    grz_local local;
    GRZ_ARRAY(bsp_node) nodes; // the root comes first
    grz_near_list items;
} grz_bsp;

// On which sides of a plane something lies; in the plane is neither.
enum {
    IN_FRONT = 1,
    BEHIND = 2
};

static void release(const grz_mesh *mesh, void *state)
{
    grz_bsp *tree = state;
    grz_array_finish(mesh->allocator, &tree->nodes);
    grz_array_finish(mesh->allocator, &tree->items);
    grz_release(mesh->allocator, tree, 1, sizeof *tree);
}

static double height_of(const bsp_plane *plane, const double y[3])
{
    return grz_dot(plane->n, y) - plane->d;
}

static void local_corners(const grz_bsp *tree, const grz_mesh *mesh, uint32_t triangle, double y[3][3])
{
    double corners[3][3];
    grz_mesh_corners(mesh, triangle, corners);
    for (int i = 0; i < 3; i++)
        grz_to_local(&tree->local, corners[i], y[i]);
}

static unsigned sides_of(const grz_bsp *tree, const grz_mesh *mesh, uint32_t triangle, const bsp_plane *plane)
{
    double y[3][3], low = HUGE_VAL, high = -HUGE_VAL;
    local_corners(tree, mesh, triangle, y);
    for (int i = 0; i < 3; i++) {
        const double height = height_of(plane, y[i]);
        low = fmin(low, height);
        high = fmax(high, height);
    }
    if (low >= -ERROR && high <= ERROR)
        return 0;
    return (high >= -ERROR ? (unsigned)IN_FRONT : 0u) | (low <= ERROR ? (unsigned)BEHIND : 0u);
}

// The plane of a triangle. False: it is too narrow to have one.
static bool plane_of_triangle(const grz_bsp *tree, const grz_mesh *mesh, uint32_t triangle, bsp_plane *plane)
{
    double y[3][3], along[2][3], n[3];
    local_corners(tree, mesh, triangle, y);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            along[i][j] = y[i + 1][j] - y[0][j];
    grz_cross(along[0], along[1], n);
    const double largest = fmax(fmax(fabs(n[0]), fabs(n[1])), fabs(n[2]));
    if (!(largest > GRZ_PRODUCT_MIN))
        return false;
    for (int j = 0; j < 3; j++)
        plane->n[j] = n[j] / largest;
    plane->d = grz_dot(plane->n, y[0]);
    return true;
}

// A plane across an axis through the middle of a triangle.
static bsp_plane plane_across(const grz_bsp *tree, const grz_mesh *mesh, uint32_t triangle, int axis)
{
    bsp_plane plane = {.d = 0.0};
    double y[3][3];
    local_corners(tree, mesh, triangle, y);
    plane.n[axis] = 1.0;
    plane.d = (y[0][axis] + y[1][axis] + y[2][axis]) / 3.0;
    return plane;
}

// Which of `count` triangles is number i of a sample of `size`, evenly spread.
static size_t sampled(size_t i, size_t size, size_t count)
{
    return (size_t)(((double)i + 0.5) * ((double)count / (double)size));
}

// How badly a plane divides the triangles: the larger side, what is cut, and what stays with the node because it lies
// in the plane, if that is more than a cell may have. It is judged by a sample.
static double badness(const grz_structure_build *build, const grz_bsp *tree, const bsp_plane *plane,
                      const uint32_t *triangles, size_t count)
{
    const size_t size = count < SAMPLE ? count : SAMPLE;
    size_t front = 0, behind = 0, both = 0, within = 0;
    for (size_t i = 0; i < size; i++) {
        const unsigned sides = sides_of(tree, build->mesh, triangles[sampled(i, size, count)], plane);
        front += (sides & IN_FRONT) != 0;
        behind += (sides & BEHIND) != 0;
        both += sides == (IN_FRONT | BEHIND);
        within += sides == 0;
    }
    const double stays = (double)within * ((double)count / (double)size) > FEW ? (double)within : 0.0;
    return (double)(front > behind ? front : behind) + 2.0 * (double)both + 2.0 * stays;
}

// The triangle whose middle is the median along an axis, of a sample.
static uint32_t median_of(const grz_structure_build *build, int axis, const uint32_t *triangles, size_t count)
{
    const size_t size = count < SAMPLE ? count : SAMPLE;
    uint32_t sorted[SAMPLE] = {triangles[0]};
    for (size_t i = 0; i < size; i++) {
        const uint32_t triangle = triangles[sampled(i, size, count)];
        const grz_box *boxes = build->boxes;
        const double middle = 0.5 * boxes[triangle].min[axis] + 0.5 * boxes[triangle].max[axis];
        size_t at = i;
        for (; at > 0; at--) {
            const grz_box *before = &boxes[sorted[at - 1]];
            if (0.5 * before->min[axis] + 0.5 * before->max[axis] <= middle)
                break;
            sorted[at] = sorted[at - 1];
        }
        sorted[at] = triangle;
    }
    return sorted[size / 2];
}

// The best of the planes that are tried.
static bsp_plane choose_plane(const grz_structure_build *build, const grz_bsp *tree, const uint32_t *triangles,
                              size_t count)
{
    const size_t tried = count < TRIED ? count : TRIED;
    bsp_plane best = {.d = 0.0};
    double least = HUGE_VAL;
    for (size_t i = 0; i < tried + 3; i++) {
        bsp_plane plane;
        if (i < 3)
            plane = plane_across(tree, build->mesh, median_of(build, (int)i, triangles, count), (int)i);
        else if (!plane_of_triangle(tree, build->mesh, triangles[sampled(i - 3, tried, count)], &plane))
            continue;
        const double bad = badness(build, tree, &plane, triangles, count);
        if (bad < least) {
            least = bad;
            best = plane;
        }
    }
    return best;
}

// Set a node's box around the triangles of the work list, from `first` on.
static void set_box(const grz_structure_build *build, const grz_bsp *tree, bsp_node *node, size_t first)
{
    grz_box box = grz_box_empty();
    double low[3], high[3];
    for (size_t i = first; i < build->work.count; i++)
        grz_box_add_box(&box, &build->boxes[build->work.items[i]]);
    grz_to_local(&tree->local, box.min, low);
    grz_to_local(&tree->local, box.max, high);
    for (int axis = 0; axis < 3; axis++) {
        node->box[0][axis] = nextafterf((float)(low[axis] - ERROR), -HUGE_VALF);
        node->box[1][axis] = nextafterf((float)(high[axis] + ERROR), HUGE_VALF);
    }
}

// End with a list: the triangles of the work list, from `first` on.
static bool make_leaf(grz_structure_build *build, grz_bsp *tree, size_t node, size_t first)
{
    tree->nodes.items[node].children = 0;
    tree->nodes.items[node].first = (uint32_t)tree->items.count;
    tree->nodes.items[node].count = (uint32_t)(build->work.count - first);
    return grz_structure_build_leaf(build, &tree->items, first);
}

// Count the triangles on each side; the last count is of those in the plane.
static void count_sides(const grz_structure_build *build, const grz_bsp *tree, const bsp_plane *plane, size_t first,
                        size_t count, size_t counts[3])
{
    memset(counts, 0, 3 * sizeof *counts);
    for (size_t i = first; i < first + count; i++) {
        const unsigned sides = sides_of(tree, build->mesh, build->work.items[i], plane);
        counts[0] += (sides & IN_FRONT) != 0;
        counts[1] += (sides & BEHIND) != 0;
        counts[2] += sides == 0;
    }
}

// Put the triangles on one side, or those in the plane (0), at the end of the work list.
static bool take_side(grz_structure_build *build, const grz_bsp *tree, const bsp_plane *plane, unsigned side,
                      size_t first, size_t count)
{
    if (!grz_array_reserve(build->allocator, &build->work, build->work.count + count))
        return false;
    for (size_t i = first; i < first + count; i++) {
        const uint32_t triangle = build->work.items[i];
        const unsigned sides = sides_of(tree, build->mesh, triangle, plane);
        if (side == 0 ? sides == 0 : (sides & side) != 0)
            build->work.items[build->work.count++] = triangle;
    }
    return true;
}

// Build the node from the triangles of the work list, from `first` to its end. False: there is no memory, or the
// control says to end. Recursion: MOST_LEVELS deep at most.
static bool build_node(grz_structure_build *build, grz_bsp *tree, size_t node, int level, double copies, size_t first)
{
    const size_t count = build->work.count - first;
    size_t counts[3];
    if (grz_structure_build_ended(build))
        return false;
    set_box(build, tree, &tree->nodes.items[node], first);
    if (count <= FEW || level == MOST_LEVELS)
        return make_leaf(build, tree, node, first);
    const bsp_plane plane = choose_plane(build, tree, build->work.items + first, count);
    count_sides(build, tree, &plane, first, count, counts);
    const size_t total = counts[0] + counts[1] + counts[2];
    if (counts[0] == count || counts[1] == count || !grz_structure_build_may_cut(count, total, &copies))
        return make_leaf(build, tree, node, first);
    const size_t children = tree->nodes.count, start = build->work.count;
    if (!grz_array_reserve(build->allocator, &tree->nodes, children + 2) ||
        !take_side(build, tree, &plane, 0, first, count) || !make_leaf(build, tree, node, start))
        return false;
    build->work.count = start;
    tree->nodes.count += 2;
    tree->nodes.items[node].plane = plane;
    tree->nodes.items[node].children = (uint32_t)children;
    for (unsigned side = 0; side < 2; side++) {
        if (!take_side(build, tree, &plane, side == 0 ? (unsigned)IN_FRONT : (unsigned)BEHIND, first, count))
            return false;
        const double share = (double)counts[side] / (double)total;
        if (!build_node(build, tree, children + side, level + 1, copies * share, start))
            return false;
        build->work.count = start;
    }
    return true;
}

static bool make(grz_structure_build *build, void *structure)
{
    grz_bsp *tree = structure;
    tree->local = grz_local_of(build->mesh);
    return grz_array_add(build->allocator, &tree->nodes) &&
           build_node(build, tree, 0, 0, grz_structure_build_copies(build), 0);
}

static const grz_structure_maker maker = {
    .what = "BSP tree", .size = sizeof(grz_bsp), .make = make, .release = release};

static grz_status prepare(const grz_mesh *mesh, grz_control *control, void **state, grz_error *error)
{
    return grz_structure_prepare(&maker, mesh, control, state, error);
}

// A probe in local coordinates. Its points are within `slack` of its corners' hull, rounding included.
typedef struct local_probe {
    double y[3][3], slack[3], error;
    double low[3], high[3]; // a box around all these points; infinite if numbers leave the range of doubles
} local_probe;

static local_probe probe_to_local(const grz_local *local, const grz_probe *probe)
{
    local_probe out = {.error = 0.0};
    double largest = 1.0;
    for (int i = 0; i < 3; i++) {
        grz_to_local(local, probe->corners[i], out.y[i]);
        for (int j = 0; j < 3; j++)
            largest = fmax(largest, fabs(out.y[i][j]));
    }
    out.error = ERROR * largest;
    for (int j = 0; j < 3; j++) {
        out.slack[j] = probe->slack[j] * local->scale;
        const double reach = out.slack[j] * GRZ_MORE(8192) + out.error;
        out.low[j] = fmin(fmin(out.y[0][j], out.y[1][j]), out.y[2][j]) - reach;
        out.high[j] = fmax(fmax(out.y[0][j], out.y[1][j]), out.y[2][j]) + reach;
        if (!isfinite(out.low[j]) || !isfinite(out.high[j])) {
            out.low[j] = -HUGE_VAL;
            out.high[j] = HUGE_VAL;
        }
    }
    return out;
}

// The sides of a plane that the probe reaches to, or may reach to; both if it reaches to the plane.
static unsigned sides_of_probe(const local_probe *probe, const bsp_plane *plane)
{
    double low = HUGE_VAL, high = -HUGE_VAL, reach = 3.0 * probe->error;
    for (int j = 0; j < 3; j++)
        reach += fabs(plane->n[j]) * probe->slack[j] * GRZ_MORE(8192);
    for (int i = 0; i < 3; i++) {
        const double height = height_of(plane, probe->y[i]);
        if (!isfinite(height))
            return IN_FRONT | BEHIND;
        low = fmin(low, height);
        high = fmax(high, height);
    }
    return (high < -reach ? 0u : (unsigned)IN_FRONT) | (low > reach ? 0u : (unsigned)BEHIND);
}

static bool is_outside(const local_probe *probe, const bsp_node *node)
{
    for (int j = 0; j < 3; j++)
        if (probe->low[j] > (double)node->box[1][j] || probe->high[j] < (double)node->box[0][j])
            return true;
    return false;
}

static bool gather(const grz_mesh *mesh, const void *structure, const grz_probe *probe, const grz_allocator *allocator,
                   grz_near_list *near)
{
    const grz_bsp *tree = structure;
    const local_probe local = probe_to_local(&tree->local, probe);
    uint32_t stack[MOST_LEVELS + 1];
    size_t depth = 0;
    if (grz_boxes_overlap(&mesh->bounds, &probe->box))
        stack[depth++] = 0;
    while (depth > 0) {
        const bsp_node *node = &tree->nodes.items[stack[--depth]];
        unsigned sides = IN_FRONT | BEHIND;
        if (is_outside(&local, node))
            continue;
        if (node->children != 0) {
            sides = sides_of_probe(&local, &node->plane);
            if ((sides & BEHIND) != 0)
                stack[depth++] = node->children + 1;
            if ((sides & IN_FRONT) != 0)
                stack[depth++] = node->children;
        }
        if (sides == (IN_FRONT | BEHIND) &&
            !grz_near_list_append(near, tree->items.items + node->first, node->count, allocator))
            return false;
    }
    return true;
}

static grz_structure_part part_of(const grz_bsp *tree, uint32_t number)
{
    const bsp_node *node = &tree->nodes.items[number];
    double low[3], high[3];
    for (int j = 0; j < 3; j++) {
        low[j] = (double)node->box[0][j];
        high[j] = (double)node->box[1][j];
    }
    return (grz_structure_part){
        .box = grz_box_from_local(&tree->local, low, high), .leaf = node->children == 0, .node = number};
}

static size_t divide(const grz_mesh *mesh, const void *structure, const grz_structure_part *whole,
                     grz_structure_part parts[GRZ_STRUCTURE_PARTS])
{
    const grz_bsp *tree = structure;
    size_t count = 0;
    (void)mesh;
    if (whole == NULL) {
        parts[0] = part_of(tree, 0);
        return 1;
    }
    const bsp_node *node = &tree->nodes.items[whole->node];
    if (node->count > 0) {
        parts[count] = *whole;
        parts[count].leaf = parts[count].own = true;
        count++;
    }
    for (uint32_t side = 0; side < 2; side++) {
        const bsp_node *child = &tree->nodes.items[node->children + side];
        if (child->children != 0 || child->count > 0)
            parts[count++] = part_of(tree, node->children + side);
    }
    return count;
}

// What lies in a plane is apart from what does not reach to it.
static bool is_apart(const void *structure, const grz_structure_part *part, const grz_oblique_box *box)
{
    const grz_bsp *tree = structure;
    const bsp_plane *plane = &tree->nodes.items[part->node].plane;
    grz_oblique_box local;
    if (!part->own || !grz_oblique_to_local(&tree->local, box, &local))
        return false;
    return fabs(height_of(plane, local.middle)) > grz_oblique_reach(&local, plane->n) * GRZ_MORE(8192) + 2.0 * ERROR;
}

const grz_structure_type grz_structure_bsp = {
    .slot = {prepare, release}, .gather = gather, .divide = divide, .is_apart = is_apart};
