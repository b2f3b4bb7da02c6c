// SPDX-License-Identifier: MIT
// The meshes. Bumps are a sum of a few dozen plane waves of random directions, so they are smooth and need no table.
#include "shapes.h"

#include <graze/io.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

uint64_t shape_random_bits(shape_random *random)
{
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

double shape_random_in(shape_random *random, double low, double high)
{
    return low + (high - low) * (double)(shape_random_bits(random) >> 11) * 0x1p-53;
}

static peer_mesh allocate(uint32_t vertex_count, uint32_t triangle_count)
{
    peer_mesh mesh = {.vertex_count = vertex_count, .triangle_count = triangle_count};
    mesh.positions = calloc(vertex_count, sizeof *mesh.positions);
    mesh.triangles = calloc(triangle_count, sizeof *mesh.triangles);
    if (!mesh.positions || !mesh.triangles)
        peer_die("out of memory for a mesh");
    return mesh;
}

void shape_free(peer_mesh *mesh)
{
    free(mesh->positions);
    free(mesh->triangles);
    *mesh = (peer_mesh){0};
}

static void round_to_float(double position[3])
{
    for (int i = 0; i < 3; i++)
        position[i] = (double)(float)position[i];
}

peer_mesh shape_read(const char *path)
{
    grz_error error;
    grz_io_model *read;
    if (grz_io_load_file(path, NULL, &read, &error) != GRZ_OK)
        peer_die(error.message);
    if (read->vertex_count > UINT32_MAX || read->index_count > UINT32_MAX)
        peer_die("the mesh is too large");
    peer_mesh mesh = allocate((uint32_t)read->vertex_count, (uint32_t)(read->index_count - 2 * read->face_count));
    memcpy(mesh.positions, read->positions, read->vertex_count * sizeof *mesh.positions);
    for (uint32_t i = 0; i < mesh.vertex_count; i++)
        round_to_float(mesh.positions[i]);
    uint32_t triangle = 0;
    for (uint64_t face = 0, first = 0; face < read->face_count; face++) {
        const uint32_t corners = read->corner_counts ? read->corner_counts[face] : 3, *corner = read->indices + first;
        for (uint32_t i = 2; i < corners; i++, triangle++) {
            mesh.triangles[triangle][0] = corner[0];
            mesh.triangles[triangle][1] = corner[i - 1];
            mesh.triangles[triangle][2] = corner[i];
        }
        first += corners;
    }
    grz_io_model_destroy(read);
    return mesh;
}

enum {
    WAVES = 24
};

// Smooth noise of about [-1, 1].
typedef struct noise {
    double direction[WAVES][3], phase[WAVES], weight[WAVES];
} noise;

static noise noise_of(uint64_t seed)
{
    shape_random random = {seed};
    noise n;
    for (int i = 0; i < WAVES; i++) {
        const double frequency = 2 + 0.8 * i;
        for (int j = 0; j < 3; j++)
            n.direction[i][j] = frequency * shape_random_in(&random, -1, 1);
        n.phase[i] = shape_random_in(&random, 0, 2 * PI);
        n.weight[i] = 1.2 / frequency;
    }
    return n;
}

static double noise_at(const noise *n, const double p[3])
{
    double sum = 0;
    for (int i = 0; i < WAVES; i++)
        sum += n->weight[i] *
               sin(n->direction[i][0] * p[0] + n->direction[i][1] * p[1] + n->direction[i][2] * p[2] + n->phase[i]);
    return sum;
}

static void normalise(double v[3])
{
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++)
        v[i] /= length;
}

// Two triangles for the square of a grid whose corners are a b / c d.
static void add_square(peer_mesh *mesh, uint32_t *next, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint32_t corners[2][3] = {{a, b, d}, {a, d, c}};
    memcpy(mesh->triangles[*next], corners, sizeof corners);
    *next += 2;
}

typedef struct corner_key {
    int32_t x, y, z;
    uint32_t vertex;
} corner_key;

