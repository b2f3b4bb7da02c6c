// SPDX-License-Identifier: MIT
// The file readers on valid files, in all forms that programs write: positions bit for bit, faces in file order, parts,
// notes. Also the mistakes that they refuse, and the messages. Random damage is tested in test_readers_damage.c.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <locale.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include <graze/io.h>

#include "io/text_scan.h"
#include "support_files.h"
#include "support_readers.h"

static char directory[FILE_PATH_SIZE];

#define TRIANGLE "v 0 0 0\nv 1 0 0\nv 0 1 0\n"

static void obj_numbers_are_read_however_they_are_written(void **state)
{
    (void)state;
    grz_io_model *m;
    read_text("a.obj", "v .5 1. 1e5\nv +1 -1 1E-3\r\nv\t-0 \t0.1  -.5e+1 \nv 0x1p3 007 1e-400\nf 1 2 3\n", &m);
    assert_position(m, 0, .5, 1, 1e5);
    assert_position(m, 1, 1, -1, 1e-3);
    assert_position(m, 2, -0.0, 0.1, -5);
    assert_position(m, 3, 8, 7, 0);
    assert_faces(m, "0 1 2");
    assert_notes(m, "");
    assert_parts(m, "");
    assert_null(m->corner_counts);
    grz_io_model_destroy(m);
}

static void obj_faces_are_read_in_all_their_forms(void **state)
{
    (void)state;
    grz_io_model *m;
    read_text("a.obj",
              TRIANGLE
              "v 1 1 0 0.5\nvt 0 0\nvn 0 0 1\nf 1/1 2/1 3/1\nf 1//1 2//1 3//1 # comment\r\nf 1/1/1 2/1/1 4/1/1 3/1/1\n"
              "f -4 -3 -2\nf 1 1 1\nf 1 2 \\\n 3 \\\r\n4 1\nfo 1/ 2// 3/1/\nf 5 6 7\nv 2 0 0 1 0 0\nv 2 1 0 1 1 0.5 "
              "0\nv 2 2 0 1\n",
              &m);
    assert_faces(m, "0 1 2|0 1 2|0 1 3 2|0 1 2|0 0 0|0 1 2 3 0|0 1 2|4 5 6");
    assert_notes(m, "1 vertex has a weight other than 1, which was ignored");
    assert_position(m, 3, 1, 1, 0);
    grz_io_model_destroy(m);
}

static void obj_lines_end_in_lf_crlf_or_cr(void **state)
{
    (void)state;
    static const char *const files[] = {"\xEF\xBB\xBF# mark\nv 0 0 0\nv 1 0 0\n\n\nv 0 1 0\nf 1 2 3",
                                        "# c\\\r\nv 0 0 0\r\nv 1 0 0\r\nv 0 1 0#c\r\nf 1 2 3#c\r\n",
                                        "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        grz_io_model *m;
        read_text("a.obj", files[i], &m);
        assert_true(m->vertex_count == 3);
        assert_faces(m, "0 1 2");
        grz_io_model_destroy(m);
    }
    refuse("a.obj", "v 0 0 0\rv 1 0 0\r\nv 0 1 0\nf 1 2 x\r", "line 4: the corner \"x\"");
}

static void obj_objects_and_groups_become_parts(void **state)
{
    (void)state;
    grz_io_model *m;
    read_text(
        "a.obj",
        TRIANGLE
        "f 1 2 3\no one two\nf 1 2 3\nusemtl red\ns 1\nf 3 2 1\ng a b\nf 1 2 3\ng a b\nf 1 2 3\ng empty\ng\nf 1 2 3\n"
        "o caf\xC3\xA9\nf 1 2 3\no \xE9\x1B[2J\nf 1 2 3\n",
        &m);
    assert_parts(m, "default 0+1|one two 1+2|a b 3+2|default 5+1|caf\xC3\xA9 6+1|\xEF\xBF\xBD\xEF\xBF\xBD[2J 7+1");
    assert_notes(m, "");
    grz_io_model_destroy(m);
}

