// SPDX-License-Identifier: MIT
// Buffers: the binary chunk of a GLB, base64 in the text, or a file beside this one. Each is loaded when it is first
// used, so that textures are not.
#include "gltf/gltf.h"

#include <string.h>
#include <sys/stat.h>

enum {
    PATH_ROOM = 4096
};

// The value of a digit of base64, 64 for anything else.
static unsigned digit(unsigned char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A' + 0u
           : c >= 'a' && c <= 'z' ? c - 'a' + 26u
           : c >= '0' && c <= '9' ? c - '0' + 52u
           : c == '+'             ? 62u
           : c == '/'             ? 63u
                                  : 64u;
}

bool grz_io_gltf_decode_base64(gltf *g, const char *text, size_t length, unsigned char **bytes, size_t *size,
                               size_t *room)
{
    const size_t blank = strcspn(text, " \t\r\n");
    if (blank < length)
        return grz_io_gltf_fail(
            g, "character %zu of the base64 of its uri is a blank or a line's end, which a data URI must not have",
            blank);
    while (length > 0 && text[length - 1] == '=' && length % 4 != 1)
        length--;
    if (length % 4 == 1)
        return grz_io_gltf_fail(g, "the base64 of its uri ends within a byte");
    *size = length / 4 * 3 + length % 4 * 3 / 4;
    *room = *size + 1;
    *bytes = grz_io_gltf_allocate(g, *room, 1);
    unsigned char *to = *bytes;
    for (size_t i = 0; to != NULL && i < length; i += 4) {
        const size_t digits = length - i < 4 ? length - i : 4;
        uint32_t bits = 0;
        for (size_t k = 0; k < 4; k++) {
            const unsigned value = k < digits ? digit((unsigned char)text[i + k]) : 0;
            if (value == 64)
                return grz_io_gltf_fail(g, "character %zu of the base64 of its uri is none of base64", i + k);
            bits = bits << 6 | value;
        }
        for (size_t k = 0; k + 1 < digits; k++)
            *to++ = (unsigned char)(bits >> (16 - 8 * k));
    }
    return *bytes != NULL;
}

static bool load_data_uri(gltf *g, const char *uri, gltf_buffer *b)
{
    static const char mark[] = ";base64";
    const char *comma = strchr(uri, ',');
    size_t size = 0;
    if (comma == NULL || (size_t)(comma - uri) < sizeof mark - 1 ||
        strncmp(comma - (sizeof mark - 1), mark, sizeof mark - 1) != 0)
        return grz_io_gltf_fail(g, "its data URI is not base64");
    if (!grz_io_gltf_decode_base64(g, comma + 1, strlen(comma + 1), &b->decoded, &size, &b->decoded_room))
        return false;
    if (size < b->size)
        return grz_io_gltf_fail(g, "byteLength is %llu, but its data URI has %zu bytes", (unsigned long long)b->size,
                                size);
    b->bytes = b->decoded;
    return true;
}

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

// Replace %20 and the like. False where the text is too long or a code is none.
static bool decode_percents(const char *uri, char *to, size_t room)
{
    size_t n = 0;
    for (const char *p = uri; *p != '\0'; p++) {
        char c = *p;
        if (c == '%') {
            const int high = hex(p[1]), low = high >= 0 ? hex(p[2]) : -1;
            if (low < 0 || high + low == 0)
                return false;
            c = (char)(16 * high + low);
            p += 2;
        }
        if (n + 1 >= room)
            return false;
        to[n++] = c;
    }
    to[n] = '\0';
    return n > 0;
}

