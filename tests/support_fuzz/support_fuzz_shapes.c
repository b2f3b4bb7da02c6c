// SPDX-License-Identifier: MIT
// Meshes, poses and positions from a fuzzer's bytes. Every step takes few bytes and leaves a valid mesh. So most
// mutations of an input are small changes of a mesh, and no input is refused.
#include "support_fuzz_shapes.h"

#include <math.h>

// Turn any bits into a double that the library accepts: finite and at most 2^300.
static double accepted(double x)
{
    if (fabs(x) <= GRZ_MAX_COORDINATE)
        return x;
    return signbit(x) ? -GRZ_MAX_COORDINATE : GRZ_MAX_COORDINATE;
}

static double small_integer(fuzz_input *in)
{
    return (double)(int)fuzz_below(in, 9) - 4.0;
}

// ±f·2^e, e from -1080 to 300, f from 1 to 2 in eighths.
static double extreme(fuzz_input *in)
{
    const uint32_t bits = (uint32_t)fuzz_bits(in, 2);
    const double f = 1.0 + (double)(bits >> 12 & 7) / 8.0;
    return accepted((bits & 0x8000u ? -1.0 : 1.0) * ldexp(f, (int)((bits & 0xfffu) % 1381u) - 1080));
}

// Some vertex of the mesh, or the origin.
static void some_vertex(fuzz_input *in, const test_mesh *mesh, double point[3])
{
    const uint8_t number = fuzz_byte(in);
    memset(point, 0, 3 * sizeof *point);
    if (mesh != NULL && mesh->vertex_count > 0)
        memcpy(point, mesh->positions + 3 * (number % mesh->vertex_count), 3 * sizeof *point);
}

// p + (q - p)·quarters/4: exact on the raster.
static void between(fuzz_input *in, const test_mesh *mesh, double point[3])
{
    double p[3], q[3];
    some_vertex(in, mesh, p);
    some_vertex(in, mesh, q);
    const double quarters = (double)(int)fuzz_below(in, 7) - 1.0;
    for (int i = 0; i < 3; i++)
        point[i] = accepted(p[i] + (q[i] - p[i]) * (quarters / 4.0));
}

void fuzz_point(fuzz_input *in, const test_mesh *mesh, const test_mesh *other, double point[3])
{
    const uint8_t kind = fuzz_byte(in);
    switch (kind % 9) {
    default:
        for (int i = 0; i < 3; i++)
            point[i] = small_integer(in);
        break;
    case 2:
        some_vertex(in, mesh, point);
        break;
    case 3:
        some_vertex(in, other, point);
        break;
    case 4:
        between(in, kind & 0x80 ? other : mesh, point);
        break;
    case 5: { // an ulp or a few beside, on one axis
        some_vertex(in, kind & 0x80 ? other : mesh, point);
        const uint8_t step = fuzz_byte(in);
        point[step % 3] = accepted(step_ulps(point[step % 3], step / 3 % 7 - 3));
        break;
    }
    case 6:
        for (int i = 0; i < 3; i++)
            point[i] = extreme(in);
        break;
    case 7:
        for (int i = 0; i < 3; i++)
            point[i] = accepted(fuzz_raw_double(in));
        break;
    case 8: // float32
        for (int i = 0; i < 3; i++) {
            const uint32_t bits = (uint32_t)fuzz_bits(in, 4);
            float narrow;
            memcpy(&narrow, &bits, sizeof narrow);
            point[i] = accepted((double)narrow);
        }
        break;
    }
}

static uint32_t add_point(fuzz_input *in, test_mesh *mesh, const test_mesh *other)
{
    double p[3];
    fuzz_point(in, mesh, other, p);
    return test_mesh_add_vertex(mesh, p[0], p[1], p[2]);
}

// An existing vertex; the mesh has at least one.
static uint32_t old_vertex(fuzz_input *in, const test_mesh *mesh)
{
    return fuzz_byte(in) % (uint32_t)mesh->vertex_count;
}

static uint64_t triangles_of(const test_mesh *mesh)
{
    return mesh->index_count - 2 * mesh->face_count;
}

