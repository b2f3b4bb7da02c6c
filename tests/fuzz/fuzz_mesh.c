// SPDX-License-Identifier: MIT
// Fuzzes mesh creation, checking and deformation: descriptions of any layout, of triangles, polygons and soups, with up
// to two mistakes. A second implementation of the validation says whether a description must be accepted, and with
// which status it may be refused. Arrays end where the description says, so that the address sanitizer sees every read
// past the end. Accepted meshes are compared with plain loops and exact arithmetic (support_fuzz_report.h) and with the
// same mesh in another layout, taken apart into shells, and created again with failing memory.
#include <math.h>

#include "mesh/mesh.h"
#include "support_fuzz_queries.h"
#include "support_fuzz_report.h"
#include "support_fuzz_shapes.h"

enum {
    MOST_FACES = 14,
    MOST_CORNERS = 128
};

// A description and the memory behind it.
typedef struct draft {
    grz_mesh_description d;
    uint8_t *block; // of the positions, which may begin at an odd address
    size_t offset;
    double *exact; // the positions, vertex_count × 3
    uint32_t *indices, *counts;
    unsigned faults; // a bit for each grz_status that may refuse it; 0: it has to be accepted
    bool wild;       // some size differs from that of the arrays
} draft;

static void *copied(const void *items, size_t bytes)
{
    void *copy = calloc(bytes + (bytes == 0), 1);
    FUZZ_REQUIRE(copy != NULL);
    memcpy(copy, items, bytes);
    return copy;
}

static size_t scalar_size(const draft *m)
{
    return m->d.position_type == GRZ_FLOAT32 ? sizeof(float) : sizeof(double);
}

static size_t stride_of(const draft *m)
{
    return m->d.position_stride != 0 ? m->d.position_stride : 3 * scalar_size(m);
}

// Write positions in the draft's layout; `exact` becomes what is there, where a float32 cannot hold it.
static uint8_t *lay_out(const draft *m, double *exact)
{
    const size_t scalar = scalar_size(m), stride = stride_of(m);
    const size_t bytes = m->offset + (size_t)(m->d.vertex_count - 1) * stride + 3 * scalar;
    uint8_t *block = malloc(bytes);
    FUZZ_REQUIRE(block != NULL);
    memset(block, 0xff, bytes); // NaN in between
    for (uint64_t i = 0; i < 3 * m->d.vertex_count; i++) {
        uint8_t *at = block + m->offset + (size_t)(i / 3) * stride + (size_t)(i % 3) * scalar;
        if (scalar == sizeof(float)) {
            // Out of float's range: a large number that is in it.
            const float narrow = fabs(exact[i]) > 0x1p120 && isfinite(exact[i]) ? 0x1.8p127f : (float)exact[i];
            memcpy(at, &narrow, sizeof narrow);
            exact[i] = (double)narrow;
        } else {
            memcpy(at, &exact[i], sizeof exact[i]);
        }
    }
    return block;
}

// Corners of a plane lattice, a byte each: polygons of every shape.
static void draw_flat(fuzz_input *in, test_mesh *points, uint32_t count)
{
    static const double frames[8][2][3] = {{{1, 0, 0}, {0, 1, 0}}, {{0, 1, 0}, {0, 0, 1}},      {{0, 0, 1}, {1, 0, 0}},
                                           {{1, 1, 0}, {0, 0, 1}}, {{1, 2, 3}, {-2, 1, 1}},     {{1, 0, 1}, {0, 1, 1}},
                                           {{1, 0, 0}, {2, 0, 0}}, {{0, 0, 1}, {0, 1, 0x1p-30}}};
    const double(*frame)[3] = frames[fuzz_below(in, 8)];
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t place = fuzz_byte(in);
        double p[3];
        for (int k = 0; k < 3; k++)
            p[k] = (double)(place & 15) * frame[0][k] + (double)(place >> 4) * frame[1][k];
        test_mesh_add_vertex(points, p[0], p[1], p[2]);
    }
}

// About the largest coordinate that is accepted, or anything.
static double odd_number(fuzz_input *in)
{
    static const double numbers[] = {0x1p300, 0x1.0000000000001p300, -0x1p300, -0x1.0000000000001p300, 0x1p-1074, -0.0};
    const uint8_t kind = fuzz_byte(in);
    return kind & 1 ? fuzz_raw_double(in) : numbers[kind / 2 % 6];
}

