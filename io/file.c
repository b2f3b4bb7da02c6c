// SPDX-License-Identifier: MIT
// Maps regular files, so that a huge file of garbage costs nothing, and collects what comes from pipes.
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// What a pipe may hold. Files are mapped and have no such limit.
#define LARGEST_PIPE (UINT64_C(4) << 30)

enum {
    FIRST_ROOM = 65536, // bytes for what comes from a pipe, at first
    WAIT_MS = 50        // between two looks at the flag and the clock while a pipe is silent
};

// The system's words for an error number, by the function that is safe on several threads.
static bool fail_by_system(load_control *control, const char *what, int number)
{
    char text[128];
    const char *words = strerror_r(number, text, sizeof text) == 0 ? text : "unknown error";
    return grz_io_control_fail(control, GRZ_ERROR_FILE, GRZ_NO_ELEMENT, "%s: %s", what, words);
}

static bool fail_file(load_control *control, const char *what)
{
    return grz_io_control_fail(control, GRZ_ERROR_FILE, GRZ_NO_ELEMENT, "%s", what);
}

static bool grow(load_control *control, file_bytes *out)
{
    if (out->capacity >= LARGEST_PIPE)
        return grz_io_control_fail(control, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT,
                                   "more than %llu GiB from a pipe: save it to a file first",
                                   (unsigned long long)(LARGEST_PIPE >> 30));
    const size_t wanted = out->capacity ? 2 * out->capacity : FIRST_ROOM;
    void *moved = grz_io_control_reallocate(control, (void *)out->shown.bytes, out->capacity, wanted);
    if (moved == NULL)
        return grz_io_control_fail(control, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT,
                                   "not enough memory for what the pipe holds");
    out->shown.bytes = moved;
    out->capacity = wanted;
    return true;
}

// Everything that comes from a pipe.
static bool collect(load_control *control, int descriptor, file_bytes *out)
{
    for (;;) {
        struct pollfd wait = {.fd = descriptor, .events = POLLIN};
        if (!grz_io_control_goes_on(control) || (out->shown.size == out->capacity && !grow(control, out)))
            return false;
        const int ready = poll(&wait, 1, WAIT_MS);
        if (ready == 0 || (ready < 0 && errno == EINTR)) // the signal may have set the flag
            continue;
        if (ready < 0)
            return fail_by_system(control, "cannot be read", errno);
        unsigned char *to = (unsigned char *)out->shown.bytes + out->shown.size;
        const ssize_t n = read(descriptor, to, out->capacity - out->shown.size);
        if (n == 0)
            return true;
        if (n < 0 && errno != EINTR && errno != EAGAIN)
            return fail_by_system(control, "cannot be read", errno);
        out->shown.size += n > 0 ? (size_t)n : 0;
    }
}

static bool map(load_control *control, int descriptor, uint64_t size, file_bytes *out)
{
    out->shown.mapped = true;
    if (size == 0)
        return true;
    void *bytes = size > SIZE_MAX ? MAP_FAILED : mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (bytes == MAP_FAILED)
        return fail_by_system(control, "cannot be mapped to memory", errno);
    (void)posix_madvise(bytes, (size_t)size, POSIX_MADV_SEQUENTIAL);
    out->shown.bytes = bytes;
    out->shown.size = (size_t)size;
    return true;
}

// `begun`: a part of the file was read before; the model is what is left.
static bool read_open(load_control *control, int descriptor, bool begun, file_bytes *out)
{
    struct stat about;
    if (fstat(descriptor, &about) != 0)
        return fail_by_system(control, "cannot be opened", errno);
    if (S_ISDIR(about.st_mode))
        return fail_file(control, "is a directory");
    if (S_ISREG(about.st_mode) && !begun)
        return map(control, descriptor, (uint64_t)about.st_size, out);
    if (S_ISREG(about.st_mode) || S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode))
        return collect(control, descriptor, out);
    return fail_file(control, "is a device, neither a file nor a pipe");
}

bool grz_io_open_descriptor(load_control *control, int descriptor, file_bytes *out)
{
    *out = (file_bytes){.allocator = control->allocator};
    if (read_open(control, descriptor, lseek(descriptor, 0, SEEK_CUR) > 0, out))
        return true;
    grz_io_release_file(out, &control->allocator);
    return false;
}

bool grz_io_open_path(load_control *control, const char *path, file_bytes *out)
{
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0)
        return fail_by_system(control, "cannot be opened", errno);
    const bool ok = grz_io_open_descriptor(control, descriptor, out);
    close(descriptor);
    return ok;
}

void grz_io_release_file(file_bytes *file, const grz_allocator *allocator)
{
    void *bytes = (void *)file->shown.bytes;
    if (bytes != NULL && file->shown.mapped)
        munmap(bytes, file->shown.size);
    else
        grz_io_release_block(allocator, bytes, file->capacity);
    file->shown = (grz_io_file){0};
}

// Move what was read to the heap, for the caller.
static grz_status hand_over(load_control *control, const char *name, file_bytes *read, bool ok, grz_io_file **file,
                            grz_error *error)
{
    file_bytes *owned = ok ? grz_io_control_reallocate(control, NULL, 0, sizeof *owned) : NULL;
    if (ok && owned == NULL) {
        grz_io_release_file(read, &control->allocator);
        grz_io_control_fail(control, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "out of memory");
    }
    if (owned == NULL)
        return grz_io_control_explain(control, name, error);
    *owned = *read;
    *file = &owned->shown;
    return GRZ_OK;
}

grz_status grz_io_file_open(const char *path, const grz_io_options *options, grz_io_file **file, grz_error *error)
{
    load_control control;
    file_bytes read = {0};
    if (file != NULL)
        *file = NULL;
    if (path == NULL || file == NULL)
        return grz_io_refuse("open file", path == NULL ? "path is NULL" : "file is NULL", error);
    const grz_status status = grz_io_control_begin(&control, "open file", options, error);
    if (status != GRZ_OK)
        return status;
    const bool ok = grz_io_open_path(&control, path, &read);
    return hand_over(&control, path, &read, ok, file, error);
}

grz_status grz_io_file_open_descriptor(int descriptor, const char *name, const grz_io_options *options,
                                       grz_io_file **file, grz_error *error)
{
    load_control control;
    file_bytes read = {0};
    const char *shown = name != NULL ? name : "descriptor";
    if (file == NULL)
        return grz_io_refuse("open descriptor", "file is NULL", error);
    *file = NULL;
    const grz_status status = grz_io_control_begin(&control, "open descriptor", options, error);
    if (status != GRZ_OK)
        return status;
    const bool ok = grz_io_open_descriptor(&control, descriptor, &read);
    return hand_over(&control, shown, &read, ok, file, error);
}

void grz_io_file_close(grz_io_file *file)
{
    if (file == NULL)
        return;
    file_bytes *owned = (file_bytes *)file;
    const grz_allocator allocator = owned->allocator;
    grz_io_release_file(owned, &allocator);
    grz_io_release_block(&allocator, owned, sizeof *owned);
}
