// SPDX-License-Identifier: MIT
// The voxels of method `slices` against a second implementation on the CPU, the twin, in floats and bit for bit: cells
// of the first object, cells of both, marked triangles. Also: no cell that contains a point of a triangle is left out.
// Skipped where there is no OpenGL. A GPU may round or flush otherwise than the CPU; then only the second check is
// made.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_gl.h"
#include "support_meshes.h"
#include "support_queries.h"

#ifdef GRZ_HAVE_GL
#include "base/clock.h"
#include "base/control.h"
#include "geometry/pose.h"
#include "gpu/mesh_buffers.h"
#include "image/grid/voxel_grid.h"
#include "support_voxels.h"

enum {
    SIDE = 64,
    PIXELS = SIDE * SIDE
};

// ---- The twin -------------------------------------------------------------------------------------------------------

typedef struct twin_triangle {
    float corner[3][3];
    int low[3], high[3];                           // cells
    float axis[3][2], axis_least[3], axis_most[3]; // of the edges, and the range in which pixel centres pass
    float normal[3], normal_least, normal_most, one_over_normal;
} twin_triangle;

static float least_of(float a, float b, float c)
{
    return fminf(a, fminf(b, c));
}

static float most_of(float a, float b, float c)
{
    return fmaxf(a, fmaxf(b, c));
}

static int cell_of(float x, float side)
{
    const float in = fminf(fmaxf(x, 0.0f), side - 1.0f);
    return (int)floorf(in);
}

static float far_of(const twin_triangle *t, int k, float side)
{
    return most_of(fabsf(t->corner[0][k]), fabsf(t->corner[1][k]), fabsf(t->corner[2][k])) + side;
}

static void twin_axes(twin_triangle *t, const float grow[4])
{
    const float side[3] = {(float)SIDE, (float)SIDE, (float)GRZ_VOXEL_SLICES};
    const float slack_each = (float)GRZ_VOXEL_SLACK, slack_least = (float)GRZ_VOXEL_LEAST;
    for (int i = 0; i < 3; i++) {
        const float *from = t->corner[i], *to = t->corner[(i + 1) % 3];
        const float x = -(to[1] - from[1]), y = to[0] - from[0];
        float at[3];
        for (int j = 0; j < 3; j++)
            at[j] = x * t->corner[j][0] + y * t->corner[j][1];
        const float slack =
            (fabsf(x) * far_of(t, 0, side[0]) + fabsf(y) * far_of(t, 1, side[1])) * slack_each + slack_least;
        const float reach = (fabsf(x) * (0.5f + grow[0]) + fabsf(y) * (0.5f + grow[1])) + slack;
        t->axis[i][0] = x;
        t->axis[i][1] = y;
        t->axis_least[i] = least_of(at[0], at[1], at[2]) - reach;
        t->axis_most[i] = most_of(at[0], at[1], at[2]) + reach;
    }
    float u[3], v[3], at[3], size[3];
    for (int k = 0; k < 3; k++) {
        u[k] = t->corner[1][k] - t->corner[0][k];
        v[k] = t->corner[2][k] - t->corner[1][k];
    }
    for (int k = 0; k < 3; k++) {
        t->normal[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
        size[k] = fabsf(t->normal[k]);
    }
    for (int j = 0; j < 3; j++)
        at[j] = (t->normal[0] * t->corner[j][0] + t->normal[1] * t->corner[j][1]) + t->normal[2] * t->corner[j][2];
    const float slack =
        ((size[0] * far_of(t, 0, side[0]) + size[1] * far_of(t, 1, side[1])) + size[2] * far_of(t, 2, side[2])) *
            slack_each +
        slack_least;
    const float reach =
        ((size[0] * (0.5f + grow[0]) + size[1] * (0.5f + grow[1])) + size[2] * (0.5f + grow[2])) + slack;
    t->normal_least = least_of(at[0], at[1], at[2]) - reach;
    t->normal_most = most_of(at[0], at[1], at[2]) + reach;
    t->one_over_normal = size[2] > slack_least && size[2] < 1.0f / slack_least ? 1.0f / t->normal[2] : 0.0f;
}

// False: it is outside of the grid.
static bool twin_place(const grz_grid_place *place, const float corners[3][3], twin_triangle *t)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const float *row = place->rows[k];
            t->corner[i][k] = ((row[0] * corners[i][0] + row[1] * corners[i][1]) + row[2] * corners[i][2]) + row[3];
        }
    for (int k = 0; k < 3; k++) {
        const float side = k < 2 ? (float)SIDE : (float)GRZ_VOXEL_SLICES;
        const float least = least_of(t->corner[0][k], t->corner[1][k], t->corner[2][k]) - place->grow[k];
        const float most = most_of(t->corner[0][k], t->corner[1][k], t->corner[2][k]) + place->grow[k];
        if (least > side || most < 0.0f)
            return false;
        t->low[k] = cell_of(least, side);
        t->high[k] = cell_of(most, side);
    }
    twin_axes(t, place->grow);
    return true;
}

