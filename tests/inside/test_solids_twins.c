// SPDX-License-Identifier: MIT
// How two meshes lie to each other as solids, where the truth is counted or found otherwise: sets of unit cells, of
// several components, with cavities, with cells that meet in an edge or a corner, cut into faces in different ways and
// on different grids, also sheared, turned and mirrored by integer matrices; and tetrahedra on a small raster.
// ctest: long
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_classify.h"
#include "support_sanitizer.h"
#include "support_solids.h"

static void cells_are_classified_as_they_are_counted(void **state)
{
    (void)state;
    const int cases = TEST_SANITIZED ? 200 : 500;
    random_stream random = {.state = 23};
    size_t counts[SOLIDS_COUNT] = {0}, runs = 0;
    for (int i = 0; i < cases; i++) {
        const lattice_case c = random_case(&random);
        if (lattice_count(&c.a) == 0 || lattice_count(&c.b) == 0)
            continue;
        const grz_solids expected = lattice_classify(&c.a, &c.b);
        test_mesh a = lattice_surface(&c.a, &c.style_a, &random, 1.0),
                  b = lattice_surface(&c.b, &c.style_b, &random, 1.0);
        const size_t which = random_below(&random, MATRIX_COUNT);
        const grz_pose pose = pose_of(matrices[which]);
        const bool posed = random_below(&random, 2) == 0;
        if (!posed) {
            test_mesh_transform(&a, matrices[which]);
            test_mesh_transform(&b, matrices[which]);
        }
        grz_solids found = ask_ruled(&a, &b, posed ? &pose : NULL, GRZ_EVEN_ODD);
        if (found != expected)
            fail_msg("case %d, matrix %zu: %s, counted %s", i, which, solids_names[found], solids_names[expected]);
        runs += 2;
        if (!c.style_a.spin && !c.style_b.spin) {
            found = ask_ruled(&a, &b, posed ? &pose : NULL, GRZ_NONZERO);
            if (found != expected)
                fail_msg("case %d, matrix %zu, nonzero rule: %s, counted %s", i, which, solids_names[found],
                         solids_names[expected]);
            runs += 2;
        }
        counts[expected]++;
        test_mesh_finish(&a);
        test_mesh_finish(&b);
    }
    for (int i = GRZ_SOLIDS_APART; i < GRZ_SOLIDS_UNDECIDABLE; i++) {
        print_message("  %-11s %5zu\n", solids_names[i], counts[i]);
        assert_true(counts[i] > (TEST_SANITIZED ? 0 : 2));
    }
    print_message("  %zu queries\n", runs);
}

// ---- Tetrahedra: convex sets, for which separating planes give the truth ----

typedef struct tetrahedron {
    long at[4][3];
} tetrahedron;

