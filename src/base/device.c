// SPDX-License-Identifier: MIT
// A device: an allocator and a pool of threads. Work comes as jobs of numbered tasks; any number of callers may have a job
// under way, each works on its own job together with whichever threads are free, so a caller never waits for another's job to
// start.
#include "base/device.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/fp_guard.h"

// One grz_parallel() call. Lives on the caller's stack; `helpers` and `next_job` belong to the pool's lock.
typedef struct grz_job_of_tasks {
    void (*task)(size_t index, void *context);
    void *context;
    size_t count;
    atomic_size_t next;
    unsigned helpers; // pool threads at work on it
    struct grz_job_of_tasks *next_job;
} grz_job_of_tasks;

struct grz_device {
    grz_allocator allocator;
    grz_task_runner runner; // run is NULL: the pool below
    // Where there is a runner: not NULL on a thread that runs one of its tasks, and may not ask it for more.
    pthread_key_t in_runner;
    grz_simd simd;
    uint64_t solo_steps;
    unsigned threads; // callers included
    pthread_t *pool;  // up to threads - 1 of them
    unsigned pool_size;
    unsigned started; // pool threads that have come to wait for work
    pthread_mutex_t lock;
    pthread_cond_t work; // a job was added, or the pool ends
    pthread_cond_t left; // a helper left a job, or a thread has started
    grz_job_of_tasks *jobs;
    bool ending;
    grz_device_kind kind;
    void *graphics;
    void (*close_graphics)(void *graphics);
};

enum {
    MAX_THREADS = 1024,
    SOLO_STEPS = 1024
};

grz_device_options grz_default_device_options(void)
{
    return (grz_device_options){.size = sizeof(grz_device_options), .renderer = GRZ_ANY_RENDERER};
}

static void work_on(grz_job_of_tasks *job)
{
    size_t index;
    while ((index = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed)) < job->count)
        job->task(index, job->context);
}

// A job that still has tasks to hand out, or NULL. Under the lock.
static grz_job_of_tasks *find_job(const grz_device *device)
{
    for (grz_job_of_tasks *job = device->jobs; job != NULL; job = job->next_job)
        if (atomic_load_explicit(&job->next, memory_order_relaxed) < job->count)
            return job;
    return NULL;
}

static void *pool_main(void *argument)
{
    grz_device *device = argument;
    grz_fp_enter();
    pthread_mutex_lock(&device->lock);
    device->started++;
    pthread_cond_broadcast(&device->left);
    while (!device->ending) {
        grz_job_of_tasks *job = find_job(device);
        if (job == NULL) {
            pthread_cond_wait(&device->work, &device->lock);
            continue;
        }
        job->helpers++;
        pthread_mutex_unlock(&device->lock);
        work_on(job);
        pthread_mutex_lock(&device->lock);
        job->helpers--;
        pthread_cond_broadcast(&device->left);
    }
    pthread_mutex_unlock(&device->lock);
    return NULL;
}

static void remove_job(grz_device *device, const grz_job_of_tasks *job)
{
    grz_job_of_tasks **link = &device->jobs;
    while (*link != job)
        link = &(*link)->next_job;
    *link = job->next_job;
}

// A task under the floating-point guard, for threads that are not ours.
typedef struct grz_guarded_task {
    grz_device *device;
    void (*task)(size_t index, void *context);
    void *context;
} grz_guarded_task;

static void run_guarded(size_t index, void *context)
{
    const grz_guarded_task *guarded = context;
    const grz_fp_state fp = grz_fp_enter();
    void *before = pthread_getspecific(guarded->device->in_runner);
    pthread_setspecific(guarded->device->in_runner, guarded->device); // short of memory: a nested call asks the runner, that is all
    guarded->task(index, guarded->context);
    pthread_setspecific(guarded->device->in_runner, before);
    grz_fp_leave(fp);
}

void grz_parallel(grz_device *device, size_t count, void (*task)(size_t index, void *context), void *context)
{
    if (device->runner.run != NULL && pthread_getspecific(device->in_runner) == NULL) {
        grz_guarded_task guarded = {device, task, context};
        if (count > 0)
            device->runner.run(run_guarded, &guarded, count, device->runner.user);
        return;
    }
    if (count <= 1 || device->pool_size == 0) {
        for (size_t i = 0; i < count; i++)
            task(i, context);
        return;
    }
    grz_job_of_tasks job = {.task = task, .context = context, .count = count};
    atomic_init(&job.next, 0);
    pthread_mutex_lock(&device->lock);
    job.next_job = device->jobs;
    device->jobs = &job; // cppcheck-suppress autoVariables ; it is taken off the list below, before this call returns
    pthread_cond_broadcast(&device->work);
    pthread_mutex_unlock(&device->lock);
    work_on(&job);
    pthread_mutex_lock(&device->lock);
    remove_job(device, &job);
    while (job.helpers > 0)
        pthread_cond_wait(&device->left, &device->lock);
    pthread_mutex_unlock(&device->lock);
}

