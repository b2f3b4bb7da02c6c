// SPDX-License-Identifier: MIT
// Shared by the demos (demo.h).
#include "demo.h"

#include <graze/io.h>

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *program = "demo"; // for error messages
static const char usual_method[] = "bvh";

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

void *demo_get(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL)
        fail(program, "out of memory", "");
    return memory;
}

grz_mesh *demo_mesh(const demo *d, const void *positions, uint64_t vertex_count, const uint32_t *indices,
                    uint64_t index_count, uint32_t flags)
{
    grz_mesh_description description = grz_default_mesh_description();
    grz_mesh *mesh;
    grz_error error;
    description.positions = positions;
    description.position_type = GRZ_FLOAT64;
    description.vertex_count = vertex_count;
    description.indices = indices;
    description.index_count = index_count;
    description.face_count = index_count / 3;
    description.flags = flags;
    demo_check(grz_mesh_create(d->device, &description, &mesh, &error), &error);
    return mesh;
}

// Whether a method gives the exact answer to the demo's queries.
static bool is_usable(const demo *d, const grz_method *method)
{
    return method->exact && (method->self || !d->self);
}

// List the usable methods: "naive, bvh".
static void print_methods(const demo *d, FILE *stream)
{
    grz_method method;
    const char *between = "";
    for (size_t i = 0; grz_method_info(i, &method); i++)
        if (is_usable(d, &method)) {
            fprintf(stream, "%s%s", between, method.name);
            between = ", ";
        }
    fprintf(stream, "\n");
}

// What the user may choose from d->bodies: "body" for the option --body.
static const char *choice_of(const demo *d)
{
    return d->choice != NULL ? d->choice : "body";
}

static void usage(const demo *d, FILE *stream)
{
    fprintf(stream,
            "%s: %s\n"
            "usage: %s [--frames N] [--out DIR] [--method NAME] [--check] [--small]%s%s%s%s\n"
            "  --frames N     how many, %" PRIu64 " unless given\n"
            "  --out DIR      write them as DIR/frame0000.png and so on; without it they are shown in a window\n"
            "  --method NAME  which method looks for contacts, %s unless given; there are: ",
            d->name, d->about, d->name, d->has_model ? " [--model FILE]" : "", d->bodies != NULL ? " [--" : "",
            d->bodies != NULL ? choice_of(d) : "", d->bodies != NULL ? " NAME]" : "", d->usual_frames, usual_method);
    print_methods(d, stream);
    fprintf(
        stream,
        "  --check        compare each frame's pairs with those of another method; the exit status is 1 where they\n"
        "                 differ\n"
        "  --small        fewer triangles\n"
        "%s",
        d->has_model ? "  --model FILE   another model\n" : "");
    if (d->bodies == NULL)
        return;
    fprintf(stream, "  --%s NAME%*s %s unless given; there are also:", choice_of(d), 7 - (int)strlen(choice_of(d)), "",
            d->bodies[0]);
    for (size_t i = 1; d->bodies[i] != NULL; i++)
        fprintf(stream, " %s", d->bodies[i]);
    fprintf(stream, "\n");
}

static const char *body_of(const demo *d, const char *name)
{
    for (size_t i = 0; d->bodies[i] != NULL; i++)
        if (strcmp(d->bodies[i], name) == 0)
            return d->bodies[i];
    fprintf(stderr, "%s: no such %s: %s\n", d->name, choice_of(d), name);
    exit(2);
}

