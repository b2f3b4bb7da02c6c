// SPDX-License-Identifier: MIT
// The naive filter: every triangle of one mesh against every triangle of the other, ruled out by their boxes alone. Slow and plain:
// the twin that all other filters are compared with. Source: the naive test of T. Munzner's lecture on collision detection.
#include <stdatomic.h>

#include "base/device.h"
#include "space/filter.h"
#include "space/triangles.h"

enum {
    ROWS_PER_TASK = 64
};

typedef struct grz_naive_task {
    const grz_job *job;
    uint32_t job_number;
    const grz_mesh *mesh_a, *mesh_b;
    const grz_pose *pose_a; // NULL for self: mesh coordinates
    const grz_box *boxes_b; // of B's triangles; empty where outside the clip box
    grz_sink *sink;
    size_t task_count;
    double share_before, share_of_job; // of all jobs' work: how many jobs are done, and what one is worth
    atomic_size_t done;
} grz_naive_task;

static bool propose_row(const grz_naive_task *task, uint32_t row, grz_chunk *chunk)
{
    const bool self = task->job->b == NULL;
    const grz_box box = grz_world_triangle_box(task->mesh_a, task->pose_a, row);
    if (!grz_boxes_overlap(&box, &task->job->clip))
        return true;
    for (uint32_t column = self ? row + 1 : 0; column < task->mesh_b->triangle_count; column++) {
        if (!grz_boxes_overlap(&box, &task->boxes_b[column]))
            continue;
        if (self && grz_mesh_triangle_face(task->mesh_a, row) == grz_mesh_triangle_face(task->mesh_a, column))
            continue;
        if (!grz_chunk_add(chunk, row, column))
            return false;
    }
    return true;
}

static void propose_rows(size_t index, void *context)
{
    grz_naive_task *task = context;
    grz_chunk chunk;
    const size_t first = index * ROWS_PER_TASK, row_count = task->mesh_a->triangle_count;
    const size_t end = first + ROWS_PER_TASK < row_count ? first + ROWS_PER_TASK : row_count;
    grz_chunk_init(&chunk, task->sink, task->job_number);
    for (size_t row = first; row < end && !task->sink->stopped(task->sink, task->job_number); row++)
        if (!propose_row(task, (uint32_t)row, &chunk))
            return;
    grz_chunk_flush(&chunk);
    const size_t done = atomic_fetch_add(&task->done, 1) + 1;
    grz_control_tell(task->sink->control, (task->share_before + (double)done / (double)task->task_count) * task->share_of_job);
}

static grz_status propose_job(grz_device *device, const grz_job *job, uint32_t number, size_t job_count, grz_sink *sink,
                              grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(sink->control);
    const grz_object *b = job->b != NULL ? job->b : job->a;
    grz_naive_task task = {.job = job,
                           .job_number = number,
                           .mesh_a = job->a->mesh,
                           .mesh_b = b->mesh,
                           .pose_a = job->b != NULL ? &job->a->pose : NULL,
                           .sink = sink,
                           .share_before = (double)number,
                           .share_of_job = 1.0 / (double)job_count};
    const uint32_t columns = b->mesh->triangle_count;
    grz_box *boxes = grz_allocate(allocator, columns, sizeof *boxes);
    if (boxes == NULL)
        return grz_control_explain(sink->control, GRZ_ERROR_MEMORY, "naive", error);
    for (uint32_t i = 0; i < columns; i++) {
        boxes[i] = grz_world_triangle_box(b->mesh, job->b != NULL ? &b->pose : NULL, i);
        if (!grz_boxes_overlap(&boxes[i], &job->clip))
            boxes[i] = grz_box_empty();
    }
    task.boxes_b = boxes;
    task.task_count = (task.mesh_a->triangle_count - 1) / ROWS_PER_TASK + 1;
    atomic_init(&task.done, 0);
    grz_parallel(device, task.task_count, propose_rows, &task);
    grz_release(allocator, boxes, columns, sizeof *boxes);
    return GRZ_OK;
}

static grz_status propose(grz_device *device, const grz_job *jobs, size_t count, grz_sink *sink, grz_error *error)
{
    for (size_t i = 0; i < count; i++) {
        grz_status status = propose_job(device, &jobs[i], (uint32_t)i, count, sink, error);
        if (status != GRZ_OK)
            return status;
    }
    return GRZ_OK;
}

const grz_filter grz_filter_naive = {.name = "naive",
                                     .plain = true,
                                     .capabilities = GRZ_CAN_PAIR | GRZ_CAN_SELF | GRZ_CAN_CLIP,
                                     .slot = GRZ_SLOT_COUNT,
                                     .state = NULL,
                                     .propose = propose};
