// SPDX-License-Identifier: MIT
// The container of a glTF file (JSON text, or GLB: chunks) and the JSON text itself, which jansson parses after its
// memory was bounded: a value of two bytes takes up to a hundred of them.
#include "gltf/gltf.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// What the values of a text may take: so much, and so many times its bytes. Ordinary files take 15 times theirs.
#define LEAST_JSON_LIMIT (UINT64_C(64) << 20)

enum {
    GLB_HEADER = 12,
    GLB_CHUNK_HEADER = 8,
    CHUNK_JSON = 0x4E4F534A,
    CHUNK_BIN = 0x004E4942,
    BYTES_A_CONTAINER = 320, // of jansson, roughly
    BYTES_A_VALUE = 96,
    JSON_BYTES_A_BYTE = 64
};

bool grz_io_gltf_fail(gltf *g, const char *format, ...)
{
    char what[REASON_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return grz_io_fail(g->r, "%s: %s", g->where, what);
}

void grz_io_gltf_at(gltf *g, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(g->where, sizeof g->where, format, arguments);
    va_end(arguments);
}

const char *grz_io_gltf_quote(const char *text, char buffer[SCAN_QUOTE_SIZE])
{
    return grz_io_token_quote((text_token){(const unsigned char *)text, strlen(text)}, buffer);
}

static uint32_t load_u32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

// Whether a chunk of this kind begins here and ends within the file.
static bool is_chunk(const unsigned char *p, const unsigned char *end, uint32_t kind)
{
    return end - p >= GLB_CHUNK_HEADER && load_u32(p + 4) == kind &&
           load_u32(p) <= (uint64_t)(end - p) - GLB_CHUNK_HEADER;
}

// Chunks of unknown kinds are left out (specification, 4.4.3.1). One JSON chunk and one binary chunk behind it are all
// that a file may have: nobody knows which of two counts.
static bool look_at_further_chunks(gltf *g, const unsigned char *p, const unsigned char *end)
{
    uint64_t others = 0;
    while (end - p >= GLB_CHUNK_HEADER) {
        const uint32_t kind = load_u32(p + 4), size = load_u32(p);
        if (kind == CHUNK_BIN || kind == CHUNK_JSON)
            return grz_io_fail_byte(g->r, (uint64_t)(p - g->r->bytes), "a further %s chunk, which no GLB file has",
                                    kind == CHUNK_BIN ? "binary" : "JSON");
        others++;
        if (size > (uint64_t)(end - p) - GLB_CHUNK_HEADER)
            break;
        p += GLB_CHUNK_HEADER + size;
    }
    return grz_io_note_count(g->r, others, "GLB chunk of an unknown kind left out",
                             "GLB chunks of unknown kinds left out");
}

// Look for the binary chunk behind the JSON chunk, whose length may be no multiple of 4: some writers then pad it
// without counting, others go on at once.
static bool find_binary_chunk(gltf *g, const unsigned char *json_end, const unsigned char *end)
{
    const size_t over = g->json_size % 4, pad = over != 0 ? 4 - over : 0;
    const unsigned char *p = json_end;
    if (pad > 0 && !grz_io_note(g->r, "the length of the JSON chunk is no multiple of 4"))
        return false;
    if (!is_chunk(p, end, CHUNK_BIN) && (size_t)(end - p) >= pad)
        p += pad;
    if (is_chunk(p, end, CHUNK_BIN)) {
        g->chunk = p + GLB_CHUNK_HEADER;
        g->chunk_size = load_u32(p);
        return look_at_further_chunks(g, g->chunk + g->chunk_size, end);
    }
    if (end - p >= GLB_CHUNK_HEADER && load_u32(p + 4) == CHUNK_BIN)
        return grz_io_fail_byte(g->r, (uint64_t)(p - g->r->bytes),
                                "the binary chunk has %u bytes, but the file only %llu more", (unsigned)load_u32(p),
                                (unsigned long long)(end - p - GLB_CHUNK_HEADER));
    return look_at_further_chunks(g, p, end);
}

static bool open_glb(gltf *g)
{
    reader *r = g->r;
    if (r->size < GLB_HEADER + GLB_CHUNK_HEADER)
        return grz_io_fail(r, "%llu bytes are less than the headers of a GLB file", (unsigned long long)r->size);
    const uint32_t version = load_u32(r->bytes + 4), length = load_u32(r->bytes + 8);
    const unsigned char *p = r->bytes + GLB_HEADER;
    if (version != 2)
        return grz_io_fail_byte(r, 4, "GLB version %u is not read, only 2", (unsigned)version);
    if (length > r->size || length < GLB_HEADER + GLB_CHUNK_HEADER)
        return grz_io_fail_byte(r, 8, "the header states a length of %u bytes, the file has %llu", (unsigned)length,
                                (unsigned long long)r->size);
    if (load_u32(p + 4) != CHUNK_JSON)
        return grz_io_fail_byte(r, GLB_HEADER, "the first chunk is not JSON");
    if (load_u32(p) > length - GLB_HEADER - GLB_CHUNK_HEADER)
        return grz_io_fail_byte(r, GLB_HEADER, "the JSON chunk has %u bytes, but the file only %u more",
                                (unsigned)load_u32(p), (unsigned)(length - GLB_HEADER - GLB_CHUNK_HEADER));
    g->json = p + GLB_CHUNK_HEADER;
    g->json_size = load_u32(p);
    if (!find_binary_chunk(g, g->json + g->json_size, r->bytes + length))
        return false;
    while (g->json_size > 0 && g->json[g->json_size - 1] == '\0') // padding of some writers
        g->json_size--;
    return grz_io_note_count(r, r->size - length, "byte behind the GLB's length ignored",
                             "bytes behind the GLB's length ignored");
}

// Refuse a text that would take too much memory as values.
static bool bound_memory(gltf *g)
{
    const load_control *control = g->r->control;
    const uint64_t limit = control->options.limits.memory_limit;
    uint64_t memory = g->json_size;
    bool in_text = false;
    for (size_t i = 0; i < g->json_size; i++) {
        const unsigned char c = g->json[i];
        if (in_text)
            i += c == '\\';
        else if (c == '{' || c == '[')
            memory += BYTES_A_CONTAINER;
        else if (c == ',' || c == ':')
            memory += BYTES_A_VALUE;
        in_text ^= c == '"';
    }
    if (limit > 0 && memory > limit - (control->memory_used < limit ? control->memory_used : limit))
        return grz_io_fail_memory(g->r);
    const uint64_t most = LEAST_JSON_LIMIT + JSON_BYTES_A_BYTE * (uint64_t)g->json_size;
    if (memory > most)
        return grz_io_fail(g->r,
                           "its JSON would take more than the %llu MiB of memory that a text of this size may take",
                           (unsigned long long)(most >> 20));
    return true;
}

static bool parse(gltf *g)
{
    // The character 0 may stand in extras and in names; grz_io_gltf_text() has it nowhere else.
    const size_t flags = JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL;
    json_error_t error;
    if (g->json_size >= 3 && memcmp(g->json, "\xEF\xBB\xBF", 3) == 0) {
        g->json += 3;
        g->json_size -= 3;
    }
    if (!bound_memory(g))
        return false;
    g->root = json_loadb((const char *)g->json, g->json_size, flags, &error);
    if (g->root == NULL) {
        if (json_error_code(&error) == json_error_out_of_memory)
            return grz_io_fail_memory(g->r);
        for (char *c = error.text; *c != '\0'; c++)
            *c = *c < ' ' || *c > '~' ? '?' : *c;
        if (g->json != g->r->bytes && g->r->bytes[0] == 'g')
            return grz_io_fail(g->r, "JSON chunk, line %d: %s", error.line, error.text);
        return grz_io_fail_line(g->r, error.line > 0 ? (uint64_t)error.line : 1, "JSON: %s", error.text);
    }
    if (!json_is_object(g->root))
        return grz_io_fail(g->r, "the JSON is not an object");
    return true;
}

// asset.version is to be 2.x, and asset.minVersion at most 2.0.
static bool check_version(gltf *g)
{
    char quote[SCAN_QUOTE_SIZE];
    const json_t *asset;
    grz_io_gltf_at(g, "asset");
    if (!grz_io_gltf_object(g, g->root, "asset", &asset))
        return false;
    const char *version = asset != NULL ? grz_io_gltf_text(asset, "version") : NULL,
               *least = asset != NULL ? grz_io_gltf_text(asset, "minVersion") : NULL;
    if (version == NULL && json_object_get(asset, "version") != NULL)
        return grz_io_gltf_fail(g, "\"version\" is not a text");
    if (version == NULL)
        return grz_io_fail(g->r, "no glTF: there is no asset.version");
    if (strncmp(version, "2.", 2) != 0)
        return grz_io_gltf_fail(g, "glTF version %s is not read, only 2.0", grz_io_gltf_quote(version, quote));
    if (least != NULL && strcmp(least, "2.0") != 0)
        return grz_io_gltf_fail(g, "minVersion %s is not read, only 2.0", grz_io_gltf_quote(least, quote));
    return true;
}

bool grz_io_gltf_open(gltf *g)
{
    const reader *r = g->r;
    g->json = r->bytes;
    g->json_size = r->size;
    if (r->size >= 4 && memcmp(r->bytes, "glTF", 4) == 0 && !open_glb(g))
        return false;
    return parse(g) && check_version(g);
}

bool grz_io_gltf_array(gltf *g, const json_t *object, const char *key, const json_t **array)
{
    *array = json_object_get(object, key);
    if (*array != NULL && !json_is_array(*array))
        return grz_io_gltf_fail(g, "\"%s\" is not an array", key);
    return true;
}

bool grz_io_gltf_object(gltf *g, const json_t *object, const char *key, const json_t **member)
{
    *member = json_object_get(object, key);
    if (*member != NULL && !json_is_object(*member))
        return grz_io_gltf_fail(g, "\"%s\" is not an object", key);
    return true;
}

bool grz_io_gltf_element(gltf *g, const char *array, uint64_t index, const json_t **element)
{
    const json_t *all = json_object_get(g->root, array);
    *element = json_is_array(all) ? json_array_get(all, (size_t)index) : NULL;
    if (*element == NULL)
        return grz_io_gltf_fail(g, "there is no %s[%llu]", array, (unsigned long long)index);
    if (!json_is_object(*element))
        return grz_io_gltf_fail(g, "%s[%llu] is not an object", array, (unsigned long long)index);
    return true;
}

bool grz_io_gltf_whole(gltf *g, const json_t *value, const char *what, uint64_t *out)
{
    const double most = 9007199254740992.0; // 2^53
    const double number = json_is_number(value) ? json_number_value(value) : -1;
    if (!(number >= 0 && number <= most && floor(number) >= number))
        return grz_io_gltf_fail(g, "\"%s\" is not a whole number from 0 to 2^53", what);
    *out = (uint64_t)number;
    return true;
}

bool grz_io_gltf_count(gltf *g, const json_t *object, const char *key, uint64_t fallback, uint64_t *out)
{
    const json_t *value = json_object_get(object, key);
    *out = fallback;
    return value == NULL || grz_io_gltf_whole(g, value, key, out);
}

bool grz_io_gltf_numbers(gltf *g, const json_t *object, const char *key, size_t count, double *out, bool *given)
{
    const json_t *array = json_object_get(object, key);
    *given = array != NULL;
    if (array == NULL)
        return true;
    if (!json_is_array(array) || json_array_size(array) != count)
        return grz_io_gltf_fail(g, "\"%s\" is not an array of %zu numbers", key, count);
    for (size_t i = 0; i < count; i++) {
        const json_t *value = json_array_get(array, i);
        if (!json_is_number(value))
            return grz_io_gltf_fail(g, "\"%s\" is not an array of %zu numbers", key, count);
        out[i] = json_number_value(value);
    }
    return true;
}

const char *grz_io_gltf_text(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    const char *text = json_string_value(value);
    return text != NULL && strlen(text) == json_string_length(value) ? text : NULL;
}
