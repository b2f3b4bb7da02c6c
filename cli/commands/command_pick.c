// SPDX-License-Identifier: MIT
// graze pick A --ray ox,oy,oz,dx,dy,dz, or --pixel X,Y: what does a ray hit first, or all that it hits.

#include "answers/query.h"
#include "arguments/refuse.h"
#include "command.h"
#include "deliver.h"
#include "picture.h"
#include "probe/describe_pick.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// All hits, in a list that the caller frees. NULL: there is no memory, or the call failed.
static grz_ray_hit *list_hits(const query *q, const grz_ray *ray, const grz_pick_options *wanted, uint64_t *count,
                              grz_status *status, grz_error *error)
{
    grz_ray_hit *hits = NULL;

    *status = grz_pick_all(q->device, grz_targets_of_objects(q->objects, 1), ray, wanted, NULL, 0, count, error);
    if (*status != GRZ_OK)
        return NULL;
    hits = malloc((size_t)(*count + 1) * sizeof *hits);
    if (hits != NULL)
        *status =
            grz_pick_all(q->device, grz_targets_of_objects(q->objects, 1), ray, wanted, hits, *count, count, error);
    return hits;
}

// The ray through the middle of a pixel of a picture that shows all of A.
static grz_status aim(const query *q, const pick_camera *camera, grz_ray *ray, grz_error *error)
{
    const options *given = q->given;
    const grz_picture_options picture = picture_options(given);
    grz_picture_view view;

    const grz_status status = grz_picture_aim(q->device, q->objects, 1, &picture, &view, error);
    if (status != GRZ_OK)
        return status;
    return grz_ray_through_pixel((const double(*)[4])view.to_pixels, camera->column + 0.5, camera->row + 0.5, ray,
                                 error);
}

// The first hit, or all. Returns as list_hits().
static grz_ray_hit *ask(const query *q, const pick_camera *camera, uint64_t *count, grz_status *status,
                        grz_error *error)
{
    const options *given = q->given;
    grz_ray ray = grz_ray_along(given->ray, given->ray + 3);
    grz_pick_options wanted = grz_default_pick_options();

    *count = 0;
    if (camera != NULL)
        *status = aim(q, camera, &ray, error);
    if (*status != GRZ_OK)
        return NULL;
    ray.to = HUGE_VAL; // also behind what the picture shows
    wanted.method = given->method;
    if ((given->flags & OPTION_ALL_HITS) != 0)
        return list_hits(q, &ray, &wanted, count, status, error);
    grz_ray_hit *hits = malloc(sizeof *hits);
    if (hits != NULL)
        *status = grz_pick(q->device, grz_targets_of_objects(q->objects, 1), &ray, 1, &wanted, hits, error);
    *count = hits != NULL && *status == GRZ_OK && hits[0].face != GRZ_NO_FACE ? 1 : 0;
    return hits;
}

// Whether the command line says which ray. camera->width is 0 unless it is that through a pixel.
static bool read_ray(const options *given, pick_camera *camera)
{
    const bool has_pixel = (given->flags & OPTION_PIXEL) != 0;

    *camera = (pick_camera){.width = 0};
    if (has_pixel == ((given->flags & OPTION_RAY) != 0))
        return option_refuse(given->command,
                             has_pixel ? "--ray and --pixel: one of them says which ray, not both"
                                       : "needs --ray ox,oy,oz,dx,dy,dz: where the ray begins, and its direction; or "
                                         "--pixel X,Y");
    if (!has_pixel)
        return (given->flags & OPTIONS_CAMERA) == 0 ||
               option_refuse(given->command, "--size, --look and --up are for --pixel");
    const grz_picture_options picture = picture_options(given);
    *camera = (pick_camera){
        .column = given->pixel[0], .row = given->pixel[1], .width = picture.width, .height = picture.height};
    return (camera->column < camera->width && camera->row < camera->height) ||
           option_refuse(given->command, "--pixel %u,%u: is not in a picture of %ux%u pixels", camera->column,
                         camera->row, camera->width, camera->height);
}

static int run(const options *given)
{
    query q;
    pick_camera camera;
    grz_error error = {0};
    int status = STATUS_TROUBLE;

    if (!read_ray(given, &camera))
        return STATUS_TROUBLE;
    if (query_open(&q, given)) {
        uint64_t count = 0;
        grz_status ended = GRZ_OK;
        const pick_camera *through = camera.width > 0 ? &camera : NULL;
        grz_ray_hit *hits = ask(&q, through, &count, &ended, &error);
        if (hits == NULL && ended == GRZ_OK) {
            query_complain(&q, "out of memory");
        } else if (query_measured(&q, ended, &error)) {
            report r = describe_pick(&q, through, hits, count);
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
    .takes = OPTIONS_REPORT | OPTIONS_FILES | OPTIONS_MACHINE | OPTION_METHOD | OPTION_TIME | OPTION_POSE_A |
             OPTION_RAY | OPTION_ALL_HITS | OPTION_PIXEL | OPTIONS_CAMERA,
    .without_gl = true,
    .run = run,
    .summary = "what does a ray hit first",
    .about = "A ray begins at a point and goes on for ever. Which face does it hit first, or with --all, which faces\n"
             "does it hit, in order? Exact: no ray slips through between two faces, and where it meets an edge or a\n"
             "vertex, that is said. Of several faces at one place the one with the lowest number is shown.\n"
             "With --pixel it is the ray from the eye through a pixel of a picture that shows all of A.\n",
    .statuses = "  0  the ray hits nothing\n"
                "  1  it hits something\n"
                "  2  trouble: wrong usage, an unreadable file, a bad mesh, a method that cannot do this\n",
    .examples = "  graze pick --ray 0,0,10,0,0,-1 part.stl\n"
                "  graze pick --all --ray 0,0,10,0,0,-1 part.stl\n"
                "  graze pick --pixel 600,450 --look 0,0,-1 part.stl\n"
                "  graze pick --json --ray 0,0,10,0,0,-1 part.stl | jq .distance\n",
};
