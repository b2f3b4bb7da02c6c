// SPDX-License-Identifier: MIT
// graze fit A: simple shapes around a mesh, to be used as proxies: its convex hull, sphere, capsule, boxes, cylinder,
// ellipsoid and k-DOPs, each with what it takes in beyond the hull; and whether the mesh is convex itself.

#include "answers/describe_files.h"
#include "answers/describe_summary.h"
#include "command.h"
#include "deliver.h"
#include "examine.h"
#include "report/number.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum {
    DOPS = 3
};

static const uint32_t dop_sizes[DOPS] = {14, 18, 26};

// What was found.
typedef struct fits {
    grz_convex_report convex;
    grz_hull *hull;
    double volume;
    grz_fitted_shape sphere;
    grz_fitted_shape capsule;
    grz_fitted_shape box, oriented, cylinder, ellipsoid;
    grz_fitted_dop dops[DOPS];
} fits;

static grz_status fit_all(const grz_mesh *mesh, fits *f, grz_error *error)
{
    grz_status status = grz_mesh_is_convex(mesh, &f->convex, error);
    if (status == GRZ_OK)
        status = grz_hull_of_mesh(mesh, NULL, &f->hull, error);
    if (status == GRZ_OK)
        status = grz_hull_volume(f->hull, &f->volume, error);
    if (status == GRZ_OK)
        status = grz_fit_sphere(f->hull, NULL, &f->sphere, error);
    if (status == GRZ_OK)
        status = grz_fit_capsule(f->hull, NULL, &f->capsule, error);
    if (status == GRZ_OK)
        status = grz_fit_box(f->hull, NULL, &f->box, error);
    if (status == GRZ_OK)
        status = grz_fit_oriented_box(f->hull, NULL, &f->oriented, error);
    if (status == GRZ_OK)
        status = grz_fit_cylinder(f->hull, NULL, &f->cylinder, error);
    if (status == GRZ_OK)
        status = grz_fit_ellipsoid(f->hull, NULL, &f->ellipsoid, error);
    for (int i = 0; i < DOPS && status == GRZ_OK; i++)
        status = grz_fit_dop(f->hull, dop_sizes[i], NULL, &f->dops[i], error);
    return status;
}

static bool find(loaded_mesh *loaded, void *found, char message[LOAD_MESSAGE_SIZE])
{
    grz_error error;
    if (fit_all(loaded->mesh, found, &error) == GRZ_OK)
        return true;
    (void)snprintf(message, LOAD_MESSAGE_SIZE, "%s: %s", loaded->file, error.message);
    return false;
}

// ---- For people -----------------------------------------------------------------------------------------------------

// "; 2.16 times the hull's volume"; nothing where the hull has none.
static const char *describe_ratio(report *r, double ratio)
{
    return isfinite(ratio) ? report_format(r, "; %.3g times the hull's volume", ratio) : "";
}

static const char *describe_point(report *r, const double p[3])
{
    return report_format(r, "%.6g %.6g %.6g", p[0], p[1], p[2]);
}

// Column i of the pose of a box, a cylinder or an ellipsoid: an axis, or for 3 its centre.
static void column_of(const grz_fitted_shape *box, int i, double column[3])
{
    for (int k = 0; k < 3; k++)
        column[k] = box->shape.pose.m[k][i];
}

static void describe_sizes(report *r, const char *label, const grz_fitted_shape *box)
{
    double centre[3];
    column_of(box, 3, centre);
    report_line(r, r->lines, LINE_FACT, label, "%.6g x %.6g x %.6g, centre %s%s", 2.0 * box->shape.half[0],
                2.0 * box->shape.half[1], 2.0 * box->shape.half[2], describe_point(r, centre),
                describe_ratio(r, box->ratio));
}

static void describe_round(report *r, const grz_fitted_shape *cylinder, const grz_fitted_shape *ellipsoid)
{
    double centre[3], axis[3];
    column_of(cylinder, 3, centre);
    column_of(cylinder, 2, axis);
    report_line(r, r->lines, LINE_FACT, "cylinder", "radius %.6g, height %.6g, centre %s, along %s%s",
                cylinder->shape.half[0], 2.0 * cylinder->shape.half[2], describe_point(r, centre),
                describe_point(r, axis), describe_ratio(r, cylinder->ratio));
    column_of(ellipsoid, 3, centre);
    report_line(r, r->lines, LINE_FACT, "ellipsoid", "half axes %s, centre %s%s",
                describe_point(r, ellipsoid->shape.half), describe_point(r, centre),
                describe_ratio(r, ellipsoid->ratio));
}

