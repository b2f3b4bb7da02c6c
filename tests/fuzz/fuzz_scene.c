// SPDX-License-Identifier: MIT
// Fuzzes scenes and batches. The bytes are the history of a scene: objects are added, removed, moved, regrouped and
// deformed, share meshes, and keep meshes that the caller has destroyed. In between the scene is queried with every
// option, and calls exceed limits of memory, time or pairs. The expected answer comes from each pair of objects alone,
// by `naive`, on newly made meshes, from a list of changes, and from the rules of groups, masks and filter. After each
// step the scene must contain exactly what the successful calls made; in the end all memory must be released.
#include <math.h>

#include "support_fuzz_queries.h"
#include "support_fuzz_shapes.h"
#include "support_scenes.h"

enum {
    BODIES = 5,
    OBJECTS = 7,
    MOST_TRIANGLES = 14, // of a mesh
    MOST_STEPS = 24,
    MOST_POSES = 4,
    RULES = 2, // grz_inside_rule
    PLENTY = 1 << 30
};

// A mesh: the library's, and the test's own copy.
typedef struct body {
    test_mesh mesh; // its present vertices; without faces, the slot is free
    double *before; // where they were at creation
    uint32_t flags;
    grz_mesh *uploaded; // the mesh that the scene uses, refitted and deformed
    grz_mesh *fresh; // a new mesh on the reference device, made when needed; NULL: not yet since the last deformation
    bool ours;       // the caller has not destroyed the mesh
    unsigned users;  // objects of the scene
} body;

// An object of the scene.
typedef struct thing {
    bool used, changed; // since the last successful query
    uint32_t body;
    grz_object object;
    uint64_t stamp; // changes when it gets another pose, mesh or vertex positions
} thing;

// The expected answer for two objects, valid while their stamps are unchanged.
typedef struct truth {
    bool known;
    uint64_t stamp_a, stamp_b;
    test_answer answer;
} truth;

// Memory that ends after so many allocations.
typedef struct short_memory {
    int left;
    int64_t live;
} short_memory;

// What the scene's filter refuses, and which pairs it was asked about.
typedef struct gate {
    bool open;        // no filter is set
    uint64_t refused; // a bit for each pair
    int stop_after;   // calls, then the query is cancelled
    int calls;
    uint32_t last_a, last_b;
    volatile int cancel;
} gate;

typedef struct history {
    fuzz_input *in;
    grz_scene *scene;
    body bodies[BODIES];
    thing things[OBJECTS];
    truth truths[RULES][OBJECTS][OBJECTS];
    gate gate;
    uint64_t now;
} history;

// The device whose memory is counted, and its result; never closed. The expected answers are computed on fuzz_device().
static grz_device *device;
static grz_result *result, *alone;
static short_memory memory = {.left = PLENTY};

static void *short_reallocate(void *block, size_t old_size, size_t new_size, void *user)
{
    short_memory *m = user;
    (void)old_size;
    if (m->left-- <= 0)
        return NULL;
    void *moved = realloc(block, new_size);
    m->live += block == NULL && moved != NULL;
    return moved;
}

static void short_release(void *block, size_t size, void *user)
{
    short_memory *m = user;
    (void)size;
    m->live -= block != NULL;
    free(block);
}

static void open_devices(void)
{
    if (device != NULL)
        return;
    grz_device_options options = grz_default_device_options();
    options.threads = 1;
    options.allocator = (grz_allocator){short_reallocate, short_release, &memory};
    FUZZ_REQUIRE(grz_device_open(&options, &device, NULL) == GRZ_OK);
    alone = test_result_create(fuzz_device());
}

// Limit the memory for one call in eight. Returns true if it is limited; plenty() ends the limit.
static bool maybe_starve(history *h)
{
    const uint8_t b = fuzz_byte(h->in);
    if (b % 8 != 7)
        return false;
    memory.left = b / 8;
    return true;
}

static void plenty(void)
{
    memory.left = PLENTY;
}

