// SPDX-License-Identifier: MIT
// Makes the meshes of the cells. A mover in a cell is given the cell's walls, and all other walls that come as near as
// the margin to one of them: those it may feel through a wall, within its skin (docs/use/portals.md, "Movers").
#include <string.h>

#include "base/control.h"
#include "base/sort/number_sort.h"
#include "level/portals/portal_cells.h"
#include "level/portals/data/near_triangles.h"
#include "level/portals/data/portal_pieces.h"
#include "mesh/triangles.h"

typedef struct maker {
    grz_portals *level;
    grz_control *control;
    grz_cell_pairs *pairs;
    uint32_t *list;    // triangles of one mesh
    uint32_t *scratch; // of grz_part_make()
    uint32_t triangle; // whose neighbours are visited
} maker;

static grz_status out_of_memory(maker *m, grz_error *error)
{
    return grz_control_explain(m->control, GRZ_ERROR_MEMORY, "portals", error);
}

static bool add_pair(maker *m, uint32_t cell, uint32_t triangle)
{
    return grz_cell_pairs_add(m->pairs, m->control, cell, triangle);
}

// The wall `m->triangle` is near this one: it belongs into the meshes of both of its cells.
static bool add_near(void *context, uint32_t triangle)
{
    maker *m = context;
    if (m->level->is_portal[triangle])
        return true;
    const uint32_t *sides = m->level->sides + 2 * (size_t)triangle;
    return add_pair(m, sides[0], m->triangle) && (sides[1] == sides[0] || add_pair(m, sides[1], m->triangle));
}

static grz_status sort_pairs(maker *m, grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(m->control);
    const size_t count = m->pairs->all.count;
    uint64_t *spare = grz_allocate(allocator, count + 1, sizeof *spare);
    if (spare == NULL)
        return out_of_memory(m, error);
    const bool done = grz_sort_numbers(m->pairs->all.items, spare, count, m->control);
    grz_release(allocator, spare, count + 1, sizeof *spare);
    if (!done)
        return grz_control_explain(m->control, grz_control_status(m->control), "portals", error);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || m->pairs->all.items[i] != m->pairs->all.items[i - 1])
            m->pairs->all.items[kept++] = m->pairs->all.items[i];
    m->pairs->all.count = kept;
    return GRZ_OK;
}

static grz_status find_walls(maker *m, grz_error *error)
{
    const grz_portals *level = m->level;
    const grz_bvh *bvh;
    const grz_status status = grz_mesh_bvh(level->all.mesh, m->control, &bvh, error);
    if (status != GRZ_OK)
        return status;
    for (m->triangle = 0; m->triangle < level->all.count; m->triangle++) {
        double corners[3][3];
        if (level->is_portal[m->triangle])
            continue;
        grz_mesh_corners(level->all.mesh, m->triangle, corners);
        grz_box box = grz_triangle_box((const double(*)[3])corners);
        box = grz_box_grown(&box, level->margin);
        if (grz_control_expired_at(m->control, m->triangle, 8) ||
            !grz_near_visit(level->all.mesh, bvh, &box, add_near, m))
            return grz_control_explain(m->control, grz_control_status(m->control), "portals", error);
    }
    return GRZ_OK;
}

static grz_status make_walls(maker *m, grz_error *error)
{
    grz_status status = sort_pairs(m, error);
    for (size_t first = 0, next; first < m->pairs->all.count && status == GRZ_OK; first = next) {
        const uint32_t cell = (uint32_t)(m->pairs->all.items[first] >> 32);
        uint32_t count = 0;
        for (next = first; next < m->pairs->all.count && m->pairs->all.items[next] >> 32 == cell; next++)
            m->list[count++] = (uint32_t)m->pairs->all.items[next];
        status = grz_part_make(m->level, m->list, count, m->scratch, m->control, &m->level->cells[cell].walls, error);
        const grz_bvh *bvh; // now, so that no step has to wait for it
        if (status == GRZ_OK)
            status = grz_mesh_bvh(m->level->cells[cell].walls.mesh, m->control, &bvh, error);
    }
    return status;
}

static grz_status make_shell(maker *m, const uint64_t *pairs, uint32_t count, grz_cell *cell, grz_error *error)
{
    for (uint32_t i = 0; i < count; i++)
        m->list[i] = (uint32_t)pairs[i];
    grz_status status = grz_part_make(m->level, m->list, count, m->scratch, m->control, &cell->shell, error);
    if (status != GRZ_OK)
        return status;
    cell->object = grz_object_at_origin(cell->shell.mesh);
    cell->box = cell->shell.mesh->bounds;
    return grz_solid_init(&cell->solid, &cell->object, GRZ_EVEN_ODD, m->control, error);
}

static grz_status make_shells(maker *m, grz_error *error)
{
    const grz_portals *level = m->level;
    m->pairs->all.count = 0;
    for (uint32_t t = 0; t < level->all.count; t++) {
        const uint32_t *sides = level->sides + 2 * (size_t)t;
        if (sides[0] != sides[1] && (!add_pair(m, sides[0], t) || !add_pair(m, sides[1], t)))
            return out_of_memory(m, error);
    }
    grz_status status = sort_pairs(m, error);
    for (size_t first = 0, next; first < m->pairs->all.count && status == GRZ_OK; first = next) {
        const uint32_t cell = (uint32_t)(m->pairs->all.items[first] >> 32);
        for (next = first; next < m->pairs->all.count && m->pairs->all.items[next] >> 32 == cell;)
            next++;
        status = make_shell(m, m->pairs->all.items + first, (uint32_t)(next - first), &m->level->cells[cell], error);
    }
    return status;
}