// Each `o` begins another object, so its name tells it from the others. `g` without a name is the group "default".
static void obj_objects_without_a_name_are_numbered(void **state)
{
    (void)state;
    grz_io_model *m;
    read_text("a.obj",
              TRIANGLE "o\nf 1 2 3\no \nf 1 2 3\no \t \no\nf 1 2 3\no gear\nf 1 2 3\no\r\nf 1 2 3\nf 3 2 1\ng\n"
                       "f 1 2 3\no\nf 1 2 3\n",
              &m);
    assert_parts(m, "object 1 0+1|object 2 1+1|object 4 2+1|gear 3+1|object 6 4+2|default 6+1|object 7 7+1");
    assert_notes(m, "");
    grz_io_model_destroy(m);
}

static void obj_elements_that_are_no_faces_are_counted(void **state)
{
    (void)state;
    grz_io_model *m;
    read_text("a.obj", TRIANGLE "l 1 2\nl 2 3 \\\n1\np 1\nvp 0.5\nf 1 2\nf 3\ncstype bezier\ncurv 0 1 1 2\nf 1 2 3\n",
              &m);
    assert_faces(m, "0 1 2");
    assert_notes(m, "2 line elements skipped|1 point element skipped|1 parameter space vertex skipped|"
                    "2 faces with fewer than 3 corners skipped|2 statements of unsupported kinds skipped, the first "
                    "\"cstype\" in line 11");
    grz_io_model_destroy(m);
}

// FCL's and Coal's env.obj begins with a line of two counts.
static void obj_lines_before_the_first_vertex_are_skipped(void **state)
{
    (void)state;
    grz_io_model *m;
    read_text("a.obj", "1276 2506\n" TRIANGLE "f 1 2 3\n", &m);
    assert_position(m, 1, 1, 0, 0);
    assert_faces(m, "0 1 2");
    assert_notes(m,
                 "1 line that is no statement before the first vertex skipped, the first is line 1, which begins with "
                 "\"1276\"");
    grz_io_model_destroy(m);
    read_text("a", "made by hand\n\n-- \"of course\"\n3 1\n\xC3\xA9\n" TRIANGLE "f 1 2 3\n", &m);
    assert_faces(m, "0 1 2");
    assert_notes(m, "3 lines that are no statements before the first vertex skipped, the first is line 3, which begins "
                    "with \"--\"|1 statement of unsupported kinds skipped, the first \"made\" in line 1");
    grz_io_model_destroy(m);
    refuse("a.obj", "1276 2506\n# nothing\n", "no OBJ file: not one vertex in it, and line 1 begins with \"1276\"");
    refuse("a.obj", "1276 2506\n" TRIANGLE "1 2 3\n", "line 5: \"1\" starts no statement");
    // A text of other lines is given up after a thousand, and the message claims no more than that.
    file_text t = {0};
    for (int i = 0; i < 1000; i++)
        file_print(&t, "%d %d\n", i, i);
    file_print(&t, TRIANGLE "f 1 2 3\n");
    refuse_bytes("a.obj", t.bytes, t.size, "not one vertex in its first 1000 lines, and line 1 begins with \"0\"");
    refuse_bytes("a", t.bytes, t.size, "no OBJ text (line 1 begins with \"0\")");
    read_bytes("a.obj", t.bytes + 4, t.size - 4, &m); // one fewer
    grz_io_model_destroy(m);
    free(t.bytes);
}

