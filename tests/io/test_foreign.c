// SPDX-License-Identifier: MIT
// Files that Assimp reads keep their own axes: one tetrahedron, with corners that no exchange or mirror image of axes
// maps onto each other, written in each format by hand, must come back bit for bit, its faces as the format has them.
// Then what is noted, what is refused before Assimp reads it, and why, and the memory that an importer may take.
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
#include "foreign/importers.h"
#include "support_files.h"

static const double CORNERS[4][3] = {{0, 0, 0}, {1.5, 0, 0}, {0, 2.5, 0}, {0, 0, -4.5}};
static const int FACES[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};

static const char X_FILE[] =
    "xof 0303txt 0032\nMesh lid {\n4;\n0;0;0;,\n1.5;0;0;,\n0;2.5;0;,\n0;0;-4.5;;\n4;\n3;0,1,2;,\n"
    "3;0,3,1;,\n3;1,3,2;,\n3;2,3,0;;\n}\n";
static const char X3D_FILE[] =
    "<?xml version=\"1.0\"?><X3D version=\"3.0\"><Scene><Shape><IndexedFaceSet coordIndex=\"0 1 2 -1 0 3 1 -1 1 3 2 -1 "
    "2 3 0 -1\"><Coordinate point=\"0 0 0 1.5 0 0 0 2.5 0 0 0 -4.5\"/></IndexedFaceSet></Shape></Scene></X3D>";