static int compare_corners(const void *p, const void *q)
{
    const corner_key *a = p, *b = q;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return (a->z > b->z) - (a->z < b->z);
}

// Vertices of the six grids that lie on one point of the cube become one: renumbers the triangles, packs the positions.
static void weld_cube(peer_mesh *mesh, corner_key *keys)
{
    uint32_t *renumbered = malloc(mesh->vertex_count * sizeof *renumbered);
    double(*packed)[3] = malloc(mesh->vertex_count * sizeof *packed);
    if (!renumbered || !packed)
        peer_die("out of memory for a mesh");
    qsort(keys, mesh->vertex_count, sizeof *keys, compare_corners);
    uint32_t count = 0;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        if (i == 0 || compare_corners(&keys[i], &keys[i - 1]) != 0)
            memcpy(packed[count++], mesh->positions[keys[i].vertex], sizeof *packed);
        renumbered[keys[i].vertex] = count - 1;
    }
    for (uint32_t i = 0; i < mesh->triangle_count; i++)
        for (int j = 0; j < 3; j++)
            mesh->triangles[i][j] = renumbered[mesh->triangles[i][j]];
    free(renumbered);
    free(mesh->positions);
    mesh->positions = packed;
    mesh->vertex_count = count;
}

peer_mesh shape_blob(uint32_t n, double bump, uint64_t seed)
{
    const uint32_t side = n + 1;
    peer_mesh mesh = allocate(6 * side * side, 12 * n * n);
    corner_key *keys = malloc(mesh.vertex_count * sizeof *keys);
    if (!keys)
        peer_die("out of memory for a mesh");
    const noise bumps = noise_of(seed);
    uint32_t triangle = 0;
    for (uint32_t face = 0, vertex = 0; face < 6; face++)
        for (uint32_t i = 0; i < side; i++)
            for (uint32_t j = 0; j < side; j++, vertex++) {
                const uint32_t axis = face / 2;
                int32_t grid[3];
                grid[axis] = face % 2 == 0 ? (int32_t)n : -(int32_t)n;
                grid[(axis + 1) % 3] = 2 * (int32_t)(face % 2 == 0 ? i : n - i) - (int32_t)n;
                grid[(axis + 2) % 3] = 2 * (int32_t)j - (int32_t)n;
                double *p = mesh.positions[vertex];
                for (int k = 0; k < 3; k++) // tan evens the squares out
                    p[k] = tan(PI / 4 * grid[k] / n);
                normalise(p);
                const double radius = 1 + bump * noise_at(&bumps, p);
                for (int k = 0; k < 3; k++)
                    p[k] *= radius;
                round_to_float(p);
                keys[vertex] = (corner_key){grid[0], grid[1], grid[2], vertex};
                if (i < n && j < n)
                    add_square(&mesh, &triangle, vertex, vertex + side, vertex + 1, vertex + side + 1);
            }
    weld_cube(&mesh, keys);
    free(keys);
    return mesh;
}

peer_mesh shape_box(uint32_t n)
{
    const uint32_t side = n + 1;
    peer_mesh mesh = allocate(6 * side * side, 12 * n * n);
    uint32_t triangle = 0;
    for (uint32_t face = 0, vertex = 0; face < 6; face++)
        for (uint32_t i = 0; i < side; i++)
            for (uint32_t j = 0; j < side; j++, vertex++) {
                const uint32_t axis = face / 2, upper = face % 2;
                double *p = mesh.positions[vertex];
                p[axis] = upper;
                p[(axis + 1) % 3] = (double)(upper ? i : n - i) / n;
                p[(axis + 2) % 3] = (double)j / n;
                round_to_float(p);
                if (i < n && j < n)
                    add_square(&mesh, &triangle, vertex, vertex + side, vertex + 1, vertex + side + 1);
            }
    return mesh;
}

