// SPDX-License-Identifier: MIT
// Nothing is missed: places on the ray are rounded, so the box is first grown by 2^-40 of all numbers that take part,
// which is more than a thousand roundings. Places are measured as geometry/ray/line_unit.h does, in a unit near the
// largest of the coordinates. A piece stands for all points near the straight line between its ends, as rounded; how
// near is part of the slack of seen_from.c. Pieces end where the next ones begin.
#include "ask/pick/pieces.h"

#include <math.h>

#include "geometry/functions/functions.h"
#include "geometry/pose.h"

enum {
    MOST_PIECES = 64
};

static const double PADDING = 0x1p-40; // of the unit
static const double LEAST = 0x1p-1000; // more than what underflows in coordinates of the world

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

// The largest number that takes part.
static double largest_of(const grz_pick_structure *structure, const grz_line *line)
{
    double most = 0.0;
    for (int k = 0; k < 3; k++)
        most = fmax(most, fmax(fabs(line->origin[k]), fmax(fabs(structure->low[k]), fabs(structure->high[k]))));
    return most;
}

// About two cells of a grid in each piece.
static uint32_t piece_count(uint32_t triangles)
{
    const double cells = grz_cube_root((double)triangles) / 2.0;
    return cells < 1.0 ? 1 : cells > MOST_PIECES ? MOST_PIECES : (uint32_t)cells;
}

// The part of the line in the box, between s = *enter and *leave. In the unit all coordinates are below 2. So along the
// axis on which the line goes farthest, by 1 to 2 while s grows by 1, both ends are within 5: nothing overflows. What
// underflows, here and in grz_pieces_gather(), is far below the padding. False: the line misses the box.
static bool cut_to_box(const grz_pick_structure *structure, const grz_line *line, const grz_pieces *pieces,
                       double *enter, double *leave)
{
    for (int k = 0; k < 3; k++) {
        const double way = pieces->measure.direction[k], origin = grz_times_power(line->origin[k], -pieces->unit),
                     low = grz_times_power(structure->low[k], -pieces->unit) - PADDING - origin,
                     high = grz_times_power(structure->high[k], -pieces->unit) + PADDING - origin;
        if (way == 0.0) {
            if (low > 0.0 || high < 0.0)
                return false;
            continue;
        }
        const double a = low / way, b = high / way;
        *enter = fmax(*enter, fmin(a, b));
        *leave = fmin(*leave, fmax(a, b));
    }
    return *enter <= *leave;
}

void grz_pieces_cut(const grz_object *object, const grz_pick_structure *structure, const grz_line *line, double from,
                    double to, grz_pieces *pieces)
{
    const double most = largest_of(structure, line);
    double largest[3], size = 0.0;
    *pieces = (grz_pieces){.count = 0, .unit = most > 0.0 ? grz_exponent_of(most) : 0};
    grz_line_unit_set(&pieces->measure, line, pieces->unit);
    double enter = grz_line_unit_bound(&pieces->measure, from, false),
           leave = grz_line_unit_bound(&pieces->measure, to, true);
    if (!cut_to_box(structure, line, pieces, &enter, &leave))
        return;
    pieces->count = piece_count(object->mesh->triangle_count);
    pieces->from = enter;
    pieces->to = leave;
    for (int k = 0; k < 3; k++) {
        const double along = fmax(fabs(enter), fabs(leave)) * fabs(pieces->measure.direction[k]) + PADDING;
        largest[k] = fabs(line->origin[k]) + grz_times_power(along, pieces->unit);
        size = fmax(size, largest[k]);
    }
    pieces->seen = grz_seen_from_object(object, size * PADDING + LEAST, largest);
}

// Where piece i begins; i = count: where the last one ends.
static double start_of(const grz_pieces *pieces, uint32_t i)
{
    if (i == 0 || i >= pieces->count)
        return i == 0 ? pieces->from : pieces->to;
    const double s = pieces->from + (pieces->to - pieces->from) * i / pieces->count;
    return fmin(fmax(s, pieces->from), pieces->to);
}

bool grz_pieces_begin_after(const grz_pieces *pieces, uint32_t i, double t)
{
    return grz_line_unit_bound(&pieces->measure, t, true) < start_of(pieces, i);
}

bool grz_pieces_gather(const grz_object *object, const grz_pick_structure *structure, const grz_line *line,
                       const grz_pieces *pieces, uint32_t piece, const grz_allocator *allocator, grz_near_list *near)
{
    grz_probe probe;
    for (int end = 0; end < 2; end++) {
        const double s = start_of(pieces, piece + (uint32_t)end);
        double world[3];
        for (int k = 0; k < 3; k++)
            world[k] = line->origin[k] + grz_times_power(s * pieces->measure.direction[k], pieces->unit);
        grz_seen_from_point(&pieces->seen, world, probe.corners[end]); // cppcheck-suppress uninitvar ; filled
    }
    for (int k = 0; k < 3; k++) {
        probe.corners[2][k] = probe.corners[1][k];
        probe.slack[k] = pieces->seen.slack[k];
    }
    grz_probe_set_box(&probe);
    return structure->type->gather(object->mesh, structure->state, &probe, allocator, near);
}
