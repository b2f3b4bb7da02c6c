// SPDX-License-Identifier: MIT
// Reads a fuzzer's bytes through every entry point of the readers and compares the models. Numbers in text are compared
// with strtod, and names with a UTF-8 decoder that shares no code with the one in io/part_name.c.
#define _GNU_SOURCE // memfd_create
#include "support_fuzz_files.h"

#include <errno.h>
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#include <graze/io.h>

#include "io/text_scan.h"
#include "support_fuzz_queries.h"

enum {
    PIPE_ROOM = 60000,  // bytes that a pipe takes without a reader
    MESH_CORNERS = 300, // of a model that is handed to the library, at most
    NUMBER_ROOM = SCAN_NUMBER_LENGTH + 2
};

static const char *const names[] = {"a.obj", "a.stl", "a.ply", "a.off"};
static const char *const formats[] = {"OBJ", "STL", "PLY", "OFF"}; // by fuzz_format

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
    return (length > 1 || p[0] < 0x80) && *value >= least[length] && *value <= 0x10ffff &&
                   (*value < 0xd800 || *value > 0xdfff)
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

// True if the first bytes are a signature of this format; then the file name does not matter.
static bool has_signature(fuzz_format format, const uint8_t *data, size_t size)
{
    grz_io_evidence evidence;
    const char *found = grz_io_detect("a", data, size, &evidence);
    return evidence == GRZ_IO_BY_BYTES && strcmp(found, formats[format]) == 0;
}

// True if a file without an extension is read as this format.
static bool is_guessed(fuzz_format format, const uint8_t *data, size_t size)
{
    const char *found = grz_io_detect("a", data, size, NULL);
    return found != NULL && strcmp(found, formats[format]) == 0;
}

// Whether a file may hold numbers as bytes, among them infinities. A binary STL may begin with "solid": its size tells.
static bool is_binary(fuzz_format format, const uint8_t *data, size_t size)
{
    if (format == FUZZ_STL) {
        uint32_t facets;
        if (size < 84)
            return false;
        memcpy(&facets, data + 80, sizeof facets);
        return size == 84 + 50 * (uint64_t)facets || !has_signature(FUZZ_STL, data, size);
    }
    return format == FUZZ_PLY && memmem(data, size, "binary", 6) != NULL;
}

static void require_whole(const grz_io_model *m, size_t size, bool binary)
{
    uint64_t corners = 0, faces = 0, part_corners = 0;
    FUZZ_REQUIRE(m->face_count > 0 && m->bytes_read == size);
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
        FUZZ_REQUIRE(m->parts[i].first_index == part_corners && m->parts[i].index_count >= 3 * m->parts[i].face_count);
        faces += m->parts[i].face_count;
        part_corners += m->parts[i].index_count;
        require_name(m->parts[i].name);
    }
    FUZZ_REQUIRE(m->part_count == 0 || (faces == m->face_count && part_corners == m->index_count));
    for (size_t i = 0; i < m->note_count; i++)
        require_line(m->notes[i]);
    // Memory stays within a multiple of the file: an OBJ face "f 1 1 1" of eight bytes takes sixteen, a PLY strip of
    // bytes twelve each.
    FUZZ_REQUIRE(m->vertex_count + m->index_count <= 4 * (uint64_t)size);
}

// The outcome of reading the bytes: a model or the reason of the refusal.
typedef struct reading {
    grz_status status;
    grz_io_model *m; // NULL where there is none
    char reason[512];
    grz_error error;
} reading;

static grz_io_options begin_reading(reading *r)
{
    grz_io_options options = grz_io_default_options();
    *r = (reading){.status = GRZ_OK};
    options.reason = r->reason;
    options.reason_size = sizeof r->reason;
    return options;
}

static void finish_reading(const reading *r, const char *path)
{
    const size_t length = strlen(path);
    FUZZ_REQUIRE((r->status == GRZ_OK) == (r->m != NULL));
    if (r->status == GRZ_OK)
        return;
    FUZZ_REQUIRE(r->status == GRZ_ERROR_FORMAT || r->status == GRZ_ERROR_UNSUPPORTED);
    FUZZ_REQUIRE(memchr(r->reason, '\0', sizeof r->reason - 1) != NULL); // not cut
    require_line(r->reason);
    require_line(r->error.message);
    FUZZ_REQUIRE(r->error.code == r->status && strncmp(r->error.message, path, length) == 0 &&
                 strncmp(r->error.message + length, ": ", 2) == 0);
}

