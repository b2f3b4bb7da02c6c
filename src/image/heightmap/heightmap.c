// SPDX-License-Identifier: MIT
// Method `heightmap`. Exact: each pixel of a grid has one range of depths for all surfaces of an object; triangles
// whose own range meets the other object's are joined, and the predicates decide. Discrete: height maps of an object
// and of its environment are compared. Source: J. Fabrizio, "Easy real-time collision detection".
#include "image/heightmap/heightmap.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/device.h"
#include "base/fail.h"
#include "geometry/pose.h"
#include "image/grid/propose.h"
#include "image/heightmap/height_query.h"

// ---- The exact answer ---------------------------------------------------------------------------------------------

static const grz_image_method exact = {
    .name = "heightmap", .join = GRZ_JOIN_MARKED, .cells = GRZ_CELLS_RANGES, .resolution = grz_image_pair_resolution};

static grz_status check_options(const void *options, grz_error *error)
{
    grz_heightmap_options read;
    return grz_heightmap_options_read(options, &read, error);
}

static grz_status propose(grz_device *device, const grz_job_set *set, grz_sink *sink, grz_error *error)
{
    return grz_image_propose(device, &exact, set, sink, error);
}

static grz_status read_near(grz_device *device, const grz_job_set *set, grz_control *control, grz_mesh *parts[2],
                            bool *done, grz_error *error)
{
    return grz_image_read_near(device, &exact, set, control, parts, done, error);
}

// ---- The discrete answer ------------------------------------------------------------------------------------------

// The box around the pixels of a view that hit, in the world.
static grz_collision_box volume_of(const grz_height_maps *maps, uint32_t view, const grz_height_found *found,
                                   const grz_pose *pose)
{
    const double side = maps->options.resolution;
    double from[3], to[3];
    grz_collision_box volume, world;
    for (int i = 0; i < 2; i++) {
        assert(~found->not_least[i] <= found->last[i] && found->last[i] < maps->options.resolution);
        from[i] = ~found->not_least[i] / side;
        to[i] = (found->last[i] + 1.0) / side;
    }
    const uint32_t nearest = ~found->not_nearest;
    float depths[2];
    memcpy(&depths[0], &nearest, sizeof nearest);
    memcpy(&depths[1], &found->farthest, sizeof found->farthest);
    from[2] = (double)depths[0];
    to[2] = fmax((double)depths[1], from[2] + 0x1p-20); // a flat box has no volume to name
    const grz_view part = grz_view_part(&maps->views[view], from, to);
    volume = grz_view_box(&part, found->hits);
    world = volume;
    grz_world_position(pose, volume.corner, world.corner);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            world.edge[k][i] = (pose->m[i][0] * volume.edge[k][0] + pose->m[i][1] * volume.edge[k][1]) +
                               pose->m[i][2] * volume.edge[k][2];
    return world;
}

// The maps of the query's object are brought up to date here.
static grz_status compare(grz_height_query *q, const grz_heightmap_options *options, grz_discrete *out)
{
    grz_height_found found[2];
    uint32_t count = 0;
    uint64_t pixels = 0;
    const double start = grz_clock_seconds();
    grz_status status = grz_height_maps_get(q->gl, q->object->mesh, options, q->control, &q->maps, q->error);
    out->prepare_ms = 1e3 * (grz_clock_seconds() - start);
    if (status == GRZ_OK)
        status = grz_height_compare(q, found, &count);
    if (status != GRZ_OK)
        return status;
    grz_discrete_set(out, "maps", count);
    for (uint32_t i = 0; i < count; i++) {
        pixels += found[i].pixels;
        grz_discrete_add(out, "pixels", found[i].pixels);
        grz_discrete_add(out, "hits", found[i].hits);
        if (found[i].hits == 0)
            continue;
        out->colliding = true;
        const grz_collision_box volume = volume_of(q->maps, i, &found[i], &q->object->pose);
        if (!grz_discrete_add_box(out, &volume))
            return grz_fail(q->error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "heightmap: out of memory for the answer");
    }
    return pixels > 0 ? GRZ_OK : grz_height_covers_nothing(q->maps, "object A", q->error);
}

static grz_status discrete(grz_device *device, const grz_job_set *set, const void *given, grz_control *control,
                           bool *confirm, grz_discrete *out, grz_error *error)
{
    const grz_job *job = &set->jobs[0];
    const grz_object *a = grz_job_object_a(set, job), *b = grz_job_object_b(set, job);
    const grz_object object = grz_object_at(a->mesh, a->pose), other = grz_object_at(b->mesh, b->pose); // no groups
    const grz_environment environment = {.size = sizeof environment, .objects = &other, .object_count = 1};
    grz_heightmap_options options;
    grz_height_query q = {.object = &object,
                          .environment = &environment,
                          .first_hit = (set->flags & GRZ_JOBS_FIRST_CONTACT) != 0,
                          .control = control,
                          .error = error};
    *confirm = false;
    out->may_miss = out->may_invent = true;
    grz_status status = grz_image_check_device(device, "heightmap", set, job, error);
    if (status == GRZ_OK)
        status = grz_heightmap_options_read(given, &options, error);
    if (status == GRZ_OK)
        status = grz_gl_enter(device, "heightmap", &q.gl, error);
    if (status != GRZ_OK)
        return status;
    grz_discrete_set(out, "resolution", options.resolution);
    grz_discrete_set(out, "maps", 0);
    grz_discrete_set(out, "pixels", 0);
    grz_discrete_set(out, "hits", 0);
    if (!grz_box_is_empty(&job->clip)) // boxes that do not overlap are apart
        status = compare(&q, &options, out);
    return grz_gl_leave(q.gl, status, error);
}

const grz_filter grz_filter_heightmap = {.name = "heightmap",
                                         .capabilities = GRZ_CAN_PAIR | GRZ_CAN_MANY | GRZ_CAN_READ_BUFFERS |
                                                         GRZ_CAN_DISCRETE_PAIR | GRZ_USES_GL,
                                         .check_options = check_options,
                                         .propose = propose,
                                         .read_near = read_near,
                                         .discrete = discrete};
