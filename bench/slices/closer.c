// SPDX-License-Identifier: MIT
// What may follow the first picture (section 3.1.1 of the paper): offset surfaces, of the whole model or made for each
// volume; more pixels in the last drawing; a large volume that counts as a collision. How often the answer is wrong,
// how many pictures a query draws, and how long it takes.
#include <graze/gl.h>

#include "paper.h"

enum {
    SETTING_COUNT = 14
};

typedef struct setting {
    const char *name;
    uint32_t resolution, refinements, last_resolution;
    double offset, cell_offset, large_share;
} setting;

static const setting tried[SETTING_COUNT] = {
    {.name = "32 x 32", .resolution = 32},
    {.name = "  offset 0.01", .resolution = 32, .offset = 0.01},
    {.name = "  cell offset 0.5", .resolution = 32, .cell_offset = 0.5},
    {.name = "  cell offset 1", .resolution = 32, .cell_offset = 1.0},
    {.name = "32 x 32, refined 3 times", .resolution = 32, .refinements = 3},
    {.name = "  offset 0.01", .resolution = 32, .refinements = 3, .offset = 0.01},
    {.name = "  cell offset 0.5", .resolution = 32, .refinements = 3, .cell_offset = 0.5},
    {.name = "  cell offset 1", .resolution = 32, .refinements = 3, .cell_offset = 1.0},
    {.name = "  last 256 x 256", .resolution = 32, .refinements = 3, .last_resolution = 256},
    {.name = "  last 256 x 256, cell offset 1",
     .resolution = 32,
     .refinements = 3,
     .last_resolution = 256,
     .cell_offset = 1.0},
    {.name = "256 x 256, refined 3 times", .resolution = 256, .refinements = 3},
    {.name = "64 x 64, refined twice", .resolution = 64, .refinements = 2},
    {.name = "  large share 0.1", .resolution = 64, .refinements = 2, .large_share = 0.1},
    {.name = "  large share 0.02", .resolution = 64, .refinements = 2, .large_share = 0.02}};

static void ask_setting(run *r, const setting *by, const pose_set *poses, const grz_mesh *a, const grz_mesh *b)
{
    grz_slices_options options = settings_of(by->resolution, by->refinements, 0);
    uint32_t missed = 0, invented = 0, assumed = 0, assumed_wrong = 0;
    uint64_t drawings = 0;
    double seconds = 0.0;
    options.last_resolution = by->last_resolution;
    options.offset = by->offset;
    options.cell_offset = by->cell_offset;
    options.large_share = by->large_share;
    for (uint32_t q = 0; q < poses->count; q++) {
        const posed_query *query = &poses->items[q];
        const grz_object object_a = place(a, &query->a), object_b = place(b, &query->b);
        uint64_t number;
        const stopwatch start = measure_start();
        const bool said = ask(r, &options, &object_a, &object_b);
        seconds += measure_stop(start);
        missed += query->touch && !said;
        invented += !query->touch && said;
        drawings += grz_result_statistic(r->result, "drawings", &number) ? number : 0;
        if (grz_result_statistic(r->result, "assumed", &number) && number > 0) {
            assumed++;
            assumed_wrong += !query->touch;
        }
    }
    printf("  %-34s %7.2f = %4u + %4u  %9.2f  %10.0f  %8u, %3u\n", by->name, 100.0 * (missed + invented) / poses->count,
           missed, invented, (double)drawings / poses->count, 1e6 * seconds / poses->count, assumed, assumed_wrong);
    fflush(stdout);
    if (r->csv != NULL)
        fprintf(r->csv, "closer,\"%s\",%u,%.4f,%.3f,%u,%u,%u,\n", by->name, by->resolution,
                100.0 * (missed + invented) / poses->count, (double)drawings / poses->count, assumed, missed, invented);
}

void closer(run *r)
{
    const uint32_t count = r->quick ? 40 : 4000;
    peer_mesh models[2];
    read_models(models);
    placements p = placements_open(r, models, count, 0.2, 2005);
    printf("\nAfter the first picture: %u placements whose boxes overlap, a fifth of them colliding; models of %u and "
           "%u triangles, 16 slices\n  %-34s %21s  %9s  %10s  %s\n",
           count, p.models[0].triangle_count, p.models[1].triangle_count, "", "percent wrong = m + i", "drawings", "us",
           "assumed, wrongly");
    for (int i = 0; i < SETTING_COUNT; i++)
        ask_setting(r, &tried[i], &p.poses, p.a, p.b);
    placements_close(&p);
}
