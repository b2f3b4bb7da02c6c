// SPDX-License-Identifier: MIT
// What a program sees of COLLADA files: parts and instances, names, unit and up axis, notes, limits, failing
// allocations. That each form of the format is read bit for bit, and each bad file refused by name:
// python/tests/test_collada.py, beside a second reader.
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
#include "support_files.h"
#include "support_readers.h"

// A square in the plane z = 0 as geometry "g", as two triangles, and as "h", called "shape", as one polygon with lines.
static void make(file_text *t, const char *asset, const char *libraries, const char *nodes)
{
    static const char *const ids[2] = {"g", "h"};
    file_print(t, "<?xml version=\"1.0\"?>\n<COLLADA version=\"1.4.1\"><asset>%s</asset>\n<library_geometries>", asset);
    for (int i = 0; i < 2; i++) {
        const char *id = ids[i];
        file_print(t, "<geometry id=\"%s\"%s><mesh><source id=\"%sp\"><float_array id=\"%sa\" count=\"12\">", id,
                   i == 1 ? " name=\"shape\"" : "", id, id);
        file_print(t, "0 0 0 1 0 0 1 1 0 0 1 0</float_array><technique_common><accessor source=\"#%sa\" count=\"4\" ",
                   id);
        file_print(
            t, "stride=\"3\"><param name=\"X\"/><param name=\"Y\"/><param name=\"Z\"/></accessor></technique_common>");
        file_print(t, "</source><vertices id=\"%sv\"><input semantic=\"POSITION\" source=\"#%sp\"/></vertices>", id,
                   id);
        if (i == 0)
            file_print(t, "<triangles count=\"2\"><input semantic=\"VERTEX\" source=\"#gv\" offset=\"0\"/>"
                          "<p>0 1 2 0 2 3</p></triangles>");
        else
            file_print(t, "<lines count=\"2\"><input semantic=\"VERTEX\" source=\"#hv\" offset=\"0\"/><p>0 1 1 2</p>"
                          "</lines><polylist count=\"2\"><input semantic=\"VERTEX\" source=\"#hv\" offset=\"0\"/>"
                          "<vcount>4 2</vcount><p>0 1 2 3 0 1</p></polylist>");
        file_print(t, "</mesh></geometry>");
    }
    file_print(t, "</library_geometries>");
    file_append(t, libraries, strlen(libraries));
    file_print(t, "<library_visual_scenes><visual_scene id=\"s\">");
    file_append(t, nodes, strlen(nodes));
    file_print(t, "</visual_scene></library_visual_scenes>");
    file_print(t, "<scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>");
}

static grz_io_model *read_with(const file_text *t, const grz_io_options *options)
{
    grz_io_model *m;
    grz_error error;
    if (grz_io_load_memory("a.dae", t->bytes, t->size, options, &m, &error) != GRZ_OK)
        fail_msg("%s", error.message);
    return m;
}

static void nodes_that_show_geometries_are_parts(void **state)
{
    (void)state;
    file_text t = {0};
    make(&t, "<unit meter=\"0.0254\" name=\"inch\"/><up_axis>Z_UP</up_axis>", "",
         "<node name=\"left\" id=\"a\"><instance_geometry url=\"#g\"/></node>"
         "<node id=\"right\"><translate>2 0 0</translate><instance_geometry url=\"#h\"/>"
         "<node><scale>-1 1 1</scale><instance_geometry url=\"#g\"/><instance_geometry url=\"#h\"/></node></node>"
         "<node><instance_geometry url=\"#h\"/></node>");
    grz_io_model *m = read_with(&t, NULL);
    assert_string_equal(m->format, "COLLADA");
    assert_true(bits_of(m->unit_in_metres) == bits_of(0.0254) && m->up_axis == GRZ_IO_UP_Z);
    assert_parts(m, "left 0+2|right 2+1|right/g 3+2|right/shape 5+1|shape 6+1");
    // The third and fourth squares are mirrored: their corners turn round. The polygons stay polygons.
    assert_faces(m, "0 1 2|0 2 3|4 5 6 7|8 10 9|8 11 10|12 15 14 13|16 17 18 19");
    assert_position(m, 5, 3, 0, 0);
    assert_position(m, 10, 1, 1, 0);
    assert_notes(m, "2 lines left out|1 face with fewer than 3 corners left out");
    assert_true(m->mesh_count == 0 && m->instance_count == 0 && m->meshes == NULL && m->instances == NULL);
    grz_io_model_destroy(m);
    free(t.bytes);
}