static float clamped(float x, float low, float high)
{
    return fminf(fmaxf(x, low), high);
}

static uint32_t twin_column(const twin_triangle *t, int x, int y)
{
    const float middle[2] = {(float)x + 0.5f, (float)y + 0.5f}, slack = (float)GRZ_VOXEL_SLICE_SLACK;
    int from = t->low[2], to = t->high[2];
    for (int i = 0; i < 3; i++) {
        const float at = t->axis[i][0] * middle[0] + t->axis[i][1] * middle[1];
        if (at < t->axis_least[i] || at > t->axis_most[i])
            return 0;
    }
    if (t->one_over_normal != 0.0f) {
        const float at = (t->normal[0] * middle[0] + t->normal[1] * middle[1]) + t->normal[2] * 0.5f;
        const float p = (t->normal_least - at) * t->one_over_normal, q = (t->normal_most - at) * t->one_over_normal;
        from = (int)ceilf(clamped(fminf(p, q) - slack, (float)t->low[2], (float)(t->high[2] + 1)));
        to = (int)floorf(clamped(fmaxf(p, q) + slack, (float)(t->low[2] - 1), (float)t->high[2]));
    }
    return from > to ? 0 : (UINT32_MAX >> (31 - (to - from))) << from;
}

// One object of the job, in the GPU's coordinates.
typedef struct twin_object {
    grz_grid_place place;
    float (*corners)[3][3]; // of each triangle
    bool *marked;
    uint32_t count;
} twin_object;

// Returns how many triangles are marked. `read` NULL: fill.
static uint32_t twin_pass(twin_object *o, uint32_t *cells, const uint32_t *read, uint32_t *both)
{
    uint32_t marked = 0;
    for (uint32_t i = 0; i < o->count; i++) {
        twin_triangle t;
        bool any = false;
        if (!twin_place(&o->place, (const float(*)[3])o->corners[i], &t))
            continue;
        for (int y = t.low[1]; y <= t.high[1]; y++)
            for (int x = t.low[0]; x <= t.high[0]; x++) {
                const uint32_t bits = twin_column(&t, x, y) & (read != NULL ? read[SIDE * y + x] : UINT32_MAX);
                any = any || bits != 0;
                if (cells != NULL)
                    cells[SIDE * y + x] |= bits;
                if (both != NULL)
                    both[SIDE * y + x] |= bits;
            }
        o->marked[i] = any && read != NULL;
        marked += o->marked[i];
    }
    return marked;
}

// ---- Jobs -----------------------------------------------------------------------------------------------------------

static twin_object twin_object_of(grz_device *device, const grz_object *object, const grz_grid_frame *grid,
                                  grz_control *control)
{
    const grz_mesh *mesh = object->mesh;
    const grz_mesh_buffers *buffers;
    twin_object o = {.count = mesh->triangle_count};
    double wrong[3];
    grz_gl *gl;
    assert_int_equal(grz_gl_enter(device, "test", &gl, NULL), GRZ_OK);
    assert_int_equal(grz_mesh_buffers_get(mesh, control, &buffers, NULL), GRZ_OK);
    assert_true(grz_grid_place_of(grid, object, buffers->centre, buffers->scale, &o.place, wrong));
    o.corners = malloc(o.count * sizeof *o.corners);
    o.marked = calloc(o.count, sizeof *o.marked);
    assert_true(o.corners != NULL && o.marked != NULL);
    for (size_t i = 0; i < o.count; i++)
        for (size_t j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) {
                const double at = grz_mesh_position(mesh, mesh->triangles[3 * i + j])[k];
                o.corners[i][j][k] = (float)((at - buffers->centre[k]) * (1.0 / buffers->scale));
            }
    assert_int_equal(grz_gl_leave(gl, GRZ_OK, NULL), GRZ_OK);
    return o;
}

static void twin_object_finish(twin_object *o)
{
    free(o->corners);
    free(o->marked);
}

// Points of A's triangles in the world, one of them random, must lie in cells that are set. Returns how many points lie
// in the grid.
static int expect_points(random_stream *random, const grz_object *object, const grz_grid_frame *grid,
                         const uint32_t *cells)
{
    int inside = 0;
    for (uint32_t i = 0; i < object->mesh->triangle_count; i++) {
        double corner[3][3],
            weight[3] = {fabs(random_signed(random)), fabs(random_signed(random)), fabs(random_signed(random))};
        const double sum = weight[0] + weight[1] + weight[2] + 1e-300;
        int cell[3];
        bool in = true;
        for (size_t j = 0; j < 3; j++)
            grz_world_position(&object->pose,
                               grz_mesh_position(object->mesh, object->mesh->triangles[3 * (size_t)i + j]), corner[j]);
        for (int k = 0; k < 3; k++) {
            const int axis = grid->axes[k];
            const double at =
                (weight[0] * corner[0][axis] + weight[1] * corner[1][axis] + weight[2] * corner[2][axis]) / sum;
            const double c = (at - grid->least[k]) * grid->per[k];
            in = in && c > 1e-6 && c < grid->cells[k] - 1e-6 && fabs(c - nearbyint(c)) > 1e-6;
            cell[k] = in ? (int)floor(c) : 0;
        }
        if (in && (cells[SIDE * cell[1] + cell[0]] >> cell[2] & 1u) == 0)
            fail_msg("triangle %u has a point in cell %d %d %d, which is not set", i, cell[0], cell[1], cell[2]);
        inside += in;
    }
    return inside;
}

