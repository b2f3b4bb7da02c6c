// SPDX-License-Identifier: MIT
// Cells by a BSP tree: the box of the level is cut in two, again and again, by planes of its walls (H. Fuchs, Z. Kedem,
// B. Naylor, "On visible surface generation by a priori tree structures", 1980). Each leaf is a convex cell. Corners
// are kept as where three planes meet, and their sides are exact (geometry/cut/corner.h). docs/use/portals.md has the
// proofs.
#include <math.h>
#include <string.h>

#include "base/control.h"
#include "base/fail.h"
#include "base/rounding.h"
#include "geometry/triangle/triangle.h"
#include "geometry/vector.h"
#include "level/portals/bsp/bsp_work.h"
#include "mesh/mesh.h"
#include "mesh/triangles.h"

// ---- Planes -------------------------------------------------------------------------------------------------------

// Planes of walls, found again by rounded coefficients. Two entries may be one plane: then some more work is done.
typedef struct plane_table {
    uint32_t *slots; // UINT32_MAX: free
    size_t size;     // a power of two
} plane_table;

static const double NEARLY_SAME = 1.0 + 0x1p-20; // of two components' sizes; chosen: far more than rounding

// Numbers that nearly always agree for triangles of one plane.
static void rounded_plane(const double c[3][3], double scale, int64_t key[4])
{
    double n[3], u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = c[1][k] - c[0][k];
        v[k] = c[2][k] - c[0][k];
    }
    grz_cross(u, v, n);
    // Planes that are equal but for rounding must have one key: of components that are as large, the first counts.
    int largest = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(n[k]) > fabs(n[largest]) * NEARLY_SAME)
            largest = k;
    for (int k = 0; k < 3; k++) {
        const double part = n[k] / n[largest] * 0x1p24; // the key has 24 digits of the normal, 30 of the distance
        key[k] = fabs(part) <= 0x1p25 ? (int64_t)floor(part + 0.5) : 0; // else not a number
    }
    double d = 0.0;
    for (int k = 0; k < 3; k++)
        d += n[k] / n[largest] * (c[0][k] / scale);
    d *= 0x1p30; // as above; what is no number of that size gets 0
    key[3] = (fabs(d) <= 0x1p40 ? (int64_t)floor(d + 0.5) : 0) * 4 + largest; // two bits for the axis
}

