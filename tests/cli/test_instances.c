// SPDX-License-Identifier: MIT
// Files with nodes, and the objects that `graze scene` makes of files. Nodes that show one mesh share it; matrices are
// the products of their ancestors'; flattening follows the formula of docs/reference/numbers.md bit for bit; shared
// meshes at poses give the same verdicts as flattened copies. Also: parts of OBJ and STL files, repeated and missing
// names, and errors that use the file's own numbers.
// ctest: timeout 600
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sys/resource.h>
#include <unistd.h>

#include "assembly/scene_objects.h"
#include "support_files.h"
#include "support_meshes.h"
#include "support_sanitizer.h"

static char directory[FILE_PATH_SIZE];

// A scene and the objects of some files.
typedef struct assembly {
    grz_device *device;
    scene_objects objects;
} assembly;

static assembly begin_assembly(void)
{
    assembly a = {.device = test_device_open(1)};
    a.objects.device = a.device;
    assert_int_equal(grz_scene_create(a.device, &a.objects.scene, NULL), GRZ_OK);
    return a;
}

static void add_file(assembly *a, const char *path)
{
    char message[LOAD_MESSAGE_SIZE];
    if (!scene_objects_add_file(&a->objects, path, NULL, message))
        fail_msg("%s", message);
    assert_true(grz_scene_object_count(a->objects.scene) == a->objects.count);
}

static void finish_assembly(assembly *a)
{
    grz_scene_destroy(a->objects.scene);
    scene_objects_finish(&a->objects);
    grz_device_close(a->device);
}

// The names without the path, with "|" between them.
static void assert_names(const assembly *a, const char *path, const char *expected)
{
    char text[2048] = "";
    size_t n = 0;
    for (size_t i = 0; i < a->objects.count; i++) {
        const char *name = a->objects.names[i];
        assert_true(strncmp(name, path, strlen(path)) == 0);
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", i ? "|" : "", name + strlen(path));
    }
    assert_string_equal(text, expected);
}

static uint64_t faces_of(const assembly *a, uint32_t id)
{
    return grz_mesh_face_count(grz_scene_object(a->objects.scene, id)->mesh);
}

static void write_text(const char *name, const char *text, char path[FILE_PATH_SIZE])
{
    write_test_file(directory, name, text, strlen(text), path);
}

static void refuse_file(const char *path, const char *what)
{
    assembly a = begin_assembly();
    char message[LOAD_MESSAGE_SIZE] = "";
    assert_false(scene_objects_add_file(&a.objects, path, NULL, message));
    if (strncmp(message, path, strlen(path)) != 0 || !strstr(message, what))
        fail_msg("message \"%s\", expected \"%s\"", message, what);
    finish_assembly(&a);
}

static void parts_of_obj_become_objects(void **state)
{
    (void)state;
    char path[FILE_PATH_SIZE];
    write_text("parts.obj",
               "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 9 9 9\nv 0 0 1\nf 1 2 3\no a\nf 1 3 5\nf 1 2 5 3\no empty\ng b c\nf 5 3 "
               "2\no a\nf 2 3 5\n",
               path);
    assembly a = begin_assembly();
    add_file(&a, path);
    assert_names(&a, path, ":default|:a|:b c|:a");
    const uint64_t faces[] = {1, 2, 1, 1}, vertices[] = {3, 4, 3, 3};
    for (uint32_t i = 0; i < 4; i++) {
        const grz_object *object = grz_scene_object(a.objects.scene, i);
        const grz_pose identity = grz_pose_identity();
        assert_true(grz_mesh_face_count(object->mesh) == faces[i] &&
                    grz_mesh_vertex_count(object->mesh) == vertices[i]);
        assert_memory_equal(&object->pose, &identity, sizeof identity);
    }
    add_file(&a, path); // the same file once more: objects of its own
    assert_names(&a, path, ":default|:a|:b c|:a|:default|:a|:b c|:a");
    finish_assembly(&a);
}

static void a_file_without_parts_is_one_object(void **state)
{
    (void)state;
    char path[FILE_PATH_SIZE];
    write_text("whole.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 3\n", path);
    assembly a = begin_assembly();
    add_file(&a, path);
    assert_names(&a, path, "");
    assert_true(faces_of(&a, 0) == 2);
    finish_assembly(&a);
}

