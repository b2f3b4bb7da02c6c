// SPDX-License-Identifier: MIT
// Shared by the demos (demo.h).
#include "demo.h"

#include <graze/io.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *program = "demo"; // for error messages

static void fail(const char *name, const char *what, const char *why)
{
    fprintf(stderr, "%s: %s%s%s\n", name, what, *why != '\0' ? ": " : "", why);
    exit(2);
}

void demo_check(grz_status status, const grz_error *error)
{
    if (status != GRZ_OK)
        fail(program, grz_status_name(status), error->message);
}

static void usage(const demo *d, FILE *stream)
{
    fprintf(
        stream,
        "%s: %s\n"
        "usage: %s [--frames N] [--out DIR] [--method NAME] [--check] [--small]%s\n"
        "  --frames N     how many, %" PRIu64 " unless given\n"
        "  --out DIR      write them as DIR/frame0000.png and so on; without it they are shown in a window\n"
        "  --method NAME  who looks for contacts, layers unless given\n"
        "  --check        compare each frame's pairs with those of method bvh; the exit status is 1 where they differ\n"
        "  --small        fewer triangles\n"
        "%s",
        d->name, d->about, d->name, d->has_model ? " [--model FILE]" : "", d->usual_frames,
        d->has_model ? "  --model FILE   another model\n" : "");
}

static uint64_t number_of(const demo *d, const char *text)
{
    char *end;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || *text == '-' || number == 0 || number > 1000000)
        fail(d->name, "--frames must be a whole number from 1 to 1000000; it is", text);
    return number;
}

static void parse(demo *d, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *const value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--help") == 0) {
            usage(d, stdout);
            exit(0);
        }
        if (strcmp(argv[i], "--check") == 0) {
            d->check = true;
        } else if (strcmp(argv[i], "--small") == 0) {
            d->small = true;
        } else if (strcmp(argv[i], "--frames") == 0 && value != NULL) {
            d->frames = number_of(d, argv[++i]);
        } else if (strcmp(argv[i], "--out") == 0 && value != NULL) {
            d->out = argv[++i];
        } else if (strcmp(argv[i], "--method") == 0 && value != NULL) {
            d->method = argv[++i];
        } else if (strcmp(argv[i], "--model") == 0 && d->has_model && value != NULL) {
            d->model = argv[++i];
        } else {
            const bool lacks = argv[i][0] == '-' && value == NULL;
            fprintf(stderr, "%s: %s \"%s\"\n", d->name,
                    lacks ? "no such option, or no value for it:" : "no such option:", argv[i]);
            usage(d, stderr);
            exit(2);
        }
    }
}

static void make_folder(const demo *d)
{
    struct stat there;
    if (mkdir(d->out, 0777) != 0 && errno != EEXIST)
        fail(d->name, d->out, strerror(errno));
    if (stat(d->out, &there) != 0 || !S_ISDIR(there.st_mode))
        fail(d->name, d->out, "is not a folder");
}

void demo_open(demo *d, int argc, char **argv)
{
    grz_device_options options = grz_default_device_options();
    grz_error error;
    program = d->name;
    d->frames = d->usual_frames;
    d->method = "layers";
    d->width = 960;
    d->height = 720;
    parse(d, argc, argv);
    if (d->out != NULL)
        make_folder(d);
    options.kind = GRZ_DEVICE_GL;
    if (grz_device_open(&options, &d->device, &error) != GRZ_OK)
        fail(d->name, "this needs OpenGL", error.message);
    d->pixels = malloc((size_t)d->width * d->height * 4);
    if (d->pixels == NULL)
        fail(d->name, "out of memory", "");
    if (d->out == NULL && (d->window = demo_window_open(d->name, d->width, d->height)) == NULL)
        fail(d->name, "no window, so give --frames and --out", "");
}

static void write_picture(const demo *d, uint64_t frame)
{
    char path[4096];
    grz_error error;
    const int length = snprintf(path, sizeof path, "%s/frame%04" PRIu64 ".png", d->out, frame);
    if (length < 0 || (size_t)length >= sizeof path)
        fail(d->name, "the folder's name is too long", d->out);
    if (grz_io_write_png(path, d->width, d->height, d->pixels, &error) != GRZ_OK)
        fail(d->name, error.message, "");
}

bool demo_show(demo *d, uint64_t frame, const grz_object *objects, size_t count, const grz_result *result)
{
    grz_picture_options options = grz_default_picture_options();
    grz_error error;
    options.width = d->width;
    options.height = d->height;
    options.has_direction = options.whole = true;
    options.legend = options.inset = false; // in a film parts of the picture must not appear and disappear
    memcpy(options.direction, d->direction, sizeof options.direction);
    demo_check(grz_picture_draw(d->device, objects, count, result, &options, d->pixels, NULL, &error), &error);
    if (d->out == NULL)
        return demo_window_show(d->window, d->pixels, d->width, d->height);
    write_picture(d, frame);
    return true;
}

static void differ(const demo *d, uint64_t frame, const char *what)
{
    fprintf(stderr, "%s: frame %" PRIu64 ": %s and bvh do not say the same: %s\n", d->name, frame, d->method, what);
    exit(1);
}

void demo_compare(const demo *d, uint64_t frame, const grz_result *answer, const grz_result *reference)
{
    uint64_t counts[2];
    const grz_pair *p = grz_result_pairs(answer, &counts[0]), *q = grz_result_pairs(reference, &counts[1]);
    if (counts[0] != counts[1])
        differ(d, frame, "how many pairs of faces");
    for (uint64_t i = 0; i < counts[0]; i++)
        if (p[i].face_a != q[i].face_a || p[i].face_b != q[i].face_b || p[i].kind != q[i].kind)
            differ(d, frame, "which pairs of faces");
    const grz_scene_pair *s = grz_result_scene_pairs(answer, &counts[0]),
                         *t = grz_result_scene_pairs(reference, &counts[1]);
    if (counts[0] != counts[1])
        differ(d, frame, "how many pairs of objects");
    for (uint64_t i = 0; i < counts[0]; i++)
        if (s[i].a != t[i].a || s[i].b != t[i].b || s[i].relation != t[i].relation ||
            s[i].pair_count != t[i].pair_count)
            differ(d, frame, "which pairs of objects");
}

void demo_close(demo *d)
{
    if (d->window != NULL)
        demo_window_close(d->window);
    grz_device_close(d->device);
    free(d->pixels);
}