// Check a call's status: it must be `wrong` (GRZ_OK if the call is right), or, with limited memory, GRZ_ERROR_MEMORY.
static bool ended_well(grz_status status, const grz_error *error, grz_status wrong, bool starved)
{
    plenty();
    FUZZ_REQUIRE(status == error->code && (status == GRZ_OK) == (error->message[0] == '\0'));
    FUZZ_REQUIRE(status == wrong || (starved && status == GRZ_ERROR_MEMORY));
    return status == GRZ_OK;
}

static grz_object fresh_object(body *b, const grz_pose *pose)
{
    if (b->fresh == NULL) {
        test_mesh at_first = b->mesh;
        at_first.positions = b->before;
        b->fresh = test_mesh_upload_flags(fuzz_device(), &at_first, b->flags);
        FUZZ_REQUIRE(grz_mesh_set_positions(b->fresh, b->mesh.positions, NULL) == GRZ_OK);
    }
    grz_object object = grz_object_at_origin(b->fresh);
    object.pose = *pose;
    return object;
}

// True if the pose is accepted for the mesh: a batch without poses checks its object and does nothing else.
static bool accepts(body *b, const grz_pose *pose)
{
    const grz_object object = fresh_object(b, pose);
    const grz_status status = grz_collide_poses(fuzz_device(), &object, object.mesh, NULL, 0, NULL, NULL, NULL);
    FUZZ_REQUIRE(status == GRZ_OK || status == GRZ_ERROR_POSE);
    return status == GRZ_OK;
}

// The full answer for two bodies with valid poses. The caller finishes it.
static test_answer ask_alone(body *a, const grz_pose *pose_a, body *b, const grz_pose *pose_b, grz_inside_rule rule)
{
    const grz_object object_a = fresh_object(a, pose_a), object_b = fresh_object(b, pose_b);
    grz_collide_options options = grz_default_collide_options();
    options.method = "naive";
    options.find = TEST_FIND_ALL;
    options.inside_rule = rule;
    FUZZ_REQUIRE(grz_collide(fuzz_device(), &object_a, &object_b, &options, alone, NULL) == GRZ_OK);
    return test_answer_of(alone);
}

static bool holds(const history *h, uint32_t a, uint32_t b, const truth *t)
{
    return t->known && t->stamp_a == h->things[a].stamp && t->stamp_b == h->things[b].stamp;
}

static const test_answer *truth_of(history *h, uint32_t a, uint32_t b, grz_inside_rule rule)
{
    truth *t = &h->truths[rule][a][b];
    const truth *other = &h->truths[rule == GRZ_EVEN_ODD ? GRZ_NONZERO : GRZ_EVEN_ODD][a][b];
    thing *x = &h->things[a], *y = &h->things[b];
    if (holds(h, a, b, t))
        return &t->answer;
    if (holds(h, a, b, other) && other->answer.summary.relation == GRZ_COLLIDING) // nobody is inside by any rule
        return &other->answer;
    if (t->known)
        test_answer_finish(&t->answer);
    *t = (truth){.known = true, .stamp_a = x->stamp, .stamp_b = y->stamp};
    t->answer = ask_alone(&h->bodies[x->body], &x->object.pose, &h->bodies[y->body], &y->object.pose, rule);
    return &t->answer;
}

static bool passes(const history *h, uint32_t a, uint32_t b)
{
    return h->gate.open || (h->gate.refused >> (a * OBJECTS + b) & 1) == 0;
}

static bool groups_allow(const history *h, uint32_t a, uint32_t b)
{
    const grz_object *x = &h->things[a].object, *y = &h->things[b].object;
    return h->things[a].used && h->things[b].used && (x->group & y->mask) != 0 && (y->group & x->mask) != 0;
}

static bool is_asked(const history *h, uint32_t a, uint32_t b, uint32_t find)
{
    return groups_allow(h, a, b) && passes(h, a, b) &&
           ((find & GRZ_FIND_CHANGED) == 0 || h->things[a].changed || h->things[b].changed);
}

