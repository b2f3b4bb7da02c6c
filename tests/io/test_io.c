// SPDX-License-Identifier: MIT
// <graze/io.h> apart from file contents: options of older and newer programs, cancelling, deadlines, memory, progress;
// descriptions of whole models and of parts for the library; recognising formats; the caller's floating-point
// environment; writing pictures. The contents of files are tested in test_readers.c.
// ctest: concurrent threads_read_at_once
#define _GNU_SOURCE // pipe2
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <fcntl.h>
#include <fenv.h>
#include <math.h>
#include <png.h>
#include <pthread.h>
#include <unistd.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include <graze/graze.h>
#include <graze/io.h>

#include "support_allocator.h"
#include "support_files.h"
#include "support_meshes.h"

// The strict allocator, and the maximum of bytes in use.
typedef struct checked_memory {
    test_strict_allocator strict;
    grz_allocator inner;
    long most_bytes;
} checked_memory;

static void *checked_reallocate(void *block, size_t old_size, size_t new_size, void *user)
{
    checked_memory *m = user;
    void *moved = m->inner.reallocate(block, old_size, new_size, m->inner.user);
    m->most_bytes = m->strict.bytes > m->most_bytes ? m->strict.bytes : m->most_bytes;
    return moved;
}

static void checked_release(void *block, size_t size, void *user)
{
    checked_memory *m = user;
    m->inner.release(block, size, m->inner.user);
}

// `fail_from`: the request that fails, and all after it; 0: none.
static grz_io_options checked_options(checked_memory *m, long fail_from)
{
    grz_io_options options = grz_io_default_options();
    *m = (checked_memory){.strict = {.lock = PTHREAD_MUTEX_INITIALIZER, .fail_at = fail_from, .for_good = true}};
    m->inner = test_strict_allocator_of(&m->strict);
    options.allocator = (grz_allocator){checked_reallocate, checked_release, m};
    return options;
}

static void assert_all_given_back(const checked_memory *m)
{
    assert_true(m->strict.blocks == 0 && m->strict.bytes == 0 && !m->strict.misused);
}

