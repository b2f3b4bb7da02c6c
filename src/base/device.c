// SPDX-License-Identifier: MIT
// A device: an allocator and a pool of threads. Each grz_parallel() call makes a job of numbered tasks. The calling
// thread takes tasks of its own job, and pool threads that have nothing to do help it. Several callers can have jobs at
// the same time. A caller therefore never waits for another caller's job to finish before its own starts.
#include "base/device.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/fp_guard.h"
#include "base/options.h"

// One grz_parallel() call, on the stack of the caller. The device's lock protects `helpers` and `next_job`.
typedef struct grz_task_job {
    void (*task)(size_t index, void *context);
    void *context;
    size_t count;
    atomic_size_t next; // the next task that nobody has taken yet
    unsigned helpers;   // pool threads that work on this job
    struct grz_task_job *next_job;
} grz_task_job;

struct grz_device {
    atomic_size_t references; // the caller's until it closes the device, and one for each mesh, result and scene
    grz_allocator allocator;
    grz_task_runner runner; // the caller's task runner; if run is NULL, the pool below is used
    // Only with a runner: this key's value is not NULL on a thread that runs one of the runner's tasks. Such a thread
    // must not ask the runner for more.
    pthread_key_t in_runner;
    grz_simd simd;
    uint64_t solo_steps;
    unsigned threads;   // the calling thread and the pool threads
    pthread_t *pool;    // room for threads - 1
    unsigned pool_size; // pool threads created
    unsigned started;   // pool threads that have reached their main loop
    pthread_mutex_t lock;
    pthread_cond_t work_added;    // a job was added, or the pool shuts down
    pthread_cond_t helper_change; // a pool thread has started, or has finished its part of a job
    grz_task_job *jobs;           // jobs in progress
    bool shutting_down;
    grz_device_kind kind;
    void *graphics; // the OpenGL side of the device (gl/device_gl.c); may be NULL
    void (*close_graphics)(void *graphics);
};

enum {
    MAX_THREADS = 1024,
    SOLO_STEPS = 1024
};

static const grz_device_options defaults = {.size = sizeof(grz_device_options), .renderer = GRZ_ANY_RENDERER};
static const grz_options_type options_type = GRZ_OPTIONS_TYPE(device_options, threads, defaults);

void grz_device_options_init(grz_device_options *options, size_t size)
{
    grz_options_init(&options_type, options, size);
}

grz_status grz_device_options_read(const grz_device_options *given, grz_device_options *out, grz_error *error)
{
    return grz_options_read(&options_type, "device", given, out, error);
}

// Take and run tasks of a job until none is left to take.
static void run_tasks(grz_task_job *job)
{
    size_t index;
    while ((index = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed)) < job->count)
        job->task(index, job->context);
}

// A job with tasks that nobody has taken, or NULL. The caller holds the lock.
static grz_task_job *find_job(const grz_device *device)
{
    for (grz_task_job *job = device->jobs; job != NULL; job = job->next_job)
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
    pthread_cond_broadcast(&device->helper_change);
    while (!device->shutting_down) {
        grz_task_job *job = find_job(device);
        if (job == NULL) {
            pthread_cond_wait(&device->work_added, &device->lock);
            continue;
        }
        job->helpers++;
        pthread_mutex_unlock(&device->lock);
        run_tasks(job);
        pthread_mutex_lock(&device->lock);
        assert(job->helpers > 0);
        job->helpers--;
        pthread_cond_broadcast(&device->helper_change);
    }
    pthread_mutex_unlock(&device->lock);
    return NULL;
}

// Take a job off the list of jobs; it must be there. The caller holds the lock.
static void remove_job(grz_device *device, const grz_task_job *job)
{
    grz_task_job **link = &device->jobs;
    while (*link != job) {
        assert(*link != NULL);
        link = &(*link)->next_job;
    }
    *link = job->next_job;
}

// A task that enters the floating-point guard first, because the runner's threads are not ours.
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
    // If this fails (no memory), a nested call asks the runner again; nothing worse happens.
    pthread_setspecific(guarded->device->in_runner, guarded->device);
    guarded->task(index, guarded->context);
    pthread_setspecific(guarded->device->in_runner, before);
    grz_fp_leave(fp);
}