static bool filter(uint32_t a, const grz_object *object_a, uint32_t b, const grz_object *object_b, void *user)
{
    history *h = user;
    gate *g = &h->gate;
    FUZZ_REQUIRE(a < b && b < OBJECTS && (g->calls == 0 || a > g->last_a || (a == g->last_a && b > g->last_b)));
    FUZZ_REQUIRE(groups_allow(h, a, b));
    FUZZ_REQUIRE(object_a == grz_scene_object(h->scene, a) && object_b == grz_scene_object(h->scene, b));
    g->last_a = a;
    g->last_b = b;
    if (g->calls++ == g->stop_after)
        g->cancel = 1;
    return passes(h, a, b);
}

static void progress(double share, void *user)
{
    gate *g = user;
    FUZZ_REQUIRE(share >= 0.0 && share <= 1.0);
    if (g->calls++ == g->stop_after)
        g->cancel = 1;
}

// Bodies.

// Exponents far apart make the exact predicates slow. fuzz_collide tests them, so only few meshes keep them here.
static void tame(double *positions, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        int exponent;
        (void)frexp(positions[i], &exponent);
        if (exponent < -30 || exponent > 30)
            positions[i] = (double)(exponent % 5);
    }
}

// Closed and almost closed meshes, which may contain each other by one rule or both.
static test_mesh vessel(uint8_t kind)
{
    test_mesh mesh = test_mesh_cube(-4.0, -4.0, -4.0, 8.0);
    switch (kind) {
    case 0: // two shells wound alike: what is in both is inside by one rule only
        test_mesh_take(&mesh, test_mesh_cube(-2.0, -2.0, -2.0, 4.0));
        break;
    case 1: // one face turned over: closed, and not oriented
        for (int i = 0; i < 2; i++) {
            const uint32_t first = mesh.indices[3 * i];
            mesh.indices[3 * i] = mesh.indices[3 * i + 1];
            mesh.indices[3 * i + 1] = first;
        }
        break;
    case 2: // no lid
        mesh.face_count -= 2;
        mesh.index_count -= 6;
        break;
    case 3: // one small part in the middle, one far out
        test_mesh_finish(&mesh);
        mesh = test_mesh_cube(-0.5, -0.5, -0.5, 1.0);
        test_mesh_take(&mesh, test_mesh_cube(6.0, 0.0, 0.0, 1.0));
        break;
    default:
        test_mesh_scale(&mesh, kind == 4 ? 1.0 : 0.125, 0.125, 0.125);
        break;
    }
    return mesh;
}

static void draw_body(history *h, body *b)
{
    const uint8_t kind = fuzz_byte(h->in);
    const body *other = &h->bodies[kind / 2 % BODIES];
    const uint8_t source = kind / 16; // up to 8: drawn; 9: drawn and wild; from 10 on: a vessel
    *b = (body){.flags = kind & 1 ? GRZ_MESH_INDEX_ONLY : GRZ_MESH_FAST_BUILD, .ours = true};
    const test_mesh *near = other != b && other->mesh.face_count > 0 ? &other->mesh : NULL;
    test_mesh mesh = source < 10 ? fuzz_mesh_up_to(h->in, near, MOST_TRIANGLES) : vessel(source - 10);
    if (source < 9)
        tame(mesh.positions, 3 * mesh.vertex_count);
    b->mesh = mesh;
    b->before = calloc(3 * (size_t)mesh.vertex_count + 1, sizeof *b->before);
    FUZZ_REQUIRE(b->before != NULL);
    memcpy(b->before, mesh.positions, 3 * (size_t)mesh.vertex_count * sizeof *b->before);
    b->uploaded = test_mesh_upload_flags(device, &mesh, b->flags);
}

// Free a body that neither the scene nor the caller uses.
static void let_go(body *b)
{
    if (b->ours || b->users > 0)
        return;
    grz_mesh_destroy(b->fresh);
    test_mesh_finish(&b->mesh);
    free(b->before);
    *b = (body){.users = 0};
}

// A body; a new one if the slot was free.
static uint32_t some_body(history *h)
{
    const uint32_t index = fuzz_below(h->in, BODIES);
    if (h->bodies[index].mesh.face_count == 0)
        draw_body(h, &h->bodies[index]);
    return index;
}

