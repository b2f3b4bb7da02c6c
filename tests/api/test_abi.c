// SPDX-License-Identifier: MIT
// Structures of options may be smaller or larger than this version's, because a program may be compiled with an older
// or a newer header. The structures of 0.3 (abi_0_3.h) give the same answers; missing members take their defaults;
// unknown members must be zero. Every structure lies in a block of exactly its size, so that the address sanitizer sees
// a read past its end.
#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/gl.h>

#include "abi_0_3.h"
#include "support_gl.h"
#include "support_queries.h"

// ---- Members stay where they are ------------------------------------------------------------------------------------

#define SAME(type, member)                                                                                             \
    static_assert(offsetof(grz_##type, member) == offsetof(abi_0_3_##type, member) &&                                  \
                      sizeof(((grz_##type *)0)->member) == sizeof(((abi_0_3_##type *)0)->member),                      \
                  #type "." #member);
#define GROWS(type) static_assert(sizeof(grz_##type) >= sizeof(abi_0_3_##type), #type);
#define STAYS(type) static_assert(sizeof(grz_##type) == sizeof(abi_0_3_##type), #type);

// NOLINTNEXTLINE(bugprone-sizeof-expression): some members are pointers
ABI_0_3(GROWS, STAYS, SAME)

// A structure that grows gets new members past the end of the oldest one of this soname. Inside of it only its padding
// is free, which old programs do not clear.

// ---- A block of any size --------------------------------------------------------------------------------------------

// A copy of a structure's first bytes in a block of `size` bytes, zeros past `known`, with its first member set to
// `size`.
static void *block_of(const void *options, size_t known, size_t size)
{
    unsigned char *block = calloc(1, size > sizeof size ? size : sizeof size);
    assert_non_null(block);
    memcpy(block, options, known < size ? known : size);
    memcpy(block, &size, sizeof size);
    return block;
}

#define BLOCK(options) block_of(&(options), sizeof(options), sizeof(options))

static grz_device *device;
static grz_mesh *cube;
static grz_result *result;
static grz_object object_a, object_b;
static bool has_gl;

static int open_fixture(void **state)
{
    (void)state;
    test_mesh quads = test_mesh_cube_quads(0.0, 0.0, 0.0, 1.0);
    has_gl = test_gl_is_here();
    device = has_gl ? test_gl_device_open() : test_device_open(2);
    cube = test_mesh_upload(device, &quads);
    result = test_result_create(device);
    object_a = object_b = grz_object_at_origin(cube);
    object_b.pose = grz_pose_from_translation(0.5, 0.25, 0.125);
    test_mesh_finish(&quads);
    return 0;
}

static int close_fixture(void **state)
{
    (void)state;
    grz_result_destroy(result);
    grz_mesh_destroy(cube);
    if (has_gl)
        test_gl_device_close(device);
    else
        grz_device_close(device);
    return 0;
}

// ---- Every call with a structure of some size -----------------------------------------------------------------------

static grz_status call_device(const void *options, grz_error *error)
{
    grz_device *opened = NULL;
    const grz_status status = grz_device_open(options, &opened, error);
    assert_int_equal(opened != NULL, status == GRZ_OK);
    grz_device_close(opened);
    return status;
}

static grz_status call_mesh(const void *description, grz_error *error)
{
    grz_mesh *mesh = NULL;
    const grz_status status = grz_mesh_create(device, description, &mesh, error);
    grz_mesh_destroy(mesh);
    return status;
}

static grz_status call_gl_mesh(const void *description, grz_error *error)
{
    grz_mesh *mesh = NULL;
    const grz_status status = grz_mesh_create_gl(device, description, &mesh, error);
    grz_mesh_destroy(mesh);
    return status;
}

static grz_status call_collide(const void *options, grz_error *error)
{
    return grz_collide(device, &object_a, &object_b, options, result, error);
}

static grz_status call_collide_self(const void *options, grz_error *error)
{
    return grz_collide_self(device, &object_a, options, result, error);
}

static grz_status call_collide_poses(const void *options, grz_error *error)
{
    grz_pose_answer answer;
    return grz_collide_poses(device, &object_a, cube, &object_b.pose, 1, options, &answer, error);
}

static grz_status call_collide_scene(const void *options, grz_error *error)
{
    grz_scene *scene = NULL;
    uint32_t id;
    assert_int_equal(grz_scene_create(device, &scene, NULL), GRZ_OK);
    assert_int_equal(grz_scene_add(scene, &object_a, &id, NULL), GRZ_OK);
    assert_int_equal(grz_scene_add(scene, &object_b, &id, NULL), GRZ_OK);
    const grz_status status = grz_collide_scene(device, scene, options, result, error);
    grz_scene_destroy(scene);
    return status;
}

static grz_status call_locate(const void *options, grz_error *error)
{
    const double point[3] = {0.5, 0.5, 0.5};
    grz_location location = GRZ_OUTSIDE;
    const grz_status status = grz_locate_points(device, &object_a, point, 1, options, &location, error);
    assert_int_equal(location, status == GRZ_OK ? GRZ_INSIDE : GRZ_LOCATION_UNKNOWN);
    return status;
}

static grz_status call_slices(const void *options, grz_error *error)
{
    const grz_method_options own = {.method = "slices", .options = options};
    grz_collide_options collide_options = grz_default_collide_options();
    collide_options.method = "slices";
    collide_options.answer = GRZ_ANSWER_DISCRETE;
    collide_options.method_options = options != NULL ? &own : NULL;
    return grz_collide(device, &object_a, &object_b, &collide_options, result, error);
}

static grz_status call_slices_path(const void *options, grz_error *error)
{
    grz_slices_path_answer answer;
    return grz_slices_path(device, cube, &object_a.pose, cube, &object_b.pose, 1, options, &answer, error);
}

static grz_status call_layers(const void *options, grz_error *error)
{
    const grz_method_options own = {.method = "layers", .options = options};
    grz_collide_options collide_options = grz_default_collide_options();
    collide_options.method = "layers";
    collide_options.answer = GRZ_ANSWER_DISCRETE;
    collide_options.method_options = options != NULL ? &own : NULL;
    return grz_collide(device, &object_a, &object_b, &collide_options, result, error);
}

static grz_status call_selection(const void *options, grz_error *error)
{
    const grz_method_options own = {.method = "selection", .options = options};
    grz_collide_options collide_options = grz_default_collide_options();
    collide_options.method = "selection";
    collide_options.answer = GRZ_ANSWER_DISCRETE;
    collide_options.method_options = &own;
    return grz_collide(device, &object_a, &object_b, &collide_options, result, error);
}

static grz_status call_heightmap(const void *options, grz_error *error)
{
    const grz_method_options own = {.method = "heightmap", .options = options};
    grz_collide_options collide_options = grz_default_collide_options();
    collide_options.method = "heightmap";
    collide_options.answer = GRZ_ANSWER_DISCRETE;
    collide_options.method_options = &own;
    return grz_collide(device, &object_a, &object_b, &collide_options, result, error);
}

static grz_status call_projections(const void *options, grz_error *error)
{
    const grz_mesh *pose = cube;
    grz_projections *found;
    const grz_status status = grz_projections_find(device, &pose, 1, options, &found, error);
    assert_true((found != NULL) == (status == GRZ_OK));
    grz_projections_destroy(found);
    return status;
}

static grz_status call_picture(const void *options, grz_error *error)
{
    static uint8_t pixels[4 * 1200 * 900];
    return grz_picture_draw(device, &object_a, 1, NULL, options, pixels, NULL, error);
}

// One call and the structure that it takes.
typedef struct subject {
    const char *name, *type; // of the call, and of the structure in error texts
    grz_status (*call)(const void *options, grz_error *error);
    bool gl;
    size_t size, least, step; // of the structure, of its first two members, from one size that is tried to the next
    grz_status expected;      // where the size is accepted: the defaults ask for no mesh
    union {
        grz_device_options device;
        grz_mesh_description mesh;
        grz_gl_mesh_description gl_mesh;
        grz_collide_options collide;
        grz_locate_options locate;
        grz_slices_options slices;
        grz_layers_options layers;
        grz_selection_options selection;
        grz_heightmap_options heightmap;
        grz_picture_options picture;
        grz_projections_options projections;
    } defaults;
} subject;

#define TAKES(noun, member, of_gl, every, status, ...)                                                                 \
    .type = "grz_" #noun, .gl = (of_gl), .size = sizeof(grz_##noun),                                                   \
    .least = offsetof(grz_##noun, member) + sizeof(((grz_##noun *)0)->member), .step = (every), .expected = (status),  \
    .defaults = {__VA_ARGS__}

enum {
    MOST_SUBJECTS = 16
};

static size_t list_subjects(subject subjects[MOST_SUBJECTS])
{
    const grz_collide_options collide = grz_default_collide_options();
    const grz_slices_options slices = grz_default_slices_options(GRZ_SLICES_BALANCED);
    const subject all[] = {
        {"device", .call = call_device,
         TAKES(device_options, threads, false, 1, GRZ_OK, .device = grz_default_device_options())},
        {"mesh", .call = call_mesh,
         TAKES(mesh_description, limits, false, 1, GRZ_ERROR_MESH, .mesh = grz_default_mesh_description())},
        {"gl mesh", .call = call_gl_mesh,
         TAKES(gl_mesh_description, position_buffer, true, 1, GRZ_ERROR_MESH,
               .gl_mesh = grz_default_gl_mesh_description())},
        {"collide", .call = call_collide, TAKES(collide_options, limits, false, 1, GRZ_OK, .collide = collide)},
        {"collide self", .call = call_collide_self,
         TAKES(collide_options, limits, false, 1, GRZ_OK, .collide = collide)},
        {"collide poses", .call = call_collide_poses,
         TAKES(collide_options, limits, false, 1, GRZ_OK, .collide = collide)},
        {"collide scene", .call = call_collide_scene,
         TAKES(collide_options, limits, false, 1, GRZ_OK, .collide = collide)},
        {"locate", .call = call_locate,
         TAKES(locate_options, limits, false, 1, GRZ_OK, .locate = grz_default_locate_options())},
        {"slices", .call = call_slices, TAKES(slices_options, resolution, true, 4, GRZ_OK, .slices = slices)},
        {"slices path", .call = call_slices_path,
         TAKES(slices_options, resolution, true, 12, GRZ_OK, .slices = slices)},
        {"layers", .call = call_layers,
         TAKES(layers_options, resolution, true, 4, GRZ_OK, .layers = grz_default_layers_options())},
        {"selection", .call = call_selection,
         TAKES(selection_options, max_faces, true, 4, GRZ_OK, .selection = grz_default_selection_options())},
        {"heightmap", .call = call_heightmap,
         TAKES(heightmap_options, resolution, true, 4, GRZ_OK, .heightmap = grz_default_heightmap_options())},
        {"picture", .call = call_picture,
         TAKES(picture_options, width, true, 60, GRZ_OK, .picture = grz_default_picture_options())},
        {"projections", .call = call_projections,
         TAKES(projections_options, limits, false, 12, GRZ_OK, .projections = grz_default_projections_options())},
    };
    memcpy(subjects, all, sizeof all);
    return sizeof all / sizeof *all;
}

// Call with a block of `size` bytes, of which the last is `last` where it is past this version's members.
static grz_status call_with(const subject *s, size_t size, unsigned char last, grz_error *error)
{
    unsigned char *block = block_of(&s->defaults, s->size, size);
    if (size > s->size)
        block[size - 1] = last;
    memset(error, 0, sizeof *error);
    const grz_status status = s->call(block, error);
    free(block);
    return status;
}

static void expect_accepted(const subject *s, size_t size)
{
    grz_error error;
    const grz_status status = call_with(s, size, 0, &error);
    if (status != s->expected || strstr(error.message, "size") != NULL)
        fail_msg("%s, %zu of %zu bytes: %s \"%s\", expected %s", s->name, size, s->size, grz_status_name(status),
                 error.message, grz_status_name(s->expected));
}

static void expect_refused(const subject *s, size_t size, grz_status status, const grz_error *error)
{
    if (status != GRZ_ERROR_ARGUMENT || strstr(error->message, s->type) == NULL ||
        strstr(error->message, ".size is ") == NULL)
        fail_msg("%s, %zu of %zu bytes: %s \"%s\", expected an error that names %s", s->name, size, s->size,
                 grz_status_name(status), error->message, s->type);
}

static void smaller_structures_are_accepted_down_to_the_first_member(void **state)
{
    (void)state;
    subject subjects[MOST_SUBJECTS];
    const size_t count = list_subjects(subjects);
    for (size_t i = 0; i < count; i++) {
        const subject *s = &subjects[i];
        grz_error error;
        if (s->gl && !has_gl)
            continue;
        for (size_t size = s->least; size < s->size; size += s->step)
            expect_accepted(s, size);
        expect_accepted(s, s->size);
        for (size_t size = 0; size < s->least; size++)
            expect_refused(s, size, call_with(s, size, 0, &error), &error);
    }
}

static void larger_structures_are_accepted_if_the_rest_is_zero(void **state)
{
    (void)state;
    subject subjects[MOST_SUBJECTS];
    const size_t count = list_subjects(subjects);
    for (size_t i = 0; i < count; i++) {
        const subject *s = &subjects[i];
        const size_t sizes[] = {s->size + 1, s->size + 8, 4096}, wild[] = {4097, SIZE_MAX};
        grz_error error;
        if (s->gl && !has_gl)
            continue;
        for (size_t k = 0; k < 3; k++) {
            if (k == 0 || s->step == 1)
                expect_accepted(s, sizes[k]);
            expect_refused(s, sizes[k], call_with(s, sizes[k], 1, &error), &error);
            assert_non_null(strstr(error.message, grz_version()));
        }
        for (size_t k = 0; k < 2; k++) { // no more than the first member is read
            unsigned char *block = block_of(&s->defaults, s->size, s->size);
            memcpy(block, &wild[k], sizeof *wild);
            memset(&error, 0, sizeof error);
            expect_refused(s, wild[k], s->call(block, &error), &error);
            free(block);
        }
    }
}

// ---- Defaults of missing members ------------------------------------------------------------------------------------

static void missing_members_take_their_defaults(void **state)
{
    (void)state;
    // Up to `find`: everything else, max_pairs among it, as grz_default_collide_options() has it.
    grz_collide_options collide_options = grz_default_collide_options();
    collide_options.method = "naive";
    collide_options.find = GRZ_FIND_CONTACTS;
    collide_options.max_pairs = 1; // is not in the block
    grz_collide_options *block =
        block_of(&collide_options, sizeof collide_options, offsetof(grz_collide_options, max_pairs));
    assert_int_equal(grz_collide(device, &object_a, &object_b, block, result, NULL), GRZ_OK);
    assert_true(grz_result_summary(result)->pair_count > 1);
    assert_string_equal(grz_result_summary(result)->method, "naive");
    free(block);
    block = block_of(&collide_options, sizeof collide_options, offsetof(grz_collide_options, inside_rule)); // now it is
    assert_int_equal(grz_collide(device, &object_a, &object_b, block, result, NULL), GRZ_ERROR_LIMIT);
    free(block);

    const uint32_t quads[24] = {0, 3, 2, 1, 4, 5, 6, 7, 0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7};
    const float corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                 {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    grz_mesh_description d = grz_default_mesh_description();
    grz_mesh *mesh;
    d.positions = corners;
    d.vertex_count = 8;
    d.indices = quads;
    d.index_count = 24;
    d.face_count = 8; // of three corners, the default, where corners_per_face is missing
    d.corners_per_face = 4;
    grz_mesh_description *part = block_of(&d, sizeof d, offsetof(grz_mesh_description, corner_counts));
    assert_int_equal(grz_mesh_create(device, part, &mesh, NULL), GRZ_OK);
    assert_int_equal(grz_mesh_triangle_count(mesh), 8);
    grz_mesh_destroy(mesh);
    free(part);
}

// ---- Structures of 0.3 ----------------------------------------------------------------------------------------------

// As grz_default_collide_options() of 0.3 had it.
static abi_0_3_collide_options old_collide_options(uint32_t find)
{
    return (abi_0_3_collide_options){.size = sizeof(abi_0_3_collide_options),
                                     .find = find,
                                     .max_pairs = UINT64_C(1) << 28,
                                     .reference = GRZ_ALL_OBJECTS};
}

static void a_device_and_a_mesh_of_0_3(void **state)
{
    (void)state;
    const double corners[4][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}};
    const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    abi_0_3_device_options options = {
        .size = sizeof options, .threads = 3, .renderer = GRZ_ANY_RENDERER, .kind = GRZ_DEVICE_CPU};
    abi_0_3_mesh_description d = {.size = sizeof d,
                                  .positions = corners,
                                  .position_type = GRZ_FLOAT64,
                                  .vertex_count = 4,
                                  .indices = faces,
                                  .index_count = 12,
                                  .face_count = 4,
                                  .corners_per_face = 3};
    void *device_block = BLOCK(options), *mesh_block = BLOCK(d);
    grz_device *opened = NULL;
    grz_mesh *mesh = NULL;
    bool closed = false;
    assert_int_equal(grz_device_open(device_block, &opened, NULL), GRZ_OK);
    assert_int_equal(grz_device_threads(opened), 3);
    assert_int_equal(grz_mesh_create(opened, mesh_block, &mesh, NULL), GRZ_OK);
    assert_int_equal(grz_mesh_face_count(mesh), 4);
    assert_int_equal(grz_mesh_is_closed(mesh, &closed, NULL), GRZ_OK);
    assert_true(closed);
    grz_mesh_destroy(mesh);
    grz_device_close(opened);
    free(device_block);
    free(mesh_block);
}

static void queries_of_0_3_give_the_same_answers(void **state)
{
    (void)state;
    static grz_status (*const calls[])(const void *options, grz_error *error) = {call_collide, call_collide_self,
                                                                                 call_collide_scene};
    for (uint32_t find = 0; find < 16; find++)
        for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
            const abi_0_3_collide_options old = old_collide_options(find);
            grz_collide_options now = grz_default_collide_options();
            void *block = BLOCK(old);
            grz_error error = {.message = ""};
            now.find = find;
            if (calls[i](block, &error) != GRZ_OK)
                fail_msg("call %zu: %s", i, error.message);
            test_answer then = test_answer_of(result);
            assert_int_equal(calls[i](&now, &error), GRZ_OK);
            test_answer today = test_answer_of(result);
            assert_true(test_answers_equal("options of 0.3", &then, &today));
            assert_int_equal(then.contact_count > 0, i != 1 && (find & (GRZ_FIND_CONTACTS | GRZ_FIND_CURVES)) != 0);
            test_answer_finish(&then);
            test_answer_finish(&today);
            free(block);
        }
    const abi_0_3_locate_options locate = {.size = sizeof locate, .inside_rule = GRZ_NONZERO};
    void *block = BLOCK(locate);
    assert_int_equal(call_locate(block, NULL), GRZ_OK);
    free(block);
}

static void methods_and_pictures_of_0_3(void **state)
{
    (void)state;
    if (!has_gl)
        test_skip_one("no OpenGL");
    const abi_0_3_slices_options slices = {.size = sizeof slices, .resolution = 40, .slices = 8, .max_boxes = 1};
    const abi_0_3_layers_options layers = {
        .size = sizeof layers, .resolution = 24, .layers = 8, .capture = GRZ_LAYERS_LISTS};
    abi_0_3_slices_options *slices_block = BLOCK(slices);
    abi_0_3_layers_options *layers_block = BLOCK(layers);
    for (int i = 0; i < 2; i++) {
        abi_0_3_collide_options old = old_collide_options(GRZ_FIND_PAIRS);
        old.answer = GRZ_ANSWER_DISCRETE;
        old.method = i == 0 ? "slices" : "layers";
        const grz_method_options of_layers = {.method = "layers", .options = layers_block},
                                 of_both = {.method = "slices", .options = slices_block, .next = &of_layers};
        old.method_options = &of_both;
        void *block = BLOCK(old);
        grz_error error = {.message = ""};
        if (call_collide(block, &error) != GRZ_OK)
            fail_msg("%s: %s", old.method, error.message);
        uint64_t resolution = 0;
        assert_true(grz_result_statistic(result, "resolution", &resolution));
        assert_int_equal(resolution, i == 0 ? 40 : 24);
        assert_string_equal(grz_result_summary(result)->method, old.method);
        free(block);
    }
    const abi_0_3_picture_options picture = {.size = sizeof picture, .width = 20, .height = 30, .up = {0, 0, 1}};
    void *block = BLOCK(picture);
    uint8_t pixels[4 * 20 * 30 + 1] = {0};
    pixels[sizeof pixels - 1] = 77;
    assert_int_equal(grz_picture_draw(device, &object_a, 1, NULL, block, pixels, NULL, NULL), GRZ_OK);
    assert_true(pixels[3] == 255 && pixels[sizeof pixels - 2] == 255 && pixels[sizeof pixels - 1] == 77);
    free(block);
    free(slices_block);
    free(layers_block);
}

// ---- Defaults -------------------------------------------------------------------------------------------------------

#define INIT(noun, ...)                                                                                                \
    static void init_##noun(void *out, size_t size)                                                                    \
    {                                                                                                                  \
        grz_##noun##_init(out, size __VA_ARGS__);                                                                      \
    }

INIT(device_options)
INIT(mesh_description)
INIT(gl_mesh_description)
INIT(collide_options)
INIT(locate_options)
INIT(slices_options, , GRZ_SLICES_BALANCED)
INIT(layers_options)
INIT(picture_options)
INIT(projections_options)

// The library writes only as many bytes as the program has room for, whether it is newer or older than the program.
static void defaults_fill_only_the_callers_structure(void **state)
{
    (void)state;
    static void (*const init[])(void *,
                                size_t) = {init_device_options,  init_mesh_description, init_gl_mesh_description,
                                           init_collide_options, init_locate_options,   init_slices_options,
                                           init_layers_options,  init_picture_options,  init_projections_options};
    static const size_t of[] = {0, 1, 2, 3, 7, 8, 10, 13, 14}; // which subject has this function's structure
    subject subjects[MOST_SUBJECTS];
    const size_t count = list_subjects(subjects);
    for (size_t i = 0; i < sizeof init / sizeof *init; i++) {
        assert_true(of[i] < count);
        const size_t known = subjects[of[i]].size;
        unsigned char *whole = malloc(known);
        assert_non_null(whole);
        init[i](NULL, known);
        init[i](whole, known);
        for (size_t size = 0; size <= known + 16; size += 4) {
            unsigned char *block = malloc(size > 0 ? size : 1), *expected = block_of(whole, known, size);
            assert_non_null(block);
            memset(block, 0xaa, size);
            init[i](block, size);
            if (size >= sizeof size)
                assert_memory_equal(block, expected, size);
            for (size_t k = 0; size < sizeof size && k < size; k++)
                assert_int_equal(block[k], 0xaa);
            free(block);
            free(expected);
        }
        free(whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smaller_structures_are_accepted_down_to_the_first_member),
        cmocka_unit_test(larger_structures_are_accepted_if_the_rest_is_zero),
        cmocka_unit_test(missing_members_take_their_defaults),
        cmocka_unit_test(a_device_and_a_mesh_of_0_3),
        cmocka_unit_test(queries_of_0_3_give_the_same_answers),
        cmocka_unit_test(methods_and_pictures_of_0_3),
        cmocka_unit_test(defaults_fill_only_the_callers_structure),
    };
    const int failed = cmocka_run_group_tests(tests, open_fixture, close_fixture);
    test_queries_finish();
    return test_exit_status(failed);
}