static void obj_mistakes_are_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {TRIANGLE "f 1 2 4\n", "line 4: vertex number 4, but the file has only 3 vertices"},
        {TRIANGLE "f 1 2 -4\n", "line 4: vertex number -4"},
        {TRIANGLE "f 0 1 2\n", "line 4: vertex number 0"},
        {TRIANGLE "f 1 2 99999999999999999999/1\n",
         "line 4: vertex number 99999999999999999999, but there can be at most 4294967295 vertices"},
        {TRIANGLE "f 1 2 3/1/1/1\n", "line 4: the corner"},
        {TRIANGLE "f 1 2 3.0\n", "line 4: the corner \"3.0\""},
        {TRIANGLE "f\n", "line 4: a face without corners"},
        {TRIANGLE "f 1 2", "the file ends within a face"},
        {"v 0 0\n" TRIANGLE "f 1 2 3\n", "line 1: the line ends where the z coordinate"},
        {"v nan 0 0\n", "line 1: the x coordinate \"nan\" is not a finite number"},
        {"v 0 -inf 0\n", "line 1: the y coordinate \"-inf\" is not a finite number"},
        {"v 0 0 1e999\n", "line 1: the z coordinate \"1e999\" is not a finite number"},
        {"v 0 0,5 0\n", "line 1: the y coordinate \"0,5\" is not a number"},
        {"v 0 0 0 x\n", "line 1: the weight or colour \"x\""},
        {"v 1 2 3 4 5 6 7 8 9\n", "more than seven"},
        {"v 1 2 3 4 5 6 7 8\n", "more than seven"},
        {"v 1 2 3 4 5\n", "a vertex of five numbers"},
        {"v 1e 0 0\n", "is not a number"},
        {"v . 0 0\n", "is not a number"},
        {"v - 0 0\n", "is not a number"},
        {TRIANGLE "1 2 3\n", "line 4: \"1\" starts no statement"},
        {TRIANGLE, "no faces in it (3 vertices)"},
        {"v\x01 0 0 0\n", "line 1 begins with \"v?\", which starts no statement of OBJ"},
        {"# a letter\nhello world\nf\n", "a face without corners"},
        {"# a letter\nhello world\nbye\n", "a.obj: no OBJ file: not one vertex in it, and line 2 begins with "
                                           "\"hello\", which starts no statement of OBJ"},
        {"# nothing\n", "a.obj: no faces and no vertices in it"},
        {"v 1 2 3\n", "a.obj: no faces in it (1 vertex)"},
        {"", "the file is empty"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse("a.obj", cases[i][0], cases[i][1]);
}

#define FACET(n) "facet normal 0 0 " n "\nouter loop\nvertex 0 0 0\nvertex 1 0 .1\nvertex 0 1 0\nendloop\nendfacet\n"

static void stl_text_is_read_in_all_its_forms(void **state)
{
    (void)state;
    grz_io_model *m;
    read_text("a.stl", "solid a b\n" FACET("1") "\n\n" FACET("-nan(ind)") "endsolid a b\n", &m);
    assert_faces(m, "0 1 2|3 4 5");
    assert_position(m, 1, 1, 0, 0.1);
    assert_parts(m, "a b 0+2");
    grz_io_model_destroy(m);
    read_text(
        "a.stl",
        "SOLID\r\n\tFACET NORMAL 0 0 1 OUTER LOOP VERTEX 0 0 0 VERTEX 1 0 0\rVERTEX 0 1\n0 ENDLOOP ENDFACET ENDSOLID",
        &m);
    assert_faces(m, "0 1 2");
    assert_parts(m, "");
    grz_io_model_destroy(m);
    read_text("a.stl", "solid\n" FACET("1") "endsolid\nsolid none\nendsolid\n\nsolid two\n" FACET("1") "endsolid", &m);
    assert_parts(m, "solid 1 0+1|two 1+1");
    grz_io_model_destroy(m);
}

static void stl_mistakes_are_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"solid\n" FACET("1"), "line 9: the file ends within a solid, before its \"endsolid\""},
        {"solid\nendsolid\n", "no faces"},
        {"solid\nfacet normal 0 0 outer loop\n", "line 2: a normal of fewer than three numbers"},
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n",
         "line 6: \"vertex\" expected, found \"endloop\""},
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 inf\n", "line 5: the z coordinate \"inf\""},
        {"solid\n" FACET("1") "endsolid\nrubbish\n", "line 10: \"solid\" expected, found \"rubbish\""},
        {"solid\nrubbish\n", "line 2: \"facet\" expected, found \"rubbish\""},
        {"rubbish", "no STL: it is a text that does not begin as one, with solid and facet, but with \"rubbish\""},
        {"rub\1bish", "neither an STL text nor"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse("a.stl", cases[i][0], cases[i][1]);
}