static void touch(history *h, thing *t)
{
    t->changed = true;
    t->stamp = ++h->now;
}

static void deform(history *h)
{
    const uint32_t index = some_body(h);
    body *b = &h->bodies[index];
    grz_error error = {.code = GRZ_OK};
    if (!b->ours)
        return;
    const body *other = &h->bodies[fuzz_below(h->in, BODIES)];
    double *moved = fuzz_moved(h->in, &b->mesh, other->mesh.face_count > 0 ? &other->mesh : NULL);
    const uint8_t spoil = fuzz_byte(h->in);
    if (spoil % 8 != 7)
        tame(moved, 3 * b->mesh.vertex_count);
    const bool bad = spoil % 16 == 15;
    if (bad)
        moved[spoil / 16 % (3 * b->mesh.vertex_count)] = spoil & 16 ? HUGE_VAL : (double)NAN;
    const bool starved = maybe_starve(h);
    const grz_status status = grz_mesh_set_positions(b->uploaded, moved, &error);
    if (ended_well(status, &error, bad ? GRZ_ERROR_MESH : GRZ_OK, starved)) {
        memcpy(b->mesh.positions, moved, 3 * (size_t)b->mesh.vertex_count * sizeof *moved);
        grz_mesh_destroy(b->fresh);
        b->fresh = NULL;
        for (uint32_t id = 0; id < OBJECTS; id++)
            if (h->things[id].used && h->things[id].body == index)
                touch(h, &h->things[id]);
    }
    free(moved);
}

// Destroy the caller's reference only: objects of the scene keep the mesh.
static void destroy_mesh(history *h)
{
    body *b = &h->bodies[fuzz_below(h->in, BODIES)];
    if (!b->ours)
        return;
    grz_mesh_destroy(b->uploaded);
    b->ours = false;
    let_go(b);
}

static void prepare(history *h)
{
    body *b = &h->bodies[some_body(h)];
    grz_error error = {.code = GRZ_OK};
    const char *method = test_exact_method(fuzz_below(h->in, 3));
    const bool starved = maybe_starve(h);
    const grz_status status = grz_mesh_prepare(b->uploaded, method, &error);
    (void)ended_well(status, &error, GRZ_OK, starved);
}

// Objects.

static uint32_t some_group(fuzz_input *in)
{
    static const uint32_t groups[] = {1, 1, 1, 2, 3, UINT32_C(0x80000000), 0, UINT32_MAX};
    return groups[fuzz_below(in, 8)];
}

static uint32_t some_mask(fuzz_input *in)
{
    static const uint32_t masks[] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, 1, 2, UINT32_C(0x80000001), 0};
    return masks[fuzz_below(in, 8)];
}

static void add(history *h)
{
    const uint8_t kind = fuzz_byte(h->in);
    const uint32_t copied = kind / 4 % OBJECTS;
    uint32_t expected = 0, id = UINT32_MAX;
    grz_error error = {.code = GRZ_OK};
    thing t = {.used = true};
    while (expected < OBJECTS && h->things[expected].used)
        expected++;
    if (expected == OBJECTS)
        return;
    if (kind % 4 == 3 && h->things[copied].used) { // an object once more
        t = h->things[copied];
    } else {
        t.body = some_body(h);
        t.object = grz_object_at_origin(h->bodies[t.body].uploaded);
        t.object.pose = fuzz_pose(h->in);
        t.object.user = &h->bodies[kind % BODIES];
        t.object.group = kind % 4 == 0 ? some_group(h->in) : 1;
        t.object.mask = kind % 4 == 0 ? some_mask(h->in) : UINT32_MAX;
    }
    const bool good = accepts(&h->bodies[t.body], &t.object.pose), starved = maybe_starve(h);
    const bool zeroed = t.object.group == 0 && t.object.mask == 0;
    const grz_status status = grz_scene_add(h->scene, &t.object, &id, &error);
    if (!ended_well(status, &error, zeroed ? GRZ_ERROR_ARGUMENT : good ? GRZ_OK : GRZ_ERROR_POSE, starved) || zeroed)
        return;
    FUZZ_REQUIRE(id == expected);
    h->things[id] = t;
    h->bodies[t.body].users++;
    touch(h, &h->things[id]);
}

