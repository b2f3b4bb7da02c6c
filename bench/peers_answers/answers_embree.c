// SPDX-License-Identifier: MIT
// Embree's answers: rtcCollide() on scenes of user geometry whose primitives are triangles' boxes. Embree passes pairs
// of boxes to the user's callback, which would have to test the triangles. So Embree itself gives no yes or no.
#include "cases.h"

#include <embree3/rtcore.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // the callback runs on several threads at once

static void bounds(const struct RTCBoundsFunctionArguments *arguments)
{
    const peers_mesh *mesh = arguments->geometryUserPtr;
    float low[3] = {HUGE_VALF, HUGE_VALF, HUGE_VALF}, high[3] = {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF};
    for (int corner = 0; corner < 3; corner++)
        for (int axis = 0; axis < 3; axis++) {
            const float x = (float)mesh->positions[mesh->triangles[arguments->primID][corner]][axis];
            low[axis] = fminf(low[axis], x);
            high[axis] = fmaxf(high[axis], x);
        }
    struct RTCBounds *out = arguments->bounds_o;
    out->lower_x = low[0], out->lower_y = low[1], out->lower_z = low[2];
    out->upper_x = high[0], out->upper_y = high[1], out->upper_z = high[2];
}

static RTCScene scene_of(RTCDevice device, const peers_mesh *mesh)
{
    const RTCScene scene = rtcNewScene(device);
    const RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(geometry, mesh->triangle_count);
    rtcSetGeometryUserData(geometry, (void *)mesh);
    rtcSetGeometryBoundsFunction(geometry, bounds, NULL);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene);
    return scene;
}

static void collided(void *user, struct RTCCollision *collisions, unsigned int count)
{
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < count; i++)
        peers_add_pair(user, collisions[i].primID0, collisions[i].primID1);
    pthread_mutex_unlock(&lock);
}

static void ask(const peers_mesh *a, const peers_mesh *b, peers_answer *answer)
{
    const RTCDevice device = rtcNewDevice(NULL);
    const RTCScene scene_a = scene_of(device, a), scene_b = scene_of(device, b);
    answer->lists_pairs = true;
    rtcCollide(scene_a, scene_b, collided, answer);
    const enum RTCError error = rtcGetDeviceError(device);
    if (error != RTC_ERROR_NONE)
        snprintf(answer->remark, sizeof answer->remark, "error %d", (int)error);
    rtcReleaseScene(scene_a);
    rtcReleaseScene(scene_b);
    rtcReleaseDevice(device);
}

// One scene with itself: the unfiltered result, with pairs of a triangle with itself and with its neighbours.
static void ask_self(const peers_mesh *mesh, peers_answer *answer)
{
    const RTCDevice device = rtcNewDevice(NULL);
    const RTCScene scene = scene_of(device, mesh);
    answer->lists_pairs = true;
    rtcCollide(scene, scene, collided, answer);
    rtcReleaseScene(scene);
    rtcReleaseDevice(device);
}

int main(void)
{
    const peers_way ways[] = {{"rtcCollide() on user geometry", true, true, ask, ask_self}};
    return peers_run("Embree " RTC_VERSION_STRING, ways, 1);
}
