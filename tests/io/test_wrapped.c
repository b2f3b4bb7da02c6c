// SPDX-License-Identifier: MIT
// What a file is wrapped in: .gz, packed here by other code than zlib, and text in UTF-16, made here from UTF-8. What
// is inside is read as the plain file is, bit for bit. And formats that are known and not read: each says what it is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

#include <graze/io.h>

#include "support_files.h"
#include "support_readers.h"
#include "support_allocator.h"

#define SHEET "v 0 0 0\nv 1 0 0.1\nv 0 1 -1e-3\nf 1 2 3\n"

// ---- gzip by hand

// Bits of a deflate block, the lowest first.
typedef struct bit_writer {
    file_text *to;
    uint32_t held;
    unsigned count;
} bit_writer;

static void put_bits(bit_writer *w, uint32_t bits, unsigned count)
{
    w->held |= bits << w->count;
    for (w->count += count; w->count >= 8; w->count -= 8, w->held >>= 8) {
        const unsigned char byte = (unsigned char)w->held;
        file_append(w->to, &byte, 1);
    }
}

// One line feed, and the same 258 · `count` times: 13 bits each (fixed codes: length 258 is 11000101, distance 1 is
// 00000, and codes go with their highest bit first).
static void append_bomb(file_text *t, uint32_t count)
{
    static const unsigned char header[10] = {0x1f, 0x8b, 8};
    file_append(t, header, sizeof header);
    bit_writer w = {.to = t};
    put_bits(&w, 3, 3);    // the last block, fixed codes
    put_bits(&w, 0x5c, 8); // a line feed: 00111010
    for (uint32_t i = 0; i < count; i++)
        put_bits(&w, 0xa3, 13);
    put_bits(&w, 0, 14); // the end, and the last bits
    file_append_u32(t, 0, false);
    file_append_u32(t, 258 * count + 1, false);
}

// "v 0 0 0\nv 1 0 0.1\nv 0 1 -1e-3\nf 1 2 3\n" as `gzip -9` packs it, with a name.
static const unsigned char by_gzip[] = {
    0x1f, 0x8b, 0x08, 0x08, 0x40, 0x31, 0x0d, 0x6b, 0x02, 0x03, 0x73, 0x68, 0x65, 0x65, 0x74,
    0x2e, 0x6f, 0x62, 0x6a, 0x00, 0x2b, 0x53, 0x30, 0x00, 0x41, 0xae, 0x32, 0x05, 0x43, 0x10,
    0xad, 0x67, 0x08, 0x64, 0x19, 0x00, 0xd9, 0xba, 0x86, 0xa9, 0xba, 0xc6, 0x5c, 0x69, 0x40,
    0x96, 0x91, 0x82, 0x31, 0x17, 0x00, 0x83, 0x0a, 0x2b, 0x12, 0x26, 0x00, 0x00, 0x00,
};

static void assert_same_model(const grz_io_model *one, const grz_io_model *other)
{
    assert_true(one->vertex_count == other->vertex_count && one->index_count == other->index_count &&
                one->face_count == other->face_count && one->part_count == other->part_count);
    assert_memory_equal(one->positions, other->positions, one->vertex_count * 3 * sizeof(double));
    assert_memory_equal(one->indices, other->indices, one->index_count * sizeof(uint32_t));
    assert_true((one->corner_counts == NULL) == (other->corner_counts == NULL));
    if (one->corner_counts != NULL)
        assert_memory_equal(one->corner_counts, other->corner_counts, one->face_count * sizeof(uint32_t));
    for (size_t i = 0; i < one->part_count; i++)
        assert_string_equal(one->parts[i].name, other->parts[i].name);
    assert_string_equal(one->format, other->format);
}

static void every_format_is_read_from_gz(void **state)
{
    (void)state;
    for (int i = 0; i < FILE_SAMPLE_COUNT; i++)
        for (size_t block = 7; block < 70000; block *= 97) {
            const file_sample *s = &file_samples[i];
            file_text t = {0};
            char name[100];
            grz_io_model *plain, *packed;
            file_append_gzip(&t, s->bytes, s->size, block);
            (void)snprintf(name, sizeof name, "%s.%s", s->name, block == 7 ? "gz" : "GZ");
            read_bytes(s->name, s->bytes, s->size, &plain);
            read_bytes(name, t.bytes, t.size, &packed);
            assert_same_model(packed, plain);
            assert_true(packed->note_count == plain->note_count);
            grz_io_evidence evidence, wanted;
            assert_string_equal(grz_io_detect(name, t.bytes, t.size, &evidence), plain->format);
            assert_string_equal(grz_io_detect(s->name, s->bytes, s->size, &wanted), plain->format);
            assert_int_equal(evidence, wanted);
            grz_io_model_destroy(plain);
            grz_io_model_destroy(packed);
            free(t.bytes);
        }
}

