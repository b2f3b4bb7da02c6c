// SPDX-License-Identifier: MIT
// Forms of COLLADA with numbers worked out by hand: sources, primitives, transforms, joints, and counts that lie. Every
// form bit for bit beside a second reader, and many more bad files: python/tests/test_collada.py.
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

#define XYZ "<param name=\"X\"/><param name=\"Y\"/><param name=\"Z\"/>"
#define VERTEX "<input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"
#define FIVE "0 0 0 1 0 0 1 1 0 0 1 0 5 6 7"
#define ACCESSOR(attributes, params) "<accessor source=\"#a\" " attributes ">" params "</accessor>"
#define PLAIN ACCESSOR("count=\"5\" stride=\"3\"", XYZ)
#define TRIANGLE "<triangles count=\"1\">" VERTEX "<p>0 1 2</p></triangles>"
#define SHOWN "<node>%s<instance_geometry url=\"#g\"/></node>"

// A file of one geometry with these numbers, accessor and primitives.
static void make(file_text *t, const char *numbers, int count, const char *accessor, const char *primitives,
                 const char *nodes)
{
    const char *const pieces[] = {
        "</float_array><technique_common>",
        accessor,
        "</technique_common></source><vertices id=\"v\"><input semantic=\"POSITION\" "
        "source=\"#p\"/></vertices>",
        primitives,
        "</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id=\"s\">",
        nodes,
        "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/>"
        "</scene></COLLADA>"};
    file_print(t,
               "<COLLADA version=\"1.4.1\"><library_geometries><geometry id=\"g\"><mesh><source id=\"p\">"
               "<float_array id=\"a\" count=\"%d\">%s",
               count, numbers);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        file_append(t, pieces[i], strlen(pieces[i]));
    file_append(t, "", 1);
}

static void read_made(const char *numbers, int count, const char *accessor, const char *primitives, const char *nodes,
                      grz_io_model **m)
{
    file_text t = {0};
    make(&t, numbers, count, accessor, primitives, nodes);
    read_text("a.dae", (const char *)t.bytes, m);
    free(t.bytes);
}

static void refuse_made(const char *numbers, int count, const char *accessor, const char *primitives, const char *nodes,
                        const char *what)
{
    file_text t = {0};
    make(&t, numbers, count, accessor, primitives, nodes);
    refuse("a.dae", (const char *)t.bytes, what);
    free(t.bytes);
}

static void numbers_are_found_by_offset_stride_and_params(void **state)
{
    (void)state;
    static const char node[] = "<node><instance_geometry url=\"#g\"/></node>";
    grz_io_model *m;
    read_made("9 1 2 3 8 4 5 6 7 7 8 9 0", 13,
              ACCESSOR("count=\"3\" stride=\"4\" offset=\"1\"", "<param name=\"Y\"/><param/><param name=\"X\"/><param "
                                                                "name=\"Z\"/>"),
              TRIANGLE, node, &m);
    assert_true(m->vertex_count == 3);
    assert_position(m, 0, 3, 1, 8);
    assert_position(m, 2, 9, 7, 0);
    grz_io_model_destroy(m);
    // One number fewer, and it does not end where the array does.
    refuse_made("9 1 2 3 8 4 5 6 7 7 8 9", 12, ACCESSOR("count=\"3\" stride=\"4\" offset=\"1\"", XYZ "<param/>"),
                TRIANGLE, node,
                "a.dae: line 1: source \"p\": accessor: 3 elements, 4 apart from number 1 on, end past the 12 numbers");
    refuse_made(FIVE, 16, PLAIN, TRIANGLE, node, "float_array \"a\": its count is 16, but it has 15 numbers");
    refuse_made(FIVE, 14, PLAIN, TRIANGLE, node, "float_array \"a\": its count is 14, but it has 15 numbers");
    refuse_made("0 0 0 1 0 0 1 1 0 0 1 0 5 6 0x7", 15, PLAIN, TRIANGLE, node,
                "number 15 is \"0x7\", which is not a number");
    refuse_made("0 0 0 1 0 0 1 1 0 0 1 0 5 6 INF", 15, PLAIN, TRIANGLE, node,
                "the z coordinate of position 4 is not a finite number");
    refuse_made(FIVE, 15, ACCESSOR("count=\"5\" stride=\"3\"", "<param name=\"X\"/><param name=\"Y\"/><param/>"),
                TRIANGLE, node, "accessor: it gives 2 numbers for a position, not 3");
    refuse_made(FIVE, 15, ACCESSOR("count=\"5\" stride=\"2\"", XYZ), TRIANGLE, node, "its stride 2 is less than the 3");
}

