// SPDX-License-Identifier: MIT
// PLY and OFF, whose headers give the number of rows: all forms that programs write are read, bit for bit. Also the
// mistakes that are refused, and the messages.
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

static void ply_text_is_read_in_any_order_and_type(void **state)
{
    (void)state;
    grz_io_model *m;
    read_text("a.ply",
              "ply\r\nformat ascii 1.0\r\ncomment made by hand\r\nobj_info none\r\nelement material 1\r\nproperty list "
              "uchar float k\r\n"
              "property int id\r\nelement vertex 3\r\nproperty uchar red\r\nproperty double z\r\nproperty list uint8 "
              "int8 tags\r\n"
              "property float32 y\r\nproperty short x\r\nelement face 3\r\nproperty float quality\r\n"
              "property list ushort uint vertex_index\r\nproperty list uchar float texcoord\r\nelement edge "
              "2\r\nproperty int vertex1\r\n"
              "property int vertex2\r\nend_header\r\n2 0.5 nan 7\r\n255 0.1 0 .5 1\r\n0 0.2 2 1 2 0.1 -2\r\n\r\n0 1e-3 "
              "0 0 3\r\n"
              "0.5 3 0 1 2 0\r\n1 4 2 1 0 0 6 0 0 0 0 0 0\r\n1 2 0 1 0\r\n0 1\r\n1 2\r\n",
              &m);
    assert_position(m, 0, 1, .5, .1);
    assert_position(m, 1, -2, .1, .2);
    assert_position(m, 2, 3, 0, 1e-3);
    assert_faces(m, "0 1 2|2 1 0 0");
    assert_notes(m, "1 row of elements that are no part of a mesh skipped, the first are of \"material\"|"
                    "2 edge elements skipped|1 face with fewer than 3 corners skipped");
    grz_io_model_destroy(m);
}

static void ply_faces_may_come_before_the_vertices(void **state)
{
    (void)state;
    grz_io_model *m;
    read_text("a.ply", PLY("ascii", PLY_FACES("1") PLY_VERTICES("3") "end_header\n3 0 1 2\n0 0 0\n1 0 0\n0 1 0"), &m);
    assert_faces(m, "0 1 2");
    grz_io_model_destroy(m);
}

static void ply_strips_become_triangles(void **state)
{
    (void)state;
    grz_io_model *m;
    read_text(
        "a.ply",
        PLY("ascii",
            PLY_VERTICES(
                "5") "element tristrips 1\nproperty list int int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n"
                     "1 1 0\n2 2 0\n12 0 1 2 3 3 -1 -1 0 1 -1 2 3\n"),
        &m);
    assert_faces(m, "0 1 2|2 1 3|2 3 3");
    assert_notes(m, "2 triangle strips with fewer than 3 corners skipped");
    grz_io_model_destroy(m);
}

static void append_u16(file_text *t, uint16_t value, bool big)
{
    const unsigned char bytes[2] = {(unsigned char)(big ? value >> 8 : value),
                                    (unsigned char)(big ? value : value >> 8)};
    file_append(t, bytes, 2);
}

// Elements before, between and behind those that matter; the first byte of the data is a line feed.
static void append_odd_ply(file_text *t, const char *line_end, bool big)
{
    static const char *const lines[] = {"element thing 2",
                                        "property char a",
                                        "property list uchar double b",
                                        "element vertex 4",
                                        "property ushort w",
                                        "property double x",
                                        "property float y",
                                        "property int8 z",
                                        "element nothing 1000000000000000000",
                                        "element face 3",
                                        "property list uint ushort vertex_indices",
                                        "property list short uchar c",
                                        "element end 1",
                                        "property float32 q",
                                        "end_header"};
    file_print(t, "ply%sformat binary_%s_endian 1.0%s", line_end, big ? "big" : "little", line_end);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        file_print(t, "%s%s", lines[i], line_end);
    file_append(t, "\n\0", 2);
    file_append(t, "\n\1", 2);
    file_append_double(t, 0.1, big);
    for (int v = 0; v < 4; v++) {
        append_u16(t, 7, big);
        file_append_double(t, 0.1 * v, big);
        file_append_float(t, 0.1f, big);
        signed char z = (signed char)-v;
        file_append(t, &z, 1);
    }
    for (uint32_t f = 0; f < 3; f++) {
        file_append_u32(t, 2 + f, big);
        for (uint32_t k = 0; k < 2 + f; k++)
            append_u16(t, (uint16_t)k, big);
        append_u16(t, 1, big);
        file_append(t, "c", 1);
    }
    file_append_float(t, 1, big);
}

#define THINGS "3 rows of elements that are no part of a mesh skipped, the first are of \"thing\"|"

static void ply_binary_is_read_in_any_order_and_type(void **state)
{
    (void)state;
    static const char *const line_ends[] = {"\n", "\r\n", "\r"};
    for (int i = 0; i < 6; i++) {
        file_text t = {0};
        grz_io_model *m;
        append_odd_ply(&t, line_ends[i / 2], i % 2);
        read_bytes("a.ply", t.bytes, t.size, &m);
        assert_true(m->vertex_count == 4);
        for (int v = 0; v < 4; v++)
            assert_position(m, (uint64_t)v, 0.1 * v, (double)0.1f, (double)-v);
        assert_faces(m, "0 1 2|0 1 2 3");
        assert_notes(m, THINGS "1 face with fewer than 3 corners skipped");
        grz_io_model_destroy(m);
        file_append(&t, "xy", 2);
        read_bytes("a.ply", t.bytes, t.size, &m);
        assert_notes(m, THINGS "1 face with fewer than 3 corners skipped|2 bytes after the last element ignored");
        grz_io_model_destroy(m);
        for (size_t cut = 0; cut < t.size - 2; cut++)
            refuse_bytes("a.ply", t.bytes, cut, "a.ply: ");
        free(t.bytes);
    }
}

