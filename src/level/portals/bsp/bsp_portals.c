// SPDX-License-Identifier: MIT
// Portals between the leaves of a BSP tree (S. Teller, "Visibility computations in densely occluded polyhedral
// environments", 1992). Two leaves that share an area share it in the plane of the node at which their ways part. So
// the polygon of each node's plane is cut by the tree on its upper side, and what comes out by the tree on its lower
// side. From what two leaves share, the walls in the plane are cut away; a box around what is left is a portal.
#include <math.h>
#include <string.h>

#include "base/control.h"
#include "geometry/triangle/triangle.h"
#include "level/portals/bsp/bsp_work.h"
#include "mesh/mesh.h"
#include "mesh/triangles.h"

enum {
    FEW = 32,        // walls that are cut out of a polygon without halving it
    MOST_HALVES = 40 // of halves
};

// Polygons of one plane, and the walls in the plane that may cover some of them.
typedef struct sheet {
    grz_parts_polygons open;
    GRZ_ARRAY(uint32_t) walls; // in `flats`
} sheet;

// Called for what comes down at a leaf: polygons, and never none.
typedef bool visitor(grz_bsp_work *w, void *context, uint32_t leaf, const sheet *s);

static void finish(const grz_bsp_work *w, sheet *s)
{
    grz_parts_polygons_finish(w->allocator, &s->open);
    grz_array_finish(w->allocator, &s->walls);
}

// Take those of `walls` that are near the sheet. If one were forgotten, a portal would be larger: that is safe.
static bool take_walls(grz_bsp_work *w, const uint32_t *walls, size_t count, sheet *s)
{
    grz_box sheet_box = grz_box_empty();
    for (size_t i = 0; i < s->open.all.count; i++) {
        const grz_box box = grz_bsp_rough_box(w, &s->open, &s->open.all.items[i]);
        grz_box_add_box(&sheet_box, &box);
    }
    if (!grz_array_reserve(w->allocator, &s->walls, count))
        return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    for (size_t i = 0; i < count; i++)
        if (grz_boxes_overlap(&w->flat_boxes[walls[i]], &sheet_box))
            s->walls.items[s->walls.count++] = walls[i];
    return true;
}

// The parts of a sheet on one side of a plane.
static bool cut_sheet(grz_bsp_work *w, const sheet *s, uint32_t plane, int side, sheet *out)
{
    for (size_t i = 0; i < s->open.all.count; i++)
        if (!grz_parts_cut_polygon(&w->pool, &s->open, &s->open.all.items[i], plane, side, &out->open))
            return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    return out->open.all.count == 0 || take_walls(w, s->walls.items, s->walls.count, out);
}

// Cut a sheet by the tree below a node. Recursion: GRZ_BSP_MOST_LEVELS deep at most.
static bool push(grz_bsp_work *w, uint32_t node, const sheet *s, visitor *visit, void *context)
{
    const grz_bsp_seam *seam = &w->seams_of.items[node];
    const uint32_t children = w->level->nodes.items[node].children;
    bool ok = true;
    if (grz_control_expired(w->control))
        return grz_bsp_fail(w, grz_control_status(w->control));
    if (seam->plane == UINT32_MAX)
        return visit(w, context, seam->leaf, s);
    for (uint32_t side = 0; side < 2 && ok; side++) {
        sheet half = {.open = {.all = {.count = 0}}};
        ok = cut_sheet(w, s, seam->plane, side == 0 ? -1 : 1, &half) &&
             (half.open.all.count == 0 || push(w, children + side, &half, visit, context));
        finish(w, &half);
    }
    return ok;
}

// ---- Walls in the plane -------------------------------------------------------------------------------------------

