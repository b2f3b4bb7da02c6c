// SPDX-License-Identifier: MIT
// Writes reports as text. Names of files and objects are made printable (printable.h). Numbers in the report are short (%.6g), numbers in
// lists are whole (%.17g), so that a list can be read back without loss.

#include "report_text.h"

#include "printable.h"

#include <inttypes.h>

static const char *const kind_names[GRZ_KIND_COUNT] = {
    [GRZ_TOUCHING] = "touching", [GRZ_COPLANAR] = "coplanar", [GRZ_CROSSING] = "crossing"};

static const char *yes_no(bool value)
{
    return value ? "yes" : "no";
}

// Negative zero prints as zero.
static void print_box(const double min[3], const double max[3], FILE *stream)
{
    fprintf(stream, "%.6g %.6g %.6g to %.6g %.6g %.6g\n", min[0] + 0.0, min[1] + 0.0, min[2] + 0.0, max[0] + 0.0, max[1] + 0.0,
            max[2] + 0.0);
}

static void print_count(uint64_t count, const char *one, const char *many, FILE *stream)
{
    fprintf(stream, "%" PRIu64 " %s", count, count == 1 ? one : many);
}

// Write a sentence about one or two names, each in the place of a %.
static void print_names(const char *sentence, const char *first, const char *second, FILE *stream)
{
    const char *next = first;

    for (const char *c = sentence; *c != '\0'; c++) {
        if (*c != '%') {
            fputc(*c, stream);
            continue;
        }
        printable_write(next, stream);
        next = second;
    }
}

// Why inside cannot be told: which mesh is open, and by how much.
static void print_open(const query *q, const grz_summary *summary, FILE *stream)
{
    const char *lead = "";

    for (size_t i = 0; i < q->mesh_count && summary->certainty == GRZ_EXACT; i++) {
        const grz_mesh_report *report = &q->meshes[i].report;
        if (report->closed)
            continue;
        fputs(lead, stream);
        print_names("% is open (", q->meshes[i].file, NULL, stream);
        if (report->boundary_edges > 0)
            print_count(report->boundary_edges, "boundary edge", "boundary edges", stream);
        else
            fputs("an edge joins an odd number of faces", stream);
        fputc(')', stream);
        lead = ", ";
    }
    if (*lead == '\0')
        fputs(summary->reason != NULL ? summary->reason : "no reason is given", stream);
}

// What an answer is worth, behind it.
static const char *certainty_text(const grz_summary *summary)
{
    if (summary->certainty == GRZ_EXACT)
        return " (exact)\n";
    return summary->colliding && !summary->may_invent ? " (discrete: there may be more)\n" : " (discrete: may be wrong)\n";
}

static void print_touching(const query *q, const grz_summary *summary, FILE *stream)
{
    if (summary->certainty == GRZ_DISCRETE && summary->may_invent) {
        print_names("colliding: % and % touch in ", q->meshes[0].file, q->meshes[1].file, stream);
        print_count(summary->cells, "cell", "cells", stream);
        fprintf(stream, " of %" PRIu32 " x %" PRIu32 " pixels and %" PRIu32 " slices", summary->resolution, summary->resolution,
                summary->slices);
        return;
    }
    if (q->mesh_count == 1)
        print_names("colliding: % touches itself at ", q->meshes[0].file, NULL, stream);
    else
        print_names("colliding: % and % touch at ", q->meshes[0].file, q->meshes[1].file, stream);
    if (!q->listed)
        fputs("more pairs of faces than can be listed", stream);
    else
        print_count(summary->pair_count, "pair of faces", "pairs of faces", stream);
}

static void print_relation(const query *q, const grz_summary *summary, FILE *stream)
{
    const char *a = q->meshes[0].file;
    const char *b = q->meshes[1].file; // NULL for self, whose only relations are the first two

    switch (summary->relation) {
    case GRZ_COLLIDING:
        print_touching(q, summary, stream);
        break;
    case GRZ_OVERLAPPING:
        print_names("overlapping: % and % do not touch, but a part of one lies inside the other", a, b, stream);
        break;
    case GRZ_A_INSIDE_B:
        print_names("inside: % lies inside % and does not touch it", a, b, stream);
        break;
    case GRZ_B_INSIDE_A:
        print_names("inside: % lies inside % and does not touch it", b, a, stream);
        break;
    case GRZ_APART:
        if (q->mesh_count == 1)
            print_names("apart: % does not touch itself", a, NULL, stream);
        else if (summary->containment == GRZ_CONTAINMENT_DECIDED)
            print_names("apart: % and % do not touch, and neither lies inside the other", a, b, stream);
        else
            print_names("apart: % and % do not touch", a, b, stream);
        break;
    }
}

