// SPDX-License-Identifier: MIT
// Reads a fuzzer's bytes by every door of the readers and compares what comes out. Numbers in text are held against strtod, and
// names against a decoder of UTF-8 that shares nothing with the one in cli/read_builder.c. The importer for other formats is not
// entered: it runs in a process of its own and has its own faults.
#define _GNU_SOURCE // memfd_create
#include "support_fuzz_files.h"

#include <errno.h>
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include "read.h"
#include "support_fuzz_queries.h"

enum {
    PIPE_ROOM = 60000,  // bytes that a pipe takes without a reader
    MESH_CORNERS = 300, // of a model that is handed to the library, at most
    NUMBER_ROOM = SCAN_NUMBER_LENGTH + 2
};

static const char *const names[] = {"a.obj", "a.stl", "a.ply", "a.off"};

// One code point of valid UTF-8, decoded by value; the bytes it took, 0 where there is none.
static size_t code_point(const unsigned char *p, uint32_t *value)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = 1;
    while (length < 4 && p[0] >> (7 - length) & 1 && p[0] >= 0xc0)
        length++;
    if (length == 4 && p[0] >= 0xf8)
        return 0;
    *value = length == 1 ? p[0] : p[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if (p[i] < 0x80 || p[i] > 0xbf)
            return 0;
        *value = *value << 6 | (p[i] & 0x3fu);
    }
    return (length > 1 || p[0] < 0x80) && *value >= least[length] && *value <= 0x10ffff && (*value < 0xd800 || *value > 0xdfff)
               ? length
               : 0;
}

static void require_name(const char *name)
{
    FUZZ_REQUIRE(name != NULL && strlen(name) <= 1000);
    for (const unsigned char *p = (const unsigned char *)name; *p != '\0';) {
        uint32_t value;
        const size_t length = code_point(p, &value);
        FUZZ_REQUIRE(length > 0 && value >= 0x20 && (value < 0x7f || value > 0x9f));
        p += length;
    }
}

static void require_line(const char *text)
{
    FUZZ_REQUIRE(text[0] != '\0');
    for (const char *p = text; *p != '\0'; p++)
        FUZZ_REQUIRE((unsigned char)*p >= ' ' && *p != 0x7f);
}

static bool is_binary(fuzz_format format, const uint8_t *data, size_t size)
{
    if (format == FUZZ_STL)
        return looks_like_stl_binary(data, size) || !looks_like_stl_text(data, size);
    return format == FUZZ_PLY && memmem(data, size, "binary", 6) != NULL;
}

static void require_whole(const model *m, size_t size, bool binary)
{
    uint64_t corners = 0, faces = 0;
    FUZZ_REQUIRE(m->face_count > 0 && m->file_bytes == size);
    for (uint64_t f = 0; f < m->face_count; f++) {
        const uint32_t count = m->corner_counts != NULL ? m->corner_counts[f] : 3;
        FUZZ_REQUIRE(count >= 3);
        corners += count;
    }
    FUZZ_REQUIRE(corners == m->index_count);
    for (uint64_t i = 0; i < m->index_count; i++)
        FUZZ_REQUIRE(m->indices[i] < m->vertex_count);
    for (uint64_t i = 0; i < 3 * m->vertex_count; i++)
        FUZZ_REQUIRE(binary || isfinite(m->positions[i]));
    for (size_t i = 0; i < m->part_count; i++) {
        FUZZ_REQUIRE(m->parts[i].first_face == faces && m->parts[i].face_count > 0);
        faces += m->parts[i].face_count;
        require_name(m->parts[i].name);
    }
    FUZZ_REQUIRE(m->part_count == 0 || faces == m->face_count);
    for (size_t i = 0; i < m->note_count; i++)
        require_line(m->notes[i]);
    // Memory stays within a multiple of the file: an OBJ face "f 1 1 1" of eight bytes takes sixteen, a PLY strip of bytes twelve
    // each.
    FUZZ_REQUIRE(m->vertex_count + m->index_count <= 4 * (uint64_t)size);
}

// A reading of the bytes: a model or a message.
typedef struct reading {
    bool ok;
    model m;
    char message[MODEL_MESSAGE_SIZE];
    const char *what_is_wrong; // the message behind the path
} reading;

