// SPDX-License-Identifier: MIT
// libFuzzer's door to the library: the bytes make two meshes (small integers, so that points coincide and faces degenerate, or raw
// doubles), two poses and new positions. Whatever is accepted is examined, tested against itself and against the other, by `naive` and
// by `bvh`, before and after moving the vertices; the two methods have to give the same bytes, and swapping the meshes the same count.
#include <graze/graze.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    MAX_VERTICES = 24,
    MAX_CORNERS = 60
};

typedef struct input {
    const uint8_t *data;
    size_t size;
} input;

static void require(bool truth)
{
    if (!truth)
        abort();
}

static uint8_t byte(input *in)
{
    if (in->size == 0)
        return 0;
    in->size--;
    return *in->data++;
}

static double number(input *in, bool raw)
{
    double x = 0.0;
    if (!raw || in->size < sizeof x)
        return (double)(byte(in) % 9) - 4.0;
    memcpy(&x, in->data, sizeof x);
    in->data += sizeof x;
    in->size -= sizeof x;
    return x;
}

static grz_mesh *make_mesh(input *in, grz_device *device, uint64_t *vertex_count)
{
    double positions[MAX_VERTICES * 3];
    uint32_t corners[MAX_CORNERS], counts[MAX_CORNERS / 3 + 1];
    const uint8_t flags = byte(in);
    grz_mesh_description d = grz_default_mesh_description();
    d.position_type = GRZ_FLOAT64;
    d.vertex_count = 1u + byte(in) % MAX_VERTICES;
    for (uint64_t i = 0; i < 3 * d.vertex_count; i++)
        positions[i] = number(in, (flags & 1) != 0);
    const uint8_t wanted = byte(in);
    for (d.face_count = 0; d.face_count < wanted % 16u; d.face_count++) {
        const uint32_t count = (flags & 2) != 0 ? byte(in) % 9u : 3;
        if (d.index_count + count > MAX_CORNERS)
            break;
        counts[d.face_count] = count;
        for (uint32_t k = 0; k < count; k++)
            corners[d.index_count++] = byte(in) % (MAX_VERTICES + 1u);
    }
    d.positions = positions;
    d.indices = (flags & 4) != 0 ? NULL : corners;
    d.corner_counts = counts;
    d.flags = (flags & 8) != 0 ? GRZ_MESH_INDEX_ONLY : 0;
    grz_mesh *mesh = NULL;
    grz_error error = {.code = GRZ_OK};
    const grz_status status = grz_mesh_create(device, &d, &mesh, &error);
    require((status == GRZ_OK) == (mesh != NULL) && (status == GRZ_OK || (error.code == status && error.message[0] != '\0')));
    *vertex_count = d.vertex_count;
    return mesh;
}

static grz_pose make_pose(input *in)
{
    const uint8_t kind = byte(in);
    grz_pose pose = grz_pose_identity();
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            if (j == 3 || (kind & 3) == 3)
                pose.m[i][j] = number(in, (kind & 4) != 0);
    return pose;
}

static grz_status query(grz_device *device, const grz_object *a, const grz_object *b, const char *method, uint32_t find,
                        grz_result *result)
{
    grz_collide_options options = grz_default_collide_options();
    options.method = method;
    options.find = find;
    return b != NULL ? grz_collide(device, a, b, &options, result, NULL) : grz_collide_self(device, a, &options, result, NULL);
}

static void require_same(const void *left, uint64_t left_count, const void *right, uint64_t right_count, size_t item_size)
{
    require(left_count == right_count && (left_count == 0 || memcmp(left, right, (size_t)left_count * item_size) == 0));
}

static void require_equal(const grz_result *left, const grz_result *right)
{
    uint64_t m, n;
    const grz_summary *s = grz_result_summary(left), *t = grz_result_summary(right);
    require(s->relation == t->relation && s->containment == t->containment && s->pair_count == t->pair_count);
    const grz_pair *p = grz_result_pairs(left, &m), *q = grz_result_pairs(right, &n);
    require_same(p, m, q, n, sizeof *p);
    const double *x = grz_result_points(left, &m), *y = grz_result_points(right, &n);
    require_same(x, m, y, n, 3 * sizeof *x);
    x = grz_result_curve_points(left, &m), y = grz_result_curve_points(right, &n);
    require_same(x, m, y, n, 3 * sizeof *x);
}

static void compare(grz_device *device, const grz_object *a, const grz_object *b, grz_result *results[2])
{
    const uint32_t all = GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES | GRZ_FIND_CONTAINMENT;
    if (query(device, a, b, "naive", all, results[0]) != GRZ_OK)
        return;
    require(query(device, a, b, "bvh", all, results[1]) == GRZ_OK);
    require_equal(results[0], results[1]);
    const grz_summary first = *grz_result_summary(results[0]);
    require(query(device, a, b, "bvh", GRZ_FIND_CONTAINMENT, results[1]) == GRZ_OK);
    require(grz_result_summary(results[1])->relation == first.relation);
    if (b == NULL)
        return;
    uint64_t m, n;
    require(query(device, b, a, "bvh", all, results[1]) == GRZ_OK);
    require(grz_result_summary(results[1])->pair_count == first.pair_count &&
            grz_result_summary(results[1])->containment == first.containment);
    const double *x = grz_result_curve_points(results[0], &m), *y = grz_result_curve_points(results[1], &n);
    require_same(x, m, y, n, 3 * sizeof *x);
}

static void move_vertices(input *in, grz_mesh *mesh, uint64_t vertex_count)
{
    double positions[MAX_VERTICES * 3];
    const bool raw = (byte(in) & 1) != 0;
    for (uint64_t i = 0; i < 3 * vertex_count; i++)
        positions[i] = number(in, raw);
    (void)grz_mesh_set_positions(mesh, positions, NULL);
}

static void query_meshes(input *in, grz_device *device, grz_mesh *meshes[2], const uint64_t vertex_counts[2],
                         grz_result *results[2])
{
    grz_object objects[2];
    for (int i = 0; i < 2; i++) {
        grz_mesh_report report;
        require(grz_mesh_check(meshes[i], &report, NULL) == GRZ_OK && report.faces == grz_mesh_face_count(meshes[i]));
        objects[i] = grz_object_at_origin(meshes[i]);
        objects[i].pose = make_pose(in);
    }
    for (int round = 0; round < 2; round++) {
        compare(device, &objects[0], &objects[1], results);
        compare(device, &objects[0], NULL, results);
        move_vertices(in, meshes[0], vertex_counts[0]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static grz_device *device; // one for all inputs: opening one starts threads
    static grz_result *results[2];
    input in = {data, size};
    if (device == NULL) {
        grz_device_options options = grz_default_device_options();
        options.threads = 1;
        require(grz_device_open(&options, &device, NULL) == GRZ_OK);
        for (int i = 0; i < 2; i++)
            require(grz_result_create(device, &results[i], NULL) == GRZ_OK);
    }
    uint64_t vertex_counts[2];
    grz_mesh *meshes[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++)
        meshes[i] = make_mesh(&in, device, &vertex_counts[i]);
    if (meshes[0] != NULL && meshes[1] != NULL)
        query_meshes(&in, device, meshes, vertex_counts, results);
    for (int i = 0; i < 2; i++)
        grz_mesh_destroy(meshes[i]);
    return 0;
}