static void ply_binary_triangles_may_be_mixed_with_others(void **state)
{
    (void)state;
    static const uint32_t faces[] = {3, 0, 1, 2, 4, 0, 1, 2, 3, 3, 1, 2, 3, 2, 0, 1, 3, 3, 2, 1};
    for (int big = 0; big < 2; big++) {
        file_text t = {0};
        grz_io_model *m;
        file_print(&t, "ply\nformat binary_%s_endian 1.0\n" PLY_VERTICES("4") PLY_FACES("5") "end_header\n",
                   big ? "big" : "little");
        for (int i = 0; i < 12; i++)
            file_append_float(&t, (float)i, big);
        for (size_t i = 0; i < sizeof faces / sizeof *faces;) {
            uint32_t n = faces[i++];
            unsigned char count = (unsigned char)n;
            file_append(&t, &count, 1);
            for (; n > 0; n--)
                file_append_u32(&t, faces[i++], big);
        }
        read_bytes("a.ply", t.bytes, t.size, &m);
        assert_faces(m, "0 1 2|0 1 2 3|1 2 3|3 2 1");
        grz_io_model_destroy(m);
        t.bytes[t.size - (big ? 1 : 4)] = 4;
        refuse_bytes("a.ply", t.bytes, t.size, "a corner is vertex 4, but there are 4 vertices, in element \"face\" 4");
        free(t.bytes);
    }
}

// The types of PLY, under both of their names.
typedef struct number_type {
    const char *names[2];
    unsigned size; // bytes
    bool is_signed, is_float;
} number_type;

static const number_type types[] = {
    {{"char", "int8"}, 1, true, false},    {{"uchar", "uint8"}, 1, false, false},
    {{"short", "int16"}, 2, true, false},  {{"ushort", "uint16"}, 2, false, false},
    {{"int", "int32"}, 4, true, false},    {{"uint", "uint32"}, 4, false, false},
    {{"float", "float32"}, 4, true, true}, {{"double", "float64"}, 8, true, true},
};

enum {
    INTEGER_TYPES = 6,
    TYPES = 8
};

static const char *const encodings[] = {"ascii", "binary_little_endian", "binary_big_endian"};

// A number that the type holds, as encoding 0 to 2 writes it.
static void append_number(file_text *t, const number_type *type, int encoding, int64_t value)
{
    const bool big = encoding == 2;
    if (encoding == 0) {
        file_print(t, " %lld", (long long)value);
    } else if (type->is_float) {
        if (type->size == 4)
            file_append_float(t, (float)value, big);
        else
            file_append_double(t, (double)value, big);
    } else {
        for (unsigned i = 0; i < type->size; i++) {
            const unsigned shift = 8 * (big ? type->size - 1 - i : i);
            const unsigned char byte = (unsigned char)((uint64_t)value >> shift);
            file_append(t, &byte, 1);
        }
    }
}

static int64_t most_of(const number_type *type)
{
    return (INT64_C(1) << (8 * type->size - (type->is_signed ? 1 : 0))) - 1;
}

static int64_t least_of(const number_type *type)
{
    return type->is_signed ? -(INT64_C(1) << (8 * type->size - 1)) : 0;
}

// Coordinates of one type, each value in each position, between unused numbers of every type. With `list` the vertices
// also have a list, so that the code for rows of any length is used.
static void check_coordinates(const number_type *type, int name, int encoding, bool list)
{
    const bool integer = !type->is_float;
    const int64_t values[] = {integer ? most_of(type) : 16777215,
                              integer ? least_of(type) : -16777215,
                              type->is_signed ? -1 : most_of(type) - 1,
                              integer ? most_of(type) / 2 + 1 : 65537, // the top bit of an unsigned number alone
                              type->size == 1   ? 0x12
                              : type->size == 2 ? 0x1234
                                                : 0x123456, // no byte like another
                              0};
    enum {
        COUNT = sizeof values / sizeof *values
    };
    file_text t = {0};
    file_print(&t, "ply\nformat %s 1.0\nelement vertex %d\n", encodings[encoding], (int)COUNT);
    for (int i = 0; i < TYPES; i++)
        file_print(&t, "property %s before_%d\n%s", types[i].names[1 - name], i,
                   i == 3 && list ? "property list uchar short l\n" : "");
    for (int i = 0; i < 3; i++)
        file_print(&t, "property %s %c\n", type->names[name], "xyz"[i]);
    file_print(&t, "property short behind\n" PLY_FACES("1") "end_header\n");
    for (int v = 0; v < COUNT; v++) {
        for (int i = 0; i < TYPES; i++) {
            append_number(&t, &types[i], encoding, 77 + i);
            if (i == 3 && list) {
                append_number(&t, &types[1], encoding, 2);
                append_number(&t, &types[2], encoding, -300);
                append_number(&t, &types[2], encoding, 300);
            }
        }
        for (int i = 0; i < 3; i++)
            append_number(&t, type, encoding, values[(v + i) % COUNT]);
        append_number(&t, &types[2], encoding, -2);
        if (encoding == 0)
            file_print(&t, "\n");
    }
    append_number(&t, &types[1], encoding, 3);
    for (int i = 0; i < 3; i++)
        append_number(&t, &types[4], encoding, i);
    grz_io_model *m;
    read_bytes("a.ply", t.bytes, t.size, &m);
    assert_true(m->vertex_count == COUNT);
    for (int v = 0; v < COUNT; v++)
        assert_position(m, (uint64_t)v, (double)values[v % COUNT], (double)values[(v + 1) % COUNT],
                        (double)values[(v + 2) % COUNT]);
    assert_faces(m, "0 1 2");
    assert_notes(m, "");
    grz_io_model_destroy(m);
    free(t.bytes);
}