static size_t hash(const int64_t key[4])
{
    uint64_t sum = 0;
    for (int i = 0; i < 4; i++)
        sum = (sum ^ (uint64_t)key[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(sum ^ sum >> 29);
}

static bool lies_in(const grz_parts_plane *plane, const double c[3][3])
{
    for (int i = 0; i < 3; i++)
        if (grz_orient3d(plane->at[0], plane->at[1], plane->at[2], c[i]) != 0)
            return false;
    return true;
}

// The plane of a triangle with area.
static uint32_t plane_of(grz_bsp_work *w, plane_table *table, const double c[3][3], double scale)
{
    int64_t key[4];
    rounded_plane(c, scale, key);
    size_t at = hash(key) & (table->size - 1);
    for (; table->slots[at] != UINT32_MAX; at = (at + 1) & (table->size - 1))
        if (lies_in(&w->pool.planes.items[table->slots[at]], c))
            return table->slots[at];
    table->slots[at] = grz_parts_add_plane(&w->pool, c[0], c[1], c[2]);
    return table->slots[at];
}

// ---- The beginning ------------------------------------------------------------------------------------------------

// The box of all walls. Sides in which no wall lies are moved outwards, so that a corner of the walls does not end in
// one; along an axis on which the box has no length, both are.
static void set_box(grz_portals *level)
{
    const grz_mesh *mesh = level->all.mesh;
    double size = fmax(level->margin, GRZ_NEVER_ZERO); // never 0
    bool has_wall[2][3] = {{false, false, false}, {false, false, false}};
    level->box = mesh->bounds;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        double c[3][3];
        grz_mesh_corners(mesh, t, c);
        const grz_box box = grz_triangle_box((const double(*)[3])c);
        for (int k = 0; k < 3; k++) {
            has_wall[0][k] = has_wall[0][k] || box.max[k] == level->box.min[k];
            has_wall[1][k] = has_wall[1][k] || box.min[k] == level->box.max[k];
        }
    }
    for (int k = 0; k < 3; k++)
        // far above what corners are off by, some 2^-38 of the size (bsp_grow.c)
        size = fmax(size, 0x1p-20 * fmax(mesh->max_abs[k], level->box.max[k] - level->box.min[k]));
    for (int k = 0; k < 3; k++) {
        const bool is_flat = level->box.min[k] == level->box.max[k];
        level->box.min[k] -= is_flat || !has_wall[0][k] ? size : 0.0;
        level->box.max[k] += is_flat || !has_wall[1][k] ? size : 0.0;
    }
}

static bool add_corners(grz_bsp_work *w)
{
    const grz_mesh *mesh = w->level->all.mesh;
    uint32_t corner;
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        if (!grz_parts_add_given(&w->pool, grz_mesh_position(mesh, i), &corner))
            return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    return true;
}

// All triangles with area become polygons; those without have no place in a portal.
static bool add_walls(grz_bsp_work *w, plane_table *table, grz_parts_polygons *surface)
{
    const grz_mesh *mesh = w->level->all.mesh;
    const double scale = fmax(fmax(mesh->max_abs[0], mesh->max_abs[1]), mesh->max_abs[2]);
    const uint32_t first = (uint32_t)w->pool.corners.count;
    if (!add_corners(w))
        return false;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        double c[3][3];
        grz_mesh_corners(mesh, t, c);
        if (grz_control_expired_at(w->control, t, 8))
            return grz_bsp_fail(w, grz_control_status(w->control));
        if (grz_triangle_dimension((const double(*)[3])c) < 2)
            continue;
        const uint32_t plane = plane_of(w, table, (const double(*)[3])c, scale);
        bool ok = plane != UINT32_MAX && grz_parts_begin(w->allocator, surface, plane, 1);
        for (size_t i = 0; i < 3 && ok; i++)
            ok = grz_parts_add(w->allocator, surface, first + mesh->triangles[3 * (size_t)t + i], UINT32_MAX);
        if (!ok)
            return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
        surface->all.items[surface->all.count - 1].of = t;
    }
    return true;
}

static bool add_flat(grz_bsp_work *w, const double c[3][3], uint32_t triangle, uint32_t plane, int axis)
{
    grz_bsp_flat flat = {.triangle = triangle, .plane = plane, .axis = axis};
    if (grz_orient_projected(axis, c[0], c[1], c[2]) == 0)
        return true; // seen along the axis, it has no area
    for (int i = 0; i < 3; i++) {
        flat.rim.edges[i] = grz_parts_add_plane_across(&w->pool, c[i], c[(i + 1) % 3], axis);
        if (flat.rim.edges[i] == UINT32_MAX)
            return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
        const double(*at)[3] = (const double(*)[3])w->pool.planes.items[flat.rim.edges[i]].at;
        flat.rim.inner[i] = grz_orient3d(at[0], at[1], at[2], c[(i + 2) % 3]);
    }
    if (!grz_array_add(w->allocator, &w->flats))
        return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    w->flats.items[w->flats.count - 1] = flat;
    return true;
}

