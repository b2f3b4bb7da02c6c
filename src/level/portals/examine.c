// SPDX-License-Identifier: MIT
// Tells what a level is made of.
#include <string.h>

#include "base/fail.h"
#include "level/portals/portal_cells.h"

void grz_portals_examine(const grz_portals *level, grz_portals_report *report)
{
    if (report == NULL)
        return;
    *report = (grz_portals_report){.first_useless_portal = GRZ_NO_ELEMENT};
    if (level == NULL)
        return;
    report->cells = level->cell_count;
    report->portals = level->portal_count;
    report->useless_portals = level->useless_portals;
    report->first_useless_portal = level->first_useless_portal;
    report->walls = level->wall_faces;
    report->free_walls = level->free_walls;
    report->margin = level->margin;
    report->slack = level->slack;
    for (uint32_t i = 0; i < level->cell_count; i++) {
        report->closed_cells += level->cells[i].portal_count == 0;
        report->faces_in_cells += level->cells[i].walls.count;
    }
}

bool grz_portals_cell_at(const grz_portals *level, uint32_t number, grz_portals_cell *cell)
{
    const bool is_there = level != NULL && number < level->cell_count;
    if (cell == NULL)
        return is_there;
    *cell = (grz_portals_cell){.walls = NULL};
    if (!is_there)
        return false;
    const grz_cell *c = &level->cells[number];
    cell->walls = c->walls.mesh;
    cell->wall_faces = c->walls.faces;
    cell->portals = c->portal_count > 0 ? level->cell_portals + c->first_portal : NULL;
    cell->portal_count = c->portal_count;
    cell->contents = c->contents.items;
    cell->content_count = (uint32_t)c->contents.count;
    if (!grz_box_is_empty(&c->box)) {
        memcpy(cell->min, c->box.min, sizeof cell->min);
        memcpy(cell->max, c->box.max, sizeof cell->max);
    }
    return true;
}

bool grz_portals_portal_at(const grz_portals *level, uint32_t index, grz_portal *portal)
{
    const bool is_there = level != NULL && index < level->portal_count;
    if (portal != NULL)
        *portal = is_there ? level->portals[index] : (grz_portal){.face = 0};
    return is_there;
}

bool grz_portals_polygon_at(const grz_portals *level, uint32_t index, uint32_t number, grz_portals_polygon *polygon)
{
    const bool is_portal = level != NULL && index < level->portal_count;
    const uint32_t count = is_portal ? level->first_polygon[index + 1] - level->first_polygon[index] : 0;
    if (polygon != NULL)
        *polygon = (grz_portals_polygon){.corners = NULL};
    if (number >= count || polygon == NULL)
        return number < count;
    const grz_portal_piece *piece = &level->polygons.pieces.items[level->first_polygon[index] + number];
    polygon->corners = level->polygons.corners.items[piece->first].at;
    polygon->count = piece->count;
    polygon->off = piece->off;
    return true;
}