static void ply_coordinates_have_the_sign_and_width_of_their_type(void **state)
{
    (void)state;
    for (int type = 0; type < TYPES; type++)
        for (int encoding = 0; encoding < 3; encoding++)
            for (int way = 0; way < 4; way++)
                check_coordinates(&types[type], way % 2, encoding, way / 2 != 0);
}

enum {
    LIST_VERTICES = 65537 // one more than 16 bits can name
};

// The header of a file whose one face has corners and a count of these types, and its vertices.
static void begin_list_file(file_text *t, const number_type *count, const number_type *corner, int encoding,
                            int vertices)
{
    file_print(t, "ply\nformat %s 1.0\nelement vertex %d\n", encodings[encoding], vertices);
    file_print(t,
               "property uchar x\nproperty uchar y\nproperty uchar z\nelement face 1\nproperty list %s %s "
               "vertex_indices\nend_header\n",
               count->names[0], corner->names[0]);
    for (int v = 0; v < vertices; v++)
        file_append(t, "1 2 3\n", encoding == 0 ? 6 : 3);
}

// A face with as many corners, up to the last vertex, as the types can hold.
static void check_list(const number_type *count, const number_type *corner, int encoding)
{
    const int64_t corners = most_of(count) < 70000 ? most_of(count) : 70000;
    const int64_t last = most_of(corner) < LIST_VERTICES ? most_of(corner) : LIST_VERTICES - 1;
    file_text t = {0};
    begin_list_file(&t, count, corner, encoding, LIST_VERTICES);
    append_number(&t, count, encoding, corners);
    for (int64_t i = 0; i < corners; i++)
        append_number(&t, corner, encoding, last - i % 3);
    grz_io_model *m;
    read_bytes("a.ply", t.bytes, t.size, &m);
    assert_true(m->face_count == 1 && m->index_count == (uint64_t)corners);
    if (m->corner_counts == NULL || m->corner_counts[0] != corners)
        fail_msg("%s %s: not one face of %lld corners", encodings[encoding], count->names[0], (long long)corners);
    for (int64_t i = 0; i < corners; i++)
        if (m->indices[i] != last - i % 3)
            fail_msg("%s %s %s: corner %lld is %u, expected %lld", encodings[encoding], count->names[0],
                     corner->names[0], (long long)i, m->indices[i], (long long)(last - i % 3));
    grz_io_model_destroy(m);
    free(t.bytes);
}

// All bits set: -1 where the type has a sign, more than there is where it has none.
static void refuse_list(const number_type *count, const number_type *corner, int encoding)
{
    for (int of_count = 0; of_count < 2; of_count++) {
        const number_type *wrong = of_count ? count : corner;
        const int64_t value = wrong->is_signed ? -1 : most_of(wrong);
        file_text t = {0};
        begin_list_file(&t, count, corner, encoding, 4);
        append_number(&t, count, encoding, of_count ? value : 3);
        // Behind a negative length there are as many numbers as the same bits without a sign would have.
        const int corners = of_count && wrong->is_signed ? UINT8_MAX : 3;
        for (int i = 0; i < corners; i++)
            append_number(&t, corner, encoding, of_count || i < 2 ? i % 3 : value);
        refuse_bytes("a.ply", t.bytes, t.size,
                     !of_count          ? "but there are 4 vertices, in element \"face\" 0"
                     : wrong->is_signed ? "a list of negative length, in element \"face\" 0"
                     : encoding == 0    ? "the file ends where the corner is expected"
                                        : "a list is longer than the file, in element \"face\" 0");
        free(t.bytes);
    }
}

static void ply_lists_have_the_sign_and_width_of_their_types(void **state)
{
    (void)state;
    for (int count = 0; count < INTEGER_TYPES; count++)
        for (int corner = 0; corner < INTEGER_TYPES; corner++)
            for (int encoding = 0; encoding < 3; encoding++) {
                check_list(&types[count], &types[corner], encoding);
                refuse_list(&types[count], &types[corner], encoding);
            }
}

