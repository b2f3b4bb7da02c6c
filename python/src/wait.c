// SPDX-License-Identifier: MIT
// Queries that report no progress: another thread does the work, and this one looks for Ctrl-C meanwhile. Only the
// main thread runs Python's handlers of signals, so it must not be the one that works.
#include "graze_python.h"

typedef struct errand {
    void (*work)(void *data);
    void *data;
    PyThread_type_lock done; // held until the work has ended
} errand;

static void do_errand(void *of)
{
    const errand *e = of;
    PyThread_type_lock done = e->done; // `e` is gone once this is released
    e->work(e->data);
    PyThread_release_lock(done);
}

bool run_long(void (*work)(void *data), void *data, volatile int *cancel, bool is_short)
{
    errand e = {.work = work, .data = data, .done = is_short ? NULL : PyThread_allocate_lock()};
    bool interrupted = false;
    if (e.done != NULL)
        (void)PyThread_acquire_lock(e.done, WAIT_LOCK);
    // The thread is begun without the interpreter's lock: so its stack has the system's size, whatever
    // threading.stack_size() says.
    PyThreadState *self = PyEval_SaveThread();
    if (e.done == NULL || PyThread_start_new_thread(do_errand, &e) == NO_THREAD)
        work(data); // no other thread can be had, or it is not worth one
    else
        while (PyThread_acquire_lock_timed(e.done, 50000, 1) != PY_LOCK_ACQUIRED) { // microseconds
            if (interrupted)
                continue;
            PyEval_RestoreThread(self);
            interrupted = PyErr_CheckSignals() != 0;
            *cancel = interrupted;
            self = PyEval_SaveThread();
        }
    PyEval_RestoreThread(self);
    if (e.done != NULL) {
        PyThread_release_lock(e.done);
        PyThread_free_lock(e.done);
    }
    return !interrupted;
}
