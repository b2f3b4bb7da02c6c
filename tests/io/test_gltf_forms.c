// SPDX-License-Identifier: MIT
// The forms of glTF with numbers worked out by hand: strips and fans, types of positions, sparse accessors, order of
// transforms, morph targets, skins, instances. Many more, beside a second reader: python/tests/test_gltf.py.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/io.h>

#include "support_files.h"
#include "support_readers.h"

// Five points (i, 0, 0), 60 bytes.
static void five_points(file_text *data)
{
    for (int i = 0; i < 5; i++) {
        file_append_float(data, (float)i, false);
        file_append_float(data, 0, false);
        file_append_float(data, 0, false);
    }
}

// A file with these members and this buffer, which buffer view 0 shows whole; `data` is freed.
static file_text make(const char *members, file_text *data)
{
    file_text t = {0};
    file_print(&t, "{\"asset\":{\"version\":\"2.0\"},");
    file_append(&t, members, strlen(members));
    file_print(
        &t,
        ",\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu}],\"buffers\":[{\"byteLength\":%zu,\"uri\":\"data:;base64,",
        data->size, data->size);
    file_append_base64(&t, data->bytes, data->size);
    file_print(&t, "\"}]}");
    free(data->bytes);
    *data = (file_text){0};
    return t;
}

static grz_io_model *read_made(const char *members, file_text *data)
{
    grz_io_model *m;
    file_text t = make(members, data);
    read_bytes("a.gltf", t.bytes, t.size, &m);
    free(t.bytes);
    return m;
}

static void refuse_made(const char *members, file_text *data, const char *what)
{
    file_text t = make(members, data);
    refuse_bytes("a.gltf", t.bytes, t.size, what);
    free(t.bytes);
}

#define POINTS "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":5,\"type\":\"VEC3\"}]"
#define STRIP "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":5}]}]"

static void strips_and_fans_are_wound_as_specified(void **state)
{
    (void)state;
    file_text data = {0};
    five_points(&data);
    grz_io_model *m = read_made(POINTS "," STRIP ",\"nodes\":[{\"mesh\":0}]", &data);
    assert_faces(m, "0 1 2|1 3 2|2 3 4");
    grz_io_model_destroy(m);
    five_points(&data);
    m = read_made(POINTS "," STRIP ",\"nodes\":[{\"mesh\":0,\"scale\":[1,1,-1]}]", &data);
    assert_faces(m, "0 2 1|1 2 3|2 4 3");
    grz_io_model_destroy(m);
    five_points(&data);
    m = read_made(
        POINTS ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":6}]}],\"nodes\":[{\"mesh\":0}]",
        &data);
    assert_faces(m, "1 2 0|2 3 0|3 4 0");
    grz_io_model_destroy(m);
}

// Three points of one type; two numbers of each are written by hand, the rest are zeros.
static void check_type(const char *accessor, const void *bytes, size_t size, double x, double y)
{
    char members[600];
    file_text data = {0};
    file_append(&data, bytes, size);
    file_append(&data, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 18);
    (void)snprintf(
        members, sizeof members,
        "\"extensionsRequired\":[\"KHR_mesh_quantization\"],\"accessors\":[{\"bufferView\":0,\"count\":3,"
        "\"type\":\"VEC3\",%s}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[{"
        "\"mesh\":0}]",
        accessor);
    grz_io_model *m = read_made(members, &data);
    assert_position(m, 0, x, y, 0);
    grz_io_model_destroy(m);
}