static void ply_text_rows_need_not_be_lines(void **state)
{
    (void)state;
    static const char *const files[] = {
        "0 0 0 1 0 .5 0 1 0 3 0 1 2 4 2 1 0 0",                    // all on one line
        "0\n0\n0\n1\n0\n.5\n0\n1\n0\n3\n0\n1\n2\n4\n2\n1\n0\n0\n", // a line each
        "0 0 0 1 0\n.5 0 1 0 3\n0 1 2 4 2\n\n1 0 0\n",             // five a line
        "0 0\r0 \r1 0\r.5\r\r0 1 0\r3 0\r1 2\r4 2 1\r0 0",
        "0 0 0\r\n1 0 .5\r\n0 1 0\r\n3 0 1 2\r\n4 2\r\n1 0 0\r\n",
        "0 0 0\n1 0 .5\n0 1 0\n3 0 1 2 4 2 1 0 0\n",
        "0 0 0 1 0\n.5 0 1 0\n3 0 1 2\n4 2 1 0 0\n", // vertices in no lines of their own, and faces that are lines
    };
    static const char *const notes[] = {"10", "10", "10", "10", "14", "13", "10"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char text[500], note[200];
        grz_io_model *m;
        snprintf(text, sizeof text, "%s%s", PLY("ascii", PLY_VERTICES("3") PLY_FACES("2") "end_header\n"), files[i]);
        snprintf(note, sizeof note,
                 "rows run over line ends or share lines, first in line %s: numbers were read in order", notes[i]);
        read_text("a.ply", text, &m);
        assert_true(m->vertex_count == 3);
        assert_position(m, 1, 1, 0, .5);
        assert_position(m, 2, 0, 1, 0);
        assert_faces(m, "0 1 2|2 1 0 0");
        assert_notes(m, note);
        grz_io_model_destroy(m);
    }
    // A row after another element's on one line ends with that line, but does not fill it.
    grz_io_model *m;
    read_text("a.ply",
              PLY("ascii", "element thing 1\nproperty int i\n" PLY_VERTICES("3")
                               PLY_FACES("1") "end_header\n7 0 0 0\n1 0 .5 0\n1 0\n3 0 1 2\n"),
              &m);
    assert_position(m, 2, 0, 1, 0);
    grz_io_model_destroy(m);
    // Five a line: the last vertex fills one by chance.
    read_text(
        "a.ply",
        PLY("ascii", PLY_VERTICES("6") PLY_FACES("1") "end_header\n0 0 0 1 0\n0 2 0 0 3\n0 0 4 0 0\n5 0 .5\n3 0 1 2\n"),
        &m);
    assert_position(m, 5, 5, 0, .5);
    grz_io_model_destroy(m);
    // Rows that are lines make no note, even with blank lines between them.
    read_text("a.ply",
              PLY("ascii", PLY_VERTICES("3") PLY_FACES("1") "end_header\n\n 0 0 0 \n\n1 0 0\n0 1 0\t\n\n3 0 1 2\n \n"),
              &m);
    assert_notes(m, "");
    grz_io_model_destroy(m);
}

// One number too many or too few anywhere before the faces, with any line breaks. With one too many, a coordinate is
// read as a face's length, and no coordinate here is an integer. With one too few, a vertex takes a face's length, and
// numbers are left over after the faces.
static void ply_text_of_one_number_more_or_less_is_refused(void **state)
{
    (void)state;
    enum {
        VERTICES = 5
    };
    for (int layout = 0; layout < 4; layout++)
        for (int at = 0; at < 3 * VERTICES; at++)
            for (int more = 0; more < 2; more++) {
                file_text t = {0};
                file_print(&t, "%s", PLY("ascii", PLY_VERTICES("5") PLY_FACES("2") "end_header\n"));
                for (int i = 0; i < 3 * VERTICES; i++) {
                    const bool ends = layout == 0   ? i % 3 == 2
                                      : layout == 1 ? i % 6 == 5
                                      : layout == 2 ? i % 5 == 4
                                                    : true;
                    if (i == at && more)
                        file_print(&t, "7.25 ");
                    if (i != at || more)
                        file_print(&t, "%d.5", i);
                    file_print(&t, ends ? "\n" : " ");
                }
                file_print(&t, "3 0 1 2\n3 2 3 4\n");
                refuse_bytes("a.ply", t.bytes, t.size, "a.ply: line ");
                free(t.bytes);
            }
}

