// SPDX-License-Identifier: MIT
// Fuzzes the methods that work through OpenGL: meshes and poses from the bytes, as in fuzz_collide, before and after
// moving vertices. Every method must give the bytes of `bvh`, with leaf boxes of any size, for a pair and for a scene
// with a reference object; discrete answers must be labelled, and their lists and numbers sound, those of `heightmap`
// for any of its options. Without OpenGL it skips.
#include <math.h>

#include <graze/gl.h>

#include "support_fuzz_queries.h"
#include "support_fuzz_shapes.h"
#include "support_gl.h"
#include "support_statistics.h"

#ifdef GRZ_HAVE_GL
#include "image/grid/voxel_grid.h"

enum {
    SKIPPED = 77,
    METHODS = 4,
    TAIL = 5 // bytes
};

static grz_device *device;
static grz_result *result;

static void open_device(void)
{
    if (device != NULL)
        return;
    if (!test_gl_is_here())
        exit(SKIPPED);
    device = test_gl_device_open();
    result = test_result_create(device);
}

// What is asked of a pair.
typedef struct question {
    grz_object a, b;
    uint32_t max_faces; // of a leaf
    double thickness;
    bool shaders_try; // pairs, by determinants
    grz_heightmap_options heightmap;
} question;

static grz_status ask(const question *q, const char *method, grz_answer answer, uint64_t reference, bool scene,
                      grz_error *error)
{
    grz_collide_options options = grz_default_collide_options();
    grz_selection_options selection = grz_default_selection_options();
    const bool mapped = strcmp(method, "heightmap") == 0;
    const grz_method_options own = {.method = mapped ? "heightmap" : "selection",
                                    .options = mapped ? (const void *)&q->heightmap : &selection};
    grz_status status = GRZ_OK;
    selection.max_faces = q->max_faces;
    selection.thickness = q->thickness;
    options.method = method;
    options.answer = answer;
    options.find = answer == GRZ_ANSWER_EXACT ? FUZZ_FIND_ALL : GRZ_FIND_PAIRS;
    options.method_options = &own;
    options.reference = reference;
    FUZZ_REQUIRE(grz_grid_limit_pairs(device, q->shaders_try ? 1 << 16 : 0, NULL) == GRZ_OK);
    if (!scene)
        return grz_collide(device, &q->a, &q->b, &options, result, error);
    grz_scene *objects;
    uint32_t id;
    FUZZ_REQUIRE(grz_scene_create(device, &objects, NULL) == GRZ_OK);
    status = grz_scene_add(objects, &q->a, &id, error);
    if (status == GRZ_OK)
        status = grz_scene_add(objects, &q->b, &id, error);
    if (status == GRZ_OK)
        status = grz_collide_scene(device, objects, &options, result, error);
    grz_scene_destroy(objects);
    return status;
}

// The lists of a discrete answer: sorted, each pair once, faces that exist.
static void require_sound_lists(const question *q)
{
    const grz_summary *s = grz_result_summary(result);
    uint64_t count;
    const grz_pair *pairs = grz_result_pairs(result, &count);
    FUZZ_REQUIRE(s->certainty == GRZ_DISCRETE && s->may_miss && !s->pairs_complete);
    FUZZ_REQUIRE(count == s->pair_count && s->colliding == (s->relation == GRZ_COLLIDING));
    for (uint64_t i = 0; i < count; i++) {
        FUZZ_REQUIRE(pairs[i].face_a < grz_mesh_face_count(q->a.mesh) &&
                     pairs[i].face_b < grz_mesh_face_count(q->b.mesh));
        FUZZ_REQUIRE(i == 0 || pairs[i - 1].face_a < pairs[i].face_a ||
                     (pairs[i - 1].face_a == pairs[i].face_a && pairs[i - 1].face_b < pairs[i].face_b));
    }
}

// What `heightmap` counted, and where it found a collision. No map is compared where the boxes are apart.
static void require_sound_maps(const grz_heightmap_options *options)
{
    test_statistics s;
    uint64_t count, cells = 0;
    const grz_collision_box *volumes = grz_result_collision_boxes(result, &count);
    const bool two = options->projection == GRZ_PROJECTION_OPPOSITE || options->projection == GRZ_PROJECTION_COMBINED;
    FUZZ_REQUIRE(test_statistics_read(result, "heightmap", &s) && s.resolution == options->resolution);
    FUZZ_REQUIRE(s.maps <= (two ? 2u : 1u) && (options->projection != GRZ_PROJECTION_COMBINED || s.maps != 1));
    FUZZ_REQUIRE(s.hits <= s.pixels && s.pixels <= s.maps * (uint64_t)s.resolution * s.resolution);
    FUZZ_REQUIRE((s.maps == 0) == (s.pixels == 0));
    FUZZ_REQUIRE(grz_result_summary(result)->colliding == (s.hits > 0));
    FUZZ_REQUIRE(count <= s.maps && (count > 0) == (s.hits > 0));
    for (uint64_t i = 0; i < count; i++)
        cells += volumes[i].cells;
    FUZZ_REQUIRE(cells == s.hits);
}