static void describe_for_people(const loaded_mesh *loaded, const fits *f, report *r)
{
    const uint32_t corners = grz_hull_vertex_count(f->hull), faces = grz_hull_face_count(f->hull);
    char radius[NUMBER_SIZE], least[NUMBER_SIZE];

    if (f->convex.fault == GRZ_CONVEX)
        report_verdict(r, TONE_PLAIN, "%s: convex (exact)", loaded->file);
    else
        report_verdict(r, TONE_PLAIN, "%s: not convex (exact): %s", loaded->file, f->convex.message);
    report_line(r, r->lines, LINE_FACT, "hull", "%s, %s (exact)%s", describe_count(r, corners, "corner", "corners"),
                describe_count(r, faces, "face", "faces"),
                grz_hull_dimension(f->hull) == 3 ? report_format(r, "; volume %.6g", f->volume) : "; no volume");
    report_line(r, r->lines, LINE_FACT, "sphere", "radius %s (%s), centre %s%s",
                number_shortest(f->sphere.shape.radius, radius),
                f->sphere.certainty == GRZ_EXACT ? "exact"
                                                 : report_format(r, "enclosed: at least %s is needed",
                                                                 number_shortest(f->sphere.radius_lower, least)),
                describe_point(r, f->sphere.shape.corners[0]), describe_ratio(r, f->sphere.ratio));
    report_line(r, r->lines, LINE_FACT, "capsule", "radius %s, from %s to %s%s",
                number_shortest(f->capsule.shape.radius, radius), describe_point(r, f->capsule.shape.corners[0]),
                describe_point(r, f->capsule.shape.corners[1]), describe_ratio(r, f->capsule.ratio));
    describe_sizes(r, "box", &f->box);
    describe_sizes(r, "oriented", &f->oriented);
    describe_round(r, &f->cylinder, &f->ellipsoid);
    for (int i = 0; i < DOPS && isfinite(f->dops[i].ratio); i++)
        report_line(r, r->lines, LINE_FACT, report_format(r, "%u-DOP", (unsigned)dop_sizes[i]),
                    "%.3g times the hull's volume", f->dops[i].ratio);
}

// ---- For programs ---------------------------------------------------------------------------------------------------

static const char *const faults[] = {"convex",     "degenerate", "open",    "nonmanifold", "unoriented",
                                     "inside_out", "reflex",     "several", "wound"};

static void put_convex(report *r, const grz_convex_report *convex)
{
    report_value *edge, *at;
    report_put_bool(r, r->members, "convex", convex->fault == GRZ_CONVEX);
    report_put_text(r, r->members, "fault", convex->fault == GRZ_CONVEX ? NULL : faults[convex->fault]);
    edge = report_put_list(r, r->members, "fault_edge");
    for (int i = 0; i < 2 && convex->vertices[1] != UINT32_MAX; i++)
        report_put_count(r, edge, NULL, convex->vertices[i]);
    at = report_put_list(r, r->members, "fault_faces");
    for (int i = 0; i < 2; i++)
        if (convex->faces[i] != UINT32_MAX)
            report_put_count(r, at, NULL, convex->faces[i]);
}

// What has axes and halves: a box or an ellipsoid.
static void put_axes_of(report *r, const char *key, const grz_fitted_shape *box)
{
    report_value *in = report_put_object(r, r->members, key), *axes;
    double column[3];
    column_of(box, 3, column);
    put_point(r, in, "centre", column);
    axes = report_put_list(r, in, "axes");
    for (int i = 0; i < 3; i++) {
        column_of(box, i, column);
        put_point(r, axes, NULL, column);
    }
    put_point(r, in, "half", box->shape.half);
    report_put_real(r, in, "ratio", box->ratio);
}

static void put_cylinder(report *r, const grz_fitted_shape *cylinder)
{
    report_value *in = report_put_object(r, r->members, "cylinder");
    double column[3];
    column_of(cylinder, 3, column);
    put_point(r, in, "centre", column);
    column_of(cylinder, 2, column);
    put_point(r, in, "axis", column);
    report_put_real(r, in, "radius", cylinder->shape.half[0]);
    report_put_real(r, in, "half_height", cylinder->shape.half[2]);
    report_put_real(r, in, "ratio", cylinder->ratio);
}