static void add_polygon(fuzz_input *in, test_mesh *mesh, const test_mesh *other, uint32_t count, bool old)
{
    uint32_t corners[8] = {0};
    if (old && mesh->vertex_count == 0)
        add_point(in, mesh, other);
    for (uint32_t i = 0; i < count; i++)
        corners[i] = old ? old_vertex(in, mesh) : add_point(in, mesh, other);
    test_mesh_add_face(mesh, corners, count);
}

// A polygon in an axis plane, a byte a corner.
static void add_flat_polygon(fuzz_input *in, test_mesh *mesh, uint32_t count)
{
    const uint8_t plane = fuzz_byte(in);
    const uint32_t axis = plane % 3;
    uint32_t corners[8] = {0};
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t place = fuzz_byte(in);
        double p[3];
        p[axis] = (double)(plane / 3 % 9) - 4.0;
        p[(axis + 1) % 3] = (double)(place % 9) - 4.0;
        p[(axis + 2) % 3] = (double)(place / 9 % 9) - 4.0;
        corners[i] = test_mesh_add_vertex(mesh, p[0], p[1], p[2]);
    }
    test_mesh_add_face(mesh, corners, count);
}

// A solid or a sheet from the raster.
static test_mesh shape(fuzz_input *in, const test_mesh *mesh, const test_mesh *other, uint8_t kind)
{
    double corners[4][3];
    test_mesh made;
    switch (kind % 5) {
    case 0:
    case 1:
        for (int i = 0; i < 3; i++) {
            corners[0][i] = small_integer(in);
            corners[1][i] = corners[0][i] + 1.0 + (double)fuzz_below(in, 6);
        }
        return kind % 5 == 0 ? test_mesh_box(corners[0], corners[1]) : test_mesh_box_quads(corners[0], corners[1]);
    case 2:
        for (int i = 0; i < 4; i++)
            fuzz_point(in, mesh, other, corners[i]);
        return test_mesh_tetrahedron((const double(*)[3])corners);
    case 3: {
        const uint8_t size = fuzz_byte(in);
        made = size & 0x80 ? test_mesh_grid(1 + size % 3, 1 + size / 3 % 4, 1.0)
                           : test_mesh_grid_quads(1 + size % 3, 1 + size / 3 % 4, 1.0);
        break;
    }
    default:
        made = test_mesh_icosphere(1.0 + fuzz_below(in, 4), 0);
        break;
    }
    const double x = small_integer(in), y = small_integer(in), z = small_integer(in);
    test_mesh_move(&made, x, y, z);
    return made;
}

// Take the last face away: an open mesh, or a hole.
static void drop_face(test_mesh *mesh)
{
    if (mesh->face_count < 2)
        return;
    // The arrays' room follows their counts, so the shortened mesh is a new one.
    test_mesh shorter = {0};
    for (uint64_t v = 0; v < mesh->vertex_count; v++)
        test_mesh_add_vertex(&shorter, mesh->positions[3 * v], mesh->positions[3 * v + 1], mesh->positions[3 * v + 2]);
    for (uint64_t face = 0, first = 0; face + 1 < mesh->face_count; first += mesh->corner_counts[face++])
        test_mesh_add_face(&shorter, mesh->indices + first, mesh->corner_counts[face]);
    test_mesh_finish(mesh);
    *mesh = shorter;
}

// Repeat a face, in its order or reversed.
static void repeat_face(fuzz_input *in, test_mesh *mesh)
{
    uint32_t corners[8] = {0};
    const uint8_t which = fuzz_byte(in);
    if (mesh->face_count == 0)
        return;
    const uint64_t face = (which >> 1) % mesh->face_count;
    uint64_t first = 0;
    for (uint64_t i = 0; i < face; i++)
        first += mesh->corner_counts[i];
    const uint32_t count = mesh->corner_counts[face];
    if (count > 8)
        return;
    for (uint32_t i = 0; i < count; i++)
        corners[i] = mesh->indices[first + (which & 1 ? count - 1 - i : i)];
    test_mesh_add_face(mesh, corners, count);
}

