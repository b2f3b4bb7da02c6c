// SPDX-License-Identifier: MIT
// Faces around an edge are sorted by signs of orient3d (geometry/triangle/pages.h). Solids that do not overlap have
// openings and closings in turn. Otherwise openings and closings are brackets around a circle: a closing belongs to the
// nearest opening before it that is still free. First, however, brackets are matched that other edges have joined
// already: so two solids that overlap, and share an edge by chance, stay two.
#include "mesh/shells/shell_fans.h"

#include <string.h>

#include "base/control.h"
#include "base/sort/sort.h"
#include "geometry/triangle/triangle.h"
#include "mesh/triangles.h"

// ---- Sorting ----

// The half-plane in which a face lies at an edge. False: it has none.
static bool page_of(const grz_shell_edges *edges, const grz_shell_edge *edge, uint64_t side, grz_page *page)
{
    const grz_mesh *mesh = edges->mesh;
    const uint32_t triangle = grz_side_triangle(side), *vertex = mesh->triangles + 3 * (size_t)triangle;
    double c[3][3];
    int third = 0;
    grz_mesh_corners(mesh, triangle, c);
    if (grz_triangle_dimension((const double(*)[3])c) < 2)
        return false;
    while (edges->lowest[vertex[third]] == edge->low || edges->lowest[vertex[third]] == edge->high)
        third++;
    *page = (grz_page){.triangle = triangle, .turn = grz_side_runs_up(side) ? 1 : -1};
    memcpy(page->at, c[third], sizeof page->at);
    return true;
}

static int compare_sides(const void *x, const void *y, void *context)
{
    const grz_fan_side *a = x, *b = y;
    (void)context;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    if (a->opens != b->opens)
        return a->opens ? 1 : -1;
    return a->face < b->face ? -1 : a->face > b->face;
}

grz_status grz_fan_sort(grz_fan_work *work, const grz_shell_edge *edge, bool inside_out)
{
    const grz_mesh *mesh = work->edges->mesh;
    const double *p = grz_mesh_position(mesh, edge->low), *q = grz_mesh_position(mesh, edge->high);
    work->pages.count = work->sides.count = work->matches.count = 0;
    if (!grz_array_reserve(work->allocator, &work->pages, edge->count) ||
        !grz_array_reserve(work->allocator, &work->sides, edge->count))
        return GRZ_ERROR_MEMORY;
    for (size_t i = 0; i < edge->count; i++)
        work->pages.count += page_of(work->edges, edge, edge->sides[i], &work->pages.items[work->pages.count]);
    grz_status status = grz_pages_sort(p, q, work->pages.items, work->pages.count, work->control);
    if (status != GRZ_OK)
        return status;
    uint32_t place = 0;
    for (size_t i = 0; i < work->pages.count; i++) {
        const grz_page *page = &work->pages.items[i];
        place += i > 0 && !grz_pages_coincide(p, q, page[-1].at, page->at);
        work->sides.items[work->sides.count++] = (grz_fan_side){.face = grz_mesh_triangle_face(mesh, page->triangle),
                                                                .place = place,
                                                                .opens = (page->turn < 0) != inside_out};
    }
    return grz_sort(work->sides.items, work->sides.count, sizeof *work->sides.items, compare_sides, NULL,
                    work->control);
}

// ---- Matching ----

static bool add_match(grz_fan_work *work, uint32_t one, uint32_t other)
{
    if (!grz_array_add(work->allocator, &work->matches))
        return false;
    work->matches.items[work->matches.count - 1] = (grz_fan_match){one, other};
    return true;
}

grz_status grz_fan_match_simple(grz_fan_work *work, bool *simple)
{
    const grz_fan_side *sides = work->sides.items;
    const size_t count = work->sides.count;
    *simple = count % 2 == 0;
    for (size_t i = 0; i < count && *simple; i++)
        *simple = sides[i].opens != sides[(i + 1) % count].opens;
    for (size_t i = 0; i < count && *simple; i++)
        if (sides[i].opens && !add_match(work, sides[i].face, sides[(i + 1) % count].face))
            return GRZ_ERROR_MEMORY;
    return GRZ_OK;
}

static void pair_up(grz_fan_side *sides, uint32_t one, uint32_t other)
{
    sides[one].matched = sides[other].matched = true;
    sides[one].partner = other;
    sides[other].partner = one;
}

static int compare_faces(const void *x, const void *y, void *context)
{
    const grz_fan_side *sides = context, *a = &sides[*(const uint32_t *)x], *b = &sides[*(const uint32_t *)y];
    return a->face < b->face ? -1 : a->face > b->face;
}