// MeshLab writes ten colours behind a face for which the header has four numbers.
static void ply_text_faces_may_have_more_numbers_than_the_header_says(void **state)
{
    (void)state;
#define LONGER                                                                                                         \
    "element face 3\nproperty list uchar int vertex_indices\nproperty list uchar float texcoord\nproperty uchar red\n"
    static const char vertices[] = PLY("ascii", PLY_VERTICES("4") LONGER "end_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n");
    char text[1000];
    grz_io_model *m;
    // Texture coordinates and colours; all faces have as much, or nothing between them is alike.
    (void)snprintf(text, sizeof text, "%s%s", vertices,
                   "3 0 1 2 6 .1 .2 .3 .4 .5 .6 9 1 1 1\n3 0 1 3 6 0 0 0 0 0 0 9 2 3 4 \n4 3 2 1 0 0 9 1 nan 0\n");
    read_text("a.ply", text, &m);
    assert_position(m, 3, 0, 0, 1);
    assert_faces(m, "0 1 2|0 1 3|3 2 1 0");
    assert_notes(m, "faces have more numbers than the header says, which were skipped, first in line 16");
    grz_io_model_destroy(m);
    static const char *const cases[][2] = {
        // One face has another number of them; a word; a face of two corners; nothing more in the last; no line end.
        {"3 0 1 2 0 1 7\n3 0 1 3 0 1 7 7\n3 3 2 1 0 1 7\n", "line 17: a corner is vertex 7"},
        {"3 0 1 2 0 1 7.5\n3 0 1 3 0 1 x\n3 3 2 1 0 1 7.5\n", "line 16: the length of a list \"7.5\" is not a number"},
        {"2 0 1 0 1 7.5\n3 0 1 3 0 1 7.5\n3 3 2 1 0 1 7.5\n", "line 16: the length of a list \"7.5\" is not a number"},
        {"3 0 1 2 0 1 7.5\n3 0 1 3 0 1 7.5\n3 3 2 1 0 1\n", "line 16: the length of a list \"7.5\" is not a number"},
        {"3 0 1 2 0 1 7.5\n3 0 1 3 0 1\n7.5\n3 3 2 1 0 1 7.5\n",
         "line 16: the length of a list \"7.5\" is not a number"},
        {"3 0 1 2 0 1 7.5\n3 0 1 3 0 1 7.5\n3 3 2 1 0 1 7.5\n0\n",
         "line 16: the length of a list \"7.5\" is not a number"},
        {"3 0 1 2 0 1 7.5\n3 0 1 4 0 1 7.5\n3 3 2 1 0 1 7.5\n",
         "line 16: the length of a list \"7.5\" is not a number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        (void)snprintf(text, sizeof text, "%s%s", vertices, cases[i][0]);
        refuse("a.ply", text, cases[i][1]);
    }
    // Of vertices nobody knows which numbers are the coordinates; of one face, whether they are a habit.
    refuse("a.ply",
           PLY("ascii", PLY_VERTICES("3") PLY_FACES("1") "end_header\n0 0 0 .5\n1 0 0 .5\n0 1 0 .5\n3 0 1 2\n"),
           "line 12: a face with fewer than 3 corners");
    refuse("a.ply", PLY("ascii", PLY_VERTICES("3") PLY_FACES("1") "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2 .5\n"),
           "line 13: \".5\" after the last element");
}

// Before the first element a line shifts nothing. Blender wrote "Created by Blender" without "comment".
static void ply_headers_may_have_a_strange_line(void **state)
{
    (void)state;
    grz_io_model *m;
    read_text("a.ply",
              PLY("ascii", "Created by Blender\nand so on\n" PLY_VERTICES("3")
                               PLY_FACES("1") "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"),
              &m);
    assert_faces(m, "0 1 2");
    assert_notes(m, "line 3 of the header begins with \"Created\", which starts no line of a PLY header: skipped");
    grz_io_model_destroy(m);
    refuse("a.ply",
           PLY("ascii", PLY_VERTICES("3") "Created\n" PLY_FACES("1") "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"),
           "line 7: \"Created\" starts no line of a PLY header");
    refuse("a.ply", PLY("ascii", "Created\nproperty float x\n"), "line 4: a property before the first element");
}

static void ply_mistakes_are_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"ply\nformat ascii 2.0\n", "line 2: PLY version \"2.0\""},
        {"ply\nformat text 1.0\n", "line 2: unknown PLY format \"text\""},
        {"ply\n" PLY_VERTICES("0") "end_header\n", "no \"format\" line"},
        {PLY("ascii", "elements vertex 3\n"), "line 3: \"elements\" starts no line"},
        {PLY("ascii", "element vertex -3\n"), "line 3: -3 elements"},
        {PLY("ascii", "element vertex -18446744073709551615\n"), "line 3: -18446744073709551615 elements \"vertex\""},
        {PLY("ascii", PLY_VERTICES("18446744073709551615") "end_header\n0 0 0\n"),
         "declares 18446744073709551615 elements \"vertex\", but the file has room for at most 1"},
        {PLY("ascii", PLY_VERTICES("1000000000000000001") "end_header\n0 0 0\n"),
         "declares 1000000000000000001 elements \"vertex\""},
        {PLY("ascii", "element vertex three\n"), "line 3: the number of elements \"three\" is not a number"},
        {PLY("ascii", "property float x\n"), "a property before the first element"},
        {PLY("ascii", "element vertex 3\nproperty real x\n"), "line 4: unknown type \"real\""},
        {PLY("ascii", "element vertex 3\nproperty float x y\n"), "line 4: \"y\" at the end"},
        {PLY("ascii", "element vertex 3\nproperty float x\nproperty float x\n"), "line 5: a second property \"x\""},
        {PLY("ascii", "element vertex 3\nproperty list float int x\n"), "a list's length cannot be of type \"float\""},
        {PLY("ascii", "element face 3\nproperty list int float vertex_index\n"), "corners cannot be of type \"float\""},
        {PLY("ascii", PLY_VERTICES("0") PLY_VERTICES("0") "end_header\n"), "a second element \"vertex\""},
        {PLY("ascii", "element vertex 1\nproperty float x\nproperty float y\nend_header\n0 0\n"),
         "not all of the properties"},
        {PLY("ascii", PLY_VERTICES("3") "element face 1\nproperty int n\nend_header\n0 0 0\n1 0 0\n0 1 0\n1\n"),
         "no list vertex_indices"},
        {PLY("ascii", PLY_VERTICES("3") PLY_FACES("1") "end_header\n0 0 0\n1 0\n0 1 0\n3 0 1 2\n"),
         "line 11: too many or too few numbers: rows and lines part here, while line 10 is one row"},
        {PLY("ascii", PLY_VERTICES("3") PLY_FACES("1") "end_header\n0 0 0\n1 0 0 0\n0 1 0\n3 0 1 2\n"),
         "line 11: too many or too few numbers"},
        {PLY("ascii", PLY_VERTICES("3") PLY_FACES("1") "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n"),
         "line 13: a corner is vertex 3, but there are 3 vertices, in element \"face\" 0"},
        {PLY("ascii", PLY_VERTICES("3") PLY_FACES("1") "end_header\n0 0 0\n1 0 0\n0 1 0\n-3 0 1 3\n"),
         "line 13: a list of negative length"},
        {PLY("ascii", PLY_VERTICES("3") PLY_FACES("1") "end_header\n0 0 0\n1 0 0\n0 nan 0\n3 0 1 2\n"),
         "line 12: the y coordinate \"nan\""},
        {PLY("ascii", PLY_VERTICES("3") PLY_FACES("1") "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 1 2\n"),
         "line 14: \"3\" after the last"},
        {PLY("ascii", PLY_VERTICES("3") PLY_FACES("2") "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"),
         "line 14: the file ends"},
        // With a number too few in the first row, a vertex takes the first face's length, and the faces end exactly at
        // the file's end.
        {PLY("ascii",
             PLY_VERTICES("4") PLY_FACES("3") "end_header\n3 2\n6 3 5\n0 3 2\n4 4 3\n3 2 1 1\n3 0 3 3\n3 2 3 2\n"),
         "line 14: a face with fewer than 3 corners, in element \"face\" 0; line 10 is the first that is not one row"},
        {PLY("ascii",
             PLY_VERTICES("4") PLY_FACES("3") "end_header\n3 2\n6 3 5\n0 3 2\n4 4 3\n4 3 1 2 0\n3 0 3 3\n3 2 3 2\n"),
         "line 10: too many or too few numbers: rows and lines part here, while line 15 is one row"},
        {PLY("ascii", PLY_VERTICES("1") "end_header\n0 0 0\n"), "no faces in it (1 vertex)"},
        {"plywood\n", "does not start with a line \"ply\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse("a.ply", cases[i][0], cases[i][1]);
}

