// SPDX-License-Identifier: MIT
// Files that Assimp reads keep their own axes: one tetrahedron, with corners that no exchange or mirror image of axes
// maps onto each other, written in each format by hand, must come back bit for bit, its faces as the format has them.
// Then what is noted, what is refused and why, and the memory that an importer may take.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "foreign/decimal_comma.h"
#include "foreign/foreign.h"
#include "support_files.h"

static const double CORNERS[4][3] = {{0, 0, 0}, {1.5, 0, 0}, {0, 2.5, 0}, {0, 0, -4.5}};
static const int FACES[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};

static const char X_FILE[] =
    "xof 0303txt 0032\nMesh lid {\n4;\n0;0;0;,\n1.5;0;0;,\n0;2.5;0;,\n0;0;-4.5;;\n4;\n3;0,1,2;,\n"
    "3;0,3,1;,\n3;1,3,2;,\n3;2,3,0;;\n}\n";
static const char AC_FILE[] =
    "AC3Db\nMATERIAL \"\" rgb 1 1 1 amb 0 0 0 emis 0 0 0 spec 0 0 0 shi 1 trans 0\nOBJECT world\nkids 1\nOBJECT poly\n"
    "name \"lid\"\nnumvert 4\n0 0 0\n1.5 0 0\n0 2.5 0\n0 0 -4.5\nnumsurf 4\nSURF 0x20\nmat 0\nrefs 3\n0 0 0\n1 0 0\n2 "
    "0 "
    "0\nSURF 0x20\nmat 0\nrefs 3\n0 0 0\n3 0 0\n1 0 0\nSURF 0x20\nmat 0\nrefs 3\n1 0 0\n3 0 0\n2 0 0\nSURF 0x20\nmat "
    "0\n"
    "refs 3\n2 0 0\n3 0 0\n0 0 0\nkids 0\n";
static const char ASE_FILE[] =
    "*3DSMAX_ASCIIEXPORT 200\n*GEOMOBJECT {\n*NODE_NAME \"lid\"\n*NODE_TM {\n*NODE_NAME \"lid\"\n*TM_ROW0 1 0 0\n"
    "*TM_ROW1 0 1 0\n*TM_ROW2 0 0 1\n*TM_ROW3 0 0 0\n}\n*MESH {\n*MESH_NUMVERTEX 4\n*MESH_NUMFACES 4\n"
    "*MESH_VERTEX_LIST {\n*MESH_VERTEX 0 0 0 0\n*MESH_VERTEX 1 1.5 0 0\n*MESH_VERTEX 2 0 2.5 0\n*MESH_VERTEX 3 0 0 "
    "-4.5\n}\n*MESH_FACE_LIST {\n*MESH_FACE 0: A: 0 B: 1 C: 2\n*MESH_FACE 1: A: 0 B: 3 C: 1\n*MESH_FACE 2: A: 1 B: 3 "
    "C: 2\n*MESH_FACE 3: A: 2 B: 3 C: 0\n}\n}\n}\n";
static const char X3D_FILE[] =
    "<?xml version=\"1.0\"?><X3D version=\"3.0\"><Scene><Shape><IndexedFaceSet coordIndex=\"0 1 2 -1 0 3 1 -1 1 3 2 -1 "
    "2 3 0 -1\"><Coordinate point=\"0 0 0 1.5 0 0 0 2.5 0 0 0 -4.5\"/></IndexedFaceSet></Shape></Scene></X3D>";

// A chunk of 3DS: its number, its size with these six bytes, what it holds.
static void add_chunk(file_text *to, unsigned id, const file_text *holds)
{
    const unsigned char number[2] = {(unsigned char)id, (unsigned char)(id >> 8)};
    file_append(to, number, 2);
    file_append_u32(to, (uint32_t)holds->size + 6, false);
    file_append(to, holds->bytes, holds->size);
    free(holds->bytes);
}

static void add_short(file_text *to, unsigned value)
{
    const unsigned char bytes[2] = {(unsigned char)value, (unsigned char)(value >> 8)};
    file_append(to, bytes, 2);
}

static file_text make_3ds(void)
{
    file_text points = {0}, faces = {0}, mesh = {0}, object = {0}, editor = {0}, whole = {0};
    add_short(&points, 4);
    for (int i = 0; i < 12; i++)
        file_append_float(&points, (float)CORNERS[i / 3][i % 3], false);
    add_short(&faces, 4);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++)
            add_short(&faces, (unsigned)FACES[i][k]);
        add_short(&faces, 0);
    }
    add_chunk(&mesh, 0x4110, &points);
    add_chunk(&mesh, 0x4120, &faces);
    file_append(&object, "lid", 4);
    add_chunk(&object, 0x4100, &mesh);
    add_chunk(&editor, 0x4000, &object);
    file_text main_chunk = {0};
    add_chunk(&main_chunk, 0x3d3d, &editor);
    add_chunk(&whole, 0x4d4d, &main_chunk);
    return whole;
}

