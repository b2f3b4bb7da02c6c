// SPDX-License-Identifier: MIT
// The frame around a query. The meshes are examined after the query, since only the report needs to know whether they
// are closed. With --quiet neither the examination nor any list is asked for, so the library may stop at the first
// contact.

#include "answers/query.h"

#include "verdicts/clearance.h"
#include "command.h"
#include "output.h"
#include "picture.h"

// The bar must be gone before anything else goes to the terminal.
static void end_bar(query *q)
{
    progress_end(q->bar);
    q->bar = NULL;
}

grz_device_kind query_device_kind(const options *given)
{
    return given->device == GRZ_DEVICE_CPU && given->picture != NULL ? GRZ_DEVICE_AUTO : given->device;
}

bool query_open(query *q, const options *given)
{
    char message[LOAD_MESSAGE_SIZE];
    grz_error error = {0};

    *q = (query){.given = given, .listed = true, .measured = measure_begin()};
    if (!picture_claim(given))
        return false;
    q->bar = progress_begin();

    grz_device_options device_options = grz_default_device_options();
    device_options.threads = given->threads;
    device_options.kind = query_device_kind(given);
    if (grz_device_open(&device_options, &q->device, &error) != GRZ_OK ||
        grz_result_create(q->device, &q->result, &error) != GRZ_OK) {
        end_bar(q);
        complain(given->command, "%s", error.message);
        return false;
    }
    progress_phase(q->bar, "reading", given->file_count == 1 ? given->files[0] : NULL);
    const load_wish wish = {.format = given->format, .unit = given->unit};
    if (!load_meshes(q->device, given->files, given->file_count, &wish, q->bar, q->meshes, message) ||
        (given->file_count == 2 && !facts_agree(&q->meshes[0].facts, &q->meshes[1].facts, message, sizeof message))) {
        end_bar(q);
        complain(given->command, "%s", message);
        return false;
    }
    for (; q->mesh_count < given->file_count; q->mesh_count++) {
        q->objects[q->mesh_count] = grz_object_at_origin(q->meshes[q->mesh_count].mesh);
        q->objects[q->mesh_count].pose = given->poses[q->mesh_count];
    }
    measure_loaded(&q->measured);
    progress_phase(q->bar, "testing", NULL);
    return true;
}

grz_collide_options query_common_options(const options *given, progress *bar)
{
    grz_collide_options wanted = grz_default_collide_options();

    wanted.method = given->method;
    wanted.answer = given->answer;
    wanted.method_options = given->method_options.method != NULL ? &given->method_options : NULL;
    wanted.find = GRZ_FIND_CONTAINMENT;
    wanted.inside_rule = given->rule;
    wanted.times = true;
    clearance_ask(given, &wanted);
    if (given->max_pairs > 0)
        wanted.max_pairs = given->max_pairs;
    if (bar != NULL) {
        wanted.limits.progress = progress_share;
        wanted.limits.progress_user = bar;
    }
    return wanted;
}

grz_collide_options query_collide_options(const query *q)
{
    const uint64_t flags = q->given->flags;
    grz_collide_options wanted = query_common_options(q->given, q->bar);

    if ((flags & OPTION_QUIET) == 0) {
        wanted.find |= GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS;
        if ((flags & OPTION_CURVES) != 0)
            wanted.find |= GRZ_FIND_CURVES;
    }
    if (q->given->picture != NULL)
        wanted.find |= GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES;
    return wanted;
}

// Complain of a query that failed. The library speaks of A and B: if one of them is at fault, say which files those
// are.
static void complain_of_query(const query *q, grz_status status, const grz_error *error)
{
    if (status != GRZ_ERROR_POSE)
        complain(q->given->command, "%s", error->message);
    else if (q->mesh_count == 1)
        complain(q->given->command, "%s: %s", q->meshes[0].file, error->message);
    else
        complain(q->given->command, "%s; A is %s, B is %s", error->message, q->meshes[0].file, q->meshes[1].file);
}

void query_complain(query *q, const char *message)
{
    end_bar(q);
    complain(q->given->command, "%s", message);
}

int query_allowance_status(allowance worst)
{
    static const int statuses[ALLOWANCE_COUNT] = {
        [ALLOWANCE_FINE] = STATUS_APART, [ALLOWANCE_UNKNOWN] = STATUS_UNDECIDED, [ALLOWANCE_REFUSED] = STATUS_TOUCHES};
    return statuses[worst];
}