// Check the method's name, and choose the reference: the last method of the other kind, which works with OpenGL or
// without it, so that the two have little code in common.
static void choose_methods(demo *d)
{
    grz_method method, own = {.name = NULL};
    bool known = false;
    for (size_t i = 0; grz_method_info(i, &method); i++)
        if (strcmp(method.name, d->method) == 0) {
            known = true;
            own = is_usable(d, &method) ? method : own;
        }
    if (own.name == NULL) {
        fprintf(stderr,
                known ? "%s: method \"%s\" does not answer what this demo asks; there are: "
                      : "%s: no such method: \"%s\"; there are: ",
                d->name, d->method);
        print_methods(d, stderr);
        exit(2);
    }
    for (size_t i = 0; grz_method_info(i, &method); i++)
        if (is_usable(d, &method) && method.gl != own.gl)
            d->reference = method.name;
    if (d->check && d->reference == NULL)
        fail(d->name, "--check: this build has no other method than", d->method);
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
        } else if (strncmp(argv[i], "--", 2) == 0 && strcmp(argv[i] + 2, choice_of(d)) == 0 && d->bodies != NULL &&
                   value != NULL) {
            d->body = body_of(d, argv[++i]);
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
    if (d->out[0] == '\0')
        fail(d->name, "--out needs the name of a folder", "");
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
    d->method = usual_method;
    d->picture = grz_default_picture_options();
    d->picture.width = 1280;
    d->picture.height = 800;
    // Parts of the picture that appear and disappear disturb a film.
    d->picture.legend = d->picture.inset = false;
    d->picture.whole = true;
    d->body = d->bodies != NULL ? d->bodies[0] : NULL;
    parse(d, argc, argv);
    choose_methods(d);
    if (d->out != NULL)
        make_folder(d);
    options.kind = GRZ_DEVICE_GL;
    if (grz_device_open(&options, &d->device, &error) != GRZ_OK)
        fail(d->name, "this needs OpenGL", error.message);
    d->pixels = demo_get((size_t)d->picture.width * d->picture.height, 4);
    d->closer_pixels = demo_get((size_t)d->picture.width * d->picture.height, 4);
    if (d->out == NULL && (d->window = demo_window_open(d->name, d->picture.width, d->picture.height)) == NULL)
        fail(d->name, "no window, so give --frames and --out", "");
}

static void write_picture(const demo *d, uint64_t frame)
{
    char path[4096];
    grz_error error;
    const int length = snprintf(path, sizeof path, "%s/frame%04" PRIu64 ".png", d->out, frame);
    if (length < 0 || (size_t)length >= sizeof path)
        fail(d->name, "the folder's name is too long", d->out);
    if (grz_io_write_png(path, d->picture.width, d->picture.height, d->pixels, &error) != GRZ_OK)
        fail(d->name, error.message, "");
}

grz_collide_options demo_ask_pairs(const char *method)
{
    grz_collide_options options = grz_default_collide_options();
    options.method = method;
    options.find = GRZ_FIND_PAIRS;
    options.times = true;
    return options;
}

grz_scene *demo_scene(const demo *d, const grz_object *objects, uint32_t count)
{
    grz_scene *scene;
    grz_error error;
    demo_check(grz_scene_create(d->device, &scene, &error), &error);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id;
        demo_check(grz_scene_add(scene, &objects[i], &id, &error), &error);
    }
    return scene;
}

void demo_ask_scene(const demo *d, grz_scene *scene, const char *method, uint32_t find, grz_result *result)
{
    grz_collide_options options = demo_ask_pairs(method);
    grz_error error;
    options.find = find;
    demo_check(grz_collide_scene(d->device, scene, &options, result, &error), &error);
}

enum {
    EDGE = 16, // pixels between the closer view or the overlay and the picture's edges
    FRAME = 2  // around them
};

// Draw the outline of a rectangle, as far as it lies in the picture.
static void draw_frame(const demo *d, int64_t left, int64_t top, int64_t width, int64_t height)
{
    const int64_t columns = d->picture.width, rows = d->picture.height;
    for (int64_t y = top > 0 ? top : 0; y < top + height && y < rows; y++)
        for (int64_t x = left > 0 ? left : 0; x < left + width && x < columns; x++)
            if (x < left + FRAME || x >= left + width - FRAME || y < top + FRAME || y >= top + height - FRAME)
                memset(d->pixels + 4 * (y * columns + x), 40, 3);
}

