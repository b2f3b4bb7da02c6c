// SPDX-License-Identifier: MIT
// graze info A: what is in a file and what is wrong with it. The library counts; here the counts become sentences. A
// problem is what may surprise somebody who asks whether meshes touch: a hole, a face given twice, data that no face
// uses. The repeated vertices of a triangle soup (STL) are not a problem, since its format has no other way to say that
// faces join.

#include "answers/describe_files.h"
#include "answers/describe_summary.h"
#include "assembly/split.h"
#include "command.h"
#include "deliver.h"
#include "examine.h"

#include <inttypes.h>
#include <stdio.h>

static const char *yes_no(bool value)
{
    return value ? "yes" : "no";
}

// The problems found so far: a list for programs, and lines for people.
typedef struct problem_list {
    report *to;
    report_value *list;
} problem_list;

static void add(const problem_list *problems, const char *text)
{
    report_put_text(problems->to, problems->list, NULL, text);
    report_line(problems->to, problems->to->lines, LINE_FACT, "problem", "%s", text);
}

// "3 faces are flat, the first is face 7"; without the first if it is not known.
static void add_count(const problem_list *problems, uint64_t count, const char *one, const char *many,
                      const char *element, uint64_t first)
{
    report *r = problems->to;

    if (count == 0)
        return;
    if (first == GRZ_NO_ELEMENT)
        add(problems, describe_count(r, count, one, many));
    else if (count == 1)
        add(problems, report_format(r, "1 %s: %s %" PRIu64, one, element, first));
    else
        add(problems, report_format(r, "%" PRIu64 " %s, the first is %s %" PRIu64, count, many, element, first));
}

static void add_problems(const problem_list *problems, const loaded_mesh *loaded)
{
    const grz_mesh_report *m = &loaded->report;

    for (size_t i = 0; i < loaded->facts.note_count; i++)
        add(problems, loaded->facts.notes[i]);
    add_count(problems, m->degenerate_faces, "face has a triangle without area", "faces have a triangle without area",
              "face", m->first_degenerate_face);
    add_count(problems, m->duplicate_faces, "face repeats an earlier one", "faces repeat an earlier one", "face",
              m->first_duplicate_face);
    add_count(problems, m->nonsimple_faces, "polygon crosses itself and was fanned from its first corner",
              "polygons cross themselves and were fanned from their first corner", "face", m->first_nonsimple_face);
    add_count(problems, m->nonplanar_faces, "polygon is not flat and was cut into triangles",
              "polygons are not flat and were cut into triangles", "face", m->first_nonplanar_face);
    if (!loaded->soup)
        add_count(problems, m->duplicate_vertices, "vertex is at the place of an earlier one",
                  "vertices are at the place of an earlier one", "vertex", m->first_duplicate_vertex);
    add_count(problems, m->unused_vertices, "vertex is used by no face", "vertices are used by no face", "vertex",
              m->first_unused_vertex);
    add_count(problems, m->boundary_edges, m->closed ? "boundary edge" : "boundary edge: the mesh is open",
              m->closed ? "boundary edges" : "boundary edges: the mesh is open", "edge", GRZ_NO_ELEMENT);
    add_count(problems, m->nonmanifold_edges, "edge joins more than two faces", "edges join more than two faces",
              "edge", GRZ_NO_ELEMENT);
    if (!m->closed && m->boundary_edges == 0)
        add(problems, "an edge joins an odd number of faces: the mesh is open");
    if (!m->manifold && m->nonmanifold_edges == 0)
        add(problems, "faces meet in a vertex without joining around it: the mesh is not manifold");
    if (!m->oriented)
        add(problems, "neighbouring faces are wound in opposite directions");
    if (m->closed && m->oriented && !m->balanced)
        add(problems, "faces run through an edge more often in one direction than in the other: the nonzero rule needs "
                      "both alike");
}

