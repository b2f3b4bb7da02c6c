// SPDX-License-Identifier: MIT
// Cuts a part by a plane. A vertex in the plane counts as below it, as if the plane were a little higher; so the
// section is made of closed curves, and no case is special. The section is divided into strips at all of its corners;
// in a strip it is a row of trapezoids, of which those inside of the object are the cap (a sweep, as in M. de Berg et
// al., "Computational Geometry", chapter 6). Both parts get the same cap.
#include "ask/projections/model.h"

#include <string.h>

#include "base/control.h"
#include "base/sort/sort.h"

enum {
    CHECK_BITS = 10 // check the control once in so many triangles, or strips
};

// A piece of the section: where the plane meets one triangle.
typedef struct segment {
    uint32_t ends[2]; // vertices of the new model, in the order of u
    double low[2];    // u and v of the first end; u and v are the plane's own axes
    double high[2];   // of the second
    int turn;         // 1 if the inside is where v is larger, -1 if it is where v is smaller
} segment;

// A segment in a strip, ordered by v.
typedef struct crossing {
    double middle; // v in the middle of the strip
    uint32_t segment;
} crossing;

typedef struct cutter {
    const grz_allocator *allocator;
    grz_control *control;
    grz_sight_model *model; // the copy
    grz_sight_plane plane;
    uint32_t part, beyond;
    grz_inside_rule rule;
    double (*positions)[3]; // of the vertices before the cut, in the frame
    GRZ_ARRAY(segment) segments;
    GRZ_ARRAY(crossing) active;
} cutter;

static bool is_beyond(const cutter *c, uint32_t vertex)
{
    return c->positions[vertex][c->plane.axis] > c->plane.position;
}

static bool add_vertex(cutter *c, uint32_t from, uint32_t to, double share, uint32_t *number)
{
    *number = (uint32_t)grz_sight_vertex_count(c->model);
    if (*number == UINT32_MAX || !grz_array_add(c->allocator, &c->model->vertices))
        return false;
    c->model->vertices.items[c->model->vertices.count - 1] = (grz_sight_vertex){.from = from, .to = to, .share = share};
    return true;
}

static bool add_triangle(cutter *c, const uint32_t corners[3], uint32_t source, uint32_t part)
{
    if (!grz_array_add(c->allocator, &c->model->triangles))
        return false;
    c->model->triangles.items[c->model->triangles.count - 1] =
        (grz_sight_triangle){.corners = {corners[0], corners[1], corners[2]}, .source = source, .part = part};
    return true;
}

// The vertex where an edge meets the plane. Always computed from below, so that it is the same for both triangles.
static bool meet_plane(cutter *c, uint32_t below, uint32_t above, uint32_t *vertex, double at[2])
{
    const double *p = c->positions[below], *q = c->positions[above];
    const int axis = c->plane.axis;
    const double share = (c->plane.position - p[axis]) / (q[axis] - p[axis]);
    for (int i = 0; i < 2; i++) {
        const int other = (axis + 1 + i) % 3;
        at[i] = p[other] + (q[other] - p[other]) * share;
    }
    return add_vertex(c, below, above, share, vertex);
}

static bool add_segment(cutter *c, const grz_sight_triangle *triangle, const uint32_t ends[2], double at[2][2])
{
    if (at[0][0] == at[1][0]) // it is in the border of a strip
        return true;
    const double *p = c->positions[triangle->corners[0]], *q = c->positions[triangle->corners[1]],
                 *r = c->positions[triangle->corners[2]];
    // The normal's coordinate along v.
    const int v = (c->plane.axis + 2) % 3, w = (v + 1) % 3, u = (v + 2) % 3;
    const double normal = (q[w] - p[w]) * (r[u] - p[u]) - (q[u] - p[u]) * (r[w] - p[w]);
    const int first = at[0][0] < at[1][0] ? 0 : 1;
    if (!grz_array_add(c->allocator, &c->segments))
        return false;
    segment *added = &c->segments.items[c->segments.count - 1];
    *added = (segment){.ends = {ends[first], ends[1 - first]}, .turn = normal < 0.0 ? 1 : -1};
    memcpy(added->low, at[first], sizeof added->low);
    memcpy(added->high, at[1 - first], sizeof added->high);
    return true;
}