// Cut a triangle out of a polygon. What is left is added to `out`; so is what they have in common, as that of `mark`,
// unless that is UINT32_MAX.
static bool cut_out(grz_bsp_work *w, const grz_parts_polygons *list, const grz_parts_polygon *polygon,
                    const grz_bsp_rim *rim, uint32_t mark, grz_parts_polygons *out)
{
    const size_t all = out->all.count, places = out->places.count;
    grz_parts_polygons rest[2] = {{.all = {.count = 0}}, {.all = {.count = 0}}};
    bool ok = grz_parts_copy(w->allocator, list, polygon, &rest[0]);
    int i = 0;
    for (; i < 3 && ok && rest[i % 2].all.count > 0; i++) {
        const grz_parts_polygons *now = &rest[i % 2];
        grz_parts_polygons *next = &rest[1 - i % 2];
        next->all.count = next->places.count = 0;
        ok = grz_parts_cut_polygon(&w->pool, now, &now->all.items[0], rim->edges[i], -rim->inner[i], out) &&
             grz_parts_cut_polygon(&w->pool, now, &now->all.items[0], rim->edges[i], rim->inner[i], next);
    }
    if (ok && rest[i % 2].all.count == 0) { // they have no area in common: leave it whole
        out->all.count = all;
        out->places.count = places;
        ok = grz_parts_copy(w->allocator, list, polygon, out);
    } else if (ok && mark != UINT32_MAX) {
        rest[i % 2].all.items[0].of = mark;
        ok = grz_parts_copy(w->allocator, &rest[i % 2], &rest[i % 2].all.items[0], out);
    }
    grz_parts_polygons_finish(w->allocator, &rest[0]);
    grz_parts_polygons_finish(w->allocator, &rest[1]);
    return ok || grz_bsp_fail(w, GRZ_ERROR_MEMORY);
}

// Cut a wall out of all polygons of a sheet that no mark has; or give a mark what it covers of them.
static bool cut_one_out(grz_bsp_work *w, sheet *s, uint32_t wall)
{
    const grz_bsp_flat *flat = &w->flats.items[wall];
    const uint32_t mark = grz_bsp_is_mark(w, flat->triangle) ? flat->triangle : UINT32_MAX;
    grz_parts_polygons left = {.all = {.count = 0}};
    bool ok = true;
    for (size_t i = 0; i < s->open.all.count && ok; i++) {
        const grz_parts_polygon *polygon = &s->open.all.items[i];
        const grz_box own = grz_bsp_rough_box(w, &s->open, polygon);
        if (polygon->of == UINT32_MAX && grz_boxes_overlap(&own, &w->flat_boxes[wall]))
            ok = cut_out(w, &s->open, polygon, &flat->rim, mark, &left);
        else
            ok = grz_parts_copy(w->allocator, &s->open, polygon, &left) || grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    }
    grz_parts_polygons_finish(w->allocator, &s->open);
    s->open = left;
    return ok;
}

// Cut the walls of a sheet out of it.
static bool cut_few_out(grz_bsp_work *w, sheet *s)
{
    bool ok = true;
    for (size_t j = 0; j < s->walls.count && ok && s->open.all.count > 0; j++)
        if (!grz_bsp_is_mark(w, w->flats.items[s->walls.items[j]].triangle))
            ok = cut_one_out(w, s, s->walls.items[j]);
    return ok;
}

// Give the marks of a sheet what walls leave open of them.
static bool cut_marks_out(grz_bsp_work *w, sheet *s)
{
    bool ok = true;
    for (size_t j = 0; j < s->walls.count && ok; j++)
        if (grz_bsp_is_mark(w, w->flats.items[s->walls.items[j]].triangle))
            ok = cut_one_out(w, s, s->walls.items[j]);
    return ok;
}

// A plane that halves a sheet with many walls across its longest axis. UINT32_MAX if there is no memory.
static uint32_t add_half(grz_bsp_work *w, const sheet *s)
{
    grz_box walls_box = grz_box_empty();
    double middle = 0.0;
    int axis = 0;
    for (size_t i = 0; i < s->walls.count; i++)
        grz_box_add_box(&walls_box, &w->flat_boxes[s->walls.items[i]]);
    for (int k = 1; k < 3; k++)
        if (walls_box.max[k] - walls_box.min[k] > walls_box.max[axis] - walls_box.min[axis])
            axis = k;
    for (size_t i = 0; i < s->walls.count; i++) {
        const grz_box *box = &w->flat_boxes[s->walls.items[i]];
        middle += (0.5 * box->min[axis] + 0.5 * box->max[axis]) / (double)s->walls.count;
    }
    return grz_bsp_add_across(w, axis, middle);
}

