// SPDX-License-Identifier: MIT
// Row W5: a bent surface against itself, from plain arrays to the list of pairs, building included. Twice: pairs that
// share no vertex, which is what a user's test by boxes gives, and pairs by the full definition of
// docs/reference/numbers.md, neighbours included.
#include "rows.h"
#include "shapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct self_data {
    bool apart; // only pairs that share no vertex
    peer_pairs truth;
} self_data;

static peer_mesh scan;

static const void *prepare(const settings *set, bool apart, char about[256])
{
    self_data *data = calloc(1, sizeof *data);
    if (!data)
        peer_die("out of memory");
    if (!scan.positions)
        scan =
            set->quick ? shape_tube(shape_knot, 250, 40, 0.61, 0.1, 8) : shape_tube(shape_knot, 625, 80, 0.61, 0.1, 8);
    data->apart = apart;
    truth_self(&scan, &data->truth);
    if (apart)
        pairs_drop_neighbours(&scan, &data->truth);
    snprintf(about, 256, "%u triangles, %zu pairs", scan.triangle_count, data->truth.count);
    return data;
}

static const void *prepare_apart(const settings *set, void *subject, char about[256])
{
    (void)subject;
    return prepare(set, true, about);
}

static const void *prepare_full(const settings *set, void *subject, char about[256])
{
    (void)subject;
    return prepare(set, false, about);
}

static uint32_t queries(const void *data)
{
    (void)data;
    return 1;
}

static bool can_apart(const peer *p)
{
    return p->self != NULL;
}

static bool can_full(const peer *p)
{
    return p->self && p->flags & PEER_NEIGHBOURS;
}

typedef struct asking {
    const peer *peer;
    const self_data *data;
    peer_pairs pairs;
    figures *out;
} asking;

static bool truth_of(const void *context, uint32_t query)
{
    (void)query;
    return ((const asking *)context)->data->truth.count > 0;
}

// Leaving neighbours out is part of the query: for these libraries the user has to do it.
static double ask(void *context, uint32_t query, bool judged)
{
    asking *now = context;
    const peer_pairs *truth = &now->data->truth;
    (void)query;
    now->pairs.count = 0;
    const stopwatch start = measure_start();
    now->peer->self(&scan, &now->pairs);
    if (now->data->apart && now->peer->flags & PEER_NEIGHBOURS)
        pairs_drop_neighbours(&scan, &now->pairs);
    const double seconds = measure_stop(start);
    if (!judged)
        return seconds;
    pairs_order(&now->pairs);
    now->out->wrong_no += now->pairs.count == 0 && truth->count > 0;
    now->out->wrong_yes += now->pairs.count > 0 && truth->count == 0;
    figures_add_pairs(now->out, truth->items, truth->count, &now->pairs);
    return seconds;
}

static void measure(const row_work *work, figures *out)
{
    asking now = {.peer = work->peer, .data = work->data, .out = out};
    out->lists = true;
    out->build_ms = out->bytes = (double)NAN;
    measure_queries(work->set, ask, truth_of, &now, 1, work->reference, work->is_reference, out);
}

row_list rows_self(void)
{
    static const row rows[] = {
        {"W5", "W5", "a bent surface (100K triangles; quick: 20K) with itself, built anew: pairs that share no vertex",
         NULL, NULL, prepare_apart, queries, can_apart, measure},
        {"W5", "W5 full", "the same, full definition: neighbours that meet beyond what they share too", NULL, NULL,
         prepare_full, queries, can_full, measure},
    };
    return (row_list){rows, sizeof rows / sizeof *rows};
}