static void solids_of_stl_become_objects(void **state)
{
    (void)state;
    const char *facet = "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
    char text[2048], path[FILE_PATH_SIZE];
    snprintf(text, sizeof text, "solid one\n%sendsolid\nsolid\n%s%sendsolid\nsolid one\n%sendsolid\n", facet, facet,
             facet, facet);
    write_text("solids.stl", text, path);
    assembly a = begin_assembly();
    add_file(&a, path);
    assert_names(&a, path, ":one|:solid 2|:one");
    assert_true(faces_of(&a, 0) == 1 && faces_of(&a, 1) == 2 && faces_of(&a, 2) == 1);
    finish_assembly(&a);
}

// A part's mesh has the positions of the file: two triangles far apart share one vertex list.
static void parts_keep_their_positions(void **state)
{
    (void)state;
    char path[FILE_PATH_SIZE];
    write_text("places.obj",
               "v 0 0 0\nv 100 0 0\nv 1 0 0\nv 101 0 0\nv 0 1 0\nv 100 1 0\no a\nf 1 3 5\no b\nf 2 4 6\no c\nf 4 6 2\n",
               path);
    assembly a = begin_assembly();
    uint64_t count;
    add_file(&a, path);
    grz_result *result = test_result_create(a.device);
    assert_int_equal(grz_collide_scene(a.device, a.objects.scene, NULL, result, NULL), GRZ_OK);
    const grz_scene_pair *pairs = grz_result_scene_pairs(result, &count);
    assert_true(count == 1 && pairs[0].a == 1 && pairs[0].b == 2 && pairs[0].kinds[GRZ_COPLANAR] == 1);
    grz_result_destroy(result);
    finish_assembly(&a);
}

static void the_cost_of_many_parts_is_that_of_their_faces(void **state)
{
    (void)state;
    enum {
        PARTS = 20000
    };
    file_text t = {0};
    char path[FILE_PATH_SIZE];
    for (int i = 0; i < PARTS; i++)
        file_print(&t, "v %d 0 0\nv %d 1 0\nv %d 0 1\no part%d\nf -1 -2 -3\n", i, i, i, i);
    write_test_file(directory, "many.obj", t.bytes, t.size, path);
    assembly a = begin_assembly();
    add_file(&a, path); // all vertices once for each part would be 1.2 billion steps and more
    assert_true(a.objects.count == PARTS && a.objects.mesh_count == PARTS);
    finish_assembly(&a);
    free(t.bytes);
}

static void errors_use_the_names_of_the_file(void **state)
{
    (void)state;
    char path[FILE_PATH_SIZE];
    write_text("far.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1e300 0 0\no a\nf 1 2 3\no b\nf 2 3 4\n", path);
    refuse_file(path, "far.obj: vertex 3");
    write_text("none.obj", "v 0 0 0\n", path);
    refuse_file(path, "no faces");
    snprintf(path, sizeof path, "%.400s/missing.obj", directory);
    refuse_file(path, "cannot be opened");
}

// All that follows is about files with nodes.

// A glTF file being written: meshes of one or more primitives, and nodes.
typedef struct gltf {
    file_text data, views, accessors, meshes, nodes;
    int view_count, mesh_count, node_count;
    bool in_mesh;
} gltf;

// `mode`: 4 triangles, 1 lines, 0 points.
static void gltf_add_primitive(gltf *g, const float *positions, int vertices, const uint32_t *indices, int corners,
                               int mode)
{
    const size_t start = g->data.size;
    const char *comma = g->view_count ? "," : "";
    for (int i = 0; i < 3 * vertices; i++)
        file_append_float(&g->data, positions[i], false);
    const size_t middle = g->data.size;
    for (int i = 0; i < corners; i++)
        file_append_u32(&g->data, indices[i], false);
    file_print(&g->views, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu},", comma, start, middle - start);
    file_print(&g->views, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}", middle, g->data.size - middle);
    file_print(&g->accessors, "%s{\"bufferView\":%d,\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\"},", comma,
               g->view_count, vertices);
    file_print(&g->accessors, "{\"bufferView\":%d,\"componentType\":5125,\"count\":%d,\"type\":\"SCALAR\"}",
               g->view_count + 1, corners);
    file_print(&g->meshes, "%s{\"attributes\":{\"POSITION\":%d},\"indices\":%d,\"mode\":%d}",
               g->in_mesh          ? ","
               : g->mesh_count > 0 ? ",{\"primitives\":["
                                   : "{\"primitives\":[",
               g->view_count, g->view_count + 1, mode);
    g->view_count += 2;
    g->in_mesh = true;
}