// A sheet of n × n squares as OBJ, two triangles and a quad in turn, in three parts.
static file_text make_sheet(int n)
{
    file_text t = {0};
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++)
            file_print(&t, "v %d %d 0.125\n", i, j);
    for (int i = 0; i < n; i++) {
        if (i % (n / 3) == 0)
            file_print(&t, "o part %d\n", i);
        for (int j = 0; j < n; j++) {
            const int a = i * (n + 1) + j + 1, b = a + n + 1;
            if (j % 2 == 0)
                file_print(&t, "f %d %d %d %d\n", a, b, b + 1, a + 1);
            else
                file_print(&t, "f %d %d %d\nf %d %d %d\n", a, b, b + 1, a, b + 1, a + 1);
        }
    }
    return t;
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    grz_io_model *m = (grz_io_model *)test_directory;
    grz_io_options options = grz_io_default_options();
    grz_error error;
    assert_int_equal(grz_io_load_memory("a.obj", NULL, 3, NULL, &m, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_io_load_memory("a.obj", "v", 1, NULL, NULL, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_io_load_file(NULL, NULL, &m, NULL), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_io_file_open(NULL, NULL, NULL, NULL), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_io_describe(NULL, NULL, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_io_cutter_create(NULL, NULL, &error), GRZ_ERROR_ARGUMENT);
    options.limits.deadline = -1;
    assert_int_equal(grz_io_load_memory("a.obj", "v", 1, &options, &m, &error), GRZ_ERROR_ARGUMENT);
    options.limits.deadline = (double)NAN;
    assert_int_equal(grz_io_load_memory("a.obj", "v", 1, &options, &m, &error), GRZ_ERROR_ARGUMENT);
    options = grz_io_default_options();
    options.allocator.release = checked_release;
    assert_int_equal(grz_io_load_memory("a.obj", "v", 1, &options, &m, &error), GRZ_ERROR_ARGUMENT);
    options = grz_io_default_options();
    options.format = "XYZ";
    assert_int_equal(grz_io_load_memory("a.obj", "v", 1, &options, &m, &error), GRZ_ERROR_ARGUMENT);
    grz_io_model_destroy(NULL);
    grz_io_cutter_destroy(NULL);
    grz_io_file_close(NULL);
}

static void assert_refused(grz_status status, const grz_error *error, const char *message)
{
    assert_int_equal(status, GRZ_ERROR_ARGUMENT);
    assert_string_equal(error->message, message);
    assert_int_equal(error->code, GRZ_ERROR_ARGUMENT);
}

// A wrong argument is a mistake of the program, not of a file: the message begins with the call.
static void messages_about_arguments_name_the_call(void **state)
{
    (void)state;
    const uint8_t pixel[4] = {0};
    const file_sample *s = &file_samples[0];
    grz_mesh_description d = grz_default_mesh_description();
    grz_io_options options = grz_io_default_options();
    grz_io_cutter *cutter, *none = (grz_io_cutter *)test_directory;
    grz_io_file *file = (grz_io_file *)test_directory;
    grz_io_model *m = (grz_io_model *)test_directory;
    grz_error e;
    assert_refused(grz_io_load_file(NULL, NULL, &m, &e), &e, "load file: path is NULL");
    assert_null(m);
    assert_refused(grz_io_load_file("a.obj", NULL, NULL, &e), &e, "load file: model is NULL");
    assert_refused(grz_io_load_memory("a.obj", NULL, 3, NULL, &m, &e), &e, "load memory: bytes is NULL");
    assert_refused(grz_io_load_memory("a.obj", "v", 1, NULL, NULL, &e), &e, "load memory: model is NULL");
    assert_refused(grz_io_file_open(NULL, NULL, &file, &e), &e, "open file: path is NULL");
    assert_null(file);
    assert_refused(grz_io_file_open("a.obj", NULL, NULL, &e), &e, "open file: file is NULL");
    assert_refused(grz_io_file_open_descriptor(0, "a.obj", NULL, NULL, &e), &e, "open descriptor: file is NULL");
    assert_refused(grz_io_write_png("/tmp/a.png", 1, 1, NULL, &e), &e, "write PNG: pixels is NULL");
    assert_refused(grz_io_write_png(NULL, 1, 1, pixel, &e), &e, "write PNG: path is NULL");
    assert_refused(grz_io_write_png("/tmp/a.png", 0, 1, pixel, &e), &e,
                   "write PNG: width and height must be 1 to 2147483647");
    options.format = "XYZ";
    assert_refused(grz_io_load_memory("a.obj", "v", 1, &options, &m, &e), &e,
                   "load memory: options.format: no format is called \"XYZ\"");
    options.limits.deadline = -1;
    assert_refused(grz_io_load_file("a.obj", &options, &m, &e), &e,
                   "load file: options.limits.deadline is negative or not a number");
    assert_refused(grz_io_file_open("a.obj", &options, &file, &e), &e,
                   "open file: options.limits.deadline is negative or not a number");
    options = grz_io_default_options();
    options.allocator.release = checked_release;
    assert_refused(grz_io_file_open_descriptor(0, NULL, &options, &file, &e), &e,
                   "open descriptor: options.allocator has one function of the two");

    assert_int_equal(grz_io_load_memory(s->name, s->bytes, s->size, NULL, &m, NULL), GRZ_OK);
    assert_int_equal(grz_io_cutter_create(m, &cutter, NULL), GRZ_OK);
    assert_refused(grz_io_describe(NULL, &d, &e), &e, "describe model: model is NULL");
    assert_refused(grz_io_describe(m, NULL, &e), &e, "describe model: description is NULL");
    assert_refused(grz_io_cutter_create(m, NULL, &e), &e, "create cutter: cutter is NULL");
    assert_refused(grz_io_cutter_create(NULL, &none, &e), &e, "create cutter: model is NULL");
    assert_null(none);
    assert_refused(grz_io_cutter_cut(NULL, 0, &d, &e), &e, "cut part: cutter is NULL");
    assert_refused(grz_io_cutter_cut(cutter, 0, NULL, &e), &e, "cut part: description is NULL");
    assert_refused(grz_io_cutter_cut(cutter, SIZE_MAX, &d, &e), &e, "cut part: the model has no part of that number");
    d.size = 16;
    assert_refused(grz_io_describe(m, &d, &e), &e,
                   "describe model: description.size is too small; start from grz_default_mesh_description()");
    grz_io_cutter_destroy(cutter);
    grz_io_model_destroy(m);
}

// A program that was built with an older header has fewer members. One that was built with a newer header must leave
// zeros in members that this library does not know.
static void options_of_older_programs_are_understood(void **state)
{
    (void)state;
    const file_sample *s = &file_samples[0];
    grz_io_options options;
    grz_error error;
    grz_io_model *m;
    memset(&options, 0x55, sizeof options); // an older program may have any bytes behind the structure
    options.size = offsetof(grz_io_options, allocator);
    options.limits = (grz_limits){.cancel = NULL};
    options.format = "obj";
    assert_int_equal(grz_io_load_memory("a.stl", s->bytes, s->size, &options, &m, &error), GRZ_OK);
    assert_string_equal(m->format, "OBJ");
    grz_io_model_destroy(m);
    struct {
        grz_io_options known;
        unsigned char newer[8];
    } larger = {.known = grz_io_default_options()};
    larger.known.size = sizeof larger;
    assert_int_equal(grz_io_load_memory("a.obj", s->bytes, s->size, &larger.known, &m, &error), GRZ_OK);
    grz_io_model_destroy(m);
    larger.newer[7] = 1;
    assert_int_equal(grz_io_load_memory("a.obj", s->bytes, s->size, &larger.known, &m, &error), GRZ_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "load memory: options.size is "));
    const size_t wrong[] = {0, 8, 11, 5000};
    for (int i = 0; i < 4; i++) {
        options.size = wrong[i];
        assert_int_equal(grz_io_load_memory("a.obj", s->bytes, s->size, &options, &m, &error), GRZ_ERROR_ARGUMENT);
    }
}

// The library writes only as many bytes as the program has room for, whether it is newer or older than the program.
static void defaults_fill_only_the_callers_structure(void **state)
{
    (void)state;
    const grz_io_options whole = grz_io_default_options();
    assert_true(whole.size == sizeof whole && whole.format == NULL && whole.reason_size == 0);
    grz_io_options_init(NULL, sizeof whole);
    for (size_t size = 0; size <= sizeof whole + 16; size += 4) {
        unsigned char *block = malloc(size + 1);
        assert_non_null(block);
        memset(block, 0xaa, size + 1);
        grz_io_options_init((grz_io_options *)block, size);
        if (size >= sizeof size)
            assert_memory_equal(block, &size, sizeof size);
        for (size_t i = sizeof size; i < size; i++)
            assert_int_equal(block[i], 0);
        for (size_t i = size < sizeof size ? 0 : size; i <= size; i++)
            assert_int_equal(block[i], 0xaa);
        free(block);
    }
}

// Read every sample with each allocation failing in turn: no memory is lost, and the sizes given to the allocator are
// right.
static void memory_that_runs_out_is_an_error(void **state)
{
    (void)state;
    for (int i = 0; i < FILE_SAMPLE_COUNT; i++) {
        const file_sample *s = &file_samples[i];
        grz_status status = GRZ_ERROR_MEMORY;
        for (long from = 1; status != GRZ_OK; from++) {
            checked_memory memory;
            const grz_io_options options = checked_options(&memory, from);
            grz_io_model *m;
            grz_io_cutter *cutter = NULL;
            grz_error error;
            status = grz_io_load_memory(s->name, s->bytes, s->size, &options, &m, &error);
            assert_true((status == GRZ_OK) == (m != NULL));
            if (status == GRZ_OK)
                status = grz_io_cutter_create(m, &cutter, &error);
            assert_true(status == GRZ_OK || (status == GRZ_ERROR_MEMORY && error.code == GRZ_ERROR_MEMORY));
            grz_io_cutter_destroy(cutter);
            grz_io_model_destroy(m);
            assert_all_given_back(&memory);
            assert_true(from < 100);
        }
    }
}

static void the_memory_limit_holds(void **state)
{
    (void)state;
    file_text t = make_sheet(99);
    checked_memory all;
    grz_io_options options = checked_options(&all, 0);
    grz_io_model *m;
    grz_error error;
    assert_int_equal(grz_io_load_memory("a.obj", t.bytes, t.size, &options, &m, &error), GRZ_OK);
    const uint64_t needed =
        (m->vertex_count * 3 * sizeof(double)) + (m->index_count + m->face_count) * sizeof(uint32_t);
    grz_io_model_destroy(m);
    for (uint64_t limit = 1; limit < 3 * needed; limit += needed / 7) {
        checked_memory memory;
        options = checked_options(&memory, 0);
        options.limits.memory_limit = limit;
        const grz_status status = grz_io_load_memory("a.obj", t.bytes, t.size, &options, &m, &error);
        assert_int_equal(status, m != NULL ? GRZ_OK : GRZ_ERROR_MEMORY);
        assert_true(memory.most_bytes > 0 || limit < needed);
        assert_true((uint64_t)memory.most_bytes <= limit);
        assert_true(limit >= needed || status == GRZ_ERROR_MEMORY);
        assert_true(limit < 2 * needed ||
                    status == GRZ_OK); // arrays grow in steps, so a little more is needed than is kept in the end
        if (status != GRZ_OK)
            assert_non_null(strstr(error.message, "a.obj: not enough memory for the model: the limit is "));
        grz_io_model_destroy(m);
        assert_all_given_back(&memory);
    }
    free(t.bytes);
}

typedef struct watched {
    double last;
    unsigned calls;
    double cancel_at; // the share at which the flag goes up
    volatile int cancel;
} watched;

static void watch(double share, void *user)
{
    watched *w = user;
    assert_true(share >= w->last && share >= 0 && share <= 1);
    w->last = share;
    w->calls++;
    if (share >= w->cancel_at)
        w->cancel = 1;
}

// Files of every format, large enough for several checks: progress never falls and ends with 1; the flag ends reading
// soon.
static void large_files(file_text files[6])
{
    enum {
        COUNT = 60000
    };
    for (int i = 0; i < 6; i++)
        files[i] = (file_text){0};
    file_print(&files[0],
               "ply\nformat ascii 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\n"
               "element face %d\nproperty list uchar int vertex_index\nend_header\n",
               (int)COUNT, (int)COUNT);
    file_print(&files[1],
               "ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty float x\nproperty float y\n"
               "property float z\nelement face %d\nproperty list uchar int vertex_index\nend_header\n",
               (int)COUNT, (int)COUNT);
    file_print(&files[2], "OFF\n%d %d 0\n", (int)COUNT, (int)COUNT);
    file_print(&files[4], "solid a\n");
    char header[80] = "binary";
    file_append(&files[5], header, sizeof header);
    file_append_u32(&files[5], COUNT, false);
    for (int i = 0; i < COUNT; i++) {
        file_print(&files[0], "%d 1 2.5\n", i);
        file_print(&files[2], "%d 1 2.5\n", i);
        file_print(&files[3], "v %d 1 2.5\n", i);
        file_append_float(&files[1], (float)i, false);
        file_append_float(&files[1], 1, false);
        file_append_float(&files[1], 2.5F, false);
        file_print(&files[4],
                   "facet normal 0 0 0 outer loop vertex %d 1 2 vertex 0 0 0 vertex 1 0 0 endloop endfacet\n", i);
        for (int k = 0; k < 12; k++)
            file_append_float(&files[5], (float)(i + k), false);
        file_append(&files[5], "\0", 2);
    }
    for (int i = 0; i < COUNT; i++) {
        file_print(&files[0], "3 0 1 %d\n", i);
        file_print(&files[2], "3 0 1 %d\n", i);
        file_print(&files[3], "f 1 2 %d\n", i + 1);
        file_append(&files[1], "\3", 1);
        file_append_u32(&files[1], 0, false);
        file_append_u32(&files[1], 1, false);
        file_append_u32(&files[1], (uint32_t)i, false);
    }
    file_print(&files[4], "endsolid\n");
}

static const char *const large_names[6] = {"a.ply", "b.ply", "c.off", "d.obj", "e.stl", "f.stl"};

static void progress_is_reported_and_cancelling_ends_the_call(void **state)
{
    (void)state;
    file_text files[6];
    large_files(files);
    for (int i = 0; i < 6; i++) {
        for (int cancelled = 0; cancelled < 2; cancelled++) {
            watched w = {.cancel_at = cancelled ? 0.4 : 2};
            checked_memory memory;
            grz_io_options options = checked_options(&memory, 0);
            grz_io_model *m;
            grz_error error = {.element = 0};
            options.limits.progress = watch;
            options.limits.progress_user = &w;
            options.limits.cancel = &w.cancel;
            const grz_status status =
                grz_io_load_memory(large_names[i], files[i].bytes, files[i].size, &options, &m, &error);
            if (status != (cancelled ? GRZ_ERROR_CANCELLED : GRZ_OK))
                fail_msg("%s: %s, %u reports, the last of %g", large_names[i], grz_status_name(status), w.calls,
                         w.last);
            if (cancelled) {
                assert_true(m == NULL && w.last < 0.8 && error.element == GRZ_NO_ELEMENT);
                assert_true(strcmp(error.message + 5, ": cancelled") == 0);
            } else {
                assert_true(w.calls >= files[i].size / (300 << 10) && w.last >= 1);
            }
            grz_io_model_destroy(m);
            assert_all_given_back(&memory);
        }
        free(files[i].bytes);
    }
}

static void deadlines_end_the_call(void **state)
{
    (void)state;
    file_text t = make_sheet(300);
    grz_io_options options = grz_io_default_options();
    grz_io_model *m;
    grz_io_file *file;
    grz_error error;
    int ends[2];
    options.limits.deadline = 1e-9;
    assert_int_equal(grz_io_load_memory("a.obj", t.bytes, t.size, &options, &m, &error), GRZ_ERROR_DEADLINE);
    assert_string_equal(error.message, "a.obj: not read within 1e-09 s");
    free(t.bytes);
    // A pipe without data that stays open.
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    options.limits.deadline = 0.1;
    assert_int_equal(grz_io_file_open_descriptor(ends[0], "a pipe", &options, &file, &error), GRZ_ERROR_DEADLINE);
    assert_string_equal(error.message, "a pipe: not read within 0.1 s");
    const volatile int cancel = 1;
    options = grz_io_default_options();
    options.limits.cancel = &cancel;
    assert_int_equal(grz_io_file_open_descriptor(ends[0], NULL, &options, &file, &error), GRZ_ERROR_CANCELLED);
    assert_string_equal(error.message, "descriptor: cancelled");
    close(ends[0]);
    close(ends[1]);
}

static void files_are_mapped_and_pipes_collected(void **state)
{
    (void)state;
    const file_sample *s = &file_samples[1];
    char path[FILE_PATH_SIZE];
    checked_memory memory;
    const grz_io_options options = checked_options(&memory, 0);
    grz_io_file *file;
    grz_error error;
    int ends[2];
    write_test_file(test_directory, s->name, s->bytes, s->size, path);
    assert_int_equal(grz_io_file_open(path, &options, &file, &error), GRZ_OK);
    assert_true(file->mapped && file->size == s->size && memcmp(file->bytes, s->bytes, s->size) == 0);
    grz_io_file_close(file);
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    assert_true(write(ends[1], s->bytes, s->size) == (ssize_t)s->size);
    close(ends[1]);
    assert_int_equal(grz_io_file_open_descriptor(ends[0], NULL, &options, &file, &error), GRZ_OK);
    assert_true(!file->mapped && file->size == s->size && memcmp(file->bytes, s->bytes, s->size) == 0);
    grz_io_file_close(file);
    close(ends[0]);
    // A descriptor is read from its present position.
    const int opened = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(opened >= 0 && lseek(opened, 5, SEEK_SET) == 5);
    assert_int_equal(grz_io_file_open_descriptor(opened, NULL, &options, &file, &error), GRZ_OK);
    assert_true(!file->mapped && file->size == s->size - 5 && memcmp(file->bytes, s->bytes + 5, s->size - 5) == 0);
    grz_io_file_close(file);
    close(opened);
    assert_all_given_back(&memory);
}

static void formats_are_listed_and_recognised(void **state)
{
    (void)state;
    static const struct {
        const char *name, *bytes, *format;
        grz_io_evidence evidence;
    } cases[] = {
        {"a.obj", "ply\nformat", "PLY", GRZ_IO_BY_BYTES}, {NULL, "COFF\n1 1 1", "OFF", GRZ_IO_BY_BYTES},
        {"a.STL", "nothing", "STL", GRZ_IO_BY_NAME},      {"a.stl", "solid\nfacet", "STL", GRZ_IO_BY_BYTES},
        {"a.obj", "\001\002", "OBJ", GRZ_IO_BY_NAME},     {"dir.ply/x.obj", "v 0 0 0", "OBJ", GRZ_IO_BY_BYTES},
        {"a.xyz", "v 0 0 0", "OBJ", GRZ_IO_GUESS},        {"a", "\001\002", NULL, GRZ_IO_UNKNOWN},
        {".obj", "\001\002", NULL, GRZ_IO_UNKNOWN},       {"a.ob", "\001", NULL, GRZ_IO_UNKNOWN},
        {"a.objx", "\001", NULL, GRZ_IO_UNKNOWN},         {"a.ply", "nothing", "PLY", GRZ_IO_BY_NAME},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        grz_io_evidence evidence;
        const char *format = grz_io_detect(cases[i].name, cases[i].bytes, strlen(cases[i].bytes), &evidence);
        if ((format == NULL) != (cases[i].format == NULL) || (format && strcmp(format, cases[i].format) != 0) ||
            evidence != cases[i].evidence)
            fail_msg("case %zu: %s, evidence %d", i, format ? format : "no format", (int)evidence);
    }
    grz_io_format format;
    char all[100] = "";
    for (size_t i = 0; grz_io_format_info(i, &format); i++)
        (void)snprintf(all + strlen(all), sizeof all - strlen(all), "%s %s,", format.name, format.extensions);
    assert_string_equal(all, "PLY ply,OFF off,glTF gltf glb,3MF 3mf,COLLADA dae,STL stl,OBJ obj,");
    assert_true(format.name == NULL && format.extensions == NULL);
    // A file whose format cannot be recognised is read if the caller names the format.
    grz_io_options options = grz_io_default_options();
    grz_io_model *m;
    options.format = "OFF";
    static const char bare[] = "3 1\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    assert_int_equal(grz_io_load_memory("a", bare, strlen(bare), &options, &m, NULL), GRZ_OK);
    assert_string_equal(m->format, "OFF");
    grz_io_model_destroy(m);
}

// The whole model and each part as meshes of the library: the same faces at the same places.
static void models_are_described_whole_and_in_parts(void **state)
{
    (void)state;
    file_text t = make_sheet(30);
    grz_device *device = test_device_open(1);
    grz_io_model *m;
    grz_io_cutter *cutter;
    grz_mesh *mesh;
    grz_error error;
    uint64_t faces = 0, corners = 0;
    assert_int_equal(grz_io_load_memory("a.obj", t.bytes, t.size, NULL, &m, &error), GRZ_OK);
    assert_true(m->part_count == 3 && m->corner_counts != NULL && strcmp(m->parts[1].name, "part 10") == 0);
    grz_mesh_description d = grz_default_mesh_description();
    d.flags = GRZ_MESH_FAST_BUILD; // stays
    assert_int_equal(grz_io_describe(m, &d, &error), GRZ_OK);
    assert_true(d.flags == GRZ_MESH_FAST_BUILD && d.positions == m->positions && d.vertex_count == 31 * 31);
    assert_int_equal(grz_mesh_create(device, &d, &mesh, &error), GRZ_OK);
    assert_true(grz_mesh_face_count(mesh) == m->face_count && m->face_count == 30 * 45);
    grz_mesh_destroy(mesh);

    assert_int_equal(grz_io_cutter_create(m, &cutter, &error), GRZ_OK);
    for (size_t part = 0; part < m->part_count; part++) {
        d = grz_default_mesh_description();
        assert_int_equal(grz_io_cutter_cut(cutter, part, &d, &error), GRZ_OK);
        assert_true(d.vertex_count == 11 * 31 && d.face_count == m->parts[part].face_count && d.face_count == 10 * 45);
        assert_true(m->parts[part].first_face == faces && m->parts[part].first_index == corners);
        const double *positions = d.positions;
        for (uint64_t i = 0; i < d.index_count; i++)
            assert_memory_equal(positions + (size_t)3 * d.indices[i],
                                m->positions + (size_t)3 * m->indices[corners + i], 3 * sizeof(double));
        for (uint64_t f = 0; f < d.face_count; f++)
            assert_true(d.corner_counts[f] == m->corner_counts[faces + f]);
        assert_int_equal(grz_mesh_create(device, &d, &mesh, &error), GRZ_OK);
        assert_true(grz_mesh_vertex_count(mesh) == 11 * 31);
        grz_mesh_destroy(mesh);
        faces += d.face_count;
        corners += d.index_count;
    }
    assert_true(faces == m->face_count && corners == m->index_count);
    assert_int_equal(grz_io_cutter_cut(cutter, 3, &d, &error), GRZ_ERROR_ARGUMENT);
    assert_true(error.element == 3);
    d.size = 16;
    assert_int_equal(grz_io_cutter_cut(cutter, 0, &d, &error), GRZ_ERROR_ARGUMENT);
    assert_int_equal(grz_io_describe(m, &d, &error), GRZ_ERROR_ARGUMENT);
    grz_io_cutter_destroy(cutter);
    grz_io_model_destroy(m);
    grz_device_close(device);
    free(t.bytes);
}

// Numbers that need rounding, and one that is subnormal, by all three ways to convert them.
static const char HARD[] =
    "v 0.1 1e23 4.9e-324\nv 2.2250738585072011e-308 123456789012345678e-19 1e-310\nv 0 1 1\nf 1 2 3\n";

static void the_callers_floating_point_environment_does_not_matter(void **state)
{
    (void)state;
    const double expected[9] = {0.1, 1e23, 4.9e-324, 2.2250738585072011e-308, 0.0123456789012345678, 1e-310, 0, 1, 1};
    for (int mode = 0; mode < 3; mode++) {
        grz_io_model *m;
#if defined(__SSE2__)
        const unsigned before = _mm_getcsr();
        if (mode == 2)
            _mm_setcsr(before | 0x8040); // flush to zero, denormals are zero
        const unsigned mine = _mm_getcsr();
#endif
        fesetround(mode == 1 ? FE_UPWARD : FE_TONEAREST);
        const grz_status status = grz_io_load_memory("a.obj", HARD, strlen(HARD), NULL, &m, NULL);
        const int round = fegetround();
        fesetround(FE_TONEAREST);
#if defined(__SSE2__)
        const unsigned after = _mm_getcsr();
        _mm_setcsr(before);
        assert_true((after & 0x8040) == (mine & 0x8040));
#endif
        assert_int_equal(status, GRZ_OK);
        assert_int_equal(round, mode == 1 ? FE_UPWARD : FE_TONEAREST);
        assert_memory_equal(m->positions, expected, sizeof expected);
        grz_io_model_destroy(m);
    }
}

static void *load_again_and_again(void *user)
{
    for (int round = 0; round < 40; round++)
        for (int i = 0; i < FILE_SAMPLE_COUNT; i++) {
            const file_sample *s = &file_samples[i];
            grz_io_model *m;
            if (grz_io_load_memory(s->name, s->bytes, s->size, NULL, &m, NULL) != GRZ_OK ||
                m->face_count != s->face_count)
                return NULL;
            grz_io_model_destroy(m);
            if (grz_io_load_memory(s->name, s->bytes, s->size / 2, NULL, &m, NULL) == GRZ_OK)
                grz_io_model_destroy(m);
        }
    return user;
}

static void threads_read_at_once(void **state)
{
    (void)state;
    pthread_t threads[4];
    uint64_t mark = 0;
    void *result;
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, load_again_and_again, &mark), 0);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_ptr_equal(result, &mark);
    }
}

