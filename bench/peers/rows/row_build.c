// SPDX-License-Identifier: MIT
// Row build: the time from plain arrays to everything that a yes-or-no query needs, with the settings of the query
// rows, and the memory for it.
#include "rows.h"
#include "shapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static peer_mesh mesh;

static const void *prepare(const settings *set, void *subject, char about[256])
{
    (void)subject;
    if (!mesh.positions)
        mesh = set->large ? shape_read(set->large) : shape_blob(set->quick ? 45 : 179, 0.12, 3);
    snprintf(about, 256, "%u triangles, %u vertices; first: the process's first build", mesh.triangle_count,
             mesh.vertex_count);
    return &mesh;
}

static uint32_t queries(const void *data)
{
    (void)data;
    return 1;
}

static bool can(const peer *p)
{
    return p->create && !(p->flags & PEER_WARM);
}

static bool truth(const void *context, uint32_t query)
{
    (void)context, (void)query;
    return false;
}

static double build(void *context, uint32_t query, bool judged)
{
    const peer *p = context;
    (void)query, (void)judged;
    const stopwatch start = measure_start();
    void *model = p->create(&mesh, false);
    const double seconds = measure_stop(start);
    p->destroy(model);
    return seconds;
}

static void measure(const row_work *work, figures *out)
{
    const peer *p = work->peer;
    const size_t before = p->memory ? p->memory() : measure_malloc();
    const stopwatch start = measure_start();
    void *model = p->create(&mesh, false);
    const double first = measure_stop(start);
    out->build_ms = 1e3 * first;
    out->build_ns = 1e9 * first / mesh.triangle_count;
    out->bytes = (double)((p->memory ? p->memory() : measure_malloc()) - before) / mesh.triangle_count;
    p->destroy(model);
    peer copy = *p;
    measure_queries(work->set, build, truth, &copy, 1, work->reference, work->is_reference, out);
    out->first = 1e6 * first;
    out->clear = (double)NAN;
}

row_list rows_build(void)
{
    static const row rows[] = {{"build", "build",
                                "from arrays to what yes or no needs, a large model (384K triangles; quick: 24K)", NULL,
                                NULL, prepare, queries, can, measure}};
    return (row_list){rows, 1};
}