static void read_bytes(reading *r, const char *name, const uint8_t *data, size_t size)
{
    const grz_io_options options = begin_reading(r);
    r->status = grz_io_load_memory(name, data, size, &options, &r->m, &r->error);
    finish_reading(r, name);
}

// From a descriptor, as the tool reads a file or its standard input.
static void read_descriptor(reading *r, int descriptor)
{
    const grz_io_options options = begin_reading(r);
    char path[40];
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    r->status = grz_io_load_file(path, &options, &r->m, &r->error);
    finish_reading(r, path);
}

static bool same_bytes(const void *x, const void *y, uint64_t count, size_t size)
{
    return (x == NULL) == (y == NULL) && (x == NULL || count == 0 || memcmp(x, y, (size_t)count * size) == 0);
}

static void require_same(const reading *x, const reading *y)
{
    const grz_io_model *m = x->m, *n = y->m;
    FUZZ_REQUIRE(x->status == y->status && strcmp(x->reason, y->reason) == 0 && x->error.element == y->error.element);
    if (m == NULL)
        return;
    FUZZ_REQUIRE(m->vertex_count == n->vertex_count && m->index_count == n->index_count &&
                 m->face_count == n->face_count && m->part_count == n->part_count && m->note_count == n->note_count &&
                 m->bytes_read == n->bytes_read);
    FUZZ_REQUIRE(same_bytes(m->positions, n->positions, m->vertex_count, 3 * sizeof(double)) &&
                 same_bytes(m->indices, n->indices, m->index_count, sizeof *m->indices) &&
                 same_bytes(m->corner_counts, n->corner_counts, m->face_count, sizeof *m->corner_counts));
    for (size_t i = 0; i < m->part_count; i++)
        FUZZ_REQUIRE(m->parts[i].first_face == n->parts[i].first_face &&
                     m->parts[i].face_count == n->parts[i].face_count &&
                     strcmp(m->parts[i].name, n->parts[i].name) == 0);
    for (size_t i = 0; i < m->note_count; i++)
        FUZZ_REQUIRE(strcmp(m->notes[i], n->notes[i]) == 0);
}

// Compare with the outcome by another entry point, and free the latter.
static void require_same_and_finish(const reading *first, reading *other)
{
    require_same(first, other);
    grz_io_model_destroy(other->m);
}

// A regular file, which is mapped, and a pipe, which is collected. Neither name has an extension.
static void read_by_descriptors(const uint8_t *data, size_t size)
{
    reading first, other;
    int ends[2];
    const int file = memfd_create("fuzz", MFD_CLOEXEC);
    FUZZ_REQUIRE(file >= 0 && write(file, data, size) == (ssize_t)size);
    read_bytes(&first, "a", data, size);
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
    grz_io_model_destroy(first.m);
}

// The library accepts a mesh of the model, or refuses its contents; it must never refuse the description.
static void create_mesh(const grz_mesh_description *d, bool good)
{
    grz_mesh *mesh = NULL;
    const grz_status status = grz_mesh_create(fuzz_device(), d, &mesh, NULL);
    FUZZ_REQUIRE(status == (good ? GRZ_OK : GRZ_ERROR_MESH));
    grz_mesh_destroy(mesh);
}

static bool are_coordinates_good(const double *positions, uint64_t vertices)
{
    bool good = true;
    for (uint64_t i = 0; i < 3 * vertices; i++)
        good = good && fabs(positions[i]) <= GRZ_MAX_COORDINATE;
    return good;
}

// The whole model, and each of its parts: a part has the corners of the whole, at the same places.
static void hand_over(const grz_io_model *m)
{
    grz_mesh_description whole = grz_default_mesh_description();
    grz_io_cutter *cutter;
    FUZZ_REQUIRE(grz_io_describe(m, &whole, NULL) == GRZ_OK);
    create_mesh(&whole, are_coordinates_good(m->positions, m->vertex_count));
    FUZZ_REQUIRE(grz_io_cutter_create(m, &cutter, NULL) == GRZ_OK);
    for (size_t part = 0; part < m->part_count; part++) {
        grz_mesh_description d = grz_default_mesh_description();
        FUZZ_REQUIRE(grz_io_cutter_cut(cutter, part, &d, NULL) == GRZ_OK && d.vertex_count <= d.index_count);
        const double *positions = d.positions;
        for (uint64_t i = 0; i < d.index_count; i++) {
            FUZZ_REQUIRE(d.indices[i] < d.vertex_count);
            FUZZ_REQUIRE(memcmp(positions + (size_t)d.indices[i] * 3,
                                m->positions + (size_t)m->indices[m->parts[part].first_index + i] * 3,
                                3 * sizeof(double)) == 0);
        }
        create_mesh(&d, are_coordinates_good(positions, d.vertex_count));
    }
    grz_io_cutter_destroy(cutter);
}

