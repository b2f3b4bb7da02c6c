// SPDX-License-Identifier: MIT
// Move the line by an infinitely small step, to one side of a triangle whose plane holds it. The moved line lies in no
// plane of a triangle and meets no edge, so the triangles that it passes through further on say how often a surface
// winds around it. This is done for both sides of every such triangle: these are all sectors around the line.
#include "inside/solids/line_sectors.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/control.h"
#include "base/sort/sort.h"
#include "geometry/triangle/triangle.h"
#include "inside/solids/cell_labels.h"
#include "mesh/triangles.h"

enum {
    CHECK_BITS = 8, // nodes between two checks of the control, as a power of two
    CLOCKWISE = -1,
    COUNTER_CLOCKWISE = 1
};

// ---- What the line meets ----

// The place where the line passes between corners r and s, or through r if that is on it. The third corner is a
// corner of the line's planes that lies beside.
static void set_place(const grz_line *line, const grz_line_point *r, const grz_line_point *s, grz_line_place *place)
{
    int turn = 0;
    place->corner[0] = *r;
    place->corner[1] = *s;
    for (int i = 0; i < 6 && turn == 0; i++) {
        place->corner[2] = grz_line_see(line, line->plane[i / 3][i % 3]);
        turn = grz_line_turn(line, s, &place->corner[2]);
    }
    assert(turn != 0);
    place->turn = place->weight[0] = (int8_t)turn;
    place->weight[1] = (int8_t)grz_line_turn(line, &place->corner[2], r);
    place->weight[2] = 0;
    assert(place->weight[1] == 0 || place->weight[1] == turn);
}

// The triangle's plane holds the line. Its corners are on a line through the origin: which half of it is which does not
// matter.
static bool add_strip(grz_line_sectors *sectors, uint32_t mesh, uint32_t triangle, const grz_line_point corner[3])
{
    const int plane = corner[0].side[0] != 0 || corner[1].side[0] != 0 || corner[2].side[0] != 0 ? 0 : 1;
    int least = 1, most = -1, found = 0;
    for (int i = 0; i < 3; i++) {
        least = corner[i].side[plane] < least ? corner[i].side[plane] : least;
        most = corner[i].side[plane] > most ? corner[i].side[plane] : most;
    }
    if (least > 0 || most < 0)
        return true;
    if (!grz_array_add(grz_control_allocator(sectors->control), &sectors->strips))
        return false;
    grz_sector_strip *strip = &sectors->strips.items[sectors->strips.count - 1];
    *strip = (grz_sector_strip){.triangle = triangle, .mesh = (uint8_t)mesh};
    for (int i = 0; i < 3; i++) {
        strip->corner[i] = corner[i];
        strip->side[i] = corner[i].side[plane];
    }
    for (int i = 0; i < 3; i++) {
        const int next = (i + 1) % 3, last = (i + 2) % 3;
        if (strip->side[i] == 0)
            set_place(sectors->line, &corner[i], strip->side[next] != 0 ? &corner[next] : &corner[last],
                      &strip->ends[found++]);
        else if (strip->side[i] == -strip->side[next])
            set_place(sectors->line, &corner[i], &corner[next], &strip->ends[found++]);
    }
    assert(found == 1 || found == 2);
    if (found == 1) // a corner
        strip->ends[1] = strip->ends[0];
    return true;
}

// Whether a triangle has points on both sides of both planes, or in them. Most have not by the first, so the second is
// only looked at if need be. `place` receives the corners.
static bool see_straddling(const grz_line *line, const double corners[3][3], grz_line_place *place)
{
    for (int plane = 0; plane < 2; plane++) {
        int sum = 0;
        for (int i = 0; i < 3; i++) {
            const double(*p)[3] = line->plane[plane];
            place->corner[i].side[plane] = (int8_t)grz_orient3d(p[0], p[1], p[2], corners[i]);
            sum += place->corner[i].side[plane];
        }
        if (sum <= -3 || sum >= 3)
            return false;
    }
    for (int i = 0; i < 3; i++)
        memcpy(place->corner[i].at, corners[i], sizeof place->corner[i].at);
    return true;
}

