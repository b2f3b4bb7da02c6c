// SPDX-License-Identifier: MIT
// Makes a library mesh of a file: the model's arrays go in as they are, float64, so the mesh holds what the file says
// to the last bit. The model is freed as soon as the mesh has its copy. Two files are read by two threads; what another
// process has to read waits until these are gone, because a process is best forked from a single thread at work.

#define _POSIX_C_SOURCE 200809L

#include "load.h"

#include "interrupt.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    MOST_AT_ONCE = 8 // threads, this one included
};

grz_io_options load_options(const char *format, progress *bar)
{
    grz_io_options options = grz_io_default_options();
    options.format = format;
    options.limits.cancel = interrupt_flag();
    if (bar != NULL) {
        options.limits.progress = progress_share;
        options.limits.progress_user = bar;
    }
    return options;
}

static bool is_soup(const model *m)
{
    if (m->index_count != m->vertex_count)
        return false;
    for (uint64_t i = 0; i < m->index_count; i++) {
        if (m->indices[i] != i)
            return false;
    }
    return true;
}

// FNV-1a over whole numbers.
uint64_t load_faces_hash(const model *m)
{
    uint64_t hash = 0xcbf29ce484222325;

    for (uint64_t i = 0; i < m->index_count; i++)
        hash = (hash ^ m->indices[i]) * 0x100000001b3;
    for (uint64_t i = 0; i < m->face_count; i++)
        hash = (hash ^ (m->corner_counts != NULL ? m->corner_counts[i] : 3)) * 0x100000001b3;
    return hash;
}

grz_mesh_description load_describe(const model *m)
{
    grz_mesh_description description = grz_default_mesh_description();
    description.positions = m->positions;
    description.position_type = GRZ_FLOAT64;
    description.vertex_count = m->vertex_count;
    description.indices = m->indices;
    description.index_count = m->index_count;
    description.face_count = m->face_count;
    description.corner_counts = m->corner_counts;
    return description;
}

// Make the mesh of a model, and free the model.
static bool make_mesh(grz_device *device, model *read, loaded_mesh *out, char message[LOAD_MESSAGE_SIZE])
{
    grz_error error = {0};
    bool made = false;

    const grz_mesh_description description = load_describe(read);
    if (read->face_count == 0)
        snprintf(message, LOAD_MESSAGE_SIZE, "%s: has no faces", out->file);
    else if (grz_mesh_create(device, &description, &out->mesh, &error) != GRZ_OK)
        snprintf(message, LOAD_MESSAGE_SIZE, "%s: %s", out->file, error.message);
    else if (!facts_of_model(read, out->file, &out->facts))
        snprintf(message, LOAD_MESSAGE_SIZE, "%s: out of memory", out->file);
    else
        made = true;
    out->soup = made && is_soup(read);
    out->faces_hash = load_faces_hash(read);
    out->format = read->file != NULL ? read->file->format : NULL;
    model_finish(read);
    if (!made)
        load_finish(out);
    return made;
}

bool load_mesh(grz_device *device, const char *file, const load_wish *wish, progress *bar, loaded_mesh *out,
               char message[LOAD_MESSAGE_SIZE])
{
    const grz_io_options options = load_options(wish != NULL ? wish->format : NULL, bar);
    const model_wish as = {.options = &options, .unit = wish != NULL ? wish->unit : 0};
    model read = {0};

    *out = (loaded_mesh){.file = file};
    interrupt_watch();
    const bool done = model_read_as(file, &as, &read, message, NULL);
    interrupt_unwatch();
    if (done)
        return make_mesh(device, &read, out, message);
    *out = (loaded_mesh){0};
    return false;
}

// How much of several files has been read, each on a thread of its own: the bar shows the mean of their shares.
typedef struct shared_progress {
    progress *bar; // may be NULL
    size_t file_count;
    pthread_mutex_t lock; // guards the sum
    double sum;
} shared_progress;

// What a thread does with one of several meshes.
typedef struct load_task {
    grz_device *device;
    shared_progress *progress;
    double share; // of its file that has been read, as far as reported
    const char *file;
    const load_wish *wish;
    loaded_mesh *out;
    bool done;
    bool again; // to be loaded from a single thread
    char message[LOAD_MESSAGE_SIZE];
} load_task;

// Run `work` on every task, each on a thread of its own where the device has as many and the system gives them.
static void run_tasks(load_task *tasks, size_t count, void *(*work)(void *task))
{
    pthread_t threads[MOST_AT_ONCE];
    bool started[MOST_AT_ONCE] = {false};

    for (size_t i = 1; i < count; i++)
        started[i] = pthread_create(&threads[i], NULL, work, &tasks[i]) == 0;
    for (size_t i = 0; i < count; i++)
        if (!started[i])
            (void)work(&tasks[i]);
    for (size_t i = 1; i < count; i++)
        if (started[i])
            (void)pthread_join(threads[i], NULL);
}