static void off_is_read_with_all_its_extras(void **state)
{
    (void)state;
    static const char *const files[] = {
        "OFF\n3 2 0\n0 0 0\n1 0 .5\n0 1 0\n3 0 1 2\n3 2 1 0\n",
        "# c\n\nOFF 3 2 0 # c\n0 0 0 # c\n1 0 .5\n\n0 1 0\n3 0 1 2 # c\n3 2 1 0",
        "COFF\r\n3 2\r\n0 0 0 1 0 0 1\r\n1 0 .5 1 0 0 1\r\n0 1 0 1 0 0 1\r\n3 0 1 2 255 0 0\r\n3 2 1 0 .5 .5 .5 1\r\n",
        "NOFF\r3 2 0\r0 0 0 nan 0 1\r1 0 .5 0 0 1\r0 1 0 0 0 1\r3 0 1 2\r3 2 1 0\r",
        "STCNOFF\n3 2 0\n0 0 0 0 0 1 1 1 1 1 0 0\n1 0 .5\n0 1 0\n3 0 1 2\n3 2 1 0 7\n",
        "3 2 0\n0 0 0\n1 0 .5\n0 1 0\n3 0 1 2\n3 2 1 0\n",
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        grz_io_model *m;
        read_text("a.off", files[i], &m);
        assert_position(m, 1, 1, 0, .5);
        assert_faces(m, "0 1 2|2 1 0");
        assert_notes(m, "");
        grz_io_model_destroy(m);
    }
    grz_io_model *m;
    read_text("a.off", "OFF\n4 4 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n2 0 1\n4 0 1 2 3\n1 0 9 9 9\n0\n", &m);
    assert_faces(m, "0 1 2 3");
    assert_notes(m, "3 faces with fewer than 3 corners skipped");
    grz_io_model_destroy(m);
}

