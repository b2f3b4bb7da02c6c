// SPDX-License-Identifier: MIT
// graze scene FILE…: every pair that touches among the parts of all files. The pairs of faces are found to be counted only; where
// they are too many to be listed, the question is asked once more without them, so that the pairs of objects are told in any case.

#include "commands.h"
#include "output.h"
#include "query.h"
#include "report_json.h"
#include "report_text.h"
#include "scene.h"

#include <string.h>

// The bar must be gone before anything else goes to the terminal.
static void end_bar(scene_run *run)
{
    progress_end(run->bar);
    run->bar = NULL;
}

static bool fail(scene_run *run, const char *message)
{
    end_bar(run);
    complain(run->given->command, "%s", message);
    return false;
}

static bool open_scene(scene_run *run, const options *given)
{
    char message[LOAD_MESSAGE_SIZE];
    grz_error error = {0};

    *run = (scene_run){.given = given, .counted = true, .start_ms = query_now_ms()};
    run->bar = progress_begin();

    grz_device_options device_options = grz_default_device_options();
    device_options.threads = given->threads;
    if (grz_device_open(&device_options, &run->device, &error) != GRZ_OK ||
        grz_result_create(run->device, &run->result, &error) != GRZ_OK ||
        grz_scene_create(run->device, &run->scene, &error) != GRZ_OK)
        return fail(run, error.message);
    run->objects.device = run->device;
    run->objects.scene = run->scene;
    for (size_t i = 0; i < given->file_count; i++) {
        progress_phase(run->bar, "reading", given->files[i]);
        if (!scene_objects_add_file(&run->objects, given->files[i], message))
            return fail(run, message);
    }
    run->load_ms = query_now_ms() - run->start_ms;
    return true;
}

static grz_status ask(scene_run *run, grz_error *error)
{
    grz_collide_options wanted = query_common_options(run->given, run->bar);

    if ((run->given->flags & OPTION_QUIET) == 0)
        wanted.find |= GRZ_FIND_PAIRS;
    progress_phase(run->bar, "testing", NULL);
    grz_status status = grz_collide_scene(run->device, run->scene, &wanted, run->result, error);
    if (status == GRZ_ERROR_LIMIT) {
        run->counted = false;
        wanted.find &= ~(uint32_t)GRZ_FIND_PAIRS;
        progress_phase(run->bar, "testing", NULL);
        status = grz_collide_scene(run->device, run->scene, &wanted, run->result, error);
    }
    return status;
}

static int report(scene_run *run)
{
    const int status = query_exit_status(run->given, grz_result_summary(run->result));

    if ((run->given->flags & OPTION_QUIET) != 0)
        return status;
    run->total_ms = query_now_ms() - run->start_ms;
    run->peak_memory_mb = query_peak_memory_mb();
    if ((run->given->flags & OPTION_JSON) == 0) {
        report_text_scene(run, stdout);
    } else if (!report_json_scene(run, stdout)) {
        complain(run->given->command, "out of memory for the report");
        return STATUS_TROUBLE;
    }
    return output_finish(run->given->command) ? status : STATUS_TROUBLE;
}

static void close_scene(scene_run *run)
{
    end_bar(run);
    grz_result_destroy(run->result);
    grz_scene_destroy(run->scene);
    scene_objects_finish(&run->objects);
    grz_device_close(run->device);
}

int command_scene(const options *given)
{
    scene_run run;
    grz_error error = {0};
    int status = STATUS_TROUBLE;

    if (open_scene(&run, given)) {
        if (ask(&run, &error) == GRZ_OK) {
            end_bar(&run);
            status = report(&run);
        } else {
            fail(&run, error.message);
        }
    }
    close_scene(&run);
    return status;
}