static void draw_positions(fuzz_input *in, draft *m, bool flat)
{
    test_mesh points = {0};
    const uint32_t count = 1 + fuzz_below(in, flat ? 127 : 40);
    if (flat)
        draw_flat(in, &points, count);
    while (points.vertex_count < count) {
        double p[3];
        fuzz_point(in, &points, NULL, p);
        test_mesh_add_vertex(&points, p[0], p[1], p[2]);
    }
    if (fuzz_below(in, 16) == 15) // one number may be refused
        points.positions[(uint64_t)fuzz_byte(in) % (3 * (uint64_t)count)] = odd_number(in);
    m->d.vertex_count = count;
    m->exact = copied(points.positions, 3 * (size_t)count * sizeof(double));
    test_mesh_finish(&points);
    m->block = lay_out(m, m->exact);
    m->d.positions = m->block + m->offset;
}

static uint32_t draw_index(fuzz_input *in, uint32_t vertex_count)
{
    const uint8_t b = fuzz_byte(in);
    return b < 250 ? b % vertex_count : b < 255 ? vertex_count + b - 250 : UINT32_MAX;
}

// Faces: all of one size or of different sizes, with indices or as a soup; in order if a polygon of all vertices is
// wanted.
static void draw_faces(fuzz_input *in, draft *m, bool in_order)
{
    const uint32_t vertex_count = (uint32_t)m->d.vertex_count;
    const uint8_t layout = fuzz_byte(in);
    uint32_t counts[MOST_FACES] = {0}, indices[MOST_CORNERS] = {0}, corners = 0, faces = 0;
    const uint32_t wanted = in_order ? 1 : 1 + fuzz_below(in, MOST_FACES);
    const bool each_its_own = layout & 64 && !in_order;
    m->d.corners_per_face = in_order ? vertex_count : 3u + layout % 6u;
    for (; faces < wanted; faces++) {
        const uint32_t b = each_its_own ? fuzz_byte(in) : 0;
        const uint32_t count = !each_its_own ? m->d.corners_per_face : b < 240 ? 3 + b % 10 : b % 3;
        if (corners + count > MOST_CORNERS)
            break;
        counts[faces] = count;
        for (uint32_t i = 0; i < count; i++, corners++)
            indices[corners] = in_order ? i : draw_index(in, vertex_count);
    }
    m->d.face_count = faces;
    m->d.index_count = corners;
    m->counts = copied(counts, faces * sizeof *counts);
    m->d.corner_counts = each_its_own ? m->counts : NULL;
    m->indices = copied(indices, corners * sizeof *indices);
    m->d.indices = layout & 128 ? NULL : m->indices;
    if (m->d.indices == NULL && (layout & 32))
        m->d.index_count = 0;
}

static uint32_t size_of_face(const draft *m, uint64_t face)
{
    return m->d.corner_counts != NULL ? m->d.corner_counts[face] : m->d.corners_per_face;
}

// The status that the contents require if all array sizes are right. `element` receives the number of the bad vertex or
// face.
static grz_status fault_of_contents(const draft *m, uint64_t *element)
{
    uint64_t corners = 0, too_far = GRZ_NO_ELEMENT;
    for (uint64_t face = 0; face < m->d.face_count; face++) {
        *element = face;
        if (size_of_face(m, face) < 3)
            return GRZ_ERROR_MESH;
        for (uint32_t i = 0; i < size_of_face(m, face); i++, corners++)
            if (too_far == GRZ_NO_ELEMENT &&
                (m->d.indices != NULL ? m->d.indices[corners] : corners) >= m->d.vertex_count)
                too_far = face;
    }
    *element = too_far;
    if (too_far != GRZ_NO_ELEMENT)
        return GRZ_ERROR_MESH;
    for (uint64_t i = 0; i < 3 * m->d.vertex_count; i++) {
        *element = i / 3;
        if (!(fabs(m->exact[i]) <= 0x1p300))
            return GRZ_ERROR_MESH;
    }
    return GRZ_OK;
}

static void blame(draft *m, grz_status status)
{
    m->faults |= 1u << status;
}