static void off_may_have_white_space_anywhere(void **state)
{
    (void)state;
    static const char rows[] = "0 0 0\n1 0 0.1\n0 1 0\n3 0 1 2\n";
    static const char *const begins[] = {"\n\n \t\nOFF\n3 1 0\n",
                                         "  \tOFF \n\n3 1 0 \n",
                                         "OFF 3 1 0\n",
                                         "\fOFF\v\r\n# c\r\n\r\n  3 1 0\t\r\n",
                                         "OFF\n3\n1\n0\n",
                                         "OFF # c\n\t3  1 0#c\n",
                                         "# c\n\nOFF 3 1\n",
                                         "\xEF\xBB\xBF OFF\n3 1 0\n",
                                         "OFF3 1 0\n",
                                         "\tCOFF3 1 0 # c\n"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        for (int blanks = 0; blanks < 2; blanks++) {
            char text[300] = "";
            grz_io_model *m;
            (void)snprintf(text, sizeof text, "%s", begins[i]);
            for (const char *p = rows; *p != '\0'; p++)
                (void)snprintf(text + strlen(text), sizeof text - strlen(text),
                               blanks && *p == '\n'  ? " \t\n\n  %c"
                               : blanks && *p == ' ' ? " \t %c"
                                                     : "%c",
                               *p == '\n' && blanks ? ' ' : *p);
            read_text("a", text, &m);
            assert_string_equal(m->format, "OFF");
            assert_position(m, 1, 1, 0, 0.1);
            assert_faces(m, "0 1 2");
            assert_notes(m, i >= 8 ? "the keyword and the number of vertices have no blank between them" : "");
            grz_io_model_destroy(m);
        }
    refuse("a.off", "OFF3x 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "line 1: the number of vertices \"OFF3x\" is not");
}

static void off_rows_need_not_be_lines(void **state)
{
    (void)state;
    static const char note[] = "rows share lines, so numbers were read in order";
    static const char *const files[][2] = {
        {"OFF 3 2 0 0 0 0 1 0 .5 0 1 0 3 0 1 2 4 2 1 0 0", note},
        {"3 2 0 0 0 0 1 0 .5 0 1 0 3 0 1 2 4 2 1 0 0\n", note},
        {"OFF\n3\n2\n0\n0\n0\n0\n1\n0\n.5\n0\n1\n0\n3\n0\n1\n2\n4\n2\n1\n0\n0\n", ""}, // each row has lines of its own
        {"OFF\n3 2 0\n0 0 0 1 0 .5 0 1 0\n3 0 1 2 4 2 1 0 0\n", note},
        {"OFF\n3 2\n0 0 0 1 0\n.5 0 1 0 3 # c\n\n0 1 2 4 2\n1 0 0\n", note},
        {"OFF\n3 2 0\n0 0 0 1 0 .5 0 1 0\n3 0 1 2 255 0 0\n4 2 1 0 0 1\n", note},     // colours of faces
        {"OFF\n3 2 0\n0 0 0 9 9\n1 0\n.5\n0 1 0\n3\n0 1\n2 255 0 0 1\n4 2 1\n0\n0\n", // rows of several lines
         "1 vertex has more numbers than the keyword says, which were skipped, first in line 3"},
        {"COFF 3 2 0\n0 0 0 1 1 1 1 1 0 .5 1 1 1 1 0 1 0 1 1 1 1\n3 0 1 2\n4 2 1 0 0\n", note},
        {"NOFF 3 2 0 0 0 0 0 nan 1 1 0 .5 0 0 1 0 1 0 0 0 1 3 0 1 2 4 2 1 0 0\n", note},
        {"STCNOFF 3 2 0\n0 0 0 0 0 1 1 1 1 1\n.5 .5 1 0 .5 0 0 1 1 1 1 1 .5\n.5 0 1 0 0 0 1 1 1 1 1 .5 .5 3 0 1 2 4 2 "
         "1 0 0",
         note},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        grz_io_model *m;
        read_text("a.off", files[i][0], &m);
        assert_true(m->vertex_count == 3);
        assert_position(m, 0, 0, 0, 0);
        assert_position(m, 1, 1, 0, .5);
        assert_position(m, 2, 0, 1, 0);
        assert_faces(m, "0 1 2|2 1 0 0");
        assert_notes(m, files[i][1]);
        grz_io_model_destroy(m);
    }
}

// What is behind a vertex or a face and is no normal, colour or texture of it.
static void off_rows_with_too_many_numbers_are_noted(void **state)
{
    (void)state;
    static const struct {
        const char *text, *notes;
    } files[] = {
        {"nOFF 3\n3 2 0\n0 0 0\n1 0 .5\n0 1 0\n3 0 1 2\n3 2 1 0\n", ""},
        {"COFF\n3 2 0\n0 0 0 1 1 1 1\n1 0 .5 1 1 1\n0 1 0\n3 0 1 2 1\n3 2 1 0 1 1 1\n", ""},
        {"OFF\n3 2 0\n0 0 0\n1 0 .5 8\n0 1 0 8\n3 0 1 2\n3 2 1 0\n",
         "2 vertices have more numbers than the keyword says, which were skipped, first in line 4"},
        {"NOFF\n3 2 0\n0 0 0 1 1 1\n1 0 .5 1 1 1 1\n0 1 0\n3 0 1 2 0 0\n3 2 1 0 0 0 0 0 0\n",
         "1 vertex has more numbers than the keyword says, which were skipped, first in line 4|"
         "2 faces have numbers behind the corners that are no colour, which were skipped, first in line 6"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        grz_io_model *m;
        read_text("a.off", files[i].text, &m);
        assert_position(m, 1, 1, 0, .5);
        assert_faces(m, "0 1 2|2 1 0");
        assert_notes(m, files[i].notes);
        grz_io_model_destroy(m);
    }
}

// Text numbers are those that are written, whatever the header says of them.
static void ply_text_beyond_its_types_is_noted(void **state)
{
    (void)state;
    static const struct {
        const char *type, *value;
        double x;
        bool noted;
    } cases[] = {
        {"float", "1e40", 1e40, true},
        {"double", "1e40", 1e40, false},
        {"float", "0.1", 0.1, false},
        {"uchar", "255", 255, false},
        {"uchar", "300", 300, true},
        {"uchar", "-1", -1, true},
        {"char", "-128", -128, false},
        {"char", "128", 128, true},
        {"int", "0.5", 0.5, true},
        {"short", "-32769", -32769, true},
        {"uint", "4294967295", 4294967295, false},
        {"ushort", "65536", 65536, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        grz_io_model *m;
        (void)snprintf(text, sizeof text,
                       "ply\nformat ascii 1.0\nelement vertex 3\nproperty %s x\nproperty float y\nproperty float z\n"
                       "element face 1\nproperty list uchar int vertex_indices\nend_header\n%s 0 0\n1 0 0\n0 1 0\n"
                       "3 0 1 2\n",
                       cases[i].type, cases[i].value);
        read_text("a.ply", text, &m);
        assert_position(m, 0, cases[i].x, 0, 0);
        assert_notes(m, cases[i].noted ? "numbers that their declared types cannot hold were read as written, "
                                         "first in line 10"
                                       : "");
        grz_io_model_destroy(m);
    }
}

// One number too few or too many, wherever that can be noticed, with any line breaks.
static void off_of_one_number_more_or_less_is_refused(void **state)
{
    (void)state;
    static const char *const numbers[] = {"0.5", "1.5", "2.5", "3.5", "4.5", "5.5", "6.5", "7.5", "8.5", "9.5",
                                          "8",   "7",   "3",   "0",   "1",   "2",   "3",   "2",   "1",   "3"};
    enum {
        COUNT = sizeof numbers / sizeof *numbers,
        FIRST_FACE = 12
    };
    for (int layout = 0; layout < 4; layout++)
        for (int at = 0; at < COUNT; at++)
            for (int more = 0; more < 2; more++) {
                const bool count = at == FIRST_FACE || at == FIRST_FACE + 4;
                // If rows are lines, an extra number is a colour, and `0 1 2` is a face without corners with the colour
                // 1 2. If they are not, each face's length says where it ends.
                if ((layout == 0 && (more || count)) || (layout > 0 && at >= FIRST_FACE))
                    continue;
                file_text t = {0};
                file_print(&t, "OFF\n4 2 0\n");
                for (int i = 0; i < COUNT; i++) {
                    const bool row = i < FIRST_FACE ? i % 3 == 2 : i % 4 == 3;
                    const bool ends = layout == 0 ? row : layout == 1 ? i % 6 == 5 : layout == 2 ? i % 5 == 4 : true;
                    if (i == at && more)
                        file_print(&t, "7.25 ");
                    if (i != at || more)
                        file_print(&t, "%s", numbers[i]);
                    file_print(&t, ends ? "\n" : " ");
                }
                refuse_bytes("a.off", t.bytes, t.size, "a.off: ");
                free(t.bytes);
            }
}

static void off_mistakes_are_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"4OFF\n1 0 0\n0 0 0 0\n", "line 1: \"4OFF\" has vertices of other than three dimensions"},
        {"nOFF 5\n1 0 0\n", "line 1: nOFF with vertices of \"5\" dimensions is not read, only of 3"},
        {"nOFF\n", "line 2: the file ends where the number of dimensions"},
        {"4nOFF 3\n1 0 0\n", "line 1: \"4nOFF\" has vertices of other"},
        {"OFF BINARY\n", "binary OFF is not supported"},
        {"OFF\n", "the file ends where the number of vertices"},
        {"OFF\n0\n", "line 3: the file ends where the number of faces"},
        {"OFF\n0\n0\n", "line 4: the file ends where the number of edges"},
        {"OFF\n1\n0 0 0\n",
         "line 3: \"0\" after the three counts; or, if rows share lines, line 4: the file ends where the y coordinate"},
        {"OFF\n0 -1 0\n", "line 2: the number of faces \"-1\" is negative"},
        {"OFF\n3 1 0 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "line 2: \"0\" after the three counts"},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1\n3 0 1 2\n",
         "line 6: the vertex that begins in line 5 ends before this line does"},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0 x\n3 0 1 2\n", "line 5: the normal or colour \"x\""},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 inf\n3 0 1 2\n", "line 5: the z coordinate \"inf\""},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "line 6: a corner is vertex 3, but there are 3 vertices"},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n", "line 6: a corner is vertex -1"},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 18446744073709551616\n",
         "line 6: a corner is vertex 1000000000000000000"},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0\n1 2 1 0 0 1 1\n",
         "line 7: the face that begins in line 6 ends before this line does"},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n4 0 1 2\n", "line 7: a face of 4 corners has only 3"},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n999999999999999999999 0 1 2\n",
         "line 7: a face of 1000000000000000000 corners has only 3"},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 1 2\n", "line 7: \"3\" after the last of 1 faces"},
        {"OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "line 7: the file ends after 1 of 2 faces"},
        {"hello\n", "the number of vertices \"hello\" is not a number"},
        {"# only\n", "nothing but comments"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse("a.off", cases[i][0], cases[i][1]);
    refuse("a", "3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
           "(line 1 begins with \"3\")"); // counts alone are OFF only by extension
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ply_text_is_read_in_any_order_and_type),
        cmocka_unit_test(ply_faces_may_come_before_the_vertices),
        cmocka_unit_test(ply_strips_become_triangles),
        cmocka_unit_test(ply_binary_is_read_in_any_order_and_type),
        cmocka_unit_test(ply_binary_triangles_may_be_mixed_with_others),
        cmocka_unit_test(ply_coordinates_have_the_sign_and_width_of_their_type),
        cmocka_unit_test(ply_lists_have_the_sign_and_width_of_their_types),
        cmocka_unit_test(ply_text_rows_need_not_be_lines),
        cmocka_unit_test(ply_text_of_one_number_more_or_less_is_refused),
        cmocka_unit_test(ply_text_faces_may_have_more_numbers_than_the_header_says),
        cmocka_unit_test(ply_mistakes_are_refused),
        cmocka_unit_test(ply_headers_may_have_a_strange_line),
        cmocka_unit_test(off_is_read_with_all_its_extras),
        cmocka_unit_test(off_may_have_white_space_anywhere),
        cmocka_unit_test(off_rows_need_not_be_lines),
        cmocka_unit_test(off_rows_with_too_many_numbers_are_noted),
        cmocka_unit_test(ply_text_beyond_its_types_is_noted),
        cmocka_unit_test(off_of_one_number_more_or_less_is_refused),
        cmocka_unit_test(off_mistakes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