static void what_is_in_gz_and_not_read_is_told(void **state)
{
    (void)state;
    file_text once = {0}, twice = {0}, other = {0};
    file_append_gzip(&once, SHEET, strlen(SHEET), 1000);
    file_append_gzip(&twice, once.bytes, once.size, 1000);
    refuse_bytes("a.obj.gz", twice.bytes, twice.size,
                 "what gzip packed in it is packed by gzip again: unpack it first");
    file_append_gzip(&other, "<X3D/>", 6, 1000);
    refuse_bytes("a.x3d.gz", other.bytes, other.size,
                 "gzip packed it, and only the formats of libgraze_io are unpacked");
    other.size = 0;
    file_append_gzip(&other, "Kaydara FBX Binary  \0", 21, 1000);
    refuse_bytes("a.fbx.gz", other.bytes, other.size,
                 "gzip packed it, and only the formats of libgraze_io are unpacked");
    free(once.bytes);
    free(twice.bytes);
    free(other.bytes);
}

static void gz_may_have_several_members(void **state)
{
    (void)state;
    file_text t = {0};
    grz_io_model *m;
    read_bytes("a.obj.gz", by_gzip, sizeof by_gzip, &m);
    assert_position(m, 2, 0, 1, -1e-3);
    grz_io_model_destroy(m);
    file_append_gzip(&t, "v 0 0 0\nv 1 ", 12, 5);
    file_append_gzip(&t, "", 0, 5);
    file_append_gzip(&t, "0 0\nv 0 1 0\nf 1 2 3\n", 20, 100);
    read_bytes("a.obj.gz", t.bytes, t.size, &m);
    assert_position(m, 1, 1, 0, 0);
    assert_faces(m, "0 1 2");
    grz_io_model_destroy(m);
    file_append(&t, "\0", 1);
    refuse_bytes("a.obj.gz", t.bytes, t.size, "byte 111: not gzip, behind the end of the gzip data");
    free(t.bytes);
    // What is inside decides, not the name: a browser may have unpacked it, or somebody dropped the extension.
    read_text("a.obj.gz", SHEET, &m);
    assert_string_equal(m->format, "OBJ");
    grz_io_model_destroy(m);
    read_bytes("a", by_gzip, sizeof by_gzip, &m);
    assert_string_equal(m->format, "OBJ");
    grz_io_model_destroy(m);
}

static void damaged_gz_is_refused(void **state)
{
    (void)state;
    file_text t = {0};
    for (size_t cut = 18; cut < sizeof by_gzip; cut++)
        refuse_bytes("a.obj.gz", by_gzip, cut, "the file ends within its gzip data");
    for (size_t at = sizeof by_gzip - 8; at < sizeof by_gzip; at++) {
        unsigned char changed[sizeof by_gzip];
        memcpy(changed, by_gzip, sizeof by_gzip);
        changed[at] ^= 1;
        refuse_bytes("a.obj.gz", changed, sizeof changed,
                     at < sizeof by_gzip - 4 ? "damaged gzip data: incorrect data check"
                                             : "damaged gzip data: incorrect length check");
    }
    file_append_gzip(&t, "", 0, 1);
    refuse_bytes("a.obj.gz", t.bytes, t.size, "there is nothing in the gzip file");
    t.size = 0;
    file_append_gzip(&t, "v 0 0 0\nv 0 0 x\n", 16, 4);
    refuse_bytes("a.obj.gz", t.bytes, t.size, "line 2: the z coordinate \"x\" is not a number");
    t.size = 0;
    file_append_gzip(&t, by_gzip, sizeof by_gzip, 100); // twice
    refuse_bytes("a.obj.gz.gz", t.bytes, t.size, "a.obj.gz.gz: ");
    free(t.bytes);
}

// What is unpacked may have 16 MiB and 64 bytes for each byte of the file.
static void bombs_are_refused(void **state)
{
    (void)state;
    file_text t = {0};
    append_bomb(&t, 110000); // 28.4 MB of 179 kB: less than 28.2 MB are allowed
    assert_true(258.0 * 110000 > (16 << 20) + 64.0 * (double)t.size);
    refuse_bytes("a.obj.gz", t.bytes, t.size, "16 MiB and 64 bytes for each byte of a .gz are read; unpack it first");
    t.size = 0;
    append_bomb(&t, 60000); // allowed, but the CRC is wrong
    refuse_bytes("a.obj.gz", t.bytes, t.size, "damaged gzip data: incorrect data check");
    free(t.bytes);
}

