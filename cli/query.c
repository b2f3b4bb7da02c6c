// SPDX-License-Identifier: MIT
// The frame around a query. The meshes are examined after the query, since only the report needs to know whether they are closed;
// with --quiet neither the examination nor any list is asked for, so the library may stop at the first contact.

#define _POSIX_C_SOURCE 200809L

#include "query.h"

#include "commands.h"
#include "output.h"
#include "picture.h"
#include "report_json.h"
#include "report_text.h"

#include <string.h>
#include <sys/resource.h>
#include <time.h>

double query_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

double query_peak_memory_mb(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0)
        return 0;
    return (double)usage.ru_maxrss / 1024.0; // Linux counts in KiB
}

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

    *q = (query){.given = given, .listed = true, .start_ms = query_now_ms()};
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
    if (!load_meshes(q->device, given->files, given->file_count, q->meshes, message)) {
        end_bar(q);
        complain(given->command, "%s", message);
        return false;
    }
    for (; q->mesh_count < given->file_count; q->mesh_count++) {
        q->objects[q->mesh_count] = grz_object_at_origin(q->meshes[q->mesh_count].mesh);
        q->objects[q->mesh_count].pose = given->poses[q->mesh_count];
    }
    q->load_ms = query_now_ms() - q->start_ms;
    progress_phase(q->bar, "testing", NULL);
    return true;
}

grz_collide_options query_common_options(const options *given, progress *bar)
{
    grz_collide_options wanted = grz_default_collide_options();

    wanted.method = given->method;
    wanted.answer = given->answer;
    wanted.slices = given->slices.size > 0 ? &given->slices : NULL;
    wanted.find = GRZ_FIND_CONTAINMENT;
    if (given->max_pairs > 0)
        wanted.max_pairs = given->max_pairs;
    if (bar != NULL) {
        wanted.progress = progress_share;
        wanted.progress_user = bar;
    }
    return wanted;
}

grz_collide_options query_collide_options(const query *q)
{
    uint32_t flags = q->given->flags;
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

// Say what went wrong. The library speaks of A and B: where one of them is at fault, say which files those are.
static void complain_of_query(const query *q, grz_status status, const grz_error *error)
{
    if (status != GRZ_ERROR_POSE)
        complain(q->given->command, "%s", error->message);
    else if (q->mesh_count == 1)
        complain(q->given->command, "%s: %s", q->meshes[0].file, error->message);
    else
        complain(q->given->command, "%s; A is %s, B is %s", error->message, q->meshes[0].file, q->meshes[1].file);
}

bool query_lists(const query *q)
{
    const grz_summary *summary = grz_result_summary(q->result);

    return q->listed && (summary->certainty != GRZ_DISCRETE || !summary->may_invent);
}

// Of a discrete answer, around its collision volumes.
bool query_region(const query *q, double min[3], double max[3])
{
    const grz_summary *summary = grz_result_summary(q->result);
    uint64_t count;
    const grz_volume *volumes = grz_result_volumes(q->result, &count);

    for (int axis = 0; axis < 3; axis++) {
        min[axis] = summary->region_min[axis];
        max[axis] = summary->region_max[axis];
        for (uint64_t i = 0; i < count; i++) {
            double low = volumes[i].corner[axis], high = low;
            for (int edge = 0; edge < 3; edge++) {
                low += volumes[i].edge[edge][axis] < 0 ? volumes[i].edge[edge][axis] : 0;
                high += volumes[i].edge[edge][axis] > 0 ? volumes[i].edge[edge][axis] : 0;
            }
            min[axis] = i == 0 || low < min[axis] ? low : min[axis];
            max[axis] = i == 0 || high > max[axis] ? high : max[axis];
        }
    }
    return count > 0 || (q->listed && summary->has_region);
}

int query_exit_status(const options *given, const grz_summary *summary)
{
    if (summary->certainty == GRZ_UNDECIDED)
        return STATUS_UNDECIDED;
    if ((given->flags & OPTION_STRICT) != 0 && summary->containment == GRZ_CONTAINMENT_UNDECIDABLE)
        return STATUS_UNDECIDED;
    return summary->colliding ? STATUS_TOUCHES : STATUS_APART;
}

// Find what the report tells of the meshes: whether they are closed and, where the text says why inside cannot be told, by how much
// they are not.
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

int query_report(query *q, grz_status status, const grz_error *error)
{
    char message[LOAD_MESSAGE_SIZE];
    const grz_summary *summary = grz_result_summary(q->result);

    q->listed = status == GRZ_OK;
    if (status != GRZ_OK && status != GRZ_ERROR_LIMIT) {
        end_bar(q);
        complain_of_query(q, status, error);
        return STATUS_TROUBLE;
    }
    if (q->given->picture != NULL) {
        grz_error trouble = {0};
        progress_phase(q->bar, "drawing", NULL);
        q->drawn = picture_write(q->given->picture, q->device, q->objects, q->mesh_count, q->result, &trouble);
        if (!q->drawn) {
            end_bar(q);
            complain(q->given->command, "--picture %s: %s", q->given->picture, trouble.message);
            return STATUS_TROUBLE;
        }
    }
    if ((q->given->flags & OPTION_QUIET) != 0)
        return query_exit_status(q->given, summary);

    progress_phase(q->bar, "examining", q->mesh_count == 1 ? q->meshes[0].file : NULL);
    if (!examine(q, summary, message)) {
        end_bar(q);
        complain(q->given->command, "%s", message);
        return STATUS_TROUBLE;
    }
    end_bar(q);
    q->total_ms = query_now_ms() - q->start_ms;
    q->peak_memory_mb = query_peak_memory_mb();

    if ((q->given->flags & OPTION_JSON) != 0) {
        if (!report_json_query(q, stdout)) {
            complain(q->given->command, "out of memory for the report");
            return STATUS_TROUBLE;
        }
    } else {
        report_text_query(q, stdout);
    }
    return output_finish(q->given->command) ? query_exit_status(q->given, summary) : STATUS_TROUBLE;
}

void query_close(query *q)
{
    end_bar(q);
    if (q->given != NULL && !q->drawn)
        picture_give_up(q->given->picture);
    grz_result_destroy(q->result);
    for (size_t i = 0; i < MAX_MESHES; i++)
        load_finish(&q->meshes[i]);
    grz_device_close(q->device);
    *q = (query){0};
}
