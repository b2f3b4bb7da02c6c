// SPDX-License-Identifier: MIT
// Which pairs of a scene are excluded, and what --allow-touching makes of an answer, against tables written by hand;
// damaged rules and poses.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "verdicts/allowance.h"
#include "assembly/allow.h"
#include "assembly/names.h"
#include "assembly/poses.h"
#include "assembly/robot_objects.h"
#include "pair_generator.h"

// A scene of triangles; object i is called names[i], with these places of its part's and its link's name.
typedef struct named_scene {
    grz_device *device;
    scene_objects objects;
} named_scene;

static named_scene open_scene(const char *const *names, const scene_object_name *parts, size_t count)
{
    named_scene s = {0};
    const double corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    grz_mesh_description description = grz_default_mesh_description();
    grz_mesh *mesh;
    grz_error error;
    description.positions = corners;
    description.position_type = GRZ_FLOAT64;
    description.vertex_count = 3;
    description.face_count = 1;
    assert_int_equal(grz_device_open(NULL, &s.device, NULL), GRZ_OK);
    assert_int_equal(grz_scene_create(s.device, &s.objects.scene, NULL), GRZ_OK);
    s.objects.device = s.device;
    assert_int_equal(grz_mesh_create(s.device, &description, &mesh, NULL), GRZ_OK);
    assert_true(scene_objects_add_mesh(&s.objects, mesh));
    const grz_object object = grz_object_at_origin(mesh);
    for (size_t i = 0; i < count; i++)
        assert_true(scene_objects_add(&s.objects, &object, names[i], &parts[i], &error));
    return s;
}

static void close_scene(named_scene *s)
{
    grz_scene_destroy(s->objects.scene);
    scene_objects_finish(&s->objects);
    grz_device_close(s->device);
}

// The pairs that "A:B" excludes, as "01 12 "; the message where it is refused.
static void excluded_by(const scene_objects *objects, const char *pair, char *text, size_t size)
{
    exclusions e = {0};
    char message[900] = "";
    size_t used = 0;
    *text = '\0';
    if (exclusions_add_pair(&e, objects, pair, "why", message, sizeof message)) {
        exclusions_sort(&e);
        for (size_t i = 0; i < e.count; i++) {
            assert_true(exclusions_hold(&e, e.items[i].a, e.items[i].b));
            used += (size_t)snprintf(text + used, size - used, "%u%u ", e.items[i].a, e.items[i].b);
        }
        for (uint32_t a = 0; a < objects->count; a++)
            for (uint32_t b = a + 1; b < objects->count; b++) {
                char name[8];
                snprintf(name, sizeof name, "%u%u ", a, b);
                assert_int_equal(exclusions_hold(&e, a, b), strstr(text, name) != NULL);
            }
    } else {
        snprintf(text, size, "%s", message);
    }
    exclusions_finish(&e);
    // The same by sorted names.
    char sorted_text[1200];
    scene_objects sorted = *objects;
    if (sorted.called != NULL)
        return;
    assert_true(size <= sizeof sorted_text && names_sort(&sorted));
    excluded_by(&sorted, pair, sorted_text, sizeof sorted_text);
    free(sorted.called);
    assert_string_equal(sorted_text, text);
}