static const char FBX_FILE[] =
    "; FBX 7.3.0 project file\nFBXHeaderExtension: {\nFBXVersion: 7300\n}\nGlobalSettings: {\nVersion: 1000\n"
    "Properties70: {\nP: \"UpAxis\", \"int\", \"Integer\", \"\",2\nP: \"UpAxisSign\", \"int\", \"Integer\", "
    "\"\",1\n"
    "P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",2.54\n}\n}\nObjects: {\nGeometry: 1, \"Geometry::\", "
    "\"Mesh\" {\nVertices: *12 {\na: 0,0,0,1.5,0,0,0,2.5,0,0,0,-4.5\n}\nPolygonVertexIndex: *12 {\na: "
    "0,1,-3,0,3,-2,1,3,-3,2,3,-1\n}\nGeometryVersion: 124\n}\nModel: 2, \"Model::lid\", \"Mesh\" {\nVersion: "
    "232\n}\n}"
    "\nConnections: {\nC: \"OO\",1,2\nC: \"OO\",2,0\n}\n";

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

static void add_letters(file_text *to, const char *letters, uint32_t size)
{
    file_append(to, letters, 4);
    file_append_u32(to, size, true);
}

// `type`: of the polygons, "FACE"; the last corner is `last`.
static file_text make_lwo(const char *type, unsigned last)
{
    enum {
        FORM_SIZE = 4 + 10 + 26 + 8 + 48 + 8 + 4 + 32 + 8 + 20 + 8 + 4
    };
    file_text t = {0};
    add_letters(&t, "FORM", FORM_SIZE);
    file_append(&t, "LWO2TAGS\0\0\0\2s\0", 14);
    add_letters(&t, "LAYR", 18);
    file_append(&t, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 18);
    add_letters(&t, "PNTS", 48);
    for (int i = 0; i < 12; i++)
        file_append_float(&t, (float)CORNERS[i / 3][i % 3], true);
    add_letters(&t, "POLS", 36);
    file_append(&t, type, 4);
    for (int i = 0; i < 4; i++) {
        file_append(&t, "\0\3", 2);
        for (int k = 0; k < 3; k++) {
            const unsigned corner = i == 3 && k == 2 ? last : (unsigned)FACES[i][k];
            file_append(&t, (const unsigned char[2]){0, (unsigned char)corner}, 2);
        }
    }
    add_letters(&t, "PTAG", 20);
    file_append(&t, "SURF\0\0\0\0\0\1\0\0\0\2\0\0\0\3\0\0", 20);
    add_letters(&t, "SURF", 4);
    file_append(&t, "s\0\0\0", 4);
    return t;
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

static void check_tetrahedron(const char *name, const void *bytes, size_t size, const char *reader)
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
    snprintf(note, sizeof note, "read by Assimp as float32 (%s", reader);
    assert_true(has_note(&m, note));
    model_finish(&m);
}

static void files_keep_their_axes(void **state)
{
    (void)state;
    check_tetrahedron("a.x", X_FILE, sizeof X_FILE - 1, "Direct3D");
    check_tetrahedron("a.x3d", X3D_FILE, sizeof X3D_FILE - 1, "Extensible");
    file_text t = make_3ds();
    check_tetrahedron("a.3ds", t.bytes, t.size, "Discreet");
    free(t.bytes);
    t = make_dxf();
    check_tetrahedron("a.dxf", t.bytes, t.size, "Drawing");
    free(t.bytes);
    t = make_lwo("FACE", 0);
    check_tetrahedron("a.lwo", t.bytes, t.size, "LightWave");
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

static void refuse_bytes(const char *name, const void *bytes, size_t size, const char *reason)
{
    char path[FILE_PATH_SIZE], message[MODEL_MESSAGE_SIZE];
    model m;
    write_test_file(test_directory, name, bytes, size, path);
    if (model_read(path, NULL, &m, message))
        fail_msg("%s was read, though: %s", name, reason);
    if (strstr(message, reason) == NULL)
        fail_msg("%s: \"%s\" does not say \"%s\"", name, message, reason);
}

static void refuse(const char *name, const char *text, const char *reason)
{
    refuse_bytes(name, text, strlen(text), reason);
}

// A text in which the first `find` has become `with`.
static char *changed(const char *text, const char *find, const char *with)
{
    const char *at = strstr(text, find);
    assert_non_null(at);
    char *out = malloc(strlen(text) + strlen(with) + 1);
    assert_non_null(out);
    sprintf(out, "%.*s%s%s", (int)(at - text), text, with, at + strlen(find));
    return out;
}

// What a file becomes by one change must be refused.
typedef struct bad_change {
    const char *find, *with, *reason;
} bad_change;

static void refuse_changes(const char *name, const char *text, const bad_change *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *bad = changed(text, rows[i].find, rows[i].with);
        refuse(name, bad, rows[i].reason);
        free(bad);
    }
}

static void formats_of_nobody_are_refused_by_name(void **state)
{
    (void)state;
    static const char *const rows[][2] = {{"c.ac", "AC3D is not read"},      {"c.amf", "AMF is not read"},
                                          {"c.xgl", "XGL is not read"},      {"c.ogex", "OpenGEX is not read"},
                                          {"c.raw", "RAW is not read"},      {"c.md5mesh", "MD5 is not read"},
                                          {"c.ase", "ASE is not read"},      {"c.mesh", "Ogre's mesh"},
                                          {"c.lws", "names other files"},    {"c.IRR", "names other files"},
                                          {"c.x3db", "binary X3D"},          {"c.lxo", "LXO is not read"},
                                          {"c.nff", "files named .nff are"}, {"c.ms3d", "files named .ms3d are"},
                                          {"c.smd", "files named .smd are"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        refuse(rows[i][0], "garbage that is long enough to be looked at", rows[i][1]);
    assert_null(importer_refusal("fbx"));
    assert_null(importer_find("AC3D Importer"));
    assert_null(importer_for("ac"));
    assert_string_equal(importer_for("FBX")->name, "Autodesk FBX Importer");
}

static void bad_x_is_refused(void **state)
{
    (void)state;
    static const bad_change rows[] = {
        {"1.5;0;0;", "1,5;0;0;", "line 5: \"1\" stands where a number should"},
        {"1.5;0;0;", "abc;0;0;", "\"abc\""},
        {"3;0,3,1;", "3;0,4,1;", "a face has corner 4, but its mesh has 4 vertices"},
        {"3;0,3,1;", "3;0,3;", "stands where a number should"},
        {"3;0,3,1;", "3;0,3.5,1;", "is no count and no corner"},
        {"Mesh lid", "PatchMesh p {\n}\nMesh lid", "a curved patch"},
        {"Mesh lid", "Frame f {\nFrameTransformMatrix {\n1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1;;\n}\n}\nMesh lid",
         "1,0: Assimp"},
        {"Mesh lid",
         "Frame f {\nFrameTransformMatrix {\n1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., "
         "5.;;\n}\n}\n"
         "Mesh lid",
         "more than 16 numbers"},
        {"0303txt ", "0303bin ", "binary or packed .x"},
    };
    refuse_changes("c.x", X_FILE, rows, sizeof rows / sizeof *rows);
    // What Assimp reads is read: templates, remarks, names in quotes.
    char *good = changed(X_FILE, "Mesh lid", "template Mesh { <3D82AB44> DWORD n; }\n// Mesh {\nMesh lid");
    check_tetrahedron("g.x", good, strlen(good), "Direct3D");
    free(good);
}

static void bad_x3d_is_refused(void **state)
{
    (void)state;
    static const bad_change rows[] = {
        {"<Scene>", "<Scene><LOD><Shape><Box/></Shape></LOD>", "line 1: LOD: not read"},
        {"<Scene>", "<Scene><Anchor/>", "Anchor: not read"},
        {"<Scene>", "<Scene>\n<Shape><Sphere/></Shape>", "line 2: Sphere: a curved surface"},
        {"<Scene>", "<Scene><Inline url=\"a.x3d\"/>", "Inline: it names another file"},
        {"<Scene>", "<Scene><Shape><IndexedFaceSet coordIndex=\"0 1 2 -1\"/></Shape>",
         "shows 5 faces, but Assimp gives 4"},
        {"1.5 0 0", "1.5 abc 0", "\"abc\" is no number"},
        {"1.5 0 0", "1,5 0 0", "1,5: Assimp misreads a comma"},
        {"1.5 0 0", "1.5 0", "coordinates are missing"},
        {"<X3D", "<!DOCTYPE X3D [ <!ENTITY a \"b\"> ]><X3D", "declarations of its own"},
        {"<Scene>", "<Scene", "XML is damaged"},
        {"<?xml", "\xff\xfe<", "UTF-16"},
    };
    refuse_changes("c.x3d", X3D_FILE, rows, sizeof rows / sizeof *rows);
    char *good = changed(X3D_FILE, "<Scene>",
                         "<!-- <LOD> --><Scene><Switch whichChoice='-1'><Shape><Box/></Shape></Switch>"
                         "<ROUTE fromNode='a' fromField='b' toNode='c' toField='d'/>");
    check_tetrahedron("g.x3d", good, strlen(good), "Extensible");
    model m;
    read_file("g.x3d", good, strlen(good), &m);
    assert_true(has_note(&m, "1 sensor, route or other"));
    model_finish(&m);
    free(good);
}

static void bad_dxf_is_refused(void **state)
{
    (void)state;
    static const char polyface[] =
        "0\nPOLYLINE\n8\nlid\n70\n64\n0\nVERTEX\n70\n192\n10\n0\n20\n0\n30\n0\n0\nVERTEX\n70\n"
        "192\n10\n1\n20\n0\n30\n0\n0\nVERTEX\n70\n192\n10\n0\n20\n1\n30\n0\n0\nVERTEX\n"
        "70\n128\n71\n1\n72\n2\n73\n3\n0\nSEQEND\n0\nENDSEC\n0\nEOF";
    static const bad_change rows[] = {
        {"0\n3DFACE", "0\nINSERT\n2\nB\n0\n3DFACE", "line 6: INSERT: a block, which Assimp misplaces"},
        {"0\n3DFACE", "0\n3DSOLID\n0\n3DFACE", "3DSOLID: it may have faces"},
        {"0\n3DFACE", "0\nSOLID\n0\n3DFACE", "SOLID: it may have faces"},
        {"0\n3DFACE", "0\nCIRCLE\n39\n2\n0\n3DFACE", "CIRCLE: it has a thickness"},
        {"0\n3DFACE", "0\nVERTEX\n0\n3DFACE", "outside a POLYLINE"},
        {"0\n3DFACE", "0\nPOLYLINE\n70\n16\n0\nSEQEND\n0\n3DFACE", "a grid of vertices"},
        {"0\n3DFACE", "0\nPOLYLINE\n70\n8\n0\n3DFACE", "which has no end"},
        {"\n1.5\n", "\n1,5\n", "\"1,5\" is no number"},
        {"\n11\n1.5\n", "\n", "a coordinate is missing"},
        {"\n11\n1.5\n", "\nxx\n1.5\n", "\"xx\" is no number"},
        {"0\nEOF", "", "it ends without EOF"},
    };
    static const bad_change polyface_rows[] = {
        {"73\n3\n", "73\n4\n", "a corner of the polyface mesh before it is none of its vertices"},
        {"73\n3\n", "73\n-3\n", "an edge that is marked as hidden"},
        {"73\n3\n", "", "fewer than 3 corners"},
        {"72\n2\n", "72\n0\n", "a corner 0"},
        {"\n30\n0\n0\nVERTEX", "\n0\nVERTEX", "a coordinate is missing"},
    };
    file_text t = make_dxf();
    file_print(&t, "%c", 0);
    const char *text = (const char *)t.bytes;
    refuse_changes("c.dxf", text, rows, sizeof rows / sizeof *rows);
    char *with = changed(text, "0\nENDSEC\n0\nEOF", polyface);
    refuse_changes("c.dxf", with, polyface_rows, sizeof polyface_rows / sizeof *polyface_rows);
    model m;
    read_file("g.dxf", with, strlen(with), &m);
    assert_int_equal(m.face_count, 5);
    model_finish(&m);
    free(with);
    with = changed(text, "0\n3DFACE", "0\nCIRCLE\n8\nlid\n0\nTEXT\n1\nSOLID\n0\n3DFACE");
    read_file("g.dxf", with, strlen(with), &m);
    assert_true(has_note(&m, "2 entities without faces left out"));
    model_finish(&m);
    free(with);
    free(t.bytes);
    refuse("c.dxf", "AutoCAD Binary DXF\r\n\x1a", "binary DXF");
}

static void bad_3ds_is_refused(void **state)
{
    (void)state;
    file_text t = make_3ds();
    // The faces are at the end, 8 bytes each; the first is the fourth from there.
    unsigned char *corner = (unsigned char *)t.bytes + t.size - 4 * 8;
    corner[0] = 4;
    refuse_bytes("c.3ds", t.bytes, t.size, "a face has corner 4, but its mesh has 4 vertices");
    corner[0] = 0;
    refuse_bytes("c.3ds", t.bytes, t.size - 1, "ends past what holds it");
    free(t.bytes);
    for (int scale = 1; scale <= 2; scale++) {
        file_text number = {0}, editor = {0}, main_chunk = {0}, whole = {0};
        file_append_float(&number, (float)scale, false);
        add_chunk(&editor, 0x0100, &number);
        add_chunk(&main_chunk, 0x3d3d, &editor);
        add_chunk(&whole, 0x4d4d, &main_chunk);
        refuse_bytes("c.3ds", whole.bytes, whole.size, scale == 2 ? "a master scale of 2" : "");
        free(whole.bytes);
    }
    refuse("c.3ds", "solid a", "does not begin as 3DS does");
}

static void bad_lwo_is_refused(void **state)
{
    (void)state;
    file_text t = make_lwo("PTCH", 0);
    refuse_bytes("c.lwo", t.bytes, t.size, "polygons of type PTCH");
    free(t.bytes);
    t = make_lwo("FACE", 4);
    refuse_bytes("c.lwo", t.bytes, t.size, "a face has corner 4, but its layer has 4 vertices");
    refuse_bytes("c.lwo", t.bytes, t.size - 1, "it ends too early");
    memcpy((char *)t.bytes + 8, "LWOB", 4);
    refuse_bytes("c.lwo", t.bytes, t.size, "another generation than LWO2");
    free(t.bytes);
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
        assert_int_equal(decimal_comma_find(text, strlen(rows[i].text), &word, &line), rows[i].length);
        assert_true(rows[i].length == 0 || (line == rows[i].line && word > text));
    }
}

static void the_unit_of_fbx_is_told(void **state)
{
    (void)state;
    model m;
    read_file("a.fbx", FBX_FILE, sizeof FBX_FILE - 1, &m);
    assert_true(m.declared_unit == 0.0254 && m.unit_in_metres == 0.0254 && m.up_axis == GRZ_IO_UP_Z);
    assert_true(m.positions[3 * m.indices[1]] == 1.5 && has_note(&m, "shifts below"));
    assert_true(model_convert(&m, 0.001, "a.fbx", (char[MODEL_MESSAGE_SIZE]){""}));
    assert_true(m.positions[3 * m.indices[1]] == 38.1 && m.declared_unit == 0.0254 && m.unit_in_metres == 0.001);
    model_finish(&m);
}

static void bad_fbx_is_refused(void **state)
{
    (void)state;
#define MODEL_WITH(property) "Version: 232\nProperties70: {\n" property "\n}\n}\n}\nConnections"
#define MODEL_END "Version: 232\n}\n}\nConnections"
    static const bad_change rows[] = {
        {"Vertices: *12", "Vertices: *9", "line 17: an array of 9 numbers has 12"},
        {"1.5,0,0", "abc,0,0", "\"abc\" is no number"},
        {"2,3,-1", "2,3,-9", "shows 12 corners, but Assimp gives 0"},
        {"2,3,-1", "2,3,0", "shows 12 corners, but Assimp gives 9"},
        {"C: \"OO\",1,2", "", "no mesh is in it"},
        {"Model: 2", "Geometry: 5, \"Geometry::\", \"NurbsSurface\" {\n}\nModel: 2",
         "class \"NurbsSurface\", which Assimp drops"},
        {"Model: 2", "Model: 1", "two objects have the number 1"},
        {"Model: 2", "Model: \"a\"", "without its number or its class"},
        {MODEL_END, MODEL_WITH("P: \"PreRotation\", \"Vector3D\", \"Vector\", \"\",0,0,90"),
         "PreRotation, but without RotationActive"},
        {MODEL_END, MODEL_WITH("P: \"PostRotation\", \"Vector3D\", \"Vector\", \"\",0,0,90"), "PostRotation"},
        {MODEL_END,
         MODEL_WITH("P: \"RotationOrder\", \"enum\", \"\", \"\",2\nP: \"Lcl Rotation\", \"Lcl Rotation\", \"\", "
                    "\"A\",90,90,0"),
         "another order than x, y, z"},
        {MODEL_END,
         MODEL_WITH(
             "P: \"InheritType\", \"enum\", \"\", \"\",2\nP: \"Lcl Scaling\", \"Lcl Scaling\", \"\", \"A\",2,2,2"),
         "InheritType 2"},
        {MODEL_END,
         MODEL_WITH(
             "P: \"InheritType\", \"enum\", \"\", \"\",0\nP: \"Lcl Scaling\", \"Lcl Scaling\", \"\", \"A\",2,1,1"),
         "InheritType 0"},
        {MODEL_END, MODEL_WITH("P: \"PreRotation\", \"PreRotation\", \"\", \"\",0,0,0"),
         "of another type than Vector3D"},
        {"C: \"OO\",2,0\n}", "C: \"OO\",2,0\n", "damaged, or cut"},
    };
    refuse_changes("c.fbx", FBX_FILE, rows, sizeof rows / sizeof *rows);
    static const bad_change good[] = {
        {MODEL_END, MODEL_WITH("P: \"InheritType\", \"enum\", \"\", \"\",2"), NULL},
        {MODEL_END,
         MODEL_WITH(
             "P: \"InheritType\", \"enum\", \"\", \"\",0\nP: \"Lcl Scaling\", \"Lcl Scaling\", \"\", \"A\",1,1,1"),
         NULL},
        {MODEL_END, MODEL_WITH("P: \"PostRotation\", \"Vector3D\", \"Vector\", \"\",0,0,0"), NULL},
        {"Model: 2", "Video: 7, \"Video::\", \"Clip\" {\nContent: ,\n\"AAAA\"\n}\nModel: 2", NULL},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        char *text = changed(FBX_FILE, good[i].find, good[i].with);
        check_tetrahedron("g.fbx", text, strlen(text), "Autodesk");
        free(text);
    }
}

// A node of binary FBX 7.4 begins: where it ends is written later. Returns where it begins.
static size_t begin_node(file_text *to, const char *name, const void *values, size_t size, uint32_t count)
{
    const size_t at = to->size;
    file_append_u32(to, 0, false);
    file_append_u32(to, count, false);
    file_append_u32(to, (uint32_t)size, false);
    file_append(to, (const unsigned char[1]){(unsigned char)strlen(name)}, 1);
    file_append(to, name, strlen(name));
    file_append(to, values, size);
    return at;
}

static void end_node(file_text *to, size_t at, bool has_nodes)
{
    static const unsigned char empty[13] = {0};
    if (has_nodes)
        file_append(to, empty, sizeof empty);
    for (int i = 0; i < 4; i++)
        to->bytes[at + (size_t)i] = (unsigned char)(to->size >> 8 * i);
}

// An array as a value, not packed.
static void add_array(file_text *to, const char *name, const char *type, const void *numbers, uint32_t count,
                      uint32_t size)
{
    file_text value = {0};
    file_append(&value, type, 1);
    file_append_u32(&value, count, false);
    file_append_u32(&value, 0, false);
    file_append_u32(&value, size, false);
    file_append(&value, numbers, size);
    end_node(to, begin_node(to, name, value.bytes, value.size, 1), false);
    free(value.bytes);
}

// The class of the geometry is four letters.
static file_text make_binary_fbx(const char *class)
{
    static const int32_t corners[12] = {0, 1, -3, 0, 3, -2, 1, 3, -3, 2, 3, -1};
    char values[] = "L\1\0\0\0\0\0\0\0S\0\0\0\0S\4\0\0\0Mesh";
    const size_t size = sizeof values - 1;
    file_text t = {0};
    file_append(&t, "Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0", 27);
    size_t outer = begin_node(&t, "FBXHeaderExtension", "", 0, 0);
    end_node(&t, begin_node(&t, "FBXVersion", "I\xe8\x1c\0\0", 5, 1), false);
    end_node(&t, outer, true);
    outer = begin_node(&t, "Objects", "", 0, 0);
    memcpy(values + size - 4, class, 4);
    size_t inner = begin_node(&t, "Geometry", values, size, 3);
    add_array(&t, "Vertices", "d", CORNERS, 12, sizeof CORNERS);
    add_array(&t, "PolygonVertexIndex", "i", corners, 12, sizeof corners);
    end_node(&t, inner, true);
    values[1] = 2;
    memcpy(values + size - 4, "Mesh", 4);
    inner = begin_node(&t, "Model", values, size, 3);
    end_node(&t, begin_node(&t, "Version", "I\xe8\0\0\0", 5, 1), false);
    end_node(&t, inner, true);
    end_node(&t, outer, true);
    outer = begin_node(&t, "Connections", "", 0, 0);
    end_node(&t, begin_node(&t, "C", "S\2\0\0\0OOL\1\0\0\0\0\0\0\0L\2\0\0\0\0\0\0\0", 25, 3), false);
    end_node(&t, begin_node(&t, "C", "S\2\0\0\0OOL\2\0\0\0\0\0\0\0L\0\0\0\0\0\0\0\0", 25, 3), false);
    end_node(&t, outer, true);
    static const unsigned char empty[13] = {0};
    file_append(&t, empty, sizeof empty);
    return t;
}

static void binary_fbx_is_looked_through(void **state)
{
    (void)state;
    file_text t = make_binary_fbx("Mesh");
    check_tetrahedron("b.fbx", t.bytes, t.size, "Autodesk");
    for (size_t size = 0; size + 13 < t.size; size += 7) // cut anywhere
        refuse_bytes("c.fbx", t.bytes, size, size == 0 ? "empty" : "");
    free(t.bytes);
    t = make_binary_fbx("Nurb");
    refuse_bytes("c.fbx", t.bytes, t.size, "class \"Nurb\", which Assimp drops");
    free(t.bytes);
}

// The corners of a file's tetrahedron lie where this matrix puts them, to within `slack`.
static void check_places(const char *name, const char *text, const double m[3][4], double slack)
{
    model got;
    read_file(name, text, strlen(text), &got);
    assert_int_equal(got.face_count, 4);
    for (uint64_t f = 0; f < 4; f++)
        for (int k = 0; k < 3; k++)
            for (int axis = 0; axis < 3; axis++) {
                const double *p = CORNERS[FACES[f][k]], *row = m[axis];
                const double off = got.positions[3 * got.indices[3 * f + (uint64_t)k] + (uint32_t)axis] -
                                   (row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3]);
                if (!(off >= -slack && off <= slack))
                    fail_msg("%s: face %d, corner %d, axis %d is off by %g: %s", name, (int)f, k, axis, off, text);
            }
    model_finish(&got);
}

typedef struct place_row {
    const char *what;
    double matrix[3][4];
} place_row;

#define SLACK 1e-6 // float32, turns of which the sine is not exact

static void nodes_of_fbx_are_placed(void **state)
{
    (void)state;
#define LCL(name, numbers) "P: \"" name "\", \"" name "\", \"\", \"A\"," numbers "\n"
#define VECTOR(name, numbers) "P: \"" name "\", \"Vector3D\", \"Vector\", \"\"," numbers "\n"
    static const place_row rows[] = {
        {LCL("Lcl Translation", "1,2,3"), {{1, 0, 0, 1}, {0, 1, 0, 2}, {0, 0, 1, 3}}},
        {LCL("Lcl Scaling", "2,3,-4"), {{2, 0, 0, 0}, {0, 3, 0, 0}, {0, 0, -4, 0}}},
        {LCL("Lcl Rotation", "0,0,90"), {{0, -1, 0, 0}, {1, 0, 0, 0}, {0, 0, 1, 0}}},
        {LCL("Lcl Rotation", "90,90,0"), {{0, 1, 0, 0}, {0, 0, -1, 0}, {-1, 0, 0, 0}}}, // x first
        {LCL("Lcl Translation", "1,2,3") LCL("Lcl Rotation", "0,0,90") LCL("Lcl Scaling", "2,3,4"),
         {{0, -3, 0, 1}, {2, 0, 0, 2}, {0, 0, 4, 3}}},
        {VECTOR("PreRotation", "0,0,90")
             LCL("Lcl Rotation", "90,0,0") "P: \"RotationActive\", \"bool\", \"\", \"\",1\n",
         {{0, 0, 1, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}}},
        {VECTOR("RotationPivot", "1,2,3") LCL("Lcl Rotation", "0,0,90"), {{0, -1, 0, 3}, {1, 0, 0, 1}, {0, 0, 1, 0}}},
        {VECTOR("RotationOffset", "1,2,3") LCL("Lcl Rotation", "0,0,90"), {{0, -1, 0, 1}, {1, 0, 0, 2}, {0, 0, 1, 3}}},
        {VECTOR("ScalingPivot", "1,2,3") LCL("Lcl Scaling", "2,3,4"), {{2, 0, 0, -1}, {0, 3, 0, -4}, {0, 0, 4, -9}}},
        {VECTOR("ScalingOffset", "1,2,3") LCL("Lcl Scaling", "2,3,4"), {{2, 0, 0, 1}, {0, 3, 0, 2}, {0, 0, 4, 3}}},
        {VECTOR("GeometricTranslation", "1,2,3") LCL("Lcl Scaling", "2,3,4"),
         {{2, 0, 0, 2}, {0, 3, 0, 6}, {0, 0, 4, 12}}},
        {VECTOR("GeometricScaling", "2,3,4") VECTOR("GeometricRotation", "0,0,90"),
         {{0, -3, 0, 0}, {2, 0, 0, 0}, {0, 0, 4, 0}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        file_text t = {0};
        file_print(&t, "Version: 232\nProperties70: {\n%s}\n}\n}\nConnections%c", rows[i].what, 0);
        char *text = changed(FBX_FILE, "Version: 232\n}\n}\nConnections", (const char *)t.bytes);
        check_places("p.fbx", text, rows[i].matrix, SLACK);
        free(text);
        free(t.bytes);
    }
}

static void nodes_of_x3d_are_placed(void **state)
{
    (void)state;
    static const place_row rows[] = {
        {"translation='1 2 3'", {{1, 0, 0, 1}, {0, 1, 0, 2}, {0, 0, 1, 3}}},
        {"scale='2 3 -4' translation='1 2 3'", {{2, 0, 0, 1}, {0, 3, 0, 2}, {0, 0, -4, 3}}},
        {"rotation='0 0 1 1.5707963' scale='2 3 4'", {{0, -3, 0, 0}, {2, 0, 0, 0}, {0, 0, 4, 0}}},
        {"center='1 2 3' rotation='0 0 1 1.5707963'", {{0, -1, 0, 3}, {1, 0, 0, 1}, {0, 0, 1, 0}}},
        {"scaleOrientation='0 0 1 1.5707963' scale='2 3 4'", {{3, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 4, 0}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        file_text t = {0};
        file_print(&t, "<Scene><Transform %s>%c", rows[i].what, 0);
        char *text = changed(X3D_FILE, "<Scene>", (const char *)t.bytes);
        char *whole = changed(text, "</Scene>", "</Transform></Scene>");
        check_places("p.x3d", whole, rows[i].matrix, SLACK);
        free(whole);
        free(text);
        free(t.bytes);
    }
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
        cmocka_unit_test(files_keep_their_axes),
        cmocka_unit_test(matrices_are_those_of_the_file),
        cmocka_unit_test(formats_of_nobody_are_refused_by_name),
        cmocka_unit_test(bad_x_is_refused),
        cmocka_unit_test(bad_x3d_is_refused),
        cmocka_unit_test(bad_dxf_is_refused),
        cmocka_unit_test(bad_3ds_is_refused),
        cmocka_unit_test(bad_lwo_is_refused),
        cmocka_unit_test(bad_fbx_is_refused),
        cmocka_unit_test(binary_fbx_is_looked_through),
        cmocka_unit_test(nodes_of_fbx_are_placed),
        cmocka_unit_test(nodes_of_x3d_are_placed),
        cmocka_unit_test(commas_between_digits_are_found),
        cmocka_unit_test(the_unit_of_fbx_is_told),
        cmocka_unit_test(memory_grows_with_the_file),
    };
    return cmocka_run_group_tests(tests, begin_file_tests, end_file_tests);
#endif
}
