// SPDX-License-Identifier: MIT
// Splits an object where no set of directions is enough, such as at the inside of a bottle. A part is cut across one of
// the three axes, at the middle of its box or of what is uncovered; all six are tried, and the one that leaves least
// uncovered is taken. Cuts are judged by each part's own maps; the report (bound.c) looks at all maps together.
#include "ask/projections/split.h"

#include "base/control.h"

#include <string.h>

enum {
    CUTS = 6 // three axes, two places on each
};

typedef struct splitter {
    grz_sight_search *search;
    grz_sight_choice *choices;
    uint64_t uncovered; // in all parts
    bool *tried;        // max_parts: no cut of it is possible
} splitter;

static uint64_t uncovered_in(const grz_sight_choice *choice)
{
    return choice->weight - choice->covered;
}

static bool is_covered(const splitter *s, size_t cell)
{
    const grz_sight_choice *choice = &s->choices[grz_sight_part(s->search, cell)];
    for (uint32_t k = 0; k < choice->count; k++)
        if (grz_sight_covers(s->search, choice->chosen[k], cell))
            return true;
    return false;
}

// The planes to try: first through the middle of the part's cells, then of those that are uncovered. The rows are those
// of the uncut part.
static void find_planes(const splitter *s, uint32_t part, grz_sight_plane planes[CUTS])
{
    double low[CUTS], high[CUTS];
    for (int i = 0; i < CUTS; i++) {
        low[i] = 4.0;
        high[i] = -4.0;
    }
    for (size_t i = 0; i < s->search->model.cell_count; i++) {
        const grz_sight_cell *cell = &s->search->surface->cells.items[i];
        double corners[3][3];
        if (grz_sight_part(s->search, i) != part || cell->pose != 0)
            continue;
        const int cuts = is_covered(s, i) ? 3 : CUTS;
        grz_sight_cell_in_pose(s->search->surface, cell, 0, corners);
        for (int k = 0; k < cuts; k++)
            for (int c = 0; c < 3; c++) {
                low[k] = corners[c][k % 3] < low[k] ? corners[c][k % 3] : low[k];
                high[k] = corners[c][k % 3] > high[k] ? corners[c][k % 3] : high[k];
            }
    }
    for (int i = 0; i < CUTS; i++)
        planes[i] = (grz_sight_plane){.axis = i % 3, .position = 0.5 * (low[i] + high[i])};
}

// What a cut leads to.
typedef struct outcome {
    grz_sight_model model;
    grz_sight_choice pieces[2];
    bool possible; // there are cells on both sides
} outcome;

static grz_status try_cut(splitter *s, uint32_t part, grz_sight_plane plane, outcome *out)
{
    grz_sight_search *search = s->search;
    const grz_sight_model before = search->model;
    grz_status status =
        grz_sight_cut(&before, search->surface, part, plane, search->inside_rule, search->control, &out->model);
    search->model = out->model;
    if (status == GRZ_OK)
        status = grz_sight_look(search, part, before.part_count);
    if (status == GRZ_OK)
        status = grz_sight_choose(search, part, &out->pieces[0]);
    if (status == GRZ_OK)
        status = grz_sight_choose(search, before.part_count, &out->pieces[1]);
    search->model = before;
    out->possible = status == GRZ_OK && out->pieces[0].weight > 0 && out->pieces[1].weight > 0;
    return status;
}

// Least uncovered, then fewest directions.
static bool is_better(const outcome *a, const outcome *b)
{
    const uint64_t left = uncovered_in(&a->pieces[0]) + uncovered_in(&a->pieces[1]);
    const uint64_t least = uncovered_in(&b->pieces[0]) + uncovered_in(&b->pieces[1]);
    if (left != least)
        return left < least;
    return a->pieces[0].count + a->pieces[1].count < b->pieces[0].count + b->pieces[1].count;
}