static void stl_binary_is_recognised_by_its_size_whatever_its_header(void **state)
{
    (void)state;
    file_sample samples[FILE_SAMPLE_COUNT];
    make_file_samples(samples);
    file_sample *s = &samples[2];
    static const char *const names[] = {"a.stl", "a.STL", "a", "a.obj"};
    grz_io_model *m;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (i == 3)
            continue; // an extension of ours is believed
        read_bytes(names[i], s->bytes, s->size, &m);
        assert_true(m->vertex_count == 36 && m->face_count == 12);
        grz_io_model_destroy(m);
    }
    unsigned char *longer = calloc(1, s->size + 7);
    assert_non_null(longer);
    memcpy(longer, s->bytes, s->size);
    read_bytes("a.stl", longer, s->size + 7, &m);
    assert_notes(m, "7 bytes after the last facet ignored");
    grz_io_model_destroy(m);
    longer[80] = 0;
    refuse_bytes("a.stl", longer, s->size, "declares no facets");
    longer[80] = 13;
    refuse_bytes("a.stl", longer, s->size,
                 "byte 80: the header of the binary STL declares 13 facets, but the file has room for 12");
    free(longer);
    finish_file_samples(samples);
}

static void check_number(const char *text)
{
    text_scan s = grz_io_scan_text((const unsigned char *)text, strlen(text), SCAN_NO_COMMENTS, false);
    double got = 0, truth = strtod(text, NULL);
    assert_true(grz_io_scan_double(&s, &got) == SCAN_OK);
    if (bits_of(got) != bits_of(truth))
        fail_msg("%s: got %a, strtod has %a", text, got, truth);
    assert_true(s.at == s.end);
    // Digits after the blank belong to the next number.
    char longer[500];
    snprintf(longer, sizeof longer, "%s 12345678", text);
    s = grz_io_scan_text((const unsigned char *)longer, strlen(longer), SCAN_NO_COMMENTS, false);
    assert_true(grz_io_scan_double(&s, &got) == SCAN_OK && s.at == (const unsigned char *)longer + strlen(text));
    if (bits_of(got) != bits_of(truth))
        fail_msg("%s: got %a, strtod has %a", longer, got, truth);
}

static void numbers_are_those_of_strtod(void **state)
{
    (void)state;
    static const char *const hard[] = {"9007199254740993",
                                       "9007199254740992.5",
                                       "9007199254740993.0000000000000000000000001",
                                       "18446744073709551615",
                                       "18446744073709551616",
                                       "1844674407370955161.5e1",
                                       "0.1e-22",
                                       "1e22",
                                       "1e23",
                                       "123456789012345678e-19",
                                       "9999999999999999999",
                                       "9999999999999999999e-19",
                                       "0.00000000000000000000000000000000000001",
                                       "2.2250738585072011e-308",
                                       "4.9e-324",
                                       "2e-324",
                                       "1.7976931348623157e308",
                                       "0e99999999999",
                                       "-0e-99999999999",
                                       "00000000000000000000000000.5",
                                       "1.00000000000000011102230246251565404236316680908203125",
                                       "1.00000000000000011102230246251565404236316680908203124",
                                       "8.5",
                                       "1e-5",
                                       "5e-1"};
    static const char *const formats[] = {"%.17g", "%.16g", "%.9g", "%.6f", "%.19g", "%.3e", "%.25g", "%a"};
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++)
        check_number(hard[i]);
    uint64_t seed = 42;
    char text[400];
    for (int i = 0; i < 400000; i++) {
        uint64_t bits = file_random(&seed);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (i % 2) // of everyday size
            value = ldexp((double)(int64_t)bits, -64 + (int)(bits % 13) - 6);
        if (!isfinite(value))
            continue;
        snprintf(text, sizeof text, formats[i / 2 % 8], value);
        check_number(text);
        // Digits with a point at any place: ties and near ties, which printf seldom prints.
        snprintf(text, sizeof text, "%llu.%0*llu", (unsigned long long)(bits >> (bits % 64)), (int)(bits % 20),
                 (unsigned long long)(file_random(&seed) % 100000));
        check_number(text);
    }
}