static file_text make_dxf(void)
{
    file_text t = {0};
    file_print(&t, "0\nSECTION\n2\nENTITIES\n");
    for (int i = 0; i < 4; i++) {
        file_print(&t, "0\n3DFACE\n8\nlid\n");
        for (int k = 0; k < 4; k++)
            for (int axis = 0; axis < 3; axis++)
                file_print(&t, "%d\n%g\n", 10 * (axis + 1) + k, CORNERS[FACES[i][k < 3 ? k : 2]][axis]);
    }
    file_print(&t, "0\nENDSEC\n0\nEOF\n");
    return t;
}

// Read a file that must be taken.
static void read_file(const char *name, const void *bytes, size_t size, model *m)
{
    char path[FILE_PATH_SIZE], message[MODEL_MESSAGE_SIZE];
    write_test_file(test_directory, name, bytes, size, path);
    if (!model_read(path, NULL, m, message))
        fail_msg("%s", message);
}

static bool has_note(const model *m, const char *note)
{
    for (size_t i = 0; i < m->note_count; i++)
        if (strstr(m->notes[i], note) != NULL)
            return true;
    return false;
}

static void check_tetrahedron(const char *name, const void *bytes, size_t size, const char *importer)
{
    model m;
    char note[200];
    read_file(name, bytes, size, &m);
    assert_int_equal(m.face_count, 4);
    for (uint64_t f = 0, corner = 0; f < 4; f++) {
        const uint32_t corners = m.corner_counts != NULL ? m.corner_counts[f] : 3;
        assert_true(corners == 3 || corners == 4); // a 3DFACE repeats its third corner
        for (uint32_t k = 0; k < 3; k++)
            for (int axis = 0; axis < 3; axis++) {
                const double got = m.positions[3 * m.indices[corner + k] + (uint32_t)axis];
                if (got != CORNERS[FACES[f][k]][axis])
                    fail_msg("%s: face %d, corner %d: axis %d is %g", name, (int)f, (int)k, axis, got);
            }
        corner += corners;
    }
    snprintf(note, sizeof note, "read by Assimp as float32 (%s", importer);
    assert_true(has_note(&m, note));
    model_finish(&m);
}

static void files_keep_their_axes(void **state)
{
    (void)state;
    check_tetrahedron("a.x", X_FILE, sizeof X_FILE - 1, "Direct3D");
    check_tetrahedron("a.ac", AC_FILE, sizeof AC_FILE - 1, "AC3D");
    check_tetrahedron("a.ase", ASE_FILE, sizeof ASE_FILE - 1, "ASE");
    check_tetrahedron("a.x3d", X3D_FILE, sizeof X3D_FILE - 1, "Extensible");
    file_text t = make_3ds();
    check_tetrahedron("a.3ds", t.bytes, t.size, "Discreet");
    free(t.bytes);
    t = make_dxf();
    check_tetrahedron("a.dxf", t.bytes, t.size, "Drawing");
    free(t.bytes);
}

// A frame of .x turns (x, y, z) to (y, z, x) and shifts: the matrix is the file's own, too.
static void matrices_are_those_of_the_file(void **state)
{
    (void)state;
    static const char start[] = "xof 0303txt 0032\nFrame f {\nFrameTransformMatrix {\n"
                                "0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 10, 20, 30, 1;;\n}\n";
    file_text t = {0};
    model m;
    file_print(&t, "%s%s}\n", start, X_FILE + strlen("xof 0303txt 0032\n"));
    read_file("f.x", t.bytes, t.size, &m);
    free(t.bytes);
    for (uint64_t f = 0; f < 4; f++)
        for (int k = 0; k < 3; k++) {
            const double *from = CORNERS[FACES[f][k]], *to = m.positions + 3 * m.indices[3 * f + (uint64_t)k];
            assert_true(to[0] == from[1] + 10 && to[1] == from[2] + 20 && to[2] == from[0] + 30);
        }
    model_finish(&m);
}

static void refuse(const char *name, const char *text, const char *reason)
{
    char path[FILE_PATH_SIZE], message[MODEL_MESSAGE_SIZE];
    model m;
    write_test_file(test_directory, name, text, strlen(text), path);
    if (model_read(path, NULL, &m, message))
        fail_msg("%s was read", name);
    if (strstr(message, reason) == NULL)
        fail_msg("%s: \"%s\" does not say \"%s\"", name, message, reason);
}