static void a_file_without_unit_and_axis_is_in_metres_with_y_up(void **state)
{
    (void)state;
    static const char *const axes[4] = {"", "<up_axis>X_UP</up_axis>", "<up_axis> Y_UP\n</up_axis>",
                                        "<up_axis>Z_UP</up_axis>"};
    static const grz_io_up expected[4] = {GRZ_IO_UP_Y, GRZ_IO_UP_X, GRZ_IO_UP_Y, GRZ_IO_UP_Z};
    for (int i = 0; i < 4; i++) {
        file_text t = {0};
        make(&t, axes[i], "", "<node><instance_geometry url=\"#g\"/></node>");
        grz_io_model *m = read_with(&t, NULL);
        assert_true(bits_of(m->unit_in_metres) == bits_of(1) && m->up_axis == expected[i]);
        assert_position(m, 2, 1, 1, 0); // told, never applied
        grz_io_model_destroy(m);
        free(t.bytes);
    }
}

static void instances_share_meshes_where_they_are_kept(void **state)
{
    (void)state;
    file_text t = {0};
    grz_io_options options = grz_io_default_options();
    make(&t, "", "<library_nodes><node id=\"l\"><instance_geometry url=\"#g\"/></node></library_nodes>",
         "<node name=\"a\"><instance_node url=\"#l\"/></node><node name=\"b\"><translate>2 0 0</translate>"
         "<instance_geometry url=\"#g\"/></node><node name=\"c\"><scale>-1 1 1</scale><instance_geometry url=\"#g\"/>"
         "</node><node name=\"d\"><scale>-2 1 1</scale><instance_geometry url=\"#g\"/></node>");
    options.keep_instances = true;
    grz_io_model *m = read_with(&t, &options);
    assert_true(m->part_count == 0 && m->mesh_count == 2 && m->instance_count == 4);
    assert_true(m->vertex_count == 8 && m->face_count == 4);
    assert_faces(m, "0 1 2|0 2 3|0 2 1|0 3 2"); // corners count mesh by mesh; the second mesh is for mirrors
    static const uint64_t meshes[4] = {0, 0, 1, 1};
    static const char *const names[4] = {"l", "b", "c", "d"};
    for (int i = 0; i < 4; i++) {
        assert_string_equal(m->instances[i].name, names[i]);
        assert_true(m->instances[i].mesh == meshes[i]);
    }
    assert_true(bits_of(m->instances[1].matrix[0][3]) == bits_of(2) &&
                bits_of(m->instances[3].matrix[0][0]) == bits_of(-2));
    grz_io_model_destroy(m);
    free(t.bytes);
}

static void what_is_left_out_is_noted(void **state)
{
    (void)state;
    file_text t = {0};
    make(&t, "",
         "<library_animations><animation><animation/></animation></library_animations><library_visual_scenes>"
         "<visual_scene id=\"other\"><node><instance_geometry "
         "url=\"#h\"/></node></visual_scene></library_visual_scenes>",
         "<node name=\"n\"><instance_camera url=\"#none\"/><instance_geometry url=\"#g\"/></node>");
    grz_io_model *m = read_with(&t, NULL);
    assert_notes(m, "1 other visual scene left out|1 geometry is outside the scene and left out|1 animation left out: "
                    "nodes are where the file puts them");
    grz_io_model_destroy(m);
    free(t.bytes);
    t = (file_text){0};
    make(&t, "", "", "<node><instance_geometry url=\"#g\"/></node>");
    static const char scene[] = "<scene>";
    for (size_t i = 0; i + sizeof scene < t.size; i++)
        if (memcmp(t.bytes + i, scene, sizeof scene - 1) == 0)
            memcpy(t.bytes + i, "<extra>", 7), memcpy(t.bytes + t.size - 18, "</extra>", 8);
    m = read_with(&t, NULL);
    assert_notes(m, "no scene is shown by the file: its only visual_scene is read|1 geometry is outside the scene and "
                    "left out");
    grz_io_model_destroy(m);
    free(t.bytes);
}