static void integers_are_divided_by_their_range_where_normalized(void **state)
{
    (void)state;
    check_type("\"componentType\":5120", "\x7f\x80", 2, 127, -128);
    check_type("\"componentType\":5120,\"normalized\":true", "\x7f\x80", 2, 1, -1);
    check_type("\"componentType\":5121", "\xff\x33", 2, 255, 51);
    check_type("\"componentType\":5121,\"normalized\":true", "\xff\x33", 2, 1, 0.2);
    check_type("\"componentType\":5122", "\xff\x7f\x00\x80", 4, 32767, -32768);
    check_type("\"componentType\":5122,\"normalized\":true", "\xff\x7f\x00\x80", 4, 1, -1);
    check_type("\"componentType\":5123", "\xff\xff\x33\x33", 4, 65535, 13107);
    check_type("\"componentType\":5123,\"normalized\":true", "\xff\xff\x33\x33", 4, 1, 0.2);
}

// Accessor 0 begins at byte 4 and has 16 bytes a point; of its points 1 and 2 are others, from bytes 56 and 80 on.
static void sparse_elements_lie_over_strided_ones(void **state)
{
    (void)state;
    static const char members[] =
        "\"accessors\":[{\"bufferView\":1,\"byteOffset\":4,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\","
        "\"sparse\":{\"count\":2,\"indices\":{\"bufferView\":0,\"byteOffset\":80,\"componentType\":5121},\"values\":{"
        "\"bufferView\":0,\"byteOffset\":56}}}]," STRIP ",\"nodes\":[{\"mesh\":0}]";
    file_text data = {0}, t = {0};
    for (int i = 0; i < 20; i++)
        file_append_float(&data, (float)i, false);
    file_append(&data, "\1\2\0\0", 4);
    file_print(&t, "{\"asset\":{\"version\":\"2.0\"},");
    file_append(&t, members, sizeof members - 1);
    file_print(&t,
               ",\"bufferViews\":[{\"buffer\":0,\"byteLength\":84},{\"buffer\":0,\"byteLength\":84,\"byteStride\":16}],"
               "\"buffers\":[{\"byteLength\":84,\"uri\":\"data:;base64,");
    file_append_base64(&t, data.bytes, data.size);
    file_print(&t, "\"}]}");
    grz_io_model *m;
    read_bytes("a.gltf", t.bytes, t.size, &m);
    assert_position(m, 0, 1, 2, 3);
    assert_position(m, 1, 14, 15, 16);
    assert_position(m, 2, 17, 18, 19);
    assert_position(m, 3, 13, 14, 15);
    grz_io_model_destroy(m);
    free(data.bytes);
    free(t.bytes);
}

// Point (1, 0, 0): scaled to (2, 0, 0), turned to (0, 2, 0), moved to (10, 2, 0), stretched by the parent to
// (10, 6, 0). The quarter turn is exact although the file gives seven digits.
static void scale_comes_before_rotation_and_translation(void **state)
{
    (void)state;
    file_text data = {0};
    five_points(&data);
    grz_io_model *m =
        read_made(POINTS "," STRIP ",\"nodes\":[{\"mesh\":0,\"translation\":[10,0,0],\"rotation\":[0,0,0.7071068,"
                         "0.7071068],\"scale\":[2,1,1]},{\"children\":[0],\"scale\":[1,3,1]}]",
                  &data);
    assert_position(m, 1, 10, 6, 0);
    grz_io_model_destroy(m);
    five_points(&data); // a matrix is given column after column
    m = read_made(POINTS "," STRIP ",\"nodes\":[{\"mesh\":0,\"matrix\":[0,2,0,0,-1,0,0,0,0,0,1,0,10,0,0,1]}]", &data);
    assert_position(m, 1, 10, 2, 0);
    grz_io_model_destroy(m);
}

// The targets are the points themselves: the mesh's weights make 1 + 0.5 of them, the node's 1 - 2.
static void targets_are_added_by_the_nodes_weights_or_the_meshs(void **state)
{
    (void)state;
    file_text data = {0};
    five_points(&data);
    grz_io_model *m = read_made(
        POINTS ",\"meshes\":[{\"weights\":[0.5,0],\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":5,"
               "\"targets\":[{\"POSITION\":0},{}]}]}],\"nodes\":[{\"mesh\":0},{\"mesh\":0,\"weights\":[-2,1]}]",
        &data);
    assert_position(m, 4, 6, 0, 0);
    assert_position(m, 9, -4, 0, 0);
    assert_notes(m, "2 meshes are shown at their default morph weights");
    grz_io_model_destroy(m);
}

