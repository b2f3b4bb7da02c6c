// SPDX-License-Identifier: MIT
// What a program sees of 3MF files: parts and instances, names, unit and up axis, notes, limits. That each form of the
// format is read bit for bit, and each bad file refused by name: python/tests/test_3mf.py, beside a second reader. The
// sizes of what a small file may ask for: python/tests/test_3mf_bombs.py.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/io.h>

#include "support_allocator.h"
#include "support_package.h"
#include "support_readers.h"

#define CORE "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
#define PRODUCTION "http://schemas.microsoft.com/3dmanufacturing/production/2015/06"

// A square in the plane z = 0, of two triangles.
#define SQUARE                                                                                                         \
    "<mesh><vertices><vertex x=\"0\" y=\"0\" z=\"0\"/><vertex x=\"1\" y=\"0\" z=\"0\"/><vertex x=\"1\" y=\"1\" "       \
    "z=\"0\"/><vertex x=\"0\" y=\"1\" z=\"0\"/></vertices><triangles><triangle v1=\"0\" v2=\"1\" v3=\"2\"/><triangle " \
    "v1=\"0\" v2=\"2\" v3=\"3\"/></triangles></mesh>"
#define OBJECT(id, attributes) "<object id=\"" id "\" " attributes ">" SQUARE "</object>"
#define ITEM(id, attributes) "<item objectid=\"" id "\" " attributes "/>"
#define COMPONENT(id, attributes) "<component objectid=\"" id "\" " attributes "/>"

// The XML of a model. `attributes` are the model's own.
static void print_model(file_text *t, const char *attributes, const char *objects, const char *items)
{
    file_print(t, "<model xmlns=\"" CORE "\" xmlns:p=\"" PRODUCTION "\" %s>", attributes);
    file_append(t, "<resources>", 11);
    file_append(t, objects, strlen(objects));
    file_append(t, "</resources><build>", 19);
    file_append(t, items, strlen(items));
    file_append(t, "</build></model>", 16);
}

// A package of one model.
static void make(file_text *t, const char *attributes, const char *objects, const char *items)
{
    file_text model = {0};
    package p = {0};
    print_model(&model, attributes, objects, items);
    package_of_model(&p, model.bytes, model.size);
    package_end(&p);
    free(model.bytes);
    *t = p.archive;
}

