// SPDX-License-Identifier: MIT
// graze devices: what queries can run on here, with how many threads and by which methods. It opens each device to ask
// it, so what is listed is what works.

#include "command.h"
#include "deliver.h"
#include "output.h"

// The names of the methods that work through OpenGL, or of those that do not: "bvh, naive", and as a list for programs.
static const char *put_methods(report *r, report_value *device, bool gl)
{
    report_value *list = report_put_list(r, device, "methods");
    const char *text = "";
    grz_method method;

    for (size_t i = 0; grz_method_info(i, &method); i++) {
        if (method.gl != gl)
            continue;
        report_put_text(r, list, NULL, method.name);
        text = report_format(r, "%s%s%s", text, *text != '\0' ? ", " : "", method.name);
    }
    return text;
}

static void describe_cpu(const grz_device *device, report *r, report_value *list)
{
    report_value *entry = report_put_object(r, list, NULL);

    report_put_text(r, entry, "name", "cpu");
    report_put_count(r, entry, "threads", grz_device_threads(device));
    report_put_text(r, entry, "simd", grz_device_simd_name(device));
    report_line(r, r->lines, LINE_ITEM, NULL, "cpu: threads %u, %s, methods %s", grz_device_threads(device),
                grz_device_simd_name(device), put_methods(r, entry, false));
}

// What OpenGL calls itself if it can be used; else null, and why it cannot.
static void describe_renderer(uint32_t index, report *r, report_value *list)
{
    grz_renderer renderer;

    if (grz_renderer_info(index, &renderer, NULL) != GRZ_OK)
        return; // it has gone since it was counted
    const bool usable = renderer.problem[0] == '\0';
    report_value *entry = report_put_object(r, list, NULL);
    report_put_text(r, entry, "name", "gl");
    report_put_count(r, entry, "index", index);
    report_put_text(r, entry, "vendor", usable ? renderer.vendor : NULL);
    report_put_text(r, entry, "renderer", usable ? renderer.name : NULL);
    report_put_text(r, entry, "version", usable ? renderer.version : NULL);
    report_put_text(r, entry, "platform", renderer.platform);
    report_put_bool(r, entry, "software", renderer.software);
    report_put_text(r, entry, "problem", usable ? NULL : renderer.problem);
    const char *methods = put_methods(r, entry, true);
    if (usable)
        report_line(r, r->lines, LINE_ITEM, NULL, "gl: %s, %s, OpenGL %s, %s, %s, methods %s", renderer.name,
                    renderer.vendor, renderer.version, renderer.software ? "software" : "hardware", renderer.platform,
                    methods);
    else
        report_line(r, r->lines, LINE_ITEM, NULL, "gl: %s cannot be used: %s", renderer.platform, renderer.problem);
}

// Say why there is no renderer.
static void describe_no_renderer(report *r)
{
    grz_device_options wanted = grz_default_device_options();
    grz_device *device = NULL;
    grz_error error = {0};

    wanted.kind = GRZ_DEVICE_GL;
    if (grz_device_open(&wanted, &device, &error) != GRZ_OK)
        report_line(r, r->lines, LINE_ITEM, NULL, "gl: none: %s", error.message);
    grz_device_close(device);
}

static int run(const options *given)
{
    const grz_device_options wanted = grz_default_device_options();
    grz_device *device = NULL;
    grz_error error = {0};

    if (grz_device_open(&wanted, &device, &error) != GRZ_OK) {
        complain(given->command, "%s", error.message);
        return STATUS_TROUBLE;
    }
    report r = report_begin(given->command);
    report_value *list = report_put_list(&r, r.members, "devices");
    describe_cpu(device, &r, list);
    for (uint32_t i = 0; i < grz_renderer_count(); i++)
        describe_renderer(i, &r, list);
    if (grz_renderer_count() == 0)
        describe_no_renderer(&r);
    grz_device_close(device);
    const int status = deliver(&r, given, STATUS_APART);
    report_finish(&r);
    return status;
}

const command command_devices = {
    .name = "devices",
    .files = "",
    .takes = OPTIONS_REPORT,
    .run = run,
    .summary = "what can be used here",
    .about = "Lists the CPU, and each OpenGL renderer that works without a screen, with the methods that run there.\n"
             "A renderer that cannot be used is listed with the reason.\n",
    .statuses = "  0  there is at least one device\n"
                "  2  trouble\n",
    .examples = "  graze devices\n"
                "  graze devices --json\n",
};