static void print_verdict(const query *q, const grz_summary *summary, FILE *stream)
{
    if (summary->certainty == GRZ_UNDECIDED) {
        fprintf(stream, "undecided: %s\n", summary->reason != NULL ? summary->reason : "no reason is given");
        return;
    }
    print_relation(q, summary, stream);
    fputs(certainty_text(summary), stream);
    if (summary->containment == GRZ_CONTAINMENT_UNDECIDABLE) {
        fputs("  whether one lies inside the other cannot be told: ", stream);
        print_open(q, summary, stream);
        fputc('\n', stream);
    }
}

static void print_pairs(const grz_result *result, FILE *stream)
{
    uint64_t count;
    const grz_pair *pairs = grz_result_pairs(result, &count);

    for (uint64_t i = 0; i < count; i++)
        fprintf(stream, "pair %" PRIu32 " %" PRIu32 " %s\n", pairs[i].face_a, pairs[i].face_b,
                pairs[i].kind < GRZ_KIND_COUNT ? kind_names[pairs[i].kind] : "unknown");
}

static void print_curves(const grz_result *result, FILE *stream)
{
    uint64_t count, point_count;
    const grz_curve *curves = grz_result_curves(result, &count);
    const double *points = grz_result_curve_points(result, &point_count);

    for (uint64_t i = 0; i < count; i++) {
        fprintf(stream, "curve %" PRIu64 ": ", i + 1);
        print_count(curves[i].point_count, "point\n", curves[i].closed ? "points, closed\n" : "points, open\n", stream);
        for (uint64_t j = 0; j < curves[i].point_count; j++) {
            const double *p = points + (curves[i].first_point + j) * 3;
            fprintf(stream, "%.17g %.17g %.17g\n", p[0], p[1], p[2]);
        }
    }
}

static void print_kinds(const grz_summary *summary, FILE *stream)
{
    fprintf(stream, "  crossing %" PRIu64 ", touching %" PRIu64 ", coplanar %" PRIu64 "\n", summary->kinds[GRZ_CROSSING],
            summary->kinds[GRZ_TOUCHING], summary->kinds[GRZ_COPLANAR]);
}

static void print_times(double load_ms, double total_ms, const grz_summary *summary, FILE *stream)
{
    fprintf(stream, "  time     %.4g ms (load %.4g, prepare %.4g, filter %.4g, decide %.4g), method %s, %s\n", total_ms, load_ms,
            summary->prepare_ms, summary->filter_ms, summary->decide_ms, summary->method != NULL ? summary->method : "none",
            summary->device);
}

void report_text_query(const query *q, FILE *stream)
{
    const grz_summary *summary = grz_result_summary(q->result);

    print_verdict(q, summary, stream);
    if (q->listed && summary->pair_count > 0)
        print_kinds(summary, stream);
    double min[3], max[3];
    if (query_region(q, min, max)) {
        fputs("  region   ", stream);
        print_box(min, max, stream);
    }
    fputs("  closed   ", stream);
    for (size_t i = 0; i < q->mesh_count; i++) {
        fputs(i == 0 ? "" : ", ", stream);
        print_names(q->meshes[i].report.closed ? "% yes" : "% no", q->meshes[i].file, NULL, stream);
    }
    fputc('\n', stream);
    print_times(q->load_ms, q->total_ms, summary, stream);
    if (q->listed && (q->given->flags & OPTION_PAIRS) != 0)
        print_pairs(q->result, stream);
    if (q->listed && (q->given->flags & OPTION_CURVES) != 0)
        print_curves(q->result, stream);
}

// Pairs of objects that the result lists, by what they are.
typedef struct scene_counts {
    uint64_t touching, holding, unknown;
} scene_counts;

