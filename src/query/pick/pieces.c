// SPDX-License-Identifier: MIT
// Nothing is missed: parameters of the ray's part in the box are rounded, so the box is first grown by 2^-40 of all
// numbers that take part, which is more than a thousand roundings. A piece stands for all points near the straight line
// between its ends, as rounded; how near is part of the slack of seen_from.c. Pieces end where the next ones begin.
#include "query/pick/pieces.h"

#include <math.h>

#include "geometry/functions/functions.h"
#include "geometry/pose.h"

enum {
    MOST_PIECES = 64
};

static const double PADDING = 0x1p-40;

grz_status grz_pick_structure_set(const grz_object *object, const grz_structure_type *type, grz_control *control,
                                  grz_pick_structure *out, grz_error *error)
{
    void *state;
    const grz_status status = grz_mesh_slot_get(object->mesh, &type->slot, control, &state, error);
    if (status != GRZ_OK)
        return status;
    out->type = type;
    out->state = state;
    for (int k = 0; k < 3; k++)
        grz_world_range(&object->pose, k, &object->mesh->bounds, &out->low[k], &out->high[k]);
    return GRZ_OK;
}

static double direction_of(const grz_line *line, int k)
{
    return line->direction[k] + line->tail[k];
}

// What a place on the line, or a side of the box, may be off by.
static double padding(const grz_pick_structure *structure, const grz_line *line)
{
    double most = 0.0;
    for (int k = 0; k < 3; k++)
        most = fmax(most, fmax(fabs(line->origin[k]), fmax(fabs(structure->low[k]), fabs(structure->high[k]))));
    return most * PADDING + 0x1p-1000;
}

// About two cells of a grid in each piece.
static uint32_t piece_count(uint32_t triangles)
{
    const double cells = grz_cube_root((double)triangles) / 2.0;
    return cells < 1.0 ? 1 : cells > MOST_PIECES ? MOST_PIECES : (uint32_t)cells;
}

void grz_pieces_cut(const grz_object *object, const grz_pick_structure *structure, const grz_line *line, double from,
                    double to, grz_pieces *pieces)
{
    const double pad = padding(structure, line);
    double enter = from, leave = to, largest[3];
    *pieces = (grz_pieces){.count = 0};
    for (int k = 0; k < 3; k++) {
        const double way = direction_of(line, k), low = structure->low[k] - pad - line->origin[k],
                     high = structure->high[k] + pad - line->origin[k];
        if (way == 0.0) {
            if (low > 0.0 || high < 0.0)
                return;
            continue;
        }
        const double a = low / way, b = high / way;
        enter = fmax(enter, fmin(a, b));
        leave = fmin(leave, fmax(a, b));
    }
    if (enter > leave)
        return;
    pieces->count = piece_count(object->mesh->triangle_count);
    pieces->from = enter;
    pieces->to = leave;
    double size = 0.0;
    for (int k = 0; k < 3; k++) {
        const double way = fabs(direction_of(line, k));
        largest[k] = fabs(line->origin[k]) + fmax(fabs(enter), fabs(leave)) * way + pad;
        size = fmax(size, largest[k]);
    }
    pieces->everything = !isfinite(enter) || !isfinite(leave) || !(size < 0x1p500);
    if (pieces->everything)
        pieces->count = 1;
    else
        pieces->seen = grz_seen_from_object(object, size * PADDING, largest);
}

double grz_pieces_time(const grz_pieces *pieces, uint32_t i)
{
    if (i == 0 || i >= pieces->count)
        return i == 0 ? pieces->from : pieces->to;
    const double time = pieces->from + (pieces->to - pieces->from) * i / pieces->count;
    return fmin(fmax(time, pieces->from), pieces->to);
}

bool grz_pieces_gather(const grz_object *object, const grz_pick_structure *structure, const grz_line *line,
                       const grz_pieces *pieces, uint32_t piece, const grz_allocator *allocator, grz_near_list *near)
{
    grz_probe probe = {.slack = {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
    for (int end = 0; end < 2 && !pieces->everything; end++) {
        const double time = grz_pieces_time(pieces, piece + (uint32_t)end);
        double world[3];
        for (int k = 0; k < 3; k++) {
            world[k] = line->origin[k] + time * direction_of(line, k);
            probe.slack[k] = pieces->seen.slack[k];
        }
        grz_seen_from_point(&pieces->seen, world, probe.corners[end]);
    }
    for (int k = 0; k < 3; k++)
        probe.corners[2][k] = probe.corners[1][k];
    grz_probe_set_box(&probe);
    return structure->type->gather(object->mesh, structure->state, &probe, allocator, near);
}