// A count that is certainly wrong: 0, one too many or too few, or beyond every limit.
static uint64_t wrong_count(uint64_t right, uint8_t which)
{
    const uint64_t counts[] = {0, right - 1, right + 1, UINT64_C(1) << 32, UINT64_MAX, (UINT64_C(1) << 33) + right};
    return counts[which % 6];
}

static void spoil_counts(fuzz_input *in, draft *m, uint8_t fault)
{
    const uint8_t which = fuzz_byte(in);
    switch (fault) {
    case 0: // past 2^32, or none; fewer vertices than there are would be as good
        m->d.vertex_count = which & 1 ? 0 : wrong_count(m->d.vertex_count, 3 + which % 3);
        blame(m, GRZ_ERROR_MESH);
        blame(m, GRZ_ERROR_ARGUMENT); // such an array at this stride
        break;
    case 1:
        // Sizes that no memory can hold are refused before any corner is read, unless each face has a size of its own.
        m->d.corner_counts = NULL;
        m->d.face_count = which & 1 ? 0 : (UINT64_C(0xffffffff) << (which % 5)) + (which >> 4);
        blame(m, GRZ_ERROR_MESH);
        blame(m, GRZ_ERROR_ARGUMENT);
        break;
    case 2: {
        const uint64_t right = m->d.index_count;
        uint64_t corners = 0;
        if (m->wild) // a second mistake could cancel the first one
            break;
        for (uint64_t face = 0; face < m->d.face_count && !m->wild; face++)
            corners += size_of_face(m, face);
        m->d.index_count = wrong_count(right, which);
        if (m->d.indices == NULL && (m->d.index_count == 0 || m->d.index_count == corners))
            m->d.index_count = corners + 7;
        blame(m, GRZ_ERROR_ARGUMENT);
        break;
    }
    default:
        m->d.corner_counts = NULL;
        m->d.corners_per_face = which % 4 == 3 ? UINT32_MAX : which % 4;
        blame(m, GRZ_ERROR_MESH);
        blame(m, GRZ_ERROR_ARGUMENT);
        break;
    }
    m->wild = true;
}

static void spoil_layout(fuzz_input *in, draft *m, uint8_t fault)
{
    const uint8_t which = fuzz_byte(in);
    const size_t scalar = scalar_size(m),
                 strides[] = {1, scalar, 3 * scalar - 1, 3 * scalar + 1, SIZE_MAX, PTRDIFF_MAX};
    switch (fault) {
    case 4:
        m->d.size = which & 1 ? SIZE_MAX - which : which / 16; // no structure is that large, or lacks its first member
        break;
    case 5:
        m->d.positions = NULL;
        break;
    case 6:
        m->d.position_type = (grz_scalar)(2 + which);
        break;
    case 7:
        m->d.flags |= which & 1 ? UINT32_C(0x80000000) : 4;
        break;
    default:
        m->d.position_stride = strides[which % 6];
        break;
    }
    blame(m, GRZ_ERROR_ARGUMENT);
    m->wild = true;
}

static void draw(fuzz_input *in, draft *m)
{
    const uint8_t layout = fuzz_byte(in);
    const bool flat = (layout & 32) != 0;
    m->d = grz_default_mesh_description();
    m->d.position_type = layout & 1 ? GRZ_FLOAT64 : GRZ_FLOAT32;
    m->d.position_stride = (size_t)(layout >> 1 & 3) * scalar_size(m);
    m->d.position_stride += m->d.position_stride > 0 ? 3 * scalar_size(m) : 0;
    m->d.flags = layout & 16 ? GRZ_MESH_INDEX_ONLY : GRZ_MESH_FAST_BUILD;
    m->offset = layout >> 3 & 1;
    draw_positions(in, m, flat);
    draw_faces(in, m, flat && (layout & 64) != 0 && m->d.vertex_count >= 3);
}

// Sometimes the sizes and the layout are wrong, too.
static void spoil(fuzz_input *in, draft *m)
{
    for (int i = 0; i < 2; i++) {
        const uint8_t fault = fuzz_byte(in);
        if (fault < 200)
            continue;
        if (fault % 9 < 4)
            spoil_counts(in, m, fault % 9);
        else
            spoil_layout(in, m, fault % 9);
    }
}