peer_mesh shape_gear(uint32_t teeth, uint32_t rings)
{
    const uint32_t around = 4 * teeth, side = around * (rings + 1);
    peer_mesh mesh = allocate(2 * side, 4 * around * (rings + 1));
    uint32_t triangle = 0;
    for (uint32_t upper = 0, vertex = 0; upper < 2; upper++)
        for (uint32_t ring = 0; ring <= rings; ring++)
            for (uint32_t i = 0; i < around; i++, vertex++) {
                const double angle = 2 * PI * i / around, outer = i % 4 < 2 ? 1 : 0.88;
                const double radius = 0.3 + (outer - 0.3) * ring / rings;
                const uint32_t next = i + 1 < around ? vertex + 1 : vertex + 1 - around;
                double *p = mesh.positions[vertex];
                p[0] = radius * cos(angle), p[1] = radius * sin(angle), p[2] = upper;
                round_to_float(p);
                if (ring < rings && upper == 1)
                    add_square(&mesh, &triangle, vertex, vertex + around, next, next + around);
                else if (ring < rings)
                    add_square(&mesh, &triangle, vertex, next, vertex + around, next + around);
                if (upper == 0 && ring == 0) // the wall of the hole
                    add_square(&mesh, &triangle, vertex, vertex + side, next, next + side);
                if (upper == 0 && ring == rings) // the teeth
                    add_square(&mesh, &triangle, vertex, next, vertex + side, next + side);
            }
    return mesh;
}

void shape_circle(double t, double point[3])
{
    point[0] = cos(2 * PI * t), point[1] = sin(2 * PI * t), point[2] = 0;
}

void shape_winding(double t, double point[3])
{
    const double angle = 2 * PI * t, reach = 1 + 0.25 * cos(5 * angle);
    point[0] = reach * cos(angle), point[1] = reach * sin(angle),
    point[2] = 0.25 * sin(5 * angle) + 0.2 * sin(2 * angle);
}

void shape_knot(double t, double point[3])
{
    const double angle = 2 * PI * t;
    point[0] = sin(angle) + 2 * sin(2 * angle);
    point[1] = cos(angle) - 2 * cos(2 * angle);
    point[2] = -sin(3 * angle);
}