static void finish_reading(reading *r, const char *path)
{
    const size_t length = strlen(path);
    r->what_is_wrong = "";
    if (r->ok)
        return;
    FUZZ_REQUIRE(r->m.positions == NULL && r->m.indices == NULL && r->m.corner_counts == NULL && r->m.parts == NULL &&
                 r->m.notes == NULL && r->m.face_count == 0 && r->m.part_count == 0 && r->m.note_count == 0);
    FUZZ_REQUIRE(memchr(r->message, '\0', sizeof r->message) != NULL);
    require_line(r->message);
    FUZZ_REQUIRE(strncmp(r->message, path, length) == 0 && strncmp(r->message + length, ": ", 2) == 0);
    r->what_is_wrong = r->message + length;
}

static void read_bytes(reading *r, const char *name, bool is_file, const uint8_t *data, size_t size)
{
    r->ok = model_read_memory(name, is_file, data, size, &r->m, r->message);
    finish_reading(r, name);
}

// From a descriptor, as the tool reads a file or its standard input.
static void read_descriptor(reading *r, int descriptor)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    r->ok = model_read(path, &r->m, r->message);
    finish_reading(r, path);
}

static bool same_bytes(const void *x, const void *y, uint64_t count, size_t size)
{
    return (x == NULL) == (y == NULL) && (x == NULL || count == 0 || memcmp(x, y, (size_t)count * size) == 0);
}

static void require_same(const reading *x, const reading *y)
{
    const model *m = &x->m, *n = &y->m;
    FUZZ_REQUIRE(x->ok == y->ok && strcmp(x->what_is_wrong, y->what_is_wrong) == 0);
    if (!x->ok)
        return;
    FUZZ_REQUIRE(m->vertex_count == n->vertex_count && m->index_count == n->index_count && m->face_count == n->face_count &&
                 m->part_count == n->part_count && m->note_count == n->note_count && m->file_bytes == n->file_bytes);
    FUZZ_REQUIRE(same_bytes(m->positions, n->positions, m->vertex_count, 3 * sizeof(double)) &&
                 same_bytes(m->indices, n->indices, m->index_count, sizeof *m->indices) &&
                 same_bytes(m->corner_counts, n->corner_counts, m->face_count, sizeof *m->corner_counts));
    for (size_t i = 0; i < m->part_count; i++)
        FUZZ_REQUIRE(m->parts[i].first_face == n->parts[i].first_face && m->parts[i].face_count == n->parts[i].face_count &&
                     strcmp(m->parts[i].name, n->parts[i].name) == 0);
    for (size_t i = 0; i < m->note_count; i++)
        FUZZ_REQUIRE(strcmp(m->notes[i], n->notes[i]) == 0);
}

// Compare with a reading by another door, and free that.
static void require_same_and_finish(const reading *first, reading *other)
{
    require_same(first, other);
    model_finish(&other->m);
}

// A regular file, which is mapped, and a pipe, which is collected. Neither name has an extension.
static void read_by_descriptors(const uint8_t *data, size_t size)
{
    reading first, other;
    int ends[2];
    const int file = memfd_create("fuzz", MFD_CLOEXEC);
    FUZZ_REQUIRE(file >= 0 && write(file, data, size) == (ssize_t)size);
    read_bytes(&first, "a", false, data, size);
    read_descriptor(&other, file);
    require_same_and_finish(&first, &other);
    close(file);
    if (size <= PIPE_ROOM) {
        FUZZ_REQUIRE(pipe(ends) == 0 && write(ends[1], data, size) == (ssize_t)size);
        // The reader opens the pipe a second time, and sees its end only if nobody can write any more.
        close(ends[1]);
        read_descriptor(&other, ends[0]);
        require_same_and_finish(&first, &other);
        close(ends[0]);
    }
    model_finish(&first.m);
}

// The library takes the model, or refuses what the mesh holds; the description is never at fault.
static void hand_over(const model *m)
{
    grz_mesh_description d = grz_default_mesh_description();
    grz_mesh *mesh = NULL;
    d.positions = m->positions;
    d.position_type = GRZ_FLOAT64;
    d.vertex_count = m->vertex_count;
    d.indices = m->indices;
    d.index_count = m->index_count;
    d.face_count = m->face_count;
    d.corner_counts = m->corner_counts;
    const grz_status status = grz_mesh_create(fuzz_device(), &d, &mesh, NULL);
    bool good = true;
    for (uint64_t i = 0; i < 3 * m->vertex_count; i++)
        good = good && fabs(m->positions[i]) <= GRZ_MAX_COORDINATE;
    FUZZ_REQUIRE(status == (good ? GRZ_OK : GRZ_ERROR_MESH));
    grz_mesh_destroy(mesh);
}