static void what_is_refused_says_why(void **state)
{
    (void)state;
    char comma[sizeof AC_FILE];
    memcpy(comma, AC_FILE, sizeof comma);
    *(strstr(comma, "1.5") + 1) = ',';
    refuse("c.ac", comma, "line 9: 1,5: Assimp misreads a comma");
    refuse("c.x3db", "garbage that is long enough to be looked at", "binary X3D");
    refuse("c.irr",
           "<?xml version=\"1.0\"?><irr_scene><node type=\"cube\"><attributes><float name=\"Size\" value=\"1\"/>"
           "</attributes></node></irr_scene>",
           "names other files");
    refuse("c.ase", "\xff\xfe*text", "UTF-16");
    refuse("c.smd",
           "version 1\nnodes\n0 \"a\" -1\n1 \"b\" 0\nend\nskeleton\ntime 0\n0 0 0 0 0 0 0\n1 9 0 0 0 0 0\nend\n",
           "only a skeleton or an animation");
    refuse("c.ms3d", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "");
}

static void commas_between_digits_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t length;
        uint64_t line;
    } rows[] = {{"1 2\n3 -4,5e1 6", 6, 2}, {"1, 2, 3", 0, 0}, {"a1,5", 0, 0},      {"\"1,5x\" 7\n\n0,0,0", 5, 3},
                {"<x>1,5</x>", 3, 1},      {",5 5, ,", 0, 0}, {"\"3,5\" 1", 3, 1}, {"a \"b\n1,5", 3, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const unsigned char *word = NULL, *text = (const unsigned char *)rows[i].text;
        uint64_t line;
        assert_int_equal(decimal_comma_find(text, strlen(rows[i].text), true, &word, &line), rows[i].length);
        const bool quoted = strncmp(rows[i].text, "\"3,5", 4) == 0;
        assert_int_equal(decimal_comma_find(text, strlen(rows[i].text), false, &word, &line),
                         quoted ? 0 : rows[i].length);
        assert_true(rows[i].length == 0 || (line == rows[i].line && word > text));
    }
}

static void the_unit_of_fbx_is_told(void **state)
{
    (void)state;
    static const char text[] =
        "; FBX 7.3.0 project file\nFBXHeaderExtension: {\nFBXVersion: 7300\n}\nGlobalSettings: {\nVersion: 1000\n"
        "Properties70: {\nP: \"UpAxis\", \"int\", \"Integer\", \"\",2\nP: \"UpAxisSign\", \"int\", \"Integer\", "
        "\"\",1\n"
        "P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",2.54\n}\n}\nObjects: {\nGeometry: 1, \"Geometry::\", "
        "\"Mesh\" {\nVertices: *12 {\na: 0,0,0,1.5,0,0,0,2.5,0,0,0,-4.5\n}\nPolygonVertexIndex: *12 {\na: "
        "0,1,-3,0,3,-2,1,3,-3,2,3,-1\n}\nGeometryVersion: 124\n}\nModel: 2, \"Model::lid\", \"Mesh\" {\nVersion: "
        "232\n}\n}"
        "\nConnections: {\nC: \"OO\",1,2\nC: \"OO\",2,0\n}\n";
    model m;
    read_file("a.fbx", text, sizeof text - 1, &m);
    assert_true(m.declared_unit == 0.0254 && m.unit_in_metres == 0.0254 && m.up_axis == GRZ_IO_UP_Z);
    assert_true(m.positions[3 * m.indices[1]] == 1.5 && has_note(&m, "shifts below"));
    assert_true(model_convert(&m, 0.001, "a.fbx", (char[MODEL_MESSAGE_SIZE]){""}));
    assert_true(m.positions[3 * m.indices[1]] == 38.1 && m.declared_unit == 0.0254 && m.unit_in_metres == 0.001);
    model_finish(&m);
}

static void memory_grows_with_the_file(void **state)
{
    (void)state;
    const uint64_t mib = 1 << 20;
    assert_int_equal(foreign_memory(0), 512 * mib);
    assert_int_equal(foreign_memory(mib), 768 * mib);
    assert_int_equal(foreign_memory(14 * mib), 4096 * mib);
    assert_int_equal(foreign_memory(UINT64_MAX), 4096 * mib);
}

int main(void)
{
#ifndef GRZ_HAVE_ASSIMP
    printf("1..0 # SKIP built without Assimp\n");
    return 77;
#else
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_keep_their_axes),    cmocka_unit_test(matrices_are_those_of_the_file),
        cmocka_unit_test(what_is_refused_says_why), cmocka_unit_test(commas_between_digits_are_found),
        cmocka_unit_test(the_unit_of_fbx_is_told),  cmocka_unit_test(memory_grows_with_the_file),
    };
    return cmocka_run_group_tests(tests, begin_file_tests, end_file_tests);
#endif
}
