// SPDX-License-Identifier: MIT
// Shared by the tests of the readers: reading from memory, refusals, and comparisons that print the difference.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_readers.h"

// Read from memory; a failure fails the test.
void read_bytes(const char *name, const void *bytes, size_t size, grz_io_model **m)
{
    grz_error error = {0};
    if (grz_io_load_memory(name, bytes, size, NULL, m, &error) != GRZ_OK)
        fail_msg("%s\n%.*s", error.message, size < 500 ? (int)size : 500, (const char *)bytes);
    assert_true((*m)->bytes_read == size);
}

void read_text(const char *name, const char *text, grz_io_model **m)
{
    read_bytes(name, text, strlen(text), m);
}

// Expect a refusal: `what` is in the full text "name: reason"; the error names the file; and its element is the line or
// byte that the reason names.
void refuse_bytes(const char *name, const void *bytes, size_t size, const char *what)
{
    grz_io_options options = grz_io_default_options();
    char reason[512] = "", whole[600];
    grz_error error = {.code = GRZ_OK};
    grz_io_model *m = (grz_io_model *)name; // anything but NULL
    options.reason = reason;
    options.reason_size = sizeof reason;
    const grz_status status = grz_io_load_memory(name, bytes, size, &options, &m, &error);
    if (status == GRZ_OK)
        fail_msg("accepted, expected \"%s\":\n%.*s", what, size < 500 ? (int)size : 500, (const char *)bytes);
    (void)snprintf(whole, sizeof whole, "%s: %s", name, reason);
    if (strlen(reason) + 1 >= sizeof reason || !strstr(whole, what) || strchr(whole, '\n'))
        fail_msg("message \"%s\", expected \"%s\":\n%.*s", whole, what, size < 500 ? (int)size : 500,
                 (const char *)bytes);
    if (strlen(whole) < sizeof error.message)
        assert_string_equal(error.message, whole);
    else
        assert_true(strncmp(error.message, whole, 200) == 0 &&
                    strcmp(error.message + strlen(error.message) - 3, "...") == 0);
    assert_true(status == error.code && m == NULL);
    assert_true(status == GRZ_ERROR_FORMAT || status == GRZ_ERROR_UNSUPPORTED);
    const char *inner = strstr(reason, ".model: line "), *place = inner != NULL ? inner + 8 : reason; // in a package
    const bool placed = strncmp(place, "line ", 5) == 0 || strncmp(place, "byte ", 5) == 0;
    assert_true(error.element == (placed ? strtoull(place + 5, NULL, 10) : GRZ_NO_ELEMENT));
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

void assert_position(const grz_io_model *m, uint64_t v, double x, double y, double z)
{
    assert_true(v < m->vertex_count);
    const double *p = m->positions + 3 * v;
    if (bits_of(p[0]) != bits_of(x) || bits_of(p[1]) != bits_of(y) || bits_of(p[2]) != bits_of(z))
        fail_msg("vertex %llu is %a %a %a, expected %a %a %a", (unsigned long long)v, p[0], p[1], p[2], x, y, z);
}

// Faces as "0 1 2|0 2 3".
void assert_faces(const grz_io_model *m, const char *expected)
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
void assert_parts(const grz_io_model *m, const char *expected)
{
    char text[2000] = "";
    size_t n = 0;
    for (size_t i = 0; i < m->part_count; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s %llu+%llu", i ? "|" : "", m->parts[i].name,
                              (unsigned long long)m->parts[i].first_face, (unsigned long long)m->parts[i].face_count);
    assert_string_equal(text, expected);
}

void assert_notes(const grz_io_model *m, const char *expected)
{
    char text[2000] = "";
    size_t n = 0;
    for (size_t i = 0; i < m->note_count; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", i ? "|" : "", m->notes[i]);
    assert_string_equal(text, expected);
}