// The token at the cursor as a number: what strtod makes of it, if that is all of it.
static void check_number(const text_scan *at, text_token token)
{
    static char text[NUMBER_ROOM];
    text_scan s = *at;
    char *past;
    double value = 0.0;
    const scan_result result = scan_double(&s, &value);
    if (token.length > SCAN_NUMBER_LENGTH) {
        FUZZ_REQUIRE(result != SCAN_OK && s.at == at->at);
        return;
    }
    memcpy(text, token.at, token.length);
    text[token.length] = '\0';
    const double expected = strtod(text, &past);
    const bool number = past == text + token.length;
    FUZZ_REQUIRE(result == (!number ? SCAN_NOT_A_NUMBER : isfinite(expected) ? SCAN_OK : SCAN_NOT_FINITE));
    FUZZ_REQUIRE(result != SCAN_OK || memcmp(&value, &expected, sizeof value) == 0);
    FUZZ_REQUIRE(s.at == (result == SCAN_OK ? token.at + token.length : at->at));
    int64_t integer;
    const size_t sign = token.at[0] == '-' || token.at[0] == '+';
    const bool digits = token.length > sign && strspn(text + sign, "0123456789") == token.length - sign;
    s = *at;
    FUZZ_REQUIRE((scan_integer(&s, &integer) == SCAN_OK) == digits);
    if (digits) {
        errno = 0;
        const long long wide = strtoll(text, NULL, 10), limit = 1000000000000000000;
        FUZZ_REQUIRE(integer == (wide > limit ? limit : wide < -limit ? -limit : wide));
    }
}

// Every token of a text as a number.
static void check_numbers(const uint8_t *data, size_t size)
{
    text_scan s = scan_text(data, size, SCAN_NO_COMMENTS, false);
    while (scan_more_lines(&s)) {
        const text_scan before = s;
        text_token token;
        FUZZ_REQUIRE(scan_token(&s, &token) && token.length > 0);
        check_number(&before, token);
    }
}

static bool begins_like_another(fuzz_format format, const uint8_t *data, size_t size)
{
    static const char *const foreign[] = {"glTF", "PK\003\004", "Kaydara FBX Binary"};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (size >= strlen(foreign[i]) && memcmp(data, foreign[i], strlen(foreign[i])) == 0)
            return true;
    return (format != FUZZ_PLY && looks_like_ply(data, size)) || (format != FUZZ_OFF && looks_like_off(data, size)) ||
           (format != FUZZ_STL && looks_like_stl_text(data, size));
}

// Names that must not matter: in capitals; without an extension, or with a wrong one, where the first bytes tell the format.
static void read_by_other_names(fuzz_format format, const uint8_t *data, size_t size, const reading *first)
{
    static const char *const capitals[] = {"A.OBJ", "A.STL", "A.PLY", "A.OFF"};
    const bool told = (format == FUZZ_PLY && looks_like_ply(data, size)) || (format == FUZZ_OFF && looks_like_off(data, size)) ||
                      (format == FUZZ_STL && looks_like_stl_text(data, size));
    reading other;
    read_bytes(&other, capitals[format], false, data, size);
    require_same_and_finish(first, &other);
    if (told || (format == FUZZ_STL && looks_like_stl_binary(data, size))) {
        read_bytes(&other, "a", false, data, size);
        require_same_and_finish(first, &other);
    }
    if (told) {
        read_bytes(&other, format == FUZZ_PLY ? "a.off" : "a.ply", false, data, size);
        require_same_and_finish(first, &other);
    }
}

void fuzz_read(fuzz_format format, const uint8_t *data, size_t size)
{
    reading first, other;
    uint32_t sum = 0;
    if (begins_like_another(format, data, size))
        return;
    const bool binary = is_binary(format, data, size);
    read_bytes(&first, names[format], false, data, size);
    if (first.ok)
        require_whole(&first.m, size, binary);
    read_bytes(&other, names[format], true, data, size);
    require_same_and_finish(&first, &other);
    // What costs more is done for some inputs, by their contents.
    for (size_t i = 0; i < size; i++)
        sum = 31 * sum + data[i];
    if (sum % 4 == 0)
        read_by_other_names(format, data, size, &first);
    if (sum % 16 == 1)
        read_by_descriptors(data, size);
    if (!binary && sum % 4 == 2)
        check_numbers(data, size);
    if (first.ok && first.m.index_count <= MESH_CORNERS && first.m.vertex_count <= MESH_CORNERS)
        hand_over(&first.m);
    model_finish(&first.m);
}