static bool add_triangle(grz_line_sectors *sectors, uint32_t mesh, uint32_t triangle)
{
    const grz_object *object = sectors->object[mesh];
    const grz_line *line = sectors->line;
    double corners[3][3];
    grz_line_place place;
    bool any = false, left = false, right = false;
    grz_world_corners(object->mesh, &object->pose, triangle, corners);
    if (!see_straddling(line, (const double(*)[3])corners, &place) ||
        grz_triangle_dimension((const double(*)[3])corners) < 2)
        return true;
    for (int i = 0; i < 3; i++) {
        place.weight[i] = (int8_t)grz_line_turn(line, &place.corner[(i + 1) % 3], &place.corner[(i + 2) % 3]);
        any = any || place.weight[i] != 0;
        left = left || place.weight[i] > 0;
        right = right || place.weight[i] < 0;
    }
    if (!any)
        return add_strip(sectors, mesh, triangle, place.corner);
    if (left && right)
        return true;
    place.turn = left ? 1 : -1;
    if (!grz_array_add(grz_control_allocator(sectors->control), &sectors->crossings))
        return false;
    sectors->crossings.items[sectors->crossings.count - 1] =
        (grz_sector_crossing){.place = place, .triangle = triangle, .mesh = (uint8_t)mesh};
    return true;
}

// A plane in doubles: its normal, and that with all signs positive, which bounds the roundings.
typedef struct rough_plane {
    const double *at;
    double normal[3], most[3];
} rough_plane;

static rough_plane round_plane(const double plane[3][3])
{
    rough_plane out = {.at = plane[0]};
    double u[3], v[3];
    for (int i = 0; i < 3; i++) {
        u[i] = plane[1][i] - plane[0][i];
        v[i] = plane[2][i] - plane[0][i];
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double plus = u[i] * v[j], minus = u[j] * v[i];
        out.normal[k] = plus - minus;
        out.most[k] = fabs(plus) + fabs(minus);
    }
    return out;
}

// Far more than the roundings of the normal (3 of each product) and of the sums below, and than what underflows.
static const double ROUNDINGS = 0x1p-48, UNDERFLOWS = 0x1p-900;

// Whether a plane may meet a box; false is certain.
static bool box_may_meet(const rough_plane *plane, const grz_box *box)
{
    double height = 0.0, reach = 0.0, most = 0.0;
    for (int k = 0; k < 3; k++) {
        const double low = box->min[k] - plane->at[k], high = box->max[k] - plane->at[k];
        height += plane->normal[k] * (0.5 * low + 0.5 * high);
        reach += fabs(plane->normal[k]) * (0.5 * high - 0.5 * low);
        most += plane->most[k] * (fabs(low) + fabs(high));
    }
    return !(fabs(height) > reach + ROUNDINGS * most + UNDERFLOWS);
}

static grz_status gather(grz_line_sectors *sectors, uint32_t mesh)
{
    const grz_bvh *bvh = sectors->bvh[mesh];
    const rough_plane planes[2] = {round_plane(sectors->line->plane[0]), round_plane(sectors->line->plane[1])};
    uint32_t stack[GRZ_BVH_STACK];
    size_t depth = 1, steps = 0;
    stack[0] = 0;
    while (depth > 0) {
        if (grz_control_expired_at(sectors->control, ++steps, CHECK_BITS))
            return grz_control_status(sectors->control);
        const uint32_t number = stack[--depth];
        assert(depth + GRZ_BVH_WIDTH <= GRZ_BVH_STACK);
        const grz_bvh_node *node = &bvh->nodes[number];
        for (int i = 0; i < GRZ_BVH_WIDTH && node->child[i] != GRZ_BVH_NONE; i++) {
            if (grz_bvh_is_triangle(node->child[i])) {
                if (!add_triangle(sectors, mesh, grz_bvh_triangle(node->child[i])))
                    return GRZ_ERROR_MEMORY;
                continue;
            }
            const grz_box child = grz_bvh_child_box(bvh, number, i),
                          world = grz_world_box(&sectors->object[mesh]->pose, &child);
            if (box_may_meet(&planes[0], &world) && box_may_meet(&planes[1], &world))
                stack[depth++] = node->child[i];
        }
    }
    return GRZ_OK;
}

// ---- The order along the line ----

static int compare_marks(const void *x, const void *y, void *context)
{
    const grz_sector_mark *one = x, *other = y;
    return grz_line_order(context, one->place, other->place);
}

