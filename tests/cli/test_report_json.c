// SPDX-License-Identifier: MIT
// JSON output of names and notes with any bytes: a JSON reader stops at the first byte that is not UTF-8. Tested are
// all sequences of one and two bytes, and sequences of three and four bytes near every limit of UTF-8. The reference
// decoder has no table: it assembles the bits and checks that they encode back to the same bytes.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "report/json.h"
#include "support_files.h"

// Encode a code point as UTF-8. Returns the number of bytes.
static size_t encode(uint32_t code, unsigned char out[4])
{
    const size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = length; i-- > 1; code >>= 6)
        out[i] = (unsigned char)(0x80 | (code & 0x3F));
    out[0] = (unsigned char)(lead[length] | code);
    return length;
}

// The length of the character at p. 0 if there is none: the bits do not encode back to these bytes, or are no Unicode
// code point.
static size_t character_at(const unsigned char *p, size_t left)
{
    for (size_t length = 1; length <= 4 && length <= left; length++) {
        uint32_t code = length == 1 ? p[0] : p[0] & (0x7Fu >> length);
        unsigned char again[4];
        for (size_t i = 1; i < length; i++)
            code = code << 6 | (p[i] & 0x3F);
        const bool surrogate = code >= 0xD800 && code < 0xE000;
        if (code <= 0x10FFFF && !surrogate && encode(code, again) == length && memcmp(p, again, length) == 0)
            return length;
    }
    return 0;
}

// The expected output: each byte that belongs to no character becomes U+FFFD.
static file_text with_replacements(const file_text *text)
{
    file_text out = {0};
    for (size_t i = 0; i < text->size;) {
        const size_t length = character_at(text->bytes + i, text->size - i);
        file_append(&out, length > 0 ? (const void *)(text->bytes + i) : "\xEF\xBF\xBD", length > 0 ? length : 3);
        i += length > 0 ? length : 1;
    }
    return out;
}

static void compare(const char *what, const char *got, const file_text *expected)
{
    const size_t size = strlen(got);
    size_t same = 0;
    while (same < size && same < expected->size && (unsigned char)got[same] == expected->bytes[same])
        same++;
    if (same == size && same == expected->size)
        return;
    print_message("%s, from byte %zu on, got:", what, same);
    for (size_t i = same; i < size && i < same + 12; i++)
        print_message(" %02x", (unsigned char)got[i]);
    print_message("; expected:");
    for (size_t i = same; i < expected->size && i < same + 12; i++)
        print_message(" %02x", expected->bytes[i]);
    fail_msg("%s is not what was to be made of it", what);
}

// Report this name, as a member and in a list.
static void check_name(file_text *name)
{
    file_append(name, "", 1);
    name->size--;
    report about = report_begin("info");
    report_put_text(&about, about.members, "file", (const char *)name->bytes);
    report_put_text(&about, report_put_list(&about, about.members, "problems"), NULL, (const char *)name->bytes);
    char *json = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&json, &size);
    assert_non_null(stream);
    report_json(&about, stream);
    assert_int_equal(fclose(stream), 0);
    assert_false(about.failed);
    report_finish(&about);
    for (size_t i = 0; i < size;) {
        const size_t length = character_at((const unsigned char *)json + i, size - i);
        if (length == 0)
            fail_msg("byte %zu of the report, %02x, belongs to no character", i, (unsigned char)json[i]);
        i += length;
    }
    json_error_t error;
    json_t *read = json_loadb(json, size, JSON_REJECT_DUPLICATES, &error);
    if (read == NULL)
        fail_msg("not JSON: line %d: %s", error.line, error.text);
    const char *file = json_string_value(json_object_get(read, "file"));
    const char *problem = json_string_value(json_array_get(json_object_get(read, "problems"), 0));
    assert_non_null(file);
    assert_non_null(problem);
    file_text expected = with_replacements(name);
    compare("the name", file, &expected);
    compare("the note", problem, &expected);
    free(expected.bytes);
    json_decref(read);
    free(json);
    free(name->bytes);
    *name = (file_text){0};
}

static void every_one_and_two_bytes_come_out_as_utf8(void **state)
{
    (void)state;
    file_text name = {0};
    for (unsigned first = 1; first < 256; first++) {
        const unsigned char alone[2] = {(unsigned char)first, '/'};
        file_append(&name, alone, 2);
    }
    check_name(&name);
    for (unsigned first = 1; first < 256; first++)
        for (unsigned second = 1; second < 256; second++) {
            const unsigned char pair[3] = {(unsigned char)first, (unsigned char)second, '/'};
            file_append(&name, pair, 3);
        }
    check_name(&name);
}

// Bytes next to each bound of what may begin a character and of what may follow.
static const unsigned char telling[] = {0x01, 0x22, 0x41, 0x5C, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0,
                                        0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
                                        0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFF};

static void three_and_four_bytes_near_the_limits_come_out_as_utf8(void **state)
{
    (void)state;
    const size_t count = sizeof telling;
    file_text name = {0};
    for (size_t i = 0; i < count * count * count; i++) {
        const unsigned char three[4] = {telling[i / count / count], telling[i / count % count], telling[i % count],
                                        '/'};
        file_append(&name, three, 4);
    }
    check_name(&name);
    for (size_t i = 0; i < count * count * count * count; i++) {
        const unsigned char four[5] = {telling[i / count / count / count], telling[i / count / count % count],
                                       telling[i / count % count], telling[i % count], '/'};
        file_append(&name, four, 5);
    }
    check_name(&name);
}

// Cut anywhere, the last character is not read past the end.
static void a_name_may_end_within_a_character(void **state)
{
    (void)state;
    static const char *const characters[] = {"\xC3\xA9",     "\xE2\x82\xAC",     "\xED\x9F\xBF",
                                             "\xEE\x80\x80", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"};
    for (size_t i = 0; i < sizeof characters / sizeof *characters; i++)
        for (size_t length = 0; length <= strlen(characters[i]); length++) {
            file_text name = {0};
            file_append(&name, "a", 1);
            file_append(&name, characters[i], length);
            check_name(&name);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_one_and_two_bytes_come_out_as_utf8),
        cmocka_unit_test(three_and_four_bytes_near_the_limits_come_out_as_utf8),
        cmocka_unit_test(a_name_may_end_within_a_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
