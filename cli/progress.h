// SPDX-License-Identifier: MIT
// A progress bar on stderr for work that takes over a second, where stderr is a terminal; nothing at all elsewhere.
// It erases itself. One thread begins, names the phases and ends.
#ifndef GRZ_CLI_PROGRESS_H
#define GRZ_CLI_PROGRESS_H

// Opaque.
typedef struct progress progress;

// Begin. Returns NULL where no bar will be shown; every other function accepts NULL.
progress *progress_begin(void);

// Say what is being done and to which file; `subject` may be NULL. Neither text is kept. How far it has come is not
// known at first.
void progress_phase(progress *bar, const char *doing, const char *subject);

// Say how far the phase has come, 0 to 1. The library calls this: `user` is the progress.
void progress_share(double share, void *user);

// Erase the bar and free it. To be called before anything else is written to stderr.
void progress_end(progress *bar);

#endif
