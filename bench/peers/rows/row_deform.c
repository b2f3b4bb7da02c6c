// SPDX-License-Identifier: MIT
// Row W3: a sheet of cloth whose vertices all move in each frame, and a small rigid tool that goes through it. A query
// is a frame: new positions, then all touching pairs. The time of a refit alone is a separate column.
#include "poses.h"
#include "rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct frame {
    double (*positions)[3];
    peer_pose tool;
    peer_pairs truth;
} frame;

static peer_mesh sheet, tool;
static frame *frames;
static uint32_t frame_count;

static const peer_pose at_origin = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

// The tool, about 0.6 long, stands upright in the sheet, leans and moves about.
static peer_pose tool_pose(double time)
{
    const double lean = 0.4 * sin(time), c = cos(lean), s = sin(lean);
    return (peer_pose){
        {{c, 0, s, 0.5 * sin(0.7 * time)}, {0, 1, 0, 0.5 * cos(0.9 * time)}, {-s, 0, c, 0.05 * sin(3 * time)}}};
}

// Middle of the box to the origin.
static void centre(peer_mesh *mesh)
{
    const peer_box box = shape_bounds(mesh);
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        for (int j = 0; j < 3; j++)
            mesh->positions[i][j] -= (box.min[j] + box.max[j]) / 2;
}

static void make_frame(uint32_t i)
{
    frame *f = &frames[i];
    const double time = 0.02 * i;
    peer_mesh waved = sheet;
    waved.positions = f->positions = calloc(sheet.vertex_count, sizeof *f->positions);
    if (!f->positions)
        peer_die("out of memory for frames");
    shape_wave(&sheet, time, f->positions);
    f->tool = tool_pose(time);
    truth_pair *truth = truth_open(&waved, &tool);
    truth_pairs(truth, &at_origin, &f->tool, "bvh", &f->truth);
    truth_close(truth);
}

static const void *prepare(const settings *set, void *subject, char about[256])
{
    (void)subject;
    char path[4096];
    size_t pairs = 0;
    snprintf(path, sizeof path, "%s/scalpel_sword128.obj", set->data);
    sheet = shape_sheet(161);
    tool = shape_read(path);
    centre(&tool);
    shape_scale(&tool, 0.6 / shape_diagonal(&tool));
    frame_count = set->quick ? 40 : 200;
    frames = calloc(frame_count, sizeof *frames);
    if (!frames)
        peer_die("out of memory for frames");
    for (uint32_t i = 0; i < frame_count; i++) {
        make_frame(i);
        pairs += frames[i].truth.count;
    }
    snprintf(about, 256, "sheet of %u triangles, tool of %u, %u frames, %.1f pairs each", sheet.triangle_count,
             tool.triangle_count, frame_count, (double)pairs / frame_count);
    return &sheet;
}

static uint32_t queries(const void *data)
{
    (void)data;
    return frame_count;
}

static bool can(const peer *p)
{
    return p->create && p->update && p->pairs;
}

typedef struct asking {
    const peer *peer;
    void *sheet, *tool;
    peer_pairs pairs;
    figures *out;
    double refitting; // seconds, of so many refits
    uint32_t refits;
} asking;

static bool truth_of(const void *context, uint32_t query)
{
    (void)context;
    return frames[query].truth.count > 0;
}

static void judge(asking *now, const frame *f)
{
    now->out->wrong_yes += now->pairs.count > 0 && f->truth.count == 0;
    now->out->wrong_no += now->pairs.count == 0 && f->truth.count > 0;
    pairs_sort(&now->pairs);
    figures_add_pairs(now->out, f->truth.items, f->truth.count, &now->pairs);
}

static double ask(void *context, uint32_t query, bool judged)
{
    asking *now = context;
    const frame *f = &frames[query];
    const peer *p = now->peer;
    if (p->place)
        p->place(now->tool, &f->tool);
    now->pairs.count = 0;
    const stopwatch start = measure_start();
    p->update(now->sheet, (const double(*)[3])f->positions);
    const double updated = measure_stop(start);
    p->pairs(now->sheet, &at_origin, now->tool, &f->tool, &now->pairs);
    const double seconds = measure_stop(start);
    if (judged)
        judge(now, f);
    if (!p->refit) {
        now->refitting += updated;
        now->refits++;
    } else if (judged) { // outside of the query's time: no query here has wanted it
        const stopwatch refit_start = measure_start();
        p->refit(now->sheet);
        now->refitting += measure_stop(refit_start);
        now->refits++;
    }
    return seconds;
}

static void measure(const row_work *work, figures *out)
{
    const peer *p = work->peer;
    asking now = {.peer = p, .out = out};
    const size_t before = p->memory ? p->memory() : measure_malloc();
    const stopwatch start = measure_start();
    now.sheet = p->create(&sheet, true);
    out->build_ms = 1e3 * (measure_stop(start));
    out->build_ns = 1e6 * out->build_ms / sheet.triangle_count;
    out->bytes = (double)((p->memory ? p->memory() : measure_malloc()) - before) / sheet.triangle_count;
    now.tool = p->create(&tool, false);
    out->lists = true;
    measure_queries(work->set, ask, truth_of, &now, frame_count, work->reference, work->is_reference, out);
    out->part = 1e6 * now.refitting / now.refits;
}

row_list rows_deform(void)
{
    static const row rows[] = {
        {"W3", "W3", "a sheet of 52K triangles, all moving, and a tool of 128: update and all touching pairs",
         "refit alone", NULL, prepare, queries, can, measure}};
    return (row_list){rows, 1};
}
