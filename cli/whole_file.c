// SPDX-License-Identifier: MIT
// The name of the temporary file is kept where a signal handler can read it. A handler may only call a few functions:
// unlink(), getpid() and raise() are among them.

#define _XOPEN_SOURCE 700

#include "whole_file.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char target[PATH_MAX];         // what the file will be called
static char temporary[PATH_MAX];      // what it is called now
static volatile sig_atomic_t pending; // whether `temporary` is there
static pid_t owner;                   // a reader's child process inherits the handler, and must leave the file alone

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};

// SA_RESETHAND: the second time the signal ends the process, as if there had been no handler.
static void clean_up(int number)
{
    if (pending != 0 && getpid() == owner)
        unlink(temporary);
    raise(number);
}

// Install the handler, and collect its signals.
static void watch_signals(sigset_t *watched)
{
    struct sigaction wanted = {.sa_handler = clean_up, .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)}, before;

    sigemptyset(&wanted.sa_mask);
    sigemptyset(watched);
    owner = getpid();
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        sigaddset(watched, signals[i]);
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL) // not what nohup ignores
            sigaction(signals[i], &wanted, NULL);
    }
}

// A new file gets the permissions that open() would give it, a replaced one keeps its own.
static mode_t file_mode(const struct stat *before)
{
    if (before != NULL)
        return before->st_mode & 0777;
    const mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static bool make_temporary(const struct stat *before)
{
    const char *slash = strrchr(target, '/');
    const int folder = slash != NULL ? (int)(slash - target) + 1 : 0;

    if (snprintf(temporary, sizeof temporary, "%.*s.graze-XXXXXX", folder, target) >= (int)sizeof temporary) {
        errno = ENAMETOOLONG;
        return false;
    }
    // No signal may come between the making of the file and the note that it is there.
    sigset_t blocked, as_before;
    watch_signals(&blocked);
    sigprocmask(SIG_BLOCK, &blocked, &as_before);
    const int file = mkstemp(temporary), reason = errno;
    pending = file >= 0;
    sigprocmask(SIG_SETMASK, &as_before, NULL);
    errno = reason;
    if (file < 0)
        return false;
    const bool allowed = fchmod(file, file_mode(before)) == 0;
    close(file);
    return allowed;
}

bool whole_file_begin(const char *path)
{
    struct stat before;
    char resolved[PATH_MAX];
    const bool exists = stat(path, &before) == 0;

    // A link stays, and what it leads to is replaced.
    if (snprintf(target, sizeof target, "%s", exists && realpath(path, resolved) != NULL ? resolved : path) >=
        (int)sizeof target) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (!exists)
        return make_temporary(NULL);
    if (S_ISDIR(before.st_mode)) {
        errno = EISDIR;
        return false;
    }
    if (access(target, W_OK) != 0)
        return false;
    return !S_ISREG(before.st_mode) || make_temporary(&before);
}

const char *whole_file_path(void)
{
    return pending != 0 ? temporary : target;
}

bool whole_file_end(void)
{
    if (pending == 0)
        return true;
    if (rename(temporary, target) != 0)
        return false;
    pending = 0;
    return true;
}

void whole_file_drop(void)
{
    if (pending == 0)
        return;
    unlink(temporary);
    pending = 0;
}