static scene_counts count_pairs(const scene_run *run)
{
    const grz_scene_pair *pairs = run->pairs;
    scene_counts counts = {0};

    for (size_t i = 0; i < run->pair_count; i++) {
        counts.touching += pairs[i].relation == GRZ_COLLIDING;
        counts.holding += pairs[i].relation != GRZ_COLLIDING && pairs[i].relation != GRZ_APART;
        counts.unknown += pairs[i].containment == GRZ_CONTAINMENT_UNDECIDABLE;
    }
    return counts;
}

static void print_scene_verdict(const scene_run *run, const grz_summary *summary, const scene_counts *counts, FILE *stream)
{
    const size_t objects = run->objects.count;

    if (counts->touching > 0) {
        fprintf(stream, "colliding: among %zu objects, ", objects);
        print_count(counts->touching, "pair touches", "pairs touch", stream);
        fputs(", at ", stream);
        if (run->counted)
            print_count(summary->pair_count, "pair of faces", "pairs of faces", stream);
        else
            fputs("more pairs of faces than can be listed", stream);
    } else if (counts->holding > 0) {
        fprintf(stream, "overlapping: of %zu objects none touches another", objects);
    } else if (objects == 1) {
        print_names("apart: % is the only object", run->objects.names[0], NULL, stream);
    } else {
        fprintf(stream, "apart: of %zu objects none touches another%s", objects,
                summary->containment != GRZ_CONTAINMENT_UNDECIDABLE ? ", and none lies inside another" : "");
    }
    if (counts->holding > 0) {
        fputs(counts->touching > 0 ? "; in " : ", but in ", stream);
        print_count(counts->holding, "pair one lies inside the other, wholly or in part",
                    "pairs one lies inside the other, wholly or in part", stream);
    }
    fputs(certainty_text(summary), stream);
    if (summary->containment == GRZ_CONTAINMENT_UNDECIDABLE &&
        counts->unknown == 0) // of no pair, so it is not among the pairs below
        fprintf(stream, "  whether one lies inside another cannot be told: %s\n",
                summary->reason != NULL ? summary->reason : "no reason is given");
}

// " (crossing 3, touching 1)": those that there are.
static void print_kinds_present(const uint64_t kinds[GRZ_KIND_COUNT], FILE *stream)
{
    static const grz_kind order[GRZ_KIND_COUNT] = {GRZ_CROSSING, GRZ_TOUCHING, GRZ_COPLANAR};
    const char *lead = " (";

    for (int i = 0; i < GRZ_KIND_COUNT; i++) {
        if (kinds[order[i]] == 0)
            continue;
        fprintf(stream, "%s%s %" PRIu64, lead, kind_names[order[i]], kinds[order[i]]);
        lead = ", ";
    }
    fputc(')', stream);
}

// Names come last, because they may hold anything.
static void print_scene_pair(const scene_run *run, const grz_scene_pair *pair, FILE *stream)
{
    const char *a = run->objects.names[pair->a], *b = run->objects.names[pair->b];

    fprintf(stream, "  pair     %" PRIu32 " %" PRIu32 " ", pair->a, pair->b);
    switch (pair->relation) {
    case GRZ_COLLIDING:
        if (run->counted) {
            fputs("touch at ", stream);
            print_count(pair->pair_count, "pair of faces", "pairs of faces", stream);
            print_kinds_present(pair->kinds, stream);
            print_names(": % and %\n", a, b, stream);
        } else {
            print_names("touch: % and %\n", a, b, stream);
        }
        break;
    case GRZ_OVERLAPPING:
        print_names("overlapping, a part of one lies inside the other: % and %\n", a, b, stream);
        break;
    case GRZ_A_INSIDE_B:
        print_names("inside: % lies inside %\n", a, b, stream);
        break;
    case GRZ_B_INSIDE_A:
        print_names("inside: % lies inside %\n", b, a, stream);
        break;
    case GRZ_APART:
        break;
    }
}

static void print_scene_pairs(const scene_run *run, FILE *stream)
{
    const grz_scene_pair *pairs = run->pairs;

    for (size_t i = 0; i < run->pair_count; i++)
        if (pairs[i].relation != GRZ_APART)
            print_scene_pair(run, &pairs[i], stream);
    for (size_t i = 0; i < run->pair_count; i++)
        if (pairs[i].containment == GRZ_CONTAINMENT_UNDECIDABLE) {
            fprintf(stream, "  unknown  %" PRIu32 " %" PRIu32 " %s", pairs[i].a, pairs[i].b,
                    pairs[i].reason != NULL ? pairs[i].reason : "no reason is given");
            print_names("; A is %, B is %\n", run->objects.names[pairs[i].a], run->objects.names[pairs[i].b], stream);
        }
}