static void describe_for_people(const options *given, const loaded_mesh *loaded, uint32_t shells, report *r)
{
    const grz_mesh_report *m = &loaded->report;

    report_verdict(r, TONE_PLAIN, "%s: %s, %s, %s, %s", loaded->file,
                   describe_count(r, m->vertices, "vertex", "vertices"), describe_count(r, m->faces, "face", "faces"),
                   describe_count(r, m->triangles, "triangle", "triangles"),
                   describe_count(r, m->components, "component", "components"));
    report_line(r, r->lines, LINE_FACT, "surface", "closed %s, manifold %s, oriented %s", yes_no(m->closed),
                yes_no(m->manifold), yes_no(m->oriented));
    report_line(r, r->lines, LINE_FACT, "balanced", "%s", yes_no(m->balanced));
    report_line(r, r->lines, LINE_FACT, "shells", "%" PRIu32 "%s", shells,
                shells > 1 ? ": graze scene --split tests them against each other" : "");
    report_line(r, r->lines, LINE_FACT, "edges", "boundary %" PRIu64 ", nonmanifold %" PRIu64, m->boundary_edges,
                m->nonmanifold_edges);
    report_line(r, r->lines, LINE_FACT, "faces", "degenerate %" PRIu64 ", duplicate %" PRIu64 ", nonplanar %" PRIu64,
                m->degenerate_faces, m->duplicate_faces, m->nonplanar_faces);
    report_line(r, r->lines, LINE_FACT, "vertices", "duplicate %" PRIu64, m->duplicate_vertices);
    describe_box(r, "bounds", m->min, m->max);
    const char *unit = describe_unit(r, given, &loaded->facts), *up = describe_up(&loaded->facts);
    if (unit != NULL)
        report_line(r, r->lines, LINE_FACT, "unit", "%s", unit);
    if (up != NULL)
        report_line(r, r->lines, LINE_FACT, "up", "%s", up);
}

static void describe_for_programs(const loaded_mesh *loaded, uint32_t shells, report *r)
{
    const grz_mesh_report *m = &loaded->report;

    report_put_name(r, r->members, "file", "file_bytes", loaded->file);
    report_put_count(r, r->members, "vertices", m->vertices);
    report_put_count(r, r->members, "faces", m->faces);
    report_put_count(r, r->members, "triangles", m->triangles);
    report_put_count(r, r->members, "components", m->components);
    report_put_count(r, r->members, "shells", shells);
    report_put_bool(r, r->members, "closed", m->closed);
    report_put_bool(r, r->members, "manifold", m->manifold);
    report_put_bool(r, r->members, "oriented", m->oriented);
    report_put_bool(r, r->members, "balanced", m->balanced);
    report_put_count(r, r->members, "boundary_edges", m->boundary_edges);
    report_put_count(r, r->members, "nonmanifold_edges", m->nonmanifold_edges);
    report_put_count(r, r->members, "degenerate_faces", m->degenerate_faces);
    report_put_count(r, r->members, "duplicate_faces", m->duplicate_faces);
    report_put_count(r, r->members, "duplicate_vertices", m->duplicate_vertices);
    report_put_count(r, r->members, "nonplanar_faces", m->nonplanar_faces);
    put_box(r, "bounds", m->min, m->max);
    put_units(r, r->members, &loaded->facts);
}

static int answer(const options *given, const loaded_mesh *loaded, const void *found)
{
    const uint32_t *shells = found;
    report r = report_begin(given->command);

    describe_for_people(given, loaded, *shells, &r);
    describe_for_programs(loaded, *shells, &r);
    const problem_list problems = {&r, report_put_list(&r, r.members, "problems")};
    add_problems(&problems, loaded);
    if (problems.list != NULL && problems.list->as.items.first == NULL)
        report_line(&r, r.lines, LINE_FACT, "problems", "none");
    const int status = deliver(&r, given, STATUS_APART);
    report_finish(&r);
    return status;
}

static bool check(loaded_mesh *loaded, void *found, char message[LOAD_MESSAGE_SIZE])
{
    uint32_t *shells = found; // all else is in the mesh's own report
    grz_error error = {0};

    if (!load_check(loaded, message))
        return false;
    if (split_count(loaded->mesh, shells, &error))
        return true;
    snprintf(message, LOAD_MESSAGE_SIZE, "%s: %s", loaded->file, error.message);
    return false;
}

static int run(const options *given)
{
    uint32_t shells = 0;
    return examine_file(given, "examining", check, answer, &shells);
}

const command command_info = {
    .name = "info",
    .files = "A",
    .least_files = 1,
    .most_files = 1,
    .takes = OPTIONS_REPORT | OPTIONS_FILES | OPTIONS_MACHINE,
    .run = run,
    .summary = "what is in the file, what is wrong",
    .about = "Counts vertices, faces, components, shells and edges, and says whether the mesh is closed, manifold,\n"
             "oriented and balanced, which the nonzero rule needs. Lists what may surprise: holes, faces without\n"
             "area, faces given twice, polygons that are not flat, unused vertices, and what the file holds that\n"
             "is not a face. For edges and components, vertices at equal positions count as one. Components hang\n"
             "together by corners, shells by edges: they are what --split of `graze scene` makes.\n"
             "\n"
             "--device and --threads are accepted so that scripts can pass them, and change nothing: one core of\n"
             "the CPU counts.\n",
    .statuses = "  0  the file could be read, whatever was found in it\n"
                "  2  trouble: wrong usage, an unreadable file, a bad mesh\n",
    .examples = "  graze info part.stl\n"
                "  graze info --json part.stl\n",
};