// Replace a triangle by its pieces below and beyond the plane. Caps of earlier cuts are cut, too.
static bool cut_triangle(cutter *c, size_t number)
{
    const grz_sight_triangle whole = c->model->triangles.items[number];
    bool beyond[3];
    int count = 0, alone = 0;
    for (int i = 0; i < 3; i++) {
        beyond[i] = is_beyond(c, whole.corners[i]);
        count += beyond[i];
    }
    if (count == 0 || count == 3) {
        c->model->triangles.items[number].part = count == 3 ? c->beyond : c->part;
        return true;
    }
    for (int i = 0; i < 3; i++) // the corner that is alone on its side
        alone = beyond[i] == (count == 1) ? i : alone;
    const uint32_t tip = whole.corners[alone], next = whole.corners[(alone + 1) % 3],
                   last = whole.corners[(alone + 2) % 3];
    const uint32_t others[2] = {next, last};
    uint32_t ends[2];
    double at[2][2];
    for (int i = 0; i < 2; i++)
        if (!meet_plane(c, beyond[alone] ? others[i] : tip, beyond[alone] ? tip : others[i], &ends[i], at[i]))
            return false;
    const uint32_t tip_part = beyond[alone] ? c->beyond : c->part, rest_part = beyond[alone] ? c->part : c->beyond;
    const uint32_t pieces[3][3] = {{tip, ends[0], ends[1]}, {ends[0], next, last}, {ends[0], last, ends[1]}};
    memcpy(c->model->triangles.items[number].corners, pieces[0], sizeof pieces[0]);
    c->model->triangles.items[number].part = tip_part;
    return add_triangle(c, pieces[1], whole.source, rest_part) && add_triangle(c, pieces[2], whole.source, rest_part) &&
           add_segment(c, &whole, ends, at);
}

// ---- The cap ------------------------------------------------------------------------------------------------------

static int compare_numbers(double x, double y)
{
    return (x > y) - (x < y);
}

static int compare_segments(const void *x, const void *y, void *context)
{
    const segment *a = x, *b = y;
    (void)context;
    return a->low[0] != b->low[0] ? compare_numbers(a->low[0], b->low[0]) : compare_numbers(a->low[1], b->low[1]);
}

static int compare_borders(const void *x, const void *y, void *context)
{
    (void)context;
    return compare_numbers(*(const double *)x, *(const double *)y);
}

static double share_at(const segment *of, double u)
{
    return (u - of->low[0]) / (of->high[0] - of->low[0]);
}

static double v_at(const segment *of, double u)
{
    return of->low[1] + (of->high[1] - of->low[1]) * share_at(of, u);
}

// The vertex of a segment on a strip's border.
static bool vertex_at(cutter *c, const segment *of, double u, uint32_t *vertex)
{
    if (u <= of->low[0] || u >= of->high[0]) {
        *vertex = of->ends[u <= of->low[0] ? 0 : 1];
        return true;
    }
    return add_vertex(c, of->ends[0], of->ends[1], share_at(of, u), vertex);
}

// The trapezoid between two segments in a strip, for both parts.
static bool add_trapezoid(cutter *c, const segment *below, const segment *above, const double strip[2])
{
    uint32_t corners[4]; // around it
    if (!vertex_at(c, below, strip[0], &corners[0]) || !vertex_at(c, below, strip[1], &corners[1]) ||
        !vertex_at(c, above, strip[1], &corners[2]) || !vertex_at(c, above, strip[0], &corners[3]))
        return false;
    const uint32_t halves[2][3] = {{corners[0], corners[1], corners[2]}, {corners[0], corners[2], corners[3]}};
    for (int i = 0; i < 2; i++) { // wound so that each part has it on its outside
        const uint32_t turned[3] = {halves[i][0], halves[i][2], halves[i][1]};
        if (!add_triangle(c, halves[i], GRZ_SIGHT_CAP, c->part) || !add_triangle(c, turned, GRZ_SIGHT_CAP, c->beyond))
            return false;
    }
    return true;
}

// Sort the few segments that were in order in the strip before.
static void sort_active(cutter *c)
{
    crossing *items = c->active.items;
    for (size_t i = 1; i < c->active.count; i++) {
        const crossing moved = items[i];
        size_t place = i;
        for (; place > 0 && items[place - 1].middle > moved.middle; place--)
            items[place] = items[place - 1];
        items[place] = moved;
    }
}

static bool fill_strip(cutter *c, const double strip[2])
{
    const double middle = 0.5 * strip[0] + 0.5 * strip[1];
    int winding = 0;
    for (size_t i = 0; i < c->active.count; i++)
        c->active.items[i].middle = v_at(&c->segments.items[c->active.items[i].segment], middle);
    sort_active(c);
    for (size_t i = 0; i + 1 < c->active.count; i++) {
        const segment *below = &c->segments.items[c->active.items[i].segment];
        const segment *above = &c->segments.items[c->active.items[i + 1].segment];
        winding = c->rule == GRZ_EVEN_ODD ? 1 - winding : winding + below->turn;
        if (winding != 0 && !add_trapezoid(c, below, above, strip))
            return false;
    }
    return true;
}