// Cut the walls of a sheet out of it: in halves, so that not every wall is tried with everything that others leave.
// Recursion: `levels` deep at most.
static bool cut_walls_out(grz_bsp_work *w, sheet *s, int levels)
{
    if (s->walls.count <= FEW || levels == 0)
        return cut_few_out(w, s);
    const uint32_t plane = add_half(w, s);
    sheet halves[2] = {{.open = {.all = {.count = 0}}}, {.open = {.all = {.count = 0}}}};
    bool ok = plane != UINT32_MAX;
    for (int i = 0; i < 2 && ok; i++)
        ok = cut_sheet(w, s, plane, 2 * i - 1, &halves[i]);
    const bool parted = ok && halves[0].walls.count < s->walls.count && halves[1].walls.count < s->walls.count;
    if (ok && !parted)
        ok = cut_few_out(w, s);
    for (int i = 0; i < 2 && parted && ok; i++)
        ok = cut_walls_out(w, &halves[i], levels - 1);
    if (parted)
        s->open.all.count = s->open.places.count = 0;
    for (int i = 0; i < 2; i++) {
        for (size_t j = 0; parted && ok && j < halves[i].open.all.count; j++)
            ok = grz_parts_copy(w->allocator, &halves[i].open, &halves[i].open.all.items[j], &s->open) ||
                 grz_bsp_fail(w, GRZ_ERROR_MEMORY);
        finish(w, &halves[i]);
    }
    return ok;
}

// ---- Gaps -----------------------------------------------------------------------------------------------------------

// Whether walls that are grown a little cover a polygon. If so, `reach` is how far they reach.
static bool is_gap(grz_bsp_work *w, const sheet *s, const grz_parts_polygon *polygon, bool *gap, double *reach)
{
    grz_parts_polygons rest = {.all = {.count = 0}};
    const grz_box polygon_box = grz_bsp_rough_box(w, &s->open, polygon);
    bool ok = grz_parts_copy(w->allocator, &s->open, polygon, &rest) || grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    for (size_t j = 0; j < s->walls.count && ok && rest.all.count > 0; j++) {
        grz_bsp_flat *wall = &w->flats.items[s->walls.items[j]];
        const grz_box box = grz_box_grown(&w->flat_boxes[s->walls.items[j]], 2.0 * w->most_moved);
        grz_parts_polygons left = {.all = {.count = 0}};
        if (!grz_boxes_overlap(&box, &polygon_box) || grz_bsp_is_mark(w, wall->triangle))
            continue;
        ok = grz_bsp_grow(w, wall);
        if (!ok || wall->reach == HUGE_VAL)
            continue;
        for (size_t i = 0; i < rest.all.count && ok; i++)
            ok = cut_out(w, &rest, &rest.all.items[i], &wall->grown, UINT32_MAX, &left);
        *reach = fmax(*reach, wall->reach);
        grz_parts_polygons_finish(w->allocator, &rest);
        rest = left;
    }
    *gap = rest.all.count == 0;
    grz_parts_polygons_finish(w->allocator, &rest);
    return ok;
}

// ---- Portals ------------------------------------------------------------------------------------------------------

// An opening: polygons whose boxes hang together.
typedef struct opening {
    grz_box box;
    uint32_t first; // of its polygons; `next` has the others
    uint32_t mark;  // a triangle of the marked face that it lies in, or UINT32_MAX
} opening;

typedef struct openings {
    GRZ_ARRAY(opening) all;
    GRZ_ARRAY(uint32_t) next; // of each polygon: the next one of its opening, or UINT32_MAX
} openings;

static uint32_t face_of(const grz_bsp_work *w, uint32_t mark)
{
    return mark != UINT32_MAX ? w->level->all.faces[mark] : UINT32_MAX;
}

// Add a polygon to what there is.
static bool add_polygon(grz_bsp_work *w, openings *o, const grz_parts_polygons *list, uint32_t number)
{
    opening wanted = {.box = grz_box_empty(), .first = number, .mark = list->all.items[number].of};
    if (!grz_array_add(w->allocator, &o->next))
        return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    o->next.items[number] = UINT32_MAX;
    grz_bsp_add_to_box(w, list, &list->all.items[number], &wanted.box);
    for (size_t i = 0; i < o->all.count;) {
        if (face_of(w, wanted.mark) != face_of(w, o->all.items[i].mark) ||
            !grz_boxes_overlap(&wanted.box, &o->all.items[i].box)) {
            i++;
            continue;
        }
        uint32_t last = wanted.first;
        while (o->next.items[last] != UINT32_MAX)
            last = o->next.items[last];
        o->next.items[last] = o->all.items[i].first;
        grz_box_add_box(&wanted.box, &o->all.items[i].box);
        o->all.items[i] = o->all.items[--o->all.count];
        i = 0; // the box has grown
    }
    if (!grz_array_add(w->allocator, &o->all))
        return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    o->all.items[o->all.count - 1] = wanted;
    return true;
}