static void check_discrete(const question *q)
{
    static const char *const methods[] = {"slices", "layers", "selection", "heightmap"};
    for (int i = 0; i < METHODS; i++) {
        grz_error error = {.code = GRZ_OK};
        const bool mapped = i == METHODS - 1;
        const grz_status status = ask(q, methods[i], GRZ_ANSWER_DISCRETE, GRZ_ALL_OBJECTS, false, &error);
        FUZZ_REQUIRE(status == GRZ_OK || status == GRZ_ERROR_UNSUPPORTED || (mapped && status == GRZ_ERROR_POSE));
        if (status == GRZ_OK)
            require_sound_lists(q);
        if (status == GRZ_OK && mapped)
            require_sound_maps(&q->heightmap);
        if (status == GRZ_ERROR_UNSUPPORTED && mapped)
            FUZZ_REQUIRE(strstr(error.message, "covers none of") != NULL ||
                         strstr(error.message, "has no thickness") != NULL);
    }
}

static void check(const question *q)
{
    static const char *const methods[] = {"slices", "layers", "selection", "heightmap"};
    grz_error first = {.code = GRZ_OK}, error;
    const grz_status status = ask(q, "bvh", GRZ_ANSWER_EXACT, GRZ_ALL_OBJECTS, false, &first);
    test_answer plain = {.pair_count = 0};
    if (status == GRZ_OK)
        plain = test_answer_of(result);
    for (int i = 0; i < METHODS; i++) {
        FUZZ_REQUIRE(ask(q, methods[i], GRZ_ANSWER_EXACT, GRZ_ALL_OBJECTS, false, &error) == status);
        if (status != GRZ_OK)
            continue;
        test_answer other = test_answer_of(result);
        FUZZ_REQUIRE(test_answers_equal(methods[i], &plain, &other));
        test_answer_finish(&other);
    }
    for (uint64_t reference = 0; reference < 2 && status == GRZ_OK; reference++) {
        FUZZ_REQUIRE(ask(q, "selection", GRZ_ANSWER_EXACT, reference, true, &error) == GRZ_OK);
        uint64_t count;
        const grz_pair *pairs = grz_result_pairs(result, &count);
        FUZZ_REQUIRE(count == plain.pair_count);
        FUZZ_REQUIRE(count == 0 || memcmp(pairs, plain.pairs, count * sizeof *pairs) == 0);
    }
    if (status != GRZ_OK)
        return;
    test_answer_finish(&plain);
    check_discrete(q);
}

// All positions times a power of two.
static void scale(test_mesh meshes[2], uint8_t kind)
{
    static const int exponents[] = {0, 0, 0, 0, 0, 0, 0, 290, 100, -100, -500, -1060};
    const double factor = ldexp(1.0, exponents[kind % 12]);
    for (int i = 0; i < 2; i++)
        for (uint64_t k = 0; k < 3 * meshes[i].vertex_count; k++) {
            const double x = meshes[i].positions[k] * factor;
            meshes[i].positions[k] = fabs(x) <= GRZ_MAX_COORDINATE ? x : meshes[i].positions[k];
        }
}

// Valid options from the last bytes of an input. The meshes and poses may have these bytes, too.
static grz_heightmap_options heightmap_options(const uint8_t *data, size_t size)
{
    fuzz_input in = size > TAIL ? (fuzz_input){data + size - TAIL, TAIL} : (fuzz_input){data, size};
    grz_heightmap_options options = grz_default_heightmap_options();
    options.resolution = 1 + fuzz_below(&in, 64);
    const uint8_t kind = fuzz_byte(&in);
    options.projection = (grz_projection)(kind % 5);
    options.stencil = (kind & 0x20) != 0;
    options.both_sides = (kind & 0x40) != 0;
    options.has_direction = (kind & 0x80) != 0;
    for (int j = 0; j < 3; j++)
        options.direction[j] = (int8_t)fuzz_byte(&in);
    if (options.direction[0] == 0.0 && options.direction[1] == 0.0 && options.direction[2] == 0.0)
        options.direction[2] = 1.0;
    return options;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t sizes[] = {1, 2, 5, GRZ_SELECTION_AUTOMATIC};
    fuzz_input in = {data, size};
    test_mesh meshes[2];
    grz_mesh *uploaded[2];
    open_device();
    const uint8_t kind = fuzz_byte(&in);
    for (int i = 0; i < 2; i++)
        meshes[i] = fuzz_mesh(&in, i == 0 ? NULL : &meshes[0]);
    scale(meshes, kind);
    question q = {.max_faces = sizes[kind >> 6],
                  .thickness = (kind & 32) != 0 ? 0.001 : 0.5,
                  .shaders_try = (kind & 16) != 0,
                  .heightmap = heightmap_options(data, size)};
    for (int i = 0; i < 2; i++) {
        uploaded[i] = test_mesh_upload_flags(device, &meshes[i], 0);
        *(i == 0 ? &q.a : &q.b) = grz_object_at(uploaded[i], fuzz_pose(&in));
    }
    check(&q);
    if (in.size > 0) {
        double *moved = fuzz_moved(&in, &meshes[0], &meshes[1]);
        FUZZ_REQUIRE(grz_mesh_set_positions(uploaded[0], moved, NULL) == GRZ_OK);
        free(moved);
        check(&q);
    }
    for (int i = 0; i < 2; i++) {
        grz_mesh_destroy(uploaded[i]);
        test_mesh_finish(&meshes[i]);
    }
    return 0;
}
#else
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    (void)data, (void)size;
    return 0;
}
#endif