// Integers are read several digits at a time. The value must not depend on the bytes behind them, or on how near the
// end of the text is.
static void integers_end_where_their_digits_do(void **state)
{
    (void)state;
    static const unsigned char ends[] = {' ', '\n', '/', ':', '-', '.', 0, 0x1f, 0x80, 0xb0, 0xb9, 0xff};
    uint64_t seed = 11;
    for (int i = 0; i < 200000; i++) {
        unsigned char text[40];
        const size_t digits = 1 + (size_t)(file_random(&seed) % 20), tail = (size_t)(file_random(&seed) % 12);
        const bool sign = file_random(&seed) % 4 == 0, negative = sign && file_random(&seed) % 2;
        size_t n = 0;
        int64_t truth = 0, got = 0;
        if (sign)
            text[n++] = negative ? '-' : '+';
        for (size_t k = 0; k < digits; k++) {
            const int digit = (int)(file_random(&seed) % 10);
            text[n++] = (unsigned char)('0' + digit);
            truth = truth < INT64_C(100000000000000000) ? truth * 10 + digit : INT64_C(1000000000000000000);
        }
        const unsigned char *end = text + n;
        for (size_t k = 0; k < tail; k++) // first a byte that is no digit, then any bytes
            text[n++] = k == 0 ? ends[file_random(&seed) % sizeof ends] : (unsigned char)file_random(&seed);
        const unsigned char *at = text;
        if (!scan_digits(&at, text + n, &got) || at != end || got != (negative ? -truth : truth))
            fail_msg("%.*s: got %lld, %d of %d bytes", (int)n, (const char *)text, (long long)got, (int)(at - text),
                     (int)(end - text));
    }
}

static void doubles_survive_text_and_binary_bit_for_bit(void **state)
{
    (void)state;
    enum {
        COUNT = 3000
    };
    static double values[3 * COUNT];
    uint64_t seed = 7;
    for (int i = 0; i < 3 * COUNT; i++)
        do {
            uint64_t bits = file_random(&seed);
            memcpy(&values[i], &bits, sizeof bits);
        } while (!isfinite(values[i]));
    file_text files[4] = {0};
    static const char *const names[] = {"a.obj", "a.off", "a.ply", "b.ply"};
    file_print(&files[1], "OFF\n%d 1 0\n", (int)COUNT);
    file_print(&files[2], PLY("ascii", "element vertex %d\n"), (int)COUNT);
    file_print(&files[3], PLY("binary_big_endian", "element vertex %d\n"), (int)COUNT);
    for (int i = 2; i < 4; i++)
        file_print(&files[i],
                   "property double x\nproperty double y\nproperty double z\n" PLY_FACES("1") "end_header\n");
    for (int v = 0; v < COUNT; v++) {
        const double *p = values + (ptrdiff_t)3 * v;
        file_print(&files[0], "v %.17g %.17g %.17g\n", p[0], p[1], p[2]);
        for (int i = 1; i < 3; i++)
            file_print(&files[i], "%.17g %.17g %.17g\n", p[0], p[1], p[2]);
        for (int k = 0; k < 3; k++)
            file_append_double(&files[3], p[k], true);
    }
    file_print(&files[0], "f 1 2 3\n");
    file_print(&files[1], "3 0 1 2\n");
    file_print(&files[2], "3 0 1 2\n");
    file_append(&files[3], "\3\0\0\0\0\0\0\0\1\0\0\0\2", 13);
    for (int i = 0; i < 4; i++) {
        grz_io_model *m;
        read_bytes(names[i], files[i].bytes, files[i].size, &m);
        assert_true(m->vertex_count == COUNT);
        assert_memory_equal(m->positions, values, sizeof values);
        grz_io_model_destroy(m);
        free(files[i].bytes);
    }
}