static grz_mesh *create(grz_device *device, const grz_mesh_description *d, grz_status *status)
{
    grz_error error = {.code = GRZ_OK};
    grz_mesh *mesh = NULL;
    *status = grz_mesh_create(device, d, &mesh, &error);
    FUZZ_REQUIRE((*status == GRZ_OK) == (mesh != NULL) && error.code == *status);
    FUZZ_REQUIRE((*status == GRZ_OK) == (error.message[0] == '\0') &&
                 memchr(error.message, '\0', sizeof error.message) != NULL);
    return mesh;
}

static grz_mesh_report report_of(const grz_mesh *mesh)
{
    grz_mesh_report report;
    bool closed;
    FUZZ_REQUIRE(grz_mesh_check(mesh, &report, NULL) == GRZ_OK);
    FUZZ_REQUIRE(grz_mesh_is_closed(mesh, &closed, NULL) == GRZ_OK && closed == report.closed);
    return report;
}

static void check_stored(const draft *m, const grz_mesh *mesh)
{
    uint64_t corner = 0;
    FUZZ_REQUIRE(grz_mesh_vertex_count(mesh) == m->d.vertex_count && grz_mesh_face_count(mesh) == m->d.face_count);
    FUZZ_REQUIRE(memcmp(mesh->positions, m->exact, 3 * (size_t)m->d.vertex_count * sizeof(double)) == 0);
    for (uint32_t face = 0; face < m->d.face_count; face++) {
        uint32_t count;
        const uint32_t *corners = grz_mesh_face_corners(mesh, face, &count);
        FUZZ_REQUIRE(count == size_of_face(m, face));
        for (uint32_t i = 0; i < count; i++, corner++)
            FUZZ_REQUIRE(corners[i] == (m->d.indices != NULL ? m->d.indices[corner] : corner));
    }
    FUZZ_REQUIRE(grz_mesh_triangle_count(mesh) == corner - 2 * m->d.face_count);
}

// The same mesh as packed doubles, indices and sizes of faces.
static void check_layout(const draft *m, const grz_mesh *mesh, const grz_mesh_report *report)
{
    uint32_t counts[MOST_FACES], indices[MOST_CORNERS];
    grz_mesh_description d = grz_default_mesh_description();
    grz_status status;
    for (uint32_t face = 0; face < m->d.face_count; face++) {
        const uint32_t *corners = grz_mesh_face_corners(mesh, face, &counts[face]);
        memcpy(indices + d.index_count, corners, counts[face] * sizeof *corners);
        d.index_count += counts[face];
    }
    d.positions = m->exact, d.position_type = GRZ_FLOAT64, d.vertex_count = m->d.vertex_count;
    d.indices = indices, d.corner_counts = counts, d.face_count = m->d.face_count, d.flags = m->d.flags;
    grz_mesh *plain = create(fuzz_device(), &d, &status);
    FUZZ_REQUIRE(status == GRZ_OK);
    const grz_mesh_report same = report_of(plain);
    FUZZ_REQUIRE(fuzz_same_report(report, &same));
    FUZZ_REQUIRE(memcmp(plain->triangles, mesh->triangles, 3 * sizeof(uint32_t) * (size_t)mesh->triangle_count) == 0);
    FUZZ_REQUIRE((plain->identity == NULL) == (mesh->identity == NULL));
    FUZZ_REQUIRE(mesh->identity == NULL ||
                 memcmp(plain->identity, mesh->identity, sizeof(uint32_t) * mesh->vertex_count) == 0);
    grz_mesh_destroy(plain);
}

// Two faces that alone have an edge, by position, must be of one shell. `sides` has three numbers for each side of a
// face: its ends, the lower first, and the face.
static void check_joined(const grz_mesh *mesh, const uint32_t *of)
{
    uint32_t sides[MOST_CORNERS][3], side_count = 0;
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        uint32_t count;
        const uint32_t *corners = grz_mesh_face_corners(mesh, face, &count);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t ends[2];
            for (uint32_t k = 0; k < 2; k++) { // the lowest vertex at this position
                const double *p = grz_mesh_position(mesh, corners[(i + k) % count]);
                for (ends[k] = 0;; ends[k]++) {
                    const double *q = grz_mesh_position(mesh, ends[k]);
                    if (p[0] == q[0] && p[1] == q[1] && p[2] == q[2])
                        break;
                }
            }
            if (ends[0] == ends[1])
                continue;
            sides[side_count][0] = ends[0] < ends[1] ? ends[0] : ends[1];
            sides[side_count][1] = ends[0] < ends[1] ? ends[1] : ends[0];
            sides[side_count++][2] = face;
        }
    }
    for (uint32_t i = 0; i < side_count; i++) {
        uint32_t found = 0, other = 0;
        for (uint32_t k = 0; k < side_count; k++)
            if (sides[k][0] == sides[i][0] && sides[k][1] == sides[i][1]) {
                found++;
                other = k != i ? sides[k][2] : other;
            }
        FUZZ_REQUIRE(found != 2 || of[other] == of[sides[i][2]]);
    }
}

