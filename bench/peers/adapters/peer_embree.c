// SPDX-License-Identifier: MIT
// Embree: rtcCollide() on user geometry whose primitives are triangles' boxes; the callback tests the triangles
// exactly. It has no transforms, so moved positions (as floats) are put into the scene before the clock starts, and no
// early exit: after a first contact the callback returns at once, but it is still called for every pair of boxes. Two
// ways: the default build, and the low quality one (Morton order). For deforming meshes the one combination that
// refits: a dynamic scene of low quality, geometry of refit quality.
#include "peer.h"

#include <embree3/rtcore.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct model {
    RTCScene scene;
    RTCGeometry geometry;
    const peer_mesh *mesh;
    float (*world)[3];
} model;

// The pairs found by one query.
typedef struct gathering {
    const model *a, *b;
    const peer_box *boxes; // in place of models
    peer_pairs *out;       // NULL: yes or no only
    atomic_bool touch;     // with several threads the callback runs on all of them
    pthread_mutex_t lock;
} gathering;

static RTCDevice device;
static bool several_threads;
static atomic_long held;

static bool account(void *user, ssize_t bytes, bool post)
{
    (void)user, (void)post;
    atomic_fetch_add(&held, bytes);
    return true;
}

static size_t memory(void)
{
    return (size_t)atomic_load(&held);
}

static void complain(void *user, enum RTCError code, const char *text)
{
    (void)user, (void)code;
    peer_die(text);
}

static void start(unsigned threads)
{
    char options[64];
    snprintf(options, sizeof options, "threads=%u,set_affinity=0", threads);
    several_threads = threads > 1;
    device = rtcNewDevice(options);
    if (!device)
        peer_die("Embree gives no device");
    rtcSetDeviceErrorFunction(device, complain, NULL);
    rtcSetDeviceMemoryMonitorFunction(device, account, NULL);
}

// Without fminf() and fmaxf(), which become function calls because of NaN.
static void span(float a, float b, float c, float *low, float *high)
{
    const float least = a < b ? a : b, most = a < b ? b : a;
    *low = c < least ? c : least;
    *high = c > most ? c : most;
}

static void bounds_of(const struct RTCBoundsFunctionArguments *arguments)
{
    const model *m = arguments->geometryUserPtr;
    const uint32_t *t = m->mesh->triangles[arguments->primID];
    const float *a = m->world[t[0]], *b = m->world[t[1]], *c = m->world[t[2]];
    struct RTCBounds *out = arguments->bounds_o;
    span(a[0], b[0], c[0], &out->lower_x, &out->upper_x);
    span(a[1], b[1], c[1], &out->lower_y, &out->upper_y);
    span(a[2], b[2], c[2], &out->lower_z, &out->upper_z);
}

static void to_float(const double position[3], float out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = (float)position[i];
}

static void make_scene(RTCScene *scene, RTCGeometry *geometry, enum RTCBuildQuality quality, bool deforming,
                       uint32_t count, RTCBoundsFunction bounds, void *user)
{
    *scene = rtcNewScene(device);
    *geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
    if (deforming)
        rtcSetSceneFlags(*scene, RTC_SCENE_FLAG_DYNAMIC);
    rtcSetSceneBuildQuality(*scene, deforming ? RTC_BUILD_QUALITY_LOW : quality);
    rtcSetGeometryBuildQuality(*geometry, deforming ? RTC_BUILD_QUALITY_REFIT : quality);
    rtcSetGeometryUserPrimitiveCount(*geometry, count);
    rtcSetGeometryUserData(*geometry, user);
    rtcSetGeometryBoundsFunction(*geometry, bounds, NULL);
    rtcCommitGeometry(*geometry);
    rtcAttachGeometry(*scene, *geometry);
    rtcCommitScene(*scene);
}

static void *create(const peer_mesh *mesh, enum RTCBuildQuality quality, bool deforming)
{
    model *m = malloc(sizeof *m);
    if (m)
        *m = (model){.mesh = mesh, .world = malloc(mesh->vertex_count * sizeof *m->world)};
    if (!m || !m->world)
        peer_die("out of memory for a model");
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        to_float(mesh->positions[i], m->world[i]);
    make_scene(&m->scene, &m->geometry, quality, deforming, mesh->triangle_count, bounds_of, m);
    return m;
}

static void *create_default(const peer_mesh *mesh, bool deforming)
{
    return create(mesh, RTC_BUILD_QUALITY_MEDIUM, deforming);
}

static void *create_morton(const peer_mesh *mesh, bool deforming)
{
    return create(mesh, RTC_BUILD_QUALITY_LOW, deforming);
}

static void destroy(void *user)
{
    model *m = user;
    rtcReleaseGeometry(m->geometry);
    rtcReleaseScene(m->scene);
    free(m->world);
    free(m);
}

static void place(void *user, const peer_pose *pose)
{
    model *m = user;
    for (uint32_t i = 0; i < m->mesh->vertex_count; i++) {
        double world[3];
        peer_world_position(pose, m->mesh->positions[i], world);
        to_float(world, m->world[i]);
    }
    rtcCommitGeometry(m->geometry);
    rtcCommitScene(m->scene);
}

static void update(void *user, const double (*positions)[3])
{
    model *m = user;
    for (uint32_t i = 0; i < m->mesh->vertex_count; i++)
        to_float(positions[i], m->world[i]);
    rtcCommitGeometry(m->geometry);
    rtcCommitScene(m->scene);
}