static void content_decides_the_format_before_the_extension(void **state)
{
    (void)state;
    file_sample samples[FILE_SAMPLE_COUNT];
    make_file_samples(samples);
    for (int i = 0; i < FILE_SAMPLE_COUNT; i++) {
        const file_sample *s = &samples[i];
        grz_io_model *m;
        grz_error error;
        static const char *const names[] = {"noextension", "upper.OBJ", "/dev/stdin", "dir.ply/x"};
        for (size_t k = 0; k < 4; k++) {
            if (k == 1 && i == 2)
                continue; // a binary STL is recognised by its size only
            if (grz_io_load_memory(names[k], s->bytes, s->size, NULL, &m, &error) != GRZ_OK)
                fail_msg("%s as %s: %s", s->name, names[k], error.message);
            assert_true(m->vertex_count == s->vertex_count && m->face_count == s->face_count &&
                        m->part_count == s->part_count);
            grz_io_model_destroy(m);
        }
    }
    refuse_bytes("x.zip", "PK\5\6\0\0", 6, "x.zip: ");
    refuse_bytes("x",
                 "\x7f"
                 "ELF\0\1\2",
                 7, "x: no model of a known format: neither first bytes nor extension name one");
    // Any text may be OBJ, so it is tried. If it is not OBJ at all, the message says so, rather than naming a mistake.
    refuse(
        "a.txt", "hello world\nbye\n",
        "a.txt: no model of a known format: neither first bytes nor extension name one, and it is no OBJ text (line 1 "
        "begins with \"hello\")");
    refuse("a.csv", "\n1,2,3\n4,5,6\n", "no OBJ text (line 2 begins with \"1,2,3\")");
    refuse("a", "v 0 0 0\n1 2 3\n", "line 2: \"1\" starts no statement of an OBJ file");
    finish_file_samples(samples);
}

static void files_that_cannot_be_read_are_named(void **state)
{
    (void)state;
    char path[FILE_PATH_SIZE];
    grz_error error;
    grz_io_model *m;
    assert_int_equal(grz_io_load_file("/nonexistent/a\nb.obj", NULL, &m, &error), GRZ_ERROR_FILE);
    assert_string_equal(error.message, "/nonexistent/a\nb.obj: cannot be opened: No such file or directory");
    assert_int_equal(grz_io_load_file(directory, NULL, &m, &error), GRZ_ERROR_FILE);
    assert_non_null(strstr(error.message, ": is a directory"));
    assert_int_equal(grz_io_load_file("/dev/null", NULL, &m, &error), GRZ_ERROR_FILE);
    assert_string_equal(error.message, "/dev/null: is a device, neither a file nor a pipe");
    write_test_file(directory, "empty.obj", "", 0, path);
    assert_int_equal(grz_io_load_file(path, NULL, &m, &error), GRZ_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "empty.obj: the file is empty"));
    if (geteuid() != 0 && chmod(path, 0) == 0) {
        assert_int_equal(grz_io_load_file(path, NULL, &m, &error), GRZ_ERROR_FILE);
        assert_non_null(strstr(error.message, "Permission denied"));
    }
    char long_name[3000];
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    assert_int_equal(grz_io_load_file(long_name, NULL, &m, &error), GRZ_ERROR_FILE);
    assert_true(strncmp(error.message, "...xxx", 6) == 0);
    assert_non_null(strstr(error.message, "x: cannot be opened: File name too long"));
}