// Frame what the closer view shows.
static void mark_closer(const demo *d, const grz_picture_view *view)
{
    double h[4];
    for (int i = 0; i < 4; i++) {
        h[i] = view->to_pixels[i][3];
        for (int j = 0; j < 3; j++)
            h[i] += view->to_pixels[i][j] * d->closer.middle[j];
    }
    const double *row = view->to_pixels[1]; // the picture's scale is that of its rows
    const double scale = sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2]) / h[3];
    const double radius = d->closer.radius * scale;
    if (h[3] > 0.0 && radius < d->picture.width)
        draw_frame(d, (int64_t)(h[0] / h[3] - radius), (int64_t)(h[1] / h[3] - radius), (int64_t)(2.0 * radius),
                   (int64_t)(2.0 * radius));
}

// Draw the closer view into the upper right corner, with a frame around it.
static void draw_closer(const demo *d, const grz_object *objects, size_t count, const grz_result *result)
{
    const demo_closer *closer = &d->closer;
    grz_picture_options options = d->picture;
    grz_error error;
    options.width = closer->width;
    options.height = closer->height;
    options.caption = NULL;
    options.has_region = true;
    for (int i = 0; i < 3; i++) {
        options.direction[i] = closer->direction[i];
        options.region_min[i] = closer->middle[i] - closer->radius;
        options.region_max[i] = closer->middle[i] + closer->radius;
    }
    demo_check(grz_picture_draw(d->device, objects, (uint32_t)count, result, &options, d->closer_pixels, NULL, &error),
               &error);
    const size_t left = d->picture.width - EDGE - closer->width;
    for (size_t y = 0; y < closer->height; y++)
        memcpy(d->pixels + 4 * ((EDGE + y) * d->picture.width + left), d->closer_pixels + 4 * y * closer->width,
               4 * (size_t)closer->width);
    draw_frame(d, (int64_t)left, EDGE, closer->width, closer->height);
}

static void draw_overlay(const demo *d)
{
    const demo_overlay *overlay = &d->overlay;
    for (size_t y = 0; y < overlay->height; y++)
        for (size_t x = 0; x < overlay->width; x++) {
            const size_t row = y * overlay->rows / overlay->height, column = x * overlay->columns / overlay->width;
            memcpy(d->pixels + 4 * ((EDGE + y) * d->picture.width + EDGE + x),
                   overlay->pixels + 3 * (row * overlay->columns + column), 3);
        }
    draw_frame(d, EDGE, EDGE, overlay->width, overlay->height);
}

bool demo_show(demo *d, uint64_t frame, const grz_object *objects, size_t count, const grz_result *result,
               const char *found)
{
    char caption[256];
    grz_picture_view view;
    grz_error error;
    snprintf(caption, sizeof caption, "frame %" PRIu64 ": %s (%.1f ms by %s)", frame, found,
             grz_result_summary(result)->total_ms, d->method);
    printf("%s\n", caption);
    d->picture.caption = caption;
    demo_check(grz_picture_draw(d->device, objects, (uint32_t)count, result, &d->picture, d->pixels, &view, &error),
               &error);
    d->picture.caption = NULL;
    if (d->paint != NULL)
        d->paint(d, &view);
    if (d->closer.shown) {
        mark_closer(d, &view);
        draw_closer(d, objects, count, result);
    }
    if (d->overlay.pixels != NULL)
        draw_overlay(d);
    if (d->out == NULL)
        return demo_window_show(d->window, d->pixels, d->picture.width, d->picture.height);
    write_picture(d, frame);
    return true;
}

static void differ(const demo *d, uint64_t frame, const char *what)
{
    fprintf(stderr, "%s: frame %" PRIu64 ": %s and %s do not say the same: %s\n", d->name, frame, d->method,
            d->reference, what);
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
    free(d->closer_pixels);
}