static bool at_once(grz_device *device, size_t count)
{
    return count > 1 && count <= MOST_AT_ONCE && grz_device_threads(device) > 1;
}

// libgraze_io calls this: `user` is the task.
static void report_share(double share, void *user)
{
    load_task *task = user;
    shared_progress *together = task->progress;

    pthread_mutex_lock(&together->lock);
    together->sum += share - task->share;
    task->share = share;
    progress_share(together->sum / (double)together->file_count, together->bar);
    pthread_mutex_unlock(&together->lock);
}

static void *load_task_work(void *user)
{
    load_task *task = user;
    grz_io_options options = load_options(task->wish != NULL ? task->wish->format : NULL, NULL);
    struct stat about;
    model read = {0};

    // Standard input and pipes can be read once only: in the order of the command line.
    task->again = strcmp(task->file, "-") == 0 || (stat(task->file, &about) == 0 && !S_ISREG(about.st_mode));
    if (task->again)
        return NULL;
    *task->out = (loaded_mesh){.file = task->file};
    options.limits.progress = report_share;
    options.limits.progress_user = task;
    const model_wish as = {.options = &options, .unit = task->wish != NULL ? task->wish->unit : 0, .childless = true};
    if (model_read_as(task->file, &as, &read, task->message, &task->again))
        task->done = make_mesh(task->device, &read, task->out, task->message);
    else
        *task->out = (loaded_mesh){0};
    return NULL;
}

bool load_meshes(grz_device *device, char *const *files, size_t count, const load_wish *wish, progress *bar,
                 loaded_mesh *out, char message[LOAD_MESSAGE_SIZE])
{
    shared_progress together = {.bar = bar, .file_count = count, .lock = PTHREAD_MUTEX_INITIALIZER};
    load_task tasks[MOST_AT_ONCE];
    size_t loaded = 0;
    const bool parallel = at_once(device, count);

    for (size_t i = 0; parallel && i < count; i++)
        tasks[i] = (load_task){.device = device, .progress = &together, .file = files[i], .wish = wish, .out = &out[i]};
    if (parallel) {
        interrupt_watch();
        run_tasks(tasks, count, load_task_work);
        interrupt_unwatch();
    }
    for (; loaded < count; loaded++) {
        if (parallel && !tasks[loaded].again) {
            if (tasks[loaded].done)
                continue;
            memcpy(message, tasks[loaded].message, LOAD_MESSAGE_SIZE);
            break;
        }
        if (!load_mesh(device, files[loaded], wish, bar, &out[loaded], message))
            break;
    }
    if (loaded == count)
        return true;
    for (size_t i = 0; i < count; i++)
        load_finish(&out[i]);
    return false;
}

bool load_check(loaded_mesh *loaded, char message[LOAD_MESSAGE_SIZE])
{
    grz_error error = {0};

    if (grz_mesh_check(loaded->mesh, &loaded->report, &error) == GRZ_OK)
        return true;
    snprintf(message, LOAD_MESSAGE_SIZE, "%s: %s", loaded->file, error.message);
    return false;
}

static void *count_task_work(void *user)
{
    load_task *task = user;
    loaded_mesh *loaded = task->out;
    grz_error error = {0};

    loaded->report = (grz_mesh_report){.vertices = grz_mesh_vertex_count(loaded->mesh),
                                       .faces = grz_mesh_face_count(loaded->mesh),
                                       .triangles = grz_mesh_triangle_count(loaded->mesh)};
    task->done = grz_mesh_is_closed(loaded->mesh, &loaded->report.closed, &error) == GRZ_OK;
    if (!task->done)
        snprintf(task->message, LOAD_MESSAGE_SIZE, "%s: %s", loaded->file, error.message);
    return NULL;
}

bool load_counts(grz_device *device, loaded_mesh *loaded, size_t count, char message[LOAD_MESSAGE_SIZE])
{
    load_task tasks[MOST_AT_ONCE];

    for (size_t first = 0, some; first < count; first += some) {
        some = at_once(device, count) ? count : 1;
        for (size_t i = 0; i < some; i++)
            tasks[i] = (load_task){.out = &loaded[first + i]};
        run_tasks(tasks, some, count_task_work);
        for (size_t i = 0; i < some; i++) {
            if (!tasks[i].done) {
                memcpy(message, tasks[i].message, LOAD_MESSAGE_SIZE);
                return false;
            }
        }
    }
    return true;
}

void load_finish(loaded_mesh *loaded)
{
    grz_mesh_destroy(loaded->mesh);
    facts_finish(&loaded->facts);
    *loaded = (loaded_mesh){0};
}