static void take_out(history *h)
{
    const uint32_t id = fuzz_below(h->in, OBJECTS);
    thing *t = &h->things[id];
    grz_error error = {.code = GRZ_OK};
    const bool starved = maybe_starve(h);
    const grz_status status = grz_scene_remove(h->scene, id, &error);
    if (!ended_well(status, &error, t->used ? GRZ_OK : GRZ_ERROR_ARGUMENT, starved))
        return;
    h->bodies[t->body].users--;
    let_go(&h->bodies[t->body]);
    *t = (thing){.used = false};
}

static void move(history *h)
{
    const uint32_t id = fuzz_below(h->in, OBJECTS);
    thing *t = &h->things[id];
    grz_error error = {.code = GRZ_OK};
    const grz_pose pose = fuzz_pose(h->in);
    const grz_status wrong = !t->used                               ? GRZ_ERROR_ARGUMENT
                             : !accepts(&h->bodies[t->body], &pose) ? GRZ_ERROR_POSE
                                                                    : GRZ_OK;
    const bool starved = maybe_starve(h);
    const grz_status status = grz_scene_set_pose(h->scene, id, &pose, &error);
    // The same pose again is no change.
    if (!ended_well(status, &error, wrong, starved) || memcmp(&pose, &t->object.pose, sizeof pose) == 0)
        return;
    t->object.pose = pose;
    touch(h, t);
}

static void regroup(history *h)
{
    const uint32_t id = fuzz_below(h->in, OBJECTS), group = some_group(h->in), mask = some_mask(h->in);
    thing *t = &h->things[id];
    grz_error error = {.code = GRZ_OK};
    const bool starved = maybe_starve(h);
    const grz_status status = grz_scene_set_groups(h->scene, id, group, mask, &error);
    if (!ended_well(status, &error, t->used ? GRZ_OK : GRZ_ERROR_ARGUMENT, starved))
        return;
    t->changed = t->changed || t->object.group != group || t->object.mask != mask;
    t->object.group = group;
    t->object.mask = mask;
}

static void set_filter(history *h)
{
    const uint8_t kind = fuzz_byte(h->in);
    h->gate.open = kind % 4 == 0;
    h->gate.refused = kind % 4 == 1 ? 0 : kind % 4 == 2 ? UINT64_MAX : fuzz_bits(h->in, 7);
    FUZZ_REQUIRE(grz_scene_set_filter(h->scene, h->gate.open ? NULL : filter, h, NULL) == GRZ_OK);
}

// Queries.

// Why a query may fail, besides a bad pose.
typedef struct trouble {
    bool starved, limited_memory, late, cancelled, may_be_cancelled;
} trouble;

static trouble draw_trouble(history *h, grz_collide_options *options)
{
    const uint8_t kind = fuzz_byte(h->in);
    trouble t = {.starved = false};
    h->gate.stop_after = -1;
    h->gate.calls = 0;
    h->gate.cancel = 0;
    switch (kind % 16) {
    case 10:
        options->max_pairs = kind / 16;
        break;
    case 11:
        h->gate.cancel = 1;
        options->limits.cancel = &h->gate.cancel;
        t.cancelled = true;
        break;
    case 12: // by the filter, or by the callback of the progress
        h->gate.stop_after = kind / 16;
        options->limits.cancel = &h->gate.cancel;
        if (h->gate.open) {
            options->limits.progress = progress;
            options->limits.progress_user = &h->gate;
        }
        t.may_be_cancelled = true;
        break;
    case 13:
        options->limits.deadline = 1e-12;
        t.late = true;
        break;
    case 14:
        options->limits.memory_limit = 1 + 8 * fuzz_bits(h->in, 2);
        t.limited_memory = true;
        break;
    case 15:
        memory.left = kind & 128 ? fuzz_byte(h->in) : kind / 16;
        t.starved = true;
        break;
    default:
        break;
    }
    return t;
}