static double largest_side(const grz_box *a, const grz_box *b)
{
    double size = 0.0;
    for (int j = 0; j < 3; j++)
        size = fmax(size, fmax(a->max[j] - a->min[j], b->max[j] - b->min[j]));
    return size;
}

static bool is_software(grz_device *device)
{
    grz_renderer renderer;
    assert_int_equal(grz_device_renderer(device, &renderer, NULL), GRZ_OK);
    return renderer.software;
}

// Totals over all jobs of a test.
typedef struct tally {
    uint64_t cells, both, marked, points;
} tally;

static void expect_twins(grz_device *device, random_stream *random, const grz_object *a, const grz_object *b,
                         tally *sum)
{
    static uint32_t cells[2 * PIXELS], twin[2 * PIXELS];
    const grz_box box_a = grz_world_box(&a->pose, &a->mesh->bounds), box_b = grz_world_box(&b->pose, &b->mesh->bounds);
    test_grid_request q;
    grz_grid_round round = {.answers = NULL};
    grz_control control;
    if (!grz_boxes_overlap(&box_a, &box_b))
        return;
    test_grid_request_init(&q, "slices", a, b, SIDE, GRZ_JOIN_NONE);
    grz_control_init(&control, grz_device_allocator(device), NULL);
    assert_int_equal(grz_grid_run(device, &q.request, &control, &round, NULL), GRZ_OK);
    assert_int_equal(round.answers[0].flags & GRZ_JOB_WHOLE, 0);
    assert_int_equal(grz_grid_read_cells(device, SIDE, GRZ_CELLS_SLICES, cells, NULL), GRZ_OK);
    const grz_grid_frame grid = grz_grid_frame_of(&q.job.clip, largest_side(&box_a, &box_b), SIDE);
    sum->points += (uint64_t)expect_points(random, a, &grid, cells);
    twin_object twins[2] = {twin_object_of(device, a, &grid, &control), twin_object_of(device, b, &grid, &control)};
    memset(twin, 0, sizeof twin);
    twin_pass(&twins[0], twin, NULL, NULL);
    uint32_t marked[2] = {0, twin_pass(&twins[1], NULL, twin, twin + PIXELS)};
    marked[0] = twin_pass(&twins[0], NULL, twin + PIXELS, NULL);
    if (is_software(device)) {
        assert_memory_equal(cells, twin, sizeof cells);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(round.answers[0].marked[k], marked[k]);
            for (uint32_t i = 0; marked[0] > 0 && marked[1] > 0 && i < marked[k]; i++)
                assert_true(twins[k].marked[round.answers[0].lists[k][i]]);
        }
    }
    for (size_t i = 0; i < PIXELS; i++) {
        sum->cells += cells[i] != 0;
        sum->both += cells[PIXELS + i] != 0;
        assert_int_equal(cells[PIXELS + i] & ~cells[i], 0);
    }
    sum->marked += marked[0] + marked[1];
    for (int k = 0; k < 2; k++)
        twin_object_finish(&twins[k]);
    grz_grid_round_finish(&round, &control);
}

static void twins_agree(void **state)
{
    (void)state;
    grz_device *device = test_gl_device_open();
    random_stream random = random_stream_of_block(PAIR_RANDOM, 31);
    tally sum = {0};
    for (int i = 0; i < 160; i++) {
        test_two_objects two = test_two_objects_make(device, &random, i);
        expect_twins(device, &random, &two.objects[0], &two.objects[1], &sum);
        test_two_objects_finish(&two);
    }
    print_message("  %d pixels with cells of A, %d with cells of both, %d marked triangles, %d points\n",
                  (int)sum.cells, (int)sum.both, (int)sum.marked, (int)sum.points);
    assert_true(sum.cells > 100000 && sum.both > 30000 && sum.marked > 10000 && sum.points > 5000);
    test_gl_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(twins_agree)};
    return test_gl_is_here() ? cmocka_run_group_tests(tests, NULL, NULL) : TEST_SKIPPED;
}
#else
int main(void)
{
    return test_gl_is_here() ? 1 : TEST_SKIPPED;
}
#endif
