// SPDX-License-Identifier: MIT
// Draws the progress bar from a thread of its own, because reading a file gives no sign of life while it works. The
// thread wakes ten times a second and draws what the working thread last told; it is started only where stderr is a
// terminal. It writes with write(2): a process forked meanwhile by a reader must not find stdio's lock taken.

#define _POSIX_C_SOURCE 200809L

#include "progress.h"

#include "report/printable.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    SUBJECT_WIDTH = 32, // bytes of a file's name that are shown, made printable
    BAR_WIDTH = 24,
    LINE_SIZE = 160,
    SILENT_MS = 1000, // shorter work shows nothing
    STEP_MS = 100
};

struct progress {
    pthread_t thread;
    pthread_mutex_t lock; // guards what follows
    pthread_cond_t wake;
    bool over;
    double share; // below 0: not known
    char label[80];
};

static void write_out(const char *text)
{
    size_t left = strlen(text);

    while (left > 0) {
        ssize_t written = write(STDERR_FILENO, text, left);
        if (written <= 0)
            return; // a bar that cannot be drawn is no trouble
        text += written;
        left -= (size_t)written;
    }
}

// Called with the lock held.
static void draw(const progress *bar, unsigned tick)
{
    char cells[BAR_WIDTH + 1];
    char line[LINE_SIZE];

    memset(cells, ' ', BAR_WIDTH);
    cells[BAR_WIDTH] = '\0';
    if (bar->share < 0) {
        cells[tick % BAR_WIDTH] = '=';
        snprintf(line, sizeof line, "\r%s [%s]\033[K", bar->label, cells);
    } else {
        double share = bar->share < 1 ? bar->share : 1;
        memset(cells, '=', (size_t)(share * BAR_WIDTH));
        snprintf(line, sizeof line, "\r%s [%s] %3d %%\033[K", bar->label, cells, (int)(share * 100));
    }
    write_out(line);
}

static struct timespec after(struct timespec start, unsigned milliseconds)
{
    start.tv_sec += (time_t)(milliseconds / 1000);
    start.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    if (start.tv_nsec >= 1000000000) {
        start.tv_sec++;
        start.tv_nsec -= 1000000000;
    }
    return start;
}

static void *keep_drawing(void *user)
{
    progress *bar = user;
    struct timespec next;
    unsigned tick = 0;

    clock_gettime(CLOCK_MONOTONIC, &next);
    next = after(next, SILENT_MS);
    pthread_mutex_lock(&bar->lock);
    while (!bar->over) {
        if (pthread_cond_timedwait(&bar->wake, &bar->lock, &next) == 0)
            continue;
        draw(bar, tick++);
        next = after(next, STEP_MS);
    }
    if (tick > 0)
        write_out("\r\033[K");
    pthread_mutex_unlock(&bar->lock);
    return NULL;
}

static bool init_wake(pthread_cond_t *wake)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0)
        return false;
    bool made =
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 && pthread_cond_init(wake, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    return made;
}

progress *progress_begin(void)
{
    if (isatty(STDERR_FILENO) != 1)
        return NULL;
    progress *bar = calloc(1, sizeof *bar);
    if (bar == NULL)
        return NULL; // the bar is a comfort: without it the work is the same
    bar->share = -1;
    if (pthread_mutex_init(&bar->lock, NULL) != 0)
        goto no_lock;
    if (!init_wake(&bar->wake))
        goto no_wake;
    if (pthread_create(&bar->thread, NULL, keep_drawing, bar) != 0)
        goto no_thread;
    return bar;

no_thread:
    pthread_cond_destroy(&bar->wake);
no_wake:
    pthread_mutex_destroy(&bar->lock);
no_lock:
    free(bar);
    return NULL;
}

void progress_phase(progress *bar, const char *doing, const char *subject)
{
    if (bar == NULL)
        return;
    const char *slash = subject != NULL ? strrchr(subject, '/') : NULL;
    const char *shown = slash != NULL ? slash + 1 : subject;

    char printable[SUBJECT_WIDTH + 1];

    pthread_mutex_lock(&bar->lock);
    if (shown != NULL)
        snprintf(bar->label, sizeof bar->label, "%s %s", doing, printable_copy(shown, printable, sizeof printable));
    else
        snprintf(bar->label, sizeof bar->label, "%s", doing);
    bar->share = -1;
    pthread_mutex_unlock(&bar->lock);
}

void progress_share(double share, void *user)
{
    progress *bar = user;

    if (bar == NULL)
        return;
    pthread_mutex_lock(&bar->lock);
    bar->share = share >= 0 ? share : 0;
    pthread_mutex_unlock(&bar->lock);
}

void progress_end(progress *bar)
{
    if (bar == NULL)
        return;
    pthread_mutex_lock(&bar->lock);
    bar->over = true;
    pthread_cond_signal(&bar->wake);
    pthread_mutex_unlock(&bar->lock);
    pthread_join(bar->thread, NULL);
    pthread_cond_destroy(&bar->wake);
    pthread_mutex_destroy(&bar->lock);
    free(bar);
}