#define SKIN                                                                                                           \
    "\"accessors\":[{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"                                           \
    "{\"bufferView\":0,\"byteOffset\":96,\"componentType\":5121,\"count\":3,\"type\":\"VEC4\"},"                       \
    "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"},"                                         \
    "{\"bufferView\":0,\"byteOffset\":108,\"componentType\":5121,\"count\":3,\"type\":\"VEC4\"},"                      \
    "{\"bufferView\":0,\"byteOffset\":48,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"},"                       \
    "{\"bufferView\":0,\"byteOffset\":120,\"componentType\":5126,\"count\":2,\"type\":\"MAT4\"}],"                     \
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2,\"JOINTS_1\":3,"      \
    "\"WEIGHTS_1\":4}}]}],\"skins\":[{\"joints\":[1,2],\"inverseBindMatrices\":5}],"                                   \
    "\"nodes\":[{\"mesh\":0,\"skin\":0,\"translation\":[100,0,0]},{\"translation\":[4,0,0]},{\"translation\":[0,8,"    \
    "0]}]"

static void append_skin(file_text *data, const float weights[2][4])
{
    for (int set = 0; set < 2; set++)
        for (int i = 0; i < 12; i++)
            file_append_float(data, weights[set][i % 4], false);
    for (int i = 0; i < 3; i++)
        file_append(data, "\0\1\0\0", 4);
    for (int i = 0; i < 3; i++)
        file_append(data, "\1\0\0\0", 4);
    for (int i = 0; i < 32; i++)
        file_append_float(data, i == 12 ? -1.0f : i % 16 % 5 == 0 ? 1.0f : 0.0f, false);
}

// Three points at 0 with joints 0 and 1 of one set, and 1 of a second: half of joint 0, which is at x = 4 and bound at
// x = 1, and half of joint 1, at y = 8. The node's own place does not count.
static void skins_are_placed_by_all_sets_of_joints(void **state)
{
    (void)state;
    static const float weights[2][4] = {{0.5f, 0.25f, 0, 0}, {0.25f, 0, 0, 0}};
    file_text data = {0};
    append_skin(&data, weights);
    grz_io_model *m = read_made(SKIN, &data);
    assert_position(m, 2, 1.5, 4, 0);
    assert_notes(m, "1 mesh is placed by the joints of its skin");
    grz_io_model_destroy(m);
}

// A weight that is no number would be left out, and the others may well be 1 in sum.
static void weights_that_are_no_numbers_are_refused(void **state)
{
    (void)state;
    const float weights[2][4] = {{0.5f, 0.25f, 0, 0}, {0.25f, 0, 0, (float)NAN}};
    file_text data = {0};
    append_skin(&data, weights);
    refuse_made(SKIN, &data, "the weights of vertex 0 are nan in sum, not 1");
}

static void the_character_0_is_in_no_text_that_counts(void **state)
{
    (void)state;
    file_text data = {0};
    five_points(&data);
    grz_io_model *m =
        read_made(POINTS "," STRIP ",\"nodes\":[{\"mesh\":0,\"name\":\"a\\u0000b\",\"extras\":\"\\u0000\"}]", &data);
    assert_string_equal(m->parts[0].name, "node 0");
    assert_notes(m, "1 node with a name that holds the character 0: it is not used");
    grz_io_model_destroy(m);
}

// What would be left out in silence, and what a few bytes would make much of.
static void targets_and_joints_that_are_none_are_refused(void **state)
{
    (void)state;
    static const char *const targets[] = {"true", "5", "\"x\"", "[]", "null"};
    file_text data = {0};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        char members[400];
        (void)snprintf(members, sizeof members,
                       POINTS ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":5,\"targets\":["
                              "{},%s]}]}],\"nodes\":[{\"mesh\":0}]",
                       targets[i]);
        five_points(&data);
        refuse_made(members, &data, "meshes[0].primitives[0]: morph target 1 is not an object");
    }
    static const struct {
        const char *sets, *what;
    } cases[] = {
        {"\"JOINTS_0\":0,\"WEIGHTS_0\":0,\"JOINTS_2\":0,\"WEIGHTS_2\":0", "but has no JOINTS_1"},
        {"\"JOINTS_0\":0,\"WEIGHTS_0\":0,\"WEIGHTS_1\":0", "but has no JOINTS_1"},
        {"\"JOINTS_0\":0,\"WEIGHTS_0\":0,\"JOINTS_1\":0", "but has no WEIGHTS_1"},
        {"\"JOINTS_00\":0,\"WEIGHTS_0\":0", "but has no JOINTS_0"},
        {"\"COLOR_0\":0", "but has no JOINTS_0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char members[600];
        (void)snprintf(members, sizeof members,
                       POINTS ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,%s},\"mode\":5}]}],"
                              "\"skins\":[{\"joints\":[1]}],\"nodes\":[{\"mesh\":0,\"skin\":0},{}]",
                       cases[i].sets);
        five_points(&data);
        refuse_made(members, &data, cases[i].what);
    }
}

