// SPDX-License-Identifier: MIT
// What a program sees of glTF files: parts and instances, unit and up axis, notes, files beside the file, limits. That
// each form of the format is read bit for bit, and each bad file refused by name: python/tests/test_gltf.py, beside a
// second reader.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <unistd.h>

#include <graze/io.h>

#include "support_allocator.h"
#include "support_files.h"
#include "support_readers.h"

// A square in the plane z = 0, of two triangles, in 72 bytes of a buffer.
static void square(file_text *data)
{
    static const float corners[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    static const uint32_t faces[6] = {0, 1, 2, 0, 2, 3};
    for (int i = 0; i < 12; i++)
        file_append_float(data, corners[i], false);
    for (int i = 0; i < 6; i++)
        file_append_u32(data, faces[i], false);
}

// A file with that square as mesh 0, and as mesh 1, "shape", with lines and points. `members` are those of the root
// that the test is about, each followed by a comma.
static void make(file_text *t, const char *members, const char *uri)
{
    file_text data = {0};
    square(&data);
    file_print(t, "{\"asset\":{\"version\":\"2.0\"},%s\"meshes\":[", members);
    file_print(t,
               "{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]},{\"name\":\"shape\",\"primitives\":["
               "{\"attributes\":{\"POSITION\":0},\"mode\":0},{\"attributes\":{\"POSITION\":0},\"mode\":3},"
               "{\"attributes\":{\"POSITION\":0},\"mode\":2},{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],");
    file_print(t, "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
                  "{\"bufferView\":1,\"componentType\":5125,\"count\":6,\"type\":\"SCALAR\"}],");
    file_print(
        t, "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,\"byteLength\":24}],");
    file_print(t, "\"buffers\":[{\"byteLength\":72,\"uri\":\"");
    if (uri != NULL) {
        file_append(t, uri, strlen(uri));
    } else {
        file_print(t, "data:;base64,");
        file_append_base64(t, data.bytes, data.size);
    }
    file_print(t, "\"}]}");
    free(data.bytes);
}

static grz_io_model *read_with(const file_text *t, const grz_io_options *options)
{
    grz_io_model *m;
    grz_error error;
    if (grz_io_load_memory("a.gltf", t->bytes, t->size, options, &m, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return m;
}

static void nodes_with_meshes_are_parts_in_metres_with_y_up(void **state)
{
    (void)state;
    file_text t = {0};
    make(&t,
         "\"nodes\":[{\"name\":\"left\",\"mesh\":0},{\"mesh\":1,\"translation\":[2,0,0],\"children\":[2]},"
         "{\"mesh\":0,\"scale\":[-1,1,1]},{\"children\":[0,1]}],",
         NULL);
    grz_io_model *m = read_with(&t, NULL);
    assert_string_equal(m->format, "glTF");
    assert_true(m->unit_in_metres >= 1 && m->unit_in_metres <= 1 && m->up_axis == GRZ_IO_UP_Y);
    assert_parts(m, "left 0+2|shape 2+2|node 2 4+2");
    // The third square is mirrored: its corners turn round.
    assert_faces(m, "0 1 2|0 2 3|4 5 6|4 6 7|8 10 9|8 11 10");
    assert_position(m, 5, 3, 0, 0);
    assert_position(m, 10, 1, 1, 0);
    assert_notes(m, "4 points left out|7 lines left out");
    assert_true(m->mesh_count == 0 && m->instance_count == 0 && m->meshes == NULL && m->instances == NULL);
    grz_io_model_destroy(m);
    free(t.bytes);
    read_text("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", &m);
    assert_true(m->unit_in_metres <= 0 && m->up_axis == GRZ_IO_UP_UNKNOWN);
    grz_io_model_destroy(m);
}

static void instances_share_meshes_where_they_are_kept(void **state)
{
    (void)state;
    file_text t = {0};
    grz_io_options options = grz_io_default_options();
    grz_mesh_description description = grz_default_mesh_description();
    grz_error error;
    make(&t,
         "\"nodes\":[{\"name\":\"a\",\"mesh\":0},{\"name\":\"b\",\"mesh\":0,\"translation\":[2,0,0]},"
         "{\"name\":\"c\",\"mesh\":0,\"scale\":[-1,1,1]},{\"name\":\"d\",\"mesh\":0,\"scale\":[-2,1,1]}],",
         NULL);
    options.keep_instances = true;
    grz_io_model *m = read_with(&t, &options);
    assert_true(m->part_count == 0 && m->mesh_count == 2 && m->instance_count == 4);
    assert_true(m->vertex_count == 8 && m->face_count == 4 && m->meshes[1].first_vertex == 4 &&
                m->meshes[1].vertex_count == 4 && m->meshes[1].first_index == 6 && m->meshes[1].index_count == 6 &&
                m->meshes[1].first_face == 2 && m->meshes[1].face_count == 2);
    assert_faces(m, "0 1 2|0 2 3|0 2 1|0 3 2"); // corners count mesh by mesh; the second mesh is for mirrors
    static const uint64_t meshes[4] = {0, 0, 1, 1};
    for (int i = 0; i < 4; i++) {
        const char name[2] = {(char)('a' + i), '\0'};
        assert_string_equal(m->instances[i].name, name);
        assert_true(m->instances[i].mesh == meshes[i]);
    }
    assert_true(bits_of(m->instances[1].matrix[0][3]) == bits_of(2) &&
                bits_of(m->instances[3].matrix[0][0]) == bits_of(-2));
    assert_int_equal(grz_io_describe(m, &description, &error), GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "describe model: model has instances"));
    grz_io_model_destroy(m);
    free(t.bytes);
}

static void what_is_left_out_is_noted(void **state)
{
    (void)state;
    file_text t = {0};
    make(&t,
         "\"scenes\":[{\"nodes\":[0]},{\"nodes\":[1]}],\"nodes\":[{\"mesh\":0},{\"mesh\":0}],\"animations\":[{}],"
         "\"extensionsUsed\":[\"KHR_materials_unlit\",\"X_one\",\"X_two\"],",
         NULL);
    grz_io_model *m = read_with(&t, NULL);
    assert_notes(
        m, "2 extensions ignored, which the file does not require: \"X_one\" and others|no scene is the default: the "
           "first is read|1 other scene left out|1 node with a mesh is outside the scene and left out|1 animation "
           "left out: nodes are where the file puts them");
    grz_io_model_destroy(m);
    free(t.bytes);
}

static void buffers_beside_the_file_need_its_folder(void **state)
{
    (void)state;
    char directory[FILE_PATH_SIZE], path[FILE_PATH_SIZE], unused[FILE_PATH_SIZE];
    file_text t = {0}, data = {0};
    grz_io_options options = grz_io_default_options();
    grz_io_model *m;
    grz_error error;
    make_test_directory(directory);
    square(&data);
    make(&t, "\"nodes\":[{\"mesh\":0}],", "the%20data.bin");
    write_test_file(directory, "the data.bin", data.bytes, data.size, unused);
    write_test_file(directory, "a.gltf", t.bytes, t.size, path);
    assert_int_equal(grz_io_load_file(path, NULL, &m, &error), GRZ_OK);
    assert_true(m->face_count == 2);
    grz_io_model_destroy(m);
    assert_int_equal(grz_io_load_memory("a.gltf", t.bytes, t.size, NULL, &m, &error), GRZ_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "a.gltf: buffers[0]: \"the%20data.bin\" is a file of its own"));
    options.directory = directory;
    m = read_with(&t, &options);
    grz_io_model_destroy(m);
    options.directory = "/nowhere";
    assert_int_equal(grz_io_load_file(path, &options, &m, &error), GRZ_ERROR_FILE);
    free(t.bytes);
    free(data.bytes);
    remove_test_directory(directory);
}

// Skins, morphs and instances with each allocation failing in turn: nothing is lost.
static void memory_that_runs_out_is_an_error(void **state)
{
    (void)state;
    static const char members[] = "\"skins\":[{\"joints\":[0]}],\"nodes\":[{\"mesh\":0,\"extensions\":{\"EXT_mesh_gpu_"
                                  "instancing\":{\"attributes\":"
                                  "{\"TRANSLATION\":0}}}},{\"mesh\":1,\"name\":\"x\"}],";
    file_text t = {0};
    make(&t, members, NULL);
    for (int kept = 0; kept < 2; kept++) {
        grz_status status = GRZ_ERROR_MEMORY;
        for (long from = 1; status != GRZ_OK; from++) {
            test_strict_allocator memory = {.lock = PTHREAD_MUTEX_INITIALIZER, .fail_at = from, .for_good = true};
            grz_io_options options = grz_io_default_options();
            grz_io_model *m;
            options.allocator = test_strict_allocator_of(&memory);
            options.keep_instances = kept == 1;
            status = grz_io_load_memory("a.gltf", t.bytes, t.size, &options, &m, NULL);
            assert_true(status == GRZ_OK || status == GRZ_ERROR_MEMORY);
            assert_true((status == GRZ_OK) == (m != NULL) && from < 100);
            grz_io_model_destroy(m);
            assert_true(memory.bytes == 0);
        }
    }
    free(t.bytes);
}

static void limits_hold(void **state)
{
    (void)state;
    file_text t = {0};
    grz_io_options options = grz_io_default_options();
    grz_io_model *m;
    grz_error error;
    make(&t, "\"nodes\":[{\"mesh\":0}],", NULL);
    options.limits.memory_limit = 2000; // less than the values of its JSON take
    assert_int_equal(grz_io_load_memory("a.gltf", t.bytes, t.size, &options, &m, &error), GRZ_ERROR_MEMORY);
    options.limits.memory_limit = 100000;
    m = read_with(&t, &options);
    grz_io_model_destroy(m);
    free(t.bytes);
    // Brackets that would become gigabytes of values.
    t = (file_text){0};
    file_print(&t, "{\"asset\":{\"version\":\"2.0\"},\"x\":[");
    for (int i = 0; i < 4000000; i++)
        file_append(&t, "[],", 3);
    file_print(&t, "0]}");
    assert_int_equal(grz_io_load_memory("a.gltf", t.bytes, t.size, NULL, &m, &error), GRZ_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "its JSON would take more than the "));
    free(t.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_with_meshes_are_parts_in_metres_with_y_up),
        cmocka_unit_test(instances_share_meshes_where_they_are_kept),
        cmocka_unit_test(what_is_left_out_is_noted),
        cmocka_unit_test(buffers_beside_the_file_need_its_folder),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
        cmocka_unit_test(limits_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