static grz_status rank_places(grz_line_sectors *sectors)
{
    const grz_allocator *allocator = grz_control_allocator(sectors->control);
    const size_t wanted = sectors->crossings.count + 2 * sectors->strips.count;
    sectors->marks.count = 0;
    if (!grz_array_reserve(allocator, &sectors->marks, wanted))
        return GRZ_ERROR_MEMORY;
    grz_sector_mark *marks = sectors->marks.items;
    for (size_t i = 0; i < sectors->crossings.count; i++) {
        grz_sector_crossing *crossing = &sectors->crossings.items[i];
        marks[sectors->marks.count++] =
            (grz_sector_mark){.place = &crossing->place, .write_rank = &crossing->rank, .crossing = crossing};
    }
    for (size_t i = 0; i < 2 * sectors->strips.count; i++) {
        grz_sector_strip *strip = &sectors->strips.items[i / 2];
        marks[sectors->marks.count++] =
            (grz_sector_mark){.place = &strip->ends[i % 2], .write_rank = &strip->rank[i % 2]};
    }
    grz_line line = *sectors->line;
    const grz_status status =
        grz_sort(marks, sectors->marks.count, sizeof *marks, compare_marks, &line, sectors->control);
    if (status != GRZ_OK)
        return status;
    uint32_t rank = 0;
    for (size_t i = 0; i < sectors->marks.count; i++) {
        if (i > 0 && grz_line_order(&line, marks[i - 1].place, marks[i].place) != 0)
            rank++;
        marks[i].rank = *marks[i].write_rank = rank;
    }
    sectors->rank_count = wanted > 0 ? rank + 1 : 0;
    for (size_t i = 0; i < sectors->strips.count; i++) {
        grz_sector_strip *strip = &sectors->strips.items[i];
        if (strip->rank[0] > strip->rank[1]) {
            const uint32_t first = strip->rank[0];
            strip->rank[0] = strip->rank[1];
            strip->rank[1] = first;
        }
    }
    sectors->gaps.count = 0;
    if (!grz_array_reserve(allocator, &sectors->gaps, (size_t)sectors->rank_count + 1))
        return GRZ_ERROR_MEMORY;
    sectors->gaps.count = sectors->rank_count;
    return GRZ_OK;
}

// ---- The moved line ----

// True if the line, moved towards the point `to` and then, infinitely less, to one side of that, passes through the
// triangle. At an edge that holds the line's place, its inner side decides.
static bool passes(const grz_line *line, const grz_line_place *place, const grz_line_point *to, int side)
{
    for (int i = 0; i < 3; i++) {
        if (place->weight[i] != 0)
            continue;
        // The edge from r to s: its direction, seen along the line, is that of s, or if s is on the line against r.
        const grz_line_point *r = &place->corner[(i + 1) % 3], *s = &place->corner[(i + 2) % 3];
        const bool on_line = s->side[0] == 0 && s->side[1] == 0;
        const grz_line_point *along = on_line ? r : s;
        int turn = grz_line_turn(line, along, to);
        if (turn == 0) { // `to` lies on the edge's line
            const int plane = to->side[0] != 0 ? 0 : 1;
            turn = to->side[plane] * along->side[plane] * side;
        }
        if ((on_line ? -turn : turn) != place->turn)
            return false;
    }
    return true;
}

static bool is_inside(const grz_line_sectors *sectors, int which, int64_t winding)
{
    return sectors->rule[which] == GRZ_NONZERO ? winding != 0 : (winding & 1) != 0;
}

// Find the labels along the moved line, in all gaps from `low` to before `high`.
static void add_sector(grz_line_sectors *sectors, const grz_line_point *to, int side, uint32_t low, uint32_t high)
{
    size_t left = sectors->marks.count;
    int64_t winding[2] = {0, 0};
    for (uint32_t i = sectors->rank_count - 1; i-- > low;) {
        for (; left > 0 && sectors->marks.items[left - 1].rank > i; left--) {
            const grz_sector_crossing *crossing = sectors->marks.items[left - 1].crossing;
            if (crossing != NULL && passes(sectors->line, &crossing->place, to, side))
                winding[crossing->mesh] += crossing->place.turn;
        }
        if (i >= high)
            continue;
        grz_sector_gap *gap = &sectors->gaps.items[i];
        const bool in_a = is_inside(sectors, 0, winding[0]), in_b = is_inside(sectors, 1, winding[1]);
        gap->labels |= grz_label(in_a, in_b);
        gap->inside[0] = gap->inside[0] || in_a;
        gap->inside[1] = gap->inside[1] || in_b;
    }
}

// True if two points, not on the line, are in one half-plane that it bounds.
static bool same_half(const grz_line *line, const grz_line_point *u, const grz_line_point *v)
{
    return u->side[0] == v->side[0] && u->side[1] == v->side[1] && grz_line_turn(line, u, v) == 0;
}