static void corners_of(const model *m, uint32_t triangle, double out[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = (double)m->world[m->mesh->triangles[triangle][i]][j];
}

static void gather(gathering *now, uint32_t a, uint32_t b)
{
    atomic_store_explicit(&now->touch, true, memory_order_relaxed);
    if (!now->out)
        return;
    if (several_threads)
        pthread_mutex_lock(&now->lock);
    peer_pairs_add(now->out, a, b);
    if (several_threads)
        pthread_mutex_unlock(&now->lock);
}

static void test_triangles(void *user, struct RTCCollision *pairs, unsigned count)
{
    gathering *now = user;
    if (!now->out && atomic_load_explicit(&now->touch, memory_order_relaxed))
        return;
    for (unsigned i = 0; i < count; i++) {
        double a[3][3], b[3][3];
        corners_of(now->a, pairs[i].primID0, a);
        corners_of(now->b, pairs[i].primID1, b);
        if (peer_triangles_touch((const double(*)[3])a, (const double(*)[3])b)) {
            gather(now, pairs[i].primID0, pairs[i].primID1);
            if (!now->out)
                return;
        }
    }
}

static bool ask(const model *a, const model *b, peer_pairs *out)
{
    gathering now = {.a = a, .b = b, .out = out, .lock = PTHREAD_MUTEX_INITIALIZER};
    rtcCollide(a->scene, b->scene, test_triangles, &now);
    return atomic_load(&now.touch);
}

static bool touches(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b)
{
    (void)pose_a, (void)pose_b;
    return ask(a, b, NULL);
}

static void pairs_of(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b, peer_pairs *out)
{
    (void)pose_a, (void)pose_b;
    ask(a, b, out);
}

static bool neighbours(const peer_mesh *mesh, uint32_t a, uint32_t b)
{
    const uint32_t *s = mesh->triangles[a], *t = mesh->triangles[b];
    for (int i = 0; i < 3; i++)
        if (s[i] == t[0] || s[i] == t[1] || s[i] == t[2])
            return true;
    return false;
}

// A scene against itself gives each pair of boxes in both orders.
static void test_self(void *user, struct RTCCollision *pairs, unsigned count)
{
    gathering *now = user;
    for (unsigned i = 0; i < count; i++) {
        const uint32_t s = pairs[i].primID0, t = pairs[i].primID1;
        double a[3][3], b[3][3];
        if (s >= t || neighbours(now->a->mesh, s, t))
            continue;
        corners_of(now->a, s, a);
        corners_of(now->a, t, b);
        if (peer_triangles_touch((const double(*)[3])a, (const double(*)[3])b))
            gather(now, s, t);
    }
}

static void self(const peer_mesh *mesh, peer_pairs *out)
{
    model *m = create(mesh, RTC_BUILD_QUALITY_LOW, false);
    gathering now = {.a = m, .b = m, .out = out, .lock = PTHREAD_MUTEX_INITIALIZER};
    rtcCollide(m->scene, m->scene, test_self, &now);
    destroy(m);
}

// Many boxes: rebuilt every frame.
typedef struct box_model {
    RTCScene scene;
    RTCGeometry geometry;
    const peer_box *boxes;
} box_model;

static void bounds_of_box(const struct RTCBoundsFunctionArguments *arguments)
{
    const peer_box *box = &((const box_model *)arguments->geometryUserPtr)->boxes[arguments->primID];
    struct RTCBounds *out = arguments->bounds_o;
    out->lower_x = (float)box->min[0], out->lower_y = (float)box->min[1], out->lower_z = (float)box->min[2];
    out->upper_x = (float)box->max[0], out->upper_y = (float)box->max[1], out->upper_z = (float)box->max[2];
}

static void *boxes_create(const peer_box *boxes, uint32_t count)
{
    box_model *m = malloc(sizeof *m);
    if (!m)
        peer_die("out of memory for boxes");
    m->boxes = boxes;
    make_scene(&m->scene, &m->geometry, RTC_BUILD_QUALITY_LOW, false, count, bounds_of_box, m);
    return m;
}

// Embree's boxes are a little larger than those it was given.
static void list_boxes(void *user, struct RTCCollision *pairs, unsigned count)
{
    gathering *now = user;
    for (unsigned i = 0; i < count; i++) {
        const peer_box *a = &now->boxes[pairs[i].primID0], *b = &now->boxes[pairs[i].primID1];
        if (a < b && peer_boxes_overlap(a, b))
            gather(now, pairs[i].primID0, pairs[i].primID1);
    }
}

static void boxes_pairs(void *state, const peer_box *boxes, uint32_t count, peer_pairs *out)
{
    box_model *m = state;
    gathering now = {.boxes = boxes, .out = out, .lock = PTHREAD_MUTEX_INITIALIZER};
    (void)count;
    m->boxes = boxes;
    rtcCommitGeometry(m->geometry);
    rtcCommitScene(m->scene);
    rtcCollide(m->scene, m->scene, list_boxes, &now);
}

peer_list peer_embree(void)
{
    static peer ways[3] = {{.library = "embree",
                            .name = "Embree default build",
                            .version = RTC_VERSION_STRING,
                            .flags = PEER_SINGLE | PEER_PLACED,
                            .threads = 1,
                            .start = start,
                            .create = create_default,
                            .destroy = destroy,
                            .memory = memory,
                            .place = place,
                            .touches = touches,
                            .pairs = pairs_of}};
    ways[1] = ways[0];
    ways[1].name = "Embree Morton";
    ways[1].flags |= PEER_USUAL;
    ways[1].create = create_morton;
    ways[1].update = update;
    ways[1].self = self;
    ways[1].boxes_create = boxes_create;
    ways[1].boxes_pairs = boxes_pairs;
    ways[2] = ways[1];
    ways[2].name = "Embree Morton 2 threads";
    ways[2].threads = 2;
    ways[2].flags = ways[0].flags;
    return (peer_list){ways, 3};
}