static void morph_targets_of_zeros_are_bounded(void **state)
{
    (void)state;
    file_text members = {0}, data = {0};
    file_print(&members, "\"accessors\":[{\"componentType\":5126,\"count\":999999,\"type\":\"VEC3\"}],\"meshes\":["
                         "{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"targets\":[{}");
    for (int i = 0; i < 40; i++)
        file_print(&members, ",{\"POSITION\":0}");
    file_print(&members, "]}],\"weights\":[0");
    for (int i = 0; i < 40; i++)
        file_print(&members, ",1");
    file_print(&members, "]}],\"nodes\":[{\"mesh\":0}]");
    file_append(&members, "", 1);
    five_points(&data);
    refuse_made((const char *)members.bytes, &data, "morph targets that are shown have more than the");
    free(members.bytes);
}

// What no reader of meshes looks at may hold any integer of JSON; what is looked at is the double nearest to it.
static void integers_of_any_size_are_read(void **state)
{
    (void)state;
    file_text data = {0};
    five_points(&data);
    grz_io_model *m =
        read_made(POINTS "," STRIP ",\"extras\":{\"id\":18446744073709551616,\"n\":-99999999999999999999},"
                         "\"nodes\":[{\"mesh\":0,\"translation\":[10000000000000000000,9007199254740993,0]}]",
                  &data);
    assert_position(m, 0, 1e19, 9007199254740992.0, 0);
    grz_io_model_destroy(m);
}

// A GLB with a JSON chunk, a binary one of 4 bytes if asked for, and then one of another kind.
static void further_chunks_are_noted_or_refused(void **state)
{
    (void)state;
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"accessors\":[{\"componentType\":5126,\"count\":3,\"type\":"
        "\"VEC3\"}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[{"
        "\"mesh\":0}]} ";
    static const char *const kinds[] = {"BIN", "JSON", "TEXT"};
    const uint32_t length = (uint32_t)(sizeof json - 1) & ~3u;
    for (int binary = 0; binary < 2; binary++)
        for (int i = 1 - binary; i < 3; i++) {
            file_text t = {0};
            const uint32_t header[5] = {0x46546C67, 2, 12 + 8 + length + 12 * (uint32_t)(1 + binary), length,
                                        0x4E4F534A};
            file_append(&t, header, sizeof header);
            file_append(&t, json, length);
            for (int k = 1 - binary; k < 2; k++) {
                const uint32_t four = 4;
                file_append(&t, &four, 4);
                char kind[4] = {0};
                memcpy(kind, k == 0 ? "BIN" : kinds[i], strlen(k == 0 ? "BIN" : kinds[i]));
                file_append(&t, kind, 4);
                file_append(&t, "\0\0\0", 4);
            }
            if (i < 2) {
                refuse_bytes("a.glb", t.bytes, t.size, i == 0 ? "a further binary chunk" : "a further JSON chunk");
            } else {
                grz_io_model *m;
                read_bytes("a.glb", t.bytes, t.size, &m);
                assert_notes(m, "1 GLB chunk of an unknown kind left out");
                grz_io_model_destroy(m);
            }
            free(t.bytes);
        }
}