// The token at the cursor as a number: what strtod makes of it, if that is all of it.
static void check_number(const text_scan *at, text_token token)
{
    static char text[NUMBER_ROOM];
    text_scan s = *at;
    char *past;
    double value = 0.0;
    const scan_result result = grz_io_scan_double(&s, &value);
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
    FUZZ_REQUIRE((grz_io_scan_integer(&s, &integer) == SCAN_OK) == digits);
    if (digits) {
        errno = 0;
        const long long wide = strtoll(text, NULL, 10), limit = 1000000000000000000;
        FUZZ_REQUIRE(integer == (wide > limit ? limit : wide < -limit ? -limit : wide));
    }
}

// Every token of a text as a number.
static void check_numbers(const uint8_t *data, size_t size)
{
    text_scan s = grz_io_scan_text(data, size, SCAN_NO_COMMENTS, false);
    while (grz_io_scan_more_lines(&s)) {
        const text_scan before = s;
        text_token token;
        FUZZ_REQUIRE(grz_io_scan_token(&s, &token) && token.length > 0);
        check_number(&before, token);
    }
}

static bool begins_like_another(fuzz_format format, const uint8_t *data, size_t size)
{
    for (fuzz_format other = FUZZ_OBJ; other <= FUZZ_OFF; other++)
        if (other != format && has_signature(other, data, size))
            return true;
    return false;
}

// Names that must not matter: in capitals; without an extension, or with a wrong one, if the first bytes determine the
// format.
static void read_by_other_names(fuzz_format format, const uint8_t *data, size_t size, const reading *first)
{
    static const char *const capitals[] = {"A.OBJ", "A.STL", "A.PLY", "A.OFF"};
    const bool told = has_signature(format, data, size);
    reading other;
    read_bytes(&other, capitals[format], data, size);
    require_same_and_finish(first, &other);
    if (told || (format == FUZZ_STL && is_guessed(FUZZ_STL, data, size))) {
        read_bytes(&other, "a", data, size);
        require_same_and_finish(first, &other);
    }
    if (told) {
        read_bytes(&other, format == FUZZ_PLY ? "a.off" : "a.ply", data, size);
        require_same_and_finish(first, &other);
    }
}

// With less memory than the file may need, reading fails with GRZ_ERROR_MEMORY or gives the same.
static void read_with_little_memory(fuzz_format format, const uint8_t *data, size_t size, const reading *first)
{
    for (unsigned share = 0; share < 4; share++) {
        reading other;
        grz_io_options options = begin_reading(&other);
        options.limits.memory_limit = 1 + share * 16 * (uint64_t)size;
        other.status = grz_io_load_memory(names[format], data, size, &options, &other.m, &other.error);
        FUZZ_REQUIRE((other.status == GRZ_OK) == (other.m != NULL));
        if (other.status != GRZ_ERROR_MEMORY)
            require_same(first, &other);
        grz_io_model_destroy(other.m);
    }
}

void fuzz_read(fuzz_format format, const uint8_t *data, size_t size)
{
    reading first;
    uint32_t sum = 0;
    if (begins_like_another(format, data, size))
        return;
    const bool binary = is_binary(format, data, size);
    read_bytes(&first, names[format], data, size);
    if (first.m != NULL)
        require_whole(first.m, size, binary);
    // The slower checks are done for some inputs only, chosen by their contents.
    for (size_t i = 0; i < size; i++)
        sum = 31 * sum + data[i];
    if (sum % 4 == 0)
        read_by_other_names(format, data, size, &first);
    if (sum % 16 == 1)
        read_by_descriptors(data, size);
    if (!binary && sum % 4 == 2)
        check_numbers(data, size);
    if (sum % 8 == 3)
        read_with_little_memory(format, data, size, &first);
    if (first.m != NULL && first.m->index_count <= MESH_CORNERS && first.m->vertex_count <= MESH_CORNERS)
        hand_over(first.m);
    grz_io_model_destroy(first.m);
}