// Whether the normal of a marked triangle points to the upper side of its plane.
static bool faces_up(const grz_bsp_work *w, uint32_t mark, uint32_t plane)
{
    const double(*at)[3] = (const double(*)[3])w->pool.planes.items[plane].at;
    const int axis = grz_bsp_lift_to(&w->pool.planes.items[plane]).axis;
    double c[3][3];
    grz_mesh_corners(w->level->all.mesh, mark, c);
    return grz_orient_projected(axis, c[0], c[1], c[2]) == grz_orient_projected(axis, at[0], at[1], at[2]);
}

// The first cell is on the outer side of the polygons.
static bool add_portal(grz_bsp_work *w, const uint32_t cells[2], const sheet *s, const openings *o, const opening *at)
{
    const grz_parts_polygon *one = &s->open.all.items[at->first];
    const bool turned = at->mark != UINT32_MAX && faces_up(w, at->mark, one->plane) != (one->facing == 1);
    if (!grz_array_add(w->allocator, &w->openings))
        return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    grz_bsp_opening *made = &w->openings.items[w->openings.count - 1];
    *made = (grz_bsp_opening){.first_piece = UINT32_MAX};
    made->portal = (grz_portal){.face = face_of(w, at->mark), .cells = {cells[turned], cells[!turned]}};
    memcpy(made->portal.min, at->box.min, sizeof made->portal.min);
    memcpy(made->portal.max, at->box.max, sizeof made->portal.max);
    for (uint32_t i = at->first; i != UINT32_MAX; i = o->next.items[i])
        if (!grz_bsp_add_piece(w, &s->open, &s->open.all.items[i], made))
            return false;
    return true;
}

// An opening becomes a portal, unless all of it is gaps.
static bool add_opening(grz_bsp_work *w, const uint32_t cells[2], const sheet *s, const openings *o, const opening *at)
{
    bool closed = w->most_moved > 0.0;
    double reach = 0.0;
    for (uint32_t i = at->first; i != UINT32_MAX && closed; i = o->next.items[i])
        if (!is_gap(w, s, &s->open.all.items[i], &closed, &reach))
            return false;
    if (closed)
        w->level->slack = fmax(w->level->slack, reach);
    return closed || add_portal(w, cells, s, o, at);
}

// The area of a leaf's face in a plane.
static double face_area(grz_bsp_work *w, uint32_t leaf, uint32_t plane)
{
    const grz_parts_polygons *faces = &w->leaves.items[leaf];
    double area = 0.0;
    for (size_t i = 0; i < faces->all.count; i++)
        if (faces->all.items[i].plane == plane)
            area += grz_bsp_area(w, faces, &faces->all.items[i]);
    return area;
}

// If walls and marks cover less of both faces than what would have divided a cell, the leaves may become one.
static bool add_bond(grz_bsp_work *w, const uint32_t cells[2], const sheet *s)
{
    const uint32_t plane = s->open.all.count > 0 ? s->open.all.items[0].plane : 0;
    double open = 0.0;
    bool any = false;
    for (size_t i = 0; i < s->open.all.count; i++) {
        const grz_parts_polygon *polygon = &s->open.all.items[i];
        any = any || polygon->of == UINT32_MAX;
        open += polygon->of == UINT32_MAX ? grz_bsp_area(w, &s->open, polygon) : 0.0;
    }
    if (cells[0] == GRZ_PORTALS_OUTSIDE || !any)
        return true;
    const double share = open / fmax(face_area(w, cells[0] - 1, plane), face_area(w, cells[1] - 1, plane));
    if (!(share > 1.0 - 0x1p-20 - w->options->coverage)) // areas are rounded, also with a coverage of 0
        return true;
    if (!grz_array_add(w->allocator, &w->bonds))
        return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    w->bonds.items[w->bonds.count - 1] = (grz_bsp_bond){{cells[0] - 1, cells[1] - 1}, share};
    return true;
}