void shape_link(double t, double point[3])
{
    const double straight = 1.7, radius = 1.15, half = straight + PI * radius;
    const double way = (t - floor(t)) * 2 * half, side = way < half ? 1 : -1, along = way < half ? way : way - half;
    if (along < straight) {
        point[0] = side * (along - straight / 2), point[1] = -side * radius;
    } else {
        const double angle = (along - straight) / radius;
        point[0] = side * (straight / 2 + radius * sin(angle)), point[1] = -side * radius * cos(angle);
    }
    point[2] = 0;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

// Carry the frame's first normal along: project the last one, so that the tube does not twist from ring to ring. The
// seam between the last ring and the first is sheared by the total rotation; the surface still closes.
static void next_frame(const double tangent[3], double normal[3], double binormal[3])
{
    const double along = tangent[0] * normal[0] + tangent[1] * normal[1] + tangent[2] * normal[2];
    for (int i = 0; i < 3; i++)
        normal[i] -= along * tangent[i];
    normalise(normal);
    cross(tangent, normal, binormal);
}

void shape_tangent(shape_line *line, double t, double tangent[3])
{
    double before[3], after[3];
    line(t - 1e-4, before);
    line(t + 1e-4, after);
    for (int i = 0; i < 3; i++)
        tangent[i] = after[i] - before[i];
    normalise(tangent);
}

// The angle by which a frame is rotated after it was carried around the whole line. Each ring is rotated back by its
// share.
static double twist_of(shape_line *line, uint32_t along)
{
    double tangent[3], normal[3] = {0.3, 0.5, 0.8}, binormal[3], first[3] = {0};
    for (uint32_t ring = 0; ring <= along; ring++) {
        shape_tangent(line, (double)(ring % along) / along, tangent);
        next_frame(tangent, normal, binormal);
        if (ring == 0)
            memcpy(first, normal, sizeof first);
    }
    const double x = first[0] * normal[0] + first[1] * normal[1] + first[2] * normal[2];
    const double y = first[0] * binormal[0] + first[1] * binormal[1] + first[2] * binormal[2];
    return atan2(y, x);
}

peer_mesh shape_tube(shape_line *line, uint32_t along, uint32_t around, double radius, double bump, uint64_t seed)
{
    peer_mesh mesh = allocate(along * around, 2 * along * around);
    const noise bumps = noise_of(seed);
    const double twist = twist_of(line, along);
    double tangent[3], normal[3] = {0.3, 0.5, 0.8}, binormal[3];
    uint32_t triangle = 0;
    for (uint32_t ring = 0, vertex = 0; ring < along; ring++) {
        const double t = (double)ring / along;
        double middle[3];
        line(t, middle);
        shape_tangent(line, t, tangent);
        next_frame(tangent, normal, binormal);
        for (uint32_t i = 0; i < around; i++, vertex++) {
            const double angle = 2 * PI * i / around + twist * t;
            double *p = mesh.positions[vertex], out[3];
            for (int k = 0; k < 3; k++) {
                out[k] = cos(angle) * normal[k] + sin(angle) * binormal[k];
                p[k] = middle[k] + radius * out[k];
            }
            const double height = radius * bump * noise_at(&bumps, p);
            for (int k = 0; k < 3; k++)
                p[k] += height * out[k];
            round_to_float(p);
            const uint32_t next_ring = (ring + 1) % along * around, next = (i + 1) % around;
            add_square(&mesh, &triangle, vertex, ring * around + next, next_ring + i, next_ring + next);
        }
    }
    return mesh;
}

peer_mesh shape_sheet(uint32_t n)
{
    const uint32_t side = n + 1;
    peer_mesh mesh = allocate(side * side, 2 * n * n);
    uint32_t triangle = 0;
    for (uint32_t i = 0, vertex = 0; i < side; i++)
        for (uint32_t j = 0; j < side; j++, vertex++) {
            mesh.positions[vertex][0] = 2.0 * i / n - 1;
            mesh.positions[vertex][1] = 2.0 * j / n - 1;
            round_to_float(mesh.positions[vertex]);
            if (i < n && j < n)
                add_square(&mesh, &triangle, vertex, vertex + side, vertex + 1, vertex + side + 1);
        }
    return mesh;
}

void shape_wave(const peer_mesh *sheet, double time, double (*positions)[3])
{
    for (uint32_t i = 0; i < sheet->vertex_count; i++) {
        const double x = sheet->positions[i][0], y = sheet->positions[i][1];
        positions[i][0] = x + 0.02 * sin(3 * y + 2 * time);
        positions[i][1] = y + 0.02 * sin(4 * x - time);
        positions[i][2] = 0.10 * sin(4 * x + 3 * time) * cos(3 * y + time) + 0.03 * sin(11 * x + 7 * y - 5 * time);
        round_to_float(positions[i]);
    }
}

void shape_corrugate(peer_mesh *sheet, int axis, uint32_t waves, double height)
{
    for (uint32_t i = 0; i < sheet->vertex_count; i++) {
        double *p = sheet->positions[i];
        p[2] += height * sin(PI * waves * p[axis]);
        round_to_float(p);
    }
}

void shape_scale(peer_mesh *mesh, double factor)
{
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        for (int j = 0; j < 3; j++)
            mesh->positions[i][j] *= factor;
        round_to_float(mesh->positions[i]);
    }
}

peer_box shape_bounds(const peer_mesh *mesh)
{
    peer_box box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        for (int j = 0; j < 3; j++) {
            box.min[j] = fmin(box.min[j], mesh->positions[i][j]);
            box.max[j] = fmax(box.max[j], mesh->positions[i][j]);
        }
    return box;
}

double shape_diagonal(const peer_mesh *mesh)
{
    const peer_box box = shape_bounds(mesh);
    return sqrt(pow(box.max[0] - box.min[0], 2) + pow(box.max[1] - box.min[1], 2) + pow(box.max[2] - box.min[2], 2));
}