// Move the walls that count as in a plane from `surface` to the end of `flats`. How far they were moved is kept.
static bool take_flats(grz_bsp_work *w, grz_parts_polygons *surface, uint32_t plane, grz_bsp_seam *seam)
{
    grz_portals *level = w->level;
    const grz_bsp_lift lift = grz_bsp_lift_to(&w->pool.planes.items[plane]);
    size_t kept = 0;
    seam->first = (uint32_t)w->flats.count;
    for (size_t i = 0; i < surface->all.count; i++) {
        const grz_parts_polygon polygon = surface->all.items[i];
        double c[3][3];
        grz_mesh_corners(level->all.mesh, polygon.of, c);
        const bool is_in = polygon.plane == plane || lies_in(&w->pool.planes.items[plane], (const double(*)[3])c);
        const double moved = is_in ? 0.0 : grz_bsp_lift_of(&lift, (const double(*)[3])c);
        if (moved > w->most_moved) {
            surface->all.items[kept++] = polygon;
            continue;
        }
        level->slack = fmax(level->slack, moved);
        if (!add_flat(w, (const double(*)[3])c, polygon.of, plane, lift.axis))
            return false;
    }
    surface->all.count = kept;
    seam->count = (uint32_t)w->flats.count - seam->first;
    return true;
}

// The whole box, its walls, and what lies in its faces.
static bool begin(grz_bsp_work *w)
{
    const size_t count = w->level->all.count;
    if (!grz_array_add(w->allocator, &w->open))
        return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    grz_bsp_open *root = &w->open.items[0];
    *root = (grz_bsp_open){.levels = 0};
    set_box(w->level);
    if (!grz_parts_add_box(&w->pool, w->level->box.min, w->level->box.max, &root->part.cell))
        return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    plane_table table = {.size = 64};
    while (table.size < 2 * count)
        table.size *= 2;
    table.slots = grz_allocate(w->allocator, table.size, sizeof *table.slots);
    bool ok = false;
    if (table.slots != NULL) {
        memset(table.slots, 0xff, table.size * sizeof *table.slots);
        ok = add_walls(w, &table, &root->part.surface);
    } else
        grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    grz_release(w->allocator, table.slots, table.size, sizeof *table.slots);
    w->wall_planes = (uint32_t)w->pool.planes.count;
    w->area = ok ? grz_allocate_zeroed(w->allocator, w->wall_planes, sizeof *w->area) : NULL;
    if (ok && w->area == NULL)
        return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    for (uint32_t f = 0; f < GRZ_PARTS_BOX_PLANES && ok; f++) {
        w->sides[f] = (grz_bsp_seam){.plane = f, .polygon = (uint32_t)w->seams.all.count};
        ok = grz_parts_copy(w->allocator, &root->part.cell, &root->part.cell.all.items[f], &w->seams) ||
             grz_bsp_fail(w, GRZ_ERROR_MEMORY);
        ok = ok && take_flats(w, &root->part.surface, f, &w->sides[f]);
    }
    return ok;
}

// ---- Cutting ------------------------------------------------------------------------------------------------------

static bool cuts(const grz_bsp_work *w, const grz_parts_polygons *cell, uint32_t plane)
{
    bool below = false, above = false;
    for (size_t f = 0; f < cell->all.count; f++) {
        int low, high;
        grz_parts_sides(&w->pool, cell, &cell->all.items[f], plane, &low, &high);
        below = below || low < 0;
        above = above || high > 0;
    }
    return below && above;
}

static bool cut_surface(grz_bsp_work *w, grz_parts_polygons *surface, uint32_t plane, grz_parts_polygons *below,
                        grz_parts_polygons *above)
{
    for (uint32_t i = 0; i < surface->all.count; i++) {
        const grz_parts_polygon polygon = surface->all.items[i];
        int low, high;
        bool ok;
        if (grz_control_expired_at(w->control, i, 6))
            return grz_bsp_fail(w, grz_control_status(w->control));
        grz_parts_sides(&w->pool, surface, &polygon, plane, &low, &high);
        if (low >= 0 || high <= 0)
            ok = grz_parts_copy(w->allocator, surface, &polygon, low >= 0 ? above : below);
        else
            ok = grz_bsp_need_edges(w, surface, i) &&
                 grz_parts_cut_polygon(&w->pool, surface, &polygon, plane, -1, below) &&
                 grz_parts_cut_polygon(&w->pool, surface, &polygon, plane, 1, above);
        if (!ok)
            return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    }
    return true;
}

