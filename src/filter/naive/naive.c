// SPDX-License-Identifier: MIT
// The naive filter: compares every triangle of one mesh with every triangle of the other by their AABBs. Slow and
// simple: it is the reference that all other filters are compared with. Source: the naive test of T. Munzner's lecture
// on collision detection.
#include "filter/naive/naive.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>

#include "base/control.h"
#include "base/device.h"
#include "mesh/triangles.h"

enum {
    ROWS_PER_TASK = 64 // a row: one triangle of A against all of B
};

// One job under way. Its rows (triangles of A) are shared out to tasks.
typedef struct grz_naive_task {
    const grz_job *job;
    uint32_t job_number;
    bool self, small_first;
    const grz_mesh *mesh_a, *mesh_b;
    const grz_pose *pose_a; // NULL for a mesh with itself: mesh coordinates
    const grz_box *boxes_b; // AABBs of B's triangles, enlarged by the margin; an empty box if outside the clip box
    double margin;
    grz_sink *sink;
    size_t task_count;
    double share_before, share_of_job; // for the progress: jobs done before this one, and 1 / number of jobs
    atomic_size_t done;
} grz_naive_task;

// 8 roundings: a side has two, and its sum with the rest.
static const double ROUNDING = 0x1p-50;

// Enlarge a box by the margin, and by more than the rounding errors here.
static grz_box grown(const grz_box *box, double margin)
{
    grz_box out = *box;
    for (int i = 0; i < 3 && margin > 0.0; i++) {
        const double size = fmax(fabs(box->min[i]), fabs(box->max[i])) + margin;
        out.min[i] = box->min[i] - margin - size * ROUNDING;
        out.max[i] = box->max[i] + margin + size * ROUNDING;
    }
    return out;
}

static bool propose_row(const grz_naive_task *task, uint32_t row, grz_chunk *chunk)
{
    assert(row < task->mesh_a->triangle_count);
    const grz_box box = grz_world_triangle_box(task->mesh_a, task->pose_a, row), near = grown(&box, task->margin);
    if (!grz_boxes_overlap(&near, &task->job->clip))
        return true;
    for (uint32_t column = task->self ? row + 1 : 0; column < task->mesh_b->triangle_count; column++) {
        if (!grz_boxes_overlap(&box, &task->boxes_b[column]))
            continue;
        if (task->self && grz_mesh_triangle_face(task->mesh_a, row) == grz_mesh_triangle_face(task->mesh_a, column))
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
    grz_chunk_init(&chunk, task->sink, task->job_number, task->small_first);
    for (size_t row = first; row < end && !task->sink->stopped(task->sink, task->job_number); row++)
        if (!propose_row(task, (uint32_t)row, &chunk))
            return;
    grz_chunk_flush(&chunk);
    const size_t done = atomic_fetch_add(&task->done, 1) + 1;
    grz_control_report_progress(task->sink->control,
                                (task->share_before + (double)done / (double)task->task_count) * task->share_of_job);
}

static grz_status propose_job(grz_device *device, const grz_job_set *set, uint32_t number, grz_sink *sink,
                              grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(sink->control);
    const grz_job *job = &set->jobs[number];
    const grz_object *a = grz_job_object_a(set, job), *b = grz_job_object_b(set, job);
    const bool self = job->b == GRZ_SELF;
    grz_naive_task task = {.job = job,
                           .job_number = number,
                           .self = self,
                           .small_first = (set->flags & GRZ_JOBS_FIRST_CONTACT) != 0,
                           .mesh_a = a->mesh,
                           .mesh_b = b->mesh,
                           .pose_a = self ? NULL : &a->pose,
                           .margin = set->margin,
                           .sink = sink,
                           .share_before = (double)number,
                           .share_of_job = 1.0 / (double)set->job_count};
    const uint32_t columns = b->mesh->triangle_count;
    assert(set->margin >= 0.0 && (!self || a->mesh == b->mesh));
    grz_box *boxes = grz_allocate(allocator, columns, sizeof *boxes);
    if (boxes == NULL)
        return grz_control_explain(sink->control, GRZ_ERROR_MEMORY, "naive", error);
    for (uint32_t i = 0; i < columns; i++) {
        const grz_box box = grz_world_triangle_box(b->mesh, self ? NULL : &b->pose, i);
        boxes[i] = grown(&box, set->margin);
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

static grz_status propose(grz_device *device, const grz_job_set *set, grz_sink *sink, grz_error *error)
{
    for (size_t i = 0; i < set->job_count; i++) {
        grz_status status = propose_job(device, set, (uint32_t)i, sink, error);
        if (status != GRZ_OK)
            return status;
    }
    return GRZ_OK;
}

const grz_filter grz_filter_naive = {.name = "naive",
                                     .capabilities = GRZ_CAN_PAIR | GRZ_CAN_SELF | GRZ_CAN_MANY | GRZ_CAN_MARGIN |
                                                     GRZ_CAN_DISTANCE | GRZ_CAN_MOVE | GRZ_CAN_RAYS | GRZ_IS_REFERENCE,
                                     .propose = propose};