static void errors_name_the_file_and_the_place(void **state)
{
    (void)state;
    char name[700], reason[512];
    grz_io_options options = grz_io_default_options();
    grz_error error;
    grz_io_model *m;
    assert_int_equal(grz_io_load_memory("a.obj", "v 0 0 0\nv 1 zero 0\n", 19, NULL, &m, &error), GRZ_ERROR_FORMAT);
    assert_string_equal(error.message, "a.obj: line 2: the y coordinate \"zero\" is not a number");
    assert_true(error.element == 2 && error.code == GRZ_ERROR_FORMAT);
    const file_sample *s = &file_samples[2];
    assert_int_equal(grz_io_load_memory("b.stl", s->bytes, s->size - 1, NULL, &m, &error), GRZ_ERROR_FORMAT);
    assert_string_equal(
        error.message, "b.stl: byte 80: the header of the binary STL declares 12 facets, but the file has room for 11");
    assert_true(error.element == 80);
    // Of a long name the end is kept, whole characters of it, and the reason.
    memset(name, 'n', sizeof name);
    for (size_t i = 0; i + 8 < sizeof name; i += 2)
        memcpy(name + i, "\xC3\xA4", 2);
    memcpy(name + sizeof name - 5, ".obj", 5);
    assert_int_equal(grz_io_load_memory(name, "f 1 2 3\n", 8, NULL, &m, &error), GRZ_ERROR_FORMAT);
    assert_true(strncmp(error.message, "...\xC3\xA4", 5) == 0 && strlen(error.message) >= 250);
    assert_non_null(strstr(error.message, ".obj: line 1: vertex number 3, but the file has only 0 vertices"));
    // A file without a name.
    assert_int_equal(grz_io_load_file("", NULL, &m, &error), GRZ_ERROR_FILE);
    assert_string_equal(error.message, "\"\": cannot be opened: No such file or directory");
    // The reason is given in full where there is room, cut to what there is otherwise.
    options.reason = reason;
    options.reason_size = sizeof reason;
    assert_int_equal(grz_io_load_memory(name, "f 1 2 3\n", 8, &options, &m, &error), GRZ_ERROR_FORMAT);
    assert_string_equal(reason, "line 1: vertex number 3, but the file has only 0 vertices");
    options.reason_size = 7;
    assert_int_equal(grz_io_load_memory(name, "f 1 2 3\n", 8, &options, &m, NULL), GRZ_ERROR_FORMAT);
    assert_string_equal(reason, "line 1");
}