static void put_dop(report *r, report_value *dops, const grz_fitted_dop *dop)
{
    report_value *in = report_put_object(r, dops, NULL), *slabs;
    report_put_count(r, in, "k", 2 * (uint64_t)dop->count);
    slabs = report_put_list(r, in, "slabs");
    for (uint32_t i = 0; i < dop->count; i++) {
        report_value *slab = report_put_object(r, slabs, NULL);
        const double way[3] = {dop->directions[i][0], dop->directions[i][1], dop->directions[i][2]};
        put_point(r, slab, "direction", way);
        report_put_real(r, slab, "min", dop->min[i]);
        report_put_real(r, slab, "max", dop->max[i]);
    }
    report_put_real(r, in, "ratio", dop->ratio);
}

static void describe_for_programs(const options *given, const loaded_mesh *loaded, const fits *f, report *r)
{
    report_value *in, *ends, *dops;

    report_put_name(r, r->members, "file", "file_bytes", loaded->file);
    put_file_facts(r, r->members, given, &loaded->facts);
    put_convex(r, &f->convex);
    in = report_put_object(r, r->members, "hull");
    report_put_count(r, in, "dimension", (uint64_t)grz_hull_dimension(f->hull));
    report_put_count(r, in, "corners", grz_hull_vertex_count(f->hull));
    report_put_count(r, in, "faces", grz_hull_face_count(f->hull));
    report_put_real(r, in, "volume", f->volume);
    in = report_put_object(r, r->members, "sphere");
    put_point(r, in, "centre", f->sphere.shape.corners[0]);
    report_put_real(r, in, "radius", f->sphere.shape.radius);
    report_put_real(r, in, "least", f->sphere.radius_lower);
    report_put_text(r, in, "certainty", certainty_name(f->sphere.certainty));
    report_put_real(r, in, "ratio", f->sphere.ratio);
    in = report_put_object(r, r->members, "capsule");
    ends = report_put_list(r, in, "ends");
    for (int i = 0; i < 2; i++)
        put_point(r, ends, NULL, f->capsule.shape.corners[i]);
    report_put_real(r, in, "radius", f->capsule.shape.radius);
    report_put_real(r, in, "ratio", f->capsule.ratio);
    put_axes_of(r, "box", &f->box);
    put_axes_of(r, "oriented_box", &f->oriented);
    put_cylinder(r, &f->cylinder);
    put_axes_of(r, "ellipsoid", &f->ellipsoid);
    dops = report_put_list(r, r->members, "dops");
    for (int i = 0; i < DOPS; i++)
        put_dop(r, dops, &f->dops[i]);
}

// ---- The command ----------------------------------------------------------------------------------------------------

static int answer(const options *given, const loaded_mesh *loaded, const void *found)
{
    report r = report_begin(given->command);
    describe_for_people(loaded, found, &r);
    describe_file(&r, given, &loaded->facts);
    describe_for_programs(given, loaded, found, &r);
    const int status = deliver(&r, given, STATUS_APART);
    report_finish(&r);
    return status;
}

static int run(const options *given)
{
    fits found = {.hull = NULL};
    const int status = examine_file(given, "fitting shapes to", find, answer, &found);
    grz_hull_destroy(found.hull);
    return status;
}

const command command_fit = {
    .name = "fit",
    .files = "A",
    .least_files = 1,
    .most_files = 1,
    .takes = OPTIONS_REPORT | OPTIONS_FILES | OPTIONS_MACHINE,
    .run = run,
    .summary = "simple shapes around the mesh; is it convex?",
    .about = "Finds the convex hull, exactly, and around it a sphere, a capsule, a box along the axes, an oriented\n"
             "box, a cylinder, an ellipsoid, and k-DOPs. Every vertex is certainly inside of each. No sphere can\n"
             "have a radius below the second one that is told; the other shapes are the best that were tried. Says\n"
             "whether the mesh itself is convex, or names an edge or a face that shows it is not.\n"
             "\n"
             "--device and --threads are accepted so that scripts can pass them, and change nothing: one core of\n"
             "the CPU does it.\n",
    .statuses = "  0  the shapes were fitted, whether the mesh is convex or not\n"
                "  2  trouble: wrong usage, an unreadable file, a bad mesh\n",
    .examples = "  graze fit part.stl\n"
                "  graze fit --json part.stl\n",
};