int query_exit_status(const options *given, const grz_summary *summary, const overlap_facts *overlap)
{
    const overlap_verdict judged = overlap != NULL ? overlap_judge(given, overlap) : OVERLAP_NOT_JUDGED;
    const bool strict = (given->flags & OPTION_STRICT) != 0;

    if (judged != OVERLAP_NOT_JUDGED && (given->flags & OPTION_CLEARANCE) == 0 && !strict)
        return overlap_status(judged);
    if (summary->certainty == GRZ_UNDECIDED)
        return STATUS_UNDECIDED;
    if (strict && summary->containment == GRZ_CONTAINMENT_UNDECIDABLE)
        return STATUS_UNDECIDED;
    if ((given->flags & OPTION_CLEARANCE) != 0) {
        clearance_facts facts = clearance_of_summary(given, summary, true);
        clearance_excuse(&facts, overlap_is_excused(given, overlap, facts.solids));
        if (strict && summary->solids == GRZ_SOLIDS_UNDECIDABLE)
            return STATUS_UNDECIDED;
        return overlap_worse_status(clearance_status(clearance_judge(given, &facts)), overlap_status(judged));
    }
    if (judged != OVERLAP_NOT_JUDGED)
        return overlap_status(judged);
    if ((given->flags & OPTION_ALLOW_TOUCHING) != 0) {
        if (strict && (summary->solids == GRZ_SOLIDS_UNDECIDABLE || summary->solids == GRZ_SOLIDS_NOT_ASKED))
            return STATUS_UNDECIDED;
        return query_allowance_status(allowance_of(summary->relation, summary->containment, summary->solids));
    }
    return summary->colliding ? STATUS_TOUCHES : STATUS_APART;
}

// Find what the report tells of the meshes: whether they are closed and, if the text says why `inside` cannot be
// decided, by how much they are not.
static bool examine(query *q, const grz_summary *summary, char message[LOAD_MESSAGE_SIZE])
{
    const bool json = (q->given->flags & OPTION_JSON) != 0;

    if (!load_counts(q->device, q->meshes, q->mesh_count, message))
        return false;
    for (size_t i = 0; i < q->mesh_count; i++) {
        if (json || summary->certainty == GRZ_DISCRETE || summary->containment != GRZ_CONTAINMENT_UNDECIDABLE ||
            q->meshes[i].report.closed)
            continue;
        if (!load_check(&q->meshes[i], message))
            return false;
    }
    return true;
}

static bool draw(query *q)
{
    grz_error error = {0};
    const char *names[MAX_MESHES] = {NULL};

    for (size_t i = 0; i < q->mesh_count; i++)
        names[i] = q->meshes[i].file;
    progress_phase(q->bar, "drawing", NULL);
    if (picture_write(q->given, q->device, q->objects, q->mesh_count, names, q->result, &error))
        return true;
    end_bar(q);
    complain(q->given->command, "--picture %s: %s", q->given->picture, error.message);
    return false;
}

bool query_conclude(query *q, grz_status status, const grz_error *error)
{
    char message[LOAD_MESSAGE_SIZE];

    q->listed = status == GRZ_OK;
    if (status != GRZ_OK && status != GRZ_ERROR_LIMIT) {
        end_bar(q);
        complain_of_query(q, status, error);
        return false;
    }
    if (q->given->picture != NULL && !draw(q))
        return false;
    if ((q->given->flags & OPTION_QUIET) == 0) {
        progress_phase(q->bar, "examining", q->mesh_count == 1 ? q->meshes[0].file : NULL);
        if (!examine(q, grz_result_summary(q->result), message)) {
            end_bar(q);
            complain(q->given->command, "%s", message);
            return false;
        }
    }
    end_bar(q);
    measure_end(&q->measured);
    return true;
}

bool query_measured(query *q, grz_status status, const grz_error *error)
{
    char message[LOAD_MESSAGE_SIZE];
    const bool counted = status != GRZ_OK || load_counts(q->device, q->meshes, q->mesh_count, message);
    end_bar(q);
    if (status != GRZ_OK)
        complain_of_query(q, status, error);
    else if (!counted)
        complain(q->given->command, "%s", message);
    measure_end(&q->measured);
    return status == GRZ_OK && counted;
}

bool query_find_rules(query *q)
{
    const bool chosen = q->given->rule == GRZ_INSIDE_AUTO;
    grz_error error = {0};

    if ((q->given->flags & OPTION_QUIET) != 0)
        return true;
    for (size_t i = 0; i < q->mesh_count; i++) {
        const grz_mesh *mesh = q->meshes[i].mesh;
        grz_mesh_report found = {.balanced = true};
        grz_status status = GRZ_OK;
        q->rules[i] = q->given->rule;
        if (chosen)
            status = grz_mesh_inside_rule(mesh, &q->rules[i], &error);
        if (status == GRZ_OK && chosen && q->rules[i] == GRZ_EVEN_ODD)
            status = grz_mesh_check(mesh, &found, &error);
        if (status != GRZ_OK) {
            query_complain(q, error.message);
            return false;
        }
        q->balanced[i] = found.balanced;
    }
    q->ruled = true;
    return true;
}

void query_close(query *q)
{
    end_bar(q);
    picture_give_up();
    overlap_finish(&q->overlap);
    grz_result_destroy(q->result);
    for (size_t i = 0; i < MAX_MESHES; i++)
        load_finish(&q->meshes[i]);
    grz_device_close(q->device);
    *q = (query){0};
}