static void every_primitive_has_its_faces(void **state)
{
    (void)state;
    static const struct {
        const char *primitives, *faces;
    } cases[] = {
        {TRIANGLE, "0 1 2"},
        {"<polylist count=\"3\">" VERTEX "<vcount>4 3 5</vcount><p>0 1 2 3 4 3 2 0 1 2 3 4</p></polylist>",
         "0 1 2 3|4 3 2|0 1 2 3 4"},
        {"<polygons count=\"2\">" VERTEX "<p>0 1 2 3</p><p>4 3 2</p></polygons>" TRIANGLE, "0 1 2 3|4 3 2|0 1 2"},
        {"<tristrips count=\"2\">" VERTEX "<p>0 1 2 3 4</p><p>4 3 2</p></tristrips>", "0 1 2|1 3 2|2 3 4|4 3 2"},
        {"<trifans count=\"2\">" VERTEX "<p>0 1 2 3 4</p><p>4 3 2</p></trifans>", "0 1 2|0 2 3|0 3 4|4 3 2"},
        {"<triangles count=\"1\"><input semantic=\"NORMAL\" source=\"#n\" offset=\"2\"/><input semantic=\"VERTEX\" "
         "source=\"#v\" offset=\"1\"/><p>9 0 -1 9 3 -1 9 2 -1</p></triangles>",
         "0 3 2"},
        {"<polylist count=\"2\">" VERTEX "<vcount>2 3</vcount><p>3 4 0 1 2</p></polylist>", "0 1 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        grz_io_model *m;
        read_made(FIVE, 15, PLAIN, cases[i].primitives, "<node><instance_geometry url=\"#g\"/></node>", &m);
        assert_faces(m, cases[i].faces);
        grz_io_model_destroy(m);
    }
}

static void counts_that_lie_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *primitives, *what;
    } cases[] = {
        {"<triangles count=\"2\">" VERTEX "<p>0 1 2</p></triangles>",
         "geometry \"g\": triangles: its count is 2 triangles, but p has 3 corners"},
        {"<triangles count=\"1\">" VERTEX "<p>0 1 2 3</p></triangles>",
         "its count is 1 triangles, but p has 4 corners"},
        {"<triangles count=\"1\">" VERTEX "<p>0 1 5</p></triangles>",
         "geometry \"g\": p: corner 3 is vertex 5, but there are 5"},
        {"<triangles count=\"1\">" VERTEX "<p>0 1 -1</p></triangles>", "p: corner 3 is vertex -1, but there are 5"},
        {"<triangles count=\"1\">" VERTEX "<p>0 1 2</p><p/></triangles>", "triangles: it has more than one p"},
        {"<polylist count=\"1\">" VERTEX "<vcount>4</vcount><p>0 1 2</p></polylist>",
         "polylist: vcount says 4 corners, but p has 3"},
        {"<polylist count=\"1\">" VERTEX "<vcount>3</vcount><p>0 1 2 3</p></polylist>",
         "polylist: vcount says 3 corners, but p has 4"},
        {"<polylist count=\"2\">" VERTEX "<vcount>3</vcount><p>0 1 2</p></polylist>",
         "its count is 2, but vcount has 1 numbers"},
        {"<polygons count=\"2\">" VERTEX "<p>0 1 2</p></polygons>", "polygons: its count is 2, but it has 1 p"},
        {"<polygons count=\"1\">" VERTEX "<ph><p>0 1 2</p><h>0 1 2</h></ph></polygons>",
         "ph: a polygon with a hole (ph) is not read"},
        {"<lines count=\"2\">" VERTEX "<p>0 1 2</p></lines>", "its count is 2 lines, but p has 3 corners"},
        {"<triangles count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"1\"/><p>0 1 0 2 0</p></triangles>",
         "p: its 5 numbers are no whole corners of 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse_made(FIVE, 15, PLAIN, cases[i].primitives, "<node><instance_geometry url=\"#g\"/></node>",
                    cases[i].what);
}