void grz_parallel(grz_device *device, size_t count, void (*task)(size_t index, void *context), void *context)
{
    assert(task != NULL);
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
    grz_task_job job = {.task = task, .context = context, .count = count};
    atomic_init(&job.next, 0);
    pthread_mutex_lock(&device->lock);
    job.next_job = device->jobs;
    device->jobs = &job; // cppcheck-suppress autoVariables ; it is taken off the list below, before this call returns
    pthread_cond_broadcast(&device->work_added);
    pthread_mutex_unlock(&device->lock);
    run_tasks(&job);
    pthread_mutex_lock(&device->lock);
    remove_job(device, &job);
    while (job.helpers > 0)
        pthread_cond_wait(&device->helper_change, &device->lock);
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
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "device: out of memory for %u threads",
                        device->threads);
    while (device->pool_size < device->threads - 1) {
        if (pthread_create(&device->pool[device->pool_size], NULL, pool_main, device) != 0)
            return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "device: the system refuses thread %u of %u",
                            device->pool_size + 2, device->threads);
        device->pool_size++;
    }
    // Wait until every thread runs, because the program may call fork() as soon as this returns. A thread that is still
    // starting might hold one of malloc's locks, and the child process would then wait for that lock forever.
    pthread_mutex_lock(&device->lock);
    while (device->started < device->pool_size)
        pthread_cond_wait(&device->helper_change, &device->lock);
    pthread_mutex_unlock(&device->lock);
    return GRZ_OK;
}

static grz_status check_options(const grz_device_options *options, grz_error *error)
{
    if (options->kind < GRZ_DEVICE_AUTO || options->kind > GRZ_DEVICE_GL_CURRENT)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "device: options.kind is %d", (int)options->kind);
    if (options->threads > MAX_THREADS)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "device: %u threads, the most is %d",
                        options->threads, MAX_THREADS);
    if ((options->allocator.reallocate == NULL) != (options->allocator.release == NULL))
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "device: an allocator needs both reallocate and release");
    if (options->task_runner.run != NULL && options->task_runner.width == 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT,
                        "device: the task runner's width is 0, need at least 1");
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
    atomic_init(&made->references, 1);
    made->runner = options->task_runner;
    if (made->runner.run != NULL && pthread_key_create(&made->in_runner, NULL) != 0) {
        grz_release(&allocator, made, 1, sizeof *made);
        return grz_fail(error, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT,
                        "device: the process has no thread-specific key left for it");
    }
    made->allocator = allocator;
    made->kind = options->kind;
    made->simd = simd;
    made->solo_steps = SOLO_STEPS;
    made->threads = made->runner.run != NULL ? made->runner.width
                    : options->threads != 0  ? options->threads
                                             : core_count();
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->work_added, NULL);
    pthread_cond_init(&made->helper_change, NULL);
    status = start_pool(made, error);
    if (status != GRZ_OK) {
        grz_device_close(made);
        return status;
    }
    *device = made;
    return GRZ_OK;
}

// The end of a device that nothing uses any more.
static void destroy(grz_device *device)
{
    if (device->graphics != NULL)
        device->close_graphics(device->graphics);
    pthread_mutex_lock(&device->lock);
    assert(device->jobs == NULL); // no grz_parallel() call is in progress
    device->shutting_down = true;
    pthread_cond_broadcast(&device->work_added);
    pthread_mutex_unlock(&device->lock);
    for (unsigned i = 0; i < device->pool_size; i++)
        pthread_join(device->pool[i], NULL);
    if (device->runner.run != NULL)
        pthread_key_delete(device->in_runner);
    const grz_allocator allocator = device->allocator;
    if (device->pool != NULL)
        grz_release(&allocator, device->pool, device->threads - 1, sizeof *device->pool);
    pthread_cond_destroy(&device->helper_change);
    pthread_cond_destroy(&device->work_added);
    pthread_mutex_destroy(&device->lock);
    grz_release(&allocator, device, 1, sizeof *device);
}

void grz_device_retain(grz_device *device)
{
    atomic_fetch_add_explicit(&device->references, 1, memory_order_relaxed);
}

void grz_device_release(grz_device *device)
{
    if (atomic_fetch_sub_explicit(&device->references, 1, memory_order_acq_rel) == 1)
        destroy(device);
}

void grz_device_close(grz_device *device)
{
    if (device != NULL)
        grz_device_release(device);
}

const char *grz_device_name(const grz_device *device)
{
    if (device == NULL)
        return NULL;
    return device->kind == GRZ_DEVICE_GL || device->kind == GRZ_DEVICE_GL_CURRENT ? "gl" : "cpu";
}

unsigned grz_device_threads(const grz_device *device)
{
    return device != NULL ? device->threads : 0;
}

void grz_device_set_graphics(grz_device *device, void *graphics, void (*close)(void *graphics))
{
    assert(graphics == NULL || close != NULL);
    device->graphics = graphics;
    device->close_graphics = close;
}

void *grz_device_graphics(const grz_device *device)
{
    return device->graphics;
}

const char *grz_device_simd_name(const grz_device *device)
{
    return device != NULL ? grz_simd_name(device->simd) : NULL;
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
