// SPDX-License-Identifier: MIT
// Embree: rtcCollide() of a scene of boxes with itself. After a move the scene is built again (low quality: Morton
// order), or, as another peer, refitted. One thread. Its boxes are a little larger than those it was given, so each
// pair is compared again when it is reported.
#include "peers.h"

#include <embree3/rtcore.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct world {
    RTCScene scene;
    RTCGeometry geometry;
    const body_box *boxes;
    pair_list pairs;
} world;

static RTCDevice device;

static void bounds_of_box(const struct RTCBoundsFunctionArguments *arguments)
{
    const body_box *box = &((const world *)arguments->geometryUserPtr)->boxes[arguments->primID];
    struct RTCBounds *out = arguments->bounds_o;
    out->lower_x = (float)box->min[0], out->lower_y = (float)box->min[1], out->lower_z = (float)box->min[2];
    out->upper_x = (float)box->max[0], out->upper_y = (float)box->max[1], out->upper_z = (float)box->max[2];
}

static void note(void *user, struct RTCCollision *pairs, unsigned count)
{
    world *w = user;
    for (unsigned i = 0; i < count; i++) {
        const uint32_t s = pairs[i].primID0, t = pairs[i].primID1;
        if (s >= t) // each pair comes in both orders
            continue;
        const body_box *a = &w->boxes[s], *b = &w->boxes[t];
        if ((a->min[0] <= b->max[0]) & (b->min[0] <= a->max[0]) & (a->min[1] <= b->max[1]) & (b->min[1] <= a->max[1]) &
            (a->min[2] <= b->max[2]) & (b->min[2] <= a->max[2]))
            pair_list_add(&w->pairs, (uint64_t)s << 32 | t);
    }
}

static void update(void *user, const body_box *boxes, const uint32_t *moved, size_t moved_count)
{
    world *w = user;
    (void)moved;
    (void)moved_count;
    w->boxes = boxes;
    rtcCommitGeometry(w->geometry);
    rtcCommitScene(w->scene);
    w->pairs.count = 0;
    rtcCollide(w->scene, w->scene, note, w);
}

static void *create(const body_box *boxes, uint32_t count, bool refit)
{
    world *w = calloc(1, sizeof *w);
    if (device == NULL)
        device = rtcNewDevice("threads=1,set_affinity=0");
    if (w == NULL || device == NULL) {
        fprintf(stderr, "bench_pairs: Embree does not start\n");
        exit(1);
    }
    w->boxes = boxes;
    w->scene = rtcNewScene(device);
    w->geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
    if (refit)
        rtcSetSceneFlags(w->scene, RTC_SCENE_FLAG_DYNAMIC);
    rtcSetSceneBuildQuality(w->scene, RTC_BUILD_QUALITY_LOW);
    rtcSetGeometryBuildQuality(w->geometry, refit ? RTC_BUILD_QUALITY_REFIT : RTC_BUILD_QUALITY_LOW);
    rtcSetGeometryUserPrimitiveCount(w->geometry, count);
    rtcSetGeometryUserData(w->geometry, w);
    rtcSetGeometryBoundsFunction(w->geometry, bounds_of_box, NULL);
    rtcCommitGeometry(w->geometry);
    rtcAttachGeometry(w->scene, w->geometry);
    update(w, boxes, NULL, 0);
    return w;
}

static void *create_rebuilt(const body_box *boxes, uint32_t count)
{
    return create(boxes, count, false);
}

static void *create_refit(const body_box *boxes, uint32_t count)
{
    return create(boxes, count, true);
}

static void list(void *user, pair_list *out)
{
    const world *w = user;
    for (size_t i = 0; i < w->pairs.count; i++)
        pair_list_add(out, w->pairs.items[i]);
}

static void destroy(void *user)
{
    world *w = user;
    rtcReleaseGeometry(w->geometry);
    rtcReleaseScene(w->scene);
    free(w->pairs.items);
    free(w);
}

const peer peer_embree = {"Embree, rebuilt", UINT32_MAX, UINT32_MAX, create_rebuilt, update, list, destroy};
const peer peer_embree_refit = {"Embree, refitted", UINT32_MAX, 0, create_refit, update, list, destroy};