// Shells and parts are sets of faces, numbered by the lowest; a part of one shell is closed if the shell is.
static void check_shells(const grz_mesh *mesh)
{
    grz_mesh_shells *shells;
    FUZZ_REQUIRE(grz_mesh_shells_find(mesh, NULL, &shells, NULL) == GRZ_OK);
    const uint32_t *of = grz_mesh_shells_of_faces(shells), count = grz_mesh_shells_count(shells);
    uint32_t shells_seen = 0, parts_seen = 0;
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        grz_mesh_shell shell;
        FUZZ_REQUIRE(of[face] <= shells_seen && grz_mesh_shells_describe(shells, of[face], &shell));
        FUZZ_REQUIRE((shell.first_face == face) == (of[face] == shells_seen) && shell.part <= parts_seen);
        shells_seen += of[face] == shells_seen;
        parts_seen += shell.part == parts_seen;
    }
    FUZZ_REQUIRE(shells_seen == count && parts_seen == grz_mesh_shells_part_count(shells));
    check_joined(mesh, of);
    for (uint32_t part = 0; part < parts_seen; part++) {
        grz_mesh *cut;
        grz_mesh_shell shell;
        uint64_t faces;
        bool closed;
        const uint32_t *list = grz_mesh_shells_part_faces(shells, part, &faces);
        FUZZ_REQUIRE(grz_mesh_shells_cut(shells, mesh, part, &cut, NULL) == GRZ_OK);
        FUZZ_REQUIRE(grz_mesh_face_count(cut) == faces && grz_mesh_is_closed(cut, &closed, NULL) == GRZ_OK);
        FUZZ_REQUIRE(grz_mesh_shells_describe(shells, of[list[0]], &shell));
        FUZZ_REQUIRE(shell.face_count < faces || shell.closed == closed);
        grz_mesh_destroy(cut);
    }
    grz_mesh_shells_destroy(shells);
}

// An allocator that fails after a given number of allocations.
typedef struct short_memory {
    int left, live;
} short_memory;

static void *short_reallocate(void *block, size_t old_size, size_t new_size, void *user)
{
    short_memory *memory = user;
    (void)old_size;
    if (memory->left-- <= 0)
        return NULL;
    void *moved = realloc(block, new_size);
    memory->live += block == NULL && moved != NULL;
    return moved;
}

static void short_release(void *block, size_t size, void *user)
{
    short_memory *memory = user;
    (void)size;
    memory->live--;
    free(block);
}

static void check_short_memory(const draft *m, int allocations)
{
    static grz_device *device;
    static short_memory memory;
    if (device == NULL) {
        grz_device_options options = grz_default_device_options();
        options.threads = 1;
        options.allocator = (grz_allocator){short_reallocate, short_release, &memory};
        memory.left = 1000;
        FUZZ_REQUIRE(grz_device_open(&options, &device, NULL) == GRZ_OK);
    }
    const int before = memory.live;
    grz_status status;
    memory.left = allocations;
    grz_mesh *mesh = create(device, &m->d, &status);
    FUZZ_REQUIRE(status == GRZ_OK || status == GRZ_ERROR_MEMORY);
    if (mesh != NULL) {
        grz_mesh_report report;
        const grz_status checked = grz_mesh_check(mesh, &report, NULL);
        FUZZ_REQUIRE(checked == GRZ_OK || checked == GRZ_ERROR_MEMORY);
        bool closed;
        const grz_status told = grz_mesh_is_closed(mesh, &closed, NULL);
        FUZZ_REQUIRE((told == GRZ_OK && closed == report.closed) || told == GRZ_ERROR_MEMORY || checked != GRZ_OK);
        grz_mesh_shells *shells;
        const grz_status split = grz_mesh_shells_find(mesh, NULL, &shells, NULL);
        FUZZ_REQUIRE((split == GRZ_OK) == (shells != NULL) && (split == GRZ_OK || split == GRZ_ERROR_MEMORY));
        grz_mesh_shells_destroy(shells);
        const grz_status prepared = grz_mesh_prepare(mesh, "bvh", NULL);
        FUZZ_REQUIRE(prepared == GRZ_OK || prepared == GRZ_ERROR_MEMORY);
    }
    grz_mesh_destroy(mesh);
    FUZZ_REQUIRE(memory.live == before);
}