// The end of a run of sides that coincide and are of one kind, all matched or none.
static size_t run_end(const grz_fan_work *work, const uint32_t *order, size_t first, size_t count)
{
    const grz_fan_side *sides = work->sides.items, *side = &sides[order[first]];
    size_t end = first + 1;
    while (end < count && sides[order[end]].place == side->place && sides[order[end]].opens == side->opens &&
           sides[order[end]].matched == side->matched)
        end++;
    return end;
}

// Faces that coincide are told apart by their numbers: the lower one gets the lower of their partners.
static grz_status order_partners(grz_fan_work *work, const uint32_t *order, size_t count, bool opens)
{
    grz_fan_side *sides = work->sides.items;
    for (size_t i = 0, end; i < count; i = end) {
        end = run_end(work, order, i, count);
        if (end - i < 2 || sides[order[i]].opens != opens || !sides[order[i]].matched)
            continue;
        work->partners.count = 0;
        if (!grz_array_reserve(work->allocator, &work->partners, end - i))
            return GRZ_ERROR_MEMORY;
        for (size_t k = i; k < end; k++)
            work->partners.items[work->partners.count++] = sides[order[k]].partner;
        const grz_status status =
            grz_sort(work->partners.items, end - i, sizeof *order, compare_faces, sides, work->control);
        if (status != GRZ_OK)
            return status;
        for (size_t k = i; k < end; k++)
            pair_up(sides, order[k], work->partners.items[k - i]);
    }
    return GRZ_OK;
}

// Match the brackets among `count` sides, given by their numbers in ascending order. Going round twice closes what was
// opened before the end of the circle.
static grz_status match_brackets(grz_fan_work *work, const uint32_t *order, size_t count)
{
    grz_fan_side *sides = work->sides.items;
    work->stack.count = 0;
    if (!grz_array_reserve(work->allocator, &work->stack, count))
        return GRZ_ERROR_MEMORY;
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < count; i++) {
            if (sides[order[i]].matched)
                continue;
            if (!sides[order[i]].opens && work->stack.count > 0)
                pair_up(sides, work->stack.items[--work->stack.count], order[i]);
            else if (sides[order[i]].opens && round == 0)
                work->stack.items[work->stack.count++] = order[i];
        }
    grz_status status = order_partners(work, order, count, true);
    if (status == GRZ_OK)
        status = order_partners(work, order, count, false);
    for (size_t i = 0; i < count && status == GRZ_OK; i++)
        if (sides[order[i]].opens && sides[order[i]].matched &&
            !add_match(work, sides[order[i]].face, sides[sides[order[i]].partner].face))
            status = GRZ_ERROR_MEMORY;
    return status;
}

static int compare_labels(const void *x, const void *y, void *context)
{
    const grz_fan_side *sides = context, *a = &sides[*(const uint32_t *)x], *b = &sides[*(const uint32_t *)y];
    return a->label < b->label ? -1 : a->label > b->label; // the sort is stable
}

// Match the brackets of each label by themselves.
static grz_status match_labels(grz_fan_work *work)
{
    uint32_t *order = work->order.items;
    const size_t count = work->order.count;
    grz_status status = grz_sort(order, count, sizeof *order, compare_labels, work->sides.items, work->control);
    for (size_t i = 0, end; i < count && status == GRZ_OK; i = end) {
        for (end = i; end < count && work->sides.items[order[end]].label == work->sides.items[order[i]].label; end++)
            ;
        status = match_brackets(work, order + i, end - i);
    }
    return status;
}

// List the sides that are not matched yet.
static void list_unmatched(grz_fan_work *work)
{
    work->order.count = 0;
    for (uint32_t i = 0; i < work->sides.count; i++)
        if (!work->sides.items[i].matched)
            work->order.items[work->order.count++] = i;
}

grz_status grz_fan_match_all(grz_fan_work *work)
{
    work->matches.count = 0;
    if (!grz_array_reserve(work->allocator, &work->order, work->sides.count))
        return GRZ_ERROR_MEMORY;
    list_unmatched(work);
    grz_status status = match_labels(work);
    list_unmatched(work);
    if (status == GRZ_OK)
        status = match_brackets(work, work->order.items, work->order.count);
    list_unmatched(work);
    for (size_t i = 1; i < work->order.count && status == GRZ_OK; i++)
        if (!add_match(work, work->sides.items[work->order.items[0]].face,
                       work->sides.items[work->order.items[i]].face))
            status = GRZ_ERROR_MEMORY;
    return status;
}

void grz_fan_work_finish(grz_fan_work *work)
{
    grz_array_finish(work->allocator, &work->pages);
    grz_array_finish(work->allocator, &work->sides);
    grz_array_finish(work->allocator, &work->order);
    grz_array_finish(work->allocator, &work->stack);
    grz_array_finish(work->allocator, &work->partners);
    grz_array_finish(work->allocator, &work->matches);
}
