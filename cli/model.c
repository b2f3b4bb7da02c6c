// SPDX-License-Identifier: MIT
// Reads a model file: maps it or, from a pipe, collects it; tells the format; has its reader fill the model. The first bytes
// decide where they are clear (PLY, OFF, STL text, and the signatures of glTF, 3MF, FBX), then the extension; text without one
// is tried as OBJ. A regular file must not shrink while it is read: it is mapped, so that a huge file of garbage costs nothing.
#define _POSIX_C_SOURCE 200809L
#include "model.h"
#include "read.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// What a pipe may hold. Files are mapped and have no such limit.
#define LARGEST_PIPE (UINT64_C(4) << 30)

void model_finish(model *m)
{
    for (size_t i = 0; i < m->part_count; i++)
        free(m->parts[i].name);
    for (size_t i = 0; i < m->note_count; i++)
        free(m->notes[i]);
    for (size_t i = 0; i < m->instance_count; i++)
        free(m->instances[i].name);
    free(m->positions);
    free(m->indices);
    free(m->corner_counts);
    free(m->parts);
    free(m->meshes);
    free(m->instances);
    free(m->notes);
    *m = (model){0};
}

// The extension without its dot; "" where the name has none.
static const char *extension_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    return dot && dot != name ? dot + 1 : "";
}

// No byte that a text would not have, as far as the start of the file shows.
static bool looks_like_text(const unsigned char *bytes, size_t size)
{
    size_t shown = size < 4096 ? size : 4096;
    for (size_t i = 0; i < shown; i++)
        if (bytes[i] < ' ' && !scan_is_blank(bytes[i]) && !scan_is_line_end(bytes[i]))
            return false;
    return true;
}

// The extension that belongs to a file's first bytes, for formats that are Assimp's; NULL where they say nothing.
static const char *foreign_signature(const unsigned char *bytes, size_t size)
{
    static const struct {
        const char *bytes, *extension;
    } known[] = {{"glTF", "glb"}, {"PK\003\004", "3mf"}, {"Kaydara FBX Binary", "fbx"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i].bytes);
        if (size >= length && memcmp(bytes, known[i].bytes, length) == 0)
            return known[i].extension;
    }
    return NULL;
}

// Files of foreign formats, and those of no or an unknown extension.
static bool read_other(reader *r, bool is_file, const char *extension)
{
    bool unknown = false;
    const char *signature = foreign_signature(r->bytes, r->size);
    if (r->no_child && ((is_file && *extension) || signature)) {
        r->needs_child = true;
        return false;
    }
    if (is_file && *extension) {
        if (read_assimp(r, NULL, &unknown))
            return true;
        if (!unknown)
            return false;
    }
    if (signature)
        return read_assimp(r, signature, &unknown);
    if (looks_like_stl_binary(r->bytes, r->size))
        return read_stl(r);
    if (looks_like_text(r->bytes, r->size))
        return read_obj(r, true);
    return reader_fail(r, "no model of a known format: neither first bytes nor extension name one");
}

static bool read_any(reader *r, bool is_file)
{
    const unsigned char *bytes = r->bytes;
    const char *extension = extension_of(r->path);
    bool obj = strcasecmp(extension, "obj") == 0, stl = strcasecmp(extension, "stl") == 0;
    bool ply = strcasecmp(extension, "ply") == 0, off = strcasecmp(extension, "off") == 0;
    if (looks_like_ply(bytes, r->size))
        return read_ply(r);
    if (looks_like_off(bytes, r->size))
        return read_off(r, true);
    if (looks_like_stl_text(bytes, r->size))
        return read_stl(r);
    if ((obj || stl || ply || off) && foreign_signature(bytes, r->size) && !(stl && looks_like_stl_binary(bytes, r->size)))
        return read_other(r, false, "");
    if (stl)
        return read_stl(r);
    if (ply)
        return read_ply(r);
    if (off)
        return read_off(r, false);
    if (obj)
        return read_obj(r, false);
    return read_other(r, is_file, extension);
}

static bool fail_without_faces(reader *r)
{
    uint64_t vertices = r->out->vertex_count;
    if (vertices == 0)
        return reader_fail(r, "no faces and no vertices in it");
    const char *note = r->out->note_count > 0 ? r->out->notes[0] : NULL; // what there was instead
    return reader_fail(r, "no faces in it (%llu %s%s%s)", (unsigned long long)vertices, vertices == 1 ? "vertex" : "vertices",
                       note != NULL ? ", " : "", note != NULL ? note : "");
}

