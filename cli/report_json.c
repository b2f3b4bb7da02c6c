// SPDX-License-Identifier: MIT
// Writes reports as JSON by jansson. The lists that may be huge, pairs and curves, are written straight from the result: as jansson
// values they would take some 150 bytes a pair. So the object is built in two halves, the members before the lists and
// those behind them, and both exist before the first byte is written. Doubles have 17 digits and always a dot or an exponent, so
// that readers that tell integers from reals keep -0.0.

#include "report_json.h"

#include "printable.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const relation_names[] = {[GRZ_APART] = "apart",
                                             [GRZ_COLLIDING] = "colliding",
                                             [GRZ_OVERLAPPING] = "overlapping",
                                             [GRZ_A_INSIDE_B] = "a_inside_b",
                                             [GRZ_B_INSIDE_A] = "b_inside_a"};

static const char *const certainty_names[] = {[GRZ_EXACT] = "exact", [GRZ_DISCRETE] = "discrete", [GRZ_UNDECIDED] = "undecided"};

static const char *const replacement = "\xEF\xBF\xBD"; // U+FFFD

// A JSON string of any bytes: what is not UTF-8 becomes U+FFFD, byte by byte. NULL text is null. Returns NULL without memory.
static json_t *make_text(const char *text)
{
    if (text == NULL)
        return json_null();
    size_t size = strlen(text);
    char *clean = malloc(size * 3 + 1);
    if (clean == NULL)
        return NULL;
    size_t used = 0;
    for (size_t i = 0; i < size;) {
        size_t length = printable_utf8_length(text + i);
        if (length == 0) {
            memcpy(clean + used, replacement, 3);
            used += 3;
            i++;
        } else {
            memcpy(clean + used, text + i, length);
            used += length;
            i += length;
        }
    }
    json_t *made = json_stringn(clean, used);
    free(clean);
    return made;
}

static json_t *make_count(uint64_t count)
{
    return json_integer((json_int_t)count);
}

static json_t *make_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

// A time or a size: three decimals are all that it is worth.
static json_t *make_measure(double value)
{
    return make_real(nearbyint(value * 1e3) / 1e3);
}

static bool put(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0; // also takes care of a NULL on either side
}

static json_t *make_point(const double p[3])
{
    return json_pack("[o,o,o]", make_real(p[0]), make_real(p[1]), make_real(p[2]));
}

static json_t *make_box(const double min[3], const double max[3])
{
    return json_pack("{s:o,s:o}", "min", make_point(min), "max", make_point(max));
}

static json_t *make_kinds(const uint64_t kinds[GRZ_KIND_COUNT])
{
    return json_pack("{s:o,s:o,s:o}", "crossing", make_count(kinds[GRZ_CROSSING]), "touching", make_count(kinds[GRZ_TOUCHING]),
                     "coplanar", make_count(kinds[GRZ_COPLANAR]));
}

static json_t *make_times(double load_ms, double total_ms, const grz_summary *summary)
{
    return json_pack("{s:o,s:o,s:o,s:o,s:o}", "load", make_measure(load_ms), "prepare", make_measure(summary->prepare_ms), "filter",
                     make_measure(summary->filter_ms), "decide", make_measure(summary->decide_ms), "total", make_measure(total_ms));
}

