// SPDX-License-Identifier: MIT
// Fuzzes hulls: points on a grid, at, next to and between each other, and extreme ones. No point may be above a face,
// the order of the points must not show, the hull's mesh must be convex, and the fitted shapes' numbers in order. Then
// the convexity of a mesh, against whether its hull has the same corners; and its convex parts, if it is closed.
#include <math.h>

#include <graze/graze.h>

#include "geometry/exact/predicates.h"
#include "support_fuzz_queries.h"
#include "support_fuzz_shapes.h"

enum {
    MOST_POINTS = 40,
    MOST_PARTS = 40
};

static grz_hull *hull_of(const double *points, uint32_t count)
{
    grz_hull *hull;
    FUZZ_REQUIRE(grz_hull_of_points(fuzz_device(), points, count, NULL, &hull, NULL) == GRZ_OK);
    return hull;
}

static void check_faces(const grz_hull *hull, const double *points, uint32_t count)
{
    const double *at = grz_hull_vertices(hull);
    for (uint32_t f = 0; f < grz_hull_face_count(hull) && grz_hull_dimension(hull) == 3; f++) {
        const uint32_t *corners = grz_hull_face(hull, f, NULL);
        for (uint32_t p = 0; p < count; p++)
            FUZZ_REQUIRE(grz_orient3d(at + 3 * (size_t)corners[0], at + 3 * (size_t)corners[1],
                                      at + 3 * (size_t)corners[2], points + 3 * (size_t)p) <= 0);
    }
}

static void check_order(const grz_hull *hull, const double *points, uint32_t count)
{
    double turned[MOST_POINTS][3];
    for (uint32_t i = 0; i < count; i++)
        memcpy(turned[count - 1 - i], points + 3 * (size_t)i, sizeof turned[0]);
    grz_hull *again = hull_of(turned[0], count);
    uint32_t triangles, others;
    const uint32_t *x = grz_hull_triangles(hull, &triangles), *y = grz_hull_triangles(again, &others);
    FUZZ_REQUIRE(grz_hull_dimension(hull) == grz_hull_dimension(again) && triangles == others &&
                 grz_hull_vertex_count(hull) == grz_hull_vertex_count(again));
    FUZZ_REQUIRE(triangles == 0 || memcmp(x, y, 3 * (size_t)triangles * sizeof *x) == 0);
    FUZZ_REQUIRE(memcmp(grz_hull_vertices(hull), grz_hull_vertices(again),
                        3 * (size_t)grz_hull_vertex_count(hull) * sizeof(double)) == 0);
    grz_hull_destroy(again);
}

static void check_mesh(const grz_hull *hull)
{
    grz_mesh *mesh;
    grz_convex_report report;
    const grz_status status = grz_hull_mesh(hull, &mesh, NULL);
    FUZZ_REQUIRE((status == GRZ_OK) == (grz_hull_dimension(hull) >= 2));
    if (status != GRZ_OK)
        return;
    FUZZ_REQUIRE(grz_mesh_is_convex(mesh, &report, NULL) == GRZ_OK);
    FUZZ_REQUIRE((report.fault == GRZ_CONVEX) == (grz_hull_dimension(hull) == 3));
    grz_mesh_destroy(mesh);
}

// No vertex is apart from the shape. Shapes of about 2^300 are refused.
static void check_holds(const grz_hull *hull, const grz_shape *shape)
{
    if (fmax(fmax(shape->half[0], shape->half[1]), shape->half[2]) > 0x1p298)
        return;
    for (uint32_t v = 0; v < grz_hull_vertex_count(hull); v++) {
        const grz_shape point = grz_shape_point(grz_hull_vertices(hull) + 3 * (size_t)v);
        grz_shape_options options = grz_default_shape_options();
        grz_shape_answer answer;
        options.depth = false;
        FUZZ_REQUIRE(grz_shapes_compare(fuzz_device(), shape, &point, &options, &answer, NULL) == GRZ_OK);
        FUZZ_REQUIRE(answer.relation != GRZ_SHAPES_APART);
    }
}