void report_text_scene(const scene_run *run, FILE *stream)
{
    const grz_summary *summary = &run->summary;
    const scene_counts counts = count_pairs(run);

    print_scene_verdict(run, summary, &counts, stream);
    if (run->counted && summary->pair_count > 0)
        print_kinds(summary, stream);
    print_scene_pairs(run, stream);
    fprintf(stream, "  objects  %zu, of ", run->objects.count);
    print_count(run->objects.mesh_count, "mesh", "meshes", stream);
    fputs(", from ", stream);
    print_count(run->given->file_count, "file\n", "files\n", stream);
    print_times(run->load_ms, run->total_ms, summary, stream);
}

void report_text_info(const info *about, FILE *stream)
{
    const grz_mesh_report *r = &about->loaded.report;

    print_names("%: ", about->loaded.file, NULL, stream);
    print_count(r->vertices, "vertex, ", "vertices, ", stream);
    print_count(r->faces, "face, ", "faces, ", stream);
    print_count(r->triangles, "triangle, ", "triangles, ", stream);
    print_count(r->components, "component\n", "components\n", stream);
    fprintf(stream, "  surface  closed %s, manifold %s, oriented %s\n", yes_no(r->closed), yes_no(r->manifold),
            yes_no(r->oriented));
    fprintf(stream, "  edges    boundary %" PRIu64 ", nonmanifold %" PRIu64 "\n", r->boundary_edges, r->nonmanifold_edges);
    fprintf(stream, "  faces    degenerate %" PRIu64 ", duplicate %" PRIu64 ", nonplanar %" PRIu64 "\n", r->degenerate_faces,
            r->duplicate_faces, r->nonplanar_faces);
    fprintf(stream, "  vertices duplicate %" PRIu64 "\n", r->duplicate_vertices);
    fputs("  bounds   ", stream);
    print_box(r->min, r->max, stream);
    if (about->loaded.note_count + about->problem_count == 0)
        fputs("  problems none\n", stream);
    for (size_t i = 0; i < about->loaded.note_count; i++)
        print_names("  problem  %\n", about->loaded.notes[i], NULL, stream);
    for (size_t i = 0; i < about->problem_count; i++)
        fprintf(stream, "  problem  %s\n", about->problems[i]);
}

// Methods that work through OpenGL, or those that do not.
static void print_methods(bool gl, FILE *stream)
{
    grz_method method;
    const char *before = ", methods ";
    for (size_t i = 0; grz_method_info(i, &method); i++)
        if (method.gl == gl) {
            fprintf(stream, "%s%s", before, method.name);
            before = ", ";
        }
    fputc('\n', stream);
}

// Why there is no renderer.
static void print_no_renderer(FILE *stream)
{
    grz_device_options wanted = grz_default_device_options();
    grz_device *device = NULL;
    grz_error error = {0};
    wanted.kind = GRZ_DEVICE_GL;
    if (grz_device_open(&wanted, &device, &error) != GRZ_OK)
        fprintf(stream, "gl: none: %s\n", error.message);
    grz_device_close(device);
}

void report_text_device(const grz_device *device, FILE *stream)
{
    fprintf(stream, "cpu: threads %u, %s", grz_device_threads(device), grz_device_simd_name(device));
    print_methods(false, stream);
    for (uint32_t i = 0; i < grz_renderer_count(); i++) {
        grz_renderer renderer;
        if (grz_renderer_info(i, &renderer, NULL) != GRZ_OK)
            continue;
        if (renderer.problem[0] != '\0') {
            fprintf(stream, "gl: %s cannot be used: %s\n", renderer.platform, renderer.problem);
            continue;
        }
        fprintf(stream, "gl: %s, %s, OpenGL %s, %s, %s", renderer.name, renderer.vendor, renderer.version,
                renderer.software ? "software" : "hardware", renderer.platform);
        print_methods(true, stream);
    }
    if (grz_renderer_count() == 0)
        print_no_renderer(stream);
}