// Copy the mesh, moved or half as large: nested shells.
static void repeat_all(fuzz_input *in, test_mesh *mesh)
{
    test_mesh copy = test_mesh_copy(mesh);
    const uint8_t kind = fuzz_byte(in);
    if (kind & 1)
        test_mesh_scale(&copy, 0.5, 0.5, 0.5);
    if (kind & 2)
        test_mesh_reverse(&copy);
    const double x = small_integer(in), y = small_integer(in), z = small_integer(in);
    test_mesh_move(&copy, x / 2.0, y / 2.0, z / 2.0);
    test_mesh_take(mesh, copy);
}

static void damage(fuzz_input *in, test_mesh *mesh, const test_mesh *other, uint8_t kind, uint64_t most)
{
    double p[3];
    switch (kind % 6) {
    case 0:
        test_mesh_reverse(mesh);
        break;
    case 1:
        if (mesh->vertex_count > 0) {
            const uint32_t v = old_vertex(in, mesh);
            fuzz_point(in, mesh, other, p);
            memcpy(mesh->positions + 3 * (size_t)v, p, sizeof p);
        }
        break;
    case 2:
        repeat_face(in, mesh);
        break;
    case 3: {
        test_mesh soup = test_mesh_soup(mesh);
        test_mesh_finish(mesh);
        *mesh = soup;
        break;
    }
    case 4:
        drop_face(mesh);
        break;
    default:
        if (2 * triangles_of(mesh) <= most)
            repeat_all(in, mesh);
        break;
    }
}

// Only moving and scaling of raster points makes positions larger; extreme ones may leave the range.
static void keep_in_range(test_mesh *mesh)
{
    for (uint64_t i = 0; i < 3 * mesh->vertex_count; i++)
        mesh->positions[i] = accepted(mesh->positions[i]);
}

static void one_step(fuzz_input *in, test_mesh *mesh, const test_mesh *other, uint64_t most)
{
    const uint8_t op = fuzz_byte(in), kind = op / 8;
    switch (op % 8) {
    case 0:
        add_polygon(in, mesh, other, 3, true);
        break;
    case 1:
        add_polygon(in, mesh, other, 3, false);
        break;
    case 2:
        add_polygon(in, mesh, other, 3 + kind % 6, (kind & 16) != 0);
        break;
    case 3:
        add_flat_polygon(in, mesh, 3 + kind % 6);
        break;
    case 4:
    case 5: {
        test_mesh part = shape(in, mesh, other, kind);
        if (triangles_of(mesh) + triangles_of(&part) <= most)
            test_mesh_append(mesh, &part);
        test_mesh_finish(&part);
        break;
    }
    case 6:
        damage(in, mesh, other, kind, most);
        break;
    default:
        add_point(in, mesh, other);
        break;
    }
}

test_mesh fuzz_mesh(fuzz_input *in, const test_mesh *other)
{
    return fuzz_mesh_up_to(in, other, FUZZ_MOST_TRIANGLES);
}

test_mesh fuzz_mesh_up_to(fuzz_input *in, const test_mesh *other, uint64_t most)
{
    test_mesh mesh = {0};
    for (uint32_t steps = 1 + fuzz_below(in, 16); steps > 0 && triangles_of(&mesh) + 6 <= most; steps--)
        one_step(in, &mesh, other, most);
    if (mesh.face_count == 0)
        add_polygon(in, &mesh, other, 3, false);
    keep_in_range(&mesh);
    return mesh;
}

// A rotation from small integers, which may be a quarter turn or anything else.
static void rotate(fuzz_input *in, grz_pose *pose)
{
    const double translation[3] = {pose->m[0][3], pose->m[1][3], pose->m[2][3]};
    double q[4];
    for (int i = 0; i < 4; i++)
        q[i] = small_integer(in);
    if (grz_pose_from_quaternion(translation, q, pose, NULL) != GRZ_OK)
        *pose = grz_pose_from_translation(translation[0], translation[1], translation[2]);
}

static void turn_axes(fuzz_input *in, grz_pose *pose)
{
    const uint8_t turn = fuzz_byte(in);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            pose->m[row][column] = column == (turn & 1 ? row + turn / 2 : 6 - row + turn / 2) % 3
                                       ? (turn >> (5 + row) & 1 ? -1.0 : 1.0)
                                       : 0.0;
}