static bool list_halves(grz_line_sectors *sectors, uint32_t low, uint32_t high)
{
    sectors->halves.count = 0;
    for (uint32_t k = 0; k < sectors->strips.count; k++) {
        const grz_sector_strip *strip = &sectors->strips.items[k];
        if (strip->rank[0] >= high || strip->rank[1] <= low || strip->rank[0] == strip->rank[1])
            continue;
        for (int half = -1; half <= 1; half += 2)
            for (int i = 0; i < 3; i++)
                if (strip->side[i] == half) {
                    if (!grz_array_add(grz_control_allocator(sectors->control), &sectors->halves))
                        return false;
                    sectors->halves.items[sectors->halves.count - 1] =
                        (grz_sector_half){.to = strip->corner[i], .strip = k};
                    break;
                }
    }
    return true;
}

// The sectors on both sides of a half-plane, and what that says of all strips in it.
static void add_half(grz_line_sectors *sectors, size_t first, uint32_t low, uint32_t high)
{
    grz_sector_half *halves = sectors->halves.items;
    const grz_line_point to = halves[first].to;
    for (uint32_t i = low; i < high; i++)
        sectors->gaps.items[i].inside[0] = sectors->gaps.items[i].inside[1] = false;
    add_sector(sectors, &to, CLOCKWISE, low, high);
    add_sector(sectors, &to, COUNTER_CLOCKWISE, low, high);
    for (size_t k = first; k < sectors->halves.count; k++) {
        if (halves[k].done || !same_half(sectors->line, &to, &halves[k].to))
            continue;
        halves[k].done = true;
        const grz_sector_strip *strip = &sectors->strips.items[halves[k].strip];
        for (uint32_t i = low > strip->rank[0] ? low : strip->rank[0]; i < high && i < strip->rank[1]; i++)
            sectors->pieces[strip->mesh][strip->triangle] |=
                (unsigned char)(sectors->gaps.items[i].inside[strip->mesh] ? GRZ_PIECE_ON_SOLID : GRZ_PIECE_OFF_SOLID);
    }
}

// ---- All of it ----

static const grz_sector_strip *find_strip(const grz_line_sectors *sectors, grz_sector_triangle of)
{
    for (size_t i = 0; i < sectors->strips.count; i++)
        if (sectors->strips.items[i].mesh == of.mesh && sectors->strips.items[i].triangle == of.triangle)
            return &sectors->strips.items[i];
    assert(false);
    return NULL;
}

// The labels in all gaps from `low` to before `high`. False: there is no memory.
static bool add_labels(grz_line_sectors *sectors, uint32_t low, uint32_t high)
{
    for (uint32_t i = low; i < high; i++)
        sectors->gaps.items[i].labels = 0;
    if (!list_halves(sectors, low, high))
        return false;
    for (size_t k = 0; k < sectors->halves.count; k++)
        if (!sectors->halves.items[k].done)
            add_half(sectors, k, low, high);
    for (uint32_t i = low; i < high; i++) {
        const unsigned labels = sectors->gaps.items[i].labels;
        sectors->labels |= labels;
        sectors->common = sectors->common || ((labels & (GRZ_LABEL_A | GRZ_LABEL_BOTH)) != 0 &&
                                              (labels & (GRZ_LABEL_B | GRZ_LABEL_BOTH)) != 0);
    }
    return true;
}

// Find what the line meets, in order.
static grz_status look_along(grz_line_sectors *sectors, const grz_line *line)
{
    sectors->line = line;
    sectors->crossings.count = sectors->strips.count = 0;
    grz_status status = gather(sectors, 0);
    if (status == GRZ_OK)
        status = gather(sectors, 1);
    return status == GRZ_OK ? rank_places(sectors) : status;
}

// The piece of the line that two triangles have in common: from places of rank *low to places of rank *high.
static void find_piece(const grz_line_sectors *sectors, grz_sector_triangle one, grz_sector_triangle other,
                       uint32_t *low, uint32_t *high)
{
    const grz_sector_strip *strip = find_strip(sectors, one);
    *low = strip->rank[0];
    *high = strip->rank[1];
    if (other.triangle == GRZ_NO_TRIANGLE)
        return;
    strip = find_strip(sectors, other);
    *low = strip->rank[0] > *low ? strip->rank[0] : *low;
    *high = strip->rank[1] < *high ? strip->rank[1] : *high;
}

