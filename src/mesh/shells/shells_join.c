// SPDX-License-Identifier: MIT
// Joins faces over edges by union-find. Edges of two faces come first, then fans whose openings and closings take
// turns, then the others, with what is joined by then as labels: so the order of edges and faces does not matter. Faces
// without area have no direction around an edge: those that are left alone go with a face that has area.
#include "mesh/shells/shells_join.h"

#include <string.h>

#include "base/control.h"
#include "base/sort/sort.h"
#include "geometry/triangle/triangle.h"
#include "mesh/shells/face_forest.h"
#include "mesh/shells/shell_fans.h"
#include "mesh/shells/shells_inside_out.h"
#include "mesh/triangles.h"

enum {
    CHECK_BITS = 13, // edges or faces between two checks of the control, as a power of two
    FAN_CHECK_BITS = 8
};

// An edge of more than two faces.
typedef struct fan {
    grz_shell_edge edge;
    bool simple; // openings and closings take turns
} fan;

typedef struct joining {
    const grz_shell_edges *edges;
    const grz_mesh *mesh;
    grz_control *control;
    const grz_allocator *allocator;
    uint32_t *parents; // the forest of faces
    GRZ_ARRAY(fan) fans;
    bool *inside_out; // of each face (shells_inside_out.h)
    uint32_t *labels; // of each face: the lowest face that it is joined to, for fans that are not simple
    grz_fan_work work;
} joining;

static grz_status join_two(joining *j)
{
    grz_edge_place place = {0};
    grz_shell_edge edge;
    for (uint32_t f = 0; f < j->mesh->face_count; f++)
        j->parents[f] = f;
    for (size_t step = 0; grz_shell_edges_next(j->edges, &place, &edge); step++) {
        if (grz_control_expired_at(j->control, step, CHECK_BITS))
            return grz_control_status(j->control);
        if (edge.count == 2) {
            grz_forest_join(j->parents, grz_side_face(j->mesh, edge.sides[0]), grz_side_face(j->mesh, edge.sides[1]));
        } else if (edge.count > 2) {
            if (!grz_array_add(j->allocator, &j->fans))
                return GRZ_ERROR_MEMORY;
            j->fans.items[j->fans.count - 1] = (fan){.edge = edge};
        }
    }
    return GRZ_OK;
}

// Number the sets of a forest in the order of their lowest faces.
static uint32_t number_sets(uint32_t *parents, uint32_t face_count, uint32_t *numbers)
{
    uint32_t count = 0;
    for (uint32_t f = 0; f < face_count; f++) {
        const uint32_t root = grz_forest_root(parents, f);
        numbers[f] = root == f ? count++ : numbers[root];
    }
    return count;
}

// Number what hangs together over edges of any kind, and find out which of it is wound inwards.
static grz_status find_inside_out(joining *j)
{
    const size_t count = j->mesh->face_count;
    uint32_t *whole = grz_allocate(j->allocator, count, sizeof *whole),
             *numbers = grz_allocate(j->allocator, count, sizeof *numbers);
    grz_status status = GRZ_ERROR_MEMORY;
    j->inside_out = grz_allocate(j->allocator, count, sizeof *j->inside_out);
    if (whole != NULL && numbers != NULL && j->inside_out != NULL) {
        memcpy(whole, j->parents, count * sizeof *whole);
        for (size_t i = 0; i < j->fans.count; i++)
            for (size_t k = 1; k < j->fans.items[i].edge.count; k++)
                grz_forest_join(whole, grz_side_face(j->mesh, j->fans.items[i].edge.sides[0]),
                                grz_side_face(j->mesh, j->fans.items[i].edge.sides[k]));
        const uint32_t number = number_sets(whole, j->mesh->face_count, numbers);
        status = grz_shells_find_inside_out(j->edges, numbers, number, j->control, j->inside_out);
    }
    grz_release(j->allocator, whole, count, sizeof *whole);
    grz_release(j->allocator, numbers, count, sizeof *numbers);
    return status;
}

static grz_status sort_fan(joining *j, const fan *of)
{
    return grz_fan_sort(&j->work, &of->edge, j->inside_out[grz_side_face(j->mesh, of->edge.sides[0])]);
}

static void join_matches(joining *j)
{
    for (size_t i = 0; i < j->work.matches.count; i++)
        grz_forest_join(j->parents, j->work.matches.items[i].one, j->work.matches.items[i].other);
}

