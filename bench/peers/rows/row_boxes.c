// SPDX-License-Identifier: MIT
// Row W6: ten thousand boxes that move a little each frame; a query is a frame: all pairs that overlap. Twice, sparse
// and dense.
#include "rows.h"
#include "shapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BOXES = 10000
};

typedef struct box_frame {
    peer_box boxes[BOXES];
    peer_pairs truth;
} box_frame;

typedef struct box_data {
    box_frame *frames;
    uint32_t frame_count;
} box_data;

static int compare(const void *p, const void *q)
{
    const peer_box *const *a = p, *const *b = q;
    return ((*a)->min[0] > (*b)->min[0]) - ((*a)->min[0] < (*b)->min[0]);
}

// The pairs of a frame: sort along x and test what overlaps there.
static void list_pairs(box_frame *f)
{
    static const peer_box *order[BOXES];
    for (uint32_t i = 0; i < BOXES; i++)
        order[i] = &f->boxes[i];
    qsort(order, BOXES, sizeof *order, compare);
    for (uint32_t i = 0; i < BOXES; i++)
        for (uint32_t j = i + 1; j < BOXES && order[j]->min[0] <= order[i]->max[0]; j++) {
            const peer_box *a = order[i], *b = order[j];
            if (peer_boxes_overlap(a, b))
                peer_pairs_add(&f->truth, (uint32_t)(a - f->boxes), (uint32_t)(b - f->boxes));
        }
    pairs_order(&f->truth);
}

typedef struct mover {
    double middle[3], half[3], step[3];
} mover;

// A cube of side 1 in which boxes fly straight and turn round at the walls; sizes differ by a factor of 3 and `side` on
// average.
static void move(mover *m)
{
    for (int i = 0; i < 3; i++) {
        m->middle[i] += m->step[i];
        if (m->middle[i] < 0 || m->middle[i] > 1)
            m->step[i] = -m->step[i];
    }
}

static const void *prepare(const settings *set, double side, char about[256])
{
    box_data *data = calloc(1, sizeof *data);
    mover *movers = calloc(BOXES, sizeof *movers);
    shape_random random = {9};
    size_t pairs = 0;
    if (data) {
        data->frame_count = set->quick ? 30 : 100;
        data->frames = calloc(data->frame_count, sizeof *data->frames);
    }
    if (!movers || !data || !data->frames)
        peer_die("out of memory for boxes");
    for (uint32_t i = 0; i < BOXES; i++)
        for (int j = 0; j < 3; j++) {
            movers[i].middle[j] = shape_random_in(&random, 0, 1);
            movers[i].half[j] = side * shape_random_in(&random, 0.25, 0.75);
            movers[i].step[j] = side * shape_random_in(&random, -0.05, 0.05);
        }
    for (uint32_t k = 0; k < data->frame_count; k++) {
        box_frame *f = &data->frames[k];
        for (uint32_t i = 0; i < BOXES; i++) {
            move(&movers[i]);
            for (int j = 0; j < 3; j++) {
                f->boxes[i].min[j] = (double)(float)(movers[i].middle[j] - movers[i].half[j]);
                f->boxes[i].max[j] = (double)(float)(movers[i].middle[j] + movers[i].half[j]);
            }
        }
        list_pairs(f);
        pairs += f->truth.count;
    }
    free(movers);
    snprintf(about, 256, "%d boxes, %u frames, each box moves up to 5 %% of its size a frame, %.0f pairs a frame",
             BOXES, data->frame_count, (double)pairs / data->frame_count);
    return data;
}

static const void *prepare_sparse(const settings *set, void *subject, char about[256])
{
    (void)subject;
    return prepare(set, 0.0201, about);
}

static const void *prepare_dense(const settings *set, void *subject, char about[256])
{
    (void)subject;
    return prepare(set, 0.0402, about);
}

static uint32_t queries(const void *data)
{
    return ((const box_data *)data)->frame_count;
}

static bool can(const peer *p)
{
    return p->boxes_create && p->boxes_pairs;
}

typedef struct asking {
    const peer *peer;
    const box_data *data;
    void *state;
    peer_pairs pairs;
    figures *out;
} asking;

static bool truth_of(const void *context, uint32_t query)
{
    (void)context, (void)query;
    return true;
}

static double ask(void *context, uint32_t query, bool judged)
{
    asking *now = context;
    const box_frame *f = &now->data->frames[query];
    now->pairs.count = 0;
    const stopwatch start = measure_start();
    now->peer->boxes_pairs(now->state, f->boxes, BOXES, &now->pairs);
    const double seconds = measure_stop(start);
    if (judged) {
        pairs_order(&now->pairs);
        figures_add_pairs(now->out, f->truth.items, f->truth.count, &now->pairs);
    }
    return seconds;
}

static void measure(const row_work *work, figures *out)
{
    asking now = {.peer = work->peer, .data = work->data, .out = out};
    const stopwatch start = measure_start();
    now.state = now.peer->boxes_create(now.data->frames[0].boxes, BOXES);
    out->build_ms = 1e3 * (measure_stop(start));
    out->bytes = (double)NAN;
    out->lists = true;
    settings by_mean =
        *work->set; // state kept between frames makes some cheap and some expensive: medians would hide the expensive ones
    by_mean.means = true;
    measure_queries(&by_mean, ask, truth_of, &now, queries(work->data), work->reference, work->is_reference, out);
}

row_list rows_boxes(void)
{
    static const row rows[] = {
        {"W6", "W6", "10,000 boxes moving a little, sparse: all overlapping pairs a frame", NULL, NULL, prepare_sparse,
         queries, can, measure},
        {"W6", "W6 dense", "10,000 boxes moving a little, dense: all overlapping pairs a frame", NULL, NULL,
         prepare_dense, queries, can, measure},
    };
    return (row_list){rows, sizeof rows / sizeof *rows};
}
