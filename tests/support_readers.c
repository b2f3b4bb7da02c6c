// SPDX-License-Identifier: MIT
// What the tests of the readers share: reading from memory, refusals, and comparisons that print what differs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "read.h"
#include "support_readers.h"

// Read from memory; a failure fails the test.
void read_bytes(const char *name, const void *bytes, size_t size, model *m)
{
    char message[MODEL_MESSAGE_SIZE];
    if (!model_read_memory(name, false, bytes, size, m, message))
        fail_msg("%s\n%.*s", message, size < 500 ? (int)size : 500, (const char *)bytes);
    assert_true(m->file_bytes == size);
}

void read_text(const char *name, const char *text, model *m)
{
    read_bytes(name, text, strlen(text), m);
}

// The file is refused, and the message names it and says `what`.
void refuse_bytes(const char *name, const void *bytes, size_t size, const char *what)
{
    model m;
    char message[MODEL_MESSAGE_SIZE];
    if (model_read_memory(name, false, bytes, size, &m, message))
        fail_msg("accepted, expected \"%s\":\n%.*s", what, size < 500 ? (int)size : 500, (const char *)bytes);
    if (strncmp(message, name, strlen(name)) != 0 || !strstr(message, what) || strchr(message, '\n'))
        fail_msg("message \"%s\", expected \"%s\":\n%.*s", message, what, size < 500 ? (int)size : 500, (const char *)bytes);
    assert_null(m.positions);
    assert_null(m.indices);
    assert_true(m.vertex_count == 0 && m.face_count == 0 && m.part_count == 0 && m.note_count == 0);
}

void refuse(const char *name, const char *text, const char *what)
{
    refuse_bytes(name, text, strlen(text), what);
}

// Positions are compared as bits: -0 is not 0.
uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

void assert_position(const model *m, uint64_t v, double x, double y, double z)
{
    assert_true(v < m->vertex_count);
    const double *p = m->positions + 3 * v;
    if (bits_of(p[0]) != bits_of(x) || bits_of(p[1]) != bits_of(y) || bits_of(p[2]) != bits_of(z))
        fail_msg("vertex %llu is %a %a %a, expected %a %a %a", (unsigned long long)v, p[0], p[1], p[2], x, y, z);
}

// Faces as "0 1 2|0 2 3".
void assert_faces(const model *m, const char *expected)
{
    char text[2000] = "";
    size_t n = 0;
    uint64_t at = 0;
    for (uint64_t f = 0; f < m->face_count; f++) {
        uint32_t corners = m->corner_counts ? m->corner_counts[f] : 3;
        for (uint32_t k = 0; k < corners; k++, at++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s%u", k ? " " : f ? "|" : "", m->indices[at]);
    }
    assert_string_equal(text, expected);
    assert_true(at == m->index_count);
}

// Parts as "name 0+2|other 2+1".
void assert_parts(const model *m, const char *expected)
{
    char text[2000] = "";
    size_t n = 0;
    for (size_t i = 0; i < m->part_count; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s %llu+%llu", i ? "|" : "", m->parts[i].name,
                              (unsigned long long)m->parts[i].first_face, (unsigned long long)m->parts[i].face_count);
    assert_string_equal(text, expected);
}

void assert_notes(const model *m, const char *expected)
{
    char text[2000] = "";
    size_t n = 0;
    for (size_t i = 0; i < m->note_count; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", i ? "|" : "", m->notes[i]);
    assert_string_equal(text, expected);
}