grz_status grz_line_sectors_find(grz_line_sectors *sectors, const grz_line *line, grz_sector_triangle one,
                                 grz_sector_triangle other)
{
    uint32_t low, high;
    const grz_status status = look_along(sectors, line);
    if (status != GRZ_OK)
        return status;
    find_piece(sectors, one, other, &low, &high);
    return add_labels(sectors, low, high) ? GRZ_OK : GRZ_ERROR_MEMORY;
}

// ---- Single points ----

// True if a triangle lies in the plane of another one.
static bool are_coplanar(const double one[3][3], const double other[3][3])
{
    for (int i = 0; i < 3; i++)
        if (grz_orient3d(one[0], one[1], one[2], other[i]) != 0)
            return false;
    return true;
}

static void holder_corners(const grz_line_sectors *sectors, grz_sector_triangle of, double corners[3][3])
{
    grz_world_corners(sectors->object[of.mesh]->mesh, &sectors->object[of.mesh]->pose, of.triangle, corners);
}

// One triangle of each plane is listed.
static bool add_holder(grz_line_sectors *sectors, uint8_t mesh, uint32_t triangle, bool on_solid[2])
{
    double corners[3][3], known[3][3];
    if ((sectors->pieces[mesh][triangle] & GRZ_PIECE_ON_SOLID) != 0)
        on_solid[mesh] = true;
    holder_corners(sectors, (grz_sector_triangle){mesh, triangle}, corners);
    for (size_t i = 0; i < sectors->holders.count; i++) {
        holder_corners(sectors, sectors->holders.items[i], known);
        if (are_coplanar((const double(*)[3])known, (const double(*)[3])corners))
            return true;
    }
    if (!grz_array_add(grz_control_allocator(sectors->control), &sectors->holders))
        return false;
    sectors->holders.items[sectors->holders.count - 1] = (grz_sector_triangle){mesh, triangle};
    return true;
}

// List the planes of the triangles that hold the places of a rank. *maybe: some of each mesh have pieces on its solid.
static bool list_holders(grz_line_sectors *sectors, uint32_t rank, bool *maybe)
{
    bool on_solid[2] = {false, false};
    sectors->holders.count = 0;
    for (size_t i = 0; i < sectors->crossings.count; i++) {
        const grz_sector_crossing *crossing = &sectors->crossings.items[i];
        if (crossing->rank == rank && !add_holder(sectors, crossing->mesh, crossing->triangle, on_solid))
            return false;
    }
    for (size_t i = 0; i < sectors->strips.count; i++) {
        const grz_sector_strip *strip = &sectors->strips.items[i];
        if (strip->rank[0] <= rank && rank <= strip->rank[1] &&
            !add_holder(sectors, strip->mesh, strip->triangle, on_solid))
            return false;
    }
    *maybe = on_solid[0] && on_solid[1];
    return true;
}

// Add the labels in a gap, also where no strip passes it. False: there is no memory.
static bool add_labels_in_gap(grz_line_sectors *sectors, uint32_t gap, unsigned *labels)
{
    if (!add_labels(sectors, gap, gap + 1))
        return false;
    if (sectors->halves.count == 0) {
        grz_line_point beside = {.side = {0, 0}};
        for (int i = 0; i < 3 && beside.side[1] == 0; i++)
            beside = grz_line_see(sectors->line, sectors->line->plane[0][i]);
        assert(beside.side[1] != 0);
        add_sector(sectors, &beside, COUNTER_CLOCKWISE, gap, gap + 1);
    }
    *labels |= sectors->gaps.items[gap].labels;
    return true;
}

// Add the labels beside the point on a line through it.
static grz_status look_beside(grz_line_sectors *sectors, const grz_line *line, const grz_sector_point *point,
                              unsigned *labels)
{
    uint32_t before = 0, to_here = 0;
    grz_line_place place = {.turn = 0};
    for (int i = 0; i < 3 && place.turn == 0; i++) {
        place.turn = (int8_t)grz_line_leaves(line, point->plane[i]);
        for (int k = 0; k < 3; k++)
            memcpy(place.corner[k].at, point->plane[i][k], sizeof place.corner[k].at);
    }
    assert(place.turn != 0);
    const grz_status status = look_along(sectors, line);
    if (status != GRZ_OK)
        return status;
    for (size_t i = 0; i < sectors->marks.count; i++) { // count ranks
        const grz_sector_mark *mark = &sectors->marks.items[i];
        const int order = grz_line_order(line, mark->place, &place);
        before = order < 0 ? mark->rank + 1 : before;
        to_here = order <= 0 ? mark->rank + 1 : to_here;
    }
    if (before > 0 && before < sectors->rank_count && !add_labels_in_gap(sectors, before - 1, labels))
        return GRZ_ERROR_MEMORY;
    if (to_here != before && to_here > 0 && to_here < sectors->rank_count &&
        !add_labels_in_gap(sectors, to_here - 1, labels))
        return GRZ_ERROR_MEMORY;
    return GRZ_OK;
}