// A binary STL may begin with any 80 bytes.
static void a_binary_stl_is_not_unwrapped(void **state)
{
    (void)state;
    static const char *const begins[] = {"\x1f\x8b\x08\x00", "\xff\xfev\x00 \x00", "#usda 1.0", "BLENDER"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        file_text t = {0};
        grz_io_model *m;
        char header[80] = "";
        memcpy(header, begins[i], i == 0 ? 4 : 6);
        file_append(&t, header, sizeof header);
        file_append_u32(&t, 1, false);
        for (int k = 0; k < 12; k++)
            file_append_float(&t, (float)k, false);
        file_append(&t, "\0\0", 2);
        read_bytes("a.stl", t.bytes, t.size, &m);
        assert_position(m, 0, 3, 4, 5);
        assert_notes(m, "");
        assert_string_equal(grz_io_detect("a.stl", t.bytes, t.size, NULL), "STL");
        assert_false(grz_io_unread("a.stl", t.bytes, t.size, NULL, 0));
        grz_io_model_destroy(m);
        free(t.bytes);
    }
}

// ---- UTF-16

static void append_unit(file_text *t, uint32_t unit, bool big)
{
    const unsigned char bytes[2] = {(unsigned char)(big ? unit >> 8 : unit), (unsigned char)(big ? unit : unit >> 8)};
    file_append(t, bytes, 2);
}

// UTF-16 of valid UTF-8, with a mark.
static void append_utf16(file_text *t, const char *text, bool big)
{
    append_unit(t, 0xfeff, big);
    for (const unsigned char *p = (const unsigned char *)text; *p != '\0';) {
        const int more = *p >= 0xf0 ? 3 : *p >= 0xe0 ? 2 : *p >= 0xc0 ? 1 : 0;
        uint32_t c = more == 0 ? *p : *p & (0x3fu >> more);
        for (int i = 1; i <= more; i++)
            c = c << 6 | (p[i] & 0x3f);
        p += more + 1;
        if (c >= 0x10000) {
            append_unit(t, 0xd800 + ((c - 0x10000) >> 10), big);
            append_unit(t, 0xdc00 + ((c - 0x10000) & 0x3ff), big);
        } else {
            append_unit(t, c, big);
        }
    }
}

static const char *const utf16_notes[] = {"text in UTF-16 (little-endian) was read as UTF-8",
                                          "text in UTF-16 (big-endian) was read as UTF-8"};