static void pairs_are_excluded_by_name(void **state)
{
    (void)state;
    static const char *const names[] = {"f.obj:box",    "f.obj:a:b",    "g.stl",  "f.obj:box",
                                        "r.urdf:arm/0", "r.urdf:arm/x", "f.obj:*"};
    const scene_object_name parts[] = {{.part = 6},
                                       {.part = 6},
                                       {.part = 0},
                                       {.part = 6},
                                       {.part = 7, .group = 3, .body = 1},
                                       {.part = 7, .group = 3, .body = 1},
                                       {.part = 6}};
    static const struct {
        const char *pair, *excluded;
    } cases[] = {
        {"box:g.stl", "02 23 "},
        {"f.obj:box:g.stl", "02 23 "},
        {"g.stl:f.obj:box", "02 23 "},
        {"a:b:g.stl", "12 "}, // the part is called a:b
        {"f.obj:a:b:f.obj:box", "01 13 "},
        {"box:box", "03 "},
        {"arm:g.stl", "24 25 "}, // all shapes of the link
        {"r.urdf:arm:g.stl", "24 25 "},
        {"arm/x:g.stl", "25 "},
        {"arm:arm", "45 "},
        {"arm*:2", "24 25 "}, // nothing is called 2: a number
        {"*:g.stl", "26 "},   // an object is called so: no glob
        {"g*:??x", "02 23 "},
        {"f.obj?a?b:g.stl", "12 "},
        {"[gf]*:arm/0", "04 14 24 34 46 "},
        {"0:3", "03 "},
        {"bux:g.stl", "no object is called bux; did you mean box?"},
        {"7:0", "no object is called 7; there are 7, and number 0 is f.obj:box"},
        {"g.stl:g.stl", "it names one object only, g.stl, and no pair"},
        {"f.obj:nothing", "no object is called f.obj; did you mean f.obj:*?"},
        {"f.obj:a?b:a:b", "it names one object only, f.obj:a:b, and no pair"},
        {"f*:a:b", "01 13 16 "},
    };
    named_scene s = open_scene(names, parts, sizeof names / sizeof *names);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000];
        excluded_by(&s.objects, cases[i].pair, text, sizeof text);
        if (strcmp(text, cases[i].excluded) != 0)
            fail_msg("%s: \"%s\", must be \"%s\"", cases[i].pair, text, cases[i].excluded);
    }
    close_scene(&s);
}

// Blanks beside the colon are left out, but not where something is called by a name that has them.
static void blanks_beside_the_colon(void **state)
{
    (void)state;
    static const char *const names[] = {"pin", "board", "pin ", " lid", "a : b", "c", "a", "b:c"};
    const scene_object_name parts[8] = {{0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}};
    static const struct {
        const char *pair, *excluded;
    } cases[] = {
        {"board : c", "15 "},
        {"board \t:\t c", "15 "},
        {"pin:board", "01 "},
        {"pin : board", "12 "}, // one is called "pin "
        {"pin  : board", "01 "},
        {"board : lid", "13 "}, // and one " lid"
        {"board :  lid", "no object is called lid; did you mean  lid?"},
        {"a : b : c", "45 "},
        {"c : a : b", "45 "},
        {"a : b:c", "45 "}, // and not "a" and "b:c", where blanks would be left out
        {"a :b:c", "67 "},
        {"c* : bo*", "15 "},
        {"0 : 5", "05 "},
        {"pen : board", "no object is called pen; did you mean pin?"},
        {"board : ", "must be A:B, two names or globs with a colon between them"},
        {" : board", "must be A:B, two names or globs with a colon between them"},
    };
    named_scene s = open_scene(names, parts, sizeof names / sizeof *names);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000];
        excluded_by(&s.objects, cases[i].pair, text, sizeof text);
        if (strcmp(text, cases[i].excluded) != 0)
            fail_msg("%s: \"%s\", must be \"%s\"", cases[i].pair, text, cases[i].excluded);
    }
    close_scene(&s);
}

static void a_pair_that_reads_in_two_ways_is_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b:c", "a:b", "c"};
    const scene_object_name parts[4] = {{0}, {0}, {0}, {0}};
    named_scene s = open_scene(names, parts, 4);
    char text[1000];
    excluded_by(&s.objects, "a:b:c", text, sizeof text);
    assert_string_equal(text, "can be read as a and b:c, and as a:b and c: write ? for the colons within names");
    excluded_by(&s.objects, "a:b?c", text, sizeof text);
    assert_string_equal(text, "01 ");
    excluded_by(&s.objects, "a?b:c", text, sizeof text);
    assert_string_equal(text, "23 ");
    close_scene(&s);
}

