// SPDX-License-Identifier: MIT
// What openings are as polygons: corners are rounded to the nearest doubles, and how far off they are is kept. Pieces
// of one marked face between the same two cells become one portal.
#include <math.h>

#include "base/sort/sort.h"
#include "geometry/exact/predicates.h"
#include "level/portals/bsp/bsp_work.h"
#include "level/portals/data/portal_pieces.h"

// Whether a point lies in all three planes of a corner: then it is the corner.
static bool is_exact(const grz_bsp_work *w, const grz_parts_corner *corner, const double at[3])
{
    for (int i = 0; i < 3 && !corner->given; i++) {
        const double(*plane)[3] = (const double(*)[3])w->pool.planes.items[corner->planes[i]].at;
        if (grz_orient3d(plane[0], plane[1], plane[2], at) != 0)
            return false;
    }
    return true;
}

// Where a corner is. Returns how far off that is at most: the nearest double is less than one away in each coordinate.
static double round_corner(const grz_bsp_work *w, uint32_t number, double at[3])
{
    const grz_parts_corner *corner = &w->pool.corners.items[number];
    double off = 0.0;
    grz_parts_round(w->pool.planes.items, corner, at);
    if (is_exact(w, corner, at))
        return 0.0;
    for (int k = 0; k < 3; k++)
        off += nextafter(at[k], HUGE_VAL) - nextafter(at[k], -HUGE_VAL);
    return off;
}

bool grz_bsp_add_piece(grz_bsp_work *w, const grz_parts_polygons *list, const grz_parts_polygon *polygon,
                       grz_bsp_opening *opening)
{
    grz_portal_corner *corners = grz_portal_add_piece(w->allocator, &w->pieces, polygon->count, 0.0);
    if (corners == NULL || !grz_array_add(w->allocator, &w->next_piece))
        return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    const uint32_t number = (uint32_t)(w->pieces.pieces.count - 1);
    double *off = &w->pieces.pieces.items[number].off;
    for (uint32_t i = 0; i < polygon->count; i++)
        *off = fmax(*off, round_corner(w, list->places.items[polygon->from + i].corner, corners[i].at));
    w->next_piece.items[number] = opening->first_piece;
    opening->first_piece = number;
    return true;
}

// Marked ones first, by their faces and cells; then the others as they were found.
static int compare(const void *x, const void *y, void *context)
{
    const grz_bsp_opening *a = x, *b = y;
    (void)context;
    if (a->portal.face != b->portal.face)
        return a->portal.face < b->portal.face ? -1 : 1;
    for (int j = 0; j < 2 && a->portal.face != UINT32_MAX; j++)
        if (a->portal.cells[j] != b->portal.cells[j])
            return a->portal.cells[j] < b->portal.cells[j] ? -1 : 1;
    return (a->first_piece > b->first_piece) - (a->first_piece < b->first_piece);
}

static void take_pieces(grz_bsp_work *w, grz_bsp_opening *from, grz_bsp_opening *to)
{
    uint32_t last = from->first_piece;
    while (w->next_piece.items[last] != UINT32_MAX)
        last = w->next_piece.items[last];
    w->next_piece.items[last] = to->first_piece;
    to->first_piece = from->first_piece;
    for (int k = 0; k < 3; k++) {
        to->portal.min[k] = fmin(to->portal.min[k], from->portal.min[k]);
        to->portal.max[k] = fmax(to->portal.max[k], from->portal.max[k]);
    }
}

bool grz_bsp_unite_marks(grz_bsp_work *w)
{
    grz_bsp_opening *all = w->openings.items;
    size_t kept = 0;
    if (all == NULL)
        return true;
    const grz_status status = grz_sort(all, w->openings.count, sizeof *all, compare, NULL, w->control);
    if (status != GRZ_OK)
        return grz_bsp_fail(w, status);
    for (size_t i = 0; i < w->openings.count; i++) {
        grz_bsp_opening *last = kept > 0 ? &all[kept - 1] : NULL;
        if (last != NULL && all[i].portal.face != UINT32_MAX && last->portal.face == all[i].portal.face &&
            last->portal.cells[0] == all[i].portal.cells[0] && last->portal.cells[1] == all[i].portal.cells[1])
            take_pieces(w, &all[i], last);
        else
            all[kept++] = all[i];
    }
    w->openings.count = kept;
    return true;
}

static bool copy_piece(grz_bsp_work *w, const grz_portal_piece *piece)
{
    grz_portal_corner *corners = grz_portal_add_piece(w->allocator, &w->level->polygons, piece->count, piece->off);
    for (uint32_t i = 0; i < piece->count && corners != NULL; i++)
        corners[i] = w->pieces.corners.items[piece->first + i];
    return corners != NULL;
}

bool grz_bsp_hand_portals_over(grz_bsp_work *w)
{
    grz_portals *level = w->level;
    const size_t count = w->openings.count;
    if (count == 0)
        return true;
    level->portals = grz_allocate(w->allocator, count, sizeof *level->portals);
    level->cell_portals = grz_allocate(w->allocator, 2 * count, sizeof *level->cell_portals);
    level->first_polygon = grz_allocate(w->allocator, count + 1, sizeof *level->first_polygon);
    level->portal_count = (uint32_t)count;
    if (level->portals == NULL || level->cell_portals == NULL || level->first_polygon == NULL)
        return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    for (size_t i = 0; i < count; i++) {
        level->portals[i] = w->openings.items[i].portal;
        level->first_polygon[i] = (uint32_t)level->polygons.pieces.count;
        for (uint32_t j = w->openings.items[i].first_piece; j != UINT32_MAX; j = w->next_piece.items[j])
            if (!copy_piece(w, &w->pieces.pieces.items[j]))
                return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    }
    level->first_polygon[count] = (uint32_t)level->polygons.pieces.count;
    return true;
}