static bool add_nodes(grz_bsp_work *w, int count)
{
    for (int i = 0; i < count; i++) {
        if (!grz_array_add(w->allocator, &w->level->nodes) || !grz_array_add(w->allocator, &w->seams_of))
            return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
        w->level->nodes.items[w->level->nodes.count - 1] = (grz_bsp_node){.children = 0};
        w->seams_of.items[w->seams_of.count - 1] = (grz_bsp_seam){.plane = UINT32_MAX};
    }
    return true;
}

// What is left of the walls ends in the cell's inside.
static void count_free(grz_bsp_work *w, const grz_parts_polygons *surface)
{
    for (size_t i = 0; i < surface->all.count; i++)
        w->level->is_portal[surface->all.items[i].of] |= GRZ_BSP_FREE; // for now: counted and cleared at the end
}

static bool end_with_leaf(grz_bsp_work *w, grz_bsp_open *open)
{
    if (w->leaves.count + 1 >= w->options->max_cells) // with the outside
        return grz_bsp_fail(w, GRZ_ERROR_LIMIT);
    if (!grz_array_add(w->allocator, &w->leaves))
        return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    const uint32_t leaf = (uint32_t)(w->leaves.count - 1);
    count_free(w, &open->part.surface);
    w->leaves.items[leaf] = open->part.cell;
    memset(&open->part.cell, 0, sizeof open->part.cell);
    w->seams_of.items[open->node].leaf = leaf;
    return true;
}

static bool split(grz_bsp_work *w, grz_bsp_open *open, uint32_t plane)
{
    const uint32_t children = (uint32_t)w->level->nodes.count;
    grz_bsp_seam seam = {.plane = plane, .polygon = (uint32_t)w->seams.all.count};
    if (!add_nodes(w, 2) || !take_flats(w, &open->part.surface, plane, &seam))
        return false;
    if (!grz_array_reserve(w->allocator, &w->open, w->open.count + 2))
        return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    grz_bsp_open *below = &w->open.items[w->open.count], *above = below + 1;
    w->open.count += 2;
    *below = (grz_bsp_open){.node = children, .levels = open->levels + 1};
    *above = (grz_bsp_open){.node = children + 1, .levels = open->levels + 1};
    if (!grz_parts_cut_cell(&w->pool, &open->part.cell, plane, -1, &below->part.cell) ||
        !grz_parts_cut_cell(&w->pool, &open->part.cell, plane, 1, &above->part.cell) ||
        !grz_parts_copy(w->allocator, &below->part.cell, &below->part.cell.all.items[below->part.cell.all.count - 1],
                        &w->seams))
        return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    w->seams_of.items[open->node] = seam;
    grz_bsp_node *node = &w->level->nodes.items[open->node];
    memcpy(node->at, w->pool.planes.items[plane].at, sizeof node->at);
    node->children = children;
    return cut_surface(w, &open->part.surface, plane, &below->part.surface, &above->part.surface);
}

static bool process(grz_bsp_work *w, grz_bsp_open *open)
{
    if (grz_control_expired(w->control))
        return grz_bsp_fail(w, grz_control_status(w->control));
    const uint32_t plane = open->levels < GRZ_BSP_MOST_LEVELS ? grz_bsp_choose(w, &open->part) : UINT32_MAX;
    if (w->status != GRZ_OK)
        return false;
    return plane != UINT32_MAX && cuts(w, &open->part.cell, plane) ? split(w, open, plane) : end_with_leaf(w, open);
}

static bool cut_all(grz_bsp_work *w)
{
    bool ok = add_nodes(w, 1);
    while (ok && w->open.count > 0) {
        grz_bsp_open open = w->open.items[--w->open.count];
        ok = process(w, &open);
        grz_parts_node_finish(w->allocator, &open.part);
    }
    return ok;
}

// ---- The end ------------------------------------------------------------------------------------------------------