static int gltf_end_mesh(gltf *g)
{
    file_print(&g->meshes, "]}");
    g->in_mesh = false;
    return g->mesh_count++;
}

// A node: `mesh` below 0 for none; `rest` is JSON behind it, "" or members that begin with a comma.
static void gltf_add_node(gltf *g, const char *name, int mesh, const float matrix[3][4], const char *rest)
{
    file_print(&g->nodes, "%s{\"matrix\":[", g->node_count++ > 0 ? "," : "");
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++)
            file_print(&g->nodes, "%s%.9g", row + column > 0 ? "," : "",
                       row < 3 ? (double)matrix[row][column] : (column == 3 ? 1.0 : 0.0));
    file_print(&g->nodes, "]");
    if (name)
        file_print(&g->nodes, ",\"name\":\"%s\"", name);
    if (mesh >= 0)
        file_print(&g->nodes, ",\"mesh\":%d", mesh);
    file_print(&g->nodes, "%s}", rest);
}

static void gltf_write(gltf *g, const char *name, const char *roots, char path[FILE_PATH_SIZE])
{
    file_text t = {0};
    file_print(&t, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[");
    file_append(&t, roots, strlen(roots));
    file_print(&t, "]}],\"nodes\":[");
    file_append(&t, g->nodes.bytes, g->nodes.size);
    file_print(&t, "],\"meshes\":[");
    file_append(&t, g->meshes.bytes, g->meshes.size);
    file_print(&t, "],\"accessors\":[");
    file_append(&t, g->accessors.bytes, g->accessors.size);
    file_print(&t, "],\"bufferViews\":[");
    file_append(&t, g->views.bytes, g->views.size);
    file_print(&t, "],\"buffers\":[{\"byteLength\":%zu,\"uri\":\"data:application/octet-stream;base64,", g->data.size);
    file_append_base64(&t, g->data.bytes, g->data.size);
    file_print(&t, "\"}]}\n");
    write_test_file(directory, name, t.bytes, t.size, path);
    free(t.bytes);
    free(g->data.bytes);
    free(g->views.bytes);
    free(g->accessors.bytes);
    free(g->meshes.bytes);
    free(g->nodes.bytes);
    *g = (gltf){0};
}

static const float ORIGIN[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
static const float TETRAHEDRON[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const uint32_t TETRAHEDRON_FACES[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static void read_instances(const char *path, model *m)
{
    char message[MODEL_MESSAGE_SIZE];
    if (!model_read_instances(path, NULL, m, message))
        fail_msg("%s", message);
}

// Nested nodes with matrices of small fractions, so that every product is exact. The expected matrices are computed by
// hand.
static void nodes_become_instances_in_depth_first_order(void **state)
{
    (void)state;
    static const float quarter_turn[3][4] = {{0, -1, 0, 2}, {1, 0, 0, 0.5f}, {0, 0, 1, 0}},
                       lift[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 2, 4}};
    gltf g = {0};
    model m;
    char path[FILE_PATH_SIZE];
    gltf_add_primitive(&g, TETRAHEDRON, 4, TETRAHEDRON_FACES, 12, 4);
    gltf_end_mesh(&g);
    gltf_add_primitive(&g, TETRAHEDRON, 4, TETRAHEDRON_FACES, 6, 4);
    gltf_end_mesh(&g);
    gltf_add_node(&g, "root", -1, lift, ",\"children\":[1,3]");
    gltf_add_node(&g, "arm", 0, quarter_turn, ",\"children\":[2]");
    gltf_add_node(&g, "hand", 1, quarter_turn, "");
    gltf_add_node(&g, "other", 0, ORIGIN, "");
    gltf_add_node(&g, "second root", 1, ORIGIN, "");
    gltf_write(&g, "nested.gltf", "4,0", path);
    read_instances(path, &m);
    static const struct {
        const char *name;
        uint64_t mesh;
        double matrix[3][4];
    } expected[4] = {
        {"second root", 0, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
        {"arm", 1, {{0, -1, 0, 2}, {1, 0, 0, 0.5}, {0, 0, 2, 4}}},
        {"hand", 0, {{-1, 0, 0, 1.5}, {0, -1, 0, 2.5}, {0, 0, 2, 4}}},
        {"other", 1, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 2, 4}}},
    };
    assert_true(m.instance_count == 4 && m.mesh_count == 2 && m.part_count == 0);
    assert_true(m.meshes[0].face_count == 2 && m.meshes[1].face_count == 4 && m.meshes[1].first_vertex == 4);
    for (int i = 0; i < 4; i++) {
        assert_string_equal(m.instances[i].name, expected[i].name);
        assert_true(m.instances[i].mesh == expected[i].mesh);
        for (int k = 0; k < 12; k++)
            assert_true(m.instances[i].matrix[k / 4][k % 4] == expected[i].matrix[k / 4][k % 4]);
    }
    for (uint64_t i = 0; i < m.index_count; i++) // corners count from their mesh's first vertex
        assert_true(m.indices[i] < 4);
    model_finish(&m);
    assembly a = begin_assembly();
    add_file(&a, path);
    assert_names(&a, path, ":second root|:arm|:hand|:other");
    assert_true(a.objects.mesh_count == 2);
    assert_true(grz_scene_object(a.objects.scene, 1)->mesh == grz_scene_object(a.objects.scene, 3)->mesh);
    finish_assembly(&a);
}

// The primitives of one node are one object. Nodes share a mesh only if they show the same primitives. Lines and points
// make no object.
static void nodes_share_equal_meshes(void **state)
{
    (void)state;
    gltf g = {0};
    model m;
    char path[FILE_PATH_SIZE];
    gltf_add_primitive(&g, TETRAHEDRON, 4, TETRAHEDRON_FACES, 12, 4);
    gltf_add_primitive(&g, TETRAHEDRON, 4, TETRAHEDRON_FACES, 3, 4);
    gltf_end_mesh(&g);
    gltf_add_primitive(&g, TETRAHEDRON, 4, TETRAHEDRON_FACES, 2, 1);
    gltf_end_mesh(&g);
    gltf_add_primitive(&g, TETRAHEDRON, 4, TETRAHEDRON_FACES, 12, 4);
    gltf_end_mesh(&g);
    for (int i = 0; i < 6; i++)
        gltf_add_node(&g, i == 4 ? "four" : NULL, i % 3, ORIGIN, "");
    gltf_write(&g, "shared.gltf", "0,1,2,3,4,5", path);
    read_instances(path, &m);
    assert_true(m.mesh_count == 2 && m.instance_count == 4);
    assert_true(m.meshes[0].face_count == 5 && m.meshes[0].vertex_count == 8 && m.meshes[1].face_count == 4);
    for (size_t i = 0; i < 4; i++)
        assert_true(m.instances[i].mesh == i % 2);
    assert_true(m.note_count == 1 && strcmp(m.notes[0], "1 line left out") == 0);
    model_finish(&m);
    assembly a = begin_assembly();
    add_file(&a, path);
    assert_true(a.objects.count == 4 && a.objects.mesh_count == 2);
    assert_true(faces_of(&a, 0) == 5 && faces_of(&a, 1) == 4 && faces_of(&a, 2) == 5 && faces_of(&a, 3) == 4);
    finish_assembly(&a);
}

#ifdef GRZ_HAVE_ASSIMP
// An X3D node may have no name, and its importer gives it none.
static void objects_without_a_name_are_numbered(void **state)
{
    (void)state;
    static const char shape[] =
        "<Transform%s><Shape><IndexedFaceSet coordIndex=\"0 1 2 -1\"><Coordinate point=\"0 0 0 1 0 0 0 1 0\"/>"
        "</IndexedFaceSet></Shape></Transform>";
    file_text t = {0};
    char path[FILE_PATH_SIZE];
    file_print(&t, "<?xml version=\"1.0\"?><X3D version=\"3.0\" profile=\"Interchange\"><Scene>");
    file_print(&t, shape, "");
    file_print(&t, shape, " DEF=\"named\"");
    file_print(&t, shape, "");
    file_print(&t, "</Scene></X3D>\n");
    write_test_file(directory, "unnamed.x3d", t.bytes, t.size, path);
    free(t.bytes);
    assembly a = begin_assembly();
    add_file(&a, path);
    assert_names(&a, path, ":node 1|:named|:node 3");
    add_file(&a, path); // counted file by file
    assert_names(&a, path, ":node 1|:named|:node 3|:node 1|:named|:node 3");
    finish_assembly(&a);
}

#endif

static float random_float(random_stream *random, double size)
{
    return (float)(random_signed(random) * size);
}

// A tree of nodes with arbitrary matrices (some the identity, some singular if wanted). The nodes show small meshes of
// random triangles near the origin, so that many touch. Some meshes are closed, so that some contain others.
static void write_random_gltf(random_stream *random, bool singular, char path[FILE_PATH_SIZE])
{
    enum {
        MESHES = 4,
        NODES = 9
    };
    gltf g = {0};
    for (int i = 0; i < MESHES; i++) {
        float positions[12];
        const float size = i == 0 ? 6.0f : 1.0f, shift = i == 0 ? -2.0f : 0.0f;
        for (int k = 0; k < 12; k++)
            positions[k] = i % 2 == 0 ? shift + size * TETRAHEDRON[k] : random_float(random, 1.0);
        positions[2] = i == 2 ? -0.0f : positions[2];
        gltf_add_primitive(&g, positions, 4, TETRAHEDRON_FACES, i == 3 ? 6 : 12, 4);
        gltf_end_mesh(&g);
    }
    for (int i = 0; i < NODES; i++) {
        float matrix[3][4];
        char children[64] = "";
        memcpy(matrix, ORIGIN, sizeof matrix);
        for (int k = 0; k < 12 && random_below(random, 4) > 0; k++)
            matrix[k / 4][k % 4] += random_float(random, k % 4 == 3 ? 2.0 : 0.5);
        if (singular && random_below(random, 4) == 0)
            memset(matrix[2], 0, sizeof matrix[2]);
        if (i < NODES / 3)
            snprintf(children, sizeof children, ",\"children\":[%d,%d]", i + NODES / 3, i + 2 * (NODES / 3));
        gltf_add_node(&g, NULL, (int)random_below(random, MESHES), (const float(*)[4])matrix, children);
    }
    gltf_write(&g, "random.gltf", "0,1,2", path);
}

static uint64_t bits(double x)
{
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

// One rounding per operation: the compiler must not fuse them.
static double world_coordinate(const double m[4], const double p[3])
{
    volatile double x = m[0] * p[0], y = m[1] * p[1], z = m[2] * p[2];
    volatile double sum = x + y;
    sum = sum + z;
    return sum + m[3];
}

// Every vertex and corner of the flattened model from the instances; a matrix that is the identity changes no bit.
static void flattening_follows_the_formula_bit_for_bit(void **state)
{
    (void)state;
    random_stream random = {.state = 11};
    unsigned identities = 0;
    for (int round = 0; round < 60; round++) {
        char path[FILE_PATH_SIZE], message[MODEL_MESSAGE_SIZE];
        model shared, flat;
        uint64_t v = 0, c = 0;
        write_random_gltf(&random, round % 2 == 1, path);
        read_instances(path, &shared);
        if (!model_read(path, NULL, &flat, message))
            fail_msg("%s", message);
        assert_true(flat.part_count == shared.instance_count && flat.mesh_count == 0 && flat.instance_count == 0);
        for (size_t i = 0; i < shared.instance_count; i++) {
            const model_instance *shown = &shared.instances[i];
            const model_mesh *mesh = &shared.meshes[shown->mesh];
            const uint64_t first = v;
            const grz_pose identity = grz_pose_identity();
            const bool same = memcmp(shown->matrix, identity.m, sizeof identity.m) == 0;
            identities += same;
            assert_string_equal(flat.parts[i].name, shown->name);
            for (uint64_t k = 0; k < mesh->vertex_count; k++, v++) {
                const double *p = shared.positions + 3 * (mesh->first_vertex + k);
                for (int axis = 0; axis < 3; axis++) {
                    const double expected = same ? p[axis] : world_coordinate(shown->matrix[axis], p);
                    if (bits(flat.positions[3 * v + (uint64_t)axis]) != bits(expected))
                        fail_msg("round %d, instance %zu, vertex %llu, axis %d: %a, expected %a", round, i,
                                 (unsigned long long)k, axis, flat.positions[3 * v + (uint64_t)axis], expected);
                }
            }
            for (uint64_t k = 0; k < mesh->index_count; k++, c++)
                assert_true(flat.indices[c] == first + shared.indices[mesh->first_index + k]);
        }
        assert_true(v == flat.vertex_count && c == flat.index_count);
        model_finish(&shared);
        model_finish(&flat);
    }
    assert_true(identities > 10);
}

// The faces of one part of a flattened model, where they are.
static grz_mesh *upload_part(grz_device *device, const model *m, const grz_io_part *part)
{
    grz_mesh_description d = load_describe(m);
    grz_mesh *mesh;
    assert_null(m->corner_counts);
    d.indices = m->indices + 3 * part->first_face;
    d.index_count = 3 * part->face_count;
    d.face_count = part->face_count;
    assert_int_equal(grz_mesh_create(device, &d, &mesh, NULL), GRZ_OK);
    return mesh;
}

// grz_collide() gives the same answer for two flattened parts as the scene gives for the two objects. There are two
// exceptions. Containment in an open mesh may be decided for one and not for the other, because the box of a turned
// mesh is the box of its turned box. A singular matrix may move corners to one position, so a mesh that is closed in
// the file may be open as shown: then only touching is compared.
static void compare_pair(const char *where, const grz_summary *flat, const grz_scene_pair *listed, bool singular)
{
    const grz_scene_pair apart = {.relation = GRZ_APART, .containment = GRZ_CONTAINMENT_DECIDED};
    const grz_scene_pair *pair = listed ? listed : &apart;
    const bool unknown =
        flat->containment == GRZ_CONTAINMENT_UNDECIDABLE || pair->containment == GRZ_CONTAINMENT_UNDECIDABLE;
    const bool touching = (flat->relation == GRZ_COLLIDING) == (pair->relation == GRZ_COLLIDING);
    const bool counts =
        flat->pair_count == pair->pair_count && memcmp(flat->kinds, pair->kinds, sizeof flat->kinds) == 0;
    if (!touching || !counts || !(singular || unknown || flat->relation == pair->relation))
        fail_msg("%s: relation %d and %d, containment %d and %d, %llu and %llu pairs", where, (int)flat->relation,
                 (int)pair->relation, (int)flat->containment, (int)pair->containment,
                 (unsigned long long)flat->pair_count, (unsigned long long)pair->pair_count);
}

static void shared_and_flattened_meshes_give_the_same_verdicts(void **state)
{
    (void)state;
    random_stream random = {.state = 12};
    unsigned relations[GRZ_B_INSIDE_A + 1] = {0};
    for (int round = 0; round < 60; round++) {
        char path[FILE_PATH_SIZE], message[MODEL_MESSAGE_SIZE], where[80];
        model flat;
        uint64_t count, next = 0;
        write_random_gltf(&random, round % 2 == 1, path);
        assembly a = begin_assembly();
        add_file(&a, path);
        grz_result *scene = test_result_create(a.device), *one = test_result_create(a.device);
        assert_int_equal(grz_collide_scene(a.device, a.objects.scene, NULL, scene, NULL), GRZ_OK);
        const grz_scene_pair *pairs = grz_result_scene_pairs(scene, &count);
        assert_true(model_read(path, NULL, &flat, message) && flat.part_count == a.objects.count);
        for (uint32_t i = 0; i < flat.part_count; i++) {
            grz_mesh *mesh_i = upload_part(a.device, &flat, &flat.parts[i]);
            for (uint32_t k = i + 1; k < flat.part_count; k++) {
                grz_mesh *mesh_k = upload_part(a.device, &flat, &flat.parts[k]);
                const grz_object x = grz_object_at_origin(mesh_i), y = grz_object_at_origin(mesh_k);
                assert_int_equal(grz_collide(a.device, &x, &y, NULL, one, NULL), GRZ_OK);
                const bool listed = next < count && pairs[next].a == i && pairs[next].b == k;
                snprintf(where, sizeof where, "round %d, objects %u and %u", round, i, k);
                compare_pair(where, grz_result_summary(one), listed ? &pairs[next] : NULL, round % 2 == 1);
                relations[grz_result_summary(one)->relation]++;
                next += listed;
                grz_mesh_destroy(mesh_k);
            }
            grz_mesh_destroy(mesh_i);
        }
        assert_true(next == count);
        model_finish(&flat);
        grz_result_destroy(scene);
        grz_result_destroy(one);
        finish_assembly(&a);
    }
    print_message("apart %u, colliding %u, a in b %u, b in a %u\n", relations[GRZ_APART], relations[GRZ_COLLIDING],
                  relations[GRZ_A_INSIDE_B], relations[GRZ_B_INSIDE_A]);
    assert_true(relations[GRZ_APART] > 100 && relations[GRZ_COLLIDING] > 100);
    assert_true(relations[GRZ_A_INSIDE_B] > 20 && relations[GRZ_B_INSIDE_A] > 20);
}

// A node of scale 0 at the origin shows its mesh as one point.
static void a_node_of_scale_zero_is_a_point(void **state)
{
    (void)state;
    static const float nothing[3][4] = {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};
    static const float around[3][4] = {{9, 0, 0, -2}, {0, 9, 0, -2}, {0, 0, 9, -2}};
    gltf g = {0};
    char path[FILE_PATH_SIZE];
    gltf_add_primitive(&g, TETRAHEDRON, 4, TETRAHEDRON_FACES, 12, 4);
    gltf_end_mesh(&g);
    gltf_add_node(&g, "point", 0, nothing, "");
    gltf_add_node(&g, "corner at it", 0, ORIGIN, "");
    gltf_add_node(&g, "around it", 0, around, "");
    gltf_write(&g, "point.gltf", "0,1,2", path);
    assembly a = begin_assembly();
    add_file(&a, path);
    grz_result *result = test_result_create(a.device);
    uint64_t count = 0;
    assert_int_equal(grz_collide_scene(a.device, a.objects.scene, NULL, result, NULL), GRZ_OK);
    const grz_scene_pair *pairs = grz_result_scene_pairs(result, &count);
    assert_int_equal(count, 3);
    assert_true(pairs[0].relation == GRZ_COLLIDING && pairs[0].pair_count == 12); // with the three faces at the corner
    assert_int_equal(pairs[1].relation, GRZ_A_INSIDE_B);
    assert_int_equal(pairs[2].relation, GRZ_A_INSIDE_B);
    grz_result_destroy(result);
    finish_assembly(&a);
}

// A vertex that is NaN, in the mesh that the second node shows first. The error names it as `graze info` does.
static void bad_vertices_of_instances_have_the_numbers_of_the_whole_model(void **state)
{
    (void)state;
    gltf g = {0};
    char path[FILE_PATH_SIZE];
    float positions[12];
    memcpy(positions, TETRAHEDRON, sizeof positions);
    const uint32_t nan = 0x7fc00000;
    memcpy(&positions[7], &nan, sizeof nan);
    gltf_add_primitive(&g, TETRAHEDRON, 4, TETRAHEDRON_FACES, 12, 4);
    gltf_end_mesh(&g);
    gltf_add_primitive(&g, positions, 4, TETRAHEDRON_FACES, 12, 4);
    gltf_end_mesh(&g);
    gltf_add_node(&g, "good", 0, ORIGIN, "");
    gltf_add_node(&g, "good too", 0, ORIGIN, "");
    gltf_add_node(&g, "bad", 1, ORIGIN, "");
    gltf_write(&g, "nan.gltf", "0,1,2", path);
    refuse_file(path, "nan.gltf: vertex 10");
}

// Limit the address space to the present size plus `more` MiB. Returns false if no limit can be set, as under a
// sanitizer.
static bool limit_memory(struct rlimit *before, unsigned more)
{
    if (TEST_SANITIZED)
        return false;
    char line[128];
    FILE *f = fopen("/proc/self/statm", "re");
    if (!f)
        return false;
    const bool known = fgets(line, sizeof line, f) != NULL;
    fclose(f);
    if (!known || getrlimit(RLIMIT_AS, before) != 0)
        return false;
    const uint64_t now = strtoull(line, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
    const struct rlimit less = {.rlim_cur = (rlim_t)(now + ((uint64_t)more << 20)), .rlim_max = before->rlim_max};
    return setrlimit(RLIMIT_AS, &less) == 0;
}

// Ten thousand nodes show one mesh of 20,000 triangles. Reading and querying take less than 100 MiB; as one flattened
// mesh they would take 4.8 GB.
static void ten_thousand_instances_take_the_memory_of_one_mesh(void **state)
{
    (void)state;
    enum {
        SIDE = 100,
        INSTANCES = 10000
    };
    gltf g = {0};
    file_text roots = {0};
    char path[FILE_PATH_SIZE], message[MODEL_MESSAGE_SIZE];
    test_mesh sheet = test_mesh_grid(SIDE, SIDE, 0.0078125);
    float *positions = malloc((size_t)sheet.vertex_count * 3 * sizeof *positions);
    assert_non_null(positions);
    for (uint64_t i = 0; i < 3 * sheet.vertex_count; i++)
        positions[i] = (float)sheet.positions[i];
    gltf_add_primitive(&g, positions, (int)sheet.vertex_count, sheet.indices, (int)sheet.index_count, 4);
    gltf_end_mesh(&g);
    for (int i = 0; i < INSTANCES; i++) {
        const float place[3][4] = {{1, 0, 0, (float)i}, {0, 1, 0, 0}, {0, 0, 1, 0}};
        gltf_add_node(&g, NULL, 0, place, "");
        file_print(&roots, "%s%d", i ? "," : "", i);
    }
    file_append(&roots, "", 1);
    gltf_write(&g, "many.gltf", (const char *)roots.bytes, path);
    free(roots.bytes);
    free(positions);
    test_mesh_finish(&sheet);

    struct rlimit before;
    assembly a = begin_assembly();
    grz_result *result = test_result_create(a.device);
    const bool limited = limit_memory(&before, 100);
    add_file(&a, path);
    assert_int_equal(grz_collide_scene(a.device, a.objects.scene, NULL, result, NULL), GRZ_OK);
    assert_true(a.objects.count == INSTANCES && a.objects.mesh_count == 1);
    assert_int_equal(grz_result_summary(result)->relation, GRZ_APART);
    model m;
    assert_false(model_read(path, NULL, &m, message));
    assert_non_null(strstr(message, "its nodes show more than the "));
    if (limited)
        assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    grz_result_destroy(result);
    finish_assembly(&a);
}

static int begin(void **state)
{
    (void)state;
    make_test_directory(directory);
    return 0;
}

static int end(void **state)
{
    (void)state;
    remove_test_directory(directory);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_obj_become_objects),
        cmocka_unit_test(a_file_without_parts_is_one_object),
        cmocka_unit_test(solids_of_stl_become_objects),
        cmocka_unit_test(parts_keep_their_positions),
        cmocka_unit_test(the_cost_of_many_parts_is_that_of_their_faces),
        cmocka_unit_test(errors_use_the_names_of_the_file),
        cmocka_unit_test(nodes_become_instances_in_depth_first_order),
        cmocka_unit_test(nodes_share_equal_meshes),
#ifdef GRZ_HAVE_ASSIMP
        cmocka_unit_test(objects_without_a_name_are_numbered),
#endif
        cmocka_unit_test(flattening_follows_the_formula_bit_for_bit),
        cmocka_unit_test(shared_and_flattened_meshes_give_the_same_verdicts),
        cmocka_unit_test(a_node_of_scale_zero_is_a_point),
        cmocka_unit_test(bad_vertices_of_instances_have_the_numbers_of_the_whole_model),
        cmocka_unit_test(ten_thousand_instances_take_the_memory_of_one_mesh),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