// Join over the simple fans; *all: there are no others.
static grz_status join_simple(joining *j, bool *all)
{
    grz_status status = GRZ_OK;
    *all = true;
    for (size_t i = 0; i < j->fans.count && status == GRZ_OK; i++) {
        fan *of = &j->fans.items[i];
        if (grz_control_expired_at(j->control, i, FAN_CHECK_BITS))
            return grz_control_status(j->control);
        status = sort_fan(j, of);
        if (status == GRZ_OK)
            status = grz_fan_match_simple(&j->work, &of->simple);
        *all = *all && of->simple;
        join_matches(j);
    }
    return status;
}

static grz_status join_others(joining *j)
{
    const size_t count = j->mesh->face_count;
    grz_status status = GRZ_OK;
    j->labels = grz_allocate(j->allocator, count, sizeof *j->labels);
    if (j->labels == NULL)
        return GRZ_ERROR_MEMORY;
    for (uint32_t f = 0; f < count; f++)
        j->labels[f] = grz_forest_root(j->parents, f);
    for (size_t i = 0; i < j->fans.count && status == GRZ_OK; i++) {
        if (grz_control_expired_at(j->control, i, FAN_CHECK_BITS))
            return grz_control_status(j->control);
        if (j->fans.items[i].simple)
            continue;
        status = sort_fan(j, &j->fans.items[i]);
        for (size_t k = 0; k < j->work.sides.count && status == GRZ_OK; k++)
            j->work.sides.items[k].label = j->labels[j->work.sides.items[k].face];
        if (status == GRZ_OK)
            status = grz_fan_match_all(&j->work);
        if (status == GRZ_OK)
            join_matches(j);
    }
    return status;
}

// ---- Faces without area ----

// Mark the lowest faces of sets in which some face has area.
static grz_status mark_area(joining *j, bool *has_area)
{
    for (uint32_t t = 0; t < j->mesh->triangle_count; t++) {
        double c[3][3];
        const uint32_t root = grz_forest_root(j->parents, grz_mesh_triangle_face(j->mesh, t));
        if (grz_control_expired_at(j->control, t, CHECK_BITS))
            return grz_control_status(j->control);
        if (has_area[root])
            continue;
        grz_mesh_corners(j->mesh, t, c);
        has_area[root] = grz_triangle_dimension((const double(*)[3])c) == 2;
    }
    return GRZ_OK;
}

// A set of faces at an edge.
typedef struct set_at_edge {
    uint32_t root;
    bool has_area;
    int64_t balance; // how often more its faces run up the edge than down
} set_at_edge;

typedef GRZ_ARRAY(set_at_edge) sets_at_edge;

static int compare_roots(const void *x, const void *y, void *context)
{
    const set_at_edge *a = x, *b = y;
    (void)context;
    return a->root < b->root ? -1 : a->root > b->root;
}

// List the sets at an edge, by their lowest faces. *all: all of them have area.
static grz_status list_sets(joining *j, const grz_shell_edge *edge, const bool *has_area, sets_at_edge *sets, bool *all)
{
    size_t count = 0;
    sets->count = 0;
    *all = true;
    for (size_t i = 0; i < edge->count && *all; i++)
        *all = has_area[grz_forest_root(j->parents, grz_side_face(j->mesh, edge->sides[i]))];
    if (*all)
        return GRZ_OK;
    if (!grz_array_reserve(j->allocator, sets, edge->count))
        return GRZ_ERROR_MEMORY;
    for (size_t i = 0; i < edge->count; i++) {
        const uint32_t root = grz_forest_root(j->parents, grz_side_face(j->mesh, edge->sides[i]));
        sets->items[i] = (set_at_edge){root, has_area[root], grz_side_runs_up(edge->sides[i]) ? 1 : -1};
    }
    const grz_status status = grz_sort(sets->items, edge->count, sizeof *sets->items, compare_roots, NULL, j->control);
    for (size_t i = 0; i < edge->count && status == GRZ_OK; i++)
        if (count > 0 && sets->items[count - 1].root == sets->items[i].root)
            sets->items[count - 1].balance += sets->items[i].balance;
        else
            sets->items[count++] = sets->items[i];
    sets->count = count;
    return status;
}

// Join each set without area at an edge to one with area: to the lowest that lacks its sides there, or else to the
// lowest.
static void join_sets(joining *j, sets_at_edge *sets, bool *has_area)
{
    size_t lacking[2] = {0, 0}; // the lowest set that lacks sides down, up
    size_t lowest = 0;
    while (lowest < sets->count && !sets->items[lowest].has_area)
        lowest++;
    for (size_t i = 0; i < sets->count && lowest < sets->count; i++) {
        const set_at_edge *set = &sets->items[i];
        const bool up = set->balance > 0;
        size_t *at = &lacking[up], with = lowest;
        if (set->has_area)
            continue;
        while (*at < sets->count &&
               (!sets->items[*at].has_area || (up ? sets->items[*at].balance >= 0 : sets->items[*at].balance <= 0)))
            (*at)++;
        if (set->balance != 0 && *at < sets->count)
            with = *at;
        sets->items[with].balance += set->balance;
        grz_forest_join(j->parents, set->root, sets->items[with].root);
        has_area[grz_forest_root(j->parents, set->root)] = true;
    }
}