static grz_collide_options draw_options(history *h)
{
    grz_collide_options options = grz_default_collide_options();
    const uint8_t kind = fuzz_byte(h->in);
    options.find = kind & 31;
    options.inside_rule = kind & 32 ? GRZ_NONZERO : GRZ_EVEN_ODD;
    options.method = test_exact_method(kind / 64); // NULL past the last
    return options;
}

// True if a query may end with this status. The caller judges GRZ_OK and GRZ_ERROR_LIMIT.
static void require_reason(grz_status status, const trouble *t)
{
    switch (status) {
    case GRZ_ERROR_MEMORY:
        FUZZ_REQUIRE(t->starved || t->limited_memory);
        break;
    case GRZ_ERROR_CANCELLED:
        FUZZ_REQUIRE(t->cancelled || t->may_be_cancelled);
        break;
    case GRZ_ERROR_DEADLINE:
        FUZZ_REQUIRE(t->late);
        break;
    default:
        FUZZ_REQUIRE(status == GRZ_OK || status == GRZ_ERROR_LIMIT);
        FUZZ_REQUIRE(!t->cancelled && !t->late);
        break;
    }
}

// The first object whose pose is no longer valid for its mesh; OBJECTS if there is none.
static uint32_t first_outgrown(history *h)
{
    uint32_t id = 0;
    while (id < OBJECTS && (!h->things[id].used || accepts(&h->bodies[h->things[id].body], &h->things[id].object.pose)))
        id++;
    return id;
}

// After a failed query the lists are empty, and the summary says "colliding" only if something touches.
static void check_failure(grz_status status, bool may_touch)
{
    const grz_summary *s = grz_result_summary(result);
    uint64_t parts, pairs, contacts, points, curves;
    grz_result_scene_pairs(result, &parts);
    grz_result_pairs(result, &pairs);
    grz_result_contacts(result, &contacts);
    grz_result_points(result, &points);
    grz_result_curves(result, &curves);
    FUZZ_REQUIRE(parts == 0 && pairs == 0 && contacts == 0 && points == 0 && curves == 0);
    FUZZ_REQUIRE(s->pair_count == 0 && !s->has_region && !s->pairs_complete);
    FUZZ_REQUIRE((s->certainty == GRZ_EXACT) == (s->relation == GRZ_COLLIDING) &&
                 s->colliding == (s->relation != GRZ_APART));
    FUZZ_REQUIRE(s->certainty == (s->relation == GRZ_COLLIDING ? GRZ_EXACT : GRZ_UNDECIDED));
    FUZZ_REQUIRE(s->relation != GRZ_COLLIDING || may_touch);
    FUZZ_REQUIRE(status != GRZ_ERROR_LIMIT || s->relation == GRZ_COLLIDING);
}

// The answer that the scene must give, pair by pair.
static void check_scene(history *h, const grz_collide_options *options)
{
    test_scene_check check = test_scene_check_begin(result, options->find);
    for (uint32_t a = 0; a < OBJECTS; a++)
        for (uint32_t b = a + 1; b < OBJECTS; b++)
            if (is_asked(h, a, b, options->find))
                FUZZ_REQUIRE(test_scene_check_pair(&check, a, b, truth_of(h, a, b, options->inside_rule)));
    FUZZ_REQUIRE(test_scene_check_end(&check));
}