// The segments that cross the strip, given those that cross the strip before.
static bool update_active(cutter *c, const double strip[2], size_t *next)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->active.count; i++)
        if (c->segments.items[c->active.items[i].segment].high[0] >= strip[1])
            c->active.items[kept++] = c->active.items[i];
    c->active.count = kept;
    for (; *next < c->segments.count && c->segments.items[*next].low[0] <= strip[0]; ++*next) {
        if (!grz_array_add(c->allocator, &c->active))
            return false;
        c->active.items[c->active.count - 1].segment = (uint32_t)*next;
    }
    return true;
}

static grz_status add_cap(cutter *c)
{
    const size_t count = c->segments.count;
    if (count == 0)
        return GRZ_OK;
    double *borders = grz_allocate(c->allocator, 2 * count, sizeof *borders);
    if (borders == NULL)
        return GRZ_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        borders[2 * i] = c->segments.items[i].low[0];
        borders[2 * i + 1] = c->segments.items[i].high[0];
    }
    grz_status status = grz_sort(borders, 2 * count, sizeof *borders, compare_borders, NULL, c->control);
    if (status == GRZ_OK)
        status = grz_sort(c->segments.items, count, sizeof *c->segments.items, compare_segments, NULL, c->control);
    size_t next = 0;
    for (size_t i = 0; i + 1 < 2 * count && status == GRZ_OK; i++) {
        if (borders[i] == borders[i + 1])
            continue;
        if (!update_active(c, borders + i, &next) || !fill_strip(c, borders + i))
            status = GRZ_ERROR_MEMORY;
        else if (grz_control_expired_at(c->control, i, CHECK_BITS))
            status = grz_control_status(c->control);
    }
    grz_release(c->allocator, borders, 2 * count, sizeof *borders);
    return status;
}

// ---- The cut ------------------------------------------------------------------------------------------------------

static grz_status copy_model(const grz_sight_model *model, const grz_allocator *allocator, grz_sight_model *out)
{
    *out = (grz_sight_model){.mesh = model->mesh, .part_count = model->part_count + 1, .cell_count = model->cell_count};
    out->cell_parts = grz_allocate(allocator, out->cell_count, sizeof *out->cell_parts);
    if (out->cell_parts == NULL || !grz_array_reserve(allocator, &out->vertices, model->vertices.count) ||
        !grz_array_reserve(allocator, &out->triangles, model->triangles.count))
        return GRZ_ERROR_MEMORY;
    memcpy(out->cell_parts, model->cell_parts, out->cell_count * sizeof *out->cell_parts);
    if (model->vertices.count > 0)
        memcpy(out->vertices.items, model->vertices.items, model->vertices.count * sizeof *out->vertices.items);
    memcpy(out->triangles.items, model->triangles.items, model->triangles.count * sizeof *out->triangles.items);
    out->vertices.count = model->vertices.count;
    out->triangles.count = model->triangles.count;
    return GRZ_OK;
}

// Cells go with the middle of what they are in the first pose.
static void move_cells(const cutter *c, const grz_sight_surface *surface)
{
    for (size_t i = 0; i < c->model->cell_count; i++) {
        double corners[3][3];
        if (c->model->cell_parts[i] != c->part)
            continue;
        grz_sight_cell_in_pose(surface, &surface->cells.items[i], 0, corners);
        const double sum = corners[0][c->plane.axis] + corners[1][c->plane.axis] + corners[2][c->plane.axis];
        if (sum > 3.0 * c->plane.position)
            c->model->cell_parts[i] = c->beyond;
    }
}

grz_status grz_sight_cut(const grz_sight_model *model, const grz_sight_surface *surface, uint32_t part,
                         grz_sight_plane plane, grz_inside_rule rule, grz_control *control, grz_sight_model *out)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const size_t vertices = grz_sight_vertex_count(model), triangles = model->triangles.count;
    cutter c = {.allocator = allocator,
                .control = control,
                .model = out,
                .plane = plane,
                .part = part,
                .beyond = model->part_count,
                .rule = rule};
    grz_status status = copy_model(model, allocator, out);
    c.positions = grz_allocate(allocator, vertices, sizeof *c.positions);
    if (c.positions == NULL)
        status = GRZ_ERROR_MEMORY;
    if (status == GRZ_OK)
        grz_sight_positions(model, model->mesh, &surface->frame, c.positions);
    for (size_t i = 0; i < triangles && status == GRZ_OK; i++) {
        if (out->triangles.items[i].part == part && !cut_triangle(&c, i))
            status = GRZ_ERROR_MEMORY;
        else if (grz_control_expired_at(control, i, CHECK_BITS))
            status = grz_control_status(control);
    }
    if (status == GRZ_OK)
        status = add_cap(&c);
    if (status == GRZ_OK)
        move_cells(&c, surface);
    grz_release(allocator, c.positions, vertices, sizeof *c.positions);
    grz_array_finish(allocator, &c.segments);
    grz_array_finish(allocator, &c.active);
    return status;
}