// What two cells share in a plane becomes their portals.
static bool join(grz_bsp_work *w, const uint32_t cells[2], const sheet *shared)
{
    sheet s = {.open = {.all = {.count = 0}}};
    openings o = {.all = {.count = 0}};
    bool ok = true;
    for (size_t i = 0; i < shared->open.all.count && ok; i++) {
        ok = grz_parts_copy(w->allocator, &shared->open, &shared->open.all.items[i], &s.open) ||
             grz_bsp_fail(w, GRZ_ERROR_MEMORY);
        if (ok)
            s.open.all.items[i].of = UINT32_MAX; // no mark has it yet
    }
    ok = ok && take_walls(w, shared->walls.items, shared->walls.count, &s) && cut_walls_out(w, &s, MOST_HALVES);
    ok = ok && cut_marks_out(w, &s) && add_bond(w, cells, &s);
    for (uint32_t i = 0; i < s.open.all.count && ok; i++)
        ok = add_polygon(w, &o, &s.open, i);
    for (size_t i = 0; i < o.all.count && ok; i++)
        ok = add_opening(w, cells, &s, &o, &o.all.items[i]);
    grz_array_finish(w->allocator, &o.all);
    grz_array_finish(w->allocator, &o.next);
    finish(w, &s);
    return ok;
}

typedef struct seam_context {
    uint32_t below, other; // the node below the plane; the cell on the upper side
} seam_context;

static bool at_second_leaf(grz_bsp_work *w, void *context, uint32_t leaf, const sheet *s)
{
    const seam_context *c = context;
    const uint32_t cells[2] = {c->other, leaf + 1};
    return join(w, cells, s);
}

static bool at_first_leaf(grz_bsp_work *w, void *context, uint32_t leaf, const sheet *s)
{
    seam_context *c = context;
    c->other = leaf + 1;
    return push(w, c->below, s, at_second_leaf, c);
}

static bool push_seam(grz_bsp_work *w, const grz_bsp_seam *seam, uint32_t node, visitor *visit, seam_context *context)
{
    sheet s = {.open = {.all = {.count = 0}}};
    bool ok = grz_array_reserve(w->allocator, &s.walls, seam->count) &&
              grz_parts_copy(w->allocator, &w->seams, &w->seams.all.items[seam->polygon], &s.open);
    for (uint32_t i = 0; i < seam->count && ok; i++)
        s.walls.items[s.walls.count++] = seam->first + i;
    ok = (ok || grz_bsp_fail(w, GRZ_ERROR_MEMORY)) && push(w, node, &s, visit, context);
    finish(w, &s);
    return ok;
}

static bool find_flat_boxes(grz_bsp_work *w)
{
    const size_t count = w->flats.count;
    const grz_box *all = &w->level->box;
    // A flat wall is moved by the slack; corners are off by less than the rest.
    const double slack =
        2.0 * w->level->slack +
        0x1p-32 * fmax(fmax(all->max[0] - all->min[0], all->max[1] - all->min[1]), all->max[2] - all->min[2]);
    w->flat_boxes = grz_allocate(w->allocator, count, sizeof *w->flat_boxes);
    if (w->flat_boxes == NULL && count > 0)
        return grz_bsp_fail(w, GRZ_ERROR_MEMORY);
    for (size_t i = 0; i < count; i++) {
        double c[3][3];
        grz_mesh_corners(w->level->all.mesh, w->flats.items[i].triangle, c);
        const grz_box box = grz_triangle_box((const double(*)[3])c);
        w->flat_boxes[i] = grz_box_grown(&box, slack);
    }
    return true;
}

bool grz_bsp_find_portals(grz_bsp_work *w)
{
    if (!find_flat_boxes(w))
        return false;
    for (int f = 0; f < GRZ_PARTS_BOX_PLANES; f++) {
        seam_context c = {.other = GRZ_PORTALS_OUTSIDE};
        if (!push_seam(w, &w->sides[f], 0, at_second_leaf, &c))
            return false;
    }
    for (size_t i = 0; i < w->seams_of.count; i++) {
        const grz_bsp_seam *seam = &w->seams_of.items[i];
        const uint32_t children = w->level->nodes.items[i].children;
        seam_context c = {.below = children};
        if (seam->plane != UINT32_MAX && !push_seam(w, seam, children + 1, at_first_leaf, &c))
            return false;
    }
    return true;
}
