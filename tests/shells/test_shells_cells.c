// SPDX-License-Identifier: MIT
// Random assemblies on a grid of cells: each cell is empty or of a material; the surfaces of all pieces go into one
// mesh. The truth is flood fill: a piece is what cells of one material make that have sides in common. The parts of the
// mesh must be the pieces, however these share corners, edges and whole faces, have cavities, and lie in the cavities of
// others; as one mesh with common vertices, as one without, with faces in any order.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <graze/graze.h>

#include "support_devices.h"
#include "support_meshes.h"
#include "support_sanitizer.h"

enum {
    MOST = 7, // cells along an axis, and one empty cell on each side
    ROWS = MOST + 2
};

typedef struct assembly {
    int size;
    int material[ROWS][ROWS][ROWS]; // 0: empty
    int piece[ROWS][ROWS][ROWS];
    int piece_count;
} assembly;

static const int STEPS[6][3] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};

static bool within(const assembly *a, const int c[3])
{
    for (int k = 0; k < 3; k++)
        if (c[k] < 0 || c[k] >= a->size + 2)
            return false;
    return true;
}

// Fill what can be reached from a cell through sides.
static void flood(assembly *a, const int from[3], int number)
{
    static int stack[ROWS * ROWS * ROWS][3];
    const int material = a->material[from[0]][from[1]][from[2]];
    int depth = 0;
    memcpy(stack[depth++], from, sizeof stack[0]);
    a->piece[from[0]][from[1]][from[2]] = number;
    while (depth > 0) {
        int c[3];
        memcpy(c, stack[--depth], sizeof c);
        for (int step = 0; step < 6; step++) {
            const int next[3] = {c[0] + STEPS[step][0], c[1] + STEPS[step][1], c[2] + STEPS[step][2]};
            if (!within(a, next) || a->piece[next[0]][next[1]][next[2]] != 0 ||
                a->material[next[0]][next[1]][next[2]] != material)
                continue;
            a->piece[next[0]][next[1]][next[2]] = number;
            memcpy(stack[depth++], next, sizeof stack[0]);
        }
    }
}

static void draw(assembly *a, random_stream *random)
{
    *a = (assembly){.size = 2 + (int)random_below(random, MOST - 1)};
    const uint32_t materials = 1 + random_below(random, 3), empty = random_below(random, 4);
    const bool boxes = random_below(random, 2) == 0;
    int low[3] = {1, 1, 1}, high[3] = {a->size, a->size, a->size};
    for (int n = 0; boxes && n < 6;
         n++) { // boxes over each other and in each other, so that there are shells in shells
        const bool nested = random_below(random, 2) == 0;
        for (int k = 0; k < 3; k++) {
            const int p = 1 + (int)random_below(random, (uint32_t)a->size),
                      q = 1 + (int)random_below(random, (uint32_t)a->size);
            low[k] = nested && low[k] + 1 < high[k] ? low[k] + 1 : p < q ? p : q;
            high[k] = nested && low[k] < high[k] ? high[k] - 1 : p < q ? q : p;
            high[k] = high[k] < low[k] ? low[k] : high[k];
        }
        const int material = n == 0 ? 1 : (int)random_below(random, materials + 1);
        for (int x = low[0]; x <= high[0]; x++)
            for (int y = low[1]; y <= high[1]; y++)
                for (int z = low[2]; z <= high[2]; z++)
                    a->material[x][y][z] = material;
    }
    for (int i = 0; !boxes && i < a->size * a->size * a->size; i++)
        a->material[1 + i % a->size][1 + i / a->size % a->size][1 + i / a->size / a->size] =
            random_below(random, 6) < empty ? 0 : 1 + (int)random_below(random, materials);
    a->material[1][1][1] = 1; // never nothing at all
    for (int x = 0; x < a->size + 2; x++)
        for (int y = 0; y < a->size + 2; y++)
            for (int z = 0; z < a->size + 2; z++) {
                const int c[3] = {x, y, z};
                if (a->material[x][y][z] > 0 && a->piece[x][y][z] == 0)
                    flood(a, c, ++a->piece_count);
            }
}

// Add the side of a cell: two triangles or a quad, counter-clockwise from outside.
static void add_side(test_mesh *mesh, const int c[3], int side, bool quads, bool turned)
{
    const int axis = side / 2, x = (axis + 1) % 3, y = (axis + 2) % 3, end = side % 2;
    uint32_t corners[4];
    for (int k = 0; k < 4; k++) {
        const int turn = end == 1 ? k : 3 - k;
        double at[3];
        at[axis] = c[axis] + end;
        at[x] = c[x] + (turn == 1 || turn == 2);
        at[y] = c[y] + (turn >= 2);
        corners[k] = test_mesh_add_vertex(mesh, at[0], at[1], at[2]);
    }
    if (quads) {
        test_mesh_add_face(mesh, corners, 4);
    } else {
        const uint32_t i = turned ? 1 : 0;
        test_mesh_add_triangle(mesh, corners[i], corners[i + 1], corners[i + 2]);
        test_mesh_add_triangle(mesh, corners[(i + 2) % 4], corners[(i + 3) % 4], corners[i]);
    }
}