static unsigned core_count(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > MAX_THREADS ? MAX_THREADS : (unsigned)cores;
}

static grz_status start_pool(grz_device *device, grz_error *error)
{
    if (device->runner.run != NULL || device->threads < 2)
        return GRZ_OK;
    device->pool = grz_allocate(&device->allocator, device->threads - 1, sizeof *device->pool);
    if (device->pool == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "device: out of memory for %u threads", device->threads);
    while (device->pool_size < device->threads - 1) {
        if (pthread_create(&device->pool[device->pool_size], NULL, pool_main, device) != 0)
            return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "device: the system refuses thread %u of %u",
                            device->pool_size + 2, device->threads);
        device->pool_size++;
    }
    // A program may fork() once this returns: a thread that is still starting might hold a lock of malloc's, which the child would
    // wait for in vain.
    pthread_mutex_lock(&device->lock);
    while (device->started < device->pool_size)
        pthread_cond_wait(&device->left, &device->lock);
    pthread_mutex_unlock(&device->lock);
    return GRZ_OK;
}

static grz_status check_options(const grz_device_options *options, grz_error *error)
{
    if (options->size != sizeof *options)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "device: options.size is %zu, start from grz_default_device_options()", options->size);
    if (options->kind < GRZ_DEVICE_AUTO || options->kind > GRZ_DEVICE_GL_CURRENT)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "device: options.kind is %d", (int)options->kind);
    if (options->threads > MAX_THREADS)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "device: %u threads, the most is %d", options->threads,
                        MAX_THREADS);
    if ((options->allocator.reallocate == NULL) != (options->allocator.release == NULL))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "device: an allocator needs both reallocate and release");
    if (options->task_runner.run != NULL && options->task_runner.width == 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "device: the task runner's width is 0, need at least 1");
    return GRZ_OK;
}

grz_status grz_device_open_cpu(const grz_device_options *options, grz_device **device, grz_error *error)
{
    *device = NULL;
    grz_simd simd;
    grz_status status = check_options(options, error);
    if (status == GRZ_OK)
        status = grz_simd_choose(&simd, error);
    if (status != GRZ_OK)
        return status;
    const grz_allocator allocator = options->allocator.reallocate != NULL ? options->allocator : grz_malloc_allocator();
    grz_device *made = grz_allocate_zeroed(&allocator, 1, sizeof *made);
    if (made == NULL)
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "device: out of memory");
    made->runner = options->task_runner;
    if (made->runner.run != NULL && pthread_key_create(&made->in_runner, NULL) != 0) {
        grz_release(&allocator, made, 1, sizeof *made);
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "device: the process has no thread-specific key left for it");
    }
    made->allocator = allocator;
    made->kind = options->kind;
    made->simd = simd;
    made->solo_steps = SOLO_STEPS;
    made->threads = made->runner.run != NULL ? made->runner.width : options->threads != 0 ? options->threads : core_count();
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->work, NULL);
    pthread_cond_init(&made->left, NULL);
    status = start_pool(made, error);
    if (status != GRZ_OK) {
        grz_device_close(made);
        return status;
    }
    *device = made;
    return GRZ_OK;
}

void grz_device_close(grz_device *device)
{
    if (device == NULL)
        return;
    if (device->graphics != NULL)
        device->close_graphics(device->graphics);
    pthread_mutex_lock(&device->lock);
    device->ending = true;
    pthread_cond_broadcast(&device->work);
    pthread_mutex_unlock(&device->lock);
    for (unsigned i = 0; i < device->pool_size; i++)
        pthread_join(device->pool[i], NULL);
    if (device->runner.run != NULL)
        pthread_key_delete(device->in_runner);
    const grz_allocator allocator = device->allocator;
    if (device->pool != NULL)
        grz_release(&allocator, device->pool, device->threads - 1, sizeof *device->pool);
    pthread_cond_destroy(&device->left);
    pthread_cond_destroy(&device->work);
    pthread_mutex_destroy(&device->lock);
    grz_release(&allocator, device, 1, sizeof *device);
}

const char *grz_device_name(const grz_device *device)
{
    return device->kind == GRZ_DEVICE_GL || device->kind == GRZ_DEVICE_GL_CURRENT ? "gl" : "cpu";
}

unsigned grz_device_threads(const grz_device *device)
{
    return device->threads;
}

void grz_device_set_graphics(grz_device *device, void *graphics, void (*close)(void *graphics))
{
    device->graphics = graphics;
    device->close_graphics = close;
}

void *grz_device_graphics(const grz_device *device)
{
    return device->graphics;
}

const char *grz_device_simd_name(const grz_device *device)
{
    return grz_simd_name(device->simd);
}

grz_simd grz_device_simd(const grz_device *device)
{
    return device->simd;
}

uint64_t grz_device_solo_steps(const grz_device *device)
{
    return device->solo_steps;
}

void grz_device_set_solo_steps(grz_device *device, uint64_t steps)
{
    device->solo_steps = steps;
}

const grz_allocator *grz_device_allocator(const grz_device *device)
{
    return &device->allocator;
}