// Is a point on both solids? Around it, triangles that are not all in one plane meet in lines through it, and each cell
// that reaches it is beside one of these lines.
static grz_status look_around_point(grz_line_sectors *sectors, const grz_sector_point *point)
{
    unsigned labels = 0;
    grz_status status = GRZ_OK;
    const size_t count = sectors->holders.count;
    for (size_t i = 0; i < count && status == GRZ_OK && !sectors->common; i++)
        for (size_t k = 0; k < i && status == GRZ_OK && !sectors->common; k++) {
            const grz_sector_triangle pair[2] = {sectors->holders.items[i], sectors->holders.items[k]};
            grz_line line;
            for (int n = 0; n < 2; n++)
                holder_corners(sectors, pair[n], line.plane[n]); // cppcheck-suppress uninitvar ; filled
            status = look_beside(sectors, &line, point, &labels);
            sectors->common = sectors->common || ((labels & (GRZ_LABEL_A | GRZ_LABEL_BOTH)) != 0 &&
                                                  (labels & (GRZ_LABEL_B | GRZ_LABEL_BOTH)) != 0);
        }
    return status;
}

// The place as a point. *known: it was looked at before.
static grz_sector_point point_at(const grz_line_sectors *sectors, const grz_line_place *place, bool *known)
{
    grz_sector_point point;
    memcpy(point.plane, sectors->line->plane, sizeof sectors->line->plane);
    for (int k = 0; k < 3; k++)
        memcpy(point.plane[2][k], place->corner[k].at, sizeof point.plane[2][k]);
    *known = false;
    for (size_t i = 0; i < sectors->seen.count && !*known; i++) {
        *known = true;
        for (int n = 0; n < 3 && *known; n++) {
            grz_line_place plane = {.turn = 1};
            for (int k = 0; k < 3; k++)
                memcpy(plane.corner[k].at, sectors->seen.items[i].plane[n][k], sizeof plane.corner[k].at);
            *known = grz_line_order(sectors->line, place, &plane) == 0;
        }
    }
    return point;
}

grz_status grz_line_sectors_find_points(grz_line_sectors *sectors, const grz_line *line, grz_sector_triangle one,
                                        grz_sector_triangle other)
{
    uint32_t low, high;
    grz_status status = look_along(sectors, line);
    if (status != GRZ_OK)
        return status;
    find_piece(sectors, one, other, &low, &high);
    for (uint32_t rank = low; rank <= high && status == GRZ_OK && !sectors->common; rank++) {
        bool maybe = false, known = false;
        size_t mark = 0;
        while (sectors->marks.items[mark].rank != rank)
            mark++;
        if (!list_holders(sectors, rank, &maybe))
            return GRZ_ERROR_MEMORY;
        if (!maybe)
            continue;
        const grz_sector_point point = point_at(sectors, sectors->marks.items[mark].place, &known);
        if (known)
            continue;
        if (!grz_array_add(grz_control_allocator(sectors->control), &sectors->seen))
            return GRZ_ERROR_MEMORY;
        sectors->seen.items[sectors->seen.count - 1] = point;
        status = look_around_point(sectors, &point);
        if (status == GRZ_OK && !sectors->common) // the other lines took its place
            status = look_along(sectors, line);
    }
    return status;
}

void grz_line_sectors_finish(grz_line_sectors *sectors)
{
    const grz_allocator *allocator = grz_control_allocator(sectors->control);
    grz_array_finish(allocator, &sectors->crossings);
    grz_array_finish(allocator, &sectors->strips);
    grz_array_finish(allocator, &sectors->marks);
    grz_array_finish(allocator, &sectors->halves);
    grz_array_finish(allocator, &sectors->gaps);
    grz_array_finish(allocator, &sectors->holders);
    grz_array_finish(allocator, &sectors->seen);
}