// A document is told by its root, whatever stands before it; and nothing else is taken for one.
static void documents_are_told_by_their_root(void **state)
{
    (void)state;
    static const char *const are[] = {
        "<COLLADA>", "\xEF\xBB\xBF <?xml?>\n<!-- <a> --><!DOCTYPE b>\t<x:COLLADA version=\"\"", "<COLLADA/"};
    static const char *const are_not[] = {"<COLLADA",
                                          "<COLLADAS>",
                                          "<a><COLLADA>",
                                          "<!-- <COLLADA> -->",
                                          "COLLADA",
                                          "<COLLADA:x>",
                                          "<robot/>",
                                          "<?COLLADA ?",
                                          "<!-- -->",
                                          "<!--",
                                          "<"};
    for (size_t i = 0; i < sizeof are / sizeof *are; i++)
        assert_string_equal(grz_io_detect("a.xyz", are[i], strlen(are[i]), NULL), "COLLADA");
    for (size_t i = 0; i < sizeof are_not / sizeof *are_not; i++) {
        const char *is = grz_io_detect("a.xyz", are_not[i], strlen(are_not[i]), NULL);
        if (is != NULL && strcmp(is, "COLLADA") == 0)
            fail_msg("%s", are_not[i]);
    }
    static const char wide[] = "\xFF\xFE<\0!\0-\0-\0\x01\x3e-\0-\0>\0<\0C\0O\0L\0L\0A\0D\0A\0>\0";
    assert_string_equal(grz_io_detect(NULL, wide, sizeof wide - 1, NULL), "COLLADA");
    assert_string_equal(grz_io_detect("b.DAE", "", 0, NULL), "COLLADA");
    refuse("b.dae", "<robots/>", "b.dae: line 1: robots: it is no COLLADA document");
    refuse("b.dae", "solid", "b.dae: line 1: syntax error");
}

// A file with a skin and a morph, nodes in a library, and a name made of two.
static void make_all(file_text *t)
{
    make(
        t, "",
        "<library_nodes><node id=\"l\"><instance_geometry url=\"#g\"/><instance_geometry url=\"#h\"/></node>"
        "</library_nodes><library_controllers><controller id=\"m\"><morph source=\"#g\"><source id=\"mt\"><IDREF_array "
        "id=\"mta\" count=\"1\">h</IDREF_array><technique_common><accessor source=\"#mta\" count=\"1\"/>"
        "</technique_common></source><source id=\"mw\"><float_array id=\"mwa\" count=\"1\">0.5</float_array>"
        "<technique_common><accessor source=\"#mwa\" count=\"1\"/></technique_common></source><targets><input "
        "semantic=\"MORPH_TARGET\" source=\"#mt\"/><input semantic=\"MORPH_WEIGHT\" source=\"#mw\"/></targets></morph>"
        "</controller><controller id=\"k\"><skin source=\"#m\"><source id=\"kj\"><Name_array id=\"kja\" count=\"1\">b"
        "</Name_array><technique_common><accessor source=\"#kja\" count=\"1\"/></technique_common></source><source "
        "id=\"kb\"><float_array id=\"kba\" count=\"16\">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</float_array><technique_common>"
        "<accessor source=\"#kba\" count=\"1\" stride=\"16\"/></technique_common></source><source "
        "id=\"kw\"><float_array "
        "id=\"kwa\" count=\"1\">1</float_array><technique_common><accessor source=\"#kwa\" count=\"1\"/>"
        "</technique_common></source><joints><input semantic=\"JOINT\" source=\"#kj\"/><input "
        "semantic=\"INV_BIND_MATRIX\" source=\"#kb\"/></joints><vertex_weights count=\"4\"><input semantic=\"JOINT\" "
        "source=\"#kj\" offset=\"0\"/><input semantic=\"WEIGHT\" source=\"#kw\" offset=\"1\"/><vcount>1 1 1 1</vcount>"
        "<v>0 0 0 0 0 0 0 0</v></vertex_weights></skin></controller></library_controllers>",
        "<node sid=\"b\" name=\"bone\"><translate>0 0 3</translate></node><node name=\"n\"><translate>9 9 9</translate>"
        "<instance_controller url=\"#k\"/></node><node name=\"o\"><instance_node url=\"#l\"/><instance_controller "
        "url=\"#m\"/></node>");
}

static void skins_are_placed_by_their_joints(void **state)
{
    (void)state;
    file_text t = {0};
    make_all(&t);
    grz_io_model *m = read_with(&t, NULL);
    assert_parts(m, "n 0+2|l/g 2+2|l/shape 4+1|o 5+2");
    assert_position(m, 2, 1, 1, 3); // (1 - 0.5) · (1, 1, 0) + 0.5 · (1, 1, 0), and the joint's place
    assert_position(m, 14, 1, 1, 0);
    assert_notes(m,
                 "2 lines left out|1 face with fewer than 3 corners left out|1 mesh is shown at the morph weights of "
                 "the file|1 mesh is placed by the joints of its skin");
    grz_io_model_destroy(m);
    free(t.bytes);
}