// The surfaces of all pieces; pieces[f] is the piece of face f.
static test_mesh surfaces_of(const assembly *a, random_stream *random, bool quads, uint32_t *pieces)
{
    test_mesh mesh = {.positions = NULL};
    for (int x = 0; x < a->size + 2; x++)
        for (int y = 0; y < a->size + 2; y++)
            for (int z = 0; z < a->size + 2; z++)
                for (int side = 0; side < 6 && a->piece[x][y][z] > 0; side++) {
                    const int c[3] = {x, y, z};
                    if (a->piece[x + STEPS[side][0]][y + STEPS[side][1]][z + STEPS[side][2]] == a->piece[x][y][z])
                        continue;
                    const uint64_t before = mesh.face_count;
                    add_side(&mesh, c, side, quads, random_below(random, 2) == 0);
                    for (uint64_t f = before; f < mesh.face_count; f++)
                        pieces[f] = (uint32_t)a->piece[x][y][z];
                }
    return mesh;
}

// Give corners at one position one vertex.
static void weld(test_mesh *mesh)
{
    for (uint64_t i = 0; i < mesh->index_count; i++)
        for (uint32_t v = 0; v < mesh->indices[i]; v++)
            if (memcmp(mesh->positions + 3 * (size_t)v, mesh->positions + 3 * (size_t)mesh->indices[i],
                       3 * sizeof(double)) == 0) {
                mesh->indices[i] = v;
                break;
            }
}

// Compare the parts of a mesh with the pieces of its faces: the same division, numbered by lowest faces. Returns how
// many shells there are.
static uint32_t compare(const test_mesh *mesh, const uint32_t *pieces, int piece_count, bool as_shells, uint64_t seed)
{
    grz_mesh *uploaded = test_mesh_upload(test_device, mesh);
    grz_mesh_shells *shells;
    assert_int_equal(grz_mesh_shells_find(uploaded, NULL, &shells, NULL), GRZ_OK);
    const uint32_t *of = grz_mesh_shells_of_faces(shells);
    uint32_t number_of_piece[ROWS * ROWS * ROWS + 1], next = 0;
    memset(number_of_piece, UINT8_MAX, sizeof number_of_piece);
    bool equal = (int)(as_shells ? grz_mesh_shells_count(shells) : grz_mesh_shells_part_count(shells)) == piece_count;
    for (uint64_t f = 0; f < mesh->face_count && equal; f++) {
        grz_mesh_shell shell;
        assert_true(grz_mesh_shells_describe(shells, of[f], &shell));
        assert_true(shell.closed);
        uint32_t *number = &number_of_piece[pieces[f]];
        if (*number == UINT32_MAX)
            *number = next++;
        equal = *number == (as_shells ? of[f] : shell.part);
    }
    if (!equal)
        fail_msg("seed %llu: %llu faces, %d pieces, %u parts, %u shells", (unsigned long long)seed,
                 (unsigned long long)mesh->face_count, piece_count, grz_mesh_shells_part_count(shells),
                 grz_mesh_shells_count(shells));
    const uint32_t count = grz_mesh_shells_count(shells);
    grz_mesh_shells_destroy(shells);
    grz_mesh_destroy(uploaded);
    return count;
}

static void shuffle(test_mesh *mesh, random_stream *random, uint32_t *pieces)
{
    uint32_t *moved = malloc((size_t)mesh->face_count * sizeof *moved),
             *before = malloc((size_t)mesh->face_count * sizeof *before);
    assert_non_null(moved);
    assert_non_null(before);
    memcpy(before, pieces, (size_t)mesh->face_count * sizeof *before);
    test_mesh_shuffle(mesh, random, moved);
    for (uint64_t f = 0; f < mesh->face_count; f++)
        pieces[moved[f]] = before[f];
    free(moved);
    free(before);
}

static void parts_are_the_pieces_of_flood_fill(void **state)
{
    (void)state;
    static uint32_t pieces[12 * ROWS * ROWS * ROWS];
    static assembly a;
    int with_cavities = 0, several = 0;
    for (uint64_t seed = 1; seed <= (TEST_SANITIZED ? 150 : 1500); seed++) {
        random_stream random = {seed};
        draw(&a, &random);
        const bool quads = random_below(&random, 2) == 0;
        test_mesh mesh = surfaces_of(&a, &random, quads, pieces);
        if (mesh.face_count > 800 && seed % 16 != 0) { // mostly small ones
            test_mesh_finish(&mesh);
            continue;
        }
        compare(&mesh, pieces, a.piece_count, false, seed);
        shuffle(&mesh, &random, pieces);
        compare(&mesh, pieces, a.piece_count, false, seed);
        weld(&mesh);
        compare(&mesh, pieces, a.piece_count, false, seed);
        shuffle(&mesh, &random, pieces);
        const bool hollow = compare(&mesh, pieces, a.piece_count, false, seed) > (uint32_t)a.piece_count;
        if (!hollow) { // inside out: the same
            test_mesh_reverse(&mesh);
            compare(&mesh, pieces, a.piece_count, true, seed);
        }
        with_cavities += hollow;
        several += a.piece_count > 1;
        test_mesh_finish(&mesh);
    }
    printf("%d assemblies with cavities, %d of several pieces\n", with_cavities, several);
    assert_true(with_cavities >= (TEST_SANITIZED ? 1 : 20) && several >= 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_the_pieces_of_flood_fill),
    };
    return cmocka_run_group_tests(tests, open_test_device, close_test_device);
}