static bool read_bytes(reader *r, bool is_file, const unsigned char *bytes, size_t size)
{
    model *out = r->out;
    *out = (model){.file_bytes = size};
    r->bytes = bytes;
    r->size = size;
    // strtod and printf follow the locale of the thread; this one writes a point in numbers.
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0) {
        reader_fail_memory(r);
        *out = (model){0};
        return false;
    }
    locale_t before = uselocale(plain);
    bool ok = size > 0 ? read_any(r, is_file) : reader_fail(r, "the file is empty");
    if (ok && out->face_count == 0)
        ok = fail_without_faces(r);
    uselocale(before);
    freelocale(plain);
    if (!ok)
        model_finish(out);
    return ok;
}

bool model_read_memory(const char *path, bool is_file, const unsigned char *bytes, size_t size, model *out,
                       char message[MODEL_MESSAGE_SIZE])
{
    *message = '\0';
    reader r = {.path = path, .out = out, .message = message};
    return read_bytes(&r, is_file, bytes, size);
}

// Everything that comes from a pipe.
static bool collect(reader *r, int file, unsigned char **bytes, size_t *size)
{
    size_t capacity = 0;
    *bytes = NULL;
    *size = 0;
    for (;;) {
        if (*size == capacity) {
            if (capacity >= LARGEST_PIPE)
                return reader_fail(r, "more than %llu GiB from a pipe: save it to a file first",
                                   (unsigned long long)(LARGEST_PIPE >> 30));
            capacity = capacity ? 2 * capacity : 65536;
            unsigned char *moved = realloc(*bytes, capacity);
            if (!moved)
                return reader_fail_memory(r);
            *bytes = moved;
        }
        ssize_t n = read(file, *bytes + *size, capacity - *size);
        if (n == 0)
            return true;
        if (n < 0 && errno != EINTR)
            return reader_fail(r, "cannot be read: %s", strerror(errno));
        *size += n > 0 ? (size_t)n : 0;
    }
}

static bool read_pipe(reader *r, int file)
{
    unsigned char *bytes;
    size_t size;
    bool ok = collect(r, file, &bytes, &size) && read_bytes(r, false, bytes, size);
    free(bytes);
    return ok;
}

static bool read_regular(reader *r, int file, uint64_t size)
{
    if (size == 0)
        return reader_fail(r, "the file is empty");
    void *bytes = size > SIZE_MAX ? MAP_FAILED : mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED)
        return reader_fail(r, "cannot be mapped to memory: %s", strerror(errno));
    (void)posix_madvise(bytes, (size_t)size, POSIX_MADV_SEQUENTIAL);
    bool ok = read_bytes(r, true, bytes, (size_t)size);
    munmap(bytes, (size_t)size);
    return ok;
}

static bool read_path(reader *r)
{
    const char *path = r->path;
    struct stat about;
    bool standard_input = strcmp(path, "-") == 0;
    int file = standard_input ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (file < 0)
        return reader_fail(r, "cannot be opened: %s", strerror(errno));
    // Whoever had standard input before may have read a part of it: the model is what is left.
    bool ok, begun = standard_input && lseek(file, 0, SEEK_CUR) > 0;
    if (fstat(file, &about) != 0)
        ok = reader_fail(r, "cannot be opened: %s", strerror(errno));
    else if (S_ISDIR(about.st_mode))
        ok = reader_fail(r, "is a directory");
    else if (S_ISREG(about.st_mode) && !begun)
        ok = read_regular(r, file, (uint64_t)about.st_size);
    else if (S_ISREG(about.st_mode) || S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode))
        ok = read_pipe(r, file);
    else
        ok = reader_fail(r, "is a device, neither a file nor a pipe");
    close(file);
    return ok;
}

bool model_read_instances(const char *path, model *out, char message[MODEL_MESSAGE_SIZE])
{
    *out = (model){0};
    *message = '\0';
    reader r = {.path = path, .out = out, .message = message};
    return read_path(&r);
}

bool model_read_childless(const char *path, model *out, char message[MODEL_MESSAGE_SIZE], bool *needs_child)
{
    *out = (model){0};
    *message = '\0';
    reader r = {.path = path, .out = out, .message = message, .no_child = true};
    bool ok = read_path(&r);
    *needs_child = r.needs_child;
    return ok;
}

bool model_read(const char *path, model *out, char message[MODEL_MESSAGE_SIZE])
{
    if (!model_read_instances(path, out, message))
        return false;
    if (model_flatten(out, path, message))
        return true;
    model_finish(out);
    return false;
}
