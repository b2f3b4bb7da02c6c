// SPDX-License-Identifier: MIT
// graze devices: what queries can run on here, with how many threads and by which methods. It opens each device to ask it, so what
// is listed is what works.

#include "commands.h"
#include "output.h"
#include "report_json.h"
#include "report_text.h"

int command_devices(const options *given)
{
    grz_device *device = NULL;
    grz_error error = {0};
    bool written = true;

    grz_device_options device_options = grz_default_device_options();
    if (grz_device_open(&device_options, &device, &error) != GRZ_OK) {
        complain(given->command, "%s", error.message);
        return STATUS_TROUBLE;
    }
    if ((given->flags & OPTION_QUIET) == 0) {
        if ((given->flags & OPTION_JSON) != 0)
            written = report_json_device(device, stdout);
        else
            report_text_device(device, stdout);
    }
    grz_device_close(device);
    if (!written) {
        complain(given->command, "out of memory for the report");
        return STATUS_TROUBLE;
    }
    return output_finish(given->command) ? STATUS_APART : STATUS_TROUBLE;
}