static void check_fits(const grz_hull *hull)
{
    static const uint32_t ks[] = {6, 14, 18, 26};
    grz_fitted_shape sphere;
    grz_fitted_shape capsule;
    grz_fitted_shape box;
    grz_fitted_dop dop;
    FUZZ_REQUIRE(grz_fit_sphere(hull, NULL, &sphere, NULL) == GRZ_OK && sphere.radius_lower >= 0.0 &&
                 sphere.radius_lower <= sphere.shape.radius);
    FUZZ_REQUIRE(grz_fit_capsule(hull, NULL, &capsule, NULL) == GRZ_OK && capsule.shape.radius >= 0.0);
    FUZZ_REQUIRE(grz_fit_oriented_box(hull, NULL, &box, NULL) == GRZ_OK);
    FUZZ_REQUIRE(box.shape.half[0] >= 0.0 && box.shape.half[1] >= 0.0 && box.shape.half[2] >= 0.0);
    const double sphere_ratio = sphere.ratio;
    FUZZ_REQUIRE(grz_fit_cylinder(hull, NULL, &box, NULL) == GRZ_OK && box.shape.half[0] == box.shape.half[1]);
    check_holds(hull, &box.shape);
    FUZZ_REQUIRE(grz_fit_ellipsoid(hull, NULL, &box, NULL) == GRZ_OK && box.shape.half[0] >= 0.0);
    FUZZ_REQUIRE(!(box.ratio > sphere_ratio * 1.001) || box.ratio > 1e6); // but for what is as thin as rounding
    check_holds(hull, &box.shape);
    for (int i = 0; i < 4; i++) {
        FUZZ_REQUIRE(grz_fit_dop(hull, ks[i], NULL, &dop, NULL) == GRZ_OK && dop.count == ks[i] / 2);
        for (uint32_t k = 0; k < dop.count; k++)
            FUZZ_REQUIRE(dop.min[k] <= dop.max[k]);
    }
    grz_hull *corners;
    FUZZ_REQUIRE(grz_fit_dop(hull, ks[grz_hull_vertex_count(hull) % 3], NULL, &dop, NULL) == GRZ_OK);
    FUZZ_REQUIRE(grz_fitted_dop_hull(fuzz_device(), &dop, &corners, NULL) == GRZ_OK);
    FUZZ_REQUIRE(grz_hull_vertex_count(corners) > 0); // rounding may make it flat
    grz_hull_destroy(corners);
}

// A coarse cover: few parts, and a quarter of the size may stand out.
static void check_cover(const test_mesh *shape, const grz_mesh *mesh)
{
    grz_convex_cover_options options = grz_default_convex_cover_options();
    grz_convex_parts *parts;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (uint64_t i = 0; i < 3 * shape->vertex_count; i++) {
        low = fmin(low, shape->positions[i]);
        high = fmax(high, shape->positions[i]);
    }
    options.error = 0.25 * (high - low);
    options.max_parts = 3;
    options.limits.deadline = 0.02; // coordinates of very different sizes are measured slowly
    const grz_status status = grz_convex_cover_of_mesh(mesh, &options, &parts, NULL);
    FUZZ_REQUIRE(status == GRZ_OK || status == GRZ_ERROR_MESH || status == GRZ_ERROR_UNSUPPORTED ||
                 status == GRZ_ERROR_DEADLINE);
    FUZZ_REQUIRE(grz_convex_parts_count(parts) <= options.max_parts);
    for (uint32_t i = 0; i < grz_convex_parts_count(parts); i++) {
        double lower, upper;
        FUZZ_REQUIRE(grz_convex_part_error(parts, i, &lower, &upper) && 0.0 <= lower && lower <= upper);
    }
    grz_convex_parts_destroy(parts);
}

static void check_shape(const test_mesh *shape)
{
    grz_mesh *mesh = test_mesh_upload_flags(fuzz_device(), shape, 0);
    grz_convex_report report;
    grz_convex_parts *parts;
    grz_convex_parts_options options = grz_default_convex_parts_options();
    options.max_parts = MOST_PARTS;
    FUZZ_REQUIRE(grz_mesh_is_convex(mesh, &report, NULL) == GRZ_OK && report.message[0] != '\0');
    const grz_status status = grz_convex_parts_of_mesh(mesh, &options, &parts, NULL);
    FUZZ_REQUIRE(status == GRZ_OK || status == GRZ_ERROR_MESH || status == GRZ_ERROR_LIMIT);
    FUZZ_REQUIRE(report.fault != GRZ_CONVEX || (status == GRZ_OK && grz_convex_parts_count(parts) == 1));
    grz_convex_parts_destroy(parts);
    check_cover(shape, mesh);
    grz_mesh_destroy(mesh);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    double points[MOST_POINTS][3];
    const uint8_t kind = fuzz_byte(&in);
    test_mesh shape = fuzz_mesh(&in, NULL);
    fuzz_scale(&shape, kind & 0x3f);
    const uint32_t count = 1 + fuzz_below(&in, MOST_POINTS);
    for (uint32_t i = 0; i < count; i++)
        fuzz_point(&in, &shape, NULL, points[i]);
    grz_hull *hull = hull_of(points[0], count);
    check_faces(hull, points[0], count);
    check_order(hull, points[0], count);
    check_mesh(hull);
    check_fits(hull);
    grz_hull_destroy(hull);
    check_shape(&shape);
    test_mesh_finish(&shape);
    return 0;
}