static void ask_scene(history *h)
{
    grz_collide_options options = draw_options(h);
    uint64_t face_pairs = 0;
    bool touching = false;
    grz_error error = {.code = GRZ_OK};
    const uint32_t outgrown = first_outgrown(h);
    for (uint32_t a = 0; a < OBJECTS && outgrown == OBJECTS; a++) {
        for (uint32_t b = a + 1; b < OBJECTS; b++) {
            if (!is_asked(h, a, b, options.find))
                continue;
            const test_answer *answer = truth_of(h, a, b, options.inside_rule);
            touching = touching || answer->summary.relation == GRZ_COLLIDING;
            face_pairs += answer->pair_count;
        }
    }
    const trouble t = draw_trouble(h, &options);
    const grz_status status = grz_collide_scene(device, h->scene, &options, result, &error);
    plenty();
    FUZZ_REQUIRE(status == error.code && (status == GRZ_OK) == (error.message[0] == '\0'));
    if (outgrown < OBJECTS) {
        FUZZ_REQUIRE(status != GRZ_OK && status != GRZ_ERROR_LIMIT);
        FUZZ_REQUIRE(status != GRZ_ERROR_POSE || error.element == outgrown);
        if (status != GRZ_ERROR_POSE)
            require_reason(status, &t);
        check_failure(status, false);
        return;
    }
    const bool over = (options.find & TEST_FIND_LISTS) != 0 && face_pairs > options.max_pairs;
    require_reason(status, &t);
    FUZZ_REQUIRE(over ? status != GRZ_OK : status != GRZ_ERROR_LIMIT);
    if (status != GRZ_OK) {
        check_failure(status, touching);
        return;
    }
    check_scene(h, &options);
    for (uint32_t id = 0; id < OBJECTS; id++)
        h->things[id].changed = false;
}

// Query two of the scene's own meshes alone, with their refitted trees.
static void ask_pair(history *h)
{
    body *a = &h->bodies[some_body(h)], *b = &h->bodies[some_body(h)];
    grz_collide_options options = draw_options(h);
    grz_object object_a = grz_object_at_origin(a->uploaded), object_b = grz_object_at_origin(b->uploaded);
    object_a.pose = fuzz_pose(h->in);
    object_b.pose = fuzz_pose(h->in);
    if (!accepts(a, &object_a.pose) || !accepts(b, &object_b.pose))
        return;
    options.find &= TEST_FIND_ALL;
    FUZZ_REQUIRE(grz_collide(device, &object_a, &object_b, &options, result, NULL) == GRZ_OK);
    test_answer answer = test_answer_of(result),
                all = ask_alone(a, &object_a.pose, b, &object_b.pose, options.inside_rule);
    const test_answer expected = test_answer_reduced(&all, options.find);
    FUZZ_REQUIRE(test_answers_equal("a pair with a past", &answer, &expected));
    test_answer_finish(&answer);
    test_answer_finish(&all);
}

// One answer of a batch. `over`: it has more pairs than are allowed.
static void check_pose_answer(const grz_pose_answer *answer, const test_answer *expected, bool over)
{
    const grz_summary *s = &expected->summary;
    FUZZ_REQUIRE(answer->relation == s->relation && answer->colliding == s->colliding &&
                 answer->containment == s->containment);
    FUZZ_REQUIRE(answer->pairs_complete == (s->pairs_complete && !over));
    FUZZ_REQUIRE(over ||
                 (answer->pair_count == s->pair_count && memcmp(answer->kinds, s->kinds, sizeof s->kinds) == 0));
}

static void ask_batch(history *h)
{
    body *a = &h->bodies[some_body(h)], *b = &h->bodies[some_body(h)];
    grz_collide_options options = draw_options(h);
    grz_object object = grz_object_at_origin(a->uploaded);
    grz_pose poses[MOST_POSES];
    grz_pose_answer answers[MOST_POSES + 1];
    grz_error error = {.code = GRZ_OK};
    uint64_t bad = GRZ_NO_ELEMENT, limited = GRZ_NO_ELEMENT;
    options.find &= GRZ_FIND_PAIRS | GRZ_FIND_CONTAINMENT;
    object.pose = fuzz_pose(h->in);
    const uint32_t count = fuzz_below(h->in, MOST_POSES + 1);
    for (uint32_t i = 0; i < count; i++) {
        poses[i] = fuzz_pose(h->in);
        bad = bad == GRZ_NO_ELEMENT && !accepts(b, &poses[i]) ? i : bad;
    }
    const bool bad_object = !accepts(a, &object.pose);
    memset(answers, 0x5a, sizeof answers);
    const grz_pose_answer untouched = answers[count];
    const trouble t = draw_trouble(h, &options);
    const grz_status status = grz_collide_poses(device, &object, b->uploaded, poses, count, &options, answers, &error);
    plenty();
    FUZZ_REQUIRE(status == error.code && (status == GRZ_OK) == (error.message[0] == '\0'));
    FUZZ_REQUIRE(memcmp(&answers[count], &untouched, sizeof untouched) == 0);
    if (bad_object || bad != GRZ_NO_ELEMENT) {
        FUZZ_REQUIRE(status == GRZ_ERROR_POSE ? bad_object || error.element == bad
                                              : status == GRZ_ERROR_MEMORY && t.starved);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        FUZZ_REQUIRE(answers[i].certainty == GRZ_EXACT || (status != GRZ_OK && status != GRZ_ERROR_LIMIT));
        if (answers[i].certainty != GRZ_EXACT)
            continue;
        test_answer all = ask_alone(a, &object.pose, b, &poses[i], options.inside_rule);
        const test_answer expected = test_answer_reduced(&all, options.find);
        const bool over = expected.pair_count > options.max_pairs;
        check_pose_answer(&answers[i], &expected, over);
        limited = over && limited == GRZ_NO_ELEMENT ? i : limited;
        test_answer_finish(&all);
    }
    // A batch without poses cannot pass its deadline.
    if (status == GRZ_OK || status == GRZ_ERROR_LIMIT) {
        FUZZ_REQUIRE(count == 0 || (!t.cancelled && !t.late));
        FUZZ_REQUIRE(limited == GRZ_NO_ELEMENT ? status == GRZ_OK
                                               : status == GRZ_ERROR_LIMIT && error.element == limited);
    } else {
        require_reason(status, &t);
    }
}

