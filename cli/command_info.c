// SPDX-License-Identifier: MIT
// graze info A: what is in a file and what is wrong with it. The library counts; here the counts become sentences. A problem is
// what may surprise somebody who asks whether meshes touch: a hole, a face twice, data that no face uses. A triangle soup's
// repeated vertices are none, since its format has no other way to say that faces join.

#include "commands.h"
#include "info.h"
#include "load.h"
#include "output.h"
#include "progress.h"
#include "report_json.h"
#include "report_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void add(info *about, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(info *about, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(about->problems[about->problem_count], INFO_PROBLEM_SIZE, format, arguments);
    va_end(arguments);
    about->problem_count++;
}

// "3 faces are flat, the first is face 7"; the first is left out where it is not known.
static void add_count(info *about, uint64_t count, const char *one, const char *many, const char *element, uint64_t first)
{
    if (count == 0)
        return;
    if (first == GRZ_NO_ELEMENT)
        add(about, "%" PRIu64 " %s", count, count == 1 ? one : many);
    else if (count == 1)
        add(about, "1 %s: %s %" PRIu64, one, element, first);
    else
        add(about, "%" PRIu64 " %s, the first is %s %" PRIu64, count, many, element, first);
}

static void find_problems(info *about)
{
    const grz_mesh_report *r = &about->loaded.report;

    add_count(about, r->degenerate_faces, "face has a triangle without area", "faces have a triangle without area", "face",
              r->first_degenerate_face);
    add_count(about, r->duplicate_faces, "face repeats an earlier one", "faces repeat an earlier one", "face",
              r->first_duplicate_face);
    add_count(about, r->nonsimple_faces, "polygon crosses itself and was fanned from its first corner",
              "polygons cross themselves and were fanned from their first corner", "face", r->first_nonsimple_face);
    add_count(about, r->nonplanar_faces, "polygon is not flat and was cut into triangles",
              "polygons are not flat and were cut into triangles", "face", r->first_nonplanar_face);
    if (!about->loaded.soup)
        add_count(about, r->duplicate_vertices, "vertex is at the place of an earlier one",
                  "vertices are at the place of an earlier one", "vertex", r->first_duplicate_vertex);
    add_count(about, r->unused_vertices, "vertex is used by no face", "vertices are used by no face", "vertex",
              r->first_unused_vertex);
    add_count(about, r->boundary_edges, r->closed ? "boundary edge" : "boundary edge: the mesh is open",
              r->closed ? "boundary edges" : "boundary edges: the mesh is open", "edge", GRZ_NO_ELEMENT);
    add_count(about, r->nonmanifold_edges, "edge joins more than two faces", "edges join more than two faces", "edge",
              GRZ_NO_ELEMENT);
    if (!r->closed && r->boundary_edges == 0)
        add(about, "an edge joins an odd number of faces: the mesh is open");
    if (!r->manifold && r->nonmanifold_edges == 0)
        add(about, "faces meet in a vertex without joining around it: the mesh is not manifold");
    if (!r->oriented)
        add(about, "neighbouring faces are wound in opposite directions");
}

static bool load_info(const options *given, info *about, char message[LOAD_MESSAGE_SIZE])
{
    progress *bar = progress_begin();

    progress_phase(bar, "reading", given->files[0]);
    bool loaded = load_mesh(about->device, given->files[0], &about->loaded, message);
    if (loaded) {
        progress_phase(bar, "examining", given->files[0]);
        loaded = load_check(&about->loaded, message);
    }
    progress_end(bar);
    return loaded;
}

int command_info(const options *given)
{
    info about = {0};
    grz_error error = {0};
    char message[LOAD_MESSAGE_SIZE];
    int status = STATUS_TROUBLE;

    grz_device_options device_options = grz_default_device_options();
    device_options.threads = given->threads;
    if (grz_device_open(&device_options, &about.device, &error) != GRZ_OK) {
        complain(given->command, "%s", error.message);
        goto done;
    }
    if (!load_info(given, &about, message)) {
        complain(given->command, "%s", message);
        goto done;
    }
    find_problems(&about);
    if ((given->flags & OPTION_QUIET) != 0) {
        status = STATUS_APART;
        goto done;
    }
    if ((given->flags & OPTION_JSON) == 0) {
        report_text_info(&about, stdout);
    } else if (!report_json_info(&about, stdout)) {
        complain(given->command, "out of memory for the report");
        goto done;
    }
    status = output_finish(given->command) ? STATUS_APART : STATUS_TROUBLE;

done:
    load_finish(&about.loaded);
    grz_device_close(about.device);
    return status;
}