// Whether it begins with a scheme, as "https:" does.
static bool has_scheme(const char *uri)
{
    const size_t length = strspn(uri, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.");
    return length > 0 && uri[length] == ':';
}

// The path of a file beside this one.
static bool find_path(gltf *g, const char *uri, char path[PATH_ROOM])
{
    char quote[SCAN_QUOTE_SIZE];
    const char *directory = g->r->directory;
    if (has_scheme(uri) || uri[0] == '/' || uri[0] == '\\')
        return grz_io_gltf_fail(g, "%s is no path relative to this file, and others are not read",
                                grz_io_gltf_quote(uri, quote));
    if (directory == NULL)
        return grz_io_gltf_fail(
            g,
            "%s is a file of its own, and it is not known where this file lies: it came from a pipe or "
            "from memory",
            grz_io_gltf_quote(uri, quote));
    const size_t length = strlen(directory), slash = length > 0 && directory[length - 1] != '/';
    if (length + slash >= PATH_ROOM || !decode_percents(uri, path + length + slash, PATH_ROOM - length - slash))
        return grz_io_gltf_fail(g, "%s is not a file's name", grz_io_gltf_quote(uri, quote));
    memcpy(path, directory, length);
    if (slash != 0)
        path[length] = '/';
    return true;
}

static bool load_file(gltf *g, const char *uri, gltf_buffer *b)
{
    char path[PATH_ROOM], quote[SCAN_QUOTE_SIZE], reason[REASON_SIZE];
    struct stat about;
    load_control *control = g->r->control;
    if (!find_path(g, uri, path))
        return false;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return grz_io_gltf_fail(g, "%s is not a regular file", grz_io_gltf_quote(uri, quote));
    if (!grz_io_open_path(control, path, &b->file)) {
        memcpy(reason, control->reason, sizeof reason);
        if (control->status == GRZ_ERROR_FILE) {
            control->status = GRZ_OK;
            grz_io_control_fail(control, GRZ_ERROR_FILE, GRZ_NO_ELEMENT, "%s: %s %.200s", g->where,
                                grz_io_gltf_quote(uri, quote), reason);
        }
        return false;
    }
    if (b->file.shown.size < b->size)
        return grz_io_gltf_fail(g, "byteLength is %llu, but %s has %zu bytes", (unsigned long long)b->size,
                                grz_io_gltf_quote(uri, quote), b->file.shown.size);
    b->bytes = b->file.shown.bytes;
    return true;
}

// Schemes have no case (RFC 3986, 3.1).
static bool is_data(const char *uri)
{
    static const char scheme[] = "data:";
    for (size_t i = 0; i < sizeof scheme - 1; i++)
        if (uri[i] != scheme[i] && (scheme[i] == ':' || uri[i] != scheme[i] - 'a' + 'A'))
            return false;
    return true;
}

static bool load(gltf *g, uint64_t index, gltf_buffer *b)
{
    const json_t *json;
    if (!grz_io_gltf_element(g, "buffers", index, &json) || !grz_io_gltf_count(g, json, "byteLength", 0, &b->size))
        return false;
    const char *uri = grz_io_gltf_text(json, "uri");
    if (json_object_get(json, "uri") != NULL && uri == NULL)
        return grz_io_gltf_fail(g, "\"uri\" is not a text");
    if (uri != NULL)
        return is_data(uri) ? load_data_uri(g, uri, b) : load_file(g, uri, b);
    if (index > 0 || g->chunk == NULL)
        return grz_io_gltf_fail(g, "it has no uri, and there is no binary chunk for it");
    if (g->chunk_size < b->size)
        return grz_io_gltf_fail(g, "byteLength is %llu, but the binary chunk has %zu bytes",
                                (unsigned long long)b->size, g->chunk_size);
    b->bytes = g->chunk;
    return true;
}

// The buffer, loaded. NULL, with the reason, where it cannot be.
static const gltf_buffer *find_buffer(gltf *g, uint64_t index)
{
    char before[GLTF_WHERE_SIZE];
    if (index >= g->buffer_count) {
        grz_io_gltf_fail(g, "there is no buffers[%llu]", (unsigned long long)index);
        return NULL;
    }
    gltf_buffer *b = &g->buffers[index];
    if (b->loaded)
        return b;
    memcpy(before, g->where, sizeof before);
    grz_io_gltf_at(g, "buffers[%llu]", (unsigned long long)index);
    b->loaded = load(g, index, b);
    if (!b->loaded)
        return NULL;
    memcpy(g->where, before, sizeof before);
    g->buffer_bytes += b->size;
    return b;
}

bool grz_io_gltf_view(gltf *g, uint64_t view, const unsigned char **bytes, uint64_t *size, uint64_t *stride)
{
    char before[GLTF_WHERE_SIZE];
    const json_t *json;
    uint64_t buffer, offset;
    if (view == GLTF_NONE)
        return grz_io_gltf_fail(g, "it names no bufferView");
    if (!grz_io_gltf_element(g, "bufferViews", view, &json))
        return false;
    memcpy(before, g->where, sizeof before);
    grz_io_gltf_at(g, "bufferViews[%llu]", (unsigned long long)view);
    if (!grz_io_gltf_count(g, json, "buffer", GLTF_NONE, &buffer) ||
        !grz_io_gltf_count(g, json, "byteOffset", 0, &offset) || !grz_io_gltf_count(g, json, "byteLength", 0, size) ||
        !grz_io_gltf_count(g, json, "byteStride", 0, stride))
        return false;
    if (buffer == GLTF_NONE)
        return grz_io_gltf_fail(g, "it names no buffer");
    const gltf_buffer *b = find_buffer(g, buffer);
    if (b == NULL)
        return false;
    if (offset > b->size || *size > b->size - offset)
        return grz_io_gltf_fail(g, "its bytes %llu to %llu are not all in buffers[%llu], which has %llu",
                                (unsigned long long)offset, (unsigned long long)offset + *size,
                                (unsigned long long)buffer, (unsigned long long)b->size);
    *bytes = b->bytes + offset;
    memcpy(g->where, before, sizeof before);
    return true;
}

void grz_io_gltf_release_buffers(gltf *g)
{
    for (size_t i = 0; i < g->buffer_count && g->buffers != NULL; i++) {
        gltf_buffer *b = &g->buffers[i];
        grz_io_gltf_release(g, b->decoded, b->decoded_room, 1);
        grz_io_release_file(&b->file, &g->r->control->allocator);
    }
    grz_io_gltf_release(g, g->buffers, g->buffer_count, sizeof *g->buffers);
}