static grz_io_model *read_with(const file_text *t, const grz_io_options *options)
{
    grz_io_model *m;
    grz_error error;
    if (grz_io_load_memory("a.3mf", t->bytes, t->size, options, &m, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return m;
}

static void items_are_parts_with_unit_and_z_up(void **state)
{
    (void)state;
    static const struct {
        const char *unit;
        double metres;
    } units[] = {{"", 0.001},
                 {"unit=\"micron\"", 1e-6},
                 {"unit=\"millimeter\"", 0.001},
                 {"unit=\"centimeter\"", 0.01},
                 {"unit=\"inch\"", 0.0254},
                 {"unit=\"foot\"", 0.3048},
                 {"unit=\"meter\"", 1}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        file_text t;
        make(&t, units[i].unit, OBJECT("5", "name=\"left\"") OBJECT("6", ""),
             ITEM("5", "") ITEM("6", "transform=\"-1 0 0 0 1 0 0 0 1 2 0 7\""));
        grz_io_model *m = read_with(&t, NULL);
        assert_string_equal(m->format, "3MF");
        assert_true(bits_of(m->unit_in_metres) == bits_of(units[i].metres) && m->up_axis == GRZ_IO_UP_Z);
        assert_parts(m, "left 0+2|object 6 2+2");
        assert_faces(m, "0 1 2|0 2 3|4 6 5|4 7 6"); // the second is mirrored: its corners turn round
        assert_position(m, 5, 1, 0, 7);
        assert_notes(m, "");
        grz_io_model_destroy(m);
        free(t.bytes);
    }
}

// The innermost object that has a name, then the innermost with a part number, then the item's, then the number.
static void parts_have_the_nearest_name(void **state)
{
    (void)state;
    file_text t;
    make(&t, "",
         OBJECT("1", "") OBJECT("2", "name=\"leaf &lt;&amp;&#228;&gt;\" partnumber=\"n2\"")
             OBJECT("3", "partnumber=\"n3\"") "<object id=\"10\" name=\"group\"><components>" COMPONENT("1", "")
                 COMPONENT("2", "")
                     COMPONENT("3", "") "</components></object>"
                                        "<object id=\"11\" partnumber=\"n11\"><components>" COMPONENT("1", "")
                                            COMPONENT("3", "") "</components></object>",
         ITEM("10", "partnumber=\"i\"") ITEM("11", "partnumber=\"i\"") ITEM("1", "partnumber=\"i\"") ITEM("1", ""));
    grz_io_model *m = read_with(&t, NULL);
    assert_parts(m, "group 0+2|leaf <&\xc3\xa4> 2+2|group 4+2|n11 6+2|n3 8+2|i 10+2|object 1 12+2");
    grz_io_model_destroy(m);
    free(t.bytes);
}

static void instances_share_meshes_where_they_are_kept(void **state)
{
    (void)state;
    file_text t;
    grz_io_options options = grz_io_default_options();
    make(&t, "",
         OBJECT("1", "") "<object id=\"2\"><components>" COMPONENT("1", "transform=\"1 0 0 0 1 0 0 0 1 2 0 0\"")
             COMPONENT("1", "transform=\"-1 0 0 0 1 0 0 0 1 0 0 0\"") "</components></object>" OBJECT("9", ""),
         ITEM("1", "partnumber=\"a\"") ITEM("2", "transform=\"0 1 0 -1 0 0 0 0 1 0 0 5\" partnumber=\"b\""));
    options.keep_instances = true;
    grz_io_model *m = read_with(&t, &options);
    assert_true(m->part_count == 0 && m->mesh_count == 2 && m->instance_count == 3 && m->vertex_count == 8);
    assert_faces(m, "0 1 2|0 2 3|0 2 1|0 3 2"); // corners count mesh by mesh; the second mesh is for mirrors
    assert_string_equal(m->instances[0].name, "a");
    assert_string_equal(m->instances[2].name, "b");
    assert_true(m->instances[0].mesh == 0 && m->instances[1].mesh == 0 && m->instances[2].mesh == 1);
    // A point is a row before the matrix: x moves to y, then 2 along x is 2 along y.
    const double(*matrix)[4] = (const double(*)[4])m->instances[1].matrix;
    assert_true(bits_of(matrix[1][0]) == bits_of(1) && bits_of(matrix[0][1]) == bits_of(-1) &&
                bits_of(matrix[1][3]) == bits_of(2) && bits_of(matrix[2][3]) == bits_of(5));
    assert_notes(m, "1 object with a mesh is outside the build and left out");
    grz_io_model_destroy(m);
    free(t.bytes);
}

#define COMPATIBILITY "xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\" "
#define EXTENSIONS                                                                                                     \
    "xmlns:s=\"http://schemas.microsoft.com/3dmanufacturing/slice/2015/07\" xmlns:o=\"http://a.org\" "                 \
    "xmlns:a=\"http://schemas.microsoft.com/3dmanufacturing/production/alternatives/2021/04\" "

static void what_is_left_out_or_unusual_is_noted(void **state)
{
    (void)state;
    file_text t, child = {0}, model = {0};
    package p = {0};
    print_model(
        &model, EXTENSIONS "recommendedextensions=\"p o\"",
        OBJECT("1", "type=\"support\" s:slicestackid=\"4\"") OBJECT("2", "type=\"solidsupport\"")
            OBJECT("3", "type=\"other\"") OBJECT(
                "4",
                "") "<object id=\"5\"><mesh><vertices/><triangles/></mesh><a:alternatives/><o:one/><o:two/></object>"
                    "<object id=\"6\" a:modelresolution=\"lowres\">" SQUARE "</object>",
        ITEM("1", "printable=\"0\"") ITEM("2", "printable=\"1\"") ITEM("3", "") ITEM("5", "")
            ITEM("1", "p:path=\"/3D/b.model\""));
    file_print(&child,
               "<model xmlns=\"" CORE "\"><resources><object id=\"1\"><mesh><vertices><vertex x=\"0\" y=\"0\" z=\"0\"/>"
               "</vertices><triangles><triangle v1=\"0\" v2=\"0\" v3=\"0\"/></triangles></mesh></object></resources>"
               "<build><item objectid=\"1\"/></build></model>");
    package_of_model(&p, model.bytes, model.size);
    package_add(&p, "3D/b.model", child.bytes, child.size);
    package_add(&p, "3D/c.MODEL", "", 0);
    package_end(&p);
    grz_io_model *m = read_with(&p.archive, NULL);
    assert_notes(m, "extension \"o\" ignored, which the model recommends and does not require|"
                    "2 objects with meshes are outside the build and left out|"
                    "1 model file that the root model does not name left out|"
                    "1 build item outside the root model has no meaning and is left out|"
                    "1 object without triangles left out|"
                    "1 object has slices as well, which are left out: its mesh is read|"
                    "1 object has alternatives, which are left out|"
                    "2 elements of extensions left out, the first \"one\"|"
                    "1 item of the build is marked as not to be printed, and read|"
                    "2 parts are support structures, and read|"
                    "1 part is of type \"other\", and read|1 triangle names a vertex twice");
    assert_parts(m, "object 1 0+2|object 2 2+2|object 3 4+2|object 1 6+1");
    grz_io_model_destroy(m);
    free(p.archive.bytes);
    free(model.bytes);
    free(child.bytes);
    // An object that cannot be read is no matter where the build does not show it.
    make(&t, "xmlns:b=\"http://a.org/beamlattice/1\" color=\"red\"",
         OBJECT("1", "b:x=\"\"") "<object id=\"2\"><b:beamlattice/></object><b:list/><b:list/>",
         "<b:more/>" ITEM("1", "Color=\"\" p:UUID=\"5\""));
    m = read_with(&t, NULL);
    assert_notes(m, "3 elements of extensions left out, the first \"list\"|"
                    "2 attributes that 3MF does not have ignored, the first \"color\"");
    grz_io_model_destroy(m);
    free(t.bytes);
    make(&t, "xmlns:b=\"http://a.org/beamlattice/1\"", "<object id=\"2\"><b:beamlattice/></object>", ITEM("2", ""));
    refuse_bytes("a.3mf", t.bytes, t.size, "object 2: it has an element \"beamlattice\": beam lattices are not read");
    free(t.bytes);
    // What would leave an object where it is not, or in another size.
    make(&t, "", OBJECT("1", ""), ITEM("1", "Transform=\"1 0 0 0 1 0 0 0 1 5 0 0\""));
    refuse_bytes("a.3mf", t.bytes, t.size,
                 "the item has an attribute \"Transform\", which 3MF does not have: transform is meant?");
    free(t.bytes);
    make(&t, "", OBJECT("1", "ID=\"7\""), ITEM("1", ""));
    refuse_bytes("a.3mf", t.bytes, t.size, "the object has an attribute \"ID\", which 3MF does not have: id is meant?");
    free(t.bytes);
    make(&t, COMPATIBILITY "xmlns:b=\"urn:b\" mc:MustUnderstand=\"b\"", OBJECT("1", ""), ITEM("1", ""));
    refuse_bytes("a.3mf", t.bytes, t.size, "the model requires the extension \"b\", urn:b: it is not known here");
    free(t.bytes);
    make(&t, COMPATIBILITY, OBJECT("1", ""), "<mc:AlternateContent/>" ITEM("1", ""));
    refuse_bytes("a.3mf", t.bytes, t.size, "\"AlternateContent\" of \"markup compatibility\" is not read");
    free(t.bytes);
    make(&t, EXTENSIONS, "<object id=\"6\" a:modelresolution=\"lowres\">" SQUARE "</object>", ITEM("6", ""));
    refuse_bytes("a.3mf", t.bytes, t.size, "object 6: its mesh is a coarse or changed stand-in");
    free(t.bytes);
}

static void packages_are_recognised(void **state)
{
    (void)state;
    file_text t;
    grz_io_evidence evidence;
    make(&t, "", OBJECT("1", ""), ITEM("1", ""));
    assert_string_equal(grz_io_detect(NULL, t.bytes, t.size, &evidence), "3MF");
    assert_int_equal(evidence, GRZ_IO_BY_BYTES);
    assert_string_equal(grz_io_detect("a.pack", "PK\3\4", 4, &evidence), "3MF");
    assert_int_equal(evidence, GRZ_IO_GUESS);
    assert_string_equal(grz_io_detect("a.3MF", "PK\3\4", 4, &evidence), "3MF");
    assert_int_equal(evidence, GRZ_IO_BY_BYTES);
    assert_string_equal(grz_io_detect("a.3mf", "v 0 0 0", 7, &evidence), "3MF");
    assert_int_equal(evidence, GRZ_IO_BY_NAME);
    refuse_bytes("a.3mf", "v 0 0 0", 7, "no 3MF: a 3MF is a zip archive, and this begins with \"v 0 0 0\"");
    refuse_bytes("a.3mf", "PK\3\4 0 0", 8, "the zip archive is damaged: its end is missing: it may be cut");
    file_text around = {0};
    file_append(&around, "#!/bin/sh\n", 10);
    file_append(&around, t.bytes, t.size);
    refuse_bytes("a.3mf", around.bytes, around.size, "the zip archive is damaged: there are 10 bytes before it");
    free(around.bytes);
    file_append(&t, "and", 3);
    refuse_bytes("a.3mf", t.bytes, t.size, "the zip archive is damaged: there are 3 bytes behind its end");
    free(t.bytes);
}

// Components that hold components: 100 deep are read, more are not; each twice in the next would be 2^22 or 2^60.
static void chains_of_components_end(void **state)
{
    (void)state;
    for (int depth = 99; depth < 102; depth++) {
        file_text objects = {0}, t;
        char item[64];
        file_print(&objects, "%s", "<object id=\"0\">" SQUARE "</object>");
        for (int i = 1; i <= depth; i++)
            file_print(&objects,
                       "<object id=\"%d\"><components><component objectid=\"%d\" transform=\"1 0 0 0 1 0 0 0 1 0 0 "
                       "1\"/></components></object>",
                       i, i - 1);
        file_append(&objects, "", 1);
        (void)snprintf(item, sizeof item, "<item objectid=\"60\"/><item objectid=\"%d\"/>", depth);
        make(&t, "", (const char *)objects.bytes, item);
        if (depth <= 100) {
            grz_io_model *m = read_with(&t, NULL);
            assert_position(m, 0, 0, 0, 60);
            assert_position(m, 4, 0, 0, depth);
            grz_io_model_destroy(m);
        } else {
            refuse_bytes("a.3mf", t.bytes, t.size, "components are more than 100 deep within each other");
        }
        free(objects.bytes);
        free(t.bytes);
    }
    static const int levels[] = {22, 60}; // the first would fit into memory
    for (int k = 0; k < 2; k++) {
        char item[64];
        file_text objects = {0}, t;
        file_print(&objects, "%s", "<object id=\"0\">" SQUARE "</object>");
        for (int i = 1; i <= levels[k]; i++)
            file_print(&objects,
                       "<object id=\"%d\"><components><component objectid=\"%d\"/><component "
                       "objectid=\"%d\"/></components></object>",
                       i, i - 1, i - 1);
        file_append(&objects, "", 1);
        (void)snprintf(item, sizeof item, "<item objectid=\"%d\"/>", levels[k]);
        make(&t, "", (const char *)objects.bytes, item);
        refuse_bytes("a.3mf", t.bytes, t.size,
                     "line 1: the items up to this one show more objects than a file of this size may");
        free(objects.bytes);
        free(t.bytes);
    }
}

// A mesh of 2,000 vertices and triangles, a row a line; `quote` is that of its attributes. `bad`: the last corner is no
// vertex.
static void make_rows(file_text *t, char quote, bool bad)
{
    file_text objects = {0};
    const char q = quote;
    uint64_t seed = 7;
    enum {
        ROWS = 2000
    };
    file_print(&objects, "<object id=\"1\"><mesh><vertices>\n");
    for (int i = 0; i < ROWS; i++)
        file_print(&objects, "<vertex x=%c%.17g%c y=%c-%d.5e-3%c z=%c %d%c/>%s", q, (double)file_random(&seed) * 1e-19,
                   q, q, i, q, q, i, q,
                   i % 3 == 0   ? "\r\n"
                   : i % 3 == 1 ? "\r"
                                : "\n");
    file_print(&objects, "</vertices>\n<triangles>\n");
    for (int i = 0; i < ROWS; i++)
        file_print(&objects, "<triangle v1=%c%d%c v2=%c%d%c v3=%c%d%c pid=%c1%c p1=%c0%c />\n", q, i, q, q,
                   (int)(file_random(&seed) % ROWS), q, q, bad && i == ROWS - 1 ? ROWS : 0, q, q, q, q, q);
    file_print(&objects, "</triangles></mesh></object>");
    file_append(&objects, "", 1);
    make(t, "", (const char *)objects.bytes, ITEM("1", ""));
    free(objects.bytes);
}

// Rows in the usual quotes are read before expat; it counts their lines nevertheless.
static void rows_are_the_same_whoever_reads_them(void **state)
{
    (void)state;
    file_text plain, other;
    make_rows(&plain, '"', false);
    make_rows(&other, '\'', false);
    grz_io_model *a = read_with(&plain, NULL), *b = read_with(&other, NULL);
    assert_true(a->vertex_count == 2000 && b->vertex_count == 2000 && a->face_count == 2000 && b->face_count == 2000);
    assert_memory_equal(a->positions, b->positions, 2000 * 3 * sizeof(double));
    assert_memory_equal(a->indices, b->indices, 2000 * 3 * sizeof(uint32_t));
    assert_position(a, 3, a->positions[9], -0.0035, 3);
    grz_io_model_destroy(a);
    grz_io_model_destroy(b);
    free(plain.bytes);
    free(other.bytes);
    for (int i = 0; i < 2; i++) {
        make_rows(&plain, i == 0 ? '"' : '\'', true);
        refuse_bytes("a.3mf", plain.bytes, plain.size,
                     "3D/3dmodel.model: line 4003: triangle 1999: v3 is 2000, but the mesh has 2000 vertices");
        free(plain.bytes);
    }
}

// What looks like a row is none in a comment, in other elements, and where its name has another meaning.
static void what_looks_like_a_row_may_be_none(void **state)
{
    (void)state;
#define ROW "<vertex x=\"7\" y=\"7\" z=\"7\"/>"
    static const char *const places[] = {"<!--" ROW ROW "-->", "<o:a xmlns:o=\"http://a.org\">" ROW ROW "</o:a>",
                                         "<![CDATA[" ROW ROW "]]>", "<?go " ROW ROW "?>",
                                         "<a xmlns=\"http://a.org\">" ROW ROW "</a>"};
    for (size_t k = 0; k < 2 * (sizeof places / sizeof *places); k++) {
        const size_t i = k / 2;
        file_text objects = {0}, t;
        file_print(&objects, "<object id=\"1\"><mesh>%s<vertices>%s", k % 2 == 0 ? places[i] : "", places[i]);
        file_print(&objects, "%s", "<vertex x=\"0\" y=\"0\" z=\"0\"/>" ROW ROW);
        file_print(&objects,
                   "%s</vertices><triangles><triangle v1=\"0\" v2=\"1\" v3=\"2\"/>%s</triangles></mesh></object>",
                   places[i], places[i]);
        file_append(&objects, "", 1);
        make(&t, "", (const char *)objects.bytes, ITEM("1", ""));
        grz_io_model *m = read_with(&t, NULL);
        assert_true(m->vertex_count == 3 && m->face_count == 1);
        grz_io_model_destroy(m);
        free(objects.bytes);
        free(t.bytes);
    }
    file_text t;
    make(&t, "",
         "<object id=\"1\"><mesh><vertices>" ROW
         "<vertex x=\"0x8\" y=\"7\" z=\"7\"/></vertices><triangles/></mesh></object>",
         ITEM("1", ""));
    refuse_bytes("a.3mf", t.bytes, t.size, "vertex 1: x: \"0x8\" is not a number");
    free(t.bytes);
    make(&t, "",
         "<object id=\"1\"><mesh><vertices>" ROW
         "<vertex x=\"1\" y=\"7,5\" z=\"7\"/></vertices><triangles/></mesh></object>",
         ITEM("1", ""));
    refuse_bytes("a.3mf", t.bytes, t.size, "vertex 1: y: \"7,5\" is not a number");
    free(t.bytes);
#undef ROW
}

// An object 1 in each of two files.
static void numbers_count_in_their_file(void **state)
{
    (void)state;
    file_text model = {0}, child = {0};
    package p = {0};
    print_model(&child, "", OBJECT("1", "name=\"theirs\""), "");
    print_model(&model, "requiredextensions=\"p\"",
                OBJECT("1", "name=\"ours\"") "<object id=\"2\"><components>" COMPONENT("1", "p:path=\"/3d/%62.model\"")
                    COMPONENT("1", "") "</components></object>",
                ITEM("2", ""));
    package_of_model(&p, model.bytes, model.size);
    package_add(&p, "3D/B.model", child.bytes, child.size);
    package_end(&p);
    grz_io_model *m = read_with(&p.archive, NULL);
    assert_parts(m, "theirs 0+2|ours 2+2");
    grz_io_model_destroy(m);
    free(p.archive.bytes);
    free(model.bytes);
    free(child.bytes);
}

// Where a record of an archive begins that holds the model's name.
static unsigned char *find(const file_text *t, const char *signature)
{
    static const char name[] = "3D/3dmodel.model";
    for (size_t i = t->size - 60; i > 0; i--) {
        unsigned char *p = t->bytes + i;
        const size_t before = signature[2] == 1 ? 46 : 30;
        if (memcmp(p, signature, 4) == 0 && memcmp(p + before, name, sizeof name - 1) == 0)
            return p;
    }
    fail_msg("no such record");
    return NULL;
}

static void archives_that_lie_are_refused(void **state)
{
    (void)state;
    static const struct {
        int in_entry, in_header; // which byte, -1: none
        unsigned char change;    // the bits that turn round
        const char *message;
    } cases[] = {
        {-1, 90, 1, "its bytes do not have the checksum that the zip archive states"},
        {8, -1, 1, "it is encrypted"},
        {10, -1, 12, "it is packed by method 12"},
        {10, 8, 8, "it cannot be unpacked"},
        {24, -1, 1, "what the zip archive says about it at two places does not agree"},
        {24, 22, 1, "it is stored, but its two sizes are not the same"},
        {42, -1, 1, "it is not where the zip archive says"},
        {23, -1, 128, "at two places does not agree"},
        {27, -1, 128, "MiB unpacked, with what was read before more than the 64 MiB"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        file_text t;
        make(&t, "", OBJECT("1", ""), ITEM("1", ""));
        if (cases[i].in_entry >= 0)
            find(&t, "PK\1\2")[cases[i].in_entry] ^= cases[i].change;
        if (cases[i].in_header >= 0)
            find(&t, "PK\3\4")[cases[i].in_header] ^= cases[i].change;
        refuse_bytes("a.3mf", t.bytes, t.size, cases[i].message);
        refuse_bytes("a.3mf", t.bytes, t.size, "a.3mf: 3D/3dmodel.model: ");
        free(t.bytes);
    }
}

#define EVERYTHING                                                                                                     \
    OBJECT("1", "name=\"x\"")                                                                                          \
    OBJECT("2", "") "<object id=\"3\"><components>" COMPONENT("1", "") COMPONENT("2", "") "</components></object>"
#define SHOWN ITEM("3", "transform=\"-1 0 0 0 1 0 0 0 1 2 0 7\"") ITEM("1", "partnumber=\"y\" printable=\"0\"")

// With each allocation failing in turn, expat's too, nothing is lost.
static void memory_that_runs_out_is_an_error(void **state)
{
    (void)state;
    file_text t;
    make(&t, "requiredextensions=\"p\"", EVERYTHING, SHOWN);
    for (int kept = 0; kept < 2; kept++) {
        grz_status status = GRZ_ERROR_MEMORY;
        long from = 1;
        for (; status != GRZ_OK; from++) {
            test_strict_allocator memory = {.lock = PTHREAD_MUTEX_INITIALIZER, .fail_at = from, .for_good = true};
            grz_io_options options = grz_io_default_options();
            grz_io_model *m;
            options.allocator = test_strict_allocator_of(&memory);
            options.keep_instances = kept == 1;
            status = grz_io_load_memory("a.3mf", t.bytes, t.size, &options, &m, NULL);
            assert_true(status == GRZ_OK || status == GRZ_ERROR_MEMORY);
            assert_true((status == GRZ_OK) == (m != NULL) && from < 1000);
            grz_io_model_destroy(m);
            assert_true(memory.bytes == 0 && !memory.misused);
        }
        assert_true(from > 50);
    }
    free(t.bytes);
}

static void note_progress(double share, void *user)
{
    double *last = user;
    assert_true(share >= *last && share <= 1);
    *last = share;
}

static void limits_hold(void **state)
{
    (void)state;
    file_text objects = {0}, t;
    grz_io_options options = grz_io_default_options();
    grz_io_model *m;
    grz_error error;
    const volatile int cancel = 1;
    double last = 0;
    file_print(&objects, "<object id=\"1\"><mesh><vertices>");
    for (int i = 0; i < 100000; i++)
        file_print(&objects, "<vertex x=\"%d\" y=\"0\" z=\"0\"/>", i);
    file_print(&objects,
               "</vertices><triangles><triangle v1=\"0\" v2=\"1\" v3=\"99999\"/></triangles></mesh></object>");
    file_append(&objects, "", 1);
    make(&t, "", (const char *)objects.bytes, ITEM("1", ""));
    options.limits.progress = note_progress;
    options.limits.progress_user = &last;
    m = read_with(&t, &options);
    assert_true(m->vertex_count == 100000 && bits_of(last) == bits_of(1));
    grz_io_model_destroy(m);
    options = grz_io_default_options();
    options.limits.memory_limit = 1000000;
    assert_int_equal(grz_io_load_memory("a.3mf", t.bytes, t.size, &options, &m, &error), GRZ_ERROR_MEMORY);
    options.limits.memory_limit = 20000000;
    m = read_with(&t, &options);
    grz_io_model_destroy(m);
    options.limits.cancel = &cancel;
    assert_int_equal(grz_io_load_memory("a.3mf", t.bytes, t.size, &options, &m, &error), GRZ_ERROR_CANCELLED);
    options.limits.cancel = NULL;
    options.limits.deadline = 1e-9;
    assert_int_equal(grz_io_load_memory("a.3mf", t.bytes, t.size, &options, &m, &error), GRZ_ERROR_DEADLINE);
    free(objects.bytes);
    free(t.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_are_parts_with_unit_and_z_up),
        cmocka_unit_test(parts_have_the_nearest_name),
        cmocka_unit_test(instances_share_meshes_where_they_are_kept),
        cmocka_unit_test(what_is_left_out_or_unusual_is_noted),
        cmocka_unit_test(packages_are_recognised),
        cmocka_unit_test(chains_of_components_end),
        cmocka_unit_test(rows_are_the_same_whoever_reads_them),
        cmocka_unit_test(what_looks_like_a_row_may_be_none),
        cmocka_unit_test(numbers_count_in_their_file),
        cmocka_unit_test(archives_that_lie_are_refused),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
        cmocka_unit_test(limits_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
