// SPDX-License-Identifier: MIT
// graze pick A --ray ox,oy,oz,dx,dy,dz: what does a ray hit first, or all that it hits.

#include "command.h"
#include "answers/describe_pick.h"
#include "answers/query.h"
#include "arguments/option_table.h"
#include "deliver.h"

#include <stdlib.h>

// All hits, in a list that the caller frees. NULL: memory is out, or the call failed.
static grz_ray_hit *list_hits(const query *q, const grz_ray *ray, const grz_pick_options *wanted, uint64_t *count,
                              grz_status *status, grz_error *error)
{
    grz_ray_hit *hits = NULL;

    *status = grz_pick_all(q->device, q->objects, 1, ray, wanted, NULL, 0, count, error);
    if (*status != GRZ_OK)
        return NULL;
    hits = malloc((size_t)(*count + 1) * sizeof *hits);
    if (hits != NULL)
        *status = grz_pick_all(q->device, q->objects, 1, ray, wanted, hits, *count, count, error);
    return hits;
}

// The first hit, or all. Returns as list_hits().
static grz_ray_hit *ask(const query *q, uint64_t *count, grz_status *status, grz_error *error)
{
    const options *given = q->given;
    const grz_ray ray = grz_ray_along(given->ray, given->ray + 3);
    grz_pick_options wanted = grz_default_pick_options();

    wanted.method = given->method;
    if ((given->flags & OPTION_ALL_HITS) != 0)
        return list_hits(q, &ray, &wanted, count, status, error);
    grz_ray_hit *hits = malloc(sizeof *hits);
    if (hits != NULL)
        *status = grz_pick(q->device, q->objects, 1, &ray, 1, &wanted, hits, error);
    *count = hits != NULL && *status == GRZ_OK && hits[0].face != GRZ_NO_FACE ? 1 : 0;
    return hits;
}

static int run(const options *given)
{
    query q;
    grz_error error = {0};
    int status = STATUS_TROUBLE;

    if ((given->flags & OPTION_RAY) == 0) {
        option_refuse(given->command, "needs --ray ox,oy,oz,dx,dy,dz: where the ray begins, and its direction");
        return STATUS_TROUBLE;
    }
    if (query_open(&q, given)) {
        uint64_t count = 0;
        grz_status ended = GRZ_OK;
        grz_ray_hit *hits = ask(&q, &count, &ended, &error);
        if (hits == NULL && ended == GRZ_OK) {
            query_complain(&q, "out of memory");
        } else if (query_measured(&q, ended, &error)) {
            report r = describe_pick(&q, hits, count);
            status = deliver(&r, given, count > 0 ? STATUS_TOUCHES : STATUS_APART);
            report_finish(&r);
        }
        free(hits);
    }
    query_close(&q);
    return status;
}

const command command_pick = {
    .name = "pick",
    .files = "A",
    .least_files = 1,
    .most_files = 1,
    .takes =
        OPTIONS_REPORT | OPTIONS_MACHINE | OPTION_METHOD | OPTION_TIME | OPTION_POSE_A | OPTION_RAY | OPTION_ALL_HITS,
    .without_gl = true,
    .run = run,
    .summary = "what does a ray hit first",
    .about = "A ray begins at a point and goes on for ever. Which face does it hit first, or with --all, which faces\n"
             "does it hit, in order? Exact: no ray slips through between two faces, and where it meets an edge or a\n"
             "vertex, that is said. Of several faces at one place the one with the lowest number is shown.\n",
    .statuses = "  0  the ray hits nothing\n"
                "  1  it hits something\n"
                "  2  trouble: wrong usage, an unreadable file, a bad mesh, a method that cannot do this\n",
    .examples = "  graze pick --ray 0,0,10,0,0,-1 part.stl\n"
                "  graze pick --all --ray 0,0,10,0,0,-1 part.stl\n"
                "  graze pick --json --ray 0,0,10,0,0,-1 part.stl | jq .distance\n",
};