// The schema has primitives without a p: nothing may be read through it, whatever else is in the mesh.
static void primitives_without_p_are_refused(void **state)
{
    (void)state;
    static const char *const kinds[] = {"triangles", "polylist", "lines",     "polygons",
                                        "tristrips", "trifans",  "linestrips"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (int count = 0; count < 3; count++)
            for (int beside = 0; beside < 2; beside++) {
                char text[400], what[100];
                (void)snprintf(text, sizeof text, "%s<%s count=\"%d\">" VERTEX "<vcount>3 3</vcount></%s>",
                               beside ? TRIANGLE : "", kinds[i], count, kinds[i]);
                const bool has_one = i < 3;
                if (count > 0 && has_one)
                    (void)snprintf(what, sizeof what, "geometry \"g\": %s: it has no p", kinds[i]);
                else
                    (void)snprintf(what, sizeof what, "%s: its count is %d, but it has 0 p", kinds[i], count);
                grz_io_model *m;
                if (count > 0) {
                    refuse_made(FIVE, 15, PLAIN, text, "<node><instance_geometry url=\"#g\"/></node>", what);
                } else if (beside) {
                    read_made(FIVE, 15, PLAIN, text, "<node><instance_geometry url=\"#g\"/></node>", &m);
                    assert_faces(m, "0 1 2");
                    grz_io_model_destroy(m);
                }
            }
}

static void read_nodes(const char *nodes, grz_io_model **m)
{
    read_made(FIVE, 15, PLAIN, TRIANGLE, nodes, m);
}

static void elements_that_no_node_has_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"mirror", "Translate", "TRANSLATE", "instance_mesh", "translation"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char nodes[200], inside[60], what[80];
        (void)snprintf(inside, sizeof inside, "<%s>1 2 3</%s>", names[i], names[i]);
        (void)snprintf(nodes, sizeof nodes, SHOWN, inside);
        (void)snprintf(what, sizeof what, "%s: no element of a node is called so", names[i]);
        refuse_made(FIVE, 15, PLAIN, TRIANGLE, nodes, what);
    }
    grz_io_model *m;
    read_nodes("<node><asset/><instance_light url=\"#l\"/><instance_camera url=\"#c\"/><instance_geometry url=\"#g\"/>"
               "<extra><mirror/></extra></node>",
               &m);
    assert_notes(m, "");
    grz_io_model_destroy(m);
}

static void what_is_in_other_namespaces_is_left_out_and_noted(void **state)
{
    (void)state;
    grz_io_model *m;
    read_nodes("<node xmlns:z=\"http://z\" z:name=\"no\"><z:translate>9 0 0</z:translate><instance_geometry "
               "url=\"#g\"/><z:node><instance_geometry url=\"#g\"/></z:node></node>",
               &m);
    assert_parts(m, "g 0+1");
    assert_position(m, 4, 5, 6, 7);
    assert_notes(m, "2 elements of other namespaces left out");
    grz_io_model_destroy(m);
    refuse_made(FIVE, 15, PLAIN, TRIANGLE "<z:lines xmlns:z=\"http://z\" count=\"0\"/>",
                "<node><instance_geometry url=\"#g\"/></node>", "no primitive of a mesh is called so");
    // Prefixes do not matter, and where the root is in a namespace, an element in none counts as one of it.
    file_text t = {0}, named = {0};
    make(&t, FIVE, 15, PLAIN, TRIANGLE,
         "<x:node xmlns:x=\"http://c\"><translate xmlns=\"\">9 0 0</translate><z:scale xmlns:z=\"http://z\">2 2 "
         "2</z:scale><x:translate>1 0 0</x:translate>"
         "<instance_geometry url=\"#g\"/></x:node>");
    file_print(&named, "<COLLADA xmlns=\"http://c\"");
    file_append(&named, t.bytes + strlen("<COLLADA"), t.size - strlen("<COLLADA"));
    read_text("a.dae", (const char *)named.bytes, &m);
    assert_position(m, 4, 15, 6, 7);
    assert_notes(m, "1 element of another namespace left out");
    grz_io_model_destroy(m);
    free(t.bytes);
    free(named.bytes);
}