// The scene must hold exactly the objects that were added, as they were given.
static void check_objects(const history *h)
{
    uint64_t count = 0;
    for (uint32_t id = 0; id <= OBJECTS; id++) {
        const grz_object *object = grz_scene_object(h->scene, id);
        FUZZ_REQUIRE((object != NULL) == (id < OBJECTS && h->things[id].used));
        if (object == NULL)
            continue;
        const grz_object *known = &h->things[id].object;
        FUZZ_REQUIRE(object->mesh == known->mesh && object->user == known->user && object->group == known->group &&
                     object->mask == known->mask && memcmp(&object->pose, &known->pose, sizeof known->pose) == 0);
        count++;
    }
    FUZZ_REQUIRE(grz_scene_object_count(h->scene) == count);
}

static void step(history *h)
{
    static void (*const steps[])(history *) = {
        add,        add,     add,      move,     move,      move,         take_out,  regroup,   deform,    deform,
        set_filter, prepare, ask_pair, ask_pair, ask_batch, destroy_mesh, ask_scene, ask_scene, ask_scene, ask_scene};
    steps[fuzz_below(h->in, sizeof steps / sizeof *steps)](h);
    check_objects(h);
}

static void finish(history *h, bool scene_first)
{
    if (scene_first)
        grz_scene_destroy(h->scene);
    for (int i = 0; i < BODIES; i++) {
        if (h->bodies[i].ours)
            grz_mesh_destroy(h->bodies[i].uploaded);
        h->bodies[i].ours = false;
        h->bodies[i].users = 0;
        let_go(&h->bodies[i]);
    }
    if (!scene_first)
        grz_scene_destroy(h->scene);
    for (int rule = 0; rule < RULES; rule++)
        for (int i = 0; i < OBJECTS * OBJECTS; i++)
            if (h->truths[rule][i / OBJECTS][i % OBJECTS].known)
                test_answer_finish(&h->truths[rule][i / OBJECTS][i % OBJECTS].answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    static history h;
    open_devices();
    const int64_t before = memory.live;
    h = (history){.in = &in, .gate = {.open = true}};
    const uint8_t kind = fuzz_byte(&in);
    result = test_result_create(device);
    FUZZ_REQUIRE(grz_scene_create(device, &h.scene, NULL) == GRZ_OK);
    for (int i = 0; i < 2 + kind % 4; i++)
        add(&h);
    for (int steps = 0; in.size > 0 && steps < MOST_STEPS; steps++)
        step(&h);
    ask_scene(&h);
    finish(&h, (kind & 128) != 0);
    grz_result_destroy(result);
    FUZZ_REQUIRE(memory.live == before);
    return 0;
}