// A pipe is a file of unknown length: one is opened through /dev/fd, written to by a child.
static void pipes_are_read_to_their_end(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    char path[40];
    grz_error error;
    (void)snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    const char *text = TRIANGLE "f 1 2 3\n";
    assert_int_equal(write(ends[1], text, strlen(text)), (ssize_t)strlen(text));
    close(ends[1]);
    grz_io_model *m;
    if (grz_io_load_file(path, NULL, &m, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    assert_faces(m, "0 1 2");
    grz_io_model_destroy(m);
    close(ends[0]);
}

static void the_locale_does_not_matter(void **state)
{
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "C.UTF-8"};
    const char *set = NULL;
    for (size_t i = 0; i < 4 && !set; i++)
        set = setlocale(LC_ALL, locales[i]);
    grz_io_model *m;
    read_text("a.obj", "v 0.1 2.5e-300 0.12345678901234567890123\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", &m);
    assert_position(m, 0, 0.1, 2.5e-300, 0.12345678901234567890123);
    grz_io_model_destroy(m);
    setlocale(LC_ALL, "C");
}

static int make_directory(void **state)
{
    (void)state;
    make_test_directory(directory);
    return 0;
}

static int remove_directory(void **state)
{
    (void)state;
    remove_test_directory(directory);
    return 0;
}

// The 80 bytes before a binary STL's facets are anybody's.
static void the_text_of_an_stl_header_names_no_format(void **state)
{
    (void)state;
    static const char *const headers[] = {"ply ",           "ply\nformat ascii 1.0\n", "glTF",      "OFF 3 parts",
                                          "{\"asset\":{}}", "PK\3\4 3D/3dmodel.model", "<COLLADA>", "solid\nfacet",
                                          "\x1f\x8b\x08"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        unsigned char file[84 + 50] = {0};
        const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
        grz_io_model *m;
        memcpy(file, headers[i], strlen(headers[i]));
        file[80] = 1;
        memcpy(file + 96, corners, sizeof corners);
        read_bytes("a.STL", file, sizeof file, &m);
        assert_string_equal(m->format, "STL");
        assert_true(m->face_count == 1);
        grz_io_model_destroy(m);
    }
}

// A folder of Windows at the end of a line swallows nothing: the next line is a vertex.
static void a_backslash_ends_a_name_and_joins_numbers(void **state)
{
    (void)state;
    static const char *const words[] = {"o", "g", "mtllib", "usemtl", "usemap", "maplib", "#", "call", "texture"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (int crlf = 0; crlf < 2; crlf++) {
            char text[200];
            grz_io_model *m;
            (void)snprintf(text, sizeof text, "%s C:\\parts\\%s\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", words[i],
                           crlf ? "\r" : "");
            read_text("a.obj", text, &m);
            assert_true(m->vertex_count == 3 && m->face_count == 1);
            if (i < 2)
                assert_parts(m, "C:\\parts\\ 0+1");
            grz_io_model_destroy(m);
        }
    grz_io_model *m;
    read_text("a.obj", "v 0 \\\n0 0\nv 1 0 0\nv 0 1 \\\r\n0\nvt 1 \\\n2\nf 1 2\\\n 3\n", &m);
    assert_true(m->vertex_count == 3 && m->face_count == 1);
    assert_notes(m, "");
    grz_io_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obj_numbers_are_read_however_they_are_written),
        cmocka_unit_test(obj_faces_are_read_in_all_their_forms),
        cmocka_unit_test(obj_lines_end_in_lf_crlf_or_cr),
        cmocka_unit_test(obj_objects_and_groups_become_parts),
        cmocka_unit_test(obj_objects_without_a_name_are_numbered),
        cmocka_unit_test(obj_elements_that_are_no_faces_are_counted),
        cmocka_unit_test(obj_lines_before_the_first_vertex_are_skipped),
        cmocka_unit_test(obj_mistakes_are_refused),
        cmocka_unit_test(stl_text_is_read_in_all_its_forms),
        cmocka_unit_test(stl_mistakes_are_refused),
        cmocka_unit_test(stl_binary_is_recognised_by_its_size_whatever_its_header),
        cmocka_unit_test(numbers_are_those_of_strtod),
        cmocka_unit_test(integers_end_where_their_digits_do),
        cmocka_unit_test(doubles_survive_text_and_binary_bit_for_bit),
        cmocka_unit_test(content_decides_the_format_before_the_extension),
        cmocka_unit_test(files_that_cannot_be_read_are_named),
        cmocka_unit_test(pipes_are_read_to_their_end),
        cmocka_unit_test(the_text_of_an_stl_header_names_no_format),
        cmocka_unit_test(a_backslash_ends_a_name_and_joins_numbers),
        cmocka_unit_test(the_locale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