static void text_in_utf16_is_read(void **state)
{
    (void)state;
    // Names with characters of one to four bytes, the last of each length among them.
    static const char *const names[] = {"a\x7f", "\xc2\x80\xdf\xbf", "\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf",
                                        "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"};
    for (int big = 0; big < 2; big++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            file_text t = {0}, packed = {0};
            char text[200];
            grz_io_model *plain, *m;
            (void)snprintf(text, sizeof text, "%s", "v 0 0 0\r\nv 1 0 0.1\nv 0 1 -1e-3\no ");
            (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%s\nf 1 2 3\n", names[i]);
            append_utf16(&t, text, big == 1);
            read_text("a.obj", text, &plain);
            read_bytes("a.obj", t.bytes, t.size, &m);
            assert_same_model(m, plain);
            assert_notes(m, utf16_notes[big]);
            grz_io_model_destroy(m);
            file_append_gzip(&packed, t.bytes, t.size, 11);
            read_bytes("a.obj.gz", packed.bytes, packed.size, &m);
            assert_same_model(m, plain);
            grz_io_model_destroy(m);
            grz_io_model_destroy(plain);
            free(t.bytes);
            free(packed.bytes);
        }
}

static void text_formats_are_recognised_in_utf16(void **state)
{
    (void)state;
    static const char stl[] = "solid a b\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
                              "endloop\nendfacet\nendsolid\n";
    static const char ply[] =
        PLY("ascii", PLY_VERTICES("3") PLY_FACES("1") "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    file_text gltf = {0};
    make_gltf(&gltf);
    file_append(&gltf, "", 1);
    const char *const texts[][2] = {{"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "OFF"},
                                    {stl, "STL"},
                                    {ply, "PLY"},
                                    {(const char *)gltf.bytes, "glTF"},
                                    {SHEET, "OBJ"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (int big = 0; big < 2; big++) {
            file_text t = {0};
            grz_io_model *plain, *m;
            append_utf16(&t, texts[i][0], big == 1);
            assert_string_equal(grz_io_detect("a", t.bytes, t.size, NULL), texts[i][1]);
            read_text("a", texts[i][0], &plain);
            read_bytes("a", t.bytes, t.size, &m);
            assert_same_model(m, plain);
            assert_notes(m, utf16_notes[big]);
            grz_io_model_destroy(plain);
            grz_io_model_destroy(m);
            free(t.bytes);
        }
    free(gltf.bytes);
}

static void mistakes_in_utf16_are_refused(void **state)
{
    (void)state;
    static const uint16_t cases[][4] = {{0xd800, 'x', 'y', 0},
                                        {'x', 0xdc00, 'y', 0},
                                        {'x', 'y', 0xdbff, 0},
                                        {0xd83d, 0xd83d, 0xde00, 0},
                                        {0xdc00, 0xdc01, 'y', 0}};
    static const int places[] = {34, 36, 38, 34, 34};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int big = 0; big < 2; big++) {
            file_text t = {0};
            char what[80];
            append_utf16(&t, "v 0 0 0\n#comment", big == 1); // 2 and 32 bytes
            for (int k = 0; cases[i][k] != 0; k++)
                append_unit(&t, cases[i][k], big == 1);
            (void)snprintf(what, sizeof what, "a.obj: byte %d: half a surrogate pair in UTF-16 text", places[i]);
            refuse_bytes("a.obj", t.bytes, t.size, what);
            free(t.bytes);
        }
    file_text t = {0};
    append_utf16(&t, SHEET, false);
    refuse_bytes("a.obj", t.bytes, t.size - 1, "the file ends within a character of UTF-16 text");
    t.size = 0;
    append_utf16(&t, "v 0 0 0\nv 0 0 x\n", true);
    refuse_bytes("a.obj", t.bytes, t.size, "line 2: the z coordinate \"x\" is not a number");
    free(t.bytes);
    // UTF-32 is not taken for it.
    refuse_bytes("a.obj", "\xff\xfe\0\0v\0\0\0", 8, "a.obj: no OBJ file");
}

// ---- memory, cancelling

static void memory_that_runs_out_is_an_error(void **state)
{
    (void)state;
    file_text text = {0}, t = {0};
    append_utf16(&text, SHEET, true);
    file_append_gzip(&t, text.bytes, text.size, 50);
    grz_status status = GRZ_ERROR_MEMORY;
    for (long from = 1; status != GRZ_OK; from++) {
        test_strict_allocator memory = {.lock = PTHREAD_MUTEX_INITIALIZER, .fail_at = from, .for_good = true};
        grz_io_options options = grz_io_default_options();
        grz_io_model *m;
        options.allocator = test_strict_allocator_of(&memory);
        status = grz_io_load_memory("a.obj.gz", t.bytes, t.size, &options, &m, NULL);
        assert_true(status == GRZ_OK || status == GRZ_ERROR_MEMORY);
        assert_true((status == GRZ_OK) == (m != NULL) && from < 100);
        grz_io_model_destroy(m);
        assert_true(memory.bytes == 0);
    }
    grz_io_options options = grz_io_default_options();
    grz_io_model *m;
    grz_error error;
    options.limits.memory_limit = 60000; // less than the first block, whatever zlib takes
    assert_int_equal(grz_io_load_memory("a.obj.gz", t.bytes, t.size, &options, &m, &error), GRZ_ERROR_MEMORY);
    assert_non_null(strstr(error.message, "not enough memory to unpack the file: the limit is 60000 bytes"));
    volatile int cancel = 1;
    options = grz_io_default_options();
    options.limits.cancel = &cancel;
    assert_int_equal(grz_io_load_memory("a.obj.gz", t.bytes, t.size, &options, &m, &error), GRZ_ERROR_CANCELLED);
    assert_int_equal(grz_io_load_memory("a.obj", text.bytes, text.size, &options, &m, &error), GRZ_ERROR_CANCELLED);
    free(text.bytes);
    free(t.bytes);
}

// ---- formats that are not read

static void refuse_format(const char *name, const void *bytes, size_t size, const char *what)
{
    char reason[512] = "";
    grz_io_evidence evidence;
    file_text packed = {0};
    refuse_bytes(name, bytes, size, what);
    assert_true(grz_io_unread(name, bytes, size, reason, sizeof reason));
    assert_true(strncmp(reason, what, strlen(what)) == 0);
    assert_null(grz_io_detect(name, bytes, size, &evidence));
    assert_int_equal(evidence, GRZ_IO_UNKNOWN);
    file_append_gzip(&packed, bytes, size, 1000);
    refuse_bytes(name, packed.bytes, packed.size, what);
    assert_true(grz_io_unread(name, packed.bytes, packed.size, NULL, 0));
    free(packed.bytes);
}

static void formats_that_are_not_read_say_what_they_are(void **state)
{
    (void)state;
#define STEP(schema) "ISO-10303-21;\nHEADER;\nFILE_NAME('','');\nFILE_SCHEMA((" schema "));\nENDSEC;\n"
#define IFC_ADVICE                                                                                                     \
    " is not read; IfcConvert FILE.ifc FILE.obj --use-element-names makes an OBJ with a group for each element"
    static const char *const cases[][3] = {
        {"a", STEP("'AUTOMOTIVE_DESIGN { 1 }'"), "STEP is not read: it holds curved surfaces: export STL or 3MF"},
        {"a.obj", "\xEF\xBB\xBF\r\n ISO-10303-21;", "STEP is not read: it holds curved surfaces: export STL or 3MF"},
        {"a.stp", "garbage", "STEP is not read: it holds curved surfaces: export STL or 3MF"},
        {"a.ifc", STEP("'IFC4'"), "IFC4" IFC_ADVICE},
        {"a.step", STEP(" 'IFC2X3'"), "IFC2X3" IFC_ADVICE},
        {"a.ifc", "garbage", "IFC" IFC_ADVICE},
        {"a.xml", "<?xml version='1.0'?><ifc:ifcXML xmlns:ifc='x'></ifc:ifcXML>", "IFC" IFC_ADVICE},
        {"a.x", "#usda 1.0\n(\n)\n", "USD is not read: export glTF or OBJ"},
        {"a.usdz", "garbage", "USD is not read: export glTF or OBJ"},
        {"a.sdf", "<?xml version='1.0'?>\n<!-- <x> -->\n<sdf version='1.7'>\n</sdf>",
         "SDF (Gazebo) is not read: use the robot's URDF"},
        {"a.xml", "<mujoco model='a'/>", "MJCF (MuJoCo) is not read: use the robot's URDF"},
        {"a.urdf", "<robot name='a' xmlns:xacro='x'><xacro:include filename='b'/></robot>",
         "xacro is not read: its macros have to be expanded: run xacro FILE > robot.urdf"},
        {"a.urdf", "<robot name='a'/>", "URDF is not read as one mesh: it is a robot, which `graze scene`"},
        {"a.xml", "<!-- <sdf> --><robot name='a' xmlns:xacro='http://ros.org/wiki/xacro'/>", "URDF is not read as one"},
        {"a.zae", "PK\3\4", "A COLLADA archive is not read; unpack it"},
        {"a.igs", "garbage", "IGES is not read: it holds curved surfaces"},
        {"a", "\nCASCADE Topology V1, (c) Matra-Datavision\n", "BREP (Open CASCADE) is not read"},
        {"a", "**ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz****", "Parasolid is not read"},
        {"a.SLDPRT", "garbage", "SolidWorks is not read: it holds curved surfaces: export STL or 3MF"},
        {"a.f3d", "garbage", "Fusion is not read"},
        {"a", "3D Geometry File Format        4", "Rhino is not read"},
        {"a.dwg", "AC1032\1\2\3", "DWG (AutoCAD) is not read"},
        {"a", "BLENDER-v279RENDH", "Blender is not read: export glTF, FBX or OBJ from Blender"},
        {"a.wrl", "#VRML V2.0 utf8\nShape {}\n", "VRML is not read"},
        {"a", "DRACO\2\2", "Draco is not read: draco_decoder"},
        {"a.las", "LASF\1\2", "LAS (a point cloud) is not read: it holds points without faces"},
        {"a", "# .PCD v0.7 - Point Cloud Data file format\n", "PCD (a point cloud) is not read"},
        {"a.e57", "ASTM-E57\1", "E57 (a point cloud) is not read"},
        {"a.mesh", "MeshVersionFormatted 2\n", "Medit is not read: save the surface of its elements"},
        {"a.vtk", "# vtk DataFile Version 3.0\n", "VTK is not read"},
        {"a.vtu", "<VTKFile type='x'>", "VTK is not read"},
        {"a.stl", "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 12\n",
         "A pointer of Git LFS is not read: the model is elsewhere; git lfs pull brings it"},
        {"a.stl", "<!DOCTYPE html [<!ENTITY a '>'>]>\n<html lang='en'>\n", "An HTML page is not read"},
        {"a.obj.xz",
         "\xFD"
         "7zXZ",
         "A compressed file of this kind is not read: unpack it first; only .gz"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse_format(cases[i][0], cases[i][1], strlen(cases[i][1]), cases[i][2]);
    refuse_format("a.zip", "PK\3\4 of other files", 20, "A compressed file of this kind is not read: unpack it first");
    refuse_format("a", "PXR-USDC\0\10\0", 11, "USD is not read");
    refuse_format("a.zip", "PK\3\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\6\0\0\0a.usdc.....", 41,
                  "USD is not read");
    char iges[100] = "";
    (void)snprintf(iges, sizeof iges, "%-72sS%7d\n", "made for a test", 1);
    refuse_format("a", iges, strlen(iges), "IGES is not read");
    char jt[100] = "";
    (void)snprintf(jt, sizeof jt, "%-75s\n", "Version 9.5 JT  DM 6.4.1.0");
    memset(jt + strlen(jt), '\n', 10);
    refuse_format("a", jt, strlen(jt), "JT is not read");
    // The whole of UTF-16 is XML's own matter, but it is recognised.
    file_text t = {0};
    append_utf16(&t, "<sdf version='1.7'/>", true);
    assert_true(grz_io_unread("a", t.bytes, t.size, NULL, 0));
    free(t.bytes);
}

// The tool reads these through Assimp.
static void what_only_the_tool_reads_is_told(void **state)
{
    (void)state;
    refuse("a.x3d", "<X3D/>",
           "X3D is not read by libgraze_io, only by the tool: save it as glTF, OBJ, PLY, STL or 3MF");
    refuse_bytes("a.FBX", "Kaydara FBX Binary  \0", 21, "FBX is not read by libgraze_io, only by the tool");
    refuse("a.dxf", "0\nSECTION\n", "DXF is not read by libgraze_io, only by the tool");
    grz_io_model *m;
    read_text("a.x", SHEET, &m); // an OBJ text, whatever it is called
    grz_io_model_destroy(m);
}

static void other_files_are_not_taken_for_these(void **state)
{
    (void)state;
    char reason[20] = "x";
    static const char *const cases[][2] = {
        {"a.obj", SHEET},
        {"a.x3d", "<X3D/>"},
        {"a", "<sdfs/>"},
        {"a", "<!-- <sdf> --><robots/>"},
        {"a", "<sd"},
        {"a", ""},
        {"a.mesh", "[MeshSerializer_v1.8]\n"},
        {"a.dxf", "0\nSECTION\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (grz_io_unread(cases[i][0], cases[i][1], strlen(cases[i][1]), reason, sizeof reason) || *reason != '\0')
            fail_msg("%s: %s", cases[i][1], reason);
    assert_false(grz_io_unread(NULL, NULL, 7, NULL, 0));
    assert_true(grz_io_unread("a.step", "x", 1, reason, sizeof reason));
    assert_string_equal(reason, "STEP is not read: i"); // cut
    // A format that the caller names is not doubted.
    grz_io_options options = grz_io_default_options();
    grz_io_model *m;
    options.format = "obj";
    assert_int_equal(grz_io_load_memory("a.step", SHEET, strlen(SHEET), &options, &m, NULL), GRZ_OK);
    assert_string_equal(m->format, "OBJ");
    grz_io_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_is_read_from_gz),
        cmocka_unit_test(what_is_in_gz_and_not_read_is_told),
        cmocka_unit_test(gz_may_have_several_members),
        cmocka_unit_test(damaged_gz_is_refused),
        cmocka_unit_test(bombs_are_refused),
        cmocka_unit_test(a_binary_stl_is_not_unwrapped),
        cmocka_unit_test(text_in_utf16_is_read),
        cmocka_unit_test(text_formats_are_recognised_in_utf16),
        cmocka_unit_test(mistakes_in_utf16_are_refused),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
        cmocka_unit_test(formats_that_are_not_read_say_what_they_are),
        cmocka_unit_test(what_only_the_tool_reads_is_told),
        cmocka_unit_test(other_files_are_not_taken_for_these),
    };
    return cmocka_run_group_tests(tests, begin_file_tests, end_file_tests);
}