static json_t *make_meshes(const query *q)
{
    json_t *list = json_array();

    for (size_t i = 0; i < q->mesh_count; i++) {
        const grz_mesh_report *r = &q->meshes[i].report;
        json_t *mesh = json_pack("{s:o,s:o,s:o,s:o,s:b}", "file", make_text(q->meshes[i].file), "vertices", make_count(r->vertices),
                                 "faces", make_count(r->faces), "triangles", make_count(r->triangles), "closed", (int)r->closed);
        if (json_array_append_new(list, mesh) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *make_containment(grz_containment containment)
{
    switch (containment) {
    case GRZ_CONTAINMENT_DECIDED:
        return json_string("decided");
    case GRZ_CONTAINMENT_UNDECIDABLE:
        return json_string("undecidable");
    case GRZ_CONTAINMENT_NOT_ASKED:
        break;
    }
    return json_null();
}

// The members before the lists.
static json_t *make_head(const query *q, const grz_summary *summary)
{
    json_t *head = json_object();
    bool known = summary->certainty != GRZ_UNDECIDED;
    const char *reason = summary->reason;
    const bool lists = query_lists(q);

    if (reason == NULL && !q->listed)
        reason = "there are more pairs than can be listed";
    bool made = put(head, "command", json_string(q->given->command));
    made = made && put(head, "relation", known ? json_string(relation_names[summary->relation]) : json_null());
    made = made && put(head, "colliding", known ? json_boolean(summary->colliding) : json_null());
    made = made && put(head, "certainty", json_string(certainty_names[summary->certainty]));
    made = made && put(head, "containment", make_containment(summary->containment));
    made = made && put(head, "reason", make_text(reason));
    made = made && put(head, "method", make_text(summary->method));
    made = made && put(head, "device", make_text(summary->device));
    made = made && put(head, "pair_count", lists ? make_count(summary->pair_count) : json_null());
    made = made && put(head, "pairs_complete", json_boolean(lists && summary->pairs_complete));
    made = made && put(head, "kinds", lists ? make_kinds(summary->kinds) : json_null());
    if (made)
        return head;
    json_decref(head);
    return NULL;
}

// Columns, rows, slices.
static json_t *make_resolution(const grz_summary *summary)
{
    return json_pack("[I,I,I]", (json_int_t)summary->resolution, (json_int_t)summary->resolution, (json_int_t)summary->slices);
}

// The members behind the lists.
static json_t *make_tail(const query *q, const grz_summary *summary)
{
    json_t *tail = json_object();
    double min[3], max[3];
    const bool placed = query_region(q, min, max);

    bool made = put(tail, "region", placed ? make_box(min, max) : json_null());
    made = made && put(tail, "time_ms", make_times(q->load_ms, q->total_ms, summary));
    made = made && put(tail, "peak_memory_mb", make_measure(q->peak_memory_mb));
    made = made && put(tail, "meshes", make_meshes(q));
    if (summary->certainty == GRZ_DISCRETE) {
        made = made && put(tail, "may_miss", json_boolean(summary->may_miss));
        made = made && put(tail, "may_invent", json_boolean(summary->may_invent));
        made = made && put(tail, "resolution", make_resolution(summary)) && put(tail, "cells", make_count(summary->cells));
    }
    if (made)
        return tail;
    json_decref(tail);
    return NULL;
}

// One member a line. A write error shows in the stream, so jansson's word on it is not needed.
static void write_members(json_t *object, const char **lead, FILE *stream)
{
    const char *key;
    json_t *value;

    json_object_foreach(object, key, value)
    {
        fprintf(stream, "%s  \"%s\": ", *lead, key);
        json_dumpf(value, stream, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
        *lead = ",\n";
    }
}

static void write_real(double value, FILE *stream)
{
    char text[40];

    if (!isfinite(value)) {
        fputs("null", stream);
        return;
    }
    snprintf(text, sizeof text, "%.17g", value);
    fputs(text, stream);
    if (strpbrk(text, ".e") == NULL)
        fputs(".0", stream);
}

static void write_pairs(const grz_result *result, FILE *stream)
{
    uint64_t count;
    const grz_pair *pairs = grz_result_pairs(result, &count);

    fputc('[', stream);
    for (uint64_t i = 0; i < count; i++)
        fprintf(stream, "%s[%" PRIu32 ", %" PRIu32 "]", i == 0 ? "" : ", ", pairs[i].face_a, pairs[i].face_b);
    fputc(']', stream);
}

static void write_curves(const grz_result *result, FILE *stream)
{
    uint64_t count, point_count;
    const grz_curve *curves = grz_result_curves(result, &count);
    const double *points = grz_result_curve_points(result, &point_count);

    fputc('[', stream);
    for (uint64_t i = 0; i < count; i++) {
        fputs(i == 0 ? "[" : ", [", stream);
        for (uint64_t j = 0; j < curves[i].point_count; j++) {
            const double *p = points + (curves[i].first_point + j) * 3;
            for (int axis = 0; axis < 3; axis++) {
                fputs(axis > 0 ? ", " : j > 0 ? ", [" : "[", stream);
                write_real(p[axis], stream);
            }
            fputc(']', stream);
        }
        fputc(']', stream);
    }
    fputc(']', stream);
}

bool report_json_query(const query *q, FILE *stream)
{
    const grz_summary *summary = grz_result_summary(q->result);
    json_t *head = make_head(q, summary);
    json_t *tail = make_tail(q, summary);
    bool made = head != NULL && tail != NULL;

    if (made) {
        const char *lead = "{\n";
        write_members(head, &lead, stream);
        fputs(",\n  \"pairs\": ", stream);
        if (query_lists(q) && (q->given->flags & OPTION_PAIRS) != 0)
            write_pairs(q->result, stream);
        else
            fputs("null", stream);
        fputs(",\n  \"curves\": ", stream);
        if (query_lists(q) && (q->given->flags & OPTION_CURVES) != 0)
            write_curves(q->result, stream);
        else
            fputs("null", stream);
        write_members(tail, &lead, stream);
        fputs("\n}\n", stream);
    }
    json_decref(head);
    json_decref(tail);
    return made;
}

// What a scene's report says of the whole.
static json_t *make_scene_head(const scene_run *run, const grz_summary *summary)
{
    json_t *head = json_object();
    const char *reason = summary->reason;

    if (reason == NULL && !run->counted)
        reason = "there are more pairs of faces than can be listed";
    bool made = put(head, "command", json_string(run->given->command));
    made = made && put(head, "relation", json_string(relation_names[summary->relation]));
    made = made && put(head, "colliding", json_boolean(summary->colliding));
    made = made && put(head, "certainty", json_string(certainty_names[summary->certainty]));
    made = made && put(head, "containment", make_containment(summary->containment));
    made = made && put(head, "reason", make_text(reason));
    made = made && put(head, "method", make_text(summary->method));
    made = made && put(head, "device", make_text(run->summary.device));
    made = made && put(head, "pair_count", run->counted ? make_count(summary->pair_count) : json_null());
    made = made && put(head, "kinds", run->counted ? make_kinds(summary->kinds) : json_null());
    made = made && put(head, "time_ms", make_times(run->load_ms, run->total_ms, summary));
    made = made && put(head, "peak_memory_mb", make_measure(run->peak_memory_mb));
    made = made && put(head, "mesh_count", make_count(run->objects.mesh_count));
    if (made)
        return head;
    json_decref(head);
    return NULL;
}

static json_t *make_names(const scene_objects *objects)
{
    json_t *list = json_array();
    bool made = list != NULL;

    for (size_t i = 0; made && i < objects->count; i++)
        made = json_array_append_new(list, make_text(objects->names[i])) == 0;
    if (made)
        return list;
    json_decref(list);
    return NULL;
}

// A list, one element a line: `lead` stands before the next element.
static const char *const first_element = "\n    ", *const next_element = ",\n    ";

static void begin_list(const char *key, FILE *stream)
{
    fprintf(stream, ",\n  \"%s\": [", key);
}

static void end_list(const char *lead, FILE *stream)
{
    fputs(lead == first_element ? "]" : "\n  ]", stream);
}

static void write_names(const json_t *names, FILE *stream)
{
    const char *lead = first_element;
    size_t i;
    json_t *name;

    begin_list("objects", stream);
    json_array_foreach(names, i, name)
    {
        fputs(lead, stream);
        json_dumpf(name, stream, JSON_ENCODE_ANY);
        lead = next_element;
    }
    end_list(lead, stream);
}

// The pairs of objects that touch, or of which one holds the other.
static void write_scene_pairs(const scene_run *run, FILE *stream)
{
    const grz_scene_pair *pairs = run->pairs;
    const char *lead = first_element;

    begin_list("pairs", stream);
    for (size_t i = 0; i < run->pair_count; i++) {
        const grz_scene_pair *p = &pairs[i];
        if (p->relation == GRZ_APART)
            continue;
        fprintf(stream, "%s{\"a\": %" PRIu32 ", \"b\": %" PRIu32 ", \"relation\": \"%s\", ", lead, p->a, p->b,
                relation_names[p->relation]);
        if (run->counted)
            fprintf(stream,
                    "\"pair_count\": %" PRIu64 ", \"kinds\": {\"crossing\": %" PRIu64 ", \"touching\": %" PRIu64
                    ", \"coplanar\": %" PRIu64 "}}",
                    p->pair_count, p->kinds[GRZ_CROSSING], p->kinds[GRZ_TOUCHING], p->kinds[GRZ_COPLANAR]);
        else
            fputs("\"pair_count\": null, \"kinds\": null}", stream);
        lead = next_element;
    }
    end_list(lead, stream);
}

// The pairs of objects of which it cannot be told whether one holds the other. The reason is the library's, plain text.
static void write_undecidable(const scene_run *run, FILE *stream)
{
    const grz_scene_pair *pairs = run->pairs;
    const char *lead = first_element;

    begin_list("undecidable", stream);
    for (size_t i = 0; i < run->pair_count; i++) {
        if (pairs[i].containment != GRZ_CONTAINMENT_UNDECIDABLE)
            continue;
        fprintf(stream, "%s{\"a\": %" PRIu32 ", \"b\": %" PRIu32 ", \"reason\": \"%s\"}", lead, pairs[i].a, pairs[i].b,
                pairs[i].reason != NULL ? pairs[i].reason : "");
        lead = next_element;
    }
    end_list(lead, stream);
}

bool report_json_scene(const scene_run *run, FILE *stream)
{
    json_t *head = make_scene_head(run, &run->summary);
    json_t *names = make_names(&run->objects);
    bool made = head != NULL && names != NULL;

    if (made) {
        const char *lead = "{\n";
        write_members(head, &lead, stream);
        write_names(names, stream);
        write_scene_pairs(run, stream);
        write_undecidable(run, stream);
        fputs("\n}\n", stream);
    }
    json_decref(head);
    json_decref(names);
    return made;
}

static bool write_object(json_t *object, FILE *stream)
{
    const char *lead = "{\n";

    write_members(object, &lead, stream);
    fputs("\n}\n", stream);
    json_decref(object);
    return true;
}

static json_t *make_problems(const info *about)
{
    json_t *list = json_array();
    bool made = list != NULL;

    for (size_t i = 0; made && i < about->loaded.note_count; i++)
        made = json_array_append_new(list, make_text(about->loaded.notes[i])) == 0;
    for (size_t i = 0; made && i < about->problem_count; i++)
        made = json_array_append_new(list, make_text(about->problems[i])) == 0;
    if (made)
        return list;
    json_decref(list);
    return NULL;
}

bool report_json_info(const info *about, FILE *stream)
{
    const grz_mesh_report *r = &about->loaded.report;
    json_t *object = json_object();

    bool made = put(object, "command", json_string("info")) && put(object, "file", make_text(about->loaded.file));
    made = made && put(object, "vertices", make_count(r->vertices)) && put(object, "faces", make_count(r->faces));
    made = made && put(object, "triangles", make_count(r->triangles)) && put(object, "components", make_count(r->components));
    made = made && put(object, "closed", json_boolean(r->closed)) && put(object, "manifold", json_boolean(r->manifold));
    made = made && put(object, "oriented", json_boolean(r->oriented));
    made = made && put(object, "boundary_edges", make_count(r->boundary_edges));
    made = made && put(object, "nonmanifold_edges", make_count(r->nonmanifold_edges));
    made = made && put(object, "degenerate_faces", make_count(r->degenerate_faces));
    made = made && put(object, "duplicate_faces", make_count(r->duplicate_faces));
    made = made && put(object, "duplicate_vertices", make_count(r->duplicate_vertices));
    made = made && put(object, "nonplanar_faces", make_count(r->nonplanar_faces));
    made = made && put(object, "bounds", make_box(r->min, r->max)) && put(object, "problems", make_problems(about));
    if (made)
        return write_object(object, stream);
    json_decref(object);
    return false;
}

// What OpenGL calls itself where it can be used, null and why not where it cannot.
// Names of the methods that work through OpenGL, or of those that do not. NULL where memory is short.
static json_t *make_methods(bool gl)
{
    grz_method method;
    json_t *names = json_array();
    bool made = names != NULL;
    for (size_t i = 0; made && grz_method_info(i, &method); i++)
        made = method.gl != gl || json_array_append_new(names, json_string(method.name)) == 0;
    if (!made) {
        json_decref(names);
        return NULL;
    }
    return names;
}

static bool append_renderer(json_t *list, uint32_t index)
{
    grz_renderer renderer;
    if (grz_renderer_info(index, &renderer, NULL) != GRZ_OK)
        return true; // it has gone since it was counted
    const bool usable = renderer.problem[0] == '\0';
    json_t *entry = json_object();
    bool made = entry != NULL && put(entry, "name", json_string("gl")) && put(entry, "index", make_count(index));
    made = made && put(entry, "vendor", make_text(usable ? renderer.vendor : NULL));
    made = made && put(entry, "renderer", make_text(usable ? renderer.name : NULL));
    made = made && put(entry, "version", make_text(usable ? renderer.version : NULL));
    made = made && put(entry, "platform", make_text(renderer.platform)) && put(entry, "software", json_boolean(renderer.software));
    made = made && put(entry, "problem", make_text(usable ? NULL : renderer.problem)) && put(entry, "methods", make_methods(true));
    if (!made) {
        json_decref(entry);
        return false;
    }
    return json_array_append_new(list, entry) == 0;
}

bool report_json_device(const grz_device *device, FILE *stream)
{
    json_t *methods = make_methods(false);
    bool made = methods != NULL;

    if (!made)
        return false;
    json_t *list = json_pack("[{s:s,s:i,s:s,s:o}]", "name", "cpu", "threads", (int)grz_device_threads(device), "simd",
                             grz_device_simd_name(device), "methods", methods);
    for (uint32_t i = 0; list != NULL && made && i < grz_renderer_count(); i++)
        made = append_renderer(list, i);
    if (list == NULL || !made) {
        json_decref(list);
        return false;
    }
    json_t *object = json_pack("{s:s,s:o}", "command", "devices", "devices", list); // takes the list, also where it fails
    return object != NULL && write_object(object, stream);
}