static void pictures_are_written_as_they_are(void **state)
{
    (void)state;
    enum {
        WIDTH = 7,
        HEIGHT = 5
    };
    uint8_t pixels[HEIGHT * WIDTH * 4], read[HEIGHT * WIDTH * 4];
    char path[FILE_PATH_SIZE];
    grz_error error;
    png_image image = {.version = PNG_IMAGE_VERSION};
    for (int i = 0; i < HEIGHT * WIDTH * 4; i++)
        pixels[i] = (uint8_t)(i % 4 == 3 ? 255 : i * 37);
    write_test_file(test_directory, "a.png", "old", 3, path);
    assert_int_equal(grz_io_write_png(path, WIDTH, HEIGHT, pixels, &error), GRZ_OK);
    assert_true(png_image_begin_read_from_file(&image, path) != 0 && image.width == WIDTH && image.height == HEIGHT);
    image.format = PNG_FORMAT_RGBA;
    assert_true(png_image_finish_read(&image, NULL, read, 0, NULL) != 0);
    assert_memory_equal(read, pixels, sizeof pixels);
    assert_int_equal(grz_io_write_png("/nonexistent/a.png", WIDTH, HEIGHT, pixels, &error), GRZ_ERROR_FILE);
    assert_string_equal(error.message, "/nonexistent/a.png: No such file or directory");
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(grz_io_write_png("/dev/full", WIDTH, HEIGHT, pixels, &error), GRZ_ERROR_FILE);
        assert_string_equal(error.message, "/dev/full: No space left on device");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(messages_about_arguments_name_the_call),
        cmocka_unit_test(options_of_older_programs_are_understood),
        cmocka_unit_test(defaults_fill_only_the_callers_structure),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
        cmocka_unit_test(the_memory_limit_holds),
        cmocka_unit_test(progress_is_reported_and_cancelling_ends_the_call),
        cmocka_unit_test(deadlines_end_the_call),
        cmocka_unit_test(files_are_mapped_and_pipes_collected),
        cmocka_unit_test(formats_are_listed_and_recognised),
        cmocka_unit_test(models_are_described_whole_and_in_parts),
        cmocka_unit_test(the_callers_floating_point_environment_does_not_matter),
        cmocka_unit_test(threads_read_at_once),
        cmocka_unit_test(errors_name_the_file_and_the_place),
        cmocka_unit_test(pictures_are_written_as_they_are),
    };
    return cmocka_run_group_tests(tests, begin_file_tests, end_file_tests);
}