// The walls of the whole level, for steps that the cells are not enough for.
static grz_status make_whole(maker *m, grz_error *error)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < m->level->all.count; t++)
        if (!m->level->is_portal[t])
            m->list[count++] = t;
    return grz_part_make(m->level, m->list, count, m->scratch, m->control, &m->level->walls, error);
}

// ---- Portals ------------------------------------------------------------------------------------------------------

static bool fill_portals(grz_portals *level, const grz_allocator *allocator)
{
    uint32_t at = UINT32_MAX, last = UINT32_MAX; // the present portal; the last face
    for (uint32_t t = 0; t < level->all.count; t++) {
        const uint32_t face = level->all.faces[t], *sides = level->sides + 2 * (size_t)t;
        double corners[3][3];
        const bool new_face = face != last;
        last = face;
        if (!level->is_portal[t]) {
            level->wall_faces += new_face;
            level->free_walls += new_face && sides[0] == sides[1];
            continue;
        }
        grz_mesh_corners(level->all.mesh, t, corners);
        const grz_box box = grz_triangle_box((const double(*)[3])corners);
        if (new_face) {
            at++;
            level->first_polygon[at] = (uint32_t)level->polygons.pieces.count;
            level->portals[at] = (grz_portal){.face = face, .cells = {sides[0], sides[1]}};
            memcpy(level->portals[at].min, box.min, sizeof box.min);
            memcpy(level->portals[at].max, box.max, sizeof box.max);
        }
        for (int k = 0; k < 3; k++) {
            level->portals[at].min[k] = fmin(level->portals[at].min[k], box.min[k]);
            level->portals[at].max[k] = fmax(level->portals[at].max[k], box.max[k]);
        }
        grz_portal_corner *piece = grz_portal_add_piece(allocator, &level->polygons, 3, 0.0);
        if (piece == NULL)
            return false;
        memcpy(piece, corners, sizeof corners);
    }
    if (level->portal_count > 0)
        level->first_polygon[level->portal_count] = (uint32_t)level->polygons.pieces.count;
    return true;
}

static void give_portals_to_cells(grz_portals *level)
{
    for (uint32_t i = 0; i < level->portal_count; i++) {
        const grz_portal *portal = &level->portals[i];
        level->cells[portal->cells[0]].portal_count++;
        if (portal->cells[0] != portal->cells[1]) {
            level->cells[portal->cells[1]].portal_count++;
            continue;
        }
        if (level->useless_portals++ == 0)
            level->first_useless_portal = portal->face;
    }
    for (uint32_t i = 0, first = 0; i < level->cell_count; i++) {
        level->cells[i].first_portal = first;
        first += level->cells[i].portal_count;
        level->cells[i].portal_count = 0;
    }
    for (uint32_t i = 0; i < level->portal_count; i++)
        for (int j = 0; j < 2; j++) {
            grz_cell *cell = &level->cells[level->portals[i].cells[j]];
            if (j == 0 || level->portals[i].cells[0] != level->portals[i].cells[1])
                level->cell_portals[cell->first_portal + cell->portal_count++] = i;
        }
}

// `make` fills in what differs.
static grz_status make_with(grz_portals *level, grz_cell_pairs *pairs, grz_control *control,
                            grz_status (*make)(maker *m, grz_error *error), grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const size_t vertices = level->all.mesh->vertex_count;
    maker m = {.level = level, .control = control, .pairs = pairs};
    m.list = grz_allocate(allocator, level->all.count, sizeof *m.list);
    m.scratch = grz_allocate(allocator, vertices, sizeof *m.scratch);
    grz_status status = GRZ_ERROR_MEMORY;
    if (m.list != NULL && m.scratch != NULL) {
        memset(m.scratch, 0xff, vertices * sizeof *m.scratch);
        status = make(&m, error);
        if (status == GRZ_OK)
            status = make_whole(&m, error);
    } else
        status = out_of_memory(&m, error);
    grz_release(allocator, m.list, level->all.count, sizeof *m.list);
    grz_release(allocator, m.scratch, vertices, sizeof *m.scratch);
    return status;
}

static grz_status make_of_portals(maker *m, grz_error *error)
{
    grz_portals *level = m->level;
    level->cells = grz_allocate_zeroed(grz_control_allocator(m->control), level->cell_count, sizeof *level->cells);
    if (level->cells == NULL)
        return out_of_memory(m, error);
    for (uint32_t i = 0; i < level->cell_count; i++)
        level->cells[i].box = grz_box_empty();
    if (!fill_portals(level, grz_control_allocator(m->control)))
        return out_of_memory(m, error);
    give_portals_to_cells(level);
    grz_status status = find_walls(m, error);
    if (status == GRZ_OK)
        status = make_walls(m, error);
    return status == GRZ_OK ? make_shells(m, error) : status;
}

static grz_status make_of_tree(maker *m, grz_error *error)
{
    give_portals_to_cells(m->level);
    return make_walls(m, error);
}

grz_status grz_cells_make(grz_portals *level, grz_control *control, grz_error *error)
{
    grz_cell_pairs pairs = {.all = {.count = 0}};
    const grz_status status = make_with(level, &pairs, control, make_of_portals, error);
    grz_array_finish(grz_control_allocator(control), &pairs.all);
    return status;
}

grz_status grz_cells_make_of(grz_portals *level, grz_cell_pairs *pairs, grz_control *control, grz_error *error)
{
    return make_with(level, pairs, control, make_of_tree, error);
}