static void the_first_rule_is_the_reason(void **state)
{
    (void)state;
    exclusions e = {0};
    const uint32_t one = exclusions_reason(&e, "one"), two = exclusions_reason(&e, "two");
    assert_true(exclusions_add(&e, 5, 2, one) && exclusions_add(&e, 1, 2, two) && exclusions_add(&e, 2, 5, two) &&
                exclusions_add(&e, 2, 1, two));
    exclusions_sort(&e);
    assert_int_equal(e.count, 2);
    assert_string_equal(e.whys[e.items[0].why], "two");
    assert_string_equal(e.whys[e.items[1].why], "one");
    exclusions_keep(&e, 5);
    assert_int_equal(e.count, 1);
    assert_true(exclusions_hold(&e, 2, 5) && !exclusions_hold(&e, 1, 2));
    exclusions_finish(&e);
}

// DESIGN.md, the command line: 0 for apart and touching, 1 for the others; undecidable is fine only where nothing
// touches and it was decided that neither holds the other.
static void touching_is_allowed_and_no_more(void **state)
{
    (void)state;
    static const grz_relation relations[] = {GRZ_APART, GRZ_COLLIDING, GRZ_OVERLAPPING, GRZ_A_INSIDE_B, GRZ_B_INSIDE_A};
    static const grz_containment containments[] = {GRZ_CONTAINMENT_NOT_ASKED, GRZ_CONTAINMENT_DECIDED,
                                                   GRZ_CONTAINMENT_UNDECIDABLE};
    for (size_t r = 0; r < 5; r++)
        for (size_t c = 0; c < 3; c++) {
            const grz_relation relation = relations[r];
            const grz_containment containment = containments[c];
            assert_int_equal(allowance_of(relation, containment, GRZ_SOLIDS_APART), ALLOWANCE_FINE);
            assert_int_equal(allowance_of(relation, containment, GRZ_SOLIDS_TOUCHING), ALLOWANCE_FINE);
            assert_int_equal(allowance_of(relation, containment, GRZ_SOLIDS_PENETRATING), ALLOWANCE_REFUSED);
            assert_int_equal(allowance_of(relation, containment, GRZ_SOLIDS_A_INSIDE_B), ALLOWANCE_REFUSED);
            assert_int_equal(allowance_of(relation, containment, GRZ_SOLIDS_B_INSIDE_A), ALLOWANCE_REFUSED);
            assert_int_equal(allowance_of(relation, containment, GRZ_SOLIDS_SAME), ALLOWANCE_REFUSED);
            const allowance open = r == 0 && c == 1 ? ALLOWANCE_FINE : ALLOWANCE_UNKNOWN;
            assert_int_equal(allowance_of(relation, containment, GRZ_SOLIDS_UNDECIDABLE), open);
            assert_int_equal(allowance_of(relation, containment, GRZ_SOLIDS_NOT_ASKED), open);
        }
}

// Bytes of rules and poses are changed, and the end is cut off.
static void damaged_rules_and_poses_are_refused_or_read(void **state)
{
    (void)state;
    static const char *const rules[] = {"x:y\n# no\n\n  0:2 # yes\n",
                                        "<robot><disable_collisions link1='x' link2='y' reason='Never'/></robot>",
                                        "{\"x\": [1, 2, 3], \"1\": \"0,0,0,0,0,0,1\", \"2\": [0, 0, 0, 0, 0, 1, 1]}"};
    static const char *const names[] = {"x", "y", "y"};
    const scene_object_name parts[3] = {
        {.local = grz_pose_identity()}, {.local = grz_pose_identity()}, {.local = grz_pose_identity()}};
    named_scene s = open_scene(names, parts, 3);
    random_stream random = {9};
    int counts[3][2] = {{0}};
    for (int round = 0; round < 6000; round++) {
        char message[LOAD_MESSAGE_SIZE] = "", text[200];
        exclusions out = {0};
        size_t size = strlen(rules[round % 3]);
        memcpy(text, rules[round % 3], size);
        for (int i = 0; i < round % 4; i++)
            text[random_below(&random, (uint32_t)size)] = (char)(unsigned char)random_below(&random, 256);
        size -= (size_t)round / 3 % 5 == 4 ? size / 2 : 0;
        const unsigned char *bytes = (const unsigned char *)text;
        const bool read = round % 3 == 2 ? poses_set_bytes("f", bytes, size, &s.objects, message)
                                         : allow_read_bytes("f", bytes, size, &s.objects, &out, message);
        if (!read)
            assert_true(strncmp(message, "f: ", 3) == 0 && message[3] != '\0');
        counts[round % 3][read]++;
        exclusions_sort(&out);
        for (size_t i = 0; i < out.count; i++)
            assert_true(out.items[i].a < out.items[i].b && out.items[i].b < 3 &&
                        exclusions_hold(&out, out.items[i].a, out.items[i].b));
        exclusions_finish(&out);
    }
    for (int i = 0; i < 3; i++)
        if (counts[i][0] < 100 || counts[i][1] < 100)
            fail_msg("rule %d: %d refused, %d read", i, counts[i][0], counts[i][1]);
    close_scene(&s);
}