// Where the transforms of a node put (5, 6, 7).
static void transforms_come_in_the_order_of_the_file(void **state)
{
    (void)state;
    static const struct {
        const char *transforms;
        double x, y, z;
    } cases[] = {
        {"<matrix>0 2 0 1 3 0 0 2 0 0 -1 3 0 0 0 1</matrix>", 13, 17, -4},
        {"<translate>1 2 3</translate><scale>2 3 4</scale>", 11, 20, 31},
        {"<scale>2 3 4</scale><translate>1 2 3</translate>", 12, 24, 40},
        {"<rotate>0 0 2 90</rotate>", -6, 5, 7},
        {"<rotate>0 3 0 -270</rotate>", 7, 6, -5},
        {"<rotate>1 0 0 540</rotate>", 5, -6, -7},
        {"<rotate>1 1 1 360</rotate><rotate>0 0 0 720</rotate>", 5, 6, 7},
        {"<lookat>1 2 3 1 2 -4 0 9 0</lookat>", 6, 8, 10},
        {"<lookat>1 2 3 -4 2 3 0 0 2</lookat>", 8, 7, 9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char nodes[300];
        grz_io_model *m;
        (void)snprintf(nodes, sizeof nodes, SHOWN, cases[i].transforms);
        read_made(FIVE, 15, PLAIN, TRIANGLE, nodes, &m);
        assert_position(m, 4, cases[i].x, cases[i].y, cases[i].z);
        grz_io_model_destroy(m);
    }
}

static void transforms_that_are_none_are_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"<skew>30 0 1 0 1 0 0</skew>", "line 1: visual_scene \"s\": skew: a skew is not read"},
        {"<matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 2</matrix>", "matrix: its last row is not 0 0 0 1"},
        {"<rotate>0 0 0 1</rotate>", "rotate: its axis has no finite length above 0"},
        {"<scale>1 1</scale>", "scale: it has 2 numbers, not 3"},
        {"<translate>1 1 NaN</translate>", "translate: number 3 is not finite"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char nodes[300];
        (void)snprintf(nodes, sizeof nodes, SHOWN, cases[i][0]);
        refuse_made(FIVE, 15, PLAIN, TRIANGLE, nodes, cases[i][1]);
    }
}

// Three nodes around each other and one beside them; the middle one mirrors.
static void nodes_multiply_from_the_outermost_on(void **state)
{
    (void)state;
    grz_io_model *m;
    read_made(FIVE, 15, PLAIN, TRIANGLE,
              "<node><translate>10 0 0</translate><node><scale>-1 1 1</scale><instance_geometry url=\"#g\"/><node "
              "name=\"in\"><translate>1 0 0</translate><scale>1 -1 1</scale><instance_geometry url=\"#g\"/></node>"
              "</node></node><node name=\"out\"><instance_geometry url=\"#g\"/></node>",
              &m);
    assert_parts(m, "g 0+1|in 1+1|out 2+1");
    assert_position(m, 4, 5, 6, 7);
    assert_position(m, 9, 4, -6, 7);
    assert_position(m, 14, 5, 6, 7);
    assert_faces(m, "0 2 1|5 6 7|10 11 12");
    grz_io_model_destroy(m);
}

static void what_goes_in_a_circle_or_doubles_is_refused(void **state)
{
    (void)state;
    file_text nodes = {0};
    refuse_made(FIVE, 15, PLAIN, TRIANGLE, "<node id=\"n\"><node><instance_node url=\"#n\"/></node></node>",
                "node \"n\": instance_node: the node that it shows is around it: the nodes go in a circle");
    refuse_made(FIVE, 15, PLAIN, TRIANGLE, "<node><instance_node url=\"b.dae#n\"/></node>",
                "instance_node: its node \"b.dae#n\" is in another file, which is not read");
    for (int i = 0; i < 50; i++)
        file_print(&nodes, "<node id=\"n%d\"><instance_node url=\"#n%d\"/><instance_node url=\"#n%d\"/></node>", i,
                   i + 1, i + 1);
    file_print(&nodes, "<node id=\"n50\"><instance_geometry url=\"#g\"/></node>");
    file_append(&nodes, "", 1);
    refuse_made(FIVE, 15, PLAIN, TRIANGLE, (const char *)nodes.bytes, "is more than a file of this size may make");
    free(nodes.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_found_by_offset_stride_and_params),
        cmocka_unit_test(every_primitive_has_its_faces),
        cmocka_unit_test(counts_that_lie_are_refused),
        cmocka_unit_test(primitives_without_p_are_refused),
        cmocka_unit_test(elements_that_no_node_has_are_refused),
        cmocka_unit_test(what_is_in_other_namespaces_is_left_out_and_noted),
        cmocka_unit_test(transforms_come_in_the_order_of_the_file),
        cmocka_unit_test(transforms_that_are_none_are_refused),
        cmocka_unit_test(nodes_multiply_from_the_outermost_on),
        cmocka_unit_test(what_goes_in_a_circle_or_doubles_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