// Five instances at the points themselves, each scaled by -1 along x through its node.
static void instances_are_placed_within_their_node(void **state)
{
    (void)state;
    file_text data = {0};
    five_points(&data);
    grz_io_model *m =
        read_made(POINTS "," STRIP ",\"nodes\":[{\"mesh\":0,\"name\":\"i\",\"translation\":[0,0,5],\"scale\":[-1,1,1],"
                         "\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{\"TRANSLATION\":0}}}}]",
                  &data);
    assert_parts(m, "i 0+3|i 3+3|i 6+3|i 9+3|i 12+3");
    assert_position(m, 5 * 4 + 1, -5, 0, 5);
    assert_true(m->indices[0] == 0 && m->indices[1] == 2 && m->indices[2] == 1);
    grz_io_model_destroy(m);
}

// Accessor 1: indices of one byte.
#define INDEXED                                                                                                        \
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],\"nodes\":[{\"mesh\":0}],"        \
    "\"accessors\":["                                                                                                  \
    "{\"componentType\":5126,\"count\":%s,\"type\":\"VEC3\"},{\"bufferView\":0,\"componentType\":5121,\"count\":%s,"   \
    "\"type\":"                                                                                                        \
    "\"SCALAR\"}]"

static void corners_that_are_no_vertices_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *points, *corners, *bytes, *what;
    } cases[] = {
        {"3", "3", "\0\1\3", "meshes[0].primitives[0]: index 2 is 3, but there are 3 vertices"},
        {"300", "3", "\0\1\xff",
         "meshes[0].primitives[0]: index 2 is 255, the restart value, which glTF does not allow"},
        {"3", "2", "\0\1\2", "meshes[0].primitives[0]: its 2 corners are not whole triangles"},
        {"3", "4", "\0\1\2",
         "meshes[0].primitives[0]: accessors[1]: 4 elements end 1 bytes past the end of bufferViews[0]"},
        {"1048577", "3", "\0\1\2",
         "meshes[0].primitives[0]: accessors[0]: 1048577 elements without a bufferView; at most 1048576 are read"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char members[600];
        file_text data = {0};
        file_append(&data, cases[i].bytes, 3);
        (void)snprintf(members, sizeof members, INDEXED, cases[i].points, cases[i].corners);
        refuse_made(members, &data, cases[i].what);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strips_and_fans_are_wound_as_specified),
        cmocka_unit_test(integers_are_divided_by_their_range_where_normalized),
        cmocka_unit_test(sparse_elements_lie_over_strided_ones),
        cmocka_unit_test(scale_comes_before_rotation_and_translation),
        cmocka_unit_test(targets_are_added_by_the_nodes_weights_or_the_meshs),
        cmocka_unit_test(skins_are_placed_by_all_sets_of_joints),
        cmocka_unit_test(weights_that_are_no_numbers_are_refused),
        cmocka_unit_test(the_character_0_is_in_no_text_that_counts),
        cmocka_unit_test(targets_and_joints_that_are_none_are_refused),
        cmocka_unit_test(morph_targets_of_zeros_are_bounded),
        cmocka_unit_test(integers_of_any_size_are_read),
        cmocka_unit_test(further_chunks_are_noted_or_refused),
        cmocka_unit_test(instances_are_placed_within_their_node),
        cmocka_unit_test(corners_that_are_no_vertices_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