static void cross_product(const long u[3], const long v[3], long n[3])
{
    for (int i = 0; i < 3; i++)
        n[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
}

static void difference(const long from[3], const long to[3], long d[3])
{
    for (int i = 0; i < 3; i++)
        d[i] = to[i] - from[i];
}

static long dot_product(const long u[3], const long v[3])
{
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

static void range_along(const tetrahedron *t, const long n[3], long *low, long *high)
{
    *low = *high = dot_product(t->at[0], n);
    for (int i = 1; i < 4; i++) {
        const long d = dot_product(t->at[i], n);
        *low = d < *low ? d : *low;
        *high = d > *high ? d : *high;
    }
}

// The width of the gap along a direction: negative if the two overlap.
static long gap_along(const tetrahedron *a, const tetrahedron *b, const long n[3])
{
    long low_a, high_a, low_b, high_b;
    range_along(a, n, &low_a, &high_a);
    range_along(b, n, &low_b, &high_b);
    return low_b - high_a > low_a - high_b ? low_b - high_a : low_a - high_b;
}

static const int edges_of[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

// The widest gap: positive if they are apart, 0 if they touch. Facets of the Minkowski difference are parallel to a
// face of one or to an edge of each.
static long widest_gap(const tetrahedron *a, const tetrahedron *b)
{
    long u[3], v[3], n[3], widest = -1000000;
    for (int i = 0; i < 12; i++) {
        const tetrahedron *t = i < 4 || i >= 8 ? a : b;
        const int k = i % 4;
        difference(t->at[k], t->at[(k + 1) % 4], u);
        difference(t->at[k], t->at[(k + 2) % 4], v);
        cross_product(u, v, n);
        const long gap = gap_along(a, b, n);
        widest = gap > widest ? gap : widest;
    }
    for (int i = 0; i < 36; i++) {
        difference(a->at[edges_of[i / 6][0]], a->at[edges_of[i / 6][1]], u);
        difference(b->at[edges_of[i % 6][0]], b->at[edges_of[i % 6][1]], v);
        cross_product(u, v, n);
        if (dot_product(n, n) == 0)
            continue;
        const long gap = gap_along(a, b, n);
        widest = gap > widest ? gap : widest;
    }
    return widest;
}

static bool holds_point(const tetrahedron *t, const long p[3])
{
    for (int k = 0; k < 4; k++) {
        long u[3], v[3], w[3], n[3], x[3];
        difference(t->at[k], t->at[(k + 1) % 4], u);
        difference(t->at[k], t->at[(k + 2) % 4], v);
        difference(t->at[k], t->at[(k + 3) % 4], w);
        difference(t->at[k], p, x);
        cross_product(u, v, n);
        const long inner = dot_product(n, w), own = dot_product(n, x);
        if ((inner > 0 && own < 0) || (inner < 0 && own > 0))
            return false;
    }
    return true;
}

static bool holds_all(const tetrahedron *outer, const tetrahedron *inner)
{
    for (int i = 0; i < 4; i++)
        if (!holds_point(outer, inner->at[i]))
            return false;
    return true;
}

static grz_solids classify_tetrahedra(const tetrahedron *a, const tetrahedron *b)
{
    const long gap = widest_gap(a, b);
    if (gap >= 0)
        return gap > 0 ? GRZ_SOLIDS_APART : GRZ_SOLIDS_TOUCHING;
    const bool a_in_b = holds_all(b, a), b_in_a = holds_all(a, b);
    return a_in_b && b_in_a ? GRZ_SOLIDS_SAME
           : a_in_b         ? GRZ_SOLIDS_A_INSIDE_B
           : b_in_a         ? GRZ_SOLIDS_B_INSIDE_A
                            : GRZ_SOLIDS_PENETRATING;
}

static long volume_of(const tetrahedron *t)
{
    long u[3], v[3], w[3], n[3];
    difference(t->at[0], t->at[1], u);
    difference(t->at[0], t->at[2], v);
    difference(t->at[0], t->at[3], w);
    cross_product(u, v, n);
    return dot_product(n, w);
}

static tetrahedron random_tetrahedron(random_stream *random, uint32_t raster, long factor)
{
    tetrahedron t;
    do
        for (int i = 0; i < 12; i++)
            t.at[i / 3][i % 3] = factor * (long)random_below(random, raster);
    while (volume_of(&t) == 0);
    return t;
}

// Corners that another one holds.
static tetrahedron random_within(random_stream *random, const tetrahedron *outer, long most)
{
    tetrahedron t = *outer;
    for (int tries = 0; tries < 1000; tries++) {
        for (int i = 0; i < 4;) {
            for (int k = 0; k < 3; k++)
                t.at[i][k] = 2 * (long)random_below(random, (uint32_t)most / 2 + 1);
            i += random_below(random, 50) == 0 || holds_point(outer, t.at[i]);
        }
        if (volume_of(&t) != 0)
            return t;
    }
    return *outer;
}

static test_mesh surface_of(const tetrahedron *t, bool fine)
{
    double corners[4][3];
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            corners[i][k] = (double)t->at[i][k];
    test_mesh mesh = test_mesh_tetrahedron(corners);
    if (fine) {
        test_mesh divided = test_mesh_subdivided(&mesh);
        test_mesh_finish(&mesh);
        return divided;
    }
    return mesh;
}

static void tetrahedra_are_classified_as_separating_planes_say(void **state)
{
    (void)state;
    random_stream random = {.state = 24};
    size_t counts[SOLIDS_COUNT] = {0};
    for (int i = 0; i < (TEST_SANITIZED ? 4000 : 40000); i++) {
        // Small rasters: nearly every case is a special one. Some tetrahedra are far smaller, so that one holds the
        // other; even coordinates, so that midpoints are exact.
        const uint32_t raster = 3 + random_below(&random, 4);
        const long factor = random_below(&random, 3) == 0 ? 6 : 2;
        tetrahedron a = random_tetrahedron(&random, raster, factor);
        const uint32_t sort = random_below(&random, 20);
        const tetrahedron other = sort == 0  ? a
                                  : sort < 6 ? random_within(&random, &a, factor * (long)(raster - 1))
                                             : random_tetrahedron(&random, raster, 2);
        const tetrahedron b = sort == 1 || sort == 2 ? a : other;
        if (sort == 1 || sort == 2)
            a = other;
        const grz_solids expected = classify_tetrahedra(&a, &b);
        test_mesh mesh_a = surface_of(&a, random_below(&random, 3) == 0),
                  mesh_b = surface_of(&b, random_below(&random, 3) == 0);
        const grz_solids found = ask_ruled(&mesh_a, &mesh_b, NULL, GRZ_EVEN_ODD);
        if (found != expected)
            fail_msg("case %d: %s, expected %s", i, solids_names[found], solids_names[expected]);
        counts[expected]++;
        test_mesh_finish(&mesh_a);
        test_mesh_finish(&mesh_b);
    }
    for (int i = GRZ_SOLIDS_APART; i < GRZ_SOLIDS_UNDECIDABLE; i++) {
        print_message("  %-11s %5zu\n", solids_names[i], counts[i]);
        assert_true(counts[i] > (TEST_SANITIZED ? 20 : 200));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tetrahedra_are_classified_as_separating_planes_say),
        cmocka_unit_test(cells_are_classified_as_they_are_counted),
    };
    classify_open();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    classify_close();
    return failed;
}