// Cut a part in the best way, if it can be cut. Leaves the rows as they must be.
static grz_status cut_best(splitter *s, uint32_t part)
{
    grz_sight_search *search = s->search;
    const grz_allocator *allocator = grz_control_allocator(search->control);
    grz_sight_plane planes[CUTS];
    outcome best = {.possible = false};
    grz_status status = GRZ_OK;
    find_planes(s, part, planes);
    for (int i = 0; i < CUTS && status == GRZ_OK; i++) {
        outcome tried = {.possible = false};
        status = try_cut(s, part, planes[i], &tried);
        if (status == GRZ_OK && tried.possible && (!best.possible || is_better(&tried, &best))) {
            const outcome worse = best;
            best = tried;
            tried = worse;
        }
        grz_sight_model_finish(&tried.model, allocator);
    }
    if (status != GRZ_OK || !best.possible) {
        s->tried[part] = true;
        grz_sight_model_finish(&best.model, allocator);
        return status == GRZ_OK ? grz_sight_look(search, part, part) : status;
    }
    grz_sight_model_finish(&search->model, allocator);
    search->model = best.model;
    s->uncovered -= uncovered_in(&s->choices[part]);
    s->choices[part] = best.pieces[0];
    s->choices[search->model.part_count - 1] = best.pieces[1];
    s->uncovered += uncovered_in(&best.pieces[0]) + uncovered_in(&best.pieces[1]);
    return grz_sight_look(search, part, search->model.part_count - 1);
}

// The part to cut next: the one with the largest uncovered area, if that is more than the allowed share.
static uint32_t next_part(const splitter *s)
{
    const grz_sight_search *search = s->search;
    uint32_t next = UINT32_MAX;
    for (uint32_t p = 0; p < search->model.part_count; p++) {
        const uint64_t left = uncovered_in(&s->choices[p]);
        if (!s->tried[p] && (double)left > (double)s->choices[p].weight * search->uncovered_share &&
            (next == UINT32_MAX || left > uncovered_in(&s->choices[next])))
            next = p;
    }
    return next;
}

// Split until `most` parts or nothing is left to do. *least receives how many parts had the least uncovered area, or
// nearly so.
static grz_status split(splitter *s, uint32_t most, uint32_t *least)
{
    grz_sight_search *search = s->search;
    const double allowed = (double)search->surface->weight * search->uncovered_share;
    grz_status status = grz_sight_look(search, 0, 0);
    if (status == GRZ_OK)
        status = grz_sight_choose(search, 0, &s->choices[0]);
    s->uncovered = uncovered_in(&s->choices[0]);
    memset(s->tried, 0, search->max_parts * sizeof *s->tried);
    uint64_t so_far = s->uncovered;
    *least = 1;
    while (status == GRZ_OK && search->model.part_count < most) {
        const uint32_t part = next_part(s);
        if (part == UINT32_MAX)
            break;
        status = cut_best(s, part);
        if ((double)so_far - (double)s->uncovered > allowed) {
            so_far = s->uncovered;
            *least = search->model.part_count;
        }
    }
    return status;
}

grz_status grz_sight_split(grz_sight_search *search, grz_sight_choice *choices)
{
    const grz_allocator *allocator = grz_control_allocator(search->control);
    splitter s = {.search = search, .choices = choices};
    uint32_t least = 1;
    s.tried = grz_allocate_zeroed(allocator, search->max_parts, sizeof *s.tried);
    grz_status status =
        s.tried != NULL ? grz_sight_model_init(&search->model, search->surface, allocator) : GRZ_ERROR_MEMORY;
    if (status == GRZ_OK)
        status = split(&s, search->max_parts, &least);
    if (status == GRZ_OK && least < search->model.part_count) { // the last cuts gained nothing: do the others again
        grz_sight_model_finish(&search->model, allocator);
        status = grz_sight_model_init(&search->model, search->surface, allocator);
        if (status == GRZ_OK)
            status = split(&s, least, &least);
    }
    grz_release(allocator, s.tried, search->max_parts, sizeof *s.tried);
    return status;
}