// New positions are accepted, or leave the mesh unchanged. Setting the old positions again must restore the report.
static void check_moving(fuzz_input *in, const draft *m, grz_mesh *mesh, const grz_mesh_report *report)
{
    const test_mesh now = {.positions = m->exact, .vertex_count = m->d.vertex_count};
    double *moved = fuzz_moved(in, &now, NULL);
    bool good = true;
    if (fuzz_below(in, 8) == 7)
        moved[(uint64_t)fuzz_byte(in) % (3 * now.vertex_count)] = odd_number(in);
    uint8_t *block = lay_out(m, moved);
    for (uint64_t i = 0; i < 3 * now.vertex_count; i++)
        good = good && fabs(moved[i]) <= 0x1p300;
    grz_error error = {.code = GRZ_OK};
    const grz_status status = grz_mesh_set_positions(mesh, block + m->offset, &error);
    FUZZ_REQUIRE(status == (good ? GRZ_OK : GRZ_ERROR_MESH));
    FUZZ_REQUIRE(good || (error.element < now.vertex_count && !(fabs(moved[3 * error.element]) <= 0x1p300 &&
                                                                fabs(moved[3 * error.element + 1]) <= 0x1p300 &&
                                                                fabs(moved[3 * error.element + 2]) <= 0x1p300)));
    const grz_mesh_report there = report_of(mesh);
    if (good) {
        FUZZ_REQUIRE(memcmp(mesh->positions, moved, 3 * (size_t)now.vertex_count * sizeof *moved) == 0);
        fuzz_check_report(mesh, &there);
        FUZZ_REQUIRE(there.nonsimple_faces == report->nonsimple_faces);
        FUZZ_REQUIRE(grz_mesh_set_positions(mesh, m->d.positions, NULL) == GRZ_OK);
    }
    const grz_mesh_report back = report_of(mesh);
    FUZZ_REQUIRE(fuzz_same_report(report, &back));
    free(block);
    free(moved);
}

static void check_refusal(const draft *m, grz_status status, const grz_error *error)
{
    uint64_t element;
    FUZZ_REQUIRE(status != GRZ_OK && (m->faults >> status & 1) != 0);
    if (!m->wild) {
        (void)fault_of_contents(m, &element);
        FUZZ_REQUIRE(error->element == element);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    draft m = {.faults = 0};
    uint64_t element;
    draw(&in, &m);
    if (fault_of_contents(&m, &element) != GRZ_OK)
        blame(&m, GRZ_ERROR_MESH);
    spoil(&in, &m);
    grz_status status;
    grz_mesh *mesh = create(fuzz_device(), &m.d, &status);
    if (m.faults != 0) {
        grz_error error = {.code = GRZ_OK};
        grz_mesh *none = NULL;
        FUZZ_REQUIRE(grz_mesh_create(fuzz_device(), &m.d, &none, &error) == status && none == NULL);
        check_refusal(&m, status, &error);
    } else {
        FUZZ_REQUIRE(status == GRZ_OK);
        const grz_mesh_report report = report_of(mesh);
        check_stored(&m, mesh);
        fuzz_check_report(mesh, &report);
        fuzz_check_triangulation(mesh, &report);
        check_layout(&m, mesh, &report);
        check_shells(mesh);
        check_moving(&in, &m, mesh, &report);
        check_short_memory(&m, (int)fuzz_below(&in, 40));
    }
    grz_mesh_destroy(mesh);
    free(m.block);
    free(m.exact);
    free(m.indices);
    free(m.counts);
    return 0;
}