// Join sets without area to those with area that have an edge in common with them.
static grz_status join_over_edges(joining *j, bool *has_area)
{
    sets_at_edge sets = {0};
    grz_status status = GRZ_OK;
    for (size_t i = 0; i < j->fans.count && status == GRZ_OK; i++) {
        bool all = true;
        status = grz_control_expired_at(j->control, i, FAN_CHECK_BITS)
                     ? grz_control_status(j->control)
                     : list_sets(j, &j->fans.items[i].edge, has_area, &sets, &all);
        if (status == GRZ_OK && !all)
            join_sets(j, &sets, has_area);
    }
    grz_array_finish(j->allocator, &sets);
    return status;
}

// Join sets that still have no area to the lowest face that has a corner in common with them.
static grz_status join_over_corners(joining *j, bool *has_area)
{
    const grz_mesh *mesh = j->mesh;
    uint32_t *lowest_face = grz_allocate(j->allocator, mesh->vertex_count, sizeof *lowest_face);
    if (lowest_face == NULL)
        return GRZ_ERROR_MEMORY;
    memset(lowest_face, UINT8_MAX, mesh->vertex_count * sizeof *lowest_face);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t t = 0; t < mesh->triangle_count; t++) {
            const uint32_t face = grz_mesh_triangle_face(mesh, t), root = grz_forest_root(j->parents, face);
            for (int i = 0; i < 3; i++) {
                uint32_t *at = &lowest_face[j->edges->lowest[mesh->triangles[3 * (size_t)t + (size_t)i]]];
                if (pass == 0 && has_area[root] && *at == UINT32_MAX) {
                    *at = face;
                } else if (pass == 1 && !has_area[root] && *at != UINT32_MAX) {
                    grz_forest_join(j->parents, face, *at);
                    has_area[grz_forest_root(j->parents, face)] = true;
                    break;
                }
            }
        }
    grz_release(j->allocator, lowest_face, mesh->vertex_count, sizeof *lowest_face);
    return GRZ_OK;
}

static grz_status join_without_area(joining *j)
{
    const size_t count = j->mesh->face_count;
    bool *has_area = grz_allocate_zeroed(j->allocator, count, sizeof *has_area);
    if (has_area == NULL)
        return GRZ_ERROR_MEMORY;
    grz_status status = mark_area(j, has_area);
    bool all = true;
    for (uint32_t f = 0; f < count && all && status == GRZ_OK; f++)
        all = has_area[grz_forest_root(j->parents, f)];
    if (status == GRZ_OK && !all) {
        status = join_over_edges(j, has_area);
        if (status == GRZ_OK)
            status = join_over_corners(j, has_area);
    }
    grz_release(j->allocator, has_area, count, sizeof *has_area);
    return status;
}

// ---- All of it ----

static grz_status join_fans(joining *j)
{
    bool all = true;
    grz_status status = find_inside_out(j);
    if (status == GRZ_OK)
        status = join_simple(j, &all);
    if (status == GRZ_OK && !all)
        status = join_others(j);
    return status;
}

grz_status grz_shells_join(const grz_shell_edges *edges, grz_control *control, uint32_t *of_faces, uint32_t *count)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    const size_t faces = edges->mesh->face_count;
    joining j = {.edges = edges, .mesh = edges->mesh, .control = control, .allocator = allocator};
    j.work = (grz_fan_work){.edges = edges, .control = control, .allocator = allocator};
    j.parents = grz_allocate(allocator, faces, sizeof *j.parents);
    grz_status status = j.parents != NULL ? join_two(&j) : GRZ_ERROR_MEMORY;
    if (status == GRZ_OK && j.fans.count > 0)
        status = join_fans(&j);
    if (status == GRZ_OK)
        status = join_without_area(&j);
    if (status == GRZ_OK)
        *count = number_sets(j.parents, edges->mesh->face_count, of_faces);
    grz_fan_work_finish(&j.work);
    grz_array_finish(allocator, &j.fans);
    grz_release(allocator, j.parents, faces, sizeof *j.parents);
    grz_release(allocator, j.inside_out, faces, sizeof *j.inside_out);
    grz_release(allocator, j.labels, faces, sizeof *j.labels);
    return status;
}