static bool find_boxes(grz_bsp_work *w)
{
    const size_t count = w->leaves.count;
    w->leaf_boxes = grz_allocate(w->allocator, count, sizeof *w->leaf_boxes);
    w->leaf_walls = grz_allocate_zeroed(w->allocator, count, sizeof *w->leaf_walls);
    if (w->leaf_boxes == NULL || w->leaf_walls == NULL)
        return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    for (size_t i = 0; i < count; i++) {
        const grz_parts_polygons *faces = &w->leaves.items[i];
        w->leaf_boxes[i] = grz_box_empty();
        for (size_t f = 0; f < faces->all.count; f++)
            grz_bsp_add_to_box(w, faces, &faces->all.items[f], &w->leaf_boxes[i]);
    }
    return true;
}

static void count_walls(grz_portals *level)
{
    for (uint32_t t = 0, last = UINT32_MAX; t < level->all.count; t++) {
        const uint8_t bits = level->is_portal[t];
        level->is_portal[t] = bits & GRZ_BSP_MARK;
        if (level->is_portal[t])
            continue;
        level->wall_faces += t == 0 || level->all.faces[t] != level->all.faces[t - 1];
        if ((bits & GRZ_BSP_FREE) != 0 && level->all.faces[t] != last) {
            level->free_walls++;
            last = level->all.faces[t];
        }
    }
}

static bool hand_over(grz_bsp_work *w)
{
    count_walls(w->level);
    return grz_bsp_unite_marks(w) && grz_bsp_hand_portals_over(w);
}

static void finish(grz_bsp_work *w)
{
    const grz_allocator *allocator = w->allocator;
    for (size_t i = 0; i < w->open.count; i++)
        grz_parts_node_finish(allocator, &w->open.items[i].part);
    grz_release(allocator, w->leaf_boxes, w->leaves.count, sizeof *w->leaf_boxes);
    grz_release(allocator, w->leaf_walls, w->leaves.count, sizeof *w->leaf_walls);
    for (size_t i = 0; i < w->leaves.count; i++)
        grz_parts_polygons_finish(allocator, &w->leaves.items[i]);
    grz_array_finish(allocator, &w->open);
    grz_array_finish(allocator, &w->leaves);
    grz_array_finish(allocator, &w->pool.planes);
    grz_array_finish(allocator, &w->pool.corners);
    grz_array_finish(allocator, &w->spots);
    grz_array_finish(allocator, &w->seams_of);
    grz_array_finish(allocator, &w->openings);
    grz_array_finish(allocator, &w->pieces.pieces);
    grz_array_finish(allocator, &w->pieces.corners);
    grz_array_finish(allocator, &w->next_piece);
    grz_array_finish(allocator, &w->bonds);
    grz_array_finish(allocator, &w->touched);
    grz_parts_polygons_finish(allocator, &w->seams);
    grz_release(allocator, w->flat_boxes, w->flats.count, sizeof *w->flat_boxes);
    grz_array_finish(allocator, &w->flats);
    grz_array_finish(allocator, &w->areas);
    grz_release(allocator, w->area, w->wall_planes, sizeof *w->area);
}

grz_status grz_bsp_build(grz_portals *level, const grz_bsp_options *options, grz_cell_pairs *pairs,
                         grz_control *control, grz_error *error)
{
    grz_bsp_work w = {
        .level = level, .options = options, .control = control, .allocator = grz_control_allocator(control)};
    w.pool.allocator = w.allocator;
    w.most_moved = 0.5 * options->flatness * level->margin;
    const bool ok = begin(&w) && cut_all(&w) && find_boxes(&w) && grz_bsp_find_portals(&w) &&
                    grz_bsp_find_walls(&w, pairs) && grz_bsp_merge(&w, pairs) && hand_over(&w);
    const grz_status status = ok ? GRZ_OK : w.status != GRZ_OK ? w.status : GRZ_ERROR_MEMORY;
    finish(&w);
    if (status == GRZ_ERROR_LIMIT)
        return grz_fail(error, status, GRZ_NO_ELEMENT,
                        "portals: the BSP tree has more than %u cells: see options.max_cells and options.coverage",
                        options->max_cells);
    return status == GRZ_OK ? GRZ_OK : grz_control_explain(control, status, "portals", error);
}