// Everything with each allocation failing in turn: nothing is lost.
static void memory_that_runs_out_is_an_error(void **state)
{
    (void)state;
    file_text t = {0};
    make_all(&t);
    for (int kept = 0; kept < 2; kept++) {
        grz_status status = GRZ_ERROR_MEMORY;
        for (long from = 1; status != GRZ_OK; from++) {
            test_strict_allocator memory = {.lock = PTHREAD_MUTEX_INITIALIZER, .fail_at = from, .for_good = true};
            grz_io_options options = grz_io_default_options();
            grz_io_model *m;
            options.allocator = test_strict_allocator_of(&memory);
            options.keep_instances = kept == 1;
            status = grz_io_load_memory("a.dae", t.bytes, t.size, &options, &m, NULL);
            assert_true(status == GRZ_OK || status == GRZ_ERROR_MEMORY);
            assert_true((status == GRZ_OK) == (m != NULL) && from < 1000);
            grz_io_model_destroy(m);
            assert_true(memory.bytes == 0 && !memory.misused);
        }
    }
    free(t.bytes);
}

// A file of many faces, so that there is time to stop.
static void make_large(file_text *t)
{
    static const int vertices = 100000;
    file_print(t,
               "<COLLADA version=\"1.5.0\"><library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array "
               "id=\"a\" count=\"%d\">",
               3 * vertices);
    for (int i = 0; i < vertices; i++)
        file_print(t, "%d %d 0\n", i % 300, i / 300);
    file_print(t,
               "</float_array><technique_common><accessor source=\"#a\" count=\"%d\" stride=\"3\"><param name=\"X\"/>"
               "<param name=\"Y\"/><param name=\"Z\"/></accessor></technique_common></source><vertices id=\"v\"><input "
               "semantic=\"POSITION\" source=\"#p\"/></vertices><triangles count=\"%d\"><input semantic=\"VERTEX\" "
               "source=\"#v\" offset=\"0\"/><p>",
               vertices, vertices - 2);
    for (int i = 2; i < vertices; i++)
        file_print(t, "%d %d %d ", i - 2, i - 1, i);
    file_print(t, "</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene><node>"
                  "<instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes></COLLADA>");
}

typedef struct progress_seen {
    double last;
    int calls, stop_at;
    volatile int stop;
} progress_seen;

static void watch(double share, void *user)
{
    progress_seen *p = user;
    assert_true(share >= p->last && share <= 1);
    p->last = share;
    p->stop = ++p->calls == p->stop_at;
}

static void reading_can_be_watched_and_stopped(void **state)
{
    (void)state;
    file_text t = {0};
    progress_seen seen = {.last = 0};
    grz_io_options options = grz_io_default_options();
    grz_io_model *m;
    grz_error error;
    make_large(&t);
    options.limits.progress = watch;
    options.limits.progress_user = &seen;
    options.limits.cancel = &seen.stop;
    m = read_with(&t, &options);
    assert_true(m->face_count == 99998 && seen.calls > 10 && seen.last >= 1);
    grz_io_model_destroy(m);
    const int calls = seen.calls;
    for (int at = 1; at < calls; at += 1 + calls / 20) {
        seen = (progress_seen){.stop_at = at};
        assert_int_equal(grz_io_load_memory("a", t.bytes, t.size, &options, &m, &error), GRZ_ERROR_CANCELLED);
        assert_true(m == NULL && seen.calls <= at + 1);
    }
    options = grz_io_default_options();
    options.limits.deadline = 1e-9;
    assert_int_equal(grz_io_load_memory("a", t.bytes, t.size, &options, &m, &error), GRZ_ERROR_DEADLINE);
    options.limits.deadline = 0;
    options.limits.memory_limit = t.size;
    assert_int_equal(grz_io_load_memory("a", t.bytes, t.size, &options, &m, &error), GRZ_ERROR_MEMORY);
    options.limits.memory_limit = 20 * t.size;
    m = read_with(&t, &options);
    grz_io_model_destroy(m);
    free(t.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_that_show_geometries_are_parts),
        cmocka_unit_test(a_file_without_unit_and_axis_is_in_metres_with_y_up),
        cmocka_unit_test(instances_share_meshes_where_they_are_kept),
        cmocka_unit_test(what_is_left_out_is_noted),
        cmocka_unit_test(documents_are_told_by_their_root),
        cmocka_unit_test(skins_are_placed_by_their_joints),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
        cmocka_unit_test(reading_can_be_watched_and_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