grz_pose fuzz_pose(fuzz_input *in)
{
    const uint8_t kind = fuzz_byte(in);
    grz_pose pose = grz_pose_identity();
    if (kind % 9 < 2)
        return pose;
    for (int row = 0; row < 3; row++)
        pose.m[row][3] = small_integer(in) / (kind & 0x80 ? 4.0 : 1.0);
    switch (kind % 9) {
    case 3:
        turn_axes(in, &pose);
        break;
    case 4:
        rotate(in, &pose);
        break;
    case 5: // flat, a line or a point
        for (int row = 0; row <= kind / 9 % 3; row++)
            pose.m[row][row] = 0.0;
        break;
    case 6:
        for (int i = 0; i < 9; i++)
            pose.m[i / 3][i % 3] = small_integer(in) / 2.0;
        break;
    case 7: // all of it tiny, huge or far away
        if (kind & 0x40)
            for (int row = 0; row < 3; row++)
                pose.m[row][3] += extreme(in);
        else {
            const int exponent = (int)(fuzz_bits(in, 2) % 1401) - 1100;
            for (int i = 0; i < 12; i++)
                pose.m[i / 4][i % 4] = ldexp(pose.m[i / 4][i % 4], exponent);
        }
        break;
    case 8:
        for (int i = 0; i < 12; i++)
            pose.m[i / 4][i % 4] = accepted(fuzz_raw_double(in));
        break;
    default:
        break;
    }
    bool zero = true; // an all-zero structure is refused
    for (int i = 0; i < 12; i++)
        zero = zero && pose.m[i / 4][i % 4] == 0.0;
    pose.m[0][0] = zero ? 1.0 : pose.m[0][0];
    return pose;
}

double *fuzz_moved(fuzz_input *in, const test_mesh *mesh, const test_mesh *other)
{
    double *moved = malloc(3 * (size_t)mesh->vertex_count * sizeof *moved);
    if (moved == NULL)
        abort();
    memcpy(moved, mesh->positions, 3 * (size_t)mesh->vertex_count * sizeof *moved);
    for (uint32_t steps = 1 + fuzz_below(in, 6); steps > 0; steps--) {
        const uint32_t v = fuzz_byte(in) % (uint32_t)mesh->vertex_count;
        fuzz_point(in, mesh, other, moved + 3 * (size_t)v);
    }
    return moved;
}

double *fuzz_world(const double *positions, uint64_t vertex_count, const grz_pose *pose)
{
    double *world = malloc((3 * (size_t)vertex_count + 1) * sizeof *world);
    if (world == NULL)
        abort();
    for (uint64_t v = 0; v < vertex_count; v++) {
        for (int row = 0; row < 3; row++) {
            // Separate statements, so that the compiler fuses no sum with a product.
            double sum = pose->m[row][0] * positions[3 * v];
            const double in_y = pose->m[row][1] * positions[3 * v + 1];
            const double in_z = pose->m[row][2] * positions[3 * v + 2];
            sum += in_y;
            sum += in_z;
            world[3 * v + (uint64_t)row] = sum + pose->m[row][3];
        }
    }
    return world;
}

test_mesh fuzz_in_world(const test_mesh *mesh, const grz_pose *pose)
{
    const size_t count = 3 * (size_t)mesh->vertex_count;
    test_mesh world = *mesh;
    bool fits = true;
    world.positions = fuzz_world(mesh->positions, mesh->vertex_count, pose);
    for (size_t k = 0; k < count; k++)
        fits = fits && fabs(world.positions[k]) <= GRZ_MAX_COORDINATE;
    if (!fits)
        memcpy(world.positions, mesh->positions, count * sizeof *world.positions);
    return world;
}

double fuzz_scale(test_mesh *mesh, uint8_t kind)
{
    static const int exponents[] = {0, 0, 0, 0, 0, 290, 100, -100, -500, -1000, -1060, -1072};
    const double factor = ldexp(1.0, exponents[kind % 12]);
    for (uint64_t k = 0; k < 3 * mesh->vertex_count; k++)
        if (fabs(mesh->positions[k] * factor) <= GRZ_MAX_COORDINATE)
            mesh->positions[k] *= factor;
    return factor;
}
