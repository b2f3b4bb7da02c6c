// SPDX-License-Identifier: MIT
#include "examine.h"

#include "command.h"
#include "output.h"
#include "progress.h"

static bool load_and_examine(grz_device *device, const options *given, const char *doing, examine_mesh *examine,
                             loaded_mesh *loaded, void *found, char message[LOAD_MESSAGE_SIZE])
{
    progress *bar = progress_begin();

    progress_phase(bar, "reading", given->files[0]);
    const load_wish wish = {.format = given->format, .unit = given->unit};
    bool done = load_mesh(device, given->files[0], &wish, bar, loaded, message);
    if (done) {
        progress_phase(bar, doing, given->files[0]);
        done = examine(loaded, found, message);
    }
    progress_end(bar);
    return done;
}

int examine_file(const options *given, const char *doing, examine_mesh *examine, examine_answer *answer, void *found)
{
    grz_device_options wanted = grz_default_device_options();
    grz_device *device = NULL;
    loaded_mesh loaded = {0};
    grz_error error = {0};
    char message[LOAD_MESSAGE_SIZE];
    int status = STATUS_TROUBLE;

    wanted.threads = given->threads;
    if (grz_device_open(&wanted, &device, &error) != GRZ_OK)
        complain(given->command, "%s", error.message);
    else if (!load_and_examine(device, given, doing, examine, &loaded, found, message))
        complain(given->command, "%s", message);
    else
        status = answer(given, &loaded, found);
    load_finish(&loaded);
    grz_device_close(device);
    return status;
}