// SRDF names its robot. One of another name is noted; a link and itself is no mistake, in a line of names it is.
static void srdf_may_be_for_another_robot(void **state)
{
    (void)state;
    static const char *const names[] = {"x", "y"};
    static const struct {
        const char *text, *said; // the note, or the refusal
        bool read;
    } rows[] = {
        {"<robot name='arm'><disable_collisions link1='x' link2='x'/></robot>", "", true},
        {"<robot><disable_collisions link1='x' link2='y'/></robot>", "", true},
        {"<robot name='leg'><disable_collisions link1='x' link2='y'/></robot>",
         "f: it is for a robot called leg, and that of a.urdf is called arm: is it the right file?", true},
        {"<robot name='arm'><disable_collisions link1='q' link2='q'/></robot>",
         "f: line 1: no object is called q; there are 2, and number 0 is x", false},
        {"<robot name='leg'><disable_collisions link1='q' link2='y'/></robot>",
         "f: line 1: no object is called q; there are 2, and number 0 is x; the file is for a robot called leg, "
         "not for arm",
         false},
        {"x:x", "f: line 1: x:x: it names one object only, x, and no pair", false}};
    const scene_object_name parts[2] = {{.local = grz_pose_identity()}, {.local = grz_pose_identity()}};
    named_scene s = open_scene(names, parts, 2);
    grz_io_robot is = {.name = "arm"};
    scene_robot robot = {.file = "a.urdf", .is = &is};
    s.objects.robots = &robot;
    s.objects.robot_count = 1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char message[LOAD_MESSAGE_SIZE] = "";
        exclusions out = {0};
        const bool read =
            allow_read_bytes("f", (const unsigned char *)rows[i].text, strlen(rows[i].text), &s.objects, &out, message);
        assert_int_equal(read, rows[i].read);
        assert_string_equal(out.note_count > 0 ? out.notes[0] : message, rows[i].said);
        exclusions_finish(&out);
    }
    s.objects.robots = NULL;
    s.objects.robot_count = 0;
    close_scene(&s);
}

// A name that many objects share excludes the square of them: refused before any memory is taken for it.
static void too_many_pairs_are_refused(void **state)
{
    (void)state;
    enum {
        MANY = 6000
    };
    static const char *names[MANY];
    static scene_object_name parts[MANY];
    for (int i = 0; i < MANY; i++)
        names[i] = i < 5 ? "q" : "p";
    named_scene s = open_scene(names, parts, MANY);
    char text[900];
    exclusions e = {0};
    assert_false(exclusions_add_pair(&e, &s.objects, "p:p", "", text, sizeof text));
    assert_string_equal(text,
                        "it stands for 17967015 pairs, more than 16777216 with those before: give names that fit fewer "
                        "objects");
    assert_true(e.count == 0 && exclusions_add_pair(&e, &s.objects, "q:?", "", text, sizeof text));
    assert_int_equal(e.count, 5 * 5995 + 10);
    exclusions_finish(&e);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_are_excluded_by_name),
                                       cmocka_unit_test(a_pair_that_reads_in_two_ways_is_refused),
                                       cmocka_unit_test(blanks_beside_the_colon),
                                       cmocka_unit_test(the_first_rule_is_the_reason),
                                       cmocka_unit_test(touching_is_allowed_and_no_more),
                                       cmocka_unit_test(damaged_rules_and_poses_are_refused_or_read),
                                       cmocka_unit_test(srdf_may_be_for_another_robot),
                                       cmocka_unit_test(too_many_pairs_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
